"""A request as an OpenAI-compatible server receives it: its raw bytes, the parts of its form, its JSON."""

import dataclasses
import json
import re


@dataclasses.dataclass
class Part:
    """Of a form. `headers` are the lines as they were sent."""

    headers: list
    name: str
    filename: str | None
    body: bytes


@dataclasses.dataclass
class Request:
    raw: bytes
    method: str
    path: str
    headers: list  # (name, value), as they were sent
    body: bytes
    at: float = 0
    answered: float | None = None
    """When the answer went out to a client that was there; None for a hang and for one that drips."""

    def header(self, name):
        found = [value for key, value in self.headers if key.lower() == name]
        assert len(found) < 2, f"{name} is there twice"
        return found[0] if found else None

    @property
    def parts(self):
        kind, _, boundary = self.header("content-type").partition("; boundary=")
        assert kind == "multipart/form-data" and boundary, kind
        marker = b"--" + boundary.encode()
        pieces = (b"\r\n" + self.body).split(b"\r\n" + marker)
        assert pieces[0] == b"" and pieces[-1] == b"--\r\n", "the form is not whole"
        return [self.part(piece) for piece in pieces[1:-1]]

    @staticmethod
    def part(piece):
        head, _, body = piece.partition(b"\r\n\r\n")
        assert head.startswith(b"\r\n")
        lines = head[2:].decode().split("\r\n")
        disposition = re.fullmatch(r'Content-Disposition: form-data; name="([^"]*)"(?:; filename="([^"]*)")?', lines[0])
        assert disposition, lines[0]
        return Part(lines, disposition[1], disposition[2], body)

    @property
    def fields(self):
        """The form as the description has it: a name with brackets is an array."""
        fields = {}
        for part in self.parts:
            value = part.body.decode("latin-1") if part.filename is not None else part.body.decode()
            if part.name.endswith("[]"):
                fields.setdefault(part.name[:-2], []).append(value)
            else:
                assert part.name not in fields, f"{part.name} is there twice"
                fields[part.name] = value
        return fields

    @property
    def file(self):
        return next(part for part in self.parts if part.filename is not None)

    @property
    def json(self):
        return json.loads(self.body)
