"""Mail that cannot be read, takes too long, quotes our letters or comes twice: the game goes on, and whoever must know is told."""

import re
import time

import pytest

from mafiamail.desk import desk as desk_room
from mafiamail.desk.patience import TooSlow, patience
from mafiamail.mail.message import LARGEST, Inbound, Raw
from mafiamail.mail.message import read as really_read
from mafiamail.store import tables
from tests.kit import DAEMON, HOST, World, address, new_game
from tests.mail.test_hostile import HOSTILE

ANNA = address("Anna")


def content(text: str, *headers: str, sender: str = ANNA, to: str = DAEMON) -> bytes:
    return "\n".join([f"From: {sender}", f"To: {to}", *headers, "", text, ""]).encode()


def mixed(*parts: str) -> tuple[str, str]:
    """The body, and the header that goes with it."""
    return "\n".join(f"--b\n{part}" for part in parts) + "\n--b--", "Content-Type: multipart/mixed; boundary=b"


# a limit for each mail


def test_a_mail_that_takes_too_long_is_set_aside_and_the_next_one_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    world = new_game(World())

    def read(raw: Raw, authserv_id: str | None) -> Inbound:
        if b"endless" in raw.content:
            re.fullmatch(r"(a|a)*b", "a" * 64)
        return really_read(raw, authserv_id)

    monkeypatch.setattr(desk_room, "read", read)
    monkeypatch.setattr(desk_room, "patience", lambda: patience(0.2))
    begin = time.process_time()
    letters = world.raw(content("endless"))
    assert time.process_time() - begin < 2
    assert [(letter.to, "could not be dealt with" in letter.plain) for letter in letters] == [(HOST, True)]
    assert world.game().paused is None
    assert "Your vote counts" in world.mail(ANNA, "VOTE: Boris")[0].plain


def test_a_mail_that_breaks_the_reader_is_kept_and_the_host_told_whoever_wrote_it(monkeypatch: pytest.MonkeyPatch) -> None:
    world = new_game(World())

    def read(raw: Raw, authserv_id: str | None) -> Inbound:
        if b"broken" in raw.content:
            raise ZeroDivisionError
        return really_read(raw, authserv_id)

    monkeypatch.setattr(desk_room, "read", read)
    letters = world.raw(content("broken", sender="shop@robots.example.net"))
    assert [(letter.to, "kept" in letter.plain) for letter in letters if letter.to == HOST] == [(HOST, True)]
    assert world.game().paused is None
    assert "Your vote counts" in world.mail(ANNA, "VOTE: Boris")[0].plain


def test_patience_ends_even_in_the_middle_of_a_regular_expression() -> None:
    with pytest.raises(TooSlow), patience(0.05):
        re.fullmatch(r"(a|a)*b", "a" * 64)
    with patience(0.05):
        pass
    deadline = time.process_time() + 0.1
    while time.process_time() < deadline:
        pass  # the timer is off again


# what cannot be read


def test_a_vote_with_a_photograph_counts() -> None:
    world = new_game(World())
    photograph = "Content-Type: image/jpeg\nContent-Transfer-Encoding: base64\n\n" + "QUJD" * 19 * 40_000
    body, kind = mixed("Content-Type: text/plain\n\nVOTE: Boris", photograph)
    assert "Your vote counts: Boris" in world.raw(content(body, kind))[0].plain


def test_a_mail_that_is_too_big_is_answered() -> None:
    world = new_game(World())
    letters = world.raw(content("VOTE: Boris\n" + "x" * LARGEST))
    assert [(letter.to, "too big" in letter.plain) for letter in letters] == [(ANNA, True)]
    assert not world.game().ballots


def test_a_big_automatic_answer_is_not_answered() -> None:
    world = new_game(World())
    assert world.raw(content("x" * LARGEST, "Auto-Submitted: auto-replied")) == []


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        (("Content-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\neJ8+",), "could not be opened"),
        (("Content-Type: application/pgp-encrypted\n\nVersion: 1", "Content-Type: application/octet-stream\n\nx"), "could not be opened"),
        (("Content-Type: message/rfc822\n\nFrom: a@b.example\n\nVOTE: Boris",), "a forwarded letter is never obeyed"),
    ],
)
def test_a_mail_without_readable_words_is_answered_kindly(parts: tuple[str, ...], words: str) -> None:
    world = new_game(World())
    body, kind = mixed(*parts)
    letters = world.raw(content(body, kind))
    assert [letter.to for letter in letters] == [ANNA]
    assert words in letters[0].plain
    assert not world.game().ballots


def test_a_stranger_whose_mail_cannot_be_read_is_told_once_a_day() -> None:
    world = new_game(World())
    body, kind = mixed("Content-Type: application/ms-tnef\n\nx")
    for expected in (1, 0):
        assert len(world.raw(content(body, kind, f"X-Number: {expected}", sender="zoe@example.net"))) == expected


def test_a_mail_nested_too_deep_is_answered_by_its_header() -> None:
    world = new_game(World())
    bomb = "".join(f"Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n" for level in range(60))
    letters = world.raw(content("", bomb))
    assert [(letter.to, "could not be opened" in letter.plain) for letter in letters] == [(ANNA, True)]


def test_a_header_that_cannot_be_read_is_told_to_the_hosts_once_a_day() -> None:
    world = new_game(World())
    letters = [letter for number in range(3) for letter in world.raw(b"X: " + b"y" * 300_000 + b"%d\n\n" % number)]
    assert sorted(letter.to for letter in letters) == ["cohost@example.org", HOST]


# copies


def test_a_second_copy_does_nothing_and_gets_nothing() -> None:
    world = new_game(World(), lines="variant = one")
    vote = content("VOTE: Boris", "Message-ID: <one@players.example.org>")
    assert len(world.raw(vote)) == 1
    assert world.raw(vote) == []
    assert world.raw(b"Received: by another way\n" + vote) == []


def test_other_words_under_a_known_message_id_are_shown_to_the_host_and_do_not_count() -> None:
    world = new_game(World(), lines="variant = one")
    vote = content("VOTE: Boris", "Message-ID: <one@players.example.org>")
    world.raw(vote)
    letters = world.raw(vote.replace(b"Boris", b"Clara"))
    assert [(letter.to, "VOTE· Clara" in letter.plain) for letter in letters] == [(HOST, True)]
    assert {world.game().players[ballot.whom].character for ballot in world.game().ballots.values()} == {"Boris"}


# our own words


def test_a_letter_of_ours_quoted_without_any_mark_is_never_published() -> None:
    world = new_game(World())
    role = world.last(ANNA, "Your role")
    letters = world.mail(ANNA, "SAY: I am no murderer.\n\n" + role.text, answering=role)
    assert [letter.to for letter in letters] == [ANNA]


def test_a_letter_of_ours_is_known_again_however_a_program_wraps_it() -> None:
    world = new_game(World())
    role = world.last(ANNA, "Your role")
    words = next(line for line in role.text.split("– – –")[1].split("\n") if len(line) > 100 and ":" not in line).split()
    wrapped = "\n".join("| " + " ".join(words[at : at + 9]).title() for at in range(0, len(words), 9))
    letters = world.mail(ANNA, "SAY: I am no murderer.\n" + wrapped, answering=role)
    assert [letter.to for letter in letters] == [ANNA]


def test_words_of_ours_below_ones_own_are_never_published() -> None:
    world = new_game(World())
    role = world.last(ANNA, "Your role")
    words = next(line for line in role.text.split("– – –")[1].split("\n") if len(line) > 100 and ":" not in line)
    letters = world.mail(ANNA, f"SAY: I am no murderer.\nNor is anybody else.\nNobody at all.\n{words}", answering=role)
    assert [letter.to for letter in letters] == [ANNA]
    assert "Words of a letter that you got from here" in letters[0].plain


def test_what_came_back_unpublished_can_be_said_again() -> None:
    world = new_game(World())
    words = "I walked by the pond at dawn and saw two pairs of footprints."
    assert "was no command" in world.mail(ANNA, words, answering=world.last(ANNA))[0].plain
    assert len(world.mail(ANNA, f"SAY: {words}", answering=world.last(ANNA))) > 3


def test_a_near_command_holds_back_what_is_to_be_said() -> None:
    world = new_game(World())
    for text in ("SAY: I trust Boris.\nHEEL: Clara", "HEEL: Clara\nSAY: I trust Boris.", "SAY: I trust Boris.\nKILL Clara"):
        assert {letter.to for letter in world.mail(ANNA, text)} == {ANNA}


def test_words_are_held_back_where_the_two_views_of_a_mail_find_other_commands() -> None:
    world = new_game(World())
    text = "SAY: I trust Boris.\n—\nand then, and then\na long walk\nby the sea\nand back\nand home\nat last\nVOTE: Clara\nin the end"
    assert {letter.to for letter in world.mail(ANNA, text)} == {ANNA}


# names


def test_a_name_that_had_to_be_guessed_is_told_in_the_receipt() -> None:
    world = new_game(World(), lines="variant = one")
    assert "You wrote ‹Borris›, and that was taken for ‹Boris›." in world.mail(ANNA, "VOTE: Borris")[0].plain
    assert "You wrote" not in world.mail(ANNA, "VOTE: boris")[0].plain
    assert "You wrote" not in world.mail(ANNA, f"VOTE: {world.player('Boris').seat}")[0].plain


def test_by_night_a_guessed_name_stands_below_the_line() -> None:
    world = new_game(World(), lines="begins = night")
    doctor = world.with_role("doctor")[0]
    text = world.mail(address(doctor), "HEAL: Borris", answering=world.last(address(doctor)))[0].plain
    assert "‹Borris›" in text.partition("– – –")[2]
    assert "Borris" not in text.partition("– – –")[0]


# everything at once


def test_no_hostile_mail_stops_the_loop_or_is_a_fault_of_ours() -> None:
    world = new_game(World())
    for hostile in HOSTILE.values():
        world.mailbox.deliver(hostile.replace(b"owen@icl.example.org", ANNA.encode()))
    world.daemon.round()
    assert tables.Aside.select().count() == 0
    assert world.game().paused is None
    assert "Your vote counts" in world.mail(address("Boris"), "VOTE: Clara")[0].plain
