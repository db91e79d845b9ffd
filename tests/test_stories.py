"""5.3: stories of the kill, by mail: who may write one, who reads it, and when."""

from mafiamail.game import night as rules
from tests.kit import HOST, Letter, World, new_game

TALE = "The lamp in the hall went out.\nNobody came to light it."


def night(composition: str = "2 mafia, maniac, doctor, commissar, 5 citizens") -> World:
    return new_game(World(), composition, lines="begins = night\nvariant = two")


def host(world: World, text: str) -> list[Letter]:
    return world.mail(HOST, text)


def victim_of(world: World) -> str:
    return world.with_role("citizen")[0]


def sends_the_rest(world: World) -> None:
    """Everybody who is still awaited passes, so that the Night ends."""
    game = world.game()
    for who in rules.missing(game):
        world.say(game.players[who].character, "PASS")


def morning(world: World) -> str:
    return world.last(HOST, "Night 1 is over").text


def test_5_3_the_killers_story_is_told_in_the_morning_without_his_name() -> None:
    world = night()
    (maniac,), victim = world.with_role("maniac"), victim_of(world)
    receipt = world.say(maniac, f"KILL: {victim}\nSTORY: {TALE}")[0]
    assert "Your story waits for the morning" in receipt.text.partition("– – –")[2]
    sends_the_rest(world)
    told = morning(world)
    assert TALE in told.replace("> ", "")
    assert f"Dead: {victim}." in told
    assert maniac not in told.partition("Alive (")[0]
    assert "one lamp too many" not in told  # the template is silent where a killer speaks


def test_5_3_the_story_may_stand_under_the_order_that_ends_the_night() -> None:
    world = night("2 mafia, 4 citizens")
    first, second = world.with_role("mafia")
    victim = victim_of(world)
    world.say(first, f"KILL: {victim}")
    world.say(second, f"KILL: {victim}\nSTORY: {TALE}")
    assert "Nobody came to light it." in morning(world)


def test_5_3_in_a_family_the_last_story_counts_and_all_of_it_read_it() -> None:
    world = night("2 mafia, 4 citizens")
    first, second = world.with_role("mafia")
    victim = victim_of(world)
    world.say(first, f"STORY: An early draft.\nKILL: {victim}")
    read = world.to(world.address_of(second))[-2:]
    assert any("An early draft." in letter.text and f"From {first}" in letter.text for letter in read)
    world.say(second, f"STORY: The one that counts.\nKILL: {victim}")
    assert "The one that counts." in morning(world)
    assert "An early draft." not in morning(world)


def test_5_3_killed_by_two_at_once_has_both_stories() -> None:
    world = night("mafia, alternative mafia, 4 citizens")
    (mafia,), (other,), victim = world.with_role("mafia"), world.with_role("alternative mafia"), victim_of(world)
    world.say(mafia, f"STORY: Out of the dark.\nKILL: {victim}")
    world.say(other, f"STORY: Into the dark.\nKILL: {victim}")
    assert "Out of the dark." in morning(world)
    assert "Into the dark." in morning(world)


def test_5_3_each_story_names_its_victim_and_the_machine_tells_of_the_others() -> None:
    world = night("mafia, maniac, 5 citizens")
    (mafia,), (maniac,), (first, second, *_) = world.with_role("mafia"), world.with_role("maniac"), world.with_role("citizen")
    world.say(mafia, f"KILL: {first}")
    world.say(maniac, f"STORY: In good time.\nKILL: {second}")
    assert f"A story of the Night: {second}" in morning(world)
    assert "In the morning somebody counts the cups" in morning(world)


def test_5_3_of_two_killers_the_earlier_one_tells() -> None:
    world = night("mafia, maniac, 5 citizens")
    (mafia,), (maniac,), victim = world.with_role("mafia"), world.with_role("maniac"), victim_of(world)
    world.say(mafia, f"STORY: Too late.\nKILL: {victim}")
    world.say(maniac, f"STORY: In good time.\nKILL: {victim}")
    assert "In good time." in morning(world)
    assert "Too late." not in morning(world)


def test_5_3_a_kill_that_failed_has_no_story() -> None:
    world = night()
    (maniac,), (doctor,), victim = world.with_role("maniac"), world.with_role("doctor"), victim_of(world)
    world.say(maniac, f"KILL: {victim}\nSTORY: {TALE}")
    world.say(doctor, f"HEAL: {victim}")
    sends_the_rest(world)
    assert "Nobody died." in morning(world)
    assert "The lamp in the hall" not in morning(world)


def test_5_3_who_kills_nobody_is_refused_as_with_any_order_that_is_not_his() -> None:
    world = night()
    doctor, citizen = world.with_role("doctor")[0], victim_of(world)
    texts = {world.say(who, f"STORY: {TALE}")[0].text.partition("– – –")[2].strip().partition("\n\n")[0] for who in (doctor, citizen)}
    assert len(texts) == 1
    assert "This order is not yours to give (5.3)" in texts.pop()


def test_5_3_by_day_a_killer_has_nothing_to_tell() -> None:
    world = new_game(World(), "2 mafia, 4 citizens")
    assert "This is not the time for it" in world.say(world.with_role("mafia")[0], f"STORY: {TALE}")[0].text


def test_5_3_the_hosts_story_waits_by_night_and_is_told_at_once_by_day() -> None:
    world = night("mafia, 5 citizens")
    assert "waits for the morning" in host(world, f"STORY: {TALE}")[0].text
    assert not [letter for letter in world.to(world.address_of(victim_of(world))) if "The lamp in the hall" in letter.text]
    world.say(world.with_role("mafia")[0], "PASS")
    assert "The lamp in the hall" in morning(world)
    assert "Your story has gone out: 6 letters." in host(world, "STORY: Noon, and nobody speaks.")[0].text
    assert "The host tells" in world.last(world.address_of(victim_of(world)), "Noon, and nobody").text


def test_5_3_the_host_sees_the_stories_when_he_asks_for_the_orders() -> None:
    world = night()
    maniac = world.with_role("maniac")[0]
    world.say(maniac, f"STORY: {TALE}")
    asked = host(world, "ORDERS")[0].text
    assert f"A story for the morning, from {maniac}:" in asked
    assert "The lamp in the hall" in asked


def test_5_3_the_last_kill_of_a_game_is_told_too() -> None:
    world = new_game(World(), "2 mafia, 4 citizens", lines="begins = night\nvictory = parity")
    first, second = world.with_role("mafia")
    for victim in world.with_role("citizen")[:2]:
        world.night({first: f"STORY: {TALE}\nKILL: {victim}", second: f"KILL: {victim}"})
        world.until_the_end_of_the_phase()
    assert "The lamp in the hall" in world.last(HOST, "The game is over").text


def test_5_3_a_story_with_a_command_in_it_or_an_address_comes_back() -> None:
    world = night()
    maniac, victim = world.with_role("maniac")[0], victim_of(world)
    assert "has been shown to" in world.say(maniac, f"STORY: They found a note that said KILL: {victim}")[0].text
    assert "has been shown to" in world.say(maniac, f"STORY: Write to {world.address_of(victim)}")[0].text
    assert not world.game().stories
