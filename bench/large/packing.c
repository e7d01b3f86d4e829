// packing.c - balls that have fallen into a box, and their contact problem.
#include "large.h"

#include <math.h>
#include <rigor/vec_math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LAYERS = 10 };
static const double SPACING = 0.105, RADIUS = 0.05; // [m]

double large_cpu(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void add_box(rgWorld* world, double half, double height) {
  rgBodyDef body = rg_body_def();
  rgShapeDef shapes[5];
  body.kind = RG_BODY_STATIC;
  shapes[0] = rg_shape_def(RG_SHAPE_HALFSPACE);
  for (int i = 1; i < 5; ++i) {
    double sign = i % 2 ? 1 : -1, away = sign * (half + 0.5);
    shapes[i] = rg_shape_def(RG_SHAPE_BOX);
    shapes[i].half = i < 3 ? rg_vec3(0.5, half + 1, height) : rg_vec3(half + 1, 0.5, height);
    shapes[i].pose.position = i < 3 ? rg_vec3(away, 0, height) : rg_vec3(0, away, height);
  }
  rgBodyId id;
  rg_world_add_body(world, &body, shapes, 5, &id);
}

rgWorld* large_world(int balls, const char* preset, int threads) {
  rgWorldDef def = rg_world_def();
  rgWorld* world = NULL;
  rg_options_preset(preset, &def.options);
  def.options.step = 1.0 / 240;
  def.options.threads = threads;
  if (rg_world_create(&def, &world, NULL) != RG_OK)
    return NULL;
  int width = (int)ceil(sqrt((double)balls / LAYERS));
  rgMaterial material;
  rg_world_material(world, 0, &material);
  material.mu = 0.5;
  rg_world_set_material(world, 0, &material);
  add_box(world, 0.5 * width * SPACING + 0.01, LAYERS * SPACING);
  uint64_t state = 1;
  for (int i = 0; i < balls; ++i) {
    rgBodyDef body = rg_body_def();
    rgShapeDef ball = rg_shape_def(RG_SHAPE_SPHERE);
    int layer = i / (width * width), row = i / width % width, column = i % width;
    double room = 0.002;
    ball.radius = RADIUS * (0.8 + 0.2 * rg_random_unit(&state));
    body.pose.position =
        rg_vec3((column - 0.5 * (width - 1)) * SPACING + room * rg_random_unit(&state),
                (row - 0.5 * (width - 1)) * SPACING + room * rg_random_unit(&state),
                RADIUS + layer * SPACING);
    rgBodyId id;
    if (rg_world_add_body(world, &body, &ball, 1, &id) != RG_OK) {
      rg_world_destroy(world);
      return NULL;
    }
  }
  return world;
}

// --- the problem ---------------------------------------------------------------------------------

// Where bodies are, by the contacts that they have: loads are listed in the order of the problems.
static bool find_places(const rgWorld* world, int first, LargeProblem* large) {
  int count = rg_world_contact_loads(world, NULL, 0);
  rgContactLoad* loads = calloc((size_t)count + 1, sizeof *loads);
  if (!loads)
    return false;
  rg_world_contact_loads(world, loads, count);
  for (int i = 0; i < large->problem.contact_count; ++i) {
    const rgProblemContact* contact = &large->contacts[i];
    const rgContactLoad* load = &loads[first + i];
    if (contact->body_a >= 0)
      large->places[contact->body_a] = rg_vec3_sub(load->point, contact->arm_a);
    if (contact->body_b >= 0)
      large->places[contact->body_b] = rg_vec3_sub(load->point, contact->arm_b);
  }
  free(loads);
  return true;
}

bool large_problem_take(rgWorld* world, LargeProblem* large) {
  rgProblem problem;
  rgSolution solution;
  rgCertificate certificate;
  int largest = -1, most = 0, first = 0, begin = 0;
  *large = (LargeProblem){0};
  for (int k = 0; k < rg_world_island_count(world); ++k) {
    rg_world_island(world, k, &problem, &solution, &certificate);
    if (problem.contact_count > most)
      most = problem.contact_count, largest = k, begin = first;
    first += problem.contact_count;
  }
  if (largest < 0)
    return false;
  rg_world_island(world, largest, &problem, &solution, &certificate);
  size_t bodies = (size_t)problem.body_count, contacts = (size_t)problem.contact_count;
  large->problem = problem;
  large->bodies = malloc(bodies * sizeof *large->bodies);
  large->contacts = malloc(contacts * sizeof *large->contacts);
  large->places = calloc(bodies, sizeof *large->places);
  if (!large->bodies || !large->contacts || !large->places)
    return false;
  memcpy(large->bodies, problem.bodies, bodies * sizeof *large->bodies);
  memcpy(large->contacts, problem.contacts, contacts * sizeof *large->contacts);
  large->problem.bodies = large->bodies;
  large->problem.contacts = large->contacts;
  large->problem.links = NULL;
  return find_places(world, begin, large);
}

void large_problem_free(LargeProblem* large) {
  free(large->bodies);
  free(large->contacts);
  free(large->places);
}
