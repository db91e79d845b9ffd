"""A mailbox at a provider, over IMAP. One connection, kept between fetches and made anew after any error."""

import imaplib
import logging
import ssl
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from imapclient import SEEN, IMAPClient, SocketTimeout
from imapclient.exceptions import LoginError

from mafiamail.mail.message import Raw
from mafiamail.mail.transports import HEAD, LARGEST, Fetched, LoginRefused, TryLater
from mafiamail.mail.transports.local import utc_now

BATCH = 50
"""Mails in one FETCH: much faster than one by one, and a lost connection costs little."""

BATCH_BYTES = 8_000_000

MANY = 1000
"""UIDs in one STORE, MOVE or look at arrivals: a command line has its limits."""

CONNECT, READ = 20, 60
"""Seconds until a silent server is given up."""

_PASSING = ("[UNAVAILABLE]", "[INUSE]", "[LIMIT]", "[SERVERBUG]", "TOO MANY", "TEMPORAR", "TRY AGAIN")
"""Words of a refused login (RFC 5530, and what providers say) that do not mean name or password."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Arrival:
    """What is known of a mail before its body: `arrived` is the server's INTERNALDATE in UTC, to the second."""

    uid: int
    arrived: datetime
    size: int


class ImapMailbox:
    """One folder of a mailbox. The cursor is `UIDVALIDITY:last UID`; if the first changes, everything is read again.

    `settle`: how long a server may need between stamping a mail with its arrival and showing it. `password` is asked for at each login.
    """

    def __init__(
        self,
        host: str,
        port: int,
        user: str,
        password: Callable[[], str],
        *,
        security: Literal["tls", "starttls", "none"] = "tls",
        folder: str = "INBOX",
        move_to: str | None = None,
        cafile: Path | None = None,
        now: Callable[[], datetime] = utc_now,
        settle: timedelta = timedelta(seconds=60),
    ) -> None:
        self._server = f"IMAP {host}:{port}"  # as it is called in messages
        self._host = host
        self._port = port
        self._user = user
        self._password = password
        self._security = security
        self._folder = folder
        self._move_to = move_to
        self._cafile = cafile
        self._now = now
        self._settle = settle
        self._client: IMAPClient | None = None
        self._can_move = False

    def fetch(self, cursor: str | None, since: datetime) -> Fetched:
        with self._connection() as client:
            until = self._now() - self._settle
            # selecting anew shows both new mail and a new UIDVALIDITY, on every server
            state = client.select_folder(self._folder)
            validity = int(state[b"UIDVALIDITY"])
            last = _last_uid(cursor, validity)
            arrivals = list(_arrivals(client, last, state, since))
        fresh = sorted((one for one in arrivals if one.arrived >= since), key=lambda one: (one.arrived, one.uid))
        last = max([last, int(state.get(b"UIDNEXT", 1)) - 1, *(one.uid for one in arrivals)])
        return Fetched(self._read(fresh, validity), until, f"{validity}:{last}")

    def acknowledge(self, mails: Sequence[Raw]) -> None:
        if not mails:
            return
        with self._connection() as client:
            state = client.select_folder(self._folder)
            uids = [mail.uid for mail in mails if mail.validity == int(state[b"UIDVALIDITY"])]
            for some in _slices(uids, MANY):
                client.add_flags(some, [SEEN], silent=True)
                if self._move_to and self._can_move:
                    client.move(some, self._move_to)

    def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            with suppress(OSError, imaplib.IMAP4.error):
                client.logout()

    def _read(self, arrivals: list[_Arrival], validity: int) -> Iterator[Raw]:
        for batch in _batches(arrivals):
            bodies = self._bodies([one.uid for one in batch if one.size <= LARGEST], validity)
            bodies |= self._bodies([one.uid for one in batch if one.size > LARGEST], validity, f"<0.{HEAD}>")
            for one in batch:
                if one.uid in bodies:
                    content = bodies[one.uid]
                    yield Raw(content=content, arrived=one.arrived, folder=self._folder, uid=one.uid, validity=validity, size=one.size)
                else:
                    _log.warning("mail %s:%s vanished before it was read", validity, one.uid)

    def _bodies(self, uids: list[int], validity: int, part: str = "") -> dict[int, bytes]:
        """Whole mails, or that `part` of them."""
        if not uids:
            return {}
        anew = self._client is None  # the connection was lost while the mails of another batch were handled
        with self._connection() as client:
            if anew and int(client.select_folder(self._folder)[b"UIDVALIDITY"]) != validity:
                raise TryLater("the mailbox was made anew while it was being read")
            found = client.fetch(uids, [f"BODY.PEEK[]{part}"])
            bodies = {uid: found[uid].get(b"BODY[]<0>" if part else b"BODY[]") or b"" for uid in uids if uid in found}
            if empty := [uid for uid, body in bodies.items() if not body]:
                client.noop()  # an expunged mail's body may come as NIL (RFC 2180); what is still there is given, empty
                there = client.search(["UID", ",".join(map(str, empty))])
                bodies = {uid: body for uid, body in bodies.items() if body or uid in there}
        return bodies

    @contextmanager
    def _connection(self) -> Iterator[IMAPClient]:
        """The open connection. Any error ends it; what the world does wrong becomes TryLater."""
        try:
            if self._client is None:
                self._client = self._connect()
            yield self._client
        except (OSError, imaplib.IMAP4.error) as error:
            self._drop()
            raise TryLater(f"{self._server}: {_one_line(error)}") from error
        except BaseException:
            self._drop()
            raise

    def _connect(self) -> IMAPClient:
        context = ssl.create_default_context(cafile=self._cafile) if self._security != "none" else None
        tls = self._security == "tls"
        client = IMAPClient(self._host, self._port, ssl=tls, ssl_context=context if tls else None, timeout=SocketTimeout(CONNECT, READ))
        try:
            client.normalise_times = False  # INTERNALDATE with its zone, instead of naive local time
            if self._security == "starttls":
                client.starttls(context)
            self._login(client)
            self._prepare(client)
        except BaseException:
            _hang_up(client)
            raise
        return client

    def _login(self, client: IMAPClient) -> None:
        try:
            client.login(self._user, self._password())
        except UnicodeError as error:
            raise LoginRefused(f"{self._server}: login of {self._user}: only ASCII can be sent as name and password") from error
        except LoginError as error:
            words = _one_line(error)
            lost = isinstance(error.__context__, imaplib.IMAP4.abort)
            if lost or any(sign in words.upper() for sign in _PASSING):
                raise
            raise LoginRefused(f"{self._server}: login of {self._user} refused: {words}") from error

    def _prepare(self, client: IMAPClient) -> None:
        """Sees to it that handled mail can be moved, if that is wanted."""
        if not self._move_to:
            return
        self._can_move = client.has_capability("MOVE")
        if not self._can_move:
            _log.warning("the server cannot MOVE: handled mail is marked as seen and stays in %s", self._folder)
        elif not client.folder_exists(self._move_to):
            client.create_folder(self._move_to)
            client.subscribe_folder(self._move_to)

    def _drop(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            _hang_up(client)


def _arrivals(client: IMAPClient, last: int, state: dict[bytes, Any], since: datetime) -> Iterator[_Arrival]:
    """All mails with a UID above `last`; on the first look into a mailbox (`last` 0) not those long before `since`."""
    coming = int(state.get(b"UIDNEXT", last + 2))  # some servers do not say
    if not int(state[b"EXISTS"]) or coming <= last + 1:
        return
    # the server compares days, in a zone of its own choice: two days more are certainly enough
    young = [] if last else ["SINCE", (since - timedelta(days=2)).date()]
    found = client.search(["UID", f"{last + 1}:*", *young])
    uids = [uid for uid in found if uid > last]  # n:* gives the last mail even where its UID is below n
    for some in _slices(uids, MANY):
        for uid, data in client.fetch(some, ["INTERNALDATE", "RFC822.SIZE"]).items():
            yield _Arrival(uid, data[b"INTERNALDATE"].astimezone(UTC), int(data[b"RFC822.SIZE"]))


def _last_uid(cursor: str | None, validity: int) -> int:
    known, _, last = (cursor or "").partition(":")
    if known == str(validity):
        return int(last)
    if known:
        _log.warning("UIDVALIDITY changed from %s to %s: the whole mailbox is read again", known, validity)
    return 0


def _batches(arrivals: Iterable[_Arrival]) -> Iterator[list[_Arrival]]:
    """Runs of at most BATCH mails and about BATCH_BYTES."""
    batch: list[_Arrival] = []
    weight = 0
    for one in arrivals:
        size = one.size if one.size <= LARGEST else HEAD
        if batch and (len(batch) == BATCH or weight + size > BATCH_BYTES):
            yield batch
            batch, weight = [], 0
        batch.append(one)
        weight += size
    if batch:
        yield batch


def _slices(uids: list[int], most: int) -> Iterator[list[int]]:
    for begin in range(0, len(uids), most):
        yield uids[begin : begin + most]


def _hang_up(client: IMAPClient) -> None:
    with suppress(OSError, imaplib.IMAP4.error):
        client.shutdown()


def _one_line(error: BaseException) -> str:
    text = str(error)
    if text.startswith(("b'", 'b"')):  # imaplib shows the server's bytes as Python would
        text = text[2:-1]
    return " ".join(text.split()) or type(error).__name__
