// SPDX-License-Identifier: MIT
// A command that only the test tests/cli/toy/run.sh has. This file and one line in the table are all that a command
// needs.

#include "command.h"
#include "output.h"

#include <stdio.h>

static int run(const options *given)
{
    if ((given->flags & OPTION_QUIET) == 0)
        printf("toy: %zu files, the first is %s\n", given->file_count, given->files[0]);
    return output_finish(given->command) ? STATUS_TOUCHES : STATUS_TROUBLE;
}

const command command_toy = {
    .name = "toy",
    .files = "FILE...",
    .least_files = 1,
    .most_files = ANY_FILES,
    .takes = OPTION_QUIET | OPTION_HELP | OPTION_CURVES,
    .run = run,
    .summary = "count files",
    .about = "Counts its arguments.\n",
    .statuses = "  1  always\n",
    .examples = "  graze toy a.obj\n"
                "  graze toy a.obj b.obj\n",
};
