"""Settings as people read and write them."""

from datetime import timedelta
from typing import Any

from mafiamail.game.duration import format_duration
from mafiamail.game.model import Game, OwnRole, Settings
from mafiamail.game.role import ROLES
from mafiamail.game.setting import defaults, differs


def shown(value: object) -> str:
    """A setting's value as it is written in `NEW GAME`: `48h`, `true`, `none`."""
    match value:
        case bool():
            return "true" if value else "false"
        case timedelta():
            return format_duration(value)
        case None:
            return "none"
    return str(value)


def differing(settings: Settings) -> list[list[str]]:
    """4.1: every setting that is not the default, as `[name, value]`."""
    return [[name, shown(getattr(settings, name))] for name in differs(settings)]


def intervals(variant: str) -> tuple[str, ...]:
    """The settings by which time runs in a variant, announced with the call for players (3.1.1)."""
    if variant == "two":
        return ("phase_limit", "absence")
    return ("twilight", "extra_time", "limit_notice", "limit_earliest", "night_limit", "absence")


def rules(game: Game | None) -> dict[str, Any]:
    """What the page of rules tells of one game, or of games as they usually are: `{own, times, tie, …}`."""
    if game is None:
        times = [_times(defaults(variant)) for variant in ("two", "one", "chat")]
        usual = Settings()
        return {"own": False, "times": times, "roles": list(ROLES), "own_roles": [], "differs": [], **_told(usual)}
    return {
        "own": True,
        "times": [_times(game.settings)],
        "roles": [role for role, _ in game.composition],
        "own_roles": [own_role(role) for role in game.own_roles],
        "differs": differing(game.settings),
        **_told(game.settings),
    }


def _times(settings: Settings) -> dict[str, Any]:
    lengths = {name: format_duration(getattr(settings, name)) for name in ("twilight", "extra_time", "phase_limit")}
    return {"variant": settings.variant, "absence": absence(settings), **lengths}


def _told(settings: Settings) -> dict[str, Any]:
    return {"tie": settings.tie, "victory": settings.victory, "family_orders": settings.family_orders, "reveal": settings.reveal}


def absence(settings: Settings) -> list[Any]:
    """After how much silence somebody is out (3.1.7, 3.2.3): `[variant, number]`; 0: never."""
    return [settings.variant, settings.absence]


def own_role(role: OwnRole) -> dict[str, Any]:
    """1.3: what everybody is told of a host's own role."""
    return {"name": role.name, "side": role.side, "can": dict(role.letters), "power": role.power, "pistol": role.pistol}
