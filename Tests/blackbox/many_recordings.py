"""Many finished entries with recordings, without the work of making each: rows like a verified one's, and objects sealed as docs/sealed-format.md has it."""

import hashlib
import random
import secrets
import uuid

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from key_commands import wrapping

SEGMENT = 65_536
INSERT = """
insert into entries
select (jsonb_populate_record(null::entries, to_jsonb(e) || jsonb_build_object('id', n.id, 'object_id', n.object, 'change_number', n.number,
    'size_bytes', n.size, 'sha256', '\\x' || n.digest, 'personal', null, 'machine', null))).*
from entries e, unnest(%s::uuid[], %s::uuid[], %s::bigint[], %s::bigint[], %s::text[]) as n (id, object, number, size, digest)
where e.id = %s
"""


def derived(key, salt, info):
    return HKDF(hashes.SHA256(), 32, salt, info).derive(key)


def data_key(rig, user):
    """Key id and key of an account."""
    name, secret = rig.environment["DIARY_MASTER_KEYS"].split(":", 1)
    tenant = uuid.UUID(rig.tenants["my-day"])
    query = "select key_id::text, wrapped from user_keys where user_id = %s"
    key, wrapped = rig.postgres.sql("diary_keys", query, user.id)[0]
    key, wrapped = uuid.UUID(key), bytes(wrapped)
    additional = b"\x01" + tenant.bytes + uuid.UUID(user.id).bytes + key.bytes + len(name).to_bytes(4, "big") + name.encode()
    return key, AESGCM(wrapping(secret)).decrypt(wrapped[17:29], wrapped[29:], additional)


def sealed(plain, key_id, audio_key, object_id):
    salt = secrets.token_bytes(32)
    cipher = AESGCM(derived(audio_key, salt, b"diary/v1/object" + object_id.bytes))
    pieces = [plain[i : i + SEGMENT] for i in range(0, len(plain), SEGMENT)] or [b""]
    length = len(plain).to_bytes(8, "big")
    whole = [b"\x01" + key_id.bytes + salt + object_id.bytes + length]
    for number, piece in enumerate(pieces):
        index = number.to_bytes(8, "big")
        last = b"\x01" if number == len(pieces) - 1 else b"\x00"
        whole.append(cipher.encrypt(b"\0\0\0\0" + index, piece, b"\x01" + object_id.bytes + index + length + last))
    return b"".join(whole)


def content(entry):
    """The recording of an entry made here: other bytes and another length for each, most of them small."""
    source = random.Random(entry)
    return source.randbytes(200_000 if source.random() < 0.02 else source.randrange(1, 4_000))


def make(rig, user, template, count):
    """Entries of a user who has a verified one, `template`; their recordings in the folder of objects. Returns their ids.

    Their change numbers are negative, so that those that the service draws stay free."""
    key_id, key = data_key(rig, user)
    audio_key = derived(key, key_id.bytes, b"diary/v1/audio")
    folder = rig.folder / "objects/audio" / rig.tenants["my-day"] / user.id
    made = [(str(uuid.uuid4()), uuid.uuid4()) for _ in range(count)]
    rows = []
    for number, (entry, object_id) in enumerate(made):
        plain = content(entry)
        (folder / str(object_id)).write_bytes(sealed(plain, key_id, audio_key, object_id))
        rows.append((entry, str(object_id), -1 - number, len(plain), hashlib.sha256(plain).hexdigest()))
    # Each row counts its bytes in one row of the account, which a long transaction would make slow.
    for start in range(0, len(rows), 1_000):
        rig.postgres.sql("diary", INSERT, *(list(column) for column in zip(*rows[start : start + 1_000], strict=True)), template)
    return [entry for entry, _ in made]
