"""Who comes into a game before its start, as far as the host decides it: INVITE, APPROVE, REJECT."""

import re
from typing import TYPE_CHECKING

from mafiamail.desk import joining, newcomers
from mafiamail.desk.addresses import check_free, is_inside, read_address, said_enough
from mafiamail.desk.mistakes import BadLine
from mafiamail.desk.naming import meant_among, named
from mafiamail.game.commands import Remove
from mafiamail.game.model import HOST, Stage, Who
from mafiamail.game.refusal import Refused, Why
from mafiamail.letters.compose import created, signup_facts
from mafiamail.letters.letter import Facts, Letter, in_seat_order, names
from mafiamail.letters.names import NoSuchName, find
from mafiamail.letters.receipt import status
from mafiamail.letters.understand import Line
from mafiamail.store.guests import Guest

if TYPE_CHECKING:
    from mafiamail.desk.hearing import Hearing

MOST = 50  # addresses on one line


def invite(hearing: "Hearing", line: Line) -> Facts:
    """`INVITE: address, address, …`. Raises Refused, BadLine."""
    number, game = hearing.seat.game, hearing.game
    addresses = _addresses(hearing, line)
    if game.phase.stage is not Stage.SIGNUP:
        raise Refused(Why.STARTED)
    sent, unsent = [], []
    for address in addresses:
        if is_inside(hearing, number, address) or said_enough(hearing, number, address):
            unsent.append(address)
            continue
        sent.append(address)
        guest = hearing.store.guests.find(number, address) or Guest(number, address, True)
        hearing.store.guests.keep(guest._replace(invited=True))
        facts: Facts = {"name": game.name, "id": number, **created(game), **signup_facts(game)}
        _write(hearing, address, game.language, "invitation", facts)
    return {"kind": "invited", "sent": sent, "unsent": unsent}


def _addresses(hearing: "Hearing", line: Line) -> list[str]:
    """Written with commas, blanks, names and brackets, as mail programs write them. Raises BadLine."""
    parts = re.split("[,;]", re.sub(r"<mailto:[^<>]*>", " ", line.argument))
    written = [one for part in parts for one in (re.findall(r"<([^<>]+)>", part) or part.split())]
    addresses = list(dict.fromkeys(read_address(hearing, line, one) for one in written))
    if not 0 < len(addresses) <= MOST:
        raise BadLine(line.text, "addresses", str(MOST))
    return addresses


def approve(hearing: "Hearing", line: Line) -> Facts:
    """`APPROVE: Name`: who applies is in, as if that mail had been a JOIN of somebody invited. Raises Refused, Unnamed."""
    found = _named(hearing, line)
    if isinstance(found, str):
        return {"kind": "approved", "name": hearing.game.players[found].character, "already": True}
    number = hearing.seat.game
    check_free(hearing, number, found.address)
    person, facts = joining.admit(hearing, number, None, found)
    hearing.store.guests.keep(Guest(number, found.address, True))
    receipt = {"arrived": found.arrived, "entries": [facts | {"held": False}], "status": status(hearing.game, person.who)}
    hearing.own_rows.append(hearing.book.envelope(person, Letter(person.who, "receipt", receipt), answers=True))
    return {"kind": "approved", "name": found.character, "already": False}


def reject(hearing: "Hearing", line: Line) -> Facts:
    """`REJECT: Name`, before the start; an address in its place takes back what was asked of it. Raises Refused, Unnamed, BadLine."""
    if "@" in line.argument:
        return _take_back(hearing, read_address(hearing, line, line.argument))
    found = _named(hearing, line, exactly=True)
    if hearing.game.phase.stage is not Stage.SIGNUP:
        raise Refused(Why.STARTED)
    if isinstance(found, Guest):
        _decline(hearing, found)
        return {"kind": "rejected", "name": found.character, "again": False}
    return _send_back(hearing, found)


def _take_back(hearing: "Hearing", address: str) -> Facts:
    """Who applies from there is told."""
    guest = hearing.store.guests.find(hearing.seat.game, address)
    if guest is not None and guest.character:
        _decline(hearing, guest)
    hearing.store.guests.forget(hearing.seat.game, address)
    return newcomers.take_back(hearing, address, guest is not None)


def _send_back(hearing: "Hearing", who: Who) -> Facts:
    """5.1: the host can ask for another character; its player may come back with one."""
    number, name = hearing.seat.game, hearing.game.players[who].character
    person = hearing.store.people.find(number, who)
    hearing.book.decide(number, HOST, Remove(who), hearing.at)
    hearing.store.people.remove(number, who)
    if person is not None:
        hearing.store.guests.keep(Guest(number, person.address, True))
        _write(hearing, person.address, person.language, "declined", {"name": hearing.game.name, "character": name, "again": True})
    return {"kind": "rejected", "name": name, "again": True}


def decline_the_rest(hearing: "Hearing") -> None:
    """The game begins without those who still wait."""
    for guest in hearing.store.guests.applications(hearing.seat.game):
        _decline(hearing, guest)


def _decline(hearing: "Hearing", guest: Guest) -> None:
    hearing.store.guests.keep(Guest(guest.game, guest.address, guest.invited))
    facts = {"name": hearing.game.name, "character": guest.character, "again": False}
    _write(hearing, guest.address, hearing.game.language, "declined", facts)


def _write(hearing: "Hearing", address: str, language: str, kind: str, facts: Facts) -> None:
    """To somebody who is not in the game; an answer finds it."""
    number = hearing.seat.game
    row = hearing.book.to_stranger(address, language, kind, facts, f"g{number}")
    hearing.own_rows.append(row | {"game": number, "answers": False})


def _named(hearing: "Hearing", line: Line, exactly: bool = False) -> Guest | Who:
    """Who applies under that name, else who has joined; `exactly`: where no guess will do. Raises Unnamed."""
    waiting = {guest.address: guest for guest in hearing.store.guests.applications(hearing.seat.game)}
    called = {address: (guest.character, "") for address, guest in waiting.items()}
    if isinstance(find(line.argument, called), NoSuchName):
        return named(hearing, line, exactly)
    everybody = [*(guest.character for guest in waiting.values()), *names(hearing.game, in_seat_order(hearing.game))]
    return waiting[meant_among(hearing, line, called, everybody, exactly)]
