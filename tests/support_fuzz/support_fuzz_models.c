// SPDX-License-Identifier: MIT
// Files of formats with nodes, read with and without shared meshes.
#include <graze/io.h>

#include "support_fuzz_models.h"

#include "fuzz_input.h"

#define MEMORY_LIMIT (UINT64_C(64) << 20) // of the model; a small file may show much

static grz_io_model *read_file(const char *format, const uint8_t *data, size_t size, bool keep_instances,
                               grz_error *error)
{
    grz_io_model *m = NULL;
    grz_io_options options = grz_io_default_options();
    options.format = format;
    options.limits.memory_limit = MEMORY_LIMIT;
    options.keep_instances = keep_instances;
    const grz_status status = grz_io_load_memory("a", data, size, &options, &m, error);
    FUZZ_REQUIRE((status == GRZ_OK) == (m != NULL));
    if (m != NULL)
        return m;
    FUZZ_REQUIRE(status == GRZ_ERROR_FORMAT || status == GRZ_ERROR_MEMORY);
    FUZZ_REQUIRE(strncmp(error->message, "a: ", 3) == 0 && error->message[3] != '\0');
    for (const char *p = error->message; *p != '\0'; p++)
        FUZZ_REQUIRE((unsigned char)*p >= ' ' && *p != 0x7f);
    return NULL;
}

static void require_parts(const grz_io_model *m)
{
    uint64_t faces = 0, corners = 0;
    FUZZ_REQUIRE(m->face_count > 0 && (m->corner_counts != NULL || m->index_count == 3 * m->face_count));
    FUZZ_REQUIRE(m->part_count > 0 && m->instance_count == 0 && m->mesh_count == 0);
    for (uint64_t i = 0; i < m->index_count; i++)
        FUZZ_REQUIRE(m->indices[i] < m->vertex_count);
    for (size_t i = 0; i < m->part_count; i++) {
        const grz_io_part *part = &m->parts[i];
        FUZZ_REQUIRE(part->first_face == faces && part->face_count > 0 && part->first_index == corners);
        FUZZ_REQUIRE(strlen(part->name) <= 1000);
        for (uint64_t f = 0; f < part->face_count; f++) {
            const uint32_t n = m->corner_counts != NULL ? m->corner_counts[faces + f] : 3;
            FUZZ_REQUIRE(n >= 3);
            corners += n;
        }
        faces += part->face_count;
        FUZZ_REQUIRE(part->first_index + part->index_count == corners);
    }
    FUZZ_REQUIRE(faces == m->face_count && corners == m->index_count);
}

static bool is_identity(const double m[3][4])
{
    for (int i = 0; i < 12; i++)
        if (!(m[i / 4][i % 4] >= (i % 5 == 0) && m[i / 4][i % 4] <= (i % 5 == 0)))
            return false;
    return true;
}

// The same bits, or both not a number.
static bool same(double x, double y)
{
    return memcmp(&x, &y, sizeof x) == 0 || (x != x && y != y);
}

static void require_placed(const double m[3][4], const double *from, const double *to)
{
    const bool stays = is_identity(m);
    for (int k = 0; k < 3; k++) {
        const double placed = m[k][0] * from[0] + m[k][1] * from[1] + m[k][2] * from[2] + m[k][3];
        FUZZ_REQUIRE(same(to[k], stays ? from[k] : placed));
    }
}

// The instances, one after the other, are the parts.
static void require_same(const grz_io_model *parts, const grz_io_model *shared)
{
    uint64_t vertex = 0;
    FUZZ_REQUIRE(shared->part_count == 0 && shared->instance_count == parts->part_count);
    for (size_t i = 0; i < parts->part_count; i++) {
        const grz_io_part *part = &parts->parts[i];
        const grz_io_instance *instance = &shared->instances[i];
        FUZZ_REQUIRE(instance->mesh < shared->mesh_count && strcmp(instance->name, part->name) == 0);
        const grz_io_mesh *mesh = &shared->meshes[instance->mesh];
        FUZZ_REQUIRE(mesh->face_count == part->face_count && vertex + mesh->vertex_count <= parts->vertex_count);
        for (uint64_t k = 0; k < mesh->index_count; k++) {
            const uint32_t corner = shared->indices[mesh->first_index + k];
            FUZZ_REQUIRE(corner < mesh->vertex_count && parts->indices[part->first_index + k] == vertex + corner);
        }
        for (uint64_t v = 0; v < mesh->vertex_count; v++)
            require_placed((const double(*)[4])instance->matrix, shared->positions + 3 * (mesh->first_vertex + v),
                           parts->positions + 3 * (vertex + v));
        vertex += mesh->vertex_count;
    }
    FUZZ_REQUIRE(vertex == parts->vertex_count);
}

void fuzz_scene_file(const char *format, const uint8_t *data, size_t size)
{
    grz_error error, other;
    grz_io_model *parts = read_file(format, data, size, false, &error),
                 *shared = read_file(format, data, size, true, &other);
    if (parts != NULL)
        require_parts(parts);
    if (parts != NULL && shared != NULL)
        require_same(parts, shared);
    // What is shared takes less memory, so that it may be read where the parts are too large.
    FUZZ_REQUIRE(parts == NULL || shared != NULL || other.code == GRZ_ERROR_MEMORY);
    if (parts == NULL && shared == NULL && error.code == other.code)
        FUZZ_REQUIRE(strcmp(error.message, other.message) == 0);
    grz_io_model_destroy(parts);
    grz_io_model_destroy(shared);
}
