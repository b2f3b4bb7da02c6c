// SPDX-License-Identifier: MIT
// Compares the rows of a table with the lines of the text (row_layout.h).
#include "row_layout.h"

void grz_io_row_layout_begin(row_layout *layout)
{
    if (!layout->shares)
        layout->mixed_line = 0;
}

bool grz_io_row_layout_add(row_layout *layout, reader *r, text_scan *s, uint64_t first, bool last)
{
    bool shared = layout->shares, runs_over = s->line != first;
    layout->shares = scan_more(s);
    shared = shared || layout->shares;
    if (shared && runs_over && layout->mixed_line == 0)
        layout->mixed_line = first;
    if (!shared && !runs_over && !last && layout->filled_line == 0)
        layout->filled_line = first;
    if (!layout->shares)
        scan_next_line(s);
    if (layout->mixed_line == 0 || layout->filled_line == 0)
        return true;
    return grz_io_fail_line(r, layout->mixed_line,
                            "too many or too few numbers: rows and lines part here, while line %llu is one row",
                            (unsigned long long)layout->filled_line);
}
