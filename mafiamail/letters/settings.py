"""Settings as people read and write them."""

from datetime import timedelta

from mafiamail.game.duration import format_duration
from mafiamail.game.model import Settings
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
