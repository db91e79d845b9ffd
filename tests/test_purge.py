"""PURGE: after the end of a game nothing is kept of its people, and its log stays."""

from pathlib import Path

from mafiamail.game.model import Stage
from mafiamail.mail.transports import TryLater
from tests.kit import BEGIN, HOST, NAMES, Letter, World, address, new_game

SIX = "2 mafia, 4 citizens"
GAME = "mafia+g1@example.org"
FRIEND = "friend@example.net"


def over(composition: str = SIX, lines: str = "", database: str = ":memory:") -> World:
    world = new_game(World(database=database), composition, lines=lines)
    world.say("Anna", "SAY: hello")
    world.mail(HOST, f"CO-HOST: {FRIEND}", to=GAME)
    world.mail(FRIEND, "yes", answering=world.to(FRIEND)[-1])
    world.mail(HOST, "REPLACE: Boris = zoe@example.net", to=GAME)
    world.mail("zoe@example.net", "yes", answering=world.to("zoe@example.net")[-1])
    world.mail(HOST, "END", to=GAME)
    world.mail(HOST, "yes", answering=world.to(HOST)[-1])
    assert world.stage() is Stage.OVER
    return world


def purged(world: World) -> list[Letter]:
    world.mail(HOST, "PURGE", answering=world.last(HOST, "The game is over"))
    return world.mail(HOST, "yes", answering=world.to(HOST)[-1])


def everything_kept(world: World) -> str:
    """The whole database but the log, as text."""
    tables = [name for name in world.store.database.get_tables() if name not in ("event", "game")]
    rows = [row for table in tables for row in world.store.database.execute_sql(f"SELECT * FROM {table}").fetchall()]
    return "\n".join(map(str, rows))


def test_5_2_nothing_is_kept_of_anybody_in_the_game_and_the_log_stays() -> None:
    world = over()
    secrets = [secret for person in world.store.people.of_game(1).values() for secret in (person.thread_secret, person.private_secret)]
    assert secrets[0] in everything_kept(world)
    before = world.store.log.events(1)
    purged(world)
    kept = everything_kept(world)
    for address_of in (*map(address, NAMES[:6]), "zoe@example.net", FRIEND, HOST, *secrets):
        assert address_of not in kept
    assert world.store.log.events(1) == before
    assert "@" not in "".join(row[0] for row in world.store.database.execute_sql("SELECT body FROM event"))
    assert world.game().players


def test_5_2_it_is_asked_about_first_and_the_hosts_are_told_last() -> None:
    world = over()
    asked = world.mail(HOST, "PURGE", answering=world.last(HOST, "The game is over"))
    assert "a second letter asks whether you mean it" in asked[0].text
    assert "You asked to erase what is kept of the people in this game. Do you mean it?" in asked[1].text
    assert world.store.people.of_game(1)
    letters = world.mail(HOST, "", answering=asked[1])
    assert {letter.to for letter in letters} == {HOST, FRIEND}
    assert all(letter.text.startswith('What was kept of the people in the game "Dacha" has been erased') for letter in letters)


def test_5_2_in_russian() -> None:
    world = over(lines="language = ru")
    asked = world.mail(HOST, "СТЕРЕТЬ ДАННЫЕ", answering=world.to(HOST)[-1])[1]
    assert "Вы просите стереть то, что хранится о людях в этой игре." in asked.text
    letters = world.mail(HOST, "да", answering=asked)
    assert all(letter.text.startswith("Всё, что хранилось о людях в игре «Dacha», стёрто") for letter in letters)


def test_5_2_an_answer_that_is_no_yes_erases_nothing() -> None:
    world = over()
    world.mail(HOST, "PURGE", answering=world.last(HOST, "The game is over"))
    world.mail(HOST, "No, wait", answering=world.to(HOST)[-1])
    assert world.store.people.of_game(1)


def test_5_2_a_game_that_runs_is_not_erased() -> None:
    world = new_game(World(), SIX)
    assert "The game has not ended yet" in world.mail(HOST, "PURGE", to=GAME)[0].text
    assert "Only the host of a game may do that" in world.say("Anna", "PURGE")[0].text
    assert world.store.people.of_game(1)


def test_5_2_nor_one_whose_end_was_taken_back_while_the_question_was_open() -> None:
    world = over()
    world.mail(HOST, "PURGE", answering=world.last(HOST, "The game is over"))
    asked = world.to(HOST)[-1]
    world.mail(FRIEND, "UNDO", answering=world.last(FRIEND, "The game is over"))
    assert world.stage() is Stage.DAY
    assert "The game has not ended yet" in world.mail(HOST, "yes", answering=asked)[0].text
    assert world.store.people.of_game(1)


def test_5_2_afterwards_everybody_is_a_stranger_and_old_secrets_open_nothing() -> None:
    world = over()
    letter = world.last(address("Anna"), "The game is over")
    purged(world)
    assert "yours is not in any of them yet" in world.mail(address("Anna"), "SAY: hello again", answering=letter)[0].text
    assert "yours is not in any of them yet" in world.mail(HOST, "STATUS", to=GAME)[0].text
    world.wait(hours=50)
    assert world.stage() is Stage.OVER


def test_5_2_a_mail_that_has_been_dealt_with_stays_so() -> None:
    world = over()
    purged(world)
    mails = world.store.database.execute_sql("SELECT COUNT(*), COUNT(game) FROM mail").fetchone()
    assert mails[0] > 10
    assert mails[1] == 0


def test_5_2_other_games_of_the_same_people_are_untouched() -> None:
    world = new_game(over(), SIX)
    world.say("Anna", "TIMEZONE: Berlin", 2)
    purged(world)
    assert world.say("Anna", "VOTE: Boris", 2)[0].text.count("Your vote counts: Boris")
    assert len(world.store.people.of_game(2)) == 7


def test_5_2_letters_that_have_yet_to_go_out_are_counted_before_they_are_lost() -> None:
    world = over()
    world.postman.refusals[address("Anna")] = TryLater("full")
    world.say("Clara", "SAY: goodbye")
    world.mail(HOST, "PURGE", answering=world.last(HOST, "The game is over"))
    asked = world.to(HOST)[-1]
    assert "Letters that have yet to go out, and would be lost: 1." in asked.plain
    world.mail(HOST, "yes", answering=asked)
    world.postman.refusals.clear()
    world.wait(hours=3)
    assert not [letter for letter in world.to(address("Anna")) if "goodbye" in letter.text]


def test_5_2_mails_that_were_set_aside_go_too() -> None:
    world = over()
    world.store.mailroom.set_aside("box:1", BEGIN, b"From: Anna <Anna@players.example.org>\r\n\r\nwhat?", "trace")
    world.store.mailroom.set_aside("box:2", BEGIN, b"From: somebody@else.example\r\n\r\nwhat?", "trace")
    purged(world)
    left = world.store.database.execute_sql("SELECT key FROM aside").fetchall()
    assert left == [("box:2",)]


def test_5_2_it_is_so_on_disk_as_well(tmp_path: Path) -> None:
    world = over(database=str(tmp_path / "mafiamail.db"))
    purged(world)
    world.store.close()
    world.open()
    assert address("Anna") not in everything_kept(world)
    assert world.game().players
