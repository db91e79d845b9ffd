"""The doors to the outside: where mail comes from (Mailbox) and where letters go (Postman)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from mafiamail.mail.message import LARGEST, Raw

__all__ = ["HEAD", "LARGEST", "Fetched", "LoginRefused", "Mailbox", "Postman", "Raw", "TryLater", "Undeliverable"]

HEAD = 64 * 1024
"""Bytes that are fetched of a mail larger than `LARGEST`, for its header; its `size` says why it is no more."""


class TryLater(Exception):
    """The world is not ready (network, server, quota): the same call may succeed later. Its text is one line for the host."""


class LoginRefused(Exception):
    """The server refused name or password: nothing will change until the host does something. Its text is one line for the host."""


class Undeliverable(Exception):
    """This letter will never reach this recipient. `code` is the SMTP reply code, `why` the server's own words in one line."""

    def __init__(self, code: int, why: str) -> None:
        super().__init__(code, why)
        self.code = code
        self.why = why

    def __str__(self) -> str:
        return f"{self.code} {self.why}"


@dataclass(frozen=True, slots=True)
class Fetched:
    """What one look into the mailbox brought.

    `mails` comes in order of arrival and is fetched as it is read (so it may raise TryLater halfway; those already given are good).
    `until` is the moment (aware UTC) up to which the mailbox is known to be complete. `cursor` is to be stored once all mails are handled.
    """

    mails: Iterator[Raw]
    until: datetime
    cursor: str


class Mailbox(Protocol):
    """Where mail comes from. Nothing is ever deleted."""

    def fetch(self, cursor: str | None, since: datetime) -> Fetched:
        """All mail after `cursor` (None: all), except what arrived before `since`. Raises TryLater, LoginRefused."""

    def acknowledge(self, mails: Sequence[Raw]) -> None:
        """Marks these as seen, and moves them where a folder for that is configured. Raises TryLater, LoginRefused."""

    def close(self) -> None:
        """Ends the connection, if there is one. Never raises; the next call opens it anew."""


class Postman(Protocol):
    """Where letters go: one recipient for each letter."""

    def open(self) -> None:
        """Connects and logs in, and sends nothing. Raises TryLater, LoginRefused."""

    def send(self, letter: bytes, sender: str, recipient: str) -> None:
        """Hands one letter over. Raises TryLater, LoginRefused, Undeliverable."""

    def close(self) -> None:
        """Ends the connection, if there is one. Never raises; the next call opens it anew."""
