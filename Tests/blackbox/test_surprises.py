"""Surprises of the contract review, each mended or said."""

NEXT = "another long passphrase 8"


def test_16_a_wrong_password_says_so(rig):
    user, wrong = rig.user(), "not the right passphrase 1"
    for method, path, body in (
        ("POST", "/v1/me/reauthenticate", {"password": wrong}),
        ("POST", "/v1/me/password", {"current_password": wrong, "new_password": NEXT}),
        ("DELETE", "/v1/me", {"password": wrong}),
    ):
        assert user.call(method, path, 403, json=body).json()["code"] == "password_refused", path
    user.call("GET", "/v1/me", 200)


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
    played = user.call("GET", f"/v1/entries/{recorded}/audio-url", 200).json()["url"]
    zipped = user.call("GET", f"/v1/exports/{user.export()['id']}/file-url", 200).json()["url"]
    for path in ("/v1/me", "/openapi.yaml", "/openapi.json", "/docs", "/schemas/export-manifest-3.json", played, zipped):
        first = user.call("GET", path, 200)
        tag = first.headers["ETag"]
        for known in (tag, "W/" + tag, f'"x", {tag}', "*"):
            again = user.call("GET", path, 304, headers={"If-None-Match": known, "Range": "bytes=0-9"})
            assert again.headers["ETag"] == tag and again.content == b""
        assert user.call("GET", path, 200, headers={"If-None-Match": '"x"'}).content == first.content
    before = user.call("GET", "/v1/me", 200).headers["ETag"]
    user.call("PATCH", "/v1/me", 200, json={"name": "Anna"})
    assert user.call("GET", "/v1/me", 200, headers={"If-None-Match": before}).json()["name"] == "Anna"
