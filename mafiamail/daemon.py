"""The daemon: schedule, signals and systemd's watchdog around one guarded round. It holds no deadline: those are the game's."""

import logging
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from types import FrameType

import schedule

from mafiamail import systemd
from mafiamail.config import Config
from mafiamail.desk import Desk
from mafiamail.letters.languages import Languages
from mafiamail.mail.message import Raw
from mafiamail.mail.transports import LoginRefused, Mailbox, Postman, TryLater
from mafiamail.post import Post
from mafiamail.store import Store

log = logging.getLogger("mafiamail")

BATCH = 50  # mails between two looks at the outbox
LOOK_BACK = timedelta(days=1)  # of a mailbox that is opened for the first time
STOP = (signal.SIGTERM, signal.SIGINT)
GRACE = 1.0  # seconds for a round to end by itself when the daemon is told to stop


class Stopped(BaseException):
    """The daemon was told to stop while it waited for the network."""


class Daemon:
    """One daemon over one database, one mailbox and one postman. `now` is the clock on the wall."""

    def __init__(
        self, config: Config, store: Store, languages: Languages, mailbox: Mailbox, postman: Postman, now: Callable[[], datetime]
    ) -> None:
        self._config, self._store, self._mailbox, self._postman, self._now = config, store, mailbox, postman, now
        self.desk = Desk(store, languages, config, now)
        self.post = Post(store, languages, config, postman, now, self.desk.tell)
        self._stop = threading.Event()
        self._trouble = ""  # the last thing that went wrong with the mailbox: logged once, not each round

    def round(self) -> bool:
        """One look into the mailbox, what follows from it, and the letters. Anything that goes wrong outside waits for the next.

        False: the mailbox could not be read.
        """
        try:
            self._read()
            if self._trouble:
                log.info("the mailbox can be read again")
            self._trouble = ""
        except (TryLater, LoginRefused, OSError) as error:
            if str(error) != self._trouble:
                log.error("the mailbox cannot be read, so no clock runs: %s", error)
            self._trouble = str(error)
        self.post.send_waiting(self._stop.is_set)
        return not self._trouble

    def _read(self) -> None:
        """Mail in order of arrival; then the clocks, up to the moment until which the mailbox is known to be complete."""
        fetched = self._mailbox.fetch(self._store.mailroom.note("cursor"), self._since())
        batch: list[Raw] = []
        waiting = False
        for raw in fetched.mails:
            if self._stop.is_set():
                break
            if self.desk.receive(raw, fetched.until):
                batch.append(raw)
            else:  # and so does whatever came after it
                waiting = True
                break
            if len(batch) >= BATCH:
                self._handled(batch)
                self.post.send_waiting(self._stop.is_set)
        self._handled(batch)
        if self._stop.is_set():
            return
        self.desk.advance(fetched.until)
        if not waiting and fetched.cursor != self._store.mailroom.note("cursor"):
            with self._store.transaction():
                self._store.mailroom.write_note("cursor", fetched.cursor)

    def _handled(self, batch: list[Raw]) -> None:
        if batch:
            self._mailbox.acknowledge(batch)
            batch.clear()
            systemd.notify(systemd.WATCHDOG)

    def _since(self) -> datetime:
        """The first start: what lay in the mailbox long before it is not ours to answer."""
        since = self._store.mailroom.note("since")
        if since is None:
            since = (self._now() - LOOK_BACK).isoformat()
            with self._store.transaction():
                self._store.mailroom.write_note("since", since)
        return datetime.fromisoformat(since).astimezone(UTC)

    def run(self) -> None:
        """Rounds until SIGTERM or SIGINT, which end it within two seconds and lose nothing."""
        turns = schedule.Scheduler()
        turns.every(max(1, round(self._config.poll.total_seconds()))).seconds.do(self._guarded)
        with self._listening():
            try:
                systemd.notify(systemd.READY)
                self._guarded()
                while not self._stop.is_set():
                    turns.run_pending()
                    systemd.notify(systemd.WATCHDOG)
                    self._stop.wait(min(1.0, max(0.0, turns.idle_seconds or 0.0)))
            except Stopped:
                log.info("stopped while waiting for the network")
        systemd.notify(systemd.STOPPING)

    @contextmanager
    def _listening(self) -> Iterator[None]:
        """A thread hears the signals: Python's own handlers wait for as long as this thread is inside the operating system."""
        hears, rings = socket.socketpair()
        rings.setblocking(False)
        for number in STOP:
            signal.signal(number, lambda number, frame: self._stop.set())
        signal.signal(signal.SIGALRM, _interrupt)
        before = signal.set_wakeup_fd(rings.fileno(), warn_on_full_buffer=False)
        ended = threading.Event()
        threading.Thread(target=self._listen, args=(hears, threading.get_ident(), ended), daemon=True).start()
        try:
            yield
        finally:
            signal.signal(signal.SIGALRM, signal.SIG_IGN)
            ended.set()
            signal.set_wakeup_fd(before)
            rings.close()

    def _listen(self, hears: socket.socket, main: int, ended: threading.Event) -> None:
        """A round that does not end by itself within the grace is interrupted, again and again until it has."""
        with hears:
            while (heard := hears.recv(1)) and heard[0] not in STOP:
                pass
        self._stop.set()
        patience = GRACE
        while heard and not ended.wait(patience):
            signal.pthread_kill(main, signal.SIGALRM)
            patience = 0.25

    def _guarded(self) -> None:
        """`schedule` ends at a job that raises: nothing but the order to stop leaves here."""
        try:
            self.round()
        except Exception:
            log.exception("a round failed; the next one tries again")

    def close(self) -> None:
        self._mailbox.close()
        self._postman.close()
        self._store.close()


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise Stopped
