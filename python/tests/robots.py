# SPDX-License-Identifier: Apache-2.0
"""The robots that the tests know: ours, those beside the checkout, those of example-robot-data."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from xml.etree import ElementTree

CHECKOUT = Path(__file__).resolve().parents[2]

# What example-robot-data holds and we refuse, by a piece of the reason that we give.
REFUSED = {
    "alex_psyonic_hands": "mimics joint 'index_q1', which is not described",
    "falcon": "its child link 'Z_propeller' is not described",
    "ur3": "the robot has no link",
}

# Those with joints that move nothing with a mass: we keep them as fixed, Pinocchio does not.
MASSLESS = {"bluevolta_bravo7_gripper", "bravo7_gripper", "falcon_bravo7_gripper", "romeo",
            "romeo_laas_small"}


def shipped() -> list[Path]:
    """Our own robots."""
    return sorted(CHECKOUT.glob("robots/*.urdf"))


def shared() -> list[Path]:
    """Public models that some checkouts have beside them."""
    return sorted(CHECKOUT.parent.glob("shared/robots/*.urdf"))


def examples() -> list[Path]:
    """The robots of the PyPI package example-robot-data, if it is installed."""
    cmeel = importlib.util.find_spec("cmeel")
    if cmeel is None or not cmeel.submodule_search_locations:
        return []
    site = Path(cmeel.submodule_search_locations[0]).parent
    return sorted(site.glob("cmeel.prefix/share/example-robot-data/robots/**/*.urdf"))


def is_rigid(path: Path) -> bool:
    """Has no joint that moves: with a fixed base there is nothing left (and Pinocchio crashes)."""
    joints = ElementTree.parse(path).getroot().findall("joint")
    return all(joint.get("type") == "fixed" for joint in joints)


def has_mimics(path: Path) -> bool:
    """Has joints that copy others."""
    return ElementTree.parse(path).getroot().find("joint/mimic") is not None


def label(path: Path) -> str:
    """A name that tells two files of the same name apart."""
    package = [part for part in path.parts if part.endswith(("_description", "_data"))]
    return f"{package[0].rsplit('_', 1)[0]}-{path.stem}" if package else path.stem
