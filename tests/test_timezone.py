"""TIMEZONE: each reads the times of his letters in a zone of his own."""

import pytest

from mafiamail.desk.zones import read_zone
from tests.kit import HOST, LANGUAGES, World, address, new_game

SEVEN = "2 mafia, doctor, commissar, 3 citizens"
GAME = "mafia+g1@example.org"


@pytest.mark.parametrize(
    ("written", "zone"),
    [
        ("Europe/Moscow", "Europe/Moscow"),
        ("europe/moscow", "Europe/Moscow"),
        ("Moscow", "Europe/Moscow"),
        ("Москва", "Europe/Moscow"),
        ("мск", "Europe/Moscow"),
        ("BERLIN", "Europe/Berlin"),
        ("America/New_York", "America/New_York"),
        ("new york", "America/New_York"),
        ("Istanbul", "Asia/Istanbul"),  # in two continents, with one time
        ("UTC", "UTC"),
        ("UTC+3", "UTC+03:00"),
        ("utc +3", "UTC+03:00"),
        ("GMT+3", "UTC+03:00"),
        ("+03:00", "UTC+03:00"),
        ("+0530", "UTC+05:30"),
        ("UTC−3", "UTC-03:00"),
        ("UTC+0", "UTC"),
        ("UTC+14", "UTC+14:00"),
    ],
)
def test_a_zone_is_a_name_a_city_or_a_distance(written: str, zone: str) -> None:
    assert read_zone(written, LANGUAGES.zone_words) == zone


@pytest.mark.parametrize("written", ["", "Atlantis", "Europe", "UTC+15", "UTC-13", "+3:75", "../passwd", "Factory", "localtime", "3"])
def test_anything_else_is_none(written: str) -> None:
    assert read_zone(written, LANGUAGES.zone_words) is None


def test_the_receipt_tells_what_time_it_is_there_and_later_letters_keep_to_it() -> None:
    world = new_game(World(), SEVEN)
    receipt = world.say("Anna", "TIMEZONE: berlin")[0]
    assert (
        "Times in the letters to you are those of this zone from now on: Europe/Berlin. There it is now Mon 11 May, 20:00 CEST."
        in receipt.text
    )
    assert "Wed 13 May, 20:00 CEST" in receipt.text
    assert "Wed 13 May, 21:00 MSK" in world.say("Boris", "STATUS")[0].text
    world.say("Boris", "SAY: hello")
    world.wait(hours=47)
    assert "CEST" in world.to(address("Anna"))[-1].text
    assert "MSK" in world.to(address("Boris"))[-1].text


def test_in_russian_and_by_a_distance() -> None:
    world = new_game(World(), SEVEN, lines="language = ru")
    receipt = world.say("Anna", "ЧАСОВОЙ ПОЯС: +5:30")[0]
    assert "этого часового пояса: UTC+05:30. Сейчас там пн 11 мая, 23:30 UTC+5:30." in receipt.text
    assert "Europe/Moscow. Сейчас там пн 11 мая, 21:00 МСК." in world.say("Anna", "Часовой пояс: Москва")[0].text


@pytest.mark.parametrize("written", ["Atlantis", "UTC+15"])
def test_an_unknown_zone_is_refused_with_examples(written: str) -> None:
    world = new_game(World(), SEVEN)
    receipt = world.say("Anna", f"TIMEZONE: {written}")[0]
    assert "That is no zone. These are, for instance: Europe/Moscow, Berlin, UTC+3." in receipt.text
    assert "MSK" in receipt.text


def test_the_host_has_a_zone_of_his_own_too_and_a_limit_counts_in_it() -> None:
    world = new_game(World(), SEVEN, lines="variant = one")
    assert "Asia/Omsk. There it is now Tue 12 May, 00:00 UTC+6." in world.mail(HOST, "TIMEZONE: Omsk", to=GAME)[0].text
    world.mail(HOST, "LIMIT: 13 May 18:00", to=GAME)
    limit = world.last(HOST, "The limit is set").text
    assert "Wed 13 May, 18:00 UTC+6" in limit
    assert "Wed 13 May, 15:00 MSK" in world.last(address("Anna"), "The host has set a limit").text


def test_a_stranger_has_no_zone() -> None:
    world = new_game(World(), SEVEN)
    world.mail("nobody@example.net", "TIMEZONE: Berlin")
    assert not world.store.people.at("nobody@example.net")


def test_each_game_has_its_own() -> None:
    world = new_game(new_game(World(), SEVEN), SEVEN)
    world.say("Anna", "TIMEZONE: Berlin", 2)
    assert "MSK" in world.say("Anna", "STATUS", 1)[0].text
    assert "CEST" in world.say("Anna", "STATUS", 2)[0].text
