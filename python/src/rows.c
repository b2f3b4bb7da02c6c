// SPDX-License-Identifier: MIT
// Answers as columns over an array of structures, and lists of objects as arguments.
#include "rows.h"

#include <stdlib.h>

PyType_Spec *const rows_specs[ROWS_TYPE_COUNT] = {[RAY_HITS] = &ray_hits_spec,
                                                  [POINT_DISTANCES] = &point_distances_spec,
                                                  [MAPPED_POINTS] = &mapped_points_spec,
                                                  [MOVES] = &moves_spec,
                                                  [CONTACT_INTERVALS] = &contact_intervals_spec,
                                                  [DISTANCES] = &distances_spec,
                                                  [SHAPE_ANSWERS] = &shape_answers_spec,
                                                  [FLAT_NEAREST] = &flat_nearest_spec,
                                                  [FLAT_HITS] = &flat_hits_spec};
const char *const rows_names[ROWS_TYPE_COUNT] = {[RAY_HITS] = "RayHits",
                                                 [POINT_DISTANCES] = "PointDistances",
                                                 [MAPPED_POINTS] = "MappedPoints",
                                                 [MOVES] = "Moves",
                                                 [CONTACT_INTERVALS] = "ContactIntervals",
                                                 [DISTANCES] = "Distances",
                                                 [SHAPE_ANSWERS] = "ShapeAnswers",
                                                 [FLAT_NEAREST] = "FlatNearest",
                                                 [FLAT_HITS] = "FlatHits"};

PyObject *make_rows(module_state *state, rows_type type, void *rows, void *extra, Py_ssize_t count)
{
    PyTypeObject *kind = state->rows_types[type];
    allocfunc allocate = (allocfunc)PyType_GetSlot(kind, Py_tp_alloc);
    rows_object *self = (rows_object *)allocate(kind, 0);
    if (self == NULL) {
        free(rows);
        free(extra);
        return NULL;
    }
    self->rows = rows;
    self->extra = extra;
    self->count = count;
    return (PyObject *)self;
}

PyObject *rows_column(PyObject *self, void *closure)
{
    const rows_object *r = (const rows_object *)self;
    const column *c = closure;
    const Py_ssize_t shape[2] = {r->count, c->columns}, strides[2] = {(Py_ssize_t)c->stride, c->item_size};
    return make_view(state_of(self), self, r->count > 0 ? (const char *)r->rows + c->offset : NULL, c->format,
                     c->item_size, c->columns > 1 ? 2 : 1, shape, strides);
}

Py_ssize_t rows_length(PyObject *self)
{
    return ((rows_object *)self)->count;
}

void rows_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    free(((rows_object *)object)->rows);
    free(((rows_object *)object)->extra);
    release(object);
    Py_DECREF(type);
}

PyObject *view_of_bytes(module_state *state, PyObject *bytes, const char *format, Py_ssize_t item_size,
                        Py_ssize_t count)
{
    PyObject *view = make_view(state, bytes, PyBytes_AsString(bytes), format, item_size, 1, &count, &item_size);
    Py_DECREF(bytes);
    return view;
}

PyObject *feature_tuple(const grz_feature *feature)
{
    const uint32_t *v = feature->vertex;
    if (v[0] == GRZ_NO_VERTEX)
        return PyTuple_New(0);
    return v[1] == GRZ_NO_VERTEX ? Py_BuildValue("(I)", v[0]) : Py_BuildValue("(II)", v[0], v[1]);
}

PyObject *faces_tuple(uint32_t face_a, uint32_t face_b)
{
    return face_a == GRZ_NO_FACE ? Py_BuildValue("(OO)", Py_None, Py_None) : Py_BuildValue("(II)", face_a, face_b);
}

// Item `i` of a list: a Mesh, or a pair of a Mesh and its pose.
static bool add_target(module_state *state, PyObject *item, const char *name, targets *t)
{
    PyObject *mesh = Py_NewRef(item), *pose = NULL;
    mesh_object *used = NULL;
    char at[96];
    grz_pose place;
    PyOS_snprintf(at, sizeof at, "%s[%lu]", name, (unsigned long)t->count);
    if (!PyObject_TypeCheck(item, state->mesh_type)) {
        const bool is_pair = PySequence_Check(item) && PySequence_Size(item) == 2;
        Py_CLEAR(mesh);
        if (!is_pair)
            PyErr_Format(PyExc_TypeError, "%s: must be a libgraze.Mesh, or a pair of a libgraze.Mesh and its pose", at);
        else if ((mesh = PySequence_GetItem(item, 0)) != NULL)
            pose = PySequence_GetItem(item, 1);
    }
    const bool ok = PyErr_Occurred() == NULL && read_pose(pose, at, &place) && mesh_begin(state, mesh, at, &used);
    Py_XDECREF(pose);
    if (!ok) {
        Py_XDECREF(mesh);
        return false;
    }
    t->objects[t->count] = grz_object_at(used->mesh, place);
    t->meshes[t->count++] = used; // with the reference to it
    t->faces += grz_mesh_face_count(used->mesh);
    return true;
}

// The objects of a scene.
static bool begin_scene(module_state *state, PyObject *from, const char *name, targets *t)
{
    if (!scene_use(state, from, name, &t->scene))
        return false;
    uint64_t left = grz_scene_object_count(t->scene), room = 0;
    t->scene_object = Py_NewRef(from);
    for (; left > 0; t->count++) {
        const grz_object *object = grz_scene_object(t->scene, t->count);
        if (t->count == room) {
            room = 2 * room + left;
            grz_object *more = realloc(t->objects, room * sizeof *more);
            if (more == NULL) {
                targets_end(state, t);
                PyErr_NoMemory();
                return false;
            }
            t->objects = more;
        }
        t->objects[t->count] = object != NULL ? *object : (grz_object){.mesh = NULL};
        left -= object != NULL;
        t->faces += object != NULL ? grz_mesh_face_count(object->mesh) : 0;
    }
    return true;
}

bool targets_begin(module_state *state, PyObject *from, PyObject *pose, const char *name, targets *t)
{
    const bool is_scene = PyObject_TypeCheck(from, state->scene_type);
    const bool is_one = PyObject_TypeCheck(from, state->mesh_type);
    const Py_ssize_t count = is_one || is_scene ? 1 : PySequence_Check(from) ? PySequence_Size(from) : -1;
    *t = (targets){.count = 0};
    if (count < 0 && PyErr_Occurred() == NULL)
        PyErr_Format(PyExc_TypeError,
                     "%s: must be a libgraze.Mesh, a libgraze.Scene, or a sequence of meshes and of pairs with poses",
                     name);
    else if (count > INT32_MAX)
        PyErr_Format(PyExc_ValueError, "%s: too many", name);
    else if (!is_one && pose != NULL && pose != Py_None)
        PyErr_Format(PyExc_ValueError, "pose: is for a single libgraze.Mesh; give pairs (mesh, pose) in %s", name);
    if (count < 0 || PyErr_Occurred() != NULL)
        return false;
    if (is_scene)
        return begin_scene(state, from, name, t);
    t->objects = malloc((size_t)count * sizeof *t->objects + 1);
    t->meshes = calloc((size_t)count + 1, sizeof(void *));
    bool ok = t->objects != NULL && t->meshes != NULL;
    if (!ok)
        PyErr_NoMemory();
    if (is_one && ok) {
        grz_pose place;
        ok = read_pose(pose, "pose", &place) && mesh_begin(state, from, name, &t->meshes[0]);
        if (ok) {
            Py_INCREF(from);
            t->count = 1;
            t->objects[0] = grz_object_at(t->meshes[0]->mesh, place);
            t->faces = grz_mesh_face_count(t->meshes[0]->mesh);
        }
    }
    for (Py_ssize_t i = 0; i < count && ok && !is_one; i++) {
        PyObject *item = PySequence_GetItem(from, i);
        ok = item != NULL && add_target(state, item, name, t);
        Py_XDECREF(item);
    }
    if (!ok)
        targets_end(state, t);
    return ok;
}

void targets_end(module_state *state, targets *t)
{
    if (t->scene != NULL) {
        scene_leave(state, t->scene_object);
        Py_DECREF(t->scene_object);
    }
    for (uint32_t i = 0; i < t->count && t->scene == NULL; i++) {
        mesh_end(t->meshes[i]);
        Py_DECREF((PyObject *)t->meshes[i]);
    }
    free(t->objects);
    free(t->meshes);
    *t = (targets){.count = 0};
}
