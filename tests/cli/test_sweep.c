// SPDX-License-Identifier: MIT
// Chains of joints: velocities against differences, and the bounds of travel and acceleration against sampled motion of
// random robots. The robot arm of data/: what is proved about pairs of links against sampling.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/io.h>

#include "support_queries.h"
#include "sweep/chain.h"

enum {
    MOST = 6 // joints of a random robot
};

typedef struct random_robot {
    grz_io_robot is;
    grz_io_link links[MOST + 1];
    grz_io_joint joints[MOST];
    grz_io_collision shape;
    double from[MOST], to[MOST];
} random_robot;

static grz_io_frame random_frame(random_stream *random)
{
    double xyz[3], rpy[3];
    for (int i = 0; i < 3; i++) {
        xyz[i] = random_signed(random);
        rpy[i] = 3.0 * random_signed(random);
    }
    return grz_io_frame_from_rpy(xyz, rpy);
}

// A chain of joints that turn, shift, or stay, with a scaled mesh at its end.
static void make_robot(random_stream *random, random_robot *r)
{
    const size_t count = 1 + random_below(random, MOST);
    *r = (random_robot){.is = {.link_count = count + 1, .joint_count = count}};
    r->is.links = r->links;
    r->is.joints = r->joints;
    r->links[0].joint = GRZ_IO_NONE;
    for (size_t i = 0; i < count; i++) {
        grz_io_joint *joint = &r->joints[i];
        const double angle = 3.0 * random_signed(random), z = random_signed(random), flat = sqrt(1.0 - z * z);
        *joint = (grz_io_joint){.kind = random_below(random, 3) != 0 ? GRZ_IO_JOINT_REVOLUTE : GRZ_IO_JOINT_PRISMATIC,
                                .parent = i,
                                .child = i + 1,
                                .origin = random_frame(random),
                                .axis = {flat * cos(angle), flat * sin(angle), z},
                                .mimic = GRZ_IO_NONE};
        r->links[i + 1].joint = i;
        r->from[i] = 2.0 * random_signed(random);
        r->to[i] = random_below(random, 4) != 0 ? 2.0 * random_signed(random) : r->from[i];
    }
    r->shape = (grz_io_collision){.link = count, .kind = GRZ_IO_SHAPE_MESH, .origin = random_frame(random)};
    for (int k = 0; k < 3; k++)
        r->shape.size[k] = 1.0 + 0.5 * random_signed(random);
}

static void corner_at(const grz_motion_path *path, double t, int i, double at[3])
{
    const double corner[3] = {(i & 1) != 0 ? 0.5 : -0.5, (i & 2) != 0 ? 0.5 : -0.5, (i & 4) != 0 ? 0.5 : -0.5};
    grz_pose pose;
    path->pose(path->user, t, &pose);
    grz_pose_apply(pose, corner, at);
}

static double apart(const double p[3], const double q[3])
{
    return sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) + (p[2] - q[2]) * (p[2] - q[2]));
}

// By differences over h of the motion of a corner at t.
static void check_corner(const grz_motion_path *path, double t, int i)
{
    const double h = 1e-4;
    double before[3], at[3], after[3], velocity[3] = {0}, spin[3] = {0}, speed[3], bend[3], zero[3] = {0};
    grz_pose pose;
    path->pose(path->user, t, &pose);
    path->velocity(path->user, t, velocity, spin);
    corner_at(path, t - h, i, before);
    corner_at(path, t, i, at);
    corner_at(path, t + h, i, after);
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        speed[k] = velocity[k] + spin[l] * (at[m] - pose.m[m][3]) - spin[m] * (at[l] - pose.m[l][3]);
        bend[k] = (after[k] - 2.0 * at[k] + before[k]) / (h * h);
        assert_true(fabs((after[k] - before[k]) / (2.0 * h) - speed[k]) < 1e-4);
    }
    assert_true(apart(bend, zero) <= path->acceleration * (1.0 + 1e-3) + 1e-3);
    assert_true(apart(before, after) <= path->travel(path->user, t - h, t + h) + 1e-12);
}

static void bounds_hold_for_random_chains(void **state)
{
    random_stream random = random_stream_of_block(PAIR_RANDOM, 12);
    grz_device *device = test_device_open(1);
    test_mesh cube = test_mesh_cube(-0.5, -0.5, -0.5, 1.0);
    grz_mesh *mesh = test_mesh_upload(device, &cube);
    double tightest = HUGE_VAL;
    (void)state;
    for (int round = 0; round < 200; round++) {
        random_robot r;
        chain c;
        make_robot(&random, &r);
        const chain_view view = {&r.is, r.from, r.to, 0};
        assert_true(chain_make(&c, &view, &r.shape, mesh));
        const grz_motion motion = chain_motion(&c);
        for (int i = 0; i < 8 && motion.kind == GRZ_MOTION_PATH; i++)
            for (int k = 1; k < 10; k++)
                check_corner(&motion.path, 0.1 * k, i);
        if (motion.kind == GRZ_MOTION_PATH) {
            double begin[3], end[3];
            corner_at(&motion.path, 0.5, 0, begin);
            corner_at(&motion.path, 0.5001, 0, end);
            tightest = fmin(tightest, motion.path.travel(motion.path.user, 0.5, 0.5001) / apart(begin, end));
        }
        chain_finish(&c);
    }
    assert_true(tightest < 1.5); // bounds are not idly large
    grz_mesh_destroy(mesh);
    grz_device_close(device);
    test_mesh_finish(&cube);
}

// ---- The arm ------------------------------------------------------------------------------------------------------

enum {
    LINKS = 9,
    SAMPLES = 150
};

static grz_io_robot *read_arm(void)
{
    const char *folder = getenv("GRZ_SOURCE_DIR");
    char path[512];
    grz_io_robot *arm;
    snprintf(path, sizeof path, "%s/data/robot/fer_arm.urdf", folder != NULL ? folder : ".");
    assert_int_equal(grz_io_robot_load_file(path, NULL, &arm, NULL), GRZ_OK);
    assert_int_equal(arm->collision_count, LINKS);
    return arm;
}

// The first sampled time at which the two touch; infinite: none.
static double sample(grz_device *device, grz_result *result, const grz_mesh *const meshes[2], const chain chains[2])
{
    grz_collide_options options = grz_default_collide_options();
    options.find = 0;
    for (int i = 0; i <= SAMPLES; i++) {
        grz_object objects[2];
        for (int k = 0; k < 2; k++) {
            const grz_motion motion = chain_motion(&chains[k]);
            objects[k] = grz_object_at_origin(meshes[k]);
            assert_int_equal(grz_motion_pose(&motion, (double)i / SAMPLES, &objects[k].pose, NULL), GRZ_OK);
        }
        assert_int_equal(grz_collide(device, &objects[0], &objects[1], &options, result, NULL), GRZ_OK);
        if (grz_result_summary(result)->colliding)
            return (double)i / SAMPLES;
    }
    return HUGE_VAL;
}

static void the_arm_agrees_with_samples(void **state)
{
    random_stream random = random_stream_of_block(PAIR_RANDOM, 3);
    grz_device *device = test_device_open(1);
    grz_result *result = test_result_create(device);
    grz_mesh *meshes[LINKS];
    grz_io_robot *arm = read_arm();
    int contacts = 0, clear = 0;
    (void)state;
    for (int i = 0; i < LINKS; i++) {
        char path[64];
        snprintf(path, sizeof path, "data/robot/%s", arm->collisions[i].mesh);
        test_mesh mesh = test_mesh_load(path);
        meshes[i] = test_mesh_upload(device, &mesh);
        test_mesh_finish(&mesh);
    }
    for (int round = 0; round < 6; round++) {
        double from[16] = {0}, to[16] = {0};
        for (size_t k = 0; k < arm->joint_count; k++) {
            const grz_io_joint *joint = &arm->joints[k];
            const double middle = 0.5 * (joint->lower + joint->upper), half = 0.5 * (joint->upper - joint->lower);
            from[k] = joint->limited ? middle + half * random_signed(&random) : 0.0;
            to[k] = joint->limited ? middle + half * random_signed(&random) : 0.0;
            if (round % 2 != 0 && (k == 1 || k == 3)) // fold it
                to[k] = k == 1 ? joint->upper : joint->lower;
        }
        for (int i = 0; i < LINKS; i++)
            for (int k = i + 3; k < LINKS; k++) {
                const grz_io_collision *shapes[2] = {&arm->collisions[i], &arm->collisions[k]};
                const chain_view view = {arm, from, to, chain_common_link(arm, shapes[0]->link, shapes[1]->link)};
                const grz_mesh *const pair[2] = {meshes[i], meshes[k]};
                chain chains[2];
                assert_true(chain_make(&chains[0], &view, shapes[0], pair[0]) &&
                            chain_make(&chains[1], &view, shapes[1], pair[1]));
                const grz_motion a = chain_motion(&chains[0]), b = chain_motion(&chains[1]);
                grz_move_answer answer;
                assert_int_equal(grz_move_rigid(device, (grz_object[]){grz_object_at_origin(pair[0])}, &a,
                                                (grz_object[]){grz_object_at_origin(pair[1])}, &b, NULL, &answer, NULL),
                                 GRZ_OK);
                const double first = sample(device, result, pair, chains);
                assert_true(TEST_LABEL_FITS(answer));
                if (!(first >= answer.lower))
                    print_message("round %d, links %d %d: sampled %g, [%.17g, %.17g]\n", round, i, k, first,
                                  answer.lower, answer.upper);
                assert_true(first >= answer.lower);
                contacts += answer.has_contact;
                clear += !answer.has_contact;
                chain_finish(&chains[0]);
                chain_finish(&chains[1]);
            }
    }
    print_message("%d contacts, %d clear\n", contacts, clear);
    assert_true(contacts > 3 && clear > 50);
    for (int i = 0; i < LINKS; i++)
        grz_mesh_destroy(meshes[i]);
    grz_io_robot_destroy(arm);
    grz_result_destroy(result);
    grz_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_hold_for_random_chains),
        cmocka_unit_test(the_arm_agrees_with_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
