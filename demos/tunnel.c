// SPDX-License-Identifier: MIT
// A spaceship flies through a bent tunnel with obstacles, and touches something in about a quarter of the frames: the
// scene of J. Fabrizio, "Easy real-time collision detection", section 3.1. Each frame has two answers: the exact one,
// which faces touch, and the paper's, which compares height maps (<graze/environment.h>). At the end it is counted how
// often the second is wrong. The roof of the tunnel is left out of the picture, not out of the questions. With --ship
// wings the ship's wings open and close, as in the paper's figure 4: its own map is drawn again in each frame, and maps
// along the directions that grz_projections_find() chooses are asked as well.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cave.h"
#include "demo.h"
#include "winged_ship.h"
#include <graze/gl.h>
#include <graze/io.h>
#include <graze/projections.h>

enum {
    SHIP, // the first object; the parts of the tunnel follow
    OBJECTS = 1 + CAVE_PARTS,
    RESOLUTION = 128, // of the height map
    MAP_WIDTH = 360,  // pixels of its picture, in proportion to the ship
    MAP_HEIGHT = 162,
    MOST_MARKS = 200, // contacts of the height map whose surroundings are coloured
    TRIALS = 5,       // of which the first is shown
    MOST_FOUND = 8,   // directions
    WING_POSES = 3    // for which they are looked for
};

static const double WINGED_LENGTH = 27.0, OPENINGS = 4.0; // how often wings open in a flight

static const double first_z = 60.0, last_z = 640.0; // where the flight begins and ends
static const double mark_radius = 2.2;              // around a contact of the height map
static const char *const SHIPS[] = {"shuttle", "wings", NULL};
static const uint8_t yellow[3] = {255, 206, 0}, red[3] = {224, 24, 32};

// A height map of the ship with other settings, and how often it was wrong.
typedef struct trial {
    const char *name;
    grz_projection projection;
    bool both_sides;
    bool found;                            // along directions found: all maps must hit
    grz_heightmap *heightmaps[MOST_FOUND]; // kept for the flight
    uint32_t count;                        // 0: not asked
    double ms;                             // sums of all frames
    uint64_t yes, missed, invented;
} trial;

typedef struct flight {
    cave_part parts[CAVE_PARTS];
    grz_mesh *meshes[OBJECTS];
    grz_object objects[OBJECTS];
    grz_scene *scenes[2]; // of the method, and of the reference: each remembers its own answers
    trial trials[TRIALS];
    winged_ship winged; // with --ship wings
    bool has_wings;
    double (*ship_positions)[3];
    uint32_t (*ship_triangles)[3];
    uint8_t *ship_colors;
    uint8_t *part_colors[CAVE_PARTS]; // in this frame
    uint8_t *map, *map_now;           // the ship's height map as a picture
    double exact_ms;                  // sum of all frames
    uint64_t frames, exact;
} flight;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double milliseconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

// ---- The path ------------------------------------------------------------------------------------------------------

// Where the ship is on its path: beside and above the middle of the tunnel, and how far it rolls, in radians.
typedef struct turn {
    double z, u, v, roll;
} turn;

static const turn path[] = {
    {60.0, 0.0, 0.0, 0.0},    {76.0, 0.0, 0.0, 0.0},     {108.0, -14.4, 0.0, 0.1},  {142.0, -14.4, 0.0, 0.1},
    {172.0, -3.0, 1.0, -0.2}, {204.0, -1.0, 0.0, 0.0},   {240.0, 1.0, -0.5, 0.0},   {300.0, 0.0, -0.6, 0.0},
    {335.0, 0.0, 0.5, 0.4},   {362.0, 0.0, 0.0, 1.5708}, {400.0, 0.0, 0.0, 1.5708}, {430.0, 0.0, 0.2, 0.0},
    {462.0, 0.0, 0.2, 0.0},   {486.0, 0.0, -2.2, 0.0},   {530.0, 3.0, 0.0, 0.2},    {580.0, 0.4, 0.0, 0.0},
    {640.0, 0.0, 0.0, 0.0},
};

// The path at z, smooth between its turns.
static turn turn_at(double z)
{
    size_t i = 0;
    while (i + 2 < sizeof path / sizeof *path && path[i + 1].z < z)
        i++;
    const turn *a = &path[i], *b = &path[i + 1];
    double share = fmin(fmax((z - a->z) / (b->z - a->z), 0.0), 1.0);
    share *= share * (3.0 - 2.0 * share);
    return (turn){z, a->u + share * (b->u - a->u), a->v + share * (b->v - a->v), a->roll + share * (b->roll - a->roll)};
}

static void path_point(double z, double at[3])
{
    const turn t = turn_at(z);
    const cave_frame f = cave_frame_at(z);
    for (int i = 0; i < 3; i++)
        at[i] = f.at[i] + t.u * f.side[i] + t.v * f.up[i];
}

// The ship's nose points along its path.
static grz_pose pose_at(double z)
{
    const turn t = turn_at(z);
    const cave_frame f = cave_frame_at(z);
    double at[3], next[3], forward[3], side[3], up[3];
    grz_pose pose;
    path_point(z, at);
    path_point(z + 1.0, next);
    for (int i = 0; i < 3; i++)
        forward[i] = next[i] - at[i];
    const double length = sqrt(dot(forward, forward));
    for (int i = 0; i < 3; i++) {
        forward[i] /= length;
        side[i] = f.side[i];
    }
    const double along = dot(side, forward);
    for (int i = 0; i < 3; i++)
        side[i] -= along * forward[i];
    const double wide = sqrt(dot(side, side));
    for (int i = 0; i < 3; i++)
        side[i] /= wide;
    for (int i = 0; i < 3; i++)
        up[i] = forward[(i + 1) % 3] * side[(i + 2) % 3] - forward[(i + 2) % 3] * side[(i + 1) % 3];
    for (int i = 0; i < 3; i++) {
        pose.m[i][0] = cos(t.roll) * side[i] + sin(t.roll) * up[i];
        pose.m[i][1] = cos(t.roll) * up[i] - sin(t.roll) * side[i];
        pose.m[i][2] = forward[i];
        pose.m[i][3] = at[i];
    }
    return pose;
}

// ---- The objects ---------------------------------------------------------------------------------------------------

static const uint8_t white[3] = {238, 240, 244}, blue[3] = {104, 148, 214}, grey[3] = {112, 118, 130};

// A ship with wings that move: white, wings and engines grey.
static void make_winged_ship(const demo *d, flight *f)
{
    winged_ship *s = &f->winged;
    winged_ship_make(s, WINGED_LENGTH, d->small);
    f->has_wings = true;
    f->meshes[SHIP] =
        demo_mesh(d, s->positions, s->vertex_count, &s->triangles[0][0], 3 * (uint64_t)s->triangle_count, 0);
    f->ship_positions = s->positions;
    f->ship_triangles = s->triangles;
    f->ship_colors = demo_get(s->triangle_count, 3);
    for (uint32_t t = 0; t < s->triangle_count; t++)
        memcpy(f->ship_colors + 3 * (size_t)t, t < s->body_triangles ? white : grey, sizeof white);
}

// The ship flies along z, and y is up. It is white, its cabin blue, and its engines grey.
static void make_ship(const demo *d, flight *f)
{
    grz_io_model *m;
    grz_error error;
    demo_check(grz_io_load_file(DEMOS_DATA "/spaceship_shuttle_a.obj", NULL, &m, &error), &error);
    f->meshes[SHIP] = demo_mesh(d, m->positions, m->vertex_count, m->indices, m->index_count, 0);
    f->ship_positions = demo_get(m->vertex_count, sizeof *f->ship_positions);
    f->ship_triangles = demo_get(m->index_count / 3, sizeof *f->ship_triangles);
    f->ship_colors = demo_get(m->index_count / 3, 3);
    memcpy(f->ship_positions, m->positions, m->vertex_count * sizeof *f->ship_positions);
    memcpy(f->ship_triangles, m->indices, m->index_count * sizeof *m->indices);
    for (uint64_t t = 0; t < m->index_count / 3; t++) {
        const double along = m->positions[3 * (size_t)m->indices[3 * t] + 2];
        memcpy(f->ship_colors + 3 * t, along < -11.5 ? grey : along > 9.5 ? blue : white, sizeof white);
    }
    grz_io_model_destroy(m);
}

// Maps along the directions that suit the wings open, closed and between.
static void find_directions(const demo *d, flight *f, trial *t, grz_heightmap_options *settings)
{
    const winged_ship *s = &f->winged;
    grz_projections_options options = grz_default_projections_options();
    grz_projections_part part;
    grz_projections *found;
    grz_mesh *poses[WING_POSES];
    grz_error error;
    for (int i = 0; i < WING_POSES; i++) {
        winged_ship_open(&f->winged, winged_ship_angle(0.5 * i / (WING_POSES - 1)), 0.0);
        poses[i] = demo_mesh(d, s->positions, s->vertex_count, &s->triangles[0][0], 3 * (uint64_t)s->triangle_count, 0);
    }
    options.projection = t->projection;
    options.inside_rule = GRZ_NONZERO; // the parts of the ship overlap
    options.max_parts = 1;
    options.max_directions = MOST_FOUND;
    demo_check(grz_projections_find(d->device, (const grz_mesh *const *)poses, WING_POSES, &options, &found, &error),
               &error);
    grz_projections_part_of(found, 0, &part);
    for (uint32_t i = 0; i < part.direction_count; i++) {
        grz_projections_heightmap(found, 0, i, settings);
        demo_check(grz_heightmap_create(d->device, f->meshes[SHIP], settings, &t->heightmaps[i], &error), &error);
    }
    t->count = part.direction_count;
    printf("tunnel: directions found: %u (at least %u are needed)\n", part.direction_count, part.fewest);
    grz_projections_destroy(found);
    for (int i = 0; i < WING_POSES; i++)
        grz_mesh_destroy(poses[i]);
}

static void make(const demo *d, flight *f)
{
    grz_heightmap_options options = grz_default_heightmap_options();
    grz_error error;
    cave_make(f->parts, d->small);
    if (strcmp(d->body, "wings") == 0)
        make_winged_ship(d, f);
    else
        make_ship(d, f);
    for (uint32_t i = 0; i < CAVE_PARTS; i++) {
        const cave_part *part = &f->parts[i];
        f->meshes[1 + i] = demo_mesh(d, part->positions, part->vertex_count, &part->triangles[0][0],
                                     3 * (uint64_t)part->triangle_count, 0);
        f->part_colors[i] = demo_get(part->triangle_count, 3);
    }
    for (uint32_t i = 0; i < 2 * OBJECTS; i++) {
        uint32_t id;
        grz_scene **scene = &f->scenes[i / OBJECTS];
        if (i % OBJECTS == 0)
            demo_check(grz_scene_create(d->device, scene, &error), &error);
        f->objects[i % OBJECTS] = grz_object_at_origin(f->meshes[i % OBJECTS]);
        demo_check(grz_scene_add(*scene, &f->objects[i % OBJECTS], &id, &error), &error);
    }
    options.resolution = RESOLUTION;
    options.has_direction = true;
    options.direction[2] = 1.0;
    for (trial *t = f->trials; t < f->trials + TRIALS; t++) {
        options.projection = t->projection;
        options.both_sides = t->both_sides;
        t->count = !t->found;
        if (!t->found)
            demo_check(grz_heightmap_create(d->device, f->meshes[SHIP], &options, &t->heightmaps[0], &error), &error);
        else if (f->has_wings) // the other ship is open: nothing says what is outside
            find_directions(d, f, t, &options);
    }
}

// ---- The questions -------------------------------------------------------------------------------------------------

// Which faces of ship and tunnel touch.
static void ask(const demo *d, const flight *f, grz_scene *scene, const char *method, grz_result *result)
{
    grz_collide_options options = demo_ask_pairs(method);
    grz_error error;
    options.reference = SHIP; // not the pairs of the tunnel's parts: pillars stand in the rock
    demo_check(grz_scene_set_pose(scene, SHIP, &f->objects[SHIP].pose, &error), &error);
    demo_check(grz_collide_scene(d->device, scene, &options, result, &error), &error);
}

// The height maps' answer, counted: all of them must hit. `exact`: whether faces touch.
static void try_height_map(flight *f, trial *t, bool exact, grz_heightmap_answer *answer)
{
    grz_environment environment = grz_default_environment();
    grz_error error;
    environment.objects = &f->objects[1];
    environment.object_count = CAVE_PARTS;
    environment.record = GRZ_RECORD_IDS | GRZ_RECORD_NORMALS; // the ids are numbers of parts
    environment.contacts = true;
    const double before = milliseconds();
    for (uint32_t i = 0; i < t->count && (i == 0 || answer->colliding); i++)
        demo_check(grz_heightmap_collide(t->heightmaps[i], &f->objects[SHIP], &environment, answer, &error), &error);
    t->ms += milliseconds() - before;
    t->yes += answer->colliding;
    t->missed += exact && !answer->colliding;
    t->invented += !exact && answer->colliding;
}

// ---- The picture ---------------------------------------------------------------------------------------------------

// A pixel of the map in its picture, which shows the ship from behind: what is left is left.
static uint8_t *pixel_of(uint8_t *map, const grz_height_contact *contact)
{
    return &map[3 * ((size_t)contact->y * RESOLUTION + RESOLUTION - 1 - contact->x)];
}

// The ship's height map as a picture. A slab along the rear of its box is nearer than its front everywhere, so all
// pixels that it covers are contacts, and say how far away the front is.
static void draw_map(const demo *d, flight *f)
{
    static const uint32_t triangles[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                              {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    double low[3], high[3], corners[8][3];
    grz_environment environment = grz_default_environment();
    grz_heightmap_answer answer;
    grz_error error;
    f->objects[SHIP].pose = grz_pose_identity();
    demo_check(grz_object_bounds(&f->objects[SHIP], low, high, &error), &error);
    for (int i = 0; i < 8; i++) {
        corners[i][0] = i % 2 == 0 ? low[0] - 1.0 : high[0] + 1.0;
        corners[i][1] = i / 2 % 2 == 0 ? low[1] - 1.0 : high[1] + 1.0;
        corners[i][2] = low[2] + (i / 4 == 0 ? 0.001 : 0.01);
    }
    grz_mesh *slab = demo_mesh(d, corners, 8, &triangles[0][0], 36, 0);
    const grz_object object = grz_object_at_origin(slab);
    environment.objects = &object;
    environment.object_count = 1;
    environment.contacts = true;
    demo_check(grz_heightmap_collide(f->trials[0].heightmaps[0], &f->objects[SHIP], &environment, &answer, &error),
               &error);
    uint64_t count;
    const grz_height_contact *contacts = grz_heightmap_contacts(f->trials[0].heightmaps[0], &count);
    memset(f->map, 44, (size_t)RESOLUTION * RESOLUTION * 3);
    for (uint64_t i = 0; i < count; i++)
        memset(pixel_of(f->map, &contacts[i]), (int)(80.0 + 160.0 * contacts[i].depth / (high[2] - low[2])), 3);
    grz_mesh_destroy(slab);
}

// Whether a face is near a contact.
static bool is_near(const cave_part *part, uint32_t triangle, const double at[3])
{
    double from[3];
    for (int i = 0; i < 3; i++) {
        from[i] = -at[i];
        for (int j = 0; j < 3; j++)
            from[i] += part->positions[part->triangles[triangle][j]][i] / 3.0;
    }
    return dot(from, from) < mark_radius * mark_radius;
}

// Colour the faces of the tunnel around the contacts of the height map, and the pixels that hit.
static void mark_contacts(flight *f)
{
    uint64_t count;
    const grz_height_contact *contacts = grz_heightmap_contacts(f->trials[0].heightmaps[0], &count);
    for (uint32_t i = 0; i < CAVE_PARTS; i++)
        memcpy(f->part_colors[i], f->parts[i].colours, 3 * (size_t)f->parts[i].triangle_count);
    memcpy(f->map_now, f->map, (size_t)RESOLUTION * RESOLUTION * 3);
    for (uint64_t i = 0; i < count; i++)
        memcpy(pixel_of(f->map_now, &contacts[i]), yellow, sizeof yellow);
    for (uint64_t i = 0; i < count; i += count / MOST_MARKS + 1) {
        const uint32_t id = contacts[i].id;
        for (uint32_t t = 0; t < f->parts[id].triangle_count; t++)
            if (is_near(&f->parts[id], t, contacts[i].position))
                memcpy(f->part_colors[id] + 3 * (size_t)t, yellow, sizeof yellow);
    }
}

// The camera follows the ship, from behind and above, and turns with the tunnel.
static void set_view(demo *d, double z)
{
    const turn t = turn_at(z);
    const cave_frame f = cave_frame_at(z + 6.0);
    double behind[3], ahead[3];
    memcpy(behind, cave_frame_at(z - 70.0).at, sizeof behind);
    memcpy(ahead, cave_frame_at(z + 40.0).at, sizeof ahead);
    const double length = hypot(ahead[0] - behind[0], ahead[2] - behind[2]);
    grz_picture_options *picture = &d->picture;
    picture->has_direction = picture->has_region = true;
    picture->direction[0] = (ahead[0] - behind[0]) / length;
    picture->direction[1] = -0.58;
    picture->direction[2] = (ahead[2] - behind[2]) / length;
    for (int i = 0; i < 3; i++)
        picture->region_min[i] = picture->region_max[i] = f.at[i] + 0.4 * (t.u * f.side[i] + t.v * f.up[i]);
    picture->region_min[1] -= 27.0;
    picture->region_max[1] += 27.0;
}

// The closer view shows the first contact: from above if it is beside the ship, from the side if it is above or below.
static void set_closer(demo *d, const flight *f, const grz_result *result)
{
    uint64_t count;
    const grz_pair *pairs = grz_result_pairs(result, &count);
    const grz_pose *pose = &f->objects[SHIP].pose;
    d->closer = (demo_closer){.shown = count > 0, .width = 400, .height = 400, .radius = 4.5};
    if (count == 0)
        return;
    const double *at = f->ship_positions[f->ship_triangles[pairs[0].face_a][0]];
    const bool beside = fabs(at[0]) > 2.0 * fabs(at[1]);
    const double eye[3] = {beside ? 0.0 : at[0] < 0.0 ? -1.0 : 1.0, beside ? 1.0 : 0.3, -0.5}; // as the ship sees it
    grz_pose_apply(*pose, at, d->closer.middle);
    for (int i = 0; i < 3; i++)
        d->closer.direction[i] = -pose->m[i][0] * eye[0] - pose->m[i][1] * eye[1] - pose->m[i][2] * eye[2];
}

// What the ship touches.
static const char *name_touched(const grz_result *result)
{
    static const char *const names[CAVE_PARTS] = {"rock", "rock", "rib", "pillar", "boulder", "gate", "beam"};
    uint64_t count;
    const grz_scene_pair *touched = grz_result_scene_pairs(result, &count);
    return count > 1 ? "tunnel" : names[touched[0].b - 1];
}

// Say both answers.
static void describe(const grz_result *result, const grz_heightmap_answer *answer, char *text, size_t size)
{
    uint64_t pairs;
    char exact[80] = "nothing touches";
    grz_result_pairs(result, &pairs);
    if (pairs > 0)
        snprintf(exact, sizeof exact, "%" PRIu64 " pairs of faces of ship and %s touch, red", pairs,
                 name_touched(result));
    const char *verdict = (pairs > 0) == answer->colliding ? "right" : pairs > 0 ? "MISSED" : "INVENTED";
    snprintf(text, size, "height map %d x %d: %" PRIu64 " of %" PRIu64 " pixels hit%s, %s: %s", RESOLUTION, RESOLUTION,
             answer->hits, answer->pixels, answer->colliding ? " (yellow)" : "", verdict, exact);
}

// One frame. False if the window was closed.
static bool show(demo *d, flight *f, uint64_t frame, grz_result *result, grz_result *reference)
{
    const double share = d->frames > 1 ? (double)frame / (double)(d->frames - 1) : 0.5,
                 z = first_z + share * (last_z - first_z);
    grz_heightmap_answer answer;
    grz_object shown[OBJECTS];
    char found[200];
    if (f->has_wings) {
        grz_error error;
        winged_ship_open(&f->winged, winged_ship_angle(OPENINGS * share), 0.0);
        demo_check(grz_mesh_set_positions(f->meshes[SHIP], f->winged.positions, &error), &error);
        draw_map(d, f);
    }
    f->objects[SHIP].pose = pose_at(z);
    ask(d, f, f->scenes[0], d->method, result);
    if (d->check) {
        ask(d, f, f->scenes[1], d->reference, reference);
        demo_compare(d, frame, result, reference);
    }
    const bool exact = grz_result_summary(result)->pair_count > 0;
    f->frames++;
    f->exact += exact;
    f->exact_ms += grz_result_summary(result)->total_ms;
    for (int i = TRIALS - 1; i >= 0; i--) // the first trial last, so that `answer` is its own
        if (f->trials[i].count > 0)
            try_height_map(f, &f->trials[i], exact, &answer);
    mark_contacts(f);
    describe(result, &answer, found, sizeof found);
    set_view(d, z);
    set_closer(d, f, result);
    memcpy(shown, f->objects, sizeof shown);
    shown[1 + CAVE_ROOF].mesh = NULL;
    return demo_show(d, frame, shown, OBJECTS, result, found);
}

static void print_summary(const demo *d, const flight *f)
{
    const double frames = (double)f->frames;
    printf("tunnel: faces touch in %" PRIu64 " of %" PRIu64 " frames (%.2f ms a frame by %s)\n", f->exact, f->frames,
           f->exact_ms / frames, d->method);
    for (const trial *t = f->trials; t < f->trials + TRIALS && t->count > 0; t++)
        printf("tunnel: height map, %s: yes in %" PRIu64 " frames, wrong in %" PRIu64 ": %" PRIu64 " missed, %" PRIu64
               " invented (%.2f ms a frame)\n",
               t->name, t->yes, t->missed + t->invented, t->missed, t->invented, t->ms / frames);
}

static void finish(flight *f)
{
    grz_scene_destroy(f->scenes[0]);
    grz_scene_destroy(f->scenes[1]);
    for (int i = 0; i < TRIALS; i++)
        for (uint32_t k = 0; k < f->trials[i].count; k++)
            grz_heightmap_destroy(f->trials[i].heightmaps[k]);
    for (uint32_t i = 0; i < OBJECTS; i++)
        grz_mesh_destroy(f->meshes[i]);
    for (uint32_t i = 0; i < CAVE_PARTS; i++)
        free(f->part_colors[i]);
    cave_free(f->parts);
    free(f->ship_positions); // also those of the winged ship
    free(f->ship_triangles);
    free(f->ship_colors);
    free(f->map);
    free(f->map_now);
}

int main(int argc, char **argv)
{
    demo d = {.name = "tunnel",
              .about = "a spaceship flies through a tunnel; height maps and an exact method say what it touches",
              .usual_frames = 120,
              .bodies = SHIPS,
              .choice = "ship"};
    static uint8_t colours[3 * OBJECTS], touched[3 * OBJECTS];
    static const uint8_t *face_colours[OBJECTS];
    flight f = {.trials = {{.name = "single", .projection = GRZ_PROJECTION_SINGLE},
                           {.name = "single, both sides", .projection = GRZ_PROJECTION_SINGLE, .both_sides = true},
                           {.name = "opposite", .projection = GRZ_PROJECTION_OPPOSITE},
                           {.name = "bounded", .projection = GRZ_PROJECTION_BOUNDED},
                           {.name = "directions found", .projection = GRZ_PROJECTION_SINGLE, .found = true}}};
    grz_error error;
    grz_result *result, *reference;
    uint64_t triangles = 0;
    demo_open(&d, argc, argv);
    make(&d, &f);
    f.map = demo_get((size_t)RESOLUTION * RESOLUTION, 3);
    f.map_now = demo_get((size_t)RESOLUTION * RESOLUTION, 3);
    draw_map(&d, &f);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        memcpy(touched + 3 * (size_t)i, red, sizeof red);
        face_colours[i] = i == SHIP ? f.ship_colors : f.part_colors[i - 1];
        triangles += i == SHIP ? 0 : f.parts[i - 1].triangle_count;
    }
    d.picture.colours = colours;
    d.picture.touch_colours = touched;
    d.picture.face_colours = face_colours;
    d.overlay = (demo_overlay){
        .pixels = f.map_now, .columns = RESOLUTION, .rows = RESOLUTION, .width = MAP_WIDTH, .height = MAP_HEIGHT};
    demo_check(grz_result_create(d.device, &result, &error), &error);
    demo_check(grz_result_create(d.device, &reference, &error), &error);
    printf("tunnel: %" PRIu64 " triangles, ship %s, method %s\n", triangles, d.body, d.method);
    for (uint64_t frame = 0; frame < d.frames; frame++)
        if (!show(&d, &f, frame, result, reference))
            break;
    print_summary(&d, &f);
    grz_result_destroy(result);
    grz_result_destroy(reference);
    finish(&f);
    demo_close(&d);
    return 0;
}
