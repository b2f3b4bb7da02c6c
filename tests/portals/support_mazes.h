// SPDX-License-Identifier: MIT
// Mazes of rooms: floors, ceilings and walls without thickness, all cut into thirds, with a door in the middle of some
// walls. Rooms are 3 × 3 and 3 high, from the origin; doors are 1 wide and 2 high.
#ifndef GRZ_TESTS_SUPPORT_MAZES_H
#define GRZ_TESTS_SUPPORT_MAZES_H

#include <graze/graze.h>

#include "support_meshes.h"

typedef struct test_maze {
    uint32_t nx, ny;
    test_mesh mesh;
    uint32_t *portals; // faces
    uint32_t portal_count;
    uint32_t *groups; // of each room (y · nx + x): rooms with the same number are one cell
    bool open_walls;
} test_maze;

// A maze in which each room can be reached. `jitter`: how far corners are moved at most, below 0.4; then all faces are
// triangles. `open`: of 256 walls so many have an opening without a portal instead of a door.
test_maze test_maze_make(uint32_t nx, uint32_t ny, random_stream *random, double jitter, uint32_t open);
void test_maze_finish(test_maze *maze);

// The walls alone, and the number that each face has in the maze's mesh; the caller frees both.
test_mesh test_maze_walls(const test_maze *maze, uint32_t **faces);

// Make the level, or fail the test. Uses test_device.
grz_portals *test_maze_level(const test_maze *maze);

// Make a level of the walls by a BSP tree, or fail the test.
grz_portals *test_walls_level(const test_mesh *walls);

// True if two answers are the same, bit for bit, but for `compared`.
bool test_steps_are_same(const grz_mover_answer *a, const grz_mover_answer *b);

void test_maze_middle(uint32_t x, uint32_t y, double middle[3]);

#endif
