"""The log of each game: append events, and fold them into the game that they tell."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from peewee import fn

from mafiamail.game.events import Event, Undone
from mafiamail.game.evolve import evolve, fold
from mafiamail.game.model import Game
from mafiamail.store import codec, tables
from mafiamail.store.statement import Statement, given

_LAST = Statement(lambda: tables.Event.select(fn.MAX(tables.Event.seq)).where(tables.Event.game == given("game")))
_APPEND = Statement(lambda: tables.Event.insert(game=given("game"), seq=given("seq"), kind=given("kind"), body=given("body")))
_OPEN = Statement(lambda: tables.Game.select(tables.Game.id).where(tables.Game.open).order_by(tables.Game.id))


class _Folded(NamedTuple):
    seq: int
    game: Game


class Log:
    """Reads fold only what is new: the last state of each game is kept, and checked against the log's end each time."""

    def __init__(self) -> None:
        self._folded: dict[int, _Folded] = {}
        self.in_transaction = False
        self._current: set[int] = set()  # games whose folded state was compared with the log in this transaction

    def open(self, *, public: bool) -> int:
        """The number of a new game without events."""
        return int(tables.Game.create(public=public, open=True).id)

    def open_games(self) -> list[int]:
        return [row[0] for row in _OPEN().fetchall()]

    def games(self) -> list[int]:
        return [row.id for row in tables.Game.select().order_by(tables.Game.id)]

    def public_games(self) -> list[int]:
        """Games that strangers may be told of."""
        return [row.id for row in tables.Game.select().where(tables.Game.open, tables.Game.public).order_by(tables.Game.id)]

    def close(self, game: int) -> None:
        tables.Game.update(open=False).where(tables.Game.id == game).execute()

    def reopen(self, game: int) -> None:
        """Its end has been taken back."""
        tables.Game.update(open=True).where(tables.Game.id == game).execute()

    def is_open(self, game: int) -> bool:
        row = tables.Game.get_or_none(tables.Game.id == game)
        return row is not None and bool(row.open)

    def is_public(self, game: int) -> bool:
        """Whether anybody may join it."""
        row = tables.Game.get_or_none(tables.Game.id == game)
        return row is not None and bool(row.public)

    def game(self, number: int) -> Game:
        """The game as its whole log tells it."""
        if number in self._current:
            return self._folded[number].game
        last = _LAST(game=number).fetchone()[0] or 0
        known = self._folded.get(number)
        if known is None or known.seq != last:
            known = self._folded[number] = _Folded(last, fold(self.events(number)))
        if self.in_transaction:
            self._current.add(number)
        return known.game

    def events(self, number: int) -> list[Event]:
        rows = tables.Event.select().where(tables.Event.game == number).order_by(tables.Event.seq)
        return [codec.decode(row.kind, json.loads(row.body)) for row in rows]

    def append(self, number: int, events: Sequence[Event]) -> Game:
        """Writes the events behind the last one; answers the game after them."""
        game = self.game(number)
        seq = self._folded[number].seq
        for event in events:
            seq += 1
            _APPEND(game=number, seq=seq, kind=type(event).__name__, body=json.dumps(codec.encode(event), ensure_ascii=False))
            game = fold(self.events(number)) if isinstance(event, Undone) else evolve(game, event)
        self._folded[number] = _Folded(seq, game)
        return game

    def begin(self) -> None:
        """A transaction begins: whatever another daemon wrote before it is looked at once, and nobody writes during it."""
        self.in_transaction = True

    def end(self, *, good: bool) -> None:
        """It ends; after a bad end what was folded from events that are gone is dropped."""
        self.in_transaction = False
        self._current.clear()
        if not good:
            self._folded.clear()
