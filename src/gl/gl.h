// SPDX-License-Identifier: MIT
// OpenGL as the layers above see it: enter a device's context, make objects that are counted, compile programs when they are first
// needed, leave. Inside, functions of OpenGL 4.5 are called directly; direct state access, so that little is ever bound.
#ifndef GRZ_GL_GL_H
#define GRZ_GL_GL_H

#include <epoxy/gl.h>

#include "base/control.h"
#include "base/device.h"

// The OpenGL of one device: a grz_graphics. One thread at a time is inside.
typedef struct grz_gl grz_gl;

// What may be asked of a renderer, read once.
typedef struct grz_gl_limits {
    uint64_t storage_block;     // bytes of a shader storage buffer that a shader can see
    uint64_t storage_alignment; // of where that part begins
    uint32_t vertex_stride;     // bytes from one vertex to the next
    uint32_t image_side;        // pixels, of textures, framebuffers and viewports
    uint32_t groups;            // work groups along the first axis of a dispatch
    uint32_t draw_buffers, samples;
    bool software; // a program on the CPU, not a GPU
} grz_gl_limits;

// Make the device's context current, opening it where it has none yet. `what` begins texts of errors: "slices".
// GRZ_ERROR_UNSUPPORTED: the device has no OpenGL; GRZ_ERROR_BUSY: another thread is inside; GRZ_ERROR_DEVICE: it cannot be had, was
// lost, or is the caller's and not current. On success grz_gl_leave() is due.
grz_status grz_gl_enter(grz_device *device, const char *what, grz_gl **out, grz_error *error);

// Put back what was current, and in a caller's context all that was changed. `status` is how the work went: where it is GRZ_OK,
// errors that OpenGL has noted turn it into GRZ_ERROR_MEMORY or GRZ_ERROR_DEVICE. Returns what came of it.
grz_status grz_gl_leave(grz_gl *gl, grz_status status, grz_error *error);

// The OpenGL of a device that this thread is inside.
grz_gl *grz_gl_inside(const grz_device *device);

// GRZ_OK, or what OpenGL has noted since it was last asked, with the driver's own words where it gave any.
grz_status grz_gl_check(grz_gl *gl, grz_error *error);

// Wait for what has been asked of OpenGL so far, where the control may say to end; then what it says, and the work goes on unseen.
grz_status grz_gl_wait(grz_control *control);

const grz_gl_limits *grz_gl_get_limits(const grz_gl *gl);

// How many objects of its own the device's OpenGL holds at present: buffers, textures and all else that has a name, and fences.
uint64_t grz_gl_object_count(const grz_device *device);

typedef enum grz_gl_kind {
    GRZ_GL_BUFFER,
    GRZ_GL_TEXTURE,
    GRZ_GL_RENDERBUFFER,
    GRZ_GL_FRAMEBUFFER,
    GRZ_GL_VERTEX_ARRAY,
    GRZ_GL_PROGRAM,
    GRZ_GL_KIND_COUNT
} grz_gl_kind;

// Make an object; `target` is the texture's, else 0. Returns its name; 0 where OpenGL gave none.
GLuint grz_gl_create(grz_gl *gl, grz_gl_kind kind, GLenum target);

// Delete one, inside. 0 is accepted.
void grz_gl_delete(grz_gl *gl, grz_gl_kind kind, GLuint name);

// Objects that are to be deleted from anywhere, any thread. The bin is made together with them, so that deleting cannot fail.
typedef struct grz_gl_bin grz_gl_bin;

enum {
    GRZ_GL_BIN = 5 // objects
};

// NULL where memory is short.
grz_gl_bin *grz_gl_bin_create(const grz_gl *gl);
void grz_gl_bin_add(grz_gl_bin *bin, grz_gl_kind kind, GLuint name); // 0 is accepted

// Delete what is in the bin, and the bin: at once is too early, so it goes when the device is entered next, or closed. NULL is accepted.
void grz_gl_bin_empty_later(grz_device *device, grz_gl_bin *bin);

// A buffer that grows. Zero it to start.
typedef struct grz_gl_buffer {
    GLuint name;
    uint64_t size; // bytes
} grz_gl_buffer;

// Make sure that it has `size` bytes at least; what was in it may be lost. `what` names it in errors.
grz_status grz_gl_buffer_reserve(grz_gl *gl, grz_gl_buffer *buffer, uint64_t size, const char *what, grz_error *error);
void grz_gl_buffer_finish(grz_gl *gl, grz_gl_buffer *buffer);

// What a method keeps in a device's OpenGL between calls: framebuffers, buffers. Static, its address is what it is known by.
typedef struct grz_gl_keep {
    size_t size; // bytes, zeroed at first
    void (*release)(grz_gl *gl, void *kept);
} grz_gl_keep;

// What is kept, made where there was nothing yet; it goes when the device is closed. NULL where memory is short.
void *grz_gl_kept(grz_gl *gl, const grz_gl_keep *keep);

// The source of one stage: bytes of a file, put into the program by the build.
typedef struct grz_gl_stage {
    GLenum kind; // GL_VERTEX_SHADER, …
    const char *name;
    const unsigned char *source;
    size_t length;
} grz_gl_stage;

enum {
    GRZ_GL_MOST_STAGES = 3
};

// A program; static, its address is what it is known by. Unused stages are zero.
typedef struct grz_gl_program_source {
    const char *name;
    const grz_gl_stage *stages[GRZ_GL_MOST_STAGES];
} grz_gl_program_source;

// The program, compiled and linked where it was not yet. GRZ_ERROR_DEVICE with the driver's log.
grz_status grz_gl_program(grz_gl *gl, const grz_gl_program_source *source, GLuint *program, grz_error *error);

#endif
