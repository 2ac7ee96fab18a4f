"""Probes of places in lists and in the feed: a cursor that names what another person owns."""

import secrets
import uuid

from probe_scene import Ask, b64, unb64


class CursorProbes:
    """Rows of cursors; part of `Generator`."""

    def list_cursor(self, name, method, template, position, actor):
        late = bytes([2]) + (4_102_444_800 * 10**6).to_bytes(8, "big")
        owner = self.scene.owner
        own = {
            "listExports": ("owner's export", owner.exported),
            "listImports": ("owner's import", owner.importing),
            "listExportSchedules": ("owner's schedule", owner.schedule),
            "listEvents": ("owner's event", owner.event),
            "listTrash": ("owner's deleted entry", owner.gone),
            "listOnThisDay": ("owner's typed entry", owner.text),
        }[name]
        for label, target in (own, ("owner's entry", owner.voice)):

            def ask(identifier):
                text = b64(late + uuid.UUID(identifier).bytes)
                return Ask("GET", f"{template}?limit=200&cursor={text}", text)

            yield label, ask(target), ask(str(uuid.uuid4())), (200,) if actor.signed_in else (401,)

    def revision_cursor(self, name, method, template, position, actor):
        """A place in the list of one entry: it names a number, and the path the entry."""
        cursor = b64(bytes([3]) + (1 << 40).to_bytes(8, "big"))

        def ask(identifier):
            return Ask("GET", f"{template.replace('{id}', identifier)}?layer=edited&cursor={cursor}", identifier)

        yield "owner's entry", ask(self.scene.owner.voice), ask(str(uuid.uuid4())), (404,) if actor.signed_in else (401,)

    def report_cursor(self, name, method, template, position, actor):
        """A place in one report: it names a number, and the path the import."""
        cursor = b64(bytes([4]) + (1).to_bytes(8, "big"))

        def ask(identifier):
            return Ask("GET", f"{template.replace('{id}', identifier)}?cursor={cursor}", identifier)

        yield "owner's import", ask(self.scene.owner.importing), ask(str(uuid.uuid4())), (404,) if actor.signed_in else (401,)

    def since(self, name, method, template, position, actor):
        yield (
            "owner's place in the feed",
            Ask("GET", f"{template}?since={self.scene.owner.since}"),
            None,
            (200, 410) if actor.signed_in else (401,),
        )
        yield (
            "owner's place, one entry",
            Ask("GET", f"{template}?since={self.scene.owner.since}&limit=1"),
            None,
            (200, 410) if actor.signed_in else (401,),
        )

    def cursor(self, name, method, template, position, actor):
        bytes_ = unb64(self.scene.owner.cursor)
        for label, target in self.some(self.scene.ids("entry").items(), 5):
            for order in ("asc", "desc"):

                def ask(identifier):
                    text = b64(bytes_[:9] + uuid.UUID(identifier).bytes)
                    return Ask("GET", f"{template}?order={order}&limit=200&cursor={text}", text)

                yield f"{label} {order}", ask(target), ask(str(uuid.uuid4())), (200,) if actor.signed_in else (401,)

    def search_cursor(self, name, method, template, position, actor):
        bytes_ = unb64(self.scene.owner.cursor)
        for label, target in self.some(self.scene.ids("entry").items(), 5):

            def ask(identifier):
                text = b64(bytes_[:9] + uuid.UUID(identifier).bytes)
                return Ask("GET", f"{template}?q=lantern&limit=200&cursor={text}", text)

            yield label, ask(target), ask(str(uuid.uuid4())), (200,) if actor.signed_in else (401,)

    def searched_word(self, name, method, template, position, actor):
        """A word that stands in the owner's entries alone."""

        def ask(word):
            return Ask("GET", f"{template}?q={word}&limit=200", word)

        never = "lantern" + secrets.token_hex(6)
        yield "owner's word", ask(self.scene.owner.word), ask(never), (200,) if actor.signed_in else (401,)
