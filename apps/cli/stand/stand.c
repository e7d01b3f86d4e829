// stand.c - `rigor stand`: does an assembly stand under friction, and by what margin?
//
// Limit analysis with Coulomb's cones (statics.h): the verdict has a proof either way, forces within
// the cones that balance every load, or a motion that opens contacts while the loads do work. For
// dry-jointed assemblies this is the question of Livesley 1978 and of Baraff and Mattikalli 1993, whose
// systems have no friction. A motion of the proof dilates where it slides: it proves that nothing
// balances, and is not how the assembly falls (that is what `rigor motion` and `rigor run` show).
#include "cli/command.h"
#include "cli/stand/margin.h"
#include "cli/system/clash.h"
#include "cli/text/json.h"
#include "cli/text/text.h"
#include <rigor/vec_math.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct StandValues {
  bool json, quick;
  double touching;
  const char *problem, *proof;
} StandValues;

// clang-format off
static const CliOption options[] = {
    {.name = "quick", .type = CLI_FLAG, .offset = offsetof(StandValues, quick),
     .help = "the verdict alone, without margins"},
    {.name = "touching", .type = CLI_REAL, .value = "LENGTH", .offset = offsetof(StandValues, touching),
     .range = {.lower = 0, .upper = HUGE_VAL},
     .help = "gap [m] up to which bodies count as touching (default 1e-6)"},
    {.name = "proof", .type = CLI_TEXT, .value = "FILE", .offset = offsetof(StandValues, proof),
     .help = "write what proves the verdict for --problem: forces r, lambda (times h) that balance, or a motion v"},
    {.name = "problem", .type = CLI_TEXT, .value = "FILE", .offset = offsetof(StandValues, problem),
     .help = "write the problem of the part that decides: what falls, or the part of most contacts"},
    {.name = "json", .type = CLI_FLAG, .offset = offsetof(StandValues, json),
     .help = "the answer as one JSON object"},
    {0},
};
// clang-format on

typedef struct Stand {
  CliAssembly assembly;
  CliStatics verdict;
  int decides;    // the island that falls, else the one of most contacts; -1: none
  double largest; // [N] of the contact forces of the proof
  bool margins;   // these were asked for
  CliMargin friction, shaking, forces;
} Stand;

static double gravity_of(const CliAssembly* assembly) {
  return rg_vec3_norm(rg_world_options(assembly->world)->gravity);
}

// --- the answer ----------------------------------------------------------------------------------

static void choose_island(Stand* stand) {
  const CliAssembly* assembly = &stand->assembly;
  stand->decides = assembly->fallen;
  for (int i = 0, most = -1; i < assembly->island_count && assembly->fallen < 0; ++i) {
    if (assembly->islands[i].problem.contact_count <= most)
      continue;
    most = assembly->islands[i].problem.contact_count;
    stand->decides = i;
  }
  for (int k = 0; k < assembly->island_count; ++k) {
    const CliIsland* island = &assembly->islands[k];
    for (int i = 0; i < island->problem.contact_count; ++i) {
      const double* r = island->solution.r + 4 * (size_t)i;
      double force = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]) / assembly->h;
      stand->largest = fmax(stand->largest, force);
    }
  }
}

static void write_numbers(CliJson* json, const char* key, const double* values, int count) {
  cli_json_open(json, key, '[');
  for (int i = 0; i < count; ++i)
    cli_json_real(json, NULL, values[i]);
  cli_json_close(json, ']');
}

// The problem of the part that decides, and what proves the verdict: forces times h, or a motion.
static rgStatus write_proof(const Stand* stand, const StandValues* values, rgMessage* message) {
  static const char* const verdicts[] = {"stands", "falls", "undecided"};
  if (!values->problem && !values->proof)
    return RG_OK;
  if (stand->decides < 0)
    return cli_fail(message, RG_ERROR_INPUT,
                    "rigor stand: no bodies touch each other: there is "
                    "nothing to write for --problem and --proof");
  const CliIsland* island = &stand->assembly.islands[stand->decides];
  const rgProblem* problem = &island->problem;
  rgOutput* output;
  rgStatus status = values->problem ? rg_problem_write(problem, values->problem, message) : RG_OK;
  if (status != RG_OK || !values->proof)
    return status;
  status = rg_output_open(values->proof, &output, message);
  if (status != RG_OK)
    return status;
  CliJson json = {.stream = rg_output_stream(output)};
  cli_json_open(&json, NULL, '{');
  cli_json_text(&json, "verdict", verdicts[stand->verdict]);
  write_numbers(&json, "v", island->solution.v, 6 * problem->body_count);
  write_numbers(&json, "r", island->solution.r, 4 * problem->contact_count);
  write_numbers(&json, "lambda", island->solution.lambda, problem->row_count);
  cli_json_close(&json, '}');
  return rg_output_commit(output, message);
}

static void find_margins(Stand* stand) {
  CliAssembly* assembly = &stand->assembly;
  if (assembly->alone > 0 || stand->verdict == CLI_STATICS_UNDECIDED)
    return;
  stand->margins = true;
  stand->friction = cli_margin_friction(assembly);
  if (stand->verdict != CLI_STATICS_STANDS)
    return;
  stand->shaking = cli_margin_shaking(assembly);
  if (assembly->has_forces)
    stand->forces = cli_margin_forces(assembly);
}

// --- for people ------------------------------------------------------------------------------------

static void print_friction(const Stand* stand) {
  const CliMargin* friction = &stand->friction;
  printf("  friction   ");
  if (friction->stands == 0)
    printf("it stands without friction\n");
  else if (isinf(friction->stands))
    printf("no friction is enough\n");
  else
    printf("%s %.5g times the coefficients (%.5g falls)\n",
           stand->verdict == CLI_STATICS_STANDS ? "enough with" : "it would stand with",
           friction->stands, friction->falls);
}

static void print_shaking(const Stand* stand) {
  const CliMargin* shaking = &stand->shaking;
  double g = gravity_of(&stand->assembly);
  rgVec3 d = shaking->direction;
  printf("  shaking    ");
  if (isinf(shaking->falls)) {
    printf("no horizontal acceleration makes it fall\n");
    return;
  }
  printf("bears %.5g m/s2 in every direction (%.4g g)", shaking->stands, shaking->stands / g);
  if (!stand->assembly.has_forces)
    printf(", a tilt of %.4g degrees", atan(shaking->stands / g) * 180 / 3.14159265358979323846);
  printf(";\n             weakest when pushed towards (%.3g, %.3g, %.3g)\n", d.x, d.y, d.z);
}

static void print_verdict(const Stand* stand, const CliStyle* style) {
  const CliAssembly* assembly = &stand->assembly;
  switch (stand->verdict) {
  case CLI_STATICS_STANDS:
    printf("  %sstands%s: forces within the friction cones balance every load (largest %.4g N)\n",
           style->good, style->plain, stand->largest);
    break;
  case CLI_STATICS_MOVES:
    if (assembly->alone > 0)
      printf("  %sfalls%s: '%s' touches nothing%s\n", style->bad, style->plain,
             assembly->alone_name, assembly->alone > 1 ? ", nor do others" : "");
    else
      printf(
          "  %sfalls%s: a motion opens every contact that it moves, and the loads do work in it; "
          "no forces within the cones balance them\n",
          style->bad, style->plain);
    break;
  default:
    printf("  %snot decided%s: neither forces nor a motion were found to the accuracy of a proof; "
           "it is at the limit\n",
           style->bad, style->plain);
  }
}

static void print_text(const char* path, const Stand* stand) {
  const CliAssembly* assembly = &stand->assembly;
  CliStyle style = cli_style(stdout);
  char name[CLI_TEXT_MAX];
  cli_clean(path, name, sizeof name);
  printf("%s%s%s: %d %s, %d contacts, taken at rest\n", style.bold, name, style.plain,
         assembly->body_count, assembly->body_count == 1 ? "body" : "bodies",
         assembly->contact_count);
  if (assembly->moved > 0)
    printf("  velocities of %d %s in the scene are left out\n", assembly->moved,
           assembly->moved == 1 ? "body" : "bodies");
  print_verdict(stand, &style);
  if (!stand->margins)
    return;
  print_friction(stand);
  if (stand->verdict != CLI_STATICS_STANDS)
    return;
  print_shaking(stand);
  if (assembly->has_forces && isinf(stand->forces.falls))
    printf("  forces     no factor on them makes it fall\n");
  else if (assembly->has_forces)
    printf("  forces     bears %.5g times those besides gravity (%.5g falls)\n",
           stand->forces.stands, stand->forces.falls);
}

// --- for machines ----------------------------------------------------------------------------------

static void write_margin(CliJson* json, const char* key, const CliMargin* margin, bool directed) {
  cli_json_open(json, key, '{');
  cli_json_real(json, "stands", margin->stands);
  cli_json_real(json, "falls", margin->falls);
  if (directed) {
    cli_json_open(json, "direction", '[');
    cli_json_real(json, NULL, margin->direction.x);
    cli_json_real(json, NULL, margin->direction.y);
    cli_json_real(json, NULL, margin->direction.z);
    cli_json_close(json, ']');
  }
  cli_json_close(json, '}');
}

static void print_json(const char* path, const Stand* stand) {
  static const char* const verdicts[] = {"stands", "falls", "undecided"};
  const CliAssembly* assembly = &stand->assembly;
  CliJson json = {.stream = stdout};
  cli_json_open(&json, NULL, '{');
  cli_json_text(&json, "scene", path);
  cli_json_text(&json, "verdict", verdicts[stand->verdict]);
  cli_json_count(&json, "bodies", assembly->body_count);
  cli_json_count(&json, "contacts", assembly->contact_count);
  cli_json_count(&json, "touching_nothing", assembly->alone);
  cli_json_count(&json, "velocities_left_out", assembly->moved);
  cli_json_real(&json, "largest_force", stand->largest);
  if (stand->margins)
    write_margin(&json, "friction", &stand->friction, false);
  if (stand->margins && stand->verdict == CLI_STATICS_STANDS) {
    write_margin(&json, "shaking", &stand->shaking, true);
    if (assembly->has_forces)
      write_margin(&json, "forces", &stand->forces, false);
  }
  cli_json_close(&json, '}');
}

// --- the command -----------------------------------------------------------------------------------

static rgStatus check_files(const char* path, const StandValues* values,
                            const CliAssembly* assembly, rgMessage* message) {
  CliUses uses = {0};
  cli_uses_read_scene(&uses, path, assembly->scene);
  cli_uses_write(&uses, "--problem", values->problem);
  cli_uses_write(&uses, "--proof", values->proof);
  return cli_uses_clash(&uses, message) ? RG_ERROR_INPUT : RG_OK;
}

static int stand_command(int argc, char** argv) {
  StandValues values = {.touching = 1e-6};
  CliParsed parsed;
  int exit_code;
  if (!cli_parse(&cli_stand, argc, argv, &values, &parsed, &exit_code))
    return exit_code;
  const char* path = parsed.operand[0];
  Stand stand = {0};
  rgMessage message = {0};
  rgStatus status = cli_assembly_read(path, values.touching, &stand.assembly, &message);
  if (status == RG_OK)
    status = check_files(path, &values, &stand.assembly, &message);
  if (status == RG_OK) {
    CliLoad load = cli_assembly_load(&stand.assembly);
    stand.verdict = cli_assembly_stands(&stand.assembly, &load);
    choose_island(&stand);
    status = write_proof(&stand, &values, &message);
  }
  if (status == RG_OK) {
    if (!values.quick)
      find_margins(&stand);
    if (values.json)
      print_json(path, &stand);
    else
      print_text(path, &stand);
    exit_code = stand.verdict == CLI_STATICS_STANDS ? CLI_EXIT_OK : CLI_EXIT_DOUBT;
  } else {
    fprintf(stderr, "%s\n", message.text);
    exit_code = status == RG_ERROR_INPUT ? CLI_EXIT_INPUT : CLI_EXIT_FAILED;
  }
  cli_assembly_free(&stand.assembly);
  return exit_code;
}

const CliCommand cli_stand = {
    .name = "stand",
    .operands = "SCENE",
    .operand_min = 1,
    .operand_max = 1,
    .summary = "say whether an assembly stands under friction, and by what margin",
    .details =
        "Takes the bodies of the scene at rest, touching as they do. It stands when forces within "
        "the friction cones balance every load, and falls when a motion shows that none do; one of "
        "the two is found and proves the verdict. Margins are given with the last value that "
        "stands "
        "and the first that falls: the factor on all coefficients of friction that is just enough, "
        "the horizontal acceleration (or tilt) that it bears in every direction, and the factor on "
        "the forces of the scene besides gravity.\n"
        "An assembly that can stand need not stay when it is shaken or set down roughly; 'rigor "
        "run' shows how it moves.\n"
        "Exit code: 0 when it stands, 1 when it falls or the limit is too near to decide, 2 when "
        "the scene is refused.",
    .examples = "rigor stand arch\tdoes it stand, and how far from falling is it\n"
                "rigor stand wall.json --quick --json\tthe verdict for a program\n"
                "rigor stand arch --problem arch-problem.json --proof arch-proof.json\tforces that "
                "prove it",
    .options = options,
    .scenes = true,
    .run = stand_command,
};
