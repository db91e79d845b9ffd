"""PURGE: what a finished game knew of people is erased; its log, which knows characters alone, stays (5.2)."""

from typing import TYPE_CHECKING

from mafiamail.game.model import Stage
from mafiamail.game.refusal import Refused, Why
from mafiamail.letters.letter import Facts

if TYPE_CHECKING:
    from mafiamail.desk.hearing import Hearing


def check_over(hearing: "Hearing") -> None:
    """Raises Refused."""
    if hearing.game.phase.stage is not Stage.OVER:
        raise Refused(Why.NOT_OVER)


def purge(hearing: "Hearing") -> Facts:
    """Erases all of it, and tells the hosts last, as strangers. Raises Refused."""
    check_over(hearing)
    store, number, name = hearing.store, hearing.seat.game, hearing.game.name
    asker = hearing.seat.key
    people = store.people.of_game(number)
    addresses = {*store.people.addresses(number), *store.guests.addresses(number), *store.mailroom.addresses(number)}
    store.mailroom.erase_game(number)
    store.guests.erase_game(number)
    store.people.erase_game(number)
    elsewhere = {address for address in addresses if store.people.at(address) or store.guests.invitations(address)}
    store.mailroom.erase_addresses(addresses - elsewhere)
    hearing.person = None
    for person in people.values():
        if person.is_host:
            row = hearing.book.to_stranger(person.address, person.language, "purged", {"name": name})
            hearing.own_rows.append(row | {"answers": person.key == asker})
    return {"kind": "purged"}
