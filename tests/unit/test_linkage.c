// The factor of a tree against dense matrices: R = P (P' M P + E)^-1 P', with P written out column
// by column.
#include "linkage/linkage.h"
#include "support/dense.h"
#include "support/random.h"
#include "test.h"

enum { BODIES = 12, DOFS = 6 * BODIES };

typedef struct Made {
  int count;
  rgProblemLink links[BODIES];
  int order[BODIES];
  rgLinkageMass masses[BODIES];
  double extra[DOFS][RG_LINK_AXES];
  rgLinkage tree;
  void* memory;
} Made;

static rgTwist random_twist(void) {
  rgVec3 linear = random_vector();
  return (rgTwist){linear, random_vector()};
}

static rgMat3 random_inertia(void) {
  rgMat3 axes = m3_from_quat(random_rotation());
  rgVec3 moments = random_within(0.1, 2);
  return m3_congruence(&axes, moments);
}

// Bodies hang on earlier ones of a random order, a part of them on nothing or on the ground; `flat`
// keeps all movements in the x-y plane.
static void make(Made* m, int count, bool flat) {
  m->count = count;
  for (int i = 0; i < count; i++)
    m->order[i] = i;
  for (int i = count - 1; i > 0; i--) {
    int j = (int)(random_unit() * (i + 1)), t = m->order[i];
    m->order[i] = m->order[j];
    m->order[j] = t;
  }
  memset(m->extra, 0, sizeof m->extra);
  for (int i = 0; i < count; i++) {
    rgProblemLink link = {.parent = -1, .row = -1};
    double kind = random_unit();
    if (i > 0 && kind < 0.8)
      link.parent = m->order[(int)(random_unit() * i)];
    if (link.parent >= 0 || kind > 0.9)
      link.row = 0;
    link.axis_count = (int)(random_unit() * (flat ? 2 : 4));
    for (int k = 0; k < link.axis_count; k++) {
      link.axis[k] = random_twist();
      if (flat)
        link.axis[k].linear.z = link.axis[k].angular.x = link.axis[k].angular.y = 0;
    }
    link.offset = random_twist();
    link.from_parent = flat ? random_flat_within(-1, 1) : random_vector();
    m->links[m->order[i]] = link;
    double moment = random_between(0.1, 2);
    double mass = random_between(0.2, 3);
    rgMat3 inertia = flat ? m3_diag(moment, moment, moment) : random_inertia();
    m->masses[i] = (rgLinkageMass){mass, six_from(&inertia)};
  }
  rgCarver counter = {NULL, 0};
  rg_linkage_carve(&m->tree, count, &counter);
  m->memory = calloc(1, counter.used + RG_ALIGNMENT);
  rgCarver carver = {(char*)m->memory + (RG_ALIGNMENT - (uintptr_t)m->memory % RG_ALIGNMENT), 0};
  rg_linkage_carve(&m->tree, count, &carver);
  CHECK(rg_linkage_build(&m->tree, count, m->links, m->order));
}

// E = a a' over the axes of each joint, with a random a.
static void make_extra(Made* m) {
  for (int i = 0; i < m->tree.count; i++) {
    const rgLinkageNode* node = &m->tree.nodes[i];
    if (m->links[node->body].row < 0)
      continue;
    rgVec3 a = random_vector();
    for (int k = 0; k < node->dof_count; k++)
      for (int j = 0; j < node->dof_count; j++)
        m->extra[node->dof_start + k][j] = v3_get(a, k) * v3_get(a, j);
  }
}

// Column of P for a dof: velocities that one rate makes, from the definition of a link.
static void column_of(const Made* m, int dof, double* v) {
  rgTwist own[BODIES];
  for (int i = 0, at = 0; i < m->count; i++) {
    int body = m->order[i];
    const rgProblemLink* link = &m->links[body];
    rgTwist t = {v3_zero(), v3_zero()};
    if (link->parent >= 0) {
      rgTwist p = own[link->parent];
      t = (rgTwist){v3_add(p.linear, v3_cross(p.angular, link->from_parent)), p.angular};
    }
    int dofs = link->row < 0 ? 6 : link->axis_count;
    double six[6] = {0};
    if (dof >= at && dof < at + dofs && link->row < 0)
      six[dof - at] = 1;
    rgTwist axis = {v3(six[0], six[1], six[2]), v3(six[3], six[4], six[5])};
    if (dof >= at && dof < at + dofs && link->row >= 0)
      axis = link->axis[dof - at];
    own[body] = (rgTwist){v3_add(t.linear, axis.linear), v3_add(t.angular, axis.angular)};
    at += dofs;
    double all[6] = {own[body].linear.x,  own[body].linear.y,  own[body].linear.z,
                     own[body].angular.x, own[body].angular.y, own[body].angular.z};
    memcpy(v + 6 * body, all, sizeof all);
  }
}

static double m_product(const Made* m, const double* x, const double* y) {
  double sum = 0;
  for (int i = 0; i < m->count; i++) {
    const double *a = x + 6 * i, *b = y + 6 * i;
    rgVec3 w = six_apply(&m->masses[i].inertia, v3(b[3], b[4], b[5]));
    sum += m->masses[i].mass * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) +
           v3_dot(v3(a[3], a[4], a[5]), w);
  }
  return sum;
}

// v = R wrench by dense matrices.
static void dense_response(const Made* m, const double* wrench, double* v) {
  int n = m->tree.dof_count, size = 6 * m->count;
  double* p = calloc((size_t)(n * size) + 1, sizeof(double));
  double* a = calloc((size_t)(n * n) + 1, sizeof(double));
  double *b = calloc((size_t)n + 1, sizeof(double)), *q = calloc((size_t)n + 1, sizeof(double));
  for (int k = 0; k < n; k++)
    column_of(m, k, p + k * size);
  for (int k = 0; k < n; k++) {
    for (int j = 0; j < n; j++)
      a[k * n + j] = m_product(m, p + k * size, p + j * size);
    for (int i = 0; i < size; i++)
      b[k] += p[k * size + i] * wrench[i];
  }
  for (int i = 0; i < m->tree.count; i++) {
    const rgLinkageNode* node = &m->tree.nodes[i];
    for (int k = 0; k < node->dof_count && m->links[node->body].row >= 0; k++)
      for (int j = 0; j < node->dof_count; j++)
        a[(node->dof_start + k) * n + node->dof_start + j] += m->extra[node->dof_start + k][j];
  }
  CHECK_NEAR(dense_solve(n, a, b, 1e-14, q), n, 0);
  memset(v, 0, (size_t)size * sizeof(double));
  for (int k = 0; k < n; k++)
    for (int i = 0; i < size; i++)
      v[i] += p[k * size + i] * q[k];
  free(p);
  free(a);
  free(b);
  free(q);
}

static double largest(const double* x, int n) {
  double most = 0;
  for (int i = 0; i < n; i++)
    most = fmax(most, fabs(x[i]));
  return most;
}

static void check_tree(Made* m) {
  double wrench[6 * BODIES], dense[6 * BODIES], v[6 * BODIES];
  int size = 6 * m->count;
  for (int i = 0; i < size; i++)
    wrench[i] = random_between(-1, 1);
  if (!CHECK(rg_linkage_factor(&m->tree, m->links, m->masses,
                               (const double(*)[RG_LINK_AXES])m->extra)))
    return;
  rg_linkage_response(&m->tree, wrench, v);
  dense_response(m, wrench, dense);
  // Both lose what their conditions cost: masses differ by 15, inertias by 20, arms are of order 1.
  for (int i = 0; i < size; i++)
    CHECK_NEAR(v[i], dense[i], 1e-9 * (1 + largest(dense, size)));
}

// h' R g of wrenches on two bodies is the product of their ways to the root.
static void check_directions(Made* m) {
  double y[2][DOFS], wrench[6 * BODIES] = {0}, v[6 * BODIES];
  int body[2][2];
  rgTwist g[2][2];
  for (int s = 0; s < 2; s++) {
    for (int t = 0; t < 2; t++) {
      body[s][t] = (int)(random_unit() * (m->count + 1)) - 1;
      g[s][t] = random_twist();
    }
    rg_linkage_direction(&m->tree, body[s][0], g[s][0], body[s][1], g[s][1], y[s]);
  }
  for (int t = 0; t < 2; t++)
    if (body[0][t] >= 0) {
      double* w = wrench + 6 * body[0][t];
      rgTwist p = g[0][t];
      w[0] += p.linear.x, w[1] += p.linear.y, w[2] += p.linear.z;
      w[3] += p.angular.x, w[4] += p.angular.y, w[5] += p.angular.z;
    }
  rg_linkage_response(&m->tree, wrench, v);
  double product = 0, expected = 0;
  for (int k = 0; k < m->tree.dof_count; k++)
    product += y[0][k] * y[1][k];
  for (int t = 0; t < 2; t++)
    if (body[1][t] >= 0) {
      const double* x = v + 6 * body[1][t];
      expected += twist_dot(g[1][t], (rgTwist){{x[0], x[1], x[2]}, {x[3], x[4], x[5]}});
    }
  CHECK_NEAR(product, expected, 1e-11 * (1 + largest(v, 6 * m->count)));
}

static void run_trees(bool flat, bool extra) {
  for (int trial = 0; trial < 200; trial++) {
    Made m;
    CONTEXT("trial %d", trial);
    make(&m, 1 + trial % BODIES, flat);
    if (extra)
      make_extra(&m);
    check_tree(&m);
    for (int k = 0; k < 5; k++)
      check_directions(&m);
    free(m.memory);
  }
}

TEST(the_response_of_a_tree_is_that_of_dense_matrices) { run_trees(false, false); }
TEST(what_acts_along_axes_is_added_to_their_masses) { run_trees(false, true); }
TEST(a_tree_in_the_plane_has_the_response_of_dense_matrices) { run_trees(true, false); }

TEST(a_tree_in_the_plane_stays_there_to_the_bit) {
  for (int trial = 0; trial < 50; trial++) {
    Made m;
    double wrench[6 * BODIES], v[6 * BODIES];
    make(&m, BODIES, true);
    for (int i = 0; i < 6 * BODIES; i++)
      wrench[i] = i % 6 < 2 || i % 6 == 5 ? random_between(-1, 1) : 0;
    REQUIRE(rg_linkage_factor(&m.tree, m.links, m.masses, NULL));
    rg_linkage_response(&m.tree, wrench, v);
    for (int i = 0; i < 6 * BODIES; i++)
      if (!(i % 6 < 2 || i % 6 == 5))
        CHECK(v[i] == 0);
    free(m.memory);
  }
}

TEST(offsets_are_carried_from_link_to_link) {
  Made m;
  double v[6 * BODIES];
  make(&m, BODIES, false);
  rg_linkage_offsets(&m.tree, m.links, v);
  for (int i = 0; i < BODIES; i++) {
    const rgProblemLink* link = &m.links[i];
    rgTwist own = {{v[6 * i], v[6 * i + 1], v[6 * i + 2]},
                   {v[6 * i + 3], v[6 * i + 4], v[6 * i + 5]}};
    rgTwist wanted = link->row < 0 ? (rgTwist){v3_zero(), v3_zero()} : link->offset;
    if (link->parent >= 0) {
      const double* p = v + 6 * link->parent;
      rgVec3 turn = v3(p[3], p[4], p[5]);
      wanted.linear =
          v3_add(wanted.linear, v3_add(v3(p[0], p[1], p[2]), v3_cross(turn, link->from_parent)));
      wanted.angular = v3_add(wanted.angular, turn);
    }
    CHECK_NEAR(v3_norm(v3_sub(own.linear, wanted.linear)), 0, 1e-14);
    CHECK_NEAR(v3_norm(v3_sub(own.angular, wanted.angular)), 0, 1e-14);
  }
  free(m.memory);
}

TEST(axes_that_depend_on_each_other_are_refused) {
  Made m;
  make(&m, 1, false);
  m.links[0] = (rgProblemLink){.parent = -1, .row = 0, .axis_count = 2};
  m.links[0].axis[0] = m.links[0].axis[1] = (rgTwist){v3(1, 0, 0), v3(0, 1, 0)};
  REQUIRE(rg_linkage_build(&m.tree, 1, m.links, m.order));
  CHECK(!rg_linkage_factor(&m.tree, m.links, m.masses, NULL));
  free(m.memory);
}

TEST(an_order_that_puts_children_first_or_repeats_is_refused) {
  Made m;
  make(&m, 3, false);
  m.links[0] = (rgProblemLink){.parent = -1, .row = -1};
  m.links[1] = (rgProblemLink){.parent = 0, .row = 0};
  m.links[2] = (rgProblemLink){.parent = 1, .row = 0};
  static const int good[] = {0, 1, 2}, turned[] = {0, 2, 1}, twice[] = {0, 1, 1};
  CHECK(rg_linkage_build(&m.tree, 3, m.links, good));
  CHECK(!rg_linkage_build(&m.tree, 3, m.links, turned));
  CHECK(!rg_linkage_build(&m.tree, 3, m.links, twice));
  free(m.memory);
}
