// SPDX-License-Identifier: MIT
// The type Flat: points, boxes and segments in the plane; and its answers, the types FlatNearest and FlatHits.
#include "rows.h"

#include <stdlib.h>
#include <string.h>

typedef struct flat_object {
    PyObject_HEAD
    grz_flat *flat;
    atomic_int users;        // questions that use it; -1: it is being changed
    _Atomic(uint64_t) count; // of its items, readable while it is being changed
} flat_object;

// Begin to ask it, or to change it. False: an exception is set.
static bool flat_begin(flat_object *self, bool changes)
{
    int users = atomic_load(&self->users);
    while (changes ? users == 0 : users >= 0)
        if (atomic_compare_exchange_weak(&self->users, &users, changes ? -1 : users + 1))
            return true;
    PyErr_SetString(PyExc_RuntimeError, users < 0 ? "flat: another thread is changing it"
                                                  : "flat: another thread is asking it, so it cannot be changed");
    return false;
}

static void flat_end(flat_object *self, bool changes)
{
    if (changes)
        atomic_store(&self->users, 0);
    else
        atomic_fetch_sub(&self->users, 1);
}

// A question, or a change, that may be done by another thread.
typedef struct flat_task {
    grz_device *device;
    grz_flat *flat;
    grz_flat_options options;
    volatile int cancel;
    grz_flat_item *items;
    uint64_t count;
    uint32_t *numbers;
    double low[2], high[2], radius;
    const double *points;
    grz_flat_ray *rays;
    grz_flat_near *near;
    grz_flat_hit *hits;
    void *list; // of an answer whose length is not known before
    uint64_t room, found;
    grz_status status;
    grz_error error;
} flat_task;

static flat_task new_task(void)
{
    return (flat_task){.options = grz_default_flat_options()};
}

// Do a task while others cannot disturb it. False: an exception is set.
static bool run(flat_object *self, flat_task *task, void (*work)(void *), bool changes)
{
    if (!flat_begin(self, changes))
        return false;
    const bool is_short = atomic_load(&self->count) + task->count <= 20000;
    task->flat = self->flat;
    task->options.limits.cancel = &task->cancel;
    const bool went = run_long(work, task, &task->cancel, is_short);
    atomic_store(&self->count, grz_flat_count(self->flat));
    flat_end(self, changes);
    if (went && task->status != GRZ_OK)
        raise_error(state_of((PyObject *)self), &task->error);
    return went && task->status == GRZ_OK;
}

// ---- Items ----------------------------------------------------------------------------------------------------------

static bool read_kind(const char *text, grz_flat_kind *kind)
{
    static const char *const names[] = {"point", "box", "segment"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, names[i]) == 0) {
            *kind = (grz_flat_kind)i;
            return true;
        }
    PyErr_Format(PyExc_ValueError, "kind: \"%s\", must be \"point\", \"box\" or \"segment\"", text);
    return false;
}

// Rows of items: x, y of points; else x, y of one corner or end, and of the other. Release *out with free().
static bool read_items(PyObject *from, const char *kind_text, grz_flat_item **out, uint64_t *count)
{
    grz_flat_kind kind;
    numbers rows;
    *out = NULL;
    if (!read_kind(kind_text, &kind) || !read_flat_rows(from, "items", kind == GRZ_FLAT_POINT ? 2 : 4, &rows))
        return false;
    grz_flat_item *items = malloc((size_t)rows.rows * sizeof *items + 1);
    for (Py_ssize_t i = 0; i < rows.rows && items != NULL; i++) {
        const double *row = (const double *)rows.data + rows.columns * i, *to = row + rows.columns - 2;
        items[i] = (grz_flat_item){{row[0], row[1]}, {to[0], to[1]}, kind};
    }
    numbers_finish(&rows);
    *out = items;
    *count = (uint64_t)rows.rows;
    if (items == NULL)
        PyErr_NoMemory();
    return items != NULL;
}

static void work_create(void *of)
{
    flat_task *t = of;
    t->status = grz_flat_create(t->device, t->items, t->count, &t->options, &t->flat, &t->error);
}

static bool read_search(const char *text, grz_flat_search *search)
{
    static const char *const names[] = {"naive", "grid", "quadtree", "sweep"};
    for (int i = 0; i < 4; i++)
        if (strcmp(text, names[i]) == 0) {
            *search = (grz_flat_search)i;
            return true;
        }
    PyErr_Format(PyExc_ValueError, "search: \"%s\", must be \"naive\", \"grid\", \"quadtree\" or \"sweep\"", text);
    return false;
}

static PyObject *flat_new(PyTypeObject *type, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"items", "kind", "search", "deadline", NULL};
    PyObject *items = NULL;
    const char *kind = "box", *search = "quadtree";
    flat_task task = new_task();
    module_state *state = PyType_GetModuleState(type);
    if (state == NULL ||
        !PyArg_ParseTupleAndKeywords(arguments, names, "|Os$sd:Flat", keywords, &items, &kind, &search,
                                     &task.options.limits.deadline) ||
        !read_search(search, &task.options.search) ||
        (items != NULL && !read_items(items, kind, &task.items, &task.count)))
        return NULL;
    task.device = state->device;
    task.options.limits.cancel = &task.cancel;
    const bool went = run_long(work_create, &task, &task.cancel, task.count <= 20000);
    free(task.items);
    if (went && task.status != GRZ_OK)
        raise_error(state, &task.error);
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    flat_object *self = went && task.status == GRZ_OK ? (flat_object *)allocate(type, 0) : NULL;
    if (self == NULL) {
        grz_flat_destroy(task.flat);
        return NULL;
    }
    atomic_init(&self->users, 0);
    atomic_init(&self->count, grz_flat_count(task.flat));
    self->flat = task.flat;
    return (PyObject *)self;
}

static void flat_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    grz_flat_destroy(((flat_object *)object)->flat);
    release(object);
    Py_DECREF(type);
}

static Py_ssize_t flat_length(PyObject *self)
{
    return (Py_ssize_t)atomic_load(&((flat_object *)self)->count);
}

static PyObject *flat_represent(PyObject *self)
{
    return PyUnicode_FromFormat("<libgraze.Flat: %zd items>", flat_length(self));
}

static PyObject *flat_item(PyObject *object, PyObject *given)
{
    static const char *const names[] = {"point", "box", "segment"};
    flat_object *self = (flat_object *)object;
    const unsigned long number = PyLong_AsUnsignedLong(given);
    grz_flat_item item;
    if (PyErr_Occurred() != NULL || !flat_begin(self, false))
        return NULL;
    const bool is_there = number < GRZ_FLAT_NONE && grz_flat_item_at(self->flat, (uint32_t)number, &item);
    flat_end(self, false);
    if (!is_there)
        return Py_NewRef(Py_None);
    return Py_BuildValue("(s(dd)(dd))", names[item.kind], item.from[0], item.from[1], item.to[0], item.to[1]);
}

// ---- Changes --------------------------------------------------------------------------------------------------------

static void work_add(void *of)
{
    flat_task *t = of;
    t->status = grz_flat_add(t->flat, t->items, t->count, &t->options, t->numbers, &t->error);
}

static void work_move(void *of)
{
    flat_task *t = of;
    t->status = grz_flat_move(t->flat, t->numbers, t->items, t->count, &t->options, &t->error);
}

static void work_remove(void *of)
{
    flat_task *t = of;
    t->status = grz_flat_remove(t->flat, t->numbers, t->count, &t->options, &t->error);
}

static PyObject *flat_add(PyObject *object, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"items", "kind", "deadline", NULL};
    PyObject *items;
    const char *kind = "box";
    flat_task task = new_task();
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O|s$d:add", keywords, &items, &kind,
                                     &task.options.limits.deadline) ||
        !read_items(items, kind, &task.items, &task.count))
        return NULL;
    const Py_ssize_t count = (Py_ssize_t)task.count, size = sizeof(uint32_t);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, count * size);
    bool ok = bytes != NULL;
    if (ok) {
        task.numbers = (uint32_t *)(void *)PyBytes_AsString(bytes);
        ok = run((flat_object *)object, &task, work_add, true);
    }
    free(task.items);
    if (ok)
        return view_of_bytes(state_of(object), bytes, "I", size, count);
    Py_XDECREF(bytes);
    return NULL;
}

static PyObject *flat_move(PyObject *object, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"items", "numbers", "kind", "deadline", NULL};
    PyObject *items, *given = Py_None;
    const char *kind = "box";
    numbers which = {.data = NULL};
    flat_task task = new_task();
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O|Os$d:move", keywords, &items, &given, &kind,
                                     &task.options.limits.deadline) ||
        !read_items(items, kind, &task.items, &task.count))
        return NULL;
    bool ok = given == Py_None || read_integers(given, "numbers", &which);
    if (ok && given != Py_None && (uint64_t)which.rows != task.count) {
        PyErr_Format(PyExc_ValueError, "numbers: %zd, but there are %llu items", which.rows,
                     (unsigned long long)task.count);
        ok = false;
    }
    task.numbers = which.data;
    ok = ok && run((flat_object *)object, &task, work_move, true);
    numbers_finish(&which);
    free(task.items);
    return ok ? Py_NewRef(Py_None) : NULL;
}

static PyObject *flat_remove(PyObject *object, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"numbers", "deadline", NULL};
    PyObject *given;
    numbers which;
    flat_task task = new_task();
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O|$d:remove", keywords, &given,
                                     &task.options.limits.deadline) ||
        !read_integers(given, "numbers", &which))
        return NULL;
    task.numbers = which.data;
    task.count = (uint64_t)which.rows;
    const bool ok = run((flat_object *)object, &task, work_remove, true);
    numbers_finish(&which);
    return ok ? Py_NewRef(Py_None) : NULL;
}

// ---- Lists whose length is not known before -------------------------------------------------------------------------

static void work_pairs(void *of)
{
    flat_task *t = of;
    t->status = grz_flat_pairs(t->flat, &t->options, t->list, t->room, &t->found, &t->error);
}

static void work_box(void *of)
{
    flat_task *t = of;
    t->status = grz_flat_in_box(t->flat, t->low, t->high, &t->options, t->list, t->room, &t->found, &t->error);
}

static void work_circle(void *of)
{
    flat_task *t = of;
    t->status = grz_flat_in_circle(t->flat, t->low, t->radius, &t->options, t->list, t->room, &t->found, &t->error);
}

static void work_all(void *of)
{
    flat_task *t = of;
    t->status = grz_flat_all_hits(t->flat, t->rays, &t->options, t->list, t->room, &t->found, &t->error);
}

// First with room for as many as there are items, then with enough. task->list is to be released with free().
static bool run_list(flat_object *self, flat_task *task, void (*work)(void *), size_t size)
{
    task->room = atomic_load(&self->count) + 16;
    for (int i = 0; i < 2; i++) {
        free(task->list);
        task->list = malloc((size_t)task->room * size);
        if (task->list == NULL) {
            PyErr_NoMemory();
            return false;
        }
        if (!run(self, task, work, false))
            return false;
        if (task->found <= task->room)
            return true;
        task->room = task->found;
    }
    PyErr_SetString(PyExc_RuntimeError, "flat: another thread has changed it");
    return false;
}

// The list as a view of `columns` 32-bit integers a row; releases it.
static PyObject *view_of_list(PyObject *object, flat_task *task, bool ok, Py_ssize_t columns)
{
    const Py_ssize_t shape[2] = {(Py_ssize_t)task->found, columns},
                     strides[2] = {columns * (Py_ssize_t)sizeof(uint32_t), sizeof(uint32_t)};
    PyObject *bytes = ok ? PyBytes_FromStringAndSize(task->list, shape[0] * strides[0]) : NULL;
    free(task->list);
    if (bytes == NULL)
        return NULL;
    PyObject *view = make_view(state_of(object), bytes, PyBytes_AsString(bytes), "I", sizeof(uint32_t),
                               columns > 1 ? 2 : 1, shape, strides);
    Py_DECREF(bytes);
    return view;
}

static PyObject *flat_pairs(PyObject *object, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"deadline", NULL};
    flat_task task = new_task();
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "|$d:pairs", keywords, &task.options.limits.deadline))
        return NULL;
    const bool ok = run_list((flat_object *)object, &task, work_pairs, sizeof(grz_flat_pair));
    return view_of_list(object, &task, ok, 2);
}

static bool read_place(PyObject *from, const char *name, double to[2])
{
    const int count = read_flat(from, name, to, 2);
    if (count >= 0 && count != 2)
        PyErr_Format(PyExc_ValueError, "%s: %d numbers, must be 2", name, count);
    return PyErr_Occurred() == NULL;
}

static PyObject *flat_in_box(PyObject *object, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"min", "max", "deadline", NULL};
    PyObject *min, *max;
    flat_task task = new_task();
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OO|$d:in_box", keywords, &min, &max,
                                     &task.options.limits.deadline) ||
        !read_place(min, "min", task.low) || !read_place(max, "max", task.high))
        return NULL;
    const bool ok = run_list((flat_object *)object, &task, work_box, sizeof(uint32_t));
    return view_of_list(object, &task, ok, 1);
}

static PyObject *flat_in_circle(PyObject *object, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"centre", "radius", "deadline", NULL};
    PyObject *centre;
    flat_task task = new_task();
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "Od|$d:in_circle", keywords, &centre, &task.radius,
                                     &task.options.limits.deadline) ||
        !read_place(centre, "centre", task.low))
        return NULL;
    const bool ok = run_list((flat_object *)object, &task, work_circle, sizeof(uint32_t));
    return view_of_list(object, &task, ok, 1);
}

static PyObject *flat_all_hits(PyObject *object, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"origin", "through", "endless", "deadline", NULL};
    PyObject *origin, *through;
    int endless = 1;
    grz_flat_ray ray;
    flat_task task = new_task();
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OO|$pd:all_hits", keywords, &origin, &through, &endless,
                                     &task.options.limits.deadline) ||
        !read_place(origin, "origin", ray.from) || !read_place(through, "through", ray.to))
        return NULL;
    ray.endless = endless != 0;
    task.rays = &ray;
    if (run_list((flat_object *)object, &task, work_all, sizeof(grz_flat_hit)))
        return make_rows(state_of(object), FLAT_HITS, task.list, NULL, (Py_ssize_t)task.found);
    free(task.list);
    return NULL;
}

// ---- Many at once ---------------------------------------------------------------------------------------------------

static void work_nearest(void *of)
{
    flat_task *t = of;
    t->status = grz_flat_nearest(t->flat, t->points, t->count, &t->options, t->near, &t->error);
}

static void work_first(void *of)
{
    flat_task *t = of;
    t->status = grz_flat_first_hits(t->flat, t->rays, t->count, &t->options, t->hits, &t->error);
}

static PyObject *flat_nearest(PyObject *object, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"points", "deadline", NULL};
    PyObject *given;
    numbers points;
    flat_task task = new_task();
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O|$d:nearest", keywords, &given,
                                     &task.options.limits.deadline) ||
        !read_flat_rows(given, "points", 2, &points))
        return NULL;
    task.points = points.data;
    task.count = (uint64_t)points.rows;
    task.near = malloc((size_t)task.count * sizeof *task.near + 1);
    if (task.near == NULL)
        PyErr_NoMemory();
    const bool ok = task.near != NULL && run((flat_object *)object, &task, work_nearest, false);
    numbers_finish(&points);
    if (ok)
        return make_rows(state_of(object), FLAT_NEAREST, task.near, NULL, (Py_ssize_t)task.count);
    free(task.near);
    return NULL;
}

static bool make_rays(const numbers *origins, const numbers *through, bool endless, flat_task *task)
{
    if (origins->rows != through->rows) {
        PyErr_Format(PyExc_ValueError, "through: %zd rows, but origins have %zd", through->rows, origins->rows);
        return false;
    }
    task->count = (uint64_t)origins->rows;
    task->rays = malloc((size_t)task->count * sizeof *task->rays + 1);
    task->hits = malloc((size_t)task->count * sizeof *task->hits + 1);
    if (task->rays == NULL || task->hits == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (uint64_t i = 0; i < task->count; i++) {
        const double *from = (const double *)origins->data + 2 * i, *to = (const double *)through->data + 2 * i;
        task->rays[i] = (grz_flat_ray){{from[0], from[1]}, {to[0], to[1]}, endless};
    }
    return true;
}

static PyObject *flat_first_hits(PyObject *object, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"origins", "through", "endless", "deadline", NULL};
    PyObject *first, *second;
    int endless = 1;
    numbers origins, through;
    flat_task task = new_task();
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OO|$pd:first_hits", keywords, &first, &second, &endless,
                                     &task.options.limits.deadline) ||
        !read_flat_rows(first, "origins", 2, &origins))
        return NULL;
    if (!read_flat_rows(second, "through", 2, &through)) {
        numbers_finish(&origins);
        return NULL;
    }
    const bool ok =
        make_rays(&origins, &through, endless != 0, &task) && run((flat_object *)object, &task, work_first, false);
    numbers_finish(&origins);
    numbers_finish(&through);
    free(task.rays);
    if (ok)
        return make_rows(state_of(object), FLAT_HITS, task.hits, NULL, (Py_ssize_t)task.count);
    free(task.hits);
    return NULL;
}

// ---- The types ------------------------------------------------------------------------------------------------------

static PyMethodDef methods[] = {
    {"item", flat_item, METH_O,
     "item($self, number, /)\n--\n\nAn item as (kind, (x, y), (x, y)); None if no item has this number."},
    {"add", (PyCFunction)(void (*)(void))flat_add, METH_VARARGS | METH_KEYWORDS,
     "add($self, items, kind='box', *, deadline=0.0)\n--\n\nPut items in; returns their numbers, each the lowest that "
     "is free."},
    {"move", (PyCFunction)(void (*)(void))flat_move, METH_VARARGS | METH_KEYWORDS,
     "move($self, items, numbers=None, kind='box', *, deadline=0.0)\n--\n\nPut others in the place of these items; "
     "without numbers of the first ones."},
    {"remove", (PyCFunction)(void (*)(void))flat_remove, METH_VARARGS | METH_KEYWORDS,
     "remove($self, numbers, *, deadline=0.0)\n--\n\nTake items out."},
    {"pairs", (PyCFunction)(void (*)(void))flat_pairs, METH_VARARGS | METH_KEYWORDS,
     "pairs($self, *, deadline=0.0)\n--\n\nAll pairs of items that have a point in common, an array (n, 2), sorted."},
    {"in_box", (PyCFunction)(void (*)(void))flat_in_box, METH_VARARGS | METH_KEYWORDS,
     "in_box($self, min, max, *, deadline=0.0)\n--\n\nThe numbers of all items that have a point in common with a "
     "box."},
    {"in_circle", (PyCFunction)(void (*)(void))flat_in_circle, METH_VARARGS | METH_KEYWORDS,
     "in_circle($self, centre, radius, *, deadline=0.0)\n--\n\nThe numbers of all items whose distance from a point is "
     "at most a radius."},
    {"nearest", (PyCFunction)(void (*)(void))flat_nearest, METH_VARARGS | METH_KEYWORDS,
     "nearest($self, points, *, deadline=0.0)\n--\n\nThe nearest item for each point, a FlatNearest."},
    {"first_hits", (PyCFunction)(void (*)(void))flat_first_hits, METH_VARARGS | METH_KEYWORDS,
     "first_hits($self, origins, through, *, endless=True, deadline=0.0)\n--\n\nWhat each ray meets first, a FlatHits; "
     "with endless=False rays end at `through`."},
    {"all_hits", (PyCFunction)(void (*)(void))flat_all_hits, METH_VARARGS | METH_KEYWORDS,
     "all_hits($self, origin, through, *, endless=True, deadline=0.0)\n--\n\nAll items that a ray meets, in their "
     "order "
     "along it, a FlatHits."},
    {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {
    {Py_tp_new, flat_new},
    {Py_tp_dealloc, flat_dealloc},
    {Py_tp_methods, methods},
    {Py_sq_length, flat_length},
    {Py_tp_repr, flat_represent},
    {Py_tp_doc,
     "Flat(items=(), kind='box', *, search='quadtree', deadline=0.0)\n--\n\nPoints, boxes and segments in the "
     "plane. `items` are rows: x, y of points; x, y of the lower and of the upper corner of boxes; x, y of "
     "both ends of segments. search: 'naive', 'grid', 'quadtree' or 'sweep', with the same answers."},
    {0, NULL}};

PyType_Spec flat_spec = {.name = "libgraze._graze.Flat",
                         .basicsize = sizeof(flat_object),
                         .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
                         .slots = slots};

static PyObject *represent_nearest(PyObject *self)
{
    return PyUnicode_FromFormat("<libgraze.FlatNearest: %zd points>", rows_length(self));
}

static PyObject *represent_hits(PyObject *self)
{
    return PyUnicode_FromFormat("<libgraze.FlatHits: %zd>", rows_length(self));
}

static PyGetSetDef nearest_properties[] = {
    ROWS_COLUMN("distances", grz_flat_near, distance, "d", double, 1,
                "The nearest double to the exact distance; infinite where there is no item."),
    ROWS_COLUMN("numbers", grz_flat_near, number, "I", uint32_t, 1,
                "Of the nearest item, the lowest of several; NONE where there is no item."),
    {NULL, NULL, NULL, NULL, NULL}};

static PyGetSetDef hits_properties[] = {
    ROWS_COLUMN("t", grz_flat_hit, t, "d", double, 1,
                "Where the ray meets the item: 0 at its origin, 1 at `through`; infinite where it meets none."),
    ROWS_COLUMN("numbers", grz_flat_hit, number, "I", uint32_t, 1, "Of the item; NONE where there is none."),
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot nearest_slots[] = {{Py_tp_dealloc, rows_dealloc},
                                      {Py_tp_getset, nearest_properties},
                                      {Py_sq_length, rows_length},
                                      {Py_tp_repr, represent_nearest},
                                      {Py_tp_doc, "The items of a Flat nearest to points, a row for each point."},
                                      {0, NULL}};

PyType_Spec flat_nearest_spec = {.name = "libgraze._graze.FlatNearest",
                                 .basicsize = sizeof(rows_object),
                                 .flags =
                                     Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
                                 .slots = nearest_slots};

static PyType_Slot hits_slots[] = {{Py_tp_dealloc, rows_dealloc},
                                   {Py_tp_getset, hits_properties},
                                   {Py_sq_length, rows_length},
                                   {Py_tp_repr, represent_hits},
                                   {Py_tp_doc, "Items of a Flat that rays meet, a row for each."},
                                   {0, NULL}};

PyType_Spec flat_hits_spec = {.name = "libgraze._graze.FlatHits",
                              .basicsize = sizeof(rows_object),
                              .flags =
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
                              .slots = hits_slots};
