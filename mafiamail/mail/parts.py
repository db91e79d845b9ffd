"""MIME, read by hand: a mail's headers and its tree of parts. Linear in the mail's size, and no deeper than `DEPTH`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from mafiamail.mail import decoding

DEPTH = 20  # of parts inside parts
PARTS = 300  # of one mail
HEADERS = 256_000  # bytes of one mail's header

_HEADER = re.compile(r"([!-9;-~]{1,200})[ \t]*:(.*)", re.S)
_PARAMETER = re.compile(r""";\s*([\w-]{1,60})(\*\d{1,3})?(\*)?\s*=\s*(?:"((?:[^"\\]|\\.)*+)"?|([^;\s"]*+))""", re.S)


class TooDeep(Exception):
    """Nested deeper, or in more parts, than any letter is."""


@dataclass(slots=True)
class Part:
    """One part: its headers (lower-case names, raw values), its type, and either `body` (still encoded) or `parts`."""

    headers: list[tuple[str, str]]
    kind: str = "text/plain"
    parameters: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    parts: list["Part"] = field(default_factory=list)

    def get(self, name: str) -> str:
        """The first header of that name as it stands, or nothing."""
        return next((value for key, value in self.headers if key == name), "")

    def all(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key == name]

    @property
    def attached(self) -> bool:
        """Whether this is a file, whatever is in it."""
        disposition = self.get("content-disposition")
        if not disposition:
            return "name" in self.parameters
        return disposition.lstrip()[:10].lower() == "attachment" or "filename" in disposition.lower()

    def content(self) -> bytes:
        """The body without its transfer encoding."""
        return decoding.transfer(self.body, self.get("content-transfer-encoding"))

    def text(self) -> str:
        return decoding.decode(self.content(), self.parameters.get("charset"))

    def walk(self) -> Iterator["Part"]:
        """This part and all below it, in order."""
        waiting = [self]
        while waiting:
            part = waiting.pop()
            yield part
            waiting.extend(reversed(part.parts))


def parse(content: bytes) -> Part:
    """The tree of a mail. Raises TooDeep. What is inside `message/*` is not opened."""
    return _Parser().parse(content.replace(b"\r\n", b"\n"), 0)


def header_alone(content: bytes) -> Part:
    """A mail's header, as a part without a body."""
    return Part(_headers(_split(content.replace(b"\r\n", b"\n"))[0]))


class _Parser:
    def __init__(self) -> None:
        self._count = 0

    def parse(self, content: bytes, depth: int) -> Part:
        self._count += 1
        if depth > DEPTH or self._count > PARTS:
            raise TooDeep
        head, body = _split(content)
        part = Part(_headers(head), body=body)
        given = part.get("content-type")
        if given:
            part.kind, part.parameters = content_type(given)
        if part.kind.startswith("multipart/"):
            pieces = _pieces(body, part.parameters.get("boundary", ""))
            part.parts = [self.parse(piece, depth + 1) for piece in pieces]
            if not pieces:  # no boundary, or it never comes: what stands there is the text
                part.kind = "text/plain"
            else:
                part.body = b""
        return part


def _split(content: bytes) -> tuple[bytes, bytes]:
    """Header and body, at the first empty line."""
    if content.startswith(b"\n"):
        return b"", content[1:]
    head, _, body = content.partition(b"\n\n")
    return head, body


def _headers(head: bytes) -> list[tuple[str, str]]:
    """Names in lower case, values unfolded to one line, 8-bit bytes as surrogates."""
    found: list[tuple[str, list[str]]] = []
    for line in head.decode("ascii", "surrogateescape").split("\n"):
        if line[:1] in (" ", "\t"):
            if found:
                found[-1][1].append(line)
        elif match := _HEADER.match(line):
            found.append((match[1].lower(), [match[2]]))
    return [(name, (values[0] if len(values) == 1 else " ".join(values)).strip().replace("\r", " ")) for name, values in found]


def content_type(value: str) -> tuple[str, dict[str, str]]:
    """The type in lower case and its parameters; text/plain where there is none to be read."""
    kind, _, rest = value[:4_000].partition(";")
    kind = kind.strip().lower()
    if kind.count("/") != 1 or " " in kind:
        kind = "multipart/mixed" if kind.startswith("multipart") else "text/plain"
    parameters: dict[str, str] = {}
    for name, piece, extended, quoted, plain in _PARAMETER.findall(";" + rest):
        text = re.sub(r"\\(.)", r"\1", quoted, flags=re.S) if quoted else plain
        if extended and text.count("'") >= 2:
            text = text.split("'", 2)[2]  # RFC 2231: charset'language'value
        if piece and name.lower() in parameters:
            parameters[name.lower()] += text
        else:
            parameters.setdefault(name.lower(), text)
    return kind, parameters


def _pieces(body: bytes, boundary: str) -> list[bytes]:
    """What stands between the boundary lines; a missing last one is no harm."""
    if not boundary:
        return []
    pieces: list[bytes] = []
    start = -1
    for at, end, last in _boundary_lines(body, b"--" + boundary.encode("utf-8", "surrogateescape").rstrip()):
        if start >= 0:
            pieces.append(body[start : max(start, at - 1)])
        if last:
            return pieces
        start = end + 1
        if len(pieces) > PARTS:
            raise TooDeep
    if 0 <= start < len(body):
        pieces.append(body[start:])
    return pieces


def _boundary_lines(body: bytes, mark: bytes) -> Iterator[tuple[int, int, bool]]:
    """Where each boundary line begins and ends, and whether it is the last; without an expression to compile for each mail."""
    at = body.find(mark)
    while at >= 0:
        if at == 0 or body[at - 1] == 10:
            end = body.find(b"\n", at)
            end = len(body) if end < 0 else end
            tail = body[at + len(mark) : end]
            last = tail.startswith(b"--")
            if not tail[2 if last else 0 :].strip(b" \t\r"):
                yield at, end, last
        at = body.find(mark, at + 1)
