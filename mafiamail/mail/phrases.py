"""What mail programs add to a letter, in English, Russian, Ukrainian and German: attributions, headers, forwards, tails, disclaimers.

Every expression is anchored or bounded, and is used on one line of at most `LINE` characters.
"""

import re

LINE = 1_000  # what is longer than this is nobody's attribution, header or tail


def _any(*ways: str) -> str:
    return "(?:" + "|".join(ways) + ")"


# ------------------------------------------------------------------ attributions: "On Wed, 13 May 2026 … wrote:"

_VERB = _any(
    r"wrote|writes|schrieb|geschrieben|a [ée]crit|escribi[óo]|ha scritto|skrev|schreef|napisał\(?a?\)?",
    r"написала?(?:\(а\))?|писала?(?:\(а\))?|пишет|сообщает|сообщила?(?:\(а\))?",
    r"пише|писав|написав(?:\(ла\)|ла)?",
)
WROTE = re.compile(rf"\b{_VERB}(?:\s*(?:folgendes|am .{{0,60}})|\s(?:on\s|at\s|um\s)?\d[\d.:/ ,-]{{4,40}})?\s?[:：.]?$", re.I)
WROTE_WITHIN = re.compile(r"^(?:am|den|op|on|le)\s.{6,120}\b(?:schrieb|skrev|schreef|wrote)\s.{1,120}[:：]$", re.I)
WROTE_IN_DASHES = re.compile(rf"^-{{2,8}}\s.{{6,200}}\b{_VERB}\s?[:：]?\s?-{{2,8}}$", re.I)  # Zoho
ADDRESS_END = re.compile(r"[<(\[][^<>\s]{1,200}@[^<>\s]{1,200}[>)\]]\s?[:：]$")
_MONTH = _any(
    r"jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|june?|juni|july?|juli",
    r"aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?",
    r"янв\w*|фев\w*|мар\w*|апр\w*|ма[йя]|июн\w*|июл\w*|авг\w*|сен\w*|окт\w*|ноя\w*|дек\w*",
    r"січ\w*|лют\w*|берез\w*|квіт\w*|трав\w*|черв\w*|лип\w*|серп\w*|верес\w*|жовт\w*|листоп\w*|груд\w*",
)
DATE = re.compile(
    r"\b(?:19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\b\d{1,2}:\d\d\b" + rf"|\b\d{{1,2}}\.?\s{_MONTH}\b|\b{_MONTH}\.?\s\d{{1,2}}\b",
    re.I,
)
_WEEKDAY = _any(
    r"mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|пн|вт|ср|чт|пт|сб|вс|нд",
    r"monday|tuesday|wednesday|thursday|friday|saturday|sunday",
    r"понедельник|вторник|сред[ау]|четверг|пятниц[ау]|суббот[ау]|воскресенье",
    r"понеділок|вівторок|серед[ау]|четвер|п.ятниц[яю]|субот[ау]|неділ[яю]",
    r"montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag",
)
ATTRIBUTION_BEGINS = re.compile(
    rf"^(?:on\s|am\s|le\s|el\s|il\s|den\s|в\s|у\s|{_WEEKDAY}\b|\d{{1,2}}[.:/\s-]|(?:19|20)\d\d-|\*?{_MONTH}\b)", re.I
)

# ------------------------------------------------------------------ header lines and the marks of history

HEADER = re.compile(
    r"^[*_]{0,2}"
    + _any(
        r"from|sent|to|cc|bcc|subject|date|reply-to|importance|attachments",
        r"от|от кого|отправлено|отправитель|дата|кому|копия|тема|получатель|ответить|важность|вложения",
        r"від|від кого|надіслано|копія|одержувач",
        r"von|gesendet|datum|an|betreff|kopie|antwort an|de|envoyé|à|objet",
    )
    + r"[*_]{0,2}\s?[:：][*_]{0,2}(?:\s|$)",
    re.I,
)
HEADER_FROM = re.compile(r"^[*_]{0,2}(?:from|от|от кого|отправитель|від|від кого|von|de)[*_]{0,2}\s?[:：]", re.I)
DELIMITER = re.compile(
    r"^[-_\s*]{0,40}-{2,}\s?"
    + _any(
        r"original message|original appointment|reply message|message d'origine",
        r"исходное сообщение|оригинальное сообщение|исходное письмо|вихідне повідомлення|оригінальне повідомлення",
        r"ursprüngliche nachricht|urspr.ngliche nachricht|originalnachricht",
    )
    + r"\s?-{2,}[-\s]{0,40}$",
    re.I,
)
FORWARD = re.compile(
    r"^[-_\s]{0,40}-{2,}\s?"
    + _any(
        r"forwarded message|forwarded by .{1,80}|weitergeleitete nachricht",
        r"(?:пересылаемое|пересланное) (?:сообщение|письмо)|(?:перенаправленное|переадресованное) сообщение",
        r"(?:переслане|перенаправлене|переадресоване) повідомлення|пересилання повідомлення",
    )
    + r"\s?-{2,}[-\s]{0,40}$|^"
    + _any(
        r"begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-mail)",
        r"начало переадресованного (?:сообщения|письма)",
        r"початок (?:листа, що пересилається|переадресованого (?:листа|повідомлення))",
    )
    + r"\s?[:：]?$",
    re.I,
)
UNDERSCORES = re.compile(r"^_{10,}$")
RULE = re.compile(r"^[-–—_=*~]{2,}$")

# ------------------------------------------------------------------ signatures, tails, banners

SIGN_OFF = re.compile(
    "^"
    + _any(
        r"(?:with )?(?:best|kind|warm)(?: regards| wishes)?|regards|sincerely(?: yours)?|yours(?: truly| sincerely)?|cheers",
        r"с (?:наилучшими |глубоким )?(?:уважением|пожеланиями)|всего (?:доброго|хорошего|наилучшего)|искренне ваш\w*",
        r"з (?:найкращими |глибокою )?(?:повагою|побажаннями)",
        r"mit (?:freundlichen|besten|lieben) grü(?:ß|ss)en|(?:viele|liebe|beste|freundliche) grü(?:ß|ss)e|mfg|lg|vg",
    )
    + r"\s?[,.!]?$",
    re.I,
)
TAIL = re.compile(
    r"^[*_]{0,2}"
    + _any(
        r"sent (?:from|via|with) .{1,80}|get outlook for .{1,80}|yahoo mail: .{1,80}",
        r"(?:sent .{0,60})?(?:please )?(?:excuse|pardon|forgive) (?:my|the) (?:brevity|typos).{0,60}",
        r"отправлено (?:с|из|через|с помощью) .{1,80}|(?:получить|получите|скачать|загрузить) outlook для .{1,80}",
        r"(?:простите|извините|прошу прощения) за краткость.{0,80}|(?:вибачте|перепрошую) за стислість.{0,80}",
        r"надіслано (?:з|із|через|за допомогою) .{1,80}|отримати outlook для .{1,80}",
        r"(?:von meinem|gesendet (?:von|mit|über|aus)) .{1,80}|outlook für .{1,60} (?:beziehen|herunterladen).{0,60}",
        r"holen sie sich outlook für .{1,60}|diese nachricht wurde von meinem .{1,80}",
        "\u1427",  # a sign by which a reading is tracked
    )
    + r"[*_]{0,2}$",
    re.I,
)
BANNER = re.compile(
    _any(
        r"^\W{0,4}external\b.{0,60}[\])!:]|caution\s?[:：!].{0,80}(?:external|originated|outside)",
        r"originated (?:from )?(?:outside|external)|virus-free\.|checked for viruses|antivirus software|\bavast\.com|\bavg\.com",
        r"scanned (?:by|for) .{0,40}(?:virus|avast|kaspersky|malware)",
        r"внимание\W.{0,60}(?:внешн|извне)|(?:от|из) внешн(?:его|ей) (?:отправителя|сети|почты)|увага\W.{0,60}зовнішн",
        r"провер\w{2,6} на (?:вирусы|наличие вирусов)|перевірено на (?:віруси|наявність вірусів)",
        r"achtung\W.{0,60}extern|^externe e-?mail|auf viren (?:geprüft|überprüft)",
    ),
    re.I,
)
_BANNER_SIGNS = ("extern", "outside", "virus", "avg.com", "avast", "malware", "внешн", "вирус", "извне", "зовніш", "вірус", "viren")


def is_banner(line: str) -> bool:
    """A warning or a boast that a mail server has put in."""
    lowered = line.lower()
    return any(sign in lowered for sign in _BANNER_SIGNS) and BANNER.search(line) is not None


DISCLAIMER = re.compile(
    r"^[*_]{0,2}"
    + _any(
        r"(?:this|the (?:information|contents?) (?:in|of|contained in) this) (?:e-?mail|message|communication)\b"
        r".{0,160}(?:confidential|intended|privileged)",
        r"(?:confidentiality notice|disclaimer|notice of confidentiality)\b|if you are not the intended recipient",
        r"(?:уведомление о конфиденциальности|конфиденциальность)\b|(?:это|данное|настоящее) (?:электронное )?"
        r"(?:сообщение|письмо)\b.{0,160}(?:конфиденциальн|предназначен)",
        r"(?:цей|це|даний) (?:електронний )?(?:лист|повідомлення)\b.{0,160}(?:конфіденційн|призначен)",
        r"(?:haftungsausschluss|vertraulichkeitshinweis)\b|diese (?:e-?mail|nachricht)\b.{0,160}(?:vertraulich|bestimmt)",
        r"please consider the environment|пожалуйста, подумайте (?:о природе|об окружающей среде)",
        r"you received this (?:message|e-?mail) because you|to unsubscribe from this|чтобы отписаться|unsubscribe:",
    ),
    re.I,
)
LIST_FOOTER = re.compile(r"mailing list|unsubscribe|https?://lists?\.|список рассылки|отписаться|mailingliste|розсилк", re.I)
REACTION = re.compile(
    r"^\W{0,12}.{1,80}"
    + _any(
        r"reacted (?:.{0,12} ?to your|via gmail|with gmail|in gmail|to a message)|(?:liked|loved|disliked) your message",
        r"отреагировал(?:а|\(а\))? (?:на ваше|на сообщение|(?:в|через) gmail)|нравится ваше сообщение",
        r"відреагува(?:в|ла|в\(-?ла\)) (?:на ваш|на повідомлення|(?:в|у|через) gmail)|hat (?:auf ihre|über gmail) .{0,60}reagiert",
    )
    + r".{0,120}$",
    re.I,
)

# ------------------------------------------------------------------ what no post may hold

MAIL_ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{2,}|\bmailto:", re.I)
PHONE = re.compile(r"(?<![\w.:])\+?\(?\d[\d\s().-]{5,20}\d(?![\w:])")
_SHORT_PHONE = re.compile(r"\d{3}[- ]\d\d[- ]\d\d|\d{3}[- ]\d{4}")
_FULL_DATE = re.compile(r"\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d\d|(?:19|20)\d\d-\d\d-\d\d")
PHONE_LABEL = re.compile(r"^(?:tel|phone|mobile|mob|cell|fax|тел|телефон|моб|факс|handy|telefon)\b\s?[.:：]", re.I)


def holds_phone(text: str) -> bool:
    """A telephone number: nine digits or more (with a plus: seven), or the shape of a short one; dates are none."""
    for match in PHONE.finditer(text):
        number = match[0]
        digits = sum(char.isdigit() for char in number)
        if _SHORT_PHONE.fullmatch(number) or ((digits >= 9 or (number[0] == "+" and digits >= 7)) and not _FULL_DATE.search(number)):
            return True
    return False


# ------------------------------------------------------------------ subjects

FORWARD_PREFIX = re.compile(r"^\s{0,9}(?:fwd?|wg|пересл|переслать|пер|tr)(?:\s?\[\d{1,3}\])?\s?[:：]", re.I)
AUTOMATIC = re.compile(
    r"^\s{0,9}"
    + _any(
        r"auto(?:matic|mated)?[- ]?(?:reply|response|answer)|auto:|out[- ]of[- ](?:the[- ])?office",
        r"автоматический ответ|авто-?ответ|автоматична відповідь|автовідповідь",
        r"automatische (?:antwort|rückantwort)|abwesenheit(?:snotiz|sbenachrichtigung)?",
    ),
    re.I,
)
AWAY = re.compile(  # where it answers a letter
    r"^\s{0,9}"
    + _any(
        r"vacation\b|on vacation|away from (?:my|the) (?:office|desk|mail)|i am (?:out of|away)|on (?:annual )?leave\b|ooo\b",
        r"отсутствую|нет на (?:рабочем )?месте|вне офиса|(?:я )?в отпуске|у відпустці|відсутн|abwesend|nicht im büro|au(?:ß|ss)er haus",
    ),
    re.I,
)
RETURNED = re.compile(
    _any(
        r"undeliver|returned mail|returned to sender|mail delivery|failure notice",
        r"delivery (?:status notification|failure|failed|problem|report|delayed)",
        r"не уда(?:лось|ётся|ется) доставить|недоставленн|невозможно доставить|сообщение не доставлено|не вдалося доставити",
        r"unzustellbar|nicht zugestellt|zustellung fehlgeschlagen",
    ),
    re.I,
)
