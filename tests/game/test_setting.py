"""Settings by their rulebook names (3.1.1, 4.1), and those of the chat variant (3.4)."""

from datetime import timedelta

import pytest

from mafiamail.game.duration import format_duration, parse_duration
from mafiamail.game.model import Settings
from mafiamail.game.setting import NAMES, allowed, defaults, differs, in_variant, read_setting, read_settings

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


@pytest.mark.parametrize(
    ("text", "length"),
    [("36h", 36 * HOUR), ("90m", 90 * MINUTE), ("1d12h", 36 * HOUR), ("27h30m", 27.5 * HOUR), ("0", 0 * HOUR), (" 1 D ", 24 * HOUR)],
)
def test_lengths_of_time_are_read(text: str, length: timedelta) -> None:
    assert parse_duration(text) == length


@pytest.mark.parametrize("text", ["", "h", "1", "1h1h", "-1h", "1.5h", "one hour", "12:30"])
def test_other_texts_are_no_lengths(text: str) -> None:
    with pytest.raises(ValueError, match="36h"):
        parse_duration(text)


def test_a_length_is_spelled_as_it_is_read() -> None:
    assert [format_duration(length) for length in (48 * HOUR, 27.5 * HOUR, 90 * MINUTE)] == ["48h", "27h30m", "1h30m"]


@pytest.mark.parametrize("name", NAMES)
def test_3_1_1_every_setting_says_what_it_allows(name: str) -> None:
    assert allowed(name)
    with pytest.raises(ValueError, match="allowed"):
        read_setting(name, ["nonsense"])


def test_3_4_the_chat_variant_counts_minutes_where_the_others_count_hours() -> None:
    chat = read_settings({"variant": "chat"})
    assert (chat.twilight, chat.extra_time, chat.limit_notice, chat.limit_earliest) == (2 * MINUTE, 4 * MINUTE, 4 * MINUTE, 24 * MINUTE)
    assert chat.family_orders == "last"
    assert differs(chat) == ()


def test_what_a_host_has_set_stays_when_the_variant_changes() -> None:
    base = read_settings({"twilight": "3h", "tie": "all"})
    chat = in_variant(base, "chat")
    assert (chat.twilight, chat.tie, chat.extra_time) == (3 * HOUR, "all", 4 * MINUTE)
    assert differs(chat) == ("tie", "twilight")


def test_4_1_only_what_differs_from_the_variants_default_is_named() -> None:
    assert differs(Settings()) == ()
    assert differs(defaults("one")) == ()
    assert differs(read_settings({"variant": "one", "absence": 3, "day_limit": "36h"})) == ("absence", "day_limit")
