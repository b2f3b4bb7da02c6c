// SPDX-License-Identifier: MIT
// The commands that look at one mesh by itself, `info` and `fit`: open the device, read the file, examine, answer.
#ifndef GRZ_CLI_EXAMINE_H
#define GRZ_CLI_EXAMINE_H

#include "arguments/options.h"
#include "load.h"

// Find out what the answer needs and put it into `found`. On failure returns false, and `message` holds one line that
// begins with the file's name.
typedef bool examine_mesh(loaded_mesh *loaded, void *found, char message[LOAD_MESSAGE_SIZE]);

// Write the report; returns the exit status.
typedef int examine_answer(const options *given, const loaded_mesh *loaded, const void *found);

// Run such a command, whose only file is given->files[0]. `doing` is what the progress bar says meanwhile. Complains
// about what goes wrong. Returns the exit status.
int examine_file(const options *given, const char *doing, examine_mesh *examine, examine_answer *answer, void *found);

#endif
