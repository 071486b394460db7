# SPDX-License-Identifier: Apache-2.0
"""Strikes that are searched from other starts: those of a scenario, perturbed or at random.

decide: {NAME: [start, lower, upper]} is changed in the text of the scenario, one line a variable, and
stays within its limits. What is not decided ([value]) stays as it is.
"""

import hashlib
import math
import random
import re

from answers import SCENARIOS, ask_scenario
from variants import FOLDER

PRESETS = ("strike", "kick", "hammer", "door")
SIZES = (1e-9, 1e-6, 1e-3)  # of perturbations, relative
OPTIMUM = 1e-3  # what is promised of an optimum: accuracy.toml says the same

VARIABLE = re.compile(r"^( +\w+: \[)([^\],]+), *([^\],]+), *([^\],]+)(\].*)$", re.M)
NUMBER = re.compile(r"^(-?(?:inf|[\d.]+(?:e[-+]?\d+)?)) *([a-z/ ^\d]*)$")


def preset(name):
    return (SCENARIOS / f"{name}.yaml").read_text()


def moved(text, place):
    """A scenario in which every start is place(start, lower, upper), cut to its limits."""
    head, decide, tail = re.match(r"(.*?^decide:\n)(.*?)(^\S.*|\Z)", text, re.S | re.M).groups()
    changed, count = VARIABLE.subn(lambda match: moved_line(match, place), decide)
    if count == 0:
        raise ValueError("the scenario decides nothing")
    return head + changed + tail


def moved_line(match, place):
    before, *numbers, after = match.groups()
    parts = [NUMBER.match(number.strip()).groups() for number in numbers]
    units = {unit for value, unit in parts if float(value) != 0 and math.isfinite(float(value))}
    if len(units) > 1:
        raise ValueError(f"one unit is needed in: {match[0]}")
    start, lower, upper = (float(value) for value, _ in parts)
    start = min(max(place(start, lower, upper), lower), upper)
    unit = f" {units.pop()}" if units and units != {""} else ""
    return f"{before}{start!r}{unit}, {numbers[1]}, {numbers[2]}{after}"


def perturbed(text, size, seed):
    """Each start times 1 + size u, u at random in [-1, 1]; a start of 0 moves by that part of half its
    range, or of 1 where it has none."""
    source = random.Random(seed)

    def place(start, lower, upper):
        half = (upper - lower) / 2
        scale = abs(start) or (half if math.isfinite(half) else 1.0)
        return start + size * scale * source.uniform(-1, 1)
    return moved(text, place)


def nearby(name, seed):
    """A preset from its own start (seed 0), or from one of the starts near it: sizes take turns."""
    text = preset(name)
    return perturbed(text, SIZES[seed % len(SIZES)], seed) if seed else text


def scattered(text, seed):
    """Each start anywhere in its range; without a range, within its own size of where it was."""
    source = random.Random(seed)

    def place(start, lower, upper):
        room = abs(start) or 0.1
        low, high = max(lower, start - room), min(upper, start + room)
        if math.isfinite(upper - lower):
            low, high = lower, upper
        return source.uniform(low, high)
    return moved(text, place)


def alone(text):
    """One search from the scenario's own start, whatever it asks for otherwise."""
    return re.sub(r"^search:.*\n", "", text, flags=re.M) + "\nsearch: {starts: 1, patience: 0}\n"


def objective(variant, text):
    """Of the strike that the command plans and verifies; None where it finds none that it stands."""
    folder = FOLDER / "starts"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}-{variant.name}.yaml"
    path.write_text(text)
    found = ask_scenario(variant, "strike", path)
    return found["objective"].value if found["exit_code"].value == 0 else None


def short_of(best, value):
    """The fraction that is lost of the best."""
    return math.inf if value is None else 1 - value / best
