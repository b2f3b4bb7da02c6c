// SPDX-License-Identifier: MIT
// graze distance A B: how far are the surfaces of two meshes apart, and where are they nearest.

#include "verdicts/clearance.h"
#include "answers/describe_distance.h"
#include "answers/query.h"
#include "command.h"
#include "deliver.h"

// What --clearance needs to know beside the distance: whether one of the two is inside the other.
static grz_status find_facts(const query *q, const grz_distance_answer *answer, clearance_facts *facts,
                             grz_error *error)
{
    const options *given = q->given;
    grz_collide_options wanted = query_common_options(given, NULL);
    grz_status status = GRZ_OK;

    const bool asked = (given->flags & OPTION_CLEARANCE) != 0;

    *facts = (clearance_facts){.relation = GRZ_COLLIDING, .asked = asked, .required = given->clearance};
    if (!asked || answer->touching)
        return GRZ_OK;
    wanted.method = NULL;
    wanted.clearance = 0.0; // the distance tells
    status = grz_collide(q->device, &q->objects[0], &q->objects[1], &wanted, q->result, error);
    *facts = clearance_of_summary(given, grz_result_summary(q->result), false);
    // The exact distance is `lower`, or above it and below the next double.
    const bool met = clearance_least(given, given->clearance) <= answer->lower;
    facts->surfaces = met ? GRZ_CLEARANCE_MET : GRZ_CLEARANCE_NOT_MET;
    return status;
}

static int exit_status(const options *given, const grz_distance_answer *answer, const clearance_facts *facts)
{
    if ((given->flags & OPTION_CLEARANCE) != 0)
        return clearance_status(clearance_judge(given, facts));
    return answer->touching ? STATUS_TOUCHES : STATUS_APART;
}

static int run(const options *given)
{
    query q;
    grz_error error = {0};
    int status = STATUS_TROUBLE;

    if (query_open(&q, given)) {
        grz_distance_options wanted = grz_default_distance_options();
        grz_distance_answer answer;
        clearance_facts facts;
        wanted.method = given->method;
        grz_status ended = grz_distance(q.device, &q.objects[0], &q.objects[1], &wanted, &answer, &error);
        if (ended == GRZ_OK)
            ended = find_facts(&q, &answer, &facts, &error);
        if (query_measured(&q, ended, &error) && query_find_rules(&q)) {
            report r = describe_distance(&q, &answer, &facts);
            status = deliver(&r, given, exit_status(given, &answer, &facts));
            report_finish(&r);
        }
    }
    query_close(&q);
    return status;
}

const command command_distance = {
    .name = "distance",
    .files = "A B",
    .least_files = 2,
    .most_files = 2,
    .takes = OPTIONS_REPORT | OPTIONS_FILES | OPTIONS_MACHINE | OPTION_METHOD | OPTION_TIME | OPTION_POSE_A |
             OPTION_POSE_B | OPTIONS_CLEARANCE | OPTION_RULE,
    .without_gl = true,
    .run = run,
    .summary = "how far apart are two meshes, and where",
    .about = "The smallest distance between the two surfaces: the double nearest to the exact one. It is 0 only\n"
             "where `graze check` says that they touch. A mesh inside another has a distance from it, too.\n"
             "\n"
             "The nearest points are rounded. Of several pairs of faces at the same distance one is shown.\n",
    .statuses = "  0  apart: the distance is above 0\n"
                "  1  the surfaces touch: the distance is 0\n"
                "  2  trouble: wrong usage, an unreadable file, a bad mesh, a method that cannot do this\n"
                "With --clearance D:\n"
                "  0  the distance is at least D and above 0, and neither is inside the other\n"
                "  1  it is not, or one, or a part of it, is inside the other\n"
                "  3  undecided: one might be inside the other, which is open\n",
    .examples = "  graze distance --pose-b 0,0,2.5 part.stl case.stl\n"
                "  graze distance --clearance 0.002 bolt.stl housing.stl && echo clear\n"
                "  graze distance --json a.obj b.obj | jq .distance\n",
};
