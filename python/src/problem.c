// problem.c - rigor._core.Problem: a contact problem that can be solved, certified and written.
#include "core.h"

#include <stdlib.h>
#include <string.h>

typedef struct CoreProblem {
  PyObject_HEAD rgProblem* problem; // read from a file or a text; NULL when it is `own`
  rgProblem own;                    // a copy, with arrays of its own
} CoreProblem;

static const rgProblem* problem_of(PyObject* self) {
  CoreProblem* object = (CoreProblem*)self;
  return object->problem ? object->problem : &object->own;
}

static PyObject* new_problem(rgProblem* problem) {
  CoreProblem* object = PyObject_New(CoreProblem, core_types.problem);
  if (!object) {
    rg_problem_free(problem, NULL);
    return NULL;
  }
  object->problem = problem;
  object->own = (rgProblem){0};
  return (PyObject*)object;
}

static void free_problem(PyObject* self) {
  CoreProblem* object = (CoreProblem*)self;
  PyTypeObject* type = Py_TYPE(self);
  if (object->problem)
    rg_problem_free(object->problem, NULL);
  PyMem_Free((void*)object->own.bodies);
  PyMem_Free((void*)object->own.contacts);
  PyMem_Free((void*)object->own.rows);
  PyObject_Free(self);
  Py_DECREF(type);
}

static void* copy(const void* items, int count, size_t size) {
  void* made = PyMem_Calloc((size_t)count + 1, size);
  if (made && count > 0)
    memcpy(made, items, (size_t)count * size);
  return made;
}

PyObject* core_copy_problem(const rgProblem* problem) {
  CoreProblem* object = (CoreProblem*)new_problem(NULL);
  if (!object)
    return NULL;
  object->own = (rgProblem){.dimension = problem->dimension,
                            .body_count = problem->body_count,
                            .contact_count = problem->contact_count,
                            .row_count = problem->row_count};
  object->own.bodies = copy(problem->bodies, problem->body_count, sizeof *problem->bodies);
  object->own.contacts = copy(problem->contacts, problem->contact_count, sizeof *problem->contacts);
  object->own.rows = copy(problem->rows, problem->row_count, sizeof *problem->rows);
  if (object->own.bodies && object->own.contacts && object->own.rows)
    return (PyObject*)object;
  Py_DECREF((PyObject*)object);
  return PyErr_NoMemory();
}

PyObject* core_read_problem(PyObject* self, PyObject* args) {
  (void)self;
  const char* path;
  if (!PyArg_ParseTuple(args, "s", &path))
    return NULL;
  rgMessage message = {""};
  rgProblem* problem = NULL;
  rgStatus status = rg_problem_read(path, NULL, &problem, &message);
  return status == RG_OK ? new_problem(problem) : core_raise(status, message.text);
}

PyObject* core_parse_problem(PyObject* self, PyObject* args) {
  (void)self;
  const char *text, *name;
  Py_ssize_t length;
  if (!PyArg_ParseTuple(args, "s#s", &text, &length, &name))
    return NULL;
  rgMessage message = {""};
  rgProblem* problem = NULL;
  rgStatus status = rg_problem_parse(text, (size_t)length, name, NULL, &problem, &message);
  return status == RG_OK ? new_problem(problem) : core_raise(status, message.text);
}

static PyObject* write_problem(PyObject* self, PyObject* args) {
  const char *path, *name;
  if (!PyArg_ParseTuple(args, "ss", &path, &name))
    return NULL;
  rgProblemFormat format = 0;
  while (rg_problem_format_name(format) && strcmp(rg_problem_format_name(format), name) != 0)
    format++;
  if (!rg_problem_format_name(format)) {
    PyErr_Format(PyExc_ValueError, "there is no format '%s' of problems", name);
    return NULL;
  }
  rgMessage message = {""};
  rgStatus status = rg_problem_write_as(problem_of(self), format, path, &message);
  if (status != RG_OK)
    return core_raise(status, message.text);
  Py_RETURN_NONE;
}

// -------------------------------------------------------------------------------------------------
// Solving
// -------------------------------------------------------------------------------------------------

// Velocities, contact impulses and row impulses as new arrays.
typedef struct Answer {
  CoreMemory *v, *r, *lambda;
} Answer;

static bool make_answer(const rgProblem* problem, Answer* answer) {
  Py_ssize_t v = (Py_ssize_t)rg_problem_velocity_count(problem), rows = problem->row_count;
  Py_ssize_t r[2] = {problem->contact_count, 4};
  answer->v = core_memory('d', 1, &v);
  answer->r = core_memory('d', 2, r);
  answer->lambda = core_memory('d', 1, &rows);
  return answer->v && answer->r && answer->lambda;
}

static void drop_answer(Answer* answer) {
  core_drop(answer->v);
  core_drop(answer->r);
  core_drop(answer->lambda);
}

static rgSolution solution_of(const Answer* answer) {
  return (rgSolution){answer->v->data, answer->r->data, answer->lambda->data};
}

static bool take_start(PyObject* from, const char* what, CoreMemory* to) {
  Py_buffer view;
  Py_ssize_t count = to->shape[0] * (to->dimensions > 1 ? to->shape[1] : 1);
  if (!core_doubles(from, what, count, &view))
    return false;
  if (view.obj) {
    memcpy(to->data, view.buf, (size_t)view.len);
    PyBuffer_Release(&view);
  }
  return true;
}

static PyObject* report_of(const Answer* answer, const rgSolveReport* report) {
  PyObject* certificate = core_certificate(&report->certificate);
  if (!certificate)
    return NULL;
  return Py_BuildValue("(OOOsisN)", answer->v, answer->r, answer->lambda,
                       rg_status_name(report->status), report->iterations, report->solver,
                       certificate);
}

static PyObject* run_solver(const rgProblem* problem, const char* solver, const char* options,
                            const rgStop* stop, Answer* answer) {
  rgMessage message = {""};
  rgSolveReport report = {0};
  size_t size = rg_solve_work_size(problem, solver);
  if (size == 0) {
    PyErr_Format(PyExc_ValueError, "there is no solver '%s' ('rigor list solvers' names them)",
                 solver);
    return NULL;
  }
  void* work = malloc(size);
  if (!work)
    return PyErr_NoMemory();
  rgSolution solution = solution_of(answer);
  rgStatus status;
  Py_BEGIN_ALLOW_THREADS;
  status = rg_solve(problem, solver, options, stop, &solution, work, &report, &message);
  Py_END_ALLOW_THREADS;
  free(work);
  bool answered = status == RG_OK || status == RG_NOT_CONVERGED || status == RG_NO_SOLUTION;
  return answered ? report_of(answer, &report) : core_raise(status, message.text);
}

// solve(solver, options, tolerance, iteration_limit, r, lambda)
static PyObject* solve(PyObject* self, PyObject* args) {
  const rgProblem* problem = problem_of(self);
  const char *solver, *options;
  PyObject *r, *lambda, *result = NULL;
  rgStop stop = rg_stop_default();
  if (!PyArg_ParseTuple(args, "szdiOO", &solver, &options, &stop.tolerance, &stop.iteration_limit,
                        &r, &lambda))
    return NULL;
  Answer answer = {0};
  if (make_answer(problem, &answer) && take_start(r, "r", answer.r) &&
      take_start(lambda, "lambda_", answer.lambda))
    result = run_solver(problem, solver, options, &stop, &answer);
  drop_answer(&answer);
  return result;
}

// certify(v, r, lambda, tolerance); without v, the velocities that belong to the impulses.
static PyObject* certify(PyObject* self, PyObject* args) {
  const rgProblem* problem = problem_of(self);
  PyObject *v, *r, *lambda, *result = NULL;
  double tolerance;
  if (!PyArg_ParseTuple(args, "OOOd", &v, &r, &lambda, &tolerance))
    return NULL;
  Answer answer = {0};
  if (make_answer(problem, &answer) && take_start(v, "v", answer.v) &&
      take_start(r, "r", answer.r) && take_start(lambda, "lambda_", answer.lambda)) {
    rgSolution solution = solution_of(&answer);
    rgCertificate certificate = {0};
    if (v == Py_None)
      rg_problem_velocity(problem, &solution);
    rg_problem_certify(problem, &solution, tolerance, &certificate);
    result = core_certificate(&certificate);
  }
  drop_answer(&answer);
  return result;
}

// -------------------------------------------------------------------------------------------------
// W
// -------------------------------------------------------------------------------------------------

static int node_size(const rgProblem* local, int node) {
  return node < local->contact_count ? local->local->block : 1;
}

// W, dense: the numbers of all contacts, then the rows; and the bias in the same order.
static PyObject* dense(const rgProblem* local) {
  const rgLocalMatrix* matrix = local->local;
  int nodes = local->contact_count + local->row_count, block = matrix->block;
  Py_ssize_t size = (Py_ssize_t)local->contact_count * block + local->row_count;
  Py_ssize_t shape[2] = {size, size};
  CoreMemory *w = core_memory('d', 2, shape), *bias = core_memory('d', 1, shape);
  if (!w || !bias) {
    core_drop(w);
    core_drop(bias);
    return NULL;
  }
  double* to = w->data;
  for (int i = 0; i < nodes; i++) {
    int row = i < local->contact_count ? i * block : (block - 1) * local->contact_count + i;
    for (int k = 0; k < node_size(local, i); k++)
      ((double*)bias->data)[row + k] = i < local->contact_count
                                           ? local->contacts[i].bias[k]
                                           : local->rows[row - (int)(size - local->row_count)].bias;
    const double* from = matrix->values + (matrix->value_start ? matrix->value_start[i]
                                                               : (size_t)block * (size_t)block *
                                                                     (size_t)matrix->row_start[i]);
    for (int b = matrix->row_start[i]; b < matrix->row_start[i + 1]; b++) {
      int j = matrix->column[b];
      int column = j < local->contact_count ? j * block : (block - 1) * local->contact_count + j;
      for (int m = 0; m < node_size(local, i); m++)
        for (int n = 0; n < node_size(local, j); n++)
          to[(row + m) * size + column + n] = *from++;
    }
  }
  return Py_BuildValue("(NNi)", w, bias, block);
}

// delassus() -> (W, bias, numbers per contact)
static PyObject* delassus(PyObject* self, PyObject* nothing) {
  (void)nothing;
  const rgProblem* problem = problem_of(self);
  if (problem->local)
    return dense(problem);
  rgMessage message = {""};
  rgProblem* local = NULL;
  rgStatus status = rg_problem_to_local(problem, NULL, &local, &message);
  if (status != RG_OK)
    return core_raise(status, message.text);
  PyObject* result = dense(local);
  rg_problem_free(local, NULL);
  return result;
}

static PyObject* counts(PyObject* self, PyObject* nothing) {
  (void)nothing;
  const rgProblem* problem = problem_of(self);
  return Py_BuildValue("(iiii)", problem->dimension, problem->body_count, problem->contact_count,
                       problem->row_count);
}

static PyMethodDef methods[] = {
    {"solve", solve, METH_VARARGS, "solve(solver, options, tolerance, iteration_limit, r, lambda)"},
    {"certify", certify, METH_VARARGS, "certify(v, r, lambda, tolerance)"},
    {"write", write_problem, METH_VARARGS, "write(path, format)"},
    {"delassus", delassus, METH_NOARGS, "(W, bias, numbers per contact)"},
    {"counts", counts, METH_NOARGS, "(dimension, bodies, contacts, rows)"},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot slots[] = {
    {Py_tp_dealloc, free_problem},
    {Py_tp_methods, methods},
    {Py_tp_doc, (void*)"A contact problem."},
    {0, NULL},
};
PyType_Spec core_problem_spec = {.name = "rigor._core.Problem",
                                 .basicsize = sizeof(CoreProblem),
                                 .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                 .slots = slots};
