// SPDX-License-Identifier: MIT
// Looks into the buffers that the last round left on the GPU, and sets a limit of rounds: for tests and measurements.
#include "base/fail.h"
#include "image/grid/buffers.h"

// Enter the device and get its buffers. On failure the device is left again.
static grz_status enter(grz_device *device, grz_gl **gl, grz_grid_buffers **buffers, grz_error *error)
{
    const grz_status status = grz_gl_enter(device, "voxels", gl, error);
    if (status != GRZ_OK)
        return status;
    *buffers = grz_grid_buffers_get(*gl, "voxels", error);
    return *buffers != NULL ? GRZ_OK : grz_gl_leave(*gl, GRZ_ERROR_MEMORY, error);
}

grz_status grz_grid_read_cells(grz_device *device, uint32_t resolution, grz_grid_cells kind, uint32_t *cells,
                               grz_error *error)
{
    grz_gl *gl;
    grz_grid_buffers *buffers;
    grz_status status = enter(device, &gl, &buffers, error);
    if (status != GRZ_OK)
        return status;
    const uint64_t bytes = grz_grid_cell_words(kind) * sizeof *cells * (uint64_t)resolution * resolution;
    if (buffers->cells.size < bytes)
        status = grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "voxels: there are no such cells");
    else
        glGetNamedBufferSubData(buffers->cells.name, 0, (GLsizeiptr)bytes, cells);
    return grz_gl_leave(gl, status, error);
}

static grz_status read_fragments(const grz_grid_buffers *b, uint32_t resolution, uint32_t *heads,
                                 grz_grid_fragment *fragments, uint32_t count, grz_error *error)
{
    const uint64_t head_bytes = sizeof *heads * (uint64_t)resolution * resolution * GRZ_VOXEL_SLICES;
    if (b->heads.size < head_bytes || b->fragments.size < 16 * (uint64_t)count)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "layers: there are no such fragments");
    glGetNamedBufferSubData(b->heads.name, 0, (GLsizeiptr)head_bytes, heads);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node[4], record[2];
        glGetNamedBufferSubData(b->fragments.name, (GLintptr)(sizeof node * i), sizeof node, node);
        glGetNamedBufferSubData(b->records.name,
                                (GLintptr)((uint64_t)16 * GRZ_RECORD_VECTORS * (node[1] & GRZ_LAYER_RECORD)),
                                sizeof record, record);
        fragments[i] =
            (grz_grid_fragment){.next = node[0], .triangle = record[0], .low = node[2] & 0xffff, .high = node[2] >> 16};
    }
    return GRZ_OK;
}

grz_status grz_grid_read_fragments(grz_device *device, uint32_t resolution, uint32_t *heads,
                                   grz_grid_fragment *fragments, uint32_t count, grz_error *error)
{
    grz_gl *gl;
    grz_grid_buffers *buffers;
    grz_status status = enter(device, &gl, &buffers, error);
    if (status != GRZ_OK)
        return status;
    status = read_fragments(buffers, resolution, heads, fragments, count, error);
    return grz_gl_leave(gl, status, error);
}

grz_status grz_grid_limit_pairs(grz_device *device, uint32_t pairs, grz_error *error)
{
    grz_gl *gl;
    grz_grid_buffers *buffers;
    const grz_status status = enter(device, &gl, &buffers, error);
    if (status != GRZ_OK)
        return status;
    buffers->pair_limit = pairs < GRZ_GRID_MOST_EACH ? pairs : GRZ_GRID_MOST_EACH;
    return grz_gl_leave(gl, status, error);
}
