# SPDX-License-Identifier: Apache-2.0
"""atemi export, --srdf and --package-path."""

import json
import xml.etree.ElementTree as ElementTree

import pytest

URDF = """<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"
ixy="0" ixz="0" iyz="0"/></inertial><collision><geometry><mesh filename="package://p/m.obj"/>
</geometry></collision><collision><geometry><mesh filename="package://p/n.obj"/></geometry>
</collision><collision><geometry><sphere radius="0.1"/></geometry></collision></link></robot>"""
PYRAMID = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def test_a_robot_is_exported_by_name_or_by_ending(atemi, tmp_path):
    mjcf = tmp_path / "r.xml"
    result = atemi("export", "hrp2_like", "--out", mjcf)
    assert (result.code, result.out) == (0, "")
    assert "no place for the speed limits of 30 joints" in result.err
    assert ElementTree.parse(mjcf).getroot().tag == "mujoco"
    urdf = atemi("export", "hrp2_like", "--to", "urdf")
    assert ElementTree.fromstring(urdf.out).tag == "robot"
    again = json.loads(atemi("info", mjcf, "--json").out)
    assert again["mass"] == pytest.approx(json.loads(atemi("info", "hrp2_like", "--json").out)["mass"])
    assert json.loads(atemi("export", "two_link", "--to", "urdf", "--json").out)["file"] is None


@pytest.mark.parametrize(("arguments", "message"), [
    ((), "say in which format"), (("--to", "sdf"), "there are urdf and mjcf"),
    (("--out", "r.txt"), "say in which format"),
])
def test_an_unknown_format_is_refused(atemi, arguments, message):
    result = atemi("export", "two_link", *arguments)
    assert result.code == 2 and message in result.err


def test_srdf_gives_postures(atemi, tmp_path):
    srdf = tmp_path / "r.srdf"
    srdf.write_text("<robot name='two_link'><group_state name='up' group='g'><joint name='joint1' "
                    "value='0.5'/></group_state></robot>")
    info = json.loads(atemi("info", "two_link", "--srdf", srdf, "--json").out)
    assert info["postures"]["up"][0] == 0.5
    missing = atemi("info", "two_link", "--srdf", tmp_path / "none.srdf")
    assert missing.code == 2 and "none.srdf" in missing.err


def _scenario(tmp_path):
    (tmp_path / "r.urdf").write_text(URDF)
    scenario = tmp_path / "s.yaml"
    scenario.write_text("robot: r.urdf\nbase: fixed\ncontacts: shapes\nmethod: steps\nduration: 0.01 s\n")
    return scenario


def test_missing_meshes_are_one_warning(atemi, tmp_path):
    result = atemi("simulate", _scenario(tmp_path))
    assert result.err.count("warning:") == 1
    assert "m.obj' of link 'a' (and 1 others) was not found" in result.err


def test_every_job_takes_a_package_path(atemi, tmp_path):
    folder = tmp_path / "packages" / "p"
    folder.mkdir(parents=True)
    (folder / "package.xml").write_text("<package><name>p</name></package>")
    for name in ("m.obj", "n.obj"):
        (folder / name).write_text(PYRAMID)
    result = atemi("simulate", _scenario(tmp_path), "--package-path", folder.parent)
    assert (result.code, result.err) == (0, "")
    for job in ("impact", "strike", "walk", "control", "run", "report"):
        assert "--package-path PATH" in atemi(job, "--help").out


@pytest.mark.parametrize(("text", "message"), [
    ("forces: [{link: a, force: [1, 0, 0], from: 500 ms, until: 200 ms}]",
     "forces[0].until: 200 ms is not after from, 500 ms"),
])
def test_messages_have_the_units_of_the_file(atemi, tmp_path, text, message):
    scenario = _scenario(tmp_path)
    scenario.write_text(scenario.read_text().replace("shapes", "[]") + text + "\n")
    result = atemi("simulate", scenario)
    assert result.code == 2 and message in result.err and "s.yaml:6:" in result.err
