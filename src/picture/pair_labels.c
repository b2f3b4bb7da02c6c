// SPDX-License-Identifier: MIT
// Labels in two columns. Each goes to the side of its marker, or to the other one where that is full; within a column
// they keep the order of their markers, so that few lines cross, and are pushed apart downwards, then upwards from the
// column's end.
#include "picture/pair_labels.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "picture/canvas/palette.h"

enum {
    CROWD = 40 // markers from which on they are small
};

static const float line_height = 1.9f, padding = 0.45f, away = 1.6f; // over the text's size; `away`: from the bodies
static const float ring = 0.55f, hole = 0.32f, dot = 0.2f, crowded = 0.32f;

void grz_labels_name(const grz_picture_contents *contents, grz_picture_label *labels)
{
    for (size_t i = 0; i < contents->sites.count; i++) {
        const grz_picture_site *site = &contents->sites.items[i];
        labels[i] = (grz_picture_label){.site = site};
        snprintf(labels[i].text, sizeof labels[i].text, "%lu-%lu", (unsigned long)site->a, (unsigned long)site->b);
    }
}

static int box_width(const grz_picture_label *label, const grz_text_style *style)
{
    return (int)ceilf(grz_text_width(label->text, style) + 2.0f * padding * style->size);
}

int grz_labels_width(const grz_picture_label *labels, size_t count, const grz_text_style *style)
{
    int most = 0;
    for (size_t i = 0; i < count; i++) {
        const int width = box_width(&labels[i], style) + (int)(away * style->size);
        most = width > most ? width : most;
    }
    return most;
}

static int by_faces(const void *first, const void *second)
{
    const grz_picture_site *a = ((const grz_picture_label *)first)->site,
                           *b = ((const grz_picture_label *)second)->site;
    if (a->pair_count != b->pair_count)
        return a->pair_count > b->pair_count ? -1 : 1;
    return a->a != b->a ? (a->a < b->a ? -1 : 1) : a->b < b->b ? -1 : a->b > b->b;
}

// Those with text first, left before right, from the top down.
static int by_place(const void *first, const void *second)
{
    const grz_picture_label *a = first, *b = second;
    if (a->has_text != b->has_text)
        return a->has_text ? -1 : 1;
    if (a->on_left != b->on_left)
        return a->on_left ? -1 : 1;
    if (a->marker[1] != b->marker[1])
        return a->marker[1] < b->marker[1] ? -1 : 1;
    return by_faces(first, second);
}

// Choose sides, the largest contacts first, as long as there is room.
static void choose_sides(grz_picture_label *labels, size_t count, size_t rows, float middle)
{
    size_t taken[2] = {0, 0};
    for (size_t i = 0; i < count; i++) {
        bool left = labels[i].marker[0] < middle;
        if (taken[left] >= rows)
            left = !left;
        labels[i].on_left = left;
        labels[i].has_text = taken[left] < rows;
        taken[left] += labels[i].has_text;
    }
    assert(taken[0] <= rows && taken[1] <= rows);
}

// Set the rows of one column's labels, which are in order: each at its marker's height, or below the one before it;
// then, from the last one up, none below the area.
static void stack(grz_picture_label *labels, size_t count, const grz_rect *area, int step)
{
    const int height = step - 2;
    int low = area->y, high = area->y + area->height - height;
    for (size_t i = 0; i < count; i++) {
        const int wanted = (int)labels[i].marker[1] - height / 2;
        labels[i].box.y = wanted > low ? wanted : low;
        labels[i].box.height = height;
        low = labels[i].box.y + step;
    }
    for (size_t i = count; i-- > 0; high = labels[i].box.y - step)
        if (labels[i].box.y > high)
            labels[i].box.y = high;
    assert(count == 0 || labels[0].box.y >= area->y);
}

void grz_labels_place(grz_picture_label *labels, size_t count, const grz_rect *area, int left, int right,
                      const grz_text_style *style)
{
    const int step = (int)ceilf(line_height * style->size), gap = (int)(away * style->size);
    size_t start = 0;
    assert(step > 0 && area->height >= 0);
    qsort(labels, count, sizeof *labels, by_faces);
    choose_sides(labels, count, (size_t)(area->height / step), 0.5f * (float)(left + right));
    qsort(labels, count, sizeof *labels, by_place);
    for (int side = 0; side < 2; side++) { // left, then right
        size_t end = start;
        for (; end < count && labels[end].has_text && labels[end].on_left == (side == 0); end++) {
            grz_rect *box = &labels[end].box;
            box->width = box_width(&labels[end], style);
            box->x = side == 0 ? left - gap - box->width : right + gap;
            box->x = box->x + box->width > area->x + area->width ? area->x + area->width - box->width : box->x;
            box->x = box->x < area->x ? area->x : box->x;
        }
        stack(labels + start, end - start, area, step);
        start = end;
    }
}

static void draw_line(const grz_picture_label *label, const grz_canvas *canvas, float width, grz_color color,
                      float size)
{
    const grz_rect *box = &label->box;
    const float x = (float)(label->on_left ? box->x + box->width : box->x),
                y = (float)box->y + 0.5f * (float)box->height;
    const float dx = x - label->marker[0], dy = y - label->marker[1],
                length = (float)sqrt((double)dx * (double)dx + (double)dy * (double)dy), start = ring * size;
    if (length > start)
        grz_canvas_line(canvas, label->marker[0] + dx / length * start, label->marker[1] + dy / length * start, x, y,
                        width, color);
}

void grz_labels_draw(const grz_picture_label *labels, size_t count, const grz_canvas *canvas,
                     const grz_text_style *style)
{
    const float size = style->size, least = 1.0f;
    const float radius = (count < CROWD ? ring : crowded) * size;
    for (size_t i = 0; i < count; i++)
        if (labels[i].has_text)
            draw_line(&labels[i], canvas, 3.4f, grz_palette_white, size);
    for (size_t i = 0; i < count; i++)
        if (labels[i].has_text)
            draw_line(&labels[i], canvas, fmaxf(0.11f * size, least), grz_palette_ink, size);
    for (size_t i = 0; i < count; i++) {
        const float x = labels[i].marker[0], y = labels[i].marker[1];
        grz_canvas_ring(canvas, x, y, radius + 1.5f, 0.0f, grz_palette_white);
        grz_canvas_ring(canvas, x, y, radius, radius * hole / ring, grz_palette_contact);
        grz_canvas_ring(canvas, x, y, fmaxf(radius * dot / ring, least), 0.0f, grz_palette_contact);
    }
    for (size_t i = 0; i < count; i++) {
        const grz_rect *box = &labels[i].box;
        if (!labels[i].has_text)
            continue;
        grz_canvas_fill(canvas, box, grz_palette_white);
        grz_canvas_frame(canvas, box, 1, grz_palette_faint);
        grz_text_draw(canvas, labels[i].text, (float)box->x + padding * size,
                      (float)box->y + 0.5f * ((float)box->height + size), style);
    }
}
