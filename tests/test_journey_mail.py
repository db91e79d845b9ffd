"""By mail: who wrote, for which game, and what happens when mail, mailbox or server do not behave."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from shutil import copytree

import pytest

from mafiamail import config as configuration
from mafiamail.game.model import Stage
from mafiamail.letters.languages import Languages
from mafiamail.mail.transports import LoginRefused, TryLater, Undeliverable
from mafiamail.mail.transports.memory import MemoryPostman
from tests.kit import DAEMON, HOST, NAMES, OUTSIDE, Letter, World, address, new_game
from tests.theatre import fixed_secrets

GAME = "mafia+g1@example.org"
PLAYERS = NAMES[:7]


@pytest.fixture(autouse=True)
def same_deal(request: pytest.FixtureRequest) -> Iterator[None]:
    with fixed_secrets(request.node.name):
        yield


def votes(world: World, number: int = 1) -> dict[str, str]:
    game = world.game(number)
    return {game.players[who].character: game.players[ballot.whom].character for who, ballot in game.ballots.items()}


# the mailbox cannot be read


@pytest.mark.parametrize("trouble", [TryLater("no route"), LoginRefused("bad password")])
def test_while_the_mailbox_cannot_be_read_no_clock_runs_and_mail_in_time_counts_3(trouble: Exception) -> None:
    world = new_game(World())
    began = world.game().phase.began
    world.wait(hours=46)
    world.mailbox.broken = trouble
    world.at = began + timedelta(hours=47)
    assert world.say("Anna", "VOTE: Boris") == []
    world.at = began + timedelta(hours=60)
    assert world.say("Clara", "VOTE: Boris") == []
    assert world.stage() is Stage.DAY
    world.mailbox.broken = None
    world.daemon.round()
    assert world.stage() is Stage.LAST_WORDS or world.stage() is Stage.NIGHT
    assert world.player("Boris").fate is not None  # executed by the one vote that came in time
    assert "(1.7)" in world.last(address("Clara"), "Your letter").plain  # by then it was Night


def test_letters_go_out_although_the_mailbox_cannot_be_read() -> None:
    world = new_game(World())
    world.postman.refusals[address("Anna")] = TryLater("busy")
    world.say("Boris", "SAY: Good morning.")
    world.mailbox.broken = TryLater("no route")
    del world.postman.refusals[address("Anna")]
    world.wait(minutes=5)
    assert any("Good morning." in letter.plain for letter in world.to(address("Anna")))


# two games in one mailbox


@pytest.fixture
def two() -> World:
    """Two games with the same people under the same names."""
    return new_game(new_game(World()))


def test_without_a_sign_of_the_game_it_is_asked(two: World) -> None:
    letters = two.mail(address("Anna"), "VOTE: Boris")
    assert [letter.to for letter in letters] == [address("Anna")]
    assert "GAME: ‹" in letters[0].plain
    assert (votes(two, 1), votes(two, 2)) == ({}, {})


def test_plus_g_and_a_line_game_choose(two: World) -> None:
    two.mail(address("Anna"), "VOTE: Boris", to="mafia+g2@example.org")
    two.mail(address("Clara"), "GAME: 1\nVOTE: Emma")
    two.mail(address("Clara"), "ИГРА: 2\nГОЛОС: Emma")
    assert votes(two, 1) == {"Clara": "Emma"}
    assert votes(two, 2) == {"Anna": "Boris", "Clara": "Emma"}


def test_an_answer_belongs_to_the_game_of_its_letter(two: World) -> None:
    first, second = [letter for letter in two.to(address("Anna")) if letter.subject == "[Dacha] Day 1"]
    two.mail(address("Anna"), "VOTE: Boris", answering=second)
    two.mail(address("Anna"), "VOTE: Clara", answering=first)
    assert (votes(two, 1), votes(two, 2)) == ({"Anna": "Clara"}, {"Anna": "Boris"})


def test_the_secret_wins_over_the_line_game(two: World) -> None:
    second = [letter for letter in two.to(address("Anna")) if letter.subject == "[Dacha] Day 1"][1]
    two.mail(address("Anna"), "GAME: 1\nVOTE: Boris", answering=second)
    assert votes(two, 1) == {}


def test_the_games_go_on_by_themselves(two: World) -> None:
    two.execute("Boris", 2)
    assert (two.stage(1), two.stage(2)) == (Stage.DAY, Stage.LAST_WORDS)
    assert two.player("Boris", 1).alive


def test_a_host_of_two_games_is_asked_and_a_finished_game_is_out_of_the_question(two: World) -> None:
    assert "GAME: ‹" in two.mail(HOST, "STATUS")[-1].plain
    letters = two.mail(HOST, "END", to="mafia+g1@example.org")
    two.mail(HOST, "", answering=next(letter for letter in letters if "Do you mean it" in letter.text))
    two.mail(address("Anna"), "VOTE: Boris")
    assert votes(two, 2) == {"Anna": "Boris"}


# who wrote it


def confirm(world: World, letters: list[Letter]) -> list[Letter]:
    return world.mail(letters[0].to, "", answering=letters[0])


@pytest.fixture
def outside() -> World:
    """A mailbox that vouches for nobody: everything so far has been confirmed by answering a letter."""
    world = World(mail_keys=OUTSIDE)
    confirm(world, world.mail(HOST, "NEW GAME\nname = Dacha\ncomposition = 2 mafia, doctor, commissar, 3 citizens"))
    for name in PLAYERS:
        confirm(world, world.mail(address(name), f"JOIN: {name}", to=GAME))
    confirm(world, world.mail(HOST, "START", to=GAME))
    assert world.stage() is Stage.DAY
    return world


def test_without_a_proof_nothing_counts_until_a_letter_to_the_known_address_is_answered(outside: World) -> None:
    letters = outside.mail(address("Anna"), "VOTE: Boris", to=GAME)
    assert [letter.to for letter in letters] == [address("Anna")]
    assert votes(outside) == {}
    outside.wait(hours=3)
    confirm(outside, letters)
    assert votes(outside) == {"Anna": "Boris"}
    assert next(iter(outside.game().ballots.values())).at == outside.at  # from the arrival of the confirmation


def test_a_confirmation_is_good_for_one_time_and_for_its_own_address(outside: World) -> None:
    letters = outside.mail(address("Anna"), "SAY: Good morning.", to=GAME)
    assert {letter.to for letter in outside.mail(address("Boris"), "", answering=letters[0])} <= {HOST}
    confirm(outside, letters)
    confirm(outside, letters)
    assert sum("Good morning." in letter.plain for letter in outside.to(address("Clara"))) == 1


def test_the_reply_address_proves_the_writer(outside: World) -> None:
    outside.mail(address("Anna"), "VOTE: Boris", answering=outside.last(address("Anna"), "Day 1"))
    assert votes(outside) == {"Anna": "Boris"}


def test_the_reference_to_ones_own_letter_proves_the_writer_where_there_are_no_plus_addresses(outside: World) -> None:
    letter = outside.last(address("Anna"), "Day 1")
    outside.mail(address("Anna"), "VOTE: Boris", In_Reply_To=letter.message_id)
    assert votes(outside) == {"Anna": "Boris"}


def test_the_reference_to_another_mans_letter_proves_nothing(outside: World) -> None:
    letter = outside.last(address("Clara"), "Day 1")
    outside.mail(address("Anna"), "VOTE: Boris", In_Reply_To=letter.message_id)
    assert votes(outside) == {}


def test_what_changes_nothing_is_answered_without_a_proof(outside: World) -> None:
    letters = outside.mail(address("Anna"), "STATUS", to=GAME)
    assert [letter.to for letter in letters] == [address("Anna")]
    assert "VOTE: ‹" in letters[0].plain


def test_the_verdict_of_ones_own_server_proves_and_a_failed_one_ends_it() -> None:
    world = World(mail_keys=OUTSIDE + ", authserv_id: mx.example.org")
    passed = "mx.example.org; dkim=pass header.d=example.org; dmarc=pass header.from=example.org"
    failed = "mx.example.org; spf=fail smtp.mailfrom=example.org; dmarc=fail header.from=example.org"
    letters = world.mail(HOST, "NEW GAME\nparty = 6", Authentication_Results=failed)
    assert not any("mafia+g" in letter.plain for letter in letters)
    assert not world.store.log.games()
    world.mail(HOST, "NEW GAME\nparty = 6", Authentication_Results=passed)
    assert world.store.log.games() == [1]


@pytest.mark.parametrize("forger", [address("Boris"), "nobody@example.net", HOST])
def test_anothers_secret_reply_address_has_no_effect_and_gets_no_answer(forger: str) -> None:
    world = new_game(World())
    log, letters = world.store.log.events(1), []
    for stolen in (world.last(address("Anna"), "Day 1"), world.last(address("Anna"), "Private")):
        for text in ("VOTE: Clara", "STATUS", "SAY: I am Anna.", "Just words."):
            letters += world.mail(forger, text, answering=stolen)
    assert world.store.log.events(1) == log
    told = {HOST, address("Anna")} | (
        {forger} if forger == address("Boris") else set()
    )  # a fellow player may have answered the wrong letter
    assert {letter.to for letter in letters} <= told
    assert not any("Anna" in letter.plain for letter in letters if letter.to == forger != HOST)
    assert not any("VOTE" in letter.plain or "I am Anna." in letter.plain for letter in letters if letter.to != forger)


def test_a_player_who_uses_anothers_secret_is_not_shown_to_him_5_2() -> None:
    world = new_game(World())
    letters = world.mail(address("Boris"), "VOTE: Clara", answering=world.last(address("Anna"), "Day 1"))
    assert not any(address("Boris") in letter.plain for letter in letters if letter.to == address("Anna"))


# what nobody has written


MACHINES = {
    "auto-submitted": {"Auto_Submitted": "auto-replied"},
    "vacation": {"X_Autoreply": "yes"},
    "bulk": {"Precedence": "bulk"},
    "own mark": {"X_Mafiamail": "1"},
    "empty return path": {"Return_Path": "<>"},
}


@pytest.mark.parametrize("headers", MACHINES.values(), ids=MACHINES)
def test_automatic_mail_is_never_answered_and_never_obeyed(headers: dict[str, str]) -> None:
    world = new_game(World())
    assert world.mail(address("Anna"), "VOTE: Boris", answering=world.last(address("Anna"), "Day 1"), **headers) == []
    assert votes(world) == {}


@pytest.mark.parametrize("sender", [DAEMON, "mafia+abc@example.org", "MAILER-DAEMON@mx.example.net"])
def test_own_letters_and_mail_of_servers_are_never_answered(sender: str) -> None:
    world = new_game(World())
    assert world.mail(sender, "VOTE: Boris", to=GAME) == []
    assert votes(world) == {}


def test_a_letter_of_ours_that_comes_back_is_not_answered() -> None:
    world = new_game(World())
    for letter in world.letters():
        assert world.raw(letter.content) == []


def test_a_hard_bounce_is_told_to_the_host_alone() -> None:
    world = new_game(World())
    bounce = (Path(__file__).parent / "mails" / "15-bounce-hard-dsn.eml").read_bytes()
    bounced = re.search(rb"(?im)^final-recipient:[^;]*;\s*(\S+)", bounce)
    assert bounced
    letters = world.raw(bounce.replace(bounced[1], address("Anna").encode()))
    assert {letter.to for letter in letters} == {HOST}
    assert address("Anna") in letters[0].plain or "Anna" in letters[0].plain


def test_a_mail_seen_twice_counts_once() -> None:
    world = new_game(World())
    mail = f"From: {address('Anna')}\r\nTo: {GAME}\r\nMessage-ID: <once@players.example.org>\r\n\r\nSAY: Good morning.\r\n".encode()
    assert len(world.raw(mail)) >= 8
    assert world.raw(mail) == []
    assert world.raw(b"X-Moved: to another folder\r\n" + mail) == []


def test_mail_that_cannot_be_read_changes_nothing_and_stops_nothing() -> None:
    world = new_game(World())
    for content in (b"", b"\xff\xfe\x00", b"From: a@b\r\n" * 3000, b"From: nobody\r\n\r\nVOTE: Boris", b"x" * 1_200_000):
        world.raw(content)
    world.say("Anna", "VOTE: Boris")
    assert votes(world) == {"Anna": "Boris"}


# letters that cannot be written or sent


@dataclass(slots=True)
class Busy(MemoryPostman):
    """A postman who notes each attempt, also those that fail."""

    attempts: list[bytes] = field(default_factory=list)

    def send(self, letter: bytes, sender: str, recipient: str) -> None:
        self.attempts.append(letter)
        MemoryPostman.send(self, letter, sender, recipient)


def test_a_letter_that_must_wait_is_sent_again_as_the_same_letter(tmp_path: Path) -> None:
    world = new_game(World(database=str(tmp_path / "game.db")))
    world.postman = Busy(refusals={address("Clara"): TryLater("greylisted")})
    world.open()
    world.say("Anna", "SAY: Good morning.")
    for minutes in (1, 2, 5):
        world.wait(minutes=minutes)
    world.postman.refusals.clear()
    world.wait(minutes=10)
    tried = [letter for letter in world.postman.attempts if b"To: " + address("Clara").encode() in letter]
    assert len(tried) >= 3
    assert len(set(tried)) == 1  # bytes and Message-ID alike


def test_one_recipient_who_must_wait_delays_nobody_else() -> None:
    world = new_game(World())
    world.postman.refusals[address("Clara")] = TryLater("greylisted")
    letters = world.say("Anna", "SAY: Good morning.")
    assert {letter.to for letter in letters} >= {HOST, *map(address, PLAYERS)} - {address("Clara")}


def test_who_cannot_be_reached_is_told_to_the_host_only() -> None:
    world = new_game(World())
    world.postman.refusals[address("Clara")] = Undeliverable(550, "no such user here")
    letters = world.say("Anna", "SAY: Good morning.")
    trouble = [letter for letter in letters if "no such user here" in letter.plain]
    assert [letter.to for letter in trouble] == [HOST]
    assert "Clara" in trouble[0].plain
    assert world.stage() is Stage.DAY
    world.wait(hours=1)
    assert not [letter for letter in world.letters() if letter.to == address("Clara") and "Good morning." in letter.plain]


def test_after_two_days_a_letter_is_given_up_and_the_host_told() -> None:
    world = new_game(World())
    world.postman.refusals[address("Clara")] = TryLater("mailbox full")
    world.say("Anna", "SAY: Good morning.")
    for _ in range(60):
        world.wait(hours=1)
    assert any("Clara" in letter.plain and "48 hours" in letter.plain for letter in world.to(HOST))


def test_a_broken_template_delays_its_letter_and_never_the_game(tmp_path: Path) -> None:
    folder = tmp_path / "templates"
    copytree(configuration.builtin_templates(), folder)
    whole = (folder / "en" / "post.txt").read_text(encoding="utf-8")
    (folder / "en" / "post.txt").write_text("Subject: x\n{{ nobody.knows.this }}\n", encoding="utf-8")
    world = new_game(World(database=str(tmp_path / "game.db"), languages=Languages([folder])))
    letters = world.say("Anna", "SAY: Good morning.")
    assert {letter.to for letter in letters} == {address("Anna")}  # her receipt
    world.say("Anna", "VOTE: Boris")
    assert votes(world) == {"Anna": "Boris"}
    (folder / "en" / "post.txt").write_text(whole, encoding="utf-8")
    world.languages = Languages([folder])
    world.open()
    world.wait(minutes=10)
    told = {letter.to for letter in world.letters() if "Good morning." in letter.plain}
    assert told >= {HOST, *map(address, PLAYERS)} - {address("Anna")}
