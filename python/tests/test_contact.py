# SPDX-License-Identifier: Apache-2.0
"""A robot in contact: what comes out obeys Newton and the contacts, and what cannot be is refused.

The laws are checked with inverse dynamics, Jacobians and their rates, which know nothing of
contacts.
"""

from __future__ import annotations

import copy
import dataclasses
import math
import pickle

import numpy as np
import pytest

import atemi
from atemi import Contact

BASES = ("fixed", "planar", "sagittal", "floating")
METHODS = ("fast", "published")
MODES = {"stick": 3, "slip": 1, "surface": 6}

BALL = """<robot name="ball"><link name="ball"><inertial><mass value="2"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"""
# Slender, 1 m long, along x.
ROD = f"""<robot name="rod"><link name="rod"><inertial><mass value="1"/>
<inertia ixx="0.001" iyy="{1 / 12}" izz="{1 / 12}" ixy="0" ixz="0" iyz="0"/></inertial></link>
</robot>"""


@pytest.fixture(scope="module")
def hrp2():
    return atemi.Robot.shipped("hrp2_like")


@pytest.fixture(scope="module")
def ball():
    return atemi.Robot.from_string(BALL)


@pytest.fixture(scope="module")
def rod():
    return atemi.Robot.from_string(ROD, "sagittal")


def _state(robot, seed):
    rng = np.random.default_rng(seed)
    v, tau = rng.uniform(-2.0, 2.0, robot.nv), rng.uniform(-20.0, 20.0, robot.nv)
    external = rng.uniform(-30.0, 30.0, (len(robot.link_names), 6))
    return rng, robot.random(rng), v, tau, external


def _contact(rng, link, mode):
    return Contact(
        link,
        rng.uniform(-0.2, 0.2, 3),
        [*rng.uniform(-1.0, 1.0, 2), 1.5],
        mode,
        friction=rng.uniform(0.0, 0.3),
        normal_acceleration=rng.uniform(-1.0, 1.0),
    )


def _contacts(robot, rng):
    """A surface, a sticking and a slipping point, on limbs of their own."""
    limbs = [name for name in robot.link_names if name.endswith(("foot", "hand"))]
    assert len(limbs) == 4
    return [_contact(rng, link, mode) for link, mode in zip(limbs, ("surface", "slip", "stick"))]


def _skew(x):
    return np.cross(np.eye(3), x)  # _skew(x) @ y is y x x


def _jacobian(robot, q, contact):
    """(6, nv) of a contact's point."""
    R, _ = robot.link_pose(q, contact.link)
    J = robot.jacobian(q, contact.link)
    return np.r_[J[:3] + _skew(R @ contact.point).T @ J[3:], J[3:]]


def _jacobian_rate(robot, q, v, contact):
    """(6, nv) the derivative of that."""
    R, _ = robot.link_pose(q, contact.link)
    arm, turning = R @ contact.point, robot.link_velocity(q, v, contact.link)[3:]
    J, rate = robot.jacobian(q, contact.link), robot.jacobian_rate(q, v, contact.link)
    moved = _skew(arm).T @ rate[3:] + _skew(np.cross(turning, arm)).T @ J[3:]
    return np.r_[rate[:3] + moved, rate[3:]]


def _at_links(robot, q, contacts, forces):
    """Forces at the contacts' points, moved to the origins of their links."""
    result = np.zeros((len(robot.link_names), 6))
    for contact, force in zip(contacts, forces):
        R, _ = robot.link_pose(q, contact.link)
        moment = force[3:] + np.cross(R @ contact.point, force[:3])
        result[robot.link_names.index(contact.link)] += [*force[:3], *moment]
    return result


# ---- A contact


def test_a_contact_is_plain_data():
    contact = Contact("foot")
    assert contact == Contact("foot", (0, 0, 0), (0, 0, 1), "stick", 0.0, None, 0.0)
    assert (contact.point, contact.normal, contact.mode) == ((0, 0, 0), (0, 0, 1), "stick")
    assert (contact.friction, contact.direction, contact.normal_acceleration) == (0, None, 0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        contact.mode = "slip"
    for other in (copy.deepcopy(contact), pickle.loads(pickle.dumps(contact))):
        assert other == contact and hash(other) == hash(contact)
    slipping = dataclasses.replace(contact, mode="slip", friction=1)
    assert slipping.mode == "slip" and isinstance(slipping.friction, float)
    assert eval(repr(slipping)) == slipping


@pytest.mark.parametrize("size", [1e-320, 1e-200, 1.0, 3.0, 1e200, 1.7e308])
def test_normals_and_directions_are_normalized(size):
    contact = Contact("foot", normal=np.array([0.0, 0.6, -0.8]) * size, direction=[size, size, 0])
    np.testing.assert_allclose(
        contact.normal, [0.0, 0.6, -0.8], rtol=1e-3 if size < 1e-300 else 1e-15
    )
    along = np.array([1.0, 1.0, 0.0]) - 0.6 * np.array(contact.normal)
    np.testing.assert_allclose(
        contact.direction, along / np.linalg.norm(along), rtol=1e-3 if size < 1e-300 else 1e-14
    )
    assert abs(np.dot(contact.normal, contact.direction)) < 1e-15


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"link": 3}, "link must be the name of a link, got 3"),
        ({"point": [0, 0]}, r"point must have shape \(3,\), got \(2,\)"),
        ({"point": [0, np.nan, 0]}, r"point must be finite, but point\[1\] is nan"),
        ({"normal": [0, 0, 0]}, "normal must have a direction, but its length is zero"),
        ({"normal": [0, 0, np.inf]}, "normal must be finite"),
        ({"normal": "up"}, "normal must be an array of real numbers"),
        ({"mode": "stik"}, "mode must be one of .*, got 'stik'; did you mean 'stick'?"),
        ({"mode": "slide"}, "did you mean 'slip'?"),
        ({"mode": None}, "mode must be one of 'stick', 'slip', 'surface', got None$"),
        ({"friction": -0.1}, "friction must not be negative, got -0.1"),
        ({"friction": np.nan}, "friction must be finite"),
        ({"friction": "rough"}, "friction must be a number"),
        ({"direction": [0, 0, 0]}, "direction must have a direction"),
        ({"direction": [0, 0, -2]}, "direction must point along the surface"),
        ({"direction": [0, np.inf, 0]}, "direction must be finite"),
        ({"normal_acceleration": np.inf}, "normal_acceleration must be finite"),
    ],
)
def test_impossible_contacts_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        Contact(**{"link": "foot", **options})


# ---- Shapes and arguments


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("base", BASES)
def test_shapes(base, method):
    robot = atemi.Robot.shipped("hrp2_like", base=base)
    rng, q, v, tau, external = _state(robot, 1)
    every = [_contact(rng, "right_sole", mode) for mode in MODES]
    for listed in ([], every[:1], (every[1],), every[2:]):
        x = robot.constrained_dynamics(q, v, tau, iter(listed), external, method)
        y = robot.impulse(q, v, listed, restitution=0.5)
        arrays = {
            (robot.nv,): [x.acceleration, y.velocity],
            (len(listed), 6): [x.forces, y.impulses],
            (len(robot.joint_names), 6): [x.joint_wrenches],
        }
        for shape, results in arrays.items():
            for array in results:
                assert array.shape == shape and array.dtype == np.float64
                assert array.flags.c_contiguous and array.flags.writeable and array.flags.owndata
        rows = sum(MODES[contact.mode] for contact in listed)
        for result in (x, y):
            assert (result.rows, result.rank) == (rows, rows)
            assert isinstance(result.condition, float) and result.condition > 1.0 - 1e-12
            assert 0.0 < result.jamming <= 1.0


@pytest.mark.parametrize("method", METHODS)
def test_without_contacts_it_is_forward_dynamics(hrp2, method):
    _, q, v, tau, external = _state(hrp2, 2)
    before = external.copy()
    x = hrp2.constrained_dynamics(q, v, tau, [], external, method)
    a = hrp2.forward_dynamics(q, v, tau, external)
    size = np.abs(a).max()
    np.testing.assert_allclose(x.acceleration, a, rtol=0, atol=1e-10 * size)
    wrenches = hrp2.joint_wrenches(q, v, a, external)
    np.testing.assert_allclose(x.joint_wrenches, wrenches, rtol=0, atol=1e-10 * size)
    np.testing.assert_array_equal(external, before)
    after = hrp2.impulse(q, v, []).velocity
    np.testing.assert_array_equal(after, v)


def test_bad_arguments_are_refused(hrp2):
    _, q, v, tau, _ = _state(hrp2, 3)
    sole = Contact("right_sole")
    for contacts, message in (
        (sole, "contacts must be a sequence of atemi.Contact, got Contact"),
        (None, "contacts must be a sequence of atemi.Contact, got None"),
        (["right_sole"], r"contacts\[0\] must be an atemi.Contact, got 'right_sole'"),
        ([sole, None], r"contacts\[1\] must be an atemi.Contact, got None"),
        ([sole, Contact("right_sol")], "no link 'right_sol'; did you mean 'right_sole'"),
    ):
        with pytest.raises(ValueError, match=message):
            hrp2.constrained_dynamics(q, v, tau, contacts)
        with pytest.raises(ValueError, match=message):
            hrp2.impulse(q, v, contacts)
    with pytest.raises(KeyError):
        hrp2.impulse(q, v, [Contact("nowhere")])
    with pytest.raises(
        ValueError, match="method must be .*got 'publishd'; did you mean 'published'"
    ):
        hrp2.constrained_dynamics(q, v, tau, [sole], method="publishd")
    with pytest.raises(ValueError, match="external must have shape"):
        hrp2.constrained_dynamics(q, v, tau, [sole], np.zeros(6))
    for restitution in (-0.01, 1.01, math.nan, "half"):
        with pytest.raises(ValueError, match="restitution must be"):
            hrp2.impulse(q, v, [sole], restitution)


def test_memory_grows_with_the_contacts(hrp2):
    """The same bits whatever came before."""
    robot = atemi.Robot.shipped("hrp2_like")
    _, q, _, tau, _ = _state(hrp2, 4)
    v = np.zeros(robot.nv)
    points = np.random.default_rng(4).uniform(-0.1, 0.1, (40, 3))
    contacts = [Contact("right_sole", point) for point in points]
    for count in (1, 3, 2, 40, 0, 1, 17):
        for method in METHODS if count < 2 else ("fast",):
            fresh = atemi.Robot.shipped("hrp2_like")
            arguments = q, v, tau, contacts[:count], None, method
            again, alone = (r.constrained_dynamics(*arguments) for r in (robot, fresh))
            for one, other in zip(again[:3], alone[:3]):
                assert one.tobytes() == other.tobytes()
            collisions = [r.impulse(q, tau, contacts[:count]) for r in (robot, fresh)]
            assert collisions[0].velocity.tobytes() == collisions[1].velocity.tobytes()


# ---- The laws


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("name", ["hrp2_like", "r2_like"])
def test_newton_and_the_contacts_are_obeyed(name, base, method):
    robot = atemi.Robot.shipped(name, base=base)
    for seed in range(5):
        rng, q, v, tau, external = _state(robot, seed)
        contacts = _contacts(robot, rng)
        x = robot.constrained_dynamics(q, v, tau, contacts, external, method)
        a = x.acceleration
        # Rounding errors of forces and accelerations of this size, times the condition.
        size = 1.0 + np.abs(a).max() + np.abs(x.forces).max()
        acting = external + _at_links(robot, q, contacts, x.forces)
        needed = robot.inverse_dynamics(q, v, a, acting)
        np.testing.assert_allclose(needed, tau, rtol=0, atol=1e-10 * size)
        wrenches = robot.joint_wrenches(q, v, a, acting)
        np.testing.assert_allclose(x.joint_wrenches, wrenches, rtol=0, atol=1e-10 * size)
        for contact, force in zip(contacts, x.forces):
            point = _jacobian(robot, q, contact) @ a + _jacobian_rate(robot, q, v, contact) @ v
            if contact.mode == "slip":
                point = contact.normal @ point[:3] - contact.normal_acceleration
            elif contact.mode == "stick":
                point = point[:3]
            np.testing.assert_allclose(point, 0.0, atol=1e-10 * size)
            if contact.mode != "surface":
                np.testing.assert_array_equal(force[3:], 0.0)


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("name", ["hrp2_like", "r2_like"])
def test_both_methods_agree(name, base):
    robot = atemi.Robot.shipped(name, base=base)
    for seed in range(10):
        rng, q, v, tau, external = _state(robot, seed)
        contacts = _contacts(robot, rng)
        fast, published = (
            robot.constrained_dynamics(q, v, tau, contacts, external, method) for method in METHODS
        )
        for one, other in zip(fast[:3], published[:3]):
            atol = 1e-10 * np.abs(other).max()
            np.testing.assert_allclose(one, other, rtol=0, atol=atol)
        assert fast.jamming == pytest.approx(published.jamming, rel=1e-10)


@pytest.mark.parametrize("method", METHODS)
def test_friction_stands_against_sliding(hrp2, method):
    _, q, v, tau, _ = _state(hrp2, 5)
    contact = Contact("right_sole", [0.1, 0, 0], [0.1, -0.2, 1], "slip", friction=0.4)
    n = np.array(contact.normal)
    force = hrp2.constrained_dynamics(q, v, tau, [contact], method=method).forces[0]
    slide = (_jacobian(hrp2, q, contact) @ v)[:3]
    slide -= (slide @ n) * n
    pressing = force[:3] @ n
    expected = pressing * (n - 0.4 * slide / np.linalg.norm(slide))
    np.testing.assert_allclose(force[:3], expected, rtol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_at_zero_speed_it_slides_where_it_is_told_to(hrp2, method):
    _, q, _, tau, _ = _state(hrp2, 6)
    rest = np.zeros(hrp2.nv)
    unknown = Contact("right_sole", mode="slip", friction=0.3)
    fx, fy, fz, *_ = hrp2.constrained_dynamics(q, rest, tau, [unknown], method=method).forces[0]
    assert fx == 0.0 and fy == 0.0 and fz != 0.0
    known = dataclasses.replace(unknown, direction=(0, 5, 5))
    fx, fy, fz, *_ = hrp2.constrained_dynamics(q, rest, tau, [known], method=method).forces[0]
    assert fx == 0.0 and fy == pytest.approx(-0.3 * fz, rel=1e-12)


def test_a_ball_on_a_slope(ball):
    """Closed forms: it sticks, slides with friction, or follows a curved way."""
    slope = 0.4
    n = np.array([-math.sin(slope), 0.0, math.cos(slope)])
    down = np.array([-math.cos(slope), 0.0, -math.sin(slope)])
    q, zero = ball.neutral(), np.zeros(6)
    weight = -ball.mass * ball.gravity
    x = ball.constrained_dynamics(q, zero, zero, [Contact("ball", normal=n)])
    np.testing.assert_allclose(x.forces, [[*weight, 0, 0, 0]], atol=1e-13)
    np.testing.assert_allclose(x.acceleration, 0.0, atol=1e-13)
    sliding = Contact("ball", normal=n, mode="slip", friction=0.25)
    x = ball.constrained_dynamics(q, [*(0.7 * down), 0, 0, 0], zero, [sliding])
    expected = 9.81 * (math.sin(slope) - 0.25 * math.cos(slope)) * down
    np.testing.assert_allclose(x.acceleration[:3], expected, atol=1e-13)
    curved = Contact("ball", normal=n, mode="slip", normal_acceleration=0.7**2 / 5.0)
    x = ball.constrained_dynamics(q, [*(0.7 * down), 0, 0, 0], zero, [curved])
    assert x.acceleration[:3] @ n == pytest.approx(0.7**2 / 5.0)
    expected = ball.mass * (9.81 * math.cos(slope) + 0.7**2 / 5.0)
    assert x.forces[0, :3] @ n == pytest.approx(expected)


# ---- [ENE], two links: the tip slides along the floor


def _accelerate(arm, q, v, method):
    tau = np.array([0.0, -4.9 / 4.0]) - 3.0 * v
    tip = Contact("tip", mode="slip", friction=0.01)
    return arm.constrained_dynamics(q, v, tau, [tip], method=method)


def _runge_kutta(arm, q, v, h, method):
    def rate(x):
        return np.r_[x[2:], _accelerate(arm, x[:2], x[2:], method).acceleration]

    x = np.r_[q, v]
    k1 = rate(x)
    k2 = rate(x + 0.5 * h * k1)
    k3 = rate(x + 0.5 * h * k2)
    k4 = rate(x + h * k3)
    x = x + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return x[:2], x[2:]


@pytest.mark.parametrize("method", METHODS)
def test_the_forces_of_the_paper(method):
    """To the last printed digit, at t = 0.10 and t = 4.85: joint 1, joint 2, tip; y and z."""
    printed = {
        10: [[-0.129, 10.252], [-0.120, 0.464], [0.093, 9.324]],
        485: [[-0.088, 10.074], [-0.090, 0.271], [0.095, 9.533]],
    }
    arm = atemi.Robot.shipped("two_link", base="fixed", gravity=[0, 0, -9.8])
    q, v = np.array([-7.0 * math.pi / 12.0, math.pi / 6.0]), np.zeros(2)
    for step in range(1, 486):
        q, v = _runge_kutta(arm, q, v, 1e-2, method)
        if step in printed:
            x = _accelerate(arm, q, v, method)
            turned = [
                arm.link_pose(q, link)[0] @ wrench[:3]
                for link, wrench in zip(("link1", "link2"), x.joint_wrenches)
            ]
            ours = np.array([*turned, x.forces[0, :3]])[:, 1:]
            np.testing.assert_allclose(ours, printed[step], rtol=0, atol=0.0005)


# ---- Redundant contacts


def test_four_points_are_their_surface(hrp2):
    _, q, _, tau, _ = _state(hrp2, 9)
    rest = np.zeros(hrp2.nv)
    points = [Contact("right_sole", (x, y, 0)) for x in (-0.1, 0.1) for y in (-0.05, 0.05)]
    sole = Contact("right_sole", mode="surface")
    four = hrp2.constrained_dynamics(q, rest, tau, points)
    one = hrp2.constrained_dynamics(q, rest, tau, [sole])
    assert (four.rows, four.rank, one.rows, one.rank) == (12, 6, 6, 6)
    size = np.abs(one.acceleration).max()
    np.testing.assert_allclose(four.acceleration, one.acceleration, rtol=0, atol=1e-10 * size)
    sums = _at_links(hrp2, q, points, four.forces), _at_links(hrp2, q, [sole], one.forces)
    np.testing.assert_allclose(*sums, rtol=0, atol=1e-9 * np.abs(one.forces).max())
    size = np.abs(one.joint_wrenches).max()
    np.testing.assert_allclose(four.joint_wrenches, one.joint_wrenches, rtol=0, atol=1e-9 * size)
    # Also in a collision, from any velocity: the foot comes to rest.
    after = [hrp2.impulse(q, tau, contacts).velocity for contacts in (points, [sole])]
    np.testing.assert_allclose(*after, rtol=0, atol=1e-10 * np.abs(tau).max())


@pytest.mark.parametrize("mode", MODES)
def test_a_link_of_the_world_needs_no_force(mode):
    arm = atemi.Robot.shipped("two_link", base="fixed")
    q, v, tau = [0.3, 0.4], [0.0, 0.0], [1.0, 1.0]
    x = arm.constrained_dynamics(q, v, tau, [Contact("base", mode=mode, friction=0.5)])
    np.testing.assert_allclose(x.acceleration, arm.forward_dynamics(q, v, tau), rtol=1e-12)
    np.testing.assert_array_equal(x.forces, 0.0)
    assert x.rows == MODES[mode]


@pytest.mark.parametrize("mode", MODES)
def test_rows_that_nothing_can_move_do_not_count(mode):
    arm = atemi.Robot.shipped("two_link", base="fixed")  # moves in the y-z plane
    x = arm.constrained_dynamics([0.3, 0.4], [0, 0], [1, 1], [Contact("base", mode=mode)])
    assert x.rank == 0
    x = arm.constrained_dynamics([0.3, 0.4], [0, 0], [1, 1], [Contact("tip", mode=mode)])
    assert x.rank == (1 if mode == "slip" else 2)


def test_a_robot_without_coordinates_is_fine():
    stone = atemi.Robot.from_string('<robot name="stone"><link name="stone"/></robot>', "fixed")
    x = stone.constrained_dynamics([], [], [], [Contact("stone")])
    assert x.acceleration.shape == (0,) and x.joint_wrenches.shape == (0, 6)
    assert stone.impulse([], [], [Contact("stone")]).velocity.shape == (0,)


# ---- What has no solution


def test_contradictions_are_refused(hrp2):
    """Points of a foot that turns cannot all stop accelerating."""
    _, q, v, tau, _ = _state(hrp2, 10)
    points = [Contact("right_sole", (x, y, 0)) for x in (-0.1, 0.1) for y in (-0.05, 0.05)]
    with pytest.raises(atemi.SingularError, match="contradict each other: only 6 of their 12") as e:
        hrp2.constrained_dynamics(q, v, tau, points)
    error = e.value
    assert isinstance(error, (atemi.Error)) and isinstance(error, ArithmeticError)
    assert (error.rows, error.rank, error.jamming) == (12, 6, 1.0)
    assert 1.0 <= error.condition < 1e6 and error.status == "singular system"
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and vars(again) == vars(error)
    with pytest.raises(atemi.SingularError, match="redundant.*the published method") as e:
        hrp2.constrained_dynamics(q, 0.0 * v, tau, points, method="published")
    assert e.value.condition > 1e12
    contacts = [Contact("right_sole", mode="slip", normal_acceleration=a) for a in (0.0, 1.0)]
    with pytest.raises(atemi.SingularError, match="only 1 of their 2 rows"):
        hrp2.constrained_dynamics(q, v, tau, contacts)


def test_a_stretched_arm_is_singular_as_published():
    arm = atemi.Robot.shipped("two_link", base="fixed")
    tip = Contact("tip", mode="slip")
    with pytest.raises(atemi.SingularError, match="kinematic singularity") as e:
        arm.constrained_dynamics([0, 0], [0, 0], [1, 1], [tip], method="published")
    assert e.value.condition > 1e12


@pytest.mark.parametrize(("rise", "v"), [(1.0, [0.0, 0.0]), (0.0, [2.0, 0.0])])
def test_a_stretched_arm_cannot_lift_its_tip(rise, v):
    """Nor hold it up while it swings."""
    arm = atemi.Robot.shipped("two_link", base="fixed")
    tip = Contact("tip", mode="slip", normal_acceleration=rise)
    with pytest.raises(atemi.SingularError, match="only 0 of their 1 rows"):
        arm.constrained_dynamics([0, 0], v, [1, 1], [tip])


@pytest.mark.parametrize("method", METHODS)
def test_painleves_rod_jams(rod, method):
    """Pushed with its tip ahead at 45 degrees it jams from friction 5/3 on; pulled it does not."""
    angle = math.pi / 4.0
    q, zero = [0.0, 0.5 * math.sin(angle), angle], np.zeros(3)
    ahead = np.array([math.cos(angle), math.sin(angle), 0.0])
    tip = Contact("rod", [0.5, 0, 0], mode="slip", friction=5.0 / 3.0 - 1e-6)
    np.testing.assert_allclose(_jacobian(rod, q, tip)[:3] @ ahead, [1, 0, 0], atol=1e-15)
    x = rod.constrained_dynamics(q, ahead, zero, [tip], method=method)
    assert x.jamming == pytest.approx((1.0 + 1.5 * (1.0 - tip.friction)) / 2.5)
    jamming = dataclasses.replace(tip, friction=5.0 / 3.0 + 1e-6)
    with pytest.raises(atemi.SingularError, match=r"jams by friction \(Painleve\)") as e:
        rod.constrained_dynamics(q, ahead, zero, [jamming], method=method)
    assert -1e-5 < e.value.jamming <= 0.0 and e.value.condition == math.inf
    with pytest.raises(atemi.SingularError, match="Painleve"):
        rod.impulse(q, ahead, [jamming])
    x = rod.constrained_dynamics(q, -ahead, zero, [jamming], method=method)
    assert x.jamming == 1.0 and x.forces[0, 2] > 0.0


@pytest.mark.parametrize("method", METHODS)
def test_what_has_no_inertia_is_refused(method):
    arm = atemi.Robot.shipped("two_link")  # its massless root turns about its first joint
    q, v = arm.neutral(), np.zeros(arm.nv)
    for contacts in ([], [Contact("tip")]):
        with pytest.raises(atemi.SingularError, match="something moves that has no inertia"):
            arm.constrained_dynamics(q, v, v, contacts, method=method)


# ---- Collisions


def _balance(robot, q, v, contacts, restitution=0.0):
    """The collision, after checking that momentum and energy are accounted for."""
    x = robot.impulse(q, v, contacts, restitution)
    M = robot.mass_matrix(q)
    J = np.concatenate([_jacobian(robot, q, contact) for contact in contacts])
    p = x.impulses.ravel()
    change = M @ (x.velocity - v)
    np.testing.assert_allclose(change, J.T @ p, rtol=0, atol=1e-12 * np.abs(M @ v).max())
    before, after = robot.energy(q, v).kinetic, robot.energy(q, x.velocity).kinetic
    work = 0.5 * (J @ v + J @ x.velocity) @ p
    assert after - before == pytest.approx(work, abs=1e-12 * before)
    return x, before, after


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("name", ["hrp2_like", "r2_like"])
def test_a_collision_stops_what_it_shall_and_takes_energy(name, base):
    robot = atemi.Robot.shipped(name, base=base)
    for seed in range(10):
        rng, q, v, _, _ = _state(robot, seed)
        contacts = [dataclasses.replace(c, friction=0.0) for c in _contacts(robot, rng)]
        x, before, after = _balance(robot, q, v, contacts)
        assert after <= before
        for contact in contacts:
            point = _jacobian(robot, q, contact) @ x.velocity
            if contact.mode != "surface":
                point = point[:3] @ contact.normal if contact.mode == "slip" else point[:3]
            np.testing.assert_allclose(point, 0.0, atol=1e-12 * np.abs(v).max() * x.condition)


@pytest.mark.parametrize("restitution", [0.0, 0.3, 0.8, 1.0])
def test_points_bounce_along_their_normals(hrp2, restitution):
    """Those that approach; others stop, and so does what is across."""
    bounced = 0
    for seed in range(10):
        rng, q, v, _, _ = _state(hrp2, seed)
        _, slip, stick = _contacts(hrp2, rng)
        x, _, _ = _balance(hrp2, q, v, [slip, stick], restitution)
        for contact in (slip, stick):
            J = _jacobian(hrp2, q, contact)[:3]
            n = np.array(contact.normal)
            speed = max(0.0, -n @ J @ v)
            bounced += speed > 0.0
            expected = restitution * speed * n
            if contact.mode == "slip":
                assert n @ J @ x.velocity == pytest.approx(n @ expected, abs=1e-11)
            else:
                np.testing.assert_allclose(J @ x.velocity, expected, atol=1e-11)
    assert 5 <= bounced <= 15


@pytest.mark.parametrize("restitution", [0.0, 0.3, 0.8, 1.0])
def test_energy_of_a_bounce(hrp2, restitution):
    """It does not grow where a point comes in along its normal, or where all may slide.

    Where a point sticks that came in askew it can, and nothing is promised: Newton's law lets the
    speed across turn into speed along the normal (Kane's paradox).
    """
    for seed in range(10):
        rng, q, v, _, _ = _state(hrp2, seed)
        point = _jacobian(hrp2, q, Contact("right_sole"))[:3] @ v
        head_on = Contact("right_sole", normal=-point)
        _, before, after = _balance(hrp2, q, v, [head_on], restitution)
        assert after <= before * (1.0 + 1e-14)
        # Smooth, all of them approaching.
        contacts = []
        for link in ("right_sole", "left_sole", "right_hand"):
            n = rng.normal(size=3)
            n *= -np.sign(n @ (_jacobian(hrp2, q, Contact(link))[:3] @ v))
            contacts.append(Contact(link, normal=n, mode="slip"))
        _, before, after = _balance(hrp2, q, v, contacts, restitution)
        assert after <= before * (1.0 + 1e-14)
        if restitution == 1.0:
            assert after == pytest.approx(before, rel=1e-12)


@pytest.mark.parametrize("mode", ["stick", "slip"])
def test_a_ball_bounces(ball, mode):
    x = ball.impulse(ball.neutral(), [0.3, 0, -2, 0, 0, 0], [Contact("ball", mode=mode)], 0.5)
    left = 0.3 if mode == "slip" else 0.0
    np.testing.assert_allclose(x.velocity, [left, 0, 1, 0, 0, 0], atol=1e-15)
    np.testing.assert_allclose(x.impulses, [[2 * (left - 0.3), 0, 6, 0, 0, 0]], atol=1e-15)
    rising = ball.impulse(ball.neutral(), [0, 0, 2, 0, 0, 0], [Contact("ball", mode=mode)], 0.5)
    np.testing.assert_allclose(rising.velocity, 0.0, atol=1e-15)  # the caller's wish


def test_friction_in_a_collision_is_against_the_sliding_before_it(ball):
    contact = Contact("ball", mode="slip", friction=0.1)
    x = ball.impulse(ball.neutral(), [3, -4, -2, 0, 0, 0], [contact])
    np.testing.assert_allclose(x.impulses, [[-0.24, 0.32, 4, 0, 0, 0]], atol=1e-14)
    assert (x.rows, x.rank, x.jamming) == (1, 1, 1.0)
