"""Stories of the night (5.3): who may write one, and which are told in the morning."""

from collections.abc import Iterator
from datetime import datetime

from mafiamail.game import checks, commands, night
from mafiamail.game.events import NightResolved, StoryWritten
from mafiamail.game.model import HOST, Game, Stage, Who
from mafiamail.game.refusal import Refused, Why


def write(game: Game, by: Who, command: commands.WriteStory, at: datetime) -> checks.Events:
    """Before the morning: who kills, and the host. His last one counts."""
    if by == HOST:
        checks.in_play(game)
    player = None if by == HOST else checks.living(game, by)
    if game.phase.stage not in (Stage.NIGHT, Stage.ZERO):
        raise Refused(Why.NOT_NOW, "5.3", stage=game.phase.stage.value)
    if player is not None and not kills(game, by):
        raise Refused(Why.NOT_YOURS, "5.3", keyword="STORY")
    return (StoryWritten(at, by, command.words),)


def kills(game: Game, who: Who) -> bool:
    """Whether this living player can kill tonight: alone, or with his family."""
    power = night.power_now(game, game.players[who])
    return power is not None and power.keyword == "KILL"


def told(game: Game, resolved: NightResolved) -> tuple[tuple[Who | None, str], ...]:
    """The stories of this Night, each with its victim, for the game as it was before its result: by whoever killed him first.

    The host's own stands last, and is about nobody alone.
    """
    stories = [(victim, words) for victim in game.players if victim in resolved.died for words in _of(game, resolved, victim)]
    return (*stories, *([(None, game.stories[HOST])] if HOST in game.stories else []))


def _of(game: Game, resolved: NightResolved, victim: Who) -> Iterator[str]:
    """One story of each killer, and one of each family: the last that a member of it has written."""
    hands = [deed.who for deed in resolved.deeds if (deed.did, deed.target, deed.why) == ("kill", victim, "done")]
    for killer in dict.fromkeys(_hand(game, who) for who in hands):
        written = [words for who, words in game.stories.items() if who != HOST and _hand(game, who) == killer]
        yield from written[-1:]


def _hand(game: Game, who: Who) -> str:
    """Who kills as one: a family by its side, anybody else by himself."""
    player = game.players[who]
    return f"the family of {player.side}" if night.shares(game, player) else who
