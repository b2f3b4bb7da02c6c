// SPDX-License-Identifier: MIT
// Shapes: compare() and faces_touched(), shape_manifold(), compare_many(); and the type ShapeAnswers.
#include "rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const relations[] = {"undecided", "apart", "touching", "penetrating"};
static const char *const locations[] = {"outside", "inside", "on_surface", "unknown"};

enum {
    MOST_NUMBERS = 9
};

// How a libgraze.Shape is made of its numbers.
typedef struct kind_row {
    const char *name;
    grz_shape_kind kind;
    int points, sizes; // its numbers: points, three each, then sizes; 0, 0: a hull
} kind_row;

static const kind_row kinds[] = {{"point", GRZ_SHAPE_POINT, 1, 0},         {"segment", GRZ_SHAPE_SEGMENT, 2, 0},
                                 {"triangle", GRZ_SHAPE_TRIANGLE, 3, 0},   {"ray", GRZ_SHAPE_RAY, 2, 0},
                                 {"line", GRZ_SHAPE_LINE, 2, 0},           {"box", GRZ_SHAPE_BOX, 1, 3},
                                 {"cylinder", GRZ_SHAPE_CYLINDER, 1, 2},   {"cone", GRZ_SHAPE_CONE, 1, 2},
                                 {"ellipsoid", GRZ_SHAPE_ELLIPSOID, 1, 3}, {"hull", GRZ_SHAPE_HULL, 0, 0}};

// A shape, and the points of a hull. Release it with held_finish().
typedef struct held_shape {
    grz_shape shape;
    numbers points;
} held_shape;

static void held_finish(held_shape *held)
{
    numbers_finish(&held->points);
}

static grz_shape make_shape(const kind_row *kind, const double *n)
{
    switch (kind->kind) {
    case GRZ_SHAPE_POINT:
        return grz_shape_point(n);
    case GRZ_SHAPE_SEGMENT:
        return grz_shape_segment(n, n + 3);
    case GRZ_SHAPE_TRIANGLE:
        return grz_shape_triangle(n, n + 3, n + 6);
    case GRZ_SHAPE_RAY:
        return grz_shape_ray(n, n + 3);
    case GRZ_SHAPE_LINE:
        return grz_shape_line(n, n + 3);
    case GRZ_SHAPE_BOX:
        return grz_shape_box(n, n + 3);
    case GRZ_SHAPE_CYLINDER:
        return grz_shape_cylinder(n, n[3], n[4]);
    case GRZ_SHAPE_CONE:
        return grz_shape_cone(n, n[3], n[4]);
    default:
        return grz_shape_ellipsoid(n, n + 3);
    }
}

static const kind_row *find_kind(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    PyErr_Format(PyExc_ValueError, "shape: there is no kind \"%s\"", name);
    return NULL;
}

// Read what the attribute `parts` of a libgraze.Shape holds: kind, numbers, radius, pose, points. False: an exception
// is set, and nothing is held.
static bool read_shape(PyObject *from, const char *name, held_shape *held)
{
    double n[MOST_NUMBERS];
    const char *kind_name;
    PyObject *values, *pose, *points;
    double radius;
    grz_pose at;
    *held = (held_shape){.points = {.data = NULL}};
    PyObject *parts = PyObject_GetAttrString(from, "parts");
    if (parts == NULL) {
        PyErr_Format(PyExc_TypeError, "%s: must be a libgraze.Shape", name);
        return false;
    }
    const kind_row *kind = NULL;
    bool ok = PyTuple_Check(parts) &&
              PyArg_ParseTuple(parts, "sOdOO", &kind_name, &values, &radius, &pose, &points) != 0 &&
              (kind = find_kind(kind_name)) != NULL && read_pose(pose, "pose", &at);
    if (ok && kind->kind == GRZ_SHAPE_HULL) {
        ok = read_doubles(points, "points", false, &held->points);
        if (ok)
            held->shape = grz_shape_hull(held->points.data, (uint64_t)held->points.rows);
    } else if (ok) {
        ok = read_flat(values, "numbers", n, MOST_NUMBERS) == 3 * kind->points + kind->sizes;
        if (ok)
            held->shape = make_shape(kind, n);
    }
    if (ok) {
        held->shape.pose = grz_pose_product(at, held->shape.pose);
        held->shape.radius = radius;
    } else if (PyErr_Occurred() == NULL) {
        PyErr_Format(PyExc_TypeError, "%s: must be a libgraze.Shape", name);
    }
    Py_DECREF(parts);
    return ok;
}

// ---- Two shapes

static PyObject *vector_or_none(const double v[3], bool is_there)
{
    return is_there ? Py_BuildValue("(ddd)", v[0], v[1], v[2]) : Py_NewRef(Py_None);
}

static PyObject *pair_answer(const grz_shape_answer *s)
{
    const bool known = s->relation != GRZ_SHAPES_UNDECIDED;
    return Py_BuildValue("{sssssdsdsdsNsNsdsdsdsN}", "relation", relations[s->relation], "certainty",
                         certainty_name(s->certainty), "distance", s->distance, "lower", s->lower, "upper", s->upper,
                         "point_a", vector_or_none(s->point_a, known), "point_b", vector_or_none(s->point_b, known),
                         "depth", s->depth, "depth_lower", s->depth_lower, "depth_upper", s->depth_upper, "direction",
                         vector_or_none(s->direction, true));
}

static PyObject *call_compare(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"a", "b", "exact_distance", "depth", "deadline", NULL};
    PyObject *a, *b;
    int is_exact = 0, has_depth = 1;
    module_state *state = state_of_module(module);
    grz_shape_options options = grz_default_shape_options();
    held_shape shapes[2];
    grz_shape_answer answer;
    grz_error error;
    grz_status status;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OO|$ppd:compare", keywords, &a, &b, &is_exact, &has_depth,
                                     &options.limits.deadline) ||
        !read_shape(a, "a", &shapes[0]))
        return NULL;
    if (!read_shape(b, "b", &shapes[1])) {
        held_finish(&shapes[0]);
        return NULL;
    }
    options.exact_distance = is_exact != 0;
    options.depth = has_depth != 0;
    Py_BEGIN_ALLOW_THREADS
    status = grz_shapes_compare(state->device, &shapes[0].shape, &shapes[1].shape, &options, &answer, &error);
    Py_END_ALLOW_THREADS
    held_finish(&shapes[0]);
    held_finish(&shapes[1]);
    return status == GRZ_OK ? pair_answer(&answer) : raise_error(state, &error);
}

static PyObject *corners_of(grz_feature feature)
{
    if (feature.vertex[0] == GRZ_NO_VERTEX)
        return PyTuple_New(0);
    if (feature.vertex[1] == GRZ_NO_VERTEX)
        return Py_BuildValue("(I)", feature.vertex[0]);
    return Py_BuildValue("(II)", feature.vertex[0], feature.vertex[1]);
}

static PyObject *manifold_points(const grz_shape_manifold *manifold)
{
    PyObject *list = PyList_New(0);
    for (uint32_t i = 0; list != NULL && i < manifold->count; i++) {
        const grz_shape_manifold_point *p = &manifold->points[i];
        PyObject *row = Py_BuildValue("(NNdNN)", vector_or_none(p->point_a, true), vector_or_none(p->point_b, true),
                                      p->depth, corners_of(p->feature_a), corners_of(p->feature_b));
        if (row == NULL || PyList_Append(list, row) != 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

static PyObject *call_shape_manifold(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"a", "b", "face_angle", NULL};
    PyObject *a, *b;
    module_state *state = state_of_module(module);
    grz_shape_options options = grz_default_shape_options();
    held_shape shapes[2];
    grz_shape_manifold manifold;
    grz_error error;
    grz_status status;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OO|$d:shape_manifold", keywords, &a, &b, &options.face_angle) ||
        !read_shape(a, "a", &shapes[0]))
        return NULL;
    if (!read_shape(b, "b", &shapes[1])) {
        held_finish(&shapes[0]);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    status = grz_shapes_manifold(state->device, &shapes[0].shape, &shapes[1].shape, &options, &manifold, &error);
    Py_END_ALLOW_THREADS
    held_finish(&shapes[0]);
    held_finish(&shapes[1]);
    return status == GRZ_OK ? Py_BuildValue("(NN)", pair_answer(&manifold.answer), manifold_points(&manifold))
                            : raise_error(state, &error);
}

// ---- Many pairs

typedef struct many_question {
    grz_device *device;
    held_shape *held;
    grz_shape *shapes;
    Py_ssize_t shape_count;
    numbers pairs;
    grz_shape_options options;
    grz_shape_answer *answers;
    volatile int cancel;
    grz_status status;
    grz_error error;
} many_question;

static void ask_many(void *of)
{
    many_question *q = of;
    q->status = grz_shapes_compare_many(q->device, q->shapes, (uint64_t)q->shape_count, q->pairs.data,
                                        (uint64_t)q->pairs.rows, &q->options, q->answers, &q->error);
}

// Read the shapes of a sequence. False: an exception is set.
static bool read_shapes(PyObject *from, many_question *q)
{
    const Py_ssize_t count = PySequence_Check(from) ? PySequence_Size(from) : -1;
    if (count < 0) {
        if (PyErr_Occurred() == NULL)
            PyErr_SetString(PyExc_TypeError, "shapes: must be a sequence of libgraze.Shape");
        return false;
    }
    q->held = calloc((size_t)count + 1, sizeof *q->held);
    q->shapes = calloc((size_t)count + 1, sizeof *q->shapes);
    if (q->held == NULL || q->shapes == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        char name[48];
        PyOS_snprintf(name, sizeof name, "shapes[%lld]", (long long)i);
        PyObject *item = PySequence_GetItem(from, i);
        const bool ok = item != NULL && read_shape(item, name, &q->held[i]);
        Py_XDECREF(item);
        if (!ok)
            return false;
        q->shapes[i] = q->held[i].shape;
        q->shape_count = i + 1;
    }
    return true;
}

static PyObject *call_compare_many(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"shapes", "pairs", "exact_distance", "depth", "deadline", NULL};
    PyObject *shapes, *pairs;
    int is_exact = 0, has_depth = 1;
    module_state *state = state_of_module(module);
    many_question q = {.device = state->device, .options = grz_default_shape_options()};
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OO|$ppd:compare_many", keywords, &shapes, &pairs, &is_exact,
                                     &has_depth, &q.options.limits.deadline))
        return NULL;
    q.options.exact_distance = is_exact != 0;
    q.options.depth = has_depth != 0;
    q.options.limits.cancel = &q.cancel;
    bool ok = read_shapes(shapes, &q) && read_pairs(pairs, "pairs", &q.pairs);
    if (ok) {
        q.answers = malloc((size_t)q.pairs.rows * sizeof *q.answers + 1);
        ok = q.answers != NULL;
        if (!ok)
            PyErr_NoMemory();
    }
    ok = ok && run_long(ask_many, &q, &q.cancel, q.pairs.rows <= 1000);
    if (ok && q.status != GRZ_OK) {
        raise_error(state, &q.error);
        ok = false;
    }
    for (Py_ssize_t i = 0; i < q.shape_count; i++)
        held_finish(&q.held[i]);
    const Py_ssize_t count = q.pairs.rows;
    free(q.held);
    free(q.shapes);
    numbers_finish(&q.pairs);
    if (ok)
        return make_rows(state, SHAPE_ANSWERS, q.answers, NULL, count);
    free(q.answers);
    return NULL;
}

// ---- A shape and a mesh

typedef struct mesh_question {
    grz_device *device;
    held_shape held;
    mesh_object *mesh;
    grz_object object;
    grz_shape_options options;
    grz_shape_object_answer answer;
    uint32_t *faces; // found; malloc's
    uint64_t face_count;
    volatile int cancel;
    grz_status status;
    grz_error error;
} mesh_question;

static void ask_mesh(void *of)
{
    mesh_question *q = of;
    q->status = grz_shape_compare_object(q->device, &q->held.shape, &q->object, &q->options, &q->answer, &q->error);
}

static void ask_faces(void *of)
{
    mesh_question *q = of;
    const grz_shape *shape = &q->held.shape;
    q->status = grz_shape_faces(q->device, shape, &q->object, &q->options, NULL, 0, &q->face_count, &q->error);
    if (q->status != GRZ_OK)
        return;
    q->faces = malloc((size_t)q->face_count * sizeof *q->faces + 1);
    if (q->faces == NULL) {
        q->status = GRZ_ERROR_MEMORY;
        q->error = (grz_error){.code = GRZ_ERROR_MEMORY, .element = GRZ_NO_ELEMENT, .message = "faces: out of memory"};
        return;
    }
    q->status =
        grz_shape_faces(q->device, shape, &q->object, &q->options, q->faces, q->face_count, &q->face_count, &q->error);
}

// Read the arguments of both, and let `ask` answer. False: an exception is set.
static bool answer_about_mesh(module_state *state, PyObject *shape, PyObject *mesh, PyObject *pose, mesh_question *q,
                              void (*ask)(void *))
{
    grz_pose at;
    if (!read_pose(pose, "pose", &at) || !read_shape(shape, "shape", &q->held))
        return false;
    if (!mesh_begin(state, mesh, "mesh", &q->mesh)) {
        held_finish(&q->held);
        return false;
    }
    q->object = grz_object_at(q->mesh->mesh, at);
    q->options.limits.cancel = &q->cancel;
    const bool went = run_long(ask, q, &q->cancel, grz_mesh_face_count(q->mesh->mesh) <= 1000);
    mesh_end(q->mesh);
    held_finish(&q->held);
    if (went && q->status != GRZ_OK)
        raise_error(state, &q->error);
    return went && q->status == GRZ_OK;
}

static PyObject *call_compare_mesh(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"shape", "mesh", "pose", "exact_distance", "deadline", NULL};
    PyObject *shape, *mesh, *pose = NULL;
    int is_exact = 0;
    module_state *state = state_of_module(module);
    mesh_question q = {.device = state->device, .options = grz_default_shape_options()};
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OO|$Opd:compare_mesh", keywords, &shape, &mesh, &pose,
                                     &is_exact, &q.options.limits.deadline))
        return NULL;
    q.options.exact_distance = is_exact != 0;
    if (!answer_about_mesh(state, shape, mesh, pose, &q, ask_mesh))
        return NULL;
    const grz_shape_object_answer *s = &q.answer;
    const bool has_face = s->face != GRZ_NO_FACE;
    PyObject *face = has_face ? PyLong_FromUnsignedLong(s->face) : Py_NewRef(Py_None);
    return Py_BuildValue("{sssssssdsdsdsNsNsN}", "relation", relations[s->relation], "location", locations[s->location],
                         "certainty", certainty_name(s->certainty), "distance", s->distance, "lower", s->lower, "upper",
                         s->upper, "face", face, "point_shape", vector_or_none(s->point_shape, has_face), "point_mesh",
                         vector_or_none(s->point_mesh, has_face));
}

static PyObject *call_faces_touched(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"shape", "mesh", "pose", "deadline", NULL};
    PyObject *shape, *mesh, *pose = NULL, *bytes = NULL;
    module_state *state = state_of_module(module);
    mesh_question q = {.device = state->device, .options = grz_default_shape_options()};
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OO|$Od:faces_touched", keywords, &shape, &mesh, &pose,
                                     &q.options.limits.deadline))
        return NULL;
    if (answer_about_mesh(state, shape, mesh, pose, &q, ask_faces))
        bytes = PyBytes_FromStringAndSize((const char *)q.faces, (Py_ssize_t)(q.face_count * sizeof *q.faces));
    free(q.faces);
    return bytes != NULL ? view_of_bytes(state, bytes, "I", 4, (Py_ssize_t)q.face_count) : NULL;
}

// ---- The type ShapeAnswers

static PyObject *represent(PyObject *self)
{
    return PyUnicode_FromFormat("<libgraze.ShapeAnswers: %zd pairs>", rows_length(self));
}

static PyGetSetDef properties[] = {
    ROWS_COLUMN("relations", grz_shape_answer, relation, "I", grz_shape_relation, 1,
                "0: undecided, 1: apart, 2: touching, 3: penetrating."),
    ROWS_COLUMN("certainties", grz_shape_answer, certainty, "I", grz_certainty, 1,
                "Of the distance or the depth; 0: exact, 2: undecided, 3: enclosed."),
    ROWS_COLUMN("distances", grz_shape_answer, distance, "d", double, 1, "World units; 0 unless they are apart."),
    ROWS_COLUMN("lower", grz_shape_answer, lower, "d", double, 1, "lower <= exact distance <= upper."),
    ROWS_COLUMN("upper", grz_shape_answer, upper, "d", double, 1, "lower <= exact distance <= upper."),
    ROWS_COLUMN("points_a", grz_shape_answer, point_a, "d", double, 3,
                "Nearly the nearest point of A, or the one that parts last; rounded."),
    ROWS_COLUMN("points_b", grz_shape_answer, point_b, "d", double, 3, "The same of B."),
    ROWS_COLUMN("depths", grz_shape_answer, depth, "d", double, 1,
                "How far A must move; 0 unless they penetrate each other."),
    ROWS_COLUMN("depth_lower", grz_shape_answer, depth_lower, "d", double, 1, "depth_lower <= exact <= depth_upper."),
    ROWS_COLUMN("depth_upper", grz_shape_answer, depth_upper, "d", double, 1, "Moved so far, A is certainly free."),
    ROWS_COLUMN("directions", grz_shape_answer, direction, "d", double, 3,
                "Of length 1. Apart: from A to B. Penetrating: where to move A. Else zeros."),
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_dealloc, rows_dealloc},
                              {Py_tp_getset, properties},
                              {Py_sq_length, rows_length},
                              {Py_tp_repr, represent},
                              {Py_tp_doc, "How the shapes of many pairs lie to each other, a row for each pair."},
                              {0, NULL}};

PyType_Spec shape_answers_spec = {.name = "libgraze._graze.ShapeAnswers",
                                  .basicsize = sizeof(rows_object),
                                  .flags =
                                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
                                  .slots = slots};

PyMethodDef shapes_functions[] = {
    {"compare", (PyCFunction)(void (*)(void))call_compare, METH_VARARGS | METH_KEYWORDS,
     "compare($module, a, b, *, exact_distance=False, depth=True, deadline=0.0)\n--\n\nTwo shapes; see "
     "libgraze.compare."},
    {"shape_manifold", (PyCFunction)(void (*)(void))call_shape_manifold, METH_VARARGS | METH_KEYWORDS,
     "shape_manifold($module, a, b, *, face_angle=0.1)\n--\n\nSee libgraze.shape_manifold."},
    {"compare_many", (PyCFunction)(void (*)(void))call_compare_many, METH_VARARGS | METH_KEYWORDS,
     "compare_many($module, shapes, pairs, *, exact_distance=False, depth=True, deadline=0.0)\n--\n\nMany pairs of "
     "shapes; see libgraze.compare_many."},
    {"compare_mesh", (PyCFunction)(void (*)(void))call_compare_mesh, METH_VARARGS | METH_KEYWORDS,
     "compare_mesh($module, shape, mesh, *, pose=None, exact_distance=False, deadline=0.0)\n--\n\nA shape and a mesh; "
     "see libgraze.compare."},
    {"faces_touched", (PyCFunction)(void (*)(void))call_faces_touched, METH_VARARGS | METH_KEYWORDS,
     "faces_touched($module, shape, mesh, *, pose=None, deadline=0.0)\n--\n\nThe faces that a shape touches; see "
     "libgraze.faces_touched."},
    {NULL, NULL, 0, NULL}};
