// stand_json.c - an answer of `rigor stand` as one JSON object.
#include "cli/stand/stand.h"
#include "cli/text/json.h"
#include <rigor/vec_math.h>

#include <math.h>

static void write_vector(CliJson* json, const char* key, rgVec3 v) {
  cli_json_open(json, key, '[');
  cli_json_real(json, NULL, v.x);
  cli_json_real(json, NULL, v.y);
  cli_json_real(json, NULL, v.z);
  cli_json_close(json, ']');
}

static void write_margin(CliJson* json, const char* key, const CliMargin* margin, bool directed) {
  cli_json_open(json, key, '{');
  cli_json_real(json, "stands", margin->stands);
  cli_json_real(json, "falls", margin->falls);
  if (directed)
    write_vector(json, "direction", margin->direction);
  cli_json_close(json, '}');
}

static void write_bodies(CliJson* json, const CliStand* stand, rgBodyId a, rgBodyId b) {
  char name[80];
  cli_stand_name(stand, a, name, sizeof name);
  cli_json_text(json, "a", name);
  cli_stand_name(stand, b, name, sizeof name);
  cli_json_text(json, "b", name);
}

// null where it is not known.
static void write_known(CliJson* json, const char* key, bool known, bool value) {
  if (known)
    cli_json_bool(json, key, value);
  else
    cli_json_null(json, key);
}

// null when it was not asked for; an end that has no bound is null.
static void write_range(CliJson* json, const double range[2]) {
  if (isnan(range[0])) {
    cli_json_null(json, "range");
    return;
  }
  cli_json_open(json, "range", '[');
  cli_json_real(json, NULL, range[0]);
  cli_json_real(json, NULL, range[1]);
  cli_json_close(json, ']');
}

static void write_pair(CliJson* json, const CliStand* stand, const CliPairForce* pair) {
  bool known = stand->distribution.known;
  cli_json_open(json, NULL, '{');
  write_bodies(json, stand, pair->a, pair->b);
  cli_json_count(json, "contacts", pair->count);
  write_vector(json, "point", pair->point);
  write_vector(json, "normal", pair->normal);
  write_vector(json, "force", pair->force);
  write_vector(json, "moment", pair->moment);
  cli_json_real(json, "normal_force", rg_vec3_dot(pair->force, pair->normal));
  write_known(json, "unique_force", known, pair->unique_force);
  write_known(json, "unique_moment", known, pair->unique_moment);
  write_known(json, "unique_normal", known, pair->unique_normal);
  write_range(json, pair->range);
  cli_json_close(json, '}');
}

static void write_contact(CliJson* json, const CliStand* stand, const CliContactForce* contact) {
  bool known = stand->distribution.known;
  cli_json_open(json, NULL, '{');
  cli_json_count(json, "island", contact->island);
  cli_json_count(json, "index", contact->contact);
  write_bodies(json, stand, contact->a, contact->b);
  write_vector(json, "point", contact->point);
  write_vector(json, "normal", contact->normal);
  write_vector(json, "force", contact->force);
  cli_json_real(json, "torsion", contact->torsion);
  cli_json_real(json, "normal_force", rg_vec3_dot(contact->force, contact->normal));
  write_known(json, "presses", known, contact->presses);
  write_known(json, "unique", known, contact->unique);
  write_known(json, "unique_normal", known, contact->unique_normal);
  write_range(json, contact->range);
  cli_json_close(json, '}');
}

static void write_distribution(CliJson* json, const CliStand* stand) {
  const CliDistribution* all = &stand->distribution;
  cli_json_open(json, "distribution", '{');
  cli_json_text(json, "given", all->least ? "least-norm" : "some");
  if (all->known)
    cli_json_count(json, "dimensions", all->freedom);
  else
    cli_json_null(json, "dimensions");
  cli_json_real(json, "tolerance", all->tolerance);
  cli_json_open(json, "pairs", '[');
  for (int i = 0; i < all->pair_count; ++i)
    write_pair(json, stand, &all->pairs[i]);
  cli_json_close(json, ']');
  cli_json_open(json, "contacts", '[');
  for (int i = 0; i < all->contact_count; ++i)
    write_contact(json, stand, &all->contacts[i]);
  cli_json_close(json, ']');
  cli_json_close(json, '}');
}

static void write_motion(CliJson* json, const CliStand* stand) {
  const CliIsland* island = &stand->assembly.islands[stand->decides];
  cli_json_open(json, "motion", '[');
  for (int i = 0; i < island->problem.body_count; ++i) {
    const double* v = stand->motion + 6 * (size_t)i;
    char name[80];
    cli_stand_name(stand, island->ids[i], name, sizeof name);
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "body", island->ids[i].generation ? name : NULL);
    write_vector(json, "velocity", rg_vec3(v[0], v[1], v[2]));
    write_vector(json, "angular_velocity", rg_vec3(v[3], v[4], v[5]));
    cli_json_close(json, '}');
  }
  cli_json_close(json, ']');
}

void cli_stand_json(const CliStand* stand) {
  const CliAssembly* assembly = &stand->assembly;
  CliJson json = {.stream = stdout};
  cli_json_open(&json, NULL, '{');
  cli_json_text(&json, "scene", stand->path);
  cli_json_text(&json, "verdict", cli_stand_verdict(stand));
  cli_json_count(&json, "bodies", assembly->body_count);
  cli_json_count(&json, "contacts", assembly->contact_count);
  cli_json_count(&json, "touching_nothing", assembly->alone);
  cli_json_count(&json, "velocities_left_out", assembly->moved);
  cli_json_real(&json, "largest_force", stand->largest);
  if (stand->margins)
    write_margin(&json, "friction", &stand->friction, false);
  if (stand->margins && stand->verdict == CLI_STATICS_STANDS) {
    write_margin(&json, "shaking", &stand->shaking, true);
    if (assembly->has_forces)
      write_margin(&json, "forces", &stand->forces, false);
  }
  if (stand->distributed)
    write_distribution(&json, stand);
  if (stand->motion)
    write_motion(&json, stand);
  cli_json_close(&json, '}');
}
