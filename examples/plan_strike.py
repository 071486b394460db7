# SPDX-License-Identifier: Apache-2.0
"""Plans the hardest blow that the robot can deliver without falling, prints its limits, and writes a report.

python plan_strike.py SCENARIO.yaml [REPORT.html]
"""

import sys

import atemi


def main(scenario, report=None):
    strike = atemi.plan_strike(scenario)
    print(strike.outcome)
    for name, limit in strike.limits.items():
        print(f"  {name:50} {limit.value:10.4g}  worth {limit.worth:.3g} per unit")
    if strike.feasible:
        estimate, seen = strike.estimate, strike.verify()
        print(f"estimated {estimate.peak_force:.1f} N, {estimate.impulse:.2f} N s")
        print(f"simulated {seen.peak_force:.1f} N, {seen.impulse:.2f} N s, "
              f"{'stands' if seen.stands else 'FALLS'}")
    if report:
        strike.recording.report(report)
    return not strike.feasible


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
