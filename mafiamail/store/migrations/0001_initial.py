"""The first schema: a frozen copy of the tables, independent of what they become later."""

from peewee import Database

TABLES = """
CREATE TABLE game (id INTEGER NOT NULL PRIMARY KEY, open INTEGER NOT NULL, public INTEGER NOT NULL);
CREATE TABLE event (game INTEGER NOT NULL REFERENCES game (id), seq INTEGER NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (game, seq));
CREATE TABLE person (game INTEGER NOT NULL REFERENCES game (id), who TEXT NOT NULL, address TEXT NOT NULL, language TEXT NOT NULL,
  thread_secret TEXT NOT NULL UNIQUE, private_secret TEXT NOT NULL UNIQUE, PRIMARY KEY (game, who));
CREATE INDEX person_address ON person (address);
CREATE TABLE mail (key TEXT NOT NULL PRIMARY KEY, digest TEXT NOT NULL, box TEXT NOT NULL, uid TEXT NOT NULL,
  arrived TEXT NOT NULL, game INTEGER, who TEXT, verdict TEXT NOT NULL);
CREATE INDEX mail_box_uid ON mail (box, uid);
CREATE TABLE aside (key TEXT NOT NULL PRIMARY KEY, arrived TEXT NOT NULL, content BLOB NOT NULL, trace TEXT NOT NULL);
CREATE TABLE letter (id INTEGER NOT NULL PRIMARY KEY, game INTEGER REFERENCES game (id), who TEXT, address TEXT NOT NULL,
  kind TEXT NOT NULL,
  language TEXT NOT NULL, facts TEXT NOT NULL, message_id TEXT NOT NULL UNIQUE, refs TEXT NOT NULL, reply_token TEXT NOT NULL,
  private INTEGER NOT NULL, answers INTEGER NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL, next_try TEXT NOT NULL, content BLOB,
  created TEXT NOT NULL, sent TEXT);
CREATE INDEX letter_state_next_try ON letter (state, next_try);
CREATE TABLE pending (token TEXT NOT NULL PRIMARY KEY, game INTEGER REFERENCES game (id), who TEXT, address TEXT NOT NULL,
  what TEXT NOT NULL, text TEXT NOT NULL, asked TEXT NOT NULL, done INTEGER NOT NULL);
CREATE TABLE note (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL);
"""


def up(migrator: object, db: Database) -> None:
    for statement in TABLES.split(";"):
        if statement.strip():
            db.execute_sql(statement)  # type: ignore[no-untyped-call]  # peewee's stubs leave it untyped
