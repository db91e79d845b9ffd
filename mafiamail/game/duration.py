"""Lengths of time as the rulebook writes them: `36h`, `90m`, `1d12h`, `27h30m`; in Russian letters too: `36ч`, `1д12ч`."""

import re
from datetime import timedelta

_UNITS = {"d": timedelta(days=1), "h": timedelta(hours=1), "m": timedelta(minutes=1), "s": timedelta(seconds=1)}
_WHOLE = re.compile(
    r"(?:(\d{1,4})(?:d|days?|д|дн|день|дня|дней|сут|суток))?(?:(\d{1,5})(?:h|hours?|ч|час|часа|часов))?"
    r"(?:(\d{1,6})(?:m|min|minutes?|м|мин|минут[аы]?))?(?:(\d{1,7})(?:s|с|сек))?"
)


def parse_duration(text: str) -> timedelta:
    """`text` as a length of time; `0` is none at all. Raises ValueError with what is allowed."""
    compact = text.strip().lower().replace(" ", "")
    if compact == "0":
        return timedelta(0)
    match = _WHOLE.fullmatch(compact)
    if match is None or not compact:
        raise ValueError(f"{text!r} is no length of time; write it as 36h, 90m, 1d12h or 27h30m")
    return sum((int(number) * unit for number, unit in zip(match.groups(), _UNITS.values(), strict=True) if number), timedelta(0))


def format_duration(length: timedelta) -> str:
    """The shortest such text: `48h`, `27h30m`, `90s`."""
    seconds = int(length.total_seconds())
    hours, minutes, rest = seconds // 3600, seconds % 3600 // 60, seconds % 60
    parts = [f"{number}{unit}" for number, unit in ((hours, "h"), (minutes, "m"), (rest, "s")) if number]
    return "".join(parts) or "0"
