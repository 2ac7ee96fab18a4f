"""Buckets of other makers, and what stands before them: a field that they refuse, a range that is the whole object, statuses of the network
between, a bucket in another region.

The service reaches its bucket through a proxy that answers as they do."""

import asyncio
import collections
import contextlib
import json
import secrets
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

import http_client
from processes import PROGRAM, wait_for
from rig import Rig
from s3_proxy import S3Proxy
from stores import BucketStore
from user import SAMPLE, sha256
from zips import day_one, day_one_entry, imported

FIELD = "x-amz-checksum-sha256"
MEANWHILE = 60
"""Seconds for a call that needs the bucket."""


def answer(status, body="", kind="application/xml", head=False, **fields):
    """An answer's bytes; `head`: to a HEAD, which has no body."""
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(body.encode())}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
    return ("\r\n".join(lines) + "\r\n\r\n" + ("" if head else body)).encode()


def document(code, message="", more=""):
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>{code}</Code><Message>{message}</Message>{more}</Error>'


def page(title):
    return f"<html>\r\n<head><title>{title}</title></head>\r\n<body>\r\n<center><h1>{title}</h1></center>\r\n<hr>\r\n</body>\r\n</html>\r\n"


class Between(S3Proxy):
    """`everything` answers a request, given it and `forward`, or says None for one that goes on; `users[id]`: so for a user's objects."""

    def __init__(self, url):
        self.everything, self.users, self.seen = None, {}, collections.Counter()
        super().__init__(url)

    async def answer(self, request):
        self.seen[request.method, request.target.split("?")[0]] += 1
        parts = request.target.split("?")[0].split("/")
        for rule in (self.everything, next((self.users[part] for part in parts if part in self.users), None)):
            found = rule(request, self.forward) if rule else None
            if asyncio.iscoroutine(found):
                found = await found
            if found:
                return found
        return await self.forward(request)


@pytest.fixture(scope="module")
def between(s3_url):
    between = Between(s3_url)
    yield between
    between.end()


@pytest.fixture(scope="module")
def store(s3_url):
    return BucketStore(s3_url)


def check(store, between, rule, **settings):
    """Status of `diary objects check`, and what it says: {check: (state, detail)}."""
    environment = {**store.settings, "DIARY_S3_ENDPOINT": between.url, **settings}
    between.everything = rule
    between.seen.clear()
    try:
        done = subprocess.run([PROGRAM, "objects", "check", "--json"], env=environment, capture_output=True, text=True, timeout=MEANWHILE)
    finally:
        between.everything = None
    assert done.returncode in (0, 2), done.stderr
    return done.returncode, {found["check"]: (found["state"], found["detail"]) for found in json.loads(done.stdout)["checks"]}


def faults(found):
    return {name: detail for name, (state, detail) in found.items() if state == "fault"}


# A field that is refused

REFUSALS = {
    "B2": ("400 Bad Request", document("InvalidArgument", f"Unsupported header '{FIELD}' received for this API call."), "application/xml"),
    "a store that has not got it": (
        "501 Not Implemented",
        document("NotImplemented", "A header you provided implies functionality that is not implemented"),
        "application/xml",
    ),
    "R2 of old": ("501 Not Implemented", document("NotImplemented", f"Header '{FIELD}' with value not implemented"), "application/xml"),
    "a store that finds it invalid": ("400 Bad Request", document("InvalidRequest", "Invalid checksum header"), "application/xml"),
    "a gateway's page": ("400 Bad Request", page("400 Bad Request"), "text/html"),
    "a gateway's page that has not got it": ("501 Not Implemented", page("501 Not Implemented"), "text/html"),
    "no word": ("501 Not Implemented", "", "text/plain"),
    "JSON": ("400 Bad Request", '{"error": "unsupported header"}', "application/json"),
    "a proxy that drops it": (
        "403 Forbidden",
        document("SignatureDoesNotMatch", "The request signature we calculated does not match the signature you provided."),
        "application/xml",
    ),
}
"""What answers an upload with the field."""


def refusing(status, body, kind):
    def rule(request, _):
        return answer(status, body, kind) if request.header(FIELD) is not None else None

    return rule


@pytest.mark.parametrize("name", REFUSALS)
def test_the_check_names_the_setting_for_buckets_that_refuse_the_checksum(store, between, name):
    status, found = check(store, between, refusing(*REFUSALS[name]))
    assert status == 2 and "DIARY_S3_CHECKSUMS" in " ".join(faults(found).values()), (name, faults(found))


@pytest.mark.parametrize("name", ["B2", "a proxy that drops it"])
def test_the_check_finds_nothing_when_the_checksum_is_left_out(store, between, name):
    status, found = check(store, between, refusing(*REFUSALS[name]), DIARY_S3_CHECKSUMS="0")
    assert (status, faults(found)) == (0, {}), name


OTHER_REFUSALS = {
    "every signed upload": lambda request: request.method == "PUT" and "X-Amz-Signature" in request.target,
    "every PUT": lambda request: request.method == "PUT",
}


@pytest.mark.parametrize("name", OTHER_REFUSALS)
def test_the_check_does_not_name_a_setting_that_does_not_help(store, between, name):
    refused = answer("400 Bad Request", document("InvalidArgument"))
    status, found = check(store, between, lambda request, _: refused if OTHER_REFUSALS[name](request) else None)
    assert status == 2 and "DIARY_S3_CHECKSUMS" not in str(found), (name, found)


def test_a_bucket_that_takes_all_needs_no_setting(store, between):
    status, found = check(store, between, None)
    assert status == 0 and "DIARY_S3_CHECKSUMS" not in str(found)


# Uploads without the field


@pytest.fixture(scope="module")
def rig(store, between):
    """Its bucket refuses the field, to clients as well."""
    rig = Rig(store=store, DIARY_S3_ENDPOINT=between.url, DIARY_S3_CHECKSUMS="0", DIARY_SPEECH_SLOTS="8")
    yield rig
    rig.end()


@pytest.fixture
def refuses(between):
    between.everything = refusing(*REFUSALS["B2"])
    yield between
    between.everything = None


def recording():
    return SAMPLE.read_bytes() + secrets.token_bytes(16)


def test_an_upload_whose_hash_was_announced_arrives_without_the_field(rig, refuses):
    user, audio = rig.user(), recording()
    made = user.create_voice(audio, sha256=sha256(audio))
    assert FIELD not in {name.lower() for name in made["upload"]["headers"]} and FIELD not in made["upload"]["url"].lower()
    user.put(made["upload"], audio)
    user.complete(made["entry_id"])
    assert user.wait_done(made["entry_id"])["sha256"] == sha256(audio)


WRONG = {
    "longer": (lambda audio: audio + b"x", {}),
    "shorter": (lambda audio: audio[:-1], {}),
    "of another type": (lambda audio: audio, {"Content-Type": "text/html"}),
}


@pytest.mark.parametrize("name", WRONG)
def test_such_an_upload_is_bound_to_its_length_and_type(rig, refuses, name):
    change, fields = WRONG[name]
    user, audio = rig.user(), recording()
    upload = user.create_voice(audio, sha256=sha256(audio))["upload"]
    refused = http_client.put(upload["url"], data=change(audio), headers={**upload["headers"], **fields})
    assert refused.status_code == 403 and not rig.store.names(user.id), name


def test_a_wrong_body_of_such_an_upload_is_found_by_the_worker_and_may_come_again(rig, refuses):
    user, audio = rig.user(), recording()
    made = user.create_voice(audio, sha256=sha256(audio))
    user.put(made["upload"], audio[:-1] + bytes([audio[-1] ^ 1]))
    user.complete(made["entry_id"])
    found = user.wait_done(made["entry_id"], status="failed")["processing"]
    assert (found["code"], found["action"]) == ("upload_hash_mismatch", "upload_again")
    again = user.call("POST", f"/v1/uploads/{made['entry_id']}/url", 200).json()
    user.put(again.get("upload", again), audio)
    user.complete(made["entry_id"])
    assert user.wait_done(made["entry_id"])["sha256"] == sha256(audio)


def test_parts_and_imports_with_a_hash_arrive_without_the_field(rig, refuses):
    user, audio = rig.user(), recording()
    made = user.create_voice(audio, sha256=sha256(audio), parts=True)
    (part,) = user.call("POST", f"/v1/uploads/{made['entry_id']}/parts", 200).json()["parts"]
    assert http_client.put(part["url"], data=audio, headers=part["headers"]).status_code == 200
    user.complete(made["entry_id"])
    content = day_one([day_one_entry()])
    assert imported(user, content, sha256=sha256(content))["counts"]["created"] == 1
    assert user.wait_done(made["entry_id"])["sha256"] == sha256(audio)


# A range that is the whole object


def whole(change):
    """Answers 200 where a range that was asked for is the whole object; `change`: what becomes of the fields and the body."""

    def rule(request, forward):
        async def found():
            head, _, body = (await forward(request)).partition(b"\r\n\r\n")
            status, *lines = head.decode("latin-1").split("\r\n")
            fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
            first, _, rest = fields.get("content-range", "bytes 1-").removeprefix("bytes ").partition("-")
            last, _, length = rest.partition("/")
            if " 206 " not in f"{status} " or first != "0" or int(last) + 1 != int(length):
                return head + b"\r\n\r\n" + body
            fields, body = change(fields, body)
            return "\r\n".join(["HTTP/1.1 200 OK", *(f"{name}: {value}" for name, value in fields.items()), "", ""]).encode() + body

        return found() if request.method == "GET" and request.header("range") else None

    return rule


def without(fields, *names):
    return {name: value for name, value in fields.items() if name not in names}


def chunked(body):
    half = len(body) // 2
    return b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in (body[:half], body[half:]) if chunk) + b"0\r\n\r\n"


WHOLE = {
    "with its length alone": lambda fields, body: (without(fields, "content-range"), body),
    "lakeFS, with the range": lambda fields, body: (fields, body),
    "in chunks, with the range": lambda fields, body: (without(fields, "content-length") | {"transfer-encoding": "chunked"}, chunked(body)),
    "without ranges at all": lambda fields, body: (without(fields, "content-range") | {"accept-ranges": "none"}, body),
    "from a cache": lambda fields, body: (without(fields, "content-range") | {"age": "12", "x-cache": "HIT", "vary": "Range"}, body),
}
"""Fields and body of the 200."""


@pytest.mark.parametrize("name", WHOLE)
def test_a_range_that_is_the_whole_object_may_be_answered_200(rig, store, between, name):
    user, audio = rig.user(), recording()
    between.users[user.id] = whole(WHOLE[name])
    entry = user.record(audio)
    assert user.wait_done(entry, 15)["size_bytes"] == len(audio), name
    assert played(user, entry) == (200, audio), name
    part = http_client.get(link(user, entry), headers={"Range": "bytes=100-199"})
    assert (part.status_code, part.content) == (206, audio[100:200]), name
    if name == next(iter(WHOLE)):
        assert imported(user, day_one([day_one_entry()]))["counts"]["created"] == 1, name
    status, found = check(store, between, whole(WHOLE[name]))
    assert (status, faults(found)) == (0, {}), name


def test_the_check_finds_a_bucket_that_knows_no_ranges_unless_it_can_be_used(rig, store, between):
    def rule(request, _):
        request.headers = [(name, value) for name, value in request.headers if name.lower() != "range"]

    status, found = check(store, between, rule)
    if status == 0:
        user, audio = rig.user(), secrets.token_bytes(1_000_000)
        between.users[user.id] = rule
        entry = user.record(SAMPLE.read_bytes() + audio)
        user.wait_done(entry)
        assert played(user, entry)[1].endswith(audio)
    else:
        assert faults(found), found


def link(user, entry):
    return user.audio_url(entry)


def played(user, entry):
    answered = http_client.get(link(user, entry), timeout=MEANWHILE)
    return answered.status_code, answered.content


# Statuses of what stands between

ELSEWHERE = {"Location": "https://elsewhere.example/login"}
STATUSES = {
    "408 of a balancer": ("408 Request Timeout", page("408 Request Time-out"), {}),
    "408 without a word": ("408 Request Timeout", "", {}),
    "425": ("425 Too Early", page("425 Too Early"), {}),
    "429 of a gateway": ("429 Too Many Requests", page("429 Too Many Requests"), {}),
    "429 as JSON": ("429 Too Many Requests", '{"message": "API rate limit exceeded"}', {"X-RateLimit-Remaining": "0"}),
    "499 of nginx": ("499 Client Closed Request", "", {}),
    "502 of nginx": ("502 Bad Gateway", page("502 Bad Gateway"), {}),
    "503 of HAProxy": ("503 Service Unavailable", page("503 Service Unavailable"), {}),
    "503 of Varnish": ("503 Backend fetch failed", page("503 Backend fetch failed"), {"X-Varnish": "32770"}),
    "504 of nginx": ("504 Gateway Time-out", page("504 Gateway Time-out"), {}),
    **{
        f"{number} of Cloudflare": (f"{number} <none>", page(f"{number}"), {"Server": "cloudflare"}) for number in (520, 521, 522, 523, 524)
    },
    "527 of Cloudflare": ("527 <none>", page("527: Railgun Error"), {"Server": "cloudflare"}),
    "530 of Cloudflare": ("530 <none>", "error code: 1033", {"Server": "cloudflare"}),
    "529": ("529 Site is overloaded", document("ServiceOverloaded"), {}),
    "598": ("598 Network read timeout error", "", {}),
    "599": ("599 Network connect timeout error", "", {}),
    "307 elsewhere": ("307 Temporary Redirect", page("307 Temporary Redirect"), ELSEWHERE),
    "308 elsewhere": ("308 Permanent Redirect", page("308 Permanent Redirect"), ELSEWHERE),
}
"""Status, body and fields of answers for a person's objects."""
LASTING = [
    "408 of a balancer",
    "425",
    "499 of nginx",
    "502 of nginx",
    "520 of Cloudflare",
    "529",
    "599",
    "307 elsewhere",
]
"""Those that also last for a while."""


def passing(status, body, fields):
    """Uploads of clients get through: a bucket's own address is often another one for them."""

    def rule(request, _):
        is_upload = request.method == "PUT" and "/staging/" in request.target
        return None if is_upload else answer(status, body, "text/html", request.method == "HEAD", **fields)

    return rule


def of_kind(kind, method, rule):
    return lambda request, forward: rule(request, forward) if request.method == method and f"/{kind}/" in request.target else None


@pytest.fixture(scope="module")
def listener(rig):
    """A person with a recording: (user, entry, its bytes)"""
    user, audio = rig.user(), recording()
    entry = user.record(audio)
    user.wait_done(entry)
    return user, entry, audio


@contextlib.contextmanager
def once(between, user, rule):
    """The first request for the person's objects that `rule` answers meets it."""
    left = [None]

    def first(request, forward):
        found = rule(request, forward) if left else None
        if found:
            left.clear()
        return found

    between.users[user.id] = first
    try:
        yield
    finally:
        del between.users[user.id]
    assert not left, "it was not met"


@pytest.mark.parametrize("name", [name for name in STATUSES if "elsewhere" not in name])
def test_a_status_of_the_network_between_that_comes_once_is_nobodys_error(between, listener, name):
    user, entry, audio = listener
    rule = passing(*STATUSES[name])
    with once(between, user, of_kind("audio", "GET", rule)):
        assert played(user, entry) == (200, audio), name
    other = recording()
    made = user.create_voice(other)
    user.put(made["upload"], other)
    with once(between, user, of_kind("staging", "HEAD", rule)):
        user.complete(made["entry_id"])
    user.wait_done(made["entry_id"])


class Course:
    """What one person meets while the bucket's answers are these, and afterwards."""

    def __init__(self, rig, rule):
        self.user, self.rule, self.waited = rig.user(), rule, set()
        self.audio = {"heard": recording(), "late": recording()}
        self.entries = {"heard": self.user.record(self.audio["heard"])}
        self.user.wait_done(self.entries["heard"])

    def meet(self):
        made = self.user.create_voice(self.audio["late"])
        self.user.put(made["upload"], self.audio["late"])
        self.entries["late"] = made["entry_id"]
        self.completed = self.user.call("POST", f"/v1/uploads/{self.entries['late']}/complete", timeout=MEANWHILE)
        self.played = http_client.get(link(self.user, self.entries["heard"]), timeout=MEANWHILE)
        self.user.call("POST", f"/v1/entries/{self.entries['heard']}/reprocess", 202, json={"stage": "transcribe"})

    def end(self):
        self.ends = [self.user.entry(entry)["status"] for entry in self.entries.values()]
        self.plays = {name: played(self.user, entry) for name, entry in self.entries.items()}


def met(rig, courses, which):
    """Waits until each course has a job that met the answers, and notes its code and state."""
    by_entry = {course.entries[which]: course for course in courses}
    query = "select subject::text, code, state from jobs where subject::text = any(%s) and code is not null and state <> 'done'"

    def all_met():
        for entry, code, state in rig.postgres.sql("diary", query, list(by_entry)):
            by_entry.pop(entry).waited.add((code, state))
        return not by_entry

    wait_for(all_met, MEANWHILE, f"a job of each that meets it ({which})")


@pytest.fixture(scope="module")
def courses(rig, between):
    """All at once: most of their time is waiting."""
    between.everything = None
    with ThreadPoolExecutor(10) as pool:
        found = dict(zip(LASTING, pool.map(lambda name: Course(rig, passing(*STATUSES[name])), LASTING), strict=True))
        everyone = list(found.values())
        between.users.update({course.user.id: course.rule for course in everyone})
        list(pool.map(Course.meet, everyone))
        met(rig, everyone, "heard")
        between.users.update({course.user.id: of_kind("audio", "PUT", course.rule) for course in everyone})
        for course in everyone:
            course.user.complete(course.entries["late"])
        met(rig, everyone, "late")
        between.users.clear()
        waiting = "select count(*)::int from entries where id = any(%s::uuid[]) and status not in ('transcribed', 'failed')"
        entries = [entry for course in everyone for entry in course.entries.values()]
        wait_for(lambda: rig.postgres.sql("diary", waiting, entries) == [(0,)], MEANWHILE, "the end of all entries")
        list(pool.map(Course.end, everyone))
    return found


@pytest.mark.parametrize("name", LASTING)
def test_a_status_of_the_network_between_passes_and_refuses_nothing_for_good(courses, name):
    course = courses[name]
    for answered in (course.completed, course.played):
        assert answered.status_code in (200, 202, 503), f"{name}: {answered.status_code} {answered.text[:300]}"
        assert answered.status_code != 503 or int(answered.headers["retry-after"]) >= 1, name
    assert course.waited <= {("storage_unavailable", "ready"), ("storage_unavailable", "leased")}, f"{name}: {course.waited}"
    assert course.ends == ["transcribed", "transcribed"], name
    assert course.plays == {which: (200, audio) for which, audio in course.audio.items()}, name


# A bucket in another region

REGIONS = {
    "AWS moved": (
        "301 Moved Permanently",
        document("PermanentRedirect", more="<Endpoint>b.s3.eu-central-1.amazonaws.com</Endpoint>"),
        "eu-central-1",
        "x-amz-bucket-region",
    ),
    "AWS moved, without a document": ("301 Moved Permanently", "", "ap-southeast-2", "X-Amz-Bucket-Region"),
    "Wasabi moved": (
        "301 Moved Permanently",
        document("PermanentRedirect", more="<Endpoint>s3.eu-west-2.wasabisys.com</Endpoint>"),
        "eu-west-2",
        "x-amz-bucket-region",
    ),
    "AWS for now": (
        "307 Temporary Redirect",
        document("TemporaryRedirect", more="<Endpoint>b.s3.eu-south-1.amazonaws.com</Endpoint>"),
        "eu-south-1",
        "x-amz-bucket-region",
    ),
    "AWS signed for another": (
        "400 Bad Request",
        document("AuthorizationHeaderMalformed", "the region 'us-east-1' is wrong", "<Region>eu-north-1</Region>"),
        "eu-north-1",
        "x-amz-bucket-region",
    ),
    "AWS says it in a document": (
        "400 Bad Request",
        document("AuthorizationHeaderMalformed", "the region 'us-east-1' is wrong; expecting 'sa-east-1'", "<Region>sa-east-1</Region>"),
        "sa-east-1",
        None,
    ),
    "Garage": (
        "400 Bad Request",
        document("AuthorizationHeaderMalformed", "unexpected scope: 20261129/us-east-1/s3/aws4_request", "<Region>garage</Region>"),
        "garage",
        None,
    ),
    "MinIO": (
        "400 Bad Request",
        document(
            "AuthorizationHeaderMalformed", "The authorization header is malformed; the region is wrong.", "<Region>eu-home-1</Region>"
        ),
        "eu-home-1",
        None,
    ),
    "AWS forbids": ("403 Forbidden", document("AccessDenied", "Access Denied"), "ca-central-1", "x-amz-bucket-region"),
}
"""Status, document, the region, and the field that has it, if any. A HEAD gets no document."""


@pytest.mark.parametrize("name", REGIONS)
def test_the_check_names_the_region_of_a_bucket_that_is_elsewhere(store, between, name):
    status, body, region, field = REGIONS[name]
    fields = {field: region} if field else {}
    code, found = check(store, between, lambda request, _: answer(status, body, head=request.method == "HEAD", **fields))
    said = " ".join(faults(found).values())
    assert code == 2 and region in said and "DIARY_S3_REGION" in said, f"{name}: {faults(found)}"
    assert max(between.seen.values()) < 4, f"{name}: {between.seen}"


def test_the_check_does_not_blame_the_region_that_is_set(store, between):
    """A key without rights, in the right region."""
    forbidden = {"x-amz-bucket-region": store.settings["DIARY_S3_REGION"]}
    body = document("AccessDenied", "Access Denied")
    code, found = check(store, between, lambda request, _: answer("403 Forbidden", body, head=request.method == "HEAD", **forbidden))
    assert code == 2 and faults(found) and "DIARY_S3_REGION" not in str(found), found
