// SPDX-License-Identifier: MIT
// Shells in a slot of the mesh.
#include "mesh/shells/kept_shells.h"

#include <assert.h>

#include "base/control.h"
#include "mesh/shells/shell_groups.h"
#include "mesh/shells/shells_join.h"

static void release(const grz_mesh *mesh, void *state)
{
    grz_kept_shells *shells = state;
    if (shells == NULL)
        return;
    grz_release(mesh->allocator, shells->of_triangles, mesh->triangle_count, sizeof *shells->of_triangles);
    grz_release(mesh->allocator, shells->starts, (size_t)shells->count + 1, sizeof *shells->starts);
    grz_release(mesh->allocator, shells->triangles, mesh->triangle_count, sizeof *shells->triangles);
    grz_release(mesh->allocator, shells, 1, sizeof *shells);
}

// Copy what is kept of the shells of all faces.
static grz_status keep(const grz_shell_groups *groups, grz_control *control, grz_kept_shells *shells)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const grz_mesh *mesh = groups->mesh;
    shells->count = groups->count;
    shells->of_triangles = grz_allocate(allocator, mesh->triangle_count, sizeof *shells->of_triangles);
    shells->starts = grz_allocate(allocator, (size_t)shells->count + 1, sizeof *shells->starts);
    shells->triangles = grz_allocate(allocator, mesh->triangle_count, sizeof *shells->triangles);
    if (shells->of_triangles == NULL || shells->starts == NULL || shells->triangles == NULL)
        return GRZ_ERROR_MEMORY;
    shells->closed = true;
    for (uint32_t s = 0; s < shells->count; s++)
        shells->closed = shells->closed && groups->closed[s];
    for (uint32_t s = 0; s <= shells->count; s++)
        shells->starts[s] = (uint32_t)groups->starts[s];
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        shells->of_triangles[t] = groups->of_faces[grz_mesh_triangle_face(mesh, t)];
        shells->triangles[t] = groups->triangles[t];
    }
    return GRZ_OK;
}

static grz_status find(const grz_mesh *mesh, grz_control *control, grz_kept_shells *shells)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    grz_shell_edges edges;
    grz_shell_groups groups = {.count = 0};
    uint32_t count = 0, *of_faces = grz_allocate(allocator, mesh->face_count, sizeof *of_faces);
    grz_status status = grz_shell_edges_init(&edges, mesh, control);
    if (status == GRZ_OK)
        status = of_faces != NULL ? grz_shells_join(&edges, control, of_faces, &count) : GRZ_ERROR_MEMORY;
    if (status == GRZ_OK) {
        status = grz_shell_groups_init(&groups, &edges, of_faces, count, control);
        if (status == GRZ_OK)
            status = keep(&groups, control, shells);
        grz_shell_groups_finish(allocator, &groups);
    }
    grz_shell_edges_finish(allocator, &edges);
    grz_release(allocator, of_faces, mesh->face_count, sizeof *of_faces);
    return status;
}

static grz_status prepare(const grz_mesh *mesh, grz_control *control, void **state, grz_error *error)
{
    release(mesh, *state);
    *state = NULL;
    grz_kept_shells *shells = grz_allocate_zeroed(grz_control_allocator(control), 1, sizeof *shells);
    const grz_status status = shells != NULL ? find(mesh, control, shells) : GRZ_ERROR_MEMORY;
    if (status == GRZ_OK)
        *state = shells;
    else
        release(mesh, shells);
    return status == GRZ_OK ? GRZ_OK : grz_control_explain(control, status, "shells", error);
}

static const grz_slot_type slot_type = {prepare, release};

grz_status grz_mesh_kept_shells(const grz_mesh *mesh, grz_control *control, const grz_kept_shells **shells,
                                grz_error *error)
{
    void *state;
    assert(mesh->triangle_count <= INT32_MAX);
    const grz_status status = grz_mesh_slot_get(mesh, &slot_type, control, &state, error);
    *shells = state;
    return status;
}

uint32_t grz_kept_shells_place(const grz_kept_shells *shells, uint32_t triangle)
{
    const uint32_t shell = shells->of_triangles[triangle];
    uint32_t first = shells->starts[shell], last = shells->starts[shell + 1];
    while (last - first > 1) {
        const uint32_t middle = first + (last - first) / 2;
        if (shells->triangles[middle] <= triangle)
            first = middle;
        else
            last = middle;
    }
    assert(shells->triangles[first] == triangle);
    return first - shells->starts[shell];
}
