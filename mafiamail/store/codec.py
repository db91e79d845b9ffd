"""Events to JSON and back, by the annotations of their classes: a new event needs no line here."""

import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime, timedelta
from enum import Enum
from functools import cache
from typing import Any

from mafiamail.game import events
from mafiamail.game.events import Event

Coder = Callable[[Any], Any]

KINDS: dict[str, type[Any]] = {kind.__name__: kind for kind in typing.get_args(events.Event)}


def encode(value: object) -> Any:
    """A plain JSON value of an event or of anything inside one."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: encode(getattr(value, f.name)) for f in fields(value)}
    match value:
        case Enum():
            return value.value
        case datetime():
            return value.isoformat()
        case timedelta():
            return value.total_seconds()
        case Mapping():
            return {key: encode(item) for key, item in value.items()}
        case list() | tuple():
            return [encode(item) for item in value]
        case set() | frozenset():
            return sorted(encode(item) for item in value)
    return value


def decode(kind: str, body: dict[str, Any]) -> Event:
    """The event that `encode` was given. A field that an older log lacks takes the default of its class."""
    known: Any = KINDS[kind]
    event: Event = _decoder(known)(body)
    return event


@cache
def _decoder(hint: Any) -> Coder:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        inner = _decoder(next(arg for arg in args if arg is not type(None)))
        return lambda value: None if value is None else inner(value)
    if origin is tuple:
        return _tuple_decoder(args)
    if origin is frozenset:
        item = _decoder(args[0])
        return lambda value: frozenset(map(item, value))
    if origin is not None and isinstance(origin, type) and issubclass(origin, Mapping):
        item = _decoder(args[1])
        return lambda value: {key: item(inner) for key, inner in value.items()}
    if isinstance(hint, type) and is_dataclass(hint):
        return _dataclass_decoder(hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint
    if hint is datetime:
        return datetime.fromisoformat
    if hint is timedelta:
        return lambda value: timedelta(seconds=value)
    return lambda value: value


def _tuple_decoder(args: tuple[Any, ...]) -> Coder:
    if len(args) == 2 and args[1] is Ellipsis:
        item = _decoder(args[0])
        return lambda value: tuple(map(item, value))
    items = [_decoder(arg) for arg in args]
    return lambda value: tuple(decoder(inner) for decoder, inner in zip(items, value, strict=True))


def _dataclass_decoder(kind: type[Any]) -> Coder:
    hints = typing.get_type_hints(kind)
    decoders: dict[str, Coder] = {f.name: _decoder(hints[f.name]) for f in fields(kind)}
    return lambda value: kind(**{name: decoders[name](inner) for name, inner in value.items() if name in decoders})
