// SPDX-License-Identifier: MIT
// Answers about many things at once: an array of structures, whose members are buffers over it. And what the queries
// that give such answers share.
#ifndef GRAZE_PYTHON_ROWS_H
#define GRAZE_PYTHON_ROWS_H

#include "graze_python.h"

#include <stddef.h>

typedef struct rows_object {
    PyObject_HEAD
    void *rows;
    void *extra; // a type's own; released with free(), like `rows`
    Py_ssize_t count;
} rows_object;

// An object of a type, which owns `rows` and `extra` from now on, also on failure.
PyObject *make_rows(module_state *state, rows_type type, void *rows, void *extra, Py_ssize_t count);

// Where a member is: the closure of its getter.
typedef struct column {
    size_t offset, stride;
    const char *format;
    Py_ssize_t item_size, columns;
} column;

PyObject *rows_column(PyObject *self, void *closure);

// A member of the structure `row`; `format` and `type` are those of one number.
#define ROWS_COLUMN(name, row, member, format, type, columns, text)                                                    \
    {                                                                                                                  \
        name, rows_column, NULL, text, (void *)&(const column)                                                         \
        {                                                                                                              \
            offsetof(row, member), sizeof(row), format, sizeof(type), columns                                          \
        }                                                                                                              \
    }

// What every such type has besides its getters.
Py_ssize_t rows_length(PyObject *self);
void rows_dealloc(PyObject *object);

extern PyType_Spec *const rows_specs[ROWS_TYPE_COUNT];
extern const char *const rows_names[ROWS_TYPE_COUNT];
extern PyType_Spec ray_hits_spec, point_distances_spec, mapped_points_spec, moves_spec, contact_intervals_spec,
    distances_spec, shape_answers_spec, flat_nearest_spec, flat_hits_spec;

// The objects that a query is about, while it uses them: a Mesh, a sequence of Meshes and of (Mesh, pose), or a Scene.
typedef struct targets {
    grz_object *objects;  // of a scene by number; without a mesh where it has none
    mesh_object **meshes; // referenced
    uint32_t count;
    uint64_t faces;         // of all of them
    const grz_scene *scene; // NULL: it is not a scene
    PyObject *scene_object;
} targets;

// `pose` is that of a single Mesh. False: an exception is set, and nothing is used.
bool targets_begin(module_state *state, PyObject *from, PyObject *pose, const char *name, targets *t);
void targets_end(module_state *state, targets *t);

// (None, None): no faces.
PyObject *faces_tuple(uint32_t face_a, uint32_t face_b);

// A view of `count` numbers that `bytes` holds; takes over the reference, also on failure.
PyObject *view_of_bytes(module_state *state, PyObject *bytes, const char *format, Py_ssize_t item_size,
                        Py_ssize_t count);

// (): the inside of a face; (v,): a vertex; (v, w): an edge.
PyObject *feature_tuple(const grz_feature *feature);

// The functions of each file, for the module.
extern PyMethodDef rays_functions[], points_functions[], motions_functions[], pictures_functions[], bodies_functions[],
    scenes_functions[], shapes_functions[], solids_functions[], flights_functions[], robots_functions[],
    shells_functions[];

#endif
