"""Probes of signed addresses: uploads, playback and mailed links. Every actor's token goes along and must not matter."""

import secrets
import urllib.parse
import uuid

from probe_scene import Ask, b64, moved, unb64


class LinkProbes:
    """Each method yields (label, foreign, missing, statuses) for one kind of position. Part of `probes.Generator`."""

    def upload_key(self, name, method, template, position, actor):
        asker = actor.user or self.scene.neighbour
        path, query = asker.target.split("?")
        headers = asker.upload["headers"]
        owner_path, owner_query = self.scene.owner.target.split("?")
        parts = owner_path.split("/")
        played = self.scene.owner.play.split("?")[0].split("/")
        targets = {
            "staged": owner_path,
            "kept": moved(owner_path, kind="audio", object=played[4]),
            "export": moved(owner_path, kind="export", object=self.scene.owner.exported),
            "asker's user, owner's object": moved(path, object=parts[5]),
            "owner's user, asker's object": moved(owner_path, object=path.split("/")[5]),
        }
        if position == "query:X-Amz-Credential":
            # The owner's own query, its credential or its signature being the asker's.
            own, theirs = dict(urllib.parse.parse_qsl(owner_query)), dict(urllib.parse.parse_qsl(query))
            query = urllib.parse.urlencode({**own, "X-Amz-Credential": theirs["X-Amz-Credential"] + "x"})
        elif position == "query:X-Amz-Signature":
            own, theirs = dict(urllib.parse.parse_qsl(owner_query)), dict(urllib.parse.parse_qsl(query))
            query = urllib.parse.urlencode({**own, "X-Amz-Signature": theirs["X-Amz-Signature"]})
        for label, target in self.some(targets.items(), 3):

            def ask(where):
                return Ask("PUT", f"{where}?{query}", where, headers, data=b"a" * 64)

            yield label, ask(target), ask(moved(target, object=str(uuid.uuid4()))), (400, 403)
        yield (
            "no signature",
            Ask("PUT", owner_path, owner_path, headers, data=b"a"),
            Ask("PUT", moved(owner_path, object=str(uuid.uuid4())), "", headers, data=b"a"),
            (400, 403),
        )

    def upload_set(self, name, method, template, position, actor):
        """The owner's set of parts in the asker's address, and the asker's in the owner's."""
        asker = actor.user or self.scene.neighbour
        headers = asker.part["headers"]
        (path, query), (owner_path, owner_query) = (
            (where, dict(urllib.parse.parse_qsl(text)))
            for where, text in (part.split("?") for part in (asker.part_target, self.scene.owner.part_target))
        )

        def ask(where, parameters, upload):
            return Ask("PUT", f"{where}?{urllib.parse.urlencode({**parameters, 'uploadId': upload})}", where, headers, data=b"a" * 64)

        never = str(uuid.uuid4())
        for label, where, parameters in (
            ("owner's set in asker's address", path, query),
            ("owner's set in owner's address, asker's signature", owner_path, query),
        ):
            yield label, ask(where, parameters, owner_query["uploadId"]), ask(where, parameters, never), (403,)

    def recording(self, name, method, template, position, actor):
        asker = actor.user or self.scene.neighbour
        owner_path, owner_query = self.scene.owner.play.split("?")
        path, query = asker.play.split("?")
        part = {"path:tenant": 2, "path:user": 3, "path:object": 4, "path:filename": 5}.get(position)

        def ask(words, text, headers=None):
            return Ask("GET", "/".join(words) + "?" + text, "/".join(words), headers or {})

        own, theirs = owner_path.split("/"), path.split("/")
        if part is None:
            mixed = urllib.parse.urlencode(
                {**dict(urllib.parse.parse_qsl(owner_query)), "signature": dict(urllib.parse.parse_qsl(query))["signature"]}
            )
            yield "asker's signature", ask(own, mixed), ask(own[:4] + [str(uuid.uuid4())] + own[5:], mixed), (403,)
            yield (
                "none",
                Ask("GET", owner_path, owner_path),
                Ask("GET", "/".join(own[:4] + [str(uuid.uuid4())] + own[5:]), ""),
                (400, 403, 422),
            )
            return
        never = str(uuid.uuid4()) if part < 5 else "2026-03-01_12-00-00_" + secrets.token_hex(4) + ".m4a"
        # With the asker's own address, this part being the owner's; and with the owner's, all but this part being right.
        if own[part] != theirs[part]:
            yield (
                "owner's part in asker's address",
                ask(theirs[:part] + [own[part]] + theirs[part + 1 :], query),
                ask(theirs[:part] + [never] + theirs[part + 1 :], query),
                (403,),
            )
            yield (
                "asker's part in owner's address",
                ask(own[:part] + [theirs[part]] + own[part + 1 :], owner_query),
                ask(own[:part] + [never] + own[part + 1 :], owner_query),
                (403,),
            )
        yield "owner's address, asker's query", ask(own, query), ask(own[:4] + [str(uuid.uuid4())] + own[5:], query), (403,)
        if self.long:
            yield (
                "with a range",
                ask(own, query, {"Range": "bytes=0-1"}),
                ask(own[:4] + [str(uuid.uuid4())] + own[5:], query, {"Range": "bytes=0-1"}),
                (403,),
            )

    def unsubscribe(self, name, method, template, position, actor):
        """The owner's schedule under every other signature that the owner has."""
        owner = self.scene.owner
        named, expires, signature = owner.link.split(".")
        parts = unb64(named)[:32]

        def ask(schedule, end):
            text = f"{b64(parts + uuid.UUID(schedule).bytes)}.{end}"
            return Ask(method, template.replace("{token}", text), text)

        ends = {"export link's signature": signature, "none": "", "link's end": expires, "playback": owner.play.split("signature=")[1]}
        for label, end in self.some(ends.items(), 2):
            yield label, ask(owner.schedule, end), ask(str(uuid.uuid4()), end), (403,)

    def link(self, name, method, template, position, actor):
        asker = actor.user or self.scene.neighbour
        named, expires, signature = self.scene.owner.link.split(".")
        _, their_expires, their_signature = asker.link.split(".")
        bytes_ = unb64(named)
        never = b64(bytes_[:32] + uuid.uuid4().bytes)
        query = "?" + asker.file.split("?")[1] if name == "getExportFile" else ""
        revoked = b64(bytes_[:32] + uuid.UUID(self.scene.owner.revoked).bytes)
        pairs = {
            "asker's signature": (named, never, f"{their_expires}.{their_signature}"),
            "revoked": (revoked, never, f"{expires}.{signature}"),
            "no signature": (named, never, f"{expires}."),
            "later": (named, never, f"{int(expires) + 86400}.{signature}"),
            "download's signature": (named, never, f"{expires}.{self.scene.owner.file.split('signature=')[1]}"),
        }
        for label, (foreign, missing, end) in self.some(pairs.items(), 3):
            for accept in ("*/*", "text/html") if self.long else ("*/*",):

                def ask(text):
                    return Ask(method, template.replace("{token}", f"{text}.{end}") + query, text, {"Accept": accept})

                yield f"{label} {accept}", ask(foreign), ask(missing), (403,)
        if position == "query:signature":
            # The owner's link as it is, but an address of the file that was never taken from it.
            for label, text in (
                ("asker's", query),
                ("none", "?expires=1&signature="),
                ("link's own", f"?expires={expires}&signature={signature}"),
            ):
                never_link = f"{never}.{expires}.{signature}"
                yield (
                    f"{label} file query",
                    Ask("GET", f"/exports/{self.scene.owner.link}/file{text}", self.scene.owner.link),
                    Ask("GET", f"/exports/{never_link}/file{text}", never_link),
                    (403, 410, 422),
                )
