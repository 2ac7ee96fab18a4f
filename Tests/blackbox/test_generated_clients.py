"""Generated clients of each release against this service, and against one that has grown; none before the first.

Nothing is generated here: see scripts/clients."""

import sys

import pytest

import generated_clients
from client_job import ClientJob
from contract import CONTRACT
from contract_changes import version
from later_version import MEMBER, VALUE, LaterVersion, later
from released import releases

SERVED = [release for release in releases() if version(release.contract)[0] == version(CONTRACT.document)[0]]
CLIENTS = [(release, generator) for release in SERVED for generator in generated_clients.GENERATORS]


@pytest.fixture(params=CLIENTS, ids=lambda pair: f"{pair[1]}-{pair[0].version}")
def client(request, monkeypatch):
    """Makes the client of a release for an address."""
    release, generator = request.param
    archive = release.archive(generator)
    assert archive.exists(), f"scripts/clients --release writes {archive.name}"
    monkeypatch.setattr(sys, "path", [str(archive), *sys.path])
    return lambda url: generated_clients.made(generator, release.package(generator), url)


def test_a_generated_client_does_the_main_job_and_goes_on_when_the_service_grows(rig, client):
    ClientJob(client(rig.url), rig.outbox).run()
    with LaterVersion(rig.url) as proxy:
        ClientJob(client(proxy.url), rig.outbox, later=True).run()


def test_a_later_version_has_one_more_member_in_every_object_and_no_known_value_in_a_string_that_may_grow():
    entries = {"$ref": "#/components/schemas/EntryList"}
    entry = {"id": "1", "status": "failed", "processing": {"stage": "verify", "code": None}, "tags": ["a"]}
    grown = later(entries, {"items": [entry], "has_more": False})
    (first,) = grown["items"]

    assert grown.keys() - {"items", "has_more"} == {MEMBER} == first.keys() - entry.keys() == first["processing"].keys() - {"stage", "code"}
    assert first["status"] == first["processing"]["stage"] == VALUE and first["processing"]["code"] is None and first["tags"] == ["a"]
    upload = {"method": "PUT", "headers": {"Content-Type": "audio/mp4"}}
    assert later({"$ref": "#/components/schemas/SignedUrl"}, upload)["headers"] == upload["headers"]
    assert later({"type": "array", "items": {"type": "string", "x-extensible-enum": ["a"]}}, ["a"]) == ["a", VALUE]
