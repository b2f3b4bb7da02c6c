// SPDX-License-Identifier: MIT
// Finds on which sides of each triangle the solid is. Around an edge, two neighbouring triangles have a sector between
// them that no other triangle enters; so the number of times that the surface winds around the points of one side
// follows from that of the other, and a union-find with differences carries it through each shell. One ray for each
// shell gives the number itself. By the even-odd rule numbers count modulo 2.
#include "inside/solids/surface.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/control.h"
#include "base/rounding.h"
#include "base/sort/number_sort.h"
#include "geometry/exact/expansion.h"
#include "geometry/pose.h"
#include "geometry/triangle/pages.h"
#include "geometry/triangle/triangle.h"
#include "inside/rule/chosen_rule.h"
#include "inside/solids/exact_ray.h"
#include "inside/rule/self_contact.h"
#include "mesh/weld.h"

enum {
    CHECK_BITS = 12 // triangles or edges between two checks of the control, as a power of two
};

// The work of building a surface.
typedef struct builder {
    const grz_object *object;
    const grz_mesh *mesh;
    const grz_bvh *bvh;
    grz_inside_rule rule;
    grz_control *control;
    const grz_allocator *allocator;
    double *positions; // world
    bool *has_area;
    // Union-find: a triangle's parent, and how many times more the surface winds around its normal side than around its
    // parent's.
    uint32_t *parent;
    int32_t *more;
    int32_t *base; // of a root: the number of its normal side
    bool *based;   // of a root: that is known
    GRZ_ARRAY(grz_page) pages;
    grz_surface *out;
} builder;

static void corners_of(const builder *b, uint32_t triangle, double corners[3][3])
{
    const uint32_t *vertex = b->mesh->triangles + 3 * (size_t)triangle;
    for (int i = 0; i < 3; i++)
        memcpy(corners[i], b->positions + 3 * (size_t)vertex[i], sizeof corners[i]);
}

// ---- Edges ----

// The ends of edge i of a triangle, by position, the lower first.
static void ends_of(const builder *b, uint32_t triangle, int i, uint32_t ends[2])
{
    const uint32_t *vertex = b->mesh->triangles + 3 * (size_t)triangle;
    const uint32_t v = b->out->lowest[vertex[i]], w = b->out->lowest[vertex[(i + 1) % 3]];
    ends[0] = v < w ? v : w;
    ends[1] = v < w ? w : v;
}

// Fill the lists of edges by a counting sort, and sort each list.
static grz_status list_edges(builder *b)
{
    grz_surface *out = b->out;
    const size_t vertices = b->mesh->vertex_count, triangles = b->mesh->triangle_count;
    size_t total = 0, longest = 0;
    uint32_t ends[2];
    out->starts = grz_allocate_zeroed(b->allocator, vertices + 2, sizeof *out->starts);
    out->edges = grz_allocate(b->allocator, 3 * triangles, sizeof *out->edges);
    if (out->starts == NULL || out->edges == NULL)
        return GRZ_ERROR_MEMORY;
    for (uint32_t t = 0; t < triangles; t++)
        for (int i = 0; i < 3 && b->has_area[t]; i++) {
            ends_of(b, t, i, ends);
            out->starts[(size_t)ends[0] + 2]++;
        }
    for (size_t v = 0; v < vertices; v++) {
        const size_t count = out->starts[v + 2];
        longest = count > longest ? count : longest;
        out->starts[v + 2] = total += count;
    }
    // Now starts[v + 1] is the start of list v. Filling the list moves it to the end.
    for (uint32_t t = 0; t < triangles; t++)
        for (int i = 0; i < 3 && b->has_area[t]; i++) {
            ends_of(b, t, i, ends);
            out->edges[out->starts[(size_t)ends[0] + 1]++] = (uint64_t)ends[1] << 32 | t;
        }
    uint64_t *spare = longest > 0 ? grz_allocate(b->allocator, longest, sizeof *spare) : NULL;
    bool going = longest == 0 || spare != NULL;
    const bool room = going;
    for (size_t v = 0; v < vertices && going && longest > 0; v++)
        going = !grz_control_expired_at(b->control, v, CHECK_BITS) &&
                grz_sort_numbers(out->edges + out->starts[v], spare, out->starts[v + 1] - out->starts[v], b->control);
    grz_release(b->allocator, spare, longest, sizeof *spare);
    return !room ? GRZ_ERROR_MEMORY : going ? GRZ_OK : grz_control_status(b->control);
}

const uint64_t *grz_surface_edge(const grz_surface *surface, uint32_t v, uint32_t w, uint32_t *count)
{
    const uint32_t p = surface->lowest[v], q = surface->lowest[w], low = p < q ? p : q, high = p < q ? q : p;
    size_t first = surface->starts[low];
    const size_t end = surface->starts[(size_t)low + 1];
    size_t last = end;
    while (first < last) { // the first entry that is not below (high, 0)
        const size_t middle = first + (last - first) / 2;
        if (surface->edges[middle] >> 32 < high)
            first = middle + 1;
        else
            last = middle;
    }
    uint32_t found = 0;
    while (first + found < end && surface->edges[first + found] >> 32 == high)
        found++;
    *count = found;
    return surface->edges + first;
}

// ---- Winding numbers ----

// The root of a triangle's shell; *number receives the triangle's number less the root's.
static uint32_t root_of(const builder *b, uint32_t triangle, int32_t *number)
{
    uint32_t *parent = b->parent;
    int32_t sum = 0;
    while (parent[triangle] != triangle) {
        const uint32_t up = parent[triangle];
        if (parent[up] != up) { // halve the path
            b->more[triangle] += b->more[up];
            parent[triangle] = parent[up];
        }
        sum += b->more[triangle];
        triangle = parent[triangle];
    }
    *number = sum;
    return triangle;
}

// The number of `other` is that of `one`, plus `more`.
static void link_triangles(const builder *b, uint32_t one, uint32_t other, int32_t more)
{
    int32_t of_one, of_other;
    const uint32_t root = root_of(b, one, &of_one), added = root_of(b, other, &of_other);
    if (root == added)
        return;
    b->parent[added] = root;
    b->more[added] = of_one + more - of_other;
}

// Carry the numbers around an edge from v to w.
static grz_status link_edge(builder *b, uint32_t v, uint32_t w, const uint64_t *entries, size_t count)
{
    const double *p = b->positions + 3 * (size_t)v, *q = b->positions + 3 * (size_t)w;
    if (!grz_array_reserve(b->allocator, &b->pages, count))
        return GRZ_ERROR_MEMORY;
    grz_page *pages = b->pages.items;
    int32_t balance = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t triangle = (uint32_t)entries[i], *vertex = b->mesh->triangles + 3 * (size_t)triangle;
        int third = 0;
        while (b->out->lowest[vertex[third]] == v || b->out->lowest[vertex[third]] == w)
            third++;
        pages[i] = (grz_page){.triangle = triangle, .turn = b->out->lowest[vertex[(third + 1) % 3]] == v ? 1 : -1};
        memcpy(pages[i].at, b->positions + 3 * (size_t)vertex[third], sizeof pages[i].at);
        balance += pages[i].turn;
    }
    if (b->rule == GRZ_NONZERO && balance != 0)
        b->out->unclean = true;
    const grz_status status = count > 2 ? grz_pages_sort(p, q, pages, count, b->control) : GRZ_OK;
    if (status != GRZ_OK)
        return status;
    // The counter-clockwise side of a page is the clockwise side of the next. The side opposite to the normal is wound
    // around once more than the normal side.
    for (size_t i = 0; i + 1 < count; i++)
        link_triangles(b, pages[i].triangle, pages[i + 1].triangle,
                       (pages[i].turn > 0 ? 0 : 1) - (pages[i + 1].turn > 0 ? 1 : 0));
    return GRZ_OK;
}

// Carry the numbers around all edges.
static grz_status link_all(builder *b)
{
    const grz_surface *out = b->out;
    for (uint32_t t = 0; t < b->mesh->triangle_count; t++)
        b->parent[t] = t;
    for (uint32_t v = 0; v < b->mesh->vertex_count; v++) {
        if (grz_control_expired_at(b->control, v, CHECK_BITS))
            return grz_control_status(b->control);
        for (size_t first = out->starts[v], end = first; first < out->starts[(size_t)v + 1]; first = end) {
            const uint32_t w = (uint32_t)(out->edges[first] >> 32);
            while (end < out->starts[(size_t)v + 1] && out->edges[end] >> 32 == w)
                end++;
            if ((end - first) % 2 != 0)
                b->out->unclean = true;
            if (out->unclean)
                return GRZ_OK;
            const grz_status status = link_edge(b, v, w, out->edges + first, end - first);
            if (status != GRZ_OK)
                return status;
        }
    }
    return GRZ_OK;
}

// Find the number of a triangle's normal side by a ray. *done is false if no good point inside the triangle was found.
static bool count_windings(const builder *b, uint32_t triangle, int32_t *number, bool *done)
{
    double corners[3][3];
    int orientation;
    corners_of(b, triangle, corners);
    const int axis = grz_projection_axis((const double(*)[3])corners, &orientation);
    *done = false;
    for (int attempt = 0; attempt < GRZ_INTERIOR_ATTEMPTS && !*done; attempt++) {
        grz_exact_point point;
        grz_exact_hits hits;
        if (!grz_exact_interior_point((const double(*)[3])corners, attempt, &point))
            continue;
        if (!grz_exact_ray(b->object, b->bvh, &point, axis, orientation > 0, triangle, b->control, &hits))
            return false;
        *done = !hits.on_surface;
        *number = b->rule == GRZ_EVEN_ODD ? hits.odd : (int32_t)hits.winding;
    }
    return true;
}

static grz_status count_all_windings(builder *b)
{
    int32_t relative, number = 0;
    bool done;
    for (uint32_t t = 0; t < b->mesh->triangle_count; t++) {
        if (grz_control_expired_at(b->control, t, CHECK_BITS))
            return grz_control_status(b->control);
        if (!b->has_area[t])
            continue;
        const uint32_t root = root_of(b, t, &relative);
        if (b->based[root])
            continue;
        if (!count_windings(b, t, &number, &done))
            return grz_control_status(b->control);
        b->based[root] = done;
        b->base[root] = number - relative;
    }
    return GRZ_OK;
}

// Number the shells, and say for each triangle which of its sides are inside.
static grz_status write_sides(builder *b)
{
    grz_surface *out = b->out;
    const uint32_t count = out->triangle_count;
    int32_t relative;
    out->shell = grz_allocate(b->allocator, count, sizeof *out->shell);
    out->sides = grz_allocate_zeroed(b->allocator, count, sizeof *out->sides);
    if (out->shell == NULL || out->sides == NULL)
        return GRZ_ERROR_MEMORY;
    for (uint32_t t = 0; t < count; t++) {
        out->shell[t] = GRZ_NO_SHELL;
        if (!b->has_area[t])
            continue;
        const uint32_t root = root_of(b, t, &relative);
        if (!b->based[root]) {
            out->unclean = true;
            return GRZ_OK;
        }
        if (root == t)
            out->shell[t] = out->shell_count++;
        const int32_t number = b->base[root] + relative;
        const bool normal = b->rule == GRZ_EVEN_ODD ? (number & 1) != 0 : number != 0;
        const bool other = b->rule == GRZ_EVEN_ODD ? !normal : number != -1;
        out->sides[t] = (unsigned char)((normal ? GRZ_NORMAL_SIDE_INSIDE : 0) | (other ? GRZ_OTHER_SIDE_INSIDE : 0));
    }
    for (uint32_t t = 0; t < count; t++)
        if (b->has_area[t])
            out->shell[t] = out->shell[root_of(b, t, &relative)];
    return GRZ_OK;
}

// By the nonzero rule both sides of a triangle may be inside. It is then no border of the solid, and is left out: what
// is left bounds the same solid. The shells are those of what is left.
static grz_status leave_out_inner(builder *b)
{
    grz_surface *out = b->out;
    bool any = false;
    int32_t relative;
    for (uint32_t t = 0; t < out->triangle_count; t++) {
        b->more[t] = 0;
        b->parent[t] = t;
        if (!b->has_area[t] || out->sides[t] != (GRZ_NORMAL_SIDE_INSIDE | GRZ_OTHER_SIDE_INSIDE))
            continue;
        b->has_area[t] = false;
        out->shell[t] = GRZ_NO_SHELL;
        any = true;
    }
    if (!any)
        return GRZ_OK;
    grz_release(b->allocator, out->starts, (size_t)out->vertex_count + 2, sizeof *out->starts);
    grz_release(b->allocator, out->edges, 3 * (size_t)out->triangle_count, sizeof *out->edges);
    out->starts = NULL;
    out->edges = NULL;
    const grz_status status = list_edges(b);
    if (status != GRZ_OK)
        return status;
    assert(out->starts != NULL && out->edges != NULL);
    for (uint32_t v = 0; v < out->vertex_count; v++)
        for (size_t i = out->starts[v]; i + 1 < out->starts[(size_t)v + 1]; i++)
            if (out->edges[i] >> 32 == out->edges[i + 1] >> 32)
                link_triangles(b, (uint32_t)out->edges[i], (uint32_t)out->edges[i + 1], 0);
    out->shell_count = 0;
    for (uint32_t t = 0; t < out->triangle_count; t++)
        if (b->has_area[t] && root_of(b, t, &relative) == t)
            out->shell[t] = out->shell_count++;
    for (uint32_t t = 0; t < out->triangle_count; t++)
        if (b->has_area[t])
            out->shell[t] = out->shell[root_of(b, t, &relative)];
    return GRZ_OK;
}

// ---- All of it ----

static grz_status place_vertices(builder *b)
{
    const grz_mesh *mesh = b->mesh;
    uint32_t duplicates;
    b->positions = grz_allocate(b->allocator, 3 * (size_t)mesh->vertex_count, sizeof *b->positions);
    b->has_area = grz_allocate(b->allocator, mesh->triangle_count, sizeof *b->has_area);
    b->out->lowest = grz_allocate(b->allocator, mesh->vertex_count, sizeof *b->out->lowest);
    if (b->positions == NULL || b->has_area == NULL || b->out->lowest == NULL)
        return GRZ_ERROR_MEMORY;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        grz_world_position(&b->object->pose, grz_mesh_position(mesh, v), b->positions + 3 * (size_t)v);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        double corners[3][3];
        if (grz_control_expired_at(b->control, t, CHECK_BITS))
            return grz_control_status(b->control);
        corners_of(b, t, corners);
        b->has_area[t] = grz_triangle_dimension((const double(*)[3])corners) == 2;
    }
    return grz_weld(b->positions, mesh->vertex_count, b->control, b->out->lowest, &duplicates);
}

static grz_status find_sides(builder *b)
{
    const size_t count = b->mesh->triangle_count;
    bool meets = false;
    grz_status status =
        grz_find_self_contact(b->object, b->bvh, b->positions, b->out->lowest, b->has_area, b->control, &meets, NULL);
    if (status != GRZ_OK)
        return status;
    if (meets) {
        b->out->unclean = true;
        return GRZ_OK;
    }
    b->parent = grz_allocate(b->allocator, count, sizeof *b->parent);
    b->more = grz_allocate_zeroed(b->allocator, count, sizeof *b->more);
    b->base = grz_allocate_zeroed(b->allocator, count, sizeof *b->base);
    b->based = grz_allocate_zeroed(b->allocator, count, sizeof *b->based);
    if (b->parent == NULL || b->more == NULL || b->base == NULL || b->based == NULL)
        return GRZ_ERROR_MEMORY;
    status = link_all(b);
    if (status == GRZ_OK && !b->out->unclean)
        status = count_all_windings(b);
    if (status == GRZ_OK && !b->out->unclean)
        status = write_sides(b);
    if (status == GRZ_OK && !b->out->unclean && b->rule == GRZ_NONZERO)
        status = leave_out_inner(b);
    return status;
}

grz_status grz_surface_build(const grz_object *object, grz_inside_rule rule, grz_control *control, grz_surface *surface,
                             grz_error *error)
{
    builder b = {.object = object,
                 .mesh = object->mesh,
                 .rule = rule,
                 .control = control,
                 .allocator = grz_control_allocator(control),
                 .out = surface};
    const size_t count = object->mesh->triangle_count;
    *surface =
        (grz_surface){.vertex_count = object->mesh->vertex_count, .triangle_count = object->mesh->triangle_count};
    grz_status status = grz_mesh_bvh(object->mesh, control, &b.bvh, error);
    if (status != GRZ_OK)
        return status;
    status = place_vertices(&b);
    if (status == GRZ_OK)
        status = list_edges(&b);
    if (status == GRZ_OK)
        status = find_sides(&b);
    grz_release(b.allocator, b.positions, 3 * (size_t)object->mesh->vertex_count, sizeof *b.positions);
    grz_release(b.allocator, b.has_area, count, sizeof *b.has_area);
    grz_release(b.allocator, b.parent, count, sizeof *b.parent);
    grz_release(b.allocator, b.more, count, sizeof *b.more);
    grz_release(b.allocator, b.base, count, sizeof *b.base);
    grz_release(b.allocator, b.based, count, sizeof *b.based);
    grz_array_finish(b.allocator, &b.pages);
    if (status == GRZ_OK && surface->unclean) {
        grz_surface_finish(b.allocator, surface);
        surface->unclean = true;
    }
    return status == GRZ_OK ? GRZ_OK : grz_control_explain(control, status, "solids", error);
}

void grz_surface_finish(const grz_allocator *allocator, grz_surface *surface)
{
    const size_t vertices = surface->vertex_count, triangles = surface->triangle_count;
    grz_release(allocator, surface->shell, triangles, sizeof *surface->shell);
    grz_release(allocator, surface->sides, triangles, sizeof *surface->sides);
    grz_release(allocator, surface->lowest, vertices, sizeof *surface->lowest);
    grz_release(allocator, surface->starts, vertices + 2, sizeof *surface->starts);
    grz_release(allocator, surface->edges, 3 * triangles, sizeof *surface->edges);
    *surface = (grz_surface){.unclean = false};
}

// ---- Kept with a mesh ----

static void release(const grz_mesh *mesh, void *state)
{
    if (state == NULL)
        return;
    grz_surface_finish(mesh->allocator, state);
    grz_release(mesh->allocator, state, 1, sizeof(grz_surface));
}

static grz_status prepare(const grz_mesh *mesh, grz_inside_rule rule, grz_control *control, void **state,
                          grz_error *error)
{
    const grz_object object = grz_object_at_origin(mesh);
    release(mesh, *state);
    *state = NULL;
    grz_surface *created = grz_allocate_zeroed(grz_control_allocator(control), 1, sizeof *created);
    if (created == NULL)
        return grz_control_explain(control, GRZ_ERROR_MEMORY, "solids", error);
    const grz_status status = grz_surface_build(&object, rule, control, created, error);
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

// ---- Posed ----

static bool product_is_exact(double a, double b, double *product)
{
    double error;
    if (a == 0.0 || b == 0.0 || a == 1.0 || b == 1.0) {
        *product = a * b;
        return true;
    }
    two_product(a, b, product, &error);
    return error == 0.0 && fabs(*product) > GRZ_PRODUCT_MIN;
}

static bool sum_is_exact(double a, double b, double *sum)
{
    double error;
    two_sum(a, b, sum, &error);
    return error == 0.0;
}

// True if a row of a pose moves a point without rounding.
static bool row_is_exact(const double m[4], const double p[3])
{
    double x, y, z;
    return product_is_exact(m[0], p[0], &x) && product_is_exact(m[1], p[1], &y) && product_is_exact(m[2], p[2], &z) &&
           sum_is_exact(x, y, &x) && sum_is_exact(x, z, &x) && sum_is_exact(x, m[3], &x);
}

int grz_pose_turn(const grz_pose *pose)
{
    static const double origin[3] = {0.0, 0.0, 0.0};
    double rows[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            rows[i][k] = pose->m[i][k];
            if (!(fabs(rows[i][k]) <= 0x1p300)) // so that products do not overflow
                return 0;
        }
    return grz_orient3d(origin, rows[0], rows[1], rows[2]);
}

bool grz_pose_is_exact(const grz_object *object, bool *mirrored)
{
    const grz_mesh *mesh = object->mesh;
    const int turn = grz_pose_turn(&object->pose);
    *mirrored = turn < 0;
    if (turn == 0)
        return false;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        for (int i = 0; i < 3; i++)
            if (!row_is_exact(object->pose.m[i], grz_mesh_position(mesh, v)))
                return false;
    return true;
}

grz_status grz_posed_surface_init(grz_posed_surface *posed, const grz_object *object, grz_inside_rule rule,
                                  grz_control *control, grz_error *error)
{
    void *state;
    *posed = (grz_posed_surface){.object = object};
    grz_inside_rule chosen;
    grz_status status = grz_choose_rule(object->mesh, rule, control, &chosen, error);
    if (status == GRZ_OK)
        status = grz_mesh_bvh(object->mesh, control, &posed->bvh, error);
    if (status != GRZ_OK)
        return status;
    if (!grz_pose_is_exact(object, &posed->mirrored)) {
        posed->mirrored = false;
        posed->surface = &posed->own;
        return grz_surface_build(object, chosen, control, &posed->own, error);
    }
    status =
        grz_mesh_slot_get(object->mesh, chosen == GRZ_NONZERO ? &nonzero_slot : &even_odd_slot, control, &state, error);
    posed->surface = status == GRZ_OK ? state : NULL;
    return status;
}

void grz_posed_surface_finish(const grz_allocator *allocator, grz_posed_surface *posed)
{
    grz_surface_finish(allocator, &posed->own);
}

// ---- Of many objects ----

bool grz_surface_cache_init(const grz_allocator *allocator, size_t object_count, grz_surface_cache *cache)
{
    cache->count = object_count;
    cache->surfaces = grz_allocate_zeroed(allocator, object_count, sizeof(grz_posed_surface *));
    if (cache->surfaces == NULL)
        return false;
    if (pthread_mutex_init(&cache->lock, NULL) == 0)
        return true;
    grz_release(allocator, cache->surfaces, object_count, sizeof(grz_posed_surface *));
    return false;
}

void grz_surface_cache_finish(const grz_allocator *allocator, grz_surface_cache *cache)
{
    for (size_t i = 0; i < cache->count; i++) {
        if (cache->surfaces[i] == NULL)
            continue;
        grz_posed_surface_finish(allocator, cache->surfaces[i]);
        grz_release(allocator, cache->surfaces[i], 1, sizeof(grz_posed_surface));
    }
    grz_release(allocator, cache->surfaces, cache->count, sizeof(grz_posed_surface *));
    pthread_mutex_destroy(&cache->lock);
}

grz_status grz_surface_cache_get(grz_surface_cache *cache, uint32_t number, const grz_object *object,
                                 grz_inside_rule rule, grz_control *control, const grz_posed_surface **surface,
                                 grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    grz_posed_surface **place = &cache->surfaces[number];
    pthread_mutex_lock(&cache->lock);
    *surface = *place;
    pthread_mutex_unlock(&cache->lock);
    if (*surface != NULL)
        return GRZ_OK;
    grz_posed_surface *created = grz_allocate(allocator, 1, sizeof *created);
    if (created == NULL)
        return grz_control_explain(control, GRZ_ERROR_MEMORY, "solids", error);
    const grz_status status = grz_posed_surface_init(created, object, rule, control, error);
    pthread_mutex_lock(&cache->lock);
    if (status == GRZ_OK && *place == NULL) {
        *place = created;
        created = NULL;
    }
    *surface = *place; // another thread may have been faster
    pthread_mutex_unlock(&cache->lock);
    if (created != NULL)
        grz_posed_surface_finish(allocator, created);
    grz_release(allocator, created, 1, sizeof *created);
    return status;
}
