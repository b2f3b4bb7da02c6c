// SPDX-License-Identifier: MIT
// _rels/.rels: which file of the package is its root model.
// Source: ECMA-376-2, "Open Packaging Conventions", fifth edition, 2021, section 6.5; 3MF Core Specification, 2.1.1.
#include "threemf/threemf.h"

#include <string.h>

#define RELATIONS "_rels/.rels"
#define RELATIONSHIP "http://schemas.openxmlformats.org/package/2006/relationships|Relationship"
#define START_PART "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"

typedef struct relations {
    threemf *t;
    xml_stream *x;
} relations;

static bool begin(void *user, const char *name, const char **attributes)
{
    relations *s = user;
    threemf *t = s->t;
    char quote[SCAN_QUOTE_SIZE];
    if (strcmp(name, RELATIONSHIP) != 0)
        return true;
    const char *type = grz_io_xml_attribute((const char *const *)attributes, "Type");
    const char *target = grz_io_xml_attribute((const char *const *)attributes, "Target");
    const char *mode = grz_io_xml_attribute((const char *const *)attributes, "TargetMode");
    size_t file;
    if (type == NULL || strcmp(type, START_PART) != 0)
        return true;
    if (target == NULL)
        return grz_io_xml_fail(s->x, "the relationship of the 3D model has no Target");
    const text_token token = {(const unsigned char *)target, strlen(target)};
    if (mode != NULL && strcmp(mode, "Internal") != 0)
        return grz_io_xml_fail(s->x, "the 3D model %s is outside of the package", grz_io_token_quote(token, quote));
    if (!grz_io_threemf_find_file(t, target, &file))
        return false;
    if (file == THREEMF_NONE)
        return grz_io_xml_fail(s->x, "the package has no file %s, which should be its 3D model",
                               grz_io_token_quote(token, quote));
    if (t->root != THREEMF_NONE && t->root != file)
        return grz_io_xml_fail(s->x, "the package has two root models, and may have one");
    t->root = file;
    return true;
}

static bool end(void *user, const char *name)
{
    (void)user, (void)name;
    return true;
}

static bool feed(void *user, const unsigned char *bytes, size_t size, bool last)
{
    return grz_io_xml_feed(((relations *)user)->x, bytes, size, last);
}

bool grz_io_threemf_find_root(threemf *t)
{
    static const xml_handlers handlers = {.begin = begin, .end = end};
    char place[THREEMF_PLACE_SIZE];
    size_t file;
    relations s = {.t = t};
    t->root = THREEMF_NONE;
    if (!grz_io_threemf_find_file(t, RELATIONS, &file))
        return false;
    if (file == THREEMF_NONE)
        return grz_io_fail(t->r, "it is a zip archive without " RELATIONS ", so not a 3MF package");
    s.x = grz_io_xml_open(t->r->control, grz_io_threemf_place(t, file, place), &handlers, &s, true);
    const bool ok = s.x != NULL && grz_io_threemf_unpack(t, file, feed, &s);
    grz_io_xml_close(s.x);
    if (ok && t->root == THREEMF_NONE)
        return grz_io_threemf_fail(t, file, 0, "it names no 3D model, so this is not a 3MF package");
    return ok;
}
