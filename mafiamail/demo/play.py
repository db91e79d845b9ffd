"""Runs the demo: a post office, a daemon and a clock that jumps, shown live in the terminal."""

import random
import tempfile
import time
from datetime import UTC, datetime, timedelta
from email import policy
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from pathlib import Path

from mafiamail import config as configuration
from mafiamail.config import ConfigError
from mafiamail.counter import open_letter
from mafiamail.daemon import Daemon
from mafiamail.demo import mailers
from mafiamail.demo.cast import CAST, KEYWORDS, Actor
from mafiamail.demo.mailers import Answered
from mafiamail.demo.script import Move, actor_of, moves
from mafiamail.demo.stage import Stage as Show
from mafiamail.game import clock
from mafiamail.game.model import Game, Stage
from mafiamail.letters.languages import Languages
from mafiamail.mail.transports.local import PostOffice, letters
from mafiamail.mail.transports.smtp import SmtpPostman
from mafiamail.offices import open_mailbox, open_postman
from mafiamail.store import Store

BEGIN = datetime(2026, 5, 11, 18, 0, tzinfo=UTC)
LONGEST = 40.0  # seconds that the pauses for the eye may take in all
CONFIG = """
mail: {{address: mafia@example.org, name: Mafia}}
hosts: [host@example.org]
timezone: Europe/Moscow
database: {folder}/game.db
post_office: {{folder: {folder}/post, port: 0}}
"""
PLAYERS = CAST[:14]
HOST = Actor("", "host@example.org", "The Host", "en", mailers.mutt, "")


class Clock:
    """The demo's time: it stands until it is moved."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def now(self) -> datetime:
        return self.at


class Demo:
    """One game from NEW GAME to the last letter. Everything goes the way of real mail: SMTP in, Maildirs out."""

    def __init__(self, folder: Path, seed: int, show: Show) -> None:
        self.folder, self.lot, self.show, self.clock = folder, random.Random(seed), show, Clock(BEGIN)  # noqa: S311 (a script's lot)
        own = folder / "config.yaml"  # with it, `inbox` and `post` find this post office
        own.write_text(CONFIG.format(folder=folder), encoding="utf-8")
        config = configuration.load(own)
        self.office = PostOffice(config.post_office_folder(), config.mail.address, self.clock.now)
        self.store = Store(config.database_url())
        languages = Languages([configuration.builtin_templates()])
        self.daemon = Daemon(
            config, self.store, languages, open_mailbox(config, self.clock.now), open_postman(config, self.clock.now), self.clock.now
        )
        self.count = 0
        self.said: set[str] = set()  # nobody repeats what somebody has said

    @property
    def game(self) -> Game:
        return self.store.log.game(1)

    def play(self) -> None:
        with self.office:
            self.outgoing = SmtpPostman("127.0.0.1", self.office.port, "", str, security="none")
            self._sign_up()
            while self.game.phase.stage is not Stage.OVER:
                self._phase()
        self.daemon.close()

    def write(self, actor: Actor, text: str, private: bool = True) -> None:
        """One mail by SMTP, as the actor's program writes it, and one round of the daemon."""
        answered = self._answered(actor, private)
        mail = actor.mailer(actor.person, actor.address, text, answered, self.clock.at)
        mail["To"] = answered.reply_to if answered else "mafia@example.org"
        self.outgoing.send(mail.as_bytes(policy=policy.SMTP), actor.address, str(mail["To"]))
        self.count += 1
        self.daemon.round()

    def _answered(self, actor: Actor, private: bool) -> Answered | None:
        """The newest letter of that kind in his inbox."""
        found = (open_letter(path) for path in reversed(letters(self.office.folder, actor.address)))
        wanted = ("Private", "Личное", "Host") if private else ("Day", "День")
        letter = next((letter for letter in found if any(word in str(letter["Subject"]) for word in wanted)), None)
        return _answer_to(letter) if letter else None

    def _sign_up(self) -> None:
        self.write(HOST, "NEW GAME\nname = Dacha\ntheme = a summer village where nobody locks a door\nparty = 6\nlanguage = en")
        self.show.says(self.clock.at, "The host opens a game: party 6, fourteen players.")
        for actor in self.lot.sample(PLAYERS, k=len(PLAYERS)):
            self.clock.at += timedelta(minutes=self.lot.randrange(3, 50))
            language = "\nЯЗЫК: ru" if actor.language == "ru" else ""
            self.write(actor, f"{KEYWORDS[actor.language]['JOIN']}: {actor.name}\n{actor.description}{language}")
            self.show.joined(self.clock.at, self.game, actor.name)
        self.clock.at += timedelta(hours=1)
        self.write(HOST, "START")
        self.show.changed(self.clock.at, self.game)

    def _phase(self) -> None:
        """The mails of one phase, then its end by the clock if they did not end it."""
        phase = self.game.phase
        for move in moves(self.game, self.lot, self.said):
            if self.game.phase != phase:
                return
            self._move(move, phase.began)
        if self.game.phase == phase:
            self.clock.at = (clock.ends(self.game) or self.clock.at + timedelta(hours=48)) + timedelta(minutes=1)
            self._reminders_first(phase.began)
            self.daemon.round()
            self.show.changed(self.clock.at, self.game)

    def _reminders_first(self, began: datetime) -> None:
        """The clock does not jump over what is due before: each moment is lived."""
        until = self.clock.at
        while (due := clock.due(self.game)) is not None and due < until and self.game.phase.began == began:
            self.clock.at = due
            self.daemon.round()
            if clock.due(self.game) == due:
                break
        self.clock.at = until

    def _move(self, move: Move, began: datetime) -> None:
        if not self.game.players or self._gone(move.actor):
            return
        self.clock.at = max(self.clock.at, began + timedelta(minutes=move.minutes))
        before = self.game.phase
        self.write(move.actor, move.text, move.private)
        self.show.wrote(self.clock.at, self.game, move.actor.name, move.text, before.stage)
        if self.game.phase != before:
            self.show.changed(self.clock.at, self.game)

    def _gone(self, actor: Actor) -> bool:
        return not any(
            player.alive or who in self.game.speaking for who, player in self.game.players.items() if actor_of(self.game, who) == actor
        )


def _answer_to(letter: EmailMessage) -> Answered:
    body = letter.get_body(("plain",))
    return Answered(
        subject=str(letter["Subject"]),
        message_id=str(letter["Message-ID"]),
        reply_to=str(letter["Reply-To"]),
        sender=str(letter["From"]).replace('"', ""),
        text=body.get_content().rstrip() if body else "",
        date=parsedate_to_datetime(str(letter["Date"])),
    )


def play(folder: Path | None, seed: int, fast: bool) -> None:
    """Plays, shows, and says where the letters are. Raises ConfigError for a folder that cannot be used."""
    place = (folder or Path(tempfile.mkdtemp(prefix="mafiamail-demo-"))).absolute()
    try:
        place.mkdir(parents=True, exist_ok=True)
        if any(place.iterdir()):
            raise ConfigError(f"--folder: {place} is not empty; allowed: a new or an empty folder")
    except OSError as error:
        raise ConfigError(f"--folder: {place}: {error.strerror}; allowed: a folder that this user may make") from error
    began = time.monotonic()
    with Show(fast, LONGEST) as show:
        demo = Demo(place, seed, show)
        demo.play()
        show.over(demo.game)
    show.farewell(demo.count, place, [actor.address for actor in PLAYERS], time.monotonic() - began)
