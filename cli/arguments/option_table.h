// SPDX-License-Identifier: MIT
// The table of options. To add an option: a bit in options.h, a member of `options` for its value, a function in
// option_values.h that reads the value, and a row here.
#ifndef GRZ_CLI_ARGUMENTS_OPTION_TABLE_H
#define GRZ_CLI_ARGUMENTS_OPTION_TABLE_H

#include "arguments/option_row.h"

extern const option_row option_table[];
extern const size_t option_row_count;
extern const char *const option_group_titles[GROUP_COUNT];

#endif
