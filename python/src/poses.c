// SPDX-License-Identifier: MIT
// One mesh at many poses: the call, and the type PoseResults, whose lists are buffers over its own memory.
#include "graze_python.h"

#include <stdlib.h>
#include <string.h>

typedef struct poses_object {
    PyObject_HEAD
    grz_pose_answer *answers;
    Py_ssize_t count;
} poses_object;

static PyObject *column(PyObject *self, const void *first, const char *format, Py_ssize_t item_size)
{
    const Py_ssize_t shape = ((poses_object *)self)->count, stride = sizeof(grz_pose_answer);
    return make_view(state_of(self), self, shape > 0 ? first : NULL, format, item_size, 1, &shape, &stride);
}

static PyObject *get_colliding(PyObject *self, void *closure)
{
    (void)closure;
    return column(self, &((poses_object *)self)->answers->colliding, "?", sizeof(bool));
}

static PyObject *get_relations(PyObject *self, void *closure)
{
    (void)closure;
    return column(self, &((poses_object *)self)->answers->relation, "I", sizeof(grz_relation));
}

static PyObject *get_pair_counts(PyObject *self, void *closure)
{
    (void)closure;
    return column(self, &((poses_object *)self)->answers->pair_count, "Q", 8);
}

static PyObject *get_clearances(PyObject *self, void *closure)
{
    (void)closure;
    return column(self, &((poses_object *)self)->answers->clearance, "I", sizeof(grz_clearance));
}

static Py_ssize_t length(PyObject *self)
{
    return ((poses_object *)self)->count;
}

static PyObject *represent(PyObject *self)
{
    const poses_object *p = (poses_object *)self;
    Py_ssize_t colliding = 0;
    for (Py_ssize_t i = 0; i < p->count; i++)
        colliding += p->answers[i].colliding;
    return PyUnicode_FromFormat("<libgraze.PoseResults: %zd of %zd poses collide>", colliding, p->count);
}

static void poses_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    free(((poses_object *)object)->answers);
    release(object);
    Py_DECREF(type);
}

// The poses of an array. False: an exception is set.
static bool read_array(PyObject *from, grz_pose **poses, Py_ssize_t *count)
{
    Py_buffer view;
    if (PyObject_GetBuffer(from, &view, PyBUF_FULL_RO) != 0)
        return false;
    const bool moves = view.ndim == 2 && view.shape[1] == 3,
               matrices = view.ndim == 3 && (view.shape[1] == 3 || view.shape[1] == 4) && view.shape[2] == 4;
    const Py_ssize_t each = moves ? 3 : matrices ? 4 * view.shape[1] : 0;
    double *values = NULL;
    bool ok = each > 0;
    if (!ok)
        PyErr_SetString(PyExc_ValueError, "poses: must be an array of shape (n, 4, 4), (n, 3, 4) or (n, 3)");
    ok = ok && doubles_of_buffer(&view, "poses", &values);
    *count = ok ? view.shape[0] : 0;
    *poses = ok ? malloc((size_t)*count * sizeof **poses + 1) : NULL;
    if (ok && *poses == NULL) {
        PyErr_NoMemory();
        ok = false;
    }
    for (Py_ssize_t i = 0; i < *count && ok; i++) {
        const double *m = values + each * i;
        if (moves)
            (*poses)[i] = grz_pose_from_translation(m[0], m[1], m[2]);
        else
            memcpy((*poses)[i].m, m, sizeof(*poses)[i].m);
        if (each == 16 && !is_last_row(m + 12)) {
            PyErr_Format(PyExc_ValueError, "poses: the last row of matrix %zd must be 0, 0, 0, 1", i);
            ok = false;
        }
    }
    free(values);
    PyBuffer_Release(&view);
    return ok;
}

static bool read_list(PyObject *from, grz_pose **poses, Py_ssize_t *count)
{
    *count = PySequence_Size(from);
    if (*count < 0)
        return false;
    *poses = malloc((size_t)*count * sizeof **poses + 1);
    if (*poses == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t i = 0; i < *count; i++) {
        PyObject *item = PySequence_GetItem(from, i);
        const bool ok = item != NULL && read_pose(item, "poses", &(*poses)[i]);
        Py_XDECREF(item);
        if (!ok)
            return false;
    }
    return true;
}

bool read_poses(PyObject *from, grz_pose **poses, Py_ssize_t *count)
{
    *poses = NULL;
    return PyObject_CheckBuffer(from) ? read_array(from, poses, count) : read_list(from, poses, count);
}

PyObject *call_collide_poses(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"a", "b", "poses", "pose_a", "find", "method", "clearance", "deadline", NULL};
    PyObject *given_a, *given_b, *given_poses, *pose_a = NULL;
    const char *find = "any", *method = NULL;
    grz_collide_options options = grz_default_collide_options();
    module_state *state = state_of_module(module);
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OOO|$Oszdd:collide_poses", keywords, &given_a, &given_b,
                                     &given_poses, &pose_a, &find, &method, &options.clearance,
                                     &options.limits.deadline) ||
        !read_find(find, &options))
        return NULL;
    if ((options.find & (GRZ_FIND_CONTACTS | GRZ_FIND_CURVES | GRZ_FIND_SOLIDS)) != 0) {
        PyErr_Format(PyExc_ValueError, "find: \"%s\" is not for many poses; \"any\", \"touch\" and \"pairs\" are",
                     find);
        return NULL;
    }
    grz_pose place, *poses = NULL;
    Py_ssize_t count = 0;
    mesh_object *a, *b;
    if (!read_pose(pose_a, "pose_a", &place) || !mesh_begin(state, given_a, "a", &a))
        return NULL;
    if (!mesh_begin(state, given_b, "b", &b)) {
        mesh_end(a);
        return NULL;
    }
    allocfunc allocate = (allocfunc)PyType_GetSlot(state->poses_type, Py_tp_alloc);
    poses_object *made = NULL;
    bool ok = read_poses(given_poses, &poses, &count);
    if (ok) {
        made = (poses_object *)allocate(state->poses_type, 0);
        ok = made != NULL;
    }
    if (ok) {
        made->answers = calloc((size_t)count + 1, sizeof *made->answers);
        made->count = count;
        ok = made->answers != NULL;
        if (!ok)
            PyErr_NoMemory();
    }
    if (ok) {
        const grz_object object = grz_object_at(a->mesh, place);
        interruption stop;
        grz_error error;
        interruption_begin(&stop, &options);
        const grz_status status =
            grz_collide_poses(state->device, &object, b->mesh, poses, (uint64_t)count, &options, made->answers, &error);
        interruption_end(&stop);
        ok = status == GRZ_OK && !stop.interrupted;
        if (status != GRZ_OK && !stop.interrupted)
            raise_error(state, &error);
    }
    free(poses);
    mesh_end(a);
    mesh_end(b);
    if (!ok)
        Py_CLEAR(made);
    return (PyObject *)made;
}

static PyGetSetDef properties[] = {
    {"colliding", get_colliding, NULL, "For each pose whether the objects are not apart; booleans, not a copy.", NULL},
    {"relations", get_relations, NULL, "0: apart, 1: colliding, 2: overlapping, 3: A in B, 4: B in A.", NULL},
    {"pair_counts", get_pair_counts, NULL, "How many pairs of faces touch, if they were asked for.", NULL},
    {"clearances", get_clearances, NULL, "0: not asked, 1: met, 2: not met.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_dealloc, poses_dealloc},
                              {Py_tp_getset, properties},
                              {Py_sq_length, length},
                              {Py_tp_repr, represent},
                              {Py_tp_doc, "What a query at many poses found."},
                              {0, NULL}};

PyType_Spec poses_spec = {.name = "libgraze._graze.PoseResults",
                          .basicsize = sizeof(poses_object),
                          .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
                          .slots = slots};
