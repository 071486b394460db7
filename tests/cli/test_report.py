# SPDX-License-Identifier: Apache-2.0

import base64
import json
import os
import pathlib
import re
import stat
import xml.etree.ElementTree
import zlib

import pytest

SCENARIOS = pathlib.Path(__file__).resolve().parents[2] / "scenarios"
NO_DISPLAY = {"DISPLAY": "", "WAYLAND_DISPLAY": ""}


@pytest.fixture
def recording(atemi, tmp_path):
    folder = tmp_path / "run"
    assert atemi("simulate", SCENARIOS / "slide.yaml", "--out", folder).code == 0
    return folder


@pytest.fixture
def page(atemi, recording):
    """Skips where the command was built without the page."""
    result = atemi("report", recording)
    if "built without the page" in result.err:
        assert result.code == 2 and "npm" in result.err
        pytest.skip("built without the page of reports")
    assert (result.code, result.err) == (0, "")
    assert result.out == f"{recording}/report.html\n"
    return recording / "report.html"


def element(text, name):
    return re.search(rf'<script type="[a-z/]+" id="{name}">(.*?)</script>', text, re.S)[1]


# ---- The page

def test_page_is_one_file_that_asks_nobody(page):
    text = page.read_text()
    assert page.stat().st_size < 3_000_000
    assert not re.search(r"<(script|link|img|iframe)[^>]+(src|href)=[\"'](https?:)?//", text)
    report = json.loads(element(text, "atemi-report"))
    assert report["format"] == "atemi-report" and report["version"] == 1
    assert report["summary"]["outcome"] == "simulated 1 s"
    assert report["scenario"] == (SCENARIOS / "slide.yaml").read_text()
    assert [surface["name"] for surface in report["surfaces"]] == ["slope"]
    assert report["robot"]["links"][0]["parts"][0]["shape"] == "box"


def test_numbers_of_the_page_are_those_of_the_recording(page, recording):
    text = page.read_text()
    report = json.loads(element(text, "atemi-report"))
    names = [column["name"] for column in report["summary"]["columns"]]
    index = names.index("q.base.x")
    about = report["data"][index]
    assert about["encoding"] == "u16"
    steps = zlib.decompress(base64.b64decode(element(text, f"atemi-column-{index}")))
    rows = (recording / "recording.csv").read_text().splitlines()[1:]
    assert len(steps) == 2 * len(rows)
    value = 0
    for i, row in enumerate(rows):
        value = (value + int.from_bytes(steps[2 * i:2 * i + 2], "little")) % 65536
        assert about["min"] + about["scale"] * value == pytest.approx(
            float(row.split(",")[index]), abs=0.5001 * about["scale"])


def test_place_of_the_page_can_be_chosen(atemi, page, recording, tmp_path):
    for option in "-o", "--out":
        path = tmp_path / f"page{option}.html"
        assert atemi("report", recording, option, path).out == f"{path}\n"
        assert path.read_bytes() == page.read_bytes()
    answer = atemi("report", recording, "-o", path, "--json").json
    assert answer == {"recording": str(recording), "report": str(path), "figures": None}


def test_simulation_writes_the_same_page(atemi, page, tmp_path):
    path = tmp_path / "page.html"
    answer = atemi("simulate", SCENARIOS / "slide.yaml", "--report", path, "--json").json
    assert answer["report"] == str(path) and path.read_bytes() == page.read_bytes()


def test_bad_place_is_refused_before_the_simulation(atemi, page, tmp_path):
    result = atemi("simulate", SCENARIOS / "fall.yaml", "--report", tmp_path / "none/page.html")
    assert (result.code, result.out) == (2, "") and "does not exist" in result.err


# ---- Figures

# Of a box, which has no joints.
FIGURES = {"strip.svg", "motion.svg", "zmp.svg", "forces.svg", "contacts.svg", "balance.svg",
           "energy.svg", "base.svg"}


def test_figures_are_svg_and_made_without_a_page(atemi, recording, tmp_path):
    folder = tmp_path / "figures"
    result = atemi("report", recording, "--figures", folder)
    assert (result.code, result.err, result.out) == (0, "", f"{folder}\n")
    assert {path.name for path in folder.iterdir()} == FIGURES
    for path in folder.iterdir():
        root = xml.etree.ElementTree.parse(path).getroot()
        assert root.tag == "{http://www.w3.org/2000/svg}svg" and len(root) > 5
    assert not (recording / "report.html").exists()


def test_figures_are_the_same_in_every_locale(atemi, recording, tmp_path):
    for name in "C", "de_DE.UTF-8":
        atemi("report", recording, "--figures", tmp_path / name, environment={"LC_ALL": name})
    for path in (tmp_path / "C").iterdir():
        assert path.read_bytes() == (tmp_path / "de_DE.UTF-8" / path.name).read_bytes()


# ---- What is wrong

def test_truncated_recording_is_refused(refused, recording, tmp_path):
    table = recording / "recording.csv"
    table.write_bytes(table.read_bytes()[:-100])
    assert "truncated" in refused("report", recording, "--figures", tmp_path / "figures")
    assert "truncated" in refused("view", recording)


def test_newer_recording_is_refused(refused, recording, tmp_path):
    summary = recording / "summary.json"
    summary.write_text(summary.read_text().replace('"version": 1', '"version": 7'))
    assert "newer format, version 7" in refused("report", recording, "--figures", tmp_path / "f")


def test_folder_without_a_recording_is_refused(refused, tmp_path):
    assert "no recording" in refused("report", tmp_path)
    assert "no such folder" in refused("report", tmp_path / "none")
    assert "no such folder or file" in refused("view", tmp_path / "none")


# ---- The browser

def test_view_tells_the_path_where_there_is_no_display(atemi, page):
    for path in page, page.parent:
        result = atemi("view", path, environment=NO_DISPLAY)
        assert (result.code, result.out) == (0, f"{page}\n")
        assert result.err == "warning: no browser is found here; open this page in one\n"
        answer = atemi("view", path, "--json", environment=NO_DISPLAY)
        assert answer.json == {"report": str(page), "opened": False} and answer.err == ""


def test_view_opens_the_page_in_the_browser(atemi, page, tmp_path):
    opener = tmp_path / "bin/xdg-open"
    opener.parent.mkdir()
    os.mkfifo(tmp_path / "opened")
    opener.write_text(f'#!/bin/sh\nprintf %s "$1" >{tmp_path}/opened\n')
    opener.chmod(opener.stat().st_mode | stat.S_IXUSR)
    result = atemi("view", page, environment={
        "DISPLAY": ":0", "PATH": f"{opener.parent}:{os.environ['PATH']}"})
    assert (result.code, result.out) == (0, f"{page}\n")
    assert (tmp_path / "opened").read_text() == str(page)


def test_view_without_an_opener_tells_the_path(atemi, page, tmp_path):
    result = atemi("view", page, environment={"DISPLAY": ":0", "PATH": str(tmp_path)})
    assert result.code == 0 and "no browser" in result.err
