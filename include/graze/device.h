// SPDX-License-Identifier: MIT
/// @file
/// A device runs queries: on the cores of the CPU and, for methods that need it, through OpenGL.
#ifndef GRAZE_DEVICE_H
#define GRAZE_DEVICE_H

#include <graze/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Where memory comes from. Set both functions, or neither. They are called from any thread, also from several at once.
typedef struct grz_allocator {
    /// Like realloc(): makes `block` larger or smaller, or allocates one if `block` is NULL. Returns the block, which
    /// may have moved; or NULL if there is no memory, and `block` is then as it was.
    /// `old_size` is how many bytes the block has: the `new_size` of the call that returned it; 0 if `block` is NULL.
    /// `new_size` is how many bytes it must have, never 0.
    void *(*reallocate)(void *block, size_t old_size, size_t new_size, void *user);
    /// Like free(). `size` is how many bytes the block has: the `new_size` of the call that returned it.
    void (*release)(void *block, size_t size, void *user);
    void *user; ///< the caller's own, passed to both
} grz_allocator;

/// Who runs parallel work, instead of threads of the device's own.
typedef struct grz_task_runner {
    /// Call task(index, context) once for every index from 0 to count - 1, on any threads, and return when all these
    /// calls have returned. Graze never calls it from within such a task.
    void (*run)(void (*task)(size_t index, void *context), void *context, size_t count, void *user);
    unsigned width; ///< how many tasks are likely to run at once, at least 1
    void *user;     ///< the caller's own, passed to `run`
} grz_task_runner;

/// What a device has besides the CPU. Exact answers are always decided on the CPU (docs/reference/devices.md).
typedef enum grz_device_kind {
    GRZ_DEVICE_AUTO,      ///< OpenGL in a context of the device's own, which is opened when it is first needed
    GRZ_DEVICE_CPU,       ///< nothing; what needs OpenGL is refused
    GRZ_DEVICE_GL,        ///< OpenGL in a context of the device's own, opened at once; needs no window and no display
    GRZ_DEVICE_GL_CURRENT ///< OpenGL in the caller's context, the one that is current on the calling thread
} grz_device_kind;

/// Means "the best one" in grz_device_options::renderer: the first that is not software, else the first.
#define GRZ_ANY_RENDERER UINT32_MAX

/// Options of grz_device_open(). Start from grz_default_device_options().
typedef struct grz_device_options {
    size_t size;                 ///< sizeof this structure, as the caller knows it
    unsigned threads;            ///< how many threads a query may use, the caller's included; 0: one for each core
    grz_allocator allocator;     ///< zeroed: malloc
    grz_task_runner task_runner; ///< zeroed: threads of the device's own
    grz_device_kind kind;        ///< GRZ_DEVICE_AUTO unless set
    uint32_t renderer; ///< a number for grz_renderer_info(), for a context of the device's own; or GRZ_ANY_RENDERER
    /// For GRZ_DEVICE_GL: the device's context shares its objects with the one that is current on the calling thread
    /// (an EGL context of the same driver), so that meshes can be made from the caller's buffers. The caller's OpenGL
    /// state is never changed.
    bool share;
} grz_device_options;

/// Opaque. A device lives until the program has closed it and everything made with it is destroyed, see
/// grz_device_close().
///
/// Thread-safety: any number of threads may use a device at once for what needs no OpenGL. OpenGL serves one thread at
/// a time; a call that finds it at work returns GRZ_ERROR_BUSY. With GRZ_DEVICE_GL_CURRENT, the caller's context must
/// be current in grz_device_close() and in every call that uses OpenGL. These calls restore all state that they change
/// in it; only names and contents of objects of their own stay.
///
/// After fork(), the child process can still use the device; its queries then run on one thread. If the parent has used
/// OpenGL, calls that need OpenGL return GRZ_ERROR_DEVICE in the child: the driver's threads exist only in the parent.
typedef struct grz_device grz_device;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_device_options(); this
/// function is for bindings to other languages, which cannot call inline functions. Bytes that this version does not
/// know become 0.
GRZ_API void grz_device_options_init(grz_device_options *options, size_t size);

/// @return options that suit most callers: all cores, malloc.
GRZ_INLINE grz_device_options grz_default_device_options(void)
{
    grz_device_options options;
    grz_device_options_init(&options, sizeof options);
    return options;
}

/// Open a device.
///
/// @param options  NULL means the defaults
/// @param device   receives the device; NULL on failure. Close it with grz_device_close()
/// @param error    may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY; GRZ_ERROR_DEVICE if there is no OpenGL 4.5, or no current
///         context; GRZ_ERROR_UNSUPPORTED if this build has no OpenGL
/// @code
/// grz_device *device;
/// if (grz_device_open(NULL, &device, &error) != GRZ_OK) return 1;
/// @endcode
GRZ_API grz_status grz_device_open(const grz_device_options *options, grz_device **device, grz_error *error);

/// Close a device. The program gives it up and must not use the pointer again. NULL is accepted.
///
/// The order does not matter. Meshes, results and scenes made with the device stay valid: they can be read, changed and
/// destroyed as before; only queries need an open device. The device's threads, its OpenGL context and its own memory
/// go when the last of them is destroyed, or here if there is none. A caller's allocator or task runner must live as
/// long.
///
/// With GRZ_DEVICE_GL_CURRENT the caller's context must be current in the call that ends the device. If it is not, what
/// the device made in that context stays there until the context is destroyed.
///
/// Thread-safety: no other call may be using the device. Other threads may destroy what was made with it meanwhile.
GRZ_API void grz_device_close(grz_device *device);

/// @return "gl" for GRZ_DEVICE_GL and GRZ_DEVICE_GL_CURRENT, else "cpu"; NULL for NULL. Thread-safe.
GRZ_API const char *grz_device_name(const grz_device *device);

/// @return how many threads a query on this device may use, the caller's included; 0 for NULL. Thread-safe.
GRZ_API unsigned grz_device_threads(const grz_device *device);

/// @return the registers that queries compute with: "scalar", "sse2", "neon", "avx2" or "avx512"; NULL for NULL.
///         Thread-safe.
GRZ_API const char *grz_device_simd_name(const grz_device *device);

/// What draws, in its driver's words. Longer texts are cut; all are terminated.
typedef struct grz_renderer {
    char vendor[64];   ///< GL_VENDOR; empty if no context could be opened
    char name[128];    ///< GL_RENDERER; empty if no context could be opened
    char version[128]; ///< GL_VERSION; empty if no context could be opened
    char platform[64]; ///< how EGL finds it: "device /dev/dri/renderD128", "device 0", "surfaceless"
    char problem[256]; ///< why it cannot be used; empty if it can
    bool software;     ///< it computes on the CPU
} grz_renderer;

/// @return how many renderers EGL knows on this machine; 0 in a build without OpenGL. Opens no context. Thread-safe.
GRZ_API uint32_t grz_renderer_count(void);

/// Ask a renderer what it is. A context is opened for that.
///
/// @param index     below grz_renderer_count()
/// @param renderer  receives the answer; `problem` says why the renderer cannot be used
/// @param error     may be NULL
/// @return GRZ_OK, also if `problem` is not empty; GRZ_ERROR_ARGUMENT
/// Thread-safety: safe. The context that was current on the thread is current again afterwards.
GRZ_API grz_status grz_renderer_info(uint32_t index, grz_renderer *renderer, grz_error *error);

/// Ask a device's OpenGL what it is. With GRZ_DEVICE_AUTO this opens it.
///
/// @param device    one with OpenGL
/// @param renderer  receives the answer
/// @param error     may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_DEVICE; GRZ_ERROR_BUSY; GRZ_ERROR_UNSUPPORTED; GRZ_ERROR_MEMORY
/// Thread-safety: as for everything that uses OpenGL, see grz_device.
GRZ_API grz_status grz_device_renderer(grz_device *device, grz_renderer *renderer, grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
