#!/usr/bin/env python3
"""Checks Rigor against its documents with code of its own (NumPy, nothing of src/).

    check.py BUILD                 all scenes, the problems of tests/problems, random problems (make test)
    check.py BUILD --random N [--seed S]   N random scenes and 20 N random problems (make soak)

Three things: certificates of dumped problems and solutions (certificate.py), energy and momentum of
recorded runs (balance.py), overlaps from poses (overlap.py). What it does not know it says. Closes with
"N passed, N failed".
"""
import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    sys.exit("check.py: NumPy is missing; install Debian's python3-numpy and use /usr/bin/python3")

import balance
import certificate
import overlap
import random_problem
import random_scene
from scene import Scene, read_run

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STEPS, EVERY, SHOWN = 24, 8, 5
PROBLEMS = 300  # random ones in the short run


class Tally:
    def __init__(self):
        self.passed = self.failed = 0

    def add(self, name, found, note=""):
        if found:
            self.failed += 1
            print(f"FAIL  {name}")
            for text in found[:SHOWN]:
                print(f"    | {text}")
            if len(found) > SHOWN:
                print(f"    | and {len(found) - SHOWN} more")
        else:
            self.passed += 1
            print(f"ok    {name}{note and ': ' + note}")


def call(*command, good=(0,)):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode not in good:
        raise RuntimeError(f"{' '.join(command[:3])} ... ended with {result.returncode}: {result.stderr.strip()}")
    return result.stdout


def load_solution(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def check_islands(tools, scene, folder, steps, every):
    """Every island of every `every`-th step against the certificate that the step used."""
    step = float(call(tools["witness"], "run", scene, str(steps), str(every), folder))
    found, count = [], 0
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        solution = load_solution(path[:-5] + ".solution")
        problem = certificate.Problem(path)
        count += 1
        found += [f"{os.path.basename(path)}: {text}" for text in certificate.disagreements(problem, solution)]
    return found, count, step


def check_scene(tally, tools, path, name, steps=STEPS, every=EVERY):
    with tempfile.TemporaryDirectory() as folder:
        run, islands = os.path.join(folder, "run.csv"), os.path.join(folder, "islands")
        os.mkdir(islands)
        try:
            found, count, step = check_islands(tools, path, islands, steps, every)
            summary = call(tools["rigor"], "run", path, "--json", "--time", repr(steps * step), "-o", run, good=(0, 1))
        except RuntimeError as error:
            tally.add(name, [str(error)])
            return
        tally.add(f"{name}: certificates", found, f"{count} islands")
        scene, frames = Scene(run.replace(".csv", ".scene.json")), read_run(run)
        unknown = balance.unknown(scene)
        if unknown:
            print(f"      {name}: balance is not checked: {'; '.join(unknown)}")
        else:
            tally.add(f"{name}: balance", balance.disagreements(scene, frames), f"{len(frames)} frames")
        if scene.dimension == 2:
            print(f"      {name}: overlaps are not checked: dimension 2")
            return
        shapes = sorted({s["shape"] for b in scene.bodies for s in b.shapes} - set(overlap.KNOWN))
        note = "without " + ", ".join(shapes) if shapes else ""
        options = json.loads(summary)["options"]
        tally.add(f"{name}: overlaps", overlap.disagreements(scene, frames, every, options), note)


def check_random_problems(tally, tools, seed, count):
    """Solutions that satisfy nothing, so that every residual is large."""
    with tempfile.TemporaryDirectory() as folder:
        solutions = {}
        for k in range(count):
            path = os.path.join(folder, f"{k:06d}.json")
            solutions[path] = random_problem.write(np.random.default_rng([seed, k]), path)
        lines = call(tools["witness"], "certify", *solutions).splitlines()
        found = [] if len(lines) == count else [f"{count} problems, {len(lines)} certificates"]
        for k, ((path, (v, r, lam)), line) in enumerate(zip(solutions.items(), lines)):
            solution = {"v": v, "r": r, "lambda": lam, **json.loads(line)}
            texts = certificate.disagreements(certificate.Problem(path), solution)
            found += [f"problem [{seed}, {k}]: {text}" for text in texts]
    tally.add(f"random problems, seed {seed}", found, f"{count} problems")


def check_solvers(tally, tools):
    """The files of tests/problems after a few iterations of every solver."""
    solvers = [item["name"] for item in json.loads(call(tools["rigor"], "list", "solvers", "--json"))]
    for path in sorted(glob.glob(os.path.join(ROOT, "tests/problems/*.json"))):
        name, found, count = os.path.relpath(path, ROOT), [], 0
        with tempfile.TemporaryDirectory() as folder:
            copy = os.path.join(folder, "problem.json")
            os.symlink(path, copy)
            for solver in solvers:
                call(tools["witness"], "solve", solver, copy)
                if not os.path.exists(copy + ".solution"):
                    continue
                count += 1
                solution = load_solution(copy + ".solution")
                os.remove(copy + ".solution")
                texts = certificate.disagreements(certificate.Problem(copy), solution)
                found += [f"{solver}: {text}" for text in texts]
        tally.add(name, found or ([] if count else ["no solver takes it"]), f"{count} solvers")


def check_random_scenes(tally, tools, seed, count):
    for k in range(count):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "scene.json")
            random_scene.write(np.random.default_rng([seed, k]), path)
            check_scene(tally, tools, path, f"random scene [{seed}, {k}]", steps=60, every=10)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("--random", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    tools = {"rigor": os.path.join(arguments.build, "rigor"),
             "witness": os.path.join(arguments.build, "tests/checker/witness")}
    tally = Tally()
    if arguments.random:
        print(f"seed {arguments.seed}")
        check_random_problems(tally, tools, arguments.seed, 20 * arguments.random)
        check_random_scenes(tally, tools, arguments.seed, arguments.random)
    else:
        check_random_problems(tally, tools, arguments.seed, PROBLEMS)
        check_solvers(tally, tools)
        for path in sorted(glob.glob(os.path.join(ROOT, "scenes/**/*.json"), recursive=True)):
            check_scene(tally, tools, path, os.path.relpath(path, ROOT))
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
