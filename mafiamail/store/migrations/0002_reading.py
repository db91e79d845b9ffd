"""Second addresses of a seat, seats to which no mail goes for now, and what has been said lately."""

from peewee import Database

CHANGES = """
ALTER TABLE person ADD COLUMN silent TEXT NOT NULL DEFAULT '';
CREATE TABLE address (game INTEGER NOT NULL REFERENCES game (id), who TEXT NOT NULL, address TEXT NOT NULL,
  PRIMARY KEY (game, who, address));
CREATE INDEX address_address ON address (address);
CREATE TABLE said (name TEXT NOT NULL PRIMARY KEY, since TEXT NOT NULL, times INTEGER NOT NULL);
CREATE INDEX letter_address_created ON letter (address, created);
"""


def up(migrator: object, db: Database) -> None:
    for statement in CHANGES.split(";"):
        if statement.strip():
            db.execute_sql(statement)  # type: ignore[no-untyped-call]  # peewee's stubs leave it untyped
