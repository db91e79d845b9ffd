"""A letter before it has words: to whom, of what kind, with which facts."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from mafiamail.game import clock, night, vote
from mafiamail.game.model import Fate, Game, Order, OwnRole, Stage, Who

EDITION = 1
"""Grows whenever templates ask for facts that letters did not have before: a letter may wait across an upgrade."""

Facts = dict[str, Any]
"""Plain JSON values; names are characters' names, instants ISO 8601 text in UTC."""


@dataclass(frozen=True, slots=True)
class Letter:
    """`thread` is the conversation that it belongs to: `private`, `host`, or a public one such as `d2` (Day 2)."""

    to: Who
    kind: str
    facts: Facts
    thread: str = "private"

    @property
    def private(self) -> bool:
        return self.thread in ("private", "host")


def gone(game: Game, who: Who, fate: Fate) -> Facts:
    """One who is out without having been killed: how, and by which rule."""
    absent = "3.2.3" if game.settings.variant == "two" else "3.1.7"
    return {"name": game.players[who].character, "fate": fate.value, "rule": absent if fate is Fate.ABSENT else "3.3.2"}


def instant(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def phase_facts(game: Game) -> Facts:
    """Where the game stands: `{stage, number, ends, paused, closing, candidates}`."""
    ends = None if game.phase.stage in (Stage.SIGNUP, Stage.OVER) else instant(clock.ends(game))
    return {
        "stage": game.phase.stage.value,
        "number": game.phase.number,
        "ends": ends,
        "paused": game.paused is not None,
        "closing": _closing(game),
        "candidates": names(game, vote.electable(game)) if game.candidates and game.phase.stage is Stage.DAY else [],  # 1.8
    }


def _closing(game: Game) -> str:
    """By what the running Day or Night ends before its latest end, in the words of `closing` in words.yaml."""
    settings = game.settings
    if game.phase.stage is not Stage.DAY:
        return "orders" if settings.close_early else "time"  # 3.1.8, 3.2.2, 3.3.1
    if settings.variant == "two":
        return "time" if not settings.close_early else "decided" if settings.close_when_decided else "voted"  # 1.9, 3.2.2
    if game.twilight is not None:
        return "twilight" if game.extra is None else "extra time"  # 3.1.3, 3.1.4
    return "before twilight" if settings.close_early or clock.ends(game) is None else "time"


def public_thread(game: Game) -> str:
    """The thread of the running Day; a Night's public letters stay in the thread of the Day before it."""
    return f"d{max(game.phase.number, 1)}"


def in_seat_order(game: Game) -> list[Who]:
    """Everybody who joined, by seat, so that the order of joining tells nothing."""
    return sorted(game.players, key=lambda who: (game.players[who].seat, who))


def living(game: Game) -> list[Who]:
    return [who for who in in_seat_order(game) if game.players[who].alive]


def names(game: Game, people: "list[Who] | tuple[Who, ...]") -> list[str]:
    return [game.players[who].character for who in people]


def own_role(game: Game, who: Who) -> OwnRole | None:
    """The host's own role that this player has (1.3)."""
    return next((role for role in game.own_roles if role.name == game.players[who].role), None)


def keywords(game: Game, who: Who) -> list[str]:
    """What he may write by Night now, in the words of his own role where it has some."""
    return _in_own_words(game, who, night.keywords(game, who))


def nightly(game: Game, who: Who) -> list[str]:
    """What his role may write by Night, whatever the stage is now."""
    power = night.usable(game, game.players[who])
    return _in_own_words(game, who, (power.keyword, "PASS") if power else ())


def _in_own_words(game: Game, who: Who, words: tuple[str, ...]) -> list[str]:
    own = own_role(game, who)
    return [own.keyword if own and own.keyword and word != "PASS" else word for word in words]


def order_word(game: Game, who: Who, keyword: str) -> str:
    """Under which word a letter to him tells of his order: `OWN` for that of a host's own role."""
    return "OWN" if own_role(game, who) and keyword != "PASS" else keyword


def order_facts(game: Game, order: Order) -> Facts:
    return {"keyword": order.keyword, "target": game.players[order.target].character if order.target else None}


def tally_facts(game: Game, tally: "dict[Who, tuple[Who, ...]]") -> list[Facts]:
    return [{"name": game.players[whom].character, "voters": names(game, voters)} for whom, voters in tally.items()]
