"""What is seen of the demo: a table that lives on a terminal, and at the end where the letters are."""

import sys
import time
from collections import deque
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from mafiamail.game.model import Fate, Game, Player
from mafiamail.game.model import Stage as GameStage
from mafiamail.mail.transports.local import letters

PAUSE = 0.18  # seconds after each mail, for the eye
LINES = 9


class Stage:
    """Shows the course of the game on a terminal; `fast` leaves out the pauses. Elsewhere it is silent but for the farewell."""

    def __init__(self, fast: bool, longest: float) -> None:
        self._console = Console(highlight=False)
        self._live = Live(console=self._console, auto_refresh=False, transient=False) if self._console.is_terminal else None
        self._pausing = self._live is not None and not fast
        self._left = longest
        self._lines: deque[str] = deque(maxlen=LINES)
        self._game: Game | None = None
        self._at: datetime | None = None
        self._out: set[str] = set()
        self._winner = ""
        self._course: list[str] = []  # a line for each phase: told at the end where nobody could watch

    def __enter__(self) -> Self:
        if self._live:
            self._live.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._live:
            self._live.__exit__(kind, error, trace)

    def says(self, at: datetime, line: str, game: Game | None = None) -> None:
        """One line of the course; nothing where nobody watches."""
        self._at, self._game = at, game or self._game
        self._lines.append(f"{at:%a %H:%M}  {line}")
        if self._live:
            self._live.update(self._picture(), refresh=True)
        if self._pausing and self._left > 0:
            self._left -= PAUSE
            time.sleep(PAUSE)

    def joined(self, at: datetime, game: Game, name: str) -> None:
        self.says(at, f"{name} joins ({len(game.players)} of 14).", game)

    def wrote(self, at: datetime, game: Game, name: str, text: str, stage: GameStage) -> None:
        """By Night a viewer sees that somebody wrote, not what."""
        words = text.replace("\n", " / ")
        self.says(at, f"{name} writes to the host in private." if stage is GameStage.NIGHT else f"{name}: {words}", game)

    def changed(self, at: datetime, game: Game) -> None:
        """A phase began: what the one before it cost."""
        out = {player.character: _fate(player) for player in game.players.values() if player.fate}
        news = [f"{name} {fate}" for name, fate in out.items() if name not in self._out]
        self._out = set(out)
        line = f"── {_title(game)} ──  {', '.join(news) or 'Nobody new is out of the game.'}"
        self._course.append(f"{at:%a %d %b %H:%M}  {line}")
        self.says(at, line, game)

    def over(self, game: Game) -> None:
        self.says(game.now, f"The game is over. Won: {game.winner or 'nobody'}.", game)
        self._winner = game.winner or "nobody"

    def farewell(self, mails: int, place: Path, addresses: Sequence[str], seconds: float) -> None:
        """Where the letters are, and how one is opened."""
        count = sum(len(letters(place / "post", address)) for address in [*addresses, "host@example.org"])
        first = letters(place / "post", addresses[0])
        said = f"{mails} mails were read and {count} letters written in {seconds:.0f} seconds"
        for line in [] if self._live else self._course:
            self._console.print(Text(line), soft_wrap=True)
        self._console.print(Text(f"A whole game of fourteen players is over; won: {self._winner}. {said}. All letters are here:"))
        self._console.print(Text(f"  {place / 'post'}/<address>/new/"), soft_wrap=True)
        self._console.print(Text("To read them as Old Tom did:"))
        self._console.print(Text(f"  {sys.argv[0]} inbox --config {place / 'config.yaml'} --last 0 {addresses[0]}"), soft_wrap=True)
        if first:
            self._console.print(Text("or open one with any mail program, for instance:"))
            self._console.print(Text(f"  {first[-1]}"), soft_wrap=True)

    def _picture(self) -> Group:
        table = Table(expand=True, box=None, padding=(0, 1))
        game = self._game
        over = game is not None and game.phase.stage is GameStage.OVER
        for heading in ("Seat", "Character", "", "Was" if over else "Votes for"):
            table.add_column(heading, no_wrap=True)
        for who, player in sorted(game.players.items(), key=lambda item: item[1].seat) if game else []:
            ballot = game.ballots.get(who) if game else None
            votes = player.role if over else game.players[ballot.whom].character if game and ballot else ""
            table.add_row(player.seat, player.character, _fate(player), votes, style="dim" if player.fate else "")
        title = f"{_title(game)}, {self._at:%A %d %B, %H:%M} UTC" if game and self._at else "mafiamail demo"
        return Group(Panel(table, title=title), *(Text(line, overflow="ellipsis", no_wrap=True) for line in self._lines))


def _title(game: Game) -> str:
    names = {GameStage.SIGNUP: "Players join", GameStage.OVER: "The end", GameStage.LAST_WORDS: "Last words"}
    return names.get(game.phase.stage) or f"{game.phase.stage.value.capitalize()} {game.phase.number}"


def _fate(player: Player) -> str:
    signs = {
        None: "alive",
        Fate.EXECUTED: "✝ executed",
        Fate.SHOT: "✝ shot",
        Fate.KILLED: "✝ killed in the night",
        Fate.ABSENT: "✝ silent too long",
    }
    return signs.get(player.fate, "left")
