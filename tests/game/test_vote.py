"""When a vote is decided (1.9), against every way in which it could still go on."""

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from mafiamail.game import vote
from mafiamail.game.model import Ballot, Game
from tests.game.table import BEGIN, Table

NAMES = ["Ann", "Ben", "Cat", "Dan", "Eve"]


def leaders(ballots: dict[str, str]) -> set[str]:
    count = {whom: list(ballots.values()).count(whom) for whom in ballots.values()}
    return {whom for whom in count if count[whom] == max(count.values())}


def can_change(ballots: dict[str, str], voters: list[str], names: list[str]) -> bool:
    """Tries everything: each missing voter stays silent or votes for anybody but himself."""
    missing = [voter for voter in voters if voter not in ballots]
    choices = [[None, *(name for name in names if name != voter)] for voter in missing]
    for way in product(*choices):
        cast = {voter: whom for voter, whom in zip(missing, way, strict=True) if whom is not None}
        if leaders(ballots | cast) != leaders(ballots):
            return True
    return False


def voting(voters: list[str], ballots: dict[str, str], tied: list[str]) -> Game:
    game = Table({name: "citizen" if name != "Ann" else "mafia" for name in voters}).game
    return game.but(ballots={who: Ballot(whom, BEGIN) for who, whom in ballots.items()}, candidates=tuple(tied))


@settings(max_examples=300, deadline=None)
@given(st.integers(2, 5), st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=6), st.booleans())
def test_1_9_decided_is_exactly_when_no_missing_vote_can_change_who_leads(count: int, cast: list[tuple[int, int]], revote: bool) -> None:
    voters = NAMES[:count]
    names = voters[:2] if revote else voters
    ballots = {voters[who % count]: names[whom % len(names)] for who, whom in cast if voters[who % count] != names[whom % len(names)]}
    game = voting(voters, ballots, names if revote else [])
    assert vote.decided(game) is not can_change(ballots, voters, names)
