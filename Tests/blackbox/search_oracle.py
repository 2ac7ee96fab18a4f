"""A search by brute force, written from docs/search.md alone: every step stands here as the page has it. Nothing is made faster, but what was
folded is kept."""

import unicodedata
from bisect import bisect_left
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache

QUOTES = '"“”„«»'
MARKS_LEFT_OUT = [(10, 36), (200, 240)]
LEFT_OUT = [(0x0640, 0x0640), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF)]
WITHOUT_SPACES = [(0x0E00, 0x109F), (0x1780, 0x17FF), (0x3000, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF)]
LIGATURES = {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ħ": "h"}
FIELDS = ["title", "text", "summary", "tag", "speaker"]
"""In the order of an entry's texts."""


def within(number, ranges):
    return any(first <= number <= last for first, last in ranges)


@lru_cache(None)
def folded(character):
    """Steps 1 to 5, of one character."""
    wide = unicodedata.normalize("NFKD", character) if 0xFF01 <= ord(character) <= 0xFF9F else character
    decomposed = [part for one in wide for part in unicodedata.normalize("NFD", one)]
    cased = [last for one in decomposed for low in one.lower() for up in low.upper() for last in up.lower()]
    return "".join(LIGATURES.get(one, one) for one in cased if not is_left_out(one))


def is_left_out(character):
    category = unicodedata.category(character)
    is_mark = category == "Mn" and within(unicodedata.combining(character), MARKS_LEFT_OUT)
    return category == "Cf" or within(ord(character), LEFT_OUT) or is_mark


@dataclass
class Word:
    letters: str
    places: list[int]
    """For each letter the character of the text that it was made of."""


@lru_cache(50_000)
def words(text):
    """Step 6."""
    made, is_open = [], False
    for place, character in enumerate(text):
        for one in folded(character):
            category = unicodedata.category(one)
            is_letter = category[0] in "LMN"
            if category == "So" or is_letter and within(ord(one), WITHOUT_SPACES):
                made.append(Word(one, [place]))
                is_open = False
            elif is_letter and is_open:
                made[-1].letters += one
                made[-1].places.append(place)
            elif is_letter:
                made.append(Word(one, [place]))
                is_open = True
            else:
                is_open = False
    return made


def line(text):
    """Step 9, of a text."""
    return " " + " ".join(word.letters for word in words(text)) + " "


@dataclass
class Term:
    words: list[str]
    is_ended: bool

    @property
    def line(self):
        return " " + " ".join(self.words) + (" " if self.is_ended else "")


def terms(q):
    """Step 7."""
    pieces, piece, is_phrase = [], "", False
    for character in q:
        category = unicodedata.category(character)
        if character in QUOTES:
            pieces.append((piece, is_phrase))
            piece, is_phrase = "", not is_phrase
        elif not is_phrase and (category[0] == "Z" or category == "Cc"):
            pieces.append((piece, False))
            piece = ""
        else:
            piece += character
    pieces.append((piece, False))
    made = [Term([word.letters for word in words(text)], is_ended) for text, is_ended in pieces]
    return [term for term in made if term.words]


def same(name):
    """Of tags and moods that the filter of the listing takes for one another. The texts have none that kinds of case folding differ about."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).strip().casefold())


@dataclass
class Entry:
    id: str
    kind: str
    moment: datetime
    zone: str
    day: date
    title: str | None = None
    text: str | None = None
    tags: list[str] = field(default_factory=list)
    mood: str | None = None
    favorite: bool = False
    summary: str | None = None
    speakers: list[str] = field(default_factory=list)
    status: str = "transcribed"

    def texts(self):
        """Field and text of all that is searched."""
        single = [("title", self.title), ("text", self.text), ("summary", self.summary)]
        return [(name, text) for name, text in single if text] + [("tag", t) for t in self.tags] + [("speaker", s) for s in self.speakers]

    def fits(self, filters):
        return (
            all(same(tag) in map(same, self.tags) for tag in filters.get("tag", []))
            and ("mood" not in filters or self.mood is not None and same(self.mood) == same(filters["mood"]))
            and filters.get("kind", self.kind) == self.kind
            and filters.get("status", self.status) == self.status
            and filters.get("favorite", self.is_favorite()) == self.is_favorite()
            and ("from" not in filters or filters["from"] <= self.day.isoformat())
            and ("to" not in filters or self.day.isoformat() <= filters["to"])
        )

    def is_favorite(self):
        return "true" if self.favorite else "false"


class Oracle:
    """Knows all entries, and looks into each of them for each search."""

    def __init__(self, entries):
        self.entries = {entry.id: entry for entry in entries}
        self.lines = {entry.id: [line(text) for _, text in entry.texts()] for entry in entries}
        self.order = sorted(entries, key=lambda entry: (entry.moment, entry.id), reverse=True)
        """The newest first; of one time, as in the listing, the larger id."""

    def found(self, q, filters):
        """The ids in order; None where the query is refused."""
        asked = [term.line for term in terms(q)]
        if not asked:
            return None
        return [
            entry.id
            for entry in self.order
            if entry.fits(filters) and all(any(term in text for text in self.lines[entry.id]) for term in asked)
        ]

    def fault(self, q, item):
        """What is wrong with the snippets of a search's item; None: nothing."""
        entry, snippets, asked = self.entries[item["entry"]["id"]], item["snippets"], terms(q)
        if not 1 <= len(snippets) <= 3:
            return f"{len(snippets)} snippets"
        ranks = [FIELDS.index(snippet["field"]) for snippet in snippets]
        if ranks != sorted(ranks):
            return "snippets in another order than the entry's texts"
        for snippet in snippets:
            if entry.kind == "text" and snippet["at_s"] is not None or (snippet["at_s"] or 0) < 0:
                return f"a time that is not known: {snippet}"
            if len(snippet["text"]) > 600:
                return f"far more than 200 characters: {snippet}"
            sources = [text for name, text in entry.texts() if name == snippet["field"]]
            if not any(is_piece(snippet, source, asked) for source in sources):
                return f"no piece of the {snippet['field']} with words that were found: {snippet} of {sources}"
        return None


def is_piece(snippet, source, asked):
    """Whether the snippet is somewhere in the text, as its ellipses say, and its ranges hold matches of the text."""
    ranges = in_characters(snippet)
    if not ranges:
        return False
    text, found = snippet["text"], matches(source, asked)
    for before in {False, text.startswith("…")}:
        for behind in {False, text.endswith("…")}:
            body = text[before : len(text) - behind]
            place = source.find(body)
            while place >= 0:
                end = place + len(body)
                if (place > 0) == before and (end < len(source)) == behind:
                    shift = place - before
                    if all(place <= s + shift and e + shift <= end and is_match(source, s + shift, e + shift, found) for s, e in ranges):
                        return True
                place = source.find(body, place + 1)
    return False


def in_characters(snippet):
    """The ranges in characters instead of UTF-16 units; None where they overlap, or begin or end outside or within a character."""
    places, units = {0: 0}, 0
    for place, character in enumerate(snippet["text"], 1):
        units += 2 if ord(character) > 0xFFFF else 1
        places[units] = place
    made, last = [], 0
    for one in snippet["ranges"]:
        start, end = places.get(one["start"]), places.get(one["end"])
        if start is None or end is None or not last <= start < end:
            return None
        made.append((start, end))
        last = end
    return made


def matches(source, asked):
    """Where terms are found, by number of letters: the first letter, the end of what was asked for, the end of the word with it. A character is taken
    whole: ß for the first s of ss, が for か."""
    found, all_words = [], words(source)
    places = [place for word in all_words for place in word.places]
    ends = [0]
    for word in all_words:
        ends.append(ends[-1] + len(word.letters))

    def end(letter):
        while letter < len(places) and places[letter] == places[letter - 1]:
            letter += 1
        return letter

    for term in asked:
        count = len(term.words)
        for first in range(len(all_words) - count + 1):
            row = [word.letters for word in all_words[first : first + count]]
            last, wanted = row.pop(), term.words[-1]
            if row == term.words[:-1] and (last == wanted or not term.is_ended and last.startswith(wanted)):
                start = bisect_left(places, places[ends[first]])
                found.append((start, end(ends[first + count - 1] + len(wanted)), end(ends[first + count])))
    return found


def is_match(source, start, end, found):
    """Whether a range is a match or several that touch: to the end of what was asked for, or of its word. The page leaves both open."""
    edges = [folded(character) for character in (source[start], source[end - 1])]
    if any(edge and not any(unicodedata.category(one)[0] in "LMN" or unicodedata.category(one) == "So" for one in edge) for edge in edges):
        return False
    places = [place for word in words(source) for place in word.places]
    first, last = bisect_left(places, start), bisect_left(places, end)
    covered = {letter for begin, _, whole in found for letter in range(begin, whole)}
    return (
        any(begin == first for begin, _, _ in found)
        and any(last in (asked, whole) for _, asked, whole in found)
        and all(letter in covered for letter in range(first, last))
    )
