// SPDX-License-Identifier: MIT
// How far apart two meshes are, or how deep in each other.
#include "graze_python.h"

bool couple_begin(module_state *state, PyObject *a, PyObject *b, PyObject *pose_a, PyObject *pose_b, couple *c)
{
    grz_pose poses[2];
    if (!read_pose(pose_a, "pose_a", &poses[0]) || !read_pose(pose_b, "pose_b", &poses[1]) ||
        !mesh_begin(state, a, "a", &c->meshes[0]))
        return false;
    if (!mesh_begin(state, b, "b", &c->meshes[1])) {
        mesh_end(c->meshes[0]);
        return false;
    }
    for (int i = 0; i < 2; i++)
        c->objects[i] = grz_object_at(c->meshes[i]->mesh, poses[i]);
    return true;
}

void couple_end(couple *c)
{
    mesh_end(c->meshes[0]);
    mesh_end(c->meshes[1]);
}

static PyObject *distance_answer(const grz_distance_answer *d)
{
    PyObject *faces = d->face_a == GRZ_NO_FACE ? Py_BuildValue("(OO)", Py_None, Py_None)
                                               : Py_BuildValue("(II)", d->face_a, d->face_b);
    if (faces == NULL)
        return NULL;
    return Py_BuildValue("{sdsdsdsssOsNs(ddd)s(ddd)sK}", "distance", d->distance, "lower", d->lower, "upper", d->upper,
                         "certainty", d->certainty == GRZ_EXACT ? "exact" : "undecided", "touching",
                         d->touching ? Py_True : Py_False, "faces", faces, "point_a", d->point_a[0], d->point_a[1],
                         d->point_a[2], "point_b", d->point_b[0], d->point_b[1], d->point_b[2], "ties",
                         (unsigned long long)d->ties);
}

PyObject *call_distance(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"a", "b", "pose_a", "pose_b", "relative_error", "deadline", NULL};
    PyObject *given_a, *given_b, *pose_a = NULL, *pose_b = NULL;
    grz_distance_options options = grz_default_distance_options();
    module_state *state = state_of_module(module);
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OO|$OOdd:distance", keywords, &given_a, &given_b, &pose_a,
                                     &pose_b, &options.relative_error, &options.deadline))
        return NULL;
    couple c;
    grz_distance_answer answer;
    grz_error error;
    grz_status status;
    if (!couple_begin(state, given_a, given_b, pose_a, pose_b, &c))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = grz_distance(state->device, &c.objects[0], &c.objects[1], &options, &answer, &error);
    Py_END_ALLOW_THREADS
    couple_end(&c);
    return status == GRZ_OK ? distance_answer(&answer) : raise_error(state, &error);
}

static PyObject *penetration_answer(const grz_penetration_answer *p)
{
    return Py_BuildValue("{sdsdsdsssOs(ddd)sz}", "depth", p->depth, "lower", p->lower, "upper", p->upper, "certainty",
                         p->certainty == GRZ_EXACT ? "exact" : "undecided", "penetrating",
                         p->penetrating ? Py_True : Py_False, "direction", p->direction[0], p->direction[1],
                         p->direction[2], "reason", p->reason);
}

PyObject *call_penetration(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"a", "b", "pose_a", "pose_b", "along", "deadline", NULL};
    PyObject *given_a, *given_b, *pose_a = NULL, *pose_b = NULL;
    double along[3] = {0.0, 0.0, 0.0};
    grz_move_options options = grz_default_move_options();
    module_state *state = state_of_module(module);
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OO|$OO(ddd)d:penetration", keywords, &given_a, &given_b,
                                     &pose_a, &pose_b, &along[0], &along[1], &along[2], &options.deadline))
        return NULL;
    const bool has_direction = along[0] != 0.0 || along[1] != 0.0 || along[2] != 0.0;
    couple c;
    grz_penetration_answer answer;
    grz_error error;
    grz_status status;
    if (!couple_begin(state, given_a, given_b, pose_a, pose_b, &c))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = has_direction
                 ? grz_penetration_along(state->device, &c.objects[0], &c.objects[1], along, &options, &answer, &error)
                 : grz_penetration(state->device, &c.objects[0], &c.objects[1], &options, &answer, &error);
    Py_END_ALLOW_THREADS
    couple_end(&c);
    return status == GRZ_OK ? penetration_answer(&answer) : raise_error(state, &error);
}
