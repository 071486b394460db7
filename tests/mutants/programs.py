# SPDX-License-Identifier: Apache-2.0
"""The C tests of build/release, linked with one source compiled anew.

Each test is linked statically. An object named before the library takes the place of the member that
defines the same symbols, so that a mutant costs one source and the tests that run."""

import functools
import json
import os
import pathlib
import resource
import shlex
import signal
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
RELEASE = ROOT / "build/release"
FOLDER = ROOT / "build/mutants"
# Those that state equations, and whose tests run what survived their own.
LAYERS = {"dynamics": ["contact", "simulate"], "contact": ["simulate", "plan"],
          "impact": ["plan", "simulate"], "control": ["simulate", "jobs_control"],
          "plan": ["jobs_strike"], "walk": ["jobs_walk"]}
PATIENCE = 10.0  # s of the processor, and this many times what the test takes: a loop without end
MEMORY = 4 << 30  # bytes of addresses


@functools.lru_cache
def compile_commands():
    listed = json.loads((RELEASE / "compile_commands.json").read_text())
    return {entry["file"]: entry for entry in listed}


@functools.lru_cache
def link_command(test):
    """What ninja would run last to make a test."""
    said = subprocess.run(["ninja", "-C", str(RELEASE), "-t", "commands", "-s", f"tests/{test}"],
                          check=True, capture_output=True, text=True).stdout
    words = shlex.split(said.strip().splitlines()[-1].removeprefix(": && ").removesuffix(" && :"))
    return [word for word in words if word != "ccache"]


def compile(path, text, folder):
    """The object of a source whose text is `text`; None if it is no program. With few optimizations:
    it is run once."""
    entry = compile_commands()[str(ROOT / path)]
    folder.mkdir(parents=True, exist_ok=True)
    source, built = folder / pathlib.Path(path).name, folder / "mutant.o"
    source.write_text(text)
    words = [word for word in shlex.split(entry["command"]) if word not in ("ccache", "-Werror")]
    words[words.index("-o") + 1] = str(built)
    words[words.index(entry["file"])] = str(source)
    done = subprocess.run([*words, "-O1", "-w", "-Werror=implicit-function-declaration"],
                          cwd=entry["directory"], check=False, capture_output=True)
    return built if done.returncode == 0 else None


def link(test, built):
    """The program of a test with the object before the library."""
    words, program = list(link_command(test)), built.with_name("program")
    words[words.index("-o") + 1] = str(program)
    first = next(i for i, word in enumerate(words) if word.endswith(".o"))
    words.insert(first, str(built))
    done = subprocess.run(words, cwd=RELEASE, check=False, capture_output=True, text=True)
    return program if done.returncode == 0 else None


def limited(seconds):
    def prepare():
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 2))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return prepare


def run(program, seconds):
    """(exit code, s of the processor). The limit is of processor time: machines may be busy."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.monotonic()
    process = subprocess.Popen([str(program)], cwd=program.parent, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               preexec_fn=limited(seconds))
    try:
        code = process.wait(timeout=100 * seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        code = process.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return code, used if used > 0 else time.monotonic() - begin


def tests_of(layer):
    return sorted(path.name for path in (RELEASE / "tests").glob(f"test_{layer}_*") if path.is_file())


def in_order(seconds, path):
    """The source's own test first, then the shortest."""
    noun = pathlib.Path(path).stem
    return sorted(seconds, key=lambda test: (not test.endswith(f"_{noun}"), seconds[test]))
