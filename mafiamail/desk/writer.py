"""Who wrote a mail, of which game, and what proves it: an address and one proof, never a display name."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from mafiamail.mail.message import Inbound
from mafiamail.store import Store
from mafiamail.store.mailroom import Asked
from mafiamail.store.people import Person

_GAME = re.compile(r"g([1-9][0-9]{0,8})")


@dataclass(frozen=True, slots=True)
class Writer:
    """`candidates` are the seats (and hostings) that this address has in open games; `person` the one that this mail is from."""

    address: str
    person: Person | None
    candidates: tuple[Person, ...]
    proof: str = ""  # secret | reference | verdict | post office; empty: none
    private: bool = False  # answers a private letter
    asked: Asked | None = None  # answers this confirmation letter
    forged: str = ""  # why this cannot be who it says
    game: int | None = None  # the game that the mail itself names

    @property
    def proved(self) -> bool:
        return bool(self.proof)


class Gatekeeper:
    """Finds the writer of each mail. `vouches`: the mailbox takes mail from this machine only (the built-in post office)."""

    def __init__(self, store: Store, address: str, vouches: bool) -> None:
        self._store, self._vouches = store, vouches
        self._local, _, self._domain = address.lower().partition("@")

    def writer(self, mail: Inbound) -> Writer:
        sender = mail.sender or ""
        if mail.verdict == "fail":
            return Writer(sender, None, (), forged="verdict")
        tokens = list(self._details(mail.recipients))
        reference = self._store.mailroom.sent_to(mail.refers_to)
        if reference is not None and reference.reply_token not in tokens:
            tokens.append(reference.reply_token)
        asked = self._store.mailroom.asked(tokens)
        if asked is not None:
            return self._confirming(sender, asked)
        known = self._store.people.by_secret(tokens)
        if known is not None:
            return self._by_secret(sender, known)
        return self._by_address(mail, sender, tokens)

    def _details(self, recipients: Iterable[str]) -> Iterable[str]:
        """What stands behind the plus in those of the recipients that are ours."""
        for recipient in recipients:
            local, _, domain = recipient.partition("@")
            name, plus, detail = local.partition("+")
            if plus and detail and name == self._local and domain == self._domain:
                yield detail

    def _confirming(self, sender: str, asked: Asked) -> Writer:
        if sender != asked.address:
            return Writer(sender, None, (), forged="secret")
        person = None if asked.game is None or asked.who is None else self._store.people.find(asked.game, asked.who)
        candidates = (person,) if person else self._open(sender)
        return Writer(sender, person, candidates, "secret", True, asked)

    def _by_secret(self, sender: str, known: tuple[Person, bool]) -> Writer:
        person, private = known
        if sender != person.address:  # a letter passed on, and answered by a friend
            return Writer(sender, None, (), forged="secret")
        return Writer(sender, person, (person,), "secret", private)

    def _by_address(self, mail: Inbound, sender: str, tokens: list[str]) -> Writer:
        named = next((int(match[1]) for token in tokens if (match := _GAME.fullmatch(token))), None)
        candidates = self._open(sender)
        if named is not None:
            candidates = tuple(person for person in candidates if person.game == named)
        proof = "verdict" if mail.verdict == "pass" else "post office" if self._vouches else ""
        person = candidates[0] if len(candidates) == 1 else None
        return Writer(sender, person, candidates, proof, game=named)

    def _open(self, address: str) -> tuple[Person, ...]:
        people = self._store.people.at(address)
        if not people:
            return ()
        games = set(self._store.log.open_games())
        return tuple(person for person in people if person.game in games)
