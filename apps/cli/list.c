// list.c - `rigor list`: the tables of the library, so that nothing has to be looked up elsewhere.
#include "cli/command.h"
#include "cli/doctor/doctor.h"
#include "cli/suggest.h"
#include "cli/sweep/probe.h"
#include "cli/system/files.h"
#include "cli/text/json.h"
#include "cli/text/text.h"
#include "experiments/experiment.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

typedef struct ListValues {
  bool json, names;
} ListValues;

// clang-format off
static const CliOption options[] = {
    {.name = "json", .type = CLI_FLAG, .offset = offsetof(ListValues, json),
     .help = "as a JSON array"},
    {.name = "names", .type = CLI_FLAG, .offset = offsetof(ListValues, names),
     .help = "names alone, one a line"},
    {0},
};
// clang-format on

// One row of any table. `more` holds further columns, whose names are those of the table.
enum { MORE_MAX = 4 };
typedef struct Item {
  char name[CLI_TEXT_MAX];
  char summary[CLI_TEXT_MAX];
  char more[MORE_MAX][CLI_TEXT_MAX]; // empty = nothing to say
} Item;

typedef struct Table {
  const char* name;
  const char* summary;
  bool (*item)(int index, Item* item); // false past the end; NULL for a text
  const char* more[MORE_MAX];          // names of the further columns
  // A whole text, as snprintf; with `item` as well, that one is for --json.
  size_t (*text)(char* text, size_t capacity);
} Table;

// --- tables ------------------------------------------------------------------------------------

// Fills an item whose name may be NULL, which is the end of its table.
static bool fill(Item* item, const char* name, const char* summary) {
  *item = (Item){0};
  if (!name)
    return false;
  snprintf(item->name, sizeof item->name, "%s", name);
  snprintf(item->summary, sizeof item->summary, "%s", summary ? summary : "");
  return true;
}

static bool solver_item(int index, Item* item) {
  if (!fill(item, rg_solver_name(index), rg_solver_summary(index)))
    return false;
  const char* reference = rg_solver_reference(index);
  snprintf(item->more[0], sizeof item->more[0], "%s", reference ? reference : "");
  const char* option;
  size_t used = 0, size = sizeof item->more[1];
  for (int i = 0; (option = rg_solver_option(index, i)) && used < size; ++i)
    used += (size_t)snprintf(item->more[1] + used, size - used, "%s%s", i ? "\n" : "", option);
  return true;
}

static bool stepper_item(int index, Item* item) {
  if (!fill(item, rg_stepper_name(index), rg_stepper_summary(index)))
    return false;
  const char* reference = rg_stepper_reference(index);
  snprintf(item->more[0], sizeof item->more[0], "%s", reference ? reference : "");
  return true;
}

static bool stabilizer_item(int index, Item* item) {
  if (!fill(item, rg_stabilizer_name(index), rg_stabilizer_summary(index)))
    return false;
  const char* reference = rg_stabilizer_reference(index);
  snprintf(item->more[0], sizeof item->more[0], "%s", reference ? reference : "");
  return true;
}

static bool shape_item(int index, Item* item) {
  rgShapeKind kind = (rgShapeKind)index;
  return fill(item, rg_shape_kind_name(kind), rg_shape_kind_summary(kind));
}

static bool force_item(int index, Item* item) {
  rgForceKind kind = (rgForceKind)index;
  return fill(item, rg_force_kind_name(kind), rg_force_kind_summary(kind));
}

static bool sensor_item(int index, Item* item) {
  rgSensorKind kind = (rgSensorKind)index;
  return fill(item, rg_sensor_kind_name(kind), rg_sensor_kind_summary(kind));
}

static bool joint_item(int index, Item* item) {
  rgJointKind kind = (rgJointKind)index;
  if (!fill(item, rg_joint_kind_name(kind), rg_joint_kind_summary(kind)))
    return false;
  for (int i = 0; i < rg_joint_axis_count(kind); i++) {
    size_t used = strlen(item->more[0]);
    snprintf(item->more[0] + used, sizeof item->more[0] - used, "%s%s", i ? ", " : "",
             rg_joint_axis_name(kind, i));
  }
  const rgJointParameter* parameter;
  for (int i = 0; (parameter = rg_joint_parameter(kind, i)); i++) {
    size_t used = strlen(item->more[1]);
    snprintf(item->more[1] + used, sizeof item->more[1] - used, "%s%s [%s]", i ? ", " : "",
             parameter->name, parameter->unit);
  }
  return true;
}

static bool cone_item(int index, Item* item) {
  static const char* const summaries[] = {
      [RG_CONE_FRICTIONLESS] = "no tangential impulse",
      [RG_CONE_DISK] = "exact Coulomb, the same in every direction",
      [RG_CONE_ELLIPSOID] = "exact Coulomb with axes e_t and e_o and torsion e_tau",
      [RG_CONE_INNER] = "polygon with its corners on the disk",
      [RG_CONE_OUTER] = "polygon with its sides touching the disk",
  };
  _Static_assert(sizeof summaries / sizeof summaries[0] == RG_CONE_KIND_COUNT, "one line per cone");
  return index < RG_CONE_KIND_COUNT &&
         fill(item, rg_cone_kind_name((rgConeKind)index), summaries[index]);
}

static bool preset_item(int index, Item* item) {
  return fill(item, rg_preset_name(index), rg_preset_summary(index));
}

static bool option_item(int index, Item* item) {
  const rgOption* option = rg_option(index);
  if (!fill(item, option ? option->name : NULL, option ? option->help : NULL))
    return false;
  rgOptions defaults = {0};
  rg_options_preset("default", &defaults);
  cli_setting_show(option, &defaults, item->more[0], sizeof item->more[0]);
  snprintf(item->more[1], sizeof item->more[1], "%s", option->unit);
  cli_setting_range(option, item->more[2], sizeof item->more[2]);
  return true;
}

static bool fault_item(int index, Item* item) {
  const CliFault* fault = cli_fault(index);
  if (!fill(item, fault ? fault->name : NULL, fault ? fault->summary : NULL))
    return false;
  snprintf(item->more[0], sizeof item->more[0], "%s", cli_severity_name(fault->severity));
  return true;
}

static bool experiment_item(int index, Item* item) {
  const Experiment* experiment = experiment_at(index);
  if (!fill(item, experiment ? experiment->name : NULL, experiment ? experiment->summary : NULL))
    return false;
  snprintf(item->more[0], sizeof item->more[0], "%s", experiment->paper);
  if (experiment->scene)
    snprintf(item->more[1], sizeof item->more[1], "scenes/experiments/%s.json", experiment->scene);
  return true;
}

static bool certificate_item(int index, Item* item) {
  static const char* const types[] = {
      [RG_CERTIFICATE_REAL] = "real", [RG_CERTIFICATE_INT] = "int", [RG_CERTIFICATE_BOOL] = "bool"};
  const rgCertificateField* field = rg_certificate_field(index);
  if (!fill(item, field ? field->name : NULL, field ? field->help : NULL))
    return false;
  snprintf(item->more[0], sizeof item->more[0], "%s", field->unit);
  snprintf(item->more[1], sizeof item->more[1], "%s", types[field->type]);
  const char* stage = rg_stage_name(field->stage);
  snprintf(item->more[2], sizeof item->more[2], "%s", stage ? stage : "");
  return true;
}

static bool format_item(int index, Item* item) {
  return fill(item, rg_trajectory_format(index), "");
}

// What 'rigor sweep' reports: of a run, of a body, and fields of the certificate over its steps.
static bool quantity_item(int index, Item* item) {
  int of_run = 0;
  while (cli_quantity_of_run(of_run))
    ++of_run;
  const CliQuantityKind* kind =
      index < of_run ? cli_quantity_of_run(index) : cli_quantity_of_body(index - of_run);
  char name[CLI_TEXT_MAX];
  if (!kind)
    return false;
  snprintf(name, sizeof name, "%s%s", index < of_run ? "" : "BODY.", kind->name);
  fill(item, name, kind->help);
  snprintf(item->more[0], sizeof item->more[0], "%s", kind->unit);
  return true;
}

static bool record_item(int index, Item* item) {
  return fill(item, rg_trajectory_record_name(index), rg_trajectory_record_summary(index));
}

static int is_scene(const struct dirent* entry) { return cli_ends_with(entry->d_name, ".json"); }

// Scenes that come with the command, in the order of their names; none where they are not installed.
static bool scene_item(int index, Item* item) {
  char folder[CLI_PATH_MAX], path[CLI_PATH_MAX];
  struct dirent** entries;
  int count = cli_place_scenes(folder) ? scandir(folder, &entries, is_scene, alphasort) : 0;
  bool found = false;
  for (int i = 0; i < count; i++) {
    char* name = entries[i]->d_name;
    if (i == index) {
      rgScene* scene = NULL;
      snprintf(path, sizeof path, "%.*s/%.255s", CLI_PATH_MAX - 300, folder, name);
      bool read = rg_scene_read(path, &scene, NULL) == RG_OK;
      name[strlen(name) - strlen(".json")] = '\0';
      found = fill(item, name, read ? rg_scene_title(scene) : "cannot be read");
      rg_scene_free(scene);
    }
    free(entries[i]);
  }
  if (count > 0)
    free(entries);
  return found;
}

// clang-format off
static const Table tables[] = {
    {.name = "solvers", .item = solver_item, .more = {"reference", "options"},
     .summary = "how a contact problem is solved"},
    {.name = "steppers", .item = stepper_item, .more = {"reference"},
     .summary = "how a step is made"},
    {.name = "stabilizers", .item = stabilizer_item, .more = {"reference"},
     .summary = "what keeps overlaps and joint errors from growing"},
    {.name = "shapes", .item = shape_item,
     .summary = "what bodies are made of"},
    {.name = "forces", .item = force_item,
     .summary = "what acts on bodies besides gravity"},
    {.name = "joints", .item = joint_item, .more = {"free axes", "parameters"},
     .summary = "what holds bodies together"},
    {.name = "sensors", .item = sensor_item,
     .summary = "what scenes can measure"},
    {.name = "cones", .item = cone_item,
     .summary = "laws of friction of a contact"},
    {.name = "presets", .item = preset_item,
     .summary = "named sets of options"},
    {.name = "options", .item = option_item, .more = {"default", "unit", "range"},
     .summary = "of the simulation, for scenes and for 'rigor run'"},
    {.name = "formats", .item = format_item,
     .summary = "endings of trajectory files that can be written"},
    {.name = "quantities", .item = quantity_item, .more = {"unit"},
     .summary = "that 'rigor sweep' reports, besides the certificate"},
    {.name = "records", .item = record_item, .summary = "what 'rigor run --record' puts into them"},
    {.name = "scenes", .item = scene_item,
     .summary = "that come with the command: 'rigor run NAME'"},
    {.name = "experiments", .item = experiment_item, .more = {"paper", "scene"},
     .summary = "published ones that 'rigor reproduce' makes"},
    {.name = "faults", .item = fault_item, .more = {"severity"},
     .summary = "what 'rigor doctor' looks for"},
    {.name = "certificate", .text = rg_certificate_reference, .item = certificate_item,
     .more = {"unit", "type", "stage"},
     .summary = "reference of the certificate of a step, Markdown"},
    {.name = "scene", .text = rg_scene_reference,
     .summary = "reference of the scene format, Markdown"},
    {.name = "schema", .text = rg_scene_schema,
     .summary = "JSON Schema of the scene format, for editors"},
};
// clang-format on
enum { TABLE_COUNT = sizeof tables / sizeof tables[0] };

static bool table_item(int index, Item* item) {
  bool past = index >= TABLE_COUNT;
  return fill(item, past ? NULL : tables[index].name, past ? NULL : tables[index].summary);
}

static const Table table_of_tables = {.name = "tables", .item = table_item};

// --- output ------------------------------------------------------------------------------------

static int name_width(const Table* table) {
  int width = 0;
  Item item;
  for (int i = 0; table->item(i, &item); ++i) {
    int length = (int)strlen(item.name);
    width = length > width ? length : width;
  }
  return width;
}

// The further columns of an item: short ones share a line, a column of several lines has its own.
static void print_more(const Table* table, const Item* item, int indent) {
  char line[MORE_MAX * CLI_TEXT_MAX] = "";
  size_t used = 0;
  for (int m = 0; m < MORE_MAX; ++m) {
    if (!item->more[m][0])
      continue;
    const char* between = used == 0 ? "" : strchr(item->more[m], '\n') ? "\n" : "; ";
    used += (size_t)snprintf(line + used, sizeof line - used, "%s%s: %s", between, table->more[m],
                             item->more[m]);
    used = used < sizeof line ? used : sizeof line - 1;
  }
  if (used > 0) {
    printf("%*s", indent, "");
    cli_wrap(stdout, line, indent, indent);
  }
}

static void print_items(const Table* table) {
  CliStyle style = cli_style(stdout);
  int indent = name_width(table) + 2;
  Item item;
  for (int i = 0; table->item(i, &item); ++i) {
    if (!item.summary[0]) {
      printf("%s\n", item.name);
      continue;
    }
    printf("%s%-*s%s", style.bold, indent, item.name, style.plain);
    cli_wrap(stdout, item.summary, indent, indent);
    fputs(style.dim, stdout);
    print_more(table, &item, indent);
    fputs(style.plain, stdout);
  }
}

static void print_items_json(const Table* table) {
  CliJson json = {.stream = stdout};
  Item item;
  cli_json_open(&json, NULL, '[');
  for (int i = 0; table->item(i, &item); ++i) {
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "name", item.name);
    cli_json_text(&json, "summary", item.summary);
    for (int m = 0; m < MORE_MAX && table->more[m]; ++m)
      cli_json_text(&json, table->more[m], item.more[m]);
    cli_json_close(&json, '}');
  }
  cli_json_close(&json, ']');
}

static void print_names(const Table* table) {
  Item item;
  for (int i = 0; table->item(i, &item); ++i)
    puts(item.name);
}

static int print_text(const Table* table) {
  size_t length = table->text(NULL, 0);
  char* text = malloc(length + 1);
  if (!text) {
    cli_complain(&cli_list, "not enough memory");
    return CLI_EXIT_FAILED;
  }
  table->text(text, length + 1);
  fputs(text, stdout);
  if (length == 0 || text[length - 1] != '\n')
    putchar('\n');
  free(text);
  return CLI_EXIT_OK;
}

static int refuse_table(const char* name) {
  CliSuggestion suggestion = cli_suggest_start(name);
  for (int i = 0; i < TABLE_COUNT; ++i)
    cli_suggest_offer(&suggestion, tables[i].name);
  const char* best = cli_suggest_best(&suggestion);
  if (best)
    return cli_complain(&cli_list, "unknown table '%s'; did you mean '%s'?", name, best);
  return cli_complain(&cli_list, "unknown table '%s'; 'rigor list' names them", name);
}

static int list_command(int argc, char** argv) {
  ListValues values = {0};
  CliParsed parsed;
  int exit_code;
  if (!cli_parse(&cli_list, argc, argv, &values, &parsed, &exit_code))
    return exit_code;

  const Table* table = parsed.operand_count == 0 ? &table_of_tables : NULL;
  for (int i = 0; !table && i < TABLE_COUNT; ++i)
    if (strcmp(tables[i].name, parsed.operand[0]) == 0)
      table = &tables[i];
  if (!table)
    return refuse_table(parsed.operand[0]);
  if (values.names && table->item) {
    print_names(table);
    return CLI_EXIT_OK;
  }
  if (table->text && values.json && !table->item && table->text != rg_scene_schema)
    return cli_complain(&cli_list, "'%s' is a text for people; 'rigor list schema' is for machines",
                        table->name);
  if (table->text && !(table->item && values.json))
    return print_text(table);
  if (values.json)
    print_items_json(table);
  else
    print_items(table);
  return CLI_EXIT_OK;
}

const CliCommand cli_list = {
    .name = "list",
    .operands = "[TABLE]",
    .operand_max = 1,
    .summary = "print a table: solvers, shapes, options, ...",
    .details = "Prints one of the tables that the program is made from; without a name, the names "
               "of the tables.",
    .examples = "rigor list scenes\tscenes that come with the command\n"
                "rigor list solvers --json\tfor machines",
    .options = options,
    .run = list_command,
};
