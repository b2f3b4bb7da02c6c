// SPDX-License-Identifier: MIT
// Points against a mesh: locate() says where they are, nearest() how far from the surface, fit_map_points() where they
// belong that were found on a proxy; and the types PointDistances and MappedPoints.
#include "rows.h"

#include <math.h>
#include <stdlib.h>

typedef struct point_question {
    grz_device *device;
    mesh_object *mesh;
    grz_object object;
    numbers points;
    numbers normals; // of fit_map_points(); without data: none
    volatile int cancel;
    grz_locate_options locate;
    grz_distance_points_options measure;
    grz_hull_options map;
    grz_location *locations;
    grz_point_distance *answers;
    grz_mapped_point *mapped;
    grz_status status;
    grz_error error;
} point_question;

static bool question_begin(module_state *state, PyObject *mesh, PyObject *points, PyObject *pose, point_question *q)
{
    grz_pose place;
    q->device = state->device;
    if (!read_pose(pose, "pose", &place) || !read_doubles(points, "points", false, &q->points))
        return false;
    if (!mesh_begin(state, mesh, "mesh", &q->mesh)) {
        numbers_finish(&q->points);
        return false;
    }
    q->object = grz_object_at(q->mesh->mesh, place);
    return true;
}

static void question_drop(point_question *q)
{
    mesh_end(q->mesh);
    numbers_finish(&q->points);
    numbers_finish(&q->normals);
}

// Let `ask` answer. Whether there is an answer; if not, an exception is set.
static bool question_end(module_state *state, point_question *q, void (*ask)(void *))
{
    const bool is_short = q->points.rows <= 256 && grz_mesh_face_count(q->mesh->mesh) <= 100000;
    const bool went = run_long(ask, q, &q->cancel, is_short);
    question_drop(q);
    if (went && q->status != GRZ_OK)
        raise_error(state, &q->error);
    return went && q->status == GRZ_OK;
}

static void ask_locate(void *of)
{
    point_question *q = of;
    q->status = grz_locate_points(q->device, &q->object, q->points.data, (uint64_t)q->points.rows, &q->locate,
                                  q->locations, &q->error);
}

static void ask_nearest(void *of)
{
    point_question *q = of;
    q->status = grz_distance_points(q->device, &q->object, q->points.data, (uint64_t)q->points.rows, &q->measure,
                                    q->answers, &q->error);
}

static PyObject *call_locate(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"mesh", "points", "pose", "inside_rule", "deadline", NULL};
    PyObject *mesh, *points, *pose = NULL;
    const char *rule = "even_odd";
    point_question q = {.locate = grz_default_locate_options()};
    module_state *state = state_of_module(module);
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OO|$Osd:locate", keywords, &mesh, &points, &pose, &rule,
                                     &q.locate.limits.deadline) ||
        !read_rule(rule, &q.locate.inside_rule) || !question_begin(state, mesh, points, pose, &q))
        return NULL;
    const Py_ssize_t count = q.points.rows, size = sizeof(grz_location);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, count * size);
    if (bytes == NULL) {
        question_drop(&q);
        return NULL;
    }
    q.locate.limits.cancel = &q.cancel;
    q.locations = (grz_location *)(void *)PyBytes_AsString(bytes);
    if (question_end(state, &q, ask_locate))
        return view_of_bytes(state, bytes, "I", size, count);
    Py_DECREF(bytes);
    return NULL;
}

static PyObject *call_nearest(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"mesh", "points", "pose", "locate", "inside_rule", "deadline", NULL};
    PyObject *mesh, *points, *pose = NULL;
    const char *rule = "even_odd";
    int locate = 1;
    point_question q = {.measure = grz_default_distance_points_options()};
    module_state *state = state_of_module(module);
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OO|$Opsd:nearest", keywords, &mesh, &points, &pose, &locate,
                                     &rule, &q.measure.limits.deadline) ||
        !read_rule(rule, &q.measure.inside_rule) || !question_begin(state, mesh, points, pose, &q))
        return NULL;
    const Py_ssize_t count = q.points.rows;
    q.measure.locate = locate != 0;
    q.measure.limits.cancel = &q.cancel;
    q.answers = malloc((size_t)count * sizeof *q.answers + 1);
    if (q.answers == NULL) {
        question_drop(&q);
        return PyErr_NoMemory();
    }
    if (question_end(state, &q, ask_nearest))
        return make_rows(state, POINT_DISTANCES, q.answers, NULL, count);
    free(q.answers);
    return NULL;
}

// ---- Points of a proxy

// The library's limits hold for each search; here a deadline is that of all of them.
static void ask_mapped(void *of)
{
    point_question *q = of;
    const double start = seconds_now(), *points = q->points.data, *normals = q->normals.data;
    grz_hull_options options = q->map;
    for (Py_ssize_t i = 0; i < q->points.rows && q->status == GRZ_OK; i++) {
        if (i > 0)
            options.limits.deadline = time_left(q->map.limits.deadline, start);
        q->status = grz_fit_map_points(q->device, &q->object, points + 3 * i, normals != NULL ? normals + 3 * i : NULL,
                                       1, &options, &q->mapped[i], &q->error);
        if (q->status != GRZ_OK)
            q->error.element = (uint64_t)i;
    }
    name_deadline(q->map.limits.deadline, q->status, &q->error);
}

static PyObject *call_fit_map_points(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"mesh", "points", "normals", "pose", "deadline", NULL};
    PyObject *mesh, *points, *normals = Py_None, *pose = NULL;
    point_question q = {.map = grz_default_hull_options()};
    module_state *state = state_of_module(module);
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OO|O$Od:fit_map_points", keywords, &mesh, &points, &normals,
                                     &pose, &q.map.limits.deadline) ||
        (normals != Py_None && !read_doubles(normals, "normals", false, &q.normals)))
        return NULL;
    if (!question_begin(state, mesh, points, pose, &q)) {
        numbers_finish(&q.normals);
        return NULL;
    }
    const Py_ssize_t count = q.points.rows;
    if (normals != Py_None && q.normals.rows != count) {
        PyErr_Format(PyExc_ValueError, "normals: %zd rows, points has %zd", q.normals.rows, count);
        question_drop(&q);
        return NULL;
    }
    q.map.limits.cancel = &q.cancel;
    q.mapped = malloc((size_t)count * sizeof *q.mapped + 1);
    if (q.mapped == NULL) {
        question_drop(&q);
        return PyErr_NoMemory();
    }
    if (question_end(state, &q, ask_mapped))
        return make_rows(state, MAPPED_POINTS, q.mapped, NULL, count);
    free(q.mapped);
    return NULL;
}

// ---- The type PointDistances

static PyObject *get_signed(PyObject *self, void *closure)
{
    (void)closure;
    const rows_object *r = (const rows_object *)self;
    const grz_point_distance *d = r->rows;
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, r->count * (Py_ssize_t)sizeof(double));
    if (bytes == NULL)
        return NULL;
    double *to = (double *)(void *)PyBytes_AsString(bytes);
    for (Py_ssize_t i = 0; i < r->count; i++)
        to[i] = d[i].location == GRZ_LOCATION_UNKNOWN ? (double)NAN
                : d[i].location == GRZ_INSIDE         ? -d[i].distance
                                                      : d[i].distance;
    return view_of_bytes(state_of(self), bytes, "d", sizeof(double), r->count);
}

static PyObject *represent_distances(PyObject *self)
{
    return PyUnicode_FromFormat("<libgraze.PointDistances: %zd points>", rows_length(self));
}

static PyGetSetDef distances_properties[] = {
    ROWS_COLUMN("distances", grz_point_distance, distance, "d", double, 1,
                "From the surface, world units, 0 or above; the nearest double."),
    {"signed_distances", get_signed, NULL, "Below 0 inside; NaN where inside is not known. A new array.", NULL},
    ROWS_COLUMN("lower", grz_point_distance, lower, "d", double, 1, "lower <= exact distance <= upper."),
    ROWS_COLUMN("upper", grz_point_distance, upper, "d", double, 1, "lower <= exact distance <= upper."),
    ROWS_COLUMN("locations", grz_point_distance, location, "I", grz_location, 1, "As locate() gives them."),
    ROWS_COLUMN("points", grz_point_distance, point, "d", double, 3, "The nearest points, world coordinates."),
    ROWS_COLUMN("faces", grz_point_distance, face, "I", uint32_t, 1, "The nearest faces; the lowest of several."),
    ROWS_COLUMN("features", grz_point_distance, feature, "I", uint32_t, 2,
                "A vertex (v, NONE), an edge (v, w), or the inside of the face (NONE, NONE)."),
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot distances_slots[] = {{Py_tp_dealloc, rows_dealloc},
                                        {Py_tp_getset, distances_properties},
                                        {Py_sq_length, rows_length},
                                        {Py_tp_repr, represent_distances},
                                        {Py_tp_doc, "How far points are from a surface, a row for each."},
                                        {0, NULL}};

PyType_Spec point_distances_spec = {.name = "libgraze._graze.PointDistances",
                                    .basicsize = sizeof(rows_object),
                                    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION |
                                             Py_TPFLAGS_IMMUTABLETYPE,
                                    .slots = distances_slots};

// ---- The type MappedPoints

static PyObject *represent_mapped(PyObject *self)
{
    return PyUnicode_FromFormat("<libgraze.MappedPoints: %zd points>", rows_length(self));
}

static PyGetSetDef mapped_properties[] = {
    ROWS_COLUMN("along_normal", grz_mapped_point, along_normal, "?", bool, 1,
                "Whether the mesh was met from the point, against the normal; else the nearest point was taken."),
    ROWS_COLUMN("faces", grz_mapped_point, face, "I", uint32_t, 1, "The faces that have the points."),
    ROWS_COLUMN("features", grz_mapped_point, feature, "I", uint32_t, 2,
                "A vertex (v, NONE), an edge (v, w), or the inside of the face (NONE, NONE)."),
    ROWS_COLUMN("points", grz_mapped_point, point, "d", double, 3, "Points of the mesh, world coordinates."),
    ROWS_COLUMN("distances", grz_mapped_point, distance, "d", double, 1, "From the given points, world units."),
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot mapped_slots[] = {{Py_tp_dealloc, rows_dealloc},
                                     {Py_tp_getset, mapped_properties},
                                     {Py_sq_length, rows_length},
                                     {Py_tp_repr, represent_mapped},
                                     {Py_tp_doc, "Points of a proxy, back on the mesh, a row for each."},
                                     {0, NULL}};

PyType_Spec mapped_points_spec = {.name = "libgraze._graze.MappedPoints",
                                  .basicsize = sizeof(rows_object),
                                  .flags =
                                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
                                  .slots = mapped_slots};

PyMethodDef points_functions[] = {
    {"locate", (PyCFunction)(void (*)(void))call_locate, METH_VARARGS | METH_KEYWORDS,
     "locate($module, mesh, points, *, pose=None, inside_rule='even_odd', deadline=0.0)\n--\n\nWhere points are; see "
     "libgraze.locate."},
    {"nearest", (PyCFunction)(void (*)(void))call_nearest, METH_VARARGS | METH_KEYWORDS,
     "nearest($module, mesh, points, *, pose=None, locate=True, inside_rule='even_odd', deadline=0.0)\n--\n\nHow far "
     "points are from a surface; see libgraze.nearest."},
    {"fit_map_points", (PyCFunction)(void (*)(void))call_fit_map_points, METH_VARARGS | METH_KEYWORDS,
     "fit_map_points($module, mesh, points, normals=None, *, pose=None, deadline=0.0)\n--\n\nPoints of a proxy, back "
     "on "
     "the mesh; see libgraze.fit_map_points."},
    {NULL, NULL, 0, NULL}};
