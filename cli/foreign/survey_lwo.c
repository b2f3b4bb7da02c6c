// SPDX-License-Identifier: MIT
// LWO of LightWave 6 and later (LWO2): chunks of IFF, each four letters and a length of 32 bits, highest byte first.
// Refused: polygons other than faces, of which Assimp takes the cage of a subdivision for the surface; corners that are
// no points of their layer, which it replaces; LWOB and LWO3, which nobody compared.
#include "foreign/survey.h"

#include <string.h>

enum {
    CHUNK_HEAD = 8,
    FORM_HEAD = 12,
    POINT_SIZE = 12,
    WIDE = 0xff,         // the first byte of a number of 4 bytes
    COUNT_MASK = 0x03ff, // the other bits are flags
    TYPE_SIZE = 4
};

static size_t get16(const unsigned char *p)
{
    return (size_t)p[0] << 8 | p[1];
}

static size_t get32(const unsigned char *p)
{
    return get16(p) << 16 | get16(p + 2);
}

static bool is(const unsigned char *p, const char *letters)
{
    return memcmp(p, letters, TYPE_SIZE) == 0;
}

static bool look_at_polygons(survey *s, const unsigned char *p, size_t size, size_t points)
{
    if (size < TYPE_SIZE)
        return survey_fail(s, "a chunk of polygons is too short");
    if (!is(p, "FACE"))
        return survey_fail(s,
                           "polygons of type %.4s, which Assimp drops or takes for flat faces: freeze subdivisions "
                           "to polygons",
                           is(p, "PTCH") || is(p, "SUBD") || is(p, "MBAL") || is(p, "CURV") || is(p, "BONE") ||
                                   is(p, "SKEG")
                               ? (const char *)p
                               : "????");
    for (size_t i = TYPE_SIZE; i + 2 <= size;) {
        const size_t count = get16(p + i) & COUNT_MASK;
        i += 2;
        for (size_t k = 0; k < count; k++) {
            const size_t width = i < size && p[i] == WIDE ? 4 : 2;
            if (size - i < width)
                return survey_fail(s, "a chunk of polygons ends within one");
            const size_t corner = width == 4 ? get32(p + i) & 0xffffff : get16(p + i);
            if (corner >= points)
                return survey_fail(s, "a face has corner %zu, but its layer has %zu vertices", corner, points);
            i += width;
        }
        s->faces += count >= 3;
    }
    return true;
}

bool survey_lwo(survey *s)
{
    const unsigned char *p = s->bytes;
    if (s->size < FORM_HEAD || !is(p, "FORM"))
        return survey_fail(s, "it does not begin as LWO does");
    if (!is(p + CHUNK_HEAD, "LWO2"))
        return survey_fail(s, "an LWO of another generation than LWO2, which is not read: save it for LightWave 6 to "
                              "2018");
    if (get32(p + 4) > s->size - CHUNK_HEAD)
        return survey_fail(s, "it ends too early: it should have %zu bytes", get32(p + 4) + CHUNK_HEAD);
    const size_t end = get32(p + 4) + CHUNK_HEAD;
    size_t points = 0;
    s->counts_faces = true;
    for (size_t i = FORM_HEAD; i + CHUNK_HEAD <= end;) {
        const unsigned char *chunk = p + i;
        const size_t size = get32(chunk + 4);
        i += CHUNK_HEAD;
        if (size > end - i)
            return survey_fail(s, "byte %zu: a chunk ends past the file", i - CHUNK_HEAD);
        if (is(chunk, "LAYR"))
            points = 0;
        if (is(chunk, "PNTS"))
            points = size / POINT_SIZE;
        if (is(chunk, "POLS") && !look_at_polygons(s, chunk + CHUNK_HEAD, size, points))
            return false;
        i += size + (size & 1);
    }
    return true;
}
