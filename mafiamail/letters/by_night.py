"""Letters of the Night and of the morning after it, to each what he may know."""

from collections.abc import Iterator

from mafiamail.game import clock, night
from mafiamail.game.events import NightResolved, Ordered, StoryWritten
from mafiamail.game.model import HOST, Game, Stage, Who
from mafiamail.letters.letter import Facts, Letter, in_seat_order, instant, keywords, living, names, public_thread


def night_letters(game: Game, removed: list[Facts]) -> Iterator[Letter]:
    """To all the living a private letter of one shape, to the dead and the host a public one."""
    alive = living(game)
    ends = instant(clock.ends(game))
    for who in alive:
        family = [other for other in night.family(game, who) if other != who]
        facts = {
            "number": game.phase.number,
            "ends": ends,
            "keywords": keywords(game, who),
            "alive": names(game, alive),
            "family": names(game, family),
            "removed": removed,
        }
        yield Letter(who, "night", facts)
    for who in [*(dead for dead in in_seat_order(game) if dead not in alive), HOST]:
        yield Letter(who, "night_public", {"number": game.phase.number, "ends": ends, "removed": removed}, public_thread(game))


def morning_letters(game: Game, event: NightResolved) -> Iterator[Letter]:
    """3.3.5: one shape for all the living. What is in it, only the commissar has (2.2, 2.11), and whom recruiting touched (2.18)."""
    for who in living(game):
        facts: Facts = {"number": event.number, "dossier": _dossier(game, event, who), "recruited": _recruited(game, event, who)}
        family = [one for one in night.family(game, who) if one != who]
        facts["raised"] = names(game, family) if who in event.revived else None  # 2.17
        yield Letter(who, "morning", facts)


def _recruited(game: Game, event: NightResolved, who: Who) -> Facts | None:
    """2.18: the recruiter learns what came of it, the recruit whose he is now, the family whom it has won."""
    if who in event.recruited:
        return {"what": "joined", "names": names(game, [other for other in night.family(game, who) if other != who])}
    newcomers = [other for other in event.recruited if other in night.family(game, who)]
    if newcomers:
        return {"what": "newcomer", "names": names(game, newcomers)}
    return {"what": "nothing", "names": []} if event.tried.get(who) is False else None


def _dossier(game: Game, event: NightResolved, who: Who) -> Facts | None:
    if who not in event.told:
        return None
    dossier = event.told[who]
    if dossier is None:
        return {"nothing": True}
    return {"nothing": False, "about": game.players[dossier.about].character, "role": dossier.role, "killed_by": list(dossier.killed_by)}


def family_order(game: Game, event: Ordered, last: bool) -> Iterator[Letter]:
    """2.8: a family sees each other's orders as they come, and is told where they disagree. A recruiter's order is his own (2.18).

    `last`: this one has ended the Night.
    """
    if not night.shares(game, game.players[event.who]) or event.keyword == "SHOOT" or game.phase.stage is not Stage.NIGHT:
        return
    others = [who for who in night.family(game, event.who) if who != event.who]
    facts = {
        "name": game.players[event.who].character,
        "keyword": event.keyword,
        "target": None if event.target is None else game.players[event.target].character,
        "last": last,
    }
    for who in others:
        yield Letter(who, "family_order", facts | family_facts(game, who))


def family_facts(game: Game, who: Who) -> Facts:
    """How a family's orders stand: `{rule, orders, agreed, missing, chooses}`, of those who name its victim; `rule`: the setting (2.8);
    `chooses`: whether this reader does."""
    members = [member for member in night.family(game, who) if night.shares(game, game.players[member])]
    orders = [(member, game.orders[member]) for member in members if member in game.orders]
    told = [
        {"name": game.players[member].character, "target": game.players[order.target].character if order.target else None}
        for member, order in orders
    ]
    missing = [member for member in night.missing(game) if member in members]
    rule = game.settings.family_orders
    chooses = night.shares(game, game.players[who])
    return {"rule": rule, "orders": told, "agreed": night.agreed(game, who), "missing": names(game, missing), "chooses": chooses}


def family_story(game: Game, event: StoryWritten) -> Iterator[Letter]:
    """5.3: one member writes for his family, which reads it before everybody does."""
    if event.who == HOST or not night.shares(game, game.players[event.who]):
        return
    family = night.family(game, event.who)
    facts = {"name": game.players[event.who].character, "text": event.words, "members": names(game, family), "story": True}
    for who in family:
        if who != event.who:
            yield Letter(who, "family", facts)
