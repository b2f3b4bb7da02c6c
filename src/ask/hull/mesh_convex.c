// SPDX-License-Identifier: MIT
// Whether a mesh is convex. First every edge: two triangles, opposite directions, not bent inwards. Then the triangles
// of one plane, joined across flat edges, must have the same boundaries as the faces of the hull, each face's once: the
// surface is the hull's then, and covers it once (docs/use/hull.md has the proof).
#include <stdio.h>
#include <string.h>

#include "ask/hull/hull.h"
#include "base/call.h"
#include "base/fail.h"
#include "geometry/triangle/triangle.h"
#include "mesh/source.h"
#include "mesh/topology/edge_sides.h"
#include "mesh/weld.h"

#define NONE UINT32_MAX

typedef struct examination {
    const grz_mesh *mesh;
    grz_control *control;
    const grz_allocator *allocator;
    uint32_t *lowest;     // of each vertex: the lowest one at its position
    grz_edge_side *sides; // side_count, sorted by edge
    uint64_t *twins;      // side_count: the side that runs back
    uint8_t *flat;        // side_count: bit 0: both triangles lie in one plane, bit 1: walked along, bit 2: reached
    uint64_t side_count;
    uint32_t *corner; // of each vertex: the hull's vertex there, or NONE
    grz_hull_shape hull;
    grz_convex_report *report;
} examination;

static uint32_t vertex_at(const examination *e, uint64_t side)
{
    return e->lowest[e->mesh->triangles[side]];
}

static uint64_t previous(uint64_t side)
{
    return side % 3 == 0 ? side + 2 : side - 1;
}

static uint32_t face_at(const examination *e, uint64_t side)
{
    return grz_mesh_triangle_face(e->mesh, (uint32_t)(side / 3));
}

// Report a fault at a side, and at another one of the same edge if there is one.
static void blame(examination *e, grz_convex_fault fault, uint64_t side, uint64_t other)
{
    grz_convex_report *report = e->report;
    const uint32_t *triangles = e->mesh->triangles;
    *report = (grz_convex_report){.fault = fault, .vertices = {NONE, NONE}, .faces = {face_at(e, side), NONE}};
    const bool names_edge = fault != GRZ_CONVEX_DEGENERATE && fault < GRZ_CONVEX_SEVERAL;
    if (names_edge) {
        report->vertices[0] = grz_mesh_vertex_number(e->mesh, triangles[side]);
        report->vertices[1] = grz_mesh_vertex_number(e->mesh, triangles[grz_edge_side_next(side)]);
    }
    if (names_edge && other != UINT64_MAX)
        report->faces[1] = face_at(e, other);
    const unsigned v = report->vertices[0], w = report->vertices[1], f = report->faces[0], g = report->faces[1];
    char *out = report->message;
    const size_t size = sizeof report->message;
    switch (fault) {
    case GRZ_CONVEX_DEGENERATE:
        snprintf(out, size, "face %u has no area, or one of its triangles has none", f);
        break;
    case GRZ_CONVEX_OPEN:
        snprintf(out, size, "edge %u-%u: only face %u, the mesh is not closed", v, w, f);
        break;
    case GRZ_CONVEX_NONMANIFOLD:
        snprintf(out, size, "edge %u-%u: more than two faces, %u and %u are two", v, w, f, g);
        break;
    case GRZ_CONVEX_UNORIENTED:
        snprintf(out, size, "edge %u-%u: faces %u and %u run in the same direction", v, w, f, g);
        break;
    case GRZ_CONVEX_INSIDE_OUT:
        snprintf(out, size, "edge %u-%u: inside out, faces %u and %u are clockwise from outside", v, w, f, g);
        break;
    case GRZ_CONVEX_REFLEX:
        snprintf(out, size, "edge %u-%u: faces %u and %u bend inwards", v, w, f, g);
        break;
    case GRZ_CONVEX_SEVERAL:
        snprintf(out, size, "face %u belongs to a second surface", f);
        break;
    case GRZ_CONVEX_WOUND:
        snprintf(out, size, "face %u: the surface winds around itself more than once", f);
        break;
    default:
        snprintf(out, size, "convex");
        break;
    }
}

static void corners_of(const examination *e, uint64_t triangle, const double *out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = grz_mesh_position(e->mesh, e->mesh->triangles[3 * triangle + (uint64_t)i]);
}

// The orientation of a triangle along an axis; of a triangle without area 0 along each.
static int orientation(const examination *e, uint64_t triangle, int axis)
{
    const double *c[3];
    corners_of(e, triangle, c);
    return grz_orient_projected(axis, c[0], c[1], c[2]);
}

static bool has_area(const examination *e, uint64_t triangle)
{
    return orientation(e, triangle, 0) != 0 || orientation(e, triangle, 1) != 0 || orientation(e, triangle, 2) != 0;
}

// Pair the sides. False if there is a fault, or on failure.
static grz_status pair_sides(examination *e, bool *fine)
{
    *fine = false;
    for (uint64_t triangle = 0; triangle < e->mesh->triangle_count; triangle++)
        if (!has_area(e, triangle)) {
            blame(e, GRZ_CONVEX_DEGENERATE, 3 * triangle, UINT64_MAX);
            return GRZ_OK;
        }
    grz_edge_sides_list(e->mesh, e->lowest, e->sides); // all: each triangle has an area
    const grz_status status = grz_edge_sides_sort(e->sides, e->side_count, e->control);
    if (status != GRZ_OK)
        return status;
    for (uint64_t i = 0, end; i < e->side_count; i = end) {
        for (end = i + 1;
             end < e->side_count && e->sides[end].low == e->sides[i].low && e->sides[end].high == e->sides[i].high;)
            end++;
        const uint64_t first = e->sides[i].number, second = end > i + 1 ? e->sides[i + 1].number : UINT64_MAX;
        if (end != i + 2 || vertex_at(e, first) == vertex_at(e, second)) {
            blame(e,
                  end == i + 1   ? GRZ_CONVEX_OPEN
                  : end != i + 2 ? GRZ_CONVEX_NONMANIFOLD
                                 : GRZ_CONVEX_UNORIENTED,
                  first, second);
            return GRZ_OK;
        }
        e->twins[first] = second;
        e->twins[second] = first;
    }
    *fine = true;
    return GRZ_OK;
}

// Where the triangle across a side lies: -1 it bends away from outside, as in a convex solid, 0 in the same plane and
// unfolded, 1 inwards, 2 folded back.
static int bend(const examination *e, uint64_t side)
{
    const uint64_t twin = e->twins[side];
    const double *c[3], *tip = grz_mesh_position(e->mesh, e->mesh->triangles[previous(twin)]);
    corners_of(e, side / 3, c);
    const int sign = grz_orient3d(c[0], c[1], c[2], tip);
    for (int axis = 0; sign == 0 && axis < 3; axis++) {
        const int here = orientation(e, side / 3, axis);
        if (here != 0)
            return here == orientation(e, twin / 3, axis) ? 0 : 2;
    }
    return sign;
}

static bool edges_are_convex(examination *e)
{
    uint64_t reflex = UINT64_MAX;
    bool outward = false, inward = false;
    for (uint64_t side = 0; side < e->side_count; side++) {
        if (e->twins[side] < side)
            continue;
        const int sign = bend(e, side);
        e->flat[side] = e->flat[e->twins[side]] = sign == 0;
        outward = outward || sign < 0 || sign == 2;
        inward = inward || sign > 0;
        reflex = sign > 0 && reflex == UINT64_MAX ? side : reflex;
    }
    if (reflex != UINT64_MAX)
        blame(e, inward && !outward ? GRZ_CONVEX_INSIDE_OUT : GRZ_CONVEX_REFLEX, reflex, e->twins[reflex]);
    return reflex == UINT64_MAX;
}

// The hull's face in which `second` comes after `first`, both numbers of hull vertices; NONE: there is none. Its place
// in the corners is that of `first`. The faces' sides are searched by halves.
static uint32_t find_face(const grz_edge_side *order, uint32_t count, uint32_t first, uint32_t second)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const grz_edge_side *at = &order[middle];
        if (at->low < first || (at->low == first && at->high < second))
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && order[low].low == first && order[low].high == second ? (uint32_t)order[low].number : NONE;
}

// Go around the boundary of a set of triangles in one plane, from a side of it, and compare its corners with the
// hull's face. `face_of`: the face of each of the hull's sides. `met` receives the face; false: it is no face of the
// hull's.
static bool follow_boundary(examination *e, const grz_edge_side *order, const uint32_t *face_of, uint64_t start,
                            uint32_t *met)
{
    uint32_t first = NONE, second = NONE, place = NONE, begin = 0, end = 0, seen = 0, face = NONE;
    uint64_t side = start;
    do {
        const uint32_t corner = e->corner[vertex_at(e, side)];
        if (corner != NONE) {
            seen++;
            if (first == NONE)
                first = corner;
            else if (second == NONE) {
                second = corner;
                place = find_face(order, e->hull.corner_count, first, second);
                if (place == NONE)
                    return false;
                face = face_of[place];
                begin = e->hull.face_offsets[face];
                end = e->hull.face_offsets[face + 1];
                place = place + 1 < end ? place + 1 : begin;
            } else {
                place = place + 1 < end ? place + 1 : begin;
                if (e->hull.corners[place] != corner)
                    return false;
            }
        }
        e->flat[side] |= 2;
        side = grz_edge_side_next(side);
        while ((e->flat[side] & 1) != 0)
            side = grz_edge_side_next(e->twins[side]);
    } while (side != start);
    *met = face;
    return face != NONE && seen == end - begin;
}

// Compare the boundaries of the sets of triangles in one plane with the hull's faces. `order` and `face_of`: room for
// the hull's corners; `met`: a zero for each of its faces.
static grz_status compare_faces(examination *e, grz_edge_side *order, uint32_t *face_of, uint8_t *met)
{
    const grz_hull_shape *hull = &e->hull;
    for (uint32_t f = 0; f < hull->face_count; f++)
        for (uint32_t i = hull->face_offsets[f]; i < hull->face_offsets[f + 1]; i++) {
            const uint32_t after = i + 1 < hull->face_offsets[f + 1] ? i + 1 : hull->face_offsets[f];
            order[i] = (grz_edge_side){hull->corners[i], hull->corners[after], i};
            face_of[i] = f;
        }
    const grz_status status = grz_edge_sides_sort(order, hull->corner_count, e->control);
    if (status != GRZ_OK)
        return status;
    for (uint64_t side = 0; side < e->side_count; side++) {
        uint32_t face;
        if (e->flat[side] != 0)
            continue;
        if (!follow_boundary(e, order, face_of, side, &face)) {
            blame(e, GRZ_CONVEX_WOUND, side, UINT64_MAX);
            return GRZ_OK;
        }
        if (met[face]++ != 0) {
            blame(e, GRZ_CONVEX_WOUND, side, UINT64_MAX);
            return GRZ_OK;
        }
    }
    for (uint32_t f = 0; f < hull->face_count; f++)
        if (met[f] == 0)
            blame(e, GRZ_CONVEX_WOUND, 0, UINT64_MAX);
    return GRZ_OK;
}

// Whether all triangles are connected through edges; if not, a triangle of the second set is at fault. `stack`: room
// for all triangles.
static bool is_one_piece(examination *e, uint32_t *stack)
{
    const uint32_t triangles = e->mesh->triangle_count;
    uint32_t count = 1, reached = 1;
    stack[0] = 0;
    e->flat[0] |= 4; // of side 0 of each triangle: it has been reached
    while (count > 0) {
        const uint64_t first = 3 * (uint64_t)stack[--count];
        for (uint64_t side = first; side < first + 3; side++) {
            const uint64_t other = e->twins[side] / 3;
            if ((e->flat[3 * other] & 4) != 0)
                continue;
            e->flat[3 * other] |= 4;
            stack[count++] = (uint32_t)other;
            reached++;
        }
    }
    for (uint32_t t = 0; t < triangles; t++) {
        const bool there = (e->flat[3 * (uint64_t)t] & 4) != 0;
        e->flat[3 * (uint64_t)t] &= 3;
        if (!there && e->report->fault == GRZ_CONVEX)
            blame(e, GRZ_CONVEX_SEVERAL, 3 * (uint64_t)t, UINT64_MAX);
    }
    return reached == triangles;
}

// The edges are fine: compare with the hull.
static grz_status compare_with_hull(examination *e)
{
    const grz_mesh *mesh = e->mesh;
    uint32_t *stack = grz_allocate(e->allocator, mesh->triangle_count, sizeof *stack);
    if (stack == NULL)
        return GRZ_ERROR_MEMORY;
    const bool one = is_one_piece(e, stack);
    grz_release(e->allocator, stack, mesh->triangle_count, sizeof *stack);
    if (!one)
        return GRZ_OK;
    grz_status status = grz_mesh_hull_shape(mesh, e->control, &e->hull);
    if (status != GRZ_OK)
        return status;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        e->corner[v] = NONE;
    for (uint32_t v = 0; v < e->hull.vertex_count; v++)
        e->corner[e->lowest[e->hull.points[v]]] = v;
    grz_edge_side *order = grz_allocate(e->allocator, e->hull.corner_count, sizeof *order);
    uint32_t *face_of = grz_allocate(e->allocator, e->hull.corner_count, sizeof *face_of);
    uint8_t *met = grz_allocate_zeroed(e->allocator, e->hull.face_count, sizeof *met);
    if (order != NULL && face_of != NULL && met != NULL)
        status = compare_faces(e, order, face_of, met);
    else
        status = GRZ_ERROR_MEMORY;
    grz_release(e->allocator, order, e->hull.corner_count, sizeof *order);
    grz_release(e->allocator, face_of, e->hull.corner_count, sizeof *face_of);
    grz_release(e->allocator, met, e->hull.face_count, sizeof *met);
    return status;
}

static grz_status examine(examination *e)
{
    uint32_t duplicates;
    bool fine;
    grz_status status = grz_weld_current(e->mesh, e->control, e->lowest, &duplicates);
    if (status == GRZ_OK)
        status = pair_sides(e, &fine);
    if (status != GRZ_OK || !fine || !edges_are_convex(e))
        return status;
    return compare_with_hull(e);
}

static grz_status answer(grz_call *call, const grz_mesh *mesh, grz_convex_report *report)
{
    grz_control *control = &call->control;
    grz_status status = grz_mesh_in_memory(mesh, control, &mesh, call->error);
    if (status != GRZ_OK)
        return status;
    const grz_allocator *allocator = mesh->allocator;
    examination e = {.mesh = mesh, .control = control, .allocator = allocator, .report = report};
    e.side_count = 3 * (uint64_t)mesh->triangle_count;
    e.lowest = grz_allocate(allocator, mesh->vertex_count, sizeof *e.lowest);
    e.corner = grz_allocate(allocator, mesh->vertex_count, sizeof *e.corner);
    e.sides = grz_allocate(allocator, e.side_count, sizeof *e.sides);
    e.twins = grz_allocate(allocator, e.side_count, sizeof *e.twins);
    e.flat = grz_allocate_zeroed(allocator, e.side_count, sizeof *e.flat);
    *report =
        (grz_convex_report){.fault = GRZ_CONVEX, .vertices = {NONE, NONE}, .faces = {NONE, NONE}, .message = "convex"};
    status = e.lowest != NULL && e.corner != NULL && e.sides != NULL && e.twins != NULL && e.flat != NULL
                 ? examine(&e)
                 : GRZ_ERROR_MEMORY;
    grz_hull_shape_finish(allocator, &e.hull);
    grz_release(allocator, e.lowest, mesh->vertex_count, sizeof *e.lowest);
    grz_release(allocator, e.corner, mesh->vertex_count, sizeof *e.corner);
    grz_release(allocator, e.sides, e.side_count, sizeof *e.sides);
    grz_release(allocator, e.twins, e.side_count, sizeof *e.twins);
    grz_release(allocator, e.flat, e.side_count, sizeof *e.flat);
    return status == GRZ_OK ? GRZ_OK : grz_control_explain(control, status, "the convexity test", call->error);
}

grz_status grz_mesh_is_convex(const grz_mesh *mesh, grz_convex_report *report, grz_error *error)
{
    if (mesh == NULL || report == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "mesh convex: %s is NULL",
                        mesh == NULL ? "mesh" : "report");
    grz_call call;
    grz_status status = grz_call_begin(&call, "mesh convex", mesh->device, NULL, NULL, NULL, error);
    if (status == GRZ_OK)
        status = answer(&call, mesh, report);
    return grz_call_end(&call, status);
}
