"""A server that takes mail like SendGrid (`POST /v3/mail/send`) and Amazon SES (`POST /v2/email/outbound-emails`), and fails as it is told.

    with FakeMailAPI() as fake:
        fake.next("a@example.org", 503, (429, {"Retry-After": "2"}), "hang")  # what the next requests for an address get; then it works
        fake.url
        fake.mails("a@example.org")  # every request for it

A request that hangs is answered by nothing until `fake.end()` or `fake.drop()`, which cuts it.
"""

import base64
import collections
import email
import email.policy
import http.server
import json
import threading
import time

SENDGRID, SES = "/v3/mail/send", "/v2/email/outbound-emails"


class Sent:
    """One request."""

    def __init__(self, method, path, headers, body):
        self.method, self.path, self.headers, self.body, self.at = method, path, headers, body, time.time()
        self.json = json.loads(body)

    def header(self, name):
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)

    @property
    def raw(self):
        """SES: the message in its transfer form."""
        return base64.b64decode(self.json["Content"]["Raw"]["Data"])

    @property
    def message(self):
        return email.message_from_bytes(self.raw, policy=email.policy.default)

    @property
    def to(self):
        if self.path == SES:
            return self.json["Destination"]["ToAddresses"]
        return [to["email"] for one in self.json["personalizations"] for to in one["to"]]

    @property
    def text(self):
        if self.path == SES:
            return self.message.get_body(("plain",)).get_content()
        return next(part["value"] for part in self.json["content"] if part["type"] == "text/plain")

    @property
    def message_id(self):
        return self.message["Message-ID"] if self.path == SES else self.json["headers"]["Message-ID"]


class FakeMailAPI:
    def __init__(self):
        self.requests, self.scripted = [], collections.defaultdict(collections.deque)
        self.lock, self.dropped = threading.Lock(), threading.Event()
        fake = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                fake.answer(self)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        self.drop()
        self.server.shutdown()
        self.server.server_close()

    def next(self, address, *replies):
        with self.lock:
            self.scripted[address].extend(replies)

    def drop(self):
        """Cuts the requests that hang."""
        self.dropped.set()

    def mails(self, address):
        with self.lock:
            return [sent for sent in self.requests if sent.to == [address]]

    def answer(self, handler):
        body = handler.rfile.read(int(handler.headers["Content-Length"]))
        sent = Sent(handler.command, handler.path, handler.headers.items(), body)
        with self.lock:
            self.requests.append(sent)
            waiting = self.scripted[sent.to[0]] if len(sent.to) == 1 else None
            reply = waiting.popleft() if waiting else None
        if reply == "hang":
            self.dropped.wait(60)
            handler.close_connection = True
            return
        status, headers, words = self.refusal(sent, reply) if reply else self.success(sent)
        handler.send_response(status)
        for name, value in {**headers, "Content-Type": "application/json", "Content-Length": str(len(words))}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(words)

    def success(self, sent):
        if sent.path == SENDGRID:
            return 202, {"X-Message-Id": "14c5d75ce93"}, b""
        return 200, {}, json.dumps({"MessageId": "0100018a-example"}).encode()

    def refusal(self, sent, reply):
        """A status, or a status with fields; with the name of an error for SES: (400, {"x-amzn-ErrorType": "MessageRejected"}). Every refusal
        repeats what came, as answers of servers do: none of it may be logged."""
        status, headers = reply if isinstance(reply, tuple) else (reply, {})
        headers = dict(headers)
        message = headers.pop("message", f"refused: {sent.to[0]}: {sent.text}")
        body = {"message": message} if sent.path == SES else {"errors": [{"message": message, "field": None, "help": None}]}
        return status, headers, json.dumps(body).encode()
