// SPDX-License-Identifier: MIT
// Faces in groups: whether each group is closed, which way it is wound, and how its volume compares with another's.
#ifndef GRZ_MESH_SHELLS_SHELL_GROUPS_H
#define GRZ_MESH_SHELLS_SHELL_GROUPS_H

#include "mesh/shells/shell_edges.h"

typedef struct grz_group_volume {
    double sum, bound; // six times the volume is within `bound` of `sum`
} grz_group_volume;

typedef struct grz_shell_groups {
    const grz_mesh *mesh;
    grz_control *control;
    uint32_t count;
    const uint32_t *of_faces; // the group of each face, borrowed
    bool *closed;             // of each group: every edge is a side of an even number of its faces
    bool *balanced;           // of each group: of as many one way as the other
    grz_group_volume *volumes;
    size_t *starts;      // the triangles of group g are triangles[starts[g]] to triangles[starts[g + 1] - 1]
    uint32_t *triangles; // ascending within a group
} grz_shell_groups;

// Examine groups. Linear time.
// Returns GRZ_OK, GRZ_ERROR_MEMORY, or the control's status; grz_shell_groups_finish() is due in any case.
grz_status grz_shell_groups_init(grz_shell_groups *groups, const grz_shell_edges *edges, const uint32_t *of_faces,
                                 uint32_t count, grz_control *control);
void grz_shell_groups_finish(const grz_allocator *allocator, grz_shell_groups *groups);

// The sign of the volume that a balanced group encloses: the sum of the determinants of its triangles. Exact. If the
// control says to end meanwhile, any.
int grz_shell_group_sign(const grz_shell_groups *groups, uint32_t group);

// -1 if the volume of `one` is below that of `other`, 1 if above, 0 if they are the same. Exact, for balanced groups.
// If the control says to end meanwhile, any.
int grz_shell_group_compare(const grz_shell_groups *groups, uint32_t one, uint32_t other);

// The box of a group.
grz_box grz_shell_group_box(const grz_shell_groups *groups, uint32_t group);

// True if a box holds another; an empty box holds none.
bool grz_shell_box_holds(const grz_box *outer, const grz_box *inner);

#endif
