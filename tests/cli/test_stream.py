# SPDX-License-Identifier: Apache-2.0
"""Rows go to the disk while a job runs: memory does not grow with their number, and the folder is
the same as if they had been in memory."""

import json
import pathlib
import resource
import signal
import subprocess
import sys
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCENARIOS = ROOT / "scenarios"

SWINGS = """robot: two_link
start: {{joints: {{joint1: 1 rad}}}}
contacts: []
duration: {} s
record: {{every: 1 ms}}
"""

HOLDS = "robot: two_link\nholds: [base]\nduration: {} s\nrecord: {{every: 1 ms}}\n"

WALKS = "steps: {}\nrecord: {{every: 1 ms}}\n"


def contents(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}


# The system counts what a process had before it became the command as well, and that is what its
# parent has: a small one, 10 MB, instead of the one that runs these tests.
MEASURE = """import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def peak(*command):
    """The most memory that a command had, bytes."""
    result = subprocess.run([sys.executable, "-S", "-E", "-c", MEASURE, *map(str, command)],
                            stdout=subprocess.PIPE, text=True, check=True, timeout=600)
    return 1024 * int(result.stdout)


def numbers_in(folder):
    with open(folder / "recording.csv", newline="") as file:
        return (1 + file.readline().count(",")) * sum(1 for _ in file)


# In memory the rows of the longer job take 13 to 21 MB more than those of the shorter one. A walk
# has events as well, of which a recording has 100,000 at most: 2 MB here.
@pytest.mark.parametrize("job, text, lengths", [("simulate", SWINGS, (10, 100)),
                                                ("control", HOLDS, (10, 100)),
                                                ("walk", WALKS, (20, 100))],
                         ids=["simulate", "control", "walk"])
def test_memory_does_not_grow_with_the_rows(command, scenario, tmp_path, job, text, lengths):
    peaks, numbers = [], []
    for length in lengths:
        folder = tmp_path / f"run{length}"
        peaks.append(peak(command, job, scenario(text.format(length)), "--out", folder))
        numbers.append(numbers_in(folder))
    more = 8 * (numbers[1] - numbers[0])
    assert more > 13e6, "too few rows to see anything"
    assert peaks[1] - peaks[0] < 0.25 * more


# A page or a figure needs all rows: with --figures they stay in memory, and are written from there.
EQUAL = [
    *(("simulate", f"{name}.yaml") for name in ("bounce", "fall", "slide", "slope", "stand",
                                                "height_field", "two_link_on_plane")),
    ("walk", "walk.yaml"), ("walk", "ice.yaml"), ("control", "reach.yaml"),
]


@pytest.mark.parametrize("job, name", EQUAL, ids=[name for _, name in EQUAL])
def test_folder_is_the_same_byte_by_byte_as_from_memory(atemi, tmp_path, job, name):
    streamed, memory = tmp_path / "streamed", tmp_path / "memory"
    first = atemi(job, SCENARIOS / name, "--json", "--out", streamed)
    second = atemi(job, SCENARIOS / name, "--json", "--out", memory, "--figures",
                   tmp_path / "figures")
    assert first.code == second.code == 0, first.err + second.err
    assert contents(streamed) == contents(memory)
    answers = first.json, second.json
    for answer in answers:
        answer.pop("recording"), answer.pop("figures")
    assert answers[0] == answers[1]
    assert {entry.name for entry in tmp_path.iterdir()} == {"streamed", "memory", "figures"}


# ---- While it runs

LONG = SWINGS.format(5000)  # a minute


def started(command, arguments, folder):
    """A command that has begun to write beside `folder`."""
    process = subprocess.Popen([command, *map(str, arguments), "--out", folder],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    begin = time.monotonic()
    while not sum(file.stat().st_size for file in folder.parent.glob("*.tmp-*/*")):
        assert process.poll() is None and time.monotonic() - begin < 30
        time.sleep(0.01)
    return process


def test_folder_is_as_it_was_while_the_job_runs_and_after_it_was_killed(atemi, command, scenario,
                                                                        tmp_path):
    folder = tmp_path / "results" / "run"
    folder.parent.mkdir()
    short = scenario(SWINGS.format(1), "short.yaml")
    assert atemi("simulate", short, "--out", folder).code == 0
    before = contents(folder)
    process = started(command, ["simulate", scenario(LONG)], folder)
    assert contents(folder) == before
    process.kill()
    process.communicate()
    assert contents(folder) == before and len(list(folder.parent.iterdir())) == 2
    # The next one that finishes removes what is left.
    assert atemi("simulate", short, "--out", folder).code == 0
    assert list(folder.parent.iterdir()) == [folder]


def test_ctrl_c_keeps_the_rows_there_are(command, scenario, tmp_path):
    folder = tmp_path / "results" / "run"
    folder.parent.mkdir()
    process = started(command, ["simulate", scenario(LONG)], folder)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=600)
    assert process.returncode == 130
    assert list(folder.parent.iterdir()) == [folder]
    assert numbers_in(folder) > 1000


def test_disk_that_gets_full_is_said_at_once_and_in_the_end(command, scenario, tmp_path):
    """The answer is there all the same, and of the recording nothing."""
    folder = tmp_path / "results" / "run"
    folder.parent.mkdir()
    result = subprocess.run(
        [command, "simulate", scenario(SWINGS.format(10)), "--json", "--out", folder],
        capture_output=True, text=True, timeout=600,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (300000, 300000)))
    assert result.returncode == 1
    fault = f"{folder}: the file is larger than the system allows here; write elsewhere"
    assert result.stderr == (f"warning: {fault}; the recording is lost, and the job continues without "
                             f"it\nerror: {fault}\n")
    answer = json.loads(result.stdout)
    assert (answer["completed"], answer["rows"], answer["recording"]) == (True, 10001, None)
    assert list(folder.parent.iterdir()) == []
