// probe.c - what a run is watched for.
//
// Rest: a body moves no faster than |v| + |w| R anywhere, R being the distance of its farthest point
// from its centre. Everything is at rest when this is below a hundredth of sqrt(g L) for all moving
// bodies, L being the size of the smallest (the speed of a fall by 5e-5 L), or below --rest-speed.
#include "cli/sweep/probe.h"

#include "cli/system/interrupt.h"

#include <rigor/vec_math.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEEDS_REST = 1, NEEDS_FORCE = 2 };
enum { REDUCE_LARGEST, REDUCE_LEAST, REDUCE_SUM, REDUCE_MEAN, REDUCE_LAST, REDUCE_COUNT };
static const char* const reduce_names[] = {"max", "min", "sum", "mean", "last"};
static const double REST_PART = 0.01; // of sqrt(g L)

// --- quantities ----------------------------------------------------------------------------------

static double component(rgVec3 v, int part) { return part == 0 ? v.x : part == 1 ? v.y : v.z; }

static rgVec3 horizontal(const CliProbe* probe, rgVec3 v) {
  return rg_vec3_sub(v, rg_vec3_scale(probe->up, rg_vec3_dot(v, probe->up)));
}

static rgVec3 displacement_of(const CliProbe* probe, rgBodyId body) {
  for (int i = 0; i < probe->body_count; ++i) {
    rgBodyId id = rg_world_body(probe->world, i);
    if (id.index == body.index)
      return rg_vec3_sub(rg_body_center(probe->world, body), probe->start[i]);
  }
  return (rgVec3){0, 0, 0};
}

static double position(const CliProbe* probe, rgBodyId body, int part) {
  return component(rg_body_pose(probe->world, body).position, part);
}
static double orientation(const CliProbe* probe, rgBodyId body, int part) {
  rgQuat q = rg_body_pose(probe->world, body).orientation;
  return part == 0 ? q.w : part == 1 ? q.x : part == 2 ? q.y : q.z;
}
static double velocity(const CliProbe* probe, rgBodyId body, int part) {
  return component(rg_body_velocity(probe->world, body).linear, part);
}
static double spin(const CliProbe* probe, rgBodyId body, int part) {
  return component(rg_body_velocity(probe->world, body).angular, part);
}
static double displacement(const CliProbe* probe, rgBodyId body, int part) {
  return component(displacement_of(probe, body), part);
}
static double speed(const CliProbe* probe, rgBodyId body, int part) {
  (void)part;
  return rg_vec3_norm(rg_body_velocity(probe->world, body).linear);
}
static double height(const CliProbe* probe, rgBodyId body, int part) {
  (void)part;
  return rg_vec3_dot(rg_body_center(probe->world, body), probe->up);
}
static double runout(const CliProbe* probe, rgBodyId body, int part) {
  (void)part;
  return rg_vec3_norm(horizontal(probe, displacement_of(probe, body)));
}

// Which axis of the body points up most: 0 +x, 1 -x, 2 +y, ...
static double up(const CliProbe* probe, rgBodyId body, int part) {
  (void)part;
  rgQuat q = rg_body_pose(probe->world, body).orientation;
  rgVec3 direction = rg_quat_rotate((rgQuat){q.w, -q.x, -q.y, -q.z}, probe->up);
  int best = 0;
  for (int i = 1; i < 3; ++i)
    if (fabs(component(direction, i)) > fabs(component(direction, best)))
      best = i;
  return 2 * best + (component(direction, best) < 0);
}

const char* cli_up_name(const void* context, int index) {
  static const char* const names[] = {"+x up", "-x up", "+y up", "-y up", "+z up", "-z up"};
  (void)context;
  return names[index];
}

#define THREE(stem, unit, function, help)                                                          \
  {stem ".x", unit, help, CLI_COLUMN_NUMBER, 0, function, 0},                                      \
      {stem ".y", unit, help, CLI_COLUMN_NUMBER, 0, function, 1}, {                                \
    stem ".z", unit, help, CLI_COLUMN_NUMBER, 0, function, 2                                       \
  }

static const CliQuantityKind of_bodies[] = {
    THREE("position", "m", position, "of its frame at the end"),
    {"orientation.w", "", "at the end, a quaternion", CLI_COLUMN_NUMBER, 0, orientation, 0},
    {"orientation.x", "", "at the end, a quaternion", CLI_COLUMN_NUMBER, 0, orientation, 1},
    {"orientation.y", "", "at the end, a quaternion", CLI_COLUMN_NUMBER, 0, orientation, 2},
    {"orientation.z", "", "at the end, a quaternion", CLI_COLUMN_NUMBER, 0, orientation, 3},
    THREE("velocity", "m/s", velocity, "of its centre of mass at the end"),
    THREE("angular_velocity", "rad/s", spin, "at the end"),
    THREE("displacement", "m", displacement, "of its centre of mass from start to end"),
    {"runout", "m", "horizontal distance of its centre of mass from start to end",
     CLI_COLUMN_NUMBER, 0, runout, 0},
    {"height", "m", "of its centre of mass at the end, against gravity", CLI_COLUMN_NUMBER, 0,
     height, 0},
    {"speed", "m/s", "of its centre of mass at the end", CLI_COLUMN_NUMBER, 0, speed, 0},
    {"up", "", "class of its pose at the end: the axis of the body that points up most",
     CLI_COLUMN_CLASS, 0, up, 0},
};

static double time_to_rest(const CliProbe* probe, rgBodyId body, int part) {
  (void)body, (void)part;
  return probe->rest_since >= 0 ? probe->rest_since : (double)NAN;
}
static double at_rest(const CliProbe* probe, rgBodyId body, int part) {
  (void)body, (void)part;
  return probe->rest_since >= 0;
}
static double largest_force(const CliProbe* probe, rgBodyId body, int part) {
  (void)body, (void)part;
  return probe->largest_force;
}
static double largest_runout(const CliProbe* probe, rgBodyId body, int part) {
  (void)body, (void)part;
  double most = 0;
  for (int i = 0; i < probe->body_count; ++i) {
    rgBodyId id = rg_world_body(probe->world, i);
    rgVec3 moved = rg_vec3_sub(rg_body_center(probe->world, id), probe->start[i]);
    if (rg_body_kind(probe->world, id) == RG_BODY_DYNAMIC)
      most = fmax(most, rg_vec3_norm(horizontal(probe, moved)));
  }
  return most;
}
static double kinetic(const CliProbe* probe, rgBodyId body, int part) {
  (void)body, (void)part;
  return rg_world_energy(probe->world).kinetic;
}
static double potential(const CliProbe* probe, rgBodyId body, int part) {
  (void)body, (void)part;
  return rg_world_energy(probe->world).potential;
}
static double steps(const CliProbe* probe, rgBodyId body, int part) {
  (void)body, (void)part;
  return (double)probe->steps;
}

static const CliQuantityKind of_runs[] = {
    {"time_to_rest", "s", "when everything came to rest for good; none where something moves",
     CLI_COLUMN_NUMBER, NEEDS_REST, time_to_rest, 0},
    {"at_rest", "", "whether everything is at rest at the end", CLI_COLUMN_SHARE, NEEDS_REST,
     at_rest, 0},
    {"largest_force", "N", "largest force of a contact over all steps", CLI_COLUMN_NUMBER,
     NEEDS_FORCE, largest_force, 0},
    {"runout", "m", "largest horizontal distance of a body from start to end", CLI_COLUMN_NUMBER, 0,
     largest_runout, 0},
    {"kinetic", "J", "kinetic energy at the end", CLI_COLUMN_NUMBER, 0, kinetic, 0},
    {"potential", "J", "potential energy at the end", CLI_COLUMN_NUMBER, 0, potential, 0},
    {"steps", "", "steps made", CLI_COLUMN_NUMBER, 0, steps, 0},
};

const CliQuantityKind* cli_quantity_of_run(int index) {
  return index < (int)(sizeof of_runs / sizeof of_runs[0]) ? &of_runs[index] : NULL;
}
const CliQuantityKind* cli_quantity_of_body(int index) {
  return index < (int)(sizeof of_bodies / sizeof of_bodies[0]) ? &of_bodies[index] : NULL;
}

// --- finding -------------------------------------------------------------------------------------

static const CliQuantityKind* find_kind(const CliQuantityKind* (*table)(int index),
                                        const char* name) {
  const CliQuantityKind* kind;
  for (int i = 0; (kind = table(i)); ++i)
    if (strcmp(kind->name, name) == 0)
      return kind;
  return NULL;
}

// "residual", "energy.sum": a field of the certificate over the steps.
static bool find_field(const char* name, CliQuantity* quantity, rgMessage* message, bool* known) {
  char stem[CLI_COLUMN_NAME];
  const char* point = strrchr(name, '.');
  snprintf(stem, sizeof stem, "%.*s", point ? (int)(point - name) : CLI_COLUMN_NAME, name);
  quantity->field = rg_certificate_find(stem);
  *known = quantity->field != NULL;
  if (!*known)
    return false;
  for (int r = 0; point && r < REDUCE_COUNT; ++r)
    if (strcmp(reduce_names[r], point + 1) == 0) {
      quantity->reduce = r;
      return true;
    }
  quantity->reduce = REDUCE_LARGEST;
  if (!point && quantity->field->largest)
    return true;
  snprintf(message->text, sizeof message->text,
           "--report %s: how the steps make one number must be said: %s.max, .min, .sum, .mean or "
           ".last",
           name, stem);
  return false;
}

// A body by its name, or by its number among the bodies of the world.
static rgBodyId find_body(const rgWorld* world, const char* name) {
  char* end;
  long index = strtol(name, &end, 10);
  if (name[0] && !*end && index >= 0 && index < rg_world_body_count(world))
    return rg_world_body(world, (int)index);
  return rg_world_find_body(world, name);
}

static void refuse_name(const char* name, bool body, rgMessage* message) {
  rgGuess guess = {.word = name};
  const CliQuantityKind* kind;
  const rgCertificateField* field;
  const char* point = body ? strchr(name, '.') : NULL;
  guess.word = point ? point + 1 : name;
  for (int i = 0; (kind = body ? cli_quantity_of_body(i) : cli_quantity_of_run(i)); ++i)
    rg_guess_offer(&guess, kind->name);
  for (int i = 0; !body && (field = rg_certificate_field(i)); ++i)
    rg_guess_offer(&guess, field->name);
  if (guess.best)
    snprintf(message->text, sizeof message->text,
             "--report %s: there is no quantity '%s'; did you mean '%s'?", name, guess.word,
             guess.best);
  else if (body)
    snprintf(message->text, sizeof message->text,
             "--report %s: a body has no quantity '%s'; 'rigor list quantities' names them", name,
             guess.word);
  else
    snprintf(message->text, sizeof message->text,
             "--report %s: is neither a quantity of a run ('rigor list quantities') nor BODY.WHAT "
             "with a body of the scene",
             name);
}

bool cli_quantity_find(const char* name, const rgWorld* world, CliQuantity* quantity,
                       rgMessage* message) {
  *quantity = (CliQuantity){.kind = find_kind(cli_quantity_of_run, name)};
  snprintf(quantity->name, sizeof quantity->name, "%s", name);
  if (strlen(name) >= sizeof quantity->name) {
    snprintf(message->text, sizeof message->text, "--report %.40s...: the name is too long", name);
    return false;
  }
  bool known = quantity->kind != NULL, body_known = false;
  if (known || find_field(name, quantity, message, &known))
    return true;
  if (known)
    return false;
  for (const char* point = strchr(name, '.'); point; point = strchr(point + 1, '.')) {
    char body[CLI_COLUMN_NAME];
    snprintf(body, sizeof body, "%.*s", (int)(point - name), name);
    quantity->body = find_body(world, body);
    quantity->kind = find_kind(cli_quantity_of_body, point + 1);
    body_known = body_known || quantity->body.generation != 0;
    if (quantity->body.generation != 0 && quantity->kind)
      return true;
  }
  refuse_name(name, body_known, message);
  return false;
}

const char* cli_quantity_unit(const CliQuantity* quantity) {
  return quantity->kind ? quantity->kind->unit : quantity->field->unit;
}

CliColumnKind cli_quantity_column(const CliQuantity* quantity) {
  return quantity->kind ? quantity->kind->kind : CLI_COLUMN_NUMBER;
}

// --- watching ------------------------------------------------------------------------------------

// Fills for each body a bound on the distance from its centre to its farthest point.
static bool find_reaches(CliProbe* probe) {
  const rgWorld* world = probe->world;
  int count = rg_world_shapes(world, NULL, 0);
  rgShapeId* shapes = malloc((size_t)(count + 1) * sizeof *shapes);
  if (!shapes)
    return false;
  rg_world_shapes(world, shapes, count);
  for (int b = 0; b < probe->body_count; ++b) {
    rgBodyId body = rg_world_body(world, b);
    rgVec3 center = rg_body_mass(world, body).center;
    bool moves = rg_body_kind(world, body) == RG_BODY_DYNAMIC;
    for (int i = 0; moves && i < count; ++i) {
      rgShapeView view;
      if (rg_shape_view(world, shapes[i], &view) != RG_OK || view.body.index != body.index)
        continue;
      double far = rg_vec3_norm(rg_vec3_sub(view.def.pose.position, center)) + view.extent;
      probe->reach[b] = fmax(probe->reach[b], far);
    }
  }
  free(shapes);
  return true;
}

static double choose_rest_speed(const CliProbe* probe) {
  double least = HUGE_VAL, g = rg_vec3_norm(rg_world_options(probe->world)->gravity);
  for (int i = 0; i < probe->body_count; ++i)
    if (probe->reach[i] > 0)
      least = fmin(least, probe->reach[i]);
  if (!isfinite(least))
    least = 1; // [m] points, or nothing that moves
  return REST_PART * (g > 0 ? sqrt(g * least) : least);
}

bool cli_probe_start(CliProbe* probe, rgWorld* world) {
  rgVec3 gravity = rg_world_options(world)->gravity;
  double g = rg_vec3_norm(gravity);
  probe->world = world;
  probe->up = g > 0 ? rg_vec3_scale(gravity, -1 / g) : rg_vec3(0, 0, 1);
  probe->body_count = rg_world_body_count(world);
  probe->start = malloc((size_t)(probe->body_count + 1) * sizeof *probe->start);
  probe->reach = calloc((size_t)probe->body_count + 1, sizeof *probe->reach);
  if (!probe->start || !probe->reach)
    return false;
  for (int i = 0; i < probe->body_count; ++i)
    probe->start[i] = rg_body_center(world, rg_world_body(world, i));
  for (int i = 0; i < probe->quantity_count; ++i)
    probe->needs |= probe->quantities[i].kind ? probe->quantities[i].kind->needs : 0;
  if ((probe->needs & NEEDS_REST) && !find_reaches(probe))
    return false;
  if ((probe->needs & NEEDS_REST) && !(probe->rest_speed > 0))
    probe->rest_speed = choose_rest_speed(probe);
  probe->rest_since = -1;
  probe->worst = (rgCertificate){.met = true};
  return true;
}

static bool is_resting(const CliProbe* probe) {
  for (int i = 0; i < probe->body_count; ++i) {
    rgBodyId id = rg_world_body(probe->world, i);
    if (rg_body_kind(probe->world, id) != RG_BODY_DYNAMIC)
      continue;
    rgTwist velocity = rg_body_velocity(probe->world, id);
    if (rg_vec3_norm(velocity.linear) + rg_vec3_norm(velocity.angular) * probe->reach[i] >
        probe->rest_speed)
      return false;
  }
  return true;
}

static void watch_force(CliProbe* probe) {
  double step = rg_world_options(probe->world)->step;
  int count = rg_world_contact_count(probe->world);
  for (int i = 0; i < count; ++i) {
    rgContact contact;
    if (rg_world_contact(probe->world, i, &contact) == RG_OK)
      probe->largest_force = fmax(probe->largest_force, rg_vec3_norm(contact.impulse) / step);
  }
}

static void watch_step(CliProbe* probe, const rgCertificate* certificate) {
  rg_certificate_worst(&probe->worst, certificate);
  if (probe->needs & NEEDS_FORCE)
    watch_force(probe);
  if (probe->needs & NEEDS_REST) {
    bool resting = is_resting(probe);
    if (!resting)
      probe->rest_since = -1;
    else if (probe->rest_since < 0)
      probe->rest_since = rg_world_time(probe->world);
  }
  for (int i = 0; i < probe->quantity_count; ++i) {
    const CliQuantity* quantity = &probe->quantities[i];
    if (!quantity->field)
      continue;
    double value = rg_certificate_value(certificate, quantity->field);
    double* extreme = &probe->extremes[i];
    bool first = probe->steps == 0, least = quantity->reduce == REDUCE_LEAST;
    probe->sums[i] += value;
    if (first || quantity->reduce == REDUCE_LAST || (least ? value < *extreme : value > *extreme))
      *extreme = value;
  }
  probe->steps++;
}

bool cli_probe_step(CliProbe* probe, CliFinish* finish, rgMessage* message) {
  rgCertificate certificate;
  rgStatus status = cli_interrupted() ? RG_CANCELLED : rg_world_step(probe->world, &certificate);
  if (status == RG_OK)
    watch_step(probe, &certificate);
  else if (status == RG_CANCELLED)
    *finish = CLI_FINISH_NONE;
  else {
    *finish = CLI_FINISH_FAILED;
    snprintf(message->text, sizeof message->text, "%s", rg_world_message(probe->world));
  }
  return status == RG_OK;
}

CliFinish cli_probe_verdict(const CliProbe* probe) {
  return probe->worst.met ? CLI_FINISH_MET : CLI_FINISH_NOT_MET;
}

double cli_probe_resting(const CliProbe* probe) {
  return probe->rest_since < 0 ? 0 : rg_world_time(probe->world) - probe->rest_since;
}

void cli_probe_end(CliProbe* probe, double* values) {
  for (int i = 0; i < probe->quantity_count; ++i) {
    const CliQuantity* quantity = &probe->quantities[i];
    if (quantity->body.generation != 0 && !rg_body_valid(probe->world, quantity->body))
      values[i] = (double)NAN; // of a copy that this run does not have
    else if (quantity->kind)
      values[i] = quantity->kind->value(probe, quantity->body, quantity->kind->part);
    else if (quantity->reduce == REDUCE_SUM)
      values[i] = probe->sums[i];
    else if (quantity->reduce == REDUCE_MEAN)
      values[i] = probe->sums[i] / (double)probe->steps;
    else
      values[i] = probe->extremes[i];
  }
}

void cli_probe_free(CliProbe* probe) {
  free(probe->start);
  free(probe->reach);
  probe->start = NULL;
  probe->reach = NULL;
}
