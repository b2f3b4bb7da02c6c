// SPDX-License-Identifier: MIT
// Two parts of the benchmark of method `heightmap`. Wings: the ship of the paper's figure 4, whose wings open and close
// during the flight, so that its own map is drawn in every frame. Wrong: which frames one map has wrong, by ship and by
// flight; the paper had 4 of 800. Beside both: the directions that grz_projections_find() chooses.
#include "wings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <graze/gl.h>

#include "found.h"
#include "student.h"
#include "tunnel.h"
#include "winged_ship.h"

enum {
    RESOLUTION = 128,
    POSES = 5, // of the wings, for the search of directions
    MOST = 8,  // ways
    MAPS = 4
};

static const double SHIP_LENGTH = 0.26, OPENINGS = 6.0; // how often wings open in a flight

static const char *const map_names[MAPS] = {"single", "single, both sides", "opposite", "combined"};
static const grz_projection map_projections[MAPS] = {GRZ_PROJECTION_SINGLE, GRZ_PROJECTION_SINGLE,
                                                     GRZ_PROJECTION_OPPOSITE, GRZ_PROJECTION_COMBINED};

static peer_mesh mesh_of(const winged_ship *s)
{
    peer_mesh mesh = {.vertex_count = s->vertex_count, .triangle_count = s->triangle_count};
    mesh.positions = malloc(s->vertex_count * sizeof *mesh.positions);
    mesh.triangles = malloc(s->triangle_count * sizeof *mesh.triangles);
    if (mesh.positions == NULL || mesh.triangles == NULL)
        peer_die("out of memory");
    memcpy(mesh.positions, s->positions, s->vertex_count * sizeof *mesh.positions);
    memcpy(mesh.triangles, s->triangles, s->triangle_count * sizeof *mesh.triangles);
    return mesh;
}

static grz_heightmap *map_of(run *r, const grz_mesh *ship, int kind)
{
    grz_heightmap_options options = grz_default_heightmap_options();
    grz_heightmap *map;
    grz_error error;
    options.resolution = RESOLUTION;
    options.projection = map_projections[kind];
    options.both_sides = kind == 1;
    options.has_direction = true;
    options.direction[2] = 1.0; // along the flight
    check(grz_heightmap_create(r->device, ship, &options, &map, &error), &error);
    return map;
}

static bool ask_map(grz_heightmap *map, const grz_object *ship, const grz_object *tunnel)
{
    grz_environment environment = grz_default_environment();
    grz_heightmap_answer answer;
    grz_error error;
    environment.objects = tunnel;
    environment.object_count = 1;
    check(grz_heightmap_collide(map, ship, &environment, &answer, &error), &error);
    return answer.colliding;
}

// ---- Wings that move ------------------------------------------------------------------------------------------------

// A ship and what answers about it. Each way has a mesh of its own, so that none finds work that another has done.
typedef struct winged {
    winged_ship ship;
    peer_mesh ship_mesh, tunnel_mesh;
    grz_mesh *tunnel, *meshes[MAPS + 2]; // of the maps, of the directions found, of bvh
    grz_heightmap *maps[MAPS];
    found_maps found;
    const peer *fcl;
    void *fcl_models[2];
    double times[MOST][TUNNEL_FRAMES];
    uint32_t missed[MOST], invented[MOST], frames, hits;
} winged;

enum {
    WAY_FOUND = MAPS,
    WAY_BVH,
    WAY_FCL
};

static void open_winged(run *r, winged *w)
{
    grz_mesh *poses[POSES];
    winged_ship_make(&w->ship, SHIP_LENGTH, false);
    w->ship_mesh = mesh_of(&w->ship);
    w->tunnel_mesh = tunnel_make();
    w->tunnel = upload(r, &w->tunnel_mesh);
    for (int i = 0; i < MAPS + 2; i++)
        w->meshes[i] = upload(r, &w->ship_mesh);
    for (int i = 0; i < MAPS; i++)
        w->maps[i] = map_of(r, w->meshes[i], i);
    for (int i = 0; i < POSES; i++) {
        grz_error error;
        winged_ship_open(&w->ship, winged_ship_angle(0.5 * i / (POSES - 1)), 0.0);
        poses[i] = upload(r, &w->ship_mesh);
        check(grz_mesh_set_positions(poses[i], w->ship.positions, &error), &error);
    }
    found_open(r, (const grz_mesh *const *)poses, POSES, GRZ_PROJECTION_SINGLE, RESOLUTION, &w->found);
    for (int i = 0; i < POSES; i++)
        grz_mesh_destroy(poses[i]);
#ifdef PEERS_FCL
    const peer_list fcl = peer_fcl();
    w->fcl = find_library(&fcl, "FCL OBB");
    w->fcl->start(1);
    w->fcl_models[0] = w->fcl->create(&w->ship_mesh, true);
    w->fcl_models[1] = w->fcl->create(&w->tunnel_mesh, false);
#endif
}

static void close_winged(winged *w)
{
    found_close(&w->found);
    for (int i = 0; i < MAPS; i++)
        grz_heightmap_destroy(w->maps[i]);
    for (int i = 0; i < MAPS + 2; i++)
        grz_mesh_destroy(w->meshes[i]);
    grz_mesh_destroy(w->tunnel);
    for (int i = 0; i < 2 && w->fcl != NULL; i++)
        w->fcl->destroy(w->fcl_models[i]);
    winged_ship_free(&w->ship);
    shape_free(&w->ship_mesh);
    shape_free(&w->tunnel_mesh);
}

// Seconds from new positions to the answer of a way.
static double time_winged(run *r, winged *w, int which, const peer_pose *pose, bool *said)
{
    const grz_object tunnel = grz_object_at_origin(w->tunnel);
    const peer_pose still = pose_still();
    grz_error error;
    const stopwatch start = measure_start();
    if (which == WAY_FCL) {
        w->fcl->update(w->fcl_models[0], (const double(*)[3])w->ship.positions);
        *said = w->fcl->touches(w->fcl_models[0], pose, w->fcl_models[1], &still);
        return measure_stop(start);
    }
    const grz_object ship = place(w->meshes[which], pose);
    check(grz_mesh_set_positions(w->meshes[which], w->ship.positions, &error), &error);
    if (which == WAY_FOUND) {
        found_follow(&w->found, w->meshes[which]);
        *said = found_ask(&w->found, &ship.pose, &tunnel);
    } else if (which == WAY_BVH) {
        *said = ask_exact(r, "bvh", 0, &ship, &tunnel);
    } else {
        *said = ask_map(w->maps[which], &ship, &tunnel);
    }
    return measure_stop(start);
}

static void fly_winged(run *r, winged *w)
{
    const int ways = w->fcl != NULL ? WAY_FCL + 1 : WAY_BVH + 1;
    for (uint32_t frame = 0; frame < TUNNEL_FRAMES; frame += r->quick ? 16 : 1) {
        const peer_pose pose = tunnel_pose(frame);
        bool said[MOST];
        winged_ship_open(&w->ship, winged_ship_angle(OPENINGS * frame / TUNNEL_FRAMES), 0.0);
        for (int k = 0; k < ways; k++) {
            const int which = (k + (int)frame) % ways;
            w->times[which][w->frames] = 1e6 * time_winged(r, w, which, &pose, &said[which]);
        }
        for (int which = 0; which < ways; which++) {
            w->missed[which] += said[WAY_BVH] && !said[which];
            w->invented[which] += !said[WAY_BVH] && said[which];
        }
        w->hits += said[WAY_BVH];
        w->frames++;
    }
}

void wings(run *r)
{
    static winged w;
    open_winged(r, &w);
    fly_winged(r, &w);
    printf(
        "\nWings: a ship of %u triangles whose wings open and close, in a tunnel of %u, %u frames, %u of which touch; "
        "%d x %d pixels;\nmicroseconds a frame from new positions to the answer, mean ± standard deviation\n",
        w.ship.triangle_count, w.tunnel_mesh.triangle_count, w.frames, w.hits, RESOLUTION, RESOLUTION);
    for (int which = 0; which < (w.fcl != NULL ? WAY_FCL + 1 : WAY_BVH + 1); which++) {
        const char *name = which < MAPS         ? map_names[which]
                           : which == WAY_FOUND ? "directions found"
                           : which == WAY_BVH   ? "bvh, refitted (exact)"
                                                : "FCL OBB, refitted";
        const student_sample of = student_of(w.times[which], w.frames);
        printf("  %-24s %9.1f ± %7.1f  missed %3u, invented %3u\n", name, of.mean, of.deviation, w.missed[which],
               w.invented[which]);
        if (r->csv != NULL)
            fprintf(r->csv, "wings,\"%s\",%d,%u,%u,%.3f,%.3f,,,,,\n", name, RESOLUTION, w.missed[which],
                    w.invented[which], of.mean, of.deviation);
    }
    found_print(&w.found);
    close_winged(&w);
}

// ---- Which frames are wrong -----------------------------------------------------------------------------------------

enum {
    WRONG_WAYS = 5
};

static const char *const wrong_names[WRONG_WAYS] = {"single", "single, both sides", "opposite", "found for single",
                                                    "found for opposite"};

typedef struct wrong_count {
    uint32_t missed, missed_at_walls; // where nothing but the wall is touched
    uint32_t invented, after;         // that follow a touch, in an unbroken run
    uint32_t longest;                 // run of invented frames
} wrong_count;

// Exact: what is touched.
static bool touched(run *r, const grz_object *ship, const grz_object *tunnel, bool *walls_only)
{
    uint64_t count;
    ask_exact(r, "bvh", GRZ_FIND_PAIRS, ship, tunnel);
    const grz_pair *pairs = grz_result_pairs(r->result, &count);
    *walls_only = true;
    for (uint64_t i = 0; i < count; i++)
        *walls_only &= pairs[i].face_b < TUNNEL_WALL;
    return count > 0;
}

static void count_wrong(wrong_count *of, bool truth, bool walls_only, bool said, bool *after, uint32_t *now)
{
    of->missed += truth && !said;
    of->missed_at_walls += truth && !said && walls_only;
    *after = truth || (*after && said); // a touch, or a run that follows one
    *now = !truth && said ? *now + 1 : 0;
    of->invented += *now > 0;
    of->after += *now > 0 && *after;
    of->longest = *now > of->longest ? *now : of->longest;
}

// A ship along a flight: a line of the table for each way.
static void fly_ship(run *r, const char *name, const peer_mesh *mesh, const grz_mesh *tunnel_mesh, double sway)
{
    grz_mesh *ship_mesh = upload(r, mesh);
    const grz_object tunnel = grz_object_at_origin(tunnel_mesh);
    grz_heightmap *maps[3];
    found_maps found[2]; // for maps of one sense, and of both
    wrong_count counts[WRONG_WAYS] = {{0}};
    bool after[WRONG_WAYS] = {false};
    uint32_t hits = 0, at_walls = 0, now[WRONG_WAYS] = {0};
    for (int i = 0; i < 3; i++)
        maps[i] = map_of(r, ship_mesh, i);
    for (int i = 0; i < 2; i++)
        found_open(r, (const grz_mesh *const *)&ship_mesh, 1, i == 0 ? GRZ_PROJECTION_SINGLE : GRZ_PROJECTION_OPPOSITE,
                   RESOLUTION, &found[i]);
    for (uint32_t frame = 0; frame < TUNNEL_FRAMES; frame += r->quick ? 16 : 1) {
        const peer_pose pose = tunnel_pose_swaying(frame, sway);
        const grz_object ship = place(ship_mesh, &pose);
        bool walls_only;
        const bool truth = touched(r, &ship, &tunnel, &walls_only);
        hits += truth;
        at_walls += truth && walls_only;
        for (int i = 0; i < WRONG_WAYS; i++) {
            const bool said = i < 3 ? ask_map(maps[i], &ship, &tunnel) : found_ask(&found[i - 3], &ship.pose, &tunnel);
            count_wrong(&counts[i], truth, walls_only, said, &after[i], &now[i]);
        }
    }
    printf("  %s; %s: %u frames touch, %u of them nothing but the wall\n", name,
           sway > 0.05 ? "grazes walls" : "stays off the walls", hits, at_walls);
    for (int i = 0; i < WRONG_WAYS; i++) {
        printf(
            "    %-26s wrong %3u: missed %3u (%u at the wall), invented %3u (%u follow a touch, the longest run %u)\n",
            wrong_names[i], counts[i].missed + counts[i].invented, counts[i].missed, counts[i].missed_at_walls,
            counts[i].invented, counts[i].after, counts[i].longest);
        if (r->csv != NULL)
            fprintf(r->csv, "wrong,\"%s, %s, %s\",%d,%u,%u,,,,,,,\n", name, sway > 0.05 ? "walls" : "middle",
                    wrong_names[i], RESOLUTION, counts[i].missed, counts[i].invented);
    }
    for (int i = 0; i < 2; i++) {
        found_print(&found[i]);
        found_close(&found[i]);
    }
    fflush(stdout);
    for (int i = 0; i < 3; i++)
        grz_heightmap_destroy(maps[i]);
    grz_mesh_destroy(ship_mesh);
}

void wrong(run *r)
{
    static const double sways[] = {TUNNEL_SWAY, 0.03}, setbacks[] = {0.2, 0.0};
    peer_mesh tunnel = tunnel_make();
    grz_mesh *tunnel_mesh = upload(r, &tunnel);
    printf("\nWrong frames of %d, by ship and flight, %d x %d pixels, along the flight; the paper has 4 invented, each "
           "one frame after a touch\n",
           TUNNEL_FRAMES, RESOLUTION, RESOLUTION);
    for (int i = 0; i < 2; i++) {
        peer_mesh ship = tunnel_ship();
        fly_ship(r, "the ship of table 1", &ship, tunnel_mesh, sways[i]);
        shape_free(&ship);
        for (int k = 0; k < 2; k++) {
            winged_ship opened;
            winged_ship_make(&opened, SHIP_LENGTH, false);
            winged_ship_open(&opened, 0.485, setbacks[k]);
            ship = mesh_of(&opened);
            fly_ship(r, k == 0 ? "wings end 0.2 of the length before the rear" : "wings end at the rear", &ship,
                     tunnel_mesh, sways[i]);
            shape_free(&ship);
            winged_ship_free(&opened);
        }
    }
    grz_mesh_destroy(tunnel_mesh);
    shape_free(&tunnel);
}
