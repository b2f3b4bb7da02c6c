// SPDX-License-Identifier: MIT
// Zeroes large blocks of memory in pieces. Zeroing new memory is slow, because the system must provide each page first.
// The call can be cancelled between two pieces.
#ifndef GRZ_MESH_CLEAR_MEMORY_H
#define GRZ_MESH_CLEAR_MEMORY_H

#include <string.h>

#include "base/control.h"

enum {
    GRZ_CLEAR_PIECE = 1 << 22 // bytes: about a millisecond
};

// Zero a block. False if the control says to end.
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
