// SPDX-License-Identifier: MIT
// The type Scene: many objects, by number or by the user's own names, and which pairs of them are ignored.
#include "graze_python.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <structmember.h>
#include <unistd.h>

typedef struct scene_object {
    PyObject_HEAD
    grz_scene *scene;
    PyObject *meshes;  // a dictionary: number of an object → its Mesh
    PyObject *numbers; // a dictionary: name → number, of the objects with a name
    PyObject *labels;  // a dictionary: number → name
    bool shared;       // a result has `labels`; it is copied before it is changed
    uint64_t *ignored; // pairs of objects that are not tested, sorted: the lower number in the upper half
    size_t ignored_count, ignored_room;
    PyThread_type_lock lock;      // held while a query or a change is under way
    _Atomic(unsigned long) owner; // the thread that holds it
    pid_t process;                // in which it was made, or which has begun anew with it
    PyObject *weak_references;    // Python's list
} scene_object;

// A fork may leave the lock held by a thread that the child does not have. False: an exception is set.
static bool renew_after_fork(scene_object *self)
{
    if (self->process == getpid())
        return true;
    PyThread_type_lock lock = PyThread_allocate_lock(); // the old one cannot be released
    if (lock == NULL) {
        PyErr_NoMemory();
        return false;
    }
    self->lock = lock;
    self->process = getpid();
    return true;
}

// Wait until no other thread uses the scene. False: an exception is set.
static bool scene_begin(scene_object *self)
{
    const unsigned long here = PyThread_get_thread_ident();
    if (!renew_after_fork(self))
        return false;
    while (PyThread_acquire_lock(self->lock, NOWAIT_LOCK) == 0) {
        PyLockStatus status;
        if (atomic_load(&self->owner) == here) {
            PyErr_SetString(PyExc_RuntimeError, "scene: used by a handler of a signal that came while it was in use");
            return false;
        }
        Py_BEGIN_ALLOW_THREADS
        status = PyThread_acquire_lock_timed(self->lock, 50000, 1); // microseconds
        Py_END_ALLOW_THREADS
        if (status == PY_LOCK_ACQUIRED)
            break;
        if (PyErr_CheckSignals() != 0)
            return false;
    }
    atomic_store(&self->owner, here);
    return true;
}

static void scene_end(scene_object *self)
{
    atomic_store(&self->owner, 0);
    PyThread_release_lock(self->lock);
}

// Where a pair of numbers is among the ignored ones, or would be.
static size_t find_ignored(const scene_object *self, uint64_t pair)
{
    size_t low = 0, high = self->ignored_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (self->ignored[middle] < pair)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint64_t pair_of(uint32_t a, uint32_t b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

// Which pairs a query tests; grz_scene_filter.
static bool is_tested(uint32_t a, const grz_object *object_a, uint32_t b, const grz_object *object_b, void *user)
{
    (void)object_a;
    (void)object_b;
    const scene_object *self = user;
    const size_t at = find_ignored(self, pair_of(a, b));
    return at == self->ignored_count || self->ignored[at] != pair_of(a, b);
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
    atomic_init(&self->owner, 0);
    self->lock = PyThread_allocate_lock();
    self->process = getpid();
    if (self->lock == NULL) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    self->meshes = PyDict_New();
    self->numbers = PyDict_New();
    self->labels = PyDict_New();
    const bool made = self->meshes != NULL && self->numbers != NULL && self->labels != NULL;
    if (made && grz_scene_create(state->device, &self->scene, &error) == GRZ_OK &&
        grz_scene_set_filter(self->scene, is_tested, self, &error) == GRZ_OK)
        return (PyObject *)self;
    if (made)
        raise_error(state, &error);
    Py_DECREF(self);
    return NULL;
}

static void scene_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    scene_object *self = (scene_object *)object;
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    PyObject_ClearWeakRefs(object);
    grz_scene_destroy(self->scene);
    Py_XDECREF(self->meshes);
    Py_XDECREF(self->numbers);
    Py_XDECREF(self->labels);
    free(self->ignored);
    if (self->lock != NULL)
        PyThread_free_lock(self->lock);
    release(object);
    Py_DECREF(type);
}

// The number of an object that is given by its number or its name. False: an exception is set.
static bool read_object(scene_object *self, PyObject *given, uint32_t *id)
{
    PyObject *number = given;
    if (PyUnicode_Check(given)) {
        number = PyDict_GetItemWithError(self->numbers, given);
        if (number == NULL && PyErr_Occurred() == NULL)
            PyErr_Format(PyExc_KeyError, "the scene has no object named %R", given);
        if (number == NULL)
            return false;
    }
    PyObject *whole = PyBool_Check(number) ? NULL : PyNumber_Index(number); // NumPy's integers, too
    if (whole == NULL) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%R: an object is given by its number or its name", given);
        return false;
    }
    int overflow;
    const long long value = PyLong_AsLongLongAndOverflow(whole, &overflow);
    const bool known =
        overflow == 0 && value >= 0 && value <= UINT32_MAX && grz_scene_object(self->scene, (uint32_t)value) != NULL;
    if (known)
        *id = (uint32_t)value;
    else
        PyErr_Format(PyExc_KeyError, "the scene has no object %S", whole);
    Py_DECREF(whole);
    return known;
}

// Before the labels change: results that have them keep what they have. False: an exception is set.
static bool own_labels(scene_object *self)
{
    if (!self->shared)
        return true;
    PyObject *copy = PyDict_Copy(self->labels);
    if (copy == NULL)
        return false;
    Py_DECREF(self->labels);
    self->labels = copy;
    self->shared = false;
    return true;
}

// Take an object out of all dictionaries and ignored pairs.
static void forget_object(scene_object *self, uint32_t id)
{
    size_t kept = 0;
    for (size_t i = 0; i < self->ignored_count; i++)
        if (self->ignored[i] >> 32 != id && (uint32_t)self->ignored[i] != id)
            self->ignored[kept++] = self->ignored[i];
    self->ignored_count = kept;
    PyObject *number = PyLong_FromUnsignedLong(id);
    if (number == NULL || !own_labels(self)) {
        Py_XDECREF(number);
        return;
    }
    PyObject *name = PyDict_GetItemWithError(self->labels, number);
    if (name != NULL && PyDict_DelItem(self->numbers, name) == 0)
        (void)PyDict_DelItem(self->labels, number);
    if (PyErr_Occurred() == NULL && PyDict_GetItemWithError(self->meshes, number) != NULL)
        (void)PyDict_DelItem(self->meshes, number);
    Py_DECREF(number);
}

static PyObject *scene_add(PyObject *object, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"mesh", "pose", "name", NULL};
    scene_object *self = (scene_object *)object;
    module_state *state = state_of(object);
    PyObject *given, *pose = NULL, *name = Py_None;
    mesh_object *mesh;
    grz_pose place;
    grz_error error;
    uint32_t id = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O|OO:add", keywords, &given, &pose, &name) ||
        !read_pose(pose, "pose", &place))
        return NULL;
    if (name != Py_None && !PyUnicode_Check(name)) {
        PyErr_SetString(PyExc_TypeError, "name: must be a string");
        return NULL;
    }
    if (!scene_begin(self))
        return NULL;
    if (name != Py_None && PyDict_Contains(self->numbers, name) == 1) {
        PyErr_Format(PyExc_ValueError, "name: the scene has an object named %R", name);
        scene_end(self);
        return NULL;
    }
    if (!mesh_begin(state, given, "mesh", &mesh)) {
        scene_end(self);
        return NULL;
    }
    const grz_object what = grz_object_at(mesh->mesh, place);
    const grz_status status = grz_scene_add(self->scene, &what, &id, &error);
    mesh_end(mesh);
    PyObject *number = NULL;
    if (status != GRZ_OK) {
        raise_error(state, &error);
    } else {
        number = PyLong_FromUnsignedLong(id);
        bool ok = number != NULL && PyDict_SetItem(self->meshes, number, given) == 0;
        if (ok && name != Py_None)
            ok = own_labels(self) && PyDict_SetItem(self->labels, number, name) == 0 &&
                 PyDict_SetItem(self->numbers, name, number) == 0;
        if (!ok) {
            PyObject *type, *value, *traceback;
            PyErr_Fetch(&type, &value, &traceback);
            (void)grz_scene_remove(self->scene, id, NULL);
            forget_object(self, id);
            PyErr_Restore(type, value, traceback);
            Py_CLEAR(number);
        }
    }
    scene_end(self);
    if (number == NULL || name == Py_None)
        return number;
    Py_DECREF(number);
    return Py_NewRef(name);
}

static PyObject *scene_remove(PyObject *object, PyObject *which)
{
    scene_object *self = (scene_object *)object;
    grz_error error;
    uint32_t id;
    grz_status status = GRZ_OK;
    if (!scene_begin(self))
        return NULL;
    if (read_object(self, which, &id)) {
        status = grz_scene_remove(self->scene, id, &error);
        if (status == GRZ_OK)
            forget_object(self, id);
    }
    scene_end(self);
    if (status != GRZ_OK)
        return raise_error(state_of(object), &error);
    if (PyErr_Occurred() != NULL)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *scene_set_pose(PyObject *object, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"object", "pose", NULL};
    scene_object *self = (scene_object *)object;
    uint32_t id;
    PyObject *which, *pose;
    grz_pose place;
    grz_error error;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OO:set_pose", keywords, &which, &pose) ||
        !read_pose(pose, "pose", &place) || !scene_begin(self))
        return NULL;
    const bool known = read_object(self, which, &id);
    const grz_status status = known ? grz_scene_set_pose(self->scene, id, &place, &error) : GRZ_OK;
    scene_end(self);
    if (status != GRZ_OK)
        return raise_error(state_of(object), &error);
    if (!known)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *scene_ignore(PyObject *object, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"a", "b", "ignored", NULL};
    scene_object *self = (scene_object *)object;
    PyObject *given_a, *given_b;
    uint32_t a, b;
    int ignored = 1;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OO|p:ignore", keywords, &given_a, &given_b, &ignored) ||
        !scene_begin(self))
        return NULL;
    if (!read_object(self, given_a, &a) || !read_object(self, given_b, &b)) {
        scene_end(self);
        return NULL;
    }
    const uint64_t pair = pair_of(a, b);
    const size_t at = find_ignored(self, pair), after = self->ignored_count - at;
    const bool is_there = after > 0 && self->ignored[at] == pair;
    bool ok = true;
    if (ignored && !is_there) {
        if (self->ignored_count == self->ignored_room) {
            const size_t room = 2 * self->ignored_room + 16;
            uint64_t *grown = realloc(self->ignored, room * sizeof *grown);
            ok = grown != NULL;
            self->ignored = ok ? grown : self->ignored;
            self->ignored_room = ok ? room : self->ignored_room;
        }
        if (ok) {
            memmove(self->ignored + at + 1, self->ignored + at, after * sizeof pair);
            self->ignored[at] = pair;
            self->ignored_count++;
        }
    } else if (!ignored && is_there) {
        memmove(self->ignored + at, self->ignored + at + 1, (after - 1) * sizeof pair);
        self->ignored_count--;
    }
    scene_end(self);
    if (!ok)
        return PyErr_NoMemory();
    Py_RETURN_NONE;
}

static PyObject *scene_mesh(PyObject *object, PyObject *which)
{
    scene_object *self = (scene_object *)object;
    uint32_t id;
    if (!read_object(self, which, &id))
        return NULL;
    PyObject *number = PyLong_FromUnsignedLong(id);
    PyObject *mesh = number != NULL ? PyDict_GetItemWithError(self->meshes, number) : NULL;
    Py_XDECREF(number);
    return Py_XNewRef(mesh);
}

static PyObject *scene_get_number(PyObject *object, PyObject *which)
{
    uint32_t id;
    return read_object((scene_object *)object, which, &id) ? PyLong_FromUnsignedLong(id) : NULL;
}

// The rows of a pose and 0 0 0 1, as tuples.
PyObject *pose_rows(const grz_pose *pose)
{
    PyObject *rows = PyTuple_New(4);
    for (int i = 0; rows != NULL && i < 4; i++) {
        static const double last[4] = {0.0, 0.0, 0.0, 1.0};
        const double *r = i < 3 ? pose->m[i] : last;
        PyObject *row = Py_BuildValue("dddd", r[0], r[1], r[2], r[3]);
        if (row == NULL || PyTuple_SetItem(rows, i, row) != 0)
            Py_CLEAR(rows);
    }
    return rows;
}

PyObject *call_pose_rows(PyObject *module, PyObject *given)
{
    (void)module;
    grz_pose pose;
    return read_pose(given, "pose", &pose) ? pose_rows(&pose) : NULL;
}

static PyObject *scene_pose(PyObject *object, PyObject *which)
{
    scene_object *self = (scene_object *)object;
    uint32_t id;
    if (!read_object(self, which, &id))
        return NULL;
    return pose_rows(&grz_scene_object(self->scene, id)->pose);
}

static PyObject *scene_objects(PyObject *object, void *closure)
{
    (void)closure;
    scene_object *self = (scene_object *)object;
    PyObject *list = PyDict_Keys(self->meshes);
    if (list == NULL || PyList_Sort(list) != 0) {
        Py_XDECREF(list);
        return NULL;
    }
    for (Py_ssize_t i = 0; i < PyList_Size(list); i++) {
        PyObject *name = PyDict_GetItemWithError(self->labels, PyList_GetItem(list, i));
        if (name != NULL && PyList_SetItem(list, i, Py_NewRef(name)) != 0)
            Py_CLEAR(list);
    }
    return list;
}

static int scene_contains(PyObject *object, PyObject *which)
{
    scene_object *self = (scene_object *)object;
    return PyDict_Contains(PyUnicode_Check(which) ? self->numbers : self->meshes, which);
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
                                     &options.limits.deadline, &reference) ||
        !read_find(find, &options))
        return NULL;
    options.method = method;
    if (!scene_begin(self))
        return NULL;
    if (reference != Py_None) {
        uint32_t id;
        if (!read_object(self, reference, &id)) {
            scene_end(self);
            return NULL;
        }
        options.reference = id;
    }
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
            if (result != NULL && PyDict_Size(self->labels) > 0) {
                result->labels = Py_NewRef(self->labels);
                self->shared = true;
            }
        }
        (void)use_meshes(state, self->meshes, false);
    }
    scene_end(self);
    return (PyObject *)result;
}

bool scene_number(PyObject *scene, PyObject *given, uint32_t *id)
{
    return read_object((scene_object *)scene, given, id);
}

PyObject *scene_label(PyObject *scene, uint32_t id)
{
    PyObject *number = PyLong_FromUnsignedLong(id);
    PyObject *name = number != NULL ? PyDict_GetItemWithError(((scene_object *)scene)->labels, number) : NULL;
    if (name == NULL && PyErr_Occurred() == NULL)
        return number;
    Py_XDECREF(number);
    return Py_XNewRef(name);
}

bool scene_use(module_state *state, PyObject *from, const char *name, const grz_scene **scene)
{
    if (!PyObject_TypeCheck(from, state->scene_type)) {
        PyErr_Format(PyExc_TypeError, "%s: must be a libgraze.Scene", name);
        return false;
    }
    scene_object *self = (scene_object *)from;
    if (!scene_begin(self))
        return false;
    *scene = self->scene;
    if (use_meshes(state, self->meshes, true))
        return true;
    scene_end(self);
    return false;
}

void scene_leave(module_state *state, PyObject *from)
{
    scene_object *self = (scene_object *)from;
    (void)use_meshes(state, self->meshes, false);
    scene_end(self);
}

static Py_ssize_t length(PyObject *self)
{
    return (Py_ssize_t)grz_scene_object_count(((scene_object *)self)->scene);
}

static PyObject *represent(PyObject *self)
{
    return PyUnicode_FromFormat("<libgraze.Scene: %zd objects>", length(self));
}

static PyMemberDef members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(scene_object, weak_references), READONLY, NULL}, {NULL, 0, 0, 0, NULL}};

static PyGetSetDef properties[] = {
    {"objects", scene_objects, NULL,
     "The name of each object, or its number where it has none, in order of the numbers.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef methods[] = {
    {"add", (PyCFunction)(void (*)(void))scene_add, METH_VARARGS | METH_KEYWORDS,
     "add($self, mesh, pose=None, name=None)\n--\n\nAdd an object; returns its name, or without one its number, the "
     "lowest that is free."},
    {"remove", scene_remove, METH_O, "remove($self, object, /)\n--\n\nTake an object out."},
    {"set_pose", (PyCFunction)(void (*)(void))scene_set_pose, METH_VARARGS | METH_KEYWORDS,
     "set_pose($self, object, pose)\n--\n\nMove an object, named or numbered."},
    {"ignore", (PyCFunction)(void (*)(void))scene_ignore, METH_VARARGS | METH_KEYWORDS,
     "ignore($self, a, b, ignored=True)\n--\n\nDo not test these two objects, from now on; or test them again."},
    {"mesh", scene_mesh, METH_O, "mesh($self, object, /)\n--\n\nThe Mesh of an object."},
    {"number", scene_get_number, METH_O,
     "number($self, object, /)\n--\n\nThe number of an object, as in Result.object_pairs."},
    {"pose", scene_pose, METH_O, "pose($self, object, /)\n--\n\nThe pose of an object, four rows of four numbers."},
    {"collide", (PyCFunction)(void (*)(void))scene_collide, METH_VARARGS | METH_KEYWORDS,
     "collide($self, *, find='any', method=None, clearance=0.0, deadline=0.0, reference=None)\n--\n\nFind all pairs of "
     "objects "
     "that are not apart: Result.object_pairs. `reference`: only those with this object."},
    {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {{Py_tp_new, scene_new},
                              {Py_tp_dealloc, scene_dealloc},
                              {Py_tp_methods, methods},
                              {Py_tp_members, members},
                              {Py_tp_getset, properties},
                              {Py_sq_contains, scene_contains},
                              {Py_sq_length, length},
                              {Py_tp_repr, represent},
                              {Py_tp_doc, "Scene()\n--\n\nMany objects, with names or numbered from 0."},
                              {0, NULL}};

PyType_Spec scene_spec = {.name = "libgraze._graze.Scene",
                          .basicsize = sizeof(scene_object),
                          .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
                          .slots = slots};
