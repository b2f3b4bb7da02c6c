// SPDX-License-Identifier: MIT
// The module libgraze._graze: exceptions, types, functions.
#include "graze_python.h"
#include "rows.h"

#include <string.h>

static struct PyModuleDef definition;

module_state *state_of_module(PyObject *module)
{
    return PyModule_GetState(module);
}

module_state *state_of(PyObject *self)
{
    return PyType_GetModuleState(Py_TYPE(self));
}

PyObject *raise_error(module_state *state, const grz_error *error)
{
    PyObject *exception = NULL, *type = state->errors[error->code];
    PyObject *text = PyUnicode_DecodeUTF8(error->message, (Py_ssize_t)strlen(error->message), "replace");
    PyObject *status = PyUnicode_FromString(grz_status_name(error->code));
    PyObject *element =
        error->element == GRZ_NO_ELEMENT ? Py_NewRef(Py_None) : PyLong_FromUnsignedLongLong(error->element);
    if (text != NULL && status != NULL && element != NULL)
        exception = PyObject_CallFunctionObjArgs(type, text, NULL);
    if (exception != NULL && PyObject_SetAttrString(exception, "status", status) == 0 &&
        PyObject_SetAttrString(exception, "element", element) == 0)
        PyErr_SetObject(type, exception);
    Py_XDECREF(exception);
    Py_XDECREF(text);
    Py_XDECREF(status);
    Py_XDECREF(element);
    return NULL;
}

// The exceptions: each is a libgraze.Error and the exception of Python that is nearest to it.
static bool make_errors(PyObject *module, module_state *state)
{
    static const struct {
        grz_status status;
        const char *name, *text;
    } all[] = {{GRZ_ERROR_ARGUMENT, "InvalidArgument", "An argument that a query does not allow."},
               {GRZ_ERROR_MEMORY, "OutOfMemory", "No memory, or more than was allowed."},
               {GRZ_ERROR_MESH, "InvalidMesh", "Bad data of a mesh; `element` is the vertex or face at fault."},
               {GRZ_ERROR_POSE, "InvalidPose", "A pose that is not finite or too large."},
               {GRZ_ERROR_LIMIT, "TooManyPairs", "The list is longer than is allowed."},
               {GRZ_ERROR_UNSUPPORTED, "Unsupported", "A method that cannot do this."},
               {GRZ_ERROR_DEVICE, "DeviceError", "A device that cannot be opened, or was lost."},
               {GRZ_ERROR_BUSY, "DeviceBusy", "A device that serves another thread."},
               {GRZ_ERROR_CANCELLED, "Cancelled", "The query was cancelled."},
               {GRZ_ERROR_DEADLINE, "DeadlineExceeded", "The deadline passed before the answer was complete."},
               {GRZ_ERROR_FILE, "FileError", "A file that cannot be read."},
               {GRZ_ERROR_FORMAT, "FormatError", "A file that is damaged, or holds no mesh."}};
    PyObject *const bases[] = {PyExc_ValueError,   PyExc_MemoryError,  PyExc_ValueError, PyExc_ValueError,
                               PyExc_RuntimeError, PyExc_RuntimeError, PyExc_OSError,    PyExc_RuntimeError,
                               PyExc_RuntimeError, PyExc_TimeoutError, PyExc_OSError,    PyExc_ValueError};
    PyObject *base =
        PyErr_NewExceptionWithDoc("libgraze.Error", "Base of all errors of Graze: `status`, `element`.", NULL, NULL);
    bool ok = base != NULL && PyModule_AddObjectRef(module, "Error", base) == 0;
    for (size_t i = 0; i < sizeof all / sizeof *all && ok; i++) {
        char name[64] = "libgraze.";
        PyOS_snprintf(name, sizeof name, "libgraze.%s", all[i].name);
        PyObject *parents = PyTuple_Pack(2, base, bases[i]);
        PyObject *made = parents != NULL ? PyErr_NewExceptionWithDoc(name, all[i].text, parents, NULL) : NULL;
        ok = made != NULL && PyModule_AddObjectRef(module, all[i].name, made) == 0;
        state->errors[all[i].status] = made;
        Py_XDECREF(parents);
    }
    Py_XDECREF(base);
    return ok;
}

static PyTypeObject *make_type(PyObject *module, PyType_Spec *spec, const char *name)
{
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
    if (type != NULL && PyModule_AddObjectRef(module, name, type) != 0)
        Py_CLEAR(type);
    return (PyTypeObject *)type;
}

static int start(PyObject *module)
{
    module_state *state = state_of_module(module);
    grz_error error;
    if (!make_errors(module, state))
        return -1;
    state->mesh_type = make_type(module, &mesh_spec, "Mesh");
    state->result_type = make_type(module, &result_spec, "Result");
    state->poses_type = make_type(module, &poses_spec, "PoseResults");
    state->scene_type = make_type(module, &scene_spec, "Scene");
    state->view_type = make_type(module, &view_spec, "View");
    state->picture_type = make_type(module, &picture_spec, "Picture");
    state->flat_type = make_type(module, &flat_spec, "Flat");
    state->scene_events_type = make_type(module, &scene_events_spec, "SceneEvents");
    state->contact_tracker_type = make_type(module, &contact_tracker_spec, "ContactTracker");
    if (state->mesh_type == NULL || state->result_type == NULL || state->poses_type == NULL ||
        state->scene_type == NULL || state->view_type == NULL || state->picture_type == NULL ||
        state->flat_type == NULL || state->scene_events_type == NULL || state->contact_tracker_type == NULL)
        return -1;
    for (int i = 0; i < ROWS_TYPE_COUNT; i++) {
        state->rows_types[i] = make_type(module, rows_specs[i], rows_names[i]);
        if (state->rows_types[i] == NULL)
            return -1;
    }
    PyMethodDef *const tables[] = {rays_functions,    points_functions, motions_functions, pictures_functions,
                                   bodies_functions,  scenes_functions, shapes_functions,  solids_functions,
                                   flights_functions, robots_functions, shells_functions,  NULL};
    for (size_t i = 0; tables[i] != NULL; i++)
        if (PyModule_AddFunctions(module, tables[i]) != 0)
            return -1;
    if (grz_device_open(NULL, &state->device, &error) != GRZ_OK) {
        raise_error(state, &error);
        return -1;
    }
    return PyModule_AddStringConstant(module, "__version__", grz_version());
}

static int traverse(PyObject *module, visitproc visit, void *arg)
{
    module_state *state = state_of_module(module);
    for (int i = 0; i <= GRZ_ERROR_FORMAT; i++)
        Py_VISIT(state->errors[i]);
    Py_VISIT(state->mesh_type);
    Py_VISIT(state->result_type);
    Py_VISIT(state->poses_type);
    Py_VISIT(state->scene_type);
    Py_VISIT(state->view_type);
    Py_VISIT(state->picture_type);
    Py_VISIT(state->flat_type);
    Py_VISIT(state->scene_events_type);
    Py_VISIT(state->contact_tracker_type);
    for (int i = 0; i < ROWS_TYPE_COUNT; i++)
        Py_VISIT(state->rows_types[i]);
    return 0;
}

static int clear(PyObject *module)
{
    module_state *state = state_of_module(module);
    for (int i = 0; i <= GRZ_ERROR_FORMAT; i++)
        Py_CLEAR(state->errors[i]);
    Py_CLEAR(state->mesh_type);
    Py_CLEAR(state->result_type);
    Py_CLEAR(state->poses_type);
    Py_CLEAR(state->scene_type);
    Py_CLEAR(state->view_type);
    Py_CLEAR(state->picture_type);
    Py_CLEAR(state->flat_type);
    Py_CLEAR(state->scene_events_type);
    Py_CLEAR(state->contact_tracker_type);
    for (int i = 0; i < ROWS_TYPE_COUNT; i++)
        Py_CLEAR(state->rows_types[i]);
    return 0;
}

static void finish(void *module)
{
    module_state *state = state_of_module(module);
    (void)clear(module);
    grz_result_destroy(atomic_exchange(&state->spare, NULL));
    grz_device_close(state->device); // meshes and results keep it alive
    state->device = NULL;
}

static PyObject *list_methods(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && grz_method_name(i) != NULL; i++) {
        PyObject *name = PyUnicode_FromString(grz_method_name(i));
        if (name == NULL || PyList_Append(list, name) != 0)
            Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

static PyMethodDef functions[] = {
    {"collide", (PyCFunction)(void (*)(void))call_collide, METH_FASTCALL | METH_KEYWORDS,
     "collide($module, a, b, *, pose_a=None, pose_b=None, find='pairs', method=None, clearance=0.0, deadline=0.0, "
     "inside_rule='even_odd')\n--\n\nCompare two meshes. `find`: \"any\" (yes or no, also if one is "
     "inside the other), \"touch\" (yes or no of the surfaces), \"pairs\" of faces, \"contacts\", \"curves\", "
     "\"solids\"."},
    {"collide_poses", (PyCFunction)(void (*)(void))call_collide_poses, METH_VARARGS | METH_KEYWORDS,
     "collide_poses($module, a, b, poses, *, pose_a=None, find='any', method=None, clearance=0.0, "
     "deadline=0.0)\n--\n\nCompare "
     "`a` with `b` at many poses, on all cores: an array of shape (n, 4, 4), (n, 3, 4) or (n, 3), or a list of poses."},
    {"self_collide", (PyCFunction)(void (*)(void))call_self_collide, METH_VARARGS | METH_KEYWORDS,
     "self_collide($module, mesh, *, find='pairs', method=None, deadline=0.0)\n--\n\nCompare a mesh with itself."},
    {"distance", (PyCFunction)(void (*)(void))call_distance, METH_VARARGS | METH_KEYWORDS,
     "distance($module, a, b, *, pose_a=None, pose_b=None, relative_error=0.0, deadline=0.0)\n--\n\nMeasure the "
     "distance of two "
     "surfaces: the nearest double, and an enclosure."},
    {"penetration", (PyCFunction)(void (*)(void))call_penetration, METH_VARARGS | METH_KEYWORDS,
     "penetration($module, a, b, *, pose_a=None, pose_b=None, along=None, deadline=0.0)\n--\n\nEnclose the length of "
     "the "
     "shortest "
     "translation that frees two closed meshes, or of one along a direction."},
    {"load", (PyCFunction)(void (*)(void))call_load, METH_VARARGS | METH_KEYWORDS,
     "load($module, path, /, *, unit=None)\n--\n\nRead a mesh from a file: STL, OBJ, PLY, OFF, glTF, 3MF or COLLADA. "
     "What is damaged is refused. With a unit, such as \"mm\", its numbers are converted to it, exactly, where the "
     "file "
     "declares one."},
    {"_load_model", call_load_model, METH_O, "What a file holds, part by part; see libgraze.load_model()."},
    {"_load_robot_mesh", call_load_robot_mesh, METH_O, "A mesh of a robot, and what its file declares."},
    {"_pose_rows", call_pose_rows, METH_O, "The four rows of a pose."},
    {"_restore_mesh", call_restore_mesh, METH_VARARGS, "For pickle: a mesh again."},
    {"_restore_view", call_restore_view, METH_VARARGS, "For pickle: a list of a result again."},
    {"methods", list_methods, METH_NOARGS, "methods($module)\n--\n\nThe names of all methods."},
    {NULL, NULL, 0, NULL}};

static PyModuleDef_Slot slots[] = {{Py_mod_exec, start}, {0, NULL}};

static struct PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT,
                                        .m_name = "libgraze._graze",
                                        .m_doc = "The part of libgraze that is written in C.",
                                        .m_size = sizeof(module_state),
                                        .m_methods = functions,
                                        .m_slots = slots,
                                        .m_traverse = traverse,
                                        .m_clear = clear,
                                        .m_free = finish};

PyMODINIT_FUNC PyInit__graze(void); // the interpreter looks for it by this name

PyMODINIT_FUNC PyInit__graze(void)
{
    return PyModuleDef_Init(&definition);
}
