"""config.yaml is read to the last key, and what is wrong with it is said in one sentence."""

import stat
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from mafiamail import config
from mafiamail.cli import main
from mafiamail.config import Config, ConfigError, Secret, load, parse
from mafiamail.game.model import Settings
from mafiamail.game.setting import NAMES
from mafiamail.mail.transports import LoginRefused
from mafiamail.mail.transports.imap import ImapMailbox
from mafiamail.mail.transports.local import MaildirMailbox, MaildirPostman
from mafiamail.mail.transports.smtp import SmtpPostman
from mafiamail.offices import open_mailbox, open_post_office, open_postman

FILE = Path("/etc/mafiamail/config.yaml")

GMAIL = """
mail:
  address: Our.Mafia@gmail.com
  authserv_id: mx.google.com
  inbox: {imap: {host: imap.gmail.com}}
  outbox: {smtp: {host: smtp.gmail.com}}
  password: {env: MAFIA_PASSWORD}
"""


@pytest.fixture(autouse=True)
def _no_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MAFIAMAIL_CONFIG", "STATE_DIRECTORY", "XDG_STATE_HOME", "CREDENTIALS_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)


# --- where it comes from


def test_the_default_file_says_what_holds_without_any_file() -> None:
    assert load() == parse("", FILE) == Config()


def test_the_default_file_names_every_key_and_every_setting() -> None:
    text = config.builtin_config().read_text(encoding="utf-8")
    parts = (Config, config.Mail, config.Inbox, config.Outbox, config.Imap, config.Smtp, config.PostOfficePart, Secret)
    assert [name for part in parts for name in part.model_fields if f"{name}:" not in text] == []
    assert [name for name in NAMES if name not in text] == []


def test_the_commented_blocks_of_the_default_file_are_right() -> None:
    text = config.builtin_config().read_text(encoding="utf-8")
    blocks = text.partition("# --- A real mailbox")[2].partition("# ----")[0].split("\n#\n")[1:]
    assert len(blocks) == 5
    for block in blocks:
        lines = [line.removeprefix("# ") for line in block.splitlines() if line.startswith("#   ")]
        parsed = parse("mail:\n  address: mafia@example.org\n" + "\n".join(lines), FILE)
        assert parsed.mail.outbox.smtp is not None


def test_a_file_may_be_named_by_hand_or_by_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    by_variable, by_hand = tmp_path / "a.yaml", tmp_path / "b.yaml"
    by_variable.write_text("language: ru")
    by_hand.write_text("language: de")
    monkeypatch.setenv("MAFIAMAIL_CONFIG", str(by_variable))
    assert (load().language, load(by_hand).language) == ("ru", "de")


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "config.yaml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError, match=r"config\.yaml: cannot be read"):
        load(path)


# --- what is right


def test_a_real_mailbox_needs_five_lines() -> None:
    mail = parse(GMAIL, FILE).mail
    assert mail.address == "our.mafia@gmail.com"
    assert mail.inbox.imap is not None
    assert mail.outbox.smtp is not None
    assert (mail.inbox.imap.security, mail.inbox.imap.real_port, mail.outbox.smtp.real_port) == ("tls", 993, 465)


def test_settings_are_read_by_their_names_in_the_rulebook() -> None:
    words = "variant: One, phase_limit: 27h30m, unvote: yes, close_early: false, quiet_draw: 0, day_limit: none, reminder: 0, tie: all"
    expected = Settings(
        variant="one",
        phase_limit=timedelta(hours=27, minutes=30),
        unvote=True,
        close_early=False,
        quiet_draw=0,
        reminder=timedelta(0),
        tie="all",
    )
    assert parse(f"settings: {{{words}}}", FILE).base_settings == expected


def test_paths_start_from_the_folder_of_the_file() -> None:
    parsed = parse("templates: mine\npages: /srv/pages\ndatabase: mafia.db\nmail: {password: {file: secret}}", FILE)
    assert (parsed.templates, parsed.pages) == (Path("/etc/mafiamail/mine"), Path("/srv/pages"))
    assert parsed.database_url() == "sqlite:////etc/mafiamail/mafia.db"
    assert parsed.mail.password is not None
    assert parsed.mail.password.file == Path("/etc/mafiamail/secret")


def test_a_database_may_be_a_url() -> None:
    assert parse("database: postgresql://mafia@/mafia", FILE).database_url() == "postgresql://mafia@/mafia"


# --- what is wrong

WRONG = [
    ("colour: red", "line 1: colour: unknown key; allowed: mail, database"),
    ("mail:\n  adress: a@b.c", "line 2: mail.adress: unknown key; allowed: address, name"),
    ("mail:\n  inbox:\n    imap:\n      hots: x", "line 4: mail.inbox.imap.hots: unknown key; allowed: host, port"),
    ("mail:\n  inbox:\n    imap: {}", "line 3: mail.inbox.imap.host: is missing"),
    (
        "mail:\n  inbox:\n    imap:\n      host: x\n      port: 12x",
        "line 5: mail.inbox.imap.port: '12x' is not possible; allowed: a whole number",
    ),
    (
        "mail: {inbox: {imap: {host: x, port: 99999}}}",
        "line 1: mail.inbox.imap.port: 99999 is not possible; allowed: a whole number up to 65535",
    ),
    ("mail: {inbox: {imap: {host: x, security: ssl}}}", "mail.inbox.imap.security: 'ssl' is not possible; allowed: tls, starttls, none"),
    ("mail: {inbox: {imap: {host: mail.example.org, security: none}}}", "allowed: tls, starttls (none only on loopback)"),
    ("mail:\n  inbox: mine", "line 2: mail.inbox: 'mine' is not possible; allowed: built-in, imap: …, maildir: …"),
    ("mail:\n  inbox: {maildir: a, imap: {host: b}}", "mail.inbox: exactly one way; allowed: built-in, imap: …, maildir: …"),
    ("mail:\n  inbox: {maildir: a}", "line 1: mail: inbox and outbox do not fit together; allowed: both `built-in`, or neither"),
    (GMAIL.replace("password: {env: MAFIA_PASSWORD}", "password: null"), "inbox.imap logs in and needs `password`; allowed: {file: PATH}"),
    (
        "mail: {password: hunter2}",
        "line 1: mail.password: a password never stands in this file itself; allowed: exactly one of {file: PATH}",
    ),
    (
        "mail: {password: {file: a, env: b}}",
        "allowed: exactly one of {file: PATH}, {command: PROGRAM}, {env: VARIABLE}, {credential: NAME}",
    ),
    ("mail: {password: {fiel: a}}", "mail.password.fiel: unknown key; allowed: file, command, env, credential"),
    ("mail:\n  address: Anna <anna@example.org>", "line 2: mail.address: 'Anna <anna@example.org>' is no mail address; allowed:"),
    ("hosts:\n  - a@b.c\n  - Boris", "line 3: hosts.1: 'Boris' is no mail address; allowed:"),
    ("hosts: a@b.c", "line 1: hosts: 'a@b.c' is not possible; allowed: a list"),
    ("settings:\n  unvote: yes\n  tie: maybe", "line 3: settings.tie: 'maybe' is not possible; allowed: nobody, revote, random, all"),
    ("settings: {ties: all}", "settings.ties: unknown setting; allowed: variant, begins, tie"),
    ("settings: {phase_limit: 48}", "settings.phase_limit: 48 is not possible; allowed: a length of time such as 36h"),
    (
        "settings: {day_limit: 12:30}",
        "settings.day_limit: '12:30' is not possible; allowed: a length of time such as 36h, 90m or 1d12h, or none",
    ),
    ("settings: {absence: -1}", "settings.absence: -1 is not possible; allowed: a whole number from 0 up"),
    ("settings: {bold_votes: perhaps}", "settings.bold_votes: 'perhaps' is not possible; allowed: yes, no"),
    ("settings:", "line 1: settings: nothing is not possible; allowed: a mapping"),
    ("timezone: Moscow", "line 1: timezone: 'Moscow' is no time zone; allowed: names such as UTC"),
    ("language: Русский", "line 1: language: 'Русский' is no language; allowed:"),
    ("poll: 0", "line 1: poll: 0 is not possible; allowed: a length of time"),
    ("roles: {spy: {power: fly}}", "line 1: roles.spy.power: 'fly' is no power; allowed: "),
    ("roles: {spy: {side: T0WN}}", "line 1: roles.spy: side: 'T0WN' is no side; allowed: town, mafia"),
    ("roles: {spy: {keyword: SPY}}", "line 1: roles.spy: keyword: 'SPY' is not possible; allowed: words of letters, for a role that"),
    ("roles: {spy: {uses: -1}}", "line 1: roles.spy.uses: -1 is not possible"),
    ("roles: {doctor: {power: heal}}", "line 1: roles: 'doctor' is no name for a role of your own; allowed: lower-case words, none of"),
    ("roles: {spy: {colour: red}}", "line 1: roles.spy.colour: unknown key; allowed: side, power, keyword"),
    ("templates: ''", "line 1: templates: '' is no path; allowed:"),
    ("language: en\nlanguage: ru", 'line 2: found duplicate key "language"'),
    ("mail: [", "line 1: "),
    ("- mail", "line 1: the file: ['mail'] is not possible; allowed: a mapping"),
    ("1: 2", "line 1: 1: 1 is not possible; allowed: a name as a key"),
]


@pytest.mark.parametrize(("text", "sentence"), WRONG)
def test_what_is_wrong_is_said_with_line_key_and_what_is_allowed(text: str, sentence: str) -> None:
    with pytest.raises(ConfigError) as error:
        parse(text, FILE)
    said = str(error.value)
    assert sentence in said
    assert said.startswith("config.yaml, line ")
    assert "; allowed: " in said
    assert "\n" not in said
    assert "hunter2" not in said


# --- passwords


def test_a_password_comes_from_a_file_a_command_a_variable_or_systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mail").write_text("se cret\n")
    monkeypatch.setenv("MAFIA_PASSWORD", "se cret")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
    ways = [{"file": tmp_path / "mail"}, {"command": "echo 'se cret'"}, {"env": "MAFIA_PASSWORD"}, {"credential": "mail"}]
    assert [Secret.model_validate(way).read() for way in ways] == ["se cret"] * 4


@pytest.mark.parametrize(
    "way", [{"file": "/nowhere"}, {"command": "false"}, {"command": "/nowhere"}, {"env": "NOT_SET"}, {"credential": "none"}]
)
def test_a_password_that_is_not_there_is_said(way: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match=r"^mail\.password: "):
        Secret.model_validate(way).read()


# --- places


def test_the_state_folder_is_systemds_else_the_users_and_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert config.state_folder() == tmp_path / "home/.local/state/mafiamail"
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    assert config.state_folder() == tmp_path / "xdg/mafiamail"
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "systemd"))
    assert config.state_folder() == tmp_path / "systemd"
    assert stat.S_IMODE((tmp_path / "systemd").stat().st_mode) == 0o700


def test_reading_the_configuration_makes_no_folder_and_asking_for_one_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    parsed = load()
    assert not (tmp_path / "state").exists()
    assert parsed.database_url() == f"sqlite:///{tmp_path}/state/mafiamail.db"
    assert parsed.post_office_folder() == tmp_path / "state/post"
    assert (tmp_path / "state/post").is_dir()


def test_the_templates_of_the_house_are_found() -> None:
    assert {"en", "ru"} <= {folder.name for folder in config.builtin_templates().iterdir()}


# --- what is opened


def test_the_default_opens_the_built_in_post_office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    parsed = parse("post_office: {port: 0}", FILE)
    assert isinstance(open_mailbox(parsed), MaildirMailbox)
    assert isinstance(open_postman(parsed), MaildirPostman)
    office = open_post_office(parsed)
    assert office is not None
    assert (office.address, office.folder, office.port) == ("mafia@example.org", tmp_path / "post", 0)


def test_a_real_mailbox_opens_imap_and_smtp_and_no_post_office() -> None:
    parsed = parse(GMAIL, FILE)
    assert isinstance(open_mailbox(parsed), ImapMailbox)
    assert isinstance(open_postman(parsed), SmtpPostman)
    assert open_post_office(parsed) is None


def test_a_password_that_is_not_there_refuses_the_login_when_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MAFIA_PASSWORD", raising=False)
    parsed = parse(GMAIL.replace("imap.gmail.com", "localhost"), FILE)
    server = parsed.mail.inbox.imap
    assert server is not None
    from mafiamail.offices import _password

    with pytest.raises(LoginRefused, match=r"mail\.password: "):
        _password(parsed, server)()


@pytest.mark.parametrize(
    ("written", "finding"),
    [
        ("database: junk.db\n", "FAIL database: file is not a database"),
        ("database: postgres://host/game\n", "FAIL database: "),
        ("templates: own\n", "FAIL letters: en/stranger.txt: no letter has nosuch"),
        ("templates: nowhere\n", "FAIL letters: "),
        ("language: fr\n", "FAIL letters: there are none in the language 'fr'; allowed: en, ru"),
    ],
)
def test_check_says_in_one_line_what_would_fail_later(written: str, finding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    (tmp_path / "own/en").mkdir(parents=True)
    (tmp_path / "own/en/stranger.txt").write_text("Subject: x\n{{ nosuch }}\n")
    (tmp_path / "junk.db").write_text("junk " * 100)
    (tmp_path / "config.yaml").write_text(written)
    done = CliRunner().invoke(main, ["check", "--config", str(tmp_path / "config.yaml")])
    assert done.exit_code == 1
    assert any(line.startswith(finding) for line in done.output.splitlines()), done.output
