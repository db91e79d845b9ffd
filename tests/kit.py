"""A whole daemon for tests: everything is real but the network and the clock."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import EmailMessage, Message
from email.utils import format_datetime
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any, cast

from mafiamail import config as configuration
from mafiamail.config import Config
from mafiamail.daemon import Daemon
from mafiamail.game import clock, night
from mafiamail.game.model import Game, Player, Stage
from mafiamail.letters.languages import Languages
from mafiamail.mail.transports.memory import MemoryMailbox, MemoryPostman
from mafiamail.store import Store

BEGIN = datetime(2026, 5, 11, 18, 0, tzinfo=UTC)
HOST = "host@example.org"
DAEMON = "mafia@example.org"
LANGUAGES = Languages([configuration.builtin_templates()])
OWN = "mail: {{address: mafia@example.org, name: Mafia{mail}}}\nhosts: [host@example.org, cohost@example.org]\ntimezone: Europe/Moscow\n"
OUTSIDE = ", inbox: {maildir: inbox}, outbox: {smtp: {host: localhost, security: none, user: ''}}"
"""For World(mail_keys=…): a mailbox of a provider, which does not vouch for whoever writes to it."""


@dataclass
class Letter:
    """A letter that went out, as its reader sees it. Taken apart when it is looked at, and once: games write thousands."""

    to: str
    content: bytes

    @cached_property
    def mail(self) -> Message:
        return message_from_bytes(self.content)

    def header(self, name: str) -> str:
        return str(make_header(decode_header(self.mail[name] or "")))

    def part(self, kind: str) -> str:
        found = next((part for part in self.mail.walk() if part.get_content_type() == kind), None)
        return cast(bytes, found.get_payload(decode=True)).decode().replace("\r\n", "\n") if found else ""

    @cached_property
    def subject(self) -> str:
        return self.header("Subject")

    @cached_property
    def text(self) -> str:
        return self.part("text/plain")

    @cached_property
    def plain(self) -> str:
        """The text with ordinary blanks: quoted lines are kept together by others, and whole words are what tests look for."""
        return " ".join(self.text.split())

    @cached_property
    def html(self) -> str:
        return self.part("text/html")

    @cached_property
    def reply_to(self) -> str:
        return self.header("Reply-To")

    @cached_property
    def message_id(self) -> str:
        return self.header("Message-ID")


@dataclass
class World:
    """A daemon over a database in memory (or in a file), a mailbox and a postman in memory, and a clock that tests move."""

    database: str = ":memory:"
    extra: str = ""
    mail_keys: str = ""  # further keys under `mail`, such as OUTSIDE
    languages: Languages = LANGUAGES
    at: datetime = BEGIN
    numbers: Iterator[int] = field(default_factory=lambda: count(1))
    known: list[Letter] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.config: Config = configuration.parse(OWN.format(mail=self.mail_keys) + self.extra, Path("config.yaml"))
        self.mailbox, self.postman = MemoryMailbox(self.now), MemoryPostman()
        self.open()

    def now(self) -> datetime:
        return self.at

    def open(self) -> None:
        """Starts the daemon (again)."""
        self.store = Store(self.database)
        self.daemon = Daemon(self.config, self.store, self.languages, self.mailbox, self.postman, self.now)

    # time

    def wait(self, **length: float) -> None:
        """Time passes, and the daemon looks."""
        self.at += timedelta(**length)
        self.daemon.round()

    def until_the_end_of_the_phase(self, number: int = 1) -> None:
        """Each moment at which the clock acts is lived, to the one that ends the phase."""
        phase = self.game(number).phase
        while self.game(number).phase == phase and (due := clock.due(self.game(number))) is not None:
            self.at = max(self.at, due)
            self.daemon.round()

    # in

    def mail(
        self, sender: str, text: str, *, to: str = DAEMON, subject: str = "", answering: Letter | None = None, **headers: str
    ) -> list[Letter]:
        """One mail arrives now and is dealt with; answers the letters that go out because of it."""
        mail = EmailMessage(policy=policy.SMTP)
        mail["From"], mail["To"] = sender, answering.reply_to if answering else to
        mail["Date"], mail["Message-ID"] = format_datetime(self.at), f"<{next(self.numbers)}@{sender.rpartition('@')[2]}>"
        mail["Subject"] = subject or (f"Re: {answering.subject}" if answering else "")
        if answering:
            mail["In-Reply-To"] = mail["References"] = answering.message_id
        for name, value in headers.items():
            mail[name.replace("_", "-")] = value
        mail.set_content(text, cte="8bit")
        return self.raw(mail.as_bytes())

    def raw(self, content: bytes) -> list[Letter]:
        before = len(self.postman.sent)
        self.mailbox.deliver(content)
        self.daemon.round()
        return self.letters()[before:]

    # out

    def letters(self) -> list[Letter]:
        for sent in self.postman.sent[len(self.known) :]:
            self.known.append(Letter(sent.recipient, sent.letter))
        return list(self.known)

    def to(self, address: str) -> list[Letter]:
        return [letter for letter in self.letters() if letter.to == address]

    def last(self, address: str, containing: str = "") -> Letter:
        return next(letter for letter in reversed(self.to(address)) if containing in letter.text or containing in letter.subject)

    # the game

    def game(self, number: int = 1) -> Game:
        return self.store.log.game(number)

    def player(self, character: str, number: int = 1) -> Player:
        return next(player for player in self.game(number).players.values() if player.character == character)

    def address_of(self, character: str, number: int = 1) -> str:
        return self.store.people.of_game(number)[self.player(character, number).who].address

    def with_role(self, role: str, number: int = 1) -> list[str]:
        """The characters that have this role, by seat."""
        players = sorted(self.game(number).players.values(), key=lambda player: player.seat)
        return [player.character for player in players if player.role == role]

    def stage(self, number: int = 1) -> Stage:
        return self.game(number).phase.stage

    def say(self, character: str, text: str, number: int = 1, **how: Any) -> list[Letter]:
        """A player writes, to the game's own address."""
        return self.mail(self.address_of(character, number), text, to=f"mafia+g{number}@example.org", **how)

    def alive(self, number: int = 1) -> list[str]:
        """The characters that live, by seat."""
        players = sorted(self.game(number).players.values(), key=lambda player: player.seat)
        return [player.character for player in players if player.alive]

    def execute(self, character: str, number: int = 1) -> None:
        """By Day: everybody votes for him, until that is decided."""
        day = self.game(number).phase
        for voter in self.alive(number):
            if voter != character and self.game(number).phase == day:
                self.say(voter, f"VOTE: {character}", number)

    def skip_words(self, number: int = 1) -> None:
        """The window of the executed passes in silence."""
        if self.stage(number) is Stage.LAST_WORDS:
            self.until_the_end_of_the_phase(number)

    def night(self, orders: dict[str, str] | None = None, number: int = 1) -> None:
        """By Night: these orders, then PASS from everybody else who is waited for."""
        begun = self.game(number).phase
        for character, text in (orders or {}).items():
            self.say(character, text, number)
        while self.game(number).phase == begun and (missing := night.missing(self.game(number))):
            self.say(self.game(number).players[missing[0]].character, "PASS", number)


NAMES = (
    "Anna",
    "Boris",
    "Clara",
    "Dmitri",
    "Emma",
    "Fyodor",
    "Greta",
    "Hugo",
    "Irina",
    "Jakob",
    "Karl",
    "Lena",
    "Misha",
    "Nora",
    "Oleg",
    "Pavel",
)


def address(name: str) -> str:
    return f"{name.lower()}@players.example.org"


def new_game(world: World, composition: str = "2 mafia, doctor, commissar, 3 citizens", lines: str = "", started: bool = True) -> World:
    """A game whose players are the first of NAMES, joined and, if wanted, started."""
    letters = world.mail(HOST, f"NEW GAME\nname = Dacha\ncomposition = {composition}\n{lines}")
    number = int(re.findall(r"\+g(\d+)@", letters[0].text)[0])
    need = sum(entry[1] for entry in world.game(number).composition)
    for name in NAMES[:need]:
        world.mail(address(name), f"JOIN: {name}\nA summer guest.", to=f"mafia+g{number}@example.org")
    if started:
        world.mail(HOST, "START", to=f"mafia+g{number}@example.org")
    return world
