"""OUT: waiting letters are put into words, sent, and sent again until they arrive or two days have passed."""

import json
import logging
import re
from collections.abc import Callable
from datetime import datetime, timedelta

from mafiamail.config import Config
from mafiamail.game.model import HOST
from mafiamail.letters.languages import Languages, Rendered
from mafiamail.letters.letter import Letter
from mafiamail.mail.message import Outbound, write
from mafiamail.mail.transports import LoginRefused, Postman, TryLater, Undeliverable
from mafiamail.mail.written import likeness
from mafiamail.store import Store
from mafiamail.store.mailroom import Waiting

log = logging.getLogger("mafiamail")

PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 2, 5, 10, 20, 30, 60))
GIVE_UP = timedelta(hours=48)
_ADDRESS = re.compile(r"<?[^\s<>]+@[^\s<>]+>?")  # a log tells nobody's address
NAMED_BY_A_HOST = ("invitation", "confirm")  # letters to addresses that a host has written
PATIENCE = 3  # failures in a row after which this round stops: the server is away, not one recipient

Tell = Callable[[int, Letter], None]


class Post:
    """`tell` puts a letter for a host into the outbox (the desk's business)."""

    def __init__(
        self, store: Store, languages: Languages, config: Config, postman: Postman, now: Callable[[], datetime], tell: Tell
    ) -> None:
        self._store, self._languages, self._config, self._postman, self._now, self._tell = store, languages, config, postman, now, tell
        self._local, _, self._domain = config.mail.address.partition("@")

    def send_waiting(self, stopping: Callable[[], bool] = lambda: False) -> int:
        """Sends what is due; answers how many letters went out. Never raises for the world's sake."""
        sent = failures = 0
        while letters := self._store.mailroom.waiting(self._now()):
            for letter in letters:
                if stopping() or failures >= PATIENCE:
                    return sent
                if self._send(letter):
                    sent, failures = sent + 1, 0
                else:
                    failures += 1
        return sent

    def _send(self, letter: Waiting) -> bool:
        """One letter. Marked as sent only after the server has it: a crash in between sends the same letter again."""
        content, rendered = letter.content, None
        try:
            if content is None:
                rendered = self._rendered(letter)
                content = self._written(letter, rendered)
            self._postman.send(content, self._config.mail.address, letter.address)
        except Undeliverable as error:
            self._give_up(letter, str(error))
        except (TryLater, LoginRefused) as error:
            log.warning("letter %s waits: %s", letter.id, _ADDRESS.sub("<…>", str(error)))
            self._delay(letter, content, rendered)
            return False
        except Exception:  # a broken template, most likely: it delays its letter, never the game
            log.exception("letter %s (%s, %s) cannot be put into words", letter.id, letter.kind, letter.language)
            self._delay(letter, content)
        else:
            with self._store.transaction():
                self._store.mailroom.sent(letter.id, self._now(), _known_by(letter, rendered))
                if letter.kind == "purged":  # the last that is known of a host
                    self._store.mailroom.erase_letter(letter.id)
        return True

    def _rendered(self, letter: Waiting) -> Rendered:
        return self._languages.render(letter.language, letter.kind, letter.facts)

    def _written(self, letter: Waiting, rendered: Rendered) -> bytes:
        """The letter as it travels; the same bytes each time for the same facts and templates."""
        game = letter.facts["game"]
        name = f"{game['name']} · {self._config.mail.name}" if game else self._config.mail.name
        return write(
            Outbound(
                sender=self._config.mail.address,
                sender_name=name,
                to=letter.address,
                reply_to=self._reply_address(letter),
                subject=rendered.subject,
                text=rendered.text,
                html=rendered.html,
                message_id=letter.message_id,
                references=letter.references,
                date=letter.created,
                automatic="replied" if letter.answers else "generated",
                list_id=f"g{letter.game or 0}.{self._local}.{self._domain}",
                attachments=_attachments(letter),
            )
        )

    def _reply_address(self, letter: Waiting) -> str:
        if not letter.reply_token or not self._config.mail.plus:
            return self._config.mail.address
        return f"{self._local}+{letter.reply_token}@{self._domain}"

    def _delay(self, letter: Waiting, content: bytes | None, rendered: Rendered | None = None) -> None:
        attempts = letter.attempts + 1
        pause = PAUSES[min(attempts, len(PAUSES)) - 1]
        if self._now() - letter.created > GIVE_UP:
            self._give_up(letter, f"{attempts} attempts in {GIVE_UP.total_seconds() / 3600:.0f} hours")
            return
        with self._store.transaction():
            self._store.mailroom.delayed(letter.id, content, attempts, self._now() + pause, _known_by(letter, rendered))

    def _give_up(self, letter: Waiting, why: str) -> None:
        """The host, and nobody else, is told; a letter to the host himself can only be logged."""
        log.error("letter %s to game %s given up: %s", letter.id, letter.game, _ADDRESS.sub("<…>", why))
        with self._store.transaction():
            self._store.mailroom.failed(letter.id)
            reader = letter.facts["reader"]
            about = reader["name"] if reader else letter.address if letter.kind in NAMED_BY_A_HOST else ""
            if letter.game is not None and about:
                facts = {"what": "undeliverable", "about": about, "detail": why}
                self._tell(letter.game, Letter(HOST, "host_trouble", facts, "host"))


def _known_by(letter: Waiting, rendered: Rendered | None) -> str:
    """By what its words are known, should somebody's program quote them without a mark; not where the reader's own stand among them."""
    if rendered is None or letter.kind in ("host_text", "confirm", "over"):
        return ""
    entries = letter.facts.get("entries", ()) if letter.kind == "receipt" else ()
    return (
        ""
        if any(entry.get("failed") or entry["kind"] in ("returned", "not_obeyed", "mixed") for entry in entries)
        else likeness(rendered.text)
    )


def _attachments(letter: Waiting) -> tuple[tuple[str, bytes], ...]:
    """The end letter brings the whole chronicle as a file, for `mafiamail verify`."""
    chronicle = letter.facts.get("chronicle")
    if not chronicle:
        return ()
    return ((f"chronicle-{letter.game}.json", json.dumps(chronicle, ensure_ascii=False, indent=1).encode()),)
