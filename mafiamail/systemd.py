"""Tells systemd how the daemon is (sd_notify): nothing happens where it was not started by systemd."""

import os
import socket
from datetime import timedelta

READY, WATCHDOG, STOPPING = "READY=1", "WATCHDOG=1", "STOPPING=1"


def notify(state: str) -> bool:
    """Sends `state`, such as READY or `STATUS=3 games`; says whether somebody was listening."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if address[:1] not in ("/", "@"):
        return False
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as door:
        try:
            door.sendto(state.encode(), "\0" + address[1:] if address[0] == "@" else address)
        except OSError:  # a daemon does not die because nobody listens
            return False
    return True


def watchdog() -> timedelta | None:
    """How often systemd wants to hear WATCHDOG at least (half of WatchdogSec), None if it does not ask."""
    if os.environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    limit = os.environ.get("WATCHDOG_USEC", "")
    return timedelta(microseconds=int(limit) / 2) if limit.isdecimal() and int(limit) else None
