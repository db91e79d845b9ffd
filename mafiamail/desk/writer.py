"""Who wrote a mail, of which game, and what proves it: an address and one proof, never a display name."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from mafiamail.mail.message import Inbound
from mafiamail.store import Store
from mafiamail.store.mailroom import Asked, Sent
from mafiamail.store.people import Person

_GAME = re.compile(r"g([1-9][0-9]{0,8})")


@dataclass(frozen=True, slots=True)
class Writer:
    """`candidates` are the seats (and hostings) that this address has in open games; `person` the one that this mail is from."""

    address: str
    person: Person | None
    candidates: tuple[Person, ...]
    proof: str = ""  # secret | verdict | signature | address | post office; empty: none
    private: bool = False  # answers a private letter
    asked: Asked | None = None  # answers this confirmation letter
    forged: str = ""  # why this cannot be who it says: verdict | secret | sender
    linkable: bool = False  # a seat's own secret, from an address that may be another one of its player
    own_seat: Person | None = None  # he has a seat in that game himself, and has answered somebody else's letter
    answered: Sent | None = None  # the letter of ours that this mail refers to
    game: int | None = None  # the game that the mail itself names
    elsewhere: tuple[Person, ...] = ()  # his seats, where he has none in that game

    @property
    def seats(self) -> tuple[Person, ...]:
        """Every seat that may be his: what letters went to them, he may quote."""
        return tuple(dict.fromkeys([*([self.person] if self.person else []), *self.candidates, *self.elsewhere]))

    @property
    def proved(self) -> bool:
        return bool(self.proof)


Proof = Literal["secret", "verdict", "address"]


class Gatekeeper:
    """Finds the writer of each mail. `proof`: the least that proves an address (config.yaml, mail.proof).
    `vouches`: the mailbox takes mail from this machine only (the built-in post office)."""

    def __init__(self, store: Store, address: str, vouches: bool, proof: Proof = "verdict") -> None:
        self._store, self._vouches, self._proof = store, vouches, proof
        self._local, _, self._domain = address.lower().partition("@")

    def writer(self, mail: Inbound, is_signed: Callable[[], bool] = lambda: False) -> Writer:
        """`is_signed`: whether the domain of the sender has signed the mail; asked only where nothing else proves him."""
        sender = mail.sender or ""
        tokens = list(self._details(mail.recipients))
        reference = self._store.mailroom.sent_to(mail.refers_to)
        if reference is not None and reference.reply_token not in tokens:
            tokens.append(reference.reply_token)
        if mail.verdict == "fail" or not sender:
            return self._forged(sender, tokens, "verdict" if sender else "sender")
        asked = self._store.mailroom.asked(tokens)
        if asked is not None:
            writer = self._confirming(sender, asked)
        elif (known := self._store.people.by_secret(tokens)) is not None:
            writer = self._by_secret(sender, known)
        else:
            writer = self._by_address(mail, sender, tokens, is_signed)
        return replace(writer, answered=reference) if reference else writer

    def _forged(self, sender: str, tokens: list[str], why: str) -> Writer:
        """Whose name, or whose secret, somebody has used."""
        known = self._store.people.by_secret(tokens)
        return Writer(sender, None, (known[0],) if known else self._open(sender), forged=why)

    def _details(self, recipients: Iterable[str]) -> Iterable[str]:
        """What stands behind the plus in those of the recipients that are ours."""
        for recipient in recipients:
            local, _, domain = recipient.partition("@")
            name, plus, detail = local.partition("+")
            if plus and detail and name == self._local and domain == self._domain:
                yield detail

    def _confirming(self, sender: str, asked: Asked) -> Writer:
        person = None if asked.game is None or asked.who is None else self._store.people.find(asked.game, asked.who)
        if sender != asked.address and not (person and self._store.people.is_his(person, sender)):
            return Writer(sender, None, (person,) if person else (), forged="secret")
        candidates = (person,) if person else self._open(sender)
        return Writer(sender, person, candidates, "secret", True, asked, game=None if person else asked.game)

    def _by_secret(self, sender: str, known: tuple[Person, bool]) -> Writer:
        person, private = known
        if not self._store.people.is_his(person, sender):  # a letter passed on and answered by a friend, or a second address of his
            own = next((other for other in self._store.people.at(sender) if other.game == person.game), None)
            linkable = own is None and self._store.log.is_open(person.game)  # a fellow player's address is named to nobody
            return Writer(sender, person, (person,), forged="secret", linkable=linkable, own_seat=own)
        return Writer(sender, person, (person,), "secret", private)

    def _by_address(self, mail: Inbound, sender: str, tokens: list[str], is_signed: Callable[[], bool]) -> Writer:
        named = next((int(match[1]) for token in tokens if (match := _GAME.fullmatch(token))), None)
        seats = self._open(sender)
        candidates = seats if named is None else tuple(person for person in self._store.people.at(sender) if person.game == named)
        proof = self._proof_of(mail, is_signed)
        person = candidates[0] if len(candidates) == 1 else None
        return Writer(sender, person, candidates, proof, game=named, elsewhere=() if candidates else seats)

    def _proof_of(self, mail: Inbound, is_signed: Callable[[], bool]) -> str:
        """What proves an address where no secret does."""
        if self._proof == "secret":
            return ""
        if self._vouches:
            return "post office"
        if mail.verdict == "pass":
            return "verdict"
        if self._proof == "address":
            return "address"
        return "signature" if is_signed() else ""

    def _open(self, address: str) -> tuple[Person, ...]:
        people = self._store.people.at(address)
        if not people:
            return ()
        games = set(self._store.log.open_games())
        return tuple(person for person in people if person.game in games)
