// SPDX-License-Identifier: MIT
// The promises of <graze/io.h> about models with parts, and about the same file read with shared meshes.
#include "support_fuzz_scenes.h"

#include "fuzz_input.h"

void fuzz_require_parts(const grz_io_model *m)
{
    uint64_t faces = 0;
    FUZZ_REQUIRE(m->face_count > 0 && m->corner_counts == NULL && m->index_count == 3 * m->face_count);
    FUZZ_REQUIRE(m->part_count > 0 && m->instance_count == 0 && m->mesh_count == 0);
    for (uint64_t i = 0; i < m->index_count; i++)
        FUZZ_REQUIRE(m->indices[i] < m->vertex_count);
    for (size_t i = 0; i < m->part_count; i++) {
        const grz_io_part *part = &m->parts[i];
        FUZZ_REQUIRE(part->first_face == faces && part->face_count > 0 && part->first_index == 3 * faces);
        FUZZ_REQUIRE(part->index_count == 3 * part->face_count && strlen(part->name) <= 1000);
        faces += part->face_count;
    }
    FUZZ_REQUIRE(faces == m->face_count);
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

void fuzz_require_same(const grz_io_model *parts, const grz_io_model *shared)
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
