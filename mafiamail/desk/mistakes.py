"""What a writer got wrong, apart from the rules: each is answered with what to write instead."""

from collections.abc import Sequence


class Unsaid(Exception):
    """Words that go back to their writer, unpublished: `reason` is night, looks_like_command, address, doubtful or too_long."""

    def __init__(self, text: str, reason: str) -> None:
        super().__init__(reason)
        self.text, self.reason = text, reason


class Unnamed(Exception):
    """A name that means nobody (`could_be` empty), or more than one."""

    def __init__(self, given: str, could_be: Sequence[str], all_names: Sequence[str]) -> None:
        super().__init__(given)
        self.given, self.could_be, self.all_names = given, list(could_be), list(all_names)


class BadLines(Exception):
    """Several lines of `NEW GAME` that cannot be used, told together."""

    def __init__(self, lines: "Sequence[BadLine]") -> None:
        super().__init__(f"{len(lines)} lines")
        self.lines = list(lines)


class BadLine(Exception):
    """A line of `NEW GAME`, or a value, that cannot be used: which, what is wrong (a word of `problems` in words.yaml), what is allowed."""

    def __init__(self, line: str, problem: str, allowed: str = "") -> None:
        super().__init__(problem)
        self.line, self.problem, self.allowed = line, problem, allowed
