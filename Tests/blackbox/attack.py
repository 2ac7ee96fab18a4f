"""What every answer to hostile input must be: documented, of the one error shape, and without a word from inside."""

import re
import socket

from contract import CONTRACT

INSIDE = re.compile(r"select |insert into|SQLSTATE|pg_|postgres|Fatal error|\.swift|libpq|0x[0-9a-f]{6,}|/tmp/|backtrace", re.I)


def harmless(response, *expected):
    """Never 5xx (but 503 and 507), problem+json for errors, in the contract, and nothing of the inside in it."""
    what = f"{response.request.method} {response.request.url[:200]} -> {response.status_code} {response.text[:300]}"
    assert response.status_code < 500 or response.status_code in (503, 507), what
    CONTRACT.check(response)
    if response.status_code >= 400 and response.request.method != "HEAD" and "text/html" not in response.headers["content-type"]:
        assert response.headers["content-type"].startswith("application/problem+json"), what
        assert not INSIDE.search(response.text), what
    if expected:
        assert response.status_code in expected, f"expected {expected}: {what}"
    return response


def raw(rig, data, seconds=5):
    """Sends bytes over one connection and reads until it closes or, after its first words, falls silent."""
    with socket.create_connection(("127.0.0.1", rig.port), timeout=20) as s:
        s.sendall(data)
        answer = b""
        try:
            while chunk := s.recv(65536):
                answer += chunk
                s.settimeout(seconds)
        except TimeoutError:
            pass
        return answer


def statuses(answer):
    return [int(s) for s in re.findall(rb"HTTP/1\.1 (\d{3}) ", answer)]


class Alive:
    """The processes of a rig: the same ones at the end as at the start."""

    def __init__(self, rig):
        self.rig, self.pids = rig, {name: p.pid for name, p in rig.processes.items()}

    def check(self):
        for name, pid in self.pids.items():
            process = self.rig.processes[name]
            assert process.pid == pid and process.poll() is None, f"{name} ended: {self.rig.log_text()[-2000:]}"
