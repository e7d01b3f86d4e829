"""Random scenes of the shapes that the checker knows: thrown at each other and at the ground, with
random materials, presets, steps, steppers, cones and stabilizers."""
import json

import numpy as np


def shape_of(rng):
    kind = str(rng.choice(["sphere", "box", "capsule"]))
    size = float(rng.uniform(0.05, 0.3))
    item = {"shape": kind, "density": float(10 ** rng.uniform(2, 4))}
    if kind == "box":
        item["half"] = [float(size * rng.uniform(0.3, 1)) for _ in range(3)]
    else:
        item["radius"] = size * (0.5 if kind == "capsule" else 1)
    if kind == "capsule":
        item["half_length"] = size
    return item


def options_of(rng):
    options = {"step": float(rng.choice([1 / 60, 1 / 240, 0.001])), "theta": float(rng.choice([0.5, 1])),
               "stabilizer": str(rng.choice(["none", "baumgarte", "post"])),
               "cone": str(rng.choice(["exact", "inner", "outer", "frictionless"])),
               "facets": int(rng.integers(3, 12)),
               "stepper": str(rng.choice(["theta", "theta", "anitescu-potra", "stewart-trinkle"]))}
    options["baumgarte_rate"] = 0.2 / options["step"]
    if options["cone"] == "exact":
        options["iteration_limit"] = int(rng.choice([5, 50, 10000]))
    return options


def bodies_of(rng):
    bodies = [{"name": "ground", "kind": "static", "shapes": [{"shape": "halfspace"}]}]
    for k in range(int(rng.integers(2, 9))):
        shapes = [shape_of(rng) for _ in range(int(rng.choice([1, 1, 2])))]
        for shape in shapes[1:]:
            shape["position"] = list(rng.uniform(-0.2, 0.2, size=3))
        turn = rng.normal(size=4)
        bodies.append({"name": f"b{k}", "position": [*rng.uniform(-0.5, 0.5, size=2), 0.4 + 0.7 * k],
                       "orientation": list(turn / np.linalg.norm(turn)), "shapes": shapes,
                       "velocity": [*rng.normal(size=2), float(-rng.uniform(0, 8))],
                       "angular_velocity": list(3 * rng.normal(size=3))})
    return bodies


def write(rng, path):
    material = {"name": "default", "mu": float(rng.uniform(0, 1)), "restitution": float(rng.choice([0, rng.random()]))}
    if rng.random() < 0.3:
        material["e_tau"] = 0.02
    bodies, options = bodies_of(rng), options_of(rng)
    if "e_tau" in material:
        options["cone"] = "exact"
    scene = {"rigor": 1, "time": 10, "options": options, "materials": [material], "bodies": bodies}
    if rng.random() < 0.3:
        scene["joints"] = [{"kind": str(rng.choice(["ball", "hinge", "fixed"])), "a": "b0", "b": "b1",
                            "point": [float(x) for x in bodies[1]["position"]], "axis": [0, 1, 0]}]
        for body in bodies[1:3]:
            body.update(velocity=[0, 0, 0], angular_velocity=[0, 0, 0])
    with open(path, "w", encoding="utf-8") as file:
        json.dump(scene, file)
