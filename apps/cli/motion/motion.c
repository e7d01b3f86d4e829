// motion.c - `rigor motion`: does an assembly at rest stay, and if not, what starts to move where?
//
// All velocities are zero, so one step of length h from rest, with the contact law at its end, is
// the problem of accelerations times h: v / h is the initial acceleration (Baraff and Mattikalli
// 1993 eq. 19; with friction the same with Coulomb's law). Without friction it is unique, and the
// system is stable exactly when it vanishes. With friction several accelerations may obey the law;
// but whether rest is one of them has a proof either way (statics.h).
#include "cli/command.h"
#include "cli/motion/statics.h"
#include "cli/text/json.h"
#include "cli/text/text.h"
#include <rigor/vec_math.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct MotionValues {
  bool json;
} MotionValues;

// clang-format off
static const CliOption options[] = {
    {.name = "json", .type = CLI_FLAG, .offset = offsetof(MotionValues, json),
     .help = "the answer as one JSON object"},
    {0},
};
// clang-format on

static const double TOLERANCE = 1e-10; // asked of the solver
// Part of the largest free acceleration below which a body is at rest: far above the tolerance,
// which a lever or a large ratio of masses may magnify.
static const double REST = 1e-6;
// Part below which a component of an acceleration is what the tolerance left.
static const double NOISE = 1e-8;

typedef struct Moving {
  char name[80];
  bool moves;
  rgVec3 linear, angular; // [m/s2] of the centre, [rad/s2]
} Moving;

// One question and its answer.
typedef struct Answer {
  Moving* bodies; // dynamic ones
  int count, moving, contacts;
  rgCertificate certificate;
  CliStatics statics; // with friction
} Answer;

static int refuse(rgStatus status, const char* text) {
  fprintf(stderr, "%s\n", text);
  return status == RG_ERROR_MEMORY ? CLI_EXIT_FAILED : CLI_EXIT_INPUT;
}

// --- the step from rest ------------------------------------------------------------------------

static void set_options(rgOptions* scene_options, bool friction) {
  snprintf(scene_options->stepper, sizeof scene_options->stepper, "theta");
  snprintf(scene_options->solver, sizeof scene_options->solver, "auto");
  snprintf(scene_options->stabilizer, sizeof scene_options->stabilizer, "none");
  if (!friction)
    snprintf(scene_options->cone, sizeof scene_options->cone, "frictionless");
  scene_options->theta = 1;
  scene_options->tolerance = TOLERANCE;
  scene_options->iteration_limit = 100000;
  scene_options->time_limit = 0;
}

// Stops every body. Returns the number that moved, or -1 when one is kinematic, and its name.
static int stop_bodies(rgWorld* world, char* name, size_t size) {
  int moved = 0;
  for (int i = 0; i < rg_world_body_count(world); ++i) {
    rgBodyId id = rg_world_body(world, i);
    rgTwist v = rg_body_velocity(world, id), zero = {rg_vec3_zero(), rg_vec3_zero()};
    if (rg_body_kind(world, id) == RG_BODY_KINEMATIC) {
      cli_clean(rg_body_name(world, id), name, size);
      return -1;
    }
    if (rg_body_kind(world, id) != RG_BODY_DYNAMIC ||
        rg_vec3_norm2(v.linear) + rg_vec3_norm2(v.angular) == 0)
      continue;
    ++moved;
    rg_body_set_velocity(world, id, zero);
  }
  return moved;
}

static double gyration(const rgWorld* world, rgBodyId id) { // [m]
  rgMassProperties mass = rg_body_mass(world, id);
  double trace = mass.inertia.m[0][0] + mass.inertia.m[1][1] + mass.inertia.m[2][2];
  return mass.mass > 0 ? sqrt(trace / (3 * mass.mass)) : 0;
}

// The largest acceleration that a body would have alone: those of the islands, and what the bodies
// outside them, which nothing touches, have.
static double free_acceleration(const rgWorld* world, double h) {
  double largest = rg_vec3_norm(rg_world_options(world)->gravity);
  for (int i = 0; i < rg_world_island_count(world); ++i) {
    rgProblem problem;
    rgSolution solution;
    rgCertificate certificate;
    if (rg_world_island(world, i, &problem, &solution, &certificate) != RG_OK)
      continue;
    for (int k = 0; k < problem.body_count; ++k)
      largest = fmax(largest, rg_vec3_norm(problem.bodies[k].v_free.linear) / h);
  }
  return largest;
}

static rgVec3 without_noise(rgVec3 a, double noise) {
  return rg_vec3(fabs(a.x) > noise ? a.x : 0, fabs(a.y) > noise ? a.y : 0,
                 fabs(a.z) > noise ? a.z : 0);
}

static rgStatus read_bodies(const rgWorld* world, Answer* answer) {
  double h = rg_world_options(world)->step, reference = free_acceleration(world, h);
  int total = rg_world_body_count(world);
  answer->bodies = calloc((size_t)total + 1, sizeof *answer->bodies);
  if (!answer->bodies)
    return RG_ERROR_MEMORY;
  for (int i = 0; i < total; ++i) {
    rgBodyId id = rg_world_body(world, i);
    if (rg_body_kind(world, id) != RG_BODY_DYNAMIC)
      continue;
    Moving* body = &answer->bodies[answer->count++];
    rgTwist v = rg_body_velocity(world, id);
    cli_clean(rg_body_name(world, id), body->name, sizeof body->name);
    if (!body->name[0])
      snprintf(body->name, sizeof body->name, "body %d", i);
    double radius = gyration(world, id),
           size = rg_vec3_norm(v.linear) + rg_vec3_norm(v.angular) * radius;
    body->moves = size / h > REST * reference;
    if (body->moves) {
      body->linear = without_noise(rg_vec3_scale(v.linear, 1 / h), NOISE * reference);
      body->angular = without_noise(rg_vec3_scale(v.angular, 1 / h), NOISE * reference / radius);
    }
    answer->moving += body->moves;
  }
  return RG_OK;
}

// A certified solution without motion shows that it can stand. Otherwise every island is asked: the
// whole stands when all do, and one that cannot decides.
static rgStatus judge_statics(const rgWorld* world, Answer* answer) {
  answer->statics = CLI_STATICS_STANDS;
  if (answer->moving == 0 && answer->certificate.met)
    return RG_OK;
  bool all_stand = true, one_moves = false;
  int bodies = 0;
  for (int i = 0; i < rg_world_island_count(world); ++i) {
    rgProblem problem;
    rgSolution solution;
    rgCertificate certificate;
    CliStatics verdict = CLI_STATICS_UNDECIDED;
    rgStatus status = rg_world_island(world, i, &problem, &solution, &certificate);
    if (status == RG_OK)
      status = cli_statics(&problem, &verdict);
    if (status != RG_OK)
      return status;
    bodies += problem.body_count;
    all_stand = all_stand && verdict == CLI_STATICS_STANDS;
    one_moves = one_moves || verdict == CLI_STATICS_MOVES;
  }
  // All that is touched can stand, yet something moves: a body in no island, touched by nothing.
  one_moves = one_moves || (all_stand && bodies < answer->count);
  answer->statics = one_moves   ? CLI_STATICS_MOVES
                    : all_stand ? CLI_STATICS_STANDS
                                : CLI_STATICS_UNDECIDED;
  return RG_OK;
}

// Answers the question with or without friction. 0, or the exit code after a complaint.
static int answer_question(const char* path, bool friction, Answer* answer, int* moved) {
  rgScene* scene = NULL;
  rgWorld* world = NULL;
  rgMessage message = {0};
  char name[80] = "";
  rgStatus status = rg_scene_read(path, &scene, &message);
  if (status == RG_OK) {
    set_options(rg_scene_options(scene), friction);
    status = rg_scene_build(scene, NULL, &world, &message);
  }
  if (status == RG_OK) {
    *moved = stop_bodies(world, name, sizeof name);
    if (*moved < 0) {
      status = RG_ERROR_INPUT;
      snprintf(message.text, sizeof message.text,
               "%s: body '%s' is kinematic; what starts to move from rest is a question about "
               "static and dynamic bodies",
               path, name);
    }
  }
  if (status == RG_OK) {
    status = rg_world_step(world, &answer->certificate);
    if (status != RG_OK)
      snprintf(message.text, sizeof message.text, "%s: %s", path, rg_world_message(world));
  }
  if (status == RG_OK) {
    answer->contacts = answer->certificate.contacts;
    status = read_bodies(world, answer);
  }
  if (status == RG_OK && friction)
    status = judge_statics(world, answer);
  if (status == RG_ERROR_MEMORY)
    snprintf(message.text, sizeof message.text, "%s: not enough memory", path);
  rg_world_destroy(world);
  rg_scene_free(scene);
  return status == RG_OK ? CLI_EXIT_OK : refuse(status, message.text);
}

// --- for people --------------------------------------------------------------------------------

static void print_table(const Answer* answer, const CliStyle* style) {
  int width = 4;
  for (int i = 0; i < answer->count; ++i) {
    int length = (int)strlen(answer->bodies[i].name);
    width = answer->bodies[i].moves && length > width ? length : width;
  }
  printf("  %s%-*s  %32s  %32s%s\n", style->dim, width, "body", "acceleration of centre [m/s2]",
         "angular acceleration [rad/s2]", style->plain);
  for (int i = 0; i < answer->count; ++i) {
    const Moving* body = &answer->bodies[i];
    if (!body->moves)
      continue;
    printf("  %-*s  %10.4g %10.4g %10.4g  %10.4g %10.4g %10.4g\n", width, body->name,
           body->linear.x, body->linear.y, body->linear.z, body->angular.x, body->angular.y,
           body->angular.z);
  }
}

static void warn_tolerance(const Answer* answer, const CliStyle* style) {
  if (!answer->certificate.met)
    printf("  %sThe tolerance %g was NOT met: residual %.3g.%s\n", style->bad, TOLERANCE,
           answer->certificate.residual, style->plain);
}

static const char* friction_sentence(const Answer* friction) {
  switch (friction->statics) {
  case CLI_STATICS_STANDS:
    return friction->moving == 0
               ? "can stand: forces within the friction cones balance every load."
               : "can stand: forces within the friction cones balance every load. The motion below "
                 "obeys the law as well.";
  case CLI_STATICS_MOVES:
    return "cannot stand: no forces within the friction cones balance the loads. A motion that "
           "obeys the law:";
  default:
    return "not decided. A motion that obeys the law, beside which others may:";
  }
}

static void print_answers(const char* path, const Answer* smooth, const Answer* friction,
                          int moved) {
  CliStyle style = cli_style(stdout);
  char name[CLI_TEXT_MAX];
  cli_clean(path, name, sizeof name);
  printf("%s%s%s: %d %s, %d contacts, taken at rest\n", style.bold, name, style.plain,
         smooth->count, smooth->count == 1 ? "body that can move" : "bodies that can move",
         friction->contacts);
  if (moved > 0)
    printf("  velocities of %d %s in the scene are left out\n", moved,
           moved == 1 ? "body" : "bodies");
  printf("\n%sWithout friction:%s ", style.bold, style.plain);
  if (smooth->moving == 0)
    printf("stable, nothing starts to move.\n");
  else
    printf("not stable, %d of %d start to move.\n", smooth->moving, smooth->count);
  warn_tolerance(smooth, &style);
  if (smooth->moving > 0)
    print_table(smooth, &style);

  printf("\n%sWith friction:%s ", style.bold, style.plain);
  cli_wrap(stdout, friction_sentence(friction), 15, 0);
  warn_tolerance(friction, &style);
  if (friction->moving > 0)
    print_table(friction, &style);
}

// --- for machines ------------------------------------------------------------------------------

static void write_vector(CliJson* json, const char* key, rgVec3 v) {
  cli_json_open(json, key, '[');
  cli_json_real(json, NULL, v.x);
  cli_json_real(json, NULL, v.y);
  cli_json_real(json, NULL, v.z);
  cli_json_close(json, ']');
}

static void write_unit(CliJson* json, const char* key, rgVec3 v) {
  if (rg_vec3_norm2(v) > 0)
    write_vector(json, key, rg_vec3_scale(v, 1 / rg_vec3_norm(v)));
  else
    cli_json_null(json, key);
}

static void write_answer(CliJson* json, const char* key, const Answer* answer, bool friction) {
  static const char* const verdicts[] = {"stands", "moves", "undecided"};
  cli_json_open(json, key, '{');
  if (friction)
    cli_json_text(json, "verdict", verdicts[answer->statics]);
  else
    cli_json_bool(json, "stable", answer->moving == 0);
  cli_json_real(json, "residual", answer->certificate.residual);
  cli_json_bool(json, "met", answer->certificate.met);
  cli_json_count(json, "moving", answer->moving);
  cli_json_open(json, "bodies", '[');
  for (int i = 0; i < answer->count; ++i) {
    const Moving* body = &answer->bodies[i];
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "name", body->name);
    cli_json_bool(json, "moves", body->moves);
    write_vector(json, "acceleration", body->linear);
    write_vector(json, "angular_acceleration", body->angular);
    write_unit(json, "direction", body->linear);
    write_unit(json, "axis", body->angular);
    cli_json_close(json, '}');
  }
  cli_json_close(json, ']');
  cli_json_close(json, '}');
}

static void print_json(const char* path, const Answer* smooth, const Answer* friction, int moved) {
  CliJson json = {.stream = stdout};
  cli_json_open(&json, NULL, '{');
  cli_json_text(&json, "scene", path);
  cli_json_count(&json, "contacts", friction->contacts);
  cli_json_count(&json, "velocities_left_out", moved);
  write_answer(&json, "frictionless", smooth, false);
  write_answer(&json, "friction", friction, true);
  cli_json_close(&json, '}');
}

// --- the command -------------------------------------------------------------------------------

static int motion_command(int argc, char** argv) {
  MotionValues values = {0};
  CliParsed parsed;
  int exit_code, moved = 0;
  if (!cli_parse(&cli_motion, argc, argv, &values, &parsed, &exit_code))
    return exit_code;
  const char* path = parsed.operand[0];
  Answer smooth = {0}, friction = {0};
  exit_code = answer_question(path, false, &smooth, &moved);
  if (exit_code == CLI_EXIT_OK)
    exit_code = answer_question(path, true, &friction, &moved);
  if (exit_code == CLI_EXIT_OK) {
    if (values.json)
      print_json(path, &smooth, &friction, moved);
    else
      print_answers(path, &smooth, &friction, moved);
    if (!smooth.certificate.met || !friction.certificate.met)
      exit_code = CLI_EXIT_DOUBT;
  }
  free(smooth.bodies);
  free(friction.bodies);
  return exit_code;
}

const CliCommand cli_motion = {
    .name = "motion",
    .operands = "SCENE",
    .operand_min = 1,
    .operand_max = 1,
    .summary = "say whether an assembly stays at rest",
    .details =
        "Takes the bodies of the scene at rest, touching as they do, and says what starts to "
        "move, and where to. Without friction the answer is unique. With friction several "
        "motions may obey the law; whether rest is one of them is proved either way: by "
        "forces within the friction cones that balance every load, or by a motion that opens "
        "every contact while the loads do work.\n"
        "Exit code: 0 when there is an answer, whatever it is, 1 when the tolerance was not "
        "met, 2 when the scene is refused.",
    .examples = "rigor motion overhang\tdoes it stand, and if not, what moves",
    .options = options,
    .scenes = true,
    .run = motion_command,
};
