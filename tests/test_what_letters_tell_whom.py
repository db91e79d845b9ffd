"""What each reader is told in the odd moments of a game: hosts on their lock screens, families, the executed, the raised."""

import pytest

from tests.kit import HOST, Letter, World, address, new_game

GAME = "mafia+g1@example.org"


def host(world: World, text: str) -> Letter:
    return world.mail(HOST, text, to=GAME)[0]


def above(letter: Letter) -> str:
    return letter.text.partition("– – –")[0]


def test_a_host_reads_orders_the_log_and_private_words_below_the_line() -> None:
    world = new_game(World(), "2 mafia, doctor, 4 citizens", lines="begins = night")
    doctor = world.with_role("doctor")[0]
    world.say(doctor, f"HEAL: {doctor}")
    for command in ("ORDERS", "UNDO", "LOG"):
        answer = host(world, command)
        assert "stands below the line" in above(answer)
        assert doctor not in above(answer).replace("Alive", "|").partition("|")[0]
    role = world.last(world.address_of(doctor), "Your role")
    told = world.mail(world.address_of(doctor), "I am the doctor. Shall I tell?", answering=role)
    assert "I am the doctor" not in above(next(letter for letter in told if letter.to == HOST))
    assert "I am the doctor" in next(letter for letter in told if letter.to == HOST).text


def test_5_2_characters_are_told_with_the_first_day_also_where_a_night_comes_first() -> None:
    world = new_game(World(), "mafia, 5 citizens", lines="begins = night")
    world.night()
    assert "Who plays:" in world.last(address("Anna"), "Day 1 lasts").text
    world.until_the_end_of_the_phase()
    world.night()
    assert "Who plays:" not in world.last(address("Anna"), "Day 2 lasts").text


def test_1_8_between_whom_a_second_ballot_is_stands_in_every_answer() -> None:
    world = new_game(World(), "2 mafia, 4 citizens", lines="tie = revote")
    first, second, *rest = world.alive()
    for place, voter in enumerate([second, first, *rest]):
        world.say(voter, f"VOTE: {(first, second)[place % 2]}")
    told = f"This is a second ballot, between these alone: {', '.join(sorted((first, second), key=world.alive().index))}."
    assert told in world.say(rest[0], "STATUS")[0].text
    assert told in host(world, "STATUS").text
    assert "VOTE: ‹name›" in world.last(address("Anna"), "everybody votes again").text


def test_2_13_a_pistol_of_a_role_of_the_hosts_own_is_nobody_elses() -> None:
    role = "role = name: sheriff, side: town, power: heal, pistol: yes"
    world = new_game(World(), "2 mafia, sheriff, 4 citizens", lines=role)
    assert "It has a pistol" in world.to(HOST)[0].text.replace("\u00a0", " ")
    (sheriff,), (victim, *_) = world.with_role("sheriff"), world.with_role("mafia")
    world.execute(sheriff)
    receipt = world.say(sheriff, f"SHOOT: {victim}")[0]
    assert "With that your time is over." in receipt.text
    assert "Last words may be said until" not in receipt.text
    everything = "".join(letter.text for letter in world.letters())
    assert "commissar" not in everything.lower()


def test_2_8_a_family_whose_last_order_ends_the_night_is_told_so() -> None:
    world = new_game(World(), "2 mafia, 4 citizens", lines="begins = night")
    first, second = world.with_role("mafia")
    victim = world.with_role("citizen")[0]
    world.say(first, f"KILL: {victim}")
    world.say(second, f"KILL: {victim}")
    told = world.last(world.address_of(first), "The choice of").text
    assert "With that the Night was complete, and it is over." in told
    assert "may write again" not in told


def test_2_8_a_family_that_passes_is_told_that_it_does() -> None:
    world = new_game(World(), "2 mafia, doctor, 4 citizens", lines="begins = night")
    first, second = world.with_role("mafia")
    world.say(first, "PASS")
    assert "All of you pass; the family does nothing tonight." in world.say(second, "PASS")[0].text


def test_2_18_a_recruiter_reads_the_orders_of_the_others_and_no_demand_on_him() -> None:
    world = new_game(World(), "2 mafia, recruiter, doctor, 5 citizens", lines="begins = night")
    (recruiter,), (first, _) = world.with_role("recruiter"), world.with_role("mafia")
    world.say(first, f"KILL: {world.with_role('citizen')[0]}")
    told = world.say(recruiter, "STATUS")[0].text
    assert "The orders of those who name the victim, so far:" in told
    assert "must send the same name" not in told


@pytest.mark.parametrize(("language", "quiet", "wrong"), [("ru", "Жертв нет.", "Все живы"), ("en", "Nobody died.", "everybody is alive")])
def test_4_3_a_quiet_night_is_told_as_such_and_says_nothing_of_those_who_are_dead(language: str, quiet: str, wrong: str) -> None:
    world = new_game(World(), "2 mafia, 5 citizens", lines=f"language = {language}")
    world.execute(world.with_role("citizen")[0])
    world.skip_words()
    world.night()
    told = world.last(HOST, quiet).text
    assert wrong not in told


def test_1_12_by_parity_a_side_is_told_how_it_wins_and_why_it_has_won() -> None:
    world = new_game(World(), "2 mafia, 4 citizens", lines="begins = night\nvictory = parity")
    first, second = world.with_role("mafia")
    assert "at least half of the living" in world.last(world.address_of(first), "Your role").text
    assert "only the town is left alive" in world.last(world.address_of(world.with_role("citizen")[0]), "Your role").text
    for victim in world.with_role("citizen")[:2]:
        world.night({first: f"KILL: {victim}", second: f"KILL: {victim}"})
        world.until_the_end_of_the_phase()
    assert "The mafia has won. The winning side is at least half of the living (1.12)." in world.to(HOST)[-1].text


def test_2_17_whoever_is_raised_learns_that_he_plays_again() -> None:
    world = new_game(World(), "2 mafia, necromancer, 4 citizens")
    (necromancer,), dead = world.with_role("necromancer"), world.with_role("citizen")[0]
    world.execute(dead)
    world.skip_words()
    world.night({necromancer: f"RAISE: {dead}"})
    assert "You are alive again, with the same role" in world.last(world.address_of(dead), "what it brought to you alone").text


@pytest.mark.parametrize(
    ("lines", "sentence"), [("absence = 0", "Nobody is out for absence."), ("absence = 3", "for 3 periods in a row is out (3.2.3)")]
)
def test_3_2_3_after_how_much_silence_one_is_out_is_told_as_this_game_has_it(lines: str, sentence: str) -> None:
    world = new_game(World(), "2 mafia, 4 citizens", lines=f"{lines}\nreminder = 12h")
    world.wait(hours=37)
    assert sentence in world.last(address("Anna"), "your vote is still missing").text
    assert sentence in world.say("Anna", "RULES")[0].text


def test_end_before_the_start_calls_the_game_off() -> None:
    world = new_game(World(), "mafia, 5 citizens", started=False)
    host(world, "END")
    question = world.to(HOST)[-1]
    world.mail(HOST, "", answering=question)
    told = world.to(address("Anna"))[-1].text
    assert "The host has called the game off before it began." in told
    assert "Who was who" not in told
    assert "seal" not in told


def test_whoever_has_voted_since_is_told_that_an_undo_may_have_taken_it() -> None:
    world = new_game(World(), "mafia, 5 citizens")
    world.say("Anna", "VOTE: Boris")
    host(world, "UNDO")
    assert "A vote or an order sent lately may be gone with it" in world.to(address("Anna"))[-1].text


def test_5_1_another_character_without_a_description_says_that_the_earlier_one_is_gone() -> None:
    world = new_game(World(), started=False)
    receipt = world.say("Anna", "JOIN: Anastasia")[0].text
    assert "A description that you gave earlier no longer counts." in receipt
