// SPDX-License-Identifier: MIT
// Robots: frames against matrices, shapes against what they stand for, links against a chain worked out by hand, and
// damaged URDF, which is refused with one line or read, and never crashes the reader.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/object.h>

#include "robot/shapes.h"

// A matrix that is turned and shifted as URDF says: Rz(yaw) Ry(pitch) Rx(roll).
static void matrix_of(const double xyz[3], const double rpy[3], double m[3][4])
{
    const double a = cos(rpy[2]), b = sin(rpy[2]), c = cos(rpy[1]), d = sin(rpy[1]), e = cos(rpy[0]), f = sin(rpy[0]);
    const double rows[3][3] = {{a * c, a * d * f - b * e, a * d * e + b * f},
                               {b * c, b * d * f + a * e, b * d * e - a * f},
                               {-d, c * f, c * e}};
    for (int row = 0; row < 3; row++) {
        memcpy(m[row], rows[row], sizeof rows[row]);
        m[row][3] = xyz[row];
    }
}

static void multiply(double x[3][4], double y[3][4], double out[3][4])
{
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            out[row][column] = x[row][0] * y[0][column] + x[row][1] * y[1][column] + x[row][2] * y[2][column] +
                               (column == 3 ? x[row][3] : 0.0);
}

static double random_number(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (double)(*state >> 11) * 0x1p-53 * 8 - 4;
}

static void frames_combine_as_matrices_do(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < 1000; round++) {
        double xyz[2][3], rpy[2][3], one[3][4], other[3][4], product[3][4];
        for (int i = 0; i < 12; i++)
            (i < 6 ? xyz : rpy)[i / 3 % 2][i % 3] = random_number(&seed);
        matrix_of(xyz[0], rpy[0], one);
        matrix_of(xyz[1], rpy[1], other);
        multiply(one, other, product);
        const robot_frame a = frame_from_origin(xyz[0], rpy[0]), b = frame_from_origin(xyz[1], rpy[1]);
        const robot_frame both = frame_combine(&a, &b);
        grz_pose pose;
        assert_int_equal(grz_pose_from_quaternion(both.shift, both.turn, &pose, NULL), GRZ_OK);
        for (int i = 0; i < 12; i++)
            if (!(fabs(pose.m[i / 4][i % 4] - product[i / 4][i % 4]) < 1e-13))
                fail_msg("round %d, element %d: %.17g, and the matrix has %.17g", round, i, pose.m[i / 4][i % 4],
                         product[i / 4][i % 4]);
    }
}

static void read_text(const char *text, robot_model *out)
{
    char message[800] = "";
    if (!robot_read((const unsigned char *)text, strlen(text), out, message, sizeof message))
        fail_msg("%s", message);
}

// Distance of each face's plane from the axis or the point that a shape lies around, and that of each corner.
static void find_distances(const shape_mesh *mesh, bool flat, double *nearest, double *farthest)
{
    *nearest = HUGE_VAL;
    *farthest = 0;
    for (size_t i = 0; i < mesh->index_count; i += 3) {
        const double *p[3];
        double n[3];
        for (size_t k = 0; k < 3; k++)
            p[k] = mesh->positions + 3 * (size_t)mesh->indices[i + k];
        for (int k = 0; k < 3; k++) {
            const int x = (k + 1) % 3, y = (k + 2) % 3;
            n[k] = (p[1][x] - p[0][x]) * (p[2][y] - p[0][y]) - (p[1][y] - p[0][y]) * (p[2][x] - p[0][x]);
        }
        const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        const double distance = (n[0] * p[0][0] + n[1] * p[0][1] + n[2] * p[0][2]) / length;
        assert_true(distance > 0); // it faces outwards
        if (!flat || fabs(n[2]) < 1e-9 * length)
            *nearest = fmin(*nearest, distance);
        for (size_t k = 0; k < 3; k++)
            *farthest = fmax(*farthest, sqrt(p[k][0] * p[k][0] + p[k][1] * p[k][1] + (flat ? 0 : p[k][2] * p[k][2])));
    }
}

// True if each edge is on two faces, once in either direction.
static bool is_closed(const shape_mesh *mesh)
{
    const size_t n = mesh->corners_per_face;
    for (size_t i = 0; i < mesh->index_count; i++) {
        const uint32_t from = mesh->indices[i], to = mesh->indices[i / n * n + (i % n + 1) % n];
        size_t back = 0, same = 0;
        for (size_t k = 0; k < mesh->index_count; k++) {
            const uint32_t a = mesh->indices[k], b = mesh->indices[k / n * n + (k % n + 1) % n];
            back += a == to && b == from;
            same += a == from && b == to;
        }
        if (back != 1 || same != 1)
            return false;
    }
    return true;
}

static void spheres_and_cylinders_lie_within_their_facets(void **state)
{
    (void)state;
    static const double radii[] = {1, 0.1, 3e-7, 12345.678, 1e200};
    for (size_t i = 0; i < sizeof radii / sizeof *radii; i++) {
        const double r = radii[i];
        const robot_collision sphere = {.shape = ROBOT_SPHERE, .size = {r}},
                              cylinder = {.shape = ROBOT_CYLINDER, .size = {r, 2 * r}};
        double nearest, farthest;
        shape_mesh mesh;
        if (r < 1e100) { // squares of larger ones overflow here
            assert_true(shape_make(&sphere, &mesh));
            find_distances(&mesh, false, &nearest, &farthest);
            assert_true(nearest >= r && farthest <= r * SHAPE_EXCESS);
            if (i == 0)
                assert_true(is_closed(&mesh));
            shape_finish(&mesh);
            assert_true(shape_make(&cylinder, &mesh));
            find_distances(&mesh, true, &nearest, &farthest);
            assert_true(nearest >= r && farthest <= r * SHAPE_EXCESS);
            if (i == 0)
                assert_true(is_closed(&mesh));
            shape_finish(&mesh);
        }
        assert_true(shape_make(&sphere, &mesh));
        for (size_t k = 0; k < 3 * mesh.vertex_count; k++)
            assert_true(isfinite(mesh.positions[k]));
        shape_finish(&mesh);
    }
}

// The faces of a capsule are tangent planes of its caps, or of the cylinder: each is at least the radius from the
// segment between the caps' middles, and no corner is much farther.
static void capsules_lie_within_their_facets(void **state)
{
    (void)state;
    static const double sizes[][2] = {{1, 4}, {0.1, 0.4}, {3, 1e-3}, {2e-5, 7}, {1, 0}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const double r = sizes[i][0], half = 0.5 * sizes[i][1];
        const robot_collision capsule = {.shape = ROBOT_CAPSULE, .size = {r, 2 * half}};
        shape_mesh mesh, part;
        double nearest, farthest, top = 0;
        assert_true(shape_make(&capsule, &mesh));
        assert_true(is_closed(&mesh));
        for (int end = -1; end <= 1; end += 2) { // from the middle of each cap
            part = mesh;
            for (size_t k = 0; k < mesh.vertex_count; k++)
                mesh.positions[3 * k + 2] += end * half;
            find_distances(&part, false, &nearest, &farthest);
            assert_true(nearest >= r);
            for (size_t k = 0; k < mesh.vertex_count; k++) {
                const double *p = mesh.positions + 3 * k;
                if (p[2] * -end >= 0) // of this cap
                    assert_true(sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) <= r * SHAPE_EXCESS);
                mesh.positions[3 * k + 2] -= end * half;
                top = fmax(top, mesh.positions[3 * k + 2]);
            }
        }
        assert_true(top >= half + r && top <= half + r * SHAPE_EXCESS);
        shape_finish(&mesh);
    }
}

// Shapes without an inside are left out, those beside them keep their places; limits that are crossed are none.
static void what_has_no_inside_is_left_out(void **state)
{
    (void)state;
    robot_model r;
    read_text("<robot><link name='a'><collision><geometry><sphere radius='0'/></geometry></collision>\n"
              "<collision><geometry><box size='1 2 3'/></geometry></collision>\n"
              "<collision><geometry><box size='1 0 3'/></geometry></collision>\n"
              "<collision><geometry><cylinder radius='1' length='0'/></geometry></collision>\n"
              "<collision><geometry><capsule radius='2' length='0'/></geometry></collision></link>"
              "<link name='b'/><joint name='j' type='revolute'><parent link='a'/><child link='b'/>"
              "<limit lower='1' upper='-1'/></joint><link name='c'/>"
              "<joint name='ball' type='spherical'><parent link='a'/><child link='c'/></joint></robot>",
              &r);
    assert_int_equal(r.collision_count, 2);
    assert_int_equal(r.links[0].collision_count, 2);
    assert_true(r.collisions[0].shape == ROBOT_BOX && r.collisions[0].place == 1);
    assert_true(r.collisions[1].shape == ROBOT_CAPSULE && r.collisions[1].place == 4);
    assert_int_equal(r.left_out_count, 3);
    assert_string_equal(r.left_out[0].shape, "sphere");
    assert_string_equal(r.left_out[2].shape, "cylinder");
    assert_true(r.left_out[1].line == 3 && r.left_out[1].link == 0);
    assert_true(r.joints[0].crossed && !r.joints[0].limited);
    assert_int_equal(r.joints[1].kind, ROBOT_SPHERICAL);
    double values[2] = {5, 5};
    robot_frame frames[3];
    robot_place(&r, values, frames);
    assert_true(values[0] == 5 && values[1] == 0);
    robot_finish(&r);
}

static void boxes_are_exact(void **state)
{
    (void)state;
    const robot_collision box = {.shape = ROBOT_BOX, .size = {0.1, 2, 3e-9}};
    shape_mesh mesh;
    assert_true(shape_make(&box, &mesh));
    assert_true(is_closed(&mesh));
    assert_int_equal(mesh.vertex_count, 8);
    for (size_t i = 0; i < 24; i++)
        assert_true(fabs(mesh.positions[i]) == box.size[i % 3] / 2);
    double volume = 0; // of the tetrahedra from the origin: 6 times the box's if all faces point outwards
    for (size_t i = 0; i < 24; i += 4)
        for (size_t k = 1; k < 3; k++) {
            const double *a = mesh.positions + 3 * (size_t)mesh.indices[i],
                         *b = mesh.positions + 3 * (size_t)mesh.indices[i + k],
                         *c = mesh.positions + 3 * (size_t)mesh.indices[i + k + 1];
            volume += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                      a[2] * (b[0] * c[1] - b[1] * c[0]);
        }
    assert_true(fabs(volume / (6 * 0.1 * 2 * 3e-9) - 1) < 1e-12);
    shape_finish(&mesh);
}

// A plane arm worked out by hand: a turn of a quarter at the shoulder, and joints that follow each other.
static void links_are_where_the_joints_put_them(void **state)
{
    (void)state;
    robot_model r;
    read_text("<robot><link name='a'/><link name='b'/><link name='c'/><link name='d'/>"
              "<joint name='slide' type='prismatic'><parent link='b'/><child link='c'/><origin xyz='2 0 0'/>"
              "<axis xyz='3 0 0'/></joint>"
              "<joint name='turn' type='revolute'><parent link='a'/><child link='b'/><origin xyz='0 0 1'/>"
              "<axis xyz='0 0 5'/></joint>"
              "<joint name='last' type='prismatic'><parent link='c'/><child link='d'/><axis xyz='0 1 0'/>"
              "<mimic joint='middle' multiplier='3' offset='1'/></joint>"
              "<link name='e'/><joint name='middle' type='prismatic'><parent link='a'/><child link='e'/>"
              "<mimic joint='slide' multiplier='0.5' offset='-1'/></joint></robot>",
              &r);
    double values[4] = {4, 1.5707963267948966, 9, 9};
    robot_frame frames[5];
    robot_place(&r, values, frames);
    assert_true(values[2] == 3 * (0.5 * 4 - 1) + 1 && values[3] == 0.5 * 4 - 1);
    // c: 6 along what is y after the turn; d: 4 along its y, which points to -x.
    static const double where[5][3] = {{0, 0, 0}, {0, 0, 1}, {0, 6, 1}, {-4, 6, 1}, {1, 0, 0}};
    for (size_t i = 0; i < 5; i++)
        for (size_t axis = 0; axis < 3; axis++)
            assert_true(fabs(frames[i].shift[axis] - where[i][axis]) < 1e-14);
    robot_finish(&r);
}

static void a_long_chain_stays_rigid(void **state)
{
    (void)state;
    robot_frame frame = frame_identity();
    const double axis[3] = {0.6, 0, 0.8};
    for (int i = 0; i < 100000; i++) {
        const robot_frame step = frame_about(axis, 0.001 * i);
        frame = frame_combine(&frame, &step);
    }
    const double *q = frame.turn;
    assert_true(fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) < 1e-15);
}

static void attributes_are_read_strictly(void **state)
{
    (void)state;
    static const char *const wrong[] = {"<box size='1 1'/>",
                                        "<box size='1 1 1 1'/>",
                                        "<box size='1 1 nan'/>",
                                        "<box size='1 1 inf'/>",
                                        "<box size='1 1 1x'/>",
                                        "<box size='1,1,1'/>",
                                        "<box size='1 1 -1'/>",
                                        "<box/>",
                                        "<sphere/>",
                                        "<sphere radius='1e999'/>",
                                        "<cylinder radius='1'/>",
                                        "<cylinder length='1'/>",
                                        "<capsule radius='1'/>",
                                        "<capsule radius='-1' length='1'/>",
                                        "<mesh/>",
                                        "<mesh filename=''/>",
                                        "<mesh filename='a' scale='0 1 1'/>",
                                        "<mesh filename='a' scale='1'/>",
                                        "",
                                        "<box size='1 1 1'/><box size='1 1 1'/>"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[400], message[800] = "";
        robot_model r;
        snprintf(text, sizeof text,
                 "<robot><link name='a'>\n<collision><geometry>%s</geometry></collision></link></robot>", wrong[i]);
        if (robot_read((const unsigned char *)text, strlen(text), &r, message, sizeof message))
            fail_msg("read: %s", wrong[i]);
        if (strncmp(message, "line 2: link a: ", 16) != 0)
            fail_msg("%s: %s", wrong[i], message);
    }
}

static unsigned char *read_file(const char *path, size_t *size)
{
    const char *root = getenv("GRZ_SOURCE_DIR"); // NOLINT(concurrency-mt-unsafe): read only
    char whole[1000];
    snprintf(whole, sizeof whole, "%s/%s", root != NULL ? root : ".", path);
    FILE *file = fopen(whole, "rb");
    assert_non_null(file);
    unsigned char *bytes = malloc(1 << 16);
    assert_non_null(bytes);
    *size = fread(bytes, 1, 1 << 16, file);
    assert_true(*size > 0 && *size < 1 << 16);
    fclose(file);
    return bytes;
}

// What was damaged is refused with one line, or is a robot that can be placed.
static void try_robot(const unsigned char *bytes, size_t count)
{
    char message[800] = "";
    robot_model r;
    unsigned char *copy = malloc(count + 1); // an exact end, for the sanitizers
    memcpy(copy, bytes, count);
    if (robot_read(copy, count, &r, message, sizeof message)) {
        double *values = calloc(r.joint_count + 1, sizeof *values);
        robot_frame *frames = calloc(r.link_count + 1, sizeof *frames);
        robot_place(&r, values, frames);
        free(values);
        free(frames);
        robot_finish(&r);
    } else {
        assert_true(message[0] != '\0' && strchr(message, '\n') == NULL);
        assert_null(r.tree);
    }
    free(copy);
}

static void damaged_robots_are_refused_or_read(void **state)
{
    (void)state;
    static const char *const files[] = {"data/robot/fer_arm.urdf", "tests/cli/data/robot/arm.urdf"};
    uint64_t seed = 5;
    for (size_t f = 0; f < 2; f++) {
        size_t size;
        unsigned char *bytes = read_file(files[f], &size);
        for (size_t cut = 0; cut < size; cut += f == 0 ? 37 : 3)
            try_robot(bytes, cut);
        for (int round = 0; round < 3000; round++) {
            unsigned char *damaged = malloc(size);
            memcpy(damaged, bytes, size);
            for (int i = 0; i <= round % 4; i++) {
                const size_t at = (size_t)((random_number(&seed) + 4) / 8 * (double)size) % size;
                const size_t from = (size_t)((random_number(&seed) + 4) / 8 * (double)size) % size;
                const unsigned flipped = damaged[at] ^ (1u << (unsigned)(from % 8));
                damaged[at] = (unsigned char)(round % 2 == 0 ? bytes[from] : flipped);
            }
            try_robot(damaged, size);
            free(damaged);
        }
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(frames_combine_as_matrices_do),
                                       cmocka_unit_test(spheres_and_cylinders_lie_within_their_facets),
                                       cmocka_unit_test(capsules_lie_within_their_facets),
                                       cmocka_unit_test(what_has_no_inside_is_left_out),
                                       cmocka_unit_test(boxes_are_exact),
                                       cmocka_unit_test(links_are_where_the_joints_put_them),
                                       cmocka_unit_test(a_long_chain_stays_rigid),
                                       cmocka_unit_test(attributes_are_read_strictly),
                                       cmocka_unit_test(damaged_robots_are_refused_or_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
