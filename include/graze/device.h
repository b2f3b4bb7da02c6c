// SPDX-License-Identifier: MIT
/// @file
/// A device runs queries: on the CPU's cores, and where a method asks for it, through OpenGL.
#ifndef GRAZE_DEVICE_H
#define GRAZE_DEVICE_H

#include <graze/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Where memory comes from. All three members or none.
///
/// Called from any thread, also at once.
typedef struct grz_allocator {
    /// As realloc: block may be NULL, old_size is what it was asked for with, a new_size of zero is never asked.
    void *(*reallocate)(void *block, size_t old_size, size_t new_size, void *user);
    void (*release)(void *block, size_t size, void *user); ///< as free; size is what the block was last asked for with
    void *user;                                            ///< the caller's, handed to both
} grz_allocator;

/// Who runs parallel work, in place of the device's own threads.
///
typedef struct grz_task_runner {
    /// Call task(index, context) once for every index in [0, count), on any threads, and return when all have returned. It is not
    /// called from within one of these tasks.
    void (*run)(void (*task)(size_t index, void *context), void *context, size_t count, void *user);
    unsigned width; ///< how many tasks are likely to run at once, at least 1
    void *user;     ///< the caller's, handed to run
} grz_task_runner;

/// What a device has beside the CPU, which decides what is exact in any case (docs/devices.md).
typedef enum grz_device_kind {
    GRZ_DEVICE_AUTO,      ///< OpenGL, in a context of the device's own that is opened when something first needs it
    GRZ_DEVICE_CPU,       ///< nothing: what needs OpenGL is refused
    GRZ_DEVICE_GL,        ///< OpenGL, in a context of the device's own that is opened at once; no window or display is needed
    GRZ_DEVICE_GL_CURRENT ///< OpenGL, in the caller's context that is current on the calling thread
} grz_device_kind;

/// Stands for "the best there is" in grz_device_options::renderer: the first one that is no software, or the first one.
#define GRZ_ANY_RENDERER UINT32_MAX

/// Options of grz_device_open(). Start from grz_default_device_options().
typedef struct grz_device_options {
    size_t size;                 ///< sizeof this structure, as the caller knows it
    unsigned threads;            ///< how many threads a query may use, the caller's own included; 0: as many as there are cores
    grz_allocator allocator;     ///< zeroed: malloc
    grz_task_runner task_runner; ///< zeroed: threads of the device's own
    grz_device_kind kind;        ///< GRZ_DEVICE_AUTO unless set
    uint32_t renderer;           ///< which of grz_renderer_info(), for a context of the device's own; GRZ_ANY_RENDERER unless set
    /// For GRZ_DEVICE_GL: the device's own context shares its objects with the one that is current on the calling thread (an EGL
    /// context of the same driver), so that meshes can be made from the caller's buffers. The caller's state is never touched.
    bool share;
} grz_device_options;

/// Opaque. Outlives everything made with it.
///
/// Thread-safety: what needs no OpenGL serves any number of threads at once. OpenGL serves one thread at a time, any; a call that
/// finds it at work returns GRZ_ERROR_BUSY. With GRZ_DEVICE_GL_CURRENT, calls that use OpenGL, and grz_device_close(), must find
/// the caller's context current; everything that they change in it is put back, but for names and contents of objects of their own.
typedef struct grz_device grz_device;

/// @return options that suit most callers: all cores, malloc.
GRZ_API grz_device_options grz_default_device_options(void);

/// Open a device.
///
/// @param options  NULL means the defaults
/// @param device   receives the device; NULL on failure. Close it with grz_device_close()
/// @param error    may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY; GRZ_ERROR_DEVICE where there is no OpenGL 4.5 to be had, or no context is
///         current; GRZ_ERROR_UNSUPPORTED where this build has no OpenGL
GRZ_API grz_status grz_device_open(const grz_device_options *options, grz_device **device, grz_error *error);

/// Close a device. NULL is accepted. Meshes and results made with it must have been destroyed before.
GRZ_API void grz_device_close(grz_device *device);

/// @return "gl" for GRZ_DEVICE_GL and GRZ_DEVICE_GL_CURRENT, else "cpu". Never NULL. Thread-safe.
GRZ_API const char *grz_device_name(const grz_device *device);

/// @return how many threads a query on this device may use, the caller's own included. Thread-safe.
GRZ_API unsigned grz_device_threads(const grz_device *device);

/// @return which registers its queries compute with: "scalar", "sse2", "neon", "avx2" or "avx512". Thread-safe.
GRZ_API const char *grz_device_simd_name(const grz_device *device);

/// What draws, as its driver calls itself. Texts are cut where they are longer, and always terminated.
typedef struct grz_renderer {
    char vendor[64];   ///< GL_VENDOR; empty where there is no context to ask
    char name[128];    ///< GL_RENDERER; empty where there is no context to ask
    char version[128]; ///< GL_VERSION; empty where there is no context to ask
    char platform[64]; ///< how EGL reaches it: "device /dev/dri/renderD128", "device 0", "surfaceless"
    char problem[256]; ///< why it cannot be used; empty where it can
    bool software;     ///< it computes on the CPU
} grz_renderer;

/// @return how many renderers EGL knows here; 0 in a build without OpenGL. Opens no context. Thread-safe.
GRZ_API uint32_t grz_renderer_count(void);

/// Ask a renderer what it is, in a context that is opened for it.
///
/// @param index     below grz_renderer_count()
/// @param renderer  receives what it says; `problem` tells why it cannot be used, where it cannot
/// @param error     may be NULL
/// @return GRZ_OK, also where `problem` is not empty; GRZ_ERROR_ARGUMENT
/// Thread-safety: safe. What was current on the thread is current again afterwards.
GRZ_API grz_status grz_renderer_info(uint32_t index, grz_renderer *renderer, grz_error *error);

/// Ask a device's OpenGL what it is; GRZ_DEVICE_AUTO opens it for that.
///
/// @param device    one with OpenGL
/// @param renderer  receives what it says
/// @param error     may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_DEVICE; GRZ_ERROR_BUSY; GRZ_ERROR_UNSUPPORTED; GRZ_ERROR_MEMORY
/// Thread-safety: as all that uses OpenGL.
GRZ_API grz_status grz_device_renderer(grz_device *device, grz_renderer *renderer, grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
