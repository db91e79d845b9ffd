"""Each reader's own zone."""

from peewee import Database


def up(migrator: object, db: Database) -> None:
    db.execute_sql("ALTER TABLE person ADD COLUMN timezone TEXT NOT NULL DEFAULT ''")  # type: ignore[no-untyped-call]  # peewee's stubs
