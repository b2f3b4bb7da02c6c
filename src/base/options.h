// SPDX-License-Identifier: MIT
// Structures of options as callers give them. Such a structure begins with its own size, so that a program can be
// compiled with an older or a newer header than the library: an older one lacks the last members, a newer one has
// members that are unknown here.
#ifndef GRZ_BASE_OPTIONS_H
#define GRZ_BASE_OPTIONS_H

#include <graze/status.h>

// The end of a structure's member, in bytes from the structure's start.
#define GRZ_MEMBER_END(type, member) (offsetof(type, member) + sizeof(((type *)NULL)->member))

// One type of options.
typedef struct grz_options_type {
    const char *name;     // of the structure, for error texts: "grz_locate_options"
    const char *defaults; // what callers start from, for error texts: "grz_default_locate_options()"
    size_t size;          // of the structure in this version
    size_t least;         // the smallest size that is accepted: the end of the first member after `size`
} grz_options_type;

// Copy the caller's structure over the defaults.
//
// A smaller structure than this version's leaves the defaults in the members that it lacks. A larger one is accepted if
// all bytes past this version's members are zero: then it asks for nothing that is unknown here.
//
// type    what it is
// call    how error texts begin: "locate"
// member  what the caller calls the structure: "options"
// given   the caller's structure; the first `size` bytes of it are read
// out     holds the defaults, and receives the options at this version's size; unchanged on failure
// Returns GRZ_OK, or GRZ_ERROR_ARGUMENT.
grz_status grz_options_read(const grz_options_type *type, const char *call, const char *member, const void *given,
                            void *out, grz_error *error);

// Fill in a structure of the caller's that has `size` bytes: the defaults as far as they go, then zeros. Its member
// `size` becomes `size`. Nothing is written if out is NULL or `size` has no room for the member.
void grz_options_init(const grz_options_type *type, const void *defaults, void *out, size_t size);

#endif
