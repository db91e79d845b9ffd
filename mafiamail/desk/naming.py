"""Whom a command names, and what it says of him behind an equals sign."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mafiamail.desk.mistakes import BadLine, Unnamed
from mafiamail.game.model import Stage, Who
from mafiamail.letters.letter import in_seat_order, names
from mafiamail.letters.names import Ambiguous, find, is_as_written
from mafiamail.letters.understand import Line

if TYPE_CHECKING:
    from mafiamail.desk.hearing import Hearing


def parted(line: Line, problem: str) -> tuple[str, str]:
    """What stands before and behind the equals sign. Raises BadLine."""
    before, _, behind = (part.strip() for part in line.argument.partition("="))
    if not before or not behind:
        raise BadLine(line.text, problem)
    return before, behind


def named(hearing: "Hearing", line: Line, exactly: bool = False) -> Who:
    """The player whom the argument names; `exactly`: where no guess will do. Raises Unnamed."""
    players = {who: (player.character, player.seat) for who, player in hearing.game.players.items()}
    dead_too = line.keyword == "RAISE" or hearing.game.phase.stage in (Stage.SIGNUP, Stage.OVER)
    shown = [who for who in in_seat_order(hearing.game) if dead_too or hearing.game.players[who].alive]
    return meant_among(hearing, line, players, names(hearing.game, shown), exactly)


def meant_among(
    hearing: "Hearing", line: Line, people: Mapping[str, tuple[str, str]], everybody: Sequence[str], exactly: bool = False
) -> str:
    """Whom of these {key: (character, seat)} the argument names; what was guessed, the receipt tells. Raises Unnamed."""
    found = find(line.argument, people)
    if isinstance(found, str):
        character, seat = people[found]
        if not is_as_written(line.argument, character, seat):
            if exactly:
                raise Unnamed(line.argument, (character,), ())
            hearing.guessed = {"wrote": " ".join(line.argument.split())[:60].replace(":", "·").strip("‹›"), "meant": character}
        return found
    could_be = found.names if isinstance(found, Ambiguous) else ()
    raise Unnamed(found.text, could_be, everybody)
