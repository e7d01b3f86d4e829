// core.c - the module rigor._core: exceptions, memory shown as arrays, and the list of what there is.
#include "core.h"

#include <string.h>

CoreTypes core_types;
static PyObject* error_type; // rigor.Error

PyObject* core_raise(rgStatus status, const char* text) {
  if (status == RG_ERROR_MEMORY)
    return PyErr_NoMemory();
  PyObject* error =
      PyObject_CallFunction(error_type, "s", text && *text ? text : "no reason given");
  if (!error)
    return NULL;
  PyObject* name = PyUnicode_FromString(rg_status_name(status));
  if (name && PyObject_SetAttrString(error, "status", name) == 0)
    PyErr_SetObject(error_type, error);
  Py_XDECREF(name);
  Py_DECREF(error);
  return NULL;
}

// -------------------------------------------------------------------------------------------------
// Memory
// -------------------------------------------------------------------------------------------------

CoreMemory* core_memory(char format, int dimensions, const Py_ssize_t* shape) {
  CoreMemory* memory = PyObject_New(CoreMemory, core_types.memory);
  if (!memory)
    return NULL;
  memory->owner = NULL;
  memory->format[0] = format;
  memory->format[1] = '\0';
  memory->item_size = format == 'd' ? (Py_ssize_t)sizeof(double) : 1;
  memory->dimensions = dimensions;
  Py_ssize_t size = memory->item_size;
  for (int i = dimensions - 1; i >= 0; i--) {
    memory->shape[i] = shape[i];
    memory->strides[i] = size;
    size *= shape[i];
  }
  memory->data = PyMem_Calloc(1, size > 0 ? (size_t)size : 1);
  if (memory->data)
    return memory;
  core_drop(memory);
  PyErr_NoMemory();
  return NULL;
}

CoreMemory* core_memory_of(PyObject* owner, void* data, Py_ssize_t count) {
  CoreMemory* memory = core_memory('d', 1, &count);
  if (!memory || count == 0)
    return memory;
  PyMem_Free(memory->data);
  memory->data = data;
  memory->owner = Py_NewRef(owner);
  return memory;
}

static void free_memory(PyObject* self) {
  CoreMemory* memory = (CoreMemory*)self;
  PyTypeObject* type = Py_TYPE(self);
  if (!memory->owner)
    PyMem_Free(memory->data);
  Py_XDECREF(memory->owner);
  PyObject_Free(self);
  Py_DECREF(type);
}

static int show_memory(PyObject* self, Py_buffer* view, int flags) {
  CoreMemory* memory = (CoreMemory*)self;
  Py_ssize_t length = memory->item_size;
  if (memory->owner && flags & PyBUF_WRITABLE) {
    view->obj = NULL;
    PyErr_SetString(PyExc_BufferError, "these numbers can only be read");
    return -1;
  }
  for (int i = 0; i < memory->dimensions; i++)
    length *= memory->shape[i];
  view->buf = memory->data;
  view->obj = Py_NewRef(self);
  view->len = length;
  view->itemsize = memory->item_size;
  view->readonly = memory->owner != NULL;
  view->ndim = memory->dimensions;
  view->format = flags & PyBUF_FORMAT ? memory->format : NULL;
  view->shape = memory->shape;
  view->strides = memory->strides;
  view->suboffsets = NULL;
  view->internal = NULL;
  return 0;
}

static PyType_Slot memory_slots[] = {
    {Py_tp_dealloc, free_memory},
    {Py_bf_getbuffer, show_memory},
    {Py_tp_doc, (void*)"Numbers that numpy.asarray shows without copying them."},
    {0, NULL},
};
PyType_Spec core_memory_spec = {.name = "rigor._core.Memory",
                                .basicsize = sizeof(CoreMemory),
                                .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                .slots = memory_slots};

bool core_doubles(PyObject* object, const char* what, Py_ssize_t count, Py_buffer* view) {
  *view = (Py_buffer){0};
  if (!object || object == Py_None)
    return true;
  if (PyObject_GetBuffer(object, view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0)
    return false;
  Py_ssize_t length = view->len / (Py_ssize_t)sizeof(double);
  bool doubles = view->format && strcmp(view->format, "d") == 0;
  if (doubles && length == count)
    return true;
  if (!doubles)
    PyErr_Format(PyExc_TypeError, "%s must be an array of float64", what);
  else
    PyErr_Format(PyExc_ValueError, "%s has %zd numbers, must have %zd", what, length, count);
  PyBuffer_Release(view);
  *view = (Py_buffer){0};
  return false;
}

PyObject* core_certificate(const rgCertificate* certificate) {
  int count = 0;
  while (rg_certificate_field(count))
    count++;
  PyObject* tuple = PyTuple_New(count);
  for (int i = 0; tuple && i < count; i++) {
    const rgCertificateField* field = rg_certificate_field(i);
    double value = rg_certificate_value(certificate, field);
    PyObject* item = field->type == RG_CERTIFICATE_REAL  ? PyFloat_FromDouble(value)
                     : field->type == RG_CERTIFICATE_INT ? PyLong_FromDouble(value)
                                                         : PyBool_FromLong(value != 0);
    if (!item || PyTuple_SetItem(tuple, i, item) != 0) {
      Py_DECREF(tuple);
      return NULL;
    }
  }
  return tuple;
}

// -------------------------------------------------------------------------------------------------
// Options
// -------------------------------------------------------------------------------------------------

static const rgOption* find_option(const char* name) {
  const rgOption* option;
  for (int i = 0; (option = rg_option(i)); i++)
    if (strcmp(option->name, name) == 0)
      return option;
  PyErr_Format(PyExc_ValueError, "there is no option '%s' ('rigor list options' names them)", name);
  return NULL;
}

static bool set_vector(rgVec3* to, PyObject* value, const char* name) {
  double* numbers[3] = {&to->x, &to->y, &to->z};
  if (!PySequence_Check(value) || PySequence_Size(value) != 3) {
    PyErr_Clear();
    PyErr_Format(PyExc_ValueError, "option %s must have three numbers", name);
    return false;
  }
  for (int i = 0; i < 3; i++) {
    PyObject* item = PySequence_GetItem(value, i);
    *numbers[i] = item ? PyFloat_AsDouble(item) : -1;
    Py_XDECREF(item);
    if (PyErr_Occurred())
      return false;
  }
  return true;
}

static bool set_name(char* to, PyObject* value, const char* name) {
  Py_ssize_t length;
  const char* text = PyUnicode_AsUTF8AndSize(value, &length);
  if (!text)
    return false;
  if (length >= RG_NAME_MAX) {
    PyErr_Format(PyExc_ValueError, "option %s is longer than %d bytes", name, RG_NAME_MAX - 1);
    return false;
  }
  memcpy(to, text, (size_t)length + 1);
  return true;
}

bool core_set_option(rgOptions* options, const char* name, PyObject* value) {
  const rgOption* option = find_option(name);
  if (!option)
    return false;
  void* at = (char*)options + option->offset;
  long whole;
  double real;
  switch (option->type) {
  case RG_OPTION_BOOL:
    whole = PyObject_IsTrue(value);
    *(bool*)at = whole > 0;
    return whole >= 0;
  case RG_OPTION_INT:
    whole = PyLong_AsLong(value);
    *(int*)at = (int)whole;
    return !PyErr_Occurred();
  case RG_OPTION_REAL:
    real = PyFloat_AsDouble(value);
    *(double*)at = real;
    return !PyErr_Occurred();
  case RG_OPTION_VEC3:
    return set_vector(at, value, name);
  case RG_OPTION_NAME:
    return set_name(at, value, name);
  }
  return false;
}

PyObject* core_get_option(const rgOptions* options, const char* name) {
  const rgOption* option = find_option(name);
  if (!option)
    return NULL;
  const void* at = (const char*)options + option->offset;
  const rgVec3* vector = at;
  switch (option->type) {
  case RG_OPTION_BOOL:
    return PyBool_FromLong(*(const bool*)at);
  case RG_OPTION_INT:
    return PyLong_FromLong(*(const int*)at);
  case RG_OPTION_REAL:
    return PyFloat_FromDouble(*(const double*)at);
  case RG_OPTION_VEC3:
    return Py_BuildValue("(ddd)", vector->x, vector->y, vector->z);
  case RG_OPTION_NAME:
    return PyUnicode_FromString(at);
  }
  return NULL;
}

// -------------------------------------------------------------------------------------------------
// Tables
// -------------------------------------------------------------------------------------------------

// A list of (name, unit, help) of the fields of a certificate.
static PyObject* certificate_fields(PyObject* self, PyObject* nothing) {
  (void)self, (void)nothing;
  PyObject* list = PyList_New(0);
  const rgCertificateField* field;
  for (int i = 0; list && (field = rg_certificate_field(i)); i++) {
    const char* types[] = {"float", "int", "bool"};
    PyObject* item =
        Py_BuildValue("(ssss)", field->name, types[field->type], field->unit, field->summary);
    if (!item || PyList_Append(list, item) != 0)
      Py_CLEAR(list);
    Py_XDECREF(item);
  }
  return list;
}

// A list of (name, help).
static PyObject* names_of(const char* (*name)(int), const char* (*summary)(int)) {
  PyObject* list = PyList_New(0);
  for (int i = 0; list && name(i); i++) {
    PyObject* item = Py_BuildValue("(ss)", name(i), summary(i) ? summary(i) : "");
    if (!item || PyList_Append(list, item) != 0)
      Py_CLEAR(list);
    Py_XDECREF(item);
  }
  return list;
}

static const char* option_name(int index) {
  const rgOption* option = rg_option(index);
  return option ? option->name : NULL;
}
static const char* option_help(int index) { return rg_option(index)->help; }

static PyObject* option_names(PyObject* self, PyObject* nothing) {
  (void)self, (void)nothing;
  return names_of(option_name, option_help);
}

static PyObject* solver_names(PyObject* self, PyObject* nothing) {
  (void)self, (void)nothing;
  return names_of(rg_solver_name, rg_solver_summary);
}

// -------------------------------------------------------------------------------------------------
// The module
// -------------------------------------------------------------------------------------------------

static PyMethodDef functions[] = {
    {"load", core_load, METH_VARARGS,
     "load(path, ground, fixed_base, strict, key, packages) -> Model"},
    {"parse", core_parse, METH_VARARGS, "parse(text, name) -> Model"},
    {"probe", core_probe, METH_VARARGS, "probe(text of a scene with one shape)"},
    {"rollout", core_rollout, METH_VARARGS, "rollout(worlds, controls, steps, threads)"},
    {"read_problem", core_read_problem, METH_VARARGS, "read_problem(path) -> Problem"},
    {"parse_problem", core_parse_problem, METH_VARARGS, "parse_problem(text, name) -> Problem"},
    {"certificate_fields", certificate_fields, METH_NOARGS, "(name, type, unit, summary) of each"},
    {"option_names", option_names, METH_NOARGS, "(name, help) of each option"},
    {"solver_names", solver_names, METH_NOARGS, "(name, summary) of each solver"},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject* add_type(PyObject* module, PyType_Spec* spec) {
  PyTypeObject* type = (PyTypeObject*)PyType_FromModuleAndSpec(module, spec, NULL);
  return type && PyModule_AddType(module, type) == 0 ? type : NULL;
}

static bool add_all(PyObject* module) {
  core_types.memory = add_type(module, &core_memory_spec);
  core_types.model = add_type(module, &core_model_spec);
  core_types.world = add_type(module, &core_world_spec);
  core_types.problem = add_type(module, &core_problem_spec);
  error_type = PyErr_NewExceptionWithDoc("rigor.Error",
                                         "What the library refuses or cannot do: the message says "
                                         "where, what, and what would be right; "
                                         "`status` is the name of the kind.",
                                         NULL, NULL);
  return core_types.memory && core_types.model && core_types.world && core_types.problem &&
         error_type && PyModule_AddObjectRef(module, "Error", error_type) == 0 &&
         PyModule_AddStringConstant(module, "__version__", rg_version()) == 0;
}

static PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "rigor._core",
                                 .m_doc = "The library, as the package rigor uses it.",
                                 .m_size = -1, .m_methods = functions};

PyMODINIT_FUNC PyInit__core(void); // what the interpreter calls

PyMODINIT_FUNC PyInit__core(void) {
  PyObject* module = PyModule_Create(&definition);
  if (module && !add_all(module))
    Py_CLEAR(module);
  return module;
}
