// SPDX-License-Identifier: MIT
// The library finds the shells and cuts them out.
#include "assembly/split.h"

#include <stdio.h>
#include <stdlib.h>

static bool fail_memory(grz_error *error)
{
    snprintf(error->message, sizeof error->message, "out of memory");
    return false;
}

static bool keep(scene_objects *to, grz_mesh *mesh, split_mesh *out, grz_error *error)
{
    out->meshes[out->count++] = mesh;
    return scene_objects_add_mesh(to, mesh) || fail_memory(error);
}

// Cut out every part.
static bool cut(scene_objects *to, const grz_mesh *mesh, grz_mesh_shells *shells, split_mesh *out, grz_error *error)
{
    const uint32_t count = grz_mesh_shells_part_count(shells);
    bool done = true;

    for (uint32_t i = 0; i < count && done; i++) {
        grz_mesh *part;
        done = grz_mesh_shells_cut(shells, mesh, i, &part, error) == GRZ_OK && keep(to, part, out, error);
    }
    return done;
}

bool split_add(scene_objects *to, grz_mesh *mesh, bool splits, split_mesh *out, grz_error *error)
{
    grz_mesh_shells *shells = NULL;

    *out = (split_mesh){.count = 0};
    bool done = !splits || grz_mesh_shells_find(mesh, NULL, &shells, error) == GRZ_OK;
    const uint32_t count = done && splits ? grz_mesh_shells_part_count(shells) : 1;
    if (done) {
        out->meshes = calloc(count, sizeof(grz_mesh *));
        done = out->meshes != NULL || fail_memory(error);
    }
    if (done && count > 1)
        done = cut(to, mesh, shells, out, error);
    grz_mesh_shells_destroy(shells);
    if (done && count == 1)
        return keep(to, mesh, out, error);
    grz_mesh_destroy(mesh);
    return done;
}

void split_finish(split_mesh *split)
{
    free(split->meshes);
    *split = (split_mesh){.count = 0};
}

bool split_count(const grz_mesh *mesh, uint32_t *count, grz_error *error)
{
    grz_mesh_shells *shells;
    if (grz_mesh_shells_find(mesh, NULL, &shells, error) != GRZ_OK)
        return false;
    *count = grz_mesh_shells_part_count(shells);
    grz_mesh_shells_destroy(shells);
    return true;
}
