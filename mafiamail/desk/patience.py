"""How long one mail may take. What is counted is the work of this process: waiting for a disk or a locked database is nobody's fault."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SECONDS = 5.0  # a mail takes some thousandths of one


class TooSlow(BaseException):
    """Not an Exception, so that nothing inside takes it for a mistake of its own and goes on."""


@contextmanager
def patience(seconds: float = SECONDS) -> Iterator[None]:
    """Raises TooSlow in what stands inside, even in the middle of a regular expression. Without a limit in other threads than the first."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGPROF, _too_slow)  # its own timer: SIGALRM is the daemon's
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before if before is not None else signal.SIG_DFL)


def _too_slow(number: int, frame: FrameType | None) -> None:
    raise TooSlow
