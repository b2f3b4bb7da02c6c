// SPDX-License-Identifier: MIT
// OpenGL contexts: creating our own through EGL without a window, and saving and restoring the state of a context that
// belongs to the caller.
#ifndef GRZ_GL_CONTEXT_H
#define GRZ_GL_CONTEXT_H

#include <epoxy/egl.h>

#include "gl/gl.h"

// A context of our own. Its display is never terminated: EGL gives the same display to everybody in the process and
// does not count its users.
typedef struct grz_context {
    EGLDisplay display;
    EGLContext context;
    EGLSurface surface; // EGL_NO_SURFACE if the context needs none
    bool software;
    char platform[64];
} grz_context;

// The context that is current on a thread, with its surfaces.
typedef struct grz_current {
    EGLDisplay display;
    EGLContext context;
    EGLSurface draw, read;
    EGLenum api;
} grz_current;

// The number of renderers that EGL offers; 0 if there is no EGL.
uint32_t grz_context_count(void);

// Create a context on renderer `index`, which must be below grz_context_count(). With `share`, it shares objects with
// the context that is current on this thread, and uses that context's display. The new context does not become current.
// Returns GRZ_OK, GRZ_ERROR_ARGUMENT (no such renderer) or GRZ_ERROR_DEVICE.
grz_status grz_context_open(uint32_t index, bool share, grz_context *context, grz_error *error);
void grz_context_close(grz_context *context);

// The platform through which EGL reaches renderer `index`, and whether it is a software renderer, as far as EGL knows
// that without a context. *software is only ever set to true: if it is true already, it stays true.
void grz_context_platform(uint32_t index, char *platform, size_t size, bool *software);

// Remember what is current on this thread.
grz_current grz_current_save(void);

// Make our context current. False if EGL refuses, for example because a GLX context is current on this thread.
bool grz_context_make_current(const grz_context *context);
// Make current again what was current before; `ours` is the context that is current now.
void grz_current_restore(const grz_current *current, const grz_context *ours);

// The state of a caller's context that our work changes.
typedef struct grz_state grz_state;

// True if the program in use was deleted. OpenGL frees such a program as soon as another program is used, so it could
// not be restored.
bool grz_state_holds_a_deleted_program(void);

// Read the state, and write it back. Saving returns NULL if there is no memory.
grz_state *grz_state_save(const grz_allocator *allocator);
void grz_state_restore(const grz_allocator *allocator, grz_state *state);

// Set the state that our work relies on, in a context whose state is unknown.
void grz_state_reset(void);

#endif
