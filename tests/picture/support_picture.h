// SPDX-License-Identifier: MIT
// Shared by the tests that draw pictures: a device, objects, their result, and the picture drawn of them. Include this
// only where GRZ_HAVE_GL is defined.
#ifndef GRZ_TESTS_SUPPORT_PICTURE_H
#define GRZ_TESTS_SUPPORT_PICTURE_H

#include "picture/picture.h"
#include "support_meshes.h"

enum {
    SHOT_MAX_OBJECTS = 60,
    SHOT_MAX_LABELS = 200
};

// A picture and what it shows. Labels are copied, since the layout ends with the drawing call.
typedef struct shot {
    grz_device *device;
    grz_mesh *meshes[SHOT_MAX_OBJECTS];
    grz_object objects[SHOT_MAX_OBJECTS];
    size_t count; // of the objects
    grz_result *result;
    grz_picture_options options;
    grz_picture_view view;
    grz_picture_layout layout;
    grz_picture_label labels[SHOT_MAX_LABELS];
    double sites[SHOT_MAX_LABELS][3]; // the contact that each label points at
    uint8_t *pixels;                  // RGBA, width * height
} shot;

shot *shot_open(uint32_t width, uint32_t height);
void shot_close(shot *s);

// Add an object. The mesh is freed.
void shot_add(shot *s, test_mesh mesh, grz_pose pose);

// Ask everything about the two objects, or about the one object with itself.
void shot_ask_pair(shot *s);

// Ask about all objects as a scene. Containment is not asked.
void shot_ask_scene(shot *s);

// Draw the objects with a result, which may be NULL. Fills in pixels, view, layout, labels and sites.
void shot_draw(shot *s, const grz_result *result);

#endif
