# SPDX-License-Identifier: Apache-2.0
"""Tables for notebooks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any


def cell(value: Any) -> str:
    """A number with 6 digits, "" for NaN; anything else as text."""
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{float(value):.6g}"
    return escape("" if value is None else str(value))


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table with a head."""
    top = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{cell(value)}</td>" for value in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def page(title: str, *parts: str) -> str:
    """A heading and what follows."""
    return f"<div><p><b>{escape(title)}</b></p>{''.join(parts)}</div>"


def folded(summary: str, part: str) -> str:
    """What opens on a click."""
    return f"<details><summary>{escape(summary)}</summary>{part}</details>"
