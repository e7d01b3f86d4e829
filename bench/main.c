// main.c - the bench program: scenes against peers, then the growth of the cost with the number of
// bodies, of joints and of corners of hulls, and of the cost of single edits with the size of a
// world; heaps on several threads.
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Arguments {
  bool quick, json;
  int steps;         // 0 = each scene's own
  int budget;        // [s] of CPU for an engine and a scene; 0 = by the kind of run
  const char* scene; // NULL = all; "beds", "chains", "hull-sizes", "bookkeeping" or "threads" alone
  int bed_limit;     // largest bed, 0 = none
  const char* bed_engine;
  const EngineInfo* engines[BENCH_ENGINES_MAX];
  int engine_count;
} Arguments;

static void print_usage(FILE* out) {
  fprintf(
      out,
      "usage: rigor-bench [--quick] [--json] [--scene NAME] [--engine NAME]... [--steps N]\n"
      "                   [--budget S] [--beds LIMIT] [--bed-engine NAME]\n\n"
      "  --quick         a short run: fewer steps, beds up to 5000 bodies\n"
      "  --json          results as JSON\n"
      "  --scene NAME    one scene alone, \"beds\" for the growth with the number of bodies,\n"
      "                  \"chains\" for that with the number of joints, \"hull-sizes\" for that "
      "with\n"
      "                  the number of corners of hulls, \"bookkeeping\" for that\n"
      "                  of adding, finding and removing with the size of a world, or \"threads\"\n"
      "                  for one heap on several threads\n"
      "  --engine NAME   this engine (may be repeated)\n"
      "  --steps N       number of steps in each scene\n"
      "  --budget S      CPU seconds after which an engine leaves a scene (120; 20 when quick)\n"
      "  --beds LIMIT    largest bed (bodies); 0 leaves the beds out\n"
      "  --bed-engine E  engine for the beds\n\nscenes:\n");
  for (int i = 0; bench_scene(i); ++i)
    fprintf(out, "  %-16s %s\n", bench_scene(i)->name, bench_scene(i)->summary);
  fprintf(out, "engines:\n");
  for (int i = 0; engine_info(i); ++i)
    fprintf(out, "  %-16s %s\n", engine_info(i)->name, engine_info(i)->settings);
}

static bool wrong(const char* what, const char* value) {
  fprintf(stderr, "rigor-bench: %s \"%s\"\n", what, value);
  return false;
}

static bool parse_count(const char* text, int* value) {
  char* end;
  long number = strtol(text, &end, 10);
  if (end == text || *end || number < 0 || number > 1000000000)
    return wrong("not a number of steps, seconds or bodies:", text);
  *value = (int)number;
  return true;
}

static bool known_scene(const char* name) {
  bool known = strcmp(name, "beds") == 0 || strcmp(name, "chains") == 0 ||
               strcmp(name, "hull-sizes") == 0 || strcmp(name, "bookkeeping") == 0 ||
               strcmp(name, "threads") == 0;
  for (int i = 0; bench_scene(i); ++i)
    known = known || strcmp(name, bench_scene(i)->name) == 0;
  return known || wrong("no scene", name);
}

static bool add_engine(Arguments* arguments, const char* name) {
  const EngineInfo* engine = engine_find(name);
  if (!engine || arguments->engine_count == BENCH_ENGINES_MAX)
    return wrong("no engine", name);
  arguments->engines[arguments->engine_count++] = engine;
  return true;
}

static bool parse_with_value(Arguments* arguments, const char* option, const char* value) {
  if (!value)
    return wrong("a value is missing after", option);
  if (strcmp(option, "--scene") == 0) {
    arguments->scene = value;
    return known_scene(value);
  }
  if (strcmp(option, "--engine") == 0)
    return add_engine(arguments, value);
  if (strcmp(option, "--steps") == 0)
    return parse_count(value, &arguments->steps);
  if (strcmp(option, "--budget") == 0)
    return parse_count(value, &arguments->budget);
  if (strcmp(option, "--beds") == 0)
    return parse_count(value, &arguments->bed_limit);
  if (strcmp(option, "--bed-engine") == 0) {
    arguments->bed_engine = value;
    return engine_find(value) || wrong("no engine", value);
  }
  return wrong("unknown option", option);
}

static bool parse(Arguments* arguments, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--quick") == 0)
      arguments->quick = true;
    else if (strcmp(argv[i], "--json") == 0)
      arguments->json = true;
    else if (!parse_with_value(arguments, argv[i], i + 1 < argc ? argv[i + 1] : NULL))
      return false;
    else
      ++i;
  }
  if (arguments->budget == 0)
    arguments->budget = arguments->quick ? 20 : 120;
  if (arguments->bed_limit < 0)
    arguments->bed_limit = arguments->quick ? 5000 : 100000;
  // The reference preset is for accuracy: it is run when asked for by name.
  for (int i = 0; arguments->engine_count == 0 && engine_info(i); ++i)
    if (engine_info(i) == &ENGINE_RIGOR_REFERENCE)
      break;
    else
      arguments->engines[i] = engine_info(i);
  while (arguments->engines[arguments->engine_count])
    ++arguments->engine_count;
  return true;
}

static void run_scenes(const Arguments* arguments) {
  enum { SCENES_MAX = 16 };
  BenchGoal goals[SCENES_MAX];
  int goal_count = 0;
  bool first = true;
  for (int i = 0; bench_scene(i); ++i) {
    const BenchScene* scene = bench_scene(i);
    if (arguments->scene && strcmp(arguments->scene, scene->name) != 0)
      continue;
    BenchRow rows[BENCH_ENGINES_MAX];
    BenchLimits limits = {arguments->steps, arguments->quick, arguments->budget};
    bench_run(scene, arguments->engines, arguments->engine_count, limits, rows);
    print_scene(arguments->json, scene, rows, arguments->engine_count, first);
    for (int k = 0; k < arguments->engine_count && goal_count < SCENES_MAX; ++k)
      if (rows[k].engine == &ENGINE_RIGOR_REALTIME && scene->goal > 0)
        goals[goal_count++] = (BenchGoal){scene, rows[k]};
    first = false;
  }
  if (!arguments->json && goal_count > 0)
    print_goals(goals, goal_count);
}

static void run_beds(const Arguments* arguments) {
  static const int sizes[] = {1000, 2000, 5000, 10000, 20000, 50000, 100000};
  const EngineInfo* engine = engine_find(arguments->bed_engine);
  if (arguments->scene && strcmp(arguments->scene, "beds") != 0)
    return;
  for (int i = 0; bench_bed(i) && arguments->bed_limit >= sizes[0]; ++i) {
    BenchScaling rows[BENCH_SCALING_MAX];
    int count = 0;
    while (count < (int)(sizeof sizes / sizeof *sizes) && sizes[count] <= arguments->bed_limit)
      ++count;
    bench_scaling(bench_bed(i), engine, sizes, count, arguments->quick, rows);
    print_scaling(arguments->json, bench_bed(i), engine, rows, count, i == 0);
  }
}

int main(int argc, char** argv) {
  Arguments arguments = {.bed_limit = -1, .bed_engine = ENGINE_RIGOR_REALTIME.name};
  if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
    print_usage(stdout);
    return 0;
  }
  if (!parse(&arguments, argc, argv)) {
    print_usage(stderr);
    return 2;
  }
  print_begin(arguments.json);
  run_scenes(&arguments);
  print_between(arguments.json, "scaling");
  run_beds(&arguments);
  print_between(arguments.json, "chains");
  if (!arguments.scene || strcmp(arguments.scene, "chains") == 0)
    bench_chains(arguments.json);
  print_between(arguments.json, "hull_sizes");
  if (!arguments.scene || strcmp(arguments.scene, "hull-sizes") == 0)
    bench_hulls(arguments.json);
  print_between(arguments.json, "bookkeeping");
  if (!arguments.scene || strcmp(arguments.scene, "bookkeeping") == 0)
    bench_bookkeeping(arguments.json);
  print_between(arguments.json, "threads");
  if (arguments.scene ? strcmp(arguments.scene, "threads") == 0 : !arguments.quick)
    bench_threads(arguments.json);
  print_end(arguments.json);
  return 0;
}
