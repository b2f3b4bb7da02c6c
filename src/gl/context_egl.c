// SPDX-License-Identifier: MIT
// Creates OpenGL contexts without a window. EGL lists the machine's devices, and each is opened through the device
// platform. If EGL lists none, Mesa's surfaceless platform is used. eglGetDisplay(EGL_DEFAULT_DISPLAY) is never called,
// because it looks for a screen and fails without one.
// Source: EGL 1.5; EGL_EXT_device_enumeration, EGL_EXT_platform_device, EGL_MESA_platform_surfaceless,
// EGL_KHR_surfaceless_context.
#include "gl/context.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"

enum {
    MOST_DEVICES = 64
};

#ifndef EGL_DRM_RENDER_NODE_FILE_EXT // of EGL_EXT_device_drm_render_node, which older versions of libepoxy lack
#define EGL_DRM_RENDER_NODE_FILE_EXT 0x3377
#endif

// A device or platform on which EGL may be able to create a context.
typedef struct egl_candidate {
    EGLDeviceEXT device; // EGL_NO_DEVICE_EXT: the surfaceless platform
    char platform[64];
    bool software;
} egl_candidate;

static bool has_client_extension(const char *name)
{
    return epoxy_has_egl_extension(EGL_NO_DISPLAY, name);
}

// True if `words`, a list separated by spaces, contains `word`. `words` may be NULL.
static bool is_word_of(const char *word, const char *words)
{
    const size_t length = strlen(word);
    for (const char *at = words; at != NULL && (at = strstr(at, word)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

// List the devices that EGL enumerates. Returns their number.
static uint32_t list_devices(egl_candidate *candidates)
{
    EGLDeviceEXT devices[MOST_DEVICES];
    EGLint count = 0;
    const bool listed =
        has_client_extension("EGL_EXT_device_base") ||
        (has_client_extension("EGL_EXT_device_enumeration") && has_client_extension("EGL_EXT_device_query"));
    if (!listed || !has_client_extension("EGL_EXT_platform_device") ||
        !eglQueryDevicesEXT(MOST_DEVICES, devices, &count))
        return 0;
    for (EGLint i = 0; i < count; i++) {
        const char *words = eglQueryDeviceStringEXT(devices[i], EGL_EXTENSIONS), *file = NULL;
        if (is_word_of("EGL_EXT_device_drm_render_node", words))
            file = eglQueryDeviceStringEXT(devices[i], EGL_DRM_RENDER_NODE_FILE_EXT);
        if (file == NULL && is_word_of("EGL_EXT_device_drm", words))
            file = eglQueryDeviceStringEXT(devices[i], EGL_DRM_DEVICE_FILE_EXT);
        candidates[i] =
            (egl_candidate){.device = devices[i], .software = is_word_of("EGL_MESA_device_software", words)};
        if (file != NULL)
            snprintf(candidates[i].platform, sizeof candidates[i].platform, "device %s", file);
        else
            snprintf(candidates[i].platform, sizeof candidates[i].platform, "device %d", (int)i);
    }
    return (uint32_t)count;
}

// List everything that a context can be created on. Returns the number of candidates.
static uint32_t list_candidates(egl_candidate candidates[MOST_DEVICES])
{
    if (!epoxy_has_egl())
        return 0;
    const uint32_t count = list_devices(candidates);
    if (count > 0 || !has_client_extension("EGL_MESA_platform_surfaceless"))
        return count;
    candidates[0] = (egl_candidate){.device = EGL_NO_DEVICE_EXT, .platform = "surfaceless"};
    return 1;
}

uint32_t grz_context_count(void)
{
    egl_candidate candidates[MOST_DEVICES];
    return list_candidates(candidates);
}

void grz_context_platform(uint32_t index, char *platform, size_t size, bool *software)
{
    egl_candidate candidates[MOST_DEVICES];
    platform[0] = '\0';
    if (index >= list_candidates(candidates))
        return;
    snprintf(platform, size, "%s", candidates[index].platform);
    *software = *software || candidates[index].software;
}

static const char *egl_problem(void)
{
    switch (eglGetError()) {
    case EGL_SUCCESS:
        return "no reason given";
    case EGL_NOT_INITIALIZED:
        return "EGL_NOT_INITIALIZED";
    case EGL_BAD_ACCESS:
        return "EGL_BAD_ACCESS: the context is current elsewhere, or another kind of context is current here";
    case EGL_BAD_ALLOC:
        return "EGL_BAD_ALLOC: not enough memory";
    case EGL_BAD_ATTRIBUTE:
        return "EGL_BAD_ATTRIBUTE";
    case EGL_BAD_CONFIG:
        return "EGL_BAD_CONFIG";
    case EGL_BAD_CONTEXT:
        return "EGL_BAD_CONTEXT";
    case EGL_BAD_DISPLAY:
        return "EGL_BAD_DISPLAY";
    case EGL_BAD_MATCH:
        return "EGL_BAD_MATCH: the driver does not have this version";
    case EGL_CONTEXT_LOST:
        return "EGL_CONTEXT_LOST";
    default:
        return "an error of EGL's";
    }
}

static grz_status open_display(const egl_candidate *candidate, grz_context *context, grz_error *error)
{
    const bool surfaceless = candidate->device == EGL_NO_DEVICE_EXT;
    memcpy(context->platform, candidate->platform, sizeof context->platform);
    context->software = candidate->software;
    context->display = eglGetPlatformDisplayEXT(surfaceless ? EGL_PLATFORM_SURFACELESS_MESA : EGL_PLATFORM_DEVICE_EXT,
                                                surfaceless ? (void *)EGL_DEFAULT_DISPLAY : candidate->device, NULL);
    if (context->display == EGL_NO_DISPLAY)
        return grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT, "OpenGL: EGL gives no display for %s (%s)",
                        candidate->platform, egl_problem());
    if (!eglInitialize(context->display, NULL, NULL))
        return grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT,
                        "OpenGL: EGL cannot use %s (%s): is its driver installed?", candidate->platform, egl_problem());
    return GRZ_OK;
}

// Choose a configuration for the context, or EGL_NO_CONFIG_KHR if it needs none. Create a surface of one pixel if the
// context needs one.
static grz_status choose_config(grz_context *context, EGLConfig *config, grz_error *error)
{
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    const EGLint pixel[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    const bool surfaceless = epoxy_has_egl_extension(context->display, "EGL_KHR_surfaceless_context");
    EGLint count = 0;
    assert(context->display != EGL_NO_DISPLAY);
    *config = EGL_NO_CONFIG_KHR;
    context->surface = EGL_NO_SURFACE;
    if (surfaceless && epoxy_has_egl_extension(context->display, "EGL_KHR_no_config_context"))
        return GRZ_OK;
    if (!eglChooseConfig(context->display, wanted, config, 1, &count) || count == 0)
        return grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT, "OpenGL: %s has no configuration for OpenGL (%s)",
                        context->platform, egl_problem());
    if (!surfaceless)
        context->surface = eglCreatePbufferSurface(context->display, *config, pixel);
    if (!surfaceless && context->surface == EGL_NO_SURFACE)
        return grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT, "OpenGL: %s gives no surface (%s)", context->platform,
                        egl_problem());
    return GRZ_OK;
}

static grz_status create_context(grz_context *context, EGLContext shared, grz_error *error)
{
    EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                        4,
                        EGL_CONTEXT_MINOR_VERSION,
                        5,
                        EGL_CONTEXT_OPENGL_PROFILE_MASK,
                        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                        EGL_NONE,
                        EGL_NONE,
                        EGL_NONE};
    const size_t end = 6;
    EGLConfig config;
    assert(version[end] == EGL_NONE && end + 2 < sizeof version / sizeof *version);
    grz_status status = choose_config(context, &config, error);
    if (status != GRZ_OK)
        return status;
    // Ask for reset notification (EGL 1.5): a lost GPU then becomes an error, not a crash. Contexts that share objects
    // must agree in this, so the second attempt is without it.
    const bool reset_notification = epoxy_egl_version(context->display) >= 15;
    if (reset_notification) {
        version[end] = EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY;
        version[end + 1] = EGL_LOSE_CONTEXT_ON_RESET;
    }
    context->context = eglCreateContext(context->display, config, shared, version);
    if (context->context == EGL_NO_CONTEXT && reset_notification) {
        version[end] = EGL_NONE;
        context->context = eglCreateContext(context->display, config, shared, version);
    }
    if (context->context == EGL_NO_CONTEXT)
        return grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT, "OpenGL: %s gives no context of OpenGL 4.5 (%s)",
                        context->platform, egl_problem());
    return GRZ_OK;
}

grz_status grz_context_open(uint32_t index, bool share, grz_context *context, grz_error *error)
{
    egl_candidate candidates[MOST_DEVICES];
    const uint32_t count = list_candidates(candidates);
    *context = (grz_context){.display = EGL_NO_DISPLAY, .context = EGL_NO_CONTEXT, .surface = EGL_NO_SURFACE};
    if (count == 0)
        return grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT,
                        "OpenGL: no EGL here that works without a screen (is a driver installed, such as Mesa's?)");
    if (index >= count)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "OpenGL: no renderer %u, there are %u", index,
                        count);
    const grz_current current = grz_current_save();
    grz_status status;
    if (share && current.context == EGL_NO_CONTEXT) {
        status = grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT,
                          "OpenGL: no EGL context is current on this thread to share with");
    } else if (share) {
        snprintf(context->platform, sizeof context->platform, "shared with the caller's");
        context->display = current.display;
        status = GRZ_OK;
    } else {
        status = open_display(&candidates[index], context, error);
    }
    if (status == GRZ_OK && !eglBindAPI(EGL_OPENGL_API))
        status =
            grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT, "OpenGL: EGL has OpenGL ES only (%s)", egl_problem());
    if (status == GRZ_OK)
        status = create_context(context, share ? current.context : EGL_NO_CONTEXT, error);
    if (current.api != EGL_NONE)
        eglBindAPI(current.api);
    if (status != GRZ_OK)
        grz_context_close(context);
    return status;
}

void grz_context_close(grz_context *context)
{
    if (context->surface != EGL_NO_SURFACE)
        eglDestroySurface(context->display, context->surface);
    if (context->context != EGL_NO_CONTEXT)
        eglDestroyContext(context->display, context->context);
    context->surface = EGL_NO_SURFACE;
    context->context = EGL_NO_CONTEXT;
}

grz_current grz_current_save(void)
{
    if (!epoxy_has_egl())
        return (grz_current){.display = EGL_NO_DISPLAY, .context = EGL_NO_CONTEXT, .api = EGL_NONE};
    return (grz_current){.display = eglGetCurrentDisplay(),
                         .context = eglGetCurrentContext(),
                         .draw = eglGetCurrentSurface(EGL_DRAW),
                         .read = eglGetCurrentSurface(EGL_READ),
                         .api = eglQueryAPI()};
}

bool grz_context_make_current(const grz_context *context)
{
    assert(context->context != EGL_NO_CONTEXT);
    return eglBindAPI(EGL_OPENGL_API) &&
           eglMakeCurrent(context->display, context->surface, context->surface, context->context);
}

void grz_current_restore(const grz_current *current, const grz_context *ours)
{
    assert(ours->display != EGL_NO_DISPLAY);
    if (current->context != EGL_NO_CONTEXT) {
        eglBindAPI(current->api);
        eglMakeCurrent(current->display, current->draw, current->read, current->context);
        return;
    }
    eglMakeCurrent(ours->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglBindAPI(current->api);
}
