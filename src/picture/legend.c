// SPDX-License-Identifier: MIT
// The legend. Below the picture entries follow each other in rows; where not all bodies have room, those in touching
// pairs are named.
#include "picture/legend.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "picture/canvas/palette.h"
#include "query/query.h"

enum {
    BODY_ROWS = 3, // of bodies, at the most
    ENTRY_TEXT = 160
};

static const float text_size = 11.0f, title_size = 15.0f, caption_size = 14.0f, margin = 14.0f,
                   row = 24.0f; // pixels where the scale is 1
static const float swatch = 26.0f, gap = 8.0f, between = 26.0f, widest_name = 330.0f;
static const float least_scale = 0.62f; // chosen: letters of 7 pixels

// Where the next entry goes. Without a canvas, entries are only placed.
typedef struct cursor {
    const grz_legend *legend;
    const grz_canvas *canvas;
    float x, y; // y: the middle of the row
    int rows;   // so far, this one counted
} cursor;

grz_text_style grz_legend_style(const grz_legend *legend)
{
    return (grz_text_style){.size = text_size * legend->scale, .color = grz_palette_ink};
}

// The letter or number of a body.
static void body_sign(const grz_picture_contents *contents, uint32_t body, char out[12])
{
    assert(body < contents->count);
    if (contents->count > 2 || contents->is_scene)
        snprintf(out, 12, "%" PRIu32, body);
    else
        snprintf(out, 12, "%c", 'A' + (int)body);
}

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

// The verdict about one object of a scene. `others` are in the picture, too.
static void describe_reference(const grz_picture_contents *c, const char *name, size_t others, size_t touching,
                               size_t inside, char *out, size_t room)
{
    char number[32];
    snprintf(number, sizeof number, "object %" PRIu64, c->result->reference);
    if (name == NULL)
        name = number;
    if (!c->result->summary.colliding)
        snprintf(out, room, "apart: %.80s touches none of %zu other objects", name, others);
    else if (inside > 0)
        snprintf(out, room, "%.80s touches %zu of %zu other objects; with %zu one holds the other", name, touching,
                 others, inside);
    else
        snprintf(out, room, "colliding: %.80s touches %zu of %zu other objects", name, touching, others);
}

static void describe_scene(const grz_picture_contents *c, const char *const *names, char *out, size_t room)
{
    const grz_summary *s = &c->result->summary;
    size_t here = 0, touching = 0, inside = 0;
    for (size_t i = 0; i < c->count; i++)
        here += c->shown[i].object != NULL;
    for (size_t i = 0; i < c->result->scene_pairs.count; i++) {
        touching += c->result->scene_pairs.items[i].relation == GRZ_COLLIDING;
        inside += c->result->scene_pairs.items[i].relation > GRZ_COLLIDING;
    }
    if (c->result->reference < c->count) {
        const char *name = names != NULL ? names[c->result->reference] : NULL;
        describe_reference(c, name, here - (here > 0), touching, inside, out, room);
        return;
    }
    if (!s->colliding)
        snprintf(out, room, "apart: none of %zu objects touch", here);
    else if (inside > 0)
        snprintf(out, room, "among %zu objects, %zu pair%s touch, and in %zu one holds the other", here, touching,
                 plural(touching), inside);
    else
        snprintf(out, room, "colliding: among %zu objects, %zu pair%s touch%s", here, touching, plural(touching),
                 touching == 1 ? "es" : "");
}

static void describe_pair(const grz_summary *s, bool self, char *out, size_t room)
{
    const char *text = self ? "apart: A does not touch itself" : "apart: A and B do not touch";
    switch (s->relation) {
    case GRZ_COLLIDING:
        text = self ? "colliding: A touches itself" : "colliding: A and B touch";
        break;
    case GRZ_OVERLAPPING:
        text = "overlapping: parts of one lie inside the other, the surfaces do not touch";
        break;
    case GRZ_A_INSIDE_B:
        text = "A is inside B, the surfaces do not touch";
        break;
    case GRZ_B_INSIDE_A:
        text = "B is inside A, the surfaces do not touch";
        break;
    case GRZ_APART:
        break;
    }
    snprintf(out, room, "%s", text);
}

static const char *certainty_text(const grz_summary *s)
{
    switch (s->certainty) {
    case GRZ_EXACT:
        return "exact";
    case GRZ_DISCRETE:
        return s->may_miss && s->may_invent ? "discrete: may miss or invent contact"
               : s->may_miss                ? "discrete: may miss contact"
               : s->may_invent              ? "discrete: may invent contact"
                                            : "discrete";
    default:
        return "undecided";
    }
}

static void describe_counts(const grz_picture_contents *c, char *out, size_t room)
{
    const grz_summary *s = &c->result->summary;
    int used = 0;
    if (s->pair_count > 0)
        used = snprintf(out, room,
                        "%s%" PRIu64 " pair%s of faces: %" PRIu64 " crossing, %" PRIu64 " touching, %" PRIu64
                        " coplanar  (",
                        s->pairs_complete || s->may_invent ? "" : "at least ", s->pair_count, plural(s->pair_count),
                        s->kinds[GRZ_CROSSING], s->kinds[GRZ_TOUCHING], s->kinds[GRZ_COPLANAR]);
    assert(used >= 0 && (size_t)used < room); // whatever the numbers are
    if (used < 0 || (size_t)used >= room)
        return;
    snprintf(out + used, room - (size_t)used, "%s%s%s%s", certainty_text(s), s->reason != NULL ? ": " : "",
             s->reason != NULL ? s->reason : "", used > 0 ? ")" : "");
}

void grz_legend_init(grz_legend *legend, const grz_picture_contents *contents, const grz_picture_options *options)
{
    const float across = (float)options->width / 1200.0f, down = (float)options->height / 900.0f;
    const bool has_answer = contents->result != NULL;
    *legend = (grz_legend){.contents = contents, .options = options, .scale = fmaxf(fminf(across, down), least_scale)};
    if (has_answer && contents->is_scene)
        describe_scene(contents, options->names, legend->title, sizeof legend->title);
    else if (has_answer)
        describe_pair(&contents->result->summary, contents->count == 1, legend->title, sizeof legend->title);
    if (has_answer && contents->result->summary.certainty == GRZ_UNDECIDED)
        snprintf(legend->title, sizeof legend->title, "undecided");
    if (has_answer)
        describe_counts(contents, legend->counts, sizeof legend->counts);
    const int lines = (options->title != NULL) + has_answer;
    legend->header_height =
        (int)(legend->scale * (lines == 0 ? margin : margin + 27.0f * (float)lines + (has_answer ? 20.0f : 0.0f)));
    legend->entry_height = (int)(legend->scale * row);
}

// Step to where an entry of this width fits, in this row or the next.
static void make_room(cursor *at, float width)
{
    const float scale = at->legend->scale, start = margin * scale,
                end = (float)at->legend->options->width - margin * scale;
    if (at->rows == 0 || at->x + width > end) {
        at->x = start;
        at->y += at->rows > 0 ? (float)at->legend->entry_height : 0.0f;
        at->rows++;
    }
}

static void put_text(cursor *at, const char *text)
{
    const grz_text_style style = grz_legend_style(at->legend);
    if (at->canvas != NULL)
        grz_text_draw(at->canvas, text, at->x, at->y + 0.5f * style.size, &style);
    at->x += grz_text_width(text, &style) + between * at->legend->scale;
}

static float entry_width(const cursor *at, const char *text)
{
    const grz_text_style style = grz_legend_style(at->legend);
    return (swatch + gap) * at->legend->scale + grz_text_width(text, &style);
}

// A swatch, half pale and half deep, and a text.
static void put_body(cursor *at, uint32_t body, const char *text)
{
    const float scale = at->legend->scale;
    make_room(at, entry_width(at, text));
    const int width = (int)(swatch * scale), height = (int)(0.58f * row * scale), x = (int)at->x,
              y = (int)at->y - height / 2;
    const grz_rect whole = {x, y, width, height}, deep = {x + width / 2, y, width - width / 2, height};
    if (at->canvas != NULL) {
        const grz_picture_object *shown = &at->legend->contents->shown[body];
        grz_canvas_fill(at->canvas, &whole, shown->color);
        grz_canvas_fill(at->canvas, &deep, shown->touch);
        grz_canvas_frame(at->canvas, &whole, 1, grz_palette_faint);
    }
    at->x += (swatch + gap) * scale;
    put_text(at, text);
}

static void put_line(cursor *at, grz_color color, const char *text)
{
    const float scale = at->legend->scale;
    make_room(at, entry_width(at, text));
    if (at->canvas != NULL)
        grz_canvas_line(at->canvas, at->x, at->y, at->x + swatch * scale, at->y, fmaxf(3.2f * scale, 2.0f), color);
    at->x += (swatch + gap) * scale;
    put_text(at, text);
}

static void body_text(const grz_legend *legend, uint32_t body, char out[ENTRY_TEXT])
{
    const char *name = legend->options->names != NULL ? legend->options->names[body] : NULL;
    const grz_text_style style = grz_legend_style(legend);
    char sign[12], shortened[ENTRY_TEXT - 16] = "";
    body_sign(legend->contents, body, sign);
    if (name != NULL)
        grz_text_shorten(name, fminf(widest_name * legend->scale, 0.8f * (float)legend->options->width), &style,
                         shortened, sizeof shortened);
    snprintf(out, ENTRY_TEXT, "%s%s%s", sign, shortened[0] != '\0' ? "  " : "", shortened);
}

// The entries of bodies, as far as `rows` rows have room. Returns how many were left out.
static size_t put_bodies(cursor *at, bool only_involved, int rows)
{
    const grz_picture_contents *c = at->legend->contents;
    size_t left_out = 0;
    bool full = false;
    char text[ENTRY_TEXT];
    for (size_t i = 0; i < c->count; i++) {
        if (c->shown[i].object == NULL)
            continue;
        cursor trial = *at;
        trial.canvas = NULL;
        body_text(at->legend, (uint32_t)i, text);
        put_body(&trial, (uint32_t)i, text);
        full = full || (trial.rows > rows && (!only_involved || c->shown[i].involved));
        if (full || (only_involved && !c->shown[i].involved))
            left_out++;
        else
            put_body(at, (uint32_t)i, text);
    }
    return left_out;
}

static void put_words(cursor *at, const char *text)
{
    const grz_text_style style = grz_legend_style(at->legend);
    make_room(at, grz_text_width(text, &style));
    put_text(at, text);
}

// All entries. Returns how many rows they take.
static int put_entries(const grz_legend *legend, const grz_canvas *canvas, float top)
{
    const grz_picture_contents *c = legend->contents;
    cursor at = {.legend = legend, .y = top + 0.5f * (float)legend->entry_height};
    bool glass = false, marks = false, involved = false;
    char text[64];
    for (size_t i = 0; i < c->count; i++) {
        glass = glass || c->shown[i].glass;
        marks = marks || c->shown[i].marks != NULL;
        involved = involved || c->shown[i].involved;
    }
    const bool all_fit = put_bodies(&at, false, BODY_ROWS) == 0;
    at = (cursor){.legend = legend, .canvas = canvas, .y = top + 0.5f * (float)legend->entry_height};
    const size_t left_out = put_bodies(&at, !all_fit && involved, BODY_ROWS);
    if (left_out > 0) {
        snprintf(text, sizeof text, "and %zu more", left_out);
        put_words(&at, text);
    }
    assert(c->ends.count == 0 || c->result != NULL);
    if (c->ends.count > 0)
        put_line(&at, grz_palette_contact,
                 c->result->contacts.count > 0 ? "where surfaces meet (pale: hidden)" : "where contact was found");
    else if (c->dots.count > 0)
        put_line(&at, grz_palette_contact, "points where surfaces meet");
    if (marks)
        put_words(&at, legend->options->touch_colours != NULL ? "second colour: faces that touch"
                                                              : "deep colour: faces that touch");
    if (glass)
        put_words(&at, "see-through: to show what is in it");
    return at.rows;
}

int grz_legend_footer_height(const grz_legend *legend)
{
    return put_entries(legend, NULL, 0.0f) * legend->entry_height + (int)(margin * legend->scale);
}

int grz_legend_caption_height(const grz_legend *legend)
{
    return legend->options->caption != NULL ? (int)(legend->scale * (caption_size + 2.0f * margin)) : 0;
}

void grz_legend_draw_caption(const grz_legend *legend, const grz_canvas *canvas)
{
    const float scale = legend->scale, room = (float)canvas->width - 2.0f * margin * scale;
    const grz_text_style style = {.size = caption_size * scale, .bold = true, .color = grz_palette_ink};
    char shortened[256];
    grz_text_shorten(legend->options->caption, room, &style, shortened, sizeof shortened);
    grz_text_draw(canvas, shortened, margin * scale, (float)canvas->height - margin * scale, &style);
}

void grz_legend_draw(const grz_legend *legend, const grz_canvas *canvas, int caption)
{
    const float scale = legend->scale, room = (float)canvas->width - 2.0f * margin * scale;
    const grz_text_style title = {.size = title_size * scale, .bold = true, .color = grz_palette_ink};
    const grz_text_style text = {.size = text_size * scale, .color = grz_palette_faint};
    const char *const lines[3] = {legend->options->title, legend->title, legend->counts};
    char shortened[256];
    float y = margin * scale;
    for (int i = 0; i < 3; i++) {
        const grz_text_style *style = i < 2 ? &title : &text;
        if (lines[i] == NULL || lines[i][0] == '\0')
            continue;
        grz_text_shorten(lines[i], room, style, shortened, sizeof shortened);
        y += style->size;
        grz_text_draw(canvas, shortened, margin * scale, y, style);
        y += (i < 2 ? 12.0f : 9.0f) * scale;
    }
    put_entries(legend, canvas, (float)((int)canvas->height - caption - grz_legend_footer_height(legend)));
}
