"""Compares what the pollers have with what the database holds and with what the writers were told."""

import bisect

from sync_writers import words_hash

DELETED = float("inf")


class Truth:
    """The database's rows by user, and their words as the listing by date gives them."""

    def __init__(self, rig, users):
        self.rows = {}
        for name, user in users.items():
            stored = rig.postgres.sql(
                "diary",
                "select id::text, case when deleted_at is null then personal_version end, case when deleted_at is null then status else 'deleted' end, "
                "to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"') from entries where user_id = %s",
                user.id,
            )
            words = dict(listing(user))
            self.rows[name] = {id: [version, status, updated, words.get(id)] for id, version, status, updated in stored}


def listing(user):
    cursor = None
    while True:
        page = user.call("GET", "/v1/entries", 200, params={"order": "asc", "limit": 200, **({"cursor": cursor} if cursor else {})}).json()
        for entry in page["items"]:
            yield entry["id"], words_hash(entry["text"])
        cursor = page["next_cursor"]
        if not cursor:
            return


def judge(truth, journal, pollers):
    """Counts, and the first faults in words."""
    told, lost = {}, 0
    for name, entry, version, words, _ in journal:
        if version is not None and words is not None:
            told[(name, entry, version)] = words
    faults = []
    # Acknowledged and no longer there: neither the row, nor at least a deletion.
    deleted = {(name, entry) for name, entry, version, _, _ in journal if version is None}
    for name, entry, version, words, _ in journal:
        row = truth.rows[name].get(entry)
        if row is None and (name, entry) not in deleted or row is not None and row[0] is not None and (version is None or row[0] < version):
            lost += 1
            faults.append(f"lost: {entry} version {version} was acknowledged, stored {row}")
        elif row is not None and row[0] == version and words is not None and row[3] != words:
            lost += 1
            faults.append(f"lost: the words of {entry} version {version}")
    counts = {
        "lost": lost,
        "missed": 0,
        "late": 0,
        "wrong_words": 0,
        "repeats": 0,
        "repeats_by_time": 0,
        "out_of_order": 0,
        "expired": 0,
        "afresh": 0,
        "pages": 0,
        "rows": 0,
    }
    for number, poller in enumerate(pollers):
        label = f"poller {number} ({poller['kind']})"
        faults += [f"{label}: {fault}" for fault in poller["faults"]]
        figures = poller["figures"]
        counts["repeats_by_time" if poller["kind"] == "time" else "repeats"] += figures["repeats"]
        for figure in ("out_of_order", "expired", "afresh", "pages", "rows"):
            counts[figure] += figures[figure]
        for name, diary in poller["diaries"].items():
            missed = differences(truth.rows[name], diary["rows"])
            counts["missed"] += len(missed)
            faults += [f"{label} missed {text}" for text in missed]
            late = overdue(name, truth.rows[name], diary, journal)
            counts["late"] += len(late)
            faults += [f"{label} had not seen {text}" for text in late]
            for entry, row in diary["rows"].items():
                if row[3] is not None and told.get((name, entry, row[0]), row[3]) != row[3]:
                    counts["wrong_words"] += 1
                    faults.append(f"{label}: words of {entry} version {row[0]} are not those that were acknowledged")
    return counts, faults


def differences(truth, copy):
    """A tombstone made older by the test was not sent again: only its being deleted is compared."""

    def same(row, other):
        return row == other or other is not None and row[0] is other[0] is None

    found = [f"{entry}: stored {row}, copy {copy.get(entry)}" for entry, row in truth.items() if not same(row, copy.get(entry))]
    # What the database has forgotten must be gone in the copy.
    return found + [f"the deletion of {entry}" for entry, row in copy.items() if entry not in truth and row[0] is not None]


def overdue(name, truth, diary, journal):
    """Acknowledged changes that a walk begun after their acknowledgement did not show; a deletion shows every version before it.
    Of what has been purged only the copies can tell."""
    starts = [began for began, _ in diary["walks"]]
    shown = {}
    for walk, entry, version in diary["seen"]:
        walks, versions = shown.setdefault(entry, ([], []))
        walks.append(walk)
        versions.append(DELETED if version is None else version)
    found = []
    for owner, entry, version, _, at in journal:
        if owner != name or entry not in truth:
            continue
        walk = bisect.bisect_right(starts, at)
        walks, versions = shown.get(entry, ([], []))
        until = bisect.bisect_right(walks, walk)
        if walk == len(starts):
            found.append(f"{entry} version {version}: no walk began after it")
        elif not until or versions[until - 1] < (DELETED if version is None else version):
            found.append(f"{entry} version {version} by the end of walk {walk}: {versions[:until][-1:]}")
    return found
