// SPDX-License-Identifier: MIT
// Measures method `layers`: capture in one pass against depth peeling, as in its paper; queries against triangles and
// against depth complexity; a mesh with itself against other libraries; what is read back; what the discrete answer
// finds; meshes that change (image/grid/propose.c). docs/internals/layers.md has the results. Times are of one core;
// shaders and context are ready before any measurement begins. Meshes, poses and the other libraries are those of the
// benchmark `peers`.
// Usage: layers [--quick] [--parts PART,…] [--csv FILE] [--plot FILE.png]
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <graze/gl.h>

#include "base/clock.h"
#include "base/control.h"
#include "base/device.h"
#include "geometry/pose.h"
#include "image/layers/sample.h"
#include "run.h"

static const double PROBE_MS =
    3.4; // fragments and pairs of them, prototype, two models of 5,800 triangles at 64 x 64 pixels

static grz_box region_of(const grz_object *a, const grz_object *b)
{
    const grz_box box_a = grz_world_box(&a->pose, &a->mesh->bounds), box_b = grz_world_box(&b->pose, &b->mesh->bounds);
    return grz_box_intersection(&box_a, &box_b);
}

// The time of a capture and of its sets, in milliseconds: the median of several rounds.
typedef struct sample_times {
    double capture[ROUNDS], sets[ROUNDS];
    grz_layers_sets last; // the sets found; their items are freed
} sample_times;

static void sample(run *r, const grz_object *a, const grz_object *b, const grz_layers_options *options, bool reduce,
                   int rounds, sample_times *out)
{
    const grz_object *objects[2] = {a, b};
    const grz_layers_request request = {.objects = objects,
                                        .count = b != NULL ? 2 : 1,
                                        .region = b != NULL ? region_of(a, b) : a->mesh->bounds,
                                        .options = options,
                                        .reduce = reduce,
                                        .time = true};
    grz_layers_sets sets = {.items = NULL};
    for (int round = -2; round < rounds; round++) {
        grz_control control;
        grz_error error;
        grz_control_init(&control, grz_device_allocator(r->device), NULL);
        check(grz_layers_sample(r->device, &request, &control, &sets, &error), &error);
        if (round >= 0) {
            out->capture[round] = 1e-3 * sets.capture_ms;
            out->sets[round] = 1e-3 * sets.sets_ms;
        }
        out->last = sets;
        grz_layers_sets_finish(&sets, &control);
    }
}

// `count` nested balls with radii from `first` on by `step`, with a given number of triangles in total.
static peer_mesh shells(uint32_t triangles, int count, double first, double step)
{
    peer_mesh out = {.positions = NULL};
    for (int i = 0; i < count; i++) {
        peer_mesh ball = shape_blob((uint32_t)fmax(2.0, sqrt(triangles / 12.0 / count)), 0.0, 1);
        shape_scale(&ball, 2.0 * (first + step * i) / (shape_bounds(&ball).max[0] - shape_bounds(&ball).min[0]));
        out.positions = realloc(out.positions, (out.vertex_count + (size_t)ball.vertex_count) * sizeof *out.positions);
        out.triangles =
            realloc(out.triangles, (out.triangle_count + (size_t)ball.triangle_count) * sizeof *out.triangles);
        if (out.positions == NULL || out.triangles == NULL)
            peer_die("out of memory");
        memcpy(out.positions + out.vertex_count, ball.positions, ball.vertex_count * sizeof *ball.positions);
        for (uint32_t t = 0; t < ball.triangle_count; t++)
            for (int k = 0; k < 3; k++)
                out.triangles[out.triangle_count + t][k] = ball.triangles[t][k] + out.vertex_count;
        out.vertex_count += ball.vertex_count;
        out.triangle_count += ball.triangle_count;
        shape_free(&ball);
    }
    return out;
}

// ---- Capture --------------------------------------------------------------------------------------------------------

static void capture(run *r)
{
    static const uint32_t layers[] = {1, 2, 4, 8, 16, 32};
    static const char *const names[] = {
        [GRZ_LAYERS_FIXED] = "one pass fixed", [GRZ_LAYERS_LISTS] = "one pass lists", [GRZ_LAYERS_PEELED] = "peeled"};
    const int rounds = r->quick ? 3 : ROUNDS;
    peer_mesh models[2] = {shells(r->quick ? 6000 : 20000, 8, 0.2, 0.1), shells(r->quick ? 6000 : 20000, 8, 0.25, 0.1)};
    grz_mesh *a = upload(r, &models[0]), *b = upload(r, &models[1]);
    const grz_object object_a = grz_object_at_origin(a), object_b = grz_object_at_origin(b);
    printf("\nCapture of two objects of %u and %u triangles, eight balls one within the other each, up to 32 layers "
           "deep, 256 x 256 "
           "pixels:\nmicroseconds (median of %d rounds, least and most)\n  layers",
           models[0].triangle_count, models[1].triangle_count, rounds);
    for (int kind = 0; kind < 3; kind++)
        printf("  %24s", names[kind]);
    printf("   peeled / fixed\n");
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
        double medians[3];
        printf("  %6u", layers[i]);
        for (int kind = 0; kind < 3; kind++) {
            grz_layers_options options = grz_default_layers_options();
            sample_times times;
            options.resolution = 256;
            options.capture = (grz_layers_capture)kind;
            options.layers = layers[i];
            options.threshold = 0.0;
            sample(r, &object_a, &object_b, &options, true, rounds, &times);
            medians[kind] = report(r, "capture", layers[i], names[kind], times.capture, rounds);
        }
        printf("   %.1f\n", medians[GRZ_LAYERS_PEELED] / medians[GRZ_LAYERS_FIXED]);
    }
    grz_mesh_destroy(a);
    grz_mesh_destroy(b);
    shape_free(&models[0]);
    shape_free(&models[1]);
}

// ---- Queries --------------------------------------------------------------------------------------------------------

typedef enum question {
    LAYERS_YES_NO,
    LAYERS_PAIRS,
    LAYERS_DISCRETE,
    SLICES_PAIRS,
    BVH_PAIRS,
    QUESTION_COUNT
} question;

static const char *const question_names[QUESTION_COUNT] = {"layers yes or no", "layers pairs", "layers discrete",
                                                           "slices pairs", "bvh pairs"};

static double time_question(run *r, question asked, const grz_object *a, const grz_object *b)
{
    grz_collide_options discrete = grz_default_collide_options();
    grz_error error;
    discrete.answer = GRZ_ANSWER_DISCRETE;
    discrete.method = "layers";
    discrete.find = GRZ_FIND_PAIRS;
    const stopwatch start = measure_start();
    switch (asked) {
    case LAYERS_YES_NO:
        ask_exact(r, "layers", 0, a, b);
        break;
    case LAYERS_PAIRS:
        ask_exact(r, "layers", GRZ_FIND_PAIRS, a, b);
        break;
    case LAYERS_DISCRETE:
        check(grz_collide(r->device, a, b, &discrete, r->result, &error), &error);
        break;
    case SLICES_PAIRS:
        ask_exact(r, "slices", GRZ_FIND_PAIRS, a, b);
        break;
    default:
        ask_exact(r, "bvh", GRZ_FIND_PAIRS, a, b);
    }
    return measure_stop(start);
}

// Measure all queries of two objects, in a row of the table. Returns the median of LAYERS_PAIRS in microseconds.
static double ask_all(run *r, const char *part, double x, const grz_object *a, const grz_object *b)
{
    const double once = time_question(r, LAYERS_PAIRS, a, b);
    const int rounds = r->quick ? 3 : ROUNDS, repeats = (int)fmax(1.0, fmin(r->quick ? 10 : 50, 0.05 / once));
    double pairs = 0.0;
    for (int i = 0; i < QUESTION_COUNT; i++) {
        double times[ROUNDS];
        for (int round = -1; round < rounds; round++) {
            double sum = 0.0;
            for (int k = 0; k < repeats; k++)
                sum += time_question(r, (question)i, a, b);
            if (round >= 0)
                times[round] = sum / repeats;
        }
        const double middle = report(r, part, x, question_names[i], times, rounds);
        pairs = i == LAYERS_PAIRS ? middle : pairs;
    }
    return pairs;
}

static void head_of(const char *x)
{
    printf("  %10s", x);
    for (int i = 0; i < QUESTION_COUNT; i++)
        printf("  %24s", question_names[i]);
    printf("\n");
}

static void triangles(run *r)
{
    static const uint32_t sizes[] = {1000, 4000, 12000, 40000, 120000, 400000};
    const int size_count = r->quick ? 3 : 6;
    printf("\nTwo models, region half of them, trees of bvh built before: microseconds a query (median, least and "
           "most), 64 x 64 "
           "pixels;\nthe prototype's fragments and pairs took %.0f for 11,600 triangles\n",
           1e3 * PROBE_MS);
    head_of("triangles");
    for (int i = 0; i < size_count; i++) {
        peer_mesh models[2];
        make_models(sizes[i], models);
        const posed_query query = half_way(models);
        grz_mesh *a = upload(r, &models[0]), *b = upload(r, &models[1]);
        const grz_object object_a = place(a, &query.a), object_b = place(b, &query.b);
        printf("  %10u", models[0].triangle_count + models[1].triangle_count);
        const double pairs =
            ask_all(r, "triangles", models[0].triangle_count + models[1].triangle_count, &object_a, &object_b);
        if (sizes[i] == 12000)
            printf("   %.2f x the prototype", pairs / (1e3 * PROBE_MS));
        printf("\n");
        fflush(stdout);
        grz_mesh_destroy(a);
        grz_mesh_destroy(b);
        shape_free(&models[0]);
        shape_free(&models[1]);
    }
}

static void depth(run *r)
{
    static const int counts[] = {1, 2, 4, 8, 16};
    const int step_count = r->quick ? 3 : 5;
    printf("\nBalls within each other, the two objects' in turn and none touching, 12,000 triangles together, against "
           "the most "
           "layers in a\npixel: microseconds a query (median, least and most)\n");
    head_of("layers");
    for (int i = 0; i < step_count; i++) {
        const double step = 0.8 / counts[i];
        peer_mesh models[2] = {shells(6000, counts[i], 0.2, step), shells(6000, counts[i], 0.2 + 0.5 * step, step)};
        grz_mesh *a = upload(r, &models[0]), *b = upload(r, &models[1]);
        const grz_object object_a = grz_object_at_origin(a), object_b = grz_object_at_origin(b);
        printf("  %10d", 4 * counts[i]);
        ask_all(r, "depth", 4 * counts[i], &object_a, &object_b);
        printf("\n");
        fflush(stdout);
        grz_mesh_destroy(a);
        grz_mesh_destroy(b);
        shape_free(&models[0]);
        shape_free(&models[1]);
    }
}

// ---- A mesh with itself ---------------------------------------------------------------------------------------------

// The tangled tube of the benchmark `peers`, which passes through itself.
static peer_mesh tangle(const run *r)
{
    return r->quick ? shape_tube(shape_knot, 250, 40, 0.61, 0.1, 8) : shape_tube(shape_knot, 625, 80, 0.61, 0.1, 8);
}

static double time_self(run *r, const peer_mesh *mesh, const peer *library, uint64_t *count)
{
    peer_pairs pairs = {.items = NULL};
    grz_error error;
    const stopwatch start = measure_start();
    if (library == NULL) {
        grz_collide_options options = grz_default_collide_options();
        grz_mesh *uploaded = upload(r, mesh);
        const grz_object object = grz_object_at_origin(uploaded);
        options.method = "layers";
        options.find = GRZ_FIND_PAIRS;
        check(grz_collide_self(r->device, &object, &options, r->result, &error), &error);
        *count = grz_result_summary(r->result)->pair_count;
        grz_mesh_destroy(uploaded);
    } else {
        library->self(mesh, &pairs);
        *count = pairs.count;
    }
    const double seconds = measure_stop(start);
    free(pairs.items);
    return seconds;
}

static void self(run *r)
{
    const int rounds = r->quick ? 2 : 5;
    const peer *libraries[8] = {NULL};
    size_t count = 1;
    const peer_list graze = peer_graze();
    libraries[count++] = find_library(&graze, "Graze");
#ifdef PEERS_CGAL
    const peer_list cgal = peer_cgal();
    for (size_t i = 0; i < cgal.count; i++)
        if (cgal.items[i].self != NULL && count < 4)
            libraries[count++] = &cgal.items[i];
#endif
#ifdef PEERS_EMBREE
    const peer_list embree = peer_embree();
    for (size_t i = 0; i < embree.count; i++)
        if (embree.items[i].self != NULL && count < 8)
            libraries[count++] = &embree.items[i];
#endif
    peer_mesh mesh = tangle(r);
    printf("\nA tube of %u triangles that passes through itself, from plain arrays to the list of pairs, all that is "
           "built counted: "
           "microseconds\n(median of %d rounds), pairs (some libraries leave neighbours to the caller, and list none "
           "of them)\n",
           mesh.triangle_count, rounds);
    for (size_t i = 0; i < count; i++) {
        const char *name = libraries[i] != NULL ? libraries[i]->name : "layers";
        double times[ROUNDS];
        uint64_t pairs = 0;
        if (libraries[i] != NULL && libraries[i]->start != NULL)
            libraries[i]->start(1);
        for (int round = -1; round < rounds; round++) {
            const double seconds = time_self(r, &mesh, libraries[i], &pairs);
            if (round >= 0)
                times[round] = seconds;
        }
        printf("  %-20s", name);
        report(r, "self", mesh.triangle_count, name, times, rounds);
        printf("   %llu pairs\n", (unsigned long long)pairs);
        fflush(stdout);
    }
    shape_free(&mesh);
}

// ---- What is read back ----------------------------------------------------------------------------------------------

static void print_bytes(run *r, const char *name, uint64_t fragments, uint64_t raw, uint64_t left, uint64_t bytes)
{
    printf("  %-28s  %10llu  %10llu  %10llu  %12llu  %12llu\n", name, (unsigned long long)fragments,
           (unsigned long long)raw, (unsigned long long)left, (unsigned long long)(8 * raw), (unsigned long long)bytes);
    if (r->csv != NULL)
        fprintf(r->csv, "bytes,\"%s, not reduced\",%llu,%llu,,\nbytes,\"%s, reduced\",%llu,%llu,,\n", name,
                (unsigned long long)raw, (unsigned long long)(8 * raw), name, (unsigned long long)left,
                (unsigned long long)bytes);
}

static void bytes_of(run *r, const char *name, const grz_object *a, const grz_object *b, uint32_t resolution)
{
    const grz_object objects[2] = {*a, b != NULL ? *b : *a};
    const grz_job job = {.a = 0, .b = b != NULL ? 1 : GRZ_SELF, .clip = b != NULL ? region_of(a, b) : a->mesh->bounds};
    const grz_job_set set = {.objects = objects, .object_count = 2, .jobs = &job, .job_count = 1};
    const uint32_t number = 0;
    const grz_grid_request request = {.method = "layers",
                                      .set = &set,
                                      .form = b != NULL ? GRZ_GRID_PER_PAIR : GRZ_GRID_OF_SELF,
                                      .jobs = &number,
                                      .count = 1,
                                      .resolution = resolution,
                                      .join = GRZ_JOIN_FRAGMENTS};
    const grz_layers_options options = grz_default_layers_options();
    grz_grid_round round = {.answers = NULL};
    grz_control control;
    grz_error error;
    sample_times times;
    char text[80];
    grz_control_init(&control, grz_device_allocator(r->device), NULL);
    check(grz_grid_run(r->device, &request, &control, &round, &error), &error);
    snprintf(text, sizeof text, "%s, exact", name);
    print_bytes(r, text, round.fragment_count, round.fragment_pair_count, round.candidate_count, round.read_bytes);
    grz_grid_round_finish(&round, &control);
    sample(r, a, b, &options, true, 1, &times);
    snprintf(text, sizeof text, "%s, discrete", name);
    print_bytes(r, text, times.last.captured, times.last.raw_count, times.last.count, times.last.read_bytes);
}

static void bytes(run *r)
{
    peer_mesh models[2], mesh = tangle(r);
    make_models(12000, models);
    const posed_query query = half_way(models);
    grz_mesh *a = upload(r, &models[0]), *b = upload(r, &models[1]), *c = upload(r, &mesh);
    const grz_object object_a = place(a, &query.a), object_b = place(b, &query.b), object_c = grz_object_at_origin(c);
    printf("\nWhat is read back: fragments, pairs of them, and what is left after duplicates, boxes that do not meet "
           "and neighbours "
           "are taken out;\nbytes without that (8 a pair of fragments), and as they are\n  %-28s  %10s  %10s  %10s  "
           "%12s  %12s\n",
           "", "fragments", "pairs", "left", "bytes before", "bytes read");
    bytes_of(r, "two models", &object_a, &object_b, 64);
    bytes_of(r, "a tube with itself", &object_c, NULL, r->quick ? 96 : 224);
    grz_mesh_destroy(a);
    grz_mesh_destroy(b);
    grz_mesh_destroy(c);
    shape_free(&models[0]);
    shape_free(&models[1]);
    shape_free(&mesh);
}

// ---- What the discrete answer finds ---------------------------------------------------------------------------------

// Ask, and count the pairs that are listed.
static uint64_t pairs_found(run *r, const grz_collide_options *options, const grz_object *a, const grz_object *b,
                            bool *collide)
{
    grz_error error;
    check(grz_collide(r->device, a, b, options, r->result, &error), &error);
    *collide = grz_result_summary(r->result)->colliding;
    return grz_result_summary(r->result)->pair_count;
}

static void found(run *r)
{
    static const uint32_t resolutions[] = {32, 64, 128, 256, 512, 1024};
    const uint32_t count = r->quick ? 10 : 600;
    peer_mesh models[2];
    read_models(models);
    placements p = placements_open(r, models, count, 1.0, 2008);
    printf(
        "\nWhat the discrete answer finds: of %u placements that touch (models of %u and %u triangles) those that it "
        "calls apart, and of all pairs of faces that touch those that it lists\n  %11s  %10s  %14s  %10s  %10s  %10s\n",
        count, p.models[0].triangle_count, p.models[1].triangle_count, "pixels", "missed", "of most pairs", "pairs",
        "of", "percent");
    for (size_t i = 0; i < sizeof resolutions / sizeof *resolutions; i++) {
        grz_layers_options layers = grz_default_layers_options();
        grz_collide_options exact = grz_default_collide_options(), discrete = exact;
        uint64_t missed = 0, listed = 0, all = 0, most = 0; // pairs of a placement that is missed
        layers.resolution = resolutions[i];
        exact.find = discrete.find = GRZ_FIND_PAIRS;
        discrete.method = "layers";
        discrete.answer = GRZ_ANSWER_DISCRETE;
        discrete.method_options = &(grz_method_options){.method = "layers", .options = &layers};
        for (uint32_t q = 0; q < count; q++) {
            const grz_object object_a = place(p.a, &p.poses.items[q].a), object_b = place(p.b, &p.poses.items[q].b);
            bool collide;
            const uint64_t pairs = pairs_found(r, &exact, &object_a, &object_b, &collide);
            listed += pairs_found(r, &discrete, &object_a, &object_b, &collide);
            all += pairs;
            missed += !collide;
            most = !collide && pairs > most ? pairs : most;
        }
        printf("  %4u x %4u  %10llu  %14llu  %10llu  %10llu  %10.1f\n", resolutions[i], resolutions[i],
               (unsigned long long)missed, (unsigned long long)most, (unsigned long long)listed,
               (unsigned long long)all, 100.0 * (double)listed / (double)all);
        fflush(stdout);
        if (r->csv != NULL)
            fprintf(r->csv, "found,missed,%u,%llu,,\nfound,pairs,%u,%llu,,%llu\n", resolutions[i],
                    (unsigned long long)missed, resolutions[i], (unsigned long long)listed, (unsigned long long)all);
    }
    placements_close(&p);
}

int main(int argc, char **argv)
{
    static const bench_part parts[] = {{"capture", capture}, {"triangles", triangles}, {"depth", depth},
                                       {"self", self},       {"bytes", bytes},         {"found", found},
                                       {"rebuild", rebuild}, {"batch", batch}};
    run r = {.method = "layers"};
    return run_parts(&r, argc, argv, parts, sizeof parts / sizeof *parts, "part,name,x,value,least,most",
                     LAYERS_SOURCE);
}
