// SPDX-License-Identifier: MIT
// FBX as text: "Name: value, value {" and nodes within up to "}". An array is "Name: *9 {", a node "a" within, whose
// values have to be as many as was said. A semicolon begins a comment.
#include "foreign/survey.h"

#include <stdlib.h>
#include <string.h>

typedef struct text {
    survey *s;
    size_t at;
    uint64_t line;
} text;

static bool fail_damaged(const text *t)
{
    return survey_fail(t->s, "line %llu: damaged, or cut", (unsigned long long)t->line);
}

static unsigned char peek(const text *t)
{
    return t->at < t->s->size ? t->s->bytes[t->at] : '\0';
}

static void step(text *t)
{
    t->line += peek(t) == '\n';
    t->at++;
}

// Blanks and comments.
static void skip(text *t)
{
    while (t->at < t->s->size && (peek(t) <= ' ' || peek(t) == ';'))
        if (peek(t) != ';')
            step(t);
        else
            while (t->at < t->s->size && peek(t) != '\n')
                step(t);
}

static bool is_word(unsigned char c)
{
    return c > ' ' && strchr(":,{}\";", c) == NULL;
}

// A value: a text in quotes, or a word.
static bool read_value(text *t, fbx_value *out)
{
    const unsigned char *from = t->s->bytes + t->at;
    size_t length = 0;
    if (peek(t) == '"') {
        for (step(t), from++; t->at < t->s->size && peek(t) != '"'; length++)
            step(t);
        if (t->at >= t->s->size)
            return fail_damaged(t);
        step(t);
        *out = (fbx_value){.kind = FBX_TEXT, .text = from, .length = length};
        return true;
    }
    for (; t->at < t->s->size && is_word(peek(t)); length++)
        step(t);
    if (length == 0)
        return fail_damaged(t);
    *out = (fbx_value){.kind = FBX_TEXT, .text = from, .length = length};
    if (*from == '*' && survey_is_number(from + 1, length - 1)) {
        *out = (fbx_value){.kind = FBX_ARRAY, .length = (size_t)survey_number(from + 1, length - 1)};
    } else if (survey_is_number(from, length)) {
        char digits[24] = "";
        memcpy(digits, from, length < sizeof digits - 1 ? length : sizeof digits - 1);
        *out = (fbx_value){
            .kind = FBX_NUMBER, .number = survey_number(from, length), .integer = strtoll(digits, NULL, 10)};
    }
    return true;
}

// Values with commas between them, up to "{", "}" or the next name.
static bool read_values(text *t, fbx_node *node, bool numbers)
{
    for (;;) {
        skip(t);
        if (peek(t) == '{' || peek(t) == '}' || t->at >= t->s->size)
            return true;
        if (peek(t) == ',') { // a value that is empty
            step(t);
            continue;
        }
        const text before = *t;
        fbx_value value = {0};
        if (!read_value(t, &value))
            return false;
        skip(t);
        if (peek(t) == ':' && value.kind == FBX_TEXT) {
            *t = before; // the name of the next node
            return true;
        }
        if (numbers && value.kind != FBX_NUMBER)
            return survey_fail(t->s, "line %llu: \"%.*s\" is no number", (unsigned long long)t->line,
                               value.length < 40 ? (int)value.length : 40, (const char *)value.text);
        if (node->value_count < FBX_VALUES_KEPT)
            node->values[node->value_count] = value;
        node->value_count++;
        if (peek(t) == ',')
            step(t);
    }
}

// The nodes up to "}" or the end. `length`: of the array that they belong to; NULL: to none.
static bool walk(text *t, fbx_visit *visit, void *user, unsigned depth, const size_t *length)
{
    if (depth > FBX_DEEPEST)
        return survey_fail(t->s, "nodes are nested too deeply");
    for (skip(t); t->at < t->s->size && peek(t) != '}'; skip(t)) {
        fbx_node node = {.name = t->s->bytes + t->at, .depth = depth};
        for (; t->at < t->s->size && is_word(peek(t)); node.name_length++)
            step(t);
        skip(t);
        if (node.name_length == 0 || peek(t) != ':')
            return fail_damaged(t);
        step(t);
        if (!read_values(t, &node, length != NULL))
            return false;
        if (length != NULL && node.value_count != *length)
            return survey_fail(t->s, "line %llu: an array of %zu numbers has %zu", (unsigned long long)t->line, *length,
                               node.value_count);
        if (!visit(user, t->s, &node))
            return false;
        if (peek(t) != '{')
            continue;
        step(t);
        const bool is_array = node.value_count == 1 && node.values[0].kind == FBX_ARRAY;
        if (!walk(t, visit, user, depth + 1, is_array ? &node.values[0].length : NULL))
            return false;
        if (peek(t) != '}')
            return fail_damaged(t);
        step(t);
    }
    return true;
}

bool fbx_walk_text(survey *s, fbx_visit *visit, void *user)
{
    text t = {.s = s, .line = 1};
    if (!walk(&t, visit, user, 0, NULL))
        return false;
    return t.at >= s->size || fail_damaged(&t);
}
