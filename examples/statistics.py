"""Statistics with a plot: how far a box slides, over many coefficients of friction and speeds.

Shown: materials and bodies built in Python, contact forces, and the law d = v^2 / (2 mu g).
"""

import math

import matplotlib.pyplot as plt  # type: ignore[import]
import numpy as np
import rigor

GRAVITY = 9.81


def slide(mu: float, speed: float) -> float:
    """[m] How far a box of 0.2 m slides on the floor."""
    scene = rigor.Scene(step=1 / 1000, theta=0.5)
    scene.material("default", mu=mu)
    scene.body("floor", kind="static", shapes=[{"shape": "halfspace"}])
    scene.body("box", position=(0, 0, 0.1), velocity=(speed, 0, 0), shapes=[{"shape": "box", "half": (0.1, 0.1, 0.1)}])
    world = scene.model().world()
    while world.qvel[0] > 1e-6:
        assert world.step()
    force = world.contacts.force
    if len(force):  # on the box or on the floor: the normal force is the weight
        weight = -world.loads.applied_force[1, 2]
        assert math.isclose(abs(force[:, 2].sum()), weight, rel_tol=1e-6)
    return float(world.qpos[0])


speeds = np.linspace(0.5, 2.0, 6)
figure, axes = plt.subplots()
worst = 0.0
for mu in (0.2, 0.4, 0.8):
    distances = np.array([slide(mu, float(v)) for v in speeds])
    law = speeds**2 / (2 * mu * GRAVITY)
    worst = max(worst, float(np.max(np.abs(distances / law - 1))))
    axes.plot(speeds, law, color="0.7")
    axes.plot(speeds, distances, "o", label=f"mu = {mu}")
axes.set_xlabel("speed [m/s]")
axes.set_ylabel("distance [m]")
axes.legend()
figure.savefig("slides.png")
print(f"slides.png: {worst:.2%} from v^2 / (2 mu g) at most")
assert worst < 0.01
