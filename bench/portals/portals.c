// SPDX-License-Identifier: MIT
// What cells save: a capsule walks through mazes of rooms, each with a door in most walls and with or without crates,
// once with the whole level, once among cells of marked portals, and once among cells that a BSP tree finds. All must
// end at the same bits. Then a ball flies at random through the levels of files, among boxes that are spread in them:
// the whole level, and cells of a BSP tree. docs/use/portals.md has the figures.
// Usage: bench_portals [--quick] [FILE…]
//        With files, no mazes.
#include <graze/graze.h>
#include <graze/io.h>

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bench.h"

enum {
    STARTS = 16, // of a ball
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
            const uint32_t row = i / side;
            p[0] = i % side;
            p[1] = heights[y];
            p[2] = row;
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
    const grz_mesh *level; // a ball flies through it; NULL: a capsule walks
    double size;           // of the level: its diagonal
    double starts[STARTS][3];
    grz_portals_tracker *tracker; // NULL: the whole level
    const grz_object *objects;
    uint32_t count, steps;
    double end[3], seconds;
    uint64_t faces, cells, by_whole; // looked at in each 64th step
} run;

static void take_step(run *r, const grz_shape *shape, double p[3], const double displacement[3],
                      grz_mover_options *options, grz_portals_place *place)
{
    grz_mover_answer answer;
    grz_error error;
    if (r->tracker == NULL)
        bench_need(grz_mover_step(r->device, r->objects, r->count, shape, p, displacement, options, &answer, &error),
                   &error);
    else
        bench_need(grz_portals_step(r->tracker, shape, p, displacement, options, &answer, place, &error), &error);
    memcpy(p, answer.position, 3 * sizeof *p);
    options->floor = answer.floor;
}

static void look(run *r, const grz_portals *level, const grz_portals_place *place)
{
    for (uint32_t i = 0; i < place->count; i++) {
        grz_portals_cell cell;
        (void)grz_portals_cell_at(level, place->cells[i], &cell);
        r->faces += cell.walls != NULL ? grz_mesh_face_count(cell.walls) : 0;
        r->cells++;
    }
    r->by_whole += place->whole_level;
}

// Displacements that turn to another side every half a second. A ball is put somewhere else now and then.
static void walk(run *r, const grz_portals *level)
{
    static const double up[3] = {0.0, 1.0, 0.0}, middle[3] = {0.0, 0.0, 0.0}, low[3] = {0.0, -0.5, 0.0},
                        high[3] = {0.0, 0.5, 0.0};
    const double speed = r->level != NULL ? r->size / 400.0 : 0.05;
    const grz_shape shape =
        r->level != NULL ? grz_shape_sphere(middle, r->size / 100.0) : grz_shape_capsule(low, high, 0.3);
    grz_mover_options options = grz_default_mover_options();
    double p[3] = {1.5, 0.9, 1.5}, displacement[3] = {0.0, 0.0, 0.0};
    grz_portals_place place = {.count = 0};
    options.walk = r->level == NULL;
    memcpy(options.up, up, sizeof up);
    options.step_down = r->level == NULL ? 0.2 : 0.0;
    random_state = 99;
    r->faces = r->cells = r->by_whole = 0;
    const double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (uint32_t i = 0; i < r->steps; i++) {
        if (r->level != NULL && i % (r->steps / STARTS) == 0)
            memcpy(p, r->starts[i / (r->steps / STARTS) % STARTS], sizeof p);
        if (i % 30 == 0 && r->level == NULL) {
            const double angle = random_below(1000) * 0.00628318530718;
            displacement[0] = speed * cos(angle);
            displacement[1] = -0.02;
            displacement[2] = speed * sin(angle);
        }
        for (int k = 0; i % 30 == 0 && r->level != NULL && k < 3; k++)
            displacement[k] = speed * (random_below(1000) * 0.002 - 1.0);
        take_step(r, &shape, p, displacement, &options, &place);
        if (i % 64 == 0 && r->tracker != NULL)
            look(r, level, &place);
    }
    r->seconds = bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
    memcpy(r->end, p, sizeof p);
}

// A walk through one level, in each way.
typedef struct comparison {
    run whole, cells;
    grz_portals *level;
    double made, best[2];
} comparison;

static void compare(comparison *c)
{
    grz_error error;
    bench_need(grz_portals_tracker_create(c->level, &c->cells.tracker, &error), &error);
    for (uint32_t i = 1; i < c->cells.count; i++) {
        uint32_t number;
        bench_need(grz_portals_add(c->level, &c->cells.objects[i], &number, &error), &error);
    }
    c->best[0] = c->best[1] = HUGE_VAL;
    for (int i = 0; i < 3; i++) { // in turn; the best of three
        walk(&c->whole, c->level);
        walk(&c->cells, c->level);
        c->best[0] = fmin(c->best[0], c->whole.seconds);
        c->best[1] = fmin(c->best[1], c->cells.seconds);
    }
    if (memcmp(c->whole.end, c->cells.end, sizeof c->whole.end) != 0) {
        fprintf(stderr, "bench: the two ways differ\n");
        exit(1);
    }
}

static void print(const comparison *c, const char *by, uint32_t wall_count)
{
    grz_portals_report report;
    const double looks = floor((c->whole.steps + 63) / 64.0);
    grz_portals_examine(c->level, &report);
    printf("%-7s %7" PRIu32 " %7" PRIu32 " %7" PRIu32 " %8" PRIu32 " %7.2f %9.0f %9.1f %9.2f %9.2f %7.1f %4.0f%%\n", by,
           report.cells, report.portals, c->whole.count - 1, wall_count, (double)c->cells.cells / looks,
           (double)c->cells.faces / looks, 1e3 * c->made, 1e6 * c->best[0] / c->whole.steps,
           1e6 * c->best[1] / c->whole.steps, c->best[0] / c->best[1], 100.0 * (double)c->cells.by_whole / looks);
    fflush(stdout);
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
    grz_error error;
    objects[0] = grz_object_at_origin(walls);
    for (uint32_t i = 0; i < crate_count; i++) {
        const uint32_t row = i / rooms;
        objects[1 + i] = grz_object_at(crate, grz_pose_from_translation(3.0 * (i % rooms) + 2.3, 0.0, 3.0 * row + 2.3));
    }
    for (int by_tree = 0; by_tree < 2; by_tree++) {
        comparison c = {.whole = {.device = device, .objects = objects, .count = 1 + crate_count, .steps = steps}};
        grz_portals_options options = grz_default_portals_options();
        options.open_walls = true; // without the doors
        c.cells = c.whole;
        const double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
        if (by_tree == 0)
            bench_need(grz_portals_create(device, &object, m.doors, m.door_count, NULL, &c.level, &error), &error);
        else
            bench_need(grz_portals_create_bsp(device, &objects[0], &options, &c.level, &error), &error);
        c.made = bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
        compare(&c);
        print(&c, by_tree == 0 ? "portals" : "BSP", m.wall_count);
        grz_portals_tracker_destroy(c.cells.tracker);
        grz_portals_destroy(c.level);
    }
    grz_mesh_destroy(walls);
    grz_mesh_destroy(all);
    grz_mesh_destroy(crate);
    free(objects);
    free(m.positions);
    free(m.indices);
    free(m.doors);
}

// ---- Levels of files ----------------------------------------------------------------------------------------------

static grz_mesh *load(grz_device *device, const char *path)
{
    grz_io_model *model;
    grz_mesh_description d = grz_default_mesh_description();
    grz_mesh *mesh;
    grz_error error;
    bench_need(grz_io_load_file(path, NULL, &model, &error), &error);
    bench_need(grz_io_describe(model, &d, &error), &error);
    bench_need(grz_mesh_create(device, &d, &mesh, &error), &error);
    grz_io_model_destroy(model);
    return mesh;
}

// Places at which the ball is outside of everything.
static void choose_starts(run *r, const grz_portals_cell *box)
{
    const double still[3] = {0.0, 0.0, 0.0};
    const grz_shape ball = grz_shape_sphere(still, r->size / 100.0);
    for (int i = 0; i < STARTS; i++) {
        grz_mover_answer answer;
        grz_error error;
        int tries = 0;
        do {
            for (int k = 0; k < 3; k++)
                r->starts[i][k] = box->min[k] + (box->max[k] - box->min[k]) * (random_below(1000) * 0.001);
            bench_need(
                grz_mover_step(r->device, r->objects, r->count, &ball, r->starts[i], still, NULL, &answer, &error),
                &error);
        } while (answer.started_inside && ++tries < 1000);
    }
}

static void measure_file(grz_device *device, const char *path, uint32_t box_count, uint32_t steps)
{
    static const double corners[24] = {-1.0, -1.0, -1.0, 1.0, -1.0, -1.0, -1.0, 1.0, -1.0, 1.0, 1.0, -1.0,
                                       -1.0, -1.0, 1.0,  1.0, -1.0, 1.0,  -1.0, 1.0, 1.0,  1.0, 1.0, 1.0};
    static const uint32_t faces[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                       2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    grz_mesh *mesh = load(device, path);
    comparison c = {.whole = {.device = device, .level = mesh, .count = 1 + box_count, .steps = steps}};
    grz_object *objects = bench_allocate(1 + box_count, sizeof *objects);
    grz_portals_options options = grz_default_portals_options();
    double scaled[24], square = 0.0;
    grz_portals_cell outside;
    grz_error error;
    objects[0] = grz_object_at_origin(mesh);
    options.open_walls = true;
    const double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
    bench_need(grz_portals_create_bsp(device, &objects[0], &options, &c.level, &error), &error);
    c.made = bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
    (void)grz_portals_cell_at(c.level, GRZ_PORTALS_OUTSIDE, &outside);
    for (int k = 0; k < 3; k++)
        square += (outside.max[k] - outside.min[k]) * (outside.max[k] - outside.min[k]);
    c.whole.size = sqrt(square);
    for (int i = 0; i < 24; i++)
        scaled[i] = c.whole.size / 200.0 * corners[i];
    grz_mesh *box = make_mesh(device, scaled, 8, faces, 12);
    random_state = 7;
    for (uint32_t i = 0; i < box_count; i++) {
        double p[3];
        for (int k = 0; k < 3; k++)
            p[k] = outside.min[k] + (outside.max[k] - outside.min[k]) * (random_below(1000) * 0.001);
        objects[1 + i] = grz_object_at(box, grz_pose_from_translation(p[0], p[1], p[2]));
    }
    c.whole.objects = objects;
    choose_starts(&c.whole, &outside);
    c.cells = c.whole;
    compare(&c);
    print(&c, "BSP", (uint32_t)grz_mesh_face_count(mesh));
    grz_portals_tracker_destroy(c.cells.tracker);
    grz_portals_destroy(c.level);
    grz_mesh_destroy(mesh);
    grz_mesh_destroy(box);
    free(objects);
}

int main(int argc, char **argv)
{
    const bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    const int first = quick ? 2 : 1;
    static const uint32_t sizes[] = {4, 8, 16, 32, 64, 100};
    grz_device *device;
    grz_error error;
    bench_need(grz_device_open(NULL, &device, &error), &error);
    printf("%-7s %7s %7s %7s %8s %7s %9s %9s %9s %9s %7s %5s\n", "cells", "cells", "portals", "crates", "faces",
           "a step", "theirs", "make ms", "whole us", "cells us", "times", "whole");
    for (int i = first; i < argc; i++) {
        static const uint32_t counts[] = {0, 64, 1024};
        printf("%s\n", argv[i]);
        for (size_t j = 0; j < sizeof counts / sizeof *counts; j++)
            measure_file(device, argv[i], counts[j], quick ? 2000 : 8000);
    }
    for (int crates = 0; crates < 2 && first >= argc; crates++)
        for (size_t i = 0; i < (quick ? 4 : sizeof sizes / sizeof *sizes); i++)
            measure(device, sizes[i], crates != 0, crates != 0 && sizes[i] > 32 ? 400 : 4000);
    grz_device_close(device);
    return 0;
}
