#!/usr/bin/env bash
# 100,000 random pairs of convex solids of all kinds: equation 9 holds for the closest points, or those of least
# overlap, to 1e-10 m, and distances are those of fine polytopes within their bounds (tests/unit/test_closest_points.c).
set -uo pipefail
build=${RIGOR_BUILD:?names the build under test}
RIGOR_PAIRS=100000 exec "$build/tests/unit/test_closest_points"
