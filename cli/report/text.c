// SPDX-License-Identifier: MIT
// Writes a report as text. Facts are indented below the verdict, their labels in a column; the items of a list are not
// indented, so that they are easy to pick out.

#include "report/text.h"

#include "report/printable.h"

#include <string.h>

enum {
    LABEL_WIDTH = 8
};

static const char *const reset = "\033[0m", *const yellow = "\033[33m";

static const char *tone_colour(report_tone tone)
{
    switch (tone) {
    case TONE_APART:
        return "\033[1;32m"; // bold green
    case TONE_TOUCHES:
        return "\033[1;31m"; // bold red
    case TONE_UNDECIDED:
        return "\033[1;33m"; // bold yellow
    case TONE_PLAIN:
        break;
    }
    return NULL;
}

// The name of the verdict is what stands before its first colon.
static void write_verdict(const report *r, bool colours, FILE *stream)
{
    const char *colour = colours ? tone_colour(r->tone) : NULL;
    const char *rest = r->verdict;

    if (colour != NULL) {
        const size_t length = strcspn(r->verdict, ":");
        fprintf(stream, "%s%.*s%s", colour, (int)length, r->verdict, reset);
        rest += length;
    }
    printable_write(rest, stream);
    fputc('\n', stream);
}

static void write_line(const report_value *line, report_look look, FILE *stream)
{
    const bool coloured = look.colours && line->line == LINE_WARNING;

    if (line->line == LINE_TIME && !look.times)
        return;
    if (line->line != LINE_ITEM)
        fputs("  ", stream);
    fputs(coloured ? yellow : "", stream);
    if (line->key != NULL)
        fprintf(stream, "%-*s ", LABEL_WIDTH, line->key);
    printable_write(line->as.text, stream);
    fputs(coloured ? reset : "", stream);
    fputc('\n', stream);
}

static void write_lines(report *r, const report_value *list, report_look look, FILE *stream)
{
    for (const report_value *line = list->as.items.first; line != NULL; line = line->next) {
        if (line->kind != REPORT_ROWS) {
            write_line(line, look, stream);
            continue;
        }
        for (uint64_t i = 0; i < line->as.rows.count && !r->failed; i++) {
            const report_mark mark = report_begin_row(r);
            const report_value *row = report_make(r, line, i);
            if (row != NULL)
                write_lines(r, row, look, stream);
            report_drop_row(r, mark);
        }
    }
}

void report_text(report *r, report_look look, FILE *stream)
{
    if (r->failed)
        return;
    if (r->verdict != NULL)
        write_verdict(r, look.colours, stream);
    write_lines(r, r->lines, look, stream);
}

void report_text_times(report *r, FILE *stream)
{
    for (const report_value *line = r->failed ? NULL : r->lines->as.items.first; line != NULL; line = line->next)
        if (line->kind == REPORT_TEXT && line->line == LINE_TIME)
            write_line(line, (report_look){.times = true}, stream);
}
