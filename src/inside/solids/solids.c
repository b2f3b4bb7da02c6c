// SPDX-License-Identifier: MIT
// The two surfaces cut space into cells; each is inside A or not, and inside B or not. Which of these labels occur says
// how the solids lie to each other (docs/use/solids.md). Seven ways to find the labels, the cheapest first:
//   1. Boxes that do not overlap.
//   2. No contact: the components of each surface are wholly inside or outside the other.
//   3. A plane of two flush faces that has one solid on each side.
//   4. A crossing whose neighbourhood has all four labels.
//   5. Two clean surfaces: the neighbourhood of every contact, and a point of each shell that has none.
//   6. Meshes of several closed shells: the same for each shell of A and of B.
//   7. Any surfaces: the neighbourhood of every line in which triangles meet.
#include "inside/solids/solids.h"

#include <assert.h>

#include "base/control.h"
#include "geometry/pose.h"
#include "inside/rule/chosen_rule.h"
#include "inside/containment.h"
#include "inside/solids/any_labels.h"
#include "inside/solids/cell_labels.h"
#include "inside/solids/parting_plane.h"
#include "inside/solids/solid_pieces.h"
#include "mesh/topology/topology.h"

enum {
    FEW_CROSSINGS = 64, // that are looked at before the surfaces are examined
    FEW_TRIANGLES = 256 // of each component, likewise
};

typedef struct grz_solids_work {
    grz_device *device;
    const grz_found_array *found;
    const grz_found_range *range;
    const grz_cached_pair *cached;
    grz_inside_rule rules[2]; // of A and of B. GRZ_INSIDE_AUTO only before choose_rules()
    grz_control *control;
    grz_verdict *verdict;
    grz_error *error;
    bool pieces; // the objects are pieces of others, and are not taken apart again
} grz_solids_work;

static grz_status decide(const grz_solids_work *work);

static void answer(const grz_solids_work *work, grz_solids solids, const char *reason)
{
    work->verdict->solids = solids;
    work->verdict->solids_reason = reason;
}

// `common`: the solids have a common point.
static grz_solids class_of(unsigned labels, bool common)
{
    const bool a = (labels & GRZ_LABEL_A) != 0, b = (labels & GRZ_LABEL_B) != 0;
    if ((labels & GRZ_LABEL_BOTH) == 0)
        return common ? GRZ_SOLIDS_TOUCHING : GRZ_SOLIDS_APART;
    if (a && b)
        return GRZ_SOLIDS_PENETRATING;
    return a ? GRZ_SOLIDS_B_INSIDE_A : b ? GRZ_SOLIDS_A_INSIDE_B : GRZ_SOLIDS_SAME;
}

// ---- Meshes without an inside ----

typedef enum defect {
    DEFECT_NONE,
    DEFECT_OPEN,
    DEFECT_WINDING,
    DEFECT_COUNT
} defect;

static grz_status find_defect(const grz_solids_work *work, int which, defect *found)
{
    const grz_object *object = which == 0 ? work->range->a : work->range->b;
    const grz_topology *topology;
    const grz_status status = grz_mesh_topology(object->mesh, work->control, &topology, work->error);
    if (status == GRZ_OK)
        *found = !topology->closed                                          ? DEFECT_OPEN
                 : work->rules[which] == GRZ_NONZERO && !topology->balanced ? DEFECT_WINDING
                                                                            : DEFECT_NONE;
    return status;
}

static const char *reason_of_defects(defect a, defect b)
{
    static const char *const reasons[DEFECT_COUNT][DEFECT_COUNT] = {
        {NULL, "B is open, so it has no inside",
         "B is not wound consistently, so it has no inside by the nonzero rule"},
        {"A is open, so it has no inside", "both meshes are open, so they have no inside",
         "A is open and B is not wound consistently, so they have no inside"},
        {"A is not wound consistently, so it has no inside by the nonzero rule",
         "A is not wound consistently and B is open, so they have no inside",
         "both meshes are not wound consistently, so they have no inside by the nonzero rule"}};
    return reasons[a][b];
}

// ---- Any surfaces ----

static grz_status decide_any(const grz_solids_work *work)
{
    grz_any_labels any;
    const grz_status status =
        grz_any_labels_find(work->found, work->range, work->rules, work->control, &any, work->error);
    if (status == GRZ_OK)
        answer(work, class_of(any.labels, any.common), NULL);
    return status;
}

// ---- Two clean surfaces ----

static grz_status add_shells(const grz_solids_work *work, const grz_posed_surface *const surfaces[2],
                             const grz_contact_labels *contacts, unsigned *labels, bool *placed)
{
    bool both[2] = {true, true};
    grz_status status = GRZ_OK;
    for (int i = 0; i < 2 && status == GRZ_OK && !grz_labels_settled(*labels); i++)
        status = grz_shell_labels_add(surfaces[i], surfaces[1 - i], work->rules[1 - i],
                                      i == 0 ? contacts->in_contact_a : contacts->in_contact_b, i == 1, work->control,
                                      labels, &both[i], work->error);
    *placed = (both[0] && both[1]) || grz_labels_settled(*labels);
    return status;
}

static grz_status classify(const grz_solids_work *work, const grz_posed_surface *const surfaces[2])
{
    const grz_allocator *allocator = grz_control_allocator(work->control);
    const grz_surface *a = surfaces[0]->surface, *b = surfaces[1]->surface;
    const size_t room_a = (size_t)a->shell_count + 1, room_b = (size_t)b->shell_count + 1;
    grz_contact_labels contacts = {.in_contact_a = grz_allocate_zeroed(allocator, room_a, sizeof(bool)),
                                   .in_contact_b = grz_allocate_zeroed(allocator, room_b, sizeof(bool))};
    bool placed = true;
    grz_status status = GRZ_ERROR_MEMORY;
    if (contacts.in_contact_a != NULL && contacts.in_contact_b != NULL)
        status = grz_contact_labels_find(work->found, work->range, surfaces[0], surfaces[1], work->control, &contacts);
    if (status != GRZ_OK)
        status = grz_control_explain(work->control, status, "solids", work->error);
    unsigned labels = contacts.labels;
    if (status == GRZ_OK)
        status = add_shells(work, surfaces, &contacts, &labels, &placed);
    if (status == GRZ_OK && placed)
        answer(work, class_of(labels, contacts.common), NULL);
    else if (status == GRZ_OK)
        status = decide_any(work);
    grz_release(allocator, contacts.in_contact_a, room_a, sizeof(bool));
    grz_release(allocator, contacts.in_contact_b, room_b, sizeof(bool));
    return status;
}

// The surface of A (`which` 0) or B (1). `own` holds it if there is no cache.
static grz_status get_surface(const grz_solids_work *work, int which, grz_posed_surface *own,
                              const grz_posed_surface **surface)
{
    const grz_object *object = which == 0 ? work->range->a : work->range->b;
    const grz_cached_pair *cached = work->cached;
    *surface = own;
    if (cached->cache == NULL)
        return grz_posed_surface_init(own, object, work->rules[which], work->control, work->error);
    return grz_surface_cache_get(cached->cache, which == 0 ? cached->a : cached->b, object, work->rules[which],
                                 work->control, surface, work->error);
}

// ---- Pieces ----

static grz_status decide_pieces(const void *context, const grz_piece_pair *pair, grz_solids *solids)
{
    grz_verdict verdict = {.relation = pair->touching ? GRZ_COLLIDING : GRZ_APART};
    grz_solids_work work = *(const grz_solids_work *)context;
    work.device = NULL;
    work.found = pair->found;
    work.range = &pair->range;
    work.cached = &pair->cached;
    work.verdict = &verdict;
    work.pieces = true;
    const grz_status status = decide(&work);
    *solids = verdict.solids;
    return status;
}

// Two objects of which one is not clean.
static grz_status decide_unclean(const grz_solids_work *work, const grz_posed_surface *const surfaces[2])
{
    bool touching = false;
    const grz_piece_work pieces = {.found = work->found,
                                   .range = work->range,
                                   .split = {surfaces[0]->surface->unclean, surfaces[1]->surface->unclean},
                                   .control = work->control,
                                   .error = work->error,
                                   .decide = decide_pieces,
                                   .context = work};
    const grz_status status = work->pieces ? GRZ_OK : grz_pieces_touch(&pieces, &touching);
    if (status != GRZ_OK)
        return status;
    if (!touching)
        return decide_any(work);
    answer(work, GRZ_SOLIDS_TOUCHING, NULL);
    return GRZ_OK;
}

static grz_status decide_by_surfaces(const grz_solids_work *work)
{
    const grz_allocator *allocator = grz_control_allocator(work->control);
    grz_posed_surface own[2] = {{.object = NULL}, {.object = NULL}};
    const grz_posed_surface *surfaces[2];
    grz_status status = get_surface(work, 0, &own[0], &surfaces[0]);
    if (status == GRZ_OK)
        status = get_surface(work, 1, &own[1], &surfaces[1]);
    if (status == GRZ_OK) {
        const bool clean = !surfaces[0]->surface->unclean && !surfaces[1]->surface->unclean;
        status = clean ? classify(work, surfaces) : decide_unclean(work, surfaces);
    }
    for (int i = 0; i < 2; i++)
        grz_posed_surface_finish(allocator, &own[i]);
    return status;
}

// ---- No contact ----

// A component of A inside B has the label "both" beside it, and "B alone"; one outside has "A alone" and "none". For
// components of B likewise.
static grz_status decide_without_contact(const grz_solids_work *work)
{
    const grz_object *a = work->range->a, *b = work->range->b;
    bool any_a, all_a, any_b, all_b;
    grz_status status =
        grz_components_inside(work->device, a, b, work->rules[1], work->control, &any_a, &all_a, work->error);
    if (status == GRZ_OK)
        status = grz_components_inside(work->device, b, a, work->rules[0], work->control, &any_b, &all_b, work->error);
    if (status != GRZ_OK)
        return status;
    if (!any_a && !any_b) {
        answer(work, GRZ_SOLIDS_APART, NULL);
        return GRZ_OK;
    }
    // A few triangles of each component usually show that it has points inside and points outside beside it.
    bool bound[2] = {false, false};
    if (work->rules[0] == GRZ_EVEN_ODD && work->rules[1] == GRZ_EVEN_ODD)
        status = grz_components_bound(a, FEW_TRIANGLES, work->control, &bound[0], work->error);
    if (status == GRZ_OK && bound[0])
        status = grz_components_bound(b, FEW_TRIANGLES, work->control, &bound[1], work->error);
    if (status != GRZ_OK)
        return status;
    if (!bound[0] || !bound[1])
        return decide_by_surfaces(work);
    const bool only_a = !all_a || any_b, only_b = !all_b || any_a;
    answer(work, class_of(GRZ_LABEL_BOTH | (only_a ? GRZ_LABEL_A : 0u) | (only_b ? GRZ_LABEL_B : 0u), true), NULL);
    return GRZ_OK;
}

// ---- All of it ----

// Asked for only where the answer may depend on it. The pieces of a mesh have the rule of the whole.
static grz_status choose_rules(grz_solids_work *work)
{
    const grz_object *objects[2] = {work->range->a, work->range->b};
    grz_status status = GRZ_OK;
    for (int i = 0; i < 2 && status == GRZ_OK; i++)
        status = grz_choose_rule(objects[i]->mesh, work->rules[i], work->control, &work->rules[i], work->error);
    return status;
}

static grz_status decide_in_contact(const grz_solids_work *work)
{
    grz_solids_work chosen = *work;
    const grz_bvh *bvh_a, *bvh_b;
    grz_status status = grz_mesh_bvh(work->range->a->mesh, work->control, &bvh_a, work->error);
    if (status == GRZ_OK)
        status = grz_mesh_bvh(work->range->b->mesh, work->control, &bvh_b, work->error);
    if (status != GRZ_OK)
        return status;
    if (grz_parting_plane_found(work->found, work->range, bvh_a, bvh_b, work->control)) {
        answer(work, GRZ_SOLIDS_TOUCHING, NULL);
        return grz_control_status(work->control);
    }
    status = choose_rules(&chosen);
    if (status != GRZ_OK)
        return status;
    if (chosen.rules[0] == GRZ_NONZERO || chosen.rules[1] == GRZ_NONZERO)
        return decide_by_surfaces(&chosen);
    if (!grz_crossing_proves_all(work->found, work->range, bvh_a, bvh_b, FEW_CROSSINGS, work->control))
        return decide_by_surfaces(&chosen);
    answer(work, GRZ_SOLIDS_PENETRATING, NULL);
    return grz_control_status(work->control);
}

static grz_status decide(const grz_solids_work *work)
{
    const grz_object *a = work->range->a, *b = work->range->b;
    defect defect_a = DEFECT_NONE, defect_b = DEFECT_NONE;
    grz_status status = find_defect(work, 0, &defect_a);
    if (status == GRZ_OK)
        status = find_defect(work, 1, &defect_b);
    if (status != GRZ_OK)
        return status;
    const char *reason = reason_of_defects(defect_a, defect_b);
    if (reason != NULL) {
        answer(work, GRZ_SOLIDS_UNDECIDABLE, reason);
        return GRZ_OK;
    }
    if (work->verdict->relation == GRZ_COLLIDING)
        return decide_in_contact(work);
    const grz_box box_a = grz_world_box(&a->pose, &a->mesh->bounds), box_b = grz_world_box(&b->pose, &b->mesh->bounds);
    if (!grz_boxes_overlap(&box_a, &box_b)) {
        answer(work, GRZ_SOLIDS_APART, NULL);
        return GRZ_OK;
    }
    grz_solids_work chosen = *work;
    status = choose_rules(&chosen);
    return status == GRZ_OK ? decide_without_contact(&chosen) : status;
}

grz_status grz_solids_decide(grz_device *device, const grz_found_array *found, const grz_found_range *range,
                             const grz_cached_pair *cached, grz_inside_rule rule, grz_control *control,
                             grz_verdict *verdict, grz_error *error)
{
    const grz_solids_work work = {device, found, range, cached, {rule, rule}, control, verdict, error, false};
    return decide(&work);
}
