// SPDX-License-Identifier: MIT
// What the files of this folder share: the OpenGL of a device.
#ifndef GRZ_GL_PARTS_H
#define GRZ_GL_PARTS_H

#include <pthread.h>
#include <stdatomic.h>

#include "gl/context.h"

enum {
    GRZ_GL_NOTE = 200 // bytes of a driver's text that are kept
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

typedef struct grz_gl_kept_entry {
    const grz_gl_keep *keep;
    void *kept;
} grz_gl_kept_entry;

struct grz_gl {
    grz_device *device;
    const grz_allocator *allocator; // the device's
    const char *what;               // who is inside; begins texts of errors
    bool adopted;                   // the context is the caller's
    bool share;
    uint32_t renderer;
    atomic_bool inside; // by some thread
    bool open;          // the context is there
    bool lost;
    grz_context context;
    EGLContext foreign;  // the caller's context; EGL_NO_CONTEXT where it is none of EGL's
    grz_current current; // what was current before, while a thread is inside
    grz_state *state;    // of the caller's context, meanwhile
    grz_gl_limits limits;
    char note[GRZ_GL_NOTE]; // the driver's last words on an error; empty: none
    GRZ_ARRAY(grz_gl_program_entry) programs;
    GRZ_ARRAY(grz_gl_kept_entry) kept;
    atomic_ullong object_count;
    pthread_mutex_t lock;
    grz_gl_bin *bins; // to be emptied, under the lock
};

// The device's OpenGL; NULL: it has none.
grz_gl *grz_gl_of(const grz_device *device);

// Empty all bins, where the context has gone and its objects with it without `current`; delete all programs.
void grz_gl_empty_bins(grz_gl *gl, bool current);
void grz_gl_drop_programs(grz_gl *gl);

// Release what is kept; `current`: with the objects in it. The context has gone otherwise, and they with it.
void grz_gl_drop_kept(grz_gl *gl, bool current);

// What the context that is current says of itself; `renderer` keeps its platform.
void grz_gl_describe(grz_renderer *renderer);

#endif
