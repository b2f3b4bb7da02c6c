// SPDX-License-Identifier: MIT
// graze self A: does a mesh touch itself, other than where its faces join. Decided where the file puts the mesh;
// --pose-a only moves the points that are reported, and containment has no meaning here.

#include "answers/describe_query.h"
#include "answers/query.h"
#include "command.h"
#include "verdicts/self_overlap.h"

static int run(const options *given)
{
    query q;
    grz_error error = {0};
    int status = STATUS_TROUBLE;

    if (query_open(&q, given)) {
        grz_collide_options wanted = query_collide_options(&q);
        wanted.find &= ~(uint32_t)GRZ_FIND_CONTAINMENT;
        grz_status ended = grz_collide_self(q.device, &q.objects[0], &wanted, q.result, &error);
        if (ended == GRZ_OK || ended == GRZ_ERROR_LIMIT) {
            options whole = *given; // the shells have the rule of the whole
            grz_status asked = GRZ_OK;
            if (given->rule == GRZ_INSIDE_AUTO)
                asked = grz_mesh_inside_rule(q.meshes[0].mesh, &whole.rule, &error);
            const overlap_asking asking = {&whole, q.device, query_common_options(&whole, NULL)};
            if (asked == GRZ_OK)
                asked = self_overlap_ask(&asking, &q.objects[0], &q.overlap, &error);
            ended = asked == GRZ_OK ? ended : asked;
        }
        if (query_conclude(&q, ended, &error) && query_find_rules(&q))
            status = deliver_query(&q);
    }
    query_close(&q);
    return status;
}

const command command_self = {
    .name = "self",
    .files = "A",
    .least_files = 1,
    .most_files = 1,
    .takes = OPTIONS_REPORT | OPTIONS_FILES | OPTIONS_MACHINE | OPTIONS_QUERY | OPTIONS_LISTS | OPTIONS_PICTURE |
             OPTION_POSE_A | OPTIONS_OVERLAP,
    .tests_one_mesh = true,
    .run = run,
    .summary = "does a mesh touch itself",
    .about =
        "Two faces collide unless they meet only in corners and edges that they share. Corners at equal\n"
        "positions count as shared. A fold that lies on itself collides.\n"
        "\n"
        "The mesh is tested in the coordinates of its file: --pose-a only moves the points that are reported.\n"
        "\n"
        "With --deeper-than its parts are tested against each other as solids, where a part is a shell with\n"
        "its cavities (`graze scene --split` has them as objects): a compound may overlap itself that deep.\n"
        "\n"
        "--strict is accepted so that scripts can pass it, and changes nothing: one mesh has no inside to ask for.\n",
    .statuses = "  0  apart: the mesh does not touch itself\n"
                "  1  it does\n"
                "  2  trouble: wrong usage, an unreadable file, a bad mesh, a method that cannot do this\n"
                "  3  undecided\n"
                "With --deeper-than D:\n"
                "  0  no two parts overlap by a depth above D\n"
                "  1  two do\n"
                "  3  undecided: a part meets itself, is open and crosses another (unless --open report), or\n"
                "     --max-cells were not enough\n",
    .examples = "  graze self cloth.ply\n"
                "  graze self --deeper-than 0.01 compound.stl\n"
                "  graze self --pairs --curves cloth.ply\n",
};
