// surface_sphere.c - a sphere on one triangle of a surface, in closed form.
//
// The nearest point of the triangle to the centre decides: inside the face the normal is the face
// normal; on an edge or at a corner it points to the centre and counts only when the surface allows
// it (surface.h). Behind the plane, a centre less than the radius deep is pushed out along the face
// normal if it is under the triangle, or behind a hollow edge of it.
#include "collide/surface/surface.h"
#include "shape/smooth/foot.h"

typedef struct Nearest {
  rgVec3 point;
  int part; // -1 face, 0..2 edge
} Nearest;

static Nearest nearest_on_triangle(const rgTriangle* t, rgVec3 x, double height) {
  Nearest nearest = {v3_axpy(x, -height, t->normal), -1};
  double best = HUGE_VAL;
  for (int i = 0; i < 3; i++) {
    rgVec3 p = t->corner[i], q = t->corner[i == 2 ? 0 : i + 1];
    if (v3_dot(v3_cross(v3_sub(q, p), t->normal), v3_sub(x, p)) <= 0)
      continue;
    double s;
    rgVec3 candidate = rg_foot_on_segment(p, q, x, &s);
    double distance2 = v3_norm2(v3_sub(x, candidate));
    if (distance2 < best) {
      best = distance2;
      nearest = (Nearest){candidate, i};
    }
  }
  return nearest;
}

static bool behind_hollow_edge(const rgTriangle* t, int edge) {
  rgVec3 outward =
      v3_cross(v3_sub(t->corner[edge == 2 ? 0 : edge + 1], t->corner[edge]), t->normal);
  return v3_dot(t->neighbour_normal[edge], outward) < 0;
}

void rg_surface_sphere(void* context, int index) {
  rgSurfaceJob* job = context;
  rgTriangle t;
  rg_shape_triangle(job->surface, index, &t);
  rgVec3 x = job->pose.position;
  double r = job->shape->radius, height = v3_dot(t.normal, v3_sub(x, t.corner[0]));
  if (height - r > job->reach || height < -r)
    return;
  Nearest nearest = nearest_on_triangle(&t, x, height);
  rgVec3 n = t.normal;
  double distance = height;
  if (nearest.part >= 0 && height <= 0) {
    if (!behind_hollow_edge(&t, nearest.part))
      return;
    nearest.point = v3_axpy(x, -height, n);
  } else if (nearest.part >= 0) {
    rgVec3 d = v3_sub(x, nearest.point);
    distance = v3_norm(d);
    if (distance - r > job->reach)
      return;
    n = v3_scale(d, 1 / distance); // at least `height`, which is positive
    if (!rg_surface_allows(job->surface, &t, nearest.point, n))
      return;
  }
  rgManifoldPoint point = {v3_axpy(x, -r, n), nearest.point, distance - r, 0};
  rg_surface_add(job, n, &point, point.gap <= job->reach);
}
