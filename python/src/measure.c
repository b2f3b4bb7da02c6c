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

PyObject *distance_answer(const grz_distance_answer *d)
{
    PyObject *faces = d->face_a == GRZ_NO_FACE ? Py_BuildValue("(OO)", Py_None, Py_None)
                                               : Py_BuildValue("(II)", d->face_a, d->face_b);
    if (faces == NULL)
        return NULL;
    return Py_BuildValue("{sdsdsdsssOsNs(ddd)s(ddd)sK}", "distance", d->distance, "lower", d->lower, "upper", d->upper,
                         "certainty", certainty_name(d->certainty), "touching", d->touching ? Py_True : Py_False,
                         "faces", faces, "point_a", d->point_a[0], d->point_a[1], d->point_a[2], "point_b",
                         d->point_b[0], d->point_b[1], d->point_b[2], "ties", (unsigned long long)d->ties);
}

// What is asked about a couple, and by a thread that cannot be interrupted (wait.c).
typedef struct measure_question {
    grz_device *device;
    couple c;
    grz_distance_options distance;
    grz_distance_answer apart;
    grz_move_options move;
    double along[3];
    bool has_direction;
    grz_penetration_answer depth;
    volatile int cancel;
    grz_status status;
    grz_error error;
} measure_question;

// Let `ask` answer, and end the use of the meshes. Whether there is an answer; if not, an exception is set.
static bool answer_question(module_state *state, measure_question *q, void (*ask)(void *))
{
    const bool is_short =
        grz_mesh_face_count(q->c.objects[0].mesh) <= 1000 && grz_mesh_face_count(q->c.objects[1].mesh) <= 1000;
    q->distance.limits.cancel = q->move.limits.cancel = &q->cancel;
    const bool went = run_long(ask, q, &q->cancel, is_short);
    couple_end(&q->c);
    if (went && q->status != GRZ_OK)
        raise_error(state, &q->error);
    return went && q->status == GRZ_OK;
}

static void ask_distance(void *of)
{
    measure_question *q = of;
    q->status = grz_distance(q->device, &q->c.objects[0], &q->c.objects[1], &q->distance, &q->apart, &q->error);
}

PyObject *call_distance(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"a", "b", "pose_a", "pose_b", "relative_error", "deadline", NULL};
    PyObject *a, *b, *pose_a = NULL, *pose_b = NULL;
    module_state *state = state_of_module(module);
    measure_question q = {.device = state->device, .distance = grz_default_distance_options()};
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OO|$OOdd:distance", keywords, &a, &b, &pose_a, &pose_b,
                                     &q.distance.relative_error, &q.distance.limits.deadline) ||
        !couple_begin(state, a, b, pose_a, pose_b, &q.c))
        return NULL;
    return answer_question(state, &q, ask_distance) ? distance_answer(&q.apart) : NULL;
}

static PyObject *penetration_answer(const grz_penetration_answer *p)
{
    return Py_BuildValue("{sdsdsdsssOs(ddd)sz}", "depth", p->depth, "lower", p->lower, "upper", p->upper, "certainty",
                         certainty_name(p->certainty), "penetrating", p->penetrating ? Py_True : Py_False, "direction",
                         p->direction[0], p->direction[1], p->direction[2], "reason", p->reason);
}

static void ask_penetration(void *of)
{
    measure_question *q = of;
    const grz_object *a = &q->c.objects[0], *b = &q->c.objects[1];
    q->status = q->has_direction ? grz_penetration_along(q->device, a, b, q->along, &q->move, &q->depth, &q->error)
                                 : grz_penetration(q->device, a, b, &q->move, &q->depth, &q->error);
}

PyObject *call_penetration(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"a", "b", "pose_a", "pose_b", "along", "deadline", NULL};
    PyObject *a, *b, *pose_a = NULL, *pose_b = NULL, *along = NULL;
    module_state *state = state_of_module(module);
    measure_question q = {.device = state->device, .move = grz_default_move_options()};
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OO|$OOOd:penetration", keywords, &a, &b, &pose_a, &pose_b,
                                     &along, &q.move.limits.deadline))
        return NULL;
    q.has_direction = along != NULL && along != Py_None;
    if ((q.has_direction && !read_vector(along, "along", true, q.along)) ||
        !couple_begin(state, a, b, pose_a, pose_b, &q.c))
        return NULL;
    return answer_question(state, &q, ask_penetration) ? penetration_answer(&q.depth) : NULL;
}
