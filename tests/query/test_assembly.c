// SPDX-License-Identifier: MIT
// Real assemblies: forty asteroids over forty frames (data/nbody), and a robot arm of nine links at random joint angles
// (data/robot). A scene that is moved from frame to frame must give for every pair of objects, by every method, the
// answer that grz_collide() gives for the two alone.
// ctest: timeout 900
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model.h"
#include "support_meshes.h"

enum {
    MOST_OBJECTS = 40
};

// Objects in a scene, and their present poses.
typedef struct assembly {
    grz_device *device;
    grz_scene *scene;
    grz_object objects[MOST_OBJECTS];
    uint32_t count;
    grz_result *answer, *by_naive, *one;
} assembly;

static assembly begin_assembly(void)
{
    assembly a = {.device = test_device_open(2)};
    assert_int_equal(grz_scene_create(a.device, &a.scene, NULL), GRZ_OK);
    a.answer = test_result_create(a.device);
    a.by_naive = test_result_create(a.device);
    a.one = test_result_create(a.device);
    return a;
}

static void finish_assembly(assembly *a)
{
    grz_result_destroy(a->answer);
    grz_result_destroy(a->by_naive);
    grz_result_destroy(a->one);
    grz_scene_destroy(a->scene);
    grz_device_close(a->device);
}

static void add_object(assembly *a, const grz_mesh *mesh)
{
    uint32_t id;
    a->objects[a->count] = grz_object_at_origin(mesh);
    assert_int_equal(grz_scene_add(a->scene, &a->objects[a->count], &id, NULL), GRZ_OK);
    assert_int_equal(id, a->count++);
}

static void move_object(assembly *a, uint32_t i, const grz_pose *pose)
{
    a->objects[i].pose = *pose;
    assert_int_equal(grz_scene_set_pose(a->scene, i, pose, NULL), GRZ_OK);
}

static grz_mesh *load(grz_device *device, const char *path)
{
    test_mesh read = test_mesh_load(path);
    grz_mesh *mesh = test_mesh_upload(device, &read);
    test_mesh_finish(&read);
    return mesh;
}

static void assert_same_pair(const char *what, const grz_scene_pair *pair, const grz_scene_pair *other)
{
    if (pair->a != other->a || pair->b != other->b || pair->relation != other->relation ||
        pair->containment != other->containment || pair->pair_count != other->pair_count ||
        memcmp(pair->kinds, other->kinds, sizeof pair->kinds) != 0)
        fail_msg("%s: objects %u %u: relation %d, %llu pairs; %u %u: relation %d, %llu pairs", what, pair->a, pair->b,
                 (int)pair->relation, (unsigned long long)pair->pair_count, other->a, other->b, (int)other->relation,
                 (unsigned long long)other->pair_count);
}

// Query the scene, and compare with every pair of objects alone, except those that `excluded` names (may be NULL), and
// with the scene by method `naive`. `counts` receives the numbers of touching pairs and of pairs where one contains the
// other.
static void compare_with_all_pairs(assembly *a, const char *what, bool (*excluded)(uint32_t, uint32_t),
                                   uint64_t counts[2])
{
    grz_collide_options naive = grz_default_collide_options();
    uint64_t count, naive_count, next = 0;
    assert_int_equal(grz_collide_scene(a->device, a->scene, NULL, a->answer, NULL), GRZ_OK);
    const grz_scene_pair *pairs = grz_result_scene_pairs(a->answer, &count);
    counts[0] = counts[1] = 0;
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = i + 1; k < a->count; k++) {
            if (excluded != NULL && excluded(i, k))
                continue;
            assert_int_equal(grz_collide(a->device, &a->objects[i], &a->objects[k], NULL, a->one, NULL), GRZ_OK);
            const grz_summary *s = grz_result_summary(a->one);
            grz_scene_pair alone = {
                .a = i, .b = k, .relation = s->relation, .containment = s->containment, .pair_count = s->pair_count};
            memcpy(alone.kinds, s->kinds, sizeof alone.kinds);
            if (s->relation == GRZ_APART && s->containment == GRZ_CONTAINMENT_DECIDED)
                continue;
            if (next == count)
                fail_msg("%s: objects %u and %u are not listed", what, i, k);
            assert_same_pair(what, &pairs[next++], &alone);
            counts[0] += s->relation == GRZ_COLLIDING;
            counts[1] += s->relation != GRZ_COLLIDING && s->relation != GRZ_APART;
        }
    if (next != count)
        fail_msg("%s: objects %u and %u are listed", what, pairs[next].a, pairs[next].b);
    naive.method = "naive";
    assert_int_equal(grz_collide_scene(a->device, a->scene, &naive, a->by_naive, NULL), GRZ_OK);
    const grz_scene_pair *naive_pairs = grz_result_scene_pairs(a->by_naive, &naive_count);
    assert_true(naive_count == count);
    for (uint64_t i = 0; i < count; i++)
        assert_same_pair(what, &pairs[i], &naive_pairs[i]);
}

enum {
    BODIES = 40,
    FRAMES = 40
};

// data/nbody/nbody_a_poses.csv: a line of names, then for each frame and body: frame, body, mesh, and a 3×4 matrix row
// by row.
typedef struct flight {
    char mesh[BODIES][16];
    grz_pose poses[FRAMES][BODIES];
} flight;

static void read_flight(flight *f)
{
    char line[1024];
    unsigned lines = 0;
    FILE *file = fopen("data/nbody/nbody_a_poses.csv", "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    for (; fgets(line, sizeof line, file) != NULL; lines++) {
        char *at = line;
        const unsigned long frame = strtoul(at, &at, 10), body = strtoul(at + 1, &at, 10);
        const size_t name = strspn(at + 1, "abcdefghijklmnopqrstuvwxyz");
        assert_true(frame < FRAMES && body < BODIES && *at == ',' && name < sizeof f->mesh[body]);
        memcpy(f->mesh[body], at + 1, name);
        f->mesh[body][name] = '\0';
        at += 1 + name;
        for (int i = 0; i < 12; i++) {
            assert_true(*at == ',');
            f->poses[frame][body].m[i / 4][i % 4] = strtod(at + 1, &at);
        }
    }
    fclose(file);
    assert_int_equal(lines, FRAMES * BODIES);
}

static void asteroids_in_flight_agree_with_all_pairs(void **state)
{
    (void)state;
    static const char *const names[] = {"bennu", "eros", "itokawa", "toutatis"};
    static flight f;
    assembly a = begin_assembly();
    grz_mesh *meshes[4];
    uint64_t touching = 0, fewest = UINT64_MAX, most = 0;
    read_flight(&f);
    for (int i = 0; i < 4; i++) {
        char path[64];
        snprintf(path, sizeof path, "data/nbody_a_%s.ply", names[i]);
        meshes[i] = load(a.device, path);
    }
    for (int body = 0; body < BODIES; body++)
        for (int i = 0; i < 4; i++)
            if (strcmp(f.mesh[body], names[i]) == 0)
                add_object(&a, meshes[i]);
    assert_int_equal(a.count, BODIES);
    for (int i = 0; i < 4; i++)
        grz_mesh_destroy(meshes[i]); // the scene keeps them
    print_message("touching pairs a frame:");
    for (int frame = 0; frame < FRAMES; frame++) {
        char what[32];
        uint64_t counts[2];
        snprintf(what, sizeof what, "frame %d", frame);
        for (uint32_t body = 0; body < BODIES; body++)
            move_object(&a, body, &f.poses[frame][body]);
        compare_with_all_pairs(&a, what, NULL, counts);
        print_message(" %llu", (unsigned long long)counts[0]);
        touching += counts[0];
        fewest = counts[0] < fewest ? counts[0] : fewest;
        most = counts[0] > most ? counts[0] : most;
    }
    print_message("; %llu in all, %llu to %llu\n", (unsigned long long)touching, (unsigned long long)fewest,
                  (unsigned long long)most);
    assert_true(touching > FRAMES && most > fewest);
    finish_assembly(&a);
}

enum {
    LINKS = 9, // fer_link0 to fer_link7, and the hand
    JOINTS = 7,
    FRAMES_OF_JOINTS = 8 // the last is the flange, which does not turn
};

typedef struct arm {
    assembly scene;
    double joint[FRAMES_OF_JOINTS][6]; // x, y, z, roll, pitch, yaw
} arm;

static void read_joints(arm *robot)
{
    static const char *const keys[] = {"x:", "y:", "z:", "roll:", "pitch:", "yaw:"};
    char line[256];
    int joint = -1, numbers = 0;
    FILE *file = fopen("data/robot/fer_kinematics.yaml", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        const char *key = line + strspn(line, " ");
        joint += strncmp(line, "joint", 5) == 0;
        for (int k = 0; k < 6; k++) {
            const size_t length = strlen(keys[k]);
            char *end;
            if (strncmp(key, keys[k], length) != 0)
                continue;
            assert_true(joint >= 0 && joint < FRAMES_OF_JOINTS);
            robot->joint[joint][k] = strtod(key + length, &end);
            assert_true(end > key + length);
            numbers++;
        }
    }
    fclose(file);
    assert_int_equal(numbers, 6 * FRAMES_OF_JOINTS);
}

static grz_pose product(const grz_pose *p, const grz_pose *q)
{
    grz_pose out;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            out.m[i][k] = p->m[i][0] * q->m[0][k] + p->m[i][1] * q->m[1][k] + p->m[i][2] * q->m[2][k] +
                          (k == 3 ? p->m[i][3] : 0.0);
    return out;
}

// A turn about axis 0, 1 or 2.
static grz_pose turn(int axis, double angle)
{
    grz_pose pose = grz_pose_identity();
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    pose.m[u][u] = pose.m[v][v] = cos(angle);
    pose.m[u][v] = -sin(angle);
    pose.m[v][u] = sin(angle);
    return pose;
}

// The poses of the links at these joint angles: T(x, y, z) Rz(yaw) Ry(pitch) Rx(roll) Rz(angle), joint after joint; the
// hand sits on the flange, turned by -45 degrees.
static void place_links(const arm *robot, const double angles[JOINTS], grz_pose links[LINKS])
{
    static const double quarter = 0.78539816339744831;
    links[0] = grz_pose_identity();
    grz_pose at = links[0];
    for (int i = 0; i < FRAMES_OF_JOINTS; i++) {
        const double *j = robot->joint[i];
        const grz_pose shift = grz_pose_from_translation(j[0], j[1], j[2]), yaw = turn(2, j[5]), pitch = turn(1, j[4]),
                       roll = turn(0, j[3]);
        const grz_pose angle = turn(2, i < JOINTS ? angles[i] : -quarter);
        at = product(&at, &shift);
        at = product(&at, &yaw);
        at = product(&at, &pitch);
        at = product(&at, &roll);
        at = product(&at, &angle);
        links[i + 1] = at;
    }
}

static arm begin_arm(void)
{
    arm robot = {.scene = begin_assembly()};
    read_joints(&robot);
    for (int i = 0; i < LINKS; i++) {
        char path[64];
        snprintf(path, sizeof path, i < LINKS - 1 ? "data/robot/fer_link%d.stl" : "data/robot/fer_hand.stl", i);
        grz_mesh *mesh = load(robot.scene.device, path);
        add_object(&robot.scene, mesh);
        grz_mesh_destroy(mesh);
    }
    return robot;
}

static void move_arm(arm *robot, const double angles[JOINTS])
{
    grz_pose links[LINKS];
    place_links(robot, angles, links);
    for (uint32_t i = 0; i < LINKS; i++)
        move_object(&robot->scene, i, &links[i]);
}

// Joint angles within the arm's limits.
static void random_angles(random_stream *random, double angles[JOINTS])
{
    static const double lowest[JOINTS] = {-2.8973, -1.7628, -2.8973, -3.0718, -2.8973, -0.0175, -2.8973};
    static const double highest[JOINTS] = {2.8973, 1.7628, 2.8973, -0.0698, 2.8973, 3.7525, 2.8973};
    for (int i = 0; i < JOINTS; i++)
        angles[i] = lowest[i] + (highest[i] - lowest[i]) * 0.5 * (random_signed(random) + 1.0);
}

// Which neighbours overlap in their joint and which leave a gap, at every angle (data/README.md says so).
static void assert_neighbours(const arm *robot)
{
    static const bool overlap[LINKS - 1] = {false, true, false, true, true, true, false, true};
    bool found[LINKS - 1] = {false};
    uint64_t count;
    const grz_scene_pair *pairs = grz_result_scene_pairs(robot->scene.answer, &count);
    for (uint64_t i = 0; i < count; i++)
        if (pairs[i].a + 1 == pairs[i].b)
            found[pairs[i].a] = true;
    assert_memory_equal(found, overlap, sizeof overlap);
}

static bool are_neighbours(uint32_t a, uint32_t b)
{
    return a + 1 == b || b + 1 == a;
}

static void move_arm_at_random(arm *robot, random_stream *random)
{
    double angles[JOINTS];
    random_angles(random, angles);
    move_arm(robot, angles);
}

static void robot_at_random_angles_agrees_with_all_pairs(void **state)
{
    (void)state;
    arm robot = begin_arm();
    random_stream random = {.state = 50};
    uint64_t touching = 0;
    for (int round = 0; round < 50; round++) {
        char what[32];
        uint64_t counts[2];
        snprintf(what, sizeof what, "configuration %d", round);
        move_arm_at_random(&robot, &random);
        compare_with_all_pairs(&robot.scene, what, NULL, counts);
        assert_neighbours(&robot);
        touching += counts[0];
    }
    print_message("50 configurations, %llu touching pairs of links\n", (unsigned long long)touching);
    assert_true(touching > 50);
    finish_assembly(&robot.scene);
}

// Groups and masks as a user sets them: a link can touch all links except its two neighbours.
static void masks_leave_out_neighbouring_links(void **state)
{
    (void)state;
    arm robot = begin_arm();
    random_stream random = {.state = 50};
    unsigned free_of_contact = 0, in_contact = 0;
    for (uint32_t i = 0; i < LINKS; i++) {
        const uint32_t neighbours = (i > 0 ? UINT32_C(1) << (i - 1) : 0) | UINT32_C(1) << (i + 1);
        assert_int_equal(grz_scene_set_groups(robot.scene.scene, i, UINT32_C(1) << i, ~neighbours, NULL), GRZ_OK);
    }
    for (int round = 0; round < 50; round++) {
        char what[32];
        uint64_t counts[2];
        snprintf(what, sizeof what, "configuration %d", round);
        move_arm_at_random(&robot, &random);
        compare_with_all_pairs(&robot.scene, what, are_neighbours, counts);
        assert_int_equal(grz_result_summary(robot.scene.answer)->colliding, counts[0] + counts[1] > 0);
        free_of_contact += counts[0] == 0;
        in_contact += counts[0] > 0;
    }
    print_message("without neighbours: %u configurations free, %u in contact with themselves\n", free_of_contact,
                  in_contact);
    assert_true(free_of_contact > 5 && in_contact > 5);
    finish_assembly(&robot.scene);
}

#ifdef GRZ_HAVE_ASSIMP
// data/robot/fer_arm.gltf and fer_arm_folded.gltf contain the arm as the joint frames place it, apart from rounding to
// float32 and nine digits. The same pairs of links touch.
static void the_gltf_is_the_arm_at_its_angles(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        double angles[JOINTS];
        uint64_t touching;
    } files[] = {
        {"data/robot/fer_arm.gltf",
         {0, -0.78539816339744831, 0, -2.3561944901923449, 0, 1.5707963267948966, 0.78539816339744831},
         5},
        {"data/robot/fer_arm_folded.gltf", {0, 0.4, 0, -2.9, 0, 1.8, 0.78539816339744831}, 6},
    };
    for (size_t file = 0; file < sizeof files / sizeof *files; file++) {
        arm robot = begin_arm();
        model m;
        char message[MODEL_MESSAGE_SIZE];
        uint64_t counts[2];
        if (!model_read_instances(files[file].path, NULL, &m, message))
            fail_msg("%s", message);
        assert_true(m.instance_count == LINKS && m.mesh_count == LINKS);
        move_arm(&robot, files[file].angles);
        for (int i = 0; i < LINKS; i++) {
            const grz_mesh *link = robot.scene.objects[i].mesh;
            assert_true(m.instances[i].mesh == (uint64_t)i && m.meshes[i].face_count == grz_mesh_face_count(link));
            for (int k = 0; k < 12; k++)
                assert_true(fabs(m.instances[i].matrix[k / 4][k % 4] - robot.scene.objects[i].pose.m[k / 4][k % 4]) <
                            1e-6);
        }
        model_finish(&m);
        compare_with_all_pairs(&robot.scene, files[file].path, NULL, counts);
        assert_true(counts[0] == files[file].touching && counts[1] == 0);
        finish_assembly(&robot.scene);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asteroids_in_flight_agree_with_all_pairs),
        cmocka_unit_test(robot_at_random_angles_agrees_with_all_pairs),
        cmocka_unit_test(masks_leave_out_neighbouring_links),
#ifdef GRZ_HAVE_ASSIMP
        cmocka_unit_test(the_gltf_is_the_arm_at_its_angles),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
