// SPDX-License-Identifier: MIT
// Joins contacts to curves, in stages: contact points become nodes (nodes.c). Segments, and sides of polygons that
// bound the contact area, become candidates (links.c). Candidates are cut where other contacts lie along them (cuts.c,
// clip.c). The links that remain are walked along (curve_walk.c) and written in a fixed order (curve_write.c).
#include "contact/curves/curves.h"

#include "base/control.h"
#include "contact/contacts.h"

static void joiner_finish(grz_joiner *joiner)
{
    const grz_allocator *allocator = joiner->allocator;
    const size_t corners = joiner->corner_count;
    grz_release(allocator, joiner->node_of, corners, sizeof *joiner->node_of);
    grz_release(allocator, joiner->node_corner, corners, sizeof *joiner->node_corner);
    grz_release(allocator, joiner->flags, corners, sizeof *joiner->flags);
    grz_release(allocator, joiner->table, corners, sizeof *joiner->table);
    grz_release(allocator, joiner->table_start, ((size_t)1 << joiner->table_bits) + 2, sizeof *joiner->table_start);
    grz_release(allocator, joiner->places, joiner->place_room, sizeof *joiner->places);
    grz_array_finish(allocator, &joiner->cuts);
    grz_array_finish(allocator, &joiner->candidates);
    grz_array_finish(allocator, &joiner->links);
    grz_array_finish(allocator, &joiner->walked);
    grz_array_finish(allocator, &joiner->runs);
}

enum {
    CROWD = 16 // contacts near a link; from about this number on, cutting all links of a line together takes less time
};

grz_status grz_result_build_curves(grz_result *result, const grz_found_range *range, grz_control *control,
                                   grz_verdict *verdict)
{
    // Triangles stand for all contacts among them only if none of these is missing.
    return grz_curves_join(result, range, range->complete ? CROWD : SIZE_MAX, NULL, control, verdict);
}

grz_status grz_curves_join(grz_result *result, const grz_found_range *range, size_t crowd, uint64_t *work,
                           grz_control *control, grz_verdict *verdict)
{
    verdict->first_curve = result->curves.count;
    if (verdict->contact_count == 0)
        return GRZ_OK;
    const grz_contact *contacts = result->contacts.items + verdict->first_contact;
    const size_t first_point = contacts[0].first_point;
    const size_t count = result->points.count - first_point; // number of the job's points; there are as many keys
    const bool self = range->b == NULL;
    assert(verdict->contact_count == range->end - range->first && count <= result->keys.count);
    assert(!self || count <= result->own_points.count);
    grz_joiner joiner = {.a = range->a,
                         .b = range->b,
                         .found = result->found.items + range->first,
                         .contacts = contacts,
                         .contact_count = verdict->contact_count,
                         .first_point = first_point,
                         .corner_count = count,
                         .world = result->points.items + first_point,
                         .own = self ? result->own_points.items + (result->own_points.count - count)
                                     : result->points.items + first_point,
                         .keys = result->keys.items + (result->keys.count - count),
                         .control = control,
                         .crowd = crowd,
                         .allocator = result->allocator};
    const bool done = grz_curves_number_nodes(&joiner) && grz_curves_find_candidates(&joiner) &&
                      grz_curves_cut(&joiner) && grz_curves_number_cuts(&joiner) && grz_curves_order_links(&joiner) &&
                      grz_curves_walk(&joiner) && grz_curves_write(&joiner, result);
    if (work != NULL)
        *work += joiner.work;
    joiner_finish(&joiner);
    verdict->curve_count = result->curves.count - verdict->first_curve;
    if (done)
        return GRZ_OK;
    return grz_control_status(control) != GRZ_OK ? grz_control_status(control) : GRZ_ERROR_MEMORY;
}
