// fault_scale.c - lengths and gravity in different units, and positions so far away that digits are lost.
//
// Nothing in a step knows a unit, but gravity tells one: 9.81 is the earth's in metres, 981 in centimetres,
// 9810 in millimetres. A body of half-width s falls its own width in the time sqrt(4 s / g). Bodies that one
// simulates are between grains of sand and wagons, 0.1 mm to 5 m thick. Where half of all bodies of a
// scene are beyond that, taken in the unit that gravity tells, lengths are in another one: parts of 20 mm
// given as 20 are 20 m to a gravity in metres, fall their width in 2 s instead of 64 ms, and look like
// planets in slow motion; the same parts in metres beside a gravity in millimetres are dust.
//
// Where gravity is not the earth's, nothing is said.
//
// Digits: a position x is rounded to x 2^-53; contacts need 1e-9 of the half-width.
#include "cli/doctor/units.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const double LARGE = 2.5, SMALL = 5e-5; // [m] half-widths
static const double NEAR = 0.03;   // gravity varies by 0.5 % over the earth; 10 is used for it
static const double DIGITS = 1e-9; // of the half-width

double cli_units_length(const CliDoctor* doctor) {
  static const double units[] = {1, 0.01, 0.001};
  for (int i = 0; i < 3; ++i)
    if (fabs(doctor->g * units[i] / 9.81 - 1) < NEAR)
      return units[i];
  return 0;
}

static int compare_reals(const void* left, const void* right) {
  double a = *(const double*)left, b = *(const double*)right;
  return (a > b) - (a < b);
}

// Median of the half-widths of dynamic bodies, and the body next to it; 0 when there is none.
static double median_half(const CliDoctor* doctor, rgBodyId* body) {
  double* halves = calloc((size_t)doctor->body_count + 1, sizeof *halves);
  int count = 0;
  for (int i = 0; halves && i < doctor->body_count; ++i)
    if (cli_doctor_dynamic(doctor, rg_world_body(doctor->start, i)) &&
        isfinite(doctor->builds[i].half))
      halves[count++] = doctor->builds[i].half;
  double median = 0;
  if (count > 0) {
    qsort(halves, (size_t)count, sizeof *halves, compare_reals);
    median = halves[(count - 1) / 2];
  }
  for (int i = 0; i < doctor->body_count && count > 0; ++i) {
    rgBodyId id = rg_world_body(doctor->start, i);
    if (cli_doctor_dynamic(doctor, id) && doctor->builds[i].half == median) {
      *body = id;
      break;
    }
  }
  free(halves);
  return median;
}

static const char* unit_name(double unit) {
  return unit == 1 ? "metres" : unit == 0.01 ? "centimetres" : "millimetres";
}

static void look_scale(CliDoctor* doctor, const CliFault* fault) {
  rgBodyId body = {0, 0};
  double unit = cli_units_length(doctor), half = median_half(doctor, &body), size = half * unit;
  if (unit == 0 || half == 0 || (size > SMALL && size < LARGE))
    return;
  bool large = size >= LARGE;
  char name[256];
  CliWhere where = cli_where_body(doctor, body);
  cli_where_text(&where, name, sizeof name);
  CliFinding* finding = cli_doctor_find(doctor, fault, cli_where_option("gravity"),
                                        large ? size : SMALL, large ? LARGE : size, "m");
  cli_doctor_say(
      finding,
      "gravity is %.4g, the earth's in %s, but bodies are typically %.3g %s across (%s): "
      "they fall their own width in %.2g s; lengths seem to be in %s",
      doctor->g, unit_name(unit), 2 * half, unit_name(unit), name, sqrt(4 * half / doctor->g),
      large && unit == 1 ? "millimetres" : "another unit");
  if (large && unit == 1)
    cli_doctor_advise(finding, "give lengths in metres (times 0.001), or gravity in mm/s2 (9810) "
                               "together with densities and forces in these units");
  else
    cli_doctor_advise(finding, "give gravity in the unit of the lengths: 9.81 for metres, 981 for "
                               "centimetres, 9810 for millimetres");
}

static void look_far(CliDoctor* doctor, const CliFault* fault) {
  for (int i = 0; i < doctor->body_count; ++i) {
    rgBodyId id = rg_world_body(doctor->start, i);
    double half = doctor->builds[i].half, away = rg_vec3_norm(rg_body_center(doctor->start, id));
    if (!cli_doctor_dynamic(doctor, id) || !isfinite(half) || !(away * DBL_EPSILON > DIGITS * half))
      continue;
    CliFinding* finding = cli_doctor_find(doctor, fault, cli_where_body(doctor, id),
                                          away * DBL_EPSILON, DIGITS * half, "m");
    cli_doctor_say(finding,
                   "is %.3g m away from the origin: positions there are rounded to %.2g m, %.1g of "
                   "its half-width",
                   away, away * DBL_EPSILON, away * DBL_EPSILON / half);
    cli_doctor_advise(finding, "move the whole scene so that the origin is among the bodies");
  }
}

static const char* const by_scale[] = {"scale", NULL};

const CliFault cli_faults_scale[] = {
    {.name = "scale",
     .severity = CLI_WRONG,
     .summary = "Lengths and gravity are in different units.",
     .look = look_scale},
    {.name = "far-away",
     .severity = CLI_RISKY,
     .summary = "A body is so far from the origin that digits of its position are lost.",
     .explained_by = by_scale,
     .look = look_far},
    {0},
};
