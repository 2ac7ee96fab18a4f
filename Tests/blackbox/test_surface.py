"""How much there is to learn: the operations of the contract, those that an app for one diary calls, and a test for each surprise."""

import re

from contract import CONTRACT, ROOT
from my_day import MyDay

MOST = 115
"""The same without them: by `listEntries`, a call for each year (`listOnThisDay`); `getConfig`, too long with lists of questions (`getPrompt`);
an upload (`copyEntry`); an export, a mail and a wait (`getBundle`); every entry read and written by the app (tags, moods); every recording of
a person named again (speakers); the whole diary on the device (`searchEntries`); notes of two devices merged by the app (notes); a call and a
version for each segment (`correctSegments`); a client of PostgREST written anew (`getFlags`, `findFlags`); two calls, and a URL that ends, for
what a script or a shortcut sends (`uploadRecording`); the app's own sign-in on a watch or in a script (tokens); words that the phone
knows already, edited in as a text of the user (`putTranscript`); an entry made again with its words, to upload what stayed on the phone
(`addAudio`)."""
NEEDED = set(
    """
    getConfig
    registerByEmail verifyEmail signInByEmail requestCode confirmPasswordReset createChallenge signInWithApple signInWithGoogle
    refreshSession signOut
    getProfile changeProfile deleteAccount getStatistics
    createEntry listEntries getEntry changeEntry deleteEntry renewUploadUrl completeUpload getAudioUrl reprocessEntry
    createExport listExports getExport getExportUrl
    """.split()
)
"""What a My Day client calls. Its feed is `listEntries` with `since`."""
PROMISED = {
    ("POST", "/v1/auth/apple"): set(),
    ("POST", "/v1/auth/google"): set(),
    ("POST", "/v1/auth/email"): set(),
    ("POST", "/v1/entries"): set(),
    ("GET", "/v1/entries"): {"since"},
    ("GET", "/v1/entries/{id}"): set(),
    ("POST", "/v1/exports"): {"from", "to", "email"},
    ("GET", "/v1/exports/{id}"): set(),
}
"""The interface of the product document, and what it names of a request."""
SURPRISES = {2, 3, *range(6, 31)}
"""The numbers of the contract review that are mended or said here."""


def test_there_are_at_most_115_operations():
    assert len(CONTRACT.operations) <= MOST


def test_a_my_day_client_needs_at_most_28_calls(service, providers):
    client = MyDay(service, providers)
    client.walk()
    assert client.called == NEEDED and len(NEEDED) <= 28


def test_the_interface_of_the_product_document_stands():
    served = {(method, template): operation for method, template, _, operation in CONTRACT.operations}
    for place, names in PROMISED.items():
        operation = served[place]
        content = CONTRACT.resolve(operation.get("requestBody", {})).get("content", {}).get("application/json")
        taken = set(CONTRACT.resolve(content["schema"])["properties"]) if content else set()
        taken |= {CONTRACT.resolve(parameter)["name"] for parameter in operation.get("parameters", [])}
        assert names <= taken, place
    created = CONTRACT.resolve(CONTRACT.resolve(served["POST", "/v1/entries"]["responses"]["201"])["content"]["application/json"]["schema"])
    assert {"entry_id", "upload"} <= set(created["properties"]), "a recording's answer has its id and the URL to upload it to"


def test_every_surprise_has_a_test():
    files = (ROOT / "Tests/blackbox").glob("test_*.py")
    tested = {int(number) for file in files for number in re.findall(r"^def test_(\d+)_", file.read_text(), re.M)}
    assert SURPRISES - tested == set()


def test_the_injections_know_a_good_request_of_each_operation(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "Tests/system/fuzz"))
    import injections

    with_members = {
        operation["operationId"]
        for _, _, _, operation in CONTRACT.operations
        for content in [operation.get("requestBody", {}).get("content", {}).get("application/json")]
        if content and CONTRACT.resolve(content["schema"]).get("properties")
    }
    assert with_members and with_members <= set(injections.GOOD)
