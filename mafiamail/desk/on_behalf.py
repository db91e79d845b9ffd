"""What a host writes for a player: the rules decide as if that player had sent it, and that player is told."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from mafiamail.desk import playing
from mafiamail.desk.mistakes import BadLine
from mafiamail.desk.naming import named, parted
from mafiamail.desk.own_roles import meant, own_keywords
from mafiamail.game.model import Who
from mafiamail.game.refusal import Refused
from mafiamail.letters.letter import Facts, Letter
from mafiamail.letters.receipt import status
from mafiamail.letters.understand import Line, order_in

if TYPE_CHECKING:
    from mafiamail.desk.hearing import Hearing

SECRET = ("ordered", "shoot_ahead")


def vote_for(hearing: "Hearing", line: Line) -> Facts:
    """`VOTE FOR: Name = Name`. Raises Refused, Unnamed, BadLine."""
    voter, wanted = parted(line, "vote_for")
    who = _named(hearing, line, voter)
    whom = _named(hearing, line, wanted)
    return _write(hearing, who, lambda: playing.vote(hearing, who, whom), "vote")


def order_for(hearing: "Hearing", line: Line) -> Facts:
    """`ORDER FOR: Name = KEYWORD Name`, or `= PASS`. Raises Refused, Unnamed, BadLine."""
    player, wanted = parted(line, "order_for")
    known = [*sorted(playing.ORDERS), "SHOOT", "PASS", *sorted(own_keywords(hearing.game))]
    found = order_in(wanted, hearing.words)
    keyword, target = found or ("", "")
    if keyword not in known or bool(target) is (keyword == "PASS"):
        raise BadLine(line.text, "order_for")
    who = _named(hearing, line, player)
    whom = None if keyword == "PASS" else _named(hearing, line, target)
    if keyword == "SHOOT" and whom is not None:
        shot: Who = whom
        return _write(hearing, who, lambda: playing.shoot(hearing, who, shot), "shoot")
    keyword = meant(hearing.game, who, keyword)
    return _write(hearing, who, lambda: playing.order(hearing, who, keyword, whom), keyword.lower())


def _named(hearing: "Hearing", line: Line, argument: str) -> Who:
    """Keeps what was guessed of a name before this one."""
    earlier = hearing.guessed
    who = named(hearing, replace(line, argument=argument))
    if earlier:
        hearing.guessed = {part: f"{text}, {hearing.guessed[part]}" for part, text in earlier.items()} if hearing.guessed else earlier
    return who


def _write(hearing: "Hearing", who: Who, obey: Callable[[], Facts], did: str) -> Facts:
    """Raises Refused, with `on_behalf`: it is the player whom the reason speaks to."""
    try:
        entry = obey()
    except Refused as error:
        raise Refused(error.why, error.rule, **error.facts, on_behalf=who) from error
    _tell(hearing, who, entry)
    facts: Facts = {"kind": "written_for", "who": hearing.game.players[who].character, "did": did, "name": entry["name"]}
    return facts | {"locked": bool(entry.get("locked"))}


def _tell(hearing: "Hearing", who: Who, entry: Facts) -> None:
    """A letter in the shape of his own receipt: an order stands below the line there too."""
    person = hearing.store.people.find(hearing.seat.game, who)
    if person is None:
        return
    first = {"kind": "by_host_secret" if entry["kind"] in SECRET else "by_host"}
    facts: Facts = {"arrived": hearing.mail.arrived.isoformat(), "entries": [first, entry], "status": status(hearing.game, who)}
    hearing.own_rows.append(hearing.book.envelope(person, Letter(who, "receipt", facts)))
