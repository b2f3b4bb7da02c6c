// SPDX-License-Identifier: MIT
#include "support_voxel_worlds.h"

static const int FAR = TEST_VOXELS + 1; // outside of the cubes, which are 1 to TEST_VOXELS here

static uint32_t number_of(const int at[3])
{
    for (int k = 0; k < 3; k++)
        if (at[k] < 1 || at[k] > TEST_VOXELS)
            return TEST_VOXEL_COUNT;
    return (uint32_t)(((at[2] - 1) * TEST_VOXELS + at[1] - 1) * TEST_VOXELS + at[0] - 1);
}

static bool is_solid(const test_voxels *v, const int at[3])
{
    const uint32_t number = number_of(at);
    return number < TEST_VOXEL_COUNT && v->solid[number];
}

static bool has_wall(const test_voxels *v, const int at[3], int axis)
{
    int next[3] = {at[0], at[1], at[2]};
    next[axis]++;
    return is_solid(v, at) != is_solid(v, next);
}

static void find_places(test_voxels *v)
{
    for (uint32_t i = 0; i <= TEST_VOXEL_COUNT; i++)
        v->places[i] = i;
    for (bool changed = true; changed;) { // the lowest number spreads
        changed = false;
        for (int i = 0; i < 3 * (FAR + 1) * (FAR + 1) * (FAR + 1); i++) {
            const int axis = i % 3,
                      at[3] = {i / 3 % (FAR + 1), i / 3 / (FAR + 1) % (FAR + 1), i / 3 / (FAR + 1) / (FAR + 1)};
            int next[3] = {at[0], at[1], at[2]};
            next[axis]++;
            if (next[axis] > FAR || has_wall(v, at, axis))
                continue;
            uint32_t *one = &v->places[number_of(at)], *other = &v->places[number_of(next)];
            if (*one == *other)
                continue;
            *one = *other = *one < *other ? *one : *other;
            changed = true;
        }
    }
}

// Walls of one plane that follow each other are joined to one rectangle, as far as chance has it.
static void add_walls(test_voxels *v, random_stream *random, int axis, int along, int across, int level, int row)
{
    for (int first = 1, next; first <= TEST_VOXELS; first = next) {
        int at[3];
        at[axis] = level;
        at[across] = row;
        at[along] = first;
        next = first + 1;
        if (!has_wall(v, at, axis))
            continue;
        for (; next <= TEST_VOXELS && random_below(random, 3) != 0; next++) {
            at[along] = next;
            if (!has_wall(v, at, axis))
                break;
        }
        double corners[4][3];
        for (int i = 0; i < 4; i++) {
            corners[i][axis] = level;
            corners[i][along] = (i == 1 || i == 2 ? next : first) - 1;
            corners[i][across] = (i >= 2 ? row + 1 : row) - 1;
        }
        for (int i = 0; i < 2; i++) {
            double triangle[3][3];
            for (int k = 0; k < 3; k++) {
                triangle[0][k] = corners[0][k];
                triangle[1][k] = corners[i + 1][k];
                triangle[2][k] = corners[i + 2][k];
            }
            test_mesh_add_divided(&v->walls, random, triangle, 2, 3);
        }
    }
}

test_voxels test_voxels_make(random_stream *random, uint32_t solid_of_16)
{
    test_voxels v = {.walls = {.face_count = 0}};
    for (int i = 0; i < TEST_VOXEL_COUNT; i++)
        v.solid[i] = random_below(random, 16) < solid_of_16;
    v.solid[random_below(random, TEST_VOXEL_COUNT)] = true; // there are walls
    find_places(&v);
    for (int axis = 0; axis < 3; axis++)
        for (int level = 0; level <= TEST_VOXELS; level++) {
            const int turn = random_below(random, 2) == 0 ? 1 : 2;
            for (int row = 1; row <= TEST_VOXELS; row++)
                add_walls(&v, random, axis, (axis + turn) % 3, (axis + 3 - turn) % 3, level, row);
        }
    return v;
}

void test_voxel_middle(uint32_t voxel, double middle[3])
{
    const uint32_t at[3] = {voxel % TEST_VOXELS, voxel / TEST_VOXELS % TEST_VOXELS, voxel / TEST_VOXELS / TEST_VOXELS};
    for (int k = 0; k < 3; k++)
        middle[k] = voxel < TEST_VOXEL_COUNT ? at[k] + 0.5 : -3.0;
}
