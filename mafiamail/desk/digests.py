"""DIGEST: what is said in the thread comes to a reader together, once in a while."""

from datetime import timedelta
from typing import TYPE_CHECKING

from mafiamail.desk.mistakes import BadLine
from mafiamail.game.duration import format_duration, parse_duration
from mafiamail.letters.letter import Facts
from mafiamail.letters.understand import Line

if TYPE_CHECKING:
    from mafiamail.desk.hearing import Hearing

USUAL, LEAST, MOST = timedelta(hours=12), timedelta(minutes=10), timedelta(days=7)


def keep_digest(hearing: "Hearing", line: Line) -> Facts:
    """`DIGEST: on | off | 12h`. Raises BadLine."""
    word = hearing.languages.setting_values.get(line.argument.strip().lower(), line.argument.strip())
    every = {"yes": USUAL, "no": timedelta(0)}.get(word)
    try:
        every = parse_duration(word) if every is None else every
    except ValueError as error:
        raise BadLine(line.text, "one_of", "yes, no, 6h, 12h, 24h") from error
    if every and not LEAST <= every <= MOST:
        raise BadLine(line.text, "one_of", "yes, no, 6h, 12h, 24h")
    if not every:
        hearing.store.mailroom.hasten(hearing.seat, hearing.book.now())
    hearing.person = hearing.store.people.change(hearing.seat, digest=format_duration(every) if every else "")
    return {"kind": "digest", "every": hearing.person.digest}
