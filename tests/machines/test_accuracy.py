# SPDX-License-Identifier: Apache-2.0
"""The comparison itself: it notices what it is there to notice."""

import math

import pytest

from accuracy import Accuracy, Answer


@pytest.fixture
def stated(tmp_path):
    def write(text):
        path = tmp_path / "accuracy.toml"
        path.write_text(text)
        return Accuracy(path)
    return write


ENTRY = '[[accuracy]]\nanswers = ["job/*/x"]\nreason = "test"\n'


def compare(stated, **values):
    machines = {name: {"x": Answer(value, 2.0)} for name, value in values.items()}
    return next(stated.compare("job/one", machines))


@pytest.mark.parametrize("promise, inside, outside", [
    ("absolute = 0.5", 10.49, 10.51),
    ("relative = 0.01", 10.10, 10.11),
    ("tolerances = 0.1", 10.19, 10.21),
    ("absolute = 0", 10.0, math.nextafter(10, 11)),
    ("at_most = 11", 11.0, 11.1),
    ("at_least = 9", 9.0, 8.9),
    ("absolute = 1e300", 11.0, math.nan),
    ("at_most = 11", 11.0, math.nan),
])
def test_a_promise_is_kept_up_to_its_bound(stated, promise, inside, outside):
    accuracy = stated(ENTRY + promise)
    assert compare(accuracy, a=10.0, b=inside).is_kept
    broken = compare(accuracy, a=10.0, b=outside)
    assert not broken.is_kept and "b" in broken.words


def test_agreement_is_that_of_every_pair(stated):
    """Each is within 0.5 of the median, the outer ones are not within 0.5 of each other."""
    assert not compare(stated(ENTRY + "absolute = 0.5"), a=9.7, b=10.0, c=10.3).is_kept


def test_the_odd_one_out_is_the_one_that_is_off(stated):
    verdict = compare(stated(ENTRY + "absolute = 1"), a=1.0, b=1.0, c=4.0)
    assert verdict.off == {"a": 0.0, "b": 0.0, "c": 3.0}


def test_no_answer_agrees_with_no_answer_only(stated):
    accuracy = stated(ENTRY + "absolute = 1e300")
    assert compare(accuracy, a=None, b=None).is_kept
    assert not compare(accuracy, a=None, b=0.0).is_kept


def test_an_answer_that_a_machine_lacks_is_noticed(stated):
    accuracy = stated(ENTRY + "absolute = 1e300")
    verdict, = accuracy.compare("job/one", {"a": {"x": Answer(1.0)}, "b": {}})
    assert "no answer of b" in verdict.words


def test_what_is_not_stated_and_what_is_stated_in_vain_are_told(stated):
    accuracy = stated(ENTRY + 'absolute = 0\n[[accuracy]]\nanswers = ["never"]\nabsolute = 0\nreason = "r"')
    list(accuracy.compare("job/one", {"a": {"x": Answer(1.0), "y": Answer(1.0)}}))
    assert accuracy.unstated == ["job/one/y"]
    assert accuracy.unused() == [["never"]]


@pytest.mark.parametrize("entry", ["", "absolut = 1\n"])
def test_an_entry_promises_something_that_is_known(stated, entry):
    with pytest.raises(ValueError):
        stated(ENTRY + entry)
