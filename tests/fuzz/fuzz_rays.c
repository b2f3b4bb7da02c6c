// SPDX-License-Identifier: MIT
// Fuzzes rays: a mesh, its pose, and rays between, through and along its vertices, before and after moving them. The
// first hit, whether there is any, and the list of all must be the same with the tree and with all triangles, and agree
// with each other. A segment's first hit must be the first contact of a point that grz_move() moves along it. Bad rays
// must be refused.
#include <math.h>

#include <graze/graze.h>

#include "mesh/mesh.h"
#include "support_fuzz_queries.h"
#include "support_fuzz_shapes.h"

enum {
    MOST_RAYS = 8,
    MOST_HITS = 512
};

typedef struct question {
    test_mesh mesh;
    grz_object object;
    double ends[MOST_RAYS][2][3]; // of segments
    grz_ray rays[MOST_RAYS];
    bool is_segment[MOST_RAYS];
    uint32_t count;
    grz_pick_options options;
} question;

static bool same_hit(const grz_ray_hit *x, const grz_ray_hit *y)
{
    return x->t == y->t && x->lower == y->lower && x->upper == y->upper && x->distance == y->distance &&
           memcmp(x->point, y->point, sizeof x->point) == 0 && memcmp(x->normal, y->normal, sizeof x->normal) == 0 &&
           x->object == y->object && x->face == y->face && x->feature.vertex[0] == y->feature.vertex[0] &&
           x->feature.vertex[1] == y->feature.vertex[1] && x->side == y->side;
}

// A point that moves along a segment, by another way through the library.
static void check_as_move(const question *q, uint32_t i, const grz_ray_hit *hit)
{
    test_mesh dot = {.positions = NULL};
    const double corners[3][3] = {{0.0}}, *p = q->ends[i][0];
    grz_move_options options = grz_default_move_options();
    grz_move_answer answer;
    test_mesh_add_loose_triangle(&dot, corners);
    grz_mesh *mesh = test_mesh_upload(fuzz_device(), &dot);
    const grz_object object = grz_object_at(mesh, grz_pose_from_translation(p[0], p[1], p[2]));
    options.inside = false;
    FUZZ_REQUIRE(grz_move(fuzz_device(), &object, q->ends[i][1], &q->object, NULL, &options, &answer, NULL) == GRZ_OK);
    FUZZ_REQUIRE(answer.has_contact == (hit->face != GRZ_NO_FACE));
    if (answer.has_contact)
        FUZZ_REQUIRE(answer.first_contact == hit->t && answer.lower == hit->lower && answer.upper == hit->upper &&
                     answer.face_b == hit->face);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&dot);
}

static uint64_t ask_all(const question *q, const grz_ray *ray, const char *method, grz_ray_hit *hits)
{
    uint64_t found;
    grz_pick_options options = q->options;
    options.method = method;
    FUZZ_REQUIRE(grz_pick_all(fuzz_device(), grz_targets_of_objects(&q->object, 1), ray, &options, hits, MOST_HITS,
                              &found, NULL) == GRZ_OK);
    return found;
}

static void check_ray(const question *q, uint32_t i, const grz_ray_hit *first)
{
    static grz_ray_hit hits[2][MOST_HITS];
    const grz_ray *ray = &q->rays[i];
    const uint64_t found = ask_all(q, ray, "naive", hits[0]);
    FUZZ_REQUIRE(ask_all(q, ray, "bvh", hits[1]) == found);
    FUZZ_REQUIRE((found > 0) == (first->face != GRZ_NO_FACE));
    for (uint64_t k = 0; k < found && k < MOST_HITS; k++) {
        const grz_ray_hit *hit = &hits[0][k];
        FUZZ_REQUIRE(same_hit(hit, &hits[1][k]));
        FUZZ_REQUIRE(hit->lower <= hit->t && hit->t <= hit->upper && hit->upper >= ray->from && hit->lower <= ray->to);
        FUZZ_REQUIRE(k == 0 || hits[0][k - 1].t <= hit->t);
    }
    FUZZ_REQUIRE(found == 0 || same_hit(first, &hits[0][0]));
    if (q->is_segment[i] && !q->options.skip_front && !q->options.skip_back)
        check_as_move(q, i, first);
}

static bool is_good(const grz_ray *ray)
{
    bool moves = false;
    for (int k = 0; k < 3; k++) {
        if (!(fabs(ray->origin[k]) <= GRZ_MAX_COORDINATE) || !(fabs(ray->direction[k]) <= GRZ_MAX_COORDINATE) ||
            !(fabs(ray->tail[k]) <= GRZ_MAX_COORDINATE))
            return false;
        moves = moves || ray->direction[k] + ray->tail[k] != 0.0;
    }
    return moves && ray->from <= ray->to && ray->from < HUGE_VAL && ray->to > -HUGE_VAL;
}

static void check(const question *q)
{
    grz_ray_hit hits[MOST_RAYS], others[MOST_RAYS];
    bool any[MOST_RAYS], good = true;
    grz_error error = {.code = GRZ_OK};
    grz_pick_options naive = q->options;
    naive.method = "naive";
    memset(hits, 0xa5, sizeof hits);
    for (uint32_t i = 0; i < q->count; i++)
        good = good && is_good(&q->rays[i]);
    const grz_status status =
        grz_pick(fuzz_device(), grz_targets_of_objects(&q->object, 1), q->rays, q->count, &q->options, hits, &error);
    FUZZ_REQUIRE(status == error.code && (status == GRZ_OK) == (error.message[0] == '\0'));
    FUZZ_REQUIRE(status == GRZ_OK || status == GRZ_ERROR_POSE || (status == GRZ_ERROR_ARGUMENT && !good));
    FUZZ_REQUIRE(good || status == GRZ_ERROR_ARGUMENT);
    if (status != GRZ_OK) {
        for (uint32_t i = 0; i < q->count; i++)
            FUZZ_REQUIRE(hits[i].face == GRZ_NO_FACE && hits[i].object == GRZ_NO_OBJECT);
        return;
    }
    FUZZ_REQUIRE(grz_pick(fuzz_device(), grz_targets_of_objects(&q->object, 1), q->rays, q->count, &naive, others,
                          NULL) == GRZ_OK);
    FUZZ_REQUIRE(grz_pick_any(fuzz_device(), grz_targets_of_objects(&q->object, 1), q->rays, q->count, &q->options, any,
                              NULL) == GRZ_OK);
    for (uint32_t i = 0; i < q->count; i++) {
        FUZZ_REQUIRE(same_hit(&hits[i], &others[i]) && any[i] == (hits[i].face != GRZ_NO_FACE));
        check_ray(q, i, &hits[i]);
    }
}

// A ray between two points near the mesh, in the world; some go on beyond them, some have other numbers in them.
static void some_rays(fuzz_input *in, question *q)
{
    static const double limits[] = {0.0, 0.0, -HUGE_VAL, -1.0, 1.0, HUGE_VAL};
    test_mesh world = fuzz_in_world(&q->mesh, &q->object.pose);
    q->count = 1 + fuzz_below(in, MOST_RAYS);
    for (uint32_t i = 0; i < q->count; i++) {
        const uint8_t kind = fuzz_byte(in);
        grz_ray *ray = &q->rays[i];
        for (int end = 0; end < 2; end++)
            fuzz_point(in, &world, NULL, q->ends[i][end]);
        *ray = grz_ray_between(q->ends[i][0], q->ends[i][1]);
        q->is_segment[i] = (kind & 3) == 0;
        if (!q->is_segment[i]) {
            ray->from = limits[fuzz_below(in, 6)];
            ray->to = limits[fuzz_below(in, 6)];
        }
        if (i > 0 && kind >= 0xe0 && kind < 0xf8) { // nearly as the one before: eight of them walk together
            *ray = q->rays[i - 1];
            ray->origin[kind % 3] = nextafter(ray->origin[kind % 3], fuzz_below(in, 2) == 0 ? -HUGE_VAL : HUGE_VAL);
            q->is_segment[i] = false;
        }
        if (kind >= 0xf8)
            ray->direction[kind % 3] = fuzz_raw_double(in);
        q->is_segment[i] = q->is_segment[i] && kind < 0xf8;
    }
    free(world.positions);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    question q = {.count = 0};
    const uint8_t kind = fuzz_byte(&in);
    q.options = grz_default_pick_options();
    q.mesh = fuzz_mesh(&in, NULL);
    fuzz_scale(&q.mesh, kind & 0x3f);
    q.options.skip_front = (kind & 0xc0) == 0xc0;
    q.options.skip_back = (kind & 0xe0) == 0xa0;
    grz_mesh *uploaded = test_mesh_upload_flags(fuzz_device(), &q.mesh, 0);
    q.object = grz_object_at_origin(uploaded);
    q.object.pose = fuzz_pose(&in);
    some_rays(&in, &q);
    check(&q);
    if (in.size > 0) {
        double *moved = fuzz_moved(&in, &q.mesh, NULL);
        FUZZ_REQUIRE(grz_mesh_set_positions(uploaded, moved, NULL) == GRZ_OK);
        memcpy(q.mesh.positions, moved, 3 * (size_t)q.mesh.vertex_count * sizeof *moved);
        free(moved);
        some_rays(&in, &q);
        check(&q);
    }
    grz_mesh_destroy(uploaded);
    test_mesh_finish(&q.mesh);
    return 0;
}
