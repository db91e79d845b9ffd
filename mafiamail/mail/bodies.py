"""Which of a mail's parts hold the letter, and its text: alternatives weighed, flowed lines joined, armour of signatures taken off."""

import re
from dataclasses import dataclass

from mafiamail.mail import html
from mafiamail.mail.parts import Part
from mafiamail.mail.written import tidy

LONGEST = 300_000  # characters of a letter; what follows is cut

# What stands in a text part whose sender thinks that nobody reads it.
_STUB = re.compile(
    r"(?:does not|doesn.t|cannot|can.t|unable to) (?:support|display|show|read|view)\b.{0,40}html|html (?:capable|enabled|version)|"
    r"(?:your|this) (?:e-?mail|mail) (?:client|program|reader) (?:does not|doesn.t|can.t|cannot)|view this (?:e-?mail|message) in|"
    r"не поддерживает\b.{0,40}html|письмо в формате html|повідомлення у форматі html|не підтримує\b.{0,40}html|"
    r"(?:unterstützt|zeigt)\b.{0,40}html.{0,40}nicht|kein html|nachricht im html-format",
    re.I | re.S,
)


_MARKED = re.compile(r"^[ ]{0,3}>", re.M)


@dataclass(frozen=True, slots=True)
class Body:
    """`text` is tidy, quotes marked with `>`; `structured` where HTML told what is quoted; `whole` unless it was cut."""

    text: str
    structured: bool = False
    whole: bool = True


def body_of(mail: Part) -> Body:
    """The letter in a mail: files, old letters (`message/*`) and calendars are no part of it."""
    bodies = [body for body in _bodies(mail) if body.text.strip()]
    if not bodies:
        return Body("")
    if len(bodies) == 1:
        return bodies[0]
    text = "\n".join(body.text.strip("\n") for body in bodies)
    return Body(text[:LONGEST], any(b.structured for b in bodies), all(b.whole for b in bodies) and len(text) <= LONGEST)


def _bodies(part: Part) -> list[Body]:
    if part.parts:
        if part.kind == "multipart/alternative":
            return _best(part.parts)
        if part.kind == "multipart/report":
            return _bodies(part.parts[0])
        inner = part.parts[:1] if part.kind in ("multipart/related", "multipart/signed") else part.parts
        return [body for child in inner for body in _bodies(child)]
    if part.attached or part.kind.startswith("multipart/"):
        return []
    if part.kind in ("text/plain", "text/markdown"):
        return [_plain(part)]
    return [_html(part)] if part.kind == "text/html" else []


def _best(parts: list[Part]) -> list[Body]:
    """Of alternatives the plain text, unless it is empty, a stub, or knows less of the quote than the HTML."""
    plain = [body for part in parts if _leads_to(part, "text/plain") for body in _bodies(part)]
    text = "\n".join(body.text for body in plain)
    if any(char.isalnum() for char in text) and not (len(text) < 600 and _STUB.search(text)):
        if _MARKED.search(text) or "\n" not in text.strip() or not _shows_quote(parts):
            return plain
        structured = [body for part in parts if _leads_to(part, "text/html") for body in _bodies(part)]
        return structured if any(body.text.strip() for body in structured) else plain
    rich = [body for part in parts if not _leads_to(part, "text/plain") for body in _bodies(part)]
    return rich if any(body.text.strip() for body in rich) else plain


def _leads_to(part: Part, kind: str) -> bool:
    """Whether a part is of that type, or a bundle whose first leaf is."""
    while part.parts:
        part = part.parts[0]
    return part.kind == kind


def _shows_quote(parts: list[Part]) -> bool:
    return any(
        html.ANY_MARK.search(leaf.text()) for part in parts for leaf in part.walk() if leaf.kind == "text/html" and not leaf.attached
    )


def _plain(part: Part) -> Body:
    text = part.text()
    whole = len(text) <= LONGEST
    text = text[:LONGEST]
    if part.parameters.get("format", "").lower() == "flowed":
        text = unflow(text, part.parameters.get("delsp", "").lower() == "yes")
    if "-----BEGIN PGP " in text:
        text = _without_armour(text)
    return Body(tidy(text), whole=whole)


def _html(part: Part) -> Body:
    text = part.text()
    if not part.parameters.get("charset") and (declared := re.search(r"<meta[^>]{0,200}charset=[\"']?([\w-]{2,40})", text[:3_000], re.I)):
        part.parameters["charset"] = declared[1]
        text = part.text()
    return Body(tidy(html.to_text(text)), True, len(text) <= html.LARGEST)


def unflow(text: str, delsp: bool) -> str:
    """Joins the lines of format=flowed (RFC 3676): a name cut in two is one again; a quote is never joined to what is outside."""
    lines: list[str] = []
    depth_before, flows = -1, False
    for raw in text.replace("\r\n", "\n").split("\n"):
        bare = raw.lstrip(">")
        depth = len(raw) - len(bare)
        line = bare[1:] if bare.startswith(" ") else bare
        if flows and depth == depth_before and line != "-- ":
            lines[-1] += line
        else:
            lines.append(("> " * depth if depth else "") + line)
        flows = line.endswith(" ") and line != "-- "
        if flows and delsp:
            lines[-1] = lines[-1][:-1]
        depth_before = depth
    return "\n".join(lines)


_SIGNED = re.compile(r"-----BEGIN PGP SIGNED MESSAGE-----\s?\n(?:[A-Za-z-]{1,30}: .{0,100}\n)*\s*\n?")
_SIGNATURE = re.compile(r"-----BEGIN PGP SIGNATURE-----.*?(?:-----END PGP SIGNATURE-----|\Z)", re.S)


def _without_armour(text: str) -> str:
    text = text.replace("\r\n", "\n")
    if not _SIGNED.search(text):
        return text
    return re.sub(r"^- ", "", _SIGNATURE.sub("", _SIGNED.sub("", text)), flags=re.M)
