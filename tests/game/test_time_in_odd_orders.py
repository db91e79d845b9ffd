"""Section 3 where several things move the end of a Day at once: twilight, limits, extensions, revotes, pauses, what is put back."""

from datetime import timedelta

import pytest

from mafiamail.game import clock
from mafiamail.game.commands import Close, Extend, GiveOrder, Leave, Remove, SetLimit, Vote
from mafiamail.game.events import NightResolved, Undone, VoteClosed
from mafiamail.game.evolve import evolve, fold
from mafiamail.game.model import Game, Phase, Settings, Stage
from mafiamail.game.refusal import Refused, Why
from mafiamail.game.undo import redo, standing, undo_moments
from tests.game.table import BEGIN, Table

HOUR = timedelta(hours=1)
ONE = Settings(variant="one")


def vote_all(table: Table, whom: str = "Ben") -> Table:
    for who in table.game.living:
        table.says(who, Vote(whom if who != whom else "Ann"))
    return table


def closes(table: Table) -> float:
    """The hour at which the vote closes if nothing more happens."""
    game = table.game
    while (due := clock.due(game)) is not None:
        happened = clock.tick(game)
        game = fold(happened, game)
        if any(isinstance(event, VoteClosed) for event in happened):
            return (due - BEGIN) / HOUR
    raise AssertionError("it never closes")


@pytest.mark.parametrize(("early", "change", "expected"), [(True, 4, 8), (False, 4, 36), (False, None, 36)])
def test_3_3_1_a_day_that_lasts_its_full_time_does_so_after_a_change_too(early: bool, change: float | None, expected: float) -> None:
    table = vote_all(Table(settings=Settings(variant="one", day_limit=36 * HOUR, close_early=early)).at(3))
    if change is not None:
        table.at(change).says("Dan", Vote("Cat"))
    assert closes(table) == expected


def test_3_1_4_a_change_shortly_before_the_limit_goes_beyond_it_all_the_same() -> None:
    table = vote_all(Table(settings=Settings(variant="one", day_limit=36 * HOUR, close_early=False)).at(35))
    table.at(35.5).says("Dan", Vote("Cat"))
    assert closes(table) == 39.5


def test_3_3_1_and_twilight_that_ends_after_the_limit_does_not_move_it() -> None:
    table = Table(settings=Settings(variant="one", day_limit=36 * HOUR, close_early=False)).at(35)
    assert closes(vote_all(table)) == 36


def test_3_1_3_a_limit_set_in_extended_twilight_ends_the_vote() -> None:
    table = Table(settings=ONE).at(14)
    vote_all(table)
    table.at(14.5).host(Extend(12 * HOUR))
    table.at(15.5).host(SetLimit(24 * HOUR))
    assert closes(table) == 24


def test_3_3_3_an_extension_moves_the_limit_where_that_is_the_running_end_of_twilight() -> None:
    table = Table(settings=ONE).at(1)
    table.host(SetLimit(24 * HOUR))
    vote_all(table.at(23))
    assert closes(table) == 24
    table.host(Extend(5 * HOUR))
    assert closes(table) == 29


@pytest.mark.parametrize(("limit", "expected"), [(30, 30), (None, 40)])
def test_3_3_3_what_was_given_to_twilight_is_gone_with_it(limit: float | None, expected: float) -> None:
    table = Table(settings=ONE).at(1)
    if limit is not None:
        table.host(SetLimit(limit * HOUR))
    vote_all(table.at(6), "Ben")
    table.host(Extend(5 * HOUR))
    table.host(Remove("Ben", now=True))
    assert table.game.twilight is None
    if limit is None:
        table.host(SetLimit(expected * HOUR))
    assert closes(table) == expected


def test_1_8_a_vote_at_the_very_end_of_a_revote_is_too_late_in_variant_two() -> None:
    table = Table({"Ann": "mafia", "Ben": "citizen", "Cat": "citizen", "Dan": "citizen"}, Settings(tie="revote", revote=6 * HOUR))
    for who, whom in (("Ann", "Ben"), ("Ben", "Ann"), ("Cat", "Ben"), ("Dan", "Ann")):
        table.says(who, Vote(whom))
    assert table.game.candidates == ("Ann", "Ben")
    table.at(6)
    closed = table.happened(VoteClosed)[-1]
    assert (closed.at, closed.why) == (BEGIN + 6 * HOUR, "revote")
    with pytest.raises(Refused, match=Why.TOO_LATE.value):
        table.says("Cat", Vote("Ann"))


def test_3_3_3_close_where_only_a_limit_ends_the_day_names_the_earliest_limit() -> None:
    table = Table(settings=ONE).at(40)
    with pytest.raises(Refused, match=Why.NEEDS_LIMIT.value) as caught:
        table.host(Close())
    assert caught.value.facts["earliest"] == BEGIN + 44 * HOUR


@pytest.mark.parametrize("variant", ["one", "two"])
def test_3_3_4_what_is_put_back_goes_on_with_the_time_that_was_left(variant: str) -> None:
    table = Table(settings=Settings(variant=variant)).at(10)  # type: ignore[arg-type]
    table.says("Dan", Vote("Cat"))
    before = table.at(11).game
    table.took((undo_moments(table.log, 1, table.now) or pytest.fail("nothing to undo"),))
    table.at(100)
    back = redo(table.log, table.now)
    assert back is not None
    table.log.append(back)
    game = table.game = fold(table.log)
    assert game.paused is None
    assert game.ballots == before.ballots
    assert game.phase.stage is Stage.DAY
    ends = clock.ends(before)
    assert clock.ends(game) == (None if ends is None else ends + 89 * HOUR)  # it stood still from hour 11 to hour 100
    assert redo(table.log, table.now) is None
    assert [event for event in (table.log[place] for place in standing(table.log)) if isinstance(event, Undone)] == [back]


def test_2_17_whoever_has_asked_to_leave_cannot_be_raised_however_he_died() -> None:
    table = Table({"Ann": "mafia", "Nec": "necromancer", "Ben": "citizen", "Cat": "citizen", "Dan": "citizen"})
    table.says("Ben", Leave())
    for who in ("Ann", "Nec", "Cat"):
        table.says(who, Vote("Ben"))
    table.at(3)
    assert table.stage is Stage.NIGHT
    with pytest.raises(Refused, match=Why.TARGET_GONE.value):
        table.says("Nec", GiveOrder("RAISE", "Ben"))


def test_2_16_the_dossier_of_night_zero_uses_up_a_limited_power() -> None:
    table = Table({"Ann": "mafia", "Kat": "commissar", "Ben": "citizen", "Cat": "citizen"})
    zero = Game().but(players=table.game.players, living=table.game.living, phase=Phase(Stage.ZERO, 0, BEGIN))
    resolved = NightResolved(BEGIN, 0, {}, (), (), (), {}, (), spent=("Kat",))
    assert evolve(zero, resolved).players["Kat"].uses == 1
