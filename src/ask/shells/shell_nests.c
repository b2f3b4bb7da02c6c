// SPDX-License-Identifier: MIT
// A scene of the closed shells, in which only pairs are tested of which one could hold the other: it is wound outwards,
// and its box holds the box of one wound inwards. The scene says how each pair lies as solids.
#include "ask/shells/shell_nests.h"

#include <graze/scene.h>

#include "ask/shells/shell_cut.h"
#include "base/control.h"

typedef struct nests {
    const grz_shell_groups *shells;
    const int8_t *signs;
    grz_control *control;
    const grz_allocator *allocator;
    grz_error *error;
    grz_box *boxes;         // of each shell
    uint32_t *object_shell; // of each object of the scene
    grz_shell_cutter cutter;
    GRZ_ARRAY(uint32_t) faces;
    grz_scene *scene;
    grz_result *result;
} nests;

// A filter of the scene: could one shell hold the other?
static bool may_nest(uint32_t a, const grz_object *object_a, uint32_t b, const grz_object *object_b, void *user)
{
    const nests *n = user;
    const uint32_t one = n->object_shell[a], other = n->object_shell[b];
    (void)object_a;
    (void)object_b;
    if (n->signs[one] == n->signs[other])
        return false;
    return n->signs[one] > 0 ? grz_shell_box_holds(&n->boxes[one], &n->boxes[other])
                             : grz_shell_box_holds(&n->boxes[other], &n->boxes[one]);
}

static grz_status add_shell(nests *n, uint32_t shell)
{
    const grz_shell_groups *shells = n->shells;
    const size_t first = shells->starts[shell], end = shells->starts[(size_t)shell + 1];
    grz_mesh *mesh;
    uint32_t id;
    n->faces.count = 0;
    if (!grz_array_reserve(n->allocator, &n->faces, end - first))
        return grz_control_explain(n->control, GRZ_ERROR_MEMORY, "mesh shells", n->error);
    for (size_t i = first; i < end; i++) {
        const uint32_t face = grz_mesh_triangle_face(shells->mesh, shells->triangles[i]);
        if (n->faces.count == 0 || n->faces.items[n->faces.count - 1] != face)
            n->faces.items[n->faces.count++] = face;
    }
    grz_status status =
        grz_shell_cut(&n->cutter, shells->mesh, n->faces.items, n->faces.count, GRZ_MESH_FAST_BUILD, &mesh, n->error);
    if (status != GRZ_OK)
        return status;
    const grz_object object = grz_object_at_origin(mesh);
    status = grz_scene_add(n->scene, &object, &id, n->error);
    grz_mesh_destroy(mesh);
    if (status == GRZ_OK)
        n->object_shell[id] = shell;
    return status;
}

static grz_status add_shells(nests *n)
{
    grz_status status = GRZ_OK;
    for (uint32_t s = 0; s < n->shells->count && status == GRZ_OK; s++) {
        if (grz_control_expired(n->control))
            return grz_control_explain(n->control, grz_control_status(n->control), "mesh shells", n->error);
        if (n->signs[s] == 0)
            continue;
        n->boxes[s] = grz_shell_group_box(n->shells, s);
        status = add_shell(n, s);
    }
    return status;
}

// True if a shell is a better holder than the one so far: of less volume, or of the same and lower.
static bool is_better(const nests *n, uint32_t shell, uint32_t so_far)
{
    const int order = grz_shell_group_compare(n->shells, shell, so_far);
    return order < 0 || (order == 0 && shell < so_far);
}

static grz_status ask(nests *n, uint32_t *holder)
{
    grz_collide_options options = grz_default_collide_options();
    uint64_t count, classified;
    options.limits = grz_control_limits_left(n->control);
    options.find = GRZ_FIND_SOLIDS | GRZ_FIND_CONTAINMENT;
    options.max_pairs = UINT64_MAX; // pairs of faces are not listed
    const grz_status status = grz_collide_scene(n->shells->mesh->device, n->scene, &options, n->result, n->error);
    if (status != GRZ_OK)
        return status;
    const grz_scene_pair *pairs = grz_result_scene_pairs(n->result, &count);
    const grz_pair_solids *solids = grz_result_scene_solids(n->result, &classified);
    for (uint64_t i = 0; i < classified; i++) {
        const uint32_t a = n->object_shell[pairs[i].a], b = n->object_shell[pairs[i].b];
        const uint32_t outer = n->signs[a] > 0 ? a : b, inner = n->signs[a] > 0 ? b : a;
        const grz_solids wanted = outer == a ? GRZ_SOLIDS_B_INSIDE_A : GRZ_SOLIDS_A_INSIDE_B;
        if (solids[i].solids != wanted) // the same solid is not around the cavity, but fills it
            continue;
        if (holder[inner] == inner || is_better(n, outer, holder[inner]))
            holder[inner] = outer;
    }
    const grz_status ended = grz_control_status(n->control);
    return ended == GRZ_OK ? GRZ_OK : grz_control_explain(n->control, ended, "mesh shells", n->error);
}

static grz_status run(nests *n, uint32_t *holder)
{
    const grz_shell_groups *shells = n->shells;
    grz_device *device = shells->mesh->device;
    n->boxes = grz_allocate(n->allocator, shells->count, sizeof *n->boxes);
    n->object_shell = grz_allocate(n->allocator, shells->count, sizeof *n->object_shell);
    if (n->boxes == NULL || n->object_shell == NULL ||
        !grz_shell_cutter_init(&n->cutter, shells->mesh->vertex_count, n->allocator))
        return grz_control_explain(n->control, GRZ_ERROR_MEMORY, "mesh shells", n->error);
    grz_status status = grz_scene_create(device, &n->scene, n->error);
    if (status == GRZ_OK)
        status = grz_scene_set_filter(n->scene, may_nest, n, n->error);
    if (status == GRZ_OK)
        status = grz_result_create(device, &n->result, n->error);
    if (status == GRZ_OK)
        status = add_shells(n);
    return status == GRZ_OK ? ask(n, holder) : status;
}

grz_status grz_shell_nests_find(const grz_shell_groups *shells, const int8_t *signs, grz_control *control,
                                uint32_t *holder, grz_error *error)
{
    nests n = {.shells = shells,
               .signs = signs,
               .control = control,
               .allocator = grz_control_allocator(control),
               .error = error};
    bool any_inwards = false, any_outwards = false;
    grz_status status = GRZ_OK;
    for (uint32_t s = 0; s < shells->count; s++) {
        holder[s] = s;
        any_inwards = any_inwards || signs[s] < 0;
        any_outwards = any_outwards || signs[s] > 0;
    }
    if (any_inwards && any_outwards)
        status = run(&n, holder);
    grz_scene_destroy(n.scene);
    grz_result_destroy(n.result);
    grz_shell_cutter_finish(&n.cutter);
    grz_array_finish(n.allocator, &n.faces);
    grz_release(n.allocator, n.boxes, shells->count, sizeof *n.boxes);
    grz_release(n.allocator, n.object_shell, shells->count, sizeof *n.object_shell);
    return status;
}
