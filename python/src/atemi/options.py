# SPDX-License-Identifier: Apache-2.0
"""The options of controllers and plants, by name: for editors and type checkers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Optional, TypedDict

if TYPE_CHECKING:
    from .robot import Robot


class JointDrive(TypedDict, total=False):
    """Motor, gear and spring of a joint."""

    resistance: float
    """R, Ohm."""
    inductance: float
    """L, H."""
    torque_constant: float
    """K_t, N m/A."""
    back_emf: float
    """K_e, V s/rad."""
    bus_voltage: float
    """V: the bridge gives at most this, either way."""
    peak_current: float
    """A: the bridge lets through at most this, either way."""
    rotor_inertia: float
    """J, kg m^2."""
    gear: float
    """N, turns of the motor for one of the joint."""
    coulomb: float
    """C, N m."""
    viscous: float
    """b, N m s/rad."""
    spring: float
    """k, N m/rad at the joint; inf without spring."""
    spring_damping: float
    """d, N m s/rad at the joint."""


class JointControlOptions(TypedDict, total=False):
    """Of `JointControl`; what is missing is as of a leg joint of r2_like."""

    drive: JointDrive
    """Of motor, gear and spring."""
    link_inertia: float
    """kg m^2 at the joint; counts without spring only."""
    period: float
    """Of a tick, s."""
    senses_current: bool
    """Whether the current is measured."""
    takes_torque: bool
    """The drive takes torques: only the joint's position is sensed, and ``torque_demand`` of the
    output is the answer."""
    acts_next_tick: bool
    """The voltage acts one tick later."""
    in_chain: bool
    """Links of other joints hang on its own: damping beyond spring / torque_bandwidth slows
    the torque loop, so that the joint stays passive."""
    current_bandwidth: float
    """Of the current loop, rad/s."""
    velocity_bandwidth: float
    """Of the velocity loop, rad/s."""
    torque_bandwidth: float
    """Of the torque loop, rad/s."""
    position_bandwidth: float
    """Of the position loop, rad/s."""
    motor_tracking: float
    """Of the motor's speed and unexplained torque."""
    joint_tracking: float
    """Of the joint's speed."""
    current_limit: float
    """A."""
    speed_limit: float
    """Of the joint, rad/s."""
    torque_limit: float
    """Of the joint, N m: commands beyond it are clipped."""
    torque_rate: float
    """N m/s: commanded torques change no faster."""
    lowest: float
    """Stops of the joint, rad; may be infinite."""
    highest: float
    """Stops of the joint, rad; may be infinite."""
    stop_rate: float
    """1/s: the joint may near its stop with this times the distance."""
    command_period: float
    """s: how long a command's velocity and acceleration go on."""
    command_timeout: float
    """s without a new command."""
    patience: float
    """s without a credible reading of an encoder."""
    stuck_torque: float
    """N m at the motor; what the model does not explain is less."""
    stuck_travel: float
    """rad of the motor that more would have moved it, were it not stuck."""


class JointPlantOptions(TypedDict, total=False):
    """Of `JointPlant`; what is missing is as of a leg joint of r2_like."""

    drive: JointDrive
    """Of motor, gear and spring."""
    link_inertia: float
    """kg m^2 at the joint."""
    acts_next_tick: bool
    """The voltage acts one tick later."""
    substep: float
    """s, the longest of the integration."""
    motor_step: float
    """rad of the motor between two counts."""
    joint_step: float
    """rad between two counts."""
    current_step: float
    """A between two counts."""
    motor_deviation: float
    """rad, standard deviation of the noise before counting."""
    joint_deviation: float
    """rad, of the joint encoder."""
    current_deviation: float
    """A, of the current sensor."""
    seed: int
    """Of the noise."""
    lowest: float
    """Where its stops stand, rad; infinite where none do."""
    highest: float
    """Where its stops stand, rad; infinite where none do."""
    stop_stiffness: float
    """N m/rad."""
    stop_damping: float
    """N m s/rad."""


class WalkingOptions(TypedDict, total=False):
    """Of `WalkingController`, as `gait` in scenarios; what is missing makes 0.42 m and 0.71 s a step."""

    tick: float
    """s between two measurements."""
    step_length: float
    """m, that it strives for."""
    step_period: float
    """s from landing to landing."""
    double_support: float
    """s on both feet."""
    pressure_travel: float
    """m from the middle of the sole to where the pressure begins and ends."""
    hip_height: float
    """m, above the ankles; less where the legs do not reach."""
    clearance: float
    """m, of the swinging heel half-way."""
    landing_speed: float
    """m/s, downwards."""
    heel_strike: float
    """rad, toe up on landing."""
    push_off: float
    """rad, heel up at the end of double support."""
    arm_swing: float
    """rad of the shoulder to a rad of the other leg's hip."""
    capture_gain: float
    """Shift of the pressure for an error of the capture point; above 1."""
    longest_step: float
    """m, forwards."""
    longest_back: float
    """m, backwards."""
    last_change: float
    """s before landing after which the foothold stays."""
    settling: float
    """s before landing in which the foot comes straight down."""
    gather: float
    """m/s by which the step length grows."""
    slacken: float
    """m/s by which the step length falls."""
    felt_part: float
    """Of the friction felt in a slide, that the steps may use."""
    forgetting: float
    """s in which that is forgotten."""
    sole_rate: float
    """1/s: feedback of a foot on the floor, an error falls as e^(-rate t)."""
    foot_rate: float
    """1/s, of the swinging foot."""
    trunk_rate: float
    """1/s, of the pitch of the waist."""
    head_rate: float
    """1/s, of the height of the head."""
    joint_rate: float
    """1/s, of body, neck, elbows and wrists."""
    arm_rate: float
    """1/s, of the shoulders."""


class BipedOptions(TypedDict, total=False):
    """Of `Biped`, as `stride` in scenarios: lengths in legs, times in sqrt(leg / g)."""

    tick: float
    """s between two ticks."""
    knee: float
    """rad, bent at the start; less if the knee is too weak."""
    forwards: float
    """Length of a step."""
    sideways: float
    """To the left, in two steps."""
    turning: float
    """rad to the left a step."""
    step_time: float
    """From landing to landing."""
    double_support: float
    """Time of that, on both feet."""
    starting: float
    """Time from rest to the first step, and to rest after the last."""
    clearance: float
    """Of the swinging foot half-way."""
    landing_speed: float
    """Downwards."""
    narrowest: float
    """The least distance of the soles' middles, in their distance at rest."""
    longest: float
    """A step at most."""
    highest: float
    """A footstep above or below the one before, at most."""
    correction: float
    """Of a footstep given, along and across it at most, to keep balance."""
    fastest: float
    """Least fraction of the step time."""
    slowest: float
    """Largest fraction of the step time."""
    last_change: float
    """Time before landing after which the foothold stays."""
    edge: float
    """Fraction of a sole's half sides that the pressure keeps from."""
    friction: float
    """Of the floor, that forces keep within; as ``believed.friction`` in scenarios."""
    capture_rate: float
    """sqrt(g / leg): of the divergent component when it is led, at rest."""
    height_rate: float
    """sqrt(g / leg): of the centre of mass."""
    trunk_rate: float
    """sqrt(g / leg): of the trunk's orientation."""
    foot_rate: float
    """sqrt(g / leg): of the swinging foot."""
    joint_rate: float
    """sqrt(g / leg): of the posture."""
    sole_rate: float
    """sqrt(g / leg): by which a sole on the floor is slowed down."""
    spin_rate: float
    """sqrt(g / leg): by which angular momentum is slowed down."""
    footsteps: int
    """That are given at once at most."""


class BaseEstimatorOptions(TypedDict, total=False):
    """Of `BaseEstimator`: standard deviations that it counts on."""

    accelerometer: float
    """m/s^2, of a sample."""
    foot_place: float
    """m, of a foot beside the base, by the encoders."""
    foot_speed: float
    """m/s, of a foot that stands."""
    foot_drift: float
    """m/s^0.5, by which a foot that stands moves on."""
    tilt_drift: float
    """rad/s^0.5, by which the gyroscope loses the vertical."""
    loaded: float
    """Of the weight, on a foot that stands."""


class CoordinatedJointOptions(TypedDict, total=False):
    """Of a joint of `Coordination`."""

    elastic: bool
    """Behind a series spring: impedance commands; otherwise position commands."""
    velocity: float
    """Bound of motions, rad/s."""
    acceleration: float
    """Bound of motions, rad/s^2."""
    retreat_velocity: float
    """To where a joint is that did not follow."""
    retreat_acceleration: float
    """Bound of that, rad/s^2."""
    torque_limit: float
    """Of the feedback, N m."""
    dynamics: Mapping[str, float]
    """Natural_frequency, rad/s, and damping_ratio."""
    integral_rate: float
    """1/s: integral per stiffness; 0 for none."""
    windup_limit: float
    """N m, of the integral."""
    impedance: Mapping[str, float]
    """Stiffness, N m/rad, damping_min and damping_max, N m s/rad."""
    gravity: float
    """Scale of its gravity torque, 0 to 1."""
    loop_inertia: float
    """kg m^2 of the rotor, as the loops leave it; 0."""
    own_damping: float
    """N m s/rad that acts on the joint whatever its control does; 0."""
    highest_frequency: float
    """rad/s: the natural frequency is no higher, whatever is asked for; infinite."""


class CoordinationOptions(TypedDict, total=False):
    """Of `Coordination`; defaults follow the semicolons."""

    period: float
    """Of a step, s; 0.02."""
    max_nodes: int
    """Of one command; 4."""
    max_breadcrumbs: int
    """Waiting at most; 256."""
    max_holds: int
    """Links that bear the robot besides the base; 4."""
    contact_margin: float
    """Fraction of a sole's side that a robot that stands keeps from its edges; 0.1."""
    stiffness_step: float
    """N m/rad; 200."""
    damping_step: float
    """N m s/rad; 20."""
    torque_step: float
    """Of torque limits, N m; 2."""
    gravity_step: float
    """Of gravity scales; 0.02."""
    base_step: float
    """Of the fraction of a new base; 0.02."""
    deviation_scale: float
    """Position error x stiffness x this <= torque limit; 1."""
    position_tolerance: float
    """Of critical axes, m; 1e-3."""
    rotation_tolerance: float
    """Of critical axes, rad; 1e-3."""
    patience: float
    """s with bad measurements; 0.1."""
    command_timeout: float
    """s without any command in motion; infinite."""
    energy_limit: float
    """J that the feedback may give away; 20."""
    energy_leak: float
    """W of it that does not count; 5."""


class NodeMotionOptions(TypedDict, total=False):
    """How nodes move; defaults follow the semicolons."""

    duration: float
    """S; 0 for as soon as possible."""
    velocity: float
    """m/s; 0.2."""
    acceleration: float
    """m/s^2; 0.4."""
    angular_velocity: float
    """rad/s; 0.5."""
    angular_acceleration: float
    """rad/s^2; 1."""
    posture_rate: float
    """1/s; 0.5."""
    force_rate: float
    """m/s of a force axis for each N that is missing; 1e-4."""
    moment_rate: float
    """rad/s for each N m that is missing; 1e-3."""
    force_speed: float
    """m/s or rad/s at most of a force axis; 0.05."""
    force_travel: float
    """m or rad at most of a force axis; 0.1."""


class EnvironmentOptions(TypedDict, total=False):
    """Of `atemi.environments.HumanoidEnv`; what is missing is as of `HumanoidVectorEnv`."""

    robot: Optional[Robot]
    """With a floating base."""
    posture: Optional[str]
    """At the start."""
    feet: Sequence[str]
    """Sites that stand on the floor."""
    fist: str
    """The site that strikes the wall."""
    wall: float
    """How far in front of the fist it is at the start, m."""
    speed: float
    """To walk with, m/s."""
    step: float
    """Of the simulation, s."""
    substeps: int
    """That make one step of the environment."""
    duration: float
    """Of an episode, s."""
    reach: float
    """Of the servos, rad."""
    stiffness: float
    """N m/rad."""
    damping: float
    """N m s/rad."""


class WholeBodyOptions(TypedDict, total=False):
    """Of `WholeBodyControl`; what is missing is as of `WholeBodyControl.options`."""

    contacts: int
    """Of one tick, at most."""
    frames: int
    """Tasks of frames of one tick, at most."""
    efforts: bool
    """The joints' effort limits are kept."""
    horizon: float
    """s in which a joint may reach its velocity limit."""
    stop_rate: float
    """rad/s, of the motion by which a joint approaches its stop."""
    effort_cost: float
    """Of a force of the robot's weight in a contact, beside tasks."""
