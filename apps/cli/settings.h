// settings.h - the options of the library (rg_option) as text: from the command line and to lists.
#ifndef CLI_SETTINGS_H
#define CLI_SETTINGS_H

#include <rigor/rigor.h>

enum {
  CLI_SETTING_MAX = 64
}; // more than rg_option has; a longer table is cut with an error at its use

// Options given on the command line, to be laid over those of a scene.
typedef struct CliSettings {
  rgOptions values;
  bool given[CLI_SETTING_MAX];
} CliSettings;

// The option of that name ('-' and '_' are the same), and its index; NULL when there is none.
const rgOption* cli_setting_find(const char* name, int* index);

// Reads `text` as a value of the option; false with a message such as "--theta is 2, must be ...".
bool cli_setting_parse(const rgOption* option, const char* text, rgOptions* values,
                       rgMessage* message);

// Lays a preset over `options`: only what presets differ in, so that gravity and the like stay as
// the scene has them. False when there is no such preset.
bool cli_settings_preset(const char* preset, rgOptions* options);
void cli_settings_apply(const CliSettings* settings, rgOptions* options);

// The option's value as text, and its name as on the command line.
void cli_setting_show(const rgOption* option, const rgOptions* options, char* text, size_t size);
void cli_setting_flag(const rgOption* option, char* text, size_t size);
const char* cli_setting_value_name(const rgOption* option);
// "> 0", ">= 0.5 and <= 1", "one of: nsgs", ...; empty when every value of the type is right.
void cli_setting_range(const rgOption* option, char* text, size_t size);

// One number of a text: finite, nothing after it.
bool cli_number(const char* text, double* value);

#endif
