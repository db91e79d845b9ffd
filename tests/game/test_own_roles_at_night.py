"""1.3: a host's own roles, made of existing powers, among the rulebook's at Night; as `mafiamail resolve` tells it."""

from typing import Any

import pytest

from mafiamail.game.model import OwnRole
from mafiamail.lab.resolve import BadCase, resolve_text

OWN = (
    OwnRole("mayor", "town"),
    OwnRole("boss", "mafia", family=True),
    OwnRole("medic", "mafia", "heal", family=True),
    OwnRole("spy", "town", "check", uses=1),
    OwnRole("gunman", "gang", "family kill", family=True, uses=1),
    OwnRole("herald", "guild", "recruit", uses=1),
)


def night(players: str, orders: str, more: str = "") -> dict[str, Any]:
    return resolve_text(f"night:\n  players: {{{players}}}\n  orders: {{{orders}}}\n{more}", OWN)[0]


def test_1_3_a_role_that_only_a_host_with_that_configuration_has() -> None:
    assert night("Ann: mafia, May: mayor, Bob: citizen", "Ann: May")["died"] == {"May": ["mafia"]}
    with pytest.raises(BadCase, match="there is no role 'mayor'"):
        resolve_text("night:\n  players: {May: mayor}\n")


def test_2_18_an_own_role_is_no_citizen_and_cannot_be_recruited() -> None:
    answer = night("Ann: mafia, Rec: recruiter, May: mayor, Bob: citizen", "Ann: pass, Rec: May")
    assert answer["recruited"] == []
    assert any((deed["who"], deed["why"]) == ("Rec", "no citizen") for deed in answer["explained"])


@pytest.mark.parametrize("blocked", ["Boss", "Med", "Ann"])
def test_2_1_whoever_of_a_family_is_blocked_none_of_it_acts(blocked: str) -> None:
    answer = night(
        "Pri: priest, Man: maniac, Ann: mafia, Boss: boss, Med: medic, Gus: citizen, Hal: citizen",
        f"Pri: {blocked}, Ann: Gus, Man: Hal, Med: Hal",
    )
    assert answer["died"] == {"Hal": ["maniac"]}
    assert answer["saved"] == []


def test_2_18_a_blocked_recruiter_stops_nobody_but_himself() -> None:
    assert night("Pri: priest, Ann: mafia, Rec: recruiter, Gus: citizen", "Pri: Rec, Ann: Gus, Rec: Pri")["died"] == {"Gus": ["mafia"]}


def test_2_18_a_recruit_of_a_side_that_kills_nobody_stays_a_citizen_of_that_side() -> None:
    text = (
        "game:\n  players: {Ann: mafia, Her: herald, Bob: citizen, Cat: citizen}\n"
        "  phases: [{night: {Ann: pass, Her: Bob}}, {day: {Bob: Ann, Cat: Ann, Her: Ann}}, {night: {}}]\n"
    )
    answer = resolve_text(text, OWN)[0]
    assert answer["phases"][0]["recruited"] == ["Bob"]
    assert answer["winner"] is None  # Cat is still of the town; Bob and Her are of the guild


def test_2_18_a_blocked_attempt_of_a_family_that_may_kill_once_is_not_spent() -> None:
    text = (
        "game:\n  players: {Pri: priest, Gun: gunman, Bob: citizen, Cat: citizen, Dan: citizen}\n"
        "  phases: [{night: {Pri: Gun, Gun: Bob}}, {day: {}}, {night: {Pri: pass, Gun: Bob}}]\n"
    )
    answer = resolve_text(text, OWN)[0]
    assert answer["phases"][0]["died"] == {}
    assert answer["phases"][2]["died"] == {"Bob": ["gang"]}
