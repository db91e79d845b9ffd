"""A game in memory for tests: people sit down with given roles, time is moved by hand, and the log is kept."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from mafiamail.game import clock
from mafiamail.game.commands import Command
from mafiamail.game.decide import decide
from mafiamail.game.events import Created, Event, Joined, Started
from mafiamail.game.evolve import fold
from mafiamail.game.model import HOST, Game, Settings, Stage, Who

BEGIN = datetime(2024, 5, 11, 18, tzinfo=UTC)
E = TypeVar("E")
TOWNSFOLK = {"Ann": "mafia", "Ben": "citizen", "Cat": "citizen", "Dan": "citizen", "Eve": "citizen"}


class Table:
    """`roles`: {name: role} by seat. The game stands at the first phase of `settings`, at hour 0."""

    def __init__(self, roles: Mapping[Who, str] = TOWNSFOLK, settings: Settings | None = None) -> None:
        settings = settings or Settings()
        seats = {name: f"mafia{place:02d}" for place, name in enumerate(roles, start=1)}
        composition = tuple((role, 1) for role in roles.values())
        self.now = BEGIN
        self.log: list[Event] = [Created(BEGIN, "Dacha", "", "en", "UTC", settings, composition, "ab" * 32)]
        self.log += [Joined(BEGIN, name, name, "", "") for name in roles]
        self.log.append(Started(BEGIN, seats, dict(roles)))
        self.game: Game = fold(self.log)
        self.took(tuple(clock.first(clock.Course(self.game), BEGIN).events))

    def took(self, happened: tuple[Event, ...]) -> tuple[Event, ...]:
        self.log += happened
        self.game = fold(happened, self.game)
        return happened

    def at(self, hours: float) -> "Table":
        """Time goes on to this hour after the beginning, and the clock with it."""
        self.now = BEGIN + timedelta(hours=hours)
        self.took(clock.advance(self.game, self.now))
        return self

    def says(self, who: Who, command: Command) -> tuple[Event, ...]:
        """One command, obeyed now; what it brought, the clock's part included. Raises Refused."""
        obeyed = self.took(decide(self.game, who, command, self.now))
        return obeyed + self.took(clock.advance(self.game, self.now))

    def host(self, command: Command) -> tuple[Event, ...]:
        return self.says(HOST, command)

    @property
    def stage(self) -> Stage:
        return self.game.phase.stage

    def happened(self, kind: type[E]) -> list[E]:
        return [event for event in self.log if isinstance(event, kind)]
