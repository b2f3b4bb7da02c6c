// SPDX-License-Identifier: MIT
// Binary FBX: nodes that say where they end, how many values they have, and their name; then the values, then nodes
// within, up to an empty one. From version 7500 on lengths have 64 bits. Found in the sources of Blender's add-on and
// in files.
#include "foreign/survey.h"

#include <string.h>

enum {
    HEAD_SIZE = 27,
    VERSION_AT = 23,
    VERSION_WIDE = 7500
};

typedef struct binary {
    survey *s;
    fbx_visit *visit;
    void *user;
    bool wide;
} binary;

static uint32_t get32(const unsigned char *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t get64(const unsigned char *p)
{
    return get32(p) | (uint64_t)get32(p + 4) << 32;
}

static bool fail_damaged(survey *s, size_t at)
{
    return survey_fail(s, "byte %zu: damaged, or cut", at);
}

// Bytes of a value of a plain type; 0: it is none.
static size_t plain_size(unsigned char type)
{
    switch (type) {
    case 'C':
    case 'B':
        return 1;
    case 'Y':
        return 2;
    case 'I':
    case 'F':
        return 4;
    case 'D':
    case 'L':
        return 8;
    default:
        return 0;
    }
}

static fbx_value plain_value(unsigned char type, const unsigned char *p)
{
    fbx_value v = {.kind = FBX_NUMBER};
    float single;
    switch (type) {
    case 'F':
        memcpy(&single, p, sizeof single);
        v.number = (double)single;
        return v;
    case 'D':
        memcpy(&v.number, p, sizeof v.number);
        return v;
    case 'L':
        v.integer = (int64_t)get64(p);
        break;
    case 'I':
        v.integer = (int32_t)get32(p);
        break;
    case 'Y':
        v.integer = (int16_t)(p[0] | p[1] << 8);
        break;
    default:
        v.integer = p[0];
    }
    v.number = (double)v.integer;
    return v;
}

// The value at a place, which moves behind it.
static bool read_value(survey *s, size_t *at, size_t end, fbx_value *out)
{
    const size_t start = *at;
    if (start >= end)
        return fail_damaged(s, start);
    const unsigned char type = s->bytes[start], *p = s->bytes + start + 1;
    const size_t left = end - start - 1, plain = plain_size(type);
    size_t head = 4, size = plain;
    if (plain > 0) {
        if (left < plain)
            return fail_damaged(s, start);
        *out = plain_value(type, p);
        head = 0;
    } else if ((type == 'S' || type == 'R') && left >= head) {
        size = get32(p);
        *out = (fbx_value){.kind = FBX_TEXT, .text = p + head, .length = size};
    } else if (type != '\0' && strchr("fdlibc", type) != NULL && left >= 12) {
        head = 12;
        size = get32(p + 8);
        *out = (fbx_value){.kind = FBX_ARRAY, .length = get32(p)};
    } else {
        return fail_damaged(s, start);
    }
    *at = start + 1 + head + size;
    return size <= left - head || fail_damaged(s, start);
}

static bool walk(const binary *b, size_t at, size_t end, unsigned depth)
{
    survey *s = b->s;
    const size_t width = b->wide ? 8 : 4, head = 3 * width + 1;
    if (depth > FBX_DEEPEST)
        return survey_fail(s, "nodes are nested too deeply");
    while (at < end) {
        const unsigned char *p = s->bytes + at;
        if (end - at < head)
            return depth > 0 ? fail_damaged(s, at) : true;
        const uint64_t node_end = b->wide ? get64(p) : get32(p), count = b->wide ? get64(p + width) : get32(p + width);
        const uint64_t size = b->wide ? get64(p + 2 * width) : get32(p + 2 * width);
        fbx_node node = {.name = p + head, .name_length = p[head - 1], .depth = depth};
        if (node_end == 0)
            return true; // the empty one
        if (node_end > end || node_end < at + head + node.name_length || size > node_end - at - head - node.name_length)
            return fail_damaged(s, at);
        size_t value_at = at + head + node.name_length;
        const size_t inner = value_at + (size_t)size;
        for (uint64_t i = 0; i < count; i++) {
            fbx_value value = {0};
            if (!read_value(s, &value_at, inner, &value))
                return false;
            if (i < FBX_VALUES_KEPT)
                node.values[i] = value;
            node.value_count++;
        }
        if (!b->visit(b->user, s, &node) || !walk(b, inner, (size_t)node_end, depth + 1))
            return false;
        at = (size_t)node_end;
    }
    return true;
}

bool fbx_walk_binary(survey *s, fbx_visit *visit, void *user)
{
    if (s->size < HEAD_SIZE)
        return fail_damaged(s, s->size);
    const binary b = {s, visit, user, get32(s->bytes + VERSION_AT) >= VERSION_WIDE};
    return walk(&b, HEAD_SIZE, s->size, 0);
}
