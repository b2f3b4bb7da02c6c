// SPDX-License-Identifier: MIT
// Test of the poses of row `chain`: the links really are linked. Where they do not touch, B cannot be taken away along
// any straight line without touching A on the way. A step is a tenth of the links' thickness, so none jumps through.
#include "poses.h"

#include <stdio.h>

enum {
    POSES = 60,
    DIRECTIONS = 8,
    STEPS = 80
};

// Whether B meets A on its way along a line.
static bool held(truth_pair *truth, const posed_query *query, const double direction[3])
{
    for (int step = 1; step <= STEPS; step++) {
        peer_pose moved = query->b;
        for (int i = 0; i < 3; i++)
            moved.m[i][3] += 0.1 * step * direction[i];
        if (truth_touches(truth, &query->a, &moved))
            return true;
    }
    return false;
}

int main(void)
{
    peer_mesh link = shape_tube(shape_link, 60, 16, 0.5, 0.02, 15);
    truth_pair *truth = truth_open(&link, &link);
    pose_set poses = poses_linked(&(pose_meshes){&link, &link, truth}, shape_link, POSES, 1.0 / 3, 17);
    uint32_t touching = 0, loose = 0;
    for (uint32_t i = 0; i < poses.count; i++) {
        const posed_query *query = &poses.items[i];
        shape_random random = {i};
        touching += query->touch;
        for (int k = 0; k < DIRECTIONS && !query->touch; k++) {
            const double away[3] = {shape_random_in(&random, -1, 1), shape_random_in(&random, -1, 1),
                                    k % 2 == 0 ? 1 : -1};
            if (!held(truth, query, away)) {
                fprintf(stderr, "pose %u: B leaves A along %g %g %g\n", i, away[0], away[1], away[2]);
                loose++;
            }
        }
    }
    printf("%u poses, %u touch, %u ways out\n", poses.count, touching, loose);
    poses_free(&poses);
    truth_close(truth);
    shape_free(&link);
    return touching == POSES / 3 && loose == 0 ? 0 : 1;
}
