"""What a game is at one moment: settings, players, the running phase. All values are frozen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Literal

Who = str
"""The key of a player inside one game, stable from his JOIN to the end: never shown to anybody (a seat is)."""

HOST: Who = "host"
"""Whoever may steer the game; never a player."""

TOWN, MAFIA, ALTERNATIVE_MAFIA, MANIAC = "town", "mafia", "alternative mafia", "maniac"
NOBODY, DRAW = "nobody", "draw"
"""Winners that are no side: nobody lives (1.12); a draw (1.13)."""


BEFORE = datetime.min  # noqa: DTZ901 - stands for no moment at all: a game before its first event


class Stage(StrEnum):
    """The stages of a game. A Day's vote and its window for last words (2.13) are two stages of one Day."""

    SIGNUP = "signup"
    ZERO = "night zero"
    DAY = "day"
    LAST_WORDS = "last words"
    NIGHT = "night"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting of the rulebook by its name there, with its default; the number is the rule that it changes."""

    variant: Literal["one", "two", "chat"] = "two"  # 3.1, 3.2, 3.4
    begins: Literal["day", "night"] = "day"  # 1.6
    tie: Literal["nobody", "revote", "random", "all"] = "nobody"  # 1.8
    revote: timedelta = timedelta(hours=24)  # 1.8
    close_when_decided: bool = True  # 1.9
    bold_votes: bool = False  # 1.10
    unvote: bool = False  # 1.11
    victory: Literal["last_side_standing", "parity"] = "last_side_standing"  # 1.12
    quiet_warning: int = 3  # 1.13
    quiet_draw: int = 5  # 1.13
    doctor: Literal["free", "no_repeats", "self_once"] = "free"  # 2.3
    family_orders: Literal["all", "majority", "last"] = "all"  # 2.8
    last_words: timedelta = timedelta(hours=2)  # 2.13
    self_targets: Literal["any", "doctor"] = "any"  # 2.14
    zero_night_dossier: Literal["auto", "always", "never"] = "auto"  # 2.16
    night_zero: timedelta = timedelta(hours=24)  # 2.16
    twilight: timedelta = timedelta(hours=2)  # 3.1.1
    extra_time: timedelta = timedelta(hours=4)  # 3.1.1
    limit_notice: timedelta = timedelta(hours=4)  # 3.1.1
    limit_earliest: timedelta = timedelta(hours=24)  # 3.1.1
    phase_limit: timedelta = timedelta(hours=48)  # 3.1.1, 3.2.2
    absence: int = 2  # 3.1.1, 3.1.7, 3.2.3
    day_limit: timedelta | None = None  # 3.1.2
    night_limit: timedelta = timedelta(hours=48)  # 3.1.8
    close_early: bool = True  # 3.3.1
    reveal: Literal["nothing", "side", "role"] = "nothing"  # 4.3
    reminder: timedelta = timedelta(hours=12)  # ours: how long before the end those who are missing are reminded; 0: never


class Fate(StrEnum):
    """How a player went out of the game."""

    EXECUTED = "executed"
    SHOT = "shot"
    KILLED = "killed"
    ABSENT = "absent"  # self-destroyed (3.2.3) or removed for absence (3.1.7)
    LEFT = "left"
    REMOVED = "removed"  # by the host (3.3.2)


@dataclass(frozen=True)
class Player:
    """One who joined. `seat` (mafiaNN), `role` and `side` are empty until the start."""

    who: Who
    character: str
    description: str = ""
    digest: str = ""  # hex; what his JOIN adds to the deal
    seat: str = ""
    role: str = ""
    side: str = ""  # the side that he is on now: a recruit changes it (2.18)
    fate: Fate | None = None  # None: alive
    leaving: Fate | None = None  # 3.3.2: out at the start of the next phase
    idle: int = 0  # periods in a row in which he did not act (3.2.3), or phases without a mail of his (3.1.7)
    uses: int = 0  # spent uses of a power that is limited (2.17, 2.18)
    healed: Who | None = None  # whom he healed last (`doctor: no_repeats`)
    self_healed: bool = False  # `doctor: self_once`

    @property
    def alive(self) -> bool:
        return self.fate is None

    def but(self, **changes: Any) -> "Player":
        """The same player with some fields changed (quicker than dataclasses.replace)."""
        new = object.__new__(Player)
        object.__setattr__(new, "__dict__", {**self.__dict__, **changes})
        return new


@dataclass(frozen=True, slots=True)
class Ballot:
    """A live vote."""

    whom: Who
    at: datetime


@dataclass(frozen=True, slots=True)
class Order:
    """A live order of this Night. `target` None is `PASS`."""

    keyword: str  # BLOCK HEAL KILL CHECK RAISE RECRUIT PASS
    target: Who | None
    at: datetime


@dataclass(frozen=True, slots=True)
class Phase:
    """The running stage. `number` is that of the Day or Night (night zero: 0)."""

    stage: Stage
    number: int
    began: datetime


@dataclass(frozen=True, slots=True)
class Deed:
    """What one player wanted in a Night, what came of it, and by which rule: for the host and for the end."""

    who: Who
    target: Who | None
    did: str  # block heal kill check raise recruit pass none (none: nothing sent, or it came to nothing)
    why: str  # one word or two, such as: done, blocked, family blocked, disagreed, saved, target dead
    rule: str  # "2.6"


@dataclass(frozen=True, slots=True)
class Dossier:
    """What a commissar learns (2.11). `killed_by` is empty unless `about` was killed the same Night."""

    about: Who
    role: str
    killed_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OwnRole:
    """A host's own role (1.3), made of an existing power. `power`: a step's word ("heal"), or "" for none."""

    name: str
    side: str
    power: str = ""
    family: bool = False  # hears the family talk of its side
    pistol: bool = False  # 2.13
    uses: int = 0  # how often in a game; 0: without end
    lone: bool = False  # each of them is a side of its own, like a maniac
    keyword: str = ""  # what its player may write in the place of the power's own keyword
    letters: tuple[tuple[str, str], ...] = ()  # (language or "" for any, what it can do), for the role letter


@dataclass(frozen=True)
class Game:
    """The whole state, a fold of the log. After the start `players` is in the order of the seats, which tells nothing."""

    name: str = ""
    theme: str = ""
    language: str = "en"
    timezone: str = "UTC"
    settings: Settings = field(default_factory=Settings)
    composition: tuple[tuple[str, int], ...] = ()  # (role, how many), citizens last
    own_roles: tuple[OwnRole, ...] = ()  # 1.3
    seed: str = ""  # hex; secret until the end
    players: Mapping[Who, Player] = field(default_factory=dict)
    living: tuple[Who, ...] = ()  # those of `players` who live, after the start: kept by evolve.py
    phase: Phase = Phase(Stage.SIGNUP, 0, BEFORE)
    ballots: Mapping[Who, Ballot] = field(default_factory=dict)  # in order of arrival
    orders: Mapping[Who, Order] = field(default_factory=dict)  # in order of arrival, without SHOOT
    stories: Mapping[Who, str] = field(default_factory=dict)  # of this Night (5.3), in order of arrival
    aims: Mapping[Who, Who] = field(default_factory=dict)  # standing SHOOT sent ahead of time (2.13)
    speaking: frozenset[Who] = frozenset()  # executed players whose window for last words is open (2.13)
    spoken: Mapping[Who, datetime] = field(default_factory=dict)  # whose window ended by his LAST WORDS or shot, and when
    shot: frozenset[Who] = frozenset()  # who has fired his pistol after this execution
    candidates: tuple[Who, ...] = ()  # the tied, while a revote runs (1.8)
    limit: timedelta | None = None  # host limit, from the beginning of the Day (3.1.2)
    twilight: datetime | None = None  # when it began (3.1.3)
    extra: datetime | None = None  # when extra time began (3.1.4)
    extension: timedelta = timedelta()  # EXTEND, on the running end (3.3.3)
    paused: datetime | None = None  # 3.3.4
    acted: frozenset[Who] = frozenset()  # who has acted in this phase (3.2.3), or was heard (3.1.7)
    cut: bool = False  # closed before its full time: nobody's absence (3.2.3)
    quiet: int = 0  # game days in a row without a death (1.13)
    calm: bool = True  # nobody has died in this game day
    reminded: bool = False  # the reminder of this phase has gone out
    winner: str | None = None
    now: datetime = BEFORE  # the moment of the last event

    def but(self, **changes: Any) -> "Game":
        """The same game with some fields changed (quicker than dataclasses.replace)."""
        new = object.__new__(Game)
        object.__setattr__(new, "__dict__", {**self.__dict__, **changes})
        return new
