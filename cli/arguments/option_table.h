// SPDX-License-Identifier: MIT
// The table of options. To add an option: a bit in options.h, a member of `options` for its value, and a row here.
#ifndef GRZ_CLI_ARGUMENTS_OPTION_TABLE_H
#define GRZ_CLI_ARGUMENTS_OPTION_TABLE_H

#include "arguments/options.h"

#include <stdarg.h>

// In the order of the help.
typedef enum option_group {
    GROUP_PLACE,
    GROUP_SHOW,
    GROUP_REPORT,
    GROUP_DECIDE,
    GROUP_COMPUTE,
    GROUP_OTHER,
    GROUP_COUNT
} option_group;

typedef struct option_row option_row;
struct option_row {
    uint64_t bit; // OPTION_…
    option_group group;
    const char *name;   // with its dashes
    const char *letter; // the short form with its dash; NULL: there is none
    const char *value;  // how the help names the value; NULL: the option takes none
    const char *form;   // how to write the value, if `value` does not say it
    const char *help;   // one or more lines, without the last newline
    bool repeats;       // it may be given several times: its values are kept for options_next(), too
    bool lists_methods; // the help goes on with the names of the methods that work for the command
    // Store the value, or complain and return false. The value is NULL where the option takes none; often its bit says
    // all then, and there is no function.
    bool (*set)(const option_row *row, const char *value, options *out);
    const char *method; // the only method that the option is for; NULL: it is for any
};

extern const option_row option_table[];
extern const size_t option_row_count;
extern const char *const option_group_titles[GROUP_COUNT];

// Complain about the command line and say where help is. Always returns false.
bool option_refuse(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
