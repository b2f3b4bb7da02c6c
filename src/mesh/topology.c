// SPDX-License-Identifier: MIT
// Components and closedness of the present positions, made from mesh/weld.h, mesh/components.h and mesh/stars.h. Closed is decided
// on the edges of faces: a diagonal of a face's triangulation lies on two of its triangles, so triangles tell the same.
#include "mesh/topology.h"

#include "base/device.h"
#include "base/fail.h"
#include "mesh/components.h"
#include "mesh/stars.h"
#include "mesh/weld.h"

typedef struct topology_state {
    grz_topology shown;             // first, so that a pointer to it is one to the state
    const grz_allocator *allocator; // while it is made
} topology_state;

static void release(const grz_mesh *mesh, void *state)
{
    topology_state *t = state;
    if (t == NULL)
        return;
    grz_release(mesh->allocator, t->shown.component_vertex, t->shown.component_count, sizeof *t->shown.component_vertex);
    grz_release(mesh->allocator, t->shown.triangle_component, mesh->triangle_count, sizeof *t->shown.triangle_component);
    grz_release(mesh->allocator, t, 1, sizeof *t);
}

// Fill t->shown from the components of the vertices. False where memory is short.
static bool describe_components(const grz_mesh *mesh, const uint32_t *component, uint32_t count, topology_state *t)
{
    grz_topology *shown = &t->shown;
    shown->component_count = count;
    shown->component_vertex = grz_allocate(t->allocator, count, sizeof *shown->component_vertex);
    shown->triangle_component = grz_allocate(t->allocator, mesh->triangle_count, sizeof *shown->triangle_component);
    if (shown->component_vertex == NULL || shown->triangle_component == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        shown->component_vertex[i] = UINT32_MAX;
    for (uint32_t v = mesh->vertex_count; v-- > 0;)
        if (grz_mesh_uses(mesh, v))
            shown->component_vertex[component[v]] = v;
    for (uint32_t i = 0; i < mesh->triangle_count; i++)
        shown->triangle_component[i] = component[mesh->triangles[3 * (size_t)i]];
    return true;
}

static bool build(const grz_mesh *mesh, topology_state *t, uint32_t *lowest, uint32_t *component)
{
    uint32_t duplicates, count;
    grz_edge_census census;
    if (!grz_weld_present(mesh, lowest, &duplicates) || !grz_stars_examine(mesh, lowest, &census))
        return false;
    t->shown.closed = census.odd == 0;
    grz_components_find(mesh, lowest, component, &count);
    return describe_components(mesh, component, count, t);
}

static grz_status prepare(const grz_mesh *mesh, grz_control *control, void **state, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    release(mesh, *state);
    *state = NULL;
    if (grz_control_expired(control))
        return grz_control_explain(control, grz_control_status(control), "topology", error);
    topology_state *t = grz_allocate_zeroed(allocator, 1, sizeof *t);
    uint32_t *lowest = grz_allocate(allocator, mesh->vertex_count, sizeof *lowest);
    uint32_t *component = grz_allocate(allocator, mesh->vertex_count, sizeof *component);
    bool enough = t != NULL && lowest != NULL && component != NULL;
    if (t != NULL)
        t->allocator = allocator;
    enough = enough && build(mesh, t, lowest, component);
    grz_release(allocator, lowest, mesh->vertex_count, sizeof *lowest);
    grz_release(allocator, component, mesh->vertex_count, sizeof *component);
    if (!enough) {
        release(mesh, t);
        return grz_control_explain(control, GRZ_ERROR_MEMORY, "topology", error);
    }
    *state = t;
    return GRZ_OK;
}

grz_status grz_mesh_topology(const grz_mesh *mesh, grz_control *control, const grz_topology **topology, grz_error *error)
{
    static const grz_slot_type type = {prepare, release};
    void *state;
    grz_status status = grz_mesh_slot_get(mesh, GRZ_SLOT_TOPOLOGY, &type, control, &state, error);
    *topology = status == GRZ_OK ? &((topology_state *)state)->shown : NULL;
    return status;
}
