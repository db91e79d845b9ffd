"""CO-HOST: one more host of a game, once the new address has agreed; and how that is taken back."""

import pytest

from mafiamail.game.model import Stage
from tests.kit import HOST, Letter, World, address, new_game
from tests.test_loops import bounce

SEVEN = "2 mafia, doctor, commissar, 3 citizens"
GAME = "mafia+g1@example.org"
FRIEND = "friend@example.net"
ASKED = "You are asked to host a game"


def host(world: World, text: str) -> Letter:
    return world.mail(HOST, text, to=GAME)[0]


def with_friend(composition: str = SEVEN, lines: str = "", **how: bool) -> World:
    world = new_game(World(), composition, lines=lines, **how)
    host(world, f"CO-HOST: {FRIEND}")
    world.mail(FRIEND, "yes", answering=world.to(FRIEND)[-1])
    return world


def test_the_new_address_is_asked_first_and_is_told_nothing_until_it_has_agreed() -> None:
    world = new_game(World(), SEVEN)
    receipt = host(world, f"CO-HOST: {FRIEND}").plain
    assert (
        f"A letter has gone to {FRIEND} and asks whether that is wanted there. Until it is answered from there, nothing changes" in receipt
    )
    (asked,) = world.to(FRIEND)
    assert asked.text.startswith(ASKED)
    assert "Dacha" in asked.text
    assert "Anna" not in asked.text
    assert asked.mail["Auto-Submitted"] == "auto-generated"
    world.mail(HOST, "ANNOUNCE: hello", to=GAME)
    assert len(world.to(FRIEND)) == 1


def test_whoever_agrees_is_a_host_and_sees_what_a_host_sees() -> None:
    world = with_friend()
    receipt = world.last(FRIEND, "You are a host of this game from now on")
    assert receipt.subject == "[Dacha] Host"
    assert "Alive: " in receipt.text
    roles = world.last(FRIEND, "The game has begun").text  # who is who
    assert all(name in roles for name in ("Anna", "Boris"))
    assert f"The game has one more host, who reads every letter to the host, and may do what the host may do. The address: {FRIEND}." in (
        world.last(HOST, "one more host").plain
    )
    secret = world.last(address("Anna"), "Your role")
    world.mail(address("Anna"), "Is that allowed?", answering=secret)
    assert "Is that allowed?" in world.to(HOST)[-1].text
    assert "Is that allowed?" in world.to(FRIEND)[-1].text
    assert world.to(FRIEND)[-1].reply_to != world.to(HOST)[-1].reply_to


def test_a_co_host_commands_and_each_gets_receipts_of_his_own() -> None:
    world = with_friend()
    before = len(world.to(HOST))
    letters = world.mail(FRIEND, "PAUSE", to=GAME)
    assert world.game().paused is not None
    assert letters[0].to == FRIEND
    assert "The game stands still" in letters[0].text
    assert len(world.to(HOST)) == before + 1  # the letter to all
    world.mail(FRIEND, "END", to=GAME)
    asked = world.last(FRIEND, "Do you mean it?")
    assert not [letter for letter in world.to(HOST) if "Do you mean it?" in letter.text]
    world.mail(FRIEND, "", answering=asked)
    assert world.stage() is Stage.OVER


def test_the_public_letters_come_to_both_hosts_once() -> None:
    world = with_friend()
    letters = world.say("Anna", "SAY: good morning")
    assert [letter.to for letter in letters if "good morning" in letter.text].count(HOST) == 1
    assert [letter.to for letter in letters if "good morning" in letter.text].count(FRIEND) == 1


def test_he_opens_no_game_of_his_own_unless_he_is_configured() -> None:
    world = with_friend()
    assert "Only the host of a game may do that" in world.mail(FRIEND, "NEW GAME\nparty = 6")[0].text


def test_a_configured_host_may_be_one_too() -> None:
    world = new_game(World(), SEVEN)
    host(world, "CO-HOST: cohost@example.org")
    world.mail("cohost@example.org", "yes", answering=world.to("cohost@example.org")[-1])
    world.mail("cohost@example.org", "PAUSE", to=GAME)
    assert world.game().paused is not None


def test_in_russian_and_before_the_start() -> None:
    world = new_game(World(), SEVEN, lines="language = ru", started=False)
    assert "сразу отмените это: ОТКЛОНИТЬ: ‹имя›" in host(world, f"СОВЕДУЩИЙ: {FRIEND}").plain
    asked = world.to(FRIEND)[-1]
    assert asked.text.startswith("Вас зовут вести игру по почте вместе с её ведущим.")
    receipt = world.mail(FRIEND, "да", answering=asked)[0]
    assert "Теперь вы – ведущий этой игры, наравне с другим." in receipt.text
    world.mail(FRIEND, "НАЧАТЬ", to=GAME)
    assert world.stage() is Stage.DAY
    assert "Anna" in world.last(FRIEND, "игр").text


def test_an_answer_that_is_no_yes_makes_nobody_a_host_and_obeys_nothing() -> None:
    world = new_game(World(), SEVEN)
    host(world, f"CO-HOST: {FRIEND}")
    asked = world.to(FRIEND)[-1]
    world.mail(FRIEND, "PAUSE", answering=asked)
    world.mail(FRIEND, "Who are you, and what is this about?", answering=asked)
    assert "Nothing has been confirmed" in world.to(FRIEND)[-1].text
    assert world.game().paused is None
    assert not world.store.people.at(FRIEND)


def test_only_the_address_that_was_asked_can_agree() -> None:
    world = new_game(World(), SEVEN)
    host(world, f"CO-HOST: {FRIEND}")
    world.mail("thief@example.net", "yes", answering=world.to(FRIEND)[-1])
    assert not world.store.people.at("thief@example.net")
    assert not world.store.people.at(FRIEND)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("anna@players.example.org", "This address is in the game already"),
        ("host@example.org", "This address is in the game already"),
        ("nobody", "That is no mail address"),
        ("two@example.net three@example.net", "That is no mail address"),
        ("mafia@example.org", "That is no mail address"),
        ("mafia+g1@example.org", "That is no mail address"),
    ],
)
def test_who_plays_or_hosts_already_and_what_is_no_address_is_refused(written: str, said: str) -> None:
    world = new_game(World(), SEVEN)
    letters = world.mail(HOST, f"CO-HOST: {written}", to=GAME)
    assert said in letters[0].text
    assert len(letters) == 1


@pytest.mark.parametrize("written", ["Friend@Example.net", "<friend@example.net>", "friend@example.net<mailto:friend@example.net>."])
def test_an_address_may_be_written_as_mail_programs_write_it(written: str) -> None:
    world = new_game(World(), SEVEN)
    host(world, f"CO-HOST: {written}")
    assert len(world.to(FRIEND)) == 1


def test_no_player_names_a_host() -> None:
    world = new_game(World(), SEVEN)
    assert "Only the host of a game may do that" in world.say("Anna", f"CO-HOST: {FRIEND}")[0].text
    assert not world.to(FRIEND)


def test_an_address_is_asked_three_times_a_day_and_no_more() -> None:
    world = new_game(World(), SEVEN)
    for _ in range(3):
        host(world, f"CO-HOST: {FRIEND}")
    assert "written to often enough for one day" in host(world, f"CO-HOST: {FRIEND}").text
    assert len(world.to(FRIEND)) == 3
    world.mail(FRIEND, "yes", answering=world.to(FRIEND)[0])
    world.mail(FRIEND, "yes", answering=world.to(FRIEND)[1])
    assert len(world.store.people.at(FRIEND)) == 1
    assert "what you were asked for is no longer to be had" in world.to(FRIEND)[-1].text


# taken back


def test_what_an_address_was_asked_for_can_be_taken_back_before_it_answers() -> None:
    world = new_game(World(), SEVEN)
    host(world, f"CO-HOST: {FRIEND}")
    assert f"The address: {FRIEND}" in host(world, f"REJECT: {FRIEND}").plain
    world.mail(FRIEND, "yes", answering=world.to(FRIEND)[-1])
    assert not world.store.people.at(FRIEND)
    assert "Nothing has been asked of this address" in host(world, f"REJECT: {FRIEND}").text


def test_another_host_can_be_sent_away_and_reads_nothing_more() -> None:
    world = with_friend()
    host(world, f"REJECT: {FRIEND}")
    assert "One host fewer reads the letters" in world.last(FRIEND, "One host fewer").text
    seen = len(world.to(FRIEND))
    world.mail(FRIEND, "PAUSE", answering=world.to(FRIEND)[-1])
    world.say("Anna", "SAY: good morning")
    assert world.game().paused is None
    assert not [letter for letter in world.to(FRIEND)[seen:] if "good morning" in letter.text]


def test_who_opened_the_game_stays_and_who_goes_by_himself_obeys_nothing_after_it() -> None:
    world = with_friend()
    assert "Nothing has been asked of this address" in world.mail(FRIEND, f"REJECT: {HOST}", to=GAME)[0].text
    world.mail(FRIEND, f"REJECT: {FRIEND}\nPAUSE", to=GAME)
    assert world.game().paused is None
    assert not world.store.people.at(FRIEND)


def test_a_forged_mail_in_the_name_of_one_host_is_told_to_him_alone() -> None:
    world = with_friend()
    letters = world.mail("thief@example.net", "PAUSE", answering=world.to(FRIEND)[-1])
    assert world.game().paused is None
    assert [letter.to for letter in letters if "A letter in your own name is not genuine" in letter.text] == [FRIEND]
    assert not [letter for letter in letters if letter.to in (HOST, "thief@example.net")]


def test_letters_that_come_back_from_one_host_are_told_with_his_address() -> None:
    world = with_friend()
    world.raw(bounce(world.to(FRIEND)[-1]))
    assert f"Letters to this player come back: {FRIEND}." in world.to(HOST)[-1].plain
