"""What has happened, in the past tense. A game is the fold of its events, and `at` never goes back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from mafiamail.game.model import Deed, Dossier, Fate, OwnRole, Settings, Stage, Who


@dataclass(frozen=True, slots=True)
class Created:
    at: datetime
    name: str
    theme: str
    language: str
    timezone: str
    settings: Settings
    composition: tuple[tuple[str, int], ...]
    seed: str
    own_roles: tuple[OwnRole, ...] = ()


@dataclass(frozen=True, slots=True)
class Joined:
    at: datetime
    who: Who
    character: str
    description: str
    digest: str


@dataclass(frozen=True, slots=True)
class CharacterChanged:
    """Joined again before the start, as somebody else (5.1)."""

    at: datetime
    who: Who
    character: str
    description: str


@dataclass(frozen=True, slots=True)
class LuckTried:
    """What the player adds to the deal was replaced before the start."""

    at: datetime
    who: Who
    digest: str


@dataclass(frozen=True, slots=True)
class SettingChanged:
    """Before the start (3.1.1). `settings`: all as they are now, since another variant brings other defaults."""

    at: datetime
    name: str
    settings: Settings


@dataclass(frozen=True, slots=True)
class Withdrew:
    """Left before the start: gone at once."""

    at: datetime
    who: Who


@dataclass(frozen=True, slots=True)
class Started:
    at: datetime
    seats: Mapping[Who, str]
    roles: Mapping[Who, str]


@dataclass(frozen=True, slots=True)
class PhaseBegan:
    """Night zero, a Day, the windows for last words, or a Night begins."""

    at: datetime
    stage: Stage
    number: int


@dataclass(frozen=True, slots=True)
class Reminded:
    """The end of the phase is near: those who are missing are to be told."""

    at: datetime


@dataclass(frozen=True, slots=True)
class Voted:
    at: datetime
    who: Who
    whom: Who


@dataclass(frozen=True, slots=True)
class Unvoted:
    at: datetime
    who: Who


@dataclass(frozen=True, slots=True)
class VoteClosed:
    """Voting stopped. `tally` in descending order of votes, voters in order of arrival; `executed` are dead from here on."""

    at: datetime
    why: str  # all voted | decided | twilight | extra time | revote | host limit | two days | host
    tally: Mapping[Who, tuple[Who, ...]]
    executed: tuple[Who, ...]
    silent: tuple[Who, ...]
    candidates: tuple[Who, ...] = ()  # the tied; not empty: a revote between them begins at this moment (1.8)


@dataclass(frozen=True, slots=True)
class Spoke:
    """Last words (2.13): they end the speaker's window."""

    at: datetime
    who: Who
    words: str


@dataclass(frozen=True, slots=True)
class Shot:
    """The executed commissar shot (2.13); `whom` died at once."""

    at: datetime
    who: Who
    whom: Who


@dataclass(frozen=True, slots=True)
class Ordered:
    """An order was given, or changed (2.15); or a SHOOT was sent ahead of time (2.13)."""

    at: datetime
    who: Who
    keyword: str
    target: Who | None


@dataclass(frozen=True, slots=True)
class StoryWritten:
    """What a killer, or the host, wants the morning to tell of this Night (5.3)."""

    at: datetime
    who: Who
    words: str


@dataclass(frozen=True, slots=True)
class NightResolved:
    """Everything that a Night brought, at once (4.2). `died`: victim -> sides that killed, earliest only (5.3)."""

    at: datetime
    number: int
    died: Mapping[Who, tuple[str, ...]]
    saved: tuple[Who, ...]
    revived: tuple[Who, ...]
    recruited: tuple[Who, ...]
    told: Mapping[Who, Dossier | None]  # commissar -> dossier, or None: "nothing became clear"
    deeds: tuple[Deed, ...]
    tried: Mapping[Who, bool] = field(default_factory=dict)  # living recruiter -> whether he recruited; False: "nothing came of it" (2.18)
    spent: tuple[Who, ...] = ()  # whose limited power was used up by one (2.17, 2.18)


@dataclass(frozen=True, slots=True)
class LeaveAsked:
    """Leaves, or is removed by the host: out at the start of the next phase (3.3.2)."""

    at: datetime
    who: Who
    fate: Fate


@dataclass(frozen=True, slots=True)
class Removed:
    """Out of the game, now."""

    at: datetime
    who: Who
    fate: Fate


@dataclass(frozen=True, slots=True)
class GameOver:
    """`winner`: a side, `nobody`, `draw`, or None when the host ended it."""

    at: datetime
    winner: str | None


@dataclass(frozen=True, slots=True)
class LimitSet:
    """A host limit was announced: `after` the beginning of the Day (3.1.2)."""

    at: datetime
    after: timedelta


@dataclass(frozen=True, slots=True)
class TwilightBegan:
    """The last missing vote has arrived (3.1.3)."""

    at: datetime


@dataclass(frozen=True, slots=True)
class ExtraTimeBegan:
    """A vote was changed in twilight (3.1.4)."""

    at: datetime


@dataclass(frozen=True, slots=True)
class Extended:
    """The host moved the running end (3.3.3)."""

    at: datetime
    by: timedelta


@dataclass(frozen=True, slots=True)
class HostClosed:
    """The host ended the phase; what its end brings follows. `early`: before 3.1.2 or 3.2.2 allow, and everybody is told so (3.3.3)."""

    at: datetime
    early: bool


@dataclass(frozen=True, slots=True)
class Paused:
    at: datetime


@dataclass(frozen=True, slots=True)
class Resumed:
    at: datetime


@dataclass(frozen=True, slots=True)
class Heard:
    """A sign of life, told once a phase; only where 3.1.7 counts them."""

    at: datetime
    who: Who


@dataclass(frozen=True, slots=True)
class HostReminded:
    """For the host: a day has passed, somebody is silent, and only he can end this Day (3.1.2)."""

    at: datetime


@dataclass(frozen=True, slots=True)
class QuietWarned:
    """For the host: `days` game days in a row without a death (1.13)."""

    at: datetime
    days: int


@dataclass(frozen=True, slots=True)
class WentOn:
    """The host said GO ON: the quiet days are counted anew (1.13)."""

    at: datetime


@dataclass(frozen=True, slots=True)
class Undone:
    """Only the first `back_to` events of the log stand; `since` is the moment of the first that does not.

    The game is paused as of that moment, so that nothing closes before the host has looked. To undo an undo (`again`) puts back what that
    one took; since then the game stood still (3.3.4), and it goes on with what was left.
    """

    at: datetime
    back_to: int
    since: datetime
    again: bool = False


Event = (
    Created
    | Joined
    | CharacterChanged
    | LuckTried
    | SettingChanged
    | Withdrew
    | Started
    | PhaseBegan
    | Reminded
    | Voted
    | Unvoted
    | VoteClosed
    | Spoke
    | Shot
    | Ordered
    | StoryWritten
    | NightResolved
    | LeaveAsked
    | Removed
    | GameOver
    | LimitSet
    | TwilightBegan
    | ExtraTimeBegan
    | Extended
    | HostClosed
    | Paused
    | Resumed
    | Heard
    | HostReminded
    | QuietWarned
    | WentOn
    | Undone
)
