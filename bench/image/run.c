// SPDX-License-Identifier: MIT
// Shared by the parts (run.h).
#include <graze/gl.h>

#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/control.h"
#include "base/device.h"
#include "geometry/pose.h"
#include "graze_mesh.h"
#include "image/grid/voxel_grid.h"

enum {
    RATES = 11
};

void check(grz_status status, const grz_error *error)
{
    if (status != GRZ_OK)
        peer_die(error->message);
}

grz_mesh *upload(run *r, const peer_mesh *mesh)
{
    const grz_mesh_description description = graze_mesh_description(mesh);
    grz_mesh *out;
    grz_error error;
    check(grz_mesh_create(r->device, &description, &out, &error), &error);
    return out;
}

placements placements_open(run *r, const peer_mesh models[2], uint32_t count, double share, uint64_t seed)
{
    placements p = {.models = {models[0], models[1]}};
    p.truth = truth_open(&p.models[0], &p.models[1]);
    const pose_meshes meshes = {&p.models[0], &p.models[1], p.truth};
    p.poses = poses_random(&meshes, count, share, seed);
    p.a = upload(r, &p.models[0]);
    p.b = upload(r, &p.models[1]);
    return p;
}

void placements_close(placements *p)
{
    grz_mesh_destroy(p->a);
    grz_mesh_destroy(p->b);
    poses_free(&p->poses);
    truth_close(p->truth);
    shape_free(&p->models[0]);
    shape_free(&p->models[1]);
}

double (*copy_positions(const peer_mesh *mesh))[3]
{
    const size_t bytes = mesh->vertex_count * sizeof *mesh->positions;
    double(*copy)[3] = malloc(bytes);
    if (copy == NULL)
        peer_die("out of memory");
    memcpy(copy, mesh->positions, bytes);
    return copy;
}

grz_object place(const grz_mesh *mesh, const peer_pose *pose)
{
    grz_object object = grz_object_at_origin(mesh);
    memcpy(object.pose.m, pose->m, sizeof object.pose.m);
    return object;
}

peer_pose pose_still(void)
{
    return (peer_pose){{{1.0, 0.0, 0.0, 0.0}, {0.0, 1.0, 0.0, 0.0}, {0.0, 0.0, 1.0, 0.0}}};
}

bool ask(run *r, const grz_slices_options *options, const grz_object *a, const grz_object *b)
{
    grz_collide_options collide_options = grz_default_collide_options();
    grz_error error;
    collide_options.answer = GRZ_ANSWER_DISCRETE;
    collide_options.method_options = &(grz_method_options){.method = "slices", .options = options};
    check(grz_collide(r->device, a, b, &collide_options, r->result, &error), &error);
    return grz_result_summary(r->result)->colliding;
}

bool ask_exact(run *r, const char *method, uint32_t find, const grz_object *a, const grz_object *b)
{
    grz_collide_options collide_options = grz_default_collide_options();
    grz_error error;
    collide_options.method = method;
    collide_options.find = find;
    check(grz_collide(r->device, a, b, &collide_options, r->result, &error), &error);
    return grz_result_summary(r->result)->colliding;
}

bool ask_gate(run *r, uint32_t resolution, const grz_object *a, const grz_object *b)
{
    const grz_object objects[2] = {*a, *b};
    const grz_box box_a = grz_world_box(&a->pose, &a->mesh->bounds), box_b = grz_world_box(&b->pose, &b->mesh->bounds);
    const grz_job job = {.a = 0, .b = 1, .clip = grz_box_intersection(&box_a, &box_b)};
    const grz_job_set set = {
        .objects = objects, .object_count = 2, .jobs = &job, .job_count = 1, .flags = GRZ_JOBS_FIRST_CONTACT};
    const uint32_t number = 0;
    const grz_grid_request request = {.method = "slices",
                                      .set = &set,
                                      .form = GRZ_GRID_PER_PAIR,
                                      .jobs = &number,
                                      .count = 1,
                                      .resolution = resolution,
                                      .join = GRZ_JOIN_TEST_ONLY};
    grz_grid_round round = {.answers = NULL};
    grz_control control;
    grz_error error;
    if (grz_box_is_empty(&job.clip))
        return false;
    grz_control_init(&control, grz_device_allocator(r->device), NULL);
    check(grz_grid_run(r->device, &request, &control, &round, &error), &error);
    const bool shared = round.answers[0].flags != 0 || round.answers[0].marked[1] > 0;
    grz_grid_round_finish(&round, &control);
    return shared;
}

grz_slices_options settings_of(uint32_t resolution, uint32_t refinements, uint32_t last_slices)
{
    grz_slices_options options = grz_default_slices_options(GRZ_SLICES_FAST);
    options.resolution = resolution;
    options.refinements = refinements;
    options.last_slices = last_slices;
    return options;
}

void read_models(peer_mesh models[2])
{
    models[0] = shape_read(PEERS_DATA "/cow_spot.ply");
    models[1] = shape_read(PEERS_DATA "/spaceship_shuttle_a.obj");
    shape_scale(&models[1], shape_diagonal(&models[0]) / shape_diagonal(&models[1]));
}

void make_models(uint32_t triangles, peer_mesh models[2])
{
    const uint32_t n = (uint32_t)fmax(2.0, sqrt(triangles / 24.0)),
                   around = (uint32_t)fmax(6.0, sqrt(triangles / 16.0));
    models[0] = shape_blob(n, 0.1, 1);
    models[1] = shape_tube(shape_circle, 4 * around, around, 0.4, 0.1, 2);
}

const peer *find_library(const peer_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0)
            return &list->items[i];
    return NULL;
}

size_t make_ways(run *r, const peer_mesh meshes[2], bool deforming, bool exact, way ways[MOST_WAYS])
{
    size_t count = 0;
    const peer_list graze = peer_graze();
    if (exact) {
        ways[count++] = (way){.name = "slices exact", .exact = true};
        ways[count++] = (way){.name = "slices conservative", .gate = true};
    } else {
        ways[count++] = (way){.name = "slices 32", .slices = settings_of(32, 0, 0)};
        ways[count++] = (way){.name = "slices 64", .slices = settings_of(64, 0, 0)};
    }
    ways[count++] = (way){.name = "Graze bvh", .library = find_library(&graze, "Graze")};
#ifdef PEERS_FCL
    const peer_list fcl = peer_fcl();
    ways[count++] = (way){.name = "FCL OBB", .library = find_library(&fcl, "FCL OBB")};
#endif
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++) {
            if (ways[i].library == NULL) {
                ways[i].meshes[k] = upload(r, &meshes[k]);
                continue;
            }
            if (ways[i].library->start != NULL && k == 0)
                ways[i].library->start(1);
            ways[i].models[k] = ways[i].library->create(&meshes[k], deforming);
        }
    return count;
}

void drop_ways(way *ways, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++) {
            if (ways[i].library == NULL)
                grz_mesh_destroy(ways[i].meshes[k]);
            else
                ways[i].library->destroy(ways[i].models[k]);
        }
}

double time_query(run *r, const way *w, const posed_query *query)
{
    if (w->library == NULL) {
        const grz_object a = place(w->meshes[0], &query->a), b = place(w->meshes[1], &query->b);
        const stopwatch start = measure_start();
        if (w->exact)
            ask_exact(r, "slices", 0, &a, &b);
        else if (w->gate)
            ask_gate(r, 64, &a, &b);
        else
            ask(r, &w->slices, &a, &b);
        return measure_stop(start);
    }
    const stopwatch start = measure_start();
    w->library->touches(w->models[0], &query->a, w->models[1], &query->b);
    return measure_stop(start);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

double report(run *r, const char *part, double x, const char *name, double *rounds, int count)
{
    qsort(rounds, (size_t)count, sizeof *rounds, by_value);
    const double middle = 1e6 * 0.5 * (rounds[(count - 1) / 2] + rounds[count / 2]), low = 1e6 * rounds[0],
                 high = 1e6 * rounds[count - 1];
    printf("  %10.1f (%.0f-%.0f)", middle, low, high);
    if (r->csv != NULL)
        fprintf(r->csv, "%s,\"%s\",%g,%.3f,%.3f,%.3f,,,\n", part, name, x, middle, low, high);
    return middle;
}

void time_rates(run *r, const char *part, const peer_mesh models[2], bool exact)
{
    way ways[MOST_WAYS];
    truth_pair *truth = truth_open(&models[0], &models[1]);
    const pose_meshes meshes = {&models[0], &models[1], truth};
    const uint32_t pool = r->quick ? 20 : 100;
    const int rounds = r->quick ? 3 : ROUNDS;
    pose_set hits = poses_random(&meshes, pool, 1.0, 41), free = poses_random(&meshes, pool, 0.0, 42);
    const size_t count = make_ways(r, models, false, exact, ways);
    static double times[MOST_WAYS][RATES][ROUNDS];
    for (size_t w = 0; w < count; w++) // first touch, shaders
        for (uint32_t q = 0; q < pool; q++) {
            time_query(r, &ways[w], &hits.items[q]);
            time_query(r, &ways[w], &free.items[q]);
        }
    for (int round = 0; round < rounds; round++)
        for (int rate = 0; rate < RATES; rate++)
            for (size_t w = 0; w < count; w++) {
                double sum = 0.0;
                for (uint32_t q = 0; q < pool; q++) {
                    const bool hit = (q * 7 + 3) % 10 < (uint32_t)rate; // hits spread among the others
                    sum += time_query(r, &ways[w], hit ? &hits.items[q] : &free.items[q]);
                }
                times[w][rate][round] = sum / pool;
            }
    printf("microseconds a query (median of %d rounds, least and most) against the rate of collisions\n  rate", rounds);
    for (size_t w = 0; w < count; w++)
        printf("  %24s", ways[w].name);
    printf("\n");
    for (int rate = 0; rate < RATES; rate++) {
        printf("  %3d%%", 10 * rate);
        for (size_t w = 0; w < count; w++)
            report(r, part, 10.0 * rate, ways[w].name, times[w][rate], rounds);
        printf("\n");
    }
    drop_ways(ways, count);
    poses_free(&hits);
    poses_free(&free);
    truth_close(truth);
}
