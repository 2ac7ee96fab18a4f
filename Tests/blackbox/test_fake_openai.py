"""The server that plays OpenAI: what it answers is what OpenAI describes and what the official SDK reads. Without a service."""

import concurrent.futures
import importlib.util
import json
import threading

import openai
import pytest
from openai.types.audio import Transcription, TranscriptionDiarized, TranscriptionVerbose
from openai.types.chat import ChatCompletion

import openai_description
from fake_openai import FakeOpenAI
from servers import ROOT

FORMS = ROOT / "Tests/DiaryMediaTests/Hosted"
AUDIO = ("recording.wav", b"RIFF....", "audio/x-wav")
VERBOSE = {"response_format": "verbose_json", "timestamp_granularities": ["segment", "word"]}
DIARIZED = {"response_format": "diarized_json", "chunking_strategy": "auto"}


@pytest.fixture(scope="module")
def server():
    with FakeOpenAI(key="sk-right") as fake:
        yield fake


@pytest.fixture
def fake(server):
    server.reset()
    return server


@pytest.fixture
def sdk(fake):
    return openai.OpenAI(api_key="sk-right", base_url=fake.url, max_retries=0, timeout=10)


def strictly(kind, raw):
    """The SDK itself takes an answer of any shape."""
    return kind.model_validate(json.loads(raw.content))


def test_the_forms_of_the_unit_tests_are_what_the_sdk_sends():
    spec = importlib.util.spec_from_file_location("make_sdk_forms", FORMS / "make_sdk_forms.py")
    forms = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(forms)
    assert forms.cases() == json.loads((FORMS / "sdk-forms.json").read_text())


@pytest.mark.parametrize(
    "model, kind, more",
    [
        ("whisper-1", TranscriptionVerbose, VERBOSE),
        ("gpt-4o-transcribe", Transcription, {"response_format": "json", "include": ["logprobs"]}),
        ("gpt-4o-transcribe-diarize", TranscriptionDiarized, DIARIZED),
    ],
)
@pytest.mark.parametrize("text", ["Guten Tag, Zürich. Wie geht's?", ""])
def test_transcriptions_are_those_of_the_description_and_the_sdk(fake, sdk, model, kind, more, text):
    fake.hears = lambda request: text
    raw = sdk.audio.transcriptions.with_raw_response.create(file=AUDIO, model=model, language="de", **more)
    assert openai_description.faults(openai_description.ANSWERS[more["response_format"]], json.loads(raw.content)) == []
    assert strictly(kind, raw).text == text
    assert openai_description.faults_of_request(fake.requests[-1]) == []


def test_completions_are_those_of_the_description_and_the_sdk(fake, sdk):
    schema = {
        "type": "object",
        "properties": {"clean": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}},
        "required": ["clean", "tags"],
        "additionalProperties": False,
    }
    raw = sdk.chat.completions.with_raw_response.create(
        model="gpt-4o-mini",
        messages=[{"role": "developer", "content": "Clean this."}, {"role": "user", "content": "Um hello."}],
        response_format={"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}},
    )
    answer = json.loads(raw.content)
    assert openai_description.faults("CreateChatCompletionResponse", answer) == []
    assert json.loads(strictly(ChatCompletion, raw).choices[0].message.content) == {"clean": "Um hello.", "tags": []}
    assert openai_description.faults_of_request(fake.requests[-1]) == []


def test_the_description_finds_faults():
    assert openai_description.faults("CreateTranscriptionResponseVerboseJson", {"text": "a"})
    assert openai_description.faults("CreateTranscriptionRequest", {"file": "x", "model": "whisper-1", "unknown": "1"})
    assert openai_description.faults("CreateChatCompletionRequest", {"model": "m", "messages": []})


@pytest.mark.parametrize(
    "fault, error",
    [
        ("401", openai.AuthenticationError),
        ("403", openai.PermissionDeniedError),
        ("404", openai.NotFoundError),
        ("413", openai.APIStatusError),
        ("422", openai.UnprocessableEntityError),
        ("429-after-7", openai.RateLimitError),
        ("500", openai.InternalServerError),
        ("503", openai.InternalServerError),
        ("cut", openai.APIConnectionError),
    ],
)
def test_faults_are_what_the_sdk_takes_them_for(fake, sdk, fault, error):
    fake.next(fault)
    with pytest.raises(error) as raised:
        sdk.audio.transcriptions.create(file=AUDIO, model="whisper-1")
    if fault.startswith("429"):
        assert raised.value.response.headers["retry-after"] == "7" and raised.value.code == "rate_limit_exceeded"
    assert sdk.audio.transcriptions.create(file=AUDIO, model="whisper-1").text, "the next one works"


def test_another_key_is_refused(fake):
    with pytest.raises(openai.AuthenticationError):
        openai.OpenAI(api_key="sk-wrong", base_url=fake.url, max_retries=0).models.list()


def test_requests_at_once_are_counted(fake, sdk):
    together = threading.Barrier(5)
    fake.hears = lambda request: f"as number {together.wait(10)}"
    with concurrent.futures.ThreadPoolExecutor(5) as pool:
        list(pool.map(lambda _: sdk.audio.transcriptions.create(file=AUDIO, model="whisper-1"), range(5)))
    assert fake.most == 5 and len(fake.requests) == 5
    fake.reset()
    for _ in range(3):
        sdk.audio.transcriptions.create(file=AUDIO, model="whisper-1")
    assert fake.most == 1


def test_a_call_is_counted_until_its_client_has_gone(fake, sdk):
    fake.next("hang", "drip", None)
    quick = sdk.with_options(timeout=0.5).audio.transcriptions
    for error in [openai.APITimeoutError, Exception]:
        with pytest.raises(error):
            quick.create(file=AUDIO, model="whisper-1")
    sdk.audio.transcriptions.create(file=AUDIO, model="whisper-1")
    assert fake.most == 1 and fake.under_way() == 0
    assert [request.answered is not None for request in fake.requests] == [False, False, True]


@pytest.mark.parametrize("fault", ["hang", "drip"])
def test_a_slow_answer_lasts_longer_than_a_client_waits(fake, sdk, fault):
    fake.next(fault)
    quick = sdk.with_options(timeout=0.5).audio.transcriptions.with_streaming_response
    # The SDK has its own error until the answer's head has come, and that of its HTTP client after that.
    with pytest.raises(Exception, match="timed out"), quick.create(file=AUDIO, model="whisper-1") as answer:
        received = answer.iter_bytes()
        assert next(received) == b"{"
        next(received)
