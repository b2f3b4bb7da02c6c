// SPDX-License-Identifier: MIT
// The rules of --allow and --allow-file.
#ifndef GRZ_CLI_ASSEMBLY_ALLOW_H
#define GRZ_CLI_ASSEMBLY_ALLOW_H

#include "arguments/options.h"
#include "assembly/exclusions.h"

// Add the pairs that the command line excludes by name. On failure returns false, and `message` holds one line that
// names the rule.
bool allow_read(const options *given, const scene_objects *objects, exclusions *out, char message[LOAD_MESSAGE_SIZE]);

// Add the rules of a file: lines A:B, of which empty ones and what follows a # are left out, or SRDF. Fails as
// allow_read() does.
bool allow_read_bytes(const char *file, const unsigned char *bytes, size_t count, const scene_objects *objects,
                      exclusions *out, char message[LOAD_MESSAGE_SIZE]);

#endif
