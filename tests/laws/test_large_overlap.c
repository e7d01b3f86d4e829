// Large worlds that start in overlap: the projection of positions recovers islands of any number of
// bodies, and says so where it does not.
//
// Grids of spheres of radius 1/2 whose neighbours overlap by 1 %, without gravity: one island, which
// must spread until nothing overlaps by more than the tolerance of the projection.
#include "support/builder.h"
#include "test.h"

static const double RADIUS = 0.5, OVERLAP = 0.01; // [m]

static rgWorld* make_grid(const int counts[3], const char* preset) {
  rgWorld* world = build_still(preset);
  build_set_default_material(world, 0, 0);
  double spacing = 2 * RADIUS - OVERLAP;
  for (int i = 0; i < counts[0]; i++)
    for (int j = 0; j < counts[1]; j++)
      for (int k = 0; k < counts[2]; k++)
        build_sphere(world, RADIUS, v3_scale(v3(i, j, k), spacing));
  return world;
}

// The largest overlap of neighbours in the grid, from the centres alone: spheres two places apart
// never touch.
static double largest_overlap(const rgWorld* world, const int counts[3]) {
  const int strides[3] = {counts[1] * counts[2], counts[2], 1};
  double overlap = 0;
  for (int i = 0; i < rg_world_body_count(world); i++) {
    rgVec3 center = rg_body_center(world, rg_world_body(world, i));
    const int place[3] = {i / strides[0], i / strides[1] % counts[1], i % counts[2]};
    for (int axis = 0; axis < 3; axis++)
      if (place[axis] + 1 < counts[axis]) {
        rgVec3 other = rg_body_center(world, rg_world_body(world, i + strides[axis]));
        overlap = fmax(overlap, 2 * RADIUS - distance(center, other));
      }
  }
  return overlap;
}

static void check_recovery(const int counts[3], const char* preset) {
  enum { STEPS = 20 };
  rgWorld* world = make_grid(counts, preset);
  double allowed = rg_world_options(world)->projection_tolerance * RADIUS;
  double last = largest_overlap(world, counts);
  CHECK_NEAR(last, OVERLAP, 1e-12);
  for (int step = 0; step < STEPS; step++) {
    rgCertificate certificate;
    REQUIRE_MSG(rg_world_step(world, &certificate) == RG_OK, "%s", rg_world_message(world));
    CONTEXT("%d x %d x %d, %s, step %d", counts[0], counts[1], counts[2], preset, step);
    double overlap = largest_overlap(world, counts);
    // What the certificate says is what the geometry says.
    CHECK_NEAR(certificate.penetration, fmax(overlap, 0), 1e-9);
    bool told = !certificate.met && certificate.stages[RG_STAGE_PROJECTION].missed > 0;
    bool better = overlap < last || overlap <= allowed;
    CHECK_MSG(better || told, "overlap %g after %g, and nothing is said", overlap, last);
    CHECK_MSG(certificate.met || told, "not met, but not for the projection's sake");
    // What is not met may do nothing; it must not make things worse.
    CHECK_MSG(overlap <= last + 1e-12, "overlap %g after %g", overlap, last);
    last = overlap;
  }
  // The preset realtime has not the sweeps for a long row; what it says of that was checked above.
  CHECK_MSG(last <= allowed * (1 + 1e-6) || strcmp(preset, "realtime") == 0,
            "overlap %g m after %d steps, allowed %g", last, STEPS, allowed);
  // Symmetric pushes: the centre of mass of the grid stays where it was, and nothing flies off.
  rgTwist momentum = rg_world_momentum(world);
  CHECK_NEAR(v3_norm(momentum.linear), 0, 1e-9);
  rg_world_destroy(world);
}

// 4018 and 4116 bodies, on both sides of 4,096; and islands of other shapes beyond it.
TEST(grids_of_four_thousand_spheres_recover_from_overlap) {
  const int grids[][3] = {{7, 7, 82}, {7, 7, 84}};
  for (int i = test_fast() ? 1 : 0; i < 2; i++)
    check_recovery(grids[i], "default");
}

TEST(flat_and_cubic_grids_recover_from_overlap) {
  const int grids[][3] = {{65, 65, 1}, {17, 17, 15}};
  for (int i = test_fast() ? 1 : 0; i < 2; i++)
    check_recovery(grids[i], "default");
}

TEST(small_grids_recover_from_overlap) {
  const int grids[][3] = {{2, 1, 1}, {3, 3, 3}, {5, 5, 5}, {12, 12, 1}, {1, 1, 40}};
  const char* presets[] = {"realtime", "default", "reference"};
  for (int i = 0; i < 5; i++)
    for (int k = 0; k < (test_fast() ? 1 : 3); k++)
      check_recovery(grids[i], presets[k]);
}
