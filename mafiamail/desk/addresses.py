"""Addresses that a host writes: whoever has one is asked first, in a letter of its own, and not often."""

import re
import secrets
from datetime import timedelta
from typing import TYPE_CHECKING

from mafiamail.desk.mistakes import BadLine
from mafiamail.game.model import Game
from mafiamail.game.refusal import Refused, Why
from mafiamail.letters.letter import Facts
from mafiamail.letters.shape import DECORATION
from mafiamail.letters.understand import Line
from mafiamail.mail.identity import normal
from mafiamail.store.mailroom import Asked

if TYPE_CHECKING:
    from mafiamail.desk.hearing import Hearing

MOST = 3  # letters in a day that one address gets because a host has named it
MOST_OF_A_GAME = 200  # and that all of them get together
DAY = timedelta(days=1)
_LINKED = re.compile(r"<mailto:[^<>]*>", re.IGNORECASE)


def read_address(hearing: "Hearing", line: Line, written: str) -> str:
    """Raises BadLine."""
    bare = _LINKED.sub("", written).strip(DECORATION + ".,;<>").removeprefix("mailto:")
    address, (local, _, domain) = normal(bare), hearing.config.mail.address.lower().partition("@")
    if address is None or re.fullmatch(re.escape(local) + r"(?:\+.*)?@" + re.escape(domain), address):
        raise BadLine(line.text, "address")
    return address


def is_inside(hearing: "Hearing", number: int, address: str) -> bool:
    """Whether it plays or hosts in this game, as the first address or another one."""
    return any(person.game == number for person in hearing.store.people.at(address))


def check_free(hearing: "Hearing", number: int, address: str) -> None:
    """Nobody plays twice, and no host plays. Raises Refused."""
    if is_inside(hearing, number, address):
        raise Refused(Why.ADDRESS_TAKEN)


def said_enough(hearing: "Hearing", number: int, address: str) -> bool:
    """Whether the address has had its letters of this day; counts one more."""
    room, now = hearing.store.mailroom, hearing.book.now()
    return room.said(f"named {address}", now, DAY) >= MOST or room.said(f"named {number}", now, DAY) >= MOST_OF_A_GAME


def check_asked(hearing: "Hearing", number: int, address: str) -> None:
    """Raises Refused where the address has had its letters of this day."""
    if said_enough(hearing, number, address):
        raise Refused(Why.ALREADY_ASKED)


def ask_address(hearing: "Hearing", game: Game, asked: Asked) -> None:
    """The letter whose answer makes it so; nobody in the game is its writer, so that an answer that is no yes obeys nothing."""
    hearing.store.mailroom.ask(asked, hearing.book.now())
    facts: Facts = {"what": asked.what, "lines": [game.name], "arrived": hearing.mail.arrived.isoformat()}
    row = hearing.book.to_stranger(asked.address, game.language, "confirm", facts, asked.token)
    hearing.own_rows.append(row | {"game": asked.game, "answers": False})


def new_secret() -> str:
    return secrets.token_hex(10)
