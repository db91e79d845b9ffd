"""The mailbox and the postman that tests use keep to the same rules as real ones."""

from datetime import UTC, datetime, timedelta

import pytest

from mafiamail.mail.transports import HEAD, LARGEST, TryLater, Undeliverable
from mafiamail.mail.transports.memory import MemoryMailbox, MemoryPostman

NOON = datetime(2026, 5, 14, 12, tzinfo=UTC)


def test_mail_comes_once_and_in_order_of_arrival() -> None:
    box = MemoryMailbox(now=lambda: NOON)
    box.deliver(b"late", NOON - timedelta(minutes=1))
    box.deliver(b"early", NOON - timedelta(minutes=2))
    fetched = box.fetch(None, NOON - timedelta(days=1))
    assert [mail.content for mail in fetched.mails] == [b"early", b"late"]
    assert list(box.fetch(fetched.cursor, NOON - timedelta(days=1)).mails) == []


def test_of_a_mail_that_is_too_big_only_the_beginning_comes() -> None:
    mail = MemoryMailbox(now=lambda: NOON).deliver(b"x" * (LARGEST + 1))
    assert (len(mail.content), mail.size) == (HEAD, LARGEST + 1)


def test_a_broken_mailbox_says_so() -> None:
    box = MemoryMailbox(now=lambda: NOON, broken=TryLater("no network"))
    with pytest.raises(TryLater):
        box.fetch(None, NOON)


def test_letters_are_kept_and_refusals_raised() -> None:
    postman = MemoryPostman(refusals={"gone@example.org": Undeliverable(550, "no such user")})
    postman.send(b"x", "mafia@example.org", "anna@example.org")
    with pytest.raises(Undeliverable):
        postman.send(b"x", "mafia@example.org", "gone@example.org")
    assert list(postman.to("anna@example.org")) == [b"x"]
