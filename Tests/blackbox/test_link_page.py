"""The page behind the link of an export: in the reader's language, what is inside, nothing of the diary, and nothing that acts."""

import re
import secrets

import html5lib
import pytest

import http_client

TEXTS = {
    "en": (
        "Your",
        "1 entry",
        "recordings, texts (Markdown, TXT), data (JSON)",
        "entries with the tags that were asked for",
        "Download the zip",
    ),
    "de": ("Dein Export aus", "1 Eintrag", "Aufnahmen, Texte (Markdown, TXT)", "Einträge mit den gewünschten Tags", "Zip herunterladen"),
    "es": ("Tu exportación de", "1 entrada", "grabaciones, textos (Markdown, TXT)", "con las etiquetas pedidas", "Descargar el zip"),
    "fr": ("Votre export", "1 entrée", "enregistrements, textes (Markdown, TXT)", "avec les étiquettes demandées", "Télécharger le zip"),
}


@pytest.fixture(scope="module")
def linked(shared_rig):
    """A user, the link of an export by a tag, and the words that its page must not have."""
    user = shared_rig.user()
    words = [f"{word}{secrets.token_hex(4)}" for word in ("lantern", "marigold", "heron")]
    user.create_text(words[0], title=words[1], tags=[words[2]], recorded_at="2026-03-01T12:00:00Z")
    user.export(tags=[words[2]], formats=["txt", "md"])
    return user, user.export_links()[-1], [*words, user.address]


def read(link, accepted=None):
    headers = {"Accept": "text/html", **({"Accept-Language": accepted} if accepted else {})}
    return http_client.get(link, headers=headers, timeout=10)


def checked(page, language):
    """Nothing acts or comes from elsewhere, and a screen reader finds language, landmark and heading."""
    root = html5lib.HTMLParser(strict=True).parse(page.text)
    names = [element.tag.removeprefix("{http://www.w3.org/1999/xhtml}") for element in root.iter() if isinstance(element.tag, str)]
    assert root.attrib["lang"] == language and names.count("main") == names.count("h1") == names.count("title") == 1
    assert not {"script", "img", "iframe", "object", "embed", "base", "svg"} & set(names)
    for element in root.iter():
        assert not [name for name in getattr(element, "attrib", {}) if name.startswith("on") or name == "style"]
    assert re.findall(r'(?:src|href)="([^"]*)"', page.text) == re.findall(r'href="(data:image/svg\+xml,[^"]*)"', page.text)
    assert page.headers["content-security-policy"].startswith("default-src 'none'; style-src 'sha256-")


@pytest.mark.parametrize("language", TEXTS)
def test_the_page_is_in_the_language_of_the_account(linked, language):
    user, link, words = linked
    user.call("PATCH", "/v1/me", 200, json={"locale": f"{language}-CH"})
    page = read(link, "it, en;q=0.5")
    assert page.status_code == 200, page.text
    checked(page, language)
    for text in TEXTS[language]:
        assert text in page.text, text
    for word in words:
        assert word not in page.text


def test_a_page_for_no_account_is_in_the_language_of_the_browser(rig):
    for accepted, language in (("de-AT,de;q=0.9,en;q=0.5", "de"), ("fr", "fr"), ("es;q=0.1", "es"), ("tlh", "en"), (None, "en")):
        page = read(f"{rig.url}/exports/nonsense", accepted)
        assert page.status_code == 403
        checked(page, language)
