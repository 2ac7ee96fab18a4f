"""Runs a sandboxed program and writes down what it needed and touched: `python traced.py NOTES COMMAND…`.

Appends a line of JSON to NOTES: `memory`, the most bytes that a process of the command had resident; `sockets`, the sockets it made or used;
`opened`, the paths outside /usr and /job that it opened or tried to open. Both count from the start of ffprobe or ffmpeg: the sandbox needs
some of its own. The two are null where strace is missing or may not trace; the command runs all the same. Standard output and the end are
the command's.
"""

import ctypes
import json
import os
import re
import shutil
import signal
import sys
import tempfile

STRACE = ["strace", "-f", "-qq", "--seccomp-bpf", "-e", "trace=execve,open,openat,openat2,creat,socket,connect,bind,sendto,sendmsg"]
START = re.compile(r'execve\("[^"]*/(?:ffprobe|ffmpeg)".* = 0')
CALL = re.compile(r"\d+ +(\w+)\((?:AT_FDCWD, )?(?:\"([^\"]*)\")?")
SYSTEM = ("/usr/", "/lib/", "/lib64/", "/job/")
PR_SET_CHILD_SUBREAPER = 36


def run(words):
    """How the command ended, and the most memory of a process of it. bubblewrap leaves the first process of its namespace to be reaped."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    child, end, memory = os.posix_spawnp(words[0], words, os.environ), 0, 0
    while True:
        try:
            pid, status, usage = os.wait4(-1, 0)
        except ChildProcessError:
            return end, memory
        end, memory = status if pid == child else end, max(memory, usage.ru_maxrss * 1024)


def is_traceable():
    return shutil.which("strace") and run([*STRACE, "-o", "/dev/null", "true"])[0] == 0


def read(log):
    """What the calls after the program's start were; None when it never started."""
    is_started, sockets, opened = False, 0, set()
    for line in log:
        if START.search(line):
            is_started = True
        elif is_started and (call := CALL.match(line)):
            if call[1].startswith(("open", "creat")):
                if call[2] and not call[2].startswith(SYSTEM):
                    opened.add(call[2])
            elif call[1] != "execve":
                sockets += 1
    return {"sockets": sockets, "opened": sorted(opened)} if is_started else {"sockets": 0, "opened": []}


def main(notes, *command):
    found = {"sockets": None, "opened": None}
    if is_traceable():
        with tempfile.NamedTemporaryFile("r", errors="replace") as log:
            status, memory = run([*STRACE, "-o", log.name, *command])
            found = read(log)
    else:
        status, memory = run(command)
    with open(notes, "a") as file:
        file.write(json.dumps({"memory": memory, **found}) + "\n")
    if os.WIFSIGNALED(status):
        signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
