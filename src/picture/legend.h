// SPDX-License-Identifier: MIT
// What is written above and below a picture: the verdict with its counts, and which colour is whose.
#ifndef GRZ_PICTURE_LEGEND_H
#define GRZ_PICTURE_LEGEND_H

#include "picture/canvas/font.h"
#include "picture/picture_contents.h"

typedef struct grz_legend {
    const grz_picture_contents *contents;
    const grz_picture_options *options;
    float scale;                     // 1 for a picture of 1200 × 900 pixels
    int header_height, entry_height; // pixels
    char title[160], counts[200];
} grz_legend;

// The style of the legend's text, and of labels.
grz_text_style grz_legend_style(const grz_legend *legend);

// Write the texts, and measure.
void grz_legend_init(grz_legend *legend, const grz_picture_contents *contents, const grz_picture_options *options);

// How many pixels the rows below the picture take.
int grz_legend_footer_height(const grz_legend *legend);

// How many pixels the caption takes; 0: there is none.
int grz_legend_caption_height(const grz_legend *legend);

// Draw the caption along the lower edge.
void grz_legend_draw_caption(const grz_legend *legend, const grz_canvas *canvas);

// Draw the rest: above the picture, and below it, above the caption's `caption` pixels.
void grz_legend_draw(const grz_legend *legend, const grz_canvas *canvas, int caption);

#endif
