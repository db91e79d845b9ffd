"""Reads what stands under `NEW GAME`: lines `key = value` to a Create command, or what is wrong with them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from mafiamail.desk.mistakes import BadLine, BadLines
from mafiamail.desk.own_roles import RoleLine, check_roles, read_role, used
from mafiamail.game.commands import Create
from mafiamail.game.deal import PARTIES, Composition, parse_composition, recorded, size
from mafiamail.game.model import OwnRole, Settings
from mafiamail.game.refusal import Refused
from mafiamail.game.setting import NAMES, Impossible, possible, read_setting, read_settings
from mafiamail.letters.languages import Languages
from mafiamail.letters.understand import Keywords


@dataclass(frozen=True, slots=True)
class Defaults:
    language: str
    timezone: str
    settings: Settings
    own_roles: tuple[OwnRole, ...] = ()


class Proposal(NamedTuple):
    """Only a number of players was given: which recorded parties there are for it, equal ones together."""

    players: int
    parties: tuple[tuple[tuple[str, ...], Composition], ...]


Values = dict[str, tuple[str, str]]
"""Key -> (value, line)."""


class Opening(NamedTuple):
    """A game to be opened, and whether anybody may join it."""

    create: Create
    public: bool


def read_new_game(text: str, languages: Languages, words: Keywords, defaults: Defaults, seed: str) -> Opening | Proposal:
    """Raises BadLine, or BadLines where several lines are wrong; Refused."""
    wrong: list[BadLine] = []
    values, lines = _values(text, languages, wrong)
    players, own_roles = None, defaults.own_roles
    with _noting(wrong):
        players = _players(values)
    with _noting(wrong):
        own_roles = _own_roles(lines, languages, words, defaults.own_roles)
    settings = _settings(values, defaults.settings, wrong)
    if players and not wrong and not values.keys() & {"party", "composition"}:
        return propose(players)
    composition: Composition = ()
    with _noting(wrong):
        composition = _composition(values, languages, own_roles)
        check_roles(used(own_roles, composition), words, {})
        if players not in (None, size(composition)):
            raise BadLine(values["players"][1], "players", str(size(composition)))
    opening = _opening(
        values, languages, defaults, Create("", "", "", "", settings, composition, seed, own_roles=used(own_roles, composition)), wrong
    )
    if len(wrong) > 1:
        raise BadLines(wrong)
    if wrong:
        raise wrong[0]
    return opening


@contextmanager
def _noting(wrong: list[BadLine]) -> Iterator[None]:
    """What is wrong with one line keeps nobody from reading the others."""
    try:
        yield
    except BadLine as error:
        wrong.append(error)


def _values(text: str, languages: Languages, wrong: list[BadLine]) -> tuple[Values, list[RoleLine]]:
    """The lines by key, and those of the host's own roles."""
    values: Values = {}
    roles: list[RoleLine] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        with _noting(wrong):
            key, value = _pair(line, languages.new_game_keys)
            if key in NAMES or key == "party":
                value = languages.setting_values.get(" ".join(value.lower().split()), value)
            if key == "role":
                roles.append(RoleLine(value, line))
            elif key in values:
                raise BadLine(line, "twice")
            else:
                values[key] = value, line
    return values, roles


def _opening(values: Values, languages: Languages, defaults: Defaults, create: Create, wrong: list[BadLine]) -> Opening:
    """The rest of it: what a game is called, in which language and zone, and who may join."""
    public = True
    with _noting(wrong):
        create = replace(create, language=_one_of(values, "language", defaults.language, languages.names))
    with _noting(wrong):
        create = replace(create, name=_plain(values, "name", "Мафия" if create.language == "ru" else "Mafia"))
    with _noting(wrong):
        create = replace(create, theme=_plain(values, "theme", ""))
    with _noting(wrong):
        create = replace(create, timezone=_timezone(values, defaults.timezone))
    with _noting(wrong):
        create = replace(create, insist=_one_of(values, "insist", "no", ("yes", "no", "да", "нет")) in ("yes", "да"))
    with _noting(wrong):
        public = _one_of(values, "signup", "public", (*PUBLIC, *INVITED)) in PUBLIC
    return Opening(create, public)


_KEYS = ("name", "theme", "language", "timezone", "party", "composition", "players", "role", "insist", "signup", *NAMES)
PUBLIC, INVITED = ("public", "открытая"), ("invited", "по приглашениям")


def propose(players: int) -> Proposal:
    parties: dict[Composition, tuple[str, ...]] = {}
    for number in recorded(players):
        parties[PARTIES[number]] = (*parties.get(PARTIES[number], ()), number)
    return Proposal(players, tuple((numbers, composition) for composition, numbers in parties.items()))


def _players(values: Values) -> int | None:
    if "players" not in values:
        return None
    value, line = values["players"]
    if not value.isdecimal() or len(value) > 3:
        raise BadLine(line, "one_of", ", ".join(map(str, sorted(set(map(size, PARTIES.values()))))))
    return int(value)


def _own_roles(lines: list[RoleLine], languages: Languages, words: Keywords, base: tuple[OwnRole, ...]) -> tuple[OwnRole, ...]:
    """Those of the configuration, and those of this NEW GAME, which go before them."""
    roles = {given: read_role(given, languages.own_role_words) for given in lines}
    check_roles(tuple(roles.values()), words, {role.name: given.line for given, role in roles.items()})
    named = {role.name for role in roles.values()}
    return (*roles.values(), *(role for role in base if role.name not in named))


def _pair(line: str, keys: Mapping[str, str]) -> tuple[str, str]:
    key, equals, value = line.partition("=")
    name = keys.get(" ".join(key.lower().split()), key.strip().lower())
    if not equals:
        raise BadLine(line, "no_equals")
    if name not in _KEYS:
        raise BadLine(line, "unknown_key", ", ".join(_KEYS))
    return name, value.strip()


def _settings(values: Values, base: Settings, wrong: list[BadLine]) -> Settings:
    named = {}
    for key, (value, line) in values.items():
        if key in NAMES:
            try:
                read_setting(key, value)
                named[key] = value
            except ValueError:
                wrong.append(BadLine(line, "one_of", possible(key)))
    try:
        return read_settings(named, base)
    except Impossible as error:
        wrong.append(BadLine(values.get(error.name, ("", ""))[1], "one_of", error.possible))
        return base


def _composition(values: Values, languages: Languages, own_roles: tuple[OwnRole, ...]) -> Composition:
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
        return parse_composition(value, {**languages.role_words, **{role.name: role.name for role in own_roles}})
    except Refused as error:
        raise BadLine(line, "composition", str(error.facts.get("part", ""))) from error


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
    except (ValueError, OSError, KeyError) as error:  # an unknown zone is a KeyError
        raise BadLine(line, "timezone", "Europe/Moscow, Europe/London, UTC") from error
    return str(value)
