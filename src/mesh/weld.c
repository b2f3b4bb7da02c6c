// SPDX-License-Identifier: MIT
// Welds vertices by position: one pass in ascending order, with a hash set keyed by the bits of the coordinates. The
// first vertex found at a position is therefore the lowest one there, independent of the hash function.
#include "mesh/weld.h"

#include <assert.h>
#include <string.h>

#include "base/control.h"
#include "mesh/clear_memory.h"
#include "mesh/index_table.h"

static uint64_t hash_position(const double *p)
{
    uint64_t h = 0;
    for (int axis = 0; axis < 3; axis++) {
        double x = p[axis] + 0.0; // adding 0 turns -0 into +0
        uint64_t bits;
        memcpy(&bits, &x, sizeof bits);
        // Coordinates such as 0.5 have zeros in all low bits. Copy the high half into the low half first, because
        // multiplication carries bits upwards only.
        h = (h + (bits ^ bits >> 32)) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 32;
    }
    return grz_mix(h);
}

static bool same_position(uint32_t a, uint32_t b, const void *context)
{
    const double *p = (const double *)context + (size_t)a * 3, *q = (const double *)context + (size_t)b * 3;
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

enum {
    CHECK_BITS = 13 // check the control once in 2^13 vertices
};

grz_status grz_weld(const double *positions, uint32_t vertex_count, grz_control *control, uint32_t *lowest,
                    uint32_t *duplicates)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    grz_index_table table;
    grz_status status = GRZ_OK;
    *duplicates = 0;
    if (!grz_index_table_reserve(allocator, &table, vertex_count))
        return GRZ_ERROR_MEMORY;
    if (!grz_clear_memory(table.slots, table.slot_count * sizeof *table.slots, control))
        status = grz_control_status(control);
    for (uint32_t start = 0, count; start < vertex_count && status == GRZ_OK; start += count) {
        uint64_t hashes[GRZ_INDEX_BATCH];
        count = vertex_count - start < GRZ_INDEX_BATCH ? vertex_count - start : GRZ_INDEX_BATCH;
        if (grz_control_expired_at(control, start, CHECK_BITS)) {
            status = grz_control_status(control);
            break;
        }
        for (uint32_t i = 0; i < count; i++) {
            hashes[i] = hash_position(positions + (size_t)(start + i) * 3);
            grz_index_table_fetch(&table, hashes[i]);
        }
        for (uint32_t i = 0; i < count; i++) {
            lowest[start + i] = grz_index_table_insert(&table, hashes[i], start + i, same_position, positions);
            assert(lowest[start + i] <= start + i);
            *duplicates += lowest[start + i] != start + i;
        }
    }
    grz_index_table_finish(allocator, &table);
    return status;
}

grz_status grz_weld_current(const grz_mesh *mesh, grz_control *control, uint32_t *lowest, uint32_t *duplicates)
{
    if (mesh->version > 1 || (mesh->flags & GRZ_MESH_INDEX_ONLY) != 0)
        return grz_weld(mesh->positions, mesh->vertex_count, control, lowest, duplicates);
    *duplicates = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        lowest[v] = grz_mesh_identity(mesh, v);
        *duplicates += lowest[v] != v;
    }
    return GRZ_OK;
}
