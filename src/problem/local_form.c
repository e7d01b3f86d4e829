// local_form.c - the local form of a problem with bodies.
//
// Problem: without the velocities, u = W x + bias with W = D' M^-1 D over the directions D = (H, G)
// of contacts and rows, x = (r, lambda) and bias = D' v_free + bias. Laws, bounds and compliances
// stay as they are.
//
// Method: a node is a contact or a row. Two nodes are coupled through the bodies that they share,
// so node i meets those that the lists of its bodies name (rgIncidence), and its block with node j
// is the sum of g_i' M^-1 g_j over these bodies, in ascending order.
//
// Cost: linear in the numbers of W, but for the sort of a node's columns.
#include "base/message.h"
#include "base/pool.h"
#include "base/sort.h"
#include "problem/delassus.h"
#include "problem/operator.h"
#include "problem/storage.h"

#include <limits.h>
#include <string.h>

typedef struct Nodes {
  const rgProblem* problem;
  int block; // directions of a contact
  int count; // contacts, then rows
  int direction_count;
  int* far_row; // of each direction of far bodies, which come behind all others: its row
  int* far_of;  // of each row: its direction of far bodies, -1 where it has none
  rgDirection* directions;
  rgTwist (*response)[2]; // M^-1 g of each direction on its bodies
  rgIncidence on;
  int* seen;     // per node: 1 + the node that met it last
  int* column;   // nodes that the present one meets
  size_t* place; // per node: where its block with the present one begins in W
} Nodes;

// Torsion needs a fourth number per contact.
static int block_of(const rgProblem* problem) {
  for (int i = 0; i < problem->contact_count; i++) {
    double e[4];
    rg_contact_axes(problem, &problem->contacts[i], e);
    if (e[3] > 0)
      return 4;
  }
  return problem->dimension;
}

static int first_direction(const Nodes* nodes, int node) {
  int contacts = nodes->problem->contact_count;
  return node < contacts ? nodes->block * node : nodes->block * contacts + (node - contacts);
}

static int node_size(const Nodes* nodes, int node) {
  return node < nodes->problem->contact_count ? nodes->block : 1;
}

static int own_direction_count(const Nodes* nodes) {
  return nodes->block * nodes->problem->contact_count + nodes->problem->row_count;
}

static int node_of(const Nodes* nodes, int direction) {
  int contacts = nodes->problem->contact_count, first_row = nodes->block * contacts;
  if (direction >= own_direction_count(nodes))
    return contacts + nodes->far_row[direction - own_direction_count(nodes)];
  return direction < first_row ? direction / nodes->block : contacts + (direction - first_row);
}

// The first direction of a node, and the one of its far bodies, -1 where it has none.
static int part_of(const Nodes* nodes, int node, int part) {
  int row = node - nodes->problem->contact_count;
  return part == 0 ? first_direction(nodes, node) : row < 0 ? -1 : nodes->far_of[row];
}

static rgTwist response_of(const rgProblem* problem, int body, rgTwist g) {
  return body < 0 ? (rgTwist){v3_zero(), v3_zero()} : rg_mass_response(problem, body, g);
}

static void list_far(Nodes* nodes) {
  const rgProblem* problem = nodes->problem;
  int own = own_direction_count(nodes), count = own;
  for (int i = 0; i < problem->row_count; i++) {
    nodes->far_of[i] = problem->rows[i].far ? count : -1;
    if (problem->rows[i].far)
      nodes->far_row[count++ - own] = i;
  }
  nodes->direction_count = count;
}

static rgDirection direction_of(const Nodes* nodes, int i) {
  const rgProblem* problem = nodes->problem;
  int node = node_of(nodes, i), row = node - problem->contact_count;
  if (row < 0)
    return rg_contact_direction(&problem->contacts[node], i % nodes->block);
  const rgProblemFar* far = problem->rows[row].far;
  return i < own_direction_count(nodes)
             ? rg_row_direction(&problem->rows[row])
             : (rgDirection){far->body_a, far->body_b, far->g_a, far->g_b, 0};
}

static void fill_directions(Nodes* nodes) {
  const rgProblem* problem = nodes->problem;
  for (int i = 0; i < nodes->direction_count; i++) {
    rgDirection* d = &nodes->directions[i];
    *d = direction_of(nodes, i);
    nodes->response[i][0] = response_of(problem, d->body_a, d->g_a);
    nodes->response[i][1] = response_of(problem, d->body_b, d->g_b);
  }
  rg_incidence_build(&nodes->on, problem->body_count, nodes->directions, nodes->direction_count);
}

static bool make_nodes(const rgProblem* problem, rgPool* pool, Nodes* nodes) {
  *nodes = (Nodes){.problem = problem,
                   .block = block_of(problem),
                   .count = problem->contact_count + problem->row_count};
  long long directions = (long long)nodes->block * problem->contact_count + problem->row_count;
  size_t rows = (size_t)problem->row_count;
  if (directions > INT_MAX / 4)
    return false;
  nodes->far_of = rg_pool_take(pool, rows, sizeof(int));
  nodes->far_row = rg_pool_take(pool, rows, sizeof(int));
  if (!nodes->far_of || !nodes->far_row)
    return false;
  list_far(nodes);
  directions = nodes->direction_count;
  size_t n = (size_t)nodes->count, m = (size_t)directions;
  nodes->directions = rg_pool_take(pool, m, sizeof *nodes->directions);
  nodes->response = rg_pool_take(pool, m, sizeof *nodes->response);
  nodes->on.start = rg_pool_take(pool, (size_t)problem->body_count + 1, sizeof(int));
  nodes->on.entry = rg_pool_take(pool, 2 * m, sizeof(int));
  nodes->seen = rg_pool_take(pool, n, sizeof(int));
  nodes->column = rg_pool_take(pool, n, sizeof(int));
  nodes->place = rg_pool_take(pool, n, sizeof *nodes->place);
  bool enough = nodes->directions && nodes->response && nodes->on.start && nodes->on.entry &&
                nodes->seen && nodes->column && nodes->place;
  if (enough)
    fill_directions(nodes);
  return enough;
}

// The nodes that node i meets in ascending order, itself among them; returns how many.
static int find_columns(Nodes* nodes, int i) {
  int count = 0, far = part_of(nodes, i, 1);
  nodes->seen[i] = i + 1;
  nodes->column[count++] = i;
  for (int side = 0; side < (far < 0 ? 2 : 4); side++) {
    const rgDirection* own = &nodes->directions[part_of(nodes, i, side / 2)];
    int body = side % 2 ? own->body_b : own->body_a;
    for (int k = body < 0 ? 0 : nodes->on.start[body]; body >= 0 && k < nodes->on.start[body + 1];
         k++) {
      int j = node_of(nodes, nodes->on.entry[k] >> 1);
      if (nodes->seen[j] == i + 1)
        continue;
      nodes->seen[j] = i + 1;
      nodes->column[count++] = j;
    }
  }
  rg_sort_ints(nodes->column, count);
  return count;
}

// Adds to the blocks of node i what the nodes on its body of one side do to it, `first` being its first
// direction or that of its far bodies.
static void add_side(const Nodes* nodes, int i, int first, int side, double* values) {
  int size = node_size(nodes, i);
  int body = side ? nodes->directions[first].body_b : nodes->directions[first].body_a;
  if (body < 0)
    return;
  for (int k = nodes->on.start[body]; k < nodes->on.start[body + 1]; k++) {
    int other = nodes->on.entry[k] >> 1, j = node_of(nodes, other);
    int width = node_size(nodes, j), column = width == 1 ? 0 : other - first_direction(nodes, j);
    rgTwist x = nodes->response[other][nodes->on.entry[k] & 1];
    for (int a = 0; a < size; a++) {
      const rgDirection* own = &nodes->directions[first + a];
      values[nodes->place[j] + (size_t)(a * width + column)] +=
          rg_twist_dot(side ? own->g_b : own->g_a, x);
    }
  }
}

static void fill_matrix(Nodes* nodes, const rgProblem* made) {
  const rgLocalMatrix* local = made->local;
  int *row_start = rg_mutable(local->row_start), *column = rg_mutable(local->column);
  double* values = rg_mutable(local->values);
  size_t used = 0;
  memset(nodes->seen, 0, (size_t)nodes->count * sizeof(int));
  for (int i = 0, k = 0; i < nodes->count; i++) {
    int count = find_columns(nodes, i), size = node_size(nodes, i);
    row_start[i] = k;
    if (local->value_start)
      *(size_t*)rg_mutable(&local->value_start[i]) = used;
    for (int l = 0; l < count; l++, k++) {
      column[k] = nodes->column[l];
      nodes->place[column[k]] = used;
      used += (size_t)(size * node_size(nodes, column[k]));
    }
    for (int part = 0; part < 2 && part_of(nodes, i, part) >= 0; part++) {
      int first = part_of(nodes, i, part);
      bool swapped = nodes->directions[first].body_b < nodes->directions[first].body_a;
      add_side(nodes, i, first, swapped, values);
      add_side(nodes, i, first, !swapped, values);
    }
  }
}

static void fill_laws(const Nodes* nodes, const rgProblem* made) {
  const rgProblem* problem = nodes->problem;
  rgProblemContact* contacts = rg_mutable(made->contacts);
  rgProblemRow* rows = rg_mutable(made->rows);
  double* length = rg_mutable(made->local->length);
  for (int i = 0; i < problem->contact_count; i++) {
    const rgProblemContact* from = &problem->contacts[i];
    double u[4];
    rg_contact_velocity_of(from, rg_body_free(problem, from->body_a),
                           rg_body_free(problem, from->body_b), u);
    contacts[i] = (rgProblemContact){.body_a = -1,
                                     .body_b = -1,
                                     .n = {1, 0, 0},
                                     .t = {0, 1, 0},
                                     .o = {0, 0, 1},
                                     .cone = from->cone,
                                     .facets = from->facets,
                                     .mu = from->mu,
                                     .e_t = from->e_t,
                                     .e_o = from->e_o,
                                     .e_tau = from->e_tau};
    memcpy(contacts[i].bias, u, (size_t)nodes->block * sizeof *u);
  }
  for (int i = 0; i < problem->row_count; i++) {
    const rgProblemRow* from = &problem->rows[i];
    rows[i] = (rgProblemRow){.body_a = -1,
                             .body_b = -1,
                             .bias = rg_row_free(problem, from) + from->bias,
                             .lower = from->lower,
                             .upper = from->upper,
                             .compliance = from->compliance};
    length[i] = rg_row_length(problem, from);
  }
}

// The blocks and numbers of W; false when there are more blocks than an int counts.
static bool count_matrix(Nodes* nodes, rgProblemSize* size) {
  long long blocks = 0;
  for (int i = 0; i < nodes->count; i++) {
    int count = find_columns(nodes, i);
    blocks += count;
    for (int l = 0; l < count; l++)
      size->numbers += (size_t)(node_size(nodes, i) * node_size(nodes, nodes->column[l]));
  }
  size->blocks = (int)blocks;
  return blocks <= INT_MAX;
}

static rgProblem* make_local(const rgProblem* problem, rgPool* pool, const rgAllocator* allocator) {
  Nodes nodes;
  if (!make_nodes(problem, pool, &nodes))
    return NULL;
  rgProblemSize size = {
      .contacts = problem->contact_count, .rows = problem->row_count, .block = nodes.block};
  rgProblem* made = count_matrix(&nodes, &size) ? rg_problem_allocate(&size, allocator) : NULL;
  if (!made)
    return NULL;
  made->dimension = problem->dimension;
  fill_matrix(&nodes, made);
  fill_laws(&nodes, made);
  return made;
}

static rgProblem* copy_local(const rgProblem* problem, const rgAllocator* allocator) {
  const rgLocalMatrix* from = problem->local;
  size_t contacts = (size_t)problem->contact_count, rows = (size_t)problem->row_count;
  size_t nodes = contacts + rows, blocks = (size_t)from->row_start[nodes];
  rgProblemSize size = {.contacts = problem->contact_count,
                        .rows = problem->row_count,
                        .block = from->block,
                        .blocks = (int)blocks,
                        .numbers = rg_local_number_count(problem)};
  rgProblem* made = rg_problem_allocate(&size, allocator);
  if (!made)
    return NULL;
  const rgLocalMatrix* to = made->local;
  made->dimension = problem->dimension;
  memcpy(rg_mutable(to->row_start), from->row_start, (nodes + 1) * sizeof *from->row_start);
  if (blocks > 0) {
    memcpy(rg_mutable(to->column), from->column, blocks * sizeof *from->column);
    memcpy(rg_mutable(to->values), from->values, size.numbers * sizeof *from->values);
  }
  if (contacts > 0)
    memcpy(rg_mutable(made->contacts), problem->contacts, contacts * sizeof *problem->contacts);
  for (size_t i = 0; i < rows; i++) {
    *(rgProblemRow*)rg_mutable(&made->rows[i]) = problem->rows[i];
    *(double*)rg_mutable(&to->length[i]) = rg_row_length(problem, &problem->rows[i]);
  }
  if (rows > 0)
    memcpy(rg_mutable(to->value_start), from->value_start, (nodes + 1) * sizeof *from->value_start);
  return made;
}

rgStatus rg_problem_to_local(const rgProblem* problem, const rgAllocator* allocator,
                             rgProblem** local, rgMessage* message) {
  rgAllocator standard = rg_allocator_default();
  allocator = allocator ? allocator : &standard;
  *local = NULL;
  rgStatus status = rg_problem_check(problem, message);
  if (status != RG_OK)
    return status;
  rgPool pool = {*allocator, NULL};
  rgProblem* made =
      problem->local ? copy_local(problem, allocator) : make_local(problem, &pool, allocator);
  rg_pool_free(&pool);
  return made ? rg_problem_accept(made, "the local form", allocator, local, message)
              : rg_fail(message, RG_ERROR_MEMORY, "the local form: not enough memory");
}
