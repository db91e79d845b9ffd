"""Who plays under which key, where he reads, in which language, and the secrets that prove him."""

from typing import Any, NamedTuple

from peewee import fn

from mafiamail.game.model import HOST, Who
from mafiamail.store import tables
from mafiamail.store.statement import Statement, given


class Person(NamedTuple):
    game: int
    who: Who
    address: str
    language: str
    thread_secret: str
    private_secret: str
    silent: str = ""  # why letters to him are held back until he writes: bounce | complaint

    @property
    def is_host(self) -> bool:
        return self.who == HOST


def _select() -> Any:
    return tables.Person.select(*(getattr(tables.Person, field) for field in Person._fields))


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
        tables.Person.insert(**person._asdict()).execute()

    def remove(self, game: int, who: Who) -> None:
        tables.Pending.delete().where(tables.Pending.game == game, tables.Pending.who == who).execute()
        tables.Address.delete().where(tables.Address.game == game, tables.Address.who == who).execute()
        tables.Person.delete().where(tables.Person.game == game, tables.Person.who == who).execute()

    def find(self, game: int, who: Who) -> Person | None:
        row = _FIND.row(game=game, who=who)
        return None if row is None else Person(*row)

    def of_game(self, game: int) -> dict[Who, Person]:
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

    def speak(self, game: int, who: Who, language: str) -> None:
        tables.Person.update(language=language).where(tables.Person.game == game, tables.Person.who == who).execute()

    def is_his(self, person: Person, address: str) -> bool:
        """Whether this address is one of his."""
        return address == person.address or _LINKED.row(game=person.game, who=person.who, address=address) is not None

    def link(self, person: Person, address: str) -> None:
        """From now on this address is his as well."""
        for one in (person.address, address):
            tables.Address.insert(game=person.game, who=person.who, address=one).on_conflict_ignore().execute()

    def move(self, person: Person, address: str) -> Person:
        """Letters go to this address of his from now on."""
        tables.Person.update(address=address).where(tables.Person.game == person.game, tables.Person.who == person.who).execute()
        return person._replace(address=address)

    def silence(self, person: Person, why: str) -> None:
        """No letters to him until he writes; nothing as `why` ends it."""
        tables.Person.update(silent=why).where(tables.Person.game == person.game, tables.Person.who == person.who).execute()
