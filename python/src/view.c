// SPDX-License-Identifier: MIT
// The type View: a read-only buffer over memory of a result. It keeps the result alive, so nothing is copied.
#include "graze_python.h"

#include <string.h>

typedef struct view_object {
    PyObject_HEAD
    PyObject *owner;
    const void *data;
    const char *format;
    Py_ssize_t item_size, shape[3], strides[3];
    int dimensions;
} view_object;

PyObject *make_view(module_state *state, PyObject *owner, const void *data, const char *format, Py_ssize_t item_size,
                    int dimensions, const Py_ssize_t *shape, const Py_ssize_t *strides)
{
    static const double nothing; // an empty list may have no memory
    allocfunc allocate = (allocfunc)PyType_GetSlot(state->view_type, Py_tp_alloc);
    view_object *self = (view_object *)allocate(state->view_type, 0);
    if (self == NULL)
        return NULL;
    Py_INCREF(owner);
    self->owner = owner;
    self->data = data != NULL ? data : &nothing;
    self->format = format;
    self->item_size = item_size;
    self->dimensions = dimensions;
    memcpy(self->shape, shape, (size_t)dimensions * sizeof *shape);
    memcpy(self->strides, strides, (size_t)dimensions * sizeof *strides);
    PyObject *memory = PyMemoryView_FromObject((PyObject *)self);
    Py_DECREF(self);
    return memory;
}

static int get_buffer(PyObject *object, Py_buffer *view, int flags)
{
    view_object *self = (view_object *)object;
    Py_ssize_t count = 1, packed = self->item_size;
    bool contiguous = true;
    for (int i = self->dimensions - 1; i >= 0; i--) {
        contiguous = contiguous && (self->strides[i] == packed || self->shape[i] <= 1);
        packed *= self->shape[i];
        count *= self->shape[i];
    }
    view->obj = NULL;
    if ((flags & PyBUF_WRITABLE) == PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "a result cannot be changed");
        return -1;
    }
    if (!contiguous && (flags & PyBUF_STRIDES) != PyBUF_STRIDES) {
        PyErr_SetString(PyExc_BufferError, "these numbers do not follow each other: ask for strides");
        return -1;
    }
    Py_INCREF(object);
    view->obj = object;
    view->buf = (void *)self->data; // read-only, though the structure has no const
    view->len = count * self->item_size;
    view->readonly = 1;
    view->itemsize = self->item_size;
    view->format = (flags & PyBUF_FORMAT) != 0 ? (char *)self->format : NULL;
    view->ndim = self->dimensions;
    view->shape = (flags & PyBUF_ND) != 0 ? self->shape : NULL;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? self->strides : NULL;
    view->suboffsets = NULL;
    view->internal = NULL;
    return 0;
}

// Make a list of a result again that was saved: bytes, the format of an item, and one or two sizes.
PyObject *call_restore_view(PyObject *module, PyObject *arguments)
{
    static const struct {
        const char *format;
        Py_ssize_t size;
    } kinds[] = {{"?", 1}, {"b", 1}, {"B", 1}, {"h", 2}, {"H", 2}, {"i", 4},
                 {"I", 4}, {"q", 8}, {"Q", 8}, {"f", 4}, {"d", 8}};
    PyObject *bytes;
    const char *format;
    Py_ssize_t shape[2] = {0, -1}, strides[2] = {0, 0};
    if (!PyArg_ParseTuple(arguments, "Ssn|n:_restore_view", &bytes, &format, &shape[0], &shape[1]))
        return NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].format, format) != 0)
            continue;
        const int dimensions = shape[1] >= 0 ? 2 : 1;
        const Py_ssize_t size = kinds[i].size, columns = dimensions == 2 ? shape[1] : 1;
        const Py_ssize_t held = PyBytes_Size(bytes) / size;
        if (shape[0] < 0 || columns == 0 || shape[0] > held / columns || shape[0] * columns != held)
            break;
        strides[0] = size * columns;
        strides[1] = size;
        return make_view(state_of_module(module), bytes, PyBytes_AsString(bytes), kinds[i].format, size, dimensions,
                         shape, strides);
    }
    PyErr_SetString(PyExc_ValueError, "_restore_view: not what was saved");
    return NULL;
}

static void view_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    Py_XDECREF(((view_object *)object)->owner);
    release(object);
    Py_DECREF(type);
}

static PyType_Slot slots[] = {
    {Py_bf_getbuffer, get_buffer}, {Py_tp_dealloc, view_dealloc}, {Py_tp_doc, "Memory of a result."}, {0, NULL}};

PyType_Spec view_spec = {.name = "libgraze._graze.View",
                         .basicsize = sizeof(view_object),
                         .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                         .slots = slots};
