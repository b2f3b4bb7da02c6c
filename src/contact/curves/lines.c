// SPDX-License-Identifier: MIT
// Collects links to lines. A link lies along an edge of a triangle, or where two planes meet; links with the same edge
// or the same planes are on one line. A line reaches from the first end of its links to the last.
#include "contact/curves/lines.h"

#include "base/control.h"
#include "base/sort/sort.h"

bool grz_lines_begin(grz_joiner *joiner, grz_lines *lines)
{
    lines->joiner = joiner;
    if (!grz_triangle_set_build(joiner, &lines->set))
        return false;
    lines->edge_room = 3 * lines->set.count;
    if (lines->edge_room == 0)
        return true;
    lines->edges = grz_allocate(joiner->allocator, lines->edge_room, sizeof *lines->edges);
    for (size_t i = 0; i < lines->edge_room && lines->edges != NULL; i++)
        lines->edges[i] = SIZE_MAX;
    return lines->edges != NULL;
}

void grz_lines_finish(grz_lines *lines)
{
    const grz_joiner *joiner = lines->joiner;
    grz_release(joiner->allocator, lines->edges, lines->edge_room, sizeof *lines->edges);
    grz_array_finish(joiner->allocator, &lines->along);
    grz_array_finish(joiner->allocator, &lines->others);
    grz_strips_finish(joiner, &lines->strips);
    grz_triangle_set_finish(joiner, &lines->set);
}

// ---- Collecting ----

// The exact order of two nodes. Rounding is monotone, so the first coordinates decide if their roundings differ. The
// other two do not: the first ones may differ although their roundings are equal.
static int compare_nodes(const grz_joiner *joiner, size_t p, size_t q)
{
    const size_t corner[2] = {joiner->node_corner[p], joiner->node_corner[q]};
    const double first[2] = {joiner->own[corner[0]].at[0], joiner->own[corner[1]].at[0]};
    if (p == q)
        return 0;
    if (first[0] != first[1])
        return first[0] < first[1] ? -1 : 1;
    grz_exact_point x, y;
    grz_curves_point(joiner, corner[0], &x);
    grz_curves_point(joiner, corner[1], &y);
    return grz_exact_compare(&x, &y);
}

// Make a line reach to a node that lies on it.
static void extend(const grz_joiner *joiner, grz_line *line, size_t node)
{
    if (compare_nodes(joiner, node, line->end[0]) < 0)
        line->end[0] = node;
    else if (compare_nodes(joiner, node, line->end[1]) > 0)
        line->end[1] = node;
}

static grz_line line_of(const grz_joiner *joiner, const grz_candidate_link *link)
{
    const bool turned = compare_nodes(joiner, link->low, link->high) > 0;
    return (grz_line){.end = {turned ? link->high : link->low, turned ? link->low : link->high}, .side = link->side};
}

// The edge of a triangle with area along which a link runs: its number in lines->edges. False if there is none.
static bool find_edge(const grz_lines *lines, const grz_candidate_link *link, size_t *edge)
{
    for (int half = 0; half < 2; half++) {
        size_t index;
        if (!grz_triangle_set_index(&lines->set, link->side.contact, half, &index) || !lines->set.items[index].area)
            continue;
        const unsigned edges = grz_curves_side_edges(lines->joiner, link->side, half);
        if (edges == 0)
            continue;
        *edge = 3 * index + ((edges & 1) != 0 ? 0 : (edges & 2) != 0 ? 1 : 2);
        return true;
    }
    return false;
}

static void extend_along(grz_lines *lines, size_t edge, const grz_candidate_link *link)
{
    grz_line *line = &lines->along.items[lines->edges[edge]];
    extend(lines->joiner, line, link->low);
    extend(lines->joiner, line, link->high);
}

bool grz_lines_add_to_known(grz_lines *lines, const grz_candidate_link *link)
{
    size_t edge;
    if (lines->along.count == 0 || !find_edge(lines, link, &edge) || lines->edges[edge] == SIZE_MAX)
        return false;
    extend_along(lines, edge, link);
    return true;
}

// The keys of a link that runs along no edge of a triangle with area: a triangle without area that it lies in, or the
// two planes that meet there.
static void find_keys(const grz_lines *lines, const grz_candidate_link *link, uint64_t keys[2])
{
    const grz_joiner *joiner = lines->joiner;
    const grz_found *found = &joiner->found[link->side.contact];
    const uint32_t triangle[2] = {found->triangle_a, found->triangle_b};
    for (int half = 0; half < 2; half++) {
        size_t index;
        if (!grz_triangle_set_index(&lines->set, link->side.contact, half, &index) || !lines->set.items[index].area) {
            keys[0] = UINT64_C(1) << 63 | (uint64_t)(joiner->b != NULL ? half : 0) << 32 | triangle[half];
            keys[1] = UINT64_MAX; // unlike all numbers of planes
            return;
        }
        keys[half] = lines->set.items[index].plane;
    }
    if (keys[0] > keys[1]) {
        const uint64_t low = keys[1];
        keys[1] = keys[0];
        keys[0] = low;
    }
}

bool grz_lines_add(grz_lines *lines, const grz_candidate_link *link)
{
    const grz_joiner *joiner = lines->joiner;
    size_t edge;
    if (!find_edge(lines, link, &edge)) {
        if (!grz_array_add(joiner->allocator, &lines->others))
            return false;
        grz_line *line = &lines->others.items[lines->others.count - 1];
        *line = line_of(joiner, link);
        find_keys(lines, link, line->key);
        return true;
    }
    if (lines->edges[edge] != SIZE_MAX) {
        extend_along(lines, edge, link);
        return true;
    }
    if (!grz_array_add(joiner->allocator, &lines->along))
        return false;
    lines->edges[edge] = lines->along.count - 1;
    lines->along.items[lines->along.count - 1] = line_of(joiner, link);
    return true;
}

// ---- Cutting ----

static int compare_keys(const void *left, const void *right, void *context)
{
    const grz_line *p = left, *q = right;
    (void)context;
    if (p->key[0] != q->key[0])
        return p->key[0] < q->key[0] ? -1 : 1;
    return (p->key[1] > q->key[1]) - (p->key[1] < q->key[1]);
}

static bool cut_line(grz_lines *lines, const grz_line *line)
{
    return grz_strips_find(lines->joiner, &lines->set, line, &lines->strips) &&
           grz_strips_cut(lines->joiner, &lines->strips);
}

bool grz_lines_cut(grz_lines *lines)
{
    grz_joiner *joiner = lines->joiner;
    grz_line *others = lines->others.items;
    for (size_t i = 0; i < lines->along.count; i++)
        if (!cut_line(lines, &lines->along.items[i]))
            return false;
    if (lines->others.count > 0 &&
        grz_sort(others, lines->others.count, sizeof *others, compare_keys, NULL, joiner->control) != GRZ_OK)
        return false;
    for (size_t i = 0, end = 0; i < lines->others.count; i = end) {
        grz_line line = others[i];
        for (end = i + 1; end < lines->others.count && compare_keys(&others[i], &others[end], NULL) == 0; end++) {
            extend(joiner, &line, others[end].end[0]);
            extend(joiner, &line, others[end].end[1]);
            if (grz_control_expired_at(joiner->control, end, 8))
                return false;
        }
        if (!cut_line(lines, &line))
            return false;
    }
    return true;
}
