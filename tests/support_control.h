// SPDX-License-Identifier: MIT
// What tests that look inside a mesh need: its derived state, asked for under a control without limits.
#ifndef GRZ_TESTS_SUPPORT_CONTROL_H
#define GRZ_TESTS_SUPPORT_CONTROL_H

#include "mesh/topology.h"
#include "space/bvh_slabs.h"

static inline const grz_allocator *test_allocator_of(const grz_mesh *mesh)
{
    return mesh != NULL ? mesh->allocator : NULL;
}

static inline grz_status test_mesh_slot(const grz_mesh *mesh, grz_slot slot, const grz_slot_type *type, void **state)
{
    grz_control control;
    grz_control_init(&control, test_allocator_of(mesh), 0.0);
    return grz_mesh_slot_get(mesh, slot, type, &control, state, NULL);
}

static inline grz_status test_mesh_topology(const grz_mesh *mesh, const grz_topology **topology, grz_error *error)
{
    grz_control control;
    grz_control_init(&control, test_allocator_of(mesh), 0.0);
    return grz_mesh_topology(mesh, &control, topology, error);
}

static inline grz_status test_mesh_bvh(const grz_mesh *mesh, const grz_bvh **bvh)
{
    grz_control control;
    grz_control_init(&control, test_allocator_of(mesh), 0.0);
    return grz_mesh_bvh(mesh, &control, bvh, NULL);
}

// Let the next query of two meshes make this one's slabs, as if it had been walked long enough.
static inline void test_want_slabs(const grz_mesh *mesh)
{
    const grz_bvh *bvh;
    if (test_mesh_bvh(mesh, &bvh) == GRZ_OK)
        grz_bvh_count_openings(bvh, UINT32_MAX);
}

#endif
