// SPDX-License-Identifier: MIT
// grz_move_deforming(): against a search of all pairs of triangles; against grz_collide() and grz_collide_self() at
// times at which all positions are exact; swapped; a sheet that is rolled up; bad input; ended early; with memory
// running out.
// ctest: concurrent two_meshes_against_all_pairs it_ends_early
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/control.h"
#include "geometry/inclusion/inclusion.h"
#include "geometry/triangle/triangle.h"
#include "support_arrays.h"
#include "space/swept/swept_tree.h"
#include "support_allocator.h"
#include "support_queries.h"

enum {
    MESHES = 60,  // of each kind
    MOMENTS = 16, // exact times that are looked at
    FACES = 24
};

// The positions at time 1: each moved by integers (grid > 0), or by up to `amount`.
static double *moved(random_stream *random, const test_mesh *mesh, uint32_t grid, double amount)
{
    double *const end = malloc((size_t)mesh->vertex_count * 3 * sizeof *end);
    assert_non_null(end);
    for (size_t i = 0; i < mesh->vertex_count * 3; i++)
        end[i] = mesh->positions[i] +
                 (grid > 0 ? (double)random_below(random, 2 * grid + 1) - grid : amount * random_signed(random));
    return end;
}

static void corners_of(const test_mesh *mesh, const double *end, uint32_t face, double out[2][3][3])
{
    for (int i = 0; i < 3; i++) {
        const size_t v = mesh->indices[(size_t)face * 3 + (size_t)i];
        memcpy(out[0][i], mesh->positions + v * 3, sizeof out[0][i]);
        memcpy(out[1][i], end + v * 3, sizeof out[1][i]);
    }
}

static void two_meshes_against_all_pairs(void **state)
{
    (void)state;
    grz_device *const device = test_device_open(1);
    unsigned met = 0, free_of = 0, started = 0;
    for (unsigned k = 0; k < 2 * MESHES; k++) {
        random_stream random = {k};
        const uint32_t grid = k % 2 * 6;
        test_mesh meshes[2];
        double *ends[2];
        grz_object objects[2];
        for (int i = 0; i < 2; i++) {
            meshes[i] = test_mesh_random_triangles(&random, FACES / 2, 0.3, grid);
            test_mesh_move(&meshes[i], i * (grid > 0 ? 8.0 : 1.5), 0.0, 0.0);
            ends[i] = moved(&random, &meshes[i], grid / 2, 0.5);
            objects[i] = grz_object_at_origin(test_mesh_upload(device, &meshes[i]));
        }
        grz_move_answer answer, swapped;
        grz_error error;
        assert_int_equal(grz_move_deforming(device, &objects[0], ends[0], &objects[1], ends[1], NULL, &answer, &error),
                         GRZ_OK);
        assert_int_equal(grz_move_deforming(device, &objects[1], ends[1], &objects[0], ends[0], NULL, &swapped, &error),
                         GRZ_OK);
        const grz_inclusion_limits limits = grz_inclusion_limits_until(1.0);
        double lower = 1.0, upper = 1.0;
        bool proved = false, undecided = false;
        for (uint32_t i = 0; i < meshes[0].face_count; i++) {
            for (uint32_t j = 0; j < meshes[1].face_count; j++) {
                double a[2][3][3], b[2][3][3];
                corners_of(&meshes[0], ends[0], i, a);
                corners_of(&meshes[1], ends[1], j, b);
                const grz_inclusion one =
                    grz_include_triangles((const double(*)[3][3])a, (const double(*)[3][3])b, &limits);
                lower = fmin(lower, one.lower);
                proved = proved || one.meeting == GRZ_MEET_PROVED;
                undecided = undecided || one.meeting == GRZ_MEET_UNDECIDED;
                upper = one.meeting == GRZ_MEET_PROVED ? fmin(upper, one.upper) : upper;
            }
        }
        const bool never = !proved && !undecided;
        assert_true(answer.has_contact == proved && (never || answer.first_contact == answer.lower));
        assert_true(proved || never ? TEST_LABEL_FITS(answer) : answer.certainty == GRZ_UNDECIDED);
        // Both are proved, so that the intervals have the exact time in common.
        assert_true(never ? answer.lower == HUGE_VAL && answer.first_contact == HUGE_VAL
                          : answer.lower <= upper && lower <= answer.upper);
        assert_true(answer.lower <= answer.upper && (answer.upper < HUGE_VAL) == proved);
        assert_true(swapped.has_contact == answer.has_contact && swapped.started_touching == answer.started_touching);
        assert_true(swapped.lower <= answer.upper && answer.lower <= swapped.upper);
        assert_true(never == (answer.face_a == GRZ_NO_FACE));
        if (!never) { // the pair named meets when the answer says
            double a[2][3][3], b[2][3][3];
            corners_of(&meshes[0], ends[0], answer.face_a, a);
            corners_of(&meshes[1], ends[1], answer.face_b, b);
            const grz_inclusion one =
                grz_include_triangles((const double(*)[3][3])a, (const double(*)[3][3])b, &limits);
            assert_true(one.lower <= answer.upper && answer.lower <= one.upper);
        }
        met += !never;
        free_of += never;
        started += answer.started_touching;
        for (int i = 0; i < 2; i++) {
            grz_mesh_destroy((grz_mesh *)objects[i].mesh);
            test_mesh_finish(&meshes[i]);
            free(ends[i]);
        }
    }
    print_message("%u meet, %u of them at the start; %u do not\n", met, started, free_of);
    assert_true(met > 20 && free_of > 20 && started > 0 && started < met);
    grz_device_close(device);
}

// At multiples of 1/16 the positions of a mesh of integers are exact: collisions there are the truth.
static void self_against_exact_moments(void **state)
{
    (void)state;
    grz_device *const device = test_device_open(1);
    grz_result *const result = test_result_create(device);
    unsigned met = 0, started = 0, seen = 0, free_of = 0, collapsed = 0;
    for (unsigned k = 0; k < 2 * MESHES; k++) {
        random_stream random = {1000 + k};
        test_mesh mesh = test_mesh_grid(4, 3, 4.0);
        test_mesh_crumple(&mesh, &random, 1 + k % 2, 0.0);
        double *const end = moved(&random, &mesh, 1 + k % 6, 0.0);
        grz_mesh *const at_start = test_mesh_upload_flags(device, &mesh, GRZ_MESH_INDEX_ONLY);
        grz_object object = grz_object_at_origin(at_start);
        grz_move_answer answer;
        grz_error error;
        assert_int_equal(grz_move_deforming(device, &object, end, NULL, NULL, NULL, &answer, &error), GRZ_OK);
        grz_mesh *const moving = test_mesh_upload_flags(device, &mesh, GRZ_MESH_INDEX_ONLY);
        object.mesh = moving;
        double *const now = malloc((size_t)mesh.vertex_count * 3 * sizeof *now);
        assert_non_null(now);
        bool any = false;
        for (unsigned moment = 0; moment <= MOMENTS; moment++) {
            const double t = (double)moment / MOMENTS;
            for (size_t i = 0; i < mesh.vertex_count * 3; i++)
                now[i] = (1.0 - t) * mesh.positions[i] + t * end[i];
            assert_int_equal(grz_mesh_set_positions(moving, now, &error), GRZ_OK);
            assert_int_equal(grz_collide_self(device, &object, NULL, result, &error), GRZ_OK);
            const bool collides = grz_result_summary(result)->pair_count > 0;
            any = any || collides;
            if (collides && !((answer.has_contact || answer.certainty == GRZ_UNDECIDED) && answer.lower <= t))
                fail_msg("mesh %u collides at %g; the answer is [%.17g, %.17g]", k, t, answer.lower, answer.upper);
            if (moment == 0 && collides)
                assert_true(answer.started_touching);
            if (moment == 0 && answer.started_touching && !collides) { // a face has collapsed onto what it shares
                double a[2][3][3], b[2][3][3];
                corners_of(&mesh, end, answer.face_a, a);
                corners_of(&mesh, end, answer.face_b, b);
                collapsed++;
                assert_true(grz_triangle_dimension((const double(*)[3])a[0]) < 2 ||
                            grz_triangle_dimension((const double(*)[3])b[0]) < 2);
            }
        }
        assert_true(TEST_LABEL_FITS(answer) || answer.undecided > 0);
        met += answer.has_contact;
        started += answer.started_touching;
        seen += any;
        free_of += !answer.has_contact;
        free(now);
        free(end);
        grz_mesh_destroy(moving);
        grz_mesh_destroy(at_start);
        test_mesh_finish(&mesh);
    }
    print_message(
        "%u sheets meet themselves, %u of them at the start (%u where a face has collapsed), %u seen at exact "
        "moments; %u do not\n",
        met, started, collapsed, seen, free_of);
    assert_true(collapsed < MESHES / 10);
    assert_true(met > started + 10 && seen > 10 && free_of > 10);
    grz_result_destroy(result);
    grz_device_close(device);
}

enum {
    MOST_BOXES = 100
};

typedef struct visits {
    unsigned seen[MOST_BOXES][MOST_BOXES];
} visits;

static bool note_visit(void *user, uint32_t a, uint32_t b)
{
    ((visits *)user)->seen[a][b]++;
    return true;
}

static void a_tree_visits_every_pair_once(void **state)
{
    (void)state;
    const grz_allocator allocator = grz_malloc_allocator();
    static visits two, self;
    for (uint32_t count = 1; count <= MOST_BOXES; count += 1 + count / 4) {
        random_stream random = {count};
        grz_swept_tree trees[2];
        for (int k = 0; k < 2; k++) {
            assert_true(grz_swept_tree_init(&trees[k], count, &allocator));
            for (uint32_t i = 0; i < count; i++) {
                for (int axis = 0; axis < 3; axis++) {
                    const double at = random_below(&random, 6);
                    trees[k].boxes[i].min[axis] = at;
                    trees[k].boxes[i].max[axis] = at + random_below(&random, 3);
                }
            }
            assert_true(grz_swept_tree_build(&trees[k], NULL));
        }
        memset(&two, 0, sizeof two);
        memset(&self, 0, sizeof self);
        assert_true(grz_swept_tree_pairs(&trees[0], &trees[1], note_visit, &two));
        assert_true(grz_swept_tree_pairs(&trees[0], &trees[0], note_visit, &self));
        for (uint32_t i = 0; i < count; i++) {
            for (uint32_t j = 0; j < count; j++) {
                assert_int_equal(two.seen[i][j], grz_boxes_overlap(&trees[0].boxes[i], &trees[1].boxes[j]));
                if (i < j)
                    assert_int_equal(self.seen[i][j] + self.seen[j][i],
                                     grz_boxes_overlap(&trees[0].boxes[i], &trees[0].boxes[j]));
            }
            assert_int_equal(self.seen[i][i], 0);
        }
        grz_swept_tree_finish(&trees[0]);
        grz_swept_tree_finish(&trees[1]);
    }
}

// A build that is cancelled divides nothing more and leaves an empty tree; one that is not makes the same tree as ever.
static void a_tree_that_is_cancelled_is_empty(void **state)
{
    (void)state;
    enum {
        COUNT = 20000
    };
    const grz_allocator allocator = grz_malloc_allocator();
    random_stream random = {5};
    grz_swept_tree trees[2];
    grz_control control;
    volatile int cancel = 0;
    static visits none;
    for (int k = 0; k < 2; k++) {
        assert_true(grz_swept_tree_init(&trees[k], COUNT, &allocator));
        for (uint32_t i = 0; i < COUNT; i++)
            for (int axis = 0; axis < 3; axis++) {
                const double at = k == 0 ? random_signed(&random) : trees[0].boxes[i].min[axis];
                trees[k].boxes[i].min[axis] = trees[k].boxes[i].max[axis] = at;
            }
    }
    grz_control_init(&control, &allocator, NULL);
    control.limits.cancel = &cancel;
    assert_true(grz_swept_tree_build(&trees[0], NULL));
    assert_true(grz_swept_tree_build(&trees[1], &control));
    assert_int_equal(trees[0].node_count, trees[1].node_count);
    assert_memory_equal(trees[0].items, trees[1].items, COUNT * sizeof *trees[0].items);
    cancel = 1;
    assert_false(grz_swept_tree_build(&trees[1], &control));
    assert_int_equal(trees[1].node_count, 0);
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(trees[1].items[i], i); // not even the root was divided
    assert_true(grz_swept_tree_pairs(&trees[0], &trees[1], note_visit, &none));
    assert_int_equal(none.seen[0][0], 0);
    for (int k = 0; k < 2; k++)
        grz_swept_tree_finish(&trees[k]);
}

// Two cubes, one of which moves by 2 towards the other: the time is known.
typedef struct cubes {
    grz_device *device;
    test_mesh meshes[2];
    grz_object objects[2];
    double end[24];
} cubes;

static cubes make_cubes(grz_device *device, double gap, double way)
{
    cubes c = {.device = device, .meshes = {test_mesh_cube(0, 0, 0, 1), test_mesh_cube(1.0 + gap, 0.25, 0.25, 0.5)}};
    for (int i = 0; i < 2; i++)
        c.objects[i] = grz_object_at_origin(test_mesh_upload(device, &c.meshes[i]));
    for (int i = 0; i < 24; i++)
        c.end[i] = c.meshes[0].positions[i] + (i % 3 == 0 ? way : 0.0);
    return c;
}

static void finish_cubes(cubes *c)
{
    for (int i = 0; i < 2; i++) {
        grz_mesh_destroy((grz_mesh *)c->objects[i].mesh);
        test_mesh_finish(&c->meshes[i]);
    }
}

static void a_cube_arrives(void **state)
{
    (void)state;
    grz_device *const device = test_device_open(1);
    cubes c = make_cubes(device, 1.5, 2.0);
    grz_move_answer answer;
    grz_deforming_options options = grz_default_deforming_options();
    assert_int_equal(grz_move_deforming(device, &c.objects[0], c.end, &c.objects[1], NULL, NULL, &answer, NULL),
                     GRZ_OK);
    assert_true(answer.has_contact && answer.certainty == GRZ_ENCLOSED && !answer.started_touching);
    assert_true(answer.lower <= 0.75 && answer.upper >= 0.75 && answer.upper - answer.lower <= 0x1p-40);
    // Posed: both are moved alike.
    const grz_pose pose = grz_pose_from_translation(64.0, -32.0, 8.0);
    const grz_object a = grz_object_at(c.objects[0].mesh, pose), b = grz_object_at(c.objects[1].mesh, pose);
    assert_int_equal(grz_move_deforming(device, &a, c.end, &b, NULL, NULL, &answer, NULL), GRZ_OK);
    assert_true(answer.has_contact && answer.lower <= 0.75 && answer.upper >= 0.75);
    // It does not come so far in time, or it keeps its distance.
    options.t_max = 0.5;
    assert_int_equal(grz_move_deforming(device, &a, c.end, &b, NULL, &options, &answer, NULL), GRZ_OK);
    assert_true(!answer.has_contact && answer.certainty == GRZ_EXACT && answer.lower == HUGE_VAL &&
                answer.upper == HUGE_VAL);
    options.separation = 0.25; // the gap is 0.5 at t_max
    assert_int_equal(grz_move_deforming(device, &a, c.end, &b, NULL, &options, &answer, NULL), GRZ_OK);
    assert_true(!answer.has_contact && answer.certainty == GRZ_EXACT);
    options.separation = 1.0; // from t = 0.25 on
    assert_int_equal(grz_move_deforming(device, &a, c.end, &b, NULL, &options, &answer, NULL), GRZ_OK);
    assert_true(answer.has_contact && answer.lower <= 0.25 && answer.upper >= 0.25);
    assert_true(answer.upper - answer.lower <= 0x1p-30);
    finish_cubes(&c);
    c = make_cubes(device, 0.0, 2.0);
    assert_int_equal(grz_move_deforming(device, &c.objects[0], c.end, &c.objects[1], NULL, NULL, &answer, NULL),
                     GRZ_OK);
    assert_true(answer.has_contact && answer.started_touching && answer.lower == 0.0 && answer.upper == 0.0);
    finish_cubes(&c);
    grz_device_close(device);
}

// ---- Slabs --------------------------------------------------------------------------------------------------------

enum {
    SHEET = 16 // squares along a side
};

// A sheet that is rolled up in one step, a little further than until its sides meet; then moved as a whole.
typedef struct roll {
    test_mesh mesh;
    double *end;
} roll;

static roll make_roll(double moved_by)
{
    roll r = {.mesh = test_mesh_grid(SHEET, SHEET, 1.0)};
    r.end = malloc((size_t)r.mesh.vertex_count * 3 * sizeof *r.end);
    assert_non_null(r.end);
    for (size_t v = 0; v < r.mesh.vertex_count; v++) {
        const double *const p = r.mesh.positions + 3 * v, angle = p[0] * (6.5 / SHEET);
        r.end[3 * v] = 4.0 * cos(angle) + moved_by;
        r.end[3 * v + 1] = p[1];
        r.end[3 * v + 2] = 4.0 * sin(angle) - moved_by;
    }
    return r;
}

static void finish_roll(roll *r)
{
    test_mesh_finish(&r->mesh);
    free(r->end);
}

static grz_move_answer ask_roll(grz_device *device, const roll *r)
{
    grz_mesh *const mesh = test_mesh_upload(device, &r->mesh);
    const grz_object object = grz_object_at_origin(mesh);
    grz_move_answer answer;
    assert_int_equal(grz_move_deforming(device, &object, r->end, NULL, NULL, NULL, &answer, NULL), GRZ_OK);
    grz_mesh_destroy(mesh);
    return answer;
}

// The first contact of a roll is that of two faces without common corners: by all pairs.
static void all_pairs_of_roll(const roll *r, double *lower, double *upper)
{
    const uint32_t *const v = r->mesh.indices;
    *lower = *upper = 1.0;
    for (uint32_t i = 0; i < r->mesh.face_count; i++)
        for (uint32_t j = 0; j < i; j++) {
            bool shared = false;
            for (int k = 0; k < 9; k++)
                shared = shared || v[i * 3 + (uint32_t)k / 3] == v[j * 3 + (uint32_t)k % 3];
            if (shared)
                continue;
            double a[2][3][3], b[2][3][3];
            corners_of(&r->mesh, r->end, i, a);
            corners_of(&r->mesh, r->end, j, b);
            const grz_inclusion_limits limits = grz_inclusion_limits_until(*upper);
            const grz_inclusion one =
                grz_include_triangles((const double(*)[3][3])a, (const double(*)[3][3])b, &limits);
            *lower = fmin(*lower, one.lower);
            *upper = one.meeting == GRZ_MEET_PROVED ? one.upper : *upper;
        }
}

static void a_sheet_is_rolled_up(void **state)
{
    (void)state;
    grz_device *const one = test_device_open(1), *const three = test_device_open(3);
    roll here = make_roll(0.0), away = make_roll(0x1p20);
    double lower, upper;
    all_pairs_of_roll(&here, &lower, &upper);
    assert_true(upper < 0.75);
    const grz_move_answer answer = ask_roll(one, &here);
    assert_true(answer.has_contact && answer.certainty == GRZ_ENCLOSED && !answer.started_touching);
    assert_true(answer.lower <= upper && lower <= answer.upper && answer.upper - answer.lower <= 0x1p-30);
    // Threads change no bit.
    const grz_move_answer other = ask_roll(three, &here);
    assert_true(answer.lower == other.lower && answer.upper == other.upper && answer.compared == other.compared);
    assert_true(answer.face_a == other.face_a && answer.face_b == other.face_b);
    assert_memory_equal(&answer.feature_a, &other.feature_a, sizeof answer.feature_a);
    assert_memory_equal(&answer.feature_b, &other.feature_b, sizeof answer.feature_b);
    // Few pairs are searched; not more if the sheet moves far as a whole.
    const uint64_t pairs = (uint64_t)here.mesh.face_count * here.mesh.face_count / 2;
    assert_true(answer.compared < pairs / 10);
    const grz_move_answer far = ask_roll(one, &away);
    assert_true(far.has_contact && TEST_LABEL_FITS(far));
    assert_true(fabs(far.lower - answer.lower) < 1e-7 && far.compared < 2 * answer.compared);
    print_message("%llu of %llu pairs searched, %llu of those that move\n", (unsigned long long)answer.compared,
                  (unsigned long long)pairs, (unsigned long long)far.compared);
    finish_roll(&here);
    finish_roll(&away);
    grz_device_close(one);
    grz_device_close(three);
}

// Runs tasks one after the other, and raises a flag before one of them.
typedef struct counting_runner {
    long runs, cancel_at;
    volatile int raised;
} counting_runner;

static void run_and_count(void (*task)(size_t index, void *context), void *context, size_t count, void *user)
{
    counting_runner *const runner = user;
    if (++runner->runs == runner->cancel_at)
        runner->raised = 1;
    for (size_t i = 0; i < count; i++)
        task(i, context);
}

// Wherever it is ended: what is said to be proved is true, and it grows with the time that it had. A sheet slides over
// another one, both askew, so that boxes of long times overlap though the sheets never touch.
static void what_is_proved_until_it_is_ended(void **state)
{
    (void)state;
    counting_runner runner = {.runs = 0};
    grz_device_options device_options = grz_default_device_options();
    grz_device *device = NULL;
    device_options.kind = GRZ_DEVICE_CPU;
    device_options.task_runner = (grz_task_runner){.run = run_and_count, .width = 2, .user = &runner};
    assert_int_equal(grz_device_open(&device_options, &device, NULL), GRZ_OK);
    test_mesh sheet = test_mesh_grid(SHEET, SHEET, 1.0);
    double *const end = malloc((size_t)sheet.vertex_count * 3 * sizeof *end);
    assert_non_null(end);
    for (size_t v = 0; v < sheet.vertex_count; v++) {
        double *const p = sheet.positions + 3 * v;
        p[2] = p[0];
        for (int k = 0; k < 3; k++)
            end[3 * v + (size_t)k] = p[k] + (k == 1 ? 0.0 : SHEET);
    }
    grz_mesh *const mesh = test_mesh_upload(device, &sheet);
    const grz_object a = grz_object_at(mesh, grz_pose_from_translation(0.0, 0.0, 0.25)), b = grz_object_at_origin(mesh);
    grz_deforming_options options = grz_default_deforming_options();
    grz_move_answer answer;
    options.limits.cancel = &runner.raised;
    assert_int_equal(grz_move_deforming(device, &a, end, &b, NULL, &options, &answer, NULL), GRZ_OK);
    assert_true(!answer.has_contact && answer.certainty == GRZ_EXACT && answer.lower == HUGE_VAL);
    const long runs = runner.runs;
    double lower = 0.0;
    int steps = 0;
    for (runner.cancel_at = 1; runner.cancel_at <= runs; runner.cancel_at++) {
        runner.runs = 0;
        runner.raised = 0;
        assert_int_equal(grz_move_deforming(device, &a, end, &b, NULL, &options, &answer, NULL), GRZ_ERROR_CANCELLED);
        assert_true(answer.lower >= lower && answer.lower < 1.0 && answer.upper == HUGE_VAL);
        assert_true(!answer.has_contact && answer.certainty == GRZ_UNDECIDED);
        steps += answer.lower > lower;
        lower = answer.lower;
    }
    print_message("ended %ld times; lower grew %d times, up to %g\n", runs, steps, lower);
    assert_true(steps > 5 && lower > 0.5);
    free(end);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&sheet);
    grz_device_close(device);
}

// Two triangles that cross at the start; the tolerance would allow to find a later contact only.
static void a_start_in_contact_is_said_whatever_the_tolerance(void **state)
{
    (void)state;
    static const double corners[2][2][9] = {
        {{0x1.d8p-3, 0x1.ap-3, 0x1.a4p-2, -0x1p-5, 0x1.58p-2, 0x1.04p-1, -0x1.78p-1, 0x1.08p-1, -0x1.8cp-2},
         {0x1.6p-4, 0x1.7cp-1, -0x1.54p+0, -0x1.2p-2, 0x1.68p-1, -0x1.aep+0, -0x1.bp-2, 0x1.28p-2, 0x1.9cp-1}},
        {{0x1.88p-3, -0x1.88p-3, 0x1.d4p-2, -0x1.cp-4, 0x1.b4p-2, 0x1.32p-1, -0x1.3p-4, 0x1.ap-2, 0x1.7p-3},
         {-0x1.08p+0, -0x1.ccp+0, -0x1.2p-2, -0x1.74p-1, -0x1.74p-1, 0x1.48p+0, 0x1.6p-2, -0x1.3ep+0, -0x1.28p-1}}};
    grz_device *const device = test_device_open(1);
    grz_object objects[2];
    for (int i = 0; i < 2; i++) {
        const grz_mesh_description d = describe_mesh(corners[i][0], 3, NULL, 1, 3);
        grz_mesh *mesh;
        assert_int_equal(grz_mesh_create(device, &d, &mesh, NULL), GRZ_OK);
        objects[i] = grz_object_at_origin(mesh);
    }
    for (int exponent = -40; exponent <= 0; exponent++) {
        grz_deforming_options options = grz_default_deforming_options();
        grz_move_answer answer;
        options.time_tolerance = ldexp(1.0, exponent);
        assert_int_equal(
            grz_move_deforming(device, &objects[0], corners[0][1], &objects[1], corners[1][1], &options, &answer, NULL),
            GRZ_OK);
        assert_true(answer.started_touching && answer.has_contact && answer.certainty == GRZ_EXACT);
        assert_true(answer.lower == 0.0 && answer.upper == 0.0);
    }
    for (int i = 0; i < 2; i++)
        grz_mesh_destroy((grz_mesh *)objects[i].mesh);
    grz_device_close(device);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    grz_device *const device = test_device_open(1);
    cubes c = make_cubes(device, 1.0, 2.0);
    const grz_object *const a = &c.objects[0], *const b = &c.objects[1];
    grz_move_answer answer;
    grz_error error;
    const grz_deforming_options good = grz_default_deforming_options();
    test_expect_error(grz_move_deforming(NULL, a, c.end, b, NULL, NULL, &answer, &error), GRZ_ERROR_ARGUMENT, &error,
                      "the device is NULL", GRZ_NO_ELEMENT);
    test_expect_error(grz_move_deforming(device, a, c.end, b, NULL, NULL, NULL, &error), GRZ_ERROR_ARGUMENT, &error,
                      "the answer is NULL", GRZ_NO_ELEMENT);
    test_expect_error(grz_move_deforming(device, NULL, c.end, b, NULL, NULL, &answer, &error), GRZ_ERROR_ARGUMENT,
                      &error, "object A", 0);
    test_expect_error(grz_move_deforming(device, a, c.end, NULL, c.end, NULL, &answer, &error), GRZ_ERROR_ARGUMENT,
                      &error, "end_b is given", GRZ_NO_ELEMENT);
    for (int i = 0; i < 3; i++) {
        const double bad[3] = {(double)NAN, (double)INFINITY, 0x1p301};
        double end[24];
        memcpy(end, c.end, sizeof end);
        end[3 * 5 + 1] = bad[i];
        test_expect_error(grz_move_deforming(device, b, NULL, a, end, NULL, &answer, &error), GRZ_ERROR_ARGUMENT,
                          &error, "end of object B, vertex 5: y", 5);
        assert_true(answer.certainty == GRZ_UNDECIDED && answer.lower == 0.0 && !answer.has_contact);
    }
    const struct {
        double t_max, time, space, separation, deadline;
        uint32_t steps;
        const char *words;
    } cases[] = {
        {0.0, 1e-9, 0.0, 0.0, 0.0, 9, "t_max"},         {1.5, 1e-9, 0.0, 0.0, 0.0, 9, "t_max"},
        {(double)NAN, 1e-9, 0.0, 0.0, 0.0, 9, "t_max"}, {1.0, 0.0, 0.0, 0.0, 0.0, 9, "time_tolerance"},
        {1.0, 1e-9, -1.0, 0.0, 0.0, 9, "options.tol"},  {1.0, 1e-9, 0.0, -1.0, 0.0, 9, "separation"},
        {1.0, 1e-9, 0.0, 0.0, -1.0, 9, "deadline"},     {1.0, 1e-9, 0.0, 0.0, 0.0, 0, "max_steps"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        grz_deforming_options options = good;
        options.t_max = cases[i].t_max;
        options.time_tolerance = cases[i].time;
        options.tolerance = cases[i].space;
        options.separation = cases[i].separation;
        options.limits.deadline = cases[i].deadline;
        options.max_steps = cases[i].steps;
        test_expect_error(grz_move_deforming(device, a, c.end, b, NULL, &options, &answer, &error), GRZ_ERROR_ARGUMENT,
                          &error, cases[i].words, GRZ_NO_ELEMENT);
    }
    finish_cubes(&c);
    grz_device_close(device);
}

static void it_ends_early(void **state)
{
    (void)state;
    grz_device *const device = test_device_open(1);
    test_mesh balls[2] = {test_mesh_icosphere(1.0, 3), test_mesh_icosphere(1.0625, 3)};
    grz_object objects[2];
    for (int i = 0; i < 2; i++)
        objects[i] = grz_object_at_origin(test_mesh_upload(device, &balls[i]));
    const int raised = 1;
    grz_deforming_options options = grz_default_deforming_options();
    grz_move_answer answer;
    grz_error error;
    options.limits.cancel = &raised;
    test_expect_error(
        grz_move_deforming(device, &objects[0], balls[1].positions, &objects[1], NULL, &options, &answer, &error),
        GRZ_ERROR_CANCELLED, &error, "cancel", GRZ_NO_ELEMENT);
    assert_true(answer.certainty == GRZ_UNDECIDED && answer.lower == 0.0 && answer.upper == HUGE_VAL);
    options.limits.cancel = NULL;
    options.limits.deadline = 1e-9;
    test_expect_error(
        grz_move_deforming(device, &objects[0], balls[1].positions, &objects[1], NULL, &options, &answer, &error),
        GRZ_ERROR_DEADLINE, &error, "deadline", GRZ_NO_ELEMENT);
    assert_true(answer.certainty == GRZ_UNDECIDED && answer.lower == 0.0);
    options.limits.deadline = 0.0;
    options.limits.memory_limit = 1000;
    test_expect_error(
        grz_move_deforming(device, &objects[0], balls[1].positions, &objects[1], NULL, &options, &answer, &error),
        GRZ_ERROR_MEMORY, &error, "bytes", GRZ_NO_ELEMENT);
    options.limits.memory_limit = 0;
    assert_int_equal(
        grz_move_deforming(device, &objects[0], balls[1].positions, &objects[1], NULL, &options, &answer, &error),
        GRZ_OK);
    assert_true(answer.has_contact && answer.compared > 1000); // at t = 1 at the latest
    for (int i = 0; i < 2; i++) {
        grz_mesh_destroy((grz_mesh *)objects[i].mesh);
        test_mesh_finish(&balls[i]);
    }
    grz_device_close(device);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    test_strict_allocator strict = {.lock = PTHREAD_MUTEX_INITIALIZER};
    grz_device_options device_options = grz_default_device_options();
    grz_device *device = NULL;
    device_options.threads = 1;
    device_options.allocator = test_strict_allocator_of(&strict);
    assert_int_equal(grz_device_open(&device_options, &device, NULL), GRZ_OK);
    cubes c = make_cubes(device, 1.5, 2.0);
    const long blocks = strict.blocks;
    long call = 0;
    for (bool failed = true; failed;) {
        grz_move_answer answer;
        grz_error error;
        strict.calls = 0;
        strict.failed = false;
        strict.fail_at = ++call;
        const grz_status status =
            grz_move_deforming(device, &c.objects[0], c.end, &c.objects[1], NULL, NULL, &answer, &error);
        failed = strict.failed;
        if (failed)
            assert_true(status == GRZ_ERROR_MEMORY && strstr(error.message, "memory") != NULL);
        else
            assert_true(status == GRZ_OK && answer.has_contact);
        assert_int_equal(strict.blocks, blocks);
    }
    assert_true(call > 6);
    assert_false(strict.misused);
    strict.fail_at = 0;
    finish_cubes(&c);
    grz_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_visits_every_pair_once),
        cmocka_unit_test(a_tree_that_is_cancelled_is_empty),
        cmocka_unit_test(two_meshes_against_all_pairs),
        cmocka_unit_test(self_against_exact_moments),
        cmocka_unit_test(a_cube_arrives),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(it_ends_early),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_sheet_is_rolled_up),
        cmocka_unit_test(what_is_proved_until_it_is_ended),
        cmocka_unit_test(a_start_in_contact_is_said_whatever_the_tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
