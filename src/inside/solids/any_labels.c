// SPDX-License-Identifier: MIT
// Every cell has a piece of a triangle on its border, and every piece is bounded by pieces of lines: the edges of
// triangles, and the segments in which two triangles meet. Around all of these the labels are found (line_sectors.c).
// Some triangles meet nothing but their neighbours, at common edges and corners. Such a triangle is one piece, and
// where an edge joins two of them, the cells on both sides are the same. So one edge is enough for all that are joined
// so.
#include "inside/solids/any_labels.h"

#include <assert.h>
#include <string.h>

#include "base/control.h"
#include "base/sort/sort.h"
#include "geometry/pose.h"
#include "geometry/triangle/triangle.h"
#include "inside/solids/line_sectors.h"
#include "inside/solids/cell_labels.h"
#include "inside/rule/self_contact.h"
#include "mesh/triangles.h"
#include "mesh/weld.h"

enum {
    CHECK_BITS = 10 // triangles or pairs between two checks of the control, as a power of two
};

// An edge of a triangle: from corner `edge` to the next.
typedef struct triangle_edge {
    uint32_t low, high; // its ends, by position
    uint32_t triangle, edge;
} triangle_edge;

// One of the two meshes.
typedef struct one_mesh {
    const grz_object *object;
    const grz_bvh *bvh;
    double *positions; // world
    uint32_t *lowest;  // weld map
    bool *has_area;
    bool *meets; // of each triangle: it meets another one elsewhere than in a common edge or corner, or a point
    bool *again; // of each triangle: another one before it has the same corners, by position
    grz_triangle_pairs pairs;
    triangle_edge *edges; // of triangles with area, sorted by their ends
    size_t edge_count;
    uint32_t *parent; // union-find of triangles that do not meet any other
    unsigned char *pieces;
} one_mesh;

typedef struct any_work {
    const grz_found_array *found;
    const grz_found_range *range;
    grz_control *control;
    const grz_allocator *allocator;
    one_mesh mesh[2];
    grz_line_sectors sectors;
    bool points; // look for single common points: the second round
} any_work;

static void corners_of(const one_mesh *mesh, uint32_t triangle, double corners[3][3])
{
    const uint32_t *vertex = mesh->object->mesh->triangles + 3 * (size_t)triangle;
    for (int i = 0; i < 3; i++)
        memcpy(corners[i], mesh->positions + 3 * (size_t)vertex[i], sizeof corners[i]);
}

// ---- A mesh ----

static int compare_edges(const void *x, const void *y, void *context)
{
    const triangle_edge *one = x, *other = y;
    (void)context;
    if (one->low != other->low)
        return one->low < other->low ? -1 : 1;
    return (one->high > other->high) - (one->high < other->high);
}

static grz_status list_edges(any_work *work, one_mesh *mesh)
{
    const uint32_t count = mesh->object->mesh->triangle_count;
    for (uint32_t t = 0; t < count; t++) {
        const uint32_t *vertex = mesh->object->mesh->triangles + 3 * (size_t)t;
        mesh->parent[t] = t;
        for (uint32_t i = 0; i < 3 && mesh->has_area[t]; i++) {
            const uint32_t v = mesh->lowest[vertex[i]], w = mesh->lowest[vertex[(i + 1) % 3]];
            mesh->edges[mesh->edge_count++] = (triangle_edge){v < w ? v : w, v < w ? w : v, t, i};
        }
    }
    return grz_sort(mesh->edges, mesh->edge_count, sizeof *mesh->edges, compare_edges, NULL, work->control);
}

// The corners of a triangle by position, sorted.
typedef struct three_corners {
    uint32_t corner[3], triangle;
} three_corners;

static int compare_corners(const void *x, const void *y, void *context)
{
    const three_corners *one = x, *other = y;
    (void)context;
    for (int i = 0; i < 3; i++)
        if (one->corner[i] != other->corner[i])
            return one->corner[i] < other->corner[i] ? -1 : 1;
    return 0;
}

static grz_status find_repeats(any_work *work, one_mesh *mesh)
{
    const uint32_t count = mesh->object->mesh->triangle_count;
    three_corners *all = grz_allocate(work->allocator, count, sizeof *all);
    if (all == NULL)
        return GRZ_ERROR_MEMORY;
    for (uint32_t t = 0; t < count; t++) {
        const uint32_t *vertex = mesh->object->mesh->triangles + 3 * (size_t)t;
        const uint32_t u = mesh->lowest[vertex[0]], v = mesh->lowest[vertex[1]], w = mesh->lowest[vertex[2]];
        const uint32_t least = u < v ? (u < w ? u : w) : (v < w ? v : w),
                       most = u > v ? (u > w ? u : w) : (v > w ? v : w);
        all[t] = (three_corners){{least, u ^ v ^ w ^ least ^ most, most}, t};
    }
    const grz_status status = grz_sort(all, count, sizeof *all, compare_corners, NULL, work->control);
    for (uint32_t i = 1; i < count && status == GRZ_OK; i++)
        mesh->again[all[i].triangle] = compare_corners(&all[i - 1], &all[i], NULL) == 0;
    grz_release(work->allocator, all, count, sizeof *all);
    return status;
}

static grz_status prepare_mesh(any_work *work, one_mesh *mesh)
{
    const grz_mesh *of = mesh->object->mesh;
    const size_t vertices = of->vertex_count, triangles = of->triangle_count;
    uint32_t duplicates;
    bool found;
    mesh->positions = grz_allocate(work->allocator, 3 * vertices, sizeof *mesh->positions);
    mesh->lowest = grz_allocate(work->allocator, vertices, sizeof *mesh->lowest);
    mesh->has_area = grz_allocate(work->allocator, triangles, sizeof *mesh->has_area);
    mesh->meets = grz_allocate_zeroed(work->allocator, triangles, sizeof *mesh->meets);
    mesh->again = grz_allocate_zeroed(work->allocator, triangles, sizeof *mesh->again);
    mesh->pieces = grz_allocate_zeroed(work->allocator, triangles, sizeof *mesh->pieces);
    mesh->parent = grz_allocate(work->allocator, triangles, sizeof *mesh->parent);
    mesh->edges = grz_allocate(work->allocator, 3 * triangles, sizeof *mesh->edges);
    if (mesh->positions == NULL || mesh->lowest == NULL || mesh->has_area == NULL || mesh->meets == NULL ||
        mesh->again == NULL || mesh->pieces == NULL || mesh->parent == NULL || mesh->edges == NULL)
        return GRZ_ERROR_MEMORY;
    for (uint32_t v = 0; v < vertices; v++)
        grz_world_position(&mesh->object->pose, grz_mesh_position(of, v), mesh->positions + 3 * (size_t)v);
    for (uint32_t t = 0; t < triangles; t++) {
        double corners[3][3];
        if (grz_control_expired_at(work->control, t, CHECK_BITS))
            return grz_control_status(work->control);
        corners_of(mesh, t, corners);
        mesh->has_area[t] = grz_triangle_dimension((const double(*)[3])corners) == 2;
    }
    grz_status status = grz_weld(mesh->positions, of->vertex_count, work->control, mesh->lowest, &duplicates);
    if (status == GRZ_OK)
        status = find_repeats(work, mesh);
    if (status == GRZ_OK)
        status = list_edges(work, mesh);
    if (status == GRZ_OK)
        status = grz_find_self_contact(mesh->object, mesh->bvh, mesh->positions, mesh->lowest, mesh->has_area,
                                       work->control, &found, &mesh->pairs);
    for (size_t i = 0; i < mesh->pairs.count; i++)
        mesh->meets[mesh->pairs.items[i].a] = mesh->meets[mesh->pairs.items[i].b] = true;
    return status;
}

static void finish_mesh(const any_work *work, one_mesh *mesh)
{
    const size_t vertices = mesh->object->mesh->vertex_count, triangles = mesh->object->mesh->triangle_count;
    grz_release(work->allocator, mesh->positions, 3 * vertices, sizeof *mesh->positions);
    grz_release(work->allocator, mesh->lowest, vertices, sizeof *mesh->lowest);
    grz_release(work->allocator, mesh->has_area, triangles, sizeof *mesh->has_area);
    grz_release(work->allocator, mesh->meets, triangles, sizeof *mesh->meets);
    grz_release(work->allocator, mesh->again, triangles, sizeof *mesh->again);
    grz_release(work->allocator, mesh->pieces, triangles, sizeof *mesh->pieces);
    grz_release(work->allocator, mesh->parent, triangles, sizeof *mesh->parent);
    grz_release(work->allocator, mesh->edges, 3 * triangles, sizeof *mesh->edges);
    grz_array_finish(work->allocator, &mesh->pairs);
}

// ---- Pairs of triangles ----

static unsigned edges_of(int feature)
{
    static const unsigned edges[] = {1 | 4, 2 | 1, 4 | 2, 1, 2, 4, 0};
    return edges[feature];
}

// What two triangles with area have in common.
typedef enum grz_meeting {
    MEET_IN_A_POINT, // or not at all
    MEET_IN_AN_AREA,
    MEET_ON_AN_EDGE, // in a segment that lies on an edge of one of them
    MEET_INSIDE      // in any other segment
} grz_meeting;

static grz_meeting meeting_of(const any_work *work, const grz_sector_triangle pair[2], double corners[2][3][3])
{
    grz_intersection common;
    for (int i = 0; i < 2; i++)
        corners_of(&work->mesh[pair[i].mesh], pair[i].triangle, corners[i]);
    grz_triangles_intersect((const double(*)[3])corners[0], (const double(*)[3])corners[1], &common);
    if (common.node_count < 2)
        return MEET_IN_A_POINT;
    if (common.kind == GRZ_COPLANAR)
        return MEET_IN_AN_AREA;
    return (edges_of(common.nodes[0].a) & edges_of(common.nodes[1].a)) != 0 ||
                   (edges_of(common.nodes[0].b) & edges_of(common.nodes[1].b)) != 0
               ? MEET_ON_AN_EDGE
               : MEET_INSIDE;
}

static bool settled(const any_work *work)
{
    return work->points ? work->sectors.common : grz_labels_settled(work->sectors.labels);
}

static grz_status find_sectors(any_work *work, const grz_line *line, grz_sector_triangle one, grz_sector_triangle other)
{
    return work->points ? grz_line_sectors_find_points(&work->sectors, line, one, other)
                        : grz_line_sectors_find(&work->sectors, line, one, other);
}

// Look around the segment of two triangles. Those on edges are looked at with the edges.
static grz_status visit_pair(any_work *work, const grz_sector_triangle pair[2])
{
    double corners[2][3][3];
    for (int i = 0; i < 2; i++)
        if (work->mesh[pair[i].mesh].again[pair[i].triangle])
            return GRZ_OK;
    if (meeting_of(work, pair, corners) != MEET_INSIDE)
        return GRZ_OK;
    grz_line line;
    memcpy(line.plane, corners, sizeof line.plane);
    return find_sectors(work, &line, pair[0], pair[1]);
}

static bool have_area(const any_work *work, const grz_found *pair)
{
    return work->mesh[0].has_area[pair->triangle_a] && work->mesh[1].has_area[pair->triangle_b];
}

// Which triangles meet one of the other mesh, and the segments of those pairs.
static grz_status visit_contacts(any_work *work)
{
    grz_status status = GRZ_OK;
    for (size_t i = work->range->first; i < work->range->end && status == GRZ_OK && !settled(work); i++) {
        const grz_found *found = &work->found->items[i];
        const grz_sector_triangle pair[2] = {{0, found->triangle_a}, {1, found->triangle_b}};
        double corners[2][3][3];
        // A triangle that is there again meets the first one, so it is known to meet.
        if (!have_area(work, found) || work->mesh[0].again[found->triangle_a] || work->mesh[1].again[found->triangle_b])
            continue;
        if (grz_control_expired_at(work->control, i, CHECK_BITS))
            return grz_control_status(work->control);
        const grz_meeting meeting = meeting_of(work, pair, corners);
        if (meeting == MEET_IN_A_POINT)
            continue;
        work->mesh[0].meets[found->triangle_a] = work->mesh[1].meets[found->triangle_b] = true;
        if (meeting == MEET_INSIDE)
            status = visit_pair(work, pair);
    }
    return status;
}

static grz_status visit_self_contacts(any_work *work, uint32_t number)
{
    const one_mesh *mesh = &work->mesh[number];
    grz_status status = GRZ_OK;
    for (size_t i = 0; i < mesh->pairs.count && status == GRZ_OK && !settled(work); i++) {
        const grz_sector_triangle pair[2] = {{number, mesh->pairs.items[i].a}, {number, mesh->pairs.items[i].b}};
        if (grz_control_expired_at(work->control, i, CHECK_BITS))
            return grz_control_status(work->control);
        status = visit_pair(work, pair);
    }
    return status;
}

// ---- Edges ----

static uint32_t root_of(const one_mesh *mesh, uint32_t triangle)
{
    uint32_t *parent = mesh->parent;
    while (parent[triangle] != triangle) {
        parent[triangle] = parent[parent[triangle]];
        triangle = parent[triangle];
    }
    return triangle;
}

static grz_status visit_edge(any_work *work, uint32_t number, uint32_t triangle, uint32_t edge)
{
    const one_mesh *mesh = &work->mesh[number];
    double corners[3][3];
    corners_of(mesh, triangle, corners);
    const grz_line line = grz_line_of_edge((const double(*)[3])corners, (int)edge);
    const grz_sector_triangle one = {number, triangle}, none = {0, GRZ_NO_TRIANGLE};
    return find_sectors(work, &line, one, none);
}

// All edges of triangles that meet others. The rest is joined across edges of two triangles.
static grz_status visit_edges(any_work *work, uint32_t number)
{
    const one_mesh *mesh = &work->mesh[number];
    grz_status status = GRZ_OK;
    for (size_t first = 0, end = 0; first < mesh->edge_count && status == GRZ_OK && !settled(work); first = end) {
        const triangle_edge *edge = &mesh->edges[first];
        bool any_meets = false;
        for (end = first; end < mesh->edge_count && compare_edges(edge, &mesh->edges[end], NULL) == 0; end++)
            any_meets = any_meets || mesh->meets[mesh->edges[end].triangle];
        if (any_meets)
            status = visit_edge(work, number, edge->triangle, edge->edge);
        else if (end - first == 2)
            mesh->parent[root_of(mesh, edge->triangle)] = root_of(mesh, edge[1].triangle);
        if (status == GRZ_OK && grz_control_expired_at(work->control, first, CHECK_BITS))
            status = grz_control_status(work->control);
    }
    return status;
}

// One edge of each set of triangles that are joined.
static grz_status visit_joined(any_work *work, uint32_t number)
{
    const one_mesh *mesh = &work->mesh[number];
    grz_status status = GRZ_OK;
    for (uint32_t t = 0; t < mesh->object->mesh->triangle_count && status == GRZ_OK && !settled(work); t++)
        if (mesh->has_area[t] && !mesh->meets[t] && root_of(mesh, t) == t)
            status = visit_edge(work, number, t, 0);
    return status;
}

static grz_status visit_all(any_work *work)
{
    grz_status status = visit_contacts(work);
    for (uint32_t i = 0; i < 2 && status == GRZ_OK; i++)
        status = visit_self_contacts(work, i);
    for (uint32_t i = 0; i < 2 && status == GRZ_OK; i++)
        status = visit_edges(work, i);
    for (uint32_t i = 0; i < 2 && status == GRZ_OK; i++)
        status = visit_joined(work, i);
    return status;
}

// ---- Common points ----

static bool has_pieces(const one_mesh *mesh, uint32_t triangle, unsigned char kind)
{
    return (mesh->pieces[triangle] & kind) != 0;
}

// Solids that have no inside in common: do they touch? Where two triangles meet that are on them everywhere, they do.
// Where some pieces are walls of no thickness, single points are looked at.
static grz_status find_common(any_work *work)
{
    bool maybe = false;
    for (int i = 0; i < 2; i++)
        for (uint32_t t = 0; t < work->mesh[i].object->mesh->triangle_count; t++)
            if (!work->mesh[i].meets[t])
                work->mesh[i].pieces[t] = GRZ_PIECE_ON_SOLID;
    for (size_t i = work->range->first; i < work->range->end && !work->sectors.common; i++) {
        const grz_found *found = &work->found->items[i];
        const one_mesh *a = &work->mesh[0], *b = &work->mesh[1];
        if (!have_area(work, found) || !has_pieces(a, found->triangle_a, GRZ_PIECE_ON_SOLID) ||
            !has_pieces(b, found->triangle_b, GRZ_PIECE_ON_SOLID))
            continue;
        maybe = true;
        work->sectors.common = !has_pieces(a, found->triangle_a, GRZ_PIECE_OFF_SOLID) &&
                               !has_pieces(b, found->triangle_b, GRZ_PIECE_OFF_SOLID);
        a->meets[found->triangle_a] = b->meets[found->triangle_b] = true; // their edges are looked at now
    }
    work->points = true;
    return maybe && !work->sectors.common ? visit_all(work) : GRZ_OK;
}

// ---- All of it ----

grz_status grz_any_labels_find(const grz_found_array *found, const grz_found_range *range,
                               const grz_inside_rule rules[2], grz_control *control, grz_any_labels *out,
                               grz_error *error)
{
    any_work work = {.found = found,
                     .range = range,
                     .control = control,
                     .allocator = grz_control_allocator(control),
                     .mesh = {{.object = range->a}, {.object = range->b}}};
    grz_status status = grz_mesh_bvh(range->a->mesh, control, &work.mesh[0].bvh, error);
    if (status == GRZ_OK)
        status = grz_mesh_bvh(range->b->mesh, control, &work.mesh[1].bvh, error);
    if (status != GRZ_OK)
        return status;
    for (int i = 0; i < 2 && status == GRZ_OK; i++)
        status = prepare_mesh(&work, &work.mesh[i]);
    work.sectors = (grz_line_sectors){.object = {range->a, range->b},
                                      .bvh = {work.mesh[0].bvh, work.mesh[1].bvh},
                                      .rule = {rules[0], rules[1]},
                                      .control = control,
                                      .pieces = {work.mesh[0].pieces, work.mesh[1].pieces}};
    if (status == GRZ_OK)
        status = visit_all(&work);
    if (status == GRZ_OK && (work.sectors.labels & GRZ_LABEL_BOTH) == 0 && !work.sectors.common)
        status = find_common(&work);
    *out = (grz_any_labels){.labels = work.sectors.labels, .common = work.sectors.common};
    for (int i = 0; i < 2; i++)
        finish_mesh(&work, &work.mesh[i]);
    grz_line_sectors_finish(&work.sectors);
    return status == GRZ_OK ? GRZ_OK : grz_control_explain(control, status, "solids", error);
}
