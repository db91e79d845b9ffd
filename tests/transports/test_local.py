"""Maildirs and the built-in post office."""

import os
import smtplib
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mafiamail.mail.message import Raw
from mafiamail.mail.transports import HEAD, LARGEST, TryLater
from mafiamail.mail.transports.local import MaildirMailbox, MaildirPostman, PostOffice, deliver, letters, maildir

NOON = datetime(2026, 5, 14, 12, tzinfo=UTC)
LONG_AGO = NOON - timedelta(days=365)


class Clock:
    def __init__(self) -> None:
        self.time = NOON

    def __call__(self) -> datetime:
        return self.time

    def move(self, **span: float) -> None:
        self.time += timedelta(**span)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def office(tmp_path: Path, clock: Clock) -> Iterator[PostOffice]:
    with PostOffice(tmp_path / "post", "mafia@example.org", clock) as office:
        yield office


def contents(mails: Iterator[Raw]) -> list[bytes]:
    return [mail.content for mail in mails]


# --- the Maildir


def test_mail_comes_in_order_of_arrival_with_the_arrival_to_the_microsecond(tmp_path: Path, clock: Clock) -> None:
    for content in (b"one", b"two", b"three"):
        deliver(tmp_path, content, clock)
        clock.move(microseconds=1)
    fetched = MaildirMailbox(tmp_path, clock).fetch(None, LONG_AGO)
    mails = list(fetched.mails)
    assert [(mail.content, mail.arrived) for mail in mails] == [
        (b"one", NOON),
        (b"two", NOON + timedelta(microseconds=1)),
        (b"three", NOON + timedelta(microseconds=2)),
    ]
    assert fetched.until == clock()


def test_mails_of_the_same_moment_keep_the_order_of_delivery(tmp_path: Path, clock: Clock) -> None:
    wanted = [b"%d" % number for number in range(120)]
    for content in wanted:
        deliver(tmp_path, content, clock)
    assert contents(MaildirMailbox(tmp_path, clock).fetch(None, LONG_AGO).mails) == wanted


def test_what_was_handled_is_not_read_again_whether_acknowledged_or_not(tmp_path: Path, clock: Clock) -> None:
    box = MaildirMailbox(tmp_path, clock)
    deliver(tmp_path, b"acknowledged", clock)
    deliver(tmp_path, b"not", clock)
    first = box.fetch(None, LONG_AGO)
    box.acknowledge([mail for mail in first.mails if mail.content == b"acknowledged"])
    clock.move(hours=1)
    second = box.fetch(first.cursor, LONG_AGO)
    assert contents(second.mails) == []
    assert contents(MaildirMailbox(tmp_path, clock).fetch(second.cursor, LONG_AGO).mails) == []


def test_without_the_new_cursor_everything_is_read_again(tmp_path: Path, clock: Clock) -> None:
    box = MaildirMailbox(tmp_path, clock)
    start = box.fetch(None, LONG_AGO).cursor
    clock.move(seconds=1)
    deliver(tmp_path, b"vote", clock)
    mails = list(box.fetch(start, LONG_AGO).mails)
    box.acknowledge(mails)  # and the daemon dies before it stores the cursor
    assert list(box.fetch(start, LONG_AGO).mails) == mails


def test_acknowledged_mail_is_marked_as_seen_and_stays(tmp_path: Path, clock: Clock) -> None:
    box = MaildirMailbox(tmp_path, clock)
    deliver(tmp_path, b"vote", clock)
    mails = list(box.fetch(None, LONG_AGO).mails)
    box.acknowledge(mails)
    box.acknowledge(mails)
    assert list((tmp_path / "new").iterdir()) == []
    assert [path.name for path in (tmp_path / "cur").iterdir()] == [f"{mails[0].folder}:2,S"]


def test_mail_that_a_mail_program_has_opened_is_read_all_the_same(tmp_path: Path, clock: Clock) -> None:
    box = MaildirMailbox(tmp_path, clock)
    start = box.fetch(None, LONG_AGO).cursor
    clock.move(seconds=1)
    path = deliver(tmp_path, b"vote", clock)
    path.rename(tmp_path / "cur" / f"{path.name}:2,RS")
    assert contents(box.fetch(start, LONG_AGO).mails) == [b"vote"]


def test_mail_that_shows_up_late_is_read_however_old_its_stamp_is(tmp_path: Path, clock: Clock) -> None:
    box = MaildirMailbox(tmp_path, clock, settle=timedelta(seconds=5))
    deliver(tmp_path, b"first", clock)
    cursor = box.fetch(None, LONG_AGO).cursor
    clock.move(minutes=10)
    cursor = box.fetch(cursor, LONG_AGO).cursor
    late = deliver(tmp_path, b"late", clock)
    os.utime(late, (NOON.timestamp(), NOON.timestamp()))
    assert contents(box.fetch(cursor, LONG_AGO).mails) == [b"late"]


def test_a_foreign_maildir_is_complete_only_up_to_the_settle_time(tmp_path: Path, clock: Clock) -> None:
    box = MaildirMailbox(tmp_path, clock, settle=timedelta(seconds=5))
    deliver(tmp_path, b"vote", clock)
    fetched = box.fetch(None, LONG_AGO)
    assert contents(fetched.mails) == [b"vote"]
    assert fetched.until == NOON - timedelta(seconds=5)
    assert contents(box.fetch(fetched.cursor, LONG_AGO).mails) == []


def test_mail_that_arrived_before_since_is_never_read(tmp_path: Path, clock: Clock) -> None:
    deliver(tmp_path, b"old", clock)
    clock.move(hours=1)
    since = clock()
    deliver(tmp_path, b"young", clock)
    fetched = MaildirMailbox(tmp_path, clock).fetch(None, since)
    assert contents(fetched.mails) == [b"young"]
    assert contents(MaildirMailbox(tmp_path, clock).fetch(fetched.cursor, since).mails) == []


def test_of_a_mail_that_is_too_big_only_the_beginning_comes(tmp_path: Path, clock: Clock) -> None:
    deliver(tmp_path, b"x" * (LARGEST + 1), clock)
    (mail,) = MaildirMailbox(tmp_path, clock).fetch(None, LONG_AGO).mails
    assert (len(mail.content), mail.size) == (HEAD, LARGEST + 1)


def test_a_mail_that_somebody_removes_meanwhile_is_passed_over(tmp_path: Path, clock: Clock) -> None:
    path = deliver(tmp_path, b"gone", clock)
    deliver(tmp_path, b"stays", clock)
    fetched = MaildirMailbox(tmp_path, clock).fetch(None, LONG_AGO)
    path.unlink()
    assert contents(fetched.mails) == [b"stays"]


def test_a_mailbox_that_does_not_exist_yet_is_empty(tmp_path: Path, clock: Clock) -> None:
    fetched = MaildirMailbox(tmp_path / "nowhere", clock).fetch(None, LONG_AGO)
    assert (list(fetched.mails), fetched.until) == ([], NOON)
    assert not (tmp_path / "nowhere").exists()


def test_nothing_is_missed_while_many_deliver_and_one_reads(tmp_path: Path) -> None:
    box, cursor, seen = MaildirMailbox(tmp_path), None, list[bytes]()
    threads = [threading.Thread(target=_deliver_many, args=(tmp_path, name)) for name in (b"a", b"b")]
    for thread in threads:
        thread.start()
    alive = True
    while alive:
        alive = any(thread.is_alive() for thread in threads)
        fetched = box.fetch(cursor, LONG_AGO)
        mails = list(fetched.mails)
        assert all(mail.arrived <= fetched.until for mail in mails)
        seen += [mail.content for mail in mails]
        box.acknowledge(mails)
        cursor = fetched.cursor
    assert sorted(seen) == sorted(b"%s%03d" % (name, number) for name in (b"a", b"b") for number in range(200))
    assert [one for one in seen if one.startswith(b"a")] == sorted(one for one in seen if one.startswith(b"a"))


def _deliver_many(box: Path, name: bytes) -> None:
    for number in range(200):
        deliver(box, b"%s%03d" % (name, number), lambda: datetime.now(UTC))


# --- addresses as folders


@pytest.mark.parametrize(
    "address", ["../../etc/passwd@x", "..", ".", "", "/", "a/b@c", ".hidden@x", "x" * 300 + "@y", "анна@пример.рф", "a\0b@c"]
)
def test_no_address_leads_out_of_the_folder(tmp_path: Path, address: str) -> None:
    box = maildir(tmp_path, address)
    assert box.parent == tmp_path
    assert box.resolve().parent == tmp_path
    MaildirPostman(tmp_path).send(b"x", "mafia@example.org", address)
    assert len(letters(tmp_path, address)) == 1


def test_different_addresses_have_different_folders_and_case_does_not_matter(tmp_path: Path) -> None:
    names = ["anna@example.org", "a/b@c", "a%2Fb@c", "x" * 300, "x" * 301]
    assert len({maildir(tmp_path, name) for name in names}) == len(names)
    assert maildir(tmp_path, "Anna@Example.ORG") == tmp_path / "anna@example.org"


# --- the postman


def test_a_letter_lies_in_the_maildir_of_its_recipient_with_its_envelope(tmp_path: Path, clock: Clock) -> None:
    MaildirPostman(tmp_path, clock).send(b"Subject: Day 1\r\n\r\nHello\r\n", "mafia@example.org", "anna@example.org")
    (path,) = letters(tmp_path, "anna@example.org")
    assert path.parent == tmp_path / "anna@example.org" / "new"
    expected = b"Return-Path: <mafia@example.org>\r\nDelivered-To: anna@example.org\r\nSubject: Day 1\r\n\r\nHello\r\n"
    assert path.read_bytes() == expected


def test_letters_are_listed_in_order_read_or_not(tmp_path: Path, clock: Clock) -> None:
    postman = MaildirPostman(tmp_path, clock)
    for text in (b"1", b"2", b"3"):
        postman.send(text, "m@x", "anna@example.org")
        clock.move(seconds=1)
    first = letters(tmp_path, "anna@example.org")[0]
    first.rename(first.parent.parent / "cur" / f"{first.name}:2,S")
    assert [path.read_bytes()[-1:] for path in letters(tmp_path, "anna@example.org")] == [b"1", b"2", b"3"]


def test_a_folder_in_which_nothing_can_be_filed_is_said_before_a_letter_is_lost(tmp_path: Path) -> None:
    MaildirPostman(tmp_path / "post").open()
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(TryLater):
        MaildirPostman(tmp_path / "file").open()


# --- the post office


def send(office: PostOffice, sender: str, *recipients: str, text: str = "Subject: x\r\n\r\nVOTE: Boris\r\n") -> None:
    with smtplib.SMTP("127.0.0.1", office.port, "test", timeout=5) as client:
        client.sendmail(sender, recipients, text.encode())


def test_a_free_port_is_taken_and_told(office: PostOffice) -> None:
    assert office.port > 0


def test_mail_to_the_daemon_with_detail_lies_in_its_own_maildir(office: PostOffice, clock: Clock) -> None:
    send(office, "anna@example.org", "Mafia+Secret7@example.org")
    box = MaildirMailbox(maildir(office.folder, "mafia@example.org"), clock)
    (mail,) = box.fetch(None, LONG_AGO).mails
    assert mail.content.startswith(b"Return-Path: <anna@example.org>\r\nDelivered-To: Mafia+Secret7@example.org\r\nSubject: x\r\n")
    assert mail.content.endswith(b"\r\n\r\nVOTE: Boris\r\n")
    assert mail.arrived == NOON


def test_mail_to_somebody_else_lies_in_his_maildir(office: PostOffice) -> None:
    send(office, "anna@example.org", "boris@example.org", "clara+x@example.org")
    assert len(letters(office.folder, "boris@example.org")) == 1
    assert len(letters(office.folder, "clara+x@example.org")) == 1
    assert letters(office.folder, "mafia@example.org") == []


def test_the_null_sender_is_taken(office: PostOffice) -> None:
    send(office, "", "mafia@example.org")
    (path,) = letters(office.folder, "mafia@example.org")
    assert path.read_bytes().startswith(b"Return-Path: <>\r\n")


@pytest.mark.parametrize("recipient", ["nobody", "@example.org", "anna@", "a" * 250 + "@example.org"])
def test_what_is_no_address_is_refused_at_the_door(office: PostOffice, recipient: str) -> None:
    with pytest.raises(smtplib.SMTPRecipientsRefused):
        send(office, "anna@example.org", recipient)


def test_it_stops_at_once_although_somebody_is_connected_and_starts_again(tmp_path: Path, clock: Clock) -> None:
    office = PostOffice(tmp_path, "mafia@example.org", clock).start()
    client = smtplib.SMTP("127.0.0.1", office.port, "test", timeout=5)
    client.ehlo()
    stopper = threading.Thread(target=office.stop)
    stopper.start()
    stopper.join(2)
    assert not stopper.is_alive()
    client.close()
    with office:
        send(office, "anna@example.org", "mafia@example.org")
    assert len(letters(tmp_path, "mafia@example.org")) == 1


def test_a_port_that_is_taken_is_said(office: PostOffice, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="in use"):
        PostOffice(tmp_path, "mafia@example.org", port=office.port).start()
