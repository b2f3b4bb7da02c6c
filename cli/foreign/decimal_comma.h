// SPDX-License-Identifier: MIT
// Commas between digits, "1,5", which importers of text take for a decimal point or for the end of the number.
#ifndef GRZ_CLI_DECIMAL_COMMA_H
#define GRZ_CLI_DECIMAL_COMMA_H

#include <stddef.h>
#include <stdint.h>

// The first word that is a number but for a comma between two digits; words end at blanks, quotes, < and >. `line`
// receives its line, from 1. Returns its length; 0 where there is none.
size_t decimal_comma_find(const unsigned char *bytes, size_t size, const unsigned char **word, uint64_t *line);

#endif
