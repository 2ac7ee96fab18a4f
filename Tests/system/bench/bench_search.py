"""Measures searches: the first page and a whole search over diaries of text and of long meetings, alone and beside clients that list; lists beside searches;
and the memory that the API had."""

import argparse
import json
import random
import secrets
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from bench import CONNECTIONS, Process, lua, wrk
from many_recordings import data_key, derived
from rig import AS_SHIPPED, Rig

RARE = "zyzzogeton"
"""In the oldest entry alone, so that the first page has looked at all the others, or has used up its time."""
COMMON = "river"
"""In every entry: the first page is full at once."""
INSERT = """
insert into entries
select (jsonb_populate_record(null::entries, to_jsonb(e) || jsonb_build_object('id', n.id, 'change_number', -n.number,
    'personal', '\\x' || n.personal, 'personal_version', 1, 'machine', '\\x' || n.machine, 'machine_version', 1,
    'recorded_at', e.recorded_at - n.number * interval '1 hour', 'recorded_local', e.recorded_local - n.number * interval '1 hour',
    'local_date', (e.recorded_local - n.number * interval '1 hour')::date))).*
from entries e, unnest(%s::uuid[], %s::bigint[], %s::text[], %s::text[]) as n (id, number, personal, machine)
where e.id = %s
"""
SEGMENTS = """
insert into entry_segments (tenant_id, user_id, entry_id, sealed, version, key_id)
select e.tenant_id, e.user_id, n.id, decode(n.sealed, 'hex'), 1, e.key_id
from entries e, unnest(%s::uuid[], %s::text[]) as n (id, sealed) where e.id = %s
"""


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=10, help="of each measurement")
    parser.add_argument("--meetings", type=int, default=1_000, help="of two hours")
    parser.add_argument("--json")
    return parser.parse_args()


def words(length, source):
    """`length` characters of words of a language, with the common one among the first."""
    made, size = [COMMON], len(COMMON)
    while size < length:
        word = "".join(source.choice("etaoinshrdlucm") for _ in range(source.randrange(2, 9)))
        made.append(word)
        size += len(word) + 1
    return made


class Diary:
    """An account whose entries are written into the database, as the service seals them (docs/sealed-format.md)."""

    def __init__(self, rig, entries, characters, meetings):
        self.user = rig.user()
        self.name = f"{entries:,} {'meetings' if meetings else 'entries'} of {characters:,} characters"
        template = self.user.create_text(f"{COMMON} of today", recorded_at="2026-03-01T12:00:00Z")["entry_id"]
        self.tenant = rig.tenants["my-day"]
        self.key_id, key = data_key(rig, self.user)
        self.cipher = AESGCM(derived(key, self.key_id.bytes, b"diary/v1/content"))
        source = random.Random(entries)
        for start in range(0, entries, 100):
            rows, timed = [], []
            for number in range(start + 1, min(start + 100, entries) + 1):
                entry = uuid.uuid4()
                said = words(characters, source) + ([RARE] if number == entries else [])
                text = " ".join(said).encode()
                personal = {1: f"Day {number}".encode()} | ({} if meetings else {2: text})
                machine = {1: text, 2: text} if meetings else {}
                rows.append((str(entry), number, self.part("personal", entry, personal), self.part("machine", entry, machine)))
                if meetings:
                    timed.append((str(entry), self.sealed("entry_segments", "segments", entry, self.segments(said)).hex()))
            rig.postgres.sql("diary", INSERT, *(list(column) for column in zip(*rows, strict=True)), template)
            if timed:
                rig.postgres.sql("diary", SEGMENTS, *(list(column) for column in zip(*timed, strict=True)), template)

    def part(self, name, entry, fields):
        plain = b"\x01" + b"".join(bytes([tag]) + len(value).to_bytes(4, "big") + value for tag, value in fields.items())
        return self.sealed("entries", name, entry, plain).hex()

    def sealed(self, table, part, entry, plain):
        def text(value):
            return len(value).to_bytes(4, "big") + value.encode()

        place = uuid.UUID(self.tenant).bytes + uuid.UUID(self.user.id).bytes + entry.bytes + (1).to_bytes(8, "big")
        nonce = secrets.token_bytes(12)
        return b"\x01" + self.key_id.bytes + nonce + self.cipher.encrypt(nonce, plain, b"\x01" + text(table) + text(part) + place)

    @staticmethod
    def segments(said):
        """Of twelve words, at two and a half words a second."""
        made = []
        for place in range(0, len(said), 12):
            timed = [
                {"text": word, "start": (place + n) * 0.4, "end": (place + n) * 0.4 + 0.35, "confidence": 0.9}
                for n, word in enumerate(said[place : place + 12])
            ]
            made.append({"id": len(made) + 1, "start": timed[0]["start"], "end": timed[-1]["end"], "words": timed})
        return json.dumps(made).encode()

    def page(self, word, cursor=None):
        begin = time.monotonic()
        params = {"q": word} | ({"cursor": cursor} if cursor else {})
        answer = self.user.http.get(self.user.rig.url + "/v1/search", params=params, timeout=30)
        answer.raise_for_status()
        return (time.monotonic() - begin) * 1_000, answer.json()

    def first_pages(self, word, seconds):
        """Milliseconds of each."""
        end, taken = time.monotonic() + seconds, []
        while time.monotonic() < end:
            taken.append(self.page(word)[0])
        return sorted(taken)

    def whole(self, word):
        """Milliseconds of each page up to the end, and how many entries were found."""
        taken, found, cursor = [], 0, None
        while not taken or cursor:
            milliseconds, page = self.page(word, cursor)
            taken.append(milliseconds)
            found += len(page["items"])
            cursor = page["next_cursor"]
        return taken, found


def shown(taken):
    return {"pages": len(taken), "p50_ms": taken[len(taken) // 2], "p99_ms": taken[min(len(taken) - 1, len(taken) * 99 // 100)]}


def measure(rig, process, diary, seconds, listing):
    rows = []

    def add(act, **figures):
        rows.append({"diary": diary.name, "act": act, **figures})
        print(f"{diary.name:42} {act:34} " + "  ".join(f"{name} {value:,.1f}" for name, value in figures.items()), flush=True)

    diary.page(RARE)
    before = process.megabytes("VmRSS")
    for name, word in (("full at once", COMMON), ("all is searched", RARE)):
        add(f"first page, {name}", **shown(diary.first_pages(word, seconds)))
    taken, found = diary.whole(RARE)
    assert found == 1, found
    add("whole search", pages=len(taken), sum_ms=sum(taken), longest_ms=max(taken))
    alone = wrk(rig.url, listing, seconds, rig.folder)["per_second"]
    with ThreadPoolExecutor(1) as pool:
        beside = pool.submit(wrk, rig.url, listing, seconds + 1, rig.folder)
        taken = diary.first_pages(RARE, seconds)
        add(f"first page beside {CONNECTIONS} that list", **shown(taken))
        add("lists beside it", per_second=beside.result()["per_second"], alone=alone, share=beside.result()["per_second"] / alone)
    add("memory, MB", before=before, after=process.megabytes("VmRSS"), most=process.megabytes("VmHWM"))
    return rows


def main():
    options = arguments()
    rig = Rig(DIARY_LOG_LEVEL="error", DIARY_RATE_FACTOR="1000000", **AS_SHIPPED)
    try:
        lister = rig.user()
        for number in range(200):
            lister.create_text("The quiet river went by. " * 40, title=f"Day {number}")
        diaries = [Diary(rig, 3_650, 1_000, False), Diary(rig, 20_000, 1_000, False), Diary(rig, options.meetings, 100_000, True)]
        rig.postgres.sql("diary", "vacuum analyze")
        rig.stop("serve")
        rig.start("serve")
        process = Process(rig.processes["serve"].pid)
        listing = lua("GET", "/v1/entries", [lister.tokens["access_token"]])
        rows = [row for diary in diaries for row in measure(rig, process, diary, options.seconds, listing)]
        if options.json:
            with open(options.json, "w", encoding="utf-8") as file:
                json.dump(rows, file, indent=1)
    finally:
        rig.end()


if __name__ == "__main__":
    main()
