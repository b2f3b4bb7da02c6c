// SPDX-License-Identifier: MIT
// The OpenGL part of a device: adding it when the device is opened, removing it when the device is closed, and
// describing the renderers.
#include <assert.h>

#include "base/fail.h"
#include "gl/device_open.h"
#include "gl/gl_parts.h"

grz_gl *grz_gl_inside(const grz_device *device)
{
    grz_gl *gl = grz_gl_of(device);
    assert(gl != NULL && atomic_load(&gl->inside));
    return gl;
}

// Open the context at once, to find out whether that works.
static grz_status open_now(grz_device *device, grz_error *error)
{
    grz_gl *gl;
    grz_status status = grz_gl_enter(device, "device", &gl, error);
    return status == GRZ_OK ? grz_gl_leave(gl, GRZ_OK, error) : status;
}

// Delete all objects. `current` is false if the context cannot be made current, because it was lost or the caller's
// context is no longer there. Its objects are then gone as well, or go with it, and only memory is released.
static void delete_objects(grz_gl *gl, bool current)
{
    grz_gl_release_slots(gl, current);
    grz_gl_empty_bins(gl, current);
    if (current) {
        grz_gl_drop_programs(gl);
        assert(atomic_load(&gl->object_count) == 0); // otherwise a mesh or a result outlives its device
    }
    if (current && !gl->adopted)
        glDebugMessageCallback(NULL, NULL);
}

static void close_graphics(void *graphics)
{
    grz_gl *gl = graphics;
    grz_gl *entered = NULL;
    if (gl->open) {
        const bool current = grz_gl_enter(gl->device, "close", &entered, NULL) == GRZ_OK;
        delete_objects(gl, current);
        if (current)
            grz_gl_leave(gl, GRZ_OK, NULL);
    }
    assert(gl->slots.count == 0 && gl->bins == NULL);
    if (!grz_gl_is_after_fork())
        grz_context_close(&gl->context);
    grz_array_finish(gl->allocator, &gl->programs);
    grz_array_finish(gl->allocator, &gl->slots);
    pthread_mutex_destroy(&gl->lock);
    grz_release(gl->allocator, gl, 1, sizeof *gl);
}

grz_status grz_gl_attach(grz_device *device, const grz_device_options *options, grz_error *error)
{
    const grz_allocator *allocator = grz_device_allocator(device);
    assert(options->kind != GRZ_DEVICE_CPU && grz_gl_of(device) == NULL);
    if (options->share && options->kind != GRZ_DEVICE_GL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "device: options.share is for GRZ_DEVICE_GL");
    grz_gl *gl = grz_allocate_zeroed(allocator, 1, sizeof *gl);
    if (gl == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "device: out of memory");
    gl->device = device;
    gl->allocator = allocator;
    gl->what = "device";
    gl->adopted = options->kind == GRZ_DEVICE_GL_CURRENT;
    gl->share = options->share;
    gl->renderer = options->renderer;
    gl->context = (grz_context){.display = EGL_NO_DISPLAY, .context = EGL_NO_CONTEXT, .surface = EGL_NO_SURFACE};
    gl->caller_context = EGL_NO_CONTEXT;
    pthread_mutex_init(&gl->lock, NULL);
    grz_device_set_graphics(device, gl, close_graphics);
    return options->kind == GRZ_DEVICE_AUTO ? GRZ_OK : open_now(device, error);
}
