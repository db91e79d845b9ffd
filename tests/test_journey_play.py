"""By mail: talk, votes, Nights, the pistol, absence and time, told as a player lives them."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from mafiamail.game.events import NightResolved, VoteClosed
from mafiamail.game.model import Fate, Stage
from tests.kit import HOST, NAMES, Letter, World, address, new_game
from tests.theatre import fixed_secrets

GAME = "mafia+g1@example.org"
PLAYERS = NAMES[:7]
SECOND = timedelta(seconds=1)


@pytest.fixture(autouse=True)
def same_deal(request: pytest.FixtureRequest) -> Iterator[None]:
    with fixed_secrets(request.node.name):
        yield


def readers(letters: list[Letter], words: str) -> set[str]:
    return {letter.to for letter in letters if words in letter.plain}


def others(world: World, *but: str) -> list[str]:
    return [name for name in world.alive() if name not in but]


def at_night(world: World, lost: str = "") -> World:
    """Day 1 has passed; `lost` was executed, or nobody."""
    if lost:
        world.execute(lost)
        world.skip_words()
    else:
        world.mail(HOST, "CLOSE ANYWAY", to=GAME)
    assert world.stage() is Stage.NIGHT
    return world


def townsman(world: World) -> str:
    return world.with_role("citizen")[0]


# the start


@pytest.mark.parametrize(("role", "keyword"), [("doctor", "HEAL"), ("commissar", "CHECK"), ("mafia", "KILL")])
def test_a_role_letter_says_below_the_line_who_one_is_and_what_to_write_by_night_4_1(role: str, keyword: str) -> None:
    world = new_game(World())
    opening, _, secret = world.last(address(world.with_role(role)[0]), "Your role is at the end").text.partition("– – –")
    assert world.with_role(role)[0] in opening
    assert f"{keyword}: ‹name›" in secret
    assert "PASS" in secret
    assert keyword not in opening


def test_a_family_learns_its_members_from_the_role_letter_1_6() -> None:
    world = new_game(World())
    one, two = world.with_role("mafia")
    for member, other in ((one, two), (two, one)):
        assert other in world.last(address(member), "Your role is at the end").text.partition("– – –")[2]
    citizen = world.last(address(townsman(world)), "Your role is at the end").text
    assert not any(name in citizen for name in PLAYERS if name != townsman(world))


# talk


def test_words_said_by_day_go_to_everybody_and_the_host_under_the_characters_name_5_2() -> None:
    world = new_game(World())
    letters = world.say("Anna", "SAY: Somebody was at the pond.\nI saw two lamps.")
    told = readers(letters, "Somebody was at the pond. I saw two lamps.")
    assert told >= {HOST, *map(address, PLAYERS)} - {address("Anna")}
    post = next(letter for letter in letters if letter.to == address("Boris"))
    assert post.text.splitlines()[0].strip() == "Anna"
    assert post.subject == "[Dacha] Day 1"


def test_by_night_nobody_speaks_in_the_thread_1_5() -> None:
    world = at_night(new_game(World()))
    letters = world.say("Anna", "SAY: I cannot sleep.")
    assert {letter.to for letter in letters} == {address("Anna")}
    assert "I cannot sleep." in letters[0].plain  # it goes back, so that it is not lost


def test_the_dead_say_nothing_and_have_no_vote_1_5() -> None:
    world = new_game(World())
    citizen = townsman(world)
    at_night(world, citizen)
    world.night()
    for text in ("SAY: It was not me.", f"VOTE: {others(world)[0]}"):
        letters = world.say(citizen, text)
        assert {letter.to for letter in letters} == {address(citizen)}
        assert "(1.5)" in letters[0].plain
    assert not world.game().ballots


def test_text_without_a_keyword_is_never_published() -> None:
    world = new_game(World())
    thread, private = world.last(address("Anna"), "Day 1"), world.last(address("Anna"), "Private")
    letters = world.mail(address("Anna"), "I think that it was Boris.", answering=thread)
    assert {letter.to for letter in letters} == {address("Anna")}
    letters = world.mail(address("Anna"), "May I be away on Friday?", answering=private)
    assert readers(letters, "May I be away on Friday?") == {HOST}


def test_words_that_would_be_a_command_when_quoted_go_back() -> None:
    world = new_game(World())
    letters = world.say("Anna", "SAY: Everybody write quickly VOTE: Boris")
    assert {letter.to for letter in letters} == {address("Anna")}


def test_an_address_in_public_words_goes_back() -> None:
    world = new_game(World())
    letters = world.say("Anna", f"SAY: I know who writes as {address('Boris')}, ask there.")
    assert {letter.to for letter in letters} == {address("Anna")}


def test_family_talk_reaches_the_living_family_and_nobody_else_2_8() -> None:
    world = new_game(World())
    one, two = world.with_role("mafia")
    letters = world.say(one, "FAMILY: Let us be quiet today.")
    assert readers(letters, "Let us be quiet today.") - {address(one)} == {address(two)}
    assert {letter.to for letter in letters} == {address(one), address(two)}
    citizen = townsman(world)
    letters = world.say(citizen, "FAMILY: Is anybody there?")
    assert {letter.to for letter in letters} == {address(citizen)}


# the vote


def test_the_first_vote_counts_and_a_second_is_refused_3_2_1() -> None:
    world = new_game(World())
    world.say("Anna", "VOTE: Boris")
    receipt = world.say("Anna", "VOTE: Clara")[0]
    assert "(3.2.1)" in receipt.plain
    assert world.game().players[next(iter(world.game().ballots.values())).whom].character == "Boris"


@pytest.mark.parametrize("text", ["VOTE: Anna", "VOTE: Zoe", "VOTE:", "VOTE: ‹name›"])
def test_a_vote_for_oneself_or_for_nobody_is_no_vote_1_7(text: str) -> None:
    world = new_game(World())
    letters = world.say("Anna", text)
    assert {letter.to for letter in letters} == {address("Anna")}
    assert not world.game().ballots


def test_names_are_understood_however_they_are_written() -> None:
    world = new_game(World())
    for voter, name in (("Anna", "«BORIS»"), ("Clara", world.player("Boris").seat), ("Dmitri", "bor"), ("Emma", "Boris.")):
        world.say(voter, f"голос: {name}")
    assert {ballot.whom for ballot in world.game().ballots.values()} == {world.player("Boris").who}
    assert len(world.game().ballots) == 4


def test_a_bold_name_alone_is_no_vote_unless_the_host_wants_it_1_10() -> None:
    world = new_game(World())
    world.say("Anna", "**Boris**")
    assert not world.game().ballots
    world.say("Anna", "*VOTE: Boris*")
    assert len(world.game().ballots) == 1


def test_the_result_of_the_vote_is_told_to_everybody_with_who_voted_for_whom_4_3() -> None:
    world = new_game(World())
    world.execute("Boris")
    letter = world.last(address("Clara"), "Executed")
    voters = [world.game().players[ballot].character for ballot in _closed(world).tally[world.player("Boris").who]]
    assert len(voters) >= 4
    assert ", ".join(voters) in letter.plain


def _closed(world: World) -> VoteClosed:
    return next(event for event in reversed(world.store.log.events(1)) if isinstance(event, VoteClosed))


def tie(world: World, silent: str) -> None:
    """Everybody but one votes, and a tie is what comes of it unless he speaks."""
    voting = others(world, silent)
    first, second = voting[0], voting[1]
    half = len(voting) // 2
    for position, voter in enumerate(voting):
        whom = second if position == 0 else first if position <= half else second
        world.say(voter, f"VOTE: {whom}")


def test_a_vote_at_exactly_two_days_counts_and_one_second_later_does_not_3_2_2() -> None:
    world = new_game(World())
    began = world.game().phase.began
    tie(world, silent="Greta")
    assert world.stage() is Stage.DAY
    voters = len(world.game().ballots)
    world.mailbox.deliver(vote(world, "Greta", "Anna"), began + timedelta(hours=48))
    world.mailbox.deliver(vote(world, "Greta", "Boris"), began + timedelta(hours=48) + SECOND)
    world.at = began + timedelta(hours=49)
    world.daemon.round()
    assert sum(map(len, _closed(world).tally.values())) == voters + 1
    assert world.player("Anna").fate is Fate.EXECUTED


def test_a_vote_one_second_after_two_days_is_too_late_3_2_2() -> None:
    world = new_game(World())
    began = world.game().phase.began
    tie(world, silent="Greta")
    world.at = began + timedelta(hours=48)
    world.daemon.round()
    assert world.stage() is Stage.DAY
    world.mailbox.deliver(vote(world, "Greta", "Anna"), began + timedelta(hours=48) + SECOND)
    world.at += SECOND
    world.daemon.round()
    assert _closed(world).why == "two days"
    assert _closed(world).at - began == timedelta(hours=48, microseconds=1)
    assert not _closed(world).executed
    assert world.stage() is Stage.NIGHT


def vote(world: World, voter: str, whom: str) -> bytes:
    number = next(world.numbers)
    return f"From: {address(voter)}\r\nTo: {GAME}\r\nMessage-ID: <{number}@players.example.org>\r\n\r\nVOTE: {whom}\r\n".encode()


# the Night


def test_a_dossier_comes_only_in_the_morning_4_2_and_says_role_and_killer_2_11() -> None:
    world = at_night(new_game(World()))
    commissar, victim = world.with_role("commissar")[0], townsman(world)
    before = len(world.to(address(commissar)))
    world.say(commissar, f"CHECK: {victim}")
    for member in world.with_role("mafia"):
        world.say(member, f"KILL: {victim}")
    so_far = world.to(address(commissar))[before:]
    assert len(so_far) == 1  # the receipt
    world.night()
    morning = next(letter for letter in world.to(address(commissar))[before + 1 :] if "Private" in letter.subject)
    assert f"The player: {victim}." in morning.plain
    assert "The role: citizen." in morning.plain
    assert "mafia" in morning.plain.partition("The role")[2]


def test_a_blocked_commissar_hears_that_nothing_became_clear_in_the_morning_too_2_2() -> None:
    world = at_night(new_game(World(), "2 mafia, doctor, commissar, priest, 3 citizens"))
    commissar, priest = world.with_role("commissar")[0], world.with_role("priest")[0]
    world.say(priest, f"BLOCK: {commissar}")
    letters = world.say(commissar, f"CHECK: {priest}")
    assert not readers(letters, "nothing became clear")
    world.night()
    morning = next(letter for letter in reversed(world.to(address(commissar))) if "Private" in letter.subject)
    assert "nothing became clear" in morning.plain
    assert "block" not in morning.plain.lower()


def test_a_family_that_disagrees_is_told_so_and_kills_nobody_2_8() -> None:
    world = at_night(new_game(World()))
    one, two = world.with_role("mafia")
    targets = others(world, one, two)
    world.say(one, f"KILL: {targets[0]}")
    letters = world.say(two, f"KILL: {targets[1]}")
    told = {letter.to for letter in letters}
    assert told == {address(one), address(two)}
    assert all(targets[0] in letter.plain and targets[1] in letter.plain for letter in letters)
    assert readers(letters, "does not agree") == told
    world.night()
    assert world.stage() is Stage.NIGHT  # 3.2.2: it does not end early
    world.until_the_end_of_the_phase()
    assert len(world.alive()) == 7


def test_an_order_may_be_changed_until_the_night_closes_2_15() -> None:
    world = at_night(new_game(World()))
    doctor, citizen = world.with_role("doctor")[0], townsman(world)
    world.say(doctor, f"HEAL: {doctor}")
    world.say(doctor, f"ЛЕЧИТЬ: {citizen}")
    for member in world.with_role("mafia"):
        world.say(member, f"KILL: {citizen}")
    world.night()
    resolved = next(event for event in world.store.log.events(1) if isinstance(event, NightResolved))
    assert resolved.saved == (world.player(citizen).who,)
    assert len(world.alive()) == 7


def test_an_order_that_is_not_ones_own_is_refused_in_private_and_in_the_same_words_2() -> None:
    world = at_night(new_game(World()))
    citizen, doctor = townsman(world), world.with_role("doctor")[0]
    refusals = [world.say(who, f"BLOCK: {citizen}") for who in (citizen, doctor)]
    assert [[letter.to for letter in letters] for letters in refusals] == [[address(citizen)], [address(doctor)]]
    first, second = (next(line for line in letters[0].text.splitlines() if "(2)" in line) for letters in refusals)
    assert first == second


# the pistol


def test_an_executed_commissar_shoots_and_speaks_in_his_window_2_13() -> None:
    world = new_game(World())
    commissar, target = world.with_role("commissar")[0], world.with_role("mafia")[0]
    world.execute(commissar)
    assert world.stage() is Stage.LAST_WORDS
    letters = world.say(commissar, f"SHOOT: {target}\nLAST WORDS: Follow the lamps.")
    everybody = {HOST, *map(address, PLAYERS)}
    assert readers(letters, "Follow the lamps.") >= everybody - {address(commissar)}
    assert world.player(target).fate is Fate.SHOT
    world.wait(seconds=1)
    assert world.stage() is Stage.NIGHT


def test_from_another_player_the_shot_is_refused_in_private_and_his_words_are_heard_2_13() -> None:
    world = new_game(World())
    citizen = townsman(world)
    world.execute(citizen)
    letters = world.say(citizen, f"SHOOT: {others(world)[0]}")
    assert {letter.to for letter in letters} == {address(citizen)}
    assert "(2.13)" in letters[0].plain
    assert len(world.alive()) == 6
    letters = world.say(citizen, "LAST WORDS: I forgive you all.")
    assert readers(letters, "I forgive you all.") >= {HOST, *map(address, PLAYERS)} - {address(citizen)}


def test_the_window_is_two_hours_and_tells_nobody_a_role_2_13() -> None:
    for role in ("citizen", "commissar"):
        world = new_game(World())
        condemned = world.with_role(role)[0]
        world.execute(condemned)
        began = world.game().phase.began
        assert world.stage() is Stage.LAST_WORDS
        world.until_the_end_of_the_phase()
        assert world.game().phase.began - began == timedelta(hours=2)
        assert world.stage() is Stage.NIGHT


def test_a_shot_ordered_ahead_goes_off_by_itself_2_13() -> None:
    world = new_game(World())
    commissar, target = world.with_role("commissar")[0], world.with_role("mafia")[0]
    letters = world.say(commissar, f"SHOOT: {target}")
    assert {letter.to for letter in letters} == {address(commissar)}
    assert world.player(target).alive
    world.execute(commissar)
    assert world.player(target).fate is Fate.SHOT


# absence


def test_who_is_silent_for_two_days_of_his_is_out_and_everybody_is_told_3_2_3() -> None:
    world = new_game(World())
    silent = townsman(world)
    for _ in range(2):
        tie(world, silent)
        world.until_the_end_of_the_phase()
        assert world.stage() is Stage.NIGHT
        if world.player(silent).alive:
            world.night()
    assert world.player(silent).fate is Fate.ABSENT
    for name in others(world):
        assert any(silent in letter.plain and "Out of the game" in letter.plain for letter in world.to(address(name))), name


def test_an_order_or_a_pass_is_enough_not_to_be_absent_3_2_3() -> None:
    world = new_game(World())
    doctor = world.with_role("doctor")[0]
    for _ in range(2):
        tie(world, doctor)
        world.until_the_end_of_the_phase()
        world.night()
    assert world.player(doctor).alive


def test_a_reminder_goes_by_day_to_those_who_have_not_voted_3_3_5() -> None:
    world = new_game(World())
    tie(world, silent="Greta")
    before = len(world.letters())
    world.wait(hours=36)
    assert [letter.to for letter in world.letters()[before:]] == [address("Greta")]


def test_a_reminder_goes_by_night_to_all_the_living_in_one_shape_3_3_5() -> None:
    world = at_night(new_game(World()))
    world.say(world.with_role("doctor")[0], "PASS")
    before = len(world.letters())
    world.wait(hours=36)
    letters = world.letters()[before:]
    assert sorted(letter.to for letter in letters) == sorted(map(address, PLAYERS))
    assert len({letter.text for letter in letters}) == 1
