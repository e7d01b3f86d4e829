// problems.h - contact problems made by hand for tests: bodies, faces and spheres put on top of
// each other.
//
// All of them are one step of length h under gravity along -z from rest: v_free = (0, 0, -g h).
#ifndef TESTS_SWEEP_PROBLEMS_H
#define TESTS_SWEEP_PROBLEMS_H

#include "base/random.h"
#include "math/vec.h"
#include "problem/operator.h"
#include <rigor/solver.h>
#include <stdlib.h>
#include <string.h>

static const double made_gravity = 9.81, made_step = 1.0 / 60;

typedef struct Made {
  rgProblem problem;
  rgProblemBody* bodies;
  rgProblemContact* contacts;
  rgProblemRow* rows;
  rgVec3* centers;
  double* masses;
  int body_room, contact_room, row_room;
  double mu;
  rgConeKind cone;
  rgSolution solution;
  rgLocalMatrix matrix; // of made_local
  int *row_start, *column;
  double* values;
  void* work;
  size_t work_size;
} Made;

static inline Made made(double mu) {
  Made m = {.mu = mu, .cone = RG_CONE_DISK};
  m.problem.dimension = 3;
  return m;
}

static inline void* made_grow(void* items, int* room, int count, size_t size) {
  if (count < *room)
    return items;
  *room = 2 * *room + 16;
  return realloc(items, (size_t)*room * size);
}

static inline int made_body(Made* m, rgVec3 center, double mass, double jx, double jy, double jz) {
  int index = m->problem.body_count++, room = m->body_room, again = m->body_room;
  m->bodies = made_grow(m->bodies, &m->body_room, index, sizeof *m->bodies);
  m->centers = made_grow(m->centers, &room, index, sizeof *m->centers);
  m->masses = made_grow(m->masses, &again, index, sizeof *m->masses);
  m->bodies[index] = (rgProblemBody){
      .inverse_mass = mass > 0 ? 1 / mass : 0,
      .inverse_inertia = m3_diag(jx > 0 ? 1 / jx : 0, jy > 0 ? 1 / jy : 0, jz > 0 ? 1 / jz : 0),
      .v_free = {v3(0, 0, -made_gravity * made_step), v3_zero()}};
  m->centers[index] = center;
  m->masses[index] = mass;
  m->problem.bodies = m->bodies;
  return index;
}

// A box with edges a, b, c.
static inline int made_box(Made* m, rgVec3 center, double a, double b, double c, double mass) {
  return made_body(m, center, mass, mass * (b * b + c * c) / 12, mass * (a * a + c * c) / 12,
                   mass * (a * a + b * b) / 12);
}

static inline int made_sphere(Made* m, rgVec3 center, double radius, double mass) {
  double j = 0.4 * mass * radius * radius;
  return made_body(m, center, mass, j, j, j);
}

static inline rgProblemContact* made_contact(Made* m, int a, int b, rgVec3 point, rgVec3 n) {
  int index = m->problem.contact_count++;
  m->contacts = made_grow(m->contacts, &m->contact_room, index, sizeof *m->contacts);
  m->problem.contacts = m->contacts;
  rgProblemContact* contact = &m->contacts[index];
  *contact = (rgProblemContact){.body_a = a,
                                .body_b = b,
                                .n = n,
                                .cone = m->cone,
                                .mu = m->mu,
                                .facets = 8,
                                .e_t = 1,
                                .e_o = 1};
  v3_frame(n, &contact->t, &contact->o);
  if (a >= 0)
    contact->arm_a = v3_sub(point, m->centers[a]);
  if (b >= 0)
    contact->arm_b = v3_sub(point, m->centers[b]);
  return contact;
}

static inline rgProblemRow* made_row(Made* m, int a, int b) {
  int index = m->problem.row_count++;
  m->rows = made_grow(m->rows, &m->row_room, index, sizeof *m->rows);
  m->problem.rows = m->rows;
  m->rows[index] = (rgProblemRow){.body_a = a, .body_b = b, .lower = -HUGE_VAL, .upper = HUGE_VAL};
  return &m->rows[index];
}

// Four contacts at the corners of a horizontal rectangle; `a` lies above `b`.
static inline void made_face(Made* m, int a, int b, double x0, double x1, double y0, double y1,
                             double z) {
  rgVec3 up = v3(0, 0, 1);
  made_contact(m, a, b, v3(x0, y0, z), up);
  made_contact(m, a, b, v3(x1, y0, z), up);
  made_contact(m, a, b, v3(x1, y1, z), up);
  made_contact(m, a, b, v3(x0, y1, z), up);
}

// Unit boxes on each other; the top one is `ratio` times as heavy.
static inline Made made_stack(int count, double ratio, double mu) {
  Made m = made(mu);
  for (int i = 0; i < count; i++) {
    made_box(&m, v3(0, 0, 0.5 + i), 1, 1, 1, i == count - 1 ? ratio : 1);
    made_face(&m, i, i - 1, -0.5, 0.5, -0.5, 0.5, i);
  }
  return m;
}

// A wall of unit boxes, `rows` in the lowest row, each row shifted by half a box.
static inline Made made_pyramid(int rows, double mu) {
  Made m = made(mu);
  int below = -1;
  for (int row = 0; row < rows; row++) {
    int first = m.problem.body_count;
    for (int i = 0; i < rows - row; i++) {
      double x = i + 0.5 * row;
      int box = made_box(&m, v3(x, 0, 0.5 + row), 1, 1, 1, 1);
      if (row == 0) {
        made_face(&m, box, -1, x - 0.5, x + 0.5, -0.5, 0.5, 0);
      } else {
        made_face(&m, box, below + i, x - 0.5, x, -0.5, 0.5, row);
        made_face(&m, box, below + i + 1, x, x + 0.5, -0.5, 0.5, row);
      }
    }
    below = first;
  }
  return m;
}

// A slab of 2 x 1 on four legs.
static inline Made made_table(double slab_mass, double mu) {
  Made m = made(mu);
  int slab = made_box(&m, v3(0, 0, 1.05), 2, 1, 0.1, slab_mass);
  for (int i = 0; i < 4; i++) {
    double x = i % 2 ? 0.9 : -0.9, y = i / 2 ? 0.4 : -0.4;
    int leg = made_box(&m, v3(x, y, 0.5), 0.2, 0.2, 1, 1);
    made_face(&m, leg, -1, x - 0.1, x + 0.1, y - 0.1, y + 0.1, 0);
    made_face(&m, slab, leg, x - 0.1, x + 0.1, y - 0.1, y + 0.1, 1);
  }
  return m;
}

// Reproducible numbers in [0, 1).
static inline double made_random(uint64_t* state) { return rg_random_unit(state); }

// In the unit cube; drawn one after the other, as arguments have no order of evaluation.
static inline rgVec3 made_vector(uint64_t* state) {
  double x = made_random(state), y = made_random(state), z = made_random(state);
  return v3(x, y, z);
}

// Boxes of a pyramid thrown at each other with spin: impacts with sliding in all directions.
static inline Made made_thrown(uint64_t seed) {
  Made m = made_pyramid(4, 0.3);
  for (int i = 0; i < m.problem.body_count; i++) {
    rgTwist* v = &m.bodies[i].v_free;
    rgVec3 x = made_vector(&seed), y = made_vector(&seed);
    v->linear = v3(2 * x.x - 1, 2 * x.y - 1, -3 * x.z);
    v->angular = v3(2 * y.x - 1, 2 * y.y - 1, 2 * y.z - 1);
  }
  return m;
}

// Spheres in layers, each in the hollows of the one below, slightly disordered, in a box with five
// walls.
static inline Made made_pile(int nx, int ny, int nz, double mu) {
  Made m = made(mu);
  uint64_t seed = 12345;
  double radius = 0.1, pitch = 2 * radius, rise = pitch * 0.70710678118654752,
         wobble = 0.01 * radius;
  for (int k = 0; k < nz; k++)
    for (int j = 0; j < ny; j++)
      for (int i = 0; i < nx; i++) {
        double shift = k % 2 ? radius : 0;
        rgVec3 c = made_vector(&seed);
        c = v3(pitch * i + shift + wobble * c.x, pitch * j + shift + wobble * c.y,
               radius + rise * k + wobble * c.z);
        made_sphere(&m, c, radius, 1 + made_random(&seed));
      }
  double reach = pitch + 2 * wobble;
  for (int a = 0; a < m.problem.body_count; a++) {
    rgVec3 c = m.centers[a];
    if (c.z < radius + 2 * wobble)
      made_contact(&m, a, -1, v3(c.x, c.y, 0), v3(0, 0, 1));
    if (c.x < 2 * wobble)
      made_contact(&m, a, -1, v3(-radius, c.y, c.z), v3(1, 0, 0));
    if (c.y < 2 * wobble)
      made_contact(&m, a, -1, v3(c.x, -radius, c.z), v3(0, 1, 0));
    if (c.x > pitch * (nx - 1) + radius)
      made_contact(&m, a, -1, v3(c.x + radius, c.y, c.z), v3(-1, 0, 0));
    if (c.y > pitch * (ny - 1) + radius)
      made_contact(&m, a, -1, v3(c.x, c.y + radius, c.z), v3(0, -1, 0));
    for (int b = a + 1; b < m.problem.body_count; b++) {
      rgVec3 d = v3_sub(c, m.centers[b]);
      if (v3_norm2(d) > reach * reach)
        continue;
      rgVec3 n = v3_scale(d, 1 / v3_norm(d));
      made_contact(&m, a, b, v3_axpy(m.centers[b], radius, n), n);
    }
  }
  return m;
}

// The velocity of every contact under the impulses r: H' M^-1 H r + H' v_free + bias.
static inline void made_velocities(const Made* m, double* v, double* r, double (*u)[4]) {
  rg_problem_velocity(&m->problem, &(rgSolution){.v = v, .r = r});
  for (int i = 0; i < m->problem.contact_count; i++)
    rg_contact_velocity(&m->contacts[i], v, u[i]);
}

// The same problem in local form, W found by unit impulses; zero blocks are left out. For problems
// without rows.
static inline Made made_local(Made m) {
  int count = m.problem.contact_count, block = m.problem.dimension == 2 ? 2 : 4;
  size_t area = (size_t)(block * block);
  double* v = calloc(6 * (size_t)m.problem.body_count, sizeof(double));
  double* r = calloc(4 * (size_t)count, sizeof(double));
  double(*u)[4] = calloc((size_t)count, sizeof *u), (*free_u)[4] = calloc((size_t)count, sizeof *u);
  double* dense = calloc((size_t)count * (size_t)count * area, sizeof(double));
  made_velocities(&m, v, r, free_u);
  for (int j = 0; j < count; j++)
    for (int b = 0; b < block; b++) {
      r[4 * j + b] = 1;
      made_velocities(&m, v, r, u);
      r[4 * j + b] = 0;
      for (int i = 0; i < count; i++)
        for (int a = 0; a < block; a++)
          dense[((size_t)i * (size_t)count + (size_t)j) * area + (size_t)(a * block + b)] =
              u[i][a] - free_u[i][a];
    }
  m.row_start = calloc((size_t)count + 1, sizeof(int));
  m.column = calloc((size_t)count * (size_t)count, sizeof(int));
  m.values = dense; // packed in place
  int filled = 0;
  for (int i = 0; i < count; i++) {
    for (int j = 0; j < count; j++) {
      const double* from = dense + ((size_t)i * (size_t)count + (size_t)j) * area;
      bool zero = i != j;
      for (size_t k = 0; k < area; k++)
        zero = zero && from[k] == 0;
      if (zero)
        continue;
      memmove(dense + (size_t)filled * area, from, area * sizeof(double));
      m.column[filled++] = j;
    }
    m.row_start[i + 1] = filled;
  }
  for (int i = 0; i < count; i++) {
    memcpy(m.contacts[i].bias, free_u[i], sizeof free_u[i]);
    m.contacts[i].body_a = m.contacts[i].body_b = -1;
  }
  free(v);
  free(r);
  free(u);
  free(free_u);
  m.matrix = (rgLocalMatrix){
      .block = block, .row_start = m.row_start, .column = m.column, .values = m.values};
  m.problem.body_count = 0;
  return m; // problem.local is set by made_ready, when the struct has its place
}

// Allocates the solution (zeros) and the workspace of a solver.
static inline void made_ready(Made* m, const char* solver) {
  const rgProblem* p = &m->problem;
  free(m->solution.v); // of an earlier solver
  free(m->solution.r);
  free(m->solution.lambda);
  free(m->work);
  m->problem.local = m->values ? &m->matrix : NULL;
  size_t velocities = p->local ? 4 * (size_t)p->contact_count : 6 * (size_t)p->body_count;
  m->solution.v = calloc(velocities + 1, sizeof(double));
  m->solution.r = calloc(4 * (size_t)p->contact_count + 1, sizeof(double));
  m->solution.lambda = calloc((size_t)p->row_count + 1, sizeof(double));
  m->work_size = rg_solve_work_size(p, solver);
  m->work = malloc(m->work_size);
}

static inline void made_free(Made* m) {
  void* pieces[] = {m->bodies,    m->contacts,   m->rows,       m->centers,
                    m->masses,    m->solution.v, m->solution.r, m->solution.lambda,
                    m->row_start, m->column,     m->values,     m->work};
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
    free(pieces[i]);
  memset(m, 0, sizeof *m);
}

#endif
