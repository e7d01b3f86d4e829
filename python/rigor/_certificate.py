"""The certificate of a step, from the table that docs/certificate.md is made of."""

from typing import NamedTuple


class Certificate(NamedTuple):
    """How well a step, or a problem, was solved (docs/certificate.md)."""

    signorini: float  #: [m/s] Size of min(u_n, r_n / rho): bodies that approach through a contact, a contact that pulls, or one that pushes while it opens.
    coulomb: float  #: [m/s] Size of F / rho with F = r - P_K(r - rho (u + mu |u_T| n)), P_K being the projection on the cone: the whole contact law, normal and friction together.
    joint: float  #: [m/s] Violation of the laws of constraint rows (joints, limits, motors, implicit springs).
    dynamics: float  #: [m/s] Size of v - v_free - M^-1 (G' lambda + H r), the angular part times the arm with which it acts.
    scale: float  #: [m/s] Largest free velocity |H' v_free + bias| of rows and of contacts that the free motion would violate, by more than the rounding of the velocities it is the difference of.
    residual: float  #: Largest of signorini, coulomb, joint and dynamics, divided by scale.
    tolerance: float  #: Residual that was asked for. 0 in a frame before the first step.
    met: bool  #: Whether the residual is at most the tolerance and no stage missed what was asked of it. In a frame before the first step nothing was asked, so nothing was missed: 1.
    penetration: float  #: [m] Largest overlap of two shapes, found by geometry after the step.
    joint_error: float  #: [m] Largest position error of a joint after the step, limits included; angles count with the arm of the joint.
    energy: float  #: [J] Change of kinetic and potential energy in the step, less the work of applied forces and of moving ground. Contacts may only take energy: a positive value is an error of the discretization.
    energy_contacts: float  #: [J] Part of energy that is due to contacts: the work of their impulses at the mean of the velocities before and after, as of an impact.
    energy_joints: float  #: [J] Part of energy that is due to joints, springs and dampers: what remains of a step with constraint rows.
    energy_integration: float  #: [J] Part of energy that is due to the integration of the movement: at theta = 1 free fall loses m (g h)^2 / 2 per step, at theta = 1/2 nothing.
    energy_projection: float  #: [J] Part of energy that is due to the projection of positions.
    iterations: int  #: Iterations of all solves of the step's problem: the most over its islands in each round, added over the rounds. What an iteration is depends on the solver (docs/accuracy.md).
    sweeps: int  #: Passes of iterative methods over all unknowns of an island: in all solves of the step and of its stages, added over the islands.
    factorizations: int  #: Matrices of islands that were factored: in all solves of the step and of its stages, added over the islands.
    contacts: int  #: Number of contacts in the problem.
    suiting_asked: float  #: [m/s] What was asked of the stage; 0 when the step did not need it.
    suiting_reached: float  #: [m/s] What the stage reached, where it missed by most.
    suiting_missed: int  #: How many of its solves, or of the things it looked at, missed.
    impacts_asked: float  #: [contacts] What was asked of the stage; 0 when the step did not need it.
    impacts_reached: float  #: [contacts] What the stage reached, where it missed by most.
    impacts_missed: int  #: How many of its solves, or of the things it looked at, missed.
    rounds_asked: float  #: What was asked of the stage; 0 when the step did not need it.
    rounds_reached: float  #: What the stage reached, where it missed by most.
    rounds_missed: int  #: How many of its solves, or of the things it looked at, missed.
    plain_asked: float  #: [islands] What was asked of the stage; 0 when the step did not need it.
    plain_reached: float  #: [islands] What the stage reached, where it missed by most.
    plain_missed: int  #: How many of its solves, or of the things it looked at, missed.
    closing_asked: float  #: [contacts] What was asked of the stage; 0 when the step did not need it.
    closing_reached: float  #: [contacts] What the stage reached, where it missed by most.
    closing_missed: int  #: How many of its solves, or of the things it looked at, missed.
    passing_asked: float  #: [bodies] What was asked of the stage; 0 when the step did not need it.
    passing_reached: float  #: [bodies] What the stage reached, where it missed by most.
    passing_missed: int  #: How many of its solves, or of the things it looked at, missed.
    gap_asked: float  #: [m] What was asked of the stage; 0 when the step did not need it.
    gap_reached: float  #: [m] What the stage reached, where it missed by most.
    gap_missed: int  #: How many of its solves, or of the things it looked at, missed.
    alignment_asked: float  #: What was asked of the stage; 0 when the step did not need it.
    alignment_reached: float  #: What the stage reached, where it missed by most.
    alignment_missed: int  #: How many of its solves, or of the things it looked at, missed.
    ringing_asked: float  #: [m/s] What was asked of the stage; 0 when the step did not need it.
    ringing_reached: float  #: [m/s] What the stage reached, where it missed by most.
    ringing_missed: int  #: How many of its solves, or of the things it looked at, missed.
    projection_asked: float  #: [m] What was asked of the stage; 0 when the step did not need it.
    projection_reached: float  #: [m] What the stage reached, where it missed by most.
    projection_missed: int  #: How many of its solves, or of the things it looked at, missed.
    energy_asked: float  #: [J] What was asked of the stage; 0 when the step did not need it.
    energy_reached: float  #: [J] What the stage reached, where it missed by most.
    energy_missed: int  #: How many of its solves, or of the things it looked at, missed.
