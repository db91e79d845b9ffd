"""Answers are few: no answer that nobody needs, and no two robots that write to each other for ever."""

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from mafiamail.desk.book import Row
from mafiamail.letters.letter import Facts
from mafiamail.letters.understand import is_reply
from mafiamail.letters.wording import outcome

if TYPE_CHECKING:
    from mafiamail.desk.hearing import Hearing

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
VAIN = 3  # answers in an hour to mail that achieved nothing, where each answers the one before
CONFIRMATIONS = 6  # letters in an hour that ask one address whether a mail was its own
TOLD = frozenset({"told_host", "returned", "help", "rules"})  # nothing changed in the game


def is_owed(hearing: "Hearing") -> bool:
    """Whether this mail gets its receipt."""
    room, now, sender = hearing.store.mailroom, hearing.book.now(), hearing.mail.sender or ""
    vain = outcome(hearing.entries) == "not" or all(entry["kind"] in TOLD for entry in hearing.entries)
    if hearing.person is None and sender not in hearing.config.hosts:
        if not vain:
            return True
        return hearing.config.strangers == "answer" and room.said(f"{sender} {_reason(hearing.entries)}", now, DAY) == 0
    if not vain:
        room.forget(f"vain {sender}")
        return True
    return room.said(f"vain {sender}", now, HOUR) < VAIN or not _takes_turns(hearing)


def _reason(entries: Sequence[Facts]) -> str:
    return " ".join(str(entry.get(part, "")) for entry in entries for part in ("kind", "why", "reason", "line"))


def _takes_turns(hearing: "Hearing") -> bool:
    """Whether this mail answers an answer, as far as it can be seen."""
    answered = hearing.writer.answered
    return answered.answers if answered is not None else bool(hearing.mail.refers_to) or is_reply(hearing.mail.subject)


def may_ask(hearing: "Hearing", address: str) -> bool:
    """Whether this address may be asked once more if a mail is its own."""
    return hearing.store.mailroom.said(f"confirm {address}", hearing.book.now(), HOUR) < CONFIRMATIONS


def held_back(hearing: "Hearing", rows: Sequence[Row]) -> None:
    """Answers above the cap of an address wait until its hour is over."""
    now, room = hearing.book.now(), hearing.store.mailroom
    for row in rows:
        if row["answers"]:
            count, first = room.answers(row["address"], now - HOUR)
            if count >= hearing.config.answers_per_hour and first is not None:
                row["next_try"] = (first + HOUR).isoformat()
