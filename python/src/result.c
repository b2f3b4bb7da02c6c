// SPDX-License-Identifier: MIT
// The type Result: what a query found. Its lists are buffers over the result's own memory.
#include "graze_python.h"

#include <stddef.h>

static const char *const relations[] = {"apart", "colliding", "overlapping", "a_inside_b", "b_inside_a"};
static const char *const containments[] = {"not_asked", "decided", "undecidable"};
static const char *const all_solids[] = {"not_asked",  "apart",      "touching", "penetrating",
                                         "a_inside_b", "b_inside_a", "same",     "undecidable"};
static const char *const clearances[] = {"not_asked", "met", "not_met"};

const char *certainty_name(grz_certainty certainty)
{
    static const char *const names[] = {"exact", "discrete", "undecided", "enclosed"};
    return names[certainty];
}

static const grz_summary *summary_of(PyObject *self)
{
    return grz_result_summary(((result_object *)self)->result);
}

static PyObject *text_or_none(const char *text)
{
    if (text != NULL)
        return PyUnicode_FromString(text);
    Py_RETURN_NONE;
}

// What the getters ask for; their closures point into `facts`.
enum {
    RELATION,
    COLLIDING,
    CERTAINTY,
    CONTAINMENT,
    SOLIDS,
    REASON,
    SOLIDS_REASON,
    METHOD,
    CLEARANCE,
    PAIR_COUNT,
    PAIRS_OBJECTS,
    PAIRS_RELATIONS,
    PAIRS_COUNTS,
    PAIRS_FIRST,
    PAIRS_FIRST_CONTACT,
    PAIRS_CONTACTS,
    PAIRS_SOLIDS
};
static const int facts[] = {RELATION,       COLLIDING,       CERTAINTY,    CONTAINMENT, SOLIDS,
                            REASON,         SOLIDS_REASON,   METHOD,       CLEARANCE,   PAIR_COUNT,
                            PAIRS_OBJECTS,  PAIRS_RELATIONS, PAIRS_COUNTS, PAIRS_FIRST, PAIRS_FIRST_CONTACT,
                            PAIRS_CONTACTS, PAIRS_SOLIDS};

static PyObject *get_fact(PyObject *self, void *closure)
{
    const grz_summary *s = summary_of(self);
    switch (*(const int *)closure) {
    case RELATION:
        return PyUnicode_FromString(relations[s->relation]);
    case COLLIDING:
        return PyBool_FromLong(s->colliding);
    case CERTAINTY:
        return PyUnicode_FromString(certainty_name(s->certainty));
    case CONTAINMENT:
        return PyUnicode_FromString(containments[s->containment]);
    case SOLIDS:
        return PyUnicode_FromString(all_solids[s->solids]);
    case REASON:
        return text_or_none(s->reason);
    case SOLIDS_REASON:
        return text_or_none(s->solids_reason);
    case METHOD:
        return PyUnicode_FromString(s->method);
    case CLEARANCE:
        return PyUnicode_FromString(clearances[s->clearance]);
    default:
        return PyLong_FromUnsignedLongLong(s->pair_count);
    }
}

static PyObject *get_kinds(PyObject *self, void *closure)
{
    (void)closure;
    const grz_summary *s = summary_of(self);
    return Py_BuildValue("{sKsKsK}", "touching", (unsigned long long)s->kinds[GRZ_TOUCHING], "coplanar",
                         (unsigned long long)s->kinds[GRZ_COPLANAR], "crossing",
                         (unsigned long long)s->kinds[GRZ_CROSSING]);
}

static PyObject *view_of(PyObject *self, const void *data, uint64_t count, const char *format, Py_ssize_t item_size,
                         Py_ssize_t columns, Py_ssize_t row)
{
    const Py_ssize_t shape[2] = {(Py_ssize_t)count, columns}, strides[2] = {row, item_size};
    return make_view(state_of(self), self, data, format, item_size, columns > 1 ? 2 : 1, shape, strides);
}

static PyObject *get_pairs(PyObject *self, void *closure)
{
    (void)closure;
    uint64_t count;
    const grz_pair *pairs = grz_result_pairs(((result_object *)self)->result, &count);
    return view_of(self, pairs, count, "I", 4, 2, sizeof *pairs);
}

static PyObject *get_pair_kinds(PyObject *self, void *closure)
{
    (void)closure;
    uint64_t count;
    const grz_pair *pairs = grz_result_pairs(((result_object *)self)->result, &count);
    return view_of(self, pairs != NULL ? &pairs->kind : NULL, count, "I", 4, 1, sizeof *pairs);
}

static PyObject *get_points(PyObject *self, void *closure)
{
    (void)closure;
    uint64_t count;
    const double *points = grz_result_points(((result_object *)self)->result, &count);
    return view_of(self, points, count, "d", 8, 3, 24);
}

static PyObject *get_normals(PyObject *self, void *closure)
{
    (void)closure;
    uint64_t count;
    const grz_contact *contacts = grz_result_contacts(((result_object *)self)->result, &count);
    return view_of(self, contacts != NULL ? contacts->normal : NULL, count, "d", 8, 3, sizeof *contacts);
}

static PyObject *get_first_points(PyObject *self, void *closure)
{
    (void)closure;
    uint64_t count;
    const grz_contact *contacts = grz_result_contacts(((result_object *)self)->result, &count);
    return view_of(self, contacts != NULL ? &contacts->first_point : NULL, count, "Q", 8, 1, sizeof *contacts);
}

static PyObject *get_contact_pairs(PyObject *self, void *closure)
{
    (void)closure;
    uint64_t count;
    const grz_contact *contacts = grz_result_contacts(((result_object *)self)->result, &count);
    return view_of(self, contacts != NULL ? &contacts->pair : NULL, count, "Q", 8, 1, sizeof *contacts);
}

static PyObject *get_point_counts(PyObject *self, void *closure)
{
    (void)closure;
    uint64_t count;
    const grz_contact *contacts = grz_result_contacts(((result_object *)self)->result, &count);
    return view_of(self, contacts != NULL ? &contacts->point_count : NULL, count, "I", 4, 1, sizeof *contacts);
}

static PyObject *get_contact_kinds(PyObject *self, void *closure)
{
    (void)closure;
    uint64_t count;
    const grz_contact *contacts = grz_result_contacts(((result_object *)self)->result, &count);
    return view_of(self, contacts != NULL ? &contacts->kind : NULL, count, "I", 4, 1, sizeof *contacts);
}

static PyObject *get_features(PyObject *self, void *closure)
{
    (void)closure;
    uint64_t count;
    const grz_features *features = grz_result_features(((result_object *)self)->result, &count);
    return view_of(self, features, count, "I", 4, 4, sizeof *features);
}

static PyObject *get_near_pairs(PyObject *self, void *closure)
{
    (void)closure;
    uint64_t count;
    const grz_pair *pairs = grz_result_near_pairs(((result_object *)self)->result, &count);
    return view_of(self, pairs, count, "I", 4, 2, sizeof *pairs);
}

static PyObject *get_curve_points(PyObject *self, void *closure)
{
    (void)closure;
    uint64_t count;
    const double *points = grz_result_curve_points(((result_object *)self)->result, &count);
    return view_of(self, points, count, "d", 8, 3, 24);
}

static PyObject *get_curve_first_points(PyObject *self, void *closure)
{
    (void)closure;
    uint64_t count;
    const grz_curve *curves = grz_result_curves(((result_object *)self)->result, &count);
    return view_of(self, curves != NULL ? &curves->first_point : NULL, count, "Q", 8, 1, sizeof *curves);
}

static PyObject *get_curve_point_counts(PyObject *self, void *closure)
{
    (void)closure;
    uint64_t count;
    const grz_curve *curves = grz_result_curves(((result_object *)self)->result, &count);
    return view_of(self, curves != NULL ? &curves->point_count : NULL, count, "Q", 8, 1, sizeof *curves);
}

static PyObject *get_curve_closed(PyObject *self, void *closure)
{
    (void)closure;
    uint64_t count;
    const grz_curve *curves = grz_result_curves(((result_object *)self)->result, &count);
    return view_of(self, curves != NULL ? &curves->closed : NULL, count, "?", sizeof(bool), 1, sizeof *curves);
}

static PyObject *get_region(PyObject *self, void *closure)
{
    (void)closure;
    const grz_summary *s = summary_of(self);
    if (!s->has_region)
        Py_RETURN_NONE;
    return Py_BuildValue("((ddd)(ddd))", s->region_min[0], s->region_min[1], s->region_min[2], s->region_max[0],
                         s->region_max[1], s->region_max[2]);
}

// A column of the pairs of objects of a scene.
static PyObject *get_object_column(PyObject *self, void *closure)
{
    const int which = *(const int *)closure;
    uint64_t count, others;
    const grz_scene_pair *pairs = grz_result_scene_pairs(((result_object *)self)->result, &count);
    const grz_pair_solids *all = grz_result_scene_solids(((result_object *)self)->result, &others);
    if (which == PAIRS_SOLIDS)
        return view_of(self, all != NULL ? &all->solids : NULL, others, "I", 4, 1, sizeof *all);
    const void *first = NULL;
    if (count > 0)
        first = which == PAIRS_OBJECTS         ? (const void *)&pairs->a
                : which == PAIRS_RELATIONS     ? (const void *)&pairs->relation
                : which == PAIRS_COUNTS        ? (const void *)&pairs->pair_count
                : which == PAIRS_FIRST         ? (const void *)&pairs->first_pair
                : which == PAIRS_FIRST_CONTACT ? (const void *)&pairs->first_contact
                                               : (const void *)&pairs->contact_count;
    const bool is_short = which == PAIRS_OBJECTS || which == PAIRS_RELATIONS;
    return view_of(self, first, count, is_short ? "I" : "Q", is_short ? 4 : 8, which == PAIRS_OBJECTS ? 2 : 1,
                   sizeof *pairs);
}

// The name of an object of the scene, or its number.
static PyObject *object_name(PyObject *self, uint32_t id)
{
    PyObject *labels = ((result_object *)self)->labels, *number = PyLong_FromUnsignedLong(id);
    PyObject *name = number != NULL && labels != NULL ? PyDict_GetItemWithError(labels, number) : NULL;
    if (name == NULL && PyErr_Occurred() == NULL)
        return number;
    Py_XDECREF(number);
    return Py_XNewRef(name);
}

static PyObject *get_object_names(PyObject *self, void *closure)
{
    (void)closure;
    uint64_t count;
    const grz_scene_pair *pairs = grz_result_scene_pairs(((result_object *)self)->result, &count);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (uint64_t i = 0; list != NULL && i < count; i++) {
        PyObject *a = object_name(self, pairs[i].a), *b = object_name(self, pairs[i].b);
        PyObject *pair = a != NULL && b != NULL ? PyTuple_Pack(2, a, b) : NULL;
        Py_XDECREF(a);
        Py_XDECREF(b);
        if (pair == NULL || PyList_SetItem(list, (Py_ssize_t)i, pair) != 0)
            Py_CLEAR(list);
    }
    return list;
}

// What a function of the module libgraze._contacts makes of the arrays; its name is the closure.
static PyObject *get_objects(PyObject *self, void *closure)
{
    PyObject *module = PyImport_ImportModule("libgraze._contacts");
    PyObject *objects = module != NULL ? PyObject_CallMethod(module, (const char *)closure, "O", self) : NULL;
    Py_XDECREF(module);
    return objects;
}

// The method show(): libgraze.show() of the meshes that were asked about.
static PyObject *result_show(PyObject *self, PyObject *unused)
{
    (void)unused;
    const result_object *r = (const result_object *)self;
    if (r->mesh_count == 0) {
        PyErr_SetString(PyExc_ValueError,
                        "show: this result does not know its objects: use libgraze.show(scene, result)");
        return NULL;
    }
    PyObject *objects = PyList_New(0), *shown = NULL;
    for (uint32_t i = 0; objects != NULL && i < r->mesh_count; i++) {
        PyObject *rows = pose_rows(&r->poses[i]);
        PyObject *pair = rows != NULL ? PyTuple_Pack(2, r->meshes[i], rows) : NULL;
        if (pair == NULL || PyList_Append(objects, pair) != 0)
            Py_CLEAR(objects);
        Py_XDECREF(pair);
        Py_XDECREF(rows);
    }
    PyObject *module = objects != NULL ? PyImport_ImportModule("libgraze._show") : NULL;
    if (module != NULL)
        shown = PyObject_CallMethod(module, "show", "OO", objects, self);
    Py_XDECREF(module);
    Py_XDECREF(objects);
    return shown;
}

static int truth(PyObject *self)
{
    return summary_of(self)->colliding;
}

static PyObject *represent(PyObject *self)
{
    const grz_summary *s = summary_of(self);
    const bool solids = s->solids != GRZ_SOLIDS_NOT_ASKED;
    if (!s->pairs_listed)
        return PyUnicode_FromFormat("<libgraze.Result: %s%s%s, %s, by %s>", relations[s->relation],
                                    solids ? ", as solids " : "", solids ? all_solids[s->solids] : "",
                                    certainty_name(s->certainty), s->method);
    return PyUnicode_FromFormat("<libgraze.Result: %s%s%s, %llu pairs of faces, %s, by %s>", relations[s->relation],
                                solids ? ", as solids " : "", solids ? all_solids[s->solids] : "",
                                (unsigned long long)s->pair_count, certainty_name(s->certainty), s->method);
}

static void result_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    grz_result *result = ((result_object *)object)->result;
    if (((result_object *)object)->is_small)
        result = atomic_exchange(&state_of(object)->spare, result);
    grz_result_destroy(result);
    for (int i = 0; i < 2; i++)
        Py_XDECREF(((result_object *)object)->meshes[i]);
    Py_XDECREF(((result_object *)object)->labels);
    release(object);
    Py_DECREF(type);
}

#define FACT(name, which, text)                                                                                        \
    {                                                                                                                  \
        name, get_fact, NULL, text, (void *)&facts[which]                                                              \
    }

#define OBJECTS(name, which, text)                                                                                     \
    {                                                                                                                  \
        name, get_object_column, NULL, text, (void *)&facts[which]                                                     \
    }

static char contacts_function[] = "contacts_of", curves_function[] = "curves_of";

static PyGetSetDef properties[] = {
    OBJECTS("object_pairs", PAIRS_OBJECTS, "Of a scene: the pairs of objects that are not apart, (n, 2) integers."),
    {"object_names", get_object_names, NULL,
     "The same as a list of pairs of names; an object without a name has its number.", NULL},
    OBJECTS("object_relations", PAIRS_RELATIONS, "0: apart, 1: colliding, 2: overlapping, 3: A in B, 4: B in A."),
    OBJECTS("object_pair_counts", PAIRS_COUNTS, "For each pair of objects how many pairs of faces touch."),
    OBJECTS("object_first_pairs", PAIRS_FIRST, "For each pair of objects its first row in `pairs`."),
    OBJECTS("object_first_contacts", PAIRS_FIRST_CONTACT, "For each pair of objects its first contact."),
    OBJECTS("object_contact_counts", PAIRS_CONTACTS, "For each pair of objects how many contacts it has."),
    OBJECTS("object_solids", PAIRS_SOLIDS,
            "0: not asked, 1: apart, 2: touching, 3: penetrating, 4: A in B, 5: B in A, "
            "6: same, 7: undecidable."),
    FACT("relation", RELATION, "\"apart\", \"colliding\", \"overlapping\", \"a_inside_b\" or \"b_inside_a\"."),
    FACT("colliding", COLLIDING, "Whether the objects are not apart."),
    FACT("certainty", CERTAINTY, "\"exact\": proved. \"undecided\": see `reason`."),
    FACT("containment", CONTAINMENT, "Whether inside was decided: \"not_asked\", \"decided\" or \"undecidable\"."),
    FACT("solids", SOLIDS,
         "As solids: \"apart\", \"touching\", \"penetrating\", \"a_inside_b\", \"b_inside_a\", "
         "\"same\", \"undecidable\" or \"not_asked\"."),
    FACT("reason", REASON, "Why the answer is not exact, or inside not decided; else None."),
    FACT("solids_reason", SOLIDS_REASON, "Why solids are undecidable; else None."),
    FACT("method", METHOD, "Which method answered."),
    FACT("clearance", CLEARANCE, "\"met\" and \"not_met\" are proved; \"not_asked\"."),
    FACT("pair_count", PAIR_COUNT, "How many pairs of faces touch; 0 if they were not asked for."),
    {"kinds", get_kinds, NULL, "How many pairs are of each kind.", NULL},
    {"pairs", get_pairs, NULL, "Pairs of faces that touch, (n, 2) integers; not a copy.", NULL},
    {"pair_kinds", get_pair_kinds, NULL, "1: touching, 2: coplanar, 3: crossing, for each pair.", NULL},
    {"contacts", get_objects, NULL,
     "Every contact as a libgraze.Contact: a tuple, made anew each time; empty unless asked for by find=\"contacts\".",
     contacts_function},
    {"contact_points", get_points, NULL, "Points of all contacts, (n, 3) doubles, world coordinates.", NULL},
    {"contact_normals", get_normals, NULL, "For each contact a unit vector: which way to move A to free it.", NULL},
    {"contact_first_points", get_first_points, NULL, "For each contact the first row in contact_points.", NULL},
    {"contact_pairs", get_contact_pairs, NULL, "For each contact its row in `pairs`.", NULL},
    {"contact_point_counts", get_point_counts, NULL, "For each contact how many points it has.", NULL},
    {"contact_kinds", get_contact_kinds, NULL,
     "1: touching, 2: coplanar, 3: crossing, for each contact, thus for two triangles.", NULL},
    {"contact_features", get_features, NULL,
     "For each point what meets there: of A and of B a vertex (v, NONE), an edge (v, w) or a face (NONE, NONE); (n, "
     "4).",
     NULL},
    {"curves", get_objects, NULL,
     "Every curve as a libgraze.Curve: a tuple, made anew each time; empty unless asked for by find=\"curves\".",
     curves_function},
    {"curve_points", get_curve_points, NULL,
     "Points of all curves, (n, 3) doubles, world coordinates; find=\"curves\".", NULL},
    {"curve_first_points", get_curve_first_points, NULL, "For each curve the first row in `curve_points`.", NULL},
    {"curve_point_counts", get_curve_point_counts, NULL, "For each curve how many points it has; 1: it is a point.",
     NULL},
    {"curve_closed", get_curve_closed, NULL, "For each curve whether it ends where it begins.", NULL},
    {"near_pairs", get_near_pairs, NULL,
     "Pairs of faces that do not touch but are nearer than the clearance, (n, 2) integers.", NULL},
    {"region", get_region, NULL, "The lower and upper corner of the box of all contacts; None if there are none.",
     NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef methods[] = {
    {"show", result_show, METH_NOARGS,
     "show($self)\n--\n\nA view of the meshes at the poses of the query, for a notebook or as a file; see "
     "libgraze.show."},
    {"picture", (PyCFunction)(void (*)(void))result_picture, METH_VARARGS | METH_KEYWORDS,
     "picture($self, *, width=1200, height=900, direction=None, up=None, region=None, whole=False, names=None, "
     "title=None, caption=None, legend=True, inset=True, colours=None, touch_colours=None)\n--\n\nDraw the meshes, at "
     "the "
     "poses of the query, and what it found; see libgraze.picture."},
    {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {{Py_tp_dealloc, result_dealloc},
                              {Py_tp_getset, properties},
                              {Py_tp_methods, methods},
                              {Py_nb_bool, truth},
                              {Py_tp_repr, represent},
                              {Py_tp_doc, "What a query found. It is true if the objects are not apart."},
                              {0, NULL}};

PyType_Spec result_spec = {.name = "libgraze._graze.Result",
                           .basicsize = sizeof(result_object),
                           .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
                           .slots = slots};
