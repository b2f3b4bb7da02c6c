// SPDX-License-Identifier: MIT
// Cavities: shells wound inwards that lie inside a shell wound outwards.
#ifndef GRZ_ASK_SHELLS_SHELL_NESTS_H
#define GRZ_ASK_SHELLS_SHELL_NESTS_H

#include "mesh/shells/shell_groups.h"

// Find the shell that holds each cavity: of several the one of the least volume, of those the lowest.
//
// shells  their signs decide: -1 is wound inwards, 1 outwards, 0 neither
// holder  receives shells->count numbers: the holder, or the shell itself if it is no cavity
// Returns GRZ_OK, or an error.
grz_status grz_shell_nests_find(const grz_shell_groups *shells, const int8_t *signs, grz_control *control,
                                uint32_t *holder, grz_error *error);

#endif
