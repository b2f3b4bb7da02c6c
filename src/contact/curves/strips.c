// SPDX-License-Identifier: MIT
// Finds what lies along a line: the part of the line in each triangle, by the sides of the line on which its corners
// are, and in each listed contact. Where two planes meet, a corner's side of the line is its side of the plane that its
// triangle does not lie in.
#include "base/control.h"
#include "contact/curves/lines.h"

#include "base/sort/sort.h"
#include "geometry/triangle/triangle.h"

// The plane of triangles near the line.
typedef struct grz_line_plane {
    size_t plane;  // as in grz_contact_triangle
    bool contains; // it contains the line
    int by;        // edge: the axis for projections; else which of the link's planes tells the sides
    size_t number; // its half-planes at the line are 2 · number and 2 · number + 1
} grz_line_plane;

// ---- Planes ----

// True if a plane through a triangle contains the line.
static bool contains_line(const grz_link_shape *link, const double t[3][3])
{
    for (int i = 0; i < 2; i++)
        if (grz_rounded_orient3d(t[0], t[1], t[2], link->end[i].rounded) != GRZ_SIGN_UNKNOWN)
            return false;
    for (int i = 0; i < 2; i++)
        if (link->on_edge ? grz_orient3d(t[0], t[1], t[2], link->line[i]) != 0
                          : grz_exact_orient3d(t[0], t[1], t[2], &link->end[i]) != 0)
            return false;
    return true;
}

static bool in_one_plane(const double p[3][3], const double q[3][3])
{
    for (int i = 0; i < 3; i++)
        if (grz_orient3d(p[0], p[1], p[2], q[i]) != 0)
            return false;
    return true;
}

// Find how the plane of a triangle lies to the line. Planes with several numbers may be equal: triangles of two numbers
// have no area in common, so it does not matter whether their half-planes are told to be the same.
static grz_line_plane examine_plane(grz_strips *strips, size_t number, const double corners[3][3])
{
    const grz_link_shape *link = &strips->link;
    grz_line_plane plane = {.plane = number, .contains = contains_line(link, corners)};
    int orientation;
    if (!plane.contains)
        return plane;
    plane.number = strips->half_count / 2;
    strips->half_count += 2;
    if (link->on_edge)
        plane.by = grz_projection_axis(corners, &orientation);
    else
        plane.by = in_one_plane((const double(*)[3])link->planes[1], corners) ? 0 : 1;
    return plane;
}

// ---- Strips ----

// Add a strip from one point to another, in any order, as far as it lies between the line's ends.
static bool add_strip(const grz_joiner *joiner, grz_strips *strips, const grz_exact_point end[2],
                      const grz_strip *strip)
{
    const grz_exact_point *bound = strips->link.end, *first = &end[0], *last = &end[1];
    if (grz_exact_compare(first, last) > 0) {
        first = &end[1];
        last = &end[0];
    }
    first = grz_exact_compare(first, &bound[0]) < 0 ? &bound[0] : first;
    last = grz_exact_compare(last, &bound[1]) > 0 ? &bound[1] : last;
    if (grz_exact_compare(first, last) >= 0)
        return true;
    const size_t stops = strips->stops.count;
    if (!grz_array_add(joiner->allocator, &strips->strips) ||
        !grz_array_reserve(joiner->allocator, &strips->stops, stops + 2))
        return false;
    strips->strips.items[strips->strips.count - 1] = *strip;
    strips->stops.items[stops] = *first;
    strips->stops.items[stops + 1] = *last;
    strips->stops.count = stops + 2;
    return true;
}

// On which side of the line a triangle's corner lies: 1, -1 or 0.
static int side_of(const grz_link_shape *link, const grz_line_plane *plane, const double corner[3])
{
    const double(*other)[3] = (const double(*)[3])link->planes[plane->by == 0 ? 0 : 1];
    return link->on_edge ? grz_orient_projected(plane->by, link->line[0], link->line[1], corner)
                         : grz_orient3d(other[0], other[1], other[2], corner);
}

// Where the line crosses the edge r-s of a triangle. The edge comes first, because its ends lie on both sides of the
// line: then the point can be rounded without integers.
static grz_exact_point crossing_of(const grz_link_shape *link, const grz_line_plane *plane, const double r[3],
                                   const double s[3])
{
    return link->on_edge ? grz_exact_on_line(r, s, link->line[0], link->line[1])
                         : grz_exact_on_plane(r, s, (const double(*)[3])link->planes[plane->by]);
}

// True if a point of a triangle without area lies on the line.
static bool is_on_line(const grz_link_shape *link, const double p[3])
{
    for (int i = 0; i < 3 && link->on_edge; i++)
        if (grz_orient_projected(i, link->line[0], link->line[1], p) != 0)
            return false;
    for (int i = 0; i < 2 && !link->on_edge; i++)
        if (grz_orient3d(link->planes[i][0], link->planes[i][1], link->planes[i][2], p) != 0)
            return false;
    return true;
}

// Add a triangle without area, if it lies on the line.
static bool add_degenerate(const grz_joiner *joiner, grz_strips *strips, const double c[3][3], const grz_strip *strip)
{
    grz_exact_point end[2] = {grz_exact_given(c[0]), grz_exact_given(c[0])};
    for (int i = 0; i < 3; i++) {
        const grz_exact_point corner = grz_exact_given(c[i]);
        if (!is_on_line(&strips->link, c[i]))
            return true;
        end[0] = grz_exact_compare(&corner, &end[0]) < 0 ? corner : end[0];
        end[1] = grz_exact_compare(&corner, &end[1]) > 0 ? corner : end[1];
    }
    return add_strip(joiner, strips, end, strip);
}

// Name the edge between two corners of a triangle by its vertices.
static uint64_t name_of_edge(const grz_triangle_set *set, size_t index, int p, int q)
{
    uint32_t vertices[3];
    grz_triangle_set_vertices(set, index, vertices);
    const uint64_t v = vertices[p], w = vertices[q];
    return v < w ? v << 32 | w : w << 32 | v;
}

// Add the part of the line that lies in a triangle, if it is more than a point. `plane`: of the triangle before it.
static bool add_triangle(const grz_joiner *joiner, grz_strips *strips, const grz_triangle_set *set, size_t index,
                         grz_line_plane *plane)
{
    const grz_link_shape *link = &strips->link;
    const grz_contact_triangle *triangle = &set->items[index];
    grz_strip strip = {.group = triangle->group, .edge = UINT64_MAX - strips->strips.count};
    double c[3][3];
    int side[3], above = 0, below = 0, count = 0, zero = 0;
    grz_triangle_set_corners(set, index, c);
    if (!triangle->area)
        return add_degenerate(joiner, strips, (const double(*)[3])c, &strip);
    if (plane->plane != triangle->plane) // triangles come sorted by plane
        *plane = examine_plane(strips, triangle->plane, (const double(*)[3])c);
    if (!plane->contains)
        return true;
    for (int i = 0; i < 3; i++) {
        side[i] = side_of(link, plane, c[i]);
        above += side[i] > 0;
        below += side[i] < 0;
        zero = side[i] != 0 ? zero : i;
    }
    assert(above + below > 0);
    strip.count = above > 0 && below > 0 ? 2 : 1;
    strip.half[0] = 2 * plane->number + (below == 0 ? 1 : 0);
    strip.half[1] = 2 * plane->number + 1;
    if (strip.count == 1 && above + below > 1)
        return true;
    if (strip.count == 1 && joiner->b == NULL)
        strip.edge = name_of_edge(set, index, zero, side[(zero + 1) % 3] == 0 ? (zero + 1) % 3 : (zero + 2) % 3);
    grz_exact_point end[2];
    for (int i = 0; i < 3; i++) {
        const int next = (i + 1) % 3;
        if (side[i] == 0)
            end[count++] = grz_exact_given(c[i]);
        else if (side[i] * side[next] < 0)
            end[count++] = crossing_of(link, plane, c[i], c[next]);
    }
    assert(count == 2);
    return add_strip(joiner, strips, end, &strip);
}

// Add the part of the line that lies in a listed contact, if it is more than a point.
static bool add_listed(const grz_joiner *joiner, grz_strips *strips, size_t contact)
{
    const grz_strip strip = {.listed = true};
    grz_common_part part;
    if (grz_curves_is_apart(joiner, strips->link.node[0], strips->link.node[1], contact) ||
        !grz_curves_common_part(joiner, &strips->link, contact, &part))
        return true;
    return add_strip(joiner, strips, part.end, &strip);
}

// ---- Numbers ----

// For the sort: strip and half-plane as one number, 2 · strip + 0 or 1.
static int compare_members(const void *left, const void *right, void *context)
{
    const grz_strips *strips = context;
    const size_t p = *(const size_t *)left, q = *(const size_t *)right;
    const grz_strip *x = &strips->strips.items[p / 2], *y = &strips->strips.items[q / 2];
    if (x->half[p % 2] != y->half[q % 2])
        return x->half[p % 2] < y->half[q % 2] ? -1 : 1;
    return (x->group > y->group) - (x->group < y->group);
}

static int compare_edges(const void *left, const void *right, void *context)
{
    const grz_strips *strips = context;
    const grz_strip *x = &strips->strips.items[*(const size_t *)left],
                    *y = &strips->strips.items[*(const size_t *)right];
    return (x->edge > y->edge) - (x->edge < y->edge);
}

static int compare_groups(const void *left, const void *right, void *context)
{
    const grz_strips *strips = context;
    const grz_strip *x = &strips->strips.items[*(const size_t *)left],
                    *y = &strips->strips.items[*(const size_t *)right];
    return x->group != y->group ? (x->group < y->group ? -1 : 1) : compare_edges(left, right, context);
}

// Number the pairs of half-plane and group.
static bool number_members(const grz_joiner *joiner, grz_strips *strips)
{
    const size_t count = strips->strips.count;
    grz_strip *items = strips->strips.items;
    size_t *order = strips->order.items, used = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < items[i].count; k++)
            order[used++] = 2 * i + k;
    if (grz_sort(order, used, sizeof *order, compare_members, strips, joiner->control) != GRZ_OK)
        return false;
    for (size_t i = 0; i < used; i++) {
        strips->member_count += i == 0 || compare_members(&order[i - 1], &order[i], strips) != 0 ? 1 : 0;
        items[order[i] / 2].member[order[i] % 2] = strips->member_count - 1;
    }
    return true;
}

// Number groups, edges, and pairs of them.
static bool number_groups(const grz_joiner *joiner, grz_strips *strips)
{
    const size_t count = strips->strips.count;
    grz_strip *items = strips->strips.items;
    size_t *order = strips->order.items;
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    if (grz_sort(order, count, sizeof *order, compare_edges, strips, joiner->control) != GRZ_OK)
        return false;
    for (size_t i = 0; i < count; i++) {
        strips->edge_count += i == 0 || items[order[i]].edge != items[order[i - 1]].edge ? 1 : 0;
        items[order[i]].edge_number = strips->edge_count - 1;
    }
    if (grz_sort(order, count, sizeof *order, compare_groups, strips, joiner->control) != GRZ_OK)
        return false;
    for (size_t i = 0; i < count; i++) {
        const bool group = i == 0 || items[order[i]].group != items[order[i - 1]].group;
        strips->group_count += group ? 1 : 0;
        strips->both_count += group || items[order[i]].edge != items[order[i - 1]].edge ? 1 : 0;
        items[order[i]].group_number = strips->group_count - 1;
        items[order[i]].both_number = strips->both_count - 1;
    }
    return true;
}

// ---- All ----

// Triangles by plane, then listed contacts.
static int compare_found(const void *left, const void *right, void *context)
{
    const grz_triangle_set *set = context;
    const size_t p = *(const size_t *)left, q = *(const size_t *)right;
    if (p < set->count && q < set->count && set->items[p].plane != set->items[q].plane)
        return set->items[p].plane < set->items[q].plane ? -1 : 1;
    return (p > q) - (p < q);
}

bool grz_strips_find(grz_joiner *joiner, grz_triangle_set *set, const grz_line *line, grz_strips *strips)
{
    const grz_candidate_link whole = {.low = line->end[0], .high = line->end[1], .side = line->side};
    grz_box box = grz_box_empty();
    grz_line_plane plane = {.plane = SIZE_MAX};
    strips->strips.count = strips->stops.count = 0;
    strips->half_count = strips->member_count = strips->group_count = strips->edge_count = strips->both_count = 0;
    grz_curves_shape(joiner, &whole, &strips->link);
    for (int i = 0; i < 2; i++)
        grz_box_add_point(&box, strips->link.end[i].rounded);
    if (!grz_box_tree_find(&set->tree, &box, SIZE_MAX))
        return false;
    size_t *found = set->tree.found.items;
    const size_t count = set->tree.found.count;
    joiner->work += count;
    if (grz_sort(found, count, sizeof *found, compare_found, set, joiner->control) != GRZ_OK)
        return false;
    for (size_t i = 0; i < count; i++)
        if (grz_control_expired_at(joiner->control, i, 8) ||
            !(found[i] < set->count ? add_triangle(joiner, strips, set, found[i], &plane)
                                    : add_listed(joiner, strips, found[i] - set->count)))
            return false;
    return grz_array_reserve(joiner->allocator, &strips->order, 2 * strips->strips.count) &&
           number_members(joiner, strips) && number_groups(joiner, strips);
}

void grz_strips_finish(const grz_joiner *joiner, grz_strips *strips)
{
    grz_array_finish(joiner->allocator, &strips->strips);
    grz_array_finish(joiner->allocator, &strips->stops);
    grz_array_finish(joiner->allocator, &strips->order);
}
