// SPDX-License-Identifier: MIT
// The exact answers, and the comparison of lists with them. Runs on one thread, so that the harness may fork.
#include "truth.h"

#include <stdlib.h>
#include <string.h>

#include "graze_mesh.h"
#include "shapes.h"

struct truth_pair {
    grz_mesh *a, *b; // b may be NULL
};

static grz_device *device;
static grz_result *result;
static grz_error error;

static void check(grz_status status)
{
    if (status != GRZ_OK)
        peer_die(error.message);
}

static void open_device(void)
{
    grz_device_options options = grz_default_device_options();
    options.threads = 1;
    if (device)
        return;
    check(grz_device_open(&options, &device, &error));
    check(grz_result_create(device, &result, &error));
}

static grz_mesh *mesh_of(const peer_mesh *mesh)
{
    const grz_mesh_description description = graze_mesh_description(mesh);
    grz_mesh *created = NULL;
    check(grz_mesh_create(device, &description, &created, &error));
    return created;
}

truth_pair *truth_open(const peer_mesh *a, const peer_mesh *b)
{
    truth_pair *truth = malloc(sizeof *truth);
    if (!truth)
        peer_die("out of memory");
    open_device();
    truth->a = mesh_of(a);
    truth->b = b ? mesh_of(b) : NULL;
    return truth;
}

void truth_close(truth_pair *truth)
{
    if (!truth)
        return;
    grz_mesh_destroy(truth->a);
    grz_mesh_destroy(truth->b);
    free(truth);
}

static bool ask(truth_pair *truth, const peer_pose *pose_a, const peer_pose *pose_b, uint32_t find, const char *method)
{
    grz_object a = grz_object_at_origin(truth->a), b = grz_object_at_origin(truth->b);
    grz_collide_options options = grz_default_collide_options();
    options.find = find;
    options.method = method;
    memcpy(a.pose.m, pose_a->m, sizeof a.pose.m);
    memcpy(b.pose.m, pose_b->m, sizeof b.pose.m);
    check(grz_collide(device, &a, &b, &options, result, &error));
    return grz_result_summary(result)->colliding;
}

bool truth_touches(truth_pair *truth, const peer_pose *pose_a, const peer_pose *pose_b)
{
    return ask(truth, pose_a, pose_b, 0, "bvh");
}

double truth_distance(truth_pair *truth, const peer_pose *pose_a, const peer_pose *pose_b, const char *method)
{
    grz_object a = grz_object_at_origin(truth->a), b = grz_object_at_origin(truth->b);
    grz_distance_options options = grz_default_distance_options();
    grz_distance_answer answer;
    options.method = method;
    memcpy(a.pose.m, pose_a->m, sizeof a.pose.m);
    memcpy(b.pose.m, pose_b->m, sizeof b.pose.m);
    check(grz_distance(device, &a, &b, &options, &answer, &error));
    return answer.distance;
}

static void take_pairs(peer_pairs *out)
{
    uint64_t count;
    const grz_pair *pairs = grz_result_pairs(result, &count);
    for (uint64_t i = 0; i < count; i++)
        peer_pairs_add(out, pairs[i].face_a, pairs[i].face_b);
}

void truth_pairs(truth_pair *truth, const peer_pose *pose_a, const peer_pose *pose_b, const char *method,
                 peer_pairs *out)
{
    ask(truth, pose_a, pose_b, GRZ_FIND_PAIRS, method);
    take_pairs(out);
}

void truth_point_distances(const peer_mesh *mesh, const double (*points)[3], uint32_t count, double *distances)
{
    truth_pair *truth = truth_open(mesh, NULL);
    const grz_object object = grz_object_at_origin(truth->a);
    grz_point_distance *answers = malloc(count * sizeof *answers);
    if (!answers)
        peer_die("out of memory");
    check(grz_distance_points(device, &object, points[0], count, NULL, answers, &error));
    for (uint32_t i = 0; i < count; i++)
        distances[i] = answers[i].distance;
    free(answers);
    truth_close(truth);
}

double distance_tolerance(const peer_mesh *mesh)
{
    return 1e-6 * shape_diagonal(mesh);
}

void truth_self(const peer_mesh *mesh, peer_pairs *out)
{
    truth_pair *truth = truth_open(mesh, NULL);
    const grz_object object = grz_object_at_origin(truth->a);
    grz_collide_options options = grz_default_collide_options();
    options.find = GRZ_FIND_PAIRS;
    options.method = "bvh";
    check(grz_collide_self(device, &object, &options, result, &error));
    take_pairs(out);
    truth_close(truth);
}

static int compare(const void *x, const void *y)
{
    const peer_pair *p = x, *q = y;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

void pairs_sort(peer_pairs *pairs)
{
    size_t kept = 0;
    if (pairs->count > 0)
        qsort(pairs->items, pairs->count, sizeof *pairs->items, compare);
    for (size_t i = 0; i < pairs->count; i++)
        if (i == 0 || compare(&pairs->items[i], &pairs->items[kept - 1]) != 0)
            pairs->items[kept++] = pairs->items[i];
    pairs->count = kept;
}

void pairs_order(peer_pairs *pairs)
{
    for (size_t i = 0; i < pairs->count; i++)
        if (pairs->items[i].a > pairs->items[i].b)
            pairs->items[i] = (peer_pair){pairs->items[i].b, pairs->items[i].a};
    pairs_sort(pairs);
}

size_t pairs_lacking(const peer_pair *first, size_t first_count, const peer_pair *second, size_t second_count)
{
    size_t lacking = 0, j = 0;
    for (size_t i = 0; i < first_count; i++) {
        while (j < second_count && compare(&second[j], &first[i]) < 0)
            j++;
        lacking += j == second_count || compare(&second[j], &first[i]) != 0;
    }
    return lacking;
}

bool pairs_share_vertex(const peer_mesh *mesh, peer_pair pair)
{
    const uint32_t *s = mesh->triangles[pair.a], *t = mesh->triangles[pair.b];
    for (int i = 0; i < 3; i++)
        if (s[i] == t[0] || s[i] == t[1] || s[i] == t[2])
            return true;
    return false;
}

void pairs_drop_neighbours(const peer_mesh *mesh, peer_pairs *pairs)
{
    size_t kept = 0;
    for (size_t i = 0; i < pairs->count; i++)
        if (!pairs_share_vertex(mesh, pairs->items[i]))
            pairs->items[kept++] = pairs->items[i];
    pairs->count = kept;
}
