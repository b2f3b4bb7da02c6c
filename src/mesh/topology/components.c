// SPDX-License-Identifier: MIT
// Connected components by union-find over vertex positions: the corners of each face are joined. Path halving follows
// R. E. Tarjan and J. van Leeuwen, "Worst-case analysis of set union algorithms" (1984).
// Of two roots the lower one becomes the parent. A parent is therefore never above its child, and a single ascending
// pass can replace the roots by component numbers in place.
#include "mesh/topology/components.h"

#include "base/control.h"

#include <assert.h>

enum {
    CHECK_BITS = 13 // check the control once in 2^13 corners or vertices
};

// The root of v's set; halves the path on the way.
static uint32_t root_of(uint32_t *parents, uint32_t v)
{
    assert(parents[v] <= v);
    while (parents[v] != v)
        v = parents[v] = parents[parents[v]];
    return v;
}

// Join the corners of every face. False if the control says to end.
static bool join_faces(const grz_mesh *mesh, const uint32_t *lowest, grz_control *control, uint32_t *parents)
{
    size_t steps = 0;
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        uint32_t count;
        const uint32_t *corners = grz_mesh_face_corners(mesh, face, &count);
        uint32_t root = UINT32_MAX;
        for (uint32_t i = 0; i < count; i++) {
            if (grz_control_expired_at(control, ++steps, CHECK_BITS))
                return false;
            uint32_t v = lowest[corners[i]];
            assert(lowest[v] == v);
            if (parents[v] == UINT32_MAX)
                parents[v] = v;
            uint32_t other = root_of(parents, v);
            if (root == UINT32_MAX || other < root) {
                if (root != UINT32_MAX)
                    parents[root] = other;
                root = other;
            } else {
                parents[other] = root;
            }
        }
    }
    return true;
}

bool grz_components_find(const grz_mesh *mesh, const uint32_t *lowest, grz_control *control, uint32_t *component,
                         uint32_t *count)
{
    *count = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        component[v] = UINT32_MAX;
    if (!join_faces(mesh, lowest, control, component))
        return false;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        if (grz_control_expired_at(control, v, CHECK_BITS))
            return false;
        if (lowest[v] != v)
            component[v] = component[lowest[v]];
        else if (component[v] == v)
            component[v] = (*count)++;
        else if (component[v] != UINT32_MAX)
            component[v] = component[component[v]]; // the root is lower, so it holds a component number already
        assert(component[v] == UINT32_MAX || component[v] < *count);
    }
    return true;
}
