// rest.h - how a part comes to rest: the part, its drops, and its poses.
#ifndef CLI_REST_H
#define CLI_REST_H

#include "cli/ensemble/drive.h"
#include "cli/sweep/probe.h"

typedef struct CliRestValues {
  const char* body;
  int64_t count, seed, threads;
  double height; // [m] negative: the size of the part
  double mu, restitution;
  double until;      // width of the widest interval; 0: all runs are made
  double confidence; // [%]
  const char *output, *html, *shard;
  bool resume, json, quiet;
} CliRestValues;

enum { CLI_FACES_MAX = CLI_CLASS_MAX - 1 }; // the last class is of runs that end elsewhere

typedef struct CliRest {
  const CliRestValues* values;
  const CliParsed* parsed;
  // the part, in its own frame
  rgVec3* points; // [m] corners of the hull
  int point_count;
  rgMassProperties mass;
  rgVec3* triangles; // [m] of the hull
  int triangle_count;
  rgRestingFace faces[CLI_FACES_MAX];
  int face_count;
  int stable[CLI_FACES_MAX]; // faces on which it can stand, the likeliest first
  int stable_count;
  double size; // [m] from the centre of mass to the farthest corner
  char name[CLI_PATH_MAX], remark[512];
  // the drops
  rgOptions options;
  CliQuantity watched; // time_to_rest
  CliEnsemble ensemble;
} CliRest;

// Reads the part: a file of triangles, or a body of a scene. Finds its hull and its faces. False,
// explained, when it cannot.
bool cli_rest_part(CliRest* rest);
void cli_rest_free(CliRest* rest);
// A world with a surface and the part, in a random orientation above it; NULL when memory ran out.
rgWorld* cli_rest_world(const CliRest* rest, int64_t run, rgBodyId* part, rgMessage* message);
// Makes a drop; a CliMakeRun whose context is a CliRest.
CliFinish cli_rest_make(const CliEnsemble* ensemble, int64_t index, double* row,
                        rgMessage* message);

// "face 3", or "elsewhere" for the class after the last.
const char* cli_rest_pose(const void* context, int index);
void cli_rest_print(const CliEnsemble* ensemble, const CliTallied* tallied);
void cli_rest_json(const CliEnsemble* ensemble, const CliTallied* tallied, CliJson* json);
void cli_rest_page(const CliEnsemble* ensemble, const CliTallied* tallied, CliPage* page);

// The command with a maker of runs.
int cli_rest_main(int argc, char** argv, CliMaker* maker, bool helper);

#endif
