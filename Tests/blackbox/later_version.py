"""A proxy that answers as a later version of the service may: every described object has one more member, and every string that may grow
(`x-extensible-enum`) a value that no client knows."""

import argparse
import http.client
import http.server
import json
import threading
import urllib.parse

from contract import CONTRACT, GROWING

MEMBER = "added_later"
VALUE = "value_of_a_later_version"
BY_HOP = {"connection", "content-length", "host", "keep-alive", "transfer-encoding"}


def later(schema, body):
    """The body as a later version may send it. A map, whose names are data, gets no member; a list of strings that may grow one more."""
    schema = CONTRACT.resolve(schema)
    if isinstance(body, dict):
        members = schema.get("properties", {})
        more = schema.get("additionalProperties")
        named = {name: later(members.get(name, more if isinstance(more, dict) else {}), inner) for name, inner in body.items()}
        return {**named, MEMBER: {"of": ["a later", "version"]}} if members else named
    if isinstance(body, list):
        items = CONTRACT.resolve(schema.get("items", {}))
        return [*body, VALUE] if GROWING in items else [later(items, inner) for inner in body]
    return VALUE if GROWING in schema and isinstance(body, str) else body


def answered(method, path, status, media, content):
    found = CONTRACT.find("GET" if method == "HEAD" else method, path.split("?")[0])
    if not (found and content and media.endswith("json")):
        return content
    responses = found[1]["responses"]
    described = CONTRACT.resolve(responses.get(str(status)) or responses["default"])
    return json.dumps(later(described["content"][media]["schema"], json.loads(content))).encode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    target = None

    def forward(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        service = http.client.HTTPConnection(self.target.hostname, self.target.port, timeout=60)
        try:
            service.request(self.command, self.path, body or None, self.kept(self.headers))
            answer = service.getresponse()
            content = answer.read()
        finally:
            service.close()
        media = answer.headers.get_content_type()
        if self.command != "HEAD":
            content = answered(self.command, self.path, answer.status, media, content)
        self.send_response_only(answer.status)
        for name, value in self.kept(answer.headers).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = forward

    def kept(self, headers):
        return {name: value for name, value in headers.items() if name.lower() not in BY_HOP}

    def log_message(self, *words):
        pass


class LaterVersion:
    def __init__(self, url, port=0):
        handler = type("Bound", (Handler,), {"target": urllib.parse.urlsplit(url)})
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *error):
        self.server.shutdown()
        self.server.server_close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    proxy = LaterVersion(options.url, options.port)
    print(proxy.url, flush=True)
    proxy.server.serve_forever()
