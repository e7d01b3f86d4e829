"""Energy and momentum of recorded runs, from poses, velocities and the masses of scene.py.

Kinetic energy sum (m v^2 + w I w) / 2 and potential energy -m g x are compared with the recorded
ones in every frame. Of a step, the certificate's `energy` is their change, where nothing but gravity
acts (no forces, joints' springs or moving bodies), and its parts by cause add up to it.
Where no body touches anything (no contacts, no rows), momentum changes by m g h."""
import numpy as np


def unknown(scene):
    """Why the balance of this scene cannot be checked; empty when it can."""
    reasons = []
    if scene.dimension == 2:
        reasons.append("dimension 2")
    names = sorted({s["shape"] for b in scene.bodies if not b.known() for s in b.shapes})
    if names:
        reasons.append("mass of " + ", ".join(names))
    if scene.data.get("forces"):
        reasons.append("forces")
    axes = [a for j in scene.data.get("joints", []) for a in j.get("axes", [])]
    if any("stiffness" in a for a in axes):
        reasons.append("springs of joints")
    if any("armature" in a for a in axes):
        reasons.append("rotors of joints")
    return reasons


def energies(scene, frame):
    kinetic = potential = size = 0.0
    for i, body in enumerate(scene.bodies):
        if body.kind != "dynamic":
            continue
        turn, v, w = frame.turn[i], frame.velocity[i], frame.spin[i]
        local = turn.T @ w
        kinetic += (body.mass * v @ v + local @ body.inertia @ local) / 2
        height = scene.gravity * (frame.position[i] + turn @ body.center)
        potential -= body.mass * height.sum()
        size += body.mass * np.abs(height).sum()
    return kinetic, potential, size + kinetic


def momentum(scene, frame):
    moving = [(b.mass, frame.velocity[i]) for i, b in enumerate(scene.bodies) if b.kind == "dynamic"]
    return sum((m * v for m, v in moving), np.zeros(3)), sum(m for m, _ in moving)


def ground_moves(scene):
    """Moving ground, motors, servos and efforts do work that a trajectory does not show."""
    keys = ("motor_speed", "servo", "effort")
    motors = any(k in a for j in scene.data.get("joints", []) for a in j.get("axes", []) for k in keys)
    return motors or any(b.kind == "kinematic" for b in scene.bodies)


def disagreements(scene, frames):
    found, last = [], None
    for k, frame in enumerate(frames):
        kinetic, potential, size = energies(scene, frame)
        room, c = 1e-10 * size + 1e-300, frame.certificate
        for name, value in (("energy_kinetic", kinetic), ("energy_potential", potential)):
            if not abs(c[name] - value) <= room:
                found.append(f"frame {k}: {name}: Rigor {c[name]:.12g}, checker {value:.12g}")
        if last is not None:
            change = kinetic + potential - last[0]
            if not ground_moves(scene) and not abs(c["energy"] - change) <= room:
                found.append(f"frame {k}: energy: Rigor {c['energy']:.9g}, checker {change:.9g}")
            causes = sum(c["energy_" + n] for n in ("contacts", "joints", "integration", "projection"))
            if not abs(c["energy"] - causes) <= room:
                found.append(f"frame {k}: energy {c['energy']:.9g}, its causes add up to {causes:.9g}")
            if c["contacts"] == 0 and not scene.data.get("joints"):
                p, mass = momentum(scene, frame)
                due = last[1] + mass * scene.gravity * (c["time"] - last[2])
                if not np.linalg.norm(p - due) <= 1e-10 * (np.linalg.norm(p) + np.linalg.norm(due)):
                    found.append(f"frame {k}: momentum {p}, due {due} in free flight")
        last = (kinetic + potential, momentum(scene, frame)[0], c["time"])
    return found
