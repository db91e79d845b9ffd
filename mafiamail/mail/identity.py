"""Whose mail this is, and what proves it. Never the display name, never a verdict that somebody else wrote."""

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from mafiamail.mail import decoding

Headers = Sequence[tuple[str, str]]
Verdict = Literal["pass", "fail", "none"]

_LOCAL = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}"
_DOMAIN = r"[^\s<>()\[\]\\,;:@\"]{1,255}"
_ADDRESS = re.compile(rf"({_LOCAL})@({_DOMAIN})")
_BARE = re.compile(rf"({_LOCAL}@{_DOMAIN})")
_ANGLE = re.compile(rf'((?:"(?:[^"\\]|\\.)*+"|[^"<>()\[\]@;:\\])*+)<\s*({_LOCAL}@{_DOMAIN})\s*>', re.S)
_ANY = re.compile(rf"(?<![A-Za-z0-9!#$%&'*+/=?^_`{{|}}~.-]){_LOCAL}@[A-Za-z0-9.-]{{1,255}}")
_RECEIVING = (
    "to",
    "cc",
    "delivered-to",
    "x-original-to",
    "envelope-to",
    "x-envelope-to",
    "x-gm-original-to",
    "x-forwarded-to",
    "resent-to",
    "apparently-to",
)


def normal(address: str) -> str | None:
    """An address as it is compared: ASCII in lower case, the domain as DNS knows it. None where it is no address."""
    match = _ADDRESS.fullmatch(address.strip())
    if match is None:
        return None
    local, domain = match[1].lower(), match[2].rstrip(".")
    if not domain.isascii():
        try:
            encoded = domain.encode("idna").decode("ascii").lower()
        except UnicodeError:
            return None
        if "xn--" not in encoded:  # a sign that only looks like a letter of ASCII
            return None
        domain = encoded
    if (
        not domain
        or local.startswith(".")
        or local.endswith(".")
        or ".." in local
        or not re.fullmatch(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*", domain)
    ):
        return None
    return f"{local}@{domain.lower()}"


def sender(headers: Headers) -> str | None:
    """The one address of the one From header; None where two programs could read it as two people."""
    values = [value for name, value in headers if name == "from"]
    if len(values) != 1 or len(values[0]) > 2_000:
        return None
    value = _words(values[0])
    if bare := _BARE.fullmatch(value):
        return normal(bare[1])
    match = _ANGLE.fullmatch(value)
    if match is None:
        return None
    address = normal(match[2])
    shown = decoding.header(match[1]) if "=?" in match[1] else match[1]
    if any(found[0].lower() != address for found in _ANY.finditer(shown)):  # "anna@example.org" <eve@example.net>
        return None
    return address


def shown_name(headers: Headers) -> str:
    """The name that the sender's program shows: for finding it in a signature, never for finding the sender."""
    value = next((value for name, value in headers if name == "from"), "")[:1_000]
    name = decoding.header(value.rpartition("<")[0] if "<" in value else "")
    return name.replace('"', "").strip()


def _words(value: str) -> str:
    """8-bit bytes in a display name as letters, so that what follows sees one string."""
    return (value if value.isascii() else decoding.guess(value.encode("utf-8", "surrogateescape"))).strip()


def recipients(headers: Headers) -> tuple[str, ...]:
    """Every address that this mail was sent to or has come through, in lower case, each once."""
    found: dict[str, None] = {}
    for name, value in headers:
        if name in _RECEIVING:
            for match in _ANY.finditer(value[:20_000]):
                found[match[0].lower()] = None
    return tuple(found)


# ------------------------------------------------------------------ Authentication-Results (RFC 8601)

_METHOD = re.compile(r"\s*([A-Za-z][\w.-]{0,40})(?:\s*/\s*\d+)?\s*=\s*([A-Za-z]{1,20})")
_BRACKETS = re.compile(r'([()"])')
_PROPERTY = re.compile(r"([a-z]{1,20}\.[A-Za-z-]{1,40})\s*=\s*\"?([^\s;\"]{1,300})")


def verdict(headers: Headers, authserv_id: str | None, address: str | None) -> Verdict:
    """What the own mail server says of the From domain. Only its own headers count, those on top; a fail in any of them wins.
    An `authserv_id` of `none` is for servers that write none (Microsoft): then the first header counts."""
    if not authserv_id or address is None:
        return "none"
    domain = address.rpartition("@")[2]
    found = [_judged(results, domain) for results in _own_results(headers, authserv_id.lower())]
    if "fail" in found:
        return "fail"
    return "pass" if "pass" in found and "doubt" not in found and _agree(headers, authserv_id.lower()) else "none"


def _agree(headers: Headers, own: str) -> bool:
    """Whether the server's headers make one picture. The lower of two that contradict each other may have come with the mail, and so may a
    DMARC pass where the server has looked at SPF and DKIM, and neither passed."""
    passed: dict[str, set[bool]] = {}
    for results in _own_results(headers, own):
        here: dict[str, bool] = {}
        for match in filter(None, map(_METHOD.match, results)):
            method = match[1].lower()
            here[method] = here.get(method, False) or match[2].lower() == "pass"
        for method, good in here.items():
            passed.setdefault(method, set()).add(good)
    looked_at = [passed[method] for method in ("spf", "dkim") if method in passed]
    return all(len(passed.get(method, ())) < 2 for method in ("spf", "dkim", "dmarc")) and (
        not looked_at or any(True in s for s in looked_at)
    )


def _own_results(headers: Headers, own: str) -> Iterable[list[str]]:
    """The results in each header of ours, those above the next `Received`: what stands lower has come with the mail."""
    seen = False
    for name, value in headers:
        if name == "received" and seen:
            return
        if name != "authentication-results":
            continue
        seen = True
        first, *results = _uncommented(value[:8_000]).split(";")
        if "=" in first:
            if own == "none":
                yield [first, *results]
                return
        elif (words := first.split()) and words[0].strip('"').lower() == own:
            yield results


def _uncommented(value: str) -> str:
    """Without (comments), which may nest; a bracket inside quotes is none."""
    kept: list[str] = []
    depth, quoted = 0, False
    for piece in _BRACKETS.split(value):
        if piece == '"' and not depth:
            quoted = not quoted
        if piece == "(" and not quoted:
            depth += 1
        elif piece == ")" and depth and not quoted:
            depth -= 1
        elif not depth:
            kept.append(piece)
    return "".join(kept)


def _judged(results: Iterable[str], domain: str) -> str:
    """One header: `pass`, `fail`, `doubt` (something failed and nothing vouches) or `none`."""
    said: dict[str, set[str]] = {"dmarc": set(), "dkim": set(), "spf": set()}
    for result in results:
        match = _METHOD.match(result)
        if match is None or match[1].lower() not in said:
            continue
        method, outcome = match[1].lower(), match[2].lower()
        about = {key.lower(): value.lower() for key, value in _PROPERTY.findall(result)}
        said[method].add(outcome if outcome != "pass" or _concerns(method, about, domain) else "other")
    if said["dmarc"] & {"fail", "reject", "quarantine"}:
        return "fail"
    if "pass" in said["dmarc"] and len(said["dmarc"]) == 1:
        return "pass"
    if "pass" in said["dkim"] or "pass" in said["spf"]:
        return "pass"
    if "fail" in said["spf"] or "fail" in said["dkim"]:
        return "fail"
    return "doubt" if (said["spf"] | said["dkim"] | said["dmarc"]) & {"softfail", "permerror", "policy"} else "none"


def _concerns(method: str, about: dict[str, str], domain: str) -> bool:
    """Whether a pass is about the From domain (aligned), not about some other one."""
    match method:
        case "dmarc":
            named = about.get("header.from", domain)
        case "dkim":
            named = about.get("header.d") or about.get("header.i", "").rpartition("@")[2]
        case _:
            named = about.get("smtp.mailfrom", "").rpartition("@")[2]
    named = named.strip("@.<>")
    return bool(named) and (named == domain or (named.count(".") and domain.endswith("." + named)) or named.endswith("." + domain))
