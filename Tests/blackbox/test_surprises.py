"""Surprises of the contract review, each mended or said."""

import datetime
import secrets
import uuid

import http_client
from contract import CONTRACT
from user import SAMPLE, sha256

NEXT = "another long passphrase 8"


def patch(user, entry_id, expect=200, **members):
    return user.call("PATCH", f"/v1/entries/{entry_id}", expect, json=members, headers={"If-Match": "*"}).json()


def test_2_refused_sign_ups_do_not_count(own_rig):
    own_rig.stop("serve")
    own_rig.start("serve", DIARY_RATE_FACTOR="1")

    def sign_up(expect, app="my-day", **body):
        body = {"email": f"{secrets.token_hex(8)}@example.org", "password": "seven quiet lighthouses", **body}
        answer = http_client.post(own_rig.url + "/v1/auth/email/register", json=body, headers={"Diary-App": app}, timeout=20)
        CONTRACT.check(answer)
        assert answer.status_code == expect, answer.text
        return answer

    for _ in range(6):
        assert '"register"' not in sign_up(422, password="short").headers["RateLimit"]
        assert '"register"' not in sign_up(400, app="no-such-app").headers["RateLimit"]
    left = [int(sign_up(202).headers["RateLimit"].split('"register";r=')[1].split(";")[0]) for _ in range(10)]
    assert left == list(range(9, -1, -1))
    assert sign_up(429).json()["code"] == "rate_limited"
    # Nothing is looked at behind the limit but the form, and that as often as a sign-in.
    sign_up(422, password="short")
    for _ in range(60):
        last = http_client.post(own_rig.url + "/v1/auth/email/register", json={}, headers={"Diary-App": "my-day"}, timeout=20)
        if last.status_code == 429:
            break
    assert last.status_code == 429 and '"login";r=0' in last.headers["RateLimit"]


def test_6_unknown_members_are_refused_everywhere(rig):
    user, asked = rig.user(), 0
    for method, template, _, operation in CONTRACT.operations:
        content = CONTRACT.resolve(operation.get("requestBody", {})).get("content", {}).get("application/json")
        # Apple and SendGrid may add members to theirs; those of `nameSpeakers` are labels of the recording.
        if not content or operation["operationId"] in ("receiveAppleNotification", "receiveSendGridEvents", "nameSpeakers"):
            continue
        examples = [content["example"]] if "example" in content else [CONTRACT.resolve(e)["value"] for e in content["examples"].values()]
        path = template.replace("{id}", str(uuid.uuid4())).replace("{segment}", "1").replace("{note}", str(uuid.uuid4()))
        for example in examples:
            headers = {"If-Match": "*"} if method == "PATCH" else {}
            errors = user.call(method, path, 422, json={**example, "titel": 1}, headers=headers).json()["errors"]
            (detail,) = [error["detail"] for error in errors if error["pointer"] == "/titel"]
            members = set(detail.removeprefix("is not a member here: ").split(", "))
            assert members == set(CONTRACT.resolve(content["schema"])["properties"]), operation["operationId"]
            asked += 1
    assert asked > 25
    batch = next(template for _, template, _, operation in CONTRACT.operations if operation["operationId"] == "changeEntries")
    operations = [
        {"op": "create", "entry": {"kind": "text", "text": "words", "titel": 1}},
        {"op": "delete", "id": str(uuid.uuid4()), "titel": 1},
    ]
    results = user.call("POST", batch, 200, json={"operations": operations}).json()["results"]
    assert [[error["pointer"] for error in result["problem"]["errors"]] for result in results] == [
        ["/operations/0/entry/titel"],
        ["/operations/1/titel"],
    ]
    assert user.call("GET", "/v1/me/stats", 200).json()["entries"] == 0


def test_8_a_refused_upload_says_which_header(shared_rig):
    user, audio = shared_rig.user(), SAMPLE.read_bytes()
    upload = user.create_voice(audio, sha256=sha256(audio))["upload"]

    def detail(body=audio, **change):
        headers = {name: value for name, value in {**upload["headers"], **change}.items() if value}
        answer = user.put({**upload, "headers": headers}, body, expect=403).json()
        assert answer["code"] == "upload_refused"
        return answer["detail"]

    assert detail(**{"x-amz-checksum-sha256": None}).endswith("missing: x-amz-checksum-sha256.")
    assert detail(**{"Content-Type": "audio/mpeg"}) == "Content-Type must be audio/mp4."
    assert detail(audio[:-1]).startswith(f"Content-Length ({len(audio) - 1}) or x-amz-checksum-sha256")
    user.put(upload, audio)


def test_11_a_query_beside_a_body_is_refused(rig):
    user = rig.user()
    for method, path, body in (
        ("POST", "/v1/exports?dry_run=true", {"from": "2026-01-01", "to": "2026-01-02"}),
        ("POST", "/v1/entries?allow_duplicate=true", {"kind": "text", "text": "words"}),
        ("PATCH", "/v1/me?dry_run=true", {"name": "Anna"}),
        ("DELETE", "/v1/me?dry_run=true", {"password": user.password}),
        ("DELETE", "/v1/me?dry_run=true", None),
    ):
        (error,) = user.call(method, path, 422, json=body).json()["errors"]
        assert error["pointer"] == "query/" + path.split("?")[1].split("=")[0], path
    assert user.call("GET", "/v1/me/stats", 200).json()["entries"] == 0
    assert user.call("GET", "/v1/me/events?kind=export_requested", 200).json()["items"] == []
    assert user.call("GET", "/v1/me", 200).json()["name"] is None


def test_15_a_row_of_a_list_has_a_line_to_show(rig):
    user = rig.user()
    short, long = user.create_text("We  swam.\n\nThen home.")["entry_id"], user.create_text("word " * 100)["entry_id"]
    for path in ("/v1/entries", "/v1/changes"):
        rows = {row["id"]: row for row in user.call("GET", f"{path}?view=summary", 200).json()["items"]}
        assert (rows[short]["text"], rows[short]["excerpt"]) == (None, "We swam. Then home.")
        assert rows[long]["excerpt"] == "word " * 39 + "word…"
        assert "excerpt" not in user.call("GET", path, 200).json()["items"][0]


def test_16_a_wrong_password_says_so(rig):
    user, wrong = rig.user(), "not the right passphrase 1"
    for method, path, body in (
        ("POST", "/v1/me/reauthenticate", {"password": wrong}),
        ("POST", "/v1/me/password", {"current_password": wrong, "new_password": NEXT}),
        ("DELETE", "/v1/me", {"password": wrong}),
    ):
        assert user.call(method, path, 403, json=body).json()["code"] == "password_refused", path
    user.call("GET", "/v1/me", 200)


def test_a_code_with_a_session_counts_for_its_member(rig):
    user = rig.user()
    sent = user.call("POST", "/v1/auth/codes", 202, json={"purpose": "proof"})
    assert '"codes";r=' in sent.headers["RateLimit"] and '"credentials";r=' in sent.headers["RateLimit"]
    user.call("POST", "/v1/auth/logout", 204)
    # The second is refused without a query, and charges its owner nothing.
    for is_charged in (True, False):
        refused = user.call("POST", "/v1/auth/codes", 401, json={"purpose": "proof"})
        assert refused.headers["WWW-Authenticate"] == 'Bearer error="invalid_token"'
        assert ('"credentials"' in refused.headers["RateLimit"]) == is_charged


def test_18_not_yet_is_409_and_silence_is_empty(rig):
    user = rig.user()
    waiting = f"/v1/entries/{user.create_voice()['entry_id']}/transcript"
    forms = user.call("GET", "/v1/config", 200).json()["transcript_formats"]
    files = [f"/file?format={form}" for form in forms]
    for tail in ["", *files]:
        assert user.call("GET", waiting + tail, 409).json()["code"] == "transcript_not_ready", tail

    rig.script("speech", segments=[])
    silent = user.wait_done(user.record())
    assert silent["text"] == ""
    path = f"/v1/entries/{silent['id']}/transcript"
    shown = user.call("GET", path, 200).json()
    assert (shown["text"], shown["segments"]) == ("", [])
    for tail in files:
        assert "scripted" not in user.call("GET", path + tail, 200).text

    own = f"/v1/entries/{user.create_text('words')['entry_id']}/transcript/file"
    assert user.call("GET", f"{own}?format=txt", 200).text == "words"
    assert user.call("GET", f"{own}?format=txt&layer=raw", 200).text == "", "a layer that it has not is empty"
    assert user.call("GET", f"{own}?format=srt", 409).json()["code"] == "not_a_voice_entry"


def test_21_tags_are_kept_once(rig):
    user = rig.user()
    entry = user.create_text("words", tags=[" Lake ", "sun", "LAKE"])["entry"]
    assert entry["tags"] == ["Lake", "sun"]
    assert patch(user, entry["id"], tags=["Caf\u00e9", "cafe\u0301", "\tsun"])["tags"] == ["Caf\u00e9", "sun"]
    refused = user.call("POST", "/v1/entries", 422, json={"kind": "text", "text": "words", "tags": ["sun", " "]}).json()
    assert [error["pointer"] for error in refused["errors"]] == ["/tags/1"]

    operations = [{"op": "tag", "id": entry["id"], "add_tags": ["SUN", " sea"], "remove_tags": ["CAF\u00c9"]}]
    (result,) = user.call("POST", "/v1/entries/batch", 200, json={"operations": operations}).json()["results"]
    assert result["entry"]["tags"] == ["sun", "sea"]


def test_22_a_list_takes_several_tags(rig):
    user = rig.user()
    both = user.create_text("both", tags=["lake", "sun"])["entry_id"]
    for tag in ("lake", "sun"):
        user.create_text("one", tags=[tag])

    def listed(*tags, expect=200):
        return user.call("GET", "/v1/entries", expect, params=[("tag", tag) for tag in tags]).json()

    assert [entry["id"] for entry in listed("Sun", "LAKE")["items"]] == [both]
    assert len(listed("lake")["items"]) == 2 and listed("lake", "sea")["items"] == []
    for wrong in (["lake", ""], ["lake"] * 21, ["x" * 51]):
        assert [error["pointer"] for error in listed(*wrong, expect=422)["errors"]] == ["query/tag"], wrong


def test_23_sign_up_names_all_its_faults_at_once(rig):
    body = {"email": "anna", "password": "short", "name": 7, "time_zone": 7, "locale": ["en"]}
    answer = http_client.post(rig.url + "/v1/auth/email/register", json=body, headers={"Diary-App": "my-day"}, timeout=20)
    CONTRACT.check(answer)
    assert answer.status_code == 422 and {error["pointer"] for error in answer.json()["errors"]} == {f"/{name}" for name in body}


def test_24_a_weak_tag_of_ours_fits(rig):
    """As a proxy makes it that compresses answers."""
    user = rig.user()
    path = f"/v1/entries/{user.create_text('words')['entry_id']}"
    tag = user.call("GET", path, 200).headers["ETag"]
    user.call("PATCH", path, 200, json={"title": "First"}, headers={"If-Match": "W/" + tag})
    user.call("PATCH", path, 412, json={"title": "Second"}, headers={"If-Match": "W/" + tag})


def test_24_not_modified(rig):
    user = rig.user()
    recorded = user.record()
    user.wait_done(recorded)
    played = user.call("GET", f"/v1/entries/{recorded}/audio/url", 200).json()["url"]
    zipped = user.call("GET", f"/v1/exports/{user.export()['id']}/url", 200).json()["url"]
    for path in ("/v1/me", "/openapi.yaml", "/schemas/export-manifest-3.json", played, zipped):
        first = user.call("GET", path, 200)
        tag = first.headers["ETag"]
        for known in (tag, "W/" + tag, f'"x", {tag}', "*"):
            again = user.call("GET", path, 304, headers={"If-None-Match": known, "Range": "bytes=0-9"})
            assert again.headers["ETag"] == tag and again.content == b""
        assert user.call("GET", path, 200, headers={"If-None-Match": '"x"'}).content == first.content
    before = user.call("GET", "/v1/me", 200).headers["ETag"]
    user.call("PATCH", "/v1/me", 200, json={"name": "Anna"})
    assert user.call("GET", "/v1/me", 200, headers={"If-None-Match": before}).json()["name"] == "Anna"


def test_27_what_a_repeated_delete_answers(rig):
    user = rig.user()
    entry = user.create_text("words")["entry_id"]
    session = user.call("POST", "/v1/auth/email", 200, json={"email": user.address, "password": user.password}).json()["session_id"]
    schedule = user.call("POST", "/v1/export-schedules", 201, json={"every": "week"}).json()["id"]
    export = user.call("POST", "/v1/exports", 202, json={"from": "2026-01-01", "to": "2026-01-02"}).json()["id"]
    imported = user.call("POST", "/v1/imports", 201, json={"size_bytes": 5}).json()["import"]["id"]
    for path, again in (
        (f"/v1/entries/{entry}", 404),
        (f"/v1/sessions/{session}", 404),
        (f"/v1/export-schedules/{schedule}", 404),
        (f"/v1/imports/{imported}", 404),
        (f"/v1/exports/{export}", 204),
    ):
        user.call("DELETE", path, 204)
        user.call("DELETE", path, again)
    user.call("DELETE", f"/v1/entries/{entry}?permanent=true", 404)
    assert user.call("GET", f"/v1/exports/{export}", 200).json()["status"] == "revoked"


def test_30_a_time_in_the_future_is_kept_and_can_be_corrected(rig):
    user = rig.user()
    later = (datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=400)).replace(microsecond=0)
    entry = user.create_text("a clock that is wrong", recorded_at=later.isoformat())["entry"]
    assert datetime.datetime.fromisoformat(entry["recorded_at"]) == later
    now = later - datetime.timedelta(days=400)
    assert datetime.datetime.fromisoformat(patch(user, entry["id"], recorded_at=now.isoformat())["recorded_at"]) == now
