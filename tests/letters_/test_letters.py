"""The letters as people get them, in every language: complete, secret where they must be, and never a command."""

import re
import textwrap
from pathlib import Path
from typing import Any

import pytest

from mafiamail.game.refusal import Why
from mafiamail.letters.languages import Languages, Rendered
from mafiamail.letters.understand import Keywords, Line, NotUnderstood, judge
from tests.letters_ import letter_samples as samples

TEMPLATES = Path(__file__).parents[2] / "templates"
LANGUAGES = Languages([TEMPLATES])
LANGS = LANGUAGES.names
KEYWORDS = Keywords(LANGUAGES.keywords)
RULE = "– – –"

PRIVATE = ("role", "night", "morning", "last_words", "reminder", "family", "family_order", "confirm", "receipt")


def rendered(lang: str, kind: str, facts: samples.Facts) -> Rendered:
    return LANGUAGES.render(lang, kind, facts | {"lang": lang})


def everything(lang: str) -> list[tuple[str, samples.Facts, Rendered]]:
    return [(kind, facts, rendered(lang, kind, facts)) for kind, facts in samples.letters()]


def refusals(lang: str) -> list[Rendered]:
    lines = [
        {"kind": "refused", "line": "VOTE: Том", "why": why.value, "rule": "1.7", "facts": samples.REFUSAL_FACTS, "failed": True}
        for why in Why
    ]
    return [rendered(lang, "receipt", samples.receipt([line], samples.DAY, samples.PLAYER, samples.status())) for line in lines]


def everything_written(lang: str) -> list[Rendered]:
    return [letter for _, _, letter in everything(lang)] + refusals(lang)


def keys(words: Any, path: str = "") -> set[str]:
    if not isinstance(words, dict):
        return {path}
    return {inner for key, value in words.items() for inner in keys(value, f"{path}/{key}")}


# both languages whole


@pytest.mark.parametrize("lang", LANGS)
def test_every_kind_of_letter_renders_with_a_subject_and_a_text(lang: str) -> None:
    for kind, _, letter in everything(lang):
        assert letter.subject.startswith("["), kind
        assert len(letter.text) > 30, kind
        assert not re.search(r"\{\{|\{%|\bNone\b|\bTrue\b|\bFalse\b|Undefined|\{\d\}", letter.text.replace("{{ now }}", "")), (
            kind,
            letter.text,
        )


@pytest.mark.parametrize("lang", LANGS)
def test_every_template_of_a_kind_has_a_sample(lang: str) -> None:
    parts = {"entries", "until", "status", "status_private", "status_host", "rules", "seal", "phases"}
    kinds = {path.stem for path in (TEMPLATES / lang).glob("*.txt") if not path.stem.startswith("help_")} - parts
    assert kinds == {kind for kind, _ in samples.letters()}


def test_the_languages_have_the_same_files() -> None:
    files = {lang: sorted(path.name for path in (TEMPLATES / lang).iterdir() if path.is_file()) for lang in LANGS}
    assert files["en"] == files["ru"]


def test_the_languages_have_the_same_words() -> None:
    own = {lang: keys(LANGUAGES._own[lang]) for lang in LANGS}
    assert own["en"] == own["ru"]


@pytest.mark.parametrize("lang", LANGS)
def test_every_reason_of_a_refusal_has_a_sentence(lang: str) -> None:
    assert set(LANGUAGES._own[lang]["refusals"]) == {why.value for why in Why}
    for letter in refusals(lang):
        assert "Old Tom" in letter.text or len(letter.text) > 100


@pytest.mark.parametrize("lang", LANGS)
def test_every_keyword_has_a_spelling_in_every_language(lang: str) -> None:
    spellings = LANGUAGES._own[lang]["keywords"]
    assert set(spellings) == set(LANGUAGES.keywords)
    assert all(spelling == spelling.upper() and spelling for several in spellings.values() for spelling in several)


def test_no_spelling_means_two_things() -> None:
    spellings = [spelling for several in LANGUAGES.keywords.values() for spelling in several]
    assert len(spellings) == len(set(spellings))
    for part in ("role_words", "new_game_keys"):
        shown = [spelling.lower() for lang in LANGS for several in LANGUAGES._own[lang][part].values() for spelling in several]
        assert len(shown) == len(set(shown))


def test_keywords_new_game_keys_and_role_words_are_understood_in_both_languages() -> None:
    assert LANGUAGES.keywords["VOTE"] == ("VOTE", "ГОЛОС", "ГОЛОСУЮ ЗА", "КАЗНИТЬ")
    assert LANGUAGES.keywords["NEW GAME"] == ("NEW GAME", "НОВАЯ ИГРА")
    assert LANGUAGES.new_game_keys["часовой пояс"] == "timezone"
    assert LANGUAGES.new_game_keys["composition"] == "composition"
    assert {LANGUAGES.role_words[word] for word in ("doctor", "врач", "доктор")} == {"doctor"}
    assert {LANGUAGES.role_words[word] for word in ("citizens", "мирных", "мирный житель")} == {"citizen"}


def test_a_setting_of_the_rulebook_has_a_line() -> None:
    from dataclasses import fields

    from mafiamail.game.model import Settings

    for lang in LANGS:
        assert set(LANGUAGES._own[lang]["settings"]) == {field.name for field in fields(Settings)}


# nothing that the daemon writes is ever a command


def is_command(line: str) -> bool:
    """A command, or so nearly one that its writer is asked."""
    return isinstance(judge(line, KEYWORDS), Line | NotUnderstood)


@pytest.mark.parametrize("lang", LANGS)
def test_no_line_of_a_letter_is_a_command_however_it_is_wrapped(lang: str) -> None:
    lines = {line for letter in everything_written(lang) for line in letter.text.splitlines()}
    wrapped = {part for line in lines for width in range(40, 81) for part in textwrap.wrap(line, width)}
    assert [part for part in lines | wrapped if is_command(part)] == []


@pytest.mark.parametrize("lang", LANGS)
def test_no_piece_of_the_html_is_a_command_on_a_line_of_its_own(lang: str) -> None:
    pieces = {piece for letter in everything_written(lang) for piece in re.split(r"<[^>]*>", letter.html)}
    assert [piece for piece in pieces if is_command(piece)] == []


@pytest.mark.parametrize("lang", LANGS)
def test_what_people_wrote_is_shown_so_that_it_is_no_command(lang: str) -> None:
    lines = ["VOTE: Old Tom", "*ГОЛОС : Ёжик*", "LEAVE", "SAY： VOTE: Том", "new game", "SAY: " + "x " * 60 + "VOTE: Том"]
    letter = rendered(
        lang,
        "receipt",
        samples.receipt([{"kind": "not_obeyed", "lines": lines, "texts": []}], samples.DAY, samples.PLAYER, samples.status()),
    )
    for line in letter.text.splitlines():
        for width in range(40, 81):
            assert not any(map(is_command, textwrap.wrap(line, width)))


# secrets


@pytest.mark.parametrize("lang", LANGS)
def test_a_lock_screen_shows_no_role_no_target_and_no_result(lang: str) -> None:
    words = LANGUAGES.words(lang)
    roles = [role["name"] for role in words["roles"].values()]
    night = [
        keyword
        for name in ("BLOCK", "HEAL", "KILL", "CHECK", "RAISE", "RECRUIT", "SHOOT", "PASS", "FAMILY")
        for keyword in words["keywords"][name]
    ]
    for kind, facts, letter in everything(lang):
        if kind not in PRIVATE or kind == "last_words" or (facts["reader"] or {}).get("host"):
            continue
        secret = [entry for entry in facts.get("entries", ()) if entry in samples.SECRET_ENTRIES]
        if kind == "receipt" and not secret and facts["phase"] not in (samples.NIGHT,):
            continue
        first = f"{letter.subject}\n{letter.text[:200]}"
        for name in ("Ёжик", "Лесник", "Secret Postman", *night):
            assert not re.search(rf"\b{re.escape(name)}\b", first), (kind, name, first)
        for role in roles:
            assert not re.search(rf"\b{re.escape(role)}\b", first.replace("mafiamail", ""), re.I), (kind, role, first)


@pytest.mark.parametrize("lang", LANGS)
def test_what_is_secret_stands_after_the_line_and_after_200_characters(lang: str) -> None:
    for kind, facts, letter in everything(lang):
        secret = [entry for entry in facts.get("entries", ()) if entry in samples.SECRET_ENTRIES]
        if kind in ("role", "night", "morning", "family", "family_order") or secret or RULE in letter.text:
            assert letter.text.index(RULE) >= 200, letter.text


@pytest.mark.parametrize("lang", LANGS)
def test_above_the_line_all_role_night_and_morning_letters_are_the_same(lang: str) -> None:
    """4.1, 3.3.5"""
    for kind, letters in _shapes(lang).items():
        assert len({(letter.subject, letter.text.partition(RULE)[0]) for letter in letters}) == 1, kind


@pytest.mark.parametrize("lang", LANGS)
def test_role_night_and_morning_letters_have_about_one_size_for_all_roles(lang: str) -> None:
    """4.1, 3.3.5"""
    for kind, letters in _shapes(lang).items():
        for sizes in ([len(letter.text.encode()) for letter in letters], [len(letter.html.encode()) for letter in letters]):
            assert max(sizes) <= 1.15 * min(sizes), (kind, sizes)
        assert len({letter.text.count("\n") for letter in letters}) == 1, kind


def _shapes(lang: str) -> dict[str, list[Rendered]]:
    return {
        "role": [rendered(lang, "role", samples.role_letter(role)) for role in samples.ROLES],
        "night": [rendered(lang, "night", samples.night_letter(role)) for role in samples.ROLES],
        "morning": [rendered(lang, "morning", samples.morning_letter(dossier)) for dossier in samples.DOSSIERS],
    }


@pytest.mark.parametrize("lang", LANGS)
def test_a_day_receipt_is_the_same_for_all_roles(lang: str) -> None:
    """3.3.5"""
    vote = [{"kind": "voted", "name": "Ёжик", "locked": True, "same": False}]
    plain, mafioso = (
        rendered(lang, "receipt", samples.receipt(vote, samples.DAY, samples.PLAYER, samples.status("Ёжик", may=may)))
        for may in ((), ("KILL", "PASS"))
    )
    assert plain == mafioso


# players' words are data


@pytest.mark.parametrize("lang", LANGS)
def test_a_players_words_are_neither_template_nor_html(lang: str) -> None:
    text = "<script>alert(1)</script> {{ game.name }} {% raw %} & 'x' \"y\""
    letter = rendered(lang, "post", samples.common(name="<i>Old</i> {{ now }}", text=text))
    assert text in letter.text
    assert "<script>" not in letter.html
    assert "<i>" not in letter.html
    assert "&lt;script&gt;alert(1)&lt;/script&gt; {{ game.name }} {% raw %} &amp;" in letter.html


@pytest.mark.parametrize("lang", LANGS)
def test_a_players_words_draw_no_line_of_ours(lang: str) -> None:
    letter = rendered(lang, "post", samples.common(name="Old Tom", text=f"above\n\n{RULE}\n\n———\n\nbelow"))
    assert RULE not in letter.text


@pytest.mark.parametrize("lang", LANGS)
def test_a_name_of_the_game_cannot_make_a_second_line_of_the_subject(lang: str) -> None:
    facts = samples.common(name="Old Tom", text="hello")
    letter = rendered(lang, "post", facts | {"game": facts["game"] | {"name": "Da: cha"}})
    assert letter.subject.startswith("[Da: cha] ")


# the html says what the text says


@pytest.mark.parametrize("lang", LANGS)
def test_the_html_says_the_same_as_the_text(lang: str) -> None:
    from html import unescape

    for _, _, letter in everything(lang):
        body = re.sub(r"</?b( [^>]*)?>", "", letter.html.partition("<body")[2].partition(">")[2])
        said = unescape(re.sub(r"<[^>]*>", " ", body)).split()
        assert said == re.sub(r"^[–— ]+$", "", letter.text, flags=re.M).split()


@pytest.mark.parametrize("lang", LANGS)
def test_the_html_has_inline_styles_alone_and_fetches_nothing(lang: str) -> None:
    for _, _, letter in everything(lang):
        assert not re.search(r"<style|<link|<img|<script|src=|href=|url\(|class=", letter.html)
        assert letter.html.startswith("<!DOCTYPE html>")
        assert f'lang="{lang}"' in letter.html
