// SPDX-License-Identifier: MIT
// grz_capture: lets a callback draw into a transform feedback, in one or several sections, and makes a mesh of the
// triangles. If the buffer is too small the rest is counted, the buffer grows, and the callback draws again. The size
// at least doubles each time, so this ends at the device's limit. What goes wrong inside of the callback is noted at
// once and returned when the callback is done.
#include <graze/capture.h>

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "gl/context.h"
#include "gpu/capture/capture_options.h"
#include "gpu/capture/capture_program.h"
#include "gpu/capture/section.h"
#include "gpu/gl_mesh.h"

// A draw that is under way.
typedef struct drawing {
    grz_gl *gl; // NULL: none is under way
    const grz_section_objects *objects;
    EGLContext context; // that is current
    grz_capture_callback draw;
    void *user;
    grz_captured_layout layout; // of the first section
    uint64_t room;              // triangles that fit into the buffer; 0: not known yet
    uint64_t drawn;             // triangles of the sections before
    uint64_t sections;
    bool open;       // between begin and end
    GLint before;    // the transform feedback object that was bound
    grz_error wrong; // the first thing that went wrong; code GRZ_OK: nothing
    bool destroyed;  // by the callback
} drawing;

struct grz_capture {
    grz_device *device;
    const grz_allocator *allocator;
    char *varying; // varying_size bytes
    size_t varying_size;
    grz_mesh *mesh;
    uint64_t triangles; // room to make at least
    uint64_t count;     // triangles of the last draw
    bool any;           // some draw has succeeded
    drawing now;
};

// ---- Life ---------------------------------------------------------------------------------------------------------

grz_status grz_capture_create(grz_device *device, const grz_capture_options *options, grz_capture **capture,
                              grz_error *error)
{
    grz_capture_options read;
    if (capture != NULL)
        *capture = NULL;
    if (device == NULL || capture == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "capture: %s is NULL",
                        device == NULL ? "the device" : "the place for the capture");
    if (grz_device_graphics(device) == NULL)
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                        "capture: needs OpenGL, and the device was opened without");
    const grz_status status = grz_capture_options_read(options, &read, error);
    if (status != GRZ_OK)
        return status;
    const grz_allocator *allocator = grz_device_allocator(device);
    grz_capture *made = grz_allocate_zeroed(allocator, 1, sizeof *made);
    if (made == NULL)
        goto no_memory;
    made->device = device;
    made->allocator = allocator;
    made->triangles = read.triangles > 0 ? read.triangles : 1;
    grz_device_retain(device);
    made->varying_size = strlen(read.varying) + 1;
    made->varying = grz_allocate(allocator, made->varying_size, 1);
    made->mesh = grz_gl_mesh_create_own(device, read.flags);
    if (made->varying == NULL || made->mesh == NULL)
        goto no_memory;
    memcpy(made->varying, read.varying, made->varying_size);
    *capture = made;
    return GRZ_OK;
no_memory:
    grz_capture_destroy(made);
    return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "capture: out of memory");
}

void grz_capture_destroy(grz_capture *capture)
{
    if (capture == NULL)
        return;
    if (capture->now.gl != NULL) { // by its own callback: grz_capture_draw() does it at the end
        capture->now.destroyed = true;
        return;
    }
    grz_device *device = capture->device;
    grz_mesh_destroy(capture->mesh);
    grz_release(capture->allocator, capture->varying, capture->varying_size, 1);
    grz_release(capture->allocator, capture, 1, sizeof *capture);
    grz_device_release(device);
}

const grz_mesh *grz_capture_mesh(const grz_capture *capture)
{
    return capture != NULL && capture->any ? capture->mesh : NULL;
}

uint64_t grz_capture_triangle_count(const grz_capture *capture)
{
    if (capture == NULL)
        return 0;
    return capture->now.gl != NULL ? capture->now.drawn : capture->count;
}

// ---- In the callback ----------------------------------------------------------------------------------------------

static grz_gl_buffer *buffer_of(const grz_capture *capture)
{
    return &grz_gl_mesh_of(capture->mesh)->own;
}

static uint64_t triangle_bytes(const drawing *d)
{
    return 3 * (uint64_t)d->layout.stride;
}

static bool other_context(const drawing *d)
{
    return d->context != EGL_NO_CONTEXT && eglGetCurrentContext() != d->context;
}

// Take the layout of the program in use. All sections must have the same, because a mesh has one.
static grz_status take_layout(grz_capture *capture)
{
    drawing *d = &capture->now;
    grz_captured_layout layout;
    const grz_status status = grz_captured_layout_read(capture->varying, &layout, &d->wrong);
    if (status != GRZ_OK)
        return status;
    if (d->layout.stride != 0 && (layout.stride != d->layout.stride || layout.offset != d->layout.offset))
        return grz_fail(
            &d->wrong, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
            "capture: the program captures %s at byte %u of %u, one before it at byte %u of %u: all must be "
            "alike",
            capture->varying, layout.offset, layout.stride, d->layout.offset, d->layout.stride);
    d->layout = layout;
    return GRZ_OK;
}

// Make room for at least as many triangles as the capture wants, or for those that the device lets a shader see.
static grz_status make_room(grz_capture *capture)
{
    drawing *d = &capture->now;
    grz_gl_buffer *buffer = buffer_of(capture);
    const uint64_t most = grz_gl_mesh_most_triangles(d->gl, d->layout.stride);
    const uint64_t wanted = capture->triangles < most ? capture->triangles : most;
    GLint64 size = 0;
    if (glIsBuffer(buffer->name) == GL_TRUE)
        glGetNamedBufferParameteri64v(buffer->name, GL_BUFFER_SIZE, &size);
    if ((uint64_t)size != buffer->size) // some callback has deleted it, or given it new storage
        grz_gl_buffer_finish(d->gl, buffer);
    const grz_status status =
        grz_gl_buffer_reserve(d->gl, buffer, wanted * triangle_bytes(d), "captured triangles", &d->wrong);
    if (status == GRZ_OK)
        d->room = buffer->size / triangle_bytes(d);
    return status;
}

static grz_status begin_section(grz_capture *capture)
{
    drawing *d = &capture->now;
    grz_error inner;
    if (d->open)
        return grz_fail(&d->wrong, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "capture: grz_capture_begin() twice, without grz_capture_end() in between");
    if (other_context(d))
        return grz_fail(&d->wrong, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT,
                        "capture: another OpenGL context is current at grz_capture_begin()");
    grz_status status = grz_gl_check(d->gl, &inner);
    if (status != GRZ_OK)
        return grz_fail(&d->wrong, status, GRZ_NO_ELEMENT, "%s, in the callback before grz_capture_begin()",
                        inner.message);
    status = take_layout(capture);
    if (status == GRZ_OK && d->room == 0)
        status = make_room(capture);
    if (status != GRZ_OK)
        return status;
    // Without room the section only counts; what it writes is drawn again.
    const uint64_t first = d->drawn < d->room ? d->drawn : 0;
    status = grz_section_begin(d->gl, d->objects, buffer_of(capture)->name, first * triangle_bytes(d),
                               (d->room - first) * triangle_bytes(d), &d->before, &d->wrong);
    d->open = status == GRZ_OK;
    return status;
}

grz_status grz_capture_begin(grz_capture *capture, grz_error *error)
{
    if (capture == NULL || capture->now.gl == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "capture: %s",
                        capture == NULL ? "the capture is NULL" : "grz_capture_begin() outside of grz_capture_draw()");
    const grz_status status = capture->now.wrong.code != GRZ_OK ? capture->now.wrong.code : begin_section(capture);
    if (status != GRZ_OK && error != NULL)
        *error = capture->now.wrong;
    return status;
}

static grz_status end_section(grz_capture *capture)
{
    drawing *d = &capture->now;
    uint64_t counts[GRZ_SECTION_QUERIES];
    if (!d->open)
        return grz_fail(&d->wrong, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "capture: grz_capture_end() without grz_capture_begin()");
    if (other_context(d))
        return grz_fail(&d->wrong, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT,
                        "capture: another OpenGL context is current at grz_capture_end()");
    d->open = false;
    const bool deleted = glIsBuffer(buffer_of(capture)->name) == GL_FALSE;
    const grz_status status = grz_section_end(d->gl, d->objects, d->before, counts, &d->wrong);
    if (deleted) // drivers may or may not call that an error
        return grz_fail(&d->wrong, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT,
                        "capture: the callback deleted the buffer that it was to draw into");
    if (status != GRZ_OK)
        return status;
    d->drawn += counts[GRZ_SECTION_GENERATED];
    d->sections++;
    if (d->drawn <= d->room && counts[GRZ_SECTION_WRITTEN] != counts[GRZ_SECTION_GENERATED])
        return grz_fail(&d->wrong, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT,
                        "capture: of %" PRIu64 " triangles OpenGL captured %" PRIu64
                        ": did the callback pause the transform feedback?",
                        counts[GRZ_SECTION_GENERATED], counts[GRZ_SECTION_WRITTEN]);
    return GRZ_OK;
}

grz_status grz_capture_end(grz_capture *capture, grz_error *error)
{
    if (capture == NULL || capture->now.gl == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "capture: %s",
                        capture == NULL ? "the capture is NULL" : "grz_capture_end() outside of grz_capture_draw()");
    const grz_status status = capture->now.wrong.code != GRZ_OK ? capture->now.wrong.code : end_section(capture);
    if (status != GRZ_OK && error != NULL)
        *error = capture->now.wrong;
    return status;
}

// ---- Drawing ------------------------------------------------------------------------------------------------------

static grz_status call(void *user)
{
    grz_capture *capture = user;
    drawing *d = &capture->now;
    const grz_status status = d->draw(d->user, capture);
    if (!d->open || other_context(d))
        return status;
    d->open = false;
    grz_section_abandon(d->gl, d->objects, d->before);
    if (d->wrong.code == GRZ_OK && status == GRZ_OK)
        grz_fail(&d->wrong, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                 "capture: the callback called grz_capture_begin(), and not grz_capture_end()");
    return status;
}

// Let the callback draw once.
static grz_status attempt(grz_capture *capture, grz_error *error)
{
    drawing *d = &capture->now;
    d->room = d->drawn = d->sections = 0;
    d->layout = (grz_captured_layout){0};
    glBindFramebuffer(GL_FRAMEBUFFER, d->objects->framebuffer);
    glEnable(GL_RASTERIZER_DISCARD);
    grz_status status = grz_gl_lend(d->gl, call, capture, error);
    if (d->open) { // another context was current: grz_gl_lend() has undone that
        d->open = false;
        grz_section_abandon(d->gl, d->objects, d->before);
    }
    if (d->wrong.code != GRZ_OK) { // it came first, and says more
        status = d->wrong.code;
        grz_fail(error, status, d->wrong.element, "%s", d->wrong.message);
    }
    return status;
}

// Let the callback draw until all of it has room.
static grz_status capture_all(grz_capture *capture, grz_error *error)
{
    drawing *d = &capture->now;
    for (;;) {
        const grz_status status = attempt(capture, error);
        if (status != GRZ_OK)
            return status;
        if (d->drawn == 0)
            return grz_fail(error, GRZ_ERROR_MESH, GRZ_NO_ELEMENT, "capture: the callback %s: a mesh has at least one",
                            d->sections == 0 ? "never called grz_capture_begin(), so it drew no triangles"
                                             : "drew no triangles");
        const uint64_t most = grz_gl_mesh_most_triangles(d->gl, d->layout.stride);
        if (d->drawn > most)
            return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                            "capture: the callback drew %" PRIu64 " triangles of %" PRIu64
                            " bytes, this device lets a shader see %" PRIu64,
                            d->drawn, triangle_bytes(d), most);
        if (d->drawn <= d->room)
            return GRZ_OK;
        capture->triangles = d->drawn > 2 * d->room ? d->drawn : 2 * d->room;
    }
}

static grz_status take_mesh(grz_capture *capture, grz_error *error)
{
    const drawing *d = &capture->now;
    grz_gl_mesh_description description = grz_gl_mesh_of(capture->mesh)->layout;
    description.position_buffer = buffer_of(capture)->name;
    description.position_offset = d->layout.offset;
    description.position_stride = d->layout.stride;
    description.triangle_count = d->drawn;
    description.vertex_count = 3 * d->drawn;
    return grz_gl_mesh_replace(d->gl, capture->mesh, &description, error);
}

static grz_status draw_inside(grz_capture *capture, grz_error *error)
{
    drawing *d = &capture->now;
    grz_status status = grz_section_objects_get(d->gl, &d->objects, error);
    if (status == GRZ_OK)
        status = grz_gl_mesh_begin_write(d->gl, capture->mesh, error);
    if (status == GRZ_OK)
        status = capture_all(capture, error);
    if (status == GRZ_OK)
        status = take_mesh(capture, error);
    return status;
}

grz_status grz_capture_draw(grz_capture *capture, grz_capture_callback draw, void *user, grz_error *error)
{
    grz_gl *gl;
    if (capture == NULL || draw == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "capture: %s is NULL",
                        capture == NULL ? "the capture" : "the callback");
    grz_call call;
    grz_status status = grz_call_begin(&call, "capture", capture->device, NULL, NULL, NULL, error);
    if (status == GRZ_OK)
        status = grz_gl_enter(capture->device, "capture", &gl, error);
    if (status != GRZ_OK)
        return grz_call_end(&call, status);
    const grz_current current = grz_current_save();
    capture->count = 0;
    capture->now = (drawing){.gl = gl, .context = current.context, .draw = draw, .user = user};
    status = draw_inside(capture, error);
    status = grz_gl_leave(gl, status, error);
    const bool destroyed = capture->now.destroyed;
    capture->count = status == GRZ_OK ? capture->now.drawn : 0;
    capture->any = capture->any || status == GRZ_OK;
    capture->now = (drawing){.gl = NULL};
    if (destroyed) {
        grz_capture_destroy(capture);
        status = grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "capture: the callback destroyed it");
    }
    return grz_call_end(&call, status);
}
