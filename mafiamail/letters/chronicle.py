"""A finished game told again: roles, every Day and every Night, and the seed of the deal."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from mafiamail.game import draw
from mafiamail.game.events import Event, NightResolved, PhaseBegan, Removed, Shot, VoteClosed
from mafiamail.game.evolve import evolve, stands
from mafiamail.game.model import Game
from mafiamail.letters.letter import Facts, in_seat_order, names, tally_facts


def seal(game: Game) -> str:
    """What was published of the seed before anybody joined: 64 hex digits."""
    return draw.seal(game.seed)


@dataclass(slots=True)
class _Telling:
    phases: list[Facts] = field(default_factory=list)
    out: dict[str, str] = field(default_factory=dict)  # who -> the phase in which he went

    def add(self, game: Game, event: Event) -> None:
        match event:
            case VoteClosed():
                day = {
                    "day": game.phase.number,
                    "why": event.why,
                    "tally": tally_facts(game, dict(event.tally)),
                    "silent": names(game, event.silent),
                }
                self.phases.append(day | {"executed": names(game, event.executed), "shot": [], "removed": []})
            case Shot() if self.phases:
                self.phases[-1]["shot"].append({"name": game.players[event.who].character, "whom": game.players[event.whom].character})
            case Removed() if self.phases:
                self.phases[-1]["removed"].append({"name": game.players[event.who].character, "fate": event.fate.value})
            case NightResolved():
                self.phases.append(_night(game, event) | {"removed": []})
            case _:
                pass


def _night(game: Game, event: NightResolved) -> Facts:
    name = {who: player.character for who, player in game.players.items()}
    deeds = [
        {"who": name[deed.who], "target": name[deed.target] if deed.target else None, "did": deed.did, "why": deed.why, "rule": deed.rule}
        for deed in event.deeds
    ]
    died = [{"name": name[who], "sides": list(sides)} for who, sides in event.died.items()]
    return {"night": event.number, "died": died, "saved": names(game, event.saved), "revived": names(game, event.revived), "deeds": deeds}


def facts(log: Sequence[Event]) -> Facts:
    """`{roles, phases, seed, seal}` of a whole log."""
    game, telling = Game(), _Telling()
    for event in stands(log):
        game = evolve(game, event)
        if not isinstance(event, PhaseBegan):
            telling.add(game, event)
    players = [game.players[who] for who in in_seat_order(game)]
    roles = [
        {
            "name": player.character,
            "seat": player.seat,
            "role": player.role,
            "side": player.side,
            "alive": player.alive,
            "fate": player.fate and player.fate.value,
        }
        for player in players
    ]
    return {"roles": roles, "phases": telling.phases, "seed": game.seed, "seal": seal(game)}
