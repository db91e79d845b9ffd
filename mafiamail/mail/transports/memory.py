"""A mailbox and a postman that keep everything in memory: for tests, and for trying things out."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from mafiamail.mail.message import Raw
from mafiamail.mail.transports import HEAD, LARGEST, Fetched


@dataclass(slots=True)
class MemoryMailbox:
    """A mailbox to which a test delivers. `broken` is raised by every call while it is set."""

    now: Callable[[], datetime]
    settle: timedelta = timedelta(0)
    mails: list[Raw] = field(default_factory=list)
    acknowledged: list[Raw] = field(default_factory=list)
    broken: Exception | None = None

    def deliver(self, content: bytes, arrived: datetime | None = None) -> Raw:
        """Puts a mail in, arrived now or at `arrived`."""
        size = len(content)
        kept = content if size <= LARGEST else content[:HEAD]
        mail = Raw(content=kept, arrived=arrived or self.now(), folder="INBOX", uid=len(self.mails) + 1, validity=1, size=size)
        self.mails.append(mail)
        return mail

    def fetch(self, cursor: str | None, since: datetime) -> Fetched:
        self._check()
        last = int(cursor or 0)
        fresh = [mail for mail in self.mails if mail.uid > last and mail.arrived >= since]
        fresh.sort(key=lambda mail: (mail.arrived, mail.uid))
        return Fetched(iter(fresh), self.now() - self.settle, str(len(self.mails)))

    def acknowledge(self, mails: Sequence[Raw]) -> None:
        self._check()
        self.acknowledged.extend(mails)

    def close(self) -> None:
        pass

    def _check(self) -> None:
        if self.broken is not None:
            raise self.broken


@dataclass(frozen=True, slots=True)
class Sent:
    """A letter that went out."""

    letter: bytes
    sender: str
    recipient: str


@dataclass(slots=True)
class MemoryPostman:
    """Keeps what is sent. `refusals` maps a recipient to what sending to him raises."""

    sent: list[Sent] = field(default_factory=list)
    refusals: dict[str, Exception] = field(default_factory=dict)

    def open(self) -> None:
        pass

    def send(self, letter: bytes, sender: str, recipient: str) -> None:
        if recipient in self.refusals:
            raise self.refusals[recipient]
        self.sent.append(Sent(letter, sender, recipient))

    def to(self, *recipients: str) -> Iterable[bytes]:
        """The letters to these recipients, in order of sending."""
        return [item.letter for item in self.sent if item.recipient in recipients]

    def close(self) -> None:
        pass
