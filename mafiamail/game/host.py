"""What a host may do to a running game (3.1.2, 3.3)."""

from datetime import datetime

from mafiamail.game import checks, clock, commands, victory
from mafiamail.game.events import Extended, GameOver, HostClosed, LeaveAsked, LimitSet, Paused, Removed, Resumed, WentOn, Withdrew
from mafiamail.game.evolve import evolve
from mafiamail.game.model import Fate, Game, Stage, Who
from mafiamail.game.refusal import Refused, Why


def close(game: Game, by: Who, command: commands.Close, at: datetime) -> checks.Events:
    """3.3.3: at once; before 3.1.2 or 3.2.2 allow only ANYWAY."""
    checks.by_host(by)
    checks.in_play(game)
    if game.paused is not None:
        raise Refused(Why.PAUSED, "3.3.4")
    earliest = _earliest(game, at)
    if at < earliest and not command.anyway:
        if game.phase.stage is Stage.DAY and game.settings.variant != "two" and not game.candidates and game.extra is None:
            raise Refused(Why.NEEDS_LIMIT, "3.1.2", earliest=earliest)
        raise Refused(Why.TOO_EARLY, "3.2.2" if game.settings.variant == "two" else "3.1.2", earliest=earliest, close=True)
    course = clock.Course(game).then(HostClosed(at, at < earliest))
    return tuple(clock.close(course, at, "host").events)


def _earliest(game: Game, at: datetime) -> datetime:
    """When the host may end this stage: variant two after more than two days, a Day in the others with notice, else at its own end."""
    settings, began = game.settings, game.phase.began
    match game.phase.stage:
        case Stage.DAY if settings.variant != "two":  # a limit ends it, and that is announced in time
            coming = clock.ends(game) if game.candidates or game.extra is not None else None
            return coming or max(at + settings.limit_notice, began + settings.limit_earliest)
        case Stage.DAY | Stage.NIGHT if settings.variant == "two":
            return began + settings.phase_limit + clock.JUST_AFTER
        case Stage.NIGHT:
            return began + settings.night_limit
        case Stage.ZERO:
            return began + settings.night_zero
        case _:
            return began + settings.last_words


def set_limit(game: Game, by: Who, command: commands.SetLimit, at: datetime) -> checks.Events:
    """3.1.2: with notice, and not before the Day is long enough."""
    checks.by_host(by)
    checks.in_play(game)
    settings, began = game.settings, game.phase.began
    if settings.variant == "two":
        raise Refused(Why.NO_LIMIT, "3.2.2", about="variant")
    if game.phase.stage is not Stage.DAY:
        raise Refused(Why.NOT_NOW, "3.1.2", stage=game.phase.stage.value)
    if game.extra is not None or game.candidates:  # 3.1.4, 1.8
        extra = game.extra is not None
        raise Refused(Why.NO_LIMIT, "3.1.4" if extra else "1.8", about="extra" if extra else "revote")
    clock_stands = min(at, game.paused or at)  # 3.3.4
    earliest = max(clock_stands + settings.limit_notice, began + settings.limit_earliest)
    if began + command.after < earliest:
        raise Refused(Why.TOO_EARLY, "3.1.2", earliest=earliest, close=False)
    return (LimitSet(at, command.after),)


def extend(game: Game, by: Who, command: commands.Extend, at: datetime) -> checks.Events:
    checks.by_host(by)
    checks.in_play(game)
    if clock.ends(game.but(paused=None)) is None:
        raise Refused(Why.NO_END, "3.3.3")
    return (Extended(at, command.by),)


def pause(game: Game, by: Who, command: commands.Pause, at: datetime) -> checks.Events:
    checks.by_host(by)
    checks.in_play(game)
    if game.paused is not None:
        raise Refused(Why.PAUSED, "3.3.4")
    return (Paused(at),)


def resume(game: Game, by: Who, command: commands.Resume, at: datetime) -> checks.Events:
    checks.by_host(by)
    checks.in_play(game)
    if game.paused is None:
        raise Refused(Why.NOT_PAUSED, "3.3.4")
    return (Resumed(at),)


def go_on(game: Game, by: Who, command: commands.GoOn, at: datetime) -> checks.Events:
    checks.by_host(by)
    checks.in_play(game)
    return (WentOn(at),)


def remove(game: Game, by: Who, command: commands.Remove, at: datetime) -> checks.Events:
    """3.3.2."""
    checks.by_host(by)
    player = checks.known(game, command.whom)
    if game.phase.stage is Stage.SIGNUP:
        return (Withdrew(at, command.whom),)
    if not player.alive:
        raise Refused(Why.TARGET_DEAD, "3.3.2", name=player.character)
    if not command.now:
        return () if player.leaving is not None else (LeaveAsked(at, command.whom, Fate.REMOVED),)
    removed = Removed(at, command.whom, Fate.REMOVED)
    if game.phase.stage is not Stage.DAY:  # 1.12: the end of the stage decides
        return (removed,)
    winner = victory.winner(evolve(game, removed))
    return (removed,) if winner is None else (removed, GameOver(at, winner))


def end(game: Game, by: Who, command: commands.End, at: datetime) -> checks.Events:
    checks.by_host(by)
    return (GameOver(at, None),)
