// certificate_fields.c - the certificate as a table: names, units and meaning of its numbers.
//
// Files of runs, summaries, comparisons, the page and docs/certificate.md are made from this table,
// so that a new number of the certificate is one line here.
#include <rigor/problem.h>

#include <stdio.h>
#include <string.h>

// -------------------------------------------------------------------------------------------------
// Stages
// -------------------------------------------------------------------------------------------------

static const rgStageInfo stages[RG_STAGE_COUNT] = {
    [RG_STAGE_SUITING] = {"suiting", "m/s",
                          "Makes velocities that were set from outside satisfy the joints.",
                          "began with velocities that do not satisfy the joints"},
    [RG_STAGE_IMPACTS] = {"impacts", "contacts",
                          "Takes impacts one after the other, pair by pair, until none approaches.",
                          "ran out of passes of sequential impacts, the rest being simultaneous"},
    [RG_STAGE_ROUNDS] = {"rounds", "",
                         "Makes the constraint rows of the end of the step and the impulses that "
                         "lead there agree, round by round.",
                         "had constraint rows that do not agree with the end of the step"},
    [RG_STAGE_PLAIN] = {"plain", "islands",
                        "Takes the step without rounds for islands that no round settled.",
                        "had islands that took the plain step because no round settled them"},
    [RG_STAGE_CLOSING] = {"closing", "contacts",
                          "Adds contacts that the bodies would pass in the step, and corrects "
                          "friction that would gain energy.",
                          "passed contacts or gained energy by friction"},
    [RG_STAGE_PASSING] = {"passing", "bodies",
                          "Looks for bodies that turn into or through others within the step, and "
                          "adds the contacts that stop them.",
                          "had bodies whose movement was cut short: they would pass others, or "
                          "turn too fast for the stepper gauss"},
    [RG_STAGE_GAP] =
        {"gap", "m",
         "Measures, by geometry alone, the gaps at the end of the step of contacts that "
         "are solved for that end.",
         "left contacts open that push, or passed contacts, at the end of the step"},
    [RG_STAGE_ALIGNMENT] = {"alignment", "",
                            "Measures, by geometry alone, how far the normals of such contacts are "
                            "from those of their impulses.",
                            "had impulses along other normals than those at the end of the step"},
    [RG_STAGE_RINGING] = {"ringing", "m/s",
                          "Removes joint rates that change their sign from step to step.",
                          "kept joint rates that change their sign from step to step"},
    [RG_STAGE_PROJECTION] = {"projection", "m",
                             "Removes overlaps and joint errors from the positions after the step.",
                             "left overlaps or joint errors above the tolerance"},
    [RG_STAGE_ENERGY] = {"energy", "J",
                         "Compares the energy that the step made from nothing with what a right "
                         "step may gain, and takes back what can be taken back.",
                         "made energy from nothing"},
};

const rgStageInfo* rg_stage_info(int stage) {
  return (unsigned)stage < RG_STAGE_COUNT ? &stages[stage] : NULL;
}

const char* rg_stage_name(rgStage stage) {
  return (unsigned)stage < RG_STAGE_COUNT ? stages[stage].name : NULL;
}

// -------------------------------------------------------------------------------------------------
// Fields
// -------------------------------------------------------------------------------------------------

#define OF(member) offsetof(rgCertificate, member)
#define REAL RG_CERTIFICATE_REAL
#define NONE RG_STAGE_COUNT

// The three numbers of a stage.
// clang-format off
#define STAGE(stage, name, unit)                                                                   \
  {name "_asked", unit, REAL, OF(stages[stage].asked), stage, false, false, "asked of " name,      \
   "What was asked of the stage; 0 when the step did not need it."},                               \
  {name "_reached", unit, REAL, OF(stages[stage].reached), stage, false, true, "reached by " name, \
   "What the stage reached, where it missed by most."},                                            \
  {name "_missed", "", RG_CERTIFICATE_INT, OF(stages[stage].missed), stage, false, true,                 \
   "missed by " name, "How many of its solves, or of the things it looked at, missed."}
// clang-format on

static const rgCertificateField fields[] = {
    {"signorini", "m/s", REAL, OF(signorini), NONE, true, true,
     "no approach through a contact, no pulling",
     "Size of min(u_n, r_n / rho): bodies that approach through a contact, a contact that pulls, "
     "or one that pushes while it opens."},
    {"coulomb", "m/s", REAL, OF(coulomb), NONE, true, true, "the whole law of friction",
     "Size of F / rho with F = r - P_K(r - rho (u + mu |u_T| n)), P_K being the projection on the "
     "cone: the whole contact law, normal and friction together."},
    {"joint", "m/s", REAL, OF(joint), NONE, true, true, "rows of joints, limits and motors",
     "Violation of the laws of constraint rows (joints, limits, motors, implicit springs)."},
    {"dynamics", "m/s", REAL, OF(dynamics), NONE, true, true, "momentum balance",
     "Size of v - v_free - M^-1 (G' lambda + H r), the angular part times the arm with which it "
     "acts."},
    {"scale", "m/s", REAL, OF(scale), NONE, true, true, "what residuals are compared with",
     "Largest free velocity |H' v_free + bias| of rows and of contacts that the free motion would "
     "violate, by more than the rounding of the velocities it is the difference of."},
    {"residual", "", REAL, OF(residual), NONE, true, true, "largest of the residuals, over scale",
     "Largest of signorini, coulomb, joint and dynamics, divided by scale."},
    {"tolerance", "", REAL, OF(tolerance), NONE, true, false, "residual that was asked for",
     "Residual that was asked for. 0 in a frame before the first step."},
    {"met", "", RG_CERTIFICATE_BOOL, OF(met), NONE, true, false, "residual and stages",
     "Whether the residual is at most the tolerance and no stage missed what was asked of it. In "
     "a frame before the first step nothing was asked, so nothing was missed: 1."},
    {"penetration", "m", REAL, OF(penetration), NONE, false, true, "by geometry, after the step",
     "Largest overlap of two shapes, found by geometry after the step."},
    {"joint_error", "m", REAL, OF(joint_error), NONE, false, true, "of position, after the step",
     "Largest position error of a joint after the step, limits included; angles count with the "
     "arm of the joint."},
    {"energy", "J", REAL, OF(energy), NONE, false, false, "made from nothing, or taken",
     "Change of kinetic and potential energy in the step, less the work of applied forces and of "
     "moving ground. Contacts may only take energy: a positive value is an error of the "
     "discretization."},
    {"energy_contacts", "J", REAL, OF(energy_contacts), NONE, false, false, "of it, by contacts",
     "Part of energy that is due to contacts: the work of their impulses at the mean of the "
     "velocities before and after, as of an impact."},
    {"energy_joints", "J", REAL, OF(energy_joints), NONE, false, false, "of it, by joints",
     "Part of energy that is due to joints, springs and dampers: what remains of a step with "
     "constraint rows."},
    {"energy_integration", "J", REAL, OF(energy_integration), NONE, false, false,
     "of it, by the integration in time",
     "Part of energy that is due to the integration of the movement: at theta = 1 free fall loses "
     "m (g h)^2 / 2 per step, at theta = 1/2 nothing."},
    {"energy_projection", "J", REAL, OF(energy_projection), NONE, false, false,
     "of it, by the projection", "Part of energy that is due to the projection of positions."},
    {"iterations", "", RG_CERTIFICATE_INT, OF(iterations), NONE, false, false,
     "of the slowest island",
     "Iterations of all solves of the step's problem: the most over its islands in each round, "
     "added over the rounds. What an iteration is depends on the solver (docs/accuracy.md)."},
    {"sweeps", "", RG_CERTIFICATE_INT, OF(sweeps), NONE, false, false, "of all solves",
     "Passes of iterative methods over all unknowns of an island: in all solves of the step and of "
     "its stages, added over the islands."},
    {"factorizations", "", RG_CERTIFICATE_INT, OF(factorizations), NONE, false, false,
     "of all solves",
     "Matrices of islands that were factored: in all solves of the step and of its stages, added "
     "over the islands."},
    {"contacts", "", RG_CERTIFICATE_INT, OF(contacts), NONE, true, false, "in the problem",
     "Number of contacts in the problem."},
    STAGE(RG_STAGE_SUITING, "suiting", "m/s"),
    STAGE(RG_STAGE_IMPACTS, "impacts", "contacts"),
    STAGE(RG_STAGE_ROUNDS, "rounds", ""),
    STAGE(RG_STAGE_PLAIN, "plain", "islands"),
    STAGE(RG_STAGE_CLOSING, "closing", "contacts"),
    STAGE(RG_STAGE_PASSING, "passing", "bodies"),
    STAGE(RG_STAGE_GAP, "gap", "m"),
    STAGE(RG_STAGE_ALIGNMENT, "alignment", ""),
    STAGE(RG_STAGE_RINGING, "ringing", "m/s"),
    STAGE(RG_STAGE_PROJECTION, "projection", "m"),
    STAGE(RG_STAGE_ENERGY, "energy", "J"),
};
enum { FIELD_COUNT = sizeof fields / sizeof *fields };

const rgCertificateField* rg_certificate_field(int index) {
  return index >= 0 && index < FIELD_COUNT ? &fields[index] : NULL;
}

const rgCertificateField* rg_certificate_find(const char* name) {
  for (int i = 0; i < FIELD_COUNT; i++)
    if (strcmp(fields[i].name, name) == 0)
      return &fields[i];
  return NULL;
}

double rg_certificate_value(const rgCertificate* certificate, const rgCertificateField* field) {
  const char* place = (const char*)certificate + field->offset;
  double real;
  int whole;
  bool flag;
  switch (field->type) {
  case RG_CERTIFICATE_INT:
    memcpy(&whole, place, sizeof whole);
    return whole;
  case RG_CERTIFICATE_BOOL:
    memcpy(&flag, place, sizeof flag);
    return flag;
  case RG_CERTIFICATE_REAL:
    break;
  }
  memcpy(&real, place, sizeof real);
  return real;
}

// -------------------------------------------------------------------------------------------------
// Runs
// -------------------------------------------------------------------------------------------------

// Larger of the two; a NaN wins, so that it cannot hide.
static double worse(double a, double b) { return b > a || b != b ? b : a; }

static void worst_stage(rgStageReport* worst, const rgStageReport* step) {
  worst->count += step->count > 0;
  worst->missed += step->missed > 0;
  // Worse: farther beyond what was asked, as a multiple of it. NaN is, and stays.
  bool worse = worst->count == 1 ||
               !(step->reached * worst->asked <= worst->reached * step->asked) ||
               (step->asked == 0 && step->reached > worst->reached);
  worse = worse && (worst->count == 1 || worst->reached == worst->reached);
  if (worse) {
    worst->asked = step->asked;
    worst->reached = step->reached;
  }
}

void rg_certificate_worst(rgCertificate* worst, const rgCertificate* step) {
  for (int i = 0; i < FIELD_COUNT; i++) {
    if (!fields[i].largest || fields[i].type != REAL || fields[i].stage != NONE)
      continue;
    double value =
        worse(rg_certificate_value(worst, &fields[i]), rg_certificate_value(step, &fields[i]));
    memcpy((char*)worst + fields[i].offset, &value, sizeof value);
  }
  for (int i = 0; i < RG_STAGE_COUNT; i++)
    if (step->stages[i].count > 0)
      worst_stage(&worst->stages[i], &step->stages[i]);
  worst->met = worst->met && step->met;
}

// -------------------------------------------------------------------------------------------------
// Documentation
// -------------------------------------------------------------------------------------------------

// A text that is written as far as there is room, and measured as a whole.
typedef struct Text {
  char* out;
  size_t capacity, length;
} Text;

static void put(Text* text, const char* part) {
  for (; *part; part++, text->length++)
    if (text->length + 1 < text->capacity)
      text->out[text->length] = *part;
}

// A cell of a table, in which a bar has to be escaped.
static void put_cell(Text* text, const char* cell) {
  for (; *cell; cell++) {
    const char letter[] = {*cell, '\0'};
    put(text, *cell == '|' ? "\\|" : letter);
  }
  put(text, " |");
}

static void put_fields(Text* text) {
  for (int i = 0; i < FIELD_COUNT; i++) {
    put(text, "| `");
    put(text, fields[i].name);
    put(text, "` | ");
    put_cell(text, fields[i].unit[0] ? fields[i].unit : "-");
    put(text, " ");
    put_cell(text, fields[i].help);
    put(text, "\n");
  }
}

static void put_stages(Text* text) {
  for (int i = 0; i < RG_STAGE_COUNT; i++) {
    put(text, "| `");
    put(text, stages[i].name);
    put(text, "` | ");
    put_cell(text, stages[i].summary);
    put(text, " ");
    put_cell(text, stages[i].missed);
    put(text, "\n");
  }
}

size_t rg_certificate_reference(char* out, size_t capacity) {
  Text text = {out, capacity, 0};
  put(&text, "# The certificate\n\n"
             "Made by `rigor list certificate` from the table in "
             "`src/problem/certificate_fields.c`. How the numbers are\ndefined and what they do "
             "not say is in [accuracy.md](accuracy.md).\n\n"
             "These are the columns of `.certificate.csv`, the datasets of `/certificate` in "
             "`.h5`, and the members of\n`certificate` in the JSON of `rigor run`, which has the "
             "largest values over the steps.\n\n"
             "| name | unit | meaning |\n| --- | --- | --- |\n");
  put_fields(&text);
  put(&text, "\n## Stages\n\n"
             "What a step solves besides its contact problem. A stage that misses what was asked "
             "of it makes the step not\n`met`, however small the residual is.\n\n"
             "| stage | what it does | steps that miss it |\n| --- | --- | --- |\n");
  put_stages(&text);
  if (capacity > 0)
    out[text.length < capacity ? text.length : capacity - 1] = '\0';
  return text.length;
}
