# SPDX-License-Identifier: Apache-2.0
"""Folders that come from somebody else: what stands in them is neither followed nor waited for."""

import os
import pathlib

import pytest

SCENARIOS = pathlib.Path(__file__).resolve().parents[2] / "scenarios"
NO_BROWSER = {"PATH": "/nowhere", "DISPLAY": ""}


@pytest.fixture
def run(atemi, tmp_path):
    folder = tmp_path / "run"
    assert atemi("simulate", SCENARIOS / "slide.yaml", "--out", folder).code == 0
    return folder


@pytest.mark.parametrize("command", ["report", "view"])
def test_page_takes_the_place_of_a_link(atemi, has_page, run, tmp_path, command):
    precious = tmp_path / "precious"
    precious.write_text("mine")
    (run / "report.html").symlink_to(precious)
    assert atemi(command, run, environment=NO_BROWSER).code == 0
    assert precious.read_text() == "mine"
    assert not (run / "report.html").is_symlink()
    assert (run / "report.html").stat().st_size > 1e5


@pytest.mark.parametrize("command", ["report", "view"])
def test_page_takes_the_place_of_a_pipe(atemi, has_page, run, command):
    os.mkfifo(run / "report.html")
    assert atemi(command, run, environment=NO_BROWSER).code == 0
    assert (run / "report.html").is_file()


def test_page_where_the_user_says_follows_his_link(atemi, has_page, run, tmp_path):
    (tmp_path / "page.html").symlink_to("elsewhere.html")
    (tmp_path / "elsewhere.html").write_text("old")
    assert atemi("report", run, "-o", tmp_path / "page.html").code == 0
    assert (tmp_path / "page.html").is_symlink()
    assert (tmp_path / "elsewhere.html").stat().st_size > 1e5


def test_figures_take_the_place_of_links(atemi, run, tmp_path):
    precious = tmp_path / "precious"
    precious.write_text("mine")
    figures = tmp_path / "figures"
    figures.mkdir()
    (figures / "base.svg").symlink_to(precious)
    assert atemi("report", run, "--figures", figures).code == 0
    assert precious.read_text() == "mine" and not (figures / "base.svg").is_symlink()


@pytest.mark.parametrize("name", ["summary.json", "recording.csv", "robot.urdf", "scenario.yaml"])
def test_pipe_in_a_recording_is_refused_at_once(refused, run, name):
    assert (run / name).is_file()
    (run / name).unlink()
    os.mkfifo(run / name)
    said = refused("report", run)
    assert str(run / name) in said and "regular file" in said


def test_robot_of_a_scenario_that_is_a_pipe_is_refused_at_once(refused, tmp_path):
    os.mkfifo(tmp_path / "r.urdf")
    (tmp_path / "s.yaml").write_text("robot: r.urdf\nduration: 0.1\n")
    said = refused("simulate", tmp_path / "s.yaml")
    assert "r.urdf" in said and "a regular file is needed here" in said


ROBOT = """<robot name='r'><link name='l'><inertial><mass value='1'/>
<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>{shapes}</link></robot>"""
SHAPE = "<visual><geometry><mesh filename='{}'/></geometry></visual>"


def record(atemi, folder, meshes):
    shapes = "".join(SHAPE.format(f"{folder}/{mesh}") for mesh in meshes)
    (folder / "r.urdf").write_text(ROBOT.format(shapes=shapes))
    (folder / "s.yaml").write_text("robot: r.urdf\nduration: 0.01\n")
    result = atemi("simulate", "s.yaml", "--report", "page.html", cwd=folder)
    assert result.code == 0, result.err
    return (folder / "page.html").stat().st_size, result.err


def test_mesh_that_is_a_pipe_is_left_out_at_once(atemi, has_page, tmp_path):
    os.mkfifo(tmp_path / "a.stl")
    _, said = record(atemi, tmp_path, ["a.stl"])
    assert "a.stl" in said and "a simpler shape is drawn instead" in said


def test_mesh_is_in_a_page_once_however_it_is_spelled(atemi, has_page, tmp_path):
    """20,000 triangles without order: about 900 kB in the page, 180 MB if each spelling had its own."""
    numbers = [(i * 7919 % 10007 / 9973, i * 104729 % 10009 / 9967, i * 1299709 % 10037 / 9949)
               for i in range(20000)]
    lines = [f"v {x:.7f} {y:.7f} {z:.7f}" for x, y, z in numbers]
    lines += [f"f {i + 1} {(i * 31 + 1) % 20000 + 1} {(i * 57 + 2) % 20000 + 1}"
              for i in range(20000)]
    (tmp_path / "a.obj").write_text("\n".join(lines) + "\n")
    (tmp_path / "x").mkdir()
    once, _ = record(atemi, tmp_path, ["a.obj"])
    spellings = ["./" * i + "a.obj" for i in range(100)] + ["x/../" * i + "a.obj" for i in range(100)]
    often, said = record(atemi, tmp_path, spellings)
    assert said == ""
    # 200 parts are some 200 bytes of JSON each.
    assert often - once < 200 * 1000


# Names from the folder of the robot's file, as many robots have them: the recording is another folder.
def test_mesh_beside_the_robot_is_in_the_page_also_later_and_from_elsewhere(atemi, has_page, tmp_path):
    robots = tmp_path / "robots"
    (robots / "parts").mkdir(parents=True)
    (robots / "parts/a.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    (robots / "r.urdf").write_text(ROBOT.format(shapes=SHAPE.format("parts/a.obj")))
    (tmp_path / "s.yaml").write_text("robot: robots/r.urdf\nduration: 0.01\n")
    result = atemi("simulate", "s.yaml", "--out", "run", "--report", "page.html", cwd=tmp_path)
    assert (result.code, result.err) == (0, "")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    later = atemi("report", tmp_path / "run", "--out", "page.html", cwd=elsewhere)
    assert (later.code, later.err) == (0, "")
    assert (elsewhere / "page.html").read_bytes() == (tmp_path / "page.html").read_bytes()


def test_missing_meshes_are_one_warning(atemi, has_page, tmp_path):
    _, said = record(atemi, tmp_path, [f"{i}.stl" for i in range(30)])
    assert said.count("warning: ") == 1
    assert "0.stl' is not found" in said and "(and 29 more like it)" in said


def test_link_to_a_recording_is_a_recording(atemi, run, tmp_path):
    (tmp_path / "link").symlink_to(run)
    assert atemi("report", tmp_path / "link", "--figures", tmp_path / "figures").code == 0
