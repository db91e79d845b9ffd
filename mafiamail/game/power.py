"""What can be done in a Night: the steps in rulebook order, powers, what they bring about, and the night as they see it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from mafiamail.game.model import Dossier, Fate, Game, Order, Player, Who


class Step(StrEnum):
    """The steps of a Night, in order (section 2). Whatever happens in one step happens at the same moment."""

    BLOCK = "block"  # 2.1
    HEAL = "heal"  # 2.3
    KILL = "kill"  # 2.4
    FAMILY = "family kill"  # 2.6 to 2.10
    RAISE = "raise"  # 2.17
    CHECK = "check"  # 2.11
    RECRUIT = "recruit"  # 2.18


class Blocked(NamedTuple):
    who: Who

    def fold(self, night: "Night") -> None:
        night.blocked.add(self.who)


class Protected(NamedTuple):
    who: Who

    def fold(self, night: "Night") -> None:
        night.protected.add(self.who)


class Killed(NamedTuple):
    victim: Who
    side: str

    def fold(self, night: "Night") -> None:
        sides = night.killed.setdefault(self.victim, [])
        if self.side not in sides:
            sides.append(self.side)
            sides.sort(key=_rank)


class Saved(NamedTuple):
    victim: Who

    def fold(self, night: "Night") -> None:
        night.saved.add(self.victim)


class Raised(NamedTuple):
    who: Who

    def fold(self, night: "Night") -> None:
        night.raised.add(self.who)


class Learned(NamedTuple):
    who: Who
    dossier: Dossier | None

    def fold(self, night: "Night") -> None:
        night.told[self.who] = self.dossier


class Recruited(NamedTuple):
    who: Who
    role: str

    def fold(self, night: "Night") -> None:
        night.recruited[self.who] = self.role


Effect = Blocked | Protected | Killed | Saved | Raised | Learned | Recruited


class Outcome(NamedTuple):
    """What came of one order. `spent`: a limited power has lost one use."""

    why: str
    rule: str
    effect: Effect | None = None
    done: bool = True
    spent: bool = True


class Night:
    """The night as it was when the running step began. Powers only look at it."""

    __slots__ = ("blocked", "game", "killed", "orders", "players", "protected", "raised", "recruited", "saved", "told")

    def __init__(self, game: Game) -> None:
        self.game = game
        self.players: Mapping[Who, Player] = game.players
        self.orders: Mapping[Who, Order] = game.orders
        self.blocked: set[Who] = set()
        self.protected: set[Who] = set()
        self.killed: dict[Who, list[str]] = {}
        self.saved: set[Who] = set()
        self.raised: set[Who] = set()
        self.recruited: dict[Who, str] = {}  # with the role that he takes
        self.told: dict[Who, Dossier | None] = {}


def _rank(side: str) -> tuple[bool, str]:
    """The mafia before the alternative mafia, whoever sits first."""
    return (side.startswith("alternative"), side)


def raisable(player: Player) -> bool:
    """Dead, and neither gone by himself nor removed (2.17)."""
    return player.fate in (Fate.EXECUTED, Fate.SHOT, Fate.KILLED) and player.leaving is None


@dataclass(frozen=True, slots=True)
class Power:
    """What a role may do by Night. `act(night, who, target)` is asked only of a living, unblocked actor whose target is lawful."""

    step: Step
    keyword: str  # BLOCK HEAL KILL CHECK RAISE RECRUIT
    rule: str
    act: Callable[[Night, Who, Who], Outcome]
    when_blocked: Callable[[Night, Who], Outcome]
    when_dead: str = ""  # the rule for an actor who dies before his turn; empty: `rule`
    shared: bool = False  # a family acts as one (2.8)
    names_dead: bool = False  # 2.17


def nothing_happens(rule: str) -> Callable[[Night, Who], Outcome]:
    """The answer of most powers to being blocked: the order comes to nothing, and no use is spent."""
    outcome = Outcome("blocked", rule, None, done=False, spent=False)
    return lambda night, who: outcome
