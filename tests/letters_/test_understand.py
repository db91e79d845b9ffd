"""The language of letters."""

import pytest

from mafiamail.letters.understand import Line, NotUnderstood, from_subject, looks_like_command, read_lines
from tests.mail.reading import WORDS


def items(text: str) -> list[tuple[str, str] | str]:
    """Commands as (keyword, argument), near-commands as the line."""
    return [(item.keyword, item.argument) if isinstance(item, Line) else item.text for item in read_lines(text, WORDS).items]


@pytest.mark.parametrize(
    "line",
    [
        *("VOTE: Old Tom", "vote: Old Tom", "Vote :Old Tom", "  VOTE  :  Old Tom  ", "VOTE： Old Tom", "VOTE﹕Old Tom"),
        *(
            "*VOTE: Old Tom*",
            "**VOTE**: Old Tom",
            "_VOTE: Old Tom_",
            '"VOTE: Old Tom"',
            "«VOTE»: «Old Tom»",
            "“VOTE: Old Tom”",
            "`VOTE: Old Tom`",
        ),
        *("ГОЛОС: Old Tom", "голос: Old Tom", "ГОЛОСУЮ ЗА: Old Tom", "Казнить: Old Tom", "Голосую  за: Old Tom"),
        *("VОТЕ: Old Tom", "Гoлoc: Old Tom", "V\u200bOTE: Old Tom", "VOTE\u00a0: Old Tom", "ＶＯＴＥ: Old Tom"),
        *("- VOTE: Old Tom", "1. VOTE: Old Tom", "• VOTE: Old Tom", "VOTE: <Old Tom>", "VOTE — Old Tom", "VOTE FOR: Old Tom"),
    ],
)
def test_a_vote_is_a_vote_whatever_signs_surround_it(line: str) -> None:
    assert items(line) == [("VOTE", "Old Tom")]


@pytest.mark.parametrize("line", ["PASS", "pass", "Pass.", "ПАС", "*ПАС*", "PASS:", "«Пропуск»"])
def test_a_keyword_that_takes_nothing_stands_alone(line: str) -> None:
    assert items(line) == [("PASS", "")]


@pytest.mark.parametrize(
    ("line", "guess"),
    [
        *(
            ("VOTE Old Tom", "VOTE"),
            ("vote old tom", "VOTE"),
            ("Голос Лесник", "VOTE"),
            ("VOTE for Old Tom", "VOTE"),
            ("Vote for Old Tom", "VOTE"),
        ),
        *(("VOET: Old Tom", "VOTE"), ("VOT: Old Tom", "VOTE"), ("ГОЛСО: Лесник", "VOTE"), ("голоc: ", "VOTE"), ("VOET Old Tom", "VOTE")),
        *(("KILL Duchess", "KILL"), ("kill Duchess", "KILL"), ("УБИТЬ Лесника", "KILL"), ("SAY hello everybody", "SAY")),
        *(
            ("PASS: Old Tom", "PASS"),
            ("pass?", "PASS"),
            ("VOTE", "VOTE"),
            ("VOTE:", "VOTE"),
            ("JOIN:", "JOIN"),
            ("family, let us kill Tom", "FAMILY"),
        ),
        *(("Голосую: Лесник", "VOTE"), ("лечим: Лесник", "HEAL"), ("Проверяем: Лесник", "CHECK"), ("Blocked: Tom", "BLOCK")),
        *(("ОТРАВИТЬ: Лесник", None), ("POISON: Old Tom", None), ("VOTE: T\ufffdm", "VOTE"), ("LANG ru", "LANG")),
    ],
)
def test_a_near_command_is_asked_about(line: str, guess: str | None) -> None:
    (item,) = read_lines(line, WORDS).items
    assert isinstance(item, NotUnderstood)
    assert (item.text, item.guess) == (line.strip(), guess)


@pytest.mark.parametrize(
    "line",
    [
        *("Pass the salt, please.", "Help me, friends.", "Start with the postman.", "I would vote for nobody.", "PS: I was at home."),
        *("We vote today, and I want everybody to think twice.", "Всем привет!", "Скажу так: он молчит.", "It was 7:30 in the evening."),
        *(
            "He said: nothing.",
            "My list: Tom, Duchess.",
            "ЗЫ: был дома.",
            "Old Tom: where were you?",
            "THE END IS NEAR",
            "http://example.org/",
        ),
    ],
)
def test_ordinary_words_are_no_near_command(line: str) -> None:
    understood = read_lines(line, WORDS)
    assert (understood.items, understood.rest) == ((), line)


@pytest.mark.parametrize(
    "line",
    ["VOTE: ‹name›", "VOTE: ‹имя›.", "HEAL: ‹name›, or PASS.", "ГОЛОС: <имя>", "SAY: ‹your words›", "VOTE: <name>", "ЛЕЧИТЬ: « ‹имя› »"],
)
def test_an_example_with_a_placeholder_is_nobodys_command(line: str) -> None:
    understood = read_lines(f"Hello.\n{line}\nBye.", WORDS)
    assert (understood.items, understood.rest) == ((), "Hello.\nBye.")


def test_several_commands_keep_their_order_and_leave_the_other_words() -> None:
    understood = read_lines("Good morning.\n\nVOTE: Duchess\nГОЛОС: Лесник\n\nYours.", WORDS)
    assert [(item.keyword, item.argument) for item in understood.items if isinstance(item, Line)] == [
        ("VOTE", "Duchess"),
        ("VOTE", "Лесник"),
    ]
    assert understood.rest == "Good morning.\n\nYours."


def test_words_go_on_to_the_next_command() -> None:
    text = "SAY: I was at the pond.\n\nThere I saw: nobody.\nVOTE: Old Tom\nThat is all."
    assert items(text) == [("SAY", "I was at the pond.\n\nThere I saw: nobody."), ("VOTE", "Old Tom")]
    assert read_lines(text, WORDS).rest == "That is all."


def test_words_may_begin_on_the_line_below() -> None:
    assert items("В ТЕМУ:\nЯ был у пруда.") == [("SAY", "Я был у пруда.")]


def test_a_near_command_inside_words_comes_before_them_so_that_nothing_is_published() -> None:
    assert items("SAY: hello\nKILL Duchess\nbye") == ["KILL Duchess", ("SAY", "hello")]


def test_join_takes_the_lines_below_as_the_description() -> None:
    assert items("JOIN: Old Tom\nAn old man.\nWith a dog.\n\nHELP") == [("JOIN", "Old Tom\nAn old man.\nWith a dog."), ("HELP", "")]


def test_a_new_game_takes_its_settings_and_nothing_else() -> None:
    text = "NEW GAME\nname = Dacha\n\nparty = 6\nlanguage = ru\n\nBest wishes\nHost"
    assert items(text) == [("NEW GAME", "name = Dacha\nparty = 6\nlanguage = ru")]
    assert read_lines(text, WORDS).rest == "Best wishes\nHost"


def test_a_long_setting_that_was_wrapped_is_one_block() -> None:
    text = "НОВАЯ ИГРА: Дача\ncomposition = 3 mafia, doctor, commissar, priest, maniac, 1 recruiter,\n6 citizens\nparty = 6"
    (line,) = items(text)
    assert line == (
        "NEW GAME",
        "name = Дача\ncomposition = 3 mafia, doctor, commissar, priest, maniac, 1 recruiter,\n6 citizens\nparty = 6",
    )


def test_longer_keywords_win_over_shorter_ones() -> None:
    assert items("CLOSE ANYWAY\nCLOSE\nREMOVE NOW: Old Tom\nREMOVE: Old Tom\nVOTE FOR: Ёжик = Лесник") == [
        *(("CLOSE ANYWAY", ""), ("CLOSE", ""), ("REMOVE NOW", "Old Tom"), ("REMOVE", "Old Tom"), ("VOTE FOR", "Ёжик = Лесник"))
    ]


def test_rules_may_ask_for_a_part() -> None:
    assert items("RULES: SEAL\nRULES\nПРАВИЛА") == [("RULES", "SEAL"), ("RULES", ""), ("RULES", "")]


@pytest.mark.parametrize("text", ["well, VOTE: you", "x в тему : y", "**VОТЕ**： z", "my last\nwords: bye", "«ГОЛОСУЮ ЗА»: a", "a vote:b"])
def test_a_keyword_with_a_colon_is_found_anywhere(text: str) -> None:
    assert looks_like_command(text, WORDS)


@pytest.mark.parametrize("text", ["I say that he votes", "devote: him", "at 7:30", "Ваш выбор: Ёжик", "essay: x"])
def test_words_that_only_hold_a_keyword_are_not(text: str) -> None:
    assert looks_like_command(text, WORDS) is None


@pytest.mark.parametrize(
    ("subject", "read"),
    [
        *(("VOTE: Old Tom", "VOTE: Old Tom"), ("голос: Лесник", "голос: Лесник")),
        *(
            (prefix + "VOTE: Old Tom", "\n")
            for prefix in ("Re: ", "RE[2]: ", "Отв: ", "Ответ: ", "Fwd: ", "FW: ", "Пересл: ", "HA: ", "AW: ", "WG: ")
        ),
        ("[Dacha] Re: VOTE: Old Tom", "\n"),
    ],
)
def test_a_subject_is_read_over_an_empty_body_unless_it_answers(subject: str, read: str) -> None:
    assert from_subject(subject, "\n") == read
    assert from_subject(subject, "Hello.") == "Hello."


def test_more_commands_than_anybody_needs_are_not_all_read() -> None:
    understood = read_lines("VOTE: Old Tom\n" * 500, WORDS)
    assert len(understood.items) == 31
    assert isinstance(understood.items[-1], NotUnderstood)
