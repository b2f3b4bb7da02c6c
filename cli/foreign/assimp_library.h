// SPDX-License-Identifier: MIT
// Assimp's C functions, looked up in its library when a file needs them. So the tool starts without it, which takes 4
// ms less, and runs where it is not installed.
#ifndef GRZ_CLI_ASSIMP_LIBRARY_H
#define GRZ_CLI_ASSIMP_LIBRARY_H

#include <assimp/cimport.h>

#include <stdbool.h>
#include <stddef.h>

// Each member has the type of the function that it stands for.
typedef struct assimp_library {
    __typeof__(&aiCreatePropertyStore) create_properties;
    __typeof__(&aiSetImportPropertyInteger) set_integer;
    __typeof__(&aiImportFileFromMemoryWithProperties) import_memory;
    __typeof__(&aiImportFileExWithProperties) import_file;
    __typeof__(&aiIsExtensionSupported) is_supported;
    __typeof__(&aiGetErrorString) error_string;
} assimp_library;

// Load the library, for good. `name`: NULL for the one that the tool was built for, libassimp.so.5. On failure returns
// false, and `reason` says which library is missing and why.
bool assimp_open(const char *name, assimp_library *out, char *reason, size_t reason_size);

#endif
