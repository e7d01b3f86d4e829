// query.c - rays, distances, overlaps and sensors of rigor._core.World.
#include "core.h"

#include <math.h>
#include <string.h>

static double* put(double* at, rgVec3 v) {
  at[0] = v.x, at[1] = v.y, at[2] = v.z;
  return at + 3;
}

static rgVec3 vector_at(const double* at) { return (rgVec3){at[0], at[1], at[2]}; }

// The index-th body; false with an exception.
static bool body_at(const rgWorld* world, int index, rgBodyId* id) {
  int count = rg_world_body_count(world);
  if (index >= 0 && index < count) {
    *id = rg_world_body(world, index);
    return true;
  }
  PyErr_Format(PyExc_IndexError, "there is no body %d of %d", index, count);
  return false;
}

// -------------------------------------------------------------------------------------------------
// Rays
// -------------------------------------------------------------------------------------------------

// body, distance, point, normal, inside; nothing: -1, infinity and NaN.
enum { HIT_WIDTH = 9 };

static bool cast_rays(rgWorld* world, const double* rays, double length, rgBodyId ignore,
                      CoreMemory* hits) {
  rgQueryFilter filter = rg_query_filter();
  filter.ignore = ignore;
  for (Py_ssize_t i = 0; i < hits->shape[0]; i++) {
    rgRay ray = {vector_at(rays + 6 * i), vector_at(rays + 6 * i + 3), length};
    double* at = (double*)hits->data + HIT_WIDTH * i;
    rgMessage message = {""};
    rgRayHit hit;
    rgStatus status = rg_world_ray(world, &ray, &filter, &hit, &message);
    if (status != RG_OK && status != RG_ERROR_NOT_FOUND) {
      core_raise(status, message.text);
      return false;
    }
    bool found = status == RG_OK;
    const double missing = (double)NAN;
    const rgVec3 none = {missing, missing, missing};
    *at++ = found ? core_place_of(world, hit.body) : -1;
    *at++ = found ? hit.distance : (double)INFINITY;
    at = put(put(at, found ? hit.point : none), found ? hit.normal : none);
    *at = found && hit.inside;
  }
  return true;
}

// rays(origins and directions (n, 6), length, ignored body or -1)
PyObject* core_rays(PyObject* self, PyObject* args) {
  PyObject* given;
  Py_ssize_t count;
  double length;
  int ignored;
  rgWorld* world = core_world(self);
  if (!world || !PyArg_ParseTuple(args, "Ondi", &given, &count, &length, &ignored))
    return NULL;
  rgBodyId ignore = {0, 0};
  Py_buffer rays;
  if ((ignored >= 0 && !body_at(world, ignored, &ignore)) ||
      !core_doubles(given, "rays", 6 * count, &rays))
    return NULL;
  Py_ssize_t shape[2] = {count, HIT_WIDTH};
  CoreMemory* hits = core_memory('d', 2, shape);
  if (hits && !cast_rays(world, rays.buf, length, ignore, hits)) {
    core_drop(hits);
    hits = NULL;
  }
  PyBuffer_Release(&rays);
  return (PyObject*)hits;
}

// -------------------------------------------------------------------------------------------------
// Distances and overlaps
// -------------------------------------------------------------------------------------------------

// distance, point on A, point on B, normal.
enum { CLOSEST_WIDTH = 10 };

static double* put_closest(double* at, const rgClosest* closest) {
  *at++ = closest->distance;
  return put(put(put(at, closest->point_a), closest->point_b), closest->normal);
}

PyObject* core_distance(PyObject* self, PyObject* args) {
  int a, b;
  rgWorld* world = core_world(self);
  rgBodyId body_a, body_b;
  if (!world || !PyArg_ParseTuple(args, "ii", &a, &b) || !body_at(world, a, &body_a) ||
      !body_at(world, b, &body_b))
    return NULL;
  rgMessage message = {""};
  rgClosest closest;
  rgStatus status = rg_body_distance(world, body_a, body_b, &closest, &message);
  if (status != RG_OK)
    return core_raise(status, message.text);
  Py_ssize_t shape[1] = {CLOSEST_WIDTH};
  CoreMemory* memory = core_memory('d', 1, shape);
  if (memory)
    put_closest(memory->data, &closest);
  return (PyObject*)memory;
}

static void free_probe(PyObject* capsule) {
  rg_probe_destroy(PyCapsule_GetPointer(capsule, "rigor.probe"));
}

// The definition of the one shape of a scene, with the corners of hulls and polygons as its points.
static rgStatus make_probe(rgWorld* world, rgProbe** probe, rgMessage* message) {
  rgShapeId id = {0, 0};
  rgShapeView view;
  if (rg_world_shapes(world, &id, 1) != 1 || rg_shape_view(world, id, &view) != RG_OK) {
    snprintf(message->text, sizeof message->text, "a probe is one shape");
    return RG_ERROR_INPUT;
  }
  bool points = view.def.kind == RG_SHAPE_HULL || view.def.kind == RG_SHAPE_POLYGON ||
                view.def.kind == RG_SHAPE_SEGMENT;
  int count = points ? view.corner_count : 0;
  rgVec3* corners = PyMem_Calloc((size_t)count + 1, sizeof *corners);
  if (!corners)
    return RG_ERROR_MEMORY;
  rg_shape_corners(world, id, corners, count);
  view.def.points = corners;
  view.def.point_count = count;
  view.def.density = 1000;
  rgStatus status = rg_probe_create(&view.def, rg_world_dimension(world), probe, message);
  PyMem_Free(corners);
  return status;
}

// probe(text of a scene with one shape): a capsule
PyObject* core_probe(PyObject* self, PyObject* args) {
  (void)self;
  const char* text;
  Py_ssize_t length;
  if (!PyArg_ParseTuple(args, "s#", &text, &length))
    return NULL;
  rgScene* scene = NULL;
  rgWorld* world = NULL;
  rgProbe* probe = NULL;
  rgMessage message = {""};
  rgStatus status = rg_scene_parse(text, (size_t)length, "probe", &scene, &message);
  if (status == RG_OK)
    status = rg_scene_build(scene, NULL, &world, &message);
  if (status == RG_OK)
    status = make_probe(world, &probe, &message);
  rg_world_destroy(world);
  if (scene)
    rg_scene_free(scene);
  if (status != RG_OK)
    return core_raise(status, message.text);
  return PyCapsule_New(probe, "rigor.probe", free_probe);
}

// overlap(probe, pose (7), reach, ignored body or -1): rows of body, distance, points, normal
PyObject* core_overlap(PyObject* self, PyObject* args) {
  PyObject *capsule, *given;
  double reach;
  int ignored;
  rgWorld* world = core_world(self);
  if (!world || !PyArg_ParseTuple(args, "OOdi", &capsule, &given, &reach, &ignored))
    return NULL;
  rgProbe* probe = PyCapsule_GetPointer(capsule, "rigor.probe");
  rgQueryFilter filter = rg_query_filter();
  Py_buffer numbers;
  if (!probe || (ignored >= 0 && !body_at(world, ignored, &filter.ignore)) ||
      !core_doubles(given, "pose", 7, &numbers))
    return NULL;
  const double* p = numbers.buf;
  rgPose pose = {vector_at(p), {p[3], p[4], p[5], p[6]}};
  PyBuffer_Release(&numbers);
  rgMessage message = {""};
  int count = 0, capacity = 64;
  rgOverlap* found = NULL;
  rgStatus status;
  do { // there may be more than there was room for
    capacity = count > capacity ? count : capacity;
    PyMem_Free(found);
    found = PyMem_Calloc((size_t)capacity, sizeof *found);
    if (!found)
      return PyErr_NoMemory();
    status =
        rg_world_overlap(world, probe, pose, reach, &filter, found, capacity, &count, &message);
  } while (status == RG_OK && count > capacity);
  Py_ssize_t shape[2] = {count, 1 + CLOSEST_WIDTH};
  CoreMemory* memory = status == RG_OK ? core_memory('d', 2, shape) : NULL;
  for (int i = 0; memory && i < count; i++) {
    double* at = (double*)memory->data + (1 + CLOSEST_WIDTH) * i;
    *at++ = core_place_of(world, found[i].body);
    put_closest(at, &found[i].closest);
  }
  PyMem_Free(found);
  return status == RG_OK ? (PyObject*)memory : core_raise(status, message.text);
}

// -------------------------------------------------------------------------------------------------
// Sensors
// -------------------------------------------------------------------------------------------------

// (name, kind, first value, names and units of the values) of each.
PyObject* core_sensor_list(PyObject* self, PyObject* nothing) {
  (void)nothing;
  rgWorld* world = core_world(self);
  PyObject* list = world ? PyList_New(0) : NULL;
  for (int i = 0; list && i < rg_world_sensor_count(world); i++) {
    rgSensorView view = rg_world_sensor(world, i);
    PyObject* values = PyList_New(0);
    for (int k = 0; values && k < view.value_count; k++) {
      PyObject* value = Py_BuildValue("(ss)", rg_sensor_value_name(world, i, k),
                                      rg_sensor_value_unit(world, i, k));
      if (!value || PyList_Append(values, value) != 0)
        Py_CLEAR(values);
      Py_XDECREF(value);
    }
    PyObject* item =
        values ? Py_BuildValue("(ssiN)", view.def.name, rg_sensor_kind_name(view.def.kind),
                               view.value_start, values)
               : NULL;
    if (!item || PyList_Append(list, item) != 0)
      Py_CLEAR(list);
    Py_XDECREF(item);
  }
  return list;
}

// The values themselves: those of the world, not a copy.
PyObject* core_sensors(PyObject* self, void* closure) {
  (void)closure;
  rgWorld* world = core_bare_world(self);
  Py_ssize_t count = rg_world_sensor_value_count(world);
  return (PyObject*)core_memory_of(self, (void*)(uintptr_t)rg_world_sensor_values(world), count);
}

PyObject* core_measure(PyObject* self, PyObject* nothing) {
  (void)nothing;
  rgWorld* world = core_world(self);
  if (!world)
    return NULL;
  rg_world_measure(world);
  Py_RETURN_NONE;
}

// -------------------------------------------------------------------------------------------------
// States
// -------------------------------------------------------------------------------------------------

static void free_state(PyObject* capsule) {
  rg_state_destroy(PyCapsule_GetPointer(capsule, "rigor.state"));
}

// save_state(): a capsule
PyObject* core_save_state(PyObject* self, PyObject* nothing) {
  (void)nothing;
  rgWorld* world = core_world(self);
  rgState* state;
  if (!world)
    return NULL;
  rgStatus status = rg_state_create(&state);
  if (status == RG_OK)
    status = rg_world_save_state(world, state);
  if (status == RG_OK)
    return PyCapsule_New(state, "rigor.state", free_state);
  rg_state_destroy(state);
  return core_raise(status, rg_world_message(world));
}

rgStatus core_load_state(rgWorld* world, PyObject* capsule) {
  const rgState* state = PyCapsule_GetPointer(capsule, "rigor.state");
  return state ? rg_world_load_state(world, state) : RG_ERROR_INPUT;
}
