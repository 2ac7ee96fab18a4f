"""G6: a zip beside the tables. Every column about an entry is in the manifest, with its value, or is named here with the reason why not."""

import base64
import datetime
import json
import secrets

import pytest

from export_reading import FORMATS, SCHEMA, exported
from html_reading import Page
from test_reprocess import reprocess
from test_suggestions import ANSWER

pytestmark = pytest.mark.any_store

SPOKEN = [
    {"text": "um we swam in the lake with Anna before breakfast", "speaker": "A", "confidence": 0.4},
    {"text": "and it was cold and then we drove home at three thirty", "speaker": "B"},
]

NOTE = {"id": "019a2b6e-5c10-7d21-9a3e-3c4d5e6f7081", "text": "Ask *Hannah*.", "at_s": 1.5, "created_at": "2026-03-01T12:00:30Z"}

ACCOUNT = "of the account whose zip it is, the same for all of it"
KEY = "how the row is sealed; the manifest has what it holds, opened"
OBJECT = "a name in the object store; the recording is in the zip under a name of its own"
UPLOAD = "how the recording was sent, which has no meaning once it has arrived"
GONE = "of a deleted entry; only entries that are there are exported"

LEFT_OUT = {
    **dict.fromkeys([f"{table}.{column}" for table in (
        "entries", "entry_segments", "segment_corrections", "entry_revisions", "entry_renditions") for column in ("tenant_id", "user_id")], ACCOUNT),
    **dict.fromkeys([f"{table}.key_id" for table in (
        "entries", "entry_segments", "segment_corrections", "entry_revisions", "entry_renditions")], KEY),
    **dict.fromkeys([f"{table}.entry_id" for table in (
        "entry_segments", "segment_corrections", "entry_revisions", "entry_renditions")], "the entry in which the manifest has the row"),
    "entry_renditions.is_heard": "which of the two engines hear",
    **dict.fromkeys(["entries.object_id", "entry_renditions.object_id"], OBJECT),
    **dict.fromkeys(["entries.part_upload", "entries.part_bytes"], UPLOAD),
    **dict.fromkeys(["entries.deleted_at", "entries.trash_ends_at"], GONE),
    "entries.label_hashes": "keyed hashes of tags, mood and metadata, made of these again",
    "entries.request_hash": "a keyed hash of the request that made the entry, by which a retry is recognised",
    "entries.recognise": "what its client asks of the recogniser while the recording is on its way",
    "entries.day_changed_at": "when an entry went to another day, by which older zips are ended",
    "segment_corrections.segments_version": "corrections of other segments than those that are there are not shown anywhere",
    "speech_parts.*": "what was heard of an unfinished recording; becomes its segments, and is gone then",
    "import_items.*": "what an import did with an entry of its zip; GET /v1/imports shows it",
    "usage_reservations.*": "what a running job may use of a limit; gone with the job",
}  # fmt: skip


def moment(text):
    return None if text is None else datetime.datetime.fromisoformat(text).astimezone(datetime.UTC)


def hexadecimal(text):
    return text and text.removeprefix("\\x")


def same(value):
    return value


def whole(*members):
    """A sealed column: the manifest has what it holds."""
    return lambda row, entry: all(member in entry for member in members)


def at(path, read=same, shown=same):
    def check(value, entry):
        found = entry
        for name in path.split("."):
            found = found.get(name) if found else None
        return read(value) == shown(found)

    return check


IN_MANIFEST = {
    "entries.id": at("id"),
    "entries.kind": at("kind"),
    "entries.status": at("status"),
    "entries.change_number": at("change_number"),
    "entries.recorded_at": at("recorded_at", moment, moment),
    "entries.time_zone": at("time_zone"),
    # Its fraction is that of `recorded_at`.
    "entries.recorded_local": at("local_time", lambda text: text[:19]),
    "entries.local_date": at("local_date"),
    "entries.created_at": at("created_at", moment, moment),
    "entries.updated_at": at("updated_at", moment, moment),
    "entries.duration_s": at("duration_s"),
    "entries.size_bytes": at("recording.size_bytes"),
    "entries.content_type": at("recording.content_type"),
    "entries.sha256": at("recording.sha256", hexadecimal),
    "entries.language": at("language"),
    "entries.uploaded_at": at("uploaded_at", moment, moment),
    "entries.favorite": at("favorite"),
    "entries.keep_audio": at("keep_audio"),
    "entries.on_device": lambda value, entry: value == (entry.get("audio") == "device"),
    "entries.audio_removed_at": at("audio_removed_at", moment, moment),
    "entries.personal": whole("title", "tags", "mood", "metadata", "notes", "layers", "answered_suggestions"),
    "entries.personal_version": at("versions.personal"),
    "entries.machine": whole("layers", "engines", "cleanup", "suggestions", "summary", "key_points"),
    "entries.machine_version": at("versions.machine"),
    "entries.rerun_from": at("requested_run.rerun_from"),
    "entries.asked_engine": at("requested_run.engine"),
    "entries.asked_language": at("requested_run.language"),
    # Of entries that have something to say about it; a finished one says nothing.
    "entries.stage": lambda value, entry: entry["status"] == "transcribed" or at("processing.stage")(value, entry),
    "entries.stage_attempt": lambda value, entry: "processing" not in entry or at("processing.attempt")(value, entry),
    "entries.stage_next_at": at("processing.next_attempt_at", moment, moment),
    "entries.stage_code": at("processing.code"),
    # Only while it waits.
    "entries.upload_expires_at": lambda value, entry: (
        entry["status"] != "awaiting_upload" or at("upload_expires_at", moment, moment)(value, entry)
    ),
    "entry_segments.sealed": whole("segments", "speakers"),
    "entry_segments.version": at("versions.segments"),
    "segment_corrections.sealed": lambda row, entry: any("corrected_text" in segment for segment in entry["segments"]),
    "segment_corrections.version": at("versions.corrections"),
    "segment_corrections.speaker_ids": lambda value, entry: value == [s["speaker_id"] for s in entry["speakers"] if "speaker_id" in s],
    "entry_revisions.sealed": lambda row, entry: all("text" in revision for revision in entry["revisions"]),
    "entry_revisions.layer": lambda value, entry: value in {revision["layer"] for revision in entry["revisions"]},
    "entry_revisions.number": lambda value, entry: value in {revision["number"] for revision in entry["revisions"]},
    "entry_revisions.created_at": lambda value, entry: moment(value) in {moment(r["replaced_at"]) for r in entry["revisions"]},
    "entry_renditions.size_bytes": at("recording.copy.size_bytes"),
    "entry_renditions.sha256": at("recording.copy.sha256", hexadecimal),
    "entry_renditions.removed_bytes": at("recording.kept", lambda bytes: bytes is None),
    "entry_renditions.waveform": lambda row, entry: len(base64.b64decode(entry["recording"]["waveform"])) == 800,
}


@pytest.fixture(scope="module")
def scene(shared_rig):
    """A user with an entry that has everything, a written one and one that waits for its recording."""
    rig = shared_rig
    slug = "whole-" + secrets.token_hex(3)
    rig.tenant(slug)
    rig.diary("tenant", "set", slug, "cleanup.extras=title,summary,key_points,suggestions")
    rig.wait_for_app(slug)
    rig.script("speech", segments=[{"text": "we swim", "speaker": "A"}])
    rig.script("clean", answer={"clean": "We swim."})
    user = rig.user(app=slug)
    audio = secrets.token_bytes(9_000)
    fields = {
        "title": "A *walk*",
        "tags": ["river"],
        "mood": "calm",
        "favorite": True,
        "keep_audio": True,
        "content_type": "audio/webm",
        "metadata": {"cue": "42"},
    }
    spoken = user.record(audio, **fields)
    user.wait_done(spoken)
    match = {"If-Match": "*"}
    user.call("PATCH", f"/v1/entries/{spoken}/segments/1", 200, json={"text": "We swam."}, headers=match)
    rig.script("speech", segments=SPOKEN)
    rig.script("clean", answer=ANSWER)
    reprocess(user, spoken, stage="transcribe")
    user.wait_done(spoken)
    user.call("PATCH", f"/v1/entries/{spoken}/segments/1", 200, json={"text": "We swam with Hannah."}, headers=match)
    speaker = user.call("POST", "/v1/speakers", 201, json={"name": "Dr. Brown"}).json()
    user.call("PATCH", f"/v1/entries/{spoken}/speakers", 200, json={"A": {"speaker_id": speaker["id"]}}, headers=match)
    user.call("POST", f"/v1/entries/{spoken}/suggestions", 200, json={"decline": {"title": ANSWER["title"]}})
    user.call("POST", f"/v1/entries/{spoken}/notes", 200, json=NOTE)
    for text in ("My first words", "My words"):
        user.call("PATCH", f"/v1/entries/{spoken}", 200, json={"text": text}, headers=match)
    written = user.create_text("Written by hand", recorded_at="2026-03-02T08:00:00Z", time_zone="Asia/Kathmandu")["entry_id"]
    waiting = user.create_voice(recorded_at="2026-03-03T08:00:00.5Z")["entry_id"]
    rig.unscript()
    return rig, user, {"spoken": spoken, "written": written, "waiting": waiting}, audio


def tables(rig):
    """The columns of each table about entries: those that name one."""
    rows = rig.postgres.sql(
        "diary",
        """
        select c.table_name, c.column_name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
        where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and (c.table_name = 'entries' or c.table_name in (
            select k.table_name from information_schema.columns k where k.table_schema = 'public' and k.column_name = 'entry_id'))
        """,
    )
    found = {}
    for table, column in rows:
        found.setdefault(table, []).append(column)
    # An export of one entry names it, and is no part of it.
    return {table: columns for table, columns in found.items() if table not in ("exports", "export_schedules")}


def test_g6_every_column_about_an_entry_is_in_the_manifest_or_left_out_for_a_reason(scene):
    rig, user, made, _ = scene
    zipped = exported(user)
    columns = tables(rig)
    known = set(IN_MANIFEST) | set(LEFT_OUT)
    named = {f"{table}.{column}" for table, all_of in columns.items() if f"{table}.*" not in LEFT_OUT for column in all_of}
    assert named - known == set(), "new columns: export them, or say here why not"
    assert {name for name in known if not name.endswith(".*")} - named == set(), "no such columns"
    assert not set(IN_MANIFEST) & set(LEFT_OUT)

    compared = set()
    for entry_id in made.values():
        entry = zipped.entries[entry_id]
        for table in columns:
            if f"{table}.*" in LEFT_OUT:
                continue
            key = "id" if table == "entries" else "entry_id"
            for (row,) in rig.postgres.sql("diary", f"select row_to_json(t) from {table} t where {key} = %s", entry_id):
                row = row if isinstance(row, dict) else json.loads(row)
                for column, value in row.items():
                    check = IN_MANIFEST.get(f"{table}.{column}")
                    # A text has no machine's part, and few entries have everything.
                    if check and (entry_id == made["spoken"] or f"{table}.{column}" not in ("entries.personal", "entries.machine")):
                        assert check(value, entry), (table, column, value, entry)
                        compared.add(f"{table}.{column}")
    assert compared == set(IN_MANIFEST)


def test_the_manifest_has_what_the_api_shows_and_more(scene):
    rig, user, made, audio = scene
    zipped = exported(user, formats=FORMATS, layer="raw")
    entry, shown = zipped.entries[made["spoken"]], user.entry(made["spoken"])
    assert "Hannah" in entry["layers"].pop("corrected")
    assert entry["layers"] == {"raw": shown["transcript_raw"], "clean": shown["transcript_clean"], "edited": "My words"}
    spoken = ["Dr. Brown: We swam with Hannah.", f"B: {SPOKEN[1]['text']}"]
    lines = ["A *walk*", "", shown["transcript_raw"], "", *spoken, "", "Notes:", "- 0:01 Ask *Hannah*.", ""]
    assert zipped.file(made["spoken"], "txt").decode() == "\n".join(lines)
    note = {"id": NOTE["id"], "text": NOTE["text"]}
    assert entry["notes"] == [{**note, "at": 1.5, "created_at": "2026-03-01T12:00:30.000Z"}]
    assert {(r["layer"], r["text"]) for r in entry["revisions"]} == {
        ("raw", "we swim"),
        ("clean", "We swim."),
        ("edited", "My first words"),
        ("corrected", "We swam."),
    }
    assert entry["suggestions"]["title"] == ANSWER["title"] and entry["answered_suggestions"] == [
        {"kind": "title", "text": ANSWER["title"].lower()}
    ]
    heard = user.call("GET", f"/v1/entries/{made['spoken']}/transcript", 200).json()
    assert [
        (s["id"], s["start"], s["end"], s.get("corrected_text", " ".join(w["text"] for w in s["words"]))) for s in entry["segments"]
    ] == [(s["id"], s["start"], s["end"], s["text"]) for s in heard["segments"]]
    assert [s["words"] for s in entry["segments"]] == [s["words"] for s in heard["segments"]]
    [profile] = user.call("GET", "/v1/speakers", 200).json()["items"]
    assert entry["speakers"] == [{"id": "A", "name": "Dr. Brown", "speaker_id": profile["id"]}, {"id": "B"}]
    peaks = user.call("GET", f"/v1/entries/{made['spoken']}/waveform", 200).json()["peaks"]
    assert list(base64.b64decode(entry["recording"]["waveform"])) == peaks
    # The copy is in the zip; the manifest has the original's digest too.
    assert zipped.file(made["spoken"], "audio") == b"m4a of " + audio
    assert entry["recording"]["sha256"] == shown["sha256"] and entry["recording"]["kept"]

    def transcript(form):
        return user.call("GET", f"/v1/entries/{made['spoken']}/transcript/file?format={form}", 200).content

    assert zipped.file(made["spoken"], "srt") == transcript("srt")
    assert zipped.file(made["spoken"], "transcript_json") == transcript("meeting")
    paragraphs = "## Transcript\n\n**Dr. Brown:** We swam with Hannah.\n\n**B:** " + SPOKEN[1]["text"]
    words, mark, notes = transcript("md&layer=raw").decode().partition("\nNotes:\n")
    assert zipped.file(made["spoken"], "md").decode() == f"{words}\n{paragraphs}\n{mark}{notes}"
    metadata = json.loads(zipped.file(made["spoken"], "metadata_json"))
    assert metadata == {
        "id": made["spoken"],
        "title": "A *walk*",
        "date": "2026-03-01T12:00:00Z",
        "duration": shown["duration_s"],
        "fileSize": len(audio) + 7,
        "tags": ["river"],
        "metadata": {"cue": "42"},
        "speakers": [{"id": "speaker-1", "displayName": "Dr. Brown"}, {"id": "speaker-2", "displayName": "B"}],
        "notes": [{**note, "timestamp": 1.5, "createdAt": "2026-03-01T12:00:30Z"}],
        "lastModified": shown["updated_at"][:19] + "Z",
    }
    assert [(gap["missing"], gap["reason"]) for gap in zipped.entries[made["written"]]["gaps"]] == [
        ("txt", "layer_missing"),
        ("md", "layer_missing"),
    ]
    assert {(gap["missing"], gap["reason"]) for gap in zipped.entries[made["waiting"]]["gaps"]} == {
        ("audio", "not_arrived"),
        *((missing, "no_transcript") for missing in ("txt", "md", "srt", "transcript_json")),
    }
    Page(zipped.read("index.html").decode())


@pytest.mark.parametrize(
    ("locale", "language", "date", "tags"),
    [
        ("de-AT", "de", "1. März 2026", "Tags: See"),
        ("fr", "fr", "1er mars 2026", "Étiquettes\u00a0: See"),
        ("nl", "en", "1 March 2026", "Tags: See"),
    ],
)
def test_10_one_language_in_one_zip(shared_rig, locale, language, date, tags):
    user = shared_rig.user()
    user.call("PATCH", "/v1/me", 200, json={"locale": locale})
    entry = user.create_text("words", recorded_at="2026-03-01T12:00:00Z", time_zone="UTC", tags=["See"])["entry_id"]
    zipped = exported(user, formats=["md", "metadata_json"], include_audio=False)
    note = zipped.file(entry, "md").decode()
    heading = note.splitlines()[0]
    assert heading.startswith(f"# {date}, 12:00") and f"\n\n{tags}\n\n" in note
    assert f"# {json.loads(zipped.file(entry, 'metadata_json'))['title']}" == heading
    assert f'lang="{language}"' in zipped.read("index.html").decode()
    assert user.call("GET", f"/v1/entries/{entry}/transcript/file?format=md", 200).content.decode() == note


def test_20_a_text_of_a_zip_begins_with_its_title(rig):
    user = rig.user()
    titled = user.create_text("We swam.", title="Lake", recorded_at="2026-03-01T12:00:00Z")["entry_id"]
    untitled = user.create_text("We swam.", recorded_at="2026-03-02T12:00:00Z")["entry_id"]

    zipped = exported(user)

    assert (zipped.file(titled, "txt"), zipped.file(untitled, "txt")) == (b"Lake\n\nWe swam.\n", b"We swam.\n")
    for entry in (titled, untitled):
        assert user.call("GET", f"/v1/entries/{entry}/transcript/file?format=txt", 200).text == "We swam."


def test_the_form_of_the_manifest_is_published_where_the_manifest_says(scene):
    rig, user, _, _ = scene
    zipped = exported(user, include_audio=False)
    assert zipped.manifest["schema"] == f"{rig.url}/schemas/export-manifest-3.json"
    answer = user.call("GET", "/schemas/export-manifest-3.json", 200)
    assert answer.json() == SCHEMA and answer.headers["content-type"] == "application/schema+json"
    assert not any(name.startswith("audio/") for name in zipped.names)
