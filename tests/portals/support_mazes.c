// SPDX-License-Identifier: MIT
#include "support_mazes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_arrays.h"

enum {
    THIRDS = 3,
    LEVELS = 3 // of corners: floor, top of doors, ceiling
};

typedef struct builder {
    test_maze *maze;
    random_stream *random;
    bool triangles;
} builder;

static uint32_t corner(const builder *b, uint32_t x, uint32_t y, uint32_t z)
{
    return (z * (THIRDS * b->maze->ny + 1) + y) * (THIRDS * b->maze->nx + 1) + x;
}

static void add_corners(const builder *b, double jitter)
{
    static const double heights[LEVELS] = {0.0, 2.0, 3.0};
    for (uint32_t z = 0; z < LEVELS; z++)
        for (uint32_t y = 0; y <= THIRDS * b->maze->ny; y++)
            for (uint32_t x = 0; x <= THIRDS * b->maze->nx; x++) {
                double by[3] = {0.0, 0.0, 0.0};
                for (int k = 0; k < 3 && jitter > 0.0; k++)
                    by[k] = jitter * random_signed(b->random);
                test_mesh_add_vertex(&b->maze->mesh, x + by[0], y + by[1], heights[z] + by[2]);
            }
}

static void add_quad(builder *b, uint32_t i, uint32_t j, uint32_t k, uint32_t l, bool is_portal)
{
    test_maze *m = b->maze;
    const uint32_t corners[4] = {i, j, k, l};
    for (uint64_t n = 0; is_portal && n < (b->triangles ? 2 : 1); n++)
        m->portals[m->portal_count++] = (uint32_t)(m->mesh.face_count + n);
    if (!b->triangles) {
        test_mesh_add_face(&m->mesh, corners, 4);
        return;
    }
    test_mesh_add_triangle(&m->mesh, i, j, k);
    test_mesh_add_triangle(&m->mesh, i, k, l);
}

typedef enum side {
    WALL,
    DOOR,
    OPENING
} side;

// A wall from a corner of a room, along x or along y.
static void add_wall(builder *b, uint32_t x, uint32_t y, bool along_x, side what)
{
    for (uint32_t i = 0; i < THIRDS; i++)
        for (uint32_t z = 0; z + 1 < LEVELS; z++) {
            const bool is_door = what != WALL && i == 1 && z == 0;
            const uint32_t x0 = THIRDS * x + (along_x ? i : 0), y0 = THIRDS * y + (along_x ? 0 : i), x1 = x0 + along_x,
                           y1 = y0 + !along_x;
            if (!is_door || what == DOOR)
                add_quad(b, corner(b, x0, y0, z), corner(b, x1, y1, z), corner(b, x1, y1, z + 1),
                         corner(b, x0, y0, z + 1), is_door);
        }
}

static uint32_t root_of(const uint32_t *parents, uint32_t i)
{
    while (parents[i] != i)
        i = parents[i];
    return i;
}

// Join two rooms in both lists if they are not in `reached`; else mostly a wall.
static side choose(builder *b, uint32_t room, uint32_t other, uint32_t *reached, uint32_t open)
{
    test_maze *m = b->maze;
    const uint32_t i = root_of(reached, room), j = root_of(reached, other);
    if (i == j && random_below(b->random, 4) != 0)
        return WALL;
    reached[i] = j;
    if (random_below(b->random, 256) >= open)
        return DOOR;
    m->groups[root_of(m->groups, room)] = root_of(m->groups, other);
    return OPENING;
}

static void add_inner_walls(builder *b, uint32_t open)
{
    test_maze *m = b->maze;
    const uint32_t rooms = m->nx * m->ny;
    uint32_t *reached = allocate_zeroed(rooms, sizeof *reached), *order = allocate_zeroed(2 * rooms, sizeof *order);
    for (uint32_t i = 0; i < rooms; i++)
        reached[i] = m->groups[i] = i;
    for (uint32_t i = 0; i < 2 * rooms; i++) {
        const uint32_t at = random_below(b->random, i + 1);
        order[i] = order[at];
        order[at] = i;
    }
    for (uint32_t i = 0; i < 2 * rooms; i++) {
        const uint32_t room = order[i] / 2, x = room % m->nx, y = room / m->nx;
        if (order[i] % 2 == 0 && x + 1 < m->nx)
            add_wall(b, x + 1, y, false, choose(b, room, room + 1, reached, open));
        if (order[i] % 2 == 1 && y + 1 < m->ny)
            add_wall(b, x, y + 1, true, choose(b, room, room + m->nx, reached, open));
    }
    for (uint32_t i = 0; i < rooms; i++)
        m->groups[i] = root_of(m->groups, i);
    free(reached);
    free(order);
}

test_maze test_maze_make(uint32_t nx, uint32_t ny, random_stream *random, double jitter, uint32_t open)
{
    test_maze maze = {.nx = nx, .ny = ny, .open_walls = open > 0};
    builder b = {&maze, random, jitter > 0.0};
    maze.portals = allocate_zeroed((size_t)nx * ny * 4, sizeof *maze.portals);
    maze.groups = allocate_zeroed((size_t)nx * ny, sizeof *maze.groups);
    add_corners(&b, jitter);
    for (uint32_t z = 0; z < LEVELS; z += 2)
        for (uint32_t y = 0; y < THIRDS * ny; y++)
            for (uint32_t x = 0; x < THIRDS * nx; x++)
                add_quad(&b, corner(&b, x, y, z), corner(&b, x + 1, y, z), corner(&b, x + 1, y + 1, z),
                         corner(&b, x, y + 1, z), false);
    for (uint32_t x = 0; x < nx; x++) {
        add_wall(&b, x, 0, true, WALL);
        add_wall(&b, x, ny, true, WALL);
    }
    for (uint32_t y = 0; y < ny; y++) {
        add_wall(&b, 0, y, false, WALL);
        add_wall(&b, nx, y, false, WALL);
    }
    add_inner_walls(&b, open);
    return maze;
}

void test_maze_finish(test_maze *maze)
{
    test_mesh_finish(&maze->mesh);
    free(maze->portals);
    free(maze->groups);
}

test_mesh test_maze_walls(const test_maze *maze, uint32_t **faces)
{
    test_mesh walls = {.face_count = 0};
    bool *is_portal = allocate_zeroed(maze->mesh.face_count, sizeof *is_portal);
    for (uint32_t i = 0; i < maze->portal_count; i++)
        is_portal[maze->portals[i]] = true;
    *faces = allocate_zeroed(maze->mesh.face_count, sizeof **faces);
    for (uint64_t i = 0; i < maze->mesh.vertex_count; i++) {
        const double *p = maze->mesh.positions + 3 * i;
        test_mesh_add_vertex(&walls, p[0], p[1], p[2]);
    }
    const uint32_t *corners = maze->mesh.indices;
    for (uint64_t i = 0; i < maze->mesh.face_count; corners += maze->mesh.corner_counts[i], i++)
        if (!is_portal[i]) {
            (*faces)[walls.face_count] = (uint32_t)i;
            test_mesh_add_face(&walls, corners, maze->mesh.corner_counts[i]);
        }
    free(is_portal);
    return walls;
}

grz_portals *test_maze_level(const test_maze *maze)
{
    grz_mesh *mesh = test_mesh_upload(test_device, &maze->mesh);
    const grz_object object = grz_object_at_origin(mesh);
    grz_portals_options options = grz_default_portals_options();
    grz_portals *level;
    grz_error error;
    options.open_walls = maze->open_walls;
    if (grz_portals_create(test_device, &object, maze->portals, maze->portal_count, &options, &level, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    grz_mesh_destroy(mesh);
    return level;
}

grz_portals *test_walls_level(const test_mesh *walls)
{
    grz_mesh *mesh = test_mesh_upload(test_device, walls);
    const grz_object object = grz_object_at_origin(mesh);
    grz_portals_options options = grz_default_portals_options();
    grz_portals *level;
    grz_error error;
    options.open_walls = true;
    if (grz_portals_create_bsp(test_device, &object, &options, &level, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    grz_mesh_destroy(mesh);
    return level;
}

void test_maze_middle(uint32_t x, uint32_t y, double middle[3])
{
    middle[0] = 3.0 * x + 1.5;
    middle[1] = 3.0 * y + 1.5;
    middle[2] = 1.5;
}

bool test_steps_are_same(const grz_mover_answer *a, const grz_mover_answer *b)
{
    bool equal = memcmp(a->position, b->position, sizeof a->position) == 0 && a->outcome == b->outcome &&
                 a->started_inside == b->started_inside && a->stepped_up == b->stepped_up &&
                 a->stepped_down == b->stepped_down && memcmp(a->carried, b->carried, sizeof a->carried) == 0 &&
                 memcmp(a->pushed, b->pushed, sizeof a->pushed) == 0 && a->crushed_at == b->crushed_at &&
                 a->contact_count == b->contact_count && a->iterations == b->iterations &&
                 a->floor.stands == b->floor.stands;
    if (equal && a->floor.stands)
        equal = a->floor.object == b->floor.object && a->floor.face == b->floor.face &&
                memcmp(a->floor.point, b->floor.point, sizeof a->floor.point) == 0 &&
                memcmp(a->floor.normal, b->floor.normal, sizeof a->floor.normal) == 0;
    for (uint32_t i = 0; equal && i < a->contact_count && i < GRZ_MOVER_MAX_CONTACTS; i++) {
        const grz_mover_contact *c = &a->contacts[i], *d = &b->contacts[i];
        equal = c->object == d->object && c->face == d->face && c->distance == d->distance &&
                c->on_face == d->on_face && memcmp(c->normal, d->normal, sizeof c->normal) == 0 &&
                memcmp(c->point, d->point, sizeof c->point) == 0;
    }
    return equal;
}
