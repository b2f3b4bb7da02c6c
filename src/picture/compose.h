// SPDX-License-Identifier: MIT
// A whole picture: the first view, the closer one, labels and the legend, and where each of them is.
#ifndef GRZ_PICTURE_COMPOSE_H
#define GRZ_PICTURE_COMPOSE_H

#include "picture/pair_labels.h"
#include "picture/painter.h"

typedef struct grz_picture_layout {
    grz_rect first;            // the first view
    grz_rect inset;            // the closer one; empty where there is none
    grz_rect inset_from;       // where that contact is in the first; empty where it is most of it
    int header, footer;        // rows of pixels that the legend has above and below
    int caption;               // rows of pixels of the caption, below the footer
    grz_picture_label *labels; // in the allocator's memory, one for each site of a scene; NULL: there are none
    size_t label_count;
} grz_picture_layout;

// Draw the contents; `options` has been checked. `pixels` and `view` as in grz_picture_draw(). The layout is valid as
// long as the contents are; grz_picture_layout_finish() is due in any case.
grz_status grz_picture_compose(grz_device *device, const grz_picture_contents *contents,
                               const grz_picture_options *options, grz_control *control, uint8_t *pixels,
                               grz_picture_view *view, grz_picture_layout *layout, grz_error *error);

void grz_picture_layout_finish(const grz_picture_contents *contents, grz_picture_layout *layout);

#endif
