# SPDX-License-Identifier: Apache-2.0
"""What sweeps compute in the tests, where other processes find it; also run as a program."""

from __future__ import annotations

import sys
import time

GRID = {"x": [1.0, 2.0, 3.0, 4.0], "y": [10.0, 20.0, 30.0]}
SLOW_GRID = {"x": [float(i) for i in range(40)], "y": [20.0]}


def product(x: float, y: float) -> dict[str, float]:
    if (x, y) == (3.0, 20.0):
        raise ValueError("no 3 by 20")
    return {"product": x * y}


def slow_product(x: float, y: float) -> dict[str, float]:
    time.sleep(0.1)
    return product(x, y)


if __name__ == "__main__":
    import atemi

    if sys.argv[1] == "slow":
        atemi.sweep(slow_product, SLOW_GRID, folder=sys.argv[2])
    else:
        from mpi4py.futures import MPIPoolExecutor

        with MPIPoolExecutor() as executor:
            table = atemi.sweep(product, GRID, executor=executor, chunk=2)
        print(*(repr(float(x)) for x in table["product"]))
