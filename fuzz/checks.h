// checks.h - what holds of a world after every step, whatever was asked of it. For the targets that
// step worlds.
#ifndef FUZZ_CHECKS_H
#define FUZZ_CHECKS_H

#include <math.h>
#include <rigor/rigor.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Ends the process, and says where, when something does not hold.
#define require(...) require_at(__VA_ARGS__, #__VA_ARGS__, __FILE__, __LINE__)
static inline void require_at(bool holds, const char* text, const char* file, int line) {
  if (holds)
    return;
  fprintf(stderr, "%s:%d: %s does not hold\n", file, line, text);
  abort();
}

enum { PATH_SIZE = 512 };

// Makes a folder of its own: in one that everybody can write to, a name that can be guessed can be a link
// to anywhere.
static inline void make_folder(char folder[PATH_SIZE]) {
  const char* parent = getenv("TMPDIR");
  snprintf(folder, PATH_SIZE, "%s/rigor-fuzz-XXXXXX", parent && parent[0] ? parent : "/tmp");
  require(mkdtemp(folder) != NULL);
}

static inline void check_poses(const rgWorld* world) {
  for (int i = 0; i < rg_world_body_count(world); i++) {
    rgBodyId id = rg_world_body(world, i);
    rgPose pose = rg_body_pose(world, id);
    rgQuat q = pose.orientation;
    require(isfinite(pose.position.x + pose.position.y + pose.position.z));
    require(fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) < 1e-6);
    require(isfinite(rg_body_velocity(world, id).linear.x));
  }
}

// Rays from body to body and distances between bodies: the first hit is the first of all hits, numbers
// are numbers, and nothing is changed.
static inline void check_queries(const rgWorld* world) {
  enum { HITS = 64, BODIES = 6 };
  uint64_t hash = rg_world_hash(world);
  int bodies = rg_world_body_count(world), most = bodies < BODIES ? bodies : BODIES;
  for (int i = 0; i + 1 < most; i++) {
    rgBodyId a = rg_world_body(world, i), b = rg_world_body(world, i + 1);
    rgVec3 from = rg_body_center(world, a), to = rg_body_center(world, b);
    rgRay ray = {from, {to.x - from.x, to.y - from.y, to.z - from.z}, HUGE_VAL};
    rgQueryFilter filter = rg_query_filter();
    filter.ignore = a;
    rgRayHit hit, hits[HITS];
    int count;
    rgStatus first = rg_world_ray(world, &ray, &filter, &hit, NULL);
    rgStatus all = rg_world_ray_all(world, &ray, &filter, hits, HITS, &count, NULL);
    require((first == RG_ERROR_INPUT) == (all == RG_ERROR_INPUT));
    require(all != RG_OK || (first == RG_OK) == (count > 0));
    if (first == RG_OK) {
      require(hit.distance >= 0 && hit.distance == hits[0].distance);
      require(rg_shape_equal(hit.shape, hits[0].shape));
      double length2 =
          hit.normal.x * hit.normal.x + hit.normal.y * hit.normal.y + hit.normal.z * hit.normal.z;
      require(fabs(length2 - 1) < 1e-9);
    }
    rgClosest closest;
    if (rg_body_distance(world, a, b, &closest, NULL) == RG_OK)
      require(!isnan(closest.distance));
  }
  require(rg_world_hash(world) == hash);
}

// Velocities of a certificate that was computed twice: they may differ by what its rounding makes of
// velocities of this size.
static inline bool agrees(double judged, double said, double scale) {
  return judged == said || fabs(judged - said) <= 1e-9 * (scale + fabs(said)) ||
         (isnan(judged) && isnan(said)); // infinite where nothing sets a scale
}

// The problems that a step hands out are those that it was certified for.
static inline void check_islands(const rgWorld* world) {
  for (int i = 0; i < rg_world_island_count(world); i++) {
    rgProblem problem;
    rgSolution solution;
    rgCertificate said, judged;
    require(rg_world_island(world, i, &problem, &solution, &said) == RG_OK);
    rg_problem_certify(&problem, &solution, said.tolerance, &judged);
    require(agrees(judged.residual, said.residual, 1));
    require(agrees(judged.joint, said.joint, said.scale));
    require(agrees(judged.signorini, said.signorini, said.scale));
    require(agrees(judged.coulomb, said.coulomb, said.scale));
    require(judged.met == said.met || agrees(judged.residual, said.tolerance, 1));
  }
}

#endif
