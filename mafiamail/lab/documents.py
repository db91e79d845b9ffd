"""The YAML documents of `mafiamail resolve`, read strictly: what is not understood is refused with its line."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq, TaggedScalar
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from mafiamail.game.duration import parse_duration
from mafiamail.game.model import OwnRole, Settings
from mafiamail.game.role import every
from mafiamail.game.setting import NAMES, read_setting, read_settings


class BadCase(ValueError):
    """A file that cannot be read as a case. `line` counts from 1; `reason` is for a person."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line, self.reason = line, reason


Orders = tuple[tuple[str, str | None], ...]
"""(who, target or None for a pass), in order of arrival."""


@dataclass(frozen=True, slots=True)
class People:
    """Names with their roles, the living and the dead, in the order of the file."""

    living: Mapping[str, str]
    dead: Mapping[str, str]
    own_roles: tuple[OwnRole, ...] = ()  # the host's (1.3), which they may have beside the rulebook's


@dataclass(frozen=True, slots=True)
class NightCase:
    people: People
    orders: Orders
    settings: Settings


@dataclass(frozen=True, slots=True)
class DayEvent:
    """`at` from the beginning of the Day; a vote (who, whom or None for no one), or a host limit."""

    at: timedelta
    vote: tuple[str, str | None] | None = None
    limit: timedelta | None = None


@dataclass(frozen=True, slots=True)
class DayCase:
    people: People
    happened: tuple[DayEvent, ...]
    settings: Settings


@dataclass(frozen=True, slots=True)
class GamePhase:
    """A Day's votes and shots, or a Night's orders."""

    line: int
    night: bool
    sent: Orders
    shots: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GameCase:
    people: People
    phases: tuple[GamePhase, ...]
    settings: Settings


@dataclass(frozen=True, slots=True)
class Document:
    """One document: its title, if it has one, and what it asks."""

    title: str | None
    case: NightCase | DayCase | GameCase


def read(text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The YAML documents of a text that are not empty, each with the line on which it begins."""
    yaml = YAML(typ="rt", pure=True)
    try:
        for node in yaml.load_all(text):
            if node is None:
                continue
            if not isinstance(node, CommentedMap):
                raise BadCase(_first_line(node), "a document is a mapping with one of night, day, game")
            yield node.lc.line + 1, node
    except MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        raise BadCase(mark.line + 1 if mark else 1, f"not YAML: {problem.problem or problem.context}") from None
    except BadCase:
        raise
    except (YAMLError, RecursionError, ValueError, LookupError, TypeError, AttributeError) as problem:  # whatever a tag makes ruamel do
        raise BadCase(1, f"not YAML that can be read: {problem}") from None


def _first_line(node: object) -> int:
    position = getattr(node, "lc", None)
    return position.line + 1 if position is not None else 1


def documents(text: str, own_roles: tuple[OwnRole, ...] = ()) -> Iterator[Document]:
    """Every document of the text, understood; `own_roles`: those of the host (1.3). Raises BadCase."""
    for line, node in read(text):
        kinds = [kind for kind in _KINDS if kind in node]
        if len(kinds) != 1:
            raise BadCase(line, "a document has exactly one of night, day, game")
        case = _KINDS[kinds[0]](_mapping(node, kinds[0]), own_roles)
        title = node.get("case")
        yield Document(None if title is None else str(title).encode("utf-8", "replace").decode(), case)


# Shapes


def _line(node: Any, key: object) -> int:
    """Where an entry of a mapping or sequence stands."""
    try:
        return int(node.lc.key(key)[0] if isinstance(node, CommentedMap) else node.lc.item(key)[0]) + 1
    except (AttributeError, KeyError, TypeError, IndexError):
        return _first_line(node)


def _known(node: Mapping[str, Any], *names: str) -> None:
    for key in node:
        if key not in names:
            raise BadCase(_line(node, key), f"unknown key {key!r}; here stand {', '.join(names)}")


def _mapping(node: Mapping[str, Any], key: str) -> CommentedMap:
    value = node.get(key)
    if value is None:
        empty = CommentedMap()
        empty.lc.line, empty.lc.col = _line(node, key) - 1, 0
        return empty
    if not isinstance(value, CommentedMap):
        raise BadCase(_line(node, key), f"{key} is a mapping")
    return value


def _sequence(node: Mapping[str, Any], key: str) -> list[tuple[int, Any]]:
    """The items of a list with their lines."""
    value = node.get(key)
    if value is None:
        return []
    if not isinstance(value, CommentedSeq):
        raise BadCase(_line(node, key), f"{key} is a list")
    return [(_line(value, place), item) for place, item in enumerate(value)]


def _name(value: object, line: int) -> str:
    if isinstance(value, TaggedScalar):
        value = value.value
    if isinstance(value, bool) or not isinstance(value, str | int) or not (name := str(value).strip()) or not name.isprintable():
        raise BadCase(line, f"{value!r} is no name")
    return name


def _length(value: object, line: int) -> timedelta:
    try:
        return parse_duration(str(value))
    except ValueError as problem:
        raise BadCase(line, str(problem)) from None


def _role(value: object, line: int, own_roles: tuple[OwnRole, ...]) -> str:
    role, roles = " ".join(str(value).lower().split()), every(own_roles)
    if role not in roles:
        raise BadCase(line, f"there is no role {value!r}; there are {', '.join(roles)}")
    return role


def _roles(node: Mapping[str, Any], key: str, own_roles: tuple[OwnRole, ...]) -> dict[str, str]:
    """{name: role}, or a list of names, who are citizens."""
    value = node.get(key)
    found: dict[str, str] = {}
    if isinstance(value, CommentedSeq):
        entries = [(line, item, "citizen") for line, item in _sequence(node, key)]
    else:
        entries = [(_line(value, name), name, role) for name, role in _mapping(node, key).items()]
    for line, written, role in entries:
        name = _name(written, line)
        if name.lower() == "pass":
            raise BadCase(line, f"nobody can be called {name!r}: as a target it means an order to do nothing (2.15)")
        if name in found:
            raise BadCase(line, f"{name} stands here twice")
        found[name] = _role(role, line, own_roles)
    return found


def _people(node: Mapping[str, Any], own_roles: tuple[OwnRole, ...]) -> People:
    if "players" not in node:
        raise BadCase(_first_line(node), "players are missing")
    people = People(_roles(node, "players", own_roles), _roles(node, "dead", own_roles), own_roles)
    for name in people.dead:
        if name in people.living:
            raise BadCase(_line(node["dead"], name), f"{name} is both living and dead")
    return people


def _settings(node: Mapping[str, Any]) -> Settings:
    written = _mapping(node, "settings")
    values = dict(written)
    for name, value in written.items():
        _setting(name, value, _line(written, name))
    if "variant" in node:
        values["variant"] = node["variant"]
        _setting("variant", node["variant"], _line(node, "variant"))
    try:
        return read_settings(values)
    except ValueError as problem:
        raise BadCase(_first_line(written or node), f"settings: {problem}") from None


def _setting(name: object, value: object, line: int) -> None:
    if name not in NAMES:
        raise BadCase(line, f"there is no setting {name!r}; there are {', '.join(NAMES)}")
    try:
        read_setting(str(name), value)
    except ValueError as problem:
        raise BadCase(line, f"{name}: {problem}") from None


def _one_of(people: People, value: object, line: int) -> str:
    name = _name(value, line)
    if name not in people.living and name not in people.dead:
        raise BadCase(line, f"{name!r} is none of the players")
    return name


def _pairs(node: Mapping[str, Any], key: str) -> list[tuple[int, Any, Any]]:
    """{who: whom} or [[who, whom], …], with lines."""
    value = node.get(key)
    if not isinstance(value, CommentedSeq):
        return [(_line(value, who), who, whom) for who, whom in _mapping(node, key).items()]
    found = []
    for line, item in _sequence(node, key):
        if not isinstance(item, CommentedSeq) or len(item) != 2:
            raise BadCase(line, f"an entry of {key} is [who, whom]")
        found.append((line, item[0], item[1]))
    return found


def _orders(node: Mapping[str, Any], key: str, people: People) -> Orders:
    return tuple((_one_of(people, who, line), _target(people, whom, line)) for line, who, whom in _pairs(node, key))


def _target(people: People, value: object, line: int) -> str | None:
    if isinstance(value, str) and value.strip().lower() == "pass":
        return None
    return _one_of(people, value, line)


def _votes(node: Mapping[str, Any], key: str, people: People) -> tuple[tuple[str, str | None], ...]:
    pairs = _pairs(node, key)
    return tuple((_one_of(people, who, line), None if whom is None else _one_of(people, whom, line)) for line, who, whom in pairs)


# The three kinds


def _night(node: CommentedMap, own_roles: tuple[OwnRole, ...]) -> NightCase:
    _known(node, "players", "dead", "orders", "settings")
    people = _people(node, own_roles)
    return NightCase(people, _orders(node, "orders", people), _settings(node))


def _day(node: CommentedMap, own_roles: tuple[OwnRole, ...]) -> DayCase:
    _known(node, "variant", "players", "dead", "events", "settings")
    people = _people(node, own_roles)
    happened: list[DayEvent] = []
    for line, item in _sequence(node, "events"):
        event = _day_event(item, line, people)
        if happened and event.at < happened[-1].at:
            raise BadCase(line, "events stand in order of time")
        happened.append(event)
    return DayCase(people, tuple(happened), _settings(node))


def _day_event(item: object, line: int, people: People) -> DayEvent:
    if not isinstance(item, CommentedMap) or "at" not in item or ("vote" in item) == ("limit" in item):
        if isinstance(item, CommentedMap):
            _known(item, "at", "vote", "limit")
        raise BadCase(line, "an event is {at: duration, vote: [who, whom]} or {at: duration, limit: duration}")
    _known(item, "at", "vote", "limit")
    at = _length(item["at"], line)
    if "limit" in item:
        return DayEvent(at, limit=_length(item["limit"], line))
    pair = item["vote"]
    if not isinstance(pair, CommentedSeq) or len(pair) != 2:
        raise BadCase(line, "a vote is [who, whom]")
    whom = None if pair[1] is None else _one_of(people, pair[1], line)
    return DayEvent(at, vote=(_one_of(people, pair[0], line), whom))


def _game(node: CommentedMap, own_roles: tuple[OwnRole, ...]) -> GameCase:
    _known(node, "variant", "players", "dead", "settings", "phases")
    people = _people(node, own_roles)
    phases = tuple(_phase(item, line, people) for line, item in _sequence(node, "phases"))
    return GameCase(people, phases, _settings(node))


def _phase(item: object, line: int, people: People) -> GamePhase:
    if not isinstance(item, CommentedMap) or ("day" in item) == ("night" in item):
        raise BadCase(line, "a phase is {day: {who: whom}, shoot: {who: whom}} or {night: {who: target | pass}}")
    if "night" in item:
        _known(item, "night")
        return GamePhase(line, True, _orders(item, "night", people))
    _known(item, "day", "shoot")
    shots = {who: whom for who, whom in _votes(item, "shoot", people) if whom is not None}
    return GamePhase(line, False, _votes(item, "day", people), shots)


_KINDS: Mapping[str, Callable[[CommentedMap, tuple[OwnRole, ...]], NightCase | DayCase | GameCase]] = {
    "night": _night,
    "day": _day,
    "game": _game,
}
