// doctor.h - what is wrong or risky in a scene: kinds of faults, what is known of the scene, findings.
//
// A kind of fault is a const descriptor with one function that looks for it; a family of kinds is one file
// (fault_*.c), which ends in its table, and faults.c lists the families. Functions look at the scene as it
// starts (`start`), at what a brief run has shown (`watch`) and at where it has ended (`world`).
//
// Numbers that judge are ratios of things in the scene (distance of a step over size, load over bound) and
// are derived in the prologue of their file.
#ifndef CLI_DOCTOR_H
#define CLI_DOCTOR_H

#include <rigor/rigor.h>
#include <rigor/vec_math.h>

enum {
  CLI_NAME_SIZE = 80, // of a body or joint, cleaned
  CLI_SENTENCE_SIZE = 700,
  CLI_FINDINGS_SHOWN = 4 // of one kind, for people
};

typedef enum CliSeverity {
  CLI_NOTE,  // worth knowing; counts as no finding
  CLI_RISKY, // legal, and likely not what is meant or not exact
  CLI_WRONG  // results cannot be relied upon
} CliSeverity;
const char* cli_severity_name(CliSeverity severity); // "note", "risky", "wrong"

// Where a fault is: the path in the scene, the name of the thing, and the place in the file if known.
typedef struct CliWhere {
  char path[96]; // "bodies[3]", "options.step"
  char name[CLI_NAME_SIZE];
  const char* file; // NULL: not known
  int line, column;
} CliWhere;

typedef struct CliDoctor CliDoctor;
typedef struct CliFault {
  const char* name; // "overlap"
  CliSeverity severity;
  const char* summary; // what it is, one sentence
  const char* const*
      explained_by; // kinds that cause it: with one of them it is not told; NULL: none
  void (*look)(CliDoctor* doctor, const struct CliFault* fault);
} CliFault;
// A family, ended by an entry without a name.
extern const CliFault cli_faults_start[], cli_faults_joint[], cli_faults_loop[], cli_faults_drive[],
    cli_faults_mass[], cli_faults_friction[], cli_faults_force[], cli_faults_step[],
    cli_faults_scale[], cli_faults_mesh[], cli_faults_run[];
const CliFault* cli_fault(int index); // all kinds in the order of their families; NULL past the end

typedef struct CliFinding {
  const CliFault* fault;
  CliSeverity severity; // of the kind, unless its function knows better
  CliWhere where;
  double value, allowed; // what was measured, and what would be right; allowed may be 0
  const char* unit;
  char text[CLI_SENTENCE_SIZE];   // what is wrong, with the numbers
  char remedy[CLI_SENTENCE_SIZE]; // what to change
} CliFinding;

// What the shapes of a body say about it.
typedef struct CliBuild {
  int shapes;
  double half;  // [m] half-width of its thinnest shape; HUGE_VAL: it has none with a width
  double reach; // [m] from the centre of mass to the farthest point; HUGE_VAL: unbounded
  rgBounds box; // [m] around its shapes at the start, in the world
  bool solid;   // all shapes have a volume that is known:
  rgMassProperties uniform; // of density 1, in the frame of the body
} CliBuild;

// What a run has shown of a body.
typedef struct CliBodyWatch {
  double closing;      // [m] most by which it came closer to what it is about to touch in one step,
  double thin;         // [m] half-width of the thinner of the two,
  double closing_time; // [s] and when
  double move, turn;   // [m] [rad] most in one step
  double move_time, turn_time; // [s]
  int island_steps;            // in which its island, the one of which it is the first body, missed
  int plain_steps;
  rgSolveReport worst; // of these
  int bodies, contacts, rows;
} CliBodyWatch;

// What a run has shown of an axis of a joint.
typedef struct CliAxisWatch {
  double start_rate; // [m/s] or [rad/s] after the first step
  int full;          // steps in which its drive gave all it has
  double drive;      // [N] or [N m] in the last step
} CliAxisWatch;

typedef struct CliWatch {
  int64_t planned, steps;        // to be made, made
  double duration;               // [s] that they took in the scene
  bool failed, cut, interrupted; // a step could not be made; the time was up; a signal came
  rgMessage reason;              // failed
  rgCertificate worst;           // rg_certificate_worst over the steps
  int64_t not_met;
  double cpu;                    // [s]
  double phases[RG_PHASE_COUNT]; // [s]
  CliBodyWatch* bodies;          // by body
  CliAxisWatch* axes;            // RG_JOINT_AXIS_MAX for each joint
  int* loose; // by joint: 1 + its redundant rows after the first step; see fault_loop.c
} CliWatch;

struct CliDoctor {
  const char* path;
  rgScene* scene;
  rgWorld* start; // before its first step, with the contacts of that state
  rgWorld* world; // after the run
  rgOptions options;
  double h, g; // [s] [m/s2]
  double time; // [s] that the scene is meant to run
  int body_count, joint_count, contact_count;
  CliBuild* builds;    // by body
  rgContact* contacts; // of the start
  CliWatch watch;
  CliFinding* findings;
  int count, capacity;
  CliFinding spare; // where findings go when memory has run out
  bool out_of_memory;
};

// --- what families use (doctor_facts.c, doctor_find.c) -----------------------------------------------

// The length of a body's or joint's list, with all that can be known before a run.
rgStatus cli_doctor_open(CliDoctor* doctor, rgMessage* message);
void cli_doctor_close(CliDoctor* doctor);
bool cli_doctor_dynamic(const CliDoctor* doctor, rgBodyId body);
rgMassProperties cli_doctor_mass(const CliDoctor* doctor, rgBodyId body);
// [1/kg] what a unit impulse along n at a point of the body changes the velocity there by; 0: not dynamic.
double cli_doctor_compliance(const CliDoctor* doctor, rgBodyId body, rgVec3 point, rgVec3 n);
// [1/(kg m2)] the same of a unit angular impulse about n.
double cli_doctor_spin_compliance(const CliDoctor* doctor, rgBodyId body, rgVec3 n);
// [m] a length that belongs to a joint: the largest distance from it to a centre of mass of its bodies.
double cli_doctor_arm(const CliDoctor* doctor, const rgJointState* state);

CliWhere cli_where_body(const CliDoctor* doctor, rgBodyId body);
CliWhere cli_where_joint(const CliDoctor* doctor, int joint);
CliWhere cli_where_force(const CliDoctor* doctor, int force);
CliWhere cli_where_material(const CliDoctor* doctor, int material);
CliWhere cli_where_option(const char* name);
// "bodies[3] (box)", "joints[0] (elbow)"
void cli_where_text(const CliWhere* where, char* text, size_t size);

// A new finding, whose text and remedy are to be filled.
CliFinding* cli_doctor_find(CliDoctor* doctor, const CliFault* fault, CliWhere where, double value,
                            double allowed, const char* unit);
void cli_doctor_say(CliFinding* finding, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
void cli_doctor_advise(CliFinding* finding, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
// Takes out what others explain, and puts the worst first.
void cli_doctor_sort(CliDoctor* doctor);
int cli_doctor_count(const CliDoctor* doctor, CliSeverity severity);

// --- the run (doctor_watch.c) ------------------------------------------------------------------------

// Runs the scene for `duration` [s], or briefly when it is negative, and notes what happens.
void cli_doctor_watch(CliDoctor* doctor, double duration);
// Called after the first step: notes which joints have redundant rows (fault_loop.c).
void cli_doctor_note_loops(CliDoctor* doctor);

// --- the report (doctor_report.c) --------------------------------------------------------------------

void cli_doctor_print(const CliDoctor* doctor);
void cli_doctor_print_json(const CliDoctor* doctor);

#endif
