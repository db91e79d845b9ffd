"""Who plays under which key, where he reads, in which language and zone, and the secrets that prove him."""

from typing import Any, NamedTuple

from peewee import fn

from mafiamail.game.model import HOST, Who
from mafiamail.store import tables
from mafiamail.store.statement import Statement, given


class Person(NamedTuple):
    """`key` is that of the table: a player's own, HOST for who opened the game, HOST and a number for each co-host."""

    game: int
    key: str
    address: str
    language: str
    thread_secret: str
    private_secret: str
    silent: str = ""  # why letters to him are held back until he writes: bounce | complaint
    timezone: str = ""  # in which he reads times; empty: that of the game
    digest: str = ""  # how often he reads the talk of the thread, such as 12h; empty: each post at once

    @property
    def is_host(self) -> bool:
        return self.key.startswith(HOST)

    @property
    def who(self) -> Who:
        """As whom the rules know him."""
        return HOST if self.is_host else self.key


_COLUMNS = tuple({"key": "who"}.get(field, field) for field in Person._fields)


def _select() -> Any:
    return tables.Person.select(*(getattr(tables.Person, column) for column in _COLUMNS))


def _at() -> Any:
    seat = (tables.Address.game == tables.Person.game) & (tables.Address.who == tables.Person.who)
    linked = tables.Address.select(tables.Address.who).where(seat, tables.Address.address == given("linked"))
    return _select().where((tables.Person.address == given("address")) | fn.EXISTS(linked)).order_by(tables.Person.game.desc())


_FIND = Statement(lambda: _select().where(tables.Person.game == given("game"), tables.Person.who == given("who")))
_LINKED = Statement(
    lambda: tables.Address.select(tables.Address.who).where(
        tables.Address.game == given("game"), tables.Address.who == given("who"), tables.Address.address == given("address")
    )
)
_OF_GAME = Statement(lambda: _select().where(tables.Person.game == given("game")))
_AT = Statement(_at)
_BY_PRIVATE = Statement(lambda: _select().where(tables.Person.private_secret == given("token")))
_BY_THREAD = Statement(lambda: _select().where(tables.Person.thread_secret == given("token")))


class People:
    def add(self, person: Person) -> None:
        tables.Person.insert(**dict(zip(_COLUMNS, person, strict=True))).execute()

    def remove(self, game: int, key: str) -> None:
        for table in (tables.Pending, tables.Address, tables.Person):
            table.delete().where(table.game == game, table.who == key).execute()

    def find(self, game: int, key: str) -> Person | None:
        row = _FIND.row(game=game, who=key)
        return None if row is None else Person(*row)

    def of_game(self, game: int) -> dict[str, Person]:
        """Everybody by his key."""
        return {row[1]: Person(*row) for row in _OF_GAME(game=game).fetchall()}

    def at(self, address: str) -> list[Person]:
        """Everybody whom this address is, his newest or another one of his, newest game first."""
        return [Person(*row) for row in _AT(address=address, linked=address).fetchall()]

    def by_secret(self, tokens: list[str]) -> tuple[Person, bool] | None:
        """Whose secret one of these is, and whether it stands for a private letter."""
        if not tokens:
            return None
        for token in tokens:
            if (row := _BY_PRIVATE.row(token=token)) or (row := _BY_THREAD.row(token=token)):
                person = Person(*row)
                return person, token == person.private_secret
        return None

    def change(self, person: Person, **fields: Any) -> Person:
        """The same person with some fields changed, here and in the table."""
        tables.Person.update(**fields).where(tables.Person.game == person.game, tables.Person.who == person.key).execute()
        return person._replace(**fields)

    def hand_over(self, person: Person, address: str, language: str, thread_secret: str, private_secret: str) -> Person:
        """His place is somebody else's from now on: no address and no secret of his counts any more."""
        tables.Address.delete().where(tables.Address.game == person.game, tables.Address.who == person.key).execute()
        fresh = {"address": address, "language": language, "thread_secret": thread_secret, "private_secret": private_secret}
        return self.change(person, **fresh, silent="", timezone="", digest="")

    def addresses(self, game: int) -> set[str]:
        """All that anybody has written from in this game."""
        tables_of_it = (tables.Person, tables.Address)
        return {row.address for table in tables_of_it for row in table.select(table.address).where(table.game == game)}

    def erase_game(self, game: int) -> None:
        for table in (tables.Address, tables.Person):
            table.delete().where(table.game == game).execute()

    def is_his(self, person: Person, address: str) -> bool:
        """Whether this address is one of his."""
        return address == person.address or _LINKED.row(game=person.game, who=person.key, address=address) is not None

    def link(self, person: Person, address: str) -> None:
        """From now on this address is his as well."""
        for one in (person.address, address):
            tables.Address.insert(game=person.game, who=person.key, address=one).on_conflict_ignore().execute()
