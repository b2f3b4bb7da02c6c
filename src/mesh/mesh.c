// SPDX-License-Identifier: MIT
// A mesh's life after creation: new positions, the slots where methods keep what they derive, and its end.
#include "mesh/mesh.h"

#include <assert.h>

#include "base/device.h"
#include "base/fail.h"
#include "base/fp_guard.h"
#include "mesh/positions.h"

void grz_mesh_destroy(grz_mesh *mesh)
{
    if (mesh == NULL)
        return;
    for (int i = 0; i < GRZ_SLOT_COUNT; i++) {
        grz_slot_entry *entry = &mesh->slots[i];
        if (entry->type != NULL && entry->state != NULL)
            entry->type->release(mesh->device, entry->state);
        if (entry->has_lock)
            pthread_mutex_destroy(&entry->lock);
    }
    const grz_allocator *allocator = mesh->allocator;
    grz_release(allocator, mesh->positions, (size_t)mesh->vertex_count * 3, sizeof *mesh->positions);
    grz_release(allocator, mesh->triangles, (size_t)mesh->triangle_count * 3, sizeof *mesh->triangles);
    grz_release(allocator, mesh->triangle_faces, mesh->triangle_count, sizeof *mesh->triangle_faces);
    grz_release(allocator, mesh->corners, mesh->corner_total, sizeof *mesh->corners);
    grz_release(allocator, mesh->face_offsets, (size_t)mesh->face_count + 1, sizeof *mesh->face_offsets);
    grz_release(allocator, mesh->identity, mesh->vertex_count, sizeof *mesh->identity);
    grz_release(allocator, mesh->used, (size_t)mesh->vertex_count / 64 + 1, sizeof *mesh->used);
    grz_release(allocator, mesh, 1, sizeof *mesh);
}

grz_status grz_mesh_set_positions(grz_mesh *mesh, const void *positions, grz_error *error)
{
    if (mesh == NULL || positions == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "set positions: %s is NULL",
                        mesh == NULL ? "mesh" : "positions");
    grz_fp_state state = grz_fp_enter();
    grz_status status = grz_positions_validate(positions, mesh->position_type, mesh->position_stride, mesh->vertex_count, error);
    if (status == GRZ_OK) {
        grz_positions_store(mesh, positions);
        mesh->version++;
    }
    grz_fp_leave(state);
    return status;
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

grz_status grz_mesh_slot_get(const grz_mesh *mesh, grz_slot slot, const grz_slot_type *type, void **state, grz_error *error)
{
    // What is derived from a mesh is no part of its value: a const mesh may gain it, under the slot's lock.
    grz_slot_entry *entry = &((grz_mesh *)mesh)->slots[slot];
    grz_status status = GRZ_OK;
    *state = NULL;
    pthread_mutex_lock(&entry->lock);
    assert(entry->type == NULL || entry->type == type);
    if (entry->version != mesh->version) {
        status = type->prepare(mesh->device, mesh, &entry->state, error);
        entry->type = entry->state != NULL ? type : NULL;
        entry->version = status == GRZ_OK ? mesh->version : 0;
    }
    if (status == GRZ_OK)
        *state = entry->state;
    pthread_mutex_unlock(&entry->lock);
    return status;
}
