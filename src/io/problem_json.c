// problem_json.c - contact problems as JSON, exact to the bit.
//
//     {"rigor_problem": 1, "dimension": 3, "bodies": [...], "contacts": [...], "rows": [...]}
//
// Keys are the members of the structs of <rigor/problem.h>; a twist is six numbers, linear first.
// What is left out has its default: no bias, a row without bounds.
#include "base/memory.h"
#include "io/file.h"
#include "io/schema.h"
#include <rigor/problem.h>

#include <math.h>
#include <string.h>

#define AT(type, member) .offset = offsetof(type, member)
#define COUNT(array) (int)(sizeof(array) / sizeof *(array))
#define NEEDED .needed = RG_VARIANT_ALL

typedef struct File {
  int version, dimension;
  rgList bodies, contacts, rows;
} File;

// -------------------------------------------------------------------------------------------------
// Tables
// -------------------------------------------------------------------------------------------------

static const rgRange file_version = {1, 1, false};
static const rgRange dimensions = {2, 3, false};
static const rgRange body_index = {-1, HUGE_VAL, false};

static const char* cone_word(int index) {
  return index < RG_CONE_KIND_COUNT ? rg_cone_kind_name((rgConeKind)index) : NULL;
}

// clang-format off
static const rgSchemaField body_fields[] = {
    {.key = "inverse_mass", .type = RG_FIELD_REAL, AT(rgProblemBody, inverse_mass), NEEDED,
     .range = &rg_range_not_negative},
    {.key = "inverse_inertia", .type = RG_FIELD_MATRIX, AT(rgProblemBody, inverse_inertia), NEEDED},
    {.key = "v_free", .type = RG_FIELD_TUPLE, AT(rgProblemBody, v_free), .count = 6, NEEDED},
};

static const rgSchemaField contact_fields[] = {
    {.key = "body_a", .type = RG_FIELD_INT, AT(rgProblemContact, body_a), NEEDED,
     .range = &body_index},
    {.key = "body_b", .type = RG_FIELD_INT, AT(rgProblemContact, body_b), NEEDED,
     .range = &body_index},
    {.key = "n", .type = RG_FIELD_TUPLE, AT(rgProblemContact, n), .count = 3, NEEDED},
    {.key = "t", .type = RG_FIELD_TUPLE, AT(rgProblemContact, t), .count = 3, NEEDED},
    {.key = "o", .type = RG_FIELD_TUPLE, AT(rgProblemContact, o), .count = 3, NEEDED},
    {.key = "arm_a", .type = RG_FIELD_TUPLE, AT(rgProblemContact, arm_a), .count = 3},
    {.key = "arm_b", .type = RG_FIELD_TUPLE, AT(rgProblemContact, arm_b), .count = 3},
    {.key = "bias", .type = RG_FIELD_TUPLE, AT(rgProblemContact, bias), .count = 4},
    {.key = "cone", .type = RG_FIELD_WORD, AT(rgProblemContact, cone), .word = cone_word, NEEDED},
    {.key = "facets", .type = RG_FIELD_INT, AT(rgProblemContact, facets)},
    {.key = "mu", .type = RG_FIELD_REAL, AT(rgProblemContact, mu)},
    {.key = "e_t", .type = RG_FIELD_REAL, AT(rgProblemContact, e_t)},
    {.key = "e_o", .type = RG_FIELD_REAL, AT(rgProblemContact, e_o)},
    {.key = "e_tau", .type = RG_FIELD_REAL, AT(rgProblemContact, e_tau)},
};

static const rgSchemaField row_fields[] = {
    {.key = "body_a", .type = RG_FIELD_INT, AT(rgProblemRow, body_a), .range = &body_index, NEEDED},
    {.key = "body_b", .type = RG_FIELD_INT, AT(rgProblemRow, body_b), .range = &body_index, NEEDED},
    {.key = "g_a", .type = RG_FIELD_TUPLE, AT(rgProblemRow, g_a), .count = 6},
    {.key = "g_b", .type = RG_FIELD_TUPLE, AT(rgProblemRow, g_b), .count = 6},
    {.key = "bias", .type = RG_FIELD_REAL, AT(rgProblemRow, bias)},
    {.key = "lower", .type = RG_FIELD_REAL, AT(rgProblemRow, lower)},
    {.key = "upper", .type = RG_FIELD_REAL, AT(rgProblemRow, upper)},
    {.key = "compliance", .type = RG_FIELD_REAL, AT(rgProblemRow, compliance),
     .range = &rg_range_not_negative},
};
// clang-format on

static void default_contact(void* item, const void* context) {
  (void)context;
  rgProblemContact* contact = item;
  contact->e_t = contact->e_o = 1;
}

static void default_row(void* item, const void* context) {
  (void)context;
  rgProblemRow* row = item;
  row->lower = -HUGE_VAL;
  row->upper = HUGE_VAL;
}

static const rgSchemaObject body_object = {
    .name = "body",
    .label = "a body",
    .size = sizeof(rgProblemBody),
    .fields = body_fields,
    .field_count = COUNT(body_fields),
};

static const rgSchemaObject contact_object = {
    .name = "contact",
    .label = "a contact",
    .size = sizeof(rgProblemContact),
    .fields = contact_fields,
    .field_count = COUNT(contact_fields),
    .defaults = default_contact,
};

static const rgSchemaObject row_object = {
    .name = "row",
    .label = "a row",
    .size = sizeof(rgProblemRow),
    .fields = row_fields,
    .field_count = COUNT(row_fields),
    .defaults = default_row,
};

static const rgSchemaField file_fields[] = {
    {.key = "rigor_problem",
     .type = RG_FIELD_INT,
     AT(File, version),
     .range = &file_version,
     NEEDED},
    {.key = "dimension", .type = RG_FIELD_INT, AT(File, dimension), .range = &dimensions},
    {.key = "bodies", .type = RG_FIELD_OBJECTS, AT(File, bodies), .object = &body_object},
    {.key = "contacts", .type = RG_FIELD_OBJECTS, AT(File, contacts), .object = &contact_object},
    {.key = "rows", .type = RG_FIELD_OBJECTS, AT(File, rows), .object = &row_object},
};

static void default_file(void* item, const void* context) {
  (void)context;
  File* file = item;
  file->dimension = 3;
}

static const rgSchemaObject file_object = {
    .name = "problem",
    .label = "a problem",
    .size = sizeof(File),
    .fields = file_fields,
    .field_count = COUNT(file_fields),
    .defaults = default_file,
};

// -------------------------------------------------------------------------------------------------
// Writing
// -------------------------------------------------------------------------------------------------

static bool all_finite(const double* values, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(values[i]))
      return false;
  return true;
}

// JSON has no infinity and no NaN; only open bounds of rows can be left out. Names the first entry
// that has one.
static rgStatus check_finite(const char* list, const rgSchemaObject* object, const void* items,
                             int count, const char* path, rgMessage* message) {
  for (int i = 0; i < count; i++) {
    const char* item = (const char*)items + (size_t)i * object->size;
    for (int j = 0; j < object->field_count; j++) {
      const rgSchemaField* field = &object->fields[j];
      bool real = field->type == RG_FIELD_REAL;
      if (!real && field->type != RG_FIELD_TUPLE && field->type != RG_FIELD_MATRIX)
        continue;
      const double* values = (const double*)(const void*)(item + field->offset);
      bool open = (strcmp(field->key, "lower") == 0 && *values == -HUGE_VAL) ||
                  (strcmp(field->key, "upper") == 0 && *values == HUGE_VAL);
      size_t numbers = real ? 1 : field->type == RG_FIELD_MATRIX ? 9 : (size_t)field->count;
      if (!open && !all_finite(values, numbers))
        return rg_fail(message, RG_ERROR_INPUT, "cannot write %s: %s[%d].%s is not finite", path,
                       list, i, field->key);
    }
  }
  return RG_OK;
}

rgStatus rg_problem_write(const rgProblem* problem, const char* path, rgMessage* message) {
  rgMessage why = {""};
  rgStatus status = rg_problem_check(problem, &why);
  if (status != RG_OK)
    return rg_fail(message, status, "cannot write %s: %s", path, why.text);
  status =
      check_finite("bodies", &body_object, problem->bodies, problem->body_count, path, message);
  if (status == RG_OK)
    status = check_finite("contacts", &contact_object, problem->contacts, problem->contact_count,
                          path, message);
  if (status == RG_OK)
    status = check_finite("rows", &row_object, problem->rows, problem->row_count, path, message);
  if (status != RG_OK)
    return status;

  // The writer only reads what the lists point to.
  File file = {1,
               problem->dimension,
               {(void*)(uintptr_t)problem->bodies, problem->body_count},
               {(void*)(uintptr_t)problem->contacts, problem->contact_count},
               {(void*)(uintptr_t)problem->rows, problem->row_count}};
  rgAllocator allocator = rg_allocator_default();
  char* text = NULL;
  size_t capacity = 0;
  for (;;) { // once to count, once to write
    rgText out = {.text = text, .capacity = capacity};
    rgWriter writer = {&out, NULL};
    rg_write_object(&writer, &file_object, &file, 0);
    rg_text_add(&out, "\n");
    if (text) {
      status = rg_file_write(path, text, out.length, message);
      break;
    }
    capacity = out.length;
    text = rg_allocate(&allocator, capacity);
    if (!text)
      return rg_fail(message, RG_ERROR_MEMORY, "cannot write %s: not enough memory", path);
  }
  rg_release(&allocator, text, capacity);
  return status;
}

// -------------------------------------------------------------------------------------------------
// Reading
// -------------------------------------------------------------------------------------------------

// The block of a problem: the struct, then its three arrays.
static rgProblem* carve(rgCarver* carver, int dimension, int bodies, int contacts, int rows) {
  rgProblem* problem = rg_carve(carver, 1, sizeof *problem);
  rgProblemBody* body = rg_carve(carver, (size_t)bodies, sizeof *body);
  rgProblemContact* contact = rg_carve(carver, (size_t)contacts, sizeof *contact);
  rgProblemRow* row = rg_carve(carver, (size_t)rows, sizeof *row);
  if (problem)
    *problem = (rgProblem){dimension, bodies, contacts, rows, body, contact, row, NULL};
  return problem;
}

static size_t block_size(int bodies, int contacts, int rows) {
  rgCarver carver = {NULL, 0};
  carve(&carver, 0, bodies, contacts, rows);
  return carver.used;
}

static void copy_list(const void* to, const rgList* from, size_t item_size) {
  if (from->count > 0)
    memcpy((void*)(uintptr_t)to, from->items, (size_t)from->count * item_size);
}

static rgStatus make_problem(const File* file, const char* path, const rgAllocator* allocator,
                             rgProblem** problem, rgMessage* message) {
  size_t size = block_size(file->bodies.count, file->contacts.count, file->rows.count);
  rgCarver carver = {rg_allocate(allocator, size), 0};
  if (!carver.base)
    return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", path);
  rgProblem* made =
      carve(&carver, file->dimension, file->bodies.count, file->contacts.count, file->rows.count);
  copy_list(made->bodies, &file->bodies, sizeof *made->bodies);
  copy_list(made->contacts, &file->contacts, sizeof *made->contacts);
  copy_list(made->rows, &file->rows, sizeof *made->rows);
  rgMessage why = {""};
  rgStatus status = rg_problem_check(made, &why);
  if (status != RG_OK) {
    rg_problem_free(made, allocator);
    return rg_fail(message, status, "%s: %s", path, why.text);
  }
  *problem = made;
  return RG_OK;
}

rgStatus rg_problem_read(const char* path, const rgAllocator* allocator, rgProblem** problem,
                         rgMessage* message) {
  *problem = NULL;
  char* text;
  size_t length, size;
  rgStatus status = rg_file_read(path, allocator, &text, &length, &size, message);
  if (status != RG_OK)
    return status;
  rgJson* json;
  status = rg_json_parse(text, length, path, allocator, &json, message);
  rg_release(allocator, text, size);
  if (status != RG_OK)
    return status;
  rgPool pool = {*allocator, NULL};
  rgReader reader = {
      .name = path, .root = "the problem", .pool = &pool, .status = RG_OK, .message = message};
  File file;
  status = rg_read_object(&reader, &file_object, rg_json_root(json), &file)
               ? make_problem(&file, path, allocator, problem, message)
               : reader.status;
  rg_json_free(json);
  rg_pool_free(&pool);
  return status;
}

void rg_problem_free(rgProblem* problem, const rgAllocator* allocator) {
  if (problem)
    rg_release(allocator, problem,
               block_size(problem->body_count, problem->contact_count, problem->row_count));
}
