// core.h - what the files of the extension module rigor._core share.
//
// The module uses CPython's limited interface of 3.11: one binary serves that version and all later
// ones. NumPy is not needed to build it: arrays go out as objects with the buffer protocol, of which
// numpy.asarray makes views without copies, and come in through the same protocol.
#ifndef PYTHON_CORE_H
#define PYTHON_CORE_H

#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <rigor/rigor.h>

// Raises the exception that belongs to a status, with the message; returns NULL.
PyObject* core_raise(rgStatus status, const char* text);

// core.c: memory that is shown as an array of doubles (or bytes) of up to 3 dimensions. It belongs to
// the object or, where there is an owner, to that.
typedef struct CoreMemory {
  PyObject_HEAD void* data;
  PyObject* owner;
  char format[2];
  Py_ssize_t item_size;
  int dimensions;
  Py_ssize_t shape[3], strides[3];
} CoreMemory;
// New memory, zeroed; NULL with an exception.
CoreMemory* core_memory(char format, int dimensions, const Py_ssize_t* shape);
// `count` doubles that belong to another object, read only.
CoreMemory* core_memory_of(PyObject* owner, void* data, Py_ssize_t count);
static inline void core_drop(CoreMemory* memory) { Py_XDECREF((PyObject*)memory); }
// A buffer of doubles of at least `count` numbers, C-contiguous; `what` begins messages. NULL in
// view->obj and true for None. False with an exception.
bool core_doubles(PyObject* object, const char* what, Py_ssize_t count, Py_buffer* view);
// The numbers of a certificate in the order of rg_certificate_field, as a tuple.
PyObject* core_certificate(const rgCertificate* certificate);

// The types of the module, made once when it is imported.
typedef struct CoreTypes {
  PyTypeObject *memory, *model, *world, *problem;
} CoreTypes;
extern CoreTypes core_types;
extern PyType_Spec core_memory_spec, core_model_spec, core_world_spec, core_problem_spec;

// Sets one option by its name from a Python value; false with an exception.
bool core_set_option(rgOptions* options, const char* name, PyObject* value);
PyObject* core_get_option(const rgOptions* options, const char* name);

typedef struct CoreModel {
  PyObject_HEAD rgScene* scene;
} CoreModel;

PyObject* core_load(PyObject* self, PyObject* args);
PyObject* core_parse(PyObject* self, PyObject* args);
// world.c
PyObject* core_build_world(CoreModel* model);
PyObject* core_rollout(PyObject* self, PyObject* args);
// The world of an object in which no other thread is, with what was written into its arrays; NULL with an
// exception. And the same without questions.
rgWorld* core_world(PyObject* self);
rgWorld* core_bare_world(PyObject* self);
// Place of a body in the order of rg_world_body; the ground is -1.
double core_place_of(const rgWorld* world, rgBodyId id);
// query.c
PyObject* core_rays(PyObject* self, PyObject* args);
PyObject* core_distance(PyObject* self, PyObject* args);
PyObject* core_probe(PyObject* self, PyObject* args);
PyObject* core_overlap(PyObject* self, PyObject* args);
PyObject* core_sensor_list(PyObject* self, PyObject* nothing);
PyObject* core_sensors(PyObject* self, void* closure);
PyObject* core_measure(PyObject* self, PyObject* nothing);
PyObject* core_save_state(PyObject* self, PyObject* nothing);
// RG_ERROR_INPUT with an exception when it is no state.
rgStatus core_load_state(rgWorld* world, PyObject* capsule);
// problem.c
PyObject* core_read_problem(PyObject* self, PyObject* args);
PyObject* core_parse_problem(PyObject* self, PyObject* args);
PyObject* core_copy_problem(const rgProblem* problem);

#endif
