"""Links, codes and waiting mails of an account's earlier state, while the mail server refuses and later accepts (A9, B15, E3, E6)."""

import re
import secrets

import pytest
from aiosmtpd.controller import Controller

import http_client
from mail import text_of
from mail_server import PickyMailbox
from processes import free_port, wait_for
from rig import Rig
from schedules import created, made

NEXT = "another long passphrase 8"
LINK = re.compile(r"https?://\S+/exports/[A-Za-z0-9._~-]+")


@pytest.fixture(scope="module")
def picky():
    mailbox, port = PickyMailbox(), free_port()
    controller = Controller(mailbox, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        rig = Rig(DIARY_SMTP_URL=f"smtp+plain://127.0.0.1:{port}")
        mailbox.folder = rig.folder / "mail"
        yield rig, mailbox
        rig.end()
    finally:
        controller.stop()


def change_address(user):
    fresh = f"{secrets.token_hex(8)}@example.org"
    request = user.ask_code("new_email", email=fresh)
    user.address = fresh
    user.call("POST", "/v1/me/email/confirm", 204, json={"code": user.account_code(1), "request": request})


def change_password(user):
    user.use(user.call("POST", "/v1/me/password", 200, json={"current_password": user.password, "new_password": NEXT}).json())


def reset_password(user):
    request = user.ask_code("new_password", email=user.address)
    body = {"email": user.address, "code": user.account_code(1), "request": request, "password": NEXT}
    user.use(user.call("POST", "/v1/auth/email/reset/confirm", 200, json=body).json())


def sign_out_everywhere(user):
    user.call("DELETE", "/v1/sessions?keep=none", 204)
    user.use(user.call("POST", "/v1/auth/email", 200, json={"email": user.address, "password": user.password}).json())


def sign_out_others(user):
    user.call("DELETE", "/v1/sessions", 204)


def delay(rig, user, time):
    """The mails of the user whose job no worker holds."""
    return rig.postgres.sql(
        "diary",
        "update jobs set run_at = clock_timestamp() + %s::interval where user_id = %s and kind = 'mail' and state = 'ready' returning id",
        time,
        user.id,
    )


@pytest.mark.parametrize("act", [change_address, change_password, reset_password, sign_out_everywhere, sign_out_others])
def test_b15_no_link_of_the_state_before_lives_and_none_goes_to_the_old_address(picky, act):
    rig, mailbox = picky
    user = rig.user()
    old = user.address
    user.create_text("words", recorded_at="2026-03-01T12:00:00Z")
    user.export()
    first = wait_for(user.export_links, 20, "the link")[0]
    zip_url = rig.url + http_client.post(first + "/download", allow_redirects=False).headers["location"]
    assert http_client.get(first).status_code == http_client.get(zip_url).status_code == 200

    mailbox.subjects = ("export is ready", "code to sign in")
    second = user.call("POST", "/v1/exports", 202, json={"from": "2026-01-01", "to": "2026-12-31"}).json()["id"]
    request = user.ask_code("sign_in", email=old)

    def refused(words):
        return [message for to, message in list(mailbox.refused) if to == old and words in message["Subject"]]

    waiting = wait_for(lambda: refused("export is ready"), 30, "a refused link")[0]
    code = re.search(r"\b(\d{8})\b", text_of(wait_for(lambda: refused("code to sign in"), 30, "a refused code")[0]))[1]
    link = LINK.search(text_of(waiting))[0]
    assert http_client.get(link).status_code == 200
    before = len(mailbox.told(old))
    # Their next tries come when the act is over: one that is under way meanwhile may still end at the old address.
    wait_for(lambda: len(delay(rig, user, "1 hour")) == 2, 30, "two mails between their tries")

    act(user)
    mailbox.subjects = ()
    tries = len(mailbox.refused)
    delay(rig, user, "0 seconds")
    wait_for(
        lambda: (
            rig.postgres.sql("diary", "select count(*) from jobs where user_id = %s and state in ('ready', 'leased')", user.id) == [(0,)]
        ),
        40,
        "the end of the waiting mails",
    )

    told = mailbox.told(old)[before:]
    assert not [subject for subject, text in told if LINK.search(text) or "sign in to" in subject], told
    assert len(mailbox.refused) == tries
    for dead in (first, link, zip_url):
        assert http_client.get(dead).status_code == 410, dead
    for dead in (first, link):
        assert http_client.post(dead + "/download", allow_redirects=False).status_code == 410
    shown = user.call("GET", f"/v1/exports/{second}", 200).json()
    assert shown["revoked_at"] and shown["mail_status"] == "failed"
    user.call("POST", "/v1/auth/email", 403, json={"email": old, "code": code, "request": request})

    # What is asked for afterwards comes, to the address of now.
    user.export()
    newest = wait_for(user.export_links, 20, "a new link")[-1]
    assert newest not in (first, link) and http_client.get(newest).status_code == 200
    assert bool([text for _, text in mailbox.told(old)[before:] if newest in text]) == (user.address == old)


def test_e3_deleting_an_entry_ends_the_links_of_zips_that_hold_it(picky):
    rig, mailbox = picky
    mailbox.subjects = ()
    user = rig.user()
    gone = user.create_text("words to delete", recorded_at="2026-03-01T12:00:00Z")["entry_id"]
    user.create_text("words to keep", recorded_at="2026-04-01T12:00:00Z")
    links = {}
    for number, month in enumerate(("03", "04")):
        user.export(**{"from": f"2026-{month}-01", "to": f"2026-{month}-28"})
        links[month] = wait_for(lambda n=number: user.export_links()[n:], 20, "the link")[-1]
    zip_url = rig.url + http_client.post(links["03"] + "/download", allow_redirects=False).headers["location"]
    assert http_client.get(zip_url).status_code == 200

    user.call("DELETE", f"/v1/entries/{gone}", 204)

    assert [http_client.get(url).status_code for url in (links["03"], zip_url, links["04"])] == [410, 410, 200]
    wait_for(lambda: [name[0] for name in rig.store.names(user.id)].count("export") == 1, 20, "the end of the zip")


def test_9_an_ended_export_says_why(picky):
    rig, mailbox = picky
    mailbox.subjects = ()
    user = rig.user()

    def ended(act):
        before = len(user.export_links())
        export = user.export()
        link = wait_for(lambda: user.export_links()[before:], 20, "the link")[-1]
        assert export["revoked_reason"] is None
        act(export["id"])
        page = http_client.get(link, headers={"Accept": "text/html"})
        assert page.status_code == 410 and "ended with a change in the diary or of the password" in page.text
        return user.call("GET", f"/v1/exports/{export['id']}", 200).json()["revoked_reason"]

    entry = user.create_text("words", recorded_at="2026-03-01T12:00:00Z")["entry_id"]
    user.create_text("words to keep", recorded_at="2026-03-01T12:00:00Z")
    assert ended(lambda export: [user.call("DELETE", f"/v1/exports/{export}", 204) for _ in range(2)]) == "owner"
    assert ended(lambda _: user.call("DELETE", f"/v1/entries/{entry}", 204)) == "entry_deleted"
    assert ended(lambda _: sign_out_others(user)) == "access_ended"
    assert [e["revoked_reason"] for e in user.call("GET", "/v1/exports", 200).json()["items"]] == ["access_ended", "entry_deleted", "owner"]

    schedule = created(user, keep_last=1, mail=False)["id"]
    for count in (1, 2):
        user.call("POST", f"/v1/export-schedules/{schedule}/run", 202)
        runs = made(user, schedule, count)
    assert [run["revoked_reason"] for run in runs] == [None, "replaced"]
