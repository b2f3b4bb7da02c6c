// SPDX-License-Identifier: MIT
// The main view of pictures, by its pixels. Curves and touching faces have their colours where they project; all else
// is body or background ("paper"). The chosen side shows the contact. The bodies fill the view. Any scale, position and
// number of triangles. A body inside another is seen through it. Wrong options are refused. Legends, labels and closer
// views are tested in test_picture_parts.c. Skipped where there is no OpenGL.
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

enum {
    WIDTH = 400,
    HEIGHT = 300
};

// A picture without legend and closer view.
static shot *open_shot(void)
{
    shot *s = shot_open(WIDTH, HEIGHT);
    s->options.legend = s->options.inset = false;
    return s;
}

// Ask about the objects and draw the answer. Every pixel must be opaque.
static void take(shot *s)
{
    grz_error error;
    shot_ask_pair(s);
    if (grz_picture_draw(s->device, s->objects, (uint32_t)s->count, s->result, &s->options, s->pixels, &s->view,
                         &error) != GRZ_OK)
        fail_msg("%s", error.message);
    for (size_t i = 3; i < (size_t)4 * WIDTH * HEIGHT; i += 4)
        assert_int_equal(s->pixels[i], 255);
}

// The pixel of a point. False if it is outside of the picture.
static bool project(const shot *s, const double p[3], int *x, int *y)
{
    double h[4];
    for (int i = 0; i < 4; i++) {
        const double *row = s->view.to_pixels[i];
        h[i] = row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3];
    }
    const double column = h[0] / h[3], line = h[1] / h[3];
    if (!(column >= 0.0 && column < WIDTH && line >= 0.0 && line < HEIGHT))
        return false;
    *x = (int)column;
    *y = (int)line;
    return true;
}

typedef enum paint {
    PAPER,
    PLAIN,
    ORANGE,
    BLUE,
    RED,
    PALE_RED,
    PAINTS
} paint;

// Bodies 0 and 1 are orange and blue. A pale colour has less than half of the saturation of a pure colour, a deep one
// nearly all.
static paint paint_at(const shot *s, int x, int y)
{
    const uint8_t *p = s->pixels + 4 * ((size_t)y * WIDTH + (size_t)x);
    const int red = p[0], green = p[1], blue = p[2];
    const int most = red > green ? (red > blue ? red : blue) : (green > blue ? green : blue);
    const int least = red < green ? (red < blue ? red : blue) : (green < blue ? green : blue);
    if (red == 250 && green == 250 && blue == 250)
        return PAPER;
    if (red > green + 100 && blue > green && blue < red)
        return RED;
    if (red > green + 50 && blue > green + 5 && blue < red)
        return PALE_RED;
    if (10 * (most - least) < 7 * most)
        return PLAIN;
    return red == most ? ORANGE : blue == most ? BLUE : PLAIN;
}

// The strongest paint within two pixels.
static bool is_near(const shot *s, int x, int y, paint wanted)
{
    for (int j = y < 2 ? 0 : y - 2; j <= y + 2 && j < HEIGHT; j++)
        for (int i = x < 2 ? 0 : x - 2; i <= x + 2 && i < WIDTH; i++)
            if (paint_at(s, i, j) == wanted)
                return true;
    return false;
}

static size_t count_paint(const shot *s, paint wanted)
{
    size_t count = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            count += paint_at(s, x, y) == wanted;
    return count;
}

// Every point of the curves is red, or pale where it is hidden. Returns how many are red.
static size_t expect_curves(const shot *s)
{
    uint64_t count;
    size_t red = 0;
    const double *points = grz_result_curve_points(s->result, &count);
    assert_true(count > 0);
    for (uint64_t i = 0; i < count; i++) {
        int x = 0, y = 0;
        assert_true(project(s, points + 3 * i, &x, &y));
        const bool is_red = is_near(s, x, y, RED);
        if (!is_red && !is_near(s, x, y, PALE_RED))
            fail_msg("point %d of the curve, at pixel %d %d: no curve there", (int)i, x, y);
        red += is_red;
    }
    return red;
}

static void curves_are_where_they_project(void **state)
{
    (void)state;
    static const double scales[] = {1.0, 0x1p-200, 0x1p200};
    for (int i = 0; i < 3; i++) {
        shot *s = open_shot();
        test_mesh a = test_mesh_icosphere(1.0, 3), b = test_mesh_cube(0.0, 0.0, 0.0, 1.25);
        test_mesh_scale(&a, scales[i], scales[i], scales[i]);
        test_mesh_scale(&b, scales[i], scales[i], scales[i]);
        shot_add(s, a, grz_pose_identity());
        shot_add(s, b, grz_pose_from_translation(0.25 * scales[i], 0.125 * scales[i], 0.0));
        take(s);
        const size_t red = expect_curves(s);
        print_message("  scale %g: %zu red, %.2f seen\n", scales[i], red, s->view.visible);
        assert_true(s->view.visible > 0.3 && red > 0);
        assert_true(count_paint(s, PAPER) > WIDTH * HEIGHT / 20);
        assert_true(count_paint(s, ORANGE) > 50 && count_paint(s, BLUE) > 50 &&
                    count_paint(s, PLAIN) > WIDTH * HEIGHT / 10);
        shot_close(s);
    }
}

// Far from the origin, where a float has no digits left for the shape.
static void pictures_are_the_same_far_away(void **state)
{
    (void)state;
    shot *shots[2];
    size_t different = 0;
    for (int i = 0; i < 2; i++) {
        shot *s = shots[i] = open_shot();
        const double far = i == 0 ? 0.0 : 0x1p40;
        shot_add(s, test_mesh_icosphere(1.0, 3), grz_pose_from_translation(far, -far, far));
        shot_add(s, test_mesh_icosphere(1.0, 3), grz_pose_from_translation(far + 1.0, 0.25 - far, far));
        take(s);
        expect_curves(s);
    }
    for (size_t i = 0; i < (size_t)4 * WIDTH * HEIGHT; i++)
        different += abs(shots[0]->pixels[i] - shots[1]->pixels[i]) > 16;
    assert_true(different < (size_t)4 * WIDTH * HEIGHT / 100);
    shot_close(shots[0]);
    shot_close(shots[1]);
}

// A small cube touches a large ball: the picture shows the contact, whichever side it is on.
static void the_side_chosen_shows_the_contact(void **state)
{
    (void)state;
    for (int side = 0; side < 6; side++) {
        shot *s = open_shot();
        double at[3] = {-0.1, -0.1, -0.1};
        at[side / 2] += side % 2 == 0 ? 1.0 : -1.0;
        shot_add(s, test_mesh_icosphere(1.0, 3), grz_pose_identity());
        shot_add(s, test_mesh_cube(0.0, 0.0, 0.0, 0.2), grz_pose_from_translation(at[0], at[1], at[2]));
        take(s);
        const size_t red = expect_curves(s);
        print_message("  side %d: %zu red, %.2f seen\n", side, red, s->view.visible);
        assert_true(s->view.visible > 0.35 && red > 3);
        shot_close(s);
    }
}

// From side to side, or from top to bottom, the bodies leave less than a twentieth of the picture, and no more on one
// side than on the other. Nothing is cut off.
static void the_bodies_fill_the_picture(void **state)
{
    (void)state;
    static const double sizes[][3] = {{1.0, 1.0, 1.0}, {10.0, 1.0, 1.0}, {1.0, 10.0, 1.0}, {0.01, 3.0, 7.0}};
    for (int i = 0; i < 8; i++) {
        shot *s = open_shot();
        test_mesh body = test_mesh_icosphere(1.0, 3);
        const double *size = sizes[i % 4];
        int low[2] = {WIDTH, HEIGHT}, high[2] = {-1, -1};
        test_mesh_scale(&body, size[0], size[1], size[2]);
        s->options.whole = true;
        shot_add(s, test_mesh_copy(&body), grz_pose_from_translation(i < 4 ? 0.0 : 100.0, 3.0, 5.0));
        shot_add(s, body, grz_pose_from_translation((i < 4 ? 0.0 : 100.0) + 0.5 * size[0], 3.0, 5.0));
        take(s);
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++)
                if (paint_at(s, x, y) != PAPER) {
                    low[0] = x < low[0] ? x : low[0];
                    low[1] = y < low[1] ? y : low[1];
                    high[0] = x > high[0] ? x : high[0];
                    high[1] = y > high[1] ? y : high[1];
                }
        const double share = fmax((high[0] - low[0] + 1.0) / WIDTH, (high[1] - low[1] + 1.0) / HEIGHT);
        print_message("  %g x %g x %g: %d to %d, %d to %d\n", size[0], size[1], size[2], low[0], high[0], low[1],
                      high[1]);
        assert_true(share > 0.95 && share <= 0.99);
        assert_true(abs(low[0] - (WIDTH - 1 - high[0])) <= 3 || abs(low[1] - (HEIGHT - 1 - high[1])) <= 3);
        assert_true(low[0] > 0 && low[1] > 0 && high[0] < WIDTH - 1 && high[1] < HEIGHT - 1);
        shot_close(s);
    }
}

// Bodies are drawn with outlines: between a body and the paper there is something darker than any of its faces.
static void bodies_have_outlines(void **state)
{
    (void)state;
    shot *s = open_shot();
    size_t edges = 0, dark = 0;
    shot_add(s, test_mesh_icosphere(1.0, 4), grz_pose_identity());
    take(s);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 1; x + 5 < WIDTH; x++)
            if (paint_at(s, x - 1, y) == PAPER && paint_at(s, x, y) != PAPER) { // the body's left edge
                const uint8_t *p = s->pixels + 4 * ((size_t)y * WIDTH + (size_t)x), *inside = p + 16;
                const int light = inside[0] + inside[1] + inside[2] - 60;
                edges++;
                dark += p[0] + p[1] + p[2] < light || p[4] + p[5] + p[6] < light;
            }
    print_message("  %zu edges, %zu dark\n", edges, dark);
    assert_true(edges > 200 && dark * 10 > edges * 8);
    shot_close(s);
}

// If the contact is small and there is no closer view, the camera moves nearer, unless options.whole is set.
static void the_camera_moves_nearer_to_small_contacts(void **state)
{
    (void)state;
    size_t blue[2];
    for (int whole = 0; whole < 2; whole++) {
        shot *s = open_shot();
        s->options.whole = whole != 0;
        shot_add(s, test_mesh_icosphere(1.0, 3), grz_pose_identity());
        shot_add(s, test_mesh_cube(0.0, 0.0, 0.0, 0.1), grz_pose_from_translation(0.95, 0.0, 0.0));
        take(s);
        expect_curves(s);
        blue[whole] = count_paint(s, BLUE);
        shot_close(s);
    }
    assert_true(blue[0] > 5 * blue[1]);
}

// The faces that touch, each in the colour of its object, where nothing is in front of them.
// The world position of a vertex of an object whose pose is a translation.
static void moved_vertex(const shot *s, size_t object, const test_mesh *mesh, uint64_t vertex, double at[3])
{
    for (uint64_t j = 0; j < 3; j++)
        at[j] = mesh->positions[3 * vertex + j] + s->objects[object].pose.m[j][3];
}

// The depth of a point in the picture, 0 near to 1 far; negative behind the eye.
static double depth_of(const shot *s, const double p[3])
{
    const double *z = s->view.to_pixels[2], *w = s->view.to_pixels[3];
    const double far = w[0] * p[0] + w[1] * p[1] + w[2] * p[2] + w[3];
    return far > 0.0 ? (z[0] * p[0] + z[1] * p[1] + z[2] * p[2] + z[3]) / far : -1.0;
}

// However small the contact is, no part of the objects is behind the eye or cut off by the near plane.
static void the_eye_is_outside(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        shot *s = open_shot();
        const double distance = 2.0 - ldexp(1.0, -2 - 2 * i);
        test_mesh ball = test_mesh_icosphere(1.0, 2);
        shot_add(s, test_mesh_copy(&ball), grz_pose_identity());
        shot_add(s, test_mesh_copy(&ball),
                 grz_pose_from_translation(i % 3 == 0 ? distance : 0.0, i % 3 == 1 ? distance : 0.0,
                                           i % 3 == 2 ? distance : 0.0));
        take(s);
        for (size_t object = 0; object < 2; object++)
            for (uint64_t v = 0; v < ball.vertex_count; v++) {
                double at[3];
                moved_vertex(s, object, &ball, v, at);
                const double depth = depth_of(s, at);
                assert_true(depth > 0.0 && depth < 1.0);
            }
        test_mesh_finish(&ball);
        shot_close(s);
    }
}

// A ball that touches nothing, behind or inside another body, is visible: from a side, or through a transparent body.
static void no_body_is_hidden(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        shot *s = open_shot();
        double at[3] = {0.0};
        at[i / 2] = i % 2 == 0 ? 1.3 : -1.3;
        shot_add(s, test_mesh_cube(-1.0, -1.0, -1.0, 2.0), grz_pose_identity());
        shot_add(s, test_mesh_icosphere(0.2, 3), grz_pose_from_translation(at[0], at[1], at[2]));
        take(s);
        int blue = 0;
        for (size_t k = 0; k < (size_t)WIDTH * HEIGHT; k++)
            blue += s->pixels[4 * k + 2] > s->pixels[4 * k] + 30;
        print_message("  side %d: %d pixels\n", i, blue);
        assert_true(blue > 200);
        shot_close(s);
    }
}

// Objects far apart, and at any scale, are all in the picture.
static void everything_is_in_the_picture(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++) {
        shot *s = open_shot();
        const double scale = i < 6 ? 1.0 : ldexp(1.0, 200 * (i - 10)), far = scale * (i % 3 == 0 ? 100.0 : 20.0);
        test_mesh ball = test_mesh_icosphere(1.0, 2);
        int x, y;
        test_mesh_scale(&ball, scale, scale, scale);
        shot_add(s, test_mesh_copy(&ball), grz_pose_identity());
        shot_add(s, test_mesh_copy(&ball),
                 grz_pose_from_translation(i % 2 == 0 ? far : 0.0, 0.0, i % 2 == 1 ? far : 0.0));
        s->options.whole = true;
        take(s);
        for (size_t object = 0; object < 2; object++)
            for (uint64_t v = 0; v < ball.vertex_count; v++) {
                double at[3];
                moved_vertex(s, object, &ball, v, at);
                assert_true(project(s, at, &x, &y));
            }
        assert_true(count_paint(s, PLAIN) > 2);
        test_mesh_finish(&ball);
        shot_close(s);
    }
}

// A discrete answer's collision volumes are drawn.
static void volumes_are_drawn(void **state)
{
    (void)state;
    shot *s = open_shot();
    grz_collide_options collide_options = grz_default_collide_options();
    grz_error error;
    uint64_t count;
    collide_options.answer = GRZ_ANSWER_DISCRETE;
    s->options.whole = true;
    shot_add(s, test_mesh_icosphere(1.0, 3), grz_pose_identity());
    shot_add(s, test_mesh_icosphere(1.0, 3), grz_pose_from_translation(0.1, 0.0, 0.0));
    assert_int_equal(grz_collide(s->device, &s->objects[0], &s->objects[1], &collide_options, s->result, &error),
                     GRZ_OK);
    if (grz_picture_draw(s->device, s->objects, 2, s->result, &s->options, s->pixels, &s->view, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    const grz_collision_box *volume = grz_result_collision_boxes(s->result, &count);
    assert_int_equal(count, 1);
    for (int corner = 0; corner < 8; corner++) { // all of it is in the picture
        double at[3];
        int x = 0, y = 0;
        for (int j = 0; j < 3; j++)
            at[j] = volume->corner[j] + (corner & 1) * volume->edge[0][j] + (corner >> 1 & 1) * volume->edge[1][j] +
                    (corner >> 2) * volume->edge[2][j];
        assert_true(project(s, at, &x, &y));
    }
    for (int edge = 0; edge < 3; edge++) { // the middles of three edges
        double at[3];
        int x = 0, y = 0;
        for (int j = 0; j < 3; j++)
            at[j] = volume->corner[j] + 0.5 * volume->edge[edge][j];
        assert_true(project(s, at, &x, &y));
        const paint p = paint_at(s, x, y);
        assert_true(p == RED || p == PALE_RED);
    }
    shot_close(s);
}

static void faces_that_touch_are_coloured(void **state)
{
    (void)state;
    shot *s = open_shot();
    test_mesh a = test_mesh_grid(8, 8, 1.0), b = test_mesh_grid(8, 8, 1.0);
    for (size_t i = 0; i < b.vertex_count; i++) { // b stands on a, across it, and tells its halves apart
        b.positions[3 * i + 2] = b.positions[3 * i + 1] - 3.5;
        b.positions[3 * i + 1] = 3.3;
    }
    shot_add(s, a, grz_pose_identity());
    shot_add(s, b, grz_pose_identity());
    s->options.has_direction = true;
    s->options.direction[1] = 1.0;
    s->options.direction[2] = -1.0;
    s->options.up[1] = 0.0;
    s->options.up[2] = 1.0;
    take(s);
    expect_curves(s);
    for (int i = 0; i < 8; i++) {
        const double below[3] = {i + 0.5, 3.15, 0.0}, beyond[3] = {i + 0.5, 2.5, 0.0}, above[3] = {i + 0.5, 3.3, 0.25},
                     top[3] = {i + 0.5, 3.3, 2.5};
        int x = 0, y = 0;
        assert_true(project(s, below, &x, &y));
        assert_true(is_near(s, x, y, ORANGE));
        assert_true(project(s, beyond, &x, &y));
        assert_int_equal(paint_at(s, x, y), PLAIN);
        assert_true(project(s, above, &x, &y));
        assert_true(is_near(s, x, y, BLUE));
        assert_true(project(s, top, &x, &y));
        assert_int_equal(paint_at(s, x, y), PLAIN);
    }
    shot_close(s);
}

static void a_mesh_with_itself(void **state)
{
    (void)state;
    shot *s = open_shot();
    test_mesh two = test_mesh_icosphere(1.0, 2), other = test_mesh_icosphere(1.0, 2);
    test_mesh_move(&other, 1.0, 0.1, 0.2);
    test_mesh_append(&two, &other);
    test_mesh_finish(&other);
    shot_add(s, two, grz_pose_from_translation(5.0, 6.0, 7.0));
    take(s);
    expect_curves(s);
    assert_true(count_paint(s, ORANGE) > 100);
    assert_int_equal(count_paint(s, BLUE), 0);
    shot_close(s);
}

// A ball in a ball: the outer one is transparent, so the centre of the picture has another colour than the outer ball
// alone.
static void a_body_inside_another_is_visible(void **state)
{
    (void)state;
    uint8_t middle[2][3];
    for (int i = 0; i < 2; i++) {
        shot *s = open_shot();
        s->options.whole = true;
        shot_add(s, test_mesh_icosphere(1.0, 3), grz_pose_identity());
        shot_add(s, test_mesh_icosphere(0.5, 3), grz_pose_identity());
        if (i == 1) // without a result nothing is transparent
            assert_int_equal(grz_picture_draw(s->device, s->objects, 2, NULL, &s->options, s->pixels, &s->view, NULL),
                             GRZ_OK);
        else
            take(s);
        memcpy(middle[i], s->pixels + 4 * ((size_t)HEIGHT / 2 * WIDTH + WIDTH / 2), 3);
        shot_close(s);
    }
    assert_true(abs(middle[0][2] - middle[1][2]) > 5 || abs(middle[0][0] - middle[1][0]) > 5);
}

// Contacts that are single points are dots.
static void points_are_dots(void **state)
{
    (void)state;
    shot *s = open_shot();
    const double corners[4][3] = {{0.0, 0.0, 1.0}, {1.0, 0.0, 2.0}, {-1.0, 1.0, 2.0}, {-1.0, -1.0, 2.0}};
    shot_add(s, test_mesh_cube(-1.0, -1.0, -1.0, 2.0), grz_pose_identity());
    shot_add(s, test_mesh_tetrahedron(corners), grz_pose_identity());
    take(s);
    int x = 0, y = 0;
    assert_true(project(s, corners[0], &x, &y));
    assert_int_equal(paint_at(s, x, y), RED);
    assert_true(count_paint(s, RED) > 10);
    shot_close(s);
}

// A triangle, one without area, one that is a point, all at one position, also without contacts.
static void small_and_flat_meshes_can_be_drawn(void **state)
{
    (void)state;
    static const double shapes[][3][3] = {{{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}},
                                          {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}, {2.0, 2.0, 2.0}},
                                          {{3.0, 3.0, 3.0}, {3.0, 3.0, 3.0}, {3.0, 3.0, 3.0}}};
    for (int i = 0; i < 9; i++) {
        shot *s = open_shot();
        for (int j = 0; j < 2; j++) {
            test_mesh mesh = {0};
            test_mesh_add_loose_triangle(&mesh, shapes[j == 0 ? i % 3 : i / 3]);
            shot_add(s, mesh, grz_pose_identity());
        }
        take(s);
        shot_close(s);
    }
}

static void scenes_are_drawn(void **state)
{
    (void)state;
    shot *s = open_shot();
    for (int i = 0; i < 3; i++)
        shot_add(s, test_mesh_icosphere(1.0, 2), grz_pose_from_translation(1.5 * i, 0.0, 0.1 * i));
    shot_ask_scene(s);
    s->objects[3] = (grz_object){.mesh = NULL}; // a number that is free
    assert_int_equal(grz_picture_draw(s->device, s->objects, 4, s->result, &s->options, s->pixels, &s->view, NULL),
                     GRZ_OK);
    expect_curves(s);
    assert_true(count_paint(s, ORANGE) > 50 && count_paint(s, BLUE) > 50);
    shot_close(s);
}

static void wrong_options_are_refused(void **state)
{
    (void)state;
    shot *s = open_shot();
    grz_device *other = test_device_open(1);
    grz_error error = {0};
    shot_add(s, test_mesh_icosphere(1.0, 1), grz_pose_identity());
    const grz_picture_options good = s->options;
    for (int i = 0; i < 8; i++) {
        s->options = good;
        s->options.size = i == 0 ? sizeof(size_t) : i == 7 ? SIZE_MAX : sizeof good;
        s->options.width = i == 1 ? 0 : i == 2 ? 1000000 : WIDTH;
        s->options.up[1] = i == 3 ? 0.0 : i == 4 ? (double)NAN : 1.0;
        s->options.has_direction = i == 5 || i == 6;
        s->options.direction[0] = i == 6 ? HUGE_VAL : 0.0;
        assert_int_equal(grz_picture_draw(s->device, s->objects, 1, NULL, &s->options, s->pixels, NULL, &error),
                         GRZ_ERROR_ARGUMENT);
        assert_memory_equal(error.message, "picture: ", 9);
    }
    assert_int_equal(grz_picture_draw(other, s->objects, 1, NULL, &good, s->pixels, NULL, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_picture_draw(s->device, s->objects, 0, NULL, &good, s->pixels, NULL, &error),
                     GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_picture_draw(s->device, NULL, 1, NULL, &good, s->pixels, NULL, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_picture_draw(s->device, s->objects, 1, NULL, &good, NULL, NULL, &error), GRZ_ERROR_ARGUMENT);
    s->objects[0].pose.m[0][0] = (double)NAN;
    assert_int_equal(grz_picture_draw(s->device, s->objects, 1, NULL, &good, s->pixels, NULL, &error), GRZ_ERROR_POSE);
    grz_device_close(other);
    shot_close(s);
}

// Options of a program that was compiled with a smaller structure: missing members take their defaults.
static void older_options_are_accepted(void **state)
{
    (void)state;
    static const size_t sizes[] = {offsetof(grz_picture_options, height), offsetof(grz_picture_options, up),
                                   offsetof(grz_picture_options, names), offsetof(grz_picture_options, inset),
                                   offsetof(grz_picture_options, colours)};
    shot *s = open_shot();
    shot_add(s, test_mesh_icosphere(1.0, 1), grz_pose_identity());
    const grz_picture_options defaults = grz_default_picture_options();
    const size_t bytes = (size_t)defaults.width * defaults.height * 4;
    uint8_t *by_default = malloc(bytes), *by_older = malloc(bytes);
    assert_non_null(by_default);
    assert_non_null(by_older);
    assert_int_equal(grz_picture_draw(s->device, s->objects, 1, NULL, &defaults, by_default, NULL, NULL), GRZ_OK);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        grz_picture_options older = defaults;
        memset(by_older, 0, bytes);
        memset((char *)&older + sizes[i], 0xff, sizeof older - sizes[i]); // must not be read
        older.size = sizes[i];
        assert_int_equal(grz_picture_draw(s->device, s->objects, 1, NULL, &older, by_older, NULL, NULL), GRZ_OK);
        assert_memory_equal(by_default, by_older, bytes);
    }
    free(by_default);
    free(by_older);
    shot_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_are_where_they_project),
        cmocka_unit_test(pictures_are_the_same_far_away),
        cmocka_unit_test(the_side_chosen_shows_the_contact),
        cmocka_unit_test(the_bodies_fill_the_picture),
        cmocka_unit_test(bodies_have_outlines),
        cmocka_unit_test(no_body_is_hidden),
        cmocka_unit_test(the_camera_moves_nearer_to_small_contacts),
        cmocka_unit_test(the_eye_is_outside),
        cmocka_unit_test(everything_is_in_the_picture),
        cmocka_unit_test(volumes_are_drawn),
        cmocka_unit_test(faces_that_touch_are_coloured),
        cmocka_unit_test(a_mesh_with_itself),
        cmocka_unit_test(a_body_inside_another_is_visible),
        cmocka_unit_test(points_are_dots),
        cmocka_unit_test(small_and_flat_meshes_can_be_drawn),
        cmocka_unit_test(scenes_are_drawn),
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(older_options_are_accepted),
    };
    return test_gl_is_here() ? cmocka_run_group_tests(tests, NULL, NULL) : TEST_SKIPPED;
}
#else
int main(void)
{
    return test_gl_is_here() ? 1 : TEST_SKIPPED;
}
#endif
