# SPDX-License-Identifier: Apache-2.0
"""Robots that are drawn: every kind of base, joint and shape comes through a simulation to the page
and to the figures, and what cannot be drawn is said."""

import json
import re

import pytest

INERTIAL = """<inertial><mass value="1"/>
<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>"""


def link(name, shape="<box size='0.1 0.1 0.1'/>", material=""):
    return f"""<link name="{name}">{INERTIAL}<visual><geometry>{shape}</geometry>{material}</visual>
</link>"""


def joint(name, kind, parent, child, more=""):
    return f"""<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>
<axis xyz="0 0 1"/>{more}</joint>"""


ROBOT = "\n".join([
    '<robot name="assembly">',
    link("base"),
    link("wheel", "<mesh filename='package://shapes/tetrahedron.obj' scale='0.1 0.2 0.3'/>"),
    link("copy", "<mesh filename='package://shapes/broken.obj'/>"),
    link("slider", "<cylinder radius='0.1' length='0.2'/>", '<material name="unknown"/>'),
    link("plate", "<sphere radius='0.1'/>"),
    link("loose", "<mesh filename='package://shapes/nowhere.obj'/>"),
    joint("turn", "continuous", "base", "wheel"),
    joint("follow", "continuous", "wheel", "copy", '<mimic joint="turn" multiplier="2" offset="1"/>'),
    joint("slide", "prismatic", "base", "slider",
          '<limit lower="-1" upper="1" effort="9" velocity="9"/>'),
    joint("flat", "planar", "base", "plate"),
    joint("free", "floating", "base", "loose"),
    "</robot>"])
TETRAHEDRON = """v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
"""


@pytest.fixture(params=["planar", "sagittal", "floating", "fixed"])
def recorded(request, atemi, tmp_path):
    """What a simulation says about a robot on one of the bases, and its folder."""
    (tmp_path / "assembly.urdf").write_text(ROBOT)
    shapes = tmp_path / "packages/shapes"
    shapes.mkdir(parents=True)
    (shapes / "tetrahedron.obj").write_text(TETRAHEDRON)
    (shapes / "broken.obj").write_text("v 0 0\nf 1 2 3\n")
    (tmp_path / "run.yaml").write_text(f"robot: ./assembly.urdf\nbase: {request.param}\n"
                                       "contacts: []\nduration: 50 ms\n")
    result = atemi("simulate", tmp_path / "run.yaml", "--out", tmp_path / "run")
    assert result.code == 0, result.err
    return request.param, result, tmp_path / "run"


def columns_of(folder):
    return (folder / "recording.csv").read_text().splitlines()[0].replace('"', "").split(",")


BASE_COLUMNS = {"planar": ["x", "y"], "sagittal": ["x", "z"], "floating": ["x", "y", "z"],
                "fixed": []}


def test_every_base_and_joint_has_its_columns(recorded):
    base, _, folder = recorded
    names = [name.split(" ")[0] for name in columns_of(folder)]
    for axis in "xyz":
        assert (f"q.base.{axis}" in names) == (axis in BASE_COLUMNS[base])
    for name in "q.turn", "q.slide", "q.flat.x", "q.flat.y", "q.free.x", "q.free.z":
        assert name in names, names


@pytest.fixture
def report(atemi, recorded, tmp_path):
    def run(*options):
        return atemi("report", recorded[2], *options,
                     environment={"ROS_PACKAGE_PATH": str(tmp_path / "packages")})
    return run


def test_figures_are_drawn_and_say_what_cannot_be(report, tmp_path):
    result = report("--figures", tmp_path / "figures")
    assert result.code == 0, result.err
    assert re.search(r"broken\.obj:1:.*a simpler shape is drawn instead", result.err), result.err
    assert re.search(r"nowhere\.obj' is not found.*ROS_PACKAGE_PATH", result.err)
    assert "'unknown': a material that has no colour anywhere in the file" in result.err
    assert "tetrahedron" not in result.err
    assert (tmp_path / "figures/strip.svg").stat().st_size > 1000


def test_page_has_the_joint_that_follows_and_the_mesh(report, tmp_path):
    path = tmp_path / "page.html"
    result = report("-o", path)
    if "npm" in result.err:
        pytest.skip("built without the page of reports")
    text = re.search(r'id="atemi-report">(.*?)</script>', path.read_text(), re.S)[1]
    robot = json.loads(text)["robot"]
    follow = next(part for part in robot["joints"] if part["name"] == "follow")
    assert follow["mimic"] == {"joint": 0, "multiplier": 2, "offset": 1}
    parts = {link["name"]: link["parts"] for link in robot["links"]}
    assert parts["wheel"][0]["shape"] == "mesh" and parts["wheel"][0]["size"] == [0.1, 0.2, 0.3]
    assert parts["copy"] == parts["loose"] == []
