"""Letters out: RFC 5322, 2047, 2045 and 3834 by hand, for one letter costs the standard library ten times as much."""

import binascii
import hashlib
import re
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime
from typing import Literal

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_BODY_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_BREAK = re.compile(r"\r\n?|[\u2028\u2029\x85\x0b\x0c]")
_ID = re.compile(r"<[A-Za-z0-9!#$%&'*+/=?^_`{|}~.@\[\]:-]{1,900}>")
_NOT_ADDRESS = re.compile(r"[^A-Za-z0-9!#$%&'*+/=?^_`{|}~.@-]")
_BASE64_LINE = re.compile(rb".{1,76}", re.S)


@dataclass(frozen=True, slots=True)
class Outbound:
    """One letter to one recipient. Message-IDs with their `<>`; the last of `references` is what it answers."""

    sender: str
    sender_name: str
    to: str
    reply_to: str
    subject: str
    text: str
    html: str
    message_id: str
    references: tuple[str, ...]
    date: datetime
    automatic: Literal["generated", "replied"]
    list_id: str
    attachments: tuple[tuple[str, bytes], ...] = ()  # (name, JSON)


def write(letter: Outbound) -> bytes:
    """The letter's bytes, CRLF, lines of at most 76 characters where the standard lets them be cut."""
    boundary = "=_" + hashlib.sha256(letter.message_id.encode("utf-8", "replace")).hexdigest()[:32]
    head = [
        f"From: {_mailbox(letter.sender_name, letter.sender)}",
        f"To: {_address(letter.to)}",
        *([f"Reply-To: {_address(letter.reply_to)}"] if letter.reply_to else []),
        f"Subject: {_unstructured(letter.subject, 9)}",
        f"Date: {format_datetime(letter.date)}",
        *_threading(letter),
        f"Auto-Submitted: auto-{letter.automatic}",
        "X-Auto-Response-Suppress: All",
        "Precedence: list",
        *_list(letter.list_id),
        "X-Mafiamail: 1",
        "MIME-Version: 1.0",
    ]
    base64 = not letter.subject.isascii()  # not by what stands in it, or the size of a letter would tell one reader's news from another's
    parts = [_part(kind, body, base64) for kind, body in (("plain", letter.text), ("html", letter.html)) if body or kind == "plain"]
    whole = _multipart("alternative", boundary, parts)
    if letter.attachments:
        whole = _multipart("mixed", boundary + "-m", [whole, *(_attachment(name, data) for name, data in letter.attachments)])
    return "\r\n".join(head).encode("ascii") + b"\r\n" + whole


def _multipart(kind: str, boundary: str, parts: list[bytes]) -> bytes:
    """Several parts as one, with its Content-Type."""
    mark = boundary.encode()
    head = f'Content-Type: multipart/{kind};\r\n boundary="{boundary}"\r\n\r\n'.encode("ascii")
    return head + (b"--" + mark + b"\r\n").join((b"", *parts)) + b"--" + mark + b"--\r\n"


def _attachment(name: str, data: bytes) -> bytes:
    """A file of JSON; its name keeps only what no header can be broken with."""
    plain = re.sub(r"[^A-Za-z0-9._-]", "", name)
    head = f'Content-Type: application/json\r\nContent-Disposition: attachment; filename="{plain}"\r\n'
    lines = _BASE64_LINE.findall(binascii.b2a_base64(data, newline=False))
    return head.encode("ascii") + b"Content-Transfer-Encoding: base64\r\n\r\n" + b"\r\n".join(lines) + b"\r\n"


def _part(kind: str, body: str, base64: bool) -> bytes:
    """One body, in base64 or quoted-printable."""
    text = _BODY_CONTROL.sub("", _BREAK.sub("\n", body))
    data = (text if text.endswith("\n") else text + "\n").encode().replace(b"\n", b"\r\n")
    if base64:
        encoding = b"base64"
        packed = binascii.b2a_base64(data, newline=False)
        encoded = b"\r\n".join(_BASE64_LINE.findall(packed)) + b"\r\n"
    else:
        encoding = b"quoted-printable"
        encoded = binascii.b2a_qp(data, istext=True)
    return b"Content-Type: text/" + kind.encode() + b"; charset=utf-8\r\nContent-Transfer-Encoding: " + encoding + b"\r\n\r\n" + encoded


def _threading(letter: Outbound) -> list[str]:
    lines = [f"Message-ID: {_one_id(letter.message_id)}"]
    references = [found[0] for reference in letter.references if (found := _ID.fullmatch(reference.strip()))]
    if references:
        kept = references if len(references) <= 20 else [references[0], *references[-19:]]
        lines += [f"In-Reply-To: {kept[-1]}", "References: " + "\r\n ".join(kept)]
    return lines


def _one_id(message_id: str) -> str:
    """A Message-ID that any program can refer to, even if a wrong one was asked for."""
    if found := _ID.fullmatch(message_id.strip()):
        return found[0]
    return f"<{hashlib.sha256(message_id.encode('utf-8', 'replace')).hexdigest()[:32]}@mafiamail.invalid>"


def _list(list_id: str) -> list[str]:
    name = re.sub(r"[^A-Za-z0-9.-]", "", list_id)
    return [f"List-Id: <{name}>"] if name else []


def _address(address: str) -> str:
    local, _, domain = address.strip().rpartition("@")
    if not domain.isascii():
        try:
            domain = domain.encode("idna").decode("ascii")
        except UnicodeError:
            domain = ""
    return _NOT_ADDRESS.sub("", f"{local}@{domain}")


def _mailbox(name: str, address: str) -> str:
    shown = " ".join(_CONTROL.sub(" ", name).split())
    if not shown:
        return _address(address)
    if shown.isascii() and len(shown) <= 50 and "=?" not in shown:
        escaped = shown.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}" <{_address(address)}>'
    return f"{_words(shown, 6)}\r\n <{_address(address)}>"


def _unstructured(value: str, used: int) -> str:
    """A subject: one line of ASCII as it is, anything else as encoded words."""
    shown = " ".join(_CONTROL.sub(" ", value).split())
    if shown.isascii() and len(shown) + used <= 76 and "=?" not in shown:
        return shown
    return _words(shown, used)


def _words(value: str, used: int) -> str:
    """RFC 2047 in base64; no character is cut in two, no line is longer than 76 characters. `used` stand before the first."""
    words: list[str] = []
    room = (76 - used - 12) // 4 * 3
    chunk = b""
    for char in value:
        data = char.encode("utf-8", "replace")
        if chunk and len(chunk) + len(data) > room:
            words.append(_word(chunk))
            chunk, room = b"", (75 - 12) // 4 * 3
        chunk += data
    words.append(_word(chunk))
    return "\r\n ".join(words)


def _word(data: bytes) -> str:
    return f"=?utf-8?B?{binascii.b2a_base64(data, newline=False).decode()}?="
