"""Where a service of the tests keeps its objects, and how tests see them past the service: a folder, or a bucket.

An object's name is (kind, tenant, user, object)."""

import contextlib
import os
import pathlib
import secrets

from s3_proxy import KINDS, S3Proxy
from s3_server import ACCESS_KEY, REGION, SECRET_KEY


class FolderStore:
    """The service receives uploads itself."""

    is_bucket = False

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.settings = {"DIARY_OBJECTS": str(folder)}

    def names(self, user=None):
        """Of all objects, or of one user's. Folders may go meanwhile, which `glob` does not take."""
        places = ((pathlib.Path(place), files) for kind in KINDS for place, _, files in os.walk(self.folder / kind))
        names = {(*place.relative_to(self.folder).parts, file) for place, files in places for file in files}
        return {name for name in names if len(name) == 4 and user in (None, name[2])}

    def files_of(self, user):
        """Everything of a user: objects, parts of uploads, what is half-written."""
        files = (f"{place}/{file}" for place, _, files in os.walk(self.folder) for file in files)
        return [file for file in files if user in file]

    def read(self, name):
        return self.path(name).read_bytes()

    def write(self, name, data):
        self.path(name).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.path(name).write_bytes(data)

    def remove(self, name):
        self.path(name).unlink()

    def half_written(self, with_marks=False):
        """What is on its way into the store; the sweeper's mark, which is written in each round, only when asked for."""
        found = [path for path in (self.folder / "tmp").rglob("*") if path.is_file()]
        return [path for path in found if with_marks or not path.name.startswith("sweep-mark-")]

    def leave_half(self, name):
        """Something half-written, as a process leaves it that dies."""
        (self.folder / "tmp" / name[-1]).write_bytes(b"half")

    def ahead(self):
        """Settings of a process whose clock is wrong, until the end of `with`."""
        return contextlib.nullcontext({})

    def path(self, name):
        return self.folder.joinpath(*name)


class BucketStore:
    """A new bucket. Clients upload to it past the service. Ends with its server."""

    is_bucket = True

    def __init__(self, url):
        # Loaded here: most runs have no bucket.
        import botocore.config
        import botocore.session

        self.url, self.bucket = url, f"tests-{secrets.token_hex(8)}"
        self.client = botocore.session.Session().create_client(
            "s3",
            region_name=REGION,
            endpoint_url=url,
            aws_access_key_id=ACCESS_KEY,
            aws_secret_access_key=SECRET_KEY,
            config=botocore.config.Config(s3={"addressing_style": "path"}, request_checksum_calculation="when_required"),
        )
        self.client.create_bucket(Bucket=self.bucket)
        self.address = f"s3://{self.bucket}/diary"
        self.access = {
            "DIARY_S3_ENDPOINT": url,
            "DIARY_S3_REGION": REGION,
            "DIARY_S3_ACCESS_KEY": ACCESS_KEY,
            "DIARY_S3_SECRET_KEY": SECRET_KEY,
        }
        self.settings = {"DIARY_OBJECTS": self.address, **self.access}

    def names(self, user=None):
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=self.bucket, Prefix="diary/")
        found = (tuple(entry["Key"].split("/")[1:]) for page in pages for entry in page.get("Contents", []))
        return {name for name in found if len(name) == 4 and name[0] in KINDS and user in (None, name[2])}

    def files_of(self, user):
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=self.bucket)
        keys = [entry["Key"] for page in pages for entry in page.get("Contents", [])]
        return [key for key in [*keys, *(upload["Key"] for upload in self.half_written())] if user in key]

    def read(self, name):
        return self.client.get_object(**self.place(name))["Body"].read()

    def write(self, name, data):
        self.client.put_object(**self.place(name), Body=data)

    def remove(self, name):
        self.client.delete_object(**self.place(name))

    def half_written(self, with_marks=False):
        """Uploads in parts that were neither joined nor aborted."""
        return self.client.list_multipart_uploads(Bucket=self.bucket).get("Uploads", [])

    def leave_half(self, name):
        self.client.create_multipart_upload(**self.place(name))

    @contextlib.contextmanager
    def ahead(self):
        """The service refuses what a wrong clock signs: a proxy signs it anew."""
        proxy = S3Proxy(self.url, signer=(ACCESS_KEY, SECRET_KEY, REGION))
        try:
            yield {"DIARY_S3_ENDPOINT": proxy.url}
        finally:
            proxy.end()

    def place(self, name):
        return {"Bucket": self.bucket, "Key": "/".join(("diary", *name))}
