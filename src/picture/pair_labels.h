// SPDX-License-Identifier: MIT
// A marker on each pair of a scene that touches, and a label beside the bodies with a line to it: "3-8".
#ifndef GRZ_PICTURE_PAIR_LABELS_H
#define GRZ_PICTURE_PAIR_LABELS_H

#include "picture/canvas/font.h"
#include "picture/picture_contents.h"

enum {
    GRZ_LABEL_TEXT = 24 // two numbers of up to ten digits, a dash, and the end
};

typedef struct grz_picture_label {
    const grz_picture_site *site;
    float marker[2];           // its middle, pixels
    bool has_text;             // false: there was no room for its label
    bool on_left;              // of the bodies
    grz_rect box;              // of the label; empty where it has no text
    char text[GRZ_LABEL_TEXT]; // "3-8"
} grz_picture_label;

// Write the labels' texts. `labels` has one item for each of the contents' sites.
void grz_labels_name(const grz_picture_contents *contents, grz_picture_label *labels);

// The width of the widest label, pixels, for text of this style.
int grz_labels_width(const grz_picture_label *labels, size_t count, const grz_text_style *style);

// Place labels, whose markers are set, in `area` to the left and right of the bodies, which reach from column `left` to
// `right`. Labels do not overlap. Where there is no room for all, those of pairs with the most faces have text. Changes
// the order of the labels.
void grz_labels_place(grz_picture_label *labels, size_t count, const grz_rect *area, int left, int right,
                      const grz_text_style *style);

void grz_labels_draw(const grz_picture_label *labels, size_t count, const grz_canvas *canvas,
                     const grz_text_style *style);

#endif
