// implicit_geometry.c - contact at the end of the step, where the bodies are then (Chakraborty,
// Berard, Akella, Trinkle 2007). At theta = 1:
//
//     M (v+ - v) = h f + G' lambda + H(q+) r,      q+ = q + h v+                          (eq. 4)
//     0 <= r_n  perpendicular to  g(q+) >= 0,  the gap of the closest points at q+        (eq. 6, 9)
//     friction: exact Coulomb, or elliptic with torsion, for the slip H(q+)' v+           (eq. 5)
//
// Others freeze geometry at the start of the step: a gap is foreseen along the tangent, and a smooth
// body moves as a polygon does. Here frames, arms and gaps belong to the end.
//
// Method. The paper hands one mixed complementarity problem, closest points among its unknowns, to a
// general solver. Here the step's rounds solve the same equations: with the end q_k that the velocity
// v_k of the last round leads to, the narrow phase finds the closest points there - contacts with
// aligned unit normals, eq. 9, so that touching is never taken for crossing - and the next round has
// their frames and arms and the gap to first order about q_k,
//
//     g_k + h n_k . (u+ - u_k) >= 0:      bias = g_k / h - n_k . u_k.
//
// A fixed point solves the equations above. A round gains about h |v| / R + h^2 |a| / R, R being the
// smallest radius of curvature, so that two to five are enough; the last finds nothing left to do, by
// the certificate of the problem at its own end. The certificate then looks once more, by geometry
// alone: `gap` and `alignment`.
//
// A contact with e > 0 that approaches and that the step would close is an impact with Newton's law
// and the geometry of its start. Overlaps at the start of the step are treated as by stewart-trinkle:
// with the stabilizer post they are not pushed out by velocities.
//
// Order 1 in h; geometry has no error of its own. Where a convex body rolls over another one, the
// scheme gains energy at first order, r_n (n . u+) > 0 for the chord from q to q+; the account of
// energy takes that back (step/energy). It fails where rounds do not converge, on radii below
// h |v|: such an island takes the geometry of the start, and the certificate says so.
//
// Second order, at theta = 1/2. With the movement q~ = q + h (v + v+) / 2 in the place of eq. 4, the law
// g(q~) = 0 of a contact that stays closed has h n . (u + u+) / 2 = 0, u+ = -u: an error of the normal
// velocity never decays. The contact has two constraints, g = 0 and its derivative g' = n . u = 0, of
// which a step of second order can hold one by its impulse and needs a second multiplier for the
// other (Gear, Gupta, Leimkuhler 1985):
//
//     M (v+ - v) = h f + G~' lambda + H~ r,     0 <= r_n  perpendicular to  n(q+) . u+ >= 0,
//     q+ = q~ + M^-1 N(q+) mu,                  0 <= mu   perpendicular to  g(q+) >= 0,
//
// H~ being the mean of the closest points of start and end, friction that of the slip at the end. The
// first line is the step of scheme/theta.c with contacts of fill/contact_ends.c, velocities and
// impulses in the same rounds; the second is a projection of the movement (stabilize/close.c), which
// changes no velocity.
//
// Order. H0' v = 0 and H1' v+ = 0 give H~' (v + v+) / 2 = O(h^2), and with the mean corrected so that it
// foresees the gap, g(q~) - g(q) = h n~ . (u + u+) / 2 = O(h^3): so is mu, and the order stays 2. The
// normals of the law, found at q~, are those at q+ but for O(h^3).
//
// Energy. The law bounds the work of the contact over the movement, r_n n~ . (u + u+) / 2 <= 0
// (theta.c). By the same product g(q~) <= g(q) = 0: a contact that pushes sinks, and loses in the step
// what lifting it back to g = 0 takes, up to O(h^5). Both together are the work of a contact that stays
// closed, zero. Where the lift is more, the island pays for it (energy/pay.c): nothing is gained.
//
// What lands. A contact that closes within the step ends with an overlap of up to h |u| / 2 at q~, taken
// back by mu, or is slowed down and open at the end, and lands in the next step. Events are of first
// order in h. It differs from theta at an impact: geometry is that of the rounds, not that of the start.
//
// Cost: one narrow phase for the judgement of normals, a projection, and the search for contacts after it, which
// are a tenth to a fifth of a step.
#include "step/fill/fill.h"
#include "step/scheme/scheme.h"
#include "step/stabilize/stabilizer.h"

static void contact(const rgStep* step, int index, rgProblemContact* out) {
  const rgWorld* world = step->world;
  const rgWorldContact* contact = &world->contacts[index];
  if (step->contacts[index].mark == RG_MARK_IMPACT) {
    out->bias[0] = rg_fill_restitution(world, contact) *
                   rg_fill_normal_velocity(step, contact, RG_VELOCITY_START);
    return;
  }
  double least = rg_fill_least_gap(world, contact), push = 0;
  if (least < 0)
    push = rg_stabilizer_contact_bias(world, contact);
  if (!rg_fill_knows_contact_end(step, index)) {
    out->bias[0] = (contact->gap - least) / step->h + push;
    return;
  }
  const rgContactEnd* end = &step->contact_ends[index];
  out->bias[0] = (end->gap - least) / step->h - end->closing + push;
}

static rgStatus step_implicit_geometry(rgStep* step) {
  static const rgScheme end = {.theta = 1,
                               .free_motion = rg_fill_free_motion,
                               .select = rg_fill_select_impacts,
                               .contact = contact,
                               .mean_rows = true,
                               .end_contacts = true};
  static const rgScheme mean = {.free_motion = rg_fill_free_motion,
                                .select = rg_fill_select_impacts,
                                .contact = rg_stepper_theta_contact,
                                .mean_rows = true,
                                .closes = true};
  return rg_step_advance(step, step->world->options.theta < 1 ? &mean : &end);
}

const rgStepper rg_stepper_implicit_geometry = {
    .name = "implicit-geometry",
    .summary =
        "contact law at the end of the step, at the closest points that the bodies have there",
    .reference =
        "Chakraborty, Berard, Akella, Trinkle 2007, eq. 4 to 11; at theta < 1 Gear, Gupta, "
        "Leimkuhler 1985",
    .end_contacts = true,
    .sleeps = true,
    .step = step_implicit_geometry,
};
