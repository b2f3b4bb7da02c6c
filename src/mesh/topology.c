// SPDX-License-Identifier: MIT
// Components, closedness and balance of the present positions, made from mesh/weld.h, mesh/components.h and mesh/stars.h. They are
// decided on the edges of faces: a diagonal of a face's triangulation lies on two of its triangles, once each way, so triangles
// tell the same. What was found is kept over new positions where it is sure to hold (docs/numbers.md, containment).
#include "mesh/topology.h"

#include <string.h>

#include "base/fail.h"
#include "mesh/components.h"
#include "mesh/stars.h"
#include "mesh/weld.h"

enum {
    LOOK_BITS = 14 // vertices or triangles between two looks at the control, as a power of two
};

typedef struct topology_state {
    grz_topology shown; // first, so that a pointer to it is one to the state
    uint32_t *lowest;   // vertex_count: which vertices were taken as one; NULL where no two were
} topology_state;

static void release(const grz_mesh *mesh, void *state)
{
    topology_state *t = state;
    if (t == NULL)
        return;
    grz_release(mesh->allocator, t->shown.component_vertex, t->shown.component_count, sizeof *t->shown.component_vertex);
    grz_release(mesh->allocator, t->shown.triangle_component, mesh->triangle_count, sizeof *t->shown.triangle_component);
    grz_release(mesh->allocator, t->lowest, mesh->vertex_count, sizeof *t->lowest);
    grz_release(mesh->allocator, t, 1, sizeof *t);
}

// Fill t->shown from the components of the vertices.
static grz_status describe_components(const grz_mesh *mesh, const uint32_t *component, uint32_t count, grz_control *control,
                                      topology_state *t)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    grz_topology *shown = &t->shown;
    shown->component_count = count;
    shown->component_vertex = grz_allocate(allocator, count, sizeof *shown->component_vertex);
    shown->triangle_component = grz_allocate(allocator, mesh->triangle_count, sizeof *shown->triangle_component);
    if (shown->component_vertex == NULL || shown->triangle_component == NULL)
        return GRZ_ERROR_MEMORY;
    for (uint32_t v = mesh->vertex_count; v-- > 0;) {
        if (grz_control_expired_at(control, v, LOOK_BITS))
            return grz_control_status(control);
        if (grz_mesh_uses(mesh, v))
            shown->component_vertex[component[v]] = v;
    }
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        if (grz_control_expired_at(control, i, LOOK_BITS))
            return grz_control_status(control);
        shown->triangle_component[i] = component[mesh->triangles[3 * (size_t)i]];
    }
    return GRZ_OK;
}

// Everything that follows from which vertices are one. `component`: room for vertex_count numbers.
static grz_status examine(const grz_mesh *mesh, const uint32_t *lowest, grz_control *control, uint32_t *component,
                          topology_state *t)
{
    uint32_t count;
    grz_edge_census census;
    grz_status status = grz_stars_examine(mesh, lowest, control, &census);
    if (status != GRZ_OK)
        return status;
    t->shown.closed = census.odd == 0;
    t->shown.balanced = census.balanced;
    if (!grz_components_find(mesh, lowest, control, component, &count))
        return grz_control_status(control);
    return describe_components(mesh, component, count, control, t);
}

// Whether what was found before holds for the present positions: a balanced mesh stays balanced, and its components stay whole, as
// long as no vertices that were one have been torn apart. GRZ_OK, or what the control says.
static grz_status stays_balanced(const grz_mesh *mesh, const topology_state *t, grz_control *control, bool *stays)
{
    *stays = t->shown.balanced;
    if (!*stays || t->lowest == NULL)
        return GRZ_OK;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        if (grz_control_expired_at(control, v, LOOK_BITS))
            return grz_control_status(control);
        const double *p = grz_mesh_position(mesh, v), *q = grz_mesh_position(mesh, t->lowest[v]);
        if (p[0] != q[0] || p[1] != q[1] || p[2] != q[2]) {
            *stays = false;
            return GRZ_OK;
        }
    }
    return GRZ_OK;
}

static bool same_welding(const grz_mesh *mesh, const topology_state *t, const uint32_t *lowest, uint32_t duplicates)
{
    if (t->lowest == NULL)
        return duplicates == 0;
    return memcmp(t->lowest, lowest, mesh->vertex_count * sizeof *lowest) == 0;
}

// Weld; where that is as before, keep *state, else put a new one in its place. On failure *state is NULL or as it was.
static grz_status weld_and_examine(const grz_mesh *mesh, grz_control *control, topology_state **state)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    topology_state *made = NULL;
    uint32_t duplicates = 0, *component = NULL, *lowest = grz_allocate(allocator, mesh->vertex_count, sizeof *lowest);
    grz_status status = lowest != NULL ? grz_weld_present(mesh, control, lowest, &duplicates) : GRZ_ERROR_MEMORY;
    if (status != GRZ_OK || (*state != NULL && same_welding(mesh, *state, lowest, duplicates)))
        goto end;
    release(mesh, *state);
    *state = NULL;
    status = GRZ_ERROR_MEMORY;
    component = grz_allocate(allocator, mesh->vertex_count, sizeof *component);
    made = grz_allocate_zeroed(allocator, 1, sizeof *made);
    if (component == NULL || made == NULL)
        goto end;
    status = examine(mesh, lowest, control, component, made);
    if (status != GRZ_OK)
        goto end;
    if (duplicates > 0) {
        made->lowest = lowest;
        lowest = NULL;
    }
    *state = made;
    made = NULL;
end:
    release(mesh, made);
    grz_release(allocator, lowest, mesh->vertex_count, sizeof *lowest);
    grz_release(allocator, component, mesh->vertex_count, sizeof *component);
    return status;
}

static grz_status prepare(const grz_mesh *mesh, grz_control *control, void **state, grz_error *error)
{
    topology_state *t = *state;
    bool stays = false;
    grz_status status = grz_control_expired(control) ? grz_control_status(control) : GRZ_OK;
    if (status == GRZ_OK && t != NULL)
        status = stays_balanced(mesh, t, control, &stays);
    if (status == GRZ_OK && !stays)
        status = weld_and_examine(mesh, control, &t);
    *state = t;
    return status == GRZ_OK ? GRZ_OK : grz_control_explain(control, status, "topology", error);
}

grz_status grz_mesh_topology(const grz_mesh *mesh, grz_control *control, const grz_topology **topology, grz_error *error)
{
    static const grz_slot_type type = {prepare, release};
    void *state;
    grz_status status = grz_mesh_slot_get(mesh, GRZ_SLOT_TOPOLOGY, &type, control, &state, error);
    *topology = status == GRZ_OK ? &((topology_state *)state)->shown : NULL;
    return status;
}
