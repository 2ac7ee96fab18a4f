"""A service with what its pages show: a diary with recordings, one of hostile words, exports, links that work and links that do not, mails."""

import collections.abc
import dataclasses
import pathlib
import subprocess

import http_client
from export_reading import FORMATS, exported
from hostile_words import ACT, WORDS
from processes import wait_for
from rig import Rig
from user import SAMPLE

LANGUAGES = {"en": "en-GB", "de": "de-AT", "es": "es-MX", "fr": "fr-CH"}
MARCH = {"from": "2026-03-01", "to": "2026-04-30"}
PART_BYTES = 500_000
"""Holds two long recordings of the owner and all of the hostile words, and not three long recordings."""
SPOKEN = [
    {"text": "This morning I went for a walk by the river before work.", "speaker": "A", "start": 0, "end": 4},
    {"text": "It was the quiet time of the morning.", "speaker": "B", "start": 4, "end": 8},
]
ANSWER = {
    "clean": " ".join(segment["text"] for segment in SPOKEN),
    "summary": "This morning I went for a walk by the river.",
    "key_points": ["It was the quiet time of the morning."],
}
WRITTEN = [
    {"recorded_at": "2026-03-02T23:30:00Z", "title": "Donaudampfschifffahrtsgesellschaftskapitänsmützenhalterung", "tags": ["Schiff"]},
    {"recorded_at": "2026-03-02T06:00:00Z", "title": "يوم هادئ عند النهر", "tags": ["نهر", "river"], "mood": "هادئ"},
    {"recorded_at": "2026-04-10T18:00:00Z", "time_zone": "Asia/Tokyo", "title": "Lantern", "mood": "calm", "favorite": True},
    {"recorded_at": "2026-04-11T18:00:00Z", "tags": [f"a tag number {number}" for number in range(12)]},
]

REFERENCE = "!!document.querySelector('#reference [role=search]')"


@dataclasses.dataclass
class Page:
    name: str
    url: str
    headers: dict = dataclasses.field(default_factory=dict)
    scripts: int = 0
    # Its lines are words of the service, which are to stay whole.
    is_read: bool = True
    # Of a page that a script draws: a condition that is true when it has, also after light and dark have changed.
    drawn: str = ""
    # Brings the account to the state in which the page is looked at.
    before: collections.abc.Callable | None = None


class Scene:
    def __init__(self, folder):
        self.folder = folder
        self.rig = Rig(DIARY_PROBE="ffmpeg", DIARY_EXPORT_PART_BYTES=str(PART_BYTES))
        try:
            self.make()
        except BaseException:
            self.rig.end()
            raise

    def make(self):
        rig = self.rig
        rig.diary("tenant", "set", "my-day", "cleanup.extras=title,summary,key_points,suggestions")
        rig.diary("tenant", "create", "hostile", "--name", f"<img src=x onerror={ACT}>", "--mail-from", "diary@example.org")
        rig.diary("tenant", "set", "hostile", f"mail.footer={WORDS[0]}", "mail.color=#e5c07b")
        rig.wait_for_app("hostile")
        rig.script("speech", segments=SPOKEN)
        rig.script("clean", answer=ANSWER)
        self.owner, self.attacker = rig.user(), rig.user(app="hostile")
        self.write()
        self.attack()
        rig.unscript()

    def write(self):
        user, short = self.owner, self.short()
        long = SAMPLE.read_bytes()
        days = [
            (1, long, "audio/mp4"),
            (2, short, "audio/wav"),
            (121, long, "audio/mp4"),
            (122, short, "audio/wav"),
            (123, long, "audio/mp4"),
        ]
        for day, audio, kind in days:
            when = f"2026-{3 + day // 30:02}-{day % 30:02}T12:00:00Z"
            fields = {"title": f"A walk, day {day}", "tags": ["river", "walk"], "mood": "calm", "allow_duplicate": True}
            user.wait_done(user.record(audio, recorded_at=when, content_type=kind, **fields))
        for place, fields in enumerate(WRITTEN):
            user.create_text(f"Words of a day, number {place}.\n\nThe second paragraph: {'water and stone ' * 20}", **fields)
        user.call("PATCH", "/v1/me", 200, json={"locale": LANGUAGES["en"]})

    def short(self):
        """Some seconds as WAV; a zip has what was uploaded where it plays."""
        file = self.folder / "short.wav"
        subprocess.run(["ffmpeg", "-v", "error", "-i", SAMPLE, "-t", "3", "-ar", "16000", "-ac", "1", file], check=True, timeout=60)
        return file.read_bytes()

    def attack(self):
        """Hostile words as titles, moods, tags, texts, segments and names of speakers."""
        user = self.attacker
        self.rig.script("speech", segments=[{"text": words, "speaker": words[:40]} for words in WORDS])
        spoken = user.record(title=WORDS[0], tags=[WORDS[1][:50]])
        user.wait_done(spoken)
        transcript = user.call("GET", f"/v1/entries/{spoken}/transcript", 200).json()
        names = {speaker["id"]: {"name": words[:60]} for speaker, words in zip(transcript["speakers"], reversed(WORDS), strict=False)}
        user.call("PATCH", f"/v1/entries/{spoken}/speakers", 200, json=names, headers={"If-Match": "*"})
        for place, words in enumerate(WORDS):
            fields = {"title": words, "mood": words[:50], "tags": sorted({w[:50] for w in WORDS[place % 4 * 20 :][:20]})}
            user.create_text("\n".join(WORDS) if place == 0 else words, recorded_at=f"2026-05-01T10:00:{place % 60:02}Z", **fields)

    def unpacked(self, name, user, **body):
        """The address of index.html, beside the files that were in the zip with it."""
        folder = self.folder / name
        exported(user, **body).archive.extractall(folder)
        return (folder / "index.html").as_uri()

    def speak(self, language):
        return lambda: self.owner.call("PATCH", "/v1/me", 200, json={"locale": LANGUAGES[language]})

    def link(self, user, **body):
        before = len(user.export_links())
        made = user.export(**body)
        return made["id"], wait_for(lambda: user.export_links()[before:], 20, "the mail")[0]

    def pages(self):
        yield from self.indexes()
        yield from self.links()
        yield from self.refusals()
        yield from self.unsubscribing()
        for name, path in {"docs": "/docs", "problems": "/problems", "problem": "/problems/link_expired"}.items():
            yield Page(name, self.rig.url + path)
        yield Page("reference", f"{self.rig.url}/docs/reference", scripts=1, is_read=False, drawn=REFERENCE)
        yield from self.mails("my-day", LANGUAGES)
        yield from self.mails("hostile", ["en"])

    def indexes(self):
        for language in LANGUAGES:
            self.speak(language)()
            url = self.unpacked(f"index-{language}", self.owner, formats=FORMATS, **MARCH)
            yield Page(f"index-{language}", url, scripts=1)
        self.speak("en")()
        yield Page("index-empty", self.unpacked("index-empty", self.owner, **{"from": "2020-01-01", "to": "2020-01-02"}), scripts=1)
        yield Page("index-hostile", self.unpacked("index-hostile", self.attacker, formats=["txt"]), scripts=1, is_read=False)

    def links(self):
        """The pages behind mailed links that work."""
        _, self.whole = self.link(self.owner, formats=FORMATS, **MARCH)
        _, self.parts = self.link(self.owner, formats=FORMATS)
        for language in LANGUAGES:
            yield Page(f"link-{language}", self.whole, before=self.speak(language))
            yield Page(f"link-parts-{language}", self.parts, before=self.speak(language))
        _, hostile = self.link(self.attacker, tags=[WORDS[1][:50]])
        yield Page("link-hostile", hostile, is_read=False)
        _, used = self.link(self.owner, **MARCH)
        while http_client.post(used + "/download", allow_redirects=False).status_code == 303:
            pass
        self.speak("en")()
        yield Page("link-used", used)

    def refusals(self):
        """What a browser is shown where a link has ended, is not one, or is asked for in another way."""
        revoked, gone = self.link(self.owner, **MARCH)
        self.owner.call("DELETE", f"/v1/exports/{revoked}", 204)
        addresses = {
            "gone": gone,
            "unknown": f"{self.rig.url}/exports/nonsense",
            "method": f"{self.whole}/download",
            "missing": f"{self.rig.url}/nothing",
        }
        for name, url in addresses.items():
            for language, locale in LANGUAGES.items():
                yield Page(f"{name}-{language}", url, {"Accept-Language": locale})

    def unsubscribing(self):
        self.schedule = self.stop_link()
        for language, locale in LANGUAGES.items():
            yield Page(f"unsubscribe-{language}", self.schedule, {"Accept-Language": locale})

    def stop_link(self):
        """Of a new schedule that has run once."""
        user = self.owner

        def named():
            return ["".join(m["List-Unsubscribe"].split()).strip("<>") for m in self.rig.mails(user.address) if m["List-Unsubscribe"]]

        before = len(named())
        terms = {"every": "week", "weekday": "tuesday"}
        schedule = user.call("POST", "/v1/export-schedules", 201, json=terms).json()["id"]
        user.call("POST", f"/v1/export-schedules/{schedule}/run", 202)
        return wait_for(lambda: named()[before:], 40, "the schedule's mail")[0]

    def mails(self, app, languages):
        """The HTML of every kind of mail."""
        folder = self.folder / f"mails-{app}"
        folder.mkdir()
        listed = self.rig.diary("mail", "preview", "--tenant", app).splitlines()
        for kind in (line.removeprefix("== ") for line in listed if line.startswith("== ")):
            for language in languages:
                words = ("--kind", kind, "--locale", LANGUAGES[language], "--format", "html")
                file = folder / f"{kind}-{language}.html"
                file.write_text(self.rig.diary("mail", "preview", "--tenant", app, *words), "utf-8")
                yield Page(f"mail-{app}-{kind}-{language}", file.as_uri(), is_read=app != "hostile")

    @property
    def index(self):
        return (pathlib.Path(self.folder) / "index-en" / "index.html").as_uri()
