# SPDX-License-Identifier: Apache-2.0
"""Whether answers of several machines agree within what accuracy.toml promises.

An answer is a number, or None where there is none. How far an answer is off is told as a fraction of
what is promised: up to 1 the promise is kept. Agreement is judged by the spread, largest less
smallest; who is to blame is shown by the distance from the median.
"""

import dataclasses
import fnmatch
import math
import pathlib
import statistics
import tomllib

STATED = pathlib.Path(__file__).with_name("accuracy.toml")
WAYS = {"absolute", "relative", "tolerances", "at_most", "at_least", "nothing"}


@dataclasses.dataclass(frozen=True)
class Answer:
    value: float | None
    tolerance: float = 0.0  # of a row of reproduce


@dataclasses.dataclass(frozen=True)
class Verdict:
    name: str  # of the answer
    off: dict  # by variant: fractions of what is promised
    spread: float  # the same, of all of them
    words: str  # what is off; empty where the promise is kept

    @property
    def is_kept(self):
        return not self.words


class Promise:
    def __init__(self, entry):
        ways = set(entry) - {"answers", "reason"}
        if not ways or not ways <= WAYS or not entry["reason"]:
            raise ValueError(f"an accuracy needs a reason and some of {sorted(WAYS)}: {entry}")
        self.patterns = entry["answers"]
        self.entry = entry
        self.used = False

    def fits(self, name):
        return any(fnmatch.fnmatchcase(name, pattern) for pattern in self.patterns)

    def judge(self, name, answers):
        """answers: by variant, at least one."""
        if "nothing" in self.entry:
            return Verdict(name, {}, 0.0, "")
        values = {variant: finite(answer.value) for variant, answer in answers.items()}
        if any(value is None for value in values.values()):
            return judge_none(name, values)
        if {"at_most", "at_least"} & set(self.entry):
            return self.judge_bounds(name, values)
        return self.judge_agreement(name, answers, values)

    def judge_bounds(self, name, values):
        most = self.entry.get("at_most", math.inf)
        least = self.entry.get("at_least", -math.inf)
        off = {variant: fraction_of_bounds(value, least, most) for variant, value in values.items()}
        bad = [f"{variant} {values[variant]:.6g}" for variant in off if not off[variant] <= 1]
        words = f"not within [{least}, {most}]: {', '.join(bad)}" if bad else ""
        return Verdict(name, off, max(off.values()), words)

    def judge_agreement(self, name, answers, values):
        size = max(abs(value) for value in values.values())
        tolerance = max(answer.tolerance for answer in answers.values())
        promised = (self.entry.get("absolute", 0.0) + self.entry.get("relative", 0.0) * size
                    + self.entry.get("tolerances", 0.0) * tolerance)
        middle = statistics.median(values.values())
        off = {variant: fraction(abs(value - middle), promised) for variant, value in values.items()}
        low, high = min(values, key=values.get), max(values, key=values.get)
        spread = fraction(values[high] - values[low], promised)
        words = "" if spread <= 1 else (f"{low} {values[low]:.10g}, {high} {values[high]:.10g}: apart by "
                                        f"{values[high] - values[low]:.3g}, promised {promised:.3g}")
        return Verdict(name, off, spread, words)


def finite(value):
    """What is no number is no answer."""
    return value if value is not None and math.isfinite(value) else None


def judge_none(name, values):
    none = [variant for variant, value in values.items() if value is None]
    if len(none) == len(values):
        return Verdict(name, dict.fromkeys(values, 0.0), 0.0, "")
    off = {variant: math.inf if variant in none else 0.0 for variant in values}
    return Verdict(name, off, math.inf, f"no answer of {', '.join(none)}; the others have one")


def fraction(distance, promised):
    if distance == 0:
        return 0.0
    return distance / promised if promised > 0 else math.inf


def fraction_of_bounds(value, least, most):
    """How much of the way from the middle to a bound is used up; beyond the bound, more than 1."""
    if not least <= value <= most:
        bound = most if value > most else least
        return 1 + fraction(abs(value - bound), abs(bound))
    if math.isfinite(least) and math.isfinite(most) and most > least:
        return abs(2 * value - least - most) / (most - least)
    return fraction(value, most) if most > 0 and math.isfinite(most) and value > 0 else 0.0


class Accuracy:
    def __init__(self, path=STATED):
        self.promises = [Promise(entry) for entry in tomllib.loads(path.read_text())["accuracy"]]
        self.unstated = []  # names of answers that were met

    def promise(self, name):
        for promise in self.promises:
            if promise.fits(name):
                promise.used = True
                return promise
        self.unstated.append(name)
        return None

    def compare(self, job, machines):
        """machines: answers by name, by variant, of a job such as strike/kick. Yields verdicts."""
        for name in dict.fromkeys(name for answers in machines.values() for name in answers):
            answers = {variant: answers.get(name, Answer(None)) for variant, answers in machines.items()}
            promise = self.promise(f"{job}/{name}")
            if promise:
                yield promise.judge(f"{job}/{name}", answers)

    def unused(self):
        return [promise.patterns for promise in self.promises if not promise.used]
