// SPDX-License-Identifier: MIT
// Shared by the benchmarks of image methods: the device, the models, ways to query, printing and storing figures.
#ifndef GRZ_BENCH_IMAGE_RUN_H
#define GRZ_BENCH_IMAGE_RUN_H

#include <graze/gl.h>
#include <graze/graze.h>

#include <stdio.h>

#include "measure.h"
#include "poses.h"

enum {
    ROUNDS = 10,
    MOST_WAYS = 8
};

typedef struct run {
    const char *method; // that is measured
    bool quick;
    const char *parts, *csv_path, *plot_path;
    FILE *csv;
    grz_device *device;
    grz_result *result;
    grz_renderer renderer;
} run;

// End the program if a call failed.
void check(grz_status status, const grz_error *error);

grz_mesh *upload(run *r, const peer_mesh *mesh);
grz_object place(const grz_mesh *mesh, const peer_pose *pose);
peer_pose pose_still(void);

// The discrete answer of `slices`, and the exact one by any method.
bool ask(run *r, const grz_slices_options *options, const grz_object *a, const grz_object *b);
bool ask_exact(run *r, const char *method, uint32_t find, const grz_object *a, const grz_object *b);

// True if the objects share a cell of a conservative grid of resolution² pixels and 32 slices. Never false if they
// touch.
bool ask_gate(run *r, uint32_t resolution, const grz_object *a, const grz_object *b);

grz_slices_options settings_of(uint32_t resolution, uint32_t refinements, uint32_t last_slices);

// read_models: two models of about 6,000 triangles, of the same size. make_models: a bumpy sphere and a bumpy torus
// with a given number of triangles in total.
void read_models(peer_mesh models[2]);
void make_models(uint32_t triangles, peer_mesh models[2]);

// Random placements of two models, and what they are made of.
typedef struct placements {
    peer_mesh models[2];
    truth_pair *truth;
    pose_set poses;
    grz_mesh *a, *b;
} placements;

// Takes the models. share: of the placements, so many collide.
placements placements_open(run *r, const peer_mesh models[2], uint32_t count, double share, uint64_t seed);
void placements_close(placements *p);

// A copy of the positions; the caller frees it.
double (*copy_positions(const peer_mesh *mesh))[3];

// A way to ask whether two meshes collide: slices by some settings, or a library.
typedef struct way {
    const char *name;
    grz_slices_options slices;
    bool exact, gate;    // slices, exact, or its conservative grid alone; no settings
    const peer *library; // NULL: slices
    void *models[2];
    grz_mesh *meshes[2];
} way;

// Slices 32 and 64, or the exact answer and its conservative grid; Graze's bvh, FCL. Returns how many there are.
size_t make_ways(run *r, const peer_mesh meshes[2], bool deforming, bool exact, way ways[MOST_WAYS]);
void drop_ways(way *ways, size_t count);
const peer *find_library(const peer_list *list, const char *name);

// Seconds that a query takes.
double time_query(run *r, const way *w, const posed_query *query);

// Print the median of several rounds (seconds) with minimum and maximum, in microseconds, and write it to the CSV file.
// The rounds are sorted. Returns the median in microseconds.
double report(run *r, const char *part, double x, const char *name, double *rounds, int count);

// Time some ways against the rate of collisions.
void time_rates(run *r, const char *part, const peer_mesh models[2], bool exact);

// A part of a benchmark.
typedef struct bench_part {
    const char *name;
    void (*measure)(run *r);
} bench_part;

// The benchmark's main: parse the command line, open the device, run the parts that are wanted, draw the plot of
// `source`/plot.gp. `columns` heads the CSV file.
int run_parts(run *r, int argc, char **argv, const bench_part *parts, size_t part_count, const char *columns,
              const char *source);

// Two objects side by side, whose boxes share half of their extent along x.
posed_query half_way(const peer_mesh models[2]);

// exact.c
void single(run *r);
void rates(run *r);
void outside(run *r);
void rebuild(run *r);
void batch(run *r);

#endif
