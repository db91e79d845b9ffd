"""How instants, numbers, names and settings are written."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from mafiamail.game.deal import PARTIES, parse_composition
from mafiamail.letters.languages import Languages
from mafiamail.letters.wording import GLUE, READING, Wording, names, spoken, table, tally

LANGUAGES = Languages([Path(__file__).parents[2] / "templates"])
EN, RU = (Wording(LANGUAGES.words(lang), ["VOTE", "ГОЛОС"]) for lang in ("en", "ru"))

THURSDAY = "2026-05-14T18:00:00+00:00"


@pytest.fixture(autouse=True)
def _moscow() -> Iterator[None]:
    token = READING.set(("2026-05-13T19:00:00+00:00", "Europe/Moscow"))
    yield
    READING.reset(token)


def reading(now: str, zone: str) -> None:
    READING.set((now, zone))


@pytest.mark.parametrize(
    ("numbers", "vote", "minute"),
    [((1, 21, 101), "голос", "минуту"), ((2, 3, 4, 22), "голоса", "минуты"), ((0, 5, 11, 12, 14, 25, 111), "голосов", "минут")],
)
def test_russian_numbers_have_their_three_forms(numbers: tuple[int, ...], vote: str, minute: str) -> None:
    for number in numbers:
        assert RU.plural(number, "vote") == f"{number} {vote}"
        assert RU.plural(number, "minute") == f"{number} {minute}"


@pytest.mark.parametrize(("number", "form"), [(1, "vote"), (2, "votes"), (5, "votes"), (11, "votes"), (21, "votes"), (0, "votes")])
def test_english_numbers_have_their_two_forms(number: int, form: str) -> None:
    assert EN.plural(number, "vote") == f"{number} {form}"


def test_an_instant_names_its_zone_and_how_far_it_is() -> None:
    assert EN.when(THURSDAY) == "Thu 14 May, 21:00 MSK, in 23 hours"
    assert RU.when(THURSDAY) == "чт 14 мая, 21:00 МСК, через 23 часа"


@pytest.mark.parametrize(
    ("zone", "english"),
    [
        ("UTC", "Thu 14 May, 18:00 UTC"),
        ("Asia/Dubai", "Thu 14 May, 22:00 UTC+4"),
        ("Asia/Kathmandu", "Thu 14 May, 23:45 UTC+5:45"),
        ("America/Sao_Paulo", "Thu 14 May, 15:00 UTC-3"),
        ("Asia/Vladivostok", "Fri 15 May, 04:00 UTC+10"),
        ("Europe/London", "Thu 14 May, 19:00 BST"),
        ("No/Such", "Thu 14 May, 18:00 UTC"),
    ],
)
def test_zones_are_named_or_counted_from_utc(zone: str, english: str) -> None:
    reading("2026-05-13T19:00:00+00:00", zone)
    assert EN.moment(THURSDAY) == english


def test_the_hour_that_comes_twice_in_autumn_is_told_apart_by_its_zone() -> None:
    reading("2026-10-24T12:00:00+00:00", "Europe/Berlin")
    assert EN.moment("2026-10-25T00:30:00+00:00") == "Sun 25 Oct, 02:30 CEST"
    assert EN.moment("2026-10-25T01:30:00+00:00") == "Sun 25 Oct, 02:30 CET"


def test_another_year_is_named() -> None:
    reading("2025-12-31T19:00:00+00:00", "UTC")
    assert EN.moment("2026-01-01T10:00:00+00:00") == "Thu 1 Jan 2026, 10:00 UTC"


@pytest.mark.parametrize(
    ("instant", "english", "russian"),
    [
        ("2026-05-13T18:00:00+00:00", "now", "сейчас"),
        ("2026-05-13T19:00:30+00:00", "now", "сейчас"),
        ("2026-05-13T19:01:00+00:00", "in 1 minute", "через 1 минуту"),
        ("2026-05-13T19:21:00+00:00", "in 21 minutes", "через 21 минуту"),
        ("2026-05-13T20:00:00+00:00", "in 1 hour", "через 1 час"),
        ("2026-05-13T21:15:00+00:00", "in 2 hours 15 minutes", "через 2 часа 15 минут"),
        ("2026-05-15T18:59:59+00:00", "in 48 hours", "через 48 часов"),
        ("2026-05-18T18:00:00+00:00", "in 5 days", "через 5 дней"),
    ],
)
def test_how_far_it_is_is_told_in_the_unit_that_fits(instant: str, english: str, russian: str) -> None:
    assert (EN.left(instant), RU.left(instant)) == (english, russian)


def test_names_stand_as_they_are() -> None:
    assert names(["Ёжик", {"name": "Лесник"}, "Old Tom"]) == "Ёжик, Лесник, Old Tom"


def test_a_composition_is_told_with_numbers_before_plurals() -> None:
    roles = [["mafia", 3], ["doctor", 1], ["citizen", 7], ["guard", 2]]
    assert EN.composition(roles) == "3 mafia, doctor, 7 citizens, guard × 2"
    assert RU.composition(roles) == "3 мафии, врач, 7 мирных жителей, guard × 2"


def test_what_is_revealed_of_the_dead_follows_the_name() -> None:
    dead = [
        {"name": "Ёжик", "known": None},
        {"name": "Лесник", "known": {"side": "mafia"}},
        {"name": "Old Tom", "known": {"role": "doctor"}},
    ]
    assert EN.known(dead) == "Ёжик, Лесник (mafia), Old Tom (doctor)"
    assert RU.known(dead) == "Ёжик, Лесник (мафия), Old Tom (врач)"


def test_a_tally_stands_in_columns() -> None:
    votes = [{"name": "Secret Postman", "voters": ["Duchess", "Old Tom"]}, {"name": "Лесник", "voters": ["Ёжик"]}]
    assert tally(votes) == "  Secret Postman  2  Duchess, Old Tom\n  Лесник          1  Ёжик"
    assert table([]) == ""


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("VOTE: Том", "VOTE: ‹Том›"),
        ("ГОЛОС：Том", "ГОЛОС: ‹Том›"),
        ("VOTE: ‹Том›", "VOTE: ‹Том›"),
        ("SAY: VOTE: Том", "SAY: ‹VOTE· Том›"),
        ("leave", "the line: ‹leave›"),
        ("VOTE: " + "x" * 90, "VOTE: ‹" + "x" * 54 + "…›"),
    ],
)
def test_a_line_that_somebody_wrote_is_shown_as_a_placeholder(written: str, shown: str) -> None:
    assert EN.safely(written).replace("\u00a0", " ") == shown


def test_spoken_words_keep_their_indents_and_draw_nothing() -> None:
    assert spoken("\n  a\n– – –\n\tb  c\n\n") == "\u00a0\u00a0a\n* * *\n\u00a0b  c"


def test_examples_hold_placeholders_in_the_readers_language() -> None:
    assert EN.choices(["HEAL", "PASS"]).replace(GLUE, "") == "HEAL: ‹name›, or PASS to do nothing"
    assert RU.choices(["HEAL", "PASS"]).replace(GLUE, "") == "ЛЕЧИТЬ: ‹имя› или ПАС, чтобы ничего не делать"


def test_a_setting_is_told_with_its_meaning() -> None:
    assert EN.setting(["tie", "random"]) == "tie = random (on a tie a lot decides)"
    assert EN.setting(["twilight", "30m"]) == "twilight = 30m (how long a vote stays open after the last missing vote)"
    assert EN.setting(["unheard", "1"]) == "unheard = 1"


# languages and folders


def test_a_folder_of_the_host_overrides_a_template_and_a_word(tmp_path: Path) -> None:
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "post.txt").write_text("Subject: mine\n{{ name }} says: {{ text }} ({{ 5|plural('vote') }})\n")
    (tmp_path / "en" / "words.yaml").write_text("plurals: {vote: [bean, beans]}\n")
    languages = Languages([tmp_path, Path(__file__).parents[2] / "templates"])
    letter = languages.render("en", "post", {"now": THURSDAY, "zone": "UTC", "name": "Ёжик", "text": "hi"})
    assert (letter.subject, letter.text) == ("mine", "Ёжик says: hi (5 beans)\n")


def test_a_language_without_a_template_or_a_word_falls_back_to_english(tmp_path: Path) -> None:
    (tmp_path / "de").mkdir()
    (tmp_path / "de" / "words.yaml").write_text("language: Deutsch\nkeywords: {VOTE: [STIMME]}\n")
    languages = Languages([tmp_path, Path(__file__).parents[2] / "templates"])
    assert languages.names == ("en", "de", "ru")
    assert languages.keywords["VOTE"] == ("VOTE", "STIMME", "ГОЛОС", "ГОЛОСУЮ ЗА", "КАЗНИТЬ")
    letter = languages.render(
        "de", "post", {"now": THURSDAY, "zone": "UTC", "name": "Ёжик", "text": "hi", "day": 2, "game": {"name": "Datsche"}}
    )
    assert letter.subject == "[Datsche] Day 2"
    assert languages.words("de")["language"] == "Deutsch"


def test_an_unknown_language_is_written_to_in_english() -> None:
    letter = LANGUAGES.render(
        "xx", "post", {"now": THURSDAY, "zone": "UTC", "name": "Ёжик", "text": "hi", "day": 2, "game": {"name": "Dacha"}}
    )
    assert letter.subject == "[Dacha] Day 2"


def test_a_template_reaches_nothing_outside_its_facts(tmp_path: Path) -> None:
    from jinja2.exceptions import SecurityError

    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "post.txt").write_text("Subject: x\n{{ ''.__class__.__mro__[1].__subclasses__() }}\n")
    languages = Languages([tmp_path, Path(__file__).parents[2] / "templates"])
    with pytest.raises(SecurityError):
        languages.render("en", "post", {"now": THURSDAY, "zone": "UTC"})


def test_the_chronicle_has_a_word_for_everything_that_the_engine_says_of_a_deed() -> None:
    said = set()
    for path in (Path(__file__).parents[2] / "mafiamail" / "game").rglob("*.py"):
        said |= set(re.findall(r'Outcome\("([^"]+)"|Choice\(None, "([^"]+)"', path.read_text(encoding="utf-8")))
    whys = {word for pair in said for word in pair if word}
    for lang in LANGUAGES.names:
        known = LANGUAGES.words(lang)["deeds"]["why"]
        assert {why for why in whys if why not in known and f"kill {why}" not in known} <= {"done if special else nothing to block"}


def test_a_composition_can_be_read_again_as_it_is_told_in_every_language() -> None:
    for party in PARTIES.values():
        for says in (EN, RU):
            assert parse_composition(says.composition(party), LANGUAGES.role_words) == party
