"""What letters tell is what this game's rules are, in every setting, stage and order of things: each fault of this kind that was found."""

import pytest

from tests.kit import HOST, Letter, World, address, new_game
from tests.test_variant_one_by_mail import OneDay

GAME = "mafia+g1@example.org"


def host(world: World, text: str) -> Letter:
    return world.mail(HOST, text, to=GAME)[0]


def everything(world: World) -> str:
    return "\n".join(letter.text for letter in world.letters())


@pytest.mark.parametrize(("command", "variant"), [("EXTEND: 5h", "two"), ("EXTEND: 5h", "one"), ("LIMIT: 30h", "one")])
def test_3_3_4_an_end_that_is_moved_while_the_game_stands_still_is_told_to_all(command: str, variant: str) -> None:
    world = new_game(World(), lines=f"variant = {variant}\nday_limit = {'none' if variant == 'two' else '40h'}")
    host(world, "PAUSE")
    assert "Everybody gets a letter." in host(world, command).text
    told = world.last(address("Anna"), "The host").text
    assert "The game stands still" in told
    assert world.store.mailroom.counts()["waiting"] == 0


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("all", "Everybody in it who names victims must send the same name"),
        ("majority", "more than half"),
        ("last", "The last name that anybody in it"),
    ],
)
def test_2_8_a_family_reads_how_it_agrees_in_this_game(setting: str, sentence: str) -> None:
    world = new_game(World(), "3 mafia, doctor, 5 citizens", lines=f"begins = night\nfamily_orders = {setting}")
    members = world.with_role("mafia")
    assert sentence in world.last(world.address_of(members[0]), "Your role").text
    victims = world.with_role("citizen")
    world.say(members[0], f"KILL: {victims[0]}")
    receipt = world.say(members[1], f"KILL: {victims[1]}")[0].text
    if setting == "last":
        assert "The last of these names counts as it stands (2.8)." in receipt
    else:
        assert "The family does not agree yet." in receipt
        assert ("must send the same name" in receipt) is (setting == "all")


def test_2_18_a_recruiters_order_is_his_own_and_nobody_asks_him_for_a_victim() -> None:
    world = new_game(World(), "2 mafia, recruiter, 6 citizens", lines="begins = night")
    first, second = world.with_role("mafia")
    (recruiter,), citizens = world.with_role("recruiter"), world.with_role("citizen")
    before = len(world.to(world.address_of(first)))
    assert "The family" not in world.say(recruiter, f"RECRUIT: {citizens[0]}")[0].text
    assert len(world.to(world.address_of(first))) == before
    world.say(first, f"KILL: {citizens[1]}")
    told = world.last(world.address_of(recruiter), "The choice of").text
    assert citizens[0] not in told
    assert "Yours to write" not in told
    assert "Yours to write" in world.last(world.address_of(second), "The choice of").text


def test_3_3_3_close_where_a_limit_ends_the_day_says_how_to_end_it() -> None:
    day = OneDay().at(33)
    refused = day.host("CLOSE")
    assert "the earliest limit now is Wed 13 May, 10:00 MSK" in refused
    assert "LIMIT: ‹36h›" in refused
    assert "CLOSE ANYWAY" in refused.replace("\u00a0", " ")


@pytest.mark.parametrize(("variant", "interval"), [("one", "twilight = 2h"), ("two", "phase_limit = 48h"), ("chat", "twilight = 2m")])
def test_3_1_1_the_call_tells_the_variant_and_its_intervals(variant: str, interval: str) -> None:
    world = new_game(World(), lines=f"variant = {variant}", started=False)
    call = world.to(HOST)[0].text
    assert interval in call
    assert {"one": "votes may be changed", "two": "votes may not be changed", "chat": "the short rules for a chat"}[variant] in call


@pytest.mark.parametrize(
    ("zone", "limit", "ends"),
    [
        ("Europe/Berlin", "14 May 21:00 UTC", "Thu 14 May, 23:00 CEST"),
        ("Europe/Berlin", "14 May 21:00 CEST", "Thu 14 May, 21:00 CEST"),
        ("Europe/Berlin", "14 May 21:00 +03:00", "Thu 14 May, 20:00 CEST"),
        ("Europe/Moscow", "14 мая 21:00 МСК", "Thu 14 May, 21:00 MSK"),
        ("Europe/Berlin", "14 May 21:00 MSK", "A limit is a length"),
        ("Europe/Berlin", "14 May 21:00 CET", "A limit is a length"),
        ("Europe/Berlin", "31.12.9999 23:59", "A year at most"),
        ("Europe/Berlin", "99999h", "A year at most"),
    ],
)
def test_3_1_2_the_zone_of_a_limit_is_read_or_the_limit_is_refused(zone: str, limit: str, ends: str) -> None:
    world = new_game(World(), lines=f"variant = one\ntimezone = {zone}")
    assert ends in host(world, f"LIMIT: {limit}").text


def test_3_3_3_no_time_at_all_is_no_extension() -> None:
    assert "Possible are" in host(new_game(World()), "EXTEND: 0").text


def test_1_12_after_the_letter_that_ends_the_game_comes_no_other() -> None:
    world = new_game(World(), "2 mafia, 4 citizens", lines="begins = night\nvictory = parity")
    for _ in range(6):
        world.until_the_end_of_the_phase()
        if world.game().winner:
            break
    assert "The game is over" in world.to(address("Anna"))[-1].text


def test_1_3_the_victory_of_a_side_of_the_hosts_own_is_a_sentence() -> None:
    role = "role = name: spy, side: guild, power: kill\nbegins = night\nvictory = parity"
    world = new_game(World(), "spy, mafia, 4 citizens", lines=role)
    call = world.to(HOST)[0].text
    assert "Each Night one player may die by this role." in call
    letter = world.last(world.address_of(world.with_role("spy")[0]), "Your role").text
    assert "SPY, on the side of: guild." in letter
    assert "You win as soon as your side is at least half of the living" in letter
    spy = world.with_role("spy")[0]
    for victim in [*world.with_role("mafia"), *world.with_role("citizen")[:3]]:
        world.night({spy: f"KILL: {victim}"})
        world.until_the_end_of_the_phase()
        if world.game().winner:
            break
    assert "The side that has won: guild." in world.to(HOST)[-1].text


def test_1_8_the_end_of_a_second_ballot_is_called_so() -> None:
    world = new_game(World(), "2 mafia, 4 citizens", lines="tie = revote\nrevote = 6h")
    ann, bob, *rest = world.alive()
    for who, whom in ((ann, bob), (bob, ann), *((one, (ann, bob)[place % 2]) for place, one in enumerate(rest))):
        world.say(who, f"VOTE: {whom}")
    assert "everybody votes again, between these alone" in world.to(HOST)[-1].text
    for who, whom in ((ann, bob), (bob, ann)):
        world.say(who, f"VOTE: {whom}")
    world.until_the_end_of_the_phase()
    told = world.last(HOST, "Nobody is executed").text
    assert "It has closed because the time for the second ballot is over." in told
    assert "on a tie in the second ballot nobody is executed" in told


@pytest.mark.parametrize(("tie", "sentence"), [("random", "on a tie a lot decides"), ("all", "on a tie all the tied are executed")])
def test_1_8_a_tie_that_executes_somebody_is_told_as_a_tie(tie: str, sentence: str) -> None:
    world = new_game(World(), "2 mafia, 4 citizens", lines=f"tie = {tie}")
    people = world.alive()
    for place, who in enumerate(people):
        world.say(who, f"VOTE: {people[(place + 1) % 6]}")
    assert sentence in world.last(HOST, "The vote of Day 1 is over. Executed").text


def test_3_1_3_in_twilight_and_extra_time_the_standing_says_what_is_running() -> None:
    day = OneDay().at(3)
    assert "twilight begins when everybody has voted" in day.vote("Anna", "Boris")
    day.all_but("Anna")
    assert "Everybody has voted; the vote closes" in day.world.say("Anna", "STATUS")[0].text
    day.vote("Greta", "Boris")
    told = day.world.say("Anna", "STATUS")[0].text
    assert "Extra time is running; the vote closes" in told
    assert "limit" not in day.world.last(HOST, "extra time has begun").text


def test_3_1_3_a_limit_that_twilight_comes_before_is_told_as_such() -> None:
    day = OneDay().at(20).all_but("Nobody")
    assert "the twilight is over before it: the vote closes" in day.host("LIMIT: 40h")
    assert "the twilight is over before it: the vote closes" in day.world.last(address("Anna"), "The host has set a limit").text


def test_3_3_1_a_phase_that_lasts_its_full_time_is_told_to_do_so() -> None:
    world = new_game(World(), "2 mafia, 4 citizens", lines="close_early = no")
    assert "Day 1 lasts its full time, until Wed 13 May, 21:00 MSK" in world.last(address("Anna"), "Day 1 lasts").text
    assert "and not before." in world.say("Anna", "STATUS")[0].text
    world.until_the_end_of_the_phase()
    assert "and not before." in world.last(world.address_of(world.alive()[0]), "Night 1 has begun").text


@pytest.mark.parametrize("role", ["citizen", "commissar"])
def test_2_13_where_there_are_no_last_words_no_letter_promises_them(role: str) -> None:
    world = new_game(World(), lines="last_words = 0")
    letter = world.last(world.address_of(world.with_role(role)[0]), "Your role").text
    assert "There are no last words in this game" in letter
    assert ("A shot that you have sent ahead" in letter) is (role == "commissar")


def test_4_1_a_russian_host_writes_settings_and_lengths_in_russian_and_is_refused_in_it() -> None:
    world = new_game(World(), lines="язык = ru\nвариант = второй\nunvote = да\nlast_words = 2ч\ntie = жребий", started=False)
    call = world.to(HOST)[0].text
    assert "tie = жребий (при равенстве решает жребий)" in call
    assert "phase_limit = 48ч" in call
    settings = world.game().settings
    assert (settings.variant, settings.unvote, settings.tie) == ("two", True, "random")
    assert "возможны: 0, 1, 2, 3, …" in host(world, "SET: quiet_draw = много").text
    assert "возможны: 0, 90м, 36ч, 1д12ч, …" in host(world, "SET: last_words = долго").text


@pytest.mark.parametrize(
    ("composition", "promise"),
    [
        (
            "2 mafia, priest, doctor, maniac, 4 citizens",
            "who dies by it, unless the doctor is there in time, unless the priest has blocked you.",
        ),
        ("2 mafia, doctor, maniac, 4 citizens", "who dies by it, unless the doctor is there in time."),
        ("2 mafia, maniac, 4 citizens", "who dies by it."),
    ],
)
def test_1_4_a_role_letter_names_nobody_who_is_not_in_the_composition(composition: str, promise: str) -> None:
    world = new_game(World(), composition)
    assert promise in world.last(world.address_of(world.with_role("maniac")[0]), "Your role").text


def test_2_16_night_zero_says_for_whom_it_waits_and_has_no_number() -> None:
    world = new_game(World(), "2 mafia, commissar, 3 citizens")
    (commissar,), mafia = world.with_role("commissar"), world.with_role("mafia")
    assert "Night zero waits for you alone" in world.last(world.address_of(commissar), "Your role").text
    assert "Night zero waits for somebody else" in world.last(world.address_of(mafia[0]), "Your role").text
    assert "The family" not in world.say(mafia[0], "STATUS")[0].text
    world.say(commissar, f"CHECK: {mafia[0]}")
    assert "Night zero is over." in world.last(world.address_of(commissar), "What became clear").text
    assert "Night 0" not in everything(world)
    assert "Night 0" not in host(world, "LOG").text


def test_1_3_a_power_that_is_used_up_says_how_often_it_can_be_used() -> None:
    role = "role = name: guard, side: town, power: heal, uses: 2, keyword: GUARD\nbegins = night"
    world = new_game(World(), "guard, mafia, 5 citizens", lines=role)
    guard = world.with_role("guard")[0]
    for _ in range(2):
        world.night({guard: f"GUARD: {guard}"})
        world.until_the_end_of_the_phase()
    assert "Your role can do this 2 times in a game" in world.say(guard, f"GUARD: {guard}")[0].text


def test_1_13_the_quiet_warning_counts_days_and_says_what_comes() -> None:
    world = new_game(World(), "2 mafia, 4 citizens", lines="begins = night\nquiet_warning = 1\nabsence = 0")
    for _ in range(3):
        world.until_the_end_of_the_phase()
    told = world.last(HOST, "Nobody has died for").text
    assert "Nobody has died for 1 game day. After 5 game days the game becomes a draw" in told
    assert "What is known of it" not in told


def test_3_a_vote_at_the_very_moment_of_a_close_is_too_late_also_where_nobody_was_executed() -> None:
    day = OneDay("day_limit = 30h").at(30)
    assert "It came after the close" in day.vote("Anna", "Boris")


@pytest.mark.parametrize("line", ["day_limit = 12h\nvariant = one", "phase_limit = 0", "night_zero = 0"])
def test_3_1_2_settings_that_cannot_hold_are_refused_before_the_game(line: str) -> None:
    world = World()
    refused = world.mail(HOST, f"NEW GAME\ncomposition = 2 mafia, 4 citizens\n{line}")[0]
    assert "Possible are: " in refused.text
    assert "– – –" not in refused.text  # nothing secret stands in it
    assert not world.store.log.open_games()


@pytest.mark.parametrize("word", ["foo: bar", "https://example.org/", "a" * 61])
def test_1_4_a_lucky_word_that_a_receipt_could_not_show_as_it_counts_is_refused(word: str) -> None:
    world = new_game(World(), started=False)
    digest = world.player("Anna").digest
    assert "A lucky word is made of" in world.say("Anna", f"LUCK: {word}")[0].text
    assert world.player("Anna").digest == digest


def test_the_rules_that_come_are_those_of_the_game() -> None:
    world = new_game(World(), "2 mafia, recruiter, 6 citizens", lines="variant = chat\nreveal = role\ntie = all")
    rules = world.say("Anna", "RULES")[0].text
    assert "Recruiter (mafia)" in rules
    assert "Doctor" not in rules
    assert "Chat variant" in rules
    assert "Variant two" not in rules
    assert "The role of the dead is told" in rules
    assert "on a tie all the tied are executed" in rules
    assert "The last name that anybody in it" in rules


def test_a_refused_new_game_is_no_secret_and_says_that_nothing_was_done() -> None:
    refused = World().mail(HOST, "NEW GAME\ncomposition = 4 mafia, 4 citizens")[0].text
    assert "but it could not be obeyed" in refused
    assert "– – –" not in refused


def test_orders_by_day_are_not_all_in() -> None:
    assert "All orders are in" not in host(new_game(World()), "ORDERS").text


def test_all_that_is_wrong_under_new_game_is_told_at_once() -> None:
    text = "NEW GAME\ncolour = blue\ntie = maybe\nname = Da[cha\ncomposition = 2 mafia, 4 wizards\nphase_limit = 0"
    refused = World().mail(HOST, text)[0].text
    for line in ("colour = blue", "tie = maybe", "name = Dacha", "composition = 2 mafia, 4 wizards", "phase_limit = 0"):
        assert line.replace("Dacha", "Da[cha").replace(" ", "\u00a0") in refused, line
    assert refused.count("Not understood") == 5


def test_a_russian_reader_sees_names_of_settings_as_they_are_written() -> None:
    world = new_game(World(), lines="language = ru", started=False)
    told = host(world, "SET: colour = blue").text
    assert "doctor, family_orders" in told
    assert "revote" in told
