// SPDX-License-Identifier: MIT
// The public functions against their docstrings: what each refuses, with which status and message; defaults, poses,
// getters. Every message is one line that names the wrong argument, and the result then says GRZ_UNDECIDED. Allocators
// and task runners are tested in test_api_memory.c.
#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_queries.h"

// Callers compare kinds by value: near is the weakest. The values of released versions must not change.
static_assert(GRZ_NEAR == 0 && GRZ_TOUCHING == 1 && GRZ_COPLANAR == 2 && GRZ_CROSSING == 3 && GRZ_KIND_COUNT == 4,
              "grz_kind");

enum {
    FIND_ALL = GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES | GRZ_FIND_CONTAINMENT
};

// The tests of refusals start from two crossing cubes of six quads.
typedef struct fixture {
    grz_device *device;
    grz_mesh *cube;
    grz_result *result;
    grz_object a, b;
} fixture;

static fixture make_fixture(void)
{
    test_mesh quads = test_mesh_cube_quads(0.0, 0.0, 0.0, 1.0);
    fixture f = {.device = test_device_open(1)};
    f.cube = test_mesh_upload(f.device, &quads);
    f.result = test_result_create(f.device);
    f.a = f.b = grz_object_at_origin(f.cube);
    f.b.pose = grz_pose_from_translation(0.5, 0.25, 0.125);
    test_mesh_finish(&quads);
    return f;
}

static void finish_fixture(fixture *f)
{
    grz_result_destroy(f->result);
    grz_mesh_destroy(f->cube);
    grz_device_close(f->device);
}

static grz_error fresh_error(void)
{
    grz_error error;
    memset(&error, 0xaa, sizeof error);
    return error;
}

// The status is `code`, and the error says so in one line that holds `words`.
static void expect_refusal(const char *what, grz_status status, grz_status code, const grz_error *error,
                           const char *words)
{
    if (status != code)
        fail_msg("%s: %s, expected %s", what, grz_status_name(status), grz_status_name(code));
    if (error->code != code)
        fail_msg("%s: the error's code is %d, the call returned %s", what, (int)error->code, grz_status_name(code));
    const size_t length = strnlen(error->message, sizeof error->message);
    if (length == 0 || length == sizeof error->message)
        fail_msg("%s: the message is %s", what, length == 0 ? "empty" : "not terminated");
    if (strchr(error->message, '\n') != NULL || error->message[length - 1] == '.')
        fail_msg("%s: more than one line, or a full stop: %s", what, error->message);
    if (strstr(error->message, words) == NULL)
        fail_msg("%s: \"%s\" does not say \"%s\"", what, error->message, words);
}

static void expect_undecided(const char *what, const grz_result *result)
{
    const grz_summary *summary = grz_result_summary(result);
    uint64_t counts[5];
    grz_result_pairs(result, &counts[0]);
    grz_result_contacts(result, &counts[1]);
    grz_result_points(result, &counts[2]);
    grz_result_curves(result, &counts[3]);
    grz_result_curve_points(result, &counts[4]);
    for (int i = 0; i < 5; i++)
        if (counts[i] != 0)
            fail_msg("%s: array %d of the result holds %llu entries", what, i, (unsigned long long)counts[i]);
    if (summary->certainty != GRZ_UNDECIDED || summary->reason == NULL || summary->method == NULL ||
        summary->pair_count != 0)
        fail_msg("%s: the result does not say GRZ_UNDECIDED", what);
}

static void every_status_has_its_name(void **state)
{
    (void)state;
#define NAMED(status) assert_string_equal(grz_status_name(status), #status)
    NAMED(GRZ_OK);
    NAMED(GRZ_ERROR_ARGUMENT);
    NAMED(GRZ_ERROR_MEMORY);
    NAMED(GRZ_ERROR_MESH);
    NAMED(GRZ_ERROR_POSE);
    NAMED(GRZ_ERROR_LIMIT);
    NAMED(GRZ_ERROR_UNSUPPORTED);
    NAMED(GRZ_ERROR_DEVICE);
    NAMED(GRZ_ERROR_BUSY);
    NAMED(GRZ_ERROR_CANCELLED);
    NAMED(GRZ_ERROR_DEADLINE);
    NAMED(GRZ_ERROR_FILE);
    NAMED(GRZ_ERROR_FORMAT);
#undef NAMED
    assert_int_equal(GRZ_OK, 0);
    // Statuses of later versions have a name, too.
    assert_non_null(grz_status_name((grz_status)(GRZ_ERROR_FORMAT + 1)));
    char version[64];
    snprintf(version, sizeof version, "%d.%d.%d", GRZ_VERSION_MAJOR, GRZ_VERSION_MINOR, GRZ_VERSION_PATCH);
    assert_string_equal(grz_version(), version);
}

static void every_method_named_can_be_asked_for(void **state)
{
    (void)state;
    fixture f = make_fixture();
    size_t count = 0, found = 0;
    while (grz_method_name(count) != NULL) {
        const char *name = grz_method_name(count++);
        grz_collide_options options = grz_default_collide_options();
        grz_method method;
        found += strcmp(name, "naive") == 0 || strcmp(name, "bvh") == 0 || strcmp(name, "slices") == 0;
        options.method = name;
        assert_true(grz_method_info(count - 1, &method));
        assert_string_equal(method.name, name);
        assert_true(method.exact || method.discrete);
        assert_int_equal(grz_mesh_prepare(f.cube, name, NULL), GRZ_OK);
        if (method.gl && grz_renderer_count() == 0) { // known, but for use elsewhere
            assert_int_not_equal(grz_collide(f.device, &f.a, &f.b, &options, f.result, NULL), GRZ_OK);
            continue;
        }
        assert_int_equal(grz_collide(f.device, &f.a, &f.b, &options, f.result, NULL),
                         method.exact ? GRZ_OK : GRZ_ERROR_UNSUPPORTED);
        if (method.exact)
            assert_string_equal(grz_result_summary(f.result)->method, name);
    }
    assert_int_equal(found, 3);
    assert_null(grz_method_name(SIZE_MAX));
    assert_false(grz_method_info(0, NULL));
    static const char *const chosen[] = {NULL, "auto"};
    for (int i = 0; i < 2; i++) {
        grz_collide_options options = grz_default_collide_options();
        options.method = chosen[i];
        assert_int_equal(grz_mesh_prepare(f.cube, chosen[i], NULL), GRZ_OK);
        assert_int_equal(grz_collide(f.device, &f.a, &f.b, &options, f.result, NULL), GRZ_OK);
        const char *ran = grz_result_summary(f.result)->method;
        size_t index = 0;
        while (index < count && strcmp(grz_method_name(index), ran) != 0)
            index++;
        assert_true(index < count);
    }
    finish_fixture(&f);
}

static void defaults_are_what_the_headers_say(void **state)
{
    (void)state;
    const grz_device_options device = grz_default_device_options();
    const grz_mesh_description mesh = grz_default_mesh_description();
    const grz_collide_options collide = grz_default_collide_options();
    assert_int_equal(device.size, sizeof device);
    assert_true(device.threads == 0 && device.allocator.reallocate == NULL && device.task_runner.run == NULL);
    assert_int_equal(mesh.size, sizeof mesh);
    assert_true(mesh.position_type == GRZ_FLOAT32 && mesh.corners_per_face == 3 && mesh.flags == 0 &&
                mesh.positions == NULL);
    assert_int_equal(collide.size, sizeof collide);
    assert_true(collide.method == NULL && collide.answer == GRZ_ANSWER_EXACT && collide.max_pairs == UINT64_C(1) << 28);
    assert_int_equal(collide.find, GRZ_FIND_PAIRS | GRZ_FIND_CONTAINMENT);
    assert_true(collide.limits.cancel == NULL && collide.limits.progress == NULL &&
                collide.limits.deadline == 0.0); // NOLINT
    // NULL options are the defaults, and a NULL error is accepted.
    grz_device *opened = NULL;
    assert_int_equal(grz_device_open(NULL, &opened, NULL), GRZ_OK);
    assert_true(grz_device_threads(opened) >= 1);
    assert_string_equal(grz_device_name(opened), "cpu");
    grz_device_close(opened);
    grz_device_close(NULL);
    grz_mesh_destroy(NULL);
    grz_result_destroy(NULL);
}

static void a_device_uses_as_many_threads_as_asked(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 9; threads += 4) {
        grz_device *device = test_device_open(threads);
        assert_int_equal(grz_device_threads(device), threads);
        grz_device_close(device);
    }
}

static void *some_reallocate(void *block, size_t old_size, size_t new_size, void *user)
{
    (void)old_size;
    (void)user;
    return realloc(block, new_size);
}

static void some_run(void (*task)(size_t index, void *context), void *context, size_t count, void *user)
{
    (void)user;
    for (size_t i = 0; i < count; i++)
        task(i, context);
}

static void devices_refuse_wrong_options(void **state)
{
    (void)state;
    grz_error error = fresh_error();
    grz_device *device = NULL;
    expect_refusal("no place", grz_device_open(NULL, NULL, &error), GRZ_ERROR_ARGUMENT, &error, "NULL");
    for (int i = 0; i < 5; i++) {
        static const char *const culprits[5] = {"options.size", "options.size", "allocator", "width", "threads"};
        grz_device_options options = grz_default_device_options();
        options.size = i == 0 ? 0 : i == 1 ? sizeof options.size : options.size;
        if (i == 2)
            options.allocator.reallocate = some_reallocate;
        if (i == 3)
            options.task_runner.run = some_run;
        if (i == 4)
            options.threads = UINT32_MAX;
        error = fresh_error();
        device = (grz_device *)&error;
        expect_refusal("device", grz_device_open(&options, &device, &error), GRZ_ERROR_ARGUMENT, &error, culprits[i]);
        assert_null(device);
        assert_int_equal(grz_device_open(&options, &device, NULL), GRZ_ERROR_ARGUMENT);
    }
}

static void meshes_refuse_wrong_arguments(void **state)
{
    (void)state;
    fixture f = make_fixture();
    grz_error error = fresh_error();
    grz_mesh *mesh = NULL;
    const float positions[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const uint32_t indices[6] = {0, 1, 2, 3, 1, 0};
    grz_mesh_description good = grz_default_mesh_description();
    good.positions = positions;
    good.vertex_count = 4;
    good.indices = indices;
    good.index_count = 6;
    good.face_count = 2;
    expect_refusal("no device", grz_mesh_create(NULL, &good, &mesh, &error), GRZ_ERROR_ARGUMENT, &error, "device");
    expect_refusal("no description", grz_mesh_create(f.device, NULL, &mesh, &error), GRZ_ERROR_ARGUMENT, &error,
                   "description");
    expect_refusal("no place", grz_mesh_create(f.device, &good, NULL, &error), GRZ_ERROR_ARGUMENT, &error, "mesh");
    const uint32_t bad_indices[6] = {0, 1, 2, 3, 4, 0}, few[2] = {3, 2};
    const float bad_positions[12] = {0, 0, 0, 1, 0, 0, 0, 1, NAN, 0, 0, 1};
    static const struct {
        const char *culprit;
        grz_status status;
        uint64_t element;
    } cases[] = {
        {"size", GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT},
        {"position_type", GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT},
        {"flags 0x80000000", GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT},
        {"position_stride", GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT},
        {"positions", GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT},
        {"no faces", GRZ_ERROR_MESH, GRZ_NO_ELEMENT},
        {"face 1", GRZ_ERROR_MESH, 1},
        {"face 1", GRZ_ERROR_MESH, 1},
        {"vertex 2", GRZ_ERROR_MESH, 2},
        {"index_count", GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT},
        {"vertices", GRZ_ERROR_MESH, GRZ_NO_ELEMENT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        grz_mesh_description bad = good;
        bad.size = i == 0 ? sizeof bad.size : good.size;
        bad.position_type = i == 1 ? (grz_scalar)7 : good.position_type;
        bad.flags = i == 2 ? 0x80000000u : 0;
        bad.position_stride = i == 3 ? 8 : 0;
        bad.positions = i == 4 ? NULL : i == 8 ? bad_positions : positions;
        bad.face_count = i == 5 ? 0 : good.face_count;
        bad.indices = i == 6 ? bad_indices : indices;
        bad.corner_counts = i == 7 ? few : NULL;
        bad.index_count = i == 9 ? 7 : good.index_count;
        bad.vertex_count = i == 10 ? 0 : good.vertex_count;
        error = fresh_error();
        mesh = f.cube;
        const char *culprit = cases[i].culprit;
        expect_refusal(culprit, grz_mesh_create(f.device, &bad, &mesh, &error), cases[i].status, &error, culprit);
        assert_null(mesh);
        assert_true(error.element == cases[i].element);
        assert_int_not_equal(grz_mesh_create(f.device, &bad, &mesh, NULL), GRZ_OK);
    }
    finish_fixture(&f);
}

static void calls_on_meshes_refuse_missing_arguments(void **state)
{
    (void)state;
    fixture f = make_fixture();
    grz_error error = fresh_error();
    const float positions[24] = {0};
    grz_mesh_report report;
    expect_refusal("set", grz_mesh_set_positions(NULL, positions, &error), GRZ_ERROR_ARGUMENT, &error, "mesh");
    expect_refusal("set", grz_mesh_set_positions(f.cube, NULL, &error), GRZ_ERROR_ARGUMENT, &error, "positions");
    expect_refusal("prepare", grz_mesh_prepare(NULL, NULL, &error), GRZ_ERROR_ARGUMENT, &error, "mesh");
    expect_refusal("prepare", grz_mesh_prepare(f.cube, "fast", &error), GRZ_ERROR_UNSUPPORTED, &error, "\"fast\"");
    expect_refusal("check", grz_mesh_check(NULL, &report, &error), GRZ_ERROR_ARGUMENT, &error, "mesh");
    expect_refusal("check", grz_mesh_check(f.cube, NULL, &error), GRZ_ERROR_ARGUMENT, &error, "report");
    bool closed;
    expect_refusal("closed", grz_mesh_is_closed(NULL, &closed, &error), GRZ_ERROR_ARGUMENT, &error, "mesh");
    expect_refusal("closed", grz_mesh_is_closed(f.cube, NULL, &error), GRZ_ERROR_ARGUMENT, &error, "closed");
    grz_inside_rule rule;
    expect_refusal("rule", grz_mesh_inside_rule(NULL, &rule, &error), GRZ_ERROR_ARGUMENT, &error, "mesh");
    expect_refusal("rule", grz_mesh_inside_rule(f.cube, NULL, &error), GRZ_ERROR_ARGUMENT, &error, "rule");
    finish_fixture(&f);
}

static void refused_positions_leave_the_mesh_as_it_was(void **state)
{
    (void)state;
    fixture f = make_fixture();
    double positions[24] = {0};
    for (int i = 0; i < 3; i++) {
        static const double bad[3] = {(double)NAN, -HUGE_VAL, 0x1.0000000000001p300};
        grz_error error = fresh_error();
        assert_int_equal(grz_collide(f.device, &f.a, &f.b, NULL, f.result, NULL), GRZ_OK);
        test_answer before = test_answer_of(f.result);
        positions[3 * 5 + i] = bad[i];
        expect_refusal("positions", grz_mesh_set_positions(f.cube, positions, &error), GRZ_ERROR_MESH, &error,
                       "vertex 5");
        assert_int_equal(error.element, 5);
        assert_int_equal(grz_collide(f.device, &f.a, &f.b, NULL, f.result, NULL), GRZ_OK);
        test_answer after = test_answer_of(f.result);
        assert_true(test_answers_equal("after a refusal", &before, &after));
        test_answer_finish(&before);
        test_answer_finish(&after);
        positions[3 * 5 + i] = 0.0;
    }
    finish_fixture(&f);
}

static void queries_refuse_missing_arguments(void **state)
{
    (void)state;
    fixture f = make_fixture();
    grz_object hollow = grz_object_at_origin(NULL);
    grz_error error = fresh_error();
    grz_result *result = NULL;
    expect_refusal("result", grz_result_create(NULL, &result, &error), GRZ_ERROR_ARGUMENT, &error, "NULL");
    expect_refusal("result", grz_result_create(f.device, NULL, &error), GRZ_ERROR_ARGUMENT, &error, "NULL");
    expect_undecided("a new result", f.result);
    const grz_object *const wrong[2] = {NULL, &hollow};
    for (int i = 0; i < 2; i++) {
        // First a valid answer, which the refused query must discard.
        assert_int_equal(grz_collide(f.device, &f.a, &f.b, NULL, f.result, NULL), GRZ_OK);
        error = fresh_error();
        expect_refusal("no A", grz_collide(f.device, wrong[i], &f.b, NULL, f.result, &error), GRZ_ERROR_ARGUMENT,
                       &error, "object A");
        expect_undecided("no A", f.result);
        assert_int_equal(grz_collide(f.device, &f.a, &f.b, NULL, f.result, NULL), GRZ_OK);
        expect_refusal("no B", grz_collide(f.device, &f.a, wrong[i], NULL, f.result, &error), GRZ_ERROR_ARGUMENT,
                       &error, "object B");
        expect_undecided("no B", f.result);
        assert_int_equal(grz_collide(f.device, &f.a, &f.b, NULL, f.result, NULL), GRZ_OK);
        expect_refusal("self", grz_collide_self(f.device, wrong[i], NULL, f.result, &error), GRZ_ERROR_ARGUMENT, &error,
                       "NULL");
        expect_undecided("self", f.result);
        assert_int_equal(grz_collide(f.device, wrong[i], wrong[i], NULL, NULL, NULL), GRZ_ERROR_ARGUMENT);
        assert_int_equal(grz_collide_self(NULL, wrong[i], NULL, NULL, NULL), GRZ_ERROR_ARGUMENT);
    }
    expect_refusal("no result", grz_collide(f.device, &f.a, &f.b, NULL, NULL, &error), GRZ_ERROR_ARGUMENT, &error,
                   "result");
    expect_refusal("no result", grz_collide_self(f.device, &f.a, NULL, NULL, &error), GRZ_ERROR_ARGUMENT, &error,
                   "result");
    for (int self = 0; self < 2; self++) {
        assert_int_equal(grz_collide(f.device, &f.a, &f.b, NULL, f.result, NULL), GRZ_OK);
        error = fresh_error();
        grz_status status = self ? grz_collide_self(NULL, &f.a, NULL, f.result, &error)
                                 : grz_collide(NULL, &f.a, &f.b, NULL, f.result, &error);
        expect_refusal("no device", status, GRZ_ERROR_ARGUMENT, &error, "device");
        expect_undecided("no device", f.result);
    }
    finish_fixture(&f);
}

static void queries_refuse_unknown_options(void **state)
{
    (void)state;
    fixture f = make_fixture();
    enum {
        SIZES = 3,
        METHODS = 4,
        BITS = 27, // of `find`: GRZ_FIND_CHANGED, which is for scenes, and those that mean nothing
        CASES = SIZES + BITS + METHODS + 5
    };
    static const char *const methods[METHODS] = {"", "NAIVE", "bvh ", "slices-of-bread"};
    for (int i = 0; i < CASES; i++) {
        grz_collide_options options = grz_default_collide_options();
        grz_status expected = GRZ_ERROR_ARGUMENT;
        const char *culprit = "options.size";
        if (i < SIZES) {
            options.size = i == 0 ? 0 : i == 1 ? sizeof options.size : SIZE_MAX;
        } else if (i < SIZES + BITS) {
            options.find |= i == SIZES ? GRZ_FIND_CHANGED : UINT32_C(1) << (5 + i - SIZES);
            culprit = "options.find";
        } else if (i < SIZES + BITS + METHODS) {
            options.method = culprit = methods[i - SIZES - BITS];
            expected = GRZ_ERROR_UNSUPPORTED;
        } else if (i < CASES - 3) {
            options.answer = GRZ_ANSWER_DISCRETE;
            options.method = culprit = i == CASES - 4 ? "naive" : "bvh";
            expected = GRZ_ERROR_UNSUPPORTED;
        } else if (i == CASES - 3) {
            options.answer = (grz_answer)7;
            culprit = "options.answer";
        } else {
            options.limits.deadline = i == CASES - 2 ? -1.0 : (double)NAN;
            culprit = "options.limits.deadline";
        }
        for (int self = 0; self < 2; self++) {
            grz_error error = fresh_error();
            assert_int_equal(grz_collide(f.device, &f.a, &f.b, NULL, f.result, NULL), GRZ_OK);
            grz_status status = self ? grz_collide_self(f.device, &f.a, &options, f.result, &error)
                                     : grz_collide(f.device, &f.a, &f.b, &options, f.result, &error);
            expect_refusal(culprit, status, expected, &error, culprit);
            expect_undecided(culprit, f.result);
        }
    }
    finish_fixture(&f);
}

// Ask one of the functions that take grz_collide_options. `fault`: which argument is wrong, besides the options; 0:
// none.
static grz_status ask_query(int function, const fixture *f, grz_scene *scene, int fault,
                            const grz_collide_options *options, grz_error *error)
{
    const grz_object *a = fault == 2 ? NULL : &f->a;
    grz_device *device = fault == 1 ? NULL : f->device;
    grz_pose_answer answer;
    switch (function) {
    case 0:
        return grz_collide(device, a, &f->b, options, f->result, error);
    case 1:
        return grz_collide_self(device, a, options, f->result, error);
    case 2:
        return grz_collide_scene(device, fault == 2 ? NULL : scene, options, f->result, error);
    default:
        return grz_collide_poses(device, a, f->cube, &f->b.pose, 1, options, &answer, error);
    }
}

static void errors_begin_with_the_name_of_the_function(void **state)
{
    (void)state;
    static const char *const names[] = {"collide: ", "collide self: ", "collide scene: ", "collide poses: "};
    fixture f = make_fixture();
    grz_scene *scene;
    uint32_t id;
    assert_int_equal(grz_scene_create(f.device, &scene, NULL), GRZ_OK);
    assert_int_equal(grz_scene_add(scene, &f.a, &id, NULL), GRZ_OK);
    assert_int_equal(grz_scene_add(scene, &f.b, &id, NULL), GRZ_OK);
    for (int function = 0; function < 4; function++)
        for (int fault = 1; fault <= 8; fault++) {
            grz_collide_options options = grz_default_collide_options();
            grz_error error = fresh_error();
            options.size = fault == 3 ? 1 : options.size;
            options.find |= fault == 4 ? UINT32_C(1) << 31 : 0;
            options.limits.deadline = fault == 5 ? -1.0 : 0.0;
            options.inside_rule = fault == 6 ? (grz_inside_rule)7 : GRZ_EVEN_ODD;
            options.answer = fault == 7 ? (grz_answer)7 : GRZ_ANSWER_EXACT;
            options.limits.memory_limit = fault == 8 ? 1 : 0;
            const grz_status status = ask_query(function, &f, scene, fault, &options, &error);
            expect_refusal(names[function], status, fault == 8 ? GRZ_ERROR_MEMORY : GRZ_ERROR_ARGUMENT, &error,
                           names[function]);
            if (strncmp(error.message, names[function], strlen(names[function])) != 0)
                fail_msg("function %d, fault %d: \"%s\" does not begin with \"%s\"", function, fault, error.message,
                         names[function]);
        }
    grz_scene_destroy(scene);
    finish_fixture(&f);
}

static void poses_that_are_not_finite_or_too_large_are_refused(void **state)
{
    (void)state;
    fixture f = make_fixture();
    static const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, 0x1p301, -0x1p1000};
    static const char *const names[3] = {"object A", "object B", "object A"};
    for (int entry = 0; entry < 12; entry++) {
        for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
            for (int who = 0; who < 3; who++) {
                grz_object a = f.a, b = f.b;
                grz_error error = fresh_error();
                // Far apart, so that only the check of the pose can find the mistake.
                b.pose.m[0][3] = b.pose.m[1][3] = 100.0;
                (who == 1 ? &b : &a)->pose.m[entry / 4][entry % 4] = bad[k];
                grz_status status = who == 2 ? grz_collide_self(f.device, &a, NULL, f.result, &error)
                                             : grz_collide(f.device, &a, &b, NULL, f.result, &error);
                expect_refusal(names[who], status, GRZ_ERROR_POSE, &error, names[who]);
                expect_undecided(names[who], f.result);
            }
        }
    }
    // 2^300 itself is allowed.
    grz_object a = f.a, b = f.b;
    for (int axis = 0; axis < 3; axis++)
        a.pose.m[axis][axis] = b.pose.m[axis][axis] = 0x1p299;
    assert_int_equal(grz_collide(f.device, &a, &b, NULL, f.result, NULL), GRZ_OK);
    assert_int_equal(grz_result_summary(f.result)->relation, GRZ_COLLIDING);
    a.pose.m[0][3] = 0x1p299;
    assert_int_equal(grz_collide(f.device, &a, &b, NULL, f.result, NULL), GRZ_OK);
    a.pose.m[0][3] = 0x1.0000000000004p299; // fewer bits would round back to 2^300 in the sum
    assert_int_equal(grz_collide(f.device, &a, &b, NULL, f.result, NULL), GRZ_ERROR_POSE);
    finish_fixture(&f);
}

static double row_product(const grz_pose *pose, int i, int j)
{
    return pose->m[i][0] * pose->m[j][0] + pose->m[i][1] * pose->m[j][1] + pose->m[i][2] * pose->m[j][2];
}

static void quaternions_become_rotations(void **state)
{
    (void)state;
    random_stream random = {1};
    double worst = 0.0;
    for (int i = 0; i < 100000; i++) {
        static const int exponents[] = {0, 1, -1, 300, -300, 1020, -1010, 660, -660};
        double q[4], scaled[4], large[4];
        const double t[3] = {random_signed(&random), 0x1p299, -0.0};
        grz_pose pose, same, close;
        for (int k = 0; k < 4; k++)
            q[k] = random_signed(&random);
        assert_int_equal(grz_pose_from_quaternion(t, q, &pose, NULL), GRZ_OK);
        for (int r = 0; r < 9; r++)
            worst = fmax(worst, fabs(row_product(&pose, r / 3, r % 3) - (r / 3 == r % 3 ? 1.0 : 0.0)));
        for (int k = 0; k < 3; k++)
            assert_memory_equal(&pose.m[k][3], &t[k], sizeof t[k]);
        // Powers of two change no bit, wherever the components stay normal.
        const int exponent = exponents[i % 9];
        double least = 1.0;
        for (int k = 0; k < 4; k++) {
            scaled[k] = ldexp(q[k], exponent);
            large[k] = q[k] * (i % 2 ? 1e200 : 1e-200);
            least = fmin(least, fabs(q[k]));
        }
        if (least >= 0x1p-12) {
            assert_int_equal(grz_pose_from_quaternion(t, scaled, &same, NULL), GRZ_OK);
            if (memcmp(&pose, &same, sizeof pose) != 0)
                fail_msg("quaternion %d scaled by 2^%d gives another matrix", i, exponent);
        }
        assert_int_equal(grz_pose_from_quaternion(t, large, &close, NULL), GRZ_OK);
        for (int r = 0; r < 9; r++)
            if (!(fabs(close.m[r / 3][r % 3] - pose.m[r / 3][r % 3]) <= 4e-15))
                fail_msg("quaternion %d times 1e±200 gives %g for %g", i, close.m[r / 3][r % 3], pose.m[r / 3][r % 3]);
    }
    print_message("rows of 100000 rotations are orthonormal to %.2g\n", worst);
    // A normalised component is wrong by up to 3.5 units of 2^-53, so |q|² by 7, a row's length by some 20: 2.3e-15 and
    // a little.
    assert_true(worst <= 3e-15);
    // A quarter turn about z takes x to y.
    const double t[3] = {5.0, 6.0, 7.0}, quarter[4] = {0.0, 0.0, 3.0, 3.0}, none[4] = {0.0, 0.0, 0.0, -0x1p-1074};
    grz_pose pose;
    assert_int_equal(grz_pose_from_quaternion(t, none, &pose, NULL), GRZ_OK);
    for (int r = 0; r < 9; r++)
        assert_true(pose.m[r / 3][r % 3] == (r / 3 == r % 3 ? 1.0 : 0.0)); // NOLINT: -0 allowed
    assert_int_equal(grz_pose_from_quaternion(t, quarter, &pose, NULL), GRZ_OK);
    assert_true(fabs(pose.m[1][0] - 1.0) < 1e-15 && fabs(pose.m[0][1] + 1.0) < 1e-15 && fabs(pose.m[0][0]) < 1e-15);
}

static void quaternions_that_are_no_rotation_are_refused(void **state)
{
    (void)state;
    static const double good[4] = {0.0, 0.0, 0.0, 1.0}, origin[3] = {0.0, 0.0, 0.0};
    static const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    grz_error error = fresh_error();
    grz_pose pose;
    expect_refusal("NULL", grz_pose_from_quaternion(NULL, good, &pose, &error), GRZ_ERROR_ARGUMENT, &error, "NULL");
    expect_refusal("NULL", grz_pose_from_quaternion(origin, NULL, &pose, &error), GRZ_ERROR_ARGUMENT, &error, "NULL");
    expect_refusal("NULL", grz_pose_from_quaternion(origin, good, NULL, &error), GRZ_ERROR_ARGUMENT, &error, "NULL");
    const double zero[4] = {0.0, -0.0, 0.0, -0.0};
    expect_refusal("zero", grz_pose_from_quaternion(origin, zero, &pose, &error), GRZ_ERROR_POSE, &error, "zero");
    for (int k = 0; k < 7; k++) {
        for (int i = 0; i < 3; i++) {
            double q[4], t[3];
            memcpy(q, good, sizeof q);
            memcpy(t, origin, sizeof t);
            if (k < 4)
                q[k] = bad[i];
            else
                t[k - 4] = bad[i];
            error = fresh_error();
            expect_refusal("not finite", grz_pose_from_quaternion(t, q, &pose, &error), GRZ_ERROR_POSE, &error,
                           k < 4 ? "quaternion" : "translation");
        }
    }
}

// A structure of zeros, only partly filled in. Every call that takes an object or a pose refuses it and says which
// function to start from.
static void zeroed_objects_are_refused(void **state)
{
    (void)state;
    fixture f = make_fixture();
    const grz_object zeroed = {.mesh = f.cube};
    const grz_pose poses[2] = {grz_pose_identity(), {{{0.0}}}};
    const double point[3] = {0.0};
    grz_error error;
    grz_scene *scene = NULL;
    grz_pose_answer answers[2];
    grz_location location;
    uint32_t id = 7;
    assert_int_equal(grz_scene_create(f.device, &scene, NULL), GRZ_OK);
    error = fresh_error();
    expect_refusal("collide", grz_collide(f.device, &f.a, &zeroed, NULL, f.result, &error), GRZ_ERROR_POSE, &error,
                   "object B: pose");
    assert_true(error.element == 1 && strstr(error.message, "grz_object_at_origin()") &&
                strstr(error.message, "grz_object_at()"));
    expect_undecided("collide", f.result);
    error = fresh_error();
    expect_refusal("self", grz_collide_self(f.device, &zeroed, NULL, f.result, &error), GRZ_ERROR_POSE, &error,
                   "grz_object_at()");
    error = fresh_error();
    expect_refusal("batch", grz_collide_poses(f.device, &f.a, f.cube, poses, 2, NULL, answers, &error), GRZ_ERROR_POSE,
                   &error, "grz_pose_identity()");
    assert_int_equal(error.element, 1);
    error = fresh_error();
    expect_refusal("locate", grz_locate_points(f.device, &zeroed, point, 1, NULL, &location, &error), GRZ_ERROR_POSE,
                   &error, "grz_object_at()");
    assert_int_equal(location, GRZ_LOCATION_UNKNOWN);
    error = fresh_error();
    expect_refusal("scene", grz_scene_add(scene, &zeroed, &id, &error), GRZ_ERROR_ARGUMENT, &error, "grz_object_at()");
    assert_true(id == 7 && strstr(error.message, "group and mask") != NULL);
    grz_object half = zeroed;
    half.group = 1; // the pose is still missing
    error = fresh_error();
    expect_refusal("scene", grz_scene_add(scene, &half, &id, &error), GRZ_ERROR_POSE, &error, "grz_object_at()");
    half = (grz_object){.mesh = f.cube, .pose = grz_pose_identity()}; // the pose is there
    error = fresh_error();
    expect_refusal("scene", grz_scene_add(scene, &half, &id, &error), GRZ_ERROR_ARGUMENT, &error, "group and mask");
    assert_int_equal(grz_scene_object_count(scene), 0);
    half.group = 1; // a mask of zero alone is meant
    assert_int_equal(grz_scene_add(scene, &half, &id, NULL), GRZ_OK);
    error = fresh_error();
    expect_refusal("pose", grz_scene_set_pose(scene, id, &poses[1], &error), GRZ_ERROR_POSE, &error,
                   "grz_pose_identity()");
    assert_int_equal(grz_scene_set_groups(scene, id, 0, 0, NULL), GRZ_OK);
    grz_scene_destroy(scene);
    // Group and mask are of scenes: other queries do not look at them.
    half.group = 0;
    assert_int_equal(grz_collide(f.device, &half, &f.b, NULL, f.result, NULL), GRZ_OK);
    assert_true(grz_result_summary(f.result)->colliding);
    finish_fixture(&f);
}

// A pose may flatten a mesh, even to a point. The query is then about the flattened mesh.
static void singular_poses_are_allowed(void **state)
{
    (void)state;
    fixture f = make_fixture();
    const grz_pose point = {{{0, 0, 0, 0.5}, {0, 0, 0, 0.5}, {0, 0, 0, 0.5}}},
                   sheet = {{{2, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 0, 0}}};
    f.b = grz_object_at(f.cube, point);
    assert_int_equal(grz_collide(f.device, &f.a, &f.b, NULL, f.result, NULL), GRZ_OK);
    assert_int_equal(grz_result_summary(f.result)->relation, GRZ_B_INSIDE_A);
    f.b = grz_object_at(f.cube, sheet);
    assert_int_equal(grz_collide(f.device, &f.a, &f.b, NULL, f.result, NULL), GRZ_OK);
    assert_int_equal(grz_result_summary(f.result)->relation, GRZ_COLLIDING);
    finish_fixture(&f);
}

static void helpers_make_the_objects_they_promise(void **state)
{
    (void)state;
    fixture f = make_fixture();
    const grz_pose identity = grz_pose_identity(), moved = grz_pose_from_translation(1.0, -2.0, 0x1p300);
    const grz_object object = grz_object_at_origin(f.cube);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++) {
            assert_true(identity.m[r][c] == (r == c ? 1.0 : 0.0)); // NOLINT
            if (c < 3)
                assert_true(moved.m[r][c] == identity.m[r][c]); // NOLINT
        }
    assert_true(moved.m[0][3] == 1.0 && moved.m[1][3] == -2.0 && moved.m[2][3] == 0x1p300); // NOLINT
    assert_true(object.mesh == f.cube && object.user == NULL && object.group == 1 && object.mask == UINT32_MAX);
    assert_memory_equal(&object.pose, &identity, sizeof identity);
    const grz_object placed = grz_object_at(f.cube, moved);
    assert_true(placed.mesh == f.cube && placed.user == NULL && placed.group == 1 && placed.mask == UINT32_MAX);
    assert_memory_equal(&placed.pose, &moved, sizeof moved);
    assert_int_equal(grz_mesh_vertex_count(f.cube), 8);
    assert_int_equal(grz_mesh_face_count(f.cube), 6);
    assert_int_equal(grz_mesh_triangle_count(f.cube), 12);
    finish_fixture(&f);
}

// Indices into other arrays are in range and leave no gap. The region is the box of the points.
static void expect_consistent(const test_answer *answer)
{
    uint64_t next = 0, kinds[GRZ_KIND_COUNT] = {0};
    for (uint64_t i = 0; i < answer->pair_count; i++) {
        const grz_pair *pair = &answer->pairs[i], *previous = pair - 1;
        assert_true(pair->kind < GRZ_KIND_COUNT);
        kinds[pair->kind]++;
        assert_true(i == 0 || previous->face_a < pair->face_a ||
                    (previous->face_a == pair->face_a && previous->face_b < pair->face_b));
    }
    assert_memory_equal(kinds, answer->summary.kinds, sizeof kinds);
    assert_int_equal(kinds[GRZ_NEAR], 0); // reserved
    for (uint64_t i = 0; i < answer->contact_count; i++) {
        const grz_contact *contact = &answer->contacts[i];
        assert_true(contact->pair < answer->pair_count && (i == 0 || contact->pair >= contact[-1].pair));
        assert_true(contact->first_point == next && contact->point_count >= 1 && contact->point_count <= 6);
        assert_true(contact->kind <= answer->pairs[contact->pair].kind);
        next += contact->point_count;
    }
    assert_int_equal(next, answer->point_count);
    next = 0;
    for (uint64_t i = 0; i < answer->curve_count; i++) {
        assert_true(answer->curves[i].first_point == next && answer->curves[i].point_count >= 1);
        next += answer->curves[i].point_count;
    }
    assert_int_equal(next, answer->curve_point_count);
    assert_int_equal(answer->summary.has_region, answer->point_count > 0);
    for (uint64_t i = 0; i < 3 * answer->point_count; i++)
        assert_true(answer->points[i] >= answer->summary.region_min[i % 3] &&
                    answer->points[i] <= answer->summary.region_max[i % 3]);
}

static void results_hold_what_was_asked_for_and_no_more(void **state)
{
    (void)state;
    fixture f = make_fixture();
    for (uint32_t find = 0; find <= FIND_ALL; find++) {
        for (int apart = 0; apart < 2; apart++) {
            grz_collide_options options = grz_default_collide_options();
            grz_object b = f.b;
            grz_error error = fresh_error(), untouched = error;
            options.find = find;
            options.times = apart == 0;
            b.pose.m[0][3] += apart ? 10.0 : 0.0;
            assert_int_equal(grz_collide(f.device, &f.a, &b, &options, f.result, &error), GRZ_OK);
            assert_memory_equal(&error, &untouched, sizeof error);
            test_answer answer = test_answer_of(f.result);
            const grz_summary *summary = &answer.summary;
            const bool curves = (find & GRZ_FIND_CURVES) != 0, contacts = curves || (find & GRZ_FIND_CONTACTS) != 0;
            const bool pairs = contacts || (find & GRZ_FIND_PAIRS) != 0;
            assert_int_equal(summary->relation, apart ? GRZ_APART : GRZ_COLLIDING);
            assert_int_equal(summary->colliding, !apart);
            assert_int_equal(summary->certainty, GRZ_EXACT);
            assert_null(summary->reason);
            const bool decided = apart && (find & GRZ_FIND_CONTAINMENT) != 0;
            assert_int_equal(summary->containment, decided ? GRZ_CONTAINMENT_DECIDED : GRZ_CONTAINMENT_NOT_ASKED);
            assert_int_equal(answer.pair_count > 0, pairs && !apart);
            assert_int_equal(summary->pair_count, answer.pair_count);
            assert_int_equal(summary->pairs_complete, pairs || apart);
            assert_int_equal(answer.contact_count > 0, contacts && !apart);
            assert_int_equal(answer.curve_count > 0, curves && !apart);
            assert_true(summary->prepare_ms >= 0.0 && summary->filter_ms >= 0.0 && summary->decide_ms >= 0.0);
            assert_true(summary->total_ms >= summary->prepare_ms);
            assert_int_equal(summary->total_ms > 0.0, options.times);
            expect_consistent(&answer);
            test_answer_finish(&answer);
        }
    }
    finish_fixture(&f);
}

typedef struct progress_log {
    pthread_t caller;
    unsigned calls;
    double last;
    bool wrong;
} progress_log;

static void log_progress(double share, void *user)
{
    progress_log *log = user;
    log->wrong = log->wrong || !(share >= 0.0 && share <= 1.0) || share < log->last ||
                 !pthread_equal(pthread_self(), log->caller);
    log->last = share;
    log->calls++;
}

static void progress_is_reported_on_the_callers_thread_and_only_grows(void **state)
{
    (void)state;
    test_mesh sphere = test_mesh_icosphere(1.0, 3);
    for (unsigned threads = 1; threads <= 3; threads++) {
        grz_device *device = test_device_open(threads);
        grz_mesh *mesh = test_mesh_upload(device, &sphere);
        grz_result *result = test_result_create(device);
        for (size_t i = 0; test_exact_method(i) != NULL; i++) {
            progress_log log = {.caller = pthread_self()};
            grz_collide_options options = grz_default_collide_options();
            grz_object a = grz_object_at_origin(mesh), b = a;
            b.pose = grz_pose_from_translation(0.5, 0.25, 0.0);
            options.method = test_exact_method(i);
            options.limits.progress = log_progress;
            options.limits.progress_user = &log;
            assert_int_equal(grz_collide(device, &a, &b, &options, result, NULL), GRZ_OK);
            assert_false(log.wrong);
            if (threads == 1)
                assert_true(log.calls > 0 && log.last == 1.0); // NOLINT
        }
        grz_result_destroy(result);
        grz_mesh_destroy(mesh);
        grz_device_close(device);
    }
    test_mesh_finish(&sphere);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_its_name),
        cmocka_unit_test(every_method_named_can_be_asked_for),
        cmocka_unit_test(defaults_are_what_the_headers_say),
        cmocka_unit_test(a_device_uses_as_many_threads_as_asked),
        cmocka_unit_test(devices_refuse_wrong_options),
        cmocka_unit_test(meshes_refuse_wrong_arguments),
        cmocka_unit_test(calls_on_meshes_refuse_missing_arguments),
        cmocka_unit_test(refused_positions_leave_the_mesh_as_it_was),
        cmocka_unit_test(queries_refuse_missing_arguments),
        cmocka_unit_test(queries_refuse_unknown_options),
        cmocka_unit_test(errors_begin_with_the_name_of_the_function),
        cmocka_unit_test(poses_that_are_not_finite_or_too_large_are_refused),
        cmocka_unit_test(quaternions_become_rotations),
        cmocka_unit_test(quaternions_that_are_no_rotation_are_refused),
        cmocka_unit_test(zeroed_objects_are_refused),
        cmocka_unit_test(singular_poses_are_allowed),
        cmocka_unit_test(helpers_make_the_objects_they_promise),
        cmocka_unit_test(results_hold_what_was_asked_for_and_no_more),
        cmocka_unit_test(progress_is_reported_on_the_callers_thread_and_only_grows),
    };
    return cmocka_run_group_tests_name("api", tests, NULL, NULL);
}
