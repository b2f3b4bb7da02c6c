// SPDX-License-Identifier: MIT
// Loads Assimp by dlopen. Its header is of the version whose library is named here (cmake/GrazeTool.cmake), so the
// types fit.
#define _POSIX_C_SOURCE 200809L

// Without Assimp's headers there is nothing here.
#ifdef GRZ_HAVE_ASSIMP

#include "foreign/assimp_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#ifndef GRZ_ASSIMP_LIBRARY
#define GRZ_ASSIMP_LIBRARY "libassimp.so.5"
#endif

// POSIX lets a function's address travel as an object's, ISO C does not: so it is copied as bytes.
static bool look_up(void *library, const char *name, void *function, size_t size)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, size);
    return symbol != NULL;
}

#define LOOK_UP(member, name) look_up(library, name, &out->member, sizeof out->member)

bool assimp_open(const char *name, assimp_library *out, char *reason, size_t reason_size)
{
    const char *wanted = name != NULL ? name : GRZ_ASSIMP_LIBRARY;
    void *library = dlopen(wanted, RTLD_LAZY | RTLD_LOCAL);
    *out = (assimp_library){0};
    if (library == NULL) {
        (void)snprintf(reason, reason_size,
                       "this format is read by Assimp, and its library %s (Debian: libassimp5) cannot be loaded: %s",
                       wanted, dlerror());
        return false;
    }
    if (LOOK_UP(create_properties, "aiCreatePropertyStore") && LOOK_UP(set_integer, "aiSetImportPropertyInteger") &&
        LOOK_UP(import_memory, "aiImportFileFromMemoryWithProperties") &&
        LOOK_UP(import_file, "aiImportFileExWithProperties") && LOOK_UP(is_supported, "aiIsExtensionSupported") &&
        LOOK_UP(error_string, "aiGetErrorString"))
        return true;
    (void)snprintf(reason, reason_size, "%s is no library of Assimp that this tool can use", wanted);
    return false;
}

#else

typedef int assimp_library_is_not_built;

#endif
