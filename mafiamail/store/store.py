"""Opens the database, keeps its schema up to date, and holds the one transaction that a mail is."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from peewee import DatabaseError, ImproperlyConfigured, OperationalError, SqliteDatabase
from playhouse.db_url import connect
from playhouse.migrations import Runner

from mafiamail.store.guests import Guests
from mafiamail.store.log import Log
from mafiamail.store.mailroom import Mailroom
from mafiamail.store.people import People
from mafiamail.store.tables import database

PRAGMAS = {"journal_mode": "wal", "synchronous": "full", "foreign_keys": 1, "busy_timeout": 5000}  # what only SQLite understands


@contextmanager
def _as_os_error() -> Iterator[None]:
    """A database that cannot be used (no space, no right, locked) is the world's trouble, like any file: OSError."""
    try:
        yield
    except OperationalError as error:
        raise OSError(str(error)) from error


def _open(url: str) -> Any:
    if "://" not in url:
        return SqliteDatabase(url, pragmas=PRAGMAS)
    return connect(url, pragmas=PRAGMAS) if url.startswith("sqlite") else connect(url)


class Store:
    """One open database. Use it from one thread; `url` is a path or a URL of playhouse.db_url. Raises OSError where it cannot be used."""

    def __init__(self, url: str) -> None:
        self.database: Any = _open(url)
        try:
            database.initialize(self.database)
            self.database.connect(reuse_if_open=True)
            migrations = Runner(self.database, str(Path(__file__).parent / "migrations"))
            if set(migrations.applied()) - {one.name for one in migrations.migrations()}:
                raise OSError("it was written by a later mafiamail")
            migrations.up()
        except (DatabaseError, ImproperlyConfigured) as error:  # also where the file is something else, or a driver is missing
            raise OSError(str(error)) from error
        self.log, self.people, self.guests, self.mailroom = Log(), People(), Guests(), Mailroom()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing; a surprise inside also drops what was folded from events that are now gone."""
        if database.obj is not self.database:
            database.initialize(self.database)
        good = False
        try:
            with _as_os_error(), self._atomic():
                self.log.begin()
                yield
            good = True
        finally:
            self.log.end(good=good)

    def _atomic(self) -> Any:
        """SQLite takes the right to write at once, so that two never wait for each other halfway."""
        return self.database.atomic("IMMEDIATE") if isinstance(self.database, SqliteDatabase) else self.database.atomic()

    def close(self) -> None:
        self.database.close()
