// SPDX-License-Identifier: MIT
// Entering and leaving a device's OpenGL. Only one thread at a time can be inside. The context is opened when it is
// first needed. A caller's context is left in the state in which it was found.
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/control.h"
#include "base/fail.h"
#include "gl/gl_parts.h"

enum {
    LEAST_VERSION = 45
};

const grz_gl_limits *grz_gl_get_limits(const grz_gl *gl)
{
    return &gl->limits;
}

uint64_t grz_gl_object_count(const grz_device *device)
{
    const grz_gl *gl = grz_gl_of(device);
    return gl != NULL ? atomic_load(&gl->object_count) : 0;
}

// The debug callback of OpenGL: keep the first line of an error's text.
static void GLAPIENTRY store_driver_message(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                                            const GLchar *text, const void *user)
{
    grz_gl *gl = (grz_gl *)user;
    (void)source;
    (void)id;
    (void)severity;
    (void)length;
    if (type != GL_DEBUG_TYPE_ERROR)
        return;
    snprintf(gl->driver_message, sizeof gl->driver_message, "%s", text);
    gl->driver_message[strcspn(gl->driver_message, "\r\n")] = '\0';
}

static void read_limits(grz_gl_limits *limits)
{
    GLint64 block = 0;
    GLint alignment = 1, stride = 0;
    GLint side[3] = {0}, viewport[2] = {0}, groups = 0, buffers = 0, samples = 0;
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &block);
    glGetIntegerv(GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT, &alignment);
    glGetIntegerv(GL_MAX_VERTEX_ATTRIB_STRIDE, &stride);
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &side[0]);
    glGetIntegerv(GL_MAX_FRAMEBUFFER_WIDTH, &side[1]);
    glGetIntegerv(GL_MAX_FRAMEBUFFER_HEIGHT, &side[2]);
    glGetIntegerv(GL_MAX_VIEWPORT_DIMS, viewport);
    glGetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_COUNT, 0, &groups);
    glGetIntegerv(GL_MAX_DRAW_BUFFERS, &buffers);
    glGetIntegerv(GL_MAX_SAMPLES, &samples);
    GLint least = side[0];
    for (int i = 1; i < 3; i++)
        least = side[i] < least ? side[i] : least;
    for (int i = 0; i < 2; i++)
        least = viewport[i] < least ? viewport[i] : least;
    *limits = (grz_gl_limits){.storage_block = (uint64_t)block,
                              .storage_alignment = (uint64_t)alignment,
                              .vertex_stride = (uint32_t)stride,
                              .image_side = (uint32_t)least,
                              .groups = (uint32_t)groups,
                              .draw_buffers = (uint32_t)buffers,
                              .samples = (uint32_t)samples};
}

// Check a context that is current and new to us, and read its limits.
static grz_status inspect_context(grz_gl *gl, grz_error *error)
{
    if (!epoxy_is_desktop_gl() || epoxy_gl_version() < LEAST_VERSION)
        return grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT, "%s: OpenGL 4.5 is needed, the context has %s%d.%d",
                        gl->what, epoxy_is_desktop_gl() ? "" : "OpenGL ES ", epoxy_gl_version() / 10,
                        epoxy_gl_version() % 10);
    if (gl->adopted) {
        GLint profile = 0;
        glGetIntegerv(GL_CONTEXT_PROFILE_MASK, &profile);
        if (((GLbitfield)profile & GL_CONTEXT_CORE_PROFILE_BIT) == 0)
            return grz_fail(
                error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT,
                "%s: the context is no core profile, and has state that is not looked after: make the device with "
                "GRZ_DEVICE_GL and share",
                gl->what);
    }
    grz_renderer renderer = {.software = !gl->adopted && gl->context.software};
    grz_gl_describe(&renderer);
    read_limits(&gl->limits);
    gl->limits.software = renderer.software;
    if (!gl->adopted) {
        glEnable(GL_DEBUG_OUTPUT);
        glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
        glDebugMessageCallback(store_driver_message, gl);
    }
    gl->open = true;
    return GRZ_OK;
}

// The renderer to use if the caller has no preference: the first one that is not software.
static uint32_t best_renderer(void)
{
    const uint32_t count = grz_context_count();
    for (uint32_t i = 0; i < count; i++) {
        char platform[64];
        bool software = false;
        grz_context_platform(i, platform, sizeof platform, &software);
        if (!software)
            return i;
    }
    return 0;
}

static atomic_long first_process; // the process that first used OpenGL through us; 0: none has

bool grz_gl_is_after_fork(void)
{
    const long process = atomic_load(&first_process);
    return process != 0 && process != (long)getpid();
}

// Enter the caller's context: check that it is current and save its state.
static grz_status enter_adopted(grz_gl *gl, grz_error *error)
{
    EGLContext current = epoxy_has_egl() ? eglGetCurrentContext() : EGL_NO_CONTEXT;
    if (gl->open && current != gl->caller_context)
        return grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT,
                        "%s: the context that the device was opened in is not current", gl->what);
    if (current == EGL_NO_CONTEXT && glGetString(GL_VERSION) == NULL) // it may be a GLX context
        return grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT, "%s: no OpenGL context is current on this thread",
                        gl->what);
    gl->caller_context = current;
    if (!gl->open) {
        grz_status status = inspect_context(gl, error);
        if (status != GRZ_OK)
            return status;
    }
    if (grz_state_holds_a_deleted_program())
        return grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT,
                        "%s: the program in use was deleted, and would be gone afterwards: call glUseProgram(0) before",
                        gl->what);
    assert(gl->state == NULL); // the last grz_gl_leave() has restored it
    gl->state = grz_state_save(gl->allocator);
    if (gl->state == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "%s: out of memory", gl->what);
    return GRZ_OK;
}

// Enter our own context: create it if needed and make it current.
static grz_status enter_own(grz_gl *gl, grz_error *error)
{
    if (gl->context.context == EGL_NO_CONTEXT) {
        const uint32_t renderer = gl->renderer == GRZ_ANY_RENDERER ? best_renderer() : gl->renderer;
        grz_status status = grz_context_open(renderer, gl->share, &gl->context, error);
        if (status != GRZ_OK)
            return status;
    }
    gl->current = grz_current_save();
    if (!grz_context_make_current(&gl->context)) {
        grz_current_restore(&gl->current, &gl->context);
        return grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT, "%s: EGL does not make the device's context current",
                        gl->what);
    }
    grz_status status = gl->open ? GRZ_OK : inspect_context(gl, error);
    if (status != GRZ_OK)
        grz_current_restore(&gl->current, &gl->context);
    return status;
}

grz_status grz_gl_enter(grz_device *device, const char *what, grz_gl **out, grz_error *error)
{
    grz_gl *gl = grz_gl_of(device);
    *out = NULL;
    if (gl == NULL)
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                        "%s: needs OpenGL, and the device was opened without", what);
    long none = 0;
    atomic_compare_exchange_strong(&first_process, &none, (long)getpid());
    if (grz_gl_is_after_fork())
        return grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT,
                        "%s: OpenGL was used before fork(), so it cannot be used in the child process", what);
    if (atomic_exchange(&gl->inside, true))
        return grz_fail(error, GRZ_ERROR_BUSY, GRZ_NO_ELEMENT, "%s: another call is using the device's OpenGL", what);
    gl->what = what;
    gl->driver_message[0] = '\0';
    grz_status status;
    if (gl->lost)
        status = grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT,
                          "%s: the OpenGL context was lost; close the device and open another", what);
    else
        status = gl->adopted ? enter_adopted(gl, error) : enter_own(gl, error);
    if (status != GRZ_OK) {
        atomic_store(&gl->inside, false);
        return status;
    }
    grz_state_reset();
    grz_gl_empty_bins(gl, true);
    *out = gl;
    return GRZ_OK;
}

// What a callback may leave open: queries that are active, and a transform feedback.
static const GLenum query_targets[] = {GL_SAMPLES_PASSED,
                                       GL_ANY_SAMPLES_PASSED,
                                       GL_ANY_SAMPLES_PASSED_CONSERVATIVE,
                                       GL_PRIMITIVES_GENERATED,
                                       GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN,
                                       GL_TIME_ELAPSED};

enum {
    QUERY_TARGETS = sizeof query_targets / sizeof *query_targets
};

typedef struct left_open {
    GLint queries[QUERY_TARGETS], feedback;
} left_open;

static left_open find_open(void)
{
    left_open open;
    for (size_t i = 0; i < QUERY_TARGETS; i++)
        glGetQueryiv(query_targets[i], GL_CURRENT_QUERY, &open.queries[i]);
    glGetIntegerv(GL_TRANSFORM_FEEDBACK_ACTIVE, &open.feedback);
    return open;
}

// End what is open now and was not before. A conditional rendering cannot be asked for, but ending one that is not
// there is an error of OpenGL; nobody's is open before. Returns what was open, NULL: nothing.
static const char *end_open(grz_gl *gl, const left_open *before)
{
    const left_open now = find_open();
    const char *what = NULL;
    for (size_t i = 0; i < QUERY_TARGETS; i++)
        if (now.queries[i] != before->queries[i] && now.queries[i] != 0) {
            glEndQuery(query_targets[i]);
            what = "a query";
        }
    if (now.feedback != 0 && before->feedback == 0) {
        glEndTransformFeedback();
        what = "a transform feedback";
    }
    glEndConditionalRender();
    if (glGetError() == GL_NO_ERROR)
        what = "a conditional rendering";
    gl->driver_message[0] = '\0';
    return what;
}

grz_status grz_gl_lend(grz_gl *gl, grz_status (*use)(void *user), void *user, grz_error *error)
{
    const grz_current before = grz_current_save();
    const left_open open = find_open(); // the caller's own
    grz_error inner;
    grz_status status = grz_gl_check(gl, error);
    if (status != GRZ_OK)
        return status;
    const grz_status returned = use(user);
    if (before.context != EGL_NO_CONTEXT && eglGetCurrentContext() != before.context) {
        eglBindAPI(before.api);
        eglMakeCurrent(before.display, before.draw, before.read, before.context);
        status = grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT,
                          "%s: the callback changed the current OpenGL context", gl->what);
    }
    const grz_status found = grz_gl_check(gl, &inner);
    if (status == GRZ_OK && found != GRZ_OK)
        status = grz_fail(error, found, GRZ_NO_ELEMENT, "the callback left an error in OpenGL: %s", inner.message);
    const char *left = gl->lost ? NULL : end_open(gl, &open);
    if (status == GRZ_OK && left != NULL)
        status = grz_fail(error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT, "%s: the callback left %s that it had not ended",
                          gl->what, left);
    if (status == GRZ_OK && (int)returned != GRZ_OK && ((int)returned < GRZ_OK || returned > GRZ_ERROR_FORMAT))
        status = grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "%s: the callback returned %d, which is no status",
                          gl->what, (int)returned);
    if (status == GRZ_OK && returned != GRZ_OK)
        status = grz_fail(error, returned, GRZ_NO_ELEMENT, "%s: the callback ended the query", gl->what);
    if (!gl->lost)
        grz_state_reset();
    return status;
}

grz_status grz_gl_wait(grz_control *control)
{
    const GLuint64 step_ns = 1000000;
    GLenum ended = GL_TIMEOUT_EXPIRED;
    if (!grz_control_may_end(control))
        return GRZ_OK;
    GLsync fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    while (fence != NULL && ended == GL_TIMEOUT_EXPIRED && !grz_control_expired(control))
        ended = glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, step_ns);
    glDeleteSync(fence);
    return grz_control_status(control);
}

grz_status grz_gl_leave(grz_gl *gl, grz_status status, grz_error *error)
{
    assert(atomic_load(&gl->inside));
    const grz_status noted = grz_gl_check(gl, status == GRZ_OK ? error : NULL);
    if (gl->adopted) {
        grz_state_restore(gl->allocator, gl->state);
        gl->state = NULL;
    } else {
        grz_current_restore(&gl->current, &gl->context);
    }
    atomic_store(&gl->inside, false);
    return status != GRZ_OK ? status : noted;
}
