"""What devices say of themselves and of people: languages, time zones, addresses with white space around them, empty texts, domains
beyond ASCII. Nobody is kept out for it, and what is kept is what the device meant."""

import concurrent.futures
import datetime
import re
import secrets
import zoneinfo

import pytest

from mail import code_of
from oidc import Visitor
from processes import wait_for
from provider_scene import sub

PASSWORD, NEXT = "a long enough passphrase 7", "another long passphrase 8"


class Newcomer(Visitor):
    """Signs up by mail, with whatever its device says."""

    def codes(self, count):
        """The newest code, when so many have come to the address."""

        def found():
            codes = [code for mail in self.rig.mails(self.address) if (code := code_of(mail))]
            return codes[-1] if len(codes) >= count else None

        return wait_for(found, 30, f"code {count}")

    def ask(self, path, expect, **body):
        return self.call("POST", path, expect, json=body).json()

    def arrive(self, typed=None, headers=None, device=(), **said):
        """A whole sign-up. `typed`: the address as it is typed; `device`: what is sent with the code beside it."""
        typed = typed or self.address
        body = {"email": typed, "password": PASSWORD, **said}
        sent = self.call("POST", "/v1/auth/email/register", 202, json=body, headers=headers or {}).json()
        verified = {"email": typed, "code": self.codes(1), "request": sent["request"], **dict(device)}
        self.use(self.ask("/v1/auth/email/verify", 200, **verified))
        return self.tokens["profile"]


def local_part():
    return secrets.token_hex(8)


@pytest.fixture(scope="module")
def newcomer(service, providers):
    return lambda domain="example.org": Newcomer(service, providers, address=f"{local_part()}@{domain}")


@pytest.fixture(scope="module")
def arrivals(newcomer):
    """All sign-ups by mail are under way before the first is looked at. An input by kind and name -> the profile, or why there is none."""

    def arrive(said):
        return newcomer().arrive(**said)

    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        yield {key: pool.submit(arrive, said) for key, said in ARRIVALS.items()}


@pytest.fixture(scope="module")
def diarist(newcomer):
    made = newcomer()
    made.arrive(time_zone=HOME)
    return made


def by_provider(visitor, provider, **said):
    who = sub()
    return visitor.enter(provider, who, body={**visitor.answer(provider, who), **said})["profile"]


# -- Languages

LOCALES = {
    "Android 14: degrees": ("en-US-u-mu-celsius", ["en-US"]),
    "Android 14: a first day": ("de-DE-u-fw-mon", ["de-DE"]),
    "Android 14: everything": ("de-DE-u-co-phonebk-ca-gregory-fw-mon-hc-h23-mu-celsius-nu-latn", ["de-DE"]),
    "iOS: a calendar": ("ja-JP-u-ca-japanese", ["ja-JP"]),
    "iOS: another region's forms": ("en-GB-u-rg-dezzzz", ["en-GB"]),
    "iOS: digits": ("ar-SA-u-ca-islamic-umalqura-nu-arab", ["ar-SA"]),
    "iOS: an identifier": ("de_DE", ["de-DE"]),
    "iOS: an identifier with a script": ("zh-Hans_CN", ["zh-Hans-CN"]),
    "iOS: a fixed one": ("en_US_POSIX", ["en-US"]),
    "iOS: an identifier with keywords": ("en_US@calendar=buddhist;currency=EUR", ["en-US"]),
    "iOS: a language with another region": ("en_DE", ["en-DE"]),
    "Java: Locale.toString": ("pt_BR", ["pt-BR"]),
    "Java: Locale.toString with a script": ("zh_CN_#Hans", ["zh-Hans-CN", "zh-CN"]),
    "Java: Locale.toString with an extension": ("th_TH_#u-nu-thai", ["th-TH"]),
    "Java: old Hebrew": ("iw", ["iw", "he"]),
    "Java: old Hebrew with a region": ("iw_IL", ["iw-IL", "he-IL"]),
    "Java: old Indonesian": ("in-ID", ["in-ID", "id-ID"]),
    "Java: old Yiddish": ("ji", ["ji", "yi"]),
    "Norwegian": ("no", ["no", "nb"]),
    "Norwegian, as phones say it": ("nb-NO", ["nb-NO", "no-NO"]),
    "Filipino": ("fil-PH", ["fil-PH", "tl-PH"]),
    "Tagalog": ("tl", ["tl", "fil"]),
    "POSIX": ("de_DE.UTF-8", ["de-DE"]),
    "POSIX with a modifier": ("de_DE.UTF-8@euro", ["de-DE"]),
    "POSIX with a script": ("sr_RS@latin", ["sr-Latn-RS", "sr-RS"]),
    "Chrome with LANG=C": ("en-US@posix", ["en-US"]),
    "Node with LANG=C": ("en-US-u-va-posix", ["en-US"]),
    "three letters": ("deu", ["deu", "de"]),
    "three letters, the other code": ("ger-DE", ["ger-DE", "deu-DE", "de-DE"]),
    "three letters alone": ("gsw-CH", ["gsw-CH"]),
    "a region in digits": ("es-419", ["es-419"]),
    "a script and a region": ("zh-Hans-CN", ["zh-Hans-CN"]),
    "a script without a region": ("sr-Latn", ["sr-Latn"]),
    "private use": ("en-US-x-twain", ["en-US"]),
    "a transcription": ("ja-JP-t-it", ["ja-JP"]),
    "more than 35 characters of variants": (
        "sl-Latn-IT-rozaj-biske-1994-nedis-solba-lipaw",
        ["sl-Latn-IT", "sl-Latn-IT-rozaj-biske-1994-nedis"],
    ),
    "more than 35 characters of private use": ("fr-CA-x-" + "-".join(["abcdefgh"] * 6), ["fr-CA"]),
    "in capitals": ("EN-us", ["en-US"]),
    "Chinese in three parts": ("zh-min-nan", ["nan", "zh", "zh-nan", "zh-min-nan"]),
    "Cantonese": ("zh-yue-HK", ["yue-HK", "zh-HK", "zh-yue-HK"]),
}
"""The tag, and how it may be kept: language, script and region, by its own code or the one that stands for it now."""
NO_LANGUAGE = {
    "POSIX: C": "C",
    "POSIX: C with a code set": "C.UTF-8",
    "POSIX: POSIX": "POSIX",
    "ICU: root": "root",
    "Java: undetermined": "und",
    "a page: undefined": "undefined",
    "a page: null": "null",
    "empty": "",
    "blanks": "  ",
    "private use alone": "x-default",
    "words": "Deutsch (Deutschland)",
}


def is_kept(shown, forms):
    assert shown and shown.lower() in {form.lower() for form in forms}, (shown, forms)


@pytest.mark.parametrize("name", LOCALES)
def test_a_locale_keeps_nobody_out_at_a_sign_up_by_mail(arrivals, name):
    is_kept(arrivals["locale", name].result()["locale"], LOCALES[name][1])


@pytest.mark.parametrize("name", LOCALES)
def test_a_locale_keeps_nobody_out_at_a_sign_up_by_a_provider(visitor, name):
    tag, forms = LOCALES[name]
    is_kept(by_provider(visitor, ("apple", "google")[len(name) % 2], locale=tag)["locale"], forms)


@pytest.mark.parametrize("name", LOCALES)
def test_a_locale_and_a_language_are_taken_by_profile_and_entries(diarist, name):
    tag, forms = LOCALES[name]
    changed = diarist.call("PATCH", "/v1/me", 200, json={"locale": tag, "languages": [tag, "en"]}).json()
    is_kept(changed["locale"], forms)
    is_kept(changed["languages"][0], forms)
    made = diarist.create_text("words", language=tag)
    is_kept(made["entry"]["language"], forms)
    path = f"/v1/entries/{diarist.create_text('words')['entry_id']}"
    is_kept(diarist.call("PATCH", path, 200, json={"language": tag}, headers={"If-Match": "*"}).json()["language"], forms)


HEARD = {
    "de-DE-u-mu-celsius": ["de-DE"],
    "de_DE.UTF-8": ["de-DE"],
    "deu": ["de", "deu"],
    "ger-AT": ["de-AT", "deu-AT", "ger-AT"],
    "eng_US": ["en-US", "eng-US"],
}
"""Tags of German and English, which the scripted engine knows."""


@pytest.mark.parametrize("tag", HEARD)
def test_a_recording_is_heard_in_the_language_that_the_device_meant(diarist, tag):
    is_kept(diarist.wait_done(diarist.record(language=tag))["language"], HEARD[tag])


@pytest.mark.parametrize("name", NO_LANGUAGE)
def test_what_is_no_language_is_as_none_at_a_sign_up(arrivals, visitor, name):
    shown = arrivals["no language", name].result()["locale"], by_provider(visitor, "apple", locale=NO_LANGUAGE[name])["locale"]
    assert set(shown) <= ({None, "und"} if NO_LANGUAGE[name] == "und" else {None})


def test_a_language_of_the_registry_that_is_no_tag_of_today_keeps_nobody_out(arrivals, visitor):
    for shown in (arrivals["locale", "Klingon"].result()["locale"], by_provider(visitor, "google", locale="i-klingon")["locale"]):
        assert shown in (None, "tlh", "i-klingon")


def test_what_is_no_language_leaves_the_one_that_the_request_prefers(arrivals):
    assert arrivals["locale", "C beside Accept-Language"].result()["locale"].lower().startswith("de")


# -- Time zones

HOME, AT = "America/Los_Angeles", datetime.datetime(2026, 2, 3, 20, 0, tzinfo=datetime.UTC)
"""At this moment of winter it is the next day east of UTC+4."""
HOME_OFFSET = -480

KNOWN = {
    "an old name of Kolkata": ("Asia/Calcutta", 330),
    "an old name of Kathmandu": ("Asia/Katmandu", 345),
    "the old name of Kyiv": ("Europe/Kiev", 120),
    "the new name of Kyiv": ("Europe/Kyiv", 120),
    "an old name of Los Angeles": ("US/Pacific", -480),
    "three letters": ("EST", -300),
    "three letters, a digit, three letters": ("CST6CDT", -360),
    "GMT": ("GMT", 0),
    "UTC": ("UTC", 0),
    "a fixed one of the database": ("Etc/GMT-2", 120),
    "a name in small letters": ("europe/berlin", 60),
}
"""The name, and the minutes by which its clock is ahead of UTC."""
FIXED = {
    "Java": ("GMT+05:30", 330),
    "Java, west": ("GMT-03:00", -180),
    "Java, one digit": ("GMT+5:30", 330),
    "Java: an offset": ("+02:00", 120),
    "Java: an offset, west": ("-09:30", -570),
    "Java: no offset": ("Z", 0),
    "Swift": ("GMT+0530", 330),
    "Swift, west": ("GMT-0330", -210),
    "Python": ("UTC+05:45", 345),
    "Python, west": ("UTC-03:00", -180),
    "an hour without minutes": ("UTC+2", 120),
    "Dart": ("+0900", 540),
    "JavaScript: an hour without minutes": ("GMT+10", 600),
}
UNKNOWN = {
    "Chrome": ("Etc/Unknown", []),
    "Linux": ("localtime", []),
    "Windows: Berlin": ("W. Europe Standard Time", [60]),
    "Windows: Tokyo": ("Tokyo Standard Time", [540]),
    "Windows: New York": ("Eastern Standard Time", [-300]),
    "Windows: as it is shown": ("(UTC+01:00) Amsterdam, Berlin, Bern, Rom, Stockholm, Wien", [60]),
    "a page: undefined": ("undefined", []),
    "a name with a blank behind it": ("Europe/Berlin ", [60]),
    "empty": ("", []),
    "blanks": ("  ", []),
}
"""The text, and the minutes that it may be taken for instead of none."""
NOWHERE = {"a typing error": ("Europe/Berlln", []), "another world": ("Mars/Olympus", [])}
"""Unknown too, and refused for an entry, where nobody is kept out by it."""
FIXED_FORM = re.compile(r"(?:UTC|GMT|UT)?(?:([+-])(\d\d?)(?::?(\d\d))?)?|Z")


def minutes(zone):
    """By which the clock of a zone or a fixed offset is ahead of UTC then."""
    found = FIXED_FORM.fullmatch(zone)
    if found:
        sign, hours, rest = found.groups(default="0")
        return (-1 if sign == "-" else 1) * (60 * int(hours) + int(rest))
    name = next(name for name in zoneinfo.available_timezones() if name.lower() == zone.lower())
    return int(AT.astimezone(zoneinfo.ZoneInfo(name)).utcoffset().total_seconds() // 60)


ZONES = {
    **{("known", name): (zone, [offset]) for name, (zone, offset) in KNOWN.items()},
    **{("fixed", name): (zone, [offset, None]) for name, (zone, offset) in FIXED.items()},
    **{("unknown", name): (zone, [*offsets, None]) for name, (zone, offsets) in UNKNOWN.items()},
}
"""By its group and name: what the device says, and the minutes that may come of it; None stands for the zone that counts without one."""


def zone_ids(zones):
    return [pytest.param(key, id=" ".join(key)) for key in zones]


AT_SIGN_UP = {**ZONES, **{("nowhere", name): (zone, [None]) for name, (zone, _) in NOWHERE.items()}}


@pytest.mark.parametrize("key", zone_ids(AT_SIGN_UP))
def test_a_zone_keeps_nobody_out_at_a_sign_up(arrivals, visitor, key):
    zone, offsets = AT_SIGN_UP[key]
    allowed = {0 if offset is None else offset for offset in offsets}
    for shown in (arrivals["zone", key].result()["time_zone"], by_provider(visitor, "google", time_zone=zone)["time_zone"]):
        assert minutes(shown) in allowed, shown


def is_consistent(entry, offsets):
    """The zone that is shown is one that was meant or the account's, and the day is that of its clock."""
    offset = minutes(entry["time_zone"])
    assert offset in {HOME_OFFSET if meant is None else meant for meant in offsets}, entry["time_zone"]
    if None in offsets and offset == HOME_OFFSET:
        assert entry["time_zone"] == HOME
    assert entry["local_date"] == (AT + datetime.timedelta(minutes=offset)).date().isoformat(), entry


@pytest.fixture(scope="module")
def batched(diarist):
    """One batch with an entry of each zone."""
    said = {"kind": "text", "text": "words", "recorded_at": AT.isoformat()}
    operations = [{"op": "create", "entry": {**said, "time_zone": zone}} for zone, _ in ZONES.values()]
    results = diarist.call("POST", "/v1/entries/batch", 200, json={"operations": operations}).json()["results"]
    return dict(zip(ZONES, results, strict=True))


@pytest.mark.parametrize("key", zone_ids(ZONES))
def test_words_are_not_refused_for_a_zone(diarist, batched, key):
    zone, offsets = ZONES[key]
    made = diarist.create_text("words", recorded_at=AT.isoformat(), time_zone=zone)["entry"]
    is_consistent(made, offsets)
    spoken = diarist.create_voice(recorded_at=AT.isoformat(), time_zone=zone)["entry"]
    is_consistent(spoken, offsets)
    at_once = batched[key]
    assert at_once["status"] == 201, at_once
    is_consistent(at_once["entry"], offsets)


@pytest.mark.parametrize("key", zone_ids(key for key in ZONES if key[0] == "fixed"))
def test_corrected_words_are_not_refused_for_a_fixed_offset(diarist, key):
    zone, offsets = ZONES[key]
    entry = diarist.create_text("words", recorded_at=AT.isoformat())["entry_id"]
    body = {"text": "better words", "time_zone": zone}
    changed = diarist.call("PATCH", f"/v1/entries/{entry}", 200, json=body, headers={"If-Match": "*"}).json()
    assert changed["text"] == "better words"
    is_consistent(changed, offsets)


# -- White space around addresses

AROUND = {
    "nothing": ("", ""),
    "a blank behind": ("", " "),
    "a blank before": (" ", ""),
    "blanks on both sides": ("  ", "   "),
    "a tab behind": ("", "\t"),
    "a no-break space behind": ("", "\u00a0"),
    "a no-break space before": ("\u00a0", ""),
    "a line end behind": ("", "\n"),
    "a line end of Windows behind": ("", "\r\n"),
    "a zero-width space behind": ("", "\u200b"),
    "a byte order mark before": ("\ufeff", ""),
    "an ideographic space behind": ("", "\u3000"),
    "a narrow space behind": ("", "\u202f"),
    "several kinds": ("\u00a0 ", " \u200b\n"),
}


@pytest.fixture(scope="module")
def walks(newcomer):
    """Each goes with its white space through every operation that takes an address."""

    def walk(around):
        person, new = newcomer(), f"{local_part()}@example.org"
        typed = around[0] + person.address + around[1]
        sent = person.ask("/v1/auth/email/register", 202, email=typed, password=PASSWORD)
        person.codes(1)
        assert person.ask_code("sign_up", email=typed, request=sent["request"]) == sent["request"]
        person.use(person.ask("/v1/auth/email/verify", 200, email=typed, code=person.codes(2), request=sent["request"]))
        assert person.tokens["profile"]["email"] == person.address
        assert person.ask("/v1/auth/email", 200, email=typed, password=PASSWORD)["user"]["id"] == person.id
        request = person.ask_code("sign_in", email=typed)
        assert person.ask("/v1/auth/email", 200, email=typed, code=person.codes(3), request=request)["user"]["id"] == person.id
        request = person.ask_code("new_password", email=typed)
        reset = {"email": typed, "code": person.codes(4), "request": request, "password": NEXT}
        person.use(person.ask("/v1/auth/email/reset/confirm", 200, **reset))
        request = person.ask_code("new_email", email=around[0] + new + around[1])
        person.address = new
        person.call("POST", "/v1/me/email/confirm", 204, json={"code": person.codes(1), "request": request})
        return person.call("GET", "/v1/me", 200).json()["email"], new

    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        yield {name: pool.submit(walk, around) for name, around in AROUND.items()}


@pytest.mark.parametrize("name", AROUND)
def test_white_space_around_an_address_is_no_part_of_it(walks, name):
    shown, new = walks[name].result()
    assert shown == new


@pytest.mark.parametrize("address", ["anna maria@example.org", "anna@exam ple.org", "anna @example.org", " ", "\u00a0"])
def test_white_space_within_an_address_is_refused(newcomer, address):
    refused = newcomer().call("POST", "/v1/auth/email/register", 422, json={"email": address, "password": PASSWORD}).json()
    assert [error["pointer"] for error in refused["errors"]] == ["/email"]


# -- Empty and absent

NOTHING = {"empty": "", "null": None, "a blank": " ", "blanks": "   ", "a tab": "\t", "a no-break space": "\u00a0"}
SILENT = [
    *[("apple", (member,), name) for member in ("device", "authorization_code", "name") for name in NOTHING],
    *[("google", (member,), name) for member in ("device", "name") for name in NOTHING],
    *[("apple", ("device", "authorization_code", "name", "locale", "time_zone"), name) for name in NOTHING],
]


def grants(service, user):
    return service.postgres.sql("diary", "select count(*) from apple_grants where user_id = %s", user)[0][0]


@pytest.mark.parametrize("provider, members, name", [pytest.param(*item, id=f"{item[0]} {'+'.join(item[1])} {item[2]}") for item in SILENT])
def test_what_says_nothing_is_as_absent_at_a_sign_in_by_a_provider(service, visitor, providers, provider, members, name):
    asked = providers.apple.hits["/token"]
    profile = by_provider(visitor, provider, **{member: NOTHING[name] for member in members})
    assert (profile["name"], profile["locale"], profile["time_zone"]) == (None, None, "UTC")
    (session,) = visitor.call("GET", "/v1/sessions", 200).json()["items"]
    assert session["device"] is None
    assert grants(service, visitor.id) == 0 and providers.apple.hits["/token"] == asked


@pytest.mark.parametrize("name", NOTHING)
def test_a_code_that_says_nothing_is_as_absent_where_apple_is_linked(service, visitor, name):
    by_provider(visitor, "google")
    body = {"provider": "apple", **visitor.answer("apple", sub()), "authorization_code": NOTHING[name]}
    visitor.call("POST", "/v1/me/identities", 201, json=body)
    assert grants(service, visitor.id) == 0


@pytest.mark.parametrize("name", NOTHING)
def test_a_device_that_says_nothing_is_as_absent_at_a_sign_in_by_mail(diarist, name):
    body = {"email": diarist.address, "password": PASSWORD, "device": NOTHING[name], "device_token": NOTHING[name]}
    signed_in = diarist.ask("/v1/auth/email", 200, **body)
    shown = diarist.call("GET", "/v1/sessions", 200).json()["items"]
    assert [session["device"] for session in shown if session["id"] == signed_in["session_id"]] == [None]


@pytest.mark.parametrize("name", NOTHING)
def test_what_says_nothing_is_as_absent_at_a_sign_up_by_mail(arrivals, name):
    profile = arrivals["nothing", name].result()
    assert (profile["name"], profile["locale"], profile["time_zone"]) == (None, None, "UTC")


# -- Domains beyond ASCII

BOOKS, MARKET = "xn--bcher-kva.example", "xn--r8jz45g.xn--zckzah"
DOMAINS = {
    "ASCII, in capitals": ("books.example", "BOOKS.example", "books.example"),
    "an umlaut": ("bücher.example", BOOKS, BOOKS),
    "an umlaut, the other way round": (BOOKS, "bücher.example", BOOKS),
    "in capitals": ("BÜCHER.example", "bücher.example", BOOKS),
    "its ASCII form in capitals": (BOOKS.upper(), "bücher.example", BOOKS),
    "decomposed, as macOS writes it": ("bu\u0308cher.example", "b\u00fccher.example", BOOKS),
    "composed, then decomposed": ("b\u00fccher.example", "BU\u0308CHER.example", BOOKS),
    "Japanese": ("例え.テスト", MARKET, MARKET),
    "Japanese with an ideographic dot": ("例え\u3002テスト", "例え.テスト", MARKET),
    "a full-width dot": ("bücher\uff0eexample", "bücher.example", BOOKS),
    "a half-width dot": ("bücher\uff61example", BOOKS, BOOKS),
    "full-width letters": ("\uff42\uff55\uff4f\uff4b.example", "buok.example", "buok.example"),
    "a sharp s": ("faß.example", "xn--fa-hia.example", "xn--fa-hia.example"),
    "a Turkish i without a dot": ("ıi.example", "xn--i-eka.example", "xn--i-eka.example"),
    "a Turkish capital I with a dot": ("İSTANBUL.example", "xn--istanbul-o0e.example", "xn--istanbul-o0e.example"),
    "Greek with a final sigma": ("βόλος.example", "xn--nxasmm1c.example", "xn--nxasmm1c.example"),
    "Cyrillic": ("ПОЧТА.пример", "почта.пример", "xn--80a1acny.xn--e1afmkfd"),
    "Hebrew": ("דוגמה.example", "xn--6dbbec0c.example", "xn--6dbbec0c.example"),
    "Hindi": ("उदाहरण.example", "xn--p1b6ci4b4b3a.example", "xn--p1b6ci4b4b3a.example"),
    "below another": ("mail.bücher.example", f"mail.{BOOKS}", f"mail.{BOOKS}"),
    "a blank behind it": ("bücher.example ", BOOKS, BOOKS),
}
"""The domain as it is typed at the sign-up, as at the sign-in, and the one that mail goes to."""
NO_DOMAIN = {
    "an emoji": "anna@i❤.example",
    "an emoji alone": "anna@😀.example",
    "a label that is too long": f"anna@{'ü' * 60}.example",
    "letters before the @": "änna@bücher.example",
    "an empty label": "anna@bücher..example",
    "an empty label by ideographic dots": "anna@bücher\u3002\u3002example",
    "a blank within": "anna@bü cher.example",
    "a slash": "anna@bücher.example/a",
    "two @": "anna@bücher@example.org",
    "a mark at the beginning": "anna@\u0308bucher.example",
}


@pytest.fixture(scope="module")
def foreigners(newcomer):
    def come(domains):
        first, then, ascii_form = domains
        person = newcomer(ascii_form)
        local = person.address.partition("@")[0]
        person.arrive(typed=f"{local}@{first}")
        return person.id, [person.ask("/v1/auth/email", 200, email=f"{local}@{d}", password=PASSWORD)["user"]["id"] for d in (first, then)]

    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        yield {name: pool.submit(come, domains) for name, domains in DOMAINS.items()}


@pytest.mark.parametrize("name", DOMAINS)
def test_both_forms_of_a_domain_lead_to_one_account(foreigners, name):
    person, found = foreigners[name].result()
    assert found == [person, person]


@pytest.mark.parametrize("name", NO_DOMAIN)
def test_what_is_no_domain_is_refused(newcomer, name):
    for path in ("/v1/auth/email/register", "/v1/auth/email"):
        refused = newcomer().call("POST", path, 422, json={"email": NO_DOMAIN[name], "password": PASSWORD}).json()
        assert [error["pointer"] for error in refused["errors"]] == ["/email"]


def test_a_sharp_s_is_not_two(newcomer):
    """IDNA 2008: they are two domains, of two people."""
    sharp, double = newcomer("xn--strae-oqa.example"), newcomer("strasse.example")
    local = sharp.address.partition("@")[0]
    double.address = f"{local}@strasse.example"
    sharp.arrive(typed=f"{local}@straße.example")
    double.arrive()
    assert sharp.id != double.id


ARRIVALS = {
    **{("locale", name): {"locale": tag} for name, (tag, _) in LOCALES.items()},
    **{("no language", name): {"locale": tag} for name, tag in NO_LANGUAGE.items()},
    ("locale", "Klingon"): {"locale": "i-klingon"},
    ("locale", "C beside Accept-Language"): {"locale": "C", "headers": {"Accept-Language": "de-AT,de;q=0.9"}},
    **{("zone", key): {"time_zone": zone} for key, (zone, _) in AT_SIGN_UP.items()},
    **{
        ("nothing", name): {"name": nothing, "locale": nothing, "time_zone": nothing, "device": {"device": nothing}}
        for name, nothing in NOTHING.items()
    },
}
"""Sign-ups by mail, by kind and name of the input."""
