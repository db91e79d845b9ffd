"""Puts a letter into its envelope: address, language, thread, reply address, and the facts that every letter shares."""

import hashlib
import hmac
import secrets
from datetime import datetime
from typing import Any

from mafiamail.game.model import Game, Stage
from mafiamail.letters.letter import EDITION, Facts, Letter, phase_facts
from mafiamail.store import Store
from mafiamail.store.people import Person


class Envelopes:
    """Makes rows of the outbox. `domain` is the right side of the daemon's own Message-IDs."""

    def __init__(self, store: Store, domain: str) -> None:
        self._store, self._domain = store, domain
        self._opened: set[str] = set()  # threads whose first letter has been written

    def address(self, person: Person, game: Game, letter: Letter, now: datetime, begun: set[str], answers: bool = False) -> dict[str, Any]:
        """One letter to one person of a game, as a row of the outbox. `begun`: threads that this transaction begins; it grows."""
        seat = game.players[person.who].seat if person.who in game.players else person.key
        prefix = f"g{person.game}.{letter.thread}.{seat or 'signup'}"
        secret = person.private_secret if letter.private else person.thread_secret
        root = f"<{prefix}.{_stamp(secret, letter.thread)}@{self._domain}>"
        opened = root in begun or self._is_open(root)
        begun.add(root)
        message_id = self._message_id(prefix) if opened else root
        facts = letter.facts | common_facts(person, game, letter, now)
        row = _row(person.address, letter.kind, person.language, facts, message_id, now)
        return row | {
            "game": person.game,
            "who": person.key,
            "refs": [root] if opened else [],
            "reply_token": secret,
            "private": letter.private,
            "answers": answers,
            "state": "held" if person.silent else "waiting",
        }

    def to_stranger(self, address: str, language: str, kind: str, facts: Facts, now: datetime, token: str = "") -> dict[str, Any]:
        """A letter to an address that has no seat yet, or about no game."""
        common: Facts = {
            "edition": EDITION,
            "lang": language,
            "now": now.isoformat(),
            "zone": "UTC",
            "game": None,
            "reader": None,
            "phase": None,
            "day": 0,
        }
        return _row(address, kind, language, common | facts, self._message_id("g0.letter"), now) | {"reply_token": token}

    def _message_id(self, prefix: str) -> str:
        return f"<{prefix}.{secrets.token_hex(10)}@{self._domain}>"

    def _is_open(self, root: str) -> bool:
        """Whether this thread has its first letter; the caller writes that one now if not.

        Where what the caller writes is rolled back, later letters refer to a first one that never was: a thread all the same.
        """
        if root in self._opened:
            return True
        self._opened.add(root)
        return self._store.mailroom.sent_to([root]) is not None


def _row(address: str, kind: str, language: str, facts: Facts, message_id: str, now: datetime) -> dict[str, Any]:
    return {
        "game": None,
        "who": None,
        "address": address,
        "kind": kind,
        "language": language,
        "facts": facts,
        "message_id": message_id,
        "refs": [],
        "reply_token": "",
        "private": True,
        "answers": True,
        "state": "waiting",
        "attempts": 0,
        "next_try": now.isoformat(),
        "content": None,
        "words": None,
        "created": now.isoformat(),
        "sent": None,
    }


def _stamp(secret: str, thread: str) -> str:
    return hmac.new(secret.encode(), thread.encode(), hashlib.sha256).hexdigest()[:20]


def common_facts(person: Person, game: Game, letter: Letter, now: datetime) -> Facts:
    """What every letter about a game can tell."""
    player = game.players.get(person.who)
    running = game.phase.stage is not Stage.SIGNUP
    return {
        "edition": EDITION,
        "lang": person.language,
        "now": now.isoformat(),
        "zone": person.timezone or game.timezone,
        "game": {"id": person.game, "name": game.name, "theme": game.theme},
        "reader": {
            "name": player.character if player else "",
            "seat": player.seat if player else "",
            "alive": player.alive if player else False,
            "host": person.is_host,
        },
        "phase": phase_facts(game),
        "day": int(letter.thread[1:]) if not letter.private else max(game.phase.number, 1 if running else 0),
    }
