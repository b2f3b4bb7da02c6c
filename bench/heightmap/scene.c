// SPDX-License-Identifier: MIT
// Measures the second scene of the paper, section 3.1: frames that draw 315,000 triangles, a flag by tessellation
// shaders, plants by a geometry shader and 59,000 particles by a compute shader, without and with collisions of a ship
// with all of these. All ways are asked in every frame, in turn and each time another first.
#include <graze/gl.h>

#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene_drawn.h"
#include "student.h"

enum {
    WARM = 8,         // frames before the clock starts
    BEFORE = 120,     // steps of the particles before the first frame: a particle's life
    RESOLUTION = 128, // of the maps
    ANYTHING = 1u << SCENE_THINGS
};

// Ways to make a frame.
enum {
    DRAWN,  // no question
    ASKED,  // yes or no, one map, as the paper has it
    LISTED, // the same, with ids and a list of contacts
    TWO,    // two maps, with ids and a list of contacts
    WAYS
};

// The paper's means, in milliseconds, on a GT 1030.
static const double paper_drawn = 5.8, paper_asked = 6.4;

static const char *const way_names[WAYS] = {"drawn", "drawn and asked", "and ids and contacts",
                                            "two maps, ids and contacts"};
static const char *const thing_names[SCENE_THINGS] = {"land", "houses", "rocks",    "airship",
                                                      "flag", "plants", "particles"};

typedef struct scene_way {
    grz_heightmap *kept; // NULL: no question is asked
    grz_environment environment;
    double times[SCENE_FRAMES];  // seconds
    uint32_t hits[SCENE_FRAMES]; // ANYTHING, and a bit for each thing that the recorded ids name
} scene_way;

typedef struct scene_run {
    scene_shapes shapes;
    scene_drawn drawn;
    grz_mesh *ship;                         // for height maps
    grz_mesh *exact[SCENE_MESHES + 1];      // meshes and ship, for bvh
    uint32_t frames, numbers[SCENE_FRAMES]; // how many, and which of the whole flight
    uint32_t touch[SCENE_FRAMES];           // a bit for each mesh that the ship touches, by bvh
    double steps[SCENE_FRAMES];             // seconds that moving the particles by one step took
    scene_way ways[WAYS];
} scene_run;

// ---- Truth ----------------------------------------------------------------------------------------------------------

static void find_truth(run *r, scene_run *s)
{
    for (int i = 0; i < SCENE_MESHES; i++)
        s->exact[i] = upload(r, &s->shapes.meshes[i]);
    s->exact[SCENE_SHIP] = upload(r, &s->shapes.ship);
    for (uint32_t f = 0; f < SCENE_FRAMES; f += r->quick ? 24 : 1) {
        const peer_pose pose = scene_ship_pose(f), airship = scene_airship_pose(f), still = pose_still();
        const grz_object ship = place(s->exact[SCENE_SHIP], &pose);
        for (int i = 0; i < SCENE_MESHES; i++) {
            const grz_object other = place(s->exact[i], i == SCENE_AIRSHIP ? &airship : &still);
            s->touch[s->frames] |= (uint32_t)ask_exact(r, "bvh", 0, &ship, &other) << i;
        }
        s->numbers[s->frames++] = f;
    }
}

// ---- Frames ---------------------------------------------------------------------------------------------------------

static void open_way(scene_run *s, int number)
{
    scene_way *by = &s->ways[number];
    grz_heightmap_options options = grz_default_heightmap_options();
    grz_error error;
    if (number == DRAWN)
        return;
    options.resolution = RESOLUTION;
    options.projection = number == TWO ? GRZ_PROJECTION_COMBINED : GRZ_PROJECTION_SINGLE;
    options.has_direction = true;
    options.direction[2] = 1.0; // along the flight
    check(grz_heightmap_create(s->drawn.device, s->ship, &options, &by->kept, &error), &error);
    by->environment = grz_default_environment();
    by->environment.draw = scene_drawn_environment;
    by->environment.user = &s->drawn;
    if (number != ASKED) {
        by->environment.record = GRZ_RECORD_IDS;
        by->environment.contacts = true;
    }
}

// What a query found. Contacts name what is nearest in their pixel; what lies behind it is not seen.
static uint32_t read_hits(const scene_way *by, const grz_heightmap_answer *answer)
{
    uint64_t count;
    const grz_height_contact *contacts = grz_heightmap_contacts(by->kept, &count);
    uint32_t hits = answer->colliding ? ANYTHING : 0;
    for (uint64_t i = 0; i < count; i++) {
        if (contacts[i].id >= SCENE_THINGS)
            peer_die("the scene: a height map has an id that nothing in the scene has");
        hits |= 1u << contacts[i].id;
    }
    return hits;
}

// Seconds for a frame: all of the scene drawn, and the question, if there is one.
static double make_frame(scene_run *s, scene_way *by, uint32_t frame, uint32_t *hits)
{
    const peer_pose poses[2] = {scene_ship_pose(frame), scene_airship_pose(frame)}, still = pose_still();
    const grz_object ship = place(s->ship, &poses[0]);
    grz_object objects[SCENE_MESHES];
    grz_heightmap_answer answer = {.colliding = false};
    grz_error error;
    for (int i = 0; i < SCENE_MESHES; i++)
        objects[i] = place(s->drawn.meshes[i], i == SCENE_AIRSHIP ? &poses[1] : &still);
    by->environment.objects = objects;
    by->environment.object_count = SCENE_MESHES;
    s->drawn.output = by->environment.record != 0 ? SCENE_IDS : SCENE_DEPTHS;
    const stopwatch start = measure_start();
    scene_drawn_frame(&s->drawn, &poses[0], &poses[1]);
    if (by->kept != NULL)
        check(grz_heightmap_collide(by->kept, &ship, &by->environment, &answer, &error), &error);
    glFinish();
    const double time = measure_stop(start);
    *hits = by->kept != NULL ? read_hits(by, &answer) : 0;
    return time;
}

static double make_step(const scene_run *s)
{
    const stopwatch start = measure_start();
    scene_drawn_step(&s->drawn, 1);
    glFinish();
    return measure_stop(start);
}

static void fly(run *r, scene_run *s)
{
    uint32_t hits;
    scene_drawn_step(&s->drawn, BEFORE);
    for (uint32_t i = 0; i < WARM; i++)
        for (int k = 0; k < WAYS; k++)
            make_frame(s, &s->ways[k], s->numbers[(size_t)i * s->frames / WARM], &hits);
    for (uint32_t i = 0; i < s->frames; i++) {
        if (r->quick && i > 0) // the frames between
            scene_drawn_step(&s->drawn, s->numbers[i] - s->numbers[i - 1] - 1);
        s->steps[i] = make_step(s);
        scene_drawn_time(&s->drawn, s->numbers[i]);
        for (uint32_t k = 0; k < WAYS; k++) {
            scene_way *by = &s->ways[(k + i) % WAYS];
            by->times[i] = make_frame(s, by, s->numbers[i], &by->hits[i]);
        }
    }
}

// ---- Printing -------------------------------------------------------------------------------------------------------

// Milliseconds of all frames, of those in which something is hit, and of the others. Returns the median of all.
static double summarise(const scene_run *s, const double times[], student_sample groups[3])
{
    static double values[3][SCENE_FRAMES];
    unsigned counts[3] = {0};
    for (uint32_t i = 0; i < s->frames; i++) {
        const int group = s->ways[LISTED].hits[i] != 0 ? 1 : 2;
        values[0][counts[0]++] = values[group][counts[group]] = 1e3 * times[i];
        counts[group]++;
    }
    for (int g = 0; g < 3; g++)
        groups[g] = student_of(values[g], counts[g]);
    return measure_median(values[0], (int)s->frames); // sorts
}

// What a way adds to the drawing of the same frame.
static student_sample added(const scene_run *s, const scene_way *by)
{
    static double values[SCENE_FRAMES];
    for (uint32_t i = 0; i < s->frames; i++)
        values[i] = 1e3 * (by->times[i] - s->ways[DRAWN].times[i]);
    return student_of(values, s->frames);
}

// Frames in which some mesh is touched and not hit, and in which some mesh is hit and not touched.
static void count_wrong(const scene_run *s, const scene_way *by, uint32_t *missed, uint32_t *invented)
{
    const uint32_t meshes = (1u << SCENE_MESHES) - 1;
    *missed = *invented = 0;
    for (uint32_t i = 0; i < s->frames; i++) {
        *missed += (s->touch[i] & ~by->hits[i]) != 0;
        *invented += (by->hits[i] & meshes & ~s->touch[i]) != 0;
    }
}

static void print_times(const run *r, const scene_run *s)
{
    student_sample drawn[3], groups[3];
    summarise(s, s->ways[DRAWN].times, drawn);
    printf("  %-26s %9s %18s %8s %18s %9s %18s %18s\n", "", "median", "all", "ratio", "added", "p", "hit", "free");
    for (int k = 0; k < WAYS; k++) {
        const scene_way *by = &s->ways[k];
        const double median = summarise(s, by->times, groups);
        uint32_t missed, invented;
        count_wrong(s, by, &missed, &invented);
        printf("  %-26s %9.3f %9.3f ± %6.3f", way_names[k], median, groups[0].mean, groups[0].deviation);
        if (k == DRAWN) {
            printf(" %8s %18s %9s", "", "", "");
        } else {
            const student_sample more = added(s, by);
            printf(" %8.3f %9.3f ± %6.3f %9.2g", groups[0].mean / drawn[0].mean, more.mean, more.deviation,
                   student_test(&groups[0], &drawn[0]));
        }
        printf(" %9.3f ± %6.3f %9.3f ± %6.3f\n", groups[1].mean, groups[1].deviation, groups[2].mean,
               groups[2].deviation);
        if (r->csv == NULL)
            continue;
        fprintf(r->csv, "scene,\"%s\",%d,", way_names[k], k == DRAWN ? 0 : RESOLUTION);
        if (k >= LISTED)
            fprintf(r->csv, "%u,%u", missed, invented);
        else
            fprintf(r->csv, ",");
        for (int g = 0; g < 3; g++)
            fprintf(r->csv, ",%.3f,%.3f", 1e3 * groups[g].mean, 1e3 * groups[g].deviation);
        fprintf(r->csv, ",%.3f\n", 1e3 * median);
    }
    const double median = summarise(s, s->steps, groups);
    printf("  a step of the particles, in none of these: %.3f ± %.3f, median %.3f\n", groups[0].mean,
           groups[0].deviation, median);
    printf("  the paper, GT 1030: drawn %.1f, drawn and asked %.1f; ratio %.3f\n", paper_drawn, paper_asked,
           paper_asked / paper_drawn);
}

// Recording and listing must not change an answer.
static void check_answers(const scene_run *s)
{
    for (uint32_t i = 0; i < s->frames; i++)
        if ((s->ways[ASKED].hits[i] != 0) != (s->ways[LISTED].hits[i] != 0))
            printf("  recording ids changes the answer of frame %u\n", s->numbers[i]);
}

static void print_hits(const run *r, const scene_run *s)
{
    printf("  frames that hit, by recorded ids: %9s", "anything");
    for (int i = 0; i < SCENE_THINGS; i++)
        printf(" %9s", thing_names[i]);
    printf("   a mesh missed, invented\n");
    for (int k = LISTED; k < WAYS; k++) {
        uint32_t counts[SCENE_THINGS + 1] = {0}, missed, invented;
        for (uint32_t i = 0; i < s->frames; i++)
            for (int bit = 0; bit <= SCENE_THINGS; bit++)
                counts[bit] += s->ways[k].hits[i] >> bit & 1;
        count_wrong(s, &s->ways[k], &missed, &invented);
        printf("    %-31s %9u", way_names[k], counts[SCENE_THINGS]);
        for (int i = 0; i < SCENE_THINGS; i++) {
            printf(" %9u", counts[i]);
            if (r->csv != NULL)
                fprintf(r->csv, "scene_hits,\"%s\",%d,,,%u,,,,,,\n", thing_names[i], k, counts[i]);
        }
        printf("          %6u  %8u\n", missed, invented);
    }
    printf("    %-31s %9s", "bvh, exact", "");
    for (int i = 0; i < SCENE_MESHES; i++) {
        uint32_t count = 0;
        for (uint32_t f = 0; f < s->frames; f++)
            count += s->touch[f] >> i & 1;
        printf(" %9u", count);
    }
    printf("\n");
}

// The times of single frames, for the plot.
static void store_frames(const run *r, const scene_run *s)
{
    for (int k = 0; k < WAYS && r->csv != NULL; k++)
        for (uint32_t i = 0; i < s->frames; i++)
            fprintf(r->csv, "scene_frame,\"%s\",%u,%d,,%.3f,,,,,,\n", way_names[k], s->numbers[i],
                    s->ways[LISTED].hits[i] != 0, 1e6 * s->ways[k].times[i]);
}

static void print_scene(run *r, scene_run *s)
{
    double load[3] = {(double)NAN, (double)NAN, (double)NAN};
    uint32_t made[SCENE_MADE];
    for (int i = 0; i < SCENE_MADE; i++)
        made[i] = scene_drawn_primitives(&s->drawn, (scene_thing)(SCENE_MESHES + i));
    getloadavg(load, 3);
    printf(
        "\nThe scene: %d triangles in meshes, one of which moves; shaders make a flag of %u triangles, plants of %u "
        "lines, %u particles;\na ship of %u triangles; %u frames of %d x %d pixels, maps of %d x %d; %s; milliseconds "
        "a frame, mean ± standard deviation;\np: Welch's t-test of the mean against that of drawing alone\n",
        SCENE_TRIANGLES, made[0], made[1], made[2], s->shapes.ship.triangle_count, s->frames, SCENE_WIDTH, SCENE_HEIGHT,
        RESOLUTION, RESOLUTION, r->renderer.name);
    printf("  the machine before: load averages %.1f %.1f %.1f (other work included)\n", load[0], load[1], load[2]);
}

void scene(run *r)
{
    static scene_run s;
    run own = *r;
    scene_shapes_make(&s.shapes);
    find_truth(r, &s);
    scene_drawn_open(r, &s.shapes, &s.drawn);
    own.device = s.drawn.device;
    s.ship = upload(&own, &s.shapes.ship);
    for (int k = 0; k < WAYS; k++)
        open_way(&s, k);
    print_scene(r, &s);
    fly(r, &s);
    print_times(r, &s);
    print_hits(r, &s);
    check_answers(&s);
    store_frames(r, &s);
    for (int k = 0; k < WAYS; k++)
        grz_heightmap_destroy(s.ways[k].kept);
    grz_mesh_destroy(s.ship);
    scene_drawn_close(&s.drawn);
    for (int i = 0; i <= SCENE_SHIP; i++)
        grz_mesh_destroy(s.exact[i]);
    scene_shapes_free(&s.shapes);
}
