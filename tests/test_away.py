"""AWAY: the host is told, and the player reads that the rules know no leave."""

from mafiamail.game.model import Stage
from tests.kit import HOST, World, address, new_game

SEVEN = "2 mafia, doctor, commissar, 3 citizens"


def test_3_2_3_the_host_is_told_in_the_players_own_words_and_nobody_else() -> None:
    world = new_game(World(), SEVEN)
    letters = world.say("Anna", "AWAY: until 15 May, on a boat")
    assert {letter.to for letter in letters} == {HOST, address("Anna")}
    told = world.last(HOST, "will be away").plain
    assert "This player will be away: Anna. As it was written – AWAY: ‹until 15 May, on a boat›." in told
    assert "REPLACE: ‹name = address›" in told
    receipt = letters[0].plain
    assert "The host has been told that you will be away: AWAY: ‹until 15 May, on a boat›" in receipt
    assert "whoever is absent for too long is out (3.2.3)" in receipt


def test_3_1_7_in_variant_one_it_is_another_rule_and_in_russian_too() -> None:
    world = new_game(World(), SEVEN, lines="variant = one\nlanguage = ru")
    receipt = world.say("Anna", "ОТЪЕЗД: до пятницы")[0].plain
    assert "Ведущий предупреждён о вашем отъезде: ОТЪЕЗД: ‹до пятницы›" in receipt
    assert "кого нет слишком долго, тот выбывает (3.1.7)" in receipt
    assert "Этот игрок предупреждает об отъезде: Anna." in world.last(HOST, "отъезде").plain


def test_where_nobody_is_out_for_absence_the_receipt_says_so() -> None:
    world = new_game(World(), SEVEN, lines="absence = 0")
    assert "In this game nobody is out for being absent." in world.say("Anna", "AWAY: for ever")[0].plain


def test_what_is_written_is_no_command_when_it_is_quoted_back() -> None:
    world = new_game(World(), SEVEN)
    world.say("Anna", "AWAY: LEAVE: VOTE: Boris")
    world.mail(HOST, world.last(HOST, "will be away").text, answering=world.last(HOST, "will be away"))
    assert not world.game().ballots
    assert "AWAY: ‹LEAVE· VOTE· Boris›" in world.last(HOST, "This player will be away").plain


def test_it_is_long_only_within_reason() -> None:
    world = new_game(World(), SEVEN)
    world.say("Anna", "AWAY: " + "very long " * 300)
    assert len(world.last(HOST, "will be away").text) < 600


def test_a_date_is_missing_or_the_writer_is_out() -> None:
    world = new_game(World(), SEVEN)
    assert "AWAY: ‹date›" in world.say("Anna", "AWAY:")[0].plain
    world.execute("Anna")
    world.skip_words()
    assert world.stage() is Stage.NIGHT
    assert "Whoever is out of the game writes nothing into it" in world.say("Anna", "AWAY: tomorrow")[0].text
    assert "You are not a player of this game" in world.mail(HOST, "AWAY: tomorrow", to="mafia+g1@example.org")[0].text


def test_after_the_end_nobody_is_away() -> None:
    world = new_game(World(), SEVEN)
    world.mail(HOST, "END", to="mafia+g1@example.org")
    world.mail(HOST, "yes", answering=world.last(HOST, "Do you mean it?"))
    assert "The game has ended" in world.say("Anna", "AWAY: tomorrow")[0].text
