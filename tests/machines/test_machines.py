# SPDX-License-Identifier: Apache-2.0
"""The presets answer alike on three machines and from perturbed starts. ./test runs it; tests/long/machines
and tests/long/starts are the long versions. The commands of build/machines are made by tests/machines/build."""

import os

import pytest

import accuracy
import answers
import starts
import variants

# Perturbed starts a preset, beside its own one: from the second seed on, which moves all by a thousandth.
# A run takes 4 to 20 s of processor time: ATEMI_STARTS=20 ./test has more, and tests/long/starts all.
SEEDS = [0, *range(2, 2 + int(os.environ.get("ATEMI_STARTS", "1")))]


@pytest.fixture(scope="module", autouse=True)
def commands():
    missing = [v.name for v in variants.FEW if not (v.folder / "atemi").exists()]
    assert not missing, f"not built: {', '.join(missing)}; run tests/machines/build"


@pytest.mark.parametrize("preset", starts.PRESETS)
def test_preset_answers_alike_on_three_machines(preset):
    question = f"strike/{preset}"
    asked = [(variant, question) for variant in variants.FEW]
    found = dict(zip((v.name for v in variants.FEW), answers.side_by_side(answers.ask, asked)))
    stated = accuracy.Accuracy()
    verdicts = list(stated.compare(question, found))
    assert stated.unstated == []
    broken = [f"{v.name}: {v.words}" for v in verdicts if not v.is_kept]
    assert not broken, "\n".join(broken)


@pytest.mark.parametrize("preset", starts.PRESETS)
def test_preset_ends_within_a_thousandth_of_the_best_from_perturbed_starts(preset):
    asked = [(variants.FEW[seed // len(starts.SIZES) % len(variants.FEW)], starts.nearby(preset, seed))
             for seed in SEEDS]
    found = answers.side_by_side(starts.objective, asked)
    assert any(value is not None for value in found), "no start ends in a strike"
    best = max(value for value in found if value is not None)
    short = [f"start {seed}, {variant.name}: {value if value is None else format(value, '.6g')}"
             for seed, ((variant, _), value) in zip(SEEDS, zip(asked, found))
             if starts.short_of(best, value) > starts.OPTIMUM]
    assert not short, f"best {best:.6g}; {len(short)} of {len(found)} fall short: {'; '.join(short)}"
