"""One Dovecot and one Postfix for all tests of the transports; each test has a mailbox of its own."""

import itertools
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.servers_kit import MailServers, require_servers

MAILBOXES = 40
GREYLISTED, REFUSED = "greylisted@example.test", "refused@example.test"


@pytest.fixture(scope="session")
def servers() -> Iterator[MailServers]:
    """Skips where they are not installed."""
    require_servers()
    servers = MailServers([f"user{number}" for number in range(MAILBOXES)])
    servers.refuse(GREYLISTED, "450 4.7.1 greylisted, come back later")
    servers.refuse(REFUSED, "550 5.7.1 no mail for this one")
    with servers:
        yield servers


@pytest.fixture(scope="session")
def free_users() -> Iterator[str]:
    return (f"user{number}" for number in itertools.count())


@pytest.fixture
def user(free_users: Iterator[str]) -> str:
    """A mailbox that nobody has used yet."""
    return next(free_users)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "servers" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.servers)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line for each reason to skip, in whichever test."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(str(report.longrepr[2]).removeprefix("Skipped: ") for report in skipped)
    for reason, count in reasons.items():
        terminalreporter.write_line(f"{count} skipped: {reason}")
