// SPDX-License-Identifier: MIT
// 3DS: chunks in chunks, each a number of 16 bits and its own length of 32. Refused: a master scale, by which Assimp
// divides all coordinates; corners that are no vertices, which it replaces; chunks that end past what holds them.
#include "foreign/survey.h"

#include <string.h>

enum {
    CHUNK_HEAD = 6,
    CHUNK_MAIN = 0x4d4d,
    CHUNK_EDITOR = 0x3d3d,
    CHUNK_MASTER_SCALE = 0x0100,
    CHUNK_OBJECT = 0x4000,
    CHUNK_MESH = 0x4100,
    CHUNK_POINTS = 0x4110,
    CHUNK_FACES = 0x4120,
    FACE_SIZE = 8,
    POINT_SIZE = 12
};

// The mesh being looked at.
typedef struct mesh_3ds {
    unsigned points, highest; // `highest`: corner, and one more
} mesh_3ds;

static unsigned get16(const unsigned char *p)
{
    return (unsigned)(p[0] | p[1] << 8);
}

static uint32_t get32(const unsigned char *p)
{
    return get16(p) | (uint32_t)get16(p + 2) << 16;
}

static bool look(survey *s, unsigned parent, size_t from, size_t end, mesh_3ds *mesh);

static bool look_at_faces(survey *s, const unsigned char *p, size_t size, mesh_3ds *mesh)
{
    const size_t count = size >= 2 ? get16(p) : 0;
    if (size < 2 + FACE_SIZE * count)
        return survey_fail(s, "a chunk of %zu faces is too short for them", count);
    for (size_t i = 0; i < 3 * count; i++) {
        const unsigned corner = get16(p + 2 + FACE_SIZE * (i / 3) + 2 * (i % 3));
        mesh->highest = corner + 1 > mesh->highest ? corner + 1 : mesh->highest;
    }
    s->faces += count;
    return true;
}

static bool look_at_chunk(survey *s, unsigned id, size_t from, size_t end, mesh_3ds *mesh)
{
    const unsigned char *p = s->bytes + from;
    const size_t size = end - from;
    if (id == CHUNK_MASTER_SCALE) {
        float scale = 0;
        if (size >= sizeof scale)
            memcpy(&scale, p, sizeof scale);
        return (scale >= 1 && scale <= 1) ||
               survey_fail(s, "a master scale of %g, by which Assimp divides all coordinates: save it with 1",
                           (double)scale);
    }
    if (id == CHUNK_POINTS) {
        mesh->points = size >= 2 ? get16(p) : 0;
        return size >= 2 + (size_t)POINT_SIZE * mesh->points ||
               survey_fail(s, "a chunk of %u vertices is too short for them", mesh->points);
    }
    if (id == CHUNK_FACES)
        return look_at_faces(s, p, size, mesh);
    if (id == CHUNK_OBJECT) {
        const unsigned char *name_end = memchr(p, '\0', size);
        return name_end != NULL ? look(s, id, (size_t)(name_end - s->bytes) + 1, end, NULL)
                                : survey_fail(s, "an object's name does not end");
    }
    if (id == CHUNK_MESH) {
        mesh_3ds inner = {0};
        if (!look(s, id, from, end, &inner))
            return false;
        return inner.highest <= inner.points ||
               survey_fail(s, "a face has corner %u, but its mesh has %u vertices", inner.highest - 1, inner.points);
    }
    return look(s, id, from, end, NULL);
}

// Whether a chunk counts where it stands.
static bool belongs(unsigned parent, unsigned id)
{
    switch (parent) {
    case 0:
        return id == CHUNK_MAIN;
    case CHUNK_MAIN:
        return id == CHUNK_EDITOR;
    case CHUNK_EDITOR:
        return id == CHUNK_OBJECT || id == CHUNK_MASTER_SCALE;
    case CHUNK_OBJECT:
        return id == CHUNK_MESH;
    default:
        return id == CHUNK_POINTS || id == CHUNK_FACES;
    }
}

// The chunks in a chunk.
static bool look(survey *s, unsigned parent, size_t from, size_t end, mesh_3ds *mesh)
{
    while (end - from >= CHUNK_HEAD) {
        const unsigned id = get16(s->bytes + from);
        const size_t size = get32(s->bytes + from + 2);
        if (size < CHUNK_HEAD || size > end - from)
            return survey_fail(s, "byte %zu: chunk %04x ends past what holds it", from, id);
        if (belongs(parent, id) && !look_at_chunk(s, id, from + CHUNK_HEAD, from + size, mesh))
            return false;
        from += size;
    }
    return true;
}

bool survey_3ds(survey *s)
{
    if (s->size < CHUNK_HEAD || get16(s->bytes) != CHUNK_MAIN)
        return survey_fail(s, "it does not begin as 3DS does");
    s->counts_faces = true;
    return look(s, 0, 0, s->size, NULL);
}
