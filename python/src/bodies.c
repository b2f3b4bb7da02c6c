// SPDX-License-Identifier: MIT
// Two bodies, measured: overlap_volume(), overlap_depth(), manifold(), distance_poses(); and the type Distances.
#include "rows.h"

#include <stdlib.h>
#include <string.h>

typedef struct body_question {
    grz_device *device;
    couple c;
    grz_move_options volume;
    grz_manifold_options manifold;
    grz_distance_options distance;
    volatile int cancel;
    grz_overlap_depth_options depth;
    grz_overlap_volume_answer common;
    grz_overlap_depth_answer deep;
    grz_manifold_answer points;
    grz_pose *poses;
    uint64_t pose_count;
    grz_distance_answer *answers;
    grz_status status;
    grz_error error;
} body_question;

// Let `ask` answer, and end the use of the meshes. Whether there is an answer; if not, an exception is set.
static bool answer_question(module_state *state, body_question *q, void (*ask)(void *), bool is_short)
{
    q->volume.limits.cancel = q->manifold.limits.cancel = q->distance.limits.cancel = &q->cancel;
    q->depth.limits.cancel = &q->cancel;
    const bool went = run_long(ask, q, &q->cancel, is_short);
    couple_end(&q->c);
    if (went && q->status != GRZ_OK)
        raise_error(state, &q->error);
    return went && q->status == GRZ_OK;
}

static bool is_small(const body_question *q)
{
    return grz_mesh_face_count(q->c.objects[0].mesh) <= 1000 && grz_mesh_face_count(q->c.objects[1].mesh) <= 1000;
}

// ---- The volume of the intersection

static void ask_volume(void *of)
{
    body_question *q = of;
    q->status = grz_overlap_volume(q->device, &q->c.objects[0], &q->c.objects[1], &q->volume, &q->common, &q->error);
}

static PyObject *call_overlap_volume(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"a", "b", "pose_a", "pose_b", "inside_rule", "method", "deadline", NULL};
    PyObject *a, *b, *pose_a = NULL, *pose_b = NULL;
    const char *rule = "even_odd";
    module_state *state = state_of_module(module);
    body_question q = {.device = state->device, .volume = grz_default_move_options()};
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OO|$OOszd:overlap_volume", keywords, &a, &b, &pose_a, &pose_b,
                                     &rule, &q.volume.method, &q.volume.limits.deadline) ||
        !read_rule(rule, &q.volume.inside_rule) || !couple_begin(state, a, b, pose_a, pose_b, &q.c))
        return NULL;
    const bool is_short = is_small(&q);
    if (!answer_question(state, &q, ask_volume, is_short))
        return NULL;
    return Py_BuildValue("{sdsdsssz}", "lower", q.common.lower, "upper", q.common.upper, "certainty",
                         certainty_name(q.common.certainty), "reason", q.common.reason);
}

// ---- The depth of the overlap

enum {
    MOST_PARTS = 1000000
};

static void ask_depth(void *of)
{
    body_question *q = of;
    q->status = grz_overlap_depth(q->device, &q->c.objects[0], &q->c.objects[1], &q->depth, &q->deep, &q->error);
}

static PyObject *part_answer(const grz_overlap_part *p)
{
    return Py_BuildValue("{sdsds(ddd)s((ddd)(ddd))}", "lower", p->lower, "upper", p->upper, "centre", p->centre[0],
                         p->centre[1], p->centre[2], "box", p->min[0], p->min[1], p->min[2], p->max[0], p->max[1],
                         p->max[2]);
}

PyObject *depth_answer(const grz_overlap_depth_answer *d, const grz_overlap_part *listed, uint64_t capacity)
{
    const uint64_t count = d->part_count < capacity ? d->part_count : capacity;
    PyObject *parts = PyTuple_New((Py_ssize_t)count);
    for (uint64_t i = 0; i < count && parts != NULL; i++) {
        PyObject *part = part_answer(&listed[i]);
        if (part == NULL || PyTuple_SetItem(parts, (Py_ssize_t)i, part) != 0)
            Py_CLEAR(parts);
    }
    PyObject *centre =
        d->lower > 0.0 ? Py_BuildValue("(ddd)", d->centre[0], d->centre[1], d->centre[2]) : Py_NewRef(Py_None);
    if (parts == NULL || centre == NULL) {
        Py_XDECREF(parts);
        Py_XDECREF(centre);
        return NULL;
    }
    PyObject *deeper = d->deeper == GRZ_DEEPER_YES ? Py_True : d->deeper == GRZ_DEEPER_NO ? Py_False : Py_None;
    return Py_BuildValue("{sdsdsssOsNszsKsNsK}", "lower", d->lower, "upper", d->upper, "certainty",
                         certainty_name(d->certainty), "deeper", deeper, "centre", centre, "reason", d->reason,
                         "part_count", (unsigned long long)d->part_count, "parts", parts, "cells",
                         (unsigned long long)d->cells);
}

bool read_depth_options(PyObject *deeper_than, long long cells, long long parts, int measure,
                        grz_overlap_depth_options *options)
{
    options->decide = deeper_than != NULL && deeper_than != Py_None;
    options->measure = measure != 0;
    if (options->decide) {
        options->deeper_than = PyFloat_AsDouble(deeper_than);
        if (options->deeper_than == -1.0 && PyErr_Occurred())
            return false;
    }
    if (cells < 0) {
        PyErr_Format(PyExc_ValueError, "max_cells: %lld, must be 0 or more", cells);
        return false;
    }
    if (parts < 0 || parts > MOST_PARTS) {
        PyErr_Format(PyExc_ValueError, "parts: %lld, must be 0 to %d", parts, (int)MOST_PARTS);
        return false;
    }
    if (parts > 0 && !options->decide) {
        PyErr_SetString(PyExc_ValueError, "parts: need deeper_than, which says what a part is deeper than");
        return false;
    }
    options->max_cells = (uint64_t)cells;
    options->part_capacity = (uint64_t)parts;
    return true;
}

static PyObject *call_overlap_depth(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"a",         "b",         "deeper_than", "pose_a",      "pose_b",   "measure",
                               "tolerance", "max_cells", "parts",       "inside_rule", "deadline", NULL};
    PyObject *a, *b, *pose_a = NULL, *pose_b = NULL, *deeper_than = NULL, *answer = NULL;
    const char *rule = "even_odd";
    int measure = 1;
    module_state *state = state_of_module(module);
    body_question q = {.device = state->device, .depth = grz_default_overlap_depth_options()};
    long long cells = (long long)q.depth.max_cells, parts = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OO|O$OOpdLLsd:overlap_depth", keywords, &a, &b, &deeper_than,
                                     &pose_a, &pose_b, &measure, &q.depth.tolerance, &cells, &parts, &rule,
                                     &q.depth.limits.deadline) ||
        !read_rule(rule, &q.depth.inside_rule) || !read_depth_options(deeper_than, cells, parts, measure, &q.depth) ||
        !couple_begin(state, a, b, pose_a, pose_b, &q.c))
        return NULL;
    if (parts > 0) {
        q.depth.parts = calloc((size_t)parts, sizeof *q.depth.parts);
        if (q.depth.parts == NULL) {
            couple_end(&q.c);
            return PyErr_NoMemory();
        }
    }
    const bool is_short = is_small(&q);
    if (answer_question(state, &q, ask_depth, is_short))
        answer = depth_answer(&q.deep, q.depth.parts, q.depth.part_capacity);
    free(q.depth.parts);
    return answer;
}

// ---- Contact manifolds

static void ask_manifold(void *of)
{
    body_question *q = of;
    q->status = grz_manifold_find(q->device, &q->c.objects[0], &q->c.objects[1], &q->manifold, &q->points, &q->error);
}

static PyObject *point_answer(const grz_manifold_point *p)
{
    return Py_BuildValue("{s(ddd)s(ddd)sdsNs(NN)}", "position", p->position[0], p->position[1], p->position[2],
                         "normal", p->normal[0], p->normal[1], p->normal[2], "depth", p->depth, "faces",
                         faces_tuple(p->face_a, p->face_b), "features", feature_tuple(&p->feature_a),
                         feature_tuple(&p->feature_b));
}

static PyObject *manifold_answer(const grz_manifold_answer *m)
{
    PyObject *points = PyTuple_New((Py_ssize_t)m->count);
    for (uint32_t i = 0; i < m->count && points != NULL; i++) {
        PyObject *point = point_answer(&m->points[i]);
        if (point == NULL || PyTuple_SetItem(points, (Py_ssize_t)i, point) != 0)
            Py_CLEAR(points);
    }
    if (points == NULL)
        return NULL;
    return Py_BuildValue("{sssOszs(ddd)sdsdsdsN}", "certainty", certainty_name(m->certainty), "penetrating",
                         m->penetrating ? Py_True : Py_False, "reason", m->reason, "normal", m->normal[0], m->normal[1],
                         m->normal[2], "depth", m->depth, "lower", m->lower, "upper", m->upper, "points", points);
}

static PyObject *call_manifold(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"a",        "b",           "pose_a", "pose_b",   "max_points", "direction",
                               "surfaces", "inside_rule", "method", "deadline", NULL};
    PyObject *a, *b, *pose_a = NULL, *pose_b = NULL, *direction = NULL;
    const char *rule = "even_odd";
    int surfaces = 0;
    module_state *state = state_of_module(module);
    body_question q = {.device = state->device, .manifold = grz_default_manifold_options()};
    long long max_points = q.manifold.max_points;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OO|$OOLOpszd:manifold", keywords, &a, &b, &pose_a, &pose_b,
                                     &max_points, &direction, &surfaces, &rule, &q.manifold.method,
                                     &q.manifold.limits.deadline) ||
        !read_rule(rule, &q.manifold.inside_rule) ||
        (direction != NULL && direction != Py_None && !read_vector(direction, "direction", true, q.manifold.direction)))
        return NULL;
    if (max_points < 1 || max_points > GRZ_MANIFOLD_MAX_POINTS) {
        PyErr_Format(PyExc_ValueError, "max_points: %lld, must be 1 to %d", max_points, (int)GRZ_MANIFOLD_MAX_POINTS);
        return NULL;
    }
    q.manifold.max_points = (uint32_t)max_points;
    q.manifold.surfaces = surfaces != 0;
    if (!couple_begin(state, a, b, pose_a, pose_b, &q.c))
        return NULL;
    const bool is_short = is_small(&q);
    return answer_question(state, &q, ask_manifold, is_short) ? manifold_answer(&q.points) : NULL;
}

// ---- Distances at many poses

static void ask_distances(void *of)
{
    body_question *q = of;
    q->status = grz_distance_poses(q->device, &q->c.objects[0], q->c.objects[1].mesh, q->poses, q->pose_count,
                                   &q->distance, q->answers, &q->error);
}

static PyObject *call_distance_poses(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"a", "b", "poses", "pose_a", "relative_error", "method", "deadline", NULL};
    PyObject *a, *b, *given, *pose_a = NULL;
    Py_ssize_t count = 0;
    module_state *state = state_of_module(module);
    body_question q = {.device = state->device, .distance = grz_default_distance_options()};
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OOO|$Odzd:distance_poses", keywords, &a, &b, &given, &pose_a,
                                     &q.distance.relative_error, &q.distance.method, &q.distance.limits.deadline))
        return NULL;
    bool ok = read_poses(given, &q.poses, &count);
    if (ok) {
        q.pose_count = (uint64_t)count;
        q.answers = malloc((size_t)count * sizeof *q.answers + 1);
        ok = q.answers != NULL;
        if (!ok)
            PyErr_NoMemory();
    }
    ok = ok && couple_begin(state, a, b, pose_a, NULL, &q.c);
    ok = ok && answer_question(state, &q, ask_distances, count <= 16 && is_small(&q));
    free(q.poses);
    if (ok)
        return make_rows(state, DISTANCES, q.answers, NULL, count);
    free(q.answers);
    return NULL;
}

static PyObject *represent(PyObject *self)
{
    return PyUnicode_FromFormat("<libgraze.Distances: %zd poses>", rows_length(self));
}

static PyGetSetDef properties[] = {
    ROWS_COLUMN("distances", grz_distance_answer, distance, "d", double, 1, "World units; the nearest double."),
    ROWS_COLUMN("lower", grz_distance_answer, lower, "d", double, 1, "lower <= exact distance <= upper."),
    ROWS_COLUMN("upper", grz_distance_answer, upper, "d", double, 1, "lower <= exact distance <= upper."),
    ROWS_COLUMN("certainties", grz_distance_answer, certainty, "I", grz_certainty, 1,
                "0: exact, 2: undecided, 3: enclosed."),
    ROWS_COLUMN("touching", grz_distance_answer, touching, "?", bool, 1, "Whether the exact distance is 0."),
    ROWS_COLUMN("faces", grz_distance_answer, face_a, "I", uint32_t, 2, "The nearest, of A and of B, or NONE."),
    ROWS_COLUMN("features_a", grz_distance_answer, feature_a, "I", uint32_t, 2,
                "Of A: a vertex (v, NONE), an edge (v, w), or the inside of the face (NONE, NONE)."),
    ROWS_COLUMN("features_b", grz_distance_answer, feature_b, "I", uint32_t, 2, "The same of B."),
    ROWS_COLUMN("points_a", grz_distance_answer, point_a, "d", double, 3, "The nearest of A, world coordinates."),
    ROWS_COLUMN("points_b", grz_distance_answer, point_b, "d", double, 3, "The nearest of B, world coordinates."),
    ROWS_COLUMN("ties", grz_distance_answer, ties, "Q", uint64_t, 1, "How many pairs of faces are that near."),
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_dealloc, rows_dealloc},
                              {Py_tp_getset, properties},
                              {Py_sq_length, rows_length},
                              {Py_tp_repr, represent},
                              {Py_tp_doc, "The distances of two surfaces at many poses, a row for each."},
                              {0, NULL}};

PyType_Spec distances_spec = {.name = "libgraze._graze.Distances",
                              .basicsize = sizeof(rows_object),
                              .flags =
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
                              .slots = slots};

PyMethodDef bodies_functions[] = {
    {"overlap_volume", (PyCFunction)(void (*)(void))call_overlap_volume, METH_VARARGS | METH_KEYWORDS,
     "overlap_volume($module, a, b, *, pose_a=None, pose_b=None, inside_rule='even_odd', method=None, "
     "deadline=0.0)\n--\n\nThe volume that two solids have in common; see libgraze.overlap_volume."},
    {"overlap_depth", (PyCFunction)(void (*)(void))call_overlap_depth, METH_VARARGS | METH_KEYWORDS,
     "overlap_depth($module, a, b, deeper_than=None, *, pose_a=None, pose_b=None, measure=True, tolerance=0.001, "
     "max_cells=100000, parts=0, inside_rule='even_odd', deadline=0.0)\n--\n\nHow deep two solids overlap; see "
     "libgraze.overlap_depth."},
    {"manifold", (PyCFunction)(void (*)(void))call_manifold, METH_VARARGS | METH_KEYWORDS,
     "manifold($module, a, b, *, pose_a=None, pose_b=None, max_points=4, direction=None, surfaces=False, "
     "inside_rule='even_odd', method=None, deadline=0.0)\n--\n\nFew points that stand for all contacts; see "
     "libgraze.manifold."},
    {"distance_poses", (PyCFunction)(void (*)(void))call_distance_poses, METH_VARARGS | METH_KEYWORDS,
     "distance_poses($module, a, b, poses, *, pose_a=None, relative_error=0.0, method=None, deadline=0.0)\n--\n\nThe "
     "distances of two surfaces at many poses of `b`; see libgraze.distance_poses."},
    {NULL, NULL, 0, NULL}};
