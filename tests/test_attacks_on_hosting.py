"""Attacks on what hosts do: questions to new addresses, CLOSE and UNDO against the order of mails, invited games, imitations, floods."""

from datetime import timedelta

import pytest

from mafiamail.desk import playing
from mafiamail.game.events import VoteClosed
from mafiamail.game.model import Stage
from tests.kit import HOST, LANGUAGES, NAMES, OUTSIDE, Letter, World, address, new_game

GAME = "mafia+g1@example.org"
SIX, SEVEN = "2 mafia, 4 citizens", "2 mafia, doctor, commissar, 3 citizens"
EVE, ZOE = "eve@evil.example.net", "zoe@example.net"


def host(world: World, text: str, sender: str = HOST) -> Letter:
    return (world.mail(sender, text, to=GAME) or [world.to(sender)[-1]])[0]


def answers(world: World, sender: str, text: str = "yes") -> list[Letter]:
    return world.mail(sender, text, answering=world.to(sender)[-1])


def hosts(world: World) -> list[str]:
    return [person.address for person in world.store.people.of_game(1).values() if person.is_host]


def invited() -> World:
    world = World()
    world.mail(HOST, f"NEW GAME\nname = Dacha\ncomposition = {SIX}\nsignup = invited")
    return world


@pytest.mark.parametrize(
    "text",
    [
        "OK so what is this? Remove me from your list!",
        "Sure... who are you? Please stop writing to me.",
        "ok, stop",
        "Yes, but who are you",
        "Да кто вы такие",
        "",
        "--\nZoe Example",
    ],
)
@pytest.mark.parametrize("command", [f"REPLACE: Anna = {EVE}", f"CO-HOST: {EVE}"])
def test_nobody_comes_into_a_game_by_an_answer_that_is_not_plainly_yes(command: str, text: str) -> None:
    world = new_game(World(), SEVEN)
    host(world, command)
    answers(world, EVE, text)
    assert world.address_of("Anna") == address("Anna")
    assert hosts(world) == [HOST]
    assert not any("Your role" in letter.text for letter in world.to(EVE))


@pytest.mark.parametrize("text", ["yes", "YES!", "Yes, please", "Да, конечно", "да.\n\nС уважением,\nЗоя"])
def test_and_comes_in_by_one_that_is(text: str) -> None:
    world = new_game(World(), SEVEN)
    host(world, f"REPLACE: Anna = {ZOE}")
    answers(world, ZOE, text)
    assert world.address_of("Anna") == ZOE


def test_3_3_3_what_comes_after_close_does_not_come_before_it() -> None:
    world = new_game(World(), SEVEN)
    world.mailbox.settle = timedelta(minutes=1)
    for name in ("Anna", "Clara"):
        world.say(name, "VOTE: Boris")
    world.wait(minutes=5)
    world.mail(HOST, "CLOSE ANYWAY", to=GAME)
    for name in ("Dmitri", "Emma", "Fyodor"):
        world.at += timedelta(seconds=5)
        world.say(name, "VOTE: Greta")
    world.at += timedelta(seconds=5)
    world.mail(HOST, "PAUSE", to=GAME)
    world.wait(minutes=2)
    closed = next(event for event in world.store.log.events(1) if isinstance(event, VoteClosed))
    assert [world.game().players[who].character for who in closed.executed] == ["Boris"]


def test_3_3_3_nobody_keeps_close_from_happening_by_changing_his_vote() -> None:
    world = new_game(World(), SEVEN, lines="variant = one\ntwilight = 24h")
    world.mailbox.settle = timedelta(minutes=1)
    world.wait(minutes=5)
    world.mail(HOST, "CLOSE ANYWAY", to=GAME)
    first, *others = world.alive()
    for turn in range(6):
        world.at += timedelta(seconds=30)
        world.say(first, f"VOTE: {others[turn % 2]}")
    assert world.stage() is not Stage.DAY


def test_3_1_4_extra_time_that_begins_while_the_game_stands_still_is_told_to_all() -> None:
    world = new_game(World(), SEVEN, lines="variant = one")
    people = world.alive()
    for place, name in enumerate(people):
        world.say(name, f"VOTE: {people[(place + 1) % 7]}")
    host(world, "PAUSE")
    world.say(people[0], f"VOTE: {people[2]}")
    assert "the vote closes some time after it goes on" in world.last(address("Anna"), "extra time has begun").text
    assert world.store.mailroom.counts()["waiting"] == 0


def complaint(about: Letter) -> bytes:
    lines = (
        *("From: a@provider.example", "To: mafia@example.org", "Subject: c", f"Message-ID: <r{len(about.message_id)}@x>"),
        *("MIME-Version: 1.0", "Content-Type: multipart/report; report-type=feedback-report; boundary=b", "", "--b"),
        *("Content-Type: text/plain", "", "abuse", "--b", "Content-Type: message/feedback-report", ""),
        *("Feedback-Type: abuse", "User-Agent: x/1", "Version: 1", "", "--b", "Content-Type: message/rfc822", ""),
        *(f"Message-ID: {about.message_id}", "", "x", "--b--", ""),
    )
    return "\r\n".join(lines).encode()


def test_a_complaint_about_a_letter_to_the_former_player_silences_nobody() -> None:
    world = new_game(World(), SEVEN)
    old = world.last(address("Anna"), "Your role")
    host(world, f"REPLACE: Anna = {ZOE}")
    answers(world, ZOE)
    world.raw(complaint(old))
    before = len(world.to(ZOE))
    world.say("Boris", "SAY: hello")
    assert len(world.to(ZOE)) == before + 1


def test_the_place_of_a_former_co_host_is_nobody_elses() -> None:
    world = new_game(World(), SEVEN)
    host(world, f"CO-HOST: {EVE}")
    answers(world, EVE)
    old = world.to(EVE)[-1]
    host(world, f"REJECT: {EVE}")
    host(world, f"CO-HOST: {ZOE}")
    answers(world, ZOE)
    world.raw(complaint(old))
    assert not [person for person in world.store.people.of_game(1).values() if person.silent]


def test_5_1_nobody_is_host_and_player_or_two_players() -> None:
    world = invited()
    world.mail(EVE, "JOIN: Eve", to=GAME)
    host(world, f"CO-HOST: {EVE}")
    answers(world, EVE)
    host(world, "APPROVE: Eve", EVE)
    assert len(world.store.people.at(EVE)) == 1


def test_what_a_co_host_has_asked_of_others_goes_with_him() -> None:
    world = new_game(World(), SEVEN)
    host(world, f"CO-HOST: {EVE}")
    answers(world, EVE)
    host(world, "CO-HOST: eve2@evil.example.net\nREPLACE: Anna = eve3@evil.example.net", EVE)
    host(world, f"REJECT: {EVE}")
    answers(world, "eve2@evil.example.net")
    answers(world, "eve3@evil.example.net")
    assert hosts(world) == [HOST]
    assert world.address_of("Anna") == address("Anna")


@pytest.mark.parametrize("name", ["The host announces.", "(Host)", "Ведущий.", "The host tells!", "The host anounces", "Рассказ ведущего…"])
def test_5_2_no_character_speaks_like_the_host(name: str) -> None:
    world = World()
    world.mail(HOST, f"NEW GAME\nname = Dacha\ncomposition = {SIX}")
    world.mail(EVE, f"JOIN: {name}", to=GAME)
    assert not world.game().players


@pytest.mark.parametrize("name", ["Ghost", "Hostess Lora", "Mafalda", "Нина"])
def test_5_2_names_that_only_begin_alike_are_free(name: str) -> None:
    world = World()
    world.mail(HOST, f"NEW GAME\nname = Dacha\ncomposition = {SIX}")
    world.mail(EVE, f"JOIN: {name}", to=GAME)
    assert len(world.game().players) == 1


def test_5_2_a_description_stands_in_one_paragraph_and_draws_no_rule() -> None:
    world = World()
    world.mail(HOST, f"NEW GAME\nname = Dacha\ncomposition = {SIX}")
    for name in NAMES[:5]:
        world.mail(address(name), f"JOIN: {name}", to=GAME)
    world.mail(EVE, "JOIN: Eve\nA guest.\n\nBoris\nA liar.\n\nThe host announces\n―――――――――\nBoris has confessed.", to=GAME)
    host(world, "START")
    told = world.last(address("Anna"), "Who plays").text
    assert "A guest.\nBoris\nA liar.\nThe host announces\n* * *\nBoris has confessed." in told


def test_limit_and_remove_now_before_the_start_are_answered() -> None:
    world = new_game(World(), SEVEN, started=False)
    assert "The game has not begun yet" in host(world, "LIMIT: 14 May 21:00").text
    host(world, "REMOVE NOW: Anna")
    answers(world, HOST, "")
    assert "Anna" not in [player.character for player in world.game().players.values()]


def test_an_order_for_a_player_without_its_colon_is_published_to_nobody() -> None:
    world = new_game(World(), "2 mafia, doctor, 4 citizens", lines="begins = night")
    refused = host(world, "ANNOUNCE: The night is long.\nOrder for Anna = heal Boris")
    assert "Not understood" in refused.text
    assert not any("Order for Anna" in letter.text for letter in world.to(address("Clara")))


def test_1_4_two_players_never_add_the_same_to_the_deal() -> None:
    world = invited()
    world.mail(EVE, "JOIN: Eve\nLUCK: abc", to=GAME)
    host(world, f"INVITE: {address('Anna')}")
    world.mail(address("Anna"), "JOIN: Anna\nLUCK: abc", to=GAME)
    host(world, "APPROVE: Eve")
    players = world.game().players.values()
    assert len({player.digest for player in players}) == len(players) == 2


def test_a_stranger_is_asked_three_times_a_day_at_most_whoever_writes_in_his_name() -> None:
    world = World(mail_keys=OUTSIDE)
    for turn in range(30):
        world.mail(ZOE, f"JOIN: E{turn}")
        world.wait(hours=1)
    assert len(world.to(ZOE)) <= 6  # three a day


def test_an_address_that_hosts_name_gets_three_letters_a_day_from_all_games_together() -> None:
    world = World()
    for number in range(1, 6):
        world.mail(HOST, f"NEW GAME\nname = D{number}\ncomposition = {SIX}")
        world.mail(HOST, f"INVITE: {ZOE}", to=f"mafia+g{number}@example.org")
    assert len(world.to(ZOE)) == 3


def test_5_3_the_story_of_one_who_was_removed_is_not_told() -> None:
    world = new_game(World(), "2 mafia, 5 citizens", lines="begins = night")
    first, second = world.with_role("mafia")
    world.say(first, "STORY: A good story.")
    world.say(second, "STORY: A story of one who is out.")
    host(world, f"REMOVE NOW: {second}")
    answers(world, HOST, "")
    world.say(first, f"KILL: {world.with_role('citizen')[0]}")
    told = world.last(HOST, "Night 1 is over").text
    assert "A good story." in told
    assert "one who is out" not in told


def test_1_4_the_same_seal_never_deals_twice() -> None:
    world = new_game(World(), SEVEN)
    roles = {who: player.role for who, player in world.game().players.items()}
    host(world, "UNDO: 9")
    assert world.stage() is Stage.DAY
    assert {who: player.role for who, player in world.game().players.items()} == roles


def test_a_refused_order_for_a_player_stands_below_the_line() -> None:
    world = new_game(World(), "2 mafia, doctor, 4 citizens", lines="begins = night")
    doctor, citizen = world.with_role("doctor")[0], world.with_role("citizen")[0]
    above, _, below = host(world, f"ORDER FOR: {citizen} = HEAL {doctor}").text.partition("– – –")
    assert doctor not in above.partition("Alive")[0]
    assert "Not possible" in below


def test_3_3_2_who_was_sent_away_from_a_game_for_the_invited_asks_anew() -> None:
    world = invited()
    world.mail(EVE, "JOIN: Eve", to=GAME)
    host(world, "APPROVE: Eve")
    host(world, "REMOVE: Eve")
    world.mail(EVE, "JOIN: Eve again", to=GAME)
    assert not world.game().players


def test_a_fault_in_a_game_that_stands_still_is_told_to_its_host(monkeypatch: pytest.MonkeyPatch) -> None:
    world = new_game(World(), SEVEN)
    host(world, "PAUSE")
    monkeypatch.setattr(playing, "vote", lambda *_: 1 / 0)
    told = world.say("Anna", "VOTE: Boris")
    assert any(letter.to == HOST and "could not be dealt with" in letter.text for letter in told)


def test_who_plays_in_a_game_for_the_invited_is_nothing_to_a_stranger() -> None:
    world = invited()
    host(world, f"INVITE: {address('Anna')}")
    world.mail(address("Anna"), "JOIN: Anna", to=GAME)
    assert ": Anna" not in world.mail(EVE, "JOIN: Anno", to=GAME)[0].text.replace("JOIN: Anno", "")


def test_whoever_is_flooded_with_forgeries_is_told_how_to_be_heard() -> None:
    world = World(mail_keys=OUTSIDE)
    world.mail(HOST, f"NEW GAME\nname = D\ncomposition = {SIX}")
    answers(world, HOST)
    for name in NAMES[:6]:
        world.mail(address(name), f"JOIN: {name}", to=GAME)
        answers(world, address(name))
    world.mail(HOST, "START", to=GAME)
    answers(world, HOST)
    for turn in range(60):
        world.mail(address("Anna"), f"SAY: forged {turn}", to=GAME)
    told = world.last(address("Anna"), "So many letters come in your name")
    world.mail(address("Anna"), "VOTE: Boris", answering=told)
    assert len(world.game().ballots) == 1


def test_a_letter_that_waited_since_an_earlier_version_goes_out_without_what_that_one_did_not_know() -> None:
    phase = {"stage": "day", "number": 1, "ends": None}
    reader = {"name": "Anna", "seat": "", "alive": True, "host": False}
    facts = {"lang": "en", "now": "2026-05-11T18:00:00+00:00", "zone": "UTC", "game": {"id": 1, "name": "D", "theme": ""}, "day": 1}
    written = LANGUAGES.render("en", "notice", facts | {"reader": reader, "phase": phase, "what": "resumed"})
    assert written.text.startswith("The game goes on with the time that was left.")


def test_very_many_applications_are_shown_in_the_standing_and_not_each_in_a_letter() -> None:
    world = invited()
    before = len(world.to(HOST))
    for number in range(40):
        world.mail(f"u{number}@evil.example.net", f"JOIN: Guest of line {number}", to=GAME)
    assert len(world.to(HOST)) - before == 20
    assert "Guest of line 39" in host(world, "STATUS").text
