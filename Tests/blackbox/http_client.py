"""Calls over HTTP that always end: a call that names no timeout has one."""

import requests

PATIENCE = 60
"""Seconds without a byte of an answer: then it is a failure instead of a wait."""


class Session(requests.Session):
    def __init__(self):
        super().__init__()
        # Everything is on this machine; looking for proxies in the environment costs more than the call.
        self.trust_env = False

    def request(self, method, url, *rest, **more):
        more.setdefault("timeout", PATIENCE)
        answer = super().request(method, url, *rest, **more)
        # Without a charset requests guesses one from the bytes, which costs as much as a third of the call.
        answer.encoding = answer.encoding or "utf-8"
        return answer


def request(method, url, **more):
    """One call on a connection of its own."""
    with Session() as session:
        return session.request(method, url, **more)


def get(url, **more):
    return request("GET", url, **more)


def head(url, **more):
    return request("HEAD", url, **{"allow_redirects": False, **more})


def post(url, **more):
    return request("POST", url, **more)


def put(url, **more):
    return request("PUT", url, **more)


def patch(url, **more):
    return request("PATCH", url, **more)


def delete(url, **more):
    return request("DELETE", url, **more)


def options(url, **more):
    return request("OPTIONS", url, **more)
