// SPDX-License-Identifier: MIT
// When do moving meshes first touch? Along straight lines: move(), move_intervals(), move_paths(); turning, too:
// move_rigid(); deforming: move_deforming(). And the types Moves and ContactIntervals.
#include "rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Whatever is asked. Which members count depends on the call.
typedef struct motion_question {
    grz_device *device;
    couple c;
    double ends[2][3];        // translations at the end
    numbers paths;            // of A
    grz_motion motions[2];    // of move_rigid()
    numbers positions[2];     // of move_deforming(): at the end; no data: at rest
    bool is_self;             // move_deforming() of one mesh
    grz_move_options options; // and
    grz_rigid_options rigid;  // and
    grz_deforming_options deforming;
    volatile int cancel;
    grz_overlap_time overlap;
    grz_move_answer answer; // or
    grz_move_answer *answers;
    grz_move_answer deformed;
    grz_contact_interval *intervals;
    uint64_t most, found;
    grz_status status;
    grz_error error;
} motion_question;

// Let `ask` answer; many: it takes long whatever the meshes are. Whether there is an answer; if not, an exception is
// set.
static bool answer_question(module_state *state, motion_question *q, void (*ask)(void *), bool many)
{
    const uint64_t a = grz_mesh_face_count(q->c.objects[0].mesh), b = grz_mesh_face_count(q->c.objects[1].mesh);
    const bool is_short = !many && a <= 1000 && b <= 1000;
    q->options.limits.cancel = q->rigid.limits.cancel = q->deforming.limits.cancel = &q->cancel;
    const bool went = run_long(ask, q, &q->cancel, is_short);
    if (went && q->status != GRZ_OK)
        raise_error(state, &q->error);
    return went && q->status == GRZ_OK;
}

static bool check_steps(long long steps, const char *name, long long most)
{
    if (steps >= 0 && steps <= most)
        return true;
    PyErr_Format(PyExc_ValueError, "%s: %lld, must be 0 to %lld", name, steps, most);
    return false;
}

// ---- Along straight lines

// Where the translation of a pose is at the end; not given: where it is at the start.
static bool read_end(PyObject *given, const char *name, const grz_object *object, double end[3])
{
    for (int k = 0; k < 3; k++)
        end[k] = object->pose.m[k][3];
    return given == NULL || given == Py_None || read_vector(given, name, false, end);
}

// The arguments that the calls share; `paths`: many ends of A, and B rests.
static bool read_straight(module_state *state, PyObject *arguments, PyObject *names, bool paths, motion_question *q)
{
    static char *two[] = {"a",      "b",           "to_a",   "to_b",     "pose_a", "pose_b",
                          "inside", "inside_rule", "method", "deadline", NULL};
    static char *many[] = {"a", "ends", "b", "pose_a", "pose_b", "inside", "inside_rule", "method", "deadline", NULL};
    PyObject *a, *b, *ends = NULL, *to_a = NULL, *to_b = NULL, *pose_a = NULL, *pose_b = NULL;
    const char *rule = "even_odd";
    int inside = 1;
    *q = (motion_question){.device = state->device,
                           .options = grz_default_move_options(),
                           .rigid = grz_default_rigid_options(),
                           .deforming = grz_default_deforming_options()};
    const bool parsed =
        paths ? PyArg_ParseTupleAndKeywords(arguments, names, "OOO|$OOpszd:move_paths", many, &a, &ends, &b, &pose_a,
                                            &pose_b, &inside, &rule, &q->options.method, &q->options.limits.deadline)
              : PyArg_ParseTupleAndKeywords(arguments, names, "OO|$OOOOpszd:move", two, &a, &b, &to_a, &to_b, &pose_a,
                                            &pose_b, &inside, &rule, &q->options.method, &q->options.limits.deadline);
    if (!parsed || !read_rule(rule, &q->options.inside_rule) || !couple_begin(state, a, b, pose_a, pose_b, &q->c))
        return false;
    q->options.inside = inside != 0;
    const bool ok = paths ? read_doubles(ends, "ends", false, &q->paths)
                          : read_end(to_a, "to_a", &q->c.objects[0], q->ends[0]) &&
                                read_end(to_b, "to_b", &q->c.objects[1], q->ends[1]);
    if (!ok)
        couple_end(&q->c);
    return ok;
}

PyObject *move_answer(const grz_move_answer *m)
{
    PyObject *faces = faces_tuple(m->face_a, m->face_b), *feature_a = feature_tuple(&m->feature_a),
             *feature_b = feature_tuple(&m->feature_b);
    PyObject *made =
        faces == NULL || feature_a == NULL || feature_b == NULL
            ? NULL
            : Py_BuildValue(
                  "{sOsdsdsdsssOsOsOs(OO)s(ddd)s(ddd)sKsKsKsz}", "has_contact", m->has_contact ? Py_True : Py_False,
                  "first_contact", m->first_contact, "lower", m->lower, "upper", m->upper, "certainty",
                  certainty_name(m->certainty), "started_touching", m->started_touching ? Py_True : Py_False,
                  "started_inside", m->started_inside ? Py_True : Py_False, "faces", faces, "features", feature_a,
                  feature_b, "normal", m->normal[0], m->normal[1], m->normal[2], "point", m->point[0], m->point[1],
                  m->point[2], "ties", (unsigned long long)m->ties, "compared", (unsigned long long)m->compared,
                  "undecided", (unsigned long long)m->undecided, "reason", m->reason);
    Py_XDECREF(faces);
    Py_XDECREF(feature_a);
    Py_XDECREF(feature_b);
    return made;
}

static void ask_move(void *of)
{
    motion_question *q = of;
    q->status = grz_move(q->device, &q->c.objects[0], q->ends[0], &q->c.objects[1], q->ends[1], &q->options, &q->answer,
                         &q->error);
}

static PyObject *call_move(PyObject *module, PyObject *arguments, PyObject *names)
{
    module_state *state = state_of_module(module);
    motion_question q;
    if (!read_straight(state, arguments, names, false, &q))
        return NULL;
    const bool ok = answer_question(state, &q, ask_move, false);
    couple_end(&q.c);
    return ok ? move_answer(&q.answer) : NULL;
}

static void ask_overlap(void *of)
{
    motion_question *q = of;
    q->status = grz_move_first_overlap(q->device, &q->c.objects[0], q->ends[0], &q->c.objects[1], q->ends[1],
                                       &q->options, &q->overlap, &q->error);
}

static PyObject *call_first_overlap(PyObject *module, PyObject *arguments, PyObject *names)
{
    module_state *state = state_of_module(module);
    motion_question q;
    if (!read_straight(state, arguments, names, false, &q))
        return NULL;
    const bool ok = answer_question(state, &q, ask_overlap, false);
    const grz_overlap_time *t = &q.overlap;
    couple_end(&q.c);
    return ok ? Py_BuildValue("{sOsdsdsdsssOsNsz}", "overlaps", t->overlaps ? Py_True : Py_False, "first_overlap",
                              t->first_overlap, "lower", t->lower, "upper", t->upper, "certainty",
                              certainty_name(t->certainty), "started_inside", t->started_inside ? Py_True : Py_False,
                              "faces", faces_tuple(t->face_a, t->face_b), "reason", t->reason)
              : NULL;
}

static void ask_intervals(void *of)
{
    motion_question *q = of;
    q->status = grz_move_intervals(q->device, &q->c.objects[0], q->ends[0], &q->c.objects[1], q->ends[1], &q->options,
                                   q->intervals, q->most, &q->found, &q->error);
}

static PyObject *call_move_intervals(PyObject *module, PyObject *arguments, PyObject *names)
{
    module_state *state = state_of_module(module);
    motion_question q;
    bool ok = read_straight(state, arguments, names, false, &q);
    if (!ok)
        return NULL;
    for (q.found = 16; ok && q.found > q.most;) { // until there is room for all
        free(q.intervals);
        q.most = q.found;
        q.intervals = malloc(q.most * sizeof *q.intervals);
        ok = q.intervals != NULL;
        if (ok)
            ok = answer_question(state, &q, ask_intervals, false);
        else
            PyErr_NoMemory();
    }
    couple_end(&q.c);
    if (ok)
        return make_rows(state, CONTACT_INTERVALS, q.intervals, NULL, (Py_ssize_t)q.found);
    free(q.intervals);
    return NULL;
}

static void ask_paths(void *of)
{
    motion_question *q = of;
    q->status = grz_move_paths(q->device, &q->c.objects[0], q->paths.data, (uint64_t)q->paths.rows, &q->c.objects[1],
                               &q->options, q->answers, &q->error);
}

static PyObject *call_move_paths(PyObject *module, PyObject *arguments, PyObject *names)
{
    module_state *state = state_of_module(module);
    motion_question q;
    if (!read_straight(state, arguments, names, true, &q))
        return NULL;
    const Py_ssize_t count = q.paths.rows;
    q.answers = malloc((size_t)count * sizeof *q.answers + 1);
    bool ok = q.answers != NULL;
    if (ok)
        ok = answer_question(state, &q, ask_paths, count > 16);
    else
        PyErr_NoMemory();
    couple_end(&q.c);
    numbers_finish(&q.paths);
    if (ok)
        return make_rows(state, MOVES, q.answers, NULL, count);
    free(q.answers);
    return NULL;
}

// ---- Turning

// The quaternion of a rotation (Shepperd: the largest of its numbers first). False: an exception is set.
static bool turn_of(const grz_pose *pose, const char *name, double turn[4])
{
    const double(*m)[4] = pose->m;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double product = m[0][i] * m[0][j] + m[1][i] * m[1][j] + m[2][i] * m[2][j];
            if (!(fabs(product - (i == j)) <= 1e-9)) {
                PyErr_Format(PyExc_ValueError, "%s: the matrix must be a rotation", name);
                return false;
            }
        }
    const double trace = m[0][0] + m[1][1] + m[2][2];
    int largest = 3;
    double most = trace;
    for (int i = 0; i < 3; i++)
        if (m[i][i] > most) {
            largest = i;
            most = m[i][i];
        }
    if (largest == 3) {
        turn[0] = m[2][1] - m[1][2];
        turn[1] = m[0][2] - m[2][0];
        turn[2] = m[1][0] - m[0][1];
        turn[3] = 1.0 + trace;
    } else {
        const int j = (largest + 1) % 3, k = (largest + 2) % 3;
        turn[largest] = 1.0 + m[largest][largest] - m[j][j] - m[k][k];
        turn[j] = m[j][largest] + m[largest][j];
        turn[k] = m[k][largest] + m[largest][k];
        turn[3] = m[k][j] - m[j][k];
    }
    const double mirrored = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                            m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                            m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    if (mirrored < 0.0) {
        PyErr_Format(PyExc_ValueError, "%s: the matrix must be a rotation, not a mirror image", name);
        return false;
    }
    return true;
}

// A translation and a quaternion: three numbers, seven, or a matrix.
static bool read_place(PyObject *from, const char *name, double at[3], double turn[4])
{
    static const double none[4] = {0.0, 0.0, 0.0, 1.0};
    double given[16];
    const int count = read_flat(from, name, given, 16);
    if (count < 0)
        return false;
    for (int i = 0; i < count; i++)
        if (!isfinite(given[i])) {
            PyErr_Format(PyExc_ValueError, "%s: must be finite", name);
            return false;
        }
    if (count == 3 || count == 7) {
        memcpy(at, given, 3 * sizeof *at);
        memcpy(turn, count == 7 ? given + 3 : none, sizeof none);
        if (turn[0] != 0.0 || turn[1] != 0.0 || turn[2] != 0.0 || turn[3] != 0.0)
            return true;
        PyErr_Format(PyExc_ValueError, "%s: the quaternion may not be all zeros", name);
        return false;
    }
    if (count != 12 && count != 16) {
        PyErr_Format(PyExc_ValueError,
                     "%s: %d numbers, must be a translation of 3, one with a quaternion, or a matrix of 3 x 4 or 4 x 4",
                     name, count);
        return false;
    }
    grz_pose pose;
    if (!read_pose(from, name, &pose) || !turn_of(&pose, name, turn))
        return false;
    for (int k = 0; k < 3; k++)
        at[k] = pose.m[k][3];
    return true;
}

// Where a mesh rests: as read_place(), but a matrix may be any pose.
static bool read_rest(PyObject *from, const char *name, grz_motion *motion)
{
    double given[16];
    grz_pose pose = grz_pose_identity();
    grz_error error;
    const int count = from != NULL && from != Py_None ? read_flat(from, name, given, 16) : 0;
    if (count < 0)
        return false;
    if (count != 7 && !read_pose(from, name, &pose))
        return false;
    if (count == 7 && grz_pose_from_quaternion(given, given + 3, &pose, &error) != GRZ_OK) {
        PyErr_Format(PyExc_ValueError, "%s: %s", name, error.message);
        return false;
    }
    *motion = grz_motion_rest(pose);
    return true;
}

// How one mesh moves. Without an end it rests where it begins.
static bool read_motion(PyObject *from, PyObject *to, const char *from_name, const char *to_name, bool screw,
                        grz_motion *motion)
{
    double start[3] = {0.0, 0.0, 0.0}, start_turn[4] = {0.0, 0.0, 0.0, 1.0}, end[3], end_turn[4];
    if (to == NULL || to == Py_None)
        return read_rest(from, from_name, motion);
    if ((from != NULL && from != Py_None && !read_place(from, from_name, start, start_turn)) ||
        !read_place(to, to_name, end, end_turn))
        return false;
    *motion = (screw ? grz_motion_screw : grz_motion_slerp)(start, start_turn, end, end_turn);
    return true;
}

static void ask_rigid(void *of)
{
    motion_question *q = of;
    q->status = grz_move_rigid(q->device, &q->c.objects[0], &q->motions[0], &q->c.objects[1], &q->motions[1], &q->rigid,
                               &q->answer, &q->error);
}

static bool read_search(const char *name, grz_rigid_search *search)
{
    *search = strcmp(name, "halving") == 0 ? GRZ_RIGID_HALVING : GRZ_RIGID_ADVANCE;
    if (*search == GRZ_RIGID_HALVING || strcmp(name, "advance") == 0)
        return true;
    PyErr_Format(PyExc_ValueError, "search is \"%s\", must be \"advance\" or \"halving\"", name);
    return false;
}

static PyObject *call_move_rigid(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"a",      "b",           "from_a",    "to_a",     "from_b",
                               "to_b",   "screw",       "tolerance", "t_max",    "max_steps",
                               "inside", "inside_rule", "search",    "deadline", NULL};
    PyObject *a, *b, *from_a = NULL, *to_a = NULL, *from_b = NULL, *to_b = NULL;
    const char *rule = "even_odd", *search = "advance";
    int screw = 0, inside = 1;
    module_state *state = state_of_module(module);
    motion_question q = {.device = state->device, .rigid = grz_default_rigid_options()};
    long long steps = (long long)q.rigid.max_steps;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OO|$OOOOpddLpssd:move_rigid", keywords, &a, &b, &from_a, &to_a,
                                     &from_b, &to_b, &screw, &q.rigid.tolerance, &q.rigid.t_max, &steps, &inside, &rule,
                                     &search, &q.rigid.limits.deadline) ||
        !read_rule(rule, &q.rigid.inside_rule) || !read_search(search, &q.rigid.search) ||
        !check_steps(steps, "max_steps", INT64_MAX) ||
        !read_motion(from_a, to_a, "from_a", "to_a", screw != 0, &q.motions[0]) ||
        !read_motion(from_b, to_b, "from_b", "to_b", screw != 0, &q.motions[1]) ||
        !couple_begin(state, a, b, NULL, NULL, &q.c))
        return NULL;
    q.rigid.max_steps = (uint64_t)steps;
    q.rigid.inside = inside != 0;
    const bool ok = answer_question(state, &q, ask_rigid, true);
    couple_end(&q.c);
    return ok ? move_answer(&q.answer) : NULL;
}

// ---- Deforming

static bool read_positions(PyObject *given, const char *name, const mesh_object *mesh, numbers *out)
{
    if (given == NULL || given == Py_None)
        return true;
    if (!read_doubles(given, name, false, out))
        return false;
    if ((uint64_t)out->rows == grz_mesh_vertex_count(mesh->mesh))
        return true;
    PyErr_Format(PyExc_ValueError, "%s: %zd rows, the mesh has %llu vertices", name, out->rows,
                 (unsigned long long)grz_mesh_vertex_count(mesh->mesh));
    return false;
}

static void ask_deforming(void *of)
{
    motion_question *q = of;
    q->status =
        grz_move_deforming(q->device, &q->c.objects[0], q->positions[0].data, q->is_self ? NULL : &q->c.objects[1],
                           q->is_self ? NULL : q->positions[1].data, &q->deforming, &q->deformed, &q->error);
}

static PyObject *call_move_deforming(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {
        "a",         "b",          "end_a",     "end_b",    "pose_a", "pose_b", "t_max", "time_tolerance",
        "tolerance", "separation", "max_steps", "deadline", NULL};
    PyObject *a, *b = Py_None, *end_a = NULL, *end_b = NULL, *pose_a = NULL, *pose_b = NULL;
    module_state *state = state_of_module(module);
    motion_question q = {.device = state->device, .deforming = grz_default_deforming_options()};
    long long steps = (long long)q.deforming.max_steps;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O|O$OOOOddddLd:move_deforming", keywords, &a, &b, &end_a,
                                     &end_b, &pose_a, &pose_b, &q.deforming.t_max, &q.deforming.time_tolerance,
                                     &q.deforming.tolerance, &q.deforming.separation, &steps,
                                     &q.deforming.limits.deadline) ||
        !check_steps(steps, "max_steps", INT64_MAX))
        return NULL;
    q.is_self = b == Py_None;
    q.deforming.max_steps = (uint64_t)steps;
    if (q.is_self && ((end_b != NULL && end_b != Py_None) || (pose_b != NULL && pose_b != Py_None))) {
        PyErr_SetString(PyExc_ValueError, "b: is not given, but end_b or pose_b is");
        return NULL;
    }
    if (!couple_begin(state, a, q.is_self ? a : b, pose_a, pose_b, &q.c))
        return NULL;
    const bool ok = read_positions(end_a, "end_a", q.c.meshes[0], &q.positions[0]) &&
                    read_positions(end_b, "end_b", q.c.meshes[1], &q.positions[1]) &&
                    answer_question(state, &q, ask_deforming, true);
    couple_end(&q.c);
    numbers_finish(&q.positions[0]);
    numbers_finish(&q.positions[1]);
    return ok ? move_answer(&q.deformed) : NULL;
}

// ---- The types

static PyObject *represent_moves(PyObject *self)
{
    const rows_object *r = (const rows_object *)self;
    const grz_move_answer *m = r->rows;
    Py_ssize_t touching = 0;
    for (Py_ssize_t i = 0; i < r->count; i++)
        touching += m[i].has_contact;
    return PyUnicode_FromFormat("<libgraze.Moves: %zd of %zd paths touch>", touching, r->count);
}

static PyGetSetDef moves_properties[] = {
    ROWS_COLUMN("has_contact", grz_move_answer, has_contact, "?", bool, 1, "Whether the surfaces meet on the path."),
    ROWS_COLUMN("first_contact", grz_move_answer, first_contact, "d", double, 1, "When, 0 to 1; infinite if never."),
    ROWS_COLUMN("lower", grz_move_answer, lower, "d", double, 1, "lower <= exact time <= upper."),
    ROWS_COLUMN("upper", grz_move_answer, upper, "d", double, 1, "lower <= exact time <= upper."),
    ROWS_COLUMN("certainties", grz_move_answer, certainty, "I", grz_certainty, 1,
                "0: exact, 2: undecided, 3: enclosed."),
    ROWS_COLUMN("started_touching", grz_move_answer, started_touching, "?", bool, 1,
                "Whether the surfaces touch at the start."),
    ROWS_COLUMN("started_inside", grz_move_answer, started_inside, "?", bool, 1, "Whether they overlap at the start."),
    ROWS_COLUMN("faces", grz_move_answer, face_a, "I", uint32_t, 2, "Of A and of B, those that meet first, or NONE."),
    ROWS_COLUMN("features_a", grz_move_answer, feature_a, "I", uint32_t, 2,
                "Of A: a vertex (v, NONE), an edge (v, w), or the inside of the face (NONE, NONE)."),
    ROWS_COLUMN("features_b", grz_move_answer, feature_b, "I", uint32_t, 2, "The same of B."),
    ROWS_COLUMN("normals", grz_move_answer, normal, "d", double, 3, "From B to A, of length 1, or zeros."),
    ROWS_COLUMN("points", grz_move_answer, point, "d", double, 3, "Where the faces meet, world coordinates."),
    ROWS_COLUMN("ties", grz_move_answer, ties, "Q", uint64_t, 1, "How many pairs of faces meet at that time."),
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot moves_slots[] = {{Py_tp_dealloc, rows_dealloc},
                                    {Py_tp_getset, moves_properties},
                                    {Py_sq_length, rows_length},
                                    {Py_tp_repr, represent_moves},
                                    {Py_tp_doc, "The first contacts of many paths, a row for each."},
                                    {0, NULL}};

PyType_Spec moves_spec = {.name = "libgraze._graze.Moves",
                          .basicsize = sizeof(rows_object),
                          .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
                          .slots = moves_slots};

static PyObject *represent_intervals(PyObject *self)
{
    return PyUnicode_FromFormat("<libgraze.ContactIntervals: %zd>", rows_length(self));
}

static PyGetSetDef intervals_properties[] = {
    ROWS_COLUMN("enter", grz_contact_interval, enter, "d", double, 1, "When they begin to touch, 0 to 1."),
    ROWS_COLUMN("leave", grz_contact_interval, leave, "d", double, 1, "When they end to touch, 0 to 1."),
    ROWS_COLUMN("enter_bounds", grz_contact_interval, enter_lower, "d", double, 2, "lower <= exact time <= upper."),
    ROWS_COLUMN("leave_bounds", grz_contact_interval, leave_lower, "d", double, 2, "lower <= exact time <= upper."),
    ROWS_COLUMN("enter_faces", grz_contact_interval, enter_face_a, "I", uint32_t, 2,
                "Of A and of B: faces that touch then; NONE if that is the start."),
    ROWS_COLUMN("leave_faces", grz_contact_interval, leave_face_a, "I", uint32_t, 2,
                "Of A and of B: faces that touch then; NONE if that is the end."),
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot intervals_slots[] = {{Py_tp_dealloc, rows_dealloc},
                                        {Py_tp_getset, intervals_properties},
                                        {Py_sq_length, rows_length},
                                        {Py_tp_repr, represent_intervals},
                                        {Py_tp_doc, "The times during which two surfaces touch, a row for each."},
                                        {0, NULL}};

PyType_Spec contact_intervals_spec = {.name = "libgraze._graze.ContactIntervals",
                                      .basicsize = sizeof(rows_object),
                                      .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION |
                                               Py_TPFLAGS_IMMUTABLETYPE,
                                      .slots = intervals_slots};

#define STRAIGHT "a, b, *, to_a=None, to_b=None, pose_a=None, pose_b=None, inside=True, inside_rule='even_odd', "

PyMethodDef motions_functions[] = {
    {"move", (PyCFunction)(void (*)(void))call_move, METH_VARARGS | METH_KEYWORDS,
     "move($module, " STRAIGHT "method=None, deadline=0.0)\n--\n\nThe first contact along straight lines; see "
     "libgraze.move."},
    {"first_overlap", (PyCFunction)(void (*)(void))call_first_overlap, METH_VARARGS | METH_KEYWORDS,
     "first_overlap($module, " STRAIGHT "method=None, deadline=0.0)\n--\n\nWhen insides first overlap; see "
     "libgraze.first_overlap."},
    {"move_intervals", (PyCFunction)(void (*)(void))call_move_intervals, METH_VARARGS | METH_KEYWORDS,
     "move_intervals($module, " STRAIGHT "method=None, deadline=0.0)\n--\n\nAll times of contact along straight lines; "
     "see libgraze.move_intervals."},
    {"move_paths", (PyCFunction)(void (*)(void))call_move_paths, METH_VARARGS | METH_KEYWORDS,
     "move_paths($module, a, ends, b, *, pose_a=None, pose_b=None, inside=True, inside_rule='even_odd', method=None, "
     "deadline=0.0)\n--\n\nThe first contacts along many straight lines; see libgraze.move_paths."},
    {"move_rigid", (PyCFunction)(void (*)(void))call_move_rigid, METH_VARARGS | METH_KEYWORDS,
     "move_rigid($module, a, b, *, from_a=None, to_a=None, from_b=None, to_b=None, screw=False, tolerance=0.0, "
     "t_max=1.0, max_steps=100000000, inside=True, inside_rule='even_odd', search='advance', deadline=0.0)\n--\n\nThe "
     "first "
     "contact "
     "of meshes that move and turn; see libgraze.move_rigid."},
    {"move_deforming", (PyCFunction)(void (*)(void))call_move_deforming, METH_VARARGS | METH_KEYWORDS,
     "move_deforming($module, a, b=None, *, end_a=None, end_b=None, pose_a=None, pose_b=None, t_max=1.0, "
     "time_tolerance=9.094947017729282e-13, tolerance=0.0, separation=0.0, max_steps=4096, "
     "deadline=0.0)\n--\n\nThe first contact of meshes that deform; see libgraze.move_deforming."},
    {NULL, NULL, 0, NULL}};
