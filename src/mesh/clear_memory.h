// SPDX-License-Identifier: MIT
// Zeroing large blocks, which takes a while where the system has to find the pages first: in pieces, so that the call can end
// between.
#ifndef GRZ_MESH_CLEAR_MEMORY_H
#define GRZ_MESH_CLEAR_MEMORY_H

#include <string.h>

#include "base/control.h"

enum {
    GRZ_CLEAR_PIECE = 1 << 22 // bytes: about a millisecond
};

// False: the control says to end.
static inline bool grz_clear_memory(void *block, size_t size, grz_control *control)
{
    for (size_t start = 0; start < size; start += GRZ_CLEAR_PIECE) {
        if (start > 0 && grz_control_expired(control))
            return false;
        memset((char *)block + start, 0, size - start < GRZ_CLEAR_PIECE ? size - start : GRZ_CLEAR_PIECE);
    }
    return true;
}

#endif
