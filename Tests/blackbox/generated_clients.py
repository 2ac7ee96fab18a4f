"""Python clients that other programs generated from the contract, called alike. Their packages are found by operation and type, not by tag."""

import dataclasses
import importlib
import pkgutil
import re
from typing import Any

APP = {"Diary-App": "my-day"}
"""The service that tests share may have several apps."""

GENERATORS = {"attrs": "openapi-python-client", "pydantic": "openapi-generator-cli -g python"}


@dataclasses.dataclass
class Answer:
    status: int
    value: Any
    headers: Any


def made(generator, package, url):
    """The client of a package that can be imported."""
    return {"attrs": AttrsClient, "pydantic": PydanticClient}[generator](package, url)


def snake(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


class AttrsClient:
    """Of openapi-python-client: a module for each operation, answers of any status as values."""

    FROM, FORMAT = "from_", "format_"

    def __init__(self, package, url):
        self.package, self.url = importlib.import_module(package), url
        self.client = self.package.Client(base_url=url, headers=APP)
        self.models = importlib.import_module(f"{package}.models")
        api = importlib.import_module(f"{package}.api")
        found = pkgutil.walk_packages(api.__path__, f"{api.__name__}.")
        self.modules = {module.name.rsplit(".", 1)[1]: module.name for module in found if not module.ispkg}

    def sign_in(self, token):
        self.client = self.package.AuthenticatedClient(base_url=self.url, token=token, headers=APP)

    def new(self, model, **members):
        return getattr(self.models, model)(**members)

    def value(self, enumeration, text):
        return getattr(self.models, enumeration)(text)

    def call(self, operation, *path, body=None, **parameters):
        module = importlib.import_module(self.modules[snake(operation)])
        if body is not None:
            parameters["body"] = body
        answer = module.sync_detailed(*path, client=self.client, **parameters)
        return Answer(int(answer.status_code), answer.parsed, answer.headers)

    def content(self, file):
        return file.payload.read()

    def extra(self, value):
        """The members that the client did not know."""
        return set(value.additional_properties)


class PydanticClient:
    """Of openapi-generator's python: a class for each tag, errors as exceptions."""

    FROM, FORMAT = "var_from", "format"

    def __init__(self, package, url):
        self.package = importlib.import_module(package)
        self.configuration = self.package.Configuration(host=url)
        self.client = self.package.ApiClient(self.configuration)
        self.client.default_headers.update(APP)
        self.classes = [getattr(self.package, name) for name in dir(self.package) if name.endswith("Api")]

    def sign_in(self, token):
        self.configuration.access_token = token

    def new(self, model, **members):
        return getattr(self.package, model)(**members)

    def value(self, enumeration, text):
        return text

    def call(self, operation, *path, body=None, **parameters):
        name = f"{snake(operation)}_with_http_info"
        (group,) = (found for found in self.classes if hasattr(found, name))
        if path:
            (parameters["id"],) = path
        if body is not None:
            parameters[snake(type(body).__name__)] = body
        try:
            answer = getattr(group(self.client), name)(**parameters)
        except self.package.ApiException as error:
            return Answer(error.status, error.data, error.headers)
        return Answer(answer.status_code, answer.data, answer.headers)

    def content(self, file):
        return bytes(file)

    def extra(self, value):
        return set()
