// model.c - rigor._core.Model: a scene or a robot as data, of which worlds are made.
#include "core.h"

#include <string.h>

static PyObject* new_model(rgScene* scene) {
  CoreModel* model = PyObject_New(CoreModel, core_types.model);
  if (model)
    model->scene = scene;
  else
    rg_scene_free(scene);
  return (PyObject*)model;
}

static void free_model(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  rg_scene_free(((CoreModel*)self)->scene);
  PyObject_Free(self);
  Py_DECREF(type);
}

// Texts "NAME=FOLDER" of a tuple, borrowed from it; NULL with an exception.
static const char** texts_of(PyObject* tuple, Py_ssize_t* count) {
  *count = PyTuple_Size(tuple);
  if (*count < 0)
    return NULL;
  const char** texts = PyMem_Calloc((size_t)*count + 1, sizeof *texts);
  for (Py_ssize_t i = 0; texts && i < *count; i++) {
    texts[i] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(tuple, i), NULL);
    if (!texts[i]) {
      PyMem_Free(texts);
      return NULL;
    }
  }
  return texts ? texts : (const char**)PyErr_NoMemory();
}

PyObject* core_load(PyObject* self, PyObject* args) {
  (void)self;
  int ground, fixed_base, strict;
  const char *path, *key;
  PyObject* packages;
  if (!PyArg_ParseTuple(args, "spppzO!", &path, &ground, &fixed_base, &strict, &key, &PyTuple_Type,
                        &packages))
    return NULL;
  Py_ssize_t count;
  const char** texts = texts_of(packages, &count);
  if (!texts)
    return NULL;
  rgModelOptions options = rg_scene_model_options();
  options.ground = ground;
  options.fixed_base = fixed_base;
  options.strict = strict;
  options.key = key;
  options.packages = texts;
  options.package_count = (int)count;
  rgMessage message = {""};
  rgScene* scene = NULL;
  rgStatus status;
  Py_BEGIN_ALLOW_THREADS;
  status = rg_scene_read_model(path, &options, &scene, &message);
  Py_END_ALLOW_THREADS;
  PyMem_Free(texts);
  return status == RG_OK ? new_model(scene) : core_raise(status, message.text);
}

PyObject* core_parse(PyObject* self, PyObject* args) {
  (void)self;
  const char *text, *name;
  Py_ssize_t length;
  if (!PyArg_ParseTuple(args, "s#s", &text, &length, &name))
    return NULL;
  rgMessage message = {""};
  rgScene* scene = NULL;
  rgStatus status = rg_scene_parse(text, (size_t)length, name, &scene, &message);
  return status == RG_OK ? new_model(scene) : core_raise(status, message.text);
}

static PyObject* make_world(PyObject* self, PyObject* nothing) {
  (void)nothing;
  return core_build_world((CoreModel*)self);
}

static PyObject* to_json(PyObject* self, PyObject* nothing) {
  (void)nothing;
  const rgScene* scene = ((CoreModel*)self)->scene;
  size_t length = rg_scene_write(scene, NULL, 0);
  char* text = PyMem_Malloc(length + 1);
  if (!text)
    return PyErr_NoMemory();
  rg_scene_write(scene, text, length + 1);
  PyObject* result = PyUnicode_FromStringAndSize(text, (Py_ssize_t)length);
  PyMem_Free(text);
  return result;
}

static PyObject* notes(PyObject* self, PyObject* nothing) {
  (void)nothing;
  PyObject* list = PyList_New(0);
  const char *place, *text;
  for (int i = 0; list && rg_scene_note(((CoreModel*)self)->scene, i, &place, &text); i++) {
    PyObject* item = Py_BuildValue("(ss)", place, text);
    if (!item || PyList_Append(list, item) != 0)
      Py_CLEAR(list);
    Py_XDECREF(item);
  }
  return list;
}

static PyObject* option(PyObject* self, PyObject* args) {
  const char* name;
  if (!PyArg_ParseTuple(args, "s", &name))
    return NULL;
  return core_get_option(rg_scene_options(((CoreModel*)self)->scene), name);
}

static PyObject* set_option(PyObject* self, PyObject* args) {
  const char* name;
  PyObject* value;
  if (!PyArg_ParseTuple(args, "sO", &name, &value))
    return NULL;
  rgOptions* options = rg_scene_options(((CoreModel*)self)->scene);
  rgOptions changed = *options;
  rgMessage message = {""};
  if (!core_set_option(&changed, name, value))
    return NULL;
  rgStatus status = rg_options_check(&changed, &message);
  if (status != RG_OK)
    return core_raise(status, message.text);
  *options = changed;
  Py_RETURN_NONE;
}

// Bytes of an option in rgOptions.
static size_t option_size(const rgOption* option) {
  const size_t sizes[] = {[RG_OPTION_BOOL] = sizeof(bool),
                          [RG_OPTION_INT] = sizeof(int),
                          [RG_OPTION_REAL] = sizeof(double),
                          [RG_OPTION_VEC3] = sizeof(rgVec3),
                          [RG_OPTION_NAME] = RG_NAME_MAX};
  return sizes[option->type];
}

// Whether presets differ in an option. All others are the scene's: gravity, the step, ...
static bool is_preset(const rgOption* option) {
  rgOptions first = {0}, other = {0};
  rg_options_preset(rg_preset_name(0), &first);
  for (int i = 1; rg_preset_name(i); i++) {
    rg_options_preset(rg_preset_name(i), &other);
    if (memcmp((char*)&first + option->offset, (char*)&other + option->offset,
               option_size(option)) != 0)
      return true;
  }
  return false;
}

static PyObject* set_preset(PyObject* self, PyObject* args) {
  const char* name;
  if (!PyArg_ParseTuple(args, "s", &name))
    return NULL;
  rgOptions *options = rg_scene_options(((CoreModel*)self)->scene), wanted = {0};
  if (!rg_options_preset(name, &wanted)) {
    PyErr_Format(PyExc_ValueError, "there is no preset '%s' ('rigor list presets' names them)",
                 name);
    return NULL;
  }
  const rgOption* option;
  for (int i = 0; (option = rg_option(i)); i++)
    if (is_preset(option))
      memcpy((char*)options + option->offset, (char*)&wanted + option->offset, option_size(option));
  Py_RETURN_NONE;
}

static PyObject* title(PyObject* self, void* closure) {
  (void)closure;
  return PyUnicode_FromString(rg_scene_title(((CoreModel*)self)->scene));
}

static PyObject* duration(PyObject* self, void* closure) {
  (void)closure;
  return PyFloat_FromDouble(rg_scene_time(((CoreModel*)self)->scene));
}

static PyMethodDef methods[] = {
    {"world", make_world, METH_NOARGS, "A new world of this model."},
    {"to_json", to_json, METH_NOARGS, "The scene as JSON."},
    {"notes", notes, METH_NOARGS, "(place, text) of what was ignored, repaired or approximated."},
    {"option", option, METH_VARARGS, "The value of an option."},
    {"set_option", set_option, METH_VARARGS, "Sets an option of worlds to come."},
    {"set_preset", set_preset, METH_VARARGS, "Sets all options but gravity and step."},
    {NULL, NULL, 0, NULL},
};
static PyGetSetDef members[] = {
    {"title", title, NULL, "Of the scene; empty when it has none.", NULL},
    {"duration", duration, NULL, "[s] How long a run is meant to be.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
static PyType_Slot slots[] = {
    {Py_tp_dealloc, free_model},
    {Py_tp_methods, methods},
    {Py_tp_getset, members},
    {Py_tp_doc, (void*)"A scene or a robot as data, of which worlds are made."},
    {0, NULL},
};
PyType_Spec core_model_spec = {.name = "rigor._core.Model",
                               .basicsize = sizeof(CoreModel),
                               .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                               .slots = slots};
