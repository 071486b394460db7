# SPDX-License-Identifier: Apache-2.0
"""Runs the real command, as users do. ATEMI_COMMAND is its path."""

import fcntl
import hashlib
import json
import os
import pathlib
import pickle
import re
import signal
import subprocess
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = os.environ.get("ATEMI_COMMAND", str(ROOT / "build/release/atemi"))


class Result:
    def __init__(self, process):
        self.code = process.returncode
        self.out = process.stdout
        self.err = process.stderr

    @property
    def json(self):
        """The one JSON object of stdout. Python's NaN and Infinity are not JSON."""
        def refuse(name):
            raise ValueError(f"{name} is not JSON")
        return json.loads(self.out, parse_constant=refuse)


# Ends what hangs. By the clock, so far more than the slowest command takes on a busy machine: a
# strike takes up to 16 s of an idle one.
PATIENCE = 600


def run(*arguments, stdin="", cwd=None, environment=None, timeout=PATIENCE):
    process = subprocess.run([COMMAND, *map(str, arguments)], input=stdin, text=True,
                             capture_output=True, timeout=timeout, cwd=cwd,
                             env={**os.environ, **(environment or {})})
    return Result(process)


def jobs():
    """The names of all jobs, as the registry has them."""
    return [job["name"] for job in run("jobs", "--json").json["jobs"]]


# Shipped scenarios that are quick. Of another job, the first that is shipped will do.
QUICK = {"simulate": "slide.yaml", "impact": "punch.yaml", "strike": "strike.yaml",
         "control": "gravity.yaml", "walk": "walk.yaml"}


def shipped_scenario(job):
    """A shipped scenario of a job."""
    shipped = (path.name for path in sorted((ROOT / "scenarios").glob("*.yaml"))
               if re.search(rf"^job: {job}$", path.read_text(), re.M))
    return QUICK.get(job) or next(shipped)


@pytest.fixture
def atemi():
    return run


@pytest.fixture(scope="session")
def once(tmp_path_factory):
    """run(), for a command that several tests only read the answer of, in whatever process: it is
    asked once in a session."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent

    def ask(*arguments):
        key = hashlib.sha256("\0".join(map(str, arguments)).encode()).hexdigest()
        with open(shared / f"{key}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            path = shared / f"{key}.pickle"
            if not path.exists():
                path.write_bytes(pickle.dumps(run(*arguments)))
            return pickle.loads(path.read_bytes())
    return ask


@pytest.fixture
def refused():
    """Runs the command, which must refuse with exit code 2 and say nothing on stdout."""
    def check(*arguments, **options):
        result = run(*arguments, **options)
        assert result.code == 2, result.err
        assert result.out == ""
        assert result.err.startswith("error: ")
        return result.err
    return check


@pytest.fixture
def massless_wrist(tmp_path):
    """A robot with a hand whose mass is all on the axis of its joint, `wrist`."""
    def link(name, mass, inertia):
        return (f'<link name="{name}"><inertial><mass value="{mass}"/><inertia ixx="{inertia}" ixy="0" '
                f'ixz="0" iyy="{inertia}" iyz="0" izz="{inertia}"/></inertial></link>')
    path = tmp_path / "massless_wrist.urdf"
    path.write_text(f'''<robot name="massless_wrist">{link("body", 10, 1)}{link("hand", 0.5, 0)}
        <joint name="wrist" type="continuous"><parent link="body"/><child link="hand"/>
        <origin xyz="0.4 0 0"/><axis xyz="0 1 0"/></joint></robot>''')
    return path


@pytest.fixture(scope="session")
def has_page(tmp_path_factory):
    """For tests that write pages, which not every build can."""
    probe = tmp_path_factory.mktemp("probe") / "probe.html"
    if run("simulate", ROOT / "scenarios/slide.yaml", "--report", probe).code:
        pytest.skip("the command was built without the page of reports")


@pytest.fixture
def command():
    return COMMAND


@pytest.fixture
def robots():
    return ROOT / "robots"


@pytest.fixture
def scenario(tmp_path):
    """Writes a scenario to a file."""
    def write(text, name="test.yaml"):
        path = tmp_path / name
        path.write_text(text)
        return path
    return write


@pytest.fixture
def interrupted(tmp_path):
    """Runs a job with --out tmp_path/run until Ctrl-C: exit code, stdout, stderr."""
    def run_until(*arguments, seconds=1.0):
        process = subprocess.Popen([COMMAND, *map(str, arguments), "--json", "--out",
                                    tmp_path / "run"], text=True, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
        return process.returncode, out, err
    return run_until


class Manual:
    """The section of a job in docs/scenarios.md."""

    def __init__(self, job):
        page = (ROOT / "docs/scenarios.md").read_text()
        self.text = page.split(f"\n## {job}\n")[1].split("\n## ")[0]
        self.shared = re.findall(r"`(job)`", page.split("\n## ")[0])

    @property
    def scenario(self):
        return re.search(r"^```yaml\n(.*?)^```", self.text, re.M | re.S)[1]

    def names(self, key):
        return f"`{key}`" in self.text or f"`{key}:" in self.text or key in self.shared

    def unnamed(self, explained, *parts):
        """The keys that --explain lists, at the top and inside of the parts, but the manual not."""
        keys = re.findall(r"^(?:# )?(\w+):", explained, re.M)
        for part in parts:
            lines = re.search(rf"^{part}:.*\n((?:  .*\n)+)", explained, re.M)[1]
            keys += re.findall(r"^ +(?:- )?(?:# )?([a-z_]+):", lines, re.M)
        return [key for key in keys if not self.names(key)]


@pytest.fixture
def manual():
    return Manual
