// SPDX-License-Identifier: MIT
// grz_picture_draw() with the layout of what was drawn, for tests.
#ifndef GRZ_PICTURE_PICTURE_H
#define GRZ_PICTURE_PICTURE_H

#include "picture/compose.h"

// As grz_picture_draw(). Where it succeeds, `look` is called, unless it is NULL, with the contents and their layout.
typedef void grz_picture_look(const grz_picture_contents *contents, const grz_picture_layout *layout, void *user);

grz_status grz_picture_draw_and_look(grz_device *device, const grz_object *objects, uint32_t count,
                                     const grz_result *result, const grz_picture_options *options, uint8_t *pixels,
                                     grz_picture_view *view, grz_picture_look *look, void *user, grz_error *error);

#endif
