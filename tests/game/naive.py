"""A second reading of section 2, plain and slow, written from the text of the rulebook and sharing nothing with the engine.

It knows fresh powers only (no spent uses) and `family_orders: all`, which is what a single Night out of nothing has.
"""

Names = dict[str, str]


def naive_night(living: Names, dead: Names, orders: dict[str, str | None]) -> dict[str, object]:
    """`living`, `dead`: name -> role. `orders`: name -> target, None to pass; lawful ones only."""

    def who_is(role: str) -> list[str]:
        return [name for name in living if living[name] == role]

    def wants(name: str) -> str | None:
        return orders.get(name)

    # The priest goes first; another priest cannot stop him, for he goes at the same moment.
    blocked = {wants(priest) for priest in who_is("priest")} - {None}

    # The doctor: not if blocked. His patient cannot die this night.
    patients = {wants(doctor) for doctor in who_is("doctor") if doctor not in blocked} - {None}

    # The maniac: not if blocked. Two maniacs strike at the same moment.
    killers_of: dict[str, list[str]] = {}
    saved: set[str] = set()
    for maniac in who_is("maniac"):
        victim = wants(maniac)
        if maniac in blocked or victim is None:
            continue
        if victim in patients:
            saved.add(victim)
        else:
            killers_of[victim] = ["maniac"]
    dead_after_maniac = set(killers_of)

    # Each family: nobody alive after the maniac's turn, no move; a living member blocked, no move; no agreement, no move.
    for family in ("mafia", "alternative mafia"):
        members = [name for name in who_is(family) if name not in dead_after_maniac]
        if not members or any(member in blocked for member in members):
            continue
        names = [orders.get(member, "nothing sent") for member in members]
        victim = names[0]
        if victim is None or victim == "nothing sent" or any(name != victim for name in names):
            continue
        if victim in dead_after_maniac:
            continue
        if victim in patients:
            saved.add(victim)
        else:
            killers_of.setdefault(victim, []).append(family)

    # The necromancer: alive and not blocked.
    back = {wants(one) for one in who_is("necromancer") if one not in blocked and one not in killers_of} - {None}

    # The commissar: alive; blocked he hears that nothing became clear.
    told: dict[str, object] = {}
    for commissar in who_is("commissar"):
        about = wants(commissar)
        if about is None or commissar in killers_of:
            continue
        told[commissar] = None if commissar in blocked else (about, living[about], tuple(killers_of.get(about, ())))

    # The recruiter: alive, neither he nor the citizen blocked, and the citizen lives to see the morning.
    recruited = set()
    for recruiter in who_is("recruiter"):
        citizen = wants(recruiter)
        if citizen is None or recruiter in killers_of or recruiter in blocked or citizen in blocked:
            continue
        if living[citizen] == "citizen" and citizen not in killers_of:
            recruited.add(citizen)

    return {
        "died": {name: tuple(sides) for name, sides in killers_of.items()},
        "saved": saved,
        "revived": back,
        "recruited": recruited,
        "told": told,
        "winner": _winner(living, dead, set(killers_of), back, recruited),
    }


def _winner(living: Names, dead: Names, died: set[str], back: set[str | None], recruited: set[str]) -> str | None:
    morning = {name: role for name, role in living.items() if name not in died} | {
        name: role for name, role in dead.items() if name in back
    }
    sides = set()
    for name, role in morning.items():
        if name in recruited or role in ("mafia", "recruiter"):
            sides.add("mafia")
        elif role == "alternative mafia":
            sides.add("alternative mafia")
        elif role == "maniac":
            sides.add("maniac " + name)
        else:
            sides.add("town")
    if not sides:
        return "nobody"
    if len(sides) > 1:
        return None
    winner = sides.pop()
    return "maniac" if winner.startswith("maniac") else winner
