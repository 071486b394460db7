# SPDX-License-Identifier: Apache-2.0
"""The extension module as it is installed: how it is compiled, and what is said of its parts."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from importlib import metadata

import pytest

import atemi._native


@pytest.mark.skipif(not shutil.which("readelf"), reason="readelf (binutils) is not here")
def test_it_has_full_relro_canaries_and_checked_lengths():
    said = subprocess.run(
        ["readelf", "-W", "-l", "-d", "--dyn-syms", atemi._native.__file__],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert re.search(r"^ *GNU_RELRO ", said, re.M) and re.search(r"\(FLAGS.*\bNOW\b", said)
    needed = set(re.findall(r"UND (\w+)", said))
    assert "__stack_chk_fail" in needed and {"__snprintf_chk", "__memcpy_chk"} & needed


def test_the_wheel_says_what_it_is_made_of():
    """PEP 770: in .dist-info/sboms."""
    files = [file for file in metadata.files("atemi") or () if file.match("sboms/*.cdx.json")]
    assert len(files) == 1
    document = json.loads(files[0].locate().read_text())
    assert document["metadata"]["component"]["version"] == atemi.__version__
    names = [component["name"] for component in document["components"]]
    for part in "expat", "jansson", "yaml", "sundials_arkode":
        assert any(name.startswith(f"lib{part}") for name in names), part
