"""What a host asks by mail beside the play itself: settings, limits, proposals, the log, and UNDO."""

from datetime import UTC, datetime, timedelta

import pytest

from mafiamail.game.evolve import fold
from mafiamail.game.model import Stage
from mafiamail.game.undo import stands
from tests.kit import BEGIN, HOST, NAMES, World, address, new_game

SIX = "2 mafia, doctor, commissar, 3 citizens"
GAME = "mafia+g1@example.org"


def host(world: World, text: str) -> str:
    """What the host is told in answer."""
    return world.mail(HOST, text, to=GAME)[0].text


def voted(world: World, *votes: tuple[str, str]) -> None:
    for who, whom in votes:
        world.wait(minutes=1)
        world.say(who, f"VOTE: {whom}")


# SET


def test_3_1_1_a_setting_is_changed_before_the_start_and_all_who_have_joined_are_told() -> None:
    world = new_game(World(), SIX, started=False)
    letters = world.mail(HOST, "SET: tie = random", to=GAME)
    assert world.game().settings.tie == "random"
    assert "tie = random" in letters[0].text
    assert {letter.to for letter in letters[1:]} == {address(name) for name in NAMES[:7]}
    assert "tie = random (on a tie a lot decides)" in letters[1].text


def test_3_1_1_after_the_start_no_setting_is_changed() -> None:
    world = new_game(World(), SIX)
    assert "The game has begun already (3.1.1)" in host(world, "SET: tie = random")
    assert world.game().settings.tie == "nobody"


def test_4_1_a_setting_that_was_changed_is_announced_at_the_start() -> None:
    world = new_game(World(), SIX, started=False)
    host(world, "SET: last_words = 0")
    host(world, "START")
    assert "last_words = 0" in world.last(address("Anna"), "Your role").text


def test_3_4_another_variant_brings_its_own_defaults() -> None:
    world = new_game(World(), SIX, started=False)
    host(world, "НАСТРОЙКА: вариант = chat")
    assert world.game().settings.twilight == timedelta(minutes=2)
    assert world.game().settings.family_orders == "last"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("SET: tie = perhaps", "Not a value of tie; possible: nobody, revote, random, all"),
        ("SET: colour = red", "There is no such setting; possible: variant, begins, tie"),
        ("SET: tie random", "a name, an equals sign and a value"),
    ],
)
def test_what_is_no_setting_is_refused_with_what_is_possible(line: str, said: str) -> None:
    assert said in host(new_game(World(), SIX, started=False), line)


# NEW GAME


def test_4_4_only_a_number_of_players_proposes_the_recorded_parties_and_opens_nothing() -> None:
    world = World()
    letter = world.mail(HOST, "NEW GAME\nname = Dacha\nplayers = 14")[0]
    assert "party = 6  3 mafia, doctor, Commissar Cattani, priest, maniac, 7 citizens (played again as 10, 18, 19)" in letter.text
    assert "party = 12" in letter.text
    assert world.store.log.games() == []


def test_4_4_where_nothing_was_recorded_the_possible_numbers_are_told() -> None:
    letter = World().mail(HOST, "НОВАЯ ИГРА\nигроков = 8")[0]
    assert "9, 11, 12, 13, 14, 15, 16, 17, 19" in letter.text


def test_a_number_of_players_that_does_not_fit_the_composition_is_refused() -> None:
    assert "places for 7 players" in World().mail(HOST, f"NEW GAME\nplayers = 8\ncomposition = {SIX}")[0].text


@pytest.mark.parametrize(("composition", "rule"), [("mafia, 3 citizens", "(1.1)"), ("3 mafia, 3 citizens", "(1.2)")])
def test_1_1_and_1_2_a_refused_composition_tells_how_to_insist(composition: str, rule: str) -> None:
    world = World()
    refused = world.mail(HOST, f"NEW GAME\ncomposition = {composition}")[0].text
    assert rule in refused
    assert "insist = yes" in refused
    assert world.store.log.games() == []
    world.mail(HOST, f"NEW GAME\ncomposition = {composition}\ninsist = yes")
    assert world.store.log.games() == [1]


# LIMIT


LIMITS = [
    ("36h", BEGIN + timedelta(hours=36)),
    ("13 May 21:00", datetime(2026, 5, 13, 18, tzinfo=UTC)),
    ("13.05 21:00", datetime(2026, 5, 13, 18, tzinfo=UTC)),
    ("13.05.2026, 21:00", datetime(2026, 5, 13, 18, tzinfo=UTC)),
    ("2026-05-13 21:00", datetime(2026, 5, 13, 18, tzinfo=UTC)),
    ("2026-05-13T21:00", datetime(2026, 5, 13, 18, tzinfo=UTC)),
    ("13 мая 21:00", datetime(2026, 5, 13, 18, tzinfo=UTC)),
    ("ср 13 мая в 21:00", datetime(2026, 5, 13, 18, tzinfo=UTC)),
    ("Wed 13 May, 21:00 MSK", datetime(2026, 5, 13, 18, tzinfo=UTC)),
    ("May 13 21:00", datetime(2026, 5, 13, 18, tzinfo=UTC)),
]


@pytest.mark.parametrize(("written", "closes"), LIMITS)
def test_3_3_3_a_limit_is_a_length_from_the_beginning_of_the_day_or_a_moment_in_the_games_zone(written: str, closes: datetime) -> None:
    world = new_game(World(), SIX, lines="variant = one")
    letters = world.mail(HOST, f"LIMIT: {written}", to=GAME)
    game = world.game()
    assert game.limit is not None
    assert game.phase.began + game.limit == closes
    assert "MSK" in letters[0].text
    assert "The host has set a limit for this Day." in letters[1].text


@pytest.mark.parametrize("written", ["tomorrow", "31 February 12:00", "25:00", "36", "13 Floréal 21:00"])
def test_what_is_no_limit_is_asked_about(written: str) -> None:
    assert "A limit is a length from the beginning of the Day" in host(new_game(World(), SIX, lines="variant = one"), f"LIMIT: {written}")


def test_a_limit_across_daylight_saving_falls_on_the_clock_of_the_zone() -> None:
    world = World(at=datetime(2026, 3, 28, 18, tzinfo=UTC))
    new_game(world, SIX, lines="variant = one\ntimezone = Europe/Berlin")
    host(world, "LIMIT: 29 March 22:00")
    assert world.game().phase.began + (world.game().limit or timedelta()) == datetime(2026, 3, 29, 20, tzinfo=UTC)


# LOG


def test_the_log_tells_the_host_alone_who_wanted_what_and_why() -> None:
    world = new_game(World(), SIX, lines="begins = night")
    doctor = world.with_role("doctor")[0]
    world.say(doctor, f"HEAL: {doctor}")
    assert "Nothing has come to its end yet." in host(world, "LOG")
    world.until_the_end_of_the_phase()
    told = host(world, "ЖУРНАЛ")
    assert f"heals → {doctor}" in told
    assert "(2.3)" in told
    assert "(2.8)" in told
    assert "heals" not in world.say(doctor, "LOG")[0].text


def test_1_8_the_log_tells_why_a_day_closed_and_what_became_of_a_tie() -> None:
    world = new_game(World(), SIX)
    around = dict(zip(NAMES[:7], (*NAMES[1:7], NAMES[0]), strict=True))
    voted(world, *around.items())
    told = host(world, "LOG")
    assert "Day 1: everybody has voted (3.2.2). Nobody was executed." in told
    assert "On a tie nobody is executed (1.8)." in told


# UNDO


def test_undo_takes_back_the_last_vote_and_the_game_stands_still() -> None:
    world = new_game(World(), SIX, lines="variant = one")
    voted(world, ("Anna", "Boris"), ("Boris", "Clara"))
    letters = world.mail(HOST, "UNDO", to=GAME)
    assert "a vote – Boris → Clara" in letters[0].text
    assert "RESUME" in letters[0].text
    assert "Anna" in letters[0].text
    assert list(world.game().ballots) == [world.player("Anna").who]
    assert world.game().paused is not None
    assert {letter.to for letter in letters[1:]} == {HOST, *(address(name) for name in NAMES[:7])}
    assert all("The host has taken something back" in letter.text for letter in letters[1:])


def test_undo_takes_back_all_that_a_word_of_the_host_brought() -> None:
    world = new_game(World(), SIX)
    voted(world, ("Anna", "Boris"))
    host(world, "CLOSE ANYWAY")
    assert world.stage() is Stage.LAST_WORDS
    told = host(world, "ОТМЕНИТЬ")
    assert "the close of the vote, with its result" in told
    assert world.stage() is Stage.DAY
    assert world.player("Boris").alive
    assert len(world.game().ballots) == 1


def test_undo_of_several_and_undo_again_go_on_back() -> None:
    world = new_game(World(), SIX)
    voted(world, ("Anna", "Boris"), ("Boris", "Clara"), ("Clara", "Dmitri"), ("Dmitri", "Anna"))
    host(world, "UNDO: 2")
    assert len(world.game().ballots) == 2
    host(world, "UNDO")
    assert len(world.game().ballots) == 1
    host(world, "UNDO: 99")
    assert world.stage() is Stage.DAY  # the deal stands: the same seal must not deal twice
    assert len(world.game().ballots) == 0
    assert "nothing that could be taken back" in host(world, "UNDO")


def test_undo_of_the_undo_puts_everything_back() -> None:
    world = new_game(World(), SIX)
    voted(world, ("Anna", "Boris"), ("Boris", "Clara"))
    before = world.game()
    host(world, "UNDO: 2")
    letters = world.mail(HOST, "UNDO: UNDO", to=GAME)
    assert "What you had taken back counts again" in letters[0].text
    assert "The host has put back what had been taken back" in letters[1].text
    assert world.game().but(now=before.now) == before
    assert "nothing that could be taken back" in host(world, "UNDO: UNDO")


def test_after_undo_the_game_goes_on_with_the_time_that_was_left() -> None:
    world = new_game(World(), SIX)
    world.wait(hours=40)
    voted(world, ("Anna", "Boris"))
    began = world.game().phase.began
    world.wait(hours=20)
    assert world.stage() is not Stage.DAY
    host(world, "UNDO: 3")
    world.wait(hours=100)
    assert world.stage() is Stage.DAY
    host(world, "RESUME")
    assert timedelta(hours=119) < world.game().phase.began - began < timedelta(hours=121)
    world.wait(hours=7)
    assert world.stage() is Stage.DAY
    world.wait(hours=2)
    assert world.stage() is not Stage.DAY


def test_a_restarted_daemon_reads_a_log_with_an_undo_as_the_running_one_did() -> None:
    world = new_game(World(), SIX)
    voted(world, ("Anna", "Boris"), ("Boris", "Clara"))
    host(world, "UNDO")
    host(world, "RESUME")
    voted(world, ("Clara", "Anna"))
    log = world.store.log.events(1)
    assert fold(log) == fold(stands(log)) == world.game()


def test_the_end_of_a_game_can_be_taken_back() -> None:
    world = new_game(World(), SIX)
    confirm = world.mail(HOST, "END", to=GAME)
    world.mail(HOST, "", answering=next(letter for letter in confirm if "Do you mean it?" in letter.text))
    assert world.stage() is Stage.OVER
    world.mail(HOST, "UNDO", answering=world.to(HOST)[-1])
    assert world.stage() is Stage.DAY
    assert world.store.log.open_games() == [1]


@pytest.mark.parametrize("written", ["UNDO: all", "UNDO: 0", "UNDO: -1", "UNDO: 5000"])
def test_what_is_no_number_is_asked_about(written: str) -> None:
    assert "Possible are: 1, 2, 3, …" in host(new_game(World(), SIX), written)


def test_a_sign_of_life_does_not_keep_an_undo_from_being_put_back() -> None:
    world = new_game(World(), SIX, lines="variant = one")
    voted(world, ("Anna", "Boris"))
    host(world, "UNDO")
    world.say("Clara", "STATUS")
    host(world, "UNDO: UNDO")
    assert len(world.game().ballots) == 1


# JOIN again


def test_5_1_who_joins_again_before_the_start_is_somebody_else() -> None:
    world = new_game(World(), SIX, started=False)
    digest = world.player("Anna").digest
    answer = world.mail(address("Anna"), "JOIN: Marmalade Cat\nSleeps on the stove.", to=GAME)[0]
    assert "Your character is now: Marmalade Cat." in answer.text
    assert len(world.game().players) == 7
    assert world.player("Marmalade Cat").digest == digest
    assert world.player("Marmalade Cat").description == "Sleeps on the stove."


@pytest.mark.parametrize("name", ["Anna", "аnnа", "Annа", "Ana", "Анна Anna", "Fyodorr"])
def test_5_2_a_name_that_could_be_mistaken_for_another_is_refused(name: str) -> None:
    world = new_game(World(), SIX, started=False)
    answer = world.mail(address("Boris"), f"JOIN: {name}", to=GAME)[0]
    if name == "Анна Anna":
        assert world.player(name)
        return
    assert "of one too much like it" in answer.text
    assert world.player("Boris")


@pytest.mark.parametrize("name", ["Лечить", "Heal", "STATUS", "Пас", "VОТЕ"])
def test_5_2_a_name_that_is_a_keyword_is_refused(name: str) -> None:
    world = new_game(World(), SIX, started=False)
    world.mail(address("Boris"), f"JOIN: {name}", to=GAME)
    assert world.player("Boris")
