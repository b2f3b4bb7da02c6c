// SPDX-License-Identifier: MIT
// Examines a mesh: what it contains and what is wrong with it. Every answer is exact for the current positions.
// Degenerate and nonplanar faces are found with the signs of orient2d and orient3d, equal corners by position
// (mesh/weld.h), edge and vertex properties by mesh/topology/stars.h. Nearly linear time.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/call.h"
#include "base/fail.h"
#include "base/sort/number_sort.h"
#include "geometry/triangle/triangle.h"
#include "mesh/index_table.h"
#include "mesh/source.h"
#include "mesh/topology/components.h"
#include "mesh/topology/edge_parity.h"
#include "mesh/topology/stars.h"
#include "mesh/topology/topology.h"
#include "mesh/weld.h"

// Count a faulty element, and remember the first one.
static void count_fault(uint64_t *count, uint64_t *first, uint64_t element)
{
    if ((*count)++ == 0)
        *first = element;
}

// True if three points span a triangle with area. Tests the projection that seems to be the largest first, which nearly
// always decides.
static bool has_area(const double a[3], const double b[3], const double c[3])
{
    double u[3], v[3], normal[3];
    for (int k = 0; k < 3; k++) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
    }
    bool proved = false;
    for (int k = 0; k < 3; k++) {
        const double left = u[(k + 1) % 3] * v[(k + 2) % 3], right = u[(k + 2) % 3] * v[(k + 1) % 3];
        normal[k] = fabs(left - right);
        // The relative error of the sum is below 3.4e-16 (J. R. Shewchuk, 1997, bound A of orient2d); underflow adds
        // less than 1e-320.
        proved |= normal[k] > 1e-15 * (fabs(left) + fabs(right)) && normal[k] > 1e-290;
    }
    if (proved)
        return true;
    int likely = normal[1] > normal[0] ? 1 : 0;
    likely = normal[2] > normal[likely] ? 2 : likely;
    for (int i = 0; i < 3; i++)
        if (grz_orient_projected((likely + i) % 3, a, b, c) != 0)
            return true;
    return false;
}

// Count the faces that have a triangle without area.
static void find_degenerate_faces(const grz_mesh *mesh, grz_mesh_report *report)
{
    uint64_t latest = GRZ_NO_ELEMENT; // the last face counted; its other triangles are skipped
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *t = mesh->triangles + 3 * (size_t)i;
        uint32_t face = grz_mesh_triangle_face(mesh, i);
        if (face == latest ||
            has_area(grz_mesh_position(mesh, t[0]), grz_mesh_position(mesh, t[1]), grz_mesh_position(mesh, t[2])))
            continue;
        count_fault(&report->degenerate_faces, &report->first_degenerate_face, face);
        latest = face;
    }
}

// True if all corners have one coordinate in common, as in most polygons that are exactly planar.
static bool is_axis_aligned(const grz_mesh *mesh, const uint32_t *corners, uint32_t count)
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

// True if all corners of a face lie in one plane.
static bool is_planar(const grz_mesh *mesh, const uint32_t *corners, uint32_t count)
{
    if (is_axis_aligned(mesh, corners, count))
        return true;
    // Find three corners that span the plane. The first ones may be equal or collinear.
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
            count_fault(&report->nonplanar_faces, &report->first_nonplanar_face, face);
    }
}

// The context for comparing two faces.
typedef struct face_comparison {
    const grz_mesh *mesh;
    const uint32_t *lowest;
    grz_control *control;
    uint64_t *a, *b, *spare; // each with room for the corners of the largest face
} face_comparison;

// The positions of a face's corners, sorted.
static void sorted_corners(const face_comparison *comparison, const uint32_t *corners, uint32_t count, uint64_t *out)
{
    for (uint32_t i = 0; i < count; i++)
        out[i] = comparison->lowest[corners[i]];
    (void)grz_sort_numbers(out, comparison->spare, count, comparison->control); // no limits, so it completes
}

// True if two faces have the same corners in any order. A repeated corner must occur equally often in both.
static bool same_corners(uint32_t face_a, uint32_t face_b, const void *context)
{
    const face_comparison *comparison = context;
    uint32_t count_a, count_b;
    const uint32_t *a = grz_mesh_face_corners(comparison->mesh, face_a, &count_a),
                   *b = grz_mesh_face_corners(comparison->mesh, face_b, &count_b);
    if (count_a != count_b)
        return false;
    sorted_corners(comparison, a, count_a, comparison->a);
    sorted_corners(comparison, b, count_b, comparison->b);
    return memcmp(comparison->a, comparison->b, count_a * sizeof *comparison->a) == 0;
}

// A hash of a face's corners. It is a sum, so the order of the corners does not matter.
static uint64_t hash_corners(const uint32_t *lowest, const uint32_t *corners, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += grz_mix(lowest[corners[i]] + UINT64_C(0x9e3779b97f4a7c15));
    return grz_mix(sum);
}

// Insert all faces into a hash set, and count those that are there already.
static void insert_faces(face_comparison *comparison, grz_index_table *table, grz_mesh_report *report)
{
    const grz_mesh *mesh = comparison->mesh;
    for (uint32_t start = 0, count; start < mesh->face_count; start += count) {
        uint64_t hashes[GRZ_INDEX_BATCH];
        count = mesh->face_count - start < GRZ_INDEX_BATCH ? mesh->face_count - start : GRZ_INDEX_BATCH;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t corner_count;
            const uint32_t *corners = grz_mesh_face_corners(mesh, start + i, &corner_count);
            hashes[i] = hash_corners(comparison->lowest, corners, corner_count);
            grz_index_table_fetch(table, hashes[i]);
        }
        for (uint32_t i = 0; i < count; i++)
            if (grz_index_table_insert(table, hashes[i], start + i, same_corners, comparison) != start + i)
                count_fault(&report->duplicate_faces, &report->first_duplicate_face, start + i);
    }
}

// False if there is no memory.
static bool find_duplicate_faces(const grz_mesh *mesh, const uint32_t *lowest, grz_control *control,
                                 grz_mesh_report *report)
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
    bool ok = grz_index_table_init(mesh->allocator, &table, mesh->face_count);
    if (ok) {
        face_comparison comparison = {mesh, lowest, control, room, room + largest, room + 2 * largest};
        insert_faces(&comparison, &table, report);
        grz_index_table_finish(mesh->allocator, &table);
    }
    grz_release(mesh->allocator, room, 3 * largest, sizeof *room);
    return ok;
}

static void find_vertex_faults(const grz_mesh *mesh, const uint32_t *lowest, grz_mesh_report *report)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        assert(lowest[v] <= v);
        if (lowest[v] != v)
            count_fault(&report->duplicate_vertices, &report->first_duplicate_vertex, v);
        if (!grz_mesh_uses(mesh, v))
            count_fault(&report->unused_vertices, &report->first_unused_vertex, v);
    }
}

// All tests that need equal positions to be known. The control has no limits, so only memory can fail. False: it did.
static bool examine_joined(const grz_mesh *mesh, grz_control *control, uint32_t *lowest, uint32_t *component,
                           grz_mesh_report *report)
{
    uint32_t duplicates, components;
    grz_edge_census census;
    if (grz_weld_current(mesh, control, lowest, &duplicates) != GRZ_OK)
        return false;
    find_vertex_faults(mesh, lowest, report);
    (void)grz_components_find(mesh, lowest, control, component, &components);
    report->components = components;
    if (grz_stars_examine(mesh, lowest, control, &census) != GRZ_OK)
        return false;
    report->boundary_edges = census.boundary;
    report->nonmanifold_edges = census.nonmanifold;
    report->closed = census.odd == 0;
    report->manifold = census.nonmanifold == 0 && census.fans;
    report->oriented = census.oriented;
    report->balanced = census.balanced;
    // In a mesh of triangles whose vertices all have a closed ring of at least three triangles, no two triangles can
    // have the same corners: at each corner these two would form a ring of two, or no ring at all.
    return (census.rings && mesh->face_offsets == NULL) || find_duplicate_faces(mesh, lowest, control, report);
}

static grz_status examine(const grz_mesh *mesh, grz_control *control, grz_mesh_report *report, grz_error *error)
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
    bool ok = lowest != NULL && component != NULL && examine_joined(mesh, control, lowest, component, report);
    grz_release(mesh->allocator, lowest, mesh->vertex_count, sizeof *lowest);
    grz_release(mesh->allocator, component, mesh->vertex_count, sizeof *component);
    if (!ok)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "mesh check: out of memory for %u faces",
                        mesh->face_count);
    find_degenerate_faces(mesh, report);
    find_nonplanar_faces(mesh, report);
    return GRZ_OK;
}

grz_status grz_mesh_check(const grz_mesh *mesh, grz_mesh_report *report, grz_error *error)
{
    if (mesh == NULL || report == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "mesh check: %s is NULL",
                        mesh == NULL ? "mesh" : "report");
    grz_call call;
    grz_status status = grz_call_begin(&call, "mesh check", mesh->device, NULL, NULL, NULL, error);
    if (status == GRZ_OK)
        status = grz_mesh_in_memory(mesh, &call.control, &mesh, error);
    if (status == GRZ_OK)
        status = examine(mesh, &call.control, report, error);
    return grz_call_end(&call, status);
}

// Set *closed, by the fastest way that the mesh's state allows.
static grz_status find_closed(const grz_mesh *mesh, grz_control *control, bool *closed, grz_error *error)
{
    const grz_topology *topology;
    uint32_t *present = NULL, duplicates;
    grz_status status = GRZ_OK;
    if (grz_mesh_slot_ready(mesh, &grz_topology_slot_type)) {
        status = grz_mesh_topology(mesh, control, &topology, error);
        *closed = status == GRZ_OK && topology->closed;
        return status;
    }
    // mesh->identity describes the positions at creation. It cannot be used after new positions, or with
    // GRZ_MESH_INDEX_ONLY.
    if (mesh->version > 1 || (mesh->flags & GRZ_MESH_INDEX_ONLY) != 0) {
        present = grz_allocate(mesh->allocator, mesh->vertex_count, sizeof *present);
        status = present != NULL ? grz_weld_current(mesh, control, present, &duplicates) : GRZ_ERROR_MEMORY;
    }
    if (status == GRZ_OK)
        status = grz_edges_are_even(mesh, present != NULL ? present : mesh->identity, control, closed);
    grz_release(mesh->allocator, present, mesh->vertex_count, sizeof *present);
    if (status != GRZ_OK)
        return grz_fail(error, status, GRZ_NO_ELEMENT, "mesh closed: out of memory for %u faces", mesh->face_count);
    return GRZ_OK;
}

grz_status grz_mesh_is_closed(const grz_mesh *mesh, bool *closed, grz_error *error)
{
    if (mesh == NULL || closed == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "mesh closed: %s is NULL",
                        mesh == NULL ? "mesh" : "closed");
    grz_call call;
    *closed = false;
    grz_status status = grz_call_begin(&call, "mesh closed", mesh->device, NULL, NULL, NULL, error);
    if (status == GRZ_OK)
        status = grz_mesh_in_memory(mesh, &call.control, &mesh, error);
    if (status == GRZ_OK)
        status = find_closed(mesh, &call.control, closed, error);
    return grz_call_end(&call, status);
}
