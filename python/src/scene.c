// SPDX-License-Identifier: MIT
// The type Scene: many objects, numbered from 0.
#include "graze_python.h"

#include <stdlib.h>
#include <string.h>

typedef struct scene_object {
    PyObject_HEAD grz_scene *scene;
    PyObject *meshes; // a dictionary: number of an object → its Mesh
    atomic_int busy;  // a query or a change is under way
} scene_object;

static bool scene_begin(scene_object *self)
{
    int idle = 0;
    if (atomic_compare_exchange_strong(&self->busy, &idle, 1))
        return true;
    PyErr_SetString(PyExc_RuntimeError, "scene: another thread is using it");
    return false;
}

static void scene_end(scene_object *self)
{
    atomic_store(&self->busy, 0);
}

static PyObject *scene_new(PyTypeObject *type, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {NULL};
    module_state *state = PyType_GetModuleState(type);
    grz_error error;
    if (state == NULL || !PyArg_ParseTupleAndKeywords(arguments, names, ":Scene", keywords))
        return NULL;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    scene_object *self = (scene_object *)allocate(type, 0);
    if (self == NULL)
        return NULL;
    atomic_init(&self->busy, 0);
    self->meshes = PyDict_New();
    if (self->meshes != NULL && grz_scene_create(state->device, &self->scene, &error) == GRZ_OK)
        return (PyObject *)self;
    if (self->meshes != NULL)
        raise_error(state, &error);
    Py_DECREF(self);
    return NULL;
}

static void scene_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    grz_scene_destroy(((scene_object *)object)->scene);
    Py_XDECREF(((scene_object *)object)->meshes);
    release(object);
    Py_DECREF(type);
}

static PyObject *scene_add(PyObject *object, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"mesh", "pose", NULL};
    scene_object *self = (scene_object *)object;
    module_state *state = state_of(object);
    PyObject *given, *pose = NULL;
    mesh_object *mesh;
    grz_pose place;
    grz_error error;
    uint32_t id = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O|O:add", keywords, &given, &pose) ||
        !read_pose(pose, "pose", &place) || !mesh_begin(state, given, "mesh", &mesh))
        return NULL;
    if (!scene_begin(self)) {
        mesh_end(mesh);
        return NULL;
    }
    const grz_object what = grz_object_at(mesh->mesh, place);
    const grz_status status = grz_scene_add(self->scene, &what, &id, &error);
    scene_end(self);
    mesh_end(mesh);
    if (status != GRZ_OK)
        return raise_error(state, &error);
    PyObject *number = PyLong_FromUnsignedLong(id);
    if (number != NULL && PyDict_SetItem(self->meshes, number, given) != 0)
        Py_CLEAR(number);
    return number;
}

static PyObject *scene_remove(PyObject *object, PyObject *number)
{
    scene_object *self = (scene_object *)object;
    grz_error error;
    const unsigned long id = PyLong_AsUnsignedLong(number);
    if (PyErr_Occurred() != NULL || !scene_begin(self))
        return NULL;
    const grz_status status = grz_scene_remove(self->scene, id > UINT32_MAX ? UINT32_MAX : (uint32_t)id, &error);
    scene_end(self);
    if (status != GRZ_OK)
        return raise_error(state_of(object), &error);
    if (PyDict_DelItem(self->meshes, number) != 0)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *scene_set_pose(PyObject *object, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"number", "pose", NULL};
    scene_object *self = (scene_object *)object;
    unsigned int id;
    PyObject *pose;
    grz_pose place;
    grz_error error;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "IO:set_pose", keywords, &id, &pose) ||
        !read_pose(pose, "pose", &place) || !scene_begin(self))
        return NULL;
    const grz_status status = grz_scene_set_pose(self->scene, id, &place, &error);
    scene_end(self);
    if (status != GRZ_OK)
        return raise_error(state_of(object), &error);
    Py_RETURN_NONE;
}

// Begin to use all meshes, or end it. False: an exception is set, and none is used.
static bool use_meshes(module_state *state, PyObject *meshes, bool begin)
{
    PyObject *key, *value;
    Py_ssize_t at = 0, begun = 0;
    bool ok = true;
    while (ok && PyDict_Next(meshes, &at, &key, &value)) {
        mesh_object *mesh = (mesh_object *)value;
        if (!begin)
            mesh_end(mesh);
        else
            ok = mesh_begin(state, value, "scene", &mesh);
        begun += ok;
    }
    for (at = 0; !ok && begun > 0 && PyDict_Next(meshes, &at, &key, &value); begun--)
        mesh_end((mesh_object *)value);
    return ok;
}

static PyObject *scene_collide(PyObject *object, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"find", "method", "clearance", "deadline", "reference", NULL};
    scene_object *self = (scene_object *)object;
    module_state *state = state_of(object);
    const char *find = "any", *method = NULL;
    PyObject *reference = Py_None;
    grz_collide_options options = grz_default_collide_options();
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "|$szddO:collide", keywords, &find, &method, &options.clearance,
                                     &options.deadline, &reference) ||
        !read_find(find, &options))
        return NULL;
    options.method = method;
    if (reference != Py_None) {
        options.reference = PyLong_AsUnsignedLongLong(reference);
        if (PyErr_Occurred() != NULL)
            return NULL;
    }
    if (!scene_begin(self))
        return NULL;
    result_object *result = NULL;
    if (use_meshes(state, self->meshes, true)) {
        result = make_result(state);
        if (result != NULL) {
            interruption stop;
            grz_error error;
            interruption_begin(&stop, &options);
            const grz_status status = grz_collide_scene(state->device, self->scene, &options, result->result, &error);
            interruption_end(&stop);
            if (status != GRZ_OK && !stop.interrupted)
                raise_error(state, &error);
            if (status != GRZ_OK || stop.interrupted)
                Py_CLEAR(result);
        }
        (void)use_meshes(state, self->meshes, false);
    }
    scene_end(self);
    return (PyObject *)result;
}

static Py_ssize_t length(PyObject *self)
{
    return (Py_ssize_t)grz_scene_object_count(((scene_object *)self)->scene);
}

static PyObject *represent(PyObject *self)
{
    return PyUnicode_FromFormat("<graze.Scene: %zd objects>", length(self));
}

static PyMethodDef methods[] = {
    {"add", (PyCFunction)(void (*)(void))scene_add, METH_VARARGS | METH_KEYWORDS,
     "add($self, mesh, pose=None)\n--\n\nAdd an object; returns its number, the lowest that is free."},
    {"remove", scene_remove, METH_O, "remove($self, number, /)\n--\n\nTake an object out."},
    {"set_pose", (PyCFunction)(void (*)(void))scene_set_pose, METH_VARARGS | METH_KEYWORDS,
     "set_pose($self, number, pose)\n--\n\nMove an object."},
    {"collide", (PyCFunction)(void (*)(void))scene_collide, METH_VARARGS | METH_KEYWORDS,
     "collide($self, *, find='any', method=None, clearance=0.0, deadline=0.0, reference=None)\n--\n\nFind all pairs of "
     "objects "
     "that are not apart: Result.object_pairs. `reference`: only those with this object."},
    {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {{Py_tp_new, scene_new},
                              {Py_tp_dealloc, scene_dealloc},
                              {Py_tp_methods, methods},
                              {Py_sq_length, length},
                              {Py_tp_repr, represent},
                              {Py_tp_doc, "Scene()\n--\n\nMany objects, numbered from 0."},
                              {0, NULL}};

PyType_Spec scene_spec = {.name = "graze._graze.Scene",
                          .basicsize = sizeof(scene_object),
                          .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
                          .slots = slots};
