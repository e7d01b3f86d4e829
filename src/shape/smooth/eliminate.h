// eliminate.h - small dense systems, possibly singular.
#ifndef SHAPE_SMOOTH_ELIMINATE_H
#define SHAPE_SMOOTH_ELIMINATE_H

enum { RG_ELIMINATE_MAX = 16 };

// Solves matrix * x = right by elimination with complete pivoting, n <= RG_ELIMINATE_MAX. Unknowns that are
// left when all pivots are below `least` times the first one are zero: a singular system is solved as far
// as it determines x. Overwrites matrix and right.
void rg_eliminate(double matrix[RG_ELIMINATE_MAX][RG_ELIMINATE_MAX], int n, double* right,
                  double least, double* x);

#endif
