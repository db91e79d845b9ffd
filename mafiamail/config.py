"""config.yaml -> a frozen Config, or one clear sentence on what is wrong and where."""

import os
import shlex
import subprocess
from collections.abc import Mapping
from datetime import timedelta
from functools import cached_property
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from mafiamail.config_error import explain, line_of
from mafiamail.config_roles import OwnRolePart, named
from mafiamail.game.duration import parse_duration
from mafiamail.game.model import OwnRole, Settings
from mafiamail.game.setting import NAMES, Impossible, read_setting, read_settings

VARIABLE = "MAFIAMAIL_CONFIG"
FOUR_WAYS = "{file: PATH}, {command: PROGRAM}, {env: VARIABLE}, {credential: NAME} (systemd's LoadCredential)"


class ConfigError(Exception):
    """The operator's mistake, in one sentence that names the place and what is allowed."""


# --- values


def _address(value: str) -> str:
    local, at, domain = value.strip().lower().rpartition("@")
    if not (at and local and domain) or any(c.isspace() or c in "<>,;\"'" for c in value.strip()):
        raise ValueError(f"{value!r} is no mail address; allowed: one bare address such as mafia@example.org")
    return f"{local}@{domain}"


def _length(value: object) -> timedelta:
    if isinstance(value, timedelta):
        return value
    try:
        if length := parse_duration(str(value)):
            return length
    except ValueError:
        pass
    raise ValueError(f"{value!r} is not possible; allowed: a length of time such as 5s, 1m or 10m")


def _zone(value: str) -> str:
    try:
        ZoneInfo(value)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f"{value!r} is no time zone; allowed: names such as UTC, Europe/Moscow, America/New_York") from None
    return value


def _language(value: str) -> str:
    if not value.isalpha() or not value.isascii() or not value.islower():
        raise ValueError(f"{value!r} is no language; allowed: the name of a folder of templates, such as en, ru")
    return value


def _path(value: object, info: ValidationInfo) -> Path:
    if not isinstance(value, str | Path) or not str(value):
        raise ValueError(f"{value!r} is no path; allowed: a path, absolute or from the folder of this file, `~` is your home")
    return Path((info.context or {}).get("folder", "."), Path(value).expanduser()).absolute()


Address = Annotated[str, AfterValidator(_address)]
Length = Annotated[timedelta, BeforeValidator(_length)]
Zone = Annotated[str, AfterValidator(_zone)]
Language = Annotated[str, AfterValidator(_language)]
File = Annotated[Path, BeforeValidator(_path)]
Port = Annotated[int, Field(ge=1, le=65535, strict=True)]
Name = Annotated[str, Field(min_length=1, strict=True)]


# --- the parts of the file


class Part(BaseModel):
    """A mapping of the file: nothing in it is unknown, nothing changes later."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)


class Secret(Part):
    """Where a password is, never the password itself. `read` fetches it anew each time, so that it can be changed meanwhile."""

    file: File | None = None
    command: Name | None = None
    env: Name | None = None
    credential: Name | None = None

    @model_validator(mode="before")
    @classmethod
    def _not_bare(cls, value: object) -> object:
        if not isinstance(value, Mapping) or len(value) != 1:
            raise ValueError(f"a password never stands in this file itself; allowed: exactly one of {FOUR_WAYS}")
        return value

    def read(self) -> str:
        """The password. Raises ConfigError if it is not where the configuration says."""
        try:
            text = self._fetch()
        except (OSError, subprocess.SubprocessError, UnicodeError) as error:
            raise ConfigError(f"mail.password: {error}") from error
        if not text:
            raise ConfigError(f"mail.password: nothing there: {self.model_dump(exclude_none=True)}")
        return text

    def _fetch(self) -> str:
        if self.env:
            return os.environ.get(self.env, "")
        if self.command:
            # S603: the operator's own command, without a shell
            done = subprocess.run(shlex.split(self.command), capture_output=True, text=True, check=True, timeout=30)  # noqa: S603
            return done.stdout.rstrip("\r\n")
        path = self.file or Path(os.environ.get("CREDENTIALS_DIRECTORY", "/run/credentials"), self.credential or "")
        return path.read_text(encoding="utf-8").rstrip("\r\n")


class Server(Part):
    """What a connection needs, whichever way mail goes."""

    host: Name
    port: Port | None = None
    security: Literal["tls", "starttls", "none"] = "tls"
    user: str | None = None
    password: Secret | None = None
    cafile: File | None = None

    @model_validator(mode="after")
    def _never_in_the_clear(self) -> Self:
        if self.security == "none" and not _loopback(self.host):
            raise ValueError(
                f"security: none would show everything on the way to {self.host}; allowed: tls, starttls (none only on loopback)"
            )
        return self


class Imap(Server):
    folder: Name = "INBOX"
    move_to: Name | None = None
    settle: Length = timedelta(minutes=1)

    @property
    def real_port(self) -> int:
        return self.port or (993 if self.security == "tls" else 143)


class Smtp(Server):
    @property
    def real_port(self) -> int:
        return self.port or {"tls": 465, "starttls": 587, "none": 25}[self.security]


class Inbox(Part):
    """Where players' mail arrives; neither set: in the built-in post office."""

    imap: Imap | None = None
    maildir: File | None = None


class Outbox(Part):
    """Which way letters go; not set: into the built-in post office."""

    smtp: Smtp | None = None


def _one_of(value: object, *names: str) -> object:
    choices = ", ".join(["built-in", *(f"{name}: …" for name in names)])
    if value == "built-in":
        return {}
    if isinstance(value, Mapping) and len(value) != 1:
        raise ValueError(f"exactly one way; allowed: {choices}")
    if not isinstance(value, Mapping | Part):
        raise ValueError(f"{value!r} is not possible; allowed: {choices}")
    return value


class Mail(Part):
    address: Address = "mafia@example.org"
    name: Name = "Mafia"
    authserv_id: Name | None = None
    proof: Literal["secret", "verdict", "address"] = "verdict"
    dkim: bool = False
    plus: bool = True
    inbox: Inbox = Inbox()
    outbox: Outbox = Outbox()
    password: Secret | None = None

    @field_validator("inbox", mode="before")
    @classmethod
    def _inbox(cls, value: object) -> object:
        return _one_of(value, "imap", "maildir") if value != Inbox() else value

    @field_validator("outbox", mode="before")
    @classmethod
    def _outbox(cls, value: object) -> object:
        return _one_of(value, "smtp") if value != Outbox() else value

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if (self.inbox == Inbox()) != (self.outbox == Outbox()):
            raise ValueError("inbox and outbox do not fit together; allowed: both `built-in`, or neither")
        if self.dkim and find_spec("dkim") is None:
            raise ValueError("dkim: true needs the package dkimpy; allowed: false, or true after pip install mafiamail[dkim]")
        for name, server in (("inbox.imap", self.inbox.imap), ("outbox.smtp", self.outbox.smtp)):
            if server is not None and server.user != "" and not (server.password or self.password):
                raise ValueError(f'{name} logs in and needs `password`; allowed: {FOUR_WAYS}, or user: "" for a server without a login')
        return self


class PostOfficePart(Part):
    folder: File | None = None
    port: Annotated[int, Field(ge=0, le=65535, strict=True)] = 2525


class Config(Part):
    """The whole configuration. Folders that are None are made under the state folder when first asked for."""

    mail: Mail = Mail()
    database: str | None = None
    language: Language = "en"
    timezone: Zone = "UTC"
    hosts: tuple[Address, ...] = ("host@example.org",)
    settings: Mapping[str, Any] = {}
    roles: Annotated[Mapping[str, OwnRolePart], AfterValidator(named)] = {}
    templates: File | None = None
    pages: File | None = None
    poll: Length = timedelta(seconds=2)
    strangers: Literal["answer", "ignore"] = "answer"
    answers_per_hour: Annotated[int, Field(ge=1, strict=True)] = 100
    post_office: PostOfficePart = PostOfficePart()

    @field_validator("settings", mode="before")
    @classmethod
    def _settings(cls, value: object) -> object:
        if not isinstance(value, Mapping):
            return value
        if unknown := [name for name in value if name not in NAMES]:
            raise _wrong_setting(unknown[0], f"unknown setting; allowed: {', '.join(NAMES)}")
        settings = {name: _setting(name, entry) for name, entry in value.items()}
        try:
            read_settings(settings)
        except Impossible as error:
            raise _wrong_setting(error.name, str(error)) from None
        return settings

    @field_validator("database", mode="after")
    @classmethod
    def _database(cls, value: str | None, info: ValidationInfo) -> str | None:
        return value if value is None or "://" in value else str(_path(value, info))

    @cached_property
    def base_settings(self) -> Settings:
        """The settings that a new game begins with."""
        return read_settings(self.settings)

    @cached_property
    def own_roles(self) -> tuple[OwnRole, ...]:
        """The roles that a new game may use beside the project's (1.3)."""
        return tuple(part.as_role(name) for name, part in self.roles.items())

    def database_url(self) -> str:
        """The database as a URL; the default one's folder is made now."""
        place = self.database or str(state_folder() / "mafiamail.db")
        return place if "://" in place else f"sqlite:///{place}"

    def post_office_folder(self) -> Path:
        """The folder of the built-in post office; the default one is made now."""
        return self.post_office.folder or _private(state_folder() / "post")

    def pages_folder(self) -> Path:
        """Where pages go that everybody may see; the default one is made now."""
        return self.pages or _private(state_folder() / "pages")


def _setting(name: str, value: object) -> object:
    try:
        return read_setting(name, value)
    except ValueError as error:
        raise _wrong_setting(name, str(error)) from None


def _wrong_setting(name: object, sentence: str) -> PydanticCustomError:
    return PydanticCustomError("setting", "{sentence}", {"key": str(name), "sentence": sentence})


def _loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


# --- reading


def load(path: Path | None = None) -> Config:
    """The configuration in `path`, else in the file that MAFIAMAIL_CONFIG names, else the default. Raises ConfigError."""
    named = path or (Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None)
    path = named or builtin_config()
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    return parse(text, path)


def parse(text: str, path: Path) -> Config:
    """The configuration that stands in `text`, the content of `path`. Raises ConfigError."""
    yaml = YAML(typ="safe", pure=True)
    try:
        data = yaml.load(text)
    except MarkedYAMLError as error:
        where = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise ConfigError(f"{path.name}{where}: {' '.join(str(error.problem).split())}; allowed: YAML, each key once") from error
    except YAMLError as error:
        raise ConfigError(f"{path.name}: {' '.join(str(error).split())}; allowed: YAML") from error
    try:
        return Config.model_validate({} if data is None else data, context={"folder": path.absolute().parent})
    except ValidationError as error:
        keys, sentence = explain(error, Config)
        line = line_of(text, keys)
        raise ConfigError(f"{path.name}, line {line}: {'.'.join(keys) or 'the file'}: {sentence}") from error


# --- places


def state_folder() -> Path:
    """The folder for what the daemon keeps, readable for its user only; it is made if need be."""
    if state := os.environ.get("STATE_DIRECTORY"):  # systemd's; it may name several
        return _private(Path(state.split(":")[0]))
    if state := os.environ.get("XDG_STATE_HOME"):
        return _private(Path(state) / "mafiamail")
    return _private(Path.home() / ".local" / "state" / "mafiamail")


def _private(folder: Path) -> Path:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def builtin_config() -> Path:
    """The commented default: packed with the program, or the repository's own."""
    return _builtin("config.yaml")


def builtin_templates() -> Path:
    """The folder of the letters' templates: packed with the program, or the repository's own."""
    return _builtin("templates")


def _builtin(name: str) -> Path:
    here = Path(__file__).resolve().parent
    packed = here / "data" / name
    return packed if packed.exists() else here.parent / name
