"""Bounces: which address cannot be written to, and whether for good."""

import logging
import re
from collections.abc import Container, Iterable
from dataclasses import dataclass
from email import message_from_bytes
from typing import Literal

from mafiamail.mail import identity
from mafiamail.mail.parts import Part

# Only these say that nobody reads there; other 5.x.x are about the letter, the quota or the mood of a server.
_FOR_GOOD = re.compile(r"5\.(?:1\.(?:1|2|3|10)|2\.1)")
_STATUS = re.compile(r"(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.])")
_UNKNOWN = re.compile(
    r"user unknown|unknown user|no such (?:user|mailbox|recipient)|mailbox (?:not found|unavailable|does not exist)|does not exist", re.I
)
_READ = 64_000  # bytes of a bounce that are looked at


@dataclass(frozen=True, slots=True)
class Bounce:
    """A letter to `address` did not arrive. Only `hard` ones mean that none ever will."""

    address: str
    kind: Literal["hard", "soft"]


def reported(mail: Part) -> Bounce | None:
    """What a delivery report (RFC 3464) says; the worst of several recipients."""
    found = [bounce for part in mail.walk() if part.kind == "message/delivery-status" for bounce in _recipients(part)]
    return next((bounce for bounce in found if bounce.kind == "hard"), found[0] if found else None)


def _recipients(part: Part) -> Iterable[Bounce]:
    text = part.content()[:_READ].decode("utf-8", "replace").replace("\r\n", "\n")
    for block in re.split(r"\n[ \t]*\n", text):
        fields = {m[1].lower(): m[2] for m in re.finditer(r"^([\w-]{1,40}):[ \t]*(.*(?:\n[ \t].*)*)", block, re.M)}
        named = fields.get("original-recipient") or fields.get("final-recipient", "")
        address = identity.normal(named.rpartition(";")[2].strip().strip("<>"))
        if address is None or fields.get("action", "failed").strip().lower() not in ("failed", "delayed"):
            continue
        status = f"{fields.get('status', '')} {fields.get('diagnostic-code', '')}"
        lasting = fields.get("action", "failed").strip().lower() == "failed" and _is_for_good(status)
        yield Bounce(address, "hard" if lasting else "soft")


def _is_for_good(status: str) -> bool:
    """The first precise code decides; without one, the words."""
    codes = [code for code in _STATUS.findall(status) if not code.endswith(".0.0")]
    if codes:
        return _FOR_GOOD.fullmatch(codes[0]) is not None
    return _UNKNOWN.search(status) is not None


def told_in_words(content: bytes, text: str, ours: Container[str]) -> Bounce | None:
    """What a bounce without a report says. `text`: its words; `ours`: addresses that it was sent to, so not the one it is about."""
    from flufl.bounce import all_failures  # two dozen modules that most mails never need

    logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL)  # it logs a trace for each odd header of a stranger
    try:
        temporary, permanent = all_failures(message_from_bytes(content[:_READ]))
    except Exception:  # it reads strangers' mail with the strict half of the standard library
        return _guessed(text[:8_000], ours)
    known = next((address for address in map(_address, sorted(permanent)) if address not in ours), None)
    if known is not None:
        codes = _STATUS.findall(text[:_READ])
        return Bounce(known, "hard" if not codes or _is_for_good(text[:_READ]) else "soft")
    delayed = next((address for address in map(_address, sorted(temporary)) if address not in ours), None)
    return Bounce(delayed, "soft") if delayed is not None else _guessed(text[:8_000], ours)


def _address(raw: bytes | str) -> str | None:
    return identity.normal(raw.decode("ascii", "replace") if isinstance(raw, bytes) else raw)


def _guessed(text: str, ours: Container[str]) -> Bounce | None:
    """The first address in brackets or on a line of its own, where nothing else is known."""
    for match in re.finditer(r"<([^<>\s]{3,320})>|^[ \t]{0,20}([^<>\s:]{3,320}@[^<>\s:]{3,200}):?[ \t]{0,20}$", text, re.M):
        address = identity.normal(match[1] or match[2])
        if address is not None and address not in ours:
            return Bounce(address, "hard" if _is_for_good(text) else "soft")
    return None
