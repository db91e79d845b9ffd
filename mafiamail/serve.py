"""Puts the daemon together: post office, mailbox, postman, and one round or many."""

import fcntl
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mafiamail.config import Config, ConfigError
from mafiamail.daemon import Daemon
from mafiamail.letters.languages import Languages
from mafiamail.mail.transports.local import utc_now
from mafiamail.offices import open_mailbox, open_post_office, open_postman
from mafiamail.store import Store

log = logging.getLogger("mafiamail")


def serve(config: Config, store: Store, languages: Languages, once: bool) -> bool:
    """Runs until told to stop; False: the one round could not read the mailbox. Raises ConfigError where a port is taken."""
    with alone(config):
        return _serve(config, store, languages, once)


@contextmanager
def alone(config: Config) -> Iterator[None]:
    """One daemon for one database: two would send every letter twice. Raises ConfigError."""
    url = config.database_url()
    if not url.startswith("sqlite:///") or ":memory:" in url:
        yield
        return
    with Path(url.removeprefix("sqlite:///") + ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise ConfigError(f"database: {url.removeprefix('sqlite:///')} is in use; is another mafiamail running?") from error
        yield


def _serve(config: Config, store: Store, languages: Languages, once: bool) -> bool:
    if open_post_office(config) is not None:
        _make(config.post_office_folder())
    office = None if once else open_post_office(config)
    daemon = Daemon(config, store, languages, open_mailbox(config), open_postman(config), utc_now)
    try:
        if office is not None:
            _open(office.start, config)
            log.info("the built-in post office takes mail for %s on 127.0.0.1 port %s", config.mail.address, office.port)
        if once:
            return daemon.round()
        daemon.run()
        return True
    finally:
        if office is not None:
            office.stop()
        daemon.close()


def _make(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"post_office.folder: {folder}: {error.strerror}; allowed: a folder that this user may make") from error


def _open(start: object, config: Config) -> None:
    try:
        start()  # type: ignore[operator]
    except OSError as error:
        raise ConfigError(
            f"post_office.port: {config.post_office.port} cannot be opened ({error.strerror}); is another mafiamail running?"
        ) from error
