// SPDX-License-Identifier: MIT
// How the rows of a text's tables lie in its lines. They may be lines, run over several, share some, or have nothing to
// do with lines. But once one row filled a line by itself, rows are lines; then one that shares a line with another row
// and runs over its end is a sign of numbers too many or too few.
#ifndef GRZ_IO_ROW_LAYOUT_H
#define GRZ_IO_ROW_LAYOUT_H

#include "reader.h"

// Zero it to start.
typedef struct row_layout {
    uint64_t filled_line, mixed_line; // the first of each, 0: none yet
    bool shares;                      // the last row shares its last line with what comes behind it
} row_layout;

// Another table begins. If in a line of its own, the one before may have lain otherwise.
void grz_io_row_layout_begin(row_layout *layout);

// The row that began in line `first` ended at the cursor; `last`: it is its table's last. Goes to the next line where
// this one has nothing more. Returns false, with a reason, where the rows so far contradict each other.
bool grz_io_row_layout_add(row_layout *layout, reader *r, text_scan *s, uint64_t first, bool last);

#endif
