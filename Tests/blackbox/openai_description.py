"""Requests and answers held against OpenAI's published description (Tests/Vectors/openai)."""

import functools

import jsonschema_rs
import yaml

from servers import ROOT

ANSWERS = {
    "json": "CreateTranscriptionResponseJson",
    "verbose_json": "CreateTranscriptionResponseVerboseJson",
    "diarized_json": "CreateTranscriptionResponseDiarizedJson",
}


@functools.cache
def document():
    return yaml.load((ROOT / "Tests/Vectors/openai/openapi-subset.yaml").read_text(), Loader=yaml.CSafeLoader)


@functools.cache
def validator(schema):
    whole = {"$ref": f"#/components/schemas/{schema}", "components": document()["components"]}
    return jsonschema_rs.Draft202012Validator(whole)


def faults(schema, value):
    return [f"{list(fault.instance_path)}: {fault.message[:300]}" for fault in validator(schema).iter_errors(value)]


def faults_of_request(request):
    """Of a `Request` of a fake server."""
    if request.path.endswith("/audio/transcriptions"):
        return faults("CreateTranscriptionRequest", request.fields)
    return faults("CreateChatCompletionRequest", request.json)
