// SPDX-License-Identifier: MIT
// Finds the row that has a number too many or too few, in texts whose tables need not keep to lines (OFF). A row may be
// one line, run over several lines, or share a line with other rows: each is allowed. But if some row is exactly one
// line, all rows should be. Then a row that runs over the end of its line, and shares a line with its neighbour, shows
// that a number is missing or superfluous there:
//
//     0 0 0      a row that is one line
//     1 0        a number is missing: this row takes the 1 of the next line,
//     1 1 0      which it then shares with the row after it
#ifndef GRZ_IO_ROW_LAYOUT_H
#define GRZ_IO_ROW_LAYOUT_H

#include "reader.h"

// Zero it to start.
typedef struct row_layout {
    uint64_t filled_line; // the first line that is exactly one row; 0: none yet
    uint64_t mixed_line;  // where the first row begins that runs over a line's end and shares a line; 0: none yet
    bool shares;          // the next row begins in the line in which the last one ended
} row_layout;

// A new table begins. If it begins in a line of its own, it may be laid out otherwise than the table before: a mixed
// line of that table no longer counts.
void grz_io_row_layout_begin(row_layout *layout);

// A row that began in line `first` ends at the cursor. `last`: it is the last one of its table, which may fill a line
// by chance, so this does not count. Moves the cursor to the next line if nothing more stands in this one. Returns
// false, with a reason, if there is now both a line that is one row and a mixed one.
bool grz_io_row_layout_add(row_layout *layout, reader *r, text_scan *s, uint64_t first, bool last);

#endif
