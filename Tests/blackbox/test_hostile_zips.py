"""Zips that were made to harm their reader, or are broken: each is refused as a whole or item by item, and the worker goes on."""

import hashlib
import io
import json
import pathlib
import secrets
import struct
import uuid
import zipfile

import http_client
from processes import wait_for
from repetitions import LONG
from user import SAMPLE, sha256
from zips import day_one, day_one_entry, imported, report, send, shown, voice_entry

END = b"PK\x05\x06"


def base():
    return day_one([day_one_entry()])


def packed(members, method=zipfile.ZIP_DEFLATED, level=1):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in members:
            info = name if isinstance(name, zipfile.ZipInfo) else zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            info.compress_type = method
            archive.writestr(info, content, compresslevel=level)
    return out.getvalue()


def journal(text):
    return packed([("Journal.json", text)])


def with_name(name):
    """A good zip with one more member, whose name is written as these bytes."""
    holder = "x" * len(name)
    content = packed([("Journal.json", json.dumps({"entries": []})), (holder, b"out")])
    return content.replace(holder.encode(), name)


def patched(content, at, form, *values):
    out = bytearray(content)
    struct.pack_into(form, out, at, *values)
    return bytes(out)


def at_end(form, place, *values):
    content = base()
    return patched(content, content.rindex(END) + place, form, *values)


def at_directory(form, place, *values, content=None):
    content = content or base()
    return patched(content, content.rindex(b"PK\x01\x02") + place, form, *values)


def at_local(form, place, *values, content=None):
    content = content or base()
    return patched(content, content.index(b"PK\x03\x04") + place, form, *values)


def overlapping():
    """Two names for the same bytes."""
    content = packed([("Journal.json", json.dumps({"entries": []})), ("a.json", b"a" * 50)])
    second = content.rindex(b"PK\x01\x02")
    return patched(content, second + 42, "<I", 0)


def long_end(entries, length, start):
    """A ZIP64 end record that states these."""
    content = base()
    place = content.rindex(END)
    record = struct.pack("<4sQHHIIQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, entries, entries, length, start)
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, place, 1)
    return content[:place] + record + locator + content[place:]


def huge():
    """A member that claims 1 TiB."""
    content = packed([("Journal.json", json.dumps({"entries": []})), ("audios/x.m4a", b"x")])
    at = content.rindex(b"PK\x01\x02")
    name = struct.unpack_from("<H", content, at + 28)[0]
    out = bytearray(patched(content, at + 24, "<I", 0xFFFFFFFF))
    out = bytearray(patched(bytes(out), at + 30, "<H", 12))
    out[at + 46 + name : at + 46 + name] = struct.pack("<HHQ", 1, 8, 1 << 40)
    end = out.rindex(END)
    length = struct.unpack_from("<I", out, end + 12)[0]
    return patched(bytes(out), end + 12, "<I", length + 12)


def linked():
    info = zipfile.ZipInfo("Journal.json")
    info.create_system, info.external_attr = 3, 0o120777 << 16
    return packed([(info, "/etc/passwd")], zipfile.ZIP_STORED)


def broken_stream():
    content = bytearray(base())
    start = 30 + struct.unpack_from("<H", content, 26)[0]
    content[start + 40 : start + 60] = b"\xff" * 20
    return bytes(content)


def element(text):
    return journal('{"entries": [' + text + "]}")


def rare(made):
    """With `DIARY_TIMES=1`: a debug build reads 26 MiB twice, and JSONListReaderTests shows the same with a hundred bytes."""
    return {name: make() for name, make in made.items()} if LONG else {}


UNREADABLE, UNSAFE, UNKNOWN, LARGE = "zip_unreadable", "zip_unsafe", "zip_unknown", "zip_too_large"


def all_refused():
    """Zips and the code of each. Made when they are sent: every process that lists tests reads this file."""
    return {
        "one byte": (b"P", UNREADABLE),
        "noise": (hashlib.sha256(b"noise").digest() * 100, UNREADABLE),
        "an end record alone": (END + bytes(18), UNKNOWN),
        "the first half": (base()[: len(base()) // 2], UNREADABLE),
        "without its end": (base()[:-30], UNREADABLE),
        "without its beginning": (base()[100:], UNREADABLE),
        "bytes after its end": (base() + b"more", UNREADABLE),
        "bytes before its beginning": (b"MZ" + base(), UNREADABLE),
        "two end records": (at_end("<H", 20, 22) + END + bytes(18), UNSAFE),
        "more members than it has": (at_end("<HH", 8, 9, 9), UNREADABLE),
        "fewer members than it has": (at_end("<HH", 8, 0, 0), UNREADABLE),
        "several disks": (at_end("<HH", 4, 1, 1), UNREADABLE),
        "members on another disk": (at_directory("<H", 34, 3), UNREADABLE),
        "a shorter directory": (at_end("<I", 12, 20), UNREADABLE),
        "a directory elsewhere": (at_end("<I", 16, 5), UNREADABLE),
        "a directory behind the end": (at_end("<I", 16, 0x7FFFFFFF), UNREADABLE),
        "a thousand million members": (long_end(1 << 30, 1 << 40, 0), UNSAFE),
        "as many members as there are numbers": (long_end((1 << 64) - 1, (1 << 64) - 1, (1 << 64) - 1), UNSAFE),
        "a ZIP64 directory elsewhere": (long_end(1, 10, 0), UNREADABLE),
        "a member behind the end": (at_directory("<I", 42, 0x7FFFFFFF), UNREADABLE),
        "a climbing name": (with_name(b"../../x"), UNSAFE),
        "a climbing name further on": (with_name(b"audios/../../x"), UNSAFE),
        "an absolute name": (with_name(b"/etc/passwd"), UNSAFE),
        "backslashes": (with_name(b"..\\..\\x"), UNSAFE),
        "a drive": (with_name(b"C:/x.json"), UNSAFE),
        "a zero in a name": (with_name(b"a\0b.json"), UNSAFE),
        "a line end in a name": (with_name(b"a\nb.json"), UNSAFE),
        "a name that turns round": (with_name("a\u202eb".encode()), UNSAFE),
        "a name that is no UTF-8": (with_name(b"a\xff\xfe.json"), UNREADABLE),
        "a very long name": (with_name(b"n" * 2_000), UNSAFE),
        "two members of one name": (with_name(b"Journal.json"), UNSAFE),
        "members that share bytes": (overlapping(), UNSAFE),
        "a tebibyte": (huge(), UNSAFE),
        "zeros, packed a thousandfold": (packed([("Journal.json", bytes(40 << 20))], level=6), UNSAFE),
        "a zip in a zip": (packed([("inner.zip", base())]), UNKNOWN),
        "a longer list than it says": (at_directory("<I", 24, 10), UNREADABLE),
        "a shorter list than it says": (at_directory("<I", 24, 100_000), UNREADABLE),
        "a wrong checksum": (at_directory("<I", 16, 0xDEADBEEF), UNREADABLE),
        "an encrypted list": (at_directory("<H", 8, 1), UNREADABLE),
        "another way of packing": (at_directory("<H", 10, 12), UNREADABLE),
        "a link for a list": (linked(), UNREADABLE),
        "another name before the bytes": (at_local("<4s", 30, b"Xour"), UNREADABLE),
        "no header before the bytes": (at_local("<4s", 0, b"XXXX"), UNREADABLE),
        "a broken stream": (broken_stream(), UNREADABLE),
        "a list that breaks off": (journal('{"entries": [{"uuid": "'), UNREADABLE),
        "a list that is an array": (journal("[]"), UNREADABLE),
        "two lists": (journal('{"entries": [], "entries": []}'), UNREADABLE),
        "a list without commas": (element("{} {}"), UNREADABLE),
        "depth": (element("[" * 100_000), UNREADABLE),
        "a list of 40 MiB in a hundredth of that": (element('{"text": "' + secrets.token_hex(500) * 41_000 + '"}'), UNSAFE),
        **rare(
            {
                "a list that breaks off in an element of 26 MiB": lambda: (
                    journal('{"entries": [{"text": "' + secrets.token_hex(13 << 20)),
                    UNREADABLE,
                )
            }
        ),
        "more entries than allowed": (element(",".join(["1"] * 100_001)), LARGE),
        "a manifest of a later version": (packed([("manifest.json", '{"format_version": 99, "entries": []}')]), UNKNOWN),
        "a manifest without entries": (packed([("manifest.json", '{"format_version": 3}')]), UNKNOWN),
        "a table": (packed([("diary.csv", "date,text\n")]), UNKNOWN),
    }


def entry_of_ours(**members):
    return {
        "id": str(uuid.uuid4()),
        "kind": "text",
        "recorded_at": "2026-03-01T12:00:00.000Z",
        "time_zone": "UTC",
        "layers": {"edited": "words"},
        "tags": [],
        "files": [],
        "gaps": [],
        **members,
    }


def ours(*entries, files=None):
    manifest = {"format": "diary-export", "format_version": 3, "entries": entries, "entry_count": len(entries)}
    return packed([*(files or {}).items(), ("manifest.json", json.dumps(manifest))])


def recording_of_ours(path="audio/x.m4a", audio=b"", **file):
    audio = audio or SAMPLE.read_bytes()
    facts = {"path": path, "role": "audio", "source": "original", "size": len(audio), "sha256": sha256(audio), **file}
    recording = {"content_type": "audio/mp4", "size_bytes": len(audio), "kept": True}
    return entry_of_ours(kind="voice", layers={}, files=[facts], recording=recording)


def all_failed():
    """Zips with one entry that is not imported, and the code of each."""
    return {
        "an element that is no object": (element("1"), "invalid_entry"),
        "an element that is nothing": (element("null"), "invalid_entry"),
        "a text without end": (day_one([day_one_entry(text="long " * 60_000)]), "text_too_long"),
        **rare({"an element of 26 MiB": lambda: (element('{"text": "' + secrets.token_hex(13 << 20) + '"}'), "entry_too_large")}),
        "a million little things": (element(f"[{','.join(map(str, range(1_100_000)))}]"), "entry_too_large"),
        "no id": (ours(entry_of_ours(id="../../x")), "invalid_entry"),
        "a title without end": (ours(entry_of_ours(title="t" * 201)), "invalid_entry"),
        "a version that overflows": (ours(entry_of_ours(versions={"personal": (1 << 63) - 1, "machine": 1})), "invalid_entry"),
        "a time of a segment that is no number": (
            ours(entry_of_ours(kind="voice", segments=[{"id": 1, "start": -1, "end": 1e300, "words": []}])),
            "invalid_entry",
        ),
        "segments of one id": (
            ours(entry_of_ours(kind="voice", segments=[{"id": 1, "start": 0, "end": 1, "words": []}] * 2)),
            "invalid_entry",
        ),
        "corrections without end": (
            ours(
                entry_of_ours(
                    kind="voice",
                    segments=[
                        {"id": n, "start": n, "end": n, "words": [], "corrected_text": secrets.token_hex(49_500)} for n in range(1, 12)
                    ],
                )
            ),
            "text_too_long",
        ),
        "a file outside": (ours(recording_of_ours("../../../etc/passwd")), "file_missing"),
        "a file that is not there": (ours(recording_of_ours()), "file_missing"),
        "another digest": (ours(recording_of_ours(sha256="0" * 64), files={"audio/x.m4a": SAMPLE.read_bytes()}), "file_damaged"),
        "another size": (ours(recording_of_ours(size=5), files={"audio/x.m4a": SAMPLE.read_bytes()}), "file_damaged"),
        "an empty recording": (ours(recording_of_ours(size=0, sha256=sha256(b"")), files={"audio/x.m4a": b""}), "file_damaged"),
        "a recording that is none of ours": (
            ours({**recording_of_ours(), "recording": {"content_type": "video/x-unknown", "size_bytes": 5, "kept": True}}),
            "recording_not_supported",
        ),
    }


def test_zips_that_are_no_diaries_are_refused_and_the_worker_goes_on(rig):
    """Row 6: at least 40 zips, and nothing of them is left."""
    user = rig.user()
    worker = rig.processes["work"]
    refused, failed = all_refused(), all_failed()
    sent = {name: send(user, content) for name, (content, _) in {**refused, **failed}.items()}

    def ended():
        states = {name: shown(user, import_id) for name, import_id in sent.items()}
        return states if all(s["status"] in ("finished", "failed") for s in states.values()) else None

    states = wait_for(ended, 120, "the end of all imports")
    wrong = {n: (states[n]["status"], states[n]["code"], code) for n, (_, code) in refused.items() if states[n]["code"] != code}
    assert wrong == {}
    reports = {name: [i["code"] for i in report(user, sent[name])] for name in failed}
    assert {n: reports[n] for n, (_, code) in failed.items() if reports[n] != [code]} == {}
    assert all(states[name]["counts"]["failed"] == 1 and states[name]["status"] == "finished" for name in failed)
    assert len(refused) + len(failed) >= 40
    print(f"row 6: {len(refused)} zips refused, {len(failed)} entries")
    assert worker.poll() is None and rig.processes["work"] is worker
    assert user.call("GET", "/v1/entries", 200).json()["items"] == []
    wait_for(lambda: rig.store.files_of(user.id) == [], 30, "the end of their objects")
    assert [p for p in (rig.folder / "tmp").rglob("*") if p.is_file() and p.suffix != ".lock"] == []
    status = pathlib.Path(f"/proc/{worker.pid}/status").read_text()
    peak = int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) // 1024
    assert peak < 600, peak
    # And what is good is imported.
    assert imported(user, base())["counts"]["created"] == 1


def test_an_entry_that_is_too_large_is_left_out_and_those_around_it_are_imported(rig):
    user = rig.user()
    # Above what is read of one element in either form: 24 MiB, with bytes that would end it if they were not in a string.
    padding = '"}], {' + secrets.token_hex(13 << 20)
    theirs = day_one([day_one_entry(1), day_one_entry(2, padding=padding), day_one_entry(3)])
    own = ours(entry_of_ours(), entry_of_ours(padding=padding), entry_of_ours())
    for content in (theirs, own):
        made = imported(user, content)
        assert made["counts"] == {"created": 2, "unchanged": 0, "skipped": 0, "failed": 1}
        assert made["progress"] == {"percent": 100, "entries": 3, "entries_total": 3}
        assert [(i["outcome"], i["code"], i["number"]) for i in report(user, made["id"])] == [("failed", "entry_too_large", 200)]
    assert len(user.call("GET", "/v1/entries", 200).json()["items"]) == 4


def test_a_recording_that_many_entries_name_is_stored_once(rig):
    user = rig.user()
    first, files = voice_entry("aa", uuid=uuid.uuid4().hex)
    first["audios"] *= 3
    others = [voice_entry("aa", uuid=uuid.uuid4().hex, text=text)[0] for text in ("", "Words beside it.") * 5]
    made = imported(user, day_one([first, *others], files))
    owner = str(uuid.UUID(first["uuid"]))
    assert made["counts"] == {"created": 6, "unchanged": 7, "skipped": 0, "failed": 0}
    assert {(i["outcome"], i["code"], i["entry_id"]) for i in report(user, made["id"])} == {("unchanged", "same_recording", owner)}
    assert len(report(user, made["id"])) == 12
    user.wait_done(owner)
    assert [e["id"] for e in user.call("GET", "/v1/entries", 200).json()["items"] if e["kind"] == "voice"] == [owner]
    wait_for(lambda: len(rig.store.files_of(user.id)) == 1, 20, "one recording alone")

    other, own = rig.user(), [recording_of_ours() for _ in range(4)]
    made = imported(other, ours(*own, files={"audio/x.m4a": SAMPLE.read_bytes()}))
    assert made["counts"] == {"created": 1, "unchanged": 3, "skipped": 0, "failed": 0}
    assert [(i["code"], i["entry_id"]) for i in report(other, made["id"])] == [("same_recording", own[0]["id"])] * 3


def test_the_stated_size_of_a_recording_that_is_gone_weighs_nothing(rig):
    user = rig.user()
    gone = entry_of_ours(kind="voice", layers={"raw": "words"}, recording={"content_type": "audio/mp4", "size_bytes": 1 << 53})
    assert imported(user, ours(gone))["counts"]["created"] == 1
    most = http_client.get(rig.url + "/v1/config", headers={"Diary-App": "my-day"}).json()["limits"]["audio_max_bytes"]
    assert user.entry(gone["id"])["size_bytes"] == most
    made = user.call("POST", "/v1/exports", 202, json={"from": "2026-01-01", "to": "2026-12-31", "mail": False}).json()
    assert rig.postgres.sql("diary", f"select cost < 1 from jobs where subject = '{made['id']}'") == [(True,)]


def test_words_stay_when_their_recording_is_missing_damaged_or_of_no_known_form(rig):
    user, sample = rig.user(), SAMPLE.read_bytes()
    heard = {"layers": {"raw": "Heard words.", "edited": "Written words."}, "title": "Walk", "tags": ["sea"]}
    missing, damaged, unknown = (recording_of_ours(path) | heard for path in ("audio/1.m4a", "audio/2.m4a", "audio/3.m4a"))
    damaged["files"][0]["sha256"] = "0" * 64
    unknown["recording"]["content_type"] = "audio/x-unknown"
    made = imported(user, ours(missing, damaged, unknown, files={"audio/2.m4a": sample, "audio/3.m4a": sample}))
    assert made["counts"] == {"created": 3, "unchanged": 0, "skipped": 0, "failed": 0}
    assert [(i["outcome"], i["code"], i["entry_id"], i["name"]) for i in report(user, made["id"])] == [
        ("failed", "file_missing", missing["id"], "audio/1.m4a"),
        ("failed", "file_damaged", damaged["id"], "audio/2.m4a"),
        ("failed", "recording_not_supported", unknown["id"], "audio/3.m4a"),
    ]
    for entry in (missing, damaged, unknown):
        shown = user.entry(entry["id"])
        assert (shown["kind"], shown["status"], shown["title"], shown["tags"]) == ("voice", "transcribed", "Walk", ["sea"])
        assert shown["text"] == "Written words." and shown["audio_removed_at"] is not None
    wait_for(lambda: rig.store.files_of(user.id) == [], 30, "the end of the zip, and nothing else")

    # An element of Day One with a recording whose bytes do not unpack, and one with words alone beside it.
    spoken, files = voice_entry("aa", text="Words beside it.")
    content = bytearray(day_one([spoken], files))
    place = content.index(sample[1_000:1_032])
    content[place : place + 8] = bytes(8)
    made = imported(user, bytes(content))
    assert made["counts"] == {"created": 1, "unchanged": 0, "skipped": 0, "failed": 0}
    assert [(i["outcome"], i["code"]) for i in report(user, made["id"])] == [("failed", "file_damaged")]
    shown = user.entry(str(uuid.UUID(spoken["uuid"])))
    assert (shown["kind"], shown["text"], shown["duration_s"]) == ("text", "Words beside it.", None)


def test_what_macos_packs_beside_a_journal_is_passed_over(rig):
    user = rig.user()
    content = io.BytesIO(day_one([day_one_entry()]))
    with zipfile.ZipFile(content, "a") as archive:
        archive.writestr("._Journal.json", b"\0\5\x16\7\0\2\0\0Mac OS X")
        archive.writestr("__MACOSX/._Journal.json", b"\0\5\x16\7\0\2\0\0Mac OS X")
    made = imported(user, content.getvalue())
    assert made["counts"]["created"] == 1
    assert report(user, made["id"]) == []


def test_attachments_under_names_that_lead_elsewhere_are_not_found(rig):
    user = rig.user()
    spoken, _ = voice_entry("../../../etc/passwd")
    made = imported(user, day_one([spoken]))
    assert made["counts"]["created"] == 1
    found = report(user, made["id"])
    assert [(i["outcome"], i["code"], i["name"]) for i in found] == [("failed", "file_missing", "../../../etc/passwd")]
    # Sealed in the database.
    rows = rig.postgres.sql("diary", f"select encode(name, 'escape') from import_items where import_id = '{made['id']}'")
    assert len(rows[0][0]) > 40 and "passwd" not in str(rows)
