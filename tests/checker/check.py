#!/usr/bin/env python3
"""Checks Rigor against its documents with code of its own (NumPy, nothing of src/).

    check.py BUILD                 all scenes, the problems of tests/problems, random problems (make test)
    check.py BUILD --every-step [--only PART]...   every island of every step of all scenes (make soak), or of
                                   those whose path has a PART in it
    check.py BUILD --random N [--seed S]   N random scenes and 20 N random problems (make soak)

Five things: certificates of dumped problems and solutions (certificate.py), energy and momentum of recorded
runs (balance.py), the momentum of every body by the recorded forces (momentum.py), overlaps from poses
(overlap.py), limits and proofs of assemblies (stand.py), how forces are shared in them (spread.py). The
first looks at all islands of the first and every EVERY-th of the STEPS first steps that have any, or of all
steps. What it does not know it says. Works on JOBS scenes
at a time (default: one per processor). Closes with "N passed, N failed".
"""
import argparse
import concurrent.futures
import functools
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
import momentum
import overlap
import random_problem
import random_scene
import spread
import stand
from scene import Scene, read_run

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STEPS, EVERY, SHOWN = 240, 20, 5
PROBLEMS = 300  # random ones in the short run


class Tally:
    def __init__(self):
        self.passed = self.failed = 0

    def add(self, name, found, note=""):
        """What was found against it; None: it was not checked, and the note says why."""
        if found is None:
            print(f"      {name}: not checked: {note}")
        elif found:
            self.failed += 1
            print(f"FAIL  {name}")
            for text in found[:SHOWN]:
                print(f"    | {text}")
            if len(found) > SHOWN:
                print(f"    | and {len(found) - SHOWN} more")
        else:
            self.passed += 1
            print(f"ok    {name}{note and ': ' + note}")
        sys.stdout.flush()


def call(*command, good=(0,)):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode not in good:
        raise RuntimeError(f"{' '.join(command[:3])} ... ended with {result.returncode}: {result.stderr.strip()}")
    return result.stdout


def load_solution(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


class Islands:
    """What was seen of the islands of a scene."""

    def __init__(self, scene):
        self.found, self.count, self.steps, self.contacts, self.rows = [], 0, 0, 0, 0
        with open(scene, encoding="utf-8") as file:
            self.parts = json.load(file).get("options", {}).get("stepper") in ("gauss", "halving")

    def look(self, folder, line):
        """One step: each island apart, and the step's certificate as the worst of its islands, but for
        steps of several parts, of which the islands are those of the last one."""
        islands = []
        for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
            solution, problem = load_solution(path[:-5] + ".solution"), certificate.Problem(path)
            texts = certificate.disagreements(problem, solution)
            self.found += [f"{os.path.basename(path)}: {text}" for text in texts]
            self.contacts, self.rows = self.contacts + len(problem.contacts), self.rows + len(problem.rows)
            islands.append(solution["certificate"])
            os.remove(path)
            os.remove(path[:-5] + ".solution")
        if len(islands) != line["islands"]:
            self.found.append(f"step {line['step']}: {line['islands']} islands, {len(islands)} written")
        for name in () if self.parts else certificate.FIELDS:
            worst = max((c[name] for c in islands), default=0.0)
            if line["certificate"][name] != worst:
                said = line["certificate"][name]
                self.found.append(f"step {line['step']}: {name} is {said:.9g}, of its islands {worst:.9g}")
        self.count, self.steps = self.count + len(islands), self.steps + 1


def check_islands(tools, scene, folder, steps, every):
    """Every island of every `every`-th step that has any against the certificate that the step used."""
    command = [tools["witness"], "run", scene, str(steps), str(every), folder]
    seen = Islands(scene)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as witness:
        step = witness.stdout.readline()
        for line in witness.stdout:
            seen.look(folder, json.loads(line))
            witness.stdin.write("\n")
            witness.stdin.flush()
        error = witness.stderr.read()
    if witness.returncode:
        raise RuntimeError(f"witness ended with {witness.returncode}: {error.strip()}")
    return seen, float(step)


def check_run(tools, path, name, folder, steps, every, step):
    """Balance and overlaps of the first steps, as they are recorded."""
    run = os.path.join(folder, "run.csv")
    gauss = Islands(path).parts  # keeps no forces
    record = "bodies" if gauss else "bodies,contacts,joints,forces"
    summary = call(tools["rigor"], "run", path, "--json", "--time", repr(steps * step), "-o", run, "--record",
                   record, good=(0, 1))
    scene, frames = Scene(run.replace(".csv", ".scene.json")), read_run(run)
    if gauss:
        yield f"{name}: momentum", None, "stepper gauss"
    else:
        found, correction = momentum.disagreements(run)
        yield f"{name}: momentum", found, f"corrections up to {correction:.1g} of a momentum"
        short = run.replace(".csv", ".h5")
        call(tools["rigor"], "run", path, "-q", "--time", repr(every * step), "-o", short, "--record", record,
             good=(0, 1))
        yield f"{name}: momentum in .h5", momentum.disagreements(short)[0], ""
    unknown = balance.unknown(scene)
    if unknown:
        yield f"{name}: balance", None, "; ".join(unknown)
    else:
        yield f"{name}: balance", balance.disagreements(scene, frames), f"{len(frames)} frames"
    if scene.dimension == 2:
        yield f"{name}: overlaps", None, "dimension 2"
        return
    shapes = sorted({s["shape"] for b in scene.bodies for s in b.shapes} - set(overlap.KNOWN))
    options = json.loads(summary)["options"]
    found = overlap.disagreements(scene, frames, every, options)
    yield f"{name}: overlaps", found, "without " + ", ".join(shapes) if shapes else ""


def check_scene(tools, path, name, steps=STEPS, every=EVERY, whole=False, acts=False):
    """The lines of one scene. `whole`: every step, and islands only. `acts`: there must be islands."""
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        islands = os.path.join(folder, "islands")
        os.mkdir(islands)
        try:
            seen, step = check_islands(tools, path, islands, 0 if whole else steps, 1 if whole else every)
            if acts and not seen.count:
                seen.found.append("no step had an island")
            note = f"{seen.steps} steps, {seen.count} islands, {seen.contacts} contacts, {seen.rows} rows"
            lines.append((f"{name}: certificates", seen.found, note))
            if not whole:
                lines += check_run(tools, path, name, folder, steps, every, step)
        except RuntimeError as error:
            lines.append((name, [str(error)], ""))
    return lines


def check_scenes(tally, tools, whole, parts=()):
    paths = sorted(glob.glob(os.path.join(ROOT, "scenes/**/*.json"), recursive=True))
    paths = [path for path in paths if not parts or any(part in path for part in parts)]
    if not paths:
        sys.exit(f"check.py: no scene has {' or '.join(parts)} in its name")
    check_all(tally, [(tools, path, os.path.relpath(path, ROOT)) for path in paths], whole=whole, acts=True)


def check_all(tally, scenes, **options):
    """Several scenes at a time, each single-threaded, told in their order."""
    jobs = int(os.environ.get("JOBS") or os.cpu_count())
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        for lines in pool.map(functools.partial(check_scene, **options), *zip(*scenes)):
            for line in lines:
                tally.add(*line)


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
    with tempfile.TemporaryDirectory() as folder:
        scenes = []
        for k in range(count):
            path = os.path.join(folder, f"{k}.json")
            random_scene.write(np.random.default_rng([seed, k]), path)
            scenes.append((tools, path, f"random scene [{seed}, {k}]"))
        check_all(tally, scenes, steps=60, every=10)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("--every-step", action="store_true")
    parser.add_argument("--only", action="append", default=[], metavar="PART")
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
    elif arguments.every_step:
        check_scenes(tally, tools, whole=True, parts=arguments.only)
    else:
        check_random_problems(tally, tools, arguments.seed, PROBLEMS)
        check_solvers(tally, tools)
        stand.check(tally, tools["rigor"])
        spread.check(tally, tools["rigor"])
        check_scenes(tally, tools, whole=False)
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
