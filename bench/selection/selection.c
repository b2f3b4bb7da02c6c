// SPDX-License-Identifier: MIT
// Measures method `selection` as its paper does: queries and updates against the number of faces in a leaf, and against
// the size of the model; the update beside a copy of what it must read; other libraries that refit and ask the same.
// Each step moves all vertices of the model, and a scalpel of 128 triangles touches 10 to 15 of its faces.
// docs/internals/selection.md has the results. Times are of one core; shaders and context are ready before.
// Usage: selection [--quick] [--parts PART,…] [--csv FILE] [--plot FILE.png]
//     GRZ_BENCH_MESHES=FOLDER: airways.ply, colon.ply and spine_hips.ply, instead of the generated ones (anatomy.h)
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/control.h"
#include "base/device.h"
#include "mesh/leaves/leaf_boxes.h"
#include "space/bvh/bvh.h"
#include "aabb_tree.h"
#include "touches.h"

enum {
    MOST_TOUCHES = 2000,
    COPIES = 200 // of a measurement of some microseconds, of which the median counts
};

static const uint32_t leaf_sizes[] = {10, 20, 40, 64, 100, 160, 250, 400, 630, 1000, 2000};

enum {
    SIZES = sizeof leaf_sizes / sizeof *leaf_sizes
};

static uint32_t touches_of(const run *r)
{
    return r->quick ? 20 : 100; // poses; with the repeats below 2,000 steps
}

static uint32_t repeats_of(const run *r)
{
    return r->quick ? 1 : 20;
}

// ---- How many faces a leaf may have ---------------------------------------------------------------------------------

// For queries with GRZ_SELECTION_AUTOMATIC. 0: by the rule of the library.
typedef struct leaf_choice {
    uint32_t model, scalpel;
} leaf_choice;

static leaf_choice chosen;

// The linker puts the second of these in the place of the first (--wrap), so that both meshes of a query can have a
// number of their own.
uint32_t __real_grz_leaf_faces_for(uint32_t face_count, uint32_t triangle_count);
uint32_t __wrap_grz_leaf_faces_for(uint32_t face_count, uint32_t triangle_count);

uint32_t __wrap_grz_leaf_faces_for(uint32_t face_count, uint32_t triangle_count)
{
    const uint32_t number = triangle_count == SCALPEL_TRIANGLES ? chosen.scalpel : chosen.model;
    return number != 0 ? number : __real_grz_leaf_faces_for(face_count, triangle_count);
}

static uint32_t rule_for(const peer_mesh *mesh)
{
    return __real_grz_leaf_faces_for(mesh->triangle_count, mesh->triangle_count);
}

static uint32_t papers_rule(uint32_t triangles)
{
    return triangles < 5000 ? 100 : 450; // the middle of 50 to 150, and of 300 to 600
}

// ---- A step: the model moves, the scalpel touches it ----------------------------------------------------------------

// The times of all steps, in seconds.
typedef struct steps {
    double update[MOST_TOUCHES], upload[MOST_TOUCHES], query[MOST_TOUCHES], total[MOST_TOUCHES];
    double with_copy[MOST_TOUCHES]; // the total and grz_mesh_set_positions(), which copies and checks
    int count;
    uint64_t pairs; // of all steps
    int as_wanted;  // steps that touch LEAST_FACES to MOST_FACES of the model's faces
} steps;

// Meshes whose leaves have a size, and the steps that they went through.
typedef struct subject {
    grz_mesh *mesh, *scalpel;
    leaf_choice choice;
    grz_leaf_boxes leaves; // of the model, once more: the update alone is measured on them
    grz_control control;
    steps of;
} subject;

static double ask_selection(run *r, leaf_choice choice, const grz_object *a, const grz_object *b)
{
    grz_error error;
    grz_collide_options options = grz_default_collide_options();
    options.method = "selection";
    options.find = GRZ_FIND_PAIRS;
    chosen = choice;
    const stopwatch start = measure_start();
    check(grz_collide(r->device, a, b, &options, r->result, &error), &error);
    return measure_stop(start);
}

// One step. The total is that of the query after a change: update, upload and query; the query alone is that of asking
// again. What neither the update nor the query explains is the upload.
static void run_step(run *r, const model *m, subject *s, uint32_t step, bool keep)
{
    const grz_object a = grz_object_at_origin(s->mesh), b = place(s->scalpel, &m->poses[step % m->pose_count]);
    grz_error error;
    steps *of = &s->of;
    const stopwatch start = measure_start();
    check(grz_mesh_set_positions(s->mesh, model_step(m, step), &error), &error);
    const double copy = measure_stop(start);
    const stopwatch refit = measure_start();
    check(grz_leaf_boxes_refit(&s->leaves, s->mesh, &s->control), NULL);
    const double update = measure_stop(refit), total = ask_selection(r, s->choice, &a, &b),
                 query = ask_selection(r, s->choice, &a, &b);
    if (!keep || of->count == MOST_TOUCHES)
        return;
    const uint32_t faces = touched_faces(r->result);
    of->as_wanted += faces >= LEAST_FACES && faces <= MOST_FACES;
    of->pairs += grz_result_summary(r->result)->pair_count;
    of->update[of->count] = update;
    of->upload[of->count] = fmax(total - update - query, 0.0);
    of->total[of->count] = total;
    of->with_copy[of->count] = copy + total;
    of->query[of->count++] = query;
}

static void subject_make(run *r, const model *m, leaf_choice choice, subject *s)
{
    grz_error error;
    *s = (subject){.mesh = upload(r, &m->mesh), .scalpel = upload(r, &m->scalpel), .choice = choice};
    grz_control_init(&s->control, grz_device_allocator(r->device), NULL);
    check(grz_leaf_boxes_build(&s->leaves, s->mesh, choice.model != 0 ? choice.model : rule_for(&m->mesh), &s->control,
                               &error),
          &error);
    for (uint32_t step = 0; step < 3; step++) // leaves, buffers and room for lists
        run_step(r, m, s, step, false);
}

static void subject_free(subject *s)
{
    grz_leaf_boxes_finish(&s->leaves);
    grz_mesh_destroy(s->mesh);
    grz_mesh_destroy(s->scalpel);
}

// Let all subjects go through the steps in turn, a round of all poses each, so that all see the same machine.
static void run_rounds(run *r, const model *m, subject *subjects, int count, uint32_t rounds)
{
    for (uint32_t round = 0; round < rounds; round++)
        for (int i = 0; i < count; i++)
            for (uint32_t pose = 0; pose < m->pose_count; pose++)
                run_step(r, m, &subjects[i], round * m->pose_count + pose, true);
}

// Print the median and the 99th percentile (seconds) in microseconds, and write them to the CSV file with the least and
// the most. Sorts. Returns the median in microseconds.
static double report_times(run *r, const char *part, double x, const char *name, double *times, int count)
{
    const double middle = 1e6 * measure_median(times, count), late = 1e6 * times[(99 * count - 1) / 100];
    printf("  %8.1f %8.1f", middle, late);
    if (r->csv != NULL)
        fprintf(r->csv, "%s,\"%s\",%g,%.3f,%.3f,%.3f,%.3f\n", part, name, x, middle, 1e6 * times[0],
                1e6 * times[count - 1], late);
    return middle;
}

// All times of some steps. Returns the median of the total.
static double report_steps(run *r, const char *part, double x, steps *of)
{
    report_times(r, part, x, "update", of->update, of->count);
    report_times(r, part, x, "upload", of->upload, of->count);
    report_times(r, part, x, "query", of->query, of->count);
    return report_times(r, part, x, "total", of->total, of->count);
}

static subject *make_subjects(int count)
{
    subject *subjects = malloc((size_t)count * sizeof *subjects);
    if (subjects == NULL)
        peer_die("out of memory");
    return subjects;
}

static void figure2(run *r)
{
    subject *subjects = make_subjects(SIZES);
    printf(
        "\nFigure 2: faces in a leaf, of both meshes. Every vertex of the model moves in each step, then the scalpel "
        "touches %d to %d faces.\nMicroseconds, median and 99th percentile: the update of boxes alone (CPU), the "
        "upload, the query alone, all of a step\n",
        LEAST_FACES, MOST_FACES);
    for (int i = 0; i < MODELS; i++) {
        model m;
        char part[64];
        double best = HUGE_VAL;
        uint32_t best_size = 0;
        model_make(r, i, touches_of(r), &m);
        for (int s = 0; s < SIZES; s++)
            subject_make(r, &m, (leaf_choice){leaf_sizes[s], leaf_sizes[s]}, &subjects[s]);
        run_rounds(r, &m, subjects, SIZES, repeats_of(r));
        printf("  %s, %u triangles, %d touches of %u poses, %d%% of %d to %d faces\n", m.name, m.mesh.triangle_count,
               subjects[0].of.count, m.pose_count, 100 * subjects[0].of.as_wanted / subjects[0].of.count, LEAST_FACES,
               MOST_FACES);
        snprintf(part, sizeof part, "faces %s", m.name);
        for (int s = 0; s < SIZES; s++) {
            printf("    %5u faces", leaf_sizes[s]);
            const double total = report_steps(r, part, leaf_sizes[s], &subjects[s].of);
            printf("\n");
            best_size = total < best ? leaf_sizes[s] : best_size;
            best = fmin(best, total);
            subject_free(&subjects[s]);
        }
        printf("    best with %u faces; chosen by size: %u; by the paper's rule: %u\n", best_size, rule_for(&m.mesh),
               papers_rule(m.mesh.triangle_count));
        fflush(stdout);
        model_free(&m);
    }
    free(subjects);
}

// ---- The rule -------------------------------------------------------------------------------------------------------

static const uint32_t model_sizes[] = {32, 64, 100, 128, 200, 450}, scalpel_sizes[] = {8, 16, 32, 64, 128};

enum {
    MODEL_SIZES = sizeof model_sizes / sizeof *model_sizes,
    SCALPEL_SIZES = sizeof scalpel_sizes / sizeof *scalpel_sizes
};

// Each mesh with a number of its own: a step's median in microseconds, a line for each number of the scalpel.
static void rule(run *r)
{
    subject *subjects = make_subjects(MODEL_SIZES * SCALPEL_SIZES);
    printf("\nThe rule: a step's median in microseconds; columns: faces in a leaf of the model, lines: of the "
           "scalpel\n");
    for (int i = 0; i < MODELS; i++) {
        model m;
        char part[64];
        model_make(r, i, touches_of(r), &m);
        for (int s = 0; s < MODEL_SIZES * SCALPEL_SIZES; s++)
            subject_make(r, &m, (leaf_choice){model_sizes[s % MODEL_SIZES], scalpel_sizes[s / MODEL_SIZES]},
                         &subjects[s]);
        run_rounds(r, &m, subjects, MODEL_SIZES * SCALPEL_SIZES, (repeats_of(r) + 3) / 4);
        printf("  %-16s", m.name);
        for (int s = 0; s < MODEL_SIZES; s++)
            printf("  %8u", model_sizes[s]);
        for (int s = 0; s < MODEL_SIZES * SCALPEL_SIZES; s++) {
            steps *of = &subjects[s].of;
            const uint32_t scalpel = scalpel_sizes[s / MODEL_SIZES];
            const double middle = 1e6 * measure_median(of->total, of->count);
            if (s % MODEL_SIZES == 0)
                printf("\n  %16u", scalpel);
            printf("  %8.1f", middle);
            snprintf(part, sizeof part, "rule %s", m.name);
            if (r->csv != NULL)
                fprintf(r->csv, "%s,\"scalpel %u\",%u,%.3f,,,\n", part, scalpel, model_sizes[s % MODEL_SIZES], middle);
            subject_free(&subjects[s]);
        }
        printf("\n");
        fflush(stdout);
        model_free(&m);
    }
    free(subjects);
}

// The slope of a line through logarithms: how the time grows with the size.
static double slope_of(const double *sizes, const double *times, int count)
{
    double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (int i = 0; i < count; i++) {
        const double a = log(sizes[i]), b = log(times[i]);
        x += a, y += b, xx += a * a, xy += a * b;
    }
    return (count * xy - x * y) / (count * xx - x * x);
}

static void figure3(run *r)
{
    subject *of_rule = make_subjects(1);
    double sizes[MODELS], queries[MODELS], totals[MODELS], updates[MODELS];
    printf(
        "\nFigure 3: the size of the model, with as many faces in a leaf as are chosen by it. Microseconds, median and "
        "99th percentile:\nupdate, upload, query, all of a step\n");
    for (int i = 0; i < MODELS; i++) {
        model m;
        model_make(r, i, touches_of(r), &m);
        subject_make(r, &m, (leaf_choice){0, 0}, of_rule);
        run_rounds(r, &m, of_rule, 1, repeats_of(r));
        printf("  %-24s %6u triangles", m.name, m.mesh.triangle_count);
        steps *of = &of_rule->of;
        sizes[i] = m.mesh.triangle_count;
        totals[i] = report_steps(r, "size", sizes[i], of);
        updates[i] = measure_median(of->update, of->count);
        queries[i] = measure_median(of->query, of->count);
        printf("   %.1f pairs a touch\n", (double)of->pairs / of->count);
        fflush(stdout);
        subject_free(of_rule);
        model_free(&m);
    }
    free(of_rule);
    printf(
        "  grows with the number of triangles to the power of: update %.2f, query %.2f, all %.2f (1: in proportion)\n",
        slope_of(sizes, updates, MODELS), slope_of(sizes, queries, MODELS), slope_of(sizes, totals, MODELS));
}

// ---- The update beside a copy ---------------------------------------------------------------------------------------

// Number the vertices in the order in which the leaves list them.
static peer_mesh in_leaf_order(run *r, const peer_mesh *mesh, uint32_t max_faces)
{
    grz_mesh *uploaded = upload(r, mesh);
    grz_leaf_boxes leaves;
    grz_control control;
    grz_error error;
    peer_mesh out = {.vertex_count = mesh->vertex_count, .triangle_count = mesh->triangle_count};
    uint32_t *number = malloc(mesh->vertex_count * sizeof *number), count = 0;
    out.positions = malloc(mesh->vertex_count * sizeof *out.positions);
    out.triangles = malloc(mesh->triangle_count * sizeof *out.triangles);
    if (number == NULL || out.positions == NULL || out.triangles == NULL)
        peer_die("out of memory");
    memset(number, 0xff, mesh->vertex_count * sizeof *number);
    grz_control_init(&control, grz_device_allocator(r->device), NULL);
    check(grz_leaf_boxes_build(&leaves, uploaded, max_faces, &control, &error), &error);
    for (uint64_t i = 0; i < leaves.vertex_total; i++)
        if (number[leaves.vertices[i]] == UINT32_MAX)
            number[leaves.vertices[i]] = count++;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        number[v] = number[v] != UINT32_MAX ? number[v] : count++; // no face uses it
        memcpy(out.positions[number[v]], mesh->positions[v], sizeof out.positions[0]);
    }
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            out.triangles[t][k] = number[mesh->triangles[t][k]];
    free(number);
    grz_leaf_boxes_finish(&leaves);
    grz_mesh_destroy(uploaded);
    return out;
}

static double time_copy(const void *from, void *to, size_t bytes)
{
    const double start = grz_clock_seconds();
    memcpy(to, from, bytes);
    return grz_clock_seconds() - start;
}

// Refit and copy in turn, so that both see the same machine.
static void compare_with_copy(run *r, const char *name, const peer_mesh *mesh, uint32_t max_faces)
{
    grz_mesh *uploaded = upload(r, mesh);
    grz_leaf_boxes leaves;
    grz_control control;
    grz_error error;
    grz_control_init(&control, grz_device_allocator(r->device), NULL);
    check(grz_leaf_boxes_build(&leaves, uploaded, max_faces, &control, &error), &error);
    const size_t positions = (size_t)mesh->vertex_count * sizeof mesh->positions[0],
                 list = leaves.vertex_total * sizeof *leaves.vertices;
    char *to = malloc(positions + list);
    if (to == NULL)
        peer_die("out of memory");
    memset(to, 1, positions + list);
    printf("  %-30s %5u faces a leaf", name, max_faces);
    for (int simd = 0; simd < GRZ_SIMD_COUNT; simd++) {
        double refits[COPIES], copies[COPIES], all[COPIES];
        if (!grz_simd_available((grz_simd)simd))
            continue;
        for (int i = 0; i < COPIES; i++) {
            copies[i] = time_copy(uploaded->positions, to, positions);
            all[i] = copies[i] + time_copy(leaves.vertices, to + positions, list);
            const double start = grz_clock_seconds();
            grz_leaf_refit_for((grz_simd)simd)(uploaded->positions, &leaves, 0, leaves.leaf_count);
            refits[i] = grz_clock_seconds() - start;
        }
        char label[64];
        const double copy = 1e6 * measure_median(copies, COPIES), both = 1e6 * measure_median(all, COPIES),
                     refit = 1e6 * measure_median(refits, COPIES);
        if (simd == 0)
            printf("  copy %7.2f, with list %7.2f;", copy, both);
        printf("  %s %7.2f (%.2f, %.2f)", grz_simd_name((grz_simd)simd), refit, refit / copy, refit / both);
        snprintf(label, sizeof label, "%s, %s", name, grz_simd_name((grz_simd)simd));
        if (r->csv != NULL)
            fprintf(r->csv, "update,\"%s\",%u,%.4f,%.4f,%.4f\n", label, max_faces, refit, copy, both);
    }
    printf("\n");
    free(to);
    grz_leaf_boxes_finish(&leaves);
    grz_mesh_destroy(uploaded);
}

static void update(run *r)
{
    static const int models[] = {1, 4};
    printf(
        "\nThe update beside copying the bytes that it must read: microseconds (median of %d), and how many times the "
        "copy of the\npositions and of positions and lists of vertices together. The paper: 390 us for 3,752 "
        "triangles, about 5,000 for 50,000\n",
        COPIES);
    for (int i = 0; i < 2; i++) {
        model m;
        char name[80];
        model_make(r, models[i], 1, &m);
        const uint32_t sizes[3] = {64, rule_for(&m.mesh), papers_rule(m.mesh.triangle_count)};
        for (int s = 0; s < 3; s++) {
            if (s > 0 && sizes[s] == sizes[s - 1])
                continue;
            peer_mesh ordered = in_leaf_order(r, &m.mesh, sizes[s]);
            compare_with_copy(r, m.name, &m.mesh, sizes[s]);
            snprintf(name, sizeof name, "%s, leaf order", m.name);
            compare_with_copy(r, name, &ordered, sizes[s]);
            shape_free(&ordered);
        }
        model_free(&m);
    }
}

// ---- The update beside that of a tree -------------------------------------------------------------------------------

static grz_simd widest(void)
{
    grz_simd best;
    grz_error error;
    check(grz_simd_choose(&best, &error), &error);
    return best;
}

// The median of updates in turn: leaves, a tree of two children a node, and bvh, each without SIMD and with.
static void compare_with_tree(run *r, const model *m)
{
    enum {
        LEAVES,
        LEAVES_SIMD,
        TREE,
        BVH_SIMD,
        WAYS
    };
    static double times[WAYS][COPIES];
    grz_mesh *uploaded = upload(r, &m->mesh);
    grz_leaf_boxes leaves;
    grz_control control;
    grz_error error;
    const grz_bvh *bvh;
    double middles[WAYS];
    grz_control_init(&control, grz_device_allocator(r->device), NULL);
    check(grz_leaf_boxes_build(&leaves, uploaded, rule_for(&m->mesh), &control, &error), &error);
    aabb_tree *tree = aabb_tree_build(&m->mesh);
    check(grz_mesh_bvh(uploaded, &control, &bvh, &error), &error);
    const grz_simd best = widest();
    for (int i = 0; i < COPIES; i++) {
        const double(*positions)[3] = model_step(m, (uint32_t)i);
        check(grz_mesh_set_positions(uploaded, positions, &error), &error);
        double start = grz_clock_seconds();
        grz_leaf_refit_for(GRZ_SIMD_SCALAR)(uploaded->positions, &leaves, 0, leaves.leaf_count);
        times[LEAVES][i] = grz_clock_seconds() - start;
        start = grz_clock_seconds();
        grz_leaf_refit_for(best)(uploaded->positions, &leaves, 0, leaves.leaf_count);
        times[LEAVES_SIMD][i] = grz_clock_seconds() - start;
        start = grz_clock_seconds();
        aabb_tree_refit(tree, positions);
        times[TREE][i] = grz_clock_seconds() - start;
        start = grz_clock_seconds();
        check(grz_mesh_bvh(uploaded, &control, &bvh, &error), &error);
        times[BVH_SIMD][i] = grz_clock_seconds() - start;
    }
    for (int i = 0; i < WAYS; i++)
        middles[i] = 1e6 * measure_median(times[i], COPIES);
    printf("  %-26s %6u  %9.1f  %9.1f  %9.1f  %9.1f  %8.3f  %8.3f\n", m->name, m->mesh.triangle_count, middles[LEAVES],
           middles[LEAVES_SIMD], middles[TREE], middles[BVH_SIMD], middles[LEAVES] / middles[TREE],
           middles[LEAVES_SIMD] / middles[TREE]);
    if (r->csv != NULL)
        fprintf(r->csv, "tree,\"%s\",%u,%.3f,%.3f,%.3f,%.3f\n", m->name, m->mesh.triangle_count, middles[LEAVES],
                middles[LEAVES_SIMD], middles[TREE], middles[BVH_SIMD]);
    aabb_tree_free(tree);
    grz_leaf_boxes_finish(&leaves);
    grz_mesh_destroy(uploaded);
}

static void tree(run *r)
{
    printf("\nUpdates: microseconds (median of %d): leaf boxes without SIMD and with %s; a tree of boxes with two "
           "children a node and a\ntriangle a leaf, level by level, without SIMD; bvh, with SIMD. Leaves / tree: the "
           "paper has 0.39 ms / 1.5 ms = 0.26\n  %-26s %6s  %9s  %9s  %9s  %9s  %8s  %8s\n",
           COPIES, grz_simd_name(widest()), "", "", "leaves", "SIMD", "tree", "bvh", "/ tree", "SIMD / tree");
    for (int i = 0; i < MODELS; i++) {
        model m;
        model_make(r, i, 1, &m);
        compare_with_tree(r, &m);
        fflush(stdout);
        model_free(&m);
    }
}

// ---- Other libraries ------------------------------------------------------------------------------------------------

// The same steps by another library: new positions, refit, all pairs. Returns the pairs of all steps.
static uint64_t run_peer(run *r, const model *m, const peer *library, double *times, int *count)
{
    peer_pairs pairs = {.items = NULL};
    uint64_t found = 0;
    void *a = library->create(&m->mesh, true), *b = library->create(&m->scalpel, false);
    const peer_pose still = pose_still();
    const int wanted = (int)(m->pose_count * repeats_of(r));
    *count = 0;
    for (int step = -3; step < wanted && *count < MOST_TOUCHES; step++) {
        const uint32_t number = (uint32_t)(step < 0 ? step + 3 : step);
        const peer_pose *pose = &m->poses[number % m->pose_count];
        if ((library->flags & PEER_PLACED) != 0)
            library->place(b, pose);
        pairs.count = 0;
        const stopwatch start = measure_start();
        library->update(a, model_step(m, number));
        library->pairs(a, &still, b, pose, &pairs);
        const double seconds = measure_stop(start);
        if (step < 0)
            continue;
        times[(*count)++] = seconds;
        found += pairs.count;
    }
    library->destroy(a);
    library->destroy(b);
    free(pairs.items);
    return found;
}

// The ways of all libraries that can refit.
static size_t list_libraries(const peer *ways[8])
{
    size_t count = 0;
    const peer_list lists[] = {
        peer_graze(),
#ifdef PEERS_FCL
        peer_fcl(),
#endif
#ifdef PEERS_EMBREE
        peer_embree(),
#endif
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (size_t k = 0; k < lists[i].count && count < 8; k++)
            if ((lists[i].items[k].flags & PEER_USUAL) != 0 && lists[i].items[k].update != NULL &&
                lists[i].items[k].pairs != NULL)
                ways[count++] = &lists[i].items[k];
    return count;
}

static void peers(run *r)
{
    static double times[MOST_TOUCHES];
    subject *of_rule = make_subjects(1);
    const peer *ways[8];
    const size_t count = list_libraries(ways);
    printf("\nThe same steps by other libraries: new positions, refit and all pairs, microseconds (median, 99th "
           "percentile); pairs of all steps\n");
    for (int i = 0; i < MODELS; i++) {
        model m;
        int asked;
        model_make(r, i, touches_of(r), &m);
        printf("  %s, %u triangles\n", m.name, m.mesh.triangle_count);
        subject_make(r, &m, (leaf_choice){0, 0}, of_rule);
        run_rounds(r, &m, of_rule, 1, repeats_of(r));
        printf("    %-22s", "selection");
        report_times(r, "peers", m.mesh.triangle_count, "selection", of_rule->of.with_copy, of_rule->of.count);
        printf("   %llu pairs\n", (unsigned long long)of_rule->of.pairs);
        subject_free(of_rule);
        for (size_t k = 0; k < count; k++) {
            if (ways[k]->start != NULL && i == 0)
                ways[k]->start(1);
            const uint64_t found = run_peer(r, &m, ways[k], times, &asked);
            printf("    %-22s", ways[k]->name);
            report_times(r, "peers", m.mesh.triangle_count, ways[k]->name, times, asked);
            printf("   %llu pairs\n", (unsigned long long)found);
            fflush(stdout);
        }
        model_free(&m);
    }
    free(of_rule);
}

// ---- A large scene --------------------------------------------------------------------------------------------------

enum {
    FRAMES = 5,
    SIDE = 10, // objects along each side of a block
    MOVED = 10 // one object in so many deforms in each frame; all others stay or are moved
};

// Put object i at its place in a block, shaken a little, so that neighbours touch.
static grz_pose place_of(uint32_t i, double gap, int frame)
{
    shape_random random = {.state = i + 1};
    double at[3];
    for (int j = 0; j < 3; j++)
        at[j] = gap * (double)(i / (uint32_t)lround(pow(SIDE, j)) % SIDE) + shape_random_in(&random, -0.1, 0.1) +
                0.01 * frame * (double)(i % 3 == 0);
    return grz_pose_from_translation(at[0], at[1], at[2]);
}

// The time of frames by a method, and how many pairs of objects touch in all of them.
static uint64_t run_scene(run *r, const char *method, const peer_mesh *ball, uint32_t count, double *times)
{
    grz_mesh **meshes = malloc(count * sizeof(grz_mesh *));
    double(*positions)[3] = copy_positions(ball);
    grz_collide_options options = grz_default_collide_options();
    grz_scene *scene;
    grz_error error;
    uint64_t touching = 0;
    if (meshes == NULL)
        peer_die("out of memory");
    check(grz_scene_create(r->device, &scene, &error), &error);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id;
        meshes[i] = upload(r, ball);
        const grz_object object = grz_object_at(meshes[i], place_of(i, 1.9, 0));
        check(grz_scene_add(scene, &object, &id, &error), &error);
    }
    options.method = method;
    options.find = GRZ_FIND_PAIRS;
    for (int frame = -1; frame < FRAMES; frame++) { // the first one makes leaves, trees and buffers
        for (uint32_t v = 0; v < ball->vertex_count; v++)
            for (int j = 0; j < 3; j++)
                positions[v][j] = (double)(float)(ball->positions[v][j] * (1.0 + 0.02 * sin(frame + 5.0 * v)));
        for (uint32_t i = 0; i < count; i++) {
            const grz_pose pose = place_of(i, 1.9, frame);
            if (i % MOVED == 0)
                check(grz_mesh_set_positions(meshes[i], positions, &error), &error);
            check(grz_scene_set_pose(scene, i, &pose, &error), &error);
        }
        const stopwatch start = measure_start();
        check(grz_collide_scene(r->device, scene, &options, r->result, &error), &error);
        const double seconds = measure_stop(start);
        uint64_t pairs;
        grz_result_scene_pairs(r->result, &pairs);
        if (frame >= 0) {
            times[frame] = seconds;
            touching += grz_result_summary(r->result)->pair_count;
        }
    }
    grz_scene_destroy(scene);
    for (uint32_t i = 0; i < count; i++)
        grz_mesh_destroy(meshes[i]);
    free(meshes);
    free(positions);
    return touching;
}

static void scene(run *r)
{
    static const char *const methods[] = {"selection", "bvh", "slices", "layers"};
    const uint32_t count = r->quick ? 100 : SIDE * SIDE * SIDE;
    peer_mesh ball = shape_blob(9, 0.1, 3);
    printf("\nA scene of %u objects, %u triangles; in each of %d frames a tenth of them deforms and a third moves: "
           "microseconds a frame\n(median, least and most), pairs of faces that touch in all frames\n",
           count, count * ball.triangle_count, FRAMES);
    for (int i = 0; i < 4; i++) {
        double times[FRAMES];
        const uint64_t pairs = run_scene(r, methods[i], &ball, count, times);
        printf("  %-12s", methods[i]);
        report(r, "scene", count, methods[i], times, FRAMES);
        printf("   %llu pairs\n", (unsigned long long)pairs);
        fflush(stdout);
    }
    shape_free(&ball);
}

int main(int argc, char **argv)
{
    static const bench_part parts[] = {{"figure2", figure2}, {"rule", rule},   {"figure3", figure3}, {"update", update},
                                       {"tree", tree},       {"peers", peers}, {"scene", scene}};
    run r = {.method = "selection"};
    return run_parts(&r, argc, argv, parts, sizeof parts / sizeof *parts, "part,name,x,value,least,most,late",
                     SELECTION_SOURCE);
}
