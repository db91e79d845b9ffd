"""Mail without a provider: Maildirs, and the built-in post office (an SMTP listener on loopback that files into them).

A post office keeps one Maildir for each address: `<folder>/<address>/{tmp,new,cur}`. The modification time of a file is its arrival.
"""

import fcntl
import itertools
import os
import socket
from asyncio import AbstractServer
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from mafiamail.mail.message import Raw
from mafiamail.mail.transports import HEAD, LARGEST, Fetched, TryLater

Now = Callable[[], datetime]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_count = itertools.count(1)


def utc_now() -> datetime:
    """The clock on the wall, aware UTC."""
    return datetime.now(UTC)


def maildir(folder: Path, address: str) -> Path:
    """The Maildir of an address inside a post office's folder; the address cannot lead out of it."""
    name = quote(address.lower(), safe="@+-_.=~")
    if name.startswith("."):
        name = "%2E" + name[1:]
    if not name or len(name) > 200:  # a file name ends at 255 bytes
        name = f"{name[:100]}%{sha256(address.encode(errors='replace')).hexdigest()[:32]}"
    return folder / name


def letters(folder: Path, address: str) -> list[Path]:
    """The files of all letters in the Maildir of an address, in order of arrival."""
    files = [entry for box in ("new", "cur") for entry in _files(maildir(folder, address) / box)]
    return [Path(entry.path) for entry in sorted(files, key=lambda entry: (entry.stat().st_mtime_ns, _base(entry.name)))]


def deliver(box: Path, content: bytes, now: Now) -> Path:
    """Files a mail into a Maildir, complete at once for whoever reads it, arrived at `now()`; says where."""
    for part in ("tmp", "new", "cur"):
        (box / part).mkdir(mode=0o700, parents=True, exist_ok=True)
    mark = f"P{os.getpid()}Q{next(_count):08d}.mafiamail"
    draft = box / "tmp" / mark
    draft.write_bytes(content)
    with _locked(box):  # nobody who looks may believe the box complete up to a moment between stamp and rename
        arrived = now()
        stamp = _nanoseconds(arrived)
        os.utime(draft, ns=(stamp, stamp))
        return draft.rename(box / "new" / f"{stamp // 10**9}.M{arrived.microsecond:06d}{mark}")


@dataclass(frozen=True, slots=True)
class _Entry:
    """A mail in a Maildir: `name` is without flags, `arrived` in ns since 1970."""

    name: str
    fresh: bool  # in new, not in cur
    arrived: int


class MaildirMailbox:
    """Reads one Maildir, `new` and `cur`: that of the built-in post office, or one that the system's own mail server fills.

    `settle`: how long another program may need between stamping a file and showing it; the built-in post office needs none.
    The cursor is a moment and some names: mail that arrived up to the moment is handled, and so are those named, which are either
    younger or were still in `new`. So a mail that shows up late in `new` is read however old it is.
    """

    def __init__(self, box: Path, now: Now = utc_now, settle: timedelta = timedelta(0)) -> None:
        self.box = box
        self._now = now
        self._settle = settle
        self._stamps: dict[str, int] = {}  # of files in cur, which never change: spares a look at each of a great many

    def fetch(self, cursor: str | None, since: datetime) -> Fetched:
        earliest = _nanoseconds(since)
        horizon, handled = _read_cursor(cursor, earliest)
        until, entries = self._look()
        entries = [entry for entry in entries if entry.arrived >= earliest]
        unread = [e for e in entries if e.name not in handled and (e.fresh or e.arrived > horizon)]
        unread.sort(key=lambda entry: (entry.arrived, entry.name))
        horizon = max(horizon, _nanoseconds(until))
        names = sorted(entry.name for entry in entries if entry.fresh or entry.arrived > horizon)
        return Fetched(self._read(unread), until, "/".join([str(horizon), *names]))

    def acknowledge(self, mails: Sequence[Raw]) -> None:
        for mail in mails:
            with suppress(FileNotFoundError):  # somebody else has moved it already
                (self.box / "new" / mail.folder).rename(self.box / "cur" / f"{mail.folder}:2,S")

    def close(self) -> None:
        pass

    def _look(self) -> tuple[datetime, list[_Entry]]:
        if not (self.box / "new").is_dir():  # no mail has ever come
            return self._now() - self._settle, []
        with _locked(self.box):
            until = self._now() - self._settle
            entries = [_Entry(entry.name, True, entry.stat().st_mtime_ns) for entry in _files(self.box / "new")]
            stamps = {}
            for entry in _files(self.box / "cur"):
                name = _base(entry.name)
                stamps[name] = self._stamps.get(name) or entry.stat().st_mtime_ns
        self._stamps = stamps
        return until, entries + [_Entry(name, False, arrived) for name, arrived in stamps.items()]

    def _read(self, entries: list[_Entry]) -> Iterator[Raw]:
        for entry in entries:
            path = self._path(entry)
            if path is None:  # somebody removed it meanwhile
                continue
            size = path.stat().st_size
            with path.open("rb") as file:
                content = file.read() if size <= LARGEST else file.read(HEAD)
            arrived = _EPOCH + timedelta(microseconds=entry.arrived // 1000)
            yield Raw(content=content, arrived=arrived, folder=entry.name, uid=entry.arrived, validity=0, size=size)

    def _path(self, entry: _Entry) -> Path | None:
        path = self.box / "new" / entry.name
        if entry.fresh and path.exists():
            return path
        return next((Path(found.path) for found in _files(self.box / "cur") if _base(found.name) == entry.name), None)


class MaildirPostman:
    """Files letters straight into the Maildirs of a post office."""

    def __init__(self, folder: Path, now: Now = utc_now) -> None:
        self._folder = folder
        self._now = now

    def open(self) -> None:
        """Sees that letters can be filed."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise TryLater(f"{self._folder}: {error.strerror}") from error
        if not os.access(self._folder, os.W_OK | os.X_OK):
            raise TryLater(f"{self._folder}: letters cannot be filed there")

    def send(self, letter: bytes, sender: str, recipient: str) -> None:
        deliver(maildir(self._folder, recipient), _envelope(sender, recipient) + letter, self._now)

    def close(self) -> None:
        pass


class PostOffice:
    """The built-in post office: listens on loopback and files each mail into the Maildir of its recipient.

    `+detail` of the daemon's own `address` is kept in Delivered-To, the mail goes into the Maildir of the address itself.
    Port 0: any free one; `port` tells which. `start` raises OSError where the port is taken.
    """

    def __init__(self, folder: Path, address: str, now: Now = utc_now, port: int = 0) -> None:
        self.folder = folder
        self.address = address.lower()
        self.port = port
        self._now = now
        self._listener: _Listener | None = None

    def start(self) -> Self:
        self._listener = _Listener(self, socket.create_server(("127.0.0.1", self.port)))
        self.port = self._listener.port
        self._listener.start()
        return self

    def stop(self) -> None:
        if self._listener is not None:
            self._listener.stop()
            self._listener = None

    def file(self, content: bytes, sender: str, recipient: str) -> None:
        """Files one mail as if it had come in through the door."""
        local, _, domain = recipient.lower().rpartition("@")
        bare = f"{local.partition('+')[0]}@{domain}"
        box = maildir(self.folder, bare if bare == self.address else recipient)
        deliver(box, _envelope(sender, recipient) + content, self._now)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    async def handle_RCPT(self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]) -> str:
        local, at, domain = address.rpartition("@")
        if not (at and local and domain) or len(address) > 254 or not address.isprintable() or " " in address:
            return "553 5.1.3 that is no address"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        content = envelope.content
        if not isinstance(content, bytes):
            return "554 5.6.0 no content"
        for recipient in envelope.rcpt_tos:
            self.file(content, (envelope.mail_from or "").strip("<>"), recipient)  # aiosmtpd shows the null sender as <>
        return "250 2.0.0 filed"


class _Listener(Controller):
    """aiosmtpd's controller on a socket that is already bound, so that port 0 works."""

    def __init__(self, handler: PostOffice, door: socket.socket) -> None:
        super().__init__(handler, hostname="127.0.0.1", port=door.getsockname()[1], server_hostname="localhost", ident="mafiamail")
        self._door = door

    def _create_server(self) -> Awaitable[AbstractServer]:
        return self.loop.create_server(self._factory_invoker, sock=self._door)


def _envelope(sender: str, recipient: str) -> bytes:
    return f"Return-Path: <{sender}>\r\nDelivered-To: {recipient}\r\n".encode(errors="surrogateescape")


def _nanoseconds(moment: datetime) -> int:
    return (moment - _EPOCH) // _MICROSECOND * 1000


def _base(name: str) -> str:
    return name.partition(":")[0]


def _read_cursor(cursor: str | None, earliest: int) -> tuple[int, frozenset[str]]:
    if not cursor:
        return earliest - 1, frozenset()
    horizon, *names = cursor.split("/")
    return int(horizon), frozenset(names)


def _files(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return [entry for entry in found if not entry.name.startswith(".") and entry.is_file()]
    except FileNotFoundError:
        return []


@contextmanager
def _locked(box: Path) -> Iterator[None]:
    """Holds the Maildir's `new` for oneself, among programs that ask (ours)."""
    handle = os.open(box / "new", os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
