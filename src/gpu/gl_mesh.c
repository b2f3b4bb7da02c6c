// SPDX-License-Identifier: MIT
// Meshes in the caller's buffers. A shader measures the buffers: bounds, invalid vertices and indices. Code that works
// on the CPU reads the whole mesh back.
#include "gpu/gl_mesh.h"

#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "gpu/mesh_shaders.h"
#include "mesh/gl_mesh_description.h"
#include "mesh/positions.h"

static const grz_gl_program_source measure_program = {"gl_mesh_measure",
                                                      {&grz_shader_gl_mesh_measure_comp, NULL, NULL}};

enum {
    MEASURE_WORDS = GRZ_MEASURE_SAMPLE + GRZ_FACE_SAMPLE * GRZ_MEASURE_SAMPLE_WORDS
};

// What is kept with the device between calls.
typedef struct measures {
    grz_gl_buffer buffer;
} measures;

static void release_measures(grz_gl *gl, void *state)
{
    grz_gl_buffer_finish(gl, &((measures *)state)->buffer);
}

static const grz_gl_slot_type slot_type = {sizeof(measures), release_measures};

// ---- Measuring: bounds and errors --------------------------------------------------------------------------------

static grz_status refuse_vertex(const grz_gl_mesh_description *d, uint32_t vertex, grz_error *error)
{
    float p[3] = {0.0f};
    assert(vertex < d->vertex_count);
    glGetNamedBufferSubData(d->position_buffer, (GLintptr)(d->position_offset + (uint64_t)vertex * d->position_stride),
                            sizeof p, p);
    const double position[3] = {(double)p[0], (double)p[1], (double)p[2]};
    return grz_position_refuse(vertex, position, error);
}

static grz_status refuse_triangle(const grz_gl_mesh_description *d, uint32_t triangle, grz_error *error)
{
    uint32_t corners[3] = {0};
    uint16_t narrow[3] = {0};
    const GLintptr at = (GLintptr)(d->index_offset + (uint64_t)triangle * 3 * d->index_size);
    int bad = 0;
    if (d->index_size == 2)
        glGetNamedBufferSubData(d->index_buffer, at, sizeof narrow, narrow);
    else
        glGetNamedBufferSubData(d->index_buffer, at, sizeof corners, corners);
    for (int i = 0; d->index_size == 2 && i < 3; i++)
        corners[i] = narrow[i];
    while (bad < 2 && corners[bad] < d->vertex_count)
        bad++;
    return grz_fail(error, GRZ_ERROR_MESH, triangle,
                    "face %u: corner %d is vertex %u, but there %s only %" PRIu64 " vert%s", triangle, bad,
                    corners[bad], d->vertex_count == 1 ? "is" : "are", d->vertex_count,
                    d->vertex_count == 1 ? "ex" : "ices");
}

// The float whose ordered bits these are.
static double from_ordered(uint32_t ordered)
{
    const uint32_t bits = (ordered & 0x80000000u) != 0 ? ordered ^ 0x80000000u : ~ordered;
    float number;
    memcpy(&number, &bits, sizeof number);
    return (double)number;
}

static void take_measures(grz_mesh *mesh, const uint32_t *words)
{
    for (int i = 0; i < 3; i++) {
        mesh->bounds.min[i] = from_ordered(words[GRZ_MEASURE_MIN + i]);
        mesh->bounds.max[i] = from_ordered(words[GRZ_MEASURE_MAX + i]);
        mesh->max_abs[i] = from_ordered(words[GRZ_MEASURE_MOST + i] | 0x80000000u);
        assert(mesh->bounds.min[i] <= mesh->bounds.max[i]);
    }
    memcpy(grz_gl_mesh_of(mesh)->sample, words + GRZ_MEASURE_SAMPLE, sizeof grz_gl_mesh_of(mesh)->sample);
}

static grz_status measure(grz_gl *gl, grz_mesh *mesh, grz_error *error)
{
    const grz_gl_mesh_description *d = &grz_gl_mesh_of(mesh)->layout;
    const uint32_t samples = mesh->triangle_count < GRZ_FACE_SAMPLE ? mesh->triangle_count : GRZ_FACE_SAMPLE;
    uint32_t words[MEASURE_WORDS] = {0};
    GLuint program;
    measures *m = grz_gl_slot(gl, &slot_type);
    if (m == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "gl mesh: out of memory");
    grz_status status = grz_gl_program(gl, &measure_program, &program, error);
    if (status == GRZ_OK)
        status = grz_gl_buffer_reserve(gl, &m->buffer, sizeof words, "a mesh's bounds", error);
    if (status != GRZ_OK)
        return status;
    for (int i = 0; i < 3; i++)
        words[GRZ_MEASURE_MIN + i] = UINT32_MAX;
    words[GRZ_MEASURE_BAD_VERTEX] = words[GRZ_MEASURE_BAD_TRIANGLE] = UINT32_MAX;
    glNamedBufferSubData(m->buffer.name, 0, sizeof words, words);
    glUseProgram(program);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_MEASURES, m->buffer.name);
    glUniform1ui(GRZ_AT_CAPACITY, samples);
    grz_gl_mesh_dispatch(gl, mesh, d->vertex_count > d->triangle_count ? d->vertex_count : d->triangle_count);
    glGetNamedBufferSubData(m->buffer.name, 0, sizeof words, words);
    status = grz_gl_check(gl, error);
    if (status == GRZ_OK && words[GRZ_MEASURE_BAD_VERTEX] != UINT32_MAX)
        return refuse_vertex(d, words[GRZ_MEASURE_BAD_VERTEX], error);
    if (status == GRZ_OK && words[GRZ_MEASURE_BAD_TRIANGLE] != UINT32_MAX)
        return refuse_triangle(d, words[GRZ_MEASURE_BAD_TRIANGLE], error);
    if (status == GRZ_OK)
        take_measures(mesh, words);
    return status;
}

// ---- Reading back ------------------------------------------------------------------------------------------------

// What is read back.
typedef struct reading {
    const grz_allocator *allocator;
    unsigned char *positions;
    size_t position_size;
    uint32_t *indices; // NULL for a soup, and if only positions are wanted
    size_t index_count;
} reading;

static void finish_reading(reading *r)
{
    grz_release(r->allocator, r->positions, r->position_size, 1);
    grz_release(r->allocator, r->indices, r->index_count, sizeof *r->indices);
}

static grz_status read_buffers(const grz_mesh *mesh, bool indices, reading *r, grz_error *error)
{
    const grz_gl_mesh_description *d = &grz_gl_mesh_of(mesh)->layout;
    grz_gl *gl;
    r->position_size = (size_t)grz_gl_position_bytes(d);
    r->index_count = 3 * (size_t)d->triangle_count;
    r->positions = grz_allocate(r->allocator, r->position_size, 1);
    if (indices && d->index_buffer != 0)
        r->indices = grz_allocate(r->allocator, r->index_count, sizeof *r->indices);
    if (r->positions == NULL || (r->indices == NULL && indices && d->index_buffer != 0))
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "gl mesh: out of memory to read %u triangles back",
                        mesh->triangle_count);
    grz_status status = grz_gl_enter(mesh->device, "gl mesh", &gl, error);
    if (status != GRZ_OK)
        return status;
    status = grz_gl_mesh_check(mesh, error);
    if (status == GRZ_OK) {
        glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        glGetNamedBufferSubData(d->position_buffer, (GLintptr)d->position_offset, (GLsizeiptr)r->position_size,
                                r->positions);
        if (r->indices != NULL)
            glGetNamedBufferSubData(d->index_buffer, (GLintptr)d->index_offset, (GLsizeiptr)grz_gl_index_bytes(d),
                                    r->indices);
    }
    status = grz_gl_leave(gl, status, error);
    for (size_t i = r->index_count; status == GRZ_OK && r->indices != NULL && d->index_size == 2 && i-- > 0;) {
        uint16_t narrow; // from the last index to the first: the wider number overwrites only what has been read
        memcpy(&narrow, (const unsigned char *)r->indices + 2 * i, sizeof narrow);
        r->indices[i] = narrow;
    }
    return status;
}

static grz_status read_all(const grz_mesh *mesh, grz_control *control, grz_mesh **copy, grz_error *error)
{
    const grz_gl_mesh_description *d = &grz_gl_mesh_of(mesh)->layout;
    reading r = {.allocator = grz_control_allocator(control)};
    grz_status status = read_buffers(mesh, *copy == NULL, &r, error);
    if (status == GRZ_OK && *copy != NULL) {
        status = grz_mesh_set_positions(*copy, r.positions, error);
    } else if (status == GRZ_OK) {
        grz_mesh_description whole = grz_default_mesh_description();
        whole.positions = r.positions;
        whole.position_stride = d->position_stride;
        whole.vertex_count = d->vertex_count;
        whole.indices = r.indices;
        whole.index_count = r.indices != NULL ? r.index_count : 0;
        whole.face_count = d->triangle_count;
        whole.flags = d->flags;
        status = grz_mesh_make(mesh->device, &whole, control, copy, error);
    }
    finish_reading(&r);
    return status;
}

// ---- Life ---------------------------------------------------------------------------------------------------------

static void release_gl_mesh(grz_mesh *mesh)
{
    grz_gl_mesh *g = grz_gl_mesh_of(mesh);
    if (g->padded.name != 0)
        grz_gl_bin_add(g->bin, GRZ_GL_BUFFER, g->padded.name);
    if (g->own.name != 0)
        grz_gl_bin_add(g->bin, GRZ_GL_BUFFER, g->own.name);
    grz_gl_bin_empty_later(mesh->device, g->bin);
    grz_release(mesh->allocator, g, 1, sizeof *g);
    mesh->source = NULL;
}

static grz_status check_layout(const grz_gl_mesh_description *d, grz_error *error)
{
    if ((d->flags & ~((uint32_t)GRZ_MESH_INDEX_ONLY | (uint32_t)GRZ_MESH_FAST_BUILD)) != 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "gl mesh description: unknown flags 0x%x", d->flags);
    if (d->vertex_count == 0)
        return grz_fail(error, GRZ_ERROR_MESH, GRZ_NO_ELEMENT, "the mesh has no vertices");
    if (d->vertex_count > UINT32_MAX)
        return grz_fail(error, GRZ_ERROR_MESH, GRZ_NO_ELEMENT, "%" PRIu64 " vertices, the most is 2^32 - 1",
                        d->vertex_count);
    if (d->triangle_count == 0)
        return grz_fail(error, GRZ_ERROR_MESH, GRZ_NO_ELEMENT, "the mesh has no faces");
    if (d->triangle_count > GRZ_MAX_TRIANGLES)
        return grz_fail(error, GRZ_ERROR_MESH, GRZ_NO_ELEMENT, "%" PRIu64 " triangles, the most is 2^32 - 2",
                        d->triangle_count);
    if ((d->position_stride != 0 && d->position_stride < 12) || d->position_stride % 4 != 0 ||
        d->position_offset % 4 != 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "gl mesh description: a position_stride of %u from byte %" PRIu64
                        " on, need multiples of 4, the stride 12 or "
                        "more",
                        d->position_stride, d->position_offset);
    if (d->index_size != 4 && d->index_size != 2)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "gl mesh description: an index_size of %u, need 4 or 2", d->index_size);
    if (d->index_offset % d->index_size != 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "gl mesh description: an index_offset of %" PRIu64 " is no multiple of the index_size, %u",
                        d->index_offset, d->index_size);
    if (d->index_buffer == 0 && 3 * d->triangle_count > d->vertex_count)
        return grz_fail(error, GRZ_ERROR_MESH, d->vertex_count / 3,
                        "face %" PRIu64 ": corner %" PRIu64 " is vertex %" PRIu64 ", but there are only %" PRIu64
                        " vertices",
                        d->vertex_count / 3, d->vertex_count % 3, d->vertex_count, d->vertex_count);
    return GRZ_OK;
}

// Check that shaders and drawing can use a buffer of this layout.
static grz_status check_limits(const grz_gl *gl, const grz_gl_mesh_description *d, grz_error *error)
{
    const grz_gl_limits *limits = grz_gl_get_limits(gl);
    const uint64_t positions = grz_gl_position_bytes(d), indices = d->index_buffer != 0 ? grz_gl_index_bytes(d) : 0;
    const uint64_t larger = positions > indices ? positions : indices;
    if (larger > limits->storage_block - limits->storage_alignment - 4 || 3 * d->triangle_count > INT32_MAX)
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                        "gl mesh: %" PRIu64 " bytes of %s, this device lets a shader see %" PRIu64, larger,
                        positions > indices ? "positions" : "indices", limits->storage_block);
    if (d->position_stride > limits->vertex_stride)
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                        "gl mesh: a position_stride of %u, this device takes at most %u", d->position_stride,
                        limits->vertex_stride);
    return GRZ_OK;
}

// Shaders read whole words. If the last 16-bit index is the first half of a word that the buffer does not hold whole,
// they read a copy.
static grz_status pad_indices(grz_gl *gl, grz_gl_mesh *g, grz_error *error)
{
    const grz_gl_mesh_description *d = &g->layout;
    GLint64 size = 0;
    assert(g->bin == NULL && g->padded.name == 0);
    if (d->index_buffer == 0 || d->index_size == 4)
        return GRZ_OK;
    glGetNamedBufferParameteri64v(d->index_buffer, GL_BUFFER_SIZE, &size);
    const uint64_t bytes = grz_gl_index_bytes(d);
    if ((uint64_t)size >= d->index_offset + bytes + 2)
        return GRZ_OK;
    g->bin = grz_gl_bin_create(gl);
    if (g->bin == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "gl mesh: out of memory");
    grz_status status = grz_gl_buffer_reserve(gl, &g->padded, (bytes + 3) / 4 * 4, "a mesh's indices", error);
    if (status == GRZ_OK)
        glCopyNamedBufferSubData(d->index_buffer, g->padded.name, (GLintptr)d->index_offset, 0, (GLsizeiptr)bytes);
    return status;
}

// The positions are not known, so everything that is kept of them is out of date. Bounds that overlap everything keep a
// query from an answer by boxes alone: it asks for the positions then, and fails.
static void mark_unsound(grz_mesh *mesh)
{
    grz_gl_mesh_of(mesh)->sound = false;
    mesh->version++;
    for (int i = 0; i < 3; i++) {
        mesh->max_abs[i] = mesh->bounds.max[i] = (double)FLT_MAX;
        mesh->bounds.min[i] = -(double)FLT_MAX;
    }
}

static grz_status look(grz_mesh *mesh, bool first, grz_error *error)
{
    grz_gl_mesh *g = grz_gl_mesh_of(mesh);
    grz_gl *gl;
    if (!first)
        mark_unsound(mesh);
    grz_status status = grz_gl_enter(mesh->device, "gl mesh", &gl, error);
    if (status != GRZ_OK)
        return status;
    status = grz_gl_mesh_check_buffers(&g->layout, error);
    if (status == GRZ_OK && first)
        status = check_limits(gl, &g->layout, error);
    if (status == GRZ_OK && first)
        status = pad_indices(gl, g, error);
    if (status == GRZ_OK)
        status = measure(gl, mesh, error);
    status = grz_gl_leave(gl, status, error);
    g->sound = status == GRZ_OK;
    return status;
}

// A mesh that knows the layout of its data, but has not measured it yet. NULL if out of memory.
static grz_mesh *create_empty(grz_device *device, const grz_gl_mesh_description *d)
{
    const grz_allocator *allocator = grz_device_allocator(device);
    assert(d->vertex_count <= UINT32_MAX && d->triangle_count <= GRZ_MAX_TRIANGLES);
    grz_mesh *mesh = grz_allocate_zeroed(allocator, 1, sizeof *mesh);
    grz_gl_mesh *g = grz_allocate_zeroed(allocator, 1, sizeof *g);
    if (mesh == NULL || g == NULL) {
        grz_release(allocator, mesh, 1, sizeof *mesh);
        grz_release(allocator, g, 1, sizeof *g);
        return NULL;
    }
    *g = (grz_gl_mesh){.source = {read_all, grz_gl_mesh_read_part, grz_gl_mesh_read_triangles, release_gl_mesh},
                       .layout = *d,
                       .welded = (d->flags & GRZ_MESH_INDEX_ONLY) == 0};
    if (d->position_stride == 0)
        g->layout.position_stride = 3 * sizeof(float);
    atomic_init(&mesh->references, 1);
    mesh->device = device;
    grz_device_retain(device);
    mesh->allocator = allocator;
    mesh->source = &g->source;
    mesh->vertex_count = (uint32_t)d->vertex_count;
    mesh->face_count = mesh->triangle_count = (uint32_t)d->triangle_count;
    mesh->first_nonsimple_face = GRZ_NO_ELEMENT;
    mesh->position_type = GRZ_FLOAT32;
    mesh->position_stride = g->layout.position_stride;
    mesh->flags = d->flags;
    mesh->version = 1;
    if (grz_mesh_slots_init(mesh))
        return mesh;
    grz_mesh_destroy(mesh);
    return NULL;
}

static grz_status create(grz_call *call, const grz_gl_mesh_description *d, grz_mesh **out)
{
    grz_device *device = call->device;
    grz_error *error = call->error;
    const grz_mesh *copy;
    grz_status status = check_layout(d, error);
    if (status != GRZ_OK)
        return status;
    if (grz_device_graphics(device) == NULL)
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                        "gl mesh: needs OpenGL, and the device was opened without");
    grz_mesh *mesh = create_empty(device, d);
    if (mesh == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "gl mesh: out of memory");
    status = look(mesh, true, error);
    if (status == GRZ_OK && grz_gl_mesh_of(mesh)->welded)
        status = grz_mesh_in_memory(mesh, &call->control, &copy, error);
    if (status == GRZ_OK)
        *out = mesh;
    else
        grz_mesh_destroy(mesh);
    return status;
}

grz_status grz_mesh_create_gl(grz_device *device, const grz_gl_mesh_description *description, grz_mesh **mesh,
                              grz_error *error)
{
    if (mesh != NULL)
        *mesh = NULL;
    if (device == NULL || description == NULL || mesh == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "create gl mesh: %s is NULL",
                        device == NULL ? "device" : (description == NULL ? "description" : "mesh"));
    grz_gl_mesh_description read;
    grz_status status = grz_gl_mesh_description_read(description, &read, error);
    if (status != GRZ_OK)
        return status;
    grz_call call;
    status = grz_call_begin(&call, "gl mesh", device, NULL, NULL, NULL, error);
    if (status == GRZ_OK)
        status = create(&call, &read, mesh);
    return grz_call_end(&call, status);
}

grz_status grz_mesh_gl_changed(grz_mesh *mesh, grz_error *error)
{
    if (mesh == NULL || mesh->source == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "gl mesh changed: %s",
                        mesh == NULL ? "mesh is NULL" : "the mesh was not made by grz_mesh_create_gl()");
    grz_call call;
    grz_status status = grz_call_begin(&call, "gl mesh changed", mesh->device, NULL, NULL, NULL, error);
    if (status == GRZ_OK)
        status = look(mesh, false, error);
    return grz_call_end(&call, status);
}

// ---- Buffers of the mesh's own ------------------------------------------------------------------------------------

grz_mesh *grz_gl_mesh_create_own(grz_device *device, uint32_t flags)
{
    grz_gl_mesh_description nothing;
    grz_gl_mesh_description_init(&nothing, sizeof nothing);
    nothing.flags = flags;
    return create_empty(device, &nothing);
}

grz_status grz_gl_mesh_begin_write(grz_gl *gl, grz_mesh *mesh, grz_error *error)
{
    grz_gl_mesh *g = grz_gl_mesh_of(mesh);
    mark_unsound(mesh);
    if (g->bin == NULL)
        g->bin = grz_gl_bin_create(gl);
    return g->bin != NULL ? GRZ_OK : grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "gl mesh: out of memory");
}

// True if what was derived from the old triangles can be brought up to date with the new ones. Corners that were found
// by equal positions cannot.
static bool only_positions_differ(const grz_gl_mesh *g, const grz_gl_mesh_description *d)
{
    return !g->welded && d->triangle_count == g->layout.triangle_count &&
           d->position_stride == g->layout.position_stride && d->position_offset == g->layout.position_offset;
}

grz_status grz_gl_mesh_replace(grz_gl *gl, grz_mesh *mesh, const grz_gl_mesh_description *d, grz_error *error)
{
    grz_gl_mesh *g = grz_gl_mesh_of(mesh);
    assert(!g->sound && d->index_buffer == 0 && d->position_buffer == g->own.name && d->position_stride > 0);
    grz_status status = check_layout(d, error);
    if (status == GRZ_OK)
        status = check_limits(gl, d, error);
    if (status == GRZ_OK)
        status = grz_gl_mesh_check_buffers(d, error);
    if (status != GRZ_OK)
        return status;
    if (!only_positions_differ(g, d))
        grz_mesh_slots_clear(mesh);
    g->layout = *d;
    mesh->vertex_count = (uint32_t)d->vertex_count;
    mesh->face_count = mesh->triangle_count = (uint32_t)d->triangle_count;
    mesh->position_stride = d->position_stride;
    status = measure(gl, mesh, error);
    g->sound = status == GRZ_OK;
    return status;
}

uint64_t grz_gl_mesh_most_triangles(const grz_gl *gl, uint32_t stride)
{
    const grz_gl_limits *limits = grz_gl_get_limits(gl);
    const uint64_t bytes = limits->storage_block - limits->storage_alignment - 4, most = bytes / (3 * (uint64_t)stride);
    return most < INT32_MAX / 3 ? most : INT32_MAX / 3;
}
