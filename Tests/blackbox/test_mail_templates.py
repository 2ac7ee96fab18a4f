"""Words and looks of mails: an app's own, in the account's language, set and previewed by commands (E6, E8)."""

import base64
import email
import email.policy
import json
import subprocess

import pytest
import sendgrid.helpers.mail as sdk

from mail import text_of
from processes import PROGRAM, wait_for
from rig import Rig


@pytest.fixture(scope="module")
def rig():
    rig = Rig()
    try:
        yield rig
    finally:
        rig.end()


def run(rig, *words):
    return subprocess.run([PROGRAM, *words], env=rig.environment, capture_output=True, text=True, timeout=60)


def preview(rig, *words):
    return rig.diary("mail", "preview", "--tenant", "my-day", *words)


def test_an_apps_own_words_reach_a_mail_in_the_accounts_language(rig, tmp_path):
    user = rig.user()
    user.call("PATCH", "/v1/me", 200, json={"locale": "de-AT"}, headers={"Content-Type": "application/merge-patch+json"})
    words = tmp_path / "words.txt"
    words.write_text(
        "Subject: Grüß dich von {app}\r\n\r\nDein Code, {minutes|# Minute|# Minuten} gültig:\r\n\r\n{code}\r\n\r\nPfiat di <b>!\r\n",
        "utf-8",
    )
    html = tmp_path / "words.html"
    html.write_text('<html lang="de"><body><img src="{logo}" alt="{app}"><p>Code: <b>{code}</b> &lt;3</p></body></html>', "utf-8")
    rig.diary("tenant", "mail-template", "set", "my-day", "reauthentication_code", "de", "--file", str(words))
    rig.diary("tenant", "mail-template", "set", "my-day", "reauthentication_code", "de", "--html", str(html))
    rig.diary("tenant", "set", "my-day", "mail.logo=https://my-day.example/logo.png", "mail.footer=My Day, Wien")
    rig.wait_for_app("my-day")
    user.ask_code("proof")
    mail = wait_for(lambda: [m for m in rig.mails(user.address) if "Grüß dich" in m["Subject"]], 20, "the mail")[0]

    text, page = text_of(mail).replace("\r\n", "\n"), mail.get_body(("html",)).get_content()
    assert "Minuten gültig:" in text and "Pfiat di <b>!" in text and text.endswith("-- \nMy Day, Wien\n")
    assert '<img src="https://my-day.example/logo.png" alt="' in page and "&lt;3" in page
    listed = json.loads(rig.diary("tenant", "mail-template", "list", "my-day", "--json"))
    assert [(row["kind"], row["locale"], row["text"], row["html"]) for row in listed] == [("reauthentication_code", "de", True, True)]
    assert "mail_templates.reauthentication_code.de" in rig.diary("tenant", "acts", "my-day", "--json")

    rig.diary("tenant", "mail-template", "unset", "my-day", "reauthentication_code", "de")
    user.ask_code("proof")
    wait_for(lambda: [m for m in rig.mails(user.address) if "zur Bestätigung einer Änderung" in m["Subject"]], 20, "the service's German")


def test_every_kind_is_previewed_in_every_language_and_what_show_prints_can_be_set(rig, tmp_path):
    english = preview(rig)
    kinds = [line.removeprefix("== ") for line in english.splitlines() if line.startswith("== ")]
    assert len(kinds) == 12 and "{" not in english
    for locale, words in (("de-CH", "Dein Export"), ("es-MX", "Tu exportación"), ("fr", "Votre export"), ("it", "Your ")):
        assert f"Subject: {words}" in preview(rig, "--kind", "export_ready", "--locale", locale)
    file = tmp_path / "shown.txt"
    for kind in ("export_ready", "sign_in_code"):
        file.write_text(rig.diary("tenant", "mail-template", "show", "my-day", kind, "fr"), "utf-8")
        rig.diary("tenant", "mail-template", "set", "my-day", kind, "fr", "--file", str(file))
        rig.diary("tenant", "mail-template", "unset", "my-day", kind, "fr")
    assert preview(rig, "--kind", "export_ready", "--html").startswith("<!doctype html>")


WRONG = {
    "words without a subject": ("--file", "Hello\n\n{code}"),
    "another header in the subject": ("--file", "Subject: a\rBcc: eve@example.net\n\n{code}"),
    "a direction that changes": ("--file", "Subject: a\u202eb\n\n{code}"),
    "the code in the subject": ("--file", "Subject: {code}\n\n{code}"),
    "no code": ("--file", "Subject: a\n\nb"),
    "an unknown value": ("--file", "Subject: a\n\n{code}\n\n{password}"),
    "a script": ("--html", "<p>{code}</p><script>alert(1)</script>"),
    "a form": ("--html", '<form action="https://evil.example"><p>{code}</p></form>'),
    "a pixel": ("--html", '<p>{code}</p><img src="https://evil.example/p.gif" alt="">'),
    "an event": ("--html", '<p onclick="x()">{code}</p>'),
    "a style that fetches": ("--html", '<p style="background:url(https://evil.example/x)">{code}</p>'),
    "a code that is left out with the logo": ("--html", '<p><img src="{logo}" alt="My Day"> {code}</p>'),
    "a link that runs": ("--html", '<p>{code}</p><a href="javascript:alert(1)">x</a>'),
}


@pytest.mark.parametrize("name", WRONG)
def test_e8_words_that_could_do_harm_are_refused_with_a_reason_and_nothing_is_stored(rig, tmp_path, name):
    option, text = WRONG[name]
    file = tmp_path / "words"
    file.write_bytes(text.encode())
    done = run(rig, "tenant", "mail-template", "set", "my-day", "sign_in_code", "en", option, str(file))
    assert done.returncode == 1 and str(file) in done.stderr and "Traceback" not in done.stderr, done.stderr
    listed = json.loads(rig.diary("tenant", "mail-template", "list", "my-day", "--json"))
    assert [row for row in listed if row["kind"] == "sign_in_code"] == []


def test_wrong_arguments_are_named(rig, tmp_path):
    for words in (
        ("tenant", "mail-template", "set", "my-day", "no_such_kind", "en", "--file", "x"),
        ("tenant", "mail-template", "set", "my-day", "sign_in_code", "english!", "--file", "x"),
        ("tenant", "mail-template", "set", "my-day", "sign_in_code", "en"),
        ("mail", "preview", "--kind", "no_such_kind"),
        ("mail", "preview", "--html"),
        ("tenant", "set", "my-day", "mail.color=red"),
        ("tenant", "set", "my-day", "mail.logo=http://a.example/x.png"),
        ("tenant", "set", "my-day", "mail.topics=diary"),
        ("tenant", "set", "my-day", "mail.webhook_key=AAAA"),
    ):
        done = run(rig, *words)
        assert done.returncode != 0 and "Fatal" not in done.stderr, (words, done.stderr)
    absent = run(rig, "tenant", "mail-template", "set", "my-day", "sign_in_code", "en", "--file", str(tmp_path / "absent"))
    assert absent.returncode == 1 and "cannot be read" in absent.stderr


def test_mails_of_schedules_can_be_ended_by_one_click_whichever_way_they_leave(rig):
    message = email.message_from_string(preview(rig, "--kind", "export_ready", "--format", "eml"), policy=email.policy.default)
    assert message["List-Unsubscribe"] == "<https://example.org/unsubscribe/sample>"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click" and not message.defects
    ses = json.loads(preview(rig, "--kind", "export_ready", "--format", "ses"))
    raw = email.message_from_bytes(base64.b64decode(ses["Content"]["Raw"]["Data"]), policy=email.policy.default)
    assert raw["List-Unsubscribe"] == message["List-Unsubscribe"] and raw["List-Unsubscribe-Post"] == message["List-Unsubscribe-Post"]

    ours = json.loads(preview(rig, "--kind", "export_ready", "--format", "sendgrid"))
    text, html = (part["value"] for part in ours["content"])
    theirs = sdk.Mail(
        sdk.From(ours["from"]["email"], ours["from"]["name"]),
        sdk.To("anna@example.org"),
        ours["subject"],
        plain_text_content=text,
        html_content=html,
    )
    for name, value in (
        ("Auto-Submitted", "auto-generated"),
        ("List-Unsubscribe", "<https://example.org/unsubscribe/sample>"),
        ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
        ("Message-ID", ours["headers"]["Message-ID"]),
    ):
        theirs.add_header(sdk.Header(name, value))
    theirs.add_custom_arg(sdk.CustomArg("mail", ours["headers"]["Message-ID"][1:].partition("@")[0], p=0))
    theirs.tracking_settings = sdk.TrackingSettings(
        sdk.ClickTracking(False, False), sdk.OpenTracking(False), sdk.SubscriptionTracking(False), sdk.Ganalytics(False)
    )
    assert ours == theirs.get()
    assert "List-Unsubscribe" not in preview(rig, "--kind", "sign_in_code", "--format", "eml")
