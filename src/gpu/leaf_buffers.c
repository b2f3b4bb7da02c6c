// SPDX-License-Identifier: MIT
// Uploads leaf boxes, or lets a shader fit them. Rounding to floats keeps the order of numbers. So the box that is
// rounded as vertices are (mesh_buffers.c) is the box of the rounded vertices.
#include "gpu/leaf_buffers.h"

#include <assert.h>

#include "base/control.h"
#include "base/fail.h"
#include "gpu/dispatch.h"
#include "gpu/gl_mesh.h"
#include "gpu/mesh_shaders.h"
#include "mesh/source.h"

static const grz_gl_program_source refit_program = {"leaf_refit", {&grz_shader_leaf_refit_comp, NULL, NULL}};

static void release_leaves(const grz_mesh *mesh, void *state)
{
    grz_leaf_buffers *b = state;
    grz_leaf_boxes_finish(&b->leaves);
    grz_gl_bin_add(b->bin, GRZ_GL_BUFFER, b->boxes);
    grz_gl_bin_add(b->bin, GRZ_GL_BUFFER, b->order);
    grz_gl_bin_add(b->bin, GRZ_GL_BUFFER, b->primitives);
    grz_gl_bin_empty_later(mesh->device, b->bin);
    grz_release(mesh->allocator, b, 1, sizeof *b);
}

// Only the structure: the content depends on how many faces a leaf may have, and is made by those inside OpenGL.
static grz_status prepare_leaves(const grz_mesh *mesh, grz_control *control, void **state, grz_error *error)
{
    if (*state != NULL)
        return GRZ_OK;
    grz_leaf_buffers *b = grz_allocate_zeroed(grz_control_allocator(control), 1, sizeof *b);
    if (b != NULL)
        b->bin = grz_gl_bin_create(grz_gl_inside(mesh->device));
    if (b == NULL || b->bin == NULL) {
        grz_release(grz_control_allocator(control), b, 1, sizeof *b);
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "out of memory for a mesh's leaf boxes");
    }
    *state = b;
    return GRZ_OK;
}

// ---- Which triangles are in which leaf ----------------------------------------------------------------------------

static grz_leaf_in_buffer in_buffer(const grz_leaf_boxes *leaves, uint32_t i, const grz_mesh_buffers *frame)
{
    const grz_leaf *leaf = &leaves->leaves.items[i];
    const double unit = 1.0 / frame->scale;
    grz_leaf_in_buffer out = {.first = leaf->first_triangle, .count = leaf[1].first_triangle - leaf->first_triangle};
    for (int j = 0; j < 3; j++) { // as write_positions() of mesh_buffers.c rounds vertices
        out.low[j] = (float)((leaves->boxes[i].min[j] - frame->centre[j]) * unit);
        out.high[j] = (float)((leaves->boxes[i].max[j] - frame->centre[j]) * unit);
    }
    return out;
}

static grz_status upload_boxes(grz_gl *gl, const grz_leaf_buffers *b, const grz_mesh_buffers *frame, grz_error *error)
{
    grz_leaf_in_buffer *to = glMapNamedBufferRange(b->boxes, 0, (GLsizeiptr)((size_t)b->leaf_count * sizeof *to),
                                                   GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
    for (uint32_t i = 0; i < b->leaf_count && to != NULL; i++)
        to[i] = in_buffer(&b->leaves, i, frame);
    if (to == NULL || glUnmapNamedBuffer(b->boxes) == GL_FALSE) {
        const grz_status status = grz_gl_check(gl, error);
        return status != GRZ_OK ? status
                                : grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT,
                                           "OpenGL does not let a mesh's leaf boxes be written");
    }
    return GRZ_OK;
}

static grz_status create_buffers(grz_gl *gl, grz_leaf_buffers *b, grz_error *error)
{
    const grz_leaf_boxes *leaves = &b->leaves;
    const uint64_t order_bytes = (uint64_t)leaves->triangle_count * sizeof *leaves->triangles;
    grz_gl_buffer boxes = {.name = 0}, order = {.name = 0};
    grz_gl_delete(gl, GRZ_GL_BUFFER, b->boxes);
    grz_gl_delete(gl, GRZ_GL_BUFFER, b->order);
    grz_gl_delete(gl, GRZ_GL_BUFFER, b->primitives);
    b->primitives = 0;
    grz_status status = grz_gl_buffer_reserve(gl, &boxes, (uint64_t)leaves->leaf_count * sizeof(grz_leaf_in_buffer),
                                              "a mesh's leaf boxes", error);
    if (status == GRZ_OK)
        status = grz_gl_buffer_reserve(gl, &order, order_bytes, "the triangles of a mesh's leaves", error);
    b->boxes = boxes.name;
    b->order = order.name;
    if (status == GRZ_OK)
        glNamedBufferSubData(b->order, 0, (GLsizeiptr)order_bytes, leaves->triangles);
    return status;
}

// Put the leaves, which are there, into buffers.
static grz_status store(grz_gl *gl, const grz_mesh *mesh, const grz_mesh_buffers *frame, grz_leaf_buffers *b,
                        grz_error *error)
{
    const grz_status status = create_buffers(gl, b, error);
    if (status != GRZ_OK)
        return status;
    b->leaf_count = b->leaves.leaf_count;
    b->most_triangles = 0;
    for (uint32_t i = 0; i < b->leaf_count; i++) {
        const grz_leaf *leaf = &b->leaves.leaves.items[i];
        const uint32_t count = leaf[1].first_triangle - leaf->first_triangle;
        b->most_triangles = count > b->most_triangles ? count : b->most_triangles;
    }
    return mesh->source != NULL ? upload_boxes(gl, b, frame, error) : GRZ_OK;
}

// Make leaves of at most `max_faces` faces. Those of a mesh in buffers are made by grz_leaf_buffers_divide() before.
static grz_status divide(grz_gl *gl, const grz_mesh *mesh, uint32_t max_faces, const grz_mesh_buffers *frame,
                         grz_control *control, grz_leaf_buffers *b, grz_error *error)
{
    grz_status status = GRZ_OK;
    b->version = 0;
    b->leaf_count = 0;
    if (b->leaves.max_faces != max_faces && mesh->source != NULL)
        return grz_fail(error, GRZ_ERROR_BUSY, GRZ_NO_ELEMENT,
                        "leaf boxes: another thread has asked for leaves of another size");
    if (b->leaves.max_faces != max_faces) {
        grz_leaf_boxes_finish(&b->leaves);
        status = grz_leaf_boxes_build(&b->leaves, mesh, max_faces, control, error);
    }
    if (status != GRZ_OK) {
        grz_leaf_boxes_finish(&b->leaves);
        return status;
    }
    return store(gl, mesh, frame, b, error);
}

// ---- Up to date ---------------------------------------------------------------------------------------------------

// The shader fits the boxes to positions in the caller's buffers. Where their triangles begin is there already.
static grz_status fit_by_shader(grz_gl *gl, const grz_mesh *mesh, const grz_leaf_buffers *b,
                                const grz_mesh_buffers *frame, grz_control *control, grz_error *error)
{
    GLuint program;
    grz_status status = grz_gl_program(gl, &refit_program, &program, error);
    if (status != GRZ_OK)
        return status;
    glUseProgram(program);
    grz_gl_mesh_bind(gl, mesh);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_REFIT_BOXES, b->boxes);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_REFIT_ORDER, b->order);
    glUniform4fv(GRZ_AT_MIDDLE, 1, frame->frame);
    status = grz_dispatch_groups(gl, control, b->leaf_count);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    return status;
}

static uint32_t size_for(const grz_mesh *mesh, uint32_t max_faces)
{
    return max_faces != 0 ? max_faces : grz_leaf_faces_for(mesh->face_count, mesh->triangle_count);
}

// The state that the mesh keeps. The slot's lock is not held afterwards. But this thread is inside the device's OpenGL,
// and only such threads look at the content.
static grz_status get_state(const grz_mesh *mesh, grz_control *control, grz_leaf_buffers **buffers, grz_error *error)
{
    static const grz_slot_type type = {prepare_leaves, release_leaves};
    void *state = NULL;
    const grz_status status = grz_mesh_slot_get(mesh, &type, control, &state, error);
    *buffers = state;
    return status;
}

// Look at the leaves of a mesh, and exchange them for `leaves` unless this is NULL. *there: it has leaves of this size.
static grz_status exchange(const grz_mesh *mesh, uint32_t size, grz_leaf_boxes *leaves, grz_control *control,
                           bool *there, grz_error *error)
{
    grz_leaf_buffers *b = NULL;
    grz_gl *gl;
    grz_status status = grz_gl_enter(mesh->device, "leaf boxes", &gl, error);
    if (status != GRZ_OK)
        return status;
    status = get_state(mesh, control, &b, error);
    if (status == GRZ_OK && leaves != NULL) {
        const grz_leaf_boxes before = b->leaves;
        b->leaves = *leaves;
        b->leaf_count = 0;
        *leaves = before;
    }
    *there = status == GRZ_OK && b->leaves.max_faces == size;
    return grz_gl_leave(gl, status, error);
}

grz_status grz_leaf_buffers_divide(const grz_mesh *mesh, uint32_t max_faces, grz_control *control, grz_error *error)
{
    const uint32_t size = size_for(mesh, max_faces);
    grz_leaf_boxes leaves = {.allocator = NULL};
    grz_mesh *copy = NULL;
    bool there;
    assert(mesh->source != NULL);
    grz_status status = exchange(mesh, size, NULL, control, &there, error);
    if (status != GRZ_OK || there)
        return status;
    status = mesh->source->read(mesh, control, &copy, error);
    if (status == GRZ_OK)
        status = grz_leaf_boxes_build(&leaves, copy, size, control, error);
    if (status == GRZ_OK)
        status = exchange(mesh, size, &leaves, control, &there, error);
    grz_leaf_boxes_finish(&leaves);
    grz_mesh_destroy(copy);
    return status;
}

grz_status grz_leaf_buffers_get(grz_gl *gl, const grz_mesh *mesh, uint32_t max_faces, grz_control *control,
                                const grz_leaf_buffers **buffers, grz_error *error)
{
    const uint32_t size = size_for(mesh, max_faces);
    const grz_mesh_buffers *frame = NULL;
    grz_leaf_buffers *b = NULL;
    grz_status status = grz_mesh_buffers_get(mesh, control, &frame, error);
    if (status == GRZ_OK)
        status = get_state(mesh, control, &b, error);
    *buffers = b;
    assert(grz_gl_inside(mesh->device) == gl);
    if (status == GRZ_OK && (b->leaves.max_faces != size || b->leaf_count == 0))
        status = divide(gl, mesh, size, frame, control, b, error);
    if (status != GRZ_OK || b->version == mesh->version)
        return status;
    if (mesh->source != NULL)
        status = fit_by_shader(gl, mesh, b, frame, control, error);
    else {
        status = grz_leaf_boxes_refit(&b->leaves, mesh, control);
        if (status == GRZ_OK)
            status = upload_boxes(gl, b, frame, error);
    }
    if (status == GRZ_OK)
        b->version = mesh->version;
    return status;
}

// ---- Primitives ---------------------------------------------------------------------------------------------------

// The corners of a triangle, or of the quad whose first triangle it is.
static void primitive_of(const grz_mesh *mesh, uint32_t triangle, uint32_t corners[4])
{
    const uint32_t face = grz_mesh_triangle_face(mesh, triangle);
    uint32_t count;
    const uint32_t *all = grz_mesh_face_corners(mesh, face, &count);
    const bool quad = count == 4, second = quad && triangle != grz_first_triangle(mesh, face);
    if (!quad)
        all = mesh->triangles + 3 * (size_t)triangle;
    for (int i = 0; i < 4; i++)
        corners[i] = second || (i == 3 && !quad) ? GRZ_NO_CORNER : all[i];
}

static grz_status upload_primitives(grz_gl *gl, const grz_mesh *mesh, grz_control *control, grz_leaf_buffers *b,
                                    grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const uint64_t bytes = (uint64_t)mesh->triangle_count * 4 * sizeof(uint32_t);
    uint32_t(*corners)[4] = grz_allocate(allocator, mesh->triangle_count, sizeof *corners);
    grz_gl_buffer buffer = {.name = 0};
    if (corners == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "out of memory for the faces of a mesh's leaves");
    for (uint32_t i = 0; i < mesh->triangle_count; i++)
        primitive_of(mesh, b->leaves.triangles[i], corners[i]);
    const grz_status status = grz_gl_buffer_reserve(gl, &buffer, bytes, "the faces of a mesh's leaves", error);
    b->primitives = buffer.name;
    if (status == GRZ_OK)
        glNamedBufferSubData(buffer.name, 0, (GLsizeiptr)bytes, corners);
    grz_release(allocator, corners, mesh->triangle_count, sizeof *corners);
    return status;
}

grz_status grz_leaf_buffers_get_primitives(grz_gl *gl, const grz_mesh *mesh, uint32_t max_faces, grz_control *control,
                                           const grz_leaf_buffers **buffers, grz_error *error)
{
    grz_status status = grz_leaf_buffers_get(gl, mesh, max_faces, control, buffers, error);
    assert(mesh->source == NULL);
    if (status == GRZ_OK && (*buffers)->primitives == 0) // this thread is inside, as above
        status = upload_primitives(gl, mesh, control, (grz_leaf_buffers *)*buffers, error);
    return status;
}
