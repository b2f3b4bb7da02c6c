// SPDX-License-Identifier: MIT
// The parts of pictures that the CPU draws or computes: the font, lines on a canvas, labels that do not overlap,
// colours that colour-blind readers can distinguish, the shape of contacts, the tightest camera. The test uses no
// OpenGL, but only builds with OpenGL have this code.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pair_generator.h"
#include "support_gl.h"

#ifdef GRZ_HAVE_GL
#include "picture/camera.h"
#include "picture/canvas/font.h"
#include "picture/canvas/palette.h"
#include "picture/pair_labels.h"
#include "picture/shape.h"

enum {
    WIDTH = 300,
    HEIGHT = 60,
    GUARD = 64 // bytes before and after a canvas that must stay as they are
};

static uint8_t room[2 * GUARD + 4 * WIDTH * HEIGHT];

static grz_canvas blank_canvas(void)
{
    memset(room, 0xff, sizeof room);
    return (grz_canvas){room + GUARD, WIDTH, HEIGHT};
}

static size_t painted(const grz_canvas *canvas)
{
    size_t count = 0;
    for (size_t i = 0; i < (size_t)canvas->width * canvas->height; i++)
        count += canvas->pixels[4 * i] < 128;
    return count;
}

static void guards_are_whole(void)
{
    for (size_t i = 0; i < GUARD; i++)
        assert_true(room[i] == 0xff && room[sizeof room - 1 - i] == 0xff);
}

static const grz_text_style plain = {.size = 14.0f, .color = {0, 0, 0}};

// Every printable character is drawn within its width, between the top and its lowest line, and no two look the same.
static void every_character_has_its_own_shape(void **state)
{
    (void)state;
    static uint8_t shapes['~' - '!' + 1][4 * WIDTH * HEIGHT];
    for (int c = '!'; c <= '~'; c++) {
        const grz_canvas canvas = blank_canvas();
        const char text[2] = {(char)c, '\0'};
        const float width = grz_text_width(text, &plain);
        grz_text_draw(&canvas, text, 10.0f, 30.0f, &plain);
        assert_true(painted(&canvas) >= 2);
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                const bool inside = (float)x >= 9.0f && (float)x <= 10.0f + width && y >= 30 - 18 && y <= 30 + 6;
                if (!inside && canvas.pixels[4 * (y * WIDTH + x)] < 255)
                    fail_msg("'%c' paints pixel %d %d", c, x, y);
            }
        memcpy(shapes[c - '!'], canvas.pixels, sizeof shapes[0]);
        for (int other = '!'; other < c; other++)
            if (memcmp(shapes[other - '!'], shapes[c - '!'], sizeof shapes[0]) == 0)
                fail_msg("'%c' and '%c' look the same", other, c);
    }
}

// A character of several bytes is one box; a byte that is no character is a box, too.
static void other_characters_are_boxes(void **state)
{
    (void)state;
    const float box = grz_text_width("\xc3\xa9", &plain); // e with an accent
    assert_true(box > 0.0f);
    assert_true(grz_text_width("\xe2\x82\xac", &plain) == box);     // the euro sign
    assert_true(grz_text_width("\xf0\x9f\x90\x84", &plain) == box); // a cow
    assert_true(grz_text_width("\xff", &plain) == box);
    assert_true(grz_text_width("\t", &plain) == box);
    assert_true(grz_text_width("", &plain) == 0.0f);
    const grz_canvas canvas = blank_canvas();
    grz_text_draw(&canvas, "\xe2\x82\xac", 10.0f, 30.0f, &plain);
    assert_true(painted(&canvas) > 10);
}

static void long_texts_lose_their_middle(void **state)
{
    (void)state;
    static const char *const name = "a_very_long_name_of_a_file_that_nobody_wants_to_read_in_full.obj";
    char out[256], small[9];
    grz_text_shorten("short", 200.0f, &plain, out, sizeof out);
    assert_string_equal(out, "short");
    for (int i = 40; i < 400; i += 17) {
        const float width = (float)i;
        grz_text_shorten(name, width, &plain, out, sizeof out);
        assert_true(grz_text_width(out, &plain) <= width);
        assert_non_null(strstr(out, "..."));
        assert_true(out[0] == 'a' && out[strlen(out) - 1] == 'j');
    }
    grz_text_shorten(name, 1e6f, &plain, small, sizeof small); // wide enough, but there are only nine bytes
    assert_true(strlen(small) < sizeof small && strstr(small, "...") != NULL);
    grz_text_shorten("\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac", 50.0f, &plain, out, sizeof out);
    for (const char *p = out; *p != '\0'; p++) // no character is cut
        if (((unsigned char)*p & 0xc0) == 0xc0)
            assert_true(((unsigned char)p[1] & 0xc0) == 0x80 && ((unsigned char)p[2] & 0xc0) == 0x80);
}

static void nothing_is_drawn_outside(void **state)
{
    (void)state;
    const grz_canvas canvas = blank_canvas();
    const grz_rect beyond = {-20, -20, 1000, 1000}, away = {1000, 1000, 5, 5};
    grz_canvas_line(&canvas, -50.0f, -50.0f, 500.0f, 100.0f, 7.0f, grz_palette_ink);
    grz_canvas_ring(&canvas, 0.0f, 0.0f, 30.0f, 20.0f, grz_palette_ink);
    grz_canvas_ring(&canvas, (float)WIDTH, (float)HEIGHT, 30.0f, 0.0f, grz_palette_ink);
    grz_text_draw(&canvas, "beyond all sides, and farther", -30.0f, 2.0f, &plain);
    grz_text_draw(&canvas, "beyond all sides, and farther", 280.0f, 59.0f, &plain);
    grz_canvas_fill(&canvas, &away, grz_palette_ink);
    grz_canvas_line(&canvas, NAN, 0.0f, 5.0f, INFINITY, 3.0f, grz_palette_ink);
    guards_are_whole();
    grz_canvas_fill(&canvas, &beyond, grz_palette_ink);
    assert_int_equal(painted(&canvas), WIDTH * HEIGHT);
    guards_are_whole();
}

static double linear(uint8_t value)
{
    return pow(value / 255.0, 2.2);
}

// The distance of two colours for a reader, by the matrices for protanopia, deuteranopia and tritanopia of Machado,
// Oliveira and Fernandes (2009), in linear light; -1: for everyone.
static double contrast(grz_color a, grz_color b, int kind)
{
    static const double matrices[3][3][3] = {
        {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
        {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
        {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
    const double d[3] = {linear(a.red) - linear(b.red), linear(a.green) - linear(b.green),
                         linear(a.blue) - linear(b.blue)};
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        double part = d[i];
        if (kind >= 0)
            part = (matrices[kind][i][0] * d[0] + matrices[kind][i][1] * d[1]) + matrices[kind][i][2] * d[2];
        square += part * part;
    }
    return sqrt(square);
}

// Neighbours by number differ for all readers, and so do the first eight bodies and the red of contacts.
static void colours_can_be_distinguished(void **state)
{
    (void)state;
    static const char *const readers[] = {"all", "protanopia", "deuteranopia", "tritanopia"};
    for (int kind = -1; kind < 3; kind++) {
        double first = HUGE_VAL, next = HUGE_VAL, contact = HUGE_VAL;
        for (uint32_t i = 0; i < 8; i++) {
            contact = fmin(contact, contrast(grz_palette_deep(i), grz_palette_contact, kind));
            for (uint32_t j = 0; j < i; j++)
                first = fmin(first, contrast(grz_palette_deep(i), grz_palette_deep(j), kind));
        }
        for (uint32_t i = 0; i < 100; i++) {
            next = fmin(next, contrast(grz_palette_deep(i), grz_palette_deep(i + 1), kind));
            assert_true(contrast(grz_palette_deep(i), grz_palette_pale(i), kind) > 0.1);
        }
        print_message("  %s: eight colours %.3f, neighbours %.3f, contact %.3f apart\n", readers[kind + 1], first, next,
                      contact);
        assert_true(first > 0.12 && next > 0.15 && contact > 0.05); // a white border separates contacts from bodies
    }
}

// From 0 to 1.
static double random_double(random_stream *random)
{
    return ldexp((double)(random_bits(random) >> 11), -53);
}

static int label_errors(const grz_picture_label *labels, size_t count, const grz_rect *area)
{
    int errors = 0;
    for (size_t i = 0; i < count; i++) {
        const grz_rect *box = &labels[i].box;
        if (!labels[i].has_text)
            continue;
        errors += box->x < area->x || box->y < area->y || box->x + box->width > area->x + area->width ||
                  box->y + box->height > area->y + area->height;
        for (size_t j = 0; j < i; j++)
            errors += labels[j].has_text && grz_rects_overlap(box, &labels[j].box);
    }
    return errors;
}

// Whatever the markers are, labels lie in the area and not on each other; each has text as long as there is room.
static void labels_do_not_overlap(void **state)
{
    (void)state;
    random_stream random = {7};
    const grz_rect area = {5, 40, 900, 600};
    for (int round = 0; round < 300; round++) {
        const size_t count = 1 + (size_t)(random_double(&random) * 80.0);
        grz_picture_site *sites = calloc(count, sizeof *sites);
        grz_picture_label *labels = calloc(count, sizeof *labels);
        grz_picture_contents contents = {.sites = {sites, count, count}};
        size_t written = 0;
        assert_non_null(sites);
        assert_non_null(labels);
        for (size_t i = 0; i < count; i++)
            sites[i] = (grz_picture_site){.a = (uint32_t)i, .b = (uint32_t)(i * 97 + 1), .pair_count = i % 5};
        grz_labels_name(&contents, labels);
        assert_string_equal(labels[0].text, "0-1");
        for (size_t i = 0; i < count; i++) {
            labels[i].marker[0] = round % 3 == 0 ? 450.0f : (float)(200.0 + 500.0 * random_double(&random));
            labels[i].marker[1] = round % 2 == 0 ? 638.0f : (float)(40.0 + 600.0 * random_double(&random));
        }
        grz_labels_place(labels, count, &area, 200, 700, &plain);
        assert_int_equal(label_errors(labels, count, &area), 0);
        const size_t rows = (size_t)(area.height / (int)ceilf(1.9f * plain.size));
        uint64_t least_written = UINT64_MAX, most_unwritten = 0;
        for (size_t i = 0; i < count; i++) {
            written += labels[i].has_text;
            if (labels[i].has_text && labels[i].site->pair_count < least_written)
                least_written = labels[i].site->pair_count;
            if (!labels[i].has_text && labels[i].site->pair_count > most_unwritten)
                most_unwritten = labels[i].site->pair_count;
        }
        assert_int_equal(written, count < 2 * rows ? count : 2 * rows);
        assert_true(written == count || most_unwritten <= least_written);
        free(sites);
        free(labels);
    }
}

// The shape of points that lie on an ellipse, at any rotation, scale and position.
static void the_shape_of_a_contact(void **state)
{
    (void)state;
    random_stream random = {11};
    for (int round = 0; round < 60; round++) {
        enum {
            POINTS = 64
        };
        grz_camera turned = {.unit = 1.0};
        const double direction[3] = {random_double(&random) - 0.5, random_double(&random) - 0.5,
                                     random_double(&random) - 0.5};
        const double up[3] = {0.0, 1.0, 0.0}, scale = ldexp(1.0, 100 * (round % 3 - 1)),
                     thickness = round % 2 == 0 ? 0.02 : 0.8;
        double right[3];
        grz_picture_point ends[2 * POINTS];
        grz_picture_contents contents = {.ends = {ends, 2 * POINTS, 2 * POINTS}};
        grz_camera_turn(&turned, direction, up);
        grz_camera_right(&turned, right);
        for (int i = 0; i < 2 * POINTS; i++) {
            const int corner = (i + 1) / 2; // the end of one segment, and the start of the next
            const double angle = 6.283185307179586 * corner / POINTS;
            const double x = 2.0 * cos(angle), y = sin(angle), z = thickness * cos(3.0 * angle);
            for (int j = 0; j < 3; j++)
                ends[i].at[j] = scale * (7.0 + x * right[j] + y * turned.up[j] + z * turned.direction[j]);
        }
        const grz_contact_shape shape = grz_contact_shape_of(&contents);
        assert_true(shape.any && shape.radius > 1.9 * scale && shape.radius < 3.8 * scale);
        assert_true(grz_contact_is_flat(&shape) == (thickness < 0.1));
        const double *n = shape.axes[2], *d = turned.direction;
        if (thickness < 0.1)
            assert_true(fabs((n[0] * d[0] + n[1] * d[1]) + n[2] * d[2]) > 0.999);
    }
    grz_picture_point line[2] = {{{0.0, 0.0, 0.0}}, {{1.0, 2.0, 3.0}}};
    grz_picture_contents contents = {.ends = {line, 2, 2}};
    grz_contact_shape shape = grz_contact_shape_of(&contents);
    assert_true(shape.any && !grz_contact_is_flat(&shape));
    contents = (grz_picture_contents){.dots = {line, 1, 1}};
    shape = grz_contact_shape_of(&contents);
    assert_true(shape.any && shape.radius == 0.0 && !grz_contact_is_flat(&shape));
    contents = (grz_picture_contents){.allocator = NULL};
    assert_false(grz_contact_shape_of(&contents).any);
}

// Every point is in the picture, and across or down the points fill the share that was asked for.
static void the_camera_is_tight(void **state)
{
    (void)state;
    random_stream random = {13};
    int tight = 0;
    for (int round = 0; round < 200; round++) {
        enum {
            POINTS = 50
        };
        static const double aspects[] = {1.0, 4.0 / 3.0, 0.4, 5.0};
        const double aspect = aspects[round % 4], filled = round % 3 == 0 ? 0.97 : 0.5, up[3] = {0.0, 1.0, 0.0};
        const double direction[3] = {random_double(&random) - 0.5, random_double(&random) - 0.5,
                                     random_double(&random) - 0.5};
        const double middle[3] = {100.0, -50.0, 7.0}, flatness = round % 5 == 0 ? 0.0 : 1.0;
        double points[POINTS][3], right[3], clip[4][4], low[2] = {2.0, 2.0}, high[2] = {-2.0, -2.0}, nearest = HUGE_VAL;
        grz_camera camera = {.unit = 10.0};
        grz_camera_turn(&camera, direction, up);
        grz_camera_right(&camera, right);
        grz_extent extent = grz_extent_empty(aspect, filled);
        for (int i = 0; i < POINTS; i++) {
            for (int j = 0; j < 3; j++)
                points[i][j] = (j == 1 ? flatness : 1.0) * (random_double(&random) - 0.5);
            grz_extent_add(&extent, &camera, right, points[i]);
        }
        grz_camera_fit(&camera, &extent, middle);
        grz_camera_matrix(&camera, clip);
        for (int i = 0; i < POINTS; i++) {
            double h[4];
            for (int row = 0; row < 4; row++) {
                h[row] = clip[row][3];
                for (int j = 0; j < 3; j++)
                    h[row] += clip[row][j] * (middle[j] + 10.0 * points[i][j] - camera.target[j]);
            }
            assert_true(h[3] > 0.0 && h[2] > 0.0 && h[2] < h[3]);
            nearest = fmin(nearest, h[3]);
            for (int j = 0; j < 2; j++) {
                low[j] = fmin(low[j], h[j] / h[3]);
                high[j] = fmax(high[j], h[j] / h[3]);
            }
        }
        for (int j = 0; j < 2; j++)
            assert_true(low[j] >= -filled - 1e-9 && high[j] <= filled + 1e-9);
        const double across = high[0] - low[0], down = high[1] - low[1];
        if (nearest > 0.5 + 1e-9) { // the eye goes no nearer
            assert_true(fabs(across - 2.0 * filled) < 1e-9 || fabs(down - 2.0 * filled) < 1e-9);
            tight++;
        }
    }
    assert_true(tight > 180);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_character_has_its_own_shape),
        cmocka_unit_test(other_characters_are_boxes),
        cmocka_unit_test(long_texts_lose_their_middle),
        cmocka_unit_test(nothing_is_drawn_outside),
        cmocka_unit_test(colours_can_be_distinguished),
        cmocka_unit_test(labels_do_not_overlap),
        cmocka_unit_test(the_shape_of_a_contact),
        cmocka_unit_test(the_camera_is_tight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
    return TEST_SKIPPED;
}
#endif
