// SPDX-License-Identifier: MIT
// graze distance A B: how far are the surfaces of two meshes apart, and where are they nearest.

#include "command.h"
#include "answers/describe_distance.h"
#include "answers/query.h"
#include "deliver.h"

static int run(const options *given)
{
    query q;
    grz_error error = {0};
    int status = STATUS_TROUBLE;

    if (query_open(&q, given)) {
        grz_distance_options wanted = grz_default_distance_options();
        grz_distance_answer answer;
        wanted.method = given->method;
        const grz_status ended = grz_distance(q.device, &q.objects[0], &q.objects[1], &wanted, &answer, &error);
        if (query_measured(&q, ended, &error)) {
            report r = describe_distance(&q, &answer);
            status = deliver(&r, given, answer.touching ? STATUS_TOUCHES : STATUS_APART);
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
    .takes = OPTIONS_REPORT | OPTIONS_MACHINE | OPTION_METHOD | OPTION_TIME | OPTION_POSE_A | OPTION_POSE_B,
    .without_gl = true,
    .run = run,
    .summary = "how far apart are two meshes, and where",
    .about = "The smallest distance between the two surfaces: the double nearest to the exact one. It is 0 only\n"
             "where `graze check` says that they touch. A mesh inside another has a distance from it, too.\n"
             "\n"
             "The nearest points are rounded. Of several pairs of faces at the same distance one is shown.\n",
    .statuses = "  0  apart: the distance is above 0\n"
                "  1  the surfaces touch: the distance is 0\n"
                "  2  trouble: wrong usage, an unreadable file, a bad mesh, a method that cannot do this\n",
    .examples = "  graze distance --pose-b 0,0,2.5 part.stl case.stl\n"
                "  graze distance --json a.obj b.obj | jq .distance\n",
};
