"""Entries in nineteen languages and what is searched in them, made of lists of words by a seeded random. Each list has words that begin alike, words
that fold to the same, and words that nearly do."""

import re
import unicodedata
import uuid
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from search_oracle import QUOTES, Entry, same

SPACED = [
    # English
    "river rivers riverbank the by lake a an café cafés naïve don't it's rock'n'roll well-known Zoë résumé 7am co-operate O’Neill we swam",
    # German
    "Straße Strasse STRASSE Fluß Fluss Flüsse der die am See größer Größe U-Bahn Mädchen Österreich Öl oel weiß weiss ẞ Übung 3. schön schon",
    # French
    "cœur coeur œuvre l'été été ete aujourd'hui garçon Noël forêt où ou à la rivière rivières d’abord Ægir çà ÎLE île qu'il",
    # Russian
    "ёлка елка Ёлка всё все река реки рек йод иод щётка у озера и й мой мои подъезд объём объем Москва-река",
    # Arabic: with and without points, hamzas, a stretched letter, a ligature of its own, digits
    "كِتَاب كتاب كـــتاب كُتُب مَدْرَسَة مدرسة النَّهْر النهر أحمد احمد إلى الى آخر اخر ﻻ لا ٣٤ فِي في الْبَيْت البيت مؤمن",
    # Hebrew: with and without points, presentation forms
    "שָׁלוֹם שלום בְּרֵאשִׁית בראשית תל־אביב אביב צה״ל נהר נְהָר הנהר שׁוּב שוב ליד הַמַּיִם המים ג׳ירפה",
    # Korean
    "강 강물 강가 한국어 한국 사랑해요 사랑 하늘 하 우리 ㅋㅋㅋ 오늘은 맑음 호수 호수에서",
    # Turkish
    "İstanbul istanbul ISTANBUL ışık IŞIK isik günaydın gunaydin çay ğ nehir nehri göl kıyısı İĞNE iğne",
    # Greek
    "Θάλασσα θαλασσα ΘΑΛΑΣΣΑΣ θάλασσας ὁδός οδος ποτάμι ποταμός ᾠδή ΐ Ὀδυσσεύς και η",
    # Polish, Danish, Maltese, Vietnamese
    "łódź lodz Łódź rzeka smørrebrød smorrebrod æble Æble å Århus ħobża đường duong phở sông Sông",
    # Hindi
    "नदी नदियाँ हिन्दी हिंदी क़लम कलम किताब की के पानी १२",
]
JOINED = [
    # Chinese
    "我 喜歡 河流 河 今天 天氣 很好 在 湖 邊 散步 圖書館 書 二〇二六年 ＡＢＣ ３ 𠮷 豈",
    # Japanese: both kana, both widths, composed and not
    "図書館 がっこう ガッコウ ｶﾞｯｺｳ か が コーヒー ｺｰﾋｰ 川 川辺 で 泳いだ 人々 ㈱ ﾊﾟﾝ パン ハン",
    # Thai
    "แม่น้ำ น้ำ ความรัก รัก สวัสดี ค่ะ ที่ ริม ทะเลสาบ ๑๒๓ เที่ยว",
    # Burmese, Khmer
    "မြစ် ရေ ကမ်း ទន្លេ ទឹក បឹង",
]
ANYWHERE = (
    "2026 7 3.14 12:30 1,000 50% ½ x² Ⅷ ⅷ 😀 👍 👍🏽 👨‍👩‍👧 🇩🇪 ❤️ ❤ 1️⃣ ☀️ ™ 21°C C++ #lake @zoe ﬁsh fish ＬＡＫＥ ｌａｋｅ！ ŉ ǆ ǅ Å K ſ a_b e=mc² $5 naïve … ¿qué?"
).split()
TAGS = [
    *(
        "summer",
        "Lake",
        "river",
        "Straße",
        "ёлка",
        "café",
        "U-Bahn",
        "rock'n'roll",
        "été",
        "נהר",
        "שָׁלוֹם",
        "كِتَاب",
        "النهر",
        "河流",
        "図書館",
        "ガッコウ",
    ),
    *("แม่น้ำ", "강물", "ışık", "by the lake", "2026", "😀", "❤️", "ﬁsh", "new year", "smørrebrød", "a", "łódź"),
]
MOODS = ["calm", "très calme", "Grün", "спокойно", "平静"]
ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Kiritimati"]
BETWEEN = [
    *[" "] * 30,
    ", ",
    ". ",
    "! ",
    " — ",
    "\n",
    "\n\n",
    "\t",
    "-",
    "/",
    "'",
    "’",
    " “",
    "” ",
    ' "',
    " «",
    "» ",
    " (",
    ") ",
    "_",
    "\u00a0",
]
BETWEEN += ["\u200b", "\u2028", "\u3000", "…", "; ", ",", "\r\n"]
INSERTED = "\u00ad\u200d\u200c\u0301\u0323\u064e\u0640\u05b8\ufe0f\u0308\u2060\u0335\u0307"
"""Most are left out between letters; U+0335 is not."""
WIDE = {ord(" "): "\u3000", **{code: chr(code + 0xFEE0) for code in range(0x21, 0x7F)}}


def swapped(dice, text):
    """In another case, where that is the same letter by all ways of folding."""
    return "".join(
        o if len(o := c.swapcase()) == 1 and o.swapcase() == c and o.casefold() == c.casefold() and dice.random() < 0.7 else c for c in text
    )


def inserted(dice, text):
    place = dice.randint(1, len(text))
    return text[:place] + dice.choice(INSERTED) + text[place:]


DRESSES = {
    "upper": lambda dice, text: text.upper(),
    "lower": lambda dice, text: text.lower(),
    "title": lambda dice, text: text.title(),
    "composed": lambda dice, text: unicodedata.normalize("NFC", text),
    "decomposed": lambda dice, text: unicodedata.normalize("NFD", text),
    "wide": lambda dice, text: text.translate(WIDE),
    "bare": lambda dice, text: "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c)) or text,
    "two letters": lambda dice, text: text.replace("ß", "ss").replace("œ", "oe").replace("æ", "ae").replace("ё", "е"),
    "inserted": inserted,
}


def dressed(dice, text, plain=0.5):
    return text if not text or dice.random() < plain else DRESSES[dice.choice(list(DRESSES))](dice, text)


def varied(dice, name):
    """A tag or mood that the listing's filter takes for this one."""
    made = unicodedata.normalize(dice.choice(["NFC", "NFD"]), swapped(dice, name) if dice.random() < 0.5 else name)
    assert same(made) == same(name)
    return made


def sentence(dice, count, between=BETWEEN):
    is_spaced = dice.random() < 0.75
    own = dice.choice(SPACED if is_spaced else JOINED).split()
    made = ""
    for number in range(count):
        if number:
            made += dice.choice(between) if is_spaced or dice.random() < 0.15 else dice.choice(["", "", "", "", "，", "。", "、"])
        made += dressed(dice, dice.choice(ANYWHERE) if dice.random() < 0.08 else dice.choice(own), 0.75)
    return made


def title_of(dice):
    return sentence(dice, dice.randint(1, 5), [" ", " ", " ", ", ", ": ", "-"])[:190].strip() or None if dice.random() < 0.6 else None


def text_of(dice):
    count = dice.choice([1, 3, 8, 15, 15, 30, 30, 60, dice.choice([20, 300])])
    made = ""
    while count > 0:
        some = min(count, dice.randint(2, 25))
        made += (dice.choice([" ", "\n", ". "]) if made else "") + sentence(dice, some)
        count -= some
    return made.strip() or "a"


def tags_of(dice):
    names = dice.sample(TAGS, dice.choice([0, 0, 1, 1, 2, 3]))
    return [varied(dice, name) for name in names]


def mood_of(dice):
    return dice.choice([None, None, None, *MOODS])


def hours_of(dice, count):
    """Fewer than the entries, so that many are of one time."""
    return [datetime(2023, 1, 1, tzinfo=UTC) + timedelta(hours=dice.randint(0, 3 * 365 * 24)) for _ in range(max(10, count // 2))]


def id_of(dice):
    return str(uuid.UUID(int=dice.getrandbits(128), version=4))


def moment_of(dice, hours):
    return dice.choice(hours) + timedelta(microseconds=dice.choice([0] * 9 + [1]))


def entry_of(dice, hours):
    moment, zone = moment_of(dice, hours), dice.choice(ZONES)
    is_voice = dice.random() < 0.1
    return Entry(
        id=id_of(dice),
        kind="voice" if is_voice else "text",
        moment=moment,
        zone=zone,
        day=moment.astimezone(ZoneInfo(zone)).date(),
        title=title_of(dice),
        text=None if is_voice else text_of(dice),
        tags=tags_of(dice),
        mood=mood_of(dice),
        favorite=dice.random() < 0.3,
        status="awaiting_upload" if is_voice else "transcribed",
    )


def piece_of(dice, text):
    """Words of a text, or parts of them; quotation marks, which would begin another piece, are left out."""
    parts = re.sub(f"[{QUOTES}]", " ", text).split() or [text]
    start, count = dice.randrange(len(parts)), dice.choice([1, 1, 1, 2, 3, 4])
    if len(parts[start]) > 12 and dice.random() < 0.7:
        place = dice.randrange(len(parts[start]))
        return parts[start][place : place + dice.randint(1, 6)]
    return dice.choice([" ", " ", " ", "-", ", ", "\u3000"]).join(parts[start : start + count])


def term_of(dice, text):
    piece = piece_of(dice, text)
    kind = dice.random()
    if kind < 0.25:
        return dressed(dice, piece.split()[0] if piece.split() else piece)
    if kind < 0.55:
        word = dressed(dice, piece.split()[0] if piece.split() else piece)
        return word[: dice.randint(1, len(word))] if word else word
    if kind < 0.62:
        return dressed(dice, piece[dice.randrange(len(piece)) :] if piece else piece)
    if kind < 0.70:
        return dressed(dice, piece)
    begun, ended = dice.choice(['""', '""', "“”", "„“", "«»", "»«", "””", '"“'])
    if kind < 0.76:
        piece = piece[: dice.randint(1, len(piece))] if piece else piece
    return begun + dressed(dice, piece) + ended


def query_of(dice, entries):
    """Terms of one entry's texts mostly, at most 190 UTF-16 units."""
    own = [text for _, text in dice.choice(entries).texts()] or ["a"]
    made = []
    for _ in range(dice.choice([1, 1, 1, 2, 2, 3])):
        if dice.random() < 0.9:
            made.append(term_of(dice, dice.choice(own)))
        else:
            made.append(dressed(dice, dice.choice([*ANYWHERE, *dice.choice(SPACED + JOINED).split(), "nowhere"])))
    q = "".join(term + dice.choice([" ", " ", " ", "  ", "\u3000", "\t", "\u00a0", " - ", "\n"]) for term in made)
    chance = dice.random()
    if chance < 0.02:
        q = dice.choice(['""', "-", " , ", "“ ”", "\u200b", "\u0301", "'"])
    elif chance < 0.12:
        # A phrase that is begun and not ended.
        q += dice.choice('"“„«') + dressed(dice, piece_of(dice, dice.choice(own)))
    elif chance < 0.8:
        q = q.rstrip()
    while len(q.encode("utf-16-le")) > 380:
        q = q[:-1]
    return q or "a"


def filters_of(dice, entries):
    """None for half of the searches; otherwise some that one entry fits, or nearly."""
    made, entry = {}, dice.choice(entries)
    if dice.random() < 0.5:
        return made
    for name in dice.sample(["days", "days", "tag", "tag", "kind", "favorite", "mood", "status"], dice.choice([1, 1, 2, 3])):
        if name == "days":
            reach = dice.choice([0, 30, 300])
            bounds = {"from": entry.day - timedelta(days=reach), "to": entry.day + timedelta(days=dice.choice([0, reach, 300]))}
            chosen = dice.choice([["from", "to"], ["from"], ["to"]])
            made |= {bound: bounds[bound].isoformat() for bound in chosen}
        elif name == "tag":
            some = dice.sample(entry.tags, dice.randint(1, len(entry.tags))) if entry.tags else [dice.choice(TAGS)]
            made["tag"] = [varied(dice, tag) for tag in some]
        elif name == "kind":
            made["kind"] = entry.kind
        elif name == "favorite":
            made["favorite"] = dice.choice(["true", "false"])
        elif name == "mood":
            made["mood"] = varied(dice, entry.mood or dice.choice(MOODS))
        elif name == "status":
            made["status"] = entry.status
    if "from" in made and "to" in made and made["from"] > made["to"]:
        del made["from"]
    return made
