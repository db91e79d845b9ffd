"""Which zone somebody means: a name of the IANA database in any case, a city alone, or a distance from UTC."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, available_timezones

from mafiamail.desk.mistakes import BadLine
from mafiamail.letters.letter import Facts
from mafiamail.letters.understand import Line

if TYPE_CHECKING:
    from mafiamail.desk.hearing import Hearing

EXAMPLES = "Europe/Moscow, Berlin, UTC+3"
_OFFSET = re.compile(r"(?:utc|gmt)?\s?([+-])\s?(\d{1,2})(?::?([0-5]\d))?")
_MONTHS = tuple(datetime(2024, month, 1, tzinfo=UTC) for month in range(1, 13))
WEST, EAST = 12 * 60, 14 * 60  # minutes; nobody lives farther from UTC


def keep_zone(hearing: "Hearing", line: Line) -> Facts:
    """`TIMEZONE: Europe/Moscow`: from now on the times in letters to him are told in it. Raises BadLine."""
    zone = read_zone(line.argument, hearing.languages.zone_words)
    if zone is None:
        raise BadLine(line.text, "timezone", EXAMPLES)
    hearing.person = hearing.store.people.change(hearing.seat, timezone=zone)
    return {"kind": "timezone", "zone": zone, "now": hearing.book.now().isoformat()}


def read_zone(text: str, spellings: Mapping[str, str]) -> str | None:
    """The zone as wording.zone_of knows it. `spellings`: further names, in lower case, of IANA zones."""
    written = " ".join(re.sub(r"[−–—]", "-", text.lower().replace("_", " ")).split())
    if match := _OFFSET.fullmatch(written):
        return _distance(match[1], int(match[2]), int(match[3] or 0))
    return spellings.get(written) or _named().get(written)


def _distance(sign: str, hours: int, minutes: int) -> str | None:
    if hours * 60 + minutes > (EAST if sign == "+" else WEST):
        return None
    return f"UTC{sign}{hours:02}:{minutes:02}" if hours or minutes else "UTC"


@cache
def _named() -> Mapping[str, str]:
    """Every zone by its whole name, and by its city where that means one zone (or several that keep the same time)."""
    names = sorted(available_timezones() - {"Factory", "localtime"})
    cities: dict[str, list[str]] = {}
    for name in names:
        if "/" in name:
            cities.setdefault(_plain(name.rpartition("/")[2]), []).append(name)
    alone = {city: zones[0] for city, zones in cities.items() if len(zones) == 1 or len(set(map(_year, zones))) == 1}
    return alone | {_plain(name): name for name in names}


def _plain(name: str) -> str:
    return name.lower().replace("_", " ")


def _year(name: str) -> tuple[object, ...]:
    zone = ZoneInfo(name)
    return tuple(moment.astimezone(zone).utcoffset() for moment in _MONTHS)
