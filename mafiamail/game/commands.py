"""What can be asked of a game, in the imperative. Names are already resolved to players."""

from dataclasses import dataclass
from datetime import timedelta

from mafiamail.game.model import OwnRole, Settings, Who


@dataclass(frozen=True, slots=True)
class Create:
    """By the host: `NEW GAME`. `seed` is 64 hex digits that nobody but the host's daemon knows (draw.py)."""

    name: str
    theme: str
    language: str
    timezone: str
    settings: Settings
    composition: tuple[tuple[str, int], ...]
    seed: str
    insist: bool = False  # the host accepts a composition beyond 1.1 or 1.2
    own_roles: tuple[OwnRole, ...] = ()  # 1.3


@dataclass(frozen=True, slots=True)
class Join:
    """An application; from one who has joined: another character (5.1), while the digest of his first one stands."""

    who: Who
    character: str
    description: str
    digest: str


@dataclass(frozen=True, slots=True)
class TryLuck:
    """Before the start: what the player adds to the deal is this digest (64 hex digits) from now on."""

    digest: str


@dataclass(frozen=True, slots=True)
class ChangeSetting:
    """By the host, before the start: `SET: setting = value`, value as in `NEW GAME` (3.1.1)."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Leave:
    """Asked for and confirmed."""


@dataclass(frozen=True, slots=True)
class Start:
    """By the host: deals the roles and seats."""


@dataclass(frozen=True, slots=True)
class Vote:
    whom: Who


@dataclass(frozen=True, slots=True)
class Unvote:
    pass


@dataclass(frozen=True, slots=True)
class GiveOrder:
    """A night order; `target` None is `PASS`. Keywords: BLOCK HEAL KILL CHECK RAISE RECRUIT PASS."""

    keyword: str
    target: Who | None


@dataclass(frozen=True, slots=True)
class WriteStory:
    """A killer's story of his kill, or the host's of the Night (5.3)."""

    words: str


@dataclass(frozen=True, slots=True)
class Shoot:
    whom: Who


@dataclass(frozen=True, slots=True)
class SayLastWords:
    words: str


@dataclass(frozen=True, slots=True)
class Close:
    """By the host: `CLOSE`, or `CLOSE ANYWAY` (3.3.3)."""

    anyway: bool = False


@dataclass(frozen=True, slots=True)
class SetLimit:
    """By the host: `LIMIT: 36h`, counted from the beginning of the Day (3.1.2)."""

    after: timedelta


@dataclass(frozen=True, slots=True)
class Extend:
    by: timedelta


@dataclass(frozen=True, slots=True)
class Pause:
    pass


@dataclass(frozen=True, slots=True)
class Resume:
    pass


@dataclass(frozen=True, slots=True)
class GoOn:
    """By the host: play on although nobody died for long (1.13)."""


@dataclass(frozen=True, slots=True)
class Remove:
    """By the host: `REMOVE: Name`, or `REMOVE NOW: Name` (3.3.2)."""

    whom: Who
    now: bool = False


@dataclass(frozen=True, slots=True)
class Hear:
    """Any mail of a player's own: a sign of life (3.1.7)."""


@dataclass(frozen=True, slots=True)
class End:
    """By the host, confirmed: the game ends with no winner."""


Command = (
    Create
    | Join
    | TryLuck
    | ChangeSetting
    | Leave
    | Start
    | Vote
    | Unvote
    | GiveOrder
    | WriteStory
    | Shoot
    | SayLastWords
    | Close
    | SetLimit
    | Extend
    | Pause
    | Resume
    | GoOn
    | Remove
    | Hear
    | End
)
