// SPDX-License-Identifier: MIT
// .x of DirectX, text: "Mesh name { 4; 1;2;3;, …; 2; 3;0,1,2;, …; }". Assimp takes a comma for a decimal point and a
// corner that is no vertex without a word, so numbers, their separators and corners are checked. Binary and packed
// files are refused, since they cannot be looked at so.
#include "foreign/survey.h"

#include <string.h>

typedef struct word {
    const unsigned char *at;
    size_t length;
} word;

typedef struct text_x {
    survey *s;
    size_t at;
    uint64_t line;
} text_x;

static bool is(word w, const char *text)
{
    return w.length == strlen(text) && memcmp(w.at, text, w.length) == 0;
}

static unsigned char peek(const text_x *t)
{
    return t->at < t->s->size ? t->s->bytes[t->at] : '\0';
}

static void step(text_x *t)
{
    t->line += peek(t) == '\n';
    t->at++;
}

static bool is_separator(unsigned char c)
{
    return c == ';' || c == ',';
}

// Blanks, comments, and, if wanted, separators.
static void skip(text_x *t, bool separators)
{
    while (t->at < t->s->size) {
        const bool slashes = peek(t) == '/' && t->at + 1 < t->s->size && t->s->bytes[t->at + 1] == '/';
        if (slashes || peek(t) == '#')
            while (t->at < t->s->size && peek(t) != '\n')
                step(t);
        else if (peek(t) <= ' ' || (separators && is_separator(peek(t))))
            step(t);
        else
            return;
    }
}

// A name, a number, or one other character.
static word next_word(text_x *t)
{
    word w = {t->s->bytes + t->at, 0};
    for (; t->at < t->s->size && peek(t) > ' ' && strchr(";,{}\"<>", peek(t)) == NULL; w.length++)
        step(t);
    if (w.length == 0 && t->at < t->s->size) {
        step(t);
        w.length = 1;
    }
    return w;
}

static bool fail_number(text_x *t, word w)
{
    return survey_fail(t->s, "line %llu: \"%.*s\" stands where a number should, or is not followed as it should",
                       (unsigned long long)t->line, w.length < 40 ? (int)w.length : 40, (const char *)w.at);
}

// A number, and the separator behind it.
static bool read_number(text_x *t, unsigned char separator, double *out)
{
    skip(t, false);
    const word w = next_word(t);
    skip(t, false);
    if (!survey_is_number(w.at, w.length) || peek(t) != separator)
        return fail_number(t, w);
    step(t);
    *out = survey_number(w.at, w.length);
    return true;
}

static bool read_count(text_x *t, unsigned char separator, uint64_t *out)
{
    double number = 0;
    const uint64_t line = t->line;
    if (!read_number(t, separator, &number))
        return false;
    *out = number >= 0 && number < 4294967296.0 ? (uint64_t)number : 0;
    return ((double)*out >= number && (double)*out <= number) ||
           survey_fail(t->s, "line %llu: %g is no count and no corner", (unsigned long long)line, number);
}

static bool read_mesh(text_x *t)
{
    uint64_t vertices, faces, corners, corner;
    double number;
    if (!read_count(t, ';', &vertices))
        return false;
    for (uint64_t i = 0; i < vertices; i++) {
        for (int axis = 0; axis < 3; axis++)
            if (!read_number(t, ';', &number))
                return false;
        skip(t, true);
    }
    if (!read_count(t, ';', &faces))
        return false;
    for (uint64_t f = 0; f < faces; f++) {
        if (!read_count(t, ';', &corners))
            return false;
        for (uint64_t k = 0; k < corners; k++) {
            if (!read_count(t, k + 1 < corners ? ',' : ';', &corner))
                return false;
            if (corner >= vertices)
                return survey_fail(t->s, "line %llu: a face has corner %llu, but its mesh has %llu vertices",
                                   (unsigned long long)t->line, (unsigned long long)corner,
                                   (unsigned long long)vertices);
        }
        t->s->faces += corners >= 3;
        skip(t, true);
    }
    return true;
}

// 16 numbers. Of "1,5" Assimp makes 1.5, so a number without a point has to have a blank behind its comma.
static bool read_matrix(text_x *t)
{
    for (int i = 0; i < 16; i++) {
        skip(t, i > 0);
        const word w = next_word(t);
        const size_t behind = t->at + 1;
        if (!survey_is_number(w.at, w.length))
            return fail_number(t, w);
        if (memchr(w.at, '.', w.length) == NULL && peek(t) == ',' && behind < t->s->size &&
            t->s->bytes[behind] >= '0' && t->s->bytes[behind] <= '9')
            return survey_fail(t->s,
                               "line %llu: %.*s,%c: Assimp misreads a comma between digits: write a point, or a blank "
                               "after the comma",
                               (unsigned long long)t->line, w.length < 40 ? (int)w.length : 40, (const char *)w.at,
                               t->s->bytes[behind]);
    }
    skip(t, true);
    return peek(t) == '}' ||
           survey_fail(t->s, "line %llu: a matrix has more than 16 numbers", (unsigned long long)t->line);
}

// To behind the end of a template, or of a text in quotes.
static void skip_past(text_x *t, unsigned char end)
{
    while (t->at < t->s->size && peek(t) != end)
        step(t);
    step(t);
}

// Past a name and "{". False where there is none, so that the word begins nothing.
static bool opens(text_x *t)
{
    const text_x before = *t;
    skip(t, false);
    if (peek(t) != '{')
        (void)next_word(t);
    skip(t, false);
    if (peek(t) == '{') {
        step(t);
        return true;
    }
    *t = before;
    return false;
}

bool survey_x(survey *s)
{
    enum {
        HEAD_SIZE = 16,
        KIND_AT = 8
    };
    text_x t = {.s = s, .at = HEAD_SIZE, .line = 1};
    if (s->size < HEAD_SIZE || memcmp(s->bytes, "xof ", 4) != 0)
        return survey_fail(s, "it does not begin as .x does");
    if (memcmp(s->bytes + KIND_AT, "txt ", 4) != 0)
        return survey_fail(s, "binary or packed .x, which is not read: save it as text");
    s->counts_faces = true;
    for (skip(&t, true); t.at < s->size; skip(&t, true)) {
        const word w = next_word(&t);
        if (is(w, "template"))
            skip_past(&t, '}');
        else if (is(w, "\""))
            skip_past(&t, '"');
        else if (is(w, "PatchMesh") || is(w, "Patch"))
            return survey_fail(s, "line %llu: a curved patch, which Assimp drops: make a mesh of it",
                               (unsigned long long)t.line);
        else if ((is(w, "Mesh") && opens(&t) && !read_mesh(&t)) ||
                 (is(w, "FrameTransformMatrix") && opens(&t) && !read_matrix(&t)))
            return false;
    }
    return true;
}
