"""Mail that wants to break the reader: it never raises anything but Unreadable, and takes no longer than a moment."""

import random
import resource
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mafiamail.mail.message import LARGEST, Raw, Unreadable, read
from tests.mail.reading import ARRIVED, SERVER, raw, reading

MAILS = sorted((Path(__file__).parent.parent / "mails").glob("*.eml"))
HEAD = b"From: Owen Price <owen@icl.example.org>\nTo: mafia@example.org\nMessage-ID: <x@icl.example.org>\n"
SIZE = 250_000


def nested(kind: bytes, depth: int) -> bytes:
    content = b"Content-Type: text/plain\n\nVOTE: Old Tom\n"
    for level in range(depth):
        mark = b"b%d" % level
        content = b"Content-Type: multipart/%s; boundary=%s\n\n--%s\n" % (kind, mark, mark) + content + b"\n--%s--\n" % mark
    return content


def html(body: str) -> bytes:
    return HEAD + b"Content-Type: text/html; charset=utf-8\n\n" + body.encode()


def text(body: str) -> bytes:
    return HEAD + b"Content-Type: text/plain; charset=utf-8\n\n" + body.encode()


HOSTILE = {
    "3,000 nested multiparts": HEAD + nested(b"mixed", 3_000),
    "3,000 nested messages": HEAD + b"Content-Type: message/rfc822\n\n" * 3_000 + b"VOTE: Old Tom\n",
    "100,000 parts": HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 100_000,
    "200 kB From": b"From: " + b"a," * 100_000 + b"\n\nVOTE: Old Tom\n",
    "200 kB From of one word": b"From: " + b"a" * 200_000 + b"\n\nVOTE: Old Tom\n",
    "200 kB From of quotes": b"From: " + b'"\\' * 100_000 + b"\n\nVOTE: Old Tom\n",
    "200 kB To without an at sign": HEAD + b"Cc: " + b"a" * 200_000 + b"\n\nVOTE: Old Tom\n",
    "200 kB To of at signs": HEAD + b"Cc: " + b"a@" * 100_000 + b"\n\nVOTE: Old Tom\n",
    "100,000 headers": HEAD + b"X: y\n" * 40_000 + b"\nVOTE: Old Tom\n",
    "Subject of encoded words": HEAD + b"Subject: " + b"=?utf-8?q?" * 20_000 + b"\n\nVOTE: Old Tom\n",
    "Content-Type of semicolons": HEAD + b'Content-Type: text/plain; x="' + b";" * 200_000 + b"\n\nVOTE: Old Tom\n",
    "Content-Type with a star": HEAD + b"Content-Type: text/plain; name*\n\nVOTE: Old Tom\n",
    "References of brackets": HEAD + b"References: " + b"<" * 200_000 + b"\n\nVOTE: Old Tom\n",
    "Message-ID with brackets": b"From: owen@icl.example.org\nMessage-ID: <[x]@[y]>\n\nVOTE: Old Tom\n",
    "verdict of brackets": HEAD + b"Authentication-Results: mx.example.org; " + b"(" * 200_000 + b"\n\nVOTE: Old Tom\n",
    "quote signs": text(">" * SIZE),
    "lines of quote signs": text(">\n" * (SIZE // 2)),
    "blanks": text(" " * SIZE),
    "empty lines": text("\n" * SIZE),
    "underscores": text("_" * SIZE),
    "dashes": text("-" * SIZE),
    "lines of dashes": text("--\n" * (SIZE // 3)),
    "one word": text("a" * SIZE),
    "one digit": text("1" * SIZE),
    "digits and dashes": text("1-" * (SIZE // 2)),
    "at signs": text("a@" * (SIZE // 2)),
    "colons": text(":" * SIZE),
    "lines of colons": text("a:\n" * (SIZE // 3)),
    "lines of From": text("From: a\n" * (SIZE // 8)),
    "lines of On": text("On Wed, 13 May 2026\n" * (SIZE // 20)),
    "On without end": text("On Wed, 13 May 2026 " * (SIZE // 20)),
    "wrote": text("wrote " * (SIZE // 6)),
    "addresses": text("<a@b> " * (SIZE // 6)),
    "armour": text("-----BEGIN PGP SIGNED MESSAGE-----\n" * (SIZE // 35)),
    "armour of signatures": text("-----BEGIN PGP SIGNATURE-----\n" * (SIZE // 30)),
    "votes": text("VOTE: Old Tom\n" * (SIZE // 14)),
    "near-votes": text("VOET: Old Tom\n" * (SIZE // 14)),
    "say": text("SAY: x\n" * (SIZE // 7)),
    "new games": text("NEW GAME\n\n" * (SIZE // 10)),
    "long settings": text("NEW GAME\n" + ("a = " + "b" * 60 + "\nc\n") * (SIZE // 70)),
    "quotes between": text("> a\nb\n" * (SIZE // 6)),
    "signs below zero": text("\u200b" * (SIZE // 3)),
    "joiners": text("\u200d" * (SIZE // 3)),
    "nul": HEAD + b"\n" + b"\0" * SIZE,
    "less-than": html("<" * SIZE),
    "open tags": html("<div>" * (SIZE // 5)),
    "quotes open": html("<blockquote>" * (SIZE // 12)),
    "attributes open": html('<a b="' * (SIZE // 6)),
    "attributes open, once closed": html("<a b='" * (SIZE // 6) + ">"),
    "comments open": html("<!--" * (SIZE // 4)),
    "entities": html("&#1" * (SIZE // 3)),
    "an entity of 250 kB": html("&#" + "1" * SIZE + ";"),
    "styles open": html("<style>" * (SIZE // 7)),
    "winmail": HEAD + b"Content-Type: application/ms-tnef\nContent-Transfer-Encoding: base64\n\n" + b"eJ8+" * 10_000,
    "zip": HEAD + b"Content-Type: application/zip\nContent-Transfer-Encoding: base64\n\n" + b"UEsDBA==\n" * 10_000,
    "bounce of brackets": b"Return-Path: <>\nFrom: MAILER-DAEMON@x.example\nSubject: failure notice\n\n" + b"<" * SIZE,
    "bounce of lines": b"Return-Path: <>\nFrom: MAILER-DAEMON@x.example\nSubject: failure notice\n\n"
    + b"550 5.1.1 <a@b.example>\n" * 10_000,
    "report of nothing": HEAD + b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n" + b"--b\n" * 50_000,
    "delivery status": HEAD
    + b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\nx\n--b\nContent-Type: message/delivery-status\n\n"
    + b"Final-Recipient: rfc822;" * 10_000,
    "charset": HEAD + b"Content-Type: text/plain; charset=" + b"x" * 100_000 + b"\n\nVOTE: Old Tom\n",
    "charset idna": HEAD + b"Content-Type: text/plain; charset=idna\n\n" + b"a" * SIZE + b"\xff",
    "charset punycode": HEAD + b"Content-Type: text/plain; charset=punycode\n\n" + b"a" * SIZE + b"\xff",
    "charset zip": HEAD + b"Content-Type: text/plain; charset=zip\n\nVOTE: Old Tom\xff\n",
    "base64 of nothing": HEAD + b"Content-Transfer-Encoding: base64\n\n" + b"=" * SIZE,
    "boundary of signs": HEAD + b'Content-Type: multipart/mixed; boundary="(((((((a+)+)+"\n\n--(((((((a+)+)+\n\nVOTE: Old Tom\n',
    "only a line end": b"\n",
    "nothing": b"",
    "no header": b"\nVOTE: Old Tom",
    "one byte": b"\xff",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_mail_costs_less_than_a_second(name: str) -> None:
    begin = time.process_time()
    reading(HOSTILE[name])
    assert time.process_time() - begin < 1


def test_a_mail_that_was_too_big_to_fetch_is_refused_unread() -> None:
    with pytest.raises(Unreadable, match="too-big"):
        read(Raw(b"", ARRIVED, size=LARGEST + 1), SERVER)
    with pytest.raises(Unreadable, match="too-big"):
        read(raw(b"\n" * (LARGEST + 1)), SERVER)


def test_a_header_of_more_than_the_limit_is_refused() -> None:
    with pytest.raises(Unreadable, match="too-big"):
        read(raw(b"X: " + b"y" * 300_000 + b"\n\nVOTE: Old Tom\n"), SERVER)


def test_mail_of_five_megabytes_is_read_in_a_second() -> None:
    content = HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nVOTE: Old Tom\n--b\nContent-Type: image/jpeg\n"
    content += b"Content-Transfer-Encoding: base64\n\n" + b"QUJD" * 19 * 60_000 + b"\n--b--\n"
    begin = time.process_time()
    assert reading(content).commands == [["VOTE", "Old Tom"]]
    assert time.process_time() - begin < 1


FRAGMENTS = (
    *(b"From: owen@icl.example.org\n", b"From: <", b"To: mafia@example.org\n", b"Subject: =?utf-8?b?", b"?=\n", b"\n", b"\r\n", b"\r"),
    *(b"Content-Type: multipart/mixed; boundary=b\n", b'Content-Type: multipart/alternative; boundary="b"\n', b"--b\n", b"--b--\n"),
    *(b"Content-Type: text/html; charset=", b"utf-8\n", b"koi8-r\n", b"utf-7\n", b"Content-Type: text/plain; format=flowed; delsp=yes\n"),
    *(b"Content-Type: message/rfc822\n", b"Content-Type: message/delivery-status\n", b"Content-Type: multipart/report; boundary=b\n"),
    *(b"Content-Transfer-Encoding: base64\n", b"Content-Transfer-Encoding: quoted-printable\n", b"Auto-Submitted: auto-replied\n"),
    *(b"<blockquote>", b"</blockquote>", b"<div>", b"<!--", b"&#x110000;", b"> ", b">>> ", b"-- \n", b"________________________________\n"),
    *("ГОЛОС: Лесник\n".encode(), "ГОЛОС: Лесник\n".encode("cp1251"), b"VOTE: Old Tom\n", b"SAY: ", b"VOTE", b"NEW GAME\n", b"a = b\n"),
    *(b"On Wed, 13 May 2026 at 07:02, Anna <a@b.example> wrote:\n", '13.05.2026, 07:02, "Имя" <a@b.example>:\n'.encode()),
    *(b"\xff\xfe", b"\x00", "\u202e\u200b\ufeff".encode(), b"=\n", b"=D0", b"\x1b$B", b"Received: by x\n", b"In-Reply-To: <"),
)


def mutated(chance: random.Random, contents: list[bytes]) -> bytes:
    """A sample with bytes changed, lines lost, doubled or taken from another sample."""
    content = bytearray(chance.choice(contents))
    for _ in range(chance.randint(1, 8)):
        at = chance.randrange(len(content) + 1)
        match chance.randrange(5):
            case 0:
                content[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                del content[at : at + chance.randint(1, 200)]
            case 2:
                content[at:at] = content[at : at + chance.randint(1, 400)]
            case 3:
                other = chance.choice(contents)
                start = chance.randrange(len(other))
                content[at:at] = other[start : start + chance.randint(1, 300)]
            case _:
                content[at:at] = chance.choice(
                    (b"\r", b"\n\n", b"\0", b"=?", b"?=", b"--", b"<", b'"', b";", b"*", b"\xd0", b"()", b">", b": ")
                )
    return bytes(content)


def fuzz(seed: int, mails: int) -> None:
    """No exception, no mail that takes a second, and no more memory than a few mails need."""
    chance = random.Random(seed)
    contents = [path.read_bytes() for path in MAILS]
    for _ in range(mails):
        content = mutated(chance, contents)
        begin = time.process_time()
        reading(content, chance.choice(("day", "night")))
        assert time.process_time() - begin < 1


@pytest.mark.parametrize("seed", range(10))
def test_no_mutated_mail_raises_or_takes_long(seed: int) -> None:
    fuzz(seed, 500)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(1_000, 1_020))
def test_none_of_200_000_mutated_mails_raises_or_takes_long(seed: int) -> None:
    fuzz(seed, 100)  # warm: caches and pools are filled
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    fuzz(seed + 1_000, 9_900)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # KiB


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=30), st.binary(max_size=60))
@settings(max_examples=300, deadline=1_000)
def test_no_mail_put_together_from_dangerous_pieces_raises(pieces: list[bytes], rest: bytes) -> None:
    reading(b"".join(pieces) + rest)
