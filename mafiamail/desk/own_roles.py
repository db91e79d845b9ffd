"""A host's own roles (1.3), made of existing powers: as `NEW GAME` writes them, and the keywords that they bring into a game."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mafiamail.desk.mistakes import BadLine
from mafiamail.game.model import Game, OwnRole
from mafiamail.game.role import POWERS, ROLES
from mafiamail.letters.understand import KINDS, Keywords, looks_like_command

KEYS = ("name", "side", "power", "keyword", "uses", "family", "pistol", "lone", "can")
MOST = 40


class RoleLine(NamedTuple):
    """One `role = name: guard, side: town, power: heal, uses: 2, keyword: GUARD, can: …` under NEW GAME."""

    value: str
    line: str


def read_role(given: RoleLine, spellings: Mapping[str, str]) -> OwnRole:
    """`spellings`: a word for a key or a value, in lower case -> its English one. Raises BadLine."""
    values = _values(given, spellings)
    if not values.get("name"):
        raise BadLine(given.line, "role", ", ".join(KEYS))
    power = _power(values, given.line)
    return OwnRole(
        name=" ".join(values["name"].lower().split()),
        side=values.get("side", "town"),
        power=power,
        family=_yes(values, "family", given.line) or power == "family kill",
        pistol=_yes(values, "pistol", given.line),
        uses=_uses(values, given.line),
        lone=_yes(values, "lone", given.line),
        keyword=" ".join(values.get("keyword", "").upper().split()),
        letters=(("", values["can"]),) if values.get("can") else (),
    )


def _values(given: RoleLine, spellings: Mapping[str, str]) -> dict[str, str]:
    """Key and value between commas; `can` takes the rest of the line, commas and all."""
    values: dict[str, str] = {}
    rest = given.value
    while rest.strip():
        part, _, after = rest.partition(",")
        word, colon, value = part.partition(":")
        key = spellings.get(" ".join(word.lower().split()), word.strip().lower())
        if not colon or key not in KEYS or key in values:
            raise BadLine(given.line, "role", ", ".join(KEYS))
        if key == "can":
            return values | {"can": rest.partition(":")[2].strip()}
        plain = " ".join(value.split())
        values[key] = plain if key in ("name", "keyword") else spellings.get(plain.lower(), plain.lower())
        rest = after
    return values


def _power(values: Mapping[str, str], line: str) -> str:
    power = values.get("power", "")
    if power not in ("", *POWERS):
        raise BadLine(line, "one_of", ", ".join(POWERS))
    return power


def _yes(values: Mapping[str, str], key: str, line: str) -> bool:
    value = values.get(key, "no")
    if value not in ("yes", "no"):
        raise BadLine(line, "one_of", "yes, no")
    return value == "yes"


def _uses(values: Mapping[str, str], line: str) -> int:
    uses = values.get("uses", "0")
    if not uses.isdecimal() or len(uses) > 3:
        raise BadLine(line, "one_of", "0, 1, 2, 3, …")
    return int(uses)


def check_roles(roles: Sequence[OwnRole], words: Keywords, lines: Mapping[str, str]) -> None:
    """Names, sides, keywords and texts that letters can show. `lines`: role -> the line it came from. Raises BadLine."""
    seen: set[str] = set()
    for role in roles:
        line = lines.get(role.name, role.name)
        if not all(map(_plain, (role.name, role.side))) or role.name in ROLES or role.name in seen:
            raise BadLine(line, "role_name", ", ".join(ROLES))
        seen.add(role.name)
        if role.keyword and not (role.power and _plain(role.keyword) and role.keyword not in seen and words.find(role.keyword) is None):
            raise BadLine(line, "role_keyword", role.keyword)
        seen.add(role.keyword)
        if any(looks_like_command(text, words) or len(text) > 400 or not text.isprintable() for _, text in role.letters):
            raise BadLine(line, "role_text")


def _plain(text: str) -> bool:
    return 0 < len(text) <= MOST and all(sign.isalpha() or sign in " -" for sign in text)


def used(roles: Sequence[OwnRole], composition: Sequence[tuple[str, int]]) -> tuple[OwnRole, ...]:
    """Those of the roles that a composition names."""
    names = {name for name, _ in composition}
    return tuple(role for role in roles if role.name in names)


def with_own(spellings: Mapping[str, Sequence[str]], game: Game) -> Keywords | None:
    """The keywords of all languages and this game's own ones; None where it has none of its own."""
    own = [role.keyword for role in game.own_roles if role.keyword]
    if not own:
        return None
    return Keywords({**spellings, **{keyword: (keyword,) for keyword in own}}, {**KINDS, **dict.fromkeys(own, "name")})


def own_keywords(game: Game) -> set[str]:
    return {role.keyword for role in game.own_roles if role.keyword}


def meant(game: Game, who: str, keyword: str) -> str:
    """The power's keyword for the own one of this player's role; any other as it is (and the rules refuse it)."""
    role = next((role for role in game.own_roles if role.name == game.players[who].role), None)
    return POWERS[role.power].keyword if role and role.power and role.keyword == keyword else keyword
