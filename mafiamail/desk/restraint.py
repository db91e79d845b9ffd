"""Answers are few: no answer that nobody needs, and no two robots that write to each other for ever."""

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from mafiamail.desk.book import Row
from mafiamail.game.model import HOST
from mafiamail.letters.letter import Facts, Letter
from mafiamail.letters.understand import Line, is_reply
from mafiamail.letters.wording import outcome

if TYPE_CHECKING:
    from mafiamail.desk.hearing import Hearing

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
VAIN = 3  # answers in an hour to mail that achieved nothing, where each answers the one before
MOST_HOURS = 8
CONFIRMATIONS = 6  # letters in an hour that ask one address whether a mail was its own
TOLD = frozenset({"told_host", "returned", "help", "rules"})  # nothing changed in the game


def is_owed(hearing: "Hearing") -> bool:
    """Whether this mail gets its receipt."""
    room, now, sender = hearing.store.mailroom, hearing.book.now(), hearing.mail.sender or ""
    vain = outcome(hearing.entries) == "not" or all(entry["kind"] in TOLD for entry in hearing.entries)
    if hearing.person is None and hearing.writer.proved and hearing.writer.seats:
        return True  # a player, who is asked which game he means
    if hearing.person is not None and not hearing.writer.proved:
        return room.said(f"{sender} unproved", now, HOUR) < CONFIRMATIONS
    if hearing.person is None and not hearing.writer.proved:  # the From may be anybody's: one answer a day, whatever it asks
        return hearing.config.strangers == "answer" and room.said(f"{sender} unproved", now, DAY) == 0
    if hearing.person is None and sender not in hearing.config.hosts:
        if not vain:
            return True
        return hearing.config.strangers == "answer" and room.said(f"{sender} {_reason(hearing.entries)}", now, DAY) == 0
    if not vain:
        room.forget(f"vain {sender}")
        return True
    meant = any(isinstance(item, Line) or item.guess for item in hearing.items)  # a keyword, or nearly one: somebody tries to play
    return meant or room.said(f"vain {sender}", now, HOUR) < VAIN or not _takes_turns(hearing)


def _reason(entries: Sequence[Facts]) -> str:
    return " ".join(str(entry.get(part, "")) for entry in entries for part in ("kind", "why", "reason"))


def _takes_turns(hearing: "Hearing") -> bool:
    """Whether this mail answers an answer, as far as it can be seen."""
    answered = hearing.writer.answered
    return answered.answers if answered is not None else bool(hearing.mail.refers_to) or is_reply(hearing.mail.subject)


def asked_later(hearing: "Hearing", address: str) -> timedelta | None:
    """How long the next letter waits that asks this address whether a mail was its own: a few each hour, so that nobody is flooded and
    no vote is lost. None: there have been so many today that somebody must be playing tricks; the host is told."""
    asked = hearing.store.mailroom.said(f"confirm {address}", hearing.book.now(), DAY)
    if hearing.person is None and asked >= CONFIRMATIONS // 2:  # nobody of any game, who never wrote, perhaps
        return None
    if asked < CONFIRMATIONS * MOST_HOURS:
        return HOUR * (asked // CONFIRMATIONS)
    if hearing.person and not hearing.store.mailroom.said(f"flood {address}", hearing.book.now(), DAY):
        game, who = hearing.game, hearing.person.who
        about = game.players[who].character if who in game.players else ""
        facts: Facts = {"what": "flood", "about": about, "detail": ""}
        hearing.book.send(hearing.person.game, [(game, Letter(HOST, "host_trouble", facts, "host"))])
        entry: Facts = {"kind": "flooded", "failed": True}
        told: Facts = {"arrived": hearing.mail.arrived.isoformat(), "entries": [entry], "status": None}
        thread = "host" if hearing.person.is_host else "private"
        hearing.own_rows.append(hearing.book.envelope(hearing.person, Letter(who, "receipt", told, thread)))
    return None


def held_back(hearing: "Hearing", rows: Sequence[Row]) -> None:
    """Answers above the cap of an address wait until its hour is over; not those that tell what a player's command has done."""
    if hearing.writer.proved and outcome(hearing.entries) in ("obeyed", "partly"):
        return
    now, room = hearing.book.now(), hearing.store.mailroom
    for row in rows:
        if row["answers"]:
            count, first = room.answers(row["address"], now - HOUR)
            if count >= hearing.config.answers_per_hour and first is not None:
                row["next_try"] = (first + HOUR).isoformat()
