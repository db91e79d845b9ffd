"""The part of config.yaml under `roles`: roles of the operator's own (1.3), each made of an existing power."""

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from mafiamail.game.model import OwnRole
from mafiamail.game.role import POWERS, ROLES

MOST = 40  # letters of a name, a side, a keyword


def _power(value: str) -> str:
    if value not in POWERS:
        raise ValueError(f"{value!r} is no power; allowed: {', '.join(POWERS)}")
    return value


def _wordy(text: str) -> bool:
    return 0 < len(text.strip()) <= MOST and all(sign.isalpha() or sign in " -" for sign in text)


Text = Annotated[str, Field(min_length=1, strict=True)]
Power = Annotated[str, AfterValidator(_power)]


class OwnRolePart(BaseModel):
    """A role; its name is its key. `letters`: what it can do, by language."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    side: Text = "town"
    power: Power | None = None
    keyword: Text | None = None
    uses: Annotated[int, Field(ge=0, le=99, strict=True)] = 0
    family: bool = False
    pistol: bool = False
    lone: bool = False
    letters: Mapping[str, Text] = {}

    @model_validator(mode="after")
    def _makes_sense(self) -> Self:
        if not _wordy(self.side) or self.side != self.side.lower():
            raise ValueError(f"side: {self.side!r} is no side; allowed: town, mafia, alternative mafia, maniac, or your own in lower case")
        if self.keyword and not (self.power and _wordy(self.keyword)):
            raise ValueError(f"keyword: {self.keyword!r} is not possible; allowed: words of letters, for a role that has a power")
        return self

    def as_role(self, name: str) -> OwnRole:
        return OwnRole(
            name=name,
            side=self.side,
            power=self.power or "",
            family=self.family or self.power == "family kill",
            pistol=self.pistol,
            uses=self.uses,
            lone=self.lone,
            keyword=" ".join((self.keyword or "").upper().split()),
            letters=tuple(self.letters.items()),
        )


def named(roles: Mapping[str, OwnRolePart]) -> Mapping[str, OwnRolePart]:
    """The same, if each name can be one."""
    for name in roles:
        if name != " ".join(name.lower().split()) or not _wordy(name) or name in ROLES:
            raise ValueError(f"{name!r} is no name for a role of your own; allowed: lower-case words, none of {', '.join(ROLES)}")
    return roles
