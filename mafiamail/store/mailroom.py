"""What came in (so that none counts twice) and what is to go out (so that none is lost)."""

import json
import zlib
from collections.abc import Callable, Sequence, Set
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from peewee import fn

from mafiamail.game.model import Who
from mafiamail.store import tables
from mafiamail.store.people import Person
from mafiamail.store.statement import Statement, given

BATCH = 100  # letters that are looked at in one go
FOR_THE_LIVING = ("family", "family_order", "night", "morning", "reminder")
REMEMBERED = 1000  # private letters to one seat that are known again when they are quoted


class Waiting(NamedTuple):
    """A letter that is to go out. `facts` make its words; `content` are its bytes, once an attempt has failed."""

    id: int
    game: int | None
    who: Who | None
    address: str
    kind: str
    language: str
    facts: dict[str, Any]
    message_id: str
    references: tuple[str, ...]
    reply_token: str
    private: bool
    answers: bool
    attempts: int
    content: bytes | None
    created: datetime


class Sent(NamedTuple):
    """To whom a letter with a known Message-ID went."""

    game: int | None
    who: Who | None
    address: str
    private: bool
    reply_token: str
    answers: bool


class Known(NamedTuple):
    """A mail that has been dealt with."""

    digest: str
    game: int | None
    who: Who | None


class Asked(NamedTuple):
    """A command that waits for its confirmation."""

    token: str
    game: int | None
    who: Who | None
    address: str
    what: str
    text: str


_COLUMNS = tuple(name for name in tables.Letter._meta.sorted_field_names if name != "id")
_WAITING = tuple({"references": "refs"}.get(field, field) for field in Waiting._fields)
_MAIL = ("key", "digest", "box", "uid", "arrived", "game", "who", "verdict")


def _fields(table: Any, names: Sequence[str]) -> list[Any]:
    return [getattr(table, name) for name in names]


def _insert(table: Any, names: Sequence[str]) -> Any:
    return table.insert({getattr(table, name): given(name) for name in names})


def _due() -> Any:
    due = (tables.Letter.state == "waiting") & (tables.Letter.next_try <= given("now"))
    return tables.Letter.select(*_fields(tables.Letter, _WAITING)).where(due).order_by(tables.Letter.id).limit(BATCH)


def _asked() -> Any:
    open_one = (tables.Pending.token == given("token")) & ~tables.Pending.done
    return tables.Pending.select(*_fields(tables.Pending, Asked._fields)).where(open_one)


def _answers() -> Any:
    to_him = (tables.Letter.address == given("address")) & (tables.Letter.created > given("since")) & tables.Letter.answers
    return tables.Letter.select(fn.COUNT(tables.Letter.id), fn.MIN(tables.Letter.created)).where(to_him)


_KNOWN = Statement(lambda: tables.Mail.select(*_fields(tables.Mail, Known._fields)).where(tables.Mail.key == given("key")))
_SEEN_AT = Statement(lambda: tables.Mail.select(tables.Mail.key).where(tables.Mail.box == given("box"), tables.Mail.uid == given("uid")))
_RECORD = Statement(lambda: _insert(tables.Mail, _MAIL).on_conflict_ignore())
_PUT = Statement(lambda: _insert(tables.Letter, _COLUMNS))
_DUE = Statement(_due)
_SENT = Statement(
    lambda: tables.Letter.update(
        state="sent", sent=given("at"), facts="", content=None, words=fn.COALESCE(given("words"), tables.Letter.words)
    ).where(tables.Letter.id == given("id"))
)
_SENT_TO = Statement(
    lambda: tables.Letter.select(*_fields(tables.Letter, Sent._fields)).where(tables.Letter.message_id == given("message_id"))
)
_ASKED = Statement(_asked)
_ANSWERS = Statement(_answers)
_SAID = Statement(lambda: tables.Said.select(tables.Said.since, tables.Said.times).where(tables.Said.name == given("name")))
_FORGET = Statement(lambda: tables.Said.delete().where(tables.Said.name == given("name")))
_NOTE = Statement(lambda: tables.Note.select(tables.Note.value).where(tables.Note.name == given("name")))


def _gathering(person: Person) -> tuple[Any, ...]:
    mine = (tables.Letter.game == person.game) & (tables.Letter.who == person.key) & (tables.Letter.kind == "digest")
    return (mine, tables.Letter.state.in_(("waiting", "held")), tables.Letter.attempts == 0)


def _packed(words: str) -> bytes | None:
    return zlib.compress(words.encode(), 1) if words else None


class Mailroom:
    # in

    def known(self, key: str) -> Known | None:
        """What is known of the mail with this key, if it has been dealt with."""
        row = _KNOWN.row(key=key)
        return None if row is None else Known(*row)

    def seen_at(self, box: str, uid: str) -> bool:
        """Whether the mail at this place has been dealt with: known before it is parsed."""
        return _SEEN_AT.row(box=box, uid=uid) is not None

    def record(self, key: str, digest: str, box: str, uid: str, arrived: datetime, game: int | None, who: Who | None, verdict: str) -> None:
        _RECORD(key=key, digest=digest, box=box, uid=uid, arrived=arrived.isoformat(), game=game, who=who, verdict=verdict)

    def set_aside(self, key: str, arrived: datetime, content: bytes, trace: str) -> None:
        tables.Aside.insert(key=key, arrived=arrived.isoformat(), content=content, trace=trace).on_conflict_ignore().execute()

    # out

    def put(self, letters: Sequence[dict[str, Any]]) -> None:
        """Letters as rows of the table, facts and references still plain values."""
        for letter in letters:
            _PUT(**letter | {"facts": json.dumps(letter["facts"], ensure_ascii=False), "refs": json.dumps(letter["refs"])})

    def waiting(self, now: datetime) -> list[Waiting]:
        return [_waiting(row) for row in _DUE(now=now.isoformat()).fetchall()]

    def sent(self, letter: int, at: datetime, ours: str = "") -> None:
        """`ours`: by what its words can be known, should they come back."""
        _SENT(at=at.isoformat(), id=letter, words=_packed(ours))

    def ours(self, seats: Sequence[Person], address: str, answered: Sequence[str]) -> str:
        """By what to know the words of all private letters to these seats and this address, and of the letters that are `answered`.

        Those that tell most (roles, Nights, mornings, family) come first where there are too many.
        """
        mine = tables.Letter.address == address
        for seat in seats:
            mine |= (tables.Letter.game == seat.game) & (tables.Letter.who == seat.who)
        wanted = mine & tables.Letter.words.is_null(False) & (tables.Letter.private | tables.Letter.message_id.in_(answered))
        order = (tables.Letter.kind.in_(("receipt", "reminder", "confirm")), tables.Letter.id.desc())
        found = tables.Letter.select(tables.Letter.words).where(wanted).order_by(*order).limit(REMEMBERED).tuples()
        rows: Any = found  # peewee's stubs know nothing of tuples()
        return "\n".join(zlib.decompress(words).decode() for (words,) in rows)

    def release(self, game: int, who: Who, alive: bool) -> None:
        """What was held back for him goes out now; not to the dead what is for the living alone."""
        held = (tables.Letter.game == game) & (tables.Letter.who == who) & (tables.Letter.state == "held")
        if not alive:
            tables.Letter.update(state="failed").where(held, tables.Letter.kind.in_(FOR_THE_LIVING)).execute()
        tables.Letter.update(state="waiting").where(held).execute()

    def hand_over(self, seat: Person, zone: str) -> None:
        """What waits for a seat goes to its new player; not the answers to the one before him, nor what asked that one."""
        letter = tables.Letter
        waiting = (letter.game == seat.game) & (letter.who == seat.key) & letter.state.in_(("waiting", "held"))
        letter.update(state="failed", facts="", content=None).where(waiting, letter.answers).execute()
        for row in letter.select().where(waiting):
            facts = json.loads(row.facts) | {"lang": seat.language, "zone": zone}
            token = seat.private_secret if row.private else seat.thread_secret
            his = {"address": seat.address, "language": seat.language, "reply_token": token, "refs": "[]", "content": None}
            letter.update(**his, facts=json.dumps(facts, ensure_ascii=False), state="waiting").where(letter.id == row.id).execute()
        tables.Pending.delete().where(tables.Pending.game == seat.game, tables.Pending.who == seat.key).execute()
        self.withdraw(seat.game, "REPLACE", seat.key)

    def drop(self, game: int, key: str) -> None:
        """What still waits for somebody who is in the game no more never goes out."""
        waiting = (tables.Letter.game == game) & (tables.Letter.who == key) & tables.Letter.state.in_(("waiting", "held"))
        tables.Letter.update(state="failed", facts="", content=None).where(waiting).execute()

    def digest(self, person: Person) -> tuple[int, dict[str, Any]] | None:
        """The letter that gathers the talk of the thread for him: its number and facts."""
        row = tables.Letter.select().where(*_gathering(person)).order_by(tables.Letter.id.desc()).first()
        return None if row is None else (row.id, json.loads(row.facts))

    def change_facts(self, letter: int, facts: dict[str, Any]) -> None:
        tables.Letter.update(facts=json.dumps(facts, ensure_ascii=False)).where(tables.Letter.id == letter).execute()

    def hasten(self, person: Person, at: datetime) -> None:
        """What was gathered for him goes out now."""
        tables.Letter.update(next_try=at.isoformat()).where(*_gathering(person), tables.Letter.next_try > at.isoformat()).execute()

    def delayed(self, letter: int, content: bytes | None, attempts: int, next_try: datetime, ours: str = "") -> None:
        row: dict[str, object] = {"content": content, "attempts": attempts, "next_try": next_try.isoformat()}
        if ours:
            row["words"] = _packed(ours)
        tables.Letter.update(**row).where(tables.Letter.id == letter).execute()

    def failed(self, letter: int) -> None:
        tables.Letter.update(state="failed").where(tables.Letter.id == letter).execute()

    def counts(self) -> dict[str, int]:
        return {state: tables.Letter.select().where(tables.Letter.state == state).count() for state in ("waiting", "sent", "failed")}

    def sent_to(self, message_ids: Sequence[str]) -> Sent | None:
        """The first of these letters that is ours, the most recent reference first."""
        for message_id in message_ids:
            if row := _SENT_TO.row(message_id=message_id):
                return Sent(*row)
        return None

    def told_lately(self, address: str, kind: str, since: datetime) -> bool:
        """Whether a letter of this kind went, or is to go, to this address since then."""
        same = (tables.Letter.address == address) & (tables.Letter.kind == kind) & (tables.Letter.created >= since.isoformat())
        return bool(tables.Letter.select(tables.Letter.id).where(same).exists())

    def answers(self, address: str, since: datetime) -> tuple[int, datetime | None]:
        """How many answers this address has had since then (or is to have), and when the first of them was written."""
        count, first = _ANSWERS.row(address=address, since=since.isoformat()) or (0, None)
        return count, datetime.fromisoformat(first) if first else None

    def said(self, name: str, at: datetime, pause: timedelta) -> int:
        """How often this has been said in the last `pause`, this time not counted; and counts it."""
        row = _SAID.row(name=name)
        times, since = (0, at) if row is None or at - datetime.fromisoformat(row[0]) >= pause else (row[1], datetime.fromisoformat(row[0]))
        new = tables.Said.insert(name=name, since=since.isoformat(), times=times + 1)
        new.on_conflict(conflict_target=[tables.Said.name], preserve=[tables.Said.since, tables.Said.times]).execute()
        return times

    def forget(self, name: str) -> None:
        """As if it had not been said."""
        _FORGET(name=name)

    # confirmations

    def ask(self, asked: Asked, at: datetime) -> None:
        tables.Pending.insert(**asked._asdict(), asked=at.isoformat()).execute()

    def asked(self, tokens: Sequence[str]) -> Asked | None:
        return next((Asked(*row) for token in tokens if (row := _ASKED.row(token=token))), None)

    def withdraw(self, game: int, what: str, text: str) -> None:
        """Nobody is asked this any more."""
        same = (tables.Pending.game == game) & (tables.Pending.what == what) & (tables.Pending.text == text)
        tables.Pending.delete().where(same).execute()

    def withdraw_all(self, game: int, asked: Sequence[str]) -> None:
        """None of this is asked of anybody any more."""
        tables.Pending.delete().where(tables.Pending.game == game, tables.Pending.what.in_(asked), ~tables.Pending.done).execute()

    def take_back(self, game: int, address: str) -> bool:
        """Nothing is asked of this address any more, where it is not in the game yet; whether anything was."""
        pending = tables.Pending
        open_ones = (pending.game == game) & (pending.address == address) & pending.who.is_null() & ~pending.done
        return bool(pending.delete().where(open_ones).execute())

    def answered(self, token: str) -> None:
        tables.Pending.update(done=True).where(tables.Pending.token == token).execute()

    # the end

    def unsent(self, game: int) -> int:
        """How many letters of this game have yet to go out."""
        return int(tables.Letter.select().where(tables.Letter.game == game, tables.Letter.state.in_(("waiting", "held"))).count())

    def addresses(self, game: int) -> set[str]:
        """To whom letters of this game went, or would have gone."""
        return {row.address for row in tables.Letter.select(tables.Letter.address).where(tables.Letter.game == game).distinct()}

    def erase_game(self, game: int) -> None:
        """Letters, questions, counters, and whose the mails were; that a mail has been dealt with stays known."""
        for table in (tables.Pending, tables.Letter):
            table.delete().where(table.game == game).execute()
        tables.Mail.update(game=None, who=None).where(tables.Mail.game == game).execute()
        self._erase_said(lambda words: str(game) in words[1:2])

    def erase_addresses(self, addresses: Set[str]) -> None:
        """What else was kept of people who are in no other game: letters about none, counters, mails that were set aside."""
        gone = tables.Letter.game.is_null() & tables.Letter.address.in_(sorted(addresses)) & (tables.Letter.state != "waiting")
        tables.Letter.delete().where(gone).execute()
        tables.Pending.delete().where(tables.Pending.game.is_null(), tables.Pending.address.in_(sorted(addresses))).execute()
        self._erase_said(lambda words: not addresses.isdisjoint(words))
        for row in tables.Aside.select():
            content = bytes(row.content).lower()
            if any(address.encode() in content for address in addresses):
                tables.Aside.delete().where(tables.Aside.key == row.key).execute()

    def _erase_said(self, concerned: Callable[[list[str]], bool]) -> None:
        for row in tables.Said.select(tables.Said.name):
            if concerned(row.name.split()):
                self.forget(row.name)

    def erase_letter(self, letter: int) -> None:
        tables.Letter.delete().where(tables.Letter.id == letter).execute()

    # notes

    def note(self, name: str) -> str | None:
        row = _NOTE.row(name=name)
        return None if row is None else str(row[0])

    def write_note(self, name: str, value: str) -> None:
        tables.Note.insert(name=name, value=value).on_conflict(conflict_target=[tables.Note.name], preserve=[tables.Note.value]).execute()


def _waiting(row: Sequence[Any]) -> Waiting:
    letter = dict(zip(_WAITING, row, strict=True))
    content = letter["content"]
    return Waiting(
        **letter
        | {
            "facts": json.loads(letter["facts"]) if letter["facts"] else {},
            "references": tuple(json.loads(letter.pop("refs"))),
            "private": bool(letter["private"]),
            "answers": bool(letter["answers"]),
            "content": None if content is None else bytes(content),
            "created": datetime.fromisoformat(letter["created"]),
        }
    )
