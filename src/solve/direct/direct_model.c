// direct_model.c - joints, pieces of bodies and the matrix that couples them.
//
// A body of mass M with k pieces is k bodies of mass M / k that are welded: its joints act on the
// pieces in turn, and M^-1 of a piece is k M^-1. Welds are six rows v_i - v_(i+1) = 0; the free
// velocities of the pieces agree, so that their right-hand side is always zero. The impulses of the
// problem's own rows come out as if the body were whole.
#include "solve/direct/direct_model.h"

#include "problem/operator.h"

#include <string.h>

enum {
  ENTRIES_PER_NODE = 12, // room for the factor: trees need at most 4, the rest is fill of loops
};

// True when row i goes on with the joint that row i - 1 belongs to.
static bool continues(const rgProblem* problem, int i, int size) {
  if (i == 0 || size == RG_RANK_BLOCK)
    return false;
  const rgProblemRow *row = &problem->rows[i], *last = &problem->rows[i - 1];
  return row->body_a == last->body_a && row->body_b == last->body_b;
}

typedef struct Sizes {
  int joints;
  size_t squares; // sum of squares of their sizes
} Sizes;

static Sizes measure(const rgProblem* problem) {
  Sizes sizes = {0, 0};
  for (int i = 0, size = 0; i < problem->row_count; i++) {
    size = continues(problem, i, size) ? size + 1 : 1;
    sizes.joints += size == 1;
    sizes.squares += 2 * (size_t)size - 1; // of the square that is one larger
  }
  return sizes;
}

void rg_direct_carve(rgDirectModel* model, const rgProblem* problem, rgCarver* carver) {
  Sizes sizes = measure(problem);
  // every piece of a body but the last is full
  int welds = 2 * sizes.joints / RG_PIECE_JOINTS, nodes = sizes.joints + welds;
  int rows = problem->row_count + RG_RANK_BLOCK * welds, pieces = problem->body_count + welds;
  // a node has at most two pieces, with RG_PIECE_NODES - 1 others each, and each edge two nodes
  int edges = nodes * (RG_PIECE_NODES - 1);
  long long all = (long long)nodes * (nodes - 1) / 2, some = (long long)ENTRIES_PER_NODE * nodes;
  // a joint of few rows may be coupled to welds: two rows more for all of them make up for it
  size_t values = (ENTRIES_PER_NODE + 1) * (sizes.squares + 2 * (size_t)sizes.joints);
  memset(model, 0, sizeof *model);
  model->problem = problem;
  model->nodes = rg_carve(carver, (size_t)nodes, sizeof *model->nodes);
  model->first = rg_carve(carver, (size_t)nodes + 1, sizeof(int));
  model->pieces = rg_carve(carver, (size_t)pieces, sizeof *model->pieces);
  model->first_piece = rg_carve(carver, (size_t)problem->body_count + 1, sizeof(int));
  model->joint_count = rg_carve(carver, (size_t)problem->body_count, sizeof(int));
  model->edges = rg_carve(carver, (size_t)edges, sizeof *model->edges);
  rg_rank_carve(&model->matrix, nodes, rows, edges, (int)(all < some ? all : some), values, carver);
}

// -------------------------------------------------------------------------------------------------
// Nodes and pieces
// -------------------------------------------------------------------------------------------------

static void find_joints(rgDirectModel* model) {
  const rgProblem* problem = model->problem;
  memset(model->joint_count, 0, (size_t)problem->body_count * sizeof(int));
  for (int i = 0, size = 0; i < problem->row_count; i++) {
    size = continues(problem, i, size) ? size + 1 : 1;
    if (size > 1)
      continue;
    const rgProblemRow* row = &problem->rows[i];
    // a row within one body has the sum of its coefficients
    int body_b = row->body_b == row->body_a ? -1 : row->body_b;
    model->first[model->node_count] = i;
    model->nodes[model->node_count++] = (rgDirectNode){{row->body_a, body_b}, {-1, -1}};
    if (row->body_a >= 0)
      model->joint_count[row->body_a]++;
    if (body_b >= 0)
      model->joint_count[body_b]++;
  }
  model->row_count = problem->row_count;
}

static void count_pieces(rgDirectModel* model) {
  int bodies = model->problem->body_count;
  for (int i = 0; i < bodies; i++) {
    int pieces = (model->joint_count[i] + RG_PIECE_JOINTS - 1) / RG_PIECE_JOINTS;
    model->first_piece[i] = model->piece_count;
    model->piece_count += pieces > 0 ? pieces : 1;
    model->joint_count[i] = 0;
  }
  model->first_piece[bodies] = model->piece_count;
  for (int i = 0; i < model->piece_count; i++)
    model->pieces[i].count = 0;
}

static void attach(rgDirectModel* model, int node, int side, int piece) {
  model->nodes[node].piece[side] = piece;
  rgDirectPiece* at = &model->pieces[piece];
  at->node[at->count++] = 2 * node + side;
}

static void attach_joints(rgDirectModel* model) {
  for (int i = 0; i < model->node_count; i++)
    for (int side = 0; side < 2; side++) {
      int body = model->nodes[i].body[side];
      if (body >= 0)
        attach(model, i, side,
               model->first_piece[body] + model->joint_count[body]++ / RG_PIECE_JOINTS);
    }
}

static void add_welds(rgDirectModel* model) {
  for (int body = 0; body < model->problem->body_count; body++)
    for (int piece = model->first_piece[body]; piece + 1 < model->first_piece[body + 1]; piece++) {
      int node = model->node_count++;
      model->first[node] = model->row_count;
      model->row_count += RG_RANK_BLOCK;
      model->nodes[node].body[0] = model->nodes[node].body[1] = body;
      attach(model, node, 0, piece);
      attach(model, node, 1, piece + 1);
    }
  model->first[model->node_count] = model->row_count;
}

bool rg_direct_build(rgDirectModel* model) {
  model->node_count = model->piece_count = 0;
  find_joints(model);
  count_pieces(model);
  attach_joints(model);
  add_welds(model);
  int edge_count = 0;
  for (int p = 0; p < model->piece_count; p++) {
    const rgDirectPiece* piece = &model->pieces[p];
    for (int i = 0; i < piece->count; i++)
      for (int k = 0; k < i; k++) {
        model->edges[edge_count][0] = piece->node[i] / 2;
        model->edges[edge_count++][1] = piece->node[k] / 2;
      }
  }
  return rg_rank_layout(&model->matrix, model->node_count, model->first,
                        (const int(*)[2])model->edges, edge_count);
}

// -------------------------------------------------------------------------------------------------
// Matrix
// -------------------------------------------------------------------------------------------------

// The rows of a node on one of its bodies: coefficients, and what a unit impulse does there, that
// is M^-1 g with M the piece's.
typedef struct Share {
  int node, rows;
  double g[RG_RANK_BLOCK][6], step[RG_RANK_BLOCK][6];
} Share;

static void push_row(const rgProblem* problem, int body, double pieces, rgTwist g, Share* share) {
  int i = share->rows++;
  memset(share->g[i], 0, sizeof share->g[i]);
  memset(share->step[i], 0, sizeof share->step[i]);
  rg_body_add(share->g[i], 0, 1, g.linear, g.angular);
  rgTwist step = rg_mass_response(problem, body, g);
  rg_body_add(share->step[i], 0, pieces, step.linear, step.angular);
}

// Coefficients of a row of the problem on one side; one within a body has their sum.
static rgTwist row_side(const rgProblemRow* row, int side) {
  if (row->body_a == row->body_b)
    return (rgTwist){v3_add(row->g_a.linear, row->g_b.linear),
                     v3_add(row->g_a.angular, row->g_b.angular)};
  return side == 0 ? row->g_a : row->g_b;
}

static rgTwist weld_side(int k, int side) {
  double x[6] = {0};
  x[k] = side == 0 ? 1 : -1;
  return rg_body_twist(x, 0);
}

static void fill_share(const rgDirectModel* model, int node_side, Share* share) {
  const rgProblem* problem = model->problem;
  int node = node_side / 2, side = node_side % 2, body = model->nodes[node].body[side];
  double pieces = model->first_piece[body + 1] - model->first_piece[body];
  share->node = node;
  share->rows = 0;
  for (int i = model->first[node], k = 0; i < model->first[node + 1]; i++, k++)
    push_row(problem, body, pieces,
             i < problem->row_count ? row_side(&problem->rows[i], side) : weld_side(k, side),
             share);
}

static double dot6(const double* a, const double* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

// out += G_x M^-1 G_y' of two nodes on one piece.
static void add_product(const Share* x, const Share* y, double* out) {
  for (int i = 0; i < x->rows; i++)
    for (int k = 0; k < y->rows; k++)
      out[i * y->rows + k] += dot6(x->step[i], y->g[k]);
}

void rg_direct_assemble(rgDirectModel* model) {
  const rgProblem* problem = model->problem;
  rg_rank_clear(&model->matrix);
  for (int p = 0; p < model->piece_count; p++) {
    const rgDirectPiece* piece = &model->pieces[p];
    Share shares[RG_PIECE_NODES];
    for (int i = 0; i < piece->count; i++) {
      const Share* x = &shares[i];
      fill_share(model, piece->node[i], &shares[i]);
      add_product(x, x, rg_rank_diagonal(&model->matrix, x->node));
      for (int k = 0; k < i; k++) {
        const Share* y = &shares[k];
        bool transposed;
        double* block = rg_rank_block(&model->matrix, x->node, y->node, &transposed);
        if (transposed)
          add_product(y, x, block);
        else
          add_product(x, y, block);
      }
    }
  }
  for (int node = 0; node < model->node_count && model->first[node] < problem->row_count; node++) {
    double* block = rg_rank_diagonal(&model->matrix, node);
    int first = model->first[node], size = model->first[node + 1] - first;
    for (int i = 0; i < size; i++)
      block[i * (size + 1)] += problem->rows[first + i].compliance;
  }
}
