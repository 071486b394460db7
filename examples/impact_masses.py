# SPDX-License-Identifier: Apache-2.0
"""A blow estimated in microseconds, beside full dynamics: what a heavier target makes of it.

python impact_masses.py
"""

import atemi

BLOW = {
    "robot": "hrp2_like",
    "start": {"posture": "punch_6kg", "place_on": "floor"},
    "contacts": [{"site": site, "friction": 5} for site in ("right_sole", "left_sole")],
    "hand": {"site": "right_fist", "direction": [1, 0, 0], "speed": "1 m/s"},
    "servo": {"stiffness": 8000, "damping": 400},
}


def main():
    print("target   peak    impulse   full dynamics")
    for mass in 1, 2, 5, 10, 50:
        target = {"mass": f"{mass} kg", "stiffness": "10 kN/m", "damping": "300 N s/m"}
        blow = atemi.impact({**BLOW, "target": target}, full=True)
        results = blow.results
        print(f"{mass:3} kg  {results['peak_force']:6.1f} N  {results['impulse']:5.2f} N s  "
              f"{100 * results['impulse_error']:+.2f} %")


if __name__ == "__main__":
    main()
