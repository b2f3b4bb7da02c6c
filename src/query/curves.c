// SPDX-License-Identifier: MIT
// Joining contacts to curves. Contact points with the same key are one node; segments, and those sides of coplanar polygons that bound
// their union (an odd number of polygons have them), are the links; a segment along a side inside that union is none. A curve runs from
// node to node until the number of links is not two; what is left are closed curves, and points that no link reaches. Curves are turned
// and sorted by the places they run through, so they come out the same whichever mesh is called A and however faces are numbered, also
// where nodes lie at the same place.
#include <stdlib.h>
#include <string.h>

#include "query/result.h"

typedef struct grz_curve_node {
    grz_point point;
    grz_node_key key;
    size_t corner; // index into the result's points
} grz_curve_node;

typedef struct grz_link {
    size_t low, high; // node numbers
    size_t polygon;   // a side of this polygon, or NO_POLYGON
} grz_link;

#define NO_POLYGON SIZE_MAX

// A contact of three points or more, for numbering polygons.
typedef struct grz_polygon_entry {
    const struct grz_joiner *joiner; // for the comparison
    size_t contact;
} grz_polygon_entry;

// A curve before sorting: where its nodes stand in the list of all of them.
typedef struct grz_run {
    const struct grz_joiner *joiner; // for the comparison
    size_t start, count;
    bool closed;
} grz_run;

typedef struct grz_joiner {
    const grz_allocator *allocator;
    const grz_contact *contacts; // the job's, contact_count of them
    size_t contact_count;
    const grz_point *points; // corner_count points and keys of theirs
    const grz_node_key *keys;
    size_t first_point;      // the number that contacts give to points[0]
    grz_curve_node *corners; // corner_count, sorted by place and key
    size_t corner_count;
    size_t *node_of;     // corner_count: node of each contact point
    size_t *node_corner; // corner_count: where in `corners` a node stands (node_count in use)
    size_t node_count;
    bool *touched;      // node_count: some contact with extent reaches the node
    size_t *polygon_of; // a number for each contact: contacts that are the same polygon, those of doubled faces, have the same
    GRZ_ARRAY(grz_link) links;
    size_t *link_start;       // node_count + 1 offsets into link_ends
    size_t *link_ends;        // twice links.count: neighbours, ascending for each node
    bool *used;               // twice links.count: that end of a link was walked
    GRZ_ARRAY(size_t) walked; // nodes of all runs, run after run
    GRZ_ARRAY(grz_run) runs;
} grz_joiner;

static int compare_places(const grz_point *p, const grz_point *q)
{
    for (int i = 0; i < 3; i++)
        if (p->at[i] != q->at[i])
            return p->at[i] < q->at[i] ? -1 : 1;
    return 0;
}

static int compare_nodes(const void *left, const void *right)
{
    const grz_curve_node *p = left, *q = right;
    const int order = compare_places(&p->point, &q->point);
    if (order != 0)
        return order;
    const uint32_t *k = &p->key.half[0][0], *l = &q->key.half[0][0];
    for (int i = 0; i < 4; i++)
        if (k[i] != l[i])
            return k[i] < l[i] ? -1 : 1;
    return 0;
}

static int compare_links(const void *left, const void *right)
{
    const grz_link *p = left, *q = right;
    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    if (p->high != q->high)
        return p->high < q->high ? -1 : 1;
    return (p->polygon > q->polygon) - (p->polygon < q->polygon);
}

static const grz_point *node_place(const grz_joiner *joiner, size_t node)
{
    return &joiner->corners[joiner->node_corner[node]].point;
}

static int compare_runs(const void *left, const void *right)
{
    const grz_run *p = left, *q = right;
    const size_t *nodes_p = p->joiner->walked.items + p->start, *nodes_q = q->joiner->walked.items + q->start;
    for (size_t i = 0; i < p->count && i < q->count; i++) {
        const int order = compare_places(node_place(p->joiner, nodes_p[i]), node_place(q->joiner, nodes_q[i]));
        if (order != 0)
            return order;
    }
    if (p->count != q->count)
        return p->count < q->count ? -1 : 1;
    return (int)p->closed - (int)q->closed;
}

// Number the nodes in the order of their places.
static bool number_nodes(grz_joiner *joiner)
{
    const size_t count = joiner->corner_count;
    joiner->corners = grz_allocate(joiner->allocator, count, sizeof *joiner->corners);
    joiner->node_of = grz_allocate(joiner->allocator, count, sizeof *joiner->node_of);
    joiner->node_corner = grz_allocate(joiner->allocator, count, sizeof *joiner->node_corner);
    joiner->touched = grz_allocate_zeroed(joiner->allocator, count, sizeof *joiner->touched);
    if (joiner->corners == NULL || joiner->node_of == NULL || joiner->node_corner == NULL || joiner->touched == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        joiner->corners[i] = (grz_curve_node){joiner->points[i], joiner->keys[i], i};
    qsort(joiner->corners, count, sizeof *joiner->corners, compare_nodes);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || compare_nodes(&joiner->corners[i - 1], &joiner->corners[i]) != 0)
            joiner->node_corner[joiner->node_count++] = i;
        joiner->node_of[joiner->corners[i].corner] = joiner->node_count - 1;
    }
    return true;
}

static bool add_link(grz_joiner *joiner, size_t p, size_t q, size_t polygon)
{
    const size_t node_p = joiner->node_of[p], node_q = joiner->node_of[q];
    joiner->touched[node_p] = joiner->touched[node_q] = true;
    if (node_p == node_q)
        return true;
    if (!grz_array_add(joiner->allocator, &joiner->links))
        return false;
    joiner->links.items[joiner->links.count - 1] =
        (grz_link){node_p < node_q ? node_p : node_q, node_p < node_q ? node_q : node_p, polygon};
    return true;
}

// Equal where two polygons run through the same nodes.
static int compare_polygons(const void *left, const void *right)
{
    const grz_polygon_entry *l = left, *r = right;
    const grz_joiner *joiner = l->joiner;
    const grz_contact *p = &joiner->contacts[l->contact], *q = &joiner->contacts[r->contact];
    if (p->point_count != q->point_count)
        return p->point_count < q->point_count ? -1 : 1;
    for (uint32_t k = 0; k < p->point_count; k++) {
        const size_t node_p = joiner->node_of[p->first_point - joiner->first_point + k],
                     node_q = joiner->node_of[q->first_point - joiner->first_point + k];
        if (node_p != node_q)
            return node_p < node_q ? -1 : 1;
    }
    return 0;
}

static bool number_polygons(grz_joiner *joiner)
{
    const size_t contact_count = joiner->contact_count;
    GRZ_ARRAY(grz_polygon_entry) entries = {0};
    joiner->polygon_of = grz_allocate(joiner->allocator, contact_count, sizeof *joiner->polygon_of);
    if (joiner->polygon_of == NULL)
        return false;
    for (size_t i = 0; i < contact_count; i++) {
        joiner->polygon_of[i] = NO_POLYGON;
        if (joiner->contacts[i].point_count < 3)
            continue;
        if (!grz_array_add(joiner->allocator, &entries)) {
            grz_array_finish(joiner->allocator, &entries);
            return false;
        }
        entries.items[entries.count - 1] = (grz_polygon_entry){joiner, i};
    }
    if (entries.count > 1)
        qsort(entries.items, entries.count, sizeof *entries.items, compare_polygons);
    size_t number = 0;
    for (size_t i = 0; i < entries.count; i++) {
        number += i > 0 && compare_polygons(&entries.items[i - 1], &entries.items[i]) != 0;
        joiner->polygon_of[entries.items[i].contact] = number;
    }
    grz_array_finish(joiner->allocator, &entries);
    return true;
}

// Whether these links between the same nodes, sorted by polygon, bound the polygons' union or are segments away from all polygons.
static bool is_boundary(const grz_link *links, size_t count)
{
    size_t polygons = 0;
    for (size_t i = 0; i < count; i++)
        polygons += links[i].polygon != NO_POLYGON && (i == 0 || links[i].polygon != links[i - 1].polygon);
    return polygons == 0 || polygons % 2 == 1;
}

static bool same_nodes(const grz_link *p, const grz_link *q)
{
    return p->low == q->low && p->high == q->high;
}

// Gather segments and polygon sides, and keep each link once, if at all.
static bool gather_links(grz_joiner *joiner)
{
    for (size_t i = 0; i < joiner->contact_count; i++) {
        const grz_contact *contact = &joiner->contacts[i];
        const uint32_t count = contact->point_count;
        const size_t first = contact->first_point - joiner->first_point;
        for (uint32_t k = 0; k < (count == 2 ? 1 : count > 2 ? count : 0); k++)
            if (!add_link(joiner, first + k, first + (k + 1) % count, joiner->polygon_of[i]))
                return false;
    }
    grz_link *links = joiner->links.items;
    size_t kept = 0;
    if (joiner->links.count > 1)
        qsort(links, joiner->links.count, sizeof *links, compare_links);
    for (size_t i = 0, end = 0; i < joiner->links.count; i = end) {
        while (end < joiner->links.count && same_nodes(&links[i], &links[end]))
            end++;
        if (is_boundary(links + i, end - i))
            links[kept++] = links[i];
    }
    joiner->links.count = kept;
    return true;
}

// Neighbours of each node, ascending: links are sorted, so lower neighbours are filled in before higher ones.
static bool build_neighbours(grz_joiner *joiner)
{
    const size_t ends = 2 * joiner->links.count, nodes = joiner->node_count;
    joiner->link_start = grz_allocate_zeroed(joiner->allocator, nodes + 2, sizeof *joiner->link_start);
    joiner->link_ends = grz_allocate(joiner->allocator, ends + 1, sizeof *joiner->link_ends);
    joiner->used = grz_allocate_zeroed(joiner->allocator, ends + 1, sizeof *joiner->used);
    if (joiner->link_start == NULL || joiner->link_ends == NULL || joiner->used == NULL)
        return false;
    size_t *start = joiner->link_start;
    for (size_t i = 0; i < joiner->links.count; i++) {
        start[joiner->links.items[i].low + 2]++;
        start[joiner->links.items[i].high + 2]++;
    }
    for (size_t i = 2; i < nodes + 2; i++)
        start[i] += start[i - 1];
    for (size_t i = 0; i < joiner->links.count; i++) // sorted by low, so `high` collects its lower neighbours in order
        joiner->link_ends[start[joiner->links.items[i].high + 1]++] = joiner->links.items[i].low;
    for (size_t i = 0; i < joiner->links.count; i++)
        joiner->link_ends[start[joiner->links.items[i].low + 1]++] = joiner->links.items[i].high;
    return true;
}

static size_t degree(const grz_joiner *joiner, size_t node)
{
    return joiner->link_start[node + 1] - joiner->link_start[node];
}

// Mark the other end of the link that leaves `from` for `to`.
static void use_back(grz_joiner *joiner, size_t from, size_t to)
{
    size_t low = joiner->link_start[to], high = joiner->link_start[to + 1];
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (joiner->link_ends[middle] <= from)
            low = middle;
        else
            high = middle;
    }
    joiner->used[low] = true;
}

static bool step_to(grz_joiner *joiner, size_t node)
{
    if (!grz_array_add(joiner->allocator, &joiner->walked))
        return false;
    joiner->walked.items[joiner->walked.count - 1] = node;
    return true;
}

// Follow the link at `end` from `first` until the curve ends, or comes back to `first`.
static bool walk_run(grz_joiner *joiner, size_t first, size_t end)
{
    grz_run run = {.joiner = joiner, .start = joiner->walked.count};
    size_t node = first;
    if (!step_to(joiner, first))
        return false;
    for (;;) {
        const size_t next = joiner->link_ends[end];
        joiner->used[end] = true;
        use_back(joiner, node, next);
        if (!step_to(joiner, next))
            return false;
        if (next == first || degree(joiner, next) != 2)
            break;
        const size_t base = joiner->link_start[next];
        end = joiner->link_ends[base] == node ? base + 1 : base;
        node = next;
    }
    run.count = joiner->walked.count - run.start;
    run.closed = joiner->walked.items[run.start] == joiner->walked.items[joiner->walked.count - 1];
    if (!grz_array_add(joiner->allocator, &joiner->runs))
        return false;
    joiner->runs.items[joiner->runs.count - 1] = run;
    return true;
}

static bool add_point_run(grz_joiner *joiner, size_t node)
{
    if (!step_to(joiner, node) || !grz_array_add(joiner->allocator, &joiner->runs))
        return false;
    joiner->runs.items[joiner->runs.count - 1] = (grz_run){.joiner = joiner, .start = joiner->walked.count - 1, .count = 1};
    return true;
}

// Curves that start and end where the number of links is not two, then the closed ones.
static bool walk_all(grz_joiner *joiner)
{
    for (int closed = 0; closed < 2; closed++) {
        for (size_t node = 0; node < joiner->node_count; node++) {
            if ((degree(joiner, node) == 2) != (closed == 1))
                continue;
            for (size_t end = joiner->link_start[node]; end < joiner->link_start[node + 1]; end++)
                if (!joiner->used[end] && !walk_run(joiner, node, end))
                    return false;
            if (degree(joiner, node) == 0 && !joiner->touched[node] && !add_point_run(joiner, node))
                return false;
        }
    }
    return true;
}

static void reverse(size_t *nodes, size_t count)
{
    for (size_t i = 0; 2 * i + 1 < count; i++) {
        const size_t swapped = nodes[i];
        nodes[i] = nodes[count - 1 - i];
        nodes[count - 1 - i] = swapped;
    }
}

// The place of node `i` of a loop, counted from its beginning or from its end.
static const grz_point *loop_place(const grz_joiner *joiner, const size_t *loop, size_t count, bool backwards, size_t i)
{
    return node_place(joiner, loop[backwards ? count - 1 - i % count : i % count]);
}

// Where to start in a loop to get the smallest sequence of places. Linear: of two starts the one found larger is given up, and with it
// all those that the comparison has passed.
static size_t smallest_start(const grz_joiner *joiner, const size_t *loop, size_t count, bool backwards)
{
    size_t p = 0, q = 1, same = 0;
    while (p < count && q < count && same < count) {
        const int order = compare_places(loop_place(joiner, loop, count, backwards, p + same),
                                         loop_place(joiner, loop, count, backwards, q + same));
        if (order == 0) {
            same++;
            continue;
        }
        if (order > 0)
            p += same + 1;
        else
            q += same + 1;
        q += p == q;
        same = 0;
    }
    return p < q ? p : q;
}

// Turn a closed curve, whose last node repeats the first, to the smallest sequence of places of all starts and both directions.
static void turn_loop(const grz_joiner *joiner, size_t *loop, size_t count)
{
    size_t start = smallest_start(joiner, loop, count, false);
    const size_t other = smallest_start(joiner, loop, count, true);
    int order = 0;
    for (size_t i = 0; i < count && order == 0; i++)
        order = compare_places(loop_place(joiner, loop, count, false, start + i), loop_place(joiner, loop, count, true, other + i));
    if (order > 0) {
        reverse(loop, count);
        start = other;
    }
    reverse(loop, start);
    reverse(loop + start, count - start);
    reverse(loop, count);
    loop[count] = loop[0];
}

// Turn an open curve to the smaller of its two directions.
static void turn_path(const grz_joiner *joiner, size_t *path, size_t count)
{
    int order = 0;
    for (size_t i = 0; i < count && order == 0; i++)
        order = compare_places(node_place(joiner, path[i]), node_place(joiner, path[count - 1 - i]));
    if (order > 0)
        reverse(path, count);
}

static bool write_curves(const grz_joiner *joiner, grz_result *result)
{
    for (size_t i = 0; i < joiner->runs.count; i++) {
        const grz_run *run = &joiner->runs.items[i];
        if (run->closed)
            turn_loop(joiner, joiner->walked.items + run->start, run->count - 1);
        else
            turn_path(joiner, joiner->walked.items + run->start, run->count);
    }
    if (joiner->runs.count > 1)
        qsort(joiner->runs.items, joiner->runs.count, sizeof *joiner->runs.items, compare_runs);
    if (!grz_array_reserve(result->allocator, &result->curves, result->curves.count + joiner->runs.count) ||
        !grz_array_reserve(result->allocator, &result->curve_points, result->curve_points.count + joiner->walked.count))
        return false;
    for (size_t i = 0; i < joiner->runs.count; i++) {
        const grz_run *run = &joiner->runs.items[i];
        const size_t *nodes = joiner->walked.items + run->start;
        result->curves.items[result->curves.count++] =
            (grz_curve){.first_point = result->curve_points.count, .point_count = run->count, .closed = run->closed};
        for (size_t k = 0; k < run->count; k++)
            result->curve_points.items[result->curve_points.count++] = *node_place(joiner, nodes[k]);
    }
    return true;
}

grz_status grz_result_build_curves(grz_result *result, const grz_found_range *range, grz_control *control, grz_verdict *verdict)
{
    (void)range;
    verdict->first_curve = result->curves.count;
    if (verdict->contact_count == 0)
        return GRZ_OK;
    const grz_contact *contacts = result->contacts.items + verdict->first_contact;
    const size_t first_point = contacts[0].first_point, count = result->points.count - first_point;
    grz_joiner joiner = {.allocator = result->allocator,
                         .contacts = contacts,
                         .contact_count = verdict->contact_count,
                         .points = result->points.items + first_point,
                         .keys = result->keys.items + first_point,
                         .first_point = first_point,
                         .corner_count = count};
    if (grz_control_expired(control))
        return grz_control_status(control);
    const bool done = number_nodes(&joiner) && number_polygons(&joiner) && gather_links(&joiner) && build_neighbours(&joiner) &&
                      walk_all(&joiner) && write_curves(&joiner, result);
    const size_t ends = 2 * joiner.links.count + 1;
    grz_release(result->allocator, joiner.corners, count, sizeof *joiner.corners);
    grz_release(result->allocator, joiner.node_of, count, sizeof *joiner.node_of);
    grz_release(result->allocator, joiner.node_corner, count, sizeof *joiner.node_corner);
    grz_release(result->allocator, joiner.touched, count, sizeof *joiner.touched);
    grz_release(result->allocator, joiner.polygon_of, joiner.contact_count, sizeof *joiner.polygon_of);
    grz_release(result->allocator, joiner.link_start, joiner.node_count + 2, sizeof *joiner.link_start);
    grz_release(result->allocator, joiner.link_ends, ends, sizeof *joiner.link_ends);
    grz_release(result->allocator, joiner.used, ends, sizeof *joiner.used);
    grz_array_finish(result->allocator, &joiner.links);
    grz_array_finish(result->allocator, &joiner.walked);
    grz_array_finish(result->allocator, &joiner.runs);
    verdict->curve_count = result->curves.count - verdict->first_curve;
    return done ? GRZ_OK : GRZ_ERROR_MEMORY;
}
