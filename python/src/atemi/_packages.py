# SPDX-License-Identifier: Apache-2.0
"""Packages that are not required, and the cure where one is missing."""

from __future__ import annotations

import importlib
from typing import Any


def optional(name: str, what: str, extra: str | None = None) -> Any:
    """The module, or an ImportError that says what needs it and how to install it."""
    try:
        return importlib.import_module(name)
    except ImportError:
        package = name.partition(".")[0]
        wanted = f"'atemi[{extra}]'" if extra else package
        raise ImportError(
            f"{what} needs {package}, which is not installed: pip install {wanted}"
        ) from None
