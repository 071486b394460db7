# SPDX-License-Identifier: Apache-2.0

import math
import os
import pty
import re
import subprocess

import numpy as np
import pytest

ARM = """<robot name="arm"><link name="{root}">{inertial}</link>
  <joint name="slide" type="prismatic"><parent link="{root}"/><child link="cart"/>
    <axis xyz="1 0 0"/><limit lower="-0.5" upper="0.5" effort="10" velocity="2"/></joint>
  <link name="cart"><inertial><mass value="2"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="turn" type="revolute"><parent link="cart"/><child link="pole"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="5" velocity="3"/>
    <dynamics damping="0.1" friction="0.2" armature="0.3"/>
    <mimic joint="slide" multiplier="2" offset="0.5"/></joint>
  <link name="pole"><inertial><origin xyz="0 0 1"/><mass value="3"/>
    <inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0" ixz="0" iyz="0"/></inertial></link>
</robot>"""
INERTIAL = ('<inertial><mass value="1"/>'
            '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>')


@pytest.fixture
def arm(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(ARM.format(root="base", inertial=""))
    return path


def test_json_has_the_figures_of_the_description(atemi, arm):
    info = atemi("info", arm, "--json").json
    assert (info["name"], info["nq"], info["nv"], info["mass"]) == ("arm", 1, 1, 5)
    assert info["source"] == str(arm)
    assert info["gravity"] == [0, 0, -9.81]
    assert [link["name"] for link in info["links"]] == ["base", "cart", "pole"]
    slide, turn = info["joints"]
    assert (slide["lower"], slide["upper"], slide["effort"], slide["velocity"]) == (-0.5, 0.5, 10, 2)
    assert (slide["first_q"], slide["mimic"]) == (0, None)
    assert (turn["damping"], turn["friction"], turn["armature"]) == (0.1, 0.2, 0.3)
    assert turn["mimic"] == {"joint": "slide", "multiplier": 2, "offset": 0.5}
    assert turn["first_q"] is None


# The rule of docs/theory/control_plant.md: 4 ms to the velocity limit, 10 N of a slide as 1 N m of
# a leg joint, which has 50,000 N m/rad and 20 N m s/rad for 330 N m and 0.746 kg m^2.
def test_drives_are_stated_or_estimated(atemi, arm):
    drive, = atemi("info", arm, "--json").json["drives"]
    spring, rotor = 50000 * 10 / (330 * 0.1), 0.004 * 10 / 2
    assert (drive["joint"], drive["inertia"], drive["effort"], drive["velocity"]) == ("slide", 5, 10, 2)
    assert drive["rotor"] == pytest.approx(rotor)
    assert drive["spring"] == pytest.approx(spring)
    assert drive["spring_damping"] == pytest.approx(20 * (spring / 50000 * rotor / 0.746) ** 0.5)
    assert drive["estimated"] == {"rotor": "effort and speed", "spring": "effort",
                                  "spring_damping": "spring and rotor"}
    assert "Prismatic joints: kg, N, m/s, N/m, N s/m." in atemi("info", arm).out
    assert "A prismatic joint: kg for kg m^2" in atemi("joint", arm, "slide").out
    row = re.search(r"^Drives.*?^ *slide +(.*?)$", atemi("info", arm).out, re.S | re.M)[1]
    assert row.split() == ["5", "10", "2", "0.02", "1.515e+04", "1.803", "rotor", "spring", "damping"]


def test_mimic_joints_can_be_independent(atemi, arm):
    assert atemi("info", arm, "--json", "--mimic", "independent").json["nq"] == 2


def test_unlimited_joints_have_null_limits(atemi):
    joint = atemi("info", "two_link", "--json").json["joints"][0]
    assert joint["type"] == "continuous"
    assert joint["lower"] is joint["upper"] is joint["velocity"] is joint["effort"] is None


# cart 2 kg at 0, pole 3 kg with its centre 1 m up the z axis, which the mimic turns by 0.5 rad
# about y at neutral. Inertias about the common centre of mass by Steiner.
def test_center_of_mass_and_inertia_follow_the_parallel_axis_theorem(atemi, arm):
    c, s = math.cos(0.5), math.sin(0.5)
    turn = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    pole = turn @ [0, 0, 1]
    com = 3 * pole / 5

    def steiner(mass, r):
        return mass * (r @ r * np.eye(3) - np.outer(r, r))
    inertia = (np.eye(3) + steiner(2, -com)
               + turn @ np.diag([0.1, 0.2, 0.25]) @ turn.T + steiner(3, pole - com))
    at = atemi("info", arm, "--json").json["configuration"]
    assert at["posture"] == "neutral"
    np.testing.assert_allclose(at["center_of_mass"], com, atol=1e-14)
    np.testing.assert_allclose(at["inertia"], inertia, atol=1e-13)
    np.testing.assert_allclose(at["principal_inertia"], np.linalg.eigvalsh(inertia), atol=1e-12)


# The momentum matrix of a floating robot turns the base's rate into the momentum of the robot as
# one rigid body: another algorithm for the same inertia.
@pytest.mark.parametrize("posture", ["neutral", "half_sitting"])
def test_inertia_is_the_block_of_the_momentum_matrix(atemi, posture):
    info = atemi("info", "hrp2_like", "--json", "--posture", posture).json["configuration"]
    state = f'{{"q": "{posture}"}}'
    result = atemi("eval", "hrp2_like", "--state", "-", stdin=state).json
    block = np.array(result["momentum_matrix"])[3:, 3:6]
    np.testing.assert_allclose(info["inertia"], block, atol=1e-12)
    np.testing.assert_allclose(info["center_of_mass"], result["center_of_mass"], atol=1e-14)


def test_links_bolted_to_the_ground_do_not_count(atemi, tmp_path):
    path = tmp_path / "bolted.urdf"
    path.write_text(ARM.format(root="world", inertial=INERTIAL))
    info = atemi("info", path, "--json").json
    assert info["base"] == "fixed" and info["mass"] == 5
    free = atemi("info", path, "--json", "--base", "floating").json
    assert free["mass"] == 6


@pytest.mark.parametrize("root, inertial, base, reason", [
    ("base", "", "fixed", "default: the root link has no mass"),
    ("base", INERTIAL, "floating", "default: the root link has mass"),
    ("world", INERTIAL, "fixed", "default: the root link is named 'world'"),
])
def test_default_base_and_its_reason(atemi, tmp_path, root, inertial, base, reason):
    path = tmp_path / "robot.urdf"
    path.write_text(ARM.format(root=root, inertial=inertial))
    info = atemi("info", path, "--json").json
    assert (info["base"], info["base_reason"]) == (base, reason)
    assert f"{base} ({reason})" in atemi("info", path).out


# Many robots begin with a massless frame that is fixed to the trunk.
def test_mjcf_is_told_by_its_outermost_element(atemi, tmp_path):
    body = '<body name="b"><{}/><geom size="0.1"/></body>'
    path = tmp_path / "robot"  # whatever its name
    path.write_text(f"<mujoco model='m'><worldbody>{body.format('freejoint')}</worldbody></mujoco>")
    info = atemi("info", path, "--json").json
    assert (info["name"], info["base"], info["nv"]) == ("m", "floating", 6)
    assert info["mass"] == pytest.approx(1000 * 4 / 3 * math.pi * 1e-3, rel=1e-12)
    text = f"<mujoco><worldbody>{body.format('joint')}</worldbody></mujoco>"
    info = atemi("info", "-", "--json", stdin=text).json
    assert (info["base"], info["nv"]) == ("fixed", 1)


def test_what_mjcf_has_beyond_a_robot_is_warned_of_once(atemi, tmp_path):
    path = tmp_path / "robot.xml"
    path.write_text("""<mujoco><worldbody>
        <body name="b"><joint stiffness="3"/><geom size="0.1" condim="4"/></body>
        </worldbody><sensor/></mujoco>""")
    stderr = atemi("info", path).err
    assert stderr.count("robot.xml:2:24: joints of the model have no springs") == 1
    assert stderr.count("not used: <sensor> (line 3), condim of <geom> (line 2)") == 1


def test_mass_fixed_to_the_root_counts_as_the_roots(atemi, tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(
        f'<robot name="r"><link name="frame"/><link name="trunk">{INERTIAL}</link>'
        '<joint name="j" type="fixed"><parent link="frame"/><child link="trunk"/></joint></robot>')
    assert atemi("info", path, "--json").json["base"] == "floating"


@pytest.mark.parametrize("base, nq, nv", [
    ("fixed", 30, 30), ("planar", 33, 33), ("sagittal", 33, 33), ("floating", 37, 36)])
def test_base_can_be_chosen(atemi, base, nq, nv):
    info = atemi("info", "--base", base, "hrp2_like", "--json").json
    assert (info["base"], info["nq"], info["nv"]) == (base, nq, nv)
    assert info["base_reason"] == "as asked"


@pytest.mark.parametrize("robot", ["two_link", "three_link", "humanoid17", "hrp2_like", "r2_like"])
def test_shipped_robots_pass_the_forward_dynamics_check(atemi, robot):
    result = atemi("info", robot, "--json")
    check = result.json["forward_dynamics_check"]
    assert result.code == 0 and result.err == ""
    assert check["passed"] is True and check["states"] == 10
    assert 0 < check["largest_deviation"] < 1e-10  # their mass matrices have conditions below 1e5


# A massless free base and its only joint turn about the same axis: one of the two is for nothing.
def test_singular_robot_fails_the_check_and_says_so(atemi):
    result = atemi("info", "two_link", "--base", "floating", "--json")
    assert result.code == 1
    assert result.json["forward_dynamics_check"]["passed"] is False
    text = atemi("info", "two_link", "--base", "floating")
    assert text.code == 1 and "FAILED" in text.out and "singular" in text.out


# A hand whose mass is all on the axis of its joint: the joint can be accelerated without a torque.
def test_singular_robot_names_the_joint_that_moves_no_mass(atemi, massless_wrist):
    text = atemi("info", massless_wrist)
    assert text.code == 1 and "singular: joint 'wrist' moves no mass" in text.out


def test_gravity_is_passed_on(atemi):
    assert atemi("info", "two_link", "--json", "--gravity=0,1.5,-9.8").json["gravity"] == [0, 1.5, -9.8]


def test_text_shows_limits_in_degrees_with_units(atemi):
    result = atemi("info", "hrp2_like")
    assert result.code == 0 and result.err == ""
    row = next(line for line in result.out.splitlines() if line.split()[:1] == ["right_knee"])
    assert row.split() == ["right_knee", "revolute", "10", "9", "-2.0", "150.0", "3.98", "168.3", "0.159"]
    assert "58.507 kg" in result.out and "kg m^2" in result.out
    assert result.out.isascii() and "\033" not in result.out
    assert all(line == line.rstrip() for line in result.out.splitlines())


def test_text_hides_columns_that_say_nothing(atemi, arm):
    hidden = atemi("info", "hrp2_like").out.split("\nDrives")[0]
    shown = atemi("info", arm).out
    assert "damping" not in hidden and "mimics" not in hidden
    assert "damping" in shown and "2 slide +0.5" in shown and "Prismatic" in shown


def test_sites_move_with_the_posture(atemi):
    def height(*options):
        lines = atemi("info", "hrp2_like", *options).out.splitlines()
        return float(next(line for line in lines if "0.24 x 0.14" in line).split()[-1])
    assert height() == -0.705
    assert height("--posture", "half_sitting") == pytest.approx(-0.649, abs=1e-3)  # docs/robots.md


def test_robot_comes_from_standard_input_and_pipes(atemi, arm, command):
    text = arm.read_text()
    assert atemi("info", "-", "--json", stdin=text).json["mass"] == 5
    script = 'cat "$2" | "$1" info /dev/stdin --json && "$1" info <(cat "$2") --json >/dev/null'
    result = subprocess.run(["bash", "-c", script, "bash", command, arm], capture_output=True)
    assert result.returncode == 0, result.stderr


def test_file_without_ending_hides_a_shipped_robot(atemi, arm, tmp_path):
    (tmp_path / "two_link").write_text(arm.read_text())
    assert atemi("info", "two_link", "--json", cwd=tmp_path).json["name"] == "arm"
    (tmp_path / "three_link").mkdir()
    assert atemi("info", "three_link", "--json", cwd=tmp_path).json["name"] == "three_link"


def test_robot_without_joints_is_fine(atemi, tmp_path):
    path = tmp_path / "stone.urdf"
    path.write_text(f'<robot name="stone"><link name="stone">{INERTIAL}</link></robot>')
    for base, nv in ("floating", 6), ("fixed", 0):
        result = atemi("info", path, "--base", base, "--json")
        assert result.code == 0 and result.json["nv"] == nv
        assert atemi("info", path, "--base", base).code == 0


def test_warnings_go_to_stderr_once(atemi, tmp_path):
    path = tmp_path / "warns.urdf"
    path.write_text('<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="9" '
                    'iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>')
    result = atemi("info", path, "--json")
    assert result.code == 0 and result.json["mass"] == 1
    assert result.err.count("warning: ") == 1 and str(path) in result.err


# ---- What is refused

def test_unknown_robot_is_told_with_a_suggestion(refused):
    message = refused("info", "hrp2_lik")
    assert "hrp2_lik" in message and "did you mean 'hrp2_like'?" in message


def test_bad_file_is_told_with_line_and_column(refused, tmp_path):
    path = tmp_path / "bad.urdf"
    path.write_text('<robot name="r">\n  <link name="a">\n</robot>')
    assert refused("info", path).startswith(f"error: {path}:3:")
    assert refused("info", "-", stdin=path.read_text()).startswith("error: standard input:3:")


def test_missing_file_folder_and_empty_input(refused, tmp_path):
    assert "no such file" in refused("info", tmp_path / "none.urdf")
    assert "folder" in refused("info", str(tmp_path) + "/")
    refused("info", "-", stdin="")


def test_bad_values_of_options(refused):
    message = refused("info", "two_link", "--base", "flaoting")
    assert "fixed, planar, sagittal, floating" in message and "did you mean 'floating'?" in message
    for value in "1,2", "1,2,3,4", "1,2,x", "nan,0,0", "0,0,1e999", "", "1,,2", "0,0,-9.81 ":
        assert "X,Y,Z" in refused("info", "two_link", f"--gravity={value}")
    assert "coupled, independent" in refused("info", "two_link", "--mimic", "both")
    message = refused("info", "hrp2_like", "--posture", "half_siting")
    assert "did you mean 'half_sitting'?" in message


def test_control_characters_of_names_do_not_reach_the_terminal(atemi, tmp_path):
    path = tmp_path / "evil.urdf"
    path.write_text(f'<robot name="a&#10;b"><link name="x&#9;y">{INERTIAL}</link></robot>')
    out = atemi("info", path).out
    assert r"a\x0ab" in out and r"x\x09y" in out


def test_json_keeps_names_as_they_are(atemi, tmp_path):
    path = tmp_path / "names.urdf"
    path.write_text(f'<robot name="&quot;\\ &#10;&#9; \u00e4\u65e5"><link name="a">{INERTIAL}</link></robot>',
                    encoding="utf-8")
    assert atemi("info", path, "--json").json["name"] == '"\\ \n\t \u00e4\u65e5'


# ---- Colours

def on_terminal(command, **environment):
    """What `atemi info two_link` writes to a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([command, "info", "two_link"], stdout=theirs,
                          env={**os.environ, "TERM": "xterm", **environment}) as process:
        os.close(theirs)
        chunks = []
        try:
            while chunk := os.read(ours, 65536):
                chunks.append(chunk)
        except OSError:  # Linux reports the end of a terminal as an error
            pass
        os.close(ours)
        assert process.wait() == 0
    return b"".join(chunks)


def test_colours_are_for_terminals_that_want_them(command):
    assert b"\033[1mtwo_link" in on_terminal(command, NO_COLOR="")
    assert b"\033" not in on_terminal(command, NO_COLOR="1")
    assert b"\033" not in on_terminal(command, TERM="dumb", NO_COLOR="")
