// SPDX-License-Identifier: MIT
// graze penetration A B: how far must A go to be free of B, along a direction or in the best one.

#include <graze/gl.h>

#include "answers/describe_penetration.h"
#include "answers/query.h"
#include "command.h"
#include "deliver.h"

static grz_status ask(const query *q, penetration_answers *answers, grz_error *error)
{
    grz_move_options wanted = grz_default_move_options();
    grz_layers_volume_options pixels = grz_default_layers_volume_options();
    const options *given = q->given;
    const grz_object *a = &q->objects[0], *b = &q->objects[1];

    wanted.method = given->method;
    wanted.inside_rule = given->rule;
    pixels.resolution = given->layers;
    grz_status status = (given->flags & OPTION_ALONG) != 0
                            ? grz_penetration_along(q->device, a, b, given->along, &wanted, &answers->depth, error)
                            : grz_penetration(q->device, a, b, &wanted, &answers->depth, error);
    if (status == GRZ_OK)
        status = grz_overlap_volume(q->device, a, b, &wanted, &answers->common, error);
    if (status == GRZ_OK && (given->flags & OPTION_LAYERS) != 0)
        status = grz_layers_overlap_volume(q->device, a, b, &pixels, &answers->layers, error);
    return status;
}

static int exit_status(const grz_penetration_answer *answer)
{
    if (answer->penetrating)
        return STATUS_TOUCHES;
    return answer->certainty != GRZ_UNDECIDED ? STATUS_APART : STATUS_UNDECIDED;
}

static int run(const options *given)
{
    query q;
    grz_error error = {0};
    int status = STATUS_TROUBLE;

    if (query_open(&q, given)) {
        penetration_answers answers;
        const grz_status ended = ask(&q, &answers, &error);
        if (query_measured(&q, ended, &error) && query_find_rules(&q)) {
            report r = describe_penetration(&q, &answers);
            status = deliver(&r, given, exit_status(&answers.depth));
            report_finish(&r);
        }
    }
    query_close(&q);
    return status;
}

const command command_penetration = {
    .name = "penetration",
    .files = "A B",
    .least_files = 2,
    .most_files = 2,
    .takes = OPTIONS_REPORT | OPTIONS_FILES | OPTIONS_MACHINE | OPTION_METHOD | OPTION_TIME | OPTION_POSE_A |
             OPTION_POSE_B | OPTION_ALONG | OPTION_LAYERS | OPTION_RULE,
    .without_gl = true,
    .run = run,
    .summary = "how far must A go to be free of B",
    .about = "Two solids overlap: how far must A move until their insides have no common point? They may touch\n"
             "then. Along a direction (--along) the depth is exact. Without one, the depth is the shortest way that\n"
             "was found, which is certain to free A; and the least possible one is enclosed between two numbers.\n"
             "The volume that the two have in common is enclosed, too. Both meshes must be closed.\n",
    .statuses = "  0  the insides have no common point: apart, or only touching\n"
                "  1  they overlap\n"
                "  2  trouble: wrong usage, an unreadable file, a bad mesh, a method that cannot do this\n"
                "  3  undecided: a mesh is open\n",
    .examples = "  graze penetration --along 0,0,1 foot.stl floor.stl\n"
                "  graze penetration --pose-b 0.9,0,0 part.stl part.stl\n"
                "  graze penetration --json a.obj b.obj | jq .volume.upper\n",
};
