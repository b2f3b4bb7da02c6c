// SPDX-License-Identifier: MIT
// Uploads a mesh. Coordinates become floats relative to the middle of the mesh's box, in units of about half its size.
// So meshes far from the origin keep their digits, and no coordinate is too large or too small for a float. The
// difference is computed in doubles.
#include "gpu/mesh_buffers.h"

#include <assert.h>
#include <math.h>

#include "base/control.h"
#include "base/fail.h"
#include "base/rounding.h"
#include "gpu/gl_mesh.h"
#include "mesh/oriented_box.h"
#include "mesh/triangles.h"
#include "mesh/vertex_normals.h"

enum {
    LOOK_BITS = 14, // vertices between two looks at the control, as a power of two
    // Triangles between two looks at the control while drawing: some milliseconds of work.
    DRAWN_BY_SOFTWARE = 1 << 14,
    DRAWN_BY_HARDWARE = 1 << 20
};

static void release_buffers(const grz_mesh *mesh, void *state)
{
    grz_mesh_buffers *buffers = state;
    grz_gl_bin_add(buffers->bin, GRZ_GL_VERTEX_ARRAY, buffers->vertex_array);
    grz_gl_bin_add(buffers->bin, GRZ_GL_BUFFER, buffers->positions);
    grz_gl_bin_add(buffers->bin, GRZ_GL_BUFFER, buffers->indices);
    grz_gl_bin_add(buffers->bin, GRZ_GL_BUFFER, buffers->normals);
    if (buffers->corners != buffers->indices)
        grz_gl_bin_add(buffers->bin, GRZ_GL_BUFFER, buffers->corners);
    grz_gl_bin_empty_later(mesh->device, buffers->bin);
    grz_release(mesh->allocator, buffers, 1, sizeof *buffers);
}

// False: the control has expired.
static bool write_positions(const grz_mesh *mesh, const grz_mesh_buffers *buffers, float *to, grz_control *control)
{
    const double unit = 1.0 / buffers->scale;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const double *p = grz_mesh_position(mesh, v);
        if (grz_control_expired_at(control, v, LOOK_BITS))
            return false;
        for (size_t axis = 0; axis < 3; axis++) {
            to[3 * (size_t)v + axis] = (float)((p[axis] - buffers->centre[axis]) * unit);
            assert(!grz_mesh_uses(mesh, v) || fabsf(to[3 * (size_t)v + axis]) <= 1.0f);
        }
    }
    return true;
}

// The least power of two above a size: coordinates divided by it are below 1.
static double power_above(double size, double least, double most)
{
    int exponent;
    frexp(size, &exponent);
    return fmin(fmax(ldexp(1.0, exponent), least), most);
}

static void find_frame(const grz_mesh *mesh, grz_mesh_buffers *buffers)
{
    double largest = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        buffers->centre[axis] = 0.5 * mesh->bounds.min[axis] + 0.5 * mesh->bounds.max[axis];
        if (mesh->source != NULL) // shaders subtract it, in floats
            buffers->centre[axis] = (double)(float)buffers->centre[axis];
        largest = fmax(largest, fmax(mesh->bounds.max[axis] - buffers->centre[axis],
                                     buffers->centre[axis] - mesh->bounds.min[axis]));
    }
    if (mesh->source == NULL) {
        buffers->scale = power_above(largest, GRZ_NEVER_ZERO, HUGE_VAL);
        assert(largest <= buffers->scale);
        buffers->frame[3] = 1.0f;
        return;
    }
    buffers->scale = power_above(largest, 0x1p-120, 0x1p120); // a normal float, and so is its inverse
    for (int axis = 0; axis < 3; axis++)
        buffers->frame[axis] = (float)buffers->centre[axis];
    buffers->frame[3] = (float)(1.0 / buffers->scale);
}

static grz_status upload_positions(grz_gl *gl, const grz_mesh *mesh, grz_mesh_buffers *buffers, grz_control *control,
                                   grz_error *error)
{
    const size_t size = 3 * (size_t)mesh->vertex_count * sizeof(float);
    float *to =
        glMapNamedBufferRange(buffers->positions, 0, (GLsizeiptr)size, GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
    if (to == NULL) {
        grz_status status = grz_gl_check(gl, error);
        return status != GRZ_OK ? status
                                : grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT,
                                           "OpenGL does not let a mesh's buffer be written");
    }
    const bool written = write_positions(mesh, buffers, to, control);
    const bool kept = glUnmapNamedBuffer(buffers->positions) !=
                      GL_FALSE; // false: the content was lost, for instance by a change of display mode
    if (!written)
        return grz_control_status(control);
    if (!kept)
        return grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT, "OpenGL lost a mesh's buffer while it was written");
    return GRZ_OK;
}

static grz_status create_buffers(grz_gl *gl, const grz_mesh *mesh, grz_mesh_buffers *buffers, grz_error *error)
{
    const uint64_t index_bytes = 3 * (uint64_t)mesh->triangle_count * sizeof(uint32_t);
    const uint64_t position_bytes = 3 * (uint64_t)mesh->vertex_count * sizeof(float);
    grz_gl_buffer positions = {0}, indices = {0};
    grz_status status = grz_gl_buffer_reserve(gl, &positions, position_bytes, "a mesh's vertices", error);
    if (status == GRZ_OK)
        status = grz_gl_buffer_reserve(gl, &indices, index_bytes, "a mesh's triangles", error);
    if (status == GRZ_OK) {
        glNamedBufferSubData(indices.name, 0, (GLsizeiptr)index_bytes, mesh->triangles);
        buffers->vertex_array = grz_gl_create(gl, GRZ_GL_VERTEX_ARRAY, 0);
        glVertexArrayVertexBuffer(buffers->vertex_array, 0, positions.name, 0, 3 * sizeof(float));
        glVertexArrayAttribFormat(buffers->vertex_array, 0, 3, GL_FLOAT, GL_FALSE, 0);
        glVertexArrayAttribBinding(buffers->vertex_array, 0, 0);
        glEnableVertexArrayAttrib(buffers->vertex_array, 0);
        glVertexArrayElementBuffer(buffers->vertex_array, indices.name);
        status = grz_gl_check(gl, error);
    }
    buffers->positions = positions.name;
    buffers->indices = indices.name;
    buffers->index_type = GL_UNSIGNED_INT;
    return status;
}

// The caller's buffers are drawn in place.
static grz_status borrow_buffers(grz_gl *gl, const grz_mesh *mesh, grz_mesh_buffers *buffers, grz_error *error)
{
    const grz_gl_mesh_description *d = &grz_gl_mesh_of(mesh)->layout;
    assert(d->index_size == 2 || d->index_size == 4);
    buffers->vertex_array = grz_gl_create(gl, GRZ_GL_VERTEX_ARRAY, 0);
    glVertexArrayAttribFormat(buffers->vertex_array, 0, 3, GL_FLOAT, GL_FALSE, 0);
    glVertexArrayAttribBinding(buffers->vertex_array, 0, 0);
    glEnableVertexArrayAttrib(buffers->vertex_array, 0);
    if (d->index_buffer != 0)
        buffers->index_type = d->index_size == 2 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT;
    buffers->index_start = d->index_offset;
    return grz_gl_check(gl, error);
}

static grz_status prepare_buffers(const grz_mesh *mesh, grz_control *control, void **state, grz_error *error)
{
    grz_mesh_buffers *buffers = *state;
    grz_gl *gl = grz_gl_inside(mesh->device);
    if (mesh->triangle_count > INT32_MAX / 3)
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "%u triangles, OpenGL draws at most %d at once",
                        mesh->triangle_count, INT32_MAX / 3);
    if (buffers == NULL) {
        buffers = grz_allocate_zeroed(grz_control_allocator(control), 1, sizeof *buffers);
        grz_gl_bin *bin = buffers != NULL ? grz_gl_bin_create(gl) : NULL;
        if (bin == NULL) {
            grz_release(grz_control_allocator(control), buffers, 1, sizeof *buffers);
            return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "out of memory for a mesh's buffers");
        }
        buffers->bin = bin;
        buffers->corner_count = (GLsizei)(3 * mesh->triangle_count);
        grz_status status =
            mesh->source != NULL ? borrow_buffers(gl, mesh, buffers, error) : create_buffers(gl, mesh, buffers, error);
        if (status != GRZ_OK) {
            release_buffers(mesh, buffers);
            return status;
        }
        *state = buffers;
    }
    assert(buffers->corner_count == (GLsizei)(3 * mesh->triangle_count)); // only positions change
    find_frame(mesh, buffers);
    return mesh->source != NULL ? GRZ_OK : upload_positions(gl, mesh, buffers, control, error);
}

static uint64_t index_bytes(GLenum type)
{
    return type == GL_UNSIGNED_BYTE ? 1 : type == GL_UNSIGNED_SHORT ? 2 : 4;
}

void grz_mesh_buffers_draw(const grz_mesh_buffers *buffers, uint32_t first, uint32_t count)
{
    assert(count > 0 && buffers->corner_count % 3 == 0);
    assert(first < grz_mesh_buffers_triangles(buffers) && count <= grz_mesh_buffers_triangles(buffers) - first);
    const uint64_t start = buffers->index_start + (uint64_t)first * 3 * index_bytes(buffers->index_type);
    if (buffers->index_type == 0)
        glDrawArrays(GL_TRIANGLES, (GLint)(3 * first), (GLsizei)(3 * count));
    else
        glDrawElements(GL_TRIANGLES, (GLsizei)(3 * count), buffers->index_type,
                       (const void *)(uintptr_t)start); // NOLINT(performance-no-int-to-ptr): OpenGL wants it so
}

uint32_t grz_mesh_buffers_draw_most(const grz_gl *gl, const grz_control *control)
{
    if (!grz_control_may_end(control))
        return UINT32_MAX;
    return grz_gl_get_limits(gl)->software ? DRAWN_BY_SOFTWARE : DRAWN_BY_HARDWARE;
}

grz_status grz_mesh_buffers_draw_all(const grz_gl *gl, grz_control *control, const grz_mesh_buffers *buffers)
{
    const uint32_t triangles = grz_mesh_buffers_triangles(buffers), most = grz_mesh_buffers_draw_most(gl, control);
    grz_status status = GRZ_OK;
    for (uint32_t first = 0, count; first < triangles && status == GRZ_OK; first += count) {
        count = triangles - first < most ? triangles - first : most;
        grz_mesh_buffers_draw(buffers, first, count);
        status = grz_gl_wait(control);
    }
    return status;
}

grz_status grz_mesh_buffers_get(const grz_mesh *mesh, grz_control *control, const grz_mesh_buffers **buffers,
                                grz_error *error)
{
    static const grz_slot_type type = {prepare_buffers, release_buffers};
    void *state = NULL;
    grz_status status = mesh->source != NULL ? grz_gl_mesh_check(mesh, error) : GRZ_OK;
    if (status == GRZ_OK)
        status = grz_mesh_slot_get(mesh, &type, control, &state, error);
    *buffers = state;
    if (status == GRZ_OK && mesh->source != NULL)
        grz_gl_mesh_attach(mesh, (*buffers)->vertex_array);
    return status;
}

static grz_status upload_normals(grz_gl *gl, const grz_mesh *mesh, grz_control *control, grz_mesh_buffers *buffers,
                                 grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const uint64_t bytes = 3 * (uint64_t)mesh->vertex_count * sizeof(float);
    float *normals = grz_allocate(allocator, mesh->vertex_count, 3 * sizeof *normals);
    if (normals == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "out of memory for a mesh's normals");
    grz_status status = grz_vertex_normals(mesh, control, normals);
    if (status == GRZ_ERROR_MEMORY)
        grz_fail(error, status, GRZ_NO_ELEMENT, "out of memory for a mesh's normals");
    if (status == GRZ_OK && buffers->normals == 0) {
        grz_gl_buffer buffer = {0};
        status = grz_gl_buffer_reserve(gl, &buffer, bytes, "a mesh's normals", error);
        if (status == GRZ_OK) {
            buffers->normals = buffer.name;
            glVertexArrayVertexBuffer(buffers->vertex_array, 1, buffer.name, 0, 3 * sizeof(float));
            glVertexArrayAttribFormat(buffers->vertex_array, 1, 3, GL_FLOAT, GL_FALSE, 0);
            glVertexArrayAttribBinding(buffers->vertex_array, 1, 1);
            glEnableVertexArrayAttrib(buffers->vertex_array, 1);
        }
    }
    if (status == GRZ_OK) {
        glNamedBufferSubData(buffers->normals, 0, (GLsizeiptr)bytes, normals);
        buffers->normals_version = mesh->version;
    }
    grz_release(allocator, normals, mesh->vertex_count, 3 * sizeof *normals);
    return status;
}

grz_status grz_mesh_buffers_get_normals(grz_gl *gl, const grz_mesh *mesh, grz_control *control,
                                        const grz_mesh_buffers **buffers, grz_error *error)
{
    grz_status status = grz_mesh_buffers_get(mesh, control, buffers, error);
    // The slot's lock is not held here. But this thread is inside the device's OpenGL, and only such threads look at
    // the content.
    assert(grz_gl_inside(mesh->device) == gl);
    if (status == GRZ_OK && (*buffers)->normals_version != mesh->version)
        status = upload_normals(gl, mesh, control, (grz_mesh_buffers *)*buffers, error);
    return status;
}

static grz_status upload_corners(grz_gl *gl, const grz_mesh *mesh, grz_control *control, grz_mesh_buffers *buffers,
                                 grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const size_t count = 3 * (size_t)mesh->triangle_count;
    uint32_t *ids = grz_allocate(allocator, count, sizeof *ids);
    grz_status status = GRZ_OK;
    if (ids == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "out of memory for a mesh's corners");
    for (size_t i = 0; i < count && status == GRZ_OK; i++) {
        ids[i] = grz_mesh_representative(mesh, mesh->triangles[i]);
        assert(ids[i] <= mesh->triangles[i]); // the lowest vertex of a corner
        if (grz_control_expired_at(control, i, LOOK_BITS))
            status = grz_control_status(control);
    }
    if (status == GRZ_OK && buffers->corners == 0) {
        grz_gl_buffer buffer = {0};
        status = grz_gl_buffer_reserve(gl, &buffer, count * sizeof *ids, "a mesh's corners", error);
        buffers->corners = buffer.name;
    }
    if (status == GRZ_OK) {
        glNamedBufferSubData(buffers->corners, 0, (GLsizeiptr)(count * sizeof *ids), ids);
        buffers->corners_version = mesh->version;
    }
    grz_release(allocator, ids, count, sizeof *ids);
    return status;
}

grz_status grz_mesh_buffers_get_corners(grz_gl *gl, const grz_mesh *mesh, grz_control *control,
                                        const grz_mesh_buffers **buffers, grz_error *error)
{
    grz_status status = grz_mesh_buffers_get(mesh, control, buffers, error);
    grz_mesh_buffers *own = (grz_mesh_buffers *)*buffers; // as above
    assert(grz_gl_inside(mesh->device) == gl && mesh->source == NULL);
    if (status == GRZ_OK && mesh->identity == NULL)
        own->corners = own->indices;
    else if (status == GRZ_OK && own->corners_version != mesh->version)
        status = upload_corners(gl, mesh, control, own, error);
    return status;
}

const grz_solid_box *grz_mesh_buffers_box(const grz_mesh *mesh, const grz_mesh_buffers *buffers)
{
    grz_mesh_buffers *own = (grz_mesh_buffers *)buffers; // as above
    if (own->box_version != mesh->version) {
        grz_oriented_box(mesh, own->box.centre, own->box.edges);
        own->box_version = mesh->version;
    }
    return &own->box;
}

grz_face_normal grz_face_normal_of(const double corners[3][3], double scale)
{
    grz_face_normal normal;
    double u[3], v[3];
    assert(scale > 0.0);
    for (int j = 0; j < 3; j++) {
        u[j] = (corners[1][j] - corners[0][j]) / scale;
        v[j] = (corners[2][j] - corners[0][j]) / scale;
    }
    for (int j = 0; j < 3; j++)
        normal.at[j] = u[(j + 1) % 3] * v[(j + 2) % 3] - u[(j + 2) % 3] * v[(j + 1) % 3];
    return normal;
}

const grz_face_normal *grz_mesh_buffers_sample(const grz_mesh *mesh, const grz_mesh_buffers *buffers, uint32_t *count)
{
    grz_mesh_buffers *own = (grz_mesh_buffers *)buffers; // as above
    *count = mesh->triangle_count < GRZ_FACE_SAMPLE ? mesh->triangle_count : GRZ_FACE_SAMPLE;
    for (uint32_t i = 0; i < *count && own->sample_version != mesh->version; i++) {
        double corners[3][3];
        if (mesh->source == NULL)
            grz_mesh_corners(mesh, grz_face_sample_at(mesh->triangle_count, i), corners);
        else
            for (size_t j = 0; j < 9; j++)
                corners[j / 3][j % 3] = (double)grz_gl_mesh_of(mesh)->sample[i][j / 3][j % 3];
        own->sample[i] = grz_face_normal_of((const double(*)[3])corners, own->scale);
    }
    own->sample_version = mesh->version;
    return own->sample;
}
