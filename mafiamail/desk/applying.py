"""An application to a game for the invited, from somebody who is not: it waits for the host's word."""

import re
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

from mafiamail.desk.mistakes import BadLine
from mafiamail.game.commands import Join
from mafiamail.game.decide import decide
from mafiamail.game.model import HOST, Game
from mafiamail.game.refusal import Refused, Why
from mafiamail.letters.compose import signup_facts
from mafiamail.letters.letter import Facts, Letter
from mafiamail.letters.names import alike
from mafiamail.letters.understand import Line
from mafiamail.store.guests import Guest

if TYPE_CHECKING:
    from mafiamail.desk.hearing import Hearing

MOST = 3  # letters in a day about one applicant
MOST_OF_A_GAME = 20  # and in an hour about all of them
_LUCKY = re.compile(r"[\w .,!?+=/&%#~;'-]{1,60}")  # what a receipt can show exactly as it is hashed
SOMEBODY = "applicant"  # no key of a player


def may_join(hearing: "Hearing", number: int) -> bool:
    """Whether this writer comes in without a word of the host."""
    return hearing.store.log.is_public(number) or hearing.store.guests.is_invited(number, hearing.mail.sender or "")


def apply(hearing: "Hearing", number: int, character: str, description: str) -> Facts:
    """The rules judge it as they would a JOIN. A later one changes the character alone. Raises Refused."""
    game, address = hearing.book.game(number), hearing.mail.sender or ""
    before = hearing.store.guests.find(number, address)
    digest = before.digest if before and before.digest else digest_of(hearing, number, game)
    taken = [guest.character for guest in hearing.store.guests.applications(number) if guest.address != address]
    decide(game, SOMEBODY, Join(SOMEBODY, character, description, digest), max(hearing.mail.arrived, game.now))
    if other := alike(character, [*(player.character for player in game.players.values()), *taken]):
        raise Refused(Why.NAME_TAKEN, "5.2", name=character if other else "")  # who plays here is nothing to him yet
    guest = Guest(number, address, False, character, description, digest, hearing.mail.arrived.isoformat())
    same = before is not None and (before.character, before.description) == (character, description)
    hearing.store.guests.keep(guest)
    hearing.applied = guest
    room, now = hearing.store.mailroom, hearing.book.now()
    told = same or room.said(f"applies {number} {address}", now, timedelta(days=1)) >= MOST
    if not told and room.said(f"applies {number}", now, timedelta(hours=1)) < MOST_OF_A_GAME:  # STATUS shows all that wait
        facts: Facts = {"name": character, "description": description, "waiting": [*taken, character], **signup_facts(game)}
        hearing.book.send(number, [(game, Letter(HOST, "host_application", facts, "host"))])
    return {"kind": "applied", "name": character, "digest": digest, "described": bool(description)}


def try_luck(hearing: "Hearing", guest: Guest, line: Line) -> Facts:
    """LUCK in the mail that applies. Raises Refused, BadLine."""
    word, digest = lucky(line)
    if digest in _digests(hearing, guest.game, hearing.book.game(guest.game)) - {guest.digest}:
        raise Refused(Why.LUCK_TAKEN, "1.4")
    hearing.store.guests.keep(guest._replace(digest=digest))
    return {"kind": "luck", "word": word, "digest": digest}


def lucky(line: Line) -> tuple[str, str]:
    """A word of one's own, and its SHA-256. Raises BadLine."""
    word = " ".join(line.argument.split())
    if not _LUCKY.fullmatch(word):
        raise BadLine(line.text, "luck_word")
    return word, sha256(word.encode()).hexdigest()


def digest_of(hearing: "Hearing", number: int, game: Game) -> str:
    """That of the mail's body; no two players have the same (where the whole mail stands in its subject)."""
    digest = hearing.mail.digest
    if digest not in _digests(hearing, number, game):
        return digest
    return sha256(f"{digest}:{hearing.mail.key}".encode()).hexdigest()


def _digests(hearing: "Hearing", number: int, game: Game) -> set[str]:
    """Those of the players, and of who may become one."""
    players = {player.digest for player in game.players.values()}
    return players | {guest.digest for guest in hearing.store.guests.applications(number)}
