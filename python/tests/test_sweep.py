# SPDX-License-Identifier: Apache-2.0
"""Sweeps give the same table whatever computes them, and lose nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import sweep_work

import atemi

GRID = {"x": [1.0, 2.0, 3.0, 4.0], "y": [10.0, 20.0, 30.0]}


def assert_same(one: atemi.Sweep, other: atemi.Sweep) -> None:
    assert one.points == other.points and one.errors == other.errors
    assert list(one.columns) == list(other.columns)
    for name, column in one.columns.items():
        np.testing.assert_array_equal(column, other[name])


@pytest.fixture(scope="module")
def expected():
    return atemi.sweep(sweep_work.product, GRID)


def test_the_last_name_varies_fastest_and_failures_are_kept(expected):
    assert expected.points[:3] == tuple({"x": 1.0, "y": y} for y in GRID["y"])
    np.testing.assert_array_equal(expected["y"], GRID["y"] * 4)
    assert expected["product"][0] == 10.0 and np.isnan(expected["product"][7])
    assert expected.errors == {7: "ValueError: no 3 by 20"}
    assert expected.missing == () and "1 failed" in repr(expected)


@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
@pytest.mark.parametrize("chunk", [None, 1, 5])
def test_threads_and_processes_give_the_same_table(expected, pool, chunk):
    with pool(3) as executor:
        assert_same(atemi.sweep(sweep_work.product, GRID, executor=executor, chunk=chunk), expected)


def test_a_scenario_is_run_with_other_values():
    scenario = {"job": "simulate", "robot": "two_link", "contacts": [], "duration": 0.1}
    table = atemi.sweep(scenario, {"duration": [0.1, 0.2], "gravity.2": [0.0, -9.81]})
    assert table.errors.keys() == {0, 1, 2, 3}  # there is no list to replace the third number of
    scenario["gravity"] = [0, 0, 0]
    table = atemi.sweep(scenario, {"duration": [0.1, 0.2], "gravity.2": [0.0, -9.81]})
    assert not table.errors
    np.testing.assert_allclose(table["duration"], [0.1, 0.1, 0.2, 0.2])
    assert scenario["duration"] == 0.1  # as it was


def test_progress_ends_it_early():
    seen = []
    table = atemi.sweep(sweep_work.product, GRID, progress=lambda done: seen.append(done) or done < 0.5)
    assert seen == pytest.approx(np.arange(1, 7) / 12) and table.missing == tuple(range(6, 12))


def test_mistakes_are_named(tmp_path):
    with pytest.raises(ValueError, match="no points"):
        atemi.sweep(sweep_work.product, {"x": []})
    with pytest.raises(ValueError, match="give a function or a scenario as a mapping"):
        atemi.sweep("punch.yaml", GRID)
    with pytest.raises(ValueError, match="concurrent.futures.Executor"):
        atemi.sweep(sweep_work.product, GRID, executor=3)


def test_without_pyarrow_the_message_has_the_cure(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"pip install 'atemi\[sweep\]'"):
        atemi.sweep(sweep_work.product, GRID, folder=tmp_path)


# ---- Kept in a folder


def test_a_sweep_goes_on_where_it_was_ended(expected, tmp_path):
    pytest.importorskip("pyarrow")
    calls: list[float] = []

    def counted(x, y):
        calls.append(x)
        return sweep_work.product(x, y)

    atemi.sweep(counted, GRID, folder=tmp_path, progress=lambda done: done < 0.7)
    assert len(calls) == 9
    assert_same(atemi.sweep(counted, GRID, folder=tmp_path), expected)
    assert len(calls) == 9 + 3 + 1  # the one that failed is tried again
    assert_same(atemi.sweep(counted, GRID, folder=tmp_path), expected)
    with pytest.raises(ValueError, match="holds another sweep"):
        atemi.sweep(counted, {"x": [1.0], "y": [1.0]}, folder=tmp_path)


def test_a_sweep_that_is_killed_loses_no_part(tmp_path):
    """SIGKILL in the middle: every file that is there can be read, and the rest is computed."""
    pytest.importorskip("pyarrow")
    program = [sys.executable, str(Path(sweep_work.__file__)), "slow", str(tmp_path)]
    killed = subprocess.Popen(program)
    deadline = time.monotonic() + 60.0
    while not list(tmp_path.glob("part-*.parquet")) and time.monotonic() < deadline:
        time.sleep(0.05)
    killed.kill()
    killed.wait()
    assert list(tmp_path.glob("part-*.parquet")) and not list(tmp_path.glob("*.partial"))
    table = atemi.sweep(sweep_work.product, sweep_work.SLOW_GRID, folder=tmp_path)
    assert_same(table, atemi.sweep(sweep_work.product, sweep_work.SLOW_GRID))


# ---- Clusters


def test_a_dask_cluster_of_which_a_worker_is_killed(expected, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=3, threads_per_worker=1, dashboard_address=None, scheduler_port=0
    ) as cluster, distributed.Client(cluster) as client:
        pids = list(client.run(os.getpid).values())

        def kill_one(done):
            if pids and done > 0.2:
                os.kill(pids.pop(), 9)
                pids.clear()

        table = atemi.sweep(sweep_work.slow_product, GRID, executor=client, chunk=1, progress=kill_one)
    assert not pids
    assert_same(table, expected)


def test_mpi_with_three_processes(expected):
    pytest.importorskip("mpi4py")
    if not shutil.which("mpiexec"):
        pytest.skip("mpiexec is not here")
    program = [sys.executable, "-m", "mpi4py.futures", sweep_work.__file__, "mpi"]
    options = ["--allow-run-as-root", "--oversubscribe"]
    version = subprocess.run(["mpiexec", "--version"], capture_output=True, text=True).stdout
    command = ["mpiexec", *(options if "Open" in version else []), "-n", "3", *program]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() == [repr(float(x)) for x in expected["product"]]
