"""Whom a command names."""

from typing import TYPE_CHECKING

from mafiamail.desk.mistakes import Unnamed
from mafiamail.game.model import Who
from mafiamail.letters.letter import in_seat_order, names
from mafiamail.letters.names import Ambiguous, find, is_as_written
from mafiamail.letters.understand import Line

if TYPE_CHECKING:
    from mafiamail.desk.hearing import Hearing


def named(hearing: "Hearing", line: Line, exactly: bool = False) -> Who:
    """The player whom the argument names; `exactly`: where no guess will do. Raises Unnamed."""
    players = hearing.game.players
    found = find(line.argument, {who: (player.character, player.seat) for who, player in players.items()})
    if isinstance(found, str):
        player = players[found]
        if not is_as_written(line.argument, player.character, player.seat):
            if exactly:
                raise Unnamed(line.argument, (player.character,), ())
            hearing.guessed = {"wrote": " ".join(line.argument.split())[:60].replace(":", "·").strip("‹›"), "meant": player.character}
        return found
    could_be = found.names if isinstance(found, Ambiguous) else ()
    raise Unnamed(found.text, could_be, names(hearing.game, in_seat_order(hearing.game)))
