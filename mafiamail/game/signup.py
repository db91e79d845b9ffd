"""From the call for players to the start: what may be asked before the first phase."""

import re
from datetime import datetime
from functools import lru_cache

from mafiamail.game import checks, clock, commands, deal
from mafiamail.game.events import (
    CharacterChanged,
    Created,
    Joined,
    LeaveAsked,
    LuckTried,
    PhaseBegan,
    SettingChanged,
    Started,
    Withdrew,
)
from mafiamail.game.model import Fate, Game, Stage, Who
from mafiamail.game.refusal import Refused, Why
from mafiamail.game.setting import NAMES, Impossible, possible, read_settings

NAME_MOST = 40  # 5.2: not too long
_SIGNS = re.compile("[:：<>@‹›]")


def create(game: Game, by: Who, command: commands.Create, at: datetime) -> checks.Events:
    checks.by_host(by)
    if game.seed:
        raise Refused(Why.STARTED)
    deal.check_composition(command.composition, command.insist, command.own_roles)
    return (
        Created(
            at,
            command.name,
            command.theme,
            command.language,
            command.timezone,
            command.settings,
            command.composition,
            command.seed,
            command.own_roles,
        ),
    )


def join(game: Game, by: Who, command: commands.Join, at: datetime) -> checks.Events:
    if game.phase.stage is not Stage.SIGNUP:
        raise Refused(Why.STARTED)
    character = " ".join(command.character.split())
    if not _nameable(command.character, character):
        raise Refused(Why.NAME_BAD, "5.2", name=character[:NAME_MOST], most=NAME_MOST)
    if _key(character) in {_key(player.character) for who, player in game.players.items() if who != command.who}:
        raise Refused(Why.NAME_TAKEN, "5.2", name=character)
    if command.who in game.players:  # 5.1
        player = game.players[command.who]
        same = (player.character, player.description) == (character, command.description)
        return () if same else (CharacterChanged(at, command.who, character, command.description),)
    if len(game.players) >= deal.size(game.composition):
        raise Refused(Why.FULL, players=deal.size(game.composition))
    return (Joined(at, command.who, character, command.description, command.digest),)


def _nameable(name: str, squeezed: str) -> bool:
    """One line with a letter or digit in it, that cannot be taken for a seat or for a command."""
    if not 0 < len(squeezed) <= NAME_MOST or not squeezed.isprintable() or _SIGNS.search(squeezed) or len(name.strip().splitlines()) != 1:
        return False
    return any(map(str.isalnum, squeezed)) and not squeezed.lower().removeprefix("mafia").isdigit()


@lru_cache(maxsize=1024)
def _key(name: str) -> str:
    """Names that a reader would take for one another have the same key."""
    return "".join(sign for sign in name.casefold().replace("ё", "е") if sign.isalnum())


def try_luck(game: Game, by: Who, command: commands.TryLuck, at: datetime) -> checks.Events:
    """The seed is sealed, so nobody can choose what comes of it; two players with one digest could not be told apart in the deal."""
    player = checks.known(game, by)
    if game.phase.stage is not Stage.SIGNUP:
        raise Refused(Why.STARTED)
    if player.digest == command.digest:
        return ()
    if command.digest in {other.digest for other in game.players.values()}:
        raise Refused(Why.LUCK_TAKEN, "1.4")
    return (LuckTried(at, by, command.digest),)


def change_setting(game: Game, by: Who, command: commands.ChangeSetting, at: datetime) -> checks.Events:
    """3.1.1: before the game, never during it."""
    checks.by_host(by)
    if game.phase.stage is not Stage.SIGNUP:
        raise Refused(Why.STARTED, "3.1.1")
    if command.name not in NAMES:
        raise Refused(Why.SETTING, name="", allowed=", ".join(NAMES))
    try:
        settings = read_settings({command.name: command.value}, game.settings)
    except Impossible as error:
        raise Refused(Why.SETTING, "3.1.2", name=command.name, allowed=error.possible) from None
    except ValueError:
        raise Refused(Why.SETTING, name=command.name, allowed=possible(command.name)) from None
    return () if settings == game.settings else (SettingChanged(at, command.name, settings),)


def leave(game: Game, by: Who, command: commands.Leave, at: datetime) -> checks.Events:
    player = checks.known(game, by)
    if game.phase.stage is Stage.SIGNUP:
        return (Withdrew(at, by),)
    checks.living(game, by)
    return () if player.leaving is not None else (LeaveAsked(at, by, Fate.LEFT),)  # 3.3.2


def start(game: Game, by: Who, command: commands.Start, at: datetime) -> checks.Events:
    checks.by_host(by)
    if game.phase.stage is not Stage.SIGNUP:
        raise Refused(Why.STARTED)
    need = deal.size(game.composition)
    if not need or len(game.players) != need:
        raise Refused(Why.PLAYERS, "1.1", have=len(game.players), need=need)
    seats, roles = deal.dealt(game)
    started = Started(at, seats, roles)
    if deal.dossier_first(game.composition, game.settings, game.own_roles):  # 2.16
        return (started, PhaseBegan(at, Stage.ZERO, 0))
    return tuple(clock.first(clock.Course(game).then(started), at).events)
