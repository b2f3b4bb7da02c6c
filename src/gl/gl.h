// SPDX-License-Identifier: MIT
// OpenGL for the layers above: enter a device's context, create objects (which are counted), compile programs when they
// are first needed, leave. Between grz_gl_enter() and grz_gl_leave() the caller calls OpenGL 4.5 directly. It uses
// direct state access, so that hardly anything needs to be bound.
//
//     grz_status status = grz_gl_enter(device, "slices", &gl, error);
//     if (status != GRZ_OK) return status;
//     … glNamedBufferSubData(…) …
//     return grz_gl_leave(gl, status, error);
#ifndef GRZ_GL_GL_H
#define GRZ_GL_GL_H

#include <epoxy/gl.h>

#include "base/control_type.h"
#include "base/device.h"

// The OpenGL part of one device. Only one thread at a time can be inside.
typedef struct grz_gl grz_gl;

// The limits of a renderer, read once.
typedef struct grz_gl_limits {
    uint64_t storage_block;     // the largest range of a shader storage buffer that a shader can access, in bytes
    uint64_t storage_alignment; // the alignment of such a range, in bytes
    uint32_t vertex_stride;     // the largest distance from one vertex to the next, in bytes
    uint32_t image_side;        // the largest width and height of textures, framebuffers and viewports, in pixels
    uint32_t groups;            // the largest number of work groups along the first axis of a dispatch
    uint32_t draw_buffers, samples;
    bool software; // the renderer runs on the CPU
} grz_gl_limits;

// Make the device's context current; open it first if that has not happened yet. Every success must be followed by
// grz_gl_leave().
//
// what  the first word of error texts, for example "slices"
// Returns GRZ_OK; GRZ_ERROR_UNSUPPORTED if the device has no OpenGL; GRZ_ERROR_BUSY if another thread is inside;
// GRZ_ERROR_DEVICE if the context cannot be created, was lost, or is the caller's and not current.
grz_status grz_gl_enter(grz_device *device, const char *what, grz_gl **out, grz_error *error);

// Make current again what was current before. In a caller's context also restore all state that was changed. `status`
// is the result of the work. If it is GRZ_OK but OpenGL has reported an error, the result is GRZ_ERROR_MEMORY or
// GRZ_ERROR_DEVICE. Returns the final status.
grz_status grz_gl_leave(grz_gl *gl, grz_status status, grz_error *error);

// The OpenGL part of a device. This thread must be inside.
grz_gl *grz_gl_inside(const grz_device *device);

// Read the errors that OpenGL has reported since the last call. Returns GRZ_OK, or GRZ_ERROR_MEMORY or GRZ_ERROR_DEVICE
// with the driver's text if it gave one.
grz_status grz_gl_check(grz_gl *gl, grz_error *error);

// Wait until OpenGL has finished all work so far, if the control has a cancel flag or a deadline. Returns the control's
// status as soon as it says to end; the work then continues in the background. Without flag and deadline it returns at
// once.
grz_status grz_gl_wait(grz_control *control);

// Let a callback of the caller's use the context, then set the state that our work relies on again. Fails if the
// callback failed or left an OpenGL error. Fails, too, if it left a query, a transform feedback or a conditional
// rendering open, or made another context current: these are ended, and the context from before is current again.
grz_status grz_gl_lend(grz_gl *gl, grz_status (*use)(void *user), void *user, grz_error *error);

const grz_gl_limits *grz_gl_get_limits(const grz_gl *gl);

// How many OpenGL objects of ours exist now: buffers, textures, everything else that has a name, and fences. For leak
// tests.
uint64_t grz_gl_object_count(const grz_device *device);

typedef enum grz_gl_kind {
    GRZ_GL_BUFFER,
    GRZ_GL_TEXTURE,
    GRZ_GL_RENDERBUFFER,
    GRZ_GL_FRAMEBUFFER,
    GRZ_GL_VERTEX_ARRAY,
    GRZ_GL_PROGRAM,
    GRZ_GL_QUERY,
    GRZ_GL_FEEDBACK, // transform feedback
    GRZ_GL_KIND_COUNT
} grz_gl_kind;

// Create an object. `target` is the target of a texture or a query, 0 for other kinds. Returns its name, or 0 if OpenGL
// gave none.
GLuint grz_gl_create(grz_gl *gl, grz_gl_kind kind, GLenum target);

// Delete an object. This thread must be inside. `name` may be 0.
void grz_gl_delete(grz_gl *gl, grz_gl_kind kind, GLuint name);

// A bin: a list of objects to be deleted later. It lets any thread give objects back without being inside. It is
// allocated together with the objects, so that giving them back cannot fail.
typedef struct grz_gl_bin grz_gl_bin;

enum {
    GRZ_GL_BIN = 11 // the number of objects that a bin has room for
};

// Create an empty bin. NULL if there is no memory.
grz_gl_bin *grz_gl_bin_create(const grz_gl *gl);
void grz_gl_bin_add(grz_gl_bin *bin, grz_gl_kind kind, GLuint name); // name may be 0

// Hand a bin over. Its objects and the bin itself are deleted when the device is entered next, or closed. `bin` may be
// NULL.
void grz_gl_bin_empty_later(grz_device *device, grz_gl_bin *bin);

// A buffer that can grow. Zeroed memory is an empty buffer.
typedef struct grz_gl_buffer {
    GLuint name;
    uint64_t size; // bytes
} grz_gl_buffer;

// Make the buffer at least `size` bytes large; its content may be lost. `what` names it in error texts.
grz_status grz_gl_buffer_reserve(grz_gl *gl, grz_gl_buffer *buffer, uint64_t size, const char *what, grz_error *error);
void grz_gl_buffer_finish(grz_gl *gl, grz_gl_buffer *buffer);

// The type of a state that is kept with a device's OpenGL between calls, for example framebuffers. It must be a static
// variable: its address is the key, as with grz_slot_type for the states of a mesh.
typedef struct grz_gl_slot_type {
    size_t size; // bytes; zeroed when they are allocated
    void (*release)(grz_gl *gl, void *state);
} grz_gl_slot_type;

// The state of this type; allocated the first time, released when the device is closed. NULL if there is no memory.
void *grz_gl_slot(grz_gl *gl, const grz_gl_slot_type *type);

// The source of one shader stage: the bytes of a file, which the build puts into the library.
typedef struct grz_gl_stage {
    GLenum kind; // GL_VERTEX_SHADER, …
    const char *name;
    const unsigned char *source;
    size_t length;
} grz_gl_stage;

enum {
    GRZ_GL_MOST_STAGES = 3
};

// A program as the list of its stages; unused ones are NULL. It must be a static variable: its address identifies the
// program.
typedef struct grz_gl_program_source {
    const char *name;
    const grz_gl_stage *stages[GRZ_GL_MOST_STAGES];
} grz_gl_program_source;

// The program of a source; compiled and linked the first time. GRZ_ERROR_DEVICE with the driver's log if that fails.
grz_status grz_gl_program(grz_gl *gl, const grz_gl_program_source *source, GLuint *program, grz_error *error);

#endif
