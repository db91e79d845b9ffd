"""The daemon as a service of the system."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

import mafiamail
from mafiamail import systemd

UNIT = Path(mafiamail.__file__).parent / "units" / "mafiamail.service"

needs_analyze = pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="the unit is not checked: systemd-analyze is not installed")


@pytest.fixture
def listener(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as door:
        door.bind(str(tmp_path / "notify"))
        door.settimeout(5)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        yield door


def test_systemd_hears_what_the_daemon_says(listener: socket.socket) -> None:
    for state in (systemd.READY, systemd.WATCHDOG, systemd.STOPPING):
        assert systemd.notify(state)
        assert listener.recv(100) == state.encode()


def test_an_abstract_socket_hears_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"mafiamail-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as door:
        door.bind(f"\0{name}")
        door.settimeout(5)
        monkeypatch.setenv("NOTIFY_SOCKET", f"@{name}")
        assert systemd.notify(systemd.READY)
        assert door.recv(100) == b"READY=1"


@pytest.mark.parametrize("address", [None, "", "/nowhere/notify", "relative"])
def test_nothing_happens_where_nobody_listens(monkeypatch: pytest.MonkeyPatch, address: str | None) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    if address is not None:
        monkeypatch.setenv("NOTIFY_SOCKET", address)
    assert not systemd.notify(systemd.READY)


def test_the_watchdog_is_fed_twice_in_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WATCHDOG_PID", raising=False)
    monkeypatch.setenv("WATCHDOG_USEC", "120000000")
    assert systemd.watchdog() == timedelta(minutes=1)
    monkeypatch.setenv("WATCHDOG_PID", "1")
    assert systemd.watchdog() is None
    monkeypatch.delenv("WATCHDOG_USEC")
    assert systemd.watchdog() is None


@needs_analyze
def test_the_unit_is_well_formed(tmp_path: Path) -> None:
    unit = tmp_path / "mafiamail.service"
    unit.write_text(UNIT.read_text().replace("/opt/mafiamail/bin/mafiamail", sys.executable))
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")  # it answers 0 for an unknown value, and says so


@needs_analyze
def test_the_unit_is_hardened() -> None:
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=20", str(UNIT)]  # 20: an exposure of 2.0 of 10
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-300:]
