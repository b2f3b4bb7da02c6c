// SPDX-License-Identifier: MIT
// Robots: frames against matrices, shapes against what they stand for, links against a chain worked out by hand;
// damaged URDF, which is refused with one line or read, and never crashes the reader; files of meshes; SRDF.
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include <graze/io_robot.h>
#include <graze/object.h>

#include "support_allocator.h"
#include "support_files.h"

#define SHAPE_EXCESS 1.0026 // io_robot.h: no point is further out than this times the radius

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

static void a_robot_may_be_packed_by_gzip(void **state)
{
    static const char text[] = "<robot name='r'><link name='a'/></robot>";
    file_text packed = {0};
    grz_io_robot *robot;
    grz_error error;
    (void)state;
    file_append_gzip(&packed, text, sizeof text - 1, 100);
    if (grz_io_robot_load_memory("r.urdf.gz", packed.bytes, packed.size, NULL, &robot, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    assert_string_equal(robot->links[0].name, "a");
    grz_io_robot_destroy(robot);
    packed.bytes[packed.size - 1] ^= 1; // the length
    assert_int_equal(grz_io_robot_load_memory("r.urdf.gz", packed.bytes, packed.size, NULL, &robot, &error),
                     GRZ_ERROR_FORMAT);
    free(packed.bytes);
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
        const grz_io_frame a = grz_io_frame_from_rpy(xyz[0], rpy[0]), b = grz_io_frame_from_rpy(xyz[1], rpy[1]);
        const grz_io_frame both = grz_io_frame_product(a, b);
        grz_pose pose;
        assert_int_equal(grz_pose_from_quaternion(both.translation, both.quaternion, &pose, NULL), GRZ_OK);
        for (int i = 0; i < 12; i++)
            if (!(fabs(pose.m[i / 4][i % 4] - product[i / 4][i % 4]) < 1e-13))
                fail_msg("round %d, element %d: %.17g, and the matrix has %.17g", round, i, pose.m[i / 4][i % 4],
                         product[i / 4][i % 4]);
    }
}

static grz_io_robot *read_text(const char *text)
{
    grz_io_robot *robot;
    grz_error error;
    if (grz_io_robot_load_memory("a.urdf", text, strlen(text), NULL, &robot, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    assert_true(robot->bytes_read == strlen(text));
    return robot;
}

static grz_io_model *make_shape(grz_io_shape_kind kind, double a, double b, double c)
{
    const grz_io_collision shape = {.kind = kind, .size = {a, b, c}};
    grz_io_model *model;
    grz_error error;
    if (grz_io_shape_model(&shape, NULL, &model, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return model;
}

// Distance of each face's plane from the axis or the point that a shape lies around, and that of each corner.
static void find_distances(const grz_io_model *mesh, bool flat, double *nearest, double *farthest)
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
static bool is_closed(const grz_io_model *mesh)
{
    const size_t n = mesh->corner_counts != NULL ? mesh->corner_counts[0] : 3; // the same for all faces
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

// A sphere (z counts) or a cylinder (its ends do not) of a radius.
static void check_round(grz_io_shape_kind kind, double r, bool closed)
{
    double nearest, farthest;
    grz_io_model *mesh = make_shape(kind, r, 2 * r, 0);
    find_distances(mesh, kind == GRZ_IO_SHAPE_CYLINDER, &nearest, &farthest);
    assert_true(nearest >= r && farthest <= r * SHAPE_EXCESS);
    assert_true(!closed || is_closed(mesh));
    grz_io_model_destroy(mesh);
}

static void spheres_and_cylinders_lie_within_their_facets(void **state)
{
    (void)state;
    static const double radii[] = {1, 0.1, 3e-7, 12345.678, 1e200};
    for (size_t i = 0; i < sizeof radii / sizeof *radii; i++) {
        const double r = radii[i];
        if (r < 1e100) { // squares of larger ones overflow here
            check_round(GRZ_IO_SHAPE_SPHERE, r, i == 0);
            check_round(GRZ_IO_SHAPE_CYLINDER, r, i == 0);
        }
        grz_io_model *mesh = make_shape(GRZ_IO_SHAPE_SPHERE, r, 0, 0);
        assert_true(mesh->unit_in_metres == 1 && mesh->up_axis == GRZ_IO_UP_Z);
        for (size_t k = 0; k < 3 * mesh->vertex_count; k++)
            assert_true(isfinite(mesh->positions[k]));
        grz_io_model_destroy(mesh);
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
        grz_io_model *mesh = make_shape(GRZ_IO_SHAPE_CAPSULE, r, 2 * half, 0);
        double nearest, farthest, top = 0;
        assert_true(i > 0 || is_closed(mesh));
        for (int end = -1; end <= 1; end += 2) { // from the middle of each cap
            for (size_t k = 0; k < mesh->vertex_count; k++)
                mesh->positions[3 * k + 2] += end * half;
            find_distances(mesh, false, &nearest, &farthest);
            assert_true(nearest >= r);
            for (size_t k = 0; k < mesh->vertex_count; k++) {
                const double *p = mesh->positions + 3 * k;
                if (p[2] * -end >= 0) // of this cap
                    assert_true(sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) <= r * SHAPE_EXCESS);
                mesh->positions[3 * k + 2] -= end * half;
                top = fmax(top, mesh->positions[3 * k + 2]);
            }
        }
        assert_true(top >= half + r && top <= half + r * SHAPE_EXCESS);
        grz_io_model_destroy(mesh);
    }
}

static void boxes_are_exact(void **state)
{
    (void)state;
    static const double size[3] = {0.1, 2, 3e-9};
    grz_io_model *mesh = make_shape(GRZ_IO_SHAPE_BOX, size[0], size[1], size[2]);
    assert_true(is_closed(mesh));
    assert_true(mesh->vertex_count == 8 && mesh->face_count == 6);
    for (size_t i = 0; i < 24; i++)
        assert_true(fabs(mesh->positions[i]) == size[i % 3] / 2);
    double volume = 0; // of the tetrahedra from the origin: 6 times the box's if all faces point outwards
    for (size_t i = 0; i < 24; i += 4)
        for (size_t k = 1; k < 3; k++) {
            const double *a = mesh->positions + 3 * (size_t)mesh->indices[i],
                         *b = mesh->positions + 3 * (size_t)mesh->indices[i + k],
                         *c = mesh->positions + 3 * (size_t)mesh->indices[i + k + 1];
            volume += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                      a[2] * (b[0] * c[1] - b[1] * c[0]);
        }
    assert_true(fabs(volume / (6 * 0.1 * 2 * 3e-9) - 1) < 1e-12);
    grz_io_model_destroy(mesh);
}

static void shapes_without_an_inside_are_refused(void **state)
{
    (void)state;
    static const grz_io_collision wrong[] = {{.kind = GRZ_IO_SHAPE_MESH, .mesh = "a.stl", .size = {1, 1, 1}},
                                             {.kind = GRZ_IO_SHAPE_BOX, .size = {1, 1, 0}},
                                             {.kind = GRZ_IO_SHAPE_SPHERE, .size = {-1}},
                                             {.kind = GRZ_IO_SHAPE_CYLINDER, .size = {1, 0}},
                                             {.kind = GRZ_IO_SHAPE_CAPSULE, .size = {0, 1}},
                                             {.kind = GRZ_IO_SHAPE_SPHERE, .size = {HUGE_VAL}},
                                             {.kind = (grz_io_shape_kind)9, .size = {1, 1, 1}}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        grz_io_model *model;
        grz_error error;
        assert_int_equal(grz_io_shape_model(&wrong[i], NULL, &model, &error), GRZ_ERROR_ARGUMENT);
        assert_true(model == NULL && strncmp(error.message, "make shape: ", 12) == 0);
    }
}

// Shapes without an inside are left out, those beside them keep their places; limits that are crossed are none.
static void what_has_no_inside_is_left_out(void **state)
{
    (void)state;
    grz_io_robot *r =
        read_text("<robot name='none'><link name='a'><collision><geometry><sphere radius='0'/></geometry></collision>\n"
                  "<collision name='b'><geometry><box size='1 2 3'/></geometry></collision>\n"
                  "<collision><geometry><box size='1 0 3'/></geometry></collision>\n"
                  "<collision><geometry><cylinder radius='1' length='0'/></geometry></collision>\n"
                  "<collision><geometry><capsule radius='2' length='0'/></geometry></collision></link>"
                  "<link name='b'/><joint name='j' type='revolute'><parent link='a'/><child link='b'/>"
                  "<limit lower='1' upper='-1'/></joint><link name='c'/>"
                  "<joint name='ball' type='spherical'><parent link='a'/><child link='c'/></joint></robot>");
    static const char *const notes[] = {"line 1: link a: a sphere without an inside is left out",
                                        "line 3: link a: a box without an inside is left out",
                                        "line 4: link a: a cylinder without an inside is left out",
                                        "joint j has a lower limit above its upper one: taken as without limits",
                                        "joint ball is spherical: it stays at zero"};
    assert_string_equal(r->name, "none");
    assert_int_equal(r->collision_count, 2);
    assert_int_equal(r->links[0].collision_count, 2);
    assert_true(r->collisions[0].kind == GRZ_IO_SHAPE_BOX && r->collisions[0].number == 1);
    assert_true(r->collisions[1].kind == GRZ_IO_SHAPE_CAPSULE && r->collisions[1].number == 4);
    assert_string_equal(r->collisions[0].name, "b");
    assert_null(r->collisions[1].name);
    assert_int_equal(r->left_out_count, 3);
    assert_true(r->left_out[0].kind == GRZ_IO_SHAPE_SPHERE && r->left_out[2].kind == GRZ_IO_SHAPE_CYLINDER);
    assert_true(r->left_out[1].line == 3 && r->left_out[1].link == 0);
    assert_true(r->joints[0].crossed && !r->joints[0].limited);
    assert_int_equal(r->joints[1].kind, GRZ_IO_JOINT_SPHERICAL);
    assert_int_equal(r->note_count, 5);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(r->notes[i], notes[i]);
    double values[2] = {5, 5};
    grz_io_frame frames[3];
    assert_int_equal(grz_io_robot_place(r, values, frames, NULL), GRZ_OK);
    assert_true(values[0] == 5 && values[1] == 0);
    grz_io_robot_destroy(r);
}

// A plane arm worked out by hand: a turn of a quarter at the shoulder, and joints that follow each other.
static void links_are_where_the_joints_put_them(void **state)
{
    (void)state;
    grz_io_robot *r =
        read_text("<robot><link name='a'/><link name='b'/><link name='c'/><link name='d'/>"
                  "<joint name='slide' type='prismatic'><parent link='b'/><child link='c'/><origin xyz='2 0 0'/>"
                  "<axis xyz='3 0 0'/></joint>"
                  "<joint name='turn' type='revolute'><parent link='a'/><child link='b'/><origin xyz='0 0 1'/>"
                  "<axis xyz='0 0 5'/></joint>"
                  "<joint name='last' type='prismatic'><parent link='c'/><child link='d'/><axis xyz='0 1 0'/>"
                  "<mimic joint='middle' multiplier='3' offset='1'/></joint>"
                  "<link name='e'/><joint name='middle' type='prismatic'><parent link='a'/><child link='e'/>"
                  "<mimic joint='slide' multiplier='0.5' offset='-1'/></joint></robot>");
    double values[4] = {4, 1.5707963267948966, 9, 9};
    grz_io_frame frames[5];
    grz_error error;
    assert_int_equal(grz_io_robot_place(r, values, frames, NULL), GRZ_OK);
    assert_true(values[2] == 3 * (0.5 * 4 - 1) + 1 && values[3] == 0.5 * 4 - 1);
    // c: 6 along what is y after the turn; d: 4 along its y, which points to -x.
    static const double where[5][3] = {{0, 0, 0}, {0, 0, 1}, {0, 6, 1}, {-4, 6, 1}, {1, 0, 0}};
    for (size_t i = 0; i < 5; i++)
        for (size_t axis = 0; axis < 3; axis++)
            assert_true(fabs(frames[i].translation[axis] - where[i][axis]) < 1e-14);
    values[1] = (double)NAN;
    assert_int_equal(grz_io_robot_place(r, values, frames, &error), GRZ_ERROR_ARGUMENT);
    assert_true(error.element == 1 && strstr(error.message, "joint turn") != NULL);
    grz_io_robot_destroy(r);
}

// The sine of libgraze_io is that of libgraze, bit for bit.
static void a_turn_has_the_bits_of_grz_sine_cosine(void **state)
{
    (void)state;
    const grz_io_joint joint = {.kind = GRZ_IO_JOINT_REVOLUTE, .axis = {0, 0, 1}};
    uint64_t seed = 3;
    for (int round = 0; round < 20000; round++) {
        const double angle = ldexp(random_number(&seed), round % 60 - 20);
        double s, c;
        grz_sine_cosine(angle / 2, &s, &c);
        const double length = sqrt(s * s + c * c);
        const grz_io_frame turned = grz_io_joint_motion(&joint, angle);
        if (turned.quaternion[2] != s / length || turned.quaternion[3] != c / length)
            fail_msg("%a: %a %a", angle, turned.quaternion[2], turned.quaternion[3]);
    }
}

static void a_long_chain_stays_rigid(void **state)
{
    (void)state;
    grz_io_frame frame = grz_io_frame_identity();
    const grz_io_joint joint = {.kind = GRZ_IO_JOINT_CONTINUOUS, .axis = {0.6, 0, 0.8}};
    for (int i = 0; i < 100000; i++) {
        const grz_io_frame step = grz_io_joint_motion(&joint, 0.001 * i);
        frame = grz_io_frame_product(frame, step);
    }
    const double *q = frame.quaternion;
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
        char text[400];
        grz_io_robot *r;
        grz_error error;
        snprintf(text, sizeof text,
                 "<robot><link name='a'>\n<collision><geometry>%s</geometry></collision></link></robot>", wrong[i]);
        if (grz_io_robot_load_memory("a.urdf", text, strlen(text), NULL, &r, &error) != GRZ_ERROR_FORMAT)
            fail_msg("read: %s", wrong[i]);
        if (r != NULL || error.element != 2 || strncmp(error.message, "a.urdf: line 2: link a: ", 24) != 0)
            fail_msg("%s: %s", wrong[i], error.message);
    }
}

// What nobody has evaluated is refused with the command that does.
static void macros_are_told_by_name(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "<robot xmlns:xacro='x'><xacro:property name='a' value='1'/><link name='a'/></robot>",
        "<robot><link name='a'><visual><xacro:shape/></visual></link></robot>",
        "<robot><link name='a'><collision><geometry><box size='${x} 1 1'/></geometry></collision></link></robot>",
        ("<robot><link name='a'><collision><geometry><mesh filename='$(find b)/c.stl'/></geometry></collision></link>"
         "</robot>")};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        grz_io_robot *r;
        grz_error error;
        assert_int_equal(grz_io_robot_load_memory(NULL, wrong[i], strlen(wrong[i]), NULL, &r, &error),
                         GRZ_ERROR_FORMAT);
        if (strstr(error.message, "this is xacro: run `xacro FILE > robot.urdf`") == NULL)
            fail_msg("%s: %s", wrong[i], error.message);
    }
    // A file that xacro has made may still name xacro's namespace.
    grz_io_robot_destroy(read_text("<robot xmlns:xacro='http://www.ros.org/wiki/xacro'><link name='a'/></robot>"));
}

// The ground and elements of extensions, of which notes tell.
static void other_programs_words_are_noted(void **state)
{
    (void)state;
    grz_io_robot *r =
        read_text("<robot><link name='a'><collision><geometry><d:convex/><box size='1 1 1'/></geometry></collision>"
                  "</link>\n<joint name='j' type='prismatic'><parent link='world'/><child link='a'/>"
                  "<origin xyz='0 0 2'/></joint></robot>");
    double values[1] = {1};
    grz_io_frame frames[2];
    assert_true(r->link_count == 2 && r->collision_count == 1 && r->order[0] == 1);
    assert_string_equal(r->links[1].name, "world");
    assert_int_equal(grz_io_robot_place(r, values, frames, NULL), GRZ_OK);
    assert_true(frames[0].translation[2] == 2 && frames[0].translation[0] == 1);
    assert_int_equal(r->note_count, 2);
    assert_string_equal(r->notes[0], "line 1: link a: d:convex is not heeded");
    assert_string_equal(r->notes[1], "line 2: there is no link world: it is taken as the ground, without geometry");
    grz_io_robot_destroy(r);
    static const char *const wrong[] = {
        ("<robot><link name='a'/><link name='b'/><joint name='j' type='fixed'><parent link='world'/><child link='b'/>"
         "</joint></robot>"),
        "<robot><link name='a'/><joint name='j' type='fixed'><parent link='a'/><child link='world'/></joint></robot>",
        "<robot><link name='a'><collision><geometry><d:a/><d:b/></geometry></collision></link></robot>",
        "<robot><link name='a'><collision><geometry><d:a/></geometry></collision></link></robot>"};
    static const char *const reasons[] = {"it has no parent, and neither has", "its child world is no link",
                                          "a collision needs a geometry of one shape", "unknown shape d:a"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        grz_error error;
        assert_int_equal(grz_io_robot_load_memory("a", wrong[i], strlen(wrong[i]), NULL, &r, &error), GRZ_ERROR_FORMAT);
        if (strstr(error.message, reasons[i]) == NULL)
            fail_msg("%s: %s", wrong[i], error.message);
    }
}

// A pose or a part that another reader would see, and this one would not.
static void what_another_reader_would_see_is_refused(void **state)
{
    (void)state;
    static const char link[] =
        "<robot>%s<link name='a'/><link name='b'><collision>%s<geometry><box size='1 1 1'/></geometry>%s"
        "</collision></link><joint name='j' type='revolute'><parent link='a'/><child link='b'/>%s"
        "</joint></robot>";
    static const struct {
        const char *top, *collision, *more, *joint, *what;
    } cases[] = {
        {"", "<origin xyz='1 2 3'/><origin xyz='4 5 6'/>", "", "",
         "link b: a second origin in the collision of line 1"},
        {"", "", "<geometry><sphere radius='1'/></geometry>", "", "a second geometry in the collision"},
        {"", "<origin quat_xyzw='0 0 1 0'/>", "", "", "link b: origin has xyz and rpy, and no quat_xyzw"},
        {"", "", "", "<origin wxyz='1 0 0 0'/>", "joint j: origin has xyz and rpy, and no wxyz"},
        {"", "", "", "<origin/><origin/>", "joint j: a second origin"},
        {"", "", "", "<axis xyz='1 0 0'/><axis xyz='0 1 0'/>", "joint j: a second axis"},
        {"", "", "", "<limit lower='0' upper='1'/><limit lower='0' upper='2'/>", "joint j: a second limit"},
        {"", "", "", "<parent link='b'/>", "joint j: a second parent"},
        {"", "", "", "<mimic joint='k'/><mimic joint='l'/>", "joint j: a second mimic"},
        {"<include filename='b.urdf'/>", "", "", "", "include: it includes another file, which is not read"},
        {"<xi:include href='b.urdf'/>", "", "", "", "xi:include: it includes another file, which is not read"},
        {"", "<xi:include href='b.urdf'/>", "", "", "link b: xi:include: it includes another file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1000];
        grz_io_robot *r;
        grz_error error;
        (void)snprintf(text, sizeof text, link, cases[i].top, cases[i].collision, cases[i].more, cases[i].joint);
        assert_int_equal(grz_io_robot_load_memory("a", text, strlen(text), NULL, &r, &error), GRZ_ERROR_FORMAT);
        if (strstr(error.message, cases[i].what) == NULL)
            fail_msg("%s: %s", text, error.message);
    }
    char text[1000];
    (void)snprintf(text, sizeof text, link, "<gazebo><plugin><include/></plugin></gazebo>",
                   "<origin xyz='1 2 3' d:frame='w'/>", "", "<axis xyz='1 0 0'/>");
    grz_io_robot_destroy(read_text(text));
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
    char reason[600] = "";
    grz_io_options options = grz_io_default_options();
    grz_io_robot *r;
    unsigned char *copy = malloc(count + 1); // an exact end, for the sanitizers
    memcpy(copy, bytes, count);
    options.reason = reason;
    options.reason_size = sizeof reason;
    if (grz_io_robot_load_memory("a.urdf", copy, count, &options, &r, NULL) == GRZ_OK) {
        double *values = calloc(r->joint_count + 1, sizeof *values);
        grz_io_frame *frames = calloc(r->link_count + 1, sizeof *frames);
        assert_int_equal(grz_io_robot_place(r, values, frames, NULL), GRZ_OK);
        free(values);
        free(frames);
        grz_io_robot_destroy(r);
    } else {
        assert_true(reason[0] != '\0' && strchr(reason, '\n') == NULL);
        assert_null(r);
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

// Each allocation fails in turn: nothing is lost, and the failure is told.
static void memory_that_runs_out_is_an_error(void **state)
{
    (void)state;
    size_t size;
    unsigned char *bytes = read_file("tests/cli/data/robot/arm.urdf", &size);
    const grz_io_collision capsule = {.kind = GRZ_IO_SHAPE_CAPSULE, .size = {1, 1}};
    static const char rules[] = "<robot><disable_collisions link1='a' link2='b' reason='c'/></robot>";
    for (int what = 0; what < 3; what++) {
        grz_status status = GRZ_ERROR_MEMORY;
        for (long from = 1; status != GRZ_OK; from++) {
            test_strict_allocator memory = {.lock = PTHREAD_MUTEX_INITIALIZER, .fail_at = from, .for_good = true};
            grz_io_options options = grz_io_default_options();
            grz_io_robot *r = NULL;
            grz_io_srdf *srdf = NULL;
            grz_io_model *model = NULL;
            options.allocator = test_strict_allocator_of(&memory);
            if (what == 0)
                status = grz_io_robot_load_memory("a.urdf", bytes, size, &options, &r, NULL);
            else if (what == 1)
                status = grz_io_srdf_load_memory("a.srdf", rules, strlen(rules), &options, &srdf, NULL);
            else
                status = grz_io_shape_model(&capsule, &options, &model, NULL);
            assert_true(status == GRZ_OK || status == GRZ_ERROR_MEMORY);
            assert_true((status == GRZ_OK) == (r != NULL || srdf != NULL || model != NULL) && from < 1000);
            grz_io_robot_destroy(r);
            grz_io_srdf_destroy(srdf);
            grz_io_model_destroy(model);
            assert_true(memory.bytes == 0 && !memory.misused);
        }
    }
    free(bytes);
}

static void limits_hold(void **state)
{
    (void)state;
    size_t size;
    unsigned char *bytes = read_file("data/robot/fer_arm.urdf", &size);
    volatile int cancel = 1;
    grz_io_options options = grz_io_default_options();
    grz_io_robot *r;
    grz_error error;
    options.limits.cancel = &cancel;
    assert_int_equal(grz_io_robot_load_memory(NULL, bytes, size, &options, &r, &error), GRZ_ERROR_CANCELLED);
    assert_string_equal(error.message, "memory: cancelled");
    options.limits.cancel = NULL;
    options.limits.memory_limit = 2000;
    assert_int_equal(grz_io_robot_load_memory(NULL, bytes, size, &options, &r, &error), GRZ_ERROR_MEMORY);
    options.limits.memory_limit = 0;
    options.size = 1;
    assert_int_equal(grz_io_robot_load_memory(NULL, bytes, size, &options, &r, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_io_robot_load_file("/nowhere/a.urdf", NULL, &r, &error), GRZ_ERROR_FILE);
    assert_int_equal(grz_io_robot_load_file(NULL, NULL, &r, &error), GRZ_ERROR_ARGUMENT);
    assert_true(r == NULL && strcmp(error.message, "load robot: path is NULL") == 0);
    free(bytes);
}

// ---- the files of meshes

static void find_mesh(const char *robot, const char *mesh, const char *expected, size_t package)
{
    static const grz_io_package packages[] = {{"one", "/p/1"}, {"on", "/p/2/"}};
    char path[1000];
    size_t used;
    grz_error error;
    if (grz_io_robot_find_mesh(robot, mesh, packages, 2, path, sizeof path, &used, &error) != GRZ_OK)
        fail_msg("%s: %s", mesh, error.message);
    assert_string_equal(path, expected);
    assert_true(used == package);
}

static void meshes_are_found_by_their_names(void **state)
{
    (void)state;
    char directory[FILE_PATH_SIZE], folder[FILE_PATH_SIZE + 8], robot[FILE_PATH_SIZE + 8], unused[FILE_PATH_SIZE],
        expected[PATH_MAX + 8], path[PATH_MAX];
    grz_error error;
    find_mesh("a/b/c.urdf", "d/e.stl", "a/b/d/e.stl", GRZ_IO_NONE);
    find_mesh("c.urdf", "d/e.stl", "d/e.stl", GRZ_IO_NONE);
    find_mesh("a/c.urdf", "/d/e.stl", "/d/e.stl", GRZ_IO_NONE);
    find_mesh("a/c.urdf", "file:///d/e.stl", "/d/e.stl", GRZ_IO_NONE);
    find_mesh("a/c.urdf", "file://d/e.stl", "a/d/e.stl", GRZ_IO_NONE);
    find_mesh("a/c.urdf", "package://one/d/e.stl", "/p/1/d/e.stl", 0);
    find_mesh("a/c.urdf", "package://on/d/e.stl", "/p/2/d/e.stl", 1);
    // Beside the folder that holds the robot; within a folder of the package's name.
    make_test_directory(directory);
    (void)snprintf(folder, sizeof folder, "%s/pack", directory);
    assert_int_equal(mkdir(folder, 0700), 0);
    write_test_file(folder, "a.urdf", "", 0, robot);
    write_test_file(folder, "m.stl", "", 0, unused);
    (void)snprintf(expected, sizeof expected, "%s/m.stl", realpath(folder, path));
    find_mesh(robot, "package://pack/m.stl", expected, GRZ_IO_NONE);
    (void)snprintf(robot, sizeof robot, "%s/b.urdf", directory);
    write_test_file(directory, "b.urdf", "", 0, robot);
    find_mesh(robot, "package://pack/m.stl", expected, GRZ_IO_NONE);
    // By the name in package.xml. Where a mesh would be that is not in a package which has one.
    static const char about[] = "<package format='2'><name>told</name><version>1</version></package>";
    write_test_file(directory, "package.xml", about, strlen(about), unused);
    (void)snprintf(expected, sizeof expected, "%s/b.urdf", realpath(directory, path));
    find_mesh(robot, "package://told/b.urdf", expected, GRZ_IO_NONE);
    (void)snprintf(expected, sizeof expected, "%s/no.stl", realpath(directory, path));
    find_mesh(robot, "package://told/no.stl", expected, GRZ_IO_NONE);
    static const struct {
        const char *mesh, *message;
        grz_status status;
    } wrong[] = {{"package://other/m.stl", "package other is not found near the file", GRZ_ERROR_FILE},
                 {"package://pack/no.stl", "package pack is not found near the file", GRZ_ERROR_FILE},
                 {"package://pack", "must be package://NAME/path", GRZ_ERROR_FORMAT},
                 {"package:///a", "must be package://NAME/path", GRZ_ERROR_FORMAT},
                 {"http://a/b.stl", "only package:// and file:// are known", GRZ_ERROR_UNSUPPORTED}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(grz_io_robot_find_mesh(robot, wrong[i].mesh, NULL, 0, path, sizeof path, NULL, &error),
                         wrong[i].status);
        assert_true(strncmp(error.message, wrong[i].mesh, strlen(wrong[i].mesh)) == 0);
        assert_string_equal(error.message + strlen(wrong[i].mesh) + 2, wrong[i].message);
        assert_string_equal(path, "");
    }
    assert_int_equal(grz_io_robot_find_mesh(robot, "m.stl", NULL, 0, path, 4, NULL, &error), GRZ_ERROR_ARGUMENT);
    remove_test_directory(folder);
    remove_test_directory(directory);
}

// ---- SRDF

static void rules_are_read(void **state)
{
    (void)state;
    static const char text[] = "<?xml version='1.0'?>\n<robot name='a'>\n<group name='b'/>\n"
                               "<disable_collisions link1='x' link2='y' reason='Never'/>\n"
                               "<disable_collisions link1='y' link2='z'/></robot>";
    static const char *const wrong[] = {"<robot>\n<disable_collisions link1='x'/></robot>", "\n<sdf/>", "<robot>\n",
                                        "<!DOCTYPE a [\n<!ENTITY b 'c'>]><robot/>"};
    grz_io_srdf *srdf;
    grz_error error;
    assert_int_equal(grz_io_srdf_load_memory("a", text, strlen(text), NULL, &srdf, NULL), GRZ_OK);
    assert_int_equal(srdf->disabled_count, 2);
    assert_string_equal(srdf->name, "a");
    assert_string_equal(srdf->disabled[0].link1, "x");
    assert_string_equal(srdf->disabled[0].link2, "y");
    assert_string_equal(srdf->disabled[0].reason, "Never");
    assert_string_equal(srdf->disabled[1].link2, "z");
    assert_true(srdf->disabled[1].reason == NULL && srdf->disabled[1].line == 5);
    grz_io_srdf_destroy(srdf);
    assert_int_equal(grz_io_srdf_load_memory("a", "<robot/>", 8, NULL, &srdf, NULL), GRZ_OK);
    assert_true(srdf->disabled_count == 0 && strcmp(srdf->name, "") == 0);
    grz_io_srdf_destroy(srdf);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(grz_io_srdf_load_memory("a", wrong[i], strlen(wrong[i]), NULL, &srdf, &error),
                         GRZ_ERROR_FORMAT);
        if (srdf != NULL || strncmp(error.message, "a: line 2: ", 11) != 0)
            fail_msg("%s: %s", wrong[i], error.message);
    }
    assert_int_equal(grz_io_srdf_load_file("/nowhere/a.srdf", NULL, &srdf, &error), GRZ_ERROR_FILE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_robot_may_be_packed_by_gzip),
                                       cmocka_unit_test(frames_combine_as_matrices_do),
                                       cmocka_unit_test(spheres_and_cylinders_lie_within_their_facets),
                                       cmocka_unit_test(capsules_lie_within_their_facets),
                                       cmocka_unit_test(boxes_are_exact),
                                       cmocka_unit_test(shapes_without_an_inside_are_refused),
                                       cmocka_unit_test(what_has_no_inside_is_left_out),
                                       cmocka_unit_test(links_are_where_the_joints_put_them),
                                       cmocka_unit_test(a_turn_has_the_bits_of_grz_sine_cosine),
                                       cmocka_unit_test(a_long_chain_stays_rigid),
                                       cmocka_unit_test(attributes_are_read_strictly),
                                       cmocka_unit_test(macros_are_told_by_name),
                                       cmocka_unit_test(other_programs_words_are_noted),
                                       cmocka_unit_test(what_another_reader_would_see_is_refused),
                                       cmocka_unit_test(damaged_robots_are_refused_or_read),
                                       cmocka_unit_test(memory_that_runs_out_is_an_error),
                                       cmocka_unit_test(limits_hold),
                                       cmocka_unit_test(meshes_are_found_by_their_names),
                                       cmocka_unit_test(rules_are_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
