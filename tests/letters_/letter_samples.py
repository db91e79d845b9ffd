"""Facts of every kind of letter, as compose.py and the desk give them."""

from typing import Any

from mafiamail.letters.letter import EDITION
from mafiamail.letters.settings import rules

Facts = dict[str, Any]

NOW = "2026-05-13T19:00:00+00:00"
ENDS = "2026-05-14T18:00:00+00:00"
SEAL = "9f2c" * 16
LIVING = ["Ёжик", "Лесник", "Капитан Штиль", "Duchess", "Old Tom", "Secret Postman", "Мисс О’Брайен", "Доктор Рыбкин"]
TALLY = [
    {"name": "Secret Postman", "voters": ["Duchess", "Old Tom", "Ёжик"]},
    {"name": "Лесник", "voters": ["Secret Postman", "Доктор Рыбкин"]},
    {"name": "Duchess", "voters": ["Лесник"]},
]
COMPOSITION = [["mafia", 3], ["doctor", 1], ["commissar", 1], ["priest", 1], ["maniac", 1], ["citizen", 7]]

ROLES = {
    "citizen": ("town", []),
    "priest": ("town", ["BLOCK", "PASS"]),
    "doctor": ("town", ["HEAL", "PASS"]),
    "maniac": ("maniac", ["KILL", "PASS"]),
    "mafia": ("mafia", ["KILL", "PASS"]),
    "alternative mafia": ("alternative mafia", ["KILL", "PASS"]),
    "commissar": ("town", ["CHECK", "PASS"]),
    "necromancer": ("town", ["RAISE", "PASS"]),
    "recruiter": ("mafia", ["RECRUIT", "PASS"]),
}
FAMILIES = {"mafia", "alternative mafia", "recruiter"}


def phase(stage: str, number: int = 2, ends: str | None = ENDS) -> Facts:
    closing = {"night": "orders", "night zero": "orders"}.get(stage, "decided")
    return {"stage": stage, "number": number, "ends": ends, "paused": False, "closing": closing, "candidates": []}


DAY, NIGHT = phase("day"), phase("night")
SECOND_VOTE = DAY | {"candidates": ["Ёжик", "Old Tom"]}
STANDING_STILL = phase("day", 2, None) | {"paused": True}
SIGNUP, OVER = phase("signup", 0, None), phase("over", 3, None)
PLAYER = {"name": "Old Tom", "seat": "mafia05", "alive": True, "host": False}
DEAD = PLAYER | {"alive": False}
HOST = {"name": "", "seat": "", "alive": False, "host": True}


def common(running: Facts = DAY, reader: Facts | None = PLAYER, **facts: Any) -> Facts:
    return {
        "edition": EDITION,
        "lang": "en",
        "now": NOW,
        "zone": "Europe/Moscow",
        "game": {"id": 7, "name": "Dacha", "theme": "an old house by the sea"},
        "reader": reader,
        "phase": running,
        "day": 2,
        **facts,
    }


def outside(**facts: Any) -> Facts:
    """A letter that is about no game."""
    return common() | {"game": None, "reader": None, "phase": None, "day": 0, "zone": "UTC"} | facts


def invitation() -> Facts:
    own = [
        {"name": "guard", "side": "town", "can": {"": "Guards one."}, "power": "heal", "pistol": True},
        {"name": "thief", "side": "guild", "can": {}, "power": "", "pistol": True},
    ]
    call = {"theme": "the sea", "players": 14, "composition": COMPOSITION, "own": own, "differs": [["tie", "random"]], "seal": SEAL}
    return outside(name="Dacha", id=7, have=5, need=14, variant="two", intervals=[["phase_limit", "48h"]], **call)


OWN_ROLE: Facts = {
    "own": {"can": {"": "Guards one."}, "power": "heal", "pistol": True},
    "own_roles": [{"name": "guard", "side": "guild", "can": {}, "power": "heal", "pistol": True}],
}


def role_letter(role: str) -> Facts:
    side, keywords = ROLES[role]
    return common(
        newcomer=False,
        players=14,
        composition=COMPOSITION,
        own_roles=[],
        differs=[],
        variant="two",
        seal=SEAL,
        role=role,
        side=side,
        pistol=role == "commissar",
        window=True,
        victory="last_side_standing",
        family_orders="all" if role in ("mafia", "alternative mafia") else "",
        waits=False,
        family=["Лесник", "Duchess"] if role in FAMILIES else [],
        keywords=keywords,
        own={},
        digests=[[f"mafia{seat:02d}", f"{seat:064x}"] for seat in range(1, 15)],
        first=phase("day", 1),
    )


def night_letter(role: str) -> Facts:
    family = ["Лесник", "Duchess"] if role in FAMILIES else []
    return common(NIGHT, number=2, ends=ENDS, keywords=ROLES[role][1], alive=LIVING, family=family, removed=[])


DOSSIERS: dict[str, Facts | None] = {
    "none": None,
    "nothing": {"nothing": True},
    "mafia": {"nothing": False, "about": "Лесник", "role": "mafia", "killed_by": []},
    "killed": {"nothing": False, "about": "Secret Postman", "role": "alternative mafia", "killed_by": ["mafia", "alternative mafia"]},
}


def morning_letter(dossier: str) -> Facts:
    return common(NIGHT, number=2, dossier=DOSSIERS[dossier], recruited=None, raised=None)


def status(
    vote: str | None = None,
    order: Facts | None = None,
    may: tuple[str, ...] = (),
    family: Facts | None = None,
    by_night: bool = False,
    **you: Any,
) -> Facts:
    return {
        "alive": 8,
        "of": 14,
        "need": 14,
        "tally": None if by_night else TALLY,
        "voted": 0 if by_night else 6,
        "voters": 0 if by_night else 8,
        "living": LIVING,
        "you": {
            "vote": vote,
            "order": order,
            "may": list(may),
            "missing": vote is None,
            "speaking": False,
            "leaving": False,
            "family": family,
        }
        | you,
    }


def host_status(**facts: Any) -> Facts:
    players = [{"name": name, "alive": name != "Duchess", "voted": name == "Ёжик"} for name in LIVING]
    return {
        "players": players,
        "orders_missing": 3,
        "waiting": ["Ёжик", "Old Tom"],
        "joined": 8,
        "need": 14,
        "missing": ["Лесник"],
        "leaving": [],
        "tally": TALLY,
        "voted": 6,
        "voters": 8,
    } | facts


def receipt(entries: list[Facts], running: Facts = DAY, reader: Facts | None = PLAYER, standing: Facts | None = None) -> Facts:
    return common(running, reader, arrived="2026-05-13T19:04:00+00:00", entries=entries, status=standing)


FAMILY_STANDING: Facts = {
    "chooses": True,
    "rule": "all",
    "agreed": False,
    "orders": [{"name": "Лесник", "target": "Ёжик"}, {"name": "Duchess", "target": None}],
    "missing": ["Old Tom"],
}

RULES_OF_A_GAME: Facts = {
    "own": True,
    "times": [{"variant": "chat", "absence": ["chat", 2], "twilight": "2m", "extra_time": "4m", "phase_limit": "48m"}],
    "tie": "random",
    "victory": "parity",
    "family_orders": "last",
    "reveal": "role",
    "roles": ["mafia", "doctor", "priest", "recruiter", "citizen"],
    "own_roles": [{"name": "guard", "side": "town", "can": {}, "power": "block", "pistol": True}],
    "differs": [["tie", "random"], ["reveal", "role"], ["victory", "parity"]],
}

_TAKEN_BACK = ("Voted", "Unvoted", "VoteClosed", "Spoke", "Shot", "Ordered", "NightResolved", "LeaveAsked", "Removed", "GameOver", "Paused")
HAPPENED: list[Facts] = [
    {"what": "PhaseBegan", "name": "", "target": "", "phase": {"stage": "night", "number": 2}},
    *({"what": what, "name": "Лесник", "target": "Ёжик", "phase": None} for what in _TAKEN_BACK),
]

OPEN_ENTRIES: list[Facts] = [
    {"kind": "joined", "name": "Old Tom", "have": 5, "need": 14, "digest": SEAL, "described": True, "held": False},
    {"kind": "joined", "name": "Old Tom", "have": 5, "need": 14, "digest": SEAL, "described": False, "held": True},
    {"kind": "joined", "name": "Old Tom", "have": 14, "need": 14, "digest": SEAL, "described": False, "held": False},
    {"kind": "withdrew"},
    {"kind": "leaving"},
    {"kind": "confirm_sent", "what": "LEAVE"},
    {"kind": "confirm_sent", "what": "END"},
    {"kind": "voted", "name": "Secret Postman", "locked": True, "same": False},
    {"kind": "voted", "name": "Secret Postman", "locked": False, "same": False},
    {"kind": "voted", "name": "Secret Postman", "locked": False, "same": True},
    {"kind": "voted", "name": "Лесник", "locked": False, "same": False, "wrote": "Лестника", "meant": "Лесник"},
    {"kind": "unvoted"},
    *({"kind": "unread", "reason": reason, "failed": True} for reason in ("too-big", "unreadable", "forward-only")),
    {"kind": "linked", "address": "tom@example.net"},
    {"kind": "link_asked", "address": "tom@example.net"},
    {"kind": "not_confirmed", "what": "LEAVE"},
    {"kind": "flooded", "failed": True},
    {"kind": "others_letter", "failed": True},
    {"kind": "shot", "name": "Лесник"},
    {"kind": "words_said"},
    {"kind": "said"},
    {"kind": "told_host"},
    {"kind": "announced", "count": 14},
    {"kind": "limit_set", "ends": ENDS, "twilight": False},
    {"kind": "limit_set", "ends": ENDS, "twilight": True},
    {"kind": "limit_set", "ends": None, "twilight": False},
    {"kind": "extended", "ends": None},
    {"kind": "removing", "name": "Old Tom"},
    {"kind": "removed", "name": "Old Tom"},
    {
        "kind": "orders",
        "orders": [{"name": "Old Tom", "keyword": "HEAL", "target": "Ёжик"}],
        "missing": ["Duchess"],
        "stories": [],
        "night": True,
    },
    {"kind": "orders", "orders": [], "missing": [], "stories": [{"name": "Old Tom", "text": "A lamp went out."}], "night": True},
    {"kind": "orders", "orders": [], "missing": [], "stories": [], "night": False},
    {"kind": "story_host"},
    {"kind": "story_told", "count": 14},
    {"kind": "started", "players": 14},
    {"kind": "closed"},
    {"kind": "ended"},
    {"kind": "paused"},
    {"kind": "resumed"},
    {"kind": "gone_on"},
    {"kind": "language", "language": "ru"},
    {"kind": "help", "to": "player"},
    {"kind": "help", "to": "host"},
    {"kind": "help", "to": "stranger"},
    {"kind": "rules", "about": "", "of": rules(None)},
    {"kind": "rules", "about": "seal", "of": rules(None)},
    {"kind": "rules", "about": "", "of": RULES_OF_A_GAME},
    {"kind": "status"},
    {"kind": "which_game", "games": [{"id": 7, "name": "Dacha"}, {"id": 11, "name": "Дача"}]},
    {
        "kind": "bad_lines",
        "lines": ["colour = blue", "tie = x"],
        "each": [
            {"kind": "bad_line", "line": "colour = blue", "problem": "unknown_key", "allowed": "name, theme"},
            {"kind": "bad_line", "line": "tie = x", "problem": "one_of", "allowed": "nobody, all"},
        ],
        "failed": True,
    },
    {"kind": "bad_line", "line": "colour = blue", "problem": "unknown_key", "allowed": "name, theme", "failed": True},
    {
        "kind": "created",
        "theme": "the sea",
        "id": 7,
        "public": False,
        "join_address": "mafia+g7@example.org",
        "variant": "two",
        "intervals": [["phase_limit", "48h"]],
        "players": 14,
        "composition": COMPOSITION,
        "own": [{"name": "guard", "side": "town", "can": {"": "Guards one."}, "power": "heal", "pistol": True}],
        "differs": [["tie", "random"], ["last_words", "0"], ["variant", "one"]],
        "seal": SEAL,
    },
    {
        "kind": "created",
        "theme": "",
        "id": 7,
        "public": True,
        "join_address": "mafia@example.org",
        "variant": "two",
        "intervals": [["phase_limit", "48h"]],
        "players": 14,
        "composition": COMPOSITION,
        "own": [{"name": "guard", "side": "town", "can": {"": "Guards one."}, "power": "heal", "pistol": True}],
        "differs": [],
        "seal": SEAL,
    },
    {"kind": "undone", "again": False, "what": HAPPENED, "paused": True},
    {"kind": "undone", "again": True, "what": HAPPENED[:1], "paused": False},
    {"kind": "setting", "setting": ["tie", "random"], "differs": [["tie", "random"], ["last_words", "0"]]},
    {"kind": "setting", "setting": ["tie", "nobody"], "differs": []},
    {"kind": "renamed", "name": "Old Tom", "have": 5, "need": 14, "digest": SEAL, "described": True, "same": False},
    {"kind": "renamed", "name": "Old Tom", "have": 5, "need": 14, "digest": SEAL, "described": False, "same": True},
    {"kind": "proposed", "players": 14, "parties": [{"numbers": ["6", "10", "18"], "composition": COMPOSITION}], "sizes": [9, 14]},
    {"kind": "proposed", "players": 8, "parties": [], "sizes": [9, 14]},
    {"kind": "log", "phases": []},
    *({"kind": "address_asked", "address": "tom@example.net", "name": name} for name in ("", "Old Tom")),
    *(
        {"kind": "applied", "name": "Old Tom", "digest": SEAL, "described": described, "held": held}
        for described, held in ((True, False), (False, False), (False, True))
    ),
    {"kind": "invited", "sent": ["tom@example.net", "ann@example.net"], "unsent": ["eve@example.net"]},
    {"kind": "invited", "sent": [], "unsent": ["eve@example.net"]},
    {"kind": "invited", "sent": ["eve@example.net"], "unsent": []},
    *({"kind": "approved", "name": "Old Tom", "already": already} for already in (True, False)),
    *({"kind": "rejected", "name": "Old Tom", "again": again} for again in (True, False)),
    {"kind": "cohost"},
    {"kind": "taken_back", "address": "tom@example.net"},
    *({"kind": "took_place", "name": "Old Tom", "started": started} for started in (True, False)),
    {"kind": "no_place", "failed": True},
    {"kind": "away", "rule": "3.2.3", "line": "AWAY: until 15 May"},
    {"kind": "away", "rule": "", "line": "Отъезд: до пятницы: ГОЛОС: Ёжик"},
    {"kind": "digest", "every": "12h"},
    {"kind": "digest", "every": ""},
    {"kind": "timezone", "zone": "Europe/Moscow", "now": NOW},
    {"kind": "by_host"},
    {"kind": "written_for", "who": "Old Tom", "did": "vote", "name": "Ёжик", "locked": True},
    {"kind": "written_for", "who": "Old Tom", "did": "heal", "name": "Ёжик", "locked": False},
    {"kind": "written_for", "who": "Old Tom", "did": "pass", "name": None, "locked": False},
    *(
        {"kind": "bad_line", "line": "VOTE FOR: Ёжик", "problem": what, "allowed": "", "failed": True}
        for what in ("vote_for", "order_for", "address", "addresses", "replace")
    ),
    {"kind": "luck", "word": "it's a lamp, 7", "digest": SEAL},
]

SECRET_ENTRIES: list[Facts] = [
    {"kind": "ordered", "keyword": "HEAL", "name": "Ёжик", "family": None, "closed": False},
    {"kind": "ordered", "keyword": "KILL", "name": "Ёжик", "family": FAMILY_STANDING, "closed": False},
    {"kind": "ordered", "keyword": "CHECK", "name": "Ёжик", "family": None, "closed": True},
    {"kind": "ordered", "keyword": "PASS", "name": None, "family": None, "closed": False},
    {"kind": "ordered", "keyword": "HEAL", "name": "Ёжик", "family": None, "closed": False, "wrote": "ежика", "meant": "Ёжик"},
    {"kind": "shoot_ahead", "name": "Ёжик"},
    {"kind": "ordered", "keyword": "OWN", "name": "Ёжик", "family": None, "closed": False},
    {"kind": "story_kept", "family": False},
    {"kind": "story_kept", "family": True},
    {"kind": "told_family", "names": ["Лесник", "Duchess"]},
    {"kind": "unknown", "line": "HEEL: Ёжик", "guess": "HEAL", "failed": True},
    {"kind": "unknown", "line": "Убиваю Ёжика", "guess": None, "failed": True},
    {"kind": "no_such_name", "line": "HEAL: Nobody", "name": "Nobody", "names": LIVING, "failed": True},
    {"kind": "ambiguous", "line": "УБИТЬ: Том", "names": ["Old Tom", "Томас"], "failed": True},
    {"kind": "refused", "line": "KILL: Ёжик", "why": "not_yours", "rule": "2", "facts": {"keyword": "KILL"}, "failed": True},
    {"kind": "by_host_secret"},
    {
        "kind": "refused",
        "line": "ORDER FOR: Ёжик = KILL Old Tom",
        "why": "not_yours",
        "rule": "2",
        "facts": {"keyword": "KILL", "on_behalf": "Ёжик"},
        "failed": True,
    },
    {"kind": "mixed", "lines": ["SAY: hello", "HEAL: Ёжик"]},
    {"kind": "returned", "text": "I heal Ёжик tonight", "reason": "not_published"},
    {"kind": "returned", "text": "", "reason": "nothing"},
    {"kind": "returned", "text": "I heal Ёжик tonight", "reason": "ours"},
    {"kind": "not_obeyed", "lines": ["HEAL: Ёжик", "PASS"], "texts": ["Old Tom\nA gardener."]},
]

TROUBLES = (
    *("set_aside", "bounce", "undeliverable", "forged", "only_you", "flood", "others_letter"),
    *("complaint", "wrong_address", "forged_host", "changed_copy", "kept", "unread"),
)

REFUSAL_FACTS: Facts = {
    "about": "extra",
    "uses": 2,
    "close": True,
    "name": "Old Tom",
    "most": 40,
    "stage": "night",
    "keyword": "KILL",
    "players": 14,
    "have": 5,
    "need": 14,
    "limit": 4,
    "problem": "family",
    "earliest": ENDS,
    "games": ["7 (Dacha)", "11 (Дача)"],
    "allowed": "yes, no",
}

_PHASES = [
    {
        "day": 1,
        "second": False,
        "why": "all voted",
        "rule": "3.2.2",
        "tied": ["Secret Postman", "Лесник"],
        "tie": "random",
        "tally": TALLY,
        "silent": [],
        "executed": ["Secret Postman"],
        "shot": [{"name": "Secret Postman", "whom": "Лесник"}],
        "removed": [{"name": "Duchess", "fate": "absent", "rule": "3.2.3"}],
    },
    {
        "day": 2,
        "second": True,
        "why": "two days",
        "rule": "3.2.2",
        "tied": [],
        "tie": "random",
        "tally": [],
        "silent": LIVING,
        "executed": [],
        "shot": [],
        "removed": [],
    },
    {
        "night": 1,
        "died": [{"name": "Мисс О’Брайен", "sides": ["mafia", "maniac"]}],
        "saved": ["Ёжик"],
        "revived": [],
        "deeds": [
            {"who": "Old Tom", "target": "Ёжик", "did": "heal", "why": "done", "rule": "2.3"},
            {"who": "Лесник", "target": "Мисс О’Брайен", "did": "kill", "why": "done", "rule": "2.8"},
            {"who": "Old Tom", "target": "Ёжик", "did": "heal", "why": "saved", "rule": "2.3"},
            {"who": "Duchess", "target": None, "did": "none", "why": "no order", "rule": "2.8"},
            {"who": "Duchess", "target": "Ёжик", "did": "none", "why": "family blocked", "rule": "2.6"},
            {"who": "Duchess", "target": None, "did": "pass", "why": "something new", "rule": ""},
        ],
        "removed": [],
    },
    {"night": 2, "died": [], "saved": [], "revived": [], "deeds": [], "removed": []},
]
_CAST = [
    {"name": "Old Tom", "seat": "mafia05", "role": "doctor", "side": "town", "alive": True, "fate": None},
    {"name": "Лесник", "seat": "mafia06", "role": "mafia", "side": "mafia", "alive": False, "fate": "executed"},
    {"name": "Ёжик", "seat": "mafia07", "role": "citizen", "side": "mafia", "alive": False, "fate": "killed"},
]


def over(winner: str | None, night: int | None = None) -> Facts:
    died = [{"name": "Ёжик", "known": None}] if night else []
    return common(
        OVER,
        winner=winner,
        alone=True,
        dealt=True,
        quiet=5,
        night=night,
        died=died,
        revived=[],
        removed=[],
        stories=[{"victim": "Ёжик", "text": "A lamp went out."}] if night else [],
        roles=_CAST,
        phases=_PHASES,
        seed="ab" * 32,
        seal=SEAL,
        chronicle=None,
    )


def _day(**facts: Any) -> Facts:
    usual: Facts = {
        "number": 2,
        "first": False,
        "night": 1,
        "died": [],
        "revived": [],
        "removed": [],
        "stories": [],
        "early": False,
        "cast": [],
        "alive": LIVING,
        "tie": "nobody",
        "change": False,
        "ends": ENDS,
    }
    return common(**(usual | facts))


def _closed(**facts: Any) -> Facts:
    usual: Facts = {"number": 2, "why": "all voted", "tally": TALLY, "silent": [], "executed": [], "tie": "nobody", "tied": []}
    usual |= {"early": False, "candidates": []}
    return common(**(usual | facts))


def letters() -> list[tuple[str, Facts]]:
    """(kind, facts) of every kind, in its variations."""
    secret_story = "The lamp went out.\n\n  Nobody spoke.\n– – –\n<b>Then</b> & {{ now }}"
    known = [
        {"name": "Old Tom", "known": {"role": "doctor"}},
        {"name": "Ёжик", "known": {"side": "town"}},
        {"name": "Duchess", "known": None},
    ]
    found: list[tuple[str, Facts]] = [
        *(("role", role_letter(role)) for role in ROLES),
        (
            "role",
            role_letter("doctor")
            | {"differs": [["variant", "one"], ["tie", "random"], ["last_words", "0"]], "variant": "one", "first": phase("night zero", 0)},
        ),
        ("role", role_letter("doctor") | {"newcomer": True, "first": phase("night", 3)}),
        ("role", role_letter("doctor") | {"window": False, "waits": True, "first": phase("night zero", 0)}),
        ("role", role_letter("commissar") | {"window": False, "first": phase("night zero", 0)}),
        (
            "role",
            role_letter("doctor")
            | {"role": "guard", "side": "town", "own": {"can": {}, "power": "kill", "pistol": False}, "first": phase("day", 1, None)},
        ),
        ("role", role_letter("doctor") | {"window": False, "waits": True, "first": phase("night zero", 0)}),
        ("role", role_letter("commissar") | {"window": False, "first": phase("night zero", 0)}),
        ("role", role_letter("doctor") | {"role": "guard", "side": "guild", "keywords": ["GUARD", "PASS"]} | OWN_ROLE),
        ("day", _day(first=True, night=None, number=1)),
        ("day", _day()),
        ("day", _day(early=True, cast=[{"name": "Ёжик", "description": "Small.\nGrey."}, {"name": "Old Tom", "description": ""}])),
        ("vote_closed", _closed(early=True, candidates=["Ёжик", "Old Tom"])),
        *(
            ("notice", common(running, what=what, ends=running["ends"], removed=[], limit=True))
            for what in ("limit", "twilight", "extra_time", "extended", "paused", "resumed", "undone", "redone")
            for running in (DAY, DAY | {"closing": "twilight"}, DAY | {"closing": "before twilight"}, STANDING_STILL)
            if running["ends"] or what in ("limit", "extended", "paused", "undone", "redone")
        ),
        ("notice", common(SIGNUP, what="setting", ends=None, removed=[], setting=["tie", "random"])),
        ("notice", common(what="removed", ends=ENDS, removed=[{"name": "Ёжик", "fate": "removed", "rule": "3.3.2"}])),
        (
            "day",
            _day(
                died=known,
                revived=["Лесник"],
                removed=[{"name": "Ёжик", "fate": "left", "rule": "3.3.2"}],
                stories=[{"victim": "Ёжик", "text": secret_story}, {"victim": None, "text": "And another."}],
            ),
        ),
        ("day", _day(died=known[2:], ends=None, change=True, tie="revote")),
        *(("vote_closed", _closed(why=why)) for why in ("decided", "twilight", "extra time", "revote", "host limit", "two days", "host")),
        ("vote_closed", _closed(tied=["Ёжик", "Лесник"], tie="again")),
        ("vote_closed", _closed(executed=known, tied=["Ёжик", "Лесник"], tie="random")),
        ("vote_closed", _closed(executed=known)),
        ("vote_closed", _closed(tally=[], silent=LIVING)),
        ("last_words", common(phase("last words"), DEAD, until=ENDS)),
        ("last_words", common(phase("last words"), DEAD, until=None)),
        ("words_said", common(name="Old Tom", words=secret_story)),
        ("shot", common(name="Old Tom", whom=known[0])),
        *(("night", night_letter(role)) for role in ROLES),
        ("night", night_letter("doctor") | {"ends": None}),
        ("night_public", common(NIGHT, DEAD, number=2, ends=ENDS, removed=[])),
        ("night_public", common(NIGHT, DEAD, number=2, ends=None, removed=[{"name": "Ёжик", "fate": "absent", "rule": "3.2.3"}])),
        *(("morning", morning_letter(dossier)) for dossier in DOSSIERS),
        ("morning", morning_letter("none") | {"recruited": {"what": "joined", "names": ["Лесник", "Duchess"]}}),
        ("morning", morning_letter("none") | {"recruited": {"what": "newcomer", "names": ["Ёжик"]}}),
        ("morning", morning_letter("none") | {"recruited": {"what": "nothing", "names": []}}),
        ("night", night_letter("doctor") | {"removed": [{"name": "Ёжик", "fate": "absent", "rule": "3.2.3"}]}),
        ("reminder", common(stage="day", number=2, ends=ENDS, absence=["two", 2])),
        ("reminder", common(SECOND_VOTE, stage="day", number=2, ends=ENDS, absence=["one", 0])),
        ("reminder", common(NIGHT, stage="night", number=2, ends=ENDS, absence=["two", 2])),
        ("reminder", common(phase("night zero", 0), stage="night zero", number=0, ends=None, absence=["two", 2])),
        *(("over", over(winner)) for winner in ("town", "mafia", "alternative mafia", "maniac", "nobody", "draw", "guild", None)),
        ("over", over("town", 2)),
        ("over", over(None) | {"dealt": False, "phases": []}),
        ("over", over("mafia") | {"alone": False}),
        ("post", common(name="Old Tom", text=secret_story)),
        ("digest", common(posts=[{"name": "Old Tom", "text": secret_story, "at": NOW}, {"name": "Ёжик", "text": "No.", "at": NOW}])),
        ("announce", common(text=secret_story, story=False)),
        ("announce", common(text=secret_story, story=True)),
        ("announce", common(SIGNUP, text="Soon.", story=False) | {"day": 1}),
        ("family", common(NIGHT, name="Лесник", text="Tonight the doctor?", members=["Лесник", "Duchess", "Old Tom"], story=False)),
        ("family", common(NIGHT, name="Лесник", text="A lamp went out.", members=["Лесник", "Duchess", "Old Tom"], story=True)),
        ("family_order", common(NIGHT, name="Лесник", keyword="KILL", target="Ёжик", last=False, **FAMILY_STANDING)),
        (
            "family_order",
            common(NIGHT, name="Лесник", keyword="PASS", target=None, last=True, **(FAMILY_STANDING | {"agreed": True, "missing": []})),
        ),
        *(("confirm", common(what=what, lines=[], arrived=NOW)) for what in ("LEAVE", "END")),
        ("confirm", common(SIGNUP, what="LEAVE", lines=[], arrived=NOW)),
        ("confirm", common(DAY, HOST, what="REMOVE NOW", lines=["Old Tom"], arrived=NOW)),
        ("notice", common(DAY | {"paused": True, "ends": None}, what="paused", ends=None, removed=[])),
        *(("confirm", outside(what=what, lines=["Dacha"], arrived=NOW)) for what in ("CO-HOST", "REPLACE")),
        ("replaced", outside(name="Dacha")),
        ("purged", outside(name="Dacha")),
        *(("confirm", common(OVER, HOST, what="PURGE", lines=lines, arrived=NOW)) for lines in ([], ["3"])),
        ("invitation", invitation()),
        ("invitation", invitation() | {"theme": "", "own": [], "differs": []}),
        *(("declined", outside(name="Dacha", character="Old Tom", again=again)) for again in (True, False)),
        *(
            ("host_application", common(SIGNUP, HOST, name="Old Tom", description=text, waiting=["Ёжик", "Old Tom"], have=5, need=14))
            for text in ("", "An old sailor.\nHe limps.")
        ),
        ("confirm", outside(what="LINKED", lines=[], arrived=NOW)),
        *(("confirm", common(NIGHT, reader, what="LINK", lines=["tom@example.net"], arrived=NOW)) for reader in (PLAYER, HOST)),
        ("confirm", common(NIGHT, what="UNPROVED", lines=["HEAL: Ёжик", "PASS", "LEAVE"], arrived=NOW)),
        ("confirm", outside(what="UNPROVED", lines=["NEW GAME", "JOIN: Кот: Баюн"], arrived=NOW)),
        ("stranger", outside(games=[], address="mafia@example.org", plus=True)),
        (
            "stranger",
            outside(games=[{"id": 7, "name": "Dacha", "theme": "the sea", "have": 3, "need": 14}], address="mafia@example.org", plus=True),
        ),
        (
            "stranger",
            outside(
                games=[{"id": n, "name": "Dacha", "theme": "", "have": 3, "need": 14} for n in (7, 11)],
                address="mafia@example.org",
                plus=False,
            ),
        ),
        ("host_joined", common(SIGNUP, HOST, name="Old Tom", description="An old sailor.\nHe limps.", have=5, need=14)),
        ("host_joined", common(SIGNUP, HOST, name="Old Tom", description="", have=14, need=14)),
        ("host_left", common(SIGNUP, HOST, name="Old Tom", have=5, need=14)),
        ("host_left", common(DAY, HOST, name="Old Tom", have=5, need=14)),
        ("host_started", common(DAY, HOST, roles=[{"name": "Old Tom", "seat": "mafia05", "role": "doctor"}])),
        *(("host_trouble", common(DAY, HOST, what=what, about="Old Tom", detail="tom@example.org")) for what in TROUBLES),
        *(
            ("host_news", common(DAY, HOST, what=what, name="Old Tom", address="tom@example.net", line=""))
            for what in ("cohost", "host_gone", "replaced")
        ),
        ("host_news", common(DAY, HOST, what="away", name="Old Tom", address="", line="AWAY: until: VOTE: Ёжик, 15 May")),
        *(("host_trouble", common(DAY, HOST, what="quiet", about="", detail="", days=3, draw=draw)) for draw in (5, 0)),
        ("host_text", common(DAY, HOST, name="Old Tom", text="Am I right\n  that one may?")),
    ]
    return found + receipts()


def receipts() -> list[tuple[str, Facts]]:
    """Receipts with every kind of entry, by Day, by Night, and about no game."""
    order = {"keyword": "HEAL", "name": "Ёжик"}
    found = [receipt([entry], DAY, PLAYER, status("Secret Postman")) for entry in OPEN_ENTRIES]
    found += [
        receipt([entry], NIGHT, PLAYER, status(order=order, may=("HEAL", "PASS"), by_night=True))
        for entry in [*OPEN_ENTRIES, *SECRET_ENTRIES]
    ]
    found += [receipt([entry], DAY, PLAYER, status()) for entry in SECRET_ENTRIES]
    found += [
        receipt([OPEN_ENTRIES[6], *SECRET_ENTRIES[-2:]], DAY, PLAYER, status("Secret Postman")),
        receipt([{"kind": "by_host"}, OPEN_ENTRIES[7]], DAY, PLAYER, status("Secret Postman")),
        receipt([{"kind": "by_host_secret"}, SECRET_ENTRIES[1]], NIGHT, PLAYER, status(order=order, may=("KILL", "PASS"), by_night=True)),
        receipt([{"kind": "status"}], NIGHT, PLAYER, status(by_night=True)),
        receipt([{"kind": "status"}], NIGHT, PLAYER, status(may=("KILL", "PASS"), family=FAMILY_STANDING, by_night=True)),
        receipt([{"kind": "status"}], NIGHT, DEAD, status(by_night=True)),
        receipt([{"kind": "status"}], phase("last words"), DEAD, status(by_night=True, speaking=True)),
        receipt([{"kind": "status"}], phase("last words"), PLAYER, status(by_night=True)),
        receipt([{"kind": "status"}], phase("day", 2, None), PLAYER, status() | {"tally": []}),
        receipt([{"kind": "status"}], phase("night zero", 0, None), PLAYER, status(by_night=True)),
        receipt([{"kind": "status"}], SIGNUP, PLAYER, status(by_night=True)),
        receipt([{"kind": "status"}], OVER, PLAYER, status(by_night=True)),
        *(receipt([{"kind": "status"}], running, HOST, host_status()) for running in (DAY, phase("last words"))),
        *(receipt([{"kind": "status"}], running, HOST, host_status(tally=None)) for running in (SIGNUP, NIGHT, OVER)),
        receipt([{"kind": "status"}], DAY, HOST, host_status(tally=[])),
        receipt([{"kind": "log", "phases": _PHASES}], DAY, HOST, host_status()),
    ]
    nobody = {"game": None, "reader": None, "phase": None, "day": 0, "zone": "UTC", "status": None}
    outside_games = ("no_place", "applied", "help", "rules", "unread", "unknown", "returned")
    found += [receipt([entry]) | nobody for entry in [*OPEN_ENTRIES, *SECRET_ENTRIES] if entry["kind"] in outside_games]
    return [("receipt", facts) for facts in found]
