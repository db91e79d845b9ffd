"""By mail: a host's and his players' ways into a game and out of it, and the mistakes that are made there."""

from collections.abc import Iterator

import pytest

from mafiamail.game.model import Fate, Stage
from tests.kit import HOST, NAMES, Letter, World, address, new_game
from tests.theatre import fixed_secrets

GAME = "mafia+g1@example.org"
STRANGER = "nobody@example.net"


@pytest.fixture(autouse=True)
def same_deal(request: pytest.FixtureRequest) -> Iterator[None]:
    with fixed_secrets(request.node.name):
        yield


def only(letters: list[Letter], to: str) -> Letter:
    """The one letter that went out, to this reader."""
    assert [letter.to for letter in letters] == [to]
    return letters[0]


# NEW GAME

MISTAKES = [
    ("party = 6\ncolour = red", "colour = red", "composition"),
    ("party 6", "", "party = ‹"),
    ("party = 6\nparty = 7", "party = 7", ""),
    ("party = 99", "party = 99", "unnumbered"),
    ("composition = 3 mafia, plumber, 7 citizens", "plumber", ""),
    ("party = 6\ncomposition = 2 mafia, 5 citizens", "composition", ""),
    ("name = Dacha", "", "party"),
    ("party = 6\ntie = maybe", "tie = maybe", "revote"),
    ("party = 6\nlast_words = soon", "last_words = soon", ""),
    ("party = 6\ntimezone = Moscow", "timezone = Moscow", "Europe/Moscow"),
    ("party = 6\nlanguage = tlh", "language = tlh", "en, ru"),
    ("party = 6\nvariant = three", "variant = three", "two"),
    ("party = 6\nname = [Dacha]", "name = [Dacha]", ""),
    ("composition = 3 mafia, 4 citizens", "", "(1.2)"),
    ("composition = mafia, 3 citizens", "", "(1.1)"),
]


@pytest.mark.parametrize(("lines", "quoted", "allowed"), MISTAKES)
def test_a_mistake_in_new_game_is_named_with_what_is_allowed_and_opens_nothing(lines: str, quoted: str, allowed: str) -> None:
    world = World()
    letter = only(world.mail(HOST, f"NEW GAME\n{lines}"), HOST)
    assert quoted in letter.plain
    assert allowed in letter.plain
    assert not world.store.log.games()


def test_after_a_mistake_the_right_form_opens_the_game() -> None:
    world = World()
    world.mail(HOST, "NEW GAME\nparty = 99")
    letter = only(world.mail(HOST, "НОВАЯ ИГРА\nназвание = Дача\nсостав = 2 мафии, врач, комиссар, 3 мирных жителя\nlanguage = ru"), HOST)
    assert "mafia+g1@example.org" in letter.plain
    assert world.game().composition == (("mafia", 2), ("doctor", 1), ("commissar", 1), ("citizen", 3))


def test_more_mafia_than_a_third_is_taken_when_the_host_insists_1_2() -> None:
    world = World()
    world.mail(HOST, "NEW GAME\ncomposition = 3 mafia, 4 citizens\ninsist = yes")
    assert world.game().phase.stage is Stage.SIGNUP


def test_who_is_no_host_opens_no_game() -> None:
    world = World()
    only(world.mail(STRANGER, "NEW GAME\nparty = 6"), STRANGER)
    assert not world.store.log.games()


def test_another_configured_host_does_not_steer_this_game() -> None:
    world = new_game(World())
    phase = world.game().phase
    world.mail("cohost@example.org", "CLOSE ANYWAY", to=GAME)
    assert world.game().phase == phase


# JOIN


@pytest.mark.parametrize("name", ["Anna", "АNNА", "anna", "«Anna»", "A-n-n-a"])
def test_a_name_that_readers_would_take_for_another_is_not_given_twice_5_2(name: str) -> None:
    world = new_game(World(), started=False)
    world.mail(address("Anna"), "LEAVE", to=GAME)
    world.mail(address("Anna"), "", answering=world.last(address("Anna"), "Do you mean it"))
    world.mail(address("Boris"), "JOIN: Anna\nBoris has changed his mind.", to=GAME)
    only(world.mail(STRANGER, f"JOIN: {name}", to=GAME), STRANGER)
    assert STRANGER not in {person.address for person in world.store.people.of_game(1).values()}


@pytest.mark.parametrize("name", ["", "x" * 41, "mafia07", "VOTE: Anna", "Old: Tom", "!!!"])
def test_a_name_that_cannot_be_a_name_is_refused_kindly_5_2(name: str) -> None:
    world = World()
    world.mail(HOST, "NEW GAME\ncomposition = 2 mafia, 5 citizens")
    only(world.mail(STRANGER, f"JOIN: {name}\nA summer guest.", to=GAME), STRANGER)
    assert not world.game().players


def test_a_description_that_would_be_a_command_when_quoted_is_not_taken() -> None:
    world = World()
    world.mail(HOST, "NEW GAME\ncomposition = 2 mafia, 5 citizens")
    letters = world.mail(STRANGER, "JOIN: Tom\nHe always says: my VOTE: Anna", to=GAME)
    assert not any("VOTE: Anna" in letter.plain for letter in letters if letter.to == HOST)
    assert not any(player.description for player in world.game().players.values())


def test_a_host_does_not_play_in_his_own_game() -> None:
    world = World()
    world.mail(HOST, "NEW GAME\ncomposition = 2 mafia, 5 citizens")
    world.mail(HOST, "JOIN: Tom", to=GAME)
    assert not world.game().players


def test_nobody_joins_a_full_game_or_a_running_one() -> None:
    world = new_game(World(), started=False)
    only(world.mail(STRANGER, "JOIN: Zoe", to=GAME), STRANGER)
    world.mail(HOST, "START", to=GAME)
    only(world.mail(STRANGER, "JOIN: Zoe", to=GAME), STRANGER)
    assert len(world.game().players) == 7
    assert "Zoe" not in {player.character for player in world.game().players.values()}


def test_who_joins_again_changes_his_character_5_1() -> None:
    world = new_game(World(), started=False)
    world.mail(address("Anna"), "JOIN: Duchess\nCame for one summer.", to=GAME)
    assert len(world.game().players) == 7
    assert world.player("Duchess").description == "Came for one summer."


def test_join_without_a_game_or_with_two_says_so() -> None:
    world = World()
    only(world.mail(STRANGER, "JOIN: Zoe"), STRANGER)
    new_game(world, started=False)
    new_game(world, started=False)
    letter = only(world.mail(STRANGER, "JOIN: Zoe"), STRANGER)
    assert "1 (Dacha)" in letter.plain
    assert "2 (Dacha)" in letter.plain


def test_a_stranger_is_told_once_a_day_how_to_join() -> None:
    world = new_game(World(), started=False)
    letter = only(world.mail(STRANGER, "Good evening. What is this?"), STRANGER)
    assert "JOIN: ‹" in letter.plain
    assert world.mail(STRANGER, "And what is it now?") == []
    world.at = world.at.replace(day=world.at.day + 2)
    assert len(world.mail(STRANGER, "And now?")) == 1


# START


def test_start_needs_exactly_as_many_players_as_the_composition() -> None:
    world = World()
    world.mail(HOST, "NEW GAME\ncomposition = 2 mafia, doctor, commissar, 3 citizens")
    for name in NAMES[:6]:
        world.mail(address(name), f"JOIN: {name}", to=GAME)
    letter = only(world.mail(HOST, "START", to=GAME), HOST)
    assert "6" in letter.plain
    assert "7" in letter.plain
    assert world.stage() is Stage.SIGNUP
    world.mail(address(NAMES[6]), f"JOIN: {NAMES[6]}", to=GAME)
    world.mail(HOST, "START", to=GAME)
    assert world.stage() is Stage.DAY


def test_start_by_a_player_and_start_twice_do_nothing() -> None:
    world = new_game(World(), started=False)
    world.say("Anna", "START")
    assert world.stage() is Stage.SIGNUP
    world.mail(HOST, "START", to=GAME)
    roles = [world.player(name).role for name in NAMES[:7]]
    only(world.mail(HOST, "START", to=GAME), HOST)
    assert [world.player(name).role for name in NAMES[:7]] == roles


# what cannot be taken back


def test_leave_by_itself_does_nothing_until_its_letter_is_answered_3_3_2() -> None:
    world = new_game(World())
    before = world.game()
    letters = world.say("Anna", "LEAVE")
    assert {letter.to for letter in letters} == {address("Anna")}
    world.say("Anna", "LEAVE")
    assert world.game() == before
    world.mail(address("Anna"), "", answering=world.last(address("Anna"), "Do you mean it"))
    assert world.player("Anna").leaving is Fate.LEFT
    assert world.player("Anna").alive
    world.execute("Boris")
    world.skip_words()
    assert world.player("Anna").fate is Fate.LEFT


def test_the_answer_to_a_receipt_is_no_confirmation() -> None:
    world = new_game(World())
    letters = world.say("Anna", "LEAVE")
    receipts = [letter for letter in letters if "Do you mean it" not in letter.text]
    for receipt in receipts:
        world.mail(address("Anna"), "Yes, I do.", answering=receipt)
    assert receipts
    assert world.player("Anna").leaving is None


def test_before_the_start_who_leaves_is_gone_and_may_come_back() -> None:
    world = new_game(World(), started=False)
    letters = world.say("Anna", "ВЫХОЖУ ИЗ ИГРЫ")
    world.mail(address("Anna"), "", answering=next(letter for letter in letters if "Do you mean it" in letter.text))
    assert len(world.game().players) == 6
    world.mail(address("Anna"), "JOIN: Anna", to=GAME)
    assert len(world.game().players) == 7


def test_a_confirmation_counts_from_its_own_address_only_and_once() -> None:
    world = new_game(World())
    letters = world.say("Anna", "LEAVE")
    confirmation = next(letter for letter in letters if "Do you mean it" in letter.text)
    assert {letter.to for letter in world.mail(address("Boris"), "", answering=confirmation)} <= {HOST}
    assert world.player("Anna").leaving is None
    world.mail(address("Anna"), "", answering=confirmation)
    log = world.store.log.events(1)
    world.mail(address("Anna"), "", answering=confirmation)
    assert world.store.log.events(1) == log


def test_end_takes_effect_when_its_letter_is_answered() -> None:
    world = new_game(World())
    world.say("Anna", "END")
    letters = world.mail(HOST, "END", to=GAME)
    assert {letter.to for letter in letters} == {HOST}
    assert world.stage() is Stage.DAY
    letters = world.mail(HOST, "", answering=next(letter for letter in letters if "Do you mean it" in letter.text))
    assert world.stage() is Stage.OVER
    assert world.game().winner is None
    assert {letter.to for letter in letters} == {HOST, *map(address, NAMES[:7])}


# the host in a running game


def test_close_is_refused_with_the_earliest_time_and_close_anyway_closes_3_3_3() -> None:
    world = new_game(World())
    letter = only(world.mail(HOST, "CLOSE", to=GAME), HOST)
    assert "(3.2.2)" in letter.plain
    assert "Wed 13 May, 21:00 MSK" in letter.plain
    world.mail(HOST, "CLOSE ANYWAY", to=GAME)
    assert world.stage() is Stage.NIGHT


def test_an_announcement_goes_to_every_player_and_nothing_else_does() -> None:
    world = new_game(World())
    letters = world.mail(HOST, "ANNOUNCE: The river has risen.\nStay indoors.", to=GAME)
    told = {letter.to for letter in letters if "The river has risen." in letter.text and "Stay indoors." in letter.text}
    assert told >= set(map(address, NAMES[:7]))
    assert world.stage() is Stage.DAY


def test_the_host_sees_who_is_missing_and_no_order_in_his_status() -> None:
    world = new_game(World())
    world.execute("Boris")
    world.skip_words()
    doctor = world.with_role("doctor")[0]
    if world.player(doctor).alive:
        world.say(doctor, f"HEAL: {doctor}")
    letter = only(world.mail(HOST, "STATUS", to=GAME), HOST)
    assert "HEAL" not in letter.plain


# several commands in one mail


def test_after_the_first_command_that_fails_the_rest_is_not_obeyed_and_one_receipt_says_so() -> None:
    world = new_game(World())
    letter = only(world.say("Anna", "VOTE: Boris\nVOTE: Clara\nSAY: I am done with voting."), address("Anna"))
    ballots = world.game().ballots
    assert [world.game().players[ballot.whom].character for ballot in ballots.values()] == ["Boris"]
    assert "Boris" in letter.plain
    assert "(3.2.1)" in letter.plain
    assert "I am done with voting." in letter.plain
    assert not any("I am done with voting." in other.text for other in world.to(address("Boris")))


def test_a_near_command_fails_like_a_command() -> None:
    world = new_game(World())
    letter = only(world.say("Anna", "VTOE: Boris\nSAY: Good morning."), address("Anna"))
    assert not world.game().ballots
    assert "VOTE: ‹" in letter.plain
    assert not any("Good morning." in other.text for other in world.to(address("Boris")))


def test_public_words_and_an_order_in_one_mail_publish_nothing() -> None:
    world = new_game(World())
    letter = only(world.say("Anna", "SAY: I am a doctor.\nHEAL: Boris"), address("Anna"))
    assert "two letters" in letter.plain
    assert not any("I am a doctor." in other.text for other in world.to(address("Boris")))
