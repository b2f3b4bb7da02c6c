// SPDX-License-Identifier: MIT
// split(): the shells of a mesh, and its parts as meshes.
#include "rows.h"

typedef struct split_question {
    mesh_object *mesh;
    grz_mesh_shells_options options;
    grz_mesh_shells *shells;
    volatile int cancel;
    grz_status status;
    grz_error error;
} split_question;

static void ask_shells(void *of)
{
    split_question *q = of;
    q->status = grz_mesh_shells_find(q->mesh->mesh, &q->options, &q->shells, &q->error);
}

static PyObject *part_mesh(module_state *state, split_question *q, uint32_t part)
{
    grz_mesh *made;
    const grz_status status = grz_mesh_shells_cut(q->shells, q->mesh->mesh, part, &made, &q->error);
    return status == GRZ_OK ? mesh_from(state, made, GRZ_FLOAT64) : raise_error(state, &q->error);
}

static PyObject *part_meshes(module_state *state, split_question *q)
{
    const uint32_t count = grz_mesh_shells_part_count(q->shells);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (uint32_t i = 0; list != NULL && i < count; i++) {
        PyObject *mesh = part_mesh(state, q, i);
        if (mesh == NULL)
            Py_CLEAR(list);
        else
            (void)PyList_SetItem(list, (Py_ssize_t)i, mesh); // of a new list: cannot fail
    }
    return list;
}

static PyObject *part_faces(module_state *state, const split_question *q)
{
    const uint32_t count = grz_mesh_shells_part_count(q->shells);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (uint32_t i = 0; list != NULL && i < count; i++) {
        uint64_t number;
        const uint32_t *faces = grz_mesh_shells_part_faces(q->shells, i, &number);
        PyObject *bytes = PyBytes_FromStringAndSize((const char *)faces, (Py_ssize_t)(number * sizeof *faces));
        PyObject *view = bytes != NULL ? view_of_bytes(state, bytes, "I", sizeof *faces, (Py_ssize_t)number) : NULL;
        if (view == NULL)
            Py_CLEAR(list);
        else
            (void)PyList_SetItem(list, (Py_ssize_t)i, view); // of a new list: cannot fail
    }
    return list;
}

// (first face, faces, part, closed, inwards) of each shell.
static PyObject *shell_tuples(const split_question *q)
{
    const uint32_t count = grz_mesh_shells_count(q->shells);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (uint32_t i = 0; list != NULL && i < count; i++) {
        grz_mesh_shell shell;
        grz_mesh_shells_describe(q->shells, i, &shell);
        PyObject *tuple =
            Py_BuildValue("(KKIOO)", (unsigned long long)shell.first_face, (unsigned long long)shell.face_count,
                          shell.part, shell.closed ? Py_True : Py_False, shell.inwards ? Py_True : Py_False);
        if (tuple == NULL)
            Py_CLEAR(list);
        else
            (void)PyList_SetItem(list, (Py_ssize_t)i, tuple); // of a new list: cannot fail
    }
    return list;
}

static PyObject *face_shells(module_state *state, const split_question *q)
{
    const uint32_t *of = grz_mesh_shells_of_faces(q->shells);
    const Py_ssize_t count = (Py_ssize_t)grz_mesh_face_count(q->mesh->mesh);
    PyObject *bytes = PyBytes_FromStringAndSize((const char *)of, count * (Py_ssize_t)sizeof *of);
    return bytes != NULL ? view_of_bytes(state, bytes, "I", sizeof *of, count) : NULL;
}

// What was found as (meshes, faces of each, shells, shell of each face).
static PyObject *split_answer(module_state *state, split_question *q)
{
    PyObject *meshes = part_meshes(state, q), *faces = meshes != NULL ? part_faces(state, q) : NULL,
             *shells = faces != NULL ? shell_tuples(q) : NULL, *of = shells != NULL ? face_shells(state, q) : NULL;
    PyObject *answer = of != NULL ? PyTuple_Pack(4, meshes, faces, shells, of) : NULL;
    Py_XDECREF(meshes);
    Py_XDECREF(faces);
    Py_XDECREF(shells);
    Py_XDECREF(of);
    return answer;
}

static PyObject *call_split(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"mesh", "deadline", NULL};
    PyObject *mesh, *answer = NULL;
    module_state *state = state_of_module(module);
    split_question q = {.options = grz_default_mesh_shells_options()};
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O|$d:split", keywords, &mesh, &q.options.limits.deadline) ||
        !mesh_begin(state, mesh, "mesh", &q.mesh))
        return NULL;
    q.options.limits.cancel = &q.cancel;
    const bool went = run_long(ask_shells, &q, &q.cancel, grz_mesh_face_count(q.mesh->mesh) <= 1000);
    if (went && q.status == GRZ_OK)
        answer = split_answer(state, &q);
    else if (went)
        raise_error(state, &q.error);
    grz_mesh_shells_destroy(q.shells);
    mesh_end(q.mesh);
    return answer;
}

PyMethodDef shells_functions[] = {
    {"split", (PyCFunction)(void (*)(void))call_split, METH_VARARGS | METH_KEYWORDS,
     "split($module, mesh, *, deadline=0.0)\n--\n\nThe shells of a mesh as meshes; see libgraze.split."},
    {NULL, NULL, 0, NULL}};
