"""Sessions that people see and end, and the refresh tokens' answers that get lost (B6, B15)."""

import uuid

import http_client
from repetitions import repetitions


def signed_in(user, device):
    """One more session of the user, as (session id, headers, refresh token)."""
    tokens = user.call("POST", "/v1/auth/email", 200, json={"email": user.address, "password": user.password, "device": device}).json()
    return tokens["session_id"], {"Authorization": "Bearer " + tokens["access_token"]}, tokens["refresh_token"]


def test_sessions_are_listed_with_their_device_and_place(rig):
    user = rig.user()
    phone, _, refresh = signed_in(user, "Anna's phone")
    signed_in(user, "Zoë's 📱 ‹b›")
    user.call("POST", "/v1/auth/refresh", 200, json={"refresh_token": refresh})

    sessions = user.call("GET", "/v1/sessions", 200).json()["items"]

    assert [s["device"] for s in sessions] == ["Anna's phone", "Zoë's 📱 ‹b›", None]
    assert sessions[0]["id"] == phone and sessions[0]["last_used_at"] > sessions[0]["created_at"]
    assert [s["current"] for s in sessions] == [False, False, True] and sessions[2]["id"] == user.tokens["session_id"]
    assert {s["place"] for s in sessions} == {"127.0.0.0/16"}


def test_b15_an_ended_session_is_refused_on_the_next_request(rig):
    user, other = rig.user(), rig.user()
    session, bearer, refresh = signed_in(user, "lost phone")
    user.call("GET", "/v1/me", 200, headers=bearer)
    other.call("DELETE", f"/v1/sessions/{session}", 404)
    user.call("DELETE", f"/v1/sessions/{session}", 204)
    user.call("GET", "/v1/me", 401, headers=bearer)
    user.call("POST", "/v1/auth/refresh", 401, json={"refresh_token": refresh})
    user.call("DELETE", f"/v1/sessions/{session}", 404)
    user.call("DELETE", f"/v1/sessions/{uuid.uuid4()}", 404)
    user.call("DELETE", "/v1/sessions/x", 404)
    assert session not in [s["id"] for s in user.call("GET", "/v1/sessions", 200).json()["items"]]
    assert user.call("GET", "/v1/me/events", 200).json()["items"][0] | {"id": "", "at": "", "request_id": ""} == {
        "id": "",
        "at": "",
        "request_id": "",
        "kind": "session_revoked",
        "actor": "member",
        "session_id": session,
    }


def test_b15_all_others_and_all_are_ended(rig):
    user = rig.user()
    others = [signed_in(user, f"device {number}")[1] for number in range(3)]
    user.call("DELETE", "/v1/sessions?keep=all", 422)
    user.call("DELETE", "/v1/sessions?keepp=none", 422)
    user.call("GET", "/v1/me", 200, headers=others[0])
    user.call("DELETE", "/v1/sessions", 204)
    for bearer in others:
        user.call("GET", "/v1/me", 401, headers=bearer)
    user.call("GET", "/v1/me", 200)
    _, bearer, refresh = signed_in(user, "one more")
    user.call("DELETE", "/v1/sessions?keep=none", 204)
    user.call("GET", "/v1/me", 401)
    user.call("GET", "/v1/me", 401, headers=bearer)
    user.call("POST", "/v1/auth/refresh", 401, json={"refresh_token": refresh})


def test_b15_a_password_change_ends_everything_and_opens_one(rig):
    user = rig.user(address=f"quiet.lantern+{uuid.uuid4().hex}@example.org")
    _, bearer, refresh = signed_in(user, "elsewhere")
    old = user.http.headers["Authorization"]
    user.call("POST", "/v1/me/password", 422, json={"current_password": user.password, "new_password": "short"})
    user.call("POST", "/v1/me/password", 422, json={"current_password": user.password, "new_password": "quietlantern1234"})
    user.call("POST", "/v1/me/password", 422, json={"new_password": "another long passphrase 8"})
    assert (
        user.call("POST", "/v1/me/password", 403, json={"current_password": "wrong", "new_password": "another long passphrase 8"}).json()[
            "code"
        ]
        == "password_refused"
    )
    user.call("GET", "/v1/me", 200)
    user.use(
        user.call(
            "POST",
            "/v1/me/password",
            200,
            json={"current_password": user.password, "new_password": "another long passphrase 8", "device": "here"},
        ).json()
    )
    for header in (bearer, {"Authorization": old}):
        user.call("GET", "/v1/me", 401, headers=header)
    user.call("POST", "/v1/auth/refresh", 401, json={"refresh_token": refresh})
    assert [s["device"] for s in user.call("GET", "/v1/sessions", 200).json()["items"]] == ["here"]
    user.call("POST", "/v1/auth/email", 401, json={"email": user.address, "password": user.password})
    user.call("POST", "/v1/auth/email", 200, json={"email": user.address, "password": "another long passphrase 8"})


def test_b6_lost_answers_sign_no_one_out(rig):
    """Every answer is thrown away once and asked for again: the client stays signed in, with one successor each time."""
    user = rig.user()
    with http_client.Session() as http:
        token = user.tokens["refresh_token"]
        for _ in range(repetitions(200, 40)):
            http.post(rig.url + "/v1/auth/refresh", json={"refresh_token": token}, timeout=10)
            again = http.post(rig.url + "/v1/auth/refresh", json={"refresh_token": token}, timeout=10)
            assert again.status_code == 200
            token = again.json()["refresh_token"]
        user.use(again.json())
    user.call("GET", "/v1/me", 200)
    assert len(user.call("GET", "/v1/sessions", 200).json()["items"]) == 1


def test_b15_a_disabled_account_is_refused_at_once(rig):
    user = rig.user()
    rig.postgres.sql("diary", "update users set disabled_at = now() where id = %s", user.id)
    user.call("GET", "/v1/me", 401)
    user.call("POST", "/v1/auth/refresh", 401, json={"refresh_token": user.tokens["refresh_token"]})
    assert (
        user.call("POST", "/v1/auth/email", 401, json={"email": user.address, "password": user.password}).json()["code"]
        == "invalid_credentials"
    )
