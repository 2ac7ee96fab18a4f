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
