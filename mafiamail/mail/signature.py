"""DKIM (RFC 6376), checked by ourselves where the mailbox's server says nothing of a sender. Needs the extra `dkim`."""

import logging
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Any

log = logging.getLogger("mafiamail")

Dns = Callable[[bytes], bytes | None]
"""The TXT record of a name such as `key._domainkey.example.org.`; None where there is none."""

SIGNED = frozenset({"from", "to", "message-id"})  # without these an old mail could be sent again as a new one, or to somebody else
MOST = 5  # signatures that are looked at


def is_possible() -> bool:
    """Whether the extra is installed."""
    return find_spec("dkim") is not None


def is_signed(content: bytes, sender: str, dns: Dns | None = None) -> bool:
    """Whether the sender's own domain, or one above it, has signed this mail, all of it. False where it cannot be told."""
    if not is_possible():
        return False
    import dkim

    domain = sender.rpartition("@")[2]
    asked: dict[str, Any] = {} if dns is None else {"dnsfunc": lambda name, timeout=5: dns(name)}
    for at in range(MOST):
        try:
            mail = dkim.DKIM(content, timeout=5)
            found = mail.verify_headerprep(at)
            if not found:
                return False
            if _is_enough(found[0], domain) and mail.verify(at, **asked):
                return True
        except Exception as error:  # whatever it stumbles over in a stranger's header or in DNS: this one proves nothing
            log.debug("a signature for %s was not read: %s", domain, error)
    return False


def _is_enough(tags: Mapping[bytes, bytes], domain: str) -> bool:
    """Whether it speaks for the domain, and covers what matters (a length would leave room for more words)."""
    signer = tags.get(b"d", b"").decode("ascii", "replace").lower().rstrip(".")
    aligned = "." in signer and (domain == signer or domain.endswith("." + signer))
    covered = {name.strip().lower() for name in tags.get(b"h", b"").decode("ascii", "replace").split(":")}
    return aligned and b"l" not in tags and covered >= SIGNED
