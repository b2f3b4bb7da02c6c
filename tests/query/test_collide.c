// SPDX-License-Identifier: MIT
// The pair query on hundreds of posed pairs, generated and from data/. Every method with 1, 2 and 5 threads gives the
// same bytes (pairs, kinds, contacts, curves, relation); yes/no agrees and ends early. On small pairs the answer is
// that of a plain loop over all pairs of triangles, on positions that this file computes by the definition in
// docs/reference/numbers.md. Deformed meshes: a refitted tree gives the same answer as a new mesh. Poses are rigid,
// scaled, mirrored, sheared, singular, tiny, far away, or integers.
// ctest: timeout 900
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geometry/triangle/pair.h"
#include "mesh/mesh.h"
#include <graze/io.h> // so that the build links the readers
#include "support_queries.h"
#include "support_sanitizer.h"

enum {
    FIND_ALL = GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES | GRZ_FIND_CONTAINMENT,
    DEVICES = 3,
    MOST_SHAPES = 40,
    PLAIN_LOOP = 90000 // pairs of triangles that the plain loop is given at most
};

static const unsigned thread_counts[DEVICES] = {1, 2, 5};
static grz_device *devices[DEVICES];
static grz_result *results[DEVICES];

// A mesh on every device, and its bounding sphere.
typedef struct shape {
    char name[64];
    test_mesh mesh;
    grz_mesh *uploaded[DEVICES];
    double centre[3], radius;
} shape;

static void finish_shape(shape *s)
{
    for (int i = 0; i < DEVICES; i++)
        grz_mesh_destroy(s->uploaded[i]);
    test_mesh_finish(&s->mesh);
}

// Takes the mesh.
static shape make_shape(const char *name, test_mesh mesh)
{
    shape s = {.mesh = mesh};
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, square = 0.0;
    snprintf(s.name, sizeof s.name, "%s", name);
    for (uint64_t i = 0; i < 3 * mesh.vertex_count; i++) {
        low[i % 3] = fmin(low[i % 3], mesh.positions[i]);
        high[i % 3] = fmax(high[i % 3], mesh.positions[i]);
    }
    for (int k = 0; k < 3; k++) {
        s.centre[k] = 0.5 * (low[k] + high[k]);
        square += 0.25 * (high[k] - low[k]) * (high[k] - low[k]);
    }
    s.radius = sqrt(square);
    for (int i = 0; i < DEVICES; i++)
        s.uploaded[i] = test_mesh_upload(devices[i], &s.mesh);
    return s;
}

// One of two posed shapes.
typedef struct posed {
    const shape *shape;
    grz_pose pose;
} posed;

typedef struct tally {
    unsigned compared, colliding, plain;
    uint64_t pairs, contacts, candidates, candidates_yes_no;
} tally;

static void print_posed(const char *name, const posed *p)
{
    fprintf(stderr, "  %s: %s, pose", name, p->shape->name);
    for (int i = 0; i < 12; i++)
        fprintf(stderr, "%s%a", i % 4 == 0 ? " | " : " ", p->pose.m[i / 4][i % 4]);
    fprintf(stderr, "\n");
}

static void fail_pair(const char *what, const posed *a, const posed *b)
{
    print_posed("A", a);
    print_posed("B", b);
    fail_msg("%s", what);
}

static grz_summary ask(const posed *a, const posed *b, int device, const char *method, uint32_t find)
{
    grz_collide_options options = grz_default_collide_options();
    grz_object object_a = grz_object_at_origin(a->shape->uploaded[device]);
    grz_object object_b = grz_object_at_origin(b->shape->uploaded[device]);
    grz_error error = {.code = GRZ_OK};
    object_a.pose = a->pose;
    object_b.pose = b->pose;
    options.method = method;
    options.find = find;
    if (grz_collide(devices[device], &object_a, &object_b, &options, results[device], &error) != GRZ_OK)
        fail_pair(error.message, a, b);
    return *grz_result_summary(results[device]);
}

// World positions by the definition, a second implementation.
static double *world_positions(const posed *p)
{
    const test_mesh *mesh = &p->shape->mesh;
    double *world = malloc((size_t)mesh->vertex_count * 3 * sizeof *world);
    assert_non_null(world);
    for (uint64_t v = 0; v < mesh->vertex_count; v++) {
        for (int row = 0; row < 3; row++) {
            double sum = p->pose.m[row][0] * mesh->positions[3 * v];
            const double in_y = p->pose.m[row][1] * mesh->positions[3 * v + 1];
            const double in_z = p->pose.m[row][2] * mesh->positions[3 * v + 2];
            sum = sum + in_y;
            sum = sum + in_z;
            world[3 * v + (uint64_t)row] = sum + p->pose.m[row][3];
        }
    }
    return world;
}

static void corners_of(const grz_mesh *mesh, const double *world, uint32_t triangle, double corners[3][3])
{
    for (int i = 0; i < 3; i++)
        memcpy(corners[i], world + 3 * (size_t)mesh->triangles[3 * (size_t)triangle + (uint32_t)i], sizeof corners[i]);
}

static uint32_t first_triangle_of(const grz_mesh *mesh, uint32_t face)
{
    uint32_t triangle = 0;
    while (triangle < mesh->triangle_count && grz_mesh_triangle_face(mesh, triangle) < face)
        triangle++;
    return triangle;
}

// The plain loop, which compares its finds one by one with the answer's pairs and contacts in order.
typedef struct plain_loop {
    const grz_mesh *a, *b;
    double *world_a, *world_b;
    const test_answer *answer;
    uint64_t pair, contact;
} plain_loop;

// All triangles of two faces. False if the answer differs.
static bool same_for_faces(plain_loop *loop, uint32_t first_a, uint32_t end_a, uint32_t first_b, uint32_t end_b)
{
    const test_answer *answer = loop->answer;
    bool touching = false;
    uint32_t kind = 0;
    for (uint32_t i = first_a; i < end_a; i++) {
        for (uint32_t j = first_b; j < end_b; j++) {
            double a[3][3], b[3][3];
            grz_intersection found;
            corners_of(loop->a, loop->world_a, i, a);
            corners_of(loop->b, loop->world_b, j, b);
            grz_triangles_intersect((const double(*)[3])a, (const double(*)[3])b, &found);
            if (found.node_count == 0)
                continue;
            const grz_contact *contact = &answer->contacts[loop->contact++];
            if (loop->contact > answer->contact_count || contact->pair != loop->pair || contact->kind != found.kind ||
                contact->point_count != found.node_count)
                return false;
            kind = !touching || found.kind > kind ? found.kind : kind;
            touching = true;
        }
    }
    if (!touching)
        return true;
    const grz_pair *pair = &answer->pairs[loop->pair++];
    return loop->pair <= answer->pair_count && pair->face_a == grz_mesh_triangle_face(loop->a, first_a) &&
           pair->face_b == grz_mesh_triangle_face(loop->b, first_b) && pair->kind == kind;
}

static bool plain_loop_agrees(const posed *a, const posed *b, const test_answer *answer)
{
    plain_loop loop = {.a = a->shape->uploaded[0], .b = b->shape->uploaded[0], .answer = answer};
    bool same = true;
    loop.world_a = world_positions(a);
    loop.world_b = world_positions(b);
    for (uint32_t i = 0, end_i; i < loop.a->triangle_count && same; i = end_i) {
        end_i = first_triangle_of(loop.a, grz_mesh_triangle_face(loop.a, i) + 1);
        for (uint32_t j = 0, end_j; j < loop.b->triangle_count && same; j = end_j) {
            for (end_j = j; end_j < loop.b->triangle_count &&
                            grz_mesh_triangle_face(loop.b, end_j) == grz_mesh_triangle_face(loop.b, j);)
                end_j++;
            same = same_for_faces(&loop, i, end_i, j, end_j);
        }
    }
    free(loop.world_a);
    free(loop.world_b);
    return same && loop.pair == answer->pair_count && loop.contact == answer->contact_count;
}

// Expect the same answer in every way of asking. Small pairs are compared with the plain loop.
static void check_pair(const posed *a, const posed *b, tally *t)
{
    test_answer first = {.pair_count = 0};
    for (int device = 0; device < DEVICES; device++) {
        const char *name;
        for (size_t method = 0;
             (name = test_exact_method_in_turn(method, t->compared * DEVICES + (size_t)device)) != NULL; method++) {
            char what[96];
            // `naive` takes most of the time. It is asked with one thread, and with two or five in turn.
            if (strcmp(name, "naive") == 0 && device > 0 && (unsigned)device != 1 + t->compared % 2)
                continue;
            const grz_summary full = ask(a, b, device, name, FIND_ALL);
            test_answer answer = test_answer_of(results[device]);
            snprintf(what, sizeof what, "%s with %u threads", name, thread_counts[device]);
            if (device == 0 && method == 0)
                first = answer;
            else if (!test_answers_equal(what, &first, &answer))
                fail_pair(what, a, b);
            else
                test_answer_finish(&answer);
            const grz_summary yes_no = ask(a, b, device, name, 0);
            if ((yes_no.relation == GRZ_COLLIDING) != (first.summary.relation == GRZ_COLLIDING) ||
                yes_no.certainty != GRZ_EXACT)
                fail_pair("yes/no says otherwise", a, b);
            if (yes_no.pair_count != 0 || yes_no.candidates > full.candidates)
                fail_pair("yes/no looked at more than the list needs", a, b);
            if (device == 0 && full.relation == GRZ_COLLIDING) {
                t->candidates += full.candidates;
                t->candidates_yes_no += yes_no.candidates;
            }
        }
    }
    const grz_mesh *mesh_a = a->shape->uploaded[0], *mesh_b = b->shape->uploaded[0];
    if ((uint64_t)mesh_a->triangle_count * mesh_b->triangle_count <= PLAIN_LOOP) {
        if (!plain_loop_agrees(a, b, &first))
            fail_pair("the plain loop finds otherwise", a, b);
        t->plain++;
    }
    t->compared++;
    t->colliding += first.summary.relation == GRZ_COLLIDING;
    t->pairs += first.pair_count;
    t->contacts += first.contact_count;
    test_answer_finish(&first);
}

static void report(const char *what, const tally *t)
{
    print_message(
        "%s: %u pairs of meshes compared, %u by the plain loop too; %u collide; %llu pairs of faces, %llu contacts; "
        "candidates %llu, for yes/no %llu\n",
        what, t->compared, t->plain, t->colliding, (unsigned long long)t->pairs, (unsigned long long)t->contacts,
        (unsigned long long)t->candidates, (unsigned long long)t->candidates_yes_no);
    // Neither answer may be rare, or the comparison would test little.
    assert_true(5 * t->colliding >= t->compared && 5 * t->colliding <= 4 * t->compared);
    assert_true(t->pairs > 0 && t->contacts > 0);
}

typedef enum pose_class {
    RIGID,
    SCALED,
    MIRRORED,
    SHEARED,
    FLAT,
    LINE,
    POINT,
    TINY,
    FAR,
    FARTHEST,
    INTEGER,
    POSE_CLASSES
} pose_class;

static const char *const class_names[POSE_CLASSES] = {"rigid", "scaled", "mirrored", "sheared",  "flat",   "line",
                                                      "point", "tiny",   "far",      "farthest", "integer"};

static grz_pose random_rotation(random_stream *random)
{
    const double none[3] = {0.0, 0.0, 0.0};
    double q[4];
    grz_pose pose;
    for (int i = 0; i < 4; i++)
        q[i] = random_signed(random);
    assert_int_equal(grz_pose_from_quaternion(none, q, &pose, NULL), GRZ_OK);
    return pose;
}

// A quarter turn or mirror: each row holds one entry, 1 or -1.
static grz_pose random_axes(random_stream *random)
{
    grz_pose pose = {{{0}}};
    const uint32_t first = random_below(random, 3), turn = 1 + random_below(random, 2);
    for (uint32_t row = 0; row < 3; row++)
        pose.m[row][(first + row * turn) % 3] = random_below(random, 2) ? 1.0 : -1.0;
    return pose;
}

// The linear part only. `scale` receives the largest factor by which lengths grow.
static grz_pose random_linear(random_stream *random, pose_class group, double *scale)
{
    grz_pose pose = group == INTEGER ? random_axes(random) : random_rotation(random);
    *scale = 1.0;
    for (int row = 0; row < 3; row++) {
        double factor = 1.0;
        if (group == SCALED)
            factor = *scale = 0.3 + 2.0 * fabs(random_signed(random));
        else if (group == MIRRORED && row == 0)
            factor = -1.0;
        else if ((group == FLAT && row == 2) || (group == LINE && row > 0) || group == POINT)
            factor = 0.0;
        for (int column = 0; column < 3; column++) {
            if (group == SHEARED)
                pose.m[row][column] += 0.5 * random_signed(random);
            pose.m[row][column] *= factor;
        }
    }
    return pose;
}

// Translate so that the shape's centre comes to `target`.
static void put_centre_at(posed *p, const double target[3], bool whole)
{
    for (int row = 0; row < 3; row++) {
        const double *m = p->pose.m[row], *c = p->shape->centre;
        const double offset = target[row] - (m[0] * c[0] + m[1] * c[1] + m[2] * c[2]);
        p->pose.m[row][3] = whole ? rint(offset) : offset;
    }
}

// Two shapes near each other: about half of the pairs should touch. A is posed rigidly, or like B.
static void pose_pair(random_stream *random, pose_class group, posed *a, posed *b)
{
    const pose_class group_a = group == INTEGER || random_below(random, 3) == 0 ? group : RIGID;
    double scale_a, scale_b, target[3], direction[3], length = 0.0;
    a->pose = random_linear(random, group_a, &scale_a);
    b->pose = random_linear(random, group, &scale_b);
    for (int k = 0; k < 3; k++) {
        target[k] = 10.0 * random_signed(random);
        direction[k] = random_signed(random);
        length += direction[k] * direction[k];
    }
    put_centre_at(a, target, group == INTEGER);
    const double reach = a->shape->radius * scale_a + b->shape->radius * scale_b;
    const double distance = reach * fabs(random_signed(random)) / sqrt(length);
    for (int k = 0; k < 3; k++)
        target[k] += distance * direction[k];
    put_centre_at(b, target, group == INTEGER);
    if (group == POINT && random_below(random, 2) == 0) {
        // On a corner of A, exactly.
        double *world = world_positions(a);
        const uint32_t corner = a->shape->mesh.indices[random_below(random, (uint32_t)a->shape->mesh.index_count)];
        for (int row = 0; row < 3; row++)
            b->pose.m[row][3] = world[3 * (size_t)corner + (size_t)row];
        free(world);
    }
    if (group == TINY) {
        const int exponent = -200 - (int)random_below(random, 850);
        for (int i = 0; i < 12; i++) {
            a->pose.m[i / 4][i % 4] = ldexp(a->pose.m[i / 4][i % 4], exponent);
            b->pose.m[i / 4][i % 4] = ldexp(b->pose.m[i / 4][i % 4], exponent);
        }
    }
    for (int row = 0; row < 3 && (group == FAR || group == FARTHEST); row++) {
        // From distances where some digits of the shape are left to those where the shape rounds to one point.
        const int exponent = 44 + (int)random_below(random, random_below(random, 4) == 0 ? 250 : 9);
        const double offset = group == FARTHEST ? ldexp(1.0, exponent) : random_below(random, 2) ? 1e6 : 1e15;
        a->pose.m[row][3] += offset;
        b->pose.m[row][3] += offset;
    }
}

static void add_shape(shape *shapes, uint32_t *count, const char *name, test_mesh mesh)
{
    assert_true(*count < MOST_SHAPES);
    shapes[(*count)++] = make_shape(name, mesh);
}

// A soup in which every fourth triangle is a segment or a point.
static test_mesh soup_with_degenerate_triangles(random_stream *random, uint32_t count, uint32_t grid)
{
    test_mesh soup = test_mesh_random_triangles(random, count, 1.0, grid);
    for (uint64_t t = 0; t < count; t += 4)
        for (uint32_t corner = 1; corner < (t % 8 == 0 ? 2u : 3u); corner++)
            memcpy(soup.positions + 9 * t + 3 * (size_t)corner, soup.positions + 9 * t, 3 * sizeof(double));
    return soup;
}

static uint32_t generated_shapes(random_stream *random, shape *shapes)
{
    uint32_t count = 0;
    test_mesh two = test_mesh_cube(0.0, 0.0, 0.0, 1.0);
    test_mesh_take(&two, test_mesh_cube(1.0, 1.0, 1.0, 2.0));
    add_shape(shapes, &count, "cube", test_mesh_cube(0.0, 0.0, 0.0, 1.0));
    add_shape(shapes, &count, "cube of quads", test_mesh_cube_quads(-1.0, -1.0, -1.0, 2.0));
    add_shape(shapes, &count, "two cubes", two);
    add_shape(shapes, &count, "grid", test_mesh_grid(8, 8, 1.0));
    add_shape(shapes, &count, "grid of quads", test_mesh_grid_quads(6, 5, 1.0));
    add_shape(shapes, &count, "small sphere", test_mesh_icosphere(1.0, 1));
    add_shape(shapes, &count, "sphere", test_mesh_icosphere(1.5, 2));
    add_shape(shapes, &count, "torus", test_mesh_torus(1.0, 0.4, 16, 8));
    add_shape(shapes, &count, "triangles", test_mesh_random_triangles(random, 120, 0.5, 0));
    add_shape(shapes, &count, "triangles of integers", test_mesh_random_triangles(random, 60, 1.0, 4));
    add_shape(shapes, &count, "degenerate triangles", soup_with_degenerate_triangles(random, 100, 0));
    add_shape(shapes, &count, "degenerate triangles of integers", soup_with_degenerate_triangles(random, 60, 3));
    return count;
}

static uint32_t small_models(shape *shapes)
{
    static const char *const files[] = {
        "scalpel_sword128.obj", "hard/joined_tetrahedra.obj", "hard/multibody.stl",  "hard/negative_indices.obj",
        "hard/not_convex.obj",  "hard/polygonfaces.obj",      "hard/soup.stl",       "hard/wallhole.obj",
        "robot/fer_hand.stl",   "robot/fer_link0.stl",        "robot/fer_link1.stl", "robot/fer_link4.stl"};
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[128];
        snprintf(path, sizeof path, "data/%s", files[i]);
        add_shape(shapes, &count, files[i], test_mesh_load(path));
    }
    return count;
}

static uint32_t large_models(shape *shapes)
{
    static const char *const files[] = {
        "cow_spot.ply",          "teapot_3751.obj",      "face_1252.obj",
        "nbody_a_eros.ply",      "nbody_a_bennu.ply",    "hard/spot_huge_offset.obj",
        "hard/spot_tiny.obj",    "hard/sheet2000.obj",   "hard/openscad-nonmanifold-crash.ply",
        "hard/spot_twice.obj",   "hard/featuretype.STL", "hard/quadknot.obj",
        "hard/thin_mat40x40.obj"};
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[128];
        snprintf(path, sizeof path, "data/%s", files[i]);
        test_mesh mesh = test_mesh_load(path);
        shape measured = make_shape(files[i], mesh);
        // Scale to a size of about 1 around the origin, so that any two can touch. A far model keeps its rounding.
        for (uint64_t v = 0; v < mesh.vertex_count; v++)
            for (int k = 0; k < 3; k++)
                mesh.positions[3 * v + (uint64_t)k] =
                    (mesh.positions[3 * v + (uint64_t)k] - measured.centre[k]) / measured.radius;
        measured.mesh = (test_mesh){0};
        finish_shape(&measured);
        add_shape(shapes, &count, files[i], mesh);
    }
    return count;
}

static void compare_poses(shape *shapes, uint32_t count, random_stream *random, uint32_t rounds, tally *t)
{
    for (pose_class group = RIGID; group < POSE_CLASSES; group++) {
        tally own = {0};
        for (uint32_t i = 0; i < rounds; i++) {
            posed a = {.shape = &shapes[random_below(random, count)]},
                  b = {.shape = &shapes[random_below(random, count)]};
            pose_pair(random, group, &a, &b);
            check_pair(&a, &b, &own);
        }
        print_message("  %-8s %3u of %u collide, %llu pairs of faces\n", class_names[group], own.colliding,
                      own.compared, (unsigned long long)own.pairs);
        t->compared += own.compared;
        t->colliding += own.colliding;
        t->plain += own.plain;
        t->pairs += own.pairs;
        t->contacts += own.contacts;
        t->candidates += own.candidates;
        t->candidates_yes_no += own.candidates_yes_no;
    }
}

static void finish_shapes(shape *shapes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        finish_shape(&shapes[i]);
}

static void every_way_of_asking_agrees_on_generated_meshes(void **state)
{
    (void)state;
    random_stream random = {11};
    shape shapes[MOST_SHAPES];
    tally t = {0};
    const uint32_t count = generated_shapes(&random, shapes);
    compare_poses(shapes, count, &random, TEST_SHORT ? 5 : 60, &t);
    finish_shapes(shapes, count);
    report("generated", &t);
    assert_true(2 * t.plain > t.compared);
    assert_true(2 * t.candidates_yes_no < t.candidates);
}

static void every_way_of_asking_agrees_on_small_models(void **state)
{
    (void)state;
    random_stream random = {12};
    shape shapes[MOST_SHAPES];
    tally t = {0};
    const uint32_t count = small_models(shapes);
    // Singular and farthest poses make nearly all triangles touch; only generated meshes test these.
    for (uint32_t i = 0; i < (TEST_SHORT ? 20 : 120); i++) {
        static const pose_class groups[5] = {RIGID, SCALED, MIRRORED, SHEARED, FLAT};
        posed a = {.shape = &shapes[random_below(&random, count)]},
              b = {.shape = &shapes[random_below(&random, count)]};
        pose_pair(&random, groups[i % 5], &a, &b);
        check_pair(&a, &b, &t);
    }
    finish_shapes(shapes, count);
    report("small models", &t);
    assert_true(2 * t.plain > t.compared);
}

static void every_way_of_asking_agrees_on_large_models(void **state)
{
    (void)state;
    random_stream random = {13};
    shape shapes[MOST_SHAPES];
    tally t = {0};
    const uint32_t count = large_models(shapes);
    for (uint32_t i = 0; i < (TEST_SHORT ? 16 : 40); i++) {
        static const pose_class groups[6] = {RIGID, SCALED, MIRRORED, SHEARED, TINY, RIGID};
        posed a = {.shape = &shapes[i % count]}, b = {.shape = &shapes[random_below(&random, count)]};
        // Tiny poses are decided in integers, which takes a thousand times as long: large models are asked twice only.
        pose_pair(&random, i < 12 || groups[i % 6] != TINY ? groups[i % 6] : SCALED, &a, &b);
        check_pair(&a, &b, &t);
    }
    finish_shapes(shapes, count);
    report("large models", &t);
    assert_true(20 * t.candidates_yes_no < t.candidates);
}

// Cubes of integer size and place: faces, edges and corners touch exactly, or miss by one.
static void cubes_on_a_grid_touch_where_their_boxes_do(void **state)
{
    (void)state;
    shape unit = make_shape("cube", test_mesh_cube(0.0, 0.0, 0.0, 2.0)),
          quads = make_shape("quads", test_mesh_cube_quads(0, 0, 0, 3));
    unsigned touching = 0;
    tally t = {0};
    for (int i = 0; i < 7 * 7 * 7; i++) {
        const int offset[3] = {i % 7 - 3, i / 7 % 7 - 3, i / 49 - 3};
        posed a = {&quads, grz_pose_identity()},
              b = {&unit, grz_pose_from_translation(offset[0], offset[1], offset[2])};
        bool meet = true, inside = true;
        for (int k = 0; k < 3; k++) {
            meet = meet && offset[k] <= 3 && offset[k] + 2 >= 0;
            inside = inside && offset[k] > 0 && offset[k] + 2 < 3;
        }
        check_pair(&a, &b, &t);
        touching += meet && !inside;
        assert_int_equal(t.colliding, touching);
    }
    finish_shape(&unit);
    finish_shape(&quads);
    print_message("cubes: %u of %u touch\n", touching, t.compared);
}

typedef enum deformation {
    SHIVER,
    WAVE,
    TANGLE,
    FLATTEN,
    SHRINK,
    COLLAPSE,
    DEFORMATIONS
} deformation;

// New positions from the old ones. The later in this list, the worse the old tree fits.
static void deform(random_stream *random, deformation how, const test_mesh *from, double *positions)
{
    for (uint64_t v = 0; v < from->vertex_count; v++) {
        for (uint64_t k = 0; k < 3; k++) {
            const double x = from->positions[3 * v + k], noise = random_signed(random);
            double *out = &positions[3 * v + k];
            switch (how) {
            case SHIVER:
                *out = x + 0x1p-6 * noise;
                break;
            case WAVE:
                *out = x + 0.3 * sin(5.0 * from->positions[3 * v + (k + 1) % 3]);
                break;
            case TANGLE:
                *out = 1.5 * noise;
                break;
            case FLATTEN:
                *out = k == 2 ? 0.25 : x;
                break;
            case SHRINK:
                *out = ldexp(x, -1050);
                break;
            default:
                *out = 0.5;
            }
        }
    }
}

static void deformed_meshes_answer_as_new_ones_do(void **state)
{
    (void)state;
    random_stream random = {14};
    shape still = make_shape("sphere", test_mesh_icosphere(1.0, 2)),
          old = make_shape("torus", test_mesh_torus(1.0, 0.4, 16, 8));
    tally t = {0};
    test_mesh moved = test_mesh_copy(&old.mesh);
    for (unsigned i = 0; i < (TEST_SHORT ? 14 : 42); i++) {
        const deformation how = i % 7 == 6 ? TANGLE : i % DEFORMATIONS;
        deform(&random, how, &old.mesh, moved.positions);
        shape new = make_shape("new", test_mesh_copy(&moved));
        shape refitted = old;
        refitted.mesh = new.mesh;
        for (int device = 0; device < DEVICES; device++)
            assert_int_equal(grz_mesh_set_positions(refitted.uploaded[device], moved.positions, NULL), GRZ_OK);
        const double scale = how == SHRINK ? 0x1p-1050 : 1.0;
        posed a = {.shape = &still, .pose = random_rotation(&random)},
              b = {.shape = &refitted, .pose = random_rotation(&random)};
        for (int row = 0; row < 3; row++) {
            for (int column = 0; column < 3; column++)
                a.pose.m[row][column] *= scale;
            b.pose.m[row][3] = scale * 1.7 * random_signed(&random);
        }
        check_pair(&a, &b, &t);
        ask(&a, &b, 2, "bvh", FIND_ALL);
        test_answer after = test_answer_of(results[2]);
        b.shape = &new;
        ask(&a, &b, 1, "naive", FIND_ALL);
        test_answer expected = test_answer_of(results[1]);
        if (!test_answers_equal("refitted and new", &expected, &after))
            fail_pair("a refitted tree answers otherwise than a new mesh", &a, &b);
        test_answer_finish(&after);
        test_answer_finish(&expected);
        finish_shape(&new);
    }
    report("deformed", &t);
    test_mesh_finish(&moved);
    finish_shape(&still);
    finish_shape(&old);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_of_asking_agrees_on_generated_meshes),
        cmocka_unit_test(every_way_of_asking_agrees_on_small_models),
        cmocka_unit_test(every_way_of_asking_agrees_on_large_models),
        cmocka_unit_test(cubes_on_a_grid_touch_where_their_boxes_do),
        cmocka_unit_test(deformed_meshes_answer_as_new_ones_do),
    };
    for (int i = 0; i < DEVICES; i++) {
        devices[i] = test_device_open(thread_counts[i]);
        results[i] = test_result_create(devices[i]);
    }
    int failed = cmocka_run_group_tests_name("collide", tests, NULL, NULL);
    for (int i = 0; i < DEVICES; i++) {
        grz_result_destroy(results[i]);
        grz_device_close(devices[i]);
    }
    return failed;
}
