"""Strangers: who may join which game, and what somebody is told who has no game here."""

import re
import secrets
from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

from mafiamail.desk import applying
from mafiamail.desk.mistakes import Unsaid
from mafiamail.game.commands import Join, TryLuck
from mafiamail.game.events import Joined
from mafiamail.game.model import Stage
from mafiamail.game.refusal import Refused, Why
from mafiamail.letters.compose import signup_facts
from mafiamail.letters.letter import Facts
from mafiamail.letters.names import alike, reads_as_seat
from mafiamail.letters.shape import distance, skeleton
from mafiamail.letters.understand import Line, NotUnderstood, judge, looks_like_command
from mafiamail.store.guests import Guest
from mafiamail.store.people import Person

if TYPE_CHECKING:
    from mafiamail.desk.hearing import Hearing

LONGEST = 2_000  # letters of a description


def _letters(name: str) -> str:
    """By what one sees whose name it is like: no blanks, no stops."""
    return re.sub(r"[\W_]+", "", skeleton(name))


RESERVED = frozenset(
    map(
        _letters,
        (
            *("host", "the host", "the host announces", "the host tells", "mafia", "nobody"),
            *("ведущий", "объявляет ведущий", "объявление ведущего", "рассказ ведущего", "мафия", "никто", "все"),
        ),
    )
)
QUIET = timedelta(days=1)  # one letter for each stranger in a day
FOR_ANYBODY = {"JOIN", "NEW GAME", "HELP", "RULES"}


def concerns(hearing: "Hearing", keywords: set[str]) -> bool:
    """Whether a mail without a seat asks for something that needs none."""
    return bool(keywords & FOR_ANYBODY)


def signups(hearing: "Hearing") -> list[int]:
    """Games that take players now."""
    return [number for number in hearing.store.log.public_games() if hearing.book.game(number).phase.stage is Stage.SIGNUP]


def invitations(hearing: "Hearing") -> list[int]:
    """Games that take players now, and have invited this address."""
    numbers = hearing.store.guests.invitations(hearing.mail.sender or "")
    return [number for number in numbers if hearing.book.game(number).phase.stage is Stage.SIGNUP]


def stranger(hearing: "Hearing") -> str:
    """One letter a day that tells how to join; it says nothing of any game but those that look for him, or for anybody."""
    address = hearing.mail.sender or ""
    if hearing.config.strangers == "ignore" or hearing.store.mailroom.told_lately(address, "stranger", hearing.book.now() - QUIET):
        return "stranger"
    games = []
    for number in sorted({*signups(hearing), *invitations(hearing)}):
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
    if mine is not None and mine.is_host:
        raise Refused(Why.HOST_PLAYS)
    if mine is None and not applying.may_join(hearing, number):
        return applying.apply(hearing, number, character, description) | {"held": held}
    hearing.person = mine or hearing.person
    return _apply(hearing, number, character, description) | {"held": held}


def _is_fit(hearing: "Hearing", character: str) -> bool:
    """Neither a command, nor a seat, nor somebody who speaks in every game."""
    if looks_like_command(f"{character}:", hearing.words) or ":" in character or judge(character, hearing.words) is not None:
        return False
    letters = _letters(character)
    reserved = any(letters == name or (len(name) > 8 and distance(letters, name, 2) <= 2) for name in RESERVED)
    return not reads_as_seat(character) and not reserved


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
    mine = hearing.person if hearing.person and hearing.person.game == number else None
    address = hearing.mail.sender or ""
    digest = applying.digest_of(hearing, number, hearing.book.game(number))
    hearing.person, facts = admit(hearing, number, mine, Guest(number, address, True, character, description, digest))
    if mine is None and hearing.store.guests.is_invited(number, address):
        hearing.store.guests.keep(Guest(number, address, True))  # an application of his own waits no more
    return facts


def admit(hearing: "Hearing", number: int, mine: Person | None, guest: Guest) -> tuple[Person, Facts]:
    """`mine`: he is in already, and changes his character. Raises Refused."""
    game = hearing.book.game(number)
    key = mine.who if mine else f"p{_joins(hearing, number) + 1}"
    others = [player.character for who, player in game.players.items() if who != key]
    if game.phase.stage is Stage.SIGNUP and (taken := alike(guest.character, others)):
        raise Refused(Why.NAME_TAKEN, "5.2", name=taken)
    again = key in game.players
    others_digests = {player.digest for who, player in game.players.items() if who != key}
    digest = guest.digest if guest.digest not in others_digests else sha256(f"{guest.digest}:{key}".encode()).hexdigest()
    command = Join(key, guest.character, guest.description, digest)
    events = hearing.book.decide(number, key, command, max(hearing.mail.arrived, game.now))
    if mine is None:
        mine = Person(number, key, guest.address, game.language, secrets.token_hex(10), secrets.token_hex(10))
        hearing.store.people.add(mine)
    game = hearing.book.game(number)
    player = game.players[key]
    facts = {"name": player.character, "digest": player.digest, "described": bool(player.description), **signup_facts(game)}
    return mine, facts | {"kind": "renamed" if again else "joined", "same": not events}


def try_luck(hearing: "Hearing", line: Line) -> Facts:
    """What the player adds to the deal is the SHA-256 of his own word from now on. Raises Refused, BadLine."""
    word, digest = applying.lucky(line)
    hearing.book.decide(hearing.seat.game, hearing.seat.who, TryLuck(digest), hearing.at)
    return {"kind": "luck", "word": word, "digest": digest}


def with_luck_last(items: Sequence[Line | NotUnderstood]) -> Sequence[Line | NotUnderstood]:
    """In a mail that applies, LUCK may stand above JOIN."""
    if not any(isinstance(item, Line) and item.keyword == "JOIN" for item in items):
        return items
    return sorted(items, key=lambda item: isinstance(item, Line) and item.keyword == "LUCK")


def _joins(hearing: "Hearing", number: int) -> int:
    return sum(isinstance(event, Joined) for event in hearing.store.log.events(number))


def named_game(hearing: "Hearing") -> int | None:
    """The game that a mail names, by its address or by a line; None where it names none that is open."""
    named = hearing.writer.game or hearing.named_game
    return named if named is not None and hearing.store.log.is_open(named) else None


def _which(hearing: "Hearing") -> int:
    """The game that is to be joined. Raises Refused."""
    if (hearing.writer.game or hearing.named_game) is not None:
        if (named := named_game(hearing)) is None:
            raise Refused(Why.NO_SUCH_GAME)
        return named
    mine = hearing.person
    if mine and hearing.writer.proof == "secret" and hearing.book.game(mine.game).phase.stage is Stage.SIGNUP:
        return mine.game
    invited = invitations(hearing)
    inside = {person.game for person in hearing.store.people.at(hearing.mail.sender or "")}
    games = [number for number in invited if number not in inside] or sorted({*signups(hearing), *invited})
    if not games:
        raise Refused(Why.NO_SIGNUP)
    if len(games) > 1:
        raise Refused(Why.WHICH_SIGNUP, games=[f"{number} ({hearing.book.game(number).name})" for number in games])
    return games[0]
