"""One mail of a person: its commands are obeyed in order until one fails, and one receipt tells all that came of it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from mafiamail.config import Config
from mafiamail.desk import applying, confirming, digests, hosting, joining, playing, restraint, zones
from mafiamail.desk.book import Book, Row
from mafiamail.desk.mistakes import BadLine, BadLines, Unnamed, Unsaid
from mafiamail.desk.own_roles import own_keywords, with_own
from mafiamail.desk.writer import Writer
from mafiamail.game.commands import Hear
from mafiamail.game.duration import format_duration
from mafiamail.game.model import HOST, Game
from mafiamail.game.refusal import Refused, Why
from mafiamail.letters.languages import Languages
from mafiamail.letters.letter import Facts, Letter
from mafiamail.letters.names import find
from mafiamail.letters.receipt import status
from mafiamail.letters.settings import rules
from mafiamail.letters.understand import Keywords, Line, NotUnderstood, Understood, from_subject, looks_like_command, read_lines
from mafiamail.mail.message import Inbound
from mafiamail.mail.written import likeness, repeats
from mafiamail.store import Store
from mafiamail.store.guests import Guest
from mafiamail.store.people import Person

HARMLESS = {"HELP", "RULES", "STATUS", "GAME"}  # change nothing, and the answer goes to the known address
PUBLIC_WORDS = {"SAY"}
_BOLD = re.compile(r"\s*\*+\s*([^*\n]{1,60}?)\s*\*+\s*")
QUOTED = 16  # letters of a line that make it known again
SECRET_WORDS = {"BLOCK", "HEAL", "KILL", "CHECK", "RAISE", "RECRUIT", "PASS", "FAMILY", "STORY"}


@dataclass(frozen=True, slots=True)
class Room:
    """What every hearing needs and none changes."""

    store: Store
    languages: Languages
    words: Keywords
    config: Config


class Hearing:
    """`number` and `key` become known while it is held. Letters that events cause stand in `book.rows`."""

    def __init__(self, desk: "Room", book: Book, mail: Inbound, writer: Writer) -> None:
        self.store, self.languages, self.words, self.config, self.book = desk.store, desk.languages, desk.words, desk.config, book
        self.mail, self.writer, self.person = mail, writer, writer.person
        self.named_game: int | None = None  # by a line GAME: N
        self.certain_text = from_subject(mail.subject, mail.post_text) if mail.post_text is not None else None
        self.items: Sequence[Line | NotUnderstood] = ()
        self.guessed: Facts = {}  # a name that was not written as it is: `wrote`, `meant`
        self.applied: Guest | None = None  # the application that this mail makes
        self.entries: list[Facts] = []
        self.own_rows: list[Row] = []  # the receipt, or a letter instead of it: goes out first

    # what is known

    @property
    def number(self) -> int | None:
        return self.person.game if self.person else None

    @property
    def key(self) -> str | None:
        return self.person.key if self.person else None

    @property
    def seat(self) -> Person:
        """The writer, where one is certain."""
        assert self.person is not None  # noqa: S101  (callers have chosen a game)
        return self.person

    @property
    def game(self) -> Game:
        return self.book.game(self.seat.game)

    @property
    def at(self) -> datetime:
        """The arrival; never before what has already happened in this game."""
        return max(self.mail.arrived, self.game.now)

    @property
    def language(self) -> str:
        if self.person:
            return self.person.language
        return "ru" if any("а" <= char <= "я" for char in self.mail.commands_text.lower()) else self.config.language

    def post(self) -> None:
        """Its letters go before those that were in the book."""
        restraint.held_back(self, self.own_rows)
        self.book.rows[:0] = self.own_rows

    # the course of it

    def hold(self) -> str:
        """Obeys the mail; answers one word on what it was."""
        self._follow()
        if self.writer.asked is not None and confirming.is_yes(self, self.writer.asked):
            return confirming.answer(self, self.writer.asked)
        understood = self._understand()
        if self.writer.asked is not None:  # other words than yes: in doubt nothing is confirmed, and what they say is heard as usual
            self.entries.append({"kind": "not_confirmed", "what": self.writer.asked.what})
            if not understood.items:
                self.answer()
                return "not confirmed"
        if not self.choose(understood):
            return "which game"
        if self.person:
            self.book.advance(self.person.game, self.mail.arrived)
            if self.learn(self.person.game):
                understood = self._understand()
            understood = self._with_bold_votes(understood)
        return self.obey(understood)

    def learn(self, number: int) -> bool:
        """A host's own roles bring keywords of their own into a game (1.3); whether this one has any."""
        words = with_own(self.languages.keywords, self.book.game(number))
        self.words = words or self.words
        return words is not None

    def turn_away(self, reason: str) -> str:
        """A mail that cannot be read: its writer is told why, and what to send instead."""
        if self.person is None and len(self.writer.candidates) > 0:
            self.person = self.writer.candidates[0]
        self.entries.append({"kind": "unread", "reason": reason, "failed": True})
        if self.writer.proved or not self.store.mailroom.said(f"{self.mail.sender} {reason}", self.book.now(), restraint.DAY):
            self.answer()
        return reason

    def _follow(self) -> None:
        """Letters go to that address of his from which he wrote last."""
        person, sender = self.person, self.mail.sender or ""
        if person and self.writer.proved and sender != person.address and self.store.people.is_his(person, sender):
            self.person = self.store.people.change(person, address=sender)

    def _understand(self) -> Understood:
        text = from_subject(self.mail.subject, self.mail.commands_text)
        understood = read_lines(text, self.words)
        quoted = self._quoted_back(text, understood)
        return understood if not quoted else replace(understood, items=tuple(quoted))

    def _with_bold_votes(self, understood: Understood) -> Understood:
        """1.10: where the host lets them count, a name in bold alone on its line is a vote (mail programs write bold as *…*)."""
        voted = any(isinstance(item, Line) and item.keyword == "VOTE" for item in understood.items)
        if voted or not self.game.settings.bold_votes or self.seat.who not in self.game.players:
            return understood
        people = {who: (player.character, player.seat) for who, player in self.game.players.items()}
        bold, rest = [], []
        for line in understood.rest.split("\n"):
            match = _BOLD.fullmatch(line)
            if match and isinstance(find(match[1], people), str):
                bold.append(Line("VOTE", match[1], line.strip()))
            else:
                rest.append(line)
        return replace(understood, items=(*understood.items, *bold), rest="\n".join(rest))

    def _quoted_back(self, text: str, understood: Understood) -> list[Line | NotUnderstood]:
        """The items, where a line beside a command comes out of a letter of ours: a quote without a mark is asked about, not obeyed."""
        lines = [line.strip() for line in text.split("\n") if line.strip()]
        own = {item.text.strip() for item in understood.items}
        if all(line in own for line in lines) or not understood.items:
            return []
        ours = self._ours()
        known = [len(likeness(line)) >= QUOTED and likeness(line) in ours for line in lines]
        beside = {lines[at] for at in range(len(lines)) if any(known[max(0, at - 1) : at + 2])}
        if not beside & own:
            return []
        return [NotUnderstood(item.text, None) if item.text.strip() in beside else item for item in understood.items]

    def obey(self, understood: Understood, proved: bool = False) -> str:
        """Commands, then words that are none; one receipt. `proved`: this very text has been confirmed."""
        self.items = items = understood.items
        keywords = {item.keyword for item in items if isinstance(item, Line)}
        if "NEW GAME" in keywords:  # about no game that there is
            self.person = None
        if self.person is None and not joining.concerns(self, keywords):
            return joining.stranger(self)
        if items and not keywords <= HARMLESS and not (proved or self.writer.proved):
            return confirming.ask_for_proof(self, [item.text for item in items])
        if self.person and self.person.who in self.game.players and (proved or self.writer.proved):
            self.book.decide(self.person.game, self.person.who, Hear(), self.at)  # 3.1.7: a mail of his own, whatever is in it
        if keywords & PUBLIC_WORDS and keywords & (SECRET_WORDS | (own_keywords(self.game) if self.person else set())):
            self.entries.append({"kind": "mixed", "lines": [item.text for item in items]})
        else:
            self._obey_all(playing.with_story_first(joining.with_luck_last(items)))
        self._other_words(understood)
        self.answer()
        return "command" if items else "text"

    def _obey_all(self, items: Sequence[Line | NotUnderstood]) -> None:
        for position, item in enumerate(items):
            entry, failed = self._attempt(item)
            if entry and isinstance(item, Line) and item.keyword == "ORDER FOR":
                entry |= {"alone": True}
            if entry:
                self.entries.append(entry | ({"failed": True} if failed else {}))
            if failed:
                if rest := items[position + 1 :]:
                    long = [other.argument for other in rest if isinstance(other, Line) and "\n" in other.argument.strip()]
                    words = [text[:2000] for text in long if not looks_like_command(text, self.words)]
                    self.entries.append({"kind": "not_obeyed", "lines": [other.text for other in rest], "texts": words})
                return

    def _attempt(self, item: Line | NotUnderstood) -> tuple[Facts | None, bool]:
        """The entry for one command, and whether it failed."""
        if isinstance(item, NotUnderstood):
            return {"kind": "unknown", "line": item.text, "guess": item.guess}, True
        try:
            self.guessed = {}
            entry = self._command(item)
            return entry and entry | self.guessed, False
        except Refused as error:
            return self.refusal(item.text, error), True
        except Unnamed as error:
            kind = "ambiguous" if error.could_be else "no_such_name"
            return {"kind": kind, "line": item.text, "name": error.given, "names": error.could_be or error.all_names}, True
        except Unsaid as error:
            return {"kind": "returned", "text": error.text, "reason": error.reason}, True
        except BadLine as error:
            return _bad_line(error), True
        except BadLines as error:
            return {"kind": "bad_lines", "lines": [line.line for line in error.lines], "each": list(map(_bad_line, error.lines))}, True

    def _command(self, line: Line) -> Facts | None:
        match line.keyword:
            case "GAME":
                return None
            case "HELP":
                to = "stranger" if self.person is None else "host" if self.person.is_host else "player"
                return {"kind": "help", "to": to if self.mail.sender not in self.config.hosts else "host"}
            case "RULES":
                return {"kind": "rules", "about": line.argument.strip().lower(), "of": rules(self.game if self.person else None)}
            case "STATUS":
                return {"kind": "status"}
            case "LANG":
                return self._speak(line)
            case "TIMEZONE" if self.person:
                return zones.keep_zone(self, line)
            case "DIGEST" if self.person:
                return digests.keep_digest(self, line)
            case "JOIN":
                return joining.join(self, line)
            case "LUCK" if self.applied:
                return applying.try_luck(self, self.applied, line)
            case "NEW GAME":
                return hosting.new_game(self, line)
        if self.person is None:
            raise Refused(Why.NOT_PLAYER)
        return hosting.obey(self, line) if self.person.is_host else playing.obey(self, line)

    def _speak(self, line: Line) -> Facts:
        language = line.argument.strip().lower()
        if language not in self.languages.names:
            raise BadLine(line.text, "one_of", ", ".join(self.languages.names))
        if self.person:
            self.person = self.store.people.change(self.person, language=language)
        return {"kind": "language", "language": language}

    def choose(self, understood: Understood) -> bool:
        """Finds the one game that this mail is about; asks, and answers False, where there are several."""
        lines = [item for item in understood.items if isinstance(item, Line)]
        named = {line.argument.strip() for line in lines if line.keyword == "GAME"}
        sure = self.writer.proof == "secret" or self.writer.game is not None  # the letter that is answered, or +gN, comes first
        if self.person and (sure or not named or str(self.person.game) in named):
            return True
        self.person = None
        self.named_game = next((int(number) for number in named if number.isdecimal() and len(number) < 10), None)
        people = [person for person in self.writer.candidates if not named or str(person.game) in named]
        keywords = {line.keyword for line in lines}
        if keywords & (hosting.KEYWORDS - playing.KEYWORDS):
            people = [person for person in people if person.is_host] or people
        elif keywords & (playing.KEYWORDS - hosting.KEYWORDS):
            people = [person for person in people if not person.is_host] or people
        if len(people) == 1:
            self.person = people[0]
        elsewhere = people
        if not people and self.writer.proved and not keywords & {"NEW GAME", "JOIN"}:  # he plays, but not in the game that he names
            elsewhere = [*self.writer.candidates, *self.writer.elsewhere]
        if self.person or not elsewhere or (keywords and keywords - {"LUCK"} <= {"NEW GAME", "JOIN", "HELP", "RULES", "GAME"}):
            return True
        games = [{"id": person.game, "name": self.book.game(person.game).name} for person in elsewhere]
        self.entries.append({"kind": "which_game", "games": games})
        self.answer()
        return False

    # words that are no command

    def _other_words(self, understood: Understood) -> None:
        """Nothing of them is ever published: to the host where they answer a private letter, else back to their writer."""
        words = understood.rest.strip()
        if not words or self.person is None:
            if not understood.items and not self.entries:
                self.entries.append({"kind": "returned", "text": "", "reason": "nothing"})
            return
        if not understood.items and self.writer.private and not self.person.is_host and self.writer.proved:
            name = self.game.players[self.person.who].character
            self.book.send(self.person.game, [(self.game, Letter(HOST, "host_text", {"name": name, "text": words[:20_000]}, "host"))])
            self.entries.append({"kind": "told_host"})
            return
        self.entries.append({"kind": "returned", "text": words[:2000], "reason": "not_published"})

    def publishable(self, line: Line) -> str:
        """The words behind a keyword, for others to see. Raises Unsaid: in doubt nothing is published."""
        return self.fit_for_others(self.certain(line).strip(), self.seat.game)

    def certain(self, line: Line) -> str:
        """What stands behind a keyword in the view of the mail that holds only what is certainly the writer's own. Raises Unsaid."""
        certain = read_lines(self.certain_text, self.words).items if self.certain_text is not None else ()
        sure = next((item for item in certain if isinstance(item, Line) and (item.keyword, item.text) == (line.keyword, line.text)), None)
        if sure is None or [item.text for item in certain] != [item.text for item in self.items]:
            raise Unsaid(line.argument.strip()[:2000], "doubtful")
        return sure.argument

    def fit_for_others(self, words: str, number: int) -> str:
        """These words, unless they hold what nobody else may see, or what would be a command when it is quoted back. Raises Unsaid."""
        if len(words) > 20_000:
            raise Unsaid(words[:2000], "too_long")
        if looks_like_command(words, self.words):
            raise Unsaid(words, "looks_like_command")
        if repeats(words, self._ours()):
            raise Unsaid(words[:2000], "ours")
        if any(person.address in words.lower() for person in self.store.people.of_game(number).values()):
            raise Unsaid(words, "address")
        return words

    def _ours(self) -> str:
        """By what to know the words of letters that this writer has had from us."""
        return self.store.mailroom.ours(self.writer.seats, self.mail.sender or "", self.mail.refers_to)

    # the answer

    def answer(self) -> None:
        """The one receipt for this mail."""
        if not restraint.is_owed(self):
            return
        facts: Facts = {"arrived": self.mail.arrived.isoformat(), "entries": self.entries}
        if self.person is None:
            row = self.book.to_stranger(self.mail.sender or "", self.language, "receipt", facts | {"status": None})
            self.own_rows.insert(0, row)
            return
        facts["status"] = status(self.game, self.person.who) if self.person.is_host or self.person.who in self.game.players else None
        if facts["status"] and self.person.is_host:
            facts["status"]["waiting"] = [guest.character for guest in self.store.guests.applications(self.person.game)]
        letter = Letter(self.person.who, "receipt", facts, "host" if self.person.is_host else "private")
        self.own_rows.insert(0, self.book.envelope(self.person, letter, answers=True))  # before a letter that asks for an answer

    def refusal(self, line: str, error: Refused) -> Facts:
        """The entry for a refusal, its facts as plain values, players by their names."""
        players = self.game.players if self.person else {}
        facts = {name: _plain(value, players) for name, value in error.facts.items()}
        return {"kind": "refused", "line": line, "why": error.why.value, "rule": error.rule, "facts": facts, "failed": True}


def _bad_line(error: BadLine) -> Facts:
    return {"kind": "bad_line", "line": error.line, "problem": error.problem, "allowed": error.allowed}


def _plain(value: object, players: Any) -> Any:
    if isinstance(value, str):
        return players[value].character if value in players else value
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, list | tuple):
        return [_plain(item, players) for item in value]
    if isinstance(value, timedelta):
        return format_duration(value)
    return value
