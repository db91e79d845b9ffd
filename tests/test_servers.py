"""Two whole games at once on real servers: Dovecot and Postfix on loopback, real IMAP, real SMTP, real delivery."""

import smtplib
import ssl
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from pathlib import Path

import pytest
from imapclient import IMAPClient

from mafiamail import config as configuration
from mafiamail.daemon import Daemon
from mafiamail.game.model import Game, Stage
from mafiamail.letters.languages import Languages
from mafiamail.mail.transports.local import utc_now
from mafiamail.offices import open_mailbox, open_postman
from mafiamail.store import Store
from tests.servers_kit import MailServers, require_servers, within

pytestmark = pytest.mark.servers

FIRST = ("anna", "boris", "clara", "dmitri", "emma", "fyodor")
SECOND = ("anna", "boris", "greta", "hugo", "irina", "jakob")  # two of them play in both
CONFIG = """
mail:
  address: mafia@example.test
  inbox: {{imap: {{host: localhost, port: {imaps}, user: mafia@example.test, cafile: {cafile}, move_to: Done, settle: 1s}}}}
  outbox: {{smtp: {{host: localhost, port: {submission}, security: starttls, user: mafia@example.test, cafile: {cafile}}}}}
  password: {{env: MAFIA_TEST_PASSWORD}}
hosts: [host@example.test]
timezone: Europe/Moscow
"""


class Mailbox:
    """One person at his mail program: reads over IMAP, writes over submission."""

    def __init__(self, servers: MailServers, user: str) -> None:
        self.servers, self.user, self.address = servers, user, servers.address(user)
        self.context = ssl.create_default_context(cafile=str(servers.cafile))

    def letters(self) -> list[EmailMessage]:
        with IMAPClient("localhost", self.servers.ports["imaps"], ssl_context=self.context, timeout=10) as client:
            client.login(self.address, self.servers.password(self.user))
            client.select_folder("INBOX", readonly=True)
            found = client.fetch(client.search(), ["BODY.PEEK[]"])
        contents = [found[uid][b"BODY[]"] for uid in sorted(found)]
        return [message_from_bytes(content, policy=policy.default) for content in contents]

    def newest(self, *words: str) -> EmailMessage | None:
        """The newest letter whose subject and text hold all these words."""
        return next(
            (letter for letter in reversed(self.letters()) if all(word in f"{letter['Subject']}\n{text(letter)}" for word in words)), None
        )

    def write(self, body: str, answering: EmailMessage | None = None, to: str = "mafia@example.test") -> None:
        mail = EmailMessage(policy=policy.SMTP)
        mail["From"], mail["To"] = self.address, str(answering["Reply-To"]) if answering else to
        mail["Date"], mail["Message-ID"] = format_datetime(utc_now()), make_msgid(domain="example.test")
        mail["Subject"] = f"Re: {answering['Subject']}" if answering else "Mafia"
        if answering:
            mail["In-Reply-To"] = mail["References"] = str(answering["Message-ID"])
            body += f"\n\nOn some day, {answering['From']} wrote:\n" + "\n".join(f"> {line}" for line in text(answering).splitlines())
        mail.set_content(body)
        with smtplib.SMTP("localhost", self.servers.ports["submission"], timeout=10) as server:
            server.starttls(context=self.context)
            server.login(self.address, self.servers.password(self.user))
            server.send_message(mail)


def text(letter: EmailMessage) -> str:
    body = letter.get_body(("plain",))
    return str(body.get_content()) if body else ""


class Table:
    """The daemon and everybody who writes to it."""

    def __init__(self, servers: MailServers, folder: Path) -> None:
        self.people = {user: Mailbox(servers, user) for user in ("host", *FIRST, *SECOND)}
        config = configuration.parse(CONFIG.format(**servers.ports, cafile=servers.cafile), folder / "config.yaml")
        self.store = Store(str(folder / "game.db"))
        languages = Languages([configuration.builtin_templates()])
        self.daemon = Daemon(config, self.store, languages, open_mailbox(config), open_postman(config), utc_now)

    def until(self, holds: Callable[[], object]) -> None:
        """The daemon looks into its mailbox until something has come of what was written."""

        def look() -> bool | None:
            self.daemon.round()
            return True if holds() else None

        within(30, look)

    def game(self, number: int) -> Game:
        return self.store.log.game(number)

    def user(self, number: int, role: str) -> str:
        """The user of the first living player with this role."""
        who = next(who for who, player in self.game(number).players.items() if player.role == role and player.alive)
        return self.store.people.of_game(number)[who].address.partition("@")[0]

    def name(self, number: int, user: str) -> str:
        people = self.store.people.of_game(number).values()
        who = next(person.who for person in people if person.address == f"{user}@example.test" and person.who != "host")
        return self.game(number).players[who].character

    def living(self, number: int) -> list[str]:
        people = self.store.people.of_game(number)
        return [people[who].address.partition("@")[0] for who, player in self.game(number).players.items() if player.alive]

    def letter(self, user: str, *words: str) -> EmailMessage:
        """The newest letter with these words, once it has arrived."""
        found: list[EmailMessage | None] = []
        self.until(lambda: found.append(self.people[user].newest(*words)) or found[-1])
        newest = found[-1]
        assert newest is not None
        return newest

    def ask(self, user: str, body: str, to: str, *answer: str) -> EmailMessage:
        """Writes, and waits for the letter with these words that comes of it."""
        before = len(self.people[user].letters())
        self.people[user].write(body, to=to)
        return self.answer(user, before, *answer)

    def answer(self, user: str, before: int, *words: str) -> EmailMessage:
        found: list[EmailMessage] = []

        def come() -> bool:
            found[:] = [letter for letter in self.people[user].letters()[before:] if all(word in text(letter) for word in words)]
            return bool(found)

        self.until(come)
        return found[-1]

    def confirmed(self, user: str, body: str, to: str, *answer: str) -> EmailMessage:
        """Nothing proves who wrote the first mail, so a letter asks, and its answer counts."""
        question = self.ask(user, body, to, "proves")
        before = len(self.people[user].letters())
        self.people[user].write("Yes, that was me.", question)
        return self.answer(user, before, *answer)


@pytest.fixture
def servers() -> Iterator[MailServers]:
    require_servers()
    with MailServers(["mafia", "host", *dict.fromkeys(FIRST + SECOND)]) as running:
        yield running


@pytest.fixture
def table(servers: MailServers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    monkeypatch.setenv("MAFIA_TEST_PASSWORD", servers.password("mafia"))
    table = Table(servers, tmp_path)
    yield table
    table.daemon.close()


def sign_up(table: Table, number: int, users: tuple[str, ...], title: str) -> None:
    setup = f"NEW GAME\nname = {title}\ncomposition = mafia, doctor, commissar, 3 citizens\nlast_words = 0"
    table.confirmed("host", setup, "mafia@example.test", f"mafia+g{number}@example.test")
    for user in users:
        table.confirmed(user, f"JOIN: {user.title()} the {title}", f"mafia+g{number}@example.test", f"{user.title()} the {title}")
    invitation = table.letter("host", f"mafia+g{number}@example.test")
    table.people["host"].write("START", invitation)
    table.until(lambda: table.game(number).phase.stage is Stage.DAY)


def vote(table: Table, number: int, title: str, users: list[str], whom: str) -> None:
    """Everybody answers the letter of the Day: the secret in its reply address says in which game."""
    day = table.game(number).phase.number
    for user in users:
        letter = table.letter(user, f"[{title}] Day {day}", "To vote")
        other = whom if user != whom else next(one for one in users if one != whom)
        table.people[user].write(f"VOTE: {table.name(number, other)}", letter)


def night(table: Table, number: int, title: str, orders: dict[str, str]) -> None:
    for user, order in orders.items():
        letter = table.letter(user, f"[{title}] Private", f"Night {table.game(number).phase.number}")
        table.people[user].write(order, letter)


def test_two_games_at_once_from_new_game_to_the_last_letter_with_a_server_that_stops_in_between(table: Table, servers: MailServers) -> None:
    sign_up(table, 1, FIRST, "Dacha")
    sign_up(table, 2, SECOND, "Harbour")
    suspects = {number: table.user(number, "citizen") for number in (1, 2)}
    for number, title in ((1, "Dacha"), (2, "Harbour")):
        vote(table, number, title, table.living(number), suspects[number])
    table.until(lambda: all(table.game(number).phase.stage is Stage.NIGHT for number in (1, 2)))
    assert table.letter(table.user(2, "mafia"), "[Harbour] Private", "Night 1")

    servers.stop()
    table.daemon.round()  # nothing can be read, nothing is lost, nothing is raised
    assert all(table.game(number).phase.stage is Stage.NIGHT for number in (1, 2))
    servers.start()

    for number, title in ((1, "Dacha"), (2, "Harbour")):
        killer, victim = table.user(number, "mafia"), table.user(number, "citizen")
        orders = {
            killer: f"KILL: {table.name(number, victim)}",
            table.user(number, "doctor"): f"HEAL: {table.name(number, killer)}",
            table.user(number, "commissar"): f"CHECK: {table.name(number, killer)}",
        }
        night(table, number, title, orders)
    table.until(lambda: all(table.game(number).phase.number == 2 for number in (1, 2)))
    for number, title in ((1, "Dacha"), (2, "Harbour")):
        commissar, killer = table.user(number, "commissar"), table.user(number, "mafia")
        assert table.letter(commissar, f"[{title}] Private", table.name(number, killer), "became clear")
        vote(table, number, title, table.living(number), killer)
    table.until(lambda: all(table.game(number).phase.stage is Stage.OVER for number in (1, 2)))
    assert [table.game(number).winner for number in (1, 2)] == ["town", "town"]
    for user in FIRST:
        assert table.letter(user, "[Dacha] Day 2", "Night 1", "mafia01")


def test_handled_mail_is_seen_and_moved_and_none_is_deleted(table: Table, servers: MailServers) -> None:
    table.ask("host", "HELP", "mafia@example.test", "composition")
    table.ask("anna", "HELP", "mafia@example.test", "JOIN:")
    context = ssl.create_default_context(cafile=str(servers.cafile))
    with IMAPClient("localhost", servers.ports["imaps"], ssl_context=context, timeout=10) as client:
        client.login("mafia@example.test", servers.password("mafia"))
        client.select_folder("INBOX")
        left = client.search()
        client.select_folder("Done")
        done = client.fetch(client.search(), ["FLAGS"])
    assert not left
    assert len(done) == 2
    assert all(b"\\Seen" in item[b"FLAGS"] for item in done.values())
