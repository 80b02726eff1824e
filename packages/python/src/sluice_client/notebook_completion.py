"""Completion in cells of `%%sluice`: `$parameters` from the variables of the notebook, and the options of the first line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from .errors import UsageError
from .parameters import encode_parameters

MATCHER = "sluice"
CELL = re.compile(r"%%sluice\b")
UNFINISHED = re.compile(r"\$([a-z_][a-z0-9_]*)?$")
UNFINISHED_OPTION = re.compile(r"(?:^|\s)(-[\w-]*)$")
PARAMETER = re.compile(r"[a-z_][a-z0-9_]*")
OPTIONS = ("--arrow", "--catalog", "--keep", "--limit", "--pandas", "--polars", "--schema", "--time-zone")
LIST_ITEMS_CHECKED = 1000


def can_be_parameter(value: object) -> bool:
    """Returns whether a value has a type in SQL. Of a long list, only the first items are looked at."""
    sample = value[:LIST_ITEMS_CHECKED] if isinstance(value, (list, tuple)) else value  # pyright: ignore[reportUnknownVariableType]
    try:
        encode_parameters({"value": sample})
    except UsageError:
        return False
    return not isinstance(value, Mapping)


def complete(text: str, names: Mapping[str, Any]) -> tuple[str, list[str]] | None:
    """Completes a cell.

    Args:
        text: the cell up to the cursor
        names: variables of the notebook

    Returns:
        the text that a completion replaces, and the completions; None where there is nothing to complete
    """
    if CELL.match(text) is None:
        return None
    if "\n" not in text:
        option = UNFINISHED_OPTION.search(text)
        return None if option is None else (option[1], [each for each in OPTIONS if each.startswith(option[1])])
    found = UNFINISHED.search(text)
    if found is None:
        return None
    begun = found[1] or ""
    matching = (name for name in names if name.startswith(begun) and PARAMETER.fullmatch(name))
    return begun, sorted(name for name in matching if can_be_parameter(names[name]))


def _own_names(shell: Any) -> dict[str, Any]:
    """Returns the variables that the person has set. The shell sets more, such as `In`."""
    hidden = getattr(shell, "user_ns_hidden", {})
    return {name: value for name, value in shell.user_ns.items() if name not in hidden and not name.startswith("_")}


def _matcher(shell: Any) -> Callable[[Any], dict[str, Any]]:
    from IPython.core.completer import SimpleCompletion  # pyright: ignore[reportMissingImports, reportUnknownVariableType]

    def match(context: Any) -> dict[str, Any]:
        lines = context.full_text.split("\n")
        text = "\n".join([*lines[: context.cursor_line], lines[context.cursor_line][: context.cursor_position]])
        found = complete(text, _own_names(shell))
        if found is None:
            return {"completions": []}
        begun, words = found
        completions = [SimpleCompletion(text=word, type="param") for word in words]  # pyright: ignore[reportUnknownVariableType]
        return {"completions": completions, "matched_fragment": begun, "suppress": True}

    # What `context_matcher` of IPython 8.6 sets.
    for name, value in (("matcher_priority", 1), ("matcher_identifier", MATCHER), ("matcher_api_version", 2)):
        setattr(match, name, value)
    return match


def add_completion(shell: Any) -> None:
    """Adds the completion to a shell that has custom matchers (IPython 8.6), instead of one that was added before."""
    matchers = getattr(getattr(shell, "Completer", None), "custom_matchers", None)
    if matchers is None:
        return
    matchers[:] = [each for each in matchers if getattr(each, "matcher_identifier", None) != MATCHER]
    matchers.append(_matcher(shell))
