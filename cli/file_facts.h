// SPDX-License-Identifier: MIT
// What a file says of itself and what was done with it: its unit, its up axis, and the reader's notes.
#ifndef GRZ_CLI_FILE_FACTS_H
#define GRZ_CLI_FILE_FACTS_H

#include "model.h"

typedef struct file_facts {
    char *file;            // as the command line has it
    double declared, unit; // in metres: the unit that the file declares, and that of the numbers now; 0: not known
    bool counts_as_unit;   // the numbers are taken as `unit`, whatever is declared: a mesh of a robot
    bool is_robot;         // it is in metres, whatever is asked for
    grz_io_up up_axis;     // as grz_io_model has it
    char **notes;          // the reader's
    size_t note_count;
} file_facts;

// Copy what a model says. False without memory; `out` is empty then.
bool facts_of_model(const model *read, const char *file, file_facts *out);

// The facts of a file that is in metres, z up, by the definition of its format: a robot. Likewise.
bool facts_of_robot(const char *file, file_facts *out);

// Whether the numbers of two files can be compared: their units are alike, or one is not known. Where not, the message
// names both files and both units.
bool facts_agree(const file_facts *a, const file_facts *b, char *message, size_t message_size);

// Free; an empty one is accepted.
void facts_finish(file_facts *facts);

#endif
