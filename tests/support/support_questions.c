// SPDX-License-Identifier: MIT
// Random questions about two small meshes.
#include "support_questions.h"

#include <math.h>

static test_mesh some_mesh(random_stream *random, bool whole)
{
    static const double corners[4][3] = {{0, 0, 0}, {4, 0, 0}, {0, 3, 0}, {0, 0, 5}};
    const double min[3] = {-3, -2, -1}, max[3] = {3, 1, 2};
    switch (random_below(random, whole ? 4 : 8)) {
    case 0:
        return test_mesh_box(min, max);
    case 1:
        return test_mesh_random_triangles(random, 1 + random_below(random, 60), 1.0, 6);
    case 2:
        return test_mesh_grid(1 + random_below(random, 8), 1 + random_below(random, 8), 1.0);
    case 3:
        return random_below(random, 2) == 0 ? test_mesh_tetrahedron(corners) : test_mesh_box_quads(min, max);
    case 4:
        return test_mesh_icosphere(2.0, random_below(random, 3));
    case 5:
        return test_mesh_torus(3.0, 1.0, 12, 8);
    default:
        return test_mesh_random_triangles(random, 1 + random_below(random, 200), 0.5, 0);
    }
}

static grz_pose some_pose(random_stream *random, bool whole)
{
    grz_pose pose = grz_pose_identity();
    const uint32_t kind = random_below(random, 4);
    double q[4], t[3];
    for (int k = 0; k < 3; k++)
        t[k] = whole ? (double)random_below(random, 13) - 6.0 : 6.0 * random_signed(random);
    for (int k = 0; k < 4; k++)
        q[k] = random_signed(random);
    if (whole || kind == 0)
        return grz_pose_from_translation(t[0], t[1], t[2]);
    if (grz_pose_from_quaternion(t, q, &pose, NULL) != GRZ_OK)
        return grz_pose_identity();
    for (int k = 0; k < 9 && kind == 1; k++) // sheared and stretched
        pose.m[k / 3][k % 3] = 2.0 * random_signed(random);
    for (int k = 0; k < 9 && kind == 2; k++) // larger or smaller
        pose.m[k / 3][k % 3] *= 0.25;
    return pose;
}

test_question test_random_question(random_stream *random)
{
    test_question q;
    const bool whole = random_below(random, 2) == 0;
    const double scale = random_below(random, 4) == 0 ? ldexp(1.0, (int)random_below(random, 500) - 260) : 1.0;
    for (int i = 0; i < 2; i++) {
        q.meshes[i] = some_mesh(random, whole);
        q.poses[i] = some_pose(random, whole);
        test_mesh_scale(&q.meshes[i], scale, scale, scale);
        for (int k = 0; k < 3; k++)
            q.poses[i].m[k][3] *= scale;
    }
    return q;
}
