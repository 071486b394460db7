# SPDX-License-Identifier: Apache-2.0
"""Messages that docs/troubleshooting.md quotes are messages that there are."""

import pathlib
import re

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]


def texts():
    """All sources that say something, with string literals of several lines as one."""
    found = ""
    for pattern in "src/**/*.c", "papers/**/*.c", "cli/*.c", "tools/*", "cmake/*":
        for path in filter(pathlib.Path.is_file, CHECKOUT.glob(pattern)):
            found += re.sub(r'"\s*\n\s*"', "", path.read_text())
    return found


def quoted():
    for line in (CHECKOUT / "docs/troubleshooting.md").read_text().splitlines():
        first = line.split("|")[1] if line.startswith("| ") else ""
        yield from re.findall(r"``?([^`]* [^`]*)``?", first)


def test_quoted_messages_exist():
    said = texts()
    messages = list(quoted())
    assert len(messages) > 10
    for message in messages:
        for part in message.split(" ... "):
            assert part in said, message
