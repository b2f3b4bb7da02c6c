// SPDX-License-Identifier: MIT
// The table of rows, in the order of the report: ROWS(NAME) for each file row_NAME.c, which defines `row_list
// rows_NAME(void)`. A new file of rows is that file and a line here. The table is included several times, each time
// with another ROWS(), so it has no include guard.
ROWS(pairs)
ROWS(parts)
ROWS(growth)
ROWS(build)
ROWS(deform)
ROWS(self)
ROWS(boxes)
ROWS(distance)
ROWS(batch)
ROWS(points)
