"""The commands: thin, and the only place that talks to a terminal."""

import json
import logging
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, NoReturn

import click

from mafiamail import __version__, checking
from mafiamail import config as configuration
from mafiamail.config import Config, ConfigError
from mafiamail.letters.languages import Languages
from mafiamail.store import Store


def fail(sentence: str, code: int = 2) -> NoReturn:
    """Says what is wrong on standard error; 2: the call or the configuration, 1: the answer is no."""
    click.echo(f"mafiamail: {sentence}", err=True)
    sys.exit(code)


def with_config(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command its configuration, or refuses it in one sentence."""

    @click.option("--config", "path", type=click.Path(path_type=Path), help="Another config.yaml (or set MAFIAMAIL_CONFIG).")
    @wraps(command)
    def configured(path: Path | None, **options: Any) -> None:
        try:
            command(configuration.load(path), **options)
        except ConfigError as error:
            fail(str(error))

    return configured


def open_languages(config: Config) -> Languages:
    """The built-in letters, under those of the host's own folder. Raises ConfigError."""
    try:
        return checking.languages(config)
    except ValueError as error:
        raise ConfigError(f"templates: {error}") from error


def open_store(config: Config) -> Store:
    try:
        return Store(config.database_url())
    except OSError as error:
        raise ConfigError(f"database: {error}; allowed: a path or URL that this user may write to") from error


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def main() -> None:
    """Hosts Mafia (Werewolf) by ordinary mail: polls a mailbox, obeys what players write, writes the letters."""


@main.command()
@click.option("--once", is_flag=True, help="One round, then end.")
@with_config
def run(config: Config, once: bool) -> None:
    """The daemon: reads mail, turns the clocks, sends letters, until it is told to stop."""
    from mafiamail.serve import serve

    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s", stream=sys.stderr)
    logging.getLogger("mafiamail").setLevel(logging.INFO)  # the libraries' own lines would tell addresses
    sys.exit(0 if serve(config, open_store(config), open_languages(config), once=once) else 1)


@main.command()
@click.option("--folder", type=click.Path(path_type=Path), help="Where to leave the letters (default: a new temporary folder).")
@click.option("--seed", default=6, show_default=True, help="What the players do; the roles are dealt anew each time.")
@click.option("--fast", is_flag=True, help="Without pauses for the eye.")
def demo(folder: Path | None, seed: int, fast: bool) -> None:
    """Plays a whole game of the recorded party 6 on the built-in post office, with scripted players, in under a minute."""
    from mafiamail.demo import play

    try:
        play(folder, seed, fast)
    except ConfigError as error:
        fail(str(error))


@main.command()
@with_config
def check(config: Config) -> None:
    """Tries everything that the daemon will need and says what is wrong, one line each."""
    bad = False
    for name, problem in checking.findings(config):
        bad = bad or problem is not None
        click.echo(f"{'ok  ' if problem is None else 'FAIL'} {name}" + (f": {problem}" if problem else ""))
    sys.exit(1 if bad else 0)


@main.command()
@click.option("--from", "sender", required=True, metavar="ADDRESS", help="Who writes.")
@click.option("--to", metavar="ADDRESS", help="To whom (default: the daemon).")
@click.option("--subject", default="", help="The subject.")
@click.option("--reply", is_flag=True, help="Answer the newest letter in the writer's inbox, as a mail program would.")
@click.argument("text")
@with_config
def post(config: Config, sender: str, to: str | None, subject: str, reply: bool, text: str) -> None:
    """Writes to the built-in post office: mafiamail post --from anna@example.org "VOTE: Boris"."""
    from mafiamail.counter import hand_in

    click.echo(hand_in(config, sender, to, subject, text, reply))


@main.command()
@click.option("--last", default=3, show_default=True, help="How many letters; 0 shows all.")
@click.argument("address")
@with_config
def inbox(config: Config, address: str, last: int) -> None:
    """Shows the letters in the built-in post office for an address, the newest at the bottom."""
    from mafiamail.counter import collect

    click.echo(collect(config, address, last))


@main.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON value and nothing else.")
@click.option("--phase", type=click.Choice(["day", "night"]), default="day", show_default=True)
@click.option("--game", type=int, help="Resolve names and sender by this game.")
@click.option("--people", type=click.Path(path_type=Path), help="Resolve them by a YAML file {address: character} instead.")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@with_config
def read(config: Config, as_json: bool, phase: Any, game: int | None, people: Path | None, files: tuple[Path, ...]) -> None:
    """Tells how mails are understood, and why a vote did or did not count."""
    from mafiamail import reading
    from mafiamail.desk.own_roles import with_own
    from mafiamail.letters.understand import Keywords

    if game is not None and people is not None:
        fail("--game and --people do not go together")
    known = reading.people_of(people) if people else _people_of_game(config, game) if game is not None else None
    spellings = open_languages(config).keywords
    own = None if game is None else with_own(spellings, open_store(config).log.game(game))
    words = own or Keywords(spellings)
    try:
        readings = list(reading.read_files(files, config, words, phase, known))
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}")
    click.echo(json.dumps([answer.as_json() for answer in readings], ensure_ascii=False) if as_json else reading.shown(readings))


def _people_of_game(config: Config, number: int) -> dict[str, tuple[str, str]]:
    store = _store_with(config, number)
    game = store.log.game(number)
    addresses = {person.key: person.address for person in store.people.of_game(number).values()}
    return {addresses[who]: (player.character, player.seat) for who, player in game.players.items() if who in addresses}


@main.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON value and nothing else.")
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True))
@with_config
def resolve(config: Config, as_json: bool, files: tuple[str, ...]) -> None:
    """The rules alone: what becomes of a night, a day or a game that a YAML file describes (`-`: standard input)."""
    from mafiamail.lab import resolve as lab

    answers: list[dict[str, Any]] = []
    for name in files:
        try:
            with click.open_file(name, encoding="utf-8") as file:
                answers += lab.resolve_text(file.read(), config.own_roles)
        except (lab.BadCase, UnicodeError) as error:
            fail(f"{name}: {error}", 1)
        except OSError as error:
            fail(f"{name}: {error.strerror or error}")
    click.echo(json.dumps(answers, ensure_ascii=False) if as_json else lab.shown(answers))


@main.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON value and nothing else.")
@click.argument("file", type=click.Path(allow_dash=True))
@with_config
def verify(config: Config, as_json: bool, file: str) -> None:
    """Whether roles and lots came from the seed sealed at the start: FILE is the chronicle that the last letter of a game brings."""
    from mafiamail.lab import verify as lab

    try:
        with click.open_file(file, encoding="utf-8") as opened:
            findings = lab.verify(opened.read())
    except lab.BadChronicle as error:
        fail(f"{file}: {error}", 1)
    except (OSError, UnicodeError) as error:
        fail(f"{file}: {getattr(error, 'strerror', None) or error}")
    good = all(finding.good for finding in findings)
    if as_json:
        click.echo(json.dumps({"good": good, "checks": [finding._asdict() for finding in findings]}, ensure_ascii=False))
    else:
        for finding in findings:
            click.echo(f"{'ok  ' if finding.good else 'FAIL'} {finding.what}: {finding.detail}")
    sys.exit(0 if good else 1)


@main.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON value and nothing else.")
@with_config
def games(config: Config, as_json: bool) -> None:
    """Where all games stand."""
    from mafiamail import lookup

    found = lookup.games(open_store(config))
    click.echo(json.dumps(found, ensure_ascii=False) if as_json else lookup.games_shown(found))


@main.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON value and nothing else.")
@click.argument("game", type=int)
@with_config
def show(config: Config, as_json: bool, game: int) -> None:
    """Where one game stands: what everybody may know of it."""
    from mafiamail import lookup

    found = lookup.show(_store_with(config, game), game)
    click.echo(json.dumps(found, ensure_ascii=False) if as_json else lookup.game_shown(found))


@main.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON value and nothing else.")
@click.option("--secret", is_flag=True, help="Also what the host alone may know: roles, orders, results.")
@click.argument("game", type=int)
@with_config
def log(config: Config, as_json: bool, secret: bool, game: int) -> None:
    """What has happened in a game, event by event."""
    from mafiamail import lookup

    store = _store_with(config, game)
    found = lookup.log(store, game, secret)
    click.echo(json.dumps(found, ensure_ascii=False) if as_json else lookup.log_shown(found, lookup.zone(store, game)))


def _store_with(config: Config, number: int) -> Store:
    store = open_store(config)
    if number not in store.log.games():
        fail(f"there is no game {number}", 1)
    return store


if __name__ == "__main__":
    main()
