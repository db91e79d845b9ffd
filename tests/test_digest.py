"""DIGEST: the talk of the thread comes together to whoever wants it so; nothing else waits."""

import pytest

from tests.kit import HOST, World, address, new_game

ANNA = address("Anna")


def subscribed(text: str = "DIGEST: 6h") -> World:
    world = new_game(World(), "2 mafia, 4 citizens")
    world.say("Anna", text)
    return world


def posts(world: World, reader: str = ANNA) -> list[str]:
    return [letter.text for letter in world.to(reader) if "I suspect" in letter.text]


def test_posts_come_together_when_the_time_is_over_and_others_read_them_at_once() -> None:
    world = subscribed()
    world.say("Boris", "SAY: I suspect Clara.")
    world.wait(hours=2)
    world.say("Clara", "SAY: I suspect Boris.")
    assert posts(world) == []
    assert len(posts(world, address("Emma"))) == 2
    world.wait(hours=3, minutes=59)
    assert posts(world) == []
    world.wait(minutes=1)
    (digest,) = posts(world)
    assert digest.startswith("What has been said in the thread, 2 posts since Mon 11 May, 21:00 MSK.")
    assert digest.index("Boris, Mon 11 May, 21:00 MSK") < digest.index("I suspect Clara.") < digest.index("Clara, Mon 11 May, 23:00 MSK")


def test_other_news_of_the_thread_bring_what_was_said_before_them() -> None:
    world = subscribed()
    world.say("Boris", "SAY: I suspect Clara.")
    world.execute("Boris")
    letters = [letter.text for letter in world.to(ANNA)]
    said = next(place for place, text in enumerate(letters) if "I suspect Clara." in text)
    closed = next(place for place, text in enumerate(letters) if "The vote of Day 1 is over" in text)
    assert said < closed


def test_several_posts_of_one_mail_are_in_one_digest() -> None:
    world = subscribed()
    world.say("Boris", "SAY: I suspect Clara.\nSAY: And I suspect Emma.")
    world.wait(hours=6)
    assert len(posts(world)) == 1


@pytest.mark.parametrize(
    ("word", "every"), [("on", "every 12 hours"), ("вкл", None), ("да", "every 12 hours"), ("24ч", "every 24 hours"), ("1m", None)]
)
def test_how_often_may_be_said_in_many_ways_and_is_told_or_refused(word: str, every: str | None) -> None:
    world = new_game(World(), "2 mafia, 4 citizens")
    answer = world.say("Anna", f"DIGEST: {word}")[0].text
    assert (every or "Possible are: yes, no, 6h, 12h, 24h.") in answer


def test_off_brings_what_waits_and_then_each_post_at_once() -> None:
    world = subscribed()
    world.say("Boris", "SAY: I suspect Clara.")
    world.say("Anna", "DIGEST: off")
    assert len(posts(world)) == 1
    world.say("Boris", "SAY: I suspect Emma.")
    assert len(posts(world)) == 2


def test_a_host_may_read_the_talk_together_too() -> None:
    world = new_game(World(), "2 mafia, 4 citizens")
    world.mail(HOST, "DIGEST: 6h", to="mafia+g1@example.org")
    world.say("Boris", "SAY: I suspect Clara.")
    assert posts(world, HOST) == []
    world.wait(hours=6)
    assert len(posts(world, HOST)) == 1


def test_a_digest_of_very_many_posts_is_two() -> None:
    world = subscribed()
    for number in range(51):
        world.say("Boris", f"SAY: I suspect number {number}.")
    world.wait(hours=6)
    assert len(posts(world)) == 2
