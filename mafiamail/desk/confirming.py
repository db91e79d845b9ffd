"""What waits until a letter is answered: what cannot be taken back, and what nothing proves."""

import json
import re
import secrets
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from mafiamail.config import Config
from mafiamail.desk import joining, newcomers, purging, restraint
from mafiamail.desk.book import Book, Row
from mafiamail.game.commands import End, Leave, Remove
from mafiamail.game.model import HOST, Stage, Who
from mafiamail.game.refusal import Refused, Why
from mafiamail.letters.letter import Facts, Letter
from mafiamail.letters.understand import Line, from_subject, read_lines
from mafiamail.store import Store
from mafiamail.store.mailroom import Asked
from mafiamail.store.people import Person

if TYPE_CHECKING:
    from mafiamail.desk.hearing import Hearing


def ask(hearing: "Hearing", what: str, lines: Sequence[str], text: str) -> str:
    """Sends the letter whose answer makes it so; goes to the registered address, never to where a mail asks for it."""
    token = secrets.token_hex(10)
    address = hearing.person.address if hearing.person else hearing.mail.sender or ""
    later = restraint.asked_later(hearing, address) if what == "UNPROVED" else timedelta(0)
    if later is None:
        return "unproved"
    game = hearing.number or joining.named_game(hearing)
    asked = Asked(token, game, hearing.key, address, what, text)
    hearing.store.mailroom.ask(asked, hearing.book.now())
    facts: Facts = {"what": what, "lines": list(lines), "arrived": hearing.mail.arrived.isoformat()}
    if hearing.person is None:
        row = hearing.book.to_stranger(address, hearing.language, "confirm", facts, token)
    else:
        letter = Letter(hearing.person.who, "confirm", facts, "host" if hearing.person.is_host else "private")
        row = hearing.book.envelope(hearing.person, letter, answers=True) | {"reply_token": token}
    hearing.own_rows.append(row | {"next_try": (hearing.book.now() + later).isoformat()})
    return "unproved" if what == "UNPROVED" else "asked"


def ask_for_proof(hearing: "Hearing", lines: Sequence[str]) -> str:
    """Nothing proves who wrote: the whole text waits."""
    return ask(
        hearing, "UNPROVED", lines, json.dumps([from_subject(hearing.mail.subject, hearing.mail.commands_text), hearing.certain_text])
    )


def ask_to_link(store: Store, book: Book, person: Person, address: str) -> Row:
    """A mail with a seat's secret came from elsewhere: whether that is his too, only the known address can say."""
    token = secrets.token_hex(10)
    store.mailroom.ask(Asked(token, person.game, person.key, person.address, "LINK", address), book.now())
    facts: Facts = {"what": "LINK", "lines": [address], "arrived": book.now().isoformat()}
    letter = Letter(person.who, "confirm", facts, "host" if person.is_host else "private")
    return book.envelope(person, letter, answers=True) | {"reply_token": token}


def ask_to_leave(hearing: "Hearing") -> Facts:
    if not hearing.game.players[hearing.seat.who].alive:
        raise Refused(Why.DEAD, "3.3.2")
    if hearing.game.players[hearing.seat.who].leaving:
        return {"kind": "leaving"}
    ask(hearing, "LEAVE", [], "")
    return {"kind": "confirm_sent", "what": "LEAVE"}


def ask_to_end(hearing: "Hearing") -> Facts:
    ask(hearing, "END", [], "")
    return {"kind": "confirm_sent", "what": "END"}


def ask_to_purge(hearing: "Hearing", line: Line) -> Facts:
    """Letters that are lost with the rest are counted before it. Raises Refused."""
    purging.check_over(hearing)
    unsent = hearing.store.mailroom.unsent(hearing.seat.game)
    ask(hearing, "PURGE", [str(unsent)] if unsent else [], "")
    return {"kind": "confirm_sent", "what": "PURGE"}


def ask_to_remove(hearing: "Hearing", whom: Who) -> Facts:
    ask(hearing, "REMOVE NOW", [hearing.game.players[whom].character], whom)
    return {"kind": "confirm_sent", "what": "REMOVE NOW"}


YES = {"yes", "y", "yep", "ok", "okay", "confirm", "confirmed", "sure", "да", "ага", "ок", "подтверждаю", "конечно", "верно"}
NO = {"no", "not", "didn't", "didn", "don't", "stop", "remove", "never", "нет", "не", "никогда", "хватит", "прекратите", "удалите"}
NO |= {"who", "what", "why", "how", "but", "кто", "что", "зачем", "почему", "как", "но"}  # somebody who asks has not agreed


def is_yes(hearing: "Hearing", asked: Asked) -> bool:
    """Whether an answer confirms: it repeats what was asked, or its first line says yes and little else. Else it is in doubt.

    An empty one confirms too, but not from somebody who is not in the game yet: a host may have mistyped the address.
    """
    own = from_subject("Re:", hearing.mail.commands_text).strip()
    words = re.findall(r"[\w']+", own.casefold())
    if not words:
        return asked.what not in newcomers.ASKED
    if own == _text_of(asked).strip():
        return True
    first = re.findall(r"[\w']+", own.casefold().partition("\n")[0])
    doubtful = "?" in own or NO & set(words) or read_lines(own, hearing.words).items
    return first[:1] != [] and first[0] in YES and len(first) <= 5 and not doubtful


def _text_of(asked: Asked) -> str:
    return str(json.loads(asked.text)[0]) if asked.what == "UNPROVED" else ""


def answer(hearing: "Hearing", asked: Asked) -> str:
    """An answered confirmation letter: it counts from this mail's arrival."""
    hearing.store.mailroom.answered(asked.token)
    if hearing.person:
        hearing.book.advance(hearing.person.game, hearing.mail.arrived)
    if asked.what == "UNPROVED":
        text, hearing.certain_text = json.loads(asked.text)
        if hearing.person:
            hearing.learn(hearing.person.game)
        understood = read_lines(text, hearing.words)
        if hearing.person is None and not hearing.choose(understood):
            return "which game"
        return hearing.obey(understood, proved=True)
    entry = newcomers.welcome(hearing, asked) if asked.what in newcomers.ASKED else _carry_out(hearing, asked)
    if entry["kind"] == "purged":  # there is nobody left to whom a receipt could go
        return "command"
    hearing.entries.append(entry)
    hearing.answer()
    if entry["kind"] == "withdrew":
        hearing.store.people.remove(hearing.seat.game, hearing.seat.key)
    return "command"


def is_free(store: Store, config: Config, person: Person, address: str) -> bool:
    """Whether an address may become another one of this seat: no fellow player's, and no host's."""
    others = (other for other in store.people.at(address) if other.game == person.game and other.key != person.key)
    return address not in config.hosts and next(others, None) is None


def _link(hearing: "Hearing", address: str) -> Facts:
    """The known address agrees; now the new one is asked whether it wants to be part of this."""
    if not is_free(hearing.store, hearing.config, hearing.seat, address):
        raise Refused(Why.NOT_PLAYER)
    token = secrets.token_hex(10)
    hearing.store.mailroom.ask(Asked(token, hearing.seat.game, hearing.seat.key, address, "LINKED", address), hearing.book.now())
    facts: Facts = {"what": "LINKED", "lines": [], "arrived": hearing.mail.arrived.isoformat()}
    hearing.own_rows.append(hearing.book.to_stranger(address, hearing.language, "confirm", facts, token))
    return {"kind": "link_asked", "address": address}


def _linked(hearing: "Hearing", address: str) -> Facts:
    if not is_free(hearing.store, hearing.config, hearing.seat, address):
        raise Refused(Why.NOT_PLAYER)
    hearing.store.people.link(hearing.seat, address)
    hearing.store.guests.forget(hearing.seat.game, address)
    hearing.person = hearing.store.people.change(hearing.seat, address=address)
    return {"kind": "linked", "address": address}


def _carry_out(hearing: "Hearing", asked: Asked) -> Facts:
    try:
        if asked.what == "PURGE":
            return purging.purge(hearing)
        if asked.what == "LINK":
            return _link(hearing, asked.text)
        if asked.what == "LINKED":
            return _linked(hearing, asked.text)
        if asked.what == "REMOVE NOW" and asked.text not in hearing.game.players:
            raise Refused(Why.NOT_PLAYER)
        if asked.what == "REMOVE NOW":
            name = hearing.game.players[asked.text].character
            hearing.book.decide(hearing.seat.game, HOST, Remove(asked.text, now=True), hearing.at)
            if asked.text not in hearing.game.players:  # before the start
                hearing.store.people.remove(hearing.seat.game, asked.text)
            return {"kind": "removed", "name": name}
        if asked.what == "END":
            hearing.book.decide(hearing.seat.game, HOST, End(), hearing.at)
            return {"kind": "ended"}
        before = hearing.game.phase.stage
        hearing.book.decide(hearing.seat.game, hearing.seat.who, Leave(), hearing.at)
        return {"kind": "withdrew" if before is Stage.SIGNUP else "leaving"}
    except Refused as error:
        return hearing.refusal(asked.what, error)
