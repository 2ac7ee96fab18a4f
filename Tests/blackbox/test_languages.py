"""Languages: what is recognised is listed, and a recording in another one is kept."""

import pytest

import http_client
from user import SAMPLE


def recognised(rig):
    return http_client.get(rig.url + "/v1/config", headers={"Diary-App": "my-day"}, timeout=10).json()["speech"]["languages"]


def refused(user, id):
    entry = user.wait_done(id, status="failed")
    processing = entry["processing"]
    assert (processing["stage"], processing["code"], processing["action"]) == ("transcribe", "language_unsupported", "change_language")
    assert user.retry(id, 409).json()["code"] == "reprocess_not_possible"
    return entry


def test_a_recording_in_a_language_that_is_not_recognised_is_kept_until_its_language_is_changed(rig):
    assert recognised(rig) == ["de", "en"], "of the scripted engine"
    user = rig.user()
    id = user.record(language="fr")

    assert refused(user, id)["language"] == "fr"
    link = user.audio_url(id)
    assert http_client.get(link, timeout=10).content == SAMPLE.read_bytes()
    user.call("PATCH", f"/v1/entries/{id}", 200, json={"title": "Lac", "language": "fr"}, headers={"If-Match": "*"})
    refused(user, id)

    changed = user.call("PATCH", f"/v1/entries/{id}", 200, json={"language": "de-CH"}, headers={"If-Match": "*"}).json()
    assert (changed["language"], changed["title"], changed["processing"]["action"]) == ("de-CH", "Lac", "retry")
    user.retry(id)
    assert user.wait_done(id)["language"] == "de-CH"


@pytest.mark.parametrize(
    "languages, heard", [(["de"], "de"), (["fr", "de-AT"], "de-AT"), (["de", "en"], "en"), ([], "en"), (["fr", "it"], None)]
)
def test_the_languages_of_the_profile_count_where_the_client_named_none(rig, languages, heard):
    user = rig.user()
    user.call("PATCH", "/v1/me", 200, json={"languages": languages})
    id = user.record()
    if heard:
        assert user.wait_done(id)["language"] == heard, "the scripted engine says en when it is to find out"
    else:
        refused(user, id)
    other = user.record(language="en-GB")
    assert user.wait_done(other)["language"] == "en-GB", "what the client names comes first"


@pytest.mark.parametrize("locale, heard", [("de-AT", "de-AT"), ("en-US", "en-US"), (None, "en"), ("fr-FR", None)])
def test_the_locale_counts_where_neither_client_nor_profile_names_a_language(rig, locale, heard):
    user = rig.user()
    user.call("PATCH", "/v1/me", 200, json={"locale": locale})
    id = user.record()
    if heard:
        assert user.wait_done(id)["language"] == heard
        return
    refused(user, id)
    user.call("PATCH", "/v1/me", 200, json={"languages": ["en"]})
    assert user.wait_done(user.record())["language"] == "en", "what the profile names comes first"


@pytest.mark.parametrize("wrong", ["english!", 3, "e", "x" * 36])
def test_a_language_that_is_no_tag_is_refused(rig, wrong):
    user = rig.user()
    id = user.create_text("words")["entry_id"]
    answer = user.call("PATCH", f"/v1/entries/{id}", 422, json={"language": wrong}, headers={"If-Match": "*"}).json()
    assert [error["pointer"] for error in answer["errors"]] == ["/language"]
