"""Strangers: who may join which game, and what somebody is told who has no game here."""

import re
import secrets
from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

from mafiamail.desk.mistakes import BadLine, Unsaid
from mafiamail.game.commands import Join, TryLuck
from mafiamail.game.events import Joined
from mafiamail.game.model import HOST, Game, Stage
from mafiamail.game.refusal import Refused, Why
from mafiamail.letters.compose import signup_facts
from mafiamail.letters.letter import Facts
from mafiamail.letters.names import alike, reads_as_seat
from mafiamail.letters.shape import skeleton
from mafiamail.letters.understand import Line, NotUnderstood, judge, looks_like_command
from mafiamail.store.people import Person

if TYPE_CHECKING:
    from mafiamail.desk.hearing import Hearing

LONGEST = 2_000  # letters of a description
RESERVED = frozenset(
    map(
        skeleton,
        (
            *("host", "the host", "the host announces", "the host tells", "mafia", "nobody"),
            *("ведущий", "объявляет ведущий", "объявление ведущего", "рассказ ведущего", "мафия", "никто", "все"),
        ),
    )
)
_LUCKY = re.compile(r"[\w .,!?+=/&%#~;'-]{1,60}")  # what a receipt can show exactly as it is hashed
QUIET = timedelta(days=1)  # one letter for each stranger in a day
FOR_ANYBODY = {"JOIN", "NEW GAME", "HELP", "RULES"}


def concerns(hearing: "Hearing", keywords: set[str]) -> bool:
    """Whether a mail without a seat asks for something that needs none."""
    return bool(keywords & FOR_ANYBODY)


def signups(hearing: "Hearing") -> list[int]:
    """Games that take players now."""
    return [number for number in hearing.store.log.public_games() if hearing.book.game(number).phase.stage is Stage.SIGNUP]


def stranger(hearing: "Hearing") -> str:
    """One letter a day that tells how to join; it says nothing of any game but those that look for players."""
    address = hearing.mail.sender or ""
    if hearing.config.strangers == "ignore" or hearing.store.mailroom.told_lately(address, "stranger", hearing.book.now() - QUIET):
        return "stranger"
    games = []
    for number in signups(hearing):
        game = hearing.book.game(number)
        games.append({"id": number, "name": game.name, "theme": game.theme, **signup_facts(game)})
    facts: Facts = {"games": games, "address": hearing.config.mail.address, "plus": hearing.config.mail.plus}
    hearing.own_rows.append(hearing.book.to_stranger(address, hearing.language, "stranger", facts))
    return "stranger"


def join(hearing: "Hearing", line: Line) -> Facts:
    """5.2: a player applies privately. Raises Refused."""
    character, _, description = line.argument.partition("\n")
    character, description = " ".join(character.split()), description.strip()
    number = _which(hearing)
    hearing.learn(number)
    if not _is_fit(hearing, character):
        raise Refused(Why.NAME_BAD, "5.2", name=character)
    description, held = _description(hearing, line, number)
    mine = next((person for person in hearing.store.people.at(hearing.mail.sender or "") if person.game == number), None)
    if mine is not None and mine.who == HOST:
        raise Refused(Why.HOST_PLAYS)
    hearing.person = mine or hearing.person
    return _apply(hearing, number, character, description) | {"held": held}


def _is_fit(hearing: "Hearing", character: str) -> bool:
    """Neither a command, nor a seat, nor somebody who speaks in every game."""
    if looks_like_command(f"{character}:", hearing.words) or ":" in character or judge(character, hearing.words) is not None:
        return False
    return not reads_as_seat(character) and skeleton(character) not in RESERVED


def _description(hearing: "Hearing", line: Line, number: int) -> tuple[str, bool]:
    """What everybody will read of the character, and whether something was held back: in doubt nothing is taken."""
    if not line.argument.partition("\n")[2].strip():
        return "", False
    try:
        words = hearing.certain(line).partition("\n")[2].strip()
        return (hearing.fit_for_others(words, number), False) if len(words) <= LONGEST else ("", True)
    except Unsaid:
        return "", True


def _apply(hearing: "Hearing", number: int, character: str, description: str) -> Facts:
    """The digest of the first application counts, until LUCK replaces it; a later one changes the character alone (5.1)."""
    game = hearing.book.game(number)
    mine = hearing.person if hearing.person and hearing.person.game == number else None
    key = mine.who if mine else f"p{_joins(hearing, number) + 1}"
    others = [player.character for who, player in game.players.items() if who != key]
    if game.phase.stage is Stage.SIGNUP and (taken := alike(character, others)):
        raise Refused(Why.NAME_TAKEN, "5.2", name=taken)
    again = key in game.players
    events = hearing.book.decide(
        number, key, Join(key, character, description, _digest(hearing, game)), max(hearing.mail.arrived, game.now)
    )
    if mine is None:
        mine = Person(number, key, hearing.mail.sender or "", game.language, secrets.token_hex(10), secrets.token_hex(10))
        hearing.store.people.add(mine)
    hearing.person = mine
    player = hearing.game.players[key]
    facts = {"name": player.character, "digest": player.digest, "described": bool(player.description), **signup_facts(hearing.game)}
    return facts | {"kind": "renamed" if again else "joined", "same": not events}


def _digest(hearing: "Hearing", game: Game) -> str:
    """That of the mail's body; no two players have the same (where the whole mail stands in its subject)."""
    digest = hearing.mail.digest
    if digest not in {player.digest for player in game.players.values()}:
        return digest
    return sha256(f"{digest}:{hearing.mail.key}".encode()).hexdigest()


def try_luck(hearing: "Hearing", line: Line) -> Facts:
    """What the player adds to the deal is the SHA-256 of his own word from now on. Raises Refused, BadLine."""
    word = " ".join(line.argument.split())
    if not _LUCKY.fullmatch(word):
        raise BadLine(line.text, "luck_word")
    digest = sha256(word.encode()).hexdigest()
    hearing.book.decide(hearing.seat.game, hearing.seat.who, TryLuck(digest), hearing.at)
    return {"kind": "luck", "word": word, "digest": digest}


def with_luck_last(items: Sequence[Line | NotUnderstood]) -> Sequence[Line | NotUnderstood]:
    """In a mail that applies, LUCK may stand above JOIN."""
    if not any(isinstance(item, Line) and item.keyword == "JOIN" for item in items):
        return items
    return sorted(items, key=lambda item: isinstance(item, Line) and item.keyword == "LUCK")


def _joins(hearing: "Hearing", number: int) -> int:
    return sum(isinstance(event, Joined) for event in hearing.store.log.events(number))


def _which(hearing: "Hearing") -> int:
    """The game that is to be joined. Raises Refused."""
    named = hearing.writer.game or hearing.named_game
    if named is not None:
        if not hearing.store.log.is_open(named):
            raise Refused(Why.NO_SUCH_GAME)
        return named
    games = signups(hearing)
    if not games:
        raise Refused(Why.NO_SIGNUP)
    if len(games) > 1:
        raise Refused(Why.WHICH_SIGNUP, games=[f"{number} ({hearing.book.game(number).name})" for number in games])
    return games[0]
