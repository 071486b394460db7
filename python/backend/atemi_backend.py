# SPDX-License-Identifier: Apache-2.0
"""How `pip` and `build` make the package: scikit-build-core, and an sdist that holds the library.

The library stands one folder above python/, where scikit-build-core does not look. An sdist is
therefore made in a copy of python/ that has the library's files in its folder `library`;
CMakeLists.txt looks there first. An sdist that is made from an sdist finds the folder and copies
nothing.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

from scikit_build_core.build import *  # noqa: F403
from scikit_build_core.build import build_sdist as _build_plain_sdist

# What the library is built from. The page of reports is built from viewer/ where npm is there.
LIBRARY = (
    "CMakeLists.txt",
    "LICENSE",
    "cli",
    "cmake",
    "include",
    "papers",
    "robots",
    "scenarios",
    "SECURITY.md",
    "src",
    "tools/make_sbom",
    "viewer",
)
_NOT_COPIED = shutil.ignore_patterns(
    "__pycache__", "*.py[cod]", "*.tmp-*", ".*", "node_modules", "dist", "build"
)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=_NOT_COPIED)
    else:
        shutil.copy2(source, target)


@contextlib.contextmanager
def _whole_source():
    """The folder to make an sdist in: this one, or a copy that has the library in it."""
    here = Path.cwd()
    if (here / "library").is_dir():
        yield
        return
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "python"
        _copy(here, whole)
        _copy(here.parent / "LICENSE", whole / "LICENSE")
        for name in LIBRARY:
            _copy(here.parent / name, whole / "library" / name)
        os.chdir(whole)
        try:
            yield
        finally:
            os.chdir(here)


def build_sdist(sdist_directory: str, config_settings: dict | None = None) -> str:
    """PEP 517; the current folder is python/, of a checkout or of an sdist."""
    target = str(Path(sdist_directory).absolute())
    with _whole_source():
        return _build_plain_sdist(target, config_settings)
