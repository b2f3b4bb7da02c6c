// SPDX-License-Identifier: MIT
// Reading mesh files with the readers of the tool.
#include "graze_python.h"

#include <graze/io.h>

static grz_status read_mesh(grz_device *device, const char *path, grz_mesh **mesh, grz_error *error)
{
    grz_io_model *model;
    grz_mesh_description description;
    grz_status status = grz_io_load_file(path, NULL, &model, error);
    if (status != GRZ_OK)
        return status;
    description = grz_default_mesh_description();
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

PyObject *call_load(PyObject *module, PyObject *given)
{
    module_state *state = state_of_module(module);
    PyObject *path;
    grz_mesh *mesh = NULL;
    grz_error error;
    grz_status status;
    if (!PyUnicode_FSConverter(given, &path))
        return NULL;
    const char *name = PyBytes_AsString(path);
    Py_BEGIN_ALLOW_THREADS
    status = read_mesh(state->device, name, &mesh, &error);
    Py_END_ALLOW_THREADS
    Py_DECREF(path);
    if (status == GRZ_OK)
        return mesh_from(state, mesh, GRZ_FLOAT64);
    raise_error(state, &error);
    if (status == GRZ_ERROR_FILE || status == GRZ_ERROR_FORMAT)
        name_file(given);
    return NULL;
}
