"""The Day's vote: who may vote for whom, the tally, who leads, and when that is decided."""

from collections.abc import Mapping

from mafiamail.game import deal, draw
from mafiamail.game.model import Game, Stage, Who


def electable(game: Game) -> tuple[Who, ...]:
    """Whom one may vote for: the living; in a revote the tied alone (1.8)."""
    if game.candidates:
        return tuple(who for who in game.candidates if game.players[who].fate is None)
    return game.living


def missing(game: Game) -> tuple[Who, ...]:
    """The living who have not voted and lawfully can (1.9: nobody can vote for himself). Empty outside a vote."""
    if game.phase.stage is not Stage.DAY:
        return ()
    ballots = game.ballots
    if len(ballots) == len(game.living):  # only the living have ballots
        return ()
    silent = [who for who in game.living if who not in ballots]
    if not game.candidates and len(game.living) > 1:
        return tuple(silent)
    names = electable(game)
    return tuple(silent) if len(names) > 1 else tuple(who for who in silent if names and names != (who,))


def tally(game: Game) -> dict[Who, tuple[Who, ...]]:
    """Votes by name, most first (equals: the first to reach a vote first), voters in order of arrival."""
    votes: dict[Who, list[Who]] = {}
    for who, ballot in game.ballots.items():
        votes.setdefault(ballot.whom, []).append(who)
    return {whom: tuple(voters) for whom, voters in sorted(votes.items(), key=lambda entry: -len(entry[1]))}


def leaders(votes: Mapping[Who, tuple[Who, ...]]) -> tuple[Who, ...]:
    """Everybody with the most votes; nobody without a vote."""
    most = max(map(len, votes.values()), default=0)
    return tuple(whom for whom, voters in votes.items() if len(voters) == most)


def decided(game: Game) -> bool:
    """1.9: the votes still missing, cast or not, cannot change who leads, a tie included."""
    open_votes = len(game.living) - len(game.ballots)
    if not game.candidates and len(game.ballots) < open_votes:  # the quick answer while most votes are missing
        return False
    count: dict[Who, int] = {}
    for ballot in game.ballots.values():
        count[ballot.whom] = count.get(ballot.whom, 0) + 1
    most = max(count.values(), default=0)
    if not game.candidates and open_votes > most:  # the quick answer while somebody without a vote can still lead, himself silent or not
        return False
    silent = missing(game)
    if not silent:
        return True
    first = [whom for whom, votes in count.items() if votes == most]
    if len(first) != 1:  # anybody who is missing can break a tie
        return False
    could = set(silent)
    return all(count.get(who, 0) + len(silent) - (who in could) < most for who in electable(game) if who != first[0])


def executed(game: Game, first: tuple[Who, ...]) -> tuple[tuple[Who, ...], tuple[Who, ...]]:
    """Who is executed when `first` lead, and between whom a revote is held (1.8)."""
    if len(first) < 2:
        return first, ()
    match game.settings.tie:
        case "all":
            return _by_seat(game, first), ()
        case "random":
            label = f"tie {game.phase.number}"
            return (draw.lot(deal.key(game), label, _by_seat(game, first)),), ()
        case "revote" if not game.candidates:
            return (), _by_seat(game, first)
        case _:
            return (), ()


def _by_seat(game: Game, some: tuple[Who, ...]) -> tuple[Who, ...]:
    return tuple(who for who in game.players if who in some)
