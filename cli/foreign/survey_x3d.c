// SPDX-License-Identifier: MIT
// X3D, as XML. Assimp skips elements that it does not know, with all that is in them, so only those are taken that it
// reads, and those that have nothing to do with faces. Spheres, cylinders and cones it makes of facets, which are no
// surface of the file's. Of text that is no number it makes 0.
#include "foreign/foreign.h"
#include "foreign/survey.h"

#include <string.h>

typedef struct word {
    const unsigned char *at;
    size_t length;
} word;

// What has been read so far.
typedef struct x3d {
    survey *s;
    size_t at;
    uint64_t line;
    bool in_triangles; // of a TriangleSet, which has no corners but its coordinates
    bool uncounted;    // an element stands for another, or is switched off
} x3d;

// Elements that are taken: what shows, then what has no faces.
static const char *const taken[] = {
    "X3D", "Scene", "Group", "StaticGroup", "Transform", "Switch", "Shape", "IndexedFaceSet", "IndexedTriangleSet",
    "TriangleSet", "Box", "Coordinate", "PointSet", "LineSet", "IndexedLineSet",
    // about the file
    "head", "meta", "component", "unit", "WorldInfo", "MetadataBoolean", "MetadataDouble", "MetadataFloat",
    "MetadataInteger", "MetadataSet", "MetadataString",
    // looks
    "Appearance", "Material", "TwoSidedMaterial", "ImageTexture", "PixelTexture", "MovieTexture", "MultiTexture",
    "TextureTransform", "MultiTextureTransform", "TextureProperties", "TextureCoordinate", "MultiTextureCoordinate",
    "TextureCoordinateGenerator", "Color", "ColorRGBA", "Normal", "FillProperties", "LineProperties",
    "DirectionalLight", "PointLight", "SpotLight", "Background", "TextureBackground", "Fog", "LocalFog",
    "NavigationInfo", "Viewpoint", "OrthoViewpoint"};

// What moves or answers: left out, with a count.
static const char *const moving[] = {"ROUTE",
                                     "TimeSensor",
                                     "TouchSensor",
                                     "PlaneSensor",
                                     "SphereSensor",
                                     "CylinderSensor",
                                     "ProximitySensor",
                                     "VisibilitySensor",
                                     "KeySensor",
                                     "PositionInterpolator",
                                     "OrientationInterpolator",
                                     "CoordinateInterpolator",
                                     "NormalInterpolator",
                                     "ColorInterpolator",
                                     "ScalarInterpolator",
                                     "Sound",
                                     "AudioClip"};

// Attributes that hold numbers of shapes and places.
static const char *const numeric[] = {"point",      "coordIndex",       "index",  "translation", "rotation",
                                      "scale",      "scaleOrientation", "center", "size",        "whichChoice",
                                      "vertexCount"};

static bool is(word w, const char *text)
{
    return w.length == strlen(text) && memcmp(w.at, text, w.length) == 0;
}

static bool is_among(word w, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is(w, names[i]))
            return true;
    return false;
}

static int shown(word w)
{
    return w.length < 40 ? (int)w.length : 40;
}

static bool fail(x3d *x, const char *what, word w, const char *reason)
{
    return survey_fail(x->s, "line %llu: %s%.*s%s", (unsigned long long)x->line, what, shown(w), (const char *)w.at,
                       reason);
}

static bool is_blank(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool ends_name(unsigned char c)
{
    return is_blank(c) || c == '>' || c == '/' || c == '=' || c == '<' || c == '"' || c == '\'';
}

// What becomes of a list of numbers.
typedef struct numbers {
    uint64_t count, faces; // faces: runs of three and more between numbers below 0
} numbers;

static bool read_numbers(x3d *x, word list, numbers *out)
{
    uint64_t run = 0;
    *out = (numbers){0};
    for (size_t i = 0; i < list.length;) {
        if (is_blank(list.at[i]) || list.at[i] == ',') {
            i++;
            continue;
        }
        word number = {list.at + i, 0};
        for (; i < list.length && !is_blank(list.at[i]) && list.at[i] != ','; i++)
            number.length++;
        if (!survey_is_number(number.at, number.length))
            return fail(x, "\"", number, "\" is no number");
        out->count++;
        run = *number.at == '-' ? 0 : run + 1;
        out->faces += run == 3;
    }
    return true;
}

static bool add_attribute(x3d *x, word element, word name, word value)
{
    numbers list;
    if (is(name, "USE"))
        x->uncounted = true;
    if (!is_among(name, numeric, sizeof numeric / sizeof *numeric))
        return true;
    if (!read_numbers(x, value, &list))
        return false;
    if (is(element, "IndexedFaceSet") && is(name, "coordIndex"))
        x->s->faces += list.faces;
    if (is(element, "IndexedTriangleSet") && is(name, "index"))
        x->s->faces += list.count / 3;
    if (is(element, "Coordinate") && is(name, "point")) {
        x->s->faces += x->in_triangles ? list.count / 9 : 0;
        if (list.count % 3 != 0)
            return fail(x, "", name, ": coordinates are missing");
    }
    return true;
}

static bool begin_element(x3d *x, word name)
{
    x->uncounted = x->uncounted || is(name, "Switch");
    if (is(name, "Shape"))
        x->in_triangles = false;
    if (is(name, "TriangleSet"))
        x->in_triangles = true;
    enum {
        BOX_FACES = 6
    };
    x->s->faces += is(name, "Box") ? BOX_FACES : 0;
    if (is_among(name, moving, sizeof moving / sizeof *moving)) {
        x->s->left_out++;
        return true;
    }
    if (is_among(name, taken, sizeof taken / sizeof *taken))
        return true;
    if (is(name, "Sphere") || is(name, "Cylinder") || is(name, "Cone"))
        return fail(x, "", name, ": a curved surface, of which Assimp makes facets: export the facets that are meant");
    if (is(name, "Inline"))
        return fail(x, "", name, ": it names another file: give the meshes themselves");
    return fail(x, "", name, ": not read: Assimp drops what it does not know, with all that is in it");
}

static unsigned char peek(const x3d *x)
{
    return x->at < x->s->size ? x->s->bytes[x->at] : '\0';
}

static void step(x3d *x)
{
    x->line += x->s->bytes[x->at] == '\n';
    x->at++;
}

static void skip_blanks(x3d *x)
{
    while (x->at < x->s->size && is_blank(peek(x)))
        step(x);
}

static word read_name(x3d *x)
{
    word name = {x->s->bytes + x->at, 0};
    for (; x->at < x->s->size && !ends_name(peek(x)); name.length++)
        step(x);
    return name;
}

static bool fail_xml(x3d *x)
{
    return survey_fail(x->s, "line %llu: the XML is damaged", (unsigned long long)x->line);
}

// A tag that begins an element, behind its "<".
static bool read_tag(x3d *x)
{
    const word element = read_name(x);
    if (element.length == 0)
        return fail_xml(x);
    if (!begin_element(x, element))
        return false;
    for (;;) {
        skip_blanks(x);
        if (peek(x) == '/')
            step(x);
        if (x->at < x->s->size && peek(x) == '>')
            return true;
        const word name = read_name(x);
        skip_blanks(x);
        if (name.length == 0 || peek(x) != '=')
            return fail_xml(x);
        step(x);
        skip_blanks(x);
        const unsigned char quote = peek(x);
        if (quote != '"' && quote != '\'')
            return fail_xml(x);
        step(x);
        word value = {x->s->bytes + x->at, 0};
        for (; x->at < x->s->size && peek(x) != quote; value.length++)
            step(x);
        if (x->at == x->s->size)
            return fail_xml(x);
        step(x);
        if (!add_attribute(x, element, name, value))
            return false;
    }
}

static bool starts(const x3d *x, const char *text)
{
    const size_t length = strlen(text);
    return x->s->size - x->at >= length && memcmp(x->s->bytes + x->at, text, length) == 0;
}

// To behind a text.
static bool skip_past(x3d *x, const char *end)
{
    while (x->at < x->s->size && !starts(x, end))
        step(x);
    if (x->at == x->s->size)
        return fail_xml(x);
    x->at += strlen(end);
    return true;
}

static bool read_markup(x3d *x)
{
    if (starts(x, "<!--"))
        return skip_past(x, "-->");
    if (starts(x, "<![CDATA["))
        return skip_past(x, "]]>");
    if (starts(x, "<?"))
        return skip_past(x, "?>");
    if (starts(x, "</"))
        return skip_past(x, ">");
    if (!starts(x, "<!")) {
        x->at++;
        return read_tag(x) && skip_past(x, ">");
    }
    for (; x->at < x->s->size && peek(x) != '>'; step(x))
        if (peek(x) == '[')
            return survey_fail(x->s, "line %llu: a document type with declarations of its own, which are not read",
                               (unsigned long long)x->line);
    return skip_past(x, ">");
}

bool survey_x3d(survey *s)
{
    x3d x = {.s = s, .line = 1};
    if (foreign_is_utf16(s->bytes, s->size))
        return survey_fail(s, FOREIGN_UTF16_TEXT);
    while (x.at < s->size)
        if (peek(&x) != '<')
            step(&x);
        else if (!read_markup(&x))
            return false;
    s->counts_faces = !x.uncounted;
    return true;
}
