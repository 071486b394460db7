# SPDX-License-Identifier: Apache-2.0
"""Recordings as Parquet, MCAP and Rerun files, read back by the readers of those formats."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

import atemi

SCENARIO = """robot: hrp2_like
start: {posture: half_sitting, place_on: floor}
contacts: [{site: right_sole, friction: 0.8}, {site: left_sole, friction: 0.8}]
duration: 0.05 s
"""


@pytest.fixture(scope="module")
def recording() -> atemi.Recording:
    return atemi.simulate(text=SCENARIO)


@pytest.fixture(scope="module")
def robot(recording) -> atemi.Robot:
    return recording.load_robot()


def _q(recording: atemi.Recording, row: int) -> np.ndarray:
    return recording.motion.q[row]


def test_a_recording_has_its_robot(recording, robot):
    assert (robot.base, robot.nq) == ("floating", recording.motion.q.shape[1])
    assert robot.mass == pytest.approx(atemi.Robot.shipped("hrp2_like").mass)


# ---- Parquet


def test_parquet_has_every_column_with_its_unit(tmp_path, recording):
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs the PyPI package pyarrow")
    path = tmp_path / "run.parquet"
    recording.to_parquet(path)
    table = parquet.read_table(path)
    assert tuple(table.column_names) == recording.columns
    for name in recording:
        values = np.array([np.nan if x is None else x for x in table[name].to_pylist()])
        assert np.array_equal(values, recording[name], equal_nan=True)
        assert table.schema.field(name).metadata[b"unit"].decode() == recording.unit(name)
    about = json.loads(table.schema.metadata[b"atemi"])
    assert about["outcome"] == recording.outcome
    assert about["results"]["duration"] == {"value": 0.05, "unit": "s"}
    assert table.schema.metadata[b"scenario.yaml"] == recording.scenario
    again = atemi.Robot.from_string(table.schema.metadata[b"robot.urdf"])
    assert again.joint_names == recording.load_robot().joint_names


def test_parquet_opens_in_pandas(tmp_path, recording):
    pandas = pytest.importorskip("pandas", reason="needs the PyPI package pandas")
    pytest.importorskip("pyarrow", reason="needs the PyPI package pyarrow")
    recording.to_parquet(tmp_path / "run.parquet")
    frame = pandas.read_parquet(tmp_path / "run.parquet")
    assert frame["q.right_knee"].to_numpy() == pytest.approx(recording["q.right_knee"])


# ---- MCAP


@pytest.fixture(scope="module")
def messages(tmp_path_factory, recording):
    """By topic: (log time in ns, schema, message) of each."""
    reader = pytest.importorskip("mcap.reader", reason="needs the PyPI package mcap")
    decoder = pytest.importorskip("mcap_protobuf.decoder", reason="needs mcap-protobuf-support")
    pytest.importorskip("foxglove_schemas_protobuf", reason="needs foxglove-schemas-protobuf")
    path = tmp_path_factory.mktemp("mcap") / "run.mcap"
    recording.to_mcap(path)
    assert [file.name for file in path.parent.iterdir()] == ["run.mcap"]
    found: dict[str, list] = {}
    with open(path, "rb") as stream:
        opened = reader.make_reader(stream, decoder_factories=[decoder.DecoderFactory()])
        for schema, channel, message in opened.iter_messages():
            is_json = channel.message_encoding == "json"
            decoded = (
                json.loads(message.data)
                if is_json
                else decoder.DecoderFactory().decoder_for(channel.message_encoding, schema)(
                    message.data
                )
            )
            found.setdefault(channel.topic, []).append((message.log_time, schema.name, decoded))
    return found


def test_mcap_has_the_schemas_of_foxglove(messages, recording):
    assert {topic: each[0][1] for topic, each in messages.items()} == {
        "/tf": "foxglove.FrameTransforms",
        "/joint_states": "foxglove.JointStates",
        "/robot": "foxglove.SceneUpdate",
        "/contacts": "foxglove.SceneUpdate",
        "/values": "atemi.Values",
        **({"/events": "foxglove.Log"} if recording.events else {}),
    }
    for topic in ("/tf", "/joint_states", "/contacts", "/values"):
        times = np.array([time for time, _, _ in messages[topic]]) * 1e-9
        assert times == pytest.approx(recording.time - recording.time[0], abs=1e-9)


def test_transforms_of_mcap_are_the_poses_of_the_links(messages, recording, robot):
    for row in (0, len(recording) - 1):
        _, _, message = messages["/tf"][row]
        assert [t.child_frame_id for t in message.transforms] == list(robot.link_names)
        for transform in message.transforms:
            rotation, position = robot.link_pose(_q(recording, row), transform.child_frame_id)
            p, q = transform.translation, transform.rotation
            assert (p.x, p.y, p.z) == pytest.approx(tuple(position), abs=1e-12)
            assert _matrix(q.x, q.y, q.z, q.w) == pytest.approx(rotation, abs=1e-12)


def _matrix(x: float, y: float, z: float, w: float) -> np.ndarray:
    v, cross = np.array([x, y, z]), np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) * (w * w - v @ v) + 2 * np.outer(v, v) + 2 * w * cross


def test_joint_states_of_mcap_are_the_columns(messages, recording):
    row = len(recording) // 2
    _, _, message = messages["/joint_states"][row]
    for joint in message.joints:
        assert joint.position == recording[f"q.{joint.name}"][row]
        assert joint.velocity == recording[f"v.{joint.name}"][row]
        assert joint.effort == recording[f"tau.{joint.name}"][row]


def test_arrows_of_mcap_are_the_contact_forces(messages, recording, robot):
    row = len(recording) - 1
    weight = robot.mass * 9.81
    arrows = messages["/contacts"][row][2].entities[0].arrows
    names = [name[: -len(".force_z")] for name in recording if name.endswith(".force_z")]
    forces = [np.array([recording[f"{n}.force_{a}"][row] for a in "xyz"]) for n in names
              if n.startswith("contact.")]
    forces = [force for force in forces if np.linalg.norm(force) > 0]
    assert len(arrows) == len(forces) > 0
    for arrow, force in zip(arrows, forces):
        q = arrow.pose.orientation
        along = _matrix(q.x, q.y, q.z, q.w)[:, 0] * arrow.shaft_length * weight
        assert along == pytest.approx(force, rel=1e-9, abs=1e-9)


def test_values_of_mcap_are_nested_by_their_names(messages, recording):
    row = 3
    values = messages["/values"][row][2]
    assert values["energy"]["kinetic"] == recording["energy.kinetic"][row]
    assert values["com"]["z"] == recording["com.z"][row]


def test_the_robot_of_mcap_has_all_its_shapes(messages, robot):
    entities = messages["/robot"][0][2].entities
    count = sum(len(e.cubes) + len(e.cylinders) + len(e.spheres) for e in entities)
    assert all(e.frame_locked and e.frame_id in robot.link_names for e in entities)
    assert count >= len([g for g in robot.geometries if not g.collision])


def test_meshes_go_into_mcap(tmp_path):
    """A pyramid of an OBJ file beside the robot's; the recording is written and loaded between."""
    reader = pytest.importorskip("mcap.reader", reason="needs the PyPI package mcap")
    decoder = pytest.importorskip("mcap_protobuf.decoder", reason="needs mcap-protobuf-support")
    pytest.importorskip("foxglove_schemas_protobuf", reason="needs foxglove-schemas-protobuf")
    obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    (tmp_path / "pyramid.obj").write_text(obj)
    (tmp_path / "r.urdf").write_text(
        """<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1"
        izz="1" ixy="0" ixz="0" iyz="0"/></inertial><visual><origin xyz="0.1 0.2 0.3"/><geometry>
        <mesh filename="pyramid.obj" scale="2 2 2"/></geometry></visual></link></robot>"""
    )
    (tmp_path / "s.yaml").write_text("robot: r.urdf\nbase: floating\nduration: 0.01 s\n")
    atemi.simulate(tmp_path / "s.yaml").write(tmp_path / "kept")
    atemi.Recording.load(tmp_path / "kept").to_mcap(tmp_path / "run.mcap")
    with open(tmp_path / "run.mcap", "rb") as stream:
        opened = reader.make_reader(stream, decoder_factories=[decoder.DecoderFactory()])
        for _, _, _, message in opened.iter_decoded_messages(topics="/robot"):
            (model,) = message.entities[0].models
    assert model.data == obj.encode() and model.media_type == "model/obj"
    assert (model.scale.x, model.pose.position.y) == (2.0, 0.2)


# ---- Rerun


def test_rerun_has_poses_forces_and_columns(tmp_path, recording, robot):
    chunks = pytest.importorskip("rerun.chunk", reason="needs the PyPI package rerun-sdk")
    path = tmp_path / "run.rrd"
    recording.to_rerun(path)
    found: dict[str, list] = {}
    for chunk in chunks.RrdReader(str(path)).stream():
        found.setdefault(str(chunk.entity_path), []).append(chunk)
    knee = _column(found["/columns/q/right_knee"], "Scalars:scalars")
    assert np.sort(knee) == pytest.approx(np.sort(recording["q.right_knee"]))
    link = robot.link_names[5]
    places = _column(found[f"/robot/{link}"], "Transform3D:translation")
    last = robot.link_pose(_q(recording, -1), link)[1]
    assert places.reshape(-1, 3)[-1] == pytest.approx(last, abs=1e-6)  # floats there
    arrows = _column(found["/contacts/right_sole.0"], "Arrows3D:vectors").reshape(-1, 3)
    force = recording["contact.right_sole.0.force_z"][-1]
    assert arrows[-1, 2] * robot.mass * 9.81 == pytest.approx(force, rel=1e-5)


def _column(chunks: list, name: str) -> np.ndarray:
    values: list = []
    for chunk in chunks:
        batch = chunk.to_record_batch()
        if name in batch.schema.names:
            values += [np.asarray(row).ravel() for row in batch.column(name).to_pylist()]
    return np.concatenate([np.asarray(value, float).ravel() for value in values])


def test_rerun_takes_the_file(tmp_path, recording):
    pytest.importorskip("rerun", reason="needs the PyPI package rerun-sdk")
    recording.to_rerun(tmp_path / "run.rrd")
    command = [sys.executable, "-m", "rerun", "rrd", "verify", str(tmp_path / "run.rrd")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# ---- Without the packages


@pytest.mark.parametrize(
    ("method", "package", "extra"),
    [("to_parquet", "pyarrow", "parquet"), ("to_mcap", "mcap_protobuf.writer", "mcap"),
     ("to_rerun", "rerun", "rerun")],
)
def test_without_a_package_the_cure_is_named(tmp_path, monkeypatch, recording, method, package, extra):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=rf"pip install 'atemi\[{extra}\]'"):
        getattr(recording, method)(tmp_path / "run")
    assert not list(tmp_path.iterdir())
