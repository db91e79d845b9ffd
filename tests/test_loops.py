"""Robots that answer our letters: none gets more than three answers, and none has any effect."""

from collections.abc import Callable
from email import message_from_bytes
from email.message import Message

from tests.kit import HOST, Letter, World, address, new_game

TURNS = 12
Answering = Callable[[Letter], bytes | None]


def reply(letter: Letter, text: str, sender: str = "", **headers: str) -> bytes:
    """What a simple program writes back."""
    fields = {
        "From": sender or letter.to,
        "To": letter.reply_to or "mafia@example.org",
        "Subject": f"Re: {letter.subject}",
        "In-Reply-To": letter.message_id,
        "Message-ID": f"<{abs(hash(letter.message_id))}@robots.example.net>",
    } | {name.replace("_", "-"): value for name, value in headers.items()}
    mail = Message()
    for name, value in fields.items():
        if value:
            mail[name] = value
    mail.set_payload(text.encode(), "utf-8")
    return mail.as_bytes()


def turns(world: World, robot: str, answer: Answering, begin: list[Letter]) -> int:
    """How many letters the robot gets while it answers each of them."""
    waiting, got = [letter for letter in begin if letter.to == robot], 0
    for _ in range(TURNS):
        if not waiting:
            break
        got += len(waiting)
        answers = [mail for letter in waiting if (mail := answer(letter)) is not None]
        waiting = [letter for mail in answers for letter in world.raw(mail) if letter.to == robot]
        world.wait(minutes=1)
    return got


def test_a_stranger_who_answers_everything_gets_one_letter() -> None:
    world = new_game(World(), started=False)
    robot = "shop@robots.example.net"
    begin = world.mail(robot, "Dear customer, thank you for your message.")
    assert turns(world, robot, lambda letter: reply(letter, "Dear customer, thank you for your message."), begin) == 1


def test_a_stranger_whose_robot_writes_commands_gets_one_answer_for_each_reason() -> None:
    world = new_game(World(), started=False)
    robot = "shop@robots.example.net"
    begin = world.mail(robot, "JOIN: VOTE")
    assert turns(world, robot, lambda letter: reply(letter, "JOIN: VOTE"), begin) == 1


def test_a_player_whose_program_answers_everything_gets_three_letters() -> None:
    world = new_game(World())
    robot = address("Anna")
    begin = world.mail(robot, "What shall I do?", answering=world.last(robot))
    assert turns(world, robot, lambda letter: reply(letter, "I am away, and will write when I am back."), begin) == 3


def test_a_program_whose_answers_differ_each_time_gets_three_letters() -> None:
    world = new_game(World())
    robot, numbers = address("Anna"), iter(range(1, 99))
    begin = world.mail(robot, "What shall I do?", answering=world.last(robot))
    assert turns(world, robot, lambda letter: reply(letter, f"TICKET: {next(numbers)} has been opened."), begin) == 3


def test_a_program_that_quotes_our_letter_without_any_mark_gets_three_letters() -> None:
    world = new_game(World())
    robot = address("Anna")
    begin = world.mail(robot, "What shall I do?", answering=world.last(robot))
    assert turns(world, robot, lambda letter: reply(letter, "We got your letter:\n\n" + letter.text), begin) <= 3


def test_a_program_that_answers_without_saying_what_gets_three_letters() -> None:
    world = new_game(World())
    robot = address("Anna")
    begin = world.mail(robot, "What shall I do?", answering=world.last(robot))
    assert turns(world, robot, lambda letter: reply(letter, "I am away.", In_Reply_To=""), begin) == 3


def test_a_program_that_answers_and_says_so_gets_nothing() -> None:
    world = new_game(World())
    robot = address("Anna")
    begin = world.mail(robot, "What shall I do?", answering=world.last(robot))
    assert turns(world, robot, lambda letter: reply(letter, "I am away.", Auto_Submitted="auto-replied"), begin) == 1


def test_a_player_who_errs_many_times_in_letters_of_his_own_is_answered_each_time() -> None:
    world = new_game(World())
    for attempt in range(6):
        assert [
            letter.to for letter in world.mail(address("Anna"), f"VOTE: Nobody{attempt}", answering=world.last(address("Anna"), "role"))
        ]


def test_a_command_that_is_obeyed_ends_the_count() -> None:
    world = new_game(World())
    anna = address("Anna")
    for _ in range(5):
        for _ in range(2):
            assert world.mail(anna, "VOTTE: Boris", answering=world.last(anna))
        assert world.mail(anna, "STATUS", answering=world.last(anna))


def test_a_second_daemon_and_this_one_have_nothing_to_say_to_each_other() -> None:
    other = World(extra="", at=World().at)
    world = new_game(World(), started=False)
    other.config = other.config.model_copy(
        update={"mail": other.config.mail.model_copy(update={"address": "werewolf@example.net"}), "hosts": ("mafia@example.org",)}
    )
    other.open()
    letters = world.mail("werewolf@example.net", "I would like to play, how do I do that?")
    letters = [letter for letter in letters if letter.to == "werewolf@example.net"]
    sent = len(letters)
    for _ in range(TURNS):
        if not letters:
            break
        answers = [letter for mail in letters for letter in other.raw(mail.content)]
        sent += len(answers)
        letters = [letter for mail in answers for letter in world.raw(mail.content) if letter.to == "werewolf@example.net"]
        sent += len(letters)
    assert sent <= 3


def bounce(letter: Letter, code: str = "5.1.1", action: str = "failed") -> bytes:
    """A delivery report of another server, with the header of our letter in it."""
    original = message_from_bytes(letter.content)
    head = "".join(f"{name}: {value}\n" for name, value in original.items() if name in ("From", "To", "Subject", "Message-ID"))
    return (
        f"Return-Path: <>\nFrom: MAILER-DAEMON@mx.example.net\nTo: mafia@example.org\nSubject: Undelivered Mail\n"
        f"Message-ID: <{abs(hash(letter.message_id))}@mx.example.net>\n"
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\nNo such user.\n"
        f"--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.net\n\nFinal-Recipient: rfc822; {letter.to}\n"
        f"Action: {action}\nStatus: {code}\n\n--b\nContent-Type: text/rfc822-headers\n\n{head}\n--b--\n"
    ).encode()


def test_a_stranger_whose_address_bounces_gets_one_letter() -> None:
    world = new_game(World(), started=False)
    robot = "nobody@robots.example.net"
    begin = world.mail(robot, "Hello?")
    assert turns(world, robot, bounce, begin) == 1


def test_a_player_whose_address_bounces_gets_no_more_letters_and_the_host_is_told_once() -> None:
    world = new_game(World())
    anna = address("Anna")
    first = world.last(anna)
    letters = [
        letter
        for _ in range(3)
        for letter in world.raw(bounce(first).replace(b"Subject: Und", f"X: {world.wait(minutes=1)}\nSubject: Und".encode()))
    ]
    assert [letter.to for letter in letters] == [HOST]
    assert "come back: Anna" in letters[0].plain
    before = len(world.to(anna))
    world.mail(HOST, "ANNOUNCE: Anna does not answer.", answering=world.last(HOST))
    world.until_the_end_of_the_phase()
    assert len(world.to(anna)) == before


def test_letters_that_were_held_back_go_out_when_he_writes_again() -> None:
    world = new_game(World())
    anna = address("Anna")
    first = world.last(anna)
    world.raw(bounce(first))
    world.mail(HOST, "ANNOUNCE: Anna does not answer.", answering=world.last(HOST))
    assert "Anna does not answer." not in world.last(anna).plain
    letters = world.mail(anna, "VOTE: Boris", answering=first)
    assert {"Anna does not answer." in letter.plain for letter in letters if letter.to == anna} == {True, False}


def test_a_soft_bounce_says_nothing_to_anybody() -> None:
    world = new_game(World())
    first = world.last(address("Anna"))
    assert world.raw(bounce(first, "4.2.2", "delayed")) == []
    assert world.raw(bounce(first, "5.4.5").replace(b"Undelivered", b"Undelivered again")) == []


def test_answers_above_the_cap_of_an_hour_wait_until_it_is_over() -> None:
    world = new_game(World(extra="answers_per_hour: 5\n"))
    anna = address("Anna")
    world.wait(hours=2)
    got = [len(world.mail(anna, "STATUS", answering=world.last(anna))) for _ in range(8)]
    assert got == [1, 1, 1, 1, 1, 0, 0, 0]
    before = len(world.to(anna))
    world.wait(minutes=59)
    assert len(world.to(anna)) == before
    world.wait(minutes=2)
    assert len(world.to(anna)) == before + 3


def test_strangers_get_nothing_where_the_host_wants_it_so() -> None:
    world = World(extra="strangers: ignore\n")
    world.mail(HOST, "NEW GAME\nname = Dacha\nparty = 6")
    assert world.mail("shop@robots.example.net", "Hello?") == []
    assert world.mail("shop@robots.example.net", "HELP") == []
    assert {letter.to for letter in world.mail("zoe@example.net", "JOIN: Zoe", to="mafia+g1@example.org")} >= {"zoe@example.net"}
