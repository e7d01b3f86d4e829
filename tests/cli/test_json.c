// What the command prints with --json is one JSON value (RFC 8259) and nothing else. The judge is a
// recognizer of its own, so that a mistake of the library's reader cannot hide one of the writer.
#include "test.h"

// --- a recognizer: each function consumes what it is named after, or returns NULL --------------

static const char* value(const char* s, int depth);

static const char* space(const char* s) { return s + strspn(s, " \t\n\r"); }

static const char* digits(const char* s) {
  size_t count = strspn(s, "0123456789");
  return count > 0 ? s + count : NULL;
}

static const char* number(const char* s) {
  s += *s == '-';
  s = *s == '0' ? s + 1 : digits(s);
  if (s && *s == '.')
    s = digits(s + 1);
  if (s && (*s == 'e' || *s == 'E'))
    s = digits(s + 1 + (s[1] == '+' || s[1] == '-'));
  return s;
}

static const char* string(const char* s) {
  for (++s; *s && *s != '"'; ++s) {
    if ((unsigned char)*s < 0x20)
      return NULL;
    if (*s != '\\')
      continue;
    ++s;
    if (*s == 'u' && strspn(s + 1, "0123456789abcdefABCDEF") < 4)
      return NULL;
    if (!*s || !strchr("\"\\/bfnrtu", *s))
      return NULL;
  }
  return *s ? s + 1 : NULL;
}

static const char* member(const char* s) {
  s = space(s);
  s = *s == '"' ? string(s) : NULL;
  s = s ? space(s) : NULL;
  return s && *s == ':' ? s + 1 : NULL;
}

static const char* list(const char* s, bool keyed, int depth) {
  char end = keyed ? '}' : ']';
  s = space(s + 1);
  if (*s == end)
    return s + 1;
  while (true) {
    s = keyed ? member(s) : s;
    s = s ? value(space(s), depth + 1) : NULL;
    s = s ? space(s) : NULL;
    if (!s || (*s != ',' && *s != end))
      return NULL;
    if (*s++ == end)
      return s;
    s = space(s);
  }
}

static const char* value(const char* s, int depth) {
  static const char* const words[] = {"true", "false", "null"};
  if (depth > 50)
    return NULL;
  if (*s == '{' || *s == '[')
    return list(s, *s == '{', depth);
  if (*s == '"')
    return string(s);
  for (int i = 0; i < 3; ++i)
    if (strncmp(s, words[i], strlen(words[i])) == 0)
      return s + strlen(words[i]);
  return number(s);
}

static bool is_json(const char* text) {
  const char* end = value(space(text), 0);
  return end && *space(end) == '\0';
}

// --- running the command -----------------------------------------------------------------------

enum { OUTPUT_MAX = 1 << 20 };

// Runs the command with a line of arguments; returns its output, valid until the next call.
static const char* run(const char* arguments, int* exit_code) {
  static char output[OUTPUT_MAX];
  char line[4096];
  snprintf(line, sizeof line, "'%s' %s 2>&1", test_command(), arguments);
  FILE* pipe = popen(line, "r");
  REQUIRE(pipe != NULL);
  size_t length = fread(output, 1, sizeof output - 1, pipe);
  output[length] = '\0';
  int status = pclose(pipe);
  *exit_code = status >= 0 && status % 256 == 0 ? status / 256 : -1;
  return output;
}

static const char* write_file(const char* name, const char* text) {
  const char* path = test_temporary(name);
  FILE* file = fopen(path, "w");
  REQUIRE(file != NULL);
  fputs(text, file);
  fclose(file);
  return path;
}

static const char scene[] =
    "{\"rigor\": 1, \"title\": \"a \\\"quoted\\\" title\\n\\u0007\","
    " \"bodies\": ["
    "{\"kind\": \"static\", \"shapes\": [{\"shape\": \"halfspace\"}]},"
    "{\"position\": [0, 0, 1], \"shapes\": [{\"shape\": \"sphere\", \"radius\": 1}]}]}";

static void check_json(const char* arguments, int exit_code) {
  int code;
  CONTEXT("rigor %s", arguments);
  const char* output = run(arguments, &code);
  CHECK_INT(code, exit_code);
  CHECK_MSG(is_json(output), "%.300s", output);
}

TEST(the_recognizer_knows_json) {
  CHECK(is_json("{\"a\": [1, -2.5e+3, true, null, \"\\u00e9\\n\"], \"b\": {}}\n"));
  CHECK(is_json("[]"));
  static const char* const wrong[] = {"",         "{",   "[1,]",  "{\"a\" 1}", "01",
                                      "1.",       "nan", "inf",   "[1 2]",     "\"\\x\"",
                                      "\"a\nb\"", "{1}", "{} {}", "tru"};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
    CHECK_MSG(!is_json(wrong[i]), "%s", wrong[i]);
}

TEST(a_run_is_one_json_object) {
  char line[2048];
  const char* path = write_file("scene.json", scene);
  snprintf(line, sizeof line, "run '%s' --time 0.1 --json", path);
  check_json(line, 0);
  snprintf(line, sizeof line, "run '%s' --time 0 --json", path);
  check_json(line, 0);
  remove(path);
}

TEST(a_comparison_is_one_json_object) {
  char line[2048];
  const char* path = write_file("scene.json", scene);
  snprintf(line, sizeof line, "compare '%s' --time 0.1 --solvers nsgs,dantzig --json", path);
  check_json(line, 0);
  snprintf(line, sizeof line, "compare '%s' --time 0 --json", path);
  check_json(line, 0);
  remove(path);
}

TEST(a_motion_is_one_json_object) {
  char line[2048];
  const char* path = write_file("scene.json", scene);
  snprintf(line, sizeof line, "motion '%s' --json", path);
  check_json(line, 0);
  remove(path);
}

TEST(a_reproduction_is_one_json_object) {
  check_json("reproduce cone-weakness --json", 0);
  check_json("reproduce --list --json", 0);
}

TEST(a_check_is_one_json_object) {
  char line[2048];
  const char* good = write_file("good.json", scene);
  const char* bad = write_file("bad.json", "{\"rigor\": 1, \"bodies\": [{\"masss\": 1}]}");
  snprintf(line, sizeof line, "check '%s' --json", good);
  check_json(line, 0);
  snprintf(line, sizeof line, "check '%s' --json", bad);
  check_json(line, 2);
  CHECK_CONTAINS(run(line, &(int){0}), "\"line\": 1");
  check_json("check no-such-file.json --json", 2);
  remove(good);
  remove(bad);
}

TEST(every_list_is_one_json_value) {
  static const char* const tables[] = {"",        "solvers",     "steppers", "shapes",
                                       "forces",  "cones",       "presets",  "options",
                                       "formats", "experiments", "schema"};
  for (size_t i = 0; i < sizeof tables / sizeof tables[0]; ++i) {
    char line[64];
    snprintf(line, sizeof line, "list %s --json", tables[i]);
    check_json(line, 0);
  }
}
