"""Attributes of elements, by their local names."""

from typing import cast

from lxml import etree


def value_of(element: etree._Element, name: str = "val") -> str:
    """Returns an attribute of whatever namespace: both flavours of the standard, and drafts of it."""
    for key, value in attributes_of(element):
        if key.rpartition("}")[2] == name:
            return value
    return ""


def number_of(element: etree._Element, name: str = "val") -> int | None:
    """Returns a small number in an attribute; None for anything else."""
    value = value_of(element, name)
    return int(value) if value.isascii() and value.isdigit() and len(value) < 9 else None


def attributes_of(element: etree._Element) -> list[tuple[str, str]]:
    """Returns all attributes with their full names."""
    return cast("list[tuple[str, str]]", element.items())
