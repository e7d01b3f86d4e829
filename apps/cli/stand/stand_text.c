// stand_text.c - an answer of `rigor stand` in sentences.
#include "cli/stand/stand.h"
#include "cli/text/text.h"
#include <rigor/vec_math.h>

#include <math.h>
#include <string.h>

static double gravity_of(const CliAssembly* assembly) {
  return rg_vec3_norm(rg_world_options(assembly->world)->gravity);
}

const char* cli_stand_verdict(const CliStand* stand) {
  static const char* const verdicts[] = {"stands", "falls", "undecided"};
  return verdicts[stand->verdict];
}

void cli_stand_name(const CliStand* stand, rgBodyId id, char* text, size_t size) {
  const char* name =
      rg_body_valid(stand->assembly.world, id) ? rg_body_name(stand->assembly.world, id) : NULL;
  cli_clean(name ? name : "", text, size);
  if (!text[0])
    snprintf(text, size, "body %u", (unsigned)id.index);
}

void cli_stand_say_verdict(const CliStand* stand, char* text, size_t size) {
  const CliAssembly* assembly = &stand->assembly;
  if (stand->verdict == CLI_STATICS_STANDS)
    snprintf(text, size, "forces within the friction cones balance every load (largest %.4g N)",
             stand->largest);
  else if (stand->verdict == CLI_STATICS_UNDECIDED)
    snprintf(text, size,
             "neither forces nor a motion were found to the accuracy of a proof; it is at the "
             "limit");
  else if (assembly->alone > 0)
    snprintf(text, size, "'%s' touches nothing%s", assembly->alone_name,
             assembly->alone > 1 ? ", nor do others" : "");
  else
    snprintf(text, size,
             "a motion opens every contact that it moves, and the loads do work in it; no forces "
             "within the cones balance them");
}

void cli_stand_say_friction(const CliStand* stand, char* text, size_t size) {
  const CliMargin* friction = &stand->friction;
  if (friction->stands == 0)
    snprintf(text, size, "it stands without friction");
  else if (isinf(friction->stands))
    snprintf(text, size, "no friction is enough");
  else
    snprintf(text, size, "%s %.5g times the coefficients (%.5g falls)",
             stand->verdict == CLI_STATICS_STANDS ? "enough with" : "it would stand with",
             friction->stands, friction->falls);
}

void cli_stand_say_shaking(const CliStand* stand, char* text, size_t size) {
  const CliMargin* shaking = &stand->shaking;
  double g = gravity_of(&stand->assembly);
  if (isinf(shaking->falls))
    snprintf(text, size, "no horizontal acceleration makes it fall");
  else if (stand->assembly.has_forces)
    snprintf(text, size, "bears %.5g m/s2 in every direction (%.4g g)", shaking->stands,
             shaking->stands / g);
  else
    snprintf(text, size, "bears %.5g m/s2 in every direction (%.4g g), a tilt of %.4g degrees",
             shaking->stands, shaking->stands / g,
             atan(shaking->stands / g) * 180 / 3.14159265358979323846);
}

void cli_stand_say_forces(const CliStand* stand, char* text, size_t size) {
  if (isinf(stand->forces.falls))
    snprintf(text, size, "no factor on them makes it fall");
  else
    snprintf(text, size, "bears %.5g times those besides gravity (%.5g falls)",
             stand->forces.stands, stand->forces.falls);
}

void cli_stand_say_distribution(const CliStand* stand, char* text, size_t size) {
  const CliDistribution* all = &stand->distribution;
  const char* which = all->least ? "those of least norm" : "some that balance";
  if (!all->known)
    snprintf(text, size, "which of them are unique is not known (too many contacts); given are %s",
             which);
  else if (all->freedom == 0)
    snprintf(text, size, "all are unique");
  else
    snprintf(text, size,
             "unique at %d of %d contacts (normal forces at %d), between %d of %d pairs of bodies; "
             "equilibria have %d dimensions, given are %s",
             all->unique_contacts, all->contact_count, all->unique_normals, all->unique_pairs,
             all->pair_count, all->freedom, which);
}

static void print_range(const double range[2]) {
  if (isnan(range[0]))
    return;
  if (isinf(range[1]))
    printf("  %.4g .. any", range[0]);
  else
    printf("  %.4g .. %.4g", range[0], range[1]);
}

static void print_pairs(const CliStand* stand, const CliStyle* style) {
  printf("%s  %-24s  %-24s  %10s  %-12s %10s  %-8s %s%s\n", style->dim, "force on", "by",
         "normal [N]", "", "all [N]", "",
         isnan(stand->distribution.pairs[0].range[0]) ? "" : "range of the normal force [N]",
         style->plain);
  for (int i = 0; i < stand->distribution.pair_count; ++i) {
    const CliPairForce* pair = &stand->distribution.pairs[i];
    char a[80], b[80];
    cli_stand_name(stand, pair->a, a, sizeof a);
    cli_stand_name(stand, pair->b, b, sizeof b);
    bool known = stand->distribution.known;
    printf("  %-24s  %-24s  %10.4g  %-12s %10.4g  %-8s", a, b,
           rg_vec3_dot(pair->force, pair->normal),
           known ? pair->unique_normal ? "unique" : "one of many" : "", rg_vec3_norm(pair->force),
           known ? pair->unique_force ? "unique" : "" : "");
    print_range(pair->range);
    printf("\n");
  }
}

static void print_margins(const CliStand* stand) {
  char text[CLI_TEXT_MAX];
  rgVec3 d = stand->shaking.direction;
  cli_stand_say_friction(stand, text, sizeof text);
  printf("  friction   %s\n", text);
  if (stand->verdict != CLI_STATICS_STANDS)
    return;
  cli_stand_say_shaking(stand, text, sizeof text);
  printf("  shaking    %s", text);
  if (!isinf(stand->shaking.falls))
    printf(";\n             weakest when pushed towards (%.3g, %.3g, %.3g)", d.x, d.y, d.z);
  printf("\n");
  if (stand->assembly.has_forces) {
    cli_stand_say_forces(stand, text, sizeof text);
    printf("  forces     %s\n", text);
  }
}

void cli_stand_print(const CliStand* stand, bool all_forces) {
  const CliAssembly* assembly = &stand->assembly;
  CliStyle style = cli_style(stdout);
  char text[CLI_TEXT_MAX];
  cli_clean(stand->path, text, sizeof text);
  printf("%s%s%s: %d %s, %d contacts, taken at rest\n", style.bold, text, style.plain,
         assembly->body_count, assembly->body_count == 1 ? "body" : "bodies",
         assembly->contact_count);
  if (assembly->moved > 0)
    printf("  velocities of %d %s in the scene are left out\n", assembly->moved,
           assembly->moved == 1 ? "body" : "bodies");
  bool stands = stand->verdict == CLI_STATICS_STANDS;
  cli_stand_say_verdict(stand, text, sizeof text);
  printf("  %s%s%s: %s\n", stands ? style.good : style.bad,
         stand->verdict == CLI_STATICS_UNDECIDED ? "not decided" : cli_stand_verdict(stand),
         style.plain, text);
  if (stand->margins)
    print_margins(stand);
  if (stand->distributed) {
    cli_stand_say_distribution(stand, text, sizeof text);
    printf("  contacts   ");
    cli_wrap(stdout, text, 13, 13);
    if (all_forces && stand->distribution.pair_count > 0)
      print_pairs(stand, &style);
  }
}
