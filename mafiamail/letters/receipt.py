"""What a receipt tells its one reader: how the game stands, his own vote and order, and what he can still do."""

from mafiamail.game import night, vote
from mafiamail.game.model import HOST, Game, Stage, Who
from mafiamail.letters.by_night import family_facts
from mafiamail.letters.letter import Facts, in_seat_order, keywords, living, names, order_word, tally_facts


def status(game: Game, who: Who) -> Facts | None:
    """The standing of the game for this reader; None where there is none yet to tell a player."""
    return _host_status(game) if who == HOST else _player_status(game, who)


def _vote_facts(game: Game) -> Facts:
    """Votes are public (1.7): the running tally, or None where no vote runs."""
    if game.phase.stage is not Stage.DAY:
        return {"tally": None, "voted": 0, "voters": 0}
    return {"tally": tally_facts(game, vote.tally(game)), "voted": len(game.ballots), "voters": len(living(game))}


def _player_status(game: Game, who: Who) -> Facts:
    alive = living(game)
    facts: Facts = {"alive": len(alive), "of": len(game.players), "need": sum(n for _, n in game.composition), **_vote_facts(game)}
    facts["living"] = names(game, alive) if game.phase.stage in (Stage.DAY, Stage.NIGHT) else []
    facts["you"] = _own(game, who)
    return facts


def _own(game: Game, who: Who) -> Facts:
    """His live vote, his live order, and what he may send now."""
    ballot, order = game.ballots.get(who), game.orders.get(who)
    by_night = game.phase.stage in (Stage.NIGHT, Stage.ZERO) and game.players[who].alive  # 1.5: a Night is nothing to the dead
    may = keywords(game, who) if by_night else []
    family = family_facts(game, who) if by_night and game.phase.stage is Stage.NIGHT and len(night.family(game, who)) > 1 else None
    name = game.players[order.target].character if order and order.target else None
    return {
        "vote": game.players[ballot.whom].character if ballot else None,
        "order": {"keyword": order_word(game, who, order.keyword), "name": name} if order else None,
        "may": may,
        "missing": _missing(game, who),
        "speaking": who in game.speaking,
        "leaving": game.players[who].alive and game.players[who].leaving is not None,
        "family": family,
    }


def _missing(game: Game, who: Who) -> bool:
    """Whether the game waits for him."""
    match game.phase.stage:
        case Stage.DAY:
            return who in vote.missing(game)
        case Stage.NIGHT | Stage.ZERO:
            return who in night.missing(game)
    return False


def _host_status(game: Game) -> Facts:
    """Public facts, and how many orders are missing; the orders themselves only when he asks for them."""
    players = [
        {"name": game.players[who].character, "alive": game.players[who].alive, "voted": who in game.ballots} for who in in_seat_order(game)
    ]
    orders_missing = len(night.missing(game)) if game.phase.stage in (Stage.NIGHT, Stage.ZERO) else 0
    facts: Facts = {
        "players": players,
        "orders_missing": orders_missing,
        "joined": len(players),
        "waiting": [],  # who applies to a game for the invited: the desk knows
        "need": sum(n for _, n in game.composition),
        "leaving": names(game, [who for who in living(game) if game.players[who].leaving is not None]),
    }
    missing = names(game, vote.missing(game)) if game.phase.stage is Stage.DAY else []
    return facts | {"missing": missing, **_vote_facts(game)}
