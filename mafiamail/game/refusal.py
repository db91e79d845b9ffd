"""Why a command cannot be obeyed. Each reason has a sentence in every language, under the same word."""

from enum import StrEnum


class Why(StrEnum):
    """Reasons, with the facts that their sentences need."""

    NOT_NOW = "not_now"  # stage: this belongs to another stage of the game (1.5, 1.7, 2)
    TOO_LATE = "too_late"  # the vote or the Night is closed
    DEAD = "dead"  # the writer is out of the game (1.5)
    TARGET_DEAD = "target_dead"  # name (1.7, 2.14)
    TARGET_SELF = "target_self"  # a vote for oneself (1.7), or an order on oneself where that is off (2.14)
    TARGET_FAMILY = "target_family"  # name: own family under `self_targets: doctor` (2.14)
    TARGET_ALIVE = "target_alive"  # name: only the dead can be raised (2.17)
    TARGET_GONE = "target_gone"  # name: left or removed; cannot be raised (2.17)
    NO_CHANGE = "no_change"  # name of the vote that stands (3.2.1)
    NO_UNVOTE = "no_unvote"  # (1.11)
    NO_VOTE = "no_vote"  # nothing to take back
    NOT_YOURS = "not_yours"  # keyword: this order is not the writer's to give; the same words for every role
    REPEATED = "repeated"  # name: `doctor: no_repeats`
    SELF_ONCE = "self_once"  # `doctor: self_once`
    SPENT = "spent"  # uses, keyword: the power was used up (2.17, 2.18)
    NO_PISTOL = "no_pistol"  # (2.13)
    NOT_CANDIDATE = "not_candidate"  # name: a revote is between the tied alone (1.8)
    NAME_TAKEN = "name_taken"  # name
    NAME_BAD = "name_bad"  # name, most: empty, too long, or not one line of letters (5.2)
    NOTHING_TO_UNDO = "nothing_to_undo"
    LUCK_TAKEN = "luck_taken"  # another player adds the same to the deal
    SETTING = "setting"  # name, allowed: no such setting (empty name), or no such value
    FULL = "full"  # players
    STARTED = "started"  # too late to join or to start again
    NOT_STARTED = "not_started"
    PLAYERS = "players"  # have, need: START needs exactly that many
    COMPOSITION = "composition"  # problem: players | family | roles | words (1.1, 1.2, 1.4); have, limit, part
    TOO_EARLY = "too_early"  # earliest: instant; close: of CLOSE rather than LIMIT (3.1.2, 3.2.2)
    NEEDS_LIMIT = "needs_limit"  # earliest: where a host limit ends the Day, CLOSE alone does not (3.1.2, 3.3.3)
    NO_LIMIT = "no_limit"  # about (variant, extra, revote): this variant, or extra time, knows no host limit (3.1.4)
    NO_END = "no_end"  # EXTEND: nothing that runs has an end (3.3.3)
    OVER = "over"  # the game has ended
    NOT_OVER = "not_over"  # what is only for the end
    PAUSED = "paused"
    NOT_PAUSED = "not_paused"
    NOT_HOST = "not_host"
    NOT_PLAYER = "not_player"
    NOT_YET = "not_yet"  # a keyword that is understood, and can do nothing yet
    NOT_EXECUTED = "not_executed"  # last words are for whoever is executed (2.13)
    EMPTY = "empty"  # nothing stands behind the keyword
    HOST_PLAYS = "host_plays"  # a host never plays in his own game
    TARGET_LEAVING = "target_leaving"  # name: out with the next phase, so there is no place to give away (3.3.2)
    ADDRESS_TAKEN = "address_taken"  # an address that plays or hosts in this game already
    NOT_ASKED = "not_asked"  # an address of which nothing was asked, and which no other host has
    ALREADY_ASKED = "already_asked"  # an address that was written to often enough for one day
    NO_SUCH_GAME = "no_such_game"
    NO_SIGNUP = "no_signup"  # no game looks for players now
    WHICH_SIGNUP = "which_signup"  # games: several look for players


class Refused(Exception):
    """A lawful wish that the rules forbid. `why` and `facts` make the sentence; `rule` is the number, for those who care."""

    def __init__(self, why: Why, rule: str = "", **facts: object) -> None:
        super().__init__(why.value)
        self.why, self.rule, self.facts = why, rule, facts
