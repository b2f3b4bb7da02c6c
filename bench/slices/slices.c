// SPDX-License-Identifier: MIT
// Reproduces the figures of the paper behind method `slices` (docs/slices.md): Table 1, how often the discrete answer is wrong, by
// resolution and refinement; Figure 4, time against the rate of collisions; Figure 5, time against the number of polygons; and
// surfaces of which every vertex moves. Beside it Graze's exact `bvh` and FCL's OBB tree, the successor of the paper's RAPID. Times are
// of one core; shaders and context start before any clock does. Meshes, poses and the other libraries are those of the benchmark
// `peers`.
// Usage: slices [--quick] [--parts table1,figure4,figure5,deform] [--csv FILE] [--plot FILE.png]
#include <graze/graze.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"
#include "peers_build.h"
#include "poses.h"

enum {
    RESOLUTIONS = 5,
    ROWS = 4,
    RATES = 11,
    ROUNDS = 10,
    MOST_WAYS = 5
};

typedef struct run {
    bool quick;
    const char *parts, *csv_path, *plot_path;
    FILE *csv;
    grz_device *device;
    grz_result *result;
    grz_renderer renderer;
} run;

static void check(grz_status status, const grz_error *error)
{
    if (status != GRZ_OK)
        peer_die(error->message);
}

static bool wanted(const run *r, const char *part)
{
    const size_t length = strlen(part);
    for (const char *at = r->parts; at != NULL && (at = strstr(at, part)) != NULL; at += length)
        if ((at == r->parts || at[-1] == ',') && (at[length] == ',' || at[length] == '\0'))
            return true;
    return r->parts == NULL;
}

static grz_mesh *upload(run *r, const peer_mesh *mesh)
{
    grz_mesh_description description = grz_default_mesh_description();
    grz_mesh *out;
    grz_error error;
    description.positions = mesh->positions;
    description.position_type = GRZ_FLOAT64;
    description.vertex_count = mesh->vertex_count;
    description.indices = &mesh->triangles[0][0];
    description.index_count = 3 * (uint64_t)mesh->triangle_count;
    description.face_count = mesh->triangle_count;
    check(grz_mesh_create(r->device, &description, &out, &error), &error);
    return out;
}

static grz_object place(const grz_mesh *mesh, const peer_pose *pose)
{
    grz_object object = grz_object_at_origin(mesh);
    memcpy(object.pose.m, pose->m, sizeof object.pose.m);
    return object;
}

static bool ask(run *r, const grz_slices_options *options, const grz_object *a, const grz_object *b)
{
    grz_collide_options wish = grz_default_collide_options();
    grz_error error;
    wish.answer = GRZ_ANSWER_DISCRETE;
    wish.slices = options;
    check(grz_collide(r->device, a, b, &wish, r->result, &error), &error);
    return grz_result_summary(r->result)->colliding;
}

static grz_slices_options settings_of(uint32_t resolution, uint32_t refinements, uint32_t last_slices)
{
    grz_slices_options options = grz_default_slices_options(GRZ_SLICES_FAST);
    options.resolution = resolution;
    options.refinements = refinements;
    options.last_slices = last_slices;
    return options;
}

// Two models of about 6,000 triangles, of one size.
static void read_models(peer_mesh models[2])
{
    models[0] = shape_read(PEERS_DATA "/cow_spot.ply");
    models[1] = shape_read(PEERS_DATA "/spaceship_shuttle_a.obj");
    shape_scale(&models[1], shape_diagonal(&models[0]) / shape_diagonal(&models[1]));
}

static void table1(run *r)
{
    static const uint32_t resolutions[RESOLUTIONS] = {16, 32, 64, 128, 256};
    static const char *const rows[ROWS] = {"not refined", "refined once", "refined twice", "twice, 32 slices in the last"};
    static const double paper[ROWS][RESOLUTIONS] = {{2.97, 1.55, 1.63, 1.72, 2.07},
                                                    {3.02, 0.86, 0.45, 0.33, 0.26},
                                                    {3.16, 0.85, 0.27, 0.16, 0.08},
                                                    {3.35, 0.81, 0.26, 0.12, 0.07}};
    peer_mesh models[2];
    read_models(models);
    truth_pair *truth = truth_open(&models[0], &models[1]);
    const pose_meshes meshes = {&models[0], &models[1], truth};
    const uint32_t count = r->quick ? 300 : 10000;
    pose_set poses = poses_random(&meshes, count, 0.2, 2002);
    grz_mesh *a = upload(r, &models[0]), *b = upload(r, &models[1]);
    printf(
        "\nTable 1: percent of %u placements whose boxes overlap, a fifth of them colliding, that the discrete answer has wrong\n"
        "(missed + invented; in brackets the paper's figure, of two jets); models of %u and %u triangles, 16 slices\n"
        "  %-30s %22s %22s %22s %22s %22s\n",
        count, models[0].triangle_count, models[1].triangle_count, "", "16 x 16", "32 x 32", "64 x 64", "128 x 128", "256 x 256");
    uint32_t missed[ROWS][RESOLUTIONS] = {{0}}, invented[ROWS][RESOLUTIONS] = {{0}};
    for (int j = 0; j < RESOLUTIONS; j++)
        for (uint32_t q = 0; q < count; q++) {
            const posed_query *query = &poses.items[q];
            const grz_object object_a = place(a, &query->a), object_b = place(b, &query->b);
            bool first = true;
            for (uint32_t i = 0; i < ROWS; i++) {
                const grz_slices_options options = settings_of(resolutions[j], i < 3 ? i : 2, i < 3 ? 0 : 32);
                // Where the first drawing finds nothing, refining has nothing to draw.
                const bool said = first && ask(r, &options, &object_a, &object_b);
                first = i == 0 ? said : first;
                missed[i][j] += query->touch && !said;
                invented[i][j] += !query->touch && said;
            }
        }
    for (int i = 0; i < ROWS; i++) {
        printf("  %-30s", rows[i]);
        for (int j = 0; j < RESOLUTIONS; j++) {
            const double m = 100.0 * missed[i][j] / count, n = 100.0 * invented[i][j] / count;
            printf("  %4.2f = %4.2f + %4.2f", m + n, m, n);
            printf(" (%.2f)", paper[i][j]);
            if (r->csv != NULL)
                fprintf(r->csv, "table1,\"%s\",%u,%.4f,,,%.4f,%.4f,%.2f\n", rows[i], resolutions[j], m + n, m, n, paper[i][j]);
        }
        printf("\n");
    }
    grz_mesh_destroy(a);
    grz_mesh_destroy(b);
    poses_free(&poses);
    truth_close(truth);
    shape_free(&models[0]);
    shape_free(&models[1]);
}

// A way to ask whether two meshes collide: slices by some settings, or a library.
typedef struct way {
    const char *name;
    grz_slices_options slices;
    const peer *library; // NULL: slices
    void *models[2];
    grz_mesh *meshes[2];
} way;

static const peer *find_library(const peer_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0)
            return &list->items[i];
    return NULL;
}

static size_t make_ways(run *r, const peer_mesh meshes[2], bool deforming, way ways[MOST_WAYS])
{
    size_t count = 0;
    const peer_list graze = peer_graze();
    ways[count++] = (way){.name = "slices 32", .slices = settings_of(32, 0, 0)};
    ways[count++] = (way){.name = "slices 64", .slices = settings_of(64, 0, 0)};
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

static void drop_ways(way *ways, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++) {
            if (ways[i].library == NULL)
                grz_mesh_destroy(ways[i].meshes[k]);
            else
                ways[i].library->destroy(ways[i].models[k]);
        }
}

// Seconds that a query takes.
static double time_query(run *r, const way *w, const posed_query *query)
{
    if (w->library == NULL) {
        const grz_object a = place(w->meshes[0], &query->a), b = place(w->meshes[1], &query->b);
        const stopwatch start = measure_start();
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

// The median of some rounds, with the least and the most; printed in microseconds, and kept.
static void report(run *r, const char *part, double x, const char *name, double *rounds, int count)
{
    qsort(rounds, (size_t)count, sizeof *rounds, by_value);
    const double middle = 1e6 * 0.5 * (rounds[(count - 1) / 2] + rounds[count / 2]), low = 1e6 * rounds[0],
                 high = 1e6 * rounds[count - 1];
    printf("  %10.1f (%.0f-%.0f)", middle, low, high);
    if (r->csv != NULL)
        fprintf(r->csv, "%s,\"%s\",%g,%.3f,%.3f,%.3f,,,\n", part, name, x, middle, low, high);
}

static void figure4(run *r)
{
    peer_mesh models[2];
    way ways[MOST_WAYS];
    read_models(models);
    truth_pair *truth = truth_open(&models[0], &models[1]);
    const pose_meshes meshes = {&models[0], &models[1], truth};
    const uint32_t pool = r->quick ? 20 : 100;
    const int rounds = r->quick ? 3 : ROUNDS;
    pose_set hits = poses_random(&meshes, pool, 1.0, 41), free = poses_random(&meshes, pool, 0.0, 42);
    const size_t count = make_ways(r, models, false, ways);
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
    printf("\nFigure 4: microseconds a query (median of %d rounds, least and most) against the rate of collisions\n  rate", rounds);
    for (size_t w = 0; w < count; w++)
        printf("  %24s", ways[w].name);
    printf("\n");
    for (int rate = 0; rate < RATES; rate++) {
        printf("  %3d%%", 10 * rate);
        for (size_t w = 0; w < count; w++)
            report(r, "figure4", 10.0 * rate, ways[w].name, times[w][rate], rounds);
        printf("\n");
    }
    drop_ways(ways, count);
    poses_free(&hits);
    poses_free(&free);
    truth_close(truth);
    shape_free(&models[0]);
    shape_free(&models[1]);
}

// A sphere and a torus, bumpy, of so many triangles together.
static void make_models(uint32_t triangles, peer_mesh models[2])
{
    const uint32_t n = (uint32_t)fmax(2.0, sqrt(triangles / 24.0)), around = (uint32_t)fmax(6.0, sqrt(triangles / 16.0));
    models[0] = shape_blob(n, 0.1, 1);
    models[1] = shape_tube(shape_circle, 4 * around, around, 0.4, 0.1, 2);
}

static void figure5(run *r)
{
    static const uint32_t sizes[] = {1000, 4000, 12000, 40000, 120000, 400000};
    const int size_count = r->quick ? 4 : 6, rounds = r->quick ? 3 : ROUNDS;
    const uint32_t poses_count = r->quick ? 10 : 40;
    printf("\nFigure 5: microseconds a query (median of %d rounds, least and most) against polygons, 30 %% colliding; hierarchies "
           "built\n"
           "before the clock starts\n  polygons",
           rounds);
    for (int i = 0; i < size_count; i++) {
        peer_mesh models[2];
        way ways[MOST_WAYS];
        double times[MOST_WAYS][ROUNDS];
        make_models(sizes[i], models);
        truth_pair *truth = truth_open(&models[0], &models[1]);
        const pose_meshes meshes = {&models[0], &models[1], truth};
        pose_set poses = poses_random(&meshes, poses_count, 0.3, 5);
        const size_t count = make_ways(r, models, false, ways);
        for (size_t w = 0; i == 0 && w < count; w++)
            printf("  %24s", ways[w].name);
        printf(i == 0 ? "\n" : "");
        for (int round = -1; round < rounds; round++)
            for (size_t w = 0; w < count; w++) {
                double sum = 0.0;
                for (uint32_t q = 0; q < poses_count; q++)
                    sum += time_query(r, &ways[w], &poses.items[q]);
                if (round >= 0)
                    times[w][round] = sum / poses_count;
            }
        const uint32_t polygons = models[0].triangle_count + models[1].triangle_count;
        printf("  %8u", polygons);
        for (size_t w = 0; w < count; w++)
            report(r, "figure5", polygons, ways[w].name, times[w], rounds);
        printf("\n");
        fflush(stdout);
        drop_ways(ways, count);
        poses_free(&poses);
        truth_close(truth);
        shape_free(&models[0]);
        shape_free(&models[1]);
    }
}

// Every vertex of both models moves, then they are asked about: seconds for both.
static double time_step(run *r, way *w, const peer_mesh models[2], const posed_query *query)
{
    grz_error error;
    const stopwatch start = measure_start();
    for (int k = 0; k < 2; k++) {
        if (w->library == NULL)
            check(grz_mesh_set_positions(w->meshes[k], models[k].positions, &error), &error);
        else
            w->library->update(w->models[k], (const double(*)[3])models[k].positions);
    }
    const double updated = measure_stop(start);
    return updated + time_query(r, w, query);
}

static void swell(peer_mesh *mesh, const double (*original)[3], double time)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        for (int i = 0; i < 3; i++)
            mesh->positions[v][i] = (double)(float)(original[v][i] * (1.0 + 0.05 * sin(9.0 * original[v][(i + 1) % 3] + time)));
}

static void deform(run *r)
{
    static const uint32_t sizes[] = {1000, 4000, 12000, 40000, 120000};
    const int size_count = r->quick ? 3 : 5, rounds = r->quick ? 3 : ROUNDS, steps = r->quick ? 5 : 20;
    printf("\nDeformed surfaces: microseconds a step (median of %d rounds, least and most): every vertex of both moves, then one "
           "query,\n"
           "30 %% colliding; uploads, refits and rebuilds counted\n  polygons",
           rounds);
    for (int i = 0; i < size_count; i++) {
        peer_mesh models[2];
        way ways[MOST_WAYS];
        double times[MOST_WAYS][ROUNDS], (*original[2])[3];
        make_models(sizes[i], models);
        for (int k = 0; k < 2; k++) {
            original[k] = malloc(models[k].vertex_count * sizeof *original[k]);
            if (original[k] == NULL)
                peer_die("out of memory");
            memcpy(original[k], models[k].positions, models[k].vertex_count * sizeof *original[k]);
        }
        truth_pair *truth = truth_open(&models[0], &models[1]);
        const pose_meshes meshes = {&models[0], &models[1], truth};
        pose_set poses = poses_random(&meshes, (uint32_t)steps, 0.3, 6);
        const size_t count = make_ways(r, models, true, ways);
        for (size_t w = 0; i == 0 && w < count; w++)
            printf("  %24s", ways[w].name);
        printf(i == 0 ? "\n" : "");
        for (int round = -1; round < rounds; round++)
            for (size_t w = 0; w < count; w++) {
                double sum = 0.0;
                for (int step = 0; step < steps; step++) {
                    for (int k = 0; k < 2; k++)
                        swell(&models[k], (const double(*)[3])original[k], 0.1 * step + round);
                    sum += time_step(r, &ways[w], models, &poses.items[step]);
                }
                if (round >= 0)
                    times[w][round] = sum / steps;
            }
        const uint32_t polygons = models[0].triangle_count + models[1].triangle_count;
        printf("  %8u", polygons);
        for (size_t w = 0; w < count; w++)
            report(r, "deform", polygons, ways[w].name, times[w], rounds);
        printf("\n");
        fflush(stdout);
        drop_ways(ways, count);
        poses_free(&poses);
        truth_close(truth);
        for (int k = 0; k < 2; k++) {
            free(original[k]);
            shape_free(&models[k]);
        }
    }
}

static void parse(run *r, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char **value = strcmp(argv[i], "--parts") == 0  ? &r->parts
                             : strcmp(argv[i], "--csv") == 0  ? &r->csv_path
                             : strcmp(argv[i], "--plot") == 0 ? &r->plot_path
                                                              : NULL;
        if (strcmp(argv[i], "--quick") == 0) {
            r->quick = true;
        } else if (value == NULL || i + 1 == argc) {
            fprintf(stderr, "usage: slices [--quick] [--parts table1,figure4,figure5,deform] [--csv FILE] [--plot FILE.png]\n");
            exit(2);
        } else {
            *value = argv[++i];
        }
    }
}

static void plot(const run *r)
{
    char variables[2048];
    if (r->plot_path == NULL)
        return;
    snprintf(variables, sizeof variables, "csv='%s'; png='%s'; renderer='%s'", r->csv_path, r->plot_path, r->renderer.name);
    const pid_t child = fork();
    if (child == 0) {
        execlp("gnuplot", "gnuplot", "-e", variables, SLICES_SOURCE "/plot.gp", (char *)NULL);
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0)
        fprintf(stderr, "slices: gnuplot failed or is not installed, so there is no plot\n");
}

int main(int argc, char **argv)
{
    run r = {0};
    grz_device_options options = grz_default_device_options();
    grz_error error;
    parse(&r, argc, argv);
    if (r.plot_path != NULL && r.csv_path == NULL)
        peer_die("--plot draws what --csv writes: give both");
    if (r.csv_path != NULL && (r.csv = fopen(r.csv_path, "w")) == NULL)
        peer_die("the CSV file cannot be written");
    measure_pin(1);
    options.kind = GRZ_DEVICE_GL;
    options.threads = 1;
    check(grz_device_open(&options, &r.device, &error), &error);
    check(grz_device_renderer(r.device, &r.renderer, &error), &error);
    check(grz_result_create(r.device, &r.result, &error), &error);
    printf("slices: %s (%s), OpenGL %s; one core; %s; commit %s%s\n", r.renderer.name,
           r.renderer.software ? "software" : "hardware", r.renderer.version, PEERS_COMPILER, PEERS_COMMIT,
           r.quick ? "; quick: fewer placements, rounds and sizes" : "");
    if (r.renderer.software)
        printf("not run on a GPU\n");
    if (r.csv != NULL)
        fprintf(r.csv, "part,name,x,value,least,most,missed,invented,paper\n");
    if (wanted(&r, "table1"))
        table1(&r);
    if (wanted(&r, "figure4"))
        figure4(&r);
    if (wanted(&r, "figure5"))
        figure5(&r);
    if (wanted(&r, "deform"))
        deform(&r);
    if (r.csv != NULL)
        fclose(r.csv);
    plot(&r);
    grz_result_destroy(r.result);
    grz_device_close(r.device);
    return 0;
}
