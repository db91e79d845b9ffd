"""Letters to a provider: on a real Postfix, and on a server that answers by a script."""

import socket
import threading
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from mafiamail.mail.message import Raw
from mafiamail.mail.transports import LoginRefused, TryLater, Undeliverable
from mafiamail.mail.transports.imap import ImapMailbox
from mafiamail.mail.transports.smtp import LETTERS, SmtpPostman
from tests.servers_kit import MailServers, within
from tests.transports.conftest import GREYLISTED, REFUSED

LETTER = b"From: mafia@example.test\r\nSubject: Day 1\r\n\r\n.A line with a dot\r\nGood morning\r\n"
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)

# --- a real Postfix


def postman(servers: MailServers, owner: str, **changes: Any) -> SmtpPostman:
    usual: dict[str, Any] = {"port": servers.ports["submissions"], "user": servers.address(owner), "cafile": servers.cafile}
    return SmtpPostman("localhost", **{**usual, "password": lambda: servers.password(owner), **changes})


def received(servers: MailServers, user: str, count: int) -> list[Raw]:
    """What lies in a mailbox as soon as there are `count` mails."""
    box = ImapMailbox("localhost", servers.ports["imaps"], servers.address(user), lambda: servers.password(user), cafile=servers.cafile)
    try:
        return within(10, lambda: mails if len(mails := list(box.fetch(None, LONG_AGO).mails)) >= count else None)
    finally:
        box.close()


@pytest.mark.parametrize(("security", "port"), [("tls", "submissions"), ("starttls", "submission"), ("none", "smtp")])
def test_letters_arrive_whole_on_one_connection(servers: MailServers, user: str, security: str, port: str) -> None:
    changes = {"user": ""} if security == "none" else {}
    man = postman(servers, user, security=security, port=servers.ports[port], **changes)
    for _ in range(3):
        man.send(LETTER, servers.address(user), servers.address(user))
    man.close()
    mails = received(servers, user, 3)
    body = LETTER.partition(b"\r\n\r\n")[2]
    assert [mail.content.endswith(b"\r\n\r\n" + body) for mail in mails] == [True] * 3
    assert all(abs(datetime.now(UTC) - mail.arrived) < timedelta(minutes=1) for mail in mails)


def test_the_detail_of_an_address_arrives(servers: MailServers, user: str) -> None:
    local, _, domain = servers.address(user).partition("@")
    man = postman(servers, user)
    man.send(LETTER, servers.address(user), f"{local}+secret7@{domain}")
    man.close()
    (mail,) = received(servers, user, 1)
    assert f"{local}+secret7@{domain}".encode() in mail.content


@pytest.mark.parametrize("recipient", ["nobody@example.test", "somebody@elsewhere.example", REFUSED])
def test_a_recipient_who_is_refused_is_undeliverable_and_the_next_letter_goes_out(servers: MailServers, user: str, recipient: str) -> None:
    man = postman(servers, user)
    with pytest.raises(Undeliverable) as refusal:
        man.send(LETTER, servers.address(user), recipient)
    assert 500 <= refusal.value.code < 600
    assert recipient in refusal.value.why
    man.send(LETTER, servers.address(user), servers.address(user))
    man.close()
    assert len(received(servers, user, 1)) == 1


def test_greylisting_says_try_later(servers: MailServers, user: str) -> None:
    man = postman(servers, user)
    with pytest.raises(TryLater, match=r"450 4\.7\.1 .*greylisted"):
        man.send(LETTER, servers.address(user), GREYLISTED)
    man.close()


def test_a_wrong_password_is_refused(servers: MailServers, user: str) -> None:
    with pytest.raises(LoginRefused, match="login of user"):
        postman(servers, user, password=lambda: "wrong").send(LETTER, servers.address(user), servers.address(user))


def test_the_way_can_be_tried_without_a_letter(servers: MailServers, user: str) -> None:
    man = postman(servers, user)
    man.open()
    man.close()
    with pytest.raises(LoginRefused):
        postman(servers, user, password=lambda: "wrong").open()
    with pytest.raises(LoginRefused, match="only ASCII"):
        postman(servers, user, password=lambda: "пароль").open()


def test_an_unknown_certificate_is_refused(servers: MailServers, user: str) -> None:
    with pytest.raises(TryLater, match="certificate verify failed"):
        postman(servers, user, cafile=None).send(LETTER, servers.address(user), servers.address(user))


# --- a server by script


class Scripted:
    """An SMTP server on loopback that answers each verb as told, else kindly. An answer of None hangs up."""

    def __init__(self, answers: Mapping[str, list[str | None]]) -> None:
        self.letters: list[bytes] = []
        self.connections = 0
        self._answers = {verb: list(answers) for verb, answers in answers.items()}
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = self._door.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._door.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._door.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def _talk(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rwb") as lines:
            self._say(lines, "220 scripted")
            while line := lines.readline():
                verb = line[:4].upper().decode().strip()
                answer = self._answer(verb, "250 scripted" if verb != "DATA" else "354 go")
                if answer is None:
                    return
                self._say(lines, answer)
                if answer.startswith("354"):
                    self._take(lines)

    def _take(self, lines: Any) -> None:
        letter = b"".join(iter(lines.readline, b".\r\n"))
        answer = self._answer("LETTER", "250 taken")
        if answer and answer.startswith("2"):
            self.letters.append(letter)
        if answer:
            self._say(lines, answer)

    def _answer(self, verb: str, usual: str) -> str | None:
        told = self._answers.get(verb)
        return told.pop(0) if told else usual

    def _say(self, lines: Any, answer: str) -> None:
        lines.write(answer.encode() + b"\r\n")
        lines.flush()


@pytest.fixture
def scripted(request: pytest.FixtureRequest) -> Iterator[Scripted]:
    server = Scripted(getattr(request, "param", {}))
    yield server
    server.close()


def plain(scripted: Scripted) -> SmtpPostman:
    return SmtpPostman("127.0.0.1", scripted.port, "", str, security="none")


def send(man: SmtpPostman, recipient: str = "anna@example.org") -> None:
    man.send(LETTER, "mafia@example.org", recipient)


def test_many_letters_share_a_connection_but_not_too_many(scripted: Scripted) -> None:
    man = plain(scripted)
    for _ in range(LETTERS + 1):
        send(man)
    man.close()
    assert (len(scripted.letters), scripted.connections) == (LETTERS + 1, 2)
    assert set(scripted.letters) == {LETTER.replace(b"\r\n.", b"\r\n..")}


@pytest.mark.parametrize("scripted", [{"MAIL": ["250 ok", "421 too many letters"]}, {"MAIL": ["250 ok", None]}], indirect=True)
def test_a_kept_connection_that_the_server_has_ended_is_made_anew_at_once(scripted: Scripted) -> None:
    man = plain(scripted)
    send(man)
    send(man)
    man.close()
    assert (len(scripted.letters), scripted.connections) == (2, 2)


@pytest.mark.parametrize(
    "scripted",
    [
        {"MAIL": ["451 try again"]},
        {"MAIL": ["553 5.7.1 not your address"]},
        {"RCPT": ["451 4.3.0 try again"]},
        {"RCPT": ["550 5.4.5 daily user sending limit exceeded"]},
        {"RCPT": [None]},
        {"DATA": ["451 try again"]},
        {"LETTER": ["452 4.3.1 disk full"]},
        {"EHLO": [None], "HELO": [None]},
    ],
    indirect=True,
)
def test_what_is_not_the_recipients_fault_says_try_later_and_the_next_try_works(scripted: Scripted) -> None:
    man = plain(scripted)
    with pytest.raises(TryLater):
        send(man)
    send(man)
    man.close()
    assert len(scripted.letters) == 1


@pytest.mark.parametrize("scripted", [{"RCPT": ["550 5.1.1 unknown"]}, {"LETTER": ["554 5.6.0 what a letter"]}], indirect=True)
def test_a_permanent_refusal_is_undeliverable_and_the_connection_goes_on(scripted: Scripted) -> None:
    man = plain(scripted)
    with pytest.raises(Undeliverable):
        send(man)
    send(man)
    man.close()
    assert (len(scripted.letters), scripted.connections) == (1, 1)


@pytest.mark.parametrize("recipient", ["анна@example.org", "a@b.c>\r\nRCPT TO:<d@e.f", "anna@" + "я" * 80 + ".рф"])
def test_an_address_that_this_server_cannot_take_is_undeliverable(scripted: Scripted, recipient: str) -> None:
    man = plain(scripted)
    with pytest.raises(Undeliverable):
        send(man, recipient)
    send(man, "anna@пример.рф")
    man.close()
    assert len(scripted.letters) == 1


def test_a_server_that_is_away_says_try_later() -> None:
    with pytest.raises(TryLater, match=r"SMTP 127\.0\.0\.1:1: "):
        send(SmtpPostman("127.0.0.1", 1, "", str, security="none"))
