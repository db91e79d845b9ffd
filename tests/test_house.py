"""The house rules: imports run one way, rooms stay small, languages are complete, and every numbered rule has a test."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mafiamail.letters.languages import Languages

ROOT = Path(__file__).parents[1]
PRODUCT = sorted((ROOT / "mafiamail").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
MOST_LINES, LONGEST_FUNCTION = 400, 45
GENERATED = {"__pycache__", "build", "dist"}


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), name(path))


# imports


def test_imports_run_one_way() -> None:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()", "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def imported(path: Path) -> set[str]:
    nodes = list(ast.walk(tree(path)))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return plain | {f"{node.module}.{alias.name}" for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}


def test_a_role_is_known_to_nobody_but_those_who_look_for_roles() -> None:
    """1.3: a role is a value in a file of its own; the engine names none."""
    engine = [path for path in PRODUCT if path.parent.name == "game"]
    named = {name(path) for path in engine if any("game.roles." in module for module in imported(path))}
    assert not named


# time


CLOCKS = {("datetime", "now"), ("datetime", "utcnow"), ("datetime", "today"), ("date", "today"), ("time", "time")}


def looks_at_the_clock(path: Path) -> bool:
    calls = [node.func for node in ast.walk(tree(path)) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    return any(isinstance(call.value, ast.Name | ast.Attribute) and (_last(call.value), call.attr) in CLOCKS for call in calls)


def _last(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr


def test_time_is_an_argument_everywhere_but_in_transports_and_cli() -> None:
    looking = {name(path) for path in PRODUCT if looks_at_the_clock(path)}
    assert not {path for path in looking if not path.startswith(("mafiamail/mail/transports/", "mafiamail/cli"))}


# sizes


def test_a_file_can_be_taken_in_at_one_sitting() -> None:
    lines = {
        name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in [*PRODUCT, *TESTS] if not path.stem.endswith("_samples")
    }
    assert not {path: number for path, number in lines.items() if number > MOST_LINES}


def functions(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{name(path)}: {node.name}", (node.end_lineno or node.lineno) - node.lineno + 1


def test_functions_are_short() -> None:
    assert not {where: lines for path in PRODUCT for where, lines in functions(path) if lines > LONGEST_FUNCTION}


def test_every_module_says_what_it_knows() -> None:
    assert not [name(path) for path in [*PRODUCT, *TESTS] if not ast.get_docstring(tree(path))]


VAGUE = re.compile(r"manager|helper|utils?\b|handler|service", re.IGNORECASE)


def test_names_are_the_rulebooks_words() -> None:
    defined = [
        f"{name(path)}: {node.name}"
        for path in PRODUCT
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and VAGUE.search(node.name)
    ]
    assert not [*defined, *(name(path) for path in PRODUCT if VAGUE.search(path.name))]


# languages


def test_every_language_has_every_template() -> None:
    folders = sorted(path for path in (ROOT / "templates").iterdir() if path.is_dir())
    names = {folder.name: {path.name for path in folder.iterdir() if path.is_file()} for folder in folders}
    assert set(names) >= {"en", "ru"}
    assert not {language: names["en"] ^ own for language, own in names.items() if own != names["en"]}


def keys(words: object, path: str = "") -> set[str]:
    if not isinstance(words, dict):
        return {path}
    return {inner for key, value in words.items() for inner in keys(value, f"{path}/{key}")}


# What a language says in its own way: spellings, not words that a letter needs.
FREE = ("/role_words/", "/new_game_keys/", "/zones/", "/keywords/", "/plurals/", "/values/", "/arguments/")


def test_every_language_has_every_word() -> None:
    languages = Languages([ROOT / "templates"])
    languages.check()
    own = {language: keys(languages._own[language]) for language in languages.names}
    missing = {language: sorted(key for key in own["en"] - words if not key.startswith(FREE)) for language, words in own.items()}
    assert not {language: words for language, words in missing.items() if words}
    spelled = {language: {key for key in words if key.startswith("/keywords/")} for language, words in own.items()}
    assert all(words == spelled["en"] for words in spelled.values())


# what has no place in the tree


FORBIDDEN = {  # written in two parts, or this file would be the first to hold them
    "a path of one machine": re.compile("/wo" + r"rk/|/ro" + r"ot/|\.py" + r"env\b|/tmp/" + "(?:venv|plan)|/home/" + r"[a-z]+/\."),
    "unfinished work": re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X)\b"),
    "how the work was done": re.compile(
        r"\b(?:CON" + r"TRACT\.md|DES" + r"IGN\.md|RULE" + r"BOOK\.md|LET" + r"TERS\.md|INTER" + r"FACES\.md|EM" + r"AIL\.md)\b"
    ),
}


def texts() -> Iterator[tuple[Path, str]]:
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        hidden = parts[0].startswith(".") and parts[0] != ".ci"
        if path.is_file() and not hidden and not GENERATED.intersection(parts) and not any(part.endswith(".egg-info") for part in parts):
            try:
                yield path, path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue  # mails of other times


@pytest.mark.parametrize("what", FORBIDDEN)
def test_the_tree_is_free_of(what: str) -> None:
    assert not [f"{name(path)}: {found[0]}" for path, text in texts() if (found := FORBIDDEN[what].search(text))]


# rules

RULES = (
    *(f"1.{number}" for number in range(1, 14)),
    *(f"2.{number}" for number in range(1, 19)),
    *(f"3.1.{number}" for number in range(1, 9)),
    *(f"3.2.{number}" for number in range(1, 4)),
    *(f"3.3.{number}" for number in range(1, 6)),
    "3.4",
    *(f"4.{number}" for number in range(1, 5)),
    *(f"5.{number}" for number in range(1, 4)),
)
NUMBER = re.compile(r"(?<![\d.])(?:3\.\d\.\d|[1-5]\.\d{1,2})(?![\d.]?\d)")
IN_A_NAME = re.compile(r"_(3_\d_\d|[1-5]_\d{1,2})(?=_|$)")


def titles() -> Iterator[str]:
    """What cases and tests are called, and what the docstrings of tests say."""
    for path in sorted((ROOT / "tests" / "cases").glob("*.yaml")):
        yield from re.findall(r"^case:(.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    for path in TESTS:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield " ".join(number.replace("_", ".") for number in IN_A_NAME.findall(node.name))
                yield ast.get_docstring(node) or ""


def test_every_numbered_rule_has_a_case_or_a_test_that_bears_its_number() -> None:
    borne = {number for title in titles() for number in NUMBER.findall(title)}
    without = [rule for rule in RULES if rule not in borne]
    assert not without, f"no case and no test for {', '.join(without)}"
