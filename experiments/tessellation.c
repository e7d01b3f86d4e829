// tessellation.c - see tessellation.h. The corners lie on a spiral that turns by the golden angle from one
// to the next and climbs by equal steps, each of which has the same area of the sphere.
#include "experiments/tessellation.h"
#include <rigor/vec_math.h>

#include <math.h>

static const double golden_angle = 2.39996322972865332; // [rad] pi (3 - sqrt 5)

void tessellate(rgVec3* points, int count, double radius) {
  for (int i = 0; i < count; ++i) {
    double z = -(1 - (2.0 * i + 1) / count), r = sqrt(1 - z * z), angle = golden_angle * i;
    points[i] = rg_vec3(r * cos(angle), r * sin(angle), z);
  }
  // About y, by the angle of the first corner from -z.
  double c = -points[0].z, s = sqrt(1 - c * c);
  for (int i = 0; i < count; ++i) {
    rgVec3 p = points[i];
    points[i] = rg_vec3_scale(rg_vec3(c * p.x + s * p.z, p.y, c * p.z - s * p.x), radius);
  }
}

rgStatus tessellate_body(rgWorld* world, const char* name, int count, double radius,
                         rgVec3* points) {
  rgBodyId old = rg_world_find_body(world, name), made;
  rgBodyDef def = rg_body_def();
  rgShapeDef shape = rg_shape_def(RG_SHAPE_HULL);
  double mass = rg_body_mass(world, old).mass, inertia = 0.4 * mass * radius * radius;
  def.name = name;
  def.mass = mass;
  def.pose = rg_body_pose(world, old);
  def.velocity = rg_body_velocity(world, old);
  def.inertia_given = true; // that of the ball, so that levels differ by their surface alone
  def.inertia = rg_mat3_diag(inertia, inertia, inertia);
  tessellate(points, count, radius);
  shape.points = points;
  shape.point_count = count;
  rgStatus status = rg_world_remove_body(world, old);
  return status == RG_OK ? rg_world_add_body(world, &def, &shape, 1, &made) : status;
}
