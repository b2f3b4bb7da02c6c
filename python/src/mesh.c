// SPDX-License-Identifier: MIT
// The type Mesh.
#include "graze_python.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <structmember.h>

bool mesh_begin(module_state *state, PyObject *from, const char *name, mesh_object **mesh)
{
    if (!PyObject_TypeCheck(from, state->mesh_type)) {
        PyErr_Format(PyExc_TypeError, "%s: must be a libgraze.Mesh", name);
        return false;
    }
    *mesh = (mesh_object *)from;
    int users = atomic_load(&(*mesh)->users);
    while (users >= 0)
        if (atomic_compare_exchange_weak(&(*mesh)->users, &users, users + 1))
            return true;
    PyErr_Format(PyExc_RuntimeError, "%s: another thread is changing this mesh's positions", name);
    return false;
}

void mesh_end(mesh_object *mesh)
{
    atomic_fetch_sub(&mesh->users, 1);
}

PyObject *mesh_from(module_state *state, grz_mesh *made, grz_scalar position_type)
{
    allocfunc allocate = (allocfunc)PyType_GetSlot(state->mesh_type, Py_tp_alloc);
    mesh_object *self = (mesh_object *)allocate(state->mesh_type, 0);
    if (self == NULL) {
        grz_mesh_destroy(made);
        return NULL;
    }
    self->mesh = made;
    self->position_type = position_type;
    atomic_init(&self->users, 0);
    return (PyObject *)self;
}

static PyObject *mesh_new(PyTypeObject *type, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"vertices", "faces", NULL};
    PyObject *vertices, *faces = Py_None;
    module_state *state = PyType_GetModuleState(type);
    if (state == NULL || !PyArg_ParseTupleAndKeywords(arguments, names, "O|O:Mesh", keywords, &vertices, &faces))
        return NULL;
    numbers points, corners = {.data = NULL};
    if (!read_points(vertices, "vertices", &points))
        return NULL;
    if (faces != Py_None && !read_faces(faces, "faces", &corners)) {
        numbers_finish(&points);
        return NULL;
    }
    if (faces == Py_None && points.rows % 3 != 0) {
        PyErr_Format(PyExc_ValueError, "vertices: %zd rows; without faces each three are a triangle", points.rows);
        numbers_finish(&points);
        return NULL;
    }
    grz_mesh_description description = grz_default_mesh_description();
    grz_error error;
    grz_mesh *made = NULL;
    grz_status status;
    description.positions = points.data;
    description.position_type = points.is_float32 ? GRZ_FLOAT32 : GRZ_FLOAT64;
    description.vertex_count = (uint64_t)points.rows;
    description.indices = corners.data;
    description.index_count = 3 * (uint64_t)corners.rows;
    description.face_count = faces != Py_None ? (uint64_t)corners.rows : (uint64_t)points.rows / 3;
    Py_BEGIN_ALLOW_THREADS
    status = grz_mesh_create(state->device, &description, &made, &error);
    Py_END_ALLOW_THREADS
    numbers_finish(&points);
    numbers_finish(&corners);
    return status == GRZ_OK ? mesh_from(state, made, description.position_type) : raise_error(state, &error);
}

static void mesh_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    PyObject_ClearWeakRefs(object);
    grz_mesh_destroy(((mesh_object *)object)->mesh);
    release(object);
    Py_DECREF(type);
}

static PyObject *vertex_count(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromUnsignedLongLong(grz_mesh_vertex_count(((mesh_object *)self)->mesh));
}

static PyObject *face_count(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromUnsignedLongLong(grz_mesh_face_count(((mesh_object *)self)->mesh));
}

static PyObject *is_closed(PyObject *self, void *closure)
{
    (void)closure;
    mesh_object *mesh;
    module_state *state = state_of(self);
    grz_error error;
    grz_status status;
    bool closed = false;
    if (!mesh_begin(state, self, "mesh", &mesh))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = grz_mesh_is_closed(mesh->mesh, &closed, &error);
    Py_END_ALLOW_THREADS
    mesh_end(mesh);
    return status == GRZ_OK ? PyBool_FromLong(closed) : raise_error(state, &error);
}

static PyObject *inside_rule(PyObject *self, void *closure)
{
    (void)closure;
    mesh_object *mesh;
    module_state *state = state_of(self);
    grz_error error;
    grz_status status;
    grz_inside_rule rule;
    if (!mesh_begin(state, self, "mesh", &mesh))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = grz_mesh_inside_rule(mesh->mesh, &rule, &error);
    Py_END_ALLOW_THREADS
    mesh_end(mesh);
    return status == GRZ_OK ? PyUnicode_FromString(rule == GRZ_NONZERO ? "nonzero" : "even_odd")
                            : raise_error(state, &error);
}

static PyObject *is_balanced(PyObject *self, void *closure)
{
    (void)closure;
    mesh_object *mesh;
    module_state *state = state_of(self);
    grz_error error;
    grz_status status;
    grz_mesh_report report;
    if (!mesh_begin(state, self, "mesh", &mesh))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = grz_mesh_check(mesh->mesh, &report, &error);
    Py_END_ALLOW_THREADS
    mesh_end(mesh);
    return status == GRZ_OK ? PyBool_FromLong(report.balanced) : raise_error(state, &error);
}

// Give positions the mesh's type, if that loses nothing: float32 always become doubles. False: an exception is set.
static bool convert(numbers *points, grz_scalar type)
{
    const Py_ssize_t count = 3 * points->rows;
    if (points->is_float32 == (type == GRZ_FLOAT32))
        return true;
    void *made = malloc((size_t)count * sizeof(double) + 1);
    bool same = true;
    for (Py_ssize_t i = 0; made != NULL && i < count; i++) {
        if (points->is_float32) {
            ((double *)made)[i] = (double)((const float *)points->data)[i];
            continue;
        }
        const double x = ((const double *)points->data)[i];
        const float rounded = fabs(x) <= (double)FLT_MAX ? (float)x : 0.0F;
        ((float *)made)[i] = rounded;
        same = same && (double)rounded == x;
    }
    if (made == NULL)
        PyErr_NoMemory();
    else if (!same)
        PyErr_SetString(PyExc_TypeError,
                        "positions: must be float32, as when the mesh was made; these would be rounded");
    if (made == NULL || !same) {
        free(made);
        return false;
    }
    free(points->data);
    points->data = made;
    points->is_float32 = type == GRZ_FLOAT32;
    return true;
}

// New positions for all vertices. -1: an exception is set.
static int set_positions(PyObject *self, PyObject *given, void *closure)
{
    (void)closure;
    mesh_object *mesh = (mesh_object *)self;
    module_state *state = state_of(self);
    numbers points;
    grz_error error;
    grz_status status;
    int free_mesh = 0;
    if (given == NULL) {
        PyErr_SetString(PyExc_AttributeError, "positions: cannot be deleted");
        return -1;
    }
    if (!read_points(given, "positions", &points))
        return -1;
    if ((uint64_t)points.rows != grz_mesh_vertex_count(mesh->mesh))
        PyErr_Format(PyExc_ValueError, "positions: %zd rows, the mesh has %llu vertices", points.rows,
                     (unsigned long long)grz_mesh_vertex_count(mesh->mesh));
    else if (convert(&points, mesh->position_type) && !atomic_compare_exchange_strong(&mesh->users, &free_mesh, -1))
        PyErr_SetString(PyExc_RuntimeError, "positions: another thread is using this mesh");
    if (PyErr_Occurred() != NULL) {
        numbers_finish(&points);
        return -1;
    }
    Py_BEGIN_ALLOW_THREADS
    status = grz_mesh_set_positions(mesh->mesh, points.data, &error);
    Py_END_ALLOW_THREADS
    atomic_store(&mesh->users, 0);
    numbers_finish(&points);
    if (status != GRZ_OK)
        raise_error(state, &error);
    return status == GRZ_OK ? 0 : -1;
}

static PyObject *get_positions(PyObject *self, void *closure)
{
    (void)closure;
    const grz_mesh *mesh = ((mesh_object *)self)->mesh;
    const Py_ssize_t shape[2] = {(Py_ssize_t)grz_mesh_vertex_count(mesh), 3}, strides[2] = {24, 8};
    return make_view(state_of(self), self, grz_mesh_positions(mesh), "d", 8, 2, shape, strides);
}

static PyObject *get_triangles(PyObject *self, void *closure)
{
    (void)closure;
    const grz_mesh *mesh = ((mesh_object *)self)->mesh;
    const Py_ssize_t shape[2] = {(Py_ssize_t)grz_mesh_triangle_count(mesh), 3}, strides[2] = {12, 4};
    return make_view(state_of(self), self, grz_mesh_triangles(mesh), "I", 4, 2, shape, strides);
}

static PyObject *get_triangle_faces(PyObject *self, void *closure)
{
    (void)closure;
    const grz_mesh *mesh = ((mesh_object *)self)->mesh;
    const Py_ssize_t shape = (Py_ssize_t)grz_mesh_triangle_count(mesh), stride = 4;
    if (grz_mesh_triangle_faces(mesh) == NULL)
        Py_RETURN_NONE;
    return make_view(state_of(self), self, grz_mesh_triangle_faces(mesh), "I", 4, 1, &shape, &stride);
}

// For pickle and copy: the function that makes the mesh again, and its arguments: positions in their own type, the
// corners of all faces, and how many each has (None: three each). It is made as if from its present positions.
static PyObject *mesh_reduce(PyObject *self, PyObject *unused)
{
    (void)unused;
    mesh_object *mesh;
    module_state *state = state_of(self);
    if (!mesh_begin(state, self, "mesh", &mesh))
        return NULL;
    const uint64_t values = 3 * grz_mesh_vertex_count(mesh->mesh), faces = grz_mesh_face_count(mesh->mesh);
    const double *positions = grz_mesh_positions(mesh->mesh);
    const bool polygons = grz_mesh_triangle_faces(mesh->mesh) != NULL, is_float32 = mesh->position_type == GRZ_FLOAT32;
    uint64_t corner_total = 0;
    uint32_t count;
    for (uint64_t i = 0; i < faces; i++, corner_total += count)
        (void)grz_mesh_face(mesh->mesh, i, &count);
    PyObject *points = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(values * (is_float32 ? 4 : 8)));
    PyObject *corners = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(corner_total * 4));
    PyObject *sizes = polygons ? PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(faces * 4)) : Py_NewRef(Py_None);
    PyObject *restore = PyObject_GetAttrString(PyType_GetModule(Py_TYPE(self)), "_restore_mesh");
    PyObject *answer = NULL;
    if (points != NULL && corners != NULL && sizes != NULL && restore != NULL) {
        char *to = PyBytes_AsString(points), *corner = PyBytes_AsString(corners);
        for (uint64_t i = 0; i < values && is_float32; i++)
            ((float *)(void *)to)[i] = (float)positions[i];
        if (!is_float32)
            memcpy(to, positions, values * 8);
        for (uint64_t i = 0; i < faces; i++, corner += (size_t)count * 4) {
            const uint32_t *of = grz_mesh_face(mesh->mesh, i, &count);
            memcpy(corner, of, (size_t)count * 4);
            if (polygons)
                memcpy(PyBytes_AsString(sizes) + 4 * i, &count, 4);
        }
        answer = Py_BuildValue("O(OOOO)", restore, points, is_float32 ? Py_True : Py_False, corners, sizes);
    }
    mesh_end(mesh);
    Py_XDECREF(points);
    Py_XDECREF(corners);
    Py_XDECREF(sizes);
    Py_XDECREF(restore);
    return answer;
}

PyObject *call_restore_mesh(PyObject *module, PyObject *arguments)
{
    module_state *state = state_of_module(module);
    PyObject *points, *corners, *sizes;
    int is_float32;
    if (!PyArg_ParseTuple(arguments, "SpSO:_restore_mesh", &points, &is_float32, &corners, &sizes))
        return NULL;
    if (sizes != Py_None && !PyBytes_Check(sizes)) {
        PyErr_SetString(PyExc_TypeError, "_restore_mesh: sizes must be bytes or None");
        return NULL;
    }
    grz_mesh_description description = grz_default_mesh_description();
    grz_error error;
    grz_mesh *made = NULL;
    grz_status status;
    uint64_t total = 0, held = (uint64_t)PyBytes_Size(corners) / 4;
    description.positions = PyBytes_AsString(points);
    description.position_type = is_float32 ? GRZ_FLOAT32 : GRZ_FLOAT64;
    description.vertex_count = (uint64_t)PyBytes_Size(points) / (is_float32 ? 12 : 24);
    description.indices = (const uint32_t *)(const void *)PyBytes_AsString(corners);
    description.index_count = held;
    description.face_count = held / 3;
    if (sizes != Py_None) {
        description.corner_counts = (const uint32_t *)(const void *)PyBytes_AsString(sizes);
        description.face_count = (uint64_t)PyBytes_Size(sizes) / 4;
        for (uint64_t i = 0; i < description.face_count; i++)
            total += description.corner_counts[i];
    } else {
        total = 3 * description.face_count;
    }
    if (total != held) {
        PyErr_SetString(PyExc_ValueError, "_restore_mesh: the numbers of corners do not add up");
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    status = grz_mesh_create(state->device, &description, &made, &error);
    Py_END_ALLOW_THREADS
    return status == GRZ_OK ? mesh_from(state, made, description.position_type) : raise_error(state, &error);
}

static PyObject *mesh_represent(PyObject *self)
{
    const grz_mesh *mesh = ((mesh_object *)self)->mesh;
    return PyUnicode_FromFormat("<libgraze.Mesh: %llu vertices, %llu faces>",
                                (unsigned long long)grz_mesh_vertex_count(mesh),
                                (unsigned long long)grz_mesh_face_count(mesh));
}

static PyMemberDef members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(mesh_object, weak_references), READONLY, NULL}, {NULL, 0, 0, 0, NULL}};

static PyGetSetDef properties[] = {
    {"vertex_count", vertex_count, NULL, "How many vertices.", NULL},
    {"face_count", face_count, NULL, "How many faces.", NULL},
    {"is_closed", is_closed, NULL, "Whether the surface has an inside.", NULL},
    {"inside_rule", inside_rule, NULL,
     "What inside_rule=\"auto\" stands for: \"nonzero\" if the mesh is closed, wound consistently and meets itself, "
     "else \"even_odd\".",
     NULL},
    {"is_balanced", is_balanced, NULL,
     "Whether faces run through every edge as often in one direction as in the other: what the rule \"nonzero\" needs.",
     NULL},
    {"positions", get_positions, set_positions,
     "(n, 3) doubles: the mesh's own memory, not a copy, read-only. Set it to give every vertex a new position; faces "
     "stay.",
     NULL},
    {"triangles", get_triangles, NULL,
     "(m, 3) integers: the vertices of the triangles that the faces were cut into; not a copy.", NULL},
    {"triangle_faces", get_triangle_faces, NULL, "The face of each triangle; None if every face is a triangle.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef methods[] = {{"__reduce__", mesh_reduce, METH_NOARGS, "For pickle and copy."},
                                {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {{Py_tp_new, mesh_new},
                              {Py_tp_dealloc, mesh_dealloc},
                              {Py_tp_methods, methods},
                              {Py_tp_members, members},
                              {Py_tp_repr, mesh_represent},
                              {Py_tp_getset, properties},
                              {Py_tp_doc, "Mesh(vertices, faces=None)\n--\n\nA mesh of triangles; see libgraze.Mesh."},
                              {0, NULL}};

PyType_Spec mesh_spec = {.name = "libgraze._graze.Mesh",
                         .basicsize = sizeof(mesh_object),
                         .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
                         .slots = slots};
