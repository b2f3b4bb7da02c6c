// SPDX-License-Identifier: MIT
// Writes a report as JSON (RFC 8259): one member of the outermost object a line, what is nested on the same line, and
// lists that are marked for it with one element a line. Lists of rows are made and written row by row.

#include "report/json.h"

#include "report/number.h"
#include "report/printable.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// Where a list or object is on the page.
typedef struct layout {
    const char *before, *between, *after; // what stands before the first element, between two, and behind the last
} layout;

static const layout page = {"\n  ", ",\n  ", "\n"};
static const layout one_a_line = {"\n    ", ",\n    ", "\n  "};
static const layout in_line = {"", ", ", ""};

static void write_value(report *r, const report_value *value, FILE *stream);

static void write_text(const char *text, FILE *stream)
{
    static const char *const replacement = "\xEF\xBF\xBD"; // U+FFFD

    fputc('"', stream);
    while (*text != '\0') {
        const size_t length = printable_utf8_length(text);
        if (length == 0)
            fputs(replacement, stream);
        else if (*text == '"' || *text == '\\')
            fprintf(stream, "\\%c", *text);
        else if (*text == '\n' || *text == '\t' || *text == '\r')
            fprintf(stream, "\\%c", *text == '\n' ? 'n' : *text == '\t' ? 't' : 'r');
        else if ((unsigned char)*text < 0x20)
            fprintf(stream, "\\u%04X", (unsigned)*text);
        else
            fwrite(text, 1, length, stream);
        text += length > 0 ? length : 1;
    }
    fputc('"', stream);
}

static void write_real(double value, FILE *stream)
{
    char text[NUMBER_SIZE];

    if (!isfinite(value)) {
        fputs("null", stream);
        return;
    }
    fputs(number_shortest(value, text), stream);
    if (strpbrk(text, ".e") == NULL)
        fputs(".0", stream);
}

// Write the values of a list or an object, where `lead` stands before the next one. Returns what stands before the one
// after them.
static const char *write_items(report *r, const report_value *first, const layout *laid, const char *lead, FILE *stream)
{
    for (const report_value *value = first; value != NULL; value = value->next) {
        fputs(lead, stream);
        if (value->key != NULL)
            fprintf(stream, "\"%s\": ", value->key);
        write_value(r, value, stream);
        lead = laid->between;
    }
    return lead;
}

static const char *write_rows(report *r, const report_value *rows, const layout *laid, FILE *stream)
{
    const char *lead = laid->before;

    for (uint64_t i = 0; i < rows->as.rows.count && !r->failed; i++) {
        const report_mark mark = report_begin_row(r);
        const report_value *row = report_make(r, rows, i);
        if (row != NULL)
            lead = write_items(r, row->as.items.first, laid, lead, stream);
        report_drop_row(r, mark);
    }
    return lead;
}

// Write a list or an object.
static void write_container(report *r, const report_value *value, const layout *laid, FILE *stream)
{
    const bool object = value->kind == REPORT_OBJECT;
    const char *lead;

    fputc(object ? '{' : '[', stream);
    if (value->kind == REPORT_ROWS)
        lead = write_rows(r, value, laid, stream);
    else
        lead = write_items(r, value->as.items.first, laid, laid->before, stream);
    fputs(lead != laid->before ? laid->after : "", stream); // an empty one stays on its line
    fputc(object ? '}' : ']', stream);
}

static void write_value(report *r, const report_value *value, FILE *stream)
{
    switch (value->kind) {
    case REPORT_NULL:
        fputs("null", stream);
        break;
    case REPORT_BOOL:
        fputs(value->as.yes ? "true" : "false", stream);
        break;
    case REPORT_COUNT:
        fprintf(stream, "%" PRIu64, value->as.count);
        break;
    case REPORT_REAL:
        write_real(value->as.real, stream);
        break;
    case REPORT_TEXT:
        write_text(value->as.text, stream);
        break;
    case REPORT_LIST:
    case REPORT_OBJECT:
    case REPORT_ROWS:
        write_container(r, value, value->one_a_line ? &one_a_line : &in_line, stream);
        break;
    }
}

void report_json(report *r, FILE *stream)
{
    if (r->failed)
        return;
    write_container(r, r->members, &page, stream);
    fputc('\n', stream);
}
