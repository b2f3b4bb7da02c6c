// SPDX-License-Identifier: MIT
// Zip archives made in memory, for the tests and the fuzzer of 3MF. Files are stored, not packed.
#ifndef GRZ_TESTS_SUPPORT_PACKAGE_H
#define GRZ_TESTS_SUPPORT_PACKAGE_H

#include "support_files.h"

typedef struct package {
    file_text archive;   // the files; complete behind package_end()
    file_text directory; // their entries
    uint32_t count;
} package;

void package_add(package *p, const char *name, const void *bytes, size_t size);
void package_end(package *p); // the caller frees archive.bytes

// A 3MF package of one model, "3D/3dmodel.model".
void package_of_model(package *p, const void *model, size_t size);

#endif
