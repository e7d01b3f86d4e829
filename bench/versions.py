#!/usr/bin/env python3
"""bench/versions.py [--against REVISION] [--repeats N] [--part scenes|beds|chains]...: CPU time of every scene of
the bench that this version and an older one both run, as a ratio, beside what both reached.

Builds the bench of the older version from the history of the repository, in build/versions, and runs both programs
in turn. What disturbs a machine only ever adds time: of the repetitions the least counts. A ratio above LIMIT is
marked; the status is 1 when there is one. Needs git, what a build needs, and a history that has the revision."""
import argparse
import json
import math
import os
import subprocess
import sys

FIRST_RELEASE = "338bac5"  # 0.1.0
LIMIT = 1.1
BUDGET = 60  # [s] of CPU for one scene of one program
# Scenes that 0.1.0 has, from their start. In `default` a heap of boxes takes minutes a step, in either version.
SCENES = [("spheres", "rigor-realtime", 300), ("spheres", "rigor-default", 40),
          ("pyramid", "rigor-realtime", 300), ("pyramid", "rigor-default", 300),
          ("boxes", "rigor-realtime", 60)]
BED_BODIES = 5000
HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def build_old(revision):
    """The bench program of a revision."""
    folder = os.path.join(HOME, "build", "versions", revision)
    if not os.path.isdir(folder):
        subprocess.run(["git", "-C", HOME, "worktree", "prune"], check=True)
        subprocess.run(["git", "-C", HOME, "worktree", "add", "--detach", folder, revision], check=True)
    subprocess.run(["scripts/build", "bench"], cwd=folder, check=True, stdout=sys.stderr)
    return os.path.join(folder, "build-bench", "rigor-bench")


def build_new():
    subprocess.run(["scripts/build", "bench"], cwd=HOME, check=True, stdout=sys.stderr)
    return os.path.join(HOME, "build-bench", "rigor-bench")


def run(program, arguments):
    """What one run of a bench program tells."""
    command = [program, "--json", "--budget", str(BUDGET)] + arguments
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def rows_of(told):
    """Name of a row -> (CPU time of a step [s], steps not met, steps or None)."""
    rows = {}
    for scene in told["scenes"]:
        for engine in scene["engines"]:
            if engine["done"]:
                name = "%s, %s" % (scene["scene"], engine["engine"])
                rows[name] = (engine["cpu_mean_s"], engine["steps_not_met"], engine["steps"])
    for bed in told["scaling"]:
        for size in bed["sizes"]:
            name = "bed of %d %s, %s" % (size["bodies"], bed["bed"], bed["engine"])
            rows[name] = (size["cpu_median_s"], size["steps_not_met"], None)
    for chain in told["chains"]:
        for size in chain["sizes"]:
            rows["%s, %d links" % (chain["chain"], size["links"])] = (size["cpu_s"], size["steps_not_met"], None)
    return rows


def compare(old, new, arguments, repeats):
    """Least times of both programs, row by row, in turn."""
    least = [{}, {}]
    for _ in range(repeats):
        for which, program in enumerate((old, new)):
            for name, row in rows_of(run(program, arguments)).items():
                seen = least[which].get(name, (math.inf,))
                least[which][name] = min(seen, row)
    return [(name, least[0][name], least[1].get(name)) for name in least[0]]


def show(rows):
    above = 0
    for name, old, new in rows:
        if new is None:
            print("%-40s not done by this version" % name)
            above += 1
            continue
        ratio = new[0] / old[0]
        above += ratio > LIMIT
        steps = "" if old[2] is None else " of %d" % old[2]
        print("%-40s %10.3f %10.3f %7.2f%s  not met %d against %d%s" %
              (name, 1e3 * old[0], 1e3 * new[0], ratio, " !" if ratio > LIMIT else "  ", new[1], old[1], steps),
              flush=True)
    return above


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", default=FIRST_RELEASE, metavar="REVISION")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--part", action="append", choices=["scenes", "beds", "chains"])
    given = parser.parse_args()
    parts = given.part or ["scenes", "beds", "chains"]
    old, new = build_old(given.against), build_new()
    print("%-40s %10s %10s %7s   CPU time of a step [ms], least of %d runs in turn" %
          ("", given.against, "now", "ratio", given.repeats))
    above = 0
    if "scenes" in parts:
        for scene, engine, steps in SCENES:
            arguments = ["--scene", scene, "--engine", engine, "--steps", str(steps), "--beds", "0"]
            above += show(compare(old, new, arguments, given.repeats))
    if "beds" in parts:
        above += show(compare(old, new, ["--scene", "beds", "--quick", "--beds", str(BED_BODIES)], given.repeats))
    if "chains" in parts:  # which repeat themselves
        above += show(compare(old, new, ["--scene", "chains"], 1))
    print("%d above %g" % (above, LIMIT))
    return above > 0


if __name__ == "__main__":
    sys.exit(main())
