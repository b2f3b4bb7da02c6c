// SPDX-License-Identifier: MIT
// Reproduces the paper's figures for the discrete answer (docs/internals/slices.md). Table 1: how often it is wrong, by
// resolution and refinement, with two rows of Graze's own. Thin: the same by the number of slices. Figure 4: time
// against the rate of collisions. Figure 5: time against the number of polygons. Last: surfaces whose vertices move.
#include <graze/gl.h>

#include "paper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    RESOLUTIONS = 5,
    ROWS = 4,
    EXACT_RESOLUTION = 64 // of the exact answer's grid
};

static const uint32_t resolutions[RESOLUTIONS] = {16, 32, 64, 128, 256};

// Rows that the paper does not have: the conservative grid alone, which misses nothing, and the exact answer.
static void unlike_the_paper(run *r, const pose_set *poses, const grz_mesh *a, const grz_mesh *b)
{
    static const char *const names[] = {"conservative, 32 slices", "exact"};
    for (int i = 0; i < 2; i++) {
        printf("  %-30s", names[i]);
        for (int j = 0; j < RESOLUTIONS; j++) {
            uint32_t missed = 0, invented = 0;
            if (i == 1 && resolutions[j] != EXACT_RESOLUTION) {
                printf("  %22s", "");
                continue;
            }
            for (uint32_t q = 0; q < poses->count; q++) {
                const posed_query *query = &poses->items[q];
                const grz_object object_a = place(a, &query->a), object_b = place(b, &query->b);
                const bool said = i == 0 ? ask_gate(r, resolutions[j], &object_a, &object_b)
                                         : ask_exact(r, "slices", 0, &object_a, &object_b);
                missed += query->touch && !said;
                invented += !query->touch && said;
            }
            const double m = 100.0 * missed / poses->count, n = 100.0 * invented / poses->count;
            printf("  %4.2f = %4.2f + %4.2f       ", m + n, m, n);
            if (r->csv != NULL)
                fprintf(r->csv, "table1,\"%s\",%u,%.4f,,,%.4f,%.4f,\n", names[i], resolutions[j], m + n, m, n);
        }
        printf("\n");
    }
}

void table1(run *r)
{
    static const char *const rows[ROWS] = {"not refined", "refined once", "refined twice",
                                           "twice, 32 slices in the last"};
    static const double paper[ROWS][RESOLUTIONS] = {{2.97, 1.55, 1.63, 1.72, 2.07},
                                                    {3.02, 0.86, 0.45, 0.33, 0.26},
                                                    {3.16, 0.85, 0.27, 0.16, 0.08},
                                                    {3.35, 0.81, 0.26, 0.12, 0.07}};
    peer_mesh models[2];
    read_models(models);
    const uint32_t count = r->quick ? 300 : 10000;
    placements p = placements_open(r, models, count, 0.2, 2002);
    printf(
        "\nTable 1: percent of %u placements whose boxes overlap, a fifth of them colliding, that the discrete answer "
        "has wrong\n"
        "(missed + invented; in brackets the paper's figure, of two jets); models of %u and %u triangles, 16 slices\n"
        "  %-30s %22s %22s %22s %22s %22s\n",
        count, p.models[0].triangle_count, p.models[1].triangle_count, "", "16 x 16", "32 x 32", "64 x 64", "128 x 128",
        "256 x 256");
    uint32_t missed[ROWS][RESOLUTIONS] = {{0}}, invented[ROWS][RESOLUTIONS] = {{0}};
    for (int j = 0; j < RESOLUTIONS; j++)
        for (uint32_t q = 0; q < count; q++) {
            const posed_query *query = &p.poses.items[q];
            const grz_object object_a = place(p.a, &query->a), object_b = place(p.b, &query->b);
            bool first = true;
            for (uint32_t i = 0; i < ROWS; i++) {
                const grz_slices_options options = settings_of(resolutions[j], i < 3 ? i : 2, i < 3 ? 0 : 32);
                // If the first drawing finds nothing, there is nothing to refine.
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
                fprintf(r->csv, "table1,\"%s\",%u,%.4f,,,%.4f,%.4f,%.2f\n", rows[i], resolutions[j], m + n, m, n,
                        paper[i][j]);
        }
        printf("\n");
    }
    unlike_the_paper(r, &p.poses, p.a, p.b);
    placements_close(&p);
}

void thin(run *r)
{
    static const uint32_t slices[] = {4, 8, 16, 32, 64, 128, 256, 512};
    const uint32_t count = r->quick ? 20 : 200;
    peer_mesh models[2];
    read_models(models);
    placements p = placements_open(r, models, count, 0.5, 2003);
    printf("\nThin slices: of %u placements, half of them colliding, how many the discrete answer has wrong, not "
           "refined (missed + invented)\n  %8s  %16s  %16s\n",
           count, "slices", "32 x 32", "128 x 128");
    for (size_t i = 0; i < sizeof slices / sizeof *slices; i++) {
        printf("  %8u", slices[i]);
        for (uint32_t resolution = 32; resolution <= 128; resolution += 96) {
            grz_slices_options options = settings_of(resolution, 0, 0);
            uint32_t missed = 0, invented = 0;
            options.slices = slices[i];
            for (uint32_t q = 0; q < count; q++) {
                const posed_query *query = &p.poses.items[q];
                const grz_object object_a = place(p.a, &query->a), object_b = place(p.b, &query->b);
                const bool said = ask(r, &options, &object_a, &object_b);
                missed += query->touch && !said;
                invented += !query->touch && said;
            }
            printf("  %6u + %7u", missed, invented);
            if (r->csv != NULL)
                fprintf(r->csv, "thin,\"%u x %u\",%u,,,,%u,%u,\n", resolution, resolution, slices[i], missed, invented);
        }
        printf("\n");
    }
    placements_close(&p);
}

void figure4(run *r)
{
    peer_mesh models[2];
    read_models(models);
    printf("\nFigure 4: ");
    time_rates(r, "figure4", models, false);
    shape_free(&models[0]);
    shape_free(&models[1]);
}

void figure5(run *r)
{
    static const uint32_t sizes[] = {1000, 4000, 12000, 40000, 120000, 400000};
    const int size_count = r->quick ? 4 : 6, rounds = r->quick ? 3 : ROUNDS;
    const uint32_t poses_count = r->quick ? 10 : 40;
    printf("\nFigure 5: microseconds a query (median of %d rounds, least and most) against polygons, 30 %% colliding; "
           "hierarchies "
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
        const size_t count = make_ways(r, models, false, false, ways);
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

// Move every vertex of both models, then query. Returns the seconds for both.
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
            mesh->positions[v][i] =
                (double)(float)(original[v][i] * (1.0 + 0.05 * sin(9.0 * original[v][(i + 1) % 3] + time)));
}

void deform(run *r)
{
    static const uint32_t sizes[] = {1000, 4000, 12000, 40000, 120000};
    const int size_count = r->quick ? 3 : 5, rounds = r->quick ? 3 : ROUNDS, steps = r->quick ? 5 : 20;
    printf("\nDeformed surfaces: microseconds a step (median of %d rounds, least and most): every vertex of both "
           "moves, then one "
           "query,\n"
           "30 %% colliding; uploads, refits and rebuilds counted\n  polygons",
           rounds);
    for (int i = 0; i < size_count; i++) {
        peer_mesh models[2];
        way ways[MOST_WAYS];
        double times[MOST_WAYS][ROUNDS], (*original[2])[3];
        make_models(sizes[i], models);
        for (int k = 0; k < 2; k++)
            original[k] = copy_positions(&models[k]);
        truth_pair *truth = truth_open(&models[0], &models[1]);
        const pose_meshes meshes = {&models[0], &models[1], truth};
        pose_set poses = poses_random(&meshes, (uint32_t)steps, 0.3, 6);
        const size_t count = make_ways(r, models, true, false, ways);
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
