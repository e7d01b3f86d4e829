// world.c - rigor._core.World: a world that can be stepped, with its configuration as live arrays.
//
// The arrays qpos, qvel and ctrl belong to the world and show the same numbers for its whole life. Each
// has a copy of what it last was: before a step, numbers that were written from outside are seen by
// comparison and set; after it, the new ones are written. Worlds whose arrays nobody has asked for
// spend nothing on them.
#include "core.h"

#include <string.h>

// One live array.
typedef struct Live {
  CoreMemory* memory; // NULL until it is asked for
  double* kept;
  Py_ssize_t count;
} Live;

typedef struct CoreWorld {
  PyObject_HEAD rgWorld* world;
  PyObject* model; // outlives the world
  Live qpos, qvel, ctrl;
  bool busy; // a thread is in it, without the interpreter's lock
  bool few;  // bodies: single steps keep the lock
} CoreWorld;

enum {
  STEPS_UNSEEN = 64, // Python checks for signals after so many steps
  // One step of so few bodies takes microseconds, far less than other threads wait for the
  // interpreter's lock anyway; to give it away and take it back would cost a tenth of one.
  FEW_BODIES = 4
};

// -------------------------------------------------------------------------------------------------
// Life
// -------------------------------------------------------------------------------------------------

static void free_live(Live* live) {
  core_drop(live->memory);
  PyMem_Free(live->kept);
}

static void free_world(PyObject* self) {
  CoreWorld* world = (CoreWorld*)self;
  PyTypeObject* type = Py_TYPE(self);
  rg_world_destroy(world->world);
  free_live(&world->qpos);
  free_live(&world->qvel);
  free_live(&world->ctrl);
  Py_XDECREF(world->model);
  PyObject_Free(self);
  Py_DECREF(type);
}

PyObject* core_build_world(CoreModel* model) {
  rgMessage message = {""};
  rgWorld* made = NULL;
  rgStatus status;
  Py_BEGIN_ALLOW_THREADS;
  status = rg_scene_build(model->scene, NULL, &made, &message);
  Py_END_ALLOW_THREADS;
  if (status != RG_OK)
    return core_raise(status, message.text);
  CoreWorld* world = PyObject_New(CoreWorld, core_types.world);
  if (!world) {
    rg_world_destroy(made);
    return NULL;
  }
  world->world = made;
  world->model = Py_NewRef((PyObject*)model);
  world->qpos = (Live){.count = rg_world_position_count(made)};
  world->qvel = (Live){.count = rg_world_rate_count(made)};
  world->ctrl = (Live){.count = rg_world_coordinate_count(made)};
  world->busy = false;
  world->few = rg_world_body_count(made) <= FEW_BODIES;
  return (PyObject*)world;
}

// The world, unless another thread is in it.
static rgWorld* enter(PyObject* self) {
  CoreWorld* world = (CoreWorld*)self;
  if (!world->busy)
    return world->world;
  PyErr_SetString(PyExc_RuntimeError,
                  "this world is being stepped by another thread; make one world per thread");
  return NULL;
}

static PyObject* fail(const rgWorld* world, rgStatus status) {
  return core_raise(status, rg_world_message(world));
}

// -------------------------------------------------------------------------------------------------
// Live arrays
// -------------------------------------------------------------------------------------------------

static double* numbers_of(const Live* live) { return live->memory ? live->memory->data : NULL; }

static size_t size_of(const Live* live) { return (size_t)live->count * sizeof(double); }

static bool is_changed(const Live* live) {
  return live->memory && memcmp(live->memory->data, live->kept, size_of(live)) != 0;
}

static void keep(Live* live) {
  if (live->memory)
    memcpy(live->kept, live->memory->data, size_of(live));
}

// Shows the present state in the arrays that are asked for.
static void show(CoreWorld* world) {
  if (world->qpos.memory || world->qvel.memory)
    rg_world_get_configuration(world->world, numbers_of(&world->qpos), numbers_of(&world->qvel));
  keep(&world->qpos);
  keep(&world->qvel);
}

// Sets what was written into the arrays.
static rgStatus take(CoreWorld* world) {
  rgStatus status = RG_OK;
  if (is_changed(&world->ctrl)) {
    status = rg_world_set_controls(world->world, world->ctrl.memory->data);
    if (status == RG_OK)
      keep(&world->ctrl);
  }
  if (status != RG_OK || (!is_changed(&world->qpos) && !is_changed(&world->qvel)))
    return status;
  status =
      rg_world_set_configuration(world->world, numbers_of(&world->qpos), numbers_of(&world->qvel));
  show(world);
  return status;
}

static PyObject* live(CoreWorld* world, Live* array) {
  if (array->memory)
    return Py_NewRef((PyObject*)array->memory);
  // Both are shown from now on: what is written into one must not reset the other.
  Live* both[2] = {array, array == &world->qpos ? &world->qvel : &world->qpos};
  for (int i = 0; i < (array == &world->ctrl ? 1 : 2); i++) {
    if (both[i]->memory)
      continue;
    both[i]->kept = PyMem_Calloc((size_t)both[i]->count + 1, sizeof(double));
    both[i]->memory = both[i]->kept ? core_memory('d', 1, &both[i]->count) : NULL;
    if (!both[i]->kept)
      PyErr_NoMemory();
    if (!both[i]->memory)
      return NULL;
  }
  if (array == &world->ctrl) {
    rg_world_get_controls(world->world, array->memory->data);
    keep(array);
  } else {
    show(world);
  }
  return Py_NewRef((PyObject*)array->memory);
}

static PyObject* get_qpos(PyObject* self, void* closure) {
  (void)closure;
  return enter(self) ? live((CoreWorld*)self, &((CoreWorld*)self)->qpos) : NULL;
}
static PyObject* get_qvel(PyObject* self, void* closure) {
  (void)closure;
  return enter(self) ? live((CoreWorld*)self, &((CoreWorld*)self)->qvel) : NULL;
}
static PyObject* get_ctrl(PyObject* self, void* closure) {
  (void)closure;
  return enter(self) ? live((CoreWorld*)self, &((CoreWorld*)self)->ctrl) : NULL;
}

// -------------------------------------------------------------------------------------------------
// Stepping
// -------------------------------------------------------------------------------------------------

// Up to `count` steps; the number that were made goes to *made, and *met is cleared by one that was not.
static rgStatus run_steps(rgWorld* world, long count, long* made, bool* met) {
  for (*made = 0; *made < count; ++*made) {
    rgStatus status = rg_world_step(world, NULL);
    if (status != RG_OK)
      return status;
    *met = *met && rg_world_certificate(world)->met;
  }
  return RG_OK;
}

static PyObject* run(PyObject* self, long count) {
  CoreWorld* world = (CoreWorld*)self;
  if (!enter(self))
    return NULL;
  rgStatus status = take(world);
  bool met = true;
  while (status == RG_OK && count > 0) {
    long made, part = count < STEPS_UNSEEN ? count : STEPS_UNSEEN;
    world->busy = true;
    Py_BEGIN_ALLOW_THREADS;
    status = run_steps(world->world, part, &made, &met);
    Py_END_ALLOW_THREADS;
    world->busy = false;
    count -= made;
    if (count > 0 && PyErr_CheckSignals() != 0) { // after the last one the interpreter looks itself
      show(world);
      return NULL;
    }
  }
  show(world);
  return status == RG_OK ? PyBool_FromLong(met) : fail(world->world, status);
}

// One step of a small world, with the interpreter's lock.
static PyObject* step_small(PyObject* self) {
  CoreWorld* world = (CoreWorld*)self;
  rgStatus status = enter(self) ? take(world) : RG_OK;
  if (world->busy)
    return NULL;
  if (status == RG_OK)
    status = rg_world_step(world->world, NULL);
  show(world);
  return status == RG_OK ? PyBool_FromLong(rg_world_certificate(world->world)->met)
                         : fail(world->world, status);
}

static PyObject* step(PyObject* self, PyObject* const* args, Py_ssize_t count) {
  if (count == 0)
    return ((CoreWorld*)self)->few ? step_small(self) : run(self, 1);
  long steps = count == 1 ? PyLong_AsLong(args[0]) : -1;
  if (steps == -1 && PyErr_Occurred())
    return NULL;
  if (steps >= 0)
    return run(self, steps);
  PyErr_SetString(PyExc_ValueError, "step takes one number of steps, 0 or more");
  return NULL;
}

// Sets what was written into qpos, qvel and ctrl now, and finds the contacts there.
static PyObject* settle(PyObject* self, PyObject* nothing) {
  (void)nothing;
  rgWorld* world = enter(self);
  if (!world)
    return NULL;
  rgStatus status = take((CoreWorld*)self);
  if (status == RG_OK)
    status = rg_world_find_contacts(world);
  if (status != RG_OK)
    return fail(world, status);
  rg_world_measure(world);
  Py_RETURN_NONE;
}

rgWorld* core_bare_world(PyObject* self) { return ((CoreWorld*)self)->world; }

rgWorld* core_world(PyObject* self) {
  rgWorld* world = enter(self);
  rgStatus status = world ? take((CoreWorld*)self) : RG_OK;
  if (status != RG_OK)
    fail(world, status);
  return status == RG_OK ? world : NULL;
}

// -------------------------------------------------------------------------------------------------
// What can be read
// -------------------------------------------------------------------------------------------------

static PyObject* get_time(PyObject* self, void* closure) {
  (void)closure;
  return PyFloat_FromDouble(rg_world_time(((CoreWorld*)self)->world));
}
static PyObject* get_steps(PyObject* self, void* closure) {
  (void)closure;
  return PyLong_FromLongLong(rg_world_steps(((CoreWorld*)self)->world));
}
static PyObject* get_hash(PyObject* self, void* closure) {
  (void)closure;
  return PyLong_FromUnsignedLongLong(rg_world_hash(((CoreWorld*)self)->world));
}

static PyObject* certificate(PyObject* self, PyObject* nothing) {
  (void)nothing;
  rgWorld* world = enter(self);
  return world ? core_certificate(rg_world_certificate(world)) : NULL;
}

static PyObject* energy(PyObject* self, PyObject* nothing) {
  (void)nothing;
  rgWorld* world = enter(self);
  if (!world)
    return NULL;
  rgEnergy now = rg_world_energy(world);
  return Py_BuildValue("(dd)", now.kinetic, now.potential);
}

// Rows of numbers, one for each body.
static CoreMemory* body_rows(const rgWorld* world, Py_ssize_t width) {
  Py_ssize_t shape[2] = {rg_world_body_count(world), width};
  return core_memory('d', 2, shape);
}

static PyObject* poses(PyObject* self, PyObject* nothing) {
  (void)nothing;
  rgWorld* world = enter(self);
  CoreMemory* memory = world ? body_rows(world, 7) : NULL;
  for (Py_ssize_t i = 0; memory && i < memory->shape[0]; i++) {
    rgPose pose = rg_body_pose(world, rg_world_body(world, (int)i));
    const rgVec3 p = pose.position;
    const rgQuat q = pose.orientation;
    const double row[7] = {p.x, p.y, p.z, q.w, q.x, q.y, q.z};
    memcpy((double*)memory->data + 7 * i, row, sizeof row);
  }
  return (PyObject*)memory;
}

static PyObject* velocities(PyObject* self, PyObject* nothing) {
  (void)nothing;
  rgWorld* world = enter(self);
  CoreMemory* memory = world ? body_rows(world, 6) : NULL;
  for (Py_ssize_t i = 0; memory && i < memory->shape[0]; i++) {
    rgTwist twist = rg_body_velocity(world, rg_world_body(world, (int)i));
    const rgVec3 v = twist.linear, w = twist.angular;
    const double row[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
    memcpy((double*)memory->data + 6 * i, row, sizeof row);
  }
  return (PyObject*)memory;
}

static double* put(double* at, rgVec3 v) {
  at[0] = v.x, at[1] = v.y, at[2] = v.z;
  return at + 3;
}

double core_place_of(const rgWorld* world, rgBodyId id) {
  int low = 0, high = rg_world_body_count(world);
  while (low < high) {
    int middle = (low + high) / 2;
    if (rg_world_body(world, middle).index < id.index)
      low = middle + 1;
    else
      high = middle;
  }
  return id.generation ? low : -1;
}

// Contacts of the last step: body_a, body_b, point, normal, gap, force, torsion.
enum { CONTACT_WIDTH = 13 };
static PyObject* contacts(PyObject* self, PyObject* nothing) {
  (void)nothing;
  rgWorld* world = enter(self);
  if (!world)
    return NULL;
  int count = rg_world_contact_loads(world, NULL, 0);
  Py_ssize_t shape[2] = {count, CONTACT_WIDTH};
  CoreMemory* memory = core_memory('d', 2, shape);
  rgContactLoad* loads = memory ? PyMem_Calloc((size_t)count + 1, sizeof *loads) : NULL;
  if (!loads) {
    core_drop(memory);
    return PyErr_NoMemory();
  }
  rg_world_contact_loads(world, loads, count);
  for (int i = 0; i < count; i++) {
    double* at = (double*)memory->data + (size_t)CONTACT_WIDTH * (size_t)i;
    *at++ = core_place_of(world, loads[i].body_a);
    *at++ = core_place_of(world, loads[i].body_b);
    at = put(put(at, loads[i].point), loads[i].normal);
    *at++ = loads[i].gap;
    at = put(at, loads[i].force);
    *at = loads[i].torsion;
  }
  PyMem_Free(loads);
  return (PyObject*)memory;
}

// Loads of bodies: applied, contacts and joints, each a force and a torque, and the correction.
enum { LOAD_WIDTH = 21 };
static PyObject* loads(PyObject* self, PyObject* nothing) {
  (void)nothing;
  rgWorld* world = enter(self);
  CoreMemory* memory = world ? body_rows(world, LOAD_WIDTH) : NULL;
  if (!memory)
    return NULL;
  int count = (int)memory->shape[0];
  rgBodyLoad* all = PyMem_Calloc((size_t)count + 1, sizeof *all);
  if (!all) {
    core_drop(memory);
    return PyErr_NoMemory();
  }
  rg_world_body_loads(world, all, count);
  for (int i = 0; i < count; i++) {
    double* at = (double*)memory->data + (size_t)LOAD_WIDTH * (size_t)i;
    const rgWrench* parts[3] = {&all[i].applied, &all[i].contacts, &all[i].joints};
    for (int k = 0; k < 3; k++)
      at = put(put(at, parts[k]->force), parts[k]->torque);
    put(at, all[i].correction);
  }
  PyMem_Free(all);
  return (PyObject*)memory;
}

static bool append_text(PyObject* list, PyObject* item) {
  bool good = item && PyList_Append(list, item) == 0;
  Py_XDECREF(item);
  return good;
}

static PyObject* body_names(PyObject* self, PyObject* nothing) {
  (void)nothing;
  rgWorld* world = enter(self);
  PyObject* list = world ? PyList_New(0) : NULL;
  for (int i = 0; list && i < rg_world_body_count(world); i++)
    if (!append_text(list, PyUnicode_FromString(rg_body_name(world, rg_world_body(world, i)))))
      Py_CLEAR(list);
  return list;
}

// (joint, axis, "m" or "rad", what drives it) of each coordinate.
static PyObject* axes(PyObject* self, PyObject* nothing) {
  (void)nothing;
  rgWorld* world = enter(self);
  PyObject* list = world ? PyList_New(0) : NULL;
  for (int i = 0; list && i < rg_world_joint_count(world); i++) {
    rgJointId id = rg_world_joint(world, i);
    rgJointState state;
    rg_joint_state(world, id, &state);
    for (int k = 0; list && k < state.axis_count; k++) {
      rgJointAxis axis = {0};
      rg_joint_axis(world, id, k, &axis);
      const char* drive = axis.servo ? "servo" : axis.motor ? "motor" : "effort";
      if (!append_text(list,
                       Py_BuildValue("(ssss)", rg_joint_name(world, id),
                                     rg_joint_axis_name(state.kind, k),
                                     rg_joint_axis_is_angle(state.kind, k) ? "rad" : "m", drive)))
        Py_CLEAR(list);
    }
  }
  return list;
}

static PyObject* islands(PyObject* self, PyObject* nothing) {
  (void)nothing;
  rgWorld* world = enter(self);
  PyObject* list = world ? PyList_New(0) : NULL;
  for (int i = 0; list && i < rg_world_island_count(world); i++) {
    rgProblem problem;
    rg_world_island(world, i, &problem, NULL, NULL);
    if (!append_text(list, core_copy_problem(&problem)))
      Py_CLEAR(list);
  }
  return list;
}

// -------------------------------------------------------------------------------------------------
// Snapshots, options
// -------------------------------------------------------------------------------------------------

static PyObject* save(PyObject* self, PyObject* nothing) {
  (void)nothing;
  rgWorld* world = enter(self);
  rgStatus status = world ? take((CoreWorld*)self) : RG_OK;
  if (!world)
    return NULL;
  if (status != RG_OK)
    return fail(world, status);
  size_t size = rg_world_save_size(world);
  PyObject* bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
  if (bytes && rg_world_save(world, PyBytes_AsString(bytes), size) != RG_OK) {
    Py_DECREF(bytes);
    return fail(world, RG_ERROR_INPUT);
  }
  return bytes;
}

// After another state has come, controls included.
static void show_all(CoreWorld* world) {
  show(world);
  if (world->ctrl.memory) {
    rg_world_get_controls(world->world, world->ctrl.memory->data);
    keep(&world->ctrl);
  }
}

static PyObject* load(PyObject* self, PyObject* bytes) {
  rgWorld* world = enter(self);
  char* data;
  Py_ssize_t size;
  if (!world || PyBytes_AsStringAndSize(bytes, &data, &size) != 0)
    return NULL;
  rgStatus status = rg_world_load(world, data, (size_t)size);
  if (status != RG_OK)
    return fail(world, status);
  show_all((CoreWorld*)self);
  Py_RETURN_NONE;
}

static PyObject* load_state(PyObject* self, PyObject* capsule) {
  rgWorld* world = enter(self);
  if (!world)
    return NULL;
  rgStatus status = core_load_state(world, capsule);
  if (PyErr_Occurred())
    return NULL;
  if (status != RG_OK)
    return fail(world, status);
  show_all((CoreWorld*)self);
  Py_RETURN_NONE;
}

static PyObject* option(PyObject* self, PyObject* args) {
  const char* name;
  rgWorld* world = enter(self);
  if (!world || !PyArg_ParseTuple(args, "s", &name))
    return NULL;
  return core_get_option(rg_world_options(world), name);
}

static PyObject* set_option(PyObject* self, PyObject* args) {
  const char* name;
  PyObject* value;
  rgWorld* world = enter(self);
  if (!world || !PyArg_ParseTuple(args, "sO", &name, &value))
    return NULL;
  rgOptions options = *rg_world_options(world);
  if (!core_set_option(&options, name, value))
    return NULL;
  rgStatus status = rg_world_set_options(world, &options);
  if (status != RG_OK)
    return fail(world, status);
  Py_RETURN_NONE;
}

// -------------------------------------------------------------------------------------------------
// Rollouts
// -------------------------------------------------------------------------------------------------

static void set_busy(CoreWorld** worlds, Py_ssize_t count, bool busy) {
  for (Py_ssize_t i = 0; i < count; i++)
    worlds[i]->busy = busy;
}

// The worlds of a list, ready to be stepped: each once, none in use. False with an exception.
static bool take_worlds(PyObject* list, Py_ssize_t count, CoreWorld** worlds, rgWorld** bare) {
  for (Py_ssize_t i = 0; i < count; i++) {
    PyObject* item = PyList_GetItem(list, i); // borrowed
    if (!PyObject_TypeCheck(item, core_types.world)) {
      PyErr_Format(PyExc_TypeError, "worlds[%zd] is no world", i);
      return false;
    }
    worlds[i] = (CoreWorld*)item;
    bare[i] = worlds[i]->world;
    for (Py_ssize_t k = 0; k < i; k++)
      if (worlds[k] == worlds[i]) {
        PyErr_Format(PyExc_ValueError, "worlds[%zd] is worlds[%zd]: each must be another one", i,
                     k);
        return false;
      }
    rgStatus status = enter(item) ? take(worlds[i]) : RG_OK;
    if (PyErr_Occurred() || (status != RG_OK && !fail(bare[i], status)))
      return false;
  }
  return true;
}

// What a rollout writes into.
typedef struct Results {
  CoreMemory *positions, *rates, *met;
} Results;

static bool make_results(Results* results, const rgWorld* first, Py_ssize_t worlds, int steps) {
  Py_ssize_t shape[3] = {worlds, steps, first ? rg_world_position_count(first) : 0};
  results->positions = core_memory('d', 3, shape);
  shape[2] = first ? rg_world_rate_count(first) : 0;
  results->rates = core_memory('d', 3, shape);
  results->met = core_memory('?', 2, shape);
  return results->positions && results->rates && results->met;
}

static PyObject* run_rollout(CoreWorld** worlds, rgRollout* rollout, Results* results) {
  rgMessage message = {""};
  rgStatus status;
  rollout->positions = results->positions->data;
  rollout->rates = results->rates->data;
  rollout->met = results->met->data;
  set_busy(worlds, rollout->world_count, true);
  Py_BEGIN_ALLOW_THREADS;
  status = rg_rollout(rollout, &message);
  Py_END_ALLOW_THREADS;
  set_busy(worlds, rollout->world_count, false);
  for (int i = 0; i < rollout->world_count; i++)
    show(worlds[i]);
  if (status != RG_OK)
    return core_raise(status, message.text);
  return Py_BuildValue("(OOO)", results->positions, results->rates, results->met);
}

PyObject* core_rollout(PyObject* self, PyObject* args) {
  (void)self;
  PyObject *list, *controls;
  int steps, threads;
  if (!PyArg_ParseTuple(args, "O!Oii", &PyList_Type, &list, &controls, &steps, &threads))
    return NULL;
  Py_ssize_t count = PyList_Size(list);
  CoreWorld** worlds = PyMem_Calloc((size_t)count + 1, sizeof *worlds);
  rgWorld** bare = PyMem_Calloc((size_t)count + 1, sizeof *bare);
  Results results = {0};
  Py_buffer given = {0};
  PyObject* answer = NULL;
  if (!worlds || !bare)
    PyErr_NoMemory();
  else if (steps < 0 || threads < 1)
    PyErr_SetString(PyExc_ValueError, "steps must be 0 or more, and threads 1 or more");
  else if (take_worlds(list, count, worlds, bare)) {
    Py_ssize_t numbers = count > 0 ? count * steps * worlds[0]->ctrl.count : 0;
    rgRollout rollout = {
        .worlds = bare, .world_count = (int)count, .steps = steps, .threads = threads};
    if (core_doubles(controls, "controls", numbers, &given) &&
        make_results(&results, count > 0 ? bare[0] : NULL, count, steps)) {
      rollout.controls = given.obj ? given.buf : NULL;
      answer = run_rollout(worlds, &rollout, &results);
    }
  }
  if (given.obj)
    PyBuffer_Release(&given);
  core_drop(results.positions);
  core_drop(results.rates);
  core_drop(results.met);
  PyMem_Free(worlds);
  PyMem_Free(bare);
  return answer;
}

// -------------------------------------------------------------------------------------------------
// The type
// -------------------------------------------------------------------------------------------------

static PyMethodDef methods[] = {
    {"step", (PyCFunction)(void (*)(void))step, METH_FASTCALL,
     "Makes one step, or as many as given; whether all were met."},
    {"settle", settle, METH_NOARGS, "Sets what was written into the arrays, and finds contacts."},
    {"certificate", certificate, METH_NOARGS, "Of the last step."},
    {"energy", energy, METH_NOARGS, "[J] kinetic and potential."},
    {"poses", poses, METH_NOARGS, "Of all body frames."},
    {"velocities", velocities, METH_NOARGS, "Of all bodies."},
    {"contacts", contacts, METH_NOARGS, "That acted in the last step."},
    {"loads", loads, METH_NOARGS, "On all bodies in the last step."},
    {"body_names", body_names, METH_NOARGS, "In the order of all arrays of bodies."},
    {"axes", axes, METH_NOARGS, "(joint, axis, unit, drive) of each coordinate."},
    {"islands", islands, METH_NOARGS, "The problems of the last step."},
    {"rays", core_rays, METH_VARARGS, "What rays hit first."},
    {"distance", core_distance, METH_VARARGS, "Of two bodies, with the closest points."},
    {"overlap", core_overlap, METH_VARARGS, "What is near a probe."},
    {"sensor_list", core_sensor_list, METH_NOARGS, "(name, kind, first value, values)"},
    {"measure", core_measure, METH_NOARGS, "Measures what is of the state alone once more."},
    {"save", save, METH_NOARGS, "The whole state as bytes."},
    {"load", load, METH_O, "Goes on from a state."},
    {"save_state", core_save_state, METH_NOARGS, "A copy of the state in this process."},
    {"load_state", load_state, METH_O, "Goes back to such a copy."},
    {"option", option, METH_VARARGS, "The value of an option."},
    {"set_option", set_option, METH_VARARGS, "Sets an option from the next step on."},
    {NULL, NULL, 0, NULL},
};
static PyGetSetDef members[] = {
    {"qpos", get_qpos, NULL, "Configuration, live.", NULL},
    {"qvel", get_qvel, NULL, "Rates, live.", NULL},
    {"ctrl", get_ctrl, NULL, "Controls, live.", NULL},
    {"sensors", core_sensors, NULL, "Values of all sensors, live.", NULL},
    {"time", get_time, NULL, "[s]", NULL},
    {"steps", get_steps, NULL, "Made so far.", NULL},
    {"hash", get_hash, NULL, "Of the state: equal bits give equal hashes.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
static PyType_Slot slots[] = {
    {Py_tp_dealloc, free_world},
    {Py_tp_methods, methods},
    {Py_tp_getset, members},
    {Py_tp_doc, (void*)"Bodies, joints and forces that can be stepped."},
    {0, NULL},
};
PyType_Spec core_world_spec = {.name = "rigor._core.World",
                               .basicsize = sizeof(CoreWorld),
                               .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                               .slots = slots};
