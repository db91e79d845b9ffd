"""`games`, `show`, `log` and `resolve` at the command line."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from mafiamail.cli import main
from tests.kit import World, new_game

SECRETS = ("doctor", "HEAL", "deeds", "seed", "lamp")


@pytest.fixture
def told(tmp_path: Path) -> Any:
    """A game in its second phase in a database of its own, and a way to ask about it."""
    database = tmp_path / "mafia.db"
    world = new_game(World(database=str(database)), "2 mafia, doctor, commissar, 3 citizens", lines="begins = night")
    doctor = world.with_role("doctor")[0]
    world.say(doctor, f"HEAL: {doctor}")
    killer = world.with_role("mafia")[0]
    world.say(killer, "STORY: A lamp went out.")
    world.until_the_end_of_the_phase()
    config = tmp_path / "config.yaml"
    config.write_text(f"database: {database}\n", encoding="utf-8")

    def ask(*words: str) -> Result:
        return CliRunner().invoke(main, [*words, "--config", str(config)])

    yield ask
    world.store.close()


def test_games_lists_where_all_games_stand(told: Any) -> None:
    answer = told("games", "--json")
    assert answer.exit_code == 0
    (game,) = json.loads(answer.stdout)
    assert (game["id"], game["name"], game["stage"], game["number"], game["open"]) == (1, "Dacha", "day", 1, True)
    assert "Dacha" in told("games").stdout


def test_show_tells_what_everybody_may_know_and_no_role(told: Any) -> None:
    answer = told("show", "1", "--json")
    found = json.loads(answer.stdout)
    assert len(found["seats"]) == 7
    assert all("role" not in seat for seat in found["seats"])
    assert "mafia01" in told("show", "1").stdout


def test_log_tells_no_secret_unless_it_is_asked_to(told: Any) -> None:
    public, secret = told("log", "1", "--json").stdout, told("log", "1", "--json", "--secret").stdout
    assert [event["event"] for event in json.loads(public)] == [event["event"] for event in json.loads(secret)]
    public_play = json.dumps([event for event in json.loads(public) if event["event"] not in ("Created", "Started")])
    assert not [word for word in SECRETS if word in public_play]
    assert all(word in secret for word in SECRETS)
    story = next(event for event in json.loads(public) if event["event"] == "StoryWritten")
    assert set(story) == {"seq", "event", "at"}
    assert "roles" not in next(event for event in json.loads(public) if event["event"] == "Started")
    assert "seed" not in json.loads(public)[0]
    assert "HEAL" not in told("log", "1").stdout
    assert "HEAL" in told("log", "1", "--secret").stdout


@pytest.mark.parametrize("command", ["show", "log"])
def test_a_game_that_is_not_there_is_a_no(told: Any, command: str) -> None:
    answer = told(command, "7")
    assert (answer.exit_code, answer.stdout) == (1, "")
    assert "there is no game 7" in answer.stderr


# resolve

NIGHT = "case: a night\nnight:\n  players: {a: mafia, b: doctor, c: commissar, d: citizen}\n  orders: {a: b, b: pass, c: a}\n"
DAY = "day:\n  variant: one\n  players: [a, b, c]\n  events: [{at: 1h, vote: [a, b]}, {at: 2h, vote: [b, b]}]\n"
GAME = "game:\n  variant: two\n  players: {a: mafia, b: citizen, c: commissar}\n  phases: [{day: {a: b, b: a, c: a}}]\n"


def resolved(text: str, *options: str) -> Result:
    return CliRunner().invoke(main, ["resolve", "-", *options], input=text)


def test_resolve_shows_people_a_table_for_each_document() -> None:
    shown = resolved("---\n".join((NIGHT, DAY, GAME))).stdout
    assert "a night" in shown
    assert "died       b (by mafia)" in shown
    assert "told       c: a is mafia" in shown
    assert "refused at 2h  b  target_self  1.7" in shown
    assert "winner     town" in shown


def test_resolve_json_is_one_list_and_nothing_else() -> None:
    answers = json.loads(resolved("---\n".join((NIGHT, DAY, GAME)), "--json").stdout)
    assert [sorted(answer)[:2] for answer in answers] == [["case", "died"], ["closes", "executed"], ["alive", "died"]]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("night:\n  players: {a: mafia}\n  orders: {a: z}\n", "line 3: 'z' is none of the players"),
        ("night:\n  players: {a: plumber}\n", "line 2: there is no role 'plumber'"),
        ("night: [", "line 1: not YAML"),
        ("night: {}\nday: {}\n", "line 1: a document has exactly one of night, day, game"),
    ],
)
def test_resolve_refuses_a_bad_file_with_line_and_reason(text: str, reason: str) -> None:
    answer = resolved(text, "--json")
    assert (answer.exit_code, answer.stdout) == (1, "")
    assert reason in answer.stderr


def test_resolve_says_that_a_file_is_not_there(tmp_path: Path) -> None:
    answer = CliRunner().invoke(main, ["resolve", str(tmp_path / "none.yaml")])
    assert answer.exit_code == 2
    assert "No such file" in answer.stderr
