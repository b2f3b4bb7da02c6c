// SPDX-License-Identifier: MIT
// Shared by the demos: the command line, the device, frames shown in a window or written as pictures, and the
// comparison of answers with those of another method.
#ifndef GRZ_DEMOS_DEMO_H
#define GRZ_DEMOS_DEMO_H

#include <graze/graze.h>

// A running demo.
typedef struct demo {
    const char *name, *about; // its name, and what it shows
    uint64_t usual_frames;    // the number of frames, unless the command line gives another
    bool has_model;           // the user may choose the model
    // The options of the command line, and the present state.
    uint64_t frames;
    const char *out;    // folder for the pictures; NULL: a window
    const char *method; // of the queries
    const char *model;  // that the demo is about; NULL: its own
    bool small, check;  // fewer triangles; compare each frame's answer with that of `bvh`
    grz_device *device;
    uint32_t width, height;
    uint8_t *pixels;
    double direction[3]; // from the eye
    void *window;
    double query_ms; // of all frames so far
} demo;

// Parse the command line, and open the device and the window. The caller sets the first fields. Ends the program on
// errors and after --help.
void demo_open(demo *d, int argc, char **argv);

// End the program if a call failed.
void demo_check(grz_status status, const grz_error *error);

// Show the result of a frame. False if the window was closed.
bool demo_show(demo *d, uint64_t frame, const grz_object *objects, size_t count, const grz_result *result);

// Compare the pairs of objects and faces of two answers. If they differ, print that and end the program.
void demo_compare(const demo *d, uint64_t frame, const grz_result *answer, const grz_result *reference);

void demo_close(demo *d);

// A window: open it, show pixels (from the top left corner on), close it. NULL: no window is possible; the reason was
// printed.
void *demo_window_open(const char *title, uint32_t width, uint32_t height);
bool demo_window_show(void *window, const uint8_t *pixels, uint32_t width, uint32_t height);
void demo_window_close(void *window);

#endif
