"""Votes read, applied and answered, and letters sent, against the sum of their bare parts: python -m tests.bench.votes [VOTES]

Everything is real: Dovecot, SQLite on this disk with two full commits for each vote, an SMTP sink (Postfix's smtp-sink) on loopback.
The bare parts are measured in the same run, on the same mails and letters, each by the quickest honest means that was found.
"""

import email
import os
import pwd
import shutil
import smtplib
import sqlite3
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from datetime import timedelta
from email import message_from_bytes, policy
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from pathlib import Path

from imapclient import IMAPClient

from mafiamail import config as configuration
from mafiamail.daemon import Daemon
from mafiamail.demo import mailers
from mafiamail.demo.play import _answer_to
from mafiamail.game.model import HOST as HOST_KEY
from mafiamail.letters.letter import Letter, public_thread
from mafiamail.mail.transports.local import utc_now
from mafiamail.offices import open_mailbox, open_postman
from mafiamail.store import Store
from tests.kit import LANGUAGES, NAMES, World, address, new_game
from tests.servers_kit import MailServers, _free_ports, within

BATCH = 50
CONFIG = """
mail:
  address: mafia@example.org
  inbox: {{imap: {{host: localhost, port: {imaps}, cafile: {cafile}}}}}
  outbox: {{smtp: {{host: 127.0.0.1, port: {sink}, security: none, user: ""}}}}
  password: {{env: MAFIA_BENCH_PASSWORD}}
hosts: [host@example.org]
timezone: Europe/Moscow
"""
Seconds = float


def votes(world: World, number: int) -> list[bytes]:
    """Answers of a Gmail user to his last letter, each naming somebody else than before (variant one, so that each counts)."""
    found = []
    newest = {sent.recipient: sent.letter for sent in world.postman.sent}
    answered = {name: _answer_to(message_from_bytes(newest[address(name)], policy=policy.default)) for name in NAMES}
    for position in range(number):
        voter = NAMES[position % len(NAMES)]
        others = [name for name in NAMES if name != voter]
        mail = mailers.gmail(voter, address(voter), f"VOTE: {others[position // len(NAMES) % len(others)]}", answered[voter], world.at)
        mail["To"] = answered[voter].reply_to
        found.append(mail.as_bytes(policy=policy.SMTP))
    return found


def file_into(servers: MailServers, mails: Iterable[bytes]) -> None:
    """Puts mails where Dovecot finds them, as its own delivery would."""
    new = servers.folder / "mail/mafia/Maildir/new"
    owner = pwd.getpwnam("mail")
    for part in ("new", "cur", "tmp"):
        (new.parent / part).mkdir(parents=True, exist_ok=True)
    arrived = time.time() - 120  # longer ago than the mailbox needs to be known complete
    for position, mail in enumerate(mails):
        path = new / f"{int(arrived)}.M{position:06d}P1.bench"
        path.write_bytes(mail)
        os.utime(path, (arrived, arrived))
    for path in [new.parent, *new.parent.rglob("*")]:
        os.chown(path, owner.pw_uid, owner.pw_gid)


def timed(work: Callable[[], object]) -> Seconds:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def each(work: Callable[[int], object], number: int) -> Seconds:
    return timed(lambda: [work(position) for position in range(number)])


def fetch_and_flag(servers: MailServers, context: ssl.SSLContext) -> tuple[Seconds, Seconds]:
    with IMAPClient("localhost", servers.ports["imaps"], ssl_context=context) as client:
        client.login(servers.address("mafia"), servers.password("mafia"))
        client.select_folder("INBOX")
        uids = client.search()
        parts = [uids[at : at + BATCH] for at in range(0, len(uids), BATCH)]
        fetched = timed(lambda: [client.fetch(part, ["BODY.PEEK[]", "INTERNALDATE"]) for part in parts])
        flagged = timed(lambda: [client.add_flags(part, ["\\Seen"], silent=True) for part in parts])
        client.remove_flags(uids, ["\\Seen"], silent=True)
    return fetched, flagged


def parse(content: bytes) -> str:
    mail = email.message_from_bytes(content)
    body = next(part for part in mail.walk() if part.get_content_type() == "text/plain")
    return bytes(body.get_payload(decode=True)).decode()


def commits(path: Path, number: int) -> Seconds:
    """What a vote needs to be kept: its mail, its event and its letter in one commit, the letter's end in another."""
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode = wal")
    database.execute("PRAGMA synchronous = full")
    database.execute("CREATE TABLE mail (key TEXT PRIMARY KEY, body TEXT)")
    database.execute("CREATE TABLE event (game INTEGER, seq INTEGER, body TEXT, PRIMARY KEY (game, seq))")
    database.execute("CREATE TABLE letter (id INTEGER PRIMARY KEY, facts TEXT, state TEXT)")

    def vote(position: int) -> None:
        database.execute("BEGIN IMMEDIATE")
        database.execute("INSERT INTO mail VALUES (?, ?)", (f"{position:064d}", "x" * 100))
        database.execute("INSERT INTO event VALUES (1, ?, ?)", (position, "x" * 100))
        database.execute("INSERT INTO letter VALUES (?, ?, 'waiting')", (position, "x" * 1500))
        database.execute("COMMIT")
        database.execute("BEGIN IMMEDIATE")
        database.execute("UPDATE letter SET state = 'sent', facts = '' WHERE id = ?", (position,))
        database.execute("COMMIT")

    try:
        return each(vote, number)
    finally:
        database.close()


def mime(text: str, html: str) -> bytes:
    both = MIMEMultipart("alternative")
    both["From"], both["To"], both["Subject"] = "Mafia <mafia@example.org>", "anna@example.org", "[Dacha] Private"
    both.attach(MIMEText(text, "plain", "utf-8"))
    both.attach(MIMEText(html, "html", "utf-8"))
    return both.as_bytes()


def send(port: int, content: bytes, number: int) -> Seconds:
    with smtplib.SMTP("127.0.0.1", port, "[127.0.0.1]") as client:
        client.ehlo()

        def one(position: int) -> None:
            client.mail("mafia@example.org")
            client.rcpt("anna@example.org")
            client.data(content)

        return each(one, number)


class Bench:
    """One run: a game of sixteen, its votes in Dovecot, its letters into the sink."""

    def __init__(self, folder: Path, servers: MailServers, sink: int, number: int) -> None:
        self.folder, self.servers, self.sink, self.number = folder, servers, sink, number
        self.world = World(str(folder / "game.db"), at=utc_now() - timedelta(minutes=5))
        new_game(self.world, "4 mafia, doctor, commissar, priest, maniac, 8 citizens", "variant = one")
        self.mails = votes(self.world, number)
        self.world.store.close()
        config = configuration.parse(CONFIG.format(**servers.ports, cafile=servers.cafile, sink=sink), folder / "config.yaml")
        self.store = Store(str(folder / "game.db"))
        self.daemon = Daemon(config, self.store, LANGUAGES, open_mailbox(config), open_postman(config), utc_now)

    def whole(self) -> Seconds:
        """The daemon's own path, from the mailbox to the sink."""
        file_into(self.servers, self.mails)
        before = len(self.store.log.events(1))
        took = timed(self.daemon.round)
        counted = len(self.store.log.events(1)) - before
        assert counted >= self.number, f"{counted} of {self.number} votes counted"
        return took

    def letters(self, number: int) -> Seconds:
        """Letters alone: the same post to everybody, rendered, built, sent and marked."""
        game = self.store.log.game(1)
        facts = {"name": "Anna", "text": "I walked by the pond at dawn and saw two pairs of footprints.\n" * 4}
        with self.store.transaction():
            for position in range(number):
                who = list(game.players)[position % len(game.players)]
                self.daemon.desk.tell(1, Letter(who if position else HOST_KEY, "post", facts, public_thread(game)))
        return timed(self.daemon.post.send_waiting)

    def parts(self) -> dict[str, Seconds]:
        """Each part alone, in seconds for all votes."""
        number = self.number
        fetched, flagged = fetch_and_flag(self.servers, _context(self.servers))
        facts = self._receipt_facts()
        rendered = LANGUAGES.render("en", "receipt", facts)
        return {
            "fetch": fetched,
            "flag": flagged,
            "parse": each(lambda position: parse(self.mails[position]), number),
            "two commits": commits(self.folder / "bare.db", number),
            "words (Jinja)": each(lambda position: LANGUAGES.render("en", "receipt", facts), number),
            "build": each(lambda position: mime(rendered.text, rendered.html), number),
            "send": send(self.sink, mime(rendered.text, rendered.html), number),
        }

    def _receipt_facts(self) -> dict[str, object]:
        """The facts of a real receipt: the last vote once more, from memory."""
        kept: list[dict[str, object]] = []
        real = LANGUAGES.render
        world = World(at=self.world.at)
        new_game(world, "4 mafia, doctor, commissar, priest, maniac, 8 citizens", "variant = one")
        for name in NAMES:
            world.say(name, f"VOTE: {NAMES[0] if name != NAMES[0] else NAMES[1]}")
        try:
            LANGUAGES.render = lambda lang, kind, facts: (kept.append(dict(facts)), real(lang, kind, facts))[1]  # type: ignore[method-assign]
            world.say(NAMES[2], f"VOTE: {NAMES[1]}")
        finally:
            LANGUAGES.render = real  # type: ignore[method-assign]
        return kept[0]


def _context(servers: MailServers) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(servers.cafile))


def run(number: int) -> None:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mafiamail-bench-")))
        servers = stack.enter_context(MailServers(["mafia"], domain="example.org"))
        os.environ["MAFIA_BENCH_PASSWORD"] = servers.password("mafia")
        port = _free_ports(1)[0]
        sink = subprocess.Popen([shutil.which("smtp-sink") or "/usr/sbin/smtp-sink", "-u", "postfix", f"127.0.0.1:{port}", "1000"])
        stack.callback(sink.wait)
        stack.callback(sink.terminate)
        within(10, lambda: True if _answers(port) else None)
        bench = Bench(folder, servers, port, number)
        whole = bench.whole()
        parts = bench.parts()
        letters = bench.letters(number)
    bare = sum(parts.values())
    print(f"{number} votes: {number / whole:.0f} votes/s, {whole / number * 1e3:.2f} ms each; {number / letters:.0f} letters/s")
    for name, seconds in parts.items():
        print(f"  {name:14} {seconds / number * 1e3:6.3f} ms")
    print(f"  {'bare parts':14} {bare / number * 1e3:6.3f} ms; the whole path costs {whole / bare:.2f} times as much")


def _answers(port: int) -> bool:
    try:
        smtplib.SMTP("127.0.0.1", port, timeout=1).close()
    except OSError:
        return False
    return True


if __name__ == "__main__":
    run(int(sys.argv[1]) if len(sys.argv) > 1 else 640)
