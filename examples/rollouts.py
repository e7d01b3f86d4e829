"""Many worlds at once: random torques on figures, on one thread and on two, with the same bits.

Shown: rollouts, and how to search by sampling.
"""

import os
import time

import numpy as np
import rigor

WORLDS, STEPS = 16, 20

root = os.environ.get("RIGOR_ROOT", os.path.join(os.path.dirname(__file__), ".."))
model = rigor.load(os.path.join(root, "scenes", "humanoid.json"))
axes = len(model.world().axes)
rng = np.random.default_rng(7)
controls = rng.normal(scale=20, size=(WORLDS, 1, axes)).repeat(STEPS, axis=1)  # [N m]

results = []
for threads in (1, 2):
    worlds = [model.world() for _ in range(WORLDS)]
    begin = time.perf_counter()
    results.append(rigor.rollout(worlds, controls=controls, threads=threads))
    print(f"{threads} threads: {time.perf_counter() - begin:.3f} s for {WORLDS * STEPS} steps")

one, two = results
assert np.array_equal(one.qpos, two.qpos) and one.met.all()
height = one.qpos[:, -1, 2]
print(f"the torques of world {height.argmax()} keep the trunk highest, at {height.max():.3f} m")
