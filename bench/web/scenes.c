// scenes.c - the bench's scenes and its measure of overlap for JavaScript (scenes.wasm).
//
// They are those of the C bench, compiled for the web, so that both benches compare the same things
// and judge them in the same way. An open scene is an address; its arrays are doubles in the memory
// of the module.
#include "bench/bench.h"

#include <stdlib.h>

#define EXPORT(name) __attribute__((export_name(#name)))

enum { BODY = 20, POSE = 7, RESULT = 3 }; // numbers of a body, of a pose, of a measurement

typedef struct Held {
  Scene scene;
  double* numbers; // BODY for every body; poses are brought in the same place
  rgPose* poses;
  double result[RESULT];
} Held;

const char* bench_scene_name(int index);
const char* bench_scene_summary(int index);
int bench_scene_steps(int index, int quick);
int bench_scene_measure_every(int index);
int bench_scene_built(int index);
double bench_scene_step(void);
Held* bench_scene_open(int index);
void bench_scene_close(Held* held);
int bench_scene_count(const Held* held);
double bench_scene_gravity(const Held* held, int axis);
double bench_scene_mu(const Held* held);
const double* bench_scene_bodies(Held* held);
double* bench_scene_poses(Held* held);
const double* bench_scene_measure(Held* held);

// --- the table -----------------------------------------------------------------------------------

EXPORT(bench_scene_name) const char* bench_scene_name(int index) {
  const BenchScene* scene = bench_scene(index);
  return scene ? scene->name : NULL; // NULL past the end
}
EXPORT(bench_scene_summary) const char* bench_scene_summary(int index) {
  return bench_scene(index)->summary;
}
EXPORT(bench_scene_steps) int bench_scene_steps(int index, int quick) {
  const BenchScene* scene = bench_scene(index);
  return quick ? scene->quick_steps : scene->steps;
}
EXPORT(bench_scene_measure_every) int bench_scene_measure_every(int index) {
  return bench_scene(index)->measure_every;
}
EXPORT(bench_scene_built) int bench_scene_built(int index) { return bench_scene(index)->built; }
EXPORT(bench_scene_step) double bench_scene_step(void) { return BENCH_STEP; }

// --- an open scene -------------------------------------------------------------------------------

EXPORT(bench_scene_close) void bench_scene_close(Held* held) {
  scene_end(&held->scene);
  free(held->numbers);
  free(held->poses);
  free(held);
}

EXPORT(bench_scene_open) Held* bench_scene_open(int index) {
  Held* held = calloc(1, sizeof *held);
  if (!held)
    return NULL;
  bench_scene(index)->build(&held->scene);
  size_t count = (size_t)held->scene.body_count;
  held->numbers = calloc(count, BODY * sizeof *held->numbers);
  held->poses = calloc(count, sizeof *held->poses);
  if (held->numbers && held->poses)
    return held;
  bench_scene_close(held);
  return NULL;
}

EXPORT(bench_scene_count) int bench_scene_count(const Held* held) { return held->scene.body_count; }
EXPORT(bench_scene_gravity) double bench_scene_gravity(const Held* held, int axis) {
  const rgVec3* gravity = &held->scene.gravity;
  return axis == 0 ? gravity->x : axis == 1 ? gravity->y : gravity->z;
}
EXPORT(bench_scene_mu) double bench_scene_mu(const Held* held) {
  return held->scene.materials[0].mu;
}

static double* put(double* out, rgVec3 v) {
  *out++ = v.x, *out++ = v.y, *out++ = v.z;
  return out;
}

// Of every body: 1 when it moves, 1 when it is a sphere (else a box), position, orientation w x y
// z, linear and angular velocity, half extents, radius, density.
EXPORT(bench_scene_bodies) const double* bench_scene_bodies(Held* held) {
  double* out = held->numbers;
  for (int i = 0; i < held->scene.body_count; ++i) {
    const SceneBody* body = &held->scene.bodies[i];
    const rgQuat* q = &body->def.pose.orientation;
    *out++ = body->def.kind == RG_BODY_DYNAMIC;
    *out++ = body->shape.kind == RG_SHAPE_SPHERE;
    out = put(out, body->def.pose.position);
    *out++ = q->w;
    out = put(out, (rgVec3){q->x, q->y, q->z});
    out = put(put(out, body->def.velocity.linear), body->def.velocity.angular);
    out = put(out, body->shape.half);
    *out++ = body->shape.radius;
    *out++ = body->shape.density;
  }
  return held->numbers;
}

// Room for the poses that JavaScript brings, position and w x y z of every body, and what the
// bench measures of them: largest overlap [m], largest relative one, largest displacement [m].
EXPORT(bench_scene_poses) double* bench_scene_poses(Held* held) { return held->numbers; }
EXPORT(bench_scene_measure) const double* bench_scene_measure(Held* held) {
  for (int i = 0; i < held->scene.body_count; ++i) {
    const double* p = held->numbers + (size_t)POSE * (size_t)i;
    held->poses[i] = (rgPose){{p[0], p[1], p[2]}, {p[3], p[4], p[5], p[6]}};
  }
  Overlap overlap = overlap_of(&held->scene, held->poses);
  held->result[0] = overlap.depth;
  held->result[1] = overlap.relative;
  held->result[2] = overlap_displacement(&held->scene, held->poses);
  return held->result;
}
