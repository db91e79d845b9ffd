"""What somebody found who tried to publish a secret, to lose a vote and to forge one. Each is a test of its whole kind."""

from datetime import timedelta

import pytest

from mafiamail.game.model import Stage
from mafiamail.mail.transports import TryLater
from tests.kit import HOST, NAMES, OUTSIDE, World, address, new_game

SIGNED = "\n\nBest regards,\nIvan Petrov\nSenior Engineer, Bolshoy Zavod\n+7 903 555-01-23"


def outside() -> World:
    """A game on a mailbox that vouches for nobody; everybody has confirmed what he wrote so far."""
    world = World(mail_keys=OUTSIDE)

    def confirmed(sender: str, text: str) -> None:
        world.mail(sender, "", answering=world.mail(sender, text, to="mafia+g1@example.org")[0])

    confirmed(HOST, "NEW GAME\nname = Dacha\ncomposition = 2 mafia, doctor, commissar, 3 citizens")
    for name in NAMES[:7]:
        confirmed(address(name), f"JOIN: {name}")
    confirmed(HOST, "START")
    return world


def by_night(world: World, **lines: str) -> World:
    """Nobody votes, and the Night comes."""
    world.until_the_end_of_the_phase()
    assert world.stage() is Stage.NIGHT
    return world


# ------------------------------------------------------------------ confirmations


@pytest.mark.parametrize("answer", ["No! I did not write this.", "Нет, это не я", "What is this?", "not me\n\nregards", "нет"])
@pytest.mark.parametrize("asked", ["LEAVE", "VOTE: Boris"])
def test_only_yes_or_silence_confirms(asked: str, answer: str) -> None:
    world = outside()
    secret = world.last(address("Anna"), "Day 1")
    letters = world.mail(address("Anna"), asked, answering=secret if asked == "LEAVE" else None)
    question = next(letter for letter in letters if "just send it" in letter.text)
    before = world.store.log.events(1)
    told = world.mail(address("Anna"), answer, answering=question)
    assert world.store.log.events(1) == before
    assert "Nothing has been confirmed" in told[0].text


@pytest.mark.parametrize("answer", ["", "Yes", "да", "Yes, that was me.", "OK"])
def test_yes_and_an_empty_answer_confirm(answer: str) -> None:
    world = outside()
    question = world.mail(address("Anna"), "VOTE: Boris")[0]
    world.mail(address("Anna"), answer, answering=question)
    assert world.game().ballots[world.player("Anna").who].whom == world.player("Boris").who


def test_the_own_words_of_an_answer_that_does_not_confirm_are_obeyed() -> None:
    world = outside()
    question = world.mail(address("Anna"), "VOTE: Boris")[0]
    world.mail(address("Anna"), "No! I did not write this.\n\nVOTE: Clara", answering=question)
    assert world.game().ballots[world.player("Anna").who].whom == world.player("Clara").who


def test_no_unproved_vote_vanishes_however_many_were_forged_before_it() -> None:
    world = outside()
    for _ in range(9):
        world.mail(address("Anna"), "VOTE: Boris")
    world.mail(address("Anna"), "VOTE: Clara")
    world.wait(hours=2)
    question = next(letter for letter in reversed(world.to(address("Anna"))) if "Clara" in letter.text and "just send it" in letter.text)
    world.mail(address("Anna"), "", answering=question)
    assert world.game().ballots[world.player("Anna").who].whom == world.player("Clara").who


def test_leave_confirmed_twice_and_removal_in_the_sign_up_leave_no_trace() -> None:
    world = new_game(World(), started=False)
    first, second = (world.mail(address("Anna"), "LEAVE") for _ in range(2))
    for letters in (first, second):
        world.mail(address("Anna"), "", answering=next(letter for letter in letters if "just send it" in letter.text))
    world.mail(HOST, "REMOVE: Boris")
    assert {player.character for player in world.game().players.values()} == set(NAMES[2:7])
    world.mail(address("Boris"), "JOIN: Boris", to="mafia+g1@example.org")
    assert world.player("Boris")
    assert not [row for row in world.letters() if "fault of the program" in row.text]


# ------------------------------------------------------------------ secrets


def test_a_dead_member_learns_nothing_of_his_familys_night_1_5() -> None:
    world = new_game(World(), "3 mafia, doctor, commissar, 4 citizens", "last_words = 0\nzero_night_dossier = never")
    one, two, _ = world.with_role("mafia")
    for name in NAMES[:9]:
        world.say(name, f"VOTE: {one if name != one else two}")
    assert world.stage() is Stage.NIGHT
    victim = world.with_role("citizen")[0]
    world.say(two, f"KILL: {victim}")
    for text in ("STATUS", "PASS", f"KILL: {victim}", "FAMILY: what now?"):
        answer = world.say(one, text)
        assert not [letter for letter in answer if letter.to == world.address_of(one) and "Not yet heard from" in letter.text]


@pytest.mark.parametrize("keyword", ["JOIN: Tom\nA quiet fisherman.", "SAY: I saw him.", "FAMILY: Tonight the doctor?"])
def test_a_signature_never_reaches_another_player(keyword: str) -> None:
    joining = keyword.startswith("JOIN")
    world = new_game(World(), started=not joining)
    writer = NAMES[0] if joining else world.with_role("mafia")[0]
    sender = "ivan@bolshoy.example" if joining else world.address_of(writer)
    if joining:
        world.mail(address(NAMES[0]), "JOIN: Tom" + SIGNED, to="mafia+g1@example.org")
        world.mail(HOST, "START")
    else:
        world.mail(sender, keyword + SIGNED)
    others = [letter for letter in world.letters() if letter.to not in (sender, address(NAMES[0]) if joining else sender)]
    assert not [letter for letter in others if "Petrov" in letter.text or "555-01" in letter.text]


def test_a_private_letter_quoted_under_say_is_known_even_if_its_first_sending_failed() -> None:
    world = by_night(new_game(World()))
    commissar, suspect = world.with_role("commissar")[0], world.with_role("mafia")[0]
    world.say(commissar, f"CHECK: {suspect}")
    world.postman.refusals[world.address_of(commissar)] = TryLater("greylisted")
    world.until_the_end_of_the_phase()
    world.postman.refusals.clear()
    world.wait(hours=1)
    dossier = world.last(world.address_of(commissar), "became clear")
    line = next(line for line in dossier.text.splitlines() if "became clear" in line)
    before = len(world.letters())
    world.say(commissar, f"SAY: Look at this.\n{line}")
    assert not [letter for letter in world.letters()[before:] if letter.to != world.address_of(commissar) and suspect in letter.text]


@pytest.mark.parametrize("line", ["VOTE - Boris", "PASS", "LEAVE", "CLOSE ANYWAY", "vote : Boris", "ⓥⓞⓣⓔ: Boris"])
def test_nothing_that_would_be_a_command_when_quoted_back_is_published(line: str) -> None:
    world = new_game(World())
    letters = world.say("Anna", f"SAY: Listen.\n{line}\nThat is all.")
    assert not [letter for letter in letters if letter.to == address("Clara") and "Listen" in letter.text and line in letter.text]


# ------------------------------------------------------------------ votes


def test_a_mail_from_the_future_does_not_run_the_clock() -> None:
    world = new_game(World())
    day = world.game().phase
    world.mailbox.deliver(b"From: anna@players.example.org\r\nTo: mafia@example.org\r\n\r\nSTATUS\r\n", world.at + timedelta(days=30))
    world.daemon.round()
    assert world.game().phase == day


def test_a_vote_that_arrived_in_time_counts_though_a_later_mail_is_seen_first() -> None:
    world = new_game(World())
    world.mailbox.settle = timedelta(minutes=1)
    end = world.at + timedelta(hours=48)
    world.at = end + timedelta(seconds=5)
    world.mailbox.deliver(b"From: boris@players.example.org\r\nTo: mafia@example.org\r\n\r\nSTATUS\r\n", end + timedelta(seconds=3))
    world.daemon.round()
    world.mailbox.deliver(b"From: anna@players.example.org\r\nTo: mafia@example.org\r\n\r\nVOTE: Clara\r\n", end - timedelta(seconds=3))
    world.daemon.round()
    assert world.player("Anna").who in world.game().ballots
    world.wait(minutes=2)
    assert world.stage() is not Stage.DAY
    assert [letter for letter in world.to(address("Boris")) if "The vote of Day 1 is over" in letter.text]


def test_two_programs_that_write_the_same_message_id_are_two_writers() -> None:
    world = new_game(World())
    for name in ("anna", "boris"):
        head = f"From: {name}@players.example.org\r\nTo: mafia@example.org\r\nMessage-ID: <1@localhost>\r\n"
        world.raw(f"{head}\r\nVOTE: Clara\r\n".encode())
    assert {world.player("Anna").who, world.player("Boris").who} <= set(world.game().ballots)


@pytest.mark.parametrize("where", ["mafia+g9@example.org", "mafia@example.org"])
def test_a_player_who_names_a_wrong_game_is_asked_each_time(where: str) -> None:
    world = new_game(World())
    for _ in range(3):
        text = "VOTE: Boris" if "+g9" in where else "GAME: 9\nVOTE: Boris"
        letters = [letter for letter in world.mail(address("Anna"), text, to=where) if letter.to == address("Anna")]
        assert len(letters) == 1
        assert "Dacha" in letters[0].text


@pytest.mark.parametrize("name", ["Мафия03", "Mafia #3", "#3", "mafia 3", "The host announces", "Host", "Ведущий", "Nobody", "Αnna"])
def test_a_character_is_no_seat_no_host_and_no_look_alike_5_2(name: str) -> None:
    world = new_game(World(), started=False)
    world.mail(address("Hugo"), f"JOIN: {name}", to="mafia+g1@example.org")
    world.mail(address("Anna"), f"JOIN: {name}" if name != "Αnna" else "STATUS", to="mafia+g1@example.org")
    assert {player.character for player in world.game().players.values()} == set(NAMES[:7])


def test_a_player_cannot_take_another_mans_address_into_his_seat() -> None:
    world = new_game(World())
    letters = world.mail(address("Boris"), "VOTE: Clara", answering=world.last(address("Anna"), "Day 1"))
    assert not [letter for letter in letters if letter.to == address("Anna")]
    assert [letter for letter in letters if letter.to == address("Boris") and "somebody else" in letter.text]
    assert all(address("Boris") not in letter.text for letter in world.letters() if letter.to != HOST)


def test_a_player_who_talks_with_the_host_for_long_is_still_told_that_his_vote_failed() -> None:
    world = new_game(World())
    answer = world.mail(address("Anna"), "hello host", answering=world.last(address("Anna"), "Your role"))[0]
    for words in ("and another thing", "thank you", "one more"):
        answers = [letter for letter in world.mail(address("Anna"), words, answering=answer) if letter.to == address("Anna")]
        answer = answers[0] if answers else answer
    assert [letter for letter in world.mail(address("Anna"), "VOTE: Xavier", answering=answer) if letter.to == address("Anna")]
