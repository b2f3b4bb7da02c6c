// SPDX-License-Identifier: MIT
// Creates a mesh from its description. The whole description is validated before memory is allocated. Then positions
// are converted to double, faces are copied and triangulated (geometry/polygon/polygon.h), and vertices with equal
// positions are identified (docs/reference/numbers.md, "Self-collision").
// All sizes are 64-bit. They are refused before a product of two of them could overflow.
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/options.h"
#include "geometry/polygon/polygon.h"
#include "mesh/mesh.h"
#include "mesh/positions.h"
#include "mesh/weld.h"

_Static_assert(SIZE_MAX >= UINT64_MAX, "sizes of arrays are computed in size_t from 32-bit counts");

enum {
    LOOK_BITS = 10,      // faces and runs between two looks at the control, as a power of two
    STRIDE = 1 << 20,    // corners between two looks
    REPORT_FACES = 4096, // faces between two reports of progress
};

// How far the progress has come when positions and faces are copied, and when faces are triangulated.
static const double STAGE_COPIED = 0.2, STAGE_TRIANGULATED = 0.8;

// What validation has computed from a description.
typedef struct mesh_plan {
    uint64_t corner_total, triangle_total;
    size_t stride;  // from one position to the next in bytes, not 0
    grz_box extent; // AABB of all positions
} mesh_plan;

static const grz_mesh_description defaults = {
    .size = sizeof(grz_mesh_description), .position_type = GRZ_FLOAT32, .corners_per_face = 3};
static const grz_options_type description_type =
    GRZ_STRUCTURE_TYPE(mesh_description, limits, defaults, true, "description");

void grz_mesh_description_init(grz_mesh_description *description, size_t size)
{
    grz_options_init(&description_type, description, size);
}

// The number of corners of a face.
static uint32_t face_size(const grz_mesh_description *description, uint64_t face)
{
    return description->corner_counts != NULL ? description->corner_counts[face] : description->corners_per_face;
}

static uint32_t vertex_at(const grz_mesh_description *description, uint64_t corner)
{
    return description->indices != NULL ? description->indices[corner] : (uint32_t)corner;
}

static grz_status validate_layout(const grz_mesh_description *description, mesh_plan *plan, grz_error *error)
{
    if (description->position_type != GRZ_FLOAT32 && description->position_type != GRZ_FLOAT64)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "mesh description: unknown position_type %d",
                        (int)description->position_type);
    if ((description->flags & ~((uint32_t)GRZ_MESH_INDEX_ONLY | (uint32_t)GRZ_MESH_FAST_BUILD)) != 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "mesh description: unknown flags 0x%x",
                        description->flags);
    if (description->vertex_count == 0)
        return grz_fail(error, GRZ_ERROR_MESH, GRZ_NO_ELEMENT, "the mesh has no vertices");
    if (description->vertex_count > UINT32_MAX)
        return grz_fail(error, GRZ_ERROR_MESH, GRZ_NO_ELEMENT, "%" PRIu64 " vertices, the most is 2^32 - 1",
                        description->vertex_count);
    if (description->positions == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "mesh description: positions is NULL");
    size_t scalar = grz_scalar_size(description->position_type);
    plan->stride = description->position_stride != 0 ? description->position_stride : 3 * scalar;
    if (plan->stride < 3 * scalar || plan->stride % scalar != 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "mesh description: position_stride is %zu, need a multiple of %zu and at least %zu",
                        plan->stride, scalar, 3 * scalar);
    if (plan->stride > PTRDIFF_MAX / description->vertex_count)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "mesh description: %" PRIu64
                        " vertices at a position_stride of %zu are more than memory can hold",
                        description->vertex_count, plan->stride);
    return GRZ_OK;
}

static grz_status too_many_triangles(uint64_t count, grz_error *error)
{
    return grz_fail(error, GRZ_ERROR_MESH, GRZ_NO_ELEMENT, "%" PRIu64 " triangles, the most is 2^32 - 2", count);
}

static grz_status too_few_corners(uint64_t face, uint32_t count, grz_error *error)
{
    return grz_fail(error, GRZ_ERROR_MESH, face, "face %" PRIu64 ": %" PRIu32 " corner%s, need at least 3", face, count,
                    count == 1 ? "" : "s");
}

static grz_status count_corners(const grz_mesh_description *description, mesh_plan *plan, grz_error *error)
{
    if (description->face_count == 0)
        return grz_fail(error, GRZ_ERROR_MESH, GRZ_NO_ELEMENT, "the mesh has no faces");
    // Every face has at least one triangle. With this limit the products and sums below stay under 2^64.
    if (description->face_count > GRZ_MAX_TRIANGLES)
        return too_many_triangles(description->face_count, error);
    if (description->corner_counts == NULL) {
        if (description->corners_per_face < 3)
            return too_few_corners(0, description->corners_per_face, error);
        plan->corner_total = description->face_count * description->corners_per_face;
    } else {
        plan->corner_total = 0;
        for (uint64_t face = 0; face < description->face_count; face++) {
            if (description->corner_counts[face] < 3)
                return too_few_corners(face, description->corner_counts[face], error);
            plan->corner_total += description->corner_counts[face];
        }
    }
    assert(plan->corner_total >= 3 * description->face_count);
    plan->triangle_total = plan->corner_total - 2 * description->face_count;
    if (plan->triangle_total > GRZ_MAX_TRIANGLES)
        return too_many_triangles(plan->triangle_total, error);
    if (description->indices == NULL ? description->index_count != 0 && description->index_count != plan->corner_total
                                     : description->index_count != plan->corner_total)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "mesh description: index_count is %" PRIu64 ", but the faces have %" PRIu64 " corners",
                        description->index_count, plan->corner_total);
    return GRZ_OK;
}

// Report the face and the corner whose vertex is out of range. `corner` counts over all faces.
static grz_status refuse_corner(const grz_mesh_description *description, uint64_t corner, grz_error *error)
{
    uint64_t face = 0, first = 0;
    while (corner - first >= face_size(description, face))
        first += face_size(description, face++);
    uint64_t vertex = description->indices != NULL ? description->indices[corner] : corner;
    return grz_fail(error, GRZ_ERROR_MESH, face,
                    "face %" PRIu64 ": corner %" PRIu64 " is vertex %" PRIu64 ", but there %s only %" PRIu64 " vert%s",
                    face, corner - first, vertex, description->vertex_count == 1 ? "is" : "are",
                    description->vertex_count, description->vertex_count == 1 ? "ex" : "ices");
}

static grz_status validate_corners(const grz_mesh_description *description, const mesh_plan *plan, grz_error *error)
{
    if (description->indices == NULL)
        return plan->corner_total > description->vertex_count
                   ? refuse_corner(description, description->vertex_count, error)
                   : GRZ_OK;
    uint32_t largest = 0;
    for (uint64_t corner = 0; corner < plan->corner_total; corner++) // no early exit: the compiler can vectorise this
        largest = description->indices[corner] > largest ? description->indices[corner] : largest;
    if (largest < description->vertex_count)
        return GRZ_OK;
    uint64_t corner = 0;
    while (description->indices[corner] < description->vertex_count)
        corner++;
    return refuse_corner(description, corner, error);
}

static void copy_corners(const grz_mesh_description *description, uint64_t count, uint32_t *corners)
{
    if (description->indices != NULL)
        memcpy(corners, description->indices, (size_t)count * sizeof *corners);
    else
        for (uint64_t i = 0; i < count; i++)
            corners[i] = (uint32_t)i;
}

// Copy the faces. If some face has more than three corners, triangulate_faces() fills the triangles later. False if
// there is no memory.
static bool copy_faces(grz_mesh *mesh, const grz_mesh_description *description, const mesh_plan *plan)
{
    mesh->triangles = grz_allocate(mesh->allocator, (size_t)mesh->triangle_count * 3, sizeof *mesh->triangles);
    if (mesh->triangles == NULL)
        return false;
    if (mesh->triangle_count == mesh->face_count) {
        copy_corners(description, plan->corner_total, mesh->triangles);
        return true;
    }
    mesh->triangle_faces = grz_allocate(mesh->allocator, mesh->triangle_count, sizeof *mesh->triangle_faces);
    mesh->triangle_sides = grz_allocate(mesh->allocator, mesh->triangle_count, sizeof *mesh->triangle_sides);
    mesh->corners = grz_allocate(mesh->allocator, plan->corner_total, sizeof *mesh->corners);
    mesh->face_offsets = grz_allocate(mesh->allocator, (size_t)mesh->face_count + 1, sizeof *mesh->face_offsets);
    if (mesh->triangle_faces == NULL || mesh->triangle_sides == NULL || mesh->corners == NULL ||
        mesh->face_offsets == NULL)
        return false;
    copy_corners(description, plan->corner_total, mesh->corners);
    uint64_t offset = 0;
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        mesh->face_offsets[face] = offset;
        offset += face_size(description, face);
    }
    mesh->face_offsets[mesh->face_count] = offset;
    return true;
}

// Which edges of a triangle are sides of its face: bit i for edge i. The triangle's corners are numbers within the
// face, 0 to count - 1.
static uint8_t sides_of(const uint32_t triangle[3], uint32_t count)
{
    uint8_t sides = 0;
    for (int i = 0; i < 3; i++) {
        const uint32_t p = triangle[i], q = triangle[(i + 1) % 3], low = p < q ? p : q, high = p < q ? q : p;
        if (high - low == 1 || (low == 0 && high == count - 1))
            sides |= (uint8_t)(1 << i);
    }
    return sides;
}

// Triangulate one face with at least four corners into `triangles` and `sides`. `points` has room for its corners.
// False if there is no memory, or if the control says to end.
static bool triangulate_face(grz_mesh *mesh, uint32_t face, grz_polygon_scratch *scratch, double *points,
                             uint32_t *triangles, uint8_t *sides)
{
    uint32_t count;
    const uint32_t *corners = grz_mesh_face_corners(mesh, face, &count);
    grz_polygon_shape shape;
    for (size_t i = 0; i < count; i++)
        memcpy(points + 3 * i, grz_mesh_position(mesh, corners[i]), 3 * sizeof *points);
    if (!grz_polygon_triangulate(mesh->allocator, scratch, points, count, triangles, &shape))
        return false;
    for (size_t i = 0; i < (size_t)count - 2; i++)
        sides[i] = sides_of(triangles + 3 * i, count);
    for (size_t i = 0; i < ((size_t)count - 2) * 3; i++) {
        assert(triangles[i] < count);
        triangles[i] = corners[triangles[i]];
    }
    if (shape == GRZ_POLYGON_NONSIMPLE) {
        if (mesh->nonsimple_faces++ == 0)
            mesh->first_nonsimple_face = face;
    }
    return true;
}

// Fill the triangles of a mesh that has larger faces. False if there is no memory, or if the control says to end.
static bool triangulate_faces(grz_mesh *mesh, grz_control *control)
{
    if (mesh->face_offsets == NULL)
        return true;
    size_t largest = 3, triangle = 0;
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        size_t count = (size_t)(mesh->face_offsets[face + 1] - mesh->face_offsets[face]);
        largest = count > largest ? count : largest;
    }
    double *points = grz_allocate(mesh->allocator, largest * 3, sizeof *points);
    grz_polygon_scratch scratch = {.control = control};
    bool ok = points != NULL;
    grz_control_stage(control, STAGE_COPIED, STAGE_TRIANGULATED);
    for (uint32_t face = 0; face < mesh->face_count && ok; face++) {
        uint32_t count;
        const uint32_t *corners = grz_mesh_face_corners(mesh, face, &count);
        if (count == 3) {
            memcpy(mesh->triangles + 3 * triangle, corners, 3 * sizeof *corners);
            mesh->triangle_sides[triangle] = 7; // all three edges are sides
        } else {
            ok = triangulate_face(mesh, face, &scratch, points, mesh->triangles + 3 * triangle,
                                  mesh->triangle_sides + triangle);
        }
        for (uint32_t i = 0; i < count - 2; i++)
            mesh->triangle_faces[triangle++] = face;
        ok = ok && !grz_control_expired_at(control, face, LOOK_BITS);
        if (face % REPORT_FACES == 0)
            grz_control_report_progress(control, (double)triangle / (double)mesh->triangle_count);
    }
    grz_release(mesh->allocator, points, largest * 3, sizeof *points);
    grz_polygon_scratch_finish(mesh->allocator, &scratch);
    assert(!ok || triangle == mesh->triangle_count);
    return ok;
}

// Find the vertex range of each run of triangles. False if there is no memory, or if the control says to end.
static bool find_runs(grz_mesh *mesh, grz_control *control)
{
    const uint32_t count = grz_mesh_run_count(mesh);
    mesh->runs = grz_allocate(mesh->allocator, count, sizeof *mesh->runs);
    if (mesh->runs == NULL)
        return false;
    for (uint32_t run = 0; run < count; run++) {
        if (grz_control_expired_at(control, run, LOOK_BITS))
            return false;
        const size_t first = (size_t)run * GRZ_RUN * 3, all = (size_t)mesh->triangle_count * 3;
        const size_t most_corners = (size_t)GRZ_RUN * 3, end = all - first < most_corners ? all : first + most_corners;
        uint32_t least = UINT32_MAX, most = 0;
        for (size_t i = first; i < end; i++) {
            least = mesh->triangles[i] < least ? mesh->triangles[i] : least;
            most = mesh->triangles[i] > most ? mesh->triangles[i] : most;
        }
        assert(least <= most && most < mesh->vertex_count);
        mesh->runs[run] = (grz_vertex_range){least, most};
    }
    return true;
}

// Mark the vertices that faces use in mesh->used, which stays NULL if faces use all of them. Marks are bytes first and
// bits later: storing a byte does not depend on earlier stores, but setting a bit would have to wait for the previous
// one. False if there is no memory, or if the control says to end.
static bool find_used(grz_mesh *mesh, const grz_mesh_description *description, const mesh_plan *plan,
                      grz_control *control)
{
    const size_t words = (size_t)mesh->vertex_count / 64 + 1;
    uint8_t *marks = grz_allocate_zeroed(mesh->allocator, mesh->vertex_count, sizeof *marks);
    if (marks == NULL)
        return false;
    for (uint64_t first = 0, end; first < plan->corner_total && !grz_control_expired(control); first = end) {
        end = plan->corner_total - first < STRIDE ? plan->corner_total : first + STRIDE;
        for (uint64_t corner = first; corner < end; corner++)
            marks[vertex_at(description, corner)] = 1;
    }
    const bool all = memchr(marks, 0, mesh->vertex_count) == NULL;
    if (!all)
        mesh->used = grz_allocate_zeroed(mesh->allocator, words, sizeof *mesh->used);
    for (size_t v = 0; mesh->used != NULL && v < mesh->vertex_count; v++)
        mesh->used[v / 64] |= (uint64_t)marks[v] << v % 64;
    grz_release(mesh->allocator, marks, mesh->vertex_count, sizeof *marks);
    return all || mesh->used != NULL;
}

#ifndef NDEBUG
// True if every vertex has the lowest vertex of its group, and that vertex has itself.
static bool is_identity(const uint32_t *identity, uint32_t vertex_count)
{
    for (uint32_t v = 0; v < vertex_count; v++)
        if (identity[v] > v || identity[identity[v]] != identity[v])
            return false;
    return true;
}
#endif

// Fill mesh->identity; it stays NULL if all positions are different. False if there is no memory, or if the control
// says to end.
static bool find_identity(grz_mesh *mesh, grz_control *control)
{
    uint32_t duplicates;
    if (mesh->flags & GRZ_MESH_INDEX_ONLY)
        return true;
    mesh->identity = grz_allocate(mesh->allocator, mesh->vertex_count, sizeof *mesh->identity);
    if (mesh->identity == NULL)
        return false;
    if (grz_weld(mesh->positions, mesh->vertex_count, control, mesh->identity, &duplicates) != GRZ_OK)
        return false;
    assert(is_identity(mesh->identity, mesh->vertex_count));
    if (duplicates == 0) {
        grz_release(mesh->allocator, mesh->identity, mesh->vertex_count, sizeof *mesh->identity);
        mesh->identity = NULL;
    }
    return true;
}

// Fill a new mesh from a valid description. False if there is no memory, or if the control says to end; the mesh is
// then incomplete and must be destroyed.
static bool fill(grz_mesh *mesh, const grz_mesh_description *description, const mesh_plan *plan, grz_control *control)
{
    mesh->vertex_count = (uint32_t)description->vertex_count;
    mesh->face_count = (uint32_t)description->face_count;
    mesh->triangle_count = (uint32_t)plan->triangle_total;
    mesh->corner_total = plan->corner_total;
    mesh->first_nonsimple_face = GRZ_NO_ELEMENT;
    mesh->position_type = description->position_type;
    mesh->position_stride = plan->stride;
    mesh->flags = description->flags;
    mesh->version = 1;
    if (!grz_mesh_slots_init(mesh))
        return false;
    mesh->positions = grz_allocate(mesh->allocator, grz_mesh_position_room(mesh), sizeof *mesh->positions);
    if (mesh->positions == NULL || !find_used(mesh, description, plan, control) || grz_control_expired(control))
        return false;
    mesh->positions[grz_mesh_position_room(mesh) - 1] = 0.0; // the spare number at the end, so that it can be read
    grz_positions_store(mesh, description->positions, &plan->extent);
    if (grz_control_expired(control) || !copy_faces(mesh, description, plan) || !triangulate_faces(mesh, control))
        return false;
    if (description->limits.progress != NULL) { // a query that makes a mesh in between has stages of its own
        grz_control_stage(control, STAGE_TRIANGULATED, 1.0);
        grz_control_report_progress(control, 0.0);
    }
    return find_runs(mesh, control) && find_identity(mesh, control);
}

// Why a mesh could not be filled.
static grz_status explain(const grz_control *control, const mesh_plan *plan, uint32_t vertex_count, grz_error *error)
{
    const grz_status status = grz_control_status(control);
    if (status != GRZ_OK || atomic_load(&control->over_memory))
        return grz_control_explain(control, status != GRZ_OK ? status : GRZ_ERROR_MEMORY, "create mesh", error);
    return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT,
                    "mesh: out of memory for %" PRIu32 " vertices and %" PRIu64 " triangles", vertex_count,
                    plan->triangle_total);
}

grz_status grz_mesh_make(grz_device *device, const grz_mesh_description *description, grz_control *control,
                         grz_mesh **mesh, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    mesh_plan plan = {0};
    *mesh = NULL;
    grz_status status = validate_layout(description, &plan, error);
    if (status == GRZ_OK)
        status = count_corners(description, &plan, error);
    if (status == GRZ_OK)
        status = validate_corners(description, &plan, error);
    const grz_positions positions = {description->positions, description->position_type, plan.stride};
    if (status == GRZ_OK)
        status = grz_positions_validate(&positions, (uint32_t)description->vertex_count, grz_device_simd(device),
                                        &plan.extent, error);
    if (status != GRZ_OK)
        return status;
    grz_mesh *created = grz_allocate_zeroed(allocator, 1, sizeof *created);
    if (created != NULL) {
        atomic_init(&created->references, 1);
        created->device = device;
        grz_device_retain(device);
        created->allocator = allocator;
        if (fill(created, description, &plan, control)) {
            created->allocator = grz_device_allocator(device);
            *mesh = created;
            return GRZ_OK;
        }
    }
    grz_mesh_destroy(created);
    return explain(control, &plan, (uint32_t)description->vertex_count, error);
}

grz_status grz_mesh_create(grz_device *device, const grz_mesh_description *description, grz_mesh **mesh,
                           grz_error *error)
{
    if (mesh != NULL)
        *mesh = NULL;
    if (description == NULL || mesh == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "create mesh: %s is NULL",
                        description == NULL ? "description" : "mesh");
    grz_call call;
    grz_mesh_description read;
    grz_status status = grz_call_begin(&call, "create mesh", device, &description_type, description, &read, error);
    if (status == GRZ_OK)
        status = grz_mesh_make(device, &read, &call.control, mesh, error);
    return grz_call_end(&call, status);
}
