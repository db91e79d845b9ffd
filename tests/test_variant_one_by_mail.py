"""Section 3.1 to the letter, and the chat variant (3.4), in games by mail under a fixed clock. Hours are those of the Day."""

from datetime import timedelta

import pytest

from mafiamail.game.events import PhaseBegan, VoteClosed
from mafiamail.game.model import Fate, Stage
from tests.kit import HOST, NAMES, World, address, new_game

GAME = "mafia+g1@example.org"
SEVEN = "2 mafia, doctor, commissar, 3 citizens"
PLAYERS = NAMES[:7]
HOUR = timedelta(hours=1)


class OneDay:
    """The first Day of a game in variant one. `at(hours)` lives every moment on the way."""

    def __init__(self, lines: str = "", variant: str = "one", unit: timedelta = HOUR) -> None:
        self.unit = unit
        self.world = new_game(World(), SEVEN, lines=f"variant = {variant}\n{lines}")
        self.began = self.world.game().phase.began

    def at(self, hours: float) -> "OneDay":
        """Waits until that hour; what was due before it has happened by then."""
        while self.world.at < self.began + hours * self.unit:
            self.world.at = min(self.world.at + self.unit / 4, self.began + hours * self.unit)
            self.world.daemon.round()
        return self

    def vote(self, who: str, whom: str) -> str:
        return self.world.say(who, f"VOTE: {whom}")[0].text

    def all_but(self, late: str = "Greta") -> "OneDay":
        for who in PLAYERS:
            if who != late:
                self.vote(who, "Anna" if who != "Anna" else "Boris")
        return self

    def host(self, text: str) -> str:
        return self.world.mail(HOST, text, to=GAME)[0].text

    def closed(self) -> tuple[float, str] | None:
        """The hour at which the vote closed, and why."""
        close = next((event for event in self.world.store.log.events(1) if isinstance(event, VoteClosed)), None)
        return None if close is None else ((close.at - self.began) / self.unit, close.why)

    def letters(self, saying: str) -> list[str]:
        return [letter.to for letter in self.world.letters() if saying in letter.text]


def test_3_1_3_the_last_vote_at_hour_14_closes_the_day_at_16() -> None:
    day = OneDay().at(10).all_but().at(14)
    day.vote("Greta", "Anna")
    assert day.at(30).closed() == (16, "twilight")
    assert len(day.letters("twilight has begun (3.1.3)")) == 8


def test_3_1_4_a_change_at_15_closes_it_at_19() -> None:
    day = OneDay().at(10).all_but().at(14)
    day.vote("Greta", "Anna")
    day.at(15).vote("Greta", "Boris")
    assert day.at(30).closed() == (19, "extra time")
    assert len(day.letters("extra time has begun (3.1.4)")) == 8


def test_3_1_3_a_limit_announced_at_20_for_24_and_the_last_vote_at_23_close_it_at_24() -> None:
    day = OneDay().at(10).all_but().at(20)
    assert "the vote closes at the latest" in day.host("LIMIT: 24h")
    day.at(23).vote("Greta", "Anna")
    assert day.at(30).closed() == (24, "twilight")
    assert len(day.letters("The host has set a limit for this Day.")) == 8


def test_3_1_4_with_a_change_at_23_30_it_closes_at_27_30() -> None:
    day = OneDay().at(10).all_but().at(20)
    day.host("LIMIT: 24h")
    day.at(23).vote("Greta", "Anna")
    day.at(23.5).vote("Greta", "Boris")
    assert day.at(40).closed() == (27.5, "extra time")


def test_3_1_4_later_changes_do_not_extend_it_again_and_a_new_limit_is_refused() -> None:
    day = OneDay().at(10).all_but().at(14)
    day.vote("Greta", "Anna")
    day.at(15).vote("Greta", "Boris")
    day.at(18).vote("Greta", "Clara")
    assert "Extra time is running, and the limit of the host no longer holds (3.1.4)" in day.host("LIMIT: 40h")
    assert day.at(30).closed() == (19, "extra time")


@pytest.mark.parametrize(
    ("hour", "limit", "earliest"),
    [(1, "23h", "Tue 12 May, 21:00 MSK"), (21, "24h", "Tue 12 May, 22:00 MSK"), (30, "33h", "Wed 13 May, 07:00 MSK")],
)
def test_3_1_2_a_limit_too_early_is_refused_with_the_earliest_time_allowed(hour: int, limit: str, earliest: str) -> None:
    told = OneDay().at(hour).host(f"LIMIT: {limit}")
    assert f"The earliest moment for it is {earliest}" in told
    assert "(3.1.2)" in told


def test_3_1_2_the_earliest_limit_itself_is_allowed() -> None:
    day = OneDay().at(20)
    day.host("LIMIT: 24h")
    assert day.at(30).closed() == (24, "host limit")


def test_3_1_2_day_limit_is_announced_with_each_day_by_itself() -> None:
    day = OneDay("day_limit = 36h")
    letters = day.letters("Day 1 lasts until all have voted and twilight is over, at the latest Wed 13 May, 09:00 MSK")
    assert len(letters) == 8
    assert day.letters("The host has set a limit for this Day.") == []
    assert day.at(40).closed() == (36, "host limit")


def test_3_1_2_without_a_limit_the_host_is_reminded_each_day_that_only_he_can_end_this_day() -> None:
    day = OneDay().all_but().at(73)
    assert day.letters("In this game only you can end the Day") == [HOST] * 3
    assert day.closed() is None


def test_3_1_5_a_vote_at_the_very_moment_of_the_close_is_too_late() -> None:
    day = OneDay().at(10).all_but("Greta").at(20)
    day.host("LIMIT: 24h")
    day.at(23.75)
    day.world.at = day.began + 24 * HOUR
    assert "after the close (3.1.5)" in day.vote("Greta", "Boris")
    assert day.closed() == (24, "host limit")


def test_3_1_6_who_did_not_vote_has_skipped_the_day_and_is_named() -> None:
    day = OneDay().at(10).all_but("Greta")
    day.host("LIMIT: 24h")
    day.at(25)
    assert len(day.letters("Without a vote: Greta.")) == 8


def test_3_1_7_from_whom_nothing_came_for_two_whole_game_days_is_removed_at_the_start_of_a_phase() -> None:
    day = OneDay("day_limit = 24h\nnight_limit = 12h\nlast_words = 0\nquiet_draw = 0")
    world = day.world
    for _ in range(4):  # Day 1, Night 1, Day 2, Night 2
        for name in PLAYERS:
            if name != "Greta" and world.player(name).alive:
                world.say(name, "STATUS")
        assert world.player("Greta").alive
        number, stage = world.game().phase.number, world.stage()
        while (world.game().phase.number, world.stage()) == (number, stage):
            world.wait(hours=1)
    assert world.player("Greta").fate is Fate.ABSENT
    assert [name for name in PLAYERS if world.player(name).fate is Fate.ABSENT] == ["Greta"]
    began = [event.at for event in world.store.log.events(1) if isinstance(event, PhaseBegan)]
    assert next(event.at for event in world.store.log.events(1) if type(event).__name__ == "Removed") in began


def test_3_1_8_a_night_lasts_until_all_orders_are_in_and_the_family_agrees() -> None:
    world = new_game(World(), SEVEN, lines="variant = one\nbegins = night")
    first, second = world.with_role("mafia")
    victim = world.with_role("citizen")[0]
    for name in (*world.with_role("doctor"), *world.with_role("commissar")):
        world.say(name, "PASS")
    world.say(first, f"KILL: {victim}")
    world.say(second, "PASS")
    assert world.stage() is Stage.NIGHT
    world.wait(hours=1)
    world.say(second, f"KILL: {victim}")
    assert world.stage() is Stage.DAY


def test_3_1_8_a_night_lasts_at_most_as_long_as_night_limit() -> None:
    world = new_game(World(), SEVEN, lines="variant = one\nbegins = night\nnight_limit = 30h")
    world.wait(hours=29, minutes=59)
    assert world.stage() is Stage.NIGHT
    world.wait(minutes=1)
    assert world.stage() is Stage.DAY


def test_3_1_1_intervals_of_the_games_own_are_announced_and_hold() -> None:
    day = OneDay("twilight = 30m\nextra_time = 1h").at(10).all_but().at(14)
    assert "twilight = 30m" in day.world.last(address("Anna"), "Your role").text
    day.vote("Greta", "Anna")
    assert day.at(20).closed() == (14.5, "twilight")


def test_3_4_the_chat_variant_counts_minutes_where_the_others_count_hours() -> None:
    day = OneDay(variant="chat", unit=timedelta(minutes=1)).at(10).all_but().at(14)
    day.vote("Greta", "Anna")
    day.at(15).vote("Greta", "Boris")
    assert day.at(25).closed() == (19, "extra time")


def test_3_4_in_the_chat_variant_the_mafia_sends_one_name() -> None:
    world = new_game(World(), SEVEN, lines="variant = chat\nbegins = night")
    victim = world.with_role("citizen")[0]
    for name in (*world.with_role("doctor"), *world.with_role("commissar")):
        world.say(name, "PASS")
    world.say(world.with_role("mafia")[1], f"KILL: {victim}")
    assert world.stage() is Stage.DAY
    assert not world.player(victim).alive
