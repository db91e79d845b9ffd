"""The daemon as a process: it starts, serves, and stops when it is told to."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mafiamail.mail.transports.local import letters
from tests.servers_kit import within


@contextmanager
def running(folder: Path, config: str) -> Iterator[subprocess.Popen[str]]:
    """`mafiamail run` with this configuration; killed at the end if it is still there."""
    (folder / "config.yaml").write_text(config)
    environment = os.environ | {"XDG_STATE_HOME": str(folder / "state"), "MAFIA_TEST_PASSWORD": "secret"}
    command = [sys.executable, "-m", "mafiamail", "run", "--config", str(folder / "config.yaml")]
    process = subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def seconds_to_stop(process: subprocess.Popen[str]) -> float:
    began = time.monotonic()
    process.send_signal(signal.SIGTERM)
    process.wait(10)
    return time.monotonic() - began


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as door:
        return int(door.getsockname()[1])


def call(folder: Path, *arguments: str) -> str:
    environment = os.environ | {"XDG_STATE_HOME": str(folder / "state"), "MAFIAMAIL_CONFIG": str(folder / "config.yaml")}
    command = [sys.executable, "-m", "mafiamail", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True).stdout


def test_a_newcomer_posts_reads_the_answer_and_sigterm_ends_the_daemon_within_two_seconds(tmp_path: Path) -> None:
    office = tmp_path / "state/mafiamail/post"
    with running(tmp_path, f"poll: 1s\npost_office: {{port: {free_port()}}}\n") as process:
        within(20, lambda: (tmp_path / "state/mafiamail/mafiamail.db").exists() or None)
        call(tmp_path, "post", "--from", "host@example.org", "NEW GAME\\nname = Dacha\\nparty = 11")
        within(20, lambda: letters(office, "host@example.org") or None)
        assert "mafia+g1@example.org" in call(tmp_path, "inbox", "host@example.org")
        call(tmp_path, "post", "--from", "anna@example.org", "--to", "mafia+g1@example.org", "JOIN: Anna")
        within(20, lambda: letters(office, "anna@example.org") or None)
        call(tmp_path, "post", "--from", "anna@example.org", "--reply", "LEAVE")
        within(20, lambda: len(letters(office, "anna@example.org")) >= 3 or None)
        assert "Do you mean it" in call(tmp_path, "inbox", "--last", "0", "anna@example.org")
        assert seconds_to_stop(process) < 2
        assert process.returncode == 0
        log = process.stderr.read() if process.stderr else ""
    assert "anna@example.org" not in log
    assert "Traceback" not in log


def test_a_daemon_that_waits_for_a_dumb_server_stops_within_two_seconds(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as dumb:
        imap = f"{{imap: {{host: 127.0.0.1, port: {dumb.getsockname()[1]}, security: none}}}}"
        smtp = "{smtp: {host: 127.0.0.1, port: 9, security: none}}"
        with running(tmp_path, f"mail: {{inbox: {imap}, outbox: {smtp}, password: {{env: MAFIA_TEST_PASSWORD}}}}\n") as process:
            connection, _ = dumb.accept()  # the daemon now waits for a greeting that never comes
            assert seconds_to_stop(process) < 2
            assert process.returncode == 0
            connection.close()


def test_one_database_has_one_daemon(tmp_path: Path) -> None:
    with running(tmp_path, "post_office: {port: 0}\n"):
        within(20, lambda: (tmp_path / "state/mafiamail/post").exists() or None)
        environment = os.environ | {"XDG_STATE_HOME": str(tmp_path / "state"), "MAFIAMAIL_CONFIG": str(tmp_path / "config.yaml")}
        command = [sys.executable, "-m", "mafiamail", "run", "--once"]
        second = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert second.returncode == 2
    assert "is another mafiamail running?" in second.stderr


def test_a_second_daemon_on_the_same_port_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        running(tmp_path, f"post_office: {{port: {taken.getsockname()[1]}}}\n") as process,
    ):
        assert process.wait(20) == 2
        said = process.stderr.read() if process.stderr else ""
    assert "post_office.port" in said
    assert "Traceback" not in said
