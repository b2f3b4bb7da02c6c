// SPDX-License-Identifier: MIT
// The functions that the benchmark needs of a library. An adapter, one file per library (adapters/peer_*), fills a
// table of `peer` with one entry for each way to use the library. A NULL function means that the library has no call
// for that query. Every measurement has a process of its own, so an adapter may keep global state and end the process
// by peer_die().
#ifndef GRZ_BENCH_PEERS_PEER_H
#define GRZ_BENCH_PEERS_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Plain arrays of the harness; they exist longer than every model made of them. All positions are floats widened to
// doubles, so that libraries of both precisions get the same meshes.
typedef struct peer_mesh {
    double (*positions)[3];
    uint32_t (*triangles)[3];
    uint32_t vertex_count, triangle_count;
} peer_mesh;

// Rows of a rigid map from mesh to world.
typedef struct peer_pose {
    double m[3][4];
} peer_pose;

typedef struct peer_box {
    double min[3], max[3];
} peer_box;

// True if two boxes overlap; touching counts.
static inline bool peer_boxes_overlap(const peer_box *a, const peer_box *b)
{
    return a->min[0] <= b->max[0] && b->min[0] <= a->max[0] && a->min[1] <= b->max[1] && b->min[1] <= a->max[1] &&
           a->min[2] <= b->max[2] && b->min[2] <= a->max[2];
}

typedef struct peer_pair {
    uint32_t a, b;
} peer_pair;

// A growing list, kept between queries.
typedef struct peer_pairs {
    peer_pair *items;
    size_t count, capacity;
} peer_pairs;

enum {
    PEER_SINGLE = 1u << 0, // the library keeps positions as floats
    PEER_PLACED =
        1u << 1, // it has no transforms: place() puts the moved positions into the model before the clock starts
    PEER_CULLS = 1u << 2,      // it leaves pairs out by design
    PEER_NEIGHBOURS = 1u << 3, // self(): it also reports pairs that share a vertex and meet elsewhere
    // touches() begins with what answered the query before; nothing else differs from another way of the library
    PEER_WARM = 1u << 4,
    PEER_USUAL = 1u << 5 // of the ways of a library, the one for rows that ask one of each
};

typedef struct peer {
    const char *library; // what --peers names: "fcl"
    const char *name;    // of the way: "FCL OBB"
    const char *version;
    unsigned flags;
    unsigned threads;
    // Called once, before anything else, and not measured.
    void (*start)(unsigned threads);
    // Make what queries need. `deforming`: update() will follow, every frame.
    void *(*create)(const peer_mesh *mesh, bool deforming);
    void (*destroy)(void *model);
    // Bytes in use, as the library counts them. NULL: the bytes allocated by malloc are used.
    size_t (*memory)(void);
    void (*place)(void *model, const peer_pose *pose);
    bool (*touches)(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b);
    // Append every touching pair of triangles.
    void (*pairs)(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b, peer_pairs *out);
    double (*distance)(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b);
    // The distances at `count` poses of B. NULL: distance() is called for each.
    void (*distances)(void *a, const peer_pose *pose_a, void *b, const peer_pose *poses_b, uint32_t count, double *out);
    // How far each of `count` points is from a model at the origin.
    void (*point_distances)(void *model, const double (*points)[3], uint32_t count, double *out);
    // Are any two triangles nearer than a clearance, or do they touch?
    bool (*nearer)(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b, double clearance);
    // Set new positions for all vertices, and prepare what the next query needs.
    void (*update)(void *model, const double (*positions)[3]);
    // Refit trees, if update() leaves that to the next query. NULL: update() does it.
    void (*refit)(void *model);
    // Find the pairs of triangles of one mesh that touch each other, starting from plain arrays: building is included.
    void (*self)(const peer_mesh *mesh, peer_pairs *out);
    // Overlapping boxes: created once, then called with the boxes of each frame.
    void *(*boxes_create)(const peer_box *boxes, uint32_t count);
    void (*boxes_pairs)(void *state, const peer_box *boxes, uint32_t count, peer_pairs *out);
} peer;

typedef struct peer_list {
    const peer *items;
    size_t count;
} peer_list;

// peer_NAME() for each adapter in this build. CMake writes the list, from the table of peers.cmake.
#define PEER(name) peer_list peer_##name(void);
#define ABSENT(name)
#include "peers_list.h"
#undef PEER
#undef ABSENT

// Print a message and end the process with status 2.
#ifdef __cplusplus
[[noreturn]]
#else
_Noreturn
#endif
void peer_die(const char *what);

// Append a pair; the order of the two is kept.
void peer_pairs_add(peer_pairs *pairs, uint32_t a, uint32_t b);

// The moved position as docs/reference/numbers.md defines it: doubles, rounded after every operation.
void peer_world_position(const peer_pose *pose, const double position[3], double world[3]);

// True if two triangles have a common point. Exact, and as fast as plain floating point if they are clearly apart or
// crossing. For libraries that leave this test to the user.
bool peer_triangles_touch(const double a[3][3], const double b[3][3]);

#ifdef __cplusplus
}
#endif

#endif
