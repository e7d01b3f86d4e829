// probe.h - what a run is watched for: quantities by name, and their values at its end.
#ifndef CLI_PROBE_H
#define CLI_PROBE_H

#include "cli/ensemble/ensemble.h"

typedef struct CliProbe CliProbe;

typedef struct CliQuantityKind {
  const char *name, *unit, *help;
  CliColumnKind kind;
  unsigned needs;
  double (*value)(const CliProbe* probe, rgBodyId body, int part);
  int part; // 0 .. 3: x, y, z or w, x, y, z
} CliQuantityKind;

// A quantity as --report names it.
typedef struct CliQuantity {
  const CliQuantityKind* kind;     // NULL: a field of the certificate
  const rgCertificateField* field; // over the steps:
  int reduce;                      // largest, least, sum, mean or last
  rgBodyId body;                   // generation 0: none
  char name[CLI_COLUMN_NAME];
} CliQuantity;

// Finds a quantity by its name in the world of the scene as it stands. False with a message.
bool cli_quantity_find(const char* name, const rgWorld* world, CliQuantity* quantity,
                       rgMessage* message);
const char* cli_quantity_unit(const CliQuantity* quantity);
CliColumnKind cli_quantity_column(const CliQuantity* quantity);
// The tables, for lists and help: quantities of a run, and of a body. NULL past the end.
const CliQuantityKind* cli_quantity_of_run(int index);
const CliQuantityKind* cli_quantity_of_body(int index);
// Directions of a body that may point up, as the quantity BODY.up counts them.
enum { CLI_UP_COUNT = 6 };
const char* cli_up_name(const void* context, int index);

enum { CLI_QUANTITY_MAX = 64 };

// One run while it is watched.
struct CliProbe {
  rgWorld* world;
  const CliQuantity* quantities;
  int quantity_count;
  unsigned needs;
  double rest_speed; // [m/s] bodies below it are at rest; 0: found from sizes and gravity
  rgVec3* start;     // [m] centres of all bodies
  double* reach;     // [m] from these to their farthest points
  rgVec3 up;         // against gravity; z without gravity
  int body_count;
  double rest_since; // [s] < 0: something moves
  double largest_force;
  rgCertificate worst;
  double sums[CLI_QUANTITY_MAX], extremes[CLI_QUANTITY_MAX];
  int64_t steps;
};

// False when memory ran out.
bool cli_probe_start(CliProbe* probe, rgWorld* world);
// Makes a step and looks at it; false when the run ends before: given up, or the step failed.
bool cli_probe_step(CliProbe* probe, CliFinish* finish, rgMessage* message);
CliFinish cli_probe_verdict(const CliProbe* probe); // of the steps that were made
void cli_probe_end(CliProbe* probe, double* values);
void cli_probe_free(CliProbe* probe);
// How long everything has been at rest [s]; 0 when something moves.
double cli_probe_resting(const CliProbe* probe);

#endif
