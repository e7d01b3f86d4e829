// character.c - `rigor character`: a recorded figure that reacts when it is hit.
#include "cli/character/play.h"
#include "cli/command.h"
#include "cli/system/clash.h"
#include "cli/system/interrupt.h"
#include "cli/text/json.h"
#include "cli/text/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct CharacterValues {
  const char *throws, *masses, *root, *output;
  double mass, scale, cutoff, gain, damping, floor, share, from, to, rate;
  bool explicit_feedback, json;
} CharacterValues;

// Range of numbers from 0 on, and of those above it.
#define FROM_ZERO                                                                                  \
  { .lower = 0, .upper = HUGE_VAL }
#define ABOVE_ZERO                                                                                 \
  { .lower = 0, .upper = HUGE_VAL, .lower_open = true }

// clang-format off
static const CliOption options[] = {
    {.name = "throw", .type = CLI_TEXT, .value = "LINK:SPEED:TIME[:MASS[:HEADING]],...",
     .offset = offsetof(CharacterValues, throws),
     .help = "balls that hit links of the figure: speed [m/s] at the hit, time [s] by the clip's "
             "clock, mass [kg] (default 0.5), heading [deg] of the flight from x towards y (default "
             "0)"},
    {.name = "output", .letter = 'o', .type = CLI_TEXT, .value = "FILE",
     .offset = offsetof(CharacterValues, output),
     .help = "record the run, the recorded figure beside the simulated one; 'rigor view FILE' "
             "shows it (.csv or .h5)"},
    {.name = "fps", .type = CLI_REAL, .value = "RATE", .offset = offsetof(CharacterValues, rate),
     .range = ABOVE_ZERO, .help = "frames per simulated second of the record. Default: 60"},
    {.name = "root", .type = CLI_TEXT, .value = "path|free",
     .offset = offsetof(CharacterValues, root),
     .help = "path: the root follows its recorded path (default); free: the feet stand on the "
             "floor"},
    {.name = "gain", .type = CLI_REAL, .value = "1/RAD", .range = FROM_ZERO,
     .offset = offsetof(CharacterValues, gain),
     .help = "stiffness of the feedback over the torque. Default: 10"},
    {.name = "damping", .type = CLI_REAL, .value = "S/RAD", .range = FROM_ZERO,
     .offset = offsetof(CharacterValues, damping),
     .help = "damping of the feedback over the torque. Default: 1"},
    {.name = "floor", .type = CLI_REAL, .value = "NM", .range = ABOVE_ZERO,
     .offset = offsetof(CharacterValues, floor),
     .help = "[N m] least torque that feedback is in proportion to. Default: 2"},
    {.name = "share", .type = CLI_REAL, .value = "PART", .range = FROM_ZERO,
     .offset = offsetof(CharacterValues, share),
     .help = "part of the moment of the weight that a joint carries, stretched out, that feedback is "
             "at least in proportion to. Default: 0.25"},
    {.name = "explicit", .type = CLI_FLAG,
     .offset = offsetof(CharacterValues, explicit_feedback),
     .help = "take the feedback at the start of the step, which is unstable when it is stiff"},
    {.name = "mass", .type = CLI_REAL, .value = "KG", .range = FROM_ZERO,
     .offset = offsetof(CharacterValues, mass),
     .help = "of the person. Default: 24.3 kg/m2 times the square of the height, or 70 kg"},
    {.name = "masses", .type = CLI_TEXT, .value = "winter|water",
     .offset = offsetof(CharacterValues, masses),
     .help = "of links: by Winter's fractions of the body (default), or polyhedra of water"},
    {.name = "scale", .type = CLI_REAL, .value = "M", .range = ABOVE_ZERO,
     .offset = offsetof(CharacterValues, scale),
     .help = "[m] length of the clip's unit. Default: 0.056444, that of the CMU collection"},
    {.name = "cutoff", .type = CLI_REAL, .value = "HZ", .range = FROM_ZERO,
     .offset = offsetof(CharacterValues, cutoff),
     .help = "of the low-pass filter of the movement; 0: none. Default: 12"},
    {.name = "from", .type = CLI_REAL, .value = "S", .range = FROM_ZERO,
     .offset = offsetof(CharacterValues, from), .help = "start, by the clip's clock"},
    {.name = "to", .type = CLI_REAL, .value = "S", .range = ABOVE_ZERO,
     .offset = offsetof(CharacterValues, to), .help = "end, by the clip's clock"},
    {.name = "json", .type = CLI_FLAG, .offset = offsetof(CharacterValues, json),
     .help = "the summary as one JSON object"},
    {0},
};
// clang-format on

typedef struct Show {
  const CharacterValues* values;
  const char* path; // of the clip
  rgClip* clip;
  CliPlay play;
  rgTrajectory* trajectory;
  int frames;
  rgMessage message;
} Show;

// --- values ------------------------------------------------------------------------------------

// The next part of a text up to a mark, which is replaced by zero; *rest is NULL after the last one.
static char* next_part(char** rest, char mark) {
  char *part = *rest, *end = strchr(part, mark);
  *rest = end ? end + 1 : NULL;
  if (end)
    *end = '\0';
  return part;
}

// One of LINK:SPEED:TIME[:MASS[:HEADING]]. False with a message.
static bool parse_throw(char* text, CliThrow* out, rgMessage* message) {
  *out = (CliThrow){.mass = 0.5};
  double* const numbers[] = {&out->speed, &out->time, &out->mass, &out->heading};
  enum { NUMBERS = 4, NEEDED = 2 };
  char *rest = text, *link = next_part(&rest, ':');
  int count = 0;
  for (; rest && count < NUMBERS; count++) {
    const char* word = next_part(&rest, ':');
    if (!cli_number(word, numbers[count])) {
      cli_fail(message, RG_ERROR_INPUT, "--throw has '%s' for a number", word);
      return false;
    }
  }
  if (rest || count < NEEDED || !link[0] || strlen(link) >= sizeof out->link) {
    cli_fail(message, RG_ERROR_INPUT,
             "--throw has '%s', must be LINK:SPEED:TIME[:MASS[:HEADING]], as in "
             "RightForeArm:5:1.2",
             link);
    return false;
  }
  memcpy(out->link, link, strlen(link));
  if (!(out->speed > 0 && out->mass > 0)) {
    cli_fail(message, RG_ERROR_INPUT, "--throw %s has speed %g and mass %g, both must be > 0", link,
             out->speed, out->mass);
    return false;
  }
  return true;
}

static bool parse_throws(const char* text, CliPlayDef* def, rgMessage* message) {
  char* copy = text ? strdup(text) : NULL;
  bool good = true;
  if (text && !copy)
    return cli_fail(message, RG_ERROR_MEMORY, "not enough memory") == RG_OK;
  for (char* rest = copy; rest && good;) {
    char* word = next_part(&rest, ',');
    good = def->throw_count < CLI_THROWS;
    if (!good)
      cli_fail(message, RG_ERROR_INPUT, "--throw has more than %d throws", CLI_THROWS);
    good = good && parse_throw(word, &def->throws[def->throw_count], message);
    def->throw_count++;
  }
  free(copy);
  return good;
}

// The index of a word among names; -1: none of them.
static int word_index(const char* word, const char* (*name)(int index)) {
  for (int i = 0; name(i); i++)
    if (strcmp(name(i), word) == 0)
      return i;
  return -1;
}

static const char* root_name(int index) { return rg_character_root_name((rgCharacterRoot)index); }
static const char* masses_name(int index) { return rg_figure_masses_name((rgFigureMasses)index); }

static bool take_values(const CharacterValues* values, const CliParsed* parsed, CliPlayDef* def,
                        rgMessage* message) {
  int root = word_index(values->root, root_name), masses = word_index(values->masses, masses_name);
  if (root < 0 || masses < 0) {
    cli_fail(message, RG_ERROR_INPUT, "%s is '%s', must be %s", root < 0 ? "--root" : "--masses",
             root < 0 ? values->root : values->masses,
             root < 0 ? "path or free" : "winter or water");
    return false;
  }
  def->figure.mass = values->mass;
  def->figure.scale = values->scale;
  def->figure.cutoff = values->cutoff;
  def->figure.masses = (rgFigureMasses)masses;
  def->character.gain = values->gain;
  def->character.damping = values->damping;
  def->character.floor = values->floor;
  def->character.share = values->share;
  def->character.root = (rgCharacterRoot)root;
  def->character.explicit_feedback = values->explicit_feedback;
  def->from = values->from;
  def->to = values->to;
  def->ghost = values->output != NULL;
  cli_settings_apply(&parsed->settings, &def->options);
  return parse_throws(values->throws, def, message);
}

// --- the run -----------------------------------------------------------------------------------

static rgStatus open_record(Show* show) {
  if (!show->values->output)
    return RG_OK;
  const char* name = strrchr(show->path, '/');
  char* scene = cli_play_scene(&show->play, name ? name + 1 : show->path);
  if (!scene)
    return cli_fail(&show->message, RG_ERROR_MEMORY, "not enough memory for the scene");
  rgStatus status = rg_trajectory_create(show->values->output, show->play.world, &show->trajectory,
                                         &show->message);
  if (status == RG_OK)
    status = rg_trajectory_keep_scene(show->trajectory, scene, &show->message);
  free(scene);
  return status;
}

// Appends the frames that are due at the present time.
static rgStatus record(Show* show) {
  double time = rg_world_time(show->play.world);
  if (!show->trajectory || time * show->values->rate < show->frames - 1e-9)
    return RG_OK;
  show->frames++;
  return rg_trajectory_append(show->trajectory, show->play.world, &show->message);
}

static rgStatus make_steps(Show* show) {
  rgStatus status = record(show);
  while (status == RG_OK && show->play.steps < show->play.planned && !cli_interrupted()) {
    status = cli_play_step(&show->play, &show->message);
    if (status == RG_OK)
      status = record(show);
  }
  return status;
}

// --- what it came to ---------------------------------------------------------------------------

static void print_json(const Show* show) {
  const CliPlay* play = &show->play;
  CliJson json = {.stream = stdout};
  cli_json_open(&json, NULL, '{');
  cli_json_text(&json, "clip", show->path);
  cli_json_count(&json, "links", rg_figure_link_count(play->figure));
  cli_json_real(&json, "height", rg_figure_height(play->figure));
  cli_json_real(&json, "mass", rg_figure_mass(play->figure));
  cli_json_real(&json, "from", play->def.from);
  cli_json_real(&json, "to", rg_character_time(play->character));
  cli_json_count(&json, "steps", play->steps);
  cli_json_count(&json, "not_met", play->not_met);
  cli_json_real(&json, "joint_error", play->largest_gap);
  cli_json_real(&json, "deviation", cli_play_largest(play));
  cli_json_open(&json, "throws", '[');
  for (int i = 0; i < play->def.throw_count; i++) {
    const CliThrow* it = &play->def.throws[i];
    CliReaction reaction = cli_play_reaction(play, i);
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "link", it->link);
    cli_json_real(&json, "time", it->time);
    cli_json_real(&json, "speed", it->speed);
    cli_json_real(&json, "mass", it->mass);
    cli_json_real(&json, "before", reaction.before);
    cli_json_real(&json, "peak", reaction.peak);
    cli_json_real(&json, "after", reaction.after);
    cli_json_real(&json, "back", reaction.back);
    cli_json_close(&json, '}');
  }
  cli_json_close(&json, ']');
  cli_json_real(&json, "real_time", cli_play_speed(play));
  cli_json_bool(&json, "interrupted", play->steps < play->planned);
  cli_json_close(&json, '}');
}

static void print_throw(const CliPlay* play, int index) {
  const CliThrow* it = &play->def.throws[index];
  CliReaction reaction = cli_play_reaction(play, index);
  printf("%-11s %g kg at %g m/s on %s at %g s\n", index ? "" : "throws", it->mass, it->speed,
         it->link, it->time);
  printf("%-11s before %.3g mm, peak %.3g mm", "", 1e3 * reaction.before, 1e3 * reaction.peak);
  if (!isnan(reaction.after))
    printf(", from 1 s after %.3g mm", 1e3 * reaction.after);
  if (isnan(reaction.back))
    printf("; not back within 5 %% of the peak\n");
  else
    printf("; back within 5 %% of the peak %.3g s after the hit\n", reaction.back);
}

// [m] Heights beyond which a clip is likely to have another unit of length.
static const double SHORT = 0.8, TALL = 2.5;

static void remark_height(const CliPlay* play) {
  double height = rg_figure_height(play->figure);
  if (height < SHORT || height > TALL)
    printf("%-11s a person of %.3g m: --scale gives the length of the clip's unit [m], now %g\n",
           "remark", height, play->def.figure.scale);
}

static void print_summary(const Show* show) {
  const CliPlay* play = &show->play;
  CliStyle style = cli_style(stdout);
  printf("%s%s%s\n", style.bold, show->path, style.plain);
  printf("%-11s %d links, %.3g m, %.3g kg; root %s\n", "figure", rg_figure_link_count(play->figure),
         rg_figure_height(play->figure), rg_figure_mass(play->figure),
         rg_character_root_name(play->def.character.root));
  remark_height(play);
  printf("%-11s %g to %g s, %d steps of %g s; %d not met, joints within %.2g mm\n", "run",
         play->def.from, rg_character_time(play->character), play->steps, play->def.options.step,
         play->not_met, 1e3 * play->largest_gap);
  printf("%-11s at most %.3g mm from the recorded movement\n", "deviation",
         1e3 * cli_play_largest(play));
  for (int i = 0; i < play->def.throw_count; i++)
    print_throw(play, i);
  printf("%-11s %.3g x real time\n", "speed", cli_play_speed(play));
  if (show->values->output)
    printf("%-11s %s, %d frames: 'rigor view %s' shows it\n", "recorded", show->values->output,
           show->frames, show->values->output);
}

static bool files_clash(Show* show) {
  CliUses uses = {0};
  cli_uses_read(&uses, "the clip", show->path);
  cli_uses_write_trajectory(&uses, "--output", show->values->output, RG_RECORD_BODIES);
  return cli_uses_clash(&uses, &show->message);
}

static int show_character(Show* show, const CliParsed* parsed) {
  CliPlayDef def = cli_play_def();
  if (!take_values(show->values, parsed, &def, &show->message) || files_clash(show))
    return cli_complain(&cli_character, "%s", show->message.text);
  rgStatus status = rg_clip_read(show->path, &show->clip, &show->message);
  if (status != RG_OK) {
    fprintf(stderr, "%s\n", show->message.text); // begins with the place: file:line:column
    return CLI_EXIT_INPUT;
  }
  status = cli_play_open(&show->play, show->clip, &def, &show->message);
  if (status == RG_OK)
    status = open_record(show);
  if (status != RG_OK)
    return cli_complain(&cli_character, "%s", show->message.text);
  cli_interrupt_watch();
  status = make_steps(show);
  if (show->values->json)
    print_json(show);
  else
    print_summary(show);
  if (status != RG_OK) {
    cli_complain(&cli_character, "%s", show->message.text);
    return CLI_EXIT_FAILED;
  }
  return cli_interrupted() ? CLI_EXIT_INTERRUPTED
                           : (show->play.not_met > 0 ? CLI_EXIT_DOUBT : CLI_EXIT_OK);
}

static int character_command(int argc, char** argv) {
  rgFigureDef figure = rg_figure_def();
  rgCharacterDef character = rg_character_def();
  CharacterValues values = {.masses = "winter",
                            .root = "path",
                            .mass = figure.mass,
                            .scale = figure.scale,
                            .cutoff = figure.cutoff,
                            .gain = character.gain,
                            .damping = character.damping,
                            .floor = character.floor,
                            .share = character.share,
                            .from = (double)NAN,
                            .to = (double)NAN,
                            .rate = 60};
  CliParsed parsed;
  int exit_code;
  if (!cli_parse(&cli_character, argc, argv, &values, &parsed, &exit_code))
    return exit_code;
  Show show = {.values = &values, .path = parsed.operand[0]};
  exit_code = show_character(&show, &parsed);
  rgMessage message = {""};
  if (rg_trajectory_close(show.trajectory, &message) != RG_OK) {
    cli_complain(&cli_character, "%s", message.text);
    exit_code = CLI_EXIT_FAILED;
  }
  cli_play_close(&show.play);
  rg_clip_free(show.clip);
  return exit_code;
}

// The steps of these runs are given.
static const char* const not_here[] = {"accuracy", "effort", NULL};

const CliCommand cli_character = {
    .name = "character",
    .operands = "CLIP",
    .operand_min = 1,
    .operand_max = 1,
    .summary = "let a recorded figure move by its own muscles, and react",
    .details =
        "Reads a recorded movement of a skeleton (BVH), makes rigid bodies of it, finds the "
        "torques "
        "behind the movement by inverse dynamics, and simulates the figure with these torques and "
        "a feedback towards the movement (Cline 2002, section 5.1). Balls that hit it make it "
        "deviate; it then returns to its movement.\n"
        "Exit code: 0, 1 when the tolerance was not met in some step, 2 for a clip or an option "
        "that is refused, 3 when the run could not go on.",
    .examples =
        "rigor character pitch.bvh\thow well the figure follows its movement\n"
        "rigor character pitch.bvh --throw RightForeArm:5:1.2 -o hit.h5\ta ball on the arm\n"
        "rigor view hit.h5\tthe recorded figure beside the simulated one",
    .options = options,
    .settings = true,
    .not_settings = not_here,
    .run = character_command,
};
