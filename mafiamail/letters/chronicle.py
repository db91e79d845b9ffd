"""A finished game told again: roles, every Day and every Night, and the seed of the deal."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from mafiamail.game import draw, vote
from mafiamail.game.events import Event, NightResolved, PhaseBegan, Removed, Shot, Started, VoteClosed
from mafiamail.game.evolve import evolve, fold
from mafiamail.game.model import Game, Player
from mafiamail.game.setting import NAMES
from mafiamail.game.undo import stands
from mafiamail.letters.letter import Facts, gone, in_seat_order, names, tally_facts
from mafiamail.letters.settings import shown


def seal(game: Game) -> str:
    """What was published of the seed before anybody joined: 64 hex digits."""
    return draw.seal(game.seed)


CLOSED_BY = {
    "all voted": "3.2.2",
    "decided": "1.9",
    "twilight": "3.1.3",
    "extra time": "3.1.4",
    "revote": "1.8",
    "host limit": "3.1.5",
    "two days": "3.2.2",
    "host": "3.3.3",
}
"""Why a vote closed -> the rule that says so."""


def tie_rule(game: Game, event: VoteClosed) -> str:
    """What a tie means here (1.8): the setting's word, or `again` where the second ballot was the one that ended."""
    return "again" if game.settings.tie == "revote" and not event.candidates else game.settings.tie


@dataclass(slots=True)
class _Telling:
    phases: list[Facts] = field(default_factory=list)
    out: dict[str, str] = field(default_factory=dict)  # who -> the phase in which he went

    def add(self, game: Game, event: Event) -> None:
        match event:
            case VoteClosed():
                leaders = vote.leaders(event.tally)
                day = {
                    "day": game.phase.number,
                    "second": bool(self.phases) and self.phases[-1].get("day") == game.phase.number,
                    "why": event.why,
                    "rule": CLOSED_BY[event.why],
                    "tied": names(game, leaders) if len(leaders) > 1 else [],
                    "tie": tie_rule(game, event),
                    "tally": tally_facts(game, dict(event.tally)),
                    "silent": names(game, event.silent),
                }
                self.phases.append(day | {"executed": names(game, event.executed), "shot": [], "removed": []})
            case Shot() if self.phases:
                self.phases[-1]["shot"].append({"name": game.players[event.who].character, "whom": game.players[event.whom].character})
            case Removed() if self.phases:
                self.phases[-1]["removed"].append(gone(game, event.who, event.fate))
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
    return {"roles": _cast(game), "phases": telling.phases, "seed": game.seed, "seal": seal(game)}


def _cast(game: Game) -> list[Facts]:
    players = [game.players[who] for who in in_seat_order(game)]
    return [
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


def record(log: Sequence[Event]) -> Facts | None:
    """A whole game for `mafiamail verify` and for other programs; None for one that never began.

    `players` by seat, each with what he added to the deal and the role that it gave him; `lots`: every later chance (draw.py).
    """
    log = stands(log)
    started = next((event for event in log if isinstance(event, Started)), None)
    if started is None:
        return None
    game = fold(log)
    told = facts(log)
    players = [game.players[who] for who in in_seat_order(game)]
    return {
        "mafiamail": 1,
        "name": game.name,
        "theme": game.theme,
        "seal": told["seal"],
        "seed": told["seed"],
        "composition": [list(entry) for entry in game.composition],
        "players": [_dealt(one, started) for one in players],
        "settings": {name: shown(getattr(game.settings, name)) for name in NAMES},
        "phases": told["phases"],
        "lots": [_lot(game, event, number) for number, event in _by_lot(log)] if game.settings.tie == "random" else [],
        "winner": game.winner,
    }


def _dealt(player: Player, started: Started) -> Facts:
    """One player: what he added to the deal, and the role that it gave him."""
    fate = player.fate and player.fate.value
    return {"seat": player.seat, "name": player.character, "digest": player.digest, "role": started.roles[player.who], "fate": fate}


def _by_lot(log: Sequence[Event]) -> Iterator[tuple[int, VoteClosed]]:
    """The votes that were a tie, each with the number of its Day."""
    number = 0
    for event in log:
        if isinstance(event, PhaseBegan):
            number = event.number
        elif isinstance(event, VoteClosed) and len(vote.leaders(event.tally)) > 1:
            yield number, event


def _lot(game: Game, event: VoteClosed, number: int) -> Facts:
    tied = [who for who in in_seat_order(game) if who in vote.leaders(event.tally)]
    return {"label": f"tie {number}", "between": names(game, tied), "drawn": names(game, event.executed)[0]}
