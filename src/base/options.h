// SPDX-License-Identifier: MIT
// Structures of options as callers give them. Such a structure begins with its own size, so that a program can be
// compiled with an older or a newer header than the library: an older one lacks the last members, a newer one has
// members that are unknown here.
#ifndef GRZ_BASE_OPTIONS_H
#define GRZ_BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <graze/limits.h>
#include <graze/status.h>

// The end of a structure's member, in bytes from the structure's start.
#define GRZ_MEMBER_END(type, member) (offsetof(type, member) + sizeof(((type *)NULL)->member))

// One type of options.
typedef struct grz_options_type {
    const char *name;     // of the structure, for error texts: "grz_locate_options"
    const char *start;    // what callers start from, for error texts: "grz_default_locate_options()"
    const char *member;   // what the caller calls the structure, for error texts: "options"
    size_t size;          // of the structure in this version
    size_t least;         // the smallest size that is accepted: the end of the first member after `size`
    const void *defaults; // a structure of this type
    bool has_limits;      // a grz_limits follows `size`
} grz_options_type;

// The head that all structures with limits share.
typedef struct grz_options_head {
    size_t size;
    grz_limits limits;
} grz_options_head;

// The type of a structure grz_NAME that callers start from by grz_default_NAME(). `first` is the first member after
// `size`; `values` a static structure with the defaults; `member` what error texts call the structure.
#define GRZ_STRUCTURE_TYPE(name, first, values, has_limits, member)                                                    \
    {                                                                                                                  \
        "grz_" #name, "grz_default_" #name "()", member, sizeof(grz_##name), GRZ_MEMBER_END(grz_##name, first),        \
            &(values), has_limits                                                                                      \
    }

// The same for options without limits, and for those in which `limits` follow `size`.
#define GRZ_OPTIONS_TYPE(name, first, values) GRZ_STRUCTURE_TYPE(name, first, values, false, "options")
#define GRZ_LIMITED_OPTIONS_TYPE(name, values) GRZ_STRUCTURE_TYPE(name, limits, values, true, "options")

// Copy the caller's structure over the defaults, and check its limits.
//
// A smaller structure than this version's leaves the defaults in the members that it lacks. A larger one is accepted if
// all bytes past this version's members are zero: then it asks for nothing that is unknown here.
//
// type    what it is
// call    how error texts begin: "locate"
// given   the caller's structure; the first `size` bytes of it are read. NULL: the defaults
// out     receives the options at this version's size; on failure the defaults
// Returns GRZ_OK, or GRZ_ERROR_ARGUMENT.
grz_status grz_options_read(const grz_options_type *type, const char *call, const void *given, void *out,
                            grz_error *error);

// Fill in a structure of the caller's that has `size` bytes: the defaults as far as they go, then zeros. Its member
// `size` becomes `size`. Nothing is written if out is NULL or `size` has no room for the member.
void grz_options_init(const grz_options_type *type, void *out, size_t size);

#endif
