// SPDX-License-Identifier: MIT
// Laws of the pair query: changes of the input that must not change an answer, or must change it in a known way.
// Swapping, renumbering, reversing, scaling by powers of two, and applying the pose to the positions. For integers,
// where every operation is exact: moving both rigidly, and subdividing. Self-collisions of one mesh made of both. Each
// query is run by every method with one and two threads (support_queries.h).
// ctest: timeout 900
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/io.h> // so that the build links the readers
#include "support_queries.h"
#include "support_sanitizer.h"

enum {
    FIND_ALL = GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES | GRZ_FIND_CONTAINMENT,
    FLOAT_CASES = 42, // real numbers and rotations
    INTEGER_CASES = 150,
    CASES = FLOAT_CASES + INTEGER_CASES
};

// Two meshes of triangles and their poses.
typedef struct question {
    char name[64];
    test_mesh a, b;
    grz_pose pose_a, pose_b;
} question;

static void finish_question(question *q)
{
    test_mesh_finish(&q->a);
    test_mesh_finish(&q->b);
}

static test_answer answer_of(const char *law, const question *q)
{
    char what[128];
    test_query query = test_query_of_pair(&q->a, &q->b, FIND_ALL);
    query.pose_a = q->pose_a;
    query.pose_b = q->pose_b;
    snprintf(what, sizeof what, "%s: %s", law, q->name);
    return test_ask(what, &query);
}

static grz_pose random_pose(random_stream *random, double reach)
{
    double q[4], t[3];
    grz_pose pose;
    for (int i = 0; i < 4; i++)
        q[i] = random_signed(random);
    for (int i = 0; i < 3; i++)
        t[i] = reach * random_signed(random);
    assert_int_equal(grz_pose_from_quaternion(t, q, &pose, NULL), GRZ_OK);
    return pose;
}

// Rows with one entry, 1 or -1, and an integer translation: exact on integers, turns and mirrors.
static grz_pose random_integer_pose(random_stream *random, uint32_t reach)
{
    grz_pose pose = {{{0}}};
    const uint32_t first = random_below(random, 3), turn = 1 + random_below(random, 2);
    for (uint32_t row = 0; row < 3; row++) {
        pose.m[row][(first + row * turn) % 3] = random_below(random, 2) ? 1.0 : -1.0;
        pose.m[row][3] = (double)random_below(random, 2 * reach + 1) - (double)reach;
    }
    return pose;
}

static test_mesh random_shape(random_stream *random, uint32_t which)
{
    static const char *const files[] = {"data/robot/fer_link4.stl", "data/hard/not_convex.obj",
                                        "data/scalpel_sword128.obj"};
    test_mesh mesh;
    switch (which % 7) {
    case 0:
        return test_mesh_icosphere(0.7, 2);
    case 1:
        return test_mesh_torus(0.8, 0.3, 14, 9);
    case 2:
        return test_mesh_random_triangles(random, 60, 0.7, 0);
    case 3:
        return test_mesh_grid(7, 6, 0.2);
    default:
        mesh = test_mesh_load(files[which % 7 - 4]);
        break;
    }
    test_mesh triangles = test_mesh_triangulated(&mesh);
    test_mesh_finish(&mesh);
    double largest = 0.0;
    for (uint64_t i = 0; i < 3 * triangles.vertex_count; i++)
        largest = fmax(largest, fabs(triangles.positions[i]));
    test_mesh_scale(&triangles, 1.0 / largest, 1.0 / largest, 1.0 / largest);
    return triangles;
}

// Even integers, so that midpoints are integers too.
static test_mesh random_integer_shape(random_stream *random, uint32_t which)
{
    test_mesh mesh;
    switch (which % 5) {
    case 0:
        mesh = test_mesh_cube(-1.0, -1.0, -1.0, 1.0 + random_below(random, 3));
        break;
    case 1:
        mesh = test_mesh_grid(3, 4, 1.0);
        break;
    case 2:
        mesh = test_mesh_random_triangles(random, 20, 1.0, 2);
        break;
    case 3:
        mesh = test_mesh_random_triangles(random, 12, 1.0, 5);
        // A few segments and points among them.
        for (uint64_t t = 0; t < 12; t += 3)
            for (uint64_t corner = 1; corner < (t % 2 == 0 ? 2 : 3); corner++)
                memcpy(mesh.positions + 9 * t + 3 * corner, mesh.positions + 9 * t, 3 * sizeof(double));
        break;
    default:
        mesh = test_mesh_cube(-2.0, -2.0, -2.0, 4.0);
        test_mesh_take(&mesh, test_mesh_cube(-1.0, -1.0, -1.0, 2.0));
        break;
    }
    test_mesh_scale(&mesh, 2.0, 2.0, 2.0);
    return mesh;
}

static question make_question(uint32_t number)
{
    random_stream random = {1000 + number};
    question q = {.pose_a = grz_pose_identity()};
    if (number < FLOAT_CASES) {
        q.a = random_shape(&random, number);
        q.b = random_shape(&random, number / 3);
        q.pose_a = random_pose(&random, 0.3);
        q.pose_b = random_pose(&random, 0.6);
    } else {
        q.a = random_integer_shape(&random, number);
        q.b = random_integer_shape(&random, number / 5);
        q.pose_a = random_integer_pose(&random, 2);
        q.pose_b = random_integer_pose(&random, 3);
    }
    snprintf(q.name, sizeof q.name, "question %u", number);
    return q;
}

static int compare_pairs(const void *left, const void *right)
{
    const grz_pair *p = left, *q = right;
    if (p->face_a != q->face_a)
        return p->face_a < q->face_a ? -1 : 1;
    return (p->face_b > q->face_b) - (p->face_b < q->face_b);
}

// The numbers of faces in another query; NULL: unchanged.
typedef struct renaming {
    const uint32_t *a, *b;
    bool swapped;
} renaming;

static const char *decidable(const grz_summary *summary)
{
    return summary->containment == GRZ_CONTAINMENT_UNDECIDABLE ? summary->reason : "decided or not asked";
}

// Expect that `after` has the pairs of `before` with their new numbers, the same kinds and, bit for bit, the same
// points. Every face is one triangle, so each pair has one contact. Nothing else may differ.
static void expect_renamed(const char *law, const question *q, const test_answer *before, const test_answer *after,
                           renaming names)
{
    const grz_summary *s = &before->summary, *t = &after->summary;
    grz_relation relation = s->relation;
    if (names.swapped)
        relation = relation == GRZ_A_INSIDE_B ? GRZ_B_INSIDE_A : relation == GRZ_B_INSIDE_A ? GRZ_A_INSIDE_B : relation;
    if (t->relation != relation || memcmp(s->kinds, t->kinds, sizeof s->kinds) != 0 ||
        before->pair_count != after->pair_count || before->contact_count != after->contact_count)
        fail_msg("%s: %s: relation %d of %d, %llu pairs of %llu", law, q->name, (int)t->relation, (int)relation,
                 (unsigned long long)after->pair_count, (unsigned long long)before->pair_count);
    if (t->containment != s->containment)
        fail_msg("%s: %s: containment was %s, now %s", law, q->name, decidable(s), decidable(t));
    assert_int_equal(before->pair_count, before->contact_count);
    for (uint64_t i = 0; i < before->pair_count; i++) {
        const grz_pair *pair = &before->pairs[i];
        const uint32_t a = names.a != NULL ? names.a[pair->face_a] : pair->face_a;
        const uint32_t b = names.b != NULL ? names.b[pair->face_b] : pair->face_b;
        const grz_pair wanted = {.face_a = names.swapped ? b : a, .face_b = names.swapped ? a : b};
        const grz_pair *found = bsearch(&wanted, after->pairs, (size_t)after->pair_count, sizeof wanted, compare_pairs);
        if (found == NULL || found->kind != pair->kind)
            fail_msg("%s: %s: faces %u and %u are %s", law, q->name, pair->face_a, pair->face_b,
                     found == NULL ? "no pair any more" : "of another kind");
        const grz_contact *c = &before->contacts[i], *d = &after->contacts[found - after->pairs];
        if (c->point_count != d->point_count || c->kind != d->kind ||
            memcmp(before->points + 3 * c->first_point, after->points + 3 * d->first_point,
                   3 * (size_t)c->point_count * sizeof(double)) != 0)
            fail_msg("%s: %s: the points of faces %u and %u changed", law, q->name, pair->face_a, pair->face_b);
    }
    if (s->has_region != t->has_region || memcmp(s->region_min, t->region_min, sizeof s->region_min) != 0 ||
        memcmp(s->region_max, t->region_max, sizeof s->region_max) != 0)
        fail_msg("%s: %s: the region changed", law, q->name);
    if (before->curve_count != after->curve_count || before->curve_point_count != after->curve_point_count ||
        memcmp(before->curve_points, after->curve_points, 3 * (size_t)before->curve_point_count * sizeof(double)) != 0)
        fail_msg("%s: %s: the curves changed", law, q->name);
}

typedef void check_law(const char *law, random_stream *random, const question *q, const test_answer *before);

// Check a law on a range of queries, and that enough of them touch.
static void put_to(const char *law, check_law *check, uint32_t first, uint32_t end)
{
    const uint32_t step = TEST_SANITIZED ? 7 : 1;
    random_stream random = {7};
    uint32_t colliding = 0, asked = 0;
    uint64_t pairs = 0, kinds[GRZ_KIND_COUNT] = {0};
    for (uint32_t number = first; number < end; number += step) {
        question q = make_question(number);
        test_answer before = answer_of(law, &q);
        asked++;
        colliding += before.summary.relation == GRZ_COLLIDING;
        pairs += before.pair_count;
        for (int i = 0; i < GRZ_KIND_COUNT; i++)
            kinds[i] += before.summary.kinds[i];
        check(law, &random, &q, &before);
        test_answer_finish(&before);
        finish_question(&q);
    }
    print_message("%s: %u questions, %u collide, %llu pairs (%llu touching, %llu coplanar, %llu crossing)\n", law,
                  asked, colliding, (unsigned long long)pairs, (unsigned long long)kinds[GRZ_TOUCHING],
                  (unsigned long long)kinds[GRZ_COPLANAR], (unsigned long long)kinds[GRZ_CROSSING]);
    assert_true(TEST_SANITIZED ? colliding > 0 : 4 * colliding >= asked && colliding < asked);
}

static question copy_of(const question *q)
{
    question copy = *q;
    copy.a = test_mesh_copy(&q->a);
    copy.b = test_mesh_copy(&q->b);
    return copy;
}

static void check_swap(const char *law, random_stream *random, const question *q, const test_answer *before)
{
    (void)random;
    question swapped = *q;
    swapped.a = q->b;
    swapped.b = q->a;
    swapped.pose_a = q->pose_b;
    swapped.pose_b = q->pose_a;
    test_answer after = answer_of(law, &swapped);
    expect_renamed(law, q, before, &after, (renaming){.swapped = true});
    test_answer_finish(&after);
}

static void swapping_the_meshes_swaps_the_pairs(void **state)
{
    (void)state;
    put_to("swap", check_swap, 0, CASES);
}

static void check_shuffle(const char *law, random_stream *random, const question *q, const test_answer *before)
{
    question shuffled = copy_of(q);
    uint32_t *new_a = malloc((size_t)q->a.face_count * sizeof *new_a),
             *new_b = malloc((size_t)q->b.face_count * sizeof *new_b);
    assert_true(new_a != NULL && new_b != NULL);
    test_mesh_shuffle(&shuffled.a, random, new_a);
    test_mesh_shuffle(&shuffled.b, random, new_b);
    test_answer after = answer_of(law, &shuffled);
    expect_renamed(law, q, before, &after, (renaming){.a = new_a, .b = new_b});
    test_answer_finish(&after);
    finish_question(&shuffled);
    free(new_a);
    free(new_b);
}

static void renumbering_faces_and_vertices_renames_the_pairs(void **state)
{
    (void)state;
    put_to("renumber", check_shuffle, 0, CASES);
}

static void check_reverse(const char *law, random_stream *random, const question *q, const test_answer *before)
{
    (void)random;
    for (int which = 1; which < 4; which++) {
        question reversed = copy_of(q);
        if (which & 1)
            test_mesh_reverse(&reversed.a);
        if (which & 2)
            test_mesh_reverse(&reversed.b);
        test_answer after = answer_of(law, &reversed);
        expect_renamed(law, q, before, &after, (renaming){.swapped = false});
        test_answer_finish(&after);
        finish_question(&reversed);
    }
}

static void reversing_faces_changes_nothing(void **state)
{
    (void)state;
    put_to("reverse", check_reverse, 0, CASES);
}

// Expect the same relation, pairs and kinds, and contacts with the same number of points.
static void expect_same_shape(const char *law, const question *q, const test_answer *before, const test_answer *after)
{
    if (after->summary.relation != before->summary.relation || after->pair_count != before->pair_count ||
        (before->pair_count > 0 &&
         memcmp(before->pairs, after->pairs, (size_t)before->pair_count * sizeof *before->pairs) != 0))
        fail_msg("%s: %s: relation %d of %d, %llu pairs of %llu, or other kinds", law, q->name,
                 (int)after->summary.relation, (int)before->summary.relation, (unsigned long long)after->pair_count,
                 (unsigned long long)before->pair_count);
    assert_int_equal(before->contact_count, after->contact_count);
    for (uint64_t i = 0; i < before->contact_count; i++)
        if (before->contacts[i].point_count != after->contacts[i].point_count ||
            before->contacts[i].kind != after->contacts[i].kind)
            fail_msg("%s: %s: contact %llu changed", law, q->name, (unsigned long long)i);
}

static void check_scale(const char *law, random_stream *random, const question *q, const test_answer *before)
{
    // No product of an entry and a coordinate underflows at 2^-900: neither is below 2^-60, unless it is 0.
    static const int exponents[] = {-900, -601, -300, -100, -1, 1, 99, 200};
    (void)random;
    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
        question scaled = copy_of(q);
        const double factor = ldexp(1.0, exponents[i]);
        snprintf(scaled.name, sizeof scaled.name, "%.40s by 2^%d", q->name, exponents[i]);
        test_mesh_scale(&scaled.a, factor, factor, factor);
        test_mesh_scale(&scaled.b, factor, factor, factor);
        for (int row = 0; row < 3; row++) {
            scaled.pose_a.m[row][3] *= factor;
            scaled.pose_b.m[row][3] *= factor;
        }
        test_answer after = answer_of(law, &scaled);
        expect_same_shape(law, &scaled, before, &after);
        test_answer_finish(&after);
        finish_question(&scaled);
    }
}

static void scaling_by_a_power_of_two_changes_no_verdict(void **state)
{
    (void)state;
    put_to("scale", check_scale, 0, CASES);
}

// A mesh with the pose's world positions, by the definition.
static test_mesh baked(const test_mesh *mesh, const grz_pose *pose)
{
    test_mesh world = test_mesh_copy(mesh);
    for (uint64_t v = 0; v < mesh->vertex_count; v++) {
        for (int row = 0; row < 3; row++) {
            const double *m = pose->m[row], *p = mesh->positions + 3 * v;
            const double x = m[0] * p[0], y = m[1] * p[1], z = m[2] * p[2];
            world.positions[3 * v + (uint64_t)row] = ((x + y) + z) + m[3];
        }
    }
    return world;
}

static void check_bake(const char *law, random_stream *random, const question *q, const test_answer *before)
{
    (void)random;
    for (int which = 1; which < 4; which++) {
        question still = *q;
        still.a = which & 1 ? baked(&q->a, &q->pose_a) : test_mesh_copy(&q->a);
        still.b = which & 2 ? baked(&q->b, &q->pose_b) : test_mesh_copy(&q->b);
        if (which & 1)
            still.pose_a = grz_pose_identity();
        if (which & 2)
            still.pose_b = grz_pose_from_translation(-0.0, 0.0, -0.0);
        test_answer after = answer_of(law, &still);
        if (!test_answers_equal(law, before, &after))
            fail_msg("%s: %s: meshes at their world positions answer otherwise", law, q->name);
        test_answer_finish(&after);
        finish_question(&still);
    }
}

static void applying_the_pose_to_the_positions_changes_nothing(void **state)
{
    (void)state;
    put_to("bake", check_bake, 0, CASES);
}

// The product of two poses: first, then second. Exact for integer poses.
static grz_pose after_pose(const grz_pose *second, const grz_pose *first)
{
    grz_pose both;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 4; column++) {
            both.m[row][column] = column == 3 ? second->m[row][3] : 0.0;
            for (int k = 0; k < 3; k++)
                both.m[row][column] += second->m[row][k] * first->m[k][column];
        }
    }
    return both;
}

static void check_motion(const char *law, random_stream *random, const question *q, const test_answer *before)
{
    for (int i = 0; i < 4; i++) {
        question moved = *q;
        const grz_pose motion = random_integer_pose(random, i < 2 ? 100 : UINT32_C(1) << 30);
        moved.pose_a = after_pose(&motion, &q->pose_a);
        moved.pose_b = after_pose(&motion, &q->pose_b);
        test_answer after = answer_of(law, &moved);
        expect_same_shape(law, q, before, &after);
        test_answer_finish(&after);
    }
}

static void moving_integers_rigidly_changes_no_verdict(void **state)
{
    (void)state;
    put_to("motion", check_motion, FLOAT_CASES, CASES);
}

// Each triangle becomes four: face f's are 4f to 4f + 3. Midpoints of even integers are exact.
static test_mesh subdivided(const test_mesh *mesh)
{
    test_mesh fine = {0};
    for (uint64_t face = 0; face < mesh->face_count; face++) {
        uint32_t corner[3], middle[3];
        const double *p[3];
        for (int i = 0; i < 3; i++) {
            p[i] = mesh->positions + 3 * (size_t)mesh->indices[3 * face + (uint64_t)i];
            corner[i] = test_mesh_add_vertex(&fine, p[i][0], p[i][1], p[i][2]);
        }
        for (int i = 0; i < 3; i++) {
            const double *q = p[(i + 1) % 3];
            middle[i] = test_mesh_add_vertex(&fine, (p[i][0] + q[0]) / 2, (p[i][1] + q[1]) / 2, (p[i][2] + q[2]) / 2);
        }
        for (int i = 0; i < 3; i++)
            test_mesh_add_triangle(&fine, corner[i], middle[i], middle[(i + 2) % 3]);
        test_mesh_add_triangle(&fine, middle[0], middle[1], middle[2]);
    }
    return fine;
}

// The pairs of the parts, with the numbers of their original faces, are those of the whole. A part's kind is the
// whole's or weaker. The whole is coplanar exactly if some part is. It is crossing if some part is, or if the segment
// runs along the cuts.
static void expect_parts(const char *law, const question *q, const test_answer *whole, const test_answer *parts,
                         uint32_t cut_a, uint32_t cut_b)
{
    int *strongest = malloc((size_t)(whole->pair_count + 1) * sizeof *strongest);
    assert_non_null(strongest);
    for (uint64_t i = 0; i < whole->pair_count; i++)
        strongest[i] = -1;
    if (parts->summary.relation != whole->summary.relation)
        fail_msg("%s: %s: relation %d, of the parts %d", law, q->name, (int)whole->summary.relation,
                 (int)parts->summary.relation);
    for (uint64_t i = 0; i < parts->pair_count; i++) {
        const grz_pair wanted = {.face_a = parts->pairs[i].face_a / cut_a, .face_b = parts->pairs[i].face_b / cut_b};
        const grz_pair *found = bsearch(&wanted, whole->pairs, (size_t)whole->pair_count, sizeof wanted, compare_pairs);
        if (found == NULL || parts->pairs[i].kind > found->kind)
            fail_msg("%s: %s: parts of faces %u and %u touch more than the faces do", law, q->name, wanted.face_a,
                     wanted.face_b);
        int *kind = &strongest[found - whole->pairs];
        *kind = (int)parts->pairs[i].kind > *kind ? (int)parts->pairs[i].kind : *kind;
    }
    for (uint64_t i = 0; i < whole->pair_count; i++) {
        const int kind = (int)whole->pairs[i].kind;
        if (strongest[i] != kind && !(kind == GRZ_CROSSING && strongest[i] == GRZ_TOUCHING))
            fail_msg("%s: %s: faces %u and %u are of kind %d, the strongest of their parts %d", law, q->name,
                     whole->pairs[i].face_a, whole->pairs[i].face_b, kind, strongest[i]);
    }
    free(strongest);
}

static void check_subdivision(const char *law, random_stream *random, const question *q, const test_answer *before)
{
    (void)random;
    for (int which = 1; which < 4; which++) {
        question fine = *q;
        fine.a = which & 1 ? subdivided(&q->a) : test_mesh_copy(&q->a);
        fine.b = which & 2 ? subdivided(&q->b) : test_mesh_copy(&q->b);
        test_answer after = answer_of(law, &fine);
        expect_parts(law, q, before, &after, which & 1 ? 4 : 1, which & 2 ? 4 : 1);
        test_answer_finish(&after);
        finish_question(&fine);
    }
}

static void subdividing_on_an_even_grid_changes_no_verdict(void **state)
{
    (void)state;
    put_to("subdivide", check_subdivision, FLOAT_CASES, CASES);
}

// One mesh of both: its self-collisions are A's, B's, and the pairs of A with B. Equal positions must not join the two,
// so corners are shared by index only.
static void check_merge(const char *law, random_stream *random, const question *q, const test_answer *before)
{
    (void)random;
    test_mesh a = baked(&q->a, &q->pose_a), b = baked(&q->b, &q->pose_b), both = test_mesh_copy(&a);
    const uint32_t first_b = (uint32_t)a.face_count;
    test_mesh_append(&both, &b);
    const test_mesh *const meshes[3] = {&a, &b, &both};
    test_answer self[3];
    for (int i = 0; i < 3; i++) {
        test_query query = test_query_of_self(meshes[i], FIND_ALL & ~(uint32_t)GRZ_FIND_CONTAINMENT);
        query.flags = GRZ_MESH_INDEX_ONLY;
        self[i] = test_ask(law, &query);
    }
    assert_int_equal(self[2].pair_count, self[0].pair_count + self[1].pair_count + before->pair_count);
    for (uint64_t i = 0; i < self[2].pair_count; i++) {
        const grz_pair *pair = &self[2].pairs[i];
        const bool across = pair->face_a < first_b && pair->face_b >= first_b;
        const test_answer *part = across ? before : pair->face_b < first_b ? &self[0] : &self[1];
        const grz_pair wanted = {.face_a = pair->face_a - (pair->face_a < first_b ? 0 : first_b),
                                 .face_b = pair->face_b - (pair->face_b < first_b ? 0 : first_b)};
        const grz_pair *found = bsearch(&wanted, part->pairs, (size_t)part->pair_count, sizeof wanted, compare_pairs);
        if (found == NULL || found->kind != pair->kind)
            fail_msg("%s: %s: faces %u and %u of both are no pair of the parts, or of another kind", law, q->name,
                     pair->face_a, pair->face_b);
        const grz_contact *c = &self[2].contacts[i], *d = &part->contacts[found - part->pairs];
        if (c->point_count != d->point_count ||
            memcmp(self[2].points + 3 * c->first_point, part->points + 3 * d->first_point,
                   3 * (size_t)c->point_count * sizeof(double)) != 0)
            fail_msg("%s: %s: the points of faces %u and %u changed", law, q->name, pair->face_a, pair->face_b);
    }
    for (int i = 0; i < 3; i++)
        test_answer_finish(&self[i]);
    test_mesh_finish(&a);
    test_mesh_finish(&b);
    test_mesh_finish(&both);
}

static void merging_the_meshes_joins_their_pairs(void **state)
{
    (void)state;
    put_to("merge", check_merge, 0, CASES);
}

// The mesh as float32, every vertex with `padding` unused numbers behind it.
static grz_mesh *upload_float(grz_device *device, const test_mesh *mesh, uint64_t padding)
{
    const uint64_t stride = 3 + padding;
    float *positions = malloc((size_t)(mesh->vertex_count * stride) * sizeof *positions);
    grz_mesh_description description = grz_default_mesh_description();
    grz_mesh *uploaded = NULL;
    assert_non_null(positions);
    for (uint64_t i = 0; i < mesh->vertex_count * stride; i++)
        positions[i] = i % stride < 3 ? (float)mesh->positions[3 * (i / stride) + i % stride] : NAN;
    description.positions = positions;
    description.position_stride = (size_t)stride * sizeof *positions;
    description.vertex_count = mesh->vertex_count;
    description.indices = mesh->indices;
    description.index_count = mesh->index_count;
    description.face_count = mesh->face_count;
    assert_int_equal(grz_mesh_create(device, &description, &uploaded, NULL), GRZ_OK);
    free(positions);
    return uploaded;
}

static void check_float(const char *law, random_stream *random, const question *q, const test_answer *before)
{
    (void)before;
    question rounded = copy_of(q);
    test_mesh *const meshes[2] = {&rounded.a, &rounded.b};
    for (int i = 0; i < 2; i++)
        for (uint64_t k = 0; k < 3 * meshes[i]->vertex_count; k++)
            meshes[i]->positions[k] = (double)(float)meshes[i]->positions[k];
    test_answer expected = answer_of(law, &rounded);
    grz_device *device = test_device_open(1);
    grz_mesh *a = upload_float(device, &rounded.a, random_below(random, 3)), *b = upload_float(device, &rounded.b, 0);
    grz_result *result = test_result_create(device);
    grz_object object_a = grz_object_at_origin(a), object_b = grz_object_at_origin(b);
    grz_collide_options options = grz_default_collide_options();
    object_a.pose = q->pose_a;
    object_b.pose = q->pose_b;
    options.find = FIND_ALL;
    assert_int_equal(grz_collide(device, &object_a, &object_b, &options, result, NULL), GRZ_OK);
    test_answer after = test_answer_of(result);
    if (!test_answers_equal(law, &expected, &after))
        fail_msg("%s: %s: float32 positions answer otherwise than the same numbers as float64", law, q->name);
    test_answer_finish(&after);
    test_answer_finish(&expected);
    grz_result_destroy(result);
    grz_mesh_destroy(a);
    grz_mesh_destroy(b);
    grz_device_close(device);
    finish_question(&rounded);
}

static void float32_positions_answer_as_the_same_doubles(void **state)
{
    (void)state;
    put_to("float32", check_float, 0, CASES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swapping_the_meshes_swaps_the_pairs),
        cmocka_unit_test(renumbering_faces_and_vertices_renames_the_pairs),
        cmocka_unit_test(reversing_faces_changes_nothing),
        cmocka_unit_test(scaling_by_a_power_of_two_changes_no_verdict),
        cmocka_unit_test(applying_the_pose_to_the_positions_changes_nothing),
        cmocka_unit_test(moving_integers_rigidly_changes_no_verdict),
        cmocka_unit_test(subdividing_on_an_even_grid_changes_no_verdict),
        cmocka_unit_test(merging_the_meshes_joins_their_pairs),
        cmocka_unit_test(float32_positions_answer_as_the_same_doubles),
    };
    int failed = cmocka_run_group_tests_name("laws", tests, NULL, NULL);
    test_queries_finish();
    return failed;
}
