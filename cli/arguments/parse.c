// SPDX-License-Identifier: MIT
// A command line is taken apart (command_line.c), then checked (options_check.c).
#include "arguments/parse.h"

#include "arguments/command_line.h"
#include "arguments/options_check.h"
#include "arguments/refuse.h"

int options_find_command(int argc, char **argv)
{
    const char *wrong = NULL;
    const int place = command_line_find_command(argc, argv, &wrong);

    if (place == 0)
        options_refuse_before(wrong);
    return place;
}

bool options_parse(const command_table *table, const command *asked, int argc, char **argv, options *out)
{
    command_line line;
    bool good = command_line_split(argc, argv, &line);

    *out = (options){
        .command = asked->name, .table = table, .takes = asked->takes, .files = line.files, .answer = GRZ_ANSWER_EXACT};
    out->file_count = line.file_count;
    out->pose_shape = grz_pose_identity();
    for (size_t i = 0; i < MAX_MESHES; i++) {
        out->poses[i] = grz_pose_identity();
        out->from[i] = out->to[i] = (motion_end){.turn = {0.0, 0.0, 0.0, 1.0}};
    }
    good = good ? options_check(asked, &line, out) : option_refuse(asked->name, "out of memory");
    command_line_finish(&line);
    return good;
}
