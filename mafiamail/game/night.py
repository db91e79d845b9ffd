"""The night as steps (section 2): what a whole Night brings. Names no role: powers and steps only."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from mafiamail.game.events import NightResolved
from mafiamail.game.model import Deed, Game, Order, Player, Stage, Who
from mafiamail.game.power import Night, Outcome, Power, Recruited, Step, raisable
from mafiamail.game.role import ROLES, named

STEPS = tuple(Step)


def usable(game: Game, player: Player) -> Power | None:
    """The power that this living player still has (2.17, 2.18: not a spent one), None for none."""
    role = ROLES.get(player.role) or named(game, player.role)
    if role.power is None or player.fate is not None or 0 < role.uses <= player.uses:
        return None
    return role.power


def power_now(game: Game, player: Player) -> Power | None:
    """His power if it may be used in the running stage; in night zero only who checks acts (2.16). Who has one can act (3.2.2)."""
    power = usable(game, player)
    if power is None or (game.phase.stage is Stage.ZERO and power.step is not Step.CHECK):
        return None
    return power


def keywords(game: Game, who: Who) -> tuple[str, ...]:
    """The night keywords that he may use now, such as ("HEAL", "PASS"); () for a citizen, the dead, and by Day."""
    if game.phase.stage not in (Stage.NIGHT, Stage.ZERO):
        return ()
    power = power_now(game, game.players[who])
    return (power.keyword, "PASS") if power else ()


def missing(game: Game) -> tuple[Who, ...]:
    """Those whose order is awaited. Where one name is enough for a family (`family_orders: last`), one order is."""
    if game.phase.stage not in (Stage.NIGHT, Stage.ZERO):
        return ()
    return tuple(_awaited(game))


def complete(game: Game) -> bool:
    """3.2.2: everybody who can act has acted, and no family disagrees (2.8)."""
    return next(_awaited(game), None) is None and all_agreed(game)


def _awaited(game: Game) -> Iterator[Who]:
    players, orders = game.players, game.orders
    for who in game.living:
        if who not in orders and power_now(game, player := players[who]) is not None and not spoken_for(game, player):
            yield who


def spoken_for(game: Game, player: Player) -> bool:
    """A member of a family for which another living member's order is enough (2.8, `last`)."""
    if game.settings.family_orders != "last" or not shares(game, player):
        return False
    return any(who in game.orders for who in killers(game, player.side))


def shares(game: Game, player: Player) -> bool:
    """Whether he names his family's victim together with others (2.8)."""
    power = named(game, player.role).power
    return power is not None and power.shared


def killers(game: Game, side: str) -> tuple[Who, ...]:
    """The living members of a family who name its victim (a recruiter does not, 2.18)."""
    return tuple([who for who in game.living if (player := game.players[who]).side == side and shares(game, player)])


def family(game: Game, who: Who) -> tuple[Who, ...]:
    """The living members of his family, himself and a recruiter included; () for none."""
    player = game.players[who]
    if not named(game, player.role).family:
        return ()
    return tuple(
        other for other, one in game.players.items() if one.fate is None and one.side == player.side and named(game, one.role).family
    )


def agreed(game: Game, who: Who) -> bool:
    """Whether the orders of his family, as they are now, would count (2.8). True for who has none."""
    player = game.players[who]
    if not named(game, player.role).family:
        return True
    members = killers(game, player.side)
    return not members or choose(game, members, game.orders).order is not None


def all_agreed(game: Game) -> bool:
    """3.2.2: no family whose living members disagree."""
    if game.phase.stage is not Stage.NIGHT:
        return True
    sides = {player.side for who in game.living if shares(game, player := game.players[who])}
    return all(choose(game, killers(game, side), game.orders).order is not None for side in sides)


class Choice(NamedTuple):
    """What a family ordered: an order that counts (its target may be None: PASS), or None and why not."""

    order: Order | None
    why: str = ""


def choose(game: Game, members: tuple[Who, ...], orders: Mapping[Who, Order]) -> Choice:
    """2.8, for the members who live at the family's turn."""
    given = [orders[who] for who in members if who in orders]
    match game.settings.family_orders:
        case "last":  # of any member, in order of arrival
            sides = {game.players[who].side for who in members}
            own = [order for who, order in orders.items() if shares(game, game.players[who]) and game.players[who].side in sides]
            return Choice(own[-1]) if own else Choice(None, "incomplete")
        case "majority":
            for order in given:
                if 2 * sum(other.target == order.target for other in given) > len(members):
                    return Choice(order)
            return Choice(None, "incomplete" if len(given) < len(members) else "disagreed")
        case _:
            if len({order.target for order in given}) > 1:
                return Choice(None, "disagreed")
            return Choice(given[0]) if len(given) == len(members) else Choice(None, "incomplete")


class Turn(NamedTuple):
    """What one player's power came to in its step."""

    who: Who
    power: Power
    order: Order | None
    outcome: Outcome


def resolve(game: Game, at: datetime) -> NightResolved:
    """Everything that the Night brings: step by step, each seeing the night as it was when the step began."""
    night = Night(game)
    actors, deeds = _actors(game)
    spent: list[Who] = []
    tried: dict[Who, bool] = {}
    for step in STEPS if game.phase.stage is not Stage.ZERO else (Step.CHECK,):
        if step not in actors:
            continue
        turns = _families(night, actors[step]) if step is Step.FAMILY else [_single(night, who, power) for who, power in actors[step]]
        for who, power, order, outcome in turns:
            deeds.append(_deed(who, power, order, outcome))
            if outcome.effect is not None:
                outcome.effect.fold(night)
            if order is not None and order.target is not None:
                if outcome.spent and named(game, night.players[who].role).uses:
                    spent.append(who)
                if step is Step.RECRUIT and who not in night.killed:
                    tried[who] = isinstance(outcome.effect, Recruited)
    return _resolved(night, at, deeds, tried, spent)


def _actors(game: Game) -> tuple[dict[Step, list[tuple[Who, Power]]], list[Deed]]:
    """Who acts in which step, by seat; and a deed for each whose power is spent."""
    actors: dict[Step, list[tuple[Who, Power]]] = {}
    deeds: list[Deed] = []
    for who in game.living:
        player = game.players[who]
        role = named(game, player.role)
        if role.power is None:
            continue
        if 0 < role.uses <= player.uses:
            deeds.append(Deed(who, None, "none", "spent", role.power.rule))
        else:
            actors.setdefault(role.power.step, []).append((who, role.power))
    return actors, deeds


def _single(night: Night, who: Who, power: Power) -> Turn:
    """One who acts for himself."""
    order = night.orders.get(who)
    if order is None:
        outcome = Outcome("no order", power.rule, None, False, False)
    elif order.target is None:
        outcome = Outcome("pass", power.rule, None, False, False)
    elif who in night.killed:  # 2.12, 2.17, 2.18
        outcome = Outcome("died", power.when_dead or power.rule, None, False)
    elif who in night.blocked or _blocked_with(night, who):  # 2.1
        outcome = power.when_blocked(night, who)
    elif not _lawful(night, power, order.target):  # 2.14
        outcome = Outcome("target gone", "2.14", None, False)
    else:
        outcome = power.act(night, who, order.target)
    return Turn(who, power, order, outcome)


def _lawful(night: Night, power: Power, target: Who) -> bool:
    """Whether the target may still be named; dead of this very Night is no matter here (2.11)."""
    player = night.players[target]
    return raisable(player) if power.names_dead else player.fate is None


def _blocked_with(night: Night, who: Who) -> bool:
    """2.1, 2.6: whether somebody of his family who is alive at this turn was blocked, himself included. A recruiter stands alone (2.18)."""
    if not night.blocked or not _acts_with_family(night, who):
        return False
    side = night.players[who].side
    return any(
        other not in night.killed and night.players[other].side == side and _acts_with_family(night, other) for other in night.blocked
    )


def _acts_with_family(night: Night, who: Who) -> bool:
    role = named(night.game, night.players[who].role)
    if role.power is None:
        return role.family
    return role.power.shared or (role.family and role.power.step is not Step.RECRUIT)


def _families(night: Night, actors: list[tuple[Who, Power]]) -> list[Turn]:
    """2.6 to 2.10: each family by itself."""
    families: dict[str, list[tuple[Who, Power]]] = {}
    for who, power in actors:
        families.setdefault(night.players[who].side, []).append((who, power))
    return [turn for members in families.values() for turn in _family(night, members)]


def _family(night: Night, members: list[tuple[Who, Power]]) -> list[Turn]:
    """One family: who died before its turn neither blocks it (2.6) nor is asked (2.8)."""
    living = tuple([who for who, _ in members if who not in night.killed])
    if not living:  # 2.5, 2.7
        return [Turn(who, power, night.orders.get(who), Outcome("family dead", "2.5", None, False)) for who, power in members]
    if _blocked_with(night, living[0]):  # 2.6
        together = Outcome("family blocked", "2.6", None, False, False)
        return [_member(night, who, power, None, together) for who, power in members]
    choice = choose(night.game, living, night.orders)
    if choice.order is None:  # 2.8
        together = Outcome(choice.why, "2.8", None, False)
    elif choice.order.target is None:
        together = Outcome("pass", "2.8", None, False)
    elif not _lawful(night, members[0][1], choice.order.target):
        together = Outcome("target gone", "2.14", None, False)
    else:
        together = members[0][1].act(night, living[0], choice.order.target)
    return [_member(night, who, power, choice.order, together) for who, power in members]


def _member(night: Night, who: Who, power: Power, chosen: Order | None, together: Outcome) -> Turn:
    """What the family's common outcome means for one member."""
    order = night.orders.get(who)
    if who in night.killed:  # 2.8: he is not asked any more
        return Turn(who, power, order, Outcome("died", "2.8", together.effect, False))
    if who in night.blocked:
        return Turn(who, power, order, Outcome("blocked", "2.6", None, False, False))
    if order is None:
        return Turn(who, power, order, Outcome("no order", "2.8", together.effect, False))
    if chosen is not None and chosen.target != order.target:
        return Turn(who, power, order, Outcome("outvoted", "2.8", together.effect, False))
    return Turn(who, power, order, together)


def _deed(who: Who, power: Power, order: Order | None, outcome: Outcome) -> Deed:
    if order is None or (order.target is not None and not outcome.done):
        return Deed(who, order.target if order else None, "none", outcome.why, outcome.rule)
    return Deed(who, order.target, power.keyword.lower() if order.target is not None else "pass", outcome.why, outcome.rule)


def _resolved(night: Night, at: datetime, deeds: list[Deed], tried: dict[Who, bool], spent: list[Who]) -> NightResolved:
    if night.saved:
        deeds = [Deed(d.who, d.target, d.did, "saved", d.rule) if d.did == "heal" and d.target in night.saved else d for d in deeds]
    seats = night.players
    return NightResolved(
        at=at,
        number=night.game.phase.number,
        died={who: tuple(night.killed[who]) for who in seats if who in night.killed} if night.killed else {},
        saved=tuple([who for who in seats if who in night.saved]) if night.saved else (),
        revived=tuple([who for who in seats if who in night.raised]) if night.raised else (),
        recruited=tuple(night.recruited),
        told=night.told,
        deeds=tuple(deeds),
        tried=tried,
        spent=tuple(spent),
    )
