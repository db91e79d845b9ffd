"""A moment as a host writes it: `14 May 21:00`, `14.05 21:00`, `2026-05-14 21:00`, `14 мая 21:00`, `21:00`, `Thu 14 May, 21:00 MSK`."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone, tzinfo

_TIME = r"(?P<hour>\d{1,2})[:.](?P<minute>\d{2})"
_SHAPES = tuple(
    re.compile(shape + r"(?:[,\s]+(?:at\s+|в\s+)?|t)" + _TIME)
    for shape in (
        r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})",
        r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})(?:\.(?P<year>\d{4}))?",
        r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\s+(?P<word>[^\W\d_]{3,12})\.?(?:\s+(?P<year>\d{4}))?",
        r"(?P<word>[^\W\d_]{3,12})\.?\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(?P<year>\d{4}))?",
    )
)
_ALONE = re.compile(_TIME)
_WEEKDAY = re.compile(r"^[^\W\d_]{2,12}\.?,?\s+(?=\d)")
_ZONE = re.compile(r"(?<=\d)\s*(?P<label>(?:(?:utc|gmt)\s?)?[+-]\d{1,2}(?::?\d{2})?|[a-zа-я]{1,5})$")
_SHIFT = re.compile(r"(?:utc|gmt)?\s?(?P<sign>[+-])(?P<hours>\d{1,2})(?::?(?P<minutes>\d{2}))?")


def month_words(languages: Iterable[Sequence[str]]) -> dict[str, int]:
    """The first three letters of a month's name in every language -> its number."""
    return {name[:3].lower(): number for months in languages for number, name in enumerate(months, start=1)} | {"май": 5}


def read_moment(text: str, now: datetime, zone: tzinfo, months: Mapping[str, int], labels: Mapping[str, str]) -> datetime | None:
    """The moment in that zone; without a year, or without a day, the next one from `now` on. None: it is no moment.

    A zone behind it may be UTC, a distance from it, or this zone's own name at that moment, as letters show it (`labels`: what letters
    call a zone, in lower case -> its name); any other might be meant otherwise than it is read, and makes it no moment.
    """
    written = " ".join(text.lower().split())
    label = _ZONE.search(written)
    if label is None:
        return _read(written, now.astimezone(zone), months)
    name = labels.get(label["label"], label["label"])
    shift = _shift(name)
    moment = _read(written[: label.start()], now.astimezone(zone if shift is None else shift), months)
    if moment is None or shift is not None:
        return moment
    return next((one for one in (moment, moment.replace(fold=1)) if (one.tzname() or "").lower() == name.lower()), None)


def _shift(name: str) -> timezone | None:
    """UTC itself, or a distance from it."""
    if name.lower() in ("utc", "gmt", "z"):
        return UTC
    found = _SHIFT.fullmatch(name)
    if found is None or int(found["hours"]) > 14 or int(found["minutes"] or 0) > 59:
        return None
    length = timedelta(hours=int(found["hours"]), minutes=int(found["minutes"] or 0))
    return timezone(-length if found["sign"] == "-" else length)


def _read(written: str, here: datetime, months: Mapping[str, int]) -> datetime | None:
    if alone := _ALONE.fullmatch(written):
        return _next_time(here, int(alone["hour"]), int(alone["minute"]))
    for spelling in (written, _WEEKDAY.sub("", written)):
        for shape in _SHAPES:
            if found := shape.fullmatch(spelling):
                return _dated(found.groupdict(), here, months)
    return None


def _dated(parts: Mapping[str, str | None], here: datetime, months: Mapping[str, int]) -> datetime | None:
    """Without a year: this one's, unless that is long past. A date of last week is meant, and too early; one of last year is not."""
    word = parts.get("word")
    month = months.get(word[:3], 0) if word else int(parts["month"] or 0)
    year, day, hour, minute = (int(parts.get(name) or 0) for name in ("year", "day", "hour", "minute"))
    for candidate in (year,) if year else (here.year, here.year + 1):
        try:
            moment = datetime(candidate, month, day, hour, minute, tzinfo=here.tzinfo)
        except ValueError:  # 31.02, 25:00
            continue
        if year or moment > here - timedelta(days=7):
            return moment
    return None


def _next_time(here: datetime, hour: int, minute: int) -> datetime | None:
    if hour > 23 or minute > 59:
        return None
    moment = here.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return moment if moment > here else moment + timedelta(days=1)
