// scenes.c - the scenes that engines are compared on, here and in bench/web.
#include "bench.h"

const double BENCH_STEP = 1.0 / 60;

static void build_spheres(Scene* scene) { scene_spheres(scene, 1000); }
static void build_pyramid(Scene* scene) { scene_pyramid(scene, 30); }
static void build_hit(Scene* scene) { scene_hit_pyramid(scene, 30); }
static void build_settling_160(Scene* scene) { scene_settling(scene, 160); }
static void build_settling_320(Scene* scene) { scene_settling(scene, 320); }
static void build_boxes(Scene* scene) { scene_boxes(scene, 20); }

static const BenchScene SCENES[] = {
    {"spheres", "1000 spheres of radius 0.1 to 0.15 m fall into a container", build_spheres, 600,
     150, 10, false},
    {"pyramid", "465 unit boxes in 30 rows", build_pyramid, 1200, 120, 10, true},
    {"hit", "the pyramid, hit by a ball of 1 m at 20 m/s", build_hit, 240, 60, 10, false},
    {"settling-160", "160 spheres of radius 0.1 m settle in a box", build_settling_160, 300, 120,
     10, false},
    {"settling-320", "320 spheres of radius 0.1 m settle in a box", build_settling_320, 300, 120,
     10, false},
    {"boxes", "20 x 20 x 20 boxes of 0.5 m fall in a heap", build_boxes, 180, 30, 30, false},
};

const BenchScene* bench_scene(int index) {
  int count = sizeof SCENES / sizeof *SCENES;
  return index >= 0 && index < count ? &SCENES[index] : NULL;
}
