// SPDX-License-Identifier: MIT
// A mesh after its creation: reference counting, new positions, destruction. mesh_create.c makes it.
#include "mesh/mesh.h"

#include <assert.h>

#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "mesh/positions.h"
#include "mesh/source.h"

void grz_mesh_retain(const grz_mesh *mesh)
{
    atomic_fetch_add(&((grz_mesh *)mesh)->references, 1);
}

void grz_mesh_destroy(grz_mesh *mesh)
{
    assert(mesh == NULL || atomic_load(&mesh->references) > 0);
    if (mesh == NULL || atomic_fetch_sub(&mesh->references, 1) > 1)
        return;
    grz_mesh_slots_finish(mesh);
    if (mesh->source != NULL)
        mesh->source->release(mesh);
    const grz_allocator *allocator = mesh->allocator;
    grz_device *device = mesh->device;
    grz_release(allocator, mesh->positions, grz_mesh_position_room(mesh), sizeof *mesh->positions);
    grz_release(allocator, mesh->triangles, (size_t)mesh->triangle_count * 3, sizeof *mesh->triangles);
    grz_release(allocator, mesh->runs, grz_mesh_run_count(mesh), sizeof *mesh->runs);
    grz_release(allocator, mesh->triangle_faces, mesh->triangle_count, sizeof *mesh->triangle_faces);
    grz_release(allocator, mesh->triangle_sides, mesh->triangle_count, sizeof *mesh->triangle_sides);
    grz_release(allocator, mesh->corners, mesh->corner_total, sizeof *mesh->corners);
    grz_release(allocator, mesh->face_offsets, (size_t)mesh->face_count + 1, sizeof *mesh->face_offsets);
    grz_release(allocator, mesh->identity, mesh->vertex_count, sizeof *mesh->identity);
    grz_release(allocator, mesh->vertex_numbers, mesh->vertex_count, sizeof *mesh->vertex_numbers);
    grz_release(allocator, mesh->used, (size_t)mesh->vertex_count / 64 + 1, sizeof *mesh->used);
    grz_release(allocator, mesh, 1, sizeof *mesh);
    grz_device_release(device);
}

grz_status grz_mesh_set_positions(grz_mesh *mesh, const void *positions, grz_error *error)
{
    if (mesh == NULL || positions == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "set positions: %s is NULL",
                        mesh == NULL ? "mesh" : "positions");
    if (mesh->source != NULL)
        return grz_fail(
            error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
            "set positions: they lie in a buffer of OpenGL; write them there and call grz_mesh_gl_changed()");
    const grz_positions given = {positions, mesh->position_type, mesh->position_stride};
    grz_box extent;
    grz_call call;
    grz_status status = grz_call_begin(&call, "set positions", mesh->device, NULL, NULL, NULL, error);
    if (status == GRZ_OK)
        status = grz_positions_validate(&given, mesh->vertex_count, grz_device_simd(mesh->device), &extent, error);
    if (status == GRZ_OK) {
        grz_positions_store(mesh, positions, &extent);
        mesh->version++;
    }
    return grz_call_end(&call, status);
}

uint64_t grz_mesh_vertex_count(const grz_mesh *mesh)
{
    return mesh != NULL ? mesh->vertex_count : 0;
}

uint64_t grz_mesh_face_count(const grz_mesh *mesh)
{
    return mesh != NULL ? mesh->face_count : 0;
}

uint64_t grz_mesh_triangle_count(const grz_mesh *mesh)
{
    return mesh != NULL ? mesh->triangle_count : 0;
}

const double *grz_mesh_positions(const grz_mesh *mesh)
{
    return mesh != NULL ? mesh->positions : NULL;
}

const uint32_t *grz_mesh_triangles(const grz_mesh *mesh)
{
    return mesh != NULL ? mesh->triangles : NULL;
}

const uint32_t *grz_mesh_triangle_faces(const grz_mesh *mesh)
{
    return mesh != NULL ? mesh->triangle_faces : NULL;
}

const uint32_t *grz_mesh_face(const grz_mesh *mesh, uint64_t face, uint32_t *count)
{
    const uint32_t *corners = NULL;
    uint32_t found = 0;
    if (mesh != NULL && mesh->triangles != NULL && face < mesh->face_count)
        corners = grz_mesh_face_corners(mesh, (uint32_t)face, &found);
    if (count != NULL)
        *count = found;
    return corners;
}
