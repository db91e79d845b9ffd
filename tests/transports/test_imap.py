"""The mailbox at a provider, tried on a real Dovecot."""

import itertools
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from imapclient import IMAPClient

from mafiamail.mail.message import Raw
from mafiamail.mail.transports import HEAD, LARGEST, LoginRefused, TryLater
from mafiamail.mail.transports.imap import BATCH, ImapMailbox
from tests.servers_kit import MailServers, require_servers

NOON = datetime(2026, 5, 14, 12, tzinfo=UTC)
LONG_AGO = NOON - timedelta(days=365)
MAIL = b"From: anna@example.test\r\nSubject: vote\r\n\r\nVOTE: Boris\r\n"

Open = Callable[..., ImapMailbox]


@pytest.fixture
def open_box(servers: MailServers, user: str) -> Iterator[Open]:
    """Opens this test's mailbox; arguments replace the usual ones."""
    boxes = []

    def open_box(**changes: Any) -> ImapMailbox:
        usual: dict[str, Any] = {"user": servers.address(user), "password": lambda: servers.password(user), "cafile": servers.cafile}
        boxes.append(ImapMailbox("localhost", now=lambda: NOON, **{"port": servers.ports["imaps"], **usual, **changes}))
        return boxes[-1]

    yield open_box
    for box in boxes:
        box.close()


@contextmanager
def client(servers: MailServers, user: str, folder: str = "INBOX") -> Iterator[IMAPClient]:
    """The same mailbox through another program."""
    with IMAPClient("127.0.0.1", servers.ports["imap"], ssl=False, timeout=10) as client:
        client.login(servers.address(user), servers.password(user))
        client.select_folder(folder)
        yield client


def put(servers: MailServers, user: str, *arrivals: datetime, content: bytes = MAIL) -> None:
    with client(servers, user) as other:
        for arrived in arrivals:
            other.append("INBOX", content, msg_time=arrived)


def minutes(*numbers: int) -> list[datetime]:
    return [NOON - timedelta(hours=1) + timedelta(minutes=number) for number in numbers]


def test_mail_comes_in_order_of_arrival_then_uid_in_utc(servers: MailServers, user: str, open_box: Open) -> None:
    moscow = timezone(timedelta(hours=3))
    put(servers, user, *minutes(9, 5, 5), minutes(2)[0].astimezone(moscow))
    mails = list(open_box().fetch(None, LONG_AGO).mails)
    assert [(mail.arrived, mail.uid) for mail in mails] == list(zip(minutes(2, 5, 5, 9), [4, 2, 3, 1], strict=True))
    assert {mail.arrived.tzinfo for mail in mails} == {UTC}
    assert {(mail.content, mail.size, mail.folder) for mail in mails} == {(MAIL, len(MAIL), "INBOX")}


def test_the_mailbox_is_complete_up_to_a_minute_before_the_fetch(open_box: Open) -> None:
    assert open_box().fetch(None, LONG_AGO).until == NOON - timedelta(minutes=1)
    assert open_box(settle=timedelta(0)).fetch(None, LONG_AGO).until == NOON


def test_only_what_came_after_the_cursor_is_read(servers: MailServers, user: str, open_box: Open) -> None:
    box = open_box()
    empty = box.fetch(None, LONG_AGO).cursor
    put(servers, user, *minutes(1, 2))
    first = box.fetch(empty, LONG_AGO)
    assert [mail.uid for mail in first.mails] == [1, 2]
    assert list(box.fetch(first.cursor, LONG_AGO).mails) == []
    put(servers, user, *minutes(0))
    second = open_box().fetch(first.cursor, LONG_AGO)
    assert [mail.uid for mail in second.mails] == [3]
    assert [mail.uid for mail in box.fetch(None, LONG_AGO).mails] == [3, 1, 2]


def test_nothing_is_read_twice_although_a_server_answers_with_its_last_mail(servers: MailServers, user: str, open_box: Open) -> None:
    put(servers, user, *minutes(1, 2, 3))
    box = open_box()
    cursor = box.fetch(None, LONG_AGO).cursor
    with client(servers, user) as other:  # so that UIDNEXT alone does not say that nothing has come
        other.append("INBOX", MAIL)
        other.delete_messages([4])
        other.expunge()
    assert list(box.fetch(cursor, LONG_AGO).mails) == []


def test_another_uidvalidity_means_reading_everything_again(servers: MailServers, user: str, open_box: Open) -> None:
    put(servers, user, *minutes(1, 2))
    box = open_box()
    first = box.fetch(None, LONG_AGO)
    old = [mail.validity for mail in first.mails]
    servers.doveadm("mailbox", "update", "-u", servers.address(user), "--uid-validity", "4242", "INBOX")
    mails = list(_again(box, first.cursor))
    assert [mail.validity for mail in mails] == [4242, 4242]
    assert 4242 not in old


def _again(box: ImapMailbox, cursor: str) -> list[Raw]:
    """What the daemon does: when the connection was lost, the next round fetches again."""
    try:
        return list(box.fetch(cursor, LONG_AGO).mails)
    except TryLater:
        return list(box.fetch(cursor, LONG_AGO).mails)


def test_mail_that_arrived_before_since_is_never_read(servers: MailServers, user: str, open_box: Open) -> None:
    put(servers, user, *minutes(1, 30))
    fetched = open_box().fetch(None, minutes(30)[0])
    assert [mail.arrived for mail in fetched.mails] == minutes(30)


def test_reading_marks_nothing_as_seen(servers: MailServers, user: str, open_box: Open) -> None:
    put(servers, user, *minutes(1))
    list(open_box().fetch(None, LONG_AGO).mails)
    with client(servers, user) as other:
        assert other.search("UNSEEN") == [1]


def test_a_mail_seen_by_somebody_else_is_read_all_the_same(servers: MailServers, user: str, open_box: Open) -> None:
    put(servers, user, *minutes(1))
    with client(servers, user) as other:
        other.add_flags([1], [b"\\Seen"])
    assert len(list(open_box().fetch(None, LONG_AGO).mails)) == 1


def test_of_a_mail_that_is_too_big_only_the_beginning_comes(servers: MailServers, user: str, open_box: Open) -> None:
    big = MAIL + b"x" * 70 * (LARGEST // 70) + b"\r\n"
    put(servers, user, *minutes(1), content=big)
    put(servers, user, *minutes(2))
    mails = list(open_box().fetch(None, LONG_AGO).mails)
    assert [(mail.content, mail.size > LARGEST) for mail in mails] == [(big[:HEAD], True), (MAIL, False)]


def test_handled_mail_is_seen_and_stays(servers: MailServers, user: str, open_box: Open) -> None:
    put(servers, user, *minutes(1, 2, 3))
    box = open_box()
    mails = list(box.fetch(None, LONG_AGO).mails)
    box.acknowledge(mails[:2])
    box.acknowledge([])
    with client(servers, user) as other:
        assert (other.search("SEEN"), other.search("ALL")) == ([1, 2], [1, 2, 3])


def test_handled_mail_is_moved_into_a_folder_that_is_made_if_need_be(servers: MailServers, user: str, open_box: Open) -> None:
    put(servers, user, *minutes(1, 2, 3))
    box = open_box(move_to="Мафия")
    fetched = box.fetch(None, LONG_AGO)
    mails = list(fetched.mails)
    box.acknowledge(mails[:2])
    box.acknowledge(mails[:2])  # once more after a crash: they are there no longer
    assert list(box.fetch(fetched.cursor, LONG_AGO).mails) == []
    with client(servers, user) as other:
        assert other.search("ALL") == [3]
        other.select_folder("Мафия")
        assert (other.search("SEEN"), other.search("ALL")) == ([1, 2], [1, 2])


@pytest.mark.servers
def test_where_a_server_cannot_move_mail_is_marked_and_stays(caplog: pytest.LogCaptureFixture) -> None:
    require_servers()
    with MailServers(["anna"], move=False) as servers:
        put(servers, "anna", *minutes(1))
        with closing(
            ImapMailbox(
                "localhost",
                servers.ports["imaps"],
                servers.address("anna"),
                lambda: servers.password("anna"),
                cafile=servers.cafile,
                move_to="Done",
            )
        ) as box:
            mails = list(box.fetch(None, LONG_AGO).mails)
            box.acknowledge(mails)
        with client(servers, "anna") as other:
            assert other.search("SEEN") == [1]
    assert [record.message for record in caplog.records if "cannot MOVE" in record.message] != []


def test_many_mails_come_whole_and_in_order_while_earlier_ones_are_moved(servers: MailServers, user: str, open_box: Open) -> None:
    count = 2 * BATCH + 20
    put(servers, user, *minutes(*range(count)))
    box = open_box(move_to="Done")
    uids = []
    for mail in box.fetch(None, LONG_AGO).mails:
        uids.append(mail.uid)
        box.acknowledge([mail])
    assert uids == list(range(1, count + 1))


def test_a_mail_that_vanishes_in_between_is_passed_over(servers: MailServers, user: str, open_box: Open) -> None:
    put(servers, user, *minutes(1, 2, 3))
    fetched = open_box().fetch(None, LONG_AGO)
    with client(servers, user) as other:
        other.delete_messages([2])
        other.expunge()
    assert [mail.uid for mail in fetched.mails] == [1, 3]


def test_a_connection_lost_between_two_fetches_costs_one_try_at_most(servers: MailServers, user: str, open_box: Open) -> None:
    put(servers, user, *minutes(1))
    box = open_box()
    cursor = box.fetch(None, LONG_AGO).cursor
    servers.kick(user)
    put(servers, user, *minutes(2))
    assert [mail.uid for mail in _again(box, cursor)] == [2]


def test_a_connection_lost_halfway_says_try_later_and_the_next_fetch_brings_the_rest(
    servers: MailServers, user: str, open_box: Open
) -> None:
    put(servers, user, *minutes(*range(BATCH + 10)))
    box = open_box()
    mails = box.fetch(None, LONG_AGO).mails
    given = [mail.uid for mail in itertools.islice(mails, BATCH)]
    servers.kick(user)
    with pytest.raises(TryLater):
        next(mails)
    assert given == list(range(1, BATCH + 1))
    assert len(list(box.fetch(None, LONG_AGO).mails)) == BATCH + 10


@pytest.mark.parametrize(("security", "port"), [("tls", "imaps"), ("starttls", "imap"), ("none", "imap")])
def test_each_security_works(servers: MailServers, user: str, open_box: Open, security: str, port: str) -> None:
    put(servers, user, *minutes(1))
    assert len(list(open_box(security=security, port=servers.ports[port]).fetch(None, LONG_AGO).mails)) == 1


def test_a_wrong_password_is_refused_at_once_and_the_right_one_works_later(servers: MailServers, user: str, open_box: Open) -> None:
    passwords = iter(["wrong", servers.password(user)])
    box = open_box(password=lambda: next(passwords))
    with pytest.raises(LoginRefused, match="login of user"):
        box.fetch(None, LONG_AGO)
    assert list(box.fetch(None, LONG_AGO).mails) == []


def test_an_unknown_certificate_is_refused(open_box: Open) -> None:
    with pytest.raises(TryLater, match="certificate verify failed"):
        open_box(cafile=None).fetch(None, LONG_AGO)


def test_a_server_that_is_away_says_try_later(user: str, open_box: Open) -> None:
    with pytest.raises(TryLater, match="IMAP localhost:1: "):
        open_box(port=1).fetch(None, LONG_AGO)


def test_a_folder_that_is_not_there_says_so(open_box: Open) -> None:
    with pytest.raises(TryLater, match="Nowhere"):
        open_box(folder="Nowhere").fetch(None, LONG_AGO)


def test_a_closed_mailbox_opens_itself_again(servers: MailServers, user: str, open_box: Open) -> None:
    box = open_box()
    box.fetch(None, LONG_AGO)
    box.close()
    box.close()
    put(servers, user, *minutes(1))
    assert len(list(box.fetch(None, LONG_AGO).mails)) == 1


# --- a server by script, for what Dovecot does not do


def scripted(login: bytes) -> int:
    """The port of an IMAP server that takes one connection and answers LOGIN so (nothing: it hangs up)."""
    door = socket.create_server(("127.0.0.1", 0))

    def talk() -> None:
        connection, _ = door.accept()
        with door, connection, connection.makefile("rwb") as lines:
            lines.write(b"* OK scripted\r\n")
            lines.flush()
            while line := lines.readline():
                tag, verb = line.split()[:2]
                if verb == b"LOGIN" and not login:
                    return
                lines.write(
                    b"* CAPABILITY IMAP4rev1\r\n" + tag + b" OK done\r\n" if verb == b"CAPABILITY" else tag + b" " + login + b"\r\n"
                )
                lines.flush()

    threading.Thread(target=talk, daemon=True).start()
    return int(door.getsockname()[1])


REFUSALS = [
    (b"NO [AUTHENTICATIONFAILED] Invalid credentials", LoginRefused),
    (b"NO LOGIN invalid credentials or IMAP is disabled", LoginRefused),
    (b"NO [UNAVAILABLE] Temporary authentication failure.", TryLater),
    (b"NO [ALERT] Too many simultaneous connections. (Failure)", TryLater),
    (b"", TryLater),
]


@pytest.mark.parametrize(("answer", "error"), REFUSALS)
def test_a_refused_login_is_told_from_a_server_in_trouble(answer: bytes, error: type[Exception]) -> None:
    box = ImapMailbox("127.0.0.1", scripted(answer), "mafia", lambda: "secret", security="none")
    with pytest.raises(error):
        box.fetch(None, LONG_AGO)


def test_a_password_that_cannot_be_sent_is_refused() -> None:
    with pytest.raises(LoginRefused, match="only ASCII"):
        ImapMailbox("127.0.0.1", scripted(b"OK"), "mafia", lambda: "пароль", security="none").fetch(None, LONG_AGO)
