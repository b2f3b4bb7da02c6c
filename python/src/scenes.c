// SPDX-License-Identifier: MIT
// Queries about scenes: move_scene(), distance_scene() and overlap_depths().
#include "rows.h"

#include <stdlib.h>

typedef struct scene_question {
    grz_device *device;
    targets scene;
    double to[3];
    uint32_t moving;
    uint64_t most, found;
    grz_move_options move;
    grz_distance_options distance;
    grz_overlap_depth_options depth;
    volatile int cancel;
    grz_scene_contact *contacts;   // or
    grz_scene_distance *distances; // or
    grz_overlap_pair *pairs;
    uint64_t pair_count;
    grz_overlap_depth_answer *depths;
    grz_status status;
    grz_error error;
} scene_question;

// `max_count` as an argument: None is all of `all`.
static bool read_max_count(PyObject *given, uint64_t all, uint64_t *most)
{
    *most = all;
    if (given == NULL || given == Py_None)
        return true;
    const long long value = PyLong_AsLongLong(given);
    if (value == -1 && PyErr_Occurred() != NULL)
        return false;
    if (value < 0)
        PyErr_Format(PyExc_ValueError, "max_count: %lld, must be 0 or more", value);
    else if ((uint64_t)value < all)
        *most = (uint64_t)value;
    return value >= 0;
}

static bool begin_scene(module_state *state, PyObject *given, scene_question *q)
{
    q->device = state->device;
    q->move.limits.cancel = q->distance.limits.cancel = q->depth.limits.cancel = &q->cancel;
    if (PyObject_TypeCheck(given, state->scene_type))
        return targets_begin(state, given, NULL, "scene", &q->scene);
    PyErr_SetString(PyExc_TypeError, "scene: must be a libgraze.Scene");
    return false;
}

static bool check(module_state *state, const scene_question *q, bool went)
{
    if (went && q->status != GRZ_OK)
        raise_error(state, &q->error);
    return went && q->status == GRZ_OK;
}

static void ask_move(void *of)
{
    scene_question *q = of;
    q->status = grz_move_scene(q->device, q->scene.scene, q->moving, q->to, &q->move, q->contacts, q->most, &q->found,
                               &q->error);
}

static PyObject *contact_list(const scene_question *q)
{
    PyObject *list = PyList_New(0);
    for (uint64_t i = 0; i < q->found && list != NULL; i++) {
        PyObject *item = Py_BuildValue("(NN)", scene_label(q->scene.scene_object, q->contacts[i].object),
                                       move_answer(&q->contacts[i].answer));
        if (item == NULL || PyList_Append(list, item) != 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *call_move_scene(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"scene",       "object", "to",       "max_count", "inside",
                               "inside_rule", "method", "deadline", NULL};
    PyObject *scene, *object, *to, *max_count = NULL, *answer = NULL;
    const char *rule = "even_odd";
    int inside = 1;
    module_state *state = state_of_module(module);
    scene_question q = {.move = grz_default_move_options()};
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OOO|$Opszd:move_scene", keywords, &scene, &object, &to,
                                     &max_count, &inside, &rule, &q.move.method, &q.move.limits.deadline) ||
        !read_rule(rule, &q.move.inside_rule) || !read_vector(to, "to", false, q.to))
        return NULL;
    if (!begin_scene(state, scene, &q))
        return NULL;
    q.move.inside = inside != 0;
    if (scene_number(scene, object, &q.moving) && read_max_count(max_count, q.scene.count, &q.most)) {
        q.contacts = malloc((size_t)q.most * sizeof *q.contacts + 1);
        if (q.contacts == NULL)
            PyErr_NoMemory();
        else if (check(state, &q, run_long(ask_move, &q, &q.cancel, q.scene.faces <= 1000)))
            answer = contact_list(&q);
        free(q.contacts);
    }
    targets_end(state, &q.scene);
    return answer;
}

static void ask_distance(void *of)
{
    scene_question *q = of;
    q->status =
        grz_distance_scene(q->device, q->scene.scene, &q->distance, q->distances, q->most, &q->found, &q->error);
}

static PyObject *distance_list(const scene_question *q)
{
    PyObject *list = PyList_New(0);
    for (uint64_t i = 0; i < q->found && list != NULL; i++) {
        PyObject *scene = q->scene.scene_object;
        PyObject *item = Py_BuildValue("(NNN)", scene_label(scene, q->distances[i].a),
                                       scene_label(scene, q->distances[i].b), distance_answer(&q->distances[i].answer));
        if (item == NULL || PyList_Append(list, item) != 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *call_distance_scene(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"scene", "max_count", "relative_error", "method", "deadline", NULL};
    PyObject *scene, *max_count = NULL, *answer = NULL;
    module_state *state = state_of_module(module);
    scene_question q = {.distance = grz_default_distance_options()};
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O|O$dzd:distance_scene", keywords, &scene, &max_count,
                                     &q.distance.relative_error, &q.distance.method, &q.distance.limits.deadline) ||
        !begin_scene(state, scene, &q))
        return NULL;
    const uint64_t count = q.scene.count;
    bool ok = true;
    if (max_count != NULL)
        ok = read_max_count(max_count, count * (count > 0 ? count - 1 : 0) / 2, &q.most);
    else
        q.most = 1;
    if (ok) {
        q.distances = malloc((size_t)q.most * sizeof *q.distances + 1);
        if (q.distances == NULL)
            PyErr_NoMemory();
        else if (check(state, &q, run_long(ask_distance, &q, &q.cancel, q.scene.faces <= 1000)))
            answer = distance_list(&q);
        free(q.distances);
    }
    targets_end(state, &q.scene);
    return answer;
}

static void ask_depths(void *of)
{
    scene_question *q = of;
    q->status = grz_overlap_depths(q->device, grz_targets_of_scene(q->scene.scene), q->pairs, q->pair_count, &q->depth,
                                   q->depths, &q->error);
}

// One of the pairs: two objects, and perhaps a depth of their own.
static bool read_depth_pair(PyObject *scene, PyObject *item, const grz_overlap_depth_options *options,
                            grz_overlap_pair *to)
{
    PyObject *fast = PySequence_Fast(item, "pairs: each must be two objects, or two objects and a depth");
    if (fast == NULL)
        return false;
    const Py_ssize_t count = PySequence_Size(fast);
    PyObject *parts[3] = {NULL, NULL, NULL};
    bool ok = count == 2 || count == 3;
    if (!ok)
        PyErr_SetString(PyExc_ValueError, "pairs: each must be two objects, or two objects and a depth");
    for (Py_ssize_t i = 0; i < count && ok; i++) {
        parts[i] = PySequence_GetItem(fast, i);
        ok = parts[i] != NULL;
    }
    if (ok && count == 3 && !options->decide) {
        PyErr_SetString(PyExc_ValueError, "pairs: one has a depth: give deeper_than, too, for those that have none");
        ok = false;
    }
    ok = ok && scene_number(scene, parts[0], &to->a) && scene_number(scene, parts[1], &to->b);
    to->deeper_than = ok && parts[2] != NULL ? PyFloat_AsDouble(parts[2]) : options->deeper_than;
    ok = ok && (to->deeper_than != -1.0 || PyErr_Occurred() == NULL);
    for (int i = 0; i < 3; i++)
        Py_XDECREF(parts[i]);
    Py_DECREF(fast);
    return ok;
}

static bool read_depth_pairs(PyObject *scene, PyObject *given, scene_question *q)
{
    PyObject *fast = PySequence_Fast(given, "pairs: must be a sequence of pairs of objects");
    if (fast == NULL)
        return false;
    q->pair_count = (uint64_t)PySequence_Size(fast);
    q->pairs = calloc((size_t)q->pair_count + 1, sizeof *q->pairs);
    q->depths = calloc((size_t)q->pair_count + 1, sizeof *q->depths);
    q->depth.parts = q->depth.part_capacity > 0 && q->pair_count <= SIZE_MAX / q->depth.part_capacity
                         ? calloc((size_t)(q->pair_count * q->depth.part_capacity) + 1, sizeof *q->depth.parts)
                         : NULL;
    bool ok = q->pairs != NULL && q->depths != NULL && (q->depth.parts != NULL || q->depth.part_capacity == 0);
    if (!ok)
        PyErr_NoMemory();
    for (uint64_t i = 0; i < q->pair_count && ok; i++) {
        PyObject *item = PySequence_GetItem(fast, (Py_ssize_t)i);
        ok = item != NULL && read_depth_pair(scene, item, &q->depth, &q->pairs[i]);
        Py_XDECREF(item);
    }
    Py_DECREF(fast);
    return ok;
}

static PyObject *depth_list(const scene_question *q)
{
    PyObject *list = PyList_New(0);
    for (uint64_t i = 0; i < q->pair_count && list != NULL; i++) {
        const grz_overlap_part *parts = q->depth.parts != NULL ? q->depth.parts + i * q->depth.part_capacity : NULL;
        PyObject *item = depth_answer(&q->depths[i], parts, q->depth.part_capacity);
        if (item == NULL || PyList_Append(list, item) != 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *call_overlap_depths(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"scene",     "pairs", "deeper_than", "measure",  "tolerance",
                               "max_cells", "parts", "inside_rule", "deadline", NULL};
    PyObject *scene, *pairs, *deeper_than = NULL, *answer = NULL;
    const char *rule = "even_odd";
    int measure = 1;
    module_state *state = state_of_module(module);
    scene_question q = {.depth = grz_default_overlap_depth_options()};
    long long cells = (long long)q.depth.max_cells, parts = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OO|O$pdLLsd:overlap_depths", keywords, &scene, &pairs,
                                     &deeper_than, &measure, &q.depth.tolerance, &cells, &parts, &rule,
                                     &q.depth.limits.deadline) ||
        !read_rule(rule, &q.depth.inside_rule) || !read_depth_options(deeper_than, cells, parts, measure, &q.depth) ||
        !begin_scene(state, scene, &q))
        return NULL;
    if (read_depth_pairs(scene, pairs, &q) &&
        check(state, &q, run_long(ask_depths, &q, &q.cancel, q.scene.faces <= 1000)))
        answer = depth_list(&q);
    free(q.pairs);
    free(q.depths);
    free(q.depth.parts);
    targets_end(state, &q.scene);
    return answer;
}

PyMethodDef scenes_functions[] = {
    {"move_scene", (PyCFunction)(void (*)(void))call_move_scene, METH_VARARGS | METH_KEYWORDS,
     "move_scene($module, scene, object, to, *, max_count=None, inside=True, inside_rule='even_odd', method=None, "
     "deadline=0.0)\n--\n\nWhat an object of a scene touches on a straight line; see libgraze.move_scene."},
    {"distance_scene", (PyCFunction)(void (*)(void))call_distance_scene, METH_VARARGS | METH_KEYWORDS,
     "distance_scene($module, scene, max_count=1, *, relative_error=0.0, method=None, deadline=0.0)\n--\n\nThe pairs "
     "of "
     "objects that are nearest to each other; see libgraze.distance_scene."},
    {"overlap_depths", (PyCFunction)(void (*)(void))call_overlap_depths, METH_VARARGS | METH_KEYWORDS,
     "overlap_depths($module, scene, pairs, deeper_than=None, *, measure=True, tolerance=0.001, max_cells=100000, "
     "parts=0, inside_rule='even_odd', deadline=0.0)\n--\n\nHow deep many pairs of a scene overlap; see "
     "libgraze.overlap_depths."},
    {NULL, NULL, 0, NULL}};
