#!/usr/bin/env python3
"""bench/versions.py [--against REVISION] [--repeats N] [--part scenes|beds|large|chains]... [--scene NAME]...: CPU time
of every scene of the bench that this version and an older one both run, as a ratio, beside what both reached.

Builds the bench of the older version from the history of the repository, in build/versions, and runs both programs
in turn. What disturbs a machine only ever adds time: of the repetitions the least counts. A heap in motion is
chaotic: it is run from several starts, of which the mean counts.

Where the older version misses more steps, its limit on iterations is raised until it misses no more than this one, and
the times are compared again: those of answers that are as often right. A ratio above LIMIT that remains is marked;
the status is 1 when there is one. Needs git, what a build needs, and a history that has the revision."""
import argparse
import filecmp
import json
import math
import os
import shutil
import subprocess
import sys

FIRST_RELEASE = "338bac5"  # 0.1.0
LIMIT = 1.1
BUDGET = 60  # [s] of CPU for one scene of one program
# Whole scenes of the bench that 0.1.0 has: engine, steps, starts. In `default` a heap takes up to minutes a step, in
# either version, so that of spheres only the first steps are run.
SCENES = [("spheres", "rigor-realtime", 600, 5), ("spheres", "rigor-default", 40, 1),
          ("pyramid", "rigor-realtime", 1200, 1), ("pyramid", "rigor-default", 1200, 1),
          ("boxes", "rigor-realtime", 180, 1)]
RAISED = [60, 80, 100, 125, 150, 175, 199]  # limits on iterations, all those of a solve whose time is bounded
BED_BODIES = 5000
LARGE_BODIES, LARGE_REPEATS = 100000, 2  # as the bench itself; a run takes minutes
PARTS = ["scenes", "beds", "large", "chains"]
HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ENGINE = os.path.join("bench", "engine_rigor.c")


def build(folder):
    subprocess.run(["scripts/build", "bench"], cwd=folder, check=True, stdout=sys.stderr)
    return os.path.join(folder, "build-bench", "rigor-bench")


def build_old(revision):
    """The bench program of a revision, with the present file that passes options to its library."""
    folder = os.path.join(HOME, "build", "versions", revision)
    if not os.path.isdir(folder):
        subprocess.run(["git", "-C", HOME, "worktree", "prune"], check=True)
        subprocess.run(["git", "-C", HOME, "worktree", "add", "--detach", folder, revision], check=True)
    if not filecmp.cmp(os.path.join(HOME, ENGINE), os.path.join(folder, ENGINE), shallow=False):
        shutil.copy(os.path.join(HOME, ENGINE), os.path.join(folder, ENGINE))
    return build(folder)


def run(program, arguments, start=0, limit=None):
    """What one run of a bench program tells."""
    command = [program, "--json", "--budget", str(BUDGET)] + arguments
    environment = dict(os.environ, RIGOR_BENCH_STRETCH=str(start))
    if limit:
        environment["RIGOR_BENCH_LIMIT"] = str(limit)
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return json.loads(done.stdout)


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


def measure(programs, arguments, repeats, starts=1, limit=None):
    """For each program its rows: least times, row by row, the programs in turn; means over starts."""
    sums = [{} for _ in programs]
    for start in range(starts):
        least = [{} for _ in programs]
        for _ in range(repeats):
            for which, program in enumerate(programs):
                for name, row in rows_of(run(program, arguments, start, limit)).items():
                    least[which][name] = min(least[which].get(name, (math.inf,)), row)
        for which, rows in enumerate(least):
            for name, (time, missed, steps) in rows.items():
                before = sums[which].get(name, (0, 0, steps))
                sums[which][name] = (before[0] + time / starts, before[1] + missed / starts, steps)
    return sums


def is_large(name):
    """Whether a row is of a bed beyond those that are run more often."""
    return int(name.split()[2]) > BED_BODIES


def show(name, old, new, counts):
    """One line; whether it is above the limit. `counts`: it is the last one of its scene."""
    ratio = new[0] / old[0]
    above = ratio > LIMIT
    steps = "" if old[2] is None else " of %d" % old[2]
    print("%-44s %10.3f %10.3f %7.2f%s  not met %.4g against %.4g%s" %
          (name, 1e3 * old[0], 1e3 * new[0], ratio, " !" if above and counts else "  ", new[1], old[1], steps),
          flush=True)
    return above


def compare(programs, arguments, repeats, starts=1, counts=lambda name: True):
    """Lines of all rows that the older version has and that count; how many are above the limit."""
    olds, news = measure(programs, arguments, repeats, starts)
    count = 0
    for name, old in olds.items():
        if not counts(name):
            continue
        if name not in news:
            print("%-44s not done by this version" % name)
            count += 1
            continue
        new = news[name]
        raises = len(olds) == 1 and old[1] > new[1] and new[0] > LIMIT * old[0]
        above = show(name, old, new, not raises)
        for limit in RAISED if raises else []:
            old = measure(programs[:1], arguments, repeats, starts, limit)[0][name]
            if old[1] <= new[1] or limit == RAISED[-1]:
                above = show("  up to %d iterations in the older one" % limit, old, new, True)
                break
        count += above
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", default=FIRST_RELEASE, metavar="REVISION")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--part", action="append", choices=PARTS)
    parser.add_argument("--scene", action="append", choices=sorted({scene[0] for scene in SCENES}))
    given = parser.parse_args()
    parts = given.part or (["scenes"] if given.scene else PARTS)
    programs = [build_old(given.against), build(HOME)]
    print("%-44s %10s %10s %7s   CPU time of a step [ms], least of %d runs in turn" %
          ("", given.against, "now", "ratio", given.repeats))
    above = 0
    if "scenes" in parts:
        for scene, engine, steps, starts in SCENES:
            if given.scene and scene not in given.scene:
                continue
            arguments = ["--scene", scene, "--engine", engine, "--steps", str(steps), "--beds", "0"]
            above += compare(programs, arguments, given.repeats, starts)
    if "beds" in parts:
        # Early, in the worst of their fall, and as late as the bench itself measures them.
        for steps in [["--quick"], []]:
            arguments = ["--scene", "beds", "--beds", str(BED_BODIES)] + steps
            above += compare(programs, arguments, given.repeats)
    if "large" in parts:
        arguments = ["--scene", "beds", "--beds", str(LARGE_BODIES)]
        above += compare(programs, arguments, min(given.repeats, LARGE_REPEATS), counts=is_large)
    if "chains" in parts:  # which repeat themselves
        above += compare(programs, ["--scene", "chains"], 1)
    print("%d above %g" % (above, LIMIT))
    return above > 0


if __name__ == "__main__":
    sys.exit(main())
