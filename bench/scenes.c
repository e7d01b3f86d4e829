// scenes.c - the scenes that engines are compared on, here and in bench/web.
#include "bench.h"

const double BENCH_STEP = 1.0 / 60;

static void build_spheres(Scene* scene) { scene_spheres(scene, 1000); }
static void build_pyramid(Scene* scene) { scene_pyramid(scene, 30); }
static void build_boxes(Scene* scene) { scene_boxes(scene, 20); }

// Masses follow from densities, which every engine is given.
static void build_heavy(Scene* scene) {
  const int light = 10;
  const double ratio = 1000;
  scene_stack(scene, light + 1, 0, ratio);
  for (int i = 1; i < scene->body_count; ++i)
    scene->bodies[i].def.mass = 0;
  scene->bodies[light + 1].shape.density *= ratio;
}

static const BenchScene SCENES[] = {
    {"spheres", "1000 spheres of radius 0.1 to 0.15 m fall into a container", build_spheres, 600,
     150, 10, false},
    {"pyramid", "465 unit boxes in 30 rows", build_pyramid, 1200, 120, 10, true},
    {"boxes", "20 x 20 x 20 boxes of 0.5 m fall in a heap", build_boxes, 180, 30, 30, false},
    {"heavy", "10 unit boxes under one that is 1000 times heavier", build_heavy, 600, 120, 10,
     true},
};

const BenchScene* bench_scene(int index) {
  int count = sizeof SCENES / sizeof *SCENES;
  return index >= 0 && index < count ? &SCENES[index] : NULL;
}
