# SPDX-License-Identifier: Apache-2.0
"""The bill of materials beside the built library names what is in it, and nothing of this machine."""

import json
import pathlib
import re
import socket
import subprocess
import urllib.parse

import pytest


@pytest.fixture
def built(command):
    folder = pathlib.Path(command).parent
    if not (folder / "atemi.cdx.json").exists():
        pytest.skip("this build has no bill of materials")
    return folder


@pytest.fixture
def components(built):
    document = json.loads((built / "atemi.cdx.json").read_text())
    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.5")
    assert document["metadata"]["component"]["licenses"] == [{"license": {"id": "Apache-2.0"}}]
    return {component["name"]: component for component in document["components"]}


def test_every_library_that_the_loader_needs_is_named(built, components):
    """By ldd, which asks the loader; it also lists what these need in their turn."""
    loads = re.findall(r"^\s*(lib\S+) =>", subprocess.run(
        ["ldd", built / "libatemi.so"], capture_output=True, text=True, check=True).stdout, re.M)
    libraries = {name for name in components if name.startswith("lib")}
    assert {"libc.so.6", "libm.so.6"} <= libraries <= set(loads)
    for part in "expat", "jansson", "yaml", "sundials_arkode", "z":
        assert any(name.startswith(f"lib{part}") for name in libraries), part


def test_libraries_have_the_version_of_their_package(components):
    if not pathlib.Path("/var/lib/dpkg/status").exists():
        pytest.skip("no Debian here")
    status = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${Version}\n"],
                            capture_output=True, text=True, check=True).stdout.splitlines()
    for name, component in components.items():
        if name.startswith("lib"):
            package, version = re.match(r"pkg:deb/\w+/([^@]+)@([\w.%~-]+)\?arch=\w+$",
                                        component["purl"]).groups()
            version = urllib.parse.unquote(version)
            assert f"{package} {version}" in status and component["version"] == version


def test_packages_of_the_page_are_named_where_it_is_in(built, components, atemi, tmp_path):
    root = pathlib.Path(__file__).resolve().parents[2]
    made = atemi("simulate", root / "scenarios/slide.yaml", "--report", tmp_path / "page.html")
    npm = {name: part["version"] for name, part in components.items() if part["bom-ref"].startswith("npm/")}
    if made.code:
        assert npm == {}
        return
    wanted = json.loads((root / "viewer/package.json").read_text())["devDependencies"]
    # What else package.json names builds or tests the page, and is not in it.
    assert npm == {name: wanted[name] for name in ("three", "uplot")}


def test_it_names_no_path_and_no_host(built):
    text = (built / "atemi.cdx.json").read_text()
    assert "://" not in text and socket.gethostname() not in text
    assert not re.search(r'"/\w', text) and str(built) not in text
