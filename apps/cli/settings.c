// settings.c - the options of the library (rg_option) as text: from the command line and to lists.
#include "cli/settings.h"
#include "cli/suggest.h"
#include "cli/text/text.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool same_name(const char* a, const char* b) {
  for (; *a && *b; ++a, ++b)
    if (*a != *b && !((*a == '-' && *b == '_') || (*a == '_' && *b == '-')))
      return false;
  return *a == *b;
}

const rgOption* cli_setting_find(const char* name, int* index) {
  const rgOption* option;
  for (*index = 0; *index < CLI_SETTING_MAX && (option = rg_option(*index)); ++*index)
    if (same_name(option->name, name))
      return option;
  return NULL;
}

void cli_setting_flag(const rgOption* option, char* text, size_t size) {
  snprintf(text, size, "--%s", option->name);
  for (char* c = text + 2; *c; ++c)
    if (*c == '_')
      *c = '-';
}

// --- ranges and numbers ------------------------------------------------------------------------

bool cli_number(const char* text, double* value) {
  char* end;
  *value = strtod(text, &end);
  return end != text && *end == '\0' && isfinite(*value);
}

static bool is_number(const rgOption* option) {
  return option->type == RG_OPTION_INT || option->type == RG_OPTION_REAL;
}

// The range of a number, with an end of its type meaning none.
static rgRange range_of(const rgOption* option) {
  double end = option->type == RG_OPTION_INT ? INT_MAX : DBL_MAX;
  return (rgRange){option->lower, option->upper >= end ? HUGE_VAL : option->upper,
                   option->lower_open};
}

void cli_setting_range(const rgOption* option, char* text, size_t size) {
  text[0] = '\0';
  if (is_number(option)) {
    rgRange range = range_of(option);
    rg_range_text(&range, text, size);
  } else if (option->type == RG_OPTION_NAME && option->names) {
    size_t used = (size_t)snprintf(text, size, "one of: ");
    const char* name;
    for (int i = 0; (name = option->names(i)) && used < size; ++i)
      used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", name);
  }
}

const char* cli_setting_value_name(const rgOption* option) {
  static const char* const names[] = {
      [RG_OPTION_BOOL] = "on|off", [RG_OPTION_INT] = "N",     [RG_OPTION_REAL] = "X",
      [RG_OPTION_VEC3] = "X,Y,Z",  [RG_OPTION_NAME] = "NAME",
  };
  return names[option->type];
}

// --- reading -----------------------------------------------------------------------------------

static bool read_bool(const char* text, bool* value) {
  static const char* const words[] = {"off", "on", "false", "true", "no", "yes", "0", "1"};
  for (int i = 0; i < (int)(sizeof words / sizeof words[0]); ++i) {
    if (strcmp(text, words[i]) == 0) {
      *value = i % 2;
      return true;
    }
  }
  return false;
}

static bool read_vec3(const char* text, rgVec3* value) {
  double* part[3] = {&value->x, &value->y, &value->z};
  for (int i = 0; i < 3; ++i) {
    char* end;
    *part[i] = strtod(text, &end);
    if (end == text || !isfinite(*part[i]) || *end != (i < 2 ? ',' : '\0'))
      return false;
    text = end + 1;
  }
  return true;
}

static bool read_name(const rgOption* option, const char* text, char* value) {
  bool known = !option->names;
  for (int i = 0; !known && option->names(i); ++i)
    known = strcmp(option->names(i), text) == 0;
  if (!known || strlen(text) >= RG_NAME_MAX)
    return false;
  snprintf(value, RG_NAME_MAX, "%s", text);
  return true;
}

// "a number > 0 [s]", for the end of a message.
static void describe_right(const rgOption* option, char* text, size_t size) {
  static const char* const kinds[] = {
      [RG_OPTION_BOOL] = "on or off", [RG_OPTION_INT] = "a whole number",
      [RG_OPTION_REAL] = "a number",  [RG_OPTION_VEC3] = "three numbers with commas between them",
      [RG_OPTION_NAME] = "",
  };
  char range[CLI_TEXT_MAX];
  cli_setting_range(option, range, sizeof range);
  const char* kind = kinds[option->type];
  snprintf(text, size, "%s%s%s%s%s%s", kind, kind[0] && range[0] ? " " : "", range,
           option->unit[0] ? " [" : "", option->unit, option->unit[0] ? "]" : "");
}

static const char* suggest_name(const rgOption* option, const char* text) {
  CliSuggestion suggestion = cli_suggest_start(text);
  for (int i = 0; option->names && option->names(i); ++i)
    cli_suggest_offer(&suggestion, option->names(i));
  return cli_suggest_best(&suggestion);
}

bool cli_setting_parse(const rgOption* option, const char* text, rgOptions* values,
                       rgMessage* message) {
  void* field = (char*)values + option->offset;
  rgRange range = range_of(option);
  double number = 0;
  bool good = !is_number(option) || (cli_number(text, &number) && rg_range_holds(&range, number));
  switch (option->type) {
  case RG_OPTION_BOOL:
    good = read_bool(text, field);
    break;
  case RG_OPTION_INT:
    good = good && floor(number) == number && fabs(number) <= INT_MAX;
    if (good)
      *(int*)field = (int)number;
    break;
  case RG_OPTION_REAL:
    if (good)
      *(double*)field = number;
    break;
  case RG_OPTION_VEC3:
    good = read_vec3(text, field);
    break;
  case RG_OPTION_NAME:
    good = read_name(option, text, field);
    break;
  }
  if (good)
    return true;

  char flag[CLI_TEXT_MAX], right[CLI_TEXT_MAX];
  cli_setting_flag(option, flag, sizeof flag);
  describe_right(option, right, sizeof right);
  const char* near = option->type == RG_OPTION_NAME ? suggest_name(option, text) : NULL;
  snprintf(message->text, sizeof message->text, "%s is '%s', must be %s%s%s%s", flag, text, right,
           near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  return false;
}

// --- applying ----------------------------------------------------------------------------------

static size_t field_size(const rgOption* option) {
  static const size_t sizes[] = {
      [RG_OPTION_BOOL] = sizeof(bool),   [RG_OPTION_INT] = sizeof(int),
      [RG_OPTION_REAL] = sizeof(double), [RG_OPTION_VEC3] = sizeof(rgVec3),
      [RG_OPTION_NAME] = RG_NAME_MAX,
  };
  return sizes[option->type];
}

static void copy_field(const rgOption* option, const rgOptions* from, rgOptions* to) {
  memcpy((char*)to + option->offset, (const char*)from + option->offset, field_size(option));
}

static bool same_field(const rgOption* option, const rgOptions* a, const rgOptions* b) {
  const char *left = (const char*)a + option->offset, *right = (const char*)b + option->offset;
  if (option->type == RG_OPTION_NAME)
    return strcmp(left, right) == 0;
  return memcmp(left, right, field_size(option)) == 0;
}

// Whether presets disagree on the option: then it is theirs to set.
static bool governed_by_presets(const rgOption* option) {
  rgOptions first = {0}, other = {0};
  rg_options_preset(rg_preset_name(0), &first);
  const char* name;
  for (int i = 1; (name = rg_preset_name(i)); ++i) {
    rg_options_preset(name, &other);
    if (!same_field(option, &first, &other))
      return true;
  }
  return false;
}

bool cli_settings_preset(const char* preset, rgOptions* options) {
  rgOptions wanted = *options;
  if (!rg_options_preset(preset, &wanted))
    return false;
  const rgOption* option;
  for (int i = 0; (option = rg_option(i)); ++i)
    if (governed_by_presets(option))
      copy_field(option, &wanted, options);
  return true;
}

void cli_settings_apply(const CliSettings* settings, rgOptions* options) {
  const rgOption* option;
  for (int i = 0; i < CLI_SETTING_MAX && (option = rg_option(i)); ++i)
    if (settings->given[i])
      copy_field(option, &settings->values, options);
}

void cli_setting_show(const rgOption* option, const rgOptions* options, char* text, size_t size) {
  const void* field = (const char*)options + option->offset;
  const rgVec3* vector = field;
  switch (option->type) {
  case RG_OPTION_BOOL:
    snprintf(text, size, "%s", *(const bool*)field ? "on" : "off");
    break;
  case RG_OPTION_INT:
    snprintf(text, size, "%d", *(const int*)field);
    break;
  case RG_OPTION_REAL:
    snprintf(text, size, "%.9g", *(const double*)field);
    break;
  case RG_OPTION_VEC3:
    snprintf(text, size, "%.9g,%.9g,%.9g", vector->x, vector->y, vector->z);
    break;
  case RG_OPTION_NAME:
    snprintf(text, size, "%s", (const char*)field);
    break;
  }
}
