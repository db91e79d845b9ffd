"""Who may ask, and when: what every rule of decide.py asks first."""

from mafiamail.game.events import Event
from mafiamail.game.evolve import PLAYING
from mafiamail.game.model import HOST, Game, Player, Who
from mafiamail.game.refusal import Refused, Why

Events = tuple[Event, ...]


def by_host(by: Who) -> None:
    if by != HOST:
        raise Refused(Why.NOT_HOST)


def in_play(game: Game) -> None:
    if game.phase.stage not in PLAYING:
        raise Refused(Why.NOT_STARTED)


def known(game: Game, by: Who) -> Player:
    player = game.players.get(by)
    if player is None:
        raise Refused(Why.NOT_PLAYER)
    return player


def living(game: Game, by: Who) -> Player:
    player = known(game, by)
    in_play(game)
    if player.fate is not None:
        raise Refused(Why.DEAD, "1.5")
    return player


def name(game: Game, who: Who) -> str:
    return game.players[who].character
