"""Receives mails and turns the clocks of games; the one place where a surprise is caught."""

import logging
import traceback
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from mafiamail.config import Config, Inbox
from mafiamail.desk.book import Book, TooSoon
from mafiamail.desk.door import Door
from mafiamail.desk.envelope import Envelopes
from mafiamail.desk.hearing import Hearing, Room
from mafiamail.desk.patience import TooSlow, patience
from mafiamail.desk.writer import Gatekeeper, Writer
from mafiamail.game.commands import Pause
from mafiamail.game.model import HOST
from mafiamail.game.refusal import Refused
from mafiamail.letters.languages import Languages
from mafiamail.letters.letter import Letter
from mafiamail.letters.understand import Keywords
from mafiamail.mail.gate import REFUSED, gate
from mafiamail.mail.message import Inbound, Raw, Unreadable, header_of, read
from mafiamail.mail.signature import Dns, is_signed
from mafiamail.store import Store

log = logging.getLogger("mafiamail")

AHEAD = timedelta(hours=1)


class Desk:
    """`now` is the present moment, for letters only: the rules count from a mail's arrival."""

    def __init__(self, store: Store, languages: Languages, config: Config, now: Callable[[], datetime], dns: Dns | None = None) -> None:
        """`dns` looks up the keys of mail domains (None: where all the world does)."""
        self._store, self._config, self._now, self._dns = store, config, now, dns
        self._room = Room(store, languages, Keywords(languages.keywords), config)
        self._envelopes = Envelopes(store, config.mail.address.rpartition("@")[2])
        self._gatekeeper = Gatekeeper(store, config.mail.address, config.mail.inbox == Inbox(), config.mail.proof)
        self._door = Door(store, config)
        self._until = now()

    def receive(self, raw: Raw, until: datetime) -> bool:
        """One mail, one transaction; False: it must wait, since something is due first that mail not there yet may still prevent.

        `until`: all mail that arrived by then is there. Raises OSError alone (the database cannot be used): then nothing has happened.
        """
        self._until = until
        if raw.arrived > self._now() + AHEAD:  # a server's clock gone wrong, or a moved mail: nobody can write tomorrow
            raw = replace(raw, arrived=self._now())
        try:
            with self._store.transaction(), patience():
                self._receive(raw)
        except TooSoon:
            return False
        except OSError:
            raise
        except TooSlow:
            log.error("mail uid=%s set aside: it took too long", raw.uid)
            self._set_aside(raw, traceback.format_exc(), slow=True)
        except Exception:
            log.exception("mail uid=%s set aside: this is a fault of mafiamail", raw.uid)
            self._set_aside(raw, traceback.format_exc())
        return True

    def advance(self, until: datetime) -> None:
        """Every open game's clock runs to `until`, each in a transaction of its own."""
        self._until = until
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
        return Book(self._store, self._envelopes, self._now, self._until)

    def _receive(self, raw: Raw) -> None:
        box, uid = f"{raw.folder}:{raw.validity}", str(raw.uid)
        if self._store.mailroom.seen_at(box, uid):
            return
        mail, why = self._read(raw)
        first = None if mail is None else self._store.mailroom.known(mail.key)
        key = mail.key if mail and not first else f"{box}:{uid}"
        book = self._book()
        if mail is None:
            self._door.tell_hosts(book, "unread", raw.arrived.isoformat(" ", "minutes"))
            game, who, verdict = None, None, why
        elif first is not None:
            self._door.copied(book, mail, first)
            game, who, verdict = None, None, "duplicate"
        else:
            game, who, verdict = self._judge(mail, raw, why, book)
        self._store.mailroom.put(book.rows)
        if verdict in ("forged", "unproved"):  # a copy that comes by a better way is heard
            key = f"{box}:{uid}"
        self._store.mailroom.record(key, mail.digest if mail else "", box, uid, raw.arrived, game, who, verdict)
        log.info("mail uid=%s game=%s: %s", raw.uid, game, verdict)

    def _read(self, raw: Raw) -> tuple[Inbound | None, str]:
        """The mail, or what its header says and why it is not read."""
        try:
            return read(raw, self._config.mail.authserv_id), ""
        except Unreadable as error:
            return error.mail, error.why

    def _judge(self, mail: Inbound, raw: Raw, why: str, book: Book) -> tuple[int | None, str | None, str]:
        """What became of a mail: the game and key of its writer, and one word. `why` it could not be read, if so."""
        reason = gate(mail, self._config.mail.address)
        if reason is not None and reason not in REFUSED:
            self._door.machine(book, mail, raw, reason)
            return None, None, reason
        writer = self._gatekeeper.writer(mail, lambda: self._is_signed(mail, raw))
        if writer.forged:
            self._door.forged(book, mail, writer)
            return None, None, "forged"
        hearing = Hearing(self._room, book, mail, self._door.heard(writer))
        refused = why or reason
        verdict = hearing.turn_away(refused) if refused else hearing.hold()
        hearing.post()
        return hearing.number, hearing.key, verdict

    def _is_signed(self, mail: Inbound, raw: Raw) -> bool:
        return self._config.mail.dkim and mail.sender is not None and is_signed(raw.content, mail.sender, self._dns)

    def _set_aside(self, raw: Raw, trace: str, slow: bool = False) -> None:
        """Nothing is dropped silently: the mail is kept, the host told, and the game of a proved writer stands still.

        No game stands still for a mail that is only `slow`: its writer may well have made it so.
        """
        with self._store.transaction():
            box, uid = f"{raw.folder}:{raw.validity}", str(raw.uid)
            self._store.mailroom.set_aside(f"{box}:{uid}", raw.arrived, raw.content, trace)
            self._store.mailroom.record(f"{box}:{uid}", "", box, uid, raw.arrived, None, None, "set aside")
        try:
            self._tell_of(raw, slow)
        except OSError:
            raise
        except Exception:
            log.exception("the host could not be told of the mail that was set aside")

    def _tell_of(self, raw: Raw, slow: bool) -> None:
        """Whom it concerns that a mail was set aside."""
        writer, detail = self._writer_of(raw), f"a mail that arrived {raw.arrived:%Y-%m-%d %H:%M:%S} UTC"
        if not slow and writer is not None and writer.proved and writer.person is not None:
            self._report_fault(writer.person.game, detail)
            return
        with self._store.transaction():
            book = self._book()
            self._door.kept(book, writer.candidates if writer and not writer.forged else (), detail)
            self._store.mailroom.put(book.rows)

    def _writer_of(self, raw: Raw) -> Writer | None:
        """By the header alone: the rest may be what was wrong with it."""
        try:
            mail = header_of(raw, self._config.mail.authserv_id)
            return None if mail is None else self._gatekeeper.writer(mail)
        except Exception:  # then it was the header
            return None

    def _report_fault(self, number: int, what: str) -> None:
        with self._store.transaction():
            book = self._book()
            try:
                book.decide(number, HOST, Pause(), self._now())
            except Refused:
                log.info("game %s stood still already", number)
            game = book.game(number)
            what_kind = "set_aside" if game.paused is not None else "kept"
            book.send(number, [(game, Letter(HOST, "host_trouble", {"what": what_kind, "about": "", "detail": what}, "host"))])
            self._store.mailroom.put(book.rows)
