// SPDX-License-Identifier: MIT
// What the demos share: the command line, the device, frames shown in a window or written as pictures, answers compared
// with those of another method.
#ifndef GRZ_DEMOS_DEMO_H
#define GRZ_DEMOS_DEMO_H

#include <graze/graze.h>

// A demo under way.
typedef struct demo {
    const char *name, *about; // what it is called, and shows
    uint64_t usual_frames;    // how many there are unless another number is given
    bool has_model;           // which may be another one
    // What the command line says, and what is under way.
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

// Parse the command line, open the device and the window of a demo of which the first fields are set. Ends the program
// where something is wrong, and after --help.
void demo_open(demo *d, int argc, char **argv);

// End the program where something failed.
void demo_check(grz_status status, const grz_error *error);

// Show what was found in a frame. False: the window was closed.
bool demo_show(demo *d, uint64_t frame, const grz_object *objects, size_t count, const grz_result *result);

// Whether two answers have the same pairs of objects and faces. Ends the program, and says so, where they do not.
void demo_compare(const demo *d, uint64_t frame, const grz_result *answer, const grz_result *reference);

void demo_close(demo *d);

// A window: opened, shown the pixels from the top left corner on, closed. NULL: there can be none, and it is said why.
void *demo_window_open(const char *title, uint32_t width, uint32_t height);
bool demo_window_show(void *window, const uint8_t *pixels, uint32_t width, uint32_t height);
void demo_window_close(void *window);

#endif
