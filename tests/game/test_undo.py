"""UNDO by moments: whatever is taken back, put back and taken back again, the log replays to the state that it says."""

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mafiamail.game.commands import Vote
from mafiamail.game.events import Event, PhaseBegan, Undone, VoteClosed, Voted
from mafiamail.game.evolve import fold
from mafiamail.game.model import Settings
from mafiamail.game.undo import redo, standing, stands, undo_moments
from tests.game.table import Table
from tests.game.test_laws import moves, play, tables


def plain(log: list[Event]) -> list[Event]:
    return [event for event in stands(log) if not isinstance(event, Undone)]


@settings(max_examples=120, deadline=None)
@given(tables, st.lists(moves, max_size=40), st.lists(st.integers(0, 9), min_size=1, max_size=6))
def test_any_row_of_undos_and_redos_replays_to_the_state_of_what_stands(
    table: Table, played: list[tuple[int, int, int, float]], counts: list[int]
) -> None:
    play(table, played)
    log = list(table.log)
    for count in counts:
        before = fold(log)
        undone = redo(log, table.now) if count == 0 else undo_moments(log, count, table.now)
        if undone is None:
            continue
        log.append(undone)
        after, kept = fold(log), fold(plain(log))
        assert after.but(paused=None, now=kept.now) == kept.but(paused=None)
        again = redo(log, table.now)
        assert (again is None) == (count == 0)  # what was put back is as if it had never been taken
        if again is not None:
            assert fold([*log, again]).but(now=before.now) == before


@settings(max_examples=60, deadline=None)
@given(tables, st.lists(moves, max_size=40), st.integers(1, 30))
def test_an_undo_never_parts_what_happened_together(table: Table, played: list[tuple[int, int, int, float]], count: int) -> None:
    play(table, played)
    undone = undo_moments(table.log, count, table.now)
    assume(undone is not None)  # else nothing has happened since the start
    assert undone is not None
    kept = fold([*table.log, undone])
    last = table.log[undone.back_to - 1]
    assert not isinstance(last, VoteClosed) or last.candidates  # what the close brought stands or falls with it
    assert kept.phase.stage is not None


def test_an_undo_goes_back_to_the_start_and_never_takes_back_the_deal() -> None:
    table = Table(settings=Settings(variant="one"))
    assert undo_moments(table.log, 99, table.now) is None
    begun = table.game
    table.at(1).says("Ann", Vote("Ben"))
    table.at(2).says("Ben", Vote("Ann"))
    undone = undo_moments(table.log, 99, table.now)
    assert undone is not None
    assert isinstance(table.log[undone.back_to - 1], PhaseBegan)
    kept = fold([*table.log, undone])
    assert kept.but(paused=None, now=begun.now) == begun
    assert undo_moments([*table.log, undone], 1, table.now) is None


def test_two_votes_of_one_moment_are_two_and_a_vote_with_the_close_it_brought_is_one() -> None:
    table = Table(settings=Settings(close_when_decided=False))
    for who in ("Ann", "Ben", "Cat", "Dan"):
        table.says(who, Vote("Eve"))
    undone = undo_moments(table.log, 1, table.now)
    assert undone is not None
    assert table.log[undone.back_to] == Voted(table.now, "Dan", "Eve")
    table.says("Eve", Vote("Ann"))
    assert isinstance(table.log[-1], PhaseBegan)
    undone = undo_moments(table.log, 1, table.now)
    assert undone is not None
    assert table.log[undone.back_to] == Voted(table.now, "Eve", "Ann")


def test_nothing_can_be_put_back_once_something_has_happened_since() -> None:
    table = Table()
    table.says("Ann", Vote("Eve"))
    undone = undo_moments(table.log, 1, table.now)
    assert undone is not None
    log = [*table.log, undone, Voted(table.now, "Ann", "Ben")]
    assert redo(log, table.now) is None
    assert len(standing(log)) == len(log) - 1
