// SPDX-License-Identifier: MIT
// Balls that fly and bounce: flight_from(), flight_advance(), flight_pose(), flight_motion_between(). A flight is plain
// data, handed to and fro as bytes; libgraze.Flight keeps them.
#include "rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOTION_NUMBERS = 13 // since, velocity, acceleration, spin, centre
};

typedef struct used_mesh {
    mesh_object *mesh;
} used_mesh;

typedef struct flight_question {
    grz_device *device;
    used_mesh *meshes;
    grz_object *objects;
    grz_flight_motion *motions; // or NULL
    Py_ssize_t count, begun;
    grz_flight_options options;
    grz_flight flight;
    double until;
    grz_bounce *bounces;
    uint64_t room, found;
    volatile int cancel;
    grz_status status;
    grz_error error;
} flight_question;

// ---- Reading

static void motion_of_numbers(const double n[MOTION_NUMBERS], grz_flight_motion *motion)
{
    motion->since = n[0];
    for (int k = 0; k < 3; k++) {
        motion->velocity[k] = n[1 + k];
        motion->acceleration[k] = n[4 + k];
        motion->spin[k] = n[7 + k];
        motion->centre[k] = n[10 + k];
    }
}

static bool read_motion(PyObject *from, grz_flight_motion *motion)
{
    double n[MOTION_NUMBERS];
    const int count = read_flat(from, "motions", n, MOTION_NUMBERS);
    if (count >= 0 && count != MOTION_NUMBERS)
        PyErr_Format(PyExc_ValueError, "motions: a motion of %d numbers, must be of %d", count, (int)MOTION_NUMBERS);
    if (count != MOTION_NUMBERS)
        return false;
    motion_of_numbers(n, motion);
    return true;
}

static bool read_flight(PyObject *from, grz_flight *flight)
{
    char *bytes;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(from, &bytes, &size) != 0)
        return false;
    if (size != (Py_ssize_t)sizeof *flight) {
        PyErr_SetString(PyExc_ValueError, "the flight is one of another version of libgraze");
        return false;
    }
    memcpy(flight, bytes, sizeof *flight);
    return true;
}

static void question_end(flight_question *q)
{
    for (Py_ssize_t i = 0; i < q->begun; i++)
        mesh_end(q->meshes[i].mesh);
    free(q->meshes);
    free(q->objects);
    free(q->motions);
    free(q->bounces);
}

static bool read_object(module_state *state, PyObject *meshes, PyObject *poses, PyObject *motions, flight_question *q)
{
    const Py_ssize_t i = q->begun;
    PyObject *mesh = PySequence_GetItem(meshes, i), *pose = PySequence_GetItem(poses, i),
             *motion = motions != Py_None ? PySequence_GetItem(motions, i) : NULL;
    bool ok = mesh != NULL && pose != NULL && (motion != NULL || motions == Py_None) &&
              mesh_begin(state, mesh, "objects", &q->meshes[i].mesh);
    if (ok) {
        q->begun++;
        q->objects[i].mesh = q->meshes[i].mesh->mesh;
        ok = read_pose(pose, "objects", &q->objects[i].pose) &&
             (q->motions == NULL || read_motion(motion, &q->motions[i]));
    }
    Py_XDECREF(mesh);
    Py_XDECREF(pose);
    Py_XDECREF(motion);
    return ok;
}

static bool read_objects(module_state *state, PyObject *meshes, PyObject *poses, PyObject *motions, flight_question *q)
{
    q->count = PySequence_Length(meshes);
    if (q->count < 0)
        return false;
    const size_t room = (size_t)q->count + 1;
    q->meshes = calloc(room, sizeof *q->meshes);
    q->objects = calloc(room, sizeof *q->objects);
    q->motions = motions != Py_None ? calloc(room, sizeof *q->motions) : NULL;
    q->bounces = calloc((size_t)q->room + 1, sizeof *q->bounces);
    if (q->meshes == NULL || q->objects == NULL || q->bounces == NULL || (motions != Py_None && q->motions == NULL)) {
        PyErr_NoMemory();
        return false;
    }
    while (q->begun < q->count)
        if (!read_object(state, meshes, poses, motions, q))
            return false;
    q->options.motions = q->motions;
    return true;
}

// ---- Answering

static PyObject *flight_bytes(const grz_flight *flight)
{
    return PyBytes_FromStringAndSize((const char *)flight, (Py_ssize_t)sizeof *flight);
}

static const char *state_name(grz_flight_state state)
{
    static const char *const names[] = {[GRZ_FLIGHT_FLIES] = "flies",    [GRZ_FLIGHT_RESTS] = "rests",
                                        [GRZ_FLIGHT_FULL] = "full",      [GRZ_FLIGHT_STARTS_INSIDE] = "starts_inside",
                                        [GRZ_FLIGHT_LIMIT] = "limit",    [GRZ_FLIGHT_RIDES] = "rides",
                                        [GRZ_FLIGHT_CRUSHED] = "crushed"};
    return (unsigned)state < sizeof names / sizeof *names ? names[state] : "unknown";
}

// What Python sees of a flight.
static PyObject *flight_answer(const grz_flight *f, const double acceleration[3])
{
    double v[3];
    grz_flight_velocity(f, acceleration, v);
    PyObject *carrier = f->carrier == UINT32_MAX ? Py_NewRef(Py_None) : PyLong_FromUnsignedLong(f->carrier);
    return Py_BuildValue("{sNs(ddd)s(ddd)sdsssNsK}", "data", flight_bytes(f), "position", f->position[0],
                         f->position[1], f->position[2], "velocity", v[0], v[1], v[2], "now", f->now, "state",
                         state_name(f->state), "carrier", carrier, "bounces", (unsigned long long)f->bounces);
}

static PyObject *bounce_answer(const grz_bounce *b)
{
    return Py_BuildValue("{sds(ddd)s(ddd)s(ddd)s(ddd)s(ddd)s(ddd)sIsI}", "time", b->time, "position", b->position[0],
                         b->position[1], b->position[2], "before", b->before[0], b->before[1], b->before[2], "after",
                         b->after[0], b->after[1], b->after[2], "normal", b->normal[0], b->normal[1], b->normal[2],
                         "point", b->point[0], b->point[1], b->point[2], "surface", b->surface[0], b->surface[1],
                         b->surface[2], "object", b->object, "face", b->face);
}

static PyObject *bounces_answer(const flight_question *q)
{
    PyObject *list = PyList_New((Py_ssize_t)q->found);
    for (uint64_t i = 0; i < q->found && list != NULL; i++) {
        PyObject *bounce = bounce_answer(&q->bounces[i]);
        if (bounce == NULL || PyList_SetItem(list, (Py_ssize_t)i, bounce) != 0)
            Py_CLEAR(list);
    }
    return list;
}

static void ask_advance(void *of)
{
    flight_question *q = of;
    q->status = grz_flight_advance(q->device, q->objects, (uint32_t)q->count, &q->options, q->until, &q->flight,
                                   q->bounces, q->room, &q->found, &q->error);
}

// ---- The calls

static PyObject *call_flight_from(PyObject *module, PyObject *arguments)
{
    PyObject *position, *velocity;
    double p[3], v[3], time;
    static const double none[3] = {0.0, 0.0, 0.0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOd:flight_from", &position, &velocity, &time) ||
        !read_vector(position, "position", false, p) || !read_vector(velocity, "velocity", false, v))
        return NULL;
    const grz_flight flight = grz_flight_from(p, v, time);
    return flight_answer(&flight, none);
}

static PyObject *call_flight_advance(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"data",         "meshes",      "poses",    "motions",     "until",    "radius", "skin",
                               "acceleration", "restitution", "friction", "max_bounces", "deadline", NULL};
    PyObject *data, *meshes, *poses, *motions, *acceleration = NULL;
    long long most = 64;
    module_state *state = state_of_module(module);
    flight_question q = {.device = state->device, .options = grz_default_flight_options()};
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OOOOd|$ddOddLd:flight_advance", keywords, &data, &meshes,
                                     &poses, &motions, &q.until, &q.options.radius, &q.options.skin, &acceleration,
                                     &q.options.restitution, &q.options.friction, &most, &q.options.limits.deadline) ||
        !read_flight(data, &q.flight) ||
        (acceleration != NULL && acceleration != Py_None &&
         !read_vector(acceleration, "acceleration", false, q.options.acceleration)))
        return NULL;
    if (most < 0 || most > 1000000) {
        PyErr_Format(PyExc_ValueError, "max_bounces: %lld, must be 0 to 1000000", most);
        return NULL;
    }
    q.room = (uint64_t)most;
    q.options.limits.cancel = &q.cancel;
    bool ok = read_objects(state, meshes, poses, motions, &q) && run_long(ask_advance, &q, &q.cancel, false);
    if (ok && q.status != GRZ_OK) {
        raise_error(state, &q.error);
        ok = false;
    }
    PyObject *made =
        ok ? Py_BuildValue("(NN)", flight_answer(&q.flight, q.options.acceleration), bounces_answer(&q)) : NULL;
    question_end(&q);
    return made;
}

static PyObject *call_flight_pose(PyObject *module, PyObject *arguments)
{
    PyObject *pose, *given;
    grz_object object = {.mesh = NULL};
    grz_flight_motion motion;
    grz_pose made;
    grz_error error;
    double time;
    if (!PyArg_ParseTuple(arguments, "OOd:flight_pose", &pose, &given, &time) ||
        !read_pose(pose, "pose", &object.pose) || !read_motion(given, &motion))
        return NULL;
    if (grz_flight_pose(&object, &motion, time, &made, &error) != GRZ_OK)
        return raise_error(state_of_module(module), &error);
    return pose_rows(&made);
}

static PyObject *call_flight_motion_between(PyObject *module, PyObject *arguments)
{
    PyObject *first, *second, *centre;
    grz_pose from, to;
    grz_flight_motion m;
    grz_error error;
    double since, arrival, c[3];
    if (!PyArg_ParseTuple(arguments, "OOddO:flight_motion_between", &first, &second, &since, &arrival, &centre) ||
        !read_pose(first, "first", &from) || !read_pose(second, "second", &to) ||
        !read_vector(centre, "centre", false, c))
        return NULL;
    if (grz_flight_motion_between(&from, &to, since, arrival, c, &m, &error) != GRZ_OK)
        return raise_error(state_of_module(module), &error);
    return Py_BuildValue("((ddd)(ddd)(ddd)(ddd)d)", m.velocity[0], m.velocity[1], m.velocity[2], m.acceleration[0],
                         m.acceleration[1], m.acceleration[2], m.spin[0], m.spin[1], m.spin[2], m.centre[0],
                         m.centre[1], m.centre[2], m.since);
}

PyMethodDef flights_functions[] = {
    {"flight_from", call_flight_from, METH_VARARGS,
     "flight_from($module, position, velocity, time, /)\n--\n\nA flight that begins; see libgraze.Flight."},
    {"flight_advance", (PyCFunction)(void (*)(void))call_flight_advance, METH_VARARGS | METH_KEYWORDS,
     "flight_advance($module, data, meshes, poses, motions, until, *, radius=0.0, skin=0.0, acceleration=None, "
     "restitution=1.0, friction=0.0, max_bounces=64, deadline=0.0)\n--\n\nLet a ball fly on; see "
     "libgraze.Flight.advance."},
    {"flight_pose", call_flight_pose, METH_VARARGS,
     "flight_pose($module, pose, motion, time, /)\n--\n\nWhere an object is at a time; see "
     "libgraze.FlightMotion.pose."},
    {"flight_motion_between", call_flight_motion_between, METH_VARARGS,
     "flight_motion_between($module, first, second, since, arrival, centre, /)\n--\n\nThe motion from one pose to "
     "another; see libgraze.FlightMotion.between."},
    {NULL, NULL, 0, NULL}};
