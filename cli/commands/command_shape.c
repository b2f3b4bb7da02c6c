// SPDX-License-Identifier: MIT
// graze shape A --shape KIND:NUMBERS: does a shape that a few numbers give touch the mesh, how far away is it, or how
// deep in it?

#include "answers/query.h"
#include "arguments/refuse.h"
#include "command.h"
#include "deliver.h"
#include "probe/describe_shape.h"

#include <stdlib.h>

// The faces that the shape touches, all of them with --all, else only how many there are.
static grz_status list_faces(const query *q, const grz_shape *shape, shape_answers *answers, grz_error *error)
{
    const grz_object *a = &q->objects[0];
    grz_status status = grz_shape_faces(q->device, shape, a, NULL, NULL, 0, &answers->face_count, error);

    if (status != GRZ_OK || answers->face_count == 0 || (q->given->flags & OPTION_ALL_HITS) == 0)
        return status;
    answers->faces = malloc((size_t)answers->face_count * sizeof *answers->faces);
    if (answers->faces == NULL) {
        *error = (grz_error){.message = "out of memory"};
        return GRZ_ERROR_MEMORY;
    }
    return grz_shape_faces(q->device, shape, a, NULL, answers->faces, answers->face_count, &answers->face_count, error);
}

// The depth in a convex mesh.
static grz_status measure_depth(const query *q, const grz_shape *shape, shape_answers *answers, grz_error *error)
{
    const grz_object *a = &q->objects[0];
    grz_convex_report convex;
    grz_hull *hull = NULL;
    grz_status status = grz_mesh_is_convex(a->mesh, &convex, error);

    if (status != GRZ_OK || convex.fault != GRZ_CONVEX)
        return status;
    status = grz_hull_of_mesh(a->mesh, NULL, &hull, error);
    if (status == GRZ_OK) {
        grz_shape solid = grz_shape_hull(grz_hull_vertices(hull), grz_hull_vertex_count(hull));
        solid.pose = a->pose;
        status = grz_shapes_compare(q->device, shape, &solid, NULL, &answers->depth, error);
    }
    answers->has_depth = status == GRZ_OK && answers->depth.relation == GRZ_SHAPES_PENETRATING;
    grz_hull_destroy(hull);
    return status;
}

static grz_status ask(const query *q, shape_answers *answers, grz_error *error)
{
    grz_shape shape = q->given->shape;

    grz_shape_options wanted = grz_default_shape_options();

    wanted.exact_distance = true;
    shape.pose = grz_pose_product(q->given->pose_shape, shape.pose);
    grz_status status = grz_shape_compare_object(q->device, &shape, &q->objects[0], &wanted, &answers->surface, error);
    if (status == GRZ_OK && answers->surface.relation != GRZ_SHAPES_APART)
        status = list_faces(q, &shape, answers, error);
    if (status == GRZ_OK && shape_collides(answers))
        status = measure_depth(q, &shape, answers, error);
    return status;
}

static int exit_status(const shape_answers *answers)
{
    if (!shape_is_decided(answers))
        return STATUS_UNDECIDED;
    return shape_collides(answers) ? STATUS_TOUCHES : STATUS_APART;
}

static int run(const options *given)
{
    query q;
    grz_error error = {0};
    shape_answers answers = {.faces = NULL};
    int status = STATUS_TROUBLE;

    if (given->shape_kind == NULL) {
        option_refuse(given->command, "needs --shape KIND:NUMBERS, such as --shape box:0,0,0,1,1,1");
        return STATUS_TROUBLE;
    }
    if (query_open(&q, given)) {
        const grz_status ended = ask(&q, &answers, &error);
        if (query_measured(&q, ended, &error)) {
            report r = describe_shape(&q, &answers);
            status = deliver(&r, given, exit_status(&answers));
            report_finish(&r);
        }
    }
    free(answers.faces);
    query_close(&q);
    return status;
}

const command command_shape = {
    .name = "shape",
    .files = "A",
    .least_files = 1,
    .most_files = 1,
    .takes = OPTIONS_REPORT | OPTIONS_FILES | OPTIONS_MACHINE | OPTION_TIME | OPTION_POSE_A | OPTION_SHAPE |
             OPTION_POSE_SHAPE | OPTION_ALL_HITS,
    .run = run,
    .summary = "does a simple shape touch the mesh",
    .about = "A box, a sphere, a cylinder or another shape that a few numbers give: does it touch the mesh, is it\n"
             "inside, how far apart are they? The shape is what its numbers say, not a mesh of it. The answer is\n"
             "exact; only for cylinders, cones and ellipsoids that nearly touch it may be \"undecided\".\n"
             "If the mesh is convex and the shape is not free of it, the depth is enclosed, too: how far the shape\n"
             "must move.\n"
             "\n"
             "--device and --threads are accepted so that scripts can pass them, and change nothing: one core of\n"
             "the CPU does it.\n",
    .statuses = "  0  apart, and the shape is not inside\n"
                "  1  the shape touches or penetrates the mesh's surface, or is inside\n"
                "  2  trouble: wrong usage, an unreadable file, a bad mesh\n"
                "  3  undecided: a round shape that nearly touches; or the shape is in the box of an open mesh\n",
    .examples = "  graze shape --shape box:0,0,50,20,20,5 part.stl\n"
                "  graze shape --all --shape cylinder:0,0,0,4,30 --pose-shape 5,0,0,1,0,0,1 part.stl\n"
                "  graze shape --json --shape sphere:1,2,3,0.5 part.stl | jq .distance\n",
};
