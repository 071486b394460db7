#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Solves random quadratic programs beside DAQP, OSQP and ProxSuite.

    pip install numpy daqp osqp proxsuite scipy
    bench/quadratic_peers.py build/bench/bench/bench_quadratic_program [COUNT]

For each kind of program: whether statuses agree, the largest difference of the objective relative to
1 + |objective| and the largest violation of a limit, and the ratio of the times (median over
programs of the least of five solutions each, set-up included). DAQP measures its own time, without
Python's. Peers that are not installed are left out.
"""
import subprocess
import sys
import tempfile

import numpy as np

REPEATS = 5


def program(rng, n, m, rank, equations, bounded, degenerate):
    B = rng.standard_normal((rank, n))
    H = B.T @ B + (1e-2 * np.eye(n) if rank >= n else 0)
    g = 3 * rng.standard_normal(n)
    A = rng.standard_normal((m, n))
    if degenerate and m >= 8:
        A[m // 2:] = A[: m - m // 2] * rng.uniform(0.1, 10, (m - m // 2, 1))
    inside = rng.standard_normal(n)
    value = A @ inside
    slack = 0 if degenerate else rng.uniform(0, 1, m)
    lower, upper = value - rng.uniform(0, 1, m), value + slack
    lower[:equations] = upper[:equations] = value[:equations]
    least = inside - (rng.uniform(0, 1, n) if bounded else np.inf)
    most = inside + (rng.uniform(0, 1, n) if bounded else np.inf)
    if rank < n:
        least, most = np.maximum(least, -20), np.minimum(most, 20)
    return H, g, A, least, most, lower, upper


def ours(binary, programs):
    with tempfile.NamedTemporaryFile() as file:
        for p in programs:
            file.write(np.array(p[2].shape[::-1], dtype=np.int32).tobytes())
            for part in p:
                file.write(np.ascontiguousarray(part, dtype=float).tobytes())
        file.flush()
        lines = subprocess.run([binary, file.name, str(REPEATS)], capture_output=True, text=True,
                               check=True).stdout.splitlines()
    rows = [np.array(line.split(), dtype=float) for line in lines]
    return [(int(r[0]) == 0, r[3:], r[2]) for r in rows]


def daqp_solve(p):
    import daqp
    H, g, A, least, most, lower, upper = p
    high, low = np.concatenate([most, upper]), np.concatenate([least, lower])
    sense = np.where(high == low, 5, 0).astype(np.int32)
    high, low = np.clip(high, -1e30, 1e30), np.clip(low, -1e30, 1e30)
    best = np.inf
    for _ in range(REPEATS):
        x, _, flag, info = daqp.solve(H, g, A, high, low, sense)
        best = min(best, info["solve_time"] + info["setup_time"])
    return flag > 0, np.array(x), best


def osqp_solve(p):
    import osqp
    from scipy import sparse
    H, g, A, least, most, lower, upper = p
    solver = osqp.OSQP()
    solver.setup(sparse.csc_matrix(np.triu(H)), g, sparse.csc_matrix(np.vstack([np.eye(len(g)), A])),
                 np.concatenate([least, lower]), np.concatenate([most, upper]), verbose=False,
                 eps_abs=1e-9, eps_rel=1e-9, polishing=True, max_iter=100000)
    r = solver.solve(raise_error=False)
    return r.info.status == "solved", np.array(r.x, dtype=float), r.info.run_time


def proxsuite_solve(p):
    import time

    import proxsuite
    H, g, A, least, most, lower, upper = p
    G = np.vstack([np.eye(len(g)), A])
    low, high = np.concatenate([least, lower]), np.concatenate([most, upper])
    best = np.inf
    for _ in range(REPEATS):
        start = time.perf_counter()
        qp = proxsuite.proxqp.dense.QP(len(g), 0, len(low))
        qp.settings.eps_abs, qp.settings.eps_rel = 1e-9, 0
        qp.init(H, g, None, None, G, np.clip(low, -1e20, 1e20), np.clip(high, -1e20, 1e20))
        qp.solve()
        best = min(best, time.perf_counter() - start)
    return qp.results.info.status.name == "PROXQP_SOLVED", np.array(qp.results.x), best


def objective(p, x):
    return 0.5 * x @ p[0] @ x + p[1] @ x


def violation(p, x):
    value = p[2] @ x
    return max(np.max(p[3] - x), np.max(x - p[4]), np.max(p[5] - value), np.max(value - p[6]), 0)


def compare(kind, programs, results, name, solve):
    try:
        peers = [solve(p) for p in programs]
    except ImportError:
        return
    both = [i for i, (a, b) in enumerate(zip(results, peers)) if a[0] and b[0]]
    only_ours = sum(a[0] and not b[0] for a, b in zip(results, peers))
    only_theirs = sum(b[0] and not a[0] for a, b in zip(results, peers))
    difference = max((abs(objective(programs[i], results[i][1]) - objective(programs[i], peers[i][1]))
                      / (1 + abs(objective(programs[i], peers[i][1]))) for i in both), default=0)
    ratios = [results[i][2] / peers[i][2] for i in both]
    print(f"{kind:24} {name:10} both {len(both):5} ours {only_ours:4} theirs {only_theirs:4}"
          f"  objective {difference:.1e}  violation ours"
          f" {max(violation(programs[i], results[i][1]) for i in both):.1e}"
          f" theirs {max(violation(programs[i], peers[i][1]) for i in both):.1e}"
          f"  time ratio median {np.median(ratios):.2f} total"
          f" {sum(results[i][2] for i in both) / sum(peers[i][2] for i in both):.2f}"
          f" (ours {1e6 * np.median([results[i][2] for i in both]):.1f} us)")


def main():
    binary, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 500
    rng = np.random.default_rng(7)
    kinds = {  # n, m, rank, equations, bounded, degenerate
        "small": (6, 12, 6, 0, True, False),
        "control": (36, 100, 36, 6, True, False),
        "large": (60, 120, 60, 18, True, False),
        "many rows": (20, 200, 20, 0, False, False),
        "degenerate": (12, 40, 12, 2, True, True),
        "semidefinite": (24, 60, 14, 4, True, False),
        "linear": (16, 40, 0, 0, True, False),
    }
    for kind, shape in kinds.items():
        programs = [program(rng, *shape) for _ in range(count)]
        results = ours(binary, programs)
        print(f"{kind:24} ours solved {sum(r[0] for r in results)} of {count}")
        for name, solve in (("DAQP", daqp_solve), ("ProxSuite", proxsuite_solve),
                            ("OSQP", osqp_solve)):
            compare(kind, programs, results, name, solve)


if __name__ == "__main__":
    main()
