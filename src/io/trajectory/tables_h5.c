// tables_h5.c - the tables of a trajectory in an HDF5 file.
//
// Frames have different numbers of rows. They lie one after the other in the datasets of the columns,
// and `count` says how many each frame has: the rows of frame f begin at the sum of the counts before.
#include "io/trajectory/tables.h"

#ifdef RIGOR_HDF5

#include "base/memory.h"
#include "io/trajectory/series_h5.h"
#include "io/trajectory/tables_h5.h"
#include <rigor/joint.h>

#include <stdio.h>
#include <string.h>

enum {
  CHUNK_ROWS = 1024, // a short run has one chunk of each column
  CHUNK_COUNTS = 256
};

void rg_tables_h5_begin(rgTableH5* tables, const rgAllocator* allocator) {
  for (int i = 0; i < RG_TABLE_COUNT; i++) {
    tables[i] = (rgTableH5){.count = -1, .rows = {.allocator = *allocator}};
    for (int k = 0; k < RG_TABLE_COLUMN_MAX; k++)
      tables[i].column[k] = -1;
  }
}

static int add_table(rgTableH5* table, const rgTable* info, hid_t file) {
  hid_t group = H5Gcreate2(file, info->name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (group < 0)
    return -1;
  hsize_t one[3] = {0, 1, 1};
  table->recorded = true;
  table->count = rg_series_add(group, "count", H5T_STD_I64LE, "", 1, one, CHUNK_COUNTS);
  int result = table->count < 0 ? -1 : 0;
  for (int k = 0; info->columns[k].name && result >= 0; k++) {
    const rgTableColumn* column = &info->columns[k];
    hsize_t sizes[3] = {0, (hsize_t)column->width, 1};
    hid_t type = rg_tables_is_whole(column) ? H5T_STD_I64LE : H5T_IEEE_F64LE;
    table->column[k] = rg_series_add(group, column->name, type, column->unit,
                                     column->width > 1 ? 2 : 1, sizes, CHUNK_ROWS);
    result = table->column[k] < 0 ? -1 : 0;
  }
  H5Gclose(group);
  return result;
}

// The names of all joints and their indices, by which the rows name them.
static int add_joint_names(const rgAllocator* allocator, hid_t file, const rgWorld* world) {
  enum { NAME = 63 };
  hsize_t count = (hsize_t)rg_world_joint_count(world), one[3] = {count, 1, 1};
  if (count == 0)
    return 0;
  size_t size = count * (NAME + 1 + sizeof(double));
  double* indices = rg_allocate(allocator, size);
  if (!indices)
    return -1;
  char* names = (char*)(indices + count);
  for (hsize_t i = 0; i < count; i++) {
    rgJointId id = rg_world_joint(world, (int)i);
    indices[i] = id.index;
    snprintf(names + i * (NAME + 1), NAME + 1, "%s", rg_joint_name(world, id));
  }
  int result = rg_series_add_fixed(file, "joint_index", H5T_STD_I64LE, "", 1, one, indices);
  hid_t type = rg_series_text_type(NAME), space = H5Screate_simple(1, &count, NULL);
  hid_t dataset =
      H5Dcreate2(file, "joint_name", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (dataset < 0 || H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, names) < 0)
    result = -1;
  if (dataset >= 0)
    H5Dclose(dataset);
  H5Sclose(space);
  H5Tclose(type);
  rg_release(allocator, indices, size);
  return result;
}

int rg_tables_h5_add(rgTableH5* tables, hid_t file, unsigned kinds, const rgWorld* world) {
  int result = 0;
  for (int i = 0; i < RG_TABLE_COUNT && result >= 0; i++)
    if (kinds & (unsigned)rg_tables[i].kind)
      result = add_table(&tables[i], &rg_tables[i], file);
  if (result >= 0 && kinds & RG_RECORD_JOINTS)
    result = add_joint_names(&tables[0].rows.allocator, file, world);
  return result;
}

bool rg_tables_h5_append(rgTableH5* tables, const rgWorld* world, int frame) {
  for (int i = 0; i < RG_TABLE_COUNT; i++) {
    rgTableH5* table = &tables[i];
    if (!table->recorded)
      continue;
    int before = table->rows.count;
    bool room = rg_reserve(&table->rows.allocator, (void**)&table->counts, &table->counts_capacity,
                           frame + 1, sizeof *table->counts);
    if (!room || !rg_tables[i].append(world, &table->rows))
      return false;
    table->counts[frame] = table->rows.count - before;
  }
  return true;
}

size_t rg_tables_h5_size(const rgTableH5* tables) {
  size_t size = 0;
  for (int i = 0; i < RG_TABLE_COUNT; i++)
    size += (size_t)tables[i].rows.count * tables[i].rows.item_size;
  return size;
}

// Gathers a column out of the rows, which lie one after the other, at `from`.
static int write_column(rgTableH5* table, const rgTableColumn* column, hid_t dataset, size_t from) {
  size_t width = (size_t)column->width, rows = (size_t)table->rows.count;
  size_t stride = table->rows.item_size / sizeof(double), size = rows * width * sizeof(double);
  double* values = rg_allocate(&table->rows.allocator, size);
  if (!values)
    return -1;
  for (size_t i = 0; i < rows; i++)
    memcpy(values + i * width, table->rows.values + i * stride + from, width * sizeof(double));
  hsize_t item[2] = {width, 1};
  // Integers are converted by the HDF5 library.
  int result = rg_series_extend(dataset, H5T_NATIVE_DOUBLE, width > 1 ? 2 : 1, item, table->written,
                                rows, values);
  rg_release(&table->rows.allocator, values, size);
  return result;
}

static int write_table(rgTableH5* table, const rgTable* info, hsize_t start, int frames) {
  size_t from = 0;
  for (int k = 0; info->columns[k].name && table->rows.count > 0; k++) {
    if (write_column(table, &info->columns[k], table->column[k], from) < 0)
      return -1;
    from += (size_t)info->columns[k].width;
  }
  hsize_t item[2] = {1, 1};
  table->written += (hsize_t)table->rows.count;
  table->rows.count = 0;
  return rg_series_extend(table->count, H5T_NATIVE_DOUBLE, 1, item, start, (hsize_t)frames,
                          table->counts);
}

int rg_tables_h5_write(rgTableH5* tables, hsize_t start, int frames) {
  int result = 0;
  for (int i = 0; i < RG_TABLE_COUNT && result >= 0; i++)
    if (tables[i].recorded)
      result = write_table(&tables[i], &rg_tables[i], start, frames);
  return result;
}

void rg_tables_h5_close(rgTableH5* tables) {
  for (int i = 0; i < RG_TABLE_COUNT; i++) {
    rgTableH5* table = &tables[i];
    if (table->count >= 0)
      H5Dclose(table->count);
    for (int k = 0; k < RG_TABLE_COLUMN_MAX; k++)
      if (table->column[k] >= 0)
        H5Dclose(table->column[k]);
    rg_tables_release(&table->rows);
    rg_release(&table->rows.allocator, table->counts,
               (size_t)table->counts_capacity * sizeof *table->counts);
  }
}

#endif
