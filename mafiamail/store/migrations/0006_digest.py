"""How often each reader wants the talk of the thread."""

from peewee import Database


def up(migrator: object, db: Database) -> None:
    db.execute_sql("ALTER TABLE person ADD COLUMN digest TEXT NOT NULL DEFAULT ''")  # type: ignore[no-untyped-call]  # peewee's stubs
