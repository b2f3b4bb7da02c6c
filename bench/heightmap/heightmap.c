// SPDX-License-Identifier: MIT
// Measures method `heightmap` as table 1 of its paper does: a ship flies through a tunnel with obstacles, and in every
// frame is asked whether it touches. Beside it: FCL, `bvh`, exact answers, and drawing both meshes twice. Only the pose
// of the ship changes. docs/internals/heightmap.md has the results. Times are of one core; meshes, trees, maps, shaders
// and context are ready before. Part `scene` (scene.c) is the paper's other scene: what collisions add to a frame. Part
// `fire` (fire.c) is its particle system.
// Usage: heightmap [--quick] [--parts PART,…] [--csv FILE] [--plot FILE.png]
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <graze/gl.h>

#include "base/clock.h"
#include "base/control.h"
#include "base/device.h"
#include "geometry/pose.h"
#include "image/grid/voxel_grid.h"
#include "image/grid/propose.h"
#include "fire.h"
#include "scene.h"
#include "student.h"
#include "ways.h"
#include "wings.h"

enum {
    GROUPS = 3, // of frames: all, those that touch, those that do not
    TREE_ROUNDS = 5
};

static const char *const projection_names[] = {"single", "opposite", "bounded", "combined", "floor"};

enum {
    PROJECTIONS = sizeof projection_names / sizeof *projection_names
};

// The times of the paper's table 1, in seconds, and its probabilities.
static const double paper_fcl[GROUPS] = {0.0002050846275, 0.000139403807767, 0.000323771021053},
                    paper_maps[GROUPS] = {0.00010161438625, 0.000103404759223, 0.000098379150877193},
                    paper_probability[GROUPS] = {2.929e-08, 0.09391, 5.535e-11};

static uint32_t step_of(const run *r)
{
    return r->quick ? 16 : 1;
}

// ---- Ways -----------------------------------------------------------------------------------------------------------

static flight_way heightmap_way(const char *name, way_kind kind, grz_projection projection, uint32_t resolution)
{
    flight_way by = {.kind = kind, .options = grz_default_heightmap_options()};
    snprintf(by.name, sizeof by.name, "%s", name);
    by.options.projection = projection;
    by.options.resolution = resolution;
    if (projection != GRZ_PROJECTION_FLOOR) { // which has an axis of its own
        by.options.has_direction = true;
        by.options.direction[2] = 1.0; // along the flight
    }
    return by;
}

static flight_way exact_way(const char *name, const char *method)
{
    flight_way by = {.kind = WAY_EXACT, .method = method};
    snprintf(by.name, sizeof by.name, "%s", name);
    return by;
}

// bvh and, where it is installed, FCL with two kinds of boxes. Returns how many there are.
static uint32_t make_trees(flight_way trees[3])
{
    const peer_list graze = peer_graze();
    uint32_t count = 0;
    trees[count++] = (flight_way){.name = "bvh", .kind = WAY_LIBRARY, .library = find_library(&graze, "Graze")};
#ifdef PEERS_FCL
    const peer_list fcl = peer_fcl();
    trees[count++] = (flight_way){.name = "FCL OBB", .kind = WAY_LIBRARY, .library = find_library(&fcl, "FCL OBB")};
    trees[count++] =
        (flight_way){.name = "FCL OBBRSS", .kind = WAY_LIBRARY, .library = find_library(&fcl, "FCL OBBRSS")};
#endif
    return count;
}

// Measure trees, each alone in all frames. Returns how many there are.
static uint32_t ask_trees(run *r, flight *f, flight_way trees[3])
{
    const uint32_t count = make_trees(trees);
    for (uint32_t i = 0; i < count; i++) {
        ways_open(r, f, &trees[i], 1);
        ways_ask(r, f, &trees[i], 1, TREE_ROUNDS);
        ways_close(r, &trees[i], 1);
    }
    return count;
}

// ---- Printing -------------------------------------------------------------------------------------------------------

typedef struct figures_of_way {
    student_sample groups[GROUPS]; // microseconds
    double median;                 // of all frames
    uint32_t missed, invented;
} figures_of_way;

static figures_of_way figures_of_frames(const flight *f, const flight_way *by)
{
    double values[GROUPS][TUNNEL_FRAMES];
    unsigned counts[GROUPS] = {0};
    figures_of_way out = {.missed = 0};
    for (uint32_t i = 0; i < f->frames; i++) {
        const int group = f->touch[i] ? 1 : 2;
        values[0][counts[0]++] = values[group][counts[group]] = 1e6 * by->times[i];
        counts[group]++;
        out.missed += f->touch[i] && !by->said[i];
        out.invented += !f->touch[i] && by->said[i];
    }
    for (int g = 0; g < GROUPS; g++)
        out.groups[g] = student_of(values[g], counts[g]);
    out.median = measure_median(values[0], (int)f->frames); // sorts
    return out;
}

static void print_header(const flight *f)
{
    printf("  %-34s %9s %20s %20s %20s  missed invented  p: %9s %9s %9s\n", f->name, "median", "all", "touching",
           "free", "all", "touching", "free");
}

// A line of the table, and of the CSV file. `fcl` is what the means are tested against, or NULL. Returns the mean.
static double print_way(run *r, const flight *f, const flight_way *by, const flight_way *fcl)
{
    const figures_of_way own = figures_of_frames(f, by);
    figures_of_way other = {.missed = 0};
    if (fcl != NULL)
        other = figures_of_frames(f, fcl);
    printf("  %-34s %9.1f", by->name, own.median);
    for (int g = 0; g < GROUPS; g++)
        printf(" %10.1f ± %7.1f", own.groups[g].mean, own.groups[g].deviation);
    printf("  %6u %8u", own.missed, own.invented);
    for (int g = 0; g < GROUPS && fcl != NULL && fcl != by; g++)
        printf("%s %9.2g", g == 0 ? "    " : "", student_test(&own.groups[g], &other.groups[g]));
    printf("\n");
    if (r->csv != NULL) {
        fprintf(r->csv, "%s,\"%s\",%u,%u,%u", f->part, by->name, by->options.resolution, own.missed, own.invented);
        for (int g = 0; g < GROUPS; g++)
            fprintf(r->csv, ",%.3f,%.3f", own.groups[g].mean, own.groups[g].deviation);
        fprintf(r->csv, ",%.3f\n", own.median);
    }
    return own.groups[0].mean;
}

// The times of single frames, for the plot.
static void store_frames(const run *r, const flight *f, const flight_way *by)
{
    for (uint32_t i = 0; i < f->frames && r->csv != NULL; i++)
        fprintf(r->csv, "frame,\"%s\",%u,%d,%d,%.3f,,,,,,\n", by->name, f->numbers[i], f->touch[i], by->said[i],
                1e6 * by->times[i]);
}

// Runs of frames with wrong answers.
static void print_wrong(const flight *f, const flight_way *by)
{
    bool any = false;
    printf("    wrong frames of %s:", by->name);
    for (uint32_t i = 0, next; i < f->frames; i = next) {
        next = i + 1;
        if (by->said[i] == f->touch[i])
            continue;
        while (next < f->frames && by->said[next] == by->said[i] && f->touch[next] == f->touch[i])
            next++;
        printf("%s %u-%u %s%s", any ? "," : "", f->numbers[i], f->numbers[next - 1],
               by->said[i] ? "invented" : "missed",
               !by->said[i]                         ? ""
               : i > 0 && f->touch[i - 1]           ? " after a touch"
               : next < f->frames && f->touch[next] ? " before a touch"
                                                    : "");
        any = true;
    }
    printf(any ? "\n" : " none\n");
}

static void check_stencil(const flight *f, const flight_way *plain, const flight_way *stencil)
{
    for (uint32_t i = 0; i < f->frames; i++)
        if (plain->said[i] != stencil->said[i])
            printf("  the stencil changes the answer of frame %u\n", f->numbers[i]);
}

static void print_machine(const char *when)
{
    double load[3] = {(double)NAN, (double)NAN, (double)NAN};
    getloadavg(load, 3);
    printf("  the machine %s: load averages %.1f %.1f %.1f (other work included)\n", when, load[0], load[1], load[2]);
}

static void start_part(run *r, const char *part, const char *title, peer_mesh ship, const char *ship_name, flight *f)
{
    flight_make(r, part, ship_name, ship, step_of(r), f);
    printf(
        "\n%s: a ship of %u triangles in a tunnel of %u, %u frames, %u of which touch;\nmicroseconds a frame, mean ± "
        "standard deviation; p: Welch's t-test of the mean against FCL OBB, 0 below "
        "1e-308\n",
        title, f->ship.triangle_count, f->tunnel.triangle_count, f->frames, f->hits);
    print_machine("before");
    print_header(f);
}

// ---- Table 1 --------------------------------------------------------------------------------------------------------

static void print_paper(const flight_way *fcl, const flight_way *maps, const flight *f)
{
    const figures_of_way a = figures_of_frames(f, fcl), b = figures_of_frames(f, maps);
    static const char *const names[GROUPS] = {"all frames", "frames that touch", "frames that do not"};
    printf("\n  The paper's table 1: GTX 1650 for the maps, i7-6700K for FCL; 64 %% of its frames touch, which follows "
           "from its "
           "means\n  milliseconds          FCL here  FCL paper   maps here  maps paper   p here   p paper\n");
    for (int g = 0; g < GROUPS; g++)
        printf("  %-18s %11.4f %10.4f %11.4f %11.4f %8.2g %9.2g\n", names[g], 1e-3 * a.groups[g].mean,
               1e3 * paper_fcl[g], 1e-3 * b.groups[g].mean, 1e3 * paper_maps[g],
               student_test(&a.groups[g], &b.groups[g]), paper_probability[g]);
    printf("  wrong frames: %u missed and %u invented of %u; paper: 4 of 800, each one frame late\n", b.missed,
           b.invented, f->frames);
}

static void print_memory(const flight *f, const flight_way *trees, uint32_t count, const flight_way *plain,
                         const flight_way *stencil)
{
    printf("\n  kilobytes:");
    for (uint32_t i = 0; i < count; i++)
        printf(" %s %.0f,", trees[i].name, 1e-3 * (double)trees[i].bytes);
    printf(" maps %.0f, with stencil %.0f (paper: FCL 5,000 to 6,000, maps under 1,000)\n", 1e-3 * (double)plain->bytes,
           1e-3 * (double)stencil->bytes);
    printf("  bvh and FCL: all that their allocators hold of both, with copies of the meshes; maps: textures. Not "
           "counted: both meshes in\n  OpenGL buffers, %.0f, and in memory, which Graze keeps for all methods\n",
           1e-3 * (double)(ways_drawn_bytes(&f->ship) + ways_drawn_bytes(&f->tunnel)));
}

static void print_bound(const flight *f, const flight_way *maps, const flight_way *drawing)
{
    uint32_t within = 0;
    double sums[2] = {0.0};
    for (uint32_t i = 0; i < f->frames; i++) {
        within += maps->times[i] <= drawing->times[i];
        sums[0] += maps->times[i], sums[1] += drawing->times[i];
    }
    printf(
        "  the bound: a frame of heightmap 128 takes %.2f times what drawing both meshes twice takes; no more in %u of "
        "%u frames\n  (drawn through OpenGL into the maps' own pictures, in the same projection, depths alone)\n",
        sums[0] / sums[1], within, f->frames);
}

// In the order of the table. The last two are asked between drawings, when the caches are full of other data.
enum {
    PLAIN,
    STENCIL,
    BOTH_SIDES,
    QUERY,
    DRAWING,
    EXACT,
    TREES
};

static uint32_t make_table1(flight_way ways[MOST_WAYS])
{
    flight_way trees[3];
    const uint32_t count = make_trees(trees);
    ways[PLAIN] = heightmap_way("heightmap 128", WAY_KEPT, GRZ_PROJECTION_SINGLE, 128);
    ways[STENCIL] = heightmap_way("heightmap 128 stencil", WAY_KEPT, GRZ_PROJECTION_SINGLE, 128);
    ways[STENCIL].options.stencil = true;
    ways[BOTH_SIDES] = heightmap_way("heightmap 128 both sides", WAY_KEPT, GRZ_PROJECTION_SINGLE, 128);
    ways[BOTH_SIDES].options.both_sides = true;
    ways[QUERY] = heightmap_way("heightmap 128 grz_collide()", WAY_QUERY, GRZ_PROJECTION_SINGLE, 128);
    ways[DRAWING] = heightmap_way("both meshes drawn twice 128", WAY_DRAWING, GRZ_PROJECTION_SINGLE, 128);
    ways[EXACT] = exact_way("heightmap exact", "heightmap");
    for (uint32_t i = 0; i < count && i < 2; i++) {
        ways[TREES + i] = trees[i];
        snprintf(ways[TREES + i].name, sizeof trees[i].name, "%.20s between drawings", trees[i].name);
    }
    return TREES + (count < 2 ? count : 2);
}

static void table1(run *r)
{
    static flight f;
    static flight_way trees[3], ways[MOST_WAYS];
    start_part(r, "table1", "Table 1", tunnel_ship(), "ship made in code", &f);
    const uint32_t tree_count = ask_trees(r, &f, trees), count = make_table1(ways);
    const flight_way *fcl = tree_count > 1 ? &trees[1] : NULL;
    ways_open(r, &f, ways, count);
    ways_ask(r, &f, ways, count, 1);
    ways_close(r, ways, count);
    for (uint32_t i = 0; i < tree_count; i++)
        print_way(r, &f, &trees[i], fcl);
    for (uint32_t i = 0; i < count; i++)
        print_way(r, &f, &ways[i], fcl);
    for (uint32_t i = 0; i < tree_count && i < 2; i++)
        store_frames(r, &f, &trees[i]);
    store_frames(r, &f, &ways[PLAIN]);
    store_frames(r, &f, &ways[DRAWING]);
    store_frames(r, &f, &ways[EXACT]);
    check_stencil(&f, &ways[PLAIN], &ways[STENCIL]);
    print_wrong(&f, &ways[PLAIN]);
    print_wrong(&f, &ways[BOTH_SIDES]);
    if (fcl != NULL)
        print_paper(fcl, &ways[PLAIN], &f);
    print_memory(&f, trees, tree_count, &ways[PLAIN], &ways[STENCIL]);
    print_bound(&f, &ways[PLAIN], &ways[DRAWING]);
    print_machine("after");
    flight_free(&f);
}

// ---- Projections and resolutions ------------------------------------------------------------------------------------

// Maps without and with stencil, in every frame in turn.
static void ask_projection(run *r, flight *f, grz_projection projection, uint32_t resolution, bool both_sides,
                           const flight_way *fcl)
{
    static flight_way maps[2];
    for (uint32_t i = 0; i < 2; i++) {
        char name[48];
        snprintf(name, sizeof name, "%s %u%s%s", projection_names[projection], resolution,
                 both_sides ? " both sides" : "", i == 1 ? " stencil" : "");
        maps[i] = heightmap_way(name, WAY_KEPT, projection, resolution);
        maps[i].options.both_sides = both_sides;
        maps[i].options.stencil = i == 1;
    }
    ways_open(r, f, maps, 2);
    ways_ask(r, f, maps, 2, 1);
    ways_close(r, maps, 2);
    double ratios[TUNNEL_FRAMES];
    for (uint32_t i = 0; i < f->frames; i++)
        ratios[i] = maps[0].times[i] / maps[1].times[i];
    const double plain = print_way(r, f, &maps[0], fcl), stencil = print_way(r, f, &maps[1], fcl);
    printf("    the stencil gains: %.3f times as fast by means, %.3f by the median of frames; maps %.0f and %.0f kB\n",
           plain / stencil, measure_median(ratios, (int)f->frames), 1e-3 * (double)maps[0].bytes,
           1e-3 * (double)maps[1].bytes);
    check_stencil(f, &maps[0], &maps[1]);
    if (resolution == 128)
        print_wrong(f, &maps[0]);
    fflush(stdout);
}

static void projections(run *r)
{
    static const uint32_t sizes[] = {128, 64, 256};
    static flight f;
    static flight_way trees[3];
    start_part(r, "projections", "Projections", tunnel_ship(), "ship made in code", &f);
    const flight_way *fcl = ask_trees(r, &f, trees) > 1 ? &trees[1] : NULL;
    for (int i = 0; i < (r->quick ? 1 : 3); i++)
        for (int both_sides = 0; both_sides < 2; both_sides++)
            for (int p = 0; p < PROJECTIONS; p++)
                ask_projection(r, &f, (grz_projection)p, sizes[i], both_sides != 0, fcl);
    flight_free(&f);
}

// The ship of data/, which is open.
static void ship(run *r)
{
    static flight f;
    static flight_way trees[3];
    start_part(r, "ship", "Another ship", tunnel_ship_of_data(), "data/spaceship_shuttle_a.obj", &f);
    const uint32_t count = ask_trees(r, &f, trees);
    const flight_way *fcl = count > 1 ? &trees[1] : NULL;
    for (uint32_t i = 0; i < count; i++)
        print_way(r, &f, &trees[i], fcl);
    for (int both_sides = 0; both_sides < 2; both_sides++)
        for (int p = 0; p < PROJECTIONS; p++)
            ask_projection(r, &f, (grz_projection)p, 128, both_sides != 0, fcl);
    flight_free(&f);
}

// ---- Exact answers --------------------------------------------------------------------------------------------------

// How many triangles of ship and tunnel a grid marks in a frame; 0 where the boxes do not overlap.
static void count_marked(run *r, const flight *f, uint32_t frame, grz_grid_cells cells, uint64_t marked[2])
{
    const grz_object objects[2] = {place(f->ship_mesh, &f->poses[frame]), grz_object_at_origin(f->tunnel_mesh)};
    const grz_box box_a = grz_world_box(&objects[0].pose, &objects[0].mesh->bounds),
                  box_b = grz_world_box(&objects[1].pose, &objects[1].mesh->bounds);
    const grz_job job = {.a = 0, .b = 1, .clip = grz_box_intersection(&box_a, &box_b)};
    const grz_job_set set = {.objects = objects, .object_count = 2, .jobs = &job, .job_count = 1};
    const uint32_t number = 0;
    const grz_grid_request request = {.method = "bench",
                                      .set = &set,
                                      .form = GRZ_GRID_PER_PAIR,
                                      .jobs = &number,
                                      .count = 1,
                                      .resolution = grz_image_pair_resolution(&set, &number, 1),
                                      .join = GRZ_JOIN_NONE,
                                      .cells = cells};
    grz_grid_round round = {.answers = NULL};
    grz_control control;
    grz_error error;
    if (grz_box_is_empty(&job.clip))
        return;
    grz_control_init(&control, grz_device_allocator(r->device), NULL);
    check(grz_grid_run(r->device, &request, &control, &round, &error), &error);
    for (int k = 0; k < 2; k++)
        marked[k] += round.answers[0].marked[k];
    grz_grid_round_finish(&round, &control);
}

static void print_marked(run *r, const flight *f)
{
    static const char *const names[] = {"slices", "ranges"};
    uint64_t marked[2][GROUPS][2] = {0};
    for (int cells = 0; cells < 2; cells++)
        for (uint32_t i = 0; i < f->frames; i++) {
            uint64_t own[2] = {0};
            count_marked(r, f, i, cells == 0 ? GRZ_CELLS_SLICES : GRZ_CELLS_RANGES, own);
            for (int k = 0; k < 2; k++) {
                marked[cells][0][k] += own[k];
                marked[cells][f->touch[i] ? 1 : 2][k] += own[k];
            }
        }
    printf("  triangles marked, mean a frame of the ship + of the tunnel:\n");
    for (int cells = 0; cells < 2; cells++) {
        const double counts[GROUPS] = {f->frames, f->hits, f->frames - f->hits};
        printf("    %-8s", names[cells]);
        for (int g = 0; g < GROUPS; g++)
            printf("  %s %.1f + %.1f",
                   g == 0   ? "all"
                   : g == 1 ? "touching"
                            : "free",
                   (double)marked[cells][g][0] / counts[g], (double)marked[cells][g][1] / counts[g]);
        printf("\n");
        if (r->csv != NULL)
            fprintf(r->csv, "marked,\"%s\",0,,,%.3f,,%.3f,,%.3f,,\n", names[cells],
                    (double)(marked[cells][0][0] + marked[cells][0][1]) / counts[0],
                    (double)(marked[cells][1][0] + marked[cells][1][1]) / counts[1],
                    (double)(marked[cells][2][0] + marked[cells][2][1]) / counts[2]);
    }
}

// Candidates of a method when all pairs are asked for, and how often another device than OpenGL answered.
static void print_candidates(run *r, const flight *f, const char *method)
{
    uint64_t candidates = 0;
    uint32_t elsewhere = 0;
    for (uint32_t i = 0; i < f->frames; i++) {
        const grz_object a = place(f->ship_mesh, &f->poses[i]), b = grz_object_at_origin(f->tunnel_mesh);
        ask_exact(r, method, GRZ_FIND_PAIRS, &a, &b);
        const grz_summary *summary = grz_result_summary(r->result);
        candidates += summary->candidates;
        elsewhere += strcmp(summary->method, method) != 0;
    }
    printf("    %-10s %10.1f candidates a frame, all pairs wanted; %u frames answered by another method\n", method,
           (double)candidates / f->frames, elsewhere);
}

static void exact(run *r)
{
    static const char *const methods[] = {"heightmap", "slices", "layers", "selection", "bvh"};
    static flight f;
    static flight_way ways[5];
    flight_make(r, "exact", "yes or no", tunnel_ship(), step_of(r), &f);
    printf("\nExact answers: the same flight, %u frames, %u of which touch; microseconds a frame, mean ± standard "
           "deviation\n",
           f.frames, f.hits);
    print_machine("before");
    print_header(&f);
    for (int i = 0; i < 5; i++)
        ways[i] = exact_way(methods[i], methods[i]);
    ways_open(r, &f, ways, 5);
    ways_ask(r, &f, ways, 5, 1);
    ways_close(r, ways, 5);
    for (int i = 0; i < 5; i++)
        print_way(r, &f, &ways[i], NULL);
    print_marked(r, &f);
    for (int i = 0; i < 5; i++)
        print_candidates(r, &f, methods[i]);
    flight_free(&f);
}

int main(int argc, char **argv)
{
    static const bench_part parts[] = {{"table1", table1}, {"projections", projections},
                                       {"ship", ship},     {"exact", exact},
                                       {"wings", wings},   {"wrong", wrong},
                                       {"scene", scene},   {"fire", fire}};
    run r = {.method = "heightmap"};
    return run_parts(
        &r, argc, argv, parts, sizeof parts / sizeof *parts,
        "part,name,x,missed,invented,all,all_deviation,touching,touching_deviation,free,free_deviation,median",
        HEIGHTMAP_SOURCE);
}
