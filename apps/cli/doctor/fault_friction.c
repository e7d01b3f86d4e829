// fault_friction.c - no friction where things should hold.
//
// Whether friction is missed is asked by trial. Gravity is tilted by three degrees, as a table that is not
// quite level does, and the scene is run twice for a moment: as it is, and with mu = 1/2, the default, in
// place of zero. A body that starts at rest and touches something without friction, runs off in the first
// and stays in the second, has nothing to hold it but the friction that is not there. Balls roll away in
// both, and bodies that joints, walls or bowls hold stay in both: of them nothing is said.
//
// The stepper gauss has no friction to give; with it nothing is asked.
//
// In the time t a body without friction reaches g sin(3 deg) t. Half of that is running off; a tenth is
// staying.
#include "cli/doctor/doctor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TILT = 0.0523;           // sine of three degrees
static const double NONE = 1e-3;             // mu below is none
static const double USUAL = 0.5;             // mu
static const double TOUCHING = 1e-3;         // of the half-width
static const double RUNS = 0.5, STAYS = 0.1; // of g sin(3 deg) t
enum { STEPS = 24 };

typedef struct Trial {
  rgWorld *without, *with; // friction
  bool good;
} Trial;

static bool cone_is_frictionless(const CliDoctor* doctor) {
  return strcmp(doctor->options.cone, "frictionless") == 0;
}

static double friction_of(const CliDoctor* doctor, const rgContact* contact) {
  rgMaterial pair;
  if (cone_is_frictionless(doctor) || rg_world_pair_material(doctor->start, contact->material_a,
                                                             contact->material_b, &pair) != RG_OK)
    return 0;
  return pair.mu;
}

static bool starts_at_rest(const CliDoctor* doctor, rgBodyId body) {
  rgTwist v = rg_body_velocity(doctor->start, body);
  double slow = TILT * doctor->g * doctor->h;
  return rg_vec3_norm(v.linear) < slow && rg_vec3_norm(v.angular) == 0;
}

// A contact without friction on which a body starts at rest.
static bool is_slippery(const CliDoctor* doctor, const rgContact* contact) {
  double half =
      fmin(doctor->builds[contact->body_a.index].half, doctor->builds[contact->body_b.index].half);
  bool rests =
      (cli_doctor_dynamic(doctor, contact->body_a) && starts_at_rest(doctor, contact->body_a)) ||
      (cli_doctor_dynamic(doctor, contact->body_b) && starts_at_rest(doctor, contact->body_b));
  return rests && contact->gap < TOUCHING * half && friction_of(doctor, contact) < NONE;
}

// A world of the scene on the tilted table, by the methods of the default preset.
static rgWorld* tilted_world(CliDoctor* doctor) {
  rgOptions* options = rg_scene_options(doctor->scene);
  rgOptions kept = *options;
  rgWorld* world = NULL;
  rgMessage ignored;
  rg_options_preset("default", options);
  rgVec3 g = doctor->options.gravity, t, o;
  rg_vec3_frame(rg_vec3_scale(g, 1 / doctor->g), &t, &o);
  rgVec3 side = rg_world_dimension(doctor->start) == 2
                    ? rg_vec3(g.y / doctor->g, -g.x / doctor->g, 0)
                    : rg_vec3_scale(rg_vec3_add(t, o), sqrt(0.5));
  options->gravity = rg_vec3_axpy(g, TILT * doctor->g, side);
  options->step = doctor->h;
  options->tolerance = 1e-3;
  if (cone_is_frictionless(doctor))
    strcpy(options->cone, "frictionless");
  if (rg_scene_build(doctor->scene, NULL, &world, &ignored) != RG_OK)
    world = NULL;
  *options = kept;
  return world;
}

// Gives every two materials without friction the usual one.
static void add_friction(rgWorld* world) {
  int count = rg_world_material_count(world);
  for (int a = 0; a < count; ++a)
    for (int b = a; b < count; ++b) {
      rgMaterial pair;
      if (rg_world_pair_material(world, a, b, &pair) != RG_OK || pair.mu >= NONE)
        continue;
      pair.mu = USUAL;
      rg_world_set_pair_material(world, a, b, &pair);
    }
  rgOptions options = *rg_world_options(world);
  snprintf(options.cone, sizeof options.cone, "exact");
  rg_world_set_options(world, &options);
}

static bool run(rgWorld* world) {
  for (int i = 0; i < STEPS; ++i)
    if (rg_world_step(world, NULL) != RG_OK)
      return false;
  return true;
}

static Trial make_trial(CliDoctor* doctor) {
  Trial trial = {tilted_world(doctor), tilted_world(doctor), false};
  if (trial.without && trial.with) {
    add_friction(trial.with);
    trial.good = run(trial.without) && run(trial.with);
  }
  return trial;
}

static bool needs_friction(const CliDoctor* doctor, const Trial* trial, rgBodyId body) {
  double reached = TILT * doctor->g * doctor->h * STEPS;
  return cli_doctor_dynamic(doctor, body) && starts_at_rest(doctor, body) &&
         rg_vec3_norm(rg_body_velocity(trial->without, body).linear) > RUNS * reached &&
         rg_vec3_norm(rg_body_velocity(trial->with, body).linear) < STAYS * reached;
}

// Where mu is to be changed: the cone, the material without friction, or the pair.
static CliWhere place_of(const CliDoctor* doctor, const rgContact* contact) {
  const int materials[] = {contact->material_a, contact->material_b};
  if (cone_is_frictionless(doctor))
    return cli_where_option("cone");
  for (int i = 0; i < 2; ++i) {
    rgMaterial material;
    if (rg_world_material(doctor->start, materials[i], &material) == RG_OK && material.mu < NONE)
      return cli_where_material(doctor, materials[i]);
  }
  return (CliWhere){.path = "pairs"};
}

static bool is_told(const CliDoctor* doctor, const CliFault* fault, const CliWhere* where) {
  for (int i = 0; i < doctor->count; ++i)
    if (doctor->findings[i].fault == fault &&
        strcmp(doctor->findings[i].where.path, where->path) == 0)
      return true;
  return false;
}

static void tell(CliDoctor* doctor, const CliFault* fault, const rgContact* contact, rgBodyId body,
                 int count) {
  CliWhere where = place_of(doctor, contact);
  if (is_told(doctor, fault, &where))
    return;
  CliWhere slider = cli_where_body(doctor, body);
  bool is_a = rg_body_equal(body, contact->body_a);
  CliWhere support = cli_where_body(doctor, is_a ? contact->body_b : contact->body_a);
  char name[256], other[256];
  cli_where_text(&slider, name, sizeof name);
  cli_where_text(&support, other, sizeof other);
  CliFinding* finding =
      cli_doctor_find(doctor, fault, where, USUAL, friction_of(doctor, contact), "");
  cli_doctor_say(finding,
                 "mu is %.2g between %s and %s, on which it rests%s: nothing holds it, and the "
                 "slightest slope or push makes it slide; with mu = %g it would stay",
                 friction_of(doctor, contact), name, other, count > 1 ? ", and so do others" : "",
                 USUAL);
  cli_doctor_advise(finding, cone_is_frictionless(doctor)
                                 ? "use the cone \"exact\" (--cone exact)"
                                 : "give the material, or the pair of materials, its friction: "
                                   "\"mu\": 0.5");
}

static void look_friction(CliDoctor* doctor, const CliFault* fault) {
  int slippery = 0;
  if (doctor->g == 0 || strcmp(doctor->options.stepper, "gauss") == 0)
    return;
  for (int i = 0; i < doctor->contact_count; ++i)
    slippery += is_slippery(doctor, &doctor->contacts[i]);
  if (slippery == 0)
    return;
  Trial trial = make_trial(doctor);
  for (int i = 0; trial.good && i < doctor->contact_count; ++i) {
    const rgContact* contact = &doctor->contacts[i];
    if (!is_slippery(doctor, contact))
      continue;
    bool a = needs_friction(doctor, &trial, contact->body_a),
         b = needs_friction(doctor, &trial, contact->body_b);
    if (a || b)
      tell(doctor, fault, contact, a ? contact->body_a : contact->body_b, slippery);
  }
  rg_world_destroy(trial.without);
  rg_world_destroy(trial.with);
}

static const char* const by_overlap[] = {"overlap", "scale", NULL};

const CliFault cli_faults_friction[] = {
    {.name = "no-friction",
     .severity = CLI_RISKY,
     .summary = "A body at rest has no friction to hold it.",
     .explained_by = by_overlap,
     .look = look_friction},
    {0},
};
