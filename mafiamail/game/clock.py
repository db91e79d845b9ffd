"""What time does: when the running stage ends, what happens then, and the variants of time (section 3)."""

from datetime import datetime, timedelta
from enum import Enum
from typing import NamedTuple

from mafiamail.game import absence, night, victory, vote
from mafiamail.game.events import (
    Event,
    GameOver,
    HostReminded,
    LimitSet,
    PhaseBegan,
    QuietWarned,
    Reminded,
    Removed,
    Shot,
    TwilightBegan,
    VoteClosed,
)
from mafiamail.game.evolve import evolve
from mafiamail.game.model import DRAW, Game, Stage
from mafiamail.game.role import named

JUST_AFTER = timedelta(microseconds=1)
"""3.2.2: more than two days must have passed. Also how long a window stays open for what was sent together (2.13)."""
_DAY = timedelta(days=1)


class Tick(Enum):
    """What the clock does next."""

    CLOSE = "close"
    TWILIGHT = "twilight"
    REMIND = "remind"
    REMIND_HOST = "remind host"


class Coming(NamedTuple):
    """What the clock does next, and when. `why`: why a vote stops, in the words of VoteClosed."""

    at: datetime
    what: Tick
    why: str = ""


def due(game: Game) -> datetime | None:
    """The next moment at which the clock itself acts; None when over, not begun, paused, or open-ended."""
    coming = _next(game)
    return coming and coming.at


def tick(game: Game) -> tuple[Event, ...]:
    """Everything that happens at `due`, in the order in which people must be told. () when nothing is due."""
    coming = _next(game)
    return () if coming is None else tuple(_happen(Course(game), coming).events)


def advance(game: Game, until: datetime) -> tuple[Event, ...]:
    """All that the clock does up to and at `until`."""
    return run(game, until)[1]


def run(game: Game, until: datetime) -> tuple[Game, tuple[Event, ...]]:
    """As `advance`, with the game that comes of it."""
    coming = _coming(game, until)
    if coming is None:
        return game, ()
    course = Course(game)
    while coming is not None:
        coming = _coming(_happen(course, coming).game, until)
    return course.game, tuple(course.events)


def _coming(game: Game, until: datetime) -> Coming | None:
    """What the clock does next, if it does anything at all up to and at `until`."""
    coming = _early(game) if _far(game, until) else _next(game)
    return coming if coming is not None and coming.at <= until else None


def _far(game: Game, until: datetime) -> bool:
    """The quick answer after most commands: in variant two the hour of the phase's reminder has not come, so time alone does nothing."""
    settings, stage = game.settings, game.phase.stage
    if settings.variant != "two" or not (stage is Stage.NIGHT or (stage is Stage.DAY and not game.candidates)) or game.paused is not None:
        return False
    return until < game.phase.began + settings.phase_limit - settings.reminder


class Course:
    """A game as it goes on, and the events that it has brought so far."""

    __slots__ = ("events", "game")

    def __init__(self, game: Game) -> None:
        self.game = game
        self.events: list[Event] = []

    def then(self, *happened: Event) -> "Course":
        for event in happened:
            self.game = evolve(self.game, event)
            self.events.append(event)
        return self


def _happen(course: Course, coming: Coming) -> Course:
    match coming.what:
        case Tick.CLOSE:
            return close(course, coming.at, coming.why)
        case Tick.TWILIGHT:
            return course.then(TwilightBegan(coming.at))
        case Tick.REMIND:
            return course.then(Reminded(coming.at))
        case Tick.REMIND_HOST:
            return course.then(HostReminded(coming.at))


def ends(game: Game) -> datetime | None:
    """The latest end of the running stage as people are told it; None if nothing but the host ends it, and while paused."""
    if game.paused is not None:
        return None
    settings, began = game.settings, game.phase.began
    match game.phase.stage:
        case Stage.ZERO:
            return began + settings.night_zero + game.extension
        case Stage.DAY:
            return _day_ends(game)
        case Stage.LAST_WORDS:
            return began + settings.last_words + game.extension
        case Stage.NIGHT:
            length = settings.phase_limit if settings.variant == "two" else settings.night_limit  # 3.2.2, 3.1.8
            return began + length + game.extension
        case _:
            return None


def _day_ends(game: Game) -> datetime | None:
    settings, began = game.settings, game.phase.began
    if settings.variant == "two":
        return began + (settings.revote if game.candidates else settings.phase_limit) + game.extension
    limit = began + game.limit if game.limit is not None else None
    if game.candidates:
        return _revote_ends(game, began + settings.revote)
    if game.extra is not None:  # 3.1.4: the limit no longer holds; 3.3.1: its time passes all the same
        end = game.extra + settings.extra_time + game.extension
        return end if settings.close_early or limit is None else max(end, limit)
    if game.twilight is not None:  # 3.1.3; 3.3.1
        end = game.twilight + settings.twilight + game.extension
        return end if limit is None else min(end, limit) if settings.close_early else limit
    return limit and limit + game.extension


def _revote_ends(game: Game, latest: datetime) -> datetime:
    """1.8: at most this long, whatever the vote does."""
    settings, end = game.settings, latest
    if game.twilight is not None and settings.close_early:
        end = game.twilight + settings.twilight if game.extra is None else game.extra + settings.extra_time
    return min(end, latest) + game.extension


def _next(game: Game) -> Coming | None:
    """The next thing that the clock does, and when. Never before what has happened already."""
    stage = game.phase.stage
    if game.paused is not None or stage is Stage.SIGNUP or stage is Stage.OVER:
        return None
    early = _early(game)
    if early is not None:
        return early
    if stage is Stage.DAY and game.settings.variant != "two" and game.twilight is None and game.extra is None and not vote.missing(game):
        return Coming(game.now, Tick.TWILIGHT)
    end = ends(game)
    if end is None:  # 3.1.2: each day anew
        began = game.phase.began
        return Coming(began + ((game.now - began) // _DAY + 1) * _DAY, Tick.REMIND_HOST)
    remind = _reminder(game, end)
    if remind is not None:
        return Coming(remind, Tick.REMIND)
    return Coming(max(end + JUST_AFTER if _more_than(game) else end, game.now), Tick.CLOSE, _out_of_time(game))


def _more_than(game: Game) -> bool:
    """3.2.2: more than two days must have passed; a revote has hours of its own (1.8)."""
    return game.settings.variant == "two" and game.phase.stage in (Stage.DAY, Stage.NIGHT) and not game.candidates


def _early(game: Game) -> Coming | None:
    """The end of the stage before its time, if by now it has come."""
    stage, settings = game.phase.stage, game.settings
    if not settings.close_early:  # 3.3.1
        return None
    if stage is Stage.DAY:
        why = _decided(game) if settings.variant == "two" else ""  # 3.2.2, 1.9
        return Coming(game.now, Tick.CLOSE, why) if why else None
    if stage is Stage.LAST_WORDS:  # 2.13
        return None if game.speaking else Coming(max(game.now, max(game.spoken.values(), default=game.now) + JUST_AFTER), Tick.CLOSE)
    return Coming(game.now, Tick.CLOSE) if night.complete(game) else None  # 3.1.8, 3.2.2


def _decided(game: Game) -> str:
    """Why the vote needs no more time; "" while it does."""
    if game.settings.close_when_decided and not vote.decided(game):
        return ""
    if not vote.missing(game):
        return "all voted"
    return "decided" if game.settings.close_when_decided else ""


def _reminder(game: Game, end: datetime) -> datetime | None:
    """When people are to be reminded; None if they have been, or need not be."""
    before = game.settings.reminder
    stage, began = game.phase.stage, game.phase.began
    if game.reminded or not before or stage is Stage.LAST_WORDS or end - began <= 2 * before:
        return None
    if end - before < game.now or (stage is Stage.DAY and not vote.missing(game)):
        return None
    return end - before


def _out_of_time(game: Game) -> str:
    """Why the vote stops when its time is over."""
    if game.extra is not None:
        return "extra time"  # 3.1.4
    if game.twilight is not None:
        return "twilight"  # 3.1.3
    if game.candidates:
        return "revote"  # 1.8
    return "two days" if game.settings.variant == "two" else "host limit"  # 3.2.2, 3.1.5


def close(course: Course, at: datetime, why: str) -> Course:
    """The running stage ends at this moment, by the clock or by the host."""
    match course.game.phase.stage:
        case Stage.DAY:
            return _close_vote(course, at, why)
        case Stage.LAST_WORDS:
            return _end_day(course, at)
        case Stage.NIGHT | Stage.ZERO:
            return _end_night(course, at)
        case _:
            return course


def _close_vote(course: Course, at: datetime, why: str) -> Course:
    """1.8; then the shot or the windows of 2.13, or the end of the Day."""
    game = course.game
    votes = vote.tally(game)
    executed, candidates = vote.executed(game, vote.leaders(votes))
    silent = tuple([who for who in game.living if who not in game.ballots])  # 3.1.6
    course.then(VoteClosed(at, why, votes, executed, silent, candidates))
    if candidates:
        return course
    for who in executed:
        whom = game.aims.get(who)
        if whom is not None and course.game.players[whom].alive:  # a standing shot fires at once
            course.then(Shot(at, who, whom))
    if _window(course.game):
        return course.then(PhaseBegan(at, Stage.LAST_WORDS, game.phase.number))
    return _end_day(course, at)


def _window(game: Game) -> bool:
    """2.13: for every executed player alike, unless his death ends the game and he has no pistol to undo that."""
    if not game.settings.last_words or not game.speaking:
        return False
    return victory.winner(game) is None or any(named(game, game.players[who].role).pistol for who in game.speaking)


def _end_day(course: Course, at: datetime) -> Course:
    """1.12: the execution and its shot first, then who goes (3.1.7, 3.2.3, 3.3.2)."""
    winner = victory.winner(course.game)
    if winner is None and _go(course, at):
        winner = victory.winner(course.game)
    if winner is not None:
        return course.then(GameOver(at, winner))
    game = course.game
    return begin(course, at, Stage.NIGHT, game.phase.number + (game.settings.begins == "night"))


def _end_night(course: Course, at: datetime) -> Course:
    """1.12: the Night and who goes at its end are judged together."""
    zero = course.game.phase.stage is Stage.ZERO
    course.then(night.resolve(course.game, at))
    _go(course, at)
    game = course.game
    winner = victory.winner(game) or (DRAW if victory.drawn(game) and not zero else None)
    if winner is not None:
        return course.then(GameOver(at, winner))
    if zero:
        return first(course, at)
    if victory.warned(game):
        course.then(QuietWarned(at, game.quiet))
    return begin(course, at, Stage.DAY, game.phase.number + (game.settings.begins == "day"))


def _go(course: Course, at: datetime) -> bool:
    """Who is out at this start of a phase goes; whether anybody did."""
    gone = [Removed(at, who, fate) for who, fate in absence.leaving(course.game)]
    course.then(*gone)
    return bool(gone)


def first(course: Course, at: datetime) -> Course:
    """What comes after night zero (1.6)."""
    return begin(course, at, Stage.NIGHT if course.game.settings.begins == "night" else Stage.DAY, 1)


def begin(course: Course, at: datetime, stage: Stage, number: int) -> Course:
    """A Day or a Night begins, with the limit that is announced at the start of each Day (3.1.2: `day_limit`)."""
    course.then(PhaseBegan(at, stage, number))
    settings = course.game.settings
    if stage is Stage.DAY and settings.variant != "two" and settings.day_limit is not None:
        course.then(LimitSet(at, settings.day_limit))
    return course
