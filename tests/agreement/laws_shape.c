// SPDX-License-Identifier: MIT
// Laws of shapes: hulls, triangles, spheres and segments against the meshes of the same points.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"

#include <graze/pick.h>
#include <graze/shape.h>

static const char *const relation_names[] = {"undecided", "apart", "touching", "penetrating"};

// ---- Hulls --------------------------------------------------------------------------------------------------------

// The points of a contact, against the meshes of the same hulls. `size`: the largest coordinate.
static void check_contact(agree_run *run, const grz_shape_answer *answer, double size)
{
    const double *const points[2] = {answer->point_a, answer->point_b};
    for (int i = 0; i < 2; i++) {
        grz_point_distance distance;
        grz_error error = {.message = ""};
        agree_call(run, grz_distance_points(run->device, &run->objects[i], points[i], 1, NULL, &distance, &error),
                   &error, "grz_distance_points");
        agree_law_holds(run, AGREE_LAW_SHAPE_CONTACT, distance.lower <= 1e-9 * size + 0x1p-1070,
                        "point %a,%a,%a is %g away from the surface of %c", points[i][0], points[i][1], points[i][2],
                        distance.distance, "AB"[i]);
    }
}

static void check_hulls(agree_run *run, const grz_shape hulls[2], const grz_summary *summary)
{
    grz_shape_options options = grz_default_shape_options();
    grz_shape_answer answer;
    grz_error error = {.message = ""};
    options.exact_distance = true;
    agree_call(run, grz_shapes_compare(run->device, &hulls[0], &hulls[1], &options, &answer, &error), &error,
               "grz_shapes_compare");
    const grz_shape_relation expected = agree_insides_meet(summary->solids)      ? GRZ_SHAPES_PENETRATING
                                        : summary->solids == GRZ_SOLIDS_TOUCHING ? GRZ_SHAPES_TOUCHING
                                                                                 : GRZ_SHAPES_APART;
    agree_law_holds(run, AGREE_LAW_SHAPE_HULLS, answer.relation == expected, "shapes are %s, solids %d",
                    relation_names[answer.relation], (int)summary->solids);
    if (expected == GRZ_SHAPES_APART) {
        const grz_distance_answer distance = agree_distance(run, &run->objects[0], &run->objects[1], NULL);
        agree_law_holds(
            run, AGREE_LAW_SHAPE_DISTANCE,
            answer.distance == distance.distance && answer.lower <= distance.upper && distance.lower <= answer.upper,
            "shapes %a in [%a, %a], meshes %a", answer.distance, answer.lower, answer.upper, distance.distance);
    }
    if (expected != GRZ_SHAPES_APART) {
        double size = 0.0;
        for (int i = 0; i < 2; i++)
            for (uint64_t k = 0; k < 3 * hulls[i].point_count; k++)
                size = fmax(size, fabs(hulls[i].points[k]));
        check_contact(run, &answer, size);
    }
    agree_source source = run->choices;
    if (expected != GRZ_SHAPES_PENETRATING || !agree_one_in(&source, 3))
        return;
    const grz_penetration_answer least = agree_least(run, &run->objects[0], &run->objects[1]);
    agree_law_holds(run, AGREE_LAW_SHAPE_DEPTH, answer.depth_lower <= least.upper && least.lower <= answer.depth_upper,
                    "shapes in [%.17g, %.17g], meshes in [%.17g, %.17g]", answer.depth_lower, answer.depth_upper,
                    least.lower, least.upper);
}

static void check_hull_and_mesh(agree_run *run, const grz_shape *hull, const grz_summary *summary)
{
    grz_shape_object_answer answer;
    grz_error error = {.message = ""};
    agree_call(run, grz_shape_compare_object(run->device, hull, &run->objects[1], NULL, &answer, &error), &error,
               "grz_shape_compare_object");
    // B may be in the hull, where A's surface does not meet it.
    const bool apart = summary->relation == GRZ_APART || summary->relation == GRZ_A_INSIDE_B;
    agree_law_holds(run, AGREE_LAW_SHAPE_OBJECT, (answer.relation == GRZ_SHAPES_APART) == apart,
                    "hull and mesh are %s, meshes %d", relation_names[answer.relation], (int)summary->relation);
}

// ---- Triangles, spheres and segments ------------------------------------------------------------------------------

// One face of A, which is a triangle, by its points.
static void check_triangle(agree_run *run, uint32_t face, double points[3][3])
{
    enum {
        MOST = 128
    };
    const grz_shape shape = grz_shape_triangle(points[0], points[1], points[2]);
    uint32_t faces[MOST];
    uint64_t found, count, listed = 0;
    bool same = true;
    grz_error error = {.message = ""};
    agree_call(run, grz_shape_faces(run->device, &shape, &run->objects[1], NULL, faces, MOST, &found, &error), &error,
               "grz_shape_faces");
    agree_collide(run, &run->objects[0], &run->objects[1], GRZ_FIND_PAIRS);
    const grz_pair *pairs = grz_result_pairs(run->result, &count);
    for (uint64_t i = 0; i < count; i++)
        if (pairs[i].face_a == face) {
            same = same && (listed >= found || listed >= MOST || faces[listed] == pairs[i].face_b);
            listed++;
        }
    agree_law_holds(run, AGREE_LAW_SHAPE_FACES, same && listed == found,
                    "face %u touches %llu faces as a face, %llu as a shape", face, (unsigned long long)listed,
                    (unsigned long long)found);
}

// A sphere around a corner of A, smaller and larger than its distance from B, and exactly as large.
static void check_sphere(agree_run *run, const double middle[3])
{
    grz_point_distance distance;
    grz_error error = {.message = ""};
    agree_call(run, grz_distance_points(run->device, &run->objects[1], middle, 1, NULL, &distance, &error), &error,
               "grz_distance_points");
    const double radii[3] = {distance.lower * (1.0 - 0x1p-20), distance.upper,
                             nextafter(distance.upper, HUGE_VAL) * (1.0 + 0x1p-20)};
    for (int i = 0; i < 3; i++) {
        grz_shape_object_answer answer;
        const grz_shape sphere = grz_shape_sphere(middle, radii[i]);
        agree_call(run, grz_shape_compare_object(run->device, &sphere, &run->objects[1], NULL, &answer, &error), &error,
                   "grz_shape_compare_object");
        const bool exact = distance.lower == distance.upper;
        const grz_shape_relation expected = radii[i] < distance.lower             ? GRZ_SHAPES_APART
                                            : radii[i] == distance.lower && exact ? GRZ_SHAPES_TOUCHING
                                            : radii[i] >= distance.upper          ? GRZ_SHAPES_PENETRATING
                                                                                  : answer.relation;
        // A point has no inside: as a sphere of radius 0 it touches.
        agree_law_holds(run, AGREE_LAW_SHAPE_SPHERE,
                        answer.relation == expected || (radii[i] == 0.0 && answer.relation != GRZ_SHAPES_APART),
                        "middle %a,%a,%a, radius %a, distance %a: %s", middle[0], middle[1], middle[2], radii[i],
                        distance.distance, relation_names[answer.relation]);
    }
}

static void check_segment(agree_run *run, const double p[3], const double q[3])
{
    const grz_shape shape = grz_shape_segment(p, q);
    const grz_ray ray = grz_ray_between(p, q);
    grz_shape_object_answer answer;
    bool hit;
    grz_error error = {.message = ""};
    if (memcmp(p, q, sizeof(double[3])) == 0)
        return;
    agree_call(run, grz_shape_compare_object(run->device, &shape, &run->objects[1], NULL, &answer, &error), &error,
               "grz_shape_compare_object");
    agree_call(run, grz_pick_any(run->device, grz_targets_of_objects(&run->objects[1], 1), &ray, 1, NULL, &hit, &error),
               &error, "grz_pick_any");
    agree_law_holds(run, AGREE_LAW_SHAPE_SEGMENT, (answer.relation == GRZ_SHAPES_APART) == !hit,
                    "segment and mesh are %s, the ray hits: %d", relation_names[answer.relation], hit);
}

void agree_laws_of_shapes(agree_run *run)
{
    const agree_situation *s = run->now;
    const test_mesh *mesh = &s->bodies[0].mesh;
    agree_source source = run->choices;
    double *worlds[2] = {agree_world(&s->bodies[0]), agree_world(&s->bodies[1])};
    const grz_shape hulls[2] = {grz_shape_hull(worlds[0], mesh->vertex_count),
                                grz_shape_hull(worlds[1], s->bodies[1].mesh.vertex_count)};
    const grz_summary summary =
        agree_collide(run, &run->objects[0], &run->objects[1], GRZ_FIND_CONTAINMENT | GRZ_FIND_SOLIDS);
    if (s->bodies[0].convex && s->bodies[0].pieces.known && s->bodies[1].closed)
        check_hull_and_mesh(run, &hulls[0], &summary);
    if (s->bodies[0].convex && s->bodies[1].convex && s->whole && agree_are_solids(summary.solids))
        check_hulls(run, hulls, &summary);
    const uint32_t face = agree_below(&source, (uint32_t)mesh->face_count);
    double points[3][3];
    uint64_t first = 0;
    for (uint32_t i = 0; i < face; i++)
        first += mesh->corner_counts[i];
    for (uint64_t i = 0; i < 3; i++)
        memcpy(points[i], worlds[0] + 3 * (size_t)mesh->indices[first + i], sizeof points[i]);
    if (mesh->corner_counts[face] == 3)
        check_triangle(run, face, points);
    check_sphere(run, points[0]);
    check_segment(run, points[0], points[1]);
    free(worlds[0]);
    free(worlds[1]);
}
