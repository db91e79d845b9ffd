"""Turns events into log and letters, for whoever causes them: a mail or the clock."""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from mafiamail.desk.envelope import Envelopes
from mafiamail.game import clock
from mafiamail.game.commands import Command
from mafiamail.game.decide import decide
from mafiamail.game.duration import parse_duration
from mafiamail.game.events import Event, GameOver, PhaseBegan
from mafiamail.game.evolve import fold
from mafiamail.game.model import HOST, Game, Stage, Who
from mafiamail.letters.compose import compose
from mafiamail.letters.letter import Facts, Letter
from mafiamail.store import Store
from mafiamail.store.people import Person

log = logging.getLogger("mafiamail")

Row = dict[str, Any]

MOST_POSTS = 50  # of one digest


class TooSoon(Exception):
    """What comes next in this game waits until the mailbox is known to be complete: the mail is read again then."""


class Book:
    """The only writer of logs. Everything that it causes stands in `rows` until the caller puts it into the outbox."""

    def __init__(self, store: Store, envelopes: Envelopes, now: Callable[[], datetime], until: datetime) -> None:
        """`until`: all mail that arrived by then is there."""
        self._until = until
        self._store, self._envelopes, self._now = store, envelopes, now
        self.rows: list[Row] = []
        self._begun: set[str] = set()  # threads of letters

    def now(self) -> datetime:
        """The present moment, for letters only."""
        return self._now()

    def game(self, number: int) -> Game:
        return self._store.log.game(number)

    def decide(self, number: int, by: Who, command: Command, at: datetime) -> tuple[Event, ...]:
        """Obeys one command, and lets the clock do what follows from it at that very moment. Raises Refused."""
        game = self.game(number)
        events = decide(game, by, command, at)
        _, following = clock.run(fold(events, game), min(at, self._until))
        self.write(number, (*events, *following))
        return events

    def advance(self, number: int, moment: datetime) -> None:
        """Everything that was due by then happens, in order. Raises TooSoon where an earlier mail may still come."""
        self._run(number, moment)
        due = clock.due(self.game(number))
        if due is not None and due <= moment:
            raise TooSoon

    def wait_for(self, moment: datetime) -> None:
        """Raises TooSoon while a mail that arrived earlier than this moment may still come."""
        if moment > self._until:
            raise TooSoon

    def _run(self, number: int, moment: datetime) -> None:
        """The clock runs to the moment, but never past the one up to which all mail is known to have come."""
        game, until = self.game(number), min(moment, self._until)
        due = clock.due(game)
        if due is not None and due <= until:
            self.write(number, clock.advance(game, until))

    def log(self, number: int) -> Sequence[Event]:
        return self._store.log.events(number)

    def write(self, number: int, events: Sequence[Event]) -> None:
        if not events:
            return
        before = self.game(number)
        letters = compose(before, events, lambda: self._store.log.events(number))
        after = self._store.log.append(number, events)
        for event in events:
            if isinstance(event, PhaseBegan | GameOver):
                log.info("game %s: %s", number, f"{event.stage} {event.number}" if isinstance(event, PhaseBegan) else "over")
        self.send(number, letters)
        if after.phase.stage is Stage.OVER:
            self._store.log.close(number)
        elif before.phase.stage is Stage.OVER:  # its end was taken back
            self._store.log.reopen(number)

    def send(self, number: int, letters: Sequence[tuple[Game, Letter]], answers: bool = False) -> None:
        """Letters to people of this game, each with the game that it tells of."""
        if not letters:
            return
        people, now = self._store.people.of_game(number), self._now()
        hosts = [person for person in people.values() if person.is_host]
        for game, letter in letters:
            for person in hosts if letter.to == HOST else filter(None, [people.get(letter.to)]):
                if person.digest and letter.kind == "post":
                    self._gather(person, game, letter, now)
                    continue
                if person.digest and not letter.private:
                    self._hasten(person, now)
                self.rows.append(self._envelopes.address(person, game, letter, now, self._begun, answers))

    def _gather(self, person: Person, game: Game, post: Letter, now: datetime) -> None:
        """The talk of the thread waits for whoever wants it together."""
        said = {**post.facts, "at": now.isoformat()}
        row = next((row for row in self.rows if (row["kind"], row["game"], row["who"]) == ("digest", person.game, person.key)), None)
        if row is not None:
            row["facts"]["posts"].append(said)
            return
        waiting = self._store.mailroom.digest(person)
        if waiting is not None and len(waiting[1]["posts"]) < MOST_POSTS:
            number, facts = waiting
            self._store.mailroom.change_facts(number, facts | {"posts": [*facts["posts"], said]})
            return
        letter = Letter(post.to, "digest", {"posts": [said]}, post.thread)
        later = {"next_try": (now + parse_duration(person.digest)).isoformat()}
        self.rows.append(self._envelopes.address(person, game, letter, now, self._begun) | later)

    def _hasten(self, person: Person, now: datetime) -> None:
        """Before other news of the thread comes what was said until then."""
        self._store.mailroom.hasten(person, now)
        for row in self.rows:
            if (row["kind"], row["game"], row["who"]) == ("digest", person.game, person.key):
                row["next_try"] = now.isoformat()

    def envelope(self, person: Person, letter: Letter, answers: bool = False) -> Row:
        """One letter to one person, about his game as it is now; not yet among `rows`."""
        return self._envelopes.address(person, self.game(person.game), letter, self._now(), self._begun, answers)

    def to_stranger(self, address: str, language: str, kind: str, facts: Facts, token: str = "") -> Row:
        return self._envelopes.to_stranger(address, language, kind, facts, self._now(), token)
