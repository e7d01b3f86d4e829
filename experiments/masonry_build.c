// masonry_build.c - the structures of masonry.h, stone by stone.
#include "experiments/masonry.h"

#include <math.h>
#include <rigor/vec_math.h>

static const double DENSITY = 2400; // [kg/m3] of stone

static bool begin(ExperimentReport* report, const rgOptions* options, double mu, double size,
                  Masonry* out) {
  rgWorldDef def = rg_world_def();
  rgMessage message;
  *out = (Masonry){.size = size};
  def.options = *options;
  if (rg_world_create(&def, &out->world, &message) != RG_OK) {
    experiment_fail(report, "%s", message.text);
    return false;
  }
  rgMaterial material = rg_material_default();
  material.mu = mu;
  rgBodyDef ground = rg_body_def();
  ground.kind = RG_BODY_STATIC;
  rgShapeDef shape = rg_shape_def(RG_SHAPE_HALFSPACE);
  rgBodyId id;
  return experiment_good(report, out->world, rg_world_set_material(out->world, 0, &material)) &&
         experiment_good(report, out->world,
                         rg_world_add_body(out->world, &ground, &shape, 1, &id));
}

static bool add_stone(ExperimentReport* report, Masonry* out, rgVec3 position, rgShapeDef shape) {
  if (out->count == MASONRY_STONES) {
    experiment_fail(report, "more than %d stones", (int)MASONRY_STONES);
    return false;
  }
  rgBodyDef def = rg_body_def();
  def.pose.position = position;
  shape.density = DENSITY;
  rgBodyId* id = &out->stones[out->count];
  if (!experiment_good(report, out->world, rg_world_add_body(out->world, &def, &shape, 1, id)))
    return false;
  out->start[out->count++] = rg_body_center(out->world, *id);
  return true;
}

static bool add_block(ExperimentReport* report, Masonry* out, rgVec3 center, rgVec3 edges) {
  rgShapeDef shape = rg_shape_def(RG_SHAPE_BOX);
  shape.half = rg_vec3_scale(edges, 0.5);
  return add_stone(report, out, center, shape);
}

// What was made, unless it failed.
static bool end(bool good, Masonry* out) {
  if (!good)
    masonry_release(out);
  return good;
}

bool masonry_wall(ExperimentReport* report, const rgOptions* options, double mu, int courses,
                  Masonry* out) {
  enum { LENGTH = 10 };
  const double length = 0.4, side = 0.2; // [m]
  bool good = begin(report, options, mu, side, out);
  for (int course = 0; course < courses && good; ++course) {
    bool shifted = course % 2 == 1;
    double z = side * (course + 0.5);
    for (int i = 0; i < LENGTH + shifted && good; ++i) {
      bool half = shifted && (i == 0 || i == LENGTH);
      double x = length * (shifted ? i : i + 0.5);
      if (half)
        x += i == 0 ? length / 4 : -length / 4;
      good =
          add_block(report, out, rg_vec3(x, 0, z), rg_vec3(half ? length / 2 : length, side, side));
    }
  }
  return end(good, out);
}

bool masonry_arch(ExperimentReport* report, const rgOptions* options, double mu, int voussoirs,
                  double thickness, Masonry* out) {
  const double depth = 0.4; // [m]
  const double radii[2] = {1 - thickness / 2, 1 + thickness / 2};
  bool good = begin(report, options, mu, thickness, out);
  for (int k = 0; k < voussoirs && good; ++k) {
    rgVec3 points[8];
    int count = 0;
    for (int i = 0; i < 8; ++i) {
      double angle = RG_PI * (k + i % 2) / voussoirs, radius = radii[i / 2 % 2];
      double y = i < 4 ? -depth / 2 : depth / 2;
      points[count++] = rg_vec3(radius * rg_cos(angle), y, radius * rg_sin(angle));
    }
    rgShapeDef shape = rg_shape_def(RG_SHAPE_HULL);
    shape.points = points;
    shape.point_count = count;
    good = add_stone(report, out, rg_vec3_zero(), shape);
  }
  return end(good, out);
}

// A floor, its supports standing at the height z; (x, y) are exchanged in every other one.
static bool add_floor(ExperimentReport* report, Masonry* out, double z, bool turned) {
  enum { PLANKS = 5 };
  const double t = out->size, width = 3 * t, length = 15 * t, quarter = length / 6;
  bool good = true;
  for (int i = 0; i < PLANKS && good; ++i) {
    bool middle = i == PLANKS / 2;
    double across = (i - PLANKS / 2) * width;
    const double along[4] = {(t - length) / 2, (length - t) / 2, -quarter, quarter};
    for (int k = 0; k < (middle ? 4 : 2) && good; ++k) {
      rgVec3 at = rg_vec3(along[k], across, z + length / 2), edges = rg_vec3(t, width, length);
      if (turned) {
        at = rg_vec3(at.y, at.x, at.z);
        edges = rg_vec3(edges.y, edges.x, edges.z);
      }
      good = add_block(report, out, at, edges);
    }
    rgVec3 top = rg_vec3(0, across, z + length + t / 2), edges = rg_vec3(length, width, t);
    if (turned) {
      top = rg_vec3(top.y, top.x, top.z);
      edges = rg_vec3(edges.y, edges.x, edges.z);
    }
    good = good && add_block(report, out, top, edges);
  }
  return good;
}

bool masonry_tower(ExperimentReport* report, const rgOptions* options, double mu, Masonry* out) {
  enum { FLOORS = 6 };
  const double thickness = 0.008; // [m]
  bool good = begin(report, options, mu, thickness, out);
  for (int i = 0; i < FLOORS && good; ++i)
    good = add_floor(report, out, 16 * thickness * i, i % 2 == 1);
  return end(good, out);
}

void masonry_release(Masonry* masonry) {
  rg_world_destroy(masonry->world);
  masonry->world = NULL;
}

double masonry_drift(const Masonry* masonry) {
  double drift = 0;
  for (int i = 0; i < masonry->count; ++i)
    drift = fmax(drift, rg_vec3_norm(rg_vec3_sub(rg_body_center(masonry->world, masonry->stones[i]),
                                                 masonry->start[i])));
  return drift;
}
