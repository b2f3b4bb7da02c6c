// SPDX-License-Identifier: MIT
// Rays and segments against meshes: rays() for many, pick() for one, and the type RayHits.
#include "rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    RAYS_A_CHUNK = 256, // of find="all": what one thread takes at a time
    ROOM = 16           // of find="all": for so many hits of one ray before more is reserved
};

// What the arguments say about the rays.
typedef struct ray_arguments {
    PyObject *target, *origins, *directions, *ends, *pose, *t_min, *t_max;
    const char *find;
    double from, to; // NaN: not given
    grz_pick_options options;
} ray_arguments;

typedef struct ray_question {
    grz_device *device;
    targets targets;
    grz_ray *rays;
    uint64_t count;
    grz_pick_options options;
    volatile int cancel;
    grz_status status;
    grz_error error;
    grz_ray_hit *hits; // or
    bool *any;
} ray_question;

// ---- Reading rays

static bool read_limit(PyObject *given, const char *name, double *limit)
{
    *limit = (double)NAN;
    if (given == NULL || given == Py_None)
        return true;
    *limit = PyFloat_AsDouble(given);
    if (isnan(*limit) && PyErr_Occurred() == NULL)
        PyErr_Format(PyExc_ValueError, "%s: is not a number", name);
    return PyErr_Occurred() == NULL;
}

// Of directions and ends one must be given; None is as if it was not. Reads the limits, too.
static bool choose(ray_arguments *given, const char *directions, const char *ends)
{
    given->directions = given->directions != Py_None ? given->directions : NULL;
    given->ends = given->ends != Py_None ? given->ends : NULL;
    if ((given->directions == NULL) != (given->ends == NULL))
        return read_limit(given->t_min, "t_min", &given->from) && read_limit(given->t_max, "t_max", &given->to);
    PyErr_Format(PyExc_TypeError, "%s: either %s or %s must be given", directions, directions, ends);
    return false;
}

// Whether an argument is one point, not rows of points.
static bool is_vector(PyObject *from)
{
    PyObject *first = PySequence_Check(from) && PySequence_Size(from) == 3 ? PySequence_GetItem(from, 0) : NULL;
    const bool is_number = first != NULL && PyNumber_Check(first) && !PySequence_Check(first);
    Py_XDECREF(first);
    PyErr_Clear(); // read_doubles() says what is wrong
    return is_number;
}

static bool read_rows(PyObject *from, const char *name, bool nonzero, numbers *out)
{
    if (!is_vector(from))
        return read_doubles(from, name, nonzero, out);
    *out = (numbers){.rows = 1, .columns = 3};
    out->data = malloc(3 * sizeof(double));
    if (out->data == NULL)
        PyErr_NoMemory();
    else if (!read_vector(from, name, nonzero, out->data))
        numbers_finish(out);
    return out->data != NULL;
}

static bool set_range(const ray_arguments *given, grz_ray *ray)
{
    if (!isnan(given->from))
        ray->from = given->from;
    if (!isnan(given->to))
        ray->to = given->to;
    if (ray->from <= ray->to)
        return true;
    PyErr_SetString(PyExc_ValueError, "t_max: is less than t_min");
    return false;
}

// Make the rays of two arrays, of which one may have a single row. False: an exception is set.
static bool make_rays(const ray_arguments *given, const numbers *origins, const numbers *others, ray_question *q)
{
    const bool between = given->ends != NULL;
    const Py_ssize_t count = origins->rows == 1 ? others->rows : origins->rows;
    if (origins->rows != others->rows && origins->rows != 1 && others->rows != 1) {
        PyErr_Format(PyExc_ValueError, "%s: %zd rows, origins has %zd", between ? "ends" : "directions", others->rows,
                     origins->rows);
        return false;
    }
    q->rays = malloc((size_t)count * sizeof *q->rays + 1);
    q->count = (uint64_t)count;
    if (q->rays == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        const double *p = (const double *)origins->data + (origins->rows == 1 ? 0 : 3 * i),
                     *v = (const double *)others->data + (others->rows == 1 ? 0 : 3 * i);
        if (between && p[0] == v[0] && p[1] == v[1] && p[2] == v[2]) {
            PyErr_Format(PyExc_ValueError, "ends: row %zd is the same point as in origins", i);
            return false;
        }
        q->rays[i] = between ? grz_ray_between(p, v) : grz_ray_along(p, v);
        if (!set_range(given, &q->rays[i]))
            return false;
    }
    return true;
}

static void question_finish(module_state *state, ray_question *q)
{
    targets_end(state, &q->targets);
    free(q->rays);
    q->rays = NULL;
}

static bool question_begin(module_state *state, const ray_arguments *given, ray_question *q)
{
    numbers origins, others;
    *q = (ray_question){.device = state->device, .options = given->options};
    if (!read_rows(given->origins, "origins", false, &origins))
        return false;
    const bool ok = given->ends != NULL ? read_rows(given->ends, "ends", false, &others)
                                        : read_rows(given->directions, "directions", true, &others);
    const bool begun = ok && make_rays(given, &origins, &others, q) &&
                       targets_begin(state, given->target, given->pose, "target", &q->targets);
    numbers_finish(&origins);
    if (ok)
        numbers_finish(&others);
    q->options.limits.cancel = &q->cancel;
    if (!begun) {
        free(q->rays);
        q->rays = NULL;
    }
    return begun;
}

// ---- Asking

static void ask_first(void *of)
{
    ray_question *q = of;
    const targets *t = &q->targets;
    q->status = t->scene != NULL ? grz_pick(q->device, grz_targets_of_scene(t->scene), q->rays, q->count, &q->options,
                                            q->hits, &q->error)
                                 : grz_pick(q->device, grz_targets_of_objects(t->objects, t->count), q->rays, q->count,
                                            &q->options, q->hits, &q->error);
}

static void ask_any(void *of)
{
    ray_question *q = of;
    const targets *t = &q->targets;
    q->status = t->scene != NULL ? grz_pick_any(q->device, grz_targets_of_scene(t->scene), q->rays, q->count,
                                                &q->options, q->any, &q->error)
                                 : grz_pick_any(q->device, grz_targets_of_objects(t->objects, t->count), q->rays,
                                                q->count, &q->options, q->any, &q->error);
}

// All hits of the rays of one chunk.
typedef struct chunk {
    grz_ray_hit *hits;
    uint64_t *rays; // for each hit
    uint64_t count, room;
} chunk;

typedef struct all_question {
    ray_question *q;
    const grz_object *objects; // those of the question; of a scene without gaps, for several threads
    uint32_t object_count;
    chunk *chunks;
    uint64_t chunk_count;
    double start; // by seconds_now()
    atomic_ullong next;
    atomic_bool failed;
} all_question;

static bool reserve_hits(chunk *c, uint64_t room)
{
    if (room <= c->room)
        return true;
    room += room / 2;
    grz_ray_hit *hits = realloc(c->hits, room * sizeof *hits);
    if (hits != NULL)
        c->hits = hits;
    uint64_t *rays = realloc(c->rays, room * sizeof *rays);
    if (rays != NULL)
        c->rays = rays;
    if (hits != NULL && rays != NULL)
        c->room = room;
    return hits != NULL && rays != NULL;
}

static grz_status fail(grz_error *error, grz_status code, const char *message)
{
    *error = (grz_error){.code = code, .element = GRZ_NO_ELEMENT};
    (void)PyOS_snprintf(error->message, sizeof error->message, "%s", message);
    return code;
}

static grz_status add_hits_of(const all_question *all, uint64_t ray, chunk *c, grz_error *error)
{
    const ray_question *q = all->q;
    grz_pick_options options = q->options;
    uint64_t found = ROOM;
    options.limits.deadline = time_left(options.limits.deadline, all->start);
    for (uint64_t room = 0; found > room;) {
        if (!reserve_hits(c, c->count + found))
            return fail(error, GRZ_ERROR_MEMORY, "rays: out of memory for the hits");
        room = c->room - c->count;
        const grz_status status = grz_pick_all(q->device, grz_targets_of_objects(all->objects, all->object_count),
                                               &q->rays[ray], &options, c->hits + c->count, room, &found, error);
        if (status != GRZ_OK)
            return name_deadline(q->options.limits.deadline, status, error);
    }
    for (uint64_t i = 0; i < found; i++)
        c->rays[c->count + i] = ray;
    c->count += found;
    return GRZ_OK;
}

// What each thread does.
static void ask_chunks(void *of)
{
    all_question *all = of;
    ray_question *q = all->q;
    grz_error error;
    for (uint64_t i; (i = atomic_fetch_add(&all->next, 1)) < all->chunk_count;)
        for (uint64_t ray = i * RAYS_A_CHUNK; ray < q->count && ray < (i + 1) * RAYS_A_CHUNK; ray++) {
            if (atomic_load(&all->failed))
                return;
            const grz_status status = add_hits_of(all, ray, &all->chunks[i], &error);
            if (status != GRZ_OK && !atomic_exchange(&all->failed, true)) {
                q->status = status;
                q->error = error;
            }
        }
}

typedef struct helper {
    all_question *all;
    PyThread_type_lock done; // held until it has ended
} helper;

static void help(void *of)
{
    const helper *h = of;
    PyThread_type_lock done = h->done;
    ask_chunks(h->all);
    PyThread_release_lock(done);
}

// All threads take chunks; this one, too.
static void ask_all(void *of)
{
    all_question *all = of;
    enum {
        MOST_HELPERS = 255
    };
    helper helpers[MOST_HELPERS];
    const uint64_t threads = grz_device_threads(all->q->device);
    unsigned begun = 0;
    all->start = seconds_now();
    for (bool more = true; more && begun + 1 < threads && begun + 1 < all->chunk_count && begun < MOST_HELPERS;) {
        helpers[begun] = (helper){.all = all, .done = PyThread_allocate_lock()};
        more = helpers[begun].done != NULL;
        if (more) {
            (void)PyThread_acquire_lock(helpers[begun].done, WAIT_LOCK);
            more = PyThread_start_new_thread(help, &helpers[begun]) != NO_THREAD;
            if (!more) {
                PyThread_release_lock(helpers[begun].done);
                PyThread_free_lock(helpers[begun].done);
            }
        }
        begun += more;
    }
    ask_chunks(all);
    for (unsigned i = 0; i < begun; i++) {
        (void)PyThread_acquire_lock(helpers[i].done, WAIT_LOCK);
        PyThread_release_lock(helpers[i].done);
        PyThread_free_lock(helpers[i].done);
    }
}

static bool is_short(const ray_question *q)
{
    return q->count <= 256 && q->targets.faces <= 100000;
}

// Raise what a query's status says. `went`: what run_long() gave. Whether there is an answer.
static bool check(module_state *state, const ray_question *q, bool went)
{
    if (went && q->status != GRZ_OK)
        raise_error(state, &q->error);
    return went && q->status == GRZ_OK;
}

// Join the chunks, and release them. With `names` an object is the number at its index. False: an exception is set.
static bool join(all_question *all, bool ok, const uint32_t *names, grz_ray_hit **hits, uint64_t **rays,
                 uint64_t *total)
{
    uint64_t at = 0;
    *total = 0;
    for (uint64_t i = 0; i < all->chunk_count; i++)
        *total += all->chunks[i].count;
    *hits = ok ? malloc(*total * sizeof **hits + 1) : NULL;
    *rays = ok ? malloc(*total * sizeof **rays + 1) : NULL;
    if (ok && (*hits == NULL || *rays == NULL)) {
        PyErr_NoMemory();
        ok = false;
    }
    for (uint64_t i = 0; i < all->chunk_count; i++) {
        const chunk *c = &all->chunks[i];
        if (ok && c->count > 0) {
            memcpy(*hits + at, c->hits, c->count * sizeof **hits);
            memcpy(*rays + at, c->rays, c->count * sizeof **rays);
            at += c->count;
        }
        free(c->hits);
        free(c->rays);
    }
    for (uint64_t i = 0; i < at && names != NULL; i++)
        (*hits)[i].object = names[(*hits)[i].object];
    return ok;
}

// The objects of a scene without gaps, and their numbers. False: an exception is set.
static bool close_gaps(const targets *t, grz_object **objects, uint32_t **names, uint32_t *count)
{
    *objects = malloc((size_t)t->count * sizeof **objects + 1);
    *names = malloc((size_t)t->count * sizeof **names + 1);
    if (*objects == NULL || *names == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (uint32_t i = 0; i < t->count; i++)
        if (t->objects[i].mesh != NULL) {
            (*objects)[*count] = t->objects[i];
            (*names)[(*count)++] = i;
        }
    return true;
}

static PyObject *find_all(module_state *state, ray_question *q)
{
    all_question all = {.q = q,
                        .objects = q->targets.objects,
                        .object_count = q->targets.count,
                        .chunk_count = (q->count + RAYS_A_CHUNK - 1) / RAYS_A_CHUNK};
    grz_object *objects = NULL;
    grz_ray_hit *hits = NULL;
    uint32_t *names = NULL, object_count = 0;
    uint64_t *rays = NULL, total = 0;
    bool ok = q->targets.scene == NULL || close_gaps(&q->targets, &objects, &names, &object_count);
    if (ok && objects != NULL) {
        all.objects = objects;
        all.object_count = object_count;
    }
    atomic_init(&all.next, 0);
    atomic_init(&all.failed, false);
    all.chunks = ok ? calloc(all.chunk_count + 1, sizeof *all.chunks) : NULL;
    if (ok && all.chunks == NULL)
        PyErr_NoMemory();
    ok = all.chunks != NULL &&
         join(&all, check(state, q, run_long(ask_all, &all, &q->cancel, is_short(q))), names, &hits, &rays, &total);
    free(all.chunks);
    free(objects);
    free(names);
    if (ok)
        return make_rows(state, RAY_HITS, hits, rays, (Py_ssize_t)total);
    free(hits);
    free(rays);
    return NULL;
}

static PyObject *find_first(module_state *state, ray_question *q)
{
    uint64_t *rays = malloc(q->count * sizeof *rays + 1);
    q->hits = malloc(q->count * sizeof *q->hits + 1);
    if (rays == NULL || q->hits == NULL)
        PyErr_NoMemory();
    else if (check(state, q, run_long(ask_first, q, &q->cancel, is_short(q)))) {
        for (uint64_t i = 0; i < q->count; i++)
            rays[i] = i;
        return make_rows(state, RAY_HITS, q->hits, rays, (Py_ssize_t)q->count);
    }
    free(rays);
    free(q->hits);
    return NULL;
}

static PyObject *find_any(module_state *state, ray_question *q)
{
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)q->count);
    if (bytes == NULL)
        return NULL;
    q->any = (bool *)PyBytes_AsString(bytes);
    if (check(state, q, run_long(ask_any, q, &q->cancel, is_short(q))))
        return view_of_bytes(state, bytes, "?", sizeof(bool), (Py_ssize_t)q->count);
    Py_DECREF(bytes);
    return NULL;
}

static PyObject *call_rays(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"target", "origins",    "directions", "ends",   "find",     "pose", "t_min",
                               "t_max",  "skip_front", "skip_back",  "method", "deadline", NULL};
    ray_arguments given = {.find = "first", .options = grz_default_pick_options()};
    int skip_front = 0, skip_back = 0;
    module_state *state = state_of_module(module);
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OO|O$OsOOOppzd:rays", keywords, &given.target, &given.origins,
                                     &given.directions, &given.ends, &given.find, &given.pose, &given.t_min,
                                     &given.t_max, &skip_front, &skip_back, &given.options.method,
                                     &given.options.limits.deadline) ||
        !choose(&given, "directions", "ends"))
        return NULL;
    static const struct {
        const char *name;
        PyObject *(*ask)(module_state *state, ray_question *q);
    } finds[] = {{"first", find_first}, {"all", find_all}, {"any", find_any}};
    given.options.skip_front = skip_front != 0;
    given.options.skip_back = skip_back != 0;
    for (size_t i = 0; i < sizeof finds / sizeof *finds; i++)
        if (strcmp(given.find, finds[i].name) == 0) {
            ray_question q;
            PyObject *answer = NULL;
            if (question_begin(state, &given, &q)) {
                answer = finds[i].ask(state, &q);
                question_finish(state, &q);
            }
            return answer;
        }
    PyErr_Format(PyExc_ValueError, "find: \"%s\", must be \"first\", \"all\" or \"any\"", given.find);
    return NULL;
}

// `object`: its index, or its name; the reference is taken over.
static PyObject *hit_answer(const grz_ray_hit *h, PyObject *object)
{
    static const char *const sides[] = {"front", "back", "along"};
    return Py_BuildValue("{sdsdsdsds(ddd)s(ddd)sNsIsNss}", "t", h->t, "lower", h->lower, "upper", h->upper, "distance",
                         h->distance, "point", h->point[0], h->point[1], h->point[2], "normal", h->normal[0],
                         h->normal[1], h->normal[2], "object", object, "face", h->face, "feature",
                         feature_tuple(&h->feature), "side", sides[h->side]);
}

static PyObject *call_pick(PyObject *module, PyObject *arguments, PyObject *names)
{
    static char *keywords[] = {"target", "origin",     "direction", "end",    "pose",     "t_min",
                               "t_max",  "skip_front", "skip_back", "method", "deadline", NULL};
    ray_arguments given = {.options = grz_default_pick_options()};
    double origin[3], other[3];
    int skip_front = 0, skip_back = 0;
    module_state *state = state_of_module(module);
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "OO|O$OOOOppzd:pick", keywords, &given.target, &given.origins,
                                     &given.directions, &given.ends, &given.pose, &given.t_min, &given.t_max,
                                     &skip_front, &skip_back, &given.options.method, &given.options.limits.deadline))
        return NULL;
    given.options.skip_front = skip_front != 0;
    given.options.skip_back = skip_back != 0;
    if (!choose(&given, "direction", "end"))
        return NULL;
    const bool between = given.ends != NULL;
    if (!read_vector(given.origins, "origin", false, origin) ||
        !(between ? read_vector(given.ends, "end", false, other)
                  : read_vector(given.directions, "direction", true, other)))
        return NULL;
    if (between && origin[0] == other[0] && origin[1] == other[1] && origin[2] == other[2]) {
        PyErr_SetString(PyExc_ValueError, "end: is the same point as origin");
        return NULL;
    }
    grz_ray ray = between ? grz_ray_between(origin, other) : grz_ray_along(origin, other);
    grz_ray_hit hit;
    ray_question q = {.device = state->device, .rays = &ray, .count = 1, .options = given.options, .hits = &hit};
    q.options.limits.cancel = &q.cancel;
    if (!set_range(&given, &ray) || !targets_begin(state, given.target, given.pose, "target", &q.targets))
        return NULL;
    const bool ok = check(state, &q, run_long(ask_first, &q, &q.cancel, is_short(&q)));
    PyObject *answer = ok ? Py_NewRef(Py_None) : NULL;
    if (ok && hit.face != GRZ_NO_FACE) {
        PyObject *scene = q.targets.scene_object;
        Py_DECREF(answer);
        answer = hit_answer(&hit, scene != NULL ? scene_label(scene, hit.object) : PyLong_FromUnsignedLong(hit.object));
    }
    targets_end(state, &q.targets);
    return answer;
}

// ---- The type RayHits

static PyObject *get_rays(PyObject *self, void *closure)
{
    (void)closure;
    const rows_object *r = (const rows_object *)self;
    const Py_ssize_t stride = sizeof(uint64_t);
    return make_view(state_of(self), self, r->extra, "Q", stride, 1, &r->count, &stride);
}

static PyObject *represent(PyObject *self)
{
    const rows_object *r = (const rows_object *)self;
    const grz_ray_hit *hits = r->rows;
    Py_ssize_t found = 0;
    for (Py_ssize_t i = 0; i < r->count; i++)
        found += hits[i].face != GRZ_NO_FACE;
    return PyUnicode_FromFormat("<libgraze.RayHits: %zd rows, %zd hits>", r->count, found);
}

static PyGetSetDef properties[] = {
    {"rays", get_rays, NULL, "For each row the number of its ray.", NULL},
    ROWS_COLUMN("t", grz_ray_hit, t, "d", double, 1,
                "Where: origin + t * direction; the nearest double. Infinite without a hit."),
    ROWS_COLUMN("lower", grz_ray_hit, lower, "d", double, 1, "lower <= exact t <= upper: t, or the doubles around it."),
    ROWS_COLUMN("upper", grz_ray_hit, upper, "d", double, 1, "lower <= exact t <= upper: t, or the doubles around it."),
    ROWS_COLUMN("distances", grz_ray_hit, distance, "d", double, 1, "From the origin, world units; infinite without."),
    ROWS_COLUMN("points", grz_ray_hit, point, "d", double, 3, "World coordinates, each the nearest double."),
    ROWS_COLUMN("normals", grz_ray_hit, normal, "d", double, 3, "Of the face, of length 1; zeros: it has no area."),
    ROWS_COLUMN("objects", grz_ray_hit, object, "I", uint32_t, 1, "Which object; libgraze.NONE without a hit."),
    ROWS_COLUMN("faces", grz_ray_hit, face, "I", uint32_t, 1, "Which face of it; libgraze.NONE without a hit."),
    ROWS_COLUMN("features", grz_ray_hit, feature, "I", uint32_t, 2,
                "A vertex (v, NONE), an edge (v, w), or the inside of the face (NONE, NONE)."),
    ROWS_COLUMN("sides", grz_ray_hit, side, "I", grz_ray_side, 1,
                "From where the ray comes. 0: the front, 1: the back, 2: it runs along the face."),
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_dealloc, rows_dealloc},
                              {Py_tp_getset, properties},
                              {Py_sq_length, rows_length},
                              {Py_tp_repr, represent},
                              {Py_tp_doc, "What rays hit, a row for each ray, or for each hit."},
                              {0, NULL}};

PyType_Spec ray_hits_spec = {.name = "libgraze._graze.RayHits",
                             .basicsize = sizeof(rows_object),
                             .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
                             .slots = slots};

PyMethodDef rays_functions[] = {
    {"rays", (PyCFunction)(void (*)(void))call_rays, METH_VARARGS | METH_KEYWORDS,
     "rays($module, target, origins, directions=None, *, ends=None, find='first', pose=None, t_min=None, t_max=None, "
     "skip_front=False, skip_back=False, method=None, deadline=0.0)\n--\n\nWhat rays hit; see libgraze.rays."},
    {"pick", (PyCFunction)(void (*)(void))call_pick, METH_VARARGS | METH_KEYWORDS,
     "pick($module, target, origin, direction=None, *, end=None, pose=None, t_min=None, t_max=None, skip_front=False, "
     "skip_back=False, method=None, deadline=0.0)\n--\n\nWhat a ray hits first; see libgraze.pick."},
    {NULL, NULL, 0, NULL}};
