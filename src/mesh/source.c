// SPDX-License-Identifier: MIT
// The copy in memory of a mesh whose data is elsewhere: one of its slots, read when it is first needed, again when positions changed.
#include "mesh/source.h"

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

grz_status grz_mesh_here(const grz_mesh *mesh, grz_control *control, const grz_mesh **here, grz_error *error)
{
    static const grz_slot_type type = {read_copy, release_copy};
    void *state = NULL;
    *here = mesh;
    if (mesh->source == NULL)
        return GRZ_OK;
    const grz_status status = grz_mesh_slot_get(mesh, GRZ_SLOT_COPY, &type, control, &state, error);
    *here = state;
    return status;
}
