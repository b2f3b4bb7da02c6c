// SPDX-License-Identifier: MIT
// What the frames of a film need. Objects, single faces and faces that touch have the caller's colours. A region is
// shown by the same camera wherever the objects are. A view can be taken without drawing. A caption has room of its own
// below the picture. Skipped where there is no OpenGL.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_gl.h"

#ifdef GRZ_HAVE_GL
#include "support_picture.h"
#include "support_queries.h"

enum {
    WIDTH = 500,
    HEIGHT = 400
};

// Without legend and closer view, seen along -z.
static shot *open_shot(void)
{
    shot *s = shot_open(WIDTH, HEIGHT);
    s->options.legend = s->options.inset = false;
    s->options.has_direction = true;
    s->options.direction[2] = -1.0;
    return s;
}

static const uint8_t *pixel_at(const shot *s, int x, int y)
{
    return s->pixels + 4 * ((size_t)y * WIDTH + (size_t)x);
}

// Whether a pixel shows this colour, darker or lighter by its light. The colours here have zeros, which stay zeros.
static bool is_hue(const uint8_t *pixel, const uint8_t color[3])
{
    bool is = true;
    for (int i = 0; i < 3; i++)
        is = is && (color[i] == 0 ? pixel[i] == 0 : pixel[i] > 60);
    return is;
}

static size_t count_hue(const shot *s, const uint8_t color[3])
{
    size_t count = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            count += is_hue(pixel_at(s, x, y), color);
    return count;
}

static void project(const shot *s, const double p[3], double pixel[2])
{
    double h[4];
    for (int i = 0; i < 4; i++) {
        const double *row = s->view.to_pixels[i];
        h[i] = row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3];
    }
    assert_true(h[3] > 0.0);
    pixel[0] = h[0] / h[3];
    pixel[1] = h[1] / h[3];
}

static const uint8_t red[3] = {220, 0, 0}, green[3] = {0, 220, 0}, blue[3] = {0, 0, 220}, violet[3] = {220, 0, 220};

static void objects_have_the_callers_colours(void **state)
{
    (void)state;
    static const uint8_t colours[6] = {220, 0, 0, 0, 0, 220}, touch[6] = {0, 220, 0, 220, 0, 220};
    shot *s = open_shot();
    shot_add(s, test_mesh_icosphere(1.0, 2), grz_pose_identity());
    shot_add(s, test_mesh_icosphere(1.0, 2), grz_pose_from_translation(1.6, 0.0, 0.0));
    shot_ask_pair(s);
    s->options.colours = colours;
    s->options.touch_colours = touch;
    shot_draw(s, s->result);
    assert_true(count_hue(s, red) > 5000 && count_hue(s, blue) > 5000);
    assert_true(count_hue(s, green) > 100 && count_hue(s, violet) > 100);

    // Without colours for faces that touch they are darker, not of another hue.
    s->options.touch_colours = NULL;
    const size_t reds = count_hue(s, red), blues = count_hue(s, blue);
    shot_draw(s, s->result);
    assert_true(count_hue(s, red) > reds + 50 && count_hue(s, blue) > blues + 50);
    assert_int_equal(count_hue(s, green), 0);

    // Nothing touches without a result.
    s->options.touch_colours = touch;
    shot_draw(s, NULL);
    assert_int_equal(count_hue(s, green), 0);
    shot_close(s);
}

// The middle of a face's first three corners.
static void middle_of(const test_mesh *mesh, uint32_t first_corner, double shift, double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = axis == 0 ? shift : 0.0;
        for (uint32_t j = 0; j < 3; j++)
            out[axis] += mesh->positions[3 * (uint64_t)mesh->indices[first_corner + j] + (uint64_t)axis] / 3.0;
    }
}

// Two sheets, the second one of quads, and one without colours between them.
static void faces_have_the_callers_colours(void **state)
{
    (void)state;
    shot *s = open_shot();
    test_mesh sheets[2] = {test_mesh_grid(3, 5, 0.2), test_mesh_grid_quads(3, 5, 0.2)};
    const uint8_t *hues[3] = {red, green, blue}, *all[3] = {NULL};
    uint8_t *faces[2];
    for (int i = 0; i < 2; i++) {
        faces[i] = malloc(3 * sheets[i].face_count);
        assert_non_null(faces[i]);
        for (uint64_t f = 0; f < sheets[i].face_count; f++)
            memcpy(faces[i] + 3 * f, hues[(f * f + f / 3) % 3], 3);
        all[i == 0 ? 0 : 2] = faces[i];
    }
    shot_add(s, test_mesh_grid(3, 5, 0.2), grz_pose_identity());
    shot_add(s, test_mesh_grid(1, 1, 0.2), grz_pose_from_translation(0.8, 0.0, 0.0));
    shot_add(s, test_mesh_grid_quads(3, 5, 0.2), grz_pose_from_translation(1.2, 0.0, 0.0));
    s->options.face_colours = all;
    shot_draw(s, NULL);
    for (int i = 0; i < 2; i++) {
        const uint32_t corners = i == 0 ? 3 : 4;
        for (uint32_t f = 0; f < sheets[i].face_count; f++) {
            double middle[3], pixel[2];
            middle_of(&sheets[i], corners * f, i == 0 ? 0.0 : 1.2, middle);
            project(s, middle, pixel);
            const uint8_t *p = pixel_at(s, (int)pixel[0], (int)pixel[1]);
            if (!is_hue(p, faces[i] + 3 * (size_t)f))
                fail_msg("sheet %d, face %d has colour %d %d %d", i, (int)f, p[0], p[1], p[2]);
        }
        free(faces[i]);
        test_mesh_finish(&sheets[i]);
    }
    shot_close(s);
}

static void a_region_is_shown_wherever_the_objects_are(void **state)
{
    (void)state;
    shot *s = open_shot();
    grz_picture_view first = {.visible = 0.0};
    shot_add(s, test_mesh_icosphere(1.0, 2), grz_pose_identity());
    s->options.has_region = true;
    for (int axis = 0; axis < 3; axis++) {
        s->options.region_min[axis] = 3.0;
        s->options.region_max[axis] = axis == 0 ? 7.0 : 5.0;
    }
    static const double places[][3] = {{0.0, 0.0, 0.0}, {5.0, 4.0, 4.0}, {5.0, 4.0, 30.0}, {500.0, -4.0, 2.0}};
    for (int i = 0; i < 4; i++) {
        s->objects[0].pose = grz_pose_from_translation(places[i][0], places[i][1], places[i][2]);
        shot_draw(s, NULL);
        if (i == 0)
            first = s->view;
        for (int row = 0; row < 4; row++) // but for the depths
            for (int j = 0; j < 4 && row != 2; j++)
                assert_true(fabs(s->view.to_pixels[row][j] - first.to_pixels[row][j]) < 1e-9 * WIDTH);
    }
    // The region's corners are in the picture, and reach two opposite edges.
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < 8; i++) {
        double corner[3], pixel[2];
        for (int axis = 0; axis < 3; axis++)
            corner[axis] = (i >> axis & 1) != 0 ? s->options.region_max[axis] : s->options.region_min[axis];
        project(s, corner, pixel);
        assert_true(pixel[0] > -1.0 && pixel[0] < WIDTH + 1.0 && pixel[1] > -1.0 && pixel[1] < HEIGHT + 1.0);
        low = fmin(low, pixel[0]);
        high = fmax(high, pixel[0]);
    }
    assert_true(low < 2.0 && high > WIDTH - 2.0);
    shot_close(s);
}

static void wrong_regions_are_refused(void **state)
{
    (void)state;
    shot *s = open_shot();
    grz_error error;
    shot_add(s, test_mesh_icosphere(1.0, 1), grz_pose_identity());
    s->options.has_region = true;
    static const double boxes[][2] = {{0.0, 0.0}, {1.0, -1.0}, {(double)NAN, 1.0}, {0.0, (double)INFINITY}};
    for (int i = 0; i < 4; i++) {
        for (int axis = 0; axis < 3; axis++) {
            s->options.region_min[axis] = boxes[i][0];
            s->options.region_max[axis] = boxes[i][1];
        }
        assert_int_equal(grz_picture_draw(s->device, s->objects, 1, NULL, &s->options, s->pixels, NULL, &error),
                         GRZ_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "region"));
    }
    s->options.region_max[0] = 1.0; // flat in two directions, which is enough to frame
    for (int axis = 0; axis < 3; axis++) {
        s->options.region_min[axis] = 0.0;
        s->options.region_max[axis] = axis == 0 ? 1.0 : 0.0;
    }
    shot_draw(s, NULL);
    shot_close(s);
}

static size_t count_dark(const shot *s, int from_row, int to_row)
{
    size_t count = 0;
    for (int y = from_row; y < to_row; y++)
        for (int x = 0; x < WIDTH; x++) {
            const uint8_t *p = pixel_at(s, x, y);
            count += p[0] + p[1] + p[2] < 240;
        }
    return count;
}

// A view that is taken without drawing is that of a picture without legend, closer view and contact.
static void aiming_takes_the_view_of_a_picture(void **state)
{
    (void)state;
    shot *s = open_shot();
    test_mesh ball = test_mesh_icosphere(1.0, 2), cube = test_mesh_cube(0.0, 0.0, 0.0, 0.5);
    grz_mesh *meshes[2] = {test_mesh_upload(s->device, &ball), test_mesh_upload(s->device, &cube)};
    const grz_object objects[2] = {grz_object_at_origin(meshes[0]),
                                   grz_object_at(meshes[1], grz_pose_from_translation(1e4, 2.0, -3.0))};
    grz_picture_view drawn, aimed;
    for (int i = 0; i < 4; i++) {
        s->options.direction[0] = 0.3 * i;
        s->options.up[2] = 0.1 * i;
        s->options.has_region = i == 3;
        for (int k = 0; k < 3; k++) {
            s->options.region_min[k] = -2.0;
            s->options.region_max[k] = 3.0;
        }
        memset(&aimed, 0x55, sizeof aimed);
        assert_int_equal(
            grz_picture_draw(s->device, objects, 1 + (size_t)i % 2, NULL, &s->options, s->pixels, &drawn, NULL),
            GRZ_OK);
        assert_int_equal(grz_picture_aim(s->device, objects, 1 + (size_t)i % 2, &s->options, &aimed, NULL), GRZ_OK);
        assert_memory_equal(&drawn, &aimed, sizeof drawn);
    }
    // Without a direction it looks from somewhere, and sees the objects.
    grz_picture_options usual = grz_default_picture_options();
    const double *depth = aimed.to_pixels[2], *divisor = aimed.to_pixels[3];
    assert_int_equal(grz_picture_aim(s->device, objects, 1, &usual, &aimed, NULL), GRZ_OK);
    assert_true(divisor[3] > 0.0 && depth[3] > 0.0 && depth[3] < divisor[3]);
    assert_true(fabs(aimed.to_pixels[0][3] / divisor[3] - 600.0) < 100.0);
    grz_error error;
    assert_int_equal(grz_picture_aim(s->device, objects, 0, &usual, &aimed, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_picture_aim(NULL, objects, 1, &usual, &aimed, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_picture_aim(s->device, objects, 1, &usual, NULL, &error), GRZ_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "view"));
    grz_object dot = objects[0];
    for (int k = 0; k < 3; k++)
        dot.pose.m[k][k] = 0x1p-1074;
    usual = grz_default_picture_options();
    test_expect_error(grz_picture_aim(s->device, &dot, 1, &usual, &aimed, &error), GRZ_ERROR_ARGUMENT, &error,
                      "so small", 0);
    usual.width = UINT32_MAX;
    assert_int_equal(grz_picture_aim(s->device, objects, 1, &usual, &aimed, &error), GRZ_ERROR_ARGUMENT);
    usual.width = 0;
    assert_int_equal(grz_picture_aim(s->device, objects, 1, &usual, &aimed, &error), GRZ_ERROR_ARGUMENT);
    for (int i = 0; i < 2; i++)
        grz_mesh_destroy(meshes[i]);
    test_mesh_finish(&ball);
    test_mesh_finish(&cube);
    shot_close(s);
}

static void a_caption_has_room_of_its_own(void **state)
{
    (void)state;
    shot *s = open_shot();
    uint8_t *before = malloc((size_t)WIDTH * HEIGHT * 4);
    assert_non_null(before);
    shot_add(s, test_mesh_icosphere(1.0, 2), grz_pose_identity());
    for (int legend = 0; legend < 2; legend++) {
        s->options.legend = legend == 1;
        s->options.caption = NULL;
        shot_draw(s, NULL);
        assert_int_equal(s->layout.caption, 0);
        const int height = s->layout.first.height;

        s->options.caption = "frame 1: nothing";
        shot_draw(s, NULL);
        const int top = HEIGHT - s->layout.caption;
        assert_true(s->layout.caption > 15);
        assert_int_equal(s->layout.first.height, height - s->layout.caption);
        assert_true(count_dark(s, top, HEIGHT) > 100);

        // Another caption, of any length, changes only that room.
        memcpy(before, s->pixels, (size_t)WIDTH * HEIGHT * 4);
        s->options.caption = "frame 1000: a caption that is too long for a picture which is not wider than this one is";
        shot_draw(s, NULL);
        assert_memory_equal(before, s->pixels, (size_t)top * WIDTH * 4);
        assert_memory_not_equal(before + (size_t)top * WIDTH * 4, s->pixels + (size_t)top * WIDTH * 4,
                                (size_t)s->layout.caption * WIDTH * 4);
    }
    free(before);
    shot_close(s);
}

// Pictures that are too narrow for any text, and captions of a byte or none.
static void captions_fit_into_any_width(void **state)
{
    (void)state;
    static const char *const captions[] = {"", "x", "xy", "\xc3\xa9", "a long caption"};
    for (uint32_t width = 1; width < 40; width += 3)
        for (size_t i = 0; i < sizeof captions / sizeof *captions; i++) {
            shot *s = shot_open(width, 300);
            s->options.legend = s->options.inset = false;
            s->options.caption = captions[i];
            shot_add(s, test_mesh_cube(0.0, 0.0, 0.0, 1.0), grz_pose_identity());
            shot_draw(s, NULL);
            assert_true(s->layout.caption > 0);
            shot_close(s);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_have_the_callers_colours),
        cmocka_unit_test(faces_have_the_callers_colours),
        cmocka_unit_test(a_region_is_shown_wherever_the_objects_are),
        cmocka_unit_test(wrong_regions_are_refused),
        cmocka_unit_test(aiming_takes_the_view_of_a_picture),
        cmocka_unit_test(a_caption_has_room_of_its_own),
        cmocka_unit_test(captions_fit_into_any_width),
    };
    return test_gl_is_here() ? cmocka_run_group_tests(tests, NULL, NULL) : TEST_SKIPPED;
}
#else
int main(void)
{
    return test_gl_is_here() ? 1 : TEST_SKIPPED;
}
#endif
