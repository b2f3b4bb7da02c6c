// SPDX-License-Identifier: MIT
// Chooses the writer of a report. What differs from run to run stays off stdout unless it is asked for, so that the
// reports of two runs can be compared byte for byte; a user at a terminal sees it on stderr.

#include "deliver.h"

#include "command.h"
#include "output.h"
#include "report/json.h"
#include "report/terminal.h"
#include "report/text.h"

int deliver(report *r, const options *given, int status)
{
    if ((given->flags & OPTION_QUIET) != 0)
        return status;
    const bool json = (given->flags & OPTION_JSON) != 0, times = (given->flags & OPTION_TIME) != 0;
    if (json)
        report_json(r, stdout);
    else
        report_text(r, (report_look){.times = times, .colours = terminal_colours(stdout)}, stdout);
    if (r->failed) {
        complain(given->command, "out of memory for the report");
        return STATUS_TROUBLE;
    }
    if (!output_finish(given->command))
        return STATUS_TROUBLE;
    if (!json && !times && terminal_is(stderr))
        report_text_times(r, stderr);
    return status;
}
