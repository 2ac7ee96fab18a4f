"""A client of an app for one diary, as My Day is one: what it calls, from sign-up to the end of the account."""

import urllib.parse

import http_client
from contract import CONTRACT
from oidc import Visitor
from processes import wait_for
from provider_scene import sub
from user import SAMPLE, User

NEXT = "another long passphrase 8"
DAY = "2026-03-01"


class MyDay(Visitor):
    """Notes the operations that it calls; what signed URLs lead to is not among them, because a client composes none of these."""

    def __init__(self, rig, providers):
        self.called = set()
        super().__init__(rig, providers)

    def call(self, method, path, expect=None, timeout=20, **more):
        _, operation = CONTRACT.find(method, urllib.parse.urlsplit(path).path)
        self.called.add(operation["operationId"])
        return super().call(method, path, expect, timeout, **more)

    def walk(self):
        assert self.call("GET", "/v1/config", 200).json()["sign_in"] == ["email", "apple", "google"]
        self.join()
        recorded, typed = self.record_one(), self.create_text("A quiet day.", recorded_at=f"{DAY}T20:00:00Z")["entry"]
        self.read(recorded, typed)
        self.play(recorded)
        self.settle()
        self.take_along({recorded, typed["id"]})
        self.leave()

    def join(self):
        """By mail: sign-up, password, code, and a new password."""
        User.sign_up(self)
        self.use(self.call("POST", "/v1/auth/email", 200, json={"email": self.address, "password": self.password}).json())
        asked = {"email": self.address, "request": self.ask_code("sign_in", email=self.address)}
        self.use(self.call("POST", "/v1/auth/email", 200, json={**asked, "code": self.account_code(1)}).json())
        asked = {"email": self.address, "request": self.ask_code("new_password", email=self.address)}
        body = {**asked, "code": self.account_code(2), "password": NEXT}
        self.use(self.call("POST", "/v1/auth/email/reset/confirm", 200, json=body).json())
        self.password = NEXT

    def record_one(self):
        """A recording whose upload is begun anew after the app was closed."""
        made = self.create_voice(recorded_at=f"{DAY}T12:00:00Z")["entry_id"]
        self.put(self.call("POST", f"/v1/uploads/{made}/url", 200).json()["upload"])
        self.complete(made)
        self.wait_done(made)
        return made

    def read(self, recorded, typed):
        """A day's list, and the feed while an entry is changed and another one deleted."""
        listed = self.call("GET", f"/v1/entries?from={DAY}&to={DAY}&order=asc", 200).json()
        assert [entry["id"] for entry in listed["items"]] == [recorded, typed["id"]]
        since = self.call("GET", "/v1/entries?since=0", 200).json()["next_since"]
        tag = {"If-Match": f'"{typed["version"]}"'}
        self.call("PATCH", f"/v1/entries/{typed['id']}", 200, json={"title": "Sunday"}, headers=tag)
        other = self.create_text("Not this one.")["entry_id"]
        self.call("DELETE", f"/v1/entries/{other}", 204)
        changes = self.call("GET", f"/v1/entries?since={urllib.parse.quote(since)}", 200).json()
        assert {entry["id"]: entry["title"] for entry in changes["items"]}[typed["id"]] == "Sunday"
        assert other in {entry["id"] for entry in changes["deleted"]}

    def play(self, recorded):
        played = self.call("GET", f"/v1/entries/{recorded}/audio/url", 200).json()
        assert http_client.get(played["url"]).content == SAMPLE.read_bytes()
        self.call("POST", f"/v1/entries/{recorded}/reprocess", 202, json={"stage": "transcribe"})
        self.wait_done(recorded)

    def settle(self):
        assert self.call("PATCH", "/v1/me", 200, json={"name": "Anna"}).json() == self.call("GET", "/v1/me", 200).json()
        assert self.call("GET", "/v1/me/stats", 200).json()["entries"] == 2

    def take_along(self, entries):
        """An export of some days, as a mailed link and as a zip in the app."""
        made = self.call("POST", "/v1/exports", 202, json={"from": DAY, "to": DAY, "email": self.address}).json()["id"]
        assert self.wait_export(made)["entry_count"] == len(entries)
        wait_for(self.export_links, 20, "the link")
        assert [export["id"] for export in self.call("GET", "/v1/exports", 200).json()["items"]] == [made]
        zipped = http_client.get(self.call("GET", f"/v1/exports/{made}/url", 200).json()["url"])
        assert zipped.content.startswith(b"PK")

    def leave(self):
        self.use(self.call("POST", "/v1/auth/refresh", 200, json={"refresh_token": self.tokens["refresh_token"]}).json())
        self.call("POST", "/v1/auth/logout", 204)
        for provider in ("apple", "google"):
            self.enter(provider, sub())
            self.call("DELETE", "/v1/me", 202)
        self.use(self.call("POST", "/v1/auth/email", 200, json={"email": self.address, "password": self.password}).json())
        self.call("DELETE", "/v1/me", 202, json={"password": self.password})
