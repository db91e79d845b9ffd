"""Plays the steps of a game in a process that kills itself: crash_runner.py FOLDER BOUNDARIES

FOLDER/steps.json holds [[instant, sender, text], …]. The process goes on where the last one died, and dies (SIGKILL) at the given
boundary: just before or just after a commit, a sending, an acknowledgement. 0: it lives.
"""

import json
import os
import secrets
import signal
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from mafiamail import config as configuration
from mafiamail.daemon import Daemon
from mafiamail.letters.languages import Languages
from mafiamail.mail.transports.local import MaildirMailbox, MaildirPostman, deliver, maildir
from mafiamail.store import Store

ADDRESS = "mafia@example.org"


def deadly(function: Callable[..., Any], die: Callable[[], None]) -> Callable[..., Any]:
    def called(*args: Any, **options: Any) -> Any:
        die()
        answer = function(*args, **options)
        die()
        return answer

    return called


def main(folder: Path, boundaries: int) -> None:
    left = [boundaries]

    def die() -> None:
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    real = secrets.token_hex
    secrets.token_hex = lambda size=None: "5e" * 32 if size == 32 else real(size)  # type: ignore[assignment]  # one deal for all runs
    moment = [datetime.fromisoformat("2026-05-11T18:00:00+00:00")]
    config = configuration.parse(
        f"mail: {{address: {ADDRESS}}}\nhosts: [host@example.org]\npost_office: {{folder: {folder}/post}}\n", folder / "config.yaml"
    )
    store = Store(str(folder / "game.db"))
    box = maildir(folder / "post", ADDRESS)
    mailbox, postman = MaildirMailbox(box, lambda: moment[0]), MaildirPostman(folder / "post", lambda: moment[0])
    for owner, name in ((mailbox, "acknowledge"), (postman, "send"), (store.database, "commit")):
        setattr(owner, name, deadly(getattr(owner, name), die))
    daemon = Daemon(config, store, Languages([configuration.builtin_templates()]), mailbox, postman, lambda: moment[0])
    done = folder / "done"
    for position, (instant, sender, text) in enumerate(json.loads((folder / "steps.json").read_text())):
        moment[0] = datetime.fromisoformat(instant)
        if position < int(done.read_text()) if done.exists() else False:
            continue
        delivered = folder / f"delivered.{position}"
        if sender and not delivered.exists():  # the mail server does not crash: each mail is delivered once
            head = f"From: {sender}\r\nTo: {ADDRESS}\r\nMessage-ID: <{position}@players.example.org>\r\n"
            mail = f"{head}Content-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n"
            deliver(box, mail.encode(), lambda: moment[0])
            delivered.touch()
        daemon.round()
        done.write_text(str(position + 1))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
