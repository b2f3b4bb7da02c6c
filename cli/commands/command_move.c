// SPDX-License-Identifier: MIT
// graze move A B: when does A, moving, first touch B. With a robot (URDF) in place of A: which links collide while its
// joints move (sweep/sweep.h).

#include "answers/describe_move.h"
#include "answers/query.h"
#include "arguments/option_table.h"
#include "arguments/refuse.h"
#include "assembly/robot_objects.h"
#include "command.h"
#include "deform/deform.h"
#include "deliver.h"
#include "sweep/sweep.h"

#include <string.h>

static grz_motion motion_of(const options *given, size_t mesh)
{
    const motion_end *from = &given->from[mesh], *to = &given->to[mesh];
    const uint64_t moves = mesh == 0 ? OPTION_TO : OPTION_TO_B;
    grz_pose pose = grz_pose_identity();
    grz_error ignored; // the parser of the command line has seen that it is a pose

    if ((given->flags & moves) != 0)
        return (given->flags & OPTION_SCREW) != 0 ? grz_motion_screw(from->shift, from->turn, to->shift, to->turn)
                                                  : grz_motion_slerp(from->shift, from->turn, to->shift, to->turn);
    grz_pose_from_quaternion(from->shift, from->turn, &pose, &ignored);
    return grz_motion_rest(pose);
}

// Does neither mesh turn on its way? A mesh that rests has no end.
static bool is_straight(const options *given)
{
    const uint64_t ends[2] = {OPTION_TO, OPTION_TO_B};
    bool straight = true;

    for (int i = 0; i < 2; i++)
        straight = straight && ((given->flags & ends[i]) == 0 ||
                                memcmp(given->from[i].turn, given->to[i].turn, sizeof given->to[i].turn) == 0);
    return straight;
}

// Along straight lines: the exact time, and with --allow-touching that of the first overlap.
static grz_status ask_straight(const query *q, grz_move_answer *answer, grz_overlap_time *overlap, grz_error *error)
{
    const options *given = q->given;
    grz_move_options wanted = grz_default_move_options();
    grz_object objects[2];

    for (int i = 0; i < 2; i++) {
        objects[i] = q->objects[i];
        grz_pose_from_quaternion(given->from[i].shift, given->from[i].turn, &objects[i].pose, NULL);
    }
    wanted.method = given->method;
    wanted.inside_rule = given->rule;
    const double *to_a = (given->flags & OPTION_TO) != 0 ? given->to[0].shift : given->from[0].shift,
                 *to_b = (given->flags & OPTION_TO_B) != 0 ? given->to[1].shift : NULL;
    const grz_status status = grz_move(q->device, &objects[0], to_a, &objects[1], to_b, &wanted, answer, error);
    if (status != GRZ_OK || (given->flags & OPTION_ALLOW_TOUCHING) == 0)
        return status;
    return grz_move_first_overlap(q->device, &objects[0], to_a, &objects[1], to_b, &wanted, overlap, error);
}

// The one question.
static grz_status ask(const query *q, grz_move_answer *answer, grz_overlap_time *overlap, grz_error *error)
{
    if (is_straight(q->given))
        return ask_straight(q, answer, overlap, error);
    const grz_motion motions[2] = {motion_of(q->given, 0), motion_of(q->given, 1)};
    grz_rigid_options wanted = grz_default_rigid_options();

    wanted.tolerance = q->given->tolerance;
    wanted.inside_rule = q->given->rule;
    return grz_move_rigid(q->device, &q->objects[0], &motions[0], &q->objects[1], &motions[1], &wanted, answer, error);
}

static int move_two(const options *given)
{
    query q;
    grz_error error = {0};
    int status = STATUS_TROUBLE;

    if (query_open(&q, given)) {
        grz_move_answer answer;
        grz_overlap_time overlap = {.certainty = GRZ_UNDECIDED};
        const grz_overlap_time *asked = (given->flags & OPTION_ALLOW_TOUCHING) != 0 ? &overlap : NULL;
        const grz_status ended = ask(&q, &answer, &overlap, &error);
        if (query_measured(&q, ended, &error) && query_find_rules(&q)) {
            report r = describe_move(&q, &answer, asked);
            status = deliver(&r, given, describe_move_status(&answer, asked));
            report_finish(&r);
        }
    }
    query_close(&q);
    return status;
}

// Whether the options fit what moves: two meshes, or a robot.
static bool check(const options *given, bool robot)
{
    const uint64_t wrong = given->flags & (robot ? OPTIONS_PATH | OPTIONS_DEFORM : OPTIONS_SWEEP);

    if (wrong != 0)
        for (size_t i = 0; i < option_row_count; i++)
            if ((option_table[i].bit & wrong) != 0)
                return option_refuse(given->command, "%s is for %s", option_table[i].name,
                                     robot ? "two meshes, and the first file is a robot (URDF)"
                                           : "robots: the first file must end in .urdf");
    if (robot && (given->flags & OPTION_JOINT) == 0)
        return option_refuse(given->command, "needs --joint NAME=FROM:TO: which joint moves, and how far");
    if (!robot && (given->flags & OPTIONS_DEFORM) != 0) {
        if ((given->flags & (OPTION_ALLOW_TOUCHING | OPTION_RULE)) != 0)
            return option_refuse(given->command, "%s is for solids; of meshes that deform only surfaces count",
                                 (given->flags & OPTION_RULE) != 0 ? "--rule" : "--allow-touching");
        return deform_check(given);
    }
    if ((robot || !is_straight(given)) && given->method != NULL && strcmp(given->method, "auto") != 0)
        return option_refuse(given->command, "--method %s is for motions along straight lines; here something turns",
                             given->method);
    if ((given->flags & OPTION_ALLOW_TOUCHING) != 0 && (robot || !is_straight(given)))
        return option_refuse(given->command,
                             "--allow-touching is for motions along straight lines; here something turns");
    if (!robot && given->file_count != 2)
        return option_refuse(given->command, "needs two files (A B), got %zu", given->file_count);
    if (!robot && (given->flags & (OPTION_TO | OPTION_TO_B)) == 0)
        return option_refuse(given->command, "needs --to P: where A ends; or --deform-a FILE");
    return true;
}

static int run(const options *given)
{
    const bool robot = robot_objects_is_robot(given->files[0]);

    if (!check(given, robot))
        return STATUS_TROUBLE;
    if (robot)
        return sweep_run(given);
    return (given->flags & OPTIONS_DEFORM) != 0 ? deform_run(given) : move_two(given);
}

const command command_move = {
    .name = "move",
    .files = "A B",
    .least_files = 1,
    .most_files = ANY_FILES,
    .takes = OPTIONS_REPORT | OPTIONS_FILES | OPTIONS_MACHINE | OPTION_TIME | OPTION_METHOD | OPTIONS_PATH |
             OPTIONS_DEFORM | OPTION_TOLERANCE | OPTIONS_SWEEP | OPTION_ALLOW_TOUCHING | OPTION_RULE,
    .without_gl = true,
    .run = run,
    .summary = "when does A, moving, first touch B",
    .about = "A moves from one pose to another, in a time from 0 to 1: its origin along a line, and it turns about\n"
             "its origin evenly, the shortest way. B rests, or moves, too. Nothing is sampled, so nothing can pass\n"
             "through unnoticed. If nothing turns, the time of the first contact is the double nearest to the exact\n"
             "one; else it is enclosed between two numbers. That there is no contact is proved, too. Of meshes that\n"
             "touch or overlap at the start the first contact is at 0.\n"
             "\n"
             "With --allow-touching solids may touch, and slide along each other: the report tells when their insides\n"
             "first overlap, exactly. A peg of exactly the hole's size is clear. For motions without a turn.\n"
             "\n"
             "With --deform-a, --deform-b the meshes deform instead: every vertex goes along a line to where that\n"
             "file has it. The time is enclosed between two numbers, of surfaces, not solids. Without B: when does A\n"
             "first touch itself.\n"
             "\n"
             "With ROBOT.urdf [FILE...] in place of A B: the joints that --joint names move together, evenly, from\n"
             "one value to the other. Every link is followed against every other, and against the objects of\n"
             "further files, which rest. The report names the two that touch first, and the joints' values there.\n"
             "Pairs that are meant to touch are left out as `graze scene` has it.\n",
    .statuses = "  0  clear: no contact on the whole way, proved\n"
                "  1  a contact\n"
                "  2  trouble: wrong usage, an unreadable file, a bad mesh\n"
                "  3  undecided: they come too near to tell, as where one slides flush on the other\n"
                "With --allow-touching:\n"
                "  0  clear: the insides never overlap\n"
                "  1  they do\n"
                "  3  undecided: a mesh is open\n",
    .examples = "  graze move --from 0,0,5 --to 0,0,0 peg.stl hole.stl\n"
                "  graze move --allow-touching --to 0,0,-3 peg.stl plate.stl && echo fits\n"
                "  graze move --to 0,0,0,0,0,1,1 door.stl frame.stl && echo opens\n"
                "  graze move --screw --from 0,0,9 --to 0,0,0,0,0,1,0 bolt.stl nut.stl\n"
                "  graze move --deform-a next.obj cloth.obj body.obj\n"
                "  graze move --allow-adjacent --joint elbow=0:1.57 robot.urdf table.stl\n",
};
