// SPDX-License-Identifier: MIT
// How often the discrete answer is wrong for one pair of models and the next: section 4.1 of the paper says that the
// standard deviation between models was very low, and that 256 × 256 pixels, 128 slices and three refinements matched
// RAPID. Its models were passenger jets, anatomy and plants; here they are those of data/, and generated ones.
#include <graze/gl.h>

#include "paper.h"

#include <math.h>

enum {
    PAIRS = 8,
    SETTINGS = 4
};

static const char *const setting_names[SETTINGS] = {"32 x 32", "64 x 64, once", "128 x 128, twice",
                                                    "256, 128 slices, 3 times"};

static grz_slices_options setting(int number)
{
    grz_slices_options options = settings_of(number == 3 ? 256 : 32u << number, (uint32_t)number, 0);
    options.slices = number == 3 ? 128 : 16;
    return options;
}

static peer_mesh model_of(const char *name)
{
    char path[512];
    if (name[0] == 'b') // ball
        return shape_blob(22, 0.1, 1);
    if (name[0] == 'k') // knot
        return shape_tube(shape_knot, 240, 12, 0.3, 0.1, 8);
    snprintf(path, sizeof path, "%s/%s", PEERS_DATA, name);
    return shape_read(path);
}

static const char *const pair_files[PAIRS][2] = {{"cow_spot.ply", "spaceship_shuttle_a.obj"},
                                                 {"cow_spot.ply", "cow_spot.ply"},
                                                 {"spaceship_shuttle_a.obj", "spaceship_shuttle_a.obj"},
                                                 {"face_1252.obj", "teapot_3751.obj"},
                                                 {"nbody_a_itokawa.ply", "nbody_a_bennu.ply"},
                                                 {"scalpel_sword128.obj", "face_1252.obj"},
                                                 {"ball", "knot"},
                                                 {"knot", "knot"}};
static const char *const pair_names[PAIRS] = {"cow, ship",         "cow, cow",    "ship, ship", "face, teapot",
                                              "asteroid, another", "sword, face", "ball, knot", "knot, knot"};

// Ask all placements of a pair by all settings. `wrong` receives percentages.
static void ask_pair(run *r, int pair, uint32_t count, double wrong[SETTINGS])
{
    peer_mesh models[2] = {model_of(pair_files[pair][0]), model_of(pair_files[pair][1])};
    shape_scale(&models[1], shape_diagonal(&models[0]) / shape_diagonal(&models[1]));
    placements p = placements_open(r, models, count, 0.2, 2004);
    printf("  %-20s %6u + %6u", pair_names[pair], p.models[0].triangle_count, p.models[1].triangle_count);
    for (int i = 0; i < SETTINGS; i++) {
        const grz_slices_options options = setting(i);
        uint32_t missed = 0, invented = 0;
        for (uint32_t q = 0; q < count; q++) {
            const posed_query *query = &p.poses.items[q];
            const grz_object object_a = place(p.a, &query->a), object_b = place(p.b, &query->b);
            const bool said = ask(r, &options, &object_a, &object_b);
            missed += query->touch && !said;
            invented += !query->touch && said;
        }
        wrong[i] = 100.0 * (missed + invented) / count;
        printf("  %8.2f = %4u + %4u  ", wrong[i], missed, invented);
        if (r->csv != NULL)
            fprintf(r->csv, "models,\"%s, %s\",%d,%.4f,,,%u,%u,\n", pair_names[pair], setting_names[i], i, wrong[i],
                    missed, invented);
    }
    printf("\n");
    fflush(stdout);
    placements_close(&p);
}

void models(run *r)
{
    const uint32_t count = r->quick ? 40 : 2000;
    double wrong[PAIRS][SETTINGS];
    printf(
        "\nModels: percent of %u placements whose boxes overlap, a fifth of them colliding, that the discrete answer "
        "has wrong (= missed + invented, placements); 16 slices where it does not say otherwise\n  %-36s",
        count, "pair, triangles");
    for (int i = 0; i < SETTINGS; i++)
        printf("  %-24s", setting_names[i]);
    printf("\n");
    for (int pair = 0; pair < PAIRS; pair++)
        ask_pair(r, pair, count, wrong[pair]);
    for (int row = 0; row < 3; row++) {
        static const char *const names[] = {"mean", "standard deviation", "of which by chance"};
        printf("  %-36s", names[row]);
        for (int i = 0; i < SETTINGS; i++) {
            double sum = 0.0, squares = 0.0;
            for (int pair = 0; pair < PAIRS; pair++)
                sum += wrong[pair][i] / PAIRS;
            for (int pair = 0; pair < PAIRS; pair++)
                squares += (wrong[pair][i] - sum) * (wrong[pair][i] - sum) / (PAIRS - 1);
            printf("  %8.2f                ", row == 0   ? sum
                                              : row == 1 ? sqrt(squares)
                                                         : sqrt(sum * (100.0 - sum) / count)); // of a share of `count`
        }
        printf("\n");
    }
}
