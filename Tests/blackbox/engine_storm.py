"""An engine that fails in every way, by the recording: what each one meets there, and what its requests, deaths and outcomes must have been."""

import collections
import dataclasses
import datetime
import hashlib
import itertools
import json
import re
import struct
import threading
import time

from openai_answers import words_of_file
from openai_replies import Reply, fault

Outcome = collections.namedtuple("Outcome", "verb code cause")
"""Of a job's run, as the worker logs it; the cause without the code before it."""

UNAVAILABLE, UNSUPPORTED = "speech_unavailable", "media_unsupported"
PASSING = {
    "429-after-1": Outcome("retry", UNAVAILABLE, "status 429"),
    "500": Outcome("retry", UNAVAILABLE, "status 500"),
    "502": Outcome("retry", UNAVAILABLE, "status 502"),
    "503": Outcome("retry", UNAVAILABLE, "status 503"),
    "cut": Outcome("retry", UNAVAILABLE, "the connection was cut"),
    "drip": Outcome("retry", "speech_timeout", "no answer in time"),
    "hang": Outcome("retry", "speech_timeout", "no answer in time"),
}
STOPPING = {
    "401": Outcome("retry", "engine_refused", "status 401"),
    "redirect-private": Outcome("retry", UNAVAILABLE, "redirected"),
}
"""The engine is not asked any more until an operator has acted."""
FINAL = {
    "413": Outcome("discard", "media_limits_exceeded", "status 413"),
    "400": Outcome("discard", UNSUPPORTED, "status 400"),
    "422": Outcome("discard", UNSUPPORTED, "status 422"),
}
DONE = Outcome("done", None, None)
FAULTS = [*PASSING, *STOPPING, *FINAL, "empty"]
CYCLE = [name for fault in FAULTS for name in (fault, None)] + [None] * 8
LONG_SECONDS, PART_SECONDS = 36, 12
"""Of a recording that is longer than the engine takes, and is heard in parts."""


def is_long(number):
    """One in each cycle, where no fault is met."""
    return number % len(CYCLE) == len(CYCLE) - 1


def met_by(number):
    """The fault that a recording meets, until a worker has written what came of it; None for none."""
    return CYCLE[number % len(CYCLE)]


def outcomes(number):
    """What the worker must log of its runs that asked the engine."""
    name = met_by(number)
    if name in FINAL:
        return [FINAL[name]]
    return [{**PASSING, **STOPPING}[name], DONE] if name in PASSING or name in STOPPING else [DONE]


def recording(number):
    """Of 0.3 s for the scripted probe, and in its last bytes the number; a long one is sound of 8,000 bytes a second, as that probe takes it.

    All long ones sound the same, so that their parts are the same bytes."""
    if not is_long(number):
        return b"recording".ljust(2_400, b".") + number.to_bytes(4, "big")
    sound = b"".join(bytes(168 if i // (8 + second) % 2 else 88 for i in range(8_000)) for second in range(LONG_SECONDS))
    head = struct.pack("<4sI8sIHHIIHH4sI", b"RIFF", 36 + len(sound), b"WAVEfmt ", 16, 1, 1, 8_000, 8_000, 1, 8, b"data", len(sound))
    return head + sound


def hint(number):
    """A word of the account that owns a long recording: its parts are encoded anew, and say nothing of where they come from."""
    return f"Recording{number}"


@dataclasses.dataclass
class Call:
    number: int
    part: int
    fault: str | None
    request: object

    @property
    def is_paid(self):
        return self.fault in (None, "empty") and self.request.answered is not None


class Storm:
    """What the engine hears, and the record of it.

    - calls: all requests, in the order in which they came.
    - repeated: those for a part whose words were stored when they came.
    - deaths: of each killed worker the moment, and the entries whose recognition it held.
    """

    def __init__(self, rig, elsewhere, delay):
        self.rig, self.elsewhere, self.delay = rig, elsewhere, delay
        self.calls, self.repeated, self.deaths = [], [], []
        self.entries, self.parts, self.met = {}, collections.defaultdict(list), set()
        self.lock, self.came = threading.Lock(), threading.Condition()
        self.database = rig.postgres.connect()

    def hears(self, request):
        number = self.number(request)
        name = met_by(number)
        with self.lock:
            digest = hashlib.sha256(request.file.body).digest()
            if digest not in self.parts[number]:
                self.parts[number].append(digest)
            call = Call(number, self.parts[number].index(digest), None, request)
            if name in FINAL or name == "empty" or number not in self.met:
                call.fault = name
            self.met.add(number)
            self.calls.append(call)
            if self.is_stored(call):
                self.repeated.append(call)
        with self.came:
            self.came.notify_all()
        time.sleep(self.delay)
        if call.fault == "redirect-private":
            return Reply(307, b"", (("Location", self.elsewhere),))
        return fault(call.fault) if call.fault else words_of_file(request)

    @staticmethod
    def number(request):
        hinted = re.fullmatch(r"Recording(\d+)", request.fields.get("prompt", ""))
        return int(hinted[1]) if hinted else int.from_bytes(request.file.body[-4:], "big")

    def is_stored(self, call):
        query = "select machine_version, (select count(*) from speech_parts p where p.entry_id = e.id) from entries e where id = %s"
        with self.database.cursor() as cursor:
            cursor.execute(query, [self.entries[call.number]])
            version, parts = cursor.fetchone()
        return bool(version) or call.part < parts

    def died(self, process):
        """After a worker's death: a fault whose outcome it had not written is met again."""
        query = "select subject::text, errors from jobs where kind = 'transcribe' and state = 'leased' and leased_by like %s"
        held = dict(self.rig.postgres.sql("diary", query, f"%/{process.pid}/%"))
        self.deaths.append((time.time(), set(held)))
        with self.lock:
            self.met -= {number for number, entry in self.entries.items() if held.get(entry) == 0}

    def explained(self, earlier, later):
        """Whether a worker that held the recording died between two calls for it."""
        entry = self.entries[earlier.number]
        return any(earlier.request.at <= at <= later.request.at and entry in held for at, held in self.deaths)

    def pairs(self):
        """Each two calls for one part, of which the later followed the earlier."""
        by_part = collections.defaultdict(list)
        for call in self.calls:
            by_part[call.number, call.part].append(call)
        return [pair for calls in by_part.values() for pair in itertools.pairwise(calls)]

    def paid_again(self):
        """The earlier was answered with words, and the later came all the same."""
        return [(one, two) for one, two in self.pairs() if one.is_paid]

    def impatient(self, acts):
        """The earlier was answered with the wait of a second, and the later came before; but for deaths, and for `acts` of the operator, which
        take some seconds from the moment noted."""

        def hurried(one, two):
            return any(one.request.at - 5 <= act <= two.request.at for act in acts)

        named = [(one, two) for one, two in self.pairs() if one.fault == "429-after-1" and one.request.answered]
        early = [(one, two) for one, two in named if two.request.at < one.request.answered + 1]
        return [(one, two) for one, two in early if not self.explained(one, two) and not hurried(one, two)]

    def logged(self):
        """The outcomes of runs that asked the engine, by entry, and the moments in which a refusal was logged."""
        runs, refusals = collections.defaultdict(list), []
        for line in self.rig.log_text().splitlines():
            # A killed worker's last line may be cut short.
            if '"job ended"' in line and '"transcribe"' in line and line.endswith("}"):
                read = json.loads(line)
                if read["outcome"] in ("done", "retry", "discard"):
                    code, cause = read.get("code"), read.get("cause")
                    runs[read["entry"]].append(Outcome(read["outcome"], code, cause and cause.removeprefix(f"{code}: ")))
            elif '"engine refuses the service' in line and line.endswith("}"):
                refusals.append(datetime.datetime.fromisoformat(json.loads(line)["ts"]).timestamp())
        return runs, refusals
