"""Who comes into a running game: another host (CO-HOST), or somebody in a player's place (REPLACE). The new address agrees first."""

from typing import TYPE_CHECKING

from mafiamail.desk.addresses import ask_address, check_asked, check_free, new_secret, read_address
from mafiamail.desk.naming import named, parted
from mafiamail.game.commands import Hear
from mafiamail.game.model import HOST, Game, Stage, Who
from mafiamail.game.refusal import Refused, Why
from mafiamail.letters.compose import role_letter, started
from mafiamail.letters.letter import Facts, Letter
from mafiamail.letters.understand import Line
from mafiamail.store.mailroom import Asked
from mafiamail.store.people import Person

if TYPE_CHECKING:
    from mafiamail.desk.hearing import Hearing

ASKED = ("CO-HOST", "REPLACE")


def ask_cohost(hearing: "Hearing", line: Line) -> Facts:
    """`CO-HOST: address`. Raises Refused, BadLine."""
    address = read_address(hearing, line, line.argument)
    if hearing.game.phase.stage is Stage.OVER:
        raise Refused(Why.OVER)
    return _ask(hearing, "CO-HOST", address, "", "")


def ask_replacement(hearing: "Hearing", line: Line) -> Facts:
    """`REPLACE: Name = address`; of two addresses for one place the later counts. Raises Refused, Unnamed, BadLine."""
    player, written = parted(line, "replace")
    address = read_address(hearing, line, written)
    who = named(hearing, Line(line.keyword, player, line.text), exactly=True)
    _check_place(hearing.game, who)
    return _ask(hearing, "REPLACE", address, who, hearing.game.players[who].character)


def take_back(hearing: "Hearing", address: str, invited: bool) -> Facts:
    """`REJECT: address`: who was asked and has not answered is asked no more; another host is none. Raises Refused."""
    number = hearing.seat.game
    asked = hearing.store.mailroom.take_back(number, address) or invited
    host = next((person for person in hearing.store.people.at(address) if person.game == number and person.is_host), None)
    if host is not None and host.key != HOST:  # who opened the game stays
        _tell_hosts(hearing, number, {"what": "host_gone", "name": "", "address": address, "line": ""})
        hearing.store.people.remove(number, host.key)
        hearing.store.mailroom.withdraw_all(number, ASKED)  # whatever he has asked of anybody
        hearing.store.mailroom.drop(number, host.key)
        hearing.person = None if host.key == hearing.seat.key else hearing.person
    elif not asked:
        raise Refused(Why.NOT_ASKED)
    return {"kind": "taken_back", "address": address}


def _ask(hearing: "Hearing", what: str, address: str, who: Who, name: str) -> Facts:
    number = hearing.seat.game
    check_free(hearing, number, address)
    check_asked(hearing, number, address)
    if who:
        hearing.store.mailroom.withdraw(number, what, who)
    ask_address(hearing, hearing.game, Asked(new_secret(), number, None, address, what, who))
    return {"kind": "address_asked", "address": address, "name": name}


def _check_place(game: Game, who: Who) -> None:
    """Raises Refused where there is no place to give away."""
    if game.phase.stage is Stage.OVER:
        raise Refused(Why.OVER)
    if who not in game.players:
        raise Refused(Why.NOT_PLAYER)
    if not game.players[who].alive:
        raise Refused(Why.TARGET_DEAD, name=game.players[who].character)
    if game.players[who].leaving:
        raise Refused(Why.TARGET_LEAVING, "3.3.2", name=game.players[who].character)


def welcome(hearing: "Hearing", asked: Asked) -> Facts:
    """The address has agreed: whoever answers is of this game from now on, unless that has become impossible."""
    number = asked.game or 0
    hearing.book.advance(number, hearing.mail.arrived)
    try:
        check_free(hearing, number, asked.address)
        return _new_host(hearing, number, asked) if asked.what == "CO-HOST" else _new_player(hearing, number, asked)
    except Refused:
        return {"kind": "no_place", "failed": True}


def _new_host(hearing: "Hearing", number: int, asked: Asked) -> Facts:
    game = hearing.book.game(number)
    if game.phase.stage is Stage.OVER:
        raise Refused(Why.OVER)
    _tell_hosts(hearing, number, {"what": "cohost", "name": "", "address": asked.address, "line": ""})
    key = f"{HOST}-{new_secret()[:8]}"  # nobody else's ever
    hearing.store.guests.forget(number, asked.address)
    hearing.person = Person(number, key, asked.address, game.language, new_secret(), new_secret())
    hearing.store.people.add(hearing.person)
    if game.phase.stage is not Stage.SIGNUP:  # what a host was told at the start
        hearing.own_rows.extend(hearing.book.envelope(hearing.person, letter) for letter in started(game))
    return {"kind": "cohost"}


def _new_player(hearing: "Hearing", number: int, asked: Asked) -> Facts:
    """The seat stays what it is; its address and its secrets are new, and the old ones are nobody's."""
    game, who = hearing.book.game(number), asked.text
    _check_place(game, who)
    old = hearing.store.people.find(number, who)
    if old is None:
        raise Refused(Why.NOT_PLAYER)
    hearing.store.mailroom.put(hearing.book.rows)  # what the clock has just written to this seat goes to its new player, too
    hearing.book.rows.clear()
    hearing.store.guests.forget(number, asked.address)
    hearing.person = hearing.store.people.hand_over(old, asked.address, game.language, new_secret(), new_secret())
    hearing.store.mailroom.hand_over(hearing.person, game.timezone)
    hearing.book.decide(number, who, Hear(), hearing.at)  # 3.1.7
    if game.phase.stage is not Stage.SIGNUP:
        hearing.own_rows.append(hearing.book.envelope(hearing.person, role_letter(game, who, newcomer=True)))
    thanks = hearing.book.to_stranger(old.address, old.language, "replaced", {"name": game.name})
    hearing.own_rows.append(thanks | {"game": number, "answers": False})
    name = game.players[who].character
    _tell_hosts(hearing, number, {"what": "replaced", "name": name, "address": asked.address, "line": ""})
    return {"kind": "took_place", "name": name, "started": game.phase.stage is not Stage.SIGNUP}


def _tell_hosts(hearing: "Hearing", number: int, facts: Facts) -> None:
    hearing.book.send(number, [(hearing.book.game(number), Letter(HOST, "host_news", facts, "host"))])
