# SPDX-License-Identifier: Apache-2.0
"""The rules find the mutants that they should, and none where there is no equation."""

import pytest

import rules

SOURCE = """// SPDX-License-Identifier: Apache-2.0
//
//   f = m a - d v

static double force(const body *b, double a, double v)
{
    ATEMI_REQUIRE(a + v > 0.0);
    for (int i = 0; i < b->count - 1; ++i) {
        LINE
    }
    return 0.0; // a + b
}
"""


def found(line):
    source = SOURCE.replace("LINE", line)
    changed = []
    for mutant in rules.mutants("force.c", source):
        text = rules.apply(mutant, source)
        assert text.count("\n") == source.count("\n")
        changed.append((mutant.rule, text.splitlines()[8].strip()))
    return changed


@pytest.mark.parametrize("line, rule, mutant", [
    ("f = m * a - d * v;", "drop term", "f = m * a;"),
    ("f = m * a - d * v;", "negate term", "f = m * a + d * v;"),
    ("f = m * a - d * v;", "drop factor", "f = m - d * v;"),
    ("f = m * a - d * v;", "drop factor", "f = m * a - d;"),
    ("f = a + g(b, c + d)->x * 2.0;", "drop term", "f = a;"),
    ("f += m * a;", "drop term", "f += 0.0;"),
    ("f += m * a;", "negate term", "f -= m * a;"),
    ("f = -a;", "negate term", "f = a;"),
    ("f = vec3_add(a, scale(2.0, b));", "drop term", "f = (a);"),
    ("f = vec3_add(a, b);", "negate term", "f = vec3_sub(a, b);"),
    ("f = vec3_cross(w, r);", "negate term", "f = vec3_cross(r, w);"),
    ("f = vec3_scale(m, a);", "drop factor", "f = (a);"),
    ("f = M[i * n + j];", "swap index", "f = M[j * n + i];"),
    ("f = row_in(M, n, i)[j];", "swap index", "f = row_in(M, n, j)[i];"),
    ("f = w.x;", "swap index", "f = w.y;"),
    ("f = w->linear;", "swap index", "f = w->angular;"),
    ("f = mat3_apply(R, a);", "swap index", "f = mat3_apply_transposed(R, a);"),
])
def test_a_rule_finds(line, rule, mutant):
    assert (rule, mutant) in found(line)


@pytest.mark.parametrize("line", [
    "double *row = &work;",  # a pointer, no product
    "f = x[i + n];",  # an index
    "f = count - 1;",  # a whole number
    "tally(o, n * n, 2.0 * n, 0.0);",  # counts of operations
    "close = size < 1e-12 * scale;",  # a threshold
    "memcpy(to, from, n * sizeof *to);",
    'fail(error, "a + b is %g", a + b);',
])
def test_no_rule_finds_anything_in(line):
    assert found(line) == []


def test_a_mutant_keeps_its_key_when_lines_are_added_before_it():
    source = SOURCE.replace("LINE", "f = m * a;")
    keys = [mutant.key for mutant in rules.mutants("force.c", source)]
    assert keys == [mutant.key for mutant in rules.mutants("force.c", "\n// more\n" + source)]
    assert len(set(keys)) == len(keys)


def test_sources_without_equation_are_left_alone():
    assert rules.states_equation(SOURCE)
    assert not rules.states_equation("// What a = b means\nint a = 1;\n")
