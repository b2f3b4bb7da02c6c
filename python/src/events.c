// SPDX-License-Identifier: MIT
// From frame to frame: the types SceneEvents (which pairs of a scene began, stay, ended) and ContactTracker (which
// contact point is which of the frame before).
#include "graze_python.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

static const char *const states[GRZ_PAIR_STATE_COUNT] = {"apart", "undecided", "near", "colliding"};
static const char *const event_names[GRZ_PAIR_EVENT_COUNT] = {"began", "stays", "ended"};
static const char *const matches[] = {"new", "features", "nearest"};

// The place of a word in a list; -1: an exception is set.
static int find_word(const char *word, const char *name, const char *const *words, int first, int count)
{
    for (int i = first; i < count; i++)
        if (strcmp(word, words[i]) == 0)
            return i;
    char choices[96] = "";
    for (int i = first, at = 0; i < count && at < (int)sizeof choices; i++)
        at += snprintf(choices + at, sizeof choices - (size_t)at, "%s\"%s\"",
                       i == first      ? ""
                       : i + 1 < count ? ", "
                                       : " or ",
                       words[i]);
    PyErr_Format(PyExc_ValueError, "%s is \"%s\", must be %s", name, word, choices);
    return -1;
}

static PyObject *make_object(PyTypeObject *type)
{
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    return allocate(type, 0);
}

static void release_object(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

// ---- Events of a scene

typedef struct events_object {
    PyObject_HEAD
    grz_scene_events *events;
    PyObject *scene;
} events_object;

static PyObject *events_new(PyTypeObject *type, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"scene", NULL};
    module_state *state = PyType_GetModuleState(type);
    PyObject *from;
    const grz_scene *scene;
    grz_error error;
    if (state == NULL || !PyArg_ParseTupleAndKeywords(arguments, names, "O:SceneEvents", keywords, &from))
        return NULL;
    events_object *self = (events_object *)make_object(type);
    if (self == NULL)
        return NULL;
    if (!scene_use(state, from, "scene", &scene)) {
        Py_DECREF(self);
        return NULL;
    }
    const grz_status status = grz_scene_events_create(scene, &self->events, &error);
    scene_leave(state, from);
    if (status != GRZ_OK) {
        Py_DECREF(self);
        return raise_error(state, &error);
    }
    self->scene = Py_NewRef(from);
    return (PyObject *)self;
}

static void events_dealloc(PyObject *object)
{
    events_object *self = (events_object *)object;
    grz_scene_events_destroy(self->events);
    Py_XDECREF(self->scene);
    release_object(object);
}

static PyObject *events_update(PyObject *object, PyObject *answer)
{
    events_object *self = (events_object *)object;
    module_state *state = state_of(object);
    const grz_scene *scene;
    grz_error error;
    if (!PyObject_TypeCheck(answer, state->result_type)) {
        PyErr_SetString(PyExc_TypeError, "result: must be a libgraze.Result");
        return NULL;
    }
    if (!scene_use(state, self->scene, "scene", &scene)) // so that no other thread changes it, or these events
        return NULL;
    const grz_status status = grz_scene_events_update(self->events, ((const result_object *)answer)->result, &error);
    scene_leave(state, self->scene);
    if (status != GRZ_OK)
        return raise_error(state, &error);
    Py_RETURN_NONE;
}

static PyObject *list_pairs(PyObject *object, grz_pair_state state, grz_pair_event event)
{
    uint64_t count;
    const grz_scene_event *pairs = grz_scene_events_pairs(((events_object *)object)->events, state, event, &count);
    PyObject *list = PyList_New(0);
    for (uint64_t i = 0; i < count && list != NULL; i++) {
        const grz_scene_event *p = &pairs[i];
        PyObject *row = Py_BuildValue("(IIKKss)", p->a, p->b, (unsigned long long)p->serial_a,
                                      (unsigned long long)p->serial_b, states[p->before], states[p->now]);
        if (row == NULL || PyList_Append(list, row) != 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

static PyObject *events_pairs(PyObject *object, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"event", "state", NULL};
    const char *event_name, *state_name = "colliding";
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "s|s:pairs", keywords, &event_name, &state_name))
        return NULL;
    const int event = find_word(event_name, "event", event_names, 0, GRZ_PAIR_EVENT_COUNT);
    const int state = event < 0 ? -1 : find_word(state_name, "state", states, GRZ_PAIR_APART + 1, GRZ_PAIR_STATE_COUNT);
    return state < 0 ? NULL : list_pairs(object, (grz_pair_state)state, (grz_pair_event)event);
}

static PyMethodDef events_methods[] = {
    {"update", events_update, METH_O,
     "update($self, result, /)\n--\n\nCompare the scene's newest Result with that of the last update."},
    {"pairs", (PyCFunction)(void (*)(void))events_pairs, METH_VARARGS | METH_KEYWORDS,
     "pairs($self, event, state='colliding')\n--\n\nThe pairs of a list; see libgraze.SceneEvents."},
    {NULL, NULL, 0, NULL}};

static PyType_Slot events_slots[] = {{Py_tp_new, events_new},
                                     {Py_tp_dealloc, events_dealloc},
                                     {Py_tp_methods, events_methods},
                                     {Py_tp_doc, "SceneEvents(scene)\n--\n\nWhat began, stays and ended."},
                                     {0, NULL}};

PyType_Spec scene_events_spec = {.name = "libgraze._graze.SceneEvents",
                                 .basicsize = sizeof(events_object),
                                 .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
                                 .slots = events_slots};

// ---- Contacts

typedef struct tracker_object {
    PyObject_HEAD
    grz_contact_tracker *tracker;
} tracker_object;

static PyObject *tracker_new(PyTypeObject *type, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {NULL};
    module_state *state = PyType_GetModuleState(type);
    grz_error error;
    if (state == NULL || !PyArg_ParseTupleAndKeywords(arguments, names, ":ContactTracker", keywords))
        return NULL;
    tracker_object *self = (tracker_object *)make_object(type);
    if (self != NULL && grz_contact_tracker_create(state->device, &self->tracker, &error) != GRZ_OK) {
        Py_DECREF(self);
        return raise_error(state, &error);
    }
    return (PyObject *)self;
}

static void tracker_dealloc(PyObject *object)
{
    grz_contact_tracker_destroy(((tracker_object *)object)->tracker);
    release_object(object);
}

// A point as libgraze.ContactTracker.update() hands it over.
static bool read_row(PyObject *row, grz_tracked_point *p)
{
    PyObject *a, *b;
    grz_feature *x = &p->feature_a, *y = &p->feature_b;
    if (!PyArg_ParseTuple(row, "OO(II)(II)II(ddd)(ddd)", &a, &b, &x->vertex[0], &x->vertex[1], &y->vertex[0],
                          &y->vertex[1], &p->face_a, &p->face_b, &p->position[0], &p->position[1], &p->position[2],
                          &p->normal[0], &p->normal[1], &p->normal[2]))
        return false;
    p->object_a = PyLong_AsUnsignedLongLong(a);
    if (PyErr_Occurred() == NULL)
        p->object_b = PyLong_AsUnsignedLongLong(b);
    if (PyErr_Occurred() != NULL && PyErr_ExceptionMatches(PyExc_OverflowError) != 0)
        PyErr_SetString(PyExc_ValueError, "the number of a body must be from 0 to 2^64 - 1");
    return PyErr_Occurred() == NULL;
}

static PyObject *id_rows(const grz_contact_id *ids, uint64_t count)
{
    PyObject *list = PyList_New(0);
    for (uint64_t i = 0; i < count && list != NULL; i++) {
        PyObject *before =
            ids[i].before == GRZ_NO_ELEMENT ? Py_NewRef(Py_None) : PyLong_FromUnsignedLongLong(ids[i].before);
        PyObject *row =
            Py_BuildValue("(KNIs)", (unsigned long long)ids[i].id, before, ids[i].age, matches[ids[i].match]);
        if (row == NULL || PyList_Append(list, row) != 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

static PyObject *tracker_update(PyObject *object, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"points", "match_distance", "match_angle", NULL};
    PyObject *rows, *answer = NULL;
    grz_contact_tracker_options options = grz_default_contact_tracker_options();
    grz_error error;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O!|$dd:update", keywords, &PyList_Type, &rows,
                                     &options.match_distance, &options.match_angle))
        return NULL;
    const size_t count = (size_t)PyList_Size(rows);
    grz_tracked_point *points = calloc(count + 1, sizeof *points);
    grz_contact_id *ids = calloc(count + 1, sizeof *ids);
    bool ok = points != NULL && ids != NULL;
    if (!ok)
        PyErr_NoMemory();
    for (size_t i = 0; i < count && ok; i++)
        ok = read_row(PyList_GetItem(rows, (Py_ssize_t)i), &points[i]);
    if (ok) { // the lock is held: no other thread uses the tracker
        const grz_status status =
            grz_contact_tracker_update(((tracker_object *)object)->tracker, points, count, &options, ids, &error);
        answer = status == GRZ_OK ? id_rows(ids, count) : raise_error(state_of(object), &error);
    }
    free(points);
    free(ids);
    return answer;
}

static PyObject *tracker_ended(PyObject *object, void *closure)
{
    uint64_t count;
    const uint64_t *ended = grz_contact_tracker_ended(((tracker_object *)object)->tracker, &count);
    PyObject *list = PyList_New(0);
    (void)closure;
    for (uint64_t i = 0; i < count && list != NULL; i++) {
        PyObject *id = PyLong_FromUnsignedLongLong(ended[i]);
        if (id == NULL || PyList_Append(list, id) != 0)
            Py_CLEAR(list);
        Py_XDECREF(id);
    }
    return list;
}

static PyGetSetDef tracker_properties[] = {
    {"ended", tracker_ended, NULL, "The numbers of the contacts that the last update ended, ascending.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef tracker_methods[] = {
    {"update", (PyCFunction)(void (*)(void))tracker_update, METH_VARARGS | METH_KEYWORDS,
     "update($self, points, *, match_distance=0.0, match_angle=0.5235987755982988)\n--\n\nNumber the points of a "
     "frame; see libgraze.ContactTracker."},
    {NULL, NULL, 0, NULL}};

static PyType_Slot tracker_slots[] = {{Py_tp_new, tracker_new},
                                      {Py_tp_dealloc, tracker_dealloc},
                                      {Py_tp_methods, tracker_methods},
                                      {Py_tp_getset, tracker_properties},
                                      {Py_tp_doc, "ContactTracker()\n--\n\nContacts that persist."},
                                      {0, NULL}};

PyType_Spec contact_tracker_spec = {.name = "libgraze._graze.ContactTracker",
                                    .basicsize = sizeof(tracker_object),
                                    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
                                    .slots = tracker_slots};
