// SPDX-License-Identifier: MIT
// Union-find over vertex positions, joining the corners of each face (R. E. Tarjan and J. van Leeuwen, Worst-case analysis of set
// union algorithms, 1984: path halving). The lower root wins, so that parents lie below their children and one ascending pass turns
// roots into numbers in place.
#include "mesh/components.h"

enum {
    LOOK_BITS = 13 // corners or vertices between two looks at the control, as a power of two
};

static uint32_t root_of(uint32_t *parents, uint32_t v)
{
    while (parents[v] != v)
        v = parents[v] = parents[parents[v]];
    return v;
}

static bool join_faces(const grz_mesh *mesh, const uint32_t *lowest, grz_control *control, uint32_t *parents)
{
    size_t steps = 0;
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        uint32_t count;
        const uint32_t *corners = grz_mesh_face_corners(mesh, face, &count);
        uint32_t root = UINT32_MAX;
        for (uint32_t i = 0; i < count; i++) {
            if (grz_control_expired_at(control, ++steps, LOOK_BITS))
                return false;
            uint32_t v = lowest[corners[i]];
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

bool grz_components_find(const grz_mesh *mesh, const uint32_t *lowest, grz_control *control, uint32_t *component, uint32_t *count)
{
    *count = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        component[v] = UINT32_MAX;
    if (!join_faces(mesh, lowest, control, component))
        return false;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        if (grz_control_expired_at(control, v, LOOK_BITS))
            return false;
        if (lowest[v] != v)
            component[v] = component[lowest[v]];
        else if (component[v] == v)
            component[v] = (*count)++;
        else if (component[v] != UINT32_MAX)
            component[v] = component[component[v]];
    }
    return true;
}
