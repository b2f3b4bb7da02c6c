// SPDX-License-Identifier: MIT
// Components, closedness and balance of a mesh at its current positions, from mesh/weld.h,
// mesh/topology/components.h and mesh/topology/stars.h. Edges of faces are examined, not edges of triangles. That makes
// no difference: a diagonal lies on two triangles, once in either direction.
// After new positions, the old result is kept if it certainly still holds (docs/reference/numbers.md, "Inside and
// outside").
#include "mesh/topology/topology.h"

#include <assert.h>
#include <string.h>

#include "base/control.h"
#include "mesh/topology/components.h"
#include "mesh/topology/stars.h"
#include "mesh/weld.h"

enum {
    CHECK_BITS = 14 // check the control once in 2^14 vertices or triangles
};

typedef struct topology_state {
    grz_topology topology;
    uint32_t *lowest; // the weld map that the topology was computed with; NULL if all positions were different
} topology_state;

static void release(const grz_mesh *mesh, void *state)
{
    topology_state *found = state;
    if (found == NULL)
        return;
    grz_release(mesh->allocator, found->topology.component_vertex, found->topology.component_count,
                sizeof *found->topology.component_vertex);
    grz_release(mesh->allocator, found->topology.triangle_component, mesh->triangle_count,
                sizeof *found->topology.triangle_component);
    grz_release(mesh->allocator, found->lowest, mesh->vertex_count, sizeof *found->lowest);
    grz_release(mesh->allocator, found, 1, sizeof *found);
}

// Fill the component arrays of the topology from the component numbers of the vertices.
static grz_status describe_components(const grz_mesh *mesh, const uint32_t *component, uint32_t count,
                                      grz_control *control, topology_state *found)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    grz_topology *topology = &found->topology;
    topology->component_count = count;
    topology->component_vertex = grz_allocate(allocator, count, sizeof *topology->component_vertex);
    topology->triangle_component = grz_allocate(allocator, mesh->triangle_count, sizeof *topology->triangle_component);
    if (topology->component_vertex == NULL || topology->triangle_component == NULL)
        return GRZ_ERROR_MEMORY;
    for (uint32_t v = mesh->vertex_count; v-- > 0;) {
        if (grz_control_expired_at(control, v, CHECK_BITS))
            return grz_control_status(control);
        assert(!grz_mesh_uses(mesh, v) || component[v] < count);
        if (grz_mesh_uses(mesh, v))
            topology->component_vertex[component[v]] = v;
    }
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        if (grz_control_expired_at(control, i, CHECK_BITS))
            return grz_control_status(control);
        topology->triangle_component[i] = component[mesh->triangles[3 * (size_t)i]];
    }
    return GRZ_OK;
}

// Compute everything that depends on the weld map `lowest` only. `component` has room for vertex_count numbers.
static grz_status examine(const grz_mesh *mesh, const uint32_t *lowest, grz_control *control, uint32_t *component,
                          topology_state *found)
{
    uint32_t count;
    grz_edge_census census;
    grz_status status = grz_stars_examine(mesh, lowest, control, &census);
    if (status != GRZ_OK)
        return status;
    found->topology.closed = census.odd == 0;
    found->topology.balanced = census.balanced;
    if (!grz_components_find(mesh, lowest, control, component, &count))
        return grz_control_status(control);
    return describe_components(mesh, component, count, control, found);
}

// Set *stays if the old result holds for the current positions. A balanced mesh stays balanced, and its components stay
// connected, as long as no two vertices that were welded have been moved apart. Returns GRZ_OK or the control's status.
static grz_status stays_balanced(const grz_mesh *mesh, const topology_state *found, grz_control *control, bool *stays)
{
    *stays = found->topology.balanced;
    if (!*stays || found->lowest == NULL)
        return GRZ_OK;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        if (grz_control_expired_at(control, v, CHECK_BITS))
            return grz_control_status(control);
        const double *p = grz_mesh_position(mesh, v), *q = grz_mesh_position(mesh, found->lowest[v]);
        if (p[0] != q[0] || p[1] != q[1] || p[2] != q[2]) {
            *stays = false;
            return GRZ_OK;
        }
    }
    return GRZ_OK;
}

// True if the weld map has not changed.
static bool same_welding(const grz_mesh *mesh, const topology_state *found, const uint32_t *lowest, uint32_t duplicates)
{
    if (found->lowest == NULL)
        return duplicates == 0;
    return memcmp(found->lowest, lowest, mesh->vertex_count * sizeof *lowest) == 0;
}

// Weld the current positions. If the weld map is the same as before, keep *state; otherwise replace it by a new one. On
// failure *state is NULL or unchanged.
static grz_status weld_and_examine(const grz_mesh *mesh, grz_control *control, topology_state **state)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    topology_state *examined = NULL;
    uint32_t duplicates = 0, *component = NULL, *lowest = grz_allocate(allocator, mesh->vertex_count, sizeof *lowest);
    grz_status status = lowest != NULL ? grz_weld_current(mesh, control, lowest, &duplicates) : GRZ_ERROR_MEMORY;
    if (status != GRZ_OK || (*state != NULL && same_welding(mesh, *state, lowest, duplicates)))
        goto end;
    release(mesh, *state);
    *state = NULL;
    status = GRZ_ERROR_MEMORY;
    component = grz_allocate(allocator, mesh->vertex_count, sizeof *component);
    examined = grz_allocate_zeroed(allocator, 1, sizeof *examined);
    if (component == NULL || examined == NULL)
        goto end;
    status = examine(mesh, lowest, control, component, examined);
    if (status != GRZ_OK)
        goto end;
    if (duplicates > 0) {
        examined->lowest = lowest;
        lowest = NULL;
    }
    *state = examined;
    examined = NULL;
end:
    release(mesh, examined);
    grz_release(allocator, lowest, mesh->vertex_count, sizeof *lowest);
    grz_release(allocator, component, mesh->vertex_count, sizeof *component);
    return status;
}

static grz_status prepare(const grz_mesh *mesh, grz_control *control, void **state, grz_error *error)
{
    topology_state *found = *state;
    bool stays = false;
    grz_status status = grz_control_expired(control) ? grz_control_status(control) : GRZ_OK;
    if (status == GRZ_OK && found != NULL)
        status = stays_balanced(mesh, found, control, &stays);
    if (status == GRZ_OK && !stays)
        status = weld_and_examine(mesh, control, &found);
    *state = found;
    return status == GRZ_OK ? GRZ_OK : grz_control_explain(control, status, "topology", error);
}

const grz_slot_type grz_topology_slot_type = {prepare, release};

grz_status grz_mesh_topology(const grz_mesh *mesh, grz_control *control, const grz_topology **topology,
                             grz_error *error)
{
    void *state;
    grz_status status = grz_mesh_slot_get(mesh, &grz_topology_slot_type, control, &state, error);
    *topology = status == GRZ_OK ? &((topology_state *)state)->topology : NULL;
    return status;
}
