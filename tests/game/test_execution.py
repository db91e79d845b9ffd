"""The executed player's last words and the commissar's pistol (2.13)."""

from datetime import timedelta

import pytest

from mafiamail.game import clock, events
from mafiamail.game.commands import Close, Command, GiveOrder, Pause, Resume, SayLastWords, Shoot, Vote
from mafiamail.game.model import Settings, Stage
from mafiamail.game.refusal import Refused, Why
from tests.game.table import BEGIN, Table

HOUR = timedelta(hours=1)
PEOPLE = {"Ann": "mafia", "Kat": "commissar", "Ben": "citizen", "Cat": "citizen", "Dan": "citizen"}


def executed(whom: str = "Kat", settings: Settings | None = None) -> Table:
    """Everybody else has voted for `whom`, at hour 0."""
    table = Table(PEOPLE, settings)
    for who in PEOPLE:
        if who != whom and table.stage is Stage.DAY:
            table.says(who, Vote(whom))
    return table


@pytest.mark.parametrize("whom", ["Kat", "Ben"])
def test_2_13_the_window_opens_for_every_executed_player_alike(whom: str) -> None:
    table = executed(whom)
    assert table.stage is Stage.LAST_WORDS
    assert table.game.speaking == {whom}
    assert clock.ends(table.game) == BEGIN + 2 * HOUR
    assert table.at(2).stage is Stage.NIGHT


def test_2_13_last_words_end_the_window_and_the_night_begins() -> None:
    table = executed("Ben").at(1)
    table.says("Ben", SayLastWords("it was Ann"))
    assert table.at(1.01).stage is Stage.NIGHT
    assert table.game.phase.began == BEGIN + HOUR + clock.JUST_AFTER


def test_2_13_a_shot_kills_at_once_and_ends_the_window() -> None:
    table = executed().at(1)
    assert table.says("Kat", Shoot("Ben")) == (events.Shot(BEGIN + HOUR, "Kat", "Ben"),)
    assert not table.game.players["Ben"].alive
    assert table.at(1.01).stage is Stage.NIGHT


@pytest.mark.parametrize("words_first", [True, False])
def test_2_13_last_words_and_a_shot_may_come_together_in_either_order(words_first: bool) -> None:
    table = executed().at(1)
    together: list[Command] = [SayLastWords("so be it"), Shoot("Ben")]
    for command in together if words_first else reversed(together):
        table.says("Kat", command)
    assert len(table.happened(events.Spoke)) == len(table.happened(events.Shot)) == 1


def test_2_13_after_his_last_words_a_later_shot_is_too_late() -> None:
    table = executed(settings=Settings(tie="all"))
    table.says("Kat", SayLastWords("so be it"))
    with pytest.raises(Refused, match=Why.DEAD.value):
        table.at(0.1).says("Kat", Shoot("Ben"))


def test_2_13_he_shoots_once() -> None:
    table = executed()
    table.says("Kat", Shoot("Ben"))
    with pytest.raises(Refused, match=Why.DEAD.value):
        table.says("Kat", Shoot("Cat"))


def test_2_13_a_standing_shot_fires_at_once_and_there_is_no_pause() -> None:
    table = Table(PEOPLE)
    table.says("Kat", Shoot("Cat"))
    table.says("Kat", Shoot("Ben"))
    for who in ("Ann", "Ben", "Cat", "Dan"):
        if table.stage is Stage.DAY:
            table.says(who, Vote("Kat"))
    kinds = [type(event) for event in table.log[-3:]]
    assert kinds == [events.VoteClosed, events.Shot, events.PhaseBegan]
    assert table.stage is Stage.NIGHT
    assert not table.game.players["Ben"].alive


def test_2_13_a_standing_shot_at_one_who_has_died_is_void_and_the_window_opens() -> None:
    table = Table(PEOPLE, Settings(begins="night"))
    table.says("Kat", Shoot("Ben"))
    table.says("Kat", GiveOrder("PASS", None))
    table.says("Ann", GiveOrder("KILL", "Ben"))
    for who in ("Ann", "Cat", "Dan"):
        table.says(who, Vote("Kat"))
    assert table.stage is Stage.LAST_WORDS
    assert table.game.speaking == {"Kat"}


def test_2_13_no_window_when_the_death_ends_the_game() -> None:
    table = executed("Ann")
    assert table.stage is Stage.OVER
    assert table.game.winner == "town"


def test_2_13_a_pistol_has_its_window_even_when_the_death_would_end_the_game() -> None:
    table = Table({"Ann": "mafia", "Kat": "commissar", "Bob": "mafia"})
    for who in ("Ann", "Bob"):
        table.says(who, Vote("Kat"))
    assert table.stage is Stage.LAST_WORDS
    assert table.at(3).game.winner == "mafia"


def test_2_13_without_windows_the_night_begins_at_once() -> None:
    assert executed("Ben", Settings(last_words=timedelta())).stage is Stage.NIGHT


def test_2_13_each_of_those_executed_together_has_his_own_window() -> None:
    table = Table(PEOPLE, Settings(tie="all"))
    for who, whom in (("Ann", "Kat"), ("Kat", "Ben"), ("Ben", "Kat"), ("Cat", "Ben"), ("Dan", "Ann")):
        table.says(who, Vote(whom))
    assert table.game.speaking == {"Kat", "Ben"}
    with pytest.raises(Refused, match=Why.TARGET_DEAD.value):
        table.says("Kat", Shoot("Ben"))
    table.at(1).says("Ben", SayLastWords("farewell"))
    assert table.at(1.5).stage is Stage.LAST_WORDS
    table.says("Kat", Shoot("Ann"))
    assert table.at(1.6).game.winner == "town"


def test_2_13_from_a_player_without_a_pistol_shoot_is_refused_at_any_time() -> None:
    table = Table(PEOPLE)
    with pytest.raises(Refused, match=Why.NO_PISTOL.value):
        table.says("Ben", Shoot("Ann"))
    with pytest.raises(Refused, match=Why.NO_PISTOL.value):
        executed("Ben").says("Ben", Shoot("Ann"))


def test_2_13_in_the_window_only_the_executed_may_write() -> None:
    table = executed("Ben")
    with pytest.raises(Refused, match=Why.TOO_LATE.value):
        table.says("Ann", Vote("Cat"))
    with pytest.raises(Refused, match=Why.NOT_EXECUTED.value):
        table.says("Ann", SayLastWords("me too"))


def test_2_13_the_host_may_cut_the_window_short() -> None:
    table = executed("Ben")
    with pytest.raises(Refused, match=Why.TOO_EARLY.value):
        table.host(Close())
    table.host(Close(anyway=True))
    assert table.stage is Stage.NIGHT


def test_3_3_4_last_words_said_in_a_pause_end_the_window_at_its_end() -> None:
    table = executed("Ben")
    table.host(Pause())
    table.at(1).says("Ben", SayLastWords("it was Ann"))
    assert table.at(5).stage is Stage.LAST_WORDS
    table.host(Resume())
    assert table.stage is Stage.NIGHT
    assert table.game.phase.began == BEGIN + 5 * HOUR


def test_3_2_3_who_was_silent_goes_after_the_window() -> None:
    table = Table(PEOPLE, Settings(absence=1))
    for who in ("Ann", "Kat"):
        table.says(who, Vote("Ben"))
    table.at(49)
    assert table.stage is Stage.LAST_WORDS
    table.at(51)
    assert [event.who for event in table.happened(events.Removed)] == ["Cat", "Dan"]
