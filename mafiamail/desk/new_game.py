"""Reads what stands under `NEW GAME`: lines `key = value` to a Create command, or what is wrong with them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from mafiamail.desk.mistakes import BadLine
from mafiamail.game.commands import Create
from mafiamail.game.deal import PARTIES, parse_composition
from mafiamail.game.model import Settings
from mafiamail.game.setting import NAMES, allowed, read_setting, read_settings
from mafiamail.letters.languages import Languages


@dataclass(frozen=True, slots=True)
class Defaults:
    language: str
    timezone: str
    settings: Settings


def read_new_game(text: str, languages: Languages, defaults: Defaults, seed: str) -> Create:
    """Raises BadLine."""
    values: dict[str, tuple[str, str]] = {}  # key -> (value, line)
    for key, value, line in _pairs(text, languages.new_game_keys):
        if key in values:
            raise BadLine(line, "twice")
        values[key] = value, line
    settings = _settings(values, defaults.settings)
    composition = _composition(values, languages)
    language = _one_of(values, "language", defaults.language, languages.names)
    return Create(
        name=_plain(values, "name", "Mafia" if language == "en" else "Мафия"),
        theme=_plain(values, "theme", ""),
        language=language,
        timezone=_timezone(values, defaults.timezone),
        settings=settings,
        composition=composition,
        seed=seed,
        insist=_one_of(values, "insist", "no", ("yes", "no")) == "yes",
    )


_KEYS = ("name", "theme", "language", "timezone", "party", "composition", "insist", *NAMES)


def _pairs(text: str, keys: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    for line in filter(None, map(str.strip, text.splitlines())):
        key, equals, value = line.partition("=")
        name = keys.get(" ".join(key.lower().split()), key.strip().lower())
        if not equals:
            raise BadLine(line, "no_equals")
        if name not in _KEYS:
            raise BadLine(line, "unknown_key", ", ".join(_KEYS))
        yield name, value.strip(), line


def _settings(values: dict[str, tuple[str, str]], base: Settings) -> Settings:
    named = {key: value for key, value in values.items() if key in NAMES}
    for key, (value, line) in named.items():
        try:
            read_setting(key, value)
        except ValueError as error:
            raise BadLine(line, "one_of", allowed(key)) from error
    return read_settings({key: value for key, (value, _) in named.items()}, base)


def _composition(values: dict[str, tuple[str, str]], languages: Languages) -> tuple[tuple[str, int], ...]:
    if "party" in values and "composition" in values:
        raise BadLine(values["composition"][1], "party_and_composition")
    if "party" in values:
        value, line = values["party"]
        if value not in PARTIES:
            raise BadLine(line, "party", ", ".join(PARTIES))
        return PARTIES[value]
    if "composition" not in values:
        raise BadLine("", "no_composition")
    value, line = values["composition"]
    try:
        return parse_composition(value, languages.role_words)
    except ValueError as error:
        raise BadLine(line, "composition", str(error)) from error


def _plain(values: dict[str, tuple[str, str]], key: str, default: str) -> str:
    value, line = values.get(key, (default, ""))
    if len(value) > 80 or not all(char.isprintable() for char in value) or set(value) & set("[]<>‹›:"):
        raise BadLine(line, "plain")
    return value or default


def _one_of(values: dict[str, tuple[str, str]], key: str, default: str, allowed: tuple[str, ...]) -> str:
    value, line = values.get(key, (default, ""))
    if value.lower() not in allowed:
        raise BadLine(line, "one_of", ", ".join(allowed))
    return value.lower()


def _timezone(values: dict[str, Any], default: str) -> str:
    value, line = values.get("timezone", (default, ""))
    try:
        ZoneInfo(value)
    except (ValueError, OSError) as error:
        raise BadLine(line, "timezone", "Europe/Moscow, Europe/London, UTC") from error
    return str(value)
