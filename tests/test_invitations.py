"""INVITE, APPROVE, REJECT: who comes into a game before its start, and how those are told who do not."""

import pytest

from mafiamail.mail.transports import Undeliverable
from tests.kit import HOST, NAMES, OUTSIDE, Letter, World, address, new_game

SIX = "2 mafia, 4 citizens"
GAME = "mafia+g1@example.org"
ZOE = "zoe@example.net"
DESCRIPTION = "A lighthouse keeper.\nShe hums."


def host(world: World, text: str) -> Letter:
    return world.mail(HOST, text, to=GAME)[0]


def private(lines: str = "") -> World:
    """A game for the invited, in which nobody has joined."""
    world = World()
    world.mail(HOST, f"NEW GAME\nname = Dacha\ntheme = the sea\ncomposition = {SIX}\nsignup = invited\n{lines}")
    return world


def applied(world: World, name: str = "Zoe", sender: str = ZOE) -> list[Letter]:
    return world.mail(sender, f"JOIN: {name}\n{DESCRIPTION}", to=GAME)


def characters(world: World, number: int = 1) -> list[str]:
    return [player.character for player in world.game(number).players.values()]


# INVITE


def test_4_1_an_invitation_tells_what_everybody_is_to_know_and_how_to_join() -> None:
    world = private("tie = random")
    receipt = host(world, f"INVITE: {ZOE}, Yves <yves@example.net>; xenia@example.net").plain
    assert f"Invitations have gone to: {ZOE}, yves@example.net, xenia@example.net." in receipt
    (letter,) = world.to(ZOE)
    assert letter.subject == "[Dacha] Invitation"
    assert letter.text.startswith('You are invited to the game "Dacha"')
    for part in (
        "Theme: the sea.",
        "Composition: 2 mafia, 4 citizens.",
        "tie = random",
        "The seal of the deal: ",
        "JOIN: ‹character›",
        "0 of 6",
    ):
        assert part in letter.plain
    assert "yves" not in letter.text


def test_the_host_is_told_of_the_way_in_when_he_opens_such_a_game() -> None:
    assert "Only those whom you invite are in at once (INVITE: ‹address›)" in private().last(HOST, "open for players").plain
    assert "whom you invite" not in new_game(World(), SIX, started=False).last(HOST, "open for players").plain


def test_whoever_was_invited_is_in_at_once_by_an_answer() -> None:
    world = private()
    host(world, f"INVITE: {ZOE}")
    receipt = world.mail(ZOE, "JOIN: Zoe\nA lighthouse keeper.", answering=world.to(ZOE)[-1])[0]
    assert "You are in the game; your character: Zoe." in receipt.text
    assert characters(world) == ["Zoe"]


def test_whoever_was_invited_finds_the_game_without_its_number_before_any_other() -> None:
    world = private()
    world.mail(HOST, f"NEW GAME\nname = Other\ncomposition = {SIX}")
    host(world, f"INVITE: {ZOE}")
    assert "Dacha" in world.mail(ZOE, "hello?")[0].text
    world.mail(ZOE, "JOIN: Zoe")
    assert characters(world) == ["Zoe"]
    world.mail("yves@example.net", "JOIN: Yves")
    assert characters(world, 2) == ["Yves"]


def test_in_a_private_game_a_player_renames_himself_as_anywhere() -> None:
    world = private()
    host(world, f"INVITE: {ZOE}")
    joined = world.mail(ZOE, "JOIN: Zoe")[0]
    assert "Your character is now: Xenia." in world.mail(ZOE, "JOIN: Xenia", answering=joined)[0].text
    assert characters(world) == ["Xenia"]


def test_in_russian() -> None:
    world = private("language = ru")
    assert "Приглашения ушли по адресам: zoe@example.net." in host(world, f"ПРИГЛАСИТЬ: {ZOE}").plain
    letter = world.to(ZOE)[-1]
    assert letter.subject == "[Dacha] Приглашение"
    assert letter.text.startswith("Вас приглашают в игру «Dacha»")
    assert "Вы в игре; ваш персонаж: Зоя." in world.mail(ZOE, "ИГРАЮ: Зоя", answering=letter)[0].text


def test_a_private_game_is_opened_in_russian_too() -> None:
    world = World()
    world.mail(HOST, "НОВАЯ ИГРА\nназвание = Дача\nсостав = 2 мафии, 4 мирных\nнабор = по приглашениям")
    assert not world.store.log.is_public(1)
    assert "Возможны: public" in world.mail(HOST, "НОВАЯ ИГРА\nсостав = 2 мафии, 4 мирных\nнабор = тайный")[0].text


def test_strangers_are_told_nothing_of_a_private_game() -> None:
    world = private()
    assert "No game looks for players now." in world.mail(ZOE, "hello?")[0].text
    assert "No game looks for players now" in world.mail(ZOE, "JOIN: Zoe")[0].text


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("nobody", "That is no mail address"),
        (f"{ZOE}, nobody", "That is no mail address"),
        (",", "Mail addresses stand behind it, 50 at most"),
        (", ".join(f"guest{n}@example.net" for n in range(51)), "Mail addresses stand behind it, 50 at most"),
        ("mafia+g1@example.org", "That is no mail address"),
    ],
)
def test_a_line_with_anything_wrong_in_it_invites_nobody(written: str, said: str) -> None:
    world = private()
    letters = world.mail(HOST, f"INVITE: {written}", to=GAME)
    assert said in letters[0].plain
    assert len(letters) == 1
    assert not world.store.guests.invitations(ZOE)


def test_who_is_in_the_game_is_not_invited_and_nobody_is_written_to_for_ever() -> None:
    world = new_game(World(), SIX, started=False)
    assert "Nothing has gone to: anna@players.example.org." in host(world, f"INVITE: {address('Anna')}").plain
    for _ in range(4):
        host(world, f"INVITE: {ZOE}")
    assert len(world.to(ZOE)) == 3


def test_after_the_start_nobody_is_invited_and_no_player_invites() -> None:
    world = new_game(World(), SIX)
    assert "The game has begun already" in host(world, f"INVITE: {ZOE}").text
    assert "Only the host of a game may do that" in world.say("Anna", f"INVITE: {ZOE}")[0].text
    assert not world.to(ZOE)


def test_an_invitation_is_taken_back_by_its_address() -> None:
    world = private()
    host(world, f"INVITE: {ZOE}")
    host(world, f"REJECT: {ZOE}")
    applied(world)
    assert characters(world) == []


def test_who_applies_is_told_where_the_host_takes_it_back_by_the_address() -> None:
    world = private()
    applied(world)
    host(world, f"REJECT: {ZOE}")
    assert "has not been taken up" in world.to(ZOE)[-1].text
    assert not world.store.guests.applications(1)


# applications


def test_who_was_not_invited_waits_and_is_told_so_and_the_host_is_asked() -> None:
    world = private()
    letters = applied(world)
    (waiting,) = [letter for letter in letters if letter.to == ZOE]
    assert "Your application waits for the host's word" in waiting.text
    assert "your character: Zoe." in waiting.text
    asked = world.last(HOST, "Somebody whom you have not invited applies: Zoe.")
    assert "APPROVE: ‹name›" in asked.plain
    assert "REJECT: ‹name›" in asked.plain
    assert "A lighthouse keeper." in asked.text
    assert ZOE not in asked.text
    assert characters(world) == []
    assert "Waiting for your word (APPROVE: ‹name›): Zoe" in host(world, "STATUS").plain


def test_approve_lets_in_with_the_digest_of_the_mail_and_the_receipt_of_a_join() -> None:
    world = private()
    digest = applied(world)[0].text.partition("fingerprint of this letter of yours: ")[2].split()[0]
    letters = world.mail(HOST, "APPROVE: Zoe", to=GAME)
    assert "Let in: Zoe." in letters[0].plain
    (receipt,) = [letter for letter in letters if letter.to == ZOE]
    assert "You are in the game; your character: Zoe. Joined so far: 1 of 6." in receipt.text
    assert "Your description has been noted" in receipt.text
    assert digest in receipt.text
    assert world.player("Zoe").digest == digest
    assert world.player("Zoe").description == DESCRIPTION
    world.mail(ZOE, "JOIN: Zoe the Younger", answering=receipt)
    assert characters(world) == ["Zoe the Younger"]


def test_approve_in_russian() -> None:
    world = private("language = ru")
    waiting = world.mail(ZOE, "ИГРАЮ: Зоя\nСмотрительница маяка.", to=GAME)[0]
    assert "Ваша просьба ждёт слова ведущего" in waiting.text
    assert "Без приглашения просится персонаж: Зоя." in world.to(HOST)[-1].text
    assert "Персонаж в игре, а игрок получает тот же ответ, что и все: Зоя." in host(world, "ПРИНЯТЬ: Зоя").plain
    assert "Вы в игре; ваш персонаж: Зоя." in world.to(ZOE)[-1].text


def test_the_luck_of_the_mail_that_applies_counts() -> None:
    world = private()
    receipt = world.mail(ZOE, "JOIN: Zoe\nLUCK: seven gulls", to=GAME)[0]
    assert "Your part in the deal is from now on the fingerprint of your own word" in receipt.text
    host(world, "APPROVE: Zoe")
    assert world.player("Zoe").digest in receipt.text.partition("from now on")[2]


def test_a_second_application_changes_the_character_alone() -> None:
    world = private()
    first = applied(world)[0].text.partition("letter of yours: ")[2].split()[0]
    applied(world, "Xenia")
    assert "There is nobody of that name" in host(world, "APPROVE: Zoe").plain
    host(world, "APPROVE: Xenia")
    assert world.player("Xenia").digest == first


def test_the_host_is_written_to_three_times_a_day_by_one_who_cannot_decide() -> None:
    world = private()
    for name in NAMES[:6]:
        applied(world, name)
    assert len([letter for letter in world.to(HOST) if "have not invited applies" in letter.text]) == 3


def test_5_2_a_name_that_is_taken_or_bad_is_refused_at_once() -> None:
    world = private()
    applied(world)
    assert "There is a character of that name" in applied(world, "ZOE", "yves@example.net")[0].text
    assert "A character's name is one line" in applied(world, "mafia07", "yves@example.net")[0].text
    assert [guest.character for guest in world.store.guests.applications(1)] == ["Zoe"]


def test_without_proof_an_application_waits_for_its_confirmation_first() -> None:
    world = World(mail_keys=OUTSIDE + ", proof: secret")
    asked = world.mail(HOST, f"NEW GAME\nname = Dacha\ncomposition = {SIX}\nsignup = invited")[0]
    world.mail(HOST, "", answering=asked)
    asked = applied(world)[0]
    assert "Did you write it?" in asked.text
    assert not world.store.guests.applications(1)
    world.mail(ZOE, "", answering=asked)
    assert [guest.character for guest in world.store.guests.applications(1)] == ["Zoe"]


def test_approve_of_who_is_in_already_says_so() -> None:
    world = new_game(World(), SIX, started=False)
    assert "This character is in the game already; nothing has changed: Anna." in host(world, "APPROVE: Anna").plain
    assert "There is nobody of that name in the game" in host(world, "APPROVE: Zebedee").plain


def test_a_game_that_is_full_takes_no_application_and_no_word_of_the_host_makes_it_larger() -> None:
    world = private()
    applied(world)
    host(world, "INVITE: " + ", ".join(address(name) for name in NAMES[:6]))
    for name in NAMES[:6]:
        world.mail(address(name), f"JOIN: {name}")
    assert "All places are taken" in applied(world, "Yves", "yves@example.net")[0].text
    assert "All places are taken" in host(world, "APPROVE: Zoe").text


# REJECT


def test_an_application_is_declined_kindly() -> None:
    world = private()
    applied(world)
    assert "Declined: Zoe." in host(world, "REJECT: Zoe").plain
    letter = world.to(ZOE)[-1]
    assert 'Your application for the game "Dacha" has not been taken up; the character was to be Zoe.' in letter.text
    assert not world.store.guests.applications(1)
    assert "There is nobody of that name" in host(world, "APPROVE: Zoe").plain


@pytest.mark.parametrize(
    ("language", "said", "told"),
    [
        ("en", "Out again: Anna. The player has been asked for another character (5.1)", "The host asks you for another character"),
        ("ru", "Снова не в игре: Anna. Игрока просят о другом персонаже (5.1)", "Ведущий просит у вас другого персонажа"),
    ],
)
def test_5_1_a_character_that_has_joined_is_out_again_and_its_player_is_asked_for_another(language: str, said: str, told: str) -> None:
    world = new_game(World(), SIX, lines=f"signup = public\nlanguage = {language}", started=False)
    assert said in host(world, "REJECT: Anna").plain
    letter = world.to(address("Anna"))[-1]
    assert letter.text.startswith(told)
    assert "Anna" not in characters(world)
    world.mail(address("Anna"), "JOIN: Agatha", answering=letter)
    assert "Agatha" in characters(world)


def test_5_1_in_a_private_game_he_may_come_back_as_well() -> None:
    world = private()
    applied(world)
    host(world, "APPROVE: Zoe")
    host(world, "REJECT: Zoe")
    assert characters(world) == []
    world.mail(ZOE, "JOIN: Xenia")
    assert characters(world) == ["Xenia"]


def test_nobody_is_rejected_by_a_guess() -> None:
    world = new_game(World(), SIX, started=False)
    assert "Please write the name exactly as it stands here" in host(world, "REJECT: Ann").plain
    assert "Anna" in characters(world)


def test_after_the_start_nobody_is_rejected() -> None:
    world = new_game(World(), SIX)
    assert "The game has begun already" in host(world, "REJECT: Anna").text
    assert "Anna" in world.alive()


def test_who_still_waits_at_the_start_is_told_that_it_begins_without_him() -> None:
    world = private()
    host(world, "INVITE: " + ", ".join(address(name) for name in NAMES[:6]))
    applied(world)
    for name in NAMES[:6]:
        world.mail(address(name), f"JOIN: {name}")
    host(world, "START")
    assert "has not been taken up" in world.to(ZOE)[-1].text
    assert not world.store.guests.applications(1)


def test_an_invitation_that_cannot_be_delivered_comes_to_the_hosts_notice() -> None:
    world = private()
    world.postman.refusals[ZOE] = Undeliverable(550, "no such mailbox")
    host(world, f"INVITE: {ZOE}")
    world.wait(minutes=1)
    assert f"could not be delivered: {ZOE}" in world.to(HOST)[-1].plain


def test_an_unproved_application_to_a_game_that_there_is_not_is_refused_once_it_is_confirmed() -> None:
    world = World(mail_keys=OUTSIDE)
    asked = world.mail(ZOE, "GAME: 77\nJOIN: Zoe")[0]
    assert "Did you write it?" in asked.text
    assert "There is no open game of that number" in world.mail(ZOE, "", answering=asked)[0].text
    assert (
        "No game looks for players now"
        in world.mail(ZOE, "", answering=world.mail(ZOE, "JOIN: Zoe", to="mafia+g77@example.org")[0])[0].text
    )
