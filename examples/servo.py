"""A robot with servos: an arm of two links goes to a pose and holds it against its weight.

Shown: a scene built in Python, targets of servos, reactions of joints.
"""

import numpy as np
import rigor

scene = rigor.Scene("two links", step=1 / 500)
scene.body("upper", position=(0.25, 0, 1), shapes=[{"shape": "capsule", "radius": 0.04, "half_length": 0.2,
           "orientation": {"axis": [0, 1, 0], "degrees": 90}}])  # fmt: skip
scene.body("fore", position=(0.75, 0, 1), shapes=[{"shape": "capsule", "radius": 0.03, "half_length": 0.2,
           "orientation": {"axis": [0, 1, 0], "degrees": 90}}])  # fmt: skip
servo = {"axis": "turn", "servo": True, "servo_stiffness": 400, "servo_damping": 40, "servo_force": 200}
scene.joint("hinge", "shoulder", b="upper", point=(0, 0, 1), axis=(0, 1, 0), axes=[servo])
scene.joint("hinge", "elbow", a="upper", b="fore", point=(0.5, 0, 1), axis=(0, 1, 0), axes=[servo])

world = scene.model().world()
target = np.array([-0.5, 0.8])
met = True
while world.time < 3:
    world.ctrl[:] = target * min(1.0, world.time)  # a ramp of one second
    met &= world.step()

sag = world.qpos - target
print("coordinates", world.qpos, "behind their targets by", sag)
assert met and np.all(np.abs(sag) < 0.1) and np.all(np.abs(world.qvel) < 1e-3)

# At rest the shoulder carries the weight of both links.
weight = -world.loads.applied_force[:, 2].sum()
print("weight", weight, "N; the joints give", world.loads.joint_force[:, 2])
assert abs(world.loads.joint_force[:, 2].sum() - weight) < 1e-3 * weight
