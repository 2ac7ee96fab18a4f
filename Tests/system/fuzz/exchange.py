"""One request on a raw socket, and what must not be in its answer."""

import json
import pathlib
import re
import socket

from attack import INSIDE, statuses


def megabytes(pid):
    return int(re.search(r"^VmRSS:\s+(\d+) kB", pathlib.Path(f"/proc/{pid}/status").read_text(), re.M)[1]) / 1024


def exchange(port, message, seconds=8):
    """Sends, ends its side, and reads what comes until the service ends its own. None: it did not within the time."""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as s:
        answer = b""
        try:
            s.sendall(message)
            s.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # Refused before all of it was sent.
        try:
            while piece := s.recv(65536):
                answer += piece
        except TimeoutError:
            return None
        except ConnectionResetError:
            pass
        return answer


def faults(answer):
    """What must not be in an answer to anything."""
    if answer is None:
        return ["left open"]
    found = [f"status {code}" for code in statuses(answer) if code >= 500]
    for part in re.split(rb"(?=HTTP/1\.1 \d{3} )", answer):
        head, _, body = part.partition(b"\r\n\r\n")
        status = re.match(rb"HTTP/1\.1 (\d{3})", head)
        if not status or int(status[1]) < 400 or not body:
            continue
        if b"application/problem+json" not in head.lower() and b"text/html" not in head.lower():
            found.append("an error of another shape")
        elif b"application/problem+json" in head.lower():
            try:
                problem = json.loads(body)
                if not {"type", "title", "status", "code", "request_id", "retryable", "errors"} <= set(problem) or problem["status"] != int(
                    status[1]
                ):
                    found.append("a problem of another shape")
            except ValueError:
                found.append("a problem that is not JSON")
        if INSIDE.search(body.decode(errors="replace")):
            found.append("words of the inside")
    return found
