// vary.c - what --vary says: a number of the scene, and which values it has in which run.
#include "cli/sweep/vary.h"
#include "cli/suggest.h"
#include "cli/text/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Kind {
  const char *name, *usage;
  int least, most; // arguments
} Kind;

static const Kind kinds[] = {
    [CLI_VARY_UNIFORM] = {"uniform", "uniform(LOWER,UPPER)", 2, 2},
    [CLI_VARY_NORMAL] = {"normal", "normal(MEAN,DEVIATION)", 2, 2},
    [CLI_VARY_LIST] = {"list", "list(A,B,...)", 1, CLI_LEVELS_MAX},
    [CLI_VARY_GRID] = {"grid", "grid(FIRST,LAST,COUNT)", 3, 3},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static bool refuse(rgMessage* message, const CliVary* vary, const char* text) {
  cli_fail(message, RG_ERROR_INPUT, "--vary %s: %s", vary->text, text);
  return false;
}

static bool find_kind(const char* word, size_t length, CliVary* vary, rgMessage* message) {
  char name[CLI_TEXT_MAX], text[CLI_TEXT_MAX];
  snprintf(name, sizeof name, "%.*s", (int)length, word);
  CliSuggestion suggestion = cli_suggest_start(name);
  for (int k = 0; k < KINDS; ++k) {
    if (strcmp(kinds[k].name, name) == 0) {
      vary->kind = (CliVaryKind)k;
      return true;
    }
    cli_suggest_offer(&suggestion, kinds[k].name);
  }
  const char* best = cli_suggest_best(&suggestion);
  if (best)
    snprintf(text, sizeof text, "there is no '%.40s'; did you mean '%s'?", name, best);
  else
    snprintf(text, sizeof text,
             "'%.40s' must be one of uniform(...), normal(...), list(...), "
             "grid(...)",
             name);
  return refuse(message, vary, text);
}

// The numbers between the brackets, into vary->levels.
static bool read_numbers(const char* from, CliVary* vary, rgMessage* message) {
  char text[CLI_TEXT_MAX], word[64];
  const Kind* kind = &kinds[vary->kind];
  vary->levels = calloc(CLI_LEVELS_MAX, sizeof *vary->levels);
  if (!vary->levels)
    return refuse(message, vary, "not enough memory");
  while (true) {
    size_t length = strcspn(from, ",)");
    snprintf(word, sizeof word, "%.*s", (int)length, from);
    if (!from[length]) {
      snprintf(text, sizeof text, "the closing bracket is missing, must be %s", kind->usage);
      return refuse(message, vary, text);
    }
    if (vary->level_count == kind->most || !cli_number(word, &vary->levels[vary->level_count])) {
      snprintf(text, sizeof text,
               vary->level_count == kind->most ? "'%.40s' is one too many, must be %s"
                                               : "'%.40s' is not a number, must be %s",
               word, kind->usage);
      return refuse(message, vary, text);
    }
    vary->level_count++;
    from += length;
    if (*from++ == ')')
      break;
  }
  if (*from || vary->level_count < kind->least) {
    snprintf(text, sizeof text, "must be %s", kind->usage);
    return refuse(message, vary, text);
  }
  return true;
}

static bool check_numbers(CliVary* vary, rgMessage* message) {
  char text[CLI_TEXT_MAX];
  const double* given = vary->levels;
  vary->a = given[0];
  vary->b = vary->level_count > 1 ? given[1] : 0;
  if (vary->kind == CLI_VARY_UNIFORM && !(vary->a < vary->b)) {
    snprintf(text, sizeof text, "the range is empty: the lower end %g must be below the upper %g",
             vary->a, vary->b);
    return refuse(message, vary, text);
  }
  if (vary->kind == CLI_VARY_NORMAL && !(vary->b > 0)) {
    snprintf(text, sizeof text, "the deviation is %g, must be > 0", vary->b);
    return refuse(message, vary, text);
  }
  if (vary->kind != CLI_VARY_GRID)
    return true;
  double count = given[2];
  if (!(count >= 2 && count <= 1e6 && floor(count) == count)) {
    snprintf(text, sizeof text, "the count of a grid is %g, must be a whole number >= 2", count);
    return refuse(message, vary, text);
  }
  if (vary->a == vary->b) {
    snprintf(text, sizeof text, "the range is empty: the grid begins and ends at %g", vary->a);
    return refuse(message, vary, text);
  }
  vary->level_count = (int)count;
  return true;
}

bool cli_vary_parse(const char* text, CliVary* vary, rgMessage* message) {
  *vary = (CliVary){.text = text};
  const char* equals = strchr(text, '=');
  if (!equals || equals == text)
    return refuse(message, vary,
                  "must be PATH=uniform(a,b), normal(m,s), list(a,b,...) or grid(a,b,n), as in "
                  "'bodies.ball.velocity.x=uniform(1,2)'");
  if ((size_t)(equals - text) >= sizeof vary->path)
    return refuse(message, vary, "the path is too long");
  snprintf(vary->path, sizeof vary->path, "%.*s", (int)(equals - text), text);
  const char* open = strchr(equals, '(');
  if (!open)
    return refuse(message, vary,
                  "after '=' must be uniform(a,b), normal(m,s), list(a,b,...) or grid(a,b,n)");
  return find_kind(equals + 1, (size_t)(open - equals) - 1, vary, message) &&
         read_numbers(open + 1, vary, message) && check_numbers(vary, message);
}

void cli_vary_free(CliVary* vary) {
  free(vary->levels);
  vary->levels = NULL;
}

static bool has_levels(const CliVary* vary) {
  return vary->kind == CLI_VARY_LIST || vary->kind == CLI_VARY_GRID;
}

double cli_vary_combinations(const CliVary* varied, int count) {
  double combinations = 0;
  for (int i = 0; i < count; ++i)
    if (has_levels(&varied[i]))
      combinations = (combinations > 0 ? combinations : 1) * varied[i].level_count;
  return combinations;
}

static double level_value(const CliVary* vary, int64_t level) {
  if (vary->kind == CLI_VARY_LIST)
    return vary->levels[level];
  double part = (double)level / (vary->level_count - 1);
  return level == vary->level_count - 1 ? vary->b : vary->a + (vary->b - vary->a) * part;
}

void cli_vary_values(const CliVary* varied, int count, uint64_t seed, int64_t run, double* values) {
  int64_t rest = run;
  for (int i = count - 1; i >= 0; --i) {
    const CliVary* vary = &varied[i];
    if (has_levels(vary)) {
      values[i] = level_value(vary, rest % vary->level_count);
      rest /= vary->level_count;
    } else if (vary->kind == CLI_VARY_UNIFORM) {
      values[i] = vary->a + (vary->b - vary->a) * rg_draw_unit(seed, (uint64_t)run, (uint32_t)i);
    } else {
      values[i] = vary->a + vary->b * rg_draw_normal(seed, (uint64_t)run, (uint32_t)i);
    }
  }
}
