# SPDX-License-Identifier: Apache-2.0
"""The command and the library are compiled as cmake/harden.cmake says, by the look of their files."""

import pathlib
import re
import shutil
import subprocess

import pytest

if not shutil.which("readelf"):
    pytest.skip("readelf (binutils) is not here", allow_module_level=True)


def readelf(option, path):
    return subprocess.run(["readelf", "-W", option, path], capture_output=True, text=True,
                          check=True).stdout


@pytest.fixture(params=["command", "library"])
def binary(request, command):
    path = pathlib.Path(command)
    if request.param == "library":
        path = path.parent / "libatemi.so"
    if not path.exists():
        pytest.skip(f"there is no {path.name}")
    return path


def test_addresses_are_read_only_after_loading(binary):
    assert re.search(r"^ *GNU_RELRO ", readelf("-l", binary), re.M)
    assert "NOW" in readelf("-d", binary)


def test_no_segment_is_writable_and_executable(binary):
    segments = readelf("-l", binary)
    (stack,) = re.findall(r"^ *GNU_STACK .*$", segments, re.M)
    assert " RW " in stack and "E" not in stack.split()[-2]
    flags = re.findall(r"^ *LOAD +(?:0x\S+ +){5}([RWE ]{3})", segments, re.M)
    assert flags and not [flag for flag in flags if "W" in flag and "E" in flag]


def test_code_may_lie_anywhere(binary):
    assert re.search(r"Type: +DYN", readelf("-h", binary))


def test_command_is_a_program_that_may_lie_anywhere(command):
    assert re.search(r"FLAGS_1.*\bPIE\b", readelf("-d", command))


def test_stacks_have_canaries_and_lengths_are_checked(binary):
    needed = set(re.findall(r"UND (\w+)", readelf("--dyn-syms", binary)))
    assert "__stack_chk_fail" in needed
    # What the compiler cannot prove to fit is checked when it runs.
    assert {"__snprintf_chk", "__memcpy_chk"} & needed
