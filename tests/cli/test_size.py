# SPDX-License-Identifier: Apache-2.0
"""How large a recording will be is said before the run."""

import csv
import re

# It ends at its first step, which only the run shows.
HANGS = """robot: two_link
contacts: []
duration: {duration} s
stop: [{{when: com_below, height: 100 m}}]
record: {{every: {every} s}}
"""


def announce(atemi, path):
    result = atemi("simulate", path, "--json")
    assert result.code == 0, result.err
    return result.err


def columns(atemi, path, folder):
    assert atemi("simulate", path, "--out", folder).code == 0
    with open(folder / "recording.csv", newline="") as file:
        return len(next(csv.reader(file)))


def test_small_recording_says_nothing(atemi, scenario):
    assert announce(atemi, scenario(HANGS.format(duration=1000, every=0.01))) == ""


def test_large_recording_says_rows_columns_and_size_and_what_helps(atemi, scenario, tmp_path):
    path = scenario(HANGS.format(duration=9000, every=0.001))
    said = announce(atemi, path)
    width = columns(atemi, path, tmp_path / "run")
    found = re.fullmatch(r"warning: the recording will have about (\S+) rows of (\d+) numbers: (\S+) "
                         r"GB of memory, and about (\S+) GB on the disk if it is kept; a longer "
                         r"record\.every makes it smaller\n", said)
    assert found, said
    assert float(found[1]) == 9e6 and int(found[2]) == width
    # Eight bytes a number, and two digits of that are printed.
    assert abs(float(found[3]) / (8e-9 * 9e6 * width) - 1) < 0.05


def test_rows_that_go_to_the_disk_take_no_memory(atemi, scenario, tmp_path):
    path = scenario(HANGS.format(duration=9000, every=0.001))
    result = atemi("simulate", path, "--out", tmp_path / "run")
    found = re.fullmatch(r"warning: the recording will have about 9e\+06 rows of (\d+) numbers: about "
                         r"(\S+) GB on the disk; a longer record\.every makes it smaller\n", result.err)
    assert result.code == 0 and found, result.err
    # Twelve bytes a number, and two digits of that are printed.
    assert abs(float(found[2]) / (12e-9 * 9e6 * int(found[1])) - 1) < 0.05


def test_it_is_said_from_200_megabytes_on(atemi, scenario, tmp_path):
    width = columns(atemi, scenario(HANGS.format(duration=1, every=0.1)), tmp_path / "run")
    rows = 200e6 / 8 / width
    for part, warns in (0.99, False), (1.01, True):
        path = scenario(HANGS.format(duration=part * rows * 0.01, every=0.01))
        assert announce(atemi, path).startswith("warning: the recording will have") == warns
