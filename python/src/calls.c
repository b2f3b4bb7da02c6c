// SPDX-License-Identifier: MIT
// The queries. The interpreter's lock is released around each.
#include "graze_python.h"

#include <math.h>
#include <string.h>
#include <time.h>

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double seconds_now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

double time_left(double deadline, double start)
{
    return deadline > 0.0 ? fmax(deadline - (seconds_now() - start), 1e-9) : 0.0;
}

grz_status name_deadline(double deadline, grz_status status, grz_error *error)
{
    if (status == GRZ_ERROR_DEADLINE)
        (void)PyOS_snprintf(error->message, sizeof error->message, "the deadline of %g s passed", deadline);
    return status;
}

// The same, exact to some milliseconds, in less than half the time.
static double seconds_about_now(void)
{
#ifdef CLOCK_MONOTONIC_COARSE
    return seconds_of(CLOCK_MONOTONIC_COARSE);
#else
    return seconds_now();
#endif
}

// Called by the query now and then. Has the user pressed Ctrl-C?
static void look_for_signals(double share, void *user)
{
    (void)share;
    interruption *i = user;
    const double now = seconds_about_now();
    if (i->interrupted || now < i->next)
        return;
    i->next = now + 0.05;
    PyEval_RestoreThread(i->thread);
    i->interrupted = PyErr_CheckSignals() != 0;
    i->cancel = i->interrupted;
    i->thread = PyEval_SaveThread();
}

void interruption_begin(interruption *i, grz_collide_options *options)
{
    *i = (interruption){.next = 0.0};
    if (options != NULL) {
        i->next = seconds_about_now() + 0.05;
        options->limits.cancel = &i->cancel;
        options->limits.progress = look_for_signals;
        options->limits.progress_user = i;
    }
    i->thread = PyEval_SaveThread();
}

void interruption_end(interruption *i)
{
    PyEval_RestoreThread(i->thread);
}

bool read_find(const char *find, grz_collide_options *options)
{
    static const struct {
        const char *name;
        uint32_t bits;
    } all[] = {{"pairs", GRZ_FIND_PAIRS | GRZ_FIND_CONTAINMENT}, // the default
               {"any", GRZ_FIND_CONTAINMENT},
               {"touch", 0},
               {"contacts", GRZ_FIND_CONTACTS | GRZ_FIND_CONTAINMENT},
               {"curves", GRZ_FIND_CURVES | GRZ_FIND_CONTAINMENT},
               {"solids", GRZ_FIND_SOLIDS | GRZ_FIND_CONTAINMENT | GRZ_FIND_PAIRS}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(find, all[i].name) == 0) {
            options->find = all[i].bits;
            return true;
        }
    PyErr_Format(PyExc_ValueError,
                 "find: \"%s\", must be \"any\", \"touch\", \"pairs\", \"contacts\", \"curves\" or \"solids\"", find);
    return false;
}

bool read_rule(const char *rule, grz_inside_rule *out)
{
    static const char *const names[] = {
        [GRZ_EVEN_ODD] = "even_odd", [GRZ_NONZERO] = "nonzero", [GRZ_INSIDE_AUTO] = "auto"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(rule, names[i]) == 0) {
            *out = (grz_inside_rule)i;
            return true;
        }
    PyErr_Format(PyExc_ValueError, "inside_rule: \"%s\", must be \"even_odd\", \"nonzero\" or \"auto\"", rule);
    return false;
}

result_object *make_result(module_state *state)
{
    grz_error error;
    result_object *made = PyObject_New(result_object, state->result_type);
    if (made == NULL)
        return NULL;
    made->result = atomic_exchange(&state->spare, NULL);
    made->meshes[0] = made->meshes[1] = made->labels = NULL;
    made->mesh_count = 0;
    made->is_small = false;
    if (made->result == NULL && grz_result_create(state->device, &made->result, &error) != GRZ_OK) {
        made->result = NULL;
        raise_error(state, &error);
        Py_DECREF(made);
        return NULL;
    }
    return made;
}

// What the arguments of a query say about it.
typedef struct question {
    grz_collide_options options;
    interruption interruption;
    result_object *result;
} question;

static bool prepare(module_state *state, const char *find, const char *method, double clearance, double deadline,
                    const char *rule, question *q)
{
    *q = (question){.options = grz_default_collide_options()};
    q->options.method = method;
    q->options.clearance = clearance;
    q->options.limits.deadline = deadline;
    return read_rule(rule, &q->options.inside_rule) && read_find(find, &q->options) &&
           (q->result = make_result(state)) != NULL;
}

// The result remembers what was asked about, for pictures.
static void remember(result_object *result, const mesh_object *mesh, const grz_object *object)
{
    const uint32_t i = result->mesh_count++;
    result->meshes[i] = Py_NewRef((PyObject *)mesh);
    result->poses[i] = object->pose;
}

static PyObject *finish(module_state *state, question *q, grz_status status, const grz_error *error)
{
    if (status == GRZ_OK && !q->interruption.interrupted)
        return (PyObject *)q->result;
    Py_DECREF(q->result);
    return q->interruption.interrupted ? NULL : raise_error(state, error);
}

// What collide() is given; all of it belongs to the caller.
typedef struct collide_arguments {
    PyObject *a, *b, *pose_a, *pose_b;
    const char *find, *method, *rule;
    double clearance, deadline;
} collide_arguments;

// Read arguments that lie in an array, the last ones by `names`, as METH_FASTCALL gives them. Two meshes alone take
// no tuple and no dictionary.
static bool read_arguments(PyObject *const *given, Py_ssize_t count, PyObject *names, collide_arguments *out)
{
    static char *keywords[] = {"a",      "b",         "pose_a",   "pose_b",      "find",
                               "method", "clearance", "deadline", "inside_rule", NULL};
    const Py_ssize_t named = names != NULL ? PyTuple_Size(names) : 0;
    *out = (collide_arguments){.find = "pairs", .rule = "even_odd"};
    if (count == 2 && named == 0) {
        out->a = given[0];
        out->b = given[1];
        return true;
    }
    PyObject *tuple = PyTuple_New(count), *dictionary = PyDict_New();
    bool ok = tuple != NULL && dictionary != NULL;
    for (Py_ssize_t i = 0; i < count && ok; i++)
        ok = PyTuple_SetItem(tuple, i, Py_NewRef(given[i])) == 0;
    for (Py_ssize_t i = 0; i < named && ok; i++)
        ok = PyDict_SetItem(dictionary, PyTuple_GetItem(names, i), given[count + i]) == 0;
    ok = ok && PyArg_ParseTupleAndKeywords(tuple, dictionary, "OO|$OOszdds:collide", keywords, &out->a, &out->b,
                                           &out->pose_a, &out->pose_b, &out->find, &out->method, &out->clearance,
                                           &out->deadline, &out->rule);
    Py_XDECREF(tuple);
    Py_XDECREF(dictionary);
    return ok;
}

PyObject *call_collide(PyObject *module, PyObject *const *given, Py_ssize_t count, PyObject *names)
{
    collide_arguments asked;
    module_state *state = state_of_module(module);
    if (!read_arguments(given, count, names, &asked))
        return NULL;
    question q;
    grz_object one = {.group = 1, .mask = UINT32_MAX}, two = one; // poses are read into their places, not copied
    mesh_object *a, *b;
    if (!read_pose(asked.pose_a, "pose_a", &one.pose) || !read_pose(asked.pose_b, "pose_b", &two.pose) ||
        !mesh_begin(state, asked.a, "a", &a))
        return NULL;
    if (!mesh_begin(state, asked.b, "b", &b)) {
        mesh_end(a);
        return NULL;
    }
    one.mesh = a->mesh;
    two.mesh = b->mesh;
    PyObject *answer = NULL;
    if (prepare(state, asked.find, asked.method, asked.clearance, asked.deadline, asked.rule, &q)) {
        // So few pairs of triangles take less time than passes between two looks for signals.
        const bool is_brief = grz_mesh_triangle_count(a->mesh) * grz_mesh_triangle_count(b->mesh) <= 4096;
        grz_error error;
        interruption_begin(&q.interruption, is_brief ? NULL : &q.options);
        const grz_status status = grz_collide(state->device, &one, &two, &q.options, q.result->result, &error);
        interruption_end(&q.interruption);
        remember(q.result, a, &one);
        remember(q.result, b, &two);
        q.result->is_small =
            is_brief && status == GRZ_OK && asked.clearance == 0.0 && !grz_result_summary(q.result->result)->colliding;
        answer = finish(state, &q, status, &error);
    }
    mesh_end(a);
    mesh_end(b);
    return answer;
}

PyObject *call_self_collide(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"mesh", "find", "method", "deadline", NULL};
    PyObject *given;
    const char *find = "pairs", *method = NULL;
    double deadline = 0.0;
    module_state *state = state_of_module(module);
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O|$szd:self_collide", keywords, &given, &find, &method,
                                     &deadline))
        return NULL;
    if (strcmp(find, "solids") == 0) {
        PyErr_SetString(PyExc_ValueError, "find: \"solids\" needs two meshes");
        return NULL;
    }
    question q;
    mesh_object *mesh;
    PyObject *answer = NULL;
    if (!mesh_begin(state, given, "mesh", &mesh))
        return NULL;
    if (prepare(state, find, method, 0.0, deadline, "even_odd", &q)) {
        const grz_object object = grz_object_at_origin(mesh->mesh);
        grz_error error;
        q.options.find &= ~(uint32_t)GRZ_FIND_CONTAINMENT;
        interruption_begin(&q.interruption, &q.options);
        const grz_status status = grz_collide_self(state->device, &object, &q.options, q.result->result, &error);
        interruption_end(&q.interruption);
        remember(q.result, mesh, &object);
        answer = finish(state, &q, status, &error);
    }
    mesh_end(mesh);
    return answer;
}
