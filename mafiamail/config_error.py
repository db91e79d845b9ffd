"""From pydantic's findings to one sentence for the operator: which key, what is wrong, what is allowed."""

from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails
from ruamel.yaml import YAML
from ruamel.yaml.nodes import MappingNode, Node, SequenceNode

Keys = tuple[str, ...]

_KINDS = {
    "bool_parsing": "yes, no",
    "bool_type": "true, false",
    "dict_type": "a mapping (lines `key: value`, indented)",
    "mapping_type": "a mapping (lines `key: value`, indented)",
    "model_type": "a mapping (lines `key: value`, indented)",
    "model_attributes_type": "a mapping (lines `key: value`, indented)",
    "int_parsing": "a whole number",
    "int_type": "a whole number",
    "invalid_key": "a name as a key",
    "list_type": "a list (lines `- value`)",
    "tuple_type": "a list (lines `- value`)",
    "string_too_short": "some text",
    "string_type": "text (between quotes, if it looks like a number)",
}


def explain(error: ValidationError, model: type[BaseModel]) -> tuple[Keys, str]:
    """The keys that lead to the first thing that is wrong, and a sentence about it."""
    errors = error.errors(include_url=False)
    found = min(errors, key=lambda one: one["type"] != "extra_forbidden")  # a mistyped key explains why another one is missing
    keys = tuple(str(key) for key in found["loc"])
    if found["type"] == "setting":
        keys += (found["ctx"]["key"],)
    return keys, _sentence(found, keys, model)


def line_of(text: str, keys: Keys) -> int:
    """The line (from 1) on which the innermost of `keys` that stands in the YAML `text` begins."""
    node: Node | None = YAML(typ="safe", pure=True).compose(text)
    line = 1
    for key in keys:
        found = _child(node, key)
        if found is None:
            break
        line, node = found
    return line


def _sentence(found: ErrorDetails, keys: Keys, model: type[BaseModel]) -> str:
    kind, context = found["type"], found.get("ctx", {})
    value = "nothing" if found["input"] is None else repr(found["input"])
    match kind:
        case "value_error":
            return str(context["error"])
        case "setting":
            return str(context["sentence"])
        case "extra_forbidden":
            return f"unknown key; allowed: {', '.join(_known(model, keys[:-1]))}"
        case "missing":
            return f"is missing; allowed: {', '.join(_known(model, keys[:-1]))}"
        case "literal_error":
            return f"{value} is not possible; allowed: {context['expected'].replace(' or ', ', ').replace(chr(39), '')}"
        case "greater_than_equal" | "less_than_equal":
            return f"{value} is not possible; allowed: a whole number up to 65535"
        case _ if kind in _KINDS:
            return f"{value} is not possible; allowed: {_KINDS[kind]}"
        case _:
            return f"{value} is not possible: {found['msg']}"


def _known(model: type[BaseModel], keys: Keys) -> list[str]:
    """The names of the keys that are allowed in the mapping to which `keys` lead."""
    for key in keys:
        if key not in model.model_fields:  # a name of the operator's own, whose value is such a part
            continue
        model = next(part for part in _parts(model.model_fields[key].annotation) if issubclass(part, BaseModel))
    return list(model.model_fields)


def _parts(annotation: Any) -> list[type]:
    inside = getattr(annotation, "__args__", None)
    return [part for part in inside or (annotation,) if isinstance(part, type)]


def _child(node: Node | None, key: str) -> tuple[int, Node] | None:
    if isinstance(node, MappingNode):
        return next(((name.start_mark.line + 1, value) for name, value in node.value if name.value == key), None)
    if isinstance(node, SequenceNode) and key.isdecimal() and int(key) < len(node.value):
        value = node.value[int(key)]
        return value.start_mark.line + 1, value
    return None
