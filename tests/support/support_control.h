// SPDX-License-Identifier: MIT
// Access to the data derived from a mesh (slots, topology, BVH) for tests, under a control without limits.
#ifndef GRZ_TESTS_SUPPORT_CONTROL_H
#define GRZ_TESTS_SUPPORT_CONTROL_H

#include "base/control.h"
#include "mesh/topology/topology.h"
#include "space/bvh/slabs.h"

static inline const grz_allocator *test_allocator_of(const grz_mesh *mesh)
{
    return mesh != NULL ? mesh->allocator : NULL;
}

static inline grz_status test_mesh_slot(const grz_mesh *mesh, const grz_slot_type *type, void **state)
{
    grz_control control;
    grz_control_init(&control, test_allocator_of(mesh), NULL);
    return grz_mesh_slot_get(mesh, type, &control, state, NULL);
}

static inline grz_status test_mesh_topology(const grz_mesh *mesh, const grz_topology **topology, grz_error *error)
{
    grz_control control;
    grz_control_init(&control, test_allocator_of(mesh), NULL);
    return grz_mesh_topology(mesh, &control, topology, error);
}

static inline grz_status test_mesh_bvh(const grz_mesh *mesh, const grz_bvh **bvh)
{
    grz_control control;
    grz_control_init(&control, test_allocator_of(mesh), NULL);
    return grz_mesh_bvh(mesh, &control, bvh, NULL);
}

// Make the next query of two meshes build this mesh's slabs, as if its BVH had been traversed often enough.
static inline void test_want_slabs(const grz_mesh *mesh)
{
    const grz_bvh *bvh;
    if (test_mesh_bvh(mesh, &bvh) == GRZ_OK)
        grz_bvh_count_openings(bvh, UINT32_MAX);
}

#endif
