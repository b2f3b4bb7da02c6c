// SPDX-License-Identifier: MIT
// Drawing a picture's contents by OpenGL, from one camera or several, into rectangles of a canvas.
#ifndef GRZ_PICTURE_PAINTER_H
#define GRZ_PICTURE_PAINTER_H

#include "gl/gl.h"
#include "picture/camera.h"
#include "picture/canvas/canvas.h"
#include "picture/picture_contents.h"

enum {
    GRZ_TRIAL_WIDTH = 240, // pixels of grz_painter_depths()
    GRZ_TRIAL_HEIGHT = 180
};

// What is drawn into.
typedef struct grz_paint_target {
    GLuint framebuffer, color, surface, depth;
    uint32_t width, height;
} grz_paint_target;

// One picture being drawn. The thread is inside the device's OpenGL from open to close.
typedef struct grz_painter {
    grz_gl *gl;
    const grz_picture_contents *contents;
    grz_control *control;
    grz_error *error;
    GLuint objects, curves; // programs
    GLuint empty;           // a vertex array without attributes
    grz_paint_target trial;
    grz_gl_buffer marks, paints, segments;
    double segments_unit; // world length of 1 in the buffer of segments
} grz_painter;

// A view that is to be drawn. What lies nearer than `cut` beyond the camera's target (world length, along the
// direction) is drawn as glass; -HUGE_VAL: nothing does.
typedef struct grz_painted_view {
    grz_camera camera;
    double cut;
} grz_painted_view;

// Enter the device's OpenGL. Only where this returned GRZ_OK, grz_painter_close() is due.
grz_status grz_painter_open(grz_painter *painter, grz_device *device, const grz_picture_contents *contents,
                            grz_control *control, grz_error *error);

// Delete what was made, and leave. Returns `status`, or what OpenGL had to say.
grz_status grz_painter_close(grz_painter *painter, grz_status status);

// The most pixels a side that a view may have.
uint32_t grz_painter_most_pixels(const grz_painter *painter);

// Draw the objects in small, glass left out. `depths` receives GRZ_TRIAL_WIDTH × GRZ_TRIAL_HEIGHT depths, the lowest
// row first.
grz_status grz_painter_depths(grz_painter *painter, const grz_camera *camera, float *depths);

// Draw a view into a rectangle of the canvas, which lies inside of it.
grz_status grz_painter_draw(grz_painter *painter, const grz_painted_view *view, const grz_canvas *canvas,
                            const grz_rect *rect);

// For grz_painter_draw(): read a finished target, `samples` × `samples` pixels of it for each of the rectangle's, draw
// the outlines of bodies, and average.
grz_status grz_painter_resolve(const grz_painter *painter, const grz_paint_target *target, const grz_camera *camera,
                               uint32_t samples, const grz_canvas *canvas, const grz_rect *rect);

#endif
