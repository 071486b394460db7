# SPDX-License-Identifier: Apache-2.0
"""The extension module is compiled as cmake/harden.cmake says, by the look of its file."""

from __future__ import annotations

import re
import shutil
import subprocess

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
