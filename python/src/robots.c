// SPDX-License-Identifier: MIT
// Robots, for libgraze/_robots.py: URDF and SRDF as tuples, where the links are, meshes of shapes, files of meshes. A
// robot that was read is a capsule, which only this file opens.
#include "graze_python.h"

#include <graze/io_robot.h>
#include <stdlib.h>
#include <string.h>

static const char capsule_name[] = "libgraze._robot";

enum {
    LONGEST_PATH = 4096
};

static void destroy_capsule(PyObject *capsule)
{
    grz_io_robot_destroy(PyCapsule_GetPointer(capsule, capsule_name));
}

// Add `item`, which is given up; NULL: an exception is set. False: so is one, and the list is given up, too.
static bool append(PyObject **list, PyObject *item)
{
    if (*list != NULL && (item == NULL || PyList_Append(*list, item) != 0))
        Py_CLEAR(*list);
    Py_XDECREF(item);
    return *list != NULL;
}

static PyObject *number_or_none(size_t index)
{
    return index != GRZ_IO_NONE ? PyLong_FromSize_t(index) : Py_NewRef(Py_None);
}

static PyObject *list_links(const grz_io_robot *r)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; i < r->link_count; i++)
        if (!append(&list, Py_BuildValue("(sN)", r->links[i].name, number_or_none(r->links[i].joint))))
            break;
    return list;
}

// (name, kind, parent, child, axis, limits or None, (leader, multiplier, offset) or None)
static PyObject *joint_tuple(const grz_io_joint *j)
{
    static const char *const kinds[] = {"fixed",    "revolute", "continuous", "prismatic",
                                        "floating", "planar",   "spherical"};
    PyObject *limits = j->limited ? Py_BuildValue("(dd)", j->lower, j->upper) : Py_NewRef(Py_None);
    PyObject *mimic = j->mimic != GRZ_IO_NONE ? Py_BuildValue("(ndd)", (Py_ssize_t)j->mimic, j->multiplier, j->offset)
                                              : Py_NewRef(Py_None);
    return Py_BuildValue("(ssnn(ddd)NN)", j->name, kinds[j->kind], (Py_ssize_t)j->parent, (Py_ssize_t)j->child,
                         j->axis[0], j->axis[1], j->axis[2], limits, mimic);
}

static PyObject *list_joints(const grz_io_robot *r)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; i < r->joint_count && append(&list, joint_tuple(&r->joints[i])); i++)
        ;
    return list;
}

static const char *const shape_kinds[] = {"mesh", "box", "sphere", "cylinder", "capsule"};

// (name or None, link, number, kind, size, mesh or None, line)
static PyObject *collision_tuple(const grz_io_collision *c)
{
    static const int sizes[] = {3, 3, 1, 2, 2};
    PyObject *size = PyTuple_New(sizes[c->kind]);
    for (int i = 0; size != NULL && i < sizes[c->kind]; i++) {
        PyObject *number = PyFloat_FromDouble(c->size[i]);
        if (number == NULL || PyTuple_SetItem(size, i, number) != 0)
            Py_CLEAR(size);
    }
    return Py_BuildValue("(znnsNzK)", c->name, (Py_ssize_t)c->link, (Py_ssize_t)c->number, shape_kinds[c->kind], size,
                         c->mesh, (unsigned long long)c->line);
}

static PyObject *list_collisions(const grz_io_robot *r)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; i < r->collision_count && append(&list, collision_tuple(&r->collisions[i])); i++)
        ;
    return list;
}

static PyObject *list_notes(const grz_io_robot *r)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; i < r->note_count && append(&list, PyUnicode_FromString(r->notes[i])); i++)
        ;
    return list;
}

// (capsule, name, links, joints, collisions, notes)
static PyObject *call_read_robot(PyObject *module, PyObject *given)
{
    module_state *state = state_of_module(module);
    PyObject *path;
    grz_io_robot *robot;
    grz_error error;
    if (!PyUnicode_FSConverter(given, &path))
        return NULL;
    const char *name = PyBytes_AsString(path);
    grz_status status;
    Py_BEGIN_ALLOW_THREADS
    status = grz_io_robot_load_file(name, NULL, &robot, &error);
    Py_END_ALLOW_THREADS
    Py_DECREF(path);
    if (status != GRZ_OK)
        return raise_file_error(state, &error, given);
    PyObject *capsule = PyCapsule_New(robot, capsule_name, destroy_capsule);
    if (capsule == NULL) {
        grz_io_robot_destroy(robot);
        return NULL;
    }
    return Py_BuildValue("(NsNNNN)", capsule, robot->name, list_links(robot), list_joints(robot),
                         list_collisions(robot), list_notes(robot));
}

// ---- places

static bool pose_of(const grz_io_frame *frame, const double *scale, grz_pose *pose, grz_error *error)
{
    if (grz_pose_from_quaternion(frame->translation, frame->quaternion, pose, error) != GRZ_OK)
        return false;
    for (int row = 0; row < 3 && scale != NULL; row++)
        for (int column = 0; column < 3; column++)
            pose->m[row][column] *= scale[column];
    return true;
}

static PyObject *list_places(module_state *state, const grz_io_robot *r, const grz_io_frame *frames, bool shapes)
{
    PyObject *list = PyList_New(0);
    const size_t count = shapes ? r->collision_count : r->link_count;
    for (size_t i = 0; i < count && list != NULL; i++) {
        const grz_io_collision *shape = shapes ? &r->collisions[i] : NULL;
        const grz_io_frame frame = shapes ? grz_io_frame_product(frames[shape->link], shape->origin) : frames[i];
        grz_pose pose;
        grz_error error;
        if (pose_of(&frame, shapes && shape->kind == GRZ_IO_SHAPE_MESH ? shape->size : NULL, &pose, &error)) {
            append(&list, pose_rows(&pose));
        } else {
            raise_error(state, &error);
            Py_CLEAR(list);
        }
    }
    return list;
}

// (values, poses of the links, poses of the collisions), from a sequence of one value for each joint
static PyObject *call_place_robot(PyObject *module, PyObject *arguments)
{
    module_state *state = state_of_module(module);
    PyObject *capsule, *given, *answer = NULL;
    if (!PyArg_ParseTuple(arguments, "OO:_place_robot", &capsule, &given))
        return NULL;
    const grz_io_robot *r = PyCapsule_GetPointer(capsule, capsule_name);
    if (r == NULL)
        return NULL;
    double *values = calloc(r->joint_count + 1, sizeof *values);
    grz_io_frame *frames = calloc(r->link_count, sizeof *frames);
    grz_error error;
    if (values == NULL || frames == NULL) {
        PyErr_NoMemory();
    } else if (read_flat(given, "values", values, (int)r->joint_count + 1) == (int)r->joint_count) {
        if (grz_io_robot_place(r, values, frames, &error) != GRZ_OK) {
            raise_error(state, &error);
        } else {
            PyObject *list = PyList_New(0);
            for (size_t i = 0; i < r->joint_count && append(&list, PyFloat_FromDouble(values[i])); i++)
                ;
            answer =
                Py_BuildValue("(NNN)", list, list_places(state, r, frames, false), list_places(state, r, frames, true));
        }
    } else if (PyErr_Occurred() == NULL) {
        PyErr_SetString(PyExc_ValueError, "values: must be one for each joint");
    }
    free(values);
    free(frames);
    return answer;
}

// ---- meshes

static grz_status make_mesh(grz_device *device, const grz_io_collision *shape, grz_mesh **mesh, grz_error *error)
{
    grz_io_model *model;
    grz_mesh_description description = grz_default_mesh_description();
    grz_status status = grz_io_shape_model(shape, NULL, &model, error);
    if (status == GRZ_OK)
        status = grz_io_describe(model, &description, error);
    if (status == GRZ_OK)
        status = grz_mesh_create(device, &description, mesh, error);
    grz_io_model_destroy(model);
    return status;
}

// Multiply the scale of collision `index`, which is a mesh.
static PyObject *call_scale_shape(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *capsule;
    Py_ssize_t index;
    double unit;
    if (!PyArg_ParseTuple(arguments, "Ond:_scale_shape", &capsule, &index, &unit))
        return NULL;
    grz_io_robot *r = PyCapsule_GetPointer(capsule, capsule_name);
    if (r == NULL)
        return NULL;
    if (index < 0 || (size_t)index >= r->collision_count || r->collisions[index].kind != GRZ_IO_SHAPE_MESH) {
        PyErr_SetString(PyExc_IndexError, "the robot has no such mesh");
        return NULL;
    }
    for (int i = 0; i < 3; i++)
        r->collisions[index].size[i] *= unit;
    Py_RETURN_NONE;
}

// The mesh of collision `index`, which is no file.
static PyObject *call_shape_mesh(PyObject *module, PyObject *arguments)
{
    module_state *state = state_of_module(module);
    PyObject *capsule;
    Py_ssize_t index;
    grz_mesh *mesh = NULL;
    grz_error error;
    grz_status status;
    if (!PyArg_ParseTuple(arguments, "On:_shape_mesh", &capsule, &index))
        return NULL;
    const grz_io_robot *r = PyCapsule_GetPointer(capsule, capsule_name);
    if (r == NULL)
        return NULL;
    if (index < 0 || (size_t)index >= r->collision_count) {
        PyErr_SetString(PyExc_IndexError, "the robot has no such collision");
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    status = make_mesh(state->device, &r->collisions[index], &mesh, &error);
    Py_END_ALLOW_THREADS
    return status == GRZ_OK ? mesh_from(state, mesh, GRZ_FLOAT64) : raise_error(state, &error);
}

// Where the file of a mesh is: (robot's path, mesh, [(package, folder), …]) → (path, index of the package or None).
// Paths are bytes.
static PyObject *call_find_mesh(PyObject *module, PyObject *arguments)
{
    module_state *state = state_of_module(module);
    const char *robot, *mesh;
    PyObject *given;
    char path[LONGEST_PATH];
    size_t used;
    grz_error error;
    if (!PyArg_ParseTuple(arguments, "ysO:_find_mesh", &robot, &mesh, &given))
        return NULL;
    const Py_ssize_t count = PyList_Size(given);
    if (count < 0)
        return NULL;
    grz_io_package *packages = calloc((size_t)count + 1, sizeof *packages);
    if (packages == NULL)
        return PyErr_NoMemory();
    bool ok = true;
    for (Py_ssize_t i = 0; i < count && ok; i++)
        ok = PyArg_ParseTuple(PyList_GetItem(given, i), "sy", &packages[i].name, &packages[i].folder) != 0;
    PyObject *answer = NULL;
    if (ok && grz_io_robot_find_mesh(robot, mesh, packages, (size_t)count, path, sizeof path, &used, &error) != GRZ_OK)
        raise_error(state, &error);
    else if (ok)
        answer = Py_BuildValue("(yN)", path, number_or_none(used));
    free(packages);
    return answer;
}

// (name of the robot, [(link, link, reason or None, line), …])
static PyObject *call_read_srdf(PyObject *module, PyObject *given)
{
    module_state *state = state_of_module(module);
    PyObject *path;
    grz_io_srdf *srdf;
    grz_error error;
    if (!PyUnicode_FSConverter(given, &path))
        return NULL;
    const grz_status status = grz_io_srdf_load_file(PyBytes_AsString(path), NULL, &srdf, &error);
    Py_DECREF(path);
    if (status != GRZ_OK)
        return raise_file_error(state, &error, given);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; i < srdf->disabled_count; i++) {
        const grz_io_disabled_pair *pair = &srdf->disabled[i];
        if (!append(&list,
                    Py_BuildValue("(sszK)", pair->link1, pair->link2, pair->reason, (unsigned long long)pair->line)))
            break;
    }
    PyObject *answer = list != NULL ? Py_BuildValue("(sN)", srdf->name, list) : NULL;
    grz_io_srdf_destroy(srdf);
    return answer;
}

PyMethodDef robots_functions[] = {{"_read_robot", call_read_robot, METH_O, "A robot of URDF; see libgraze.Robot."},
                                  {"_place_robot", call_place_robot, METH_VARARGS, "Where the links of a robot are."},
                                  {"_scale_shape", call_scale_shape, METH_VARARGS, "Apply the unit of a mesh."},
                                  {"_shape_mesh", call_shape_mesh, METH_VARARGS, "The mesh of a robot's collision."},
                                  {"_find_mesh", call_find_mesh, METH_VARARGS, "Where the file of a mesh is."},
                                  {"_read_srdf", call_read_srdf, METH_O, "The pairs that SRDF disables."},
                                  {NULL, NULL, 0, NULL}};
