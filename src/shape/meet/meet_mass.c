// meet_mass.c - mass properties of an intersection by adaptive quadrature.
//
// From a point c inside, x = c + t q with q on the surface of the cube from -1 to 1 reaches every point
// once; on the side q = (1, u, v) the volume is t^2 dt du dv. With T(q) the exit of the ray, to rounding,
//   V = sum over sides of int T^3/3 du dv,   int x = c V + int T^4/4 q,   int x x' likewise with T^5/5 q q'.
// Each side is divided into squares with the 5 x 5 rule of Gauss; a square whose four quarters sum to
// something else is divided on, until the difference is below the tolerance or DEPTH is reached. T is smooth
// but for the edges of the solid, along which the squares get small: they alone are uncertain. The error
// that is stated is the sum of |whole - quarters| of the volume over all squares, which is that of the whole
// squares and larger than that of the quarters used, and twice the tolerance at least: rounding and luck.
#include "shape/meet/meet.h"

enum { GAUSS = 5, MOMENTS = 10, DEPTH = 5 };
// Relative, of the volume.
static const double TOLERANCE = 1e-9;

static const double nodes[GAUSS] = {-0.90617984593866399280, -0.53846931010568309104, 0,
                                    0.53846931010568309104, 0.90617984593866399280};
static const double weights[GAUSS] = {0.23692688505618908751, 0.47862867049936646804,
                                      0.56888888888888888889, 0.47862867049936646804,
                                      0.23692688505618908751};

// 1, x, y, z, xx, yy, zz, xy, yz, zx about the point c.
typedef struct Sums {
  double s[MOMENTS];
} Sums;

typedef struct Job {
  const rgMeet* meet;
  int side;
  double tolerance, error;
  Sums sums;
} Job;

static rgVec3 direction(int side, double u, double v) {
  double w = side % 2 ? -1 : 1;
  return side < 2 ? v3(w, u, v) : side < 4 ? v3(u, w, v) : v3(u, v, w);
}

static Sums square(const Job* job, double u, double v, double half) {
  Sums sums = {{0}};
  for (int i = 0; i < GAUSS; i++)
    for (int j = 0; j < GAUSS; j++) {
      int piece;
      rgVec3 q = direction(job->side, u + half * nodes[i], v + half * nodes[j]);
      double t = rg_meet_exit(job->meet, job->meet->center, q, -1, &piece);
      double w = weights[i] * weights[j] * half * half, t3 = w * t * t * t / 3,
             t4 = w * t * t * t * t / 4, t5 = w * t * t * t * t * t / 5;
      const double part[MOMENTS] = {t3,
                                    t4 * q.x,
                                    t4 * q.y,
                                    t4 * q.z,
                                    t5 * q.x * q.x,
                                    t5 * q.y * q.y,
                                    t5 * q.z * q.z,
                                    t5 * q.x * q.y,
                                    t5 * q.y * q.z,
                                    t5 * q.z * q.x};
      for (int k = 0; k < MOMENTS; k++)
        sums.s[k] += part[k];
    }
  return sums;
}

static void divide(Job* job, double u, double v, double half, const Sums* whole, double tolerance,
                   int depth) {
  Sums quarter[4];
  double sum = 0, h = 0.5 * half;
  for (int i = 0; i < 4; i++) {
    quarter[i] = square(job, u + (i & 1 ? h : -h), v + (i & 2 ? h : -h), h);
    sum += quarter[i].s[0];
  }
  double error = fabs(sum - whole->s[0]);
  if (error <= tolerance || depth == 0) {
    job->error += error;
    for (int i = 0; i < 4; i++)
      for (int k = 0; k < MOMENTS; k++)
        job->sums.s[k] += quarter[i].s[k];
    return;
  }
  for (int i = 0; i < 4; i++)
    divide(job, u + (i & 1 ? h : -h), v + (i & 2 ? h : -h), h, &quarter[i], 0.5 * tolerance,
           depth - 1);
}

void rg_meet_find_mass(rgMeet* meet) {
  Job job = {.meet = meet};
  Sums whole[6];
  double rough = 0;
  for (int side = 0; side < 6; side++) {
    job.side = side;
    whole[side] = square(&job, 0, 0, 1);
    rough += whole[side].s[0];
  }
  for (job.side = 0; job.side < 6; job.side++)
    divide(&job, 0, 0, 1, &whole[job.side], TOLERANCE * rough / 6, DEPTH);
  const double* s = job.sums.s;
  double v = s[0];
  rgVec3 c = v3(s[1] / v, s[2] / v, s[3] / v);
  double xx = s[4] - v * c.x * c.x, yy = s[5] - v * c.y * c.y, zz = s[6] - v * c.z * c.z;
  double xy = s[7] - v * c.x * c.y, yz = s[8] - v * c.y * c.z, zx = s[9] - v * c.z * c.x;
  rgMat3 inertia = {{{yy + zz, -xy, -zx}, {-xy, zz + xx, -yz}, {-zx, -yz, xx + yy}}};
  meet->mass = (rgMassProperties){v, v3_add(meet->center, c), inertia};
  meet->mass_error = 2 * TOLERANCE + job.error / v;
}
