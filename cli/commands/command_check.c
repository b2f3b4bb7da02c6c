// SPDX-License-Identifier: MIT
// graze check A B: do two meshes touch, and where; if nothing touches, does one lie inside the other; and how do they
// lie as solids. The same file may be given twice: it is then two meshes that happen to be equal.

#include "answers/describe_query.h"
#include "answers/query.h"
#include "command.h"

// With --deeper-than or --depth: ask that, too.
static grz_status ask_overlap(query *q, grz_error *error)
{
    const options *given = q->given;
    const grz_summary *summary = grz_result_summary(q->result);
    const overlap_surfaces surfaces = {summary->relation, summary->containment, summary->solids};
    const double *limit = given->all_deeper ? &given->deeper_than : NULL;
    const overlap_asking asking = {given, q->device, query_common_options(given, NULL)};

    return overlap_ask(&asking, &q->objects[0], &q->objects[1], &surfaces, limit, &q->overlap, error);
}

static int run(const options *given)
{
    query q;
    grz_error error = {0};
    int status = STATUS_TROUBLE;

    if (query_open(&q, given)) {
        grz_collide_options wanted = query_collide_options(&q);
        if ((given->flags & OPTION_QUIET) == 0 || (given->flags & OPTION_ALLOW_TOUCHING) != 0)
            wanted.find |= GRZ_FIND_SOLIDS;
        const bool overlap = (given->flags & (OPTION_DEEPER_THAN | OPTION_DEPTH)) != 0;
        grz_status ended = grz_collide(q.device, &q.objects[0], &q.objects[1], &wanted, q.result, &error);
        if (ended == GRZ_ERROR_LIMIT && wanted.clearance > 0.0) { // it may be that none of them touches
            wanted.find = GRZ_FIND_CONTAINMENT;
            ended = grz_collide(q.device, &q.objects[0], &q.objects[1], &wanted, q.result, &error);
            ended = ended == GRZ_OK ? GRZ_ERROR_LIMIT : ended;
        }
        if (overlap && (ended == GRZ_OK || ended == GRZ_ERROR_LIMIT)) {
            const grz_status asked = ask_overlap(&q, &error);
            ended = asked == GRZ_OK ? ended : asked;
        }
        if (query_conclude(&q, ended, &error) && query_find_rules(&q))
            status = deliver_query(&q);
    }
    query_close(&q);
    return status;
}

const command command_check = {
    .name = "check",
    .files = "A B",
    .least_files = 2,
    .most_files = 2,
    .takes = OPTIONS_REPORT | OPTIONS_FILES | OPTIONS_MACHINE | OPTIONS_QUERY | OPTIONS_LISTS | OPTIONS_PICTURE |
             OPTION_POSE_A | OPTION_POSE_B | OPTION_ALLOW_TOUCHING | OPTIONS_CLEARANCE | OPTIONS_OVERLAP |
             OPTION_PRESET | OPTION_THICKNESS | OPTIONS_MAPS,
    .run = run,
    .summary = "do two meshes touch, and where",
    .about = "Touching counts: meshes that share a single point collide. If nothing touches, graze decides whether\n"
             "one mesh, or a part of it, is inside the other. The outer one must have no holes for that.\n"
             "\n"
             "Of two meshes without holes graze also says how they lie as solids: apart, touching (their insides\n"
             "are disjoint), penetrating, one inside the other, or the same.\n"
             "\n"
             "Faces are numbered from 0 in file order; a polygon is one face. A pose has numbers as C writes them\n"
             "(1, -0.5, 1e-3), with commas and no spaces; a quaternion is normalised.\n",
    .statuses = "  0  apart: nothing touches, and nothing is known to be inside\n"
                "  1  they touch, or one mesh, or a part of it, is inside the other\n"
                "  2  trouble: wrong usage, an unreadable file, a bad mesh, a method that cannot do this\n"
                "  3  undecided; with --strict also if `inside` cannot be decided because a mesh is open\n"
                "With --allow-touching:\n"
                "  0  apart, or the solids only touch\n"
                "  1  their insides overlap, one is inside the other, or they are the same\n"
                "  3  a mesh is open, and they touch or one may be inside the other; with --strict wherever they are\n"
                "With --clearance D:\n"
                "  0  the surfaces are at least D apart and do not touch, and neither mesh is inside the other\n"
                "  1  they are nearer (with --allow-touching, and do not only touch), or one is inside the other\n"
                "  3  a mesh is open, and one may be inside the other\n"
                "With --deeper-than D:\n"
                "  0  the solids overlap by a depth of D at most, or not at all\n"
                "  1  they overlap deeper\n"
                "  3  undecided: open meshes cross (unless --open report), or --max-cells were not enough\n",
    .examples = "  graze check --pose-b 0,0,2.5 part.stl case.stl\n"
                "  graze check --allow-touching bolt.stl plate.stl\n"
                "  graze check --clearance 0.002 --pairs bolt.stl housing.stl\n"
                "  graze check --deeper-than 0.001 wall.obj window.obj\n"
                "  if graze check --quiet a.obj b.obj; then echo free; fi\n",
};
