"""Whom a name means."""

import pytest

from mafiamail.letters.names import Ambiguous, NoSuchName, alike, find, is_as_written

SEATED = {
    "h1": ("Ёжик", "mafia01"),
    "h2": ("Лесник", "mafia02"),
    "h3": ("Капитан Штиль", "mafia03"),
    "h4": ("Duchess", "mafia04"),
    "h5": ("Old Tom", "mafia05"),
    "h6": ("Мисс О’Брайен", "mafia06"),
    "h7": ("Доктор Рыбкин", "mafia07"),
    "h8": ("Secret Postman", "mafia08"),
    "h9": ("Томас", "mafia11"),
}


@pytest.mark.parametrize(
    ("given", "who"),
    [
        *(
            ("Ёжик", "h1"),
            ("ежик", "h1"),
            ("ЕЖИК", "h1"),
            ("«Ёжик»", "h1"),
            ("Ёжик.", "h1"),
            ("Ёжик!", "h1"),
            ("за Ёжика", "h1"),
            ("Ёжику", "h1"),
        ),
        *(("Лесника", "h2"), ("леснику", "h2"), ("Лесником", "h2"), ("Лесн", "h2"), ("Лестник", "h2")),
        *(("Капитан  Штиль", "h3"), ("капитана штиля", "h3"), ("Капитан", "h3"), ("Штиль", "h3"), ("Капитан-Штиль", "h3")),
        *(("duchess", "h4"), ("Dutchess", "h4"), ("Duch", "h4"), ("Duchess, because she lied", "h4"), ("Duchess (again)", "h4")),
        *(
            ("Old Tom", "h5"),
            ("old\u00a0tom", "h5"),
            ("Оld Тоm", "h5"),
            ("Old\u200b Tom", "h5"),
            ("mafia05", "h5"),
            ("Mafia 5", "h5"),
            ("#5", "h5"),
        ),
        *(
            ("Мисс О'Брайен", "h6"),
            ("мисс обрайен", "h6"),
            ("МИСС О`БРАЙЕН", "h6"),
            ("Доктора Рыбкина", "h7"),
            ("Secret", "h8"),
            ("Postman", "h8"),
        ),
    ],
)
def test_a_name_is_found_however_it_was_written(given: str, who: str) -> None:
    assert find(given, SEATED) == who


CAST = {
    "a": ("Лев", "mafia01"),
    "b": ("Пёс", "mafia02"),
    "c": ("Чёрная Вдова", "mafia03"),
    "d": ("Отец Фёдор", "mafia04"),
    "e": ("Близнецы", "mafia05"),
}


@pytest.mark.parametrize(
    ("given", "who"),
    [
        *(("Льва", "a"), ("льву", "a"), ("Псу", "b"), ("пса", "b"), ("за Чёрную Вдову", "c"), ("черной вдове", "c")),
        *(("Отца Федора", "d"), ("отцу Фёдору", "d"), ("Близнецов", "e"), ("близнецам", "e")),
    ],
)
def test_a_russian_name_is_found_in_any_case_where_the_dictionary_is_installed(given: str, who: str) -> None:
    pytest.importorskip("pymorphy3")
    assert find(given, CAST) == who


def test_two_names_of_one_form_are_asked_about() -> None:
    pytest.importorskip("pymorphy3")
    seated = {"a": ("Петров", "mafia01"), "b": ("Петрова", "mafia02")}
    assert find("Петрову", seated) == Ambiguous("Петрову", ("Петров", "Петрова"))
    assert (find("Петров", seated), find("Петрова", seated)) == ("a", "b")


def test_a_misspelt_name_is_found_only_by_a_clear_margin() -> None:
    seated = {"a": ("Marina", "mafia01"), "b": ("Karina", "mafia02"), "c": ("Duchess", "mafia03")}
    assert find("Dutchess", seated) == "c"
    assert find("Marrina", seated) == Ambiguous("Marrina", ("Marina", "Karina"))


@pytest.mark.parametrize(
    ("given", "plainly"),
    [("Old Tom", True), ("«old tom».", True), ("за Old Tom", True), ("mafia05", True), ("Old Tomm", False), ("Old", False)],
)
def test_what_had_to_be_guessed_is_told_from_what_was_written(given: str, plainly: bool) -> None:
    assert is_as_written(given, "Old Tom", "mafia05") == plainly


@pytest.mark.parametrize(
    ("given", "names"), [("Том", ("Old Tom", "Томас")), ("Old Tom, Duchess", ("Old Tom", "Duchess")), ("Tom", ("Old Tom", "Томас"))]
)
def test_two_who_fit_are_both_named(given: str, names: tuple[str, ...]) -> None:
    assert find(given, SEATED) == Ambiguous(given, names)


@pytest.mark.parametrize("given", ["Nobody", "", "x", "Old Tom or Duchess", "mafia99", "5", "Ё"])
def test_who_is_nobody_is_not_found(given: str) -> None:
    assert isinstance(find(given, SEATED), NoSuchName)


def test_an_exact_name_wins_over_a_longer_one() -> None:
    assert find("Tom", {"a": ("Tom", "mafia01"), "b": ("Tommy", "mafia02")}) == "a"


def test_a_case_of_one_name_that_begins_another_is_a_question() -> None:
    assert isinstance(find("Тома", {"a": ("Том", "mafia01"), "b": ("Томас", "mafia02")}), Ambiguous)


@pytest.mark.parametrize("name", ["old tom", "Оld Тоm", "Old Tоn", "Лесника", "Лестник", "ежик"])
def test_a_new_name_that_could_be_mistaken_is_found_out(name: str) -> None:
    assert alike(name, [character for character, _ in SEATED.values()])


@pytest.mark.parametrize("name", ["Tim", "Граф", "Old Man", "Лев"])
def test_a_new_name_of_its_own_is_free(name: str) -> None:
    assert alike(name, [character for character, _ in SEATED.values()]) is None
