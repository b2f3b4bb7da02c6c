// SPDX-License-Identifier: MIT
// grz_move(): the walk against comparing all pairs, byte for byte; swapping, scaling, moving either object; the times
// against queries of objects on the way; known times; thin walls and fast objects; starts inside; early ends.
// ctest: timeout 900
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/io.h> // so that the build links the readers
#include "support_own_device.h"
#include "support_questions.h"
#include "support_sanitizer.h"
#include "support_solids.h"

static void translation_of(const grz_object *object, double at[3])
{
    for (int k = 0; k < 3; k++)
        at[k] = object->pose.m[k][3];
}

static grz_move_answer ask(const grz_object *a, const double to_a[3], const grz_object *b, const double to_b[3],
                           const char *method)
{
    grz_move_options options = grz_default_move_options();
    grz_move_answer answer;
    grz_error error;
    options.method = method;
    if (grz_move(device, a, to_a, b, to_b, &options, &answer, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    assert_true(answer.certainty == GRZ_EXACT);
    assert_true(answer.lower <= answer.first_contact && answer.first_contact <= answer.upper);
    assert_true(answer.lower == answer.upper || nextafter(answer.lower, HUGE_VAL) == answer.upper);
    assert_true(answer.has_contact ? answer.lower >= 0.0 && answer.upper <= 1.0 : answer.first_contact == HUGE_VAL);
    assert_true((answer.face_a == GRZ_NO_FACE) == (answer.face_b == GRZ_NO_FACE));
    assert_true((answer.face_a == GRZ_NO_FACE) == (answer.ties == 0));
    if (answer.face_a == GRZ_NO_FACE)
        assert_true(!answer.has_contact || answer.started_inside);
    if (answer.started_inside)
        assert_true(answer.has_contact && answer.first_contact == 0.0 && answer.upper == 0.0);
    return answer;
}

static bool same_feature(grz_feature a, grz_feature b)
{
    return a.vertex[0] == b.vertex[0] && a.vertex[1] == b.vertex[1];
}

// All but how many pairs were compared. `swapped`: B's answer is about B and A.
static void expect_same(const char *what, const grz_move_answer *a, const grz_move_answer *b, bool swapped)
{
    grz_move_answer other = *b;
    if (swapped) {
        other.face_a = b->face_b, other.face_b = b->face_a;
        other.feature_a = b->feature_b, other.feature_b = b->feature_a;
        for (int k = 0; k < 3; k++)
            other.normal[k] = b->normal[k] == 0.0 ? 0.0 : -b->normal[k];
    }
    bool same = a->first_contact == other.first_contact && a->lower == other.lower && a->upper == other.upper &&
                a->has_contact == other.has_contact && a->started_inside == other.started_inside &&
                a->face_a == other.face_a && a->face_b == other.face_b && same_feature(a->feature_a, other.feature_a) &&
                same_feature(a->feature_b, other.feature_b) && a->ties == other.ties;
    for (int k = 0; k < 3; k++)
        same = same && a->normal[k] == other.normal[k] && (swapped || a->point[k] == other.point[k]);
    if (!same)
        fail_msg("%s: %a (%a, %a), faces %u and %u, %llu ties, normal %g %g %g, inside %d; the other way %a (%a, %a), "
                 "%u and %u, %llu, %g %g %g, %d",
                 what, a->first_contact, a->lower, a->upper, a->face_a, a->face_b, (unsigned long long)a->ties,
                 a->normal[0], a->normal[1], a->normal[2], a->started_inside, other.first_contact, other.lower,
                 other.upper, other.face_a, other.face_b, (unsigned long long)other.ties, other.normal[0],
                 other.normal[1], other.normal[2], other.started_inside);
}

// ---- Random motions -----------------------------------------------------------------------------------------------

typedef struct motion {
    test_question question;
    grz_object objects[2];
    double to[2][3];
    bool whole; // numbers are small and whole, so positions on the way are exact at times of a few bits
} motion;

static bool is_whole(double x)
{
    return fabs(x) < 1000.0 && nearbyint(x) == x;
}

static motion random_motion(random_stream *random)
{
    motion m = {.question = test_random_question(random), .whole = true};
    double size = 0.0;
    const uint32_t kind = random_below(random, 4);
    const bool aimed = random_below(random, 2) == 0;
    if (random_below(random, 6) == 0) // so small that floats and products of doubles are at their ends
        for (int i = 0; i < 2; i++) {
            const double small = ldexp(1.0, -600 - 8 * (int)random_below(random, 16));
            test_mesh_scale(&m.question.meshes[i], small, small, small);
            for (int k = 0; k < 3; k++)
                m.question.poses[i].m[k][3] *= small;
        }
    for (int i = 0; i < 2; i++) {
        double min[3], max[3];
        m.objects[i] = grz_object_at(test_mesh_upload(device, &m.question.meshes[i]), m.question.poses[i]);
        assert_int_equal(grz_object_bounds(&m.objects[i], min, max, NULL), GRZ_OK);
        for (int k = 0; k < 3; k++)
            size = fmax(size, fmax(fabs(min[k]), fabs(max[k])));
        for (uint64_t v = 0; v < 3 * m.question.meshes[i].vertex_count; v++)
            m.whole = m.whole && is_whole(m.question.meshes[i].positions[v]);
        for (int k = 0; k < 12; k++)
            m.whole = m.whole && is_whole(m.question.poses[i].m[k / 4][k % 4]);
    }
    for (int i = 0; i < 2; i++) {
        translation_of(&m.objects[i], m.to[i]);
        for (int k = 0; k < 3; k++) {
            const double towards = i == 0 ? m.objects[1].pose.m[k][3] - m.to[i][k] : 0.0;
            double step = m.whole ? (double)random_below(random, 33) - 16.0 : size * 3.0 * random_signed(random);
            if (aimed) // past the other's middle, more or less
                step = m.whole ? 2.0 * towards : 1.5 * towards + 0.2 * step;
            // In a plane or along an axis now and then; B rests in half of the cases.
            if ((kind == 0 && k == 2) || (kind == 1 && k != 0) || (i == 1 && kind < 2))
                continue;
            m.to[i][k] += step;
        }
    }
    return m;
}

static void motion_finish(motion *m)
{
    for (int i = 0; i < 2; i++) {
        grz_mesh_destroy((grz_mesh *)m->objects[i].mesh);
        test_mesh_finish(&m->question.meshes[i]);
    }
}

// Whether anything touches, or is inside, at a time of the motion.
static bool touch_at(const motion *m, double time, bool *surfaces)
{
    grz_collide_options options = grz_default_collide_options();
    grz_object at[2] = {m->objects[0], m->objects[1]};
    grz_result *result;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++)
            at[i].pose.m[k][3] += time * (m->to[i][k] - at[i].pose.m[k][3]);
    options.find = GRZ_FIND_CONTAINMENT;
    assert_int_equal(grz_result_create(device, &result, NULL), GRZ_OK);
    assert_int_equal(grz_collide(device, &at[0], &at[1], &options, result, NULL), GRZ_OK);
    const grz_relation relation = grz_result_summary(result)->relation;
    grz_result_destroy(result);
    *surfaces = relation == GRZ_COLLIDING;
    return relation != GRZ_APART;
}

// Where positions on the way are exact, queries there must agree.
static uint64_t compare_with_queries(const char *what, const motion *m, const grz_move_answer *answer)
{
    uint64_t compared = 0;
    bool surfaces;
    if (touch_at(m, 0.0, &surfaces) != (answer->has_contact && answer->first_contact == 0.0))
        fail_msg("%s: a query at the start does not agree", what);
    for (int i = 1; i <= 16 && m->whole; i++) {
        const double time = (double)i / 16.0;
        const bool touch = touch_at(m, time, &surfaces);
        if (time < answer->lower && touch)
            fail_msg("%s: they touch at %g, before %g", what, time, answer->first_contact);
        if (time == answer->lower && time == answer->upper && !touch)
            fail_msg("%s: they do not touch at %g", what, time);
        compared++;
    }
    return compared;
}

static void all_ways_give_the_same_bytes(void **state)
{
    const int cases = TEST_SANITIZED ? 45 : 360;
    random_stream random = {24};
    uint64_t contacts = 0, at_start = 0, tied = 0, inside = 0, compared = 0;
    (void)state;
    for (int i = 0; i < cases; i++) {
        motion m = random_motion(&random);
        char what[64];
        snprintf(what, sizeof what, "case %d", i);
        const grz_move_answer walked = ask(&m.objects[0], m.to[0], &m.objects[1], m.to[1], "bvh"),
                              all = ask(&m.objects[0], m.to[0], &m.objects[1], m.to[1], "naive"),
                              swapped = ask(&m.objects[1], m.to[1], &m.objects[0], m.to[0], NULL);
        expect_same(what, &all, &walked, false);
        expect_same(what, &all, &swapped, true);
        compared += compare_with_queries(what, &m, &walked);
        contacts += walked.has_contact;
        at_start += walked.has_contact && walked.first_contact == 0.0;
        tied += walked.ties > 1;
        inside += walked.started_inside;
        motion_finish(&m);
    }
    print_message("%d motions: %llu contacts, %llu at the start, %llu inside, %llu with ties; %llu queries agree\n",
                  cases, (unsigned long long)contacts, (unsigned long long)at_start, (unsigned long long)inside,
                  (unsigned long long)tied, (unsigned long long)compared);
    assert_true(TEST_SANITIZED || (contacts > 110 && at_start > 35 && at_start < contacts - 40 && tied > 40 &&
                                   inside > 12 && compared > 1000));
}

// ---- Intervals ----------------------------------------------------------------------------------------------------

enum {
    MOST = 64
};

static uint64_t intervals_of(const motion *m, const char *method, grz_contact_interval intervals[MOST])
{
    grz_move_options options = grz_default_move_options();
    grz_error error;
    uint64_t found;
    memset(intervals, 0, MOST * sizeof *intervals);
    options.method = method;
    if (grz_move_intervals(device, &m->objects[0], m->to[0], &m->objects[1], m->to[1], &options, intervals, MOST,
                           &found, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    for (uint64_t i = 0; i < found && i < MOST; i++) {
        const grz_contact_interval *one = &intervals[i];
        assert_true(one->enter_lower <= one->enter && one->enter <= one->enter_upper &&
                    one->enter_upper <= nextafter(one->enter_lower, 2.0));
        assert_true(one->leave_lower <= one->leave && one->leave <= one->leave_upper &&
                    one->leave_upper <= nextafter(one->leave_lower, 2.0));
        assert_true(one->enter >= 0.0 && one->enter <= one->leave && one->leave <= 1.0);
        assert_true(i == 0 || intervals[i - 1].leave_upper <= one->enter_upper);
        assert_true((one->enter_face_a == GRZ_NO_FACE) == (one->enter_upper == 0.0));
    }
    return found;
}

// Whether a time is in one of them: 1 yes, 0 no, -1 it cannot be said.
static int is_in(const grz_contact_interval *intervals, uint64_t count, double time)
{
    int answer = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (intervals[i].enter_upper <= time && time <= intervals[i].leave_lower)
            return 1;
        if (intervals[i].enter_lower <= time && time <= intervals[i].leave_upper)
            answer = -1;
    }
    return answer;
}

static void surfaces_touch_within_the_intervals_only(void **state)
{
    const int cases = TEST_SANITIZED ? 28 : 220;
    random_stream random = {25};
    uint64_t several = 0, compared = 0, total = 0;
    (void)state;
    for (int i = 0; i < cases; i++) {
        motion m = random_motion(&random);
        grz_contact_interval walked[MOST], all[MOST];
        grz_move_options options = grz_default_move_options();
        grz_move_answer first;
        const uint64_t count = intervals_of(&m, "bvh", walked);
        if (intervals_of(&m, "naive", all) != count || memcmp(walked, all, sizeof all) != 0)
            fail_msg("case %d: the walk and all pairs do not agree: %llu intervals, %a to %a; %a to %a", i,
                     (unsigned long long)count, walked[0].enter, walked[0].leave, all[0].enter, all[0].leave);
        options.inside = false;
        assert_int_equal(grz_move(device, &m.objects[0], m.to[0], &m.objects[1], m.to[1], &options, &first, NULL),
                         GRZ_OK);
        assert_true(first.has_contact == (count > 0));
        assert_true(count == 0 || (first.lower == walked[0].enter_lower && first.upper == walked[0].enter_upper));
        for (int k = 0; k <= 32 && m.whole && count <= MOST; k++) {
            bool surfaces;
            touch_at(&m, (double)k / 32.0, &surfaces);
            const int inside = is_in(walked, count, (double)k / 32.0);
            if (inside >= 0 && (inside == 1) != surfaces)
                fail_msg("case %d: at %d/32 a query says %d", i, k, surfaces);
            compared++;
        }
        several += count > 1;
        total += count;
        motion_finish(&m);
    }
    print_message("%d motions: %llu intervals, %llu motions have several; %llu queries agree\n", cases,
                  (unsigned long long)total, (unsigned long long)several, (unsigned long long)compared);
    assert_true(TEST_SANITIZED || (total > 90 && several > 8 && compared > 1000));
}

// What meets later than a contact that is certain is not compared, also where contacts lie flush.
static void flush_sliding_compares_few_pairs(void **state)
{
    test_mesh sheet = test_mesh_grid(48, 48, 1.0);
    const grz_object a = grz_object_at(test_mesh_upload(device, &sheet), grz_pose_from_translation(-96, 0.25, 0)),
                     b = grz_object_at_origin(a.mesh), at_b = grz_object_at(a.mesh, grz_pose_from_translation(0, 0, 0));
    const double to[3] = {0, 0.5, 0}, on[3] = {24, 0, 0};
    const uint64_t triangles = sheet.face_count;
    (void)state;
    const grz_move_answer from_the_side = ask(&a, to, &b, NULL, NULL), slides = ask(&at_b, on, &b, NULL, NULL);
    assert_true(from_the_side.has_contact && from_the_side.first_contact == 0.5 && from_the_side.compared < triangles);
    assert_true(slides.first_contact == 0.0 && slides.ties > triangles && slides.compared < 40 * triangles);
    grz_mesh_destroy((grz_mesh *)a.mesh);
    test_mesh_finish(&sheet);
}

// ---- Laws ---------------------------------------------------------------------------------------------------------

// Only the motion of one against the other counts.
static void resting_and_moving_may_be_exchanged(void **state)
{
    const double box[2][3] = {{-1, -1, -1}, {1, 1, 1}}, to[3] = {-10, 0.5, 0.25};
    test_mesh cube = test_mesh_box(box[0], box[1]), ball = test_mesh_icosphere(1.0, 2);
    grz_object a = grz_object_at_origin(test_mesh_upload(device, &cube)),
               b = grz_object_at(test_mesh_upload(device, &ball), grz_pose_from_translation(6, 0, 0));
    (void)state;
    const double at_b[3] = {6, 0, 0}, origin[3] = {0, 0, 0};
    double a_to[3], both_a[3], both_b[3];
    for (int k = 0; k < 3; k++) {
        a_to[k] = -to[k];
        both_a[k] = -0.5 * to[k];
        both_b[k] = at_b[k] + 0.5 * to[k];
    }
    const grz_move_answer one = ask(&a, a_to, &b, NULL, NULL);
    const grz_move_answer other = ask(&a, origin, &b, (double[3]){at_b[0] + to[0], to[1], to[2]}, NULL);
    const grz_move_answer both = ask(&a, both_a, &b, both_b, NULL);
    assert_true(one.has_contact && one.first_contact > 0.3 && one.first_contact < 0.5);
    assert_true(one.lower == other.lower && one.upper == other.upper && one.face_a == other.face_a);
    assert_true(one.lower == both.lower && one.upper == both.upper && one.face_b == both.face_b);
    // The contact is reported where it is: A has moved, or B has come.
    for (int k = 0; k < 3; k++)
        assert_true(fabs(one.point[k] + one.first_contact * to[k] - other.point[k]) < 1e-12 &&
                    fabs(one.point[k] + 0.5 * one.first_contact * to[k] - both.point[k]) < 1e-12);
    grz_mesh_destroy((grz_mesh *)a.mesh);
    grz_mesh_destroy((grz_mesh *)b.mesh);
    test_mesh_finish(&cube);
    test_mesh_finish(&ball);
}

// ---- Known times --------------------------------------------------------------------------------------------------

// Cubes with edges of length 1, from corners (0, 0, 0) and `at`; the first moves by `way`.
static grz_move_answer move_cubes(const double at[3], const double way[3])
{
    test_mesh cube = test_mesh_cube(0, 0, 0, 1);
    grz_mesh *mesh = test_mesh_upload(device, &cube);
    const grz_object a = grz_object_at_origin(mesh),
                     b = grz_object_at(mesh, grz_pose_from_translation(at[0], at[1], at[2]));
    const grz_move_answer answer = ask(&a, way, &b, NULL, NULL);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&cube);
    return answer;
}

// Objects that touch at the start: the normal is that of the plane of contact, whichever way they go.
static void normals_at_the_start(void **state)
{
    static const double WAYS[][3] = {{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 2, 0.5}, {0, 0, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof WAYS / sizeof *WAYS; i++) {
        // Flush: all of a face, some of it.
        for (int k = 0; k < 2; k++) {
            const grz_move_answer flush = move_cubes((double[3]){1, 0.5 * k, 0.25 * k}, WAYS[i]);
            assert_true(flush.started_touching && flush.first_contact == 0.0 && !flush.started_inside);
            assert_true(flush.normal[0] == -1.0 && flush.normal[1] == 0.0 && flush.normal[2] == 0.0);
            assert_null(flush.reason);
        }
        // Edge on edge, corner on corner.
        const grz_move_answer edge = move_cubes((double[3]){1, 1, 0}, WAYS[i]),
                              corner = move_cubes((double[3]){1, 1, 1}, WAYS[i]);
        assert_true(edge.started_touching && edge.normal[0] == 0.0 && edge.normal[1] == 0.0 && edge.normal[2] == 0.0);
        assert_true(corner.started_touching && corner.normal[0] == 0.0);
        assert_string_equal(edge.reason, "they touch at the start with more than one normal");
        assert_string_equal(corner.reason, edge.reason);
    }
    // Later contacts, and insides that overlap, have no reason.
    assert_null(move_cubes((double[3]){3, 0, 0}, (double[3]){4, 0, 0}).reason);
    const grz_move_answer inside = move_cubes((double[3]){0.5, 0, 0}, (double[3]){4, 0, 0});
    assert_true(inside.started_inside && inside.normal[0] == 0.0 && inside.reason == NULL);
}

// Two tetrahedra with an edge in common, at all sizes: no plane is the only one between them. Products of coordinates
// near the smallest doubles are 0, and must not make it look so.
static void no_normal_of_tiny_solids(void **state)
{
    static const uint32_t faces[] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0};
    const double corners[2][12] = {{-3, -3, -3, 2, 3, -3, -2, 0, 1, 2, -2, 0}, {2, 3, -3, -2, 0, 1, 0, 2, 3, -3, 0, 1}};
    (void)state;
    for (int power = 290; power >= -1074; power -= 62) {
        grz_object objects[2];
        for (int i = 0; i < 2; i++) {
            test_mesh mesh = test_mesh_make(corners[i], 4, faces, 4, 3);
            for (uint64_t k = 0; k < 3 * (uint64_t)mesh.vertex_count; k++)
                mesh.positions[k] = ldexp(mesh.positions[k], power);
            objects[i] = grz_object_at_origin(test_mesh_upload(device, &mesh));
            test_mesh_finish(&mesh);
        }
        const grz_move_answer answer = ask(&objects[0], (double[3]){0, 0, 0}, &objects[1], NULL, NULL);
        assert_true(answer.started_touching && !answer.started_inside && answer.reason != NULL);
        assert_true(answer.normal[0] == 0.0 && answer.normal[1] == 0.0 && answer.normal[2] == 0.0);
        for (int i = 0; i < 2; i++)
            grz_mesh_destroy((grz_mesh *)objects[i].mesh);
    }
}

// An open mesh: a sheet below a cube, wound either way. And two sheets that cross no plane of each other's.
static void normals_of_open_meshes(void **state)
{
    (void)state;
    for (int turned = 0; turned < 2; turned++) {
        const double points[4][3] = {{-3, -3, 0}, {4, -3, 0}, {4, 4, 0}, {-3, 4, 0}};
        const uint32_t there[6] = {0, 1, 2, 0, 2, 3}, back[6] = {0, 2, 1, 0, 3, 2};
        const grz_mesh_description sheet =
            grz_mesh_description_from_triangles(points, GRZ_FLOAT64, 4, turned ? back : there, 2);
        test_mesh cube = test_mesh_cube(0, 0, 0, 1);
        grz_mesh *box = test_mesh_upload(device, &cube), *floor;
        assert_int_equal(grz_mesh_create(device, &sheet, &floor, NULL), GRZ_OK);
        const grz_object a = grz_object_at_origin(box), b = grz_object_at_origin(floor);
        for (int way = 0; way < 3; way++) {
            const grz_move_answer answer = ask(&a, (double[3]){way == 1, 0, way == 0 ? 1.0 : -1.0}, &b, NULL, NULL);
            assert_true(answer.started_touching && answer.reason == NULL);
            assert_true(answer.normal[0] == 0.0 && answer.normal[1] == 0.0 && answer.normal[2] == 1.0);
        }
        grz_mesh_destroy(box);
        grz_mesh_destroy(floor);
        test_mesh_finish(&cube);
    }
}

// A tetrahedron stands with a corner on a sheet that is open, above it or below: the normal is that of the sheet,
// whichever way its triangles run, but points to the tetrahedron.
static void normals_of_corners_on_open_meshes(void **state)
{
    static const uint32_t faces[] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0};
    (void)state;
    for (int i = 0; i < 8; i++) {
        const double side = i & 1 ? -1.0 : 1.0, points[4][3] = {{-3, -3, 0}, {4, -3, 0}, {4, 4, 0}, {-3, 4, 0}};
        const double corners[12] = {0.25, 0.5, 0, 1, 0, side, -1, 1, side, 0, -1, side};
        const uint32_t there[6] = {0, 1, 2, 0, 2, 3}, back[6] = {0, 2, 1, 0, 3, 2};
        const grz_mesh_description sheet =
            grz_mesh_description_from_triangles(points, GRZ_FLOAT64, 4, i & 2 ? back : there, 2);
        test_mesh tetrahedron = test_mesh_make(corners, 4, faces, 4, 3);
        grz_mesh *solid = test_mesh_upload(device, &tetrahedron), *floor;
        assert_int_equal(grz_mesh_create(device, &sheet, &floor, NULL), GRZ_OK);
        const grz_object a = grz_object_at_origin(i & 4 ? floor : solid),
                         b = grz_object_at_origin(i & 4 ? solid : floor);
        const grz_move_answer answer = ask(&a, (double[3]){0, 0, 1}, &b, NULL, NULL);
        assert_true(answer.started_touching && answer.reason == NULL);
        assert_true(answer.normal[0] == 0.0 && answer.normal[1] == 0.0);
        assert_true(answer.normal[2] == (i & 4 ? -side : side));
        grz_mesh_destroy(solid);
        grz_mesh_destroy(floor);
        test_mesh_finish(&tetrahedron);
    }
}

// ---- The first overlap of insides ---------------------------------------------------------------------------------

static grz_overlap_time overlap_of(const grz_object *a, const double to[3], const grz_object *b)
{
    grz_overlap_time answer;
    grz_error error;
    if (grz_move_first_overlap(device, a, to, b, NULL, NULL, &answer, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return answer;
}

// Do the insides overlap at a time of the way? Positions there are doubles.
static bool overlap_at(const grz_object *a, const double to[3], const grz_object *b, double t)
{
    grz_object moved = *a;
    grz_collide_options options = grz_default_collide_options();
    grz_result *result = NULL;
    for (int k = 0; k < 3; k++)
        moved.pose.m[k][3] = a->pose.m[k][3] + t * (to[k] - a->pose.m[k][3]);
    options.find = GRZ_FIND_SOLIDS;
    assert_int_equal(grz_result_create(device, &result, NULL), GRZ_OK);
    assert_int_equal(grz_collide(device, &moved, b, &options, result, NULL), GRZ_OK);
    const grz_solids solids = grz_result_summary(result)->solids;
    grz_result_destroy(result);
    return solids != GRZ_SOLIDS_APART && solids != GRZ_SOLIDS_TOUCHING;
}

// Solids of cells that slide past each other, flush and not: at 128 times in between whole ones they are classified,
// and the first time must lie where that changes.
static void first_overlaps_of_cells(void **state)
{
    enum {
        SAMPLES = 128
    };
    random_stream random = {.state = 61};
    int overlaps = 0, clear = 0, later = 0, started = 0;
    (void)state;
    for (int trial = 0; trial < (TEST_SANITIZED ? 12 : 90); trial++) {
        const solid_cells cells[2] = {solid_random(&random, 1 + random_below(&random, 3)),
                                      solid_random(&random, 1 + random_below(&random, 3))};
        // Tiny ones: no overlap of triangles is certain in doubles, so all is found from event to event.
        const double unit = trial % 20 == 19 ? 0x1p-1050 : 1.0;
        test_mesh meshes[2] = {solid_surface(&cells[0], false), solid_surface(&cells[1], false)};
        for (int n = 0; n < 2; n++)
            for (uint64_t i = 0; i < 3 * meshes[n].vertex_count; i++)
                meshes[n].positions[i] *= unit;
        grz_mesh *uploaded[2] = {test_mesh_upload(device, &meshes[0]), test_mesh_upload(device, &meshes[1])};
        double from[3] = {trial % 5 == 0 ? 4.0 * (random_below(&random, 11) - 5.0) : -24.0,
                          4.0 * (random_below(&random, 11) - 5.0),
                          (trial % 2 == 0 ? 4.0 : 2.0) * (random_below(&random, 11) - 5.0)};
        double to[3] = {trial % 5 == 0 ? -from[0] : 24.0, from[1], from[2]};
        if (trial % 3 == 0)
            to[1] = -from[1] + 8.0;
        for (int k = 0; k < 3; k++) {
            from[k] *= unit;
            to[k] *= unit;
        }
        const grz_object a = grz_object_at(uploaded[0], grz_pose_from_translation(from[0], from[1], from[2])),
                         b = grz_object_at_origin(uploaded[1]);
        const grz_overlap_time answer = overlap_of(&a, to, &b);
        const grz_move_answer touch = ask(&a, to, &b, NULL, NULL);
        assert_int_equal(answer.certainty, GRZ_EXACT);
        assert_int_equal(answer.started_inside, touch.started_inside);
        assert_true(!answer.overlaps || (touch.has_contact && touch.lower <= answer.upper));
        bool any = answer.started_inside;
        for (int i = 0; i < SAMPLES; i++) {
            const double t = (i + 0.5) / SAMPLES;
            const bool inside = overlap_at(&a, to, &b, t);
            if (inside && !(answer.overlaps && answer.lower < t))
                fail_msg("trial %d: the insides overlap at %g, the first time is %g", trial, t, answer.first_overlap);
            if (inside && !any && i > 0) // it began since the last sample
                assert_true(answer.upper >= (i - 0.5) / SAMPLES);
            any = any || inside;
        }
        overlaps += answer.overlaps;
        clear += !answer.overlaps && touch.has_contact;
        later += answer.overlaps && answer.first_overlap > touch.first_contact;
        started += answer.started_inside;
        for (int i = 0; i < 2; i++) {
            grz_mesh_destroy(uploaded[i]);
            test_mesh_finish(&meshes[i]);
        }
    }
    printf("%d overlaps, %d of them after a touch, %d from the start; %d touch only\n", overlaps, later, started,
           clear);
    assert_true(TEST_SANITIZED || (overlaps > 40 && clear > 8 && later > 8 && started > 2));
}

// Cubes that slide along each other, into each other, and an open mesh.
static void first_overlaps_known(void **state)
{
    static const struct {
        double at[3], way[3], time;
    } CASES[] = {{{2, 0, 0}, {3, 0, 0}, 1.0 / 3.0}, {{1, 0, 0}, {0, 2, 0}, HUGE_VAL}, {{1, 0, 0}, {-1, 0, 0}, HUGE_VAL},
                 {{1, 0, 0}, {1, 0, 0}, 0.0},       {{1, 3, 0}, {0, 8, 0}, HUGE_VAL}, {{1, 2, 0}, {0.5, 4, 0}, 0.25},
                 {{0.5, 0, 0}, {1, 0, 0}, 0.0},     {{1, 1, 0}, {2, 0, 0}, HUGE_VAL}, {{1, 1, 1}, {2, 2, 2}, 0.0}};
    test_mesh cube = test_mesh_cube(0, 0, 0, 1);
    grz_mesh *mesh = test_mesh_upload(device, &cube);
    const grz_object a = grz_object_at_origin(mesh);
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const double *at = CASES[i].at;
        const grz_object b = grz_object_at(mesh, grz_pose_from_translation(at[0], at[1], at[2]));
        const grz_overlap_time answer = overlap_of(&a, CASES[i].way, &b);
        if (answer.first_overlap != CASES[i].time || answer.overlaps != (CASES[i].time < HUGE_VAL) ||
            answer.certainty != GRZ_EXACT)
            fail_msg("case %zu: %g, not %g", i, answer.first_overlap, CASES[i].time);
    }
    // A cube beside the way, which is only touched, and one on it: the second time of touching counts.
    const double beside[3] = {2, 1, 0}, ahead[3] = {6, 0.5, 0};
    test_mesh both = test_mesh_cube(beside[0], beside[1], beside[2], 1),
              second = test_mesh_cube(ahead[0], ahead[1], ahead[2], 1);
    test_mesh_append(&both, &second);
    grz_mesh *two = test_mesh_upload(device, &both);
    const grz_object pair = grz_object_at_origin(two);
    const grz_overlap_time late = overlap_of(&a, (double[3]){10, 0, 0}, &pair);
    assert_true(late.overlaps && late.first_overlap == 0.5 && late.certainty == GRZ_EXACT);
    grz_mesh_destroy(two);
    test_mesh_finish(&both);
    test_mesh_finish(&second);
    test_mesh_drop_face(&cube, 0);
    grz_mesh *open = test_mesh_upload(device, &cube);
    const grz_object b = grz_object_at(open, grz_pose_from_translation(2, 0, 0));
    const grz_overlap_time answer = overlap_of(&a, (double[3]){3, 0, 0}, &b);
    assert_true(answer.certainty == GRZ_UNDECIDED && answer.reason != NULL && !answer.overlaps && answer.lower == 0.0);
    grz_mesh_destroy(open);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&cube);
}

// ---- Known times --------------------------------------------------------------------------------------------------

static void times_are_the_nearest_doubles(void **state)
{
    (void)state;
    // A gap of 1 in steps of 3: a third, which is no double.
    const grz_move_answer third = move_cubes((double[3]){2, 0.25, 0.25}, (double[3]){3, 0, 0});
    assert_true(third.first_contact == 1.0 / 3.0 && third.lower < third.upper);
    assert_true(third.normal[0] == -1.0 && third.normal[1] == 0.0 && third.normal[2] == 0.0);
    assert_true(third.point[0] == 2.0);
    // At the very end, and just not.
    const grz_move_answer end = move_cubes((double[3]){4, 0, 0}, (double[3]){3, 0, 0});
    assert_true(end.has_contact && end.lower == 1.0 && end.upper == 1.0);
    const grz_move_answer not_yet = move_cubes((double[3]){nextafter(4.0, 5.0), 0, 0}, (double[3]){3, 0, 0});
    assert_true(!not_yet.has_contact);
    // Edges pass each other in one point, or miss each other by an ulp.
    assert_true(move_cubes((double[3]){2, -2, 0.5}, (double[3]){1, -1, 0}).first_contact == 1.0);
    assert_true(move_cubes((double[3]){3, 1, 0}, (double[3]){4, 0, 0}).first_contact == 0.5);
    assert_false(move_cubes((double[3]){3, nextafter(1.0, 2.0), 0}, (double[3]){4, 0, 0}).has_contact);
    // No motion is a query where they are.
    assert_true(move_cubes((double[3]){1, 0, 0}, (double[3]){0, 0, 0}).first_contact == 0.0);
    assert_false(move_cubes((double[3]){2, 0, 0}, (double[3]){0, 0, 0}).has_contact);
}

static void nothing_is_too_thin_or_too_fast(void **state)
{
    // A sheet without any thickness, far away; a ball that passes it within 10^-9 of its way.
    test_mesh sheet = test_mesh_grid(4, 4, 1.0), ball = test_mesh_icosphere(0.5, 2);
    const grz_object a = grz_object_at(test_mesh_upload(device, &ball), grz_pose_from_translation(2.125, 2.25, 1e6)),
                     b = grz_object_at_origin(test_mesh_upload(device, &sheet));
    (void)state;
    for (int i = 6; i < 15; i++) {
        const double far = pow(10.0, i);
        const grz_move_answer answer = ask(&a, (double[3]){2.125, 2.25, -far}, &b, NULL, NULL);
        const double expected = (1e6 - 0.5) / (1e6 + far);
        assert_true(answer.has_contact && fabs(answer.first_contact - expected) < 1e-6 * expected);
        assert_true(answer.normal[2] == 1.0 && answer.compared < 2000);
    }
    // Past the edge of the sheet.
    assert_false(ask(&a, (double[3]){2.125 + 1e6, 2.25, -1e6}, &b, NULL, NULL).has_contact);
    grz_mesh_destroy((grz_mesh *)a.mesh);
    grz_mesh_destroy((grz_mesh *)b.mesh);
    test_mesh_finish(&sheet);
    test_mesh_finish(&ball);
}

static void starts_inside_are_said(void **state)
{
    (void)state;
    const grz_move_answer flush = move_cubes((double[3]){1, 0, 0}, (double[3]){-1, 0, 0}),
                          overlap = move_cubes((double[3]){0.5, 0, 0}, (double[3]){-1, 0, 0}),
                          same = move_cubes((double[3]){0, 0, 0}, (double[3]){-1, 0, 0});
    assert_true(flush.has_contact && flush.first_contact == 0.0 && !flush.started_inside);
    assert_true(overlap.started_inside && overlap.face_a != GRZ_NO_FACE);
    assert_true(same.started_inside);
    // A cube in a larger one: no surfaces touch at the start.
    test_mesh small = test_mesh_cube(-1, -1, -1, 2), large = test_mesh_cube(-4, -4, -4, 8);
    grz_object a = grz_object_at_origin(test_mesh_upload(device, &small)),
               b = grz_object_at_origin(test_mesh_upload(device, &large));
    const double to[3] = {12, 0, 0};
    const grz_move_answer nested = ask(&a, to, &b, NULL, NULL), holds = ask(&b, to, &a, NULL, NULL);
    assert_true(nested.started_inside && nested.face_a == GRZ_NO_FACE && holds.started_inside);
    // Surfaces alone: from within they meet after 3 of 12.
    grz_move_options options = grz_default_move_options();
    grz_move_answer answer;
    options.inside = false;
    assert_int_equal(grz_move(device, &a, to, &b, NULL, &options, &answer, NULL), GRZ_OK);
    assert_true(answer.has_contact && !answer.started_inside && answer.first_contact == 0.25);
    grz_mesh_destroy((grz_mesh *)a.mesh);
    grz_mesh_destroy((grz_mesh *)b.mesh);
    test_mesh_finish(&small);
    test_mesh_finish(&large);
    // Open sheets: faces that cross are inside each other, faces that touch are not.
    test_mesh sheet = test_mesh_grid(1, 1, 1.0), corner = {0};
    test_mesh_add_loose_triangle(&corner, (const double[3][3]){{0.25, 0.25, -1}, {0.5, 0.25, 1}, {0.25, 0.5, 1}});
    grz_object flat = grz_object_at_origin(test_mesh_upload(device, &sheet)),
               spike = grz_object_at_origin(test_mesh_upload(device, &corner));
    assert_true(ask(&spike, (double[3]){0, 0, 5}, &flat, NULL, NULL).started_inside);
    spike.pose.m[2][3] = 1.0;
    const grz_move_answer touches = ask(&spike, (double[3]){0, 0, 5}, &flat, NULL, NULL);
    assert_true(touches.has_contact && !touches.started_inside && touches.first_contact == 0.0);
    grz_mesh_destroy((grz_mesh *)flat.mesh);
    grz_mesh_destroy((grz_mesh *)spike.mesh);
    test_mesh_finish(&sheet);
    test_mesh_finish(&corner);
}

// ---- Early ends, bad input ----------------------------------------------------------------------------------------

static void early_ends_say_what_is_proved(void **state)
{
    test_mesh ball = test_mesh_icosphere(1.0, 5), other = test_mesh_icosphere(1.0, 5);
    const grz_object a = grz_object_at_origin(test_mesh_upload(device, &ball)),
                     b = grz_object_at(test_mesh_upload(device, &other), grz_pose_from_translation(4, 0.25, 0.125));
    const double to[3] = {8, 0, 0};
    grz_move_options options = grz_default_move_options();
    grz_move_answer answer;
    grz_error error;
    volatile int stop = 1;
    (void)state;
    const grz_move_answer whole = ask(&a, to, &b, NULL, NULL);
    assert_true(whole.has_contact && whole.first_contact > 0.2);
    options.method = "naive";
    options.limits.deadline = 0.02;
    assert_int_equal(grz_move(device, &a, to, &b, NULL, &options, &answer, &error), GRZ_ERROR_DEADLINE);
    assert_true(answer.certainty == GRZ_UNDECIDED && answer.lower <= whole.lower && answer.upper >= whole.upper);
    assert_true(answer.first_contact == answer.lower);
    options.limits.cancel = &stop;
    options.method = NULL;
    assert_int_equal(grz_move(device, &a, to, &b, NULL, &options, &answer, &error), GRZ_ERROR_CANCELLED);
    assert_true(answer.certainty == GRZ_UNDECIDED && answer.lower <= whole.lower && answer.upper >= whole.upper);
    assert_true(answer.first_contact == answer.lower);
    grz_mesh_destroy((grz_mesh *)a.mesh);
    grz_mesh_destroy((grz_mesh *)b.mesh);
    test_mesh_finish(&ball);
    test_mesh_finish(&other);
}

static void bad_input_is_named(void **state)
{
    test_mesh cube = test_mesh_cube(0, 0, 0, 1);
    const grz_object a = grz_object_at_origin(test_mesh_upload(device, &cube));
    const double to[3] = {1, 2, 3}, no_number[3] = {0, (double)NAN, 0}, beyond[3] = {0, 0, 0x1p301};
    grz_move_options options = grz_default_move_options();
    grz_move_answer answer;
    grz_error error;
    (void)state;
    assert_int_equal(grz_move(device, &a, NULL, &a, NULL, NULL, &answer, &error), GRZ_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "to_a"));
    assert_true(answer.lower == 0.0 && answer.upper == HUGE_VAL && !answer.has_contact);
    assert_int_equal(grz_move(device, &a, to, &a, NULL, NULL, NULL, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_move(NULL, &a, to, &a, NULL, NULL, &answer, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_move(device, NULL, to, &a, NULL, NULL, &answer, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_move(device, &a, no_number, &a, NULL, NULL, &answer, &error), GRZ_ERROR_POSE);
    assert_true(error.element == 0 && strstr(error.message, "end of object A") != NULL);
    assert_int_equal(grz_move(device, &a, to, &a, beyond, NULL, &answer, &error), GRZ_ERROR_POSE);
    assert_true(error.element == 1 && strstr(error.message, "end of object B") != NULL);
    options.method = "nonsense";
    assert_int_equal(grz_move(device, &a, to, &a, NULL, &options, &answer, &error), GRZ_ERROR_UNSUPPORTED);
    options.method = NULL;
    options.limits.deadline = -1.0;
    assert_int_equal(grz_move(device, &a, to, &a, NULL, &options, &answer, &error), GRZ_ERROR_ARGUMENT);
    options = grz_default_move_options();
    options.inside_rule = (grz_inside_rule)17;
    assert_int_equal(grz_move(device, &a, to, &a, NULL, &options, &answer, &error), GRZ_ERROR_ARGUMENT);
    options = grz_default_move_options();
    options.size = 3;
    assert_int_equal(grz_move(device, &a, to, &a, NULL, &options, &answer, &error), GRZ_ERROR_ARGUMENT);
    grz_mesh_destroy((grz_mesh *)a.mesh);
    test_mesh_finish(&cube);
}

// A box whose sides are cut in `parts` by `parts` squares, of two triangles each.
static test_mesh box_of_squares(const double min[3], const double max[3], int parts)
{
    test_mesh box = {.vertex_count = 0};
    for (int side = 0; side < 6; side++)
        for (int square = 0; square < parts * parts; square++) {
            const int axis = side / 2, u = (axis + 1 + side % 2) % 3, v = 3 - axis - u,
                      at[2] = {square % parts, square / parts};
            double corners[4][3];
            for (int i = 0; i < 4; i++) {
                const int step[2] = {at[0] + (i == 1 || i == 2), at[1] + (i >= 2)};
                corners[i][axis] = side % 2 == 1 ? min[axis] : max[axis];
                corners[i][u] = step[0] == parts ? max[u] : min[u] + (max[u] - min[u]) * step[0] / parts;
                corners[i][v] = step[1] == parts ? max[v] : min[v] + (max[v] - min[v]) * step[1] / parts;
            }
            for (int i = 1; i < 3; i++) {
                const double(*c)[3] = (const double(*)[3])corners;
                test_mesh_add_loose_triangle(&box, (const double[3][3]){{c[0][0], c[0][1], c[0][2]},
                                                                        {c[i][0], c[i][1], c[i][2]},
                                                                        {c[i + 1][0], c[i + 1][1], c[i + 1][2]}});
            }
        }
    return box;
}

// A box that slides along a rail, both of 3 by 3 squares a side, whose corners are tenths: many events are closer to
// each other than doubles are. And into a stop at the rail's end that is flush with what it slides on.
static void first_overlaps_of_decimals(void **state)
{
    const double box[2][3] = {{0.1, 0.3, 0.2}, {0.8, 1.0, 0.9}}, rail[2][3] = {{0.1, -0.4, -0.7}, {5.9, 0.3, 1.3}};
    test_mesh meshes[3] = {box_of_squares(box[0], box[1], 3), box_of_squares(rail[0], rail[1], 3),
                           box_of_squares((const double[3]){3.5, 0.3, 0.2}, (const double[3]){4.1, 0.7, 0.9}, 2)};
    grz_mesh *uploaded[3];
    (void)state;
    for (int i = 0; i < 3; i++)
        uploaded[i] = test_mesh_upload(device, &meshes[i]);
    const grz_object a = grz_object_at_origin(uploaded[0]), b = grz_object_at_origin(uploaded[1]),
                     stop = grz_object_at_origin(uploaded[2]);
    const grz_overlap_time along = overlap_of(&a, (double[3]){4.7, 0.0, 0.0}, &b),
                           back = overlap_of(&a, (double[3]){-4.7, 0.0, 0.3}, &b),
                           into = overlap_of(&a, (double[3]){4.7, 0.0, 0.0}, &stop);
    assert_true(along.certainty == GRZ_EXACT && !along.overlaps);
    assert_true(back.certainty == GRZ_EXACT && !back.overlaps);
    assert_true(into.certainty == GRZ_EXACT && into.overlaps && fabs(into.first_overlap - 2.7 / 4.7) < 1e-15);
    for (int i = 0; i < 3; i++) {
        grz_mesh_destroy(uploaded[i]);
        test_mesh_finish(&meshes[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ways_give_the_same_bytes),
        cmocka_unit_test(surfaces_touch_within_the_intervals_only),
        cmocka_unit_test(flush_sliding_compares_few_pairs),
        cmocka_unit_test(resting_and_moving_may_be_exchanged),
        cmocka_unit_test(normals_at_the_start),
        cmocka_unit_test(first_overlaps_of_cells),
        cmocka_unit_test(first_overlaps_known),
        cmocka_unit_test(first_overlaps_of_decimals),
        cmocka_unit_test(no_normal_of_tiny_solids),
        cmocka_unit_test(normals_of_open_meshes),
        cmocka_unit_test(normals_of_corners_on_open_meshes),
        cmocka_unit_test(times_are_the_nearest_doubles),
        cmocka_unit_test(nothing_is_too_thin_or_too_fast),
        cmocka_unit_test(starts_inside_are_said),
        cmocka_unit_test(early_ends_say_what_is_proved),
        cmocka_unit_test(bad_input_is_named),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
