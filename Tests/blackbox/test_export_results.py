"""Exports that never depend on a mail: downloaded and mailed again by their signed-in owner, and made without a mail."""

import datetime
import io
import secrets
import urllib.parse
import zipfile

import pytest
from aiosmtpd.controller import Controller

import http_client
from mail_server import PickyMailbox
from processes import free_port, wait_for
from rig import Rig

pytestmark = pytest.mark.any_store

DAYS = {"from": "2026-01-01", "to": "2026-12-31"}


def written(rig):
    user = rig.user()
    user.word = "lantern" + secrets.token_hex(6)
    user.create_text(user.word, recorded_at="2026-03-01T12:00:00Z", time_zone="Europe/Berlin")
    return user


def shown(user, export):
    return user.call("GET", f"/v1/exports/{export}", 200).json()


def requested(user, **more):
    return user.call("POST", "/v1/exports", 202, json={**DAYS, **more}).json()


def built(user, **more):
    export = requested(user, **more)["id"]
    return wait_for(lambda: shown(user, export)["status"] == "ready" and shown(user, export), 40, "the zip")


def file_url(user, export, expect=200):
    return user.call("GET", f"/v1/exports/{export}/url", expect).json()


def mail(user, export, expect=202):
    return user.call("POST", f"/v1/exports/{export}/mail", expect).json()


def opened(content, user):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        return user.word in archive.read("text/2026-03-01_13-00-00.txt").decode()


def test_an_export_without_a_mail_is_downloaded_counted_and_noted(rig):
    user = written(rig)
    export = built(user, mail=False)
    assert export["mail_status"] == "none" and export["downloads"] == 0 and user.export_links() == []

    file = file_url(user, export["id"])

    assert file["size_bytes"] == export["size_bytes"] and file["content_type"] == "application/zip"
    left = (datetime.datetime.fromisoformat(file["expires_at"]) - datetime.datetime.now(datetime.UTC)).total_seconds()
    assert 3_500 < left <= 3_600
    whole = http_client.get(file["url"])
    assert opened(whole.content, user) and f'filename="{file["filename"]}"' in whole.headers["content-disposition"]
    rest = http_client.get(file["url"], headers={"Range": "bytes=10-", "If-Range": whole.headers["etag"]})
    assert rest.status_code == 206 and rest.content == whole.content[10:]
    # A download that broke off goes on at another URL.
    again = http_client.get(file_url(user, export["id"])["url"], headers={"Range": "bytes=10-", "If-Range": whole.headers["etag"]})
    assert again.status_code == 206 and again.content == whole.content[10:]
    assert shown(user, export["id"])["downloads"] == 2
    events = [e for e in user.call("GET", "/v1/me/events", 200).json()["items"] if e["kind"] == "export_downloaded"]
    assert [(e["actor"], e["session_id"]) for e in events] == [("member", user.tokens["session_id"])] * 2


def test_the_address_of_a_zip_ends_with_its_export(rig):
    user = written(rig)
    export = built(user, mail=False)["id"]
    rig.postgres.sql("diary", "update exports set expires_at = clock_timestamp() + interval '20 minutes' where id = %s", export)
    ends = datetime.datetime.fromisoformat(shown(user, export)["expires_at"])

    assert abs((datetime.datetime.fromisoformat(file_url(user, export)["expires_at"]) - ends).total_seconds()) <= 1
    assert user.export_links() == []


def test_the_owner_still_downloads_what_the_mailed_link_has_used_up(rig):
    user = written(rig)
    export = user.export()
    (link,) = user.export_links()
    for _ in range(export["link_downloads_max"]):
        user.download(link)
    assert http_client.post(link + "/download", allow_redirects=False).status_code == 410
    assert opened(http_client.get(file_url(user, export["id"])["url"]).content, user)
    assert shown(user, export["id"])["downloads"] == export["link_downloads_max"] + 1
    assert http_client.get(link).status_code == 200
    assert http_client.post(link + "/download", allow_redirects=False).status_code == 410


def test_an_export_is_mailed_again_with_the_same_zip(rig):
    user = written(rig)
    export = user.export()
    waiting = mail(user, export["id"])
    assert waiting["id"] == export["id"] and waiting["mail_status"] in ("waiting", "sent")
    links = wait_for(lambda: len(user.export_links()) == 2 and user.export_links(), 20, "the second mail")
    assert links[0] == links[1] and opened(user.download(links[1]), user)
    wait_for(lambda: shown(user, export["id"])["mail_status"] == "sent", 20, "the mark")


def test_an_export_without_a_mail_can_still_be_mailed(rig):
    user = written(rig)
    export = built(user, mail=False)
    assert mail(user, export["id"])["mail_status"] in ("waiting", "sent")
    link = wait_for(user.export_links, 20, "the mail")[0]
    assert opened(user.download(link), user)


def test_13_an_empty_export_is_not_mailed(rig):
    user = written(rig)
    days = {"from": "2025-01-01", "to": "2025-12-31"}
    assert requested(user, mail=True, **days)["mail_status"] == "waiting"
    empty = built(user, mail=True, **days)
    assert (empty["entry_count"], empty["mail_status"]) == (0, "none")
    user.export()
    assert len(user.export_links()) == 1
    # It can be mailed all the same.
    assert mail(user, empty["id"])["mail_status"] in ("waiting", "sent")
    wait_for(lambda: len(user.export_links()) == 2, 20, "the mail that was asked for")


def test_the_mail_a_request_names_is_the_accounts_own_and_is_wanted(rig):
    user = written(rig)
    refused = user.call("POST", "/v1/exports", 422, json={**DAYS, "email": user.address, "mail": False}).json()
    assert [e["pointer"] for e in refused["errors"]] == ["/mail"]
    assert [e["pointer"] for e in user.call("POST", "/v1/exports", 422, json={**DAYS, "mail": "no"}).json()["errors"]] == ["/mail"]
    assert requested(user, mail=None)["mail_status"] == requested(user, mail=True)["mail_status"] == "waiting"
    key = {"Idempotency-Key": secrets.token_hex(8)}
    first = user.call("POST", "/v1/exports", 202, json={**DAYS, "mail": False}, headers=key).json()
    again = user.call("POST", "/v1/exports", 202, json={**DAYS, "mail": False}, headers=key).json()
    assert again["id"] == first["id"] and again["mail_status"] == "none"
    assert user.call("POST", "/v1/exports", 422, json=DAYS, headers=key).json()["code"] == "idempotency_mismatch"


def test_one_accounts_export_is_no_ones_else(rig):
    user, other = written(rig), written(rig)
    export = built(user, mail=False)["id"]
    theirs = built(other, mail=False)["id"]
    for export_id in (export, "019a2b6e-5c10-7d21-9a3e-0f5f6c1d2e3f"):
        assert file_url(other, export_id, 404)["code"] == mail(other, export_id, 404)["code"] == "not_found"
    own, foreign = file_url(user, export)["url"], file_url(other, theirs)["url"]
    path, query = own.split("?")
    assert http_client.get(path + "?" + foreign.split("?")[1]).status_code == 403
    assert http_client.get(foreign.split("?")[0] + "?" + query).status_code == 403
    assert shown(user, export)["downloads"] == 1 and shown(user, export)["mail_status"] == "none"
    for method, way in (("GET", "url"), ("POST", "mail")):
        user.call(method, f"/v1/exports/{export}/{way}", 401, headers={"Authorization": None})


def sign_out_everywhere(user, export):
    user.call("DELETE", "/v1/sessions?keep=none", 204)
    user.use(user.call("POST", "/v1/auth/email", 200, json={"email": user.address, "password": user.password}).json())


def sign_out_others(user, export):
    user.call("DELETE", "/v1/sessions", 204)


def revoke(user, export):
    user.call("DELETE", f"/v1/exports/{export}", 204)


def expire(user, export):
    user.rig.postgres.sql("diary", "update exports set expires_at = clock_timestamp() where id = %s", export)


@pytest.mark.parametrize(
    "act, status", [(sign_out_everywhere, "revoked"), (sign_out_others, "revoked"), (revoke, "revoked"), (expire, "expired")]
)
def test_e3_an_ended_export_says_so_and_no_url_or_mail_of_it_works(rig, act, status):
    user = written(rig)
    export = user.export()["id"]
    (link,) = user.export_links()
    file = file_url(user, export)["url"]
    assert http_client.get(file).status_code == 200

    act(user, export)

    assert shown(user, export)["status"] == status
    assert [e["status"] for e in user.call("GET", "/v1/exports", 200).json()["items"]] == [status]
    assert [http_client.get(url).status_code for url in (link, file)] == [410, 410]
    assert file_url(user, export, 410)["code"] == mail(user, export, 410)["code"] == "link_expired"
    assert len(user.export_links()) == 1


def test_what_is_not_built_yet_is_not_ready_and_mails_asked_for_meanwhile_are_one(own_rig):
    user = written(own_rig)
    ready = built(user, mail=False)["id"]
    own_rig.stop("work")
    export = requested(user, mail=False)["id"]
    refused = file_url(user, export, 409)
    assert refused["code"] == "export_not_ready" and refused["retryable"]
    for _ in range(3):
        assert mail(user, export)["mail_status"] == mail(user, ready)["mail_status"] == "waiting"
    rows = own_rig.postgres.sql(
        "diary", "select subject::text, count(*) from mails where user_id = %s and kind = 'export_ready' group by 1", user.id
    )
    assert rows == [(ready, 1)], "the other is mailed when it is built"
    assert shown(user, export)["status"] == "queued"

    own_rig.start("work")

    wait_for(lambda: {shown(user, e)["mail_status"] for e in (ready, export)} == {"sent"}, 40, "both mails")
    assert len(user.export_links()) == 2 and shown(user, export)["status"] == "ready"


def test_no_mail_waits_for_an_export_that_was_revoked_before_it_was_built(own_rig):
    user = written(own_rig)
    own_rig.stop("work")
    export = requested(user, mail=True)["id"]
    user.call("DELETE", f"/v1/exports/{export}", 204)
    assert (shown(user, export)["status"], shown(user, export)["mail_status"]) == ("revoked", "failed")
    own_rig.start("work")


class RefusingMailbox(PickyMailbox):
    """Refuses mails with these subjects for good."""

    async def handle_DATA(self, server, session, envelope):
        if any(words in envelope.content.decode("utf-8", "replace") for words in self.subjects):
            return "550 no such mailbox"
        return await super().handle_DATA(server, session, envelope)


def test_an_export_whose_mail_was_refused_is_not_lost():
    mailbox, port = RefusingMailbox(), free_port()
    controller = Controller(mailbox, hostname="127.0.0.1", port=port)
    controller.start()
    rig = None
    try:
        rig = Rig(DIARY_SMTP_URL=f"smtp+plain://127.0.0.1:{port}")
        mailbox.folder = rig.folder / "mail"
        user = written(rig)
        mailbox.subjects = ("export is ready",)
        export = requested(user)["id"]
        failed = wait_for(lambda: shown(user, export)["mail_status"] == "failed" and shown(user, export), 40, "the refusal")
        assert failed["status"] == "ready" and failed["code"] == "mail_refused"

        assert opened(http_client.get(file_url(user, export)["url"]).content, user)
        mailbox.subjects = ()
        asked = mail(user, export)
        assert asked["mail_status"] in ("waiting", "sent") and asked["code"] is None
        link = wait_for(user.export_links, 20, "the mail")[0]
        assert opened(user.download(link), user)
    finally:
        if rig:
            rig.end()
        controller.stop()


def test_g1_no_url_of_a_zip_is_in_a_log(rig):
    user = written(rig)
    export = built(user, mail=False)["id"]
    file = urllib.parse.urlsplit(file_url(user, export)["url"])
    assert http_client.get(file.geturl()).status_code == 200
    mail(user, export)
    log = rig.log_text()
    assert "/v1/exports/{id}/url" in log and "/v1/exports/{id}/mail" in log
    for secret in (file.path.split("/")[2], file.path.split(".")[-1].split("/")[0], urllib.parse.parse_qs(file.query)["signature"][0]):
        assert secret not in log
