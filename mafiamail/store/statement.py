"""Queries that are asked for every mail, turned from peewee into SQL once: to do it anew costs more than SQLite takes to answer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from peewee import Value

from mafiamail.store.tables import database


@dataclass(frozen=True, slots=True)
class _Given:
    name: str


def given(name: str) -> Any:
    """Stands in a query for a value that comes with each call."""
    return Value(_Given(name), converter=False)


class Statement:
    """`query` makes the peewee query; it is asked for at the first call, when the database is known."""

    def __init__(self, query: Callable[[], Any]) -> None:
        self._query = query
        self._made: dict[type[Any], tuple[str, list[Any]]] = {}  # one for each kind of database

    def __call__(self, **values: object) -> Any:
        """A cursor."""
        kind = type(database.obj)
        if kind not in self._made:
            self._made[kind] = self._query().sql()
        sql, parameters = self._made[kind]
        return database.execute_sql(sql, [values[value.name] if isinstance(value, _Given) else value for value in parameters])

    def row(self, **values: object) -> Sequence[Any] | None:
        """The first row, if there is one."""
        found: Sequence[Any] | None = self(**values).fetchone()
        return found
