// SPDX-License-Identifier: MIT
// The exact answer of an image method: the time of a query; the time for triangles outside of the other object's box;
// time against the rate of collisions; meshes that deform or are new at every step, against refitting and rebuilding
// hierarchies; one mesh at 1,000 poses.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/control.h"
#include "gl/gl.h"
#include "gpu/mesh_buffers.h"
#include "image/grid/shaders/grid_bindings.h"
#include "run.h"

static const double PROBE_MS =
    0.89; // a conservative yes or no, prototype, two models of 5,800 triangles (docs/internals/slices.md)

// ---- One query ------------------------------------------------------------------------------------------------------

posed_query half_way(const peer_mesh models[2])
{
    const peer_box a = shape_bounds(&models[0]), b = shape_bounds(&models[1]);
    posed_query query = {.a = pose_still(), .b = pose_still()};
    query.b.m[0][3] = a.max[0] - 0.5 * (a.max[0] - a.min[0]) - b.min[0];
    for (int i = 1; i < 3; i++)
        query.b.m[i][3] = 0.5 * (a.min[i] + a.max[i]) - 0.5 * (b.min[i] + b.max[i]);
    return query;
}

typedef enum question {
    GATE,
    YES_NO,
    ALL_PAIRS,
    BVH_YES_NO,
    QUESTION_COUNT
} question;

static double time_question(run *r, question what, uint32_t resolution, const grz_object *a, const grz_object *b)
{
    const stopwatch start = measure_start();
    switch (what) {
    case GATE:
        ask_gate(r, resolution, a, b);
        break;
    case YES_NO:
        ask_exact(r, r->method, 0, a, b);
        break;
    case ALL_PAIRS:
        ask_exact(r, r->method, GRZ_FIND_PAIRS, a, b);
        break;
    default:
        ask_exact(r, "bvh", 0, a, b);
    }
    return measure_stop(start);
}

void single(run *r)
{
    static const char *const names[QUESTION_COUNT] = {"conservative yes or no", "exact yes or no", "exact, all pairs",
                                                      "bvh yes or no"};
    const int repeats = r->quick ? 20 : 200, rounds = r->quick ? 3 : ROUNDS;
    peer_mesh models[2];
    make_models(12000, models);
    const posed_query query = half_way(models);
    grz_mesh *a = upload(r, &models[0]), *b = upload(r, &models[1]);
    const grz_object object_a = place(a, &query.a), object_b = place(b, &query.b);
    printf("\nOne query of two models of %u and %u triangles, region half the models, 64 x 64 pixels, 32 slices: "
           "microseconds\n"
           "(median of %d rounds, least and most; the prototype's conservative yes or no: %.0f)\n",
           models[0].triangle_count, models[1].triangle_count, rounds, 1e3 * PROBE_MS);
    for (int i = 0; i < QUESTION_COUNT; i++) {
        double times[ROUNDS];
        for (int round = -1; round < rounds; round++) {
            double sum = 0.0;
            for (int k = 0; k < repeats; k++)
                sum += time_question(r, (question)i, 64, &object_a, &object_b);
            if (round >= 0)
                times[round] = sum / repeats;
        }
        printf("  %-24s", names[i]);
        const double middle = report(r, "single", 64.0, names[i], times, rounds);
        printf(i < 2 ? "   %.2f x the prototype\n" : "\n", middle / (1e3 * PROBE_MS));
    }
    grz_mesh_destroy(a);
    grz_mesh_destroy(b);
    shape_free(&models[0]);
    shape_free(&models[1]);
}

void rates(run *r)
{
    peer_mesh models[2];
    read_models(models);
    printf("\nThe exact yes or no: ");
    time_rates(r, "rates", models, true);
    shape_free(&models[0]);
    shape_free(&models[1]);
}

// ---- Triangles outside of the box -----------------------------------------------------------------------------------

// Read all corners of a mesh and do almost nothing with them.
static const char reading_shader[] = "layout(local_size_x = 64) in;\n"
                                     "layout(std430, binding = 0) readonly buffer p { float positions[]; };\n"
                                     "layout(std430, binding = 1) readonly buffer i { uint indices[]; };\n"
                                     "layout(std430, binding = 2) buffer o { uint found; };\n"
                                     "layout(location = 0) uniform uint count;\n"
                                     "void main() {\n"
                                     "  uint t = gl_GlobalInvocationID.x; float sum = 0.0;\n"
                                     "  if (t >= count) return;\n"
                                     "  for (uint k = 0u; k < 3u; k++) { uint v = 3u * indices[3u * t + k];\n"
                                     "    sum += positions[v] + positions[v + 1u] + positions[v + 2u]; }\n"
                                     "  if (sum > 1e30) found = 1u;\n"
                                     "}\n";

// Seconds to read a mesh's triangles once.
static double time_reading(run *r, const grz_mesh *mesh, int repeats)
{
    const char *const texts[] = {"#version 450\n", reading_shader};
    const GLuint nothing = 0;
    const grz_mesh_buffers *buffers;
    grz_control control;
    grz_error error;
    grz_gl *gl;
    GLuint out;
    double least = HUGE_VAL;
    grz_control_init(&control, grz_device_allocator(r->device), NULL);
    check(grz_gl_enter(r->device, "reading", &gl, &error), &error);
    check(grz_mesh_buffers_get(mesh, &control, &buffers, &error), &error);
    const GLuint program = glCreateShaderProgramv(GL_COMPUTE_SHADER, 2, texts);
    glCreateBuffers(1, &out);
    glNamedBufferData(out, sizeof nothing, &nothing, GL_DYNAMIC_DRAW);
    glUseProgram(program);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffers->positions);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, buffers->indices);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, out);
    glUniform1ui(0, mesh->triangle_count);
    for (int i = 0; i < repeats; i++) {
        GLuint found;
        const stopwatch start = measure_start();
        glDispatchCompute((mesh->triangle_count + 63) / 64, 1, 1);
        glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        glGetNamedBufferSubData(out, 0, sizeof found, &found);
        least = fmin(least, measure_stop(start));
    }
    glDeleteProgram(program);
    glDeleteBuffers(1, &out);
    check(grz_gl_leave(gl, GRZ_OK, &error), &error);
    return least;
}

// Object A, and `more` triangles of a sheet beside it that B's box does not reach.
static peer_mesh with_more(const peer_mesh *mesh, uint32_t side)
{
    const peer_box box = shape_bounds(mesh);
    const uint32_t across = side + 1, vertices = mesh->vertex_count + across * across;
    const double size = box.max[0] - box.min[0];
    peer_mesh out = {.positions = malloc(vertices * sizeof *out.positions),
                     .triangles = malloc((mesh->triangle_count + 2 * (size_t)side * side) * sizeof *out.triangles),
                     .vertex_count = vertices,
                     .triangle_count = mesh->triangle_count + 2 * side * side};
    if (out.positions == NULL || out.triangles == NULL)
        peer_die("out of memory");
    memcpy(out.positions, mesh->positions, mesh->vertex_count * sizeof *out.positions);
    memcpy(out.triangles, mesh->triangles, mesh->triangle_count * sizeof *out.triangles);
    for (uint32_t i = 0; i < across; i++)
        for (uint32_t j = 0; j < across; j++) {
            double *p = out.positions[mesh->vertex_count + i * across + j];
            p[0] = (double)(float)(box.min[0] - 0.1 * size);
            p[1] = (double)(float)(box.min[1] + (box.max[1] - box.min[1]) * i / side);
            p[2] = (double)(float)(box.min[2] + (box.max[2] - box.min[2]) * j / side);
        }
    uint32_t(*t)[3] = out.triangles + mesh->triangle_count;
    for (uint32_t i = 0; i < side; i++)
        for (uint32_t j = 0; j < side; j++, t += 2) {
            const uint32_t v = mesh->vertex_count + i * across + j;
            const uint32_t two[2][3] = {{v, v + 1, v + across}, {v + 1, v + across + 1, v + across}};
            memcpy(t, two, sizeof two);
        }
    return out;
}

void outside(run *r)
{
    static const uint32_t sides[] = {0, 100, 200, 400};
    const int size_count = r->quick ? 3 : 4, repeats = r->quick ? 5 : 40;
    peer_mesh models[2];
    make_models(12000, models);
    const posed_query query = half_way(models);
    grz_mesh *b = upload(r, &models[1]);
    const grz_object object_b = place(b, &query.b);
    double first_time = 0.0, first_reading = 0.0;
    uint32_t first_count = 0;
    printf("\nTriangles of one object that the other's box does not reach: microseconds an exact yes or no (least of "
           "%d), to read "
           "all its\ntriangles once, and nanoseconds for each further one\n  triangles       query     reading\n",
           repeats);
    for (int i = 0; i < size_count; i++) {
        peer_mesh more = sides[i] > 0 ? with_more(&models[0], sides[i]) : models[0];
        grz_mesh *a = upload(r, &more);
        const grz_object object_a = place(a, &query.a);
        double least = HUGE_VAL;
        for (int k = 0; k < repeats; k++)
            least = fmin(least, time_question(r, YES_NO, 64, &object_a, &object_b));
        const double reading = time_reading(r, a, repeats);
        printf("  %9u  %10.1f  %10.1f", more.triangle_count, 1e6 * least, 1e6 * reading);
        if (i == 0) {
            first_time = least;
            first_reading = reading;
            first_count = more.triangle_count;
            printf("\n");
        } else {
            const double each = 1e9 * (least - first_time) / (more.triangle_count - first_count);
            const double each_read = 1e9 * (reading - first_reading) / (more.triangle_count - first_count);
            printf("   %.1f, reading %.1f\n", each, each_read);
            if (r->csv != NULL)
                fprintf(r->csv, "outside,query,%u,%.3f,,,,,\noutside,reading,%u,%.3f,,,,,\n", more.triangle_count, each,
                        more.triangle_count, each_read);
        }
        grz_mesh_destroy(a);
        if (sides[i] > 0)
            shape_free(&more);
    }
    grz_mesh_destroy(b);
    shape_free(&models[0]);
    shape_free(&models[1]);
}

// ---- Meshes that change ---------------------------------------------------------------------------------------------

enum {
    FRAMES = 4 // at a place
};

// A way to query after every vertex of both meshes has moved, and the preparation that it needs.
typedef struct contender {
    const char *name;
    const peer *library; // NULL: the method that is measured
    bool build_again;    // models are built again at every step
    bool deforming;      // what models are made for
    void *models[2];
    grz_mesh *meshes[2];
} contender;

static size_t make_contenders(const run *r, contender out[MOST_WAYS])
{
    size_t count = 0;
    const peer_list graze = peer_graze();
    const peer *bvh = find_library(&graze, "Graze");
    static char names[2][40];
    snprintf(names[0], sizeof names[0], "%s exact", r->method);
    snprintf(names[1], sizeof names[1], "%s new meshes", r->method);
    out[count++] = (contender){.name = names[0]};
    out[count++] = (contender){.name = names[1], .build_again = true};
    out[count++] = (contender){.name = "bvh refit", .library = bvh, .deforming = true};
    out[count++] = (contender){.name = "bvh rebuilt", .library = bvh, .build_again = true};
#ifdef PEERS_FCL
    const peer_list fcl = peer_fcl();
    out[count++] = (contender){.name = "FCL OBB refit", .library = find_library(&fcl, "FCL OBB"), .deforming = true};
    out[count++] =
        (contender){.name = "FCL OBB rebuilt", .library = find_library(&fcl, "FCL OBB"), .build_again = true};
#endif
#ifdef PEERS_EMBREE
    const peer_list embree = peer_embree();
    out[count++] =
        (contender){.name = "Embree refit", .library = find_library(&embree, "Embree Morton"), .deforming = true};
    out[count++] = (contender){.name = "Embree rebuilt", .library = find_library(&embree, "Embree Morton")};
#endif
    return count;
}

static void make_models_of(run *r, contender *c, const peer_mesh meshes[2])
{
    for (int k = 0; k < 2; k++) {
        if (c->library == NULL)
            c->meshes[k] = upload(r, &meshes[k]);
        else
            c->models[k] = c->library->create(&meshes[k], c->deforming);
    }
}

static void drop_models_of(contender *c)
{
    for (int k = 0; k < 2; k++) {
        if (c->library == NULL)
            grz_mesh_destroy(c->meshes[k]);
        else
            c->library->destroy(c->models[k]);
    }
}

// Seconds from new positions to the answer.
static double time_change(run *r, contender *c, const peer_mesh meshes[2], bool touch)
{
    const peer_pose still = pose_still();
    grz_error error;
    bool said;
    const stopwatch start = measure_start();
    if (c->build_again) {
        drop_models_of(c);
        make_models_of(r, c, meshes);
    }
    for (int k = 0; k < 2 && !c->build_again; k++) {
        if (c->library == NULL)
            check(grz_mesh_set_positions(c->meshes[k], meshes[k].positions, &error), &error);
        else
            c->library->update(c->models[k], (const double(*)[3])meshes[k].positions);
    }
    if (c->library == NULL) {
        const grz_object a = place(c->meshes[0], &still), b = place(c->meshes[1], &still);
        said = ask_exact(r, r->method, 0, &a, &b);
    } else {
        said = c->library->touches(c->models[0], &still, c->models[1], &still);
    }
    const double seconds = measure_stop(start);
    if (c->library == NULL && said != touch)
        peer_die("a wrong answer");
    return seconds;
}

// The world positions of a mesh's vertices at a step.
static void move(peer_mesh *mesh, const double (*original)[3], const peer_pose *pose, double time)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        double local[3], world[3];
        for (int i = 0; i < 3; i++)
            local[i] = original[v][i] * (1.0 + 0.05 * sin(9.0 * original[v][(i + 1) % 3] + time));
        peer_world_position(pose, local, world);
        for (int i = 0; i < 3; i++)
            mesh->positions[v][i] = (double)(float)world[i];
    }
}

void rebuild(run *r)
{
    static const uint32_t sizes[] = {1000, 4000, 12000, 40000};
    const int size_count = r->quick ? 3 : 4;
    contender contenders[MOST_WAYS];
    const size_t count = make_contenders(r, contenders);
    const peer_pose still = pose_still();
    for (size_t c = 0; c < count; c++)
        if (contenders[c].library != NULL && contenders[c].library->start != NULL && !contenders[c].deforming)
            contenders[c].library->start(1);
    printf("\nEvery vertex of both meshes moves, then an exact yes or no, 30 %% colliding: microseconds a step (median "
           "of up to %d "
           "rounds,\nleast and most), from positions in memory to the answer; \"rebuilt\", \"new\": made from "
           "nothing\n  polygons",
           ROUNDS);
    for (size_t c = 0; c < count; c++)
        printf("  %24s", contenders[c].name);
    printf("\n");
    for (int i = 0; i < size_count; i++) {
        peer_mesh models[2];
        double times[MOST_WAYS][ROUNDS], (*original[2])[3];
        const bool slow = sizes[i] > 20000; // to rebuild
        const int rounds = r->quick || slow ? 3 : ROUNDS, steps = r->quick ? 5 : 10, frames = slow ? 2 : FRAMES;
        make_models(sizes[i], models);
        for (int k = 0; k < 2; k++)
            original[k] = copy_positions(&models[k]);
        truth_pair *truth = truth_open(&models[0], &models[1]);
        const pose_meshes meshes = {&models[0], &models[1], truth};
        pose_set poses = poses_random(&meshes, (uint32_t)steps, 0.3, 6);
        truth_close(truth);
        for (size_t c = 0; c < count; c++)
            make_models_of(r, &contenders[c], models);
        for (int round = -1; round < rounds; round++) {
            double sums[MOST_WAYS] = {0.0};
            for (int step = 0; step < steps * frames; step++) {
                const posed_query *at = &poses.items[step / frames];
                move(&models[0], (const double(*)[3])original[0], &at->a, 0.1 * step + round);
                move(&models[1], (const double(*)[3])original[1], &at->b, 0.1 * step + round);
                truth_pair *now = truth_open(&models[0], &models[1]);
                const bool touch = truth_touches(now, &still, &still);
                truth_close(now);
                for (size_t c = 0; c < count; c++) {
                    const double seconds = time_change(r, &contenders[c], models, touch);
                    sums[c] +=
                        step % frames > 0
                            ? seconds
                            : 0.0; // the first frame of a placement is a jump, and FCL's boxes then cover the whole motion
                }
            }
            for (size_t c = 0; c < count && round >= 0; c++)
                times[c][round] = sums[c] / (steps * (frames - 1));
        }
        const uint32_t polygons = models[0].triangle_count + models[1].triangle_count;
        printf("  %8u", polygons);
        for (size_t c = 0; c < count; c++)
            report(r, "rebuild", polygons, contenders[c].name, times[c], rounds);
        printf("\n");
        fflush(stdout);
        for (size_t c = 0; c < count; c++)
            drop_models_of(&contenders[c]);
        poses_free(&poses);
        for (int k = 0; k < 2; k++) {
            free(original[k]);
            shape_free(&models[k]);
        }
    }
}

// ---- Batches --------------------------------------------------------------------------------------------------------

static double time_batch(run *r, const char *method, const grz_object *a, const grz_mesh *b, const grz_pose *poses,
                         grz_pose_answer *answers, uint32_t count)
{
    grz_collide_options options = grz_default_collide_options();
    grz_error error;
    options.find = 0;
    options.method = method;
    const stopwatch start = measure_start();
    check(grz_collide_poses(r->device, a, b, poses, count, &options, answers, &error), &error);
    return measure_stop(start);
}

void batch(run *r)
{
    const uint32_t count = r->quick ? 100 : 1000;
    const int rounds = r->quick ? 2 : 5;
    peer_mesh models[2];
    double times[3][ROUNDS];
    read_models(models);
    truth_pair *truth = truth_open(&models[0], &models[1]);
    const pose_meshes meshes = {&models[0], &models[1], truth};
    pose_set set = poses_random(&meshes, count, 0.3, 77);
    grz_mesh *a = upload(r, &models[0]), *b = upload(r, &models[1]);
    grz_pose *poses = malloc(count * sizeof *poses);
    grz_pose_answer *answers = malloc(count * sizeof *answers);
    if (poses == NULL || answers == NULL)
        peer_die("out of memory");
    // One object stays: B's pose relative to A's.
    const grz_object still = grz_object_at_origin(a);
    for (uint32_t i = 0; i < count; i++)
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 4; column++) { // A's rotation turned back
                double sum = 0.0;
                for (int k = 0; k < 3; k++)
                    sum += set.items[i].a.m[k][row] *
                           (set.items[i].b.m[k][column] - (column == 3 ? set.items[i].a.m[k][3] : 0.0));
                poses[i].m[row][column] = sum;
            }
#ifdef PEERS_FCL
    const peer_list fcl = peer_fcl();
    const peer *obb = find_library(&fcl, "FCL OBB");
    void *fcl_models[2] = {obb->create(&models[0], false), obb->create(&models[1], false)};
#endif
    for (int round = -1; round < rounds; round++) {
        const double slices = time_batch(r, r->method, &still, b, poses, answers, count);
        const double bvh = time_batch(r, "bvh", &still, b, poses, answers, count);
        double other = 0.0;
#ifdef PEERS_FCL
        const peer_pose origin = pose_still();
        const stopwatch start = measure_start();
        for (uint32_t i = 0; i < count; i++) {
            peer_pose pose;
            memcpy(pose.m, poses[i].m, sizeof pose.m);
            obb->touches(fcl_models[0], &origin, fcl_models[1], &pose);
        }
        other = measure_stop(start);
#endif
        if (round >= 0) {
            times[0][round] = slices / count;
            times[1][round] = bvh / count;
            times[2][round] = other / count;
        }
    }
    printf("\nOne mesh at %u poses, models of %u and %u triangles, yes or no: microseconds a pose (median of %d "
           "rounds, least and "
           "most)\n",
           count, models[0].triangle_count, models[1].triangle_count, rounds);
    const char *const names[] = {r->method, "bvh", "FCL OBB"};
    for (int i = 0; i < 3; i++) {
        printf("  %-14s", names[i]);
        report(r, "batch", count, names[i], times[i], rounds);
        printf("\n");
    }
#ifdef PEERS_FCL
    for (int k = 0; k < 2; k++)
        obb->destroy(fcl_models[k]);
#endif
    free(poses);
    free(answers);
    grz_mesh_destroy(a);
    grz_mesh_destroy(b);
    poses_free(&set);
    truth_close(truth);
    shape_free(&models[0]);
    shape_free(&models[1]);
}
