// SPDX-License-Identifier: MIT
// The floating-point environment (docs/reference/numbers.md). The caller may have set any rounding mode, flush to zero,
// denormals are zero and trapped exceptions: every public call gives the same bytes as in the default environment, and
// leaves the control and status register as it found it. The first test shows that the data would give other answers
// without this protection.
#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geometry/triangle/pair.h"
#include "support_queries.h"

#if defined(__x86_64__) || defined(__SSE2__)
#include <xmmintrin.h>
#define HAS_MXCSR 1
#else
#define HAS_MXCSR 0
#endif

enum {
    FIND_ALL = GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES | GRZ_FIND_CONTAINMENT,
    FLUSH = 0x8040,     // MXCSR: flush to zero, denormals are zero
    ALL_MASKED = 0x1f80 // MXCSR: no exception traps; feenableexcept() clears five of these, this test all six
};

typedef struct environment {
    int rounding;
    bool flush, traps;
} environment;

static unsigned control(void)
{
#if HAS_MXCSR
    return _mm_getcsr();
#else
    return (unsigned)fegetround();
#endif
}

static void set_environment(const environment *e)
{
    fesetround(e->rounding);
#if HAS_MXCSR
    unsigned csr = _mm_getcsr() & ~(unsigned)(FLUSH | 0x3f);
    csr |= e->flush ? FLUSH : 0;
    csr = e->traps ? csr & ~(unsigned)ALL_MASKED : csr | ALL_MASKED;
    _mm_setcsr(csr);
#endif
}

static void set_default(void)
{
    const environment plain = {FE_TONEAREST, false, false};
    set_environment(&plain);
}

// Every combination that this machine supports; the first is the default.
static size_t environments(environment out[16])
{
    static const int roundings[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    size_t count = 0;
    for (int flush = 0; flush <= HAS_MXCSR; flush++)
        for (int traps = 0; traps <= HAS_MXCSR; traps++)
            for (int i = 0; i < 4; i++)
                out[count++] = (environment){roundings[i], flush == 1, traps == 1};
    return count;
}

static void name_environment(const environment *e, char text[96])
{
    snprintf(text, 96, "rounding mode %d%s%s", e->rounding, e->flush ? ", subnormals flushed" : "",
             e->traps ? ", exceptions trapped" : "");
}

// Make a public call in an environment, check that the call leaves it unchanged, and return to the default one.
#define CALL(e, call)                                                                                                  \
    do {                                                                                                               \
        set_environment(e);                                                                                            \
        const unsigned before_call = control();                                                                        \
        call;                                                                                                          \
        const unsigned after_call = control();                                                                         \
        set_default();                                                                                                 \
        expect_restored(e, before_call, after_call, #call);                                                            \
    } while (0)

static void expect_restored(const environment *e, unsigned before, unsigned after, const char *call)
{
    char text[96];
    name_environment(e, text);
    if (before != after)
        fail_msg("%s: %s: the control register was 0x%x before, 0x%x after", text, call, before, after);
}

// The definition of a vertex's world position, computed in the environment that is set; volatile, so that the compiler
// does not compute it earlier.
static void place_without_guard(const grz_pose *pose, const double p[3], double world[3])
{
    for (int row = 0; row < 3; row++) {
        const volatile double *m = pose->m[row], *x = p;
        volatile double sum = m[0] * x[0], in_y = m[1] * x[1], in_z = m[2] * x[2];
        sum = sum + in_y;
        sum = sum + in_z;
        world[row] = sum + m[3];
    }
}

static grz_pose turned(double scale)
{
    static const double none[3] = {0.0, 0.0, 0.0}, q[4] = {0.1, 0.2, 0.3, 0.4};
    grz_pose pose;
    assert_int_equal(grz_pose_from_quaternion(none, q, &pose, NULL), GRZ_OK);
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            pose.m[row][column] *= scale;
        pose.m[row][3] = 0.25 * scale;
    }
    return pose;
}

enum {
    QUESTIONS = 4
};

// Pairs for which the environment matters: subnormal coordinates, subnormal products, products that are rounded.
typedef struct question {
    const char *name;
    double scale, pose_scale;
    bool flush_matters;
} question;

static const question questions[QUESTIONS] = {{"size 1", 1.0, 1.0, false},
                                              {"subnormal coordinates", 0x1p-1050, 1.0, true},
                                              {"subnormal products", 0x1p-500, 0x1p-560, true},
                                              {"subnormal float32", 0x1p-138, 1.0, false}};

static void make_meshes(const question *q, test_mesh *a, test_mesh *b)
{
    *a = test_mesh_icosphere(1.0, 2);
    *b = test_mesh_torus(1.0, 0.4, 14, 9);
    test_mesh_scale(a, q->scale, q->scale, q->scale);
    test_mesh_scale(b, q->scale, q->scale, q->scale);
}

static void make_poses_of(const question *q, grz_pose *a, grz_pose *b)
{
    *a = grz_pose_identity();
    *b = turned(q->pose_scale);
    for (int i = 0; i < 3; i++) {
        a->m[i][i] = q->pose_scale;
        b->m[i][3] *= q->scale;
    }
}

static void world_corners(const test_mesh *mesh, const grz_pose *pose, uint64_t face, double corners[3][3])
{
    for (uint64_t i = 0; i < 3; i++)
        place_without_guard(pose, mesh->positions + 3 * (size_t)mesh->indices[3 * face + i], corners[i]);
}

// How many pairs of faces touch if the positions are computed in an environment.
static unsigned touching_without_guard(const question *q, const environment *e)
{
    test_mesh a, b;
    unsigned touching = 0;
    grz_pose pose_a, pose_b;
    make_meshes(q, &a, &b);
    make_poses_of(q, &pose_a, &pose_b);
    for (uint64_t i = 0; i < a.face_count; i += 3) {
        for (uint64_t j = 0; j < b.face_count; j++) {
            double corners_a[3][3], corners_b[3][3];
            set_environment(e);
            world_corners(&a, &pose_a, i, corners_a);
            world_corners(&b, &pose_b, j, corners_b);
            set_default();
            touching += grz_triangles_touch((const double(*)[3])corners_a, (const double(*)[3])corners_b);
        }
    }
    test_mesh_finish(&a);
    test_mesh_finish(&b);
    return touching;
}

static void without_protection_answers_would_differ(void **state)
{
    (void)state;
    const environment plain = {FE_TONEAREST, false, false}, flush = {FE_TONEAREST, true, false};
    for (int i = 0; i < QUESTIONS && HAS_MXCSR; i++) {
        const unsigned right = touching_without_guard(&questions[i], &plain),
                       flushed = touching_without_guard(&questions[i], &flush);
        print_message("%s: %u pairs touch, with subnormals flushed %u\n", questions[i].name, right, flushed);
        assert_true(right > 0);
        assert_int_equal(questions[i].flush_matters, right != flushed);
    }
    // A subnormal float widens to a normal double, or to 0 where denormals are zero.
    volatile float narrow = 0x1p-138f;
    set_environment(&flush);
    volatile double wide = (double)narrow;
    set_default();
    assert_true(!HAS_MXCSR || memcmp((const double[]){0.0}, (const double[]){wide}, sizeof wide) == 0);
    // Rounding: in each of the other modes some vertex gets another position.
    static const int roundings[3] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    test_mesh a, b;
    make_meshes(&questions[0], &a, &b);
    const grz_pose pose = turned(1.0);
    for (int i = 0; i < 3; i++) {
        unsigned moved = 0;
        for (uint64_t v = 0; v < b.vertex_count; v++) {
            const environment other = {roundings[i], false, false};
            double right[3], wrong[3];
            place_without_guard(&pose, b.positions + 3 * v, right);
            set_environment(&other);
            place_without_guard(&pose, b.positions + 3 * v, wrong);
            set_default();
            moved += memcmp(right, wrong, sizeof right) != 0;
        }
        assert_true(moved > 0);
    }
    test_mesh_finish(&a);
    test_mesh_finish(&b);
}

// All answers of one run of public calls.
typedef struct record {
    grz_pose rotation, small_rotation, identity, translation;
    grz_mesh_report report;
    test_answer answers[3];
} record;

static grz_mesh_description describe(const test_mesh *mesh, bool narrow, float *positions)
{
    grz_mesh_description description = grz_default_mesh_description();
    for (uint64_t i = 0; i < 3 * mesh->vertex_count; i++)
        positions[i] = (float)mesh->positions[i];
    description.positions = narrow ? (const void *)positions : mesh->positions;
    description.position_type = narrow ? GRZ_FLOAT32 : GRZ_FLOAT64;
    description.vertex_count = mesh->vertex_count;
    description.indices = mesh->indices;
    description.index_count = mesh->index_count;
    description.face_count = mesh->face_count;
    return description;
}

static void make_poses(const environment *e, record *out)
{
    static const double t[3] = {0x1p-1074, -0x1p-1060, 1.0}, q[4] = {0.1, -0.7, 0.3, 0.4};
    static const double small[4] = {0x1.8p-1060, -0x1p-1061, 0x1.4p-1060, 0x1p-1062};
    grz_status status;
    CALL(e, status = grz_pose_from_quaternion(t, q, &out->rotation, NULL));
    assert_int_equal(status, GRZ_OK);
    CALL(e, status = grz_pose_from_quaternion(t, small, &out->small_rotation, NULL));
    if (status != GRZ_OK)
        fail_msg("a quaternion of subnormals: %s", grz_status_name(status));
    CALL(e, out->identity = grz_pose_identity());
    CALL(e, out->translation = grz_pose_from_translation(0x1p-1074, -0x1p-1060, 1.0));
}

// Refused calls must keep the environment, too.
static void make_refused_calls(const environment *e, grz_device *device, grz_mesh *mesh, const test_mesh *from,
                               grz_result *result)
{
    double *positions = malloc((size_t)from->vertex_count * 3 * sizeof(double));
    grz_collide_options options = grz_default_collide_options();
    grz_mesh_description description = grz_default_mesh_description();
    grz_object object = grz_object_at_origin(mesh);
    grz_mesh *refused;
    grz_error error = {.code = GRZ_OK};
    grz_status status;
    assert_non_null(positions);
    for (uint64_t i = 0; i < 3 * from->vertex_count; i++)
        positions[i] = i % 2 ? (double)NAN : HUGE_VAL;
    description.positions = positions;
    description.position_type = GRZ_FLOAT64;
    description.vertex_count = from->vertex_count;
    description.face_count = 1;
    CALL(e, status = grz_mesh_create(device, &description, &refused, &error));
    assert_int_equal(status, GRZ_ERROR_MESH);
    CALL(e, status = grz_mesh_set_positions(mesh, positions, &error));
    assert_int_equal(status, GRZ_ERROR_MESH);
    object.pose.m[1][1] = (double)NAN;
    CALL(e, status = grz_collide(device, &object, &object, &options, result, &error));
    assert_int_equal(status, GRZ_ERROR_POSE);
    object.pose.m[1][1] = -HUGE_VAL;
    CALL(e, status = grz_collide_self(device, &object, &options, result, &error));
    assert_int_equal(status, GRZ_ERROR_POSE);
    options.limits.deadline = (double)NAN;
    CALL(e, status = grz_collide_self(device, &object, &options, result, &error));
    assert_int_equal(status, GRZ_ERROR_ARGUMENT);
    free(positions);
}

static void ask_all(const environment *e, grz_device *device, const grz_mesh *mesh_a, const grz_mesh *mesh_b,
                    const question *q, grz_result *result, record *out)
{
    grz_collide_options options = grz_default_collide_options();
    grz_object a, b;
    grz_status status;
    CALL(e, a = grz_object_at_origin(mesh_a));
    CALL(e, b = grz_object_at_origin(mesh_b));
    make_poses_of(q, &a.pose, &b.pose);
    options.find = FIND_ALL;
    options.limits.deadline = 1e6;
    for (int i = 0; i < 3; i++) {
        options.method = i == 0 ? "naive" : "bvh";
        if (i < 2)
            CALL(e, status = grz_collide(device, &a, &b, &options, result, NULL));
        else
            CALL(e, status = grz_collide_self(device, &b, &options, result, NULL));
        assert_int_equal(status, GRZ_OK);
        CALL(e, out->answers[i] = test_answer_of(result));
    }
}

static record run(const environment *e, const question *q, const grz_task_runner *runner)
{
    record out;
    memset(&out, 0, sizeof out);
    test_mesh a, b;
    make_meshes(q, &a, &b);
    float *positions = malloc((size_t)(a.vertex_count + b.vertex_count) * 3 * sizeof *positions);
    assert_non_null(positions);
    const bool narrow = strcmp(q->name, "subnormal float32") == 0;
    const grz_mesh_description description_a = describe(&a, narrow, positions);
    const grz_mesh_description description_b = describe(&b, narrow, positions + 3 * a.vertex_count);
    grz_device_options options = grz_default_device_options();
    grz_device *device = NULL;
    grz_mesh *mesh_a = NULL, *mesh_b = NULL;
    grz_result *result = NULL;
    grz_status status[7];
    options.threads = 3; // started in the caller's environment, too
    if (runner != NULL)
        options.task_runner = *runner;
    CALL(e, status[0] = grz_device_open(&options, &device, NULL));
    CALL(e, status[1] = grz_mesh_create(device, &description_a, &mesh_a, NULL));
    CALL(e, status[2] = grz_mesh_create(device, &description_b, &mesh_b, NULL));
    CALL(e, status[3] = grz_result_create(device, &result, NULL));
    CALL(e, status[4] = grz_mesh_prepare(mesh_a, "bvh", NULL));
    CALL(e, status[5] = grz_mesh_set_positions(mesh_a, description_a.positions, NULL));
    CALL(e, status[6] = grz_mesh_check(mesh_b, &out.report, NULL));
    for (int i = 0; i < 7; i++)
        assert_int_equal(status[i], GRZ_OK);
    make_poses(e, &out);
    ask_all(e, device, mesh_a, mesh_b, q, result, &out);
    make_refused_calls(e, device, mesh_a, &a, result);
    CALL(e, grz_result_destroy(result));
    CALL(e, grz_mesh_destroy(mesh_a));
    CALL(e, grz_mesh_destroy(mesh_b));
    CALL(e, grz_device_close(device));
    free(positions);
    test_mesh_finish(&a);
    test_mesh_finish(&b);
    return out;
}

static void finish_record(record *r)
{
    for (int i = 0; i < 3; i++)
        test_answer_finish(&r->answers[i]);
}

static void expect_same_record(const environment *e, const question *q, const record *expected, const record *got)
{
    char text[96];
    name_environment(e, text);
    const grz_pose *x = &expected->rotation, *y = &got->rotation;
    for (int i = 0; i < 4; i++)
        if (memcmp(&x[i], &y[i], sizeof x[i]) != 0)
            fail_msg("%s: pose %d has other bytes", text, i);
    if (expected->report.closed != got->report.closed ||
        expected->report.degenerate_faces != got->report.degenerate_faces ||
        expected->report.duplicate_vertices != got->report.duplicate_vertices ||
        memcmp(expected->report.min, got->report.min, sizeof got->report.min) != 0)
        fail_msg("%s: %s: the report differs", text, q->name);
    for (int i = 0; i < 3; i++)
        if (!test_answers_equal(text, &expected->answers[i], &got->answers[i]))
            fail_msg("%s: %s: query %d answers otherwise", text, q->name, i);
}

static void the_callers_environment_changes_no_bit_and_is_kept(void **state)
{
    (void)state;
    environment all[16];
    const size_t count = environments(all);
    unsigned runs = 0;
    for (int i = 0; i < QUESTIONS; i++) {
        record expected = run(&all[0], &questions[i], NULL);
        assert_true(expected.answers[0].pair_count > 10 && expected.report.closed &&
                    expected.report.degenerate_faces == 0);
        assert_true(test_answers_equal("naive and bvh", &expected.answers[0], &expected.answers[1]));
        for (size_t k = 1; k < count; k++) {
            record got = run(&all[k], &questions[i], NULL);
            expect_same_record(&all[k], &questions[i], &expected, &got);
            finish_record(&got);
            runs++;
        }
        finish_record(&expected);
    }
    print_message("%u runs of all public calls in %zu environments\n", runs, count);
    if (!HAS_MXCSR)
        print_message("SKIPPED: flush to zero and trapped exceptions, which need MXCSR\n");
}

typedef struct tasks {
    void (*task)(size_t index, void *context);
    void *context;
    size_t count;
    const environment *environment;
    bool changed;
} tasks;

static void *run_in_environment(void *argument)
{
    tasks *t = argument;
    set_environment(t->environment);
    const unsigned before = control();
    for (size_t i = 0; i < t->count; i++) {
        t->task(i, t->context);
        t->changed = t->changed || control() != before;
    }
    return NULL;
}

// A task runner whose thread has its own environment, which `user` points to.
static void run_on_other_thread(void (*task)(size_t index, void *context), void *context, size_t count, void *user)
{
    tasks t = {.task = task, .context = context, .count = count, .environment = user};
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_in_environment, &t) != 0)
        abort();
    pthread_join(thread, NULL);
    if (t.changed) {
        fprintf(stderr, "a task left another environment behind\n");
        abort();
    }
}

static void a_task_runners_environment_changes_no_bit_and_stays(void **state)
{
    (void)state;
    environment all[16];
    const size_t count = environments(all);
    for (int i = 0; i < QUESTIONS; i++) {
        record expected = run(&all[0], &questions[i], NULL);
        for (size_t k = 1; k < count; k++) {
            const grz_task_runner runner = {.run = run_on_other_thread, .width = 2, .user = &all[k]};
            record got = run(&all[0], &questions[i], &runner);
            expect_same_record(&all[k], &questions[i], &expected, &got);
            finish_record(&got);
        }
        finish_record(&expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_protection_answers_would_differ),
        cmocka_unit_test(the_callers_environment_changes_no_bit_and_is_kept),
        cmocka_unit_test(a_task_runners_environment_changes_no_bit_and_stays),
    };
    return cmocka_run_group_tests_name("floating point", tests, NULL, NULL);
}
