// SPDX-License-Identifier: MIT
// The OpenGL part of a device: adding it when the device is opened, removing it when the device is closed, and
// describing the renderers.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "gl/device_open.h"
#include "gl/parts.h"

grz_gl *grz_gl_of(const grz_device *device)
{
    return grz_device_graphics(device);
}

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

static void copy_text(char *to, size_t size, GLenum name)
{
    const GLubyte *text = glGetString(name);
    snprintf(to, size, "%s", text != NULL ? (const char *)text : "");
}

void grz_gl_describe(grz_renderer *renderer)
{
    static const char *const programs[] = {"llvmpipe", "softpipe", "swrast", "SwiftShader", "Software Rasterizer"};
    copy_text(renderer->vendor, sizeof renderer->vendor, GL_VENDOR);
    copy_text(renderer->name, sizeof renderer->name, GL_RENDERER);
    copy_text(renderer->version, sizeof renderer->version, GL_VERSION);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        renderer->software = renderer->software || strstr(renderer->name, programs[i]) != NULL;
}

grz_status grz_device_renderer(grz_device *device, grz_renderer *renderer, grz_error *error)
{
    grz_gl *gl;
    if (device == NULL || renderer == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "renderer: the device or the place for the answer is NULL");
    *renderer = (grz_renderer){.software = false};
    grz_status status = grz_gl_enter(device, "renderer", &gl, error);
    if (status != GRZ_OK)
        return status;
    renderer->software = gl->context.software;
    snprintf(renderer->platform, sizeof renderer->platform, "%s", gl->adopted ? "the caller's" : gl->context.platform);
    grz_gl_describe(renderer);
    return grz_gl_leave(gl, GRZ_OK, error);
}

uint32_t grz_renderer_count(void)
{
    return grz_context_count();
}

grz_status grz_renderer_info(uint32_t index, grz_renderer *renderer, grz_error *error)
{
    grz_device_options options = grz_default_device_options();
    grz_device *device;
    grz_error problem;
    if (renderer == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "renderer: the place for the answer is NULL");
    *renderer = (grz_renderer){.software = false};
    if (index >= grz_context_count())
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "renderer: no number %u, there are %u", index,
                        grz_context_count());
    options.threads = 1;
    options.kind = GRZ_DEVICE_GL;
    options.renderer = index;
    grz_status status = grz_device_open(&options, &device, &problem);
    if (status == GRZ_OK)
        status = grz_device_renderer(device, renderer, &problem);
    if (status != GRZ_OK)
        snprintf(renderer->problem, sizeof renderer->problem, "%s", problem.message);
    grz_context_platform(index, renderer->platform, sizeof renderer->platform, &renderer->software);
    grz_device_close(device);
    return GRZ_OK;
}
