"""The HTML of a letter, made from the blocks of its text: paragraphs, tables, rules. It adds comfort, never content."""

import re
from collections.abc import Mapping
from html import escape
from itertools import groupby

_COLUMNS = re.compile(r" {2,}")
_EXAMPLE = re.compile(r"\b([A-ZÀ-ÞЀ-Я][A-ZÀ-ÞЀ-Я -]+: ‹[^›]*›)")
"""A keyword in capitals with its placeholder, as every example in a letter is written."""


def _cells(line: str, styles: Mapping[str, str]) -> str:
    first, *others = _COLUMNS.split(line.strip())
    cells = [f'<td style="{styles["first"]}">{first}</td>', *(f'<td style="{styles["cell"]}">{cell}</td>' for cell in others)]
    return f"<tr>{''.join(cells)}</tr>"


def _table(lines: list[str], styles: Mapping[str, str]) -> str:
    rows = "\n".join(_cells(line, styles) for line in lines)
    return f'<table role="presentation" cellpadding="0" cellspacing="0" style="{styles["table"]}">\n{rows}\n</table>'


def _paragraph(lines: list[str], styles: Mapping[str, str], lead: bool) -> str:
    if lead:
        lines = [f'<strong style="{styles["lead"]}">{lines[0]}</strong>', *lines[1:]]
    text = "<br>\n".join(lines)
    return f'<p style="{styles["text"]}">{text}</p>'


def _kind(line: str) -> str:
    if not line.strip("–— "):
        return "rule"
    return "table" if line.startswith("  ") else "text"


def body(text: str, styles: Mapping[str, str]) -> str:
    """Escaped HTML of a whole text; its first line stands out."""
    parts: list[str] = []
    for block in escape(text, quote=False).strip("\n").split("\n\n"):
        for kind, run in groupby(block.strip("\n").split("\n"), key=_kind):
            match kind:
                case "rule":
                    parts.append(f'<hr style="{styles["rule"]}">')
                case "table":
                    parts.append(_table(list(run), styles))
                case _:
                    parts.append(_paragraph(list(run), styles, lead=not parts))
    return _EXAMPLE.sub(rf'<b style="{styles["command"]}">\1</b>', "\n".join(parts))
