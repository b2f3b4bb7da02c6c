// SPDX-License-Identifier: MIT
// A model file of the package: which elements may stand where, and who reads them. Elements of other namespaces are
// left out, but for those that threemf_extensions.c knows; unknown ones of 3MF's own are refused.
// Source: 3MF Core Specification, 3.4 and appendix B.
#include "threemf/threemf_model.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct unit {
    const char *name;
    double metres;
} units[] = {{"micron", 1e-6}, {"millimeter", 1e-3}, {"centimeter", 1e-2},
             {"inch", 0.0254}, {"foot", 0.3048},     {"meter", 1}};

static bool read_unit(threemf_model *m, const char *name)
{
    threemf *t = m->t;
    char quote[SCAN_QUOTE_SIZE];
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcmp(units[i].name, name) != 0)
            continue;
        if (m->is_root)
            t->unit_in_metres = units[i].metres;
        else if (t->unit_in_metres < units[i].metres || t->unit_in_metres > units[i].metres)
            return grz_io_xml_fail(m->x, "the unit of this model, %s, is not that of the root model", name);
        return true;
    }
    const text_token token = {(const unsigned char *)name, strlen(name)};
    return grz_io_xml_fail(m->x, "the unit %s is none of micron, millimeter, centimeter, inch, foot and meter",
                           grz_io_token_quote(token, quote));
}

static bool begin_model(threemf_model *m, const char **attributes)
{
    const char *unit = grz_io_xml_attribute((const char *const *)attributes, "unit");
    return read_unit(m, unit != NULL ? unit : "millimeter") && grz_io_threemf_check_extensions(m, attributes);
}

static bool begin_once(threemf_model *m, bool *seen, const char *name)
{
    if (*seen)
        return grz_io_xml_fail(m->x, "a second <%s>", name);
    *seen = true;
    return true;
}

static bool begin_resources(threemf_model *m, const char **attributes)
{
    (void)attributes;
    return begin_once(m, &m->has_resources, "resources");
}

static bool begin_build(threemf_model *m, const char **attributes)
{
    (void)attributes;
    return begin_once(m, &m->has_build, "build");
}

// Which elements of 3MF's own stand in which.
static const struct element {
    threemf_inside parent;
    threemf_inside inside;
    const char *name;
    bool (*begin)(threemf_model *m, const char **attributes);
    const char *attributes; // that it may have; NULL: `begin` looks at them all
    int vital;              // the first of them, of which none may be misspelt
} elements[] = {
    {INSIDE_NOTHING, INSIDE_MODEL, "model", begin_model, "unit requiredextensions recommendedextensions", 3},
    {INSIDE_MODEL, INSIDE_RESOURCES, "resources", begin_resources, "", 0},
    {INSIDE_MODEL, INSIDE_BUILD, "build", begin_build, "", 0},
    {INSIDE_RESOURCES, INSIDE_OBJECT, "object", grz_io_threemf_begin_object,
     "id type name partnumber pid pindex thumbnail", 2},
    {INSIDE_OBJECT, INSIDE_MESH, "mesh", grz_io_threemf_begin_mesh, "", 0},
    {INSIDE_OBJECT, INSIDE_COMPONENTS, "components", grz_io_threemf_begin_components, "", 0},
    {INSIDE_MESH, INSIDE_VERTICES, "vertices", grz_io_threemf_begin_vertices, "", 0},
    {INSIDE_MESH, INSIDE_TRIANGLES, "triangles", grz_io_threemf_begin_triangles, "", 0},
    {INSIDE_VERTICES, INSIDE_LEAF_OF_VERTICES, "vertex", grz_io_threemf_read_vertex, NULL, 0},
    {INSIDE_TRIANGLES, INSIDE_LEAF_OF_TRIANGLES, "triangle", grz_io_threemf_read_triangle, NULL, 0},
    {INSIDE_COMPONENTS, INSIDE_LEAF_OF_COMPONENTS, "component", grz_io_threemf_read_component,
     "transform objectid partnumber", 2},
    {INSIDE_BUILD, INSIDE_ITEM, "item", grz_io_threemf_read_item, "transform objectid partnumber printable", 2},
};

static const threemf_inside parents[] = {
    [INSIDE_NOTHING] = INSIDE_NOTHING,
    [INSIDE_MODEL] = INSIDE_NOTHING,
    [INSIDE_RESOURCES] = INSIDE_MODEL,
    [INSIDE_OBJECT] = INSIDE_RESOURCES,
    [INSIDE_MESH] = INSIDE_OBJECT,
    [INSIDE_VERTICES] = INSIDE_MESH,
    [INSIDE_TRIANGLES] = INSIDE_MESH,
    [INSIDE_COMPONENTS] = INSIDE_OBJECT,
    [INSIDE_BUILD] = INSIDE_MODEL,
    [INSIDE_ITEM] = INSIDE_BUILD,
    [INSIDE_LEAF_OF_VERTICES] = INSIDE_VERTICES,
    [INSIDE_LEAF_OF_TRIANGLES] = INSIDE_TRIANGLES,
    [INSIDE_LEAF_OF_COMPONENTS] = INSIDE_COMPONENTS,
};

// An element of 3MF's own that is none of `elements`, or the first of a document that is no model.
static bool refuse_element(threemf_model *m, const char *name, bool is_core)
{
    char quote[SCAN_QUOTE_SIZE];
    const char *end = strrchr(name, XML_NAMESPACE_END), *local = end != NULL ? end + 1 : name;
    const text_token token = {(const unsigned char *)(is_core ? local : name), strlen(is_core ? local : name)};
    if (m->inside == INSIDE_NOTHING)
        return grz_io_xml_fail(m->x, "its first element %s is not the model of 3MF's core specification",
                               grz_io_token_quote(token, quote));
    return grz_io_xml_fail(m->x, "the element %s does not belong here", grz_io_token_quote(token, quote));
}

// Elements of 3MF's own that say nothing about shapes. Some writers put them where they do not belong.
static bool is_beside_geometry(const char *name)
{
    return strcmp(name, "metadata") == 0 || strcmp(name, "metadatagroup") == 0 || strcmp(name, "basematerials") == 0;
}

static bool begin_any(threemf_model *m, const char *name, const char **attributes)
{
    static const char core[] = THREEMF_CORE "|";
    const bool is_core = strncmp(name, core, sizeof core - 1) == 0;
    const char *local = name + (is_core ? sizeof core - 1 : 0);
    for (size_t i = 0; is_core && i < sizeof elements / sizeof *elements; i++) {
        const struct element *e = &elements[i];
        if (e->parent != m->inside || strcmp(e->name, local) != 0)
            continue;
        m->inside = e->inside;
        return (e->attributes == NULL ||
                grz_io_threemf_check_attributes(m, e->name, e->attributes, e->vital, attributes)) &&
               e->begin(m, attributes);
    }
    if (m->inside == INSIDE_NOTHING || (is_core && !is_beside_geometry(local)))
        return refuse_element(m, name, is_core);
    m->skipping = 1;
    return is_core || grz_io_threemf_meet_foreign(m, name);
}

static bool begin(void *user, const char *name, const char **attributes)
{
    threemf_model *m = user;
    if (m->skipping > 0) {
        m->skipping++;
        return true;
    }
    // Nearly all elements are these two.
    if (m->inside == INSIDE_VERTICES && strcmp(name, THREEMF_CORE "|vertex") == 0) {
        m->inside = INSIDE_LEAF_OF_VERTICES;
        return grz_io_threemf_read_vertex(m, attributes);
    }
    if (m->inside == INSIDE_TRIANGLES && strcmp(name, THREEMF_CORE "|triangle") == 0) {
        m->inside = INSIDE_LEAF_OF_TRIANGLES;
        return grz_io_threemf_read_triangle(m, attributes);
    }
    return begin_any(m, name, attributes);
}

static bool end(void *user, const char *name)
{
    threemf_model *m = user;
    (void)name;
    if (m->skipping > 0) {
        m->skipping--;
        return true;
    }
    const threemf_inside ended = m->inside;
    m->inside = parents[ended];
    if (ended == INSIDE_MESH)
        return grz_io_threemf_end_mesh(m);
    return ended != INSIDE_OBJECT || grz_io_threemf_end_object(m);
}

static bool add_prefix(void *user, const char *prefix, const char *address)
{
    threemf_model *m = user;
    return m->inside != INSIDE_NOTHING || grz_io_threemf_add_prefix(m, prefix, address);
}

static bool feed(void *user, const unsigned char *bytes, size_t size, bool last)
{
    return grz_io_threemf_feed_model(user, bytes, size, last);
}

bool grz_io_threemf_read_model(threemf *t, size_t file)
{
    static const xml_handlers handlers = {.begin = begin, .end = end, .prefix = add_prefix};
    char place[THREEMF_PLACE_SIZE];
    threemf_model m = {.t = t, .file = file, .is_root = file == t->root};
    t->files[file].is_model = true;
    m.x = grz_io_xml_open(t->r->control, grz_io_threemf_place(t, file, place), &handlers, &m, true);
    const bool ok = m.x != NULL && grz_io_threemf_unpack(t, file, feed, &m);
    grz_io_xml_close(m.x);
    grz_io_control_release(t->r->control, m.prefixes.bytes, m.prefixes.capacity);
    if (ok && m.is_root && !m.has_build)
        return grz_io_threemf_fail(t, file, 0, "the model has no <build>, which says what is to be shown");
    return ok;
}
