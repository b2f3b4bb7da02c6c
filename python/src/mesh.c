// SPDX-License-Identifier: MIT
// The type Mesh.
#include "graze_python.h"

bool mesh_begin(module_state *state, PyObject *from, const char *name, mesh_object **mesh)
{
    if (!PyObject_TypeCheck(from, state->mesh_type)) {
        PyErr_Format(PyExc_TypeError, "%s: must be a graze.Mesh", name);
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
    Py_BEGIN_ALLOW_THREADS status = grz_mesh_create(state->device, &description, &made, &error);
    Py_END_ALLOW_THREADS numbers_finish(&points);
    numbers_finish(&corners);
    return status == GRZ_OK ? mesh_from(state, made, description.position_type) : raise_error(state, &error);
}

static void mesh_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
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
    Py_BEGIN_ALLOW_THREADS status = grz_mesh_is_closed(mesh->mesh, &closed, &error);
    Py_END_ALLOW_THREADS mesh_end(mesh);
    return status == GRZ_OK ? PyBool_FromLong(closed) : raise_error(state, &error);
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
    const grz_scalar type = points.is_float32 ? GRZ_FLOAT32 : GRZ_FLOAT64;
    if ((uint64_t)points.rows != grz_mesh_vertex_count(mesh->mesh))
        PyErr_Format(PyExc_ValueError, "positions: %zd rows, the mesh has %llu vertices", points.rows,
                     (unsigned long long)grz_mesh_vertex_count(mesh->mesh));
    else if (type != mesh->position_type)
        PyErr_Format(PyExc_TypeError, "positions: must be %s, as when the mesh was made",
                     mesh->position_type == GRZ_FLOAT32 ? "float32" : "float64");
    else if (!atomic_compare_exchange_strong(&mesh->users, &free_mesh, -1))
        PyErr_SetString(PyExc_RuntimeError, "positions: another thread is using this mesh");
    if (PyErr_Occurred() != NULL) {
        numbers_finish(&points);
        return -1;
    }
    Py_BEGIN_ALLOW_THREADS status = grz_mesh_set_positions(mesh->mesh, points.data, &error);
    Py_END_ALLOW_THREADS atomic_store(&mesh->users, 0);
    numbers_finish(&points);
    if (status != GRZ_OK)
        raise_error(state, &error);
    return status == GRZ_OK ? 0 : -1;
}

static PyObject *get_positions(PyObject *self, void *closure)
{
    (void)self;
    (void)closure;
    PyErr_SetString(PyExc_AttributeError, "positions: can be set, not read: keep your own array");
    return NULL;
}

static PyGetSetDef properties[] = {
    {"vertex_count", vertex_count, NULL, "How many vertices.", NULL},
    {"face_count", face_count, NULL, "How many faces.", NULL},
    {"is_closed", is_closed, NULL, "Whether the surface has an inside.", NULL},
    {"positions", get_positions, set_positions, "Set it to give every vertex a new position; faces stay.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_new, mesh_new},
                              {Py_tp_dealloc, mesh_dealloc},
                              {Py_tp_getset, properties},
                              {Py_tp_doc, "Mesh(vertices, faces=None)\n--\n\nA mesh of triangles; see graze.Mesh."},
                              {0, NULL}};

PyType_Spec mesh_spec = {.name = "graze._graze.Mesh",
                         .basicsize = sizeof(mesh_object),
                         .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
                         .slots = slots};
