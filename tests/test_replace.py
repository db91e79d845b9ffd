"""REPLACE: somebody else plays on in a player's place, once the new address has agreed, and nobody but the host knows."""

import pytest

from mafiamail.game.model import Stage
from mafiamail.mail.transports import TryLater
from tests.kit import HOST, Letter, World, address, new_game

SEVEN = "2 mafia, doctor, commissar, 3 citizens"
GAME = "mafia+g1@example.org"
ZOE = "zoe@example.net"


def host(world: World, text: str) -> Letter:
    return world.mail(HOST, text, to=GAME)[0]


def replaced(world: World, character: str, by: str = ZOE) -> list[Letter]:
    host(world, f"REPLACE: {character} = {by}")
    return world.mail(by, "yes", answering=world.to(by)[-1])


def test_the_new_address_is_asked_first_and_is_told_nothing_secret() -> None:
    world = new_game(World(), SEVEN)
    receipt = host(world, f"REPLACE: Anna = {ZOE}").plain
    assert f"A letter has gone to {ZOE}" in receipt
    assert "the place belongs to that address, with all its secrets. The place: Anna." in receipt
    asked = world.to(ZOE)[-1]
    assert "You are asked to play on in a game that is played by mail" in asked.text
    assert "Anna" not in asked.text
    assert "role" not in asked.text
    assert "VOTE" not in world.mail(address("Anna"), "VOTE: Boris", to=GAME)[0].subject  # the old address plays on until then
    assert world.game().ballots


def test_whoever_agrees_has_the_place_with_its_role_and_its_standing() -> None:
    world = new_game(World(), SEVEN)
    world.say("Anna", "VOTE: Boris")
    letters = replaced(world, "Anna")
    assert world.address_of("Anna") == ZOE
    receipt, role = (letter for letter in letters if letter.to == ZOE)
    assert "The place is yours; your character: Anna." in receipt.text
    assert "Your vote stands: Boris." in receipt.text
    assert 'You play on in the game "Dacha", in the place of another.' in role.text
    assert "Your role: " in role.text.partition("– – –")[2]
    assert f"You play Anna ({world.player('Anna').seat})" in role.plain
    world.mail(ZOE, "SAY: I am back", answering=receipt)
    assert "I am back" in world.to(address("Boris"))[-1].text


def test_the_old_address_gets_one_kind_letter_and_has_no_rights_any_more() -> None:
    world = new_game(World(), SEVEN)
    old = world.last(address("Anna"), "Your role")
    letters = replaced(world, "Anna")
    (thanks,) = [letter for letter in letters if letter.to == address("Anna")]
    assert "Somebody else plays on in your place" in thanks.text
    assert "Thank you for having played." in thanks.text
    assert ZOE not in thanks.text
    world.mail(address("Anna"), "VOTE: Boris", answering=old)
    world.mail(address("Anna"), "VOTE: Boris", to=GAME)
    assert not world.game().ballots
    seen = len(world.to(address("Anna")))
    world.say("Boris", "SAY: hello")
    world.execute("Boris")
    assert len(world.to(address("Anna"))) == seen


def test_the_host_is_told_and_nobody_else_learns_of_it() -> None:
    world = new_game(World(), SEVEN)
    letters = replaced(world, "Anna")
    assert {letter.to for letter in letters} == {HOST, ZOE, address("Anna")}
    news = world.last(HOST, "Somebody else plays on").plain
    assert f"nobody but you has been told: Anna. The new address: {ZOE}." in news


def test_in_russian() -> None:
    world = new_game(World(), SEVEN, lines="language = ru")
    receipt, role, *_ = (letter for letter in replaced_in_russian(world) if letter.to == ZOE)
    assert "Это место теперь ваше; ваш персонаж: Anna." in receipt.text
    assert "Вы играете дальше на чужом месте; игра «Dacha» уже идёт." in role.text
    assert "На вашем месте в игре «Dacha» дальше играет другой человек" in world.to(address("Anna"))[-1].text
    assert "знаете об этом только вы: Anna." in world.last(HOST, "другой человек").plain


def replaced_in_russian(world: World) -> list[Letter]:
    assert "Если адрес не тот, пришлите ту же строку с верным" in host(world, f"ЗАМЕНИТЬ: Anna = {ZOE}").plain
    assert "Вас зовут играть дальше в игре по почте" in world.to(ZOE)[-1].text
    return world.mail(ZOE, "да", answering=world.to(ZOE)[-1])


def test_by_night_the_newcomer_may_do_what_the_place_may() -> None:
    world = new_game(World(), SEVEN, lines="begins = night")
    (doctor,), citizen = world.with_role("doctor"), world.with_role("citizen")[0]
    receipt = replaced(world, doctor)[0]
    assert "HEAL: ‹name›" in receipt.text.partition("– – –")[2]
    assert "HEAL" not in receipt.text.partition("– – –")[0]
    world.mail(ZOE, f"HEAL: {citizen}", answering=receipt)
    assert world.player(doctor).who in world.game().orders


def test_before_the_start_there_is_no_role_yet() -> None:
    world = new_game(World(), SEVEN, started=False)
    letters = [letter for letter in replaced(world, "Anna") if letter.to == ZOE]
    assert len(letters) == 1
    assert "The roles are dealt when the host starts the game." in letters[0].text
    host(world, "START")
    assert "Your role: " in world.last(ZOE, "Your role").text


def test_linked_addresses_zone_language_and_questions_of_the_old_player_are_gone() -> None:
    world = new_game(World(), SEVEN)
    world.say("Anna", "TIMEZONE: Berlin")
    world.say("Anna", "LANG: ru")
    world.mail("second@example.net", "STATUS", answering=world.last(address("Anna"), "прочитано"))
    world.mail(address("Anna"), "", answering=world.to(address("Anna"))[-1])
    world.mail("second@example.net", "", answering=world.to("second@example.net")[-1])
    world.mail("second@example.net", "ВЫХОЖУ ИЗ ИГРЫ", to=GAME)
    assert world.address_of("Anna") == "second@example.net"
    leave = world.last("second@example.net", "вывести вас из игры")
    receipt = replaced(world, "Anna")[0]
    assert "MSK" in receipt.text
    assert world.store.people.at("second@example.net") == []
    world.mail("second@example.net", "", answering=leave)
    assert world.player("Anna").leaving is None


def test_letters_that_still_wait_for_the_place_go_to_the_new_address() -> None:
    world = new_game(World(), SEVEN)
    world.postman.refusals[address("Anna")] = TryLater("full")
    world.say("Boris", "SAY: good morning")
    world.say("Anna", "STATUS\nhello, what am I to do?")
    replaced(world, "Anna")
    world.wait(hours=2)
    assert [letter for letter in world.to(ZOE) if "good morning" in letter.text]
    assert not [letter for letter in world.to(ZOE) if "what am I to do" in letter.text]  # the answer to another's mail
    moved = next(letter for letter in world.to(ZOE) if "good morning" in letter.text)
    world.mail(ZOE, "VOTE: Boris", answering=moved)
    assert world.player("Anna").who in world.game().ballots


def test_of_two_addresses_for_one_place_the_later_one_counts() -> None:
    world = new_game(World(), SEVEN)
    host(world, "REPLACE: Anna = wrong@example.net")
    host(world, f"REPLACE: Anna = {ZOE}")
    world.mail("wrong@example.net", "yes", answering=world.to("wrong@example.net")[-1])
    assert world.address_of("Anna") == address("Anna")
    world.mail(ZOE, "yes", answering=world.to(ZOE)[-1])
    assert world.address_of("Anna") == ZOE


def test_an_answer_that_is_no_yes_changes_nothing() -> None:
    world = new_game(World(), SEVEN)
    host(world, f"REPLACE: Anna = {ZOE}")
    world.mail(ZOE, "VOTE: Boris", answering=world.to(ZOE)[-1])
    world.mail(ZOE, "No, thank you", answering=world.to(ZOE)[0])
    assert not world.game().ballots
    assert world.address_of("Anna") == address("Anna")


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Anna = boris@players.example.org", "This address is in the game already"),
        ("Anna = anna@players.example.org", "This address is in the game already"),
        ("Anna = host@example.org", "This address is in the game already"),
        ("Anna = nobody", "That is no mail address"),
        ("Anna", "‹name = name@example.org›"),
        ("= zoe@example.net", "‹name = name@example.org›"),
        ("Zebedee = zoe@example.net", "There is nobody of that name"),
        ("Ann = zoe@example.net", "Please write the name exactly as it stands here"),
    ],
)
def test_what_cannot_be_is_refused_and_nobody_is_written_to(written: str, said: str) -> None:
    world = new_game(World(), SEVEN)
    letters = world.mail(HOST, f"REPLACE: {written}", to=GAME)
    assert said in letters[0].plain
    assert len(letters) == 1


def test_who_joins_while_the_letter_is_on_its_way_takes_no_second_place() -> None:
    world = new_game(World(), SEVEN, started=False)
    world.mail(address("Greta"), "LEAVE", to=GAME)
    world.mail(address("Greta"), "yes", answering=world.last(address("Greta"), "Do you mean it?"))
    host(world, f"REPLACE: Anna = {ZOE}")
    asked = world.to(ZOE)[-1]
    world.mail(ZOE, "JOIN: Zoe", to=GAME)
    assert "no longer to be had" in world.mail(ZOE, "yes", answering=asked)[0].text
    assert world.address_of("Anna") == address("Anna")


def test_3_3_2_the_place_of_the_dead_and_of_who_leaves_is_not_given_away() -> None:
    world = new_game(World(), SEVEN)
    host(world, f"REPLACE: Anna = {ZOE}")
    asked = world.to(ZOE)[-1]
    world.execute("Anna")
    world.skip_words()
    assert world.stage() is Stage.NIGHT
    assert "no longer to be had" in world.mail(ZOE, "yes", answering=asked)[0].text
    assert "Anna is out of the game" in host(world, "REPLACE: Anna = yves@example.net").text
    world.mail(HOST, "REMOVE: Boris", to=GAME)
    assert "Boris leaves the game when the next phase begins" in host(world, "REPLACE: Boris = yves@example.net").text


def test_no_player_gives_a_place_away_and_no_place_changes_hands_after_the_end() -> None:
    world = new_game(World(), SEVEN)
    assert "Only the host of a game may do that" in world.say("Anna", f"REPLACE: Boris = {ZOE}")[0].text
    host(world, "END")
    world.mail(HOST, "yes", answering=world.last(HOST, "Do you mean it?"))
    assert "The game has ended" in host(world, f"REPLACE: Anna = {ZOE}").text


def test_no_letter_to_a_player_holds_anybody_elses_address() -> None:
    world = new_game(World(), SEVEN)
    host(world, "CO-HOST: friend@example.net")
    world.mail("friend@example.net", "yes", answering=world.to("friend@example.net")[-1])
    replaced(world, "Anna")
    world.mail("friend@example.net", "VOTE FOR: Anna = Boris", to=GAME)
    world.say("Clara", "AWAY: until Sunday")
    world.execute("Boris")
    hosts = {HOST, "friend@example.net"}
    everybody = {letter.to for letter in world.letters()}
    for letter in world.letters():
        if letter.to not in hosts:
            assert not [other for other in everybody - {letter.to} if other in letter.text + letter.html], letter.text
