// SPDX-License-Identifier: MIT
// Cuts a line at the points where contacts begin and end along it, and judges each piece. The contacts are not looked
// at, but counted from stop to stop by the triangles that are open there (docs/reference/numbers.md, "How curves are
// made"):
// - Two triangles of different groups in one half-plane at the line have an area in common. The half-plane is covered.
// - Two triangles of different groups in other half-planes have a segment in common, and are a contact unless that is
//   one edge of the mesh, which both have.
#include "base/control.h"
#include "contact/curves/lines.h"

#include "base/sort/sort.h"

// What is open at the current position of the sweep.
typedef struct grz_line_sweep {
    grz_joiner *joiner;
    grz_strips *strips;
    size_t *stops; // in their order along the line
    // How many open strips there are of each number, and in a half-plane how many of its groups are open.
    size_t *members, *halves, *groups, *edges, *both;
    size_t covered;                 // half-planes with two groups or more
    size_t listed;                  // open strips that are listed contacts
    size_t strip_count;             // the other open strips
    size_t group_count, edge_count; // how many groups and edges have any
} grz_line_sweep;

static int compare_stops(const void *left, const void *right, void *context)
{
    const grz_strips *strips = context;
    return grz_exact_compare(&strips->stops.items[*(const size_t *)left], &strips->stops.items[*(const size_t *)right]);
}

static void open_strip(grz_line_sweep *sweep, const grz_strip *strip)
{
    if (strip->listed) {
        sweep->listed++;
        return;
    }
    sweep->strip_count++;
    sweep->group_count += sweep->groups[strip->group_number]++ == 0;
    sweep->edge_count += sweep->edges[strip->edge_number]++ == 0;
    sweep->both[strip->both_number]++;
    for (size_t k = 0; k < strip->count; k++)
        if (sweep->members[strip->member[k]]++ == 0 && ++sweep->halves[strip->half[k]] == 2)
            sweep->covered++;
}

static void close_strip(grz_line_sweep *sweep, const grz_strip *strip)
{
    if (strip->listed) {
        sweep->listed--;
        return;
    }
    sweep->strip_count--;
    sweep->group_count -= --sweep->groups[strip->group_number] == 0;
    sweep->edge_count -= --sweep->edges[strip->edge_number] == 0;
    sweep->both[strip->both_number]--;
    for (size_t k = 0; k < strip->count; k++) {
        assert(sweep->members[strip->member[k]] > 0 && sweep->halves[strip->half[k]] > 0);
        if (--sweep->members[strip->member[k]] == 0 && --sweep->halves[strip->half[k]] == 1)
            sweep->covered--;
    }
}

// True if an open strip is part of a contact here: another one has an area in common with it, or neither its group nor
// its edge.
static bool is_contact(const grz_line_sweep *sweep, const grz_strip *strip)
{
    if (strip->listed)
        return true;
    for (size_t k = 0; k < strip->count; k++)
        if (sweep->halves[strip->half[k]] > 1)
            return true;
    return sweep->strip_count + sweep->both[strip->both_number] >
           sweep->groups[strip->group_number] + sweep->edges[strip->edge_number];
}

// Pass stops first to last - 1, which are one point. True if a contact begins or ends there.
static bool pass_point(grz_line_sweep *sweep, size_t first, size_t last)
{
    const grz_strip *strips = sweep->strips->strips.items;
    const size_t *stops = sweep->stops;
    bool cut = false;
    for (size_t i = first; i < last && !cut; i++)
        cut = stops[i] % 2 == 1 && is_contact(sweep, &strips[stops[i] / 2]);
    for (size_t i = first; i < last; i++)
        if (stops[i] % 2 == 1)
            close_strip(sweep, &strips[stops[i] / 2]);
    for (size_t i = first; i < last; i++)
        if (stops[i] % 2 == 0)
            open_strip(sweep, &strips[stops[i] / 2]);
    for (size_t i = first; i < last && !cut; i++)
        cut = stops[i] % 2 == 0 && is_contact(sweep, &strips[stops[i] / 2]);
    return cut;
}

// True if the piece that begins here is part of a curve: it bounds an area, or is a segment outside of areas. Where
// there are two groups and two edges, some two strips have neither in common: two of different groups have one edge or
// are such a pair, and one with another edge has not the group of both.
static bool is_wanted(const grz_line_sweep *sweep)
{
    const bool segment = sweep->group_count > 1 && sweep->edge_count > 1;
    return sweep->covered == 1 || (sweep->covered == 0 && (segment || sweep->listed > 0));
}

// The node at a stop. The nodes at the line's ends are known.
static bool node_of_stop(const grz_line_sweep *sweep, size_t stop, size_t *node)
{
    const grz_link_shape *link = &sweep->strips->link;
    const grz_exact_point *point = &sweep->strips->stops.items[stop];
    for (int end = 0; end < 2; end++) {
        if (grz_exact_compare(point, &link->end[end]) == 0) {
            *node = link->node[end];
            return true;
        }
    }
    return grz_curves_find_node(sweep->joiner, point, node);
}

static bool sweep_stops(grz_line_sweep *sweep)
{
    const size_t count = sweep->strips->stops.count;
    size_t last = 0; // a stop at the last cut
    bool wanted = false;
    for (size_t i = 0, end = 0; i < count; i = end) {
        do {
            end++;
            if (grz_control_expired_at(sweep->joiner->control, end, 8))
                return false;
        } while (end < count && compare_stops(&sweep->stops[i], &sweep->stops[end], sweep->strips) == 0);
        if (!pass_point(sweep, i, end)) {
            assert(wanted == is_wanted(sweep));
            continue;
        }
        size_t p, q;
        if (wanted && (!node_of_stop(sweep, last, &p) || !node_of_stop(sweep, sweep->stops[i], &q) ||
                       !grz_curves_add_link(sweep->joiner, p, q)))
            return false;
        last = sweep->stops[i];
        wanted = is_wanted(sweep);
    }
    assert(!wanted && sweep->covered == 0 && sweep->strip_count == 0 && sweep->listed == 0);
    return true;
}

bool grz_strips_cut(grz_joiner *joiner, grz_strips *strips)
{
    const grz_allocator *allocator = joiner->allocator;
    const size_t count = strips->stops.count;
    const size_t room =
        strips->half_count + strips->member_count + strips->group_count + strips->edge_count + strips->both_count;
    grz_line_sweep sweep = {.joiner = joiner, .strips = strips};
    if (count == 0)
        return true;
    sweep.stops = grz_allocate(allocator, count, sizeof *sweep.stops);
    sweep.groups = grz_allocate_zeroed(allocator, room, sizeof *sweep.groups);
    bool done = sweep.stops != NULL && sweep.groups != NULL;
    for (size_t i = 0; done && i < count; i++)
        sweep.stops[i] = i;
    if (done) {
        sweep.edges = sweep.groups + strips->group_count;
        sweep.both = sweep.edges + strips->edge_count;
        sweep.halves = sweep.both + strips->both_count;
        sweep.members = sweep.halves + strips->half_count;
    }
    done = done &&
           grz_sort(sweep.stops, count, sizeof *sweep.stops, compare_stops, strips, joiner->control) == GRZ_OK &&
           sweep_stops(&sweep);
    grz_release(allocator, sweep.stops, count, sizeof *sweep.stops);
    grz_release(allocator, sweep.groups, room, sizeof *sweep.groups);
    return done;
}
