"""Receives mails and turns the clocks of games; the one place where a surprise is caught."""

import logging
import traceback
from collections.abc import Callable
from datetime import datetime

from mafiamail.config import Config, Inbox
from mafiamail.desk.book import Book
from mafiamail.desk.envelope import Envelopes
from mafiamail.desk.hearing import Hearing, Room
from mafiamail.desk.writer import Gatekeeper, Writer
from mafiamail.game.commands import Pause
from mafiamail.game.model import HOST
from mafiamail.game.refusal import Refused
from mafiamail.letters.languages import Languages
from mafiamail.letters.letter import Letter
from mafiamail.letters.understand import Keywords
from mafiamail.mail.gate import gate
from mafiamail.mail.message import Inbound, Raw, Unreadable, read
from mafiamail.store import Store

log = logging.getLogger("mafiamail")


class Desk:
    """`now` is the present moment, for letters only: the rules count from a mail's arrival."""

    def __init__(self, store: Store, languages: Languages, config: Config, now: Callable[[], datetime]) -> None:
        self._store, self._config, self._now = store, config, now
        self._room = Room(store, languages, Keywords(languages.keywords), config)
        self._envelopes = Envelopes(store, config.mail.address.rpartition("@")[2])
        self._gatekeeper = Gatekeeper(store, config.mail.address, vouches=config.mail.inbox == Inbox())

    def receive(self, raw: Raw) -> None:
        """One mail, one transaction. Raises OSError alone (the database cannot be used): then nothing has happened."""
        try:
            with self._store.transaction():
                self._receive(raw)
        except OSError:
            raise
        except Exception:
            log.exception("mail uid=%s set aside: this is a fault of mafiamail", raw.uid)
            self._set_aside(raw, traceback.format_exc())

    def advance(self, until: datetime) -> None:
        """Every open game's clock runs to `until`, each in a transaction of its own."""
        for number in self._store.log.open_games():
            try:
                with self._store.transaction():
                    book = self._book()
                    book.advance(number, until)
                    self._store.mailroom.put(book.rows)
            except OSError:
                raise
            except Exception:
                log.exception("the clock of game %s stands still: this is a fault of mafiamail", number)
                self._report_fault(number, "the clock")

    def tell(self, number: int, letter: Letter) -> None:
        """A letter to somebody of a game, from outside any mail; inside the caller's transaction."""
        book = self._book()
        book.send(number, [(book.game(number), letter)])
        self._store.mailroom.put(book.rows)

    def _book(self) -> Book:
        return Book(self._store, self._envelopes, self._now)

    def _receive(self, raw: Raw) -> None:
        box, uid = f"{raw.folder}:{raw.validity}", str(raw.uid)
        if self._store.mailroom.seen_at(box, uid):
            return
        try:
            mail = read(raw, self._config.mail.authserv_id)
        except Unreadable as error:
            log.info("mail uid=%s: %s", raw.uid, error.why)
            self._store.mailroom.record(f"{box}:{uid}", "", box, uid, raw.arrived, None, None, error.why)
            return
        if self._store.mailroom.seen(mail.key):
            return
        game, who, verdict = self._judge(mail)
        self._store.mailroom.record(mail.key, mail.digest, box, uid, mail.arrived, game, who, verdict)
        log.info("mail uid=%s game=%s: %s", raw.uid, game, verdict)

    def _judge(self, mail: Inbound) -> tuple[int | None, str | None, str]:
        """What became of a mail: the game and key of its writer, and one word."""
        reason = gate(mail, self._config.mail.address)
        if reason is not None:
            self._note_bounce(mail, reason)
            return None, None, reason
        if mail.sender is None:
            return None, None, "unreadable"
        writer = self._gatekeeper.writer(mail)
        if writer.forged:
            return None, None, "forged"
        hearing = Hearing(self._room, self._book(), mail, writer)
        verdict = hearing.hold()
        self._store.mailroom.put(hearing.rows())
        return hearing.number, hearing.who, verdict

    def _note_bounce(self, mail: Inbound, reason: str) -> None:
        """The host, and he alone, is told that a player's mail comes back."""
        if reason != "bounce" or mail.bounce is None or mail.bounce.kind != "hard":
            return
        book = self._book()
        for person in self._store.people.at(mail.bounce.address):
            if self._store.log.is_open(person.game):
                self._tell_host(book, person.game, "bounce", person.who, mail.bounce.address)
        self._store.mailroom.put(book.rows)

    def _tell_host(self, book: Book, number: int, what: str, who: str, detail: str) -> None:
        game = book.game(number)
        about = game.players[who].character if who in game.players else ""
        book.send(number, [(game, Letter(HOST, "host_trouble", {"what": what, "about": about, "detail": detail}, "host"))])

    def _set_aside(self, raw: Raw, trace: str) -> None:
        """Nothing is dropped silently: the mail is kept, the host told, and the game of a proved writer stands still."""
        with self._store.transaction():
            box, uid = f"{raw.folder}:{raw.validity}", str(raw.uid)
            self._store.mailroom.set_aside(f"{box}:{uid}", raw.arrived, raw.content, trace)
            self._store.mailroom.record(f"{box}:{uid}", "", box, uid, raw.arrived, None, None, "set aside")
        writer = self._writer_of(raw)
        if writer is None or not writer.proved or writer.person is None:
            return
        self._report_fault(writer.person.game, f"a mail that arrived {raw.arrived:%Y-%m-%d %H:%M:%S} UTC")

    def _writer_of(self, raw: Raw) -> Writer | None:
        try:
            return self._gatekeeper.writer(read(raw, self._config.mail.authserv_id))
        except Exception:  # whatever was wrong with it may be wrong here too
            return None

    def _report_fault(self, number: int, what: str) -> None:
        with self._store.transaction():
            book = self._book()
            try:
                book.decide(number, HOST, Pause(), self._now())
            except Refused:
                log.info("game %s stood still already", number)
            else:
                self._tell_host(book, number, "set_aside", "", what)
            self._store.mailroom.put(book.rows)
