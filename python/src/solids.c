// SPDX-License-Identifier: MIT
// Convex solids: hull(), is_convex(), fit(), convex_parts(), convex_cover().
#include "rows.h"

#include <math.h>
#include <stdlib.h>

typedef struct solid_question {
    mesh_object *mesh;
    grz_device *device;
    const double *points; // of hull(), if it is not of a mesh
    uint64_t point_count;
    grz_hull_options hull_options;
    grz_convex_parts_options parts_options;
    grz_convex_cover_options cover_options;
    grz_hull *hull;
    grz_convex_parts *parts;
    grz_convex_report convex;
    grz_fitted_shape sphere;
    grz_fitted_shape capsule;
    grz_fitted_shape box, oriented, cylinder, ellipsoid;
    volatile int cancel;
    grz_status status;
    grz_error error;
} solid_question;

// Let `ask` answer about a mesh. False: an exception is set.
static bool answer_question(module_state *state, PyObject *mesh, solid_question *q, void (*ask)(void *))
{
    if (!mesh_begin(state, mesh, "mesh", &q->mesh))
        return false;
    q->device = state->device;
    q->hull_options.limits.cancel = q->parts_options.limits.cancel = q->cover_options.limits.cancel = &q->cancel;
    const bool went = run_long(ask, q, &q->cancel, grz_mesh_face_count(q->mesh->mesh) <= 100);
    mesh_end(q->mesh);
    if (went && q->status != GRZ_OK)
        raise_error(state, &q->error);
    return went && q->status == GRZ_OK;
}

// ---- Hulls

static void ask_hull(void *of)
{
    solid_question *q = of;
    q->status = grz_hull_of_mesh(q->mesh->mesh, &q->hull_options, &q->hull, &q->error);
}

static void ask_hull_of_points(void *of)
{
    solid_question *q = of;
    q->status = grz_hull_of_points(q->device, q->points, q->point_count, &q->hull_options, &q->hull, &q->error);
}

// A hull as a Mesh.
static PyObject *mesh_of_hull(module_state *state, const grz_hull *hull)
{
    grz_mesh *made;
    grz_error error;
    const grz_status status = grz_hull_mesh(hull, &made, &error);
    return status == GRZ_OK ? mesh_from(state, made, GRZ_FLOAT64) : raise_error(state, &error);
}

static bool find_hull(module_state *state, PyObject *of, solid_question *q)
{
    numbers points;
    q->hull_options.limits.cancel = &q->cancel;
    if (PyObject_TypeCheck(of, state->mesh_type))
        return answer_question(state, of, q, ask_hull);
    if (!read_doubles(of, "points", false, &points))
        return false;
    q->device = state->device;
    q->points = points.data;
    q->point_count = (uint64_t)points.rows;
    const bool went = run_long(ask_hull_of_points, q, &q->cancel, points.rows <= 1000);
    numbers_finish(&points);
    if (went && q->status != GRZ_OK)
        raise_error(state, &q->error);
    return went && q->status == GRZ_OK;
}

static PyObject *call_hull(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"of", "deadline", NULL};
    PyObject *of, *made = NULL;
    module_state *state = state_of_module(module);
    solid_question q = {.hull_options = grz_default_hull_options()};
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O|$d:hull", keywords, &of, &q.hull_options.limits.deadline))
        return NULL;
    if (find_hull(state, of, &q))
        made = mesh_of_hull(state, q.hull);
    grz_hull_destroy(q.hull);
    return made;
}

static PyObject *call_hull_corners(PyObject *module, PyObject *of)
{
    module_state *state = state_of_module(module);
    solid_question q = {.hull_options = grz_default_hull_options()};
    PyObject *view = NULL;
    if (find_hull(state, of, &q)) {
        const Py_ssize_t shape[2] = {(Py_ssize_t)grz_hull_vertex_count(q.hull), 3}, strides[2] = {24, 8};
        PyObject *bytes = PyBytes_FromStringAndSize((const char *)grz_hull_vertices(q.hull), 24 * shape[0]);
        if (bytes != NULL)
            view = make_view(state, bytes, PyBytes_AsString(bytes), "d", 8, 2, shape, strides);
        Py_XDECREF(bytes);
    }
    grz_hull_destroy(q.hull);
    return view;
}

// ---- Is it convex?

static void ask_convex(void *of)
{
    solid_question *q = of;
    q->status = grz_mesh_is_convex(q->mesh->mesh, &q->convex, &q->error);
}

// The numbers that apply, as a tuple.
static PyObject *applicable(const uint32_t found[2])
{
    if (found[0] == UINT32_MAX)
        return PyTuple_New(0);
    return found[1] == UINT32_MAX ? Py_BuildValue("(I)", found[0]) : Py_BuildValue("(II)", found[0], found[1]);
}

static PyObject *call_is_convex(PyObject *module, PyObject *mesh)
{
    static const char *const faults[] = {"convex",     "degenerate", "open",    "nonmanifold", "unoriented",
                                         "inside_out", "reflex",     "several", "wound"};
    solid_question q = {.mesh = NULL};
    if (!answer_question(state_of_module(module), mesh, &q, ask_convex))
        return NULL;
    return Py_BuildValue("{sOsssssNsN}", "convex", q.convex.fault == GRZ_CONVEX ? Py_True : Py_False, "fault",
                         faults[q.convex.fault], "message", q.convex.message, "edge", applicable(q.convex.vertices),
                         "faces", applicable(q.convex.faces));
}

// ---- Fitted shapes

static void ask_fit(void *of)
{
    solid_question *q = of;
    const double start = seconds_now();
    grz_hull_options options = q->hull_options;
    q->status = grz_hull_of_mesh(q->mesh->mesh, &options, &q->hull, &q->error);
    options.limits.deadline = time_left(q->hull_options.limits.deadline, start);
    if (q->status == GRZ_OK)
        q->status = grz_fit_sphere(q->hull, &options, &q->sphere, &q->error);
    options.limits.deadline = time_left(q->hull_options.limits.deadline, start);
    if (q->status == GRZ_OK)
        q->status = grz_fit_capsule(q->hull, &options, &q->capsule, &q->error);
    options.limits.deadline = time_left(q->hull_options.limits.deadline, start);
    if (q->status == GRZ_OK)
        q->status = grz_fit_box(q->hull, &options, &q->box, &q->error);
    options.limits.deadline = time_left(q->hull_options.limits.deadline, start);
    if (q->status == GRZ_OK)
        q->status = grz_fit_oriented_box(q->hull, &options, &q->oriented, &q->error);
    options.limits.deadline = time_left(q->hull_options.limits.deadline, start);
    if (q->status == GRZ_OK)
        q->status = grz_fit_cylinder(q->hull, &options, &q->cylinder, &q->error);
    options.limits.deadline = time_left(q->hull_options.limits.deadline, start);
    if (q->status == GRZ_OK)
        q->status = grz_fit_ellipsoid(q->hull, &options, &q->ellipsoid, &q->error);
    name_deadline(q->hull_options.limits.deadline, q->status, &q->error);
}

// What has axes and halves: a box, a cylinder or an ellipsoid.
static PyObject *axes_answer(const grz_fitted_shape *b)
{
    const double(*m)[4] = b->shape.pose.m, *half = b->shape.half; // columns: three axes and the centre
    return Py_BuildValue("((ddd)((ddd)(ddd)(ddd))(ddd)d)", m[0][3], m[1][3], m[2][3], m[0][0], m[1][0], m[2][0],
                         m[0][1], m[1][1], m[2][1], m[0][2], m[1][2], m[2][2], half[0], half[1], half[2], b->ratio);
}

static PyObject *call_fit(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"mesh", "deadline", NULL};
    PyObject *mesh, *made = NULL;
    solid_question q = {.hull_options = grz_default_hull_options()};
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O|$d:fit", keywords, &mesh, &q.hull_options.limits.deadline))
        return NULL;
    if (answer_question(state_of_module(module), mesh, &q, ask_fit)) {
        const double *centre = q.sphere.shape.corners[0], *p = q.capsule.shape.corners[0],
                     *r = q.capsule.shape.corners[1];
        made = Py_BuildValue(
            "{s((ddd)ddds)s((ddd)(ddd)dd)sNsNsNsN}", "sphere", centre[0], centre[1], centre[2], q.sphere.shape.radius,
            q.sphere.radius_lower, q.sphere.ratio, certainty_name(q.sphere.certainty), "capsule", p[0], p[1], p[2],
            r[0], r[1], r[2], q.capsule.shape.radius, q.capsule.ratio, "box", axes_answer(&q.box), "oriented",
            axes_answer(&q.oriented), "cylinder", axes_answer(&q.cylinder), "ellipsoid", axes_answer(&q.ellipsoid));
    }
    grz_hull_destroy(q.hull);
    return made;
}

// ---- Convex parts

static void ask_parts(void *of)
{
    solid_question *q = of;
    q->status = grz_convex_parts_of_mesh(q->mesh->mesh, &q->parts_options, &q->parts, &q->error);
}

static void ask_cover(void *of)
{
    solid_question *q = of;
    q->status = grz_convex_cover_of_mesh(q->mesh->mesh, &q->cover_options, &q->parts, &q->error);
}

// The parts as ([(mesh, lower, upper, certainty), …], rounding); destroys them.
static PyObject *parts_answer(module_state *state, grz_convex_parts *parts)
{
    PyObject *list = PyList_New(0);
    for (uint32_t i = 0; list != NULL && i < grz_convex_parts_count(parts); i++) {
        double lower = 0.0, upper = 0.0;
        grz_convex_part_error(parts, i, &lower, &upper);
        PyObject *mesh = mesh_of_hull(state, grz_convex_part_hull(parts, i));
        PyObject *part = mesh != NULL ? Py_BuildValue("(Ndds)", mesh, lower, upper,
                                                      certainty_name(grz_certainty_of_bounds(lower, upper)))
                                      : NULL;
        if (part == NULL || PyList_Append(list, part) != 0)
            Py_CLEAR(list);
        Py_XDECREF(part);
    }
    PyObject *answer = list != NULL ? Py_BuildValue("(Nd)", list, grz_convex_parts_rounding(parts)) : NULL;
    grz_convex_parts_destroy(parts);
    return answer;
}

// Read how many parts there may be. False: an exception is set.
static bool read_max_parts(long long max_parts, uint32_t *to)
{
    if (max_parts < 1 || max_parts > (long long)UINT32_MAX) {
        PyErr_Format(PyExc_ValueError, "max_parts: %lld, must be 1 or more", max_parts);
        return false;
    }
    *to = (uint32_t)max_parts;
    return true;
}

static PyObject *call_convex_parts(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"mesh", "max_parts", "deadline", NULL};
    PyObject *mesh;
    module_state *state = state_of_module(module);
    solid_question q = {.parts_options = grz_default_convex_parts_options()};
    long long max_parts = q.parts_options.max_parts;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O|$Ld:convex_parts", keywords, &mesh, &max_parts,
                                     &q.parts_options.limits.deadline) ||
        !read_max_parts(max_parts, &q.parts_options.max_parts) || !answer_question(state, mesh, &q, ask_parts)) {
        grz_convex_parts_destroy(q.parts);
        return NULL;
    }
    return parts_answer(state, q.parts);
}

static PyObject *call_convex_cover(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"mesh", "error", "max_parts", "deadline", NULL};
    PyObject *mesh;
    module_state *state = state_of_module(module);
    solid_question q = {.cover_options = grz_default_convex_cover_options()};
    long long max_parts = q.cover_options.max_parts;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O|$dLd:convex_cover", keywords, &mesh, &q.cover_options.error,
                                     &max_parts, &q.cover_options.limits.deadline) ||
        !read_max_parts(max_parts, &q.cover_options.max_parts) || !answer_question(state, mesh, &q, ask_cover)) {
        grz_convex_parts_destroy(q.parts);
        return NULL;
    }
    return parts_answer(state, q.parts);
}

PyMethodDef solids_functions[] = {
    {"hull", (PyCFunction)(void (*)(void))call_hull, METH_VARARGS | METH_KEYWORDS,
     "hull($module, of, *, deadline=0.0)\n--\n\nThe convex hull of points or a mesh, as a Mesh; see libgraze.hull."},
    {"_hull_corners", call_hull_corners, METH_O, "The corners of the convex hull of points or a mesh."},
    {"is_convex", call_is_convex, METH_O,
     "is_convex($module, mesh, /)\n--\n\nWhether a mesh is convex; see libgraze.is_convex."},
    {"fit", (PyCFunction)(void (*)(void))call_fit, METH_VARARGS | METH_KEYWORDS,
     "fit($module, mesh, *, deadline=0.0)\n--\n\nSimple shapes around a mesh; see libgraze.fit."},
    {"convex_parts", (PyCFunction)(void (*)(void))call_convex_parts, METH_VARARGS | METH_KEYWORDS,
     "convex_parts($module, mesh, *, max_parts=10000, deadline=0.0)\n--\n\nA solid as convex parts; see "
     "libgraze.convex_parts."},
    {"convex_cover", (PyCFunction)(void (*)(void))call_convex_cover, METH_VARARGS | METH_KEYWORDS,
     "convex_cover($module, mesh, *, error=0.0, max_parts=64, deadline=0.0)\n--\n\nFew convex parts that cover a "
     "solid; see "
     "libgraze.convex_cover."},
    {NULL, NULL, 0, NULL}};
