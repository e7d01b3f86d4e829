// fault_start.c - bodies that overlap before the first step.
//
// No contact law says how two solids that are within each other come apart. The stabilizer moves them by
// the smallest displacement in the kinetic norm, which is what was meant when they overlap by little, and
// may be to the wrong side when they overlap by much. Two convex shapes come apart on the side on which they
// went in as long as the depth is less than the half-width w of the thinner one; from depth w / 10 on,
// positions of the scene are changed visibly: that is wrong. Less is risky as soon as it is more than what
// placing bodies by hand makes of decimal numbers, w / 1000. Overlaps below are left to the stabilizer.
#include "cli/doctor/doctor.h"

#include <math.h>
#include <stdlib.h>

static const double RISKY = 1e-3, WRONG = 0.1; // of the half-width of the thinner shape

typedef struct Overlap {
  rgBodyId a, b;
  double depth, half; // [m]
} Overlap;

static int compare_pairs(const void* left, const void* right) {
  const Overlap *x = left, *y = right;
  if (x->a.index != y->a.index)
    return x->a.index < y->a.index ? -1 : 1;
  if (x->b.index != y->b.index)
    return x->b.index < y->b.index ? -1 : 1;
  return (x->depth < y->depth) - (x->depth > y->depth); // deepest first
}

static void tell(CliDoctor* doctor, const CliFault* fault, const Overlap* overlap) {
  CliWhere a = cli_where_body(doctor, overlap->a), b = cli_where_body(doctor, overlap->b);
  char other[256];
  bool moves = cli_doctor_dynamic(doctor, overlap->a);
  cli_where_text(moves ? &b : &a, other, sizeof other);
  double part = overlap->depth / overlap->half;
  CliFinding* finding =
      cli_doctor_find(doctor, fault, moves ? a : b, overlap->depth, RISKY * overlap->half, "m");
  finding->severity = part > WRONG ? CLI_WRONG : CLI_RISKY;
  cli_doctor_say(finding,
                 "overlaps %s by %.3g m at the start, %.3g %% of the half-width %.3g m of the "
                 "thinner of the two; the first steps push them apart",
                 other, overlap->depth, 100 * part, overlap->half);
  cli_doctor_advise(
      finding,
      "move them apart by %.3g m, make one smaller, or, if they belong together, list "
      "the pair in \"no_collision\"",
      overlap->depth);
}

static void look_overlap(CliDoctor* doctor, const CliFault* fault) {
  Overlap* overlaps = calloc((size_t)doctor->contact_count + 1, sizeof *overlaps);
  int count = 0;
  if (!overlaps) {
    doctor->out_of_memory = true;
    return;
  }
  for (int i = 0; i < doctor->contact_count; ++i) {
    const rgContact* contact = &doctor->contacts[i];
    double half = fmin(doctor->builds[contact->body_a.index].half,
                       doctor->builds[contact->body_b.index].half);
    if (isfinite(half) && -contact->gap > RISKY * half)
      overlaps[count++] = (Overlap){contact->body_a, contact->body_b, -contact->gap, half};
  }
  qsort(overlaps, (size_t)count, sizeof *overlaps, compare_pairs);
  for (int i = 0; i < count; ++i) {
    bool again = i > 0 && overlaps[i].a.index == overlaps[i - 1].a.index &&
                 overlaps[i].b.index == overlaps[i - 1].b.index;
    if (!again)
      tell(doctor, fault, &overlaps[i]);
  }
  free(overlaps);
}

const CliFault cli_faults_start[] = {
    {.name = "overlap",
     .severity = CLI_WRONG,
     .summary = "Bodies are within each other before the first step.",
     .look = look_overlap},
    {0},
};
