# SPDX-License-Identifier: Apache-2.0
"""The sdist holds everything that the package is built from.

./test installs the package from an sdist, so all tests of the package are tests of a build from
it. Here is what such a build cannot see.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile

import pytest
import robots

pytest.importorskip("scikit_build_core")
CHECKOUT = robots.CHECKOUT

# PEP 517: the frontend enters the folder, puts backend-path first and calls the hook.
HOOK = (
    "import sys; sys.path.insert(0, 'backend'); import atemi_backend;"
    "print(atemi_backend.build_sdist(sys.argv[1]))"
)


def make_sdist(source, target):
    made = subprocess.run(
        [sys.executable, "-B", "-c", HOOK, str(target)],
        cwd=source,
        capture_output=True,
        text=True,
        check=True,
    )
    return target / made.stdout.splitlines()[-1]


def files_of(archive):
    with tarfile.open(archive) as tar:
        entries = tar.getmembers()
        assert all(entry.isreg() for entry in entries), "no links, no devices"
        return {entry.name.partition("/")[2]: tar.extractfile(entry).read() for entry in entries}


@pytest.fixture(scope="module")
def sdist(tmp_path_factory):
    return make_sdist(CHECKOUT / "python", tmp_path_factory.mktemp("sdist"))


@pytest.mark.parametrize(
    "pattern",
    [
        "src/**/*.[ch]",
        "include/atemi/*.h",
        "include/atemi/*.in",
        "cli/*.[ch]",
        "cmake/*",
        "papers/**/*.[ch]",
        "robots/*",
        "scenarios/**/*.yaml",
        "viewer/src/**/*",
        "viewer/*",
        "CMakeLists.txt",
        "LICENSE",
        "SECURITY.md",
        "tools/make_sbom",
    ],
)
def test_it_holds_the_library_byte_for_byte(sdist, pattern):
    wanted = {
        path.relative_to(CHECKOUT).as_posix(): path.read_bytes()
        for path in CHECKOUT.glob(pattern)
        if path.is_file() and not path.name.startswith(".")
    }
    held = files_of(sdist)
    assert wanted
    assert {name: held.get("library/" + name) for name in wanted} == wanted


def test_it_holds_the_package_and_what_builds_it(sdist):
    held = files_of(sdist)
    sources = (path for path in (CHECKOUT / "python/src").rglob("*") if path.suffix in (".py", ".pyi", ".c", ".h"))
    wanted = {path.relative_to(CHECKOUT / "python").as_posix() for path in sources}
    wanted |= {"pyproject.toml", "CMakeLists.txt", "README.md", "LICENSE", "PKG-INFO"}
    wanted |= {"backend/atemi_backend.py", "src/atemi/py.typed"}
    assert wanted <= held.keys()


def test_it_holds_nothing_that_was_built(sdist):
    strange = ("__pycache__", "node_modules", "/build/", "/dist/", ".so", ".pyc", ".o")
    assert not [name for name in files_of(sdist) if any(piece in name for piece in strange)]


def test_an_sdist_of_an_sdist_is_the_same(sdist, tmp_path):
    with tarfile.open(sdist) as tar:
        tar.extractall(tmp_path / "source")  # our own, of regular files
    (tmp_path / "again").mkdir()
    (source,) = (tmp_path / "source").iterdir()
    assert files_of(make_sdist(source, tmp_path / "again")) == files_of(sdist)
