// SPDX-License-Identifier: MIT
// The calls that make hulls and read them.
#include "ask/hull/hull.h"

#include <math.h>

#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/options.h"
#include "mesh/source.h"

static const grz_hull_options defaults = {.size = sizeof(grz_hull_options)};
static const grz_options_type options_type = GRZ_LIMITED_OPTIONS_TYPE(hull_options, defaults);

void grz_hull_options_init(grz_hull_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

grz_status grz_hull_begin(grz_call *call, const char *name, grz_device *device, const grz_hull_options *given,
                          grz_error *error)
{
    grz_hull_options options;
    return grz_call_begin(call, name, device, &options_type, given, &options, error);
}

static grz_status check_points(const double *positions, uint64_t count, grz_error *error)
{
    if (count == 0 || count > GRZ_HULL_MAX_POINTS)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "hull: %llu points, must be 1 to 2^30",
                        (unsigned long long)count);
    for (uint64_t i = 0; i < 3 * count; i++)
        if (!(fabs(positions[i]) <= GRZ_MAX_COORDINATE))
            return grz_fail(error, GRZ_ERROR_MESH, i / 3,
                            "hull: point %llu: %c is %g, must be finite and at most 2^300 in magnitude",
                            (unsigned long long)(i / 3), "xyz"[i % 3], positions[i]);
    return GRZ_OK;
}

// Put a hull into an object of its own. `shape` is the object's then, or released.
static grz_status wrap(grz_call *call, grz_status status, grz_hull_shape *shape, grz_hull **hull)
{
    grz_device *device = call->device;
    grz_control *control = &call->control;
    const grz_allocator *allocator = grz_device_allocator(device);
    if (status == GRZ_OK) {
        *hull = grz_allocate(grz_control_allocator(control), 1, sizeof **hull);
        status = *hull != NULL ? GRZ_OK : GRZ_ERROR_MEMORY;
    }
    if (status != GRZ_OK) {
        grz_hull_shape_finish(allocator, shape);
        return grz_control_explain(control, status, "the hull", call->error);
    }
    **hull = (grz_hull){device, *shape};
    grz_device_retain(device);
    return GRZ_OK;
}

grz_status grz_hull_of_points(grz_device *device, const double *positions, uint64_t count,
                              const grz_hull_options *options, grz_hull **hull, grz_error *error)
{
    if (hull != NULL)
        *hull = NULL;
    if (positions == NULL || hull == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "hull: %s NULL",
                        positions == NULL ? "positions are" : "hull is");
    grz_call call;
    grz_hull_shape shape = {.dimension = 0};
    grz_status status = grz_hull_begin(&call, "hull", device, options, error);
    if (status == GRZ_OK)
        status = check_points(positions, count, error);
    if (status == GRZ_OK) {
        status = grz_hull_build(positions, NULL, (uint32_t)count, &call.control, &shape);
        status = wrap(&call, status, &shape, hull);
    }
    return grz_call_end(&call, status);
}

grz_status grz_mesh_hull_shape(const grz_mesh *mesh, grz_control *control, grz_hull_shape *shape)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    uint32_t *used = NULL, count = 0;
    *shape = (grz_hull_shape){.dimension = 0};
    if (mesh->used == NULL)
        return grz_hull_build(mesh->positions, NULL, mesh->vertex_count, control, shape);
    used = grz_allocate(allocator, mesh->vertex_count, sizeof *used);
    if (used == NULL)
        return GRZ_ERROR_MEMORY;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        if (grz_mesh_uses(mesh, v))
            used[count++] = v;
    const grz_status status = grz_hull_build(mesh->positions, used, count, control, shape);
    grz_release(allocator, used, mesh->vertex_count, sizeof *used);
    return status;
}

static grz_status hull_of_mesh(grz_call *call, const grz_mesh *mesh, grz_hull **hull)
{
    grz_error *error = call->error;
    grz_hull_shape shape = {.dimension = 0};
    grz_status status = grz_mesh_in_memory(mesh, &call->control, &mesh, error);
    if (status != GRZ_OK)
        return status;
    if (mesh->vertex_count > GRZ_HULL_MAX_POINTS)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "hull: the mesh has %u vertices, may have 2^30",
                        mesh->vertex_count);
    status = grz_mesh_hull_shape(mesh, &call->control, &shape);
    return wrap(call, status, &shape, hull);
}

grz_status grz_hull_of_mesh(const grz_mesh *mesh, const grz_hull_options *options, grz_hull **hull, grz_error *error)
{
    if (hull != NULL)
        *hull = NULL;
    if (mesh == NULL || hull == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "hull: %s is NULL", mesh == NULL ? "mesh" : "hull");
    grz_call call;
    grz_status status = grz_hull_begin(&call, "hull", mesh->device, options, error);
    if (status == GRZ_OK)
        status = hull_of_mesh(&call, mesh, hull);
    return grz_call_end(&call, status);
}

void grz_hull_destroy(grz_hull *hull)
{
    if (hull == NULL)
        return;
    grz_device *device = hull->device;
    grz_hull_shape_finish(grz_device_allocator(device), &hull->shape);
    grz_release(grz_device_allocator(device), hull, 1, sizeof *hull);
    grz_device_release(device);
}

int grz_hull_dimension(const grz_hull *hull)
{
    return hull != NULL ? hull->shape.dimension : -1;
}

uint32_t grz_hull_vertex_count(const grz_hull *hull)
{
    return hull != NULL ? hull->shape.vertex_count : 0;
}

const double *grz_hull_vertices(const grz_hull *hull)
{
    return hull != NULL ? hull->shape.positions : NULL;
}

const uint32_t *grz_hull_points(const grz_hull *hull)
{
    return hull != NULL ? hull->shape.points : NULL;
}

uint32_t grz_hull_face_count(const grz_hull *hull)
{
    return hull != NULL ? hull->shape.face_count : 0;
}

const uint32_t *grz_hull_face(const grz_hull *hull, uint32_t face, uint32_t *count)
{
    const bool there = hull != NULL && face < hull->shape.face_count;
    if (count != NULL)
        *count = there ? hull->shape.face_offsets[face + 1] - hull->shape.face_offsets[face] : 0;
    return there ? hull->shape.corners + hull->shape.face_offsets[face] : NULL;
}

const uint32_t *grz_hull_triangles(const grz_hull *hull, uint32_t *count)
{
    if (count != NULL)
        *count = hull != NULL ? hull->shape.triangle_count : 0;
    return hull != NULL ? hull->shape.triangles : NULL;
}

grz_status grz_hull_mesh(const grz_hull *hull, grz_mesh **mesh, grz_error *error)
{
    if (mesh != NULL)
        *mesh = NULL;
    if (hull == NULL || mesh == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "hull mesh: %s is NULL",
                        hull == NULL ? "hull" : "mesh");
    const grz_hull_shape *shape = &hull->shape;
    if (shape->face_count == 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "hull mesh: the hull has no faces, all its points %s",
                        shape->dimension == 0 ? "are equal" : "lie on one line");
    const grz_allocator *allocator = grz_device_allocator(hull->device);
    uint32_t *counts = grz_allocate(allocator, shape->face_count, sizeof *counts);
    if (counts == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "hull mesh: out of memory for %u faces",
                        shape->face_count);
    for (uint32_t f = 0; f < shape->face_count; f++)
        counts[f] = shape->face_offsets[f + 1] - shape->face_offsets[f];
    grz_mesh_description description = grz_default_mesh_description();
    description.positions = shape->positions;
    description.position_type = GRZ_FLOAT64;
    description.vertex_count = shape->vertex_count;
    description.indices = shape->corners;
    description.index_count = shape->corner_count;
    description.face_count = shape->face_count;
    description.corner_counts = counts;
    const grz_status status = grz_mesh_create(hull->device, &description, mesh, error);
    grz_release(allocator, counts, shape->face_count, sizeof *counts);
    return status;
}
