// SPDX-License-Identifier: MIT
// What the benchmark of method `selection` asks: models of the paper's sizes, and poses at which a scalpel touches 10
// to 15 of their faces.
#ifndef GRZ_BENCH_SELECTION_TOUCHES_H
#define GRZ_BENCH_SELECTION_TOUCHES_H

#include "run.h"

enum {
    MODELS = 5,
    LEAST_FACES = 10, // of the model that a touch touches
    MOST_FACES = 15,
    STEPS = 16, // deformations
    SCALPEL_TRIANGLES = 128
};

typedef struct model {
    char name[40];
    peer_mesh mesh, scalpel;
    double (*steps[STEPS])[3]; // positions: all vertices moved a little, each step another way
    peer_pose *poses;          // of the scalpel
    uint32_t pose_count;
} model;

// Read or make model number i, and find `count` poses. Models that are not in data/ are generated (anatomy.h), or read
// from the folder that the environment variable GRZ_BENCH_MESHES names.
void model_make(run *r, int i, uint32_t count, model *m);
void model_free(model *m);

// How many faces of A are in a result's pairs.
uint32_t touched_faces(const grz_result *result);

// The positions of a step, rounded to float as all positions of the benchmarks are.
static inline const double (*model_step(const model *m, uint32_t i))[3]
{
    return (const double(*)[3])m->steps[i % STEPS];
}

#endif
