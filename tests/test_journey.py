"""Whole games by mail: every recorded party (4.4) from NEW GAME to the last letter, with real mails in and golden letters out.

Everything is real but the network and the clock; the players are those of the demo, half of them Russian.
`pytest --golden` writes the golden files anew.
"""

from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import pytest

from mafiamail.game.deal import PARTIES
from mafiamail.game.events import NightResolved, VoteClosed
from mafiamail.game.model import Stage
from mafiamail.game.victory import winner
from tests import programme
from tests.kit import HOST
from tests.theatre import Theatre


class Tour(NamedTuple):
    """A party, the seed of its script, the host's language, and what differs from the usual rules."""

    party: str
    seed: int
    language: str = "en"
    lines: str = ""


WITH_ALL_LETTERS = Tour("6", 30)
TOURS = (
    Tour("1", 3),
    Tour("2", 4, "en", "reveal = side"),
    Tour("3", 9, "ru", "victory = parity"),
    Tour("4", 3, "ru", "victory = parity\nclose_early = no"),
    Tour("5", 2, "en", "victory = parity"),
    Tour("7", 2, "en", "victory = parity"),
    Tour("8", 5),
    Tour("9", 3, "ru", "victory = parity\nreveal = role"),
    Tour("10", 11, "en", "tie = random\nreveal = role"),
    Tour("11", 8),
    Tour("unnumbered", 5, "en", "victory = parity\ntie = all"),
    Tour("12", 9, "ru", "tie = revote\nvictory = parity"),
    Tour("13", 7),
    Tour("14", 8, "ru", "last_words = 0\nvictory = parity"),
    Tour("15", 12, "en", "victory = parity\nfamily_orders = last"),
    Tour("16", 6, "en", "victory = parity"),
    Tour("17", 10, "en", "victory = parity"),
    Tour("18", 3, "ru", "begins = night\nvictory = parity"),
    Tour("19", 4, "en", "variant = one\nday_limit = 36h\nvictory = parity"),
)
EVERY = (WITH_ALL_LETTERS, *TOURS)
NOT_UNDERSTOOD = ("Not understood –", "Непонятно –")


@cache
def played(tour: Tour) -> Theatre:
    """Each game is played once for all tests of it."""
    return Theatre(tour.party, tour.seed, tour.language, tour.lines, talk=tour is WITH_ALL_LETTERS).play()


def each(tours: tuple[Tour, ...]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("tour", [pytest.param(tour, id=f"party {tour.party}") for tour in tours])


def test_every_recorded_party_is_played_4_4() -> None:
    assert {tour.party for tour in EVERY} == set(PARTIES)


def test_every_letter_of_party_6_says_what_it_said_when_it_was_found_right(golden: Callable[[str, str], None]) -> None:
    game = played(WITH_ALL_LETTERS)
    golden("party-6-letters.txt", programme.letters_of(game.steps, programme.one_of_each_role(game.game)))


@each(TOURS)
def test_a_party_takes_its_course(tour: Tour, golden: Callable[[str, str], None]) -> None:
    golden(f"party-{tour.party}.txt", programme.transcript(played(tour).steps))


@each(EVERY)
def test_a_game_by_mail_comes_to_its_end_by_itself(tour: Tour) -> None:
    theatre = played(tour)
    game = theatre.game
    assert game.phase.stage is Stage.OVER
    assert game.winner is not None
    assert winner(game.but(phase=theatre.steps[-2].game.phase)) in (game.winner, None)  # None: a draw by quiet days


@each(EVERY)
def test_each_mail_of_a_person_has_exactly_one_receipt(tour: Tour) -> None:
    for step in played(tour).steps:
        if step.actor is not None:
            answers = [letter.to for letter in step.letters if letter.header("Auto-Submitted") == "auto-replied"]
            assert answers == [step.actor.address], (step.at, step.text)


@each(EVERY)
def test_all_that_was_sent_was_understood(tour: Tour) -> None:
    """The script knows the language of letters: whatever is refused is refused by the rules, never for its spelling."""
    for step in played(tour).steps:
        assert not any(doubt in letter.plain for letter in step.letters for doubt in NOT_UNDERSTOOD), (step.actor, step.text)


@each(EVERY)
def test_everybody_gets_the_same_number_of_public_letters(tour: Tour) -> None:
    """1.7, 4.3: votes, deaths and phases are told to all, the dead and the host included."""
    theatre = played(tour)
    counts = Counter(letter.to for letter in theatre.letters if "[Dacha] Day" in letter.subject or "[Dacha] День" in letter.subject)
    nights = sum(isinstance(event, NightResolved) for event in theatre.log)
    assert set(counts) == {HOST, *(actor.address for actor in theatre.actors)}
    assert max(counts.values()) - min(counts.values()) <= nights + 1  # who is dead reads of a Night in the thread, the living in private


@each(EVERY)
def test_every_vote_that_closed_was_told_to_everybody(tour: Tour) -> None:
    theatre = played(tour)
    closed = sum(isinstance(event, VoteClosed) for event in theatre.log)
    told = Counter(letter.to for letter in theatre.letters if letter.plain.startswith(("The vote of Day", "Голосование Дня")))
    assert set(told.values()) == {closed}
    assert len(told) == len(theatre.actors) + 1


@each(EVERY)
def test_each_day_is_one_thread_and_private_letters_another(tour: Tour) -> None:
    theatre = played(tour)
    for reader in (HOST, theatre.actors[0].address, theatre.actors[2].address):
        threads: dict[str, set[str]] = {}
        for letter in theatre.world.to(reader):
            root = letter.header("References").split()[0] if letter.header("References") else letter.message_id
            threads.setdefault(letter.subject, set()).add(root)
        days = {subject: roots for subject, roots in threads.items() if "Day" in subject or "День" in subject}
        assert days
        assert all(len(roots) == 1 for roots in days.values()), days


def test_the_same_game_is_the_same_to_the_letter() -> None:
    tour = TOURS[0]
    again = Theatre(tour.party, tour.seed, tour.language, tour.lines, talk=False).play()
    assert [letter.content for letter in again.letters] == [letter.content for letter in played(tour).letters]


def test_letters_of_both_languages_are_among_the_golden_ones() -> None:
    texts = [letter.text for letter in played(WITH_ALL_LETTERS).letters]
    assert any("Ваша роль" in text for text in texts)
    assert any("Your role" in text for text in texts)
