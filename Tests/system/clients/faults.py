"""What ends a step, and how a program is run in one."""

import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDER = ROOT / ".build/clients"
LINES = 40


class Fault(Exception):
    """The text says what is wrong."""


def raise_for(lines):
    if lines:
        more = f"\n  and {len(lines) - LINES} more" if len(lines) > LINES else ""
        raise Fault("\n".join(f"  {line[:300]}" for line in lines[:LINES]) + more)


def ran(name, command, seconds=900, cwd=ROOT, allowed=(0,), variables=None):
    """What it printed, which is kept in `FOLDER`/NAME.log."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    log = FOLDER / f"{name}.log"
    with log.open("w") as file:
        try:
            status = subprocess.run(
                [str(word) for word in command],
                stdout=file,
                stderr=subprocess.STDOUT,
                cwd=cwd,
                env=os.environ | (variables or {}),
                timeout=seconds,
            ).returncode
        except subprocess.TimeoutExpired:
            status = f"nothing within {seconds} s"
    text = log.read_text(errors="replace")
    if status not in allowed:
        raise Fault(f"  {command[0]} ended with {status}: {log.relative_to(ROOT)}\n" + "\n".join(text.splitlines()[-LINES:]))
    return text
