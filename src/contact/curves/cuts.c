// SPDX-License-Identifier: MIT
// Cuts candidates that lie along other contacts. If the faces of each mesh meet edge to edge, there are none. But at
// T-junctions (the faces at an edge have different corners), and where a mesh covers a place twice or runs through
// itself, a link may lie along a part of other contacts. The link is then cut where the common parts begin and end. A
// piece is dropped if it runs inside a polygon or between polygons of two half-planes; otherwise it is part of a curve.
// Two links with a common part are cut at the same exact points.
#include "base/control.h"
#include "base/sort/sort.h"
#include "contact/curves/clip.h"
#include "contact/curves/contact_tree.h"
#include "contact/curves/lines.h"

enum {
    FEW = 8 // contacts that are looked at first
};

typedef enum grz_cover_kind {
    COVER_LINE,  // a segment runs along the link
    COVER_SIDE,  // a side of a polygon runs along it; the polygon lies in half-plane number `half`
    COVER_INSIDE // it runs through the inside of a polygon
} grz_cover_kind;

// A cover: something that lies along a part of a link. Cover i begins at stop 2i and ends at stop 2i + 1.
typedef struct grz_cover {
    grz_cover_kind kind;
    size_t half;
} grz_cover;

typedef struct grz_cutter {
    grz_joiner *joiner;
    grz_contact_tree tree;
    uint8_t *marks;                   // contact_count bytes: not 0 if other contacts may lie along this segment
    GRZ_ARRAY(grz_cover) covers;      // of the current link; the first is the link itself
    GRZ_ARRAY(grz_exact_point) stops; // two for each cover
    GRZ_ARRAY(size_t) order;          // the stops in their order along the link
    GRZ_ARRAY(grz_half_plane) halves; // the different half-planes at the link
    GRZ_ARRAY(size_t) active;         // for each half-plane: how many of its covers are open at the current position
    grz_lines lines; // of candidates with more contacts near them than joiner->crowd; zeroed until there are any
} grz_cutter;

// The number of a half-plane among those of the link; a new one is added.
static bool number_half(grz_cutter *cutter, const grz_half_plane *half, size_t *number)
{
    const grz_allocator *allocator = cutter->joiner->allocator;
    for (*number = 0; *number < cutter->halves.count; ++*number)
        if (grz_curves_same_half_plane(&cutter->halves.items[*number], half))
            return true;
    if (!grz_array_add(allocator, &cutter->halves) || !grz_array_add(allocator, &cutter->active))
        return false;
    cutter->halves.items[*number] = *half;
    cutter->active.items[*number] = 0;
    return true;
}

// Add a cover. `half` is NULL except for COVER_SIDE.
static bool add_cover(grz_cutter *cutter, const grz_exact_point end[2], grz_cover_kind kind, const grz_half_plane *half)
{
    const grz_allocator *allocator = cutter->joiner->allocator;
    const size_t stops = 2 * cutter->covers.count;
    grz_cover cover = {.kind = kind, .half = 0};
    if ((half != NULL && !number_half(cutter, half, &cover.half)) || !grz_array_add(allocator, &cutter->covers) ||
        !grz_array_reserve(allocator, &cutter->stops, stops + 2))
        return false;
    cutter->covers.items[cutter->covers.count - 1] = cover;
    cutter->stops.items[stops] = end[0];
    cutter->stops.items[stops + 1] = end[1];
    cutter->stops.count = stops + 2;
    return true;
}

// Add the part of a contact that lies along the link, if there is one.
static bool add_contact(grz_cutter *cutter, const grz_link_shape *link, size_t contact)
{
    grz_common_part part;
    if (!grz_curves_common_part(cutter->joiner, link, contact, &part))
        return true;
    if (part.on_side)
        return add_cover(cutter, part.end, COVER_SIDE, &part.half);
    return add_cover(cutter, part.end, cutter->joiner->contacts[contact].point_count > 2 ? COVER_INSIDE : COVER_LINE,
                     NULL);
}

// ---- Pieces ----

static int compare_stops(const void *left, const void *right, void *context)
{
    const grz_cutter *cutter = context;
    return grz_exact_compare(&cutter->stops.items[*(const size_t *)left], &cutter->stops.items[*(const size_t *)right]);
}

static bool order_stops(grz_cutter *cutter)
{
    const size_t count = cutter->stops.count;
    if (!grz_array_reserve(cutter->joiner->allocator, &cutter->order, count))
        return false;
    for (size_t i = 0; i < count; i++)
        cutter->order.items[i] = i;
    return grz_sort(cutter->order.items, count, sizeof *cutter->order.items, compare_stops, cutter,
                    cutter->joiner->control) == GRZ_OK;
}

// The covers that are open at the current position: insides of polygons, and half-planes with at least one side.
typedef struct grz_open_covers {
    size_t insides, halves;
} grz_open_covers;

// Pass a stop: its cover begins or ends.
static void pass_stop(grz_cutter *cutter, size_t stop, grz_open_covers *open)
{
    const grz_cover *cover = &cutter->covers.items[stop / 2];
    const bool begins = stop % 2 == 0;
    assert(stop / 2 < cutter->covers.count);
    if (cover->kind == COVER_INSIDE) {
        open->insides += begins ? 1 : (size_t)-1;
    } else if (cover->kind == COVER_SIDE) {
        size_t *active = &cutter->active.items[cover->half];
        assert(begins || *active > 0);
        open->halves += begins && *active == 0 ? 1 : 0;
        *active += begins ? 1 : (size_t)-1;
        open->halves -= !begins && *active == 0 ? 1 : 0;
    }
}

// The node at a stop. The nodes at the link's ends are known.
static bool node_of_stop(grz_cutter *cutter, const grz_link_shape *link, size_t stop, size_t *node)
{
    for (size_t end = 0; end < 2; end++) { // stops 0 and 1 are the link's ends
        if (compare_stops(&stop, &end, cutter) == 0) {
            *node = link->node[end];
            return true;
        }
    }
    return grz_curves_find_node(cutter->joiner, &cutter->stops.items[stop], node);
}

// Add the pieces of a link that are parts of curves.
static bool add_pieces(grz_cutter *cutter, const grz_link_shape *link)
{
    grz_open_covers open = {0, 0};
    if (!order_stops(cutter))
        return false;
    const size_t count = cutter->stops.count, *order = cutter->order.items;
    for (size_t i = 0; i < count; i++) {
        if (grz_control_expired_at(cutter->joiner->control, i, 8))
            return false;
        pass_stop(cutter, order[i], &open);
        if (i + 1 == count || open.insides > 0 || open.halves > 1 ||
            compare_stops(&order[i], &order[i + 1], cutter) == 0)
            continue;
        size_t p, q;
        if (!node_of_stop(cutter, link, order[i], &p) || !node_of_stop(cutter, link, order[i + 1], &q) ||
            !grz_curves_add_link(cutter->joiner, p, q))
            return false;
    }
    return true;
}

// ---- All candidates, all isolated nodes ----

// List the contacts near a candidate in the tree's `found`; any `most` + 1 of them if there are more.
static bool find_near(grz_cutter *cutter, const grz_candidate_link *candidate, size_t most)
{
    grz_joiner *joiner = cutter->joiner;
    grz_box box = grz_box_empty();
    grz_box_add_point(&box, joiner->own[joiner->node_corner[candidate->low]].at);
    grz_box_add_point(&box, joiner->own[joiner->node_corner[candidate->high]].at);
    if (!grz_box_tree_find(&cutter->tree.tree, &box, most))
        return false;
    joiner->work += cutter->tree.tree.found.count;
    return true;
}

// Cut one candidate by the contacts near it, and add its pieces to the links.
static bool cut_candidate(grz_cutter *cutter, const grz_candidate_link *candidate)
{
    grz_joiner *joiner = cutter->joiner;
    grz_link_shape link;
    bool shaped = false;
    cutter->covers.count = cutter->stops.count = cutter->halves.count = cutter->active.count = 0;
    for (size_t i = 0; i < cutter->tree.tree.found.count; i++) {
        const size_t contact = cutter->tree.tree.found.items[i];
        if (grz_control_expired_at(joiner->control, i + 1, 8))
            return false;
        if (grz_curves_is_beside(joiner, candidate, contact))
            continue;
        if (!shaped) {
            grz_half_plane half;
            grz_curves_shape(joiner, candidate, &link);
            shaped = true;
            if (candidate->outer ? !grz_curves_half_plane(joiner, candidate->side, &half) ||
                                       !add_cover(cutter, link.end, COVER_SIDE, &half)
                                 : !add_cover(cutter, link.end, COVER_LINE, NULL))
                return false;
        }
        if (!add_contact(cutter, &link, contact))
            return false;
    }
    return cutter->covers.count > 1 ? add_pieces(cutter, &link)
                                    : grz_curves_add_link(joiner, candidate->low, candidate->high);
}

// Cut a candidate, or add it to a line if it is crowded.
static bool cut_or_add(grz_cutter *cutter, const grz_candidate_link *candidate)
{
    grz_joiner *joiner = cutter->joiner;
    if (!candidate->outer && cutter->marks[candidate->side.contact] == 0)
        return grz_curves_add_link(joiner, candidate->low, candidate->high);
    if (grz_lines_add_to_known(&cutter->lines, candidate))
        return true;
    if (!find_near(cutter, candidate, joiner->crowd))
        return false;
    if (cutter->tree.tree.found.count <= joiner->crowd)
        return cut_candidate(cutter, candidate);
    return (cutter->lines.joiner != NULL || grz_lines_begin(joiner, &cutter->lines)) &&
           grz_lines_add(&cutter->lines, candidate);
}

// Mark an isolated node if a contact with extent runs through it. Where there are many, the first ones nearly always
// tell: more are looked for only if none of a few contains the node.
static bool mark_covered_node(grz_cutter *cutter, size_t node)
{
    grz_joiner *joiner = cutter->joiner;
    const size_t corner = joiner->node_corner[node];
    const grz_box_tree *tree = &cutter->tree.tree;
    grz_box box = grz_box_empty();
    grz_exact_point point;
    grz_box_add_point(&box, joiner->own[corner].at);
    grz_curves_point(joiner, corner, &point);
    for (size_t most = joiner->crowd > 0 ? FEW : SIZE_MAX;; most = most < SIZE_MAX / FEW ? most * FEW : SIZE_MAX) {
        if (!grz_box_tree_find(&cutter->tree.tree, &box, most))
            return false;
        for (size_t i = 0; i < tree->found.count; i++) {
            joiner->work++;
            if (grz_control_expired_at(joiner->control, i + 1, 8))
                return false;
            if (grz_curves_holds(joiner, tree->found.items[i], &point)) {
                joiner->flags[corner] |= GRZ_NODE_COVERED;
                return true;
            }
        }
        if (tree->found.count <= most)
            return true;
    }
}

static bool cut_all(grz_cutter *cutter)
{
    grz_joiner *joiner = cutter->joiner;
    if (!grz_array_reserve(joiner->allocator, &joiner->links, joiner->candidates.count))
        return false;
    for (size_t i = 0; i < joiner->candidates.count; i++)
        if (grz_control_expired_at(joiner->control, i, 6) || !cut_or_add(cutter, &joiner->candidates.items[i]))
            return false;
    if (cutter->lines.joiner != NULL && !grz_lines_cut(&cutter->lines))
        return false;
    for (size_t node = 0; node < joiner->node_count; node++) {
        if (grz_control_expired_at(joiner->control, node, 8))
            return false;
        if ((joiner->flags[joiner->node_corner[node]] & GRZ_NODE_TOUCHED) == 0 && !mark_covered_node(cutter, node))
            return false;
    }
    return true;
}

bool grz_curves_cut(grz_joiner *joiner)
{
    grz_cutter cutter = {.joiner = joiner};
    const grz_allocator *allocator = joiner->allocator;
    cutter.marks = grz_allocate_zeroed(allocator, joiner->contact_count, sizeof *cutter.marks);
    const bool done = cutter.marks != NULL && grz_contact_tree_build(joiner, &cutter.tree) &&
                      grz_contact_tree_mark(&cutter.tree, cutter.marks, &joiner->work) && cut_all(&cutter);
    grz_release(allocator, cutter.marks, joiner->contact_count, sizeof *cutter.marks);
    grz_contact_tree_finish(joiner, &cutter.tree);
    grz_array_finish(allocator, &cutter.covers);
    grz_array_finish(allocator, &cutter.stops);
    grz_array_finish(allocator, &cutter.order);
    grz_array_finish(allocator, &cutter.halves);
    grz_array_finish(allocator, &cutter.active);
    if (cutter.lines.joiner != NULL)
        grz_lines_finish(&cutter.lines);
    return done;
}
