// SPDX-License-Identifier: MIT
// The copy in main memory of a mesh whose data is elsewhere. The copy is kept in one of the mesh's slots. It is read
// when it is first needed, and again after the positions have changed.
#include "mesh/source.h"

#include <assert.h>

static grz_status read_copy(const grz_mesh *mesh, grz_control *control, void **state, grz_error *error)
{
    grz_mesh *copy = *state;
    const grz_status status = mesh->source->read(mesh, control, &copy, error);
    *state = copy;
    return status;
}

static void release_copy(const grz_mesh *mesh, void *state)
{
    (void)mesh;
    grz_mesh_destroy(state);
}

const grz_slot_type grz_mesh_copy_slot_type = {read_copy, release_copy};

grz_status grz_mesh_in_memory(const grz_mesh *mesh, grz_control *control, const grz_mesh **in_memory, grz_error *error)
{
    void *state = NULL;
    *in_memory = mesh;
    if (mesh->source == NULL)
        return GRZ_OK;
    const grz_status status = grz_mesh_slot_get(mesh, &grz_mesh_copy_slot_type, control, &state, error);
    assert(status != GRZ_OK || state != NULL);
    *in_memory = state;
    return status;
}
