// SPDX-License-Identifier: MIT
// Numbers as text.
#ifndef GRZ_CLI_NUMBER_H
#define GRZ_CLI_NUMBER_H

enum {
    NUMBER_SIZE = 48 // room for any number, with its NUL
};

// Write the shortest decimal that strtod() reads back as the same double; of those, the one nearest to it. 0.1 gives
// "0.1", 1e23 gives "1e+23", 2 gives "2", -0.0 gives "-0". The value must be finite. Returns `text`.
char *number_shortest(double value, char text[NUMBER_SIZE]);

#endif
