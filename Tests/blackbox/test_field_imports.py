"""Imports of zips with the habits of other programs: Day One of several versions, editors, PowerShell, the Finder, zip programs of Windows.

Every entry with readable words or a recording is imported, whatever stands beside them, and what was left out is in the report. A zip
that is dangerous stays refused."""

import io
import json
import secrets
import uuid
import zipfile

import pytest

from test_hostile_zips import entry_of_ours, recording_of_ours
from user import SAMPLE, sha256
from whole_diary import entries_of
from zips import day_one_entry, imported, report, voice_entry

BOM = b"\xef\xbb\xbf"
NAN, INFINITY = float("nan"), float("inf")
WORDS = "Rain on the roof."
AT = "2019-03-01T21:30:00.000Z"

MEMBERS = {
    "starred is one": {"starred": 1},
    "starred is text": {"starred": "true"},
    "starred is null": {"starred": None},
    "starred is an object": {"starred": {"value": True}},
    "flags of the day are numbers": {"isAllDay": 0, "isPinned": 1},
    "tags with null": {"tags": ["sea", None]},
    "tags with numbers": {"tags": ["sea", 2019, 1.5]},
    "tags with objects": {"tags": ["sea", {"name": "walk"}, ["list"]]},
    "tags with an empty one": {"tags": ["sea", "", "  "]},
    "tags are null": {"tags": None},
    "tags are text": {"tags": "sea, walk"},
    "tags are an object": {"tags": {"0": "sea"}},
    "audios with null": {"audios": [None]},
    "audios are null": {"audios": None},
    "audios are an object": {"audios": {}},
    "audios are empty objects": {"audios": [{}, {"md5": None, "identifier": None}]},
    "audios are texts": {"audios": ["a.m4a"]},
    "photos are null": {"photos": None, "videos": None, "pdfAttachments": None},
    "photos with null": {"photos": [None, {"md5": 5, "type": None}]},
    "photos are text": {"photos": "none"},
    "a time zone that nobody knows": {"timeZone": "Mars/Olympus"},
    "a time zone by its distance": {"timeZone": "GMT+0200"},
    "a time zone that is a number": {"timeZone": 3600},
    "a time zone that is null": {"timeZone": None},
    "a time zone that is an object": {"timeZone": {"name": "Europe/Berlin"}},
    "weather without measures": {"weather": {"temperatureCelsius": NAN, "pressureMB": INFINITY, "windSpeedKPH": -INFINITY}},
    "weather is text": {"weather": "sunny"},
    "weather is a list": {"weather": [None]},
    "a place without coordinates": {"location": {"latitude": NAN, "longitude": NAN, "region": None}},
    "a place is false": {"location": False},
    "editing time is none": {"editingTime": NAN, "duration": "0"},
    "activity is broken": {"userActivity": {"activityName": 5, "stepCount": "many", "ignoreStepCount": 0}},
    "the date of the change is null": {"modifiedDate": None},
    "the date of the change is a number": {"modifiedDate": 1551475800},
    "the date of the change is none": {"modifiedDate": "yesterday"},
    "members of a later version": {"creationOSVersion": 19, "sourceString": {"a": [1, None]}, "entryType": 3, "prompt": {"id": 1}},
    "the device is null": {"creationDevice": None, "creationDeviceType": 7, "creationDeviceModel": []},
    "an id in lower case with hyphens": {"uuid": str(uuid.uuid4())},
    "no id": {"uuid": None},
    "an id of another form": {"uuid": "entry-17"},
    "rich text is a number": {"richText": 5},
    "rich text breaks off": {"richText": '{"contents":[{"text":"Rain'},
    "rich text is an object": {"richText": {"contents": []}},
    "a date with thousandths": {"creationDate": "2019-03-01T21:30:00.000Z"},
    "a date with millionths": {"creationDate": "2019-03-01T21:30:00.000000Z"},
    "a date with a distance": {"creationDate": "2019-03-01T22:30:00+01:00"},
    "a date with a distance without a colon": {"creationDate": "2019-03-01T22:30:00+0100"},
    "a date with a space": {"creationDate": "2019-03-01 21:30:00Z"},
    "a date in seconds": {"creationDate": 1551475800},
    "a date in seconds with a fraction": {"creationDate": 1551475800.0},
    "a date in thousandths of seconds": {"creationDate": 1551475800000},
    "null for every optional member": {
        name: None
        for name in ("modifiedDate", "timeZone", "starred", "duration", "isAllDay", "tags", "location", "weather", "music", "photos")
    },
}
"""Of an entry beside its words."""

LOSES = {
    "starred is an object": None,
    "tags with null": None,
    "tags with numbers": {"2019", "1.5"},
    "tags with objects": {"walk", "list"},
    "tags are text": {"sea, walk", "walk"},
    "tags are an object": {"sea"},
    "audios with null": None,
    "audios are empty objects": None,
    "audios are texts": None,
    "photos with null": None,
}
"""Members that are not as expected: a line of the report says so, unless their value was kept, as one of these tags."""

TEXTS = {
    "half a character": ("Rain \\ud83d on the roof.", ("Rain ", " on the roof.")),
    "the other half of a character": ("Rain\\ude00 on the roof.", ("Rain", " on the roof.")),
    "half a character at the end": ("Rain on the roof.\\ud83d", ("Rain on the roof.",)),
    "an escaped zero": ("Rain \\u0000on the roof.", ("Rain ", "on the roof.")),
    "escaped control characters": ("Rain\\u0007\\u001b on\\u000b the roof.", ("Rain", " on", " the roof.")),
    "a raw tab": ("Rain\ton the roof.", ("Rain", "on the roof.")),
    "raw line ends": ("Rain\r\non the roof.", ("Rain", "on the roof.")),
    "a raw control character": ("Rain \x0con the roof.", ("Rain ", "on the roof.")),
    "separators of lines": ("Rain\\u2028on\\u2029the roof.", ("Rain", "on", "the roof.")),
    "a character that is none": ("Rain \\uffff on the roof.", ("Rain ", " on the roof.")),
    "an object in place of a picture": ("Rain \\ufffc on the roof.", ("Rain ", " on the roof.")),
    "a byte of Latin-1": ("Rain on the roof, caf\udce9.", ("Rain on the roof, caf",)),
}
"""Words as they stand in the list, and what is read of them whatever becomes of the flaw."""


@pytest.fixture(scope="module")
def user(shared_rig):
    return shared_rig.user()


def entry(**members):
    return day_one_entry(
        **{"creationDate": AT.replace(".000", ""), "timeZone": "UTC", "text": WORDS, "uuid": uuid.uuid4().hex.upper(), **members}
    )


def listed(*entries, **members):
    """Half a character stands as an escape, as Apple's programs write it."""
    return json.dumps({"metadata": {"version": "1.0"}, "entries": entries, **members}).encode()


def packed(*members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            info = zipfile.ZipInfo("x", (2020, 1, 1, 0, 0, 0))
            # Set afterwards: zipfile cuts names at a zero and turns separators.
            info.filename, info.compress_type = name, zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return out.getvalue()


def recording():
    """An entry of Day One with words and a recording of its own, which no other entry has; the recording's name; its bytes."""
    name, audio = secrets.token_hex(16), SAMPLE.read_bytes() + secrets.token_bytes(16)
    spoken, _ = voice_entry(name, text=WORDS, uuid=uuid.uuid4().hex.upper())
    return spoken, name, audio


def came(user, given):
    """An entry of Day One as it is shown."""
    return user.entry(str(uuid.UUID(given["uuid"])))


@pytest.mark.parametrize("name", MEMBERS)
def test_words_are_imported_whatever_stands_beside_them(user, name):
    mark, before, after = secrets.token_hex(4), entry(), entry()
    given = entry(text=f"{WORDS} {mark}", **MEMBERS[name])
    made = imported(user, packed(("Journal.json", listed(before, given, after))))
    lines = report(user, made["id"])
    assert (made["counts"]["created"], made["counts"]["failed"]) == (3, 0), (name, made, lines)
    shown = next(one for one in entries_of(user) if mark in one["text"]) if "uuid" in MEMBERS[name] else came(user, given)
    assert shown["text"] == f"{WORDS} {mark}", name
    assert shown["recorded_at"] == AT, name
    if isinstance(MEMBERS[name].get("tags"), list):
        assert "sea" in shown["tags"], name
    if name in LOSES:
        assert lines or (LOSES[name] or set()) & set(shown["tags"]), f"{name}: nothing says what was left out"


@pytest.mark.parametrize("value", [1, "true", "1"], ids=["one", "text", "text of one"])
def test_a_star_in_another_form_is_kept_or_its_loss_is_said(user, value):
    given = entry(starred=value)
    made = imported(user, packed(("Journal.json", listed(given))))
    assert made["counts"]["created"] == 1, (value, made)
    assert came(user, given)["favorite"] or report(user, made["id"]), value


@pytest.mark.parametrize("name", TEXTS)
def test_a_flaw_in_the_words_does_not_cost_the_rest_of_them(user, name):
    written, pieces = TEXTS[name]
    given, after = entry(text="@"), entry()
    content = listed(given, after).replace(b'"@"', b'"' + written.encode("utf-8", "surrogateescape") + b'"')
    made = imported(user, packed(("Journal.json", content)))
    assert (made["counts"]["created"], made["counts"]["failed"]) == (2, 0), (name, made, report(user, made["id"]))
    shown = came(user, given)["text"]
    assert all(piece.strip() in shown for piece in pieces), (name, shown)


def test_words_that_stand_in_the_rich_text_alone_are_imported(user):
    given = entry(richText=json.dumps({"contents": [{"text": WORDS, "attributes": {}}], "meta": {"version": 1, "created": {}}}))
    del given["text"]
    made = imported(user, packed(("Journal.json", listed(given))))
    assert made["counts"]["created"] == 1, (made, report(user, made["id"]))
    assert WORDS in came(user, given)["text"]


AUDIO_MEMBERS = {
    "null stands beside it": {},
    "its length is text": {"duration": "2.5"},
    "its length is none": {"duration": NAN},
    "its length is null": {"duration": None},
    "its length is an object": {"duration": {}},
    "its sizes are texts": {"fileSize": "12345", "sampleRate": "44.1", "orderInEntry": "0"},
    "its date is null": {"date": None, "creationDate": None},
    "a member of a later version": {"transcription": {"text": 5}, "favorite": 0},
    "its channels are a number": {"audioChannels": 1, "recordingDevice": None, "title": 7},
    "its form in capitals": {"format": "AAC"},
    "its form is null": {"format": None},
    "its identifier is null": {"identifier": None},
}


@pytest.mark.parametrize("name", AUDIO_MEMBERS)
def test_a_recording_is_imported_whatever_is_said_of_it(user, name):
    given, file, audio = recording()
    given["audios"][0].update(AUDIO_MEMBERS[name])
    if not AUDIO_MEMBERS[name]:
        given["audios"].insert(0, None)
    made = imported(user, packed(("Journal.json", listed(given)), (f"audios/{file}.m4a", audio)))
    assert (made["counts"]["created"], made["counts"]["failed"]) == (1, 0), (name, made, report(user, made["id"]))
    shown = came(user, given)
    assert (shown["kind"], shown["text"], shown["size_bytes"]) == ("voice", WORDS, len(audio)), (name, report(user, made["id"]))


def appended(content, what):
    """The list with more behind its last entry."""
    end = content.rindex(b"]")
    return content[:end] + what + content[end:]


def indented(*entries):
    text = json.dumps({"metadata": {"version": "1.0"}, "entries": entries}, indent=2)
    return text.replace("\n", "\r\n").encode()


LISTS = {
    "a byte order mark": lambda a, b: BOM + listed(a, b),
    "a byte order mark and lines of Windows": lambda a, b: BOM + indented(a, b),
    "a byte order mark and a line end": lambda a, b: BOM + b"\r\n" + listed(a, b) + b"\r\n",
    "a comma after the last entry": lambda a, b: appended(listed(a, b), b",\n"),
    "an unknown list before the entries": lambda a, b: json.dumps({"journals": [{"entries": [1]}, None], "entries": [a, b]}).encode(),
    "metadata are null": lambda a, b: listed(a, b, metadata=None),
    "metadata are text": lambda a, b: listed(a, b, metadata="1.0"),
    "a version that is a number": lambda a, b: listed(a, b, metadata={"version": 1.0, "exported": NAN}),
    "no metadata": lambda a, b: json.dumps({"entries": [a, b]}).encode(),
    "half a character in the metadata": lambda a, b: listed(a, b, metadata={"journalName": "Trip \ud83d"}),
    "a member twice in an entry": lambda a, b: listed({**a, "@": 0}, b).replace(b'"@": 0', b'"starred": false'),
    "a member twice in the weather": lambda a, b: listed({**a, "weather": "@"}, b).replace(b'"@"', b'{"code": "rain", "code": "rain"}'),
    "a slash escaped": lambda a, b: listed(a, b, url="https://a/b").replace(b"/", b"\\/"),
}
"""The bytes of the list; both entries are good and both are imported."""


@pytest.mark.parametrize("name", LISTS)
def test_a_list_is_read_whatever_program_wrote_it(user, name):
    given = [entry(), entry()]
    made = imported(user, packed(("Journal.json", LISTS[name](*given))))
    assert (made["counts"]["created"], made["counts"]["failed"]) == (2, 0), (name, made, report(user, made["id"]))
    assert [came(user, one)["text"] for one in given] == [WORDS, WORDS], name


BROKEN = {
    "null": b"null",
    "a number": b"17",
    "a text": b'"entry"',
    "a list": b"[]",
    "an empty object": b"{}",
    "a member without a value": b'{"uuid": "A", "text": }',
    "a word that is none": b'{"uuid": "A", "starred": yes, "tags": ["a" "b"]}',
}


@pytest.mark.parametrize("name", BROKEN)
def test_entries_around_one_that_is_broken_are_imported_and_the_report_has_it(user, name):
    given = [entry(), entry()]
    content = listed(given[0], "@", given[1]).replace(b'"@"', BROKEN[name])
    made = imported(user, packed(("Journal.json", content)))
    assert made["counts"]["created"] == 2, (name, made, report(user, made["id"]))
    assert made["counts"]["failed"] + made["counts"]["skipped"] == 1 and report(user, made["id"]), name


def spoken_zip(form):
    """`form` is given the list and the recording's name and bytes, and says the members."""
    given, file, audio = recording()
    return given, audio, packed(*form(listed(given), file, audio))


FINDER = b"\0\5\x16\7\0\2\0\0Mac OS X        "
LAYOUTS = {
    "all in a folder": lambda text, file, audio: [("Journal/Journal.json", text), (f"Journal/audios/{file}.m4a", audio)],
    "in a folder with a blank": lambda text, file, audio: [("Export 2 (1)/Journal.json", text), (f"Export 2 (1)/audios/{file}.m4a", audio)],
    "in two folders": lambda text, file, audio: [("Day One/Export/Journal.json", text), (f"Day One/Export/audios/{file}.m4a", audio)],
    "packed again by the Finder": lambda text, file, audio: [
        ("Journal/", b""),
        ("Journal/Journal.json", text),
        ("__MACOSX/Journal/._Journal.json", FINDER),
        ("Journal/.DS_Store", b"\0\0\0\1Bud1"),
        ("__MACOSX/Journal/._.DS_Store", FINDER),
        ("Journal/audios/", b""),
        (f"Journal/audios/{file}.m4a", audio),
        (f"__MACOSX/Journal/audios/._{file}.m4a", FINDER),
    ],
    "what the Finder and Windows leave": lambda text, file, audio: [
        (".DS_Store", b"\0\0\0\1Bud1"),
        ("Thumbs.db", b"\xd0\xcf"),
        ("desktop.ini", b"[.ShellClassInfo]"),
        ("Journal.json", text),
        (f"audios/{file}.m4a", audio),
        (f"audios/._{file}.m4a", FINDER),
    ],
    "backslashes": lambda text, file, audio: [("Journal.json", text), ("photos\\a.jpeg", b"jpeg"), (f"audios\\{file}.m4a", audio)],
    "backslashes and a folder": lambda text, file, audio: [("Journal\\Journal.json", text), (f"Journal\\audios\\{file}.m4a", audio)],
    "the recording's ending in capitals": lambda text, file, audio: [("Journal.json", text), (f"audios/{file}.M4A", audio)],
    "the list's ending in capitals": lambda text, file, audio: [("Journal.JSON", text), (f"audios/{file}.m4a", audio)],
    "the list in small letters": lambda text, file, audio: [("journal.json", text), (f"audios/{file}.m4a", audio)],
    "the folder of recordings with a capital": lambda text, file, audio: [("Journal.json", text), (f"Audios/{file}.m4a", audio)],
    "a path that begins here": lambda text, file, audio: [("./Journal.json", text), (f"./audios/{file}.m4a", audio)],
    "another journal's name": lambda text, file, audio: [("Voyage à Köln 🚲.json", text), (f"audios/{file}.m4a", audio)],
    "a byte order mark": lambda text, file, audio: [("Journal.json", BOM + text), (f"audios/{file}.m4a", audio)],
}
"""Members of the zip."""


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_recording_and_the_words_are_found_wherever_a_program_packs_them(user, name):
    given, audio, content = spoken_zip(LAYOUTS[name])
    made = imported(user, content)
    assert (made["counts"]["created"], made["counts"]["failed"]) == (1, 0), (name, made, report(user, made["id"]))
    shown = came(user, given)
    assert (shown["kind"], shown["text"], shown["size_bytes"]) == ("voice", WORDS, len(audio)), (name, report(user, made["id"]))


def test_every_journal_of_a_zip_is_imported(user):
    journals = {name: entry() for name in ("Journal.json", "Travel.json", "Köln.json")}
    members = [(name, (BOM if name == "Travel.json" else b"") + listed(one)) for name, one in journals.items()]
    made = imported(user, packed(*members))
    assert (made["counts"]["created"], made["counts"]["failed"]) == (3, 0), (made, report(user, made["id"]))
    assert [came(user, one)["text"] for one in journals.values()] == [WORDS] * 3


def manifest(*entries, **members):
    return json.dumps({"format": "diary-export", "format_version": 3, "entries": entries, "entry_count": len(entries), **members}).encode()


def own(form):
    """`form` is given the manifest and the recording's bytes, and says the members."""
    audio = SAMPLE.read_bytes() + secrets.token_bytes(16)
    given = recording_of_ours("audio/x.m4a", audio)
    given["layers"] = {"edited": WORDS}
    return given, audio, packed(*form(given, audio))


OWN = {
    "as it was made": lambda one, audio: [("audio/x.m4a", audio), ("manifest.json", manifest(one))],
    "a byte order mark": lambda one, audio: [("audio/x.m4a", audio), ("manifest.json", BOM + manifest(one))],
    "written anew by PowerShell": lambda one, audio: [
        ("audio/x.m4a", audio),
        ("manifest.json", BOM + json.dumps(json.loads(manifest(one)), indent=4).replace("\n", "\r\n").encode()),
    ],
    "packed again by the Finder": lambda one, audio: [
        ("diary/", b""),
        ("diary/manifest.json", manifest(one)),
        ("__MACOSX/diary/._manifest.json", FINDER),
        ("diary/.DS_Store", b"\0\0\0\1Bud1"),
        ("diary/audio/x.m4a", audio),
        ("__MACOSX/diary/audio/._x.m4a", FINDER),
    ],
    "packed again by an old zip program of Windows": lambda one, audio: [("manifest.json", manifest(one)), ("audio\\x.m4a", audio)],
    "members of a later version": lambda one, audio: [
        ("audio/x.m4a", audio),
        ("manifest.json", manifest({**one, "place": {"lat": 1.5}, "later": None}, generator={"version": 9})),
    ],
    "null for what it does not have": lambda one, audio: [
        ("audio/x.m4a", audio),
        ("manifest.json", manifest({**one, "title": None, "mood": None})),
    ],
}


@pytest.mark.parametrize("name", OWN)
def test_an_own_export_is_read_after_other_programs_had_it(user, name):
    given, audio, content = own(OWN[name])
    made = imported(user, content)
    assert (made["source"], made["counts"]["created"], made["counts"]["failed"]) == ("diary", 1, 0), (name, made, report(user, made["id"]))
    shown = user.entry(given["id"])
    assert (shown["kind"], shown["text"], shown["size_bytes"]) == ("voice", WORDS, len(audio)), (name, report(user, made["id"]))
    assert shown["sha256"] in (None, sha256(audio)), name


DANGEROUS = {
    "climbing out of a folder": ([("Journal/Journal.json", listed()), ("Journal/../../x", b"out")], "zip_unsafe"),
    "climbing by backslashes": ([("Journal.json", listed()), ("audios\\..\\..\\x", b"out")], "zip_unsafe"),
    "climbing by both": ([("Journal.json", listed()), ("audios\\../../x", b"out")], "zip_unsafe"),
    "a folder of the network": ([("Journal.json", listed()), ("\\\\server\\share\\x", b"out")], "zip_unsafe"),
    "a drive and backslashes": ([("Journal.json", listed()), ("C:\\x.json", b"out")], "zip_unsafe"),
    "a root by a backslash": ([("Journal.json", listed()), ("\\x.json", b"out")], "zip_unsafe"),
    "zeros behind a byte order mark": ([("Journal.json", BOM + bytes(40 << 20))], "zip_unsafe"),
    "a list that breaks off behind a byte order mark": ([("Journal.json", BOM + b'{"entries": [{"text": "')], "zip_unreadable"),
    "depth behind a comma": ([("Journal.json", b'{"entries": [{},' + b"[" * 100_000)], "zip_unreadable"),
    "nothing but a byte order mark": ([("Journal.json", BOM)], "zip_unreadable"),
}


@pytest.mark.parametrize("name", DANGEROUS)
def test_what_is_dangerous_stays_refused(user, name):
    members, code = DANGEROUS[name]
    assert imported(user, packed(*members), "failed")["code"] == code, name


def test_words_stand_beside_a_recording_that_leads_elsewhere(user):
    given, _, audio = recording()
    given["audios"][0]["md5"] = "..\\..\\etc\\passwd"
    made = imported(user, packed(("Journal.json", listed(given)), ("photos/passwd.m4a", audio)))
    assert made["counts"]["created"] == 1 and came(user, given)["kind"] == "text"
    assert "file_missing" in [line["code"] for line in report(user, made["id"])]


def test_26_place_and_weather_are_left_out_without_a_line(user):
    place = {"latitude": 48.1, "longitude": 11.6, "placeName": "Lake Starnberg"}
    given = entry(location=place, weather={"temperatureCelsius": 21.5, "conditionsDescription": "Sunny"}, userActivity={"stepCount": 812})
    made = imported(user, packed(("Journal.json", listed(given))))
    assert made["counts"] == {"created": 1, "unchanged": 0, "skipped": 0, "failed": 0} and report(user, made["id"]) == []
    assert came(user, given)["text"] == WORDS and "Starnberg" not in json.dumps(came(user, given))


def test_entries_that_have_nothing_to_keep_make_none(user):
    given = [entry(text=""), entry(text=None, starred=1, tags=["sea", None]), entry(text=" \n", audios=[None], photos=[None])]
    made = imported(user, packed(("Journal.json", listed(*given))))
    assert made["counts"]["created"] == 0 and report(user, made["id"])
    assert made["counts"]["skipped"] + made["counts"]["failed"] == len(given)


def test_entries_of_ours_keep_strict_rules(user):
    """A manifest is this service's own: what is not as it writes it was changed."""
    made = imported(user, packed(("manifest.json", manifest(entry_of_ours(id="../../x"), entry_of_ours()))))
    assert (made["counts"]["created"], made["counts"]["failed"]) == (1, 1)
