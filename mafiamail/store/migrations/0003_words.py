"""By what a letter's words are known again stands apart from its bytes: it outlives a first attempt that failed."""

from peewee import Database

CHANGES = """
ALTER TABLE letter ADD COLUMN words BLOB;
CREATE INDEX letter_game_who ON letter (game, who);
"""


def up(migrator: object, db: Database) -> None:
    for statement in CHANGES.split(";"):
        if statement.strip():
            db.execute_sql(statement)  # type: ignore[no-untyped-call]  # peewee's stubs leave it untyped
