"""How long one mail takes to be read, and one letter to be written: `python -m tests.bench.reading`."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from email import message_from_bytes
from pathlib import Path

from mafiamail.mail.gate import gate
from mafiamail.mail.message import Raw, Unreadable, read, write
from tests.mail.reading import ARRIVED, ROBOT, SERVER, reading
from tests.mail.test_outbound import LETTER

MAILS = sorted((Path(__file__).parent.parent / "mails").glob("*.eml"))
ROUNDS = 40


def milliseconds(work: Callable[[], object]) -> list[float]:
    """Each of some rounds, sorted."""
    times = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        work()
        times.append((time.perf_counter() - begin) * 1_000)
    return sorted(times)


def read_and_judge(content: bytes) -> None:
    with suppress(Unreadable):
        gate(read(Raw(content, ARRIVED), SERVER), ROBOT)


def line(name: str, times: list[float]) -> None:
    print(f"{name:48} {times[len(times) // 2]:8.3f} {times[len(times) * 99 // 100]:8.3f}")


def main() -> None:
    """One line for each kind of mail, then all together beside what merely parsing costs."""
    print(f"{'milliseconds':48} {'p50':>8} {'p99':>8}")
    everything: dict[str, list[float]] = {"parse (standard library)": [], "read and gate": [], "read, gate, understand, names": []}
    for path in MAILS:
        content = path.read_bytes()
        times = milliseconds(lambda content=content: read_and_judge(content))  # type: ignore[misc]
        line(path.stem, times)
        everything["read and gate"] += times
        everything["parse (standard library)"] += milliseconds(lambda content=content: message_from_bytes(content))  # type: ignore[misc]
        everything["read, gate, understand, names"] += milliseconds(lambda content=content: reading(content))  # type: ignore[misc]
    for name, all_times in everything.items():
        line(name, sorted(all_times))
    letter = replace(LETTER, text=LETTER.text * 20, html=LETTER.html * 60)
    line("write (text and HTML)", milliseconds(lambda: write(letter)))


if __name__ == "__main__":
    main()
