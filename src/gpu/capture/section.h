// SPDX-License-Identifier: MIT
// One section of a capture: what is drawn between grz_capture_begin() and grz_capture_end(), in the caller's callback.
#ifndef GRZ_GPU_CAPTURE_SECTION_H
#define GRZ_GPU_CAPTURE_SECTION_H

#include "gl/gl.h"

enum {
    GRZ_SECTION_GENERATED, // the query that counts triangles that were drawn
    GRZ_SECTION_WRITTEN,   // the query that counts triangles for which there was room
    GRZ_SECTION_QUERIES
};

// The OpenGL objects that sections need. They are kept with the device: one draw at a time uses them.
typedef struct grz_section_objects {
    GLuint queries[GRZ_SECTION_QUERIES];
    GLuint feedback;
    GLuint framebuffer; // without pictures: drawing needs a complete one even where nothing is rasterized
} grz_section_objects;

// Create them, or those that a callback has deleted.
grz_status grz_section_objects_get(grz_gl *gl, const grz_section_objects **objects, grz_error *error);

// Begin to capture `size` bytes from `offset` on, with the program in use. *before receives the transform feedback
// object that was bound. GRZ_ERROR_ARGUMENT if the callback has something open that is in the way.
grz_status grz_section_begin(grz_gl *gl, const grz_section_objects *objects, GLuint buffer, uint64_t offset,
                             uint64_t size, GLint *before, grz_error *error);

// End it, and count. Fails if the callback has ended it, or if OpenGL has reported an error.
grz_status grz_section_end(grz_gl *gl, const grz_section_objects *objects, GLint before,
                           uint64_t counts[GRZ_SECTION_QUERIES], grz_error *error);

// End what is left of a section that something went wrong with.
void grz_section_abandon(grz_gl *gl, const grz_section_objects *objects, GLint before);

#endif
