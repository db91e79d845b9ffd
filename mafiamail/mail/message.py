"""A mail as it arrives (Raw), as it is understood (Inbound), and as the daemon writes it (Outbound, in `outbound`)."""

import hashlib
import re
from collections.abc import Container
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from mafiamail.mail import bodies, decoding, identity, parts, phrases
from mafiamail.mail.bounce import Bounce, reported, told_in_words
from mafiamail.mail.outbound import Outbound, write
from mafiamail.mail.parts import Part
from mafiamail.mail.written import written

__all__ = ["LARGEST", "Inbound", "Outbound", "Raw", "Unreadable", "header_of", "read", "write"]

LARGEST = 5 * 1024 * 1024  # bytes; nothing larger is read

_ID = re.compile(r"<[^<>\s]{1,900}>")
_REAL_ID = re.compile(r"<[^<>\s@]+@[^<>\s@]+>")
_DAEMON = re.compile(r"mailer-daemon|mail delivery (?:sub)?system", re.I)


@dataclass(frozen=True, slots=True)
class Raw:
    """A mail as the mailbox gives it. `arrived` is the server's time (UTC). Of a mail too big to fetch, `content` is the header alone."""

    content: bytes
    arrived: datetime
    folder: str = ""
    uid: int = 0
    validity: int = 0
    size: int = 0


@dataclass(frozen=True, slots=True)
class Inbound:
    """A mail as it was understood. `commands_text` is the greedy view of the sender's own words, `post_text` the paranoid one."""

    key: str  # of the Message-ID, else of all bytes: two mails with one key are one mail
    digest: str  # of the body alone
    message_id: str
    sender: str | None  # lower-case address; None where it cannot be said
    name: str  # shown beside the address; proves nothing
    recipients: tuple[str, ...]
    refers_to: tuple[str, ...]
    subject: str
    arrived: datetime
    text: str
    commands_text: str
    post_text: str | None
    verdict: identity.Verdict
    headers: tuple[tuple[str, str], ...]  # lower-case names, values on one line
    kinds: tuple[str, ...]  # the types of all parts, `text/calendar; method=reply` with its method
    bounce: Bounce | None = None
    forwarded: bool = False  # a forwarded letter stands in it
    reaction: bool = False  # nothing but "… reacted to your message"

    def header(self, name: str) -> str | None:
        """The first header of that name, decoded; None where there is none."""
        return next((decoding.header(value) for key, value in self.headers if key == name), None)


class Unreadable(Exception):
    """A mail that is not looked into. `mail` is what its header says, so that the sender can be told; None where not even that is read."""

    def __init__(self, why: Literal["too-big", "unreadable"], mail: Inbound | None = None) -> None:
        super().__init__(why)
        self.why, self.mail = why, mail


def read(raw: Raw, authserv_id: str | None) -> Inbound:
    """Understands a mail. Raises Unreadable and nothing else."""
    content = raw.content
    if _header_size(content) > parts.HEADERS:
        raise Unreadable("too-big")
    if max(len(content), raw.size) > LARGEST or (not content and raw.size > 0):
        raise Unreadable("too-big", header_of(raw, authserv_id))
    try:
        mail = parts.parse(content)
    except parts.TooDeep:
        raise Unreadable("unreadable", header_of(raw, authserv_id)) from None
    return _understood(raw, mail, authserv_id)


def header_of(raw: Raw, authserv_id: str | None) -> Inbound | None:
    """What a mail's header says, as if it had no body; None where there is no header, or too much of it."""
    if not raw.content or _header_size(raw.content) > parts.HEADERS:
        return None
    head = parts.header_alone(raw.content)
    return _understood(raw, head, authserv_id)


def _header_size(content: bytes) -> int:
    ends = [at for mark in (b"\n\n", b"\n\r\n") if (at := content.find(mark, 0, parts.HEADERS + 2)) >= 0]
    return min(ends, default=len(content))


def _understood(raw: Raw, mail: Part, authserv_id: str | None) -> Inbound:
    headers = mail.headers
    sender, name, subject = identity.sender(headers), identity.shown_name(headers), decoding.header(mail.get("subject"))
    recipients, body = identity.recipients(headers), bodies.body_of(mail)
    own = written(body.text, _tokens(name, sender), body.structured)
    message_id = next(iter(_ID.findall(mail.get("message-id")[:2_000])), mail.get("message-id")[:900])
    return Inbound(
        key=_key(message_id, sender, raw.content),
        digest=hashlib.sha256(_body_bytes(raw.content)).hexdigest(),
        message_id=message_id,
        sender=sender,
        name=name,
        recipients=recipients,
        refers_to=_references(mail),
        subject=subject,
        arrived=raw.arrived,
        text=body.text,
        commands_text=own.commands,
        post_text=own.post if body.whole else None,
        verdict=identity.verdict(headers, authserv_id, sender),
        headers=tuple(headers),
        kinds=tuple(_kind(part) for part in mail.walk()),
        bounce=_bounce(mail, raw.content, subject, body.text, recipients),
        forwarded=own.forwarded or (phrases.FORWARD_PREFIX.match(subject) is not None and not own.commands.strip()),
        reaction=own.reaction,
    )


def _key(message_id: str, sender: str | None, content: bytes) -> str:
    """Of Message-ID and sender (two people's programs may both write `<1@localhost>`); of all bytes where there is no real Message-ID."""
    if not _REAL_ID.fullmatch(message_id):
        return hashlib.sha256(content).hexdigest()
    return hashlib.sha256(f"{message_id}\n{sender}".encode("utf-8", "surrogateescape")).hexdigest()


def _body_bytes(content: bytes) -> bytes:
    return content.replace(b"\r\n", b"\n").partition(b"\n\n")[2]


def _tokens(name: str, sender: str | None) -> list[str]:
    """The words by which somebody's signature is known."""
    words = re.findall(r"\w{3,}", name)[:6]
    if sender:
        words += re.findall(r"[a-z]{3,}", sender.partition("@")[0])[:4]
    return words


def _references(mail: Part) -> tuple[str, ...]:
    """The letters that this one answers, the nearest first; some programs put commas between them."""
    found: dict[str, None] = {}
    for reference in _ID.findall(mail.get("in-reply-to")[:4_000]) + _ID.findall(mail.get("references")[-20_000:])[::-1]:
        found[reference] = None
    return tuple(found)


def _kind(part: Part) -> str:
    if part.kind == "text/calendar":
        stated = part.parameters.get("method") or (
            match[1] if (match := re.search(r"^METHOD:\s*(\w{1,20})", part.text()[:4_000], re.M | re.I)) else ""
        )
        return f"text/calendar; method={stated.lower()}" if stated else part.kind
    if part.kind == "multipart/report":
        return f"multipart/report; report-type={part.parameters.get('report-type', '').lower()}"
    return part.kind


def _bounce(mail: Part, content: bytes, subject: str, text: str, ours: Container[str]) -> Bounce | None:
    """Looked for only where something says that this is one. `ours`: the addresses that it was sent to."""
    if mail.kind == "multipart/report" and mail.parameters.get("report-type", "delivery-status").lower() == "delivery-status":
        return reported(mail) or told_in_words(content, text, ours)
    if failed := mail.get("x-failed-recipients"):
        address = identity.normal(failed.partition(",")[0])
        return told_in_words(content, text, ours) or (Bounce(address, "soft") if address else None)
    null_path = mail.get("return-path").strip() == "<>"
    signs = (
        null_path
        + (is_daemon(mail.get("from")) or "postmaster@" in mail.get("from")[:500].lower())
        + (phrases.RETURNED.search(subject) is not None)
    )
    return told_in_words(content, text, ours) if signs >= 2 else None


def is_daemon(sender: str) -> bool:
    """Whether a From is that of a mail server itself."""
    return _DAEMON.search(sender[:500]) is not None
