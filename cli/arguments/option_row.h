// SPDX-License-Identifier: MIT
// What an option is: a row of the table.
#ifndef GRZ_CLI_ARGUMENTS_OPTION_ROW_H
#define GRZ_CLI_ARGUMENTS_OPTION_ROW_H

#include "arguments/options.h"

// In the order of the help.
typedef enum option_group {
    GROUP_READ,
    GROUP_PLACE,
    GROUP_SHOW,
    GROUP_REPORT,
    GROUP_DECIDE,
    GROUP_COMPUTE,
    GROUP_OTHER,
    GROUP_COUNT
} option_group;

typedef struct option_row option_row;

// Check the value of an option and store it, or complain and return false. The value is NULL where the option takes
// none.
typedef bool option_setter(const option_row *row, const char *value, options *out);

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
    bool lists_formats; // the help goes on with the names of libgraze_io's formats
    option_setter *set; // NULL: the option's bit says all, or all values are good
    const char *method; // the only method that the option is for; NULL: it is for any
};

#endif
