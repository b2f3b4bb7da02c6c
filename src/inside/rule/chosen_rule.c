// SPDX-License-Identifier: MIT
// GRZ_INSIDE_AUTO: nonzero for a mesh that is closed, wound consistently and meets itself, else even-odd. Judged for
// the whole mesh where it was made, so that the rule depends neither on poses nor on the other object of a pair.
// docs/use/solids.md says why.
#include "inside/rule/chosen_rule.h"

#include "base/call.h"
#include "base/control.h"
#include "base/fail.h"
#include "geometry/pose.h"
#include "geometry/triangle/triangle.h"
#include "inside/rule/self_contact.h"
#include "mesh/source.h"
#include "mesh/topology/topology.h"
#include "mesh/triangles.h"
#include "mesh/weld.h"

enum {
    CHECK_BITS = 12 // triangles between two checks of the control, as a power of two
};

typedef struct self_work {
    double *positions;
    uint32_t *lowest; // weld map
    bool *has_area;
} self_work;

static bool allocate(const grz_allocator *allocator, const grz_mesh *mesh, self_work *work)
{
    work->positions = grz_allocate(allocator, 3 * (size_t)mesh->vertex_count, sizeof *work->positions);
    work->lowest = grz_allocate(allocator, mesh->vertex_count, sizeof *work->lowest);
    work->has_area = grz_allocate(allocator, mesh->triangle_count, sizeof *work->has_area);
    return work->positions != NULL && work->lowest != NULL && work->has_area != NULL;
}

static void release_work(const grz_allocator *allocator, const grz_mesh *mesh, self_work *work)
{
    grz_release(allocator, work->positions, 3 * (size_t)mesh->vertex_count, sizeof *work->positions);
    grz_release(allocator, work->lowest, mesh->vertex_count, sizeof *work->lowest);
    grz_release(allocator, work->has_area, mesh->triangle_count, sizeof *work->has_area);
}

// *meets: two triangles with area have more in common than the edge or corner that they share, and more than one point.
static grz_status find_meeting(const grz_mesh *mesh, const grz_bvh *bvh, self_work *work, grz_control *control,
                               bool *meets)
{
    const grz_object object = grz_object_at_origin(mesh);
    uint32_t duplicates;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        grz_world_position(&object.pose, grz_mesh_position(mesh, v), work->positions + 3 * (size_t)v);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        double corners[3][3];
        if (grz_control_expired_at(control, t, CHECK_BITS))
            return grz_control_status(control);
        grz_world_corners(mesh, &object.pose, t, corners);
        work->has_area[t] = grz_triangle_dimension((const double(*)[3])corners) == 2;
    }
    const grz_status status = grz_weld(work->positions, mesh->vertex_count, control, work->lowest, &duplicates);
    if (status != GRZ_OK)
        return status;
    return grz_find_self_contact(&object, bvh, work->positions, work->lowest, work->has_area, control, meets, NULL);
}

static grz_status choose(const grz_mesh *mesh, grz_control *control, grz_inside_rule *rule, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const grz_topology *topology;
    const grz_bvh *bvh;
    self_work work = {.positions = NULL};
    bool meets = false;
    *rule = GRZ_EVEN_ODD;
    if (mesh->triangle_count == 0)
        return GRZ_OK;
    grz_status status = grz_mesh_topology(mesh, control, &topology, error);
    if (status != GRZ_OK || !topology->closed || !topology->balanced)
        return status;
    status = grz_mesh_bvh(mesh, control, &bvh, error);
    if (status != GRZ_OK)
        return status;
    status = allocate(allocator, mesh, &work) ? find_meeting(mesh, bvh, &work, control, &meets) : GRZ_ERROR_MEMORY;
    release_work(allocator, mesh, &work);
    if (meets)
        *rule = GRZ_NONZERO;
    return status == GRZ_OK ? GRZ_OK : grz_control_explain(control, status, "inside rule", error);
}

// ---- Kept with a mesh ---------------------------------------------------------------------------------------------

static void release(const grz_mesh *mesh, void *state)
{
    grz_release(mesh->allocator, state, 1, sizeof(grz_inside_rule));
}

static grz_status prepare(const grz_mesh *mesh, grz_control *control, void **state, grz_error *error)
{
    grz_inside_rule *kept = *state;
    *state = NULL;
    if (kept == NULL)
        kept = grz_allocate(grz_control_allocator(control), 1, sizeof *kept);
    if (kept == NULL)
        return grz_control_explain(control, GRZ_ERROR_MEMORY, "inside rule", error);
    const grz_status status = choose(mesh, control, kept, error);
    if (status == GRZ_OK)
        *state = kept;
    else
        release(mesh, kept);
    return status;
}

static const grz_slot_type rule_slot = {prepare, release};

grz_status grz_choose_rule(const grz_mesh *mesh, grz_inside_rule asked, grz_control *control, grz_inside_rule *rule,
                           grz_error *error)
{
    void *state;
    *rule = asked;
    if (asked != GRZ_INSIDE_AUTO)
        return GRZ_OK;
    const grz_status status = grz_mesh_slot_get(mesh, &rule_slot, control, &state, error);
    *rule = status == GRZ_OK ? *(const grz_inside_rule *)state : GRZ_EVEN_ODD;
    return status;
}

grz_status grz_mesh_inside_rule(const grz_mesh *mesh, grz_inside_rule *rule, grz_error *error)
{
    if (mesh == NULL || rule == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "inside rule: %s is NULL",
                        mesh == NULL ? "mesh" : "rule");
    grz_call call;
    *rule = GRZ_EVEN_ODD;
    grz_status status = grz_call_begin(&call, "inside rule", mesh->device, NULL, NULL, NULL, error);
    if (status == GRZ_OK)
        status = grz_mesh_in_memory(mesh, &call.control, &mesh, error);
    if (status == GRZ_OK)
        status = grz_choose_rule(mesh, GRZ_INSIDE_AUTO, &call.control, rule, error);
    return grz_call_end(&call, status);
}
