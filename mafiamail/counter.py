"""The counter of the built-in post office: hand a mail in, collect letters."""

import re
import sys
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from pathlib import Path

from mafiamail.config import Config, ConfigError
from mafiamail.mail.transports import TryLater
from mafiamail.mail.transports.local import letters, utc_now
from mafiamail.mail.transports.smtp import SmtpPostman
from mafiamail.offices import open_post_office

_ADDRESS = re.compile(r"[^\s@<>,;]+@[^\s@<>,;]+")


def hand_in(config: Config, sender: str, to: str | None, subject: str, text: str, reply: bool) -> str:
    """Sends one mail by SMTP; where nobody listens it is filed, and waits for the daemon. Answers one sentence."""
    office = open_post_office(config)
    if office is None:
        raise ConfigError("mail.inbox: this configuration uses a real mailbox; write to it with your mail program")
    for option, address in (("--from", sender), ("--to", to or config.mail.address)):
        if not _ADDRESS.fullmatch(address):
            raise ConfigError(f"{option}: {address!r} is no address; allowed: one such as anna@example.org")
    mail = _mail(config, sender, to, subject, text, reply)
    recipient = str(mail["To"])
    content = mail.as_bytes(policy=policy.SMTP)
    postman = SmtpPostman("127.0.0.1", config.post_office.port, "", str, security="none")
    try:
        postman.send(content, sender, recipient)
    except TryLater:
        try:
            office.file(content, sender, recipient)
        except OSError as error:
            raise ConfigError(
                f"post_office.folder: {office.folder}: {error.strerror}; allowed: a folder that this user may make"
            ) from error
        return f"Filed for {recipient}. The daemon is not running; it will read this when it does."
    finally:
        postman.close()
    return f"Posted to {recipient}. Read the answer with: {sys.argv[0]} inbox {sender}"


def _mail(config: Config, sender: str, to: str | None, subject: str, text: str, reply: bool) -> EmailMessage:
    mail = EmailMessage(policy=policy.SMTP)
    answered = _newest(config, sender) if reply else None
    if answered is not None:
        mail["To"] = to or str(answered["Reply-To"] or answered["From"])
        mail["Subject"] = subject or f"Re: {answered['Subject']}"
        mail["In-Reply-To"] = str(answered["Message-ID"])
        mail["References"] = str(answered["Message-ID"])
    else:
        mail["To"] = to or config.mail.address
        mail["Subject"] = subject
    mail["From"] = sender
    mail["Date"] = format_datetime(utc_now())
    mail["Message-ID"] = make_msgid(domain="localhost")
    mail.set_content(text.replace("\\n", "\n"), cte="quoted-printable")
    return mail


def _newest(config: Config, address: str) -> EmailMessage:
    found = letters(config.post_office_folder(), address)
    if not found:
        raise ConfigError(f"there is no letter for {address} that could be answered")
    return open_letter(found[-1])


def open_letter(path: Path) -> EmailMessage:
    return message_from_bytes(path.read_bytes(), policy=policy.default)


def collect(config: Config, address: str, last: int) -> str:
    """The newest letters for an address as text, oldest first."""
    found = letters(config.post_office_folder(), address)
    if not found:
        return f"No letters for {address}."
    shown = found[-last:] if last > 0 else found
    count = "1 letter" if len(found) == 1 else f"{len(found)} letters"
    head = f"{count} for {address}" if len(shown) == len(found) else f"the newest {len(shown)} of {count} for {address}"
    return "\n".join([head, *(_as_text(path) for path in shown)])


def _as_text(path: Path) -> str:
    letter = open_letter(path)
    body = letter.get_body(("plain",))
    text = body.get_content().rstrip() if body is not None else ""
    rule = "═" * 72
    return f"{rule}\nFrom: {letter['From']}\nSubject: {letter['Subject']}\nDate: {letter['Date']}\n\n{text}"
