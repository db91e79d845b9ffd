"""(game, by, command, at) -> events, or Refused. May refuse; never changes anything. () means: nothing new, and nothing wrong."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from mafiamail.game import checks, commands, host, night, signup, story
from mafiamail.game.checks import Events
from mafiamail.game.commands import Command
from mafiamail.game.events import ExtraTimeBegan, Heard, Ordered, Shot, Spoke, Unvoted, Voted
from mafiamail.game.evolve import PLAYING
from mafiamail.game.model import Game, Player, Stage, Who
from mafiamail.game.power import Power, Step, raisable
from mafiamail.game.refusal import Refused, Why
from mafiamail.game.role import named


def decide(game: Game, by: Who, command: Command, at: datetime) -> Events:
    """The events that obeying this command brings. `by` is HOST for the host's commands; raises Refused."""
    if game.phase.stage is Stage.OVER and not isinstance(command, commands.Hear):
        raise Refused(Why.OVER)
    return _RULES[type(command)](game, by, command, at)


# The Day


def _vote(game: Game, by: Who, command: commands.Vote, at: datetime) -> Events:
    checks.living(game, by)
    if game.phase.stage is not Stage.DAY:
        raise _no_vote_now(game, at)
    whom = command.whom
    if whom == by:
        raise Refused(Why.TARGET_SELF, "1.7", name=checks.name(game, by))
    if whom not in game.players or not game.players[whom].alive:
        raise Refused(Why.TARGET_DEAD, "1.7", name=game.players[whom].character if whom in game.players else whom)
    if game.candidates and whom not in game.candidates:
        raise Refused(Why.NOT_CANDIDATE, "1.8", name=checks.name(game, whom))
    ballot = game.ballots.get(by)
    if ballot is None:
        return (Voted(at, by, whom),)
    if ballot.whom == whom:  # 1.11
        return _heard(game, by, at)
    if game.settings.variant == "two":
        raise Refused(Why.NO_CHANGE, "3.2.1", name=checks.name(game, ballot.whom))
    return (Voted(at, by, whom), *_changed(game, at))


def _no_vote_now(game: Game, at: datetime) -> Refused:
    """Too late where the vote has closed, be it at this very moment (section 3)."""
    just_closed = game.phase.stage is Stage.NIGHT and at == game.phase.began and (game.phase.number > 1 or game.settings.begins == "day")
    if game.phase.stage is Stage.LAST_WORDS or just_closed:
        return Refused(Why.TOO_LATE, "3.2.2" if game.settings.variant == "two" else "3.1.5", stage=game.phase.stage.value)
    return Refused(Why.NOT_NOW, "1.7", stage=game.phase.stage.value)


def _changed(game: Game, at: datetime) -> Events:
    """3.1.4: the first change in twilight starts extra time."""
    return (ExtraTimeBegan(at),) if game.twilight is not None and game.extra is None else ()


def _unvote(game: Game, by: Who, command: commands.Unvote, at: datetime) -> Events:
    checks.living(game, by)
    if game.phase.stage is not Stage.DAY:
        raise _no_vote_now(game, at)
    if not game.settings.unvote or game.settings.variant == "two":  # 1.11, 3.2.1
        raise Refused(Why.NO_UNVOTE, "1.11" if not game.settings.unvote else "3.2.1")
    if by not in game.ballots:
        raise Refused(Why.NO_VOTE, "1.11")
    return (Unvoted(at, by), *_changed(game, at))


def _shoot(game: Game, by: Who, command: commands.Shoot, at: datetime) -> Events:
    """2.13: in one's own window at once; ahead of time it stands until one is executed."""
    player = checks.known(game, by)
    checks.in_play(game)
    open_now = _may_speak(game, by, at) and by not in game.shot
    if not player.alive and not open_now:
        raise Refused(Why.DEAD, "1.5")
    if not named(game, player.role).pistol:
        raise Refused(Why.NO_PISTOL, "2.13")
    if command.whom == by:
        raise Refused(Why.TARGET_SELF, "2.13", name=checks.name(game, by))
    target = game.players.get(command.whom)
    if target is None or not target.alive:
        raise Refused(Why.TARGET_DEAD, "2.13", name=target.character if target else command.whom)
    return (Shot(at, by, command.whom),) if open_now else (Ordered(at, by, "SHOOT", command.whom),)


def _may_speak(game: Game, who: Who, at: datetime) -> bool:
    """Whether his window for last words is open, or ended at this very moment: a shot and last words may come together."""
    return game.phase.stage is Stage.LAST_WORDS and (who in game.speaking or game.spoken.get(who) == at)


def _say_last_words(game: Game, by: Who, command: commands.SayLastWords, at: datetime) -> Events:
    player = checks.known(game, by)
    checks.in_play(game)
    if player.alive:
        raise Refused(Why.NOT_EXECUTED, "2.13")
    if by in game.speaking and game.phase.stage is Stage.LAST_WORDS:
        return (Spoke(at, by, command.words),)
    if by in game.shot and _may_speak(game, by, at):
        return (Spoke(at, by, command.words),)
    if game.phase.stage is Stage.LAST_WORDS and by in game.spoken:
        raise Refused(Why.TOO_LATE, "2.13", stage=game.phase.stage.value)
    raise Refused(Why.DEAD, "1.5")


# The Night


def _give_order(game: Game, by: Who, command: commands.GiveOrder, at: datetime) -> Events:
    player = checks.living(game, by)
    if game.phase.stage not in (Stage.NIGHT, Stage.ZERO):
        raise Refused(Why.NOT_NOW, "2", stage=game.phase.stage.value)
    keyword = command.keyword if command.target is not None else "PASS"
    role = named(game, player.role)
    power = night.power_now(game, player)
    if power is None and role.power is not None and 0 < role.uses <= player.uses and keyword in (role.power.keyword, "PASS"):
        raise Refused(Why.SPENT, role.power.rule, uses=role.uses, keyword=keyword)
    if power is None or keyword not in (power.keyword, "PASS"):
        raise Refused(Why.NOT_YOURS, "2", keyword=keyword)
    if command.target is not None:
        _target(game, player, power, command.target)
    return (Ordered(at, by, keyword, command.target),)


def _target(game: Game, player: Player, power: Power, target: Who) -> None:
    """Whom this power may name: 2.14, 2.17, and the settings that narrow it."""
    other = game.players.get(target)
    name = other.character if other else target
    if power.names_dead:
        _fallen(other, name)
        return
    if other is None or not other.alive:
        raise Refused(Why.TARGET_DEAD, "2.14", name=name)
    if power.step is Step.HEAL:
        _patient(game, player, target, name)
    elif game.settings.self_targets == "doctor" and target == player.who:
        raise Refused(Why.TARGET_SELF, "2.14", name=name)
    elif game.settings.self_targets == "doctor" and target in night.family(game, player.who):
        raise Refused(Why.TARGET_FAMILY, "2.14", name=name)


def _fallen(other: Player | None, name: str) -> None:
    if other is None or not raisable(other):
        raise Refused(Why.TARGET_ALIVE if other is not None and other.alive else Why.TARGET_GONE, "2.17", name=name)


def _patient(game: Game, player: Player, target: Who, name: str) -> None:
    """2.3: `doctor: no_repeats | self_once`."""
    if game.settings.doctor == "no_repeats" and player.healed == target:
        raise Refused(Why.REPEATED, "2.3", name=name)
    if game.settings.doctor == "self_once" and target == player.who and player.self_healed:
        raise Refused(Why.SELF_ONCE, "2.3", name=name)


def _hear(game: Game, by: Who, command: commands.Hear, at: datetime) -> Events:
    return _heard(game, by, at)


def _heard(game: Game, by: Who, at: datetime) -> Events:
    """3.1.7: told once a phase, and only where it matters."""
    player = game.players.get(by)
    if game.settings.variant == "two" or game.phase.stage not in PLAYING or player is None or not player.alive or by in game.acted:
        return ()
    return (Heard(at, by),)


_RULES: dict[type, Callable[[Game, Who, Any, datetime], Events]] = {
    commands.Create: signup.create,
    commands.Join: signup.join,
    commands.TryLuck: signup.try_luck,
    commands.ChangeSetting: signup.change_setting,
    commands.Leave: signup.leave,
    commands.Start: signup.start,
    commands.Vote: _vote,
    commands.Unvote: _unvote,
    commands.GiveOrder: _give_order,
    commands.WriteStory: story.write,
    commands.Shoot: _shoot,
    commands.SayLastWords: _say_last_words,
    commands.Close: host.close,
    commands.SetLimit: host.set_limit,
    commands.Extend: host.extend,
    commands.Pause: host.pause,
    commands.Resume: host.resume,
    commands.GoOn: host.go_on,
    commands.Remove: host.remove,
    commands.Hear: _hear,
    commands.End: host.end,
}
