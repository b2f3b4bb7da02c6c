// SPDX-License-Identifier: MIT
// FBX: objects with numbers, and connections between them. Every geometry with faces that a model shows has to arrive
// with all its corners; Assimp drops those that it finds damaged, and those that are no meshes. Refused, too, is what
// it turns or scales otherwise than FBX says: a parent's scale that is not to be inherited, rotations that do not count
// or count inverted. Source: Autodesk's documentation of the FBX SDK, "Computing transformation matrices".
#include "foreign/survey.h"

#include <stdlib.h>
#include <string.h>

// An object, or a connection of two.
typedef struct object {
    int64_t id;
    bool is_geometry, is_shown; // is_shown: by a model
    uint64_t corners;
} object;

typedef struct connection {
    int64_t from, to;
} connection;

// What the model at hand says about its place.
typedef struct place {
    int inherit;                  // InheritType
    bool active;                  // RotationActive
    bool pre_turned, post_turned; // PreRotation, PostRotation other than 0
    bool ordered;                 // RotationOrder other than x, y, z
    unsigned turns;               // components of Lcl Rotation other than 0
} place;

typedef struct fbx {
    object *objects;
    connection *connections;
    size_t object_count, object_capacity, connection_count, connection_capacity;
    bool in_objects, in_connections, in_geometry, in_model, in_properties;
    bool scaled, unevenly_scaled;     // some model is
    bool no_inheritance, compensated; // some model has InheritType 2, or 0
    place model;
} fbx;

static bool is_name(const fbx_node *node, const char *name)
{
    return node->name_length == strlen(name) && memcmp(node->name, name, node->name_length) == 0;
}

static bool is_text(const fbx_value *v, const char *text)
{
    return v->kind == FBX_TEXT && v->length == strlen(text) && memcmp(v->text, text, v->length) == 0;
}

// Make room for one more.
static bool grow(survey *s, void **array, size_t *capacity, size_t count, size_t element_size)
{
    if (count < *capacity)
        return true;
    const size_t wanted = 2 * *capacity + 64;
    void *moved = realloc(*array, wanted * element_size);
    if (moved == NULL)
        return survey_fail(s, "not enough memory for the model");
    *array = moved;
    *capacity = wanted;
    return true;
}

static bool begin_object(fbx *f, survey *s, const fbx_node *node)
{
    static const char *const without_faces[] = {"Shape", "Line", "NurbsCurve"};
    f->in_geometry = is_name(node, "Geometry");
    f->in_model = is_name(node, "Model");
    if (!f->in_geometry && !f->in_model)
        return true;
    if (node->value_count < 3 || node->values[0].kind != FBX_NUMBER || node->values[2].kind != FBX_TEXT)
        return survey_fail(s, "a %s without its number or its class: FBX 7 has both; save it as FBX 2011 or later",
                           f->in_geometry ? "Geometry" : "Model");
    const fbx_value *class = &node->values[2];
    f->in_geometry = f->in_geometry && is_text(class, "Mesh");
    bool known = f->in_model || f->in_geometry;
    for (size_t i = 0; !known && i < sizeof without_faces / sizeof *without_faces; i++)
        known = is_text(class, without_faces[i]);
    if (!known)
        return survey_fail(s, "a geometry of class \"%.*s\", which Assimp drops: make a mesh of it",
                           class->length < 40 ? (int)class->length : 40, (const char *)class->text);
    void *array = f->objects;
    const bool ok = grow(s, &array, &f->object_capacity, f->object_count, sizeof *f->objects);
    f->objects = array;
    if (ok)
        f->objects[f->object_count++] = (object){.id = node->values[0].integer, .is_geometry = !f->in_model};
    f->model = (place){.inherit = 1};
    return ok;
}

static bool end_model(fbx *f, survey *s)
{
    const place *m = &f->model;
    const bool was_model = f->in_model;
    f->in_model = f->in_geometry = f->in_properties = false;
    if (!was_model)
        return true;
    f->no_inheritance = f->no_inheritance || m->inherit == 2;
    f->compensated = f->compensated || m->inherit == 0;
    if (m->pre_turned && !m->active)
        return survey_fail(s, "a model with PreRotation, but without RotationActive: it does not count, but Assimp "
                              "applies it");
    if (m->post_turned)
        return survey_fail(s, "a model with PostRotation, which Assimp does not invert");
    if (m->ordered && m->turns > 1)
        return survey_fail(s, "a model that turns about several axes in another order than x, y, z");
    return true;
}

static bool is_among(const fbx_value *v, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is_text(v, texts[i]))
            return true;
    return false;
}

// Assimp ignores a place of a type that it does not know.
static bool check_type(survey *s, const fbx_node *node)
{
    static const char *const places[] = {"Lcl Translation",   "Lcl Rotation",     "Lcl Scaling",
                                         "PreRotation",       "PostRotation",     "RotationPivot",
                                         "RotationOffset",    "ScalingPivot",     "ScalingOffset",
                                         "GeometricRotation", "GeometricScaling", "GeometricTranslation"};
    static const char *const types[] = {"Lcl Translation", "Lcl Rotation", "Lcl Scaling", "Vector3D", "Vector"};
    const fbx_value *v = node->values;
    if (node->value_count == 0 || !is_among(v, places, sizeof places / sizeof *places))
        return true;
    return (node->value_count == 7 && is_among(v + 1, types, sizeof types / sizeof *types)) ||
           survey_fail(s, "a property %.*s of another type than Vector3D, which Assimp ignores", (int)v->length,
                       (const char *)v->text);
}

static void add_property(fbx *f, const fbx_node *node)
{
    const fbx_value *v = node->values, *numbers = node->values + 4;
    unsigned others = 0;
    if (node->value_count < 5)
        return;
    if (is_text(v, "InheritType"))
        f->model.inherit = numbers[0].kind == FBX_NUMBER ? (int)numbers[0].integer : 1;
    if (is_text(v, "RotationActive"))
        f->model.active = numbers[0].kind == FBX_NUMBER && numbers[0].integer != 0;
    if (is_text(v, "RotationOrder"))
        f->model.ordered = numbers[0].integer != 0;
    if (node->value_count < 7)
        return;
    const double x = numbers[0].number, y = numbers[1].number, z = numbers[2].number;
    for (int i = 0; i < 3; i++)
        others += numbers[i].number < 0 || numbers[i].number > 0;
    if (is_text(v, "PreRotation"))
        f->model.pre_turned = others > 0;
    if (is_text(v, "PostRotation"))
        f->model.post_turned = others > 0;
    if (is_text(v, "Lcl Rotation"))
        f->model.turns = others;
    if (is_text(v, "Lcl Scaling")) {
        f->scaled = f->scaled || x < 1 || x > 1 || y < 1 || y > 1 || z < 1 || z > 1;
        f->unevenly_scaled = f->unevenly_scaled || x < y || x > y || y < z || y > z;
    }
}

static bool add_connection(fbx *f, survey *s, const fbx_node *node)
{
    if (node->value_count < 3 || !is_text(&node->values[0], "OO"))
        return true;
    void *array = f->connections;
    const bool ok = grow(s, &array, &f->connection_capacity, f->connection_count, sizeof *f->connections);
    f->connections = array;
    if (ok)
        f->connections[f->connection_count++] = (connection){node->values[1].integer, node->values[2].integer};
    return ok;
}

static bool visit(void *user, survey *s, const fbx_node *node)
{
    fbx *f = user;
    if (node->depth <= 1 && !end_model(f, s))
        return false;
    if (node->depth == 0) {
        f->in_objects = is_name(node, "Objects");
        f->in_connections = is_name(node, "Connections");
        return true;
    }
    if (node->depth == 1)
        return f->in_objects ? begin_object(f, s, node) : !f->in_connections || add_connection(f, s, node);
    if (node->depth == 2)
        f->in_properties = is_name(node, "Properties70");
    if (f->in_model && f->in_properties && node->depth == 3 && is_name(node, "P")) {
        if (!check_type(s, node))
            return false;
        add_property(f, node);
    }
    // An array, or numbers without one.
    if (f->in_geometry && node->depth == 2 && is_name(node, "PolygonVertexIndex"))
        f->objects[f->object_count - 1].corners =
            node->value_count == 1 && node->values[0].kind == FBX_ARRAY ? node->values[0].length : node->value_count;
    return true;
}

static int compare_objects(const void *x, const void *y)
{
    const object *a = x, *b = y;
    return (a->id > b->id) - (a->id < b->id);
}

static object *find(const fbx *f, int64_t id)
{
    const object key = {.id = id};
    return f->object_count > 0 ? bsearch(&key, f->objects, f->object_count, sizeof key, compare_objects) : NULL;
}

// All corners that models show.
static bool count_corners(fbx *f, survey *s)
{
    if (f->object_count > 0)
        qsort(f->objects, f->object_count, sizeof *f->objects, compare_objects);
    for (size_t i = 1; i < f->object_count; i++)
        if (f->objects[i].id == f->objects[i - 1].id)
            return survey_fail(s, "two objects have the number %lld", (long long)f->objects[i].id);
    for (size_t i = 0; i < f->connection_count; i++) {
        object *from = find(f, f->connections[i].from);
        const object *to = find(f, f->connections[i].to);
        if (from == NULL || to == NULL || !from->is_geometry || to->is_geometry)
            continue;
        s->corners += from->corners;
        from->is_shown = true;
    }
    for (size_t i = 0; i < f->object_count; i++)
        s->left_out += f->objects[i].corners > 0 && !f->objects[i].is_shown;
    s->counts_corners = true;
    return true;
}

static bool finish(fbx *f, survey *s)
{
    if (!end_model(f, s))
        return false;
    if (f->no_inheritance && f->scaled)
        return survey_fail(s, "a model that does not inherit its parent's scale (InheritType 2), which Assimp makes it "
                              "inherit: apply the scales");
    if (f->compensated && f->unevenly_scaled)
        return survey_fail(s, "a model that inherits its parent's scale behind its own turn (InheritType 0), which "
                              "Assimp does before it: apply the scales");
    return count_corners(f, s);
}

bool survey_fbx(survey *s)
{
    static const char binary[] = "Kaydara FBX Binary";
    fbx f = {0};
    const bool is_binary = s->size >= sizeof binary - 1 && memcmp(s->bytes, binary, sizeof binary - 1) == 0;
    const bool ok = (is_binary ? fbx_walk_binary(s, visit, &f) : fbx_walk_text(s, visit, &f)) && finish(&f, s);
    free(f.objects);
    free(f.connections);
    return ok;
}
