// SPDX-License-Identifier: MIT
// Reading mesh files with the readers of the tool.
#include "graze_python.h"

#include <graze/io.h>
#include <stdlib.h>
#include <string.h>

// What the file of a mesh declares. In a robot ROS applies the unit of COLLADA, and of no other format.
typedef struct declared {
    double unit; // 0: none
    grz_io_up up;
    bool collada;
} declared;

// `unit`: convert to this one, in metres; 0: keep that of the file. `told`: NULL, or zeroed; receives what counts in a
// robot.
static grz_status read_mesh(grz_device *device, const char *path, double unit, grz_mesh **mesh, declared *told,
                            grz_error *error)
{
    grz_io_model *model;
    grz_mesh_description description;
    grz_status status = grz_io_load_file(path, NULL, &model, error);
    if (status != GRZ_OK)
        return status;
    if (told != NULL)
        *told = (declared){model->unit_in_metres, model->up_axis, strcmp(model->format, "COLLADA") == 0};
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

PyObject *raise_file_error(module_state *state, const grz_error *error, PyObject *file)
{
    raise_error(state, error);
    if (error->code == GRZ_ERROR_FILE || error->code == GRZ_ERROR_FORMAT)
        name_file(file);
    return NULL;
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
    status = read_mesh(state->device, name, unit, &mesh, NULL, &error);
    Py_END_ALLOW_THREADS
    Py_DECREF(path);
    if (status == GRZ_OK)
        return mesh_from(state, mesh, GRZ_FLOAT64);
    return raise_file_error(state, &error, given);
}

// (Mesh, declared unit in metres or 0, whether its up axis is another than z, whether it is COLLADA)
PyObject *call_load_robot_mesh(PyObject *module, PyObject *given)
{
    module_state *state = state_of_module(module);
    PyObject *path;
    grz_mesh *mesh = NULL;
    declared told = {0};
    grz_error error;
    grz_status status;
    if (!PyUnicode_FSConverter(given, &path))
        return NULL;
    const char *name = PyBytes_AsString(path);
    Py_BEGIN_ALLOW_THREADS
    status = read_mesh(state->device, name, 0, &mesh, &told, &error);
    Py_END_ALLOW_THREADS
    Py_DECREF(path);
    if (status != GRZ_OK)
        return raise_file_error(state, &error, given);
    return Py_BuildValue("(NdNN)", mesh_from(state, mesh, GRZ_FLOAT64), told.unit,
                         PyBool_FromLong(told.up != GRZ_IO_UP_UNKNOWN && told.up != GRZ_IO_UP_Z),
                         PyBool_FromLong(told.collada));
}

// ---- models, part by part

// The pose of a node whose scale is 0: the library refuses it.
static bool is_zero(const double matrix[3][4])
{
    for (int i = 0; i < 12; i++)
        if (matrix[i / 4][i % 4] != 0.0)
            return false;
    return true;
}

static PyObject *make_mesh(module_state *state, const grz_mesh_description *description)
{
    grz_mesh *mesh = NULL;
    grz_error error;
    grz_status status;
    Py_BEGIN_ALLOW_THREADS
    status = grz_mesh_create(state->device, description, &mesh, &error);
    Py_END_ALLOW_THREADS
    return status == GRZ_OK ? mesh_from(state, mesh, GRZ_FLOAT64) : raise_error(state, &error);
}

// One of the model's shared meshes; with `points` at other positions.
static PyObject *make_shared(module_state *state, const grz_io_model *m, const grz_io_mesh *mesh, const double *points)
{
    grz_mesh_description description = grz_default_mesh_description();
    description.positions = points != NULL ? points : m->positions + 3 * mesh->first_vertex;
    description.position_type = GRZ_FLOAT64;
    description.vertex_count = mesh->vertex_count;
    description.indices = m->indices + mesh->first_index;
    description.index_count = mesh->index_count;
    description.face_count = mesh->face_count;
    description.corner_counts = m->corner_counts != NULL ? m->corner_counts + mesh->first_face : NULL;
    return make_mesh(state, &description);
}

// A node of scale 0: its vertices are all at the origin.
static PyObject *make_point(module_state *state, const grz_io_model *m, const grz_io_mesh *mesh)
{
    double *points = calloc((size_t)mesh->vertex_count + 1, 3 * sizeof *points);
    if (points == NULL)
        return PyErr_NoMemory();
    PyObject *made = make_shared(state, m, mesh, points);
    free(points);
    return made;
}

// Add (name or None, Mesh, pose) to a list. Gives up `mesh`; NULL: an exception is set.
static bool add_part(PyObject *list, const char *name, PyObject *mesh, const grz_pose *pose)
{
    PyObject *part = mesh != NULL ? Py_BuildValue("(zNN)", name, mesh, pose_rows(pose)) : NULL;
    const bool added = part != NULL && PyList_Append(list, part) == 0;
    Py_XDECREF(part);
    return added;
}

static bool add_instances(module_state *state, const grz_io_model *m, PyObject *list)
{
    PyObject **meshes = calloc(m->mesh_count, sizeof(PyObject *)); // NULL where not made yet
    bool ok = meshes != NULL;
    if (!ok)
        PyErr_NoMemory();
    for (size_t i = 0; ok && i < m->instance_count; i++) {
        const grz_io_instance *shown = &m->instances[i];
        const grz_io_mesh *mesh = &m->meshes[shown->mesh];
        grz_pose pose = grz_pose_identity();
        if (is_zero(shown->matrix)) {
            ok = add_part(list, shown->name, make_point(state, m, mesh), &pose);
            continue;
        }
        memcpy(pose.m, shown->matrix, sizeof pose.m);
        if (meshes[shown->mesh] == NULL)
            meshes[shown->mesh] = make_shared(state, m, mesh, NULL);
        ok = add_part(list, shown->name, Py_XNewRef(meshes[shown->mesh]), &pose);
    }
    for (size_t i = 0; meshes != NULL && i < m->mesh_count; i++)
        Py_XDECREF(meshes[i]);
    free(meshes);
    return ok;
}

static bool add_cut_parts(module_state *state, const grz_io_model *m, PyObject *list)
{
    const grz_pose pose = grz_pose_identity();
    grz_io_cutter *cutter;
    grz_error error;
    if (grz_io_cutter_create(m, &cutter, &error) != GRZ_OK)
        return raise_error(state, &error) != NULL;
    bool ok = true;
    for (size_t i = 0; ok && i < m->part_count; i++) {
        grz_mesh_description description = grz_default_mesh_description();
        if (grz_io_cutter_cut(cutter, i, &description, &error) == GRZ_OK)
            ok = add_part(list, m->parts[i].name, make_mesh(state, &description), &pose);
        else
            ok = raise_error(state, &error) != NULL;
    }
    grz_io_cutter_destroy(cutter);
    return ok;
}

static bool add_whole(module_state *state, const grz_io_model *m, PyObject *list)
{
    const grz_pose pose = grz_pose_identity();
    grz_mesh_description description = grz_default_mesh_description();
    (void)grz_io_describe(m, &description, NULL);
    return add_part(list, NULL, make_mesh(state, &description), &pose);
}

// (format, unit in metres or None, up axis or None, notes, [(name or None, Mesh, pose), …])
static PyObject *describe_model(module_state *state, const grz_io_model *m)
{
    static const char *const axes[] = {NULL, "y", "z", "x"};
    PyObject *notes = PyList_New(0), *parts = PyList_New(0);
    bool ok = notes != NULL && parts != NULL;
    for (size_t i = 0; ok && i < m->note_count; i++) {
        PyObject *note = PyUnicode_FromString(m->notes[i]);
        ok = note != NULL && PyList_Append(notes, note) == 0;
        Py_XDECREF(note);
    }
    if (ok && m->instance_count > 0)
        ok = add_instances(state, m, parts);
    else if (ok && m->part_count > 0)
        ok = add_cut_parts(state, m, parts);
    else if (ok)
        ok = add_whole(state, m, parts);
    if (!ok) {
        Py_XDECREF(notes);
        Py_XDECREF(parts);
        return NULL;
    }
    PyObject *unit = m->unit_in_metres > 0 ? PyFloat_FromDouble(m->unit_in_metres) : Py_NewRef(Py_None);
    return Py_BuildValue("(sNzNN)", m->format, unit, axes[m->up_axis], notes, parts);
}

PyObject *call_load_model(PyObject *module, PyObject *given)
{
    module_state *state = state_of_module(module);
    PyObject *path;
    grz_io_options options = grz_io_default_options();
    grz_io_model *model = NULL;
    grz_error error;
    grz_status status;
    if (!PyUnicode_FSConverter(given, &path))
        return NULL;
    const char *name = PyBytes_AsString(path);
    options.keep_instances = true;
    Py_BEGIN_ALLOW_THREADS
    status = grz_io_load_file(name, &options, &model, &error);
    Py_END_ALLOW_THREADS
    Py_DECREF(path);
    if (status != GRZ_OK)
        return raise_file_error(state, &error, given);
    PyObject *answer = describe_model(state, model);
    grz_io_model_destroy(model);
    return answer;
}
