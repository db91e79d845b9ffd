"""`mafiamail read`: how mails are understood, and why. It judges no rules beyond Day and Night, and needs no database."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from mafiamail.config import Config, ConfigError
from mafiamail.letters import names
from mafiamail.letters.understand import Keywords, Line, NotUnderstood, from_subject, looks_like_command, read_lines
from mafiamail.mail import identity
from mafiamail.mail.gate import REFUSED, gate
from mafiamail.mail.message import Inbound, Raw, Unreadable, read
from mafiamail.mail.signature import is_signed
from mafiamail.mail.transports.local import utc_now

SECRET = frozenset({"BLOCK", "HEAL", "KILL", "CHECK", "RAISE", "RECRUIT", "PASS", "FAMILY"})
PUBLIC = frozenset({"SAY"})

Phase = Literal["day", "night"]
People = Mapping[str, tuple[str, str]]
"""{address: (character, seat)}"""


@dataclass(slots=True)
class Reading:
    """One file's answer."""

    file: str
    sender: str | None = None
    verdict: str = "refuse"  # command | text | ignore | refuse
    why: str | None = None
    commands: list[list[str]] = field(default_factory=list)
    text: str | None = None
    bounce: dict[str, str] | None = None
    proof: str | None = None

    def as_json(self) -> dict[str, Any]:
        plain = asdict(self)
        return {"file": plain.pop("file"), "from": plain.pop("sender"), **plain}


def people_of(path: Path) -> dict[str, tuple[str, str]]:
    """The characters of a YAML file {address: character}; their order numbers the seats. Raises ConfigError."""
    try:
        found = YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeError, YAMLError) as error:
        raise ConfigError(f"{path}: {' '.join(str(error).split())}") from error
    if not isinstance(found, dict) or not all(isinstance(name, str) for pair in found.items() for name in pair):
        raise ConfigError(f"{path}: a mapping {{address: character}} is wanted")
    pairs = [(identity.normal(address) or address.lower(), name) for address, name in found.items()]
    return {address: (name, f"mafia{number:02}") for number, (address, name) in enumerate(pairs, 1)}


def read_files(paths: Sequence[Path], config: Config, words: Keywords, phase: Phase, people: People | None) -> Iterator[Reading]:
    """The files in their order, as if they had arrived so: a second copy is a duplicate. Raises OSError for a file that cannot be read."""
    seen: set[str] = set()
    for path in paths:
        yield read_mail(path.name, path.read_bytes(), config, words, phase, people, seen)


def read_mail(file: str, content: bytes, config: Config, words: Keywords, phase: Phase, people: People | None, seen: set[str]) -> Reading:
    """One mail. `seen`: the keys of those before it; it grows."""
    try:
        mail = read(Raw(content, utc_now(), size=len(content)), config.mail.authserv_id)
    except Unreadable as error:
        return Reading(file, error.mail.sender if error.mail else None, why=error.why)
    answer = Reading(file, mail.sender, proof=_proof(mail, content, config))
    answer.bounce = {"address": mail.bounce.address, "kind": mail.bounce.kind} if mail.bounce else None
    reason = "duplicate" if mail.key in seen else _reason(mail, config, people)
    seen.add(mail.key)
    if reason is None:
        _judge(answer, mail, words, phase, people)
    else:
        answer.verdict, answer.why = ("refuse" if reason in {*REFUSED, "stranger"} else "ignore"), reason
    return answer


def _reason(mail: Inbound, config: Config, people: People | None) -> str | None:
    """Why a mail is not listened to at all."""
    if (reason := gate(mail, config.mail.address)) is not None:
        return reason
    if mail.verdict == "fail":
        return "forged"
    return "stranger" if people is not None and mail.sender not in people else None


def _proof(mail: Inbound, content: bytes, config: Config) -> str | None:
    """What speaks for the sender."""
    if mail.verdict == "none" and config.mail.dkim and mail.sender and is_signed(content, mail.sender):
        return f"a signature of {mail.sender.rpartition('@')[2]}"
    said = {"pass": f"{config.mail.authserv_id} says that it is his", "fail": f"{config.mail.authserv_id} says that it is not his"}
    return said.get(mail.verdict)


def _judge(answer: Reading, mail: Inbound, words: Keywords, phase: Phase, people: People | None) -> None:
    understood = read_lines(from_subject(mail.subject, mail.commands_text), words)
    near = False
    for item in understood.items:
        if isinstance(item, NotUnderstood):
            near = True
            break  # the rest of that mail is not obeyed
        answer.commands.append([item.keyword, _named(item, words, people)])
    said = {command[0] for command in answer.commands}
    answer.text = None if near or phase == "night" or said & SECRET else _post(mail, words)
    answer.verdict, answer.why = _verdict(answer, near, said, understood.rest, phase)


def _verdict(answer: Reading, near: bool, said: set[str], rest: str, phase: Phase) -> tuple[str, str | None]:
    if answer.commands and not (said & PUBLIC and said & SECRET):
        return "command", None
    if near or answer.commands:
        return "refuse", "near-command"
    if not rest.strip():
        return "refuse", "nothing"
    if phase == "night":
        return "refuse", "night"
    return ("text", None) if answer.text is not None else ("refuse", "near-command")


def _named(line: Line, words: Keywords, people: People | None) -> str:
    """The character's name where it can be resolved, else the argument as written."""
    if people is None or words.kind(line.keyword) != "name":
        return line.argument
    found = names.find(line.argument, people)
    return people[found][0] if isinstance(found, str) else line.argument


def _post(mail: Inbound, words: Keywords) -> str | None:
    """What a thread would relay: what is certainly the writer's own and holds nothing like a command."""
    if mail.post_text is None:
        return None
    rest = read_lines(mail.post_text, words).rest.strip()
    return rest if rest and not looks_like_command(rest, words) else None


def shown(readings: Sequence[Reading]) -> str:
    """For a person: a few lines for each file."""
    parts = []
    for reading in readings:
        lines = [
            f"{reading.file}: {reading.verdict}" + (f" ({reading.why})" if reading.why else ""),
            f"  from   {reading.sender or 'nobody that can be named'}",
        ]
        lines += [f"  reads  {keyword}: {argument}" if argument else f"  reads  {keyword}" for keyword, argument in reading.commands]
        lines += [f"  text   {json.dumps(reading.text, ensure_ascii=False)}"] if reading.text else []
        lines += [f"  proof  {reading.proof}"] if reading.proof else []
        parts.append("\n".join(lines))
    return "\n".join(parts)
