# SPDX-License-Identifier: Apache-2.0
"""Tables in Markdown, printed and kept in docs/machines.md."""

import datetime
import pathlib
import platform
import re
import time

from variants import CORES, ROOT

PAGE = ROOT / "docs/machines.md"
BEGIN = time.monotonic()


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


def number(value):
    """A fraction of what is promised, as short as it can be: 0, 3e-5, 0.21, 12."""
    if value is None:
        return "-"
    if value >= 10:
        return f"{value:.0f}"
    return "0" if value == 0 else re.sub(r"e([-+])0", r"e\1", f"{value:.2g}")


def processor():
    about = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    return about[1] if about else platform.machine()


def took():
    minutes = (time.monotonic() - BEGIN) / 60
    return f"{datetime.date.today():%-d %B %Y}, {CORES} cores of {processor()}, {minutes:.0f} min"


def record(name, text):
    """Puts the text between the lines <!-- NAME --> and <!-- end --> of the page."""
    page = PAGE.read_text()
    pattern = re.compile(rf"(?<=^<!-- {name} -->\n).*?(?=^<!-- end -->$)", re.M | re.S)
    if not pattern.search(page):
        raise SystemExit(f"error: {PAGE.relative_to(ROOT)} has no place for {name}")
    PAGE.write_text(pattern.sub(lambda _: text, page))
