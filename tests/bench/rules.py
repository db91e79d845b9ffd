"""Nights resolved and whole random games played in a second, on one core: `python -m tests.bench.rules`."""

import random
import time
from datetime import UTC, datetime, timedelta

from mafiamail.game import clock, night
from mafiamail.game.commands import Command, Create, GiveOrder, Join, Start, Vote
from mafiamail.game.deal import PARTIES
from mafiamail.game.decide import decide
from mafiamail.game.events import Event
from mafiamail.game.evolve import evolve
from mafiamail.game.model import HOST, Game, Phase, Settings, Stage, Who
from mafiamail.game.refusal import Refused

BEGIN = datetime(2024, 5, 11, 18, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
NIGHTS, GAMES = 20_000, 2_000
PARTY = "1"


class Play:
    """One game in memory with its log, played at random by everybody."""

    def __init__(self, lot: random.Random, party: str = PARTY) -> None:
        self.lot, self.party, self.now = lot, party, BEGIN
        self.log: list[Event] = []
        self.game = Game()

    def took(self, events: tuple[Event, ...]) -> None:
        for event in events:
            self.game = evolve(self.game, event)
        self.log += events

    def says(self, by: Who, command: Command) -> None:
        """One command, and what the clock makes of it at once."""
        try:
            self.took(decide(self.game, by, command, self.now))
        except Refused:
            return
        self.game, happened = clock.run(self.game, self.now)
        self.log += happened

    def begin(self) -> "Play":
        roles = PARTIES[self.party]
        seed = f"{self.lot.getrandbits(256):064x}"
        self.says(HOST, Create("Dacha", "", "en", "UTC", Settings(), roles, seed))
        for place in range(sum(number for _, number in roles)):
            self.says(f"p{place}", Join(f"p{place}", f"Guest {place}", "", f"{seed[:60]}{place:04d}"))
        self.says(HOST, Start())
        return self

    def play(self) -> "Play":
        self.begin()
        while self.game.phase.stage is not Stage.OVER:
            self.phase()
        return self

    def phase(self) -> None:
        """Everybody who can act does so, one a minute; then the clock."""
        phase = self.game.phase
        if phase.stage is Stage.DAY:
            self.day(phase)
        elif phase.stage is Stage.NIGHT:
            self.night(phase)
        if self.game.phase is phase and (due := clock.due(self.game)) is not None:
            self.now = max(self.now, due)
            self.game, happened = clock.run(self.game, self.now)
            self.log += happened

    def day(self, phase: Phase) -> None:
        for who in self.game.living:
            if self.game.phase is not phase:
                return
            self.now += MINUTE
            self.says(who, Vote(self.other(who)))

    def night(self, phase: Phase) -> None:
        victim = self.lot.choice(self.game.living)
        for who in night.missing(self.game):
            if self.game.phase is not phase:
                return
            self.now += MINUTE
            self.says(who, self.order(who, victim))

    def other(self, who: Who) -> Who:
        while (whom := self.lot.choice(self.game.living)) == who:
            pass
        return whom

    def order(self, who: Who, victim: Who) -> Command:
        keyword = night.keywords(self.game, who)[0]
        return GiveOrder(keyword, victim if keyword == "KILL" else self.lot.choice(self.game.living))


def a_night(lot: random.Random) -> Game:
    """Party 6 in its first Night, with all orders given but not yet resolved."""
    play = Play(lot, "6").begin()
    play.game = clock.begin(clock.Course(play.game), play.now, Stage.NIGHT, 1).game
    for who in night.missing(play.game):
        play.took(decide(play.game, who, play.order(who, play.game.living[0]), play.now))
    return play.game


def nights() -> float:
    """Nights resolved in a second."""
    games = [a_night(random.Random(seed)) for seed in range(50)]
    began = time.perf_counter()
    for place in range(NIGHTS):
        night.resolve(games[place % 50], BEGIN)
    return NIGHTS / (time.perf_counter() - began)


def games() -> float:
    """Whole games in a second, log included."""
    began = time.perf_counter()
    events = sum(len(Play(random.Random(seed)).play().log) for seed in range(GAMES))
    assert events > 30 * GAMES
    return GAMES / (time.perf_counter() - began)


if __name__ == "__main__":
    print(f"nights: {nights():,.0f} a second (goal: 20,000)")
    print(f"games:  {games():,.0f} a second, party {PARTY} (goal: 2,000)")
