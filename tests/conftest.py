"""Golden files: what letters said when somebody last read them and found them right."""

import difflib
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

LETTERS = Path(__file__).parent / "letters"
SHOWN = 40  # lines of a difference


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden", action="store_true", help="write tests/letters anew; read what changed before you keep it")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """golden(name, text): the text is what tests/letters/name holds; with --golden it becomes so."""

    def compare(name: str, text: str) -> None:
        path = LETTERS / name
        if request.config.getoption("--golden"):
            LETTERS.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        if not path.exists():
            pytest.fail(f"there is no {path.name} yet: pytest --golden writes it", pytrace=False)
        kept = path.read_text(encoding="utf-8")
        if kept != text:
            pytest.fail(difference(name, kept, text), pytrace=False)

    return compare


def difference(name: str, kept: str, text: str) -> str:
    """The first lines that differ; the rest is counted."""
    lines = list(difflib.unified_diff(kept.splitlines(), text.splitlines(), f"tests/letters/{name}", "now", lineterm="", n=1))
    changed = sum(line[:1] in "+-" for line in lines) - 2
    shown = "\n".join(islice(lines, SHOWN))
    return f"{shown}\n({changed} lines differ. If all of it is meant: pytest --golden)"
