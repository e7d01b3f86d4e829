// piles.c - the scenes of the benches: many bodies, all placed by fixed rules.
#include "scenes.h"

#include <math.h>

#include "math/vec.h"

static const double BENCH_MU = 0.5;

// Integer hash with full avalanche (xor-shift and multiply), so that neighbours are unrelated.
double scene_noise(unsigned index) {
  uint32_t x = (uint32_t)index * 2654435761u + 374761393u;
  x ^= x >> 16;
  x *= 2246822519u;
  x ^= x >> 13;
  x *= 3266489917u;
  x ^= x >> 16;
  return x / 4294967296.0;
}

// Floor with its top at z = 0 and four walls around the inside |x|, |y| <= half.
static void add_container(Scene* scene, double half, double height) {
  const double t = 0.5; // [m] half thickness: no body passes it in one step
  scene_add_block(scene, v3(half + 2 * t, half + 2 * t, t), v3(0, 0, -t));
  for (int side = -1; side <= 1; side += 2) {
    scene_add_block(scene, v3(t, half + 2 * t, height / 2), v3(side * (half + t), 0, height / 2));
    scene_add_block(scene, v3(half, t, height / 2), v3(0, side * (half + t), height / 2));
  }
}

void scene_pyramid(Scene* scene, int rows) {
  const double half = 0.5; // [m]
  scene_begin(scene, "pyramid", BENCH_MU);
  scene_add_block(scene, v3(rows, rows, 1), v3(0, 0, -1));
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i < rows - row; ++i) {
      double x = (2 * i - (rows - row - 1)) * half;
      scene_add_box(scene, v3(half, half, half), v3(x, 0, half * (2 * row + 1)));
    }
}

// A square lattice of `width` columns each way, filled layer by layer; places are moved about by a
// little less than the room between the largest spheres.
static void add_spheres(Scene* scene, int count, int width, double spacing, double lift) {
  const double smallest = 0.1, largest = 0.15; // [m]
  double room = 0.5 * (spacing - 2 * largest);
  for (int i = 0; i < count; ++i) {
    unsigned seed = 4 * (unsigned)i;
    int layer = i / (width * width), row = i / width % width, column = i % width;
    rgVec3 place = v3(column - 0.5 * (width - 1), row - 0.5 * (width - 1), layer + 0.5);
    rgVec3 shift =
        v3(2 * scene_noise(seed) - 1, 2 * scene_noise(seed + 1) - 1, 2 * scene_noise(seed + 2) - 1);
    rgVec3 center = v3_axpy(v3_scale(place, spacing), room, shift);
    center.z += lift;
    scene_add_sphere(scene, smallest + (largest - smallest) * scene_noise(seed + 3), center);
  }
}

void scene_spheres(Scene* scene, int count) {
  // Seven columns each way fill a container of 2.4 m; 1000 spheres make a heap as deep as it is
  // wide.
  const int width = 7;
  const double spacing = 0.33;
  scene_begin(scene, "spheres", BENCH_MU);
  add_container(scene, 0.5 * 2.4, 12);
  add_spheres(scene, count, width, spacing, 0.1);
}

void scene_settling(Scene* scene, int count) {
  const int width = 5;
  const double radius = 0.1, spacing = 2.3 * radius, mu = 0.3;
  scene_begin(scene, "settling", mu);
  add_container(scene, 0.5 * width * spacing, 6);
  for (int i = 0; i < count; ++i) {
    unsigned seed = 3 * (unsigned)i;
    int layer = i / (width * width), row = i / width % width, column = i % width;
    rgVec3 place = v3(column - 0.5 * (width - 1), row - 0.5 * (width - 1), layer + 1);
    rgVec3 shift =
        v3(2 * scene_noise(seed) - 1, 2 * scene_noise(seed + 1) - 1, 2 * scene_noise(seed + 2) - 1);
    scene_add_sphere(scene, radius, v3_axpy(v3_scale(place, spacing), 0.1 * radius, shift));
  }
}

void scene_sphere_bed(Scene* scene, int count) {
  const int depth = 10; // layers
  const double spacing = 0.31;
  int width = (int)ceil(sqrt((double)count / depth));
  scene_begin(scene, "sphere bed", BENCH_MU);
  add_container(scene, 0.5 * width * spacing, 2 * depth * spacing);
  add_spheres(scene, count, width, spacing, 0);
}

static void add_boxes(Scene* scene, int count, int width, double half, double spacing) {
  double room = 0.4 * (spacing - 2 * half);
  for (int i = 0; i < count; ++i) {
    unsigned seed = 3 * (unsigned)i;
    int layer = i / (width * width), row = i / width % width, column = i % width;
    rgVec3 place = v3(column - 0.5 * (width - 1), row - 0.5 * (width - 1), layer + 0.5);
    rgVec3 shift =
        v3(2 * scene_noise(seed) - 1, 2 * scene_noise(seed + 1) - 1, 2 * scene_noise(seed + 2) - 1);
    scene_add_box(scene, v3(half, half, half), v3_axpy(v3_scale(place, spacing), room, shift));
  }
}

void scene_boxes(Scene* scene, int side) {
  const double half = 0.25, spacing = 0.55; // [m]
  scene_begin(scene, "boxes", BENCH_MU);
  scene_add_block(scene, v3(40, 40, 1), v3(0, 0, -1));
  add_boxes(scene, side * side * side, side, half, spacing);
}

void scene_box_bed(Scene* scene, int count) {
  const int depth = 10; // layers
  const double half = 0.25, spacing = 0.55;
  int width = (int)ceil(sqrt((double)count / depth));
  scene_begin(scene, "box bed", BENCH_MU);
  add_container(scene, 0.5 * width * spacing, 2 * depth * spacing);
  add_boxes(scene, count, width, half, spacing);
}
