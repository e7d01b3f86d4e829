// A line of the certificate keeps the worst of what its stage was asked and reached, counts all and what missed.
#include "step/report.h"

#include "support/random.h"
#include "test.h"

// By its definition: a reached number is the worse, the more it is beyond what was asked, as a multiple.
static bool is_worse(double asked, double reached, double worst_asked, double worst_reached) {
  if (reached != reached)
    return true;
  if (asked == 0 && worst_asked == 0)
    return reached > worst_reached;
  if (asked == 0)
    return reached > 0;
  if (worst_asked == 0)
    return worst_reached == 0 && reached > 0;
  return reached / asked > worst_reached / worst_asked;
}

TEST(lines_keep_the_worst_and_count_the_rest) {
  static rgStep step;
  random_state = 5;
  for (int run = 0; run < 200; run++) {
    step.certificate = (rgCertificate){.met = true};
    rgStageReport* line = &step.certificate.stages[RG_STAGE_PROJECTION];
    double asked = 0, reached = 0;
    int missed = 0, count = 1 + (int)(5 * random_unit());
    bool counts = run % 2; // things that must be none, as bodies that are cut
    for (int i = 0; i < count; i++) {
      double a = counts ? 0 : random_between(0.1, 1),
             r = counts ? (double)(int)(4 * random_unit()) : random_between(0, 1.5);
      rg_report_stage(&step, RG_STAGE_PROJECTION, a, r);
      missed += r > a;
      if (i == 0 || is_worse(a, r, asked, reached)) {
        asked = a;
        reached = r;
      }
    }
    CONTEXT("run %d", run);
    CHECK_BITS(line->asked, asked);
    CHECK_BITS(line->reached, reached);
    CHECK_INT(line->count, count);
    CHECK_INT(line->missed, missed);
    CHECK(step.certificate.met == (missed == 0));
    for (int i = 0; i < RG_STAGE_COUNT; i++)
      if (i != RG_STAGE_PROJECTION)
        CHECK_INT(step.certificate.stages[i].count, 0);
  }
}

TEST(what_is_not_a_number_misses) {
  static rgStep step;
  step.certificate = (rgCertificate){.met = true};
  rg_report_stage(&step, RG_STAGE_ENERGY, 1, NAN);
  rg_report_stage(&step, RG_STAGE_ENERGY, 1, 0.5);
  CHECK(isnan(step.certificate.stages[RG_STAGE_ENERGY].reached)); // it cannot hide
  CHECK_INT(step.certificate.stages[RG_STAGE_ENERGY].missed, 1);
  CHECK(!step.certificate.met);
  rgCertificate worst = {.met = true}, fine = {.met = true};
  fine.stages[RG_STAGE_ENERGY] = (rgStageReport){.asked = 1, .reached = 0.5, .count = 1};
  rg_certificate_worst(&worst, &fine);
  rg_certificate_worst(&worst, &step.certificate);
  rg_certificate_worst(&worst, &fine);
  CHECK(isnan(worst.stages[RG_STAGE_ENERGY].reached));
  CHECK_INT(worst.stages[RG_STAGE_ENERGY].count, 3);
  CHECK_INT(worst.stages[RG_STAGE_ENERGY].missed, 1);
}
