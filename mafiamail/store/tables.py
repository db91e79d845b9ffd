"""The tables. Instants are ISO 8601 text in UTC, so that order by text is order in time."""

from typing import Any

from peewee import AutoField, BlobField, BooleanField, CharField, CompositeKey, DatabaseProxy, IntegerField, Model, TextField

database = DatabaseProxy()


class Table(Model):
    class Meta:
        database = database
        legacy_table_names = False


class Game(Table):
    """A game's entry in the book: what must be found without folding its log."""

    id = AutoField()
    open = BooleanField(default=True)
    public = BooleanField(default=True)  # strangers may be told of its sign-up


class Event(Table):
    """The log: the truth about every game."""

    game = IntegerField()
    seq = IntegerField()
    kind = CharField()
    body = TextField()

    class Meta:
        primary_key = CompositeKey("game", "seq")


class Person(Table):
    """Who plays under which key, and where he reads: erasable after the game (5.2)."""

    game = IntegerField()
    who = CharField()
    address = CharField(index=True)
    language = CharField()
    thread_secret = CharField(unique=True)
    private_secret = CharField(unique=True)
    silent = CharField(default="")  # why no letter goes there until he writes: bounce | complaint
    timezone = CharField(default="")  # in which he reads times; empty: that of the game
    digest = CharField(default="")  # how often he reads the talk of the thread; empty: each post at once

    class Meta:
        primary_key = CompositeKey("game", "who")


class Address(Table):
    """All addresses of a seat that has more than one; letters go to the one in `person`."""

    game = IntegerField()
    who = CharField()
    address = CharField(index=True)

    class Meta:
        primary_key = CompositeKey("game", "who", "address")


class Guest(Table):
    """Addresses that are invited to a game, or apply to one that is for the invited: erasable after it (5.2)."""

    game = IntegerField()
    address = CharField(index=True)
    invited = BooleanField()
    character = CharField()  # of an application; empty: none waits
    description = TextField()
    digest = CharField()
    arrived = CharField()

    class Meta:
        primary_key = CompositeKey("game", "address")


class Mail(Table):
    """Every mail that was dealt with, so that none counts twice."""

    key = CharField(primary_key=True)
    digest = CharField()
    box = CharField()
    uid = CharField()
    arrived = CharField()
    game = IntegerField(null=True)
    who = CharField(null=True)
    verdict = CharField()

    class Meta:
        indexes = ((("box", "uid"), False),)


class Aside(Table):
    """Mails that could not be dealt with, kept whole with what went wrong."""

    key = CharField(primary_key=True)
    arrived = CharField()
    content = BlobField()
    trace = TextField()


class Letter(Table):
    """Outgoing letters. `facts` are words to be, `content` the bytes once a first attempt has failed; both go when it is sent."""

    id = AutoField()
    game = IntegerField(null=True)
    who = CharField(null=True)
    address = CharField()
    kind = CharField()
    language = CharField()
    facts = TextField()
    message_id = CharField(unique=True)
    refs = TextField()
    reply_token = CharField()
    private = BooleanField()
    answers = BooleanField()  # answers a mail: Auto-Submitted says auto-replied
    state = CharField(default="waiting")  # waiting | sent | failed | held (until its reader writes again)
    attempts = IntegerField(default=0)
    next_try = CharField()
    content = BlobField(null=True)
    words = BlobField(null=True)  # by what its words are known (compressed), should they come back
    created = CharField()
    sent = CharField(null=True)

    class Meta:
        indexes = ((("state", "next_try"), False), (("address", "created"), False), (("game", "who"), False))


class Pending(Table):
    """Commands that wait until a letter to their writer's address is answered."""

    token = CharField(primary_key=True)
    game = IntegerField(null=True)
    who = CharField(null=True)
    address = CharField()
    what = CharField()
    text = TextField()
    asked = CharField()
    done = BooleanField(default=False)


class Said(Table):
    """How often something was said since a moment, where it must not be said too often."""

    name = CharField(primary_key=True)
    since = CharField()
    times = IntegerField()


class Note(Table):
    """Small facts about the daemon itself: cursors, the first start."""

    name = CharField(primary_key=True)
    value = TextField()


TABLES: tuple[type[Any], ...] = (Game, Event, Person, Address, Guest, Mail, Aside, Letter, Pending, Said, Note)
