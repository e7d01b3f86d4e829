// stand.c - `rigor stand`: does an assembly stand under friction, and by what margin?
//
// Limit analysis with Coulomb's cones (statics.h): the verdict has a proof either way, forces within
// the cones that balance every load, or a motion that opens contacts while the loads do work. For
// dry-jointed assemblies this is the question of Livesley 1978 and of Baraff and Mattikalli 1993, whose
// systems have no friction. A motion of the proof dilates where it slides: it proves that nothing
// balances, and is not how the assembly falls (that is what `rigor motion` and `rigor run` show).
#include "cli/stand/stand.h"
#include "cli/command.h"
#include "cli/system/clash.h"
#include "cli/text/json.h"
#include "cli/text/text.h"
#include <rigor/vec_math.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct StandValues {
  bool json, quick, forces, ranges;
  double touching;
  const char *problem, *proof, *output;
} StandValues;

// clang-format off
static const CliOption options[] = {
    {.name = "quick", .type = CLI_FLAG, .offset = offsetof(StandValues, quick),
     .help = "without margins; and without the forces at contacts, unless another option asks for them"},
    {.name = "forces", .type = CLI_FLAG, .offset = offsetof(StandValues, forces),
     .help = "print the forces between all pairs of bodies, and which are unique"},
    {.name = "ranges", .type = CLI_FLAG, .offset = offsetof(StandValues, ranges),
     .help = "of normal forces that are not unique, find the least and the largest; many solves for each"},
    {.name = "output", .letter = 'o', .type = CLI_TEXT, .value = "FILE", .offset = offsetof(StandValues, output),
     .help = "write a picture (.svg) or a page with it (.html): forces where it stands, the motion where it falls"},
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

// --- the answer ----------------------------------------------------------------------------------

static void choose_island(CliStand* stand) {
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
static rgStatus write_proof(const CliStand* stand, const StandValues* values, rgMessage* message) {
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
  cli_json_text(&json, "verdict", cli_stand_verdict(stand));
  write_numbers(&json, "v", island->solution.v, 6 * problem->body_count);
  write_numbers(&json, "r", island->solution.r, 4 * problem->contact_count);
  write_numbers(&json, "lambda", island->solution.lambda, problem->row_count);
  cli_json_close(&json, '}');
  return rg_output_commit(output, message);
}

// The motion that proves that it falls; the solution goes on to other questions.
static rgStatus keep_motion(CliStand* stand) {
  if (stand->assembly.fallen < 0)
    return RG_OK;
  const CliIsland* island = &stand->assembly.islands[stand->assembly.fallen];
  size_t size = 6 * (size_t)island->problem.body_count * sizeof(double);
  stand->motion = malloc(size + 1);
  if (!stand->motion)
    return RG_ERROR_MEMORY;
  memcpy(stand->motion, island->solution.v, size);
  return RG_OK;
}

static rgStatus find_forces(CliStand* stand, const StandValues* values) {
  bool wanted = !values->quick || values->forces || values->ranges || values->output;
  if (!wanted || stand->verdict != CLI_STATICS_STANDS)
    return RG_OK;
  stand->distributed = true;
  bool whole = cli_distribution_find(&stand->assembly, &stand->distribution);
  if (whole && values->ranges)
    whole = cli_distribution_ranges(&stand->assembly, &stand->distribution);
  return whole ? RG_OK : RG_ERROR_MEMORY;
}

static void find_margins(CliStand* stand) {
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

// --- the command -----------------------------------------------------------------------------------

static rgStatus check_files(const char* path, const StandValues* values,
                            const CliAssembly* assembly, rgMessage* message) {
  CliUses uses = {0};
  cli_uses_read_scene(&uses, path, assembly->scene);
  cli_uses_write(&uses, "--problem", values->problem);
  cli_uses_write(&uses, "--proof", values->proof);
  cli_uses_write(&uses, "--output", values->output);
  return cli_uses_clash(&uses, message) ? RG_ERROR_INPUT : RG_OK;
}

// All but the printing.
static rgStatus find_all(CliStand* stand, const StandValues* values, rgMessage* message) {
  CliAssembly* assembly = &stand->assembly;
  rgStatus status = cli_assembly_read(stand->path, values->touching, assembly, message);
  if (status == RG_OK)
    status = check_files(stand->path, values, assembly, message);
  if (status != RG_OK)
    return status;
  CliLoad load = cli_assembly_load(assembly);
  stand->verdict = cli_assembly_stands(assembly, &load);
  choose_island(stand);
  status = keep_motion(stand);
  if (status == RG_OK)
    status = write_proof(stand, values, message);
  if (status == RG_OK)
    status = find_forces(stand, values);
  if (status == RG_OK && !values->quick)
    find_margins(stand);
  if (status == RG_OK && values->output)
    status = cli_stand_page(stand, values->output, message);
  if (status == RG_ERROR_MEMORY && !message->text[0])
    return cli_fail(message, status, "rigor stand: not enough memory");
  return status;
}

static int stand_command(int argc, char** argv) {
  StandValues values = {.touching = 1e-6};
  CliParsed parsed;
  int exit_code;
  if (!cli_parse(&cli_stand, argc, argv, &values, &parsed, &exit_code))
    return exit_code;
  if (values.output && !cli_stand_page_takes(values.output))
    return cli_complain(&cli_stand, "--output %s: the ending must be .svg or .html", values.output);
  CliStand stand = {.path = parsed.operand[0]};
  rgMessage message = {0};
  rgStatus status = find_all(&stand, &values, &message);
  if (status != RG_OK) {
    fprintf(stderr, "%s\n", message.text);
    exit_code = status == RG_ERROR_INPUT ? CLI_EXIT_INPUT : CLI_EXIT_FAILED;
  } else {
    if (values.json)
      cli_stand_json(&stand);
    else
      cli_stand_print(&stand, values.forces || values.ranges);
    exit_code = stand.verdict == CLI_STATICS_STANDS ? CLI_EXIT_OK : CLI_EXIT_DOUBT;
  }
  cli_distribution_free(&stand.distribution);
  free(stand.motion);
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
        "Of the forces at contacts it says which are the same in every equilibrium, and gives "
        "those of "
        "least norm where they are not.\n"
        "An assembly that can stand need not stay when it is shaken or set down roughly; 'rigor "
        "run' shows how it moves.\n"
        "Exit code: 0 when it stands, 1 when it falls or the limit is too near to decide, 2 when "
        "the scene is refused.",
    .examples = "rigor stand arch\tdoes it stand, and how far from falling is it\n"
                "rigor stand wall.json --quick --json\tthe verdict for a program\n"
                "rigor stand arch --quick --ranges -o arch.html\ta page with the forces\n"
                "rigor stand arch --problem arch-problem.json --proof arch-proof.json\tforces that "
                "prove it",
    .options = options,
    .scenes = true,
    .run = stand_command,
};
