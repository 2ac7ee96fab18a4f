"""A service that knows issuers of our own in the place of Apple and Google."""

import secrets

import pytest

import http_client
from oidc import Providers, Visitor
from processes import wait_for
from rig import Rig


@pytest.fixture(scope="module")
def providers():
    both = Providers()
    yield both
    both.end()


@pytest.fixture(scope="module")
def service(providers):
    """A service that knows the issuers, with one app that takes both providers and one that takes none."""
    rig = Rig(**providers.settings())
    enable_providers(rig, providers)
    rig.tenant("quiet")
    rig.wait_for_app("quiet")
    yield rig
    rig.end()


def enable_providers(rig, providers, app="my-day"):
    rig.diary("tenant", "sign-in", app, "--apple-client-id", providers.apple_id, "--google-client-id", providers.google_id)
    wait_for(lambda: len(sign_in_methods(rig, app)) == 3, 15, "the app's sign-in methods")


def sign_in_methods(rig, app):
    return http_client.get(rig.url + "/v1/config", headers={"Diary-App": app}, timeout=5).json()["sign_in"]


@pytest.fixture
def visitor(service, providers):
    return Visitor(service, providers)


def sub():
    return "sub." + secrets.token_hex(12)


def relay():
    return f"{secrets.token_hex(5)}@privaterelay.appleid.com"


def without_id(body):
    return {k: v for k, v in body.items() if k != "request_id"}


def notify(service, token, expect=200):
    answer = http_client.post(service.url + "/v1/apple/notifications", json={"payload": token}, timeout=20)
    assert answer.status_code in (expect if isinstance(expect, tuple) else (expect,)), answer.text
    return answer.json()
