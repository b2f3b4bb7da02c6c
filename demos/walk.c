// SPDX-License-Identifier: MIT A capsule, a sphere, a box, an ellipsoid or a cylinder (--body) walks through a level
// from mark to mark: hills, stairs, a ramp, pillars in its way, and a platform that rises and sinks. grz_mover_step()
// moves it. A mesh inside the body is then tested against the level: a proof that each step ends outside is good for no
// pair in any frame.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

enum {
    GROUND,
    PLATFORM,
    WALKER,
    OBJECTS,
    STEPS = 2, // of the walker in a frame
    STAIRS = 5,
    CELLS = 48, // of the ground, along a side
    RINGS = 6,  // of the walker's mesh, in a half sphere
    SECTORS = 16
};

static const double RADIUS = 0.3, HALF = 0.5, SPEED = 3.0, SECONDS = 1.0 / 60.0, GRAVITY = 9.8;
static const double UP[3] = {0.0, 1.0, 0.0}, SIZE[3] = {0.3, 0.8, 0.3}; // of a box or an ellipsoid
static const char *const BODIES[] = {"capsule", "sphere", "box", "ellipsoid", "cylinder", NULL};
static const double MARKS[][2] = {{-1.0, 0.0}, {3.5, 0.0},  {8.0, 0.0},  {6.0, 4.0},
                                  {0.0, 4.0},  {-6.0, 3.0}, {-6.0, -3.0}};

typedef struct walk {
    demo_parts parts; // of the mesh being made
    grz_mesh *meshes[OBJECTS];
    grz_object objects[OBJECTS];
    double position[3], falling;
    uint32_t mark;
    int aside; // steps that it will go to the side
    uint64_t stairs, steps;
    grz_mover_options options;
    grz_mover_answer answer;
} walk;

// ---- Meshes -------------------------------------------------------------------------------------------------------

static double height(double x, double z)
{
    return 0.25 * sin(0.8 * x + 1.0) * cos(0.7 * z) - 0.25;
}

static void make_ground(const demo *d, walk *w)
{
    const uint32_t cells = d->small ? CELLS / 4 : CELLS;
    const double size = 10.0, step = 2.0 * size / cells;
    for (uint32_t j = 0; j <= cells; j++)
        for (uint32_t i = 0; i <= cells; i++)
            demo_add_vertex(&w->parts, i * step - size, height(i * step - size, j * step - size), j * step - size);
    demo_add_ground(&w->parts, cells);
    for (int i = 0; i < STAIRS; i++)
        demo_add_block(&w->parts, -1.0, 0.4 * i, -1.0, 0.4 * (i + 1), 1.0, 0.2 * (i + 1), 0.2 * (i + 1));
    demo_add_block(&w->parts, -1.0, 0.4 * STAIRS, -1.0, 4.5, 1.0, 0.2 * STAIRS, 0.2 * STAIRS);
    demo_add_block(&w->parts, -1.0, 4.5, -1.0, 8.0, 1.0, 0.2 * STAIRS, -0.5);
    for (int i = 0; i < 3; i++) // pillars on the way
        demo_add_block(&w->parts, -1.0, -3.5 - 0.2 * i, 2.4 + 0.9 * i, -3.0 - 0.2 * i, 2.9 + 0.9 * i, 1.5, 1.5);
    demo_add_block(&w->parts, -1.0, -6.4, -0.6, -5.6, 0.2, 1.5, 1.5);
    w->meshes[GROUND] = demo_finish_parts(d, &w->parts);
    demo_add_block(&w->parts, -1.0, -1.0, 3.0, 1.0, 5.0, -0.25, -0.25);
    w->meshes[PLATFORM] = demo_finish_parts(d, &w->parts);
}

static bool is_body(const demo *d, const char *name)
{
    return strcmp(d->body, name) == 0;
}

static void add_corners_of_box(walk *w)
{
    demo_add_block(&w->parts, -1.0, -SIZE[0], -SIZE[2], SIZE[0], SIZE[2], SIZE[1], SIZE[1]);
    for (uint32_t i = 0; i < 4; i++)
        w->parts.positions[3 * i + 1] = -SIZE[1];
}

// Two half spheres with a cylinder between them, or stretched.
static void add_rings(walk *w, double radius, double height, double half)
{
    for (int ring = 0; ring < 2 * RINGS; ring++) {
        const double a =
            3.14159265358979323846 * (0.5 - (ring < RINGS ? ring + 0.5 : ring - 0.5) / (2.0 * RINGS - 1.0));
        for (int i = 0; i < SECTORS; i++) {
            const double b = 2.0 * 3.14159265358979323846 * i / SECTORS;
            demo_add_vertex(&w->parts, radius * cos(a) * cos(b), height * sin(a) + (ring < RINGS ? half : -half),
                            radius * cos(a) * sin(b));
        }
    }
    const uint32_t top = demo_add_vertex(&w->parts, 0.0, half + height, 0.0),
                   bottom = demo_add_vertex(&w->parts, 0.0, -half - height, 0.0);
    for (uint32_t i = 0; i < SECTORS; i++) {
        const uint32_t next = (i + 1) % SECTORS, last = (2 * RINGS - 1) * SECTORS;
        demo_add_triangle(&w->parts, top, next, i);
        demo_add_triangle(&w->parts, bottom, last + i, last + next);
        for (uint32_t ring = 0; ring + 1 < 2 * RINGS; ring++) {
            const uint32_t v = ring * SECTORS + i, right = ring * SECTORS + next;
            demo_add_triangle(&w->parts, v, right, v + SECTORS);
            demo_add_triangle(&w->parts, right, right + SECTORS, v + SECTORS);
        }
    }
}

// Inside the body, but for rounding outwards, which the skin holds.
static void make_walker(const demo *d, walk *w)
{
    if (is_body(d, "box"))
        add_corners_of_box(w);
    else if (is_body(d, "ellipsoid"))
        add_rings(w, SIZE[0], SIZE[1], 0.0);
    else
        add_rings(w, RADIUS, RADIUS, is_body(d, "sphere") ? 0.0 : HALF);
    w->meshes[WALKER] = demo_finish_parts(d, &w->parts);
}

// The turn that takes the z axis, along which cylinders are, to the walker's up.
static grz_pose upright(void)
{
    const grz_pose turn = {{{0.0, 1.0, 0.0, 0.0}, {0.0, 0.0, 1.0, 0.0}, {1.0, 0.0, 0.0, 0.0}}};
    return turn;
}

static grz_shape shape_of(const demo *d)
{
    static const double middle[3] = {0.0, 0.0, 0.0};
    double ends[2][3];
    for (int k = 0; k < 3; k++) {
        ends[0][k] = -HALF * UP[k];
        ends[1][k] = HALF * UP[k];
    }
    if (is_body(d, "cylinder")) {
        grz_shape cylinder = grz_shape_cylinder(middle, SIZE[0], SIZE[1]);
        cylinder.pose = upright();
        return cylinder;
    }
    return is_body(d, "box")         ? grz_shape_box(middle, SIZE)
           : is_body(d, "ellipsoid") ? grz_shape_ellipsoid(middle, SIZE)
           : is_body(d, "sphere")    ? grz_shape_sphere(middle, RADIUS)
                                     : grz_shape_capsule(ends[0], ends[1], RADIUS);
}

// ---- Walking ------------------------------------------------------------------------------------------------------

static void step(const demo *d, walk *w)
{
    const grz_shape shape = shape_of(d);
    grz_pose earlier[2] = {w->objects[GROUND].pose, w->objects[PLATFORM].pose};
    const double *mark = MARKS[w->mark], x = mark[0] - w->position[0], z = mark[1] - w->position[2],
                 far = sqrt(x * x + z * z);
    grz_error error;
    w->objects[PLATFORM].pose = grz_pose_from_translation(0.0, 0.4 - 0.4 * cos(SECONDS * (double)w->steps++), 0.0);
    if (far < 0.4)
        w->mark = (w->mark + 1) % (sizeof MARKS / sizeof *MARKS);
    w->falling = w->answer.floor.stands ? 0.0 : w->falling + GRAVITY * SECONDS;
    // Round what is in the way: to the side for a second.
    const double go = SPEED * SECONDS / fmax(far, 1e-9), side = w->aside > 0 ? 2.0 : 0.0;
    const double displacement[3] = {go * (x + side * z), -w->falling * SECONDS, go * (z - side * x)};
    w->options.floor = w->answer.floor;
    w->options.earlier_poses = earlier;
    w->options.clean_up = GRZ_MOVER_CLEAN_UP_SHORTEST; // the platform may come from below
    demo_check(
        grz_mover_step(d->device, w->objects, 2, &shape, w->position, displacement, &w->options, &w->answer, &error),
        &error);
    const double dx = w->answer.position[0] - w->position[0], dz = w->answer.position[2] - w->position[2];
    w->aside = dx * dx + dz * dz < 0.1 * SPEED * SECONDS * SPEED * SECONDS ? 60 : w->aside > 0 ? w->aside - 1 : 0;
    memcpy(w->position, w->answer.position, sizeof w->position);
    w->objects[WALKER].pose = grz_pose_from_translation(w->position[0], w->position[1], w->position[2]);
    w->stairs += w->answer.stepped_up;
}

static void make(const demo *d, walk *w)
{
    const double start[3] = {-4.0, 1.5, 0.0};
    make_ground(d, w);
    make_walker(d, w);
    for (int i = 0; i < OBJECTS; i++)
        w->objects[i] = grz_object_at_origin(w->meshes[i]);
    memcpy(w->position, start, sizeof start);
    w->options = grz_default_mover_options();
    w->options.walk = true;
    memcpy(w->options.up, UP, sizeof UP);
    w->options.step_up = w->options.step_down = 0.3;
}

static void describe(const walk *w, const grz_result *result, char *text, size_t size)
{
    static const char *const on[] = {"on the ground", "on the platform"};
    uint64_t count;
    const grz_scene_pair *pairs = grz_result_scene_pairs(result, &count);
    uint64_t touching = 0;
    for (uint64_t i = 0; i < count; i++)
        touching += pairs[i].b == WALKER ? pairs[i].pair_count : 0;
    snprintf(text, size, "%s, %" PRIu32 " contacts, %" PRIu64 " stairs gone up; %" PRIu64 " pairs of faces touch",
             w->answer.floor.stands ? on[w->answer.floor.object] : "in the air", w->answer.contact_count, w->stairs,
             touching);
}

static void ask(const demo *d, const walk *w, const char *method, grz_result *result)
{
    const grz_collide_options options = demo_ask_pairs(method);
    grz_scene *scene;
    grz_error error;
    demo_check(grz_scene_create(d->device, &scene, &error), &error);
    for (int i = 0; i < OBJECTS; i++) {
        uint32_t id;
        demo_check(grz_scene_add(scene, &w->objects[i], &id, &error), &error);
    }
    demo_check(grz_collide_scene(d->device, scene, &options, result, &error), &error);
    grz_scene_destroy(scene);
}

static void set_view(demo *d)
{
    static const uint8_t colours[3 * OBJECTS] = {222, 222, 220, 150, 180, 150, 96, 140, 186};
    grz_picture_options *picture = &d->picture;
    picture->colours = colours;
    picture->has_direction = picture->has_region = true;
    picture->direction[0] = -0.4;
    picture->direction[1] = -0.7;
    picture->direction[2] = -0.9;
    picture->region_min[0] = picture->region_min[2] = -7.0;
    picture->region_min[1] = -1.0;
    picture->region_max[0] = picture->region_max[2] = 7.0;
    picture->region_max[1] = 2.0;
}

int main(int argc, char **argv)
{
    demo d = {.name = "walk",
              .about = "a body walks over hills, stairs and a platform",
              .usual_frames = 600,
              .bodies = BODIES};
    grz_result *result, *reference;
    grz_error error;
    demo_open(&d, argc, argv);
    walk *w = demo_get(1, sizeof *w);
    make(&d, w);
    set_view(&d);
    demo_check(grz_result_create(d.device, &result, &error), &error);
    demo_check(grz_result_create(d.device, &reference, &error), &error);
    printf("walk: a %s, method %s\n", d.body, d.method);
    for (uint64_t frame = 0; frame < d.frames; frame++) {
        char found[160];
        for (int i = 0; i < STEPS * (d.small ? 12 : 1); i++)
            step(&d, w);
        ask(&d, w, d.method, result);
        if (d.check) {
            ask(&d, w, d.reference, reference);
            demo_compare(&d, frame, result, reference);
        }
        describe(w, result, found, sizeof found);
        if (!demo_show(&d, frame, w->objects, OBJECTS, result, found))
            break;
    }
    grz_result_destroy(result);
    grz_result_destroy(reference);
    for (int i = 0; i < OBJECTS; i++)
        grz_mesh_destroy(w->meshes[i]);
    demo_free_parts(&w->parts);
    free(w);
    demo_close(&d);
    return 0;
}
