"""A tab: one page at a time, its looks, keys, requests, and what its policy has refused."""

import base64

from chromium import Broken

KEYS = {
    "Tab": {"key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9},
    "Enter": {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"},
    "Backspace": {"key": "Backspace", "code": "Backspace", "windowsVirtualKeyCode": 8},
}


class Tab:
    def __init__(self, browser):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.forget()
        browser.listeners[self.session] = self.listen
        for domain in ("Page", "Network", "Log", "Runtime"):
            self.call(f"{domain}.enable")
        self.frame = self.call("Page.getFrameTree")["frameTree"]["frame"]["id"]

    def forget(self):
        self.requests, self.complaints, self.loaded, self.world = [], [], False, None

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def listen(self, event, facts):
        if event == "Network.requestWillBeSent":
            self.requests.append(facts["request"]["url"])
        elif event == "Page.loadEventFired":
            self.loaded = True
        elif event == "Page.frameNavigated" and not facts["frame"].get("parentId"):
            self.world = None
        elif event == "Page.javascriptDialogOpening":
            self.complaints.append(f"a dialog: {facts['message']}")
        # A refusal by policy says that something of the page tried to act; the status of an error page is also an entry.
        elif event == "Log.entryAdded" and facts["entry"]["source"] != "network":
            self.complaints.append(facts["entry"]["text"])
        elif event == "Runtime.exceptionThrown":
            self.complaints.append(facts["exceptionDetails"]["text"])

    def open(self, url, headers=None):
        self.forget()
        self.call("Network.setExtraHTTPHeaders", headers=headers or {})
        failed = self.call("Page.navigate", url=url).get("errorText")
        if failed:
            raise Broken(f"{url}: {failed}")
        self.browser.wait(lambda: self.loaded, 60, f"loading {url}")

    def evaluate(self, script):
        """The value of a script, in a world of its own: the page does not see its names, and its policy does not hold there."""
        if self.world is None:
            self.world = self.call("Page.createIsolatedWorld", frameId=self.frame, worldName="pages")["executionContextId"]
        given = {"returnByValue": True, "awaitPromise": True}
        made = self.call("Runtime.evaluate", expression=script, contextId=self.world, **given)
        if "exceptionDetails" in made:
            raise Broken(made["exceptionDetails"].get("exception", {}).get("description", made["exceptionDetails"]["text"]))
        return made["result"].get("value")

    def wait(self, script, seconds, what):
        def true():
            try:
                return self.evaluate(script)
            except Broken:
                # The page has gone, and its world with it: another one comes.
                self.world = None
                return None

        return self.browser.wait(true, seconds, what)

    def look(self, width, scheme, height=844):
        """As a phone below 600 px, as a desktop above."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def press(self, key):
        self.call("Input.dispatchKeyEvent", type="keyDown", **KEYS[key])
        self.call("Input.dispatchKeyEvent", type="keyUp", **{k: v for k, v in KEYS[key].items() if k != "text"})

    def type(self, words):
        for letter in words:
            self.call("Input.dispatchKeyEvent", type="keyDown", key=letter, text=letter)
            self.call("Input.dispatchKeyEvent", type="keyUp", key=letter)

    def picture(self, clip=None):
        """As PNG: of a part of the document, which need not be in sight, or of the document up to some height."""
        whole = "({x: 0, y: 0, width: innerWidth, height: Math.min(4000, Math.max(innerHeight, document.documentElement.scrollHeight))})"
        # To reach beyond the viewport Chromium lays the page out anew, which can take the focus from a player.
        more = {"clip": {**(clip or self.evaluate(whole)), "scale": 1}, "captureBeyondViewport": clip is None}
        return base64.b64decode(self.call("Page.captureScreenshot", format="png", **more)["data"])
