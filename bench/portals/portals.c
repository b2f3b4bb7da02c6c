// SPDX-License-Identifier: MIT
// What cells save: a capsule walks through mazes of rooms, each with a door in most walls and with or without crates,
// once with the whole level and once among the cells. Both must end at the same bits. docs/portals.md has the figures.
// Usage: bench_portals [--quick]
#include <graze/graze.h>

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bench.h"

enum {
    THIRDS = 3,
    LEVELS = 3
};

typedef struct maze {
    uint32_t rooms; // along a side
    double *positions;
    uint32_t *indices, index_count, *doors, door_count, wall_count; // triangles
} maze;

static uint64_t random_state = 1;

static uint32_t random_below(uint32_t count)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33) % count;
}

static uint32_t corner(const maze *m, uint32_t x, uint32_t y, uint32_t z)
{
    return (y * (THIRDS * m->rooms + 1) + z) * (THIRDS * m->rooms + 1) + x;
}

static void add_quad(maze *m, uint32_t i, uint32_t j, uint32_t k, uint32_t l)
{
    const uint32_t triangles[6] = {i, j, k, i, k, l};
    memcpy(m->indices + m->index_count, triangles, sizeof triangles);
    m->index_count += 6;
}

// Walls, or the doors in them: two of three inner walls have one.
static void add_walls(maze *m, bool doors)
{
    for (uint32_t wall = 0; wall < 2 * m->rooms * (m->rooms + 1); wall++) {
        const bool along_x = wall % 2 == 0;
        const uint32_t at = wall / 2 / m->rooms, of = wall / 2 % m->rooms;
        for (uint32_t i = 0; i < THIRDS; i++)
            for (uint32_t y = 0; y + 1 < LEVELS; y++) {
                const bool is_door = at > 0 && at < m->rooms && i == 1 && y == 0 && wall * 7 / 2 % 3 != 0;
                const uint32_t x0 = along_x ? THIRDS * of + i : THIRDS * at,
                               z0 = along_x ? THIRDS * at : THIRDS * of + i, x1 = x0 + along_x, z1 = z0 + !along_x;
                if (is_door != doors)
                    continue;
                for (uint32_t n = 0; doors && n < 2; n++)
                    m->doors[m->door_count++] = m->index_count / 3 + n;
                add_quad(m, corner(m, x0, y, z0), corner(m, x1, y, z1), corner(m, x1, y + 1, z1),
                         corner(m, x0, y + 1, z0));
            }
    }
}

static maze make_maze(uint32_t rooms)
{
    static const double heights[LEVELS] = {0.0, 2.0, 2.6};
    maze m = {.rooms = rooms};
    const uint32_t side = THIRDS * rooms + 1;
    double *p = m.positions = bench_allocate((size_t)LEVELS * side * side, 3 * sizeof *p);
    m.indices = bench_allocate(2 * (size_t)side * side + 12 * (size_t)rooms * (rooms + 1), 6 * sizeof *m.indices);
    m.doors = bench_allocate(4 * (size_t)rooms * (rooms + 1), sizeof *m.doors);
    for (uint32_t y = 0; y < LEVELS; y++)
        for (uint32_t i = 0; i < side * side; i++, p += 3) {
            p[0] = i % side;
            p[1] = heights[y];
            p[2] = i / side;
        }
    for (uint32_t y = 0; y < LEVELS; y += 2)
        for (uint32_t i = 0; i < (side - 1) * (side - 1); i++) {
            const uint32_t x = i % (side - 1), z = i / (side - 1);
            add_quad(&m, corner(&m, x, y, z), corner(&m, x, y, z + 1), corner(&m, x + 1, y, z + 1),
                     corner(&m, x + 1, y, z));
        }
    add_walls(&m, false);
    m.wall_count = m.index_count / 3;
    add_walls(&m, true);
    return m;
}

static grz_mesh *make_mesh(grz_device *device, const double *positions, uint64_t vertices, const uint32_t *indices,
                           uint64_t triangles)
{
    const grz_mesh_description d =
        grz_mesh_description_from_triangles(positions, GRZ_FLOAT64, vertices, indices, triangles);
    grz_mesh *mesh;
    grz_error error;
    bench_need(grz_mesh_create(device, &d, &mesh, &error), &error);
    return mesh;
}

static grz_mesh *make_crate(grz_device *device)
{
    static const double corners[24] = {-0.3, 0.02, -0.3, 0.3, 0.02, -0.3, -0.3, 0.6, -0.3, 0.3, 0.6, -0.3,
                                       -0.3, 0.02, 0.3,  0.3, 0.02, 0.3,  -0.3, 0.6, 0.3,  0.3, 0.6, 0.3};
    static const uint32_t faces[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                       2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    return make_mesh(device, corners, 8, faces, 12);
}

typedef struct run {
    grz_device *device;
    grz_portals_tracker *tracker; // NULL: the whole level
    const grz_object *objects;
    uint32_t count, steps;
    double end[3], seconds;
    uint64_t faces, cells;
} run;

// Wishes that turn to another side every half a second.
static void walk(run *r, const grz_portals *level)
{
    static const double up[3] = {0.0, 1.0, 0.0};
    const grz_mover_shape shape = grz_mover_capsule(0.3, 0.5, up);
    grz_mover_options options = grz_default_mover_options();
    double p[3] = {1.5, 0.9, 1.5};
    grz_mover_answer answer;
    grz_portals_place place = {.count = 0};
    grz_error error;
    options.walk = true;
    memcpy(options.up, up, sizeof up);
    options.step_down = 0.2;
    random_state = 99;
    double angle = 0.0;
    const double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (uint32_t i = 0; i < r->steps; i++) {
        if (i % 30 == 0)
            angle = random_below(1000) * 0.00628318530718;
        const double wish[3] = {0.05 * cos(angle), -0.02, 0.05 * sin(angle)};
        if (r->tracker == NULL)
            bench_need(grz_mover_step(r->device, r->objects, r->count, &shape, p, wish, &options, &answer, &error),
                       &error);
        else
            bench_need(grz_portals_step(r->tracker, &shape, p, wish, &options, &answer, &place, &error), &error);
        memcpy(p, answer.position, sizeof p);
        options.floor = answer.floor;
        for (uint32_t j = 0; j < place.count && i % 64 == 0; j++) {
            grz_portals_cell cell;
            bench_need(grz_portals_cell_at(level, place.cells[j], &cell, &error), &error);
            r->faces += grz_mesh_face_count(cell.walls);
            r->cells++;
        }
    }
    r->seconds = bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
    memcpy(r->end, p, sizeof p);
}

static void measure(grz_device *device, uint32_t rooms, bool crates, uint32_t steps)
{
    maze m = make_maze(rooms);
    const uint32_t side = THIRDS * rooms + 1;
    const uint64_t vertices = (uint64_t)LEVELS * side * side;
    grz_mesh *walls = make_mesh(device, m.positions, vertices, m.indices, m.wall_count),
             *all = make_mesh(device, m.positions, vertices, m.indices, m.index_count / 3), *crate = make_crate(device);
    const uint32_t crate_count = crates ? rooms * rooms : 0;
    grz_object *objects = bench_allocate(1 + crate_count, sizeof *objects);
    const grz_object object = grz_object_at_origin(all);
    grz_portals *level;
    grz_portals_report report;
    grz_error error;
    double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
    bench_need(grz_portals_create(device, &object, m.doors, m.door_count, NULL, &level, &error), &error);
    const double made = bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
    grz_portals_examine(level, &report);
    objects[0] = grz_object_at_origin(walls);
    for (uint32_t i = 0; i < crate_count; i++) {
        uint32_t number;
        objects[1 + i] =
            grz_object_at(crate, grz_pose_from_translation(3.0 * (i % rooms) + 2.3, 0.0, 3.0 * (i / rooms) + 2.3));
        bench_need(grz_portals_add(level, &objects[1 + i], &number, &error), &error);
    }
    run whole = {.device = device, .objects = objects, .count = 1 + crate_count, .steps = steps}, cells = whole;
    bench_need(grz_portals_tracker_create(level, &cells.tracker, &error), &error);
    double best[2] = {HUGE_VAL, HUGE_VAL};
    for (int i = 0; i < 3; i++) { // in turn; the best of three
        walk(&whole, level);
        cells.faces = cells.cells = 0;
        walk(&cells, level);
        best[0] = fmin(best[0], whole.seconds);
        best[1] = fmin(best[1], cells.seconds);
    }
    if (memcmp(whole.end, cells.end, sizeof whole.end) != 0) {
        fprintf(stderr, "bench: the two ways differ\n");
        exit(1);
    }
    const double looks = (steps + 63) / 64;
    printf("%6" PRIu32 " %7" PRIu32 " %8" PRIu32 " %7.2f %9.0f %9.1f %9.2f %9.2f %7.1f\n", rooms * rooms, crate_count,
           m.wall_count, (double)cells.cells / looks, (double)cells.faces / looks, 1e3 * made, 1e6 * best[0] / steps,
           1e6 * best[1] / steps, best[0] / best[1]);
    grz_portals_tracker_destroy(cells.tracker);
    grz_portals_destroy(level);
    grz_mesh_destroy(walls);
    grz_mesh_destroy(all);
    grz_mesh_destroy(crate);
    free(objects);
    free(m.positions);
    free(m.indices);
    free(m.doors);
}

int main(int argc, char **argv)
{
    const bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    static const uint32_t sizes[] = {4, 8, 16, 32, 64, 100};
    grz_device *device;
    grz_error error;
    bench_need(grz_device_open(NULL, &device, &error), &error);
    printf("%6s %7s %8s %7s %9s %9s %9s %9s %7s\n", "rooms", "crates", "faces", "cells", "theirs", "make ms",
           "whole us", "cells us", "times");
    for (int crates = 0; crates < 2; crates++)
        for (size_t i = 0; i < (quick ? 4 : sizeof sizes / sizeof *sizes); i++)
            measure(device, sizes[i], crates != 0, crates != 0 && sizes[i] > 32 ? 400 : 4000);
    grz_device_close(device);
    return 0;
}
