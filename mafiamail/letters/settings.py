"""Settings as people read and write them."""

from datetime import timedelta
from typing import Any

from mafiamail.game.duration import format_duration
from mafiamail.game.model import Game, Settings
from mafiamail.game.setting import differs


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


def rules(game: Game) -> dict[str, Any]:
    """What the rules of one game tell beside those of all games."""
    settings = game.settings
    return {
        "variant": settings.variant,
        "tie": settings.tie,
        "family_orders": settings.family_orders,
        "reveal": settings.reveal,
        "last_words": bool(settings.last_words),
        "roles": [role for role, _ in game.composition],
        "differs": differing(settings),
    }
