"""What the host writes for a player who cannot: VOTE FOR and ORDER FOR, by mail."""

import pytest

from mafiamail.game.model import Stage
from tests.kit import HOST, Letter, World, new_game

GAME = "mafia+g1@example.org"
SEVEN = "2 mafia, doctor, commissar, 3 citizens"


def host(world: World, text: str) -> Letter:
    return world.mail(HOST, text, to=GAME)[0]


def night(composition: str = SEVEN, lines: str = "") -> World:
    return new_game(World(), composition, lines=f"begins = night\n{lines}")


def inbox(world: World, character: str) -> Letter:
    return world.to(world.address_of(character))[-1]


def vote_of(world: World, character: str) -> str | None:
    ballot = world.game().ballots.get(world.player(character).who)
    return ballot and world.game().players[ballot.whom].character


def order_of(world: World, character: str) -> tuple[str, str | None] | None:
    order = world.game().orders.get(world.player(character).who)
    return order and (order.keyword, order.target and world.game().players[order.target].character)


# votes


def test_1_7_the_host_votes_for_a_player_and_both_are_told() -> None:
    world = new_game(World(), SEVEN)
    receipt = host(world, "VOTE FOR: Anna = Boris")
    assert vote_of(world, "Anna") == "Boris"
    assert "The vote counts, as if that player had sent it: Anna votes → Boris." in receipt.plain
    told = inbox(world, "Anna")
    assert told.text.startswith("The host has written for you, and it counts as if you had sent it on")
    assert "Your vote counts: Boris. It cannot be changed any more (variant two, 3.2.1)." in told.text
    assert "please tell the host" in told.text
    assert "Votes so far: 1 of 7." in told.text
    assert told.mail["Auto-Submitted"] == "auto-generated"  # it answers no mail of hers


def test_1_7_in_russian_too() -> None:
    world = new_game(World(), SEVEN, lines="language = ru")
    receipt = host(world, "ГОЛОС ОТ: Anna = Boris")
    assert "Голос засчитан, как если бы письмо пришло от самого игрока: Anna голосует → Boris." in receipt.plain
    told = inbox(world, "Anna")
    assert told.text.startswith("Ведущий пишет за вас")
    assert "Ваш голос засчитан: Boris." in told.text


def test_1_7_nobody_else_learns_who_has_written_it() -> None:
    world = new_game(World(), SEVEN)
    letters = world.mail(HOST, "VOTE FOR: Anna = Boris", to=GAME)
    assert {letter.to for letter in letters} == {HOST, world.address_of("Anna")}


def test_1_7_the_vote_that_the_host_writes_may_be_the_one_that_ends_the_day() -> None:
    world = new_game(World(), SEVEN)
    for name in ("Anna", "Clara", "Dmitri"):
        world.say(name, "VOTE: Boris")
    host(world, "VOTE FOR: Emma = Boris")
    assert world.stage() is Stage.LAST_WORDS
    assert "Your vote counts: Boris." in world.last(world.address_of("Emma"), "The host has written for you").text


def test_3_2_1_what_the_rules_forbid_a_player_the_host_cannot_do_for_him() -> None:
    world = new_game(World(), SEVEN)
    world.say("Anna", "VOTE: Clara")
    refused = host(world, "VOTE FOR: Anna = Boris")
    assert "This is what the player would be told (Anna): Votes cannot be changed here" in refused.plain
    assert vote_of(world, "Anna") == "Clara"
    assert "The host has written" not in inbox(world, "Anna").text
    assert "You cannot name yourself here" in host(world, "VOTE FOR: Boris = Boris").plain


def test_names_are_guessed_in_both_places_and_the_host_is_told_how() -> None:
    world = new_game(World(), SEVEN)
    receipt = host(world, "VOTE FOR: Ann = Bor")
    assert vote_of(world, "Anna") == "Boris"
    assert "You wrote ‹Ann, Bor›, and that was taken for ‹Anna, Boris›" in receipt.plain
    assert "nobody of that name" in host(world, "VOTE FOR: Zebedee = Boris").plain


@pytest.mark.parametrize("line", ["VOTE FOR: Anna =", "VOTE FOR: = Boris"])
def test_with_one_name_missing_the_host_is_told_how_it_is_written(line: str) -> None:
    world = new_game(World(), SEVEN)
    assert "‹name = name›" in host(world, line).plain
    assert not world.game().ballots


def test_a_player_writes_for_nobody_but_himself() -> None:
    world = new_game(World(), SEVEN)
    assert "Only the host of a game may do that" in world.say("Anna", "VOTE FOR: Boris = Clara")[0].text
    assert not world.game().ballots


# orders


@pytest.mark.parametrize("order", ["HEAL {}", "HEAL: {}", "лечить {}", "ЛЕЧУ: {}"])
def test_2_15_the_host_gives_an_order_for_a_player_with_a_colon_or_without(order: str) -> None:
    world = night()
    doctor, citizen = world.with_role("doctor")[0], world.with_role("citizen")[0]
    receipt = host(world, f"ORDER FOR: {doctor} = {order.format(citizen)}")
    assert order_of(world, doctor) == ("HEAL", citizen)
    assert f"The order counts, as if that player had sent it: {doctor} heals → {citizen}." in receipt.plain


def test_2_15_the_player_is_told_below_the_line_as_in_his_own_receipts() -> None:
    world = night()
    doctor, citizen = world.with_role("doctor")[0], world.with_role("citizen")[0]
    host(world, f"ORDER FOR: {doctor} = HEAL {citizen}")
    above, _, below = inbox(world, doctor).text.partition("– – –")
    assert len(above) > 200
    assert citizen not in above
    assert "HEAL" not in above
    assert "There is something from the host for you." in above
    assert "The host has written for you" in below
    assert f"The ambulance goes to this player tonight: {citizen}." in below
    assert "You may write: HEAL: ‹name›" in below


def test_2_15_pass_too_and_in_russian() -> None:
    world = night(lines="language = ru")
    doctor = world.with_role("doctor")[0]
    receipt = host(world, f"ЗАЯВКА ОТ: {doctor} = ПАС")
    assert order_of(world, doctor) == ("PASS", None)
    assert f"Заявка принята, как если бы письмо пришло от самого игрока: {doctor} пропускает ход." in receipt.plain
    above, _, below = inbox(world, doctor).text.partition("– – –")
    assert "Для вас есть кое-что от ведущего." in above
    assert "Ведущий пишет за вас" in below


def test_2_8_a_family_reads_of_it_as_of_any_order() -> None:
    world = night()
    first, second = world.with_role("mafia")
    citizen = world.with_role("citizen")[0]
    host(world, f"ORDER FOR: {first} = KILL {citizen}")
    told = world.last(world.address_of(second), "– – –").text.partition("– – –")[2]
    assert first in told
    assert citizen in told


def test_2_13_a_shot_is_written_ahead_for_the_commissar() -> None:
    world = new_game(World(), SEVEN)
    commissar, citizen = world.with_role("commissar")[0], world.with_role("citizen")[0]
    receipt = host(world, f"ORDER FOR: {commissar} = SHOOT {citizen}")
    assert f"{commissar} shoots → {citizen}" in receipt.plain
    above, _, below = inbox(world, commissar).text.partition("– – –")
    assert "You aim" not in above
    assert f"You aim at this player: {citizen}." in below


def test_1_3_the_word_of_a_hosts_own_role_is_understood() -> None:
    own = "role = name: guard, side: town, power: heal, keyword: GUARD, can: Guards one."
    world = night("2 mafia, guard, commissar, 3 citizens", own)
    guard, citizen = world.with_role("guard")[0], world.with_role("citizen")[0]
    host(world, f"ORDER FOR: {guard} = GUARD {citizen}")
    assert order_of(world, guard) == ("HEAL", citizen)
    assert f"You have named this player for tonight: {citizen}." in inbox(world, guard).text


def test_an_order_that_is_not_his_is_refused_in_the_words_that_he_would_read() -> None:
    world = night()
    citizen, doctor = world.with_role("citizen")[0], world.with_role("doctor")[0]
    refused = host(world, f"ORDER FOR: {citizen} = HEAL {doctor}").plain
    assert f"This is what the player would be told ({citizen}): This order is not yours to give (2)." in refused
    assert "The line STATUS brings what you may do now" not in refused
    assert not world.game().orders


@pytest.mark.parametrize("order", ["", "Anna", "VOTE Anna", "HEAL", "PASS Anna", "SAY hello"])
def test_what_is_no_order_is_answered_with_how_to_write_one(order: str) -> None:
    world = night()
    doctor = world.with_role("doctor")[0]
    assert "‹name = keyword name›" in host(world, f"ORDER FOR: {doctor} = {order}").plain
    assert not world.game().orders


def test_our_own_example_of_it_is_nobodys_order() -> None:
    world = night()
    host(world, "ORDER FOR: ‹name = order›\nVOTE FOR: ‹name = name›")
    assert not world.game().orders
