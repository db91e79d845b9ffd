"""Every document of tests/cases goes through `mafiamail resolve`; each names its rules in its title."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from mafiamail.lab.resolve import resolve_text

CASES = Path(__file__).parent.parent / "cases"


def written() -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """(file: title, expect, answer) of each document."""
    for path in sorted(CASES.glob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        wanted = [document for document in YAML(typ="safe", pure=True).load_all(text) if document]
        for document, answer in zip(wanted, resolve_text(text), strict=True):
            yield f"{path.stem}: {document['case']}", document["expect"], answer


def matches(key: str, expected: Any, answer: dict[str, Any]) -> bool:
    """`refused: 1` means one refusal; of `phases`, `explained` and `refused` the keys that matter; all else must be equal."""
    got = answer[key]
    if key == "refused" and isinstance(expected, int):
        return len(got) == expected
    if key == "phases":
        return all(all(matches(inner, wanted[inner], entry) for inner in wanted) for wanted, entry in zip(expected, got, strict=True))
    if key in ("explained", "refused"):
        return all(any(entry.items() <= other.items() for other in got) for entry in expected)
    return bool(got == expected)


@pytest.mark.parametrize(("title", "expect", "answer"), [pytest.param(*case, id=case[0]) for case in written()])
def test_the_case_has_the_answer_that_it_expects(title: str, expect: dict[str, Any], answer: dict[str, Any]) -> None:
    assert expect, title
    for key, expected in expect.items():
        assert matches(key, expected, answer), f"{key}: {answer[key]!r} instead of {expected!r}"
