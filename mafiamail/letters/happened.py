"""Events of a game as its host may be told them: no target of an order, since he reads orders only when he asks for them."""

from collections.abc import Sequence

from mafiamail.game.events import Event, PhaseBegan, Undone
from mafiamail.game.evolve import fold
from mafiamail.game.model import Game
from mafiamail.letters.letter import Facts

UNTOLD = ("Heard", "Reminded", "HostReminded", "QuietWarned", "Undone")


def happened(longer: Sequence[Event], shorter: Sequence[Event]) -> list[Facts]:
    """What stands in the longer of two logs of one game alone: `[{what, name, target, phase}]`, in order."""
    game = fold(longer)
    more = _beyond(longer, shorter)
    return [_told(game, event) for event in more if type(event).__name__ not in UNTOLD]


def _beyond(longer: Sequence[Event], shorter: Sequence[Event]) -> Sequence[Event]:
    plain = [event for event in longer if not isinstance(event, Undone)]
    return plain[sum(not isinstance(event, Undone) for event in shorter) :]


def _told(game: Game, event: Event) -> Facts:
    def name(key: str) -> str:
        who = str(getattr(event, key, ""))
        return game.players[who].character if who in game.players else ""

    phase = {"stage": event.stage.value, "number": event.number} if isinstance(event, PhaseBegan) else None
    return {"what": type(event).__name__, "name": name("who"), "target": name("whom"), "phase": phase}
