"""What is wrong with a request, in the words of the arguments of the package instead of the body of the request."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .errors import Detail

PARAMETER = re.compile(r"(?:body\.parameters|query\.p)\.([^.\[]+(?:\[\d+\])?)")
ARGUMENTS = {"body.size": "limit"}
"""Fields of a request that an argument of another name sets."""
PLACE = re.compile(r"(?:body|query|path|header)\.")


def describe_details(details: Sequence[Detail]) -> str:
    """Returns one sentence for each fault of a request."""
    return " ".join(_sentence(detail) for detail in details)


def _sentence(detail: Detail) -> str:
    message = detail.message.rstrip(".")
    parameter = PARAMETER.fullmatch(detail.path)
    if parameter is not None:
        return f"The parameter {parameter[1]} {message}."
    name = PLACE.sub("", detail.path, count=1)
    argument = ARGUMENTS.get(detail.path)
    if argument is not None:
        return f"{argument} {message.removeprefix(f'{name} ')}."
    if name in ("body", "request", ""):
        return f"The request {message}."
    # Most messages of a host begin with the name.
    return f"{message}." if message.startswith(f"{name.split('.')[-1]} ") else f"{name} {message}."
