# SPDX-License-Identifier: Apache-2.0
"""Disks that are full, read-only or not what was meant, and writers that are killed: what was there
before is still there, whole, and the error says what to do."""

import os
import pathlib
import random
import re
import resource
import shlex
import subprocess
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCENARIOS = ROOT / "scenarios"
BOUNCE = SCENARIOS / "bounce.yaml"


def contents(path):
    """All files at a path, with their bytes; None where there is nothing."""
    if path.is_dir():
        return {file.name: file.read_bytes() for file in path.iterdir()}
    return path.read_bytes() if path.exists() else None


def leftovers(folder):
    return [entry for entry in folder.iterdir() if ".tmp-" in entry.name]


@pytest.fixture
def short(scenario):
    """A scenario whose results differ from those of bounce.yaml."""
    text = BOUNCE.read_text().replace("robots/", f"{SCENARIOS}/robots/")
    return scenario(text.replace("2 s", "1 s"), "short.yaml")


@pytest.fixture
def recording(atemi, tmp_path):
    folder = tmp_path / "recording"
    assert atemi("simulate", BOUNCE, "--out", folder).code == 0
    return folder


# ---- Killed

def kill_while_writing(command, arguments, folder, delay):
    """Kills the command some time after its first temporary name shows up; True if it was alive."""
    process = subprocess.Popen([command, *map(str, arguments)], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    while process.poll() is None and not leftovers(folder):
        pass
    time.sleep(delay)
    process.kill()
    process.communicate()
    return process.returncode < 0


@pytest.mark.parametrize("option, name", [("--out", "run"), ("--report", "page.html")])
def test_killed_writer_leaves_the_old_result_or_the_new_one(command, atemi, short, has_page,
                                                            tmp_path, option, name):
    folder = tmp_path / "results"
    folder.mkdir()
    target = folder / name
    whole = []
    for scenario in short, BOUNCE:
        assert atemi("simulate", scenario, option, target).code == 0
        whole.append(contents(target))
    draw = random.Random(3)
    killed = torn = 0
    for i in range(24):
        arguments = ["simulate", [short, BOUNCE][i % 2], option, target]
        killed += kill_while_writing(command, arguments, folder, draw.uniform(0, 0.006))
        torn += contents(target) not in whole
    assert torn == 0
    assert killed >= 5, "hardly any was killed in time"
    # Whoever finishes removes what the killed ones have left.
    assert atemi("simulate", short, option, target).code == 0
    assert contents(target) == whole[0] and leftovers(folder) == []


def test_leftovers_of_others_stay(atemi, tmp_path):
    """Only what we have surely made goes: names that merely look like it are the user's."""
    target = tmp_path / "run"
    names = "notes", "ABCDEFGH", "aaaaaaaa", "original", "abcdefghabcdefgh"
    folders = [tmp_path / f"run.tmp-{name}" for name in names]
    for folder in folders:
        folder.mkdir()
        (folder / "summary.json").write_text("mine")
    assert atemi("simulate", BOUNCE, "--out", target).code == 0
    assert all(contents(folder) == {"summary.json": b"mine"} for folder in folders)


def test_pages_of_others_stay(atemi, has_page, tmp_path):
    mine = tmp_path / "page.html.tmp-original"
    mine.write_text("mine")
    assert atemi("simulate", BOUNCE, "--report", tmp_path / "page.html").code == 0
    assert mine.read_text() == "mine"


# ---- Full and read-only disks

def in_a_disk_of_its_own(script, folder):
    """Runs a script of bash that may mount, where this is allowed."""
    become_root = [] if os.geteuid() == 0 else ["-r"]
    start = ["unshare", "-m", *become_root, "bash", "-c"]
    probe = subprocess.run([*start, f"mount -t tmpfs none {shlex.quote(str(folder))}"],
                           capture_output=True, text=True)
    if probe.returncode:
        pytest.skip(f"mounting is not allowed here: {probe.stderr.strip()}")
    return subprocess.run([*start, script], capture_output=True, text=True, timeout=600)


WRITERS = {
    "recording": ["simulate", BOUNCE, "--out", "{disk}/result.html"],
    "report": ["simulate", BOUNCE, "--report", "{disk}/result.html"],
    "page": ["report", "{recording}", "-o", "{disk}/result.html"],
    "figures": ["report", "{recording}", "--figures", "{disk}/result.html"],
    "reproduction": ["reproduce", "ene", "--report", "{disk}/result.html"],
}


@pytest.fixture(params=WRITERS)
def writer(request, command, recording, has_page, tmp_path):
    """A disk, and a line of shell that writes DISK/result.html."""
    disk = tmp_path / "disk"
    disk.mkdir()
    places = {"disk": disk, "recording": recording}
    arguments = (str(part).format(**places) for part in WRITERS[request.param])
    return disk, shlex.join([command, *arguments])


def test_full_disk_keeps_the_old_result(writer, tmp_path):
    disk, line = writer
    # A disk with room for the first result, which is then filled up.
    result = in_a_disk_of_its_own(f"""
        mount -t tmpfs -o size=4m none {disk} && {line} >/dev/null || exit 90
        cp -r {disk}/result.html {tmp_path}/before
        cat /dev/zero >{disk}/filler 2>/dev/null
        {line}
        code=$?
        cp -r {disk}/result.html {tmp_path}/after
        ls {disk} >{tmp_path}/names
        exit $code""", disk)
    assert result.returncode == 1, result.stderr
    assert result.stderr.startswith("error: ") and str(disk / "result.html") in result.stderr
    assert "the disk is full; free some space, or write elsewhere" in result.stderr
    assert contents(tmp_path / "before") == contents(tmp_path / "after")
    assert (tmp_path / "names").read_text().split() == ["filler", "result.html"]


def test_read_only_disk_is_refused(writer):
    disk, line = writer
    result = in_a_disk_of_its_own(f"""
        mount -t tmpfs none {disk} && mount -o remount,ro {disk} || exit 90
        {line}""", disk)
    assert result.returncode == 2, result.stderr
    assert "the disk is read-only; write elsewhere" in result.stderr
    assert result.stderr.startswith(f"error: {disk}") and result.stdout == ""


def test_file_larger_than_allowed_is_an_error(writer, tmp_path):
    disk, line = writer
    result = subprocess.run(["bash", "-c", line], capture_output=True, text=True,
                            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE,
                                                                  (2048, 2048)))
    assert result.returncode == 1, result.stderr
    assert "the file is larger than the system allows here" in result.stderr
    assert leftovers(disk) == []


# ---- Places that are not what was meant

PLACES = [
    ("missing/result.html", "does not exist; create it first"),
    ("file/result.html", "not a folder; check the path"),
]


@pytest.mark.parametrize("place, cure", PLACES)
def test_place_that_cannot_be_is_refused(writer, place, cure):
    disk, line = writer
    (disk / "file").write_text("mine")
    line = line.replace(f"{disk}/result.html", f"{disk}/{place}")
    result = subprocess.run(["bash", "-c", line], capture_output=True, text=True)
    assert result.returncode == 2, result.stderr
    assert result.stderr.startswith(f"error: {disk}/{place.split('/')[0]}")
    assert cure in result.stderr and (disk / "file").read_text() == "mine"


def test_file_where_a_folder_is_meant_is_refused(refused, recording, tmp_path):
    file = tmp_path / "file"
    file.write_text("mine")
    assert "there is a file of this name" in refused("simulate", BOUNCE, "--out", file)
    assert "not a folder" in refused("report", recording, "--figures", file)
    assert "not a folder" in refused("reproduce", "ene", "--figures", file)
    assert "not a folder" in refused("report", file)
    assert file.read_text() == "mine"


def test_folder_where_a_file_is_meant_is_refused(refused, recording, has_page, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    cure = "there is a folder of this name; give another name"
    assert cure in refused("simulate", BOUNCE, "--report", folder)
    assert cure in refused("report", recording, "-o", folder)
    assert cure in refused("reproduce", "ene", "--report", folder)
    (recording / "report.html").mkdir()
    assert cure in refused("view", recording)
    assert "is a folder" in refused("eval", "two_link", "--state", folder)


# ---- A full disk behind stdout

ANSWERS = [
    ["--help"], ["--version"], ["robots"], ["robots", "--json"], ["info", "two_link"],
    ["info", "two_link", "--json"], ["doctor"], ["doctor", "--json"],
    ["eval", "two_link", "--state", "-"], ["simulate", BOUNCE], ["simulate", BOUNCE, "--json"],
    ["simulate", BOUNCE, "--explain"], ["simulate", "--help"],
    ["impact", SCENARIOS / "punch.yaml"], ["impact", SCENARIOS / "punch.yaml", "--json"],
    ["control", "{control}"], ["control", "{control}", "--json"],
    ["control", "--explain"], ["strike", "--explain"], ["walk", "--explain"], ["walk", "--states"],
    ["walk", "--states", "--svg"], ["walk", "{walk}"], ["walk", "{walk}", "--json"],
    ["reproduce", "--list"], ["reproduce", "ene"], ["reproduce", "ene", "--json"],
    ["report", "{recording}", "--figures", "{figures}"],
    ["report", "{recording}", "--figures", "{figures}", "--json"],
]


LOST = r"error: cannot write the output: (No space|a part of it was lost; is the disk full\?)"


def test_answer_that_does_not_arrive_is_an_error(command, recording, scenario, tmp_path):
    held = "robot: r2_like\nstart: {posture: ready}\nholds: [pelvis]\nduration: 10 ms\n"
    places = {"recording": recording, "figures": tmp_path / "figures",
              "walk": scenario("steps: 1\n", "walk.yaml"),
              "control": scenario(held, "control.yaml")}
    silent = []
    for arguments in ANSWERS:
        with open("/dev/full", "w") as full:
            result = subprocess.run([command, *(str(a).format(**places) for a in arguments)],
                                    input='{"q": "neutral"}', stdout=full, stderr=subprocess.PIPE,
                                    text=True, timeout=600)
        if result.returncode != 1 or not re.search(LOST, result.stderr):
            silent.append((arguments, result.returncode, result.stderr))
    assert silent == []
