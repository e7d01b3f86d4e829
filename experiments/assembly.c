// assembly.c - assemblies at rest under gravity; see assembly.h.
#include "experiments/assembly.h"

#include <string.h>

static rgQuat turned(rgVec3 axis, double angle) {
  double s = rg_sin(0.5 * angle);
  return (rgQuat){rg_cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z};
}

static rgMat3 matrix_of(rgQuat q) {
  rgVec3 x = rg_quat_rotate(q, rg_vec3(1, 0, 0)), y = rg_quat_rotate(q, rg_vec3(0, 1, 0)),
         z = rg_quat_rotate(q, rg_vec3(0, 0, 1));
  return (rgMat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}

void assembly_begin(Assembly* assembly) {
  memset(assembly, 0, sizeof *assembly);
  assembly->problem.dimension = 3;
  assembly->problem.bodies = assembly->bodies;
  assembly->problem.contacts = assembly->contacts;
}

int assembly_box(Assembly* assembly, rgVec3 center, rgVec3 edges, double mass, rgQuat orientation) {
  int index = assembly->problem.body_count++;
  rgVec3 square = rg_vec3_mul(edges, edges);
  rgVec3 moments = rg_vec3_scale(
      rg_vec3(square.y + square.z, square.x + square.z, square.x + square.y), mass / 12);
  rgMat3 turn = matrix_of(orientation), back = rg_mat3_transpose(&turn);
  rgMat3 diagonal = rg_mat3_diag(moments.x, moments.y, moments.z);
  rgMat3 inverse = rg_mat3_diag(1 / moments.x, 1 / moments.y, 1 / moments.z);
  diagonal = rg_mat3_mul(&turn, &diagonal);
  inverse = rg_mat3_mul(&turn, &inverse);
  assembly->inertias[index] = rg_mat3_mul(&diagonal, &back);
  assembly->bodies[index] =
      (rgProblemBody){.inverse_mass = 1 / mass,
                      .inverse_inertia = rg_mat3_mul(&inverse, &back),
                      .v_free = {rg_vec3(0, 0, -assembly_gravity), rg_vec3_zero()}};
  assembly->centers[index] = center;
  assembly->masses[index] = mass;
  return index;
}

void assembly_contact(Assembly* assembly, int a, int b, rgVec3 point, rgVec3 normal) {
  rgProblemContact* contact = &assembly->contacts[assembly->problem.contact_count++];
  *contact =
      (rgProblemContact){.body_a = a, .body_b = b, .n = normal, .cone = RG_CONE_FRICTIONLESS};
  rg_vec3_frame(normal, &contact->t, &contact->o);
  if (a >= 0)
    contact->arm_a = rg_vec3_sub(point, assembly->centers[a]);
  if (b >= 0)
    contact->arm_b = rg_vec3_sub(point, assembly->centers[b]);
}

void assembly_face(Assembly* assembly, int a, int b, rgVec3 lower, rgVec3 upper) {
  rgVec3 up = rg_vec3(0, 0, 1);
  assembly_contact(assembly, a, b, lower, up);
  assembly_contact(assembly, a, b, rg_vec3(upper.x, lower.y, lower.z), up);
  assembly_contact(assembly, a, b, rg_vec3(upper.x, upper.y, lower.z), up);
  assembly_contact(assembly, a, b, rg_vec3(lower.x, upper.y, lower.z), up);
  assembly_contact(assembly, a, b,
                   rg_vec3(0.5 * (lower.x + upper.x), 0.5 * (lower.y + upper.y), lower.z), up);
}

void assembly_corner(Assembly* assembly) {
  assembly_begin(assembly);
  int block =
      assembly_box(assembly, rg_vec3(0.5, 0.5, 0.5), rg_vec3(1, 1, 1), 3, rg_quat_identity());
  assembly_face(assembly, block, -1, rg_vec3(0, 0, 0), rg_vec3(1, 1, 0));
  for (int i = 0; i < 4; i++) {
    double s = i % 2, t = i / 2;
    assembly_contact(assembly, block, -1, rg_vec3(0, s, t), rg_vec3(1, 0, 0));
    assembly_contact(assembly, block, -1, rg_vec3(s, 0, t), rg_vec3(0, 1, 0));
  }
}

void assembly_leaning(Assembly* assembly, double angle) {
  assembly_begin(assembly);
  const double length = 2, half_depth = 0.5, thickness = 1e-6; // so thin that they are rods
  double c = rg_cos(angle), s = rg_sin(angle), half = 0.5 * length;
  for (int side = 0; side < 2; side++) {
    double sign = side ? 1 : -1; // feet at -x and +x, heads at the middle
    rgQuat tilt = turned(rg_vec3(0, 1, 0), sign * angle);
    int rod = assembly_box(assembly, rg_vec3(sign * half * c, 0, half * s),
                           rg_vec3(length, 2 * half_depth, thickness), 1.5, tilt);
    for (int k = -1; k <= 1; k += 2)
      assembly_contact(assembly, rod, -1, rg_vec3(sign * length * c, k * half_depth, 0),
                       rg_vec3(0, 0, 1));
  }
  for (int k = -1; k <= 1; k++)
    assembly_contact(assembly, 1, 0, rg_vec3(0, k * half_depth, length * s), rg_vec3(1, 0, 0));
}

void assembly_incline(Assembly* assembly, double angle) {
  assembly_begin(assembly);
  rgVec3 normal = rg_vec3(rg_sin(angle), 0, rg_cos(angle)),
         down = rg_vec3(rg_cos(angle), 0, -rg_sin(angle));
  int block = assembly_box(assembly, rg_vec3_scale(normal, 0.5), rg_vec3(1, 1, 1), 2,
                           turned(rg_vec3(0, 1, 0), angle));
  for (int i = 0; i < 4; i++) {
    rgVec3 corner = rg_vec3_axpy(rg_vec3(0, i / 2 - 0.5, 0), i % 2 - 0.5, down);
    assembly_contact(assembly, block, -1, corner, normal);
  }
}

void assembly_pile(Assembly* assembly) {
  assembly_begin(assembly);
  int below = -1;
  for (int row = 0; row < 4; row++) {
    int first = assembly->problem.body_count;
    for (int i = 0; i < 4 - row; i++) {
      double x = i + 0.5 * row, z = row;
      int box = assembly_box(assembly, rg_vec3(x, 0, z + 0.5), rg_vec3(1, 1, 1), 1 + row,
                             rg_quat_identity());
      if (row == 0) {
        assembly_face(assembly, box, -1, rg_vec3(x - 0.5, -0.5, z), rg_vec3(x + 0.5, 0.5, z));
        continue;
      }
      assembly_face(assembly, box, below + i, rg_vec3(x - 0.5, -0.5, z), rg_vec3(x, 0.5, z));
      assembly_face(assembly, box, below + i + 1, rg_vec3(x, -0.5, z), rg_vec3(x + 0.5, 0.5, z));
    }
    below = first;
  }
}

// --- random ones -------------------------------------------------------------------------------

static rgVec3 in_cube(uint64_t* seed) {
  double x = rg_random_unit(seed), y = rg_random_unit(seed), z = rg_random_unit(seed);
  return rg_vec3(2 * x - 1, 2 * y - 1, 2 * z - 1);
}

static rgVec3 unit_vector(uint64_t* seed) {
  rgVec3 v;
  do
    v = in_cube(seed);
  while (rg_vec3_norm2(v) > 1 || rg_vec3_norm2(v) < 0.01);
  return rg_vec3_scale(v, 1 / rg_vec3_norm(v));
}

void assembly_random(Assembly* assembly, int count, uint64_t* seed) {
  assembly_begin(assembly);
  for (int i = 0; i < count; i++) {
    rgVec3 edges = rg_vec3_add(rg_vec3(1.2, 1.2, 1.2), in_cube(seed)), axis = unit_vector(seed);
    double mass = 0.2 + 5 * rg_random_unit(seed), angle = 6 * rg_random_unit(seed);
    rgVec3 center = rg_vec3_scale(in_cube(seed), 3);
    assembly_box(assembly, center, edges, mass, turned(axis, angle));
  }
  int pairs = count + (int)(2.0 * count * rg_random_unit(seed));
  for (int k = 0; k < pairs; k++) {
    int a = (int)(count * rg_random_unit(seed)), b = (int)((count + 1) * rg_random_unit(seed)) - 1;
    if (a == b)
      b = -1;
    // one normal and up to four points for a pair, as of two faces; some of them twice
    rgVec3 normal = unit_vector(seed), other, t;
    if (b < 0 && normal.z < 0)
      normal = rg_vec3_neg(normal); // mostly carried, not pushed down
    rg_vec3_frame(normal, &t, &other);
    rgVec3 from = b < 0 ? rg_vec3_zero() : assembly->centers[b];
    rgVec3 middle = rg_vec3_scale(rg_vec3_add(assembly->centers[a], from), 0.5);
    int points = 1 + (int)(4 * rg_random_unit(seed));
    for (int i = 0; i < points; i++) {
      double s = rg_random_unit(seed) - 0.5, r = rg_random_unit(seed) - 0.5;
      rgVec3 point = rg_vec3_axpy(rg_vec3_axpy(middle, s, t), r, other);
      assembly_contact(assembly, a, b, point, normal);
      if (rg_random_unit(seed) < 0.2)
        assembly_contact(assembly, a, b, point, normal);
    }
  }
}

double assembly_product(const Assembly* assembly, const double* a, const double* b) {
  double sum = 0;
  for (int i = 0; i < assembly->problem.body_count; i++) {
    const double *x = a + 6 * i, *y = b + 6 * i;
    sum += assembly->masses[i] * (x[0] * y[0] + x[1] * y[1] + x[2] * y[2]);
    rgVec3 moment = rg_mat3_apply(&assembly->inertias[i], rg_vec3(y[3], y[4], y[5]));
    sum += rg_vec3_dot(rg_vec3(x[3], x[4], x[5]), moment);
  }
  return sum;
}
