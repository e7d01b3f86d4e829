// problem_json.c - contact problems as JSON, exact to the bit.
//
//     {"rigor_problem": 1, "dimension": 3, "bodies": [...], "contacts": [...], "rows": [...]}
//     {"rigor_problem": 1, "dimension": 3, "local": {"block": 3, "contacts": [...], "rows": [...],
//         "blocks": [{"row": 0, "column": 0, "w": [nine numbers, row by row]}, ...]}}
//
// Keys are the members of the structs of <rigor/problem.h>; a twist is six numbers, linear first.
// An omitted key has its default: no bias, a row without bounds. The second is the local form: its
// contacts have only a bias and a law, its rows bias, bounds, compliance and length. Blocks of W
// count the contacts, then the rows, and are in ascending order of row and column.
#include "base/memory.h"
#include "io/problem/problem_file.h"
#include "io/schema/schema.h"
#include "io/text/file.h"
#include "problem/operator.h"

#include <math.h>
#include <string.h>

#define AT(type, member) .offset = offsetof(type, member)
#define COUNT(array) (int)(sizeof(array) / sizeof *(array))
#define NEEDED .needed = RG_VARIANT_ALL

// A block of W.
typedef struct Block {
  int row, column;
  rgList w;
} Block;

// A row of the local form.
typedef struct LocalRow {
  rgProblemRow row;
  double length;
} LocalRow;

typedef struct Local {
  int block;
  rgList contacts, rows, blocks;
} Local;

typedef struct File {
  int version, dimension;
  rgList bodies, contacts, rows;
  Local local; // block = 0: the body form
} File;

// -------------------------------------------------------------------------------------------------
// Tables
// -------------------------------------------------------------------------------------------------

static const rgRange file_version = {1, 1, false};
static const rgRange dimensions = {2, 3, false};
static const rgRange body_index = {-1, HUGE_VAL, false};
static const rgRange block_sizes = {1, 4, false};

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

// First where a contact is, then its law, which is all that a contact of a local form has.
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

static const rgSchemaField block_fields[] = {
    {.key = "row", .type = RG_FIELD_INT, AT(Block, row), NEEDED, .range = &rg_range_not_negative},
    {.key = "column", .type = RG_FIELD_INT, AT(Block, column), NEEDED,
     .range = &rg_range_not_negative},
    {.key = "w", .type = RG_FIELD_REALS, AT(Block, w), NEEDED},
};

static const rgSchemaField local_row_fields[] = {
    {.key = "bias", .type = RG_FIELD_REAL, AT(LocalRow, row.bias)},
    {.key = "lower", .type = RG_FIELD_REAL, AT(LocalRow, row.lower)},
    {.key = "upper", .type = RG_FIELD_REAL, AT(LocalRow, row.upper)},
    {.key = "compliance", .type = RG_FIELD_REAL, AT(LocalRow, row.compliance),
     .range = &rg_range_not_negative},
    {.key = "length", .type = RG_FIELD_REAL, AT(LocalRow, length), .range = &rg_range_positive},
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

enum { CONTACT_LAW = 7 }; // where the law begins in contact_fields

static void default_contact(void* item, const void* context) {
  (void)context;
  rgProblemContact* contact = item;
  contact->e_t = contact->e_o = 1;
}

static void default_local_contact(void* item, const void* context) {
  rgProblemContact* contact = item;
  default_contact(item, context);
  contact->body_a = contact->body_b = -1;
  contact->n.x = contact->t.y = contact->o.z = 1; // a frame, though nothing reads it
}

static void default_row(void* item, const void* context) {
  (void)context;
  rgProblemRow* row = item;
  row->lower = -HUGE_VAL;
  row->upper = HUGE_VAL;
}

static void default_local_row(void* item, const void* context) {
  LocalRow* row = item;
  default_row(&row->row, context);
  row->row.body_a = row->row.body_b = -1;
  row->length = 1;
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

static const rgSchemaObject local_contact_object = {
    .name = "contact",
    .label = "a contact",
    .size = sizeof(rgProblemContact),
    .fields = contact_fields + CONTACT_LAW,
    .field_count = COUNT(contact_fields) - CONTACT_LAW,
    .defaults = default_local_contact,
};

static const rgSchemaObject local_row_object = {
    .name = "row",
    .label = "a row",
    .size = sizeof(LocalRow),
    .fields = local_row_fields,
    .field_count = COUNT(local_row_fields),
    .defaults = default_local_row,
};

static const rgSchemaObject block_object = {
    .name = "block",
    .label = "a block",
    .size = sizeof(Block),
    .fields = block_fields,
    .field_count = COUNT(block_fields),
};

static const rgSchemaField local_fields[] = {
    {.key = "block", .type = RG_FIELD_INT, AT(Local, block), .range = &block_sizes, NEEDED},
    {.key = "contacts",
     .type = RG_FIELD_OBJECTS,
     AT(Local, contacts),
     .object = &local_contact_object},
    {.key = "rows", .type = RG_FIELD_OBJECTS, AT(Local, rows), .object = &local_row_object},
    {.key = "blocks", .type = RG_FIELD_OBJECTS, AT(Local, blocks), .object = &block_object},
};

static const rgSchemaObject local_object = {
    .name = "local",
    .label = "a local form",
    .size = sizeof(Local),
    .fields = local_fields,
    .field_count = COUNT(local_fields),
};

static bool read_local(rgReader* reader, const rgJsonNode* node, void* place) {
  return rg_read_object(reader, &local_object, node, place);
}

static void write_local(rgWriter* writer, const void* place) {
  rg_write_object(writer, &local_object, place, 1);
}

static bool same_local(const void* a, const void* b) {
  return ((const Local*)a)->block == ((const Local*)b)->block;
}

static const rgSchemaCustom local_custom = {
    .type = "local form", .read = read_local, .write = write_local, .equal = same_local};

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
    {.key = "local", .type = RG_FIELD_CUSTOM, AT(File, local), .custom = &local_custom},
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

static rgStatus write_file(const File* file, const char* path, rgMessage* message) {
  rgAllocator allocator = rg_allocator_default();
  rgStatus status = RG_OK;
  char* text = NULL;
  size_t capacity = 0;
  for (;;) { // once to count, once to write
    rgText out = {.text = text, .capacity = capacity};
    rgWriter writer = {&out, NULL};
    rg_write_object(&writer, &file_object, file, 0);
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

static int node_size(const rgProblem* problem, int node) {
  return node < problem->contact_count ? problem->local->block : 1;
}

// The lists of the local form. The writer only reads what they point to.
static bool list_local(const rgProblem* problem, rgPool* pool, Local* local) {
  const rgLocalMatrix* w = problem->local;
  int nodes = rg_local_node_count(problem), blocks = w->row_start[nodes];
  Block* block = rg_pool_take(pool, (size_t)blocks, sizeof *block);
  LocalRow* rows = rg_pool_take(pool, (size_t)problem->row_count, sizeof *rows);
  if (!block || !rows)
    return false;
  const double* values = w->values;
  for (int i = 0; i < nodes; i++)
    for (int k = w->row_start[i]; k < w->row_start[i + 1]; k++) {
      int size = node_size(problem, i) * node_size(problem, w->column[k]);
      block[k] = (Block){i, w->column[k], {rg_mutable(values), size}};
      values += size;
    }
  for (int i = 0; i < problem->row_count; i++)
    rows[i] = (LocalRow){problem->rows[i], rg_row_length(problem, &problem->rows[i])};
  *local = (Local){w->block,
                   {rg_mutable(problem->contacts), problem->contact_count},
                   {rows, problem->row_count},
                   {block, blocks}};
  return true;
}

rgStatus rg_problem_json_write(const rgProblem* problem, const char* path, rgMessage* message) {
  const rgSchemaObject* contact = problem->local ? &local_contact_object : &contact_object;
  rgStatus status =
      check_finite("bodies", &body_object, problem->bodies, problem->body_count, path, message);
  if (status == RG_OK)
    status =
        check_finite("contacts", contact, problem->contacts, problem->contact_count, path, message);
  if (status == RG_OK && !problem->local) // those of the local form have passed rg_problem_check
    status = check_finite("rows", &row_object, problem->rows, problem->row_count, path, message);
  if (status != RG_OK)
    return status;

  rgPool pool = {rg_allocator_default(), NULL};
  File file = {.version = 1, .dimension = problem->dimension};
  if (!problem->local) {
    file.bodies = (rgList){rg_mutable(problem->bodies), problem->body_count};
    file.contacts = (rgList){rg_mutable(problem->contacts), problem->contact_count};
    file.rows = (rgList){rg_mutable(problem->rows), problem->row_count};
  } else if (!list_local(problem, &pool, &file.local)) {
    status = rg_fail(message, RG_ERROR_MEMORY, "cannot write %s: not enough memory", path);
  }
  if (status == RG_OK)
    status = write_file(&file, path, message);
  rg_pool_free(&pool);
  return status;
}

// -------------------------------------------------------------------------------------------------
// Reading
// -------------------------------------------------------------------------------------------------

static void copy_list(const void* to, const rgList* from, size_t item_size) {
  if (from->count > 0)
    memcpy(rg_mutable(to), from->items, (size_t)from->count * item_size);
}

static int block_size(const Local* local, int node) {
  return node < local->contacts.count ? local->block : 1;
}

// The order and the sizes of the blocks, and how many numbers they have.
static rgStatus check_blocks(const Local* local, const char* path, size_t* numbers,
                             rgMessage* message) {
  int nodes = local->contacts.count + local->rows.count, row = 0;
  const Block* blocks = local->blocks.items;
  *numbers = 0;
  for (int k = 0; k < local->blocks.count; k++) {
    const Block* block = &blocks[k];
    if (block->row < row || block->row >= nodes)
      return rg_fail(message, RG_ERROR_INPUT,
                     "%s: local.blocks[%d].row is %d, must be %d .. %d: rows in ascending order",
                     path, k, block->row, row, nodes - 1);
    int size = block_size(local, block->row) * block_size(local, block->column);
    if (block->w.count != size)
      return rg_fail(message, RG_ERROR_INPUT, "%s: local.blocks[%d].w has %d entries, must have %d",
                     path, k, block->w.count, size);
    row = block->row;
    *numbers += (size_t)size;
  }
  return RG_OK;
}

static void fill_local(const Local* local, const rgProblem* made) {
  int nodes = rg_local_node_count(made), row = 0;
  int *row_start = rg_mutable(made->local->row_start), *column = rg_mutable(made->local->column);
  double *values = rg_mutable(made->local->values), *length = rg_mutable(made->local->length);
  size_t *value_start = rg_mutable(made->local->value_start), used = 0;
  const Block* blocks = local->blocks.items;
  for (int k = 0; k < local->blocks.count; k++) {
    for (; row < blocks[k].row; row++) {
      row_start[row + 1] = k;
      if (value_start)
        value_start[row + 1] = used;
    }
    column[k] = blocks[k].column;
    memcpy(values + used, blocks[k].w.items, (size_t)blocks[k].w.count * sizeof *values);
    used += (size_t)blocks[k].w.count;
  }
  for (; row < nodes; row++) {
    row_start[row + 1] = local->blocks.count;
    if (value_start)
      value_start[row + 1] = used;
  }
  const LocalRow* rows = local->rows.items;
  for (int i = 0; i < local->rows.count; i++) {
    *(rgProblemRow*)rg_mutable(&made->rows[i]) = rows[i].row;
    length[i] = rows[i].length;
  }
}

static rgStatus make_problem(const File* file, const char* path, const rgAllocator* allocator,
                             rgProblem** problem, rgMessage* message) {
  const Local* local = &file->local;
  bool both = local->block > 0 && file->bodies.count + file->contacts.count + file->rows.count > 0;
  if (both)
    return rg_fail(message, RG_ERROR_INPUT,
                   "%s: has a local form and bodies, contacts or rows; must have one or the other",
                   path);
  const rgList* contacts = local->block > 0 ? &local->contacts : &file->contacts;
  rgProblemSize size = {.bodies = file->bodies.count,
                        .contacts = contacts->count,
                        .rows = local->block > 0 ? local->rows.count : file->rows.count,
                        .block = local->block,
                        .blocks = local->blocks.count};
  rgStatus status = check_blocks(local, path, &size.numbers, message);
  if (status != RG_OK)
    return status;
  rgProblem* made = rg_problem_allocate(&size, allocator);
  if (!made)
    return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", path);
  made->dimension = file->dimension;
  copy_list(made->bodies, &file->bodies, sizeof *made->bodies);
  copy_list(made->contacts, contacts, sizeof *made->contacts);
  copy_list(made->rows, &file->rows, sizeof *made->rows);
  if (local->block > 0)
    fill_local(local, made);
  return rg_problem_accept(made, path, allocator, problem, message);
}

rgStatus rg_problem_json_read(const char* text, size_t length, const char* name,
                              const rgAllocator* allocator, rgProblem** problem,
                              rgMessage* message) {
  rgJson* json;
  rgStatus status = rg_json_parse(text, length, name, allocator, &json, message);
  if (status != RG_OK)
    return status;
  rgPool pool = {*allocator, NULL};
  rgReader reader = {
      .name = name, .root = "the problem", .pool = &pool, .status = RG_OK, .message = message};
  File file;
  status = rg_read_object(&reader, &file_object, rg_json_root(json), &file)
               ? make_problem(&file, name, allocator, problem, message)
               : reader.status;
  rg_json_free(json);
  rg_pool_free(&pool);
  return status;
}
