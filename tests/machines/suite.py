# SPDX-License-Identifier: Apache-2.0
"""The project's tests, built and run in a variant. What has passed or failed for the very same files is
not run again."""

import functools
import hashlib
import json
import subprocess
import xml.etree.ElementTree

from variants import CORES, FOLDER, ROOT


@functools.lru_cache
def files_key():
    """Of everything that tests could depend on."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    key = hashlib.sha256()
    for name in sorted(names.split(b"\0")[:-1]):
        path = ROOT / name.decode()
        key.update(name + (path.read_bytes() if path.is_file() else b""))
    return key.hexdigest()[:24]


def read(path):
    """(passed, [name of one that failed]) of a JUnit file; a runner that wrote none has failed."""
    try:
        cases = list(xml.etree.ElementTree.parse(path).iter("testcase"))
    except (OSError, xml.etree.ElementTree.ParseError):
        return 0, [f"no results: {path.relative_to(ROOT)}"]
    failed = [case.get("name") for case in cases
              if case.find("failure") is not None or case.find("error") is not None]
    skipped = sum(case.find("skipped") is not None for case in cases)
    return len(cases) - len(failed) - skipped, failed


def run(variant, what, command, **environment):
    path = FOLDER / f"{variant.name}.{what}.xml"
    path.unlink(missing_ok=True)
    with open(path.with_suffix(".log"), "w", encoding="utf-8") as log:
        subprocess.run([part.format(xml=path) for part in command], cwd=ROOT, check=False, stdout=log,
                       stderr=subprocess.STDOUT, env={**variant.surroundings, **environment})
    return read(path)


def code(variant):
    """The C tests; under qemu only those that are programs of their own."""
    labels = ["-L", "code"] if variant.is_emulated else ["-LE", "lint"]
    return run(variant, "code", ["ctest", "--test-dir", str(variant.folder), "--no-tests=error", "-j",
                                 str(CORES), "--output-on-failure", "--output-junit", "{xml}",
                                 *labels])


def cli(variant):
    """The tests of the command, which all start it by its path."""
    if variant.is_emulated:
        return 0, []
    return run(variant, "cli", ["build/venv/bin/python", "-m", "pytest", "-p", "no:cacheprovider", "-n",
                                str(CORES), "--dist", "loadfile", "--junitxml={xml}", "tests/cli"],
               ATEMI_COMMAND=str(variant.folder / "atemi"), PYTHONDONTWRITEBYTECODE="1")


def suites(variant):
    """(passed, failed) of both, as they were found out for these files."""
    path = FOLDER / f"{variant.name}.tests.json"
    found = json.loads(path.read_text()) if path.exists() else {}
    if found.get("files") != files_key():
        parts = [code(variant), cli(variant)]
        found = {"files": files_key(), "passed": sum(part[0] for part in parts),
                 "failed": [name for part in parts for name in part[1]]}
        path.write_text(json.dumps(found))
    return found["passed"], found["failed"]
