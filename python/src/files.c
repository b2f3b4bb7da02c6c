// SPDX-License-Identifier: MIT
// Reading mesh files with the readers of the tool.
#include "graze_python.h"

#include <graze/io.h>

// `unit`: convert to this one, in metres; 0: keep that of the file.
static grz_status read_mesh(grz_device *device, const char *path, double unit, grz_mesh **mesh, grz_error *error)
{
    grz_io_model *model;
    grz_mesh_description description;
    grz_status status = grz_io_load_file(path, NULL, &model, error);
    if (status != GRZ_OK)
        return status;
    description = grz_default_mesh_description();
    if (unit > 0)
        status = grz_io_model_convert(model, unit, error);
    if (status == GRZ_OK)
        status = grz_io_describe(model, &description, error);
    if (status == GRZ_OK)
        status = grz_mesh_create(device, &description, mesh, error);
    grz_io_model_destroy(model);
    return status;
}

// Give the exception that is set the attribute `filename`, as OSError has it.
static void name_file(PyObject *file)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (value != NULL && PyObject_SetAttrString(value, "filename", file) != 0)
        PyErr_Clear();
    PyErr_Restore(type, value, traceback);
}

// The unit of load(), in metres; 0 where it is NULL. False with an exception.
static bool find_unit(const char *name, double *unit)
{
    *unit = 0;
    if (name == NULL || grz_io_find_unit(name, unit))
        return true;
    PyErr_Format(PyExc_ValueError, "unit: \"%.40s\" is none, must be mm, cm, m, inch, foot or micron", name);
    return false;
}

PyObject *call_load(PyObject *module, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"", "unit", NULL};
    module_state *state = state_of_module(module);
    PyObject *path, *given;
    const char *unit_name = NULL;
    double unit;
    grz_mesh *mesh = NULL;
    grz_error error;
    grz_status status;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|$z:load", names, &given, &unit_name) ||
        !find_unit(unit_name, &unit) || !PyUnicode_FSConverter(given, &path))
        return NULL;
    const char *name = PyBytes_AsString(path);
    Py_BEGIN_ALLOW_THREADS
    status = read_mesh(state->device, name, unit, &mesh, &error);
    Py_END_ALLOW_THREADS
    Py_DECREF(path);
    if (status == GRZ_OK)
        return mesh_from(state, mesh, GRZ_FLOAT64);
    raise_error(state, &error);
    if (status == GRZ_ERROR_FILE || status == GRZ_ERROR_FORMAT)
        name_file(given);
    return NULL;
}
