// tables.h - what a trajectory may record besides bodies: tables of numbers with as many rows per frame
// as there are contacts, joint axes or bodies. Formats write them from their columns alone.
#ifndef IO_TRAJECTORY_TABLES_H
#define IO_TRAJECTORY_TABLES_H

#include <rigor/trajectory.h>

// What the number in a column is.
typedef enum rgTableType {
  RG_TABLE_REAL,
  RG_TABLE_WHOLE,
  RG_TABLE_BODY, // index in the id of a body; -1: the ground
  RG_TABLE_JOINT // index in the id of a joint
} rgTableType;

typedef struct rgTableColumn {
  const char* name;
  const char* unit; // "" = none
  int width;        // numbers: 1 or, of a vector, 3
  rgTableType type;
} rgTableColumn;

enum { RG_TABLE_COUNT = 3, RG_TABLE_COLUMN_MAX = 12, RG_TABLE_WIDTH_MAX = 24 };

// Rows of some frames, one after the other.
typedef struct rgTableRows {
  rgAllocator allocator;
  double* values;   // the numbers of all columns, row after row
  int capacity;     // rows
  int count;        // rows
  size_t item_size; // [bytes] of a row
  void* scratch;    // what a world lists
  int scratch_capacity;
  size_t scratch_size; // [bytes] of an item of it
} rgTableRows;

typedef struct rgTable {
  const char* name; // "contacts"
  const char* summary;
  rgRecordKind kind;
  const rgTableColumn* columns; // up to one without a name
  // Appends the rows of the present state. False when memory ran out: then nothing is appended.
  bool (*append)(const rgWorld* world, rgTableRows* rows);
} rgTable;

extern const rgTable rg_tables[RG_TABLE_COUNT];

int rg_tables_width(const rgTable* table); // numbers in a row
bool rg_tables_is_whole(const rgTableColumn* column);
void rg_tables_release(rgTableRows* rows);

enum { RG_TABLE_SENSOR_NAME = 80 }; // [bytes]
// The name of a sensor in a file: never empty.
void rg_tables_sensor_name(const rgWorld* world, int sensor, char* name);

#endif
