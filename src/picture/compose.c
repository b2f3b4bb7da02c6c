// SPDX-License-Identifier: MIT
// The parts of a picture take their room in this order: legend above and below, labels left and right, the closer view
// beside or below the first one, whichever leaves the bodies larger.
#include "picture/compose.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "picture/canvas/palette.h"
#include "picture/inset.h"
#include "picture/legend.h"

enum {
    LEGEND_WIDTH = 240,  // pixels: a smaller picture has no legend and no labels
    LEGEND_HEIGHT = 180, //
    INSET_SIDE = 120,    // and a view with a smaller side than this no closer view beside it
    EDGE = 6,            // pixels around a view
    LEAST_FROM = 12      // a side of the rectangle that shows where the closer view is
};

static const double beside = 0.4, below = 0.42; // share of the closer view
static const double most_from =
    0.35; // of the first view's area: a larger rectangle would not show where the closer view is

// A picture being composed.
typedef struct composition {
    grz_painter painter;
    const grz_picture_contents *contents;
    const grz_picture_options *options;
    grz_legend legend;
    bool has_legend;
    bool whole; // the first view shows all of the objects
    grz_canvas canvas;
    grz_contact_shape shape;
    grz_camera camera;
    double visible;
    grz_picture_layout *layout;
} composition;

static double aspect_of(const grz_rect *rect)
{
    assert(!grz_rect_is_empty(rect));
    return (double)rect->width / (double)rect->height;
}

static grz_rect shrink(grz_rect rect, int across, int down)
{
    return (grz_rect){rect.x + across, rect.y + down, rect.width - 2 * across, rect.height - 2 * down};
}

static grz_status make_labels(composition *c, grz_error *error)
{
    grz_picture_layout *layout = c->layout;
    const size_t count = c->contents->sites.count;
    if (!c->has_legend || !c->contents->is_scene || count == 0)
        return GRZ_OK;
    layout->labels = grz_allocate(c->contents->allocator, count, sizeof *layout->labels);
    if (layout->labels == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "picture: out of memory for %zu labels", count);
    layout->label_count = count;
    grz_labels_name(c->contents, layout->labels);
    return GRZ_OK;
}

// Leave room for legend and labels.
static grz_rect room_for_views(composition *c)
{
    grz_rect room = {0, 0, (int)c->canvas.width, (int)c->canvas.height};
    const int caption = grz_legend_caption_height(&c->legend);
    if (caption < room.height / 4) {
        c->layout->caption = caption;
        room.height -= caption;
    }
    if (!c->has_legend)
        return room;
    c->layout->header = c->legend.header_height;
    c->layout->footer = grz_legend_footer_height(&c->legend);
    if (c->layout->header + c->layout->footer > room.height / 2) { // too much for so small a picture
        c->has_legend = false;
        c->layout->header = c->layout->footer = 0;
        return room;
    }
    room.y += c->layout->header;
    room.height -= c->layout->header + c->layout->footer;
    return room;
}

// Narrow a view by its labels on both sides.
static grz_rect without_labels(const composition *c, grz_rect rect)
{
    if (c->layout->label_count == 0)
        return rect;
    const grz_text_style style = grz_legend_style(&c->legend);
    const int width = grz_labels_width(c->layout->labels, c->layout->label_count, &style) + EDGE;
    return width < rect.width / 4 ? shrink(rect, width, 0) : rect;
}

// Pixels of a view for a length at the target's distance.
static double size_shown(const composition *c, grz_rect rect)
{
    grz_camera camera = c->camera;
    const grz_rect room = without_labels(c, rect);
    grz_framing_fit(c->contents, &c->shape, c->whole, aspect_of(&room), &camera);
    return room.height / (camera.slope[1] * camera.distance / camera.unit);
}

// Take room for a closer view off the first one's.
static void split(composition *c, grz_rect *room)
{
    const int width = (int)(beside * room->width), height = (int)(below * room->height);
    grz_rect narrow = *room, low = *room;
    narrow.width -= width;
    low.height -= height;
    grz_rect *inset = &c->layout->inset;
    if (size_shown(c, narrow) >= size_shown(c, low)) {
        *inset = (grz_rect){room->x + narrow.width, room->y, width, room->height};
        *room = narrow;
    } else {
        *inset = (grz_rect){room->x, room->y + low.height, room->width, height};
        *room = low;
    }
    *inset = shrink(*inset, 2 * EDGE, EDGE);
    assert(!grz_rect_is_empty(inset) && !grz_rects_overlap(inset, room));
}

// Choose the side and the lens, and whether there is a closer view.
static grz_status frame(composition *c, grz_rect room)
{
    grz_rect first = without_labels(c, room);
    double aspect = aspect_of(&first);
    const bool has_room = c->options->inset && first.width >= 2 * INSET_SIDE && first.height >= INSET_SIDE;
    c->whole = c->options->whole || has_room; // what is too small to be seen in all of them has a closer view
    grz_status status = grz_framing_choose_side(&c->painter, c->options, &c->shape, c->whole, aspect, &c->camera);
    if (status != GRZ_OK)
        return status;
    grz_framing_fit(c->contents, &c->shape, c->whole, aspect, &c->camera);
    status = grz_framing_visible(&c->painter, &c->camera, &c->visible);
    if (status != GRZ_OK)
        return status;
    const grz_first_view seen = {&c->camera, first, c->visible};
    if (has_room && grz_inset_is_wanted(c->contents, &c->shape, &seen)) {
        split(c, &room);
        first = without_labels(c, room);
        aspect = aspect_of(&first);
        grz_framing_fit(c->contents, &c->shape, c->whole, aspect, &c->camera);
    }
    c->layout->first = first;
    return GRZ_OK;
}

// Mark what the closer view shows, and join the two.
static void draw_inset_frame(composition *c)
{
    const float scale = fmaxf(c->legend.scale, 0.62f);
    grz_picture_layout *layout = c->layout;
    const grz_rect *inset = &layout->inset, *from = &layout->inset_from, *first = &layout->first;
    double to_pixels[4][4], low[2], high[2];
    grz_canvas_frame(&c->canvas, inset, scale < 1.0f ? 1 : 2, grz_palette_ink);
    grz_framing_to_pixels(&c->camera, first, to_pixels);
    if (!grz_framing_contact_box(c->contents, to_pixels, low, high))
        return;
    for (int j = 0; j < 2; j++) {
        const double grow = fmax(0.5 * (LEAST_FROM - (high[j] - low[j])), 0.15 * (high[j] - low[j]) + 4.0);
        const double least = j == 0 ? first->x : first->y, most = least + (j == 0 ? first->width : first->height);
        low[j] = fmax(low[j] - grow, least);
        high[j] = fmin(high[j] + grow, most);
    }
    if ((high[0] - low[0]) * (high[1] - low[1]) > most_from * first->width * first->height)
        return;
    layout->inset_from = (grz_rect){(int)low[0], (int)low[1], (int)(high[0] - low[0]), (int)(high[1] - low[1])};
    grz_canvas_frame(&c->canvas, from, 1, grz_palette_ink);
    const bool at_right = inset->x >= first->x + first->width;
    const float x = (float)(at_right ? from->x + from->width : from->x + from->width / 2);
    const float y = (float)(at_right ? from->y + from->height / 2 : from->y + from->height);
    const float to_x = at_right ? (float)inset->x : fminf(fmaxf(x, (float)inset->x), (float)(inset->x + inset->width));
    const float to_y = at_right ? fminf(fmaxf(y, (float)inset->y), (float)(inset->y + inset->height)) : (float)inset->y;
    grz_canvas_line(&c->canvas, x, y, to_x, to_y, 1.2f, grz_palette_ink);
}

static grz_status draw_inset(composition *c)
{
    const grz_rect inside = shrink(c->layout->inset, 2, 2);
    grz_painted_view closer;
    if (grz_rect_is_empty(&c->layout->inset))
        return GRZ_OK;
    grz_status status =
        grz_inset_choose(&c->painter, &c->shape, c->options->up, &c->camera, aspect_of(&inside), &closer);
    if (status == GRZ_OK)
        status = grz_painter_draw(&c->painter, &closer, &c->canvas, &inside);
    if (status != GRZ_OK)
        return status;
    draw_inset_frame(c);
    if (c->has_legend) {
        const grz_text_style style = grz_legend_style(&c->legend);
        const char *text = isfinite(closer.cut) ? "what is in front made see-through" : "closer";
        char shortened[64];
        grz_text_shorten(text, (float)inside.width - 2.0f * style.size, &style, shortened, sizeof shortened);
        const grz_rect back = {inside.x, inside.y, (int)(grz_text_width(shortened, &style) + 1.6f * style.size),
                               (int)(2.0f * style.size)};
        grz_canvas_fill(&c->canvas, &back, grz_palette_paper);
        grz_text_draw(&c->canvas, shortened, (float)inside.x + 0.8f * style.size, (float)inside.y + 1.5f * style.size,
                      &style);
    }
    return GRZ_OK;
}

// The columns that the bodies take, by their vertices' extent in the camera.
static void columns_of_bodies(const composition *c, const double to_pixels[4][4], int *left, int *right)
{
    double low = c->layout->first.x + c->layout->first.width, high = c->layout->first.x;
    grz_framing_columns(c->contents, to_pixels, &low, &high);
    *left = (int)fmax(low, c->layout->first.x);
    *right = (int)fmin(high, c->layout->first.x + c->layout->first.width);
}

static void draw_labels(composition *c, grz_rect area)
{
    grz_picture_layout *layout = c->layout;
    const grz_text_style style = grz_legend_style(&c->legend);
    double to_pixels[4][4], pixel[2];
    int left, right;
    if (layout->label_count == 0)
        return;
    grz_framing_to_pixels(&c->camera, &layout->first, to_pixels);
    for (size_t i = 0; i < layout->label_count; i++) {
        grz_framing_project(to_pixels, layout->labels[i].site->at, pixel);
        for (int j = 0; j < 2; j++)
            layout->labels[i].marker[j] = (float)pixel[j];
    }
    columns_of_bodies(c, to_pixels, &left, &right);
    if (!grz_rect_is_empty(&layout->inset)) { // labels stay out of the closer view
        area.width = layout->inset.x > layout->first.x ? layout->inset.x - area.x : area.width;
        area.height = layout->inset.y > layout->first.y + EDGE ? layout->inset.y - area.y : area.height;
    }
    area = shrink(area, EDGE, EDGE);
    grz_labels_place(layout->labels, layout->label_count, &area, left, right, &style);
    grz_labels_draw(layout->labels, layout->label_count, &c->canvas, &style);
}

static grz_status compose(composition *c)
{
    const grz_rect all = {0, 0, (int)c->canvas.width, (int)c->canvas.height}, room = room_for_views(c);
    grz_status status = make_labels(c, c->painter.error);
    if (status == GRZ_OK)
        status = frame(c, room);
    if (status != GRZ_OK)
        return status;
    grz_canvas_fill(&c->canvas, &all, grz_palette_paper);
    const grz_painted_view first = {c->camera, -HUGE_VAL};
    status = grz_painter_draw(&c->painter, &first, &c->canvas, &c->layout->first);
    if (status == GRZ_OK)
        status = draw_inset(c);
    if (status != GRZ_OK)
        return status;
    draw_labels(c, room);
    if (c->layout->caption > 0)
        grz_legend_draw_caption(&c->legend, &c->canvas);
    if (c->has_legend)
        grz_legend_draw(&c->legend, &c->canvas, c->layout->caption);
    for (size_t i = 3; i < 4 * (size_t)c->canvas.width * c->canvas.height; i += 4)
        c->canvas.pixels[i] = 255;
    return GRZ_OK;
}

static void describe_view(const composition *c, grz_picture_view *view)
{
    grz_framing_to_pixels(&c->camera, &c->layout->first, view->to_pixels);
    memcpy(view->direction, c->camera.direction, sizeof view->direction);
    view->visible = c->visible;
}

// NOLINTBEGIN(readability-non-const-parameter): the pixels are written through the canvas
grz_status grz_picture_compose(grz_device *device, const grz_picture_contents *contents,
                               const grz_picture_options *options, grz_control *control, uint8_t *pixels,
                               grz_picture_view *view, grz_picture_layout *layout, grz_error *error)
{
    composition c = {.contents = contents,
                     .options = options,
                     .has_legend =
                         options->legend && options->width >= LEGEND_WIDTH && options->height >= LEGEND_HEIGHT,
                     .canvas = {pixels, options->width, options->height},
                     .shape = grz_contact_shape_of(contents),
                     .layout = layout};
    assert(options->width > 0 && options->height > 0);
    *layout = (grz_picture_layout){.header = 0};
    grz_legend_init(&c.legend, contents, options);
    grz_status status = grz_painter_open(&c.painter, device, contents, control, error);
    if (status != GRZ_OK)
        return status;
    const uint32_t most = grz_painter_most_pixels(&c.painter);
    if (options->width > most || options->height > most)
        status = grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                          "picture: %u x %u pixels, this OpenGL has at most %u a side", options->width, options->height,
                          most);
    if (status == GRZ_OK)
        status = compose(&c);
    if (status == GRZ_OK)
        describe_view(&c, view);
    return grz_painter_close(&c.painter, status);
}
// NOLINTEND(readability-non-const-parameter)

void grz_picture_layout_finish(const grz_picture_contents *contents, grz_picture_layout *layout)
{
    grz_release(contents->allocator, layout->labels, layout->label_count, sizeof *layout->labels);
    *layout = (grz_picture_layout){.header = 0};
}
