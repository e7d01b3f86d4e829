// nsgs_share.c - which batches each member of a team visits.
//
// A line of memory that two processors write in turn takes longer to come from the other one than a visit takes. So a
// member has the same bodies in every colour: those from one body to another in their order, which is that of
// the contacts within a colour as well, and most neighbours in a heap are near in it. Within a colour the order goes
// through the bodies several times, first for what does not press, then by the number of points: each run
// upward is a stretch, and a member has a part of each, with bounds found by bisection. What does not press rests most of
// the time, and counts less.
//
// Few batches have bodies that another member visits too, near the bounds; all others are inner ones, and their members
// visit them without waiting for anybody.
//
// Cost: a pass over the places of all batches by one thread, two more that are shared.
#include "solve/nsgs/nsgs_share.h"

#include <string.h>

enum {
  STRETCH_LEAST = 32, // [batches] a shorter run is not worth a stretch
  SEGMENT_LEAST = 4,  // a shorter run of inner batches is visited with those beside it
  BINS = 512,         // of bodies, to find bounds by
  PRESSES = 3,        // weight of a point that presses, where one that does not counts 1
};

// The lower one of the bodies of a batch's first lane. Dummies are behind all bodies; where there is nothing else the last
// body stands for them.
static int first_body(const rgNsgs* nsgs, bool ball, int index) {
  const int32_t* at = nsgs->form->places(nsgs, ball, index);
  int32_t a = at[0], b = at[nsgs->form->lanes], body = (a < b ? a : b) / RG_NSGS_BODY;
  return body < nsgs->body_count ? body : nsgs->body_count - 1;
}

static void find_bounds(int bodies, const int* weight, rgNsgsDivision* division) {
  int64_t total = 0, sum = 0;
  for (int i = 0; i < BINS; i++)
    total += weight[i];
  int member = 1;
  for (int i = 0; i < BINS; i++) {
    for (; member < division->members && sum * division->members >= total * member; member++)
      division->body_start[member] = (int)((int64_t)bodies * i / BINS);
    sum += weight[i];
  }
  for (; member <= division->members; member++)
    division->body_start[member] = bodies;
  division->body_start[0] = 0;
}

void rg_nsgs_divide(const rgNsgs* nsgs, int members, rgNsgsDivision* division) {
  int weight[BINS] = {0}, count = 0, bodies = nsgs->body_count;
  memset(nsgs->masks, 0, (size_t)bodies * sizeof *nsgs->masks);
  for (int k = 0; k < nsgs->hue_count; k++) {
    rgNsgsPart hue = nsgs->hues[k];
    division->hue_start[k] = count;
    int last = -1, room = RG_NSGS_STRETCHES - (nsgs->hue_count - k);
    rgNsgsPart* stretch = &division->stretches[count++];
    *stretch = (rgNsgsPart){hue.balls, hue.first, hue.end};
    for (int i = hue.first; i < hue.end; i++) {
      int body = first_body(nsgs, hue.balls, i), points = hue.balls ? 1 : nsgs->runs[i].count;
      bool second = !hue.balls && nsgs->runs[i].twin == 2;
      if (body < last && i - stretch->first >= STRETCH_LEAST && !second && count < room) {
        stretch->end = i;
        *++stretch = (rgNsgsPart){hue.balls, i, hue.end};
        count++;
      }
      last = body;
      weight[(int64_t)body * BINS / bodies] += points * (i < nsgs->pressing[k] ? 1 : PRESSES);
    }
  }
  division->hue_start[nsgs->hue_count] = division->stretch_count = count;
  division->members = members;
  find_bounds(bodies, weight, division);
}

// The first batch of a stretch that is not before a body. Twins stay together.
static int bound_in(const rgNsgs* nsgs, rgNsgsPart stretch, int body) {
  int low = stretch.first, high = stretch.end;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (first_body(nsgs, stretch.balls, middle) < body)
      low = middle + 1;
    else
      high = middle;
  }
  while (!stretch.balls && low < stretch.end && nsgs->runs[low].twin == 2)
    low++;
  return low;
}

static void mark_bodies(const rgNsgs* nsgs, rgNsgsPart part, uint64_t own) {
  int32_t end = nsgs->body_count * RG_NSGS_BODY;
  for (int i = part.first; i < part.end; i++) {
    const int32_t* at = nsgs->form->places(nsgs, part.balls, i);
    for (int lane = 0; lane < 2 * nsgs->form->lanes; lane++) {
      uint64_t* mask = &nsgs->masks[at[lane] / RG_NSGS_BODY];
      if (at[lane] < end && !(__atomic_load_n(mask, __ATOMIC_RELAXED) & own))
        __atomic_fetch_or(mask, own, __ATOMIC_RELAXED);
    }
  }
}

void rg_nsgs_take_parts(const rgNsgs* nsgs, const rgNsgsDivision* division, int member,
                        rgNsgsShares* shares) {
  for (int k = 0; k < division->stretch_count; k++) {
    rgNsgsPart part = division->stretches[k];
    int first = part.first, end = part.end;
    if (member > 0)
      first = bound_in(nsgs, part, division->body_start[member]);
    if (member + 1 < division->members)
      end = bound_in(nsgs, part, division->body_start[member + 1]);
    shares->parts[k] = (rgNsgsPart){part.balls, first, end};
    mark_bodies(nsgs, shares->parts[k], (uint64_t)1 << member);
  }
}

static bool is_inner(const rgNsgs* nsgs, bool ball, int index, uint64_t own) {
  int32_t end = nsgs->body_count * RG_NSGS_BODY;
  const int32_t* at = nsgs->form->places(nsgs, ball, index);
  for (int lane = 0; lane < 2 * nsgs->form->lanes; lane++)
    if (at[lane] < end && nsgs->masks[at[lane] / RG_NSGS_BODY] != own)
      return false;
  return true;
}

// The end of the run of inner batches that begins at a batch. A pair of twins is inner where both are.
static int inner_end(const rgNsgs* nsgs, rgNsgsPart part, int first, uint64_t own) {
  int end = first;
  for (; end < part.end && is_inner(nsgs, part.balls, end, own); end++)
    ;
  return end > first && !part.balls && nsgs->runs[end - 1].twin == 1 ? end - 1 : end;
}

static int after(const rgNsgs* nsgs, bool ball, int index) {
  return index + 1 + (!ball && nsgs->runs[index].twin == 1);
}

static void add_segment(rgNsgsShares* shares, bool balls, int first, int end, bool inner) {
  if (first < end)
    shares->segments[shares->segment_count++] = (rgNsgsSegment){{balls, first, end}, inner};
}

// Cuts a part into segments, or takes it as one where there is little room.
static void cut_part(const rgNsgs* nsgs, rgNsgsPart part, int room, uint64_t own,
                     rgNsgsShares* shares) {
  int outer = part.first;
  bool fits = 2 * (part.end - part.first) / SEGMENT_LEAST + 1 <= room;
  for (int i = part.first, end; i < part.end && fits;
       i = end > i ? end : after(nsgs, part.balls, i)) {
    end = inner_end(nsgs, part, i, own);
    if (end - i < SEGMENT_LEAST)
      continue;
    add_segment(shares, part.balls, outer, i, false);
    add_segment(shares, part.balls, i, end, true);
    outer = end;
  }
  add_segment(shares, part.balls, outer, part.end, false);
}

void rg_nsgs_find_inner(const rgNsgs* nsgs, const rgNsgsDivision* division, int member,
                        rgNsgsShares* shares) {
  shares->segment_count = 0;
  for (int hue = 0; hue < nsgs->hue_count; hue++) {
    shares->hue_start[hue] = shares->segment_count;
    for (int k = division->hue_start[hue]; k < division->hue_start[hue + 1]; k++) {
      int room = RG_NSGS_SEGMENTS - shares->segment_count - (division->stretch_count - k);
      cut_part(nsgs, shares->parts[k], room, (uint64_t)1 << member, shares);
    }
  }
  shares->hue_start[nsgs->hue_count] = shares->segment_count;
}
