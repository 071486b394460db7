# SPDX-License-Identifier: Apache-2.0
"""The page of a recording, inside a notebook."""

from __future__ import annotations

import tempfile
from html import escape
from pathlib import Path
from typing import Callable


class Page:
    """A page in 3D that a notebook shows in its output: Jupyter, VS Code and alike.

    Made by `Recording.show`. The page is in the notebook's file; it asks for nothing from elsewhere.
    """

    def __init__(self, html: str, height: int) -> None:
        self.html = html
        """The page, as `Recording.report` writes it."""
        self.height = height
        """Pixels."""

    def _repr_html_(self) -> str:
        # In a sandbox: scripts of the page and of the notebook cannot reach each other.
        return (
            f'<iframe srcdoc="{escape(self.html)}" title="atemi" sandbox="allow-scripts '
            f'allow-downloads" allowfullscreen '
            f'style="width: 100%; height: {self.height}px; border: 0"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<atemi.Page of {len(self.html) / 1e6:.1f} MB, for a notebook>"


def make(write: Callable[[Path], None], height: int) -> Page:
    """Of what writes it into a file."""
    if height < 1:
        raise ValueError(f"height must be positive, got {height}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "page.html")
        write(path)
        return Page(path.read_text(encoding="utf-8"), height)
