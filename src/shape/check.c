// check.c - checks of the numbers in a shape definition, with messages.
#include "shape/check.h"
#include "base/message.h"
#include "math/vec.h"

// A quaternion this far from length 1 [-] is a mistake rather than rounding in a text file with
// six digits or more; what passes is normalised.
static const double unit_tolerance = 1e-6;

static bool wrong(rgMessage* message, const char* name, double value, const char* right) {
  rg_fail(message, RG_ERROR_INPUT, "%s is %.9g, must be %s", name, value, right);
  return false;
}

bool rg_check_positive(double value, const char* name, rgMessage* message) {
  if (!(value > 0))
    return wrong(message, name, value, "> 0");
  return isfinite(value) || wrong(message, name, value, "finite");
}

bool rg_check_count(int value, int lower, int upper, const char* name, rgMessage* message) {
  if (value < lower) {
    rg_fail(message, RG_ERROR_INPUT, "%s is %d, must be at least %d", name, value, lower);
    return false;
  }
  if (value > upper) {
    rg_fail(message, RG_ERROR_INPUT, "%s is %d, must be at most %d", name, value, upper);
    return false;
  }
  return true;
}

bool rg_check_given(const void* pointer, const char* name, rgMessage* message) {
  if (pointer)
    return true;
  rg_fail(message, RG_ERROR_INPUT, "%s is NULL, must be given", name);
  return false;
}

bool rg_check_points(const rgShapeDef* def, int lower, int upper, rgMessage* message) {
  if (!rg_check_count(def->point_count, lower, upper, "point_count", message) ||
      !rg_check_given(def->points, "points", message))
    return false;
  for (int i = 0; i < def->point_count; i++) {
    rgVec3 p = def->points[i];
    if (!v3_finite(p)) {
      rg_fail(message, RG_ERROR_INPUT, "points[%d] is (%.9g, %.9g, %.9g), must be finite", i, p.x,
              p.y, p.z);
      return false;
    }
  }
  return true;
}

bool rg_check_common(const rgShapeDef* def, rgMessage* message) {
  if ((unsigned)def->kind >= RG_SHAPE_KIND_COUNT) {
    rg_fail(message, RG_ERROR_INPUT, "kind is %d, must be 0 to %d", (int)def->kind,
            RG_SHAPE_KIND_COUNT - 1);
    return false;
  }
  rgVec3 p = def->pose.position;
  if (!v3_finite(p)) {
    rg_fail(message, RG_ERROR_INPUT, "pose.position is (%.9g, %.9g, %.9g), must be finite", p.x,
            p.y, p.z);
    return false;
  }
  double length = sqrt(quat_norm2(def->pose.orientation));
  if (!(fabs(length - 1) <= unit_tolerance)) {
    rg_fail(message, RG_ERROR_INPUT, "pose.orientation has length %.9g, must be 1", length);
    return false;
  }
  if (!(def->density >= 0 && isfinite(def->density)))
    return wrong(message, "density", def->density, def->density > 0 ? "finite" : ">= 0");
  return rg_check_count(def->material, 0, INT32_MAX, "material", message);
}
