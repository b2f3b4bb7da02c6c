// SPDX-License-Identifier: MIT
// Small cases whose answers are worked out by hand, for this library and others (docs/reference/peers.md). A program
// per library fills a table of `peers_way`, the ways to use that library, and passes it to peers_run(). That runs each
// case in a process of its own, in both orders, compares the pairs with Graze's and prints a line per case.
#ifndef GRZ_BENCH_PEERS_ANSWERS_CASES_H
#define GRZ_BENCH_PEERS_ANSWERS_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PEERS_MAX_VERTICES = 1024,
    PEERS_MAX_TRIANGLES = 1024,
    PEERS_MAX_PAIRS = 1 << 16
};

typedef struct peers_mesh {
    double positions[PEERS_MAX_VERTICES][3];
    uint32_t triangles[PEERS_MAX_TRIANGLES][3];
    uint32_t vertex_count, triangle_count;
} peers_mesh;

typedef enum peers_word {
    PEERS_NO,
    PEERS_YES,
    PEERS_CANNOT_SAY // the library refused, or has no call for this question
} peers_word;

// A library's answer to one case. The way's function fills it; at first everything is zero, except `touches`, which is
// PEERS_CANNOT_SAY.
typedef struct peers_answer {
    peers_word touches; // do the two surfaces have a common point
    bool lists_pairs;   // whether the pairs of triangles below mean something
    uint32_t
        pair_count; // entries of `pairs`; the same pair may come twice, as it does where a pair has two contact points
    uint32_t (*pairs)[2]; // PEERS_MAX_PAIRS of them, owned by the harness
    char remark[160];     // anything else worth printing: containment, depth, normal
} peers_answer;

// A way to ask: `ask` for two meshes, `ask_self` for one with itself; either may be NULL.
typedef struct peers_way {
    const char *name;
    bool single_precision; // the library keeps positions as floats: it is asked about, and judged by, the rounded ones
    bool boxes_only;       // its pairs are pairs of boxes, by design: extra pairs are no mistake
    void (*ask)(const peers_mesh *a, const peers_mesh *b, peers_answer *answer);
    void (*ask_self)(const peers_mesh *mesh, peers_answer *answer);
} peers_way;

// Add a pair to an answer; beyond PEERS_MAX_PAIRS the process ends with a message.
void peers_add_pair(peers_answer *answer, uint32_t a, uint32_t b);

// Ask every question in every way and print the answers. `library` is the name and version for the heading.
// @return what main() returns: 0, or 2 if a process could not be started. A wrong answer is no failure: it is what is
// measured.
int peers_run(const char *library, const peers_way *ways, size_t way_count);

// The right answer to a case, worked out by hand.
typedef struct peers_truth {
    peers_word touches;
    const char *relation; // as grz_relation has it: "apart", "colliding", "overlapping", "b inside a"
} peers_truth;

typedef struct peers_case {
    const char *name;
    const char *what;
    bool self; // only mesh `a` counts
    peers_truth truth;
    void (*build)(peers_mesh *a, peers_mesh *b);
    void (*build_variant)(peers_mesh *a, peers_mesh *b, uint64_t variant); // where `build` is NULL
} peers_case;

enum {
    PEERS_VARIANTS = 100 // of a question with build_variant; the others have one
};

// Graze, through its public calls with the default options. The harness uses its pairs as the right ones.
void peers_ask_graze(const peers_mesh *a, const peers_mesh *b, peers_answer *answer);
void peers_ask_graze_self(const peers_mesh *mesh, peers_answer *answer);

extern const peers_case peers_cases[];
extern const size_t peers_case_count;

// @return how many variants a question has
unsigned peers_variant_count(const peers_case *question);

// Make the meshes of a case's variant; their former contents are replaced.
void peers_build(const peers_case *question, unsigned variant, peers_mesh *a, peers_mesh *b);

#ifdef __cplusplus
}
#endif

#endif
