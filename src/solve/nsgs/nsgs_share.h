// nsgs_share.h - which batches each member of a team visits.
#ifndef SOLVE_NSGS_NSGS_SHARE_H
#define SOLVE_NSGS_NSGS_SHARE_H

#include "base/team.h"
#include "solve/nsgs/nsgs_pack.h"

enum { RG_NSGS_STRETCHES = 768, RG_NSGS_SEGMENTS = 2048 };

// How a packed form is divided: stretches of batches, in the order of the colours, and the body at which the part of
// each member begins.
typedef struct rgNsgsDivision {
  int members, stretch_count;
  rgNsgsPart stretches[RG_NSGS_STRETCHES];
  int hue_start[2 * RG_NSGS_COLOURS + 1]; // the first stretch of each colour
  int body_start[RG_TEAM_MAX + 1];
} rgNsgsDivision;

// A run of batches that are inner ones, whose bodies no other member visits, or that are not.
typedef struct rgNsgsSegment {
  rgNsgsPart part;
  bool inner;
} rgNsgsSegment;

// What a member visits: a part of each stretch, and the same in segments.
typedef struct rgNsgsShares {
  rgNsgsPart parts[RG_NSGS_STRETCHES];
  int segment_count;
  int hue_start[2 * RG_NSGS_COLOURS + 1]; // the first segment of each colour
  rgNsgsSegment segments[RG_NSGS_SEGMENTS];
} rgNsgsShares;

void rg_nsgs_divide(const rgNsgs* nsgs, int members, rgNsgsDivision* division);
// A member takes its parts, and marks their bodies as its own too; when all have done so, it finds what is inner.
void rg_nsgs_take_parts(const rgNsgs* nsgs, const rgNsgsDivision* division, int member,
                        rgNsgsShares* shares);
void rg_nsgs_find_inner(const rgNsgs* nsgs, const rgNsgsDivision* division, int member,
                        rgNsgsShares* shares);

#endif
