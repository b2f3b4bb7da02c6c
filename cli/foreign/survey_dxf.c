// SPDX-License-Identifier: MIT
// DXF, text: pairs of lines, a group code and a value; code 0 begins an entity. Assimp takes 3DFACE and polyface meshes
// (POLYLINE with flag 64) among the ENTITIES, and lines. What else has faces is refused by its name: it is dropped, or
// blocks are put at wrong places. So is a number that is none, which Assimp reads in part, and a coordinate that is
// missing, which it takes for 0. Entities without faces are counted.
#include "foreign/survey.h"

#include <string.h>

enum {
    FLAG_GRID = 16,     // of a POLYLINE: rows and columns of vertices
    FLAG_POLYFACE = 64, // of a POLYLINE
    FLAG_PLACE = 64,    // of a VERTEX: it has a place
    THICKNESS = 39,
    WORD_SHOWN = 40
};

typedef struct word {
    const unsigned char *at;
    size_t length;
} word;

// What has been read of the entity at hand.
typedef struct entity {
    word name;
    uint64_t line;
    bool has[4][3]; // corner, axis: codes 10 to 33
    bool has_index; // one of 71 to 74
    long index[4];  // in these codes
    long flags;     // 70
    bool is_thick;  // 39 other than 0
} entity;

typedef struct dxf {
    survey *s;
    size_t at;
    uint64_t line;
    int code;
    word value;
    bool in_entities, in_polyface, in_polyline;
    uint64_t places; // vertices of the polyface mesh so far
    long highest;    // corner of it
} dxf;

static bool is(word w, const char *text)
{
    return w.length == strlen(text) && memcmp(w.at, text, w.length) == 0;
}

static int shown(word w)
{
    return w.length < WORD_SHOWN ? (int)w.length : WORD_SHOWN;
}

static word next_line(dxf *d)
{
    const unsigned char *from = d->s->bytes + d->at;
    const size_t left = d->s->size - d->at;
    const unsigned char *end = left > 0 ? memchr(from, '\n', left) : NULL;
    size_t length = end != NULL ? (size_t)(end - from) : left;
    d->at += length + (end != NULL);
    d->line++;
    for (; length > 0 && from[length - 1] <= ' '; length--)
        ;
    for (; length > 0 && *from <= ' '; length--)
        from++;
    return (word){from, length};
}

static bool fail_number(dxf *d)
{
    return survey_fail(d->s, "line %llu: \"%.*s\" is no number", (unsigned long long)d->line, shown(d->value),
                       (const char *)d->value.at);
}

// The next pair. False at the end, or where the code is no number, with a reason.
static bool next_pair(dxf *d, bool *damaged)
{
    const word code = next_line(d);
    *damaged = false;
    if (code.length == 0 && d->at >= d->s->size)
        return false;
    d->value = code;
    if (!survey_is_number(code.at, code.length)) {
        *damaged = true;
        return fail_number(d);
    }
    d->code = (int)survey_number(code.at, code.length < 6 ? code.length : 6);
    d->value = next_line(d);
    return true;
}

// What the entity has, as far as it counts.
static bool add_pair(dxf *d, entity *e)
{
    const int corner = d->code % 10, axis = d->code / 10 - 1;
    const bool is_place = d->code >= 10 && d->code < 40 && corner < 4;
    const bool is_index = d->code >= 71 && d->code <= 74;
    if (!is_place && !is_index && d->code != 70 && d->code != THICKNESS)
        return true;
    if (!survey_is_number(d->value.at, d->value.length))
        return fail_number(d);
    const double number = survey_number(d->value.at, d->value.length);
    if (is_place)
        e->has[corner][axis] = true;
    else if (d->code == THICKNESS)
        e->is_thick = number < 0 || number > 0;
    else if (number < -1e9 || number > 1e9)
        return fail_number(d);
    else if (d->code == 70)
        e->flags = (long)number;
    else
        e->index[d->code - 71] = (long)number;
    e->has_index = e->has_index || is_index;
    return true;
}

static bool has_corner(const entity *e, int corner)
{
    return e->has[corner][0] && e->has[corner][1] && e->has[corner][2];
}

static bool fail_entity(dxf *d, const entity *e, const char *reason)
{
    return survey_fail(d->s, "line %llu: %.*s: %s", (unsigned long long)e->line, shown(e->name),
                       (const char *)e->name.at, reason);
}

static bool end_vertex(dxf *d, const entity *e)
{
    if (!d->in_polyface)
        return !e->has_index || fail_entity(d, e, "corners outside a polyface mesh");
    if (!e->has_index) {
        d->places++;
        return has_corner(e, 0) || fail_entity(d, e, "a coordinate is missing");
    }
    int corners = 0;
    for (; corners < 4 && e->index[corners] != 0; corners++) {
        if (e->index[corners] < 0)
            return fail_entity(d, e, "an edge that is marked as hidden, whose corner Assimp drops");
        d->highest = e->index[corners] > d->highest ? e->index[corners] : d->highest;
    }
    for (int i = corners; i < 4; i++)
        if (e->index[i] != 0)
            return fail_entity(d, e, "a corner 0");
    if ((e->flags & FLAG_PLACE) != 0 || corners < 3)
        return fail_entity(d, e, "a face of a polyface mesh with fewer than 3 corners");
    d->s->faces++;
    return true;
}

static bool end_polyline(dxf *d, const entity *e)
{
    if (d->in_polyface && (uint64_t)d->highest > d->places)
        return fail_entity(d, e, "a corner of the polyface mesh before it is none of its vertices");
    d->in_polyface = d->in_polyline = false;
    return true;
}

static bool is_without_faces(word name)
{
    static const char *const names[] = {"POINT",     "CIRCLE",    "ARC",    "ELLIPSE",    "SPLINE", "LWPOLYLINE",
                                        "TEXT",      "MTEXT",     "ATTDEF", "ATTRIB",     "LEADER", "HATCH",
                                        "DIMENSION", "XLINE",     "RAY",    "VIEWPORT",   "MLINE",  "IMAGE",
                                        "HELIX",     "TOLERANCE", "LIGHT",  "MULTILEADER"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is(name, names[i]))
            return true;
    return false;
}

// An entity is complete.
static bool end_entity(dxf *d, const entity *e)
{
    if (e->name.length == 0)
        return true;
    if (e->is_thick)
        return fail_entity(d, e, "it has a thickness, which Assimp drops");
    if (d->in_polyline && !is(e->name, "VERTEX") && !is(e->name, "SEQEND"))
        return fail_entity(d, e, "it stands in a POLYLINE, which has no end");
    if (is(e->name, "VERTEX"))
        return d->in_polyline ? end_vertex(d, e) : fail_entity(d, e, "it stands outside a POLYLINE");
    if (is(e->name, "SEQEND"))
        return end_polyline(d, e);
    if (is(e->name, "POLYLINE")) {
        if ((e->flags & FLAG_GRID) != 0)
            return fail_entity(d, e, "a grid of vertices, which Assimp takes for lines: save it as 3DFACE");
        d->in_polyline = true;
        d->in_polyface = (e->flags & FLAG_POLYFACE) != 0;
        d->places = 0;
        d->highest = 0;
        return true;
    }
    if (is(e->name, "3DFACE")) {
        d->s->faces++;
        const bool fourth = e->has[3][0] || e->has[3][1] || e->has[3][2];
        return (has_corner(e, 0) && has_corner(e, 1) && has_corner(e, 2) && (!fourth || has_corner(e, 3))) ||
               fail_entity(d, e, "a coordinate is missing");
    }
    if (is(e->name, "LINE") || is(e->name, "3DLINE"))
        return true; // counted with what Assimp reads
    if (is(e->name, "INSERT"))
        return fail_entity(d, e, "a block, which Assimp misplaces: explode the blocks");
    if (!is_without_faces(e->name))
        return fail_entity(d, e, "it may have faces, which Assimp drops: save it as 3DFACE or as a polyface mesh");
    d->s->left_out++;
    return true;
}

bool survey_dxf(survey *s)
{
    dxf d = {.s = s};
    entity e = {0};
    bool damaged, section = false;
    static const char binary[] = "AutoCAD Binary DXF";
    if (s->size >= sizeof binary - 1 && memcmp(s->bytes, binary, sizeof binary - 1) == 0)
        return survey_fail(s, "binary DXF, which Assimp does not read: save it as text");
    s->counts_faces = true;
    while (next_pair(&d, &damaged)) {
        if (d.code != 0) {
            if (section && d.code == 2)
                d.in_entities = is(d.value, "ENTITIES");
            section = false;
            if (d.in_entities && e.name.length > 0 && !add_pair(&d, &e))
                return false;
            continue;
        }
        if (!end_entity(&d, &e))
            return false;
        section = is(d.value, "SECTION");
        if (section || is(d.value, "ENDSEC"))
            d.in_entities = false;
        if (is(d.value, "EOF"))
            return !d.in_polyline || survey_fail(s, "a POLYLINE has no end");
        e = (entity){.line = d.line};
        if (d.in_entities)
            e.name = d.value;
    }
    return !damaged && survey_fail(s, "it ends without EOF");
}
