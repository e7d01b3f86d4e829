// tables.c - contacts, joints and forces as tables of a trajectory.
#include "io/trajectory/tables.h"

#include "base/memory.h"
#include <rigor/load.h>
#include <rigor/sensor.h>

#include <stdio.h>
#include <string.h>

// Room for `count` more rows; NULL when memory ran out.
static double* add_rows(rgTableRows* rows, int count, int width) {
  bool room = rg_reserve(&rows->allocator, (void**)&rows->values, &rows->capacity,
                         rows->count + count + 1, (size_t)width * sizeof *rows->values);
  rows->item_size = (size_t)width * sizeof *rows->values;
  double* at = room ? rows->values + (size_t)rows->count * (size_t)width : NULL;
  if (room)
    rows->count += count;
  return at;
}

// Room for items that a world lists; NULL when memory ran out, never NULL for none.
static void* take_scratch(rgTableRows* rows, int count, size_t size) {
  bool room =
      rg_reserve(&rows->allocator, &rows->scratch, &rows->scratch_capacity, count + 1, size);
  rows->scratch_size = size;
  return room ? rows->scratch : NULL;
}

static double* put_vector(double* at, rgVec3 v) {
  at[0] = v.x, at[1] = v.y, at[2] = v.z;
  return at + 3;
}

static double index_of(rgBodyId id) { return id.generation == 0 ? -1 : (double)id.index; }

// -------------------------------------------------------------------------------------------------
// Contacts
// -------------------------------------------------------------------------------------------------

static const rgTableColumn contact_columns[] = {
    {"body_a", "", 1, RG_TABLE_BODY},     {"body_b", "", 1, RG_TABLE_BODY},
    {"shape_a", "", 1, RG_TABLE_WHOLE},   {"shape_b", "", 1, RG_TABLE_WHOLE},
    {"point", "m", 3, RG_TABLE_REAL},     {"normal", "", 3, RG_TABLE_REAL},
    {"gap", "m", 1, RG_TABLE_REAL},       {"force", "N", 3, RG_TABLE_REAL},
    {"torsion", "N m", 1, RG_TABLE_REAL}, {"arm_a", "m", 3, RG_TABLE_REAL},
    {"arm_b", "m", 3, RG_TABLE_REAL},     {0},
};
enum { CONTACT_WIDTH = 21 };

static void put_contact(const rgContactLoad* load, double* at) {
  at[0] = index_of(load->body_a);
  at[1] = index_of(load->body_b);
  at[2] = (double)load->shape_a.index;
  at[3] = (double)load->shape_b.index;
  at = put_vector(at + 4, load->point);
  at = put_vector(at, load->normal);
  *at++ = load->gap;
  at = put_vector(at, load->force);
  *at++ = load->torsion;
  at = put_vector(at, load->arm_a);
  put_vector(at, load->arm_b);
}

static bool append_contacts(const rgWorld* world, rgTableRows* rows) {
  int count = rg_world_contact_loads(world, NULL, 0);
  rgContactLoad* loads = take_scratch(rows, count, sizeof *loads);
  double* at = loads ? add_rows(rows, count, CONTACT_WIDTH) : NULL;
  if (!at)
    return false;
  rg_world_contact_loads(world, loads, count);
  for (int i = 0; i < count; i++)
    put_contact(&loads[i], at + (size_t)i * CONTACT_WIDTH);
  return true;
}

// -------------------------------------------------------------------------------------------------
// Joints: a row for each free axis, and one with the axis -1 for a joint that has none
// -------------------------------------------------------------------------------------------------

static const rgTableColumn joint_columns[] = {
    {"joint", "", 1, RG_TABLE_JOINT},
    {"body_a", "", 1, RG_TABLE_BODY},
    {"body_b", "", 1, RG_TABLE_BODY},
    {"axis", "", 1, RG_TABLE_WHOLE},
    {"coordinate", "m or rad", 1, RG_TABLE_REAL},
    {"rate", "m/s or rad/s", 1, RG_TABLE_REAL},
    {"force", "N or N m", 1, RG_TABLE_REAL},
    {"drive", "N or N m", 1, RG_TABLE_REAL},
    {"reaction", "N", 3, RG_TABLE_REAL},
    {"moment_a", "N m", 3, RG_TABLE_REAL},
    {"moment_b", "N m", 3, RG_TABLE_REAL},
    {0},
};
enum { JOINT_WIDTH = 17 };

static void put_axis(rgJointId id, const rgJointState* state, const rgJointLoad* load, int axis,
                     double* at) {
  bool free = axis >= 0;
  at[0] = (double)id.index;
  at[1] = index_of(state->body_a);
  at[2] = index_of(state->body_b);
  at[3] = axis;
  at[4] = free ? state->coordinate[axis] : 0;
  at[5] = free ? state->rate[axis] : 0;
  at[6] = free ? state->force[axis] : 0;
  at[7] = free ? load->drive[axis] : 0;
  at = put_vector(at + 8, load->on_b.force);
  at = put_vector(at, load->on_a.torque);
  put_vector(at, load->on_b.torque);
}

static int axis_rows(const rgWorld* world, int index) {
  rgJointState state;
  rg_joint_state(world, rg_world_joint(world, index), &state);
  return state.axis_count > 0 ? state.axis_count : 1;
}

static bool append_joints(const rgWorld* world, rgTableRows* rows) {
  int joints = rg_world_joint_count(world), count = 0;
  for (int i = 0; i < joints; i++)
    count += axis_rows(world, i);
  rgJointLoad* loads = take_scratch(rows, joints, sizeof *loads);
  double* at = loads ? add_rows(rows, count, JOINT_WIDTH) : NULL;
  if (!at)
    return false;
  bool known = rg_world_joint_loads(world, loads, joints) == joints;
  const rgJointLoad nothing = {0};
  for (int i = 0; i < joints; i++) {
    rgJointState state;
    rgJointId id = rg_world_joint(world, i);
    rg_joint_state(world, id, &state);
    int last = state.axis_count > 0 ? state.axis_count - 1 : -1;
    for (int axis = last < 0 ? -1 : 0; axis <= last; axis++, at += JOINT_WIDTH)
      put_axis(id, &state, known ? &loads[i] : &nothing, axis, at);
  }
  return true;
}

// -------------------------------------------------------------------------------------------------
// Forces: what else acts on bodies
// -------------------------------------------------------------------------------------------------

static const rgTableColumn force_columns[] = {
    {"body", "", 1, RG_TABLE_BODY},
    {"mass", "kg", 1, RG_TABLE_REAL}, // 0 of a body that is not dynamic
    {"applied_force", "N", 3, RG_TABLE_REAL},
    {"applied_torque", "N m", 3, RG_TABLE_REAL},
    {"correction", "m/s", 3, RG_TABLE_REAL},
    {0},
};
enum { FORCE_WIDTH = 11 };

static double dynamic_mass(const rgWorld* world, rgBodyId id) {
  return rg_body_kind(world, id) == RG_BODY_DYNAMIC ? rg_body_mass(world, id).mass : 0;
}

static bool append_forces(const rgWorld* world, rgTableRows* rows) {
  int bodies = rg_world_body_count(world);
  rgBodyLoad* loads = take_scratch(rows, bodies, sizeof *loads);
  double* at = loads ? add_rows(rows, bodies, FORCE_WIDTH) : NULL;
  if (!at)
    return false;
  if (rg_world_body_loads(world, loads, bodies) == 0)
    memset(loads, 0, (size_t)bodies * sizeof *loads);
  for (int i = 0; i < bodies; i++) {
    *at++ = index_of(rg_world_body(world, i));
    *at++ = dynamic_mass(world, rg_world_body(world, i));
    at = put_vector(at, loads[i].applied.force);
    at = put_vector(at, loads[i].applied.torque);
    at = put_vector(at, loads[i].correction);
  }
  return true;
}

// -------------------------------------------------------------------------------------------------
// The table of tables
// -------------------------------------------------------------------------------------------------

const rgTable rg_tables[RG_TABLE_COUNT] = {
    {"contacts", "contacts that acted in the step before the frame, with force, point and arms",
     RG_RECORD_CONTACTS, contact_columns, append_contacts},
    {"joints", "coordinates, rates, drives and reactions of joints", RG_RECORD_JOINTS,
     joint_columns, append_joints},
    {"forces", "gravity and forces of the world on each body, and corrections of its velocity",
     RG_RECORD_FORCES, force_columns, append_forces},
};

int rg_tables_width(const rgTable* table) {
  int width = 0;
  for (const rgTableColumn* column = table->columns; column->name; column++)
    width += column->width;
  return width;
}

void rg_tables_sensor_name(const rgWorld* world, int sensor, char* name) {
  const char* given = rg_world_sensor(world, sensor).def.name;
  if (given[0])
    snprintf(name, RG_TABLE_SENSOR_NAME, "%s", given);
  else
    snprintf(name, RG_TABLE_SENSOR_NAME, "sensor%d", sensor);
}

bool rg_tables_is_whole(const rgTableColumn* column) { return column->type != RG_TABLE_REAL; }

void rg_tables_release(rgTableRows* rows) {
  rg_release(&rows->allocator, rows->values, (size_t)rows->capacity * rows->item_size);
  rg_release(&rows->allocator, rows->scratch, (size_t)rows->scratch_capacity * rows->scratch_size);
}

// -------------------------------------------------------------------------------------------------
// Words
// -------------------------------------------------------------------------------------------------

const char* rg_trajectory_record_name(int index) {
  if (index == 0)
    return "bodies";
  if (index == RG_TABLE_COUNT + 1)
    return "sensors";
  return index > 0 && index <= RG_TABLE_COUNT ? rg_tables[index - 1].name : NULL;
}

const char* rg_trajectory_record_summary(int index) {
  if (index == 0)
    return "poses and velocities of bodies, certificates and energies; always recorded";
  if (index == RG_TABLE_COUNT + 1)
    return "values of the sensors of the scene";
  return index > 0 && index <= RG_TABLE_COUNT ? rg_tables[index - 1].summary : NULL;
}

rgRecordKind rg_trajectory_record_kind(int index) {
  if (index == RG_TABLE_COUNT + 1)
    return RG_RECORD_SENSORS;
  return index > 0 && index <= RG_TABLE_COUNT ? rg_tables[index - 1].kind : RG_RECORD_BODIES;
}
