"""Letters as they are written: what any mail program can read again, whatever stands in them."""

import time
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mafiamail.mail.message import Outbound, Raw, read, write

DATE = datetime(2026, 5, 13, 7, 2, 19, tzinfo=UTC)
LETTER = Outbound(
    sender="mafia@example.org",
    sender_name="Ведущий",
    to="anna.k@mail.example.org",
    reply_to="mafia+0123456789abcdef@example.org",
    subject="[Дачный посёлок] День 2",
    text="Ночь 1 закончилась. Жертвы ночи: Мисс О’Брайен.\n\nЧтобы проголосовать, ответьте: ГОЛОС: ‹имя›.\n",
    html="<p>Ночь 1 закончилась.</p>\n",
    message_id="<g7.d2.mafia01.51be20@example.org>",
    references=("<g7.d1@example.org>", "<g7.d2@example.org>"),
    date=DATE,
    automatic="generated",
    list_id="g7.mafia.example.org",
)
words = st.text(max_size=120)
nasty = st.one_of(
    words, st.text(alphabet="\r\n\t\0 :;,<>@\"'\\()=?_абв\u2028\u202e\ud800🎭", max_size=80), st.just("=?utf-8?q?=0D=0ABcc:_x?=")
)


def reread(letter: Outbound) -> EmailMessage:
    message = message_from_bytes(write(letter), policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def body(message: EmailMessage, kind: str) -> str:
    part = message.get_body((kind,))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def one_line(value: str) -> str:
    return " ".join("".join(char if char.isprintable() or char == " " else " " for char in value).split())


def test_a_letter_can_be_read_again_as_it_was_written() -> None:
    message = reread(LETTER)
    assert message["From"].addresses[0].display_name == "Ведущий"
    assert message["From"].addresses[0].addr_spec == "mafia@example.org"
    assert message["To"] == LETTER.to
    assert message["Reply-To"] == LETTER.reply_to
    assert message["Subject"] == LETTER.subject
    assert message["Date"].datetime == DATE
    assert (message["Message-ID"], message["In-Reply-To"]) == (LETTER.message_id, "<g7.d2@example.org>")
    assert message["References"].split() == ["<g7.d1@example.org>", "<g7.d2@example.org>"]
    assert body(message, "plain").strip() == LETTER.text.strip()
    assert body(message, "html").strip() == LETTER.html.strip()


def test_a_letter_says_that_a_machine_wrote_it() -> None:
    message = reread(replace(LETTER, automatic="replied"))
    assert message["Auto-Submitted"] == "auto-replied"
    assert message["X-Auto-Response-Suppress"] == "All"
    assert message["Precedence"] == "list"
    assert message["List-Id"] == "<g7.mafia.example.org>"
    assert message["X-Mafiamail"] == "1"


def test_a_letter_without_html_has_one_part_and_without_references_begins_a_thread() -> None:
    message = reread(replace(LETTER, html="", references=()))
    assert [part.get_content_type() for part in message.walk()] == ["multipart/alternative", "text/plain"]
    assert message["References"] is message["In-Reply-To"] is None


@given(name=nasty, subject=nasty, reply_to=nasty, message_id=nasty, reference=nasty, list_id=nasty)
@settings(max_examples=300, deadline=None)
def test_no_value_can_break_a_header_or_add_one(
    name: str, subject: str, reply_to: str, message_id: str, reference: str, list_id: str
) -> None:
    letter = replace(
        LETTER, sender_name=name, subject=subject, reply_to=reply_to, message_id=message_id, references=(reference,), list_id=list_id
    )
    content = write(letter)
    head = content.partition(b"\r\n\r\n")[0]
    assert head.isascii()
    assert b"\r" not in head.replace(b"\r\n", b"")
    assert b"\n" not in head.replace(b"\r\n", b"")
    assert set(message_from_bytes(content).keys()) <= set(message_from_bytes(write(LETTER)).keys())


@given(name=nasty, subject=nasty, text=nasty, html=nasty)
@settings(max_examples=300, deadline=None)
def test_any_name_subject_and_text_come_back_without_a_defect(name: str, subject: str, text: str, html: str) -> None:
    message = reread(replace(LETTER, sender_name=name, subject=subject, text=text, html=html))
    assert [part.defects for part in message.walk()] == [[] for _ in message.walk()]
    assert [value.defects for value in message.values() if value.defects] == []
    assert message["From"].addresses[0].addr_spec == LETTER.sender
    assert one_line(str(message["Subject"])) == one_line(subject)


@given(subject=st.text(max_size=300), text=st.text(max_size=2_000))
@settings(max_examples=200, deadline=None)
def test_no_line_is_longer_than_76_characters(subject: str, text: str) -> None:
    content = write(replace(LETTER, subject=subject, text=text, html=f"<p>{text}</p>"))
    assert max(map(len, content.split(b"\r\n"))) <= 76


@pytest.mark.parametrize("text", ["plain\n", "= _ =3D\n", ".\n..\nFrom me\n", "tail \t\n", "x" * 500, "Ёжик\n" * 50, "🎭" * 100])
def test_text_survives_its_encoding(text: str) -> None:
    assert body(reread(replace(LETTER, text=text)), "plain").removesuffix("\n") == text.removesuffix("\n")


@given(text=st.text(max_size=300))
@settings(max_examples=100, deadline=None)
def test_what_the_daemon_writes_it_can_read(text: str) -> None:
    mail = read(Raw(write(replace(LETTER, text=text)), DATE), None)
    assert mail.subject == LETTER.subject
    assert mail.message_id == LETTER.message_id
    assert mail.refers_to == ("<g7.d2@example.org>", "<g7.d1@example.org>")


def test_writing_a_letter_takes_a_fraction_of_a_millisecond() -> None:
    letter = replace(LETTER, text=LETTER.text * 20, html=LETTER.html * 60)
    write(letter)
    times = []
    for _ in range(50):
        begin = time.process_time()
        write(letter)
        times.append(time.process_time() - begin)
    assert min(times) < 0.000_6
