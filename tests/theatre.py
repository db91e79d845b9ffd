"""Whole games by the demo's scripted players in a World: for one seed the same mails and the same letters each time."""

import hashlib
import random
import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from itertools import count
from unittest.mock import patch

from mafiamail.demo import mailers, script
from mafiamail.demo.cast import CAST, KEYWORDS, Actor
from mafiamail.demo.mailers import Answered
from mafiamail.game import clock
from mafiamail.game.deal import PARTIES
from mafiamail.game.events import Event
from mafiamail.game.evolve import fold
from mafiamail.game.model import Game, Stage
from tests.kit import HOST, Letter, World

EXTRAS = (  # the largest recorded party has 19 players
    Actor("Weaver", "wanda@icl.example.org", "Wanda Loom", "en", mailers.gmail, "Mends nets, and what is said behind backs."),
    Actor("Почтальонша", "pelageya@ya.example.org", "Пелагея Ильина", "ru", mailers.yandex, "Читает открытки прежде адресатов."),
    Actor("Lamplighter", "lewis@corp.example.org", "Lewis Brand", "en", mailers.outlook, "Knows which window is dark, and since when."),
)
TROUPE = (*CAST, *EXTRAS)
THE_HOST = Actor("host", HOST, "The Host", "en", mailers.mutt, "")
PRIVATE = ("Private", "Личное", "Host", "Ведущий")
PUBLIC = ("Day", "День")
NOISE = [  # what people write at the wrong time
    *("STATUS", "СТАТУС", "HELP", "RULES", "ПАС", "PASS", "UNVOTE", "START", "VOTE: {name}", "ГОЛОС: {name}", "VOTE: nobody"),
    *("KILL: {name}", "ЛЕЧИТЬ: {name}", "CHECK: {name}", "БЛОК: {name}", "SHOOT: {name}", "ЗАСТРЕЛИТЬ: {name}"),
    *("RAISE: {name}", "RECRUIT: {name}", "KILL: {name}\nHEAL: {name}", "FAMILY: I do not trust {name}.", "СВОИМ: Вы здесь?"),
    *("LAST WORDS: Remember me.", "SAY: {name}, where were you?", "I think it was {name}."),
]


@contextmanager
def fixed_secrets(seed: str) -> Iterator[None]:
    """What is random in the daemon follows from `seed`: secrets of seats, Message-IDs and, counted by themselves, the seeds of deals."""
    drawn = Counter[int]()

    def token_hex(size: int | None = None) -> str:
        drawn[size or 32] += 1
        return hashlib.sha256(f"{seed} {size} {drawn[size or 32]}".encode()).hexdigest()[: 2 * (size or 32)]

    with patch.object(secrets, "token_hex", token_hex):
        yield


@contextmanager
def whole_troupe() -> Iterator[None]:
    """The demo's script knows the actors and the roles of the largest parties too."""
    with (
        patch.object(script, "CAST", TROUPE),
        patch.dict(KEYWORDS["en"], RAISE="RAISE", RECRUIT="RECRUIT"),
        patch.dict(KEYWORDS["ru"], RAISE="ВОСКРЕСИТЬ", RECRUIT="ЗАВЕРБОВАТЬ"),
    ):
        yield


@dataclass(frozen=True)
class Step:
    """Something that happened: a mail (`actor`, `text`) or time (None), the letters that it caused, and the game after it."""

    at: datetime
    actor: Actor | None
    text: str
    letters: tuple[Letter, ...]
    game: Game


@dataclass
class Theatre:
    """One game of one party from NEW GAME to the last letter. `lines`: further lines of NEW GAME; `talk`: whether people say anything.

    `turn` may change what is written (for twins of a game); `noise`: the share of mails after which somebody writes what nobody asked for.
    """

    party: str
    seed: int
    language: str = "en"
    lines: str = ""
    talk: bool = True
    noise: float = 0.0
    turn: Callable[[Game, script.Move], script.Move] = lambda game, move: move
    world: World = field(default_factory=World)
    steps: list[Step] = field(default_factory=list)
    log: list[Event] = field(default_factory=list)  # once it has been played; another World may then be open
    most: int = 60  # phases: a game that does not end by itself is ended by the host

    def __post_init__(self) -> None:
        self.lot = random.Random(f"{self.party} {self.seed}")
        self.numbers = count(1)

    @property
    def game(self) -> Game:
        return fold(self.log) if self.log else self.world.game()

    @property
    def letters(self) -> list[Letter]:
        return self.world.letters()

    @property
    def actors(self) -> tuple[Actor, ...]:
        return TROUPE[: sum(number for _, number in PARTIES[self.party])]

    def play(self) -> "Theatre":
        with fixed_secrets(f"{self.party} {self.seed}"), whole_troupe():
            self._sign_up()
            for _ in range(self.most):
                if self.game.phase.stage is not Stage.OVER:
                    self._phase()
            if self.game.phase.stage is not Stage.OVER:
                self._step(THE_HOST, "END")
                self._step(THE_HOST, "")
            self.log = self.world.store.log.events(1)
        return self

    def _sign_up(self) -> None:
        party = f"NEW GAME\nname = Dacha\ntheme = a summer village\nparty = {self.party}\nlanguage = {self.language}\n{self.lines}"
        self._step(THE_HOST, party.strip())
        for actor in self.lot.sample(self.actors, k=len(self.actors)):
            self.world.at += timedelta(minutes=self.lot.randrange(3, 50))
            self._step(actor, f"{KEYWORDS[actor.language]['JOIN']}: {actor.name}\n{actor.description}")
            if actor.language != self.language:
                self.world.at += timedelta(minutes=1)
                self._step(actor, f"LANG: {actor.language}" if actor.language == "en" else f"ЯЗЫК: {actor.language}")
        self.world.at += timedelta(hours=1)
        self._step(THE_HOST, "START")
        assert self.game.phase.stage is not Stage.SIGNUP, self.world.last(HOST).text

    def _phase(self) -> None:
        """The mails of one phase, then its end by the clock if they did not end it."""
        phase = self.game.phase
        game = self.game.but(speaking=tuple(sorted(self.game.speaking)))  # a set has an order of its own in each process
        for move in script.moves(game, self.lot):
            if self.game.phase != phase:
                return
            if self._writes(move):
                self._live_until(phase.began + timedelta(minutes=move.minutes))
                if self.game.phase == phase:
                    self._step(move.actor, self.turn(self.game, self._sensible(move)).text, move.private)
                    if self.lot.random() < self.noise:
                        self._step(self.lot.choice(self.actors), self._prattle(), True)
        while self.game.phase == phase:
            self._live_until(clock.due(self.game) or self.world.at + timedelta(hours=48))

    def _live_until(self, moment: datetime) -> None:
        """The clock does not jump over what is due before: each moment is lived."""
        while (due := clock.due(self.game)) is not None and due <= moment and self.game.phase.stage is not Stage.OVER:
            before = self.game
            self._tick(due)
            if self.game == before:
                break
        self._tick(moment)

    def _tick(self, moment: datetime) -> None:
        self.world.at = max(self.world.at, moment)
        sent = len(self.world.letters())
        self.world.daemon.round()
        if letters := self.world.letters()[sent:]:
            self.steps.append(Step(self.world.at, None, "", tuple(letters), self.game))

    def _may_write(self, actor: Actor) -> bool:
        players = self.game.players
        return any((player.alive or who in self.game.speaking) and player.character == actor.name for who, player in players.items())

    def _writes(self, move: script.Move) -> bool:
        """The dead do not; where there is noise, somebody forgets his order now and then, and a Night lasts its full time."""
        if not self._may_write(move.actor) or (not self.talk and move.text.startswith(("SAY", "В ТЕМУ"))):
            return False
        return not self.noise or self.game.phase.stage is not Stage.NIGHT or self.lot.random() > self.noise / 4

    def _sensible(self, move: script.Move) -> script.Move:
        """The script names the living; a necromancer needs somebody dead."""
        word, _, _ = move.text.partition(":")
        if word not in ("RAISE", "ВОСКРЕСИТЬ"):
            return move
        dead = [player.character for player in self.game.players.values() if not player.alive]
        return script.Move(move.minutes, move.actor, f"{word}: {self.lot.choice(dead)}" if dead else "PASS", move.private)

    def _prattle(self) -> str:
        """Whatever people write at the wrong time: questions, orders that are not theirs, names of the dead, words without a keyword."""
        name = self.lot.choice(self.actors).name
        return self.lot.choice(NOISE).format(name=name)

    def _step(self, actor: Actor, text: str, private: bool = True) -> None:
        letters = self.world.raw(self._mail(actor, text, private))
        self.steps.append(Step(self.world.at, actor, text, tuple(letters), self.game))

    def _mail(self, actor: Actor, text: str, private: bool) -> bytes:
        answered = self._answered(actor, private)
        mail: EmailMessage = actor.mailer(actor.person, actor.address, text, answered, self.world.at)
        number = next(self.numbers)
        del mail["Message-ID"]
        mail["Message-ID"] = f"<{number}.{self.party}.{self.seed}@{actor.address.partition('@')[2]}>"
        if mail.is_multipart():
            mail.set_boundary(f"=-{number}-=")
        mail["To"] = answered.reply_to if answered else "mafia@example.org"
        return mail.as_bytes()

    def _answered(self, actor: Actor, private: bool) -> Answered | None:
        """The newest letter of that kind in his inbox."""
        wanted = PRIVATE if private else PUBLIC
        letter = next((letter for letter in reversed(self.world.to(actor.address)) if any(word in letter.subject for word in wanted)), None)
        return answered(letter) if letter else None


def answered(letter: Letter) -> Answered:
    return Answered(
        subject=letter.subject,
        message_id=letter.message_id,
        reply_to=letter.reply_to,
        sender=letter.header("From").replace('"', ""),
        text=letter.text.rstrip(),
        date=parsedate_to_datetime(str(letter.mail["Date"])),
    )
