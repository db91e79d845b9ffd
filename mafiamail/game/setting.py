"""The settings of the rulebook as a person writes them: in config.yaml, in `NEW GAME`, in the files of `mafiamail resolve`."""

from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import timedelta
from typing import Any, Literal, get_args, get_origin, get_type_hints

from mafiamail.game.duration import format_duration, parse_duration
from mafiamail.game.model import Settings

_TYPES: Mapping[str, Any] = get_type_hints(Settings)
_WORDS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
_NEVER_NOTHING = ("phase_limit", "night_limit", "night_zero", "revote")  # a phase without time would be over before anybody could act

NAMES: tuple[str, ...] = tuple(field.name for field in fields(Settings))
"""Every setting, in the rulebook's order."""


def possible(name: str) -> str:
    """What a setting may be, in its own words alone, for letters in any language: `nobody, revote, random, all`, `0, 1, 2, 3, …`."""
    kind = _TYPES[name]
    if get_origin(kind) is Literal:
        return ", ".join(get_args(kind))
    if kind is bool:
        return "yes, no"
    if kind is int:
        return "0, 1, 2, 3, …"
    lengths = "90m, 36h, 1d12h, …"
    return lengths if name in _NEVER_NOTHING else f"0, {lengths}" if kind is timedelta else f"none, {lengths}"


def allowed(name: str) -> str:
    """The same for the configuration and for files, in English."""
    kind = _TYPES[name]
    if kind is int:
        return "a whole number from 0 up"
    if timedelta not in (kind, *get_args(kind)):
        return possible(name)
    length = "a length of time such as 36h, 90m or 1d12h"
    return f"{length}; not 0" if name in _NEVER_NOTHING else length if kind is timedelta else f"{length}, or none"


def read_setting(name: str, value: object) -> object:
    """The value of the setting `name`, from text or YAML's own types. Raises KeyError (no such), ValueError (what is allowed)."""
    kind = _TYPES[name]
    word = value.strip().lower() if isinstance(value, str) else value
    if get_origin(kind) is Literal and word in get_args(kind):
        return word
    if kind is bool and (isinstance(word, bool) or (isinstance(word, str) and word in _WORDS)):
        return word if isinstance(word, bool) else _WORDS[str(word)]
    if kind is int and not isinstance(word, bool) and str(word).isdecimal() and len(str(word)) < 10:
        return int(str(word))
    if kind is not timedelta and timedelta in get_args(kind) and word in (None, "none"):
        return None
    if timedelta in (kind, *get_args(kind)) and isinstance(word, timedelta):
        return word
    if timedelta in (kind, *get_args(kind)) and (isinstance(word, str) or (word == 0 and not isinstance(word, bool))):
        return _length(name, str(word))
    raise ValueError(f"{value!r} is not possible; allowed: {allowed(name)}")


def read_settings(values: Mapping[str, object], base: Settings | None = None) -> Settings:
    """`base` (the rulebook's defaults if None) with these settings changed. Raises as `read_setting` does, for the first that is wrong."""
    read: dict[str, Any] = {name: read_setting(name, value) for name, value in values.items()}
    settings = replace(in_variant(base or Settings(), read.get("variant")), **read)
    if settings.day_limit is not None and settings.day_limit < (earliest := max(settings.limit_earliest, settings.limit_notice)):  # 3.1.2
        name = next(name for name in (*("day_limit", "limit_earliest", "limit_notice"), "variant") if name in read or name == "variant")
        raise Impossible(name, f"day_limit ≥ {format_duration(earliest)} (3.1.2)")
    return settings


class Impossible(ValueError):
    """Settings that cannot hold together: the one of those given that is to be changed, and what is possible."""

    def __init__(self, name: str, possible: str) -> None:
        super().__init__(f"{name} is not possible so; allowed: {possible}")
        self.name, self.possible = name, possible


def defaults(variant: str) -> Settings:
    """The rulebook's values. The chat variant (3.4) has minutes where the others have hours, and one name for the mafia."""
    plain = Settings()
    if variant != "chat":
        return replace(plain, variant=variant)  # type: ignore[arg-type]
    minutes = {name: getattr(plain, name) / 60 for name in NAMES if isinstance(getattr(plain, name), timedelta)}
    return replace(plain, variant="chat", family_orders="last", **minutes)


def in_variant(base: Settings, variant: str | None) -> Settings:
    """`base` in another variant: what stood at the old variant's default stands at the new one's."""
    if variant is None or variant == base.variant:
        return base
    old, new = defaults(base.variant), defaults(variant)
    return replace(new, **{name: getattr(base, name) for name in NAMES if getattr(base, name) != getattr(old, name)})


def differs(settings: Settings) -> tuple[str, ...]:
    """The settings that are not at their variant's default, by name (4.1)."""
    usual = defaults(settings.variant)
    return tuple(name for name in NAMES if getattr(settings, name) != getattr(usual, name))


def _length(name: str, text: str) -> timedelta:
    try:
        length = parse_duration(text)
    except ValueError:
        length = None
    if length is None or (not length and name in _NEVER_NOTHING):
        raise ValueError(f"{text!r} is not possible; allowed: {allowed(name)}")
    return length
