// SPDX-License-Identifier: MIT
// Shared by the demos: the command line, the device, frames shown in a window or written as pictures with a caption,
// and the comparison of answers with those of another method.
#ifndef GRZ_DEMOS_DEMO_H
#define GRZ_DEMOS_DEMO_H

#include <graze/graze.h>

// A closer view at the right edge of each frame.
typedef struct demo_closer {
    bool shown;
    uint32_t width, height; // pixels
    double direction[3];
    double middle[3], radius; // of what it shows
} demo_closer;

// A picture of the caller's in the upper left corner of each frame: red, green and blue, row after row from the top.
typedef struct demo_overlay {
    const uint8_t *pixels;  // NULL: none
    uint32_t columns, rows; // of these
    uint32_t width, height; // pixels of the frame that it covers
} demo_overlay;

// A running demo.
typedef struct demo {
    const char *name, *about;  // its name, and what it shows
    uint64_t usual_frames;     // the number of frames, unless the command line gives another
    bool has_model;            // the user may choose the model
    const char *const *bodies; // names that the user may choose from, the usual one first, then NULL; NULL: none
    const char *choice;        // what they are names of, and the option, such as "--body", that chooses; NULL: body
    bool self;                 // its queries are of a mesh with itself, which not every method can answer
    // The options of the command line, and the present state.
    uint64_t frames;
    const char *out;       // folder for the pictures; NULL: a window
    const char *method;    // of the queries
    const char *reference; // another method, for --check
    const char *model;     // that the demo is about; NULL: its own
    const char *body;      // one of `bodies`
    bool small, check;     // fewer triangles; compare each frame's answer with that of `reference`
    grz_device *device;
    grz_picture_options picture; // of every frame; the caller adds colours, direction and region after demo_open()
    demo_closer closer;
    demo_overlay overlay;
    void (*paint)(struct demo *d, const grz_picture_view *view); // changes a frame before it is shown; may be NULL
    void *user;                                                  // of `paint`
    uint8_t *pixels, *closer_pixels;
    void *window;
} demo;

// Parse the command line, and open the device and the window. The caller sets the first fields. Ends the program on
// errors and after --help.
void demo_open(demo *d, int argc, char **argv);

// End the program if a call failed.
void demo_check(grz_status status, const grz_error *error);

// Get memory filled with zeros, or end the program.
void *demo_get(size_t count, size_t size);

// Make a mesh of triangles, or end the program. `positions` are doubles, three for each vertex; flags are GRZ_MESH_….
grz_mesh *demo_mesh(const demo *d, const void *positions, uint64_t vertex_count, const uint32_t *indices,
                    uint64_t index_count, uint32_t flags);

// The options of a query for pairs of faces by a method: the demo's, or its reference.
grz_collide_options demo_ask_pairs(const char *method);

// Make a scene of some objects, or end the program.
grz_scene *demo_scene(const demo *d, const grz_object *objects, uint32_t count);

// Ask a scene by a method, for what GRZ_FIND_… says.
void demo_ask_scene(const demo *d, grz_scene *scene, const char *method, uint32_t find, grz_result *result);

// Print what a query found, and show it with the same words as its caption. False if the window was closed.
bool demo_show(demo *d, uint64_t frame, const grz_object *objects, size_t count, const grz_result *result,
               const char *found);

// Compare the pairs of objects and faces of two answers. If they differ, print that and end the program.
void demo_compare(const demo *d, uint64_t frame, const grz_result *answer, const grz_result *reference);

void demo_close(demo *d);

// A window: open it, show pixels (from the top left corner on), close it. NULL: no window is possible; the reason was
// printed.
void *demo_window_open(const char *title, uint32_t width, uint32_t height);
bool demo_window_show(void *window, const uint8_t *pixels, uint32_t width, uint32_t height);
void demo_window_close(void *window);

#endif
