"""What is done about mail that is not heard: bounces, complaints, forgeries, copies. Hosts are told, senders hardly ever."""

import logging
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta

from mafiamail.config import Config
from mafiamail.desk import confirming
from mafiamail.desk.book import Book
from mafiamail.desk.writer import Writer
from mafiamail.game.model import HOST
from mafiamail.letters.letter import Letter
from mafiamail.mail.message import Inbound, Raw
from mafiamail.store import Store
from mafiamail.store.mailroom import Known, Sent
from mafiamail.store.people import Person

log = logging.getLogger("mafiamail")

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
READ = 200_000  # bytes of a report in which the letter that it is about is looked for
SHOWN = 500  # letters of a changed copy that the host is shown


class Door:
    """Writes letters to hosts into the book that it is given; each trouble with a seat is told once a day."""

    def __init__(self, store: Store, config: Config) -> None:
        self._store, self._config = store, config
        self._own_id = re.compile(rb"<g\d{1,9}\.[^<>\s]{1,200}@" + re.escape(config.mail.address.rpartition("@")[2].encode()) + rb">", re.I)

    def machine(self, book: Book, mail: Inbound, raw: Raw, reason: str) -> None:
        """A mail that no person wrote. Most are nothing to anybody, and none is answered."""
        if reason == "bounce" and mail.bounce is not None and mail.bounce.kind == "hard":
            self._bounced(book, mail.bounce.address, self._about(raw))
        elif reason == "feedback-report":
            self._complained(book, self._about(raw))

    def _about(self, raw: Raw) -> Sent | None:
        """The letter of ours that a report holds; only its reader and the servers on the way know its Message-ID."""
        ids = [found.decode("ascii", "replace") for found in self._own_id.findall(raw.content[:READ])[:20]]
        return self._store.mailroom.sent_to(ids)

    def _bounced(self, book: Book, address: str, about: Sent | None) -> None:
        """An address is marked only by a report that holds a letter to it: anybody can write a report."""
        for person in self._store.people.at(address) or self._reader(about):
            certain = about is not None and self._store.people.is_his(person, about.address) and self._store.people.is_his(person, address)
            if not self._store.log.is_open(person.game) or person.silent:
                continue
            if certain:
                self._store.people.change(person, silent="bounce")
            self.tell(book, person, "bounce", address)

    def _complained(self, book: Book, about: Sent | None) -> None:
        for person in self._reader(about):
            his = about is not None and self._store.people.is_his(person, about.address)  # not that of who had the place before him
            if his and self._store.log.is_open(person.game) and not person.silent:
                self._store.people.change(person, silent="complaint")
                self.tell(book, person, "complaint", person.address)

    def _reader(self, about: Sent | None) -> Sequence[Person]:
        person = None if about is None or about.game is None or about.who is None else self._store.people.find(about.game, about.who)
        return [person] if person else []

    def forged(self, book: Book, mail: Inbound, writer: Writer) -> None:
        """No effect and no answer: the host is told. Where a seat's secret came from elsewhere, its player is asked whether that was he."""
        if not writer.candidates and writer.address in self._config.hosts:
            self.tell_hosts(book, "forged_host", mail.arrived.isoformat(" ", "minutes"))
        for person in writer.candidates:
            if person.is_host:
                self.tell(book, person, "forged_host", writer.address)
                continue
            if writer.own_seat is not None:
                self.tell(book, person, "others_letter", "")
            else:
                self.tell(book, person, "wrong_address" if writer.forged == "secret" else "forged", writer.address or mail.subject[:80])
        if writer.own_seat is not None and not self._store.mailroom.said(f"others {writer.address}", book.now(), HOUR):
            facts = {"arrived": mail.arrived.isoformat(), "entries": [{"kind": "others_letter", "failed": True}], "status": None}
            thread = "host" if writer.own_seat.is_host else "private"
            book.rows.append(book.envelope(writer.own_seat, Letter(writer.own_seat.who, "receipt", facts, thread), answers=True))
        linkable = (
            writer.linkable and writer.person is not None and confirming.is_free(self._store, self._config, writer.person, writer.address)
        )
        if writer.forged == "secret" and linkable and writer.person is not None:
            once = f"link {writer.person.game} {writer.person.key} {writer.address}"
            if self._store.mailroom.said(once, book.now(), DAY) == 0:
                book.rows.append(confirming.ask_to_link(self._store, book, writer.person, writer.address))

    def copied(self, book: Book, mail: Inbound, first: Known) -> None:
        """Other words under the Message-ID of an earlier mail: they do not count, but the host sees them."""
        if mail.digest == first.digest or first.game is None or first.who is None:
            return
        person = self._store.people.find(first.game, first.who)
        if person is not None and self._store.log.is_open(person.game) and self._store.people.is_his(person, mail.sender or ""):
            self.tell(book, person, "changed_copy", " / ".join(mail.commands_text.split("\n"))[:SHOWN].replace(":", "·"))

    def tell(self, book: Book, person: Person, what: str, detail: str) -> None:
        """The host of a seat's game; the same trouble once a day."""
        if self._store.mailroom.said(f"{what} {person.game} {person.key}", book.now(), DAY):
            return
        game = book.game(person.game)
        about = game.players[person.who].character if person.who in game.players else person.address if person.is_host else ""
        letter = Letter(HOST, "host_trouble", {"what": what, "about": about, "detail": detail}, "host")
        if what == "forged_host":  # in his own name, not in that of another host
            book.rows.append(book.envelope(person, letter))
        else:
            book.send(person.game, [(game, letter)])

    def tell_hosts(self, book: Book, what: str, detail: str) -> None:
        """Those who host here, about what concerns no game; the same trouble once a day."""
        if self._store.mailroom.said(what, book.now(), DAY):
            return
        facts = {"what": what, "about": "", "detail": detail}
        for address in self._config.hosts:
            book.rows.append(book.to_stranger(address, self._config.language, "host_trouble", facts) | {"answers": False})

    def kept(self, book: Book, people: Iterable[Person], detail: str) -> None:
        """A mail that could not be dealt with, and for which no game stands still."""
        games = {person.game: person for person in people if self._store.log.is_open(person.game)}
        for person in games.values():
            self.tell(book, person, "kept", detail)
        if not games:
            self.tell_hosts(book, "kept", detail)

    def heard(self, writer: Writer) -> Writer:
        """Whoever writes can be written to again."""
        for person in writer.candidates:
            if person.silent:
                log.info("game %s: letters to a seat go out again", person.game)
                self._store.people.change(person, silent="")
                player = self._store.log.game(person.game).players.get(person.who)
                self._store.mailroom.release(person.game, person.key, player is None or player.alive)
        return replace(writer, person=writer.person._replace(silent="")) if writer.person else writer
