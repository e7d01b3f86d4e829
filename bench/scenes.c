// scenes.c - the scenes that engines are compared on, here and in bench/web.
#include "bench.h"

const double BENCH_STEP = 1.0 / 60;

static void build_spheres(Scene* scene) { scene_spheres(scene, 1000); }
static void build_pyramid(Scene* scene) { scene_pyramid(scene, 30); }
static void build_boxes(Scene* scene) { scene_boxes(scene, 20); }
#ifndef __wasm__
static void build_hit(Scene* scene) { scene_hit(scene, 30); }
static void build_hulls(Scene* scene) { scene_hulls(scene, 1000); }
static void build_arch(Scene* scene) { scene_arch(scene, 11); }
static void build_settling_160(Scene* scene) { scene_settling(scene, 160); }
static void build_settling_320(Scene* scene) { scene_settling(scene, 320); }

// Masses follow from densities, which every engine is given.
static void build_heavy(Scene* scene) {
  const int light = 10;
  const double ratio = 1000;
  scene_stack(scene, light + 1, 0, ratio);
  for (int i = 1; i < scene->body_count; ++i)
    scene->bodies[i].def.mass = 0;
  scene->bodies[light + 1].shape.density *= ratio;
}
#endif

static const BenchScene SCENES[] = {
    {.name = "spheres",
     .summary = "1000 spheres of radius 0.1 to 0.15 m fall into a container",
     .build = build_spheres,
     .steps = 600,
     .quick_steps = 150,
     .measure_every = 10,
     .goal = 0.40},
    {.name = "pyramid",
     .summary = "465 unit boxes in 30 rows",
     .build = build_pyramid,
     .steps = 1200,
     .quick_steps = 120,
     .measure_every = 10,
     .built = true,
     .goal = 0.30},
    {.name = "boxes",
     .summary = "20 x 20 x 20 boxes of 0.5 m fall in a heap",
     .build = build_boxes,
     .steps = 180,
     .quick_steps = 30,
     .measure_every = 30,
     .goal = 0.30},
#ifndef __wasm__ // what the peers of bench/web are not told of: hulls, joints, other steps
    {.name = "hit",
     .summary = "the pyramid hit by a ball of 2 m at 20 m/s",
     .build = build_hit,
     .steps = 300,
     .quick_steps = 60,
     .measure_every = 10,
     .goal = 0.80},
    {.name = "hulls",
     .summary = "1000 hulls of 12 points fall into a bowl",
     .build = build_hulls,
     .steps = 300,
     .quick_steps = 60,
     .measure_every = 30,
     .goal = 0.15},
    {.name = "chain",
     .summary = "6 rods on ball joints fall from a level line",
     .build = scene_chain,
     .steps = 4000,
     .quick_steps = 1000,
     .measure_every = 10,
     .goal = 1.0,
     .step = 1e-3},
    {.name = "arch",
     .summary = "11 voussoirs",
     .build = build_arch,
     .steps = 1200,
     .quick_steps = 300,
     .measure_every = 10,
     .built = true,
     .goal = 0.35},
    {.name = "settling-160",
     .summary = "160 spheres of radius 0.1 m settle in a box",
     .build = build_settling_160,
     .steps = 300,
     .quick_steps = 120,
     .measure_every = 10},
    {.name = "settling-320",
     .summary = "320 spheres of radius 0.1 m settle in a box",
     .build = build_settling_320,
     .steps = 300,
     .quick_steps = 120,
     .measure_every = 10},
    {.name = "heavy",
     .summary = "10 unit boxes under one that is 1000 times heavier",
     .build = build_heavy,
     .steps = 600,
     .quick_steps = 120,
     .measure_every = 10,
     .built = true},
#endif
};

const BenchScene* bench_scene(int index) {
  int count = sizeof SCENES / sizeof *SCENES;
  return index >= 0 && index < count ? &SCENES[index] : NULL;
}

double bench_step(const BenchScene* scene) { return scene->step > 0 ? scene->step : BENCH_STEP; }
