// The table of the certificate's fields names every number of the certificate, once, and judges a
// run by it.
#include "test.h"

#include <rigor/problem.h>

static size_t size_of(const rgCertificateField* field) {
  return field->type == RG_CERTIFICATE_REAL  ? sizeof(double)
         : field->type == RG_CERTIFICATE_INT ? sizeof(int)
                                             : sizeof(bool);
}

// Bytes that no field names are padding, or the count of a stage: a member that is added to the
// struct without a line in the table is found here.
TEST(every_member_has_a_field) {
  char seen[sizeof(rgCertificate)] = {0};
  const rgCertificateField* field;
  for (int i = 0; (field = rg_certificate_field(i)); i++) {
    CONTEXT("%s", field->name);
    REQUIRE(field->offset + size_of(field) <= sizeof seen);
    for (size_t k = 0; k < size_of(field); k++) {
      CHECK_INT(seen[field->offset + k], 0); // no byte has two names
      seen[field->offset + k] = 1;
    }
    CHECK(field->summary[0] && field->help[0]);
    CHECK(rg_certificate_find(field->name) == field);
  }
  size_t unseen = 0;
  for (size_t k = 0; k < sizeof seen; k++)
    unseen += !seen[k];
  size_t counts = RG_STAGE_COUNT * sizeof(int);
  size_t padding = sizeof(double) - sizeof(bool); // after `met`
  CHECK_MSG(unseen == counts + padding, "%zu bytes have no field", unseen);
  CHECK(rg_certificate_field(-1) == NULL);
  CHECK(rg_certificate_find("residuals") == NULL);
}

TEST(stages_have_three_fields_with_their_name_and_unit) {
  static const char* const parts[] = {"asked", "reached", "missed"};
  for (int stage = 0; stage < RG_STAGE_COUNT; stage++)
    for (int k = 0; k < 3; k++) {
      const rgStageInfo* info = rg_stage_info(stage);
      char name[64];
      snprintf(name, sizeof name, "%s_%s", rg_stage_name((rgStage)stage), parts[k]);
      const rgCertificateField* field = rg_certificate_find(name);
      REQUIRE_MSG(field != NULL, "%s", name);
      CHECK_INT(field->stage, stage);
      CHECK_STR(field->unit, k < 2 ? info->unit : "");
      CHECK(info->summary[0] && info->missed[0]);
    }
  CHECK(rg_stage_info(RG_STAGE_COUNT) == NULL);
  CHECK(rg_stage_name(RG_STAGE_COUNT) == NULL);
}

TEST(values_come_from_their_members) {
  rgCertificate c = {.residual = 0.25, .contacts = 7, .met = true};
  c.stages[RG_STAGE_PROJECTION].missed = 3;
  CHECK_BITS(rg_certificate_value(&c, rg_certificate_find("residual")), 0.25);
  CHECK_BITS(rg_certificate_value(&c, rg_certificate_find("contacts")), 7);
  CHECK_BITS(rg_certificate_value(&c, rg_certificate_find("met")), 1);
  CHECK_BITS(rg_certificate_value(&c, rg_certificate_find("projection_missed")), 3);
}

TEST(a_run_is_judged_by_its_worst_steps) {
  rgCertificate worst = {.met = true, .tolerance = 1e-4};
  rgCertificate a = {.residual = 0.1, .penetration = 2, .energy = 5, .met = true};
  rgCertificate b = {.residual = 0.2, .penetration = 1, .energy = 6, .met = false};
  b.stages[RG_STAGE_PROJECTION] =
      (rgStageReport){.asked = 1e-4, .reached = 0.01, .count = 4, .missed = 2};
  rgCertificate c = {.residual = 0.05, .met = true};
  c.stages[RG_STAGE_PROJECTION] = (rgStageReport){.asked = 2e-4, .reached = 1e-4, .count = 1};
  rg_certificate_worst(&worst, &a);
  CHECK(worst.met);
  rg_certificate_worst(&worst, &b);
  rg_certificate_worst(&worst, &c);
  CHECK(!worst.met);
  CHECK_BITS(worst.residual, 0.2);
  CHECK_BITS(worst.penetration, 2);
  CHECK_BITS(worst.energy, 0);       // neither largest nor smallest is worst
  CHECK_BITS(worst.tolerance, 1e-4); // what was asked is not folded
  const rgStageReport* stage = &worst.stages[RG_STAGE_PROJECTION];
  CHECK_INT(stage->count, 2);  // steps that needed it
  CHECK_INT(stage->missed, 1); // steps that missed it
  CHECK_BITS(stage->reached, 0.01);
  CHECK_BITS(stage->asked, 1e-4);
}

TEST(a_number_that_is_not_one_is_worst) {
  rgCertificate worst = {.met = true}, bad = {.residual = (double)NAN}, good = {.residual = 1};
  rg_certificate_worst(&worst, &bad);
  rg_certificate_worst(&worst, &good);
  CHECK(isnan(worst.residual));
}
