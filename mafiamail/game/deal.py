"""Compositions (1.1, 1.2, 4.4) and the sealed deal: roles and seats from the seed and the players' digests."""

import re
from collections.abc import Iterable, Mapping

from mafiamail.game import draw
from mafiamail.game.model import Game, OwnRole, Settings, Who
from mafiamail.game.refusal import Refused, Why
from mafiamail.game.role import POWERS, ROLES, Role, every

Composition = tuple[tuple[str, int], ...]
"""(role, how many), citizens last."""

FEWEST, MOST = 6, 20  # 1.1


def _party(citizens: int, mafia: int, *singles: str) -> Composition:
    return (("mafia", mafia), *((role, 1) for role in singles), ("citizen", citizens))


_PLAIN = ("doctor", "commissar")
_FULL = ("doctor", "commissar", "priest", "maniac")

PARTIES: Mapping[str, Composition] = {  # 4.4
    "1": _party(4, 3, *_PLAIN),
    "2": _party(6, 3, *_PLAIN),
    "3": _party(7, 3, *_PLAIN),
    "4": _party(7, 3, *_PLAIN),
    "5": _party(7, 4, *_PLAIN),
    "6": _party(7, 3, *_FULL),
    "7": _party(8, 4, *_FULL),
    "8": _party(6, 3, "priest", "maniac", "commissar"),
    "9": _party(7, 4, *_FULL),
    "10": _party(7, 3, *_FULL),
    "11": _party(5, 2, *_PLAIN),
    "unnumbered": _party(8, 4, *_PLAIN),
    "12": _party(6, 4, *_FULL),
    "13": (("mafia", 3), ("alternative mafia", 3), ("doctor", 1), ("commissar", 1), ("priest", 1), ("citizen", 4)),
    "14": _party(8, 4, *_FULL),
    "15": _party(7, 4, *_PLAIN),
    "16": _party(10, 5, "doctor", "commissar", "priest", "necromancer"),
    "17": _party(9, 4, "doctor", "commissar", "priest", "recruiter"),
    "18": _party(7, 3, *_FULL),
    "19": _party(7, 3, *_FULL),
}


def size(composition: Iterable[tuple[str, int]]) -> int:
    """How many players it takes."""
    return sum([number for _, number in composition])


def recorded(players: int) -> tuple[str, ...]:
    """The recorded parties for that many players, by number."""
    return tuple(party for party, composition in PARTIES.items() if size(composition) == players)


def parse_composition(text: str, words: Mapping[str, str] | None = None) -> Composition:
    """`3 mafia, doctor, commissar, 7 citizens`. `words`: lower-case spelling -> role, in addition to the rulebook's own names.

    Refused (COMPOSITION, problem "words", part=…) for a part that names no role.
    """
    found: dict[str, int] = {}
    for part in re.split(r"[,;+\n]", text):
        match = re.fullmatch(r"\s*(?:(\d{1,3})\s*[x×х]?\s)?\s*(\D+?)\s*(?:[x×х]\s*(\d{1,3}))?\s*", part)
        role = _role(match.group(2), words or {}) if match else None
        if match is None or role is None:
            raise Refused(Why.COMPOSITION, "1.4", problem="words", part=" ".join(part.split())[:60], have=0, limit=0)
        found[role] = found.get(role, 0) + int(match.group(1) or match.group(3) or 1)
    return ordered(found.items())


def _role(words: str, spellings: Mapping[str, str]) -> str | None:
    word = " ".join(words.lower().split())
    for one in (word, word.removesuffix("s"), word.replace("ё", "е")):
        if one in spellings:
            return spellings[one]
        if one in every():
            return one
    return None


def ordered(composition: Iterable[tuple[str, int]]) -> Composition:
    """The same in the order in which it is announced: citizens last."""
    return tuple(sorted(composition, key=lambda entry: entry[0] == "citizen"))


def check_composition(composition: Composition, insist: bool = False, own_roles: tuple[OwnRole, ...] = ()) -> None:
    """Refused (COMPOSITION) where 1.1, 1.2 or 1.4 forbid it. To insist sets 1.1 and 1.2 aside."""
    if any(own.name in ROLES or own.power not in ("", *POWERS) for own in own_roles):  # 1.3
        raise Refused(Why.COMPOSITION, "1.3", problem="roles", have=size(composition), limit=0)
    roles = every(own_roles)
    players = size(composition)
    if any(role not in roles or number < 1 for role, number in composition) or _sides(composition, roles) < 2:
        raise Refused(Why.COMPOSITION, "1.4", problem="roles", have=players, limit=0)
    if players > 99 or (not insist and not FEWEST <= players <= MOST):
        raise Refused(Why.COMPOSITION, "1.1", problem="players", have=players, limit=MOST if players > MOST else FEWEST)
    families: dict[str, int] = {}
    for role, number in composition:
        if roles[role].family:
            families[roles[role].side] = families.get(roles[role].side, 0) + number
    for have in families.values():
        if not insist and 3 * have > players:
            raise Refused(Why.COMPOSITION, "1.2", problem="family", have=have, limit=players // 3)


def _sides(composition: Composition, roles: Mapping[str, Role]) -> int:
    """How many sides there are; each maniac is one."""
    together = {roles[role].side for role, _ in composition if not roles[role].lone}
    return len(together) + sum(number for role, number in composition if roles[role].lone)


def deal(seed: str, digests: Mapping[Who, str], composition: Composition) -> tuple[dict[Who, str], dict[Who, str]]:
    """Seats and roles by player.

    The key of the deal is the text of the seed, a colon, and all digests sorted and joined by commas. The players stand in the order
    of their digests; the stream "seats" of draw.py shuffles them, and the first sits at mafia01. The roles of the composition, each as
    often as it stands there and in the order of their names, are shuffled by the stream "roles" and dealt in the order of the seats.
    """
    whole = key_of(seed, digests.values())
    order = draw.shuffled(whole, "seats", sorted(digests, key=lambda who: (digests[who], who)))
    cards = draw.shuffled(whole, "roles", [role for role, number in sorted(composition) for _ in range(number)])
    seats = {who: f"mafia{place:02d}" for place, who in enumerate(order, start=1)}
    return seats, dict(zip(order, cards, strict=True))


def key(game: Game) -> str:
    """The key of this game's deal, from which every later lot is drawn too."""
    return key_of(game.seed, [player.digest for player in game.players.values()])


def key_of(seed: str, digests: Iterable[str]) -> str:
    return seed + ":" + ",".join(sorted(digests))


def dossier_first(composition: Composition, settings: Settings, own_roles: tuple[OwnRole, ...] = ()) -> bool:
    """2.16: whether somebody is to get a dossier in night zero."""
    roles = every(own_roles)
    if settings.zero_night_dossier == "never" or not any(_checks(roles[role]) for role, _ in composition):
        return False
    if settings.zero_night_dossier == "always":
        return True
    mafia = sum(number for role, number in composition if roles[role].family and roles[role].side == "mafia")
    return (size(composition), mafia) in ((6, 2), (9, 3))


def _checks(role: Role) -> bool:
    return role.power is not None and role.power.step.value == "check"


def dealt(game: Game) -> tuple[dict[Who, str], dict[Who, str]]:
    """The deal of this game as it stands: seats and roles."""
    return deal(game.seed, {who: player.digest for who, player in game.players.items()}, game.composition)
