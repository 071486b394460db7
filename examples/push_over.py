# SPDX-License-Identifier: Apache-2.0
"""How hard a push does hrp2_like stand? Scenarios made here, simulated in parallel threads.

python push_over.py [REPORT.html]     the report of the hardest push
"""

import sys
from concurrent.futures import ThreadPoolExecutor

import atemi


def pushed(force):
    """The humanoid, held by its servos in half sitting, with a push at the chest for 0.1 s."""
    return atemi.simulate({
        "robot": "hrp2_like",
        "start": {"posture": "half_sitting", "place_on": "floor"},
        "contacts": [{"site": site, "friction": 0.8} for site in ("right_sole", "left_sole")],
        "torques": [{"kind": "servo", "stiffness": 3000, "damping": 30}],
        "forces": [{"link": "chest", "force": [force, 0, 0], "from": "0.1 s", "until": "0.2 s"}],
        "stop": [{"when": "com_below", "height": "0.6 m"}],
        "duration": "1.5 s",
    })


def main(report=None):
    forces = range(100, 600, 100)
    with ThreadPoolExecutor() as threads:
        recordings = list(threads.map(pushed, forces))
    for force, recording in zip(forces, recordings):
        lifted = sum(event.kind == "lift-off" for event in recording.events)
        print(f"{force} N: {recording.outcome}; corners lifted {lifted} times")
    if report:
        recordings[-1].report(report)


if __name__ == "__main__":
    main(*sys.argv[1:])
