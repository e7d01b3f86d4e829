// thrown.c - scenes of the benches in which things are thrown, hang or lean: see scenes.h.
#include "scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "math/vec.h"

static const double MU = 0.5;

static rgVec3* take_points(Scene* scene, int count) {
  scene->points = calloc((size_t)count, sizeof *scene->points);
  if (!scene->points) {
    fprintf(stderr, "scene %s: not enough memory for %d points\n", scene->name, count);
    abort();
  }
  return scene->points;
}

static rgQuat turn_about(rgVec3 axis, double angle) {
  double s = sin(0.5 * angle);
  return (rgQuat){cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z};
}

void scene_hit(Scene* scene, int rows) {
  const double radius = 1, speed = 20, denser = 2; // [m], [m/s]
  scene_pyramid(scene, rows);
  scene->name = "hit";
  int ball = scene_add_sphere(scene, radius, v3(0, -5, rows / 3.0));
  scene->bodies[ball].shape.density *= denser;
  scene->bodies[ball].def.velocity.linear = v3(0, speed, 0);
}

// --- hulls
// -----------------------------------------------------------------------------------------------

enum { FORMS = 8, FORM_POINTS = 12 };

// Points on an ellipsoid, spread by the golden angle and moved about by a little.
static void make_form(rgVec3* points, unsigned form) {
  const double golden = 2.399963229728653; // [rad]
  rgVec3 half =
      v3(0.25, 0.2 + 0.05 * scene_noise(7 * form), 0.2 + 0.05 * scene_noise(7 * form + 1));
  for (int i = 0; i < FORM_POINTS; ++i) {
    unsigned seed = 1000 * (form + 1) + 2 * (unsigned)i;
    double z = (2 * i + 1.0) / FORM_POINTS - 1, ring = sqrt(1 - z * z);
    double angle = golden * i + 0.3 * scene_noise(seed), size = 0.9 + 0.1 * scene_noise(seed + 1);
    points[i] =
        v3(size * half.x * ring * cos(angle), size * half.y * ring * sin(angle), size * half.z * z);
  }
}

// Twelve slopes of 45 degrees around a level floor.
static void add_bowl(Scene* scene, double radius, double length) {
  enum { SLOPES = 12 };
  const double pi = 3.141592653589793, t = 0.5; // [m] half thickness
  scene_add_block(scene, v3(radius + 2, radius + 2, t), v3(0, 0, -t));
  double width = 1.1 * (radius + length) * tan(pi / SLOPES), c = sqrt(0.5);
  for (int i = 0; i < SLOPES; ++i) {
    double angle = 2 * pi * i / SLOPES;
    rgVec3 out = v3(cos(angle), sin(angle), 0), along = v3(-sin(angle), cos(angle), 0);
    // Its upper face begins at the floor's edge and rises outward.
    double middle = radius + c * (0.5 * length + t), height = c * (0.5 * length - t);
    rgVec3 center = v3_scale(out, middle);
    center.z = height;
    int slope = scene_add_block(scene, v3(0.5 * length, width, t), center);
    scene->bodies[slope].def.pose.orientation =
        quat_mul(turn_about(along, -0.25 * pi), turn_about(v3(0, 0, 1), angle));
  }
}

void scene_hulls(Scene* scene, int count) {
  const int width = 9;
  const double spacing = 0.55; // [m] wider than any of them
  scene_begin(scene, "hulls", MU);
  rgVec3* forms = take_points(scene, FORMS * FORM_POINTS);
  for (unsigned form = 0; form < FORMS; ++form)
    make_form(forms + FORM_POINTS * form, form);
  add_bowl(scene, 2.5, 8);
  for (int i = 0; i < count; ++i) {
    unsigned seed = 5 * (unsigned)i;
    int layer = i / (width * width), row = i / width % width, column = i % width;
    rgShapeDef shape = rg_shape_def(RG_SHAPE_HULL);
    shape.points = forms + FORM_POINTS * (i % FORMS);
    shape.point_count = FORM_POINTS;
    rgVec3 place = v3(column - 0.5 * (width - 1), row - 0.5 * (width - 1), layer + 1);
    int body = scene_add(scene, RG_BODY_DYNAMIC, shape, v3_scale(place, spacing));
    rgVec3 axis =
        v3(scene_noise(seed) - 0.5, scene_noise(seed + 1) - 0.5, 0.1 + scene_noise(seed + 2));
    scene->bodies[body].def.pose.orientation =
        turn_about(v3_scale(axis, 1 / v3_norm(axis)), 6 * scene_noise(seed + 3));
  }
}

// --- chain, arch
// -----------------------------------------------------------------------------------------------

void scene_chain(Scene* scene) {
  enum { LINKS = 6 };
  const double half = 0.5, thick = 0.05; // [m]
  scene_begin(scene, "chain", MU);
  for (int i = 0; i < LINKS; ++i) {
    int link = scene_add_box(scene, v3(half, thick, thick), v3((2 * i + 1) * half, 0, 0));
    scene->joints[scene->joint_count++] = (SceneJoint){link - 1, link, v3(2 * i * half, 0, 0)};
  }
}

void scene_arch(Scene* scene, int count) {
  enum { CORNERS = 8 };
  const double pi = 3.141592653589793, inner = 1, outer = 1.3, half = 0.2; // [m]
  scene_begin(scene, "arch", 0.7);
  rgVec3* points = take_points(scene, CORNERS * count);
  scene_add_block(scene, v3(3, 3, 0.5), v3(0, 0, -0.5));
  for (int i = 0; i < count; ++i) {
    rgVec3* corner = points + CORNERS * i;
    // Angles from both springings, so that the two halves mirror each other.
    for (int k = 0; k < CORNERS; ++k) {
      double angle = pi * (i + (k >> 1 & 1)) / count, radius = k & 1 ? outer : inner;
      corner[k] = v3(radius * cos(angle), k & 4 ? half : -half, radius * sin(angle));
    }
    rgShapeDef shape = rg_shape_def(RG_SHAPE_HULL);
    shape.points = corner;
    shape.point_count = CORNERS;
    shape.density = 2400;
    scene_add(scene, RG_BODY_DYNAMIC, shape, v3_zero());
  }
}
