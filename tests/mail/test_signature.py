"""DKIM checked by ourselves, with a key made here and a DNS that is a dictionary."""

import base64
import random

import pytest

from mafiamail.mail.signature import is_signed
from tests.kit import HOST, OUTSIDE, World

dkim = pytest.importorskip("dkim")

CHANCE = random.Random(7)  # the same key each time
MAIL = (
    "From: Анна <anna@mail.example.org>\r\nTo: mafia@example.org\r\nMessage-ID: <1@mail.example.org>\r\nSubject: Re\r\n"
    "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\nГОЛОС: Лесник\r\n"
).encode()
ALL = [b"from", b"to", b"message-id", b"subject"]


def der(kind: int, content: bytes) -> bytes:
    size = len(content)
    length = bytes([size]) if size < 128 else (b"\x81" + bytes([size]) if size < 256 else b"\x82" + size.to_bytes(2, "big"))
    return bytes([kind]) + length + content


def numbers(*values: int) -> bytes:
    return der(0x30, b"".join(der(2, value.to_bytes(value.bit_length() // 8 + 1, "big")) for value in values))


def prime(bits: int) -> int:
    while True:
        found = CHANCE.getrandbits(bits) | 1 | 3 << (bits - 2)
        if all(pow(base, found - 1, found) == 1 for base in (2, 3, 5, 7, 11)):
            return found


def key_pair() -> tuple[bytes, bytes]:
    """A private key as PEM, and the TXT record with the public one."""
    e, p, q = 65537, prime(512), prime(512)
    n, d = p * q, pow(e, -1, (p - 1) * (q - 1))
    private = numbers(0, n, e, d, p, q, d % (p - 1), d % (q - 1), pow(q, -1, p))
    algorithm = bytes.fromhex("300d06092a864886f70d0101010500")
    public = der(0x30, algorithm + der(3, b"\0" + numbers(n, e)))
    pem = b"-----BEGIN RSA PRIVATE KEY-----\n" + base64.encodebytes(private) + b"-----END RSA PRIVATE KEY-----\n"
    return pem, b"v=DKIM1; k=rsa; p=" + base64.b64encode(public)


PRIVATE, RECORD = key_pair()
SENDER = "anna@mail.example.org"


def dns(name: bytes) -> bytes | None:
    return {b"k._domainkey.mail.example.org.": RECORD, b"k._domainkey.example.org.": RECORD, b"k._domainkey.evil.example.net.": RECORD}.get(
        name
    )


def signed(content: bytes = MAIL, domain: bytes = b"mail.example.org", covered: list[bytes] = ALL, length: bool = False) -> bytes:
    signature: bytes = dkim.sign(content, b"k", domain, PRIVATE, include_headers=covered, length=length)
    return signature + content


def test_a_signature_of_the_senders_domain_proves_him() -> None:
    assert is_signed(signed(), SENDER, dns)
    assert is_signed(signed(domain=b"example.org"), SENDER, dns)


@pytest.mark.parametrize(
    "content",
    [
        MAIL,
        signed().replace("Лесник".encode(), "Лесной".encode()),
        signed().replace(b"anna@", b"olga@"),
        signed(domain=b"evil.example.net"),
        signed(covered=[b"from", b"subject"]),
        signed(length=True),
        signed().replace(b"s=k", b"s=j"),
        signed().replace(b"v=1", b"v=?"),
        b"DKIM-Signature: " + b";" * 1000 + b"\r\n" + MAIL,
        b"",
    ],
    ids=[
        "none",
        "other words",
        "other sender",
        "other domain",
        "Message-ID left out",
        "length",
        "no such key",
        "broken",
        "garbage",
        "nothing",
    ],
)
def test_anything_less_proves_nothing(content: bytes) -> None:
    assert not is_signed(content, SENDER, dns)


def test_a_second_signature_counts_where_the_first_is_somebody_elses() -> None:
    inner = signed()
    assert is_signed(dkim.sign(inner, b"k", b"evil.example.net", PRIVATE, include_headers=ALL) + inner, SENDER, dns)


def test_a_dns_that_fails_proves_nothing() -> None:
    def broken(name: bytes) -> bytes | None:
        raise TimeoutError

    assert not is_signed(signed(), SENDER, broken)


@pytest.mark.parametrize(("switched_on", "obeyed"), [("true", True), ("false", False)])
def test_a_signed_mail_is_obeyed_where_the_host_wants_signatures_checked(switched_on: str, obeyed: bool) -> None:
    world = World(mail_keys=f"{OUTSIDE}, dkim: {switched_on}")
    world.daemon.desk._dns = dns
    mail = MAIL.replace("ГОЛОС: Лесник".encode(), "ПРАВИЛА\r\nНОВАЯ ИГРА".encode()).replace(b"anna@mail.example.org", HOST.encode())
    letters = world.raw(signed(mail, b"example.org"))
    assert ("Did you write it?" not in letters[0].plain and "вы его писали" not in letters[0].plain.lower()) == obeyed
