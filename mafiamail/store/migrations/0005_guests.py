"""Who was invited, and who applies."""

from peewee import Database

CHANGES = """
CREATE TABLE guest (game INTEGER NOT NULL REFERENCES game (id), address TEXT NOT NULL, invited INTEGER NOT NULL, character TEXT NOT NULL,
  description TEXT NOT NULL, digest TEXT NOT NULL, arrived TEXT NOT NULL, PRIMARY KEY (game, address));
CREATE INDEX guest_address ON guest (address);
"""


def up(migrator: object, db: Database) -> None:
    for statement in CHANGES.split(";"):
        if statement.strip():
            db.execute_sql(statement)  # type: ignore[no-untyped-call]  # peewee's stubs leave it untyped
