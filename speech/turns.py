"""Who is heard next: one thread hears, and recordings take turns at every window."""

import threading
import time
from concurrent.futures import Future


class Full(Exception):
    """As many wait as may. `seconds`: until the model is through with them, by its own pace."""

    def __init__(self, seconds):
        super().__init__()
        self.seconds = seconds


class Gone(Exception):
    """The client does not wait any longer."""


class Turn:
    def __init__(self, work, seconds, is_wanted):
        self.work, self.seconds, self.is_wanted = work, seconds, is_wanted
        self.since = time.monotonic()
        # A short recording passes one that is longer by more than the time that the longer one has waited: nobody waits for ever.
        self.due = self.since + seconds
        self.spent = 0.0
        self.answer = Future()


class Turns:
    def __init__(self, most):
        self.most = most
        self.waiting = []
        self.changed = threading.Condition()
        self.pace = 0.2
        """Seconds of work for a second of sound, measured."""
        self.began = None
        threading.Thread(target=self._run, daemon=True, name="hearing").start()

    def run(self, work, seconds, is_wanted):
        """The answer of a generator, which is advanced beside others. seconds: of sound; is_wanted: false when the client is gone."""
        turn = Turn(work, seconds, is_wanted)
        with self.changed:
            if len(self.waiting) >= self.most:
                raise Full(self.rest())
            self.waiting.append(turn)
            self.changed.notify()
        return turn.answer.result()

    def rest(self):
        """Seconds until everything that waits is done."""
        return sum(max(0, turn.seconds * self.pace - turn.spent) for turn in self.waiting)

    def state(self):
        """How many wait, for how long the first, and for how long the present window has been heard; in seconds."""
        with self.changed:
            now = time.monotonic()
            oldest = min((turn.since for turn in self.waiting), default=now)
            return {
                "waiting": len(self.waiting),
                "oldest_s": round(now - oldest, 1),
                "window_s": round(now - self.began, 1) if self.began else 0.0,
                "times_real_time": round(1 / self.pace, 1),
            }

    def _run(self):
        while True:
            with self.changed:
                self.changed.wait_for(lambda: self.waiting)
                turn = min(self.waiting, key=lambda turn: turn.due)
                self.began = time.monotonic()
            end = self._advance(turn)
            with self.changed:
                turn.spent += time.monotonic() - self.began
                self.began = None
                if end:
                    self.waiting.remove(turn)
            if end:
                end()

    def _advance(self, turn):
        """What ends the turn; None when it goes on."""
        try:
            if not turn.is_wanted():
                turn.work.close()
                raise Gone
            next(turn.work)
            return None
        except StopIteration as done:
            if turn.seconds >= 5:
                self.pace += 0.2 * (turn.spent / turn.seconds - self.pace)
            return lambda answer=done.value: turn.answer.set_result(answer)
        except Exception as error:  # noqa: BLE001  The request's thread raises it.
            return lambda error=error: turn.answer.set_exception(error)
