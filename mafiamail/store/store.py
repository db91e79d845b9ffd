"""Opens the database, keeps its schema up to date, and holds the one transaction that a mail is."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from peewee import SqliteDatabase
from playhouse.db_url import connect
from playhouse.migrations import Runner

from mafiamail.store.log import Log
from mafiamail.store.mailroom import Mailroom
from mafiamail.store.people import People
from mafiamail.store.tables import database

PRAGMAS = {"journal_mode": "wal", "synchronous": "full", "foreign_keys": 1, "busy_timeout": 5000}  # what only SQLite understands


class Store:
    """One open database. Use it from one thread; `url` is a path or a URL of playhouse.db_url."""

    def __init__(self, url: str) -> None:
        self.database: Any = connect(url) if "://" in url else SqliteDatabase(url, pragmas=PRAGMAS)
        if "://" in url and isinstance(self.database, SqliteDatabase):
            for name, value in PRAGMAS.items():
                self.database.pragma(name, value, permanent=True)
        self.database.connect(reuse_if_open=True)
        database.initialize(self.database)
        Runner(self.database, str(Path(__file__).parent / "migrations")).up()
        self.log, self.people, self.mailroom = Log(), People(), Mailroom()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing; a surprise inside also drops what was folded from events that are now gone."""
        if database.obj is not self.database:
            database.initialize(self.database)
        good = False
        try:
            with self.database.atomic("IMMEDIATE") if isinstance(self.database, SqliteDatabase) else self.database.atomic():
                self.log.begin()
                yield
            good = True
        finally:
            self.log.end(good=good)

    def close(self) -> None:
        self.database.close()
