"""Playback: the URL of a recording, how long it lives, and what ends it."""

import datetime
import urllib.parse

import pytest

import http_client
from processes import wait_for
from user import SAMPLE

pytestmark = pytest.mark.any_store

AUDIO = SAMPLE.read_bytes()
NEXT = "another long passphrase 8"


def recorded(rig):
    user = rig.user()
    user.voice = user.record()
    user.wait_done(user.voice)
    return user


def told(user):
    return user.call("GET", f"/v1/entries/{user.voice}/audio/url", 200).json()


def seconds_left(link):
    return (datetime.datetime.fromisoformat(link["expires_at"]) - datetime.datetime.now(datetime.UTC)).total_seconds()


def test_the_url_is_told_with_its_end_name_type_and_size(rig):
    user = recorded(rig)
    link = told(user)
    assert link["content_type"] == "audio/mp4" and link["size_bytes"] == len(AUDIO)
    assert (link["method"], link["headers"], link["filename"]) == ("GET", {}, user.entry(user.voice)["filename"])
    assert urllib.parse.parse_qs(urllib.parse.urlsplit(link["url"]).query)["expires"] == [
        str(int(datetime.datetime.fromisoformat(link["expires_at"]).timestamp()))
    ]
    whole = http_client.get(link["url"])
    assert whole.status_code == 200 and whole.content == AUDIO and whole.headers["content-type"] == "audio/mp4"
    part = http_client.get(link["url"], headers={"Range": "bytes=100-70000"})
    assert part.status_code == 206 and part.content == AUDIO[100:70001]


def test_the_url_lives_twice_the_recording_between_15_minutes_and_12_hours(rig):
    user = recorded(rig)
    for duration, life in ((1, 900), (450.5, 901), (3_600, 7_200), (4 * 3_600, 8 * 3_600), (9 * 3_600, 12 * 3_600)):
        rig.postgres.sql("diary", "update entries set duration_s = %s where id = %s", duration, user.voice)
        link = told(user)
        assert life - 60 < seconds_left(link) <= life, duration
        assert http_client.get(link["url"], headers={"Range": "bytes=-10"}).content == AUDIO[-10:]


def test_only_a_verified_recording_of_ones_own_has_a_url_and_only_a_transcribed_one_subtitles(rig):
    user, other = recorded(rig), recorded(rig)
    waiting = user.create_voice()["entry_id"]
    text = user.create_text("words")["entry_id"]
    assert user.call("GET", f"/v1/entries/{waiting}/audio/url", 409).json()["code"] == "audio_not_ready"
    assert user.call("GET", f"/v1/entries/{text}/audio/url", 409).json()["code"] == "not_a_voice_entry"
    assert user.call("GET", f"/v1/entries/{waiting}/transcript/file?format=vtt", 409).json()["code"] == "transcript_not_ready"
    other.call("GET", f"/v1/entries/{user.voice}/audio/url", 404)
    user.call("GET", f"/v1/entries/{user.voice}/audio/url", 401, headers={"Authorization": None})


def test_a_verified_recording_plays_while_it_waits_for_the_recogniser(rig):
    user = rig.user()
    rig.diary("jobs", "pause", "speech")
    try:
        user.voice = user.record()
        wait_for(lambda: user.entry(user.voice)["processing"]["stage"] == "transcribe", 20, "the check")
        assert user.entry(user.voice)["status"] == "uploaded"
        assert http_client.get(told(user)["url"]).content == AUDIO
    finally:
        rig.diary("jobs", "resume", "speech")
    user.wait_done(user.voice)


def test_one_accounts_url_never_opens_anothers_recording(rig):
    user, other = recorded(rig), recorded(rig)
    own, theirs = told(user)["url"], told(other)["url"]
    path, query = own.split("?")
    their_path, their_query = theirs.split("?")
    assert http_client.get(f"{path}?{their_query}").status_code == http_client.get(f"{their_path}?{query}").status_code == 403
    signature = urllib.parse.parse_qs(query)["signature"][0]
    generation, code = signature.split(".")
    for forged in (f"{int(generation) + 1}.{code}", f"0{generation}.{code}", code, f"{generation}.", f"{signature}.0"):
        assert http_client.get(own.replace(signature, forged)).status_code == 403, forged
    user.call("DELETE", "/v1/sessions", 204)
    assert [http_client.get(url).status_code for url in (own, theirs)] == [410, 200]


def end_all(user):
    user.call("DELETE", "/v1/sessions?keep=none", 204)
    user.use(user.call("POST", "/v1/auth/email", 200, json={"email": user.address, "password": user.password}).json())


def end_others(user):
    user.call("DELETE", "/v1/sessions", 204)


def change_password(user):
    user.use(user.call("POST", "/v1/me/password", 200, json={"current_password": user.password, "new_password": NEXT}).json())


@pytest.mark.parametrize("act", [end_all, end_others, change_password])
def test_b15_a_url_ends_with_all_sessions_and_the_next_one_works(rig, act):
    user = recorded(rig)
    link = told(user)["url"]
    second = user.call("POST", "/v1/auth/email", 200, json={"email": user.address, "password": user.password}).json()
    user.call("POST", "/v1/auth/logout", 204, headers={"Authorization": "Bearer " + second["access_token"]})
    assert http_client.get(link, headers={"Range": "bytes=0-9"}).status_code == 206, "one session of several does not end it"

    act(user)

    for headers in ({}, {"Range": "bytes=0-9"}):
        ended = http_client.get(link, headers=headers)
        assert ended.status_code == 410 and ended.json()["code"] == "link_expired"
    assert http_client.get(told(user)["url"]).content == AUDIO


def test_a_url_ends_with_its_entry(rig):
    user = recorded(rig)
    link = told(user)["url"]
    user.call("DELETE", f"/v1/entries/{user.voice}", 204)
    assert http_client.get(link).status_code == 404
    user.call("GET", f"/v1/entries/{user.voice}/audio/url", 404)


def test_a_url_ends_with_its_account(rig):
    user = recorded(rig)
    link = told(user)["url"]
    user.call("DELETE", "/v1/me", 202, json={"password": user.password})
    assert http_client.get(link).status_code == 404


def test_g1_no_url_of_a_recording_is_in_a_log(rig):
    user = recorded(rig)
    link = told(user)["url"]
    end_all(user)
    assert http_client.get(link).status_code == 410
    parts = urllib.parse.urlsplit(link)
    log = rig.log_text()
    assert "/v1/entries/{id}/audio/url" in log
    for secret in (urllib.parse.parse_qs(parts.query)["signature"][0], user.id):
        assert secret not in log
