# SPDX-License-Identifier: Apache-2.0
"""What the commands of variants answer. An answer that is known is not computed again: it is kept in
build/machines/answers, under a key of the command, its surroundings and the question."""

import concurrent.futures
import functools
import hashlib
import json
import re
import subprocess
import threading

from accuracy import Answer
from variants import CORES, FOLDER, ROOT

SCENARIOS = ROOT / "scenarios"
PATIENCE = 1200  # s, for an answer
SLOWER = 30  # times, under qemu
# Noise makes a machine as another seed: accuracy.toml. Without it nothing hides what rounding does.
QUIET = ("_quiet", "\nsensors: {noise: false}\n")


@functools.lru_cache
def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def run(variant, *arguments):
    """Exit code and JSON of a command; None where it prints none, and where it takes too long."""
    patience = PATIENCE * (SLOWER if variant.is_emulated else 1)
    try:
        process = subprocess.run([*variant.command, *map(str, arguments), "--json"], text=True,
                                 capture_output=True, timeout=patience, check=False,
                                 env=variant.surroundings, cwd=ROOT)
        return process.returncode, json.loads(process.stdout)
    except subprocess.TimeoutExpired:
        return None, None
    except json.JSONDecodeError:
        return process.returncode, None


def kept(variant, question, compute):
    """[exit code, answer] of a question (text), as it was computed before or is now. What a signal or
    the clock ended is no answer of the command, and is not kept."""
    key = "\n".join([digest(variant.folder / "atemi"), repr(variant.environment), question])
    path = FOLDER / "answers" / f"{hashlib.sha256(key.encode()).hexdigest()[:24]}.json"
    if path.exists():
        return json.loads(path.read_text())
    answer = compute()
    if answer[0] in (0, 1):
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{variant.name}")
        part.write_text(json.dumps(answer))
        part.rename(path)
    return answer


# ---- Questions: every shipped scenario, every paper

def job_of(variant, path):
    """The job that a scenario is for, as the command itself finds out."""
    command = [*variant.command, "run", str(path), "--explain"]
    told = subprocess.run(command, capture_output=True, check=True, text=True, cwd=ROOT).stdout
    return re.match(r"job: (\w+)", told)[1]


def questions(variant):
    """Names such as strike/kick and reproduce/ene, slow ones first."""
    names = [f"{job_of(variant, path)}/{path.stem}" for path in sorted(SCENARIOS.rglob("*.yaml"))]
    names += [name + QUIET[0] for name in names if name.startswith("control/")]
    _, papers = run(variant, "reproduce", "--list")
    names += [f"reproduce/{paper['name']}" for paper in papers["papers"]]
    slow = ("reproduce/walk", "reproduce/strike", "strike", "reproduce/r2", "control", "reproduce")
    return sorted(names, key=lambda name: next((i for i, part in enumerate(slow)
                                                if name.startswith(part)), len(slow)))


def ask(variant, question):
    """The answers of a variant: numbers by name."""
    job, name = question.split("/")
    if job == "reproduce":
        return rows(*kept(variant, question, lambda: run(variant, job, name)))
    path = next(SCENARIOS.rglob(f"{name.removesuffix(QUIET[0])}.yaml"))
    return ask_scenario(variant, job, quiet(path) if name.endswith(QUIET[0]) else path)


def quiet(path):
    """The scenario without noise, in a file of its own."""
    made = FOLDER / "scenarios" / path.name
    made.parent.mkdir(parents=True, exist_ok=True)
    part = made.with_suffix(f".{threading.get_ident()}")
    part.write_text(path.read_text() + QUIET[1])
    part.rename(made)
    return made


def question_of(job, path):
    """A scenario as a question: the same text is the same one, wherever it is."""
    return f"{job}\n{path.read_text()}"


def ask_scenario(variant, job, path):
    def compute():
        code, found = run(variant, job, path)
        return code, (found or {}).get("results", {})
    code, found = kept(variant, question_of(job, path), compute)
    return {"exit_code": Answer(code)} | {name: Answer(result["value"])
                                          for name, result in found.items()}


def rows(code, found):
    answers = {"exit_code": Answer(code)}
    for row in (found or {}).get("rows", []):
        scale = max(abs(row["printed"]), abs(row["ours"])) if row["bound"] != "equal" else None
        answers[row["quantity"]] = Answer(row["ours"], scale or row["tolerance"])
        answers[row["quantity"] + "/ok"] = Answer(float(row["ok"]))
    return answers


def side_by_side(function, items):
    """function(*item) of all items, on all cores, in their order."""
    with concurrent.futures.ThreadPoolExecutor(CORES) as pool:
        return list(pool.map(lambda item: function(*item), items))
