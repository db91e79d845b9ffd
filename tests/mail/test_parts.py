"""MIME read by hand gives what the standard library gives, where that one can be trusted."""

from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest

from mafiamail.mail import parts

MAILS = sorted((Path(__file__).parent.parent / "mails").glob("*.eml"))
TOO_DEEP = {"nested-forty-deep"}


def leaves(message: Message) -> list[tuple[str, bytes]]:
    if message.get_content_maintype() == "message":
        return [(message.get_content_type(), b"")]
    if message.is_multipart():
        return [leaf for part in message.get_payload() if isinstance(part, Message) for leaf in leaves(part)]
    payload = message.get_payload(decode=True)
    assert isinstance(payload, bytes)
    return [(message.get_content_type(), payload.replace(b"\r\n", b"\n").strip())]


@pytest.mark.parametrize("path", [path for path in MAILS if path.stem[3:].lstrip("-") not in TOO_DEEP], ids=lambda path: path.name)
def test_parts_are_those_of_the_standard_library(path: Path) -> None:
    content = path.read_bytes()
    found = [
        (part.kind, b"" if part.kind.startswith("message/") else part.content().replace(b"\r\n", b"\n").strip())
        for part in parts.parse(content).walk()
        if not part.parts
    ]
    assert found == leaves(message_from_bytes(content))


@pytest.mark.parametrize(
    ("value", "kind", "parameters"),
    [
        ("text/plain; charset=utf-8", "text/plain", {"charset": "utf-8"}),
        ('Text/HTML ; Charset="koi8-r"; x', "text/html", {"charset": "koi8-r"}),
        ('multipart/mixed; boundary="a;\\"b"', "multipart/mixed", {"boundary": 'a;"b'}),
        ("application/x; name*0=long; name*1=er.txt", "application/x", {"name": "longer.txt"}),
        ("text/plain; charset*=utf-8'en'koi8-r", "text/plain", {"charset": "koi8-r"}),
        ("text", "text/plain", {}),
        ("", "text/plain", {}),
        ("text/plain; name*", "text/plain", {}),
    ],
)
def test_a_content_type_is_read_with_its_parameters(value: str, kind: str, parameters: dict[str, str]) -> None:
    assert parts.content_type(value) == (kind, parameters)
