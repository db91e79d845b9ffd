"""What stands of a log in which something was taken back, and what takes it back."""

from collections.abc import Sequence
from datetime import datetime

from mafiamail.game import events
from mafiamail.game.events import Event


def stands(log: Sequence[Event]) -> Sequence[Event]:
    """The events that no undo has taken back, and the undos that hold."""
    if not any(type(event) is events.Undone for event in log):
        return log
    return [log[place] for place in standing(log)]


def standing(log: Sequence[Event]) -> list[int]:
    """The places in the log of the events that stand."""
    kept: list[int] = []
    place = len(log)
    while place > 0:
        place -= 1
        event = log[place]
        if not isinstance(event, events.Undone):
            kept.append(place)
            continue
        back_to = max(0, min(event.back_to, place))
        if event.again or not isinstance(log[back_to], events.Undone) or back_to == place:
            kept.append(place)
        place = back_to
    return kept[::-1]


def undo(log: Sequence[Event], count: int, at: datetime) -> events.Undone:
    """Takes back the last `count` events of the log (the first, the creation, always stands)."""
    return _undone_to(log, max(1, len(log) - max(1, count)), at)


def undo_moments(log: Sequence[Event], count: int, at: datetime) -> events.Undone | None:
    """Takes back the last `count` moments that still stand: all that one command or one stroke of the clock brought, and what followed.

    Signs of life, reminders and undos are no moments of their own. The deal, and what came with it, is never taken back: the same seal
    must not deal twice. None if nothing else stands.
    """
    moments: list[int] = []  # the places where they begin
    last: Event | None = None
    for place in standing(log):
        event = log[place]
        if (moments or isinstance(event, events.Started)) and not isinstance(event, _SMALL):
            if last is None or _asked(event) or event.at != last.at:
                moments.append(place)
            last = event
    after = moments[1:]
    return _undone_to(log, after[-min(count, len(after))], at) if after else None


def _asked(event: Event) -> bool:
    """Whether somebody wished it, so that it follows from nothing that happened before."""
    return isinstance(event, _WISHES) or (isinstance(event, events.GameOver) and event.winner is None)


def redo(log: Sequence[Event], at: datetime) -> events.Undone | None:
    """Takes back the last undo, if nothing but signs of life has come since."""
    place = len(log) - 1
    while place >= 0 and isinstance(log[place], _SMALL) and not isinstance(log[place], events.Undone):
        place -= 1
    undone = log[place] if place >= 0 else None
    if not isinstance(undone, events.Undone) or undone.again or place not in standing(log):
        return None
    return events.Undone(at, place, undone.at, again=True)


def _undone_to(log: Sequence[Event], back_to: int, at: datetime) -> events.Undone:
    return events.Undone(at, back_to, log[back_to].at if back_to < len(log) else at)


_SMALL = (events.Undone, events.Heard, events.Reminded, events.HostReminded, events.QuietWarned)
_WISHES = (
    *(events.Voted, events.Unvoted, events.Ordered, events.Spoke, events.LeaveAsked),
    *(events.HostClosed, events.Extended, events.Paused, events.Resumed, events.WentOn),
)
