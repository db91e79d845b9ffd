"""What a role is, and all that there are: those of the project, found by looking into `roles`, and a host's own (1.3)."""

import importlib
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from mafiamail.game.model import Game, OwnRole
from mafiamail.game.power import Power


@dataclass(frozen=True, slots=True)
class Role:
    """A role by its rulebook name."""

    name: str
    side: str
    power: Power | None = None
    family: bool = False  # hears the family talk of its side
    pistol: bool = False  # 2.13
    uses: int = 0  # how often in a game; 0: without end
    lone: bool = False  # each of them is a side of its own (1.12)

    @property
    def special(self) -> bool:
        """Every role but citizen."""
        return self.name != "citizen"


def _found() -> Mapping[str, Role]:
    package = importlib.import_module("mafiamail.game.roles")
    modules = [importlib.import_module(f"{package.__name__}.{found.name}") for found in pkgutil.iter_modules(package.__path__)]
    roles: list[Role] = [module.ROLE for module in modules]
    return {role.name: role for role in sorted(roles, key=_order)}


def _order(role: Role) -> tuple[int, bool, str]:
    """By the step in which they act, citizens last, the first family first."""
    steps = list(type(role.power.step)) if role.power else []
    return (steps.index(role.power.step) if role.power else 99, role.side.startswith("alternative"), role.name)


_NONE = Role("", "")


def named(game: Game, name: str) -> Role:
    """The role of that name in this game; one without side or power before the start."""
    role = ROLES.get(name)
    if role is not None:
        return role
    return own(game.own_roles).get(name, _NONE)


@lru_cache(maxsize=64)
def own(roles: tuple[OwnRole, ...]) -> Mapping[str, Role]:
    """A host's own roles (1.3). KeyError when a power is unknown."""
    return {
        role.name: Role(role.name, role.side, POWERS[role.power] if role.power else None, role.family, role.pistol, role.uses, role.lone)
        for role in roles
    }


def every(own_roles: tuple[OwnRole, ...] = ()) -> Mapping[str, Role]:
    """All roles that a composition may name."""
    return {**ROLES, **own(own_roles)} if own_roles else ROLES


def killer(game: Game, side: str) -> str:
    """The role that a recruit of this side takes (2.18): the one that names the family's victim."""
    for role in every(game.own_roles).values():
        if role.side == side and role.power is not None and role.power.shared:
            return role.name
    return ""


# The role files need what stands above.
ROLES: Mapping[str, Role] = _found()
POWERS: Mapping[str, Power] = {role.power.step.value: role.power for role in ROLES.values() if role.power}
