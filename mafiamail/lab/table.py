"""The answers of `mafiamail resolve` as a person reads them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Answer = Mapping[str, Any]
Rows = Iterable[Sequence[object]]


def shown(answers: Sequence[Answer]) -> str:
    """Every answer under its title, a table for what has several columns."""
    return "\n\n".join("\n".join(_answer(place, answer)) for place, answer in enumerate(answers, start=1))


def _answer(place: int, answer: Answer) -> list[str]:
    lines = [str(answer.get("case", f"document {place}"))]
    if "phases" in answer:
        return lines + _game(answer)
    return lines + (_night(answer) if "explained" in answer else _day(answer))


def _night(answer: Answer) -> list[str]:
    lines = [f"  died       {_with_sides(answer['died'])}"]
    lines += [f"  {word:<10} {', '.join(answer[word])}" for word in ("saved", "revived", "recruited") if answer[word]]
    lines += [f"  told       {who}: {_dossier(dossier)}" for who, dossier in answer["told"].items()]
    lines += _ending(answer)
    return [*lines, *_table([(one["who"], one["did"], one["target"] or "–", one["why"], one["rule"]) for one in answer["explained"]])]


def _with_sides(died: Mapping[str, Sequence[str]]) -> str:
    return ", ".join(f"{who} (by {' and '.join(sides)})" for who, sides in died.items()) or "nobody"


def _dossier(dossier: Mapping[str, Any] | None) -> str:
    if dossier is None:
        return "nothing became clear (2.2)"
    killed = f", killed by {' and '.join(dossier['killed_by'])}" if dossier["killed_by"] else ""
    return f"{dossier['about']} is {dossier['role']}{killed}"


def _day(answer: Answer) -> list[str]:
    lines = [
        f"  closes     {answer['closes'] or 'not by itself'} ({answer['why']})",
        f"  executed   {', '.join(answer['executed']) or 'nobody'}",
    ]
    if answer.get("shot"):
        lines.append(f"  shot       {', '.join(answer['shot'])}")
    if answer["silent"]:
        lines.append(f"  silent     {', '.join(answer['silent'])}")
    lines += _ending(answer)
    lines += _table([(whom, len(voters), ", ".join(voters)) for whom, voters in answer["tally"].items()])
    return lines + _table([(f"refused at {one['at']}", one["who"], one["why"], one["rule"]) for one in answer["refused"]])


def _game(answer: Answer) -> list[str]:
    lines = []
    for number, phase in enumerate(answer["phases"], start=1):
        lines += [f"  {number}. {'night' if 'explained' in phase else 'day'}"]
        lines += [f"  {line}" for line in (_night(phase) if "explained" in phase else _day(phase))]
    lines += [f"  {word:<10} {', '.join(answer[word])}" for word in ("executed", "shot", "died", "removed", "alive") if answer[word]]
    return [*lines, f"  winner     {answer['winner'] or 'nobody yet'}"]


def _ending(answer: Answer) -> list[str]:
    """Who is removed at the end of the phase, and who has won with it."""
    removed = [f"  removed    {', '.join(answer['removed'])}"] if answer.get("removed") else []
    return removed + ([f"  winner     {answer['winner']}"] if answer.get("winner") else [])


def _table(rows: Rows) -> list[str]:
    """Columns as wide as what stands in them, the last one not padded."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [("    " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))).rstrip() for row in cells]
