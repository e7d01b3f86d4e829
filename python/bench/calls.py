"""What a call of step() costs beyond the step, and what two threads gain in rollouts.

    make bench-python, or: scripts/python bench [MODEL]

A call. A world of free balls makes steps one by one, `step()`, and all in one call, `step(n)`, which is a loop around
rg_world_step in C. The difference per step, less that of an empty loop, is what a call costs. Worlds of up to 4 bodies keep the
interpreter's lock for a single step; larger ones give it away and take it back. What disturbs the machine only ever adds time: the
least processor time of many short turns counts, all kinds in turn.

Rollouts. 64 humanoids, or worlds of a model that is given, with random controls, on one thread and on two, in turn. Two figures:
the ratio of wall times, of the best turn of each; and, since other programs take processors away, that of processor times: what one
thread takes over what the busier of two takes, which is the ratio of wall times where each thread has a processor. Trajectories must
have the same bits.

Ends with 1 where a call takes 100 ns or more, both ratios are below 1.8, or bits differ.
"""

from __future__ import annotations

import glob
import os
import sys
import threading
import time
from itertools import repeat

import numpy as np
import rigor

CALLS, CALL_TURNS = 200, 1_500
WORLDS, STEPS, TURNS = 64, 40, 9
CALL_GOAL, GAIN_GOAL = 100e-9, 1.8


def call_cost(bodies: int) -> tuple[float, float]:
    """[s] Of a call beyond its step, and of the step."""
    scene = rigor.Scene()
    for i in range(bodies):
        scene.body(f"ball {i}", position=(i, 0, 1), shapes=[{"shape": "sphere", "radius": 0.1}])
    step = scene.model().world().step
    least = [float("inf")] * 3
    for _ in range(CALL_TURNS):
        begin = time.process_time()
        for _ in repeat(None, CALLS):
            step()
        single = time.process_time()
        step(CALLS)
        whole = time.process_time()
        for _ in repeat(None, CALLS):
            pass
        empty = time.process_time()
        least = [min(a, b) for a, b in zip(least, (single - begin, whole - single, empty - whole))]
    return (least[0] - least[1] - least[2]) / CALLS, least[1] / CALLS


class Watch(threading.Thread):
    """Processor time of every thread of this process, by the kernel's count; threads end before it is asked for."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.spent: dict[str, float] = {}
        self.done = threading.Event()

    def look(self) -> None:
        for path in glob.glob("/proc/self/task/*/schedstat"):
            try:
                with open(path, encoding="ascii") as file:
                    self.spent[path] = int(file.read().split()[0]) * 1e-9
            except OSError:
                pass  # it has ended

    def run(self) -> None:
        while not self.done.wait(0.002):
            self.look()


class Rollout:
    """Of worlds that have made a step, and so have their memory. Looking at threads takes time from them: a rollout is
    measured by the clock first, then once more from the same start under a watch."""

    def __init__(self, model: rigor.Model, controls: np.ndarray, threads: int):
        worlds = self.warm(model, controls)
        begin = time.perf_counter()
        rigor.rollout(worlds, controls=controls, threads=threads)
        self.wall = time.perf_counter() - begin
        worlds = self.warm(model, controls)
        watch = Watch()
        watch.look()
        before = dict(watch.spent)
        watch.start()
        run = rigor.rollout(worlds, controls=controls, threads=threads)
        watch.look()
        watch.done.set()
        watch.join()
        own = f"/proc/self/task/{watch.native_id}/schedstat"
        spent = [t - before.get(path, 0) for path, t in watch.spent.items() if path != own]
        self.total, self.busiest = sum(spent), max(spent)
        self.bits = run.qpos.tobytes() + run.qvel.tobytes()

    @staticmethod
    def warm(model: rigor.Model, controls: np.ndarray) -> list[rigor.World]:
        worlds = [model.world() for _ in range(WORLDS)]
        rigor.rollout(worlds, controls=controls[:, :1], threads=1)
        return worlds


def gains(path: str) -> tuple[float, float, bool]:
    """By wall time, by processor time, and whether all bits are the same."""
    model = rigor.load(path)
    size = (WORLDS, STEPS, len(model.world().ctrl))
    controls = np.random.default_rng(0).normal(size=size)
    Rollout(model, controls, 2)  # everything is in memory
    ones, twos = [], []
    for _ in range(TURNS):
        ones.append(Rollout(model, controls, 1))
        twos.append(Rollout(model, controls, 2))
    wall = min(r.wall for r in ones) / min(r.wall for r in twos)
    balance = min(r.total for r in ones) / min(r.busiest for r in twos)
    print(f"{WORLDS} worlds of {os.path.basename(path)}, {STEPS} steps, least of {TURNS} turns:")
    print(f"{'threads':>9} {'wall [s]':>10} {'CPU [s]':>10} {'busier thread':>14}")
    for threads, runs in ((1, ones), (2, twos)):
        print(f"{threads:9d} {min(r.wall for r in runs):10.3f} {min(r.total for r in runs):10.3f} "
              f"{min(r.busiest for r in runs):14.3f}")
    return wall, balance, len({r.bits for r in ones + twos}) == 1


def verdict(reached: bool) -> str:
    return "reached" if reached else "MISSED"


def main() -> None:
    reached = True
    for bodies, lock in ((1, "keeps the lock"), (8, "gives the lock away")):
        cost, step = call_cost(bodies)
        reached = reached and cost < CALL_GOAL
        print(f"a call of step() costs {cost * 1e9:.0f} ns beyond the step of {bodies} "
              f"{'ball' if bodies == 1 else 'balls'}, {step * 1e9:.0f} ns, and {lock}: "
              f"goal below {CALL_GOAL * 1e9:.0f} {verdict(cost < CALL_GOAL)}")
    root = os.environ.get("RIGOR_ROOT", ".")
    path = sys.argv[1] if len(sys.argv) > 1 else os.path.join(root, "scenes", "humanoid.json")
    wall, balance, same = gains(path)
    print(f"two threads gain {wall:.2f} by wall time: goal {GAIN_GOAL} {verdict(wall >= GAIN_GOAL)}")
    print(f"two threads gain {balance:.2f} by processor time: goal {GAIN_GOAL} {verdict(balance >= GAIN_GOAL)}")
    print("the same bits" if same else "OTHER BITS")
    sys.exit(0 if reached and same and wall >= GAIN_GOAL else 1)


main()
