// SPDX-License-Identifier: MIT
// What is in a picture: objects with marked triangles, line segments and dots where surfaces meet, and one site for
// each pair of objects that is to be shown.
#ifndef GRZ_PICTURE_PICTURE_CONTENTS_H
#define GRZ_PICTURE_PICTURE_CONTENTS_H

#include <graze/picture.h>

#include "base/control_type.h"
#include "base/memory.h"
#include "geometry/box.h"
#include "picture/canvas/canvas.h"

typedef struct grz_picture_point {
    double at[3]; // world coordinates
} grz_picture_point;

typedef struct grz_picture_object {
    const grz_object *object;    // its mesh is in memory; NULL: there is none of this number
    uint32_t *marks;             // one bit for each triangle, lowest first: it touches something; NULL: none does
    bool glass;                  // it holds another object, which is to be seen through it
    bool involved;               // it is in one of the pairs that the result lists
    grz_color color, touch;      // of its faces, and of those of them that touch
    const uint8_t *face_colours; // 3 bytes a face, in place of `color`; NULL: none
} grz_picture_object;

// Where two objects touch, or one holds the other.
typedef struct grz_picture_site {
    uint32_t a, b;                                     // numbers of the objects
    uint64_t pair_count;                               // pairs of faces
    size_t first_end, end_count, first_dot, dot_count; // its parts of `ends` and `dots`
    double at[3];                                      // a point of the contact near its middle
} grz_picture_site;

typedef struct grz_picture_contents {
    const grz_allocator *allocator;
    const grz_result *result; // NULL: only objects are drawn
    grz_object *objects;      // copies of the caller's
    grz_picture_object *shown;
    size_t count;
    GRZ_ARRAY(grz_picture_point) ends; // two for each segment
    GRZ_ARRAY(grz_picture_point) dots; // contacts that are a single point
    GRZ_ARRAY(grz_picture_site) sites;
    bool is_scene;  // the result is that of a scene: its sites get markers
    grz_box region; // what the picture is fitted to; empty: the objects
} grz_picture_contents;

// Collect what is to be drawn. `result` may be NULL; of the options only the colours and the region are read.
// grz_picture_contents_finish() is due in any case.
grz_status grz_picture_contents_init(grz_picture_contents *contents, const grz_allocator *allocator,
                                     const grz_object *objects, size_t count, const grz_result *result,
                                     const grz_picture_options *options, grz_control *control, grz_error *error);

void grz_picture_contents_finish(grz_picture_contents *contents);

#endif
