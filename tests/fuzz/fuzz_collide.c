// SPDX-License-Identifier: MIT
// Fuzzes the query of two objects: meshes and poses from the bytes (support_fuzz_shapes.h), before and after moving
// vertices. Every method must give the same bytes; swapping the objects must change no coordinate; answers with other
// options must be consistent. Distances must be the same by both methods, and 0 where objects touch. Small pairs are
// compared with the GMP oracle, triangle by triangle, and containment on a raster with a second count in integers, as
// are points that lie inside one solid, both or none.
#include "mesh/mesh.h"
#include "oracle.h"
#include "support_contacts.h"
#include "support_fuzz_queries.h"
#include "support_fuzz_shapes.h"

#include <math.h>

enum {
    ORACLE_PAIRS = 40, // of triangles, at most
    RASTER = 16,       // steps a unit
    RASTER_REACH = 16000,
    MOST_VERTICES = 128,
    CELL_POINTS = 24
};

// One of the two objects, and where its vertices are.
typedef struct side {
    test_mesh mesh;
    grz_mesh *uploaded;
    double *world;
    grz_object object;
} side;

static void place(side *s)
{
    free(s->world);
    s->world = fuzz_world(s->mesh.positions, s->mesh.vertex_count, &s->object.pose);
}

static void corners_of(const side *s, uint32_t triangle, double corners[3][3])
{
    for (uint32_t i = 0; i < 3; i++)
        memcpy(corners[i], s->world + 3 * (size_t)s->uploaded->triangles[3 * triangle + i], 3 * sizeof(double));
}

// Compare with the oracle's pairs: as many contacts of each kind, and each pair of faces has the kind of its strongest
// contact.
static void check_with_oracle(const side *a, const side *b, const test_answer *answer)
{
    static oracle *o;
    const grz_mesh *mesh_a = a->uploaded, *mesh_b = b->uploaded;
    uint32_t kinds[GRZ_KIND_COUNT] = {0}, strongest[ORACLE_PAIRS] = {0};
    if ((uint64_t)mesh_a->triangle_count * mesh_b->triangle_count > ORACLE_PAIRS)
        return;
    if (o == NULL)
        o = oracle_create();
    FUZZ_REQUIRE(o != NULL && answer->pair_count <= ORACLE_PAIRS);
    for (uint32_t i = 0; i < mesh_a->triangle_count; i++) {
        for (uint32_t j = 0; j < mesh_b->triangle_count; j++) {
            double p[3][3], q[3][3];
            oracle_answer truth;
            uint64_t pair = 0;
            corners_of(a, i, p);
            corners_of(b, j, q);
            oracle_intersect(o, (const double(*)[3])p, (const double(*)[3])q, &truth);
            if (truth.points == 0)
                continue;
            while (pair < answer->pair_count && (answer->pairs[pair].face_a != grz_mesh_triangle_face(mesh_a, i) ||
                                                 answer->pairs[pair].face_b != grz_mesh_triangle_face(mesh_b, j)))
                pair++;
            FUZZ_REQUIRE(pair < answer->pair_count);
            // Kinds start at 1: 0 stands for a pair that the oracle does not have.
            const uint32_t kind = (uint32_t)truth.kind;
            strongest[pair] = kind + 1 > strongest[pair] ? kind + 1 : strongest[pair];
            kinds[kind]++;
        }
    }
    for (uint64_t i = 0; i < answer->pair_count; i++)
        FUZZ_REQUIRE(strongest[i] == answer->pairs[i].kind + 1);
    for (uint64_t i = 0; i < answer->contact_count; i++)
        kinds[answer->contacts[i].kind]--;
    for (int i = 0; i < GRZ_KIND_COUNT; i++)
        FUZZ_REQUIRE(kinds[i] == 0);
}

static void check_swapped(const side *a, const side *b, const test_answer *answer)
{
    static const test_renumbering swap = {.swap = true};
    const grz_relation there = answer->summary.relation;
    test_answer back = fuzz_ask_once(&b->object, &a->object, FUZZ_FIND_ALL);
    test_expect_same_contacts("swapped", answer, &back, &swap);
    FUZZ_REQUIRE(back.summary.relation == (there == GRZ_A_INSIDE_B   ? GRZ_B_INSIDE_A
                                           : there == GRZ_B_INSIDE_A ? GRZ_A_INSIDE_B
                                                                     : there));
    FUZZ_REQUIRE(back.summary.containment == answer->summary.containment);
    test_answer_finish(&back);
}

// A side's vertices as integers, RASTER steps a unit. False where they are not on the raster.
static bool on_raster(const side *s, int64_t (*points)[3])
{
    for (uint64_t i = 0; i < 3 * s->mesh.vertex_count; i++) {
        const double scaled = RASTER * s->world[i];
        if (!(fabs(scaled) <= RASTER_REACH) || scaled != rint(scaled))
            return false;
        points[i / 3][i % 3] = (int64_t)scaled;
    }
    return true;
}

static int orientation(const int64_t *a, const int64_t *b, const int64_t *c, const int64_t *d)
{
    int64_t u[3], v[3], w[3];
    for (int i = 0; i < 3; i++) {
        u[i] = b[i] - a[i];
        v[i] = c[i] - a[i];
        w[i] = d[i] - a[i];
    }
    // With one far point below 2^21 and the others below 2^15 apart, all of this stays under 2^56.
    const int64_t value =
        u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
    return (value > 0) - (value < 0);
}

typedef struct raster_mesh {
    int64_t (*points)[3];
    const grz_mesh *mesh;
    uint32_t *component; // of each vertex: a vertex of the same component
} raster_mesh;

// Whether `from` is inside the container: 1 or 0; -1 where every ray tried meets an edge.
static int inside(const raster_mesh *container, const int64_t *from)
{
    static const int64_t directions[4][3] = {
        {1000003, 100019, 10007}, {-900007, 700001, -30011}, {20011, -1000033, 800011}, {-400009, 30013, 1000081}};
    for (int k = 0; k < 4; k++) {
        const int64_t to[3] = {from[0] + directions[k][0], from[1] + directions[k][1], from[2] + directions[k][2]};
        bool odd = false, clean = true;
        for (uint32_t i = 0; i < container->mesh->triangle_count && clean; i++) {
            const uint32_t *t = container->mesh->triangles + 3 * (size_t)i;
            const int64_t *p = container->points[t[0]], *q = container->points[t[1]], *r = container->points[t[2]];
            const int near = orientation(p, q, r, from), far = orientation(p, q, r, to);
            const int s0 = orientation(from, to, p, q), s1 = orientation(from, to, q, r),
                      s2 = orientation(from, to, r, p);
            if (near == far && near != 0)
                continue;
            // If the line certainly misses the triangle, the other signs do not matter.
            if ((s0 > 0 || s1 > 0 || s2 > 0) && (s0 < 0 || s1 < 0 || s2 < 0))
                continue;
            clean = near != 0 && far != 0 && s0 != 0 && s1 != 0 && s2 != 0;
            odd = odd != clean;
        }
        if (clean)
            return odd;
    }
    return -1;
}

static bool same_place(const side *s, uint32_t v, uint32_t w)
{
    const double *p = s->mesh.positions + 3 * (size_t)v, *q = s->mesh.positions + 3 * (size_t)w;
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

// True if every edge, by position in the mesh, is on an even number of triangle sides.
static bool is_closed(const side *s)
{
    const uint32_t *t = s->uploaded->triangles;
    const size_t sides = 3 * (size_t)s->uploaded->triangle_count;
    for (size_t i = 0; i < sides; i++) {
        const uint32_t v = t[i], w = t[i % 3 == 2 ? i - 2 : i + 1];
        unsigned count = 0;
        for (size_t j = 0; j < sides; j++) {
            const uint32_t from = t[j], to = t[j % 3 == 2 ? j - 2 : j + 1];
            count +=
                (same_place(s, v, from) && same_place(s, w, to)) || (same_place(s, v, to) && same_place(s, w, from));
        }
        if (!same_place(s, v, w) && count % 2 != 0)
            return false;
    }
    return true;
}

// Find the connected vertices, by the positions in the mesh.
static void find_components(const side *s, raster_mesh *m)
{
    const uint32_t *t = m->mesh->triangles;
    const size_t corners = 3 * (size_t)m->mesh->triangle_count;
    for (uint32_t v = 0; v < s->mesh.vertex_count; v++)
        m->component[v] = v;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < corners; i++) {
            for (size_t j = 0; j < corners; j++) {
                const uint32_t v = t[i], w = t[j];
                const bool joined = m->mesh->triangle_faces != NULL
                                        ? m->mesh->triangle_faces[i / 3] == m->mesh->triangle_faces[j / 3]
                                        : i / 3 == j / 3;
                if (m->component[w] < m->component[v] && (joined || same_place(s, v, w))) {
                    m->component[v] = m->component[w];
                    changed = true;
                }
            }
        }
    }
}

// How many of the components lie inside the closed container; -1 if that is not known.
static int count_inside(const raster_mesh *inner, const raster_mesh *container, int *components)
{
    int count = 0;
    *components = 0;
    for (size_t i = 0; i < 3 * (size_t)inner->mesh->triangle_count; i++) {
        const uint32_t v = inner->mesh->triangles[i];
        bool first = true;
        for (size_t j = 0; j < i; j++)
            first = first && inner->component[inner->mesh->triangles[j]] != inner->component[v];
        if (!first)
            continue;
        const int one = inside(container, inner->points[v]);
        if (one < 0)
            return -1;
        count += one;
        ++*components;
    }
    return count;
}

// Count containment a second time, for meshes on the raster that do not touch. Nothing is certainly inside an open
// container.
static void check_containment(const side *a, const side *b, const test_answer *answer)
{
    const grz_summary *s = &answer->summary;
    int64_t points[2][MOST_VERTICES][3];
    uint32_t components[2][MOST_VERTICES];
    raster_mesh m[2] = {{points[0], a->uploaded, components[0]}, {points[1], b->uploaded, components[1]}};
    int inside_a = 0, inside_b = 0, all_a = 1, all_b = 1;
    if (s->relation == GRZ_COLLIDING || a->mesh.vertex_count > MOST_VERTICES || b->mesh.vertex_count > MOST_VERTICES ||
        !on_raster(a, points[0]) || !on_raster(b, points[1]))
        return;
    const bool closed_a = is_closed(a), closed_b = is_closed(b);
    FUZZ_REQUIRE(!closed_a || !closed_b || s->containment == GRZ_CONTAINMENT_DECIDED);
    find_components(a, &m[0]);
    find_components(b, &m[1]);
    if (closed_b)
        inside_a = count_inside(&m[0], &m[1], &all_a);
    if (closed_a)
        inside_b = count_inside(&m[1], &m[0], &all_b);
    if (inside_a < 0 || inside_b < 0)
        return;
    FUZZ_REQUIRE(s->relation == (inside_a == all_a         ? GRZ_A_INSIDE_B
                                 : inside_b == all_b       ? GRZ_B_INSIDE_A
                                 : inside_a + inside_b > 0 ? GRZ_OVERLAPPING
                                                           : GRZ_APART));
}

static grz_distance_answer distance(const grz_object *a, const grz_object *b, const char *method)
{
    grz_distance_options options = grz_default_distance_options();
    grz_distance_answer answer;
    options.method = method;
    FUZZ_REQUIRE(grz_distance(fuzz_device(), a, b, &options, &answer, NULL) == GRZ_OK);
    FUZZ_REQUIRE(answer.lower <= answer.distance && answer.distance <= answer.upper && answer.ties > 0);
    return answer;
}

// The walk measures what comparing all pairs does, and so does the query of B and A. The distance is 0 where the
// surfaces touch, and as many pairs are at it as touch.
static grz_distance_answer check_distance(const side *a, const side *b, const test_answer *answer)
{
    const grz_distance_answer walked = distance(&a->object, &b->object, "bvh"),
                              all = distance(&a->object, &b->object, "naive"),
                              back = distance(&b->object, &a->object, NULL);
    FUZZ_REQUIRE(walked.distance == all.distance && walked.distance == back.distance && walked.upper == back.upper);
    FUZZ_REQUIRE(walked.face_a == all.face_a && walked.face_b == all.face_b && walked.ties == all.ties);
    FUZZ_REQUIRE(back.ties == all.ties && memcmp(walked.point_a, all.point_a, sizeof all.point_a) == 0);
    FUZZ_REQUIRE(walked.touching == (answer->summary.relation == GRZ_COLLIDING));
    if (walked.touching)
        FUZZ_REQUIRE(walked.distance == 0.0 && walked.ties == answer->pair_count);
    return walked;
}

// Ask with a clearance. The result is to be destroyed.
static grz_result *ask_near(const side *a, const side *b, const char *method, uint32_t find, double clearance)
{
    grz_collide_options options = grz_default_collide_options();
    grz_result *result = NULL;
    options.method = method;
    options.find = find;
    options.clearance = clearance;
    FUZZ_REQUIRE(grz_result_create(fuzz_device(), &result, NULL) == GRZ_OK);
    FUZZ_REQUIRE(grz_collide(fuzz_device(), &a->object, &b->object, &options, result, NULL) == GRZ_OK);
    return result;
}

// A clearance is met up to the distance. All pairs of triangles say the same, and so does yes or no; what touches
// stays.
static void check_clearance(const side *a, const side *b, const test_answer *answer, const grz_distance_answer *apart)
{
    const double clearances[] = {apart->lower, nextafter(apart->upper, HUGE_VAL), 1.5 * apart->upper + 0x1p-20};
    for (int i = 0; i < 3; i++) {
        uint64_t count, other;
        if (!(clearances[i] > 0.0 && clearances[i] < HUGE_VAL))
            continue;
        grz_result *walked = ask_near(a, b, "bvh", GRZ_FIND_PAIRS, clearances[i]),
                   *all = ask_near(a, b, "naive", GRZ_FIND_PAIRS, clearances[i]),
                   *yes_or_no = ask_near(a, b, NULL, 0, clearances[i]);
        const grz_summary *summary = grz_result_summary(walked);
        const grz_pair *near = grz_result_near_pairs(walked, &count), *expected = grz_result_near_pairs(all, &other);
        FUZZ_REQUIRE(count == other && (count == 0 || memcmp(near, expected, (size_t)count * sizeof *near) == 0));
        FUZZ_REQUIRE(summary->pair_count == answer->pair_count);
        FUZZ_REQUIRE((summary->clearance == GRZ_CLEARANCE_MET) == (clearances[i] <= apart->lower));
        FUZZ_REQUIRE(summary->clearance ==
                     (count + summary->pair_count > 0 ? GRZ_CLEARANCE_NOT_MET : GRZ_CLEARANCE_MET));
        FUZZ_REQUIRE(grz_result_summary(yes_or_no)->clearance == summary->clearance);
        FUZZ_REQUIRE(grz_result_summary(yes_or_no)->relation == summary->relation);
        grz_result_destroy(walked);
        grz_result_destroy(all);
        grz_result_destroy(yes_or_no);
    }
}

// The cells that some points of the raster are in must not contradict the class of two solids.
static void check_cells(const side *a, const side *b, grz_solids solids)
{
    int64_t points[2][MOST_VERTICES][3];
    const raster_mesh m[2] = {{.points = points[0], .mesh = a->uploaded}, {.points = points[1], .mesh = b->uploaded}};
    if (a->mesh.vertex_count > MOST_VERTICES || b->mesh.vertex_count > MOST_VERTICES || !on_raster(a, points[0]) ||
        !on_raster(b, points[1]))
        return;
    // Middles of two vertices, of any two meshes, moved by up to two steps.
    random_stream random = {.state = a->mesh.vertex_count + 131 * b->mesh.vertex_count};
    for (int i = 0; i < CELL_POINTS; i++) {
        const uint32_t from = random_below(&random, 2), to = random_below(&random, 2);
        const int64_t *v = points[from][random_below(&random, (uint32_t)(from == 0 ? a : b)->mesh.vertex_count)],
                      *w = points[to][random_below(&random, (uint32_t)(to == 0 ? a : b)->mesh.vertex_count)];
        int64_t at[3];
        for (int k = 0; k < 3; k++)
            at[k] = (v[k] + w[k]) / 2 + (int64_t)random_below(&random, 5) - 2;
        const int in_a = inside(&m[0], at), in_b = inside(&m[1], at);
        if (in_a < 0 || in_b < 0)
            continue;
        if (in_a && in_b)
            FUZZ_REQUIRE(solids != GRZ_SOLIDS_APART && solids != GRZ_SOLIDS_TOUCHING);
        if (in_a && !in_b)
            FUZZ_REQUIRE(solids != GRZ_SOLIDS_A_INSIDE_B && solids != GRZ_SOLIDS_SAME);
        if (in_b && !in_a)
            FUZZ_REQUIRE(solids != GRZ_SOLIDS_B_INSIDE_A && solids != GRZ_SOLIDS_SAME);
    }
}

static grz_solids solids_by(const side *a, const side *b, grz_inside_rule rule)
{
    grz_collide_options options = grz_default_collide_options();
    grz_result *result;
    options.find = GRZ_FIND_SOLIDS;
    options.inside_rule = rule;
    FUZZ_REQUIRE(grz_result_create(fuzz_device(), &result, NULL) == GRZ_OK);
    FUZZ_REQUIRE(grz_collide(fuzz_device(), &a->object, &b->object, &options, result, NULL) == GRZ_OK);
    const grz_solids solids = grz_result_summary(result)->solids;
    grz_result_destroy(result);
    return solids;
}

// GRZ_INSIDE_AUTO is the rule that is chosen, whichever object comes first.
static void check_auto(const side *a, const side *b)
{
    grz_inside_rule of_a, of_b;
    FUZZ_REQUIRE(grz_mesh_inside_rule(a->object.mesh, &of_a, NULL) == GRZ_OK);
    FUZZ_REQUIRE(grz_mesh_inside_rule(b->object.mesh, &of_b, NULL) == GRZ_OK);
    const grz_solids there = solids_by(a, b, GRZ_INSIDE_AUTO), back = solids_by(b, a, GRZ_INSIDE_AUTO);
    FUZZ_REQUIRE(back == (there == GRZ_SOLIDS_A_INSIDE_B   ? GRZ_SOLIDS_B_INSIDE_A
                          : there == GRZ_SOLIDS_B_INSIDE_A ? GRZ_SOLIDS_A_INSIDE_B
                                                           : there));
    if (of_a == of_b)
        FUZZ_REQUIRE(there == solids_by(a, b, of_a));
}

// The laws of solids: exchanging the objects, what the relation of the surfaces implies, and points.
static void check_solids(const side *a, const side *b, const test_answer *answer)
{
    test_answer there = fuzz_ask_once(&a->object, &b->object, GRZ_FIND_SOLIDS),
                back = fuzz_ask_once(&b->object, &a->object, GRZ_FIND_SOLIDS);
    const grz_solids solids = there.summary.solids;
    const grz_relation relation = answer->summary.relation;
    FUZZ_REQUIRE(back.summary.solids == (solids == GRZ_SOLIDS_A_INSIDE_B   ? GRZ_SOLIDS_B_INSIDE_A
                                         : solids == GRZ_SOLIDS_B_INSIDE_A ? GRZ_SOLIDS_A_INSIDE_B
                                                                           : solids));
    FUZZ_REQUIRE(solids != GRZ_SOLIDS_NOT_ASKED);
    FUZZ_REQUIRE((solids == GRZ_SOLIDS_UNDECIDABLE) == (there.summary.solids_reason != NULL));
    if (solids == GRZ_SOLIDS_TOUCHING || solids == GRZ_SOLIDS_SAME)
        FUZZ_REQUIRE(relation == GRZ_COLLIDING);
    if (relation == GRZ_APART)
        FUZZ_REQUIRE(solids == GRZ_SOLIDS_APART || solids == GRZ_SOLIDS_UNDECIDABLE);
    // The relation need not say the same: a component of faces without area, for one, is part of no solid.
    if (solids == GRZ_SOLIDS_A_INSIDE_B)
        FUZZ_REQUIRE(relation != GRZ_APART && relation != GRZ_B_INSIDE_A);
    if (solids == GRZ_SOLIDS_B_INSIDE_A)
        FUZZ_REQUIRE(relation != GRZ_APART && relation != GRZ_A_INSIDE_B);
    if (solids != GRZ_SOLIDS_UNDECIDABLE)
        check_cells(a, b, solids);
    check_auto(a, b);
    test_answer_finish(&there);
    test_answer_finish(&back);
}

static void check_pair(fuzz_input *in, const side *a, const side *b)
{
    test_answer answer;
    if (!fuzz_ask(&a->object, &b->object, &answer))
        return;
    check_swapped(a, b, &answer);
    check_with_oracle(a, b, &answer);
    check_containment(a, b, &answer);
    const grz_distance_answer apart = check_distance(a, b, &answer);
    check_clearance(a, b, &answer, &apart);
    check_solids(a, b, &answer);
    fuzz_ask_otherwise(in, &a->object, &b->object, &answer);
    test_answer_finish(&answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    side sides[2] = {{.world = NULL}, {.world = NULL}};
    const uint8_t kind = fuzz_byte(&in);
    for (int i = 0; i < 2; i++)
        sides[i].mesh = fuzz_mesh(&in, i == 0 ? NULL : &sides[0].mesh);
    for (int i = 0; i < 2; i++)
        fuzz_scale(&sides[i].mesh, kind);
    for (int i = 0; i < 2; i++) {
        const uint32_t flags = (kind & (64u << i)) != 0 ? GRZ_MESH_INDEX_ONLY | GRZ_MESH_FAST_BUILD : 0;
        sides[i].uploaded = test_mesh_upload_flags(fuzz_device(), &sides[i].mesh, flags);
        sides[i].object = grz_object_at_origin(sides[i].uploaded);
        sides[i].object.pose = fuzz_pose(&in);
        place(&sides[i]);
    }
    check_pair(&in, &sides[0], &sides[1]);
    if (in.size > 0) {
        double *moved = fuzz_moved(&in, &sides[0].mesh, &sides[1].mesh);
        FUZZ_REQUIRE(grz_mesh_set_positions(sides[0].uploaded, moved, NULL) == GRZ_OK);
        memcpy(sides[0].mesh.positions, moved, 3 * (size_t)sides[0].mesh.vertex_count * sizeof *moved);
        free(moved);
        place(&sides[0]);
        check_pair(&in, &sides[0], &sides[1]);
    }
    for (int i = 0; i < 2; i++) {
        grz_mesh_destroy(sides[i].uploaded);
        test_mesh_finish(&sides[i].mesh);
        free(sides[i].world);
    }
    return 0;
}
