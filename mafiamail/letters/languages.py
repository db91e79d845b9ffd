"""A folder of templates for each language: its words, and the renderer of letters. What a language lacks is taken from English."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from jinja2 import (
    ChainableUndefined,
    FileSystemLoader,
    StrictUndefined,
    Template,
    TemplateError,
    UndefinedError,
    meta,
    select_autoescape,
)
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from mafiamail.letters import blocks, wording
from mafiamail.letters.letter import EDITION
from mafiamail.letters.wording import GLUE, NBSP, PUBLIC, READING, Wording, Words

log = logging.getLogger("mafiamail")

FALLBACK = "en"


@dataclass(frozen=True, slots=True)
class Rendered:
    """A letter in words. `text` is complete; `html` says the same."""

    subject: str
    text: str
    html: str


def _merged(below: Words, above: Words) -> dict[str, Any]:
    """`above` over `below`, mapping by mapping; anything else is replaced whole."""
    both = dict(below)
    for key, value in above.items():
        old = both.get(key)
        both[key] = _merged(old, value) if isinstance(old, Mapping) and isinstance(value, Mapping) else value
    return both


def _tidy(text: str) -> str:
    """Blank lines where a template left out a part are made one; no line ends in blanks."""
    text = text.replace(f" {GLUE}", NBSP).replace(GLUE, "")
    lines = [line.rstrip(" ") for line in text.strip("\n ").split("\n")]
    kept = [line for i, line in enumerate(lines) if line or lines[i - 1]]
    return "\n".join(kept) + "\n"


class _Language:
    """One language: its words, and its templates compiled once."""

    def __init__(self, name: str, folders: Sequence[Path], words: Words, public: Sequence[str]) -> None:
        self.name, self.words = name, words
        self.environment = ImmutableSandboxedEnvironment(
            loader=FileSystemLoader([*(f / name for f in folders), *(f / FALLBACK for f in folders), *folders]),
            undefined=StrictUndefined,
            autoescape=select_autoescape(["html"]),
            trim_blocks=True,
            keep_trailing_newline=True,
            lstrip_blocks=True,
            auto_reload=False,
            cache_size=-1,
        )
        self._sentences: dict[tuple[str, str], Template] = {}
        self._furnish(Wording(words, public, name))

    def _furnish(self, says: Wording) -> None:
        plain = (
            wording.names,
            wording.table,
            wording.tally,
            wording.spoken,
            wording.described,
            wording.outcome,
            wording.told,
            wording.fill,
            wording.beginning,
        )
        spoken = (
            says.when,
            says.left,
            says.plural,
            says.role,
            says.own_text,
            says.can,
            says.side,
            says.fate,
            says.composition,
            says.known,
            says.gone,
            says.setting,
            says.values,
            says.phase,
            says.night,
            says.duration,
            says.absence,
        )
        for function in (*plain, *spoken, says.choices, says.safely, says.cast, says.deeds, says.parted):
            self.environment.filters[function.__name__] = function
        self.environment.filters["at"] = says.moment
        self.environment.globals |= {
            "w": self.words,
            "kw": says.kw,
            "example": says.example,
            "refusal": self.refusal,
            "instead": self.instead,
        }

    def refusal(self, entry: Mapping[str, Any]) -> str:
        """Why something was refused, with its facts: a sentence without its full stop."""
        return self._sentence(entry, "why")

    def instead(self, entry: Mapping[str, Any]) -> str:
        """What to do instead of what was refused; may be empty."""
        return self._sentence(entry, "instead")

    def _sentence(self, entry: Mapping[str, Any], part: str) -> str:
        key = str(entry["why"]), part
        if key not in self._sentences:
            self._sentences[key] = self.environment.from_string(self.words["refusals"][key[0]][part])
        return self._sentences[key].render(entry["facts"])

    @cached_property
    def layout(self) -> Any:
        return self.environment.get_template("letter.html").module

    @cached_property
    def _lenient(self) -> Any:
        return self.environment.overlay(undefined=ChainableUndefined)

    def _written(self, kind: str, facts: Mapping[str, Any]) -> str:
        """A letter that waited since an earlier version lacks what that one did not know: better without a part than never."""
        try:
            return self.environment.get_template(f"{kind}.txt").render(facts)
        except UndefinedError as error:
            if facts.get("edition") == EDITION:
                raise
            log.warning("a letter (%s, %s) is written without what is missing: %s", kind, self.name, error)
            return str(self._lenient.get_template(f"{kind}.txt").render(facts))

    def render(self, kind: str, facts: Mapping[str, Any]) -> Rendered:
        token = READING.set((facts["now"], facts["zone"]))
        try:
            written = self._written(kind, facts)
        finally:
            READING.reset(token)
        heading, _, rest = written.lstrip("\n").partition("\n")
        subject, text = " ".join(heading.partition(":")[2].split()), _tidy(rest)
        layout = self.layout
        html = layout.letter(self.name, subject, Markup(blocks.body(text, layout.styles)))  # noqa: S704 - body() escapes
        return Rendered(subject, text, str(html))


def _words_in(path: Path) -> Words:
    """Raises ValueError that names the file and what is wrong with it."""
    try:
        words = YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeError, YAMLError) as error:
        raise ValueError(f"{path}: {' '.join(str(error).split())}") from error
    if not isinstance(words, Mapping):
        raise ValueError(f"{path}: a mapping of words is wanted")
    return words


class Languages:
    """All languages found in `folders`; an earlier folder overrides a later one, file by file and word by word."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = tuple(folders)
        found = {path.parent.name for folder in self._folders for path in folder.glob("*/words.yaml")}
        self.names: tuple[str, ...] = tuple(sorted(found, key=lambda name: (name != FALLBACK, name)))
        self._own: dict[str, dict[str, Any]] = {name: self._read(name) for name in self.names}
        self._languages: dict[str, _Language] = {}

    def _read(self, name: str) -> dict[str, Any]:
        words: dict[str, Any] = {}
        for folder in reversed(self._folders):
            path = folder / name / "words.yaml"
            if path.is_file():
                words = _merged(words, _words_in(path))
        return words

    def _gathered(self, part: str) -> dict[str, tuple[str, ...]]:
        """{canonical: spellings} of all languages, English first, none twice."""
        gathered: dict[str, dict[str, None]] = {}
        for name in self.names:
            for canonical, spellings in self._own[name].get(part, {}).items():
                gathered.setdefault(canonical, {}).update(dict.fromkeys(map(str, spellings)))
        return {canonical: tuple(spellings) for canonical, spellings in gathered.items()}

    def _spellings(self, part: str) -> dict[str, str]:
        return {spelling.lower(): canonical for canonical, spellings in self._gathered(part).items() for spelling in spellings}

    @cached_property
    def keywords(self) -> dict[str, tuple[str, ...]]:
        """Canonical English keyword -> its spellings in all languages."""
        return self._gathered("keywords")

    @cached_property
    def new_game_keys(self) -> dict[str, str]:
        """A key of a `NEW GAME` line as it may be written, in lower case -> its English name."""
        return self._spellings("new_game_keys")

    @cached_property
    def setting_values(self) -> dict[str, str]:
        """How a value under NEW GAME, or behind SET, may be written, in lower case -> the value."""
        return self._spellings("setting_values")

    @cached_property
    def own_role_words(self) -> dict[str, str]:
        """A word in a `role = …` line of `NEW GAME` (a key or a value), in lower case -> its English one."""
        return self._spellings("own_role_words")

    @cached_property
    def zone_words(self) -> dict[str, str]:
        """A name of a time zone as people call it, in lower case -> its IANA name."""
        return self._spellings("zone_words")

    @cached_property
    def role_words(self) -> dict[str, str]:
        """A word for a role in a composition, in lower case -> the role."""
        return self._spellings("role_words")

    def words(self, lang: str) -> dict[str, Any]:
        """The words of a language, English ones where it has none."""
        return _merged(self._own.get(FALLBACK, {}), self._own.get(lang, {}))

    def _language(self, lang: str) -> _Language:
        name = lang if lang in self._own else FALLBACK
        if name not in self._languages:
            public = [spelling for keyword in PUBLIC for spelling in self.keywords.get(keyword, ())]
            self._languages[name] = _Language(name, self._folders, self.words(name), public)
        return self._languages[name]

    def check(self) -> None:
        """Compiles every template of every language. Raises ValueError for the first that is wrong, or asks for what is in no letter."""
        for name in self.names:
            environment = self._language(name).environment
            for template in environment.list_templates(extensions=["txt", "html"]):
                where = template if "/" in template else f"{name}/{template}"
                try:
                    environment.get_template(template)
                    unknown = self._asks_for(self._folders[:1], name, template) - self._asks_for(self._folders[-1:], name, template)
                except TemplateError as error:
                    raise ValueError(f"{where}: {error}") from error
                if unknown:
                    raise ValueError(f"{where}: no letter has {', '.join(sorted(unknown))}")

    def _asks_for(self, folders: Sequence[Path], name: str, template: str) -> set[str]:
        """The facts that a template of these folders wants; those of English where the language has no such file."""
        environment = self._language(name).environment
        found = (path for folder in folders for path in (folder / name / template, folder / FALLBACK / template, folder / template))
        path = next((path for path in found if path.is_file()), None)
        source = path.read_text(encoding="utf-8") if path else ""
        return meta.find_undeclared_variables(environment.parse(source)) - set(environment.globals)

    def render(self, lang: str, kind: str, facts: Mapping[str, Any]) -> Rendered:
        """The letter of that kind; `facts` are plain JSON, with `now` and `zone` among them."""
        return self._language(lang).render(kind, facts)
