"""What a game looked like, written down for golden files: whole letters of some readers, or a transcript of everything."""

from collections.abc import Iterator, Sequence

from mafiamail.game.model import HOST as THE_HOST
from mafiamail.game.model import Game, Stage
from tests.kit import HOST, Letter
from tests.theatre import TROUPE, Step

RULE = "– – –"
LINE = "#" * 80
WIDTH = 44  # signs that are kept of a line
RECEIVED = ("Your letter of ", "Ваше письмо (")
TITLES = {Stage.SIGNUP: "Players join", Stage.LAST_WORDS: "Last words", Stage.OVER: "The end", Stage.ZERO: "Night zero"}


def title(game: Game) -> str:
    return TITLES.get(game.phase.stage) or f"{game.phase.stage.value.capitalize()} {game.phase.number}"


# whole letters


def letters_of(steps: Sequence[Step], readers: Sequence[tuple[str, str]]) -> str:
    """Every letter to these readers, (heading, address), reader by reader. What an earlier one had word for word is not said again."""
    known: dict[str, str] = {}
    written: list[str] = []
    for heading, address in readers:
        letters = [(step.at, letter) for step in steps for letter in step.letters if letter.to == address]
        written.append(f"{LINE}\n# {heading}: {len(letters)} letters\n{LINE}\n\n")
        for at, letter in letters:
            written.append(f"{'=' * 20} {at:%a %d %b %H:%M} UTC · {letter.subject}\n")
            first = known.setdefault(f"{letter.subject}\n{letter.text}", heading)
            written.append(f"\n{letter.text.rstrip()}\n\n" if first == heading else f"(word for word as {first})\n")
    return "".join(written)


def one_of_each_role(game: Game) -> list[tuple[str, str]]:
    """The host, and for each role the first seat that has it."""
    chosen = {player.role: player for player in sorted(game.players.values(), key=lambda player: player.seat, reverse=True)}
    readers = [(f"{role}: {player.character} ({player.seat})", _address(player.character)) for role, player in sorted(chosen.items())]
    return [("the host", HOST), *readers]


def _address(character: str) -> str:
    return next(actor.address for actor in TROUPE if actor.name == character)


# a transcript


def transcript(steps: Sequence[Step]) -> str:
    """Who wrote what and when, who got which letter because of it, and what each phase brought. Of the sign-up only its end."""
    lines: list[str] = []
    phase, out = (Stage.SIGNUP, 0), dict[str, str]()
    for step in steps:
        if step.game.phase.stage is not Stage.SIGNUP:
            lines.extend(_told(step))
        if (step.game.phase.stage, step.game.phase.number) != phase:
            phase = step.game.phase.stage, step.game.phase.number
            lines.append(f"\n== {title(step.game)} =={_brought(step.game, out)}")
            out = _fates(step.game)
    return "\n".join([*lines, "", *_roles(steps[-1].game)]) + "\n"


def _told(step: Step) -> Iterator[str]:
    """The mail with its receipt on one line, then the other letters, those that say the same on one line."""
    said = "(time)" if step.actor is None else f"{step.actor.name}: {_short(' / '.join(step.text.splitlines())) or '(unchanged)'}"
    readers: dict[str, list[str]] = {}
    for letter in step.letters:
        readers.setdefault(gist(letter), []).append(_name(letter.to))
    own = [words for words, names in readers.items() if step.actor and names == [step.actor.name]][:1]
    yield f"{step.at:%a %H:%M} {said}" + "".join(f" > {words}" for words in own)
    for words, names in readers.items():
        if words not in own:
            yield f"  {', '.join(names) if len(names) <= 3 else len(names)} > {words}"


def _name(address: str) -> str:
    return next((actor.name for actor in TROUPE if actor.address == address), "host")


def gist(letter: Letter) -> str:
    """The subject without the game's name; then what a receipt says after its opening, or the first line after the rule, or of all."""
    lines = [line.strip() for line in letter.text.splitlines() if line.strip()]
    if RULE in lines:
        lines = lines[lines.index(RULE) + 1 :]
    elif len(lines) > 1 and lines[0].startswith(RECEIVED):
        lines = lines[1:]
    return f"{letter.subject.partition('] ')[2]} | {_short(lines[0])}"


def _short(text: str) -> str:
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"


def _fates(game: Game) -> dict[str, str]:
    return {player.character: player.fate.value for player in game.players.values() if player.fate}


def _brought(game: Game, before: dict[str, str]) -> str:
    new = [f"{name} ({fate})" for name, fate in _fates(game).items() if before.get(name) != fate]
    alive = sum(player.alive for player in game.players.values())
    return f" {alive} alive; out now: {', '.join(new) or 'nobody'}" if game.phase.stage is not Stage.SIGNUP else ""


def _roles(game: Game) -> list[str]:
    assert THE_HOST not in game.players
    players = sorted(game.players.values(), key=lambda player: player.seat)
    return [
        f"won: {game.winner}",
        *(f"{player.seat} {player.character}: {player.role}, {player.fate.value if player.fate else 'alive'}" for player in players),
    ]
