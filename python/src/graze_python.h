// SPDX-License-Identifier: MIT
// What the files of the module share. All of it needs the interpreter's lock, unless it says otherwise.
#ifndef GRAZE_PYTHON_H
#define GRAZE_PYTHON_H

#define Py_LIMITED_API 0x030b0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <graze/graze.h>
#include <stdatomic.h>

// What PyThread_start_new_thread() returns if there is no thread; the limited API has no name for it.
#define NO_THREAD ((unsigned long)-1)

// Answers about many things at once, a row each (rows.h).
typedef enum rows_type {
    RAY_HITS,
    POINT_DISTANCES,
    MAPPED_POINTS,
    MOVES,
    CONTACT_INTERVALS,
    DISTANCES,
    SHAPE_ANSWERS,
    FLAT_NEAREST,
    FLAT_HITS,
    ROWS_TYPE_COUNT
} rows_type;

// Of one interpreter. There is no global state.
typedef struct module_state {
    grz_device *device;
    _Atomic(grz_result *) spare;            // of two small meshes that were apart, for the next query; or NULL
    PyObject *errors[GRZ_ERROR_FORMAT + 1]; // an exception for each status
    PyTypeObject *mesh_type, *result_type, *poses_type, *scene_type, *view_type, *picture_type, *flat_type,
        *scene_events_type, *contact_tracker_type;
    PyTypeObject *rows_types[ROWS_TYPE_COUNT];
} module_state;

extern PyType_Spec mesh_spec, result_spec, poses_spec, scene_spec, view_spec, picture_spec, flat_spec,
    scene_events_spec, contact_tracker_spec;

// The state of a module, or of the module that made a type.
module_state *state_of_module(PyObject *module);
module_state *state_of(PyObject *self);

// Raise the exception of a status, with its text and the attributes `status` and `element`. Returns NULL.
PyObject *raise_error(module_state *state, const grz_error *error);

// The same of a call that reads a file: the exception has the attribute `filename`, as OSError has it (files.c).
PyObject *raise_file_error(module_state *state, const grz_error *error, PyObject *file);

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

// The same of rows of two.
bool read_pairs(PyObject *from, const char *name, numbers *out);

// As read_points(), and float32 becomes double. All must be finite; with `nonzero` no row may be all zeros.
bool read_doubles(PyObject *from, const char *name, bool nonzero, numbers *out);

// Read rows of two or four numbers, as doubles. What they are is not checked.
bool read_flat_rows(PyObject *from, const char *name, int columns, numbers *out);

// Read integers from 0 to 2^32 - 1: from a buffer of 32- or 64-bit integers with one dimension, or a sequence.
bool read_integers(PyObject *from, const char *name, numbers *out);

void numbers_finish(numbers *n);

// All numbers of a buffer, in the order of its rows, as doubles: from float32, float64, or 32- or 64-bit integers.
// Release *to with free(). False: an exception is set.
bool doubles_of_buffer(Py_buffer *view, const char *name, double **to);

// Read all numbers of a sequence, of one of sequences, or of an array, at most `most`. Returns how many; -1: an
// exception is set.
int read_flat(PyObject *from, const char *name, double *to, int most);

// Read three finite numbers; with `nonzero` not all zeros.
bool read_vector(PyObject *from, const char *name, bool nonzero, double to[3]);

// Read a pose: None, a translation of three numbers, or a matrix of 3 × 4 or 4 × 4 numbers whose last row is 0 0 0 1.
bool read_pose(PyObject *from, const char *name, grz_pose *pose);

// Whether four numbers are 0 0 0 1, up to the rounding of a product of matrices.
bool is_last_row(const double row[4]);

// Read poses: an array of floats or integers of shape (n, 3), (n, 3, 4) or (n, 4, 4), or a sequence of poses (poses.c).
// *poses is to be released with free(), also if an exception is set.
bool read_poses(PyObject *from, grz_pose **poses, Py_ssize_t *count);

// The rows of a pose and 0 0 0 1, as tuples (scene.c).
PyObject *pose_rows(const grz_pose *pose);

// ---- Meshes (mesh.c)

typedef struct mesh_object {
    PyObject_HEAD
    grz_mesh *mesh;
    grz_scalar position_type;
    atomic_int users;          // queries that use it; -1: its positions are being changed
    PyObject *weak_references; // Python's list
} mesh_object;

// Begin to use a mesh in a query. False: an exception is set (no mesh, or another thread is changing it).
bool mesh_begin(module_state *state, PyObject *from, const char *name, mesh_object **mesh);
void mesh_end(mesh_object *mesh);

// A Mesh that owns `made`, also on failure.
PyObject *mesh_from(module_state *state, grz_mesh *made, grz_scalar position_type);

// Two meshes at poses, while a query uses them (measure.c).
typedef struct couple {
    mesh_object *meshes[2];
    grz_object objects[2];
} couple;

// False: an exception is set, and neither is used.
bool couple_begin(module_state *state, PyObject *a, PyObject *b, PyObject *pose_a, PyObject *pose_b, couple *c);
void couple_end(couple *c);

// "enclosed" (result.c).
const char *certainty_name(grz_certainty certainty);

// A dictionary with the answer (measure.c, motions.c).
PyObject *distance_answer(const grz_distance_answer *d);
PyObject *move_answer(const grz_move_answer *m);

// ---- Scenes (scene.c)

// Begin to use a Scene and all its meshes, when no other thread uses it. False: an exception is set (no scene, or a
// mesh's positions are being changed).
bool scene_use(module_state *state, PyObject *from, const char *name, const grz_scene **scene);
void scene_leave(module_state *state, PyObject *from);

// The number of an object of a Scene that is given by number or by name. False: an exception is set.
bool scene_number(PyObject *scene, PyObject *given, uint32_t *id);

// The name of an object, or its number if it has none.
PyObject *scene_label(PyObject *scene, uint32_t id);

// ---- Results (result.c, view.c)

typedef struct result_object {
    PyObject_HEAD
    grz_result *result;
    PyObject *meshes[2]; // of a query about one or two meshes, for pictures; referenced
    grz_pose poses[2];
    uint32_t mesh_count; // 0: not known
    bool is_small;    // of two small meshes that were apart: `result` has little memory, and is kept for the next query
    PyObject *labels; // of a query about a scene: a dictionary, number of an object → its name; NULL: no names
} result_object;

// The method picture() of a result (pictures.c).
PyObject *result_picture(PyObject *self, PyObject *arguments, PyObject *names);

// A result without an answer yet. NULL: an exception is set.
result_object *make_result(module_state *state);

// A read-only buffer over memory that belongs to `owner`, which lives as long. `format` is static text; there are at
// most 3 dimensions.
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

double seconds_now(void); // a clock that is never set; needs no lock

// Where several calls of the library share a deadline: what is left of it since `start`, by seconds_now(), but at least
// a little; 0: there is none.
double time_left(double deadline, double start);

// If a call that was given time_left() did not end in time, name the whole deadline in the error. Returns `status`.
grz_status name_deadline(double deadline, grz_status status, grz_error *error);

// Put it into the options of a query (NULL: of one too brief to be interrupted), and release the lock; take it again.
void interruption_begin(interruption *i, grz_collide_options *options);
void interruption_end(interruption *i);

// For queries that have a flag to cancel them but report no progress: let another thread do `work(data)` while this
// one, the lock released, looks for Ctrl-C, which sets *cancel. `is_short`: do it here, the lock released. Either way
// the work has ended when this returns. False: an exception is set, and the answer does not matter (wait.c).
bool run_long(void (*work)(void *data), void *data, volatile int *cancel, bool is_short);

// Read inside_rule. False: an exception is set.
bool read_rule(const char *rule, grz_inside_rule *out);

// Options of overlap depths. `deeper_than` may be None: it is not decided then; the numbers of cells and of parts may
// not be negative. False, with an exception, otherwise.
bool read_depth_options(PyObject *deeper_than, long long cells, long long parts, int measure,
                        grz_overlap_depth_options *options);

// A dictionary of an overlap depth; `listed` has room for `capacity` places.
PyObject *depth_answer(const grz_overlap_depth_answer *d, const grz_overlap_part *listed, uint64_t capacity);

// What a query is asked to find, by its name. False: an exception is set.
bool read_find(const char *find, grz_collide_options *options);

PyObject *call_collide(PyObject *module, PyObject *const *given, Py_ssize_t count, PyObject *names);
PyObject *call_self_collide(PyObject *module, PyObject *arguments, PyObject *names);
PyObject *call_penetration(PyObject *module, PyObject *arguments, PyObject *names);
PyObject *call_distance(PyObject *module, PyObject *arguments, PyObject *names);
PyObject *call_collide_poses(PyObject *module, PyObject *arguments, PyObject *names);
PyObject *call_pose_rows(PyObject *module, PyObject *given);
PyObject *call_restore_mesh(PyObject *module, PyObject *arguments);
PyObject *call_restore_view(PyObject *module, PyObject *arguments);
PyObject *call_load(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *call_load_model(PyObject *module, PyObject *given);
PyObject *call_load_robot_mesh(PyObject *module, PyObject *given);

#endif
