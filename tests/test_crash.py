"""The daemon is killed again and again: no mail is lost, none counts twice, no letter is lost."""

import json
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from datetime import timedelta
from email import message_from_bytes
from itertools import cycle
from pathlib import Path

import pytest

from mafiamail.mail.transports.local import letters
from tests.kit import BEGIN, HOST, NAMES, World, address, new_game

RUNNER = Path(__file__).with_name("crash_runner.py")
PLAYERS = NAMES[:7]


def steps() -> list[tuple[str, str, str]]:
    """A whole game: sign-up, votes, orders, a Day that two days end, silence, the end."""
    at, told = BEGIN, []

    def tell(sender: str, text: str, **later: float) -> None:
        nonlocal at
        at += timedelta(**later) if later else timedelta(minutes=7)
        told.append((at.isoformat(), sender, text))

    tell(HOST, "NEW GAME\nname = Dacha\ncomposition = 2 mafia, doctor, commissar, 3 citizens")
    for name in PLAYERS:
        tell(address(name), f"JOIN: {name}\nA summer guest.")
    tell(HOST, "START")
    for position, name in enumerate(PLAYERS):
        tell(address(name), f"VOTE: {PLAYERS[(position + 1) % 2 if position > 1 else 1 - position]}")
    for day in range(2):
        tell("", "", hours=49)
        for position, name in enumerate(PLAYERS):
            tell(address(name), f"VOTE: {PLAYERS[(position + day) % 7]}\nKILL: {PLAYERS[day]}\nSTATUS")
            tell(address(name), f"KILL: {PLAYERS[(day + 2) % 7]}")
            tell(address(name), f"HEAL: {PLAYERS[day]}")
    tell(HOST, "STATUS")
    return told


def log_of(folder: Path) -> list[tuple[object, ...]]:
    with sqlite3.connect(folder / "game.db") as database:
        return list(database.execute("SELECT game, seq, kind, body FROM event ORDER BY game, seq"))


def arrived(folder: Path) -> list[tuple[str, str]]:
    """(reader, Message-ID) of every letter that arrived."""
    people = [HOST, *map(address, PLAYERS)]
    return [
        (reader, str(message_from_bytes(path.read_bytes())["Message-ID"])) for reader in people for path in letters(folder / "post", reader)
    ]


def play(folder: Path, boundaries: list[int]) -> int:
    """Plays to the end, dying at these boundaries in turn; answers how often it died."""
    folder.mkdir()
    (folder / "steps.json").write_text(json.dumps(steps()))
    for deaths, boundary in enumerate(cycle(boundaries)):
        ended = subprocess.run([sys.executable, RUNNER, folder, str(boundary)], capture_output=True, text=True, timeout=60, check=False)
        if ended.returncode == 0:
            return deaths
        assert ended.returncode == -signal.SIGKILL, ended.stderr
    raise AssertionError("never reached")


@pytest.mark.slow
def test_a_daemon_killed_at_every_kind_of_moment_tells_the_same_game(tmp_path: Path) -> None:
    play(tmp_path / "calm", [0])
    deaths = play(tmp_path / "stormy", [17, 22, 13, 26, 19, 15])
    assert deaths >= 50, deaths
    assert log_of(tmp_path / "stormy") == log_of(tmp_path / "calm")
    assert any(kind == "NightResolved" for _, _, kind, _ in log_of(tmp_path / "calm"))
    calm, stormy = (
        Counter(reader for reader, _ in arrived(tmp_path / "calm")),
        Counter(reader for reader, _ in set(arrived(tmp_path / "stormy"))),
    )
    assert stormy == calm  # a letter may come twice, with the same Message-ID; none is lost


def test_a_mail_that_was_handled_before_the_crash_is_not_handled_again(tmp_path: Path) -> None:
    world = new_game(World(database=str(tmp_path / "game.db")))
    world.say("Anna", "VOTE: Boris")
    before = world.store.log.events(1)
    world.store.close()
    world.open()
    world.store.mailroom.write_note("cursor", "0")  # as if the cursor had never been kept
    world.daemon.round()
    assert world.store.log.events(1) == before
