"""What a host may do to a running game (3.1.2, 3.3), rule by rule."""

from contextlib import AbstractContextManager
from datetime import timedelta

import pytest

from mafiamail.game import clock, events
from mafiamail.game.commands import Close, End, Extend, GiveOrder, GoOn, Leave, Pause, Remove, Resume, SayLastWords, SetLimit, Unvote, Vote
from mafiamail.game.model import Fate, Settings, Stage
from mafiamail.game.refusal import Refused, Why
from tests.game.table import BEGIN, Table

HOUR = timedelta(hours=1)
ONE = Settings(variant="one")


def refused(why: Why) -> AbstractContextManager[pytest.ExceptionInfo[Refused]]:
    return pytest.raises(Refused, match=why.value)


def test_3_3_3_close_before_two_days_is_refused_with_the_earliest_time() -> None:
    table = Table().at(5)
    with refused(Why.TOO_EARLY) as caught:
        table.host(Close())
    assert caught.value.facts["earliest"] == BEGIN + 48 * HOUR + clock.JUST_AFTER


def test_3_3_3_close_anyway_acts_at_its_arrival_says_so_and_is_nobodys_absence() -> None:
    table = Table().at(5)
    happened = table.host(Close(anyway=True))
    assert happened[0] == events.HostClosed(BEGIN + 5 * HOUR, early=True)
    assert isinstance(happened[1], events.VoteClosed)
    assert happened[1].why == "host"
    assert table.stage is Stage.NIGHT
    assert all(player.idle == 0 for player in table.game.players.values())


def test_3_3_3_a_night_is_closed_anyway_with_the_orders_so_far() -> None:
    table = Table(settings=Settings(begins="night"))
    happened = table.at(1).host(Close(anyway=True))
    assert isinstance(happened[1], events.NightResolved)
    assert table.stage is Stage.DAY


def test_3_1_2_close_in_variant_one_needs_notice_whatever_the_hour() -> None:
    table = Table(settings=ONE).at(40)
    with refused(Why.NEEDS_LIMIT) as caught:
        table.host(Close())
    assert caught.value.facts["earliest"] == BEGIN + 44 * HOUR


def test_3_3_3_extend_moves_only_the_running_end() -> None:
    table = Table().at(5)
    table.host(Extend(12 * HOUR))
    assert clock.ends(table.game) == BEGIN + 60 * HOUR
    table.at(61)
    assert table.stage is Stage.NIGHT
    assert clock.ends(table.game) == BEGIN + 108 * HOUR + clock.JUST_AFTER


def test_3_2_2_after_two_days_an_extended_day_may_be_closed() -> None:
    table = Table().at(5)
    table.host(Extend(12 * HOUR))
    happened = table.at(49).host(Close())
    assert happened[0] == events.HostClosed(BEGIN + 49 * HOUR, early=False)


def test_3_3_3_extending_the_host_limit_leaves_twilight_as_it_is() -> None:
    table = Table({"Ann": "mafia", "Ben": "citizen", "Cat": "citizen"}, ONE).at(1)
    table.host(SetLimit(24 * HOUR))
    table.host(Extend(6 * HOUR))
    table.says("Ann", Vote("Ben"))
    table.says("Ben", Vote("Cat"))
    table.at(29).says("Cat", Vote("Ann"))
    assert clock.ends(table.game) == BEGIN + 30 * HOUR


def test_3_3_3_an_open_day_has_nothing_to_extend() -> None:
    with refused(Why.NO_END):
        Table(settings=ONE).host(Extend(HOUR))


def test_3_1_2_with_somebody_silent_and_no_limit_the_host_is_reminded_each_day() -> None:
    table = Table(settings=ONE).at(80)
    assert [event.at for event in table.happened(events.HostReminded)] == [BEGIN + 24 * HOUR, BEGIN + 48 * HOUR, BEGIN + 72 * HOUR]


def test_1_11_unvote_is_off_by_default() -> None:
    table = Table(settings=ONE)
    table.says("Ann", Vote("Ben"))
    with refused(Why.NO_UNVOTE):
        table.says("Ann", Unvote())


def test_1_11_where_unvote_is_allowed_it_is_a_change() -> None:
    table = Table({"Ann": "mafia", "Ben": "citizen", "Cat": "citizen"}, Settings(variant="one", unvote=True))
    for who, whom in (("Ann", "Ben"), ("Ben", "Cat"), ("Cat", "Ann")):
        table.says(who, Vote(whom))
    happened = table.at(1).says("Ann", Unvote())
    assert happened == (events.Unvoted(BEGIN + HOUR, "Ann"), events.ExtraTimeBegan(BEGIN + HOUR))
    assert clock.ends(table.game) == BEGIN + 5 * HOUR


def test_3_3_2_who_leaves_is_out_at_the_start_of_the_next_phase_and_his_vote_stands() -> None:
    table = Table()
    table.says("Eve", Vote("Ann"))
    table.says("Eve", Leave())
    table.says("Ben", Vote("Ann"))
    assert table.says("Eve", Leave()) == ()
    table.at(49)
    closed = table.happened(events.VoteClosed)[0]
    assert closed.tally == {"Ann": ("Eve", "Ben")}


def test_3_3_2_removed_by_the_host_he_is_out_before_the_next_phase_is_announced() -> None:
    table = Table()
    table.host(Remove("Eve"))
    table.at(49)
    kinds = [type(event) for event in table.log[-3:]]
    assert kinds == [events.VoteClosed, events.Removed, events.PhaseBegan]
    assert table.game.players["Eve"].fate is Fate.REMOVED


def test_3_3_2_removed_now_his_vote_and_the_votes_for_him_are_void_and_they_vote_again() -> None:
    table = Table()
    table.says("Ann", Vote("Eve"))
    table.says("Eve", Vote("Ben"))
    table.says("Ben", Vote("Ann"))
    table.host(Remove("Eve", now=True))
    assert set(table.game.ballots) == {"Ben"}
    table.says("Ann", Vote("Ben"))
    with refused(Why.TARGET_DEAD):
        table.says("Cat", Vote("Eve"))


def test_3_3_2_removing_the_one_silent_player_ends_the_day() -> None:
    table = Table()
    for who, whom in (("Ann", "Ben"), ("Ben", "Ann"), ("Cat", "Dan"), ("Dan", "Cat")):
        table.says(who, Vote(whom))
    table.host(Remove("Eve", now=True))
    assert table.stage is Stage.NIGHT


def test_3_3_2_in_variant_one_it_begins_twilight_or_ends_it() -> None:
    table = Table({"Ann": "mafia", "Ben": "citizen", "Cat": "citizen", "Dan": "citizen"}, ONE)
    for who, whom in (("Ann", "Ben"), ("Ben", "Ann"), ("Cat", "Ann")):
        table.says(who, Vote(whom))
    assert clock.ends(table.at(1).game) is None
    table.host(Remove("Dan", now=True))
    assert clock.ends(table.game) == BEGIN + 3 * HOUR
    table.at(2).host(Remove("Ben", now=True))
    assert clock.ends(table.game) is None


def test_1_12_removing_the_last_mafioso_by_day_ends_the_game() -> None:
    assert Table().host(Remove("Ann", now=True))[-1] == events.GameOver(BEGIN, "town")


def test_3_3_2_who_is_removed_in_the_night_gives_no_order_and_orders_for_him_do_nothing() -> None:
    table = Table({"Ann": "mafia", "Ben": "mafia", "Flo": "doctor", "Cat": "citizen", "Dan": "citizen"}, Settings(begins="night"))
    table.says("Ann", GiveOrder("KILL", "Cat"))
    table.host(Remove("Cat", now=True))
    table.host(Remove("Ben", now=True))
    table.says("Flo", GiveOrder("PASS", None))
    resolved = table.happened(events.NightResolved)[0]
    assert not resolved.died
    assert ("Ann", "target gone", "2.14") in {(deed.who, deed.why, deed.rule) for deed in resolved.deeds}


def test_3_3_4_while_paused_no_clock_runs_and_then_what_was_left_goes_on() -> None:
    table = Table().at(40)
    table.host(Pause())
    assert clock.due(table.game) is None
    assert clock.ends(table.game) is None
    table.at(400).host(Resume())
    assert clock.ends(table.game) == BEGIN + 408 * HOUR


def test_3_3_4_votes_are_taken_in_a_pause_and_nothing_closes_until_resume() -> None:
    table = Table({"Ann": "mafia", "Ben": "citizen", "Cat": "citizen"})
    table.host(Pause())
    for who, whom in (("Ann", "Ben"), ("Ben", "Cat"), ("Cat", "Ann")):
        table.says(who, Vote(whom))
    assert table.stage == "day"
    with refused(Why.PAUSED):
        table.host(Close(anyway=True))
    table.at(5).host(Resume())
    assert table.stage == "night"


def test_3_3_4_twilight_is_paused_too() -> None:
    table = Table({"Ann": "mafia", "Ben": "citizen", "Cat": "citizen"}, ONE)
    for who, whom in (("Ann", "Ben"), ("Ben", "Cat"), ("Cat", "Ann")):
        table.says(who, Vote(whom))
    table.at(1).host(Pause())
    table.at(10).host(Resume())
    assert clock.ends(table.game) == BEGIN + 11 * HOUR


def test_3_3_4_pause_and_resume_belong_together() -> None:
    table = Table()
    with refused(Why.NOT_PAUSED):
        table.host(Resume())
    table.host(Pause())
    with refused(Why.PAUSED):
        table.host(Pause())


def test_1_13_the_host_is_warned_after_three_quiet_days_and_go_on_counts_them_anew() -> None:
    table = Table({"Ann": "mafia", "Flo": "doctor"}, Settings(quiet_draw=4))
    for _ in range(3):
        table.at((table.now - BEGIN) / HOUR)
        table.says("Ann", Vote("Flo"))
        table.says("Flo", Vote("Ann"))
        table.says("Flo", GiveOrder("HEAL", "Flo"))
        table.says("Ann", GiveOrder("KILL", "Flo"))
    assert [event for event in table.log if isinstance(event, events.QuietWarned)] == [events.QuietWarned(BEGIN, 3)]
    table.host(GoOn())
    assert table.game.quiet == 0


def test_the_host_may_end_a_game_that_nobody_won_and_nothing_happens_after_it() -> None:
    table = Table()
    assert table.host(End()) == (events.GameOver(BEGIN, None),)
    with refused(Why.OVER):
        table.says("Ann", Vote("Ben"))
    assert clock.due(table.game) is None


@pytest.mark.parametrize("command", [Close(), SetLimit(HOUR), Extend(HOUR), Pause(), Resume(), GoOn(), Remove("Ben"), End()])
def test_players_give_no_commands_of_the_host(command: Close) -> None:
    with refused(Why.NOT_HOST):
        Table().says("Ann", command)


def test_4_2_an_order_brings_nothing_but_itself_before_the_whole_night_is_resolved() -> None:
    table = Table({"Ann": "mafia", "Kat": "commissar", "Ben": "citizen", "Cat": "citizen"}, Settings(begins="night"))
    assert table.says("Kat", GiveOrder("CHECK", "Ann")) == (events.Ordered(BEGIN, "Kat", "CHECK", "Ann"),)


def test_2_13_last_words_are_for_the_executed_alone() -> None:
    with refused(Why.NOT_EXECUTED):
        Table().says("Ann", SayLastWords("no"))
