// SPDX-License-Identifier: MIT
// Pictures of meshes and of what a query found, drawn by OpenGL: picture(), aim() and the type Picture, which is an
// array of bytes. OpenGL is opened by the first picture.
#include "rows.h"

#include <graze/io.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct picture_object {
    PyObject_HEAD
    uint8_t *pixels; // rows from the top, 4 bytes a pixel
    grz_picture_view view;
    Py_ssize_t shape[3], strides[3];
} picture_object;

enum {
    MOST_PIXELS = 32768 // of a side
};

// The options of a picture, and the memory that they point to.
typedef struct picture_options {
    grz_picture_options c;
    PyObject *names; // a tuple
    const char **texts;
    uint8_t *colours, *touch_colours;
} picture_options;

// The arguments as they are given; NULL: not given.
typedef struct picture_arguments {
    PyObject *objects, *pose, *result, *direction, *up, *region, *names, *colours, *touch_colours;
    long long width, height;
    const char *title, *caption;
    int whole, legend, inset;
} picture_arguments;

static void options_finish(picture_options *o)
{
    Py_CLEAR(o->names);
    free(o->texts);
    free(o->colours);
    free(o->touch_colours);
    *o = (picture_options){.names = NULL};
}

// Three bytes an object: from a buffer of bytes, or rows of three whole numbers from 0 to 255.
static bool read_colors(PyObject *from, const char *name, uint32_t count, uint8_t **to)
{
    Py_buffer view;
    bool ok = true;
    if (from == NULL || from == Py_None)
        return true;
    *to = malloc(3 * (size_t)count + 1);
    if (*to == NULL) {
        PyErr_NoMemory();
        return false;
    }
    if (PyObject_CheckBuffer(from)) {
        if (PyObject_GetBuffer(from, &view, PyBUF_FULL_RO) != 0)
            return false;
        const bool is_bytes = view.itemsize == 1 && (view.format == NULL || strcmp(view.format, "B") == 0);
        if (!is_bytes)
            PyErr_Format(PyExc_TypeError, "%s: an array of type \"%s\", must be of uint8", name, view.format);
        else if (view.len != 3 * (Py_ssize_t)count)
            PyErr_Format(PyExc_ValueError, "%s: %zd bytes, must be 3 for each of %lu objects", name, view.len,
                         (unsigned long)count);
        ok = PyErr_Occurred() == NULL && PyBuffer_ToContiguous(*to, &view, view.len, 'C') == 0;
        PyBuffer_Release(&view);
        return ok;
    }
    numbers given;
    if (!read_doubles(from, name, false, &given))
        return false;
    const double *values = given.data;
    ok = given.rows == (Py_ssize_t)count;
    if (!ok)
        PyErr_Format(PyExc_ValueError, "%s: %zd rows, must be one for each of %lu objects", name, given.rows,
                     (unsigned long)count);
    for (Py_ssize_t i = 0; ok && i < 3 * given.rows; i++) {
        ok = values[i] >= 0.0 && values[i] <= 255.0 && values[i] == floor(values[i]);
        if (ok)
            (*to)[i] = (uint8_t)values[i];
        else
            PyErr_Format(PyExc_ValueError, "%s: row %zd must be whole numbers from 0 to 255", name, i / 3);
    }
    numbers_finish(&given);
    return ok;
}

static bool read_names(PyObject *from, uint32_t count, picture_options *o)
{
    if (from == NULL || from == Py_None)
        return true;
    o->names = PyUnicode_Check(from) ? NULL : PySequence_Tuple(from);
    if (o->names == NULL || PyTuple_Size(o->names) != (Py_ssize_t)count) {
        if (PyErr_Occurred() == NULL || PyErr_ExceptionMatches(PyExc_TypeError))
            PyErr_Format(PyExc_ValueError, "names: must be a sequence with a text or None for each of %lu objects",
                         (unsigned long)count);
        return false;
    }
    o->texts = calloc((size_t)count + 1, sizeof(char *));
    if (o->texts == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        PyObject *name = PyTuple_GetItem(o->names, (Py_ssize_t)i);
        if (name == Py_None)
            continue;
        if (!PyUnicode_Check(name)) {
            PyErr_Format(PyExc_TypeError, "names: item %lu must be a text or None", (unsigned long)i);
            return false;
        }
        o->texts[i] = PyUnicode_AsUTF8AndSize(name, NULL);
        if (o->texts[i] == NULL)
            return false;
    }
    o->c.names = o->texts;
    return true;
}

static bool read_size(long long width, long long height, grz_picture_options *c)
{
    if (width < 1 || width > MOST_PIXELS || height < 1 || height > MOST_PIXELS) {
        PyErr_Format(PyExc_ValueError, "%s: %lld, must be 1 to %d",
                     width < 1 || width > MOST_PIXELS ? "width" : "height",
                     width < 1 || width > MOST_PIXELS ? width : height, MOST_PIXELS);
        return false;
    }
    c->width = (uint32_t)width;
    c->height = (uint32_t)height;
    return true;
}

static bool read_camera(PyObject *direction, PyObject *up, PyObject *region, grz_picture_options *c)
{
    double box[6];
    if (direction != NULL && direction != Py_None) {
        c->has_direction = true;
        if (!read_vector(direction, "direction", true, c->direction))
            return false;
    }
    if (up != NULL && up != Py_None && !read_vector(up, "up", true, c->up))
        return false;
    if (region == NULL || region == Py_None)
        return true;
    const int count = read_flat(region, "region", box, 6);
    bool ordered = count == 6, extended = false;
    for (int k = 0; k < 3 && ordered; k++) {
        ordered = isfinite(box[k]) && isfinite(box[k + 3]) && box[k] <= box[k + 3];
        extended = extended || box[k] < box[k + 3];
        c->region_min[k] = box[k];
        c->region_max[k] = box[k + 3];
    }
    c->has_region = true;
    if (count >= 0 && !(ordered && extended))
        PyErr_SetString(PyExc_ValueError,
                        "region: must be the lower and the upper corner of a box, three numbers each");
    return ordered && extended;
}

// False: an exception is set, and nothing is left.
static bool read_options(const picture_arguments *given, uint32_t count, picture_options *o)
{
    *o = (picture_options){.c = grz_default_picture_options()};
    o->c.whole = given->whole != 0;
    o->c.legend = given->legend != 0;
    o->c.inset = given->inset != 0;
    o->c.title = given->title;
    o->c.caption = given->caption;
    const bool ok = read_size(given->width, given->height, &o->c) &&
                    read_camera(given->direction, given->up, given->region, &o->c) &&
                    read_names(given->names, count, o) && read_colors(given->colours, "colours", count, &o->colours) &&
                    read_colors(given->touch_colours, "touch_colours", count, &o->touch_colours);
    o->c.colours = o->colours;
    o->c.touch_colours = o->touch_colours;
    if (!ok)
        options_finish(o);
    return ok;
}

static bool parse(PyObject *arguments, PyObject *names, picture_arguments *given)
{
    static char *keywords[] = {"objects", "pose",   "result",  "width",         "height", "direction",
                               "up",      "region", "whole",   "names",         "title",  "caption",
                               "legend",  "inset",  "colours", "touch_colours", NULL};
    const grz_picture_options usual = grz_default_picture_options();
    *given = (picture_arguments){.width = usual.width, .height = usual.height, .legend = 1, .inset = 1};
    return PyArg_ParseTupleAndKeywords(
        arguments, names, "O|$OOLLOOOpOzzppOO:picture", keywords, &given->objects, &given->pose, &given->result,
        &given->width, &given->height, &given->direction, &given->up, &given->region, &given->whole, &given->names,
        &given->title, &given->caption, &given->legend, &given->inset, &given->colours, &given->touch_colours);
}

static PyObject *draw(module_state *state, const targets *t, const grz_result *result, const picture_arguments *given)
{
    allocfunc allocate = (allocfunc)PyType_GetSlot(state->picture_type, Py_tp_alloc);
    picture_options options;
    grz_error error;
    grz_status status;
    if (!read_options(given, t->count, &options))
        return NULL;
    const size_t width = options.c.width, height = options.c.height;
    picture_object *made = (picture_object *)allocate(state->picture_type, 0);
    uint8_t *pixels = malloc(width * height * 4);
    bool ok = made != NULL && pixels != NULL;
    if (ok) {
        made->pixels = pixels;
        const Py_ssize_t shape[3] = {(Py_ssize_t)height, (Py_ssize_t)width, 4},
                         strides[3] = {(Py_ssize_t)(4 * width), 4, 1};
        memcpy(made->shape, shape, sizeof shape);
        memcpy(made->strides, strides, sizeof strides);
        Py_BEGIN_ALLOW_THREADS
        status = grz_picture_draw(state->device, t->objects, t->count, result, &options.c, pixels, &made->view, &error);
        Py_END_ALLOW_THREADS
        ok = status == GRZ_OK;
        if (!ok)
            raise_error(state, &error);
    } else {
        free(pixels);
        if (made != NULL)
            PyErr_NoMemory();
    }
    options_finish(&options);
    if (!ok)
        Py_CLEAR(made);
    return (PyObject *)made;
}

static PyObject *call_picture(PyObject *module, PyObject *arguments, PyObject *names)
{
    module_state *state = state_of_module(module);
    picture_arguments given;
    const grz_result *result = NULL;
    targets t;
    if (!parse(arguments, names, &given))
        return NULL;
    if (given.result != NULL && given.result != Py_None) {
        if (!PyObject_TypeCheck(given.result, state->result_type)) {
            PyErr_SetString(PyExc_TypeError, "result: must be a libgraze.Result");
            return NULL;
        }
        result = ((result_object *)given.result)->result;
    }
    if (!targets_begin(state, given.objects, given.pose, "objects", &t))
        return NULL;
    PyObject *made = NULL;
    if (t.count > 0)
        made = draw(state, &t, result, &given);
    else
        PyErr_SetString(PyExc_ValueError, "objects: there are none");
    targets_end(state, &t);
    return made;
}

PyObject *result_picture(PyObject *self, PyObject *arguments, PyObject *names)
{
    module_state *state = state_of(self);
    const result_object *r = (const result_object *)self;
    picture_arguments given;
    if (PyTuple_Size(arguments) != 0) {
        PyErr_SetString(PyExc_TypeError, "picture: takes keywords only");
        return NULL;
    }
    PyObject *one = PyTuple_Pack(1, Py_None);
    const bool parsed = one != NULL && parse(one, names, &given);
    Py_XDECREF(one);
    if (!parsed)
        return NULL;
    if (given.pose != NULL || given.result != NULL) {
        PyErr_SetString(PyExc_TypeError, "picture: the result knows its meshes, their poses and itself");
        return NULL;
    }
    if (r->mesh_count == 0) {
        PyErr_SetString(PyExc_ValueError,
                        "picture: this result does not know its objects: use libgraze.picture(objects, "
                        "result=…)");
        return NULL;
    }
    grz_object objects[2];
    targets t = {.objects = objects};
    PyObject *made = NULL;
    for (; t.count < r->mesh_count; t.count++) {
        mesh_object *mesh;
        if (!mesh_begin(state, r->meshes[t.count], t.count == 0 ? "a" : "b", &mesh))
            break;
        objects[t.count] = grz_object_at(mesh->mesh, r->poses[t.count]);
    }
    if (t.count == r->mesh_count)
        made = draw(state, &t, r->result, &given);
    for (uint32_t i = 0; i < t.count; i++)
        mesh_end((mesh_object *)r->meshes[i]);
    return made;
}

// ---- Views without a picture

static PyObject *row_of(const double *row)
{
    return Py_BuildValue("(dddd)", row[0], row[1], row[2], row[3]);
}

static PyObject *matrix_of(const double matrix[4][4])
{
    return Py_BuildValue("(NNNN)", row_of(matrix[0]), row_of(matrix[1]), row_of(matrix[2]), row_of(matrix[3]));
}

static PyObject *call_aim(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"objects", "pose", "width", "height", "direction", "up", "region", NULL};
    const grz_picture_options usual = grz_default_picture_options();
    module_state *state = state_of_module(module);
    picture_arguments given = {.width = usual.width, .height = usual.height};
    picture_options options;
    grz_picture_view view;
    grz_error error;
    grz_status status;
    targets t;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O|$OLLOOO:aim", keywords, &given.objects, &given.pose,
                                     &given.width, &given.height, &given.direction, &given.up, &given.region) ||
        !targets_begin(state, given.objects, given.pose, "objects", &t))
        return NULL;
    bool ok = t.count > 0;
    if (!ok)
        PyErr_SetString(PyExc_ValueError, "objects: there are none");
    ok = ok && read_options(&given, t.count, &options);
    if (ok) {
        Py_BEGIN_ALLOW_THREADS
        status = grz_picture_aim(state->device, t.objects, t.count, &options.c, &view, &error);
        Py_END_ALLOW_THREADS
        options_finish(&options);
        ok = status == GRZ_OK;
        if (!ok)
            raise_error(state, &error);
    }
    targets_end(state, &t);
    return ok ? Py_BuildValue("{sNs(ddd)}", "to_pixels", matrix_of((const double(*)[4])view.to_pixels), "direction",
                              view.direction[0], view.direction[1], view.direction[2])
              : NULL;
}

static PyObject *call_ray_through_pixel(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"to_pixels", "column", "row", NULL};
    PyObject *given;
    double given_numbers[16], matrix[4][4], x, y;
    grz_ray ray;
    grz_error error;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "Odd:ray_through_pixel", keywords, &given, &x, &y))
        return NULL;
    const int count = read_flat(given, "to_pixels", given_numbers, 16);
    if (count < 0)
        return NULL;
    if (count != 16) {
        PyErr_Format(PyExc_ValueError, "to_pixels: %d numbers, must be a matrix of 4 x 4", count);
        return NULL;
    }
    memcpy(matrix, given_numbers, sizeof matrix);
    if (grz_ray_through_pixel((const double(*)[4])matrix, x, y, &ray, &error) != GRZ_OK)
        return raise_error(state_of_module(module), &error);
    return Py_BuildValue("((ddd)(ddd))", ray.origin[0], ray.origin[1], ray.origin[2], ray.direction[0],
                         ray.direction[1], ray.direction[2]);
}

// ---- The type Picture

static PyObject *get_pixels(PyObject *self, void *closure)
{
    (void)closure;
    const picture_object *p = (const picture_object *)self;
    return make_view(state_of(self), self, p->pixels, "B", 1, 3, p->shape, p->strides);
}

static PyObject *get_rgb(PyObject *self, void *closure)
{
    (void)closure;
    const picture_object *p = (const picture_object *)self;
    const Py_ssize_t shape[3] = {p->shape[0], p->shape[1], 3};
    return make_view(state_of(self), self, p->pixels, "B", 1, 3, shape, p->strides);
}

static PyObject *get_width(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromSsize_t(((picture_object *)self)->shape[1]);
}

static PyObject *get_height(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromSsize_t(((picture_object *)self)->shape[0]);
}

static PyObject *get_to_pixels(PyObject *self, void *closure)
{
    (void)closure;
    return matrix_of((const double(*)[4])((picture_object *)self)->view.to_pixels);
}

static PyObject *get_direction(PyObject *self, void *closure)
{
    (void)closure;
    const double *d = ((picture_object *)self)->view.direction;
    return Py_BuildValue("(ddd)", d[0], d[1], d[2]);
}

static PyObject *get_visible(PyObject *self, void *closure)
{
    (void)closure;
    return PyFloat_FromDouble(((picture_object *)self)->view.visible);
}

static PyObject *save(PyObject *self, PyObject *given)
{
    const picture_object *p = (const picture_object *)self;
    PyObject *path;
    grz_error error;
    grz_status status;
    if (!PyUnicode_FSConverter(given, &path))
        return NULL;
    const char *name = PyBytes_AsString(path);
    Py_BEGIN_ALLOW_THREADS
    status = grz_io_write_png(name, (uint32_t)p->shape[1], (uint32_t)p->shape[0], p->pixels, &error);
    Py_END_ALLOW_THREADS
    Py_DECREF(path);
    if (status != GRZ_OK)
        return raise_error(state_of(self), &error);
    Py_RETURN_NONE;
}

static PyObject *represent(PyObject *self)
{
    const picture_object *p = (const picture_object *)self;
    return PyUnicode_FromFormat("<libgraze.Picture: %zd x %zd pixels>", p->shape[1], p->shape[0]);
}

static void picture_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    free(((picture_object *)object)->pixels);
    release(object);
    Py_DECREF(type);
}

static PyGetSetDef properties[] = {
    {"pixels", get_pixels, NULL, "Red, green, blue and 255: (height, width, 4) bytes from the top; not a copy.", NULL},
    {"rgb", get_rgb, NULL, "The same without the last: (height, width, 3) bytes; not a copy.", NULL},
    {"width", get_width, NULL, "Pixels.", NULL},
    {"height", get_height, NULL, "Pixels.", NULL},
    {"to_pixels", get_to_pixels, NULL, "A matrix of 4 x 4: world coordinates to columns, rows and depths.", NULL},
    {"direction", get_direction, NULL, "From the eye to the objects, of length 1.", NULL},
    {"visible", get_visible, NULL, "The share of the contact that nothing hides, 0 to 1.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef methods[] = {{"save", save, METH_O, "save($self, path, /)\n--\n\nWrite it as a PNG file."},
                                {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {{Py_tp_dealloc, picture_dealloc},
                              {Py_tp_getset, properties},
                              {Py_tp_methods, methods},
                              {Py_tp_repr, represent},
                              {Py_tp_doc, "A picture, and how it was taken."},
                              {0, NULL}};

PyType_Spec picture_spec = {.name = "libgraze._graze.Picture",
                            .basicsize = sizeof(picture_object),
                            .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
                            .slots = slots};

PyMethodDef pictures_functions[] = {
    {"picture", (PyCFunction)(void (*)(void))call_picture, METH_VARARGS | METH_KEYWORDS,
     "picture($module, objects, *, pose=None, result=None, width=1200, height=900, direction=None, up=None, "
     "region=None, whole=False, names=None, title=None, caption=None, legend=True, inset=True, colours=None, "
     "touch_colours=None)\n--\n\nDraw meshes by OpenGL; see libgraze.picture."},
    {"aim", (PyCFunction)(void (*)(void))call_aim, METH_VARARGS | METH_KEYWORDS,
     "aim($module, objects, *, pose=None, width=1200, height=900, direction=None, up=None, region=None)\n--\n\nHow a "
     "picture would be taken; see libgraze.aim."},
    {"ray_through_pixel", (PyCFunction)(void (*)(void))call_ray_through_pixel, METH_VARARGS | METH_KEYWORDS,
     "ray_through_pixel($module, to_pixels, column, row)\n--\n\nThe origin and the direction of the ray through a "
     "point "
     "of a picture: t = 0 at depth 0, t = 1 at depth 1."},
    {NULL, NULL, 0, NULL}};
