"""1.10: a vote in bold, as on the forum, where the host lets it count."""

from tests.kit import World, new_game


def test_a_bold_name_alone_on_its_line_is_a_vote_where_the_host_lets_it_1_10() -> None:
    world = new_game(World(), lines="bold_votes = yes")
    letters = world.say("Anna", "I have thought about it for long.\n\n*Boris*\n")
    assert world.game().ballots[world.player("Anna").who].whom == world.player("Boris").who
    assert "Your vote counts: Boris" in letters[0].text


def test_a_bold_word_that_names_nobody_or_stands_in_a_sentence_is_no_vote_1_10() -> None:
    world = new_game(World(), lines="bold_votes = yes")
    world.say("Anna", "*Nonsense*\nI say *Boris* did it.")
    assert not world.game().ballots


def test_without_the_setting_a_bold_name_is_talk_1_10() -> None:
    world = new_game(World())
    world.say("Anna", "*Boris*")
    assert not world.game().ballots
