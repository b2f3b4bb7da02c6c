// SPDX-License-Identifier: MIT
// The labels around the contacts of two clean surfaces. A contact with area tells the labels on its two sides; a
// segment in the interiors of two triangles, those of the four quadrants around it; a segment on an edge, those of the
// sectors around it: the pages of the book whose spine it is. docs/use/solids.md proves that with the shells that have
// no such contact these are all labels there are.
#include <assert.h>
#include <string.h>

#include "base/control.h"
#include "geometry/triangle/pages.h"
#include "geometry/triangle/triangle.h"
#include "inside/solids/cell_labels.h"
#include "mesh/triangles.h"

enum {
    CHECK_BITS = 8, // contacts between two checks of the control, as a power of two
    FEW_PAGES = 16  // so many fit on the stack
};

// One of the two meshes at a contact.
typedef struct contact_side {
    const grz_posed_surface *surface;
    uint32_t triangle;
    double corners[3][3];
    int edge;              // the edge that holds the segment; -1: none, the segment is in the triangle's interior
    const uint64_t *group; // the triangles on that edge
    uint32_t group_count;
} contact_side;

typedef struct contact_work {
    grz_control *control;
    grz_contact_labels *out;
    contact_side side[2]; // A and B
} contact_work;

// ---- Which edge ----

// The edges of a triangle that hold a feature: bit i for edge i.
static unsigned edges_of(int feature)
{
    static const unsigned edges[] = {1 | 4, 2 | 1, 4 | 2, 1, 2, 4, 0};
    assert(feature >= GRZ_CORNER_0 && feature <= GRZ_FACE);
    return edges[feature];
}

// The edge that holds both features; -1: none does. Two different points are on one edge in common at most.
static int common_edge(int one, int other)
{
    const unsigned edges = edges_of(one) & edges_of(other);
    return edges == 0 ? -1 : edges == 1 ? 0 : edges == 2 ? 1 : 2;
}

static void find_group(contact_side *side)
{
    const grz_surface *surface = side->surface->surface;
    const uint32_t *vertex = side->surface->object->mesh->triangles + 3 * (size_t)side->triangle;
    if (side->edge < 0)
        return;
    side->group = grz_surface_edge(surface, vertex[side->edge], vertex[(side->edge + 1) % 3], &side->group_count);
    assert(side->group_count >= 2);
}

static void world_corners(const contact_side *side, uint32_t triangle, double corners[3][3])
{
    const grz_object *object = side->surface->object;
    grz_world_corners(object->mesh, &object->pose, triangle, corners);
}

// A corner of a triangle on an edge of this side that is not on the edge.
static void free_corner(const contact_side *side, uint32_t triangle, double corners[3][3], double at[3])
{
    const double *p = side->corners[side->edge], *q = side->corners[(side->edge + 1) % 3];
    world_corners(side, triangle, corners);
    int i = 0;
    while (i < 2 && (grz_same_point(corners[i], p) || grz_same_point(corners[i], q)))
        i++;
    memcpy(at, corners[i], sizeof corners[i]);
}

// ---- One picture for each segment ----
// All triangles on an edge meet the other mesh in the same segments, so each segment is found many times. It is
// worked on once: for the first pair of triangles that have only the segment in common.

// True if triangle number `index` of a group lies in the plane of `face`.
static bool lies_in_plane(const contact_side *side, uint32_t index, const double face[3][3])
{
    double corners[3][3], at[3];
    free_corner(side, (uint32_t)side->group[index], corners, at);
    return grz_orient3d(face[0], face[1], face[2], at) == 0;
}

// An edge of `side` in the interior of a triangle of the other mesh.
static bool is_first_of_edge(const contact_side *side, const double face[3][3])
{
    uint32_t index = 0;
    while (index < side->group_count && (uint32_t)side->group[index] != side->triangle)
        if (!lies_in_plane(side, index++, face))
            return false;
    return true;
}

// Edges of both meshes.
static bool is_first_of_edges(const contact_side *a, const contact_side *b)
{
    const uint32_t first_a = (uint32_t)a->group[0], first_b = (uint32_t)b->group[0];
    double corners[3][3], at[3], other[3];
    if (a->triangle != first_a)
        return false;
    if (b->triangle == first_b)
        return true;
    if (b->triangle != (uint32_t)b->group[1])
        return false;
    free_corner(a, first_a, corners, at);
    free_corner(b, first_b, corners, other);
    return grz_pages_coincide(a->corners[a->edge], a->corners[(a->edge + 1) % 3], at, other);
}

// ---- The picture ----

static void fill_page(const contact_side *side, const double p[3], const double q[3], uint32_t triangle,
                      const double corners[3][3], const double at[3], uint8_t mesh, grz_page *page)
{
    *page = (grz_page){.triangle = triangle, .mesh = mesh, .turn = (int8_t)grz_page_turn(p, q, at, corners)};
    memcpy(page->at, at, sizeof page->at);
    page->behind = grz_side_is_inside(side->surface, triangle, page->turn > 0);
    page->before = grz_side_is_inside(side->surface, triangle, page->turn < 0);
}

// The pages of one mesh around the line from p to q. Returns how many.
static size_t add_pages(const contact_side *side, const double p[3], const double q[3], uint8_t mesh, grz_page *pages)
{
    size_t count = 0;
    if (side->edge >= 0) {
        for (; count < side->group_count; count++) {
            const uint32_t triangle = (uint32_t)side->group[count];
            double corners[3][3], at[3];
            free_corner(side, triangle, corners, at);
            fill_page(side, p, q, triangle, (const double(*)[3])corners, at, mesh, &pages[count]);
        }
        return count;
    }
    // The segment is in the triangle's interior: the triangle goes on on both sides of it.
    const double(*corners)[3] = (const double(*)[3])side->corners;
    int orientation;
    const int axis = grz_projection_axis(corners, &orientation);
    for (int wanted = -1; wanted <= 1; wanted += 2)
        for (int i = 0; i < 3; i++)
            if (grz_orient_projected(axis, p, q, corners[i]) == wanted) {
                fill_page(side, p, q, side->triangle, corners, corners[i], mesh, &pages[count++]);
                break;
            }
    assert(count == 2);
    return count;
}

// The labels of the sectors between sorted pages.
static unsigned labels_of_sectors(const double p[3], const double q[3], const grz_page *pages, size_t count)
{
    bool in[2] = {false, false};
    unsigned labels = 0;
    for (size_t i = 0; i < count; i++) // what holds before the first page: the last one of each mesh says it
        in[pages[i].mesh] = pages[i].behind;
    for (size_t i = 0; i < count; i++) {
        assert(in[pages[i].mesh] == pages[i].before);
        in[pages[i].mesh] = pages[i].behind;
        if (i + 1 == count || !grz_pages_coincide(p, q, pages[i].at, pages[i + 1].at))
            labels |= grz_label(in[0], in[1]);
    }
    return labels;
}

static grz_status add_segment(contact_work *work, const grz_intersection *intersection)
{
    contact_side *a = &work->side[0], *b = &work->side[1];
    a->edge = common_edge(intersection->nodes[0].a, intersection->nodes[1].a);
    b->edge = common_edge(intersection->nodes[0].b, intersection->nodes[1].b);
    assert(a->edge >= 0 || b->edge >= 0); // else the triangles cross
    find_group(a);
    find_group(b);
    if (a->edge >= 0 && b->edge >= 0 ? !is_first_of_edges(a, b)
        : a->edge >= 0               ? !is_first_of_edge(a, (const double(*)[3])b->corners)
                                     : !is_first_of_edge(b, (const double(*)[3])a->corners))
        return GRZ_OK;
    const contact_side *spine = a->edge >= 0 ? a : b;
    const double *p = spine->corners[spine->edge], *q = spine->corners[(spine->edge + 1) % 3];
    const grz_allocator *allocator = grz_control_allocator(work->control);
    const size_t room = (a->edge >= 0 ? a->group_count : 2) + (size_t)(b->edge >= 0 ? b->group_count : 2);
    grz_page few[FEW_PAGES], *pages = room <= FEW_PAGES ? few : grz_allocate(allocator, room, sizeof *pages);
    if (pages == NULL)
        return GRZ_ERROR_MEMORY;
    size_t count = add_pages(a, p, q, 0, pages);
    count += add_pages(b, p, q, 1, pages + count);
    const grz_status status = grz_pages_sort(p, q, pages, count, work->control);
    if (status == GRZ_OK)
        work->out->labels |= labels_of_sectors(p, q, pages, count);
    if (room > FEW_PAGES)
        grz_release(allocator, pages, room, sizeof *pages);
    return status;
}

// Two triangles in one plane: which sides of theirs are the same?
static void add_area(contact_work *work)
{
    const contact_side *a = &work->side[0], *b = &work->side[1];
    int orientation;
    const int axis = grz_projection_axis((const double(*)[3])a->corners, &orientation);
    const bool same = grz_orient_projected(axis, b->corners[0], b->corners[1], b->corners[2]) == orientation;
    for (int side = 0; side < 2; side++)
        work->out->labels |= grz_label(grz_side_is_inside(a->surface, a->triangle, side == 0),
                                       grz_side_is_inside(b->surface, b->triangle, (side == 0) == same));
}

static void add_crossing(contact_work *work)
{
    const contact_side *a = &work->side[0], *b = &work->side[1];
    for (int i = 0; i < 4; i++)
        work->out->labels |= grz_label(grz_side_is_inside(a->surface, a->triangle, (i & 1) != 0),
                                       grz_side_is_inside(b->surface, b->triangle, (i & 2) != 0));
}

static grz_status add_pair(contact_work *work, const grz_found *pair)
{
    contact_side *a = &work->side[0], *b = &work->side[1];
    const uint32_t shell_a = a->surface->surface->shell[pair->triangle_a],
                   shell_b = b->surface->surface->shell[pair->triangle_b];
    if (shell_a == GRZ_NO_SHELL || shell_b == GRZ_NO_SHELL)
        return GRZ_OK;
    work->out->common = true;
    a->triangle = pair->triangle_a;
    b->triangle = pair->triangle_b;
    world_corners(a, a->triangle, a->corners);
    world_corners(b, b->triangle, b->corners);
    grz_intersection intersection;
    grz_triangles_intersect((const double(*)[3])a->corners, (const double(*)[3])b->corners, &intersection);
    assert(intersection.node_count > 0);
    if (intersection.node_count < 2)
        return GRZ_OK;
    work->out->in_contact_a[shell_a] = work->out->in_contact_b[shell_b] = true;
    if (intersection.kind == GRZ_COPLANAR)
        add_area(work);
    else if (intersection.kind == GRZ_CROSSING)
        add_crossing(work);
    else
        return add_segment(work, &intersection);
    return GRZ_OK;
}

grz_status grz_contact_labels_find(const grz_found_array *found, const grz_found_range *range,
                                   const grz_posed_surface *a, const grz_posed_surface *b, grz_control *control,
                                   grz_contact_labels *out)
{
    contact_work work = {.control = control, .out = out, .side = {{.surface = a}, {.surface = b}}};
    grz_status status = GRZ_OK;
    for (size_t i = range->first; i < range->end && status == GRZ_OK && !grz_labels_settled(out->labels); i++) {
        if (grz_control_expired_at(control, i, CHECK_BITS))
            return grz_control_status(control);
        status = add_pair(&work, &found->items[i]);
    }
    return status;
}
