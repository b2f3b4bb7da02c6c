// SPDX-License-Identifier: MIT Fuzzes movers: a level of two meshes that move from step to step, and a sphere, capsule,
// box, ellipsoid or cylinder that is pushed, walks and slides through it. The start is judged exactly, and each end is
// outside exactly, by grz_distance() and in rationals; objects exchanged give the same bytes; an answer's numbers fit
// together.
#include <math.h>

#include "support_devices.h"
#include "support_fuzz_queries.h"
#include "support_fuzz_shapes.h"
#include "support_moved.h"
#include "support_movers.h"

enum {
    STEPS = 3
};

typedef struct question {
    test_level level;
    grz_pose earlier[2];
    grz_shape shape;
    grz_mover_options options;
    double position[3], displacement[3];
    bool moved;
} question;

static double part(fuzz_input *in)
{
    static const double parts[] = {0.0, 1.0, -1.0, 0.5, -0.25, 2.0, -3.0, 0x1p-30};
    const uint8_t byte = fuzz_byte(in);
    return parts[byte % 8] + (byte & 0x80 ? 0.125 : 0.0) - (byte & 0x40 ? 0x1p-12 : 0.0);
}

static grz_shape fuzz_shape(fuzz_input *in)
{
    static const double sizes[] = {0.25, 0.5, 0.375, 1.0, 0.1, 0.01, 2.0, 0.3};
    const uint8_t kind = fuzz_byte(in);
    double half[3], q[4];
    const double none[3] = {0.0, 0.0, 0.0};
    grz_pose turn;
    for (int k = 0; k < 3; k++)
        half[k] = sizes[fuzz_byte(in) % 8];
    if (kind % 4 == 0)
        return test_sphere(half[0]);
    for (int k = 0; k < 4; k++)
        q[k] = part(in);
    if (kind % 4 == 1)
        return test_capsule(half[0], half[1], q);
    // An ellipsoid that is longer than 64 times its width is refused.
    grz_shape shape = kind % 4 == 2 ? grz_shape_box((const double[3]){0.0, 0.0, 0.0}, half)
                                    : grz_shape_ellipsoid((const double[3]){0.0, 0.0, 0.0}, half);
    if (kind & 0x40)
        shape = grz_shape_cylinder((const double[3]){0.0, 0.0, 0.0}, half[0], half[1]);
    if ((kind & 0x80) == 0 || grz_pose_from_quaternion(none, q, &turn, NULL) != GRZ_OK)
        return shape;
    shape.pose = turn;
    return shape;
}

static grz_status ask(const question *q, bool exchanged, grz_mover_answer *answer)
{
    grz_object objects[2] = {q->level.objects[exchanged], q->level.objects[!exchanged]};
    const grz_pose earlier[2] = {q->earlier[exchanged], q->earlier[!exchanged]};
    grz_mover_options options = q->options;
    grz_error error = {.code = GRZ_OK};
    options.earlier_poses = q->moved ? earlier : NULL;
    if (exchanged)
        options.floor.object = 1 - options.floor.object;
    memset(answer, 0xa5, sizeof *answer);
    const grz_status status =
        grz_mover_step(fuzz_device(), objects, 2, &q->shape, q->position, q->displacement, &options, answer, &error);
    FUZZ_REQUIRE(status == error.code && (status == GRZ_OK) == (error.message[0] == '\0'));
    FUZZ_REQUIRE(status == GRZ_OK || memcmp(answer->position, q->position, sizeof q->position) == 0);
    return status;
}

static void check_numbers(const question *q, const grz_mover_answer *a)
{
    FUZZ_REQUIRE(a->outcome >= GRZ_MOVER_FREE && a->outcome <= GRZ_MOVER_CRUSHED);
    FUZZ_REQUIRE(a->crushed_at >= 0.0 && a->crushed_at <= 1.0);
    FUZZ_REQUIRE(a->outcome != GRZ_MOVER_CRUSHED || (a->crushed_at < 1.0 && q->moved));
    FUZZ_REQUIRE(a->outcome != GRZ_MOVER_START_INSIDE || a->started_inside);
    if (a->outcome == GRZ_MOVER_START_INSIDE)
        FUZZ_REQUIRE(memcmp(a->position, q->position, sizeof q->position) == 0);
    for (int k = 0; k < 3; k++)
        FUZZ_REQUIRE(isfinite(a->position[k]) && isfinite(a->pushed[k]) && isfinite(a->carried[k]));
    for (uint32_t i = 0; i < a->contact_count && i < GRZ_MOVER_MAX_CONTACTS; i++) {
        const double *n = a->contacts[i].normal;
        const double square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
        // There is none if a sphere's centre is on a corner, or if a triangle is too large for doubles.
        FUZZ_REQUIRE(fabs(square - 1.0) < 1e-12 || (square == 0.0 && a->contacts[i].distance == 0.0));
        FUZZ_REQUIRE(a->contacts[i].object < 2);
    }
    if (a->floor.stands)
        FUZZ_REQUIRE(q->options.walk && a->floor.object < 2);
}

static void check_exchanged(const question *q, const grz_mover_answer *a)
{
    grz_mover_answer b;
    FUZZ_REQUIRE(ask(q, true, &b) == GRZ_OK);
    FUZZ_REQUIRE(memcmp(a->position, b.position, sizeof b.position) == 0);
    FUZZ_REQUIRE(memcmp(a->pushed, b.pushed, sizeof b.pushed) == 0 && a->crushed_at == b.crushed_at);
    FUZZ_REQUIRE(a->outcome == b.outcome && a->contact_count == b.contact_count && a->iterations == b.iterations);
    FUZZ_REQUIRE(a->started_inside == b.started_inside && a->stepped_up == b.stepped_up);
}

// One step. False: it was refused.
static bool step(question *q)
{
    grz_mover_answer answer;
    const grz_status status = ask(q, false, &answer);
    if (status != GRZ_OK) {
        // Coordinates beyond the limits, or a skin that is too thin for them.
        FUZZ_REQUIRE(status == GRZ_ERROR_POSE || status == GRZ_ERROR_UNSUPPORTED || status == GRZ_ERROR_ARGUMENT);
        return false;
    }
    check_numbers(q, &answer);
    check_exchanged(q, &answer);
    if (answer.outcome != GRZ_MOVER_START_INSIDE && answer.outcome != GRZ_MOVER_CRUSHED)
        FUZZ_REQUIRE(test_is_free(&q->level, &q->shape, answer.position, 0.0));
    if (!q->moved) {
        const bool is_free = test_is_free(&q->level, &q->shape, q->position, 0.0);
        // Of ellipsoids with very long numbers nothing is proved.
        FUZZ_REQUIRE(is_free ? !answer.started_inside || q->shape.kind == GRZ_SHAPE_ELLIPSOID : answer.started_inside);
    }
    memcpy(q->position, answer.position, sizeof q->position);
    q->options.floor = answer.floor;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    question q = {.level = {.count = 2}};
    test_mesh meshes[2];
    test_device = fuzz_device();
    q.shape = fuzz_shape(&in);
    q.options = grz_default_mover_options();
    const uint8_t how = fuzz_byte(&in);
    q.options.walk = how & 1;
    q.options.step_up = how & 2 ? 0.25 : 0.0;
    q.options.step_down = how & 4 ? 0.25 : 0.0;
    q.options.clean_up = (grz_mover_clean_up)(how / 8 % 3);
    for (int i = 0; i < 2; i++) {
        meshes[i] = fuzz_mesh(&in, i == 0 ? NULL : &meshes[0]);
        q.level.meshes[i] = test_mesh_upload(fuzz_device(), &meshes[i]);
        q.level.objects[i] = grz_object_at_origin(q.level.meshes[i]);
        q.level.objects[i].pose = fuzz_pose(&in);
    }
    for (int k = 0; k < 3; k++)
        q.position[k] = (int8_t)fuzz_byte(&in) / 16.0;
    for (int i = 0; i < STEPS; i++) {
        for (int k = 0; k < 3; k++)
            q.displacement[k] = part(&in);
        if (!step(&q))
            break;
        q.moved = false;
        for (int j = 0; j < 2; j++) {
            q.earlier[j] = q.level.objects[j].pose;
            const uint8_t byte = fuzz_byte(&in);
            if (byte % 4 == 0)
                continue;
            q.moved = true;
            if (byte % 4 == 1)
                q.level.objects[j].pose = fuzz_pose(&in);
            else
                for (int k = 0; k < 3; k++)
                    q.level.objects[j].pose.m[k][3] += part(&in);
        }
    }
    for (int i = 0; i < 2; i++) {
        grz_mesh_destroy(q.level.meshes[i]);
        test_mesh_finish(&meshes[i]);
    }
    return 0;
}
