// SPDX-License-Identifier: MIT
// What rows about two rigid meshes at many poses share: a scene, which says how the meshes and poses are made, and the
// functions of a row that asks it for yes or no, or for all touching pairs.
#ifndef GRZ_BENCH_PEERS_PAIR_ROWS_H
#define GRZ_BENCH_PEERS_PAIR_ROWS_H

#include "poses.h"
#include "rows.h"

// Two meshes and their poses; made once for all rows that use them.
typedef struct scene {
    void (*make_meshes)(const settings *set, struct scene *s); // a and b
    void (*make_poses)(const settings *set, const pose_meshes *meshes, pose_set *poses);
    uint32_t detail;   // for make_meshes(): how fine they are, where several scenes share one function
    uint32_t builds;   // build_ms is the median of so many builds; 0: the first build of the process alone
    bool not_in_quick; // --quick leaves it out
    // The rest is filled in by scene_prepare_verdicts() and scene_prepare_lists().
    peer_mesh a, b;
    pose_set poses;
    uint32_t *touching; // the queries that touch
    uint32_t touching_count;
    // Of the touching queries: query i's pairs are truth.items[first[i]] up to first[i + 1]. Empty until a row asks for
    // lists.
    peer_pairs truth;
    size_t *first;
    bool made;
} scene;

// Functions of `row`. A row of verdicts asks all poses for yes or no; a row of lists asks those that touch for all
// touching pairs.
const void *scene_prepare_verdicts(const settings *set, void *subject, char about[256]);
const void *scene_prepare_lists(const settings *set, void *subject, char about[256]);
uint32_t scene_queries(const void *data);
bool scene_can_tell(const peer *p);
bool scene_can_list(const peer *p);
void scene_measure(const row_work *work, figures *out);

// Entries of a table of rows.
#define VERDICT_ROW(name, label, title, scene)                                                                         \
    {                                                                                                                  \
        name, label, title, NULL, scene, scene_prepare_verdicts, scene_queries, scene_can_tell, scene_measure          \
    }
#define LIST_ROW(name, label, title, scene)                                                                            \
    {                                                                                                                  \
        name, label, title, NULL, scene, scene_prepare_lists, scene_queries, scene_can_list, scene_measure             \
    }

#endif
