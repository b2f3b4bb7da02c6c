// SPDX-License-Identifier: MIT
// Graze through its public calls with default options, on one thread and on two; and with warm start. Memory is counted
// by an allocator of its own. Overlapping boxes are asked of the sweep and prune that scenes use.
#include "peer.h"

#include <graze/graze.h>

#include "base/clock.h"
#include "base/control.h"
#include "base/device.h"
#include "graze_mesh.h"
#include "space/bvh/bvh.h"
#include "space/sweep/sweep_and_prune.h"

#include <stdlib.h>

static grz_device *device;
static grz_result *result;
static grz_mesh *speck; // one tiny triangle
static size_t held;     // bytes; one thread allocates at a time here, two only in rows that do not print memory
static grz_error error;

static void *reallocate(void *block, size_t old_size, size_t new_size, void *user)
{
    void *moved = realloc(block, new_size);
    (void)user;
    if (moved)
        held += new_size - old_size;
    return moved;
}

static void release(void *block, size_t size, void *user)
{
    (void)user;
    held -= block ? size : 0;
    free(block);
}

static const grz_allocator counting = {reallocate, release, NULL};

static void check(grz_status status)
{
    if (status != GRZ_OK)
        peer_die(error.message);
}

static size_t memory(void)
{
    return held;
}

static void start(unsigned threads)
{
    static const double corner[3][3] = {{0, 0, 0}, {0x1p-30, 0, 0}, {0, 0x1p-30, 0}};
    grz_device_options options = grz_default_device_options();
    options.threads = threads;
    if (threads == 1)
        options.allocator = counting;
    check(grz_device_open(&options, &device, &error));
    check(grz_result_create(device, &result, &error));
    grz_mesh_description description = grz_default_mesh_description();
    description.positions = corner, description.position_type = GRZ_FLOAT64, description.vertex_count = 3;
    description.face_count = 1;
    check(grz_mesh_create(device, &description, &speck, &error));
}

static bool ask(const grz_mesh *a, const peer_pose *pose_a, const grz_mesh *b, const peer_pose *pose_b, uint32_t find,
                bool warm_start)
{
    grz_object object_a = grz_object_at_origin(a), object_b = grz_object_at_origin(b);
    grz_collide_options options = grz_default_collide_options();
    options.find = find;
    options.warm_start = warm_start;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            object_a.pose.m[i][j] = pose_a->m[i][j], object_b.pose.m[i][j] = pose_b->m[i][j];
    check(grz_collide(device, &object_a, &object_b, &options, result, &error));
    return grz_result_summary(result)->colliding;
}

static grz_mesh *mesh_of(const peer_mesh *mesh)
{
    const grz_mesh_description description = graze_mesh_description(mesh);
    grz_mesh *created = NULL;
    check(grz_mesh_create(device, &description, &created, &error));
    return created;
}

// Trees are built by the first query that wants them. grz_mesh_prepare() would also examine edges and components, for
// containment, which is not asked here; a query against a speck in the middle builds the tree and no more.
static void build_tree(const grz_mesh *mesh, const double inside[3])
{
    const peer_pose identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    const peer_pose pose = {{{1, 0, 0, inside[0]}, {0, 1, 0, inside[1]}, {0, 0, 1, inside[2]}}};
    ask(mesh, &identity, speck, &pose, 0, false);
}

static void *create(const peer_mesh *mesh, bool deforming)
{
    (void)deforming;
    grz_mesh *created = mesh_of(mesh);
    build_tree(created, mesh->positions[mesh->triangles[0][0]]);
    return created;
}

static void destroy(void *model)
{
    grz_mesh_destroy(model);
}

static bool touches(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b)
{
    return ask(a, pose_a, b, pose_b, 0, false);
}

static bool touches_warm(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b)
{
    return ask(a, pose_a, b, pose_b, 0, true);
}

static void take_pairs(peer_pairs *out)
{
    uint64_t count;
    const grz_pair *pairs = grz_result_pairs(result, &count);
    for (uint64_t i = 0; i < count; i++)
        peer_pairs_add(out, pairs[i].face_a, pairs[i].face_b);
}

static void pairs_of(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b, peer_pairs *out)
{
    ask(a, pose_a, b, pose_b, GRZ_FIND_PAIRS, false);
    take_pairs(out);
}

static grz_object object_at(void *mesh, const peer_pose *pose)
{
    grz_object object = grz_object_at_origin(mesh);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            object.pose.m[i][j] = pose->m[i][j];
    return object;
}

static bool nearer(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b, double clearance)
{
    const grz_object object_a = object_at(a, pose_a), object_b = object_at(b, pose_b);
    grz_collide_options options = grz_default_collide_options();
    options.find = 0;
    options.clearance = clearance;
    check(grz_collide(device, &object_a, &object_b, &options, result, &error));
    return grz_result_summary(result)->clearance == GRZ_CLEARANCE_NOT_MET;
}

static double distance(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b)
{
    const grz_object object_a = object_at(a, pose_a), object_b = object_at(b, pose_b);
    grz_distance_answer answer;
    check(grz_distance(device, &object_a, &object_b, NULL, &answer, &error));
    return answer.distance;
}

static void distances(void *a, const peer_pose *pose_a, void *b, const peer_pose *poses_b, uint32_t count, double *out)
{
    static grz_pose *poses;
    static grz_distance_answer *answers;
    static uint32_t room;
    const grz_object object_a = object_at(a, pose_a);
    if (count > room) {
        poses = realloc(poses, count * sizeof *poses);
        answers = realloc(answers, count * sizeof *answers);
        room = count;
    }
    if (!poses || !answers)
        peer_die("out of memory for poses");
    for (uint32_t k = 0; k < count; k++)
        poses[k] = object_at(b, &poses_b[k]).pose;
    check(grz_distance_poses(device, &object_a, b, poses, count, NULL, answers, &error));
    for (uint32_t k = 0; k < count; k++)
        out[k] = answers[k].distance;
}

static void point_distances(void *model, const double (*points)[3], uint32_t count, double *out)
{
    static grz_point_distance *answers;
    static uint32_t room;
    const grz_object object = grz_object_at_origin(model);
    grz_distance_points_options options = grz_default_distance_points_options();
    options.locate = false;
    if (count > room) {
        answers = realloc(answers, count * sizeof *answers);
        room = count;
    }
    if (!answers)
        peer_die("out of memory for points");
    check(grz_distance_points(device, &object, points[0], count, &options, answers, &error));
    for (uint32_t k = 0; k < count; k++)
        out[k] = answers[k].distance;
}

static void update(void *model, const double (*positions)[3])
{
    check(grz_mesh_set_positions(model, positions, &error));
}

static void refit(void *model)
{
    const grz_bvh *bvh;
    grz_control control;
    grz_control_init(&control, grz_device_allocator(device), NULL);
    check(grz_mesh_bvh(model, &control, &bvh, &error));
}

static void self(const peer_mesh *mesh, peer_pairs *out)
{
    grz_mesh *created = mesh_of(mesh);
    const grz_object object = grz_object_at_origin(created);
    grz_collide_options options = grz_default_collide_options();
    options.find = GRZ_FIND_PAIRS;
    check(grz_collide_self(device, &object, &options, result, &error));
    take_pairs(out);
    grz_mesh_destroy(created);
}

static void set_boxes(grz_sweep *sweep, const peer_box *boxes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        grz_box box;
        for (int axis = 0; axis < 3; axis++)
            box.min[axis] = boxes[i].min[axis], box.max[axis] = boxes[i].max[axis];
        if (!grz_sweep_set(sweep, i, &box))
            peer_die("out of memory for boxes");
    }
}

static void *boxes_create(const peer_box *boxes, uint32_t count)
{
    grz_sweep *sweep = grz_sweep_create(&counting);
    if (!sweep)
        peer_die("out of memory for boxes");
    set_boxes(sweep, boxes, count);
    return sweep;
}

static void boxes_pairs(void *state, const peer_box *boxes, uint32_t count, peer_pairs *out)
{
    const grz_sweep_pair *found;
    size_t found_count;
    set_boxes(state, boxes, count);
    if (!grz_sweep_update(state, &found, &found_count))
        peer_die("out of memory for pairs of boxes");
    for (size_t i = 0; i < found_count; i++)
        peer_pairs_add(out, found[i].a, found[i].b);
}

peer_list peer_graze(void)
{
    static peer ways[3] = {{.library = "graze",
                            .name = "Graze",
                            .threads = 1,
                            .start = start,
                            .create = create,
                            .destroy = destroy,
                            .memory = memory,
                            .touches = touches,
                            .pairs = pairs_of,
                            .distance = distance,
                            .distances = distances,
                            .point_distances = point_distances,
                            .nearer = nearer,
                            .update = update,
                            .refit = refit,
                            .self = self,
                            .boxes_create = boxes_create,
                            .boxes_pairs = boxes_pairs}};
    ways[0].version = grz_version();
    ways[0].flags = PEER_NEIGHBOURS | PEER_USUAL;
    ways[1] = ways[0];
    ways[1].name = "Graze 2 threads";
    ways[1].threads = 2;
    ways[1].flags = PEER_NEIGHBOURS;
    ways[1].memory = NULL;
    ways[1].boxes_create = NULL; // it uses one thread
    ways[1].distance = NULL;     // likewise, but those of many poses and points use both
    ways[2] = (peer){.library = "graze",
                     .name = "Graze warm start",
                     .version = ways[0].version,
                     .flags = PEER_WARM,
                     .threads = 1,
                     .start = start,
                     .create = create,
                     .destroy = destroy,
                     .touches = touches_warm};
    return (peer_list){ways, 3};
}
