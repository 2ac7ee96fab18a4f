"""Sends the service what no client should, and says whether it is the same process afterwards."""

import argparse
import secrets
import sys

import http_client
from attack import Alive
from conformance import conformance
from exchange import megabytes
from injections import injections
from rig import Rig
from send import malformed
from sqlmap import sqlmap


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32))
    parser.add_argument("--only", type=int)
    parser.add_argument("--sqlmap", action="store_true")
    return parser.parse_args()


def main():
    options = arguments()
    print(f"seed {options.seed}", flush=True)
    rig = Rig()
    try:
        alive, pid = Alive(rig), rig.processes["serve"].pid
        fine = True
        if options.requests:
            fine &= malformed(rig, options)
        if options.only is None:
            fine &= injections(rig)
            fine &= not options.sqlmap or sqlmap(rig)
        if options.minutes and options.only is None:
            before = megabytes(pid)
            fine &= conformance(rig, options)
            print(f"memory after schemathesis {before:.1f} -> {megabytes(pid):.1f} MB")
        alive.check()
        assert http_client.get(rig.url + "/readyz", timeout=10).status_code == 200
        print(
            f"the same processes as at the start ({', '.join(f'{n} {p}' for n, p in alive.pids.items())}); {'passed' if fine else 'FAILED'}"
        )
        return 0 if fine else 1
    except AssertionError as error:
        print(f"FAILED: {error}")
        return 1
    finally:
        rig.end()


if __name__ == "__main__":
    sys.exit(main())
