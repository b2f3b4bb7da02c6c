// SPDX-License-Identifier: MIT
// Queries about scenes: move_scene() and distance_scene().
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
    volatile int cancel;
    grz_scene_contact *contacts; // or
    grz_scene_distance *distances;
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
    q->move.limits.cancel = q->distance.limits.cancel = &q->cancel;
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

PyMethodDef scenes_functions[] = {
    {"move_scene", (PyCFunction)(void (*)(void))call_move_scene, METH_VARARGS | METH_KEYWORDS,
     "move_scene($module, scene, object, to, *, max_count=None, inside=True, inside_rule='even_odd', method=None, "
     "deadline=0.0)\n--\n\nWhat an object of a scene touches on a straight line; see libgraze.move_scene."},
    {"distance_scene", (PyCFunction)(void (*)(void))call_distance_scene, METH_VARARGS | METH_KEYWORDS,
     "distance_scene($module, scene, max_count=1, *, relative_error=0.0, method=None, deadline=0.0)\n--\n\nThe pairs "
     "of "
     "objects that are nearest to each other; see libgraze.distance_scene."},
    {NULL, NULL, 0, NULL}};
