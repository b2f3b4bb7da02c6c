// SPDX-License-Identifier: MIT
// Internal to this folder: the OpenGL part of a device.
#ifndef GRZ_GL_GL_PARTS_H
#define GRZ_GL_GL_PARTS_H

#include <pthread.h>
#include <stdatomic.h>

#include "gl/context.h"

enum {
    GRZ_GL_MESSAGE_SIZE = 200 // bytes of a driver's error text that are kept
};

typedef struct grz_gl_program_entry {
    const grz_gl_program_source *source;
    GLuint name;
} grz_gl_program_entry;

struct grz_gl_bin {
    grz_gl_bin *next;
    size_t count;
    struct {
        grz_gl_kind kind;
        GLuint name;
    } items[GRZ_GL_BIN];
};

typedef struct grz_gl_slot_entry {
    const grz_gl_slot_type *type;
    void *state;
} grz_gl_slot_entry;

struct grz_gl {
    grz_device *device;
    const grz_allocator *allocator; // the device's
    const char *what;               // what is being done inside; the first word of error texts
    bool adopted;                   // the context is the caller's
    bool share;                     // our context shares objects with the caller's
    uint32_t renderer;
    atomic_bool inside; // some thread is inside
    bool open;          // the context exists and was checked
    bool lost;          // the context was lost; every further call fails
    grz_context context;
    EGLContext caller_context; // the caller's context; EGL_NO_CONTEXT if it is not of EGL
    grz_current current;       // while a thread is inside: what was current before
    grz_state *state;          // while a thread is inside: the saved state of the caller's context
    grz_gl_limits limits;
    char driver_message[GRZ_GL_MESSAGE_SIZE]; // the driver's text for the last error; may be empty
    GRZ_ARRAY(grz_gl_program_entry) programs;
    GRZ_ARRAY(grz_gl_slot_entry) slots;
    atomic_ullong object_count;
    pthread_mutex_t lock;
    grz_gl_bin *bins; // handed over for deletion; protected by the lock
};

// The OpenGL part of a device; NULL if it has none.
static inline grz_gl *grz_gl_of(const grz_device *device)
{
    return grz_device_graphics(device);
}

// True in a child process whose parent had used OpenGL before fork(). The driver's threads exist only in the parent, so
// the driver's next call in the child, even in a new context, would wait forever.
bool grz_gl_is_after_fork(void);

// Delete the objects of all bins and the bins; delete all programs. `current` is false if the context is gone, and its
// objects with it: then only memory is released.
void grz_gl_empty_bins(grz_gl *gl, bool current);
void grz_gl_drop_programs(grz_gl *gl);

// Release the state of all slots, and with `current` also the objects in it.
void grz_gl_release_slots(grz_gl *gl, bool current);

// Fill in what the current context reports about itself. renderer->platform is not changed.
void grz_gl_describe(grz_renderer *renderer);

#endif
