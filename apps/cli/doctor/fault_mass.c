// fault_mass.c - inertia, centres of mass, densities and mass ratios that cannot be meant.
//
// Inertia. With all mass m of a body within the distance R of its centre of mass, trace J = 2 sum m r^2 is at
// most 2 m R^2. R is the farthest point of the body's shapes; shapes made for contact may be smaller than
// what they stand for, by half at most if they are to stand for it: J is impossible from trace J = 8 m R^2
// on. A body between joints that is given inertia to calm them, as a rotor would, changes little where the
// bodies that move with it have five times as much about the joint. At the other end, J of a body whose mass is spread over its shapes is that of uniform density times
// (core / size)^2; a hundredth means that all mass is within a tenth of the size. Both limits are a factor of
// ten and more from what is built, and far from a mistake of units, which makes 1e3 to 1e9.
//
// Centre of mass. Outside of the box around all shapes by more than half of its diagonal there is nothing
// that could have the mass.
//
// Density. Where gravity is that of the earth in SI units, and mass and inertia are those of the shapes, the
// density is that of a material: 1.2 kg/m3 (air) to 22,600 kg/m3 (osmium). Scenes with 1 for every number are
// common (a ball of mass 1 and radius 1 has 0.24 kg/m3), as are loads made heavy on purpose; mistakes of units
// are a factor of 1e3 in mass or 1e9 in volume. Limits are 1/1000 of air and 50 times osmium. In 2D, densities
// are per area.
//
// Mass ratio. What rests on a contact of a light body (mass m) with a heavy one (M) is pushed to and fro by
// sweeps that pass on about the part m / M of the load; iterations grow like M / m, and a residual that is
// small for the heavy body is M / m times as large in accelerations of the light one. That is harmless where
// the light body lies on the heavy one. It is told from M / m = 1000 on where the light one is below, or
// between. Joints are solved by factorization, which loses as many digits as the ratio has; what a joint puts
// on a link is told from 1e5 times the link's own weight on, where it is not the end of a chain.
#include "cli/doctor/doctor.h"
#include "cli/doctor/units.h"

#include <math.h>

static const double REACH_SLACK = 2; // shapes are at least half the size of what they stand for
static const double CARRIES = 5;     // times the inertia of a body between joints
static const double CORE = 1e-2;     // of the inertia of uniform density
static const double CENTER_OUTSIDE = 0.5;                  // of the diagonal of the shapes' box
static const double DENSEST = 50 * 22600, LIGHTEST = 1e-3; // [kg/m3]
static const double SAME_INERTIA = 1e-3;
static const double RATIO = 1e3;
static const double LINK_LOAD = 1e5; // of the weight of a link
static const double BELOW = 0.1;     // part of a normal against gravity from which on it supports
static const double TOUCHING = 1e-3; // of the half-width

static double trace_of(const rgMat3* a) { return a->m[0][0] + a->m[1][1] + a->m[2][2]; }

static bool has_shapes(const CliDoctor* doctor, int index) {
  return cli_doctor_dynamic(doctor, rg_world_body(doctor->start, index)) &&
         doctor->builds[index].shapes > 0;
}

// --- inertia -------------------------------------------------------------------------------------------

static void tell_inertia(CliDoctor* doctor, const CliFault* fault, rgBodyId id, double radius,
                         double right, bool large) {
  CliFinding* finding = cli_doctor_find(doctor, fault, cli_where_body(doctor, id),
                                        large ? radius : right, large ? right : radius, "m");
  const CliBuild* build = &doctor->builds[id.index];
  double mass = cli_doctor_mass(doctor, id).mass;
  if (large)
    cli_doctor_say(finding,
                   "its inertia is that of %.3g kg at %.3g m from the centre, but its shapes reach "
                   "only %.3g m: no mass within them has it",
                   mass, radius, build->reach);
  else
    cli_doctor_say(
        finding,
        "its inertia is that of %.3g kg within %.3g m of the centre, but its shapes spread "
        "mass over %.3g m: it will spin as if it were a point",
        mass, radius, right);
  double scale = build->solid ? mass / build->uniform.mass : 0;
  const rgMat3* J = &build->uniform.inertia;
  if (build->solid)
    cli_doctor_advise(
        finding,
        "leave \"inertia\" out, so that it follows from the shapes (about %.3g, %.3g, "
        "%.3g kg m2), or check its units",
        scale * J->m[0][0], scale * J->m[1][1], scale * J->m[2][2]);
  else
    cli_doctor_advise(finding, "check the units of \"inertia\" [kg m2] and of \"mass\" [kg]");
}

// Whether a body only carries others: it is between joints, and what hangs on them has more inertia.
static bool is_between(const CliDoctor* doctor, rgBodyId id, double moment) {
  double most = 0;
  const int* own = &doctor->joint_start[id.index];
  for (int i = own[0]; i < own[1]; ++i) {
    rgJointState state = doctor->joints[doctor->joint_list[i]];
    rgBodyId other = rg_body_equal(state.body_a, id) ? state.body_b : state.body_a;
    if (!cli_doctor_dynamic(doctor, other))
      continue;
    rgMassProperties mass = cli_doctor_mass(doctor, other);
    rgVec3 arm = rg_vec3_sub(rg_body_center(doctor->start, other), state.frame_a.position);
    most = fmax(most, 0.5 * trace_of(&mass.inertia) + mass.mass * rg_vec3_norm2(arm));
  }
  return own[1] - own[0] > 1 && most > CARRIES * moment;
}

static void look_inertia(CliDoctor* doctor, const CliFault* fault) {
  bool flat = rg_world_dimension(doctor->start) == 2;
  for (int i = 0; i < doctor->body_count; ++i) {
    const CliBuild* build = &doctor->builds[i];
    rgBodyId id = rg_world_body(doctor->start, i);
    rgMassProperties mass = cli_doctor_mass(doctor, id);
    if (!has_shapes(doctor, i) || !isfinite(build->reach) || !(trace_of(&mass.inertia) > 0))
      continue;
    // Mean distance of the mass from the centre: in a plane zz is sum m r^2, in space trace / 2 is.
    double moment = flat ? mass.inertia.m[2][2] : 0.5 * trace_of(&mass.inertia);
    double radius = sqrt(moment / mass.mass);
    if (radius > REACH_SLACK * build->reach && !is_between(doctor, id, moment))
      tell_inertia(doctor, fault, id, radius, REACH_SLACK * build->reach, true);
    if (flat || !build->solid)
      continue;
    double uniform = 0.5 * trace_of(&build->uniform.inertia) / build->uniform.mass;
    if (moment / mass.mass < CORE * uniform)
      tell_inertia(doctor, fault, id, radius, sqrt(uniform), false);
  }
}

// --- centre of mass ------------------------------------------------------------------------------------

static double outside(double x, double lower, double upper) {
  return fmax(fmax(lower - x, x - upper), 0);
}

static void tell_center(CliDoctor* doctor, const CliFault* fault, rgBodyId id, rgBounds box) {
  rgVec3 c = rg_body_center(doctor->start, id);
  rgVec3 beyond =
      rg_vec3(outside(c.x, box.lower.x, box.upper.x), outside(c.y, box.lower.y, box.upper.y),
              outside(c.z, box.lower.z, box.upper.z));
  double distance = rg_vec3_norm(beyond),
         allowed = CENTER_OUTSIDE * rg_vec3_norm(rg_vec3_sub(box.upper, box.lower));
  if (!(distance > allowed))
    return;
  CliFinding* finding =
      cli_doctor_find(doctor, fault, cli_where_body(doctor, id), distance, allowed, "m");
  cli_doctor_say(
      finding,
      "its centre of mass is %.3g m outside of the box around its shapes, which is %.3g m "
      "across: it will turn about a point where it has nothing",
      distance, allowed / CENTER_OUTSIDE);
  cli_doctor_advise(finding,
                    "give \"center\" in the frame of the body, in the units of the shapes");
}

static void look_center(CliDoctor* doctor, const CliFault* fault) {
  for (int i = 0; i < doctor->body_count; ++i)
    if (has_shapes(doctor, i) && isfinite(doctor->builds[i].reach))
      tell_center(doctor, fault, rg_world_body(doctor->start, i), doctor->builds[i].box);
}

// --- density -------------------------------------------------------------------------------------------

// Whether mass and inertia are those of the shapes at some density.
static bool is_uniform(const CliBuild* build, const rgMassProperties* mass) {
  double density = mass->mass / build->uniform.mass;
  for (int i = 0; i < 3; ++i)
    if (fabs(mass->inertia.m[i][i] - density * build->uniform.inertia.m[i][i]) >
        SAME_INERTIA * trace_of(&mass->inertia))
      return false;
  return true;
}

static void look_density(CliDoctor* doctor, const CliFault* fault) {
  if (rg_world_dimension(doctor->start) == 2 || cli_units_length(doctor) != 1)
    return;
  for (int i = 0; i < doctor->body_count; ++i) {
    const CliBuild* build = &doctor->builds[i];
    rgBodyId id = rg_world_body(doctor->start, i);
    rgMassProperties mass = cli_doctor_mass(doctor, id);
    if (!has_shapes(doctor, i) || !build->solid || !is_uniform(build, &mass))
      continue;
    double density = mass.mass / build->uniform.mass;
    bool dense = density > DENSEST;
    if (!dense && density > LIGHTEST)
      continue;
    CliFinding* finding =
        cli_doctor_find(doctor, fault, cli_where_body(doctor, id), dense ? density : LIGHTEST,
                        dense ? DENSEST : density, "kg/m3");
    cli_doctor_say(finding,
                   "has a density of %.3g kg/m3 (%.3g kg in %.3g m3), %s: mass or lengths are in "
                   "other units than gravity, which is that of the earth in metres",
                   density, mass.mass, build->uniform.mass,
                   dense ? "far more than any material has" : "a thousandth of that of air");
    cli_doctor_advise(finding,
                      "give \"mass\" in kg (about %.2g for water), or \"density\" in kg/m3 (water "
                      "1000, steel 7800), and lengths in metres",
                      1000 * build->uniform.mass);
  }
}

// --- mass ratio ----------------------------------------------------------------------------------------

static void look_ratio(CliDoctor* doctor, const CliFault* fault) {
  rgVec3 up =
      doctor->g > 0 ? rg_vec3_scale(doctor->options.gravity, -1 / doctor->g) : rg_vec3_zero();
  const rgWorld* worlds[] = {doctor->start, doctor->world};
  double worst = RATIO;
  rgBodyId heavy = {0, 0}, light = {0, 0};
  for (int w = 0; w < 2; ++w)
    for (int i = 0; i < rg_world_contact_count(worlds[w]); ++i) {
      rgContact contact;
      rg_world_contact(worlds[w], i, &contact);
      double half = fmin(doctor->builds[contact.body_a.index].half,
                         doctor->builds[contact.body_b.index].half);
      if (!cli_doctor_dynamic(doctor, contact.body_a) ||
          !cli_doctor_dynamic(doctor, contact.body_b) || contact.gap > TOUCHING * half)
        continue;
      double a = cli_doctor_mass(doctor, contact.body_a).mass,
             b = cli_doctor_mass(doctor, contact.body_b).mass;
      double lifted = rg_vec3_dot(contact.normal, up) * (a > b ? 1 : -1); // the heavy one, upwards
      double ratio = fmax(a / b, b / a);
      if (!(ratio > worst) || (doctor->g > 0 && lifted < BELOW))
        continue;
      worst = ratio;
      heavy = a > b ? contact.body_a : contact.body_b;
      light = a > b ? contact.body_b : contact.body_a;
    }
  if (heavy.generation == 0)
    return;
  char name[256];
  CliWhere where = cli_where_body(doctor, heavy), other = cli_where_body(doctor, light);
  cli_where_text(&other, name, sizeof name);
  CliFinding* finding = cli_doctor_find(doctor, fault, where, worst, RATIO, "");
  cli_doctor_say(
      finding,
      "rests on %s, which is %.3g times lighter (%.3g kg on %.3g kg): solvers that iterate "
      "slow down, and the light body answers with large accelerations to small errors",
      name, worst, cli_doctor_mass(doctor, heavy).mass, cli_doctor_mass(doctor, light).mass);
  cli_doctor_advise(finding,
                    "make the ratio smaller than %g: a heavier support (%.2g kg and more), or a "
                    "lighter load; or make the support static",
                    RATIO, cli_doctor_mass(doctor, heavy).mass / RATIO);
}

static int joints_of(const CliDoctor* doctor, rgBodyId id) {
  return doctor->joint_start[id.index + 1] - doctor->joint_start[id.index];
}

// The link that carries most for its own weight, by the reactions of the last step.
static void look_link(CliDoctor* doctor, const CliFault* fault) {
  double worst = LINK_LOAD, force = 0;
  rgBodyId link = {0, 0};
  for (int i = 0; i < doctor->joint_count && doctor->g > 0 && doctor->watch.steps > 0; ++i) {
    rgJointState state;
    rg_joint_state(doctor->world, rg_world_joint(doctor->world, i), &state);
    const rgBodyId ends[] = {state.body_a, state.body_b};
    for (int k = 0; k < 2; ++k) {
      if (!cli_doctor_dynamic(doctor, ends[k]) || doctor->builds[ends[k].index].shapes == 0)
        continue;
      double own = cli_doctor_mass(doctor, ends[k]).mass * doctor->g,
             load = rg_vec3_norm(state.reaction.force);
      if (!(own > 0) || !(load > worst * own) || joints_of(doctor, ends[k]) < 2)
        continue;
      worst = load / own;
      force = load;
      link = ends[k];
    }
  }
  if (link.generation == 0)
    return;
  CliFinding* finding =
      cli_doctor_find(doctor, fault, cli_where_body(doctor, link), worst, LINK_LOAD, "");
  cli_doctor_say(
      finding,
      "is a link of %.3g kg whose joints carry %.3g N, %.3g times its own weight: digits are "
      "lost in how it moves",
      cli_doctor_mass(doctor, link).mass, force, worst);
  cli_doctor_advise(finding,
                    "give the links %.2g kg or more, or replace them by one distance joint",
                    force / doctor->g / RATIO);
}

static void look_ratios(CliDoctor* doctor, const CliFault* fault) {
  look_ratio(doctor, fault);
  look_link(doctor, fault);
}

static const char* const by_others[] = {"scale", "mass-ratio", NULL};

const CliFault cli_faults_mass[] = {
    {.name = "inertia",
     .severity = CLI_WRONG,
     .summary = "An inertia that no mass within the shapes of the body can have.",
     .look = look_inertia},
    {.name = "center-of-mass",
     .severity = CLI_WRONG,
     .summary = "The centre of mass is far outside of the shapes of the body.",
     .look = look_center},
    {.name = "density",
     .severity = CLI_RISKY,
     .summary = "A density that no material has.",
     .explained_by = by_others,
     .look = look_density},
    {.name = "mass-ratio",
     .severity = CLI_RISKY,
     .summary = "A heavy body rests on a light one, or hangs on one.",
     .look = look_ratios},
    {0},
};
