// SPDX-License-Identifier: MIT
// Contexts: those of EGL that a device makes for itself, and what is put back in one that belongs to the caller.
#ifndef GRZ_GL_CONTEXT_H
#define GRZ_GL_CONTEXT_H

#include <epoxy/egl.h>

#include "gl/gl.h"

// A context of our own. Displays are never terminated: EGL gives one out to all who ask, and does not count them.
typedef struct grz_context {
    EGLDisplay display;
    EGLContext context;
    EGLSurface surface; // EGL_NO_SURFACE where it needs none
    bool software;
    char platform[64];
} grz_context;

// What is current on a thread.
typedef struct grz_current {
    EGLDisplay display;
    EGLContext context;
    EGLSurface draw, read;
    EGLenum api;
} grz_current;

// How many renderers EGL knows; 0 where there is no EGL.
uint32_t grz_context_count(void);

// Make a context on renderer `index`, below the count; `share`: with the context that is current on this thread, and whose display
// it takes then. GRZ_ERROR_DEVICE. It is not current afterwards.
grz_status grz_context_open(uint32_t index, bool share, grz_context *context, grz_error *error);
void grz_context_close(grz_context *context);

// How EGL reaches renderer `index`, and whether it is software, as far as EGL tells without a context: *software stays true where it
// is.
void grz_context_platform(uint32_t index, char *platform, size_t size, bool *software);

grz_current grz_current_save(void);

// False: EGL refuses, for instance because the thread has a context of another kind.
bool grz_context_make_current(const grz_context *context);
void grz_current_restore(const grz_current *current, const grz_context *instead_of);

// What our work changes in a context, read from a caller's and put back.
typedef struct grz_state grz_state;

// Whether the program in use has been deleted, so that it would be gone once another is used.
bool grz_state_holds_a_deleted_program(void);

// NULL where memory is short.
grz_state *grz_state_save(const grz_allocator *allocator);
void grz_state_restore(const grz_allocator *allocator, grz_state *state);

// Set what our work relies on, in a context whose state is not known.
void grz_state_reset(void);

#endif
