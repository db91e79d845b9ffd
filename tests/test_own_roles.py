"""1.3: a host's own roles, from the configuration and from NEW GAME, through a whole game by mail."""

from mafiamail.checking import findings
from tests.kit import HOST, World, address, new_game

GUARD = (
    "roles:\n  guard: {side: town, power: heal, keyword: GUARD, uses: 2,"
    " letters: {en: Twice you may keep somebody alive., ru: Дважды вы можете спасти игрока.}}\n"
)
SPY = "role = name: spy, side: guild, power: check, keyword: SPY, lone: yes, can: Each Night you learn a role, and nobody helps you."


def guarded() -> World:
    return new_game(World(extra=GUARD), "mafia, guard, commissar, 4 citizens", lines="begins = night\nvariant = two")


def test_1_3_a_role_of_the_configuration_is_dealt_and_announced() -> None:
    world = guarded()
    call = world.to(HOST)[0].text
    assert "Composition: mafia, guard, Commissar Cattani, 4 citizens." in call
    assert "guard: town. Twice you may keep somebody alive." in call
    assert len(world.with_role("guard")) == 1


def test_1_3_its_role_letter_tells_what_it_can_do_and_its_own_keyword() -> None:
    world = guarded()
    letter = world.last(world.address_of(world.with_role("guard")[0]), "Your role")
    assert "Your role: GUARD, on the side of the town." in letter.text
    assert "Twice you may keep somebody alive." in letter.text
    assert "GUARD: ‹name›" in letter.text
    assert "HEAL" not in letter.text


def test_1_3_it_acts_by_its_own_keyword_and_its_power_is_spent_after_its_uses() -> None:
    world = guarded()
    (guard,), (killer,), (commissar,) = world.with_role("guard"), world.with_role("mafia"), world.with_role("commissar")
    for night in (1, 2):
        receipt = world.say(guard, f"GUARD: {commissar}")[0]
        assert f"You have named this player for tonight: {commissar}." in receipt.text
        world.say(killer, f"KILL: {commissar}")
        world.say(commissar, "PASS")
        assert world.player(commissar).alive
        world.until_the_end_of_the_phase()
        assert world.game().phase.number == night + 1 or world.game().phase.stage == "night"
    assert world.player(guard).uses == 2
    refused = world.say(guard, f"GUARD: {commissar}")[0]
    assert "Your role can do this 2 times in a game, and has done it so often" in refused.text


def test_1_3_the_powers_own_keyword_works_too() -> None:
    world = guarded()
    guard = world.with_role("guard")[0]
    assert "You have named this player for tonight: " in world.say(guard, "HEAL: mafia01")[0].text


def test_1_3_nobody_else_can_use_the_keyword_and_all_are_refused_alike() -> None:
    world = guarded()
    commissar, citizen = world.with_role("commissar")[0], world.with_role("citizen")[0]
    texts = {world.say(one, "GUARD: mafia01")[0].text.partition("– – –")[2].strip().partition("\n\n")[0] for one in (commissar, citizen)}
    assert len(texts) == 1
    assert "This order is not yours to give" in texts.pop()


def test_1_5_words_for_everybody_beside_an_own_keyword_are_not_published() -> None:
    world = guarded()
    citizen = world.with_role("citizen")[0]
    letters = world.say(citizen, "SAY: hello\nGUARD: mafia01")
    assert [letter.to for letter in letters] == [world.address_of(citizen)]
    assert "nothing of it was published or obeyed" in letters[0].text


def test_1_3_a_role_stands_in_new_game_with_a_side_of_its_own() -> None:
    world = new_game(World(), "mafia, spy, doctor, 4 citizens", lines=SPY)
    spy = world.with_role("spy")[0]
    letter = world.last(world.address_of(spy), "Your role")
    assert "Your role: SPY, on the side of: guild." in letter.text
    assert "Each Night you learn a role, and nobody helps you." in letter.text
    assert world.game().own_roles[0].lone


def test_1_3_a_role_is_written_in_russian_too() -> None:
    role = "роль = имя: страж, сторона: город, сила: лечить, раз: 2, слово: ОХРАНА, может: Дважды вы можете спасти игрока."
    world = World()
    letters = world.mail(HOST, f"НОВАЯ ИГРА\nязык = ru\n{role}\nсостав = мафия, страж, комиссар, 4 мирных")
    assert "страж: мирные жители. Дважды вы можете спасти игрока." in letters[0].text
    assert world.game().own_roles[0].power == "heal"


def test_1_3_what_is_wrong_with_a_role_is_said() -> None:
    world = World()
    for line, problem in (
        ("role = name: spy, power: fly", "Possible are: block, heal, kill, family kill, raise, check, recruit."),
        ("role = name: spy, power: check, keyword: VOTE", "VOTE cannot be the keyword of a role"),
        ("role = name: doctor, power: check", "has a name of letters which no other role has"),
        ("role = spy", "A role of your own is written so"),
        ("role = name: spy, can: Write VOTE: Anna", "nothing in it that looks like a command"),
    ):
        letter = world.mail(HOST, f"NEW GAME\n{line}\ncomposition = 2 mafia, spy, 4 citizens")[0]
        assert problem in letter.text, line
    assert world.store.log.games() == []


def test_5_2_no_character_is_called_like_an_own_keyword() -> None:
    world = new_game(World(extra=GUARD), "mafia, guard, commissar, 4 citizens", started=False)
    world.mail(address("Anna"), "LEAVE", to="mafia+g1@example.org")
    refused = world.mail("late@players.example.org", "JOIN: Guard", to="mafia+g1@example.org")[-1]
    assert "may look like a command" in refused.text


def test_a_role_of_the_configuration_whose_keyword_means_something_else_is_found_by_check_and_refused() -> None:
    world = World(extra="roles:\n  guard: {power: heal, keyword: VOTE}\n")
    answer = world.mail(HOST, "NEW GAME\ncomposition = mafia, guard, commissar, 4 citizens")[0]
    assert "VOTE cannot be the keyword of a role" in answer.text
    assert world.store.log.games() == []
    problems = dict(findings(world.config))
    assert problems["roles"] is not None
    assert problems["roles"].startswith("roles.guard: its keyword cannot be used; allowed: ")
