// SPDX-License-Identifier: MIT
// Reading arrays: buffers of numbers, and sequences of sequences.
#include "graze_python.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void numbers_finish(numbers *n)
{
    free(n->data);
    n->data = NULL;
}

// The letter of a buffer's numbers, without what says that they are in this machine's order; 0: another order, or no
// plain numbers.
static char letter_of(const Py_buffer *view)
{
    const char *format = view->format != NULL ? view->format : "B";
    const uint16_t one = 1;
    const bool little = *(const uint8_t *)&one == 1;
    if (*format == '@' || *format == '=' || *format == (little ? '<' : '>'))
        format++;
    return format[0] != '\0' && format[1] == '\0' ? format[0] : '\0';
}

static bool is_integer(char letter)
{
    return letter != '\0' && strchr("iIlLqQ", letter) != NULL;
}

bool doubles_of_buffer(Py_buffer *view, const char *name, double **to)
{
    const char letter = letter_of(view);
    const bool integers = is_integer(letter);
    *to = NULL;
    if (!integers && letter != 'f' && letter != 'd') {
        PyErr_Format(PyExc_TypeError,
                     "%s: an array of type \"%s\", must be of float32, float64, or 32- or 64-bit integers in this "
                     "machine's byte order",
                     name, view->format != NULL ? view->format : "B");
        return false;
    }
    const Py_ssize_t count = view->itemsize > 0 ? view->len / view->itemsize : 0;
    void *packed = malloc((size_t)view->len + 1);
    double *made = calloc((size_t)count + 1, sizeof *made);
    bool ok = packed != NULL && made != NULL;
    if (!ok)
        PyErr_NoMemory();
    ok = ok && PyBuffer_ToContiguous(packed, view, view->len, 'C') == 0;
    const bool is_signed = letter != '\0' && strchr("ilq", letter) != NULL;
    for (Py_ssize_t i = 0; i < count && ok; i++) {
        if (letter == 'd')
            made[i] = ((const double *)packed)[i];
        else if (letter == 'f')
            made[i] = (double)((const float *)packed)[i];
        else if (view->itemsize == 4)
            made[i] = is_signed ? (double)((const int32_t *)packed)[i] : (double)((const uint32_t *)packed)[i];
        else
            made[i] = is_signed ? (double)((const int64_t *)packed)[i] : (double)((const uint64_t *)packed)[i];
    }
    free(packed);
    if (!ok) {
        free(made);
        made = NULL;
    }
    *to = made;
    return ok;
}

// What rows are read: of so many floats or integers; of integers `noun` says what they are.
typedef struct row_form {
    bool integers;
    int columns;
    const char *noun;
} row_form;

static const row_form points_form = {.columns = 3}, faces_form = {true, 3, "vertex"}, pairs_form = {true, 2, "number"},
                      list_form = {true, 1, "number"};

static const char *word_of(int columns)
{
    return columns == 3 ? "three" : columns == 4 ? "four" : "two";
}

static bool refuse_integer(const char *name, Py_ssize_t row, const row_form *form, long long value)
{
    PyErr_Format(PyExc_ValueError, "%s: row %zd has the %s %lld, must be 0 to 4294967295", name, row, form->noun,
                 value);
    return false;
}

// Integers of 4 or 8 bytes as numbers of vertices or others.
static bool convert_integers(const void *from, const Py_buffer *view, char letter, const char *name,
                             const row_form *form, uint32_t *to)
{
    const bool is_signed = strchr("ilq", letter) != NULL;
    const Py_ssize_t count = view->len / view->itemsize;
    for (Py_ssize_t i = 0; i < count; i++) {
        int64_t value = 0;
        if (view->itemsize == 8)
            memcpy(&value, (const char *)from + 8 * i, 8);
        else if (is_signed)
            value = ((const int32_t *)from)[i];
        else
            value = ((const uint32_t *)from)[i];
        if (value < 0 || value > (int64_t)UINT32_MAX)
            return refuse_integer(name, i / form->columns, form, (long long)value);
        to[i] = (uint32_t)value;
    }
    return true;
}

static bool check_view(const Py_buffer *view, const char *name, const row_form *form, char letter)
{
    if (view->ndim != 2 || view->shape[1] != form->columns) {
        if (view->ndim == 2)
            PyErr_Format(PyExc_ValueError, "%s: an array of shape (%zd, %zd), must be (n, %d)", name, view->shape[0],
                         view->shape[1], form->columns);
        else
            PyErr_Format(PyExc_ValueError, "%s: an array of %d dimensions, must be of shape (n, %d)", name, view->ndim,
                         form->columns);
        return false;
    }
    const bool known = form->integers ? is_integer(letter) && (view->itemsize == 4 || view->itemsize == 8)
                                      : letter == 'f' || letter == 'd';
    if (!known)
        PyErr_Format(PyExc_TypeError, "%s: an array of type \"%s\", must be of %s in this machine's byte order", name,
                     view->format != NULL ? view->format : "B",
                     form->integers ? "32- or 64-bit integers" : "float32 or float64");
    return known;
}

static bool read_buffer(PyObject *from, const char *name, const row_form *form, numbers *out)
{
    Py_buffer view;
    if (PyObject_GetBuffer(from, &view, PyBUF_FULL_RO) != 0)
        return false;
    const char letter = letter_of(&view);
    bool ok = check_view(&view, name, form, letter);
    if (ok) {
        *out = (numbers){.rows = view.shape[0], .columns = form->columns, .is_float32 = letter == 'f'};
        out->data = malloc((size_t)view.len + 1);
        ok = out->data != NULL;
        if (!ok)
            PyErr_NoMemory();
        ok = ok && PyBuffer_ToContiguous(out->data, &view, view.len, 'C') == 0;
        // In place: a number is not longer than the integer that it comes from.
        ok = ok && (!form->integers || convert_integers(out->data, &view, letter, name, form, out->data));
        if (!ok)
            numbers_finish(out);
    }
    PyBuffer_Release(&view);
    return ok;
}

static bool read_item(PyObject *item, const char *name, Py_ssize_t row, const row_form *form, void *to, Py_ssize_t at)
{
    if (!form->integers) {
        ((double *)to)[at] = PyFloat_AsDouble(item);
        return PyErr_Occurred() == NULL;
    }
    const long long value = PyLong_AsLongLong(item);
    if (value == -1 && PyErr_Occurred() != NULL)
        return false;
    if (value < 0 || value > (long long)UINT32_MAX)
        return refuse_integer(name, row, form, value);
    ((uint32_t *)to)[at] = (uint32_t)value;
    return true;
}

static bool read_row(PyObject *row, const char *name, Py_ssize_t i, const row_form *form, void *to)
{
    if (!PySequence_Check(row)) {
        PyErr_Format(PyExc_TypeError, "%s: row %zd is no sequence: must be rows of %s numbers", name, i,
                     word_of(form->columns));
        return false;
    }
    const Py_ssize_t count = PySequence_Size(row);
    if (count < 0)
        return false;
    if (count != form->columns) {
        PyErr_Format(PyExc_ValueError, "%s: row %zd has %zd numbers, must be %d", name, i, count, form->columns);
        return false;
    }
    for (Py_ssize_t k = 0; k < form->columns; k++) {
        PyObject *item = PySequence_GetItem(row, k);
        const bool ok = item != NULL && read_item(item, name, i, form, to, form->columns * i + k);
        Py_XDECREF(item);
        if (!ok)
            return false;
    }
    return true;
}

static bool read_sequence(PyObject *from, const char *name, const row_form *form, numbers *out)
{
    const Py_ssize_t rows = PySequence_Check(from) ? PySequence_Size(from) : -1;
    if (rows < 0) {
        if (PyErr_Occurred() == NULL)
            PyErr_Format(PyExc_TypeError, "%s: must be an array of shape (n, %d), or a sequence of rows of %s", name,
                         form->columns, word_of(form->columns));
        return false;
    }
    *out = (numbers){.rows = rows, .columns = form->columns};
    out->data = calloc((size_t)rows + 1, (size_t)form->columns * (form->integers ? sizeof(uint32_t) : sizeof(double)));
    bool ok = out->data != NULL;
    if (!ok)
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < rows && ok; i++) {
        PyObject *row = PySequence_GetItem(from, i);
        ok = row != NULL && read_row(row, name, i, form, out->data);
        Py_XDECREF(row);
    }
    if (!ok)
        numbers_finish(out);
    return ok;
}

static bool read_numbers(PyObject *from, const char *name, const row_form *form, numbers *out)
{
    *out = (numbers){.data = NULL};
    return PyObject_CheckBuffer(from) ? read_buffer(from, name, form, out) : read_sequence(from, name, form, out);
}

bool read_points(PyObject *from, const char *name, numbers *out)
{
    return read_numbers(from, name, &points_form, out);
}

bool read_faces(PyObject *from, const char *name, numbers *out)
{
    return read_numbers(from, name, &faces_form, out);
}

bool read_pairs(PyObject *from, const char *name, numbers *out)
{
    return read_numbers(from, name, &pairs_form, out);
}

// Packed floats become doubles. False: an exception is set.
static bool widen(numbers *n)
{
    const Py_ssize_t count = n->columns * n->rows;
    if (!n->is_float32)
        return true;
    double *wide = calloc((size_t)count + 1, sizeof *wide);
    for (Py_ssize_t i = 0; i < count && wide != NULL; i++)
        wide[i] = (double)((const float *)n->data)[i];
    free(n->data);
    n->data = wide;
    n->is_float32 = false;
    if (wide == NULL)
        PyErr_NoMemory();
    return wide != NULL;
}

bool read_flat_rows(PyObject *from, const char *name, int columns, numbers *out)
{
    const row_form form = {.columns = columns};
    return read_numbers(from, name, &form, out) && widen(out);
}

bool read_integers(PyObject *from, const char *name, numbers *out)
{
    Py_buffer view;
    *out = (numbers){.data = NULL, .columns = 1};
    if (!PyObject_CheckBuffer(from)) {
        out->rows = PySequence_Check(from) ? PySequence_Size(from) : -1;
        if (out->rows < 0) {
            if (PyErr_Occurred() == NULL)
                PyErr_Format(PyExc_TypeError, "%s: must be integers in a sequence or an array", name);
            return false;
        }
        out->data = calloc((size_t)out->rows + 1, sizeof(uint32_t));
        bool ok = out->data != NULL;
        if (!ok)
            PyErr_NoMemory();
        for (Py_ssize_t i = 0; i < out->rows && ok; i++) {
            PyObject *item = PySequence_GetItem(from, i);
            ok = item != NULL && read_item(item, name, i, &list_form, out->data, i);
            Py_XDECREF(item);
        }
        if (!ok)
            numbers_finish(out);
        return ok;
    }
    if (PyObject_GetBuffer(from, &view, PyBUF_FULL_RO) != 0)
        return false;
    const char letter = letter_of(&view);
    bool ok = view.ndim == 1 && is_integer(letter) && (view.itemsize == 4 || view.itemsize == 8);
    if (!ok)
        PyErr_Format(PyExc_TypeError, "%s: must be an array of 32- or 64-bit integers with one dimension", name);
    if (ok) {
        out->rows = view.shape[0];
        out->data = malloc((size_t)view.len + 1);
        ok = out->data != NULL && PyBuffer_ToContiguous(out->data, &view, view.len, 'C') == 0 &&
             convert_integers(out->data, &view, letter, name, &list_form, out->data);
        if (out->data == NULL)
            PyErr_NoMemory();
        if (!ok)
            numbers_finish(out);
    }
    PyBuffer_Release(&view);
    return ok;
}

static bool check_doubles(const double *values, Py_ssize_t rows, const char *name, bool nonzero)
{
    for (Py_ssize_t i = 0; i < rows; i++) {
        const double *v = values + 3 * i;
        if (!isfinite(v[0]) || !isfinite(v[1]) || !isfinite(v[2])) {
            PyErr_Format(PyExc_ValueError, "%s: row %zd is not finite", name, i);
            return false;
        }
        if (nonzero && v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0) {
            PyErr_Format(PyExc_ValueError, "%s: row %zd is all zeros", name, i);
            return false;
        }
    }
    return true;
}

bool read_doubles(PyObject *from, const char *name, bool nonzero, numbers *out)
{
    if (!read_points(from, name, out))
        return false;
    if (!widen(out))
        return false;
    const bool ok = check_doubles(out->data, out->rows, name, nonzero);
    if (!ok)
        numbers_finish(out);
    return ok;
}

// All numbers of a nested sequence or of an array, one after the other; at most `most`. -1: an exception is set.
static int flatten(PyObject *from, const char *name, int depth, double *to, int most)
{
    if (PyComplex_Check(from) || PyBytes_Check(from) || PyByteArray_Check(from) || PyUnicode_Check(from)) {
        PyErr_Format(PyExc_TypeError, "%s: must be real numbers", name);
        return -1;
    }
    if (PyMemoryView_Check(from)) { // its rows are no sequences
        PyObject *list = PyObject_CallMethod(from, "tolist", NULL);
        const int found = list != NULL ? flatten(list, name, depth, to, most) : -1;
        Py_XDECREF(list);
        return found;
    }
    if (depth == 2 || !PySequence_Check(from)) {
        const double value = PyFloat_AsDouble(from);
        if (value == -1.0 && PyErr_Occurred() != NULL)
            return -1;
        if (most < 1) {
            PyErr_Format(PyExc_ValueError, "%s: too many numbers", name);
            return -1;
        }
        *to = value;
        return 1;
    }
    const Py_ssize_t count = PySequence_Size(from);
    int total = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = PySequence_GetItem(from, i);
        const int found = item != NULL ? flatten(item, name, depth + 1, to + total, most - total) : -1;
        Py_XDECREF(item);
        if (found < 0)
            return -1;
        total += found;
    }
    return count < 0 ? -1 : total;
}

int read_flat(PyObject *from, const char *name, double *to, int most)
{
    if (PySequence_Check(from))
        return flatten(from, name, 0, to, most);
    PyErr_Format(PyExc_TypeError, "%s: must be numbers in a sequence or an array", name);
    return -1;
}

bool read_vector(PyObject *from, const char *name, bool nonzero, double to[3])
{
    const int count = read_flat(from, name, to, 3);
    if (count >= 0 && count != 3)
        PyErr_Format(PyExc_ValueError, "%s: %d numbers, must be 3", name, count);
    else if (count == 3 && !(isfinite(to[0]) && isfinite(to[1]) && isfinite(to[2])))
        PyErr_Format(PyExc_ValueError, "%s: must be finite", name);
    else if (count == 3 && nonzero && to[0] == 0.0 && to[1] == 0.0 && to[2] == 0.0)
        PyErr_Format(PyExc_ValueError, "%s: may not be all zeros", name);
    return PyErr_Occurred() == NULL;
}

bool is_last_row(const double row[4])
{
    static const double SLACK = 1e-12; // of a product or an inverse that was rounded
    return fabs(row[0]) <= SLACK && fabs(row[1]) <= SLACK && fabs(row[2]) <= SLACK && fabs(row[3] - 1.0) <= SLACK;
}

bool read_pose(PyObject *from, const char *name, grz_pose *pose)
{
    static const grz_pose identity = {{{1.0, 0.0, 0.0, 0.0}, {0.0, 1.0, 0.0, 0.0}, {0.0, 0.0, 1.0, 0.0}}};
    double m[16];
    *pose = identity;
    if (from == NULL || from == Py_None)
        return true;
    const int count = flatten(from, name, 0, m, 16);
    if (count < 0)
        return false;
    if (count == 3) {
        *pose = grz_pose_from_translation(m[0], m[1], m[2]);
        return true;
    }
    const Py_ssize_t rows = PySequence_Check(from) ? PySequence_Size(from) : 0;
    if ((count != 12 && count != 16) || (rows != count && rows != count / 4)) {
        PyErr_Format(PyExc_ValueError,
                     "%s: %d numbers in %zd rows, must be a translation of 3, or a matrix of 3 x 4 or 4 x 4", name,
                     count, rows);
        return false;
    }
    if (count == 16 && !is_last_row(m + 12)) {
        PyErr_Format(PyExc_ValueError, "%s: the last row of the matrix must be 0, 0, 0, 1", name);
        return false;
    }
    for (int i = 0; i < 12; i++)
        pose->m[i / 4][i % 4] = m[i];
    return true;
}
