"""Who plays in the demo: characters, their people's mail programs and languages, and what they like to say."""

from dataclasses import dataclass

from mafiamail.demo import mailers
from mafiamail.demo.mailers import Mailer


@dataclass(frozen=True, slots=True)
class Actor:
    name: str
    address: str
    person: str
    language: str
    mailer: Mailer
    description: str


CAST = (
    Actor("Old Tom", "tom@web.example.org", "Thomas Reed", "en", mailers.gmail, "Keeps the boats and a bottle. Sees more than he says."),
    Actor("Duchess", "helen@web.example.org", "Helen Marsh", "en", mailers.apple, "Came for one summer, stayed for eleven."),
    Actor("Ёжик", "anna@mail.example.org", "Анна Ковалёва", "ru", mailers.gmail, "Ходит по посёлку с узелком и фонариком."),
    Actor("Лесник", "boris@post.example.org", "Борис Тальников", "ru", mailers.thunderbird, "Знает каждую тропу за оврагом."),
    Actor(
        "Captain Calm", "paul@corp.example.org", "Paul Merrick", "en", mailers.outlook, "Retired from the river fleet; still gives orders."
    ),
    Actor("Мисс О’Брайен", "irina@ya.example.org", "Ирина Ветрова", "ru", mailers.yandex, "Учит дачных детей английскому и осторожности."),
    Actor("Доктор Рыбкин", "timur@kmail.example.org", "Тимур Галеев", "ru", mailers.mailru, "Лечит всех от всего одной микстурой."),
    Actor("Secret Postman", "owen@icl.example.org", "Owen Price", "en", mailers.mutt, "Nobody has ever seen him bring a letter."),
    Actor("Тётя Зина", "zina@mail.example.org", "Зинаида Крылова", "ru", mailers.iphone, "Варит варенье и всё про всех знает."),
    Actor("Gardener", "greg@web.example.org", "Greg Sommer", "en", mailers.thunderbird, "Prunes roses at night, for reasons of his own."),
    Actor("Пан Профессор", "lev@post.example.org", "Лев Ашкенази", "ru", mailers.mutt, "Считает вероятности на обороте газеты."),
    Actor("Miss Marble", "jane@icl.example.org", "Jane Fell", "en", mailers.iphone, "Knits. Listens. Remembers."),
    Actor("Сторож", "stepan@ya.example.org", "Степан Гуров", "ru", mailers.yandex, "Сторожит шлагбаум, который всегда открыт."),
    Actor("Beekeeper", "bea@corp.example.org", "Bea Holt", "en", mailers.outlook, "Says the bees tell her everything."),
    Actor("Электрик", "kolya@mail.example.org", "Николай Дёмин", "ru", mailers.mailru, "Чинит свет, после которого темнеет."),
    Actor("Night Angler", "finn@web.example.org", "Finn Archer", "en", mailers.apple, "Fishes only when the moon is down."),
)

TALK = {
    "en": (
        "I walked by the pond at dawn and saw two pairs of footprints. Only one came back.",
        "Somebody here is far too cheerful for a morning like this.",
        "Count the quiet ones. It is always the quiet ones.",
        "If I am gone tomorrow, look at who praised me today.",
        "Two of us changed the subject yesterday. I wrote down both.",
        "The dog did not bark last night. It barks at everybody but one.",
        "I sleep badly, so I count steps on the gravel. Eleven, and then the gate.",
        "Ask yourselves who always votes last, and why.",
    ),
    "ru": (
        "Ночью у оврага скрипнула калитка, и не один раз.",
        "Кто-то вчера слишком быстро со всеми согласился.",
        "Давайте считать, кто о ком молчит. Это интереснее, чем кто о ком говорит.",
        "Не верю я этим ровным голосам с самого утра.",
        "Если завтра меня не станет, вспомните, кто меня хвалил.",
        "Собака ночью молчала. Она лает на всех, кроме одного.",
        "Кто всегда голосует последним, тот и знает больше всех.",
        "Вчера двое сменили тему. Оба имени у меня в тетрадке.",
    ),
}

FAMILY_TALK = {"en": "Tonight I would take {name}.", "ru": "Этой ночью предлагаю: {name}."}
LAST_WORDS = {"en": "You have made a mistake, neighbours. Feed my cat.", "ru": "Зря вы так, соседи. Кота покормите."}
KEYWORDS = {
    "en": {key: key for key in ("JOIN", "VOTE", "SAY", "FAMILY", "BLOCK", "HEAL", "KILL", "CHECK", "SHOOT", "PASS", "LAST WORDS")},
    "ru": {
        "JOIN": "ИГРАЮ",
        "VOTE": "ГОЛОС",
        "SAY": "В ТЕМУ",
        "FAMILY": "СВОИМ",
        "BLOCK": "БЛОК",
        "HEAL": "ЛЕЧИТЬ",
        "KILL": "УБИТЬ",
        "CHECK": "ПРОВЕРИТЬ",
        "SHOOT": "ЗАСТРЕЛИТЬ",
        "PASS": "ПАС",
        "LAST WORDS": "ПОСЛЕДНЕЕ СЛОВО",
    },
}
