"""`mafiamail verify`: whether a game was dealt, and its lots drawn, from the seed that was sealed before anybody joined."""

import json
from typing import Any, NamedTuple

from mafiamail.game import deal, draw


class BadChronicle(ValueError):
    """A file that is no chronicle; the reason is for a person."""


class Finding(NamedTuple):
    """One thing that was computed anew."""

    what: str
    good: bool
    detail: str


def verify(text: str) -> list[Finding]:
    """Everything that chance decided in a chronicle, computed anew. Raises BadChronicle."""
    try:
        chronicle = json.loads(text)
        if not isinstance(chronicle, dict) or chronicle.get("mafiamail") != 1:
            raise BadChronicle("this is no chronicle of mafiamail")
        return [_seal(chronicle), _digests(chronicle), *_deal(chronicle), *_lots(chronicle)]
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        if isinstance(error, BadChronicle):
            raise
        raise BadChronicle(f"this is no whole chronicle ({error})") from error


def _seal(chronicle: dict[str, Any]) -> Finding:
    good = draw.seal(chronicle["seed"]) == chronicle["seal"]
    roles = ", ".join(f"{number} {role}" for role, number in chronicle["composition"])
    detail = (
        f"compare it with the one in your role letter, and so the composition: {roles}"
        if good
        else f"the seed's own is {draw.seal(chronicle['seed'])}"
    )
    return Finding("seal", good, f"{chronicle['seal']}: {detail}")


def _digests(chronicle: dict[str, Any]) -> Finding:
    digests = [player["digest"] for player in chronicle["players"]]
    good = len(set(digests)) == len(digests)
    return Finding("digests", good, f"{len(digests)} players, " + ("each with his own part" if good else "two with the same part"))


def _deal(chronicle: dict[str, Any]) -> list[Finding]:
    """Seats and roles, by the name of each player."""
    composition = tuple((str(role), number) for role, number in chronicle["composition"])
    players = chronicle["players"]
    if not all(type(number) is int and 0 < number <= len(players) for _, number in composition):
        raise BadChronicle("its composition is not one of roles and how many there are of each")
    if deal.size(composition) != len(players):
        return [Finding("roles", False, f"{deal.size(composition)} roles for {len(players)} players")]
    seats, roles = deal.deal(chronicle["seed"], {player["name"]: player["digest"] for player in players}, composition)
    wrong_seats = [player["name"] for player in players if seats[player["name"]] != player["seat"]]
    wrong_roles = [player["name"] for player in players if roles[player["name"]] != player["role"]]
    return [
        Finding("seats", not wrong_seats, f"not as dealt: {', '.join(wrong_seats)}" if wrong_seats else "as dealt"),
        Finding("roles", not wrong_roles, f"not as dealt: {', '.join(wrong_roles)}" if wrong_roles else "as dealt"),
    ]


def _lots(chronicle: dict[str, Any]) -> list[Finding]:
    """1.8: every tie that a lot had to decide; the tied in the order of their seats."""
    if chronicle["settings"]["tie"] != "random":
        return []
    place = {player["name"]: player["seat"] for player in chronicle["players"]}
    key = deal.key_of(chronicle["seed"], [player["digest"] for player in chronicle["players"]])
    told = {lot["label"]: lot for lot in chronicle["lots"]}
    findings = []
    for day in chronicle["phases"]:
        tied = sorted(_leaders(day.get("tally", [])), key=lambda name: place[name])
        if len(tied) < 2:
            continue
        label = f"tie {day['day']}"
        drawn = draw.lot(key, label, tied)
        good = day["executed"] == [drawn] and told.get(label) == {"label": label, "between": tied, "drawn": drawn}
        findings.append(Finding(label, good, f"between {', '.join(tied)}: {drawn}"))
    return findings


def _leaders(tally: list[dict[str, Any]]) -> list[str]:
    most = max((len(entry["voters"]) for entry in tally), default=0)
    return [entry["name"] for entry in tally if len(entry["voters"]) == most]
