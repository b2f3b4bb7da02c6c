// SPDX-License-Identifier: MIT
// A capsule walks through a maze of rooms and doors, from goal to goal, round crates: on the left what it sees, a ray
// for each pixel. grz_portals_step() moves it with the walls and crates of the cells only that it may come to: they
// are shown in colour. The way is found in the graph of cells and portals; with --cells bsp, a BSP tree finds both in
// the walls alone. A mesh inside the capsule is then tested against all that there is: it touches nothing. With
// --check each step is done again in the whole level: it must end at the same bits.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eyes.h"
#include "parts.h"

enum {
    WALLS,
    FLOOR,
    WALKER,
    CRATES, // the first of them
    ROOMS = 12,
    FEW_ROOMS = 5,
    THIRDS = 3,
    LEVELS = 3, // of corners: floor, top of doors, ceiling
    STEPS = 4,  // of the walker in a frame
    BLOCK_FACES = 12,
    RINGS = 6,
    SECTORS = 16
};

static const char *const CELLS[] = {"portals", "bsp", NULL};
static const double RADIUS = 0.3, HALF = 0.5, SPEED = 3.0, SECONDS = 1.0 / 60.0;
static const double CRATE_BOTTOM = 0.02, CRATE_TOP = 0.7, CRATE_HALF = 0.35;
static const double UP[3] = {0.0, 1.0, 0.0};
static const double DOWN_END[3] = {0.0, -0.5, 0.0}, UP_END[3] = {0.0, 0.5, 0.0}; // HALF to both sides
static const double HEIGHTS[LEVELS] = {0.0, 2.0, 2.6};
static const uint8_t SEEN[3] = {206, 214, 222}, UNSEEN[3] = {236, 236, 234}, HERE[3] = {250, 176, 84},
                     NEAR[3] = {252, 214, 130}, CRATE[3] = {176, 168, 158}, CRATE_NEAR[3] = {214, 92, 60},
                     CEILING[3] = {226, 222, 214}, WALL[3] = {150, 160, 172}, BODY[3] = {58, 110, 176};

typedef struct maze {
    uint32_t rooms; // along a side
    uint64_t random;
    bool *joined; // of wall 2·room + (0 along x, 1 along z): it has a door
    double *positions;
    uint32_t *indices;
    uint32_t index_count, floor_count;
    uint32_t *doors, door_count; // triangles
    grz_portals *level;
    grz_portals_tracker *tracker;
    grz_portals_report report;
    grz_mesh *walls, *drawn, *floor, *crate, *crates, *body;
    uint32_t crate_count;
    grz_object *objects; // drawn
    uint8_t *colours, *floor_colors;
    const uint8_t **face_colours;
    bool *seen; // of each cell: the walker has been there
    uint32_t *way, way_length, goal;
    double position[3], heading[3];
    int aside;
    uint64_t entered, steps;
    uint32_t last_home;
    grz_portals_place place;
    grz_mover_options options;
    grz_mover_answer answer;
    eyes eyes;
    grz_object visible[2]; // walls, floor and ceiling; all crates
} maze;

// ---- The maze -----------------------------------------------------------------------------------------------------

static uint32_t random_below(maze *m, uint32_t count)
{
    m->random = m->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(m->random >> 33) % count;
}

static uint32_t corner(const maze *m, uint32_t x, uint32_t y, uint32_t z)
{
    return (y * (THIRDS * m->rooms + 1) + z) * (THIRDS * m->rooms + 1) + x;
}

static void add_quad(maze *m, const uint32_t c[4])
{
    const uint32_t triangles[6] = {c[0], c[1], c[2], c[0], c[2], c[3]};
    memcpy(m->indices + m->index_count, triangles, sizeof triangles);
    m->index_count += 6;
}

// The third of a wall in which a door is, is a portal: it is added at the end, so that walls keep their numbers.
static void add_wall(maze *m, uint32_t x, uint32_t z, bool along_x, bool has_door, bool doors)
{
    for (uint32_t i = 0; i < THIRDS; i++)
        for (uint32_t y = 0; y + 1 < LEVELS; y++) {
            const uint32_t x0 = THIRDS * x + (along_x ? i : 0), z0 = THIRDS * z + (along_x ? 0 : i), x1 = x0 + along_x,
                           z1 = z0 + !along_x;
            const uint32_t c[4] = {corner(m, x0, y, z0), corner(m, x1, y, z1), corner(m, x1, y + 1, z1),
                                   corner(m, x0, y + 1, z0)};
            if ((has_door && i == 1 && y == 0) != doors)
                continue;
            for (uint32_t n = 0; doors && n < 2; n++)
                m->doors[m->door_count++] = m->index_count / 3 + n;
            add_quad(m, c);
        }
}

static void add_walls(maze *m, bool doors)
{
    for (uint32_t i = 0; i <= m->rooms; i++)
        for (uint32_t j = 0; j < m->rooms; j++) {
            const bool edge = i == 0 || i == m->rooms;
            add_wall(m, j, i, true, !edge && m->joined[2 * ((size_t)(i - 1) * m->rooms + j) + 1], doors);
            add_wall(m, i, j, false, !edge && m->joined[2 * ((size_t)j * m->rooms + i - 1)], doors);
        }
}

static void add_level(maze *m, uint32_t y)
{
    for (uint32_t z = 0; z < THIRDS * m->rooms; z++)
        for (uint32_t x = 0; x < THIRDS * m->rooms; x++) {
            const uint32_t c[4] = {corner(m, x, y, z), corner(m, x, y, z + 1), corner(m, x + 1, y, z + 1),
                                   corner(m, x + 1, y, z)};
            add_quad(m, c);
        }
}

// Every room can be reached: a walk at random that goes back where it cannot go on (depth first). Some doors more.
static void choose_doors(maze *m)
{
    static const int ways[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    const uint32_t count = m->rooms * m->rooms;
    bool *reached = demo_get(count, sizeof *reached);
    uint32_t *stack = demo_get(count, sizeof *stack), depth = 1;
    m->joined = demo_get(2 * (size_t)count, sizeof *m->joined);
    reached[0] = true;
    while (depth > 0) {
        const uint32_t room = stack[depth - 1], first = random_below(m, 4);
        bool went = false;
        for (uint32_t i = 0; i < 4 && !went; i++) {
            const int *way = ways[(first + i) % 4], x = (int)(room % m->rooms) + way[0],
                      z = (int)(room / m->rooms) + way[1];
            const uint32_t next = (uint32_t)z * m->rooms + (uint32_t)x;
            if (x < 0 || z < 0 || x >= (int)m->rooms || z >= (int)m->rooms ||
                (reached[next] && random_below(m, 12) != 0))
                continue;
            m->joined[2 * (next < room ? next : room) + (way[0] == 0)] = true;
            went = !reached[next];
            if (went)
                stack[depth++] = next;
            reached[next] = true;
        }
        depth -= !went;
    }
    free(reached);
    free(stack);
}

// All positions; the triangles: floor, walls, ceiling, doors.
static void make_maze(const demo *d, maze *m)
{
    const size_t side = THIRDS * (size_t)m->rooms + 1, quads = 2 * side * side + 4 * side * (m->rooms + 1);
    double *p = m->positions = demo_get(LEVELS * side * side, 3 * sizeof *m->positions);
    m->indices = demo_get(quads, 6 * sizeof *m->indices);
    m->doors = demo_get(quads, sizeof *m->doors);
    for (uint32_t y = 0; y < LEVELS; y++)
        for (size_t i = 0; i < side * side; i++, p += 3) {
            const size_t row = i / side;
            p[0] = (double)(i % side);
            p[1] = HEIGHTS[y];
            p[2] = (double)row;
        }
    choose_doors(m);
    const uint64_t vertices = LEVELS * side * side;
    add_level(m, 0);
    m->floor_count = m->index_count / 3;
    m->floor = demo_mesh(d, m->positions, vertices, m->indices, m->index_count, 0);
    add_walls(m, false);
    m->drawn = demo_mesh(d, m->positions, vertices, m->indices + 3 * (size_t)m->floor_count,
                         m->index_count - 3 * (uint64_t)m->floor_count, 0);
    add_level(m, LEVELS - 1);
    m->walls = demo_mesh(d, m->positions, vertices, m->indices, m->index_count, 0);
    add_walls(m, true);
    grz_mesh *all = demo_mesh(d, m->positions, vertices, m->indices, m->index_count, 0);
    const grz_object object = grz_object_at_origin(all), walls = grz_object_at_origin(m->walls);
    grz_portals_options options = grz_default_portals_options();
    grz_error error;
    options.open_walls = true; // at the doors
    if (strcmp(d->body, CELLS[1]) == 0)
        demo_check(grz_portals_create_bsp(d->device, &walls, &options, &m->level, &error), &error);
    else
        demo_check(grz_portals_create(d->device, &object, m->doors, m->door_count, NULL, &m->level, &error), &error);
    demo_check(grz_portals_tracker_create(m->level, &m->tracker, &error), &error);
    grz_portals_examine(m->level, &m->report);
    grz_mesh_destroy(all);
}

// ---- The walker and the crates ------------------------------------------------------------------------------------

// Two half spheres with a cylinder between them, inside the capsule.
static void make_body(const demo *d, maze *m, demo_parts *parts)
{
    for (int ring = 0; ring < 2 * RINGS; ring++)
        for (int i = 0; i < SECTORS; i++) {
            const double pi = 3.14159265358979323846,
                         a = pi * (0.5 - (ring < RINGS ? ring + 0.5 : ring - 0.5) / (2.0 * RINGS - 1.0)),
                         b = 2.0 * pi * i / SECTORS;
            demo_add_vertex(parts, RADIUS * cos(a) * cos(b), RADIUS * sin(a) + (ring < RINGS ? HALF : -HALF),
                            RADIUS * cos(a) * sin(b));
        }
    const uint32_t top = demo_add_vertex(parts, 0.0, HALF + RADIUS, 0.0),
                   bottom = demo_add_vertex(parts, 0.0, -HALF - RADIUS, 0.0);
    for (uint32_t i = 0; i < SECTORS; i++) {
        const uint32_t next = (i + 1) % SECTORS, last = (2 * RINGS - 1) * SECTORS;
        demo_add_triangle(parts, top, next, i);
        demo_add_triangle(parts, bottom, last + i, last + next);
        for (uint32_t ring = 0; ring + 1 < 2 * RINGS; ring++) {
            const uint32_t v = ring * SECTORS + i, right = ring * SECTORS + next;
            demo_add_triangle(parts, v, right, v + SECTORS);
            demo_add_triangle(parts, right, right + SECTORS, v + SECTORS);
        }
    }
    m->body = demo_finish_parts(d, parts);
}

static void place_crates(const demo *d, maze *m)
{
    demo_parts all = {.vertex_count = 0}; // as one mesh, for the walker's eyes
    grz_error error;
    for (uint32_t i = 0; i < m->crate_count; i++) {
        const uint32_t room = i * 2 + 1 < m->rooms * m->rooms ? i * 2 + 1 : i, row = room / m->rooms,
                       corner = random_below(m, 4);
        const double x = 3.0 * (room % m->rooms) + (corner % 2 ? 0.65 : 2.35),
                     z = 3.0 * row + (corner >= 2 ? 0.65 : 2.35);
        grz_object *crate = &m->objects[CRATES + i];
        uint32_t number;
        *crate = grz_object_at(m->crate, grz_pose_from_translation(x, 0.0, z));
        demo_check(grz_portals_add(m->level, crate, &number, &error), &error);
        demo_add_block(&all, CRATE_BOTTOM, x - CRATE_HALF, z - CRATE_HALF, x + CRATE_HALF, z + CRATE_HALF, CRATE_TOP,
                       CRATE_TOP);
    }
    m->crates = demo_finish_parts(d, &all);
    demo_free_parts(&all);
}

static void make(const demo *d, maze *m)
{
    demo_parts parts = {.vertex_count = 0};
    m->rooms = d->small ? FEW_ROOMS : ROOMS;
    m->random = 7;
    m->crate_count = m->rooms * m->rooms / 2;
    make_maze(d, m);
    make_body(d, m, &parts);
    demo_add_block(&parts, CRATE_BOTTOM, -CRATE_HALF, -CRATE_HALF, CRATE_HALF, CRATE_HALF, CRATE_TOP, CRATE_TOP);
    m->crate = demo_finish_parts(d, &parts);
    demo_free_parts(&parts);
    m->objects = demo_get(CRATES + m->crate_count, sizeof *m->objects);
    m->colours = demo_get(CRATES + m->crate_count, 3);
    m->face_colours = demo_get(CRATES + m->crate_count, sizeof *m->face_colours);
    m->floor_colors = demo_get(m->floor_count, 3);
    m->seen = demo_get(m->report.cells, sizeof *m->seen);
    m->way = demo_get(m->report.cells, sizeof *m->way);
    m->objects[WALLS] = grz_object_at_origin(m->drawn);
    m->objects[FLOOR] = grz_object_at_origin(m->floor);
    m->objects[WALKER] = grz_object_at_origin(m->body);
    m->objects[WALKER].group = 2;
    m->objects[WALKER].mask = 1;
    place_crates(d, m);
    for (uint32_t i = 0; i < CRATES + m->crate_count; i++)
        if (i != WALKER)
            m->objects[i].mask = 2;
    const double start[3] = {1.5, HALF + RADIUS + 0.05, 1.5};
    memcpy(m->position, start, sizeof start);
    m->options = grz_default_mover_options();
    m->options.walk = true;
    memcpy(m->options.up, UP, sizeof UP);
    m->options.step_down = 0.2;
}

// ---- The way ------------------------------------------------------------------------------------------------------

// The cell on the other side of a cell's portal.
static uint32_t beyond(const maze *m, uint32_t cell, uint32_t index, grz_portal *portal)
{
    (void)grz_portals_portal_at(m->level, index, portal);
    return portal->cells[portal->cells[0] == cell];
}

// For each cell the next one on the shortest way to the goal, by a search from there (breadth first).
static void find_way(maze *m)
{
    uint32_t *queue = demo_get(m->report.cells, sizeof *queue), count = 1;
    for (uint32_t i = 0; i < m->report.cells; i++)
        m->way[i] = UINT32_MAX;
    queue[0] = m->goal;
    m->way[m->goal] = m->goal;
    for (uint32_t i = 0; i < count; i++) {
        grz_portals_cell cell;
        (void)grz_portals_cell_at(m->level, queue[i], &cell);
        for (uint32_t j = 0; j < cell.portal_count; j++) {
            grz_portal portal;
            const uint32_t other = beyond(m, queue[i], cell.portals[j], &portal);
            if (m->way[other] != UINT32_MAX)
                continue;
            m->way[other] = queue[i];
            queue[count++] = other;
        }
    }
    free(queue);
}

// Where to go now: to the door that leads on, and a little through it.
static void choose_target(maze *m, uint32_t home, double target[3])
{
    grz_portals_cell cell;
    if (m->steps == 0 || home == m->goal) {
        do
            m->goal = 1 + random_below(m, m->report.cells - 1);
        while (m->goal == home);
        find_way(m);
    }
    (void)grz_portals_cell_at(m->level, home, &cell);
    memcpy(target, m->position, 3 * sizeof *target);
    for (uint32_t i = 0; i < cell.portal_count; i++) {
        grz_portal portal;
        if (beyond(m, home, cell.portals[i], &portal) != m->way[home])
            continue;
        for (int k = 0; k < 3; k += 2) {
            const double through = portal.min[k] == portal.max[k] ? (portal.min[k] > m->position[k] ? 0.4 : -0.4) : 0.0;
            // A door is two triangles; its middle is at half a unit from whole numbers.
            target[k] =
                portal.min[k] == portal.max[k] ? portal.min[k] + through : 0.5 * (portal.min[k] + portal.max[k]);
        }
    }
}

static void check_step(const demo *d, const maze *m, const double displacement[3])
{
    const grz_shape shape = grz_shape_capsule(DOWN_END, UP_END, RADIUS);
    grz_object *objects = demo_get(1 + m->crate_count, sizeof *objects);
    grz_mover_answer whole;
    grz_error error;
    objects[0] = grz_object_at_origin(m->walls);
    memcpy(objects + 1, m->objects + CRATES, m->crate_count * sizeof *objects);
    demo_check(grz_mover_step(d->device, objects, 1 + m->crate_count, &shape, m->position, displacement, &m->options,
                              &whole, &error),
               &error);
    free(objects);
    if (memcmp(whole.position, m->answer.position, sizeof whole.position) == 0 &&
        whole.iterations == m->answer.iterations && whole.contact_count == m->answer.contact_count)
        return;
    fprintf(stderr, "maze: step %" PRIu64 " is not that of the whole level\n", m->steps);
    exit(1);
}

static void step(const demo *d, maze *m)
{
    const grz_shape shape = grz_shape_capsule(DOWN_END, UP_END, RADIUS);
    double target[3];
    grz_error error;
    demo_check(grz_portals_track(m->tracker, m->position, m->position, m->position, &m->place, &error), &error);
    const uint32_t home = m->place.cells[0];
    m->entered += m->steps == 0 || home != m->last_home;
    m->last_home = home;
    m->seen[home] = true;
    choose_target(m, home, target);
    m->steps++;
    const double x = target[0] - m->position[0], z = target[2] - m->position[2], far = fmax(sqrt(x * x + z * z), 1e-9),
                 go = SPEED * SECONDS / far, side = m->aside > 0 ? 1.0 : 0.0;
    const double displacement[3] = {go * (x + side * z), -0.02, go * (z - side * x)};
    demo_check(
        grz_portals_step(m->tracker, &shape, m->position, displacement, &m->options, &m->answer, &m->place, &error),
        &error);
    if (d->check)
        check_step(d, m, displacement);
    m->options.floor = m->answer.floor;
    const double dx = m->answer.position[0] - m->position[0], dz = m->answer.position[2] - m->position[2],
                 gone = sqrt(dx * dx + dz * dz);
    m->aside = gone < 0.2 * SPEED * SECONDS ? 40 : m->aside > 0 ? m->aside - 1 : 0;
    if (gone > 0.0) {
        m->heading[0] = 0.9 * m->heading[0] + 0.1 * dx / gone;
        m->heading[2] = 0.9 * m->heading[2] + 0.1 * dz / gone;
    }
    memcpy(m->position, m->answer.position, sizeof m->position);
    m->objects[WALKER].pose = grz_pose_from_translation(m->position[0], m->position[1], m->position[2]);
}

// ---- Frames -------------------------------------------------------------------------------------------------------

static void set_color(uint8_t *colours, uint32_t i, const uint8_t color[3])
{
    memcpy(colours + 3 * (size_t)i, color, 3);
}

static void paint_cell(maze *m, uint32_t number, const uint8_t color[3])
{
    grz_portals_cell cell;
    (void)grz_portals_cell_at(m->level, number, &cell);
    for (uint32_t z = (uint32_t)cell.min[2]; z < (uint32_t)cell.max[2]; z++)
        for (uint32_t x = (uint32_t)cell.min[0]; x < (uint32_t)cell.max[0]; x++)
            for (uint32_t i = 0; i < 2; i++)
                set_color(m->floor_colors, 2 * (z * THIRDS * m->rooms + x) + i, color);
}

// How many faces and crates the last step was given.
static void paint(maze *m, uint64_t *faces, uint32_t *crates)
{
    *faces = 0;
    *crates = 0;
    for (uint32_t i = 1; i < m->report.cells; i++)
        paint_cell(m, i, m->seen[i] ? SEEN : UNSEEN);
    for (uint32_t i = 0; i < m->crate_count; i++)
        set_color(m->colours, CRATES + i, CRATE);
    for (uint32_t i = 0; i < m->place.count; i++) {
        grz_portals_cell cell;
        (void)grz_portals_cell_at(m->level, m->place.cells[i], &cell);
        *faces += grz_mesh_face_count(cell.walls);
        paint_cell(m, m->place.cells[i], i == 0 ? HERE : NEAR);
        for (uint32_t j = 0; j < cell.content_count; j++) {
            uint8_t *color = m->colours + 3 * (size_t)(CRATES + cell.contents[j]);
            *crates += memcmp(color, CRATE_NEAR, 3) != 0;
            memcpy(color, CRATE_NEAR, 3);
        }
    }
}

// The colour of a face that the walker sees: the floor and the crates have those of the map.
static void color_of(void *user, uint32_t object, uint32_t face, const double normal[3], uint8_t color[3])
{
    const maze *m = user;
    const uint8_t *from = WALL;
    if (object > 0)
        from = m->colours + 3 * (size_t)(CRATES + face / BLOCK_FACES);
    else if (face < m->floor_count)
        from = m->floor_colors + 3 * (size_t)face;
    else if (normal[1] != 0.0)
        from = CEILING;
    memcpy(color, from, 3);
}

static void look(const demo *d, maze *m)
{
    const double far = fmax(sqrt(m->heading[0] * m->heading[0] + m->heading[2] * m->heading[2]), 1e-9),
                 heading[3] = {m->heading[0] / far, 0.0, m->heading[2] / far},
                 at[3] = {m->position[0], m->position[1] + HALF, m->position[2]};
    eyes_look(&m->eyes, d, m->visible, 2, at, heading, color_of, m);
}

static uint64_t touching(const grz_result *result)
{
    uint64_t count, pairs = 0;
    const grz_scene_pair *list = grz_result_scene_pairs(result, &count);
    for (uint64_t i = 0; i < count; i++)
        pairs += list[i].pair_count;
    return pairs;
}

static void ask(const demo *d, const maze *m, const char *method, grz_result *result)
{
    const grz_collide_options options = demo_ask_pairs(method);
    grz_scene *scene;
    grz_error error;
    demo_check(grz_scene_create(d->device, &scene, &error), &error);
    for (uint32_t i = 0; i < CRATES + m->crate_count; i++) {
        uint32_t id;
        demo_check(grz_scene_add(scene, &m->objects[i], &id, &error), &error);
    }
    demo_check(grz_collide_scene(d->device, scene, &options, result, &error), &error);
    grz_scene_destroy(scene);
}

static void set_view(demo *d, maze *m)
{
    grz_picture_options *picture = &d->picture;
    set_color(m->colours, WALLS, WALL);
    set_color(m->colours, WALKER, BODY);
    m->face_colours[FLOOR] = m->floor_colors;
    picture->colours = m->colours;
    picture->face_colours = m->face_colours;
    picture->has_direction = picture->has_region = true;
    picture->direction[0] = -0.05;
    picture->direction[1] = -1.0;
    picture->direction[2] = -0.4;
    picture->region_min[0] = -3.0 * m->rooms; // room for what the walker sees
    picture->region_max[0] = 3.1 * m->rooms;
    picture->region_max[2] = 3.0 * m->rooms;
    picture->region_max[1] = 2.0;
    eyes_open(&m->eyes, d->small ? 120 : 480, d->small ? 90 : 360, 0.8);
    m->visible[0] = grz_object_at_origin(m->walls);
    m->visible[1] = grz_object_at_origin(m->crates);
    d->overlay = (demo_overlay){
        .pixels = m->eyes.pixels, .columns = m->eyes.columns, .rows = m->eyes.rows, .width = 600, .height = 450};
}

static void finish(maze *m)
{
    grz_portals_tracker_destroy(m->tracker);
    grz_portals_destroy(m->level);
    grz_mesh_destroy(m->walls);
    grz_mesh_destroy(m->drawn);
    grz_mesh_destroy(m->floor);
    grz_mesh_destroy(m->crate);
    grz_mesh_destroy(m->crates);
    grz_mesh_destroy(m->body);
    void *const blocks[] = {
        m->joined,       m->positions, m->indices, m->doors, m->objects, m->colours, (void *)m->face_colours,
        m->floor_colors, m->seen,      m->way};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        free(blocks[i]);
    eyes_close(&m->eyes);
    free(m);
}

int main(int argc, char **argv)
{
    demo d = {.name = "maze",
              .about = "a walk through a maze of cells and portals",
              .usual_frames = 900,
              .bodies = CELLS,
              .choice = "cells"};
    grz_result *result, *reference;
    grz_error error;
    demo_open(&d, argc, argv);
    maze *m = demo_get(1, sizeof *m);
    make(&d, m);
    set_view(&d, m);
    demo_check(grz_result_create(d.device, &result, &error), &error);
    demo_check(grz_result_create(d.device, &reference, &error), &error);
    printf("maze: %" PRIu32 " cells, %" PRIu32 " portals, %" PRIu64 " walls, %" PRIu32 " crates; method %s\n",
           m->report.cells, m->report.portals, m->report.walls, m->crate_count, d.method);
    for (uint64_t frame = 0; frame < d.frames; frame++) {
        char found[200];
        uint64_t faces;
        uint32_t crates;
        for (int i = 0; i < STEPS * (d.small ? 6 : 1); i++)
            step(&d, m);
        ask(&d, m, d.method, result);
        if (d.check) {
            ask(&d, m, d.reference, reference);
            demo_compare(&d, frame, result, reference);
        }
        paint(m, &faces, &crates);
        look(&d, m);
        snprintf(found, sizeof found,
                 "%" PRIu64 " rooms entered; at %" PRIu32 " of %" PRIu32 " cells: %" PRIu64 " of %" PRIu64
                 " faces, %" PRIu32 " of %" PRIu32 " crates; %" PRIu64 " pairs of faces touch",
                 m->entered, m->place.count, m->report.cells, faces, m->report.walls, crates, m->crate_count,
                 touching(result));
        if (!demo_show(&d, frame, m->objects, CRATES + m->crate_count, result, found))
            break;
    }
    grz_result_destroy(result);
    grz_result_destroy(reference);
    finish(m);
    demo_close(&d);
    return 0;
}
