# SPDX-License-Identifier: Apache-2.0

import json
import math
import xml.etree.ElementTree

import numpy as np
import pytest


@pytest.fixture
def evaluate(atemi):
    """The answer for a robot in a state, which must come without any message."""
    def run(robot, state, *options):
        result = atemi("eval", robot, "--state", "-", *options, stdin=json.dumps(state))
        assert result.code == 0 and result.err == "", result.err
        return result.json
    return run


# ---- Closed form of a double pendulum. Links of 1 kg and l = 0.5 m with their centres at c = 0.25 m
# and the inertia I = m l^2 / 3 about them ([ENE]); q1 from the vertical, q2 from link 1; a link
# points to (y, z) = (-sin, cos). Lagrange's equations by hand.

M, L, C, G = 1.0, 0.5, 0.25, 9.81
I = 0.08333333333333333  # as the file has it


def pendulum_mass_matrix(q):
    coupling = L * C * math.cos(q[1])
    m12 = I + M * (C**2 + coupling)
    m11 = I + M * C**2 + I + M * (L**2 + C**2 + 2 * coupling)
    return np.array([[m11, m12], [m12, I + M * C**2]])


def pendulum_gravity(q):
    far = -G * M * C * math.sin(q[0] + q[1])
    return np.array([-G * M * (C + L) * math.sin(q[0]) + far, far])


def pendulum_bias(q, v):
    k = M * L * C * math.sin(q[1])
    return pendulum_gravity(q) + [-k * v[1] * (2 * v[0] + v[1]), k * v[0]**2]


def tip(q):
    angle = q[0] + q[1]
    return np.array([0, -L * math.sin(q[0]) - L * math.sin(angle),
                     L * math.cos(q[0]) + L * math.cos(angle)])


def tip_jacobian(q):
    """Rows y, z; turning about +x by 1 rad/s moves (y, z) to (-z, y)."""
    end, joint2 = tip(q), np.array([0, -L * math.sin(q[0]), L * math.cos(q[0])])
    return np.array([[-end[2], -(end - joint2)[2]], [end[1], (end - joint2)[1]]])


Q, V, A, TAU = [0.7, -1.2], [1.5, -0.4], [2.0, 3.0], [0.5, -0.25]
STATE = {"q": Q, "v": V, "a": A, "tau": TAU}


def close(actual, expected, tolerance=1e-13):
    np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance)


def test_dynamics_of_two_link_are_those_of_a_double_pendulum(evaluate):
    result = evaluate("two_link", STATE)
    mass, bias = pendulum_mass_matrix(Q), pendulum_bias(Q, V)
    close(result["mass_matrix"], mass)
    close(result["bias"], bias)
    close(result["gravity"], pendulum_gravity(Q))
    close(result["inverse_dynamics"], mass @ A + bias)
    close(result["forward_dynamics"], np.linalg.solve(mass, TAU - bias), 1e-12)
    close(result["joint_friction"], [-3 * V[0], -3 * V[1]])
    close(result["kinetic_energy"], V @ mass @ V / 2)


def test_kinematics_of_two_link_are_those_of_a_double_pendulum(evaluate):
    result = evaluate("two_link", STATE)
    J = tip_jacobian(Q)
    link = result["links"]["tip"]
    close(link["position"], tip(Q))
    close(link["rotation"][1], [0, math.cos(Q[0] + Q[1]), -math.sin(Q[0] + Q[1])])
    close(np.array(link["jacobian"])[1:3], J)
    close(link["velocity"], [0, *(J @ V), V[0] + V[1], 0, 0])
    step = 1e-6
    rate = (tip_jacobian(np.add(Q, step * np.array(V)))
            - tip_jacobian(np.subtract(Q, step * np.array(V)))) / (2 * step)
    close(np.array(link["jacobian_rate"])[1:3], rate, 1e-9)
    close(link["acceleration"][1:3], J @ A + np.array(link["jacobian_rate"])[1:3] @ V)


def test_center_of_mass_momentum_and_energy_of_two_link(evaluate):
    result = evaluate("two_link", STATE)
    elbow = np.array([0, -L * math.sin(Q[0]), L * math.cos(Q[0])])
    far = tip(Q) - elbow
    com = (elbow / 2 + elbow + far / 2) / 2
    close(result["center_of_mass"], com)
    close(result["potential_energy"], 2 * M * G * com[2])
    close(np.array(result["momentum_matrix"]) @ V, result["momentum"])
    shift = 1e-6 * np.array(V)
    states = [{"q": list(np.add(Q, s * shift))} for s in (1, -1)]
    ahead, behind = (evaluate("two_link", s)["center_of_mass"] for s in states)
    close(result["momentum"][:3], 2 * M * np.subtract(ahead, behind) / 2e-6, 1e-8)


def test_external_force_enters_by_the_transposed_jacobian(evaluate):
    force = [7.0, -3.0]
    pushed = evaluate("two_link", {**STATE, "external": {"tip": [0, *force, 0.5, 0, 0]}})
    load = tip_jacobian(Q).T @ force + 0.5
    mass, bias = pendulum_mass_matrix(Q), pendulum_bias(Q, V)
    close(pushed["inverse_dynamics"], mass @ A + bias - load)
    close(pushed["forward_dynamics"], np.linalg.solve(mass, TAU - bias + load), 1e-12)
    close(pushed["bias"], bias)


def test_joint_wrench_at_rest_is_the_weight_beyond_the_joint(evaluate):
    wrenches = evaluate("two_link", {"q": [0.0, 0.0]})["joint_wrenches"]
    close(wrenches["joint1"], [0, 0, 2 * M * G, 0, 0, 0])
    close(wrenches["joint2"], [0, 0, M * G, 0, 0, 0])


def test_gravity_option_reaches_the_dynamics(evaluate):
    close(evaluate("two_link", STATE, "--gravity", "0,0,0")["gravity"], [0, 0])


# ---- Pinocchio

class Peer:
    """The same state in Pinocchio, whose joints stand in another order."""

    def __init__(self, path, answer):
        pin = self.pin = pytest.importorskip("pinocchio")
        self.model = model = pin.buildModelFromUrdf(str(path), pin.JointModelFreeFlyer())
        self.data = model.createData()
        self.q, self.order = np.array(answer["q"]), np.arange(model.nv)
        for i, name in enumerate(answer["joint_names"]):
            joint = model.joints[model.getJointId(name)]
            self.q[joint.idx_q] = answer["q"][7 + i]
            self.order[6 + i] = joint.idx_v  # ours[6 + i] = theirs[idx_v]
        for joint in xml.etree.ElementTree.parse(path).getroot().iter("joint"):
            dynamics = joint.find("dynamics")
            if dynamics is not None and joint.get("type") != "fixed":
                index = model.joints[model.getJointId(joint.get("name"))].idx_v
                armature = np.array(model.armature)
                armature[index] = float(dynamics.get("armature", 0))
                model.armature = armature

    def theirs(self, x):
        result = np.empty(self.model.nv)
        result[self.order] = x
        return result

    def ours(self, x):
        return np.asarray(x)[..., self.order]


@pytest.mark.parametrize("robot", ["hrp2_like", "r2_like"])
def test_everything_agrees_with_pinocchio(evaluate, robots, robot):
    pin = pytest.importorskip("pinocchio")
    random = np.random.default_rng(5)
    first = evaluate(robot, {"q": "neutral"})
    nv, names = first["nv"], first["joint_names"]
    quaternion = random.normal(size=4)
    q = [*random.uniform(-1, 1, 3), *(quaternion / np.linalg.norm(quaternion)),
         *random.uniform(-1, 1, len(names))]
    v, a, tau = (list(random.uniform(-s, s, nv)) for s in (1, 10, 50))
    pushed = list(first["links"])[-1]
    wrench = random.uniform(-30, 30, 6)
    state = {"q": q, "v": v, "a": a, "tau": tau, "external": {pushed: list(wrench)}}
    ours = evaluate(robot, state)

    peer = Peer(robots / f"{robot}.urdf", ours)
    model, data, Q = peer.model, peer.data, peer.q
    V, A, T = peer.theirs(v), peer.theirs(a), peer.theirs(tau)
    world = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED

    def agree(actual, expected):
        expected = np.asarray(expected)
        size = max(1.0, np.abs(expected).max())
        np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-10 * size)

    pin.framesForwardKinematics(model, data, Q)
    frame = model.frames[model.getFrameId(pushed, pin.FrameType.BODY)]
    pose = data.oMf[model.getFrameId(pushed, pin.FrameType.BODY)]
    at_link = pin.SE3(np.eye(3), pose.translation).act(pin.Force(wrench))
    forces = [pin.Force.Zero() for _ in range(model.njoints)]
    forces[frame.parentJoint] = data.oMi[frame.parentJoint].actInv(at_link)

    agree(ours["inverse_dynamics"], peer.ours(pin.rnea(model, data, Q, V, A, forces)))
    for name, wrench in ours["joint_wrenches"].items():
        agree(wrench, data.f[model.getJointId(name)].vector)
    agree(ours["bias"], peer.ours(pin.nonLinearEffects(model, data, Q, V)))
    agree(ours["gravity"], peer.ours(pin.computeGeneralizedGravity(model, data, Q)))
    agree(ours["forward_dynamics"], peer.ours(pin.aba(model, data, Q, V, T, forces)))
    upper = np.triu(pin.crba(model, data, Q))
    agree(ours["mass_matrix"], peer.ours(peer.ours(upper + np.triu(upper, 1).T).T))
    agree(ours["center_of_mass"], pin.centerOfMass(model, data, Q))
    agree(ours["momentum_matrix"], peer.ours(pin.ccrba(model, data, Q, V)))
    agree(ours["momentum"], data.hg.vector)
    mass_matrix = np.array(ours["mass_matrix"])
    agree(ours["kinetic_energy"], np.array(v) @ mass_matrix @ v / 2)
    agree(ours["potential_energy"], pin.computePotentialEnergy(model, data, Q))

    pin.computeJointJacobiansTimeVariation(model, data, Q, V)
    pin.forwardKinematics(model, data, Q, V, A)
    pin.updateFramePlacements(model, data)
    for name, link in ours["links"].items():
        index = model.getFrameId(name, pin.FrameType.BODY)
        agree(link["position"], data.oMf[index].translation)
        agree(link["rotation"], data.oMf[index].rotation)
        agree(link["velocity"], pin.getFrameVelocity(model, data, index, world).vector)
        agree(link["acceleration"],
              pin.getFrameClassicalAcceleration(model, data, index, world).vector)
        agree(link["jacobian"], peer.ours(pin.getFrameJacobian(model, data, index, world)))
        agree(link["jacobian_rate"],
              peer.ours(pin.getFrameJacobianTimeVariation(model, data, index, world)))


# ---- Ways to give a state

def test_state_comes_from_a_file_too(atemi, tmp_path):
    path = tmp_path / "state.json"
    path.write_text(json.dumps(STATE))
    from_file = atemi("eval", "two_link", "--state", path)
    assert from_file.code == 0
    assert from_file.json == atemi("eval", "--state=-", "two_link", stdin=json.dumps(STATE)).json


def test_numbers_come_back_without_loss(evaluate):
    q = [0.1 + 0.2, 1 / 3]
    assert evaluate("two_link", {"q": q})["q"] == q


def test_missing_rates_and_torques_are_zero(evaluate):
    result = evaluate("hrp2_like", {"q": "neutral"})
    assert result["q"] == [0, 0, 0, 0, 0, 0, 1] + 30 * [0]
    assert result["v"] == result["a"] == result["tau"] == 36 * [0]


def test_postures_and_names_of_joints(evaluate):
    by_name = evaluate("hrp2_like", {
        "q": {"base": [1, 2, 3, 0, 0, 0, 1], "right_knee": 0.5},
        "v": {"base": [1, 2, 3, 4, 5, 6], "left_gripper": [-1]}})
    assert by_name["q"][:7] == [1, 2, 3, 0, 0, 0, 1]
    assert by_name["q"][10] == 0.5 and sum(by_name["q"][7:]) == 0.5
    assert by_name["v"] == [1, 2, 3, 4, 5, 6] + 29 * [0] + [-1]
    posture = evaluate("hrp2_like", {"q": "half_sitting"})["q"]
    assert posture[10] == 0.872664626 and posture[:7] == [0, 0, 0, 0, 0, 0, 1]


def test_link_option_chooses_links_in_their_order(evaluate):
    links = evaluate("two_link", STATE, "--link", "tip", "--link=link1")["links"]
    assert list(links) == ["tip", "link1"]
    assert list(evaluate("two_link", STATE)["links"]) == ["base", "link1", "link2", "tip"]


def test_quaternion_is_normalized_with_a_warning(atemi):
    state = {"q": {"base": [0, 0, 0, 0, 0, 2, 0]}}
    result = atemi("eval", "hrp2_like", "--state", "-", stdin=json.dumps(state))
    assert result.code == 0 and result.json["q"][3:7] == [0, 0, 1, 0]
    assert result.err.startswith("warning: ") and "length 2" in result.err


def test_singular_mass_matrix_gives_null_and_exit_code_1(atemi):
    result = atemi("eval", "two_link", "--base", "floating", "--state", "-",
                   stdin='{"q": "start", "tau": [0, 0, 0, 1, 0, 0, 2, 3]}')
    assert result.code == 1
    assert result.json["forward_dynamics"] is None
    assert "singular" in result.err
    assert len(result.json["mass_matrix"]) == 8


def test_singular_mass_matrix_names_the_joint_that_moves_no_mass(atemi, massless_wrist):
    result = atemi("eval", massless_wrist, "--state", "-", stdin='{"q": "neutral"}')
    assert result.code == 1 and result.json["forward_dynamics"] is None
    assert "joint 'wrist' moves no mass" in result.err


def test_overflow_is_a_failed_job(atemi):
    result = atemi("eval", "two_link", "--state", "-", stdin='{"q": [0, 1], "v": [1e200, 1e200]}')
    assert (result.code, result.out) == (1, "")
    assert "overflow" in result.err


# ---- What is refused

@pytest.fixture
def message(refused):
    def run(state, robot="two_link", *options):
        text = state if isinstance(state, str) else json.dumps(state)
        return refused("eval", robot, "--state", "-", *options, stdin=text)
    return run


@pytest.mark.parametrize("text, place", [
    ('{"q": [0, 0],}', ":1:"),
    ('{\n  "q": [0, NaN]\n}', ":2:"),
    ('{"q": [0, Infinity]}', ":1:"),
    ('{"q": [0, 1e999]}', ":1:"),
    ('{"q": [0, ' + 400 * "9" + "]}", ":1:"),
    ('{"q": [0, 0], "q": [0, 0]}', ":1:"),
    ('{"q": [0, 0]} x', ":1:"),
    ("", ":1:"),
    ("\x00", ":1:"),
    (100000 * "[", ":1:"),
])
def test_syntax_errors_have_line_and_column(message, text, place):
    assert message(text).startswith(f"error: standard input{place}")


@pytest.mark.parametrize("state, parts", [
    ([], ['an array, expected an object']),
    (3, ['a number, expected an object']),
    ({}, ['"q" is missing', "array of 2 numbers"]),
    ({"v": [0, 0]}, ['"q" is missing']),
    ({"q": [0]}, ['"q" has 1 numbers, expected 2', "nq"]),
    ({"q": [0, 0], "v": [1, 2, 3]}, ['"v" has 3 numbers, expected 2', "nv"]),
    ({"q": [0, 0], "a": 5}, ['"a" is a number, expected an array of 2']),
    ({"q": [0, 0], "tau": "zero"}, ['"tau" is a text']),
    ({"q": [0, "x"]}, ['entry 1 of "q" is a text, expected a number']),
    ({"q": [0, None]}, ['entry 1 of "q" is null']),
    ({"q": [[0], 1]}, ['entry 0 of "q" is an array']),
    ({"q": True}, ['"q" is true']),
    ({"q": [0, 0], "torque": []}, ['unknown key "torque"', "external"]),
    ({"q": [0, 0], "exernal": {}}, ['did you mean \'external\'?']),
    ({"q": "strat"}, ['no posture "strat"', "did you mean 'start'?"]),
    ({"q": {"jont1": 0}}, ['no joint "jont1"', "did you mean 'joint1'?"]),
    ({"q": {"tip_joint": 0}}, ['"tip_joint" is fixed']),
    ({"q": {"joint1": [0, 0]}}, ['"q" of "joint1" has 2 numbers, expected 1']),
    ({"q": {"joint1": "a"}}, ['"q" of "joint1" is a text']),
    ({"q": {"base": []}}, ['no joint "base"']),
    ({"q": [0, 0], "external": []}, ['"external" is an array']),
    ({"q": [0, 0], "external": {"tipp": 6 * [0]}}, ['no link "tipp"', "did you mean 'tip'?"]),
    ({"q": [0, 0], "external": {"tip": [1, 2, 3]}}, ['"external" of "tip" has 3 numbers, expected 6']),
])
def test_schema_errors_name_the_key_and_what_is_expected(message, state, parts):
    error = message(state)
    assert error.startswith("error: standard input:1: ")
    for part in parts:
        assert part in error


@pytest.mark.parametrize("text, line", [
    ('\n\n[]', 3),
    ('\n{"v": [0,\n0]}', 2),
    ('{"q": [0, 0],\n"a": [0,\n0], "torque": 1}', 3),
    ('{"q": [0,\n0], "v":\n[1, 2, 3]}', 2),
    ('{"q": [\n0,\n"x"\n]}', 3),
    ('{"q": {"joint1": 0,\n"jont2": 0}}', 2),
    ('{"v": [0, 0], "q": {\n"joint2": 0, "joint1"\n:\n[1,\nnull]}}', 2),
    ('{"q": {\n"joint1": [\ntrue]}}', 3),
    ('{"a": {"joint1": 1},\n"q": {"joint1": "a\\"}}{{,"}}', 2),
    ('{"q": "neutral", "external": {"tip": [1, 2, 3, 4, 5, 6],\n"base": [[],[],[],\n0,\n0,0]}}', 2),
    ('{"q": "neutral", "external": {"tip": [1, 2, 3, 4,\n5, {"a": [1, 2]}]}}', 2),
    ('{"q": "neutral",\n"\\u0076": 1}', 1),  # a key with escapes: where the state begins
])
def test_schema_errors_have_a_line(message, text, line):
    assert message(text).startswith(f"error: standard input:{line}: ")


def test_quaternion_without_length_is_refused(message):
    for quaternion in 4 * [0], 4 * [1e200]:
        error = message({"q": {"base": [0, 0, 0, *quaternion]}}, "hrp2_like")
        assert "quaternion of the base" in error


def test_mimic_joint_has_no_coordinate(refused, tmp_path):
    inertial = ('<inertial><mass value="1"/>'
                '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>')
    path = tmp_path / "mimic.urdf"
    path.write_text(f'''<robot name="m"><link name="w"/><link name="a">{inertial}</link>
        <link name="b">{inertial}</link>
        <joint name="j" type="continuous"><parent link="w"/><child link="a"/></joint>
        <joint name="k" type="continuous"><parent link="a"/><child link="b"/><mimic joint="j"/>
        </joint></robot>''')
    error = refused("eval", path, "--state", "-", stdin='{"q": {"k": 1}}')
    assert '"k" copies another joint' in error


def test_files_that_cannot_be_read(refused, tmp_path):
    assert "no such file" in refused("eval", "two_link", "--state", tmp_path / "none.json")
    assert "is a folder" in refused("eval", "two_link", "--state", tmp_path)


def test_requests_that_make_no_sense(refused):
    assert "--state STATE.json is missing" in refused("eval", "two_link")
    assert "both" in refused("eval", "-", "--state", "-")
    assert "did you mean 'tip'?" in refused("eval", "two_link", "--state", "-", "--link", "tpi",
                                            stdin='{"q": [0, 0]}')


def test_answers_beyond_all_measure_are_refused(refused, tmp_path):
    inertial = ('<inertial><mass value="1"/>'
                '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>')
    links = "".join(f'<link name="l{i}">{inertial}</link>' for i in range(3000))
    joints = "".join(f'<joint name="j{i}" type="continuous"><parent link="l0"/>'
                     f'<child link="l{i}"/></joint>' for i in range(1, 3000))
    path = tmp_path / "many.urdf"
    path.write_text(f'<robot name="many">{links}{joints}</robot>')
    assert "--link" in refused("eval", path, "--state", "-", stdin='{"q": "neutral"}')
