// SPDX-License-Identifier: MIT
// What the files of the module share. All of it needs the interpreter's lock, unless it says otherwise.
#ifndef GRAZE_PYTHON_H
#define GRAZE_PYTHON_H

#define Py_LIMITED_API 0x030b0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <graze/graze.h>
#include <stdatomic.h>

// Of one interpreter. There is no global state.
typedef struct module_state {
    grz_device *device;
    PyObject *errors[GRZ_ERROR_FORMAT + 1]; // an exception for each status
    PyTypeObject *mesh_type, *result_type, *poses_type, *scene_type, *view_type;
} module_state;

extern PyType_Spec mesh_spec, result_spec, poses_spec, scene_spec, view_spec;

// The state of a module, or of the module that made a type.
module_state *state_of_module(PyObject *module);
module_state *state_of(PyObject *self);

// Raise the exception of a status, with its text and the attributes `status` and `element`. Returns NULL.
PyObject *raise_error(module_state *state, const grz_error *error);

// ---- Arguments (arrays.c)

// Numbers that an argument holds: a copy, packed. Release it with numbers_finish().
typedef struct numbers {
    void *data;
    Py_ssize_t rows, columns;
    bool is_float32; // else doubles, or 32-bit unsigned integers
} numbers;

// Read rows of three numbers from anything with a buffer (float32 or float64, any strides), or from a sequence of
// sequences. `name` is the argument's, for errors. False: an exception is set.
bool read_points(PyObject *from, const char *name, numbers *out);

// Read rows of three integers from 0 to 2^32 - 1: from a buffer of 32- or 64-bit integers, or a sequence of sequences.
bool read_faces(PyObject *from, const char *name, numbers *out);

void numbers_finish(numbers *n);

// Read a pose: None, a translation of three numbers, or a matrix of 3 × 4 or 4 × 4 numbers whose last row is 0 0 0 1.
bool read_pose(PyObject *from, const char *name, grz_pose *pose);

// ---- Meshes (mesh.c)

typedef struct mesh_object {
    PyObject_HEAD grz_mesh *mesh;
    grz_scalar position_type;
    atomic_int users; // queries that use it; -1: its positions are being changed
} mesh_object;

// Begin to use a mesh in a query. False: an exception is set (no mesh, or another thread is changing it).
bool mesh_begin(module_state *state, PyObject *from, const char *name, mesh_object **mesh);
void mesh_end(mesh_object *mesh);

// A Mesh that owns `made`, also on failure.
PyObject *mesh_from(module_state *state, grz_mesh *made, grz_scalar position_type);

// ---- Results (result.c, view.c)

typedef struct result_object {
    PyObject_HEAD grz_result *result;
} result_object;

// A result without an answer yet. NULL: an exception is set.
result_object *make_result(module_state *state);

// A read-only buffer over memory that belongs to `owner`, which lives as long. `format` is static text.
PyObject *make_view(module_state *state, PyObject *owner, const void *data, const char *format, Py_ssize_t item_size,
                    int dimensions, const Py_ssize_t *shape, const Py_ssize_t *strides);

// ---- Calls that take long (calls.c)

// The interpreter's lock is released during a query; from time to time it is taken again, to see whether the user has
// pressed Ctrl-C.
typedef struct interruption {
    PyThreadState *thread;
    volatile int cancel;
    bool interrupted; // an exception is set
    double next;      // the clock's time of the next look
} interruption;

// Put it into the options of a query and release the lock; take it again.
void interruption_begin(interruption *i, grz_collide_options *options);
void interruption_end(interruption *i);

// What a query is asked to find, by its name. False: an exception is set.
bool read_find(const char *find, grz_collide_options *options);

PyObject *call_collide(PyObject *module, PyObject *arguments, PyObject *names);
PyObject *call_self_collide(PyObject *module, PyObject *arguments, PyObject *names);
PyObject *call_penetration(PyObject *module, PyObject *arguments, PyObject *names);
PyObject *call_distance(PyObject *module, PyObject *arguments, PyObject *names);
PyObject *call_collide_poses(PyObject *module, PyObject *arguments, PyObject *names);
PyObject *call_load(PyObject *module, PyObject *given);

#endif
