"""Rigid bodies in contact, every step certified.

    model = rigor.load("robot.xml")     # a scene, MJCF or URDF
    world = model.world()
    while world.time < 1:
        world.ctrl[:] = 0.1             # targets of servos, speeds of motors, or efforts
        world.step()
    print(world.qpos, world.contacts.force.sum(axis=0), world.certificate.residual)

Units are SI. Quaternions are (w, x, y, z). Arrays are NumPy's, of float64.
"""

from rigor import _core
from rigor._certificate import Certificate
from rigor._core import Error, __version__
from rigor.env import Env
from rigor.model import Model, load, loads
from rigor.problem import Problem, Solution
from rigor.scene import Scene
from rigor.world import Axis, Closest, Contacts, Hits, Loads, Overlaps, Probe, Rollout, Sensors, World, rollout

__all__ = [
    "Axis", "Certificate", "Closest", "Contacts", "Env", "Error", "Hits", "Loads", "Model", "Overlaps", "Probe",
    "Problem", "Rollout", "Scene", "Sensors", "Solution", "World", "__version__", "load", "loads", "options", "rollout", "solvers",
]


def options() -> dict[str, str]:
    """The options of models and worlds, with a line about each."""
    return dict(_core.option_names())


def solvers() -> dict[str, str]:
    """The solvers, with a line about each."""
    return dict(_core.solver_names())
