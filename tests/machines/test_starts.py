# SPDX-License-Identifier: Apache-2.0
"""Other starts: all of them move, by as much as was asked, within their limits, and nothing else does."""

import re

import pytest

import starts

TEXT = """robot: r # a comment: [1, 2, 3]
hit: {z: 0.7 m}
decide:
  foot_x: [0, -0.5, 0.5]
  foot_y: [-0.1, -0.25, -0.1] # at its limit
  joints:
    elbow: [-40 deg, -90 deg, 0]
  speed: [2, 0, inf]
  com_x: [0, -inf, inf]
  hand_after: [80 ms]
verify: {a: [1, 2, 3]}
"""


def found(text):
    return {name: float(value) for name, value in re.findall(r"^ +(\w+): \[([-\d.e]+)", text, re.M)}


@pytest.mark.parametrize("size", starts.SIZES)
def test_perturbed_starts_move_by_no_more_than_the_size(size):
    before = found(TEXT)
    scales = {"foot_x": 0.5, "foot_y": 0.1, "elbow": 40, "speed": 2, "com_x": 1}
    moves = {name: [] for name in scales}
    for seed in range(200):
        after = found(starts.perturbed(TEXT, size, seed))
        assert after["hand_after"] == 80
        for name, scale in scales.items():
            moves[name].append((after[name] - before[name]) / scale / size)
    for name, many in moves.items():
        assert 0.9 < max(map(abs, many)) <= 1 + 1e-15 / size, name  # rounding
    assert max(moves["foot_y"]) == 0 and min(moves["foot_y"]) < -0.9


def test_random_starts_fill_their_ranges():
    many = [found(starts.scattered(TEXT, seed)) for seed in range(300)]
    for name, low, high in [("foot_x", -0.5, 0.5), ("foot_y", -0.25, -0.1), ("elbow", -90, 0),
                            ("speed", 0, 4), ("com_x", -0.1, 0.1)]:
        values = [start[name] for start in many]
        assert low <= min(values) < low + 0.05 * (high - low), name
        assert high - 0.05 * (high - low) < max(values) <= high, name


@pytest.mark.parametrize("change", [lambda text: starts.perturbed(text, 1e-3, 1),
                                    lambda text: starts.scattered(text, 1)])
def test_only_starts_change_and_a_seed_gives_one_start(change):
    def without_starts(text):
        return re.sub(r"^( +\w+: \[)[^,\]]+,", r"\1,", text, flags=re.M)
    assert change(TEXT) == change(TEXT) != TEXT
    assert without_starts(change(TEXT)) == without_starts(TEXT)
    assert re.search(r"elbow: \[-[\d.]+ deg, -90 deg, 0\]", change(TEXT))


@pytest.mark.parametrize("preset", starts.PRESETS)
def test_every_start_of_a_preset_is_found(preset):
    """All lists of three numbers of a preset's decide: part."""
    text = starts.preset(preset)
    decide = re.search(r"^decide:\n((?: .*\n)+)", text, re.M)[1]
    places = []
    starts.moved(text, lambda *numbers: places.append(numbers) or numbers[0])
    assert len(places) == sum(line.split("#")[0].count(",") == 2 for line in decide.splitlines())
    assert all(lower <= start <= upper for start, lower, upper in places)


def test_limits_in_two_units_are_refused():
    with pytest.raises(ValueError, match="one unit"):
        starts.perturbed(TEXT.replace("-90 deg", "-1.6"), 1e-3, 1)
