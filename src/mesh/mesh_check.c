// SPDX-License-Identifier: MIT
// Examining a mesh: what is in it and what is wrong. Every verdict is exact for the present positions: areas and planes by the
// signs of orient2d and orient3d, equal corners by position (mesh/weld.h), edges and fans by mesh/stars.h. Time is near linear.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/fp_guard.h"
#include "geometry/triangle.h"
#include "base/number_sort.h"
#include "mesh/source.h"
#include "mesh/components.h"
#include "mesh/edge_parity.h"
#include "mesh/index_table.h"
#include "mesh/stars.h"
#include "mesh/topology.h"
#include "mesh/weld.h"

// Count an element, and remember the first of its kind.
static void note(uint64_t *count, uint64_t *first, uint64_t element)
{
    if ((*count)++ == 0)
        *first = element;
}

// Whether three points span a triangle with area. The projection that looks largest is asked first: it nearly always settles it.
static bool has_area(const double a[3], const double b[3], const double c[3])
{
    double u[3], v[3], normal[3];
    for (int k = 0; k < 3; k++) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
    }
    bool certain = false;
    for (int k = 0; k < 3; k++) {
        const double left = u[(k + 1) % 3] * v[(k + 2) % 3], right = u[(k + 2) % 3] * v[(k + 1) % 3];
        normal[k] = fabs(left - right);
        // The error is below 3.4e-16 of the sum (J. R. Shewchuk, 1997, orient2d's bound A), and what underflow adds below 1e-320.
        certain |= normal[k] > 1e-15 * (fabs(left) + fabs(right)) && normal[k] > 1e-290;
    }
    if (certain)
        return true;
    int likely = normal[1] > normal[0] ? 1 : 0;
    likely = normal[2] > normal[likely] ? 2 : likely;
    for (int i = 0; i < 3; i++)
        if (grz_orient_projected((likely + i) % 3, a, b, c) != 0)
            return true;
    return false;
}

static void find_degenerate_faces(const grz_mesh *mesh, grz_mesh_report *report)
{
    uint64_t latest = GRZ_NO_ELEMENT;
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *t = mesh->triangles + 3 * (size_t)i;
        uint32_t face = grz_mesh_triangle_face(mesh, i);
        if (face == latest || has_area(grz_mesh_position(mesh, t[0]), grz_mesh_position(mesh, t[1]), grz_mesh_position(mesh, t[2])))
            continue;
        note(&report->degenerate_faces, &report->first_degenerate_face, face);
        latest = face;
    }
}

// Whether all corners have one coordinate in common, as most exactly planar polygons do.
static bool is_level(const grz_mesh *mesh, const uint32_t *corners, uint32_t count)
{
    const double *first = grz_mesh_position(mesh, corners[0]);
    for (int axis = 0; axis < 3; axis++) {
        uint32_t i = 1;
        while (i < count && grz_mesh_position(mesh, corners[i])[axis] == first[axis])
            i++;
        if (i == count)
            return true;
    }
    return false;
}

static bool is_planar(const grz_mesh *mesh, const uint32_t *corners, uint32_t count)
{
    if (is_level(mesh, corners, count))
        return true;
    // Three corners that span the plane: leading ones may coincide or lie in line.
    const double *a = grz_mesh_position(mesh, corners[0]);
    uint32_t second = 1, third;
    while (second < count && grz_same_point(a, grz_mesh_position(mesh, corners[second])))
        second++;
    for (third = second + 1; third < count; third++)
        if (has_area(a, grz_mesh_position(mesh, corners[second]), grz_mesh_position(mesh, corners[third])))
            break;
    for (uint32_t i = third + 1; i < count; i++)
        if (grz_orient3d(a, grz_mesh_position(mesh, corners[second]), grz_mesh_position(mesh, corners[third]),
                         grz_mesh_position(mesh, corners[i])) != 0)
            return false;
    return true;
}

static void find_nonplanar_faces(const grz_mesh *mesh, grz_mesh_report *report)
{
    if (mesh->face_offsets == NULL)
        return;
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        uint32_t count;
        const uint32_t *corners = grz_mesh_face_corners(mesh, face, &count);
        if (count > 3 && !is_planar(mesh, corners, count))
            note(&report->nonplanar_faces, &report->first_nonplanar_face, face);
    }
}

// What comparing two faces needs.
typedef struct comparison {
    const grz_mesh *mesh;
    const uint32_t *lowest;
    grz_control *control;
    uint64_t *a, *b, *spare; // room for the corners of the largest face each
} comparison;

static void sorted_corners(const comparison *c, const uint32_t *corners, uint32_t count, uint64_t *out)
{
    for (uint32_t i = 0; i < count; i++)
        out[i] = c->lowest[corners[i]];
    (void)grz_sort_numbers(out, c->spare, count, c->control); // a check's control never ends it
}

// Whether two faces have the same corners, each as often, in any order.
static bool same_corners(uint32_t face_a, uint32_t face_b, const void *context)
{
    const comparison *c = context;
    uint32_t count_a, count_b;
    const uint32_t *a = grz_mesh_face_corners(c->mesh, face_a, &count_a), *b = grz_mesh_face_corners(c->mesh, face_b, &count_b);
    if (count_a != count_b)
        return false;
    sorted_corners(c, a, count_a, c->a);
    sorted_corners(c, b, count_b, c->b);
    return memcmp(c->a, c->b, count_a * sizeof *c->a) == 0;
}

// A sum, so that the order of the corners does not matter.
static uint64_t hash_corners(const uint32_t *lowest, const uint32_t *corners, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += grz_mix(lowest[corners[i]] + UINT64_C(0x9e3779b97f4a7c15));
    return grz_mix(sum);
}

static void insert_faces(comparison *c, grz_index_table *table, grz_mesh_report *report)
{
    const grz_mesh *mesh = c->mesh;
    for (uint32_t start = 0, count; start < mesh->face_count; start += count) {
        uint64_t hashes[GRZ_INDEX_BATCH];
        count = mesh->face_count - start < GRZ_INDEX_BATCH ? mesh->face_count - start : GRZ_INDEX_BATCH;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t corner_count;
            const uint32_t *corners = grz_mesh_face_corners(mesh, start + i, &corner_count);
            hashes[i] = hash_corners(c->lowest, corners, corner_count);
            grz_index_table_fetch(table, hashes[i]);
        }
        for (uint32_t i = 0; i < count; i++)
            if (grz_index_table_insert(table, hashes[i], start + i, same_corners, c) != start + i)
                note(&report->duplicate_faces, &report->first_duplicate_face, start + i);
    }
}

static bool find_duplicate_faces(const grz_mesh *mesh, const uint32_t *lowest, grz_control *control, grz_mesh_report *report)
{
    size_t largest = 3;
    for (uint32_t face = 0; mesh->face_offsets != NULL && face < mesh->face_count; face++) {
        size_t count = (size_t)(mesh->face_offsets[face + 1] - mesh->face_offsets[face]);
        largest = count > largest ? count : largest;
    }
    grz_index_table table;
    uint64_t *room = grz_allocate(mesh->allocator, 3 * largest, sizeof *room);
    if (room == NULL)
        return false;
    bool enough = grz_index_table_init(mesh->allocator, &table, mesh->face_count);
    if (enough) {
        comparison c = {mesh, lowest, control, room, room + largest, room + 2 * largest};
        insert_faces(&c, &table, report);
        grz_index_table_finish(mesh->allocator, &table);
    }
    grz_release(mesh->allocator, room, 3 * largest, sizeof *room);
    return enough;
}

static void find_vertex_faults(const grz_mesh *mesh, const uint32_t *lowest, grz_mesh_report *report)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        if (lowest[v] != v)
            note(&report->duplicate_vertices, &report->first_duplicate_vertex, v);
        if (!grz_mesh_uses(mesh, v))
            note(&report->unused_vertices, &report->first_unused_vertex, v);
    }
}

// Everything that needs the vertices joined by position. False where memory is short.
static bool examine_joined(const grz_mesh *mesh, uint32_t *lowest, uint32_t *component, grz_mesh_report *report)
{
    uint32_t duplicates, components;
    grz_edge_census census;
    grz_control control; // without limits: only memory can fail
    grz_control_init(&control, mesh->allocator, 0.0);
    if (grz_weld_present(mesh, &control, lowest, &duplicates) != GRZ_OK)
        return false;
    find_vertex_faults(mesh, lowest, report);
    (void)grz_components_find(mesh, lowest, &control, component, &components);
    report->components = components;
    if (grz_stars_examine(mesh, lowest, &control, &census) != GRZ_OK)
        return false;
    report->boundary_edges = census.boundary;
    report->nonmanifold_edges = census.nonmanifold;
    report->closed = census.odd == 0;
    report->manifold = census.nonmanifold == 0 && census.fans;
    report->oriented = census.oriented;
    // Two triangles with the same corners would lead from one to the other and back: a ring of two, or no ring.
    return (census.rings && mesh->face_offsets == NULL) || find_duplicate_faces(mesh, lowest, &control, report);
}

static grz_status examine(const grz_mesh *mesh, grz_mesh_report *report, grz_error *error)
{
    *report = (grz_mesh_report){.vertices = mesh->vertex_count,
                                .faces = mesh->face_count,
                                .triangles = mesh->triangle_count,
                                .nonsimple_faces = mesh->nonsimple_faces,
                                .first_degenerate_face = GRZ_NO_ELEMENT,
                                .first_duplicate_face = GRZ_NO_ELEMENT,
                                .first_duplicate_vertex = GRZ_NO_ELEMENT,
                                .first_unused_vertex = GRZ_NO_ELEMENT,
                                .first_nonplanar_face = GRZ_NO_ELEMENT,
                                .first_nonsimple_face = mesh->first_nonsimple_face};
    memcpy(report->min, mesh->bounds.min, sizeof report->min);
    memcpy(report->max, mesh->bounds.max, sizeof report->max);
    uint32_t *lowest = grz_allocate(mesh->allocator, mesh->vertex_count, sizeof *lowest);
    uint32_t *component = grz_allocate(mesh->allocator, mesh->vertex_count, sizeof *component);
    bool enough = lowest != NULL && component != NULL && examine_joined(mesh, lowest, component, report);
    grz_release(mesh->allocator, lowest, mesh->vertex_count, sizeof *lowest);
    grz_release(mesh->allocator, component, mesh->vertex_count, sizeof *component);
    if (!enough)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "mesh check: out of memory for %u faces", mesh->face_count);
    find_degenerate_faces(mesh, report);
    find_nonplanar_faces(mesh, report);
    return GRZ_OK;
}

grz_status grz_mesh_check(const grz_mesh *mesh, grz_mesh_report *report, grz_error *error)
{
    if (mesh == NULL || report == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "mesh check: %s is NULL", mesh == NULL ? "mesh" : "report");
    grz_control control; // without limits
    grz_control_init(&control, mesh->allocator, 0.0);
    grz_fp_state state = grz_fp_enter();
    grz_status status = grz_mesh_here(mesh, &control, &mesh, error);
    if (status == GRZ_OK)
        status = examine(mesh, report, error);
    grz_fp_leave(state);
    return status;
}

static grz_status find_closed(const grz_mesh *mesh, bool *closed, grz_error *error)
{
    const grz_topology *topology;
    uint32_t *present = NULL, duplicates;
    grz_status status = GRZ_OK;
    grz_control control; // without limits: only memory can fail
    grz_control_init(&control, mesh->allocator, 0.0);
    if (grz_mesh_slot_ready(mesh, GRZ_SLOT_TOPOLOGY)) {
        status = grz_mesh_topology(mesh, &control, &topology, error);
        *closed = status == GRZ_OK && topology->closed;
        return status;
    }
    if (mesh->version > 1 || (mesh->flags & GRZ_MESH_INDEX_ONLY) != 0) { // the identity may not be that of the present positions
        present = grz_allocate(mesh->allocator, mesh->vertex_count, sizeof *present);
        status = present != NULL ? grz_weld_present(mesh, &control, present, &duplicates) : GRZ_ERROR_MEMORY;
    }
    if (status == GRZ_OK)
        status = grz_edges_are_even(mesh, present != NULL ? present : mesh->identity, &control, closed);
    grz_release(mesh->allocator, present, mesh->vertex_count, sizeof *present);
    if (status != GRZ_OK)
        return grz_fail(error, status, GRZ_NO_ELEMENT, "mesh closed: out of memory for %u faces", mesh->face_count);
    return GRZ_OK;
}

grz_status grz_mesh_is_closed(const grz_mesh *mesh, bool *closed, grz_error *error)
{
    if (mesh == NULL || closed == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "mesh closed: %s is NULL", mesh == NULL ? "mesh" : "closed");
    grz_fp_state state = grz_fp_enter();
    *closed = false;
    grz_control control; // without limits
    grz_control_init(&control, mesh->allocator, 0.0);
    grz_status status = grz_mesh_here(mesh, &control, &mesh, error);
    if (status == GRZ_OK)
        status = find_closed(mesh, closed, error);
    grz_fp_leave(state);
    return status;
}
