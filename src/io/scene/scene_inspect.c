// scene_inspect.c - what is suspicious about a scene though it is legal.
//
// The world is built and looked at before its first step. Each remark says where and what, and what
// would help. Limits are ratios, never lengths or masses of their own.
#include "io/scene/scene_types.h"

#include "base/memory.h"
#include "math/trig.h"
#include "world/world.h"

#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double overlap_limit = 1e-6;   // of the half-width of the smaller shape
static const double touching_limit = 1e-3;  // gap of what counts as touching, likewise
static const double mass_ratio_limit = 1e3; // above it, solvers that iterate slow down
static const double turn_limit = 0.5;       // [rad] in one step: beyond it a spin lags by 2 %
static const double damping_limit = 0.1;    // of a spin's wobble, over the time of the scene
static const double digits_limit = 1e-9;    // of the half-width: rounding of a position
enum { OVERLAPS_SHOWN = 5 };

typedef struct Inspector {
  const rgScene* scene;
  rgWorld* world;
  rgSceneRemark* remark;
  void* context;
  rgAllocator allocator;
} Inspector;

// -------------------------------------------------------------------------------------------------
// Names
// -------------------------------------------------------------------------------------------------

typedef struct Place {
  char text[128];
} Place;

// "bodies[3] (box[7])": indices of a fresh world are the scene's bodies, copies counted.
static Place place_of_index(const Inspector* in, int index) {
  int low = 0, high = in->scene->bodies.count;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (rg_scene_body(in->scene, middle)->first <= index)
      low = middle;
    else
      high = middle;
  }
  const rgSceneBody* body = rg_scene_body(in->scene, low);
  int copy = index - body->first;
  Place place;
  if (body->name) {
    char name[RG_SCENE_NAME_MAX + 16];
    rg_scene_copy_name(body, copy, name, sizeof name);
    snprintf(place.text, sizeof place.text, "bodies[%d] (%s)", low, name);
  } else if (body->copies > 1) {
    snprintf(place.text, sizeof place.text, "bodies[%d] (copy %d)", low, copy);
  } else {
    snprintf(place.text, sizeof place.text, "bodies[%d]", low);
  }
  return place;
}

static Place place_of(const Inspector* in, int slot) {
  return place_of_index(in, in->world->bodies[slot].index);
}

static void remark(const Inspector* in, const char* place, const char* format, ...) RG_PRINTF(3, 4);
static void remark(const Inspector* in, const char* place, const char* format, ...) {
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  in->remark(in->context, place, text);
}

// -------------------------------------------------------------------------------------------------
// Bodies and materials
// -------------------------------------------------------------------------------------------------

static void inspect_kinds(const Inspector* in) {
  bool dynamic = false;
  for (int i = 0; i < in->scene->bodies.count; i++) {
    const rgSceneBody* body = rg_scene_body(in->scene, i);
    dynamic = dynamic || body->kind == RG_BODY_DYNAMIC;
    if (body->kind != RG_BODY_DYNAMIC || body->shapes.count > 0 || body->massless)
      continue;
    remark(in, place_of_index(in, body->first).text, "has no shapes: nothing can touch it");
  }
  if (!dynamic)
    remark(in, "bodies", "no body is dynamic: forces and contacts will move nothing");
}

static bool shape_has_friction(const rgScene* scene, const rgSceneShape* shape) {
  int index = shape->material;
  if (index < 0)
    index = rg_names_find(&scene->material_names, "default", strlen("default"));
  return (index < 0 ? rg_material_default().mu : rg_scene_material(scene, index)->material.mu) > 0;
}

static void inspect_materials(const Inspector* in) {
  const rgScene* scene = in->scene;
  bool friction = false;
  int shape_count = 0;
  for (int i = 0; i < scene->bodies.count; i++) {
    const rgList* shapes = &rg_scene_body(scene, i)->shapes;
    shape_count += shapes->count;
    for (int j = 0; j < shapes->count; j++)
      friction = friction || shape_has_friction(scene, (const rgSceneShape*)shapes->items + j);
  }
  const rgScenePair* pairs = scene->pairs.items;
  for (int i = 0; i < scene->pairs.count; i++)
    friction = friction || (rg_schema_given(&rg_scene_pair_object, &pairs[i], "mu") &&
                            pairs[i].material.mu > 0);
  if (strcmp(scene->options.cone, "frictionless") == 0)
    remark(in, "options",
           "cone is \"frictionless\": no contact has friction, whatever the materials say");
  else if (shape_count > 0 && !friction)
    remark(in, "materials", "mu is 0 everywhere: no contact has friction");

  for (int i = 0; i < scene->materials.count; i++) {
    const rgSceneMaterial* material = rg_scene_material(scene, i);
    char place[64];
    snprintf(place, sizeof place, "materials[%d]", i);
    if (!material->used && strcmp(material->name, "default") != 0)
      remark(in, place, "\"%s\" is not used by any shape or pair", material->name);
  }
}

// -------------------------------------------------------------------------------------------------
// Contacts at the start
// -------------------------------------------------------------------------------------------------

// Deepest contact of a pair of bodies.
typedef struct Overlap {
  int a, b;
  double depth, size; // [m]
} Overlap;

// Deepest relative overlap first; the bodies decide between equals.
static int compare_overlaps(const void* left, const void* right) {
  const Overlap *x = left, *y = right;
  double p = x->depth / x->size, q = y->depth / y->size;
  if (p != q)
    return p > q ? -1 : 1;
  return x->a != y->a ? (x->a < y->a ? -1 : 1) : (x->b > y->b) - (x->b < y->b);
}

static double smaller_size(const rgWorld* world, const rgWorldContact* contact) {
  double a = world->shapes[contact->shape_a].shape->size,
         b = world->shapes[contact->shape_b].shape->size;
  return a < b ? a : b;
}

// One entry per pair of bodies that overlap; contacts of a pair of shapes follow each other.
static int collect_overlaps(const Inspector* in, Overlap* overlaps) {
  const rgWorld* world = in->world;
  int count = 0;
  for (int i = 0; i < world->contact_count; i++) {
    const rgWorldContact* contact = &world->contacts[i];
    double size = smaller_size(world, contact), depth = -contact->gap;
    if (!(depth > overlap_limit * size))
      continue;
    Overlap* last = count > 0 ? &overlaps[count - 1] : NULL;
    if (last && last->a == contact->body_a && last->b == contact->body_b) {
      last->depth = depth > last->depth ? depth : last->depth;
      continue;
    }
    overlaps[count++] = (Overlap){contact->body_a, contact->body_b, depth, size};
  }
  qsort(overlaps, (size_t)count, sizeof *overlaps, compare_overlaps);
  return count;
}

static rgStatus inspect_overlaps(const Inspector* in) {
  size_t size = (size_t)in->world->contact_count * sizeof(Overlap);
  Overlap* overlaps = rg_allocate(&in->allocator, size);
  if (!overlaps)
    return RG_ERROR_MEMORY;
  int count = collect_overlaps(in, overlaps);
  for (int i = 0; i < count && i < OVERLAPS_SHOWN; i++) {
    Place a = place_of(in, overlaps[i].a), b = place_of(in, overlaps[i].b);
    remark(in, a.text,
           "penetrates %s by %.3g m in the initial state, %.2g %% of the smaller half-width",
           b.text, overlaps[i].depth, 100 * overlaps[i].depth / overlaps[i].size);
  }
  if (count > OVERLAPS_SHOWN)
    remark(in, "bodies", "%d more pairs penetrate in the initial state", count - OVERLAPS_SHOWN);
  rg_release(&in->allocator, overlaps, size);
  return RG_OK;
}

static void inspect_mass_ratios(const Inspector* in) {
  const rgWorld* world = in->world;
  double worst = mass_ratio_limit;
  int heavy = -1, light = -1;
  for (int i = 0; i < world->contact_count; i++) {
    const rgWorldContact* contact = &world->contacts[i];
    const rgBody *a = &world->bodies[contact->body_a], *b = &world->bodies[contact->body_b];
    bool both = a->kind == RG_BODY_DYNAMIC && b->kind == RG_BODY_DYNAMIC;
    if (!both || a->massless || b->massless ||
        contact->gap > touching_limit * smaller_size(world, contact))
      continue;
    double ratio = a->mass > b->mass ? a->mass / b->mass : b->mass / a->mass;
    if (ratio > worst) {
      worst = ratio;
      heavy = a->mass > b->mass ? contact->body_a : contact->body_b;
      light = a->mass > b->mass ? contact->body_b : contact->body_a;
    }
  }
  if (heavy >= 0) {
    remark(in, place_of(in, heavy).text,
           "is %.3g times as heavy as %s, which it touches: expect many iterations", worst,
           place_of(in, light).text);
    return;
  }
  for (int i = 0; i < world->body_slots; i++) {
    if (world->bodies[i].kind != RG_BODY_DYNAMIC || world->bodies[i].massless)
      continue;
    heavy = heavy < 0 || world->bodies[i].mass > world->bodies[heavy].mass ? i : heavy;
    light = light < 0 || world->bodies[i].mass < world->bodies[light].mass ? i : light;
  }
  if (heavy < 0 || world->bodies[heavy].mass <= mass_ratio_limit * world->bodies[light].mass)
    return;
  remark(in, place_of(in, heavy).text,
         "is %.3g times as heavy as %s: expect many iterations when they touch",
         world->bodies[heavy].mass / world->bodies[light].mass, place_of(in, light).text);
}

// -------------------------------------------------------------------------------------------------
// Step and digits
// -------------------------------------------------------------------------------------------------

// Smallest half-width of a body's shapes; infinite when it has none.
static double body_size(const rgWorld* world, int slot) {
  double size = HUGE_VAL;
  for (int s = world->bodies[slot].first_shape; s >= 0; s = world->shapes[s].next)
    size = world->shapes[s].shape->size < size ? world->shapes[s].shape->size : size;
  return size;
}

static void inspect_step(const Inspector* in) {
  const rgWorld* world = in->world;
  double h = world->options.step, g = v3_norm(world->options.gravity);
  double worst = 1;
  int mover = -1;
  for (int i = 0; i < world->body_slots; i++) {
    const rgBody* body = &world->bodies[i];
    if (body->kind != RG_BODY_DYNAMIC)
      continue;
    double distance = (v3_norm(body->velocity.linear) + g * h) * h / body_size(world, i);
    if (distance > worst) {
      worst = distance;
      mover = i;
    }
  }
  if (mover >= 0)
    remark(in, place_of(in, mover).text,
           "moves %.3g times its half-width in one step of %g s; a step of %.1g s would be safe",
           worst, h, h / worst / 2);
}

// -------------------------------------------------------------------------------------------------
// Spin
// -------------------------------------------------------------------------------------------------
//
// A step turns a body by the Cayley map of h w, through 2 atan(h |w| / 2) instead of h |w|: a spin
// lags by 1 - 2 atan(x / 2) / x of its turn, x = h |w|, and by nothing else in flight, where energy
// and momentum are kept (fill/free_motion.c). |w| changes while a body tumbles. Free of torque,
// 2 E = sum J_i w_i^2 and L^2 = sum J_i^2 w_i^2 are constant, and the largest |w|^2 = sum w_i^2 is
// that of a linear problem in w_i^2 >= 0: it is taken where one of the three vanishes.
//
// What is near others or on a ball joint turns with the theta of the step instead, and its rotation
// loses (theta - 1/2) |W+ - W|_J^2 per step. About the axis 3 of the smallest moment that makes a
// wobble grow: at the same momentum, 2 E = L^2 / J3 - sum J_i (J_i - J3) w_i^2 / J3 over the axes 1
// and 2, and with Euler's equations for W' the mean loss over a wobble gives the rate
//
//     (theta - 1/2) h w3^2 J3 (J1 + J2 - 2 J3) / (2 J1 J2).

// The largest |w| that the body reaches if nothing acts on it.
static double largest_spin(const rgBody* body, rgVec3 spin) {
  const double j[3] = {body->principal.x, body->principal.y, body->principal.z};
  const double w[3] = {spin.x, spin.y, spin.z};
  double largest = v3_norm2(spin), energy = 0, momentum = 0;
  for (int i = 0; i < 3; i++) {
    energy += j[i] * w[i] * w[i];
    momentum += j[i] * j[i] * w[i] * w[i];
  }
  for (int i = 0; i < 3 && !body->isotropic; i++) {
    double a = j[(i + 1) % 3], b = j[(i + 2) % 3];
    double first = (momentum - b * energy) / (a * (a - b)),
           second = (momentum - a * energy) / (b * (b - a));
    if (a != b && first >= 0 && second >= 0)
      largest = fmax(largest, first + second);
  }
  return sqrt(largest);
}

// [1/s2] growth of a wobble about the axis of the smallest moment, over (theta - 1/2) h.
static double wobble_growth(const rgBody* body, rgVec3 spin) {
  const double j[3] = {body->principal.x, body->principal.y, body->principal.z};
  const double w[3] = {spin.x, spin.y, spin.z};
  int axis = j[1] < j[0] ? 1 : 0;
  axis = j[2] < j[axis] ? 2 : axis;
  double least = j[axis], a = j[(axis + 1) % 3], b = j[(axis + 2) % 3];
  return w[axis] * w[axis] * least * (a + b - 2 * least) / (2 * a * b);
}

static rgVec3 spin_of(const rgBody* body) {
  return quat_unrotate_exactly(quat_mul(body->orientation, body->principal_axes),
                               body->velocity.angular);
}

// Of bodies that are near others or on a ball joint, the one whose wobble grows most; -1 when none does.
static int find_damped(const rgWorld* world, double* growth) {
  int worst = -1;
  for (int i = 0; i < world->contact_count + world->joint_slots; i++) {
    bool contact = i < world->contact_count;
    const rgJoint* joint = contact ? NULL : &world->joints[i - world->contact_count];
    if (joint && !(joint->alive && joint->def.kind == RG_JOINT_BALL))
      continue; // others leave no wobble
    for (int side = 0; side < 2; side++) {
      int slot = contact ? (side ? world->contacts[i].body_b : world->contacts[i].body_a)
                         : (side ? joint->body_b : joint->body_a);
      const rgBody* body = slot < 0 ? NULL : &world->bodies[slot];
      if (!body || body->kind != RG_BODY_DYNAMIC || body->isotropic || body->rotation_locked)
        continue;
      double rate = wobble_growth(body, spin_of(body));
      if (rate > *growth) {
        *growth = rate;
        worst = slot;
      }
    }
  }
  return worst;
}

static void inspect_damping(const Inspector* in) {
  const rgOptions* options = &in->world->options;
  bool theta = strcmp(options->stepper, "theta") == 0 ||
               strcmp(options->stepper, "implicit-geometry") == 0 ||
               strcmp(options->stepper, "auto") == 0,
       gauss = strcmp(options->stepper, "gauss") == 0;
  double damping = (theta ? options->theta : 1) - 0.5, growth = 0;
  int slot = find_damped(in->world, &growth);
  double rate = damping * options->step * growth;
  if (gauss || slot < 0 || !(rate * in->scene->time > damping_limit))
    return;
  remark(in, place_of(in, slot).text,
         "spins about the axis of its smallest moment, and not in flight: "
         "%s damps rotation there, so that its wobble grows by the factor e in %.2g s; the stepper "
         "theta with theta = 0.5 does not",
         theta ? "theta > 0.5" : options->stepper, 1 / rate);
}

static void inspect_spin(const Inspector* in) {
  const rgWorld* world = in->world;
  double h = world->options.step, fastest = turn_limit;
  int spinner = -1;
  if (strcmp(world->options.stepper, "first-order") == 0)
    return; // velocities do not persist
  for (int i = 0; i < world->body_slots; i++) {
    const rgBody* body = &world->bodies[i];
    if (body->kind != RG_BODY_DYNAMIC || body->rotation_locked)
      continue;
    double angle = h * largest_spin(body, spin_of(body));
    if (angle > fastest) {
      fastest = angle;
      spinner = i;
    }
  }
  if (spinner >= 0) {
    double wanted = turn_limit / 2, turned = 2 * rg_atan2(0.5 * fastest, 1);
    // Two digits add up to 5 %; less 5 %, rounding never makes the advice longer than it should be.
    remark(in, place_of(in, spinner).text,
           "turns by up to %.3g degrees in one step of %g s and lags by %.2g %% of that; in steps "
           "of %.2g s it would lag by less than %.2g %%",
           fastest * 180 / 3.14159265358979, h, 100 * (1 - turned / fastest),
           0.95 * h * wanted / fastest, 100 * wanted * wanted / 12);
  }
  inspect_damping(in);
}

static void inspect_distances(const Inspector* in) {
  const rgWorld* world = in->world;
  double worst = digits_limit;
  int far = -1;
  for (int i = 0; i < world->body_slots; i++) {
    if (world->bodies[i].kind != RG_BODY_DYNAMIC)
      continue;
    double rounding = v3_norm(world->bodies[i].position) * DBL_EPSILON / body_size(world, i);
    if (rounding > worst) {
      worst = rounding;
      far = i;
    }
  }
  if (far >= 0)
    remark(in, place_of(in, far).text,
           "is %.3g m away from the origin: positions there are rounded to %.1g of its half-width; "
           "move the scene closer",
           v3_norm(world->bodies[far].position), worst);
}

// A massless body is in balance between joints on two sides. One that has fewer is held by nothing, and
// holds nothing: what hangs on it alone is as free as if it were not there.
static rgStatus inspect_massless(const Inspector* in) {
  const rgWorld* world = in->world;
  size_t size = (size_t)world->body_slots * sizeof(int);
  int* joints = rg_allocate(&in->allocator, size); // that hold each body; -1: not held itself
  if (!joints)
    return RG_ERROR_MEMORY;
  memset(joints, 0, size);
  int before, loose = 0, first = -1;
  do {
    before = loose;
    for (int i = 0; i < world->body_slots; i++)
      joints[i] = joints[i] < 0 ? -1 : 0;
    for (int i = 0; i < world->joint_slots; i++) {
      const rgJoint* joint = &world->joints[i];
      int a = joint->body_a, b = joint->body_b;
      if (!joint->alive || (a >= 0 && joints[a] < 0) || (b >= 0 && joints[b] < 0))
        continue;
      if (a >= 0)
        joints[a]++;
      if (b >= 0)
        joints[b]++;
    }
    for (int i = 0; i < world->body_slots; i++)
      if (world->bodies[i].massless && (joints[i] == 0 || joints[i] == 1)) {
        joints[i] = -1;
        first = first < 0 || world->bodies[i].index < world->bodies[first].index ? i : first;
        loose++;
      }
  } while (loose > before);
  rg_release(&in->allocator, joints, size);
  if (loose > 0)
    remark(in, place_of(in, first).text,
           "has no mass and is not between joints%s: give it a mass, or joints to what has mass on "
           "both sides",
           loose > 1 ? ", as others" : "");
  return RG_OK;
}

// Rows that say what others say already: a first step finds them. The world is not looked at
// afterwards.
static void inspect_joints(const Inspector* in) {
  if (rg_world_joint_count(in->world) == 0 || rg_world_step(in->world, NULL) != RG_OK)
    return;
  int redundant = rg_world_counts(in->world).redundant;
  if (redundant > 0)
    remark(in, "joints",
           "%d of their constraints follow from the others: the motion is the same, but how the "
           "reactions share the load is not unique; a closed loop in a plane needs less than a "
           "hinge at every corner",
           redundant);
}

rgStatus rg_scene_inspect(const rgScene* scene, rgSceneRemark* report, void* context,
                          rgMessage* message) {
  Inspector in = {scene, NULL, report, context, rg_allocator_default()};
  rgStatus status = rg_scene_build(scene, NULL, &in.world, message);
  if (status != RG_OK)
    return status;
  const char *place, *text;
  for (int i = 0; rg_scene_note(scene, i, &place, &text); i++)
    report(context, place, text);
  inspect_kinds(&in);
  inspect_materials(&in);
  status = rg_world_detect(in.world, scene->options.step);
  if (status == RG_OK)
    status = inspect_overlaps(&in);
  if (status == RG_OK)
    status = inspect_massless(&in);
  if (status == RG_OK) {
    inspect_mass_ratios(&in);
    inspect_step(&in);
    inspect_spin(&in);
    inspect_distances(&in);
    inspect_joints(&in);
  } else {
    rg_fail(message, status, "%s: not enough memory to look at its contacts", scene->file_name);
  }
  rg_world_destroy(in.world);
  return status;
}
