// direct_model.h - the rows of a problem as a sparse matrix G M^-1 G' + C, joint by joint.
//
// Consecutive rows on the same two bodies are one joint, a node of the matrix. A body with many
// joints would couple each of them to all others; it is cut into pieces of equal share, welded one
// to the next, so that no piece has more than a few joints and trees of any shape cost time linear
// in their joints. The welds are nodes as well, with rows of their own behind those of the problem.
#ifndef SOLVE_DIRECT_DIRECT_MODEL_H
#define SOLVE_DIRECT_DIRECT_MODEL_H

#include "math/rank_ldl.h"
#include "solve/solver.h"

enum {
  RG_PIECE_JOINTS = 6,                 // joints of the problem on a piece
  RG_PIECE_NODES = RG_PIECE_JOINTS + 2 // and a weld to the piece before and after it
};

// The squared sine of the angle between a row and the span of others below which it is one of them.
// Rounding makes 1e-13 and less of a dependent row of a loop of a hundred joints; a loop whose
// joints miss each other by a millionth of its size makes 1e-12.
#define RG_DIRECT_REDUNDANT 1e-11

typedef struct rgDirectNode {
  int body[2];  // -1: none
  int piece[2]; // of these bodies
} rgDirectNode;

typedef struct rgDirectPiece {
  int count;
  int node[RG_PIECE_NODES]; // 2 * node + side
} rgDirectPiece;

typedef struct rgDirectModel {
  const rgProblem* problem;
  int node_count, piece_count;
  int row_count; // of the problem and of welds
  rgDirectNode* nodes;
  int* first; // first row of each node, node_count + 1
  rgDirectPiece* pieces;
  int* first_piece; // of each body, body_count + 1
  int* joint_count; // of each body, so far
  int (*edges)[2];
  rgRankMatrix matrix;
} rgDirectModel;

void rg_direct_carve(rgDirectModel* model, const rgProblem* problem, rgCarver* carver);
// Nodes, pieces and the order of elimination. False when the factor has no room.
bool rg_direct_build(rgDirectModel* model);
// G M^-1 G' + C into the matrix.
void rg_direct_assemble(rgDirectModel* model);

#endif
