"""HTML to text in one pass, without recursion: inline tags add nothing, quotes and history get `>`, hidden parts are left out."""

import html
import re
from collections.abc import Iterator

LARGEST = 300_000  # characters; what is longer is cut

_TAG_BEGINS = re.compile(r"<(?=/?[a-zA-Z]|[!?])")  # any other `<` is a sign of the text
_TAG_NAME = re.compile(r"/?[a-zA-Z][a-zA-Z0-9:_-]*")
_ATTRIBUTE = re.compile(r"""([a-zA-Z][\w:-]{0,40})\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_VALUE = re.compile(r"=\s{0,9}([\"'])")
_BLANKS = re.compile(r"[ \t\r\n\f]+")
_LONG_NUMBER = re.compile(r"&#[xX]?[0-9a-fA-F]{8,}")

_VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"})
_SPACED = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table"})  # a blank line stands around them
_LINES = _SPACED | {  # elements that begin and end a line
    *("address", "article", "aside", "blockquote", "body", "center", "dd", "div", "dl", "dt", "fieldset", "figure", "footer", "form"),
    *("header", "hr", "li", "main", "nav", "pre", "section", "tbody", "td", "tfoot", "th", "thead", "tr"),
}
_RAW = frozenset({"style", "script", "title", "textarea"})  # no tags inside
_SKIPPED = _RAW | {"head", "template", "noscript", "object", "svg", "math", "select"}

# Marks by which mail programs tell the quote, the history and the signature that they add.
_QUOTE_MARKS = re.compile(
    r"\b(gmail_quote|gmail_attr|gmail_signature|\w{0,40}yahoo_quoted(?:_\d{1,20})?|moz-cite-prefix|moz-forward-container|moz-signature|protonmail_quote|"
    r"protonmail_signature_block|zmail_extra|tutanota_quote|applemailsignature|mail-quote-collapse|mail-app-auto-quote|"
    r"mail-app-auto-signature|ms-outlook-mobile-signature|_mr_css_attr|wp-quote|__quoted_text__|signature-widget|"
    r"outlookmessageheader|mimemail-signature|k9mail-signature|k9mail)\b"
)
# From here on everything is the old letter, though it is inside no element of its own.
_HISTORY_MARKS = re.compile(
    r"\b(?:x_)*(divrplyfwdmsg|mail-editor-reference-message-container|appendonsend|reply-intro|stopspelling|isforwardcontent|ms-outlook-mobile-body-separator-line)\b"
)
_RULE_ABOVE = re.compile(r"border-top\s*:\s*solid\s+#(e1e1e1|b5c4df)|border-top\s*:\s*(#e1e1e1|#b5c4df)\s", re.I)
_HIDDEN = re.compile(r"display\s*:\s*none|mso-hide\s*:\s*all|visibility\s*:\s*hidden|font-size\s*:\s*0(px|pt)?\s*(;|$)", re.I)
_INDENT = re.compile(r"margin[^;]*40px[^;]*;\s*border\s*:\s*(none|medium none|0px)", re.I)
ANY_MARK = re.compile(
    r"gmail_quote|<blockquote|divRplyFwdMsg|mail-quote-collapse|yahoo_quoted|appendonsend|moz-cite-prefix|border-top\s*:\s*solid", re.I
)


def to_text(source: str) -> str:
    """The text of an HTML body; each line of a quote begins with `>`."""
    writer = _Writer()
    for kind, token in _tokens(source[:LARGEST]):
        if kind == "text":
            writer.text(token)
        elif token.startswith("/"):
            writer.close(token[1:].lower())
        else:
            name, _, rest = token.partition(" ")
            writer.open(name.lower(), rest)
    return writer.result()


def _tokens(source: str) -> Iterator[tuple[str, str]]:
    """("text", …) and ("tag", "name attributes" or "/name"), in order. Each character is looked at a fixed number of times."""
    at, size = 0, len(source)
    while at < size:
        found = _TAG_BEGINS.search(source, at)
        if found is None:
            yield "text", source[at:]
            return
        if (start := found.start()) > at:
            yield "text", source[at:start]
        name = _TAG_NAME.match(source, start + 1)
        if name is None:
            at = _after_declaration(source, start)
            continue
        end = _tag_end(source, name.end())
        yield "tag", f"{name[0]} {source[name.end() : end]}" if name[0][0] != "/" else name[0]
        at = end + 1
        if (lower := name[0].lower()) in _RAW:
            at = _raw_end(source, at, lower)


def _after_declaration(source: str, start: int) -> int:
    """Where the text goes on after `<!-- … -->`, `<!…>`, `<?…>`."""
    if source.startswith("<!--", start):
        end = source.find("-->", start + 4)
        return len(source) if end < 0 else end + 3
    end = source.find(">", start)
    return len(source) if end < 0 else end + 1


def _tag_end(source: str, at: int) -> int:
    """The `>` that ends a tag; one inside a quoted value does not, unless the value never ends."""
    end = source.find(">", at)
    if end < 0:
        return len(source)
    quote = _VALUE.search(source, at, end)
    if quote is None:
        return end
    limit = min(len(source), at + 4_000)  # no attribute that matters is longer
    while quote is not None:
        close = source.find(quote[1], quote.end(), limit)
        if close < 0:
            return end
        end = source.find(">", close)
        if end < 0:
            return len(source)
        quote = _VALUE.search(source, close + 1, end)
    return end


def _raw_end(source: str, at: int, name: str) -> int:
    match = re.compile(f"</{name}", re.I).search(source, at)
    return match.start() if match else len(source)


def _effect(name: str, attributes: str) -> str:
    """What an element does to its contents: `quote`, `history` (to the end of the letter), `skip`, or nothing."""
    if name in _SKIPPED:
        return "skip"
    if name == "blockquote":
        return "" if _INDENT.search(attributes) and "gmail_quote" not in attributes and "cite" not in attributes else "quote"
    if not attributes or "=" not in attributes:
        return ""
    marks, style = [], ""
    for match in _ATTRIBUTE.finditer(attributes[:4_000]):
        key, value = match[1].lower(), match[2] or match[3] or match[4] or ""
        if key == "style":
            style = value
        elif key in ("class", "id", "data-marker") or key.startswith("data-signature"):
            marks.append(value.lower() if key[0:5] != "data-" or key == "data-marker" else "signature-widget")
    found = " ".join(marks)
    if _HISTORY_MARKS.search(found) or (name == "div" and _RULE_ABOVE.search(style)):
        return "history"
    if _QUOTE_MARKS.search(found):
        return "quote"
    return "skip" if style and _HIDDEN.search(style) else ""


class _Writer:
    """The lines written so far, and the elements that are open."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._line: list[str] = []
        self._open: list[tuple[str, str]] = []
        self._count: dict[str, int] = {}
        self._quotes = self._skips = self._pre = 0
        self._history = False

    def open(self, name: str, attributes: str) -> None:
        if name in _LINES:
            self._break(name in _SPACED and "MsoNormal" not in attributes)
        if name == "br":
            self._new_line()
            return
        effect = _effect(name, attributes)
        if effect == "history":
            self._break()
            self._history, effect = True, ""
        if name in _VOID or attributes.endswith("/"):
            return
        if effect == "quote":
            self._break()
        self._open.append((name, effect))
        self._count[name] = self._count.get(name, 0) + 1
        self._change(name, effect, 1)

    def close(self, name: str) -> None:
        if not self._count.get(name):
            if name == "p":
                self._break(True)
            return
        if name in _LINES:
            self._break(name in _SPACED)
        while self._open:
            opened, effect = self._open.pop()
            if effect == "quote":
                self._break()
            self._count[opened] -= 1
            self._change(opened, effect, -1)
            if opened == name:
                return

    def _change(self, name: str, effect: str, by: int) -> None:
        self._quotes += by * (effect == "quote")
        self._skips += by * (effect == "skip")
        self._pre += by * (name == "pre")

    def text(self, raw: str) -> None:
        if self._skips:
            return
        value = html.unescape(_LONG_NUMBER.sub("", raw)) if "&" in raw else raw
        if self._pre:
            first, *others = value.replace("\r\n", "\n").split("\n")
            self._line.append(first)
            for line in others:
                self._new_line()
                self._line.append(line)
            return
        self._line.append(_BLANKS.sub(" ", value))

    def _new_line(self) -> None:
        line = "".join(self._line)
        self._line.clear()
        line = line if self._pre else _BLANKS.sub(" ", line).strip(" ")
        quoted = self._quotes + self._history
        self._lines.append("> " * min(quoted, 20) + line if quoted else line)

    def _break(self, spaced: bool = False) -> None:
        """Ends the line, if anything stands on it; `spaced` leaves a blank line below."""
        if any(part.strip(" \n") for part in self._line):
            self._new_line()
        else:
            self._line.clear()
        if spaced and self._lines and self._lines[-1].strip("> "):
            self._new_line()

    def result(self) -> str:
        self._break()
        return "\n".join(self._lines).strip("\n") + "\n"
