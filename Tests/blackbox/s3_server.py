"""A private S3 service: Ceph's radosgw, which ends with the test."""

import pathlib
import subprocess
import tempfile

import botocore.config
import botocore.exceptions
import botocore.session

from processes import free_port, wait_for
from servers import ROOT

SCRIPT = ROOT / "Tests/TestServers/S3/radosgw.sh"
IS_INSTALLED = pathlib.Path("/usr/bin/radosgw").exists()


class S3Server:
    bucket = "diary"

    def __init__(self):
        self.port = free_port()
        self.process = subprocess.Popen(
            ["/bin/bash", SCRIPT, tempfile.mkdtemp(prefix="ds3-", dir="/tmp"), str(self.port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        try:
            assert self.process.stdout.readline() == b"started\n", "radosgw does not start"
            self.client = botocore.session.Session().create_client(
                "s3",
                endpoint_url=self.endpoint,
                region_name="us-east-1",
                aws_access_key_id="testaccesskey",
                aws_secret_access_key="testsecretkey",
                config=botocore.config.Config(s3={"addressing_style": "path"}, proxies={}),
            )
            wait_for(self.made, 90, "an answer of radosgw")
        except BaseException:
            self.end()
            raise

    @property
    def endpoint(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def settings(self):
        """Of a service whose DIARY_OBJECTS or DIARY_OBJECTS_ALSO is a bucket here."""
        return {"DIARY_S3_ENDPOINT": self.endpoint, "DIARY_S3_ACCESS_KEY": "testaccesskey", "DIARY_S3_SECRET_KEY": "testsecretkey"}

    def made(self):
        try:
            self.client.create_bucket(Bucket=self.bucket)
        except (botocore.exceptions.BotoCoreError, botocore.exceptions.ClientError):
            return False
        return True

    def keys(self, prefix=""):
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=self.bucket, Prefix=prefix)
        return [entry["Key"] for page in pages for entry in page.get("Contents", [])]

    def end(self):
        """The script ends, and removes its folder, when its input closes."""
        self.process.stdin.close()
        self.process.wait(30)
