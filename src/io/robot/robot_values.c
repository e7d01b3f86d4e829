// robot_values.c - numbers, words and rotations of attributes.
#include "io/robot/robot.h"

#include "io/text/tokens.h"
#include "math/trig.h"
#include "math/vec.h"

#include <string.h>

// A number as MJCF and URDF write it; a trailing comma or the like is a failure.
static bool read_numbers(rgRobot* robot, const rgXmlElement* element,
                         const rgXmlAttribute* attribute, int most, double* values, int* count) {
  rgRobotPlace place = rg_robot_place_of(element, attribute);
  rgTokens tokens = rg_tokens(attribute->value, strlen(attribute->value), "", robot->message);
  rgToken token;
  *count = 0;
  while (rg_token_next(&tokens, &token)) {
    double value;
    if (!rg_token_number(&token, &value) || !isfinite(value))
      return rg_robot_fail(robot, place, "%s of <%s> has '%.*s', must be a finite number",
                           attribute->name, element->name,
                           (int)(token.length < 40 ? token.length : 40), token.text);
    if (*count < most)
      values[*count] = value;
    ++*count;
  }
  return true;
}

bool rg_robot_reals(rgRobot* robot, const rgXmlElement* element, const char* name, int least,
                    int most, double* values, int* count) {
  const rgXmlAttribute* attribute = rg_xml_attribute(element, name);
  int found = 0;
  if (count)
    *count = 0;
  if (!attribute)
    return robot->status == RG_OK;
  if (!read_numbers(robot, element, attribute, most, values, &found))
    return false;
  if (count)
    *count = found;
  if (found >= least && found <= most)
    return robot->status == RG_OK;
  rgRobotPlace place = rg_robot_place_of(element, attribute);
  if (least == most)
    return rg_robot_fail(robot, place, "%s of <%s> has %d numbers, must have %d", name,
                         element->name, found, least);
  return rg_robot_fail(robot, place, "%s of <%s> has %d numbers, must have %d to %d", name,
                       element->name, found, least, most);
}

bool rg_robot_real(rgRobot* robot, const rgXmlElement* element, const char* name, double* value) {
  return rg_robot_reals(robot, element, name, 1, 1, value, NULL);
}

bool rg_robot_vec3(rgRobot* robot, const rgXmlElement* element, const char* name, rgVec3* value) {
  double numbers[3] = {value->x, value->y, value->z};
  bool good = rg_robot_reals(robot, element, name, 3, 3, numbers, NULL);
  *value = v3(numbers[0], numbers[1], numbers[2]);
  return good;
}

bool rg_robot_int(rgRobot* robot, const rgXmlElement* element, const char* name, int* value) {
  double number = *value;
  if (!rg_robot_real(robot, element, name, &number))
    return false;
  if (!(fabs(number) <= 2147483647.0) || floor(number) != number)
    return rg_robot_fail(robot, rg_robot_place_of(element, rg_xml_attribute(element, name)),
                         "%s of <%s> is %g, must be a whole number", name, element->name, number);
  *value = (int)number;
  return true;
}

bool rg_robot_word(rgRobot* robot, const rgXmlElement* element, const char* name,
                   const char* const* words, int* value) {
  const rgXmlAttribute* attribute = rg_xml_attribute(element, name);
  if (!attribute)
    return robot->status == RG_OK;
  char known[160] = "";
  for (int i = 0; words[i]; i++) {
    if (strcmp(words[i], attribute->value) == 0) {
      *value = i;
      return robot->status == RG_OK;
    }
    strncat(known, i ? ", " : "", sizeof known - strlen(known) - 1);
    strncat(known, words[i], sizeof known - strlen(known) - 1);
  }
  return rg_robot_fail(robot, rg_robot_place_of(element, attribute),
                       "%s of <%s> is \"%.40s\", must be one of: %s", name, element->name,
                       attribute->value, known);
}

const char* rg_robot_string(const rgXmlElement* element, const char* name, const char* fallback) {
  const rgXmlAttribute* attribute = rg_xml_attribute(element, name);
  return attribute ? attribute->value : fallback;
}

rgQuat rg_robot_turn(rgVec3 axis, double angle) {
  rgVec3 unit = v3_unit_or(axis, v3_zero());
  double s = rg_sin(angle / 2);
  return (rgQuat){rg_cos(angle / 2), s * unit.x, s * unit.y, s * unit.z};
}

rgQuat rg_robot_from_axes(rgVec3 x, rgVec3 y, rgVec3 z) {
  double trace = x.x + y.y + z.z;
  rgQuat q;
  if (trace > 0)
    q = (rgQuat){1 + trace, y.z - z.y, z.x - x.z, x.y - y.x};
  else if (x.x >= y.y && x.x >= z.z)
    q = (rgQuat){y.z - z.y, 1 + x.x - y.y - z.z, x.y + y.x, z.x + x.z};
  else if (y.y >= z.z)
    q = (rgQuat){z.x - x.z, x.y + y.x, 1 + y.y - x.x - z.z, y.z + z.y};
  else
    q = (rgQuat){x.y - y.x, z.x + x.z, y.z + z.y, 1 + z.z - x.x - y.y};
  return quat_norm2(q) > 0 ? quat_unit(q) : quat_identity();
}

rgQuat rg_robot_from_z(rgVec3 z) {
  rgVec3 unit = v3_unit_or(z, v3(0, 0, 1)), across = v3(-unit.y, unit.x, 0);
  double sine = v3_norm(across);
  // Opposite directions: half a turn about x.
  if (sine < 1e-12)
    return unit.z > 0 ? quat_identity() : (rgQuat){0, 1, 0, 0};
  return rg_robot_turn(across, rg_atan2(sine, unit.z));
}
