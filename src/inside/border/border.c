// SPDX-License-Identifier: MIT
// Triangles that meet no others are joined across edges that have no third triangle: then the same two cells of space
// are on their sides. A union-find carries winding numbers through these regions, and one column of each gives them.
#include "inside/border/border.h"

#include <assert.h>
#include <string.h>

#include "base/control.h"
#include "base/sort/sort.h"
#include "geometry/pose.h"
#include "geometry/triangle/triangle.h"
#include "inside/rule/chosen_rule.h"
#include "inside/rule/self_contact.h"
#include "mesh/triangles.h"
#include "mesh/weld.h"

enum {
    CHECK_BITS = 8,    // triangles between two checks of the control, as a power of two
    PLACE_ATTEMPTS = 4 // places in a triangle that are tried
};

// An edge of a triangle that meets no other.
typedef struct border_edge {
    uint32_t low, high; // its ends, by position
    uint32_t triangle;
    bool forward; // the triangle runs from low to high
} border_edge;

typedef struct border_builder {
    const grz_object *object;
    const grz_bvh *bvh;
    grz_inside_rule rule;
    grz_control *control;
    const grz_allocator *allocator;
    double *positions; // world
    uint32_t *lowest;  // weld map
    bool *has_area;
    grz_triangle_pairs pairs;
    border_edge *edges;
    size_t edge_count;
    // Union-find: a triangle's parent, and whether its normal runs as that of the parent does: from one cell of space
    // to the other.
    uint32_t *parent;
    bool *against;
    grz_border *out;
} border_builder;

// ---- Positions and pairs ------------------------------------------------------------------------------------------

static bool allocate(border_builder *b)
{
    const size_t vertices = b->object->mesh->vertex_count, triangles = b->object->mesh->triangle_count;
    b->positions = grz_allocate(b->allocator, 3 * vertices, sizeof *b->positions);
    b->lowest = grz_allocate(b->allocator, vertices, sizeof *b->lowest);
    b->has_area = grz_allocate(b->allocator, triangles, sizeof *b->has_area);
    b->edges = grz_allocate(b->allocator, 3 * triangles, sizeof *b->edges);
    b->parent = grz_allocate(b->allocator, triangles, sizeof *b->parent);
    b->against = grz_allocate_zeroed(b->allocator, triangles, sizeof *b->against);
    b->out->sides = grz_allocate_zeroed(b->allocator, triangles, sizeof *b->out->sides);
    b->out->starts = grz_allocate_zeroed(b->allocator, triangles + 2, sizeof *b->out->starts);
    return b->positions != NULL && b->lowest != NULL && b->has_area != NULL && b->edges != NULL && b->parent != NULL &&
           b->against != NULL && b->out->sides != NULL && b->out->starts != NULL;
}

static void release_work(border_builder *b)
{
    const size_t vertices = b->object->mesh->vertex_count, triangles = b->object->mesh->triangle_count;
    grz_release(b->allocator, b->positions, 3 * vertices, sizeof *b->positions);
    grz_release(b->allocator, b->lowest, vertices, sizeof *b->lowest);
    grz_release(b->allocator, b->has_area, triangles, sizeof *b->has_area);
    grz_release(b->allocator, b->edges, 3 * triangles, sizeof *b->edges);
    grz_release(b->allocator, b->parent, triangles, sizeof *b->parent);
    grz_release(b->allocator, b->against, triangles, sizeof *b->against);
    grz_array_finish(b->allocator, &b->pairs);
}

static void finish(const grz_allocator *allocator, grz_border *border)
{
    const size_t triangles = border->triangle_count;
    grz_release(allocator, border->sides, triangles, sizeof *border->sides);
    grz_release(allocator, border->starts, triangles + 2, sizeof *border->starts);
    grz_release(allocator, border->partners, border->partner_count, sizeof *border->partners);
    *border = (grz_border){.triangle_count = 0};
}

static grz_status find_pairs(border_builder *b)
{
    const grz_mesh *mesh = b->object->mesh;
    uint32_t duplicates;
    bool found;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        grz_world_position(&b->object->pose, grz_mesh_position(mesh, v), b->positions + 3 * (size_t)v);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        double corners[3][3];
        if (grz_control_expired_at(b->control, t, CHECK_BITS))
            return grz_control_status(b->control);
        grz_world_corners(mesh, &b->object->pose, t, corners);
        b->has_area[t] = grz_triangle_dimension((const double(*)[3])corners) == 2;
        if (!b->has_area[t])
            b->out->sides[t] = GRZ_BORDER_NO_AREA;
    }
    const grz_status status = grz_weld(b->positions, mesh->vertex_count, b->control, b->lowest, &duplicates);
    if (status != GRZ_OK)
        return status;
    return grz_find_self_contact(b->object, b->bvh, b->positions, b->lowest, b->has_area, b->control, &found,
                                 &b->pairs);
}

// The partners of each triangle, by a counting sort.
static grz_status list_partners(border_builder *b)
{
    grz_border *out = b->out;
    size_t total = 0;
    out->partner_count = 2 * b->pairs.count;
    out->partners = grz_allocate(b->allocator, out->partner_count, sizeof *out->partners);
    if (out->partners == NULL && out->partner_count > 0)
        return GRZ_ERROR_MEMORY;
    for (size_t i = 0; i < b->pairs.count; i++) {
        out->starts[(size_t)b->pairs.items[i].a + 2]++;
        out->starts[(size_t)b->pairs.items[i].b + 2]++;
    }
    for (size_t t = 0; t < out->triangle_count; t++)
        out->starts[t + 2] = total += out->starts[t + 2];
    // Now starts[t + 1] is the start of list t. Filling the list moves it to the end.
    for (size_t i = 0; i < b->pairs.count; i++) {
        const grz_triangle_pair pair = b->pairs.items[i];
        out->partners[out->starts[(size_t)pair.a + 1]++] = pair.b;
        out->partners[out->starts[(size_t)pair.b + 1]++] = pair.a;
    }
    return GRZ_OK;
}

// ---- Regions ------------------------------------------------------------------------------------------------------

static bool meets_none(const border_builder *b, uint32_t triangle)
{
    return b->has_area[triangle] && b->out->starts[triangle] == b->out->starts[(size_t)triangle + 1];
}

static int compare_edges(const void *x, const void *y, void *context)
{
    const border_edge *one = x, *other = y;
    (void)context;
    if (one->low != other->low)
        return one->low < other->low ? -1 : 1;
    return (one->high > other->high) - (one->high < other->high);
}

static grz_status list_edges(border_builder *b)
{
    const grz_mesh *mesh = b->object->mesh;
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        for (int i = 0; i < 3 && b->has_area[t]; i++) {
            const uint32_t *vertex = mesh->triangles + 3 * (size_t)t, v = b->lowest[vertex[i]],
                           w = b->lowest[vertex[(i + 1) % 3]];
            b->edges[b->edge_count++] = (border_edge){v < w ? v : w, v < w ? w : v, t, v < w};
        }
    return grz_sort(b->edges, b->edge_count, sizeof *b->edges, compare_edges, NULL, b->control);
}

// The root of a triangle's region; *against: the triangle's normal runs the other way than the root's.
static uint32_t root_of(const border_builder *b, uint32_t triangle, bool *against)
{
    bool turned = false;
    while (b->parent[triangle] != triangle) {
        const uint32_t up = b->parent[triangle];
        if (b->parent[up] != up) { // halve the path
            b->against[triangle] = b->against[triangle] != b->against[up];
            b->parent[triangle] = b->parent[up];
        }
        turned = turned != b->against[triangle];
        triangle = b->parent[triangle];
    }
    *against = turned;
    return triangle;
}

static void join(const border_builder *b, const border_edge *one, const border_edge *other)
{
    bool against_one, against_other;
    const uint32_t root = root_of(b, one->triangle, &against_one), added = root_of(b, other->triangle, &against_other);
    if (root == added)
        return;
    b->parent[added] = root;
    // Two triangles that run through their common edge in opposite ways have the same cell on their normal sides.
    b->against[added] = (one->forward == other->forward) != (against_one != against_other);
}

static grz_status find_regions(border_builder *b)
{
    for (uint32_t t = 0; t < b->out->triangle_count; t++)
        b->parent[t] = t;
    const grz_status status = list_edges(b);
    if (status != GRZ_OK)
        return status;
    for (size_t first = 0, end = 0; first < b->edge_count; first = end) {
        const border_edge *edge = &b->edges[first];
        for (end = first; end < b->edge_count && compare_edges(edge, &b->edges[end], NULL) == 0;)
            end++;
        if (end - first == 2 && meets_none(b, edge[0].triangle) && meets_none(b, edge[1].triangle))
            join(b, &edge[0], &edge[1]);
    }
    return GRZ_OK;
}

// Choose a point that is strictly inside a triangle, seen along an axis; another one for each attempt. False: as
// rounded it is not.
static bool choose_place(int axis, const double c[3][3], int attempt, double at[2])
{
    const int x = (axis + 1) % 3, y = (axis + 2) % 3;
    const double own = attempt == 0 ? 0.5 : 0.75, share = attempt == 0 ? 0.25 : 0.125;
    const double *a = c[attempt % 3], *p = c[(attempt + 1) % 3], *q = c[(attempt + 2) % 3];
    at[0] = own * a[x] + share * p[x] + share * q[x];
    at[1] = own * a[y] + share * p[y] + share * q[y];
    double place[3] = {0.0, 0.0, 0.0};
    place[x] = at[0];
    place[y] = at[1];
    const int turn = grz_orient_projected(axis, c[0], c[1], place);
    return turn != 0 && grz_orient_projected(axis, c[1], c[2], place) == turn &&
           grz_orient_projected(axis, c[2], c[0], place) == turn;
}

// The sides of a triangle that meets no other. False: the control says to end.
static bool find_sides(const border_builder *b, uint32_t triangle, unsigned char *sides)
{
    double corners[3][3], at[2];
    int turn;
    grz_world_corners(b->object->mesh, &b->object->pose, triangle, corners);
    const double(*c)[3] = (const double(*)[3])corners;
    const grz_column column = {b->object, b->bvh, grz_projection_axis(c, &turn), b->control};
    *sides = 0;
    for (int attempt = 0; attempt < PLACE_ATTEMPTS && *sides == 0; attempt++) {
        grz_column_numbers numbers;
        if (!choose_place(column.axis, c, attempt, at))
            continue;
        if (!grz_column_count(&column, triangle, at, &numbers))
            return false;
        const bool over = grz_winding_is_inside(b->rule, numbers.over),
                   under = grz_winding_is_inside(b->rule, numbers.under), normal = turn > 0 ? over : under,
                   other = turn > 0 ? under : over;
        if (numbers.known)
            *sides = (unsigned char)(GRZ_BORDER_KNOWN | (normal ? GRZ_NORMAL_SIDE_INSIDE : 0) |
                                     (other ? GRZ_OTHER_SIDE_INSIDE : 0));
    }
    return true;
}

static unsigned char exchanged(unsigned char sides)
{
    return (unsigned char)((sides & GRZ_BORDER_KNOWN) |
                           ((sides & GRZ_NORMAL_SIDE_INSIDE) != 0 ? GRZ_OTHER_SIDE_INSIDE : 0) |
                           ((sides & GRZ_OTHER_SIDE_INSIDE) != 0 ? GRZ_NORMAL_SIDE_INSIDE : 0));
}

static grz_status find_all_sides(border_builder *b)
{
    bool against;
    for (int pass = 0; pass < 2; pass++) // the roots first
        for (uint32_t t = 0; t < b->out->triangle_count; t++) {
            if (grz_control_expired_at(b->control, t, CHECK_BITS))
                return grz_control_status(b->control);
            if (!meets_none(b, t) || (b->parent[t] == t) != (pass == 0))
                continue;
            const uint32_t root = root_of(b, t, &against);
            if (pass == 1)
                b->out->sides[t] = against ? exchanged(b->out->sides[root]) : b->out->sides[root];
            else if (!find_sides(b, t, &b->out->sides[t]))
                return grz_control_status(b->control);
        }
    return GRZ_OK;
}

// ---- Kept with a mesh ---------------------------------------------------------------------------------------------

static grz_status build(const grz_object *object, grz_inside_rule rule, grz_control *control, grz_border *border,
                        grz_error *error)
{
    border_builder b = {
        .object = object, .rule = rule, .control = control, .allocator = grz_control_allocator(control), .out = border};
    *border = (grz_border){.triangle_count = object->mesh->triangle_count};
    grz_status status = grz_mesh_bvh(object->mesh, control, &b.bvh, error);
    if (status != GRZ_OK)
        return status;
    status = allocate(&b) ? find_pairs(&b) : GRZ_ERROR_MEMORY;
    if (status == GRZ_OK)
        status = list_partners(&b);
    if (status == GRZ_OK)
        status = find_regions(&b);
    if (status == GRZ_OK)
        status = find_all_sides(&b);
    release_work(&b);
    return status == GRZ_OK ? GRZ_OK : grz_control_explain(control, status, "solids", error);
}

static void release(const grz_mesh *mesh, void *state)
{
    if (state == NULL)
        return;
    finish(mesh->allocator, state);
    grz_release(mesh->allocator, state, 1, sizeof(grz_border));
}

static grz_status prepare(const grz_mesh *mesh, grz_inside_rule rule, grz_control *control, void **state,
                          grz_error *error)
{
    const grz_object object = grz_object_at_origin(mesh);
    release(mesh, *state);
    *state = NULL;
    grz_border *created = grz_allocate_zeroed(grz_control_allocator(control), 1, sizeof *created);
    if (created == NULL)
        return grz_control_explain(control, GRZ_ERROR_MEMORY, "solids", error);
    const grz_status status = build(&object, rule, control, created, error);
    if (status == GRZ_OK)
        *state = created;
    else
        release(mesh, created);
    return status;
}

static grz_status prepare_even_odd(const grz_mesh *mesh, grz_control *control, void **state, grz_error *error)
{
    return prepare(mesh, GRZ_EVEN_ODD, control, state, error);
}

static grz_status prepare_nonzero(const grz_mesh *mesh, grz_control *control, void **state, grz_error *error)
{
    return prepare(mesh, GRZ_NONZERO, control, state, error);
}

static const grz_slot_type even_odd_slot = {prepare_even_odd, release}, nonzero_slot = {prepare_nonzero, release};

grz_status grz_posed_border_init(grz_posed_border *posed, const grz_object *object, grz_inside_rule rule,
                                 grz_control *control, grz_error *error)
{
    void *state;
    *posed = (grz_posed_border){.object = object};
    grz_status status = grz_choose_rule(object->mesh, rule, control, &posed->rule, error);
    if (status == GRZ_OK)
        status = grz_mesh_bvh(object->mesh, control, &posed->bvh, error);
    if (status != GRZ_OK)
        return status;
    if (!grz_pose_is_exact(object, &posed->mirrored)) {
        posed->mirrored = false;
        posed->border = &posed->own;
        return build(object, posed->rule, control, &posed->own, error);
    }
    status = grz_mesh_slot_get(object->mesh, posed->rule == GRZ_NONZERO ? &nonzero_slot : &even_odd_slot, control,
                               &state, error);
    posed->border = status == GRZ_OK ? state : NULL;
    return status;
}

void grz_posed_border_finish(const grz_allocator *allocator, grz_posed_border *posed)
{
    finish(allocator, &posed->own);
}
