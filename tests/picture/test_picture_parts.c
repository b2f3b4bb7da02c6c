// SPDX-License-Identifier: MIT
// The parts of pictures: the legend has its text and the bodies' colours. In scenes each touching pair has a marker at
// a contact, and labels overlap neither each other nor the legend. There is a closer view if the contact needs one, and
// only then. Any size can be drawn; memory may run out. Skipped where there is no OpenGL.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_gl.h"

#ifdef GRZ_HAVE_GL
#include "picture/canvas/palette.h"
#include "picture/framing.h"
#include "support_allocator.h"
#include "support_picture.h"
#include "support_sanitizer.h"

static bool is_color(const shot *s, int x, int y, grz_color color)
{
    const uint8_t *p = s->pixels + 4 * ((size_t)y * s->options.width + (size_t)x);
    return p[0] == color.red && p[1] == color.green && p[2] == color.blue;
}

static size_t count_color(const shot *s, const grz_rect *rect, grz_color color)
{
    size_t count = 0;
    for (int y = rect->y; y < rect->y + rect->height; y++)
        for (int x = rect->x; x < rect->x + rect->width; x++)
            count += is_color(s, x, y, color);
    return count;
}

static size_t count_dark(const shot *s, const grz_rect *rect)
{
    size_t count = 0;
    for (int y = rect->y; y < rect->y + rect->height; y++)
        for (int x = rect->x; x < rect->x + rect->width; x++) {
            const uint8_t *p = s->pixels + 4 * ((size_t)y * s->options.width + (size_t)x);
            count += p[0] + p[1] + p[2] < 240;
        }
    return count;
}

static grz_rect header_of(const shot *s)
{
    return (grz_rect){0, 0, (int)s->options.width, s->layout.header};
}

static grz_rect footer_of(const shot *s)
{
    return (grz_rect){0, (int)s->options.height - s->layout.footer, (int)s->options.width, s->layout.footer};
}

static void the_legend_says_what_was_found(void **state)
{
    (void)state;
    shot *s = shot_open(1200, 900);
    static const char *const names[2] = {"left", "right"}, *const others[2] = {"left", "wrong"};
    uint8_t *before = malloc((size_t)1200 * 900 * 4);
    assert_non_null(before);
    shot_add(s, test_mesh_icosphere(1.0, 3), grz_pose_identity());
    shot_add(s, test_mesh_icosphere(1.0, 3), grz_pose_from_translation(1.2, 0.3, 0.0));
    s->options.names = names;
    s->options.inset = false;
    shot_ask_pair(s);
    shot_draw(s, s->result);
    grz_rect header = header_of(s), footer = footer_of(s);
    assert_true(header.height > 40 && footer.height > 20);
    assert_true(count_color(s, &header, grz_palette_ink) > 300); // text
    assert_true(count_color(s, &footer, grz_palette_ink) > 100);
    assert_true(count_color(s, &footer, grz_palette_contact) > 20); // the sample of the curves
    for (uint32_t i = 0; i < 2; i++) {
        assert_true(count_color(s, &footer, grz_palette_pale(i)) > 50);
        assert_true(count_color(s, &footer, grz_palette_deep(i)) > 50);
    }
    assert_int_equal(count_color(s, &footer, grz_palette_deep(2)), 0);

    // Another name changes only the legend; a title makes the header higher.
    memcpy(before, s->pixels, (size_t)1200 * 900 * 4);
    s->options.names = others;
    shot_draw(s, s->result);
    assert_memory_equal(before, s->pixels, (size_t)footer.y * 1200 * 4);
    assert_memory_not_equal(before + (size_t)footer.y * 1200 * 4, s->pixels + (size_t)footer.y * 1200 * 4,
                            (size_t)footer.height * 1200 * 4);
    s->options.title = "Two balls";
    shot_draw(s, s->result);
    assert_true(s->layout.header > header.height);

    // Without a result the legend has no answer; without a legend the view fills the picture.
    s->options.title = NULL;
    shot_draw(s, NULL);
    header = header_of(s);
    assert_int_equal(count_color(s, &header, grz_palette_ink), 0);
    s->options.legend = false;
    shot_draw(s, s->result);
    assert_true(s->layout.header == 0 && s->layout.footer == 0 && s->layout.first.height == 900);
    free(before);
    shot_close(s);
}

// Names of any kind: missing, empty, long, not ASCII, not UTF-8.
static void any_names(void **state)
{
    (void)state;
    char long_name[2000];
    memset(long_name, 'n', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    const char *const names[4] = {NULL, "", long_name, "\xff\xfe caf\xc3\xa9 \xf0\x9f\x90\x84 \x80"};
    shot *s = shot_open(300, 200);
    for (int i = 0; i < 4; i++)
        shot_add(s, test_mesh_icosphere(1.0, 1), grz_pose_from_translation(1.5 * i, 0.0, 0.0));
    s->options.names = names;
    s->options.title = long_name;
    shot_ask_scene(s);
    shot_draw(s, s->result);
    shot_close(s);
}

// Every pair of a scene has a ring around a point where it touches, and a label with the two numbers.
static void markers_are_where_pairs_touch(void **state)
{
    (void)state;
    shot *s = shot_open(1200, 900);
    uint64_t pair_count, contact_count, point_count;
    for (int i = 0; i < 5; i++)
        shot_add(s, test_mesh_icosphere(1.0, 2), grz_pose_from_translation(1.6 * i, 0.3 * (i % 2), 0.2 * i));
    shot_ask_scene(s);
    shot_draw(s, s->result);
    const grz_scene_pair *pairs = grz_result_scene_pairs(s->result, &pair_count);
    const grz_contact *contacts = grz_result_contacts(s->result, &contact_count);
    const double *points = grz_result_points(s->result, &point_count);
    assert_true(pair_count == 4 && s->layout.label_count == 4);
    for (size_t i = 0; i < s->layout.label_count; i++) {
        const grz_picture_label *label = &s->labels[i];
        double pixel[2], nearest = HUGE_VAL;
        char text[32];
        size_t k = 0;
        while (k < pair_count && strncmp(label->text, text, sizeof text) != 0) {
            snprintf(text, sizeof text, "%u-%u", pairs[k].a, pairs[k].b);
            k++;
        }
        assert_string_equal(label->text, text);
        const grz_scene_pair *pair = &pairs[k - 1];
        double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, size = 0.0,
               off = 0.0;
        for (uint64_t c = pair->first_contact; c < pair->first_contact + pair->contact_count; c++)
            for (uint64_t p = contacts[c].first_point; p < contacts[c].first_point + contacts[c].point_count; p++)
                for (int j = 0; j < 3; j++) {
                    const double *at = points + 3 * p, *site = s->sites[i];
                    nearest = fmin(nearest, hypot(hypot(at[0] - site[0], at[1] - site[1]), at[2] - site[2]));
                    low[j] = fmin(low[j], at[j]);
                    high[j] = fmax(high[j], at[j]);
                }
        for (int j = 0; j < 3; j++) {
            size = fmax(size, high[j] - low[j]);
            off = fmax(off, fabs(s->sites[i][j] - 0.5 * (low[j] + high[j])));
        }
        assert_true(nearest < 1e-12 && off < 0.47 * size); // on a contact of this pair, and not at its end
        assert_true(grz_framing_project((const double(*)[4])s->view.to_pixels, s->sites[i], pixel));
        assert_true(fabs(pixel[0] - (double)label->marker[0]) < 0.01 &&
                    fabs(pixel[1] - (double)label->marker[1]) < 0.01);
        assert_true(is_color(s, (int)pixel[0], (int)pixel[1], grz_palette_contact)); // its dot
        assert_true(is_color(s, (int)pixel[0] + 5, (int)pixel[1], grz_palette_contact) ||
                    is_color(s, (int)pixel[0] + 4, (int)pixel[1], grz_palette_contact)); // its ring
        assert_true(label->has_text && count_color(s, &label->box, grz_palette_white) > 50);
        assert_true(count_dark(s, &label->box) > 20);
    }
    s->options.legend = false;
    shot_draw(s, s->result);
    assert_int_equal(s->layout.label_count, 0);
    shot_close(s);
}

// Many pairs: labels overlap neither each other, nor the legend, nor a body.
static void many_labels(void **state)
{
    (void)state;
    shot *s = shot_open(1000, 700);
    size_t written = 0;
    for (int i = 0; i < SHOT_MAX_OBJECTS; i++) {
        const int row = i / 8;
        shot_add(s, test_mesh_icosphere(1.0, 1), grz_pose_from_translation(1.4 * (i % 8), 1.4 * row, 0.3 * (i % 3)));
    }
    shot_ask_scene(s);
    shot_draw(s, s->result);
    assert_true(s->layout.label_count > 80);
    for (size_t i = 0; i < s->layout.label_count; i++) {
        const grz_rect *box = &s->labels[i].box;
        if (!s->labels[i].has_text)
            continue;
        written++;
        assert_true(box->x >= 0 && box->x + box->width <= 1000);
        assert_true(box->y >= s->layout.header && box->y + box->height <= 700 - s->layout.footer);
        for (size_t j = 0; j < i; j++)
            assert_false(s->labels[j].has_text && grz_rects_overlap(box, &s->labels[j].box));
        for (size_t j = 0; j < s->count; j++) {
            const grz_pose *pose = &s->objects[j].pose;
            const double center[3] = {pose->m[0][3], pose->m[1][3], pose->m[2][3]};
            double pixel[2];
            assert_true(grz_framing_project((const double(*)[4])s->view.to_pixels, center, pixel));
            assert_false(pixel[0] >= box->x && pixel[0] < box->x + box->width); // each body has its own column
        }
    }
    print_message("  %zu pairs, %zu labels\n", s->layout.label_count, written);
    assert_true(written > 40);
    for (uint32_t i = 0; i < 8; i++) // and there are as many colours
        assert_true(
            count_color(s, &(grz_rect){0, 700 - s->layout.footer, 1000, s->layout.footer}, grz_palette_deep(i)) > 50);
    shot_close(s);
}

// The kinds of contact for closer views.
typedef enum inset_case {
    SMALL,     // a small cube on a large ball
    FACE_ON,   // two plates that cross, seen along the normal of the ring where they do
    FROM_SIDE, // the same, seen along its plane
    HIDDEN,    // a body in the wall of a larger one, from the other side
    LARGE,     // two balls that overlap much
    NO_CONTACT,
    SWITCHED_OFF,
    INSET_CASES
} inset_case;

static void set_up(shot *s, inset_case which)
{
    switch (which) {
    case SMALL:
    case SWITCHED_OFF:
        shot_add(s, test_mesh_icosphere(1.0, 3), grz_pose_identity());
        shot_add(s, test_mesh_cube(0.0, 0.0, 0.0, 0.1), grz_pose_from_translation(0.95, 0.0, 0.0));
        s->options.inset = which == SMALL;
        break;
    case FACE_ON:
    case FROM_SIDE:
        shot_add(s, test_mesh_grid(4, 4, 1.0), grz_pose_from_translation(-2.0, -2.0, 0.0)); // open, in the plane z = 0
        shot_add(s, test_mesh_icosphere(1.5, 3), grz_pose_from_translation(0.0, 0.0, 0.3));
        s->options.has_direction = true;
        s->options.direction[1] = which == FACE_ON ? 0.0 : 1.0;
        s->options.direction[2] = which == FACE_ON ? 1.0 : 0.1; // from below, where the ball does not hide the ring
        s->options.up[1] = which == FACE_ON ? 1.0 : 0.0;
        s->options.up[2] = which == FACE_ON ? 0.0 : 1.0;
        break;
    case HIDDEN:
        shot_add(s, test_mesh_icosphere(1.0, 3), grz_pose_identity());
        shot_add(s, test_mesh_icosphere(0.5, 3), grz_pose_from_translation(0.0, 0.0, -0.9));
        s->options.has_direction = true;
        s->options.direction[2] = -1.0;
        break;
    default:
        shot_add(s, test_mesh_icosphere(1.0, 3), grz_pose_identity());
        shot_add(s, test_mesh_icosphere(1.0, 3), grz_pose_from_translation(which == LARGE ? 0.9 : 2.5, 0.1, 0.3));
        if (which == LARGE) { // the ring is seen at an angle
            s->options.has_direction = true;
            s->options.direction[0] = 0.7;
            s->options.direction[2] = -0.7;
        }
        break;
    }
}

static void closer_views_where_they_help(void **state)
{
    (void)state;
    static const bool wanted[INSET_CASES] = {[SMALL] = true, [FROM_SIDE] = true, [HIDDEN] = true};
    static const char *const names[INSET_CASES] = {"small",      "face-on", "from its side", "hidden", "large and seen",
                                                   "no contact", "off"};
    for (int i = 0; i < INSET_CASES; i++) {
        shot *s = shot_open(900, 700);
        set_up(s, (inset_case)i);
        shot_ask_pair(s);
        shot_draw(s, s->result);
        const grz_rect *inset = &s->layout.inset, *first = &s->layout.first;
        print_message("  %s: %.2f seen, closer view %d x %d\n", names[i], s->view.visible, inset->width, inset->height);
        assert_true(grz_rect_is_empty(inset) != wanted[i]);
        if (wanted[i]) {
            const double center = inset->y + 0.5 * inset->height;
            assert_false(grz_rects_overlap(inset, first));
            assert_true(is_color(s, inset->x, (int)center, grz_palette_ink)); // its frame
            assert_true(is_color(s, inset->x + inset->width - 1, (int)center, grz_palette_ink));
            const size_t closer = count_color(s, inset, grz_palette_contact),
                         before = count_color(s, first, grz_palette_contact);
            print_message("    contact: %zu pixels, %zu in the first view\n", closer, before);
            assert_true(closer > 150 && closer > before);
        }
        shot_close(s);
    }
}

// The rectangle in the first view is around the contact, and inside of that view.
static void the_rectangle_is_around_the_contact(void **state)
{
    (void)state;
    shot *s = shot_open(1200, 900);
    uint64_t count;
    set_up(s, SMALL);
    shot_ask_pair(s);
    shot_draw(s, s->result);
    const grz_rect *from = &s->layout.inset_from, *first = &s->layout.first;
    const double *points = grz_result_curve_points(s->result, &count);
    assert_true(count > 3 && !grz_rect_is_empty(from));
    assert_true(from->x >= first->x && from->x + from->width <= first->x + first->width);
    assert_true(from->width < first->width / 4 && from->height < first->height / 4);
    for (uint64_t i = 0; i < count; i++) {
        double pixel[2];
        assert_true(grz_framing_project((const double(*)[4])s->view.to_pixels, points + 3 * i, pixel));
        assert_true(pixel[0] >= from->x && pixel[0] <= from->x + from->width);
        assert_true(pixel[1] >= from->y && pixel[1] <= from->y + from->height);
    }
    assert_true(is_color(s, from->x, from->y + from->height / 3, grz_palette_ink));
    shot_close(s);
}

// In a scene labels do not overlap the closer view.
static void labels_beside_a_closer_view(void **state)
{
    (void)state;
    shot *s = shot_open(1200, 900);
    shot_add(s, test_mesh_icosphere(1.0, 3), grz_pose_identity());
    shot_add(s, test_mesh_cube(0.0, 0.0, 0.0, 0.1), grz_pose_from_translation(0.95, 0.0, 0.0));
    shot_add(s, test_mesh_cube(0.0, 0.0, 0.0, 0.1), grz_pose_from_translation(0.95, 0.12, 0.0));
    shot_ask_scene(s);
    shot_draw(s, s->result);
    assert_false(grz_rect_is_empty(&s->layout.inset));
    assert_int_equal(s->layout.label_count, 2);
    for (size_t i = 0; i < 2; i++)
        assert_false(grz_rects_overlap(&s->labels[i].box, &s->layout.inset));
    shot_close(s);
}

// Sizes too small for legend, labels and closer view.
static void any_size(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1},     {1, 200},   {200, 1},    {33, 17},
                                        {239, 179}, {240, 180}, {250, 1000}, {1500, 185}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        shot *s = shot_open(sizes[i][0], sizes[i][1]);
        shot_add(s, test_mesh_icosphere(1.0, 2), grz_pose_identity());
        shot_add(s, test_mesh_icosphere(0.2, 2), grz_pose_from_translation(1.1, 0.0, 0.0));
        shot_add(s, test_mesh_icosphere(0.2, 2), grz_pose_from_translation(-1.1, 0.0, 0.0));
        shot_ask_scene(s);
        shot_draw(s, s->result);
        const bool has_legend = s->layout.header > 0;
        assert_true(!has_legend || (sizes[i][0] >= 240 && sizes[i][1] >= 180));
        for (size_t k = 3; k < (size_t)sizes[i][0] * sizes[i][1] * 4; k += 4)
            assert_int_equal(s->pixels[k], 255);
        shot_close(s);
    }
}

// The same objects, result and options give the same pixels.
static void pictures_repeat(void **state)
{
    (void)state;
    shot *s = shot_open(600, 450);
    const size_t bytes = (size_t)600 * 450 * 4;
    uint8_t *first = malloc(bytes);
    assert_non_null(first);
    for (int i = 0; i < 6; i++)
        shot_add(s, test_mesh_icosphere(1.0, 2), grz_pose_from_translation(1.5 * (i % 3), i < 3 ? 0.0 : 1.5, 0.0));
    shot_ask_scene(s);
    for (int i = 0; i < 3; i++) {
        shot_draw(s, s->result);
        if (i == 0)
            memcpy(first, s->pixels, bytes);
        assert_memory_equal(first, s->pixels, bytes);
    }
    free(first);
    shot_close(s);
}

// Each allocation of a picture with legend, labels and a closer view fails in turn: the call says so, and succeeds when
// tried again.
static void memory_may_run_out(void **state)
{
    (void)state;
    test_strict_allocator strict = {.lock = PTHREAD_MUTEX_INITIALIZER};
    grz_device_options options = grz_default_device_options();
    shot *s = shot_open(420, 320);
    grz_device *own = s->device;
    options.allocator = test_strict_allocator_of(&strict);
    options.threads = 1;
    options.kind = GRZ_DEVICE_GL;
    grz_result_destroy(s->result);
    assert_int_equal(grz_device_open(&options, &s->device, NULL), GRZ_OK);
    s->result = test_result_create(s->device);
    shot_add(s, test_mesh_icosphere(1.0, 2), grz_pose_identity());
    shot_add(s, test_mesh_cube(0.0, 0.0, 0.0, 0.1), grz_pose_from_translation(0.95, 0.0, 0.0));
    shot_add(s, test_mesh_cube(0.0, 0.0, 0.0, 0.1), grz_pose_from_translation(0.95, 0.12, 0.0));
    static const uint8_t grey[12 * 3];
    const uint8_t *const face_colours[3] = {NULL, grey, NULL};
    s->options.face_colours = face_colours;
    shot_ask_scene(s);
    shot_draw(s, s->result);
    assert_true(s->layout.label_count == 2 && !grz_rect_is_empty(&s->layout.inset));
    const long blocks = strict.blocks, start = strict.calls;
    shot_draw(s, s->result);
    const long calls = strict.calls - start;
    for (long n = 1; n <= calls; n += TEST_SANITIZED ? 41 : TEST_SHORT ? 11 : 1) {
        grz_error error = {.message = ""};
        strict.fail_at = strict.calls + n;
        strict.failed = false;
        const grz_status status = grz_picture_draw(s->device, s->objects, (uint32_t)s->count, s->result, &s->options,
                                                   s->pixels, NULL, &error);
        assert_true(strict.failed && !strict.misused);
        assert_int_equal(status, GRZ_ERROR_MEMORY);
        assert_memory_equal(error.message, "picture: ", 9);
        assert_int_equal(strict.blocks, blocks);
        strict.fail_at = 0;
        shot_draw(s, s->result);
        assert_int_equal(strict.blocks, blocks);
    }
    print_message("  %ld allocations\n", calls);
    assert_true(calls > 8);
    test_gl_device_close(own);
    shot_close(s);
    assert_true(strict.blocks == 0 && strict.bytes == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_legend_says_what_was_found),
        cmocka_unit_test(any_names),
        cmocka_unit_test(markers_are_where_pairs_touch),
        cmocka_unit_test(many_labels),
        cmocka_unit_test(closer_views_where_they_help),
        cmocka_unit_test(the_rectangle_is_around_the_contact),
        cmocka_unit_test(labels_beside_a_closer_view),
        cmocka_unit_test(any_size),
        cmocka_unit_test(pictures_repeat),
        cmocka_unit_test(memory_may_run_out),
    };
    return test_gl_is_here() ? cmocka_run_group_tests(tests, NULL, NULL) : TEST_SKIPPED;
}
#else
int main(void)
{
    return test_gl_is_here() ? 1 : TEST_SKIPPED;
}
#endif
