"""What a host takes back: `UNDO`, `UNDO: 3`, and `UNDO: UNDO` for the last undo itself."""

from typing import TYPE_CHECKING

from mafiamail.desk.mistakes import BadLine
from mafiamail.game import undo as undoing
from mafiamail.game.model import Stage
from mafiamail.game.refusal import Refused, Why
from mafiamail.letters.happened import happened
from mafiamail.letters.letter import Facts
from mafiamail.letters.understand import Line

if TYPE_CHECKING:
    from mafiamail.desk.hearing import Hearing


def undo(hearing: "Hearing", line: Line) -> Facts:
    """Takes back the last moments of a game, and tells everybody that it stands still. Raises Refused, BadLine."""
    again = hearing.words.find(line.argument) == "UNDO"
    log = hearing.book.log(hearing.seat.game)
    undone = undoing.redo(log, hearing.at) if again else undoing.undo_moments(log, _count(line), hearing.at)
    if undone is None:
        raise Refused(Why.NOTHING_TO_UNDO if hearing.game.phase.stage is not Stage.SIGNUP else Why.NOT_STARTED)
    before = undoing.stands(log)
    hearing.book.write(hearing.seat.game, [undone])
    after = undoing.stands(hearing.book.log(hearing.seat.game))
    changed = happened(after, before) if again else happened(before, after)
    return {"kind": "undone", "again": again, "what": changed, "paused": hearing.game.paused is not None}


def _count(line: Line) -> int:
    argument = line.argument.strip()
    if not argument:
        return 1
    if not argument.isdecimal() or not 0 < int(argument[:9]) < 1000:
        raise BadLine(line.text, "one_of", "1, 2, 3, …")
    return int(argument)
