"""What `mafiamail resolve` refuses to read: each bad file with its line and a reason that names the culprit."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mafiamail.lab.resolve import BadCase, resolve_text

NIGHT = "night:\n  players: {Ann: mafia, Gus: citizen}\n"
DAY = "day:\n  players: [Ann, Ben]\n"

BAD = [
    ("a list: [", 1, "not YAML"),
    ("night: {}\nnight: {}\n", 2, "duplicate"),
    ("- night\n", 1, "mapping"),
    ("case: nothing asked\n", 1, "exactly one"),
    (NIGHT + "day: {players: [Ann]}\n", 1, "exactly one"),
    ("night: 7\n", 1, "mapping"),
    ("night:\n  orders: {}\n", 2, "players are missing"),
    (NIGHT + "  weather: fine\n", 3, "weather"),
    ("night:\n  players:\n    Ann: mafia\n    Gus: plumber\n", 4, "plumber"),
    (NIGHT + "  dead: {Ann: citizen}\n", 3, "both living and dead"),
    (NIGHT + "  orders: {Ann: Zoe}\n", 3, "Zoe"),
    (NIGHT + "  orders: {Zoe: Ann}\n", 3, "Zoe"),
    (NIGHT + "  orders: [[Ann]]\n", 3, "who, whom"),
    (NIGHT + "  settings:\n    ties: all\n", 4, "ties"),
    (NIGHT + "  settings:\n    tie: some\n", 4, "nobody, revote, random, all"),
    (NIGHT + "  settings: {absence: -1}\n", 3, "whole number"),
    (NIGHT + "  settings: {last_words: soon}\n", 3, "length of time"),
    (NIGHT + "  settings: {bold_votes: [1]}\n", 3, "yes, no"),
    (DAY + "  variant: three\n", 3, "one, two, chat"),
    (DAY + "  events:\n    - {at: 1h}\n", 4, "an event is"),
    (DAY + "  events:\n    - {at: 1h, vote: [Ann, Ben], limit: 36h}\n", 4, "an event is"),
    (DAY + "  events:\n    - {at: late, vote: [Ann, Ben]}\n", 4, "late"),
    (DAY + "  events:\n    - {at: 1h, vote: Ann}\n", 4, "who, whom"),
    (DAY + "  events:\n    - {at: 1h, wote: [Ann, Ben]}\n", 4, "wote"),
    (DAY + "  events:\n    - {at: 2h, vote: [Ann, Ben]}\n    - {at: 1h, vote: [Ben, Ann]}\n", 5, "order of time"),
    ("day:\n  players: [Ann, Ann]\n", 2, "twice"),
    ("day:\n  players: [true]\n", 2, "no name"),
    ("game:\n  players: {Ann: mafia, Ben: citizen, Cat: citizen}\n  phases:\n    - {dusk: {}}\n", 4, "a phase is"),
    ("game:\n  players: {Ann: mafia, Ben: citizen, Cat: citizen}\n  phases:\n    - day: {}\n    - day: {}\n", 5, "take turns"),
    ("game:\n  players: {Ann: mafia, Ben: citizen}\n  phases:\n    - night: {}\n      shoot: {}\n", 5, "shoot"),
]


@pytest.mark.parametrize(("text", "line", "reason"), BAD, ids=[reason + f" line {line}" for _, line, reason in BAD])
def test_a_bad_file_is_refused_with_its_line_and_a_reason(text: str, line: int, reason: str) -> None:
    with pytest.raises(BadCase) as caught:
        resolve_text(text)
    assert caught.value.line == line
    assert reason in caught.value.reason


def test_lines_are_counted_through_the_whole_file() -> None:
    with pytest.raises(BadCase) as caught:
        resolve_text(NIGHT + "---\n" + NIGHT + "  weather: fine\n")
    assert caught.value.line == 6


def test_a_title_is_passed_through_and_other_keys_beside_the_case_are_ignored() -> None:
    answer = resolve_text("case: quiet\nexpect: {died: {}}\n" + NIGHT)[0]
    assert answer["case"] == "quiet"
    assert "case" not in resolve_text(NIGHT)[0]


def test_documents_that_hold_only_comments_have_no_answer() -> None:
    assert len(resolve_text("# only words\n---\n" + NIGHT + "---\n")) == 1
    assert resolve_text("") == []


def test_a_document_that_asks_for_a_day_with_nothing_in_it_is_answered() -> None:
    assert resolve_text("day:\n  players: [Ann, Ben]\n  events:\n")[0]["closes"] == "48h"


def test_numbers_may_be_names_and_the_yaml_of_1_1_plays_no_tricks() -> None:
    answer = resolve_text("night:\n  players: {1: mafia, no: citizen, 12:30: citizen}\n  orders: {1: no}\n")[0]
    assert answer["died"] == {"no": ["mafia"]}


words = st.sampled_from(
    ["night", "day", "game", "players", "orders", "events", "phases", "settings", "at", "vote", "Ann", "mafia", "1h", "pass"]
)
texts = st.recursive(
    words | st.none() | st.integers() | st.booleans() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=4),
    max_leaves=12,
).map(repr)


@settings(max_examples=200, deadline=None)
@given(texts | st.text(max_size=60))
def test_whatever_a_file_holds_it_is_answered_or_refused(text: str) -> None:
    with suppress(BadCase):
        assert isinstance(resolve_text(text), list)


@pytest.mark.parametrize("name", ["!!bool x ", '"A\\uD800"', "Pass", '""', "true"])
def test_what_no_player_can_be_called_is_refused_with_its_line(name: str) -> None:
    with pytest.raises(BadCase, match="line 1: "):
        resolve_text(f"night: {{players: {{{name}: mafia}}}}")


def test_a_message_at_the_moment_of_a_close_comes_after_it() -> None:
    text = (
        "game:\n  players: {Ann: mafia, Kat: commissar, Bob: citizen, Cat: citizen}\n  settings: {last_words: 1s}\n"
        "  phases: [{day: {Ann: Kat, Bob: Kat, Cat: Kat, Kat: Ann}, shoot: {Kat: Ann}}]\n"
    )
    assert resolve_text(text)[0]["shot"] == []
